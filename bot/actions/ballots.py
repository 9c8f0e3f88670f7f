"""Ballots: opened in a meeting, voted with reasons, closed with the arithmetic printed (B4).

A submission carries the modal's id, so that the same one delivered again is the same vote; "recorded" is
said after the commit only; nobody sees a count before the closing.
"""

from slack_bolt import App

from bot import blocks, cards, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, does, form, opens, submits
from bot.payloads import Click, Submission, Target
from store.cases import Actor, Look
from store.proceedings.ballot import Motion, close_ballot, open_ballot, own_vote, void_ballot, vote
from store.proceedings.meeting import meeting_in_session, quorum_warning
from store.proceedings.planning import not_announced
from store.rules.access import Deed
from store.rules.casefile import OF_THE_CASE, BallotView
from store.rules.errors import BadInput, NotAllowed, NotNow
from store.rules.facts import Choice, Question, Role

ACTION_ID = Do.VOTE
TRACK, QUESTION, ITEM, OVERRIDE, SEATED = "track", "question", "item", "override", "seated"
CHOICE, REASONS, REASON = "choice", "reasons", "reason"
_LONGEST_LABEL = 70


def tracks(seen: Look) -> list[tuple[str, str]]:
    """Give the respondents to choose from, by name: the modal is for the one person who asked."""
    return [
        (str(one.id), blocks.clip(f"{place}. {one.named.name}", _LONGEST_LABEL))
        for place, one in enumerate(seen.case.respondents, start=1)
    ]


# -- opening ------------------------------------------------------------------------------------------


def view_opening(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the motion."""
    # the right of the one question that may be asked after finality; it has the same people as the others
    seen = desk.look(actor, click.target.number, Deed.FLAG_COMPLAINT)
    if meeting_in_session(desk.docket, actor) is None and seen.profile.board.ballots_only_in_meetings:
        raise NotNow(
            "A ballot is opened only in a recorded meeting of the Board.",
            clause="KRS 61.810",
            mend="Open the meeting on the record first.",
        )
    choices = tracks(seen)
    asked = [one for one in Question if choices or one in OF_THE_CASE]
    if seen.case.final:
        asked, choices = [Question.FALSE_COMPLAINT], []
    questions = [(one.value, words.QUESTIONS[one]) for one in asked]
    hint = "Of no matter for the release of documents and the flag under (F): they are about the whole case."
    made = [
        *(
            [blocks.select(TRACK, "About which respondent?", choices, initial=choices[0][0], hint=hint)]
            if choices
            else []
        ),
        blocks.select(QUESTION, "The question; yes carries it", questions, initial=_next_question(seen)),
        blocks.text_input(ITEM, "Item of the agenda", optional=True, limit=200),
        blocks.text_input(
            OVERRIDE,
            "Only the chair: why before every respondent had his time?",
            lines=True,
            optional=True,
            limit=1000,
        ),
        *_seats(desk, seen),
    ]
    return form(Do.OPEN_BALLOT, "Open a ballot", "Open", click=click, of=made)


def _next_question(seen: Look) -> str:
    if seen.case.final or not seen.case.respondents:
        return Question.FALSE_COMPLAINT.value
    decided = {one.opened.question for one in seen.case.ballots_since if one.closed is not None}
    if Question.JURISDICTION not in decided:
        return Question.JURISDICTION.value
    if any(seen.case.standing_determination(one.id) for one in seen.case.respondents):
        return Question.REPRIMAND.value
    return Question.FACTUAL_BASIS.value


def _seats(desk: Desk, seen: Look) -> list[Json]:
    """Offer each alternate a seat of a member who is out, where the ordinance knows alternates."""
    if not seen.profile.board.alternates:
        return []
    del desk
    out = seen.case.recused | seen.case.walled_off
    pairs = [
        (f"{alternate}:{member}", f"{seen.people.name(alternate)} for {seen.people.name(member)}")
        for alternate in seen.people.with_role(Role.ALTERNATE, seen.today)
        for member in seen.people.voting(seen.today)
        if alternate not in out
    ]
    choices = [(value, blocks.clip(label, _LONGEST_LABEL)) for value, label in pairs]
    return [blocks.several(SEATED, "Alternates who take a seat", choices)] if choices else []


def handle_opening(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Open the ballot; everybody on its roster is written to."""
    meeting = meeting_in_session(desk.docket, actor)
    motion = Motion(
        track=submission.id_or_none(TRACK),
        question=submission.one_of(QUESTION, Question),
        meeting=meeting.id if meeting else None,
        item=submission.text(ITEM),
        alternates=submission.pairs(SEATED) or None,
        override_reason=submission.text(OVERRIDE),
    )
    open_ballot(desk.docket, actor, submission.target.number, motion)
    number = submission.target.number
    said = f"Recorded: the ballot in case {number} is open. Each voter has it in a direct message."
    warned = (*not_announced(desk.docket, number), *quorum_warning(desk.docket, actor))
    return "\n".join((said, *(f":warning: {one}" for one in warned)))


# -- voting -------------------------------------------------------------------------------------------


def _ballot(seen: Look, target: Target) -> BallotView:
    ballot = seen.case.ballot(target.about)
    if ballot is None:
        raise BadInput("There is no such ballot in this case; nothing was changed.")
    return ballot


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the ballot paper, with the member's own vote that stands, if he has voted."""
    seen = desk.look(actor, click.target.number, Deed.VOTE)
    ballot = _ballot(seen, click.target)
    if not ballot.is_open:
        raise NotNow(
            "This ballot is not open; no vote is taken on it.",
            clause="KRS 61.815",
            mend="Ask the chair whether the question will be put again.",
        )
    if actor.person not in ballot.opened.roster:
        raise NotAllowed(
            "Only those who sit on this ballot vote on it.",
            clause="KRS 61.815",
            mend="An alternate takes a seat by another ballot.",
        )
    made = [
        blocks.section(f"*Case {seen.case.number}*, {cards.track_label(seen.case, ballot.track).lower()}"),
        blocks.section(f"*{words.QUESTIONS[ballot.opened.question]}*"),
    ]
    before = own_vote(seen, ballot.id, actor.person)
    if before is not None:
        when = words.instant(before.at, seen.profile.city.time_zone)
        made.append(
            blocks.section(f"You voted *{words.CHOICES[before.choice]}*, {when}. A new vote takes its place.")
        )
    made += [
        blocks.radio(CHOICE, "Your vote", [(one.value, words.CHOICES[one]) for one in Choice]),
        blocks.text_input(REASONS, "Reasons", lines=True, optional=True),
        blocks.small("Votes stand by name in the minutes. The count is shown once the ballot is closed."),
    ]
    return form(ACTION_ID, "Vote", "Vote", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the vote; what is said is said after the commit."""
    choice = submission.one_of(CHOICE, Choice)
    vote(
        desk.docket,
        actor,
        submission.target.number,
        submission.target.about,
        choice,
        submission=submission.mark,
        reasons=submission.text(REASONS),
    )
    target = submission.target
    stands = own_vote(desk.look(actor, target.number, Deed.VOTE), target.about, actor.person or 0)
    if stands is not None and stands.choice is not choice:
        return f"This was taken before and changes nothing. Your vote that stands: {words.CHOICES[stands.choice]}."
    return f"Your vote is recorded: {words.CHOICES[choice]}. You can change it until the ballot is closed."


# -- closing and voiding ------------------------------------------------------------------------------


def handle_closing(desk: Desk, actor: Actor, click: Click) -> str:
    """Close the ballot and say how it was counted."""
    result = close_ballot(desk.docket, actor, click.target.number, click.target.about)
    return f"The ballot is closed.\n{result.text()}"


def view_voiding(desk: Desk, actor: Actor, click: Click) -> Json:
    """Ask why the ballot shall count for nothing."""
    seen = desk.look(actor, click.target.number, Deed.VOID_BALLOT)
    ballot = _ballot(seen, click.target)
    made = [
        blocks.section(f"{cards.ballot_text(seen.case, ballot)}. It will count for nothing."),
        blocks.text_input(REASON, "Why?", lines=True, limit=1000),
    ]
    return form(Do.VOID_BALLOT, "Void the ballot", "Void", click=click, of=made)


def handle_voiding(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Void the ballot."""
    target = submission.target
    void_ballot(desk.docket, actor, target.number, target.about, submission.text(REASON))
    return "Recorded: the ballot is void and counts for nothing."


def attach(app: App, desk: Desk) -> None:
    """Attach opening, voting, closing and voiding."""
    asks(app, desk, Do.OPEN_BALLOT, "Open a ballot", view=view_opening, handle=handle_opening)
    opens(app, desk, ACTION_ID, "Vote", view)
    submits(app, desk, ACTION_ID, handle, counted_by_record=True)
    does(app, desk, Do.CLOSE_BALLOT, handle_closing)
    asks(app, desk, Do.VOID_BALLOT, "Void the ballot", view=view_voiding, handle=handle_voiding)

"""Notice to a respondent, and what comes of it: the chance to answer that was not used (A, B)."""

from datetime import datetime, time

from slack_bolt import App

from bot import blocks, words
from bot.actions.choices import warning_before_sending
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form, opens, submits_slowly
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor, Look, papers_for
from store.proceedings.notice import COMPLAINT, earliest_answer_by, send_notice
from store.proceedings.response import record_chance_not_used, record_response
from store.rules.access import Deed
from store.rules.errors import AlreadyDone, NotNow

ACTION_ID = Do.SEND_NOTICE
WHOM, PROVISIONS, ANSWER_BY, ON, WORDS = "whom", "provisions", "answer_by", "on", "words"
EVERYBODY = "all"
_NOON = time(12)
read = read_submission


def _waiting(seen: Look) -> list[tuple[str, str]]:
    failed = {"refused", "bounced", "withdrawn"}
    return [
        (str(one.id), blocks.clip(f"{place}. {one.named.name}", 70))
        for place, one in enumerate(seen.case.respondents, start=1)
        if not seen.case.served("notice", one.id)
        and not any(letter.state.value not in failed for letter in seen.case.letters_to("notice", one.id))
    ]


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the notice: to whom, which provisions, until when to answer."""
    seen = desk.look(actor, click.target.number, Deed.SERVE_NOTICE)
    waiting = _waiting(seen)
    if not waiting:
        raise AlreadyDone("Every respondent has the notice, or it is on its way.", clause="A-forward")
    whom = waiting if len(waiting) == 1 else [(EVERYBODY, f"All {len(waiting)} who wait for it"), *waiting]
    provisions = [(one.id, blocks.clip(one.title, 70)) for one in seen.profile.provisions]
    earliest = earliest_answer_by(seen)
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* A copy of the complaint goes with it; silence is no admission."
        ),
        *warning_before_sending(
            one
            for one in papers_for(desk.docket, seen)
            if one.kind == COMPLAINT or one.id in seen.case.cured_by
        ),
        blocks.select(WHOM, "To whom?", whom, initial=whom[0][0]),
        blocks.several(PROVISIONS, "Applicable provisions", provisions, optional=False),
        blocks.date_input(
            ANSWER_BY, "Last day to answer", initial=earliest.isoformat(), hint=f"Not before {earliest}."
        ),
    ]
    return form(ACTION_ID, "Send notices", "Send", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Write the notices; each is an act of its own, and one that went before stops none."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.SERVE_NOTICE)
    chosen = submission.chosen(WHOM)
    everybody = [int(one) for one, _name in _waiting(seen)]
    wanted = everybody if chosen == EVERYBODY else [submission.id(WHOM)]
    letters: list[int] = []
    for one in wanted:
        letters += send_notice(
            desk.docket,
            actor,
            number,
            one,
            provisions=submission.several(PROVISIONS),
            answer_by=submission.day(ANSWER_BY),
        )
    return words.letters_wait(len(letters), number)


def view_unused(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record that no answer came."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_RESPONSE)
    waiting = [
        (str(one.id), blocks.clip(f"{place}. {one.named.name}", 70))
        for place, one in enumerate(seen.case.respondents, start=1)
        if seen.case.served("notice", one.id) and not seen.case.chance_over(one.id)
    ]
    if not waiting:
        raise NotNow(
            "No respondent waits to answer.", clause="B-respond", mend="See what happens next in the case."
        )
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* The chance was given and not used. Silence is no admission."
        ),
        blocks.select(WHOM, "Which respondent?", waiting, initial=waiting[0][0]),
        blocks.date_input(ON, "On which day?", initial=seen.today.isoformat()),
        blocks.text_input(WORDS, "Remarks", lines=True, optional=True, limit=1000),
    ]
    return form(Do.CHANCE_NOT_USED, "No answer came", "Record", click=click, of=made)


def handle_unused(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_RESPONSE)
    record_chance_not_used(
        desk.docket,
        actor,
        number,
        submission.id(WHOM),
        on=submission.day(ON) or seen.today,
        words=submission.text(WORDS),
    )
    return f"Recorded in case {number}: the chance to answer was given and not used."


def view_answer(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of an answer that came on paper, in person, or in a meeting."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_RESPONSE)
    respondents = [
        (str(one.id), blocks.clip(f"{place}. {one.named.name}", 70))
        for place, one in enumerate(seen.case.respondents, start=1)
    ]
    if not respondents:
        raise NotNow("No respondent is named.", clause="A-forward", mend="Name the respondent first.")
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* Answers by mail are filed by themselves; this is for others."
        ),
        blocks.select(WHOM, "Whose answer?", respondents, initial=respondents[0][0]),
        blocks.date_input(ON, "Received on", initial=seen.today.isoformat()),
        blocks.text_input(WORDS, "What it is and how it came", lines=True, limit=2000),
    ]
    return form(Do.RECORD_RESPONSE, "An answer came", "Record", click=click, of=made)


def handle_answer(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the answer: of today at this instant, of another day at its noon."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_RESPONSE)
    on = submission.day(ON) or seen.today
    noon = datetime.combine(on, _NOON, tzinfo=seen.profile.city.time_zone)
    record_response(
        desk.docket,
        actor,
        number,
        submission.id(WHOM),
        received_at=seen.now if on == seen.today else noon,
        words=submission.text(WORDS),
    )
    return f"Recorded in case {number}: an answer came."


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    opens(app, desk, ACTION_ID, "Send notices", view)
    submits_slowly(app, desk, ACTION_ID, handle)
    asks(app, desk, Do.CHANCE_NOT_USED, "No answer came", view=view_unused, handle=handle_unused)
    asks(app, desk, Do.RECORD_RESPONSE, "An answer came", view=view_answer, handle=handle_answer)

"""Hearing before the Board (E)(1)(b): set with notice to each party, held or adjourned, its result sent."""

from slack_bolt import App

from bot import blocks, words
from bot.actions.choices import TRACK, papers_that_came, track_choice
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form, later, opens, submits_slowly
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor, Look
from store.proceedings.hearing import (
    Setting,
    Sitting,
    open_hearing,
    record_result,
    record_sitting,
    send_result,
)
from store.rules.access import Deed
from store.rules.casefile import OF_THE_BOARD
from store.rules.errors import NotNow
from store.rules.facts import HearingOpened
from store.rules.stages import result_is_out

ACTION_ID = Do.OPEN_HEARING
PLACE, ISSUE, PAPERS, PAPERS_BY, VIDEO, REASON = "place", "issue", "papers", "papers_by", "video", "reason"
ON, RESULT = "on", "result"
APPEARED, ENDED, HOW, AGAIN, SHARED = "appeared", "ended", "how", "again_", "shared"
_CLOSED, _ADJOURNED = "closed", "adjourned"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the setting of a hearing."""
    seen = desk.look(actor, click.target.number, Deed.OPEN_HEARING)
    tracks = [
        one.id
        for one in seen.case.respondents
        if (found := seen.case.standing_disposition(one.id)) and found.fact.hearing
    ]
    papers = papers_that_came(desk, seen)
    made = [
        track_choice(seen, tracks, "No hearing was decided.", "E1b-hearing"),
        *moment_inputs(seen, "To be held", now=False),
        blocks.text_input(PLACE, "Place", lines=True, limit=500),
        blocks.text_input(ISSUE, "What it is to determine", lines=True),
        blocks.date_input(PAPERS_BY, "Papers by", optional=True),
        blocks.text_input(VIDEO, "By video", optional=True, limit=300),
        blocks.text_input(REASON, "Why it is set anew", optional=True, limit=500),
    ]
    if papers:
        made += [blocks.several(PAPERS, "Handed over with the notice", papers), _shared()]
    return form(ACTION_ID, "The hearing", "Set", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Set it and write the notices."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.OPEN_HEARING)
    setting = Setting(
        read_moment(seen, submission),
        submission.text(PLACE),
        submission.text(ISSUE),
        submission.ids(PAPERS),
        submission.day(PAPERS_BY),
        submission.text(VIDEO),
        submission.text(REASON),
        submission.text(SHARED),
    )
    letters = open_hearing(desk.docket, actor, number, submission.id(TRACK), setting)
    return words.letters_wait(len(letters), number)


def _shared() -> Json:
    """Ask why what one respondent brought is handed over in the hearing of another."""
    return blocks.text_input(
        SHARED, "Why another respondent's paper is handed over", optional=True, limit=500
    )


def _waiting(seen: Look) -> list[int]:
    """Give the respondents whose hearing was set and waits for its result."""
    return [
        one.id
        for one in seen.case.respondents
        if seen.case.hearing(one.id) and seen.case.decided(one.id, OF_THE_BOARD) is None
    ]


def view_sat(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of a sitting: who came, what was handed over, whether it goes on another day."""
    seen = desk.look(actor, click.target.number, Deed.OPEN_HEARING)
    parties = [
        (str(one.id), blocks.clip(f"{words.PARTY_ROLES[one.role]}: {one.named.name}", 70))
        for one in seen.case.parties
        if not one.left
    ]
    papers = papers_that_came(desk, seen)
    made = [
        track_choice(seen, _waiting(seen), "No hearing waits to be held.", "E1b-hearing"),
        *moment_inputs(seen, "It began"),
        blocks.several(APPEARED, "Who came?", parties),
        *([blocks.several(PAPERS, "Handed over in it", papers), _shared()] if papers else []),
        blocks.radio(
            ENDED,
            "How did it end?",
            [(_CLOSED, "It was closed"), (_ADJOURNED, "It was adjourned")],
            initial=_CLOSED,
        ),
        blocks.text_input(HOW, "How it went, or why it was adjourned", lines=True, optional=True),
        *moment_inputs(seen, "Adjourned: it goes on", now=False, prefix=AGAIN, optional=True),
        blocks.small("With a day to go on, each party and counsel gets a new notice for the same place."),
    ]
    return form(Do.HEARING_SAT, "Hearing held", "Record", click=click, of=made)


def handle_sat(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it, and set the day on which it goes on."""
    number, track = submission.target.number, submission.id(TRACK)
    seen = desk.look(actor, number, Deed.OPEN_HEARING)
    opened = seen.case.hearing(track)
    if opened is None:
        raise NotNow(
            "No hearing was opened for this respondent.", clause="E1b-hearing", mend="Set the hearing first."
        )
    sitting = Sitting(
        read_moment(seen, submission),
        list(submission.ids(APPEARED)),
        list(submission.ids(PAPERS)),
        adjourned=submission.among(ENDED, {_CLOSED, _ADJOURNED}) == _ADJOURNED,
        words=submission.text(HOW),
        shared=submission.text(SHARED),
    )
    to = _anew(seen, opened.fact, submission) if submission.day(AGAIN + ON) else None
    letters = record_sitting(desk.docket, actor, number, track, sitting, to=to)
    said = f"Recorded in case {number}: the hearing was {'adjourned' if sitting.adjourned else 'held'}."
    return f"{said} {words.letters_wait(len(letters), number)}" if letters else said


def _anew(seen: Look, opened: HearingOpened, submission: Submission) -> Setting:
    """Give the same hearing set for the day on which it goes on."""
    at = read_moment(seen, submission, prefix=AGAIN)
    return Setting(at, opened.place, opened.issue, reason=f"adjourned: {submission.text(HOW)}")


def handle_sending(desk: Desk, actor: Actor, click: Click) -> str:
    """Send the result of each hearing to whoever waits for it."""
    number = click.target.number
    seen = desk.look(actor, number, Deed.SEND_HEARING_RESULT)
    decided = [one.id for one in seen.case.respondents if seen.case.decided(one.id, OF_THE_BOARD)]
    waiting = [track for track in decided if not result_is_out(seen.case, track)]
    if not waiting:
        raise NotNow(
            "No result of a hearing waits to be sent.",
            clause="E1b-hearing",
            mend="Record the result first, if it is not.",
        )
    letters = [one for track in waiting for one in send_result(desk.docket, actor, number, track)]
    return words.letters_wait(len(letters), number)


def view_result(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the result of the Board's hearing."""
    seen = desk.look(actor, click.target.number, Deed.OPEN_HEARING)
    waiting = _waiting(seen)
    made = [
        track_choice(seen, waiting, "No hearing waits for a result.", "E1b-hearing"),
        blocks.date_input(ON, "Decided on", initial=seen.today.isoformat()),
        blocks.text_input(RESULT, "What the Board decided", lines=True),
    ]
    return form(Do.HEARING_RESULT, "Result of the hearing", "Record", click=click, of=made)


def handle_result(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.OPEN_HEARING)
    record_result(
        desk.docket,
        actor,
        number,
        submission.id(TRACK),
        on=submission.day(ON) or seen.today,
        result=submission.text(RESULT),
    )
    return (
        f"Recorded in case {number}: the result of the hearing. Send it to each party with Send the result."
    )


def attach(app: App, desk: Desk) -> None:
    """Attach the forms and the button."""
    opens(app, desk, ACTION_ID, "The hearing", view)
    submits_slowly(app, desk, ACTION_ID, handle)
    opens(app, desk, Do.HEARING_SAT, "Hearing held", view_sat)
    submits_slowly(app, desk, Do.HEARING_SAT, handle_sat)
    later(app, desk, Do.SEND_RESULT, handle_sending)
    asks(app, desk, Do.HEARING_RESULT, "Result of the hearing", view=view_result, handle=handle_result)

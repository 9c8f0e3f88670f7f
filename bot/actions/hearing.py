"""Hearing before the Board: set with notice to each party, and its result (E)(1)(b)."""

from slack_bolt import App

from bot import blocks, words
from bot.actions.choices import TRACK, papers_that_came, track_choice
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, opens, submits, submits_slowly
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.hearing import Setting, open_hearing, record_result
from store.rules.access import Deed
from store.rules.casefile import OF_THE_BOARD

ACTION_ID = Do.OPEN_HEARING
PLACE, ISSUE, PAPERS, PAPERS_BY, VIDEO, REASON = "place", "issue", "papers", "papers_by", "video", "reason"
ON, RESULT = "on", "result"
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
        made.append(blocks.several(PAPERS, "Handed over with the notice", papers))
    return blocks.modal("The hearing", made, callback=ACTION_ID, submit="Set", metadata=click.target.text())


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Set it and write the notices."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.OPEN_HEARING)
    setting = Setting(
        read_moment(seen, submission),
        submission.text(PLACE),
        submission.text(ISSUE),
        [int(one) for one in submission.several(PAPERS)],
        submission.day(PAPERS_BY),
        submission.text(VIDEO),
        submission.text(REASON),
    )
    letters = open_hearing(desk.docket, actor, number, int(submission.chosen(TRACK)), setting)
    return words.letters_wait(len(letters), number)


def view_result(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the result of the Board's hearing."""
    seen = desk.look(actor, click.target.number, Deed.OPEN_HEARING)
    waiting = [
        one.id
        for one in seen.case.respondents
        if seen.case.hearing(one.id) and seen.case.decided(one.id, OF_THE_BOARD) is None
    ]
    made = [
        track_choice(seen, waiting, "No hearing waits for a result.", "E1b-hearing"),
        blocks.date_input(ON, "Decided on", initial=seen.today.isoformat()),
        blocks.text_input(RESULT, "What the Board decided", lines=True),
    ]
    return blocks.modal(
        "Result of the hearing",
        made,
        callback=Do.HEARING_RESULT,
        submit="Record",
        metadata=click.target.text(),
    )


def handle_result(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.OPEN_HEARING)
    record_result(
        desk.docket,
        actor,
        number,
        int(submission.chosen(TRACK)),
        on=submission.day(ON) or seen.today,
        result=submission.text(RESULT),
    )
    return f"Recorded in case {number}: the result of the hearing."


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    opens(app, desk, ACTION_ID, "The hearing", view)
    submits_slowly(app, desk, ACTION_ID, handle)
    opens(app, desk, Do.HEARING_RESULT, "Result of the hearing", view_result)
    submits(app, desk, Do.HEARING_RESULT, handle_result)

"""Demand for a public hearing: recorded whenever it comes, and the Commission's result (E)(2)."""

from slack_bolt import App

from bot import blocks
from bot.actions.choices import TRACK, papers_that_came, track_choice
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.demand import record_commission_result, record_demand
from store.rules.access import Deed
from store.rules.casefile import OF_THE_COMMISSION

ACTION_ID = Do.RECORD_DEMAND
WORDS, PAPERS, ON, RESULT = "words", "papers", "on", "result"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of a demand; papers that came by mail can be chosen as the demand."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_DEMAND)
    tracks = [
        one.id
        for one in seen.case.respondents
        if (found := seen.case.standing_disposition(one.id)) and found.fact.reprimand
    ]
    papers = papers_that_came(desk, seen)
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* A late demand is recorded as well, and marked for the Commission."
        ),
        track_choice(seen, tracks, "No reprimand was decided.", "E2-demand"),
        *moment_inputs(seen, "Received"),
        blocks.text_input(WORDS, "What it says and how it came", lines=True, optional=True),
    ]
    if papers:
        made.append(blocks.several(PAPERS, "Papers that are the demand", papers))
    return form(ACTION_ID, "A demand", "Record", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it and pass it on."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_DEMAND)
    found = record_demand(
        desk.docket,
        actor,
        number,
        submission.id(TRACK),
        received_at=read_moment(seen, submission),
        words=submission.text(WORDS),
        documents=submission.ids(PAPERS),
    )
    return f"Recorded: {found.timeliness.value}. It goes to the City Commission with a letter."


def view_result(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the result of the Commission's hearing."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_DEMAND)
    waiting = [
        one.id
        for one in seen.case.respondents
        if seen.case.demand(one.id) and seen.case.decided(one.id, OF_THE_COMMISSION) is None
    ]
    made = [
        track_choice(seen, waiting, "No demand waits for a result.", "E2-demand"),
        blocks.date_input(ON, "Decided on", initial=seen.today.isoformat()),
        blocks.text_input(RESULT, "What the Commission decided", lines=True),
    ]
    return form(Do.COMMISSION_RESULT, "Commission's hearing", "Record", click=click, of=made)


def handle_result(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_DEMAND)
    record_commission_result(
        desk.docket,
        actor,
        number,
        submission.id(TRACK),
        on=submission.day(ON) or seen.today,
        result=submission.text(RESULT),
    )
    return f"Recorded in case {number}: the result of the Commission's hearing."


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    asks(app, desk, ACTION_ID, "A demand", view=view, handle=handle)
    asks(app, desk, Do.COMMISSION_RESULT, "Commission's hearing", view=view_result, handle=handle_result)

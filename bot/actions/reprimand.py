"""Reprimand: issued to the Commission and the officer, and when each received it (E)."""

from slack_bolt import App

from bot import blocks, words
from bot.actions.choices import TRACK, track_choice
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form, opens, submits_slowly
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.reprimand import COPY, Receiver, issue_reprimand, record_reprimand_receipt
from store.rules.access import Deed

ACTION_ID = Do.ISSUE_REPRIMAND
TEXT, BY, EVIDENCE = "text", "by", "evidence"
_RECEIVERS = ((Receiver.OFFICER, "the officer"), (Receiver.COMMISSION, "the City Commission"))
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the reprimand: for whom, in which words."""
    seen = desk.look(actor, click.target.number, Deed.ISSUE_REPRIMAND)
    tracks = [
        one.id
        for one in seen.case.respondents
        if (found := seen.case.standing_disposition(one.id)) and found.fact.reprimand
    ]
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* It goes confidentially to the City Commission; a copy goes to the "
            "officer and to counsel."
        ),
        track_choice(seen, tracks, "No reprimand was decided.", "E1a-reprimand"),
        blocks.text_input(
            TEXT,
            "The Board's words",
            lines=True,
            optional=True,
            hint="Needed the first time; a further copy repeats them.",
        ),
    ]
    return form(ACTION_ID, "The reprimand", "Issue", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Write the letters."""
    number, track = submission.target.number, submission.id(TRACK)
    letters = issue_reprimand(desk.docket, actor, number, track, text=submission.text(TEXT))
    return words.letters_wait(len(letters), number)


def view_received(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of a receipt."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_REPRIMAND_RECEIPT)
    issued = [one.id for one in seen.case.respondents if seen.case.letters_to(COPY, one.id)]
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* That mail was sent is no receipt. The demand runs from the later one."
        ),
        track_choice(seen, issued, "No reprimand was issued.", "E1a-reprimand"),
        blocks.radio(BY, "Received by", _RECEIVERS),
        *moment_inputs(seen, "Received"),
        blocks.text_input(EVIDENCE, "How is it known?", lines=True, limit=1000),
    ]
    return form(Do.REPRIMAND_RECEIVED, "Receipt", "Record", click=click, of=made)


def handle_received(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it, and say until when a demand stays open."""
    number, track = submission.target.number, submission.id(TRACK)
    seen = desk.look(actor, number, Deed.RECORD_REPRIMAND_RECEIPT)
    record_reprimand_receipt(
        desk.docket,
        actor,
        number,
        track,
        by=submission.one_of(BY, Receiver),
        at=read_moment(seen, submission),
        evidence=submission.text(EVIDENCE),
    )
    after = desk.look(actor, number, Deed.RECORD_REPRIMAND_RECEIPT)
    return f"Recorded.{words.demand_open(after.steps, track)}"


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    opens(app, desk, ACTION_ID, "The reprimand", view)
    submits_slowly(app, desk, ACTION_ID, handle)
    asks(app, desk, Do.REPRIMAND_RECEIVED, "Receipt", view=view_received, handle=handle_received)

"""Closing the file, and holds that stop its disposal."""

from slack_bolt import App

from bot import blocks
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.closing import close_case, lift_hold, place_hold, still_open
from store.rules.access import Deed

ACTION_ID = Do.CLOSE_CASE
WORDS, REASON = "words", "reason"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the closing, with what is open still."""
    seen = desk.look(actor, click.target.number, Deed.CLOSE_CASE)
    waits = still_open(seen)
    if waits:
        open_now = "\n".join(f"• {blocks.escape(one)}" for one in waits)
        return blocks.modal("Close the file", [blocks.section(f"It cannot be closed yet. Open:\n{open_now}")])
    made = [
        blocks.section(f"*Case {seen.case.number}.* Nothing is open."),
        blocks.text_input(
            WORDS,
            "Why?",
            lines=True,
            optional=seen.case.final,
            limit=1000,
            hint="Needed where the Board determined on nobody.",
        ),
    ]
    return form(ACTION_ID, "Close the file", "Close", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Close it."""
    close_case(desk.docket, actor, submission.target.number, submission.text(WORDS))
    return f"Recorded: the file of case {submission.target.number} is closed."


def view_hold(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw a hold."""
    desk.look(actor, click.target.number, Deed.HOLD)
    made = [blocks.text_input(REASON, "Why?", lines=True, limit=1000)]
    return form(Do.PLACE_HOLD, "Place a hold", "Place", click=click, of=made)


def handle_hold(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Place it."""
    place_hold(desk.docket, actor, submission.target.number, reason=submission.text(REASON))
    return "Recorded: nothing of this file is disposed of while the hold stands."


def view_lifting(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the end of a hold."""
    desk.look(actor, click.target.number, Deed.HOLD)
    made = [blocks.text_input(REASON, "Why?", lines=True, limit=1000)]
    return form(Do.LIFT_HOLD, "Lift the hold", "Lift", click=click, of=made)


def handle_lifting(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Lift it."""
    lift_hold(desk.docket, actor, submission.target.number, reason=submission.text(REASON))
    return "Recorded: the hold is lifted."


def attach(app: App, desk: Desk) -> None:
    """Attach the forms."""
    asks(app, desk, ACTION_ID, "Close the file", view=view, handle=handle)
    asks(app, desk, Do.PLACE_HOLD, "Place a hold", view=view_hold, handle=handle_hold)
    asks(app, desk, Do.LIFT_HOLD, "Lift the hold", view=view_lifting, handle=handle_lifting)

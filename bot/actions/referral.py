"""Referral: the City Manager's one step, and the clerk's record of one made outside Docket (A)."""

from slack_bolt import App

from bot import blocks
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, does, form
from bot.payloads import Click, Submission
from store.cases import Actor
from store.proceedings.referral import refer
from store.rules.access import Deed

ACTION_ID = Do.REFER
EVIDENCE = "evidence"


def handle(desk: Desk, actor: Actor, click: Click) -> str:
    """Refer a complaint to the Board."""
    refer(desk.docket, actor, click.target.number)
    return f"Recorded: complaint {click.target.number} is referred to the Board of Ethics."


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Ask the clerk how the referral is known."""
    desk.look(actor, click.target.number, Deed.REFER)
    made = [
        blocks.section(f"*Case {click.target.number}.* A referral made outside Docket, with its evidence."),
        blocks.text_input(EVIDENCE, "How and when did the City Manager refer it?", lines=True),
    ]
    return form(Do.RECORD_REFERRAL, "Record the referral", "Record", click=click, of=made)


def record(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record a referral with its evidence."""
    number = submission.target.number
    refer(desk.docket, actor, number, evidence=submission.text(EVIDENCE))
    return f"Recorded: complaint {number} was referred."


def attach(app: App, desk: Desk) -> None:
    """Attach the City Manager's button and the clerk's form."""
    does(app, desk, ACTION_ID, handle)
    asks(app, desk, Do.RECORD_REFERRAL, "Record the referral", view=view, handle=record)

"""The flag of a complaint that may have been knowingly false, as the Board's ballot carried it (F)."""

from slack_bolt import App

from bot import blocks
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.false_complaint import flag_complaint
from store.rules.access import Deed

ACTION_ID = Do.FLAG_COMPLAINT
WORDS = "words"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the flag: the Board's words, and that they are no finding."""
    seen = desk.look(actor, click.target.number, Deed.FLAG_COMPLAINT)
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* Only what a ballot of the Board carried is recorded. It finds nothing: "
            "whether somebody knowingly filed a false complaint is for the prosecutor and a court. No letter goes "
            "out by it; chosen papers go by *Turn over evidence*."
        ),
        blocks.text_input(WORDS, "What is to be looked at?", lines=True, limit=2000),
    ]
    return form(ACTION_ID, "Flag the complaint", "Record", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    flag_complaint(desk.docket, actor, number, words=submission.text(WORDS))
    return f"Recorded in case {number}: the Board's flag under (F). What follows is *Turn over evidence*."


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    asks(app, desk, ACTION_ID, "Flag the complaint", view=view, handle=handle)

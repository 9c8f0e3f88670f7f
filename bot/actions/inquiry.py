"""The preliminary inquiry: that it was held or concluded, on which day (B)."""

from slack_bolt import App

from bot import blocks
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.inquiry import hold_inquiry
from store.proceedings.meeting import meeting_in_session
from store.rules.access import Deed

ACTION_ID = Do.HOLD_INQUIRY
ON, CONCLUDED = "on", "concluded"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of the inquiry."""
    seen = desk.look(actor, click.target.number, Deed.HOLD_INQUIRY)
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* The 30 days are met, on the safe reading, when it is concluded."
        ),
        blocks.date_input(ON, "On which day?", initial=seen.today.isoformat()),
        blocks.radio(
            CONCLUDED, "The preliminary inquiry was", [("no", "held, and goes on"), ("yes", "concluded")]
        ),
    ]
    return form(ACTION_ID, "Inquiry held", "Record", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it, with the meeting in session."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.HOLD_INQUIRY)
    meeting = meeting_in_session(desk.docket, actor)
    concluded = submission.is_yes(CONCLUDED)
    hold_inquiry(
        desk.docket,
        actor,
        number,
        on=submission.day(ON) or seen.today,
        concluded=concluded,
        meeting=meeting.id if meeting else None,
    )
    return f"Recorded: the inquiry in case {number} was {'concluded' if concluded else 'held'}."


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    asks(app, desk, ACTION_ID, "Inquiry held", view=view, handle=handle)

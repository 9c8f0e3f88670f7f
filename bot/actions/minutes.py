"""Minutes: written after the adjournment, the open part sent to whoever asked for it (B3)."""

from slack_bolt import App

from bot import blocks, words
from bot.actions.ids import Do
from bot.actions.meetings import motion_inputs, read_motion, voting_there
from bot.blocks import Json
from bot.desk import Desk, asks, form, later
from bot.payloads import Click, Submission, read_click
from store.cases import Actor
from store.proceedings.meeting import meeting_in_session
from store.proceedings.minutes import approve_minutes, to_approve, write_minutes
from store.rules.access import Deed
from store.rules.dates import local_date
from store.rules.errors import NotNow

ACTION_ID = Do.WRITE_MINUTES
MEETING, CHANGES = "meeting", "changes"
read = read_click


def handle(desk: Desk, actor: Actor, click: Click) -> str:
    """Write them; the open part goes to the person's direct messages, the annexes into the cases' files."""
    written = write_minutes(desk.docket, actor, click.target.about)
    direct = desk.client.conversations_open(users=click.user)["channel"]["id"]
    name = f"minutes-{click.target.about}.pdf"
    desk.client.files_upload_v2(channel=str(direct), content=written.open_part, filename=name, title=name)
    annexes = f" Sealed annex in {', '.join(written.annexes)}." if written.annexes else ""
    return f"{words.SENT_TO_YOU}{annexes}"


def view_approval(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the approval of an earlier meeting's minutes, in the meeting that is in session."""
    desk.check(actor, Deed.WRITE_MINUTES)
    zone = desk.profile().city.time_zone
    waiting = [
        (str(one.id), f"Meeting of {words.day(local_date(one.opened.at, zone))}")
        for one in to_approve(desk.docket, actor)
    ]
    meeting = meeting_in_session(desk.docket, actor)
    if meeting is None or not waiting:
        raise NotNow(
            "No minutes wait for approval in a meeting in session.",
            clause="KRS 61.835",
            mend="Write the minutes and open the next meeting first, if that is not done.",
        )
    there = voting_there(desk, meeting, "KRS 61.835")
    made = [
        blocks.select(MEETING, "Which minutes?", waiting, initial=waiting[-1][0]),
        *motion_inputs(there),
        blocks.text_input(CHANGES, "Changes", lines=True, optional=True, limit=2000),
    ]
    return form(Do.APPROVE_MINUTES, "Approve minutes", "Record", click=click, of=made)


def handle_approval(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    motion, changes = read_motion(submission), submission.text(CHANGES)
    approve_minutes(desk.docket, actor, submission.id(MEETING), motion, changes=changes)
    return "Recorded: the minutes are approved. Write them anew, and they bear the day of their approval."


def attach(app: App, desk: Desk) -> None:
    """Attach the button and the form."""
    later(app, desk, ACTION_ID, handle)
    asks(app, desk, Do.APPROVE_MINUTES, "Approve minutes", view=view_approval, handle=handle_approval)

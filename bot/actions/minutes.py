"""Minutes: written after the adjournment, the open part sent to whoever asked for it (B3)."""

from slack_bolt import App

from bot import words
from bot.actions.ids import Do
from bot.desk import Desk, later
from bot.payloads import Click, read_click
from store.cases import Actor
from store.proceedings.minutes import write_minutes

ACTION_ID = Do.WRITE_MINUTES
read = read_click


def handle(desk: Desk, actor: Actor, click: Click) -> str:
    """Write them; the open part goes to the person's direct messages, the annexes into the cases' files."""
    written = write_minutes(desk.docket, actor, click.target.about)
    direct = desk.client.conversations_open(users=click.user)["channel"]["id"]
    name = f"minutes-{click.target.about}.pdf"
    desk.client.files_upload_v2(channel=str(direct), content=written.open_part, filename=name, title=name)
    annexes = f" Sealed annex in {', '.join(written.annexes)}." if written.annexes else ""
    return f"{words.SENT_TO_YOU}{annexes}"


def attach(app: App, desk: Desk) -> None:
    """Attach the button."""
    later(app, desk, ACTION_ID, handle)

"""Recusal: one step, asked once; access ends with it."""

from slack_bolt import App

from bot.actions.ids import Do
from bot.desk import Desk, does
from bot.payloads import Click, read_click
from store.cases import Actor
from store.proceedings.recusal import recuse

ACTION_ID = Do.RECUSE
read = read_click


def handle(desk: Desk, actor: Actor, click: Click) -> str:
    """Record that the person steps back."""
    recuse(desk.docket, actor, click.target.number)
    return f"Recorded: you have stepped back from {click.target.number}. You see nothing of it any more."


def attach(app: App, desk: Desk) -> None:
    """Attach the button; Slack asks before it counts."""
    does(app, desk, ACTION_ID, handle, leaves=True)

"""Acknowledgement: one click writes to each complainant; the letters wait some minutes and can be taken back."""

from slack_bolt import App

from bot import words
from bot.actions.ids import Do
from bot.desk import Desk, does
from bot.payloads import Click, read_click
from store.cases import Actor
from store.proceedings.acknowledgement import acknowledge

ACTION_ID = Do.ACKNOWLEDGE
read = read_click


def handle(desk: Desk, actor: Actor, click: Click) -> str:
    """Write the acknowledgement to every complainant who has none."""
    letters = acknowledge(desk.docket, actor, click.target.number)
    return words.letters_wait(len(letters), click.target.number)


def attach(app: App, desk: Desk) -> None:
    """Attach the button."""
    does(app, desk, ACTION_ID, handle)

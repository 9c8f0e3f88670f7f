"""What the Board concluded goes to each party at once: the decision of termination, or the notification (D, E)."""

from slack_bolt import App

from bot import cards, words
from bot.actions.ids import Do
from bot.desk import Desk, later
from bot.payloads import Click, read_click
from store.cases import Actor
from store.proceedings.notification import send_notification
from store.proceedings.termination import send_decision
from store.rules.access import Deed
from store.rules.casefile import sufficient
from store.rules.errors import AlreadyDone

ACTION_ID = Do.SEND_DECISION
read = read_click


def handle(desk: Desk, actor: Actor, click: Click) -> str:
    """Write to everybody who is owed a decision; each respondent's is an act of its own."""
    number = click.target.number
    seen = desk.look(actor, number, Deed.SEND_DECISION)
    waiting = cards.to_be_told(seen.case)
    if not waiting:
        raise AlreadyDone("Each party has the decision, or it is on its way.", clause="D-terminate")
    letters: list[int] = []
    for party in waiting:
        determined = seen.case.standing_determination(party.id)
        assert determined is not None
        send = send_notification if sufficient(determined.fact) else send_decision
        letters += send(desk.docket, actor, number, party.id)
    return words.letters_wait(len(letters), number)


def attach(app: App, desk: Desk) -> None:
    """Attach the button."""
    later(app, desk, ACTION_ID, handle)

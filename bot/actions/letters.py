"""Letters of a case: where each stands, and the one click that takes back one that waits (L2)."""

from slack_bolt import App

from bot import blocks, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, does, opens, turns
from bot.payloads import Click, Target, read_click
from store.cases import Actor, Look
from store.proceedings.delivery import take_back
from store.proceedings.writing import ACTIVE_CONTENT
from store.rules.access import Deed
from store.rules.casefile import LetterState, LetterView
from store.rules.spoken import spoken

ACTION_ID = Do.TAKE_BACK
TAKE = Do.TAKE_BACK_NOW
_FAILED = frozenset({LetterState.REFUSED, LetterState.BOUNCED, LetterState.UNCERTAIN})
read = read_click


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """List the letters, the newest first; those that wait can be taken back."""
    seen = desk.look(actor, click.target.number, Deed.ACKNOWLEDGE)
    letters = sorted(seen.case.letters, key=lambda one: -one.id)
    if not letters:
        return blocks.modal("Letters", [blocks.section("No letter was written yet.")])
    lines = [_line(seen, one) for one in letters]
    made = [
        blocks.header(f"Letters of case {seen.case.number}"),
        *blocks.paged(lines, click.target, Do.TURN_LETTERS),
    ]
    return blocks.modal("Letters", made)


def _line(seen: Look, letter: LetterView) -> Json:
    party = seen.case.party(letter.queued.to_party)
    whom = blocks.name(party.named.name) if party else letter.to_whom
    written = words.instant(letter.queued_at, seen.profile.city.time_zone)
    text = f"{spoken(letter.queued.letter)} to {whom}\n{written}: {spoken(letter.state)}"
    if ACTIVE_CONTENT in letter.queued.flags:
        text += "\nA paper with active content goes with it, as it came."
    on_paper = party is not None and not party.named.emails
    # an answer to a sender who is no party has nobody on whom it could be served
    can_be_served = party is not None or letter.queued.to_role != "sender"
    if can_be_served and (letter.state in _FAILED or (on_paper and letter.state is LetterState.QUEUED)):
        serve = blocks.button(
            "Record a service", Do.RECORD_SERVICE, Target(seen.case.number, letter.id).text()
        )
        return blocks.said(f"{text}{' (on paper)' if on_paper else ''}", accessory=serve)
    if letter.state is not LetterState.QUEUED:
        return blocks.said(text)
    back = blocks.button("Take back", TAKE, Target(seen.case.number, letter.id).text())
    return blocks.said(text, accessory=back)


def handle(desk: Desk, actor: Actor, click: Click) -> str:
    """Take back a letter that waits."""
    taken = take_back(desk.docket, actor, click.target.number, click.target.about)
    if len(taken) == 1:
        return "Taken back: the letter does not go out."
    return f"Taken back: the letter and its copies to counsel, {len(taken)} in all, do not go out."


def attach(app: App, desk: Desk) -> None:
    """Attach the list and the button in it."""
    opens(app, desk, ACTION_ID, "Letters", view)
    turns(app, desk, Do.TURN_LETTERS, view)
    does(app, desk, TAKE, handle)

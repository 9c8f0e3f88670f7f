"""Service on paper: how, when, by whom, received on; a step is done by this record and by nothing less (L3)."""

from slack_bolt import App

from bot import blocks, words
from bot.actions.file import give
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form, later
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor, Look
from store.proceedings.packet import print_packet
from store.proceedings.service import record_office_service, record_service
from store.rules.access import Deed
from store.rules.casefile import LetterView
from store.rules.errors import BadInput
from store.rules.spoken import spoken

ACTION_ID = Do.RECORD_SERVICE
HOW, ON, BY, RECEIVED = "how", "on", "by", "received"
read = read_submission


def _letter(seen: Look, letter: int) -> LetterView:
    found = next((one for one in seen.case.letters if one.id == letter), None)
    if found is None:
        raise BadInput("There is no such letter in this case; nothing was changed.")
    return found


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of one service."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_SERVICE)
    letter = _letter(seen, click.target.about)
    party = seen.case.party(letter.queued.to_party)
    whom = blocks.name(party.named.name) if party else f"the {letter.to_whom}"
    made = [
        blocks.said(f"{spoken(letter.queued.letter)} to {whom}, served on paper"),
        *blocks.actions([blocks.button("Send me the packet to print", Do.PRINT_PACKET, click.target.text())]),
        blocks.text_input(HOW, "How?", limit=200, hint="Such as: in person, certified mail."),
        blocks.date_input(ON, "On which day?", initial=seen.today.isoformat()),
        blocks.text_input(BY, "By whom?", limit=200),
    ]
    if party is not None:
        made.append(blocks.date_input(RECEIVED, "Received on", optional=True, hint="Where it is known."))
    return form(ACTION_ID, "Record a service", "Record", click=click, of=made)


def print_it(desk: Desk, actor: Actor, click: Click) -> str:
    """Send the packet to the person's direct messages: as one PDF for the printer, and sheet by sheet as it is served."""
    number = click.target.number
    packet = print_packet(desk.docket, actor, number, click.target.about, where="slack")
    made, left_out = desk.one_print([one.content for one in packet.sheets]) if desk.one_print else (b"", ())
    if made:
        give(desk, actor, click, made, f"{number}-packet.pdf")
    for sheet in packet.sheets:
        listed = sheet.name in packet.listed
        give(desk, actor, click, sheet.content, sheet.name if listed else f"{number}-{sheet.name}")
    apart = ", ".join(packet.sheets[one].name for one in left_out)
    return f"{words.SENT_TO_YOU} To be printed by itself: {apart}." if made and apart else words.SENT_TO_YOU


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_SERVICE)
    letter = _letter(seen, submission.target.about)
    on, how, by = submission.day(ON) or seen.today, submission.text(HOW), submission.text(BY)
    if letter.queued.to_party is None:
        record_office_service(desk.docket, actor, number, letter.id, how=how, on=on, by=by)
        return f"Recorded in case {number}: the letter was brought to its office."
    record_service(
        desk.docket,
        actor,
        number,
        party=letter.queued.to_party,
        letter=letter.queued.letter,
        how=how,
        on=on,
        by=by,
        received_on=submission.day(RECEIVED),
        letter_fact=letter.id,
    )
    return f"Recorded in case {number}: the letter was served on paper."


def attach(app: App, desk: Desk) -> None:
    """Attach the form, and the packet that is served."""
    later(app, desk, Do.PRINT_PACKET, print_it)
    asks(app, desk, ACTION_ID, "Record a service", view=view, handle=handle)

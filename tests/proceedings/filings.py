"""Mail as the mailroom hands it over: spots, messages taken, and what was read of them."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from store import outbox
from store.cases import Docket
from store.outbox import Channel, Owed
from store.ports import Delivery, DeliveryState, Ping, PingKind
from store.proceedings import delivery
from store.proceedings.mail import Spot, Taken, take_mail
from store.proceedings.pages import set_letters
from store.proceedings.receipt import Filing, Paper, Sender, file_complaint
from store.rules.conflict import Passage, Where
from store.rules.facts import ReceiptEvidence
from tests.clocks import A_MONDAY_MORNING
from tests.proceedings.builders import Board

CONNIE = "connie@post.example"
PDF = b"%PDF-1.7 the complaint"
INTAKE = "board@bramwell-ky.example"


def a_spot(uid: int = 1, *, uidvalidity: int = 7, folder: str = "INBOX", **changes: Any) -> Spot:
    """A place in the mailbox."""
    spot = Spot("imap.example", "board", folder, uidvalidity, uid, 100, A_MONDAY_MORNING, -300)
    return replace(spot, **changes)


def taken(docket: Docket, raw: bytes = b"a mail", uid: int = 1, at: datetime = A_MONDAY_MORNING) -> int:
    """A message that was taken and not yet read; its item."""
    return take_mail(docket, a_spot(uid, size=len(raw), internaldate=at), raw).item


def a_filing(received_at: datetime = A_MONDAY_MORNING, **changes: Any) -> Filing:
    """A complaint by Connie with one PDF, that names nobody of the roster."""
    filing = Filing(
        "filed",
        received_at,
        evidence=ReceiptEvidence(internaldate=received_at, offset_minutes=-300),
        complainants=(Sender("Connie Complainant", CONNIE),),
        papers=(Paper(PDF, "complaint.pdf", "application/pdf"),),
        passages=(Passage(Where.PAGE_TEXT, "Rory Respondent took a gift."),),
        addresses=(CONNIE, INTAKE),
        own_addresses=(INTAKE,),
        ack_to=CONNIE,
        message_id="<m1@post.example>",
        sender=CONNIE,
    )
    return replace(filing, **changes)


def naming(*people: str, **changes: Any) -> Filing:
    """A complaint in which people of the roster are named."""
    return a_filing(
        passages=tuple(Passage(Where.PAGE_TEXT, f"I complain of {one}.") for one in people), **changes
    )


def filed(board: Board, filing: Filing | None = None, *, raw: bytes = b"a mail", uid: int = 1) -> str:
    """A case made of a message; its number."""
    wanted = filing or a_filing()
    return file_complaint(board.docket, taken(board.docket, raw, uid, wanted.received_at), wanted)


# -- what is owed -------------------------------------------------------------------------------------


def owed(docket: Docket, channel: Channel) -> list[Owed]:
    """Everything of a channel that waits, oldest first, with its content."""
    with docket.database.read() as session:
        rows = outbox.waiting(session, channel)
        found = [outbox.read(session, docket.keyring, one.id) for one in rows]
    return [one for one in found if one is not None]


def letters(docket: Docket, kind: str = "") -> list[outbox.Letter]:
    """The letters that wait, of one kind or all, each with its page set."""
    while set_letters(docket):
        pass
    every = owed(docket, Channel.MAIL)
    return [one.letter for one in every if one.letter is not None and kind in {"", one.kind}]


def pings(docket: Docket, kind: PingKind | None = None) -> list[Ping]:
    """The pings that wait, of one kind or all."""
    every = owed(docket, Channel.SLACK)
    return [one.ping for one in every if one.ping is not None and kind in {None, one.ping.kind}]


def end(docket: Docket, one: Owed, state: DeliveryState = DeliveryState.ACCEPTED, detail: str = "") -> None:
    """Settle what was claimed."""
    delivery.settle(docket, one, Delivery(state, detail))


def send_all(board: Board, state: DeliveryState = DeliveryState.ACCEPTED) -> list[Owed]:
    """Try every letter that is due; all end alike."""
    sent = []
    while found := delivery.claim(board.docket, Channel.MAIL):
        for one in found:
            end(board.docket, one, state)
            sent.append(one)
    return sent


def in_town(text: str) -> datetime:
    """An instant by the city's winter clock, UTC."""
    return datetime.fromisoformat(f"{text}-05:00").astimezone(UTC)


def item_count(docket: Docket, raw: bytes, *spots: Spot) -> list[Taken]:
    """Take one message at several places."""
    return [take_mail(docket, spot, raw) for spot in spots]

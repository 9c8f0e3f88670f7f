"""What the record needs from outside, as protocols; handed in as arguments, never looked up.

Implementations live at the edge (`bot`, `intake`) and, for tests, in `tests`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from store.letters.letter import Letter, Written
from store.letters.press import Pressed


class Clock(Protocol):
    """The one source of the present instant (decisions: the clock is a port)."""

    def now(self) -> datetime:
        """Give the present instant, aware, in UTC."""
        ...


class FaultPoints(Protocol):
    """Named places where a kill test may stop the process; empty in the product."""

    def reach(self, name: str) -> None:
        """Say that the named place was reached, for example ``mail.kept``."""
        ...


Progress = Callable[[str, int, int], None]
"""Hears how far long work is: which part of it, how much is done, and of how much (R9)."""


def untold(_what: str, _done: int, _total: int) -> None:
    """Tell nobody how far the work is."""


class NoFaults:
    """The product's fault points: nothing happens."""

    def reach(self, name: str) -> None:
        """Do nothing at the named place."""


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """One letter to one recipient, ready for the wire.

    Attributes:
        to: the recipient's address.
        envelope_from: the envelope sender, bearing the letter's token, so that a bounce finds it.
        raw: the whole message, CRLF line ends.
        envelope_id: what a delivery report may repeat (RFC 3461 ENVID); the letter's token.
    """

    to: str
    envelope_from: str
    raw: bytes = field(repr=False)
    envelope_id: str = ""


class DeliveryState(StrEnum):
    """How a try to deliver something ended."""

    ACCEPTED = "accepted"
    REFUSED_FOR_GOOD = "refused-for-good"
    TRY_LATER = "try-later"
    UNCERTAIN = "uncertain"


UNSURE = "unsure: "
"""Begins the detail of a try to show a ping whose end nobody knows; the next one says so."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """The end of one try.

    Attributes:
        state: how it ended.
        detail: the server's code and words, scrubbed of addresses; kept, not logged.
        retry_after_s: what the other side asked us to wait; None where it did not say.
        reference: what the other side calls the thing delivered, such as ``C012:1700.1``.
        reached: whether the other side answered at all; None where it was not asked, or that is not known.
    """

    state: DeliveryState
    detail: str = ""
    retry_after_s: float | None = None
    reference: str = ""
    reached: bool | None = None


class Postman(Protocol):
    """Sends letters. Never raises for what a server answers: the answer is the Delivery."""

    def send(self, mail: OutgoingMail) -> Delivery:
        """Try once to hand one letter to the mail server."""
        ...


class PingKind(StrEnum):
    """What is shown in Slack; the words are chosen where it is shown."""

    ALARM = "alarm"
    CASE_CARD = "case-card"
    CASE_CHANNEL = "case-channel"
    REMINDER_DIGEST = "reminder-digest"
    BALLOT_OPENED = "ballot-opened"
    BALLOT_CLOSED = "ballot-closed"
    RECUSED = "recused"
    HELD_MAIL = "held-mail"
    DETERMINED = "determined"
    TOLD = "told"


@dataclass(frozen=True, slots=True)
class Ping:
    """Something to be shown to one person, to a case's channel, or to the staff channel.

    It carries keys, not content: what the reader may see is looked up, and his right to it checked,
    when it is shown.

    Attributes:
        kind: what is shown.
        ping_id: the same for every try, so that a second showing can say that it is one.
        person: the roster person it is for; None for a channel.
        case: internal key of the case; None where it is about no case.
        about: further keys as text, such as ``ballot=17``; no names.
        text: words without content, for alarms and reminders; empty elsewhere.
        tries: how often it was tried before.
        again: it is not sure that an earlier try was not shown (decisions 26).
    """

    kind: PingKind
    ping_id: int
    person: int | None = None
    case: int | None = None
    about: tuple[tuple[str, str], ...] = ()
    text: str = ""
    tries: int = 0
    again: bool = False


class Notifier(Protocol):
    """Shows pings. Never raises for what Slack answers: the answer is the Delivery."""

    def show(self, ping: Ping) -> Delivery:
        """Try once to show one ping."""
        ...


class StampRefused(Exception):
    """A time-stamping authority did not stamp; the text says why, and nothing of the record."""


class StampingAuthority(Protocol):
    """Stamps a hash with the time (RFC 3161)."""

    def stamp(self, digest: bytes) -> bytes:
        """Give the token for a SHA-256, DER; raises StampRefused."""
        ...


class Typesetter(Protocol):
    """Sets letters: the city's templates and the fonts joined with the pure press."""

    def set(self, letter: Letter | Written, issued_at: datetime) -> Pressed:
        """Set one letter; a name never stops it."""
        ...

    def picture(self, svg: str) -> bytes:
        """Draw SVG as a PNG, on white."""
        ...

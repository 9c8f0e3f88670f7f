"""What every letter has: kind, letterhead, signatory, addressee, date, and how its values reach a template.

Values are already the city's: days are local `date`, instants are aware `datetime` in the city's zone. Nothing
here reads a clock, a file or a setting.
"""

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import ClassVar

from store.letters.characters import printable
from store.letters.wording import plain_day, plain_instant


class LetterKind(StrEnum):
    """Each letter and paper; the value is the name of its module and of its template."""

    AUTO_RECEIPT = "auto_receipt"
    CURE_NOTICE = "cure_notice"
    ACKNOWLEDGEMENT = "acknowledgement"
    NOTICE = "notice"
    DECISION_OF_TERMINATION = "decision_of_termination"
    NOTIFICATION = "notification"
    REPRIMAND = "reprimand"
    REPRIMAND_COPY = "reprimand_copy"
    HEARING_NOTICE = "hearing_notice"
    HEARING_RESULT = "hearing_result"
    DEMAND_COVER = "demand_cover"
    REFERRAL_COVER = "referral_cover"
    EVIDENCE_COVER = "evidence_cover"
    MINUTES = "minutes"
    MINUTES_ANNEX = "minutes_annex"
    ANNUAL_REPORT = "annual_report"
    CASE_INDEX = "case_index"
    PACKET_COVER = "packet_cover"
    ADDRESS_LABEL = "address_label"


@dataclass(frozen=True)
class Letterhead:
    """Who writes: the city and its Board, from the profile.

    `ordinance` is the short name by which letters cite it, such as ``Ord. 95-1``; `watermark` is printed
    across each page when not empty (test mode).
    """

    city: str
    board: str
    address: tuple[str, ...]
    phone: str = ""
    email: str = ""
    ordinance: str = "the city's ethics ordinance"
    watermark: str = ""


@dataclass(frozen=True)
class Signatory:
    """Who signs, with the office; `signs_by_hand` leaves room for a pen."""

    name: str
    title: str
    signs_by_hand: bool = False


@dataclass(frozen=True)
class Addressee:
    """To whom a letter goes: name, address lines, and the way it travels (``By e-mail``).

    `client` is the party whose counsel is written to; empty for everybody else. A label never shows it.
    """

    name: str
    lines: tuple[str, ...] = ()
    delivery: str = ""
    client: str = ""


@dataclass(frozen=True)
class DueDate:
    """A computed date with its clause, written as a person reads it (``clause (B)``).

    `provisional` says that the date needs a year whose closures nobody has adopted (decision 5).
    """

    on: date
    clause: str
    provisional: bool = False


@dataclass(frozen=True)
class Document:
    """A paper that is handed over: what it is, its SHA-256 in hex, and how many pages, if known."""

    title: str
    sha256: str = ""
    pages: int | None = None


@dataclass(frozen=True, kw_only=True)
class Letter(ABC):
    """A letter with its values. One subclass a kind; `required` are the values its template must show.

    Attributes:
        dated: the local day of the letter.
        case_number: empty where there is none (mail in the holding pen, a meeting, a year's report).
        enclosures: what lies in the envelope or is attached, one line each.
        copies_to: who else gets this letter, one line each.
        reference: the case number with its check code, to be quoted in an answer (decisions 28).
    """

    kind: ClassVar[LetterKind]
    clause: ClassVar[str]
    required: ClassVar[tuple[str, ...]]
    confidential: ClassVar[bool] = False
    signed_for_board: ClassVar[bool] = True

    letterhead: Letterhead
    signatory: Signatory
    addressee: Addressee
    dated: date
    case_number: str
    enclosures: tuple[str, ...] = ()
    copies_to: tuple[str, ...] = ()
    reference: str = ""

    @abstractmethod
    def subject(self) -> str:
        """Say the case number and what the letter is; never a name or an allegation (C1)."""

    def _numbered(self, what: str) -> str:
        """Put the case number before what the letter is."""
        return f"Case {self.case_number}: {what}" if self.case_number else what[:1].upper() + what[1:]


@dataclass(frozen=True)
class Values:
    """A letter's values as a template reads them, and whether characters had to be left out."""

    named: dict[str, object]
    characters_left_out: bool


@dataclass(frozen=True)
class Written:
    """A letter as it was written, with everything its page shows, and not yet set.

    Attributes:
        kind: which letter.
        values: what its template reads.
        issued_at: the instant of the act that wrote it, UTC.
    """

    kind: LetterKind
    values: Values
    issued_at: datetime

    @classmethod
    def of(cls, letter: Letter, issued_at: datetime) -> "Written":
        """Write a letter down."""
        return cls(letter.kind, values_of(letter), issued_at)

    def to_json(self) -> str:
        """Give the form in which it is kept until it is set."""
        kept = {
            "kind": self.kind.value,
            "values": self.values.named,
            "left_out": self.values.characters_left_out,
            "issued_at": self.issued_at.isoformat(),
        }
        return json.dumps(kept)

    @classmethod
    def from_json(cls, text: str) -> "Written":
        """Read what `to_json` gave."""
        kept = json.loads(text)
        values = Values(kept["values"], characters_left_out=kept["left_out"])
        return cls(LetterKind(kept["kind"]), values, datetime.fromisoformat(kept["issued_at"]))


def values_of(letter: Letter) -> Values:
    """Turn a letter into text, numbers, yes/no and lists: all that a template may see.

    Days and instants become plain English; text loses what no page can show.
    """
    left_out: list[bool] = []
    named = _fields_of(letter, left_out)
    subject = _shown(letter.subject(), left_out)
    footing = f"{subject} [{letter.reference}]" if letter.reference else subject
    named |= {"subject": subject, "footing": footing, "confidential": letter.confidential}
    named["reference"] = letter.reference or letter.case_number
    named["signed_for_board"] = letter.signed_for_board
    return Values(named, any(left_out))


def _fields_of(record: object, left_out: list[bool]) -> dict[str, object]:
    """Read a dataclass field by field."""
    assert is_dataclass(record)
    return {field.name: _shown(getattr(record, field.name), left_out) for field in fields(record)}


def _shown(value: object, left_out: list[bool]) -> object:
    """Give one value the form that a template reads; note in `left_out` what was lost."""
    match value:
        case str():
            text = printable(value)
            left_out.append(text.left_out)
            return text.says
        case datetime():
            return plain_instant(value)
        case date():
            return plain_day(value)
        case tuple():
            return [_shown(entry, left_out) for entry in value]
        case None | bool() | int() | float():
            return value
        case _:
            return _fields_of(value, left_out)

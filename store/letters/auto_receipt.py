"""Auto-receipt: the mail that goes back at once and proves that something came. It is not the Board's acknowledgement."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from store.letters.letter import DueDate, Letter, LetterKind


class Received(StrEnum):
    """What came. Only `COMPLAINT` and `ADDITION` say that there is a case."""

    COMPLAINT = "complaint"
    ADDITION = "addition"
    MESSAGE = "message"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    ARCHIVE = "archive"
    HOW_TO_FILE = "how_to_file"


@dataclass(frozen=True)
class ReceivedFile:
    """One file as it came, without its name: SHA-256 in hex and size in bytes."""

    sha256: str
    size_bytes: int


@dataclass(frozen=True, kw_only=True)
class AutoReceipt(Letter):
    """Proof of filing for the sender: number, date, time, files, and what happens next.

    Attributes:
        received_at: the mail server's instant of receipt, in the city's zone.
        received: what came; only `COMPLAINT` and `ADDITION` confirm that a case exists. `HOW_TO_FILE` is what
            staff answer to a message from which no complaint can be made.
        acknowledge_by: the day by which the Board's acknowledgement is owed (A); only for a complaint.
        files: each file that came with it.
        reply_to: the address for anything further.
        largest_mail_mb: the largest message that can be taken in.
        most_files: the most files that one message may bring.
        paper_address: where to file on paper, one line each.

    Source: clauses (A) and (F); product.md I8.
    """

    kind: ClassVar = LetterKind.AUTO_RECEIPT
    clause: ClassVar = "A-acknowledge"
    required: ClassVar = ("case_number", "received_at", "acknowledge_by", "files", "reply_to")

    received_at: datetime
    reply_to: str
    received: Received = Received.COMPLAINT
    acknowledge_by: DueDate | None = None
    files: tuple[ReceivedFile, ...] = ()
    largest_mail_mb: int | None = None
    most_files: int | None = None
    paper_address: tuple[str, ...] = ()

    def subject(self) -> str:
        """Say the case number and what came."""
        match self.received:
            case Received.COMPLAINT:
                return self._numbered("your complaint was received")
            case Received.ADDITION:
                return self._numbered("your message was received")
            case one:
                return _SUBJECTS[one]


_SUBJECTS = {
    Received.MESSAGE: "Your message was received",
    Received.TOO_LARGE: "Your message was too large: how to file",
    Received.TOO_MANY: "Your message had too many parts: how to file",
    Received.ARCHIVE: "Your message held an archive: how to file",
    Received.HOW_TO_FILE: "How to file a complaint",
}

"""Acknowledgement: the Board tells each complainant, by name, that it has the complaint."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from store.letters.letter import DueDate, Letter, LetterKind


@dataclass(frozen=True, kw_only=True)
class Acknowledgement(Letter):
    """The Board's acknowledgement of receipt.

    Attributes:
        received_at: when the complaint was received, in the city's zone.
        acknowledge_by: the last day for this letter (A).
        reply_to: where anything further is sent.
        inquiry_by: by when the preliminary inquiry is due (B); None until the complaint is proper.
        represented: this copy goes to the complainant's attorney.

    Source: clause (A).
    """

    kind: ClassVar = LetterKind.ACKNOWLEDGEMENT
    clause: ClassVar = "A-acknowledge"
    required: ClassVar = ("case_number", "received_at", "acknowledge_by", "inquiry_by", "reply_to")

    received_at: datetime
    acknowledge_by: DueDate
    reply_to: str
    inquiry_by: DueDate | None = None
    represented: bool = False

    def subject(self) -> str:
        """Say the case number and that this is the acknowledgement."""
        return self._numbered("acknowledgement of your complaint")

"""Sealed annex to the minutes: what was heard about the parties. It opens when counsel's setting says."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


@dataclass(frozen=True)
class SealedEntry:
    """What belongs under seal: the case number, a heading, and the text."""

    case_number: str
    heading: str
    text: str


@dataclass(frozen=True, kw_only=True)
class MinutesAnnex(Letter):
    """The sealed annex.

    Attributes:
        meeting: what meeting, as in the open part.
        began_at: when it began, in the city's zone.
        entries: the sealed text by case.
        opens: when the annex opens, as counsel has set it.

    Source: clause (C); decision 14.
    """

    kind: ClassVar = LetterKind.MINUTES_ANNEX
    clause: ClassVar = "C-confidential"
    required: ClassVar = ("meeting", "began_at", "entries", "opens")
    confidential: ClassVar = True

    meeting: str
    began_at: datetime
    entries: tuple[SealedEntry, ...]
    opens: str

    def subject(self) -> str:
        """Say that this is the sealed annex."""
        return "Minutes of the Board's meeting: sealed annex"

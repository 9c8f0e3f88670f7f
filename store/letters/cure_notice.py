"""Cure notice: what a complaint still lacks, and how to mend it."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


@dataclass(frozen=True)
class Lack:
    """One thing that is missing, and how to mend it; whole sentences."""

    what: str
    mend: str


@dataclass(frozen=True, kw_only=True)
class CureNotice(Letter):
    """What is missing from a complaint.

    Attributes:
        received_at: when the complaint was received, in the city's zone.
        lacks: at least one.
        reply_to: where the mended paper goes.
        answer_by: a day that the Board asks for; None for none. Nothing lapses by missing it.
        represented: this copy goes to counsel of record.

    Source: clauses (A) and (B).
    """

    kind: ClassVar = LetterKind.CURE_NOTICE
    clause: ClassVar = "A-form"
    required: ClassVar = ("case_number", "received_at", "lacks", "reply_to")

    received_at: datetime
    lacks: tuple[Lack, ...]
    reply_to: str
    answer_by: date | None = None
    represented: bool = False

    def subject(self) -> str:
        """Say the case number and that something is asked for."""
        return self._numbered("what your complaint still needs")

"""Demand cover: a demand for a public hearing goes on to the City Commission, whenever it came."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from store.letters.letter import Document, DueDate, Letter, LetterKind


@dataclass(frozen=True)
class ReceiptOfReprimand:
    """One receipt of the reprimand: whose (``the officer``), and its local day."""

    whose: str
    on: date


@dataclass(frozen=True, kw_only=True)
class DemandCover(Letter):
    """The cover under which a demand reaches the City Commission.

    Attributes:
        officer: who demands the hearing.
        demanded_at: when the demand was received, in the city's zone.
        receipts: the receipts of the reprimand from which the time can run, each with its day.
        open_until: the latest arguable last day; None where no receipt is on the record.
        standing: how the demand stands to that time, one sentence; the Commission judges it.
        words: the demand in words, where it came without a paper.
        documents: the papers of the demand, enclosed.

    Source: clause (E)(2); decision 2.
    """

    kind: ClassVar = LetterKind.DEMAND_COVER
    clause: ClassVar = "E2-demand"
    required: ClassVar = ("case_number", "officer", "demanded_at", "receipts", "standing", "documents")
    confidential: ClassVar = True

    officer: str
    demanded_at: datetime
    receipts: tuple[ReceiptOfReprimand, ...]
    open_until: DueDate | None
    standing: str
    words: str = ""
    documents: tuple[Document, ...] = ()

    def subject(self) -> str:
        """Say the case number and that it is confidential."""
        return self._numbered("confidential letter of the Board")

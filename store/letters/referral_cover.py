"""Referral cover: a complaint goes from the City Manager to the Board, or round him by policy."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from store.letters.letter import Document, DueDate, Letter, LetterKind


@dataclass(frozen=True, kw_only=True)
class ReferralCover(Letter):
    """The cover under which a complaint reaches the Board.

    Attributes:
        received_at: when the complaint was received, in the city's zone.
        referred_on: the local day of the referral.
        refer_by: by when it was due.
        by_policy: the complaint names the City Manager, so it goes to the Board without him.
        documents: what is handed over.

    Source: clause (A).
    """

    kind: ClassVar = LetterKind.REFERRAL_COVER
    clause: ClassVar = "A-refer"
    required: ClassVar = ("case_number", "received_at", "referred_on", "documents")
    signed_for_board: ClassVar = False

    received_at: datetime
    referred_on: date
    refer_by: DueDate
    documents: tuple[Document, ...]
    by_policy: bool = False

    def subject(self) -> str:
        """Say the case number and that this is the referral."""
        return self._numbered("referral of a complaint")

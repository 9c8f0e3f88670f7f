"""Notice: the respondent receives the complaint, the provisions, and the rights of clause (B)."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from store.letters.letter import DueDate, Letter, LetterKind


@dataclass(frozen=True)
class Provision:
    """A section of the code that may apply: its number where there is one, title, what it says in general."""

    section: str
    title: str
    statement: str


@dataclass(frozen=True, kw_only=True)
class Notice(Letter):
    """The notice to one respondent, or to the respondent's counsel.

    Attributes:
        office: the respondent's office or post; may be empty.
        received_at: when the complaint was received, in the city's zone.
        forward_by: the last day for this letter (A).
        provisions: the general statement of applicable provisions; at least one.
        answer_by: until when the respondent may answer, as set by the Board (B).
        answer_to: the address for the answer.
        answer_within: the Board's own period, such as ``10 days``, which runs from the service; empty where it has none.
        paper_address: where a paper answer goes, one line each.
        to_counsel: this copy goes to counsel of record.

    Source: clauses (A) and (B).
    """

    kind: ClassVar = LetterKind.NOTICE
    clause: ClassVar = "A-forward"
    required: ClassVar = ("case_number", "received_at", "provisions", "answer_by", "answer_to")

    received_at: datetime
    forward_by: DueDate
    provisions: tuple[Provision, ...]
    answer_by: DueDate
    answer_to: str
    answer_within: str = ""
    office: str = ""
    paper_address: tuple[str, ...] = ()
    to_counsel: bool = False

    def subject(self) -> str:
        """Say the case number and that this is a notice."""
        return self._numbered("notice of a complaint")

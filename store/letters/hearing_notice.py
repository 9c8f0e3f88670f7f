"""Hearing notice: day, time, place and rights for the hearing that the Board begins."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


@dataclass(frozen=True, kw_only=True)
class HearingNotice(Letter):
    """The notice of the Board's hearing, one letter for each party and counsel.

    Attributes:
        decided_on: the local day on which the Board voted for a hearing.
        hearing_at: when, in the city's zone.
        place: where, one line each.
        issue: what the hearing is to determine; paragraphs parted by an empty line.
        answer_to: the address for papers and questions.
        papers_by: until when papers and names of witnesses are asked for; None for no such day.
        video: how to attend by video; empty for not at all.
        officer: the officer or employee whom it concerns, with the office.

    Source: clause (E)(1)(b); rights as in clause (B).
    """

    kind: ClassVar = LetterKind.HEARING_NOTICE
    clause: ClassVar = "E1b-hearing"
    required: ClassVar = ("case_number", "decided_on", "hearing_at", "place", "issue", "answer_to")

    decided_on: date
    hearing_at: datetime
    place: tuple[str, ...]
    issue: str
    answer_to: str
    papers_by: date | None = None
    video: str = ""
    officer: str = ""

    def subject(self) -> str:
        """Say the case number and that this is a notice of hearing."""
        return self._numbered("notice of hearing")

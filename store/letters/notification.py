"""Notification: the officer learns that the Board found a sufficient basis."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


class Course(StrEnum):
    """What the Board does after it found a sufficient basis."""

    UNDECIDED = "undecided"
    REPRIMAND = "reprimand"
    HEARING = "hearing"
    BOTH = "both"
    NO_FURTHER_ACTION = "no_further_action"


@dataclass(frozen=True, kw_only=True)
class Notification(Letter):
    """The notification to one respondent, or to counsel.

    Attributes:
        decided_on: the local day of the vote.
        finding: the Board's words; paragraphs parted by an empty line.
        course: what follows, as far as decided.
        vote: the printed arithmetic.
        to_counsel: this copy goes to counsel of record.

    Source: clause (E)(1).
    """

    kind: ClassVar = LetterKind.NOTIFICATION
    clause: ClassVar = "E1-notify"
    required: ClassVar = ("case_number", "decided_on", "finding", "course")
    confidential: ClassVar = True

    decided_on: date
    finding: str
    course: Course = Course.UNDECIDED
    vote: str = ""
    to_counsel: bool = False

    def subject(self) -> str:
        """Say the case number and that the Board notifies."""
        return self._numbered("notification by the Board")

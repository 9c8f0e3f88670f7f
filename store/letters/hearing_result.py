"""Result of the hearing: what the Board decided after it, in writing, for each party."""

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from store.letters.decision_of_termination import Reader
from store.letters.letter import Letter, LetterKind


@dataclass(frozen=True, kw_only=True)
class HearingResult(Letter):
    """The result of the Board's hearing, one letter for each party and counsel.

    Attributes:
        reader: whose copy this is.
        held_on: the local days on which the Board sat.
        decided_on: the local day of the Board's decision.
        officers: the officer or employee whom it concerns.
        result: what the Board decided, in its own words; paragraphs parted by an empty line.
        answer_to: the address for questions.
        to_counsel: this copy goes to counsel of record.

    Source: clause (E)(1)(b); decisions 10 (no machine judges the result).
    """

    kind: ClassVar = LetterKind.HEARING_RESULT
    clause: ClassVar = "E1b-hearing"
    required: ClassVar = ("case_number", "held_on", "decided_on", "officers", "result", "answer_to")

    reader: Reader
    held_on: tuple[date, ...]
    decided_on: date
    officers: tuple[str, ...]
    result: str
    answer_to: str
    to_counsel: bool = False

    def subject(self) -> str:
        """Say the case number and that this is a hearing's result; what it is stays inside."""
        return self._numbered("result of the hearing")

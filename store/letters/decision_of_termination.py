"""Decision of termination: the Board ends the inquiry, in writing, and sends its decision to each party."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


class Ground(StrEnum):
    """Why the inquiry ends, in the words of clause (D)."""

    OUTSIDE_JURISDICTION = "outside_jurisdiction"
    FRIVOLOUS = "frivolous"
    WITHOUT_FACTUAL_BASIS = "without_factual_basis"


class Reader(StrEnum):
    """Who reads a decision: the side whose copy this is."""

    COMPLAINANT = "complainant"
    RESPONDENT = "respondent"


@dataclass(frozen=True, kw_only=True)
class DecisionOfTermination(Letter):
    """The written decision, one letter for each party.

    Attributes:
        reader: whose copy this is.
        decided_on: the local day of the vote.
        ground: why.
        conclusion: the Board's conclusion in writing; paragraphs parted by an empty line.
        officers: the officers or employees whom the decision concerns.
        vote: the printed arithmetic, such as ``4 yes, 0 no, 1 recused``.
        to_counsel: this copy goes to counsel of record.
        of_several: the complaint names others as well, about whom this decision says nothing.

    Source: clause (D).
    """

    kind: ClassVar = LetterKind.DECISION_OF_TERMINATION
    clause: ClassVar = "D-terminate"
    required: ClassVar = ("case_number", "decided_on", "ground", "conclusion", "officers")

    reader: Reader
    decided_on: date
    ground: Ground
    conclusion: str
    officers: tuple[str, ...]
    vote: str = ""
    to_counsel: bool = False
    of_several: bool = False

    def subject(self) -> str:
        """Say the case number and that this is a decision; how it ended stays inside."""
        return self._numbered("decision of the Board")

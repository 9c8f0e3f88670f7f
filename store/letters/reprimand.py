"""Reprimand: the confidential letter to the City Commission."""

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


@dataclass(frozen=True, kw_only=True)
class Reprimand(Letter):
    """The confidential reprimand, addressed to the City Commission.

    Attributes:
        officer: the officer or employee reprimanded.
        office: the post; may be empty.
        decided_on: the local day of the vote.
        circumstances: the mitigating circumstances of (E)(1)(a), one line each; at least one.
        reprimand: the Board's text; paragraphs parted by an empty line.
        vote: the printed arithmetic.

    Source: clauses (E)(1)(a) and (E)(2).
    """

    kind: ClassVar = LetterKind.REPRIMAND
    clause: ClassVar = "E1a-reprimand"
    required: ClassVar = ("case_number", "officer", "decided_on", "circumstances", "reprimand")
    confidential: ClassVar = True

    officer: str
    decided_on: date
    circumstances: tuple[str, ...]
    reprimand: str
    office: str = ""
    vote: str = ""

    def subject(self) -> str:
        """Say the case number and that it is confidential; not whom it concerns, nor what it is."""
        return self._numbered("confidential letter of the Board")

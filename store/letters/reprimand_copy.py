"""Copy of the reprimand, served on the officer, with the right to demand a public hearing."""

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from store.letters.letter import DueDate, Letter, LetterKind


@dataclass(frozen=True, kw_only=True)
class ReprimandCopy(Letter):
    """The officer's copy of the reprimand.

    Attributes:
        officer: the officer or employee reprimanded.
        office: the post; may be empty.
        decided_on: the local day of the vote.
        circumstances: the mitigating circumstances, one line each.
        reprimand: the Board's text, the same as in the letter to the Commission.
        supposed_receipt_on: the local day of receipt from which `keep_open_until` was worked out.
        keep_open_until: the latest arguable last day of the demand.
        demand_to: where the demand is filed, one line each.
        vote: the printed arithmetic.
        to_counsel: this copy goes to counsel of record.

    Source: clauses (E)(1)(a) and (E)(2); decision 2.
    """

    kind: ClassVar = LetterKind.REPRIMAND_COPY
    clause: ClassVar = "E2-demand"
    required: ClassVar = (
        "case_number",
        "decided_on",
        "reprimand",
        "circumstances",
        "keep_open_until",
        "supposed_receipt_on",
        "demand_to",
    )
    confidential: ClassVar = True

    officer: str
    decided_on: date
    circumstances: tuple[str, ...]
    reprimand: str
    supposed_receipt_on: date
    keep_open_until: DueDate
    demand_to: tuple[str, ...]
    office: str = ""
    vote: str = ""
    to_counsel: bool = False

    def subject(self) -> str:
        """Say the case number and that it is confidential."""
        return self._numbered("confidential letter of the Board")

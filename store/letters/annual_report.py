"""Annual report: counts, days to each step, share on time. No identities."""

from dataclasses import dataclass
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


@dataclass(frozen=True)
class Count:
    """How many of something there were in the year."""

    what: str
    number: int


@dataclass(frozen=True)
class StepTime:
    """How long one step took: how often it was done, median and longest days, and how many were on time."""

    step: str
    clause: str
    done: int
    median_days: float | None
    longest_days: int | None
    on_time: int

    def share(self) -> str:
        """Write the share on time, such as ``93%``; a dash where nothing was done."""
        return f"{self.on_time * 100 // self.done}%" if self.done else "-"


@dataclass(frozen=True, kw_only=True)
class AnnualReport(Letter):
    """The Board's report on a year.

    Attributes:
        year: the calendar year in the city's zone.
        counts: complaints by fate; at least one.
        steps: the duties, in the ordinance's order.
        remarks: the Board's own words; may be empty.

    Source: product.md C8; clause (C) keeps identities out.
    """

    kind: ClassVar = LetterKind.ANNUAL_REPORT
    clause: ClassVar = "C-confidential"
    required: ClassVar = ("year", "counts", "steps")

    year: str
    counts: tuple[Count, ...]
    steps: tuple[StepTime, ...]
    remarks: str = ""

    def subject(self) -> str:
        """Say the year."""
        return f"Annual report for {self.year}"

"""Annual report: counts, outcomes by clause, days to each step, share on time. No identities."""

from dataclasses import dataclass
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


@dataclass(frozen=True)
class Count:
    """How many of something there were in the year; None where the number is too small to be shown."""

    what: str
    number: int | None
    clause: str = ""


@dataclass(frozen=True)
class StepTime:
    """How long one step took: how often it was done, median and longest days, and how many were on time.

    `done` is None where too few were done to be shown, or where it would give another number away; `share` is how many
    of a hundred were on time, rounded down, and to whole tens where `done` is hidden for another number's sake.
    """

    step: str
    clause: str
    done: int | None
    median_days: float | None
    longest_days: int | None
    on_time: int | None
    share: int | None


@dataclass(frozen=True, kw_only=True)
class AnnualReport(Letter):
    """The Board's report on a year.

    Attributes:
        year: the calendar year in the city's zone.
        counts: complaints by fate; at least one.
        outcomes: conclusions by clause, one for each respondent; may be empty.
        steps: the duties, in the ordinance's order.
        smallest: numbers below it, but nought, are not shown.
        remarks: the Board's own words; may be empty.

    Source: product.md C8; clause (C) keeps identities out.
    """

    kind: ClassVar = LetterKind.ANNUAL_REPORT
    clause: ClassVar = "C-confidential"
    required: ClassVar = ("year", "counts", "steps", "smallest")

    year: str
    counts: tuple[Count, ...]
    steps: tuple[StepTime, ...]
    outcomes: tuple[Count, ...] = ()
    smallest: int = 0
    remarks: str = ""

    def subject(self) -> str:
        """Say the year."""
        return f"Annual report for {self.year}"

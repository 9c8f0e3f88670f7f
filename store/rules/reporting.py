"""A year in numbers: counts, outcomes by clause, days to each step, share on time; nobody can be told from it (C8).

Small numbers are not shown, and neither is what would give them away: in a table whose sum is known, a lone
hidden number is the difference of the others, so that a second one is hidden with it. And where a number of another
table is what some of the hidden ones add up to, it is hidden too: three determinations beside four complaints tell
that the fourth had none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import compress, product
from statistics import median
from typing import Final
from zoneinfo import ZoneInfo

from store.rules.casefile import CaseFile, sufficient
from store.rules.dates import local_date
from store.rules.duties import Step
from store.rules.facts import DemandRecorded, EvidenceTurnedOver, PartyRole, Withdrawn
from store.rules.ordinance import Profile

SMALLEST: Final = 3
"""The smallest number above nought that is shown; DECISIONS.md says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """A number of the report; None where it is hidden."""

    what: str
    clause: str
    number: int | None


@dataclass(frozen=True, slots=True)
class StepRow:
    """How long a duty took in the year; every number is None where too few were done.

    Attributes:
        what: the duty.
        clause: its citation.
        done: how often it was done.
        median_days: calendar days from the start of its period, in the middle.
        longest_days: the same, at most.
        on_time: how many by the lawful last day.
        share: how many of a hundred by then, rounded down; to whole tens where `done` is hidden for another
            table's sake.
    """

    what: str
    clause: str
    done: int | None
    median_days: float | None
    longest_days: int | None
    on_time: int | None
    share: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The report on the complaints received in a year.

    Attributes:
        year: the calendar year in the city's zone.
        received: complaints received; None where it is hidden.
        fates: what became of each; they add up to `received`.
        respondents: tracks of respondents named; None where it is hidden.
        outcomes: what was concluded for each track, by clause; they add up to `respondents`.
        after: what followed a sufficient basis, and what left the file; no sum of anything.
        steps: the duties in the ordinance's order.
        smallest: the smallest number that is shown.
    """

    year: int
    received: int | None
    fates: tuple[Row, ...]
    respondents: int | None
    outcomes: tuple[Row, ...]
    after: tuple[Row, ...]
    steps: tuple[StepRow, ...]
    smallest: int


def report(
    year: int, cases: Sequence[tuple[CaseFile, Sequence[Step]]], profile: Profile, *, smallest: int = SMALLEST
) -> Report:
    """Count a year.

    Args:
        year: the year of receipt, in the city's zone.
        cases: the cases received in it, each with its steps as of the day of the report; no test cases.
        profile: the ordinance in force, for clauses and duties.
        smallest: the smallest number that is shown; not below `SMALLEST`.
    """
    smallest = max(smallest, SMALLEST)
    files = [case for case, _steps in cases]
    fates = _count((_fate(case) for case in files), _FATES)
    tracks = [(case, one.id) for case in files for one in case.respondents]
    outcomes = _count((_outcome(case, track) for case, track in tracks), tuple(_OUTCOMES))
    tables = tuple(Table.of(tuple(one.values()), smallest) for one in (fates, outcomes))
    (shown_fates, received), (shown_outcomes, respondents) = ((one.shown, one.whole) for one in tables)
    zone = profile.city.time_zone
    every = [step for _case, steps in cases for step in steps]
    return Report(
        year,
        received,
        tuple(Row(what, "", number) for what, number in zip(fates, shown_fates, strict=True)),
        respondents,
        tuple(
            Row(what, _cited(profile, _OUTCOMES[what]), number)
            for what, number in zip(outcomes, shown_outcomes, strict=True)
        ),
        tuple(
            Row(what, _cited(profile, clause), _beside(number, tables, smallest))
            for what, clause, number in _after(files)
        ),
        tuple(
            _step_row(
                duty.what,
                profile.clause(duty.clause).citation,
                found,
                zone=zone,
                smallest=smallest,
                tables=tables,
            )
            for duty in profile.duties
            if (found := [step for step in every if step.duty.id == duty.id]) or duty.kind.value == "duty"
        ),
        smallest,
    )


# -- what became of it ------------------------------------------------------------------------------

_FATES = (
    "decided for every respondent",
    "closed without a determination",
    "merged into another complaint",
    "withdrawn, and still open",
    "never found proper, and still open",
    "still open",
)


def _fate(case: CaseFile) -> str:
    if case.merged is not None:
        return _FATES[2]
    if case.respondents and all(case.final_at(one.id) is not None for one in case.respondents):
        return _FATES[0]
    if case.closed:
        return _FATES[1]
    if case.last(Withdrawn) is not None:
        return _FATES[3]
    return _FATES[5] if case.proper or case.form is None else _FATES[4]


_OUTCOMES: Mapping[str, str] = {
    "outside the Board's jurisdiction": "D-terminate",
    "frivolous": "D-terminate",
    "without factual basis": "D-terminate",
    "sufficient basis: confidential reprimand": "E1a-reprimand",
    "sufficient basis: hearing": "E1b-hearing",
    "sufficient basis: reprimand and hearing": "E1-notify",
    "sufficient basis: no further action": "E1-notify",
    "sufficient basis: not decided yet": "E1-notify",
    "not determined yet": "D-determine",
}
_ALL = tuple(_OUTCOMES)


def _outcome(case: CaseFile, track: int) -> str:
    determined = case.standing_determination(track)
    if determined is None:
        return _ALL[8]
    fact = determined.fact
    if not sufficient(fact):
        return _ALL[0] if not fact.within_jurisdiction else _ALL[1] if fact.frivolous else _ALL[2]
    disposed = case.standing_disposition(track)
    if disposed is None:
        return _ALL[7]
    return _ALL[
        {(True, False): 3, (False, True): 4, (True, True): 5, (False, False): 6}[
            disposed.fact.reprimand, disposed.fact.hearing
        ]
    ]


def _after(files: Sequence[CaseFile]) -> list[tuple[str, str, int]]:
    tracks = [(case, one.id) for case in files for one in case.respondents]
    demands = sum(1 for case, track in tracks if case.last(DemandRecorded, about=track) is not None)
    evidence = sum(1 for case in files if case.last(EvidenceTurnedOver) is not None)
    recused = sum(1 for case in files if case.recused)
    joint = sum(1 for case in files if len(case.with_role(PartyRole.COMPLAINANT)) > 1)
    return [
        ("demands for a public hearing before the Commission", "E2-demand", demands),
        ("complaints with evidence turned over to a prosecutor", "C1-evidence", evidence),
        ("complaints with a recusal", "", recused),
        ("complaints by several complainants", "", joint),
    ]


def _count(found: Iterable[str], names: Sequence[str]) -> dict[str, int]:
    counted = dict.fromkeys(names, 0)
    for one in found:
        counted[one] += 1
    return counted


def _cited(profile: Profile, clause: str) -> str:
    return next((one.citation for one in profile.clauses if one.id == clause), "")


# -- steps ------------------------------------------------------------------------------------------


def _step_row(
    what: str, clause: str, found: Sequence[Step], *, zone: ZoneInfo, smallest: int, tables: Sequence["Table"]
) -> StepRow:
    done = [step for step in found if step.done_at is not None]
    if not done:
        return StepRow(what, clause, 0, None, None, 0)
    tells = max((one.told_by(len(done)) for one in tables), default=Tells.NOTHING)
    if len(done) < smallest or tells is Tells.BY_BEING_SHOWN:
        return StepRow(what, clause, None, None, None, None)
    days = [_days(step, zone) for step in done]
    on_time = sum(step.on_time is not False for step in done)
    share = on_time * 100 // len(done)
    times = float(median(days)), max(days)
    if tells is Tells.BY_ITS_NUMBER:
        return StepRow(what, clause, None, *times, None, share // 10 * 10)
    return StepRow(what, clause, len(done), *times, on_time, share)


def _days(step: Step, zone: ZoneInfo) -> int:
    assert step.done_at is not None
    began = min(local_date(clock.started_at, zone) for clock in step.clocks)
    return max((local_date(step.done_at, zone) - began).days, 0)


# -- hiding -----------------------------------------------------------------------------------------


class Tells(IntEnum):
    """How a number beside a table gives away what is hidden in it."""

    NOTHING = 0
    BY_ITS_NUMBER = 1
    BY_BEING_SHOWN = 2


MANY: Final = 20
"""From so many on, that a row is shown at all (three or more) says nothing about a hidden number."""


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers that add up, as they are and as they are shown."""

    numbers: tuple[int, ...]
    shown: tuple[int | None, ...]
    whole: int | None
    smallest: int

    @classmethod
    def of(cls, numbers: tuple[int, ...], smallest: int) -> "Table":
        """Hide what is small, and what would give it away."""
        shown, whole = hide(numbers, smallest)
        return cls(numbers, tuple(shown), whole, smallest)

    def told_by(self, number: int) -> Tells:
        """Say what somebody learns who takes a number from elsewhere for the sum of some numbers of this table."""
        places = [place for place, one in enumerate(self.numbers) if one]
        if not any(self.shown[place] is None for place in places):
            return Tells.NOTHING
        for chosen in product((False, True), repeat=len(places)):
            taken = frozenset(compress(places, chosen))
            if sum(self.numbers[place] for place in taken) == number and self._gives_away(taken):
                return (
                    Tells.BY_ITS_NUMBER
                    if self.whole is not None and self.whole >= MANY
                    else Tells.BY_BEING_SHOWN
                )
        return Tells.NOTHING

    def _gives_away(self, taken: frozenset[int]) -> bool:
        """Say whether the sum of some numbers fixes a small one among them, or among the others."""
        hidden = [place for place, one in enumerate(self.numbers) if one and self.shown[place] is None]
        within = [self.numbers[place] for place in hidden if place in taken]
        without = [self.numbers[place] for place in hidden if place not in taken]
        if not within or not without:
            return False
        return self._fixes(within) or (self.whole is not None and self._fixes(without))

    def _fixes(self, part: Sequence[int]) -> bool:
        return any(one < self.smallest for one in part) and not _ambiguous(part, self.smallest)


def _beside(number: int, tables: Sequence[Table], smallest: int) -> int | None:
    """Give a number that stands for itself; None where it is small, or gives away one that is."""
    small = 0 < number < smallest
    return None if small or any(one.told_by(number) is not Tells.NOTHING for one in tables) else number


def hide(numbers: Sequence[int], smallest: int) -> tuple[list[int | None], int | None]:
    """Hide the small numbers of a table and what would give them away.

    Whoever knows the sum knows what the hidden ones add up to. So at least two are hidden, and together they
    leave more than one way to be shared out; the smallest others are hidden until that is so, noughts last.
    Where nothing else is left, the sum is hidden too.

    Args:
        numbers: the table's numbers.
        smallest: the smallest number above nought that may be shown.

    Returns:
        The numbers, None where hidden, and their sum, None where hidden.
    """
    hidden = {place for place, number in enumerate(numbers) if 0 < number < smallest}
    if not hidden:
        return list(numbers), sum(numbers)
    others = [place for place in _by_size(numbers) if place not in hidden]
    while others and not _ambiguous([numbers[place] for place in hidden], smallest):
        hidden.add(others.pop(0))
    shown = [None if place in hidden else number for place, number in enumerate(numbers)]
    whole = sum(numbers)
    enough = _ambiguous([numbers[place] for place in hidden], smallest) and whole >= smallest
    return shown, whole if enough else None


def _by_size(numbers: Sequence[int]) -> list[int]:
    """Give places by their numbers, the smallest first and noughts at the end."""
    return sorted(range(len(numbers)), key=lambda place: (numbers[place] == 0, numbers[place], place))


def _ambiguous(hidden: Sequence[int], smallest: int) -> bool:
    """Say whether the sum of hidden numbers leaves each of them open."""
    return len(hidden) > 1 and sum(hidden) >= len(hidden) + smallest - 1

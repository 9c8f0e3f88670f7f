"""From a period to its dates, with every counted and skipped day and the reason.

The day of the act is not counted, the last day is; a last day on a Saturday, a Sunday or a legal holiday
runs on. Duties and rights are read in opposite directions: the Board is reminded of the earliest arguable
day (`act_by`), a person's right stays open until the latest (`keep_open_until`).

Source: KRS 446.030(1); law.md, Time; decisions.md 1-5.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final, assert_never
from zoneinfo import ZoneInfo

from store.rules.calendar import (
    FIRST_YEAR,
    LAST_YEAR,
    ONE_DAY,
    SATURDAY,
    WEEKDAY_NAMES,
    Calendar,
    Closure,
    Day,
    Nature,
    hour_in_words,
)
from store.rules.errors import BadInput

LONGEST_PERIOD: Final = 3650
SHORT_PERIOD_ENDS_AT: Final = 7
"""A period of fewer days than this leaves out weekends and legal holidays (KRS 446.030(1))."""


class Unit(StrEnum):
    """What a period is counted in."""

    WORKING_DAYS = "working_days"
    DAYS = "days"


class Act(StrEnum):
    """What has to be done in time: something the Board does, or a paper that is filed at an office."""

    BOARD_ACT = "board_act"
    FILING = "filing"


# --- instants and days -------------------------------------------------------------------------------


def local_date(instant: datetime, zone: ZoneInfo) -> date:
    """Give the day on which an instant falls in the city: the only place where an instant becomes a legal day.

    Raises:
        BadInput: the instant has no offset, or lies outside 1900 to 2999.

    Source: law.md, Time (a day is midnight to midnight in the city).
    """
    return _within_reach(instant).astimezone(zone).date()


def _within_reach(instant: datetime) -> datetime:
    """Refuse an instant without an offset, or too far away to reckon with."""
    if instant.utcoffset() is None:
        raise BadInput("The instant has no offset from UTC.", mend="Add one, such as -05:00, or Z.")
    if not FIRST_YEAR < instant.year < LAST_YEAR:
        raise BadInput(f"The instant lies outside the years {FIRST_YEAR + 1} to {LAST_YEAR - 1}.")
    return instant


def start_of_day(day: date, zone: ZoneInfo) -> datetime:
    """Give the first instant of a day in the city, in UTC; where clocks skip midnight, the first that exists."""
    return datetime.combine(day, time.min, tzinfo=zone).astimezone(UTC)


def parse_instant(text: str) -> datetime:
    """Read an instant written by ISO 8601 with an offset, such as ``2026-03-02T10:00:00-05:00``; give it in UTC.

    Raises:
        BadInput: it cannot be read, is a bare date, or has no offset: nothing is guessed, since an hour
            can move a legal date by a day.
    """
    try:
        instant = datetime.fromisoformat(text.strip().upper())
    except ValueError as error:
        mend = "Write it as 2026-03-02T10:00:00-05:00."
        raise BadInput(f"{text!r} is not an instant.", mend=mend) from error
    return _within_reach(instant).astimezone(UTC)


# --- readings of the law -----------------------------------------------------------------------------

HOLIDAYS: Final = frozenset({Nature.WEEKEND, Nature.LEGAL_HOLIDAY, Nature.PROCLAIMED_HOLIDAY})
ARGUABLE: Final = frozenset({Nature.ARGUABLE_HOLIDAY})
OFFICE_SHUT: Final = frozenset({Nature.CLOSURE, Nature.EARLY_CLOSING})
NOTHING: Final[frozenset[Nature]] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One way to read the law for a kind of period.

    Attributes:
        leaves_out: a day of any of these natures is not counted.
        never_last: the period runs on past a last day of any of these natures.
        left_out_because: why a day is left out, in words.
        counted_because: why a day of some nature is counted all the same, in words.
    """

    leaves_out: frozenset[Nature]
    never_last: frozenset[Nature]
    left_out_because: str = ""
    counted_because: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """The readings that are arguable for a kind of period.

    Attributes:
        lawful: gives `expected_last_day`.
        other: gives `alt_last_day`; None where nothing else is argued.
        latest: gives `keep_open_until`; None for an act of the Board.
    """

    lawful: Reading
    other: Reading | None
    latest: Reading | None


def _never_last(act: Act) -> frozenset[Nature]:
    """Give the days on which a period cannot end: a shut office matters only where a paper is filed there.

    Source: KRS 446.030(1); Wilkins, 276 S.W.3d 812; Weird v. Emberton, 306 S.W.3d 67.
    """
    match act:
        case Act.BOARD_ACT:
            return HOLIDAYS
        case Act.FILING:
            return HOLIDAYS | OFFICE_SHUT
        case _:
            assert_never(act)


def _of_working_days(act: Act) -> Readings:
    """Read working days: weekdays on which city hall opens, or weekdays that are no legal holiday.

    The latest reading leaves out what either leaves out, and the arguable holidays.

    Source: law.md, Time ("working day").
    """
    closed = frozenset({Nature.WEEKEND, Nature.CLOSURE})
    everything = HOLIDAYS | OFFICE_SHUT | ARGUABLE
    return Readings(
        lawful=Reading(
            closed, _never_last(act), "no working day", "city hall is open, so it is a working day"
        ),
        other=Reading(HOLIDAYS, _never_last(act)),
        latest=Reading(closed | HOLIDAYS | ARGUABLE, everything) if act is Act.FILING else None,
    )


def _of_days(act: Act, *, short: bool) -> Readings:
    """Read days: all of them, or in a period of less than seven those that are no weekend or legal holiday.

    Source: KRS 446.030(1).
    """
    generous = Reading(HOLIDAYS | ARGUABLE if short else NOTHING, HOLIDAYS | OFFICE_SHUT | ARGUABLE)
    if short:
        because = ("left out of a period of less than seven days", "a day that is no legal holiday counts")
    else:
        because = ("", "in a period of seven days or more every day counts")
    return Readings(
        lawful=Reading(HOLIDAYS if short else NOTHING, _never_last(act), *because),
        other=generous if act is Act.BOARD_ACT else None,
        latest=generous if act is Act.FILING else None,
    )


@lru_cache
def _readings(unit: Unit, act: Act, short: bool) -> Readings:  # noqa: FBT001  positional for the cache
    """Give the arguable readings for a kind of period."""
    match unit:
        case Unit.WORKING_DAYS:
            return _of_working_days(act)
        case Unit.DAYS:
            return _of_days(act, short=short)
        case _:
            assert_never(unit)


# --- counting ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Span:
    """Where a period ends under one reading.

    Attributes:
        counted_to: the day counted last, not run on.
        last_day: the last day, run on where the period cannot end on `counted_to`.
    """

    counted_to: date
    last_day: date


def _span(calendar: Calendar, start_on: date, period: int, reading: Reading) -> Span:
    """Count a period from the day after its start under one reading."""
    counted_to = _count(calendar, start_on, period, reading.leaves_out)
    last_day = counted_to
    while not calendar.day(last_day).natures.isdisjoint(reading.never_last):
        last_day += ONE_DAY
    return Span(counted_to, last_day)


def _count(calendar: Calendar, start_on: date, period: int, leaves_out: frozenset[Nature]) -> date:
    """Give the day counted last; with nothing to count it is the start itself."""
    if not leaves_out:
        return start_on + timedelta(days=period)
    day = start_on
    while period:
        day += ONE_DAY
        if calendar.day(day).natures.isdisjoint(leaves_out):
            period -= 1
    return day


def _safe_day(calendar: Calendar, start_on: date, earliest_end: date, last_day: date) -> date:
    """Move the earliest arguable end back to a day city hall is open, but not to before the receipt.

    Where no day from receipt to the earliest end is open, the next open day up to the last lawful day
    is taken, and where there is none, that last day itself.

    Source: decisions.md 1.
    """
    back = (earliest_end - timedelta(days=days) for days in range((earliest_end - start_on).days + 1))
    ahead = (earliest_end + timedelta(days=days) for days in range(1, (last_day - earliest_end).days + 1))
    for days in (back, ahead):
        for day in days:
            if calendar.is_open(day):
                return day
    return last_day


# --- the result --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExplainedDay:
    """One day of a period.

    Attributes:
        on: the day.
        weekday: its English name.
        counted: whether it is one of the period's days.
        kind: what the day is; the nature that decided, where several meet.
        reason: why it is counted, left out or run past, in words.
    """

    on: date
    weekday: str
    counted: bool
    kind: Nature
    reason: str


@dataclass(frozen=True, slots=True)
class Dates:
    """All dates of one period.

    Attributes:
        received_at: the instant of receipt, UTC.
        start_on: the day of receipt in the city, never counted.
        period: how many days.
        unit: of which kind.
        act: what has to be done in them.
        clause: the clause of the ordinance that sets the period, as it was given; may be empty.
        counted_to: the day counted last, before running on.
        expected_last_day: the last lawful day; "on time" and "overdue" follow it.
        alt_last_day: the last day under the other arguable reading; None when it is the same or none is argued.
        earliest_end: the earliest arguable end, not run on and not moved back.
        act_by: the safe day for the Board, at which reminders aim; None for a filing.
        act_by_closes_at: the hour of early closing on that day, in the city's zone; else None.
        keep_open_until: the latest arguable last day of a filing; None for an act of the Board.
        period_ends_before: the first instant after `expected_last_day`, UTC.
        provisional_years: years the dates need whose closures nobody has adopted yet.
        days: every day from the day after receipt to `expected_last_day`, in order.
        sources: the statutes and decisions applied.
        calendar_version: the version of the calendar that was used.
        zone: the city's zone.
    """

    received_at: datetime
    start_on: date
    period: int
    unit: Unit
    act: Act
    clause: str
    counted_to: date
    expected_last_day: date
    alt_last_day: date | None
    earliest_end: date
    act_by: date | None
    act_by_closes_at: time | None
    keep_open_until: date | None
    period_ends_before: datetime
    provisional_years: tuple[int, ...]
    days: tuple[ExplainedDay, ...]
    sources: tuple[str, ...]
    calendar_version: str
    zone: ZoneInfo

    @property
    def provisional(self) -> bool:
        """Whether some date needs a year whose closures nobody has adopted yet."""
        return bool(self.provisional_years)

    @property
    def act_by_in_words(self) -> str:
        """The safe day, with the hour where city hall closes early: ``2026-04-03 by noon``; empty for a filing."""
        if self.act_by is None:
            return ""
        hour = self.act_by_closes_at
        return f"{self.act_by}" if hour is None else f"{self.act_by} by {hour_in_words(hour)}"


def reckon(
    received_at: datetime,
    period: int,
    *,
    unit: Unit,
    act: Act,
    calendar: Calendar,
    extra_closures: Iterable[Closure] = (),
    clause: str = "",
) -> Dates:
    """Turn a receipt and a period into all its dates.

    Args:
        received_at: the instant of receipt, with any offset.
        period: 0 to 3650 days.
        unit: working days or days.
        act: an act of the Board, or a filing.
        calendar: the city's calendar, with its zone.
        extra_closures: closures beside those of the calendar; they adopt no year.
        clause: the clause that sets the period, handed through to the result.

    Raises:
        BadInput: the instant has no offset or lies out of reach, or the period is not 0 to 3650.

    Source: KRS 446.030(1); law.md, Time; decisions.md 1, 2 and 5.
    """
    _check_period(period)
    start_on = local_date(received_at, calendar.zone)
    extra = tuple(extra_closures)
    office = calendar.with_closures(extra) if extra else calendar
    readings = _readings(unit, act, period < SHORT_PERIOD_ENDS_AT)
    lawful = _span(office, start_on, period, readings.lawful)
    other = lawful if readings.other is None else _span(office, start_on, period, readings.other)
    latest = None if readings.latest is None else _span(office, start_on, period, readings.latest)
    earliest_end = min(lawful.counted_to, other.counted_to)
    act_by = _safe_day(office, start_on, earliest_end, lawful.last_day) if act is Act.BOARD_ACT else None
    depends_on = [
        start_on + ONE_DAY if unit is Unit.WORKING_DAYS and period else earliest_end,
        act_by or earliest_end,
        other.last_day,
        latest.last_day if latest else lawful.last_day,
        lawful.last_day,
    ]
    return Dates(
        received_at=received_at.astimezone(UTC),
        start_on=start_on,
        period=period,
        unit=unit,
        act=act,
        clause=clause,
        counted_to=lawful.counted_to,
        expected_last_day=lawful.last_day,
        alt_last_day=None if other.last_day == lawful.last_day else other.last_day,
        earliest_end=earliest_end,
        act_by=act_by,
        act_by_closes_at=office.closes_at(act_by) if act_by else None,
        keep_open_until=latest.last_day if latest else None,
        period_ends_before=start_of_day(lawful.last_day + ONE_DAY, calendar.zone),
        provisional_years=_not_adopted(office, min(depends_on), max(depends_on)),
        days=tuple(_explain(office, start_on, lawful, readings.lawful)),
        sources=_sources(unit, act),
        calendar_version=office.version,
        zone=calendar.zone,
    )


def _check_period(period: int) -> None:
    """Refuse a period that no ordinance sets."""
    if not 0 <= period <= LONGEST_PERIOD:
        raise BadInput(f"The period must be a whole number of days from 0 to {LONGEST_PERIOD}.")


def _not_adopted(calendar: Calendar, first: date, last: date) -> tuple[int, ...]:
    """Give the years, of those in which a weekday's opening could move the dates, that are not adopted."""
    while first.weekday() >= SATURDAY and first < last:
        first += ONE_DAY
    years = range(first.year, last.year + 1)
    return tuple(year for year in years if year not in calendar.adopted_years)


@lru_cache
def _sources(unit: Unit, act: Act) -> tuple[str, ...]:
    """Name the statutes and decisions that a kind of period rests on."""
    sources = [
        "KRS 446.030(1)",
        "KRS 2.110",
        "Wilkins, 276 S.W.3d 812 (Ky. 2009)",
        "KRS 18A.190 (arguable days)",
    ]
    if act is Act.FILING:
        sources.append("Weird v. Emberton, 306 S.W.3d 67 (Ky. 2010)")
    if unit is Unit.WORKING_DAYS:
        sources.append("working day: weekday on which city hall opens")
    return tuple(sources)


# --- reasons -----------------------------------------------------------------------------------------


def _explain(calendar: Calendar, start_on: date, span: Span, reading: Reading) -> Iterator[ExplainedDay]:
    """Give every day of a period in order: counted or left out, then run past, then the last."""
    runs_on = span.last_day > span.counted_to
    day = start_on + ONE_DAY
    while day < span.counted_to or (day == span.counted_to and not runs_on):
        yield _counting(calendar.day(day), reading)
        day += ONE_DAY
    while day <= span.last_day:
        yield _running_on(calendar.day(day), span, reading)
        day += ONE_DAY


@lru_cache(maxsize=1 << 16)
def _counting(day: Day, reading: Reading) -> ExplainedDay:
    """Explain a day that is counted or left out."""
    decided_by = day.natures & reading.leaves_out
    if decided_by:
        return _explained(day, decided_by, reading.left_out_because, counted=False)
    return _explained(day, day.natures, reading.counted_because if day.natures else "", counted=True)


def _running_on(day: Day, span: Span, reading: Reading) -> ExplainedDay:
    """Explain a day at the end of a period that cannot end where its count does."""
    decided_by = day.natures & reading.never_last
    if day.on == span.counted_to:
        return _explained(day, decided_by, "counted, but the period cannot end on it", counted=True)
    if day.on < span.last_day:
        return _explained(day, decided_by, "the period runs on", counted=False)
    return _explained(day, day.natures, "the last day: the period runs on to the end of it", counted=False)


def _explained(day: Day, decided_by: frozenset[Nature], because: str, *, counted: bool) -> ExplainedDay:
    """Put what a day is and what follows from it into one line."""
    kind = next((nature for nature in Nature if nature in decided_by), Nature.WEEKDAY)
    words = [part for part in (day.description, because) if part]
    return ExplainedDay(day.on, WEEKDAY_NAMES[day.on.weekday()], counted, kind, "; ".join(words) or "counted")


def sentences(dates: Dates) -> tuple[str, ...]:
    """Say in plain sentences how each date came about; the day by day list is `Dates.days`."""
    said = [
        f"Received on {dates.start_on} in {dates.zone.key}; that day is not counted.",
        _on_expected(dates),
        *_on_alt(dates),
        *_on_act_by(dates),
        *_on_keep_open(dates),
        *_on_provisional(dates),
    ]
    return tuple(said)


def _on_expected(dates: Dates) -> str:
    """Say how the last lawful day came about."""
    unit = "working day" if dates.unit is Unit.WORKING_DAYS else "day"
    if dates.counted_to == dates.expected_last_day:
        return f"Last lawful day: {dates.expected_last_day}, {unit} {dates.period}."
    return (
        f"Last lawful day: {dates.expected_last_day}; {unit} {dates.period} is {dates.counted_to}, "
        "on which the period cannot end."
    )


def _on_alt(dates: Dates) -> Iterator[str]:
    """Say what the other reading gives."""
    if dates.alt_last_day is None:
        return
    if dates.unit is Unit.WORKING_DAYS:
        reading = "working days are the weekdays that are no legal holiday"
    else:
        reading = "a closed office and the state-office days of KRS 18A.190 move the end too"
    yield f"Other reading: {dates.alt_last_day}, if {reading}."


def _on_act_by(dates: Dates) -> Iterator[str]:
    """Say how the safe day came about."""
    if dates.act_by is None:
        return
    if dates.act_by == dates.earliest_end:
        yield f"Act by {dates.act_by_in_words}: the earliest arguable end."
    elif dates.act_by < dates.earliest_end:
        yield f"Act by {dates.act_by_in_words}: city hall is not open on {dates.earliest_end}, the earliest arguable end."
    else:
        yield f"Act by {dates.act_by_in_words}: city hall is not open from the receipt to {dates.earliest_end}."


def _on_keep_open(dates: Dates) -> Iterator[str]:
    """Say how long a right stays open."""
    if dates.keep_open_until is not None:
        yield f"Keep open until {dates.keep_open_until}: the latest arguable last day; a late paper is recorded, never refused."


def _on_provisional(dates: Dates) -> Iterator[str]:
    """Say loudly that closures are missing."""
    if dates.provisional_years:
        years = ", ".join(str(year) for year in dates.provisional_years)
        yield f"PROVISIONAL: the city has not adopted its closures for {years}; the dates may move."

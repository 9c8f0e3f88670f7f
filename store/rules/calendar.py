"""What each day is: legal, proclaimed and arguable holidays, and the days city hall is closed.

Four inputs stay apart, because the law treats them differently: legal holidays (KRS 2.110, by formula),
proclaimed holidays (by date), arguable holidays (the state-office days, by formula) and closures (the
city's own dated list, adopted year by year). Periods are turned into dates in ``dates.py``.

Source: law.md, Time; KRS 2.110, 2.190, 18A.190, 446.030.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from store.rules.errors import BadInput

ONE_DAY: Final = timedelta(days=1)
FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2999
LONGEST_REASON: Final = 200
_MOST_NAMED: Final = 5
_OPEN: Final = time.max
MONDAY, THURSDAY, SATURDAY, SUNDAY = 0, 3, 5, 6
WEEKDAY_NAMES: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
JANUARY, FEBRUARY, MAY, JUNE, JULY, SEPTEMBER, OCTOBER, NOVEMBER, DECEMBER = 1, 2, 5, 6, 7, 9, 10, 11, 12
FORMULAS: Final = "KRS 2.110 and 18A.190, first edition"
"""Part of every calendar's version: change it when a holiday formula below changes."""


class Nature(StrEnum):
    """What a day is, as far as the counting of time cares; a day may be several of these."""

    WEEKDAY = "weekday"
    WEEKEND = "weekend"
    LEGAL_HOLIDAY = "legal_holiday"
    PROCLAIMED_HOLIDAY = "proclaimed_holiday"
    CLOSURE = "closure"
    EARLY_CLOSING = "early_closing"
    ARGUABLE_HOLIDAY = "arguable_holiday"


SHUT: Final = frozenset({Nature.WEEKEND, Nature.CLOSURE})
"""The natures of a day on which city hall does not open at all."""


# --- holidays by formula -----------------------------------------------------------------------------


def _nth(year: int, month: int, weekday: int, nth: int) -> date:
    """Give the nth such weekday of a month."""
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


def _last_monday_of_may(year: int) -> date:
    """Give Memorial Day."""
    end = date(year, MAY, 31)
    return end - timedelta(days=end.weekday())


@lru_cache(maxsize=1024)
def legal_holidays(year: int) -> Mapping[date, str]:
    """Give the legal holidays of one year with their names.

    No holiday is shifted to an observed day. Thanksgiving stands here because it is proclaimed every
    year; other proclaimed days belong to the calendar's own list. Two names share a day when they meet.

    Source: KRS 2.110; law.md, Time.
    """
    named = (
        (date(year, JANUARY, 1), "New Year's Day"),
        (_nth(year, JANUARY, MONDAY, 3), "Martin Luther King Jr. Day"),
        (date(year, JANUARY, 19), "Robert E. Lee Day"),
        (date(year, JANUARY, 30), "Franklin D. Roosevelt Day"),
        (date(year, FEBRUARY, 12), "Lincoln's Birthday"),
        (_nth(year, FEBRUARY, MONDAY, 3), "Washington's Birthday"),
        (_last_monday_of_may(year), "Memorial Day"),
        (date(year, JUNE, 3), "Confederate Memorial Day and Jefferson Davis Day"),
        (date(year, JULY, 4), "Independence Day"),
        (_nth(year, SEPTEMBER, MONDAY, 1), "Labor Day"),
        (_nth(year, OCTOBER, MONDAY, 2), "Columbus Day"),
        (date(year, NOVEMBER, 11), "Veterans Day"),
        (_nth(year, NOVEMBER, THURSDAY, 4), "Thanksgiving Day"),
        (date(year, DECEMBER, 25), "Christmas Day"),
    )
    return _by_day(named)


def _by_day(named: Iterable[tuple[date, str]]) -> Mapping[date, str]:
    """Join the names that fall on the same day."""
    days: dict[date, str] = {}
    for on, name in named:
        days[on] = f"{days[on]} and {name}" if on in days else name
    return MappingProxyType(days)


def easter(year: int) -> date:
    """Give Easter Sunday of the Gregorian calendar (the anonymous computus of 1876)."""
    golden = year % 19
    century, in_century = divmod(year, 100)
    leap_centuries, rest = divmod(century, 4)
    shift = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap_centuries - shift + 15) % 30
    leaps, odd = divmod(in_century, 4)
    to_sunday = (32 + 2 * rest + 2 * leaps - epact - odd) % 7
    late = (golden + 11 * epact + 22 * to_sunday) // 451
    month, day = divmod(epact + to_sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _observed(holiday: date) -> date | None:
    """Give the weekday on which the state observes a holiday that falls on a weekend; else None.

    Source: KRS 18A.190(2).
    """
    if holiday.weekday() == SATURDAY:
        return holiday - ONE_DAY
    return holiday + ONE_DAY if holiday.weekday() == SUNDAY else None


def _extra_day(holiday: date) -> date:
    """Give the extra day at Christmas or New Year: the day before, or where that is a weekend the day after.

    The Governor names it each year, so this is the likeliest day, good enough for what is only arguable.

    Source: KRS 18A.190(1).
    """
    before = holiday - ONE_DAY
    return before if before.weekday() < SATURDAY else holiday + ONE_DAY


def _observed_days(year: int) -> Iterable[tuple[date, str]]:
    """Give the observed days that belong to the holidays on fixed dates of one year."""
    fixed = (
        (date(year, JANUARY, 1), "New Year's Day"),
        (date(year, JUNE, 19), "Juneteenth"),
        (date(year, JULY, 4), "Independence Day"),
        (date(year, NOVEMBER, 11), "Veterans Day"),
        (date(year, DECEMBER, 25), "Christmas Day"),
    )
    for holiday, name in fixed:
        observed = _observed(holiday)
        if observed is not None:
            yield observed, f"{name} observed"


def _state_office_days(year: int) -> Iterable[tuple[date, str]]:
    """Give the arguable days that belong to the holidays of one year; one may lie in the year before."""
    yield from _observed_days(year)
    yield _extra_day(date(year, JANUARY, 1)), "extra day at New Year"
    yield easter(year) - timedelta(days=2), "Good Friday"
    yield date(year, JUNE, 19), "Juneteenth"
    yield _nth(year, NOVEMBER, THURSDAY, 4) + ONE_DAY, "day after Thanksgiving"
    yield _extra_day(date(year, DECEMBER, 25)), "extra day at Christmas"
    if year % 4 == 0:  # KRS 2.190: the Tuesday after the first Monday of November
        yield _nth(year, NOVEMBER, MONDAY, 1) + ONE_DAY, "presidential election day"


@lru_cache(maxsize=1024)
def arguable_holidays(year: int) -> Mapping[date, str]:
    """Give the days of one year that only some reading of the law makes legal holidays, with their names.

    Source: KRS 18A.190, KRS 2.190, the Governor's order on Juneteenth; law.md, Time.
    """
    near = (*_state_office_days(year), *_state_office_days(year + 1))
    return _by_day((on, name) for on, name in near if on.year == year)


# --- the city's calendar -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Proclaimed:
    """A day that the President or the Governor proclaimed; a legal holiday on that date alone."""

    on: date
    reason: str


@dataclass(frozen=True, slots=True)
class Closure:
    """A day city hall is closed, or closes early.

    Attributes:
        on: the day, in the city's zone.
        reason: why, in staff's words.
        closes_at: the hour of an early closing in the city's zone; None when it does not open at all.
    """

    on: date
    reason: str
    closes_at: time | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Day:
    """One day of the city's calendar. Two are the same only if they are one object, which makes look-ups cheap.

    Attributes:
        on: the day.
        natures: what it is; empty for a plain weekday with the office open all day.
        description: the same in words, empty for a plain weekday.
        closes_at: hour of an early closing, else None.
    """

    on: date
    natures: frozenset[Nature]
    description: str
    closes_at: time | None


@dataclass(frozen=True)
class Calendar:
    """The calendar of one city.

    Attributes:
        zone: the city's time zone; a day is midnight to midnight there.
        proclaimed: proclaimed holidays, by date.
        closures: the days city hall is closed or closes early. Where a day is named twice, closed
            beats an early closing and the earlier hour beats the later.
        adopted_years: the years whose closures the city has adopted; a date that needs another year
            is provisional (decisions.md 5).
    """

    zone: ZoneInfo
    proclaimed: tuple[Proclaimed, ...] = ()
    closures: tuple[Closure, ...] = ()
    adopted_years: frozenset[int] = field(default_factory=frozenset)

    @cached_property
    def version(self) -> str:
        """Give 16 hexadecimal digits that differ whenever any content differs; the order of entries does not matter."""
        lines = [FORMULAS, self.zone.key]
        lines += [f"adopted {year}" for year in sorted(self.adopted_years)]
        lines += [f"proclaimed {entry.on} {entry.reason}" for entry in sorted(self.proclaimed)]
        lines += [
            f"closure {entry.on} {entry.closes_at} {entry.reason}"
            for _, entry in sorted(self._closure_on.items())
        ]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def check_successor(self, new: "Calendar") -> None:
        """See whether a calendar may take the place of this one: it is adopted as a whole, and keeps adopted years.

        An empty file, or next year's list alone, would open the closed days of this year, and dates would move.

        Raises:
            BadInput: it says nothing, or an adopted year is not in it.

        Source: requirement D3; KRS 446.030.
        """
        left_out = sorted(self.adopted_years - new.adopted_years)
        if new.adopted_years or new.closures or new.proclaimed:
            if not left_out:
                return
            says = f"It leaves out {' and '.join(map(str, left_out))}, whose days are adopted, and dates would move"
        else:
            says = "It names no year and no closed day"
        raise BadInput(
            f"{says}; the calendar in force stays.",
            clause="KRS 446.030",
            mend="docket calendar show --toml prints the calendar in force: add to it, and adopt that.",
        )

    def check_closing(self, on: date, today: date, *, recorded_late: bool) -> None:
        """See whether it can be recorded that city hall is closed on a day.

        A day that lies behind may be: a closing counts though nobody wrote it down in time. It moves dates on which
        somebody may have relied, so whoever records it says that he means it.

        Raises:
            BadInput: a Saturday or Sunday, on which nothing would move; or a day that lies behind, not said to be meant.

        Source: requirement D3; KRS 446.030.
        """
        if on.weekday() >= SATURDAY:
            raise BadInput(
                f"{on} is a {WEEKDAY_NAMES[on.weekday()]}: city hall is closed on it without being said to be, and no "
                "date would move; nothing was changed.",
                clause="KRS 446.030",
                mend="Check the day.",
            )
        if on < today and not recorded_late:
            raise BadInput(
                f"{on} lies behind: dates on which somebody relied may move by it; nothing was changed.",
                clause="KRS 446.030",
                mend="Check the day. If city hall was closed on it and nobody recorded that, say that it is recorded late "
                "(--late, or the last choice of the form), and do this again.",
            )

    def check_past_days(self, new: "Calendar", today: date, *, recorded_late: bool) -> None:
        """See whether a calendar may take the place of this one as to the days that lie behind.

        A day that it closes, opens, or closes at another hour moves dates on which somebody may have relied, as in
        `check_closing`. A Saturday or Sunday moves none, nor does another reason for the same closing.

        Raises:
            BadInput: days that lie behind differ, and it is not said to be meant.

        Source: requirement D3; KRS 446.030.
        """
        if recorded_late:
            return
        changed = [day for day in self.changed_days(new) if day < today and day.weekday() < SATURDAY]
        if not changed:
            return
        named = ", ".join(map(str, changed[:_MOST_NAMED]))
        more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
        raise BadInput(
            f"It changes days that lie behind ({named}{more}): dates on which somebody relied may move by it; the calendar in "
            "force stays.",
            clause="KRS 446.030",
            mend="Check these days. If they are meant, say that they are recorded late (--late, or the last choice of the "
            "form), and do this again.",
        )

    def changed_days(self, new: "Calendar") -> tuple[date, ...]:
        """Give each day that another calendar closes, opens or proclaims otherwise, in order."""
        mine, theirs = self.closed_from(), new.closed_from()
        moved = {day for day in {*mine, *theirs} if mine.get(day, _OPEN) != theirs.get(day, _OPEN)}
        return tuple(
            sorted(moved | ({one.on for one in self.proclaimed} ^ {one.on for one in new.proclaimed}))
        )

    def told_of_change(self, new: "Calendar", today: date) -> tuple[str, ...]:
        """Say of each day that lies behind and is closed anew what whoever closed it should know."""
        days = [day for day in self.changed_days(new) if day < today and day in new.closed_from()]
        return tuple(line for day in days for line in new.told_of_closing(day))

    def closed_from(self) -> Mapping[date, time]:
        """Give each day of the city's list with the hour from which city hall is closed; midnight for the whole day."""
        return {on: one.closes_at or time.min for on, one in self._closure_on.items()}

    def told_of_closing(self, on: date) -> tuple[str, ...]:
        """Say what whoever closes a day should know of it: that it was no last day before, or that its year is open."""
        found = []
        holiday = legal_holidays(on.year).get(on) or self._proclaimed_on.get(on)
        if holiday:
            found.append(
                f"{on} is {holiday}, a legal holiday: no last day lay on it before. By the closing it is no working day "
                "either."
            )
        if on.year not in self.adopted_years:
            found.append(f"The year {on.year} is not adopted, so every date in it stays provisional.")
        return tuple(found)

    @cached_property
    def _closure_on(self) -> Mapping[date, Closure]:
        """Give one closure a day."""
        stricter_first = sorted(self.closures, key=lambda entry: (entry.closes_at or time.min, entry.reason))
        closure_on: dict[date, Closure] = {}
        for closure in stricter_first:
            closure_on.setdefault(closure.on, closure)
        return closure_on

    @cached_property
    def _proclaimed_on(self) -> Mapping[date, str]:
        """Give the proclaimed holidays by day."""
        return _by_day((entry.on, entry.reason) for entry in sorted(self.proclaimed))

    @cached_property
    def _days(self) -> dict[date, Day]:
        """Keep the days already looked at."""
        return {}

    def day(self, on: date) -> Day:
        """Give what a day is."""
        known = self._days.get(on)
        if known is None:
            known = self._days[on] = self._look_up(on)
        return known

    def _look_up(self, on: date) -> Day:
        """Work out what a day is, the strongest nature first."""
        found: dict[Nature, str] = {}
        if on.weekday() >= SATURDAY:
            found[Nature.WEEKEND] = WEEKDAY_NAMES[on.weekday()]
        if legal := legal_holidays(on.year).get(on):
            found[Nature.LEGAL_HOLIDAY] = f"{legal} (legal holiday, KRS 2.110)"
        if proclaimed := self._proclaimed_on.get(on):
            found[Nature.PROCLAIMED_HOLIDAY] = f"{proclaimed} (proclaimed holiday)"
        closure = self._closure_on.get(on)
        if closure is not None:
            found.update(_closed(closure))
        if arguable := arguable_holidays(on.year).get(on):
            found[Nature.ARGUABLE_HOLIDAY] = f"{arguable} (holiday only under KRS 18A.190)"
        return Day(on, frozenset(found), "; ".join(found.values()), closure.closes_at if closure else None)

    def is_legal_holiday(self, on: date) -> bool:
        """Say whether a day is a legal holiday, by formula or by proclamation; whether the office opens is another matter."""
        return not self.day(on).natures.isdisjoint({Nature.LEGAL_HOLIDAY, Nature.PROCLAIMED_HOLIDAY})

    def is_open(self, on: date) -> bool:
        """Say whether city hall opens on a day, if only for part of it: the working day of the ordinance.

        Source: law.md, Time ("working day").
        """
        return self.day(on).natures.isdisjoint(SHUT)

    def closes_at(self, on: date) -> time | None:
        """Give the hour of an early closing in the city's zone; None on a day of usual hours or closed throughout."""
        return self.day(on).closes_at if self.is_open(on) else None

    def with_closures(self, closures: Iterable[Closure]) -> "Calendar":
        """Give the calendar with more closures; no year becomes adopted by it."""
        return replace(self, closures=(*self.closures, *closures))


def _closed(closure: Closure) -> Mapping[Nature, str]:
    """Describe a closure."""
    if closure.closes_at is None:
        return {Nature.CLOSURE: f"city hall closed: {closure.reason}"}
    return {Nature.EARLY_CLOSING: f"city hall closes at {hour_in_words(closure.closes_at)}: {closure.reason}"}


def hour_in_words(hour: time) -> str:
    """Give an hour of the day for people: ``noon``, ``2:30 p.m.``."""
    if hour == time(12):
        return "noon"
    half = "a.m." if hour.hour < 12 else "p.m."  # noqa: PLR2004  the clock face
    return f"{hour.hour % 12 or 12}:{hour.minute:02d} {half}"


# --- open days ---------------------------------------------------------------------------------------


def next_open_day(day: date, calendar: Calendar) -> date:
    """Give the first day after this one on which city hall opens."""
    day += ONE_DAY
    while not calendar.is_open(day):
        day += ONE_DAY
    return day


def previous_open_day(day: date, calendar: Calendar) -> date:
    """Give the last day before this one on which city hall opens."""
    day -= ONE_DAY
    while not calendar.is_open(day):
        day -= ONE_DAY
    return day


def working_days_before(day: date, n: int, calendar: Calendar) -> date:
    """Give the day that lies n working days before another; n of 0 gives the day itself, or the open day before it.

    Raises:
        BadInput: n is negative.
    """
    if n < 0:
        raise BadInput("The number of working days must not be negative.")
    if not calendar.is_open(day):
        day = previous_open_day(day, calendar)
    for _ in range(n):
        day = previous_open_day(day, calendar)
    return day


def working_days_between(a: date, b: date, calendar: Calendar) -> int:
    """Count the days city hall opens after `a` up to and with `b`; negative where `b` lies before `a`."""
    if b < a:
        return -working_days_between(b, a, calendar)
    return sum(calendar.is_open(a + timedelta(days=later)) for later in range(1, (b - a).days + 1))


# --- reading -----------------------------------------------------------------------------------------


def city_zone(name: str) -> ZoneInfo:
    """Give the time zone of that name.

    Raises:
        BadInput: there is no such zone in the time zone database.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(
            f"There is no time zone {name!r}.",
            mend="Kentucky has America/New_York and America/Chicago.",
        ) from error


def parse_day(text: str) -> date:
    """Read a legal day written as ``2026-01-26``.

    Raises:
        BadInput: it is not such a date, or lies outside 1900 to 2999.
    """
    try:
        day = date.fromisoformat(
            text.strip() if re.fullmatch(r"\s*\d{4}-\d\d-\d\d\s*", text, re.ASCII) else ""
        )
    except ValueError as error:
        raise BadInput(f"{text!r} is not a date.", mend="Write it as 2026-01-26.") from error
    return _within_reach(day)


def _within_reach(day: date) -> date:
    """Refuse a day in a year that this calendar does not reckon with."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise BadInput(f"{day} lies outside the years {FIRST_YEAR} to {LAST_YEAR}.")
    return day


def parse_calendar(text: str, zone: ZoneInfo) -> Calendar:
    """Read a closures file.

    The text is TOML: an optional list ``adopted_years``, tables ``[[closure]]`` with ``date``, ``reason`` and
    an optional ``closes_at``, and tables ``[[proclaimed]]`` with ``date`` and ``reason``. Without
    ``adopted_years`` the years that it has closures for count as adopted; a proclamation adopts nothing.

    Raises:
        BadInput: the text cannot be read; the entry is named. An unknown key is refused too, since a
            mistyped ``closes_at`` would turn half a day into a whole one.

    Source: decisions.md 5.
    """
    content = _toml(text)
    _refuse_unknown(content, {"adopted_years", "closure", "proclaimed"}, "The closures file")
    closures = tuple(_closure(entry, place) for entry, place in _tables(content, "closure"))
    proclaimed = tuple(_proclaimed(entry, place) for entry, place in _tables(content, "proclaimed"))
    if "adopted_years" in content:
        adopted = _years(content["adopted_years"])
    else:
        adopted = frozenset(closure.on.year for closure in closures)
    return Calendar(zone, proclaimed, closures, adopted)


def _toml(text: str) -> dict[str, object]:
    """Read TOML."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"The closures file is not TOML: {error}.") from error


def _refuse_unknown(table: Mapping[str, object], known: set[str], place: str) -> None:
    """Refuse keys that nothing reads."""
    unknown = sorted(table.keys() - known)
    if unknown:
        raise BadInput(
            f"{place} has an unknown key {unknown[0]!r}.", mend=f"Known: {', '.join(sorted(known))}."
        )


def _tables(content: Mapping[str, object], name: str) -> Iterable[tuple[Mapping[str, object], str]]:
    """Give each ``[[name]]`` table with the words that name it in a refusal."""
    tables = content.get(name, [])
    if not isinstance(tables, list):
        raise BadInput(f"{name!r} must be written as [[{name}]] tables.")
    for number, table in enumerate(tables, start=1):
        place = f"[[{name}]] number {number}"
        if not isinstance(table, dict):
            raise BadInput(f"{place} is not a table.")
        yield table, place


def _closure(table: Mapping[str, object], place: str) -> Closure:
    """Read one closure."""
    _refuse_unknown(table, {"date", "reason", "closes_at"}, place)
    return Closure(_day(table, place), _reason(table, place), _hour(table.get("closes_at"), place))


def _proclaimed(table: Mapping[str, object], place: str) -> Proclaimed:
    """Read one proclaimed holiday."""
    _refuse_unknown(table, {"date", "reason"}, place)
    return Proclaimed(_day(table, place), _reason(table, place))


def _day(table: Mapping[str, object], place: str) -> date:
    """Read the date of an entry, written as a TOML date or as text."""
    value = table.get("date")
    try:
        if isinstance(value, date) and not isinstance(value, datetime):
            return _within_reach(value)
        if isinstance(value, str):
            return parse_day(value)
    except BadInput as error:
        raise BadInput(f"{place}: {error.says}", mend=error.mend) from error
    raise BadInput(f"{place} has no date.", mend="Write date = 2026-01-26.")


def _reason(table: Mapping[str, object], place: str) -> str:
    """Read the reason of an entry."""
    value = table.get("reason")
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{place} has no reason.", mend='Write reason = "ice storm".')
    if not value.isprintable() or len(value) > LONGEST_REASON:
        raise BadInput(
            f"{place}: the reason must be one line of at most {LONGEST_REASON} printable characters."
        )
    return value.strip()


def _hour(value: object, place: str) -> time | None:
    """Read an hour, written as a TOML time or as text."""
    if value is None:
        return None
    try:
        hour = (
            value if isinstance(value, time) else time.fromisoformat(value if isinstance(value, str) else "")
        )
    except ValueError as error:
        raise BadInput(
            f"{place}: closes_at is not an hour of the day.", mend='Write closes_at = "12:00".'
        ) from error
    if hour.tzinfo is not None:
        raise BadInput(f"{place}: closes_at is an hour in the city's own zone.", mend="Leave the offset out.")
    return hour


def _years(value: object) -> frozenset[int]:
    """Read the adopted years."""
    years = value if isinstance(value, list) else [None]
    for year in years:
        if not isinstance(year, int) or isinstance(year, bool) or not FIRST_YEAR <= year <= LAST_YEAR:
            raise BadInput("adopted_years must be a list of years.", mend="Write adopted_years = [2026].")
    return frozenset(years)

"""A list of closures from elsewhere (`.ics`, CSV, pasted lines): read as a proposal, adopted by a person (D3).

What cannot be read is named by its place and left to the person; nothing is guessed, nothing is adopted here.

Source: RFC 5545 (iCalendar), RFC 4180 (CSV).
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component

from store.cases import Actor, Docket, act, calendar_of, profile_in_force
from store.proceedings.calendar import Moved, adopt_calendar, as_text
from store.rules.access import Deed
from store.rules.calendar import FIRST_YEAR, LAST_YEAR, LONGEST_REASON, ONE_DAY, Closure, parse_calendar
from store.rules.errors import BadInput

LARGEST = 1_000_000
MOST = 400
_LONGEST_SPAN = timedelta(days=31)
_WHOLE_DAY = timedelta(hours=23)
_CLOSURES_FILE = re.compile(r"^\s*(\[\[closure\]\]|adopted_years\s*=)", re.MULTILINE)
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_US = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_PARTS = re.compile(r"[,;\t]|(?<=\d)\s+(?=\D)|(?<=\d:\d\d)\s+|(?<=\d)\s+(?=\d{1,2}:)")


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a list from elsewhere says.

    Attributes:
        found: the closures, by day.
        unread: each entry that could not be read: its place, and why.
    """

    found: tuple[Closure, ...]
    unread: tuple[str, ...] = ()

    def of_year(self, year: int) -> "Proposal":
        """Give the closures of one year only."""
        return replace(self, found=tuple(one for one in self.found if one.on.year == year))

    def lines(self) -> str:
        """Give them as lines that `read_closures` reads again: day, hour of an early closing, reason."""
        return "\n".join(
            " ".join(part for part in (one.on.isoformat(), _hour(one.closes_at), one.reason) if part)
            for one in self.found
        )


def _hour(at: time | None) -> str:
    return f"{at:%H:%M}" if at else ""


def read_closures(raw: bytes, zone: ZoneInfo) -> Proposal:
    """Read a list of closures: an iCalendar, CSV or closures file, or lines such as ``2027-01-01 New Year's Day``.

    Args:
        raw: its bytes, UTF-8.
        zone: the city's zone; an hour in a calendar file becomes an early closing in it.

    Raises:
        BadInput: it is too large, no text, or no calendar.
    """
    if len(raw) > LARGEST:
        raise BadInput("The list is larger than a list of closures can be; nothing was changed.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("The list is not UTF-8 text; nothing was changed.") from error
    if _CLOSURES_FILE.search(text):
        return Proposal(tuple(sorted(parse_calendar(text, zone).closures, key=lambda one: one.on)), ())
    entries = _events(text, zone) if "BEGIN:VCALENDAR" in text.upper()[:2000] else _rows(text)
    found: dict[date, Closure] = {}
    unread: list[str] = []
    for place, entry in enumerate(entries, start=1):
        if isinstance(entry, str):
            unread.append(f"Entry {place}: {entry}")
            continue
        for one in entry:
            known = found.get(one.on)
            if known is None or (known.closes_at is not None and one.closes_at is None):
                found[one.on] = one
        if len(found) > MOST:
            raise BadInput(f"The list has more than {MOST} days; nothing was changed.")
    return Proposal(tuple(sorted(found.values(), key=lambda one: one.on)), tuple(unread))


Entry = list[Closure] | str
"""The days of one entry, or why it could not be read."""


# -- rows of text -------------------------------------------------------------------------------------


def _rows(text: str) -> Iterator[Entry]:
    """Read CSV, or lines of day, hour and reason."""
    for place, line in enumerate(text.splitlines()):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = _cells(line)
        day = next((found for one in cells if (found := _day(one)) is not None), None)
        if day is None and place == 0 and not re.search(r"\d", line):
            continue  # the names of the columns
        yield "no day could be read (write 2027-01-01)." if day is None else _row(day, cells)


def _cells(line: str) -> list[str]:
    """Split a line at commas outside quotes, semicolons or tabs; else after its day and its hour."""
    for sign in (",", ";", "\t"):
        cells = next(csv.reader(io.StringIO(line), delimiter=sign))
        if len(cells) > 1 and any(_day(one) is not None for one in cells):
            return cells
    return _PARTS.split(line.strip())


def _row(day: date, cells: list[str]) -> Entry:
    hours = [found for one in cells if (found := _clock(one)) is not None]
    words = [one for one in cells if _day(one) is None and _clock(one) is None]
    return _closure(day, " ".join(words), hours[0] if hours else None)


def _closure(day: date, reason: str, closes_at: time | None = None) -> Entry:
    plain = " ".join("".join(sign for sign in reason if sign.isprintable()).split())[:LONGEST_REASON]
    return [Closure(day, plain, closes_at)] if plain else "no reason is given."


def _day(text: str) -> date | None:
    """Read 2027-01-31, or 1/31/2027 as it is written in the United States."""
    iso, us = _ISO.fullmatch(text.strip()), _US.fullmatch(text.strip())
    parts = iso.groups() if iso else (us[3], us[1], us[2]) if us else ("0", "0", "0")
    try:
        read = date(*map(int, parts))
    except ValueError:
        return None
    return read if FIRST_YEAR <= read.year <= LAST_YEAR else None


def _clock(text: str) -> time | None:
    found = _CLOCK.fullmatch(text.strip())
    try:
        return time(int(found[1]), int(found[2])) if found else None
    except ValueError:
        return None


# -- a calendar file ----------------------------------------------------------------------------------


def _events(text: str, zone: ZoneInfo) -> Iterator[Entry]:
    try:
        calendar = Calendar.from_ical(text)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise BadInput("The calendar file cannot be read; nothing was changed.") from error
    for event in calendar.walk("VEVENT"):
        if str(event.get("status", "")).upper() != "CANCELLED":
            yield _event(event, zone)


def _event(event: Component, zone: ZoneInfo) -> Entry:
    if "RRULE" in event or "RDATE" in event:
        return "it repeats; write out each of its days."
    start, end = (getattr(event.get(name), "dt", None) for name in ("DTSTART", "DTEND"))
    reason = str(event.get("SUMMARY", ""))
    if isinstance(start, datetime):
        return _timed(start, end, reason, zone)
    if not isinstance(start, date):
        return "it has no day."
    last = end - ONE_DAY if isinstance(end, date) and not isinstance(end, datetime) else start
    if last - start > _LONGEST_SPAN:
        return "it lasts more than a month."
    if not FIRST_YEAR <= start.year <= LAST_YEAR:
        return "its year cannot be used."
    days = [start + timedelta(days=more) for more in range(max((last - start).days, 0) + 1)]
    made = [_closure(day, reason) for day in days]
    return [one for entry in made if not isinstance(entry, str) for one in entry] or "no reason is given."


def _timed(start: datetime, end: object, reason: str, zone: ZoneInfo) -> Entry:
    """Read an event with an hour: from then on city hall is closed; from midnight on, the whole day."""
    here = start.replace(tzinfo=zone) if start.tzinfo is None else start.astimezone(zone)
    if not FIRST_YEAR <= here.year <= LAST_YEAR:
        return "its year cannot be used."
    lasts = timedelta(0)
    if isinstance(end, datetime):
        until = end.replace(tzinfo=zone) if end.tzinfo is None else end.astimezone(zone)
        lasts = until - here
        if lasts > timedelta(days=1):
            return "it has hours and lasts more than a day; write out each of its days."
    whole = here.time() == time(0) and (lasts == timedelta(0) or lasts >= _WHOLE_DAY)
    return _closure(here.date(), reason, None if whole else here.time().replace(second=0, microsecond=0))


# -- adopted ------------------------------------------------------------------------------------------


def proposed_text(docket: Docket, closures: tuple[Closure, ...], *, year: int | None) -> str:
    """Give the whole calendar as it would stand: what is in force, with these closures, and the year adopted.

    Args:
        docket: the record.
        closures: the new ones; one for a day that has a closure takes its place.
        year: the year that is adopted with them; None for none.
    """
    with docket.database.read() as session:
        calendar = calendar_of(session, profile_in_force(session)[0])
    by_day = {one.on: one for one in (*calendar.closures, *closures)}
    years = calendar.adopted_years | ({year} if year is not None else set())
    return as_text(replace(calendar, closures=tuple(by_day.values()), adopted_years=frozenset(years)))


def adopt_year(
    docket: Docket,
    actor: Actor,
    year: int,
    *,
    closures: tuple[Closure, ...],
    cause: str,
    recorded_late: bool = False,
) -> Moved:
    """Adopt a year with its closures, on top of the calendar in force; open steps are reckoned anew.

    Args:
        docket: the record.
        actor: the clerk.
        year: the year; every date in it was provisional until now.
        closures: the days of that year on which city hall is closed.
        cause: why, such as the resolution that adopted them.
        recorded_late: the clerk says that days of it lie behind, and that they are meant.

    Raises:
        BadInput: a closure of another year, a year that cannot be meant, no cause, or days that lie behind and are not
            said to be meant.
        NotAllowed: the calendar is not his to set.
    """
    wrong = next((one.on for one in closures if one.on.year != year), None)
    if wrong is not None or not FIRST_YEAR <= year <= LAST_YEAR:
        with act(docket, actor, Deed.SET_CALENDAR):
            day = f"{wrong} is no day of {year}" if wrong else "This year cannot be meant"
            raise BadInput(f"{day}; nothing was changed.", clause="KRS 446.030")
    text = proposed_text(docket, closures, year=year)
    return adopt_calendar(docket, actor, text, cause, recorded_late=recorded_late)

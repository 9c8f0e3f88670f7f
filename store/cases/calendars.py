"""Adopting a calendar: every open step is reckoned anew (D3)."""

from datetime import date

from store.cases.acts import Act
from store.cases.due_dates import open_cases, open_dates, refresh_dues
from store.cases.record import CALENDAR, read_calendar
from store.database import look_again
from store.rules.facts import (
    CalendarChanged,
    DatesMoved,
)
from store.tables import AdoptedCalendar


def adopt_calendar(step: Act, text: str, cause: str) -> list[tuple[str, DatesMoved]]:
    """Adopt a calendar and recompute every open step; record old and new dates with the cause (D3).

    Args:
        step: a running act of the Board's business.
        text: the whole calendar as TOML.
        cause: why it changed, in the words of who changed it.

    Returns:
        For each open step whose dates moved: the case's number and what was recorded.

    Raises:
        BadInput: the text is no calendar.
    """
    calendar = read_calendar(text, step.profile.city.zone)
    step.session.add(AdoptedCalendar(version=calendar.version, text=text, adopted_at=step.now))
    step.session.flush()
    look_again(step.session, CALENDAR)
    step.look_again()
    step.record(CalendarChanged(calendar.version, cause))
    moved = []
    for key in open_cases(step.session):
        moved += _recompute(step, key, cause)
    return moved


def _recompute(step: Act, key: int, cause: str) -> list[tuple[str, DatesMoved]]:
    before = open_dates(step.session, key)
    inner = Act(step.docket, step.session, step.actor, step.deed, step.now, key)
    refresh_dues(inner)
    found = []
    for name, new in open_dates(step.session, key).items():
        old = before.get(name)
        if old is not None and old != new:
            fact = DatesMoved(name, _texts(old), _texts(new), cause)
            inner.seq = step.seq
            inner.record(fact)
            found.append((inner.case.number, fact))
    step.note.setdefault("moved", []).extend(inner._facts)  # noqa: SLF001  one entry tells of all cases
    return found


def _texts(days: tuple[date | None, ...]) -> tuple[str, ...]:
    return tuple(day.isoformat() if day else "" for day in days)

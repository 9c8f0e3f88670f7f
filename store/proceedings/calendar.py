"""The city's calendar: adopted for a year, changed by a day; open steps are reckoned anew (D3)."""

import json
import tomllib
from datetime import date, time

from sqlmodel import select

from store import outbox
from store.cases import (
    Act,
    Actor,
    Docket,
    Look,
    act,
    calendar_text,
    case_by_number,
    entitled,
    load_case,
    visible_cases,
)
from store.cases import adopt_calendar as adopt
from store.ports import PingKind
from store.rules.access import BOARD_BUSINESS, Deed, Standing
from store.rules.calendar import Calendar, Closure, city_zone, parse_calendar
from store.rules.errors import AlreadyDone, BadInput
from store.rules.facts import DatesMoved
from store.tables import CaseRow

Moved = tuple[tuple[str, DatesMoved], ...]


def adopt_calendar(
    docket: Docket, actor: Actor, text: str, cause: str, *, recorded_late: bool = False
) -> Moved:
    """Adopt a whole calendar: closures, proclaimed holidays, adopted years.

    Args:
        docket: the record.
        actor: the clerk.
        text: the calendar as TOML.
        cause: why, in the clerk's words.
        recorded_late: the clerk says that it changes days that lie behind, and that this is meant.

    Returns:
        Each open step whose dates moved: the case's number, and old and new dates. Everybody whom it
        concerns is told once.

    Raises:
        BadInput: the text is no calendar, says nothing or leaves out a year that is adopted, no cause was given, or it changes
            days that lie behind and that is not said to be meant; before the first case no date can move by it.
        AlreadyDone: it is the calendar in force.
    """
    with act(docket, actor, Deed.SET_CALENDAR) as step:
        if calendar_text(step.session) == text:
            raise AlreadyDone("This calendar is in force already.", clause="KRS 446.030")
        new = parse_calendar(text, step.profile.city.time_zone)
        step.calendar.check_successor(new)
        if step.session.exec(select(CaseRow.id).limit(1)).first() is not None:
            step.calendar.check_past_days(new, step.today, recorded_late=recorded_late)
        return _adopt(step, text, cause)


def close_day(
    docket: Docket,
    actor: Actor,
    day: date,
    reason: str,
    *,
    closes_at: time | None = None,
    recorded_late: bool = False,
) -> Moved:
    """Record that city hall is closed on a day, or closes early.

    Args:
        docket: the record.
        actor: the clerk.
        day: the day in the city's zone.
        reason: one line, such as ``ice storm``.
        closes_at: the local hour of an early closing; None for the whole day.
        recorded_late: the clerk says that the day lies behind, and that it is meant.

    Returns:
        Each open step whose dates moved, as `adopt_calendar`.

    Raises:
        BadInput: the day or reason cannot be used: a weekend, or a day that lies behind and is not said to be meant.
        AlreadyDone: the day is closed in the calendar already.
    """
    with act(docket, actor, Deed.SET_CALENDAR) as step:
        text = calendar_text(step.session)
        if any(_covers(one, day, closes_at) for one in step.calendar.closures):
            raise AlreadyDone(
                "The calendar has a closure on this day already.",
                clause="KRS 446.030",
                mend="Adopt a corrected calendar to change it.",
            )
        step.calendar.check_closing(day, step.today, recorded_late=recorded_late)
        return _adopt(step, _with_closure(text, day, reason, closes_at), reason)


def _covers(known: Closure, day: date, closes_at: time | None) -> bool:
    """Say whether a closure on the calendar leaves nothing to a new one: it is closed then anyway."""
    if known.on != day:
        return False
    return known.closes_at is None or (closes_at is not None and known.closes_at <= closes_at)


def as_text(calendar: Calendar) -> str:
    """Write a calendar as a file that `adopt_calendar` takes, by day."""
    lines = [f"adopted_years = {sorted(calendar.adopted_years)}"]
    for one in sorted(calendar.closures, key=lambda closure: (closure.on, closure.reason)):
        lines += ["", "[[closure]]", f"date = {one.on.isoformat()}", f"reason = {_quoted(one.reason)}"]
        if one.closes_at is not None:
            lines.append(f'closes_at = "{one.closes_at.isoformat("minutes")}"')
    for day in sorted(calendar.proclaimed, key=lambda proclaimed: (proclaimed.on, proclaimed.reason)):
        lines += ["", "[[proclaimed]]", f"date = {day.on.isoformat()}", f"reason = {_quoted(day.reason)}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _with_closure(text: str, day: date, reason: str, closes_at: time | None) -> str:
    """Write a closure at the end of a calendar. One closed day does not adopt its year."""
    if not text.strip():
        text = "adopted_years = []\n"
    elif "adopted_years" not in tomllib.loads(text):
        years = sorted(parse_calendar(text, city_zone("UTC")).adopted_years)
        text = f"adopted_years = {years}\n{text}"
    entry = [f"date = {day.isoformat()}", f"reason = {_quoted(reason)}"]
    if closes_at is not None:
        entry.append(f'closes_at = "{closes_at.isoformat("minutes")}"')
    return text.rstrip("\n") + "\n\n[[closure]]\n" + "\n".join(entry) + "\n"


def _adopt(step: Act, text: str, cause: str) -> Moved:
    if not cause.strip():
        raise BadInput("A calendar is changed with its cause only.", mend="Say why.")
    moved = tuple(adopt(step, text, cause.strip()))
    if moved:
        _tell(step, {number for number, _fact in moved})
    return moved


def _tell(step: Act, numbers: set[str]) -> None:
    """Owe one word to each person who may see a case whose dates moved, and fresh cards to those cases."""
    told: set[int] = set()
    for key, look in _looks(step, numbers):
        told.update(entitled(look))
        outbox.owe_ping(
            step.session,
            step.docket.keyring,
            kind=PingKind.CASE_CARD,
            destination=f"case:{key}",
            now=step.now,
            case_id=key,
        )
    for person in sorted(told):
        step.ping(PingKind.TOLD, person=person, about={"what": "dates-moved", "entry": step.seq})


def _looks(step: Act, numbers: set[str]) -> list[tuple[int, Look]]:
    keys = [case_by_number(step.session, number) for number in sorted(numbers)]
    return [(key, _look(step, key)) for key in keys if key is not None]


def _look(step: Act, key: int) -> Look:
    case = load_case(step.docket, step.session, key)
    return Look(
        case, step.profile, step.calendar, step.people, Standing(), BOARD_BUSINESS, step.today, step.now
    )


def moved_dates(docket: Docket, actor: Actor, entry: int) -> Moved:
    """Give the dates that one change moved, of the cases that somebody may see (the digest of D3)."""
    return tuple(
        (look.case.number, one.fact)
        for look in visible_cases(docket, actor)
        for one in look.case.all(DatesMoved)
        if one.entry == entry
    )

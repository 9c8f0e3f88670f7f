"""The demo city's calendar, and dates of it with only what a test is about spelled out."""

import json
from collections.abc import Iterable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from store.rules.calendar import Calendar, Closure
from store.rules.dates import Act, Dates, Unit, parse_instant, reckon

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "time" / "vectors.json").read_text())
EASTERN = ZoneInfo("America/New_York")
CENTRAL = ZoneInfo("America/Chicago")
YEARS = frozenset(range(2024, 2030))


def day(text: str) -> date:
    return date.fromisoformat(text)


def closed(*days: str) -> tuple[Closure, ...]:
    return tuple(Closure(day(text), "closed") for text in days)


DEMO_CLOSURES = (
    *closed(*VECTORS["meta"]["demo_city_closures"]),
    *(Closure(day(text), "half day", time(12)) for text in VECTORS["meta"]["demo_city_half_days"]),
)
DEMO_CITY = Calendar(EASTERN, (), DEMO_CLOSURES, YEARS)
DEMO_CITY_CENTRAL = Calendar(CENTRAL, (), DEMO_CLOSURES, YEARS)
NO_CLOSURES = Calendar(EASTERN, (), (), YEARS)


def noon_of(on: date, zone: ZoneInfo = EASTERN) -> datetime:
    return datetime.combine(on, time(12), tzinfo=zone)


def board_days(
    received: str | datetime, period: int, calendar: Calendar = DEMO_CITY, *, close: Iterable[str] = ()
) -> Dates:
    return _dates(received, period, Unit.DAYS, Act.BOARD_ACT, calendar=calendar, close=close)


def working_days(
    received: str | datetime, period: int, calendar: Calendar = DEMO_CITY, *, close: Iterable[str] = ()
) -> Dates:
    return _dates(received, period, Unit.WORKING_DAYS, Act.BOARD_ACT, calendar=calendar, close=close)


def filing(
    received: str | datetime, period: int, calendar: Calendar = DEMO_CITY, *, close: Iterable[str] = ()
) -> Dates:
    return _dates(received, period, Unit.DAYS, Act.FILING, calendar=calendar, close=close)


def _dates(
    received: str | datetime, period: int, unit: Unit, act: Act, *, calendar: Calendar, close: Iterable[str]
) -> Dates:
    if isinstance(received, str):
        received = parse_instant(received) if "T" in received else noon_of(day(received), calendar.zone)
    return reckon(received, period, unit=unit, act=act, calendar=calendar, extra_closures=closed(*close))


def of_vector(vector: dict[str, Any]) -> Dates:
    calendar = Calendar(ZoneInfo(vector["tz"]), (), DEMO_CLOSURES, YEARS)
    return _dates(
        vector["start"],
        vector["period"],
        Unit(vector["unit"]),
        Act(vector["act"]),
        calendar=calendar,
        close=vector["extra_closures"],
    )

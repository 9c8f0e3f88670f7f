"""Days, instants and numbers in plain American English."""

from datetime import date, datetime, time

_NOON = time(12, 0)
_MIDNIGHT = time(0, 0)


def plain_day(day: date) -> str:
    """Write a local day in full, such as ``Monday, March 16, 2026``."""
    return f"{_WEEKDAYS[day.weekday()]}, {_MONTHS[day.month - 1]} {day.day}, {day.year}"


def plain_instant(instant: datetime) -> str:
    """Write an aware instant of the city's zone, such as ``Monday, March 16, 2026, at 4:05 p.m. EDT``.

    Seconds are left out: the record keeps them. Noon and midnight are named, for "12:00 a.m." is misread.
    """
    zone = f" {instant.tzname()}" if instant.tzname() else ""
    return f"{plain_day(instant.date())}, at {plain_time(instant.time())}{zone}"


def plain_time(moment: time) -> str:
    """Write a time of day on the twelve-hour clock."""
    exact = moment.replace(second=0, microsecond=0)
    if exact == _NOON:
        return "12:00 noon"
    if exact == _MIDNIGHT:
        return "12:00 midnight (start of the day)"
    half = "a.m." if moment < _NOON else "p.m."
    return f"{moment.hour % 12 or 12}:{moment.minute:02d} {half}"


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

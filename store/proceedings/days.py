"""A day that somebody states on the record, and the instant by which it is reckoned."""

from dataclasses import replace
from datetime import UTC, date, datetime, time

from store.cases import Act
from store.rules import access
from store.rules.dates import local_date
from store.rules.errors import BadInput
from store.rules.facts import Appeared, ComplaintReceived, HearingSat, StatementTaken

Heard = Appeared | HearingSat | StatementTaken
_MIDDAY = time(12, 0)


def check_past_day(step: Act, day: date) -> date:
    """Give a stated day back if it has begun.

    Raises:
        BadInput: it lies ahead.
    """
    if day > step.today:
        raise BadInput(
            "The day lies in the future; what has not happened is not recorded.",
            clause=_clause(step),
            mend=f"Give a day up to today, {step.today}.",
        )
    return day


def instant_on(step: Act, day: date) -> datetime:
    """Give an instant of a stated day in the city, UTC: now for today, else its noon, since no hour is known.

    Raises:
        BadInput: the day lies ahead.
    """
    if check_past_day(step, day) == step.today:
        return step.now
    return datetime.combine(day, _MIDDAY, tzinfo=step.profile.city.time_zone).astimezone(UTC)


def past_instant(step: Act, instant: datetime) -> datetime:
    """Give a stated instant in UTC.

    Raises:
        BadInput: it has no zone, or lies ahead.
    """
    here = step.now.astimezone(step.profile.city.time_zone)
    if instant.tzinfo is None:
        raise BadInput(
            "An instant is given with its zone; nothing is guessed.",
            clause=_clause(step),
            mend=f"Write it with its offset, such as {here.isoformat('T', 'minutes')}.",
        )
    if instant > step.now:
        raise BadInput(
            "The instant lies in the future; what has not happened is not recorded.",
            clause=_clause(step),
            mend=f"Give one up to now: in the city it is {here:%Y-%m-%d %H:%M %Z}.",
        )
    return instant.astimezone(UTC)


def _clause(step: Act) -> str:
    """Give the clause under which the act itself stands."""
    return access.TABLE[step.deed].clause


def told_that_day(step: Act, fact: Heard, about: int | None) -> bool:
    """Say whether the record has the same of the same day: two people who write down one event are one too many.

    Args:
        step: the act.
        fact: what would be recorded.
        about: the party that it is about.
    """
    zone = step.profile.city.time_zone
    return any(
        one.about == about
        and local_date(one.fact.at, zone) == local_date(fact.at, zone)
        and replace(one.fact, at=fact.at) == fact
        for one in step.case.all(type(fact))
    )


def since_complaint(step: Act, instant: datetime) -> datetime:
    """Give a stated instant of what follows a complaint in UTC, such as an answer or a withdrawal.

    Only the days are compared: clocks at the counter and of the mail server differ by minutes.

    Raises:
        BadInput: it has no zone, lies ahead, or on a day before the complaint was first received.
    """
    at = past_instant(step, instant)
    day_since_complaint(step, local_date(at, step.profile.city.time_zone))
    return at


def day_since_complaint(step: Act, day: date) -> date:
    """Give a stated day of what follows a complaint back if it can be one.

    Raises:
        BadInput: it lies ahead, or before the complaint was first received by anybody.
    """
    zone = step.profile.city.time_zone
    received = [local_date(one.fact.received_at, zone) for one in step.case.all(ComplaintReceived)]
    if check_past_day(step, day) < min(received, default=day):
        raise BadInput(
            "That is before the complaint was received; nothing was changed.",
            clause=_clause(step),
            mend="Check the day. Where the complaint's receipt is wrong, correct that first.",
        )
    return day

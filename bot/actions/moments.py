"""A day and an hour typed into a form, as the instant that they mean in the city."""

from dataclasses import dataclass
from datetime import datetime, time
from typing import Protocol

from bot import blocks
from bot.blocks import Json
from bot.payloads import Submission
from store.rules.errors import BadInput
from store.rules.ordinance import Profile


class Timed(Protocol):
    """Something that knows the present instant and the city: a look into a case, or the desk's own."""

    @property
    def now(self) -> datetime:
        """The present instant, UTC."""
        ...

    @property
    def profile(self) -> Profile:
        """The ordinance, for the city's zone."""
        ...


@dataclass(frozen=True, slots=True)
class Here:
    """The present instant in the city, for forms of the Board's own business."""

    now: datetime
    profile: Profile


ON, HOUR = "on", "hour"


def moment_inputs(
    seen: Timed, label: str, *, now: bool = True, prefix: str = "", optional: bool = False
) -> list[Json]:
    """Give the two fields for an instant; filled with the present one where `now`.

    Args:
        seen: what the form is about, for the city's time.
        label: what happened, or is to happen, at that instant.
        now: whether the present instant is filled in.
        prefix: tells two instants of one form apart.
        optional: whether both may be left empty.
    """
    here = seen.now.astimezone(seen.profile.city.time_zone)
    return [
        blocks.date_input(
            prefix + ON,
            f"{label} on",
            initial=here.date().isoformat() if now else "",
            optional=optional,
        ),
        blocks.text_input(
            prefix + HOUR,
            "At",
            initial=f"{here:%H:%M}" if now else "",
            limit=5,
            hint="Such as 14:05, in the city's time.",
            optional=optional,
        ),
    ]


def read_moment(seen: Timed, submission: Submission, *, prefix: str = "") -> datetime:
    """Read the instant, aware.

    Raises:
        BadInput: the hour cannot be read, or no day was picked.
    """
    day = submission.day(prefix + ON)
    if day is None:
        raise BadInput("No day was picked; nothing was changed.", mend="Pick the day.")
    hour = read_hour(submission.text(prefix + HOUR))
    here = seen.now.astimezone(seen.profile.city.time_zone)
    if (day, hour.hour, hour.minute) == (here.date(), here.hour, here.minute):
        return seen.now
    return datetime.combine(day, hour, tzinfo=seen.profile.city.time_zone)


def read_hour(typed: str) -> time:
    """Read an hour of the day in the city's time, such as 9:30 or 14:05.

    Raises:
        BadInput: it cannot be read.
    """
    try:
        return time.fromisoformat(typed.rjust(5, "0")).replace(tzinfo=None)
    except ValueError as error:
        raise BadInput(
            "The hour cannot be read; nothing was changed.", mend="Write it as 14:05, in the city's time."
        ) from error

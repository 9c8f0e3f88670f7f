"""A day and an hour typed into a form, as the instant that they mean in the city."""

from datetime import datetime, time

from bot import blocks
from bot.blocks import Json
from bot.payloads import Submission
from store.cases import Look
from store.rules.errors import BadInput

ON, HOUR = "on", "hour"


def moment_inputs(seen: Look, label: str, *, now: bool = True) -> list[Json]:
    """Give the two fields for an instant; filled with the present one where `now`."""
    here = seen.now.astimezone(seen.profile.city.time_zone)
    return [
        blocks.date_input(ON, f"{label} on", initial=here.date().isoformat() if now else ""),
        blocks.text_input(
            HOUR,
            "At",
            initial=f"{here:%H:%M}" if now else "",
            limit=5,
            hint="Such as 14:05, in the city's time.",
        ),
    ]


def read_moment(seen: Look, submission: Submission) -> datetime:
    """Read the instant, aware.

    Raises:
        BadInput: the hour cannot be read, or no day was picked.
    """
    day = submission.day(ON)
    if day is None:
        raise BadInput("Pick the day; nothing was changed.")
    try:
        hour = time.fromisoformat(submission.text(HOUR).rjust(5, "0"))
    except ValueError as error:
        raise BadInput(
            "The hour cannot be read; nothing was changed.", mend="Write it as 14:05, in the city's time."
        ) from error
    here = seen.now.astimezone(seen.profile.city.time_zone)
    if (day, hour.hour, hour.minute) == (here.date(), here.hour, here.minute):
        return seen.now
    return datetime.combine(day, hour.replace(tzinfo=None), tzinfo=seen.profile.city.time_zone)

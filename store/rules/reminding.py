"""Who is reminded of what, at which stage, on a day (D5). Pure; it decides, and nobody is written to here.

A stage is reached, not hit: after a week asleep the most advanced stage that is due goes, and the ones
before it are not made up for. Overdue steps are told on each working day, and to more people as the
days go by: staff, then their deputies, then the chair.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time

from store.rules.calendar import Calendar, working_days_between
from store.rules.dates import local_date
from store.rules.duties import Step
from store.rules.facts import Role
from store.rules.ordinance import Office, OfficeHours
from store.rules.roster import Roster

PAST_SAFE_DAY = "past-the-safe-day"
_OVERDUE = "overdue"
TO_DEPUTIES_AFTER = 2
TO_CHAIR_AFTER = 3


@dataclass(frozen=True, slots=True)
class Stage:
    """How urgent a step is today.

    Attributes:
        name: the mark under which a reminder goes once.
        days_overdue: working days since the lawful last day; 0 before.
    """

    name: str
    days_overdue: int = 0


def stage_of(step: Step, today: date, calendar: Calendar, stages: Iterable[int]) -> Stage | None:
    """Give the stage that an open step has reached; None while it is too early, or it has no date.

    Args:
        step: an open step.
        today: the day in the city's zone.
        calendar: counts working days.
        stages: working days before the date at which to remind, such as 7, 3, 1, 0.
    """
    if step.dates is None or step.act_by is None:
        return None
    last = step.open_until or step.dates.expected_last_day
    if today > last:
        days = max(working_days_between(last, today, calendar), 1)
        return Stage(f"{_OVERDUE}-{days}", days)
    if today > step.act_by:
        return Stage(PAST_SAFE_DAY)
    left = working_days_between(today, step.act_by, calendar)
    reached = [stage for stage in stages if left <= stage]
    return Stage(str(min(reached))) if reached else None


def stage_of_question(
    begins_on: date, asked_on: date, today: date, calendar: Calendar, stages: Iterable[int]
) -> int | None:
    """Give the stage at which somebody is asked again whether he comes to a meeting; None while it is too early.

    A stage that had been reached when he was asked first is no stage of its own: nobody is asked twice at once.

    Args:
        begins_on: the day of the meeting in the city's zone.
        asked_on: the day on which he was asked, or asked anew since it was moved.
        today: the day in the city's zone.
        calendar: counts working days.
        stages: working days before the meeting at which to remind, such as 7, 3, 1, 0.
    """
    known = tuple(stages)

    def reached(on: date) -> int | None:
        left = working_days_between(on, begins_on, calendar)
        return min((stage for stage in known if left <= stage), default=None)

    now, before = reached(today), reached(asked_on)
    if today > begins_on or now is None:
        return None
    return now if before is None or now < before else None


def in_office_hours(now: datetime, calendar: Calendar, hours: OfficeHours) -> bool:
    """Say whether reminders may go out now: city hall is open, early closings kept.

    Args:
        now: the present instant, aware.
        calendar: the city's calendar, with its zone.
        hours: the usual hours, local time.
    """
    local = now.astimezone(calendar.zone)
    today = local_date(now, calendar.zone)
    if not calendar.is_open(today):
        return False
    closes: time = calendar.closes_at(today) or hours.closes
    return hours.opens <= local.time() < closes


def whom_to_remind(
    step: Step, stage: Stage, people: Roster, today: date, may_know: Callable[[int], bool]
) -> tuple[int, ...]:
    """Give who is reminded of a step, by id.

    Away people are stood in for by their deputies; where no deputy may know of the case, they are reminded
    all the same, since somebody must be.

    Args:
        step: an open step.
        stage: the stage that it has reached.
        people: the roster.
        today: the day in the city's zone.
        may_know: says whether a person may know of the case.
    """
    roles = list(_ROLES.get(step.duty.owed_by, (Role.CLERK,)))
    if stage.days_overdue >= TO_CHAIR_AFTER:
        roles.append(Role.CHAIR)
    found: list[int] = []
    for role in roles:
        for person in people.with_role(role, today):
            deputies = [one for one in people.deputies_of(person, today) if may_know(one)]
            stands_back = bool(deputies) and people.is_away(person, today)
            found += deputies if stands_back else [person]
            if stage.days_overdue >= TO_DEPUTIES_AFTER:
                found += deputies
    return tuple(one for one in dict.fromkeys(found) if may_know(one))


_ROLES = {
    Office.CITY_MANAGER: (Role.CITY_MANAGER, Role.CLERK),
    Office.CITY_CLERK: (Role.CLERK,),
    Office.STAFF: (Role.CLERK,),
    Office.BOARD: (Role.CLERK, Role.CHAIR),
    Office.BOARD_OFFICIAL: (Role.CLERK,),
}

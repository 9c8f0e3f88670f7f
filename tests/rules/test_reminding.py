"""Who is reminded of what, on which day (D5)."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.rules.calendar import city_zone, parse_calendar
from store.rules.dates import Act, Unit, reckon
from store.rules.duties import Step, StepState
from store.rules.facts import Away, DeputyNamed, Role
from store.rules.ordinance import Office, OfficeHours
from store.rules.reminding import Stage, in_office_hours, stage_of, whom_to_remind
from store.rules.roster import Member, Roster
from tests.rules.case_builders import a_profile

PROFILE = a_profile()
ZONE = city_zone("America/New_York")
STAGES = (7, 3, 1, 0)
CALENDAR = parse_calendar(
    "adopted_years = [2026]\n"
    '[[closure]]\ndate = 2026-03-10\nreason = "storm"\n'
    '[[closure]]\ndate = 2026-03-11\nreason = "half day"\ncloses_at = "12:00"\n',
    ZONE,
)
RECEIVED = datetime(2026, 3, 2, 15, tzinfo=UTC)
CLERK, CHAIR, MANAGER, FIRST, SECOND = 1, 2, 3, 4, 5
SINCE = date(2020, 1, 1)
TODAY = date(2026, 3, 9)


def a_step(duty: str = "acknowledge", *, period: int = 10, act: Act = Act.BOARD_ACT) -> Step:
    row = next(one for one in PROFILE.duties if one.id == duty)
    found = reckon(RECEIVED, period, unit=Unit.WORKING_DAYS, act=act, calendar=CALENDAR)
    return Step(row.id, row, None, StepState.OPEN, (), found)


def a_roster(*, away: tuple[Away, ...] = (), deputies: tuple[DeputyNamed, ...] = ()) -> Roster:
    roles = {CLERK: Role.CLERK, CHAIR: Role.CHAIR, MANAGER: Role.CITY_MANAGER}
    members = {who: Member(who, f"P{who}", terms=((role, SINCE, None),)) for who, role in roles.items()}
    return Roster(members | {who: Member(who, f"P{who}") for who in (FIRST, SECOND)}, deputies, away)


def reminded(
    stage: Stage, people: Roster, *, duty: str = "acknowledge", may: Callable[[int], bool] = lambda _one: True
) -> set[int]:
    return set(whom_to_remind(a_step(duty), stage, people, TODAY, may))


SOON, LATE = Stage("3"), Stage("overdue-2", 2)
AWAY = (Away(CLERK, TODAY, TODAY),)
DEPUTIES = (DeputyNamed(FIRST, CLERK, SINCE), DeputyNamed(SECOND, CLERK, SINCE))


# -- stages -------------------------------------------------------------------------------------------


def test_nothing_is_said_before_the_first_stage() -> None:
    step = a_step(period=20)
    assert step.act_by is not None
    assert stage_of(step, RECEIVED.date(), CALENDAR, STAGES) is None


def test_the_most_advanced_stage_that_was_reached_counts() -> None:
    step = a_step()
    assert step.act_by == date(2026, 3, 16)
    days = {date(2026, 3, 12): "3", date(2026, 3, 13): "1", date(2026, 3, 15): "1", date(2026, 3, 16): "0"}
    assert {on: stage_of(step, on, CALENDAR, STAGES) for on in days} == {
        on: Stage(name) for on, name in days.items()
    }


def test_between_the_safe_day_and_the_last_lawful_day_it_is_past_the_safe_day() -> None:
    step = a_step()
    assert step.dates is not None
    assert step.dates.expected_last_day == date(2026, 3, 17)
    assert stage_of(step, date(2026, 3, 17), CALENDAR, STAGES) == Stage("past-the-safe-day")


def test_lawful_until_the_seventeenth_is_overdue_on_the_eighteenth() -> None:
    assert stage_of(a_step(), date(2026, 3, 18), CALENDAR, STAGES) == Stage("overdue-1", 1)


def test_overdue_days_are_working_days() -> None:
    friday, saturday, monday = date(2026, 3, 20), date(2026, 3, 21), date(2026, 3, 23)
    found = [stage_of(a_step(), on, CALENDAR, STAGES) for on in (friday, saturday, monday)]
    assert found == [Stage("overdue-3", 3), Stage("overdue-3", 3), Stage("overdue-4", 4)]


def test_a_right_is_overdue_only_after_the_day_until_which_it_is_kept_open() -> None:
    step = a_step(act=Act.FILING)
    assert step.dates is not None
    until = step.dates.keep_open_until
    assert until is not None
    before, after = (
        stage_of(step, until, CALENDAR, STAGES),
        stage_of(step, until + timedelta(1), CALENDAR, STAGES),
    )
    assert before is None or not before.days_overdue
    assert after is not None
    assert after.days_overdue == 1


def test_a_step_without_a_date_has_no_stage() -> None:
    row = next(one for one in PROFILE.duties if one.id == "determine")
    assert stage_of(Step(row.id, row, None, StepState.OPEN), TODAY, CALENDAR, STAGES) is None


@given(st.integers(0, 60))
def test_a_stage_never_becomes_milder_as_days_pass(days: int) -> None:
    order = ["7", "3", "1", "0", "past-the-safe-day"]

    def rank(on: date) -> int:
        stage = stage_of(a_step(), on, CALENDAR, STAGES)
        if stage is None:
            return -1
        return order.index(stage.name) if stage.name in order else len(order) + stage.days_overdue

    day = RECEIVED.date() + timedelta(days)
    assert rank(day) <= rank(day + timedelta(1))


# -- office hours -------------------------------------------------------------------------------------

HOURS = OfficeHours(time(8), time(16, 30))


@pytest.mark.parametrize(
    ("local", "open_"),
    [
        ("2026-03-09T07:59", False),
        ("2026-03-09T08:00", True),
        ("2026-03-09T16:29", True),
        ("2026-03-09T16:30", False),
        ("2026-03-08T10:00", False),
        ("2026-03-10T10:00", False),
        ("2026-03-11T11:59", True),
        ("2026-03-11T12:00", False),
    ],
)
def test_reminders_go_while_city_hall_is_open(local: str, *, open_: bool) -> None:
    now = datetime.fromisoformat(local).replace(tzinfo=ZONE)
    assert in_office_hours(now.astimezone(UTC), CALENDAR, HOURS) is open_


# -- whom ---------------------------------------------------------------------------------------------


def test_a_duty_of_the_city_manager_is_told_to_him_and_to_staff() -> None:
    assert reminded(SOON, a_roster(), duty="refer") == {MANAGER, CLERK}


def test_a_duty_of_the_board_is_told_to_staff_and_chair() -> None:
    duty = next(one.id for one in PROFILE.duties if one.owed_by is Office.BOARD)
    assert reminded(SOON, a_roster(), duty=duty) == {CLERK, CHAIR}


def test_deputies_are_told_from_the_second_overdue_day_on() -> None:
    people = a_roster(deputies=DEPUTIES)
    assert reminded(Stage("overdue-1", 1), people, duty="refer") == {MANAGER, CLERK}
    assert reminded(LATE, people, duty="refer") == {MANAGER, CLERK, FIRST, SECOND}


def test_the_chair_is_told_from_the_third_overdue_day_on() -> None:
    assert CHAIR not in reminded(LATE, a_roster(), duty="refer")
    assert CHAIR in reminded(Stage("overdue-3", 3), a_roster(), duty="refer")


def test_for_somebody_who_is_away_his_deputies_are_told() -> None:
    people = a_roster(away=AWAY, deputies=DEPUTIES)
    assert reminded(SOON, people, duty="refer") == {MANAGER, FIRST, SECOND}


def test_a_deputy_who_may_not_know_of_the_case_is_left_out() -> None:
    people = a_roster(away=AWAY, deputies=DEPUTIES)
    assert reminded(SOON, people, duty="refer", may=lambda who: who != FIRST) == {MANAGER, SECOND}


def test_somebody_who_is_away_is_told_himself_where_no_deputy_may_know() -> None:
    people = a_roster(away=AWAY, deputies=DEPUTIES)
    found = reminded(SOON, people, duty="refer", may=lambda who: who not in {FIRST, SECOND})
    assert found == {MANAGER, CLERK}


def test_somebody_who_is_away_without_a_deputy_is_told_himself() -> None:
    assert CLERK in reminded(SOON, a_roster(away=AWAY), duty="refer")


def test_nobody_is_told_twice_of_one_step() -> None:
    people = a_roster(deputies=(DeputyNamed(CHAIR, CLERK, SINCE),))
    found = whom_to_remind(a_step("refer"), Stage("overdue-3", 3), people, TODAY, lambda _who: True)
    assert len(found) == len(set(found))

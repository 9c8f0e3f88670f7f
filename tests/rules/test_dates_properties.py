"""What holds for every start from 2024 to 2029, whatever the city closes."""

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.rules.calendar import Calendar, Closure
from store.rules.dates import Act, Dates, Unit, local_date, reckon
from tests.rules.time_builders import CENTRAL, DEMO_CITY, EASTERN, YEARS, noon_of

FIRST, LAST = date(2024, 1, 1), date(2029, 12, 31)
EVERY_START = [FIRST + timedelta(days=later) for later in range((LAST - FIRST).days + 1)]
KINDS = [(unit, act) for unit in Unit for act in Act]
PERIODS = (1, 5, 6, 7, 10, 30, 40, 45)

starts = st.dates(FIRST, LAST)
periods = st.integers(0, 60)
kinds = st.sampled_from(KINDS)
hours = st.sampled_from([None, None, time(12), time(15, 30)])


@st.composite
def closures_near(draw: st.DrawFn, start: date) -> tuple[Closure, ...]:
    """Closures, single days and runs of them, in the weeks after a start."""
    offsets = draw(st.lists(st.integers(-5, 90), max_size=25))
    return tuple(Closure(start + timedelta(days=offset), "closed", draw(hours)) for offset in offsets)


@st.composite
def cities(draw: st.DrawFn) -> tuple[date, Calendar]:
    """A start, and a city with closures near it."""
    start = draw(starts)
    zone = draw(st.sampled_from([EASTERN, CENTRAL]))
    return start, Calendar(zone, (), draw(closures_near(start)), YEARS)


def dates_of(start: date, period: int, kind: tuple[Unit, Act], calendar: Calendar) -> Dates:
    unit, act = kind
    return reckon(noon_of(start, calendar.zone), period, unit=unit, act=act, calendar=calendar)


def holds(dates: Dates, calendar: Calendar) -> None:
    """Check what must hold for any dates of any period."""
    last = dates.expected_last_day
    assert last.weekday() < 5
    assert not calendar.is_legal_holiday(last)
    assert last >= dates.counted_to >= dates.start_on
    assert [explained.on for explained in dates.days] == [
        dates.start_on + timedelta(days=later) for later in range(1, (last - dates.start_on).days + 1)
    ]
    assert sum(explained.counted for explained in dates.days) == dates.period
    assert all(explained.reason for explained in dates.days)
    assert local_date(dates.period_ends_before, dates.zone) == last + timedelta(days=1)
    assert local_date(dates.period_ends_before - timedelta(microseconds=1), dates.zone) == last
    assert dates.alt_last_day != last
    if dates.act is Act.FILING:
        stays_open(dates, calendar)
    else:
        is_safe(dates, calendar)


def stays_open(dates: Dates, calendar: Calendar) -> None:
    """Check a right: it ends on a day the office is open to the usual hour, and stays open at least so long."""
    assert dates.act_by is None
    assert dates.keep_open_until is not None
    assert dates.keep_open_until >= max(
        dates.expected_last_day, dates.alt_last_day or dates.expected_last_day
    )
    for day in (dates.expected_last_day, dates.keep_open_until):
        assert calendar.is_open(day)
        assert calendar.closes_at(day) is None


def is_safe(dates: Dates, calendar: Calendar) -> None:
    """Check the safe day: in time, and open wherever there is an open day."""
    assert dates.keep_open_until is None
    assert dates.act_by is not None
    assert dates.start_on <= dates.act_by <= dates.expected_last_day
    span = (
        dates.start_on + timedelta(days=later)
        for later in range((dates.expected_last_day - dates.start_on).days + 1)
    )
    assert calendar.is_open(dates.act_by) or not any(calendar.is_open(day) for day in span)
    assert dates.act_by_closes_at == calendar.closes_at(dates.act_by)


@pytest.mark.parametrize("kind", KINDS, ids=[f"{unit}-{act}" for unit, act in KINDS])
def test_every_start_of_six_years_keeps_the_law_in_the_demo_city(kind: tuple[Unit, Act]):
    for period in PERIODS:
        before = FIRST
        for start in EVERY_START:
            dates = dates_of(start, period, kind, DEMO_CITY)
            holds(dates, DEMO_CITY)
            assert dates.expected_last_day >= before, "a later receipt never ends sooner"
            before = dates.expected_last_day


@settings(max_examples=300, deadline=None)
@given(cities(), periods, kinds)
def test_the_law_is_kept_whatever_the_city_closes(
    city: tuple[date, Calendar], period: int, kind: tuple[Unit, Act]
):
    start, calendar = city
    holds(dates_of(start, period, kind, calendar), calendar)


@settings(max_examples=200, deadline=None)
@given(cities(), periods, kinds)
def test_a_receipt_a_day_later_never_ends_sooner(
    city: tuple[date, Calendar], period: int, kind: tuple[Unit, Act]
):
    start, calendar = city
    today, tomorrow = (dates_of(start + timedelta(days=n), period, kind, calendar) for n in (0, 1))
    assert today.expected_last_day <= tomorrow.expected_last_day
    if today.keep_open_until and tomorrow.keep_open_until:
        assert today.keep_open_until <= tomorrow.keep_open_until


@settings(max_examples=200, deadline=None)
@given(cities(), periods.filter(lambda period: period != 6), kinds)
def test_a_longer_period_never_ends_sooner_but_from_six_to_seven_days(
    city: tuple[date, Calendar], period: int, kind: tuple[Unit, Act]
):
    start, calendar = city
    shorter, longer = (dates_of(start, period + n, kind, calendar) for n in (0, 1))
    assert shorter.expected_last_day <= longer.expected_last_day


@settings(max_examples=200, deadline=None)
@given(cities(), periods, kinds, st.integers(0, 90), hours)
def test_one_more_closure_never_makes_a_period_end_sooner(
    city: tuple[date, Calendar], period: int, kind: tuple[Unit, Act], offset: int, hour: time | None
):
    start, calendar = city
    more = calendar.with_closures([Closure(start + timedelta(days=offset), "storm", hour)])
    before, after = (dates_of(start, period, kind, office) for office in (calendar, more))
    assert before.expected_last_day <= after.expected_last_day


@settings(max_examples=200, deadline=None)
@given(cities(), periods)
def test_a_right_never_ends_before_a_duty_of_the_same_length(city: tuple[date, Calendar], period: int):
    start, calendar = city
    for unit in Unit:
        duty, right = (dates_of(start, period, (unit, act), calendar) for act in (Act.BOARD_ACT, Act.FILING))
        assert duty.expected_last_day <= right.expected_last_day


@settings(max_examples=200, deadline=None)
@given(
    cities(),
    periods,
    kinds,
    st.integers(0, 86_399),
    st.integers(-14 * 60, 14 * 60),
)
def test_only_the_local_day_of_receipt_matters_whatever_the_offset(
    city: tuple[date, Calendar], period: int, kind: tuple[Unit, Act], second: int, offset_min: int
):
    start, calendar = city
    unit, act = kind
    at = datetime.combine(start, time(), tzinfo=calendar.zone).astimezone(UTC) + timedelta(
        seconds=second * 23 / 24
    )
    written = at.astimezone(timezone(timedelta(minutes=offset_min)))
    found = reckon(written, period, unit=unit, act=act, calendar=calendar)
    noon = dates_of(start, period, kind, calendar)
    assert found.start_on == start
    assert (found.days, found.expected_last_day, found.alt_last_day, found.act_by, found.keep_open_until) == (
        noon.days,
        noon.expected_last_day,
        noon.alt_last_day,
        noon.act_by,
        noon.keep_open_until,
    )

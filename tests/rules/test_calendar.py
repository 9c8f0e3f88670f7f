"""Holidays by formula, the city's closures, and what each day is."""

from datetime import date, time, timedelta

import pytest

from store.rules.calendar import (
    Calendar,
    Closure,
    Nature,
    Proclaimed,
    arguable_holidays,
    city_zone,
    easter,
    hour_in_words,
    legal_holidays,
    next_open_day,
    previous_open_day,
    working_days_before,
    working_days_between,
)
from store.rules.errors import BadInput
from tests.rules.time_builders import CENTRAL, DEMO_CITY, EASTERN, NO_CLOSURES, VECTORS, closed, day

TABLE = VECTORS["meta"]["krs_2_110"]


@pytest.mark.parametrize("year", sorted(TABLE))
def test_the_formula_gives_exactly_the_legal_holidays_of_the_year(year: str):
    assert sorted(on.isoformat() for on in legal_holidays(int(year))) == sorted(TABLE[year])


@pytest.mark.parametrize(
    "on",
    [
        "2026-07-03",
        "2027-12-24",
        "2027-12-31",
        "2028-11-10",
        "2027-07-05",
        "2025-04-18",
        "2024-11-05",
        "2025-06-19",
    ],
)
def test_an_observed_or_state_office_day_is_no_legal_holiday(on: str):
    assert not NO_CLOSURES.is_legal_holiday(day(on))
    assert Nature.ARGUABLE_HOLIDAY in NO_CLOSURES.day(day(on)).natures


def test_a_day_with_two_legal_names_carries_both():
    assert legal_holidays(2026)[day("2026-01-19")] == "Martin Luther King Jr. Day and Robert E. Lee Day"


@pytest.mark.parametrize(
    ("year", "sunday"),
    [(2024, "2024-03-31"), (2025, "2025-04-20"), (2026, "2026-04-05"), (2027, "2027-03-28"), (2028, "2028-04-16"),
     (2029, "2029-04-01"), (1954, "1954-04-18"), (2038, "2038-04-25"), (2285, "2285-03-22")],
)  # fmt: skip
def test_easter_falls_where_the_almanac_has_it(year: int, sunday: str):
    assert easter(year) == day(sunday)


@pytest.mark.parametrize(
    ("year", "days"),
    [
        (2024, "01-02 03-29 06-19 11-05 11-29 12-24 12-31"),
        (2025, "04-18 06-19 11-28 12-24 12-31"),
        (2026, "04-03 06-19 07-03 11-27 12-24 12-31"),
        (2027, "03-26 06-18 06-19 07-05 11-26 12-24 12-31"),
        (2028, "04-14 06-19 11-07 11-10 11-24 12-26"),
        (2029, "01-02 03-30 06-19 11-12 11-23 12-24 12-31"),
    ],
)
def test_the_arguable_days_of_a_year_are_the_state_office_days(year: int, days: str):
    assert sorted(arguable_holidays(year)) == [day(f"{year}-{text}") for text in days.split()]


def test_new_year_on_a_saturday_is_observed_in_the_year_before():
    assert "New Year's Day observed" in arguable_holidays(2027)[day("2027-12-31")]
    assert day("2027-12-31") not in arguable_holidays(2028)


def test_presidential_election_day_comes_every_fourth_year_only():
    named = [
        year for year in range(2024, 2034) if "presidential election day" in arguable_holidays(year).values()
    ]
    assert named == [2024, 2028, 2032]


def test_a_legal_holiday_with_the_office_open_is_an_open_day():
    assert DEMO_CITY.is_legal_holiday(day("2025-10-13"))
    assert DEMO_CITY.is_open(day("2025-10-13"))


def test_a_closed_day_and_a_weekend_are_not_open():
    assert not DEMO_CITY.is_open(day("2026-11-27"))
    assert not DEMO_CITY.is_open(day("2026-11-28"))
    assert DEMO_CITY.is_open(day("2026-11-30"))


def test_an_early_closing_is_an_open_day_with_an_hour():
    assert DEMO_CITY.is_open(day("2026-04-03"))
    assert DEMO_CITY.closes_at(day("2026-04-03")) == time(12)
    assert DEMO_CITY.closes_at(day("2026-04-02")) is None
    assert DEMO_CITY.closes_at(day("2026-11-27")) is None


def test_a_proclaimed_day_is_a_legal_holiday_on_that_date_alone():
    calendar = Calendar(EASTERN, (Proclaimed(day("2025-01-09"), "day of mourning"),))
    assert calendar.is_legal_holiday(day("2025-01-09"))
    assert not calendar.is_legal_holiday(day("2026-01-09"))
    assert calendar.is_open(day("2025-01-09"))


def test_a_day_named_twice_is_closed_rather_than_closing_early_whatever_the_order():
    half, whole = Closure(day("2026-03-04"), "water main", time(14)), Closure(day("2026-03-04"), "flood")
    for closures in ((half, whole), (whole, half)):
        assert not Calendar(EASTERN, (), closures).is_open(day("2026-03-04"))


def test_of_two_early_closings_the_earlier_hour_stands():
    late, early = Closure(day("2026-03-04"), "a", time(15)), Closure(day("2026-03-04"), "b", time(11, 30))
    assert Calendar(EASTERN, (), (late, early)).closes_at(day("2026-03-04")) == time(11, 30)


def test_the_version_follows_content_and_not_order():
    one, two = closed("2026-03-04", "2026-03-05")
    assert Calendar(EASTERN, (), (one, two)).version == Calendar(EASTERN, (), (two, one)).version
    versions = {
        Calendar(EASTERN).version,
        Calendar(CENTRAL).version,
        Calendar(EASTERN, (), (one,)).version,
        Calendar(EASTERN, (), (two,)).version,
        Calendar(EASTERN, (), (Closure(one.on, one.reason, time(12)),)).version,
        Calendar(EASTERN, (), (Closure(one.on, "another reason"),)).version,
        Calendar(EASTERN, (Proclaimed(one.on, one.reason),)).version,
        Calendar(EASTERN, (), (), frozenset({2026})).version,
    }
    assert len(versions) == 8


def test_more_closures_adopt_no_year_and_leave_the_calendar_as_it_was():
    calendar = Calendar(EASTERN, (), (), frozenset({2026}))
    more = calendar.with_closures(closed("2027-03-04"))
    assert more.adopted_years == {2026}
    assert not more.is_open(day("2027-03-04"))
    assert calendar.is_open(day("2027-03-04"))


def test_the_next_and_the_previous_open_day_step_over_a_long_weekend():
    assert next_open_day(day("2026-11-25"), DEMO_CITY) == day("2026-11-30")
    assert previous_open_day(day("2026-11-30"), DEMO_CITY) == day("2026-11-25")


@pytest.mark.parametrize(
    ("n", "on"),
    [(0, "2026-11-30"), (1, "2026-11-25"), (2, "2026-11-24"), (3, "2026-11-23"), (4, "2026-11-20")],
)
def test_working_days_before_a_day_skip_weekends_and_closures(n: int, on: str):
    assert working_days_before(day("2026-11-30"), n, DEMO_CITY) == day(on)


def test_no_working_days_before_a_closed_day_is_the_open_day_before_it():
    assert working_days_before(day("2026-11-29"), 0, DEMO_CITY) == day("2026-11-25")


def test_a_negative_number_of_working_days_before_is_refused():
    with pytest.raises(BadInput):
        working_days_before(day("2026-11-30"), -1, DEMO_CITY)


def test_working_days_between_count_the_end_and_not_the_start_and_carry_a_sign():
    assert working_days_between(day("2026-11-25"), day("2026-11-30"), DEMO_CITY) == 1
    assert working_days_between(day("2026-11-30"), day("2026-11-25"), DEMO_CITY) == -1
    assert working_days_between(day("2026-11-25"), day("2026-11-29"), DEMO_CITY) == 0
    assert working_days_between(day("2026-11-25"), day("2026-11-25"), DEMO_CITY) == 0


def test_going_back_n_working_days_and_counting_forward_agree_on_every_open_day():
    start = date(2024, 3, 1)
    for on in (start + timedelta(days=later) for later in range(2000)):
        if DEMO_CITY.is_open(on):
            for n in (0, 1, 3, 7):
                assert working_days_between(working_days_before(on, n, DEMO_CITY), on, DEMO_CITY) == n


@pytest.mark.parametrize(
    "name", ["America/New_York", "America/Chicago", "America/Kentucky/Louisville", "UTC"]
)
def test_a_zone_of_the_database_is_known(name: str):
    assert city_zone(name).key == name


@pytest.mark.parametrize(
    "name", ["", "Mars/Base", "Eastern", "America", "../../etc/passwd", "/etc/passwd", "a\0b", "zone.tab"]
)
def test_a_zone_that_does_not_exist_is_refused(name: str):
    with pytest.raises(BadInput, match="time zone"):
        city_zone(name)


@pytest.mark.parametrize(
    ("hour", "words"),
    [(time(12), "noon"), (time(0, 15), "12:15 a.m."), (time(14, 30), "2:30 p.m."), (time(9), "9:00 a.m.")],
)
def test_an_hour_is_said_as_people_say_it(hour: time, words: str):
    assert hour_in_words(hour) == words


def test_whoever_closes_a_holiday_or_a_day_of_an_open_year_is_told_what_that_means() -> None:
    calendar = Calendar(EASTERN, (Proclaimed(date(2026, 2, 6), "day of mourning"),), (), frozenset({2026}))
    assert calendar.told_of_closing(date(2026, 2, 5)) == ()
    (lee,) = calendar.told_of_closing(date(2026, 1, 19))
    assert "Robert E. Lee Day" in lee
    (mourning,) = calendar.told_of_closing(date(2026, 2, 6))
    assert "day of mourning" in mourning
    (open_year,) = calendar.told_of_closing(date(2027, 3, 1))
    assert "2027 is not adopted" in open_year

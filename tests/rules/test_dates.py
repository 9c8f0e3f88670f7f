"""Periods to dates: the law's own cases, both sides of each limit, and the reasons."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from store.rules.calendar import Calendar, Closure, Nature, Proclaimed
from store.rules.dates import Act, Unit, local_date, parse_instant, reckon, sentences, start_of_day
from store.rules.errors import BadInput
from tests.rules.time_builders import (
    CENTRAL,
    DEMO_CITY,
    DEMO_CITY_CENTRAL,
    DEMO_CLOSURES,
    EASTERN,
    NO_CLOSURES,
    VECTORS,
    board_days,
    closed,
    day,
    filing,
    of_vector,
    working_days,
)

CASES = VECTORS["vectors"]


@pytest.mark.parametrize("vector", CASES, ids=[vector["id"] for vector in CASES])
def test_a_period_worked_out_by_hand_comes_out_the_same(vector: dict):
    dates = of_vector(vector)
    found = {
        "start_local_date": f"{dates.start_on}",
        "expected_last_day": f"{dates.expected_last_day}",
        "alt_last_day": dates.alt_last_day and f"{dates.alt_last_day}",
        "act_by": dates.act_by and f"{dates.act_by}",
        "period_ends_before": dates.period_ends_before.astimezone(dates.zone).isoformat(),
    }
    assert found == {name: vector[name] for name in found}
    if vector["keep_open_until"] is not None:
        assert dates.keep_open_until == day(vector["keep_open_until"])


def test_a_filing_always_has_a_day_until_which_it_stays_open_and_a_board_act_a_safe_day():
    for vector in CASES:
        dates = of_vector(vector)
        assert (dates.keep_open_until is not None) == (dates.act is Act.FILING)
        assert (dates.act_by is not None) == (dates.act is Act.BOARD_ACT)


# --- KRS 446.030: less than seven days ---------------------------------------------------------------


def test_six_days_leave_out_the_weekend_and_seven_days_do_not():
    assert filing("2026-03-02", 6).expected_last_day == day("2026-03-10")
    assert filing("2026-03-02", 7).expected_last_day == day("2026-03-09")


def test_six_days_leave_out_a_legal_holiday_on_which_the_office_is_open():
    assert filing("2025-10-08", 6, NO_CLOSURES).expected_last_day == day("2025-10-17")


def test_a_merely_closed_day_in_between_is_counted_in_a_short_period():
    assert (
        filing("2026-03-02", 5, close=["2026-03-04"]).expected_last_day
        == filing("2026-03-02", 5).expected_last_day
    )


def test_a_proclaimed_day_is_left_out_of_a_short_period_and_never_last():
    calendar = Calendar(EASTERN, (Proclaimed(day("2026-03-04"), "day of thanksgiving"),))
    assert filing("2026-03-02", 2, calendar).expected_last_day == day("2026-03-05")
    assert board_days("2026-02-02", 30, calendar).expected_last_day == day("2026-03-05")
    assert filing("2026-03-02", 2, calendar).days[1].kind is Nature.PROCLAIMED_HOLIDAY


# --- the last day ------------------------------------------------------------------------------------


def test_a_closed_office_moves_the_end_of_a_filing_and_not_of_an_act_of_the_board():
    assert board_days("2026-03-02", 30, close=["2026-04-01"]).expected_last_day == day("2026-04-01")
    assert filing("2026-03-02", 30, close=["2026-04-01"]).expected_last_day == day("2026-04-02")


def test_a_closed_office_moves_the_other_reading_of_an_act_of_the_board():
    assert board_days("2026-03-02", 30, close=["2026-04-01"]).alt_last_day == day("2026-04-02")


def test_an_early_closing_moves_the_end_of_a_filing():
    calendar = Calendar(EASTERN, (), (Closure(day("2026-03-09"), "storm", time(15)),))
    assert filing("2026-03-02", 5, calendar).expected_last_day == day("2026-03-10")
    assert filing("2026-03-02", 5, NO_CLOSURES).expected_last_day == day("2026-03-09")


def test_a_legal_holiday_moves_the_end_though_the_office_is_open():
    assert DEMO_CITY.is_open(day("2025-10-13"))
    assert board_days("2025-09-13", 30).expected_last_day == day("2025-10-14")


def test_an_open_legal_holiday_counts_as_a_working_day_but_is_never_the_last():
    dates = working_days("2025-09-29", 10)
    assert dates.counted_to == day("2025-10-13")
    assert dates.expected_last_day == day("2025-10-14")
    assert dates.act_by == day("2025-10-13")


def test_the_end_runs_on_over_closure_weekend_and_holiday_together():
    assert filing("2026-08-05", 30, close=["2026-09-04"]).expected_last_day == day("2026-09-08")


# --- the safe day of the Board, and the right kept open ----------------------------------------------


def test_the_safe_day_moves_back_over_closed_days():
    assert board_days("2026-10-28", 30).act_by == day("2026-11-25")


def test_a_safe_day_that_closes_early_says_so():
    dates = board_days("2024-02-29", 30)
    assert dates.act_by_closes_at == time(12)
    assert dates.act_by_in_words == "2024-03-29 by noon"


def test_a_safe_day_of_usual_hours_names_no_hour():
    assert board_days("2026-03-02", 30).act_by_in_words == "2026-04-01"


def test_the_safe_day_is_never_before_the_receipt():
    """Received on a closed Thanksgiving: the working day of the other reading is closed too."""
    dates = working_days("2026-11-26", 1)
    assert dates.expected_last_day == day("2026-11-30")
    assert dates.alt_last_day == day("2026-11-27")
    assert dates.act_by == day("2026-11-30")


def test_the_safe_day_may_be_the_day_of_receipt():
    assert working_days("2026-07-02", 1).act_by == day("2026-07-02")


def test_where_no_day_is_open_until_the_last_lawful_one_the_safe_day_is_that_last_day():
    dates = board_days("2026-11-26", 1)
    assert dates.expected_last_day == dates.act_by == day("2026-11-27")


def test_an_arguable_day_moves_the_other_reading_and_the_right_kept_open_though_city_hall_is_open():
    assert board_days("2025-03-19", 30, NO_CLOSURES).alt_last_day == day("2025-04-21")
    right = filing("2025-03-19", 30, NO_CLOSURES)
    assert right.expected_last_day == day("2025-04-18")
    assert right.keep_open_until == day("2025-04-21")


def test_an_early_closing_makes_a_right_last_longer_but_not_a_duty():
    assert filing("2024-02-28", 30).expected_last_day == day("2024-04-01")
    assert board_days("2024-02-28", 30).expected_last_day == day("2024-03-29")


@pytest.mark.parametrize(
    ("received", "until"),
    [
        ("2026-06-15", "2026-06-23"),  # Juneteenth
        ("2028-11-03", "2028-11-14"),  # presidential election, Veterans Day observed
        ("2024-12-19", "2024-12-30"),  # 24 December
        ("2027-12-20", "2027-12-28"),  # Christmas observed on Friday
        ("2028-12-20", "2028-12-29"),  # 26 December, since the 24th is a Sunday
    ],
)
def test_a_right_stays_open_as_if_every_arguable_day_were_a_legal_holiday(received: str, until: str):
    assert filing(received, 5).keep_open_until == day(until)


def test_a_right_in_working_days_stays_open_by_the_latest_reading_too():
    dates = reckon(
        parse_instant("2026-11-19T10:00:00-05:00"),
        5,
        unit=Unit.WORKING_DAYS,
        act=Act.FILING,
        calendar=DEMO_CITY,
    )
    assert dates.expected_last_day == day("2026-11-30")
    assert dates.keep_open_until == day("2026-11-30")
    assert dates.act_by is None


# --- days, instants, zones ---------------------------------------------------------------------------


def test_one_instant_is_two_days_in_the_two_zones():
    instant = "2026-03-06T05:30:00+00:00"
    assert working_days(instant, 10, DEMO_CITY).start_on == day("2026-03-06")
    assert working_days(instant, 10, DEMO_CITY_CENTRAL).start_on == day("2026-03-05")


@pytest.mark.parametrize("offset", ["+14:00", "+05:30", "+00:00", "-05:00", "-12:00"])
def test_one_instant_gives_one_result_however_it_is_written(offset: str):
    instant = datetime(2026, 3, 6, 4, 59, 59, tzinfo=UTC)
    written = instant.astimezone(datetime.fromisoformat(f"2026-01-01T00:00:00{offset}").tzinfo)
    assert working_days(written, 10) == working_days(instant, 10)


@pytest.mark.parametrize("zone", [EASTERN, CENTRAL])
@pytest.mark.parametrize("on", ["2026-03-08", "2026-11-01", "2027-01-01", "2028-02-29"])
def test_a_day_runs_from_its_first_instant_to_the_first_of_the_next(on: str, zone: ZoneInfo):
    first, after = start_of_day(day(on), zone), start_of_day(day(on) + timedelta(days=1), zone)
    assert local_date(first, zone) == day(on)
    assert local_date(first - timedelta(microseconds=1), zone) == day(on) - timedelta(days=1)
    assert local_date(after - timedelta(microseconds=1), zone) == day(on)
    hours = {"2026-03-08": 23, "2026-11-01": 25}.get(on, 24)
    assert after - first == timedelta(hours=hours)


@pytest.mark.parametrize("on", ["2026-03-08", "2026-11-01", "2026-12-31"])
def test_every_hour_of_a_day_gives_the_same_dates(on: str):
    for calendar in (DEMO_CITY, DEMO_CITY_CENTRAL):
        first = start_of_day(day(on), calendar.zone)
        last = start_of_day(day(on) + timedelta(days=1), calendar.zone)
        quarter_hours = range(int((last - first) / timedelta(minutes=15)))
        ends = {
            board_days(first + timedelta(minutes=15 * n), 30, calendar).expected_last_day
            for n in quarter_hours
        }
        assert len(ends) == 1


def test_the_end_of_the_period_is_an_instant_in_utc():
    ends = board_days("2026-03-02", 30).period_ends_before
    assert ends == datetime(2026, 4, 2, 4, tzinfo=UTC)
    assert ends.tzinfo is UTC


@pytest.mark.parametrize(
    "text",
    ["2026-03-02T10:00:00-05:00", "2026-03-02T15:00:00Z", "2026-03-02t15:00:00z", " 2026-03-02 15:00+00:00 "],
)
def test_an_instant_is_read_in_its_usual_spellings(text: str):
    assert parse_instant(text) == datetime(2026, 3, 2, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    ["", "now", "2026-03-02", "2026-03-02T10:00:00", "2026-02-30T10:00:00Z", "2026-03-02T25:00:00Z", "1772463600",
     "2026-03-02T10:00:00+25:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:00:00-12:00"],
)  # fmt: skip
def test_an_instant_that_could_be_guessed_wrong_is_refused(text: str):
    with pytest.raises(BadInput):
        parse_instant(text)


def test_an_instant_without_an_offset_is_refused():
    naive = datetime(2026, 3, 2, 10)  # noqa: DTZ001  the test is about it
    with pytest.raises(BadInput, match="offset"):
        board_days(naive, 30)


@pytest.mark.parametrize("period", [-1, 3651])
def test_a_period_out_of_bounds_is_refused(period: int):
    with pytest.raises(BadInput, match="period"):
        board_days("2026-03-02", period)


@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("act", list(Act))
def test_the_longest_period_is_reckoned(unit: Unit, act: Act):
    dates = reckon(parse_instant("2026-03-02T10:00:00Z"), 3650, unit=unit, act=act, calendar=DEMO_CITY)
    assert sum(explained.counted for explained in dates.days) == 3650


def test_no_days_at_all_end_with_the_day_of_receipt_or_the_next_day_that_can_be_last():
    assert board_days("2026-03-02", 0).expected_last_day == day("2026-03-02")
    assert board_days("2026-03-07", 0).expected_last_day == day("2026-03-09")
    assert working_days("2026-03-07", 0).act_by == day("2026-03-09")


# --- years nobody has adopted ------------------------------------------------------------------------


def adopted(*years: int) -> Calendar:
    return Calendar(EASTERN, (), DEMO_CLOSURES, frozenset(years))


def test_dates_within_adopted_years_are_not_provisional():
    assert not board_days("2026-11-25", 30, adopted(2026)).provisional


def test_dates_that_reach_into_a_year_not_adopted_are_provisional_and_name_it():
    dates = working_days("2026-12-21", 10, adopted(2026))
    assert dates.provisional
    assert dates.provisional_years == (2027,)
    assert any("PROVISIONAL" in sentence and "2027" in sentence for sentence in sentences(dates))


def test_working_days_need_the_year_they_start_in_but_not_for_the_day_of_receipt_alone():
    assert working_days("2026-12-21", 10, adopted(2027)).provisional_years == (2026,)
    assert not working_days("2026-12-31", 10, adopted(2027)).provisional


def test_days_need_only_the_years_around_their_end():
    assert not board_days("2026-12-17", 30, adopted(2027)).provisional
    assert board_days("2026-12-02", 30, adopted(2027)).provisional_years == (2026,)


def test_a_last_day_on_the_last_of_december_and_one_on_the_next_working_day_differ():
    assert not filing("2026-12-28", 2, adopted(2026)).expected_last_day > day("2026-12-31")
    assert not board_days("2026-11-30", 30, adopted(2026)).provisional
    assert board_days("2026-12-02", 30, adopted(2026)).provisional_years == (2027,)


def test_another_reading_that_reaches_into_a_year_not_adopted_makes_the_dates_provisional():
    dates = board_days("2026-12-01", 30, adopted(2026))
    assert dates.expected_last_day == day("2026-12-31")
    assert dates.alt_last_day == day("2027-01-04")
    assert dates.provisional_years == (2027,)


def test_a_weekend_alone_needs_no_closures_of_its_year():
    assert not working_days("2028-12-29", 1, adopted(2029)).provisional


def test_a_closure_beside_the_calendar_adopts_no_year():
    calendar = Calendar(EASTERN)
    assert working_days("2026-03-02", 10, calendar, close=["2026-03-04"]).provisional_years == (2026,)


# --- reasons -----------------------------------------------------------------------------------------


def test_each_kind_of_day_is_explained():
    dates = filing("2026-11-19", 5)
    told = {f"{explained.on:%d}": (explained.counted, explained.kind) for explained in dates.days}
    assert told == {
        "20": (True, Nature.WEEKDAY),
        "21": (False, Nature.WEEKEND),
        "22": (False, Nature.WEEKEND),
        "23": (True, Nature.WEEKDAY),
        "24": (True, Nature.WEEKDAY),
        "25": (True, Nature.WEEKDAY),
        "26": (False, Nature.LEGAL_HOLIDAY),
        "27": (True, Nature.CLOSURE),
        "28": (False, Nature.WEEKEND),
        "29": (False, Nature.WEEKEND),
        "30": (False, Nature.WEEKDAY),
    }
    assert "the period cannot end on it" in dates.days[7].reason
    assert "to the end of it" in dates.days[-1].reason


def test_a_closure_gives_its_reason_and_a_holiday_its_statute():
    dates = working_days("2025-10-06", 10, Calendar(EASTERN, (), (Closure(day("2025-10-08"), "burst pipe"),)))
    assert "burst pipe" in dates.days[1].reason
    columbus = next(explained for explained in dates.days if explained.on == day("2025-10-13"))
    assert columbus.counted
    assert "KRS 2.110" in columbus.reason
    assert "city hall is open" in columbus.reason


def test_the_sentences_name_each_date_and_where_it_comes_from():
    said = " ".join(sentences(working_days("2026-01-05", 10, close=["2026-01-20"])))
    for text in ("2026-01-05", "2026-01-21", "Other reading: 2026-01-20", "Act by 2026-01-16"):
        assert text in said
    assert "Keep open until 2026-07-08" in " ".join(sentences(filing("2026-06-30", 5)))


def test_the_sources_name_the_case_on_early_closings_for_filings_only():
    assert any("Weird" in source for source in filing("2026-03-02", 5).sources)
    assert not any("Weird" in source for source in board_days("2026-03-02", 5).sources)


def test_the_result_carries_the_clause_and_the_version_of_the_calendar_used():
    instant = parse_instant("2026-03-02T10:00:00-05:00")
    extra = closed("2026-03-04")
    dates = reckon(
        instant,
        10,
        unit=Unit.WORKING_DAYS,
        act=Act.BOARD_ACT,
        calendar=DEMO_CITY,
        extra_closures=extra,
        clause="A-refer",
    )
    assert dates.clause == "A-refer"
    assert dates.calendar_version == DEMO_CITY.with_closures(extra).version != DEMO_CITY.version
    assert dates.received_at == instant
    assert dates.start_on == date(2026, 3, 2)

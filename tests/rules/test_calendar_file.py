"""The closures file: what it may say, and that a faulty entry is named."""

from datetime import date, time

import pytest

from store.rules.calendar import Closure, Proclaimed, parse_calendar, parse_day
from store.rules.errors import BadInput
from tests.rules.time_builders import EASTERN, day

WHOLE = """
adopted_years = [2026, 2027]

[[closure]]
date = 2026-01-26
reason = "ice storm"

[[closure]]
date = "2026-04-03"
reason = "Good Friday"
closes_at = 12:00:00

[[closure]]
date = 2026-12-24
reason = "Christmas Eve"
closes_at = "14:30"

[[proclaimed]]
date = 2025-01-09
reason = "day of mourning"
"""


def test_a_whole_file_is_read():
    calendar = parse_calendar(WHOLE, EASTERN)
    assert calendar.adopted_years == {2026, 2027}
    assert calendar.closures == (
        Closure(day("2026-01-26"), "ice storm"),
        Closure(day("2026-04-03"), "Good Friday", time(12)),
        Closure(day("2026-12-24"), "Christmas Eve", time(14, 30)),
    )
    assert calendar.proclaimed == (Proclaimed(day("2025-01-09"), "day of mourning"),)


def test_without_adopted_years_the_years_with_closures_count_as_adopted_and_a_proclamation_adopts_none():
    calendar = parse_calendar(WHOLE.replace("adopted_years = [2026, 2027]", ""), EASTERN)
    assert calendar.adopted_years == {2026}


def test_an_empty_list_of_adopted_years_adopts_none():
    assert parse_calendar(WHOLE.replace("[2026, 2027]", "[]"), EASTERN).adopted_years == frozenset()


def test_an_empty_file_is_a_calendar_without_closures():
    assert parse_calendar("", EASTERN).closures == ()


def test_a_byte_order_mark_is_passed_over():
    assert parse_calendar("\ufeff" + WHOLE, EASTERN) == parse_calendar(WHOLE, EASTERN)


def test_the_same_text_gives_the_same_version():
    assert parse_calendar(WHOLE, EASTERN).version == parse_calendar(WHOLE, EASTERN).version


def entry(text: str) -> str:
    """Give a file whose second closure is the faulty one."""
    return f'[[closure]]\ndate = 2026-01-01\nreason = "New Year"\n[[closure]]\n{text}\n'


@pytest.mark.parametrize(
    "text",
    [
        'reason = "no date"',
        'date = 2026-02-03T10:00:00\nreason = "an instant"',
        'date = "soon"\nreason = "no date"',
        'date = "20260203"\nreason = "no dashes"',
        'date = "2026-W05-1"\nreason = "a week"',
        'date = 20260203\nreason = "a number"',
        'date = 0026-02-03\nreason = "too early"',
        'date = 9026-02-03\nreason = "too late"',
        "date = 2026-02-03",
        'date = 2026-02-03\nreason = "  "',
        "date = 2026-02-03\nreason = 5",
        'date = 2026-02-03\nreason = "two\\nlines"',
        'date = 2026-02-03\nreason = "\\u001b[31mred"',
        f'date = 2026-02-03\nreason = "{"x" * 201}"',
        'date = 2026-02-03\nreason = "x"\ncloses_at = "noonish"',
        'date = 2026-02-03\nreason = "x"\ncloses_at = 12',
        'date = 2026-02-03\nreason = "x"\ncloses_at = "12:00+00:00"',
        'date = 2026-02-03\nreason = "x"\nclose_at = "12:00"',
    ],
)
def test_a_faulty_closure_is_refused_by_its_number(text: str):
    with pytest.raises(BadInput, match=r"\[\[closure\]\] number 2"):
        parse_calendar(entry(text), EASTERN)


def test_a_faulty_proclamation_is_refused_by_its_number():
    with pytest.raises(BadInput, match=r"\[\[proclaimed\]\] number 1"):
        parse_calendar('[[proclaimed]]\ndate = 2026-01-01\nreason = "x"\ncloses_at = "12:00"\n', EASTERN)


@pytest.mark.parametrize(
    "text",
    [
        "adopted_years = 2026",
        'adopted_years = ["2026"]',
        "adopted_years = [true]",
        "adopted_years = [26]",
        "adopted_years = [2026.0]",
        'closure = "2026-01-01"',
        "closure = [3]",
        "[closure]\ndate = 2026-01-01",
        "[[closures]]\ndate = 2026-01-01",
        "[[closure]]\ndate = 2026-02-30",
        "not toml at all",
        f"adopted_years = [{'9' * 5000}]",
        "adopted_years = " + "[" * 5000,
    ],
)
def test_a_file_that_cannot_be_used_is_refused(text: str):
    with pytest.raises(BadInput):
        parse_calendar(text, EASTERN)


def test_a_day_is_read_as_written_in_the_books():
    assert parse_day(" 2026-01-26 ") == date(2026, 1, 26)


@pytest.mark.parametrize(
    "text",
    ["", "2026-02-30", "20260126", "26-01-26", "2026-1-26", "2026-01-26T00:00", "٢٠٢٦-٠١-٢٦", "1899-12-31"],
)
def test_a_day_written_otherwise_is_refused(text: str):
    with pytest.raises(BadInput):
        parse_day(text)

"""Case numbers: decisions 18 and 28."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.rules.case_numbers import CaseNumber, find_numbers, number_of, parse_number
from store.rules.ordinance import parse_profile
from tests.rules.profile_builders import changed, profile_of

EC = profile_of("bramwell")
PLAIN = parse_profile(changed("EC-{year}-{seq:04d}", "{year}-{seq:03d}"))


@pytest.mark.parametrize(
    ("profile", "seq", "written"),
    [
        (EC, 7, "EC-2026-0007"),
        (EC, 9999, "EC-2026-9999"),
        (EC, 10000, "EC-2026-10000"),
        (PLAIN, 7, "2026-007"),
        (PLAIN, 999, "2026-999"),
        (PLAIN, 1000, "2026-1000"),
    ],
)
def test_a_number_is_padded_and_grows_wider_when_it_must(profile, seq, written) -> None:
    assert number_of(profile, 2026, seq) == written
    assert parse_number(profile, written) == CaseNumber(2026, seq)


@given(st.sampled_from([EC, PLAIN]), st.integers(1900, 9999), st.integers(1, 10**8))
def test_every_number_is_found_again_in_a_subject(profile, year, seq) -> None:
    subject = f"Re: [{number_of(profile, year, seq)}] your letter"
    assert find_numbers(profile, subject) == (CaseNumber(year, seq),)


@pytest.mark.parametrize(
    "subject",
    [
        "ec-2026-0007",
        "Fwd: EC-2026-0007.",
        "EC\u20112026\u20110007",
        "EC\u20132026\u20130007 follows",
        "[#48213] We got your request: [EC-2026-0007] Notice",
        "EC-2026-0007, and again EC-2026-0007",
        "EC-2026-0007-kq",
    ],
)
def test_a_number_is_found_whatever_mail_programs_did_to_it(subject) -> None:
    assert find_numbers(EC, subject) == (CaseNumber(2026, 7),)


@pytest.mark.parametrize(
    "subject",
    [
        "EC-2026-00007",
        "EC-2026-007",
        "XEC-2026-0007",
        "SPEC-2026-0007",
        "EC-2026-0007x",
        "EC-2026-0007-12",
        "EC-2026-0000",
        "EC-02026-0007",
        "EC 2026 0007",
        "",
    ],
)
def test_what_only_resembles_a_number_is_none(subject) -> None:
    assert find_numbers(EC, subject) == ()


@pytest.mark.parametrize("subject", ["on 2026-01-15", "call 555-2026-007", "2026-0015", "12026-007"])
def test_dates_and_telephone_numbers_are_no_case_numbers(subject) -> None:
    assert find_numbers(PLAIN, subject) == ()


def test_several_numbers_come_in_the_order_in_which_they_stand() -> None:
    found = find_numbers(PLAIN, "2026-012 and 2025-003, see 2026-012")
    assert found == (CaseNumber(2026, 12), CaseNumber(2025, 3))


@pytest.mark.parametrize("text", ["Re: EC-2026-0007", "EC-2026-0007 EC-2026-0008", "7", ""])
def test_a_text_with_more_than_a_number_is_no_number(text) -> None:
    assert parse_number(EC, text) is None


def test_a_number_typed_with_spaces_around_it_is_read() -> None:
    assert parse_number(EC, " ec-2026-0007 ") == CaseNumber(2026, 7)

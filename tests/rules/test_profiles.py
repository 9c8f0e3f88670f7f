"""Sister ordinances: what differs is said by data alone (law.md, sister ordinances)."""

from dataclasses import replace

import pytest

from store.rules.ballots import Ballot, Outcome, Roster, Sitting, tally
from store.rules.dates import Act, Unit
from store.rules.facts import Choice
from store.rules.ordinance import (
    Basis,
    Exit,
    Fulfilled,
    Kind,
    Office,
    Per,
    Records,
    Standing,
    Starts,
)
from tests.rules.ballot_builders import OPENED, votes_of
from tests.rules.profile_builders import ALL, SISTERS, profile_of, text_of

BRAMWELL = profile_of("bramwell")


def same_but(name: str, *differing: str) -> None:
    """Hold that a sister's duties are this ordinance's, those named left out."""
    sister = profile_of(name)
    rows = {one.id: one for one in sister.duties}
    for duty in BRAMWELL.duties:
        if duty.id not in differing:
            assert rows[duty.id] == duty


@pytest.mark.parametrize("name", ALL)
def test_every_shipped_profile_can_be_used(name) -> None:
    assert profile_of(name).duties


def test_this_ordinance_and_all_six_sisters_are_shipped() -> None:
    assert set(ALL) >= {"bramwell", *SISTERS}


@pytest.mark.parametrize("name", SISTERS)
def test_a_sister_is_an_example_and_says_so(name) -> None:
    assert profile_of(name).standing is Standing.EXAMPLE
    assert "not the city's official text" in text_of(name)
    assert "ramwell" not in text_of(name)


def test_danville_receives_at_the_board_and_refers_nothing() -> None:
    danville = profile_of("danville")
    assert danville.receipt.official is Office.BOARD_OFFICIAL
    assert not danville.has_referral
    same_but("danville", "refer", "forward", "acknowledge", "name-respondents")


def test_danville_has_one_duty_of_ten_working_days_for_acknowledgement_and_copies() -> None:
    danville = profile_of("danville")
    duty = danville.duty("acknowledge")
    assert danville.copy_goes_with_acknowledgement
    assert (duty.period, duty.unit, duty.per) == (10, Unit.WORKING_DAYS, Per.CASE)
    assert set(duty.owed_to) == {Office.COMPLAINANT, Office.RESPONDENT}
    assert [one.id for one in danville.duties if Fulfilled.NOTICE_SERVED in one.done_by] == ["acknowledge"]


def test_danville_keeps_records_under_the_open_records_law_with_the_prosecutor_as_only_exit() -> None:
    assert profile_of("danville").confidentiality.records is Records.OPEN_RECORDS_LAW
    assert profile_of("danville").confidentiality.exits == (Exit.PROSECUTOR,)


def test_dry_ridge_acknowledges_in_ten_calendar_days() -> None:
    duty = profile_of("dry-ridge").duty("acknowledge")
    assert duty == replace(BRAMWELL.duty("acknowledge"), unit=Unit.DAYS)
    same_but("dry-ridge", "acknowledge")


def test_dawson_springs_determines_within_45_days_of_a_proper_complaint() -> None:
    duty = profile_of("dawson-springs").duty("determine")
    assert (duty.period, duty.unit, duty.starts_at) == (45, Unit.DAYS, Starts.PROPER_RECEIPT)
    assert duty.basis is Basis.STATUTORY
    same_but("dawson-springs", "determine")


def test_dawson_springs_has_the_prosecutor_as_only_exit() -> None:
    assert profile_of("dawson-springs").confidentiality.exits == (Exit.PROSECUTOR,)


def test_berea_files_with_the_city_clerk_and_holds_the_inquiry_within_40_days() -> None:
    berea = profile_of("berea")
    assert (berea.receipt.official, berea.receipt.title) == (Office.CITY_CLERK, "City Clerk")
    assert berea.duty("refer").owed_by is Office.CITY_CLERK
    assert berea.duty("inquiry") == replace(BRAMWELL.duty("inquiry"), period=40)
    same_but("berea", "refer", "inquiry")


def test_berea_gives_each_party_an_appeal_to_circuit_court_within_30_days_of_final_action() -> None:
    berea = profile_of("berea")
    appeal = berea.duty("appeal")
    assert berea.has_appeal
    assert (appeal.kind, appeal.act, appeal.per) == (Kind.RIGHT, Act.FILING, Per.PARTY)
    assert (appeal.period, appeal.unit, appeal.starts_at) == (30, Unit.DAYS, Starts.FINAL_ACTION)
    assert appeal.owed_to == (Office.CIRCUIT_COURT,)


def test_louisville_asks_for_an_oath_its_own_form_and_filing_within_a_year() -> None:
    requirements = {one.id: one for one in profile_of("louisville-metro").complaints.requirements}
    assert set(requirements) == {"sworn", "own-form", "within-a-year"}
    assert all(one.required and one.mend for one in requirements.values())
    assert requirements["within-a-year"].within_years == 1
    assert BRAMWELL.complaints.requirements == ()
    same_but("louisville-metro")


@pytest.mark.parametrize(
    ("votes", "pikeville", "bramwell"),
    [
        ((Choice.YES, Choice.YES, Choice.NO), Outcome.FAILED, Outcome.CARRIED),
        ((Choice.YES, Choice.YES, Choice.YES), Outcome.CARRIED, Outcome.CARRIED),
    ],
)
def test_pikeville_needs_three_affirmative_votes_of_five_seats(votes, pikeville, bramwell) -> None:
    for name, outcome in (("pikeville", pikeville), ("bramwell", bramwell)):
        board = profile_of(name).board
        roster = Roster(board.seats, tuple(Sitting(one) for one in (1, 2, 3, 4, 5)))
        ballot = Ballot(1, roster, board.ballot_rule, OPENED)
        assert tally(ballot, votes_of(*votes), (), {1, 2, 3}).outcome is outcome
    same_but("pikeville")


def test_pikeville_has_substitutes_for_members_with_a_conflict() -> None:
    board = profile_of("pikeville").board
    assert (board.seats, board.quorum, board.votes_needed, board.alternates) == (5, 3, 3, True)

"""Proper, or what is lacking: clause (A), second sentence."""

from dataclasses import replace
from datetime import date

import pytest

from store.rules.complaint import (
    IN_WRITING,
    SIGNATURE,
    Lacking,
    Proper,
    judge,
    lacks_of,
    last_day_to_file,
    overrules_evidence,
)
from store.rules.errors import BadInput
from store.rules.ordinance import Complaints, Requirement, SignatureKind, parse_profile
from tests.rules.profile_builders import profile_of, text_of

BRAMWELL = profile_of("bramwell").complaints
LOUISVILLE = profile_of("louisville-metro").complaints
WITHIN_A_YEAR = LOUISVILLE.requirements[2]


def with_requirement(requirement: Requirement) -> Complaints:
    return replace(BRAMWELL, requirements=(requirement,))


def ids(judged: Proper | Lacking) -> list[str]:
    return [one.id for one in judged.lacks] if isinstance(judged, Lacking) else []


def test_a_complaint_in_writing_and_signed_is_proper_where_the_board_asks_no_more() -> None:
    assert judge(BRAMWELL, in_writing=True, signed=True) == Proper()


@pytest.mark.parametrize(
    ("in_writing", "signed", "lacks"),
    [(True, False, [SIGNATURE]), (False, True, [IN_WRITING]), (False, False, [IN_WRITING, SIGNATURE])],
)
def test_each_of_writing_and_signature_is_needed(in_writing, signed, lacks) -> None:
    assert ids(judge(BRAMWELL, in_writing=in_writing, signed=signed)) == lacks


def test_a_requirement_of_the_board_not_met_makes_the_complaint_lacking() -> None:
    judged = judge(LOUISVILLE, in_writing=True, signed=True, unmet={"within-a-year", "sworn"})
    assert ids(judged) == ["sworn", "within-a-year"]


def test_what_the_board_only_asks_for_does_not_stand_in_the_way() -> None:
    wish = with_requirement(
        Requirement("telephone", "A telephone number is given.", "Send it.", required=False)
    )
    judged = judge(wish, in_writing=True, signed=True, unmet=["telephone"])
    assert isinstance(judged, Proper)
    assert [one.id for one in judged.asked_for] == ["telephone"]
    lacking = judge(wish, in_writing=True, signed=False, unmet=["telephone"])
    assert ids(lacking) == [SIGNATURE]
    assert [one.id for one in lacking.asked_for] == ["telephone"]


def test_every_lack_tells_the_complainant_how_to_mend_it() -> None:
    every = [one.id for one in LOUISVILLE.requirements]
    judged = judge(LOUISVILLE, in_writing=False, signed=False, unmet=every)
    assert isinstance(judged, Lacking)
    assert len(judged.lacks) == 5
    assert all(one.says.endswith(".") and one.mend.endswith(".") for one in judged.lacks)


def test_a_requirement_that_the_profile_does_not_have_is_refused() -> None:
    with pytest.raises(BadInput):
        judge(BRAMWELL, in_writing=True, signed=True, unmet=["sworn"])


def test_what_is_lacking_stands_in_one_order_however_it_was_ticked() -> None:
    told = lacks_of(LOUISVILLE, ["own-form", SIGNATURE, "sworn", SIGNATURE])
    assert [one.id for one in told] == [SIGNATURE, "sworn", "own-form"]


def test_a_profile_cannot_give_a_requirement_the_name_of_the_signature() -> None:
    with pytest.raises(BadInput, match="another id"):
        parse_profile(text_of("louisville-metro").replace('id = "sworn"', 'id = "signature"'))


@pytest.mark.parametrize(
    ("signed", "finding", "overrules"),
    [
        (True, "drawn", False),
        (True, "typed", True),
        (True, "none-found", True),
        (True, "crypto-broken", True),
        (True, "unreadable", True),
        (True, "needs-human", False),
        (True, "", False),
        (False, "drawn", True),
        (False, "typed", False),
        (False, "none-found", False),
        (False, "needs-human", False),
    ],
)
def test_a_decision_against_the_evidence_needs_a_reason(signed, finding, overrules) -> None:
    board = replace(BRAMWELL, accepted_signatures=(SignatureKind.CRYPTO_VALID, SignatureKind.DRAWN))
    assert overrules_evidence(board, signed=signed, finding=finding) is overrules


@pytest.mark.parametrize(
    ("event_on", "discovered_on", "last"),
    [
        (date(2026, 3, 2), None, date(2027, 3, 2)),
        (date(2026, 3, 2), date(2026, 5, 9), date(2027, 5, 9)),
        (date(2026, 3, 2), date(2026, 1, 9), date(2027, 3, 2)),
        (date(2024, 2, 29), None, date(2025, 3, 1)),
    ],
)
def test_a_year_runs_from_the_event_or_from_its_later_discovery(event_on, discovered_on, last) -> None:
    assert last_day_to_file(WITHIN_A_YEAR, event_on=event_on, discovered_on=discovered_on) == last


def test_a_requirement_without_a_limit_has_no_last_day() -> None:
    assert last_day_to_file(LOUISVILLE.requirements[0], event_on=date(2026, 3, 2)) is None

"""A day or an instant that somebody states: one that cannot be is refused under the act's clause, with the way on."""

from datetime import UTC, date, datetime, timedelta

import pytest

from store.cases import MACHINE, act
from store.proceedings.days import check_past_day, day_since_complaint, instant_on, past_instant
from store.proceedings.demand import record_demand
from store.proceedings.inquiry import hold_inquiry
from store.proceedings.response import record_chance_not_used
from store.proceedings.testimony import Statement, record_statement
from store.rules.access import TABLE, Deed
from store.rules.errors import BadInput, NotNow
from tests.proceedings.builders import Board

TODAY = date(2026, 2, 2)


def test_what_lies_ahead_or_has_no_zone_is_refused_under_the_acts_clause_with_what_can_be_given(
    board: Board,
) -> None:
    number = board.case()
    now = board.clock.now()
    with act(board.docket, board.clerk, Deed.RECORD_RESPONSE, number=number) as step:
        for refused, mend in (
            (lambda: instant_on(step, TODAY + timedelta(days=1)), "2026-02-02"),
            (lambda: past_instant(step, now + timedelta(minutes=1)), "2026-02-02 10:00 EST"),
            (lambda: past_instant(step, now.replace(tzinfo=None)), "2026-02-02T10:00-05:00"),
            (lambda: day_since_complaint(step, date(2026, 2, 1)), "correct that first"),
        ):
            with pytest.raises(BadInput) as refusal:
                refused()
            assert refusal.value.clause == TABLE[Deed.RECORD_RESPONSE].clause
            assert mend in refusal.value.mend


def test_both_sides_of_today_and_of_the_day_of_receipt(board: Board) -> None:
    number = board.case()
    with act(board.docket, MACHINE, Deed.SETTLE_LETTER, number=number) as step:
        assert check_past_day(step, TODAY) == TODAY
        assert day_since_complaint(step, TODAY) == TODAY
        assert instant_on(step, TODAY) == board.clock.now()
        assert instant_on(step, date(2026, 2, 1)) == datetime(2026, 2, 1, 17, tzinfo=UTC)


def test_what_follows_a_complaint_is_never_recorded_for_a_day_before_it(board: Board) -> None:
    number, track = board.served_case()
    before = board.file(number).received_at - timedelta(days=1)
    with pytest.raises(BadInput):
        hold_inquiry(board.docket, board.chair, number, on=before.date(), concluded=False)
    with pytest.raises(BadInput):
        record_statement(board.docket, board.clerk, number, Statement(before, "the chair", track))
    with pytest.raises(BadInput):
        record_demand(board.docket, board.clerk, number, track, received_at=before, words="a demand")


def test_nobody_missed_a_chance_before_he_had_it(board: Board) -> None:
    number, track = board.served_case()
    with pytest.raises(NotNow, match="before the notice was served"):
        record_chance_not_used(board.docket, board.clerk, number, track, on=date(2026, 2, 1))
    with pytest.raises(NotNow, match="ran until the end of 2026-02-13"):
        record_chance_not_used(board.docket, board.clerk, number, track, on=date(2026, 2, 13))
    record_chance_not_used(board.docket, board.clerk, number, track, on=date(2026, 2, 14))

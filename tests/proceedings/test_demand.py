"""A demand is recorded whenever it comes, passed on, and marked; the Commission judges it ((E)(2))."""

from datetime import datetime, timedelta

import pytest

from store import outbox
from store.proceedings.correction import correct_receipt
from store.proceedings.demand import Timeliness, record_commission_result, record_demand, timeliness
from store.proceedings.response import File
from store.rules.casefile import OF_THE_COMMISSION
from store.rules.dates import start_of_day
from store.rules.duties import StepState
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import ReprimandReceived
from tests.proceedings.after_builders import heard_case, issued_case, received_case
from tests.proceedings.builders import Board

PAPER = File(b"%PDF demand", "demand.pdf", "application/pdf")


def _end(board: Board, number: str, track: int) -> datetime:
    """The first instant after the expected last day."""
    step = next(one for one in board.look(number).steps if one.key == f"demand:{track}")
    assert step.dates is not None
    return step.dates.period_ends_before


def _open_end(board: Board, number: str, track: int) -> datetime:
    step = next(one for one in board.look(number).steps if one.key == f"demand:{track}")
    assert step.dates is not None
    assert step.dates.keep_open_until is not None
    return start_of_day(step.dates.keep_open_until + timedelta(days=1), step.dates.zone)


def _demand(board: Board, number: str, track: int, at: datetime) -> Timeliness:
    board.clock.set_to(max(at, board.clock.now()))
    found = record_demand(board.docket, board.clerk, number, track, received_at=at, files=[PAPER])
    return found.timeliness


def test_on_the_last_minute_of_the_last_day_it_is_timely(board: Board) -> None:
    number, track = received_case(board)
    assert (
        _demand(board, number, track, _end(board, number, track) - timedelta(minutes=1)) is Timeliness.TIMELY
    )


def test_after_the_latest_arguable_day_it_is_recorded_as_late_and_passed_on_all_the_same(
    board: Board,
) -> None:
    number, track = received_case(board)
    assert _demand(board, number, track, _open_end(board, number, track)) is Timeliness.LATE
    assert board.file(number).demand(track) is not None
    with board.docket.database.read() as session:
        waiting = [one for one in outbox.waiting(session, outbox.Channel.MAIL) if one.kind == "demand_cover"]
        mail = outbox.read(session, board.docket.keyring, waiting[0].id)
    assert mail is not None
    assert mail.letter is not None
    assert mail.letter.to == "commission@bramwell-ky.example"
    assert len(mail.letter.attachments) == 2
    assert "marked as late" in mail.letter.text


def test_before_any_receipt_is_on_the_record_no_time_has_run(board: Board) -> None:
    number, track = issued_case(board)
    assert _demand(board, number, track, board.clock.now()) is Timeliness.NOT_RUNNING
    assert timeliness(board.look(number), track) is Timeliness.NOT_RUNNING


def test_a_corrected_receipt_changes_how_a_demand_stands_and_not_the_demand(board: Board) -> None:
    number, track = received_case(board)
    assert _demand(board, number, track, _open_end(board, number, track)) is Timeliness.LATE
    officer = next(one for one in board.file(number).all(ReprimandReceived) if one.fact.by == "officer")
    later = officer.fact.at + timedelta(days=4)
    correct_receipt(
        board.docket, board.clerk, number, officer.id, received_at=later, reason="the receipt bears that day"
    )
    assert timeliness(board.look(number), track) is Timeliness.TIMELY


def test_a_demand_stands_once_and_needs_a_reprimand(board: Board) -> None:
    number, track = received_case(board)
    with pytest.raises(BadInput):
        record_demand(board.docket, board.clerk, number, track, received_at=board.clock.now())
    _demand(board, number, track, board.clock.now())
    with pytest.raises(AlreadyDone):
        record_demand(board.docket, board.clerk, number, track, received_at=board.clock.now(), words="again")
    step = next(one for one in board.look(number).steps if one.key == f"demand:{track}")
    assert step.state is StepState.DONE


def test_nothing_can_be_demanded_where_no_reprimand_was_decided(board: Board) -> None:
    number, track = heard_case(board)
    with pytest.raises(NotNow):
        record_demand(board.docket, board.clerk, number, track, received_at=board.clock.now(), words="x")


def test_the_commissions_result_follows_a_demand_and_is_not_the_boards(board: Board) -> None:
    number, track = received_case(board)
    today = board.look(number).today
    with pytest.raises(NotNow):
        record_commission_result(board.docket, board.clerk, number, track, on=today, result="upheld")
    _demand(board, number, track, board.clock.now())
    record_commission_result(board.docket, board.clerk, number, track, on=today, result="upheld")
    found = board.file(number).decided(track, OF_THE_COMMISSION)
    assert found is not None
    assert found.fact.result == "upheld"
    with pytest.raises(AlreadyDone):
        record_commission_result(board.docket, board.clerk, number, track, on=today, result="again")

"""The referral by the City Manager, and his own receipt of the complaint (clause A, decisions 4)."""

from datetime import date, timedelta

import pytest

from store.cases import look
from store.proceedings.referral import record_manager_receipt, refer
from store.rules.access import Deed
from store.rules.duties import Step
from store.rules.errors import AlreadyDone, NoSuchCase, NotNow
from store.rules.facts import Basis, ComplaintReceived, ReceiptEvidence, ReceivedBy
from tests.clocks import A_MONDAY_MORNING
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, filed


def _step(board: Board, number: str, duty: str) -> Step:
    return next(one for one in board.look(number).steps if one.duty.id == duty)


def _received(days_ago: int, words: str = "his date stamp") -> ComplaintReceived:
    return ComplaintReceived(
        A_MONDAY_MORNING - timedelta(days=days_ago),
        ReceivedBy.CITY_MANAGER,
        Basis.RECORDED_BY_STAFF,
        ReceiptEvidence(words=words),
    )


def test_the_city_manager_refers_in_one_step_and_once(board: Board) -> None:
    number = filed(board)
    manager = board.actor("Cyrus Manager")
    assert _step(board, number, "refer").is_open
    refer(board.docket, manager, number)
    referred = board.file(number).referred
    assert referred is not None
    assert (referred.fact.at, referred.fact.how) == (board.clock.now(), "by the City Manager")
    assert not _step(board, number, "refer").is_open
    for actor, evidence in ((manager, ""), (board.clerk, "his letter")):
        with pytest.raises(AlreadyDone) as refused:
            refer(board.docket, actor, number, evidence=evidence)
        assert "2026-02-02 at 10:00" in str(refused.value)


def test_a_referral_outside_docket_is_recorded_with_its_evidence(board: Board) -> None:
    number = filed(board)
    for evidence in ("", "   "):
        with pytest.raises(NotNow):
            refer(board.docket, board.clerk, number, evidence=evidence)
    refer(board.docket, board.clerk, number, evidence=" his letter of Monday ")
    referred = board.file(number).referred
    assert referred is not None
    assert (referred.fact.how, referred.fact.evidence) == ("recorded by staff", "his letter of Monday")


def test_the_manager_refers_and_sees_nothing_else(board: Board) -> None:
    number = filed(board)
    manager = board.actor("Cyrus Manager")
    with pytest.raises(NoSuchCase):
        look(board.docket, manager, board.key(number))
    assert look(board.docket, manager, board.key(number), deed=Deed.REFER).case.number == number


def test_the_earlier_of_the_two_receipts_gives_the_day_to_act(board: Board) -> None:
    number = filed(board)
    before = _step(board, number, "acknowledge")
    assert before.dates is not None
    record_manager_receipt(board.docket, board.clerk, number, _received(4))
    case = board.file(number)
    assert {by: case.received(by) is not None for by in ReceivedBy} == dict.fromkeys(ReceivedBy, True)
    board_receipt = case.received(ReceivedBy.BOARD)
    assert board_receipt is not None
    assert board_receipt.fact.received_at == A_MONDAY_MORNING
    after = _step(board, number, "acknowledge")
    assert after.act_by is not None
    assert before.act_by is not None
    assert after.act_by < before.act_by
    assert (before.act_by, after.act_by) == (date(2026, 2, 16), date(2026, 2, 12))


def test_what_staff_record_takes_the_place_of_what_was_assumed(board: Board) -> None:
    number = filed(board, a_filing(manager_received_at=A_MONDAY_MORNING - timedelta(days=6)))
    assumed = board.file(number).received(ReceivedBy.CITY_MANAGER)
    assert assumed is not None
    assert assumed.fact.basis is Basis.ASSUMED
    record_manager_receipt(board.docket, board.clerk, number, _received(3))
    stands = board.file(number).received(ReceivedBy.CITY_MANAGER)
    assert stands is not None
    assert (stands.fact.basis, stands.supersedes) == (Basis.RECORDED_BY_STAFF, assumed.id)


@pytest.mark.parametrize(("days_ago", "words"), [(1, ""), (1, "  "), (-1, "his date stamp")])
def test_a_receipt_without_evidence_or_still_to_come_is_refused(
    board: Board, days_ago: int, words: str
) -> None:
    number = filed(board)
    before = board.file(number).facts
    with pytest.raises(NotNow):
        record_manager_receipt(board.docket, board.clerk, number, _received(days_ago, words))
    assert board.file(number).facts == before

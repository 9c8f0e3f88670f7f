"""A cure that comes by hand, and from which receipt the 30 days run (A), (B), decisions 3."""

from datetime import datetime, timedelta

import pytest

from store.proceedings.correction import amend, correct_receipt
from store.proceedings.cure import record_cure
from store.proceedings.form_check import FormView, decide_form
from store.proceedings.receipt import Filing, Paper
from store.proceedings.response import File
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Basis, PaperReceived, ReceiptEvidence
from tests.clocks import A_MONDAY_MORNING
from tests.proceedings.builders import Board
from tests.proceedings.filings import filed

PROPER = FormView(proper=True, signed=True, finding="drawn", reason="signed now")
UNSIGNED = FormView(proper=False, signed=False, finding="none-found", lacking=("signature",))
SCAN = Paper(b"%PDF the signed page", "signed.pdf", "application/pdf")


def _brought(
    board: Board, *, at: datetime | None = None, how: str = "date stamp", papers: tuple[Paper, ...] = (SCAN,)
) -> Filing:
    """A paper handed in at the counter."""
    return Filing(
        "filed",
        at or board.clock.now(),
        Basis.RECORDED_BY_STAFF,
        ReceiptEvidence(words=how),
        papers=papers,
        what="cure",
    )


def _lacking(board: Board) -> str:
    number = filed(board)
    decide_form(board.docket, board.clerk, number, UNSIGNED)
    return number


def test_the_thirty_days_run_from_the_receipt_at_the_counter_not_from_the_day_it_was_recorded(
    board: Board,
) -> None:
    number = _lacking(board)
    handed_in = board.clock.advance(timedelta(days=3))
    board.clock.advance(timedelta(days=4))
    receipt = record_cure(board.docket, board.clerk, number, _brought(board, at=handed_in))
    assert decide_form(board.docket, board.clerk, number, PROPER) == receipt
    case = board.file(number)
    assert case.proper_received_at == handed_in
    assert case.cured_by == set(case.all(PaperReceived).__next__().fact.documents)


def test_a_receipt_that_is_corrected_before_the_form_is_decided_starts_the_thirty_days(board: Board) -> None:
    number = _lacking(board)
    handed_in = board.clock.advance(timedelta(days=3))
    board.clock.advance(timedelta(days=1))
    receipt = record_cure(board.docket, board.clerk, number, _brought(board))
    correct_receipt(board.docket, board.clerk, number, receipt, received_at=handed_in, reason="the stamp")
    decide_form(board.docket, board.clerk, number, PROPER)
    case = board.file(number)
    assert case.proper_received_at == handed_in
    assert case.cured_by


def test_an_amendment_that_mends_the_complaint_starts_the_thirty_days(board: Board) -> None:
    number = _lacking(board)
    came = board.clock.advance(timedelta(days=3))
    paper = File(b"%PDF amended", "amended.pdf", "application/pdf")
    amend(board.docket, board.clerk, number, received_at=came, files=[paper], named=[])
    decide_form(board.docket, board.clerk, number, PROPER)
    assert board.file(number).proper_received_at == came


def test_a_paper_of_the_file_can_be_the_cure_and_is_kept_once(board: Board) -> None:
    number = _lacking(board)
    first = record_cure(board.docket, board.clerk, number, _brought(board))
    document = next(one for one in board.file(number).all(PaperReceived)).fact.documents
    came = board.clock.advance(timedelta(days=1))
    again = record_cure(
        board.docket, board.clerk, number, _brought(board, at=came, papers=()), documents=document
    )
    assert again != first
    assert [one.fact.documents for one in board.file(number).all(PaperReceived)] == [document, document]


def test_a_cure_that_cannot_be_one_is_refused_and_changes_nothing(board: Board) -> None:
    number = _lacking(board)
    track = board.respondent(number)
    now = board.clock.now()
    tries = (
        (_brought(board, at=now + timedelta(minutes=1)), None),
        (_brought(board, at=A_MONDAY_MORNING - timedelta(days=2)), None),
        (_brought(board, how=" "), None),
        (_brought(board, papers=()), None),
        (_brought(board), track),
        (_brought(board), 9999),
    )
    before = board.file(number).facts
    for filing, party in tries:
        with pytest.raises(BadInput):
            record_cure(board.docket, board.clerk, number, filing, party=party)
    assert board.file(number).facts == before


def test_nothing_is_cured_before_something_was_found_lacking_nor_after_it_was_found_proper(
    board: Board,
) -> None:
    number = filed(board)
    with pytest.raises(NotNow, match="Decide first what is lacking"):
        record_cure(board.docket, board.clerk, number, _brought(board))
    decide_form(board.docket, board.clerk, number, PROPER)
    with pytest.raises(NotNow, match="nothing to cure"):
        record_cure(board.docket, board.clerk, number, _brought(board))


def test_the_same_paper_at_the_same_instant_is_recorded_once(board: Board) -> None:
    number = _lacking(board)
    record_cure(board.docket, board.clerk, number, _brought(board))
    with pytest.raises(AlreadyDone):
        record_cure(board.docket, board.clerk, number, _brought(board))

"""The determination rests on the Board's ballots (clause D; B5)."""

from datetime import timedelta

import pytest

from store.proceedings import ballot, meeting, recusal
from store.proceedings.determination import Conclusion, determine
from store.proceedings.inquiry import hold_inquiry
from store.proceedings.notification import send_notification
from store.proceedings.termination import send_decision
from store.rules.duties import StepState
from store.rules.errors import AlreadyDone, BadInput, NotAllowed, NotNow
from store.rules.facts import Choice, InquiryHeld, Question
from tests.proceedings.builders import Board, at

YES, NO = Choice.YES, Choice.NO
SUFFICIENT = Conclusion(within_jurisdiction=True, factual_basis=True, findings="The Board finds enough.")
NO_BASIS = Conclusion(within_jurisdiction=True, factual_basis=False, findings="The Board finds nothing.")
OUTSIDE = Conclusion(within_jurisdiction=False, factual_basis=None, findings="Not within the chapter.")


def _state(board: Board, number: str, key: str) -> StepState:
    return next(one.state for one in board.look(number).steps if one.key == key)


def _voted(board: Board, *answers: tuple[Question, Choice]) -> tuple[str, int, int]:
    number, track = board.served_case()
    held = board.meeting()
    for question, choice in answers:
        board.decide(number, track, held, question, choice)
    return number, track, held


def test_a_sufficient_basis_rests_on_both_questions_carried(board: Board) -> None:
    number, track, _held = _voted(board, (Question.JURISDICTION, YES), (Question.FACTUAL_BASIS, YES))
    determine(board.docket, board.clerk, number, track, SUFFICIENT)
    assert not board.file(number).final
    assert _state(board, number, f"notify:{track}") is StepState.OPEN
    assert len(send_notification(board.docket, board.clerk, number, track)) == 1
    with pytest.raises(NotNow):
        send_decision(board.docket, board.clerk, number, track)


def test_a_failed_basis_ends_the_inquiry_and_each_party_is_owed_the_decision(board: Board) -> None:
    number, track, _held = _voted(board, (Question.JURISDICTION, YES), (Question.FACTUAL_BASIS, NO))
    determine(board.docket, board.clerk, number, track, NO_BASIS)
    case = board.file(number)
    assert case.final
    assert case.last(InquiryHeld).fact.concluded  # type: ignore[union-attr]  # determine records it
    complainant = case.complainants[0].id
    letters = send_decision(board.docket, board.clerk, number, track)
    assert len(letters) == 2
    for party in (complainant, track):
        assert _state(board, number, f"transmit:{party}") is StepState.OPEN
    for letter in letters:
        board.settle(number, letter, "sent")
    for party in (complainant, track):
        assert _state(board, number, f"transmit:{party}") is StepState.DONE
    with pytest.raises(AlreadyDone):
        send_decision(board.docket, board.clerk, number, track)


def test_a_decision_that_bounced_reopens_its_step_and_goes_again_to_that_party_alone(board: Board) -> None:
    number, track, _held = _voted(board, (Question.JURISDICTION, NO))
    determine(board.docket, board.clerk, number, track, OUTSIDE)
    first, second = send_decision(board.docket, board.clerk, number, track)
    board.settle(number, first, "sent")
    board.settle(number, second, "sent")
    board.settle(number, second, "bounced")
    assert _state(board, number, f"transmit:{track}") is StepState.OPEN
    assert len(send_decision(board.docket, board.clerk, number, track)) == 1


@pytest.mark.parametrize("wrong", [SUFFICIENT, OUTSIDE])
def test_a_determination_that_the_ballots_do_not_support_is_refused(board: Board, wrong: Conclusion) -> None:
    number, track, _held = _voted(board, (Question.JURISDICTION, YES), (Question.FACTUAL_BASIS, NO))
    with pytest.raises(NotNow) as refused:
        determine(board.docket, board.clerk, number, track, wrong)
    assert refused.value.clause == "D-determine"


def test_a_tie_decides_nothing(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting(*board.members[:4])
    key = board.ballot(number, track, held)
    for who, choice in zip(board.members, (YES, YES, NO, NO), strict=False):
        board.vote(number, key, who, choice)
    assert ballot.close_ballot(board.docket, board.chair, number, key).outcome == "tie"
    for conclusion in (OUTSIDE, SUFFICIENT):
        with pytest.raises(NotNow):
            determine(board.docket, board.clerk, number, track, conclusion)


def test_frivolous_needs_a_vote_of_its_own(board: Board) -> None:
    frivolous = Conclusion(True, None, "Frivolous.", frivolous=True)
    number, track, held = _voted(board, (Question.JURISDICTION, YES))
    with pytest.raises(NotNow):
        determine(board.docket, board.clerk, number, track, frivolous)
    board.decide(number, track, held, Question.FRIVOLOUS)
    determine(board.docket, board.clerk, number, track, frivolous)
    assert board.file(number).final


def test_no_determination_while_a_ballot_is_open_or_without_findings(board: Board) -> None:
    number, track, held = _voted(board, (Question.JURISDICTION, NO))
    with pytest.raises(NotNow):
        determine(board.docket, board.clerk, number, track, Conclusion(False, None, " "))
    board.ballot(number, track, held)
    with pytest.raises(NotNow):
        determine(board.docket, board.clerk, number, track, OUTSIDE)


def test_it_stands_from_the_vote_whenever_it_is_written_down(board: Board) -> None:
    number, track, _held = _voted(board, (Question.JURISDICTION, NO))
    voted = board.clock.now()
    board.clock.advance(timedelta(days=3))
    determine(board.docket, board.clerk, number, track, OUTSIDE)
    assert board.file(number).final_at(track) == voted


def test_the_newest_deciding_ballot_counts_and_named_ones_must_be_it(board: Board) -> None:
    number, track, held = _voted(board, (Question.JURISDICTION, NO))
    old = board.file(number).ballots[0].id
    board.decide(number, track, held, Question.JURISDICTION, YES)
    with pytest.raises(NotNow):
        determine(board.docket, board.clerk, number, track, OUTSIDE)
    board.decide(number, track, held, Question.FACTUAL_BASIS, NO)
    with pytest.raises(NotNow):
        determine(board.docket, board.clerk, number, track, Conclusion(True, False, "x", ballots=(old,)))


def test_it_is_determined_once_and_not_by_a_member(board: Board) -> None:
    number, track, held = _voted(board, (Question.JURISDICTION, YES), (Question.FACTUAL_BASIS, YES))
    with pytest.raises(NotAllowed):
        determine(board.docket, board.members[1], number, track, SUFFICIENT)
    determine(board.docket, board.chair, number, track, SUFFICIENT)
    with pytest.raises(AlreadyDone):
        determine(board.docket, board.chair, number, track, SUFFICIENT)
    with pytest.raises(AlreadyDone):
        board.ballot(number, track, held)


def test_a_ballot_under_a_determination_is_neither_voided_nor_recounted(board: Board) -> None:
    number, track, _held = _voted(board, (Question.JURISDICTION, YES), (Question.FACTUAL_BASIS, YES))
    determine(board.docket, board.chair, number, track, SUFFICIENT)
    key = board.file(number).ballots[0].id
    with pytest.raises(NotNow):
        ballot.void_ballot(board.docket, board.chair, number, key, "late doubts")
    recusal.recuse(board.docket, board.members[1], number)
    closed = board.file(number).ballots[0].closed
    assert closed is not None
    assert (closed.yes, closed.reason) == (5, "")


def test_the_inquiry_counts_from_the_day_on_which_it_was_held(board: Board) -> None:
    number = board.case()
    board.clock.set_to(at(board.clock.now().date() + timedelta(days=40)))
    held = board.clock.now().date() - timedelta(days=12)
    hold_inquiry(board.docket, board.clerk, number, on=held, concluded=True)
    step = next(one for one in board.look(number).steps if one.key == "inquiry")
    assert (step.state, step.on_time) == (StepState.DONE, True)
    with pytest.raises(AlreadyDone):
        hold_inquiry(board.docket, board.clerk, number, on=held, concluded=True)


def test_an_inquiry_lies_neither_ahead_nor_before_the_receipt_nor_on_an_improper_complaint(
    board: Board,
) -> None:
    today = board.clock.now().date()
    number, improper = board.case(), board.case(proper=False)
    with pytest.raises(BadInput):
        hold_inquiry(board.docket, board.clerk, number, on=today + timedelta(days=1), concluded=False)
    with pytest.raises(BadInput):
        hold_inquiry(board.docket, board.clerk, number, on=today - timedelta(days=1), concluded=False)
    with pytest.raises(NotNow):
        hold_inquiry(board.docket, board.clerk, improper, on=today, concluded=False)
    assert meeting.meeting_in_session(board.docket, board.clerk) is None

"""The respondent's chance to answer (clause B)."""

from datetime import timedelta

import pytest

from store.cases import papers
from store.proceedings.response import File, extend_time, record_chance_not_used, record_response
from store.rules.duties import StepState
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Question
from tests.proceedings.builders import Board


def _state(board: Board, number: str, key: str) -> StepState:
    return next(one.state for one in board.look(number).steps if one.key == key)


def test_an_answer_by_hand_is_kept_with_its_papers(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    board.serve(number, track)
    paper = File(b"%PDF answer", "answer.pdf", "application/pdf")
    record_response(board.docket, board.clerk, number, track, received_at=board.clock.now(), files=[paper])
    assert _state(board, number, f"respond:{track}") is StepState.DONE
    with board.docket.database.read() as session:
        kinds = [one.kind for one in papers(board.docket, session, board.key(number))]
    assert "response" in kinds


def test_an_answer_opens_the_ballot_on_factual_basis_before_the_last_day(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    board.serve(number, track)
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    with pytest.raises(NotNow):
        board.ballot(number, track, held, Question.FACTUAL_BASIS)
    record_response(
        board.docket, board.clerk, number, track, received_at=board.clock.now(), words="heard under oath"
    )
    assert board.ballot(number, track, held, Question.FACTUAL_BASIS)


def test_an_answer_is_of_a_respondent_of_the_past_and_of_something(board: Board) -> None:
    number = board.case()
    track, now = board.respondent(number), board.clock.now()
    for whom, at, words in ((99999, now, "x"), (track, now + timedelta(hours=1), "x"), (track, now, " ")):
        with pytest.raises(BadInput):
            record_response(board.docket, board.clerk, number, whom, received_at=at, words=words)


def test_a_chance_is_not_used_only_after_it_was_given_and_is_over(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    today = board.clock.now().date()
    with pytest.raises(NotNow):
        record_chance_not_used(board.docket, board.clerk, number, track, on=today)
    board.serve(number, track)
    with pytest.raises(NotNow):
        record_chance_not_used(board.docket, board.clerk, number, track, on=today)
    board.clock.advance(timedelta(days=15))
    today = board.clock.now().date()
    (last,) = [one.overdue_after for one in board.look(number).steps if one.key == f"respond:{track}"]
    assert last is not None
    for early in (last, today - timedelta(days=15)):
        with pytest.raises(NotNow, match="a chance is unused after that"):
            record_chance_not_used(board.docket, board.clerk, number, track, on=early)
    record_chance_not_used(board.docket, board.clerk, number, track, on=today)
    with pytest.raises(AlreadyDone):
        record_chance_not_used(board.docket, board.clerk, number, track, on=today)


def test_more_time_holds_the_ballot_back_and_moves_no_period_of_the_ordinance(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    before = {one.key: one.dates for one in board.look(number).steps}
    until = board.clock.now().date() + timedelta(days=5)
    with pytest.raises(BadInput):
        extend_time(board.docket, board.clerk, number, track, until=until, reason="")
    extend_time(board.docket, board.clerk, number, track, until=until, reason="ill")
    with pytest.raises(BadInput):
        extend_time(board.docket, board.clerk, number, track, until=until, reason="again")
    assert {one.key: one.dates for one in board.look(number).steps} == before
    with pytest.raises(NotNow):
        board.ballot(number, track, held, Question.FACTUAL_BASIS)
    board.clock.advance(timedelta(days=6))
    assert board.ballot(number, track, held, Question.FACTUAL_BASIS)

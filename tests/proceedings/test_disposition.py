"""What follows a sufficient basis rests on carried ballots (clause (E)(1); decisions 10)."""

import pytest

from store.proceedings.disposition import Disposition, dispose
from store.proceedings.notification import send_notification
from store.rules.errors import AlreadyDone, BadInput, NotAllowed, NotNow
from store.rules.facts import Choice, Disposed, Question
from tests.proceedings.after_builders import HEARING, REPRIMAND, heard_case, sufficient_case
from tests.proceedings.builders import Board

NOTHING = Disposition(reprimand=False, hearing=False)


def test_nothing_follows_without_a_carried_ballot(board: Board) -> None:
    number, track, held = sufficient_case(board)
    for wanted in (REPRIMAND, HEARING, NOTHING):
        with pytest.raises(NotNow):
            dispose(board.docket, board.chair, number, track, wanted)
    board.decide(number, track, held, Question.REPRIMAND, Choice.NO)
    with pytest.raises(NotNow):
        dispose(board.docket, board.chair, number, track, REPRIMAND)


def test_a_reprimand_needs_a_mitigating_circumstance_chosen_or_in_words(board: Board) -> None:
    number, track, _held = sufficient_case(board, Question.REPRIMAND)
    with pytest.raises(NotNow) as refused:
        dispose(board.docket, board.chair, number, track, Disposition(True, False))
    assert refused.value.clause == "E1a-reprimand"
    with pytest.raises(BadInput):
        dispose(board.docket, board.chair, number, track, Disposition(True, False, ("invented",)))
    dispose(board.docket, board.chair, number, track, Disposition(True, False, words="He paid it back."))
    assert board.file(number).final


def test_both_reprimand_and_hearing_need_both_ballots_and_keep_the_track_open(board: Board) -> None:
    number, track, _held = sufficient_case(board, Question.REPRIMAND, Question.HEARING)
    with pytest.raises(NotNow):
        dispose(board.docket, board.chair, number, track, REPRIMAND)
    dispose(board.docket, board.chair, number, track, Disposition(True, True, ("no-loss-to-city",)))
    assert not board.file(number).final


def test_a_later_vote_of_no_further_action_takes_the_place_of_an_earlier_reprimand(board: Board) -> None:
    number, track, _held = sufficient_case(board, Question.REPRIMAND, Question.NO_FURTHER_ACTION)
    with pytest.raises(NotNow):
        dispose(board.docket, board.chair, number, track, REPRIMAND)
    dispose(board.docket, board.chair, number, track, NOTHING)
    case = board.file(number)
    assert case.final
    (fact,) = case.all(Disposed)
    assert len(fact.fact.ballots) == 1


def test_it_is_recorded_once_and_the_question_is_closed_with_it(board: Board) -> None:
    number, track = heard_case(board)
    with pytest.raises(AlreadyDone):
        dispose(board.docket, board.chair, number, track, HEARING)
    with pytest.raises(AlreadyDone):
        board.ballot(number, track, _meeting(board), Question.REPRIMAND)


def _meeting(board: Board) -> int:
    from store.proceedings.meeting import meeting_in_session

    found = meeting_in_session(board.docket, board.clerk)
    assert found is not None
    return found.id


def test_it_stands_from_the_vote_and_the_notification_names_the_course(board: Board) -> None:
    number, track = heard_case(board)
    case = board.file(number)
    disposed = case.standing_disposition(track)
    assert disposed is not None
    view = case.ballot(disposed.fact.ballots[0])
    assert view is not None
    assert view.closed is not None
    assert disposed.fact.at == view.closed.at
    assert send_notification(board.docket, board.clerk, number, track)


def test_a_member_does_not_record_it(board: Board) -> None:
    number, track, _held = sufficient_case(board, Question.HEARING)
    with pytest.raises(NotAllowed):
        dispose(board.docket, board.members[1], number, track, HEARING)

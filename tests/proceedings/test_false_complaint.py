"""The flag of a complaint that may have been knowingly false: the Board's, by vote, and no finding (F)."""

from dataclasses import replace

import pytest

from store.proceedings.ballot import Motion, open_ballot
from store.proceedings.correction import reopen
from store.proceedings.disclosure import record_disclosure
from store.proceedings.disposition import dispose
from store.proceedings.evidence_referral import Selection, turn_over_evidence
from store.proceedings.false_complaint import flag_complaint
from store.rules.casefile import OF_THE_CASE
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow
from store.rules.facts import Choice, ComplaintFlagged, Question
from store.rules.ordinance import Office
from tests.proceedings.after_builders import REPRIMAND, both_terminated, sufficient_case
from tests.proceedings.builders import Board

ASKS = "the dates in the complaint"


def _in_session(board: Board) -> tuple[str, int, int]:
    number, track, held = sufficient_case(board, Question.REPRIMAND)
    dispose(board.docket, board.chair, number, track, REPRIMAND)
    return number, track, held


def test_only_a_carried_ballot_flags_a_complaint(board: Board) -> None:
    number, track, held = _in_session(board)
    with pytest.raises(NotNow, match="No ballot of the Board has carried it"):
        flag_complaint(board.docket, board.clerk, number, words=ASKS)
    board.decide(number, track, held, Question.FALSE_COMPLAINT, Choice.NO)
    with pytest.raises(NotNow):
        flag_complaint(board.docket, board.clerk, number, words=ASKS)
    board.decide(number, track, held, Question.FALSE_COMPLAINT)
    key = flag_complaint(board.docket, board.clerk, number, words=ASKS)
    assert [(one.id, one.fact.words) for one in board.file(number).all(ComplaintFlagged)] == [(key, ASKS)]


@pytest.mark.parametrize("question", sorted(OF_THE_CASE))
def test_a_question_about_the_whole_case_is_voted_on_once_for_all_respondents(
    board: Board, question: Question
) -> None:
    number, first, second, held = both_terminated(board)
    record_disclosure(
        board.docket, board.clerk, number, party=first, on=board.look(number).today, evidence="the Courier"
    )
    reopen(board.docket, board.chair, number, reason="new evidence", respondents=[second])
    key = open_ballot(board.docket, board.chair, number, Motion(None, question, held))
    view = board.file(number).ballot(key)
    assert view is not None
    assert view.track == 0
    with pytest.raises(NotNow, match="open already"):
        board.ballot(number, second, held, question)
    with pytest.raises(BadInput, match="one respondent"):
        open_ballot(board.docket, board.chair, number, Motion(None, Question.JURISDICTION, held))


def test_a_ballot_from_before_that_names_a_respondent_still_carries_for_the_case(board: Board) -> None:
    number, first, second, held = both_terminated(board)
    key = board.decide(number, first, held, Question.FALSE_COMPLAINT)
    case = board.file(number)
    older = replace(
        case, facts=tuple(replace(one, about=second) if one.id == key else one for one in case.facts)
    )
    for told in (case, older):
        carried = told.carried(Question.FALSE_COMPLAINT)
        assert carried is not None
        assert carried.id == key


def test_one_ballot_flags_once_and_with_words(board: Board) -> None:
    number, track, held = _in_session(board)
    board.decide(number, track, held, Question.FALSE_COMPLAINT)
    with pytest.raises(BadInput):
        flag_complaint(board.docket, board.chair, number, words=" ")
    flag_complaint(board.docket, board.chair, number, words=ASKS)
    with pytest.raises(AlreadyDone, match="turning over"):
        flag_complaint(board.docket, board.chair, number, words=ASKS)


def test_a_flag_can_follow_finality_writes_no_letter_and_moves_no_date(board: Board) -> None:
    number, track, held = _in_session(board)
    before = board.file(number)
    assert before.final
    board.decide(number, track, held, Question.FALSE_COMPLAINT)
    flag_complaint(board.docket, board.clerk, number, words=ASKS)
    after = board.file(number)
    assert after.letters == before.letters
    assert after.final_at(track) == before.final_at(track)
    assert after.standing_determination(track) == before.standing_determination(track)
    chosen = Selection(
        Office.COUNTY_ATTORNEY, [1], board.file(number).received_at.date(), "the vote under (F)"
    )
    assert turn_over_evidence(board.docket, board.clerk, number, chosen)


def test_no_other_ballot_is_opened_once_the_case_is_final(board: Board) -> None:
    number, track, held = _in_session(board)
    with pytest.raises(NotAllowed, match="final"):
        board.ballot(number, track, held, Question.REPRIMAND)


def test_neither_a_member_nor_the_city_manager_flags_a_complaint(board: Board) -> None:
    number, track, held = _in_session(board)
    board.decide(number, track, held, Question.FALSE_COMPLAINT)
    for name in ("Mora Member", "Cyrus Manager"):
        with pytest.raises((NotAllowed, NoSuchCase)):
            flag_complaint(board.docket, board.actor(name), number, words=ASKS)

"""The file is closed once nothing of it waits; a hold stops disposal (decisions 6)."""

from datetime import timedelta

import pytest

from store.proceedings.acknowledgement import acknowledge
from store.proceedings.closing import close_case, lift_hold, place_hold, still_open
from store.proceedings.correction import merge, reopen
from store.proceedings.determination import determine
from store.proceedings.form_check import FormView, decide_form, send_cure_notice
from store.proceedings.notification import send_notification
from store.proceedings.parties import no_respondent, remove_party
from store.proceedings.referral import refer
from store.proceedings.termination import send_decision
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Choice, Question
from store.rules.stages import Stage, stage
from tests.proceedings.after_builders import NO_BASIS, received_case
from tests.proceedings.builders import Board


def _sent(board: Board, number: str, letters: tuple[int, ...]) -> None:
    for letter in letters:
        board.settle(number, letter, "sent")


def _acknowledged(board: Board, number: str) -> None:
    _sent(board, number, acknowledge(board.docket, board.clerk, number))


def test_an_open_track_stops_it_and_the_refusal_says_what_is_open(board: Board) -> None:
    number, _track = board.served_case()
    with pytest.raises(NotNow) as refused:
        close_case(board.docket, board.clerk, number, "done")
    assert "the respondent's track is not final" in refused.value.says
    assert "Rory" not in refused.value.says


def test_a_terminated_case_is_closed_once_every_party_has_the_decision(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    board.decide(number, track, held, Question.FACTUAL_BASIS, Choice.NO)
    determine(board.docket, board.clerk, number, track, NO_BASIS)
    with pytest.raises(NotNow) as refused:
        close_case(board.docket, board.clerk, number)
    assert "transmit the written decision" in refused.value.says
    _sent(board, number, send_decision(board.docket, board.clerk, number, track))
    assert still_open(board.look(number)) == ["Acknowledge receipt of the complaint to the complainant"]
    _acknowledged(board, number)
    close_case(board.docket, board.clerk, number)
    assert stage(board.file(number)) is Stage.CLOSED
    with pytest.raises(AlreadyDone):
        close_case(board.docket, board.clerk, number)
    reopen(board.docket, board.chair, number, reason="new evidence")
    assert stage(board.file(number)) is Stage.INQUIRY


def test_a_reprimanded_case_stays_open_while_a_demand_can_come(board: Board) -> None:
    number, track = received_case(board)
    _acknowledged(board, number)
    _sent(board, number, send_notification(board.docket, board.clerk, number, track))
    assert still_open(board.look(number)) == ["Demand a public hearing before the City Commission"]
    board.clock.advance(timedelta(days=12))
    close_case(board.docket, board.clerk, number)
    assert board.file(number).closed


def test_where_nobody_can_be_named_it_is_closed_with_a_reason(board: Board) -> None:
    number = board.case()
    no_respondent(board.docket, board.clerk, number, reason="a private quarrel")
    refer(board.docket, board.actor("Cyrus Manager"), number)
    with pytest.raises(NotNow):
        close_case(board.docket, board.clerk, number, "nobody to be named")
    _acknowledged(board, number)
    with pytest.raises(BadInput):
        close_case(board.docket, board.clerk, number)
    close_case(board.docket, board.clerk, number, "nobody to be named")
    assert board.file(number).final


def test_what_never_became_proper_is_closed_after_it_was_asked_for(board: Board) -> None:
    number = board.case(proper=False)
    unsigned = FormView(proper=False, signed=False, finding="none-found", lacking=("signature",))
    decide_form(board.docket, board.clerk, number, unsigned)
    refer(board.docket, board.actor("Cyrus Manager"), number)
    _acknowledged(board, number)
    with pytest.raises(NotNow):
        close_case(board.docket, board.clerk, number, "never signed")
    _sent(board, number, send_cure_notice(board.docket, board.clerk, number))
    close_case(board.docket, board.clerk, number, "never signed, though asked for")
    assert board.file(number).closed


def test_a_merged_case_is_closed_while_the_other_goes_on(board: Board) -> None:
    first, second = board.case(), board.case()
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    _acknowledged(board, second)
    close_case(board.docket, board.clerk, second, "goes on under the other number")
    assert board.file(second).closed
    assert not board.file(first).closed


def test_a_hold_is_placed_once_with_a_reason_and_lifted_likewise(board: Board) -> None:
    number = board.case()
    with pytest.raises(NotNow):
        lift_hold(board.docket, board.chair, number, reason="x")
    with pytest.raises(BadInput):
        place_hold(board.docket, board.chair, number, reason="")
    place_hold(board.docket, board.chair, number, reason="a suit is pending")
    assert board.file(number).on_hold
    with pytest.raises(AlreadyDone):
        place_hold(board.docket, board.chair, number, reason="again")
    lift_hold(board.docket, board.chair, number, reason="the suit ended")
    assert not board.file(number).on_hold


def test_an_unsigned_complaint_of_nobody_known_is_closed_with_words(board: Board) -> None:
    number = board.case(proper=False)
    (complainant,) = board.file(number).complainants
    remove_party(board.docket, board.clerk, number, complainant.id, reason="nobody signed it")
    refer(board.docket, board.clerk, number, evidence="memo")
    decide_form(
        board.docket,
        board.clerk,
        number,
        FormView(proper=False, signed=False, finding="none-found", lacking=("signature",), reason="no name"),
    )
    close_case(board.docket, board.clerk, number, "anonymous, and nobody can be asked to sign")
    assert stage(board.file(number)) is Stage.CLOSED

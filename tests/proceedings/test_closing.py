"""The file is closed once nothing of it waits; a hold stops disposal (decisions 6)."""

from datetime import date, timedelta

import pytest

from store.proceedings.acknowledgement import acknowledge
from store.proceedings.closing import close_case, lift_hold, place_hold, still_open
from store.proceedings.correction import reopen
from store.proceedings.demand import record_commission_result, record_demand
from store.proceedings.determination import determine
from store.proceedings.form_check import FormView, decide_form, send_cure_notice
from store.proceedings.hearing import Setting, open_hearing, record_result, send_result
from store.proceedings.merger import merge
from store.proceedings.notification import send_notification
from store.proceedings.parties import name_party, no_respondent, remove_party
from store.proceedings.referral import refer
from store.proceedings.service import record_office_service, record_service
from store.proceedings.termination import send_decision
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Choice, PartyNamed, PartyRole, Question
from store.rules.stages import Stage, stage
from tests.proceedings.after_builders import NO_BASIS, heard_case, received_case
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


def test_a_file_stays_open_until_the_commissions_result_on_a_demand_though_the_case_is_final(
    board: Board,
) -> None:
    number, track = received_case(board)
    _acknowledged(board, number)
    _sent(board, number, send_notification(board.docket, board.clerk, number, track))
    now = board.clock.now()
    demand = record_demand(board.docket, board.clerk, number, track, received_at=now, words="by hand")
    _sent(board, number, (demand.letter,))
    board.clock.advance(timedelta(days=30))
    assert board.file(number).final
    with pytest.raises(NotNow) as refused:
        close_case(board.docket, board.clerk, number)
    assert "record the result of the Commission's hearing" in refused.value.says
    today, result = board.look(number).today, "not heard: the demand was withdrawn"
    record_commission_result(board.docket, board.clerk, number, track, on=today, result=result)
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


def _heard(board: Board) -> tuple[str, int]:
    """A case whose hearing has a result, with counsel for the respondent; everything before it is done."""
    number, track = heard_case(board)
    counsel = PartyNamed(PartyRole.RESPONDENT_COUNSEL, "Lou Lawyer", ("lou@law.example",), represents=track)
    name_party(board.docket, board.clerk, number, counsel)
    _acknowledged(board, number)
    _sent(board, number, send_notification(board.docket, board.clerk, number, track))
    setting = Setting(
        board.clock.now() + timedelta(days=9), "City Hall", "Whether section 12.04 was violated."
    )
    _sent(board, number, open_hearing(board.docket, board.chair, number, track, setting))
    board.clock.advance(timedelta(days=10))
    on = board.look(number).today
    record_result(board.docket, board.chair, number, track, on=on, result="No violation was found.")
    return number, track


def test_a_hearings_result_that_was_not_sent_stops_it(board: Board) -> None:
    number, track = _heard(board)
    assert still_open(board.look(number)) == ["send the result of the hearing to each party"]
    letters = send_result(board.docket, board.clerk, number, track)
    waits = still_open(board.look(number))
    assert [one.partition(", ")[2] for one in waits] == [
        "the hearing result to the respondent, waits to go out",
        "the hearing result to counsel of the respondent, waits to go out",
        "the hearing result to the complainant, waits to go out",
    ]
    with pytest.raises(NotNow) as refused:
        close_case(board.docket, board.clerk, number)
    assert str(letters[1]) in refused.value.says
    assert "Lou" not in refused.value.says
    _sent(board, number, letters)
    close_case(board.docket, board.clerk, number)


@pytest.mark.parametrize("state", ["bounced", "refused", "uncertain"])
def test_a_letter_that_did_not_reach_counsel_stops_it_until_it_is_served(board: Board, state: str) -> None:
    number, track = _heard(board)
    respondent, counsel, complainant = send_result(board.docket, board.clerk, number, track)
    _sent(board, number, (respondent, complainant))
    board.settle(number, counsel, state)
    (waits,) = still_open(board.look(number))
    assert waits.startswith(f"letter {counsel}, the hearing result to counsel of the respondent, ")
    case = board.file(number)
    (lawyer,) = case.counsel_of(track)
    record_service(
        board.docket,
        board.clerk,
        number,
        party=lawyer.id,
        letter="hearing_result",
        how="in person",
        on=board.look(number).today,
        by="the clerk",
    )
    assert still_open(board.look(number)) == []
    close_case(board.docket, board.clerk, number)


def test_who_is_a_party_no_longer_is_owed_no_letter(board: Board) -> None:
    number, track = _heard(board)
    respondent, counsel, complainant = send_result(board.docket, board.clerk, number, track)
    _sent(board, number, (respondent, complainant))
    board.settle(number, counsel, "bounced")
    (lawyer,) = board.file(number).counsel_of(track)
    remove_party(board.docket, board.clerk, number, lawyer.id, reason="no longer counsel")
    assert still_open(board.look(number)) == []


def test_a_demand_that_did_not_reach_the_commission_stops_it_until_it_was_brought_there(board: Board) -> None:
    number, track = received_case(board)
    _acknowledged(board, number)
    _sent(board, number, send_notification(board.docket, board.clerk, number, track))
    now = board.clock.now()
    demand = record_demand(board.docket, board.clerk, number, track, received_at=now, words="He demands it.")
    board.settle(number, demand.letter, "bounced")
    today = board.look(number).today
    record_commission_result(board.docket, board.clerk, number, track, on=today, result="upheld")
    assert still_open(board.look(number)) == [
        f"letter {demand.letter}, the demand cover to the commission, came back"
    ]

    def bring(letter: int, on: date) -> None:
        record_office_service(
            board.docket, board.clerk, number, letter, how="in person", on=on, by="the clerk"
        )

    with pytest.raises(BadInput):
        bring(999, today)
    with pytest.raises(NotNow):
        bring(demand.letter, today - timedelta(days=3))
    bring(demand.letter, today)
    with pytest.raises(NotNow):
        bring(demand.letter, today)
    close_case(board.docket, board.clerk, number)

"""Corrections are further facts with reasons: dates are reckoned anew, old letters and entries stay."""

from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

from store import outbox
from store.cases import MACHINE, verify
from store.ports import PingKind
from store.proceedings.closing import close_case
from store.proceedings.correction import (
    amend,
    correct_receipt,
    instant_of,
    receipts,
    record_withdrawal,
    reopen,
    words_for,
)
from store.proceedings.demand import record_demand
from store.proceedings.determination import determine
from store.proceedings.notice import send_notice
from store.proceedings.parties import name_party
from store.proceedings.response import File, record_response
from store.proceedings.service import record_service
from store.proceedings.termination import send_decision
from store.proceedings.testimony import Appearance, record_appearance
from store.rules.duties import StepState
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotNow
from store.rules.facts import (
    Choice,
    DatesMoved,
    DemandRecorded,
    PaperReceived,
    PartyNamed,
    PartyRole,
    Question,
    ReceivedBy,
    Reopened,
    ReprimandReceived,
    Served,
    Withdrawn,
)
from store.rules.stages import Aside, Next, TrackStage, asides, coming, track_stage
from store.rules.timeline import recorded_as
from tests.proceedings.after_builders import NO_BASIS, SUFFICIENT, both_terminated, received_case
from tests.proceedings.builders import Board

_BEFORE = "before the complaint was received"
PAPER = File(b"%PDF amended", "amended.pdf", "application/pdf")


def _terminated(board: Board) -> tuple[str, int, int]:
    number, track = board.served_case()
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    board.decide(number, track, held, Question.FACTUAL_BASIS, Choice.NO)
    determine(board.docket, board.clerk, number, track, NO_BASIS)
    return number, track, held


def _state(board: Board, number: str, key: str) -> StepState:
    return next(one.state for one in board.look(number).steps if one.key == key)


# -- a receipt ----------------------------------------------------------------------------------------


def test_a_corrected_receipt_moves_every_open_date_and_each_person_is_told_once(board: Board) -> None:
    number = board.case()
    (receipt,) = receipts(board.file(number))
    truly = instant_of(receipt) - timedelta(days=3)
    before = {one.key: one.dates for one in board.look(number).steps if one.is_open}
    moved = correct_receipt(
        board.docket, board.clerk, number, receipt.id, received_at=truly, reason="the stamp says Friday"
    )
    assert {one.step.partition(":")[0] for one in moved} == {
        "refer",
        "acknowledge",
        "name-respondents",
        "inquiry",
    }
    case = board.file(number)
    assert case.received(ReceivedBy.BOARD).fact.received_at == truly  # type: ignore[union-attr]  # recorded
    assert case.proper_received_at == truly
    assert len(list(case.all(DatesMoved))) == len(moved)
    for one in board.look(number).steps:
        if one.is_open and before.get(one.key) is not None:
            assert one.dates != before[one.key]
    with board.docket.database.read() as session:
        pings = [
            outbox.read(session, board.docket.keyring, one.id).ping  # type: ignore[union-attr]  # it waits
            for one in outbox.waiting(session, outbox.Channel.SLACK)
        ]
    told = [
        one.person
        for one in pings
        if one and one.kind is PingKind.TOLD and ("what", "dates-moved") in one.about
    ]
    assert len(told) == len(set(told))
    assert board.person("Mora Member") in told


def test_only_the_receipt_that_stands_is_corrected_with_a_reason(board: Board) -> None:
    number = board.case()
    (receipt,) = receipts(board.file(number))
    now = board.clock.now()
    with pytest.raises(BadInput):
        correct_receipt(board.docket, board.clerk, number, receipt.id, received_at=now, reason=" ")
    with pytest.raises(AlreadyDone):
        correct_receipt(board.docket, board.clerk, number, receipt.id, received_at=now, reason="x")
    earlier = now - timedelta(hours=1)
    correct_receipt(board.docket, board.clerk, number, receipt.id, received_at=earlier, reason="x")
    with pytest.raises(BadInput):
        correct_receipt(board.docket, board.clerk, number, receipt.id, received_at=now, reason="x")
    assert verify(board.docket, board.clerk) is None


# -- withdrawn, amended -------------------------------------------------------------------------------


def test_a_withdrawal_moves_no_date_and_leaves_the_rest_to_the_board(board: Board) -> None:
    number, _track = board.served_case()
    before = [(one.key, one.state, one.dates) for one in board.look(number).steps]
    now = board.clock.now()
    record_withdrawal(board.docket, board.clerk, number, received_at=now, words="she writes: no more")
    assert [(one.key, one.state, one.dates) for one in board.look(number).steps] == before
    case = board.file(number)
    assert asides(case) == (Aside.WITHDRAWN,)
    assert Next.VOTE in coming(case)
    with pytest.raises(AlreadyDone):
        record_withdrawal(board.docket, board.clerk, number, received_at=now, words="again")
    assert len(list(case.all(Withdrawn))) == 1


def test_an_amendment_walls_off_whom_it_names(board: Board) -> None:
    number, _track = board.served_case()
    mora = board.person("Mora Member")
    now = board.clock.now()
    amend(board.docket, board.clerk, number, received_at=now, files=[PAPER], named=[mora])
    case = board.file(number)
    assert case.walled(mora)
    assert [one.fact.what for one in case.all(PaperReceived)] == ["amendment"]
    with pytest.raises(NoSuchCase):
        board.look(number, board.actor("Mora Member"))
    with pytest.raises(BadInput):
        amend(board.docket, board.clerk, number, received_at=now, files=[], named=[])


# -- reopened -----------------------------------------------------------------------------------------


def test_a_reopened_case_goes_on_and_what_was_determined_stands_no_more(board: Board) -> None:
    number, track, held = _terminated(board)
    for letter in send_decision(board.docket, board.clerk, number, track):
        board.settle(number, letter, "sent")
    assert board.file(number).final
    board.clock.advance(timedelta(days=3))
    reopen(board.docket, board.chair, number, reason="new evidence")
    case = board.file(number)
    assert not case.final
    assert track_stage(case, track) is not TrackStage.TERMINATED
    assert Next.VOTE in coming(case)
    assert _state(board, number, f"determine:{track}") is StepState.OPEN
    with pytest.raises(NotNow):
        determine(board.docket, board.clerk, number, track, SUFFICIENT)
    board.decide(number, track, held, Question.JURISDICTION)
    board.decide(number, track, held, Question.FACTUAL_BASIS, Choice.NO)
    again = replace(NO_BASIS, findings="Again nothing.")
    determine(board.docket, board.clerk, number, track, again)
    assert _state(board, number, f"transmit:{track}") is StepState.OPEN
    assert len(send_decision(board.docket, board.clerk, number, track)) == 2


def test_a_reopened_reprimand_owes_its_receipt_anew(board: Board) -> None:
    number, track = received_case(board)
    reopen(board.docket, board.chair, number, reason="an error of law")
    assert not board.file(number).reprimand_received(track)
    assert _state(board, number, f"demand:{track}") is StepState.NOT_STARTED


def test_a_reopening_of_one_respondent_leaves_the_termination_of_another_as_it_is(board: Board) -> None:
    number, first, second, held = both_terminated(board)
    for track in (first, second):
        for letter in send_decision(board.docket, board.clerk, number, track):
            board.settle(number, letter, "sent")
    before = board.file(number).final_at(first)
    reopen(board.docket, board.chair, number, reason="new evidence", respondents=[second])
    case = board.file(number)
    assert not case.final
    assert (case.final_at(first), case.final_at(second)) == (before, None)
    assert track_stage(case, first) is TrackStage.TERMINATED
    assert [recorded_as(case, one) for one in case.all(Reopened)] == ["reopened for respondent 2"]
    assert _state(board, number, f"determine:{first}") is StepState.DONE
    assert _state(board, number, f"determine:{second}") is StepState.OPEN
    assert _state(board, number, f"transmit:{first}") is StepState.DONE
    with pytest.raises(AlreadyDone):
        board.ballot(number, first, held)
    board.decide(number, second, held, Question.JURISDICTION)
    with pytest.raises(NotNow, match="not final"):
        close_case(board.docket, board.clerk, number)


def test_where_there_are_several_respondents_the_reopening_says_whose_tracks(board: Board) -> None:
    number, first, second, _held = both_terminated(board)
    with pytest.raises(BadInput, match="2 respondents"):
        reopen(board.docket, board.chair, number, reason="new evidence")
    with pytest.raises(BadInput, match="no respondent"):
        reopen(board.docket, board.chair, number, reason="new evidence", respondents=[first, 999])
    reopen(board.docket, board.chair, number, reason="new evidence", respondents=[second])
    with pytest.raises(NotNow, match="goes on as it is"):
        reopen(board.docket, board.chair, number, reason="the same", respondents=[first, second])
    assert len(list(board.file(number).all(Reopened))) == 1
    reopen(board.docket, board.chair, number, reason="of him as well", respondents=[first])
    assert [board.file(number).final_at(one) for one in (first, second)] == [None, None]
    assert verify(board.docket, board.clerk) is None


def test_a_case_that_goes_on_is_not_reopened_and_a_reason_is_needed(board: Board) -> None:
    number, _track = board.served_case()
    with pytest.raises(NotNow):
        reopen(board.docket, board.chair, number, reason="x")
    with pytest.raises(BadInput):
        reopen(board.docket, board.chair, number, reason=" ")
    assert MACHINE.person is None


# -- a service on paper, and days before the complaint ------------------------------------------------


def _on_paper(board: Board) -> tuple[str, int]:
    """A case whose notice waits on paper since 2 February."""
    number = board.case()
    named = PartyNamed(PartyRole.RESPONDENT, "Paul Paper", postal="1 Main Street")
    track = name_party(board.docket, board.clerk, number, named)
    send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    return number, track


def _today(board: Board) -> date:
    return board.clock.now().astimezone(ZoneInfo("America/New_York")).date()


def _serve(board: Board, number: str, track: int, on: date, received_on: date | None = None) -> int:
    return record_service(
        board.docket,
        board.clerk,
        number,
        party=track,
        letter="notice",
        how="in person",
        on=on,
        by="the clerk",
        received_on=received_on,
    )


def test_a_letter_is_served_on_no_day_before_it_was_written_and_one_service_is_recorded_once(
    board: Board,
) -> None:
    number, track = _on_paper(board)
    today = _today(board)
    board.clock.advance(timedelta(days=3))
    with pytest.raises(NotNow, match="before it was written"):
        _serve(board, number, track, today - timedelta(days=1))
    _serve(board, number, track, today)
    with pytest.raises(AlreadyDone, match="on the record"):
        _serve(board, number, track, today)
    assert _serve(board, number, track, today + timedelta(days=1))


@pytest.mark.parametrize("received", [False, True])
def test_a_wrong_day_of_service_is_corrected_and_the_time_to_answer_runs_from_the_right_one(
    board: Board, *, received: bool
) -> None:
    number, track = _on_paper(board)
    wrong = _today(board)
    board.clock.advance(timedelta(days=9))
    service = _serve(board, number, track, wrong, wrong if received else None)
    before = {one.key: one.dates for one in board.look(number).steps}[f"respond:{track}"]
    (found,) = [one for one in receipts(board.file(number)) if one.id == service]
    assert words_for(board.file(number), found) == f"notice served on party {track}"
    truly = instant_of(found) + timedelta(days=7)
    moved = correct_receipt(
        board.docket, board.clerk, number, service, received_at=truly, reason="the card says so"
    )
    assert f"respond:{track}" in {one.step for one in moved}
    assert board.file(number).reached_at("notice", track) == truly
    after = {one.key: one.dates for one in board.look(number).steps}[f"respond:{track}"]
    assert before is not None
    assert after is not None
    # ten days: from 2 February they end on Lincoln's birthday and run on; from 9 February on the 19th
    assert (before.expected_last_day, after.expected_last_day) == (date(2026, 2, 13), date(2026, 2, 19))
    (last,) = [one.id for one in receipts(board.file(number)) if isinstance(one.fact, Served)]
    with pytest.raises(NotNow, match="before it was written"):
        correct_receipt(
            board.docket,
            board.clerk,
            number,
            last,
            received_at=truly - timedelta(days=30),
            reason="a slip of the pen",
        )


def test_what_follows_a_complaint_lies_on_no_day_before_it(board: Board) -> None:
    number, track = _on_paper(board)
    early = board.clock.now() - timedelta(days=1)
    with pytest.raises(BadInput, match=_BEFORE):
        record_withdrawal(board.docket, board.clerk, number, received_at=early, words="by letter")
    with pytest.raises(BadInput, match=_BEFORE):
        amend(board.docket, board.clerk, number, received_at=early, files=[PAPER], named=[])
    with pytest.raises(BadInput, match=_BEFORE):
        record_response(board.docket, board.clerk, number, track, received_at=early, words="by letter")
    with pytest.raises(BadInput, match=_BEFORE):
        record_appearance(board.docket, board.clerk, number, track, Appearance(early, "in person"))


def test_a_corrected_receipt_lies_on_no_day_before_what_it_follows(board: Board) -> None:
    number, track = received_case(board)
    record_demand(board.docket, board.clerk, number, track, received_at=board.clock.now(), words="by hand")
    early = board.clock.now() - timedelta(days=300)
    for one in receipts(board.file(number)):
        if isinstance(one.fact, ReprimandReceived | DemandRecorded):
            with pytest.raises((BadInput, NotNow), match=r"before it was issued|before the complaint was"):
                correct_receipt(board.docket, board.clerk, number, one.id, received_at=early, reason="a slip")

"""A closed file ends by a list that two people approved, and by nothing else; breaches are on the record (C9)."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store.cases import Actor, act, open_case, verify, visible_cases
from store.printing import PressRoom
from store.proceedings.breach import breaches, end_breach, record_breach, record_telling
from store.proceedings.closing import lift_hold, place_hold
from store.proceedings.correction import reopen
from store.proceedings.disposal import (
    approve_disposal,
    carry_out,
    disposal_lists,
    list_disposal,
    may_be_listed,
)
from store.proceedings.known import what_we_know
from store.proceedings.mail import take_mail
from store.proceedings.reminders import sweep
from store.rules.access import Deed, Via
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow
from store.rules.facts import CaseClosed, ConflictFound
from tests.clocks import ManualClock
from tests.proceedings.builders import PROFILE, Board, a_board
from tests.proceedings.filings import a_filing, a_spot, filed

TEN_YEARS_ON = datetime(2036, 2, 3, 15, 0, tzinfo=UTC)
NAMES = (b"Connie", b"connie@post.example")


def _closed(board: Board, uid: int = 1) -> str:
    number = filed(board, a_filing(ack_to=""), raw=b"mail %d" % uid, uid=uid)
    with act(board.docket, board.clerk, Deed.CLOSE_CASE, number=number) as step:
        step.record(CaseClosed(step.now))
    return number


def _approved(board: Board, *numbers: str) -> int:
    key = list_disposal(board.docket, board.clerk, numbers, reason="the schedule's time is over")
    assert approve_disposal(board.docket, board.chair, key) == 1
    assert approve_disposal(board.docket, board.actor("Cora Counsel"), key) == 0
    return key


def test_a_file_that_two_people_let_go_opens_to_nobody_and_the_journal_stays_whole(board: Board) -> None:
    number, kept = _closed(board), _closed(board, uid=2)
    board.clock.set_to(TEN_YEARS_ON)
    before = sum(1 for path in board.docket.vault.root.rglob("*") if path.is_file())
    assert may_be_listed(board.docket, board.clerk) == (number, kept)
    assert carry_out(board.docket, board.clerk, _approved(board, number)) == (number,)
    assert verify(board.docket, board.clerk) is None
    assert [one.case.number for one in visible_cases(board.docket, board.clerk)] == [kept]
    assert sum(1 for path in board.docket.vault.root.rglob("*") if path.is_file()) == before - 2
    with pytest.raises(Exception, match="disposed of"):
        board.file(number)
    assert board.file(kept).number == kept
    assert may_be_listed(board.docket, board.clerk) == (kept,)
    (done,) = disposal_lists(board.docket, board.clerk)
    assert done.carried_out_at == TEN_YEARS_ON
    assert board.case() == "EC-2036-0001"
    sweep(board.docket)


def test_mail_that_comes_after_a_disposal_is_still_taken(board: Board) -> None:
    number = _closed(board)
    board.clock.set_to(TEN_YEARS_ON)
    carry_out(board.docket, board.clerk, _approved(board, number))
    taken = take_mail(board.docket, a_spot(7, size=5), b"later")
    assert not taken.again
    known = what_we_know(
        board.docket,
        item=taken.item,
        raw_sha256="0" * 64,
        message_id="<later@post.example>",
        tokens=(),
        message_ids=("<m1@post.example>",),
        numbers=(number,),
    )
    assert known.cases == ()
    assert verify(board.docket, board.clerk) is None


def test_a_case_that_was_disposed_of_is_no_case_to_anybody(board: Board) -> None:
    number = _closed(board)
    board.clock.set_to(TEN_YEARS_ON)
    carry_out(board.docket, board.clerk, _approved(board, number))
    for who in (board.clerk, board.members[1]):
        with pytest.raises(NoSuchCase):
            open_case(board.docket, who, number)
        with pytest.raises(NoSuchCase):
            place_hold(board.docket, who, number, reason="too late")
    assert verify(board.docket, board.clerk) is None


def test_one_person_is_not_two_nor_is_his_deputy(board: Board) -> None:
    number = _closed(board)
    board.clock.set_to(TEN_YEARS_ON)
    key = list_disposal(board.docket, board.clerk, [number], reason="time is over")
    with pytest.raises(AlreadyDone, match=f"List {key} names these cases"):
        list_disposal(board.docket, board.clerk, [number], reason="time is over")
    approve_disposal(board.docket, board.clerk, key)
    with pytest.raises(AlreadyDone, match="Somebody else must"):
        approve_disposal(board.docket, board.clerk, key)
    with pytest.raises(NotNow, match="1 did"):
        carry_out(board.docket, board.clerk, key)
    assert board.file(number).closed


def test_nothing_goes_before_its_time_while_a_hold_stands_or_while_it_is_open(board: Board) -> None:
    number = _closed(board)
    board.clock.set_to(TEN_YEARS_ON - timedelta(days=1))
    with pytest.raises(NotNow, match="kept until 2036-02-02"):
        list_disposal(board.docket, board.clerk, [number], reason="too early")
    board.clock.set_to(TEN_YEARS_ON)
    place_hold(board.docket, board.clerk, number, reason="a suit is pending")
    with pytest.raises(NotNow, match="hold stands"):
        list_disposal(board.docket, board.clerk, [number], reason="held")
    lift_hold(board.docket, board.clerk, number, reason="the suit is over")
    open_case = board.case()
    with pytest.raises(NotNow, match="not closed"):
        list_disposal(board.docket, board.clerk, [number, open_case], reason="one is open")
    assert may_be_listed(board.docket, board.clerk) == (number,)


def test_a_hold_or_a_reopening_after_the_approvals_stops_it(board: Board) -> None:
    number, other = _closed(board), _closed(board, uid=2)
    board.clock.set_to(TEN_YEARS_ON)
    key = _approved(board, number, other)
    place_hold(board.docket, board.chair, number, reason="a subpoena came")
    with pytest.raises(NotNow, match="hold stands"):
        carry_out(board.docket, board.clerk, key)
    lift_hold(board.docket, board.chair, number, reason="answered")
    reopen(board.docket, board.chair, other, reason="new evidence")
    with pytest.raises(NotNow, match="not closed"):
        carry_out(board.docket, board.clerk, key)
    assert board.file(number).number == number


def test_a_list_is_carried_out_once_and_by_whom_it_belongs_to(board: Board) -> None:
    number = _closed(board)
    board.clock.set_to(TEN_YEARS_ON)
    for who in (board.members[1], board.actor("Ivo Machinist")):
        with pytest.raises(NotAllowed):
            list_disposal(board.docket, who, [number], reason="mine")
    key = _approved(board, number)
    with pytest.raises(NotAllowed):
        carry_out(board.docket, board.chair, key)
    carry_out(board.docket, board.clerk, key)
    with pytest.raises(AlreadyDone):
        carry_out(board.docket, board.clerk, key)
    with pytest.raises(BadInput):
        carry_out(board.docket, board.clerk, key + 1000)


def test_who_is_walled_off_from_a_case_neither_lists_nor_approves_it(board: Board) -> None:
    number = _closed(board)
    with act(board.docket, board.clerk, Deed.SAY_WHO_IS_NAMED, number=number) as step:
        step.record(ConflictFound(board.person("Hanna Chair"), "named"))
    board.clock.set_to(TEN_YEARS_ON)
    key = list_disposal(board.docket, board.clerk, [number], reason="time is over")
    with pytest.raises(NoSuchCase):
        approve_disposal(board.docket, board.chair, key)


def test_without_a_schedule_nothing_is_disposed_of(
    tmp_path: Path, press: PressRoom, clock: ManualClock
) -> None:
    text = PROFILE.replace("[retention]\nyears = 10\n", "[retention_]\n")
    start = text.index("[retention_]")
    without = text[:start] + text[text.index("# ---- the text of the ordinance") :]
    board = a_board(tmp_path, clock, press, profile=without)
    number = _closed(board)
    clock.set_to(datetime(2126, 1, 1, tzinfo=UTC))
    assert may_be_listed(board.docket, board.clerk) == ()
    with pytest.raises(NotNow, match="no retention schedule"):
        list_disposal(board.docket, board.clerk, [number], reason="old")
    board.docket.database.engine.dispose()


def test_a_breach_is_on_the_record_with_who_was_told_and_its_end(board: Board) -> None:
    number, now = board.case(), board.clock.now()
    it = board.actor("Ivo Machinist")
    key = record_breach(
        board.docket, it, found_at=now, what="A letter went to a wrong address.", numbers=[number]
    )
    record_telling(board.docket, board.clerk, key, whom="the complainant", at=now, how="by telephone")
    early = now - timedelta(minutes=1)
    with pytest.raises(BadInput, match="before it was found"):
        record_telling(board.docket, board.clerk, key, whom="counsel", at=early, how="by telephone")
    end_breach(board.docket, board.clerk, key, what="The letter was given back.")
    (found,) = breaches(board.docket, board.chair)
    assert (found.recorded.numbers, found.told[0].whom) == ((number,), "the complainant")
    assert found.ended is not None
    with pytest.raises(AlreadyDone):
        end_breach(board.docket, board.clerk, key, what="again")
    with pytest.raises(NotAllowed):
        breaches(board.docket, board.members[1])
    with pytest.raises(BadInput):
        record_breach(board.docket, it, found_at=now + timedelta(days=1), what="tomorrow")
    with pytest.raises(BadInput):
        record_breach(board.docket, it, found_at=now, what="x", numbers=["EC-2026-0099"])
    assert verify(board.docket, board.clerk) is None


def test_a_stranger_approves_nothing(board: Board) -> None:
    with pytest.raises(NotAllowed):
        approve_disposal(board.docket, Actor(None, Via.SLACK), 1)

"""The machine's clock is set back or ahead while Docket runs: told and journaled once, and nothing lost or doubled."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from bot.schedule import Timetable, drain
from store import journal
from store.cases import MACHINE, act, verify
from store.database import heartbeats
from store.outbox import Channel, Owed
from store.ports import Delivery, DeliveryState, PingKind
from store.printing import PressRoom
from store.proceedings import acknowledgement, delivery
from store.proceedings.mail import waiting_items
from store.proceedings.receipt import put_off
from store.proceedings.reminders import sweep
from store.rules.access import Deed
from store.tables import Due, ReminderSent
from tests.clocks import ManualClock
from tests.proceedings.after_builders import received_case
from tests.proceedings.builders import Board, a_board, at
from tests.proceedings.filings import taken

DONE = Delivery(DeliveryState.ACCEPTED)
HOURS = timedelta(hours=1)


class Machine:
    """A counter and a clock that go on together, and a clock that can be set."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock, self.ran_s = clock, 1000.0

    def __call__(self) -> float:
        return self.ran_s

    def goes_on(self, seconds: float) -> None:
        self.ran_s += seconds
        self.clock.advance(timedelta(seconds=seconds))

    def is_set(self, by: timedelta) -> None:
        self.clock.set_to(self.clock.now() + by)


@pytest.fixture
def board(tmp_path: Path, clock: ManualClock, press: PressRoom) -> Iterator[Board]:
    made = a_board(tmp_path, clock, press)
    yield made
    made.docket.database.engine.dispose()


@pytest.fixture
def machine(board: Board) -> Machine:
    return Machine(board.clock)


def a_copy(board: Board, machine: Machine, sent: list[Owed] | None = None) -> Timetable:
    kept = sent if sent is not None else []

    def send(owed: Owed) -> Delivery:
        kept.append(owed)
        return DONE

    copy = Timetable(board.docket, show_ping=lambda _owed: DONE, send_letter=send, seconds=machine)
    copy._renew()
    copy.clock_watch.look()
    return copy


def told(board: Board) -> list[str]:
    """The alarms that wait to be shown; all are taken as shown."""
    found = []
    while owed := delivery.claim(board.docket, Channel.SLACK):
        for one in owed:
            assert one.ping is not None
            found += [one.ping.text] if one.ping.kind is PingKind.ALARM else []
            delivery.settle(board.docket, one, DONE)
    return [one for one in found if "clock" in one]


def entries(board: Board) -> list[dict[str, Any]]:
    """What the journal says of the clock."""
    docket = board.docket
    with docket.database.read() as session:
        contents = [one.content or {} for one in journal.entries(session, docket.keyring)]
    return [one["note"]["clock"] for one in contents if "clock" in one.get("note", {})]


def dates(board: Board) -> list[tuple[object, ...]]:
    with board.docket.database.read() as session:
        rows = session.exec(select(Due).order_by(Due.case_id, Due.step))  # type: ignore[arg-type]  # columns
        return [
            (one.case_id, one.step, one.act_by, one.expected_last_day, one.keep_open_until, one.settled)
            for one in rows
        ]


@pytest.mark.parametrize("by", [HOURS, timedelta(days=1), timedelta(days=365)], ids=["hour", "day", "year"])
@pytest.mark.parametrize("way", [-1, 1], ids=["back", "ahead"])
def test_a_clock_that_is_set_is_told_once_with_what_to_do_and_the_journal_says_from_where_to_where(
    board: Board, machine: Machine, by: timedelta, way: int
) -> None:
    by *= way
    board.case()
    before = dates(board)
    copy = a_copy(board, machine)
    machine.goes_on(2)
    expected = board.clock.now()
    machine.is_set(by)
    for _look in range(3):
        copy.clock_watch.look()
        copy.clock_watch.look_back()
        machine.goes_on(2)
    (said,) = told(board)
    assert ("set back" if by < timedelta(0) else "jumped ahead") in said
    assert "timedatectl" in said
    (entry,) = entries(board)
    assert datetime.fromisoformat(entry["expected"]) == expected
    assert datetime.fromisoformat(entry["shows"]) == expected + by
    assert dates(board) == before
    assert verify(board.docket, MACHINE) is None


@pytest.mark.parametrize("by_s", [-59, -1, 0, 1, 299])
def test_a_clock_that_is_only_put_right_is_told_to_nobody(board: Board, machine: Machine, by_s: int) -> None:
    copy = a_copy(board, machine)
    machine.goes_on(2)
    machine.is_set(timedelta(seconds=by_s))
    copy.clock_watch.look()
    copy.clock_watch.look_back()
    assert told(board) == []
    assert entries(board) == []


def test_a_clock_set_back_while_no_copy_ran_is_seen_at_the_first_sweep(
    board: Board, machine: Machine
) -> None:
    a_copy(board, machine).sweep_once()
    machine.goes_on(60)
    machine.is_set(-5 * HOURS)
    later = a_copy(board, machine)
    machine.goes_on(10)  # the lease of the dead copy is not renewed meanwhile
    later._renew()
    later.sweep_once()
    later.sweep_once()
    assert len(told(board)) == len(entries(board)) == 1


def test_after_a_clock_was_set_back_a_dead_leaders_lease_ends_all_the_same(
    board: Board, machine: Machine
) -> None:
    a_copy(board, machine)
    machine.is_set(-5 * HOURS)
    heir = a_copy(board, machine)
    assert not heir.is_leader()
    machine.goes_on(5)
    heir._renew()
    assert not heir.is_leader()
    machine.goes_on(2)
    heir._renew()
    assert heir.is_leader()


def test_a_living_leader_keeps_its_lease_however_far_the_clocks_of_two_machines_are_apart(
    board: Board, machine: Machine
) -> None:
    leader, other = a_copy(board, machine), a_copy(board, machine)
    for _round in range(10):
        leader._renew()
        machine.is_set(-5 * HOURS)
        other._renew()
        assert not other.is_leader()
        machine.is_set(5 * HOURS)
        machine.goes_on(2)


def test_a_letter_and_a_mail_put_off_under_a_clock_that_was_ahead_do_not_wait_for_that_hour(
    board: Board, machine: Machine
) -> None:
    number = board.case()
    sent: list[Owed] = []
    copy = a_copy(board, machine, sent)
    machine.goes_on(2)
    machine.is_set(timedelta(days=300))
    copy.clock_watch.look()
    acknowledgement.acknowledge(board.docket, board.clerk, number)
    item = taken(board.docket, b"From: a@b.example\r\n\r\nx")
    put_off(board.docket, item, "R-0000-0000")
    machine.goes_on(2)
    machine.is_set(-timedelta(days=300))
    copy.clock_watch.look()
    assert [one.id for one in waiting_items(board.docket)] == [item]
    machine.goes_on(301)
    copy._renew()
    drain(board.docket, Channel.MAIL, copy.send_letter)
    assert [one.kind for one in sent] == ["acknowledgement"]


def test_a_letter_being_sent_when_the_clock_is_set_back_is_not_taken_for_lost_before_its_time(
    board: Board, machine: Machine
) -> None:
    number = board.case()
    copy = a_copy(board, machine)
    machine.goes_on(2)
    acknowledgement.acknowledge(board.docket, board.clerk, number)
    machine.goes_on(301)
    copy.clock_watch.look()
    (owed,) = delivery.claim(board.docket, Channel.MAIL)
    machine.is_set(-30 * HOURS)
    copy.clock_watch.look()
    assert delivery.claim(board.docket, Channel.MAIL) == []
    assert delivery.settle(board.docket, owed, DONE).value == "sent"


def test_a_right_that_a_clock_set_ahead_called_over_is_open_again(board: Board, machine: Machine) -> None:
    received_case(board)
    before = dates(board)
    copy = a_copy(board, machine)
    machine.goes_on(2)
    machine.is_set(timedelta(days=30))
    copy.clock_watch.look()
    copy.sweep_once()
    assert dates(board) != before
    machine.goes_on(2)
    machine.is_set(-timedelta(days=30))
    copy.clock_watch.look()
    copy.sweep_once()
    assert dates(board) == before


def test_a_clock_set_ahead_and_back_loses_no_reminder_and_doubles_none(
    board: Board, machine: Machine
) -> None:
    """The stages not yet reached go at their own time, though a later one went under the wrong clock."""
    board.case()
    copy = a_copy(board, machine)
    days = [date(2026, 2, 2) + timedelta(one) for one in range(16)]

    def swept(day: date) -> int:
        board.clock.set_to(at(day))
        return sweep(board.docket).reminders

    first = [swept(day) for day in days[:3]]
    machine.is_set(timedelta(days=60))
    copy.clock_watch.look()
    sweep(board.docket)
    rest = [swept(day) for day in days]
    with board.docket.database.read() as session:
        marks = [
            (one.case_id, one.step, one.stage, one.person_id) for one in session.exec(select(ReminderSent))
        ]
    assert len(marks) == len(set(marks))
    stages = {mark[2].partition("@")[0] for mark in marks if mark[1].startswith("acknowledge")}
    assert {"7", "3", "1", "0"} <= stages
    assert sum(first) > 0
    assert sum(rest) > 0


def test_the_practice_clock_is_moved_on_purpose_and_told_to_nobody(board: Board, machine: Machine) -> None:
    from dataclasses import replace

    practice = Board(replace(board.docket, practice=True), board.clock)
    copy = a_copy(practice, machine)
    machine.is_set(timedelta(days=3))
    copy.clock_watch.look()
    assert told(board) == []
    with act(board.docket, MACHINE, Deed.SWEEP) as step:
        assert "alarm:clock" not in heartbeats(step.session)

"""The timetable: one copy leads, a fault of one job stops no other, a stop is clean."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot import schedule
from bot.schedule import Timetable, drain
from store.database import RecordUnavailable, heartbeats
from store.outbox import Channel, Owed, State, waiting
from store.ports import Delivery, DeliveryState, PingKind
from store.printing import PressRoom
from store.proceedings import acknowledgement, delivery
from store.proceedings.reminders import raise_alarm
from tests.clocks import ManualClock
from tests.proceedings.builders import Board, a_board

SHOWN = Delivery(DeliveryState.ACCEPTED)
PATIENCE_S = 20.0


@pytest.fixture
def board(tmp_path: Path, clock: ManualClock, press: PressRoom) -> Iterator[Board]:
    made = a_board(tmp_path, clock, press)
    yield made
    made.docket.database.engine.dispose()


def accepted(_owed: Owed) -> Delivery:
    return SHOWN


@dataclass
class Seconds:
    """A counter that stands still until the test moves it."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def a_timetable(board: Board, **parts: object) -> Timetable:
    given = {"show_ping": accepted, "send_letter": accepted, "seconds": Seconds(), **parts}
    return Timetable(board.docket, **given)  # type: ignore[arg-type]


def letters(board: Board) -> list[State]:
    with board.docket.database.read() as session:
        return [one.state for one in waiting(session, Channel.MAIL)]


def alarms(board: Board) -> list[str]:
    """The alarms that wait for the staff channel; all are taken as shown."""
    found = []
    while owed := delivery.claim(board.docket, Channel.SLACK):
        for one in owed:
            assert one.ping is not None
            if one.ping.kind is PingKind.ALARM:
                found.append(one.ping.text)
            delivery.settle(board.docket, one, SHOWN)
    return found


def two_letters(board: Board) -> None:
    """Two acknowledgements whose time to be taken back is over, to two addresses."""
    from store.proceedings import parties
    from store.rules.facts import PartyNamed, PartyRole

    number = board.case()
    joint = PartyNamed(PartyRole.COMPLAINANT, "Conrad Second", ("conrad@post.example",))
    parties.name_party(board.docket, board.clerk, number, joint)
    acknowledgement.acknowledge(board.docket, board.clerk, number)
    board.clock.advance(timedelta(minutes=6))


# -- who leads ----------------------------------------------------------------------------------------


def test_one_of_two_copies_leads(board: Board) -> None:
    first, second = a_timetable(board), a_timetable(board)
    first._renew()
    second._renew()
    assert [first.is_leader(), second.is_leader()] == [True, False]


def test_a_dead_leader_is_replaced_within_ten_seconds(board: Board) -> None:
    first, second = a_timetable(board), a_timetable(board)
    first._renew()
    board.clock.advance(timedelta(seconds=5))
    second._renew()
    assert not second.is_leader()
    board.clock.advance(timedelta(seconds=2))
    second._renew()
    assert second.is_leader()
    first._renew()
    assert not first.is_leader()
    # another looks just before the lease ends and then a renewal later; two seconds are left to begin
    assert schedule.LEASE + timedelta(seconds=schedule.RENEW_EVERY_S) <= timedelta(seconds=8)


def test_a_leader_that_renews_goes_on_leading(board: Board) -> None:
    first, second = a_timetable(board), a_timetable(board)
    for _ in range(10):
        first._renew()
        second._renew()
        board.clock.advance(timedelta(seconds=schedule.RENEW_EVERY_S))
    assert [first.is_leader(), second.is_leader()] == [True, False]


def test_a_copy_that_was_held_up_longer_than_its_lease_no_longer_leads(board: Board) -> None:
    seconds = Seconds()
    first = a_timetable(board, seconds=seconds)
    first._renew()
    seconds.now += schedule.LEASE.total_seconds() - 1
    assert first.is_leader()
    seconds.now += 1
    assert not first.is_leader()


def test_a_copy_that_stops_hands_over_at_once(board: Board) -> None:
    first, second = a_timetable(board), a_timetable(board)
    first.start()
    assert first.is_leader()
    first.stop()
    assert not first.is_leader()
    second._renew()
    assert second.is_leader()


def test_only_the_leader_sweeps(board: Board) -> None:
    board.case()
    board.clock.advance(timedelta(days=1))
    first, second = a_timetable(board), a_timetable(board)
    first._renew()
    second._renew()
    second.sweep_once()
    with board.docket.database.read() as session:
        assert "sweep" not in heartbeats(session)
    first.sweep_once()
    with board.docket.database.read() as session:
        assert "sweep" in heartbeats(session)


# -- at work ------------------------------------------------------------------------------------------


def test_while_it_runs_what_is_owed_goes_out_on_both_channels(board: Board) -> None:
    pinged, sent = threading.Event(), threading.Event()

    def show(_owed: Owed) -> Delivery:
        pinged.set()
        return SHOWN

    def send(_owed: Owed) -> Delivery:
        sent.set()
        return SHOWN

    two_letters(board)
    timetable = a_timetable(board, show_ping=show, send_letter=send)
    timetable.start()
    timetable.wake()
    assert pinged.wait(PATIENCE_S)
    assert sent.wait(PATIENCE_S)
    timetable.stop()


def test_while_another_copy_leads_nothing_goes_out(board: Board) -> None:
    two_letters(board)
    leader, other = a_timetable(board), a_timetable(board, send_letter=pytest.fail, show_ping=pytest.fail)
    leader._renew()
    rounds = threading.Event()
    other.extra["round"] = (0.05, rounds.set)
    other.start()
    other.wake()
    assert rounds.wait(PATIENCE_S)
    other.stop()
    assert letters(board) == [State.QUEUED, State.QUEUED]


def test_a_stop_waits_for_the_letter_that_is_being_sent_and_begins_no_other(board: Board) -> None:
    two_letters(board)
    begun, stopping = threading.Event(), threading.Event()
    sent = []

    def send(owed: Owed) -> Delivery:
        begun.set()
        assert stopping.wait(PATIENCE_S)
        sent.append(owed.id)
        return SHOWN

    timetable = a_timetable(board, send_letter=send)
    timetable.start()
    timetable.wake()
    assert begun.wait(PATIENCE_S)
    timetable._stopped.set()
    stopping.set()
    timetable.stop()
    assert len(sent) == 1
    assert letters(board) == [State.QUEUED]


@pytest.mark.parametrize("days", [-365, -1, 0, 1, 365, 36_500])
def test_the_next_turn_lies_its_seconds_ahead_wherever_the_clock_was_set(days: int) -> None:
    """The library asks on until the answer lies ahead: a year of missed turns must be one question."""
    before = datetime(2026, 3, 2, 15, tzinfo=UTC)
    now = before + timedelta(days=days)
    assert schedule.Turns(2).get_next_fire_time(before, now) == now + timedelta(seconds=2)


def test_a_clock_that_went_back_puts_no_job_off(board: Board) -> None:
    """What waits was timed by the clock of before, so that its turn lies as far ahead as the clock went back."""
    turns, counter = threading.Semaphore(0), [0.0]
    table = a_timetable(board, extra={"turn": (3600.0, turns.release)}, seconds=lambda: counter[0])
    table.start()
    table.clock_watch.look()
    held = table._scheduler
    assert held is not None
    timed = held.get_job("turn").next_run_time
    held.modify_job("turn", next_run_time=timed + timedelta(days=365))
    board.clock.advance(timedelta(days=-365))
    table.clock_watch.look()
    assert held.get_job("turn").next_run_time < timed + timedelta(minutes=5)
    held.modify_job("turn", next_run_time=timed - timedelta(days=365))
    assert turns.acquire(timeout=PATIENCE_S)
    assert held.get_job("turn").next_run_time > timed - timedelta(minutes=5)
    assert table.stalled() == ()
    table.stop()


def test_further_jobs_run_on_every_copy(board: Board) -> None:
    beaten = threading.Event()
    a_timetable(board)._renew()
    other = a_timetable(board, extra={"health": (0.05, beaten.set)})
    other.start()
    assert beaten.wait(PATIENCE_S)
    other.stop()


# -- delivering ---------------------------------------------------------------------------------------


class Killed(BaseException):
    """The process dies here."""


def test_a_death_while_one_letter_is_sent_leaves_the_others_untouched(board: Board) -> None:
    two_letters(board)

    def die(_owed: Owed) -> Delivery:
        raise Killed

    with pytest.raises(Killed):
        drain(board.docket, Channel.MAIL, die)
    assert letters(board) == [State.SENDING, State.QUEUED]


def test_a_letter_whose_sender_died_is_uncertain_and_never_sent_again(board: Board) -> None:
    two_letters(board)

    def die(_owed: Owed) -> Delivery:
        raise Killed

    with pytest.raises(Killed):
        drain(board.docket, Channel.MAIL, die)
    board.clock.advance(timedelta(minutes=10))
    assert drain(board.docket, Channel.MAIL, accepted) == 1
    assert letters(board) == [State.UNCERTAIN]


def test_draining_stops_between_claims_when_told(board: Board) -> None:
    two_letters(board)
    answers = iter([True, False])
    assert drain(board.docket, Channel.MAIL, accepted, lambda: next(answers)) == 1


def test_a_fault_of_ours_in_one_letter_leaves_it_to_a_person_and_sends_the_next(board: Board) -> None:
    two_letters(board)
    tried = []

    def send(owed: Owed) -> Delivery:
        tried.append(owed.id)
        if len(tried) == 1:
            raise ZeroDivisionError
        return SHOWN

    timetable = a_timetable(board, send_letter=send)
    timetable._renew()
    timetable._drained(Channel.MAIL, send)
    assert len(tried) == 2
    assert letters(board) == [State.UNCERTAIN]


def test_where_the_record_does_not_answer_the_letter_is_tried_again(board: Board) -> None:
    two_letters(board)

    def away(_owed: Owed) -> Delivery:
        raise RecordUnavailable("away")

    timetable = a_timetable(board)
    timetable._renew()
    timetable._drained(Channel.MAIL, away)
    assert letters(board) == [State.QUEUED, State.QUEUED]
    assert not alarms(board)


def test_a_fault_of_ours_in_a_ping_has_it_tried_again(board: Board) -> None:
    raise_alarm(board.docket, "mailbox", "The mailbox is away.")
    timetable = a_timetable(board)
    timetable._renew()
    timetable._drained(Channel.SLACK, lambda _owed: 1 // 0)  # type: ignore[arg-type, return-value]
    board.clock.advance(timedelta(minutes=1))
    assert "The mailbox is away." in alarms(board)


# -- faults -------------------------------------------------------------------------------------------


def broken() -> None:
    raise ValueError("Wilhelmina Complainant")


def test_a_fault_gets_a_number_and_staff_are_told_it_once(board: Board) -> None:
    timetable = a_timetable(board)
    first, second = (timetable.guard(broken, "mail.reading") for _ in range(2))
    assert first
    assert second
    assert first != second
    (said,) = alarms(board)
    assert first in said
    assert "Wilhelmina" not in said


def test_work_that_was_done_has_no_number(board: Board) -> None:
    done = threading.Event()
    assert a_timetable(board).guard(done.set, "sweep") is None
    assert done.is_set()


def test_a_record_that_does_not_answer_raises_no_alarm(board: Board) -> None:
    def away() -> None:
        raise RecordUnavailable("away")

    assert a_timetable(board).guard(away, "sweep")
    assert not alarms(board)


def test_the_end_of_the_process_is_no_fault(board: Board) -> None:
    def end() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        a_timetable(board).guard(end, "sweep")


def test_the_alarm_about_a_job_is_taken_back_when_it_worked_for_an_hour(board: Board) -> None:
    seconds = Seconds()
    timetable = a_timetable(board, seconds=seconds)
    timetable.guard(broken, "sweep")
    timetable.calm_down()
    assert len(alarms(board)) == 1
    seconds.now += schedule.CALM_AFTER_S
    timetable.calm_down()
    assert alarms(board) == ["What failed before has worked for an hour."]
    timetable.guard(broken, "sweep")
    assert len(alarms(board)) == 1


def test_an_alarm_of_an_earlier_process_is_taken_back_too(board: Board) -> None:
    a_timetable(board).guard(broken, "sweep")
    later = a_timetable(board)
    later._recall_faults()
    assert set(later._faults) == {"sweep"}

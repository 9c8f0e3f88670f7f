"""What the record promises under many writers, the same on SQLite and on PostgreSQL (C5, decisions 18, 23, 26)."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest
import sqlalchemy as sa
from sqlmodel import select

from store import journal, outbox
from store.cases import MACHINE, act, case_ids, claim_event, people_and_profile, verify
from store.database import (
    beat,
    head_revision,
    heartbeats,
    lease_holder,
    migrate,
    release_lease,
    revision,
    take_lease,
)
from store.outbox import Channel
from store.ports import PingKind
from store.printing import PressRoom
from store.proceedings import delivery
from store.proceedings.mail import take_mail
from store.proceedings.receipt import file_complaint
from store.proceedings.roster import add_person
from store.rules.access import Deed
from store.rules.facts import Withdrawn
from store.tables import CaseRow, Heartbeat, JournalRow
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.proceedings.builders import Board, a_docket
from tests.proceedings.filings import a_filing, a_spot, filed

WRITERS = 20
APPEND_ONLY = ("fact", "journal_entry")


def _at_once(count: int, work: Callable[[int], object]) -> list[object]:
    """Run the same work in threads that start together."""
    start = Barrier(count)

    def run(number: int) -> object:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def _chain(board: Board) -> list[int]:
    with board.docket.database.read() as session:
        return list(session.exec(select(JournalRow.seq).order_by(sa.column("seq"))))


def test_an_empty_database_is_brought_to_this_versions_schema_and_left_there(either: Board) -> None:
    database = either.docket.database
    assert revision(database) == head_revision()
    migrate(database)
    assert revision(database) == head_revision()
    with database.engine.connect() as connection:
        tables = set(sa.inspect(connection).get_table_names())
    assert {"fact", "journal_entry", "docket_case", "outbox", "raw_mail"} <= tables


@pytest.mark.parametrize("table", APPEND_ONLY)
@pytest.mark.parametrize("change", ["UPDATE {} SET body = body", "DELETE FROM {}"])
def test_the_database_itself_refuses_to_change_what_was_recorded(
    either: Board, table: str, change: str
) -> None:
    either.case()
    database = either.docket.database
    with pytest.raises(sa.exc.DatabaseError, match="append-only"), database.engine.begin() as connection:
        connection.execute(sa.text(change.format(table)))
    assert verify(either.docket, MACHINE) is None


def test_twenty_writers_make_one_whole_chain(either: Board) -> None:
    number = either.case()
    before = len(_chain(either))

    def write(writer: int) -> None:
        for _time in range(3):
            with act(either.docket, either.clerk, Deed.CORRECT, number=number) as step:
                step.record(Withdrawn(step.now, f"by {writer}"))

    _at_once(WRITERS, write)
    assert _chain(either) == list(range(1, before + 3 * WRITERS + 1))
    assert verify(either.docket, MACHINE) is None


def test_numbers_are_taken_once_however_many_file_at_once(either: Board) -> None:
    def file(writer: int) -> str:
        spot = a_spot(writer + 1, size=writer)
        item = take_mail(either.docket, spot, b"mail %d" % writer).item
        return file_complaint(either.docket, item, a_filing(ack_to=""))

    numbers = _at_once(8, file)
    assert sorted(map(str, numbers)) == [f"EC-2026-{one:04d}" for one in range(1, 9)]
    with either.docket.database.read() as session:
        assert sorted(number for _key, number in case_ids(session)) == sorted(map(str, numbers))
    assert verify(either.docket, MACHINE) is None


def test_the_same_message_taken_at_once_is_one_item(either: Board) -> None:
    found = _at_once(6, lambda writer: take_mail(either.docket, a_spot(writer + 1), b"one mail"))
    assert len({one.item for one in found}) == 1  # type: ignore[attr-defined]
    assert [one.again for one in found].count(False) == 1  # type: ignore[attr-defined]


def test_two_who_claim_at_once_never_get_the_same_row(either: Board) -> None:
    for uid in range(1, 5):
        filed(either, a_filing(ack_to=f"sender{uid}@post.example"), raw=b"%d" % uid, uid=uid)

    def claim(_writer: int) -> list[int]:
        mine: list[int] = []
        while found := delivery.claim(either.docket, Channel.MAIL, limit=1):
            mine += [one.id for one in found]
        return mine

    claimed = [key for keys in _at_once(4, claim) for key in keys]  # type: ignore[attr-defined]
    assert len(claimed) == len(set(claimed)) == 4


def test_a_mark_stands_under_one_fact(either: Board) -> None:
    number = either.case()
    with act(either.docket, either.clerk, Deed.CORRECT, number=number) as step:
        assert step.known("once") is None
        first = step.record(Withdrawn(step.now, "a"), dedupe="once")
        assert step.known("once") == first
    before = either.file(number).facts
    with pytest.raises(sa.exc.IntegrityError):
        _record_again(either, number)
    assert either.file(number).facts == before


def _record_again(board: Board, number: str) -> None:
    with act(board.docket, board.clerk, Deed.CORRECT, number=number) as step:
        step.record(Withdrawn(step.now, "b"), dedupe="once")


def test_one_event_is_claimed_once_by_whoever_comes_first(either: Board) -> None:
    assert _at_once(6, lambda _writer: claim_event(either.docket, "Ev1")).count(True) == 1
    assert not claim_event(either.docket, "Ev1")


def test_a_lease_is_one_holders_until_it_ends_and_then_the_next_ones(either: Board) -> None:
    now, length = A_MONDAY_MORNING, timedelta(seconds=10)

    def take(holder: str, after_s: int) -> bool:
        with either.docket.database.write() as session:
            return take_lease(session, "leader", holder, now + timedelta(seconds=after_s), length)

    assert _at_once(5, lambda writer: take(f"copy {writer}", 0)).count(True) == 1
    with either.docket.database.read() as session:
        holder = lease_holder(session, "leader", now)
    assert holder is not None
    assert take(holder, 5)
    assert not take("next", 14)
    assert take("next", 15)
    with either.docket.database.write() as session:
        release_lease(session, "leader", holder, now)  # it is not his any more
        assert lease_holder(session, "leader", now + timedelta(seconds=16)) == "next"
        release_lease(session, "leader", "next", now + timedelta(seconds=16))
    assert take("third", 16)


def test_a_heartbeat_is_the_last_one(either: Board) -> None:
    for state in ("ok", "failing"):
        with either.docket.database.write() as session:
            beat(session, "poll", either.clock.advance(timedelta(minutes=1)), state)
    with either.docket.database.read() as session:
        assert heartbeats(session)["poll"] == (either.clock.now(), "failing")


def test_a_reading_is_one_snapshot_while_others_write(either: Board) -> None:
    number = either.case()
    with either.docket.database.read() as session:
        head = journal.head(session)
        with act(either.docket, either.clerk, Deed.CORRECT, number=number) as step:
            step.record(Withdrawn(step.now, "meanwhile"))
            step.ping(PingKind.CASE_CARD)
        session.expire_all()
        assert journal.head(session) == head
    with either.docket.database.read() as session:
        assert journal.head(session)[0] == head[0] + 1
        assert outbox.waiting(session, Channel.SLACK)[-1].kind == PingKind.CASE_CARD


def test_who_somebody_is_follows_the_roster_at_once_whoever_changed_it(
    either: Board, press: PressRoom, clock: ManualClock, tmp_path: Path
) -> None:
    engine = either.docket.database.engine
    url = "" if engine.dialect.name == "sqlite" else engine.url.render_as_string(hide_password=False)
    copy = a_docket(tmp_path / "record", clock, press, url=url)
    known, profile = people_and_profile(copy)
    added = add_person(either.docket, either.clerk, "Ada Quill")
    people, same = people_and_profile(copy)
    assert (added in known.members, people.members[added].name) == (False, "Ada Quill")
    assert same == profile
    copy.database.engine.dispose()


def test_who_somebody_is_in_a_transaction_of_several_parts_is_as_the_parts_before_left_it(
    either: Board,
) -> None:
    with either.docket.database.together() as whole:
        docket = replace(either.docket, database=whole)
        added = add_person(docket, either.clerk, "Ada Quill")
        assert added in people_and_profile(docket)[0].members


@pytest.mark.parametrize("ends", ["quietly", "by a fault"])
def test_what_is_changed_by_mistake_in_a_reading_is_undone_and_holds_nobody_up(
    either: Board, ends: str
) -> None:
    number = either.case()
    with either.docket.database.read() as session:
        before = session.exec(select(Heartbeat.state)).all(), session.get_one(CaseRow, 1).seq
    with suppress(ZeroDivisionError), either.docket.database.read() as session:
        beat(session, "stray", either.clock.now(), "ok")
        session.get_one(CaseRow, 1).seq = 999
        session.flush()
        if ends == "by a fault":
            raise ZeroDivisionError
    with act(either.docket, either.clerk, Deed.CORRECT, number=number) as step:
        step.record(Withdrawn(step.now, "the next act"))
    with either.docket.database.read() as session:
        assert (session.exec(select(Heartbeat.state)).all(), session.get_one(CaseRow, 1).seq) == before
    assert verify(either.docket, MACHINE) is None


# -- several processes on one SQLite file -------------------------------------------------------------


def _write_beside(folder: Path, press: PressRoom, writer: int) -> None:
    """What one of several programs does with the same file."""
    docket = a_docket(folder, ManualClock(), press)
    for time in range(4):
        uid = 1 + writer * 10 + time
        item = take_mail(docket, a_spot(uid, size=uid), b"mail %d" % uid).item
        file_complaint(docket, item, a_filing(ack_to=""))
    docket.database.engine.dispose()


@pytest.mark.contract
def test_eight_programs_on_one_file_that_none_has_opened_before_make_one_chain(
    tmp_path: Path, press: PressRoom, clock: ManualClock
) -> None:
    fork = multiprocessing.get_context("fork")
    running = [fork.Process(target=_write_beside, args=(tmp_path, press, one)) for one in range(8)]
    for one in running:
        one.start()
    for one in running:
        one.join(120)
    assert [one.exitcode for one in running] == [0] * 8
    board = Board(a_docket(tmp_path, clock, press), clock)
    with board.docket.database.read() as session:
        numbers = sorted(number for _key, number in case_ids(session))
    assert numbers == [f"EC-2026-{one:04d}" for one in range(1, 33)]
    assert verify(board.docket, MACHINE) is None
    board.docket.database.engine.dispose()

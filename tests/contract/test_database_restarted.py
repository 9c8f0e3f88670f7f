"""PostgreSQL is restarted, in order and at once, while several people act: what was answered stands, one chain (R3)."""

import os
import pwd
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.emergency import OVER, SILENT, Emergency
from bot.schedule import Timetable
from store.cases import MACHINE, act, case_ids, verify
from store.database import RecordUnavailable, beat, heartbeats
from store.ports import Delivery, DeliveryState
from store.printing import PressRoom
from store.rules.access import Deed
from store.rules.facts import Withdrawn
from tests.clocks import ManualClock
from tests.contract.postgres import PostgresServer
from tests.proceedings.builders import Board, a_board, a_docket
from tests.servers import POSTGRES_ACCOUNT, find_postgres

pytestmark = [pytest.mark.contract, pytest.mark.needs("postgresql")]
PEOPLE, ACTS = 3, 9


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """A PostgreSQL of the test's own, as the others' must not be stopped."""
    programs = find_postgres()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="docket-pg-"))
    if os.geteuid() == 0:
        account = pwd.getpwnam(POSTGRES_ACCOUNT)
        os.chown(folder, account.pw_uid, account.pw_gid)
    server = PostgresServer(programs, folder)
    try:
        server.start()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_a_database_restarted_under_load_loses_no_act_that_was_answered_and_doubles_none(
    own_server: PostgresServer, tmp_path: Path, clock: ManualClock, press: PressRoom, how: str
) -> None:
    url = own_server.new_database()
    board = a_board(tmp_path, clock, press, url=url)
    number = board.case()
    answered: list[str] = []
    refused: list[str] = []
    begun, back = threading.Event(), threading.Event()

    def person(name: int) -> None:
        mine = Board(a_docket(tmp_path, clock, press, url=url), clock)
        for one in range(ACTS):
            words = f"person {name} act {one}"
            if one == ACTS // 3:
                begun.set()
                back.wait(60)
            while words not in answered:
                try:
                    with act(mine.docket, mine.clerk, Deed.CORRECT, number=number) as step:
                        if not any(each.fact.words == words for each in step.case.all(Withdrawn)):
                            step.record(Withdrawn(step.now, words))
                    answered.append(words)
                except RecordUnavailable as error:
                    refused.append(str(error))
                    back.wait(60)
        mine.docket.database.engine.dispose()

    def restart() -> None:
        begun.wait(60)
        own_server._run("pg_ctl", "-D", own_server._data, "-w", "-m", how, "stop")
        with pytest.raises(RecordUnavailable, match="does not answer"):
            board.file(number)
        own_server.start_again()
        back.set()

    threads = [threading.Thread(target=person, args=(one,)) for one in range(PEOPLE)]
    threads.append(threading.Thread(target=restart))
    for one in threads:
        one.start()
    for one in threads:
        one.join(120)
    assert back.is_set()
    stands = [one.fact.words for one in board.file(number).all(Withdrawn)]
    assert sorted(stands) == sorted(answered)
    assert len(stands) == len(set(stands)) == PEOPLE * ACTS
    assert verify(board.docket, MACHINE) is None
    board.docket.database.engine.dispose()


def _frozen(server: PostgresServer) -> list[int]:
    """Stop every process of a server where it stands; give them."""
    first = int((server.folder / "cluster" / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    stopped = [first, *map(int, children)]
    for one in stopped:
        os.kill(one, signal.SIGSTOP)
    return stopped


def test_a_database_that_takes_questions_and_answers_none_is_told_once_and_its_end_once(
    own_server: PostgresServer, tmp_path: Path, clock: ManualClock, press: PressRoom
) -> None:
    board = a_board(tmp_path, clock, press, url=own_server.new_database())
    told, ran_s = list[str](), [100.0]

    def tell(said: str) -> bool:
        told.append(said)
        return True

    emergency = Emergency({"staff": tell}, lambda: ran_s[0])
    table = Timetable(
        board.docket,
        show_ping=lambda _owed: Delivery(DeliveryState.ACCEPTED),
        send_letter=lambda _owed: Delivery(DeliveryState.ACCEPTED),
        seconds=lambda: ran_s[0],
        emergency=emergency,
    )
    table._renew_or_tell()
    stopped = _frozen(own_server)
    try:
        hanging = threading.Thread(target=table._renew_or_tell)
        hanging.start()
        for _look in range(12):
            ran_s[0] += 5.0
            table.look_at_record()
        assert hanging.is_alive()
        assert [SILENT in one for one in told] == [True]
        lasted = emergency.lasts
    finally:
        for one in reversed(stopped):
            os.kill(one, signal.SIGCONT)
    hanging.join(60)
    table.look_at_record()
    assert told[1:] == [OVER]
    assert (lasted, emergency.lasts) == (True, False)
    board.docket.database.engine.dispose()


def test_a_copy_that_falls_silent_in_the_middle_of_an_act_holds_nobody_up_and_its_act_is_not_done(
    postgres_url: str, tmp_path: Path, clock: ManualClock, press: PressRoom
) -> None:
    """Its machine sleeps, or lost its power: no connection is closed, and nothing more is heard."""
    board = a_board(tmp_path, clock, press, url=postgres_url)
    other = a_docket(tmp_path, clock, press, url=postgres_url)
    silent = ExitStack()
    session = silent.enter_context(other.database.write())
    beat(session, "stray", clock.now(), "ok")
    session.flush()
    name = "idle_in_transaction_session_timeout"
    assert session.execute(sa.text(f"SHOW {name}")).scalar_one() == "20s"
    session.execute(sa.text(f"SET LOCAL {name} = '300ms'"))  # as it would be after the twenty seconds
    assert board.case() == "EC-2026-0001"
    with pytest.raises(RecordUnavailable, match=r"machine slept.*safe.*do the act again"):
        silent.close()
    with board.docket.database.read() as after:
        assert "stray" not in heartbeats(after)
    with other.database.read() as after:  # it woke, and goes on
        assert [number for _key, number in case_ids(after)] == ["EC-2026-0001"]
    assert verify(board.docket, MACHINE) is None
    for one in (board.docket, other):
        one.database.engine.dispose()


def test_a_lock_that_another_program_does_not_let_go_is_said_and_the_next_act_works(
    postgres_url: str, tmp_path: Path, clock: ManualClock, press: PressRoom
) -> None:
    board = a_board(tmp_path, clock, press, url=postgres_url)
    other = a_docket(tmp_path, clock, press, url=postgres_url)
    board.docket.database.patience.seconds = 0.6
    with other.database.write(), pytest.raises(RecordUnavailable, match="Another program holds the record"):
        board.case()
    board.docket.database.patience.seconds = 30
    assert board.case() == "EC-2026-0001"
    assert verify(board.docket, MACHINE) is None
    for one in (board.docket, other):
        one.database.engine.dispose()

"""What only PostgreSQL can do to the record: truncate, start several copies at once, refuse to write."""

import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from store.cases import MACHINE, verify
from store.database import RecordUnavailable, connect, head_revision, migrate, revision
from store.printing import PressRoom
from tests.clocks import ManualClock
from tests.contract.postgres import PostgresServer
from tests.proceedings.builders import Board, a_board, a_docket

pytestmark = [pytest.mark.contract, pytest.mark.needs("postgresql")]


@pytest.fixture
def board(postgres_url: str, tmp_path: Path, clock: ManualClock, press: PressRoom) -> Iterator[Board]:
    """A Board whose record lies on PostgreSQL."""
    made = a_board(tmp_path, clock, press, url=postgres_url)
    yield made
    made.docket.database.engine.dispose()


def test_a_whole_life_is_recorded_and_verifies(board: Board) -> None:
    number, track = board.served_case()
    assert board.look(number).steps
    assert board.file(number).party(track) is not None
    assert verify(board.docket, board.clerk) is None


@pytest.mark.parametrize("table", ["fact", "journal_entry"])
def test_a_table_of_the_record_is_not_truncated(board: Board, table: str) -> None:
    board.case()
    engine = board.docket.database.engine
    with pytest.raises(sa.exc.DatabaseError, match="append-only"), engine.begin() as connection:
        connection.execute(sa.text(f"TRUNCATE {table} CASCADE"))
    assert verify(board.docket, MACHINE) is None


def test_copies_that_start_together_on_an_empty_database_make_one_record(
    postgres_url: str, tmp_path: Path, clock: ManualClock, press: PressRoom
) -> None:
    fork = multiprocessing.get_context("fork")
    start = fork.Barrier(4)

    def open_one() -> None:
        start.wait(60)
        a_docket(tmp_path, clock, press, url=postgres_url).database.engine.dispose()

    copies = [fork.Process(target=open_one) for _copy in range(4)]
    for one in copies:
        one.start()
    for one in copies:
        one.join(120)
    assert [one.exitcode for one in copies] == [0] * 4
    docket = a_docket(tmp_path, clock, press, url=postgres_url)
    assert revision(docket.database) == head_revision()
    assert verify(docket, MACHINE) is None
    docket.database.engine.dispose()


def test_a_record_of_a_newer_version_is_left_alone(board: Board) -> None:
    database = board.docket.database
    with database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(RecordUnavailable, match=r"newer version of Docket\. It is unchanged"):
        migrate(database)
    assert revision(database) == "9999"


def test_a_server_that_takes_no_writes_changes_nothing_and_the_next_act_works(board: Board) -> None:
    engine = board.docket.database.engine
    name = engine.url.database

    def read_only(state: str) -> None:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(sa.text("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE"))
            connection.execute(
                sa.text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {state}')
            )
        engine.dispose()

    read_only("on")
    with pytest.raises(RecordUnavailable, match="read-only disk"):
        board.case()
    read_only("off")
    assert board.case() == "EC-2026-0001"
    assert verify(board.docket, MACHINE) is None


def test_a_server_that_is_gone_is_said_plainly_and_found_again(
    board: Board, postgres_server: PostgresServer, postgres_url: str
) -> None:
    number = board.case()
    with pytest.raises(RecordUnavailable, match="does not answer"):
        revision(connect("postgresql://postgres@/none?host=%2Fnowhere"))
    with board.docket.database.engine.connect() as other:
        other.execute(
            sa.text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        )
    assert board.file(number).number == number

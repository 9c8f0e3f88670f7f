"""Disk full, read-only, locked, damaged: said in plain words, nothing half done, the next act works (R7)."""

import errno
import os
import resource
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from store.cases import MACHINE, act, people_and_profile, verify
from store.database import (
    Database,
    RecordGone,
    RecordUnavailable,
    connect,
    migrate,
    plain_disk_faults,
    plain_faults,
    revision,
)
from store.printing import PressRoom
from store.proceedings import acknowledgement
from store.proceedings.mail import waiting_items
from store.rules.access import Deed
from store.rules.facts import Withdrawn
from tests.clocks import ManualClock
from tests.proceedings.builders import Board, a_docket
from tests.proceedings.filings import taken

_MIB = 1 << 20


def _pragma(board: Board, *words: str) -> None:
    """Set something on the connection that the next act uses."""
    with board.docket.database.engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        for one in words:
            driver.execute(f"PRAGMA {one}").fetchall()


def _file(board: Board) -> Path:
    return Path(board.docket.database.engine.url.database or "")


@contextmanager
def _files_no_larger_than(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _long_act(board: Board, number: str) -> None:
    with act(board.docket, board.clerk, Deed.CORRECT, number=number) as step:
        for _time in range(200):
            step.record(Withdrawn(step.now, "x" * 4000))


def _unharmed(board: Board, number: str, before: object) -> None:
    """Nothing of the failed act is there, the chain is whole, and the next act works."""
    assert board.file(number).facts == before
    assert verify(board.docket, MACHINE) is None
    assert board.case() > number
    assert verify(board.docket, MACHINE) is None


def test_a_full_disk_undoes_the_act_and_the_next_one_works(board: Board) -> None:
    number = board.case()
    before = board.file(number).facts
    pages = int(_file(board).stat().st_size / 4096) + 40
    _pragma(board, f"max_page_count={pages}")
    with pytest.raises(RecordUnavailable, match=r"The disk is full\. What was recorded is safe"):
        _long_act(board, number)
    _pragma(board, "max_page_count=1000000")
    _unharmed(board, number, before)


def test_a_vault_on_a_full_disk_takes_nothing_in_and_leaves_nothing_half(board: Board) -> None:
    number = board.case()
    before = board.file(number).facts
    kept = sorted(board.docket.vault.root.rglob("*"))
    with (
        _files_no_larger_than(2 * _MIB),
        pytest.raises(RecordUnavailable, match=r"The disk is full\. What was recorded is safe"),
    ):
        taken(board.docket, b"m" * (4 * _MIB), 7)
    assert waiting_items(board.docket) == []
    assert [one for one in sorted(board.docket.vault.root.rglob("*")) if one.is_file()] == [
        one for one in kept if one.is_file()
    ]
    assert taken(board.docket, b"m" * (4 * _MIB), 7)
    _unharmed(board, number, before)


def test_a_read_only_disk_is_said_and_the_next_act_works(board: Board) -> None:
    number = board.case()
    before = board.file(number).facts
    _pragma(board, "query_only=ON")
    with pytest.raises(RecordUnavailable, match=r"read-only disk.*Make the data folder writable"):
        _long_act(board, number)
    _pragma(board, "query_only=OFF")
    _unharmed(board, number, before)


def test_a_record_that_another_program_holds_is_said_and_the_next_act_works(board: Board) -> None:
    number = board.case()
    before = board.file(number).facts
    board.docket.database.patience.seconds = 0
    other = sqlite3.connect(_file(board), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(RecordUnavailable, match="Another program holds the record"):
        _long_act(board, number)
    other.execute("ROLLBACK")
    other.close()
    board.docket.database.patience.seconds = 30
    _unharmed(board, number, before)


def test_writers_of_one_process_wait_for_their_turn_and_not_at_the_locked_file(board: Board) -> None:
    database = board.docket.database
    begun: list[object] = []
    sa.event.listen(database.engine, "begin", begun.append)
    with ThreadPoolExecutor(1) as other:
        with database.write():
            database.patience.seconds = 0
            second = other.submit(_write_nothing, database)
            with pytest.raises(RecordUnavailable, match="Something else in Docket"):
                second.result(timeout=60)
        assert len(begun) == 1
        database.patience.seconds = 30
        other.submit(_write_nothing, database).result(timeout=60)
    assert len(begun) == 2


def _write_nothing(database: Database) -> None:
    with database.write():
        pass


@pytest.mark.parametrize("from_byte", [0, 4096 * 4])
def test_a_damaged_file_is_said_and_left_as_it_is(
    board: Board, press: PressRoom, clock: ManualClock, from_byte: int
) -> None:
    board.case()
    with board.docket.database.engine.connect() as connection:
        connection.exec_driver_sql("SELECT 1")
    path = _file(board)
    board.docket.database.engine.dispose()
    whole = path.read_bytes()
    path.write_bytes(whole[:from_byte] + b"\xa5" * (len(whole) - from_byte))
    damaged = path.read_bytes()
    with pytest.raises(RecordUnavailable, match=r"damaged.*keep the file as it is.*restore the last backup"):
        Board(a_docket(path.parent, clock, press), clock).case()
    assert path.read_bytes() == damaged


def test_what_is_no_fault_of_the_disk_is_not_called_one(board: Board) -> None:
    for sql in ("SELECT * FROM nothing_of_that_name", "INSERT INTO person (id) VALUES (1)"):
        with (
            pytest.raises(sa.exc.DatabaseError) as error,
            plain_faults(),
            board.docket.database.engine.connect() as connection,
        ):
            connection.exec_driver_sql(sql)
        assert not isinstance(error.value, RecordUnavailable)


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EDQUOT, "The disk is full"),
        (errno.EFBIG, "The disk is full"),
        (errno.EROFS, "read-only disk"),
        (errno.EACCES, "read-only disk"),
        (errno.EIO, "could not be read or written"),
    ],
)
def test_what_the_system_says_of_a_file_is_put_in_plain_words(number: int, says: str) -> None:
    with pytest.raises(RecordUnavailable, match=says), plain_disk_faults():
        raise OSError(number, os.strerror(number), "/a/name/that/is/not/repeated")


def test_a_place_that_does_not_exist_is_no_full_disk() -> None:
    with pytest.raises(FileNotFoundError), plain_disk_faults():
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")


def test_a_record_of_a_newer_version_is_refused_and_unchanged(
    board: Board, press: PressRoom, clock: ManualClock
) -> None:
    database = board.docket.database
    with database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(RecordUnavailable, match=r"newer version of Docket\. It is unchanged"):
        migrate(database)
    with pytest.raises(RecordUnavailable):
        a_docket(_file(board).parent, clock, press)
    assert revision(database) == "9999"


@pytest.mark.parametrize("version", [None, "3f1c9a"])
@pytest.mark.parametrize(
    "where",
    ["sqlite", pytest.param("postgresql", marks=[pytest.mark.contract, pytest.mark.needs("postgresql")])],
)
def test_a_database_of_another_program_is_left_as_it_is(
    request: pytest.FixtureRequest, tmp_path: Path, press: PressRoom, where: str, version: str | None
) -> None:
    postgres = where == "postgresql"
    url = request.getfixturevalue("postgres_url") if postgres else f"sqlite:///{tmp_path}/docket.sqlite3"
    database = connect(url)
    with database.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE parking_permit (id INTEGER PRIMARY KEY)")
        if version:
            connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32))")
            connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{version}')")
    before = set(sa.inspect(database.engine).get_table_names())
    with pytest.raises(RecordUnavailable, match="tables of another program"):
        a_docket(tmp_path, ManualClock(), press, url=url)
    assert set(sa.inspect(database.engine).get_table_names()) == before
    database.engine.dispose()


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT OR REPLACE INTO fact SELECT * FROM fact WHERE id = 3",
        "REPLACE INTO journal_entry SELECT * FROM journal_entry WHERE seq = 2",
        "UPDATE OR REPLACE fact SET id = 4 WHERE id = 3",
    ],
)
def test_a_row_of_the_record_is_not_replaced_either(board: Board, sql: str) -> None:
    board.case()
    with (
        pytest.raises(sa.exc.IntegrityError, match="append-only"),
        board.docket.database.engine.begin() as connection,
    ):
        connection.exec_driver_sql(sql)


@pytest.mark.parametrize("instead", ["nothing", "another record", "an empty database"])
def test_nothing_is_written_once_the_file_was_moved_away_from_under_docket(
    board: Board, press: PressRoom, clock: ManualClock, tmp_path: Path, instead: str
) -> None:
    """Whoever restores a backup in the place of a record that still works would have two that file one mailbox."""
    number = board.case()
    before = board.file(number).facts
    data = board.docket.vault.root.parent
    data.rename(tmp_path / "away")
    if instead == "another record":
        a_docket(data, clock, press).database.engine.dispose()
    elif instead == "an empty database":
        data.mkdir()
        sqlite3.connect(data / "docket.sqlite3").close()
    with pytest.raises(RecordUnavailable, match="moved or replaced while Docket worked on it"):
        board.respondent(number)
    if data.exists():
        data.rename(tmp_path / "other")
    (tmp_path / "away").rename(data)
    assert board.file(number).facts == before
    _unharmed(board, number, before)


def test_nothing_is_written_where_the_database_was_emptied(either: Board) -> None:
    with either.docket.database.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE alembic_version RENAME TO gone")
    with pytest.raises(RecordUnavailable, match="holds no record any more"):
        either.case()
    with either.docket.database.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO alembic_version")
    assert either.case()


@pytest.mark.parametrize("table", ["alembic_version", "heartbeat", "lease", "fact", "outbox"])
def test_a_reading_in_a_database_that_was_emptied_says_so_in_plain_words(either: Board, table: str) -> None:
    """Whoever reads may be stopping, or answering a person; neither may end in what the driver says."""
    with either.docket.database.engine.begin() as connection:
        connection.exec_driver_sql(f"ALTER TABLE {table} RENAME TO gone")
    with (
        pytest.raises(RecordGone, match=r"holds no record any more.*put the database back"),
        either.docket.database.read() as session,
    ):
        session.connection().exec_driver_sql(f"SELECT count(*) FROM {table}")
    with either.docket.database.engine.begin() as connection:
        connection.exec_driver_sql(f"ALTER TABLE gone RENAME TO {table}")
    assert either.case()


def test_a_glance_into_a_database_that_was_emptied_says_so_in_plain_words(either: Board) -> None:
    with either.docket.database.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE fact RENAME TO gone")
    with pytest.raises(RecordGone, match=r"holds no record any more.*put the database back"):
        people_and_profile(either.docket)
    with either.docket.database.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO fact")
    assert people_and_profile(either.docket)[0].members


def test_where_no_database_file_can_be_opened_no_server_is_blamed(tmp_path: Path) -> None:
    """So it is on a disk that is read-only when Docket starts, as SQLite lays its log beside the file."""
    (tmp_path / "docket.sqlite3").mkdir()
    with pytest.raises(RecordUnavailable, match=r"file cannot be opened.*neither read-only nor full"):
        revision(connect(f"sqlite:///{tmp_path}/docket.sqlite3"))


@pytest.mark.parametrize("left", ["nothing", "an empty file", "a file without a record"])
def test_no_new_record_is_begun_over_the_papers_of_a_lost_one(
    board: Board, press: PressRoom, left: str
) -> None:
    taken(board.docket, b"From: a@b.example")
    file = _file(board)
    board.docket.database.engine.dispose()
    kept = sorted((file.parent / "vault").glob("??/*"))
    assert kept
    for path in file.parent.glob(f"{file.name}*"):
        path.unlink()
    if left == "an empty file":
        file.touch()
    elif left == "a file without a record":
        sqlite3.connect(file).executescript("create table x (y); drop table x;")
    with pytest.raises(RecordUnavailable, match="vault holds sealed papers"):
        a_docket(file.parent, ManualClock(), press)
    assert file.exists() == (left != "nothing")
    assert sorted((file.parent / "vault").glob("??/*")) == kept


def test_letters_are_set_though_the_system_tidied_up_its_folder_for_temporary_files(
    board: Board, press: PressRoom
) -> None:
    """Files there that nobody touched for some days are taken away by many systems."""
    for _case in range(2):
        number = board.case()
        assert acknowledgement.acknowledge(board.docket, board.clerk, number)
        shutil.rmtree(press._folder.path)

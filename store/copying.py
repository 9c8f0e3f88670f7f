"""The database copied as it stands at one instant, while others write to it (R4).

A copy is always one SQLite file, whatever the record lies on: from SQLite by its backup interface, from
PostgreSQL row by row out of one snapshot. So a backup needs no program of the server's version, and a city
that outgrows one file restores its backup into PostgreSQL.
"""

import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from filecmp import cmp
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from store.database import (
    ONE_SNAPSHOT,
    Database,
    RecordUnavailable,
    connect,
    migrate,
    plain_disk_faults,
    plain_faults,
)
from store.ports import Progress
from store.scratch import scratch

DATABASE = "database"
_PAGES_AT_ONCE = 512
_ROWS_AT_ONCE = 1000
_VERSION_TABLE = "alembic_version"
_KEPT_BEFORE, _HALF = "before-migration", ".half-"


def copy_database(source: Database, target: Path, told: Progress) -> None:
    """Copy the database into a new SQLite file, as it stands at one instant; writers are not held up.

    Args:
        source: the record's database.
        target: a file that is not there yet.
        told: hears how far it is, in pages or rows.

    Raises:
        RecordUnavailable: the database does not answer, or is damaged; the file is not to be used.
    """
    if source.is_sqlite:
        _copy_file(Path(source.engine.url.database or ""), target, told)
    else:
        _copy_rows_out(source, target, told)


def keep_before_migration(database: Database, data: Path, at_revision: str, now: datetime) -> Path:
    """Copy the database into the data folder before its schema is changed (R4); the vault is not touched.

    A copy gets its name when it is whole and on the disk, so a process that is killed leaves none that is half. A
    migration that was broken off and is begun again finds its own copy, and lays no second one beside it.

    Args:
        database: the record's database, at an earlier schema.
        data: the data folder.
        at_revision: that schema.
        now: the present instant, UTC.

    Returns:
        The copy: a SQLite file that nobody but its owner can read.

    Raises:
        RecordUnavailable: the database or the disk failed; nothing was migrated.
    """
    folder = data / _KEPT_BEFORE
    with plain_disk_faults():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with scratch(_HALF, folder) as beside:
            half = beside / "database.sqlite3"
            half.touch(mode=0o600)
            copy_database(database, half, lambda *_: database.faults.reach("migration.copying"))
            for earlier in sorted(folder.glob(f"{at_revision}-*.sqlite3")):
                if cmp(half, earlier, shallow=False):
                    return earlier
            _sync(half)
            copy = folder / f"{at_revision}-{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}.sqlite3"
            half.replace(copy)
            _sync(folder)
    database.faults.reach("migration.kept")
    return copy


def _sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk for good."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _copy_file(source: Path, target: Path, told: Progress) -> None:
    uri = f"{source.resolve().as_uri()}?mode=ro"
    with (
        plain_faults(),
        closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as reading,
        closing(sqlite3.connect(target, isolation_level=None)) as writing,
    ):
        # a reading that was begun keeps its snapshot; without one, each commit of others starts the copy anew
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_master").fetchone()
        reading.backup(
            writing,
            pages=_PAGES_AT_ONCE,
            progress=lambda _status, left, total: told(DATABASE, total - left, total),
        )
        writing.execute("PRAGMA journal_mode = DELETE")
        if writing.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise RecordUnavailable(
                "The database file is damaged; no backup was made of it. Stop Docket, keep the file as it "
                "is, and restore the last backup."
            )


def _copy_rows_out(source: Database, target: Path, told: Progress) -> None:
    with source.engine.execution_options(**ONE_SNAPSHOT).connect() as reading, plain_faults():
        made = _new_file(target, _revision(reading))
        try:
            with made.engine.execution_options(docket_write=True).connect() as writing:
                _copy_rows(reading, writing, told)
                writing.commit()
                writing.execution_options(isolation_level="AUTOCOMMIT")
        finally:
            made.engine.dispose()
    with closing(sqlite3.connect(target, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = DELETE")


def _new_file(path: Path, revision: str) -> Database:
    made = connect(f"sqlite:///{path}")
    migrate(made, to=revision)
    return made


def _revision(connection: sa.Connection) -> str:
    return str(connection.execute(sa.text(f"SELECT version_num FROM {_VERSION_TABLE}")).scalar_one())  # noqa: S608


def pour_into(copy: Path, database: Database, told: Progress) -> None:
    """Fill an empty database with the rows of a copy, in one transaction, at the copy's schema.

    Args:
        copy: a file of `copy_database`.
        database: an empty database; PostgreSQL.
        told: hears how far it is, in rows.

    Raises:
        RecordUnavailable: the database does not answer; it is as empty as before, but for its tables.
    """
    with opened_copy(copy) as file, file.engine.connect() as reading, plain_faults():
        migrate(database, to=_revision(reading))
        with database.engine.begin() as writing:
            _copy_rows(reading, writing, told)
            _move_counters(writing)


def _copy_rows(reading: sa.Connection, writing: sa.Connection, told: Progress) -> None:
    from_tables, to_tables = _reflected(reading), _reflected(writing)
    total, done = sum(counts(reading).values()), 0
    for name in [table.name for table in to_tables.sorted_tables if table.name != _VERSION_TABLE]:
        to_table = to_tables.tables[name]
        for rows in _rows(reading, from_tables.tables[name]):
            writing.execute(sa.insert(to_table), [_fit(one, writing) for one in rows])
            done += len(rows)
            told(DATABASE, done, total)


def _rows(reading: sa.Connection, table: sa.Table) -> Iterator[Sequence[sa.RowMapping]]:
    keys = list(table.primary_key.columns)
    found = reading.execution_options(yield_per=_ROWS_AT_ONCE).execute(sa.select(table).order_by(*keys))
    yield from found.mappings().partitions(_ROWS_AT_ONCE)


def _fit(row: sa.RowMapping, writing: sa.Connection) -> dict[str, Any]:
    """Give a row the form that the other database takes: SQLite keeps instants in UTC without saying so."""
    says_zone = writing.dialect.name != "sqlite"
    return {
        name: _instant(value, says_zone=says_zone) if isinstance(value, datetime) else value
        for name, value in row.items()
    }


def _instant(value: datetime, *, says_zone: bool) -> datetime:
    utc = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return utc if says_zone else utc.replace(tzinfo=None)


def _move_counters(writing: sa.Connection) -> None:
    """Let PostgreSQL's counters go on after the highest id of each table."""
    for table in _reflected(writing).sorted_tables:
        for column in table.primary_key.columns:
            counter = writing.execute(
                sa.select(sa.func.pg_get_serial_sequence(table.name, column.name))
            ).scalar_one()
            highest = writing.execute(sa.select(sa.func.max(column))).scalar_one() if counter else None
            if highest is not None:
                writing.execute(sa.select(sa.func.setval(counter, highest)))


def _reflected(connection: sa.Connection) -> sa.MetaData:
    found = sa.MetaData()
    found.reflect(connection)
    return found


def counts(connection: sa.Connection) -> dict[str, int]:
    """Give how many rows each table of the record holds."""
    names = sorted(set(sa.inspect(connection).get_table_names()) - {_VERSION_TABLE})
    return {
        name: connection.execute(sa.select(sa.func.count()).select_from(sa.table(name))).scalar_one()
        for name in names
    }


def lost_rows(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """Name the tables that hold fewer rows than before, or are gone with theirs."""
    return sorted(name for name, count in before.items() if after.get(name, 0) < count)


@contextmanager
def opened_copy(copy: Path) -> Iterator[Database]:
    """Open a copy for reading.

    Raises:
        RecordUnavailable: it is no database.
    """
    engine = sa.create_engine(f"sqlite:///{copy}")
    try:
        with plain_faults():
            yield Database(engine)
    finally:
        engine.dispose()

"""The engine and its transactions. SQLite in WAL with full sync, or PostgreSQL; one code for both.

Every write is one transaction that holds the record's single write lock from its first statement:
`BEGIN IMMEDIATE` on SQLite, an advisory lock on PostgreSQL. So the journal is one chain and numbers
are taken once, whoever writes beside us (decisions 18, 21 and 23).
"""

import contextlib
import errno
import os
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlmodel import Session, SQLModel, create_engine, select

from store.ports import FaultPoints, NoFaults
from store.tables import Heartbeat, Lease

_WRITE_LOCK = 0x0D0C_4E7
_BUSY_S = 30
_LOOK_UP_EVERY_S = 0.25
_LOOK_UP_AT_LEAST_S = 2.0
_LOCK_NOT_AVAILABLE = "55P03"
# A copy whose machine slept or lost its power in the middle of an act would hold the one lock for hours: no connection
# is closed by that. So the server ends an act of which nothing was heard for so long; it is not done.
_SILENT = "20s"
# A server that answers a commit before it is on its disk would lose answered acts in a crash; a stricter one stays so.
_TRY_LOCK = f"""SELECT pg_try_advisory_xact_lock(:key) AS taken,
    set_config('idle_in_transaction_session_timeout', '{_SILENT}', true),
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END"""
_PRIMARY_CODE = 0xFF
ONE_SNAPSHOT = {"isolation_level": "REPEATABLE READ"}
_DISK_ERRORS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
)


_BEFORE_COMMIT = "docket-before-commit"
_LOOKED_UP = "docket-looked-up"
_CONNECTION = "docket-connection"
_INSERTS: dict[tuple[str, str, tuple[str, ...]], "_Insert"] = {}

T = TypeVar("T")


class RecordUnavailable(Exception):
    """The database or its disk does not answer; what was committed is safe, the act was not done."""


class RecordGone(RecordUnavailable):
    """The database answers and holds no record: none was made there, or it was emptied since it was opened."""


@dataclass(slots=True)
class Patience:
    """How long a write waits for the record's lock while somebody else holds it.

    Attributes:
        seconds: at most so long for each write.
        until: an instant of `monotonic` after which nobody waits any more; None while there is none.
    """

    seconds: float = _BUSY_S
    until: float | None = None

    def end_in(self, seconds: float) -> None:
        """Let every wait, those that go on already too, end within so many seconds; for whoever shuts down."""
        self.until = monotonic() + seconds

    def over(self, since: float) -> bool:
        """Say whether a wait that began at an instant of `monotonic` is over."""
        now = monotonic()
        return now - since >= self.seconds or (self.until is not None and now >= self.until)


@dataclass(frozen=True, slots=True)
class Database:
    """An engine with the two kinds of transaction that the record knows."""

    engine: sa.Engine
    faults: FaultPoints = field(default_factory=NoFaults)
    patience: Patience = field(default_factory=Patience)
    _whole: "_Whole | None" = None
    _turn: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    @property
    def is_sqlite(self) -> bool:
        """Whether the record lies in one SQLite file."""
        return self.engine.dialect.name == "sqlite"

    @property
    def is_joined(self) -> bool:
        """Whether its transactions are parts of a larger one; see `together`."""
        return self._whole is not None

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Read in one snapshot; whatever was changed by mistake is rolled back.

        Raises:
            RecordUnavailable: the database does not answer.
        """
        if self._whole is not None:
            self._whole.session.flush()
            yield self._whole.session
            return
        # PostgreSQL shows each statement the newest commit, unless it is asked for one snapshot
        reading = self.engine if self.is_sqlite else self.engine.execution_options(**ONE_SNAPSHOT)
        with plain_faults(), Session(reading, expire_on_commit=False) as session:
            yield session  # closing it rolls back; `rollback` besides would expire each object for nothing

    def glance(self, statement: "Prepared") -> tuple[Any, ...] | None:
        """Give the first row of one statement without parameters; None where there is none.

        One statement sees one snapshot by itself. On SQLite it begins no transaction, which takes many times as long
        as a look at an index.

        Raises:
            RecordUnavailable: the database does not answer.
        """
        if self._whole is None and self.is_sqlite:
            with (
                contextlib.suppress(sqlite3.Error),  # what it says is said again below, in plain words
                plain_faults(),
                contextlib.closing(self.engine.raw_connection()) as connection,
            ):
                return statement.first_alone(connection, self.engine.dialect)
        with self.read() as session:
            return statement.first(session)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Write in one transaction under the record's write lock; commit at the end, or nothing.

        Raises:
            RecordUnavailable: the database does not answer, its disk is full or read-only, or another version of
                Docket has changed its schema since it was opened.
        """
        if self._whole is not None:
            with self._whole.part() as session:
                yield session
            return
        writing = self.engine.execution_options(docket_write=True)
        with self._in_turn(), plain_faults(), Session(writing, expire_on_commit=False) as session:
            take_write_lock(connection_of(session), self.patience)
            _prove_schema(connection_of(session))
            yield session
            _make_ready(session)
            self.faults.reach("record.before-commit")
            session.commit()
            self.faults.reach("record.after-commit")

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Let the writers of this process follow each other at once.

        SQLite has whoever finds its file locked sleep and look again, ever more seldom: of fifty people who click
        at once the unlucky ones would wait many times as long as all the others together write. PostgreSQL has a
        queue of its own.
        """
        if not self.is_sqlite:
            yield
            return
        since = monotonic()
        while not self._turn.acquire(timeout=_LOOK_UP_EVERY_S):
            if self.patience.over(since):
                raise RecordUnavailable(
                    f"Something else in Docket writes into the record and does not end. {_SAFE} "
                    "Try again; if it stays so, start Docket anew."
                )
        try:
            yield
        finally:
            self._turn.release()

    @contextmanager
    def together(self) -> Iterator["Database"]:
        """Make one transaction of several: all are committed at the end, or none is.

        Yields:
            A database whose `write` and `read` are parts of the one transaction. A fault in one part undoes
            all: the caller then does each alone, so that one bad part stops no other.

        Raises:
            RecordUnavailable: as for `write`.
        """
        with self.write() as session:
            whole = _Whole(session)
            yield Database(self.engine, self.faults, self.patience, whole)
            if whole.spoiled:
                raise RuntimeError("a part of a joined transaction failed, and the rest went on")


@dataclass(slots=True)
class _Whole:
    """The transaction that several are parts of."""

    session: Session
    spoiled: bool = False

    @contextmanager
    def part(self) -> Iterator[Session]:
        """Write as a part; after a fault in it nothing of the whole may be committed."""
        try:
            yield self.session
            self.session.flush()
        except BaseException:
            self.spoiled = True
            raise


def take_write_lock(connection: sa.Connection, patience: Patience | None = None) -> None:
    """Wait for the record's one write lock, for the rest of the transaction; SQLite's BEGIN took it already.

    Args:
        connection: in a transaction that has done nothing yet.
        patience: how long to wait; without it, as long as it takes.

    Raises:
        sqlalchemy.exc.OperationalError: somebody else held it for too long.
    """
    if connection.dialect.name == "sqlite":
        return
    key = {"key": _WRITE_LOCK}
    if patience is None:
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), key)
    elif not connection.execute(sa.text(_TRY_LOCK), key).one().taken:
        _queue_for_lock(connection, patience)


def _prove_schema(connection: sa.Connection) -> None:
    """Write nothing in the form of one version into the tables of another: what it does not know of would be left out."""
    try:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    except sa.exc.DatabaseError as error:
        if not _lacks_our_table(error):
            raise
        raise RecordGone(_GONE) from error
    if found != head_revision():
        raise RecordUnavailable(
            "Another version of Docket has changed the database's schema since it was opened here. What was recorded "
            "is safe; this act was not done. Stop this version and start the one that the schema is of."
        )


def _queue_for_lock(connection: sa.Connection, patience: Patience) -> None:
    """Stand in PostgreSQL's queue for the lock, and look up now and then whether to go on waiting.

    Whoever looks up goes to the end of the queue, so the looks grow apart: in a crowd each comes to its turn.
    """
    since, look_s = monotonic(), _LOOK_UP_EVERY_S
    wait = sa.text("SELECT set_config('lock_timeout', :wait, true)")
    while True:
        connection.execute(wait, {"wait": f"{int(look_s * 1000)}ms"})
        look_s = min(2 * look_s, _LOOK_UP_AT_LEAST_S)
        try:
            with connection.begin_nested():
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _WRITE_LOCK})
        except sa.exc.OperationalError as error:
            if getattr(error.orig, "sqlstate", "") != _LOCK_NOT_AVAILABLE or patience.over(since):
                raise
        else:
            break
    connection.execute(wait, {"wait": "0"})


def connection_of(session: Session) -> sa.Connection:
    """Give the connection of a session of `Database`, which has one transaction and so one connection."""
    found: sa.Connection | None = session.info.get(_CONNECTION)
    if found is None:
        found = session.info[_CONNECTION] = session.connection()
    return found


def before_commit(session: Session, name: str, work: Callable[[], None]) -> None:
    """Have something done when everything was written and nothing is committed yet; once for each name."""
    session.info.setdefault(_BEFORE_COMMIT, {}).setdefault(name, work)


def _make_ready(session: Session) -> None:
    session.flush()
    waiting: dict[str, Callable[[], None]] = session.info.pop(_BEFORE_COMMIT, {})
    for work in waiting.values():
        work()


def once(session: Session, name: str, look: Callable[[], T]) -> T:
    """Look something up once a transaction: it sees one snapshot, or keeps everybody else from writing.

    Args:
        session: the transaction.
        name: of what is looked up; `look_again` after changing it.
        look: reads it.
    """
    known: dict[str, T] = session.info.setdefault(_LOOKED_UP, {})
    if name not in known:
        known[name] = look()
    return known[name]


def keep_in_mind(session: Session, name: str, value: object) -> None:
    """Put in the place of what was looked up what the transaction itself has made of it."""
    session.info.setdefault(_LOOKED_UP, {})[name] = value


def look_again(session: Session, name: str) -> None:
    """Forget what was looked up, because it was changed."""
    session.info.get(_LOOKED_UP, {}).pop(name, None)


@dataclass(frozen=True, slots=True)
class _Insert:
    """An insertion worked out once: its text, its columns in the order of the text, their converters."""

    text: str
    order: tuple[str, ...]
    named: bool
    returning: bool
    convert: Mapping[str, Callable[[Any], Any]]

    def row(self, values: Mapping[str, object]) -> Any:
        """Give one row as the driver takes it."""
        changed = {
            name: self.convert[name](value) if name in self.convert else value
            for name, value in values.items()
        }
        return changed if self.named else tuple(changed[name] for name in self.order)


def _insert_into(connection: sa.Connection, table: type[SQLModel], columns: tuple[str, ...]) -> _Insert:
    dialect = connection.dialect
    key = (dialect.name, str(table.__tablename__), columns)
    found = _INSERTS.get(key)
    if found is None:
        found = _INSERTS[key] = _worked_out(dialect, table, columns)
    return found


def _worked_out(dialect: sa.Dialect, table: type[SQLModel], columns: tuple[str, ...]) -> _Insert:
    made: sa.Table = table.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
    returning = dialect.name != "sqlite"
    statement = sa.insert(made)
    if returning:
        statement = statement.returning(*made.primary_key.columns)
    compiled = statement.compile(dialect=dialect, column_keys=list(columns))
    converters = {name: made.c[name].type.dialect_impl(dialect).bind_processor(dialect) for name in columns}
    return _Insert(
        str(compiled),
        tuple(compiled.positiontup or ()),
        not compiled.positional,
        returning,
        {name: convert for name, convert in converters.items() if convert is not None},
    )


def insert_row(session: Session, table: type[SQLModel], **values: object) -> int:
    """Insert one row at once, past the session's bookkeeping, and give its key.

    For rows that are written once, or changed by their key; it costs a tenth of an object that is flushed.

    Args:
        session: a session of `Database.write`.
        table: the row's table.
        values: every column but a key that the database makes.
    """
    connection = connection_of(session)
    insert = _insert_into(connection, table, tuple(values))
    row = insert.row(values)
    if not insert.returning:
        with contextlib.suppress(
            sqlite3.Error
        ):  # whatever it says is said again below, in SQLAlchemy's words
            return _inserted_into_sqlite(connection, insert.text, row)
    made = connection.exec_driver_sql(insert.text, row)
    return int(made.scalar_one()) if insert.returning else int(made.lastrowid)


def _inserted_into_sqlite(connection: sa.Connection, text: str, row: Any) -> int:
    """Insert past SQLAlchemy's own bookkeeping of a statement, which costs more than SQLite itself."""
    cursor = connection.connection.cursor()
    try:
        cursor.execute(text, row)
        return int(cursor.lastrowid or 0)
    finally:
        cursor.close()


def insert_rows(session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, object]]) -> None:
    """Insert several rows at once, when nobody asks for their keys.

    Args:
        session: a session of `Database.write`.
        table: the rows' table.
        rows: all with the same columns, as for `insert_row`.
    """
    if not rows:
        return
    connection = connection_of(session)
    insert = _insert_into(connection, table, tuple(rows[0]))
    if insert.returning:
        for row in rows:
            connection.exec_driver_sql(insert.text, insert.row(row))
        return
    connection.exec_driver_sql(insert.text, [insert.row(row) for row in rows])


class Prepared:
    """A statement on the record that is worked out once and run often: its text, and how values go in and come out.

    SQLite runs most of ours in some microseconds; what SQLAlchemy does around each run takes ten times as long.
    """

    def __init__(self, statement: "sa.Select[*tuple[Any, ...]] | sa.Update") -> None:
        """Take a statement; what changes from run to run are its `bindparam`s."""
        self._statement = statement
        self._form: _Form | None = None

    def rows(self, session: Session, **given: object) -> list[tuple[Any, ...]]:
        """Run it and give its rows; none for a statement that gives none.

        Args:
            session: a session of `Database`.
            given: a value for each of its parameters.
        """
        connection = connection_of(session)
        if connection.dialect.name == "sqlite":
            self._form = self._form or _Form.of(self._statement, connection.dialect)
            with contextlib.suppress(
                sqlite3.Error
            ):  # whatever it says is said again below, in SQLAlchemy's words
                return self._form.run(connection.connection, given)
        found = connection.execute(self._statement, given)
        return [tuple(row) for row in found] if found.returns_rows else []

    def first(self, session: Session, **given: object) -> tuple[Any, ...] | None:
        """Run it and give its first row; None where there is none."""
        return next(iter(self.rows(session, **given)), None)

    def first_alone(
        self, connection: sa.PoolProxiedConnection, dialect: sa.Dialect
    ) -> tuple[Any, ...] | None:
        """Run it outside of any transaction on a connection to SQLite, and give its first row.

        Raises:
            sqlite3.Error: whatever SQLite says, in its own words.
        """
        self._form = self._form or _Form.of(self._statement, dialect)
        return next(iter(self._form.run(connection, {})), None)


@dataclass(frozen=True, slots=True)
class _Form:
    """A statement in SQLite's words.

    Attributes:
        text: the statement.
        binds: its parameters in order: name, the value that stands in the statement, converter on the way in.
        convert: place and converter of each column that needs one on the way out.
    """

    text: str
    binds: tuple[tuple[str, object, Callable[[Any], Any] | None], ...]
    convert: tuple[tuple[int, Callable[[Any], Any]], ...]

    @classmethod
    def of(cls, statement: "sa.Select[*tuple[Any, ...]] | sa.Update", dialect: sa.Dialect) -> "_Form":
        """Work a statement out."""
        compiled = statement.compile(dialect=dialect)
        assert isinstance(compiled, sa.sql.compiler.SQLCompiler)
        kinds = {name: compiled.binds[name].type for name in compiled.positiontup or ()}
        binds = tuple(
            (name, compiled.params[name], kind.dialect_impl(dialect).bind_processor(dialect))
            for name, kind in ((name, kinds[name]) for name in compiled.positiontup or ())
        )
        columns = statement.selected_columns if isinstance(statement, sa.Select) else ()
        read = [one.type.dialect_impl(dialect).result_processor(dialect, None) for one in columns]
        return cls(
            str(compiled),
            binds,
            tuple((at, convert) for at, convert in enumerate(read) if convert is not None),
        )

    def run(self, connection: sa.PoolProxiedConnection, given: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """Run it on a connection and give its rows."""
        values = [
            convert(given.get(name, own)) if convert else given.get(name, own)
            for name, own, convert in self.binds
        ]
        cursor = connection.cursor()
        try:
            cursor.execute(self.text, values)
            rows = [tuple(row) for row in cursor.fetchall()]
        finally:
            cursor.close()
        return [self._converted(row) for row in rows] if self.convert else rows

    def _converted(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        values = list(row)
        for at, convert in self.convert:
            values[at] = convert(values[at])
        return tuple(values)


@contextmanager
def plain_faults() -> Iterator[None]:
    """Turn what the driver or the disk says into one plain sentence; the original stays as its cause.

    Raises:
        RecordUnavailable: the database or its disk failed. What the program did wrong, such as a value that
            breaks a constraint, stays what it is.
    """
    try:
        yield
    except sa.exc.IntegrityError:
        raise
    except sa.exc.DatabaseError as error:
        if getattr(error.orig, "sqlstate", None) in _NO_RIGHTS:
            raise RecordUnavailable(_LACKS_RIGHTS) from error
        if _lacks_our_table(error):
            raise RecordGone(_GONE) from error
        if not _is_outside_fault(error):
            raise
        raise RecordUnavailable(_what_happened(str(error.orig).lower())) from error
    except (sa.exc.InterfaceError, sa.exc.TimeoutError) as error:
        raise RecordUnavailable(_what_happened("")) from error
    except sqlite3.DatabaseError as error:  # where a file is copied by SQLite's own means
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE == sqlite3.SQLITE_ERROR:
            raise
        raise RecordUnavailable(_what_happened(str(error).lower())) from error


@contextmanager
def plain_disk_faults() -> Iterator[None]:
    """Do the same for what the operating system says about a file of the record.

    Raises:
        RecordUnavailable: the disk is full, read-only or failing.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _DISK_ERRORS:
            raise
        raise RecordUnavailable(_what_happened((error.strerror or "").lower())) from error


def _is_outside_fault(error: sa.exc.DatabaseError) -> bool:
    """Say whether the database failed, and not what was asked of it.

    SQLite reports a damaged file as a bare DatabaseError and a wrong statement as an OperationalError;
    PostgreSQL a read-only server, an act of which it heard nothing more, and damaged data as an InternalError.
    """
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None and code & _PRIMARY_CODE == sqlite3.SQLITE_ERROR:
        return False
    outside = type(error) is sa.exc.DatabaseError or isinstance(error, sa.exc.OperationalError)
    gave_up = getattr(error.orig, "sqlstate", None) in _GAVE_UP
    return outside or gave_up or "read-only" in str(error.orig).lower()


def _lacks_our_table(error: sa.exc.DatabaseError) -> bool:
    """Say whether a table that each record has is not there; one of another name is a fault of the program."""
    said = str(error.orig).partition("\n")[0]  # after it PostgreSQL repeats the statement
    if getattr(error.orig, "sqlstate", "") != _NO_TABLE and "no such table" not in said:
        return False
    return any(one in _OUR_TABLES for one in _NAMED_TABLE.findall(said))


# PostgreSQL's insufficient_privilege, and invalid_schema_name: what a role without USAGE on the schema is told.
_NO_RIGHTS = frozenset({"42501", "3F000"})
_NO_TABLE = "42P01"
# PostgreSQL's idle_in_transaction_session_timeout and transaction_timeout; internal_error, data_corrupted, index_corrupted.
_GAVE_UP = frozenset({"25P03", "25P04", "XX000", "XX001", "XX002"})
_NAMED_TABLE = re.compile(r"\w+")
_OUR_TABLES = frozenset(SQLModel.metadata.tables) | {"alembic_version"}
_GONE = (
    "The database holds no record any more: it was emptied or replaced since it was opened here. Nothing was "
    "written. Stop Docket, put the database back or restore a backup, and start it again."
)
_LACKS_RIGHTS = (
    "The role in DOCKET_DATABASE_URL lacks rights in the database. What was recorded is safe; this act was not done. "
    "As the tables' owner run `docket schema`, then in psql what `docket grants ROLE` prints."
)
_SAFE = "What was recorded is safe; this act was not done."
# What a driver's complaint holds, in small letters, and what is told of it; the first that fits.
_COMPLAINTS = (
    (
        ("authentication failed", "no password supplied", "pg_hba", "for database", "does not exist"),
        (
            f"The database server refuses the login, or holds no such database. {_SAFE} "
            "Check role, password and name in DOCKET_DATABASE_URL, and the file that PGPASSFILE names."
        ),
    ),
    (
        ("idle-in-transaction", "transaction timeout"),
        (
            f"This copy was silent for too long in the middle of an act: its machine slept or was held up. {_SAFE} It goes on "
            "by itself; do the act again."
        ),
    ),
    (
        ("disk is full", "no space", "quota", "file too large", "disk full"),
        f"The disk is full. {_SAFE} Free space and try again.",
    ),
    (
        ("readonly", "read-only", "permission denied", "not permitted"),
        f"The record is on a read-only disk. {_SAFE} Make the data folder writable.",
    ),
    (
        ("unable to open",),
        (
            f"The database file cannot be opened. {_SAFE} See that its disk is neither read-only nor full, and that the "
            "data folder is there and belongs to the account that runs Docket."
        ),
    ),
    (
        ("locked", "lock timeout"),
        (
            f"Another program holds the record and does not let go. {_SAFE[:-1]}; "
            "try again, and look for a copy of Docket that hangs."
        ),
    ),
    (
        ("malformed", "not a database", "corrupt", "invalid page"),
        (
            "The database file is damaged. No mail is lost: it waits on the mail server. Stop Docket, keep the file "
            "as it is, and restore the last backup."
        ),
    ),
    (
        ("i/o error", "input/output error"),
        f"The disk could not be read or written. {_SAFE} See whether the disk is full or failing, and try again.",
    ),
)


def _what_happened(said: str) -> str:
    """Word a driver's complaint: what happened, what is safe, what to do (R7)."""
    for words, told in _COMPLAINTS:
        if any(word in said for word in words):
            return told
    return f"The database does not answer. {_SAFE} Check DOCKET_DATABASE_URL and that the server runs."


# A server whose machine or line is gone closes no connection; without these a question to it waits for hours.
_FOUND_DEAD = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}


def connect(url: str, faults: FaultPoints | None = None) -> Database:
    """Open an engine; nothing is read or written yet.

    Args:
        url: `sqlite:///PATH` or `postgresql+psycopg://...`.
        faults: named places where a kill test may stop; none in the product.
    """
    parsed = sa.make_url(url)
    patience = Patience()
    if parsed.get_backend_name() == "sqlite":
        if parsed.database:
            Path(parsed.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        engine = create_engine(parsed, connect_args={"check_same_thread": False, "timeout": _BUSY_S})
        sa.event.listen(engine, "do_connect", _make_private)
        sa.event.listen(engine, "connect", _set_up_sqlite)
        sa.event.listen(engine, "begin", partial(_begin_sqlite, patience, _Place(parsed.database or "")))
    else:
        engine = create_engine(
            parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True, connect_args=_FOUND_DEAD
        )
    return Database(engine, faults or NoFaults(), patience)


def _make_private(_dialect: Any, _record: Any, words: list[Any], _options: dict[str, Any]) -> None:
    """Make a database file that only its owner can read; what SQLite lays beside it gets the same mode.

    Raises:
        RecordUnavailable: the disk is full, read-only, or belongs to somebody else.
    """
    path = Path(str(words[0]))
    if str(path) == ":memory:" or path.exists():
        return
    with plain_disk_faults():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # text that somebody damaged is read all the same, so that `verify` can name it
    connection.text_factory = _readable_text
    connection.isolation_level = None  # the driver begins nothing by itself; `_begin_sqlite` does
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={_BUSY_S * 1000}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _readable_text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


@dataclass(slots=True)
class _Place:
    """Where the file lies, and which one it is.

    A file that is moved away is written on by whoever has it open, beside the one that was put in its place: mail
    would be filed into the one and asked for in the other. So nothing more is written until Docket is started anew.
    """

    path: str
    _number: tuple[int, int] | None = None

    def prove(self) -> None:
        """See whether the file is the one that was written first.

        Raises:
            RecordUnavailable: it was moved, removed or replaced.
        """
        if self.path in {"", ":memory:"}:
            return
        try:
            found = os.stat(self.path)  # noqa: PTH116  a Path made for each write costs more than the call
            number = (found.st_dev, found.st_ino)
        except FileNotFoundError:
            number = None
        self._number = self._number or number
        if number is None or number != self._number:
            raise RecordUnavailable(
                "The database file was moved or replaced while Docket worked on it. What was recorded lies in the file of "
                "before; this act was not done. Stop Docket, see which file is the record, and start it again."
            )


def _begin_sqlite(patience: Patience, place: _Place, connection: sa.Connection) -> None:
    if not connection.get_execution_options().get("docket_write", False):
        connection.exec_driver_sql("BEGIN")
        return
    place.prove()
    # SQLite's own wait cannot be cut short, so a write waits in short pieces and looks up between them
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute(f"PRAGMA busy_timeout={int(_LOOK_UP_EVERY_S * 1000)}")
    try:
        _begin_immediate(connection, patience)
    finally:
        driver.execute(f"PRAGMA busy_timeout={_BUSY_S * 1000}")


def _begin_immediate(connection: sa.Connection, patience: Patience) -> None:
    since = monotonic()
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except sa.exc.OperationalError as error:
            code = getattr(error.orig, "sqlite_errorcode", 0) & _PRIMARY_CODE
            if code != sqlite3.SQLITE_BUSY or patience.over(since):
                raise
        else:
            return


def _migrations(engine: sa.Engine) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["engine"] = engine
    return config


@cache
def head_revision() -> str:
    """Give the schema revision that this version of Docket writes."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    head = ScriptDirectory.from_config(config).get_current_head()
    assert head is not None
    return head


def knows_revision(wanted: str) -> bool:
    """Say whether this version of Docket can read a schema revision: its own, or an earlier one."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return any(one.revision == wanted for one in ScriptDirectory.from_config(config).walk_revisions())


def known_revisions() -> frozenset[str]:
    """Give every schema revision that this version of Docket has known."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return frozenset(script.revision for script in ScriptDirectory.from_config(config).walk_revisions())


def revision(database: Database) -> str | None:
    """Give the revision that the database is at; None for an empty one."""
    with plain_faults(), database.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def is_blank(database: Database) -> bool:
    """Say whether no record was ever made in a database; a file that is not there is not made by asking."""
    if database.is_sqlite:
        path = database.engine.url.database
        if not path or path == ":memory:" or not Path(path).exists() or not Path(path).stat().st_size:
            return True
    return revision(database) is None


def migrate(
    database: Database,
    *,
    to: str = "",
    before: Callable[[str], object] = lambda _revision: None,
    fill: Callable[[Session], None] = lambda _session: None,
) -> None:
    """Bring the schema to this version's, in one transaction; nothing to do when it is there.

    Args:
        database: the record's database.
        to: an earlier revision to stop at; this version's without it.
        before: told the revision that an older record stands at, before anything of it is touched.
        fill: fills what is derived in an older record, in the same transaction, when the tables are there.

    Raises:
        RecordUnavailable: the database does not answer, is another program's, or was written by a newer version.
    """
    now = revision(database)
    wanted = to or head_revision()
    if now == wanted:
        return
    if now is None or not knows_revision(now):
        _refuse_anothers(database)
    if now is not None and not knows_revision(now):
        raise RecordUnavailable(
            "The database was written by a newer version of Docket. It is unchanged; run that version."
        )
    if now is not None:
        before(now)
    config = _migrations(database.engine)
    if now is not None:
        config.attributes["fill"] = fill
    with plain_faults():
        command.upgrade(config, wanted)


def _refuse_anothers(database: Database) -> None:
    """Refuse a database with tables and without a record: it is another program's, and stays as it is."""
    ours = frozenset(SQLModel.metadata.tables)
    with plain_faults(), database.engine.connect() as connection:
        there = frozenset(sa.inspect(connection).get_table_names()) - {"alembic_version"}
    if there and not there & ours:
        raise RecordUnavailable(
            "The database holds tables of another program and no record of Docket's. Nothing of it was changed. Give "
            "Docket a database of its own: DOCKET_DATABASE_URL, or DOCKET_DATA_DIR for a file."
        )


def take_lease(
    session: Session, name: str, holder: str, now: datetime, length: timedelta, *, abandoned: bool = False
) -> bool:
    """Take or renew the lease of a name, inside a write transaction.

    Args:
        session: a session of `Database.write`.
        name: what is led, such as ``leader``.
        holder: who asks; the same holder renews.
        now: the present instant, UTC.
        length: how long it holds without renewal.
        abandoned: whether the asker saw it stand unrenewed for that long by a counter of his own; it is over
            then, whatever the clock says, which may have been set back.

    Returns:
        True if the holder has it now; False while somebody else does.
    """
    lease = session.exec(select(Lease).where(Lease.name == name)).one_or_none()
    if lease is not None and lease.holder != holder and lease.until > now and not abandoned:
        return False
    if lease is None:
        lease = Lease(name=name, holder=holder, until=now + length)
    lease.holder = holder
    lease.until = now + length
    session.add(lease)
    return True


def release_lease(session: Session, name: str, holder: str, now: datetime) -> None:
    """Give up a lease that the holder has, so that the next one need not wait."""
    lease = session.exec(select(Lease).where(Lease.name == name)).one_or_none()
    if lease is not None and lease.holder == holder:
        lease.until = now
        session.add(lease)


def lease_of(session: Session, name: str) -> tuple[str, datetime] | None:
    """Give who took a lease last and until when, whether or not it is over; None where nobody ever did."""
    lease = session.exec(select(Lease).where(Lease.name == name)).one_or_none()
    return (lease.holder, lease.until) if lease is not None else None


def lease_holder(session: Session, name: str, now: datetime) -> str | None:
    """Give who holds a lease now; None when nobody does."""
    lease = session.exec(select(Lease).where(Lease.name == name)).one_or_none()
    return lease.holder if lease is not None and lease.until > now else None


def beat(session: Session, name: str, now: datetime, state: str = "ok") -> None:
    """Note that something works, or how it fails: a poll, a sweep, a backup."""
    row = session.get(Heartbeat, name)
    if row is None:
        row = Heartbeat(name=name, at=now, state=state)
    row.at = now
    row.state = state
    session.add(row)


def heartbeats(session: Session) -> dict[str, tuple[datetime, str]]:
    """Give all heartbeats: name to instant and state."""
    return {row.name: (row.at, row.state) for row in session.exec(select(Heartbeat)).all()}

"""A real PostgreSQL for tests: made in a temporary folder, without TCP, gone afterwards.

A test that asks for `postgres_url` is marked `needs("postgresql")` and `contract`.
"""

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg import sql

from tests.servers import POSTGRES_ACCOUNT, find_postgres

# Durability is not what these tests are about, and nothing here outlives them.
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "timezone": "UTC",
}
START_TIMEOUT_S = 60


class PostgresStartError(Exception):
    """PostgreSQL would not; its own words are in the text."""


@dataclass
class PostgresServer:
    """One cluster in one folder, reached over a Unix socket in that folder.

    Attributes:
        programs: the folder of initdb and pg_ctl.
        folder: an empty folder that the server's account owns.
    """

    programs: Path
    folder: Path
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def start(self) -> None:
        """Make the cluster and start it.

        Raises:
            PostgresStartError: PostgreSQL would not.
        """
        data = self._data
        self._run(
            "initdb",
            "-D",
            data,
            "-U",
            POSTGRES_ACCOUNT,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
            "--locale=C",
        )
        self.start_again()

    def start_again(self) -> None:
        """Start it on the cluster that is there, first or after a stop."""
        options = " ".join(f"-c {name}={value or chr(39) * 2}" for name, value in SETTINGS.items())
        self._run(
            *("pg_ctl", "-D", self._data, "-w", "-t", str(START_TIMEOUT_S), "-l", str(self.folder / "log")),
            *("-o", f"{options} -k {self.folder}", "start"),
        )

    def stop(self) -> None:
        """Stop it; connections that are still open are cut."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", "fast", "stop")

    def new_database(self) -> str:
        """Make an empty database and give its SQLAlchemy address (psycopg 3)."""
        name = f"docket_{next(self._numbers)}"
        with self._connect() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        return f"postgresql+psycopg://{POSTGRES_ACCOUNT}@/{name}?host={quote(str(self.folder), safe='')}"

    def drop_database(self, url: str) -> None:
        """Drop a database made here, whoever is still connected to it."""
        name = url.partition("@/")[2].partition("?")[0]
        with self._connect() as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    @property
    def _data(self) -> str:
        return str(self.folder / "cluster")

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(
            host=str(self.folder),
            user=POSTGRES_ACCOUNT,
            dbname="postgres",
            autocommit=True,
            connect_timeout=10,
        )

    def _run(self, program: str, *words: str) -> None:
        # PostgreSQL refuses to run as root, which is what CI machines and containers are.
        as_account = ["runuser", "-u", POSTGRES_ACCOUNT, "--"] if os.geteuid() == 0 else []
        # The server keeps open what pg_ctl writes to: a pipe would never end, a file may.
        with (self.folder / "output").open("ab") as output:
            ended = subprocess.run(
                [*as_account, str(self.programs / program), *words],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if ended.returncode:
            said = (self.folder / "output").read_text(errors="replace")
            raise PostgresStartError(f"{program} ended with status {ended.returncode}:\n{said}")


def _own_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="docket-pg-"))
    if os.geteuid() == 0:
        account = pwd.getpwnam(POSTGRES_ACCOUNT)
        os.chown(folder, account.pw_uid, account.pw_gid)
    return folder


@contextmanager
def a_postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL in a folder of its own, gone afterwards."""
    programs = find_postgres()
    assert programs is not None, 'mark the test with needs("postgresql")'
    folder = _own_folder()
    server = PostgresServer(programs, folder)
    try:
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL that runs as long as the test session does."""
    with a_postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The SQLAlchemy address of a database of this test's own, empty at first, dropped afterwards."""
    url = postgres_server.new_database()
    yield url
    postgres_server.drop_database(url)

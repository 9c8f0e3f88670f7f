"""On PostgreSQL Docket works as a role that can add to the record and take nothing away, guards included (C5)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.cli import main
from bot.cli.doctor import examine
from bot.doctor import Status
from store.cases import MACHINE, verify
from store.printing import PressRoom
from store.roles import Standing, lesser_role_sql, standing
from store.rules.errors import BadInput
from tests.clocks import ManualClock
from tests.contract.postgres import PostgresServer
from tests.proceedings.builders import KEY, Board, a_board, a_docket

pytestmark = [pytest.mark.contract, pytest.mark.needs("postgresql")]

ROLE = "docket_clerk"


@pytest.fixture
def lesser(
    postgres_server: PostgresServer, postgres_url: str, tmp_path: Path, clock: ManualClock, press: PressRoom
) -> Iterator[Board]:
    """A Board whose record was made by the owner and is worked on by the lesser role."""
    owner = a_board(tmp_path, clock, press, url=postgres_url)
    with owner.docket.database.engine.begin() as connection:
        connection.execute(sa.text(f"DROP ROLE IF EXISTS {ROLE}"))
        connection.execute(sa.text(f"CREATE ROLE {ROLE} LOGIN"))
        for statement in lesser_role_sql(ROLE).split(";\n")[:-1]:
            connection.execute(sa.text(statement))
    owner.docket.database.engine.dispose()
    url = postgres_url.replace("://postgres@", f"://{ROLE}@")
    made = Board(a_docket(tmp_path, clock, press, url=url), clock)
    yield made
    made.docket.database.engine.dispose()
    with owner.docket.database.engine.begin() as connection:
        connection.execute(sa.text(f"DROP OWNED BY {ROLE}"))
        connection.execute(sa.text(f"DROP ROLE {ROLE}"))
    owner.docket.database.engine.dispose()


def test_a_whole_life_is_recorded_by_the_lesser_role_and_verifies(lesser: Board) -> None:
    number, _track = lesser.served_case()
    assert lesser.look(number).steps
    assert verify(lesser.docket, lesser.clerk) is None
    with lesser.docket.database.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT current_user")).scalar_one() == ROLE


BARE = "docket_bare"
HALF_GRANTED = (
    "",
    f"REVOKE ALL ON SCHEMA public FROM PUBLIC; REVOKE ALL ON SCHEMA public FROM {BARE}",
    f"GRANT SELECT ON alembic_version TO {BARE}",
    f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {BARE}",
)


@pytest.fixture
def bare(
    postgres_url: str, tmp_path: Path, clock: ManualClock, press: PressRoom
) -> Iterator[tuple[Path, sa.Engine]]:
    """The folder of a record whose role in `.env` was granted nothing, and the owner's engine."""
    folder = tmp_path / "city"
    (folder / "data").mkdir(parents=True, mode=0o700)
    owner = a_board(folder / "data", clock, press, url=postgres_url).docket.database.engine
    with owner.begin() as connection:
        connection.execute(sa.text(f"CREATE ROLE {BARE} LOGIN"))
    url = postgres_url.replace("+psycopg://postgres@", f"://{BARE}@")
    (folder / ".env").write_text(f"DOCKET_DATA_DIR=data\nDOCKET_KEYS={KEY}\nDOCKET_DATABASE_URL={url}\n")
    yield folder, owner
    with owner.begin() as connection:
        connection.execute(sa.text(f"DROP OWNED BY {BARE}"))
        connection.execute(sa.text(f"DROP ROLE {BARE}"))
    owner.dispose()


@pytest.mark.parametrize("granted", HALF_GRANTED, ids=["nothing", "not the schema", "its version", "reading"])
def test_a_role_without_its_grants_is_one_plain_line_in_the_doctor_and_every_command(
    bare: tuple[Path, sa.Engine], granted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, owner = bare
    with owner.begin() as connection:
        for statement in filter(None, granted.split("; ")):
            connection.execute(sa.text(statement))
    reading = {"status", "verify", "outbox"} if granted.endswith(f"SCHEMA public TO {BARE}") else set()
    for command in {"docket", "status", "outbox", "verify", "backup"} - reading:
        words = [command, str(folder)] if command == "backup" else [command]
        with pytest.raises(SystemExit, match="1"):
            main([*words, "--data", str(folder)])
        (line,) = capsys.readouterr().err.splitlines()
        assert "lacks rights in the database" in line
        assert "docket grants ROLE" in line
    (found,) = [one for one in examine(folder) if "lacks rights" in one.detail]
    assert found.check in {"database", "record", "database: role"}
    assert found.status is Status.FAIL
    assert "docket grants ROLE" in found.mend


def test_the_owner_makes_the_schema_and_the_lesser_role_works_after_its_grants(
    postgres_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The three steps of the deployment page, on a new and empty database."""
    (tmp_path / "data").mkdir(mode=0o700)
    owner = postgres_url.replace("+psycopg", "")
    common = f"DOCKET_DATA_DIR=data\nDOCKET_KEYS={KEY}\n"
    (tmp_path / ".env").write_text(f"{common}DOCKET_DATABASE_URL={owner}\n")
    engine = sa.create_engine(postgres_url)
    with engine.begin() as connection:
        connection.execute(sa.text(f"CREATE ROLE {BARE} LOGIN"))
    _run("schema", "--data", str(tmp_path))
    assert "this version's" in capsys.readouterr().out
    _run("grants", BARE)
    with engine.begin() as connection:
        for statement in capsys.readouterr().out.split(";\n")[:-1]:
            connection.execute(sa.text(statement))
    lesser = owner.replace("://postgres@", f"://{BARE}@")
    (tmp_path / ".env").write_text(f"{common}DOCKET_DATABASE_URL={lesser}\n")
    _run("schema", "--data", str(tmp_path))
    found = {one.check: one for one in examine(tmp_path)}
    assert found["database"].status is found["database: role"].status is Status.OK
    with engine.begin() as connection:
        connection.execute(sa.text(f"DROP OWNED BY {BARE}"))
        connection.execute(sa.text(f"DROP ROLE {BARE}"))
    engine.dispose()


def _run(*words: str) -> None:
    with pytest.raises(SystemExit) as end:
        main(list(words))
    assert not end.value.code


def test_the_lesser_role_has_every_right_that_docket_needs(lesser: Board) -> None:
    with lesser.docket.database.read() as session:
        assert standing(session) == Standing(owns=False, lacks=())


def test_the_doctor_warns_where_docket_works_as_the_tables_owner(bare: tuple[Path, sa.Engine]) -> None:
    folder, _owner = bare
    env = (folder / ".env").read_text()
    (folder / ".env").write_text(env.replace(f"{BARE}@", "postgres@"))
    found = {one.check: one for one in examine(folder)}["database: role"]
    assert found.status is Status.WARN
    assert "owns" in found.detail


@pytest.mark.parametrize(("old", "new"), [(f"{BARE}@", "nobody_known@"), ("?host", "_away?host")])
def test_a_role_or_a_database_that_is_not_there_is_told_apart_from_a_dead_server(
    bare: tuple[Path, sa.Engine], old: str, new: str
) -> None:
    folder, _owner = bare
    env = (folder / ".env").read_text()
    assert old in env
    (folder / ".env").write_text(env.replace(old, new))
    found = {one.check: one for one in examine(folder)}["database"]
    assert found.detail.startswith("The database server refuses the login")


@pytest.mark.parametrize("table", ["fact", "journal_entry"])
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE {} SET body = body",
        "DELETE FROM {}",
        "TRUNCATE {} CASCADE",
        "DROP TRIGGER {}_append_only ON {}",
        "ALTER TABLE {} DISABLE TRIGGER ALL",
        "DROP TABLE {} CASCADE",
    ],
)
def test_the_lesser_role_changes_nothing_and_takes_no_guard_away(
    lesser: Board, table: str, change: str
) -> None:
    lesser.case()
    with (
        pytest.raises(sa.exc.ProgrammingError, match=r"permission denied|must be owner"),
        lesser.docket.database.engine.begin() as connection,
    ):
        connection.execute(sa.text(change.replace("{}", table)))
    assert verify(lesser.docket, MACHINE) is None


@pytest.mark.parametrize("name", ["", "x; DROP TABLE fact", 'a"b', "Public", "1st"])
def test_only_a_plain_name_becomes_a_role(name: str) -> None:
    with pytest.raises(BadInput):
        lesser_role_sql(name)

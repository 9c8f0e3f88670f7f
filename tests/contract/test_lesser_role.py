"""On PostgreSQL Docket works as a role that can add to the record and take nothing away, guards included (C5)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from store.cases import MACHINE, verify
from store.printing import PressRoom, open_press
from store.roles import lesser_role_sql
from store.rules.errors import BadInput
from tests.clocks import ManualClock
from tests.contract.postgres import PostgresServer
from tests.proceedings.builders import Board, a_board, a_docket

pytestmark = [pytest.mark.contract, pytest.mark.needs("postgresql")]

ROLE = "docket_clerk"


@pytest.fixture(scope="module")
def press() -> Iterator[PressRoom]:
    """The press with its fonts loaded."""
    room = open_press()
    yield room
    room.close()


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

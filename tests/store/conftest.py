"""The Board's record for tests of what lies under it, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.printing import PressRoom
from tests.clocks import ManualClock
from tests.proceedings.builders import Board, a_board
from tests.proceedings.conftest import board, fresh_record

__all__ = ["board", "either", "fresh_record"]

POSTGRES = [pytest.mark.contract, pytest.mark.needs("postgresql")]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=POSTGRES)])
def either(
    request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock, press: PressRoom
) -> Iterator[Board]:
    """The same record in one SQLite file, and on a PostgreSQL."""
    postgres = request.param == "postgresql"
    url = request.getfixturevalue("postgres_url") if postgres else ""
    made = a_board(tmp_path / "record", clock, press, url=url)
    yield made
    made.docket.database.engine.dispose()

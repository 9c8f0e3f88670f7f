"""A Board on a real record in a folder of the test's own; letters are set by the real press."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.printing import PressRoom
from tests.clocks import ManualClock
from tests.proceedings.builders import Board, a_board, a_docket


@pytest.fixture(scope="session")
def fresh_record(tmp_path_factory: pytest.TempPathFactory, press: PressRoom) -> Path:
    """A record with roster and calendar, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("record")
    board = a_board(folder, ManualClock(), press)
    board.docket.database.engine.dispose()
    return folder


@pytest.fixture
def board(tmp_path: Path, fresh_record: Path, clock: ManualClock, press: PressRoom) -> Iterator[Board]:
    """A Board of five, an alternate, clerk, City Manager, counsel and IT; no case yet."""
    folder = tmp_path / "record"
    shutil.copytree(fresh_record, folder)
    docket = a_docket(folder, clock, press)
    yield Board(docket, clock)
    docket.database.engine.dispose()

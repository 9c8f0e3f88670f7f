"""A practice folder with a Board's record, and somebody at the command line."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli.common import account
from bot.clock import PracticeClock
from bot.opening import PRACTICE_MARK
from store.printing import PressRoom
from store.proceedings.roster import link
from store.rules.facts import LinkKind
from tests.bot.cli.shell import Shell
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.proceedings.builders import KEY, Board, a_board, a_docket


@pytest.fixture(scope="session")
def fresh_folder(tmp_path_factory: pytest.TempPathFactory, press: PressRoom) -> Path:
    """A folder with `.env` and `data`; the clerk is whoever runs the tests. Made once, copied for each test."""
    folder = tmp_path_factory.mktemp("city")
    board = a_board(folder / "data", ManualClock(), press)
    link(board.docket, board.clerk, board.person("Clara Clerk"), LinkKind.SYSTEM_ACCOUNT, account())
    board.docket.database.engine.dispose()
    lines = {"DOCKET_KEYS": KEY, "DOCKET_MAIL_FROM": "board@bramwell-ky.example", "DOCKET_DATA_DIR": "data"}
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
    PracticeClock(folder / "data").set_to(A_MONDAY_MORNING)
    return folder


@pytest.fixture
def board(tmp_path: Path, fresh_folder: Path, press: PressRoom, clock: ManualClock) -> Iterator[Board]:
    """The Board on a folder of the test's own."""
    folder = tmp_path / "city"
    shutil.copytree(fresh_folder, folder)
    docket = a_docket(folder / "data", clock, press)
    yield Board(docket, clock)
    docket.database.engine.dispose()


@pytest.fixture
def shell(
    tmp_path: Path, board: Board, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """The command line on a city's own folder, run by the clerk."""
    return Shell(tmp_path / "city", board, monkeypatch, capsys)


@pytest.fixture
def practice(shell: Shell) -> Shell:
    """The same, in a folder for practice, where one may be anybody."""
    (shell.folder / "data" / PRACTICE_MARK).touch()
    return shell

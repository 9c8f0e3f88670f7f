"""`docket backup` and `docket restore`, typed."""

import json
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from bot.doctor import Status, look_at_record
from bot.opening import only_copy, opened_at
from bot.settings import load_settings
from store.database import beat
from tests.bot.cli.shell import Answer, Shell
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, filed


def _backed_up(shell: Shell, tmp_path: Path) -> Path:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    said = shell.try_("backup", shelf)
    assert said.status == 0, said.err
    (file,) = shelf.iterdir()
    assert str(file) in said.out
    assert "database: 100 %" in said.err
    return file


def _beside(shell: Shell, folder: Path) -> Shell:
    """The command line on another folder with the same keys and no record."""
    folder.mkdir()
    shutil.copy(shell.folder / ".env", folder / ".env")
    (folder / "data").mkdir()
    return Shell(folder, shell.board, shell.monkeypatch, shell.capsys)


def test_a_backup_is_written_and_restored_and_verified(shell: Shell, board: Board, tmp_path: Path) -> None:
    number, _track = board.served_case()
    filed(board, a_filing())
    file = _backed_up(shell, tmp_path)
    assert shell.newest_entry()["act"] == "back-up"
    other = _beside(shell, tmp_path / "other")
    said = other.try_("restore", file)
    assert said.status == 0, said.err
    assert "2 cases. Verified." in said.out
    assert "may have gone out since: 2" in said.out
    assert number in other.run("docket").out
    assert "uncertain" in other.run("outbox").out
    assert other.run("verify").out.startswith("All is well")


def test_a_restore_is_refused_where_docket_runs_or_a_record_lies(
    shell: Shell, board: Board, tmp_path: Path
) -> None:
    board.case()
    file = _backed_up(shell, tmp_path)
    assert "never writes over one" in shell.refused("restore", file)
    other = _beside(shell, tmp_path / "other")
    with only_copy(load_settings(other.folder / ".env")):
        assert "Another `docket run`" in other.refused("restore", file)
    assert [one.name for one in (other.folder / "data").iterdir()] == ["docket-run.lock"]


def test_a_restore_with_other_keys_is_one_plain_line(shell: Shell, board: Board, tmp_path: Path) -> None:
    board.case()
    file = _backed_up(shell, tmp_path)
    other = _beside(shell, tmp_path / "other")
    text = (other.folder / ".env").read_text()
    (other.folder / ".env").write_text(text.replace("DOCKET_KEYS=0", "DOCKET_KEYS=1"))
    said = other.try_("restore", file)
    assert said.status == 1
    assert "do not open this record" in said.err.splitlines()[-1]
    (other.folder / ".env").write_text(text)
    assert other.try_("restore", file).status == 0


def test_what_is_no_backup_is_told_so(shell: Shell, tmp_path: Path) -> None:
    other = _beside(shell, tmp_path / "other")
    rubbish = tmp_path / "rubbish.tar"
    rubbish.write_text("no backup")
    assert "cannot be read as a backup" in other.refused("restore", rubbish)


def test_a_backup_is_for_it_and_the_clerk(practice: Shell, board: Board, tmp_path: Path) -> None:
    board.case()
    assert practice.try_("backup", tmp_path / "a.tar", who="Ivo Machinist").status == 0
    assert "not yours" in practice.refused("backup", tmp_path / "b.tar", who="Mora Member")


@pytest.mark.parametrize(
    ("age", "status"),
    [
        (None, Status.WARN),
        (timedelta(days=2), Status.OK),
        (timedelta(days=2, seconds=1), Status.WARN),
        (timedelta(days=8, seconds=1), Status.FAIL),
    ],
)
def test_the_doctor_knows_how_old_the_last_backup_is(
    shell: Shell, board: Board, age: timedelta | None, status: Status
) -> None:
    opened = opened_at(shell.folder)
    if age is not None:
        with board.docket.database.write() as session:
            beat(session, "backup", opened.clock.now() - age + timedelta(seconds=0.5))
    found = {one.check: one.status for one in look_at_record(opened)}
    assert found["last backup"] is status
    opened.press.close()
    opened.docket.database.engine.dispose()


def test_status_shows_when_the_last_backup_was(shell: Shell, board: Board, tmp_path: Path) -> None:
    board.case()
    _backed_up(shell, tmp_path)
    answer: Answer = shell.try_("status", "--json")
    assert "backup" in json.loads(answer.out)["done"]

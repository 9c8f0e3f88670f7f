"""What a killed process left in a scratch folder is swept up; what a living one holds is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.health import sweep_up_halves
from store.backup import back_up
from store.export import export_case
from store.ports import untold
from store.scratch import Scratch, scratch, sweep_up, sweep_up_files
from tests.proceedings.builders import Board

HELD = """
import sys
from pathlib import Path
from store.scratch import Scratch
made = Scratch(sys.argv[2], Path(sys.argv[1]))
(made.path / "sealed").write_text("x")
print(made.path, flush=True)
sys.stdin.read()
"""


def _held(place: Path, prefix: str = "docket-x-") -> tuple["subprocess.Popen[str]", Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", HELD, str(place), prefix],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_process_left_goes_and_what_a_living_one_holds_stays(tmp_path: Path) -> None:
    living, hers = _held(tmp_path)
    killed, his = _held(tmp_path)
    killed.kill()
    killed.communicate()
    assert his.exists()
    with scratch("docket-x-", tmp_path) as mine:
        assert set(tmp_path.iterdir()) == {hers, mine}
    assert (hers / "sealed").read_text() == "x"
    living.communicate("")


def test_a_folder_that_nobody_marked_a_link_and_a_file_of_that_name_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / ".held").touch()
    (tmp_path / "docket-x-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "docket-x-folder").mkdir()
    (tmp_path / "docket-x-file").touch()
    before = sorted(tmp_path.rglob("*"))
    sweep_up("docket-x-", tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_scratch_folder_is_for_its_owner_alone_and_gone_afterwards(tmp_path: Path) -> None:
    made = Scratch("docket-x-", tmp_path)
    assert made.path.stat().st_mode & 0o077 == 0
    made.cleanup()
    made.cleanup()
    assert not any(tmp_path.iterdir())


def _killed(place: Path, prefix: str) -> None:
    process, folder = _held(place, prefix)
    process.kill()
    process.communicate()
    assert folder.exists()


@pytest.mark.parametrize("what", ["folder", "case.zip"])
def test_after_an_export_was_killed_the_same_export_works_and_only_it_is_there(
    board: Board, tmp_path: Path, what: str
) -> None:
    number, place = board.case(), tmp_path / "out"
    place.mkdir()
    _killed(place, ".docket-export-")
    export_case(board.docket, board.clerk, number, place / what)
    assert [path.name for path in place.iterdir()] == [what]


def test_after_a_backup_was_killed_the_same_backup_works_and_only_it_is_there(
    board: Board, tmp_path: Path
) -> None:
    place = tmp_path / "out"
    place.mkdir()
    _killed(place, ".docket-copy-")
    back_up(board.docket, board.clerk, tmp_path / "data", place / "backup.tar", untold)
    assert [path.name for path in place.iterdir()] == ["backup.tar"]


def test_two_backups_at_once_are_both_whole(board: Board, tmp_path: Path) -> None:
    place = tmp_path / "out"
    place.mkdir()
    living, hers = _held(place, ".docket-copy-")
    back_up(board.docket, board.clerk, tmp_path / "data", place / "backup.tar", untold)
    assert {path.name for path in place.iterdir()} == {"backup.tar", hers.name}
    assert (hers / "sealed").exists()
    living.communicate("")


HALF = """
import os, sys
from store.scratch import begin_file
descriptor = begin_file(sys.argv[1])
os.write(descriptor, b"half")
print("begun", flush=True)
sys.stdin.read()
"""


def _begun(path: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HALF, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def test_a_file_that_a_killed_process_left_half_goes_and_one_that_is_being_written_stays(
    tmp_path: Path,
) -> None:
    living, killed = _begun(tmp_path / ".living"), _begun(tmp_path / ".killed")
    killed.kill()
    killed.communicate()
    (tmp_path / "elsewhere").write_text("x")
    (tmp_path / ".link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / ".pipe")
    (tmp_path / ".folder").mkdir()
    assert sweep_up_files(tmp_path.glob(".*")) == 1
    assert {one.name for one in tmp_path.iterdir()} == {".living", ".link", ".pipe", ".folder", "elsewhere"}
    living.communicate("")


def test_the_vault_loses_its_half_written_files_and_nothing_else(board: Board) -> None:
    board.case()
    vault = board.docket.vault
    kept = sorted(one for one in vault.root.rglob("*") if one.is_file())
    assert kept
    folder = kept[0].parent
    (folder / ".0123456789abcdef").write_bytes(b"half")
    (folder / ".nfs0000000000000001").write_bytes(b"of the disk itself")
    assert vault.sweep_up() == 1
    assert sorted(one for one in vault.root.rglob("*") if one.is_file()) == sorted(
        [*kept, folder / ".nfs0000000000000001"]
    )


def test_a_health_file_left_half_written_goes(tmp_path: Path) -> None:
    (tmp_path / ".health-abcd1234").write_bytes(b"{")
    (tmp_path / "health.json").write_bytes(b"{}")
    assert sweep_up_halves(tmp_path) == 1
    assert [one.name for one in tmp_path.iterdir()] == ["health.json"]

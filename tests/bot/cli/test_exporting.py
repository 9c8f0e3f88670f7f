"""`docket export`, `docket privilege` and `docket timeline`, typed."""

from pathlib import Path

from store.bundle_check import check
from tests.bot.cli.shell import Shell
from tests.proceedings.builders import Board


def test_a_case_is_exported_and_proves_itself(shell: Shell, board: Board, tmp_path: Path) -> None:
    number = board.case()
    said = shell.try_("export", number, "--out", tmp_path / "bundle")
    assert said.status == 0, said.err
    assert check(tmp_path / "bundle")[0] == []
    assert shell.newest_entry()["act"] == "export"
    assert "final determination" in shell.refused(
        "export", number, "--records-request", "--out", tmp_path / "r"
    )
    shell.refused("export", number, "--paper", 1, "--out", tmp_path / "r", status=2)


def test_a_paper_is_marked_as_privileged_and_left_out(shell: Shell, board: Board, tmp_path: Path) -> None:
    number = board.case()
    shell.run("privilege", number, 1, "--reason", "-", stdin="advice of counsel")
    assert "1 thing left out" in shell.try_("export", number, "--out", tmp_path / "bundle").out


def test_a_timeline_is_shown_in_words_and_saved_as_a_picture(
    shell: Shell, board: Board, tmp_path: Path
) -> None:
    number, _track = board.served_case()
    words = shell.run("timeline", number).out
    assert "2026-02-02: complaint received by the Board." in words
    assert "Rory" not in words
    shell.run("timeline", number, "--out", tmp_path / "t.png")
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    shell.run("timeline", number, "--out", tmp_path / "t.svg")
    assert "<svg" in (tmp_path / "t.svg").read_text()
    shell.refused("timeline", number, "--out", tmp_path / "t.gif", status=2)
    assert "no case of that number" in shell.refused("timeline", "EC-2026-0099")

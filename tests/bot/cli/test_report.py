"""`docket report`, typed, and `/ethics report`, asked."""

from pathlib import Path

from tests.bot.cli.shell import Shell
from tests.proceedings.builders import Board


def test_a_report_is_printed_written_and_sent(shell: Shell, board: Board, tmp_path: Path) -> None:
    for _case in range(3):
        board.case()
    assert '"complaints","received","","3"' in shell.run("report", 2026).out
    said = shell.run("report", 2026, "--out", tmp_path / "year", "--send")
    assert sorted(one.name for one in (tmp_path / "year").iterdir()) == [
        "report-2026.csv",
        "report-2026.json",
        "report-2026.pdf",
    ]
    assert "Written to the City Commission: letter" in said.out
    assert shell.newest_entry()["act"] == "report"
    shell.refused("report", 2027, status=2)


def test_a_report_is_the_clerks_and_the_chairs(practice: Shell, board: Board) -> None:
    board.case()
    assert practice.run("report", 2026, who="Hanna Chair").out
    assert "not yours" in practice.refused("report", 2026, who="Mora Member")

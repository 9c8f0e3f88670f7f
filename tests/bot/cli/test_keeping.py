"""`docket disposal` and `docket breach`, typed."""

from datetime import UTC, datetime

from store.cases import act
from store.rules.access import Deed
from store.rules.facts import CaseClosed
from tests.bot.cli.shell import Shell
from tests.proceedings.builders import Board


def test_a_file_is_listed_approved_by_two_and_disposed_of(practice: Shell, board: Board) -> None:
    number = board.case()
    with act(board.docket, board.clerk, Deed.CLOSE_CASE, number=number) as step:
        step.record(CaseClosed(step.now))
    board.clock.set_to(datetime(2036, 3, 3, 15, tzinfo=UTC))
    assert number in practice.run("disposal", "due").out
    said = practice.run("disposal", "list", number, "--reason", "time is over").out
    key = said.split("list ")[1].split(".")[0]
    assert "1 more needed" in practice.run("disposal", "approve", key, who="Hanna Chair").out
    assert "Two different people" in practice.refused("disposal", "carry-out", key, "--yes")
    practice.run("disposal", "approve", key, who="Cora Counsel")
    practice.refused("disposal", "carry-out", key, status=2)
    assert number in practice.run("disposal", "carry-out", key, "--yes").out
    assert number in practice.run("disposal", "show").out
    assert number not in practice.run("docket", "--all").out
    assert practice.try_("verify").out.startswith("All is well")


def test_a_breach_is_recorded(shell: Shell, board: Board) -> None:
    number = board.case()
    at = "2026-02-02T09:00:00-05:00"
    said = shell.run(
        "breach", "record", "--found", at, "--what", "-", "--case", number, stdin="a wrong address"
    )
    key = said.out.split("breach ")[1].split(".")[0]
    shell.run("breach", "told", key, "--whom", "the complainant", "--at", at, "--how", "by telephone")
    shell.run("breach", "end", key, "--what", "the letter came back")
    shown = shell.run("breach", "show").out
    assert "a wrong address" in shown
    assert "told the complainant" in shown
    assert "ended" in shown

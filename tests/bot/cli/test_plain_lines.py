"""Whatever cannot be done is one plain line under one name, and what can be chosen stands in it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot import disk
from bot.cli import main
from store.cases import Pass, verify
from store.rules.facts import ReceivedBy
from tests.bot.cli.shell import Shell


@pytest.mark.parametrize(
    "typed", [["nonsense"], ["--bad"], ["demo", "--bad"], ["deadline", "--received", "x"]]
)
def test_what_cannot_be_used_is_one_line_under_one_name(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(typed)
    (line,) = capsys.readouterr().err.splitlines()
    assert end.value.code == 2
    assert line.startswith("docket: ")


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        (["roster", "--data", ".", "show"], "docket roster COMMAND ... --data."),
        (["ballot", "--as=Iris Falk", "open"], "docket ballot COMMAND ... --as."),
        (["--data", ".", "status"], "docket COMMAND ... --data."),
        (["roster", "--frob"], ""),
    ],
)
def test_an_option_before_its_command_is_told_where_it_goes(
    typed: list[str], place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(typed)
    (line,) = capsys.readouterr().err.splitlines()
    assert end.value.code == 2
    assert ("It goes behind the command" in line) is bool(place)
    assert place in line


@pytest.mark.parametrize("value", ["A" * 100_000, "A b" * 40_000], ids=["one word", "many words"])
@pytest.mark.parametrize(
    "typed",
    [
        [],
        ["--"],
        ["keys"],
        ["inspect"],
        ["docket", "--data"],
        ["demo", "--profile"],
        ["deadline", "--received"],
    ],
    ids=" ".join,
)
def test_a_wrong_value_of_any_length_is_shown_in_part_only(
    typed: list[str], value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*typed, value] if typed != ["--"] else [f"--{value}"])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("docket: ")
    assert len(line) < 5_000


def test_the_form_names_what_may_be_lacking(shell: Shell) -> None:
    number = shell.board.case(proper=False)
    assert "in-writing, signature" in shell.refused("form", number, status=2)
    assert "in-writing, signature" in shell.refused("form", number, "--lacking", "notary", status=2)


def test_a_referral_without_evidence_names_the_option_for_it(shell: Shell) -> None:
    assert "--evidence" in shell.refused("refer", shell.board.case())


def test_a_file_of_any_kind_that_a_complainant_brings_is_a_paper_and_no_mail(
    shell: Shell, tmp_path: Path
) -> None:
    paper = tmp_path / "complaint.docx"
    paper.write_bytes(b"PK\x03\x04 word/document.xml [Content_Types].xml")
    (told,) = shell.run("intake", paper, "--complainant", "Paula Paper", "--json").json
    assert told["outcome"] == "filed"
    received = shell.board.file(told["complaint"]).received(ReceivedBy.BOARD)
    assert received is not None
    assert shell.run("held", "list", "--json").json == []


def test_a_mail_says_itself_who_sent_it(shell: Shell, tmp_path: Path) -> None:
    mail = tmp_path / "saved.txt"
    mail.write_bytes(b"From: a@b.example\r\nSubject: x\r\n\r\nHello\r\n")
    said = shell.refused("intake", mail, "--complainant", "Paula Paper", status=2)
    assert "--complainant" in said


def test_the_database_file_is_for_its_owner_alone(shell: Shell) -> None:
    folder = shell.folder / "data"
    assert all(one.stat().st_mode & 0o077 == 0 for one in folder.glob("docket.sqlite3*"))


def test_status_fails_where_the_database_is_dead(shell: Shell) -> None:
    with (shell.folder / ".env").open("a") as file:
        file.write("DOCKET_DATABASE_URL=postgresql://nobody@127.0.0.1:1/none\n")
    assert "database does not answer" in shell.refused("status")


def test_status_fails_where_the_database_file_is_damaged(shell: Shell) -> None:
    shell.board.docket.database.engine.dispose()
    (shell.folder / "data" / "docket.sqlite3").write_bytes(b"no database" * 1000)
    assert "damaged" in shell.refused("status")


def test_a_disk_that_is_nearly_full_or_cannot_be_written_is_trouble(tmp_path: Path) -> None:
    assert disk.trouble(tmp_path, lambda _folder: disk.TIGHT_BYTES) == ""
    assert "free" in disk.trouble(tmp_path, lambda _folder: disk.TIGHT_BYTES - 1)
    assert "cannot be written" in disk.trouble(tmp_path / "gone", lambda _folder: disk.ROOMY_BYTES)


def test_verify_tells_how_far_it_came_in_each_pass(shell: Shell) -> None:
    shell.board.case()
    came: dict[Pass, list[int]] = {}
    verify(
        shell.board.docket, shell.board.clerk, came_to=lambda one, seq: came.setdefault(one, []).append(seq)
    )
    assert set(came) == set(Pass)
    assert all(seqs == list(range(1, len(seqs) + 1)) for seqs in came.values())


@pytest.mark.end_to_end
def test_ctrl_c_is_answered_at_once_by_the_demo(tmp_path: Path) -> None:
    """The line is written before the servers are stopped, which takes its time."""
    demo = subprocess.Popen(
        [
            sys.executable,
            "-u",
            "-c",
            "from bot.cli import main; main()",
            "demo",
            "--data",
            str(tmp_path / "d"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert demo.stdout is not None
    assert "starting" in demo.stdout.readline()
    demo.send_signal(signal.SIGINT)
    rest = demo.communicate(timeout=120)[0]
    assert "Stopping" in rest
    assert "Traceback" not in rest
    assert demo.returncode == 130


@pytest.mark.parametrize("place", ["loop", "nowhere/x", "x" * 300, "/dev/full"])
@pytest.mark.parametrize("typed", [("dates", "--out"), ("backup",)])
def test_a_place_that_cannot_be_written_is_told_in_one_line(
    shell: Shell, tmp_path: Path, typed: tuple[str, ...], place: str
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    said = shell.try_(*typed, tmp_path / place)
    (line,) = [one for one in said.err.splitlines() if "%" not in one]
    assert said.status in {1, 2}
    assert line.startswith("docket: ")


@pytest.mark.parametrize(
    "typed", [("calendar", "adopt", "/dev/zero", "--cause", "x"), ("intake", "/dev/zero")]
)
def test_a_file_that_never_ends_is_refused_and_not_read_to_its_end(
    shell: Shell, typed: tuple[str, ...]
) -> None:
    assert "larger than 200 MB" in shell.refused(*typed, status=2)


@pytest.mark.parametrize("number", [2**31, -(2**31), 10**30])
def test_a_number_beyond_every_id_is_told_in_one_line(shell: Shell, tmp_path: Path, number: int) -> None:
    said = shell.refused("export", shell.board.case(), "--out", tmp_path / "x", f"--paper={number}", status=2)
    assert "larger than any" in said


def test_a_file_name_that_is_no_text_does_not_stop_what_is_said(shell: Shell, tmp_path: Path) -> None:
    place = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.ics")
    assert "Written" in shell.run("dates", "--out", place).out

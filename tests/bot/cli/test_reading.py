"""Looking into the docket from the command line, as far as one may."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.cli import COMMANDS, main
from bot.cli.common import inert
from store.cases import act
from store.rules.access import Deed, Via
from store.rules.facts import PartyNamed, PartyRole
from tests.bot.cli.shell import Shell


def test_the_docket_lists_each_case_with_its_most_urgent_step(shell: Shell) -> None:
    number = shell.board.case()
    answer = shell.run("docket")
    assert number in answer.out
    assert "Refer the complaint to the Board" in answer.out
    (one,) = shell.run("docket", "--json").json
    assert one["number"] == number
    assert {step["list"] for step in one["steps"]} <= {
        "later",
        "due soon",
        "due today",
        "past the safe day",
        "overdue",
    }


def test_where_no_case_is_open_the_docket_says_how_the_closed_ones_are_shown(shell: Shell) -> None:
    assert "docket docket --all" in shell.run("docket").out
    assert "--all" not in shell.run("docket", "--all").out


def test_a_case_shows_parties_steps_letters_and_documents_with_their_ids(shell: Shell) -> None:
    number = shell.board.case()
    track = shell.board.respondent(number)
    shell.board.serve(number, track)
    shown = shell.run("case", number).out
    assert "Rory Respondent" in shown
    assert "Acknowledge receipt of the complaint to the complainant, complainant " in shown
    assert "name-respondents" not in shown
    told = shell.run("case", number, "--json").json
    assert [one["id"] for one in told["parties"] if one["role"] == "respondent"] == [track]
    assert told["letters"][0]["kind"] == "notice"
    assert told["letters"][0]["state"] == "sent"
    assert told["documents"][0]["kind"] == "complaint"
    assert told["proper"] is True


def test_opening_a_case_is_an_entry_of_the_journal(shell: Shell) -> None:
    number = shell.board.case()
    shell.run("case", number)
    entry = shell.newest_entry()
    assert (entry["act"], entry["via"], entry["actor"]) == ("see-case", Via.CLI, shell.board.clerk.person)


def test_a_number_is_read_in_small_letters_too(shell: Shell) -> None:
    number = shell.board.case()
    assert number in shell.run("case", number.lower()).out


def test_explain_lists_counted_and_skipped_days_with_clause_and_calendar(shell: Shell) -> None:
    number = shell.board.case()
    shown = shell.run("explain", number, "acknowledge").out
    assert "2026-02-07" in shown
    assert "Saturday" in shown
    assert "(A)" in shown
    assert "Calendar version" in shown
    (step,) = shell.run("explain", number, "acknowledge", "--json").json
    days = step["clocks"][0]["dates"]["days"]
    assert sum(one["counted"] for one in days) == 10
    assert step["expected_last_day"] == "2026-02-17"


def test_a_step_that_is_none_is_told(shell: Shell) -> None:
    number = shell.board.case()
    assert "no such step" in shell.refused("explain", number, "lunch", status=2)


def test_history_tells_acts_and_no_vote(shell: Shell) -> None:
    number, track = shell.board.served_case()
    held = shell.board.meeting()
    key = shell.board.ballot(number, track, held)
    from store.rules.facts import Choice

    shell.board.vote(number, key, shell.board.chair, Choice.NO)
    told = shell.run("history", number, "--json")
    assert {"vote-cast", "ballot-opened"} <= {one["what"] for one in told.json}
    assert '"no"' not in told.out
    assert "Hanna Chair" in shell.run("history", number).out


def test_a_document_is_saved_byte_for_byte_for_its_owner_alone(shell: Shell, tmp_path: Path) -> None:
    number = shell.board.case()
    (paper,) = shell.run("case", number, "--json").json["documents"]
    out = tmp_path / "complaint.pdf"
    shell.run("document", number, paper["id"], "--out", out)
    assert hashlib.sha256(out.read_bytes()).hexdigest() == paper["sha256"]
    assert out.stat().st_mode & 0o077 == 0
    assert shell.run("history", number, "--json").json[-1]["what"] == "document-shown"


def test_a_file_that_is_there_is_not_overwritten_and_nothing_is_delivered(
    shell: Shell, tmp_path: Path
) -> None:
    number = shell.board.case()
    (paper,) = shell.run("case", number, "--json").json["documents"]
    out = tmp_path / "mine.txt"
    out.write_text("mine")
    assert "nothing was delivered" in shell.refused("document", number, paper["id"], "--out", out)
    assert out.read_text() == "mine"
    assert "document-shown" not in shell.run("history", number).out


def test_a_refused_document_leaves_no_file(shell: Shell, tmp_path: Path) -> None:
    number = shell.board.case()
    out = tmp_path / "none.pdf"
    shell.refused("document", number, 999, "--out", out)
    assert not out.exists()


# -- who may ------------------------------------------------------------------------------------------


def test_it_sees_no_case_content(practice: Shell) -> None:
    number = practice.board.case()
    for words in (("docket",), ("case", number), ("explain", number), ("history", number), ("outbox",)):
        assert number not in practice.refused(*words, who="Ivo Machinist")
    assert practice.run("verify", who="Ivo Machinist")


def test_a_recused_member_finds_no_case_in_any_list(practice: Shell) -> None:
    number = practice.board.case()
    practice.run("recuse", number, who="Mora Member")
    assert number not in practice.run("docket", who="Mora Member").out
    missing = practice.refused("case", "EC-2026-0999", who="Mora Member")
    assert practice.refused("case", number, who="Mora Member") == missing


def test_a_refused_look_is_in_the_journal(practice: Shell) -> None:
    number = practice.board.case()
    practice.run("recuse", number, who="Mora Member")
    practice.refused("case", number, who="Mora Member")
    entry = practice.newest_entry()
    assert (entry["act"], entry["refused"]) == ("see-case", True)


def test_an_account_that_is_nobodys_is_refused(shell: Shell) -> None:
    from bot.cli.common import account
    from store.proceedings.roster import unlink
    from store.rules.facts import LinkKind

    board = shell.board
    unlink(board.docket, board.clerk, board.person("Clara Clerk"), LinkKind.SYSTEM_ACCOUNT, account())
    assert "not on the Board's roster" in shell.refused("docket")


def test_outside_a_practice_folder_nobody_acts_for_another_unless_he_is_his_deputy(shell: Shell) -> None:
    shell.board.case()
    assert "not named as deputy" in shell.refused("docket", who="Hanna Chair")
    from store.proceedings.roster import name_deputy

    board = shell.board
    name_deputy(board.docket, board.clerk, board.person("Clara Clerk"), acts_for=board.person("Hanna Chair"))
    shell.run("docket", who="Hanna Chair")
    entry = shell.newest_entry()
    assert (entry["actor"], entry["acting_for"]) == (
        board.person("Clara Clerk"),
        board.person("Hanna Chair"),
    )


def test_no_deputy_votes_for_another(shell: Shell) -> None:
    board = shell.board
    number, track = board.served_case()
    key = board.ballot(number, track, board.meeting())
    from store.proceedings.roster import name_deputy

    name_deputy(board.docket, board.clerk, board.person("Clara Clerk"), acts_for=board.person("Mora Member"))
    assert "nobody votes for another" in shell.refused(
        "ballot", "vote", number, key, "yes", who="Mora Member"
    )


def test_a_person_who_is_nobody_is_told_so(practice: Shell) -> None:
    assert "Nobody on the roster" in practice.refused("docket", who="Santa", status=2)


# -- how it is said -----------------------------------------------------------------------------------


def test_a_name_cannot_steer_the_terminal(shell: Shell) -> None:
    number = shell.board.case()
    with act(shell.board.docket, shell.board.clerk, Deed.NAME_PARTY, number=number) as step:
        step.record(PartyNamed(PartyRole.RESPONDENT, "Eve\x1b[2J\u202eliveE"))
    shown = shell.run("case", number).out
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\x1b" not in shell.run("case", number, "--json").out


def test_letters_of_all_scripts_stay() -> None:
    assert inert("Zoë Łukasz 李 🙂\n") == "Zoë Łukasz 李 🙂\n"


def test_every_command_is_there_with_a_line_of_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(name in shown and row.does.endswith(".") for name, row in COMMANDS.items())


def test_help_imports_no_command() -> None:
    script = (
        "import sys\nfrom bot.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted(one for one in sys.modules if one.startswith(('bot.cli.', 'sqlalchemy', 'typst'))))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert ran.stdout.splitlines()[-1] == "[]"


def test_a_subcommand_that_is_none_is_told_in_one_line(
    shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["ballot", "stuff"])
    assert end.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_wrong_option_is_told_in_one_line(shell: Shell) -> None:
    number = shell.board.case()
    answer = shell.try_("notice", number, "--provision", "gifts", "--answer-by", "soon")
    assert answer.status == 2
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize(
    "typed",
    [
        ("explain", "EC-2026-0001\udcff"),
        ("party", "add", "EC-2026-0001", "respondent", "--name", "Ren\udce9"),
        ("named", "EC-2026-0001", "Clara Clerk", "\udcff"),
        ("ballot", "show", "\udcff", "1"),
    ],
)
def test_words_that_are_no_text_are_refused_before_anything_is_asked(
    typed: tuple[str, ...], shell: Shell
) -> None:
    before = shell.newest_entry()
    answer = shell.try_(*typed)
    assert answer.status == 2
    (line,) = answer.err.splitlines()
    assert "no UTF-8 text" in line
    assert shell.newest_entry() == before


def test_a_folder_without_settings_is_told_with_its_mend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["docket", "--data", str(tmp_path)])
    assert end.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert ".env" in line


def test_a_wrong_key_is_told_and_nothing_is_changed(shell: Shell) -> None:
    from cryptography.fernet import Fernet

    env = shell.folder / ".env"
    env.write_text(env.read_text().replace("0" * 43 + "=", Fernet.generate_key().decode()))
    answer = shell.try_("docket")
    assert answer.status == 1
    assert len(answer.err.splitlines()) == 1
    assert "key" in answer.err


def test_json_of_nothing_is_an_empty_list(shell: Shell) -> None:
    assert json.loads(shell.run("docket", "--json").out) == []
    assert json.loads(shell.run("meeting", "list", "--json").out) == []
    assert json.loads(shell.run("outbox", "--json").out) == []
    assert json.loads(shell.run("held", "list", "--json").out) == []


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_tells_how_it_is_used(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert not end.value.code
    assert f"docket {name}" in capsys.readouterr().out


def test_the_docket_is_shown_by_the_page_and_json_too(shell: Shell) -> None:
    made = [shell.board.case() for _ in range(5)]
    second = shell.run("docket", "--per-page", "2", "--page", "2")
    assert [number in second.out for number in made] == [False, True, True, False, False]
    assert "Page 2 of 3, 5 cases" in second.out
    told = shell.try_("docket", "--per-page", "2", "--page", "9", "--json")
    assert [one["number"] for one in told.json] == made[:1]
    assert "Page 3 of 3" in told.err


def test_a_line_that_is_not_what_the_facts_tell_is_named_and_written_anew(shell: Shell) -> None:
    number = shell.board.case()
    with shell.board.docket.database.write() as session:
        session.connection().execute(sa.text("UPDATE docket_line SET screened = 0"))
    told = shell.refused("verify")
    assert number in told
    assert "The record is whole" in told
    assert "docket reindex" in told
    assert "1 case was given" in shell.run("reindex").out
    assert "All is well" in shell.run("verify").out

"""Every command of `docket`, found in its list: who may not is refused, and no confidential text has to be typed in the open."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from bot.cli import COMMANDS
from bot.cli.common import WORDS
from store import journal
from store.proceedings.recusal import recuse
from store.proceedings.roster import add_person
from store.rules.access import Deed
from tests.bot.cli.filled import BESIDE, Command, commands, filled
from tests.bot.cli.shell import Shell
from tests.bot.test_parity import WAYS
from tests.end_to_end.sinks import Sinks, planted

NAMES = ("Connie", "Rory", "c.pdf", "%PDF")
# what asks no right, since it shows nothing of a case and changes nothing in the record; or that is IT's own with the keys
NO_RIGHT = {
    "deadline": "reckons with what is typed",
    "demo": "makes an invented city of its own",
    "doctor": "tries mail server, Slack and disk; shows no case",
    "grants": "prints SQL",
    "init": "writes a new folder",
    "inspect": "judges a file that is named",
    "keys show": "names keys by a few signs of their hash; for whoever has them",
    "keys rotate": "is for the account that runs it and nobody else: tests/bot/cli/test_keys.py",
    "practice": "serves the practice Slack of a record in test mode; shows no case",
    "restore": "writes into an empty place, with the keys",
    "run": "is Docket itself",
    "schema": "is the owner of the tables",
    "sign-in": "asks a provider for a token of the mailbox; shows no case",
    "settings show": "shows no secret",
    "status": "counts, names no case",
    "triage": "judges a file that is named",
    "calendar propose": "reads a file and prints it",
}
EVERY = commands()
ON_THE_RECORD = [one for one in EVERY if one.name not in NO_RIGHT]
# what is typed in the open, as it names nobody of a case: numbers and ids, people of the roster, places and kinds
OPEN = {
    "number", "numbers", "into", "agenda", "year", "letter", "provisions", "lacking", "circumstances", "step", "anchor",
    "named", "people", "person", "present", "presiding", "moved_by", "seconded_by", "against", "by", "deputy", "value",
    "abstained", "aliases", "alternates", "place", "closes_at", "role", "by_video",
}  # fmt: skip


@pytest.fixture
def number(practice: Shell) -> str:
    """A case with a served respondent, and a person of the roster without a role."""
    add_person(practice.board.docket, practice.board.clerk, "Nora Nothing")
    return practice.board.served_case()[0]


def _typed(shell: Shell, one: Command, number: str) -> list[str]:
    known = {"number": number, "other": "EC-2026-0002"}
    return filled(one, lambda _name: "some words", shell.folder, known)


def _refusals(shell: Shell) -> int:
    with shell.board.docket.database.read() as session:
        entries = list(journal.entries(session, shell.board.docket.keyring))
    return sum(bool(one.header["refused"]) for one in entries)


def _tried(shell: Shell, number: str, who: str) -> Iterator[tuple[str, int, str, int]]:
    """Type each command on the record; give its name, how it ended, what it said, and how many refusals it entered."""
    for one in ON_THE_RECORD:
        before = _refusals(shell)
        answer = shell.try_(*_typed(shell, one, number), who=who, stdin="some words")
        yield one.name, answer.status, answer.out + answer.err, _refusals(shell) - before


@pytest.mark.end_to_end
def test_every_command_refuses_who_has_no_role_shows_him_nothing_and_enters_it(
    practice: Shell, number: str
) -> None:
    facts = len(practice.board.file(number).facts)
    wrong = []
    for name, status, said, entered in _tried(practice, number, "Nora Nothing"):
        refused = "not on the Board's roster" in said or "no case of that number" in said
        if status == 0 or not refused or any(one in said for one in NAMES) or entered != 1:
            wrong.append((name, status, entered, said[-200:]))
    assert wrong == [], "\n".join(map(str, wrong))
    assert len(practice.board.file(number).facts) == facts
    print(f"{len(ON_THE_RECORD)} commands tried by somebody without a role")  # noqa: T201  the figure is asked for


@pytest.mark.end_to_end
@pytest.mark.parametrize("who", ["Ivo Machinist", "Mora Member"])
def test_no_command_shows_a_case_to_it_or_to_who_stepped_back(practice: Shell, number: str, who: str) -> None:
    recuse(practice.board.docket, practice.board.actor("Mora Member"), number)
    facts = len(practice.board.file(number).facts)
    wrong = [
        (name, said[-200:])
        for name, _status, said, _entered in _tried(practice, number, who)
        if any(one in said for one in (*NAMES, number))
    ]
    assert wrong == [], "\n".join(map(str, wrong))
    assert len(practice.board.file(number).facts) == facts


@pytest.mark.end_to_end
def test_what_came_by_standard_input_is_in_no_error_no_temporary_file_and_in_no_file_in_the_clear(
    practice: Shell, number: str, tmp_path: Path
) -> None:
    """Every command is typed twice by the clerk, every text of it by standard input: first as it is, then for a case of none."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    practice.monkeypatch.setenv("TMPDIR", str(scratch))
    practice.monkeypatch.setattr("tempfile.tempdir", None)
    sinks = Sinks()
    for one in ON_THE_RECORD:
        by_stdin = [param.name or "" for param in one.command.params if param.type is WORDS]
        stdin = "\n\n".join(planted(f"{one.name} {name}") for name in by_stdin)
        for about in (number, "EC-2026-0999"):
            known = {"number": about, "other": "EC-2026-0002"}
            typed = filled(
                one,
                lambda name, own=by_stdin: "-" if name in own else "words",
                practice.folder,
                known,
                every=True,
            )
            answer = practice.try_(*typed, who="Clara Clerk", stdin=stdin)
            sinks.add(f"error of {one.name} for {about}", answer.err)
    for folder in (practice.folder / "data", scratch):
        for path in folder.rglob("*"):
            if path.is_file():
                sinks.add(f"{path.relative_to(tmp_path)}", path.read_bytes() + path.name.encode())
    closures = ("calendar close reason", "calendar adopt cause")  # nobody's secret: why city hall is closed
    assert [leak for leak in sinks.leaks() if not leak.startswith(closures)] == []
    print(f"{len(ON_THE_RECORD)} commands, {len(sinks.found)} places")  # noqa: T201  the figure is asked for


def test_every_command_stands_for_an_act_or_says_why_it_asks_no_right() -> None:
    of_acts = {name for ways in WAYS.values() for name in ways.cli}
    first = {name.partition(" ")[0] for name in NO_RIGHT}
    assert set(COMMANDS) - of_acts - first == set()
    assert set(WAYS) <= set(Deed)
    assert set(NO_RIGHT) <= {one.name for one in EVERY}


def test_whatever_may_name_somebody_can_come_by_standard_input() -> None:
    """A command line shows in the list of running programs, and stays in a shell's history."""
    seen = [
        f"{one.name}: {param.name}"
        for one in ON_THE_RECORD
        for param in one.command.params
        if isinstance(param.type, click.types.StringParamType)
        and param.type is not WORDS
        and param.name not in OPEN | BESIDE
    ]
    assert seen == []


def test_several_texts_come_by_standard_input_with_an_empty_line_between(
    practice: Shell, number: str
) -> None:
    stdin = "Paula Quint\n\n12 Mill Lane\nBramwell\n\npaula@post.example\n"
    practice.run(
        *("party", "add", number, "respondent", "--name", "-", "--postal", "-", "--email", "-"), stdin=stdin
    )
    added = practice.board.file(number).respondents[-1].named
    assert (added.name, added.postal, added.emails) == (
        "Paula Quint",
        "12 Mill Lane\nBramwell",
        ("paula@post.example",),
    )
    said = practice.refused(
        *("party", "add", number, "respondent", "--name", "-", "--postal", "-"), stdin="Paula", status=2
    )
    assert "2 texts" in said
    assert "Paula" not in said

"""What the pages tell people to type, and what the service files start, is there."""

import ast
import re
import shlex
from collections.abc import Iterator
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from bot import web_server
from bot.cli import docket, given
from bot.settings import Settings
from intake.pdf.limits import Limits
from intake.triage import MOST_WITHOUT_PAPERS
from store.cases import MOST_PHOTOS
from store.cases.acts import EACH_ENTERED
from store.proceedings import receipt
from store.rules import possible

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted(
    page
    for page in (
        ROOT / "README.md",
        *(one for room in ("bot", "intake", "store") for one in (ROOT / room).rglob("*.md")),
    )
    if "fonts" not in page.parts
)
DEPLOY = ROOT / "bot" / "deploy"
_QUOTED = re.compile(r"`((?:\S*/)?docket [^`]+)`")
_PROGRAM = re.compile(r"(?:\S*bin/)?docket")
_LINK = re.compile(r"`((?:bot|store|intake)/[\w./-]+\.(?:md|toml|timer|service|yaml|png))`|\]\(([\w./-]+)\)")


def _typed(text: str) -> Iterator[str]:
    """Give each command line of Docket's that a page shows, without what stands before and after it."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    for line in [*lines, *_QUOTED.findall(text)]:
        own = re.split(r"\s#|\s\|", line)[0]
        words = shlex.split(own, posix=True)
        places = [number for number, word in enumerate(words) if _PROGRAM.fullmatch(word)]
        if places and words[0] not in ("journalctl", "systemctl", "useradd", "echo", "install", "cp"):
            start = next((one for one in places if "/" in words[one]), places[0])
            if words[0] == "docker":
                if "run" not in words and "exec" not in words:
                    continue
                start = places[0] if "exec" not in words else places[1]
            yield shlex.join(words[start + 1 :])


COMMANDS = [(page.relative_to(ROOT).as_posix(), line) for page in PAGES for line in _typed(page.read_text())]


def _blocks(text: str) -> Iterator[str]:
    """Give the command lines that a page shows to be typed as they stand, from its indented blocks alone."""
    block = "\n".join(line.replace("`", "'") for line in text.splitlines() if line.startswith("    "))
    yield from (one for one in _typed(block) if "--help" not in one and not one.endswith("..."))


WHOLE = [(page.relative_to(ROOT).as_posix(), line) for page in PAGES for line in _blocks(page.read_text())]
_PLACEHOLDER = re.compile(r"[A-Z][A-Z:]*")


def _reached(line: str) -> tuple[click.Command, click.Context, list[str]]:
    """Follow a command line through the groups; gives the command, its context, and the words behind its name.

    Raises:
        AssertionError: there is no such command.
    """
    words = shlex.split(line)
    command: click.Command = docket
    context = click.Context(command)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words.pop(0))
        assert found is not None, line
        command, context = found, click.Context(found, parent=context)
    return command, context, words


def complete(line: str) -> None:
    """Read a command line as the program would, except that words in capitals stand for what is filled in.

    Raises:
        AssertionError: something that must be given is missing, is too much, or is not of its kind.
    """
    command, context, words = _reached(line)
    try:
        given_words, left, _order = command.make_parser(context).parse_args(list(words))
    except click.UsageError as fault:
        raise AssertionError(line, fault.format_message()) from fault
    assert not left, (line, left)
    for parameter in command.get_params(context):
        value = given_words.get(parameter.name or "")
        stated = [one for one in (value if isinstance(value, list | tuple) else [value]) if one is not None]
        # The parser marks what was not given in its own way; only words and flags count as given.
        stated = [one for one in stated if isinstance(one, str | bool | tuple | list)]
        assert stated or not parameter.required, (line, f"{parameter.name} is missing")
        for one in stated:
            if (
                not isinstance(one, str)
                or _PLACEHOLDER.fullmatch(one)
                or isinstance(parameter.type, click.Path)
            ):
                continue
            try:
                parameter.type.convert(one, parameter, context)
            except click.UsageError as fault:
                raise AssertionError(line, fault.format_message()) from fault


def known(line: str) -> None:
    """Follow a command line through groups and options.

    Raises:
        AssertionError: a command or an option is not there.
    """
    command, context, words = _reached(line)
    options = {name for one in command.get_params(context) for name in (*one.opts, *one.secondary_opts)}
    wanted = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert wanted <= options | {"--help"}, (line, wanted - options)


def test_pages_show_commands() -> None:
    assert len(COMMANDS) > 40


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_each_command_that_a_page_shows_is_there_with_its_options(page: str, line: str) -> None:
    known(line)


@pytest.mark.parametrize(("page", "line"), WHOLE)
def test_each_command_that_a_page_shows_in_a_block_is_whole(page: str, line: str) -> None:
    complete(line)


@pytest.mark.parametrize(
    "line",
    [
        "form",
        "response record EC-2026-0007 --words 'by letter'",
        "ballot vote EC-2026-0007 BALLOT perhaps",
        "packet EC-2026-0007 first --out FOLDER",
        "recuse EC-2026-0007 today",
        "served EC-2026-0007 --letter-id 62 --how 'in person' --by NAME --on",
        "refer EC-2026-0007 --because WHY",
        "ballot abolish EC-2026-0007",
    ],
)
def test_a_command_that_is_not_whole_is_found_out(line: str) -> None:
    with pytest.raises(AssertionError):
        complete(line)


@pytest.mark.parametrize("page", ["bot/CLERK.md", "bot/BOARD.md"])
def test_the_pages_say_of_whom_each_command_speaks_that_can_be_about_one_of_several(page: str) -> None:
    spoken = 0
    for line in [line for where, line in WHOLE if where == page]:
        command, context, words = _reached(line)
        if any("--respondent" in one.opts for one in command.get_params(context)):
            assert "--respondent" in words, line
            spoken += 1
    assert spoken >= 5


@pytest.mark.parametrize("line", ["frobnicate", "backup FOLDER --nowhere", "calendar abolish FILE"])
def test_a_command_that_is_not_there_is_found_out(line: str) -> None:
    with pytest.raises(AssertionError):
        known(line)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_each_file_that_a_page_names_is_there(page: Path) -> None:
    for whole, linked in _LINK.findall(page.read_text()):
        assert (ROOT / whole if whole else page.parent / linked).exists(), (page.name, whole or linked)


@pytest.mark.parametrize("name", ["docket.service", "docket-backup.service"])
def test_the_units_start_commands_that_exist_under_an_account_of_their_own(name: str) -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read(DEPLOY / name)
    service = unit["Service"]
    assert service["User"] == "docket"
    assert service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"
    known(service["ExecStart"].partition(" ")[2])


LEVELS = {"debug", "info", "warning", "error", "critical"}
# Lines that no call of ours writes with a name in it: the formatter of libraries' lines, and the guard itself.
MADE_ELSEWHERE = {"library.said", "log.unnamed"}
ALWAYS = {"exc_info"}


@dataclass(frozen=True)
class Logged:
    """A line that the program logs, as it stands in the source."""

    place: str
    event: str
    level: str
    keys: frozenset[str]


def _logged() -> Iterator[Logged]:
    """Give every call that logs a line."""
    for room in ("bot", "intake", "store"):
        for source in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(source.read_text())):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                    continue
                if node.func.attr not in LEVELS or ast.unparse(node.func.value) not in {
                    "log",
                    "structlog.get_logger()",
                }:
                    continue
                first = node.args[0] if node.args else None
                event = str(first.value) if isinstance(first, ast.Constant) else ""
                keys = frozenset(one.arg or "**" for one in node.keywords) - ALWAYS - {"**"}
                yield Logged(f"{source.name}:{node.lineno}", event, node.func.attr, keys)


LOGGED = list(_logged())


def _inventory() -> dict[str, tuple[set[str], set[str]]]:
    """Give the inventory of the page: event to its levels and its keys."""
    found = {}
    page = (ROOT / "bot" / "RUNNING.md").read_text()
    table = page.partition("| event | level |")[2]
    for line in table.splitlines()[2:]:
        if not line.startswith("|"):
            break
        events, levels, keys, _means = [one.strip() for one in line.strip("|").split("|", maxsplit=3)]
        for event in re.findall(r"`([^`]+)`", events):
            found[event] = (set(levels.split(", ")), set(re.findall(r"`([^`]+)`", keys)))
    return found


def test_every_line_that_is_logged_has_an_event_id() -> None:
    assert len(LOGGED) > 20
    assert [one for one in LOGGED if not re.fullmatch(r"[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*", one.event)] == []


def test_the_inventory_names_just_the_lines_that_are_logged() -> None:
    assert set(_inventory()) == {one.event for one in LOGGED} | MADE_ELSEWHERE


@pytest.mark.parametrize("event", sorted({one.event for one in LOGGED}))
def test_the_inventory_gives_each_lines_level_and_keys(event: str) -> None:
    levels, keys = _inventory()[event]
    ours = [one for one in LOGGED if one.event == event]
    assert {one.level for one in ours} <= levels
    wanted = {key for one in ours for key in one.keys}
    assert wanted <= keys, wanted - keys
    assert keys - wanted <= {"exception", "at", "job", "port"}, keys - wanted


def test_nothing_is_logged_past_our_own_lines() -> None:
    """No room calls Python's logging itself, but for holding the libraries back."""
    callers = set()
    for room in ("bot", "intake", "store"):
        for source in (ROOT / room).rglob("*.py"):
            if re.search(
                r"logging\.(debug|info|warning|error|exception)\(|getLogger\([^)]*\)\.(debug|info)",
                source.read_text(),
            ):
                callers.add(source.name)
    assert callers == set()


NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "tests" / "FAULTS.md").read_text())


def test_every_row_of_the_table_of_faults_names_a_test() -> None:
    rows = [
        line
        for line in (ROOT / "tests" / "FAULTS.md").read_text().splitlines()
        if line.startswith("|") and not line.startswith(("| fault", "|---"))
    ]
    assert len(rows) == len(NAMED) > 40


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_each_test_that_the_table_of_faults_names_is_there(file: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / file).read_text()


def test_the_page_of_limits_has_the_figures_of_the_program() -> None:
    page = (
        (ROOT / "bot" / "RUNNING.md")
        .read_text(encoding="utf-8")
        .partition("## Limits")[2]
        .partition("## The log")[0]
    )
    fields = Settings.model_fields
    mib = 1 << 20
    for figure in (
        f"| {fields['max_mail_mb'].default} MB | `DOCKET_MAX_MAIL_MB`",
        f"| {fields['max_attachments'].default} | `DOCKET_MAX_ATTACHMENTS`",
        f"| {fields['max_parts'].default} | `DOCKET_MAX_PARTS`",
        f"| {given.MOST_BYTES // mib} MB |",
        f"| {Limits().wall_s:g} s, {Limits().memory_bytes // mib} MB, text of {Limits().pages_read} pages |",
        f"| {possible.MOST_CHARACTERS:,} characters;",
        f"| photos in one PDF | {MOST_PHOTOS} |",
        f"| {receipt.MAX_TRIES} |",
        f"| complaints without papers of one address numbered within a day | {MOST_WITHOUT_PAPERS};",
        f"| {web_server.LARGEST_BODY // mib} MB, no older",
        f"| {EACH_ENTERED}; then",
    ):
        assert figure in page

"""What the pages tell people to type, and what the service files start, is there."""

import ast
import re
import shlex
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import click
import pytest

from bot.cli import docket

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


def _known(line: str) -> None:
    """Follow a command line through groups and options.

    Raises:
        AssertionError: a command or an option is not there.
    """
    words = shlex.split(line)
    command: click.Command = docket
    context = click.Context(command)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words.pop(0))
        assert found is not None, line
        command, context = found, click.Context(found, parent=context)
    options = {name for one in command.get_params(context) for name in (*one.opts, *one.secondary_opts)}
    wanted = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert wanted <= options | {"--help"}, (line, wanted - options)


def test_pages_show_commands() -> None:
    assert len(COMMANDS) > 40


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_each_command_that_a_page_shows_is_there_with_its_options(page: str, line: str) -> None:
    _known(line)


@pytest.mark.parametrize("line", ["frobnicate", "backup FOLDER --nowhere", "calendar abolish FILE"])
def test_a_command_that_is_not_there_is_found_out(line: str) -> None:
    with pytest.raises(AssertionError):
        _known(line)


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
    _known(service["ExecStart"].partition(" ")[2])


def _events() -> Iterator[str]:
    """Give the event of every line that the program logs."""
    for room in ("bot", "intake", "store"):
        for source in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(source.read_text())):
                match node:
                    case ast.Call(
                        func=ast.Attribute(
                            attr="debug" | "info" | "warning" | "error" | "critical", value=logger
                        ),
                        args=[ast.Constant(value=str(event)), *_],
                    ) if "log" in ast.unparse(logger).lower():
                        yield event


def test_each_line_that_is_logged_stands_in_the_inventory() -> None:
    inventory = (ROOT / "bot" / "RUNNING.md").read_text()
    events = set(_events())
    assert len(events) > 15
    assert {one for one in events if f"`{one}`" not in inventory} == set()

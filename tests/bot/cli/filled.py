"""Every command of `docket` with words that it takes, found from its own options: one that is added is filled by itself."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from bot.cli import COMMANDS, docket
from bot.cli.common import DAY, INSTANT, WORDS

# what a text has to be for a command to look further
GIVEN: Mapping[str, str] = {
    "number": "{number}",
    "numbers": "{number}",
    "into": "{other}",
    "cases": "{number}",
    "person": "Milo Member",
    "who": "Milo Member",
    "present": "Milo Member",
    "deputy": "Milo Member",
    "moved_by": "Mora Member",
    "seconded_by": "Maud Member",
    "presiding": "Mora Member",
    "acts_for": "Mora Member",
    "role": "member",
    "letter": "notice",
    "emails": "someone@post.example",
    "closes_at": "12:00",
    "provisions": "gifts",
    "value": "T024BE7LD:U0G9QF9C6",
}
# what has to be said with a flag, or with two options of several
SAID: Mapping[str, tuple[str, ...]] = {
    "amend": ("--nobody-named",),
    "determine": ("--outside-jurisdiction",),
    "disposal carry-out": ("--yes",),
    "dispose": ("--no-further-action",),
    "exhibit rule": ("--received",),
    "form": ("--proper",),
    "named": ("--nobody",),
    "response rule-time": ("--grant",),
    "served": ("--party", "1", "--letter", "notice"),
}
BESIDE = frozenset({"data", "acting_as", "help", "as_json", "as_toml", "out", "page"})


@dataclass(frozen=True)
class Command:
    """One command as it is typed, and its options."""

    path: tuple[str, ...]
    command: click.Command

    @property
    def name(self) -> str:
        """The words after `docket`."""
        return " ".join(self.path)


def commands() -> list[Command]:
    """Give every command that does something, those of groups included."""
    found = [
        Command((name,), docket.get_command(click.Context(docket), name) or docket)
        for name in sorted(COMMANDS)
    ]
    return [leaf for one in found for leaf in _leaves(one)]


def _leaves(one: Command) -> Iterator[Command]:
    if isinstance(one.command, click.Group):
        for name, sub in sorted(one.command.commands.items()):
            yield from _leaves(Command((*one.path, name), sub))
        if not one.command.invoke_without_command:
            return
    yield one


def texts(one: Command) -> list[str]:
    """Give the options and arguments of a command in which somebody writes."""
    return [
        param.name or ""
        for param in one.command.params
        if param.name not in BESIDE
        and (param.type is WORDS or isinstance(param.type, click.types.StringParamType))
    ]


def filled(
    one: Command, text: Callable[[str], str], folder: Path, known: Mapping[str, str], *, every: bool = False
) -> list[str]:
    """Type a command with everything it needs, or with every option that takes a text.

    Args:
        one: the command.
        text: gives what is written for an option by its name.
        folder: where files lie and are written.
        known: numbers of cases by the names that `GIVEN` uses.
        every: whether options that may be left out are typed where they take a text.
    """
    words = list(one.path)
    for param in one.command.params:
        name = param.name or ""
        needed = param.required or (isinstance(param, click.Argument) and param.nargs != -1)
        if name in BESIDE - {"out"} or not (needed or (every and name in texts(one))):
            continue
        value = _value(param, text, folder, known)
        words += [value] if isinstance(param, click.Argument) else [max(param.opts, key=len), value]
    return [*words, *SAID.get(one.name, ())]


def _value(param: click.Parameter, text: Callable[[str], str], folder: Path, known: Mapping[str, str]) -> str:
    name, kind = param.name or "", param.type
    if isinstance(kind, click.Choice):
        return str(getattr(kind.choices[0], "value", kind.choices[0]))
    if isinstance(kind, click.Path):
        return str(_path(kind, folder))
    number = isinstance(kind, click.types.IntParamType)
    if name in GIVEN and not number:
        return GIVEN[name].format(**known)
    days = {DAY: "2026-02-03", INSTANT: "2026-02-02T10:00:00-05:00"}
    if kind in days:
        return days[kind]
    return known.get(name, "2026" if name == "year" else "1") if number else text(name)


def _path(kind: click.Path, folder: Path) -> Path:
    if not kind.exists:
        return folder / "new"
    if not kind.file_okay:
        return folder
    file = folder / "paper.pdf"
    file.write_bytes(b"%PDF-1.7 a paper")
    return file

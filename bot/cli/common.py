"""What the commands share: who stands at the command line, what he typed, and how answers are printed.

The account of the operating system that runs `docket` is looked up on the roster; rights are checked by
each act, as they are for Slack (decisions 8). Refusals are one plain line: exit status 1 where the law,
a right or the case's state forbids it, 2 where what was typed cannot be used.
"""

import errno
import functools
import json
import os
import pwd
import re
import secrets
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import IO, Any, Concatenate, ParamSpec
from zoneinfo import ZoneInfo

import click
from typing_extensions import override

from bot.cli.deadline import BadUse, OneLineCommand
from bot.cli.progress import Shown
from bot.errors import clipped
from bot.opening import Opened, opened_at
from store.cases import (
    Actor,
    Docket,
    Look,
    act,
    case_by_number,
    look,
    profile_in_force,
    roster_of,
    standing_of,
)
from store.database import RecordUnavailable
from store.letters.press import TemplateFault
from store.rules import access
from store.rules.access import Deed, Via
from store.rules.calendar import parse_day
from store.rules.counted import counted
from store.rules.dates import local_date, parse_instant
from store.rules.errors import BadInput, Refusal
from store.rules.facts import LinkKind
from store.rules.ordinance import Profile
from store.rules.roster import Roster
from store.rules.texts import LONGEST_TEXT, too_long
from store.vault import DocumentMissing, KeysFault

P = ParamSpec("P")

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_STEERING = frozenset({"Cc", "Cs"})  # Cs: bytes of a file's name that are no text, which no terminal takes
_STDIN = "-"
_DASHES, _TEXTS = "docket.dashes", "docket.texts"
_BETWEEN = re.compile(r"\n[ \t\r]*\n\s*")
_MOST_READ = 1 << 20
_PLACE_FAULTS = frozenset(
    {
        errno.EACCES,
        errno.EDQUOT,
        errno.EEXIST,
        errno.EFBIG,
        errno.EINVAL,
        errno.EIO,
        errno.EISDIR,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.ENOENT,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.ENXIO,
        errno.EPERM,
        errno.EROFS,
    }
)


class Told(click.ClickException):
    """What happened instead, in one plain line on standard error."""

    exit_code = 1

    def __init__(self, says: str) -> None:
        super().__init__(" ".join(says.split()))

    @override
    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line."""
        click.echo(f"docket: {inert(clipped(self.message))}", file=file, err=True)


class Unusable(Told):
    """What was typed cannot be used."""

    exit_code = BadUse.exit_code


class RecordCommand(OneLineCommand):
    """A command on the record: what it cannot do is one plain line with exit status 1, or 2 for bad input."""

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what was typed, knowing how many texts come from standard input."""
        ctx.meta[_DASHES] = sum(one == _STDIN or one.endswith(f"={_STDIN}") for one in args)
        return super().parse_args(ctx, args)

    @override
    def invoke(self, ctx: click.Context) -> object:
        """Run it."""
        try:
            return click.Command.invoke(self, ctx)
        except BadInput as refusal:
            raise Unusable(str(refusal)) from refusal
        except (Refusal, RecordUnavailable, TemplateFault, DocumentMissing, KeysFault) as refusal:
            raise Told(str(refusal)) from refusal
        except OSError as error:
            if error.errno not in _PLACE_FAULTS:
                raise
            raise Told(
                f"A file or folder cannot be used: {error.strerror}. What was recorded before is safe. "
                "Check the place that you named, its owner and the free space, and run this again."
            ) from error


class Commands(click.Group):
    """A group of commands on the record."""

    command_class = RecordCommand

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed; one that is none is told in one line."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise Unusable(f"{error.format_message()} See: {ctx.command_path} --help") from error


# -- what is typed ------------------------------------------------------------------------------------


class _Words(click.ParamType[str]):
    """Free text; a lone dash takes it from standard input, so that it shows in no list of running programs.

    Several dashes take one text each, in the order typed, with an empty line between them.
    """

    name = "text"

    @override
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give the text, without the blanks around it; one that is too long for the record is no text of it."""
        text = str(value)
        given = (self._read(param, ctx) if text == _STDIN else text).strip()
        if len(given) > LONGEST_TEXT:
            raise Unusable(str(too_long(len(given))))
        return given

    def _read(self, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give the next text of standard input, or all of it where one is asked for."""
        wanted = ctx.meta.get(_DASHES, 1) if ctx is not None else 1
        if ctx is None or wanted <= 1:
            return sys.stdin.read(_MOST_READ)
        if _TEXTS not in ctx.meta:
            ctx.meta[_TEXTS] = _BETWEEN.split(sys.stdin.read(_MOST_READ).strip())
            if len(ctx.meta[_TEXTS]) != wanted:
                self.fail(
                    f"Standard input has to hold {wanted} texts with an empty line between them, in the order of the "
                    "dashes.",
                    param,
                    ctx,
                )
        return str(ctx.meta[_TEXTS].pop(0))


class _Day(click.ParamType[date]):
    """A day in the city, such as 2026-03-16."""

    name = "day"

    @override
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Read the day."""
        if isinstance(value, date):
            return value
        try:
            return parse_day(str(value))
        except BadInput as refusal:
            self.fail(str(refusal), param, ctx)


class _Instant(click.ParamType[datetime]):
    """An instant with its offset, such as 2026-03-02T10:00:00-05:00."""

    name = "instant"

    @override
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Read the instant."""
        if isinstance(value, datetime):
            return value
        try:
            return parse_instant(str(value))
        except BadInput as refusal:
            self.fail(str(refusal), param, ctx)


WORDS, DAY, INSTANT = _Words(), _Day(), _Instant()
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
respondent_option = click.option(
    "--respondent", type=int, metavar="ID", help="Which respondent; needed where there are several."
)


# -- who acts -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody at the command line, with the record before him."""

    opened: Opened
    actor: Actor

    @property
    def docket(self) -> Docket:
        """The record."""
        return self.opened.docket

    @property
    def profile(self) -> Profile:
        """The ordinance in force."""
        with self.docket.database.read() as session:
            return profile_in_force(session)[0]

    @property
    def zone(self) -> ZoneInfo:
        """The city's zone."""
        return self.profile.city.time_zone

    @property
    def today(self) -> date:
        """The day in the city."""
        return local_date(self.docket.clock.now(), self.zone)

    @property
    def people(self) -> Roster:
        """The roster."""
        with self.docket.database.read() as session:
            return roster_of(self.docket, session)

    def check(self, deed: Deed) -> None:
        """Check the right to some business of the Board that is only looked at; a refusal is an entry.

        Raises:
            NotAllowed: he has none.
        """
        if not self.may(deed):
            with act(self.docket, self.actor, deed):
                return

    def may(self, deed: Deed) -> bool:
        """Say whether he has the right to some business of the Board."""
        return access.may(deed, standing_of(self.actor, self.people, self.today))

    def look(self, number: str) -> Look:
        """Look into a case to find what was meant; only a refusal is an entry.

        Raises:
            NoSuchCase: there is none that he may know of.
        """
        try:
            return self.glance(number)
        except Refusal:
            with act(self.docket, self.actor, Deed.SEE_CASE, number=number):
                raise

    def glance(self, number: str) -> Look:
        """Look into a case as `look`, where the act that follows refuses and journals for itself.

        Raises:
            NoSuchCase: there is none that he may know of.
        """
        with self.docket.database.read() as session:
            key = case_by_number(session, number)
        return look(self.docket, self.actor, key or 0)

    def person(self, named: str) -> int:
        """Give the roster person whom a name, another name of his, or his id means.

        Raises:
            BadInput: nobody, or several.
        """
        return person_named(self.people, named)

    def respondent(self, number: str, given: int | None) -> int:
        """Give the respondent who is meant: the one named by id, or the only one.

        Where the caller may not know of the case, the act that follows refuses him, and journals that.

        Raises:
            BadInput: there is none, or there are several.
        """
        if given is not None:
            return given
        try:
            tracks = self.glance(number).case.respondents
        except Refusal:
            return 0
        if len(tracks) == 1:
            return tracks[0].id
        if not tracks:
            raise BadInput("No respondent is named in this case.", mend="Name one: docket party add.")
        raise BadInput(
            f"This case has {counted(len(tracks), 'respondent')}.",
            mend="Say which with --respondent ID; docket case shows the ids.",
        )


def person_named(people: Roster, named: str) -> int:
    """Give the roster person whom a name, an alias or an id means.

    Raises:
        BadInput: nobody, or several.
    """
    wanted = " ".join(named.split()).casefold()
    found = [
        person
        for person, member in people.members.items()
        if wanted == str(person) or wanted in {one.casefold() for one in (member.name, *member.aliases)}
    ]
    if len(found) != 1:
        says = "Several people of the roster go" if found else "Nobody on the roster goes"
        raise BadInput(f"{says} by that name or id.", mend="See: docket roster show --all.")
    return found[0]


def account() -> str:
    """Give the login name of the account that runs this; asked of the kernel, since variables can be set."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return ""


def actor_of(opened: Opened, acting_as: str | None) -> Actor:
    """Give who acts: the person of this account, or the one for whom he acts as deputy.

    In a folder for practice he may be anybody, so that one person can play all parts.

    Raises:
        BadInput: nobody of that name.
    """
    with opened.docket.database.read() as session:
        profile, _digest = profile_in_force(session)
        try:
            people = roster_of(opened.docket, session)
        except DocumentMissing:
            return Actor(
                None, Via.CLI
            )  # an altered roster names nobody; `docket verify` says which entry it is
    today = local_date(opened.clock.now(), profile.city.time_zone)
    myself = people.by_link(LinkKind.SYSTEM_ACCOUNT, account(), today)
    if acting_as is None:
        return Actor(myself, Via.CLI)
    other = person_named(people, acting_as)
    if opened.docket.practice or other == myself:
        return Actor(other, Via.CLI)
    return Actor(myself, Via.CLI, acting_for=other)


@contextmanager
def at_the_record(data: Path | None, acting_as: str | None = None) -> Iterator[Caller]:
    """Open the record for one command, and close it.

    Raises:
        StartFault: it cannot be opened.
        BadInput: nobody of that name.
    """
    opened = opened_at(data, told=Shown())
    try:
        yield Caller(opened, actor_of(opened, acting_as))
    finally:
        opened.docket.database.engine.dispose()
        opened.press.close()


data_option = click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder that holds .env and data; without it, the .env of this folder.",
)
as_option = click.option(
    "--as",
    "acting_as",
    metavar="PERSON",
    help="Act for this person, whose deputy you are. In a folder for practice: be this person.",
)


def on_record(function: Callable[Concatenate[Caller, P], None]) -> Callable[..., None]:
    """Give a command the record and who acts, by the options --data and --as."""

    @data_option
    @as_option
    @functools.wraps(function)
    def run(*args: Any, data: Path | None, acting_as: str | None, **options: Any) -> None:
        with at_the_record(data, acting_as) as caller:
            function(caller, *args, **options)

    return run


def submission() -> str:
    """Give the id of one submission at the command line: each is a new one."""
    return f"cli:{secrets.token_hex(8)}"


# -- what is printed ----------------------------------------------------------------------------------


def inert(text: str) -> str:
    """Give a text without signs that could steer a terminal or turn a line around; line ends stay."""
    return "".join(
        "\ufffd"
        if sign in _BIDI or (unicodedata.category(sign) in _STEERING and sign not in "\n\t")
        else sign
        for sign in text
    )


def say(*lines: str) -> None:
    """Print lines."""
    for line in lines:
        click.echo(inert(line))


def say_written(number: str, letters: Sequence[int]) -> None:
    """Say which letters were written in a case, and what becomes of them by mail and on paper."""
    one = len(letters) == 1
    say(
        f"Written for case {number}: {'letter' if one else 'letters'} {', '.join(map(str, letters))}.",
        f"By mail {'it goes' if one else 'they go'} out in a few minutes; until then: docket take-back. "
        f"{'Without an address it waits' if one else 'Those without an address wait'} on paper: print with docket "
        "packet, then record the service: docket served.",
    )


def say_json(value: object) -> None:
    """Print JSON; every sign beyond ASCII is written as its number."""
    click.echo(json.dumps(value, indent=2))


def say_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, none: str) -> None:
    """Print rows in columns under their heads; one line where there are none."""
    cells = [[" ".join(inert(cell).split()) for cell in row] for row in rows]
    if not cells:
        say(none)
        return
    widths = [max(len(row[place]) for row in [list(head), *cells]) for place in range(len(head))]
    for row in [list(head), *cells]:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


def iso(day: date | datetime | None) -> str | None:
    """Give a day or an instant as JSON holds it."""
    return None if day is None else day.isoformat()

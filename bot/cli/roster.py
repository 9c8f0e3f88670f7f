"""`docket roster`: who sits on the Board and works for it; access follows at once (B1)."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from bot import words
from bot.cli.common import (
    DAY,
    FILE,
    WORDS,
    Caller,
    Commands,
    json_option,
    on_record,
    say,
    say_json,
    say_table,
)
from bot.cli.given import read_given
from store.cases import MACHINE
from store.proceedings.roster import (
    KEEPERS,
    add_person,
    away,
    leave_role,
    link,
    name_deputy,
    parse_roster,
    rename_person,
    seed_roster,
    take_role,
    unlink,
)
from store.rules.access import Deed
from store.rules.counted import counted
from store.rules.errors import BadInput
from store.rules.facts import LinkKind, Role
from store.rules.roster import Member, Roster

_ROLES = click.Choice([one.value for one in Role])
_LINKS = click.Choice([one.value for one in LinkKind])


@click.group(cls=Commands)
def roster() -> None:
    """Show or change who sits on the Board and works for it."""


@roster.command("load")
@click.argument("file", type=FILE)
@on_record
def load(caller: Caller, file: Path) -> None:
    """Take people, roles and accounts from FILE, at first set-up and after changes of the file.

    While nobody is clerk or chair, whoever can open the record may do this; otherwise clerk and chair.
    """
    kept = any(member.roles(caller.today) & KEEPERS for member in caller.people.members.values())
    if kept and not caller.may(Deed.SET_ROSTER):
        seed_roster(caller.docket, "", caller.actor)  # refuses him, and enters it
    try:
        text = read_given(file).decode()
    except UnicodeDecodeError as error:
        raise BadInput("The roster file is not UTF-8 text; nothing was changed.") from error
    if not parse_roster(text).people:
        raise BadInput(
            "The roster file names nobody; nothing was changed.",
            mend="Fill in who sits on the Board, and take the # away before each line that is to count.",
        )
    count = seed_roster(caller.docket, text, caller.actor if kept else MACHINE)
    say(
        f"Recorded: {counted(count, 'change')}."
        if count
        else "The record has all of it already; nothing was changed."
    )


@roster.command("show")
@click.option("--all", "everybody", is_flag=True, help="Those without a role today too.")
@json_option
@on_record
def show(caller: Caller, *, everybody: bool, as_json: bool) -> None:
    """Show the roster as it stands today."""
    caller.check(Deed.SEE_ROSTER)
    people, today = caller.people, caller.today
    members = [member for _key, member in sorted(people.members.items()) if everybody or member.roles(today)]
    if as_json:
        say_json([_object(people, member, today) for member in members])
        return
    say_table(
        ("Person", "Name", "Roles", "Accounts", "Deputies", ""),
        [_row(people, member, today) for member in members],
        none="The roster is empty.",
    )


def _object(people: Roster, member: Member, today: date) -> dict[str, object]:
    return {
        "person": member.person,
        "name": member.name,
        "aliases": list(member.aliases),
        "roles": sorted(role.value for role in member.roles(today)),
        "links": {kind.value: list(member.linked(kind, today)) for kind in LinkKind},
        "deputies": [people.name(one) for one in people.deputies_of(member.person, today)],
        "away": people.is_away(member.person, today),
    }


def _row(people: Roster, member: Member, today: date) -> Sequence[str]:
    return (
        str(member.person),
        member.name,
        ", ".join(sorted(words.ROLE_NAMES[role] for role in member.roles(today))),
        ", ".join(value for kind in LinkKind for value in member.linked(kind, today)),
        ", ".join(people.name(one) for one in people.deputies_of(member.person, today)),
        "away" if people.is_away(member.person, today) else "",
    )


@roster.command("add")
@click.argument("name", type=WORDS)
@click.option("--alias", "aliases", multiple=True, help="Another name, for the conflict screen.")
@on_record
def add(caller: Caller, name: str, *, aliases: tuple[str, ...]) -> None:
    """Put NAME on the roster; without a role there is no right yet."""
    say(f"Recorded: person {add_person(caller.docket, caller.actor, name, aliases)}.")


@roster.command("rename")
@click.argument("person")
@click.argument("name", type=WORDS)
@click.option("--alias", "aliases", multiple=True, help="All other names, in place of the old ones.")
@on_record
def rename(caller: Caller, person: str, name: str, *, aliases: tuple[str, ...]) -> None:
    """Record that PERSON goes by NAME from now on."""
    rename_person(caller.docket, caller.actor, caller.person(person), name, aliases=aliases)
    say("Recorded.")


@roster.command("take")
@click.argument("person")
@click.argument("role", type=_ROLES)
@click.option("--since", type=DAY, help="The first day; today if left out.")
@click.option("--until", type=DAY, help="The last day; no end if left out.")
@on_record
def take(caller: Caller, person: str, role: str, *, since: date | None, until: date | None) -> None:
    """Record that PERSON takes ROLE."""
    take_role(caller.docket, caller.actor, caller.person(person), Role(role), since=since, until=until)
    say("Recorded.")


@roster.command("leave")
@click.argument("person")
@click.argument("role", type=_ROLES)
@click.option("--on", type=DAY, help="From which day on; today if left out.")
@click.option("--reason", type=WORDS, default="", help="Why; - reads it.")
@on_record
def leave(caller: Caller, person: str, role: str, *, on: date | None, reason: str) -> None:
    """Record that PERSON left ROLE; access by it ends at once."""
    who = caller.person(person)
    say("Recorded.", *leave_role(caller.docket, caller.actor, who, Role(role), on=on, reason=reason))


@roster.command("link")
@click.argument("person")
@click.argument("kind", type=_LINKS)
@click.argument("value")
@click.option("--since", type=DAY, help="The first day; today if left out.")
@on_record
def link_(caller: Caller, person: str, kind: str, value: str, *, since: date | None) -> None:
    """Record that PERSON is recognised by VALUE: TEAM:USER of Slack, an address, or a login name."""
    link(caller.docket, caller.actor, caller.person(person), LinkKind(kind), value, since=since)
    say("Recorded.")


@roster.command("unlink")
@click.argument("person")
@click.argument("kind", type=_LINKS)
@click.argument("value")
@on_record
def unlink_(caller: Caller, person: str, kind: str, value: str) -> None:
    """Record that PERSON is no longer recognised by VALUE."""
    unlink(caller.docket, caller.actor, caller.person(person), LinkKind(kind), value)
    say("Recorded.")


@roster.command("deputy")
@click.argument("deputy")
@click.argument("person")
@click.option("--since", type=DAY, help="The first day; today if left out.")
@click.option("--until", type=DAY, help="The last day; no end if left out.")
@on_record
def deputy_(caller: Caller, deputy: str, person: str, *, since: date | None, until: date | None) -> None:
    """Record that DEPUTY may act for PERSON; both names stand in each entry."""
    name_deputy(
        caller.docket,
        caller.actor,
        caller.person(deputy),
        acts_for=caller.person(person),
        since=since,
        until=until,
    )
    say("Recorded.")


@roster.command("away")
@click.argument("person")
@click.option("--since", required=True, type=DAY, help="The first day.")
@click.option("--until", required=True, type=DAY, help="The last day.")
@on_record
def away_(caller: Caller, person: str, *, since: date, until: date) -> None:
    """Record that PERSON is away; reminders pass to the deputy."""
    away(caller.docket, caller.actor, caller.person(person), since=since, until=until)
    say("Recorded.")

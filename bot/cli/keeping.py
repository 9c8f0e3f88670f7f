"""`docket disposal` and `docket breach`: how files end, and what went wrong with one (C9)."""

from datetime import date, datetime

import click

from bot import words
from bot.cli.common import DAY, INSTANT, WORDS, Caller, Commands, on_record, say, say_table
from store.proceedings.breach import breaches, end_breach, record_breach, record_telling
from store.proceedings.disposal import (
    approve_disposal,
    carry_out,
    disposal_lists,
    list_disposal,
    may_be_listed,
)
from store.rules.errors import BadInput


@click.group(cls=Commands)
def disposal() -> None:
    """Dispose of closed files whose time is over: list, two approvals, carry out. Nothing happens by a timer."""


@disposal.command("due")
@on_record
def due(caller: Caller) -> None:
    """Name the closed files whose time is over and that no hold stops."""
    found = may_be_listed(caller.docket, caller.actor)
    say(*(found or ("No file may be disposed of.",)))


@disposal.command("list")
@click.argument("numbers", nargs=-1, required=True, metavar="NUMBER...")
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@on_record
def list_(caller: Caller, numbers: tuple[str, ...], *, reason: str) -> None:
    """Put cases NUMBER... on a list for disposal."""
    key = list_disposal(caller.docket, caller.actor, numbers, reason=reason)
    say(f"Recorded: list {key}. Two different people approve it: docket disposal approve {key}.")


@disposal.command("show")
@on_record
def show(caller: Caller) -> None:
    """Show every list and where it stands."""
    zone = caller.zone
    say_table(
        ("List", "Made", "Cases", "Approved by", "Carried out"),
        [
            (
                str(one.id),
                words.instant(one.listed_at, zone),
                ", ".join(one.listed.numbers),
                ", ".join(caller.people.name(person) for person in one.approved_by),
                words.instant(one.carried_out_at, zone) if one.carried_out_at else "",
            )
            for one in disposal_lists(caller.docket, caller.actor)
        ],
        none="There is no list.",
    )


@disposal.command("approve")
@click.argument("list_id", metavar="LIST", type=int)
@on_record
def approve(caller: Caller, list_id: int) -> None:
    """Approve LIST. Two different people do: of clerk, chair and counsel."""
    left = approve_disposal(caller.docket, caller.actor, list_id)
    say(f"Recorded. {left} more needed." if left else "Recorded. It can be carried out now.")


@disposal.command("carry-out")
@click.argument("list_id", metavar="LIST", type=int)
@click.option("--yes", is_flag=True, help="You know that nothing of these files can be opened again.")
@on_record
def carry_it_out(caller: Caller, list_id: int, *, yes: bool) -> None:
    """Destroy the keys of every case on LIST; nothing of them opens again, but in backups from before."""
    if not yes:
        raise BadInput("This cannot be undone; nothing was destroyed.", mend="Say --yes.")
    numbers = carry_out(caller.docket, caller.actor, list_id)
    say(
        f"Done: {', '.join(numbers)}. The journal keeps that, and every hash.",
        "Start `docket run` anew, and see that backups from before are disposed of as well.",
    )


@click.group(cls=Commands)
def breach() -> None:
    """Record a breach of confidentiality: what happened, who was told, what was done."""


@breach.command("record")
@click.option("--found", "found_at", required=True, type=INSTANT, help="When it was found, with its offset.")
@click.option("--what", required=True, type=WORDS, help="What happened; - reads it.")
@click.option("--since", type=DAY, help="The day on which it began.")
@click.option(
    "--case", "numbers", multiple=True, metavar="NUMBER", help="A case concerned; several may be given."
)
@on_record
def record(
    caller: Caller, *, found_at: datetime, what: str, since: date | None, numbers: tuple[str, ...]
) -> None:
    """Record a breach."""
    key = record_breach(
        caller.docket, caller.actor, found_at=found_at, what=what, since=since, numbers=numbers
    )
    say(f"Recorded: breach {key}. Record each person and office that is told: docket breach told {key}.")


@breach.command("told")
@click.argument("breach_id", metavar="BREACH", type=int)
@click.option("--whom", required=True, type=WORDS, help="Who; - reads it.")
@click.option("--at", "at", required=True, type=INSTANT, help="When, with its offset.")
@click.option("--how", required=True, type=WORDS, help="How, and how that is known; - reads it.")
@on_record
def told(caller: Caller, breach_id: int, *, whom: str, at: datetime, how: str) -> None:
    """Record that somebody was told of BREACH."""
    record_telling(caller.docket, caller.actor, breach_id, whom=whom, at=at, how=how)
    say("Recorded.")


@breach.command("end")
@click.argument("breach_id", metavar="BREACH", type=int)
@click.option("--what", required=True, type=WORDS, help="What was done; - reads it.")
@on_record
def end(caller: Caller, breach_id: int, *, what: str) -> None:
    """Record what was done about BREACH."""
    end_breach(caller.docket, caller.actor, breach_id, what=what)
    say("Recorded.")


@breach.command("show")
@on_record
def show_breaches(caller: Caller) -> None:
    """Show every breach, who was told when, and what was done."""
    zone = caller.zone
    found = breaches(caller.docket, caller.actor)
    if not found:
        say("No breach is on the record.")
    for one in found:
        cases = f"; cases {', '.join(one.recorded.numbers)}" if one.recorded.numbers else ""
        say(
            f"Breach {one.id}, found {words.instant(one.recorded.found_at, zone)}{cases}: {one.recorded.what}"
        )
        for tell in one.told:
            say(f"  told {tell.whom}, {words.instant(tell.at, zone)}: {tell.how}")
        if one.ended is not None:
            say(f"  ended {words.instant(one.ended.at, zone)}: {one.ended.what}")

"""`docket held`: the holding pen, and what a person does with a message in it (I1)."""

from dataclasses import replace
from pathlib import Path

import click

from bot import words
from bot.cli.case import save
from bot.cli.common import WORDS, Caller, Commands, iso, json_option, on_record, say, say_json, say_table
from bot.cli.mailroom import desk_of
from intake.message import read_mail
from intake.reading import Arrival, read
from store.proceedings.held_mail import (
    Held,
    HeldDecision,
    bring_back,
    held_raw,
    holding_pen,
    place_held,
    set_aside_mail,
)
from store.proceedings.receipt import Filing
from store.rules.errors import AlreadyDone
from store.rules.spoken import spoken


@click.group(cls=Commands)
def held() -> None:
    """Look at held mail and decide about it: file, attach, set aside, or answer how to file."""


@held.command("list")
@click.option("--set-aside", "aside", is_flag=True, help="Those that were set aside instead, newest first.")
@json_option
@on_record
def list_(caller: Caller, *, aside: bool, as_json: bool) -> None:
    """List the messages at which a person must look, oldest first."""
    found = (set_aside_mail if aside else holding_pen)(caller.docket, caller.actor)
    if as_json:
        say_json([_object(one) for one in found])
        return
    zone = caller.zone
    say_table(
        ("Item", "Received", "Bytes", "From", "Why it waits"),
        [
            (
                str(one.item),
                words.instant(one.received_at, zone),
                f"{one.size:,}",
                one.sender,
                one.reason or spoken(one.outcome),
            )
            for one in found
        ],
        none="Nothing was set aside." if aside else "Nothing waits for a person.",
    )


def _object(one: Held) -> dict[str, object]:
    return {
        "item": one.item,
        "received_at": iso(one.received_at),
        "taken_at": iso(one.taken_at),
        "outcome": one.outcome,
        "reason": one.reason,
        "flags": list(one.flags),
        "sender": one.sender,
        "size": one.size,
        "suggested": one.suggested or None,
    }


def _wanted(caller: Caller, item: int) -> Held:
    found = next((one for one in holding_pen(caller.docket, caller.actor) if one.item == item), None)
    if found is None:
        raise AlreadyDone(
            "No such message waits; somebody may have placed it.", mend="See: docket held list."
        )
    return found


@held.command("show")
@click.argument("item", type=int)
@on_record
def show(caller: Caller, item: int) -> None:
    """Show message ITEM: its headers, text and files, and why it waits."""
    one = _wanted(caller, item)
    mail = read_mail(held_raw(caller.docket, caller.actor, item))
    say(
        f"Message {one.item}, received {words.instant(one.received_at, caller.zone)}, {one.size:,} bytes",
        f"Why it waits: {one.reason or spoken(one.outcome) or 'it could not be read'}",
        *(f"Mark: {spoken(flag)}" for flag in one.flags),
        *([f"Perhaps of: docket held attach {item} {one.suggested}"] if one.suggested else []),
        f"From: {', '.join(box.address for box in mail.from_.boxes) or one.sender}",
        f"Subject: {mail.subject}",
        *(f"File: {part.name} ({part.kind.value}, {len(part.content):,} bytes)" for part in mail.exhibits()),
        "",
        mail.text,
    )


@held.command("raw")
@click.argument("item", type=int)
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="A file that is not there."
)
@on_record
def raw(caller: Caller, item: int, *, out: Path) -> None:
    """Save message ITEM to a file, byte for byte; that it was read is recorded."""
    save(out, lambda: held_raw(caller.docket, caller.actor, item))


def _filing(caller: Caller, item: int, reason: str) -> Filing:
    """Read a held message anew, as the mailroom does."""
    one = _wanted(caller, item)
    content = held_raw(caller.docket, caller.actor, item)
    now = caller.docket.clock.now()
    found = read(desk_of(caller.opened), Arrival(content, one.received_at, now, item=item))
    return replace(found.filing, reason=reason)


@held.command("file")
@click.argument("item", type=int)
@click.option("--reason", type=WORDS, default="", help="Why; - reads it.")
@on_record
def file(caller: Caller, item: int, *, reason: str) -> None:
    """File message ITEM as a new complaint; its receipt is the instant at which the server had it."""
    filing = _filing(caller, item, reason)
    number = place_held(caller.docket, caller.actor, item, HeldDecision.FILE, filing=filing)
    say(f"Recorded: the message is case {number}.")


@held.command("attach")
@click.argument("item", type=int)
@click.argument("number")
@click.option("--party", "party_id", type=int, metavar="ID", help="The party from whom it comes.")
@click.option("--reason", type=WORDS, default="", help="Why; - reads it.")
@on_record
def attach(caller: Caller, item: int, number: str, *, party_id: int | None, reason: str) -> None:
    """Attach message ITEM to case NUMBER."""
    filing = _filing(caller, item, reason)
    place_held(
        caller.docket,
        caller.actor,
        item,
        HeldDecision.ATTACH,
        filing=filing,
        number=number.strip().upper(),
        party=party_id,
    )
    say(f"Recorded: the message is in case {number.strip().upper()}.")


@held.command("set-aside")
@click.argument("item", type=int)
@click.option("--reason", required=True, type=WORDS, help="Why it needs nothing further; - reads it.")
@on_record
def set_aside(caller: Caller, item: int, *, reason: str) -> None:
    """Set message ITEM aside; it is kept."""
    one = _wanted(caller, item)
    filing = Filing(outcome=one.outcome, received_at=one.received_at, sender=one.sender, reason=reason)
    place_held(caller.docket, caller.actor, item, HeldDecision.SET_ASIDE, filing=filing)
    say("Recorded: the message is set aside.")


@held.command("answer")
@click.argument("item", type=int)
@click.option("--reason", type=WORDS, default="", help="Why; - reads it.")
@on_record
def answer(caller: Caller, item: int, *, reason: str) -> None:
    """Answer the sender of message ITEM how to file; the message is kept and set aside."""
    filing = _filing(caller, item, reason)
    place_held(caller.docket, caller.actor, item, HeldDecision.ANSWER, filing=filing)
    say("Recorded: the sender is told how to file, and the message is set aside.")


@held.command("return")
@click.argument("item", type=int)
@click.option(
    "--reason", required=True, type=WORDS, help="Why somebody must look at it after all; - reads it."
)
@on_record
def return_(caller: Caller, item: int, *, reason: str) -> None:
    """Bring message ITEM back, which was set aside; it waits for a person again."""
    bring_back(caller.docket, caller.actor, item, reason)
    say("Recorded: the message waits for a person.")

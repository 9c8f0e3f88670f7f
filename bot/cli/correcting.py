"""Corrections: a receipt that was wrong; withdrawn, amended, merged into another case, reopened."""

from datetime import datetime
from pathlib import Path

import click

from bot import words
from bot.cli.after import read_files
from bot.cli.common import FILE, INSTANT, WORDS, Caller, Commands, RecordCommand, on_record, say, say_table
from store.proceedings.correction import (
    amend,
    correct_receipt,
    instant_of,
    receipts,
    record_withdrawal,
    reopen,
    words_for,
)
from store.proceedings.merger import merge

reason_option = click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
received_option = click.option("--received", "at", required=True, type=INSTANT, help="When, with its offset.")


@click.group(cls=Commands)
def correct() -> None:
    """Correct when something was received, by an office too, or a letter served. Parties are corrected with docket party."""


@correct.command("receipts")
@click.argument("number")
@on_record
def list_receipts(caller: Caller, number: str) -> None:
    """List the receipts of case NUMBER that stand, with their ids."""
    seen = caller.look(number)
    rows = [
        (str(one.id), words_for(seen.case, one), words.instant(instant_of(one), caller.zone))
        for one in receipts(seen.case)
    ]
    say_table(("Receipt", "Of what", "Received"), rows, none="No receipt is on the record.")


@correct.command("receipt")
@click.argument("number")
@click.argument("receipt", type=int)
@received_option
@reason_option
@on_record
def receipt_(caller: Caller, number: str, receipt: int, *, at: datetime, reason: str) -> None:
    """Correct RECEIPT of case NUMBER; the open dates are reckoned anew."""
    moved = correct_receipt(caller.docket, caller.actor, number, receipt, received_at=at, reason=reason)
    say("Recorded.", *(f"{one.step}: {_last(one.old)} -> {_last(one.new)}" for one in moved))


def _last(days: tuple[str, ...]) -> str:
    return next((day for day in days if day), "no date")


@click.command("withdraw", cls=RecordCommand)
@click.argument("number")
@received_option
@click.option("--words", "says", required=True, type=WORDS, help="What was said, and how it came.")
@on_record
def withdraw_it(caller: Caller, number: str, *, at: datetime, says: str) -> None:
    """Record that the complainant withdrew case NUMBER; the Board decides what follows."""
    record_withdrawal(caller.docket, caller.actor, number, received_at=at, words=says)
    say("Recorded. No date moves.")


@click.command("amend", cls=RecordCommand)
@click.argument("number")
@click.argument("files", nargs=-1, required=True, type=FILE)
@received_option
@click.option("--named", multiple=True, metavar="PERSON", help="Somebody of the roster named in it; several.")
@click.option("--nobody-named", "nobody", is_flag=True, help="Nobody of the roster is named in it.")
@click.option("--words", "says", type=WORDS, default="", help="What it changes; - reads it.")
@on_record
def amend_it(
    caller: Caller,
    number: str,
    files: tuple[Path, ...],
    *,
    at: datetime,
    named: tuple[str, ...],
    nobody: bool,
    says: str,
) -> None:
    """Record an amended complaint in case NUMBER; say who of the roster is named in it."""
    if nobody is bool(named):
        raise click.UsageError("Say --named PERSON for each, or --nobody-named.")
    people = [caller.person(one) for one in named]
    amend(
        caller.docket,
        caller.actor,
        number,
        received_at=at,
        files=read_files(files),
        named=people,
        words=says,
    )
    say("Recorded. Decide the form anew where it mends it: docket form.")


@click.command("merge", cls=RecordCommand)
@click.argument("number")
@click.option("--into", required=True, metavar="NUMBER", help="The case that goes on for both.")
@reason_option
@on_record
def merge_it(caller: Caller, number: str, *, into: str, reason: str) -> None:
    """Record that case NUMBER duplicates another one, which goes on for both."""
    merge(caller.docket, caller.actor, number, into=into, reason=reason)
    say("Recorded. Later mail to it reaches the case that goes on.")


@click.command("reopen", cls=RecordCommand)
@click.argument("number")
@click.option(
    "--respondent",
    "respondents",
    multiple=True,
    type=int,
    metavar="ID",
    help="Whose track is reopened; needed where there are several respondents, may be given several times.",
)
@reason_option
@on_record
def reopen_it(caller: Caller, number: str, *, respondents: tuple[int, ...], reason: str) -> None:
    """Let final case NUMBER go on: on the respondents named the Board votes anew; the others' tracks stay as they are.

    A case that was merged into another goes on by itself again: the merger is undone.
    """
    reopen(caller.docket, caller.actor, number, reason=reason, respondents=respondents)
    say("Recorded: reopened.")

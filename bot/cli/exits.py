"""What leaves the file beside the letters to parties: evidence to a prosecutor, and what a disclosure opens (C)."""

from datetime import date, datetime

import click

from bot.cli.active import warn_of_letters, warn_of_papers
from bot.cli.after import letters_written
from bot.cli.common import DAY, INSTANT, WORDS, Caller, Commands, RecordCommand, on_record, say
from store.proceedings.disclosure import confirm_publicly, record_disclosure, release_documents
from store.proceedings.evidence_referral import (
    PROSECUTORS,
    Selection,
    record_evidence_receipt,
    turn_over_evidence,
)
from store.proceedings.false_complaint import flag_complaint
from store.rules.ordinance import Office

document_option = click.option(
    "--document",
    "documents",
    multiple=True,
    required=True,
    type=int,
    metavar="ID",
    help="Several may be given.",
)


@click.group(cls=Commands)
def evidence() -> None:
    """Turn evidence over to a prosecutor, and record his receipt (C)(1)."""


@evidence.command("turn-over")
@click.argument("number")
@click.option("--to", "to", required=True, type=click.Choice([one.value for one in PROSECUTORS]))
@document_option
@click.option("--authorised-on", required=True, type=DAY, help="The day of the Board's or chair's act.")
@click.option("--authority", required=True, type=WORDS, help="By what act; nothing of the deliberations.")
@on_record
def turn_over(
    caller: Caller, number: str, *, to: str, documents: tuple[int, ...], authorised_on: date, authority: str
) -> None:
    """Write to a prosecutor with chosen papers of case NUMBER and a manifest of their hashes."""
    selection = Selection(Office(to), documents, authorised_on, authority)
    key = turn_over_evidence(caller.docket, caller.actor, number, selection)
    say(f"Recorded: turned over as {key}.", letters_written(1))
    warn_of_letters(caller, number)


@evidence.command("received")
@click.argument("number")
@click.argument("turned_over", type=int)
@click.option("--at", "at", required=True, type=INSTANT, help="When, with its offset.")
@click.option("--evidence", "how", required=True, type=WORDS, help="How it is known; - reads it.")
@on_record
def evidence_received(caller: Caller, number: str, turned_over: int, *, at: datetime, how: str) -> None:
    """Record that the prosecutor received what was TURNED_OVER in case NUMBER."""
    record_evidence_receipt(caller.docket, caller.actor, number, turned_over, at=at, evidence=how)
    say("Recorded.")


@click.command("flag", cls=RecordCommand)
@click.argument("number")
@click.option("--words", "says", required=True, type=WORDS, help="What is to be looked at; - reads it.")
@on_record
def flag(caller: Caller, number: str, *, says: str) -> None:
    """Record that the Board flagged the complaint of case NUMBER as perhaps knowingly false (F).

    The Board's ballot carries it first: docket ballot open NUMBER false-complaint. It finds nothing; a prosecutor
    looks at what is turned over to him.
    """
    flag_complaint(caller.docket, caller.actor, number, words=says)
    say(
        "Recorded; it is no finding, and no letter went out.",
        f"What follows: docket evidence turn-over {number} --to county_attorney, with the papers that you choose.",
    )


@click.group(cls=Commands)
def disclosure() -> None:
    """Record a party's public disclosure; confirm the inquiry; release issued documents by vote (C)(2)."""


@disclosure.command("record")
@click.argument("number")
@click.option(
    "--party", required=True, type=int, metavar="ID", help="The complainant or respondent who did it."
)
@click.option("--on", "on", required=True, type=DAY)
@click.option("--evidence", "how", required=True, type=WORDS, help="Where it can be seen; - reads it.")
@on_record
def record(caller: Caller, number: str, *, party: int, on: date, how: str) -> None:
    """Record that a party of case NUMBER made the inquiry public."""
    record_disclosure(caller.docket, caller.actor, number, party=party, on=on, evidence=how)
    say("Recorded. The Board may confirm that the inquiry exists, and vote on a release.")


@disclosure.command("confirm")
@click.argument("number")
@click.option("--how", required=True, type=WORDS, help="Where the Board confirms it.")
@on_record
def confirm(caller: Caller, number: str, *, how: str) -> None:
    """Record the Board's confirmation and print its words."""
    say(confirm_publicly(caller.docket, caller.actor, number, how=how))


@disclosure.command("release")
@click.argument("number")
@document_option
@click.option("--how", required=True, type=WORDS, help="How they are made public.")
@on_record
def release(caller: Caller, number: str, *, documents: tuple[int, ...], how: str) -> None:
    """Record the release that a ballot carried; docket document saves each paper."""
    warn_of_papers(caller, number, documents)
    release_documents(caller.docket, caller.actor, number, documents, how=how)
    say("Recorded.")

"""What staff, the City Manager and members do with a case: form, referral, acknowledgement, recusal."""

from collections.abc import Iterator
from datetime import datetime

import click

from bot import words
from bot.cli.common import INSTANT, WORDS, Caller, RecordCommand, Told, on_record, say, say_written
from store.cases import papers_for
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.delivery import take_back
from store.proceedings.form_check import FormView, decide_form, send_cure_notice
from store.proceedings.recusal import recuse
from store.proceedings.referral import record_manager_receipt, refer
from store.proceedings.screening import lift_conflict, say_who_is_named
from store.rules import evidence
from store.rules.complaint import IN_WRITING, SIGNATURE
from store.rules.errors import BadInput, NotNow, Refusal
from store.rules.facts import Basis, ComplaintReceived, PaperReceived, ReceiptEvidence, ReceivedBy

_NEEDS_MOST_CARE_FIRST = (
    *("crypto-broken", "unreadable", "none-found", "needs-human", "crypto-untrusted"),
    *("typed", "drawn", "crypto-valid"),
)


@click.command("form", cls=RecordCommand)
@click.argument("number")
@click.option("--proper", is_flag=True, help="It is in writing, signed, and meets the requirements.")
@click.option(
    "--lacking",
    multiple=True,
    metavar="ID",
    help="What is missing: in-writing, signature, or a requirement of the profile; may be given several times.",
)
@click.option("--reason", type=WORDS, default="", help="Why; - reads it from standard input.")
@click.option(
    "--paper", type=int, metavar="FACT", help="The receipt that made it proper; the newest if left out."
)
@on_record
def form(
    caller: Caller, number: str, *, proper: bool, lacking: tuple[str, ...], reason: str, paper: int | None
) -> None:
    """Decide whether the complaint of case NUMBER is proper; you decide, Docket only finds.

    Say --proper, or name with --lacking what is missing.
    """
    known = _requirements(caller, number)
    if not proper and not lacking:
        raise BadInput(
            "The decision on the form was not said.",
            mend=f"Say --proper, or name with --lacking what is missing: {known}.",
        )
    if set(lacking) - set(known.split(", ")):
        raise BadInput(
            "A requirement named with --lacking is not one of the Board's; nothing was changed.",
            mend=f"Choose from: {known}.",
        )
    found = _finding(caller, number)
    view = FormView(proper, SIGNATURE not in lacking, found, lacking, reason, paper)
    taken = decide_form(caller.docket, caller.actor, number, view)
    if not proper:
        say(
            f"Recorded: case {number} is not proper yet; ask for what is lacking with: docket cure-notice. "
            f"A paper that mends it, brought in by hand: docket cure {number}."
        )
        return
    say(f"Recorded: case {number} is proper.", *_runs_from(caller, number, taken))


def _runs_from(caller: Caller, number: str, receipt: int | None) -> Iterator[str]:
    """Say from which receipt the 30 days run, and how to say that it was another."""
    could = caller.glance(number).case.mending
    for one in could:
        if one.id == receipt:
            what = one.fact.what if isinstance(one.fact, PaperReceived) else "complaint"
            when = words.instant(one.fact.received_at, caller.zone)
            yield f"The 30 days of the inquiry (B) run from the receipt of the {what}, {when} (receipt {one.id})."
    if len(could) > 1:
        ids = ", ".join(str(one.id) for one in could)
        yield f"Another paper made it proper? --paper with one of {ids}; what each is: docket correct receipts."


def _requirements(caller: Caller, number: str) -> str:
    """Give the ids of what a complaint can lack under the case's own profile, parted by commas."""
    try:
        profile = caller.glance(number).profile
    except Refusal:
        profile = caller.profile
    return ", ".join((IN_WRITING, SIGNATURE, *(one.id for one in profile.complaints.requirements)))


def _finding(caller: Caller, number: str) -> str:
    """Give the finding about the complaint's papers that asks for the most care; empty where none was judged."""
    try:
        look = caller.glance(number)
    except Refusal:
        return ""
    kept = papers_for(caller.docket, look)
    judged = [evidence.from_json(one.finding) for one in kept if look.case.bears_on_form(one.id, one.kind)]
    found = {one.signature for one in judged if one is not None}
    return next((word for word in _NEEDS_MOST_CARE_FIRST if word in found), "")


@click.command("cure-notice", cls=RecordCommand)
@click.argument("number")
@on_record
def cure_notice(caller: Caller, number: str) -> None:
    """Ask each complainant of case NUMBER for what is lacking."""
    say_written(number, send_cure_notice(caller.docket, caller.actor, number))


@click.command("refer", cls=RecordCommand)
@click.argument("number")
@click.option("--evidence", "shown_by", type=WORDS, default="", help="How you know, when staff record it.")
@on_record
def refer_it(caller: Caller, number: str, *, shown_by: str) -> None:
    """Refer the complaint of case NUMBER to the Board, or record that the City Manager did."""
    try:
        refer(caller.docket, caller.actor, number, evidence=shown_by)
    except NotNow as refusal:
        if shown_by.strip() or not refusal.mend:
            raise
        raise Told(
            f"{refusal} Here: --evidence WORDS, as in docket refer {number} --evidence WORDS."
        ) from refusal
    say(f"Recorded: case {number} is referred to the Board.")


@click.command("manager-receipt", cls=RecordCommand)
@click.argument("number")
@click.option("--received", required=True, type=INSTANT, help="When, with offset: 2026-03-02T10:00:00-05:00.")
@click.option("--evidence", "shown_by", required=True, type=WORDS, help="How it is known; - reads it.")
@on_record
def manager_receipt(caller: Caller, number: str, *, received: datetime, shown_by: str) -> None:
    """Record when the City Manager received the complaint of case NUMBER."""
    fact = ComplaintReceived(
        received, ReceivedBy.CITY_MANAGER, Basis.RECORDED_BY_STAFF, ReceiptEvidence(words=shown_by)
    )
    record_manager_receipt(caller.docket, caller.actor, number, fact)
    say(
        f"Recorded: received by the City Manager {words.instant(received, caller.zone)}. The dates follow it."
    )


@click.command("acknowledge", cls=RecordCommand)
@click.argument("number")
@on_record
def acknowledge_it(caller: Caller, number: str) -> None:
    """Write the acknowledgement to each complainant of case NUMBER who has none yet."""
    say_written(number, acknowledge(caller.docket, caller.actor, number))


@click.command("take-back", cls=RecordCommand)
@click.argument("number")
@click.argument("letter", type=int)
@on_record
def take_it_back(caller: Caller, number: str, letter: int) -> None:
    """Take back LETTER of case NUMBER with its copies to counsel, if it did not go out yet."""
    taken = take_back(caller.docket, caller.actor, number, letter)
    copies = f", with its copies: {', '.join(map(str, taken[1:]))}" if len(taken) > 1 else ""
    say(f"Recorded: the letter is taken back{copies}.")


@click.command("named", cls=RecordCommand)
@click.argument("number")
@click.argument("people", nargs=-1, metavar="[PERSON]...")
@click.option("--nobody", is_flag=True, help="Nobody of the roster is named.")
@on_record
def named(caller: Caller, number: str, people: tuple[str, ...], *, nobody: bool) -> None:
    """Say who of the roster is named in the papers of case NUMBER that no machine could search."""
    if bool(people) is nobody:
        raise BadInput("Who is named was not said.", mend="Name the people, or say --nobody.")
    say_who_is_named(caller.docket, caller.actor, number, [caller.person(one) for one in people])
    say(f"Recorded: {len(people)} of the roster named; whoever may see case {number} is told now.")


@click.command("lift", cls=RecordCommand)
@click.argument("number")
@click.argument("person")
@click.option("--reason", required=True, type=WORDS, help="Why there is no conflict; - reads it.")
@on_record
def lift(caller: Caller, number: str, person: str, *, reason: str) -> None:
    """Record that PERSON, walled off from case NUMBER, is not concerned after all."""
    lift_conflict(caller.docket, caller.actor, number, caller.person(person), reason)
    say(f"Recorded: the wall around case {number} is lifted for this person.")


@click.command("recuse", cls=RecordCommand)
@click.argument("number")
@click.option("--reason", type=WORDS, default="", help="Why, if you say it; - reads it.")
@on_record
def recuse_me(caller: Caller, number: str, *, reason: str) -> None:
    """Step back from case NUMBER. Your access ends at once, and a vote of yours is void."""
    recuse(caller.docket, caller.actor, number, reason)
    say(f"Recorded: you stepped back from case {number}.")

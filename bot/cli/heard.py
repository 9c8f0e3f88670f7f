"""How a respondent is heard: more time to answer, appearance, statements under oath, exhibits (clause B)."""

from datetime import date, datetime
from pathlib import Path

import click

from bot import words
from bot.cli.after import read_files
from bot.cli.common import (
    DAY,
    FILE,
    INSTANT,
    WORDS,
    Caller,
    Commands,
    RecordCommand,
    on_record,
    respondent_option,
    say,
)
from bot.cli.party import response
from store.proceedings.answer_time import ask_for_time, inquiry_step, rule_on_time
from store.proceedings.exhibits import Offer, offer_exhibit, rule_on_exhibit
from store.proceedings.testimony import Appearance, Statement, record_appearance, record_statement
from store.rules.errors import BadInput

__all__ = ["appearance", "exhibit", "response", "statement"]

by_option = click.option("--by", "by", metavar="PERSON", help="Who of the Board ruled; yourself if left out.")


# -- more time ----------------------------------------------------------------------------------------


@response.command("ask-time")
@click.argument("number")
@respondent_option
@click.option("--until", required=True, type=DAY, help="The day that is asked for.")
@click.option("--received", required=True, type=INSTANT, help="When the request came, with its offset.")
@click.option("--words", "said", type=WORDS, default="", help="Why, and how it came; - reads it.")
@on_record
def ask_time(
    caller: Caller, number: str, *, respondent: int | None, until: date, received: datetime, said: str
) -> None:
    """Record that a respondent of case NUMBER asked for more time; nothing moves by it."""
    track = caller.respondent(number, respondent)
    key = ask_for_time(
        caller.docket, caller.actor, number, track, until=until, received_at=received, words=said
    )
    say(f"Recorded: request {key}. Rule on it: docket response rule-time.")


@response.command("rule-time")
@click.argument("number")
@click.argument("request", type=int)
@click.option("--grant/--refuse", "granted", default=None, help="What was ruled.")
@click.option("--until", type=DAY, default=None, help="Until when; the day asked for if left out.")
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@by_option
@on_record
def rule_time(
    caller: Caller,
    number: str,
    request: int,
    *,
    granted: bool | None,
    until: date | None,
    reason: str,
    by: str | None,
) -> None:
    """Record what was ruled on REQUEST for more time in case NUMBER; no period of the ordinance moves."""
    if granted is None:
        raise BadInput("The ruling was not said.", mend="Say --grant or --refuse.")
    day = rule_on_time(
        caller.docket,
        caller.actor,
        number,
        request,
        granted=granted,
        reason=reason,
        until=until,
        ruled_by=caller.person(by) if by else None,
    )
    say(f"Recorded: time to answer until {words.day(day)}." if day else "Recorded: refused.")
    inquiry = inquiry_step(caller.look(number))
    if inquiry is not None and inquiry.dates is not None:
        last = words.day(inquiry.dates.expected_last_day)
        say(f"The inquiry's last lawful day stays {last}: no period of the ordinance moves.")


# -- appearance and statement -------------------------------------------------------------------------


@click.command("appearance", cls=RecordCommand)
@click.argument("number")
@click.option("--party", "party_id", required=True, type=int, metavar="ID", help="Who appeared.")
@click.option("--at", "at", required=True, type=INSTANT, help="When, with its offset.")
@click.option("--how", required=True, type=WORDS, help="In person, by video, through counsel.")
@click.option("--counsel", multiple=True, type=int, metavar="ID", help="Counsel who came; several.")
@click.option("--answer", "answers", is_flag=True, help="It was the respondent's answer to the complaint.")
@click.option("--words", "said", type=WORDS, default="", help="What is to be noted; - reads it.")
@on_record
def appearance(
    caller: Caller,
    number: str,
    *,
    party_id: int,
    at: datetime,
    how: str,
    counsel: tuple[int, ...],
    answers: bool,
    said: str,
) -> None:
    """Record that a party of case NUMBER appeared before the Board."""
    made = Appearance(at, how, counsel, said, answers)
    record_appearance(caller.docket, caller.actor, number, party_id, made)
    say("Recorded: appeared." if not answers else "Recorded: appeared, and answered the complaint.")


@click.command("statement", cls=RecordCommand)
@click.argument("number")
@click.argument("files", nargs=-1, type=FILE)
@click.option("--party", "party_id", type=int, metavar="ID", help="The party who swore.")
@click.option("--witness", type=WORDS, default="", help="The witness who swore, where it is no party.")
@click.option("--oath-by", required=True, type=WORDS, help="Who administered the oath.")
@click.option("--at", "at", required=True, type=INSTANT, help="When, with its offset.")
@click.option(
    "--document", "documents", multiple=True, type=int, metavar="ID", help="A transcript kept before."
)
@click.option("--words", "said", type=WORDS, default="", help="What is to be noted; - reads it.")
@on_record
def statement(
    caller: Caller,
    number: str,
    files: tuple[Path, ...],
    *,
    party_id: int | None,
    witness: str,
    oath_by: str,
    at: datetime,
    documents: tuple[int, ...],
    said: str,
) -> None:
    """Record a statement under oath in case NUMBER, with the FILES of its transcript or recording."""
    made = Statement(at, oath_by, party_id, witness, said, documents)
    key = record_statement(caller.docket, caller.actor, number, made, read_files(files))
    say(f"Recorded: statement {key}.")


# -- exhibits -----------------------------------------------------------------------------------------


@click.group(cls=Commands)
def exhibit() -> None:
    """Offer exhibits and rule on them; each is kept with its hash."""


@exhibit.command("offer")
@click.argument("number")
@click.argument("file", required=False, type=FILE)
@click.option("--document", type=int, metavar="ID", help="A paper of the case instead of FILE.")
@click.option("--party", "party_id", type=int, metavar="ID", help="Who offers it; the Board if left out.")
@click.option("--at", "at", required=True, type=INSTANT, help="When, with its offset.")
@click.option("--label", type=WORDS, default="", help="How it is marked; the next free mark if left out.")
@click.option("--words", "said", type=WORDS, default="", help="What it is to show; - reads it.")
@on_record
def offer(
    caller: Caller,
    number: str,
    file: Path | None,
    *,
    document: int | None,
    party_id: int | None,
    at: datetime,
    label: str,
    said: str,
) -> None:
    """Record that FILE, or a paper of case NUMBER, was offered in evidence."""
    kept = read_files((file,))[0] if file else None
    key = offer_exhibit(caller.docket, caller.actor, number, Offer(at, party_id, kept, document, label, said))
    found = next(one for one in caller.look(number).case.exhibits if one.id == key)
    say(f"Recorded: exhibit {key}, marked {found.offered.label}. SHA-256 {found.offered.sha256}")


@exhibit.command("rule")
@click.argument("number")
@click.argument("exhibit_id", metavar="EXHIBIT", type=int)
@click.option("--received/--refused", "received", default=None, help="What was ruled.")
@click.option("--reason", type=WORDS, default="", help="Why; needed to refuse; - reads it.")
@by_option
@on_record
def rule(
    caller: Caller, number: str, exhibit_id: int, *, received: bool | None, reason: str, by: str | None
) -> None:
    """Record that EXHIBIT of case NUMBER was received in evidence, or refused."""
    if received is None:
        raise BadInput("The ruling was not said.", mend="Say --received or --refused.")
    rule_on_exhibit(
        caller.docket,
        caller.actor,
        number,
        exhibit_id,
        received=received,
        reason=reason,
        ruled_by=caller.person(by) if by else None,
    )
    say(f"Recorded: {'received in evidence' if received else 'refused'}.")

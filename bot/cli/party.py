"""Parties and what goes between them and the Board: notice, service on paper, responses."""

import mimetypes
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import click

from bot import words
from bot.cli.active import warn_of_letters
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
    say_written,
)
from bot.cli.given import read_given
from store.proceedings.notice import send_notice
from store.proceedings.parties import correct_party, name_party, no_respondent, remove_party
from store.proceedings.response import File, extend_time, record_chance_not_used, record_response
from store.proceedings.service import record_office_service, record_service
from store.rules.counted import counted
from store.rules.errors import BadInput
from store.rules.facts import PartyNamed, PartyRole
from store.rules.spoken import spoken

_BYTES = "application/octet-stream"


@click.group(cls=Commands)
def party() -> None:
    """Add, correct or remove parties of a case."""


@party.command("add")
@click.argument("number")
@click.argument("role", type=click.Choice([one.value for one in PartyRole]))
@click.option("--name", required=True, type=WORDS, help="The name; - reads it from standard input.")
@click.option("--email", multiple=True, type=WORDS, help="May be given several times; none for paper.")
@click.option("--postal", type=WORDS, default="", help="The postal address; - reads its lines.")
@click.option("--office", type=WORDS, default="", help="The office that a respondent holds.")
@click.option("--represents", type=int, metavar="ID", help="For counsel: the party.")
@click.option("--since", type=DAY, help="For counsel: the first day.")
@click.option("--until", type=DAY, help="For counsel: the last day.")
@on_record
def add(
    caller: Caller,
    number: str,
    role: str,
    *,
    name: str,
    email: tuple[str, ...],
    postal: str,
    office: str,
    represents: int | None,
    since: date | None,
    until: date | None,
) -> None:
    """Name a party of case NUMBER; each respondent is a track of his own."""
    named = PartyNamed(PartyRole(role), name, email, postal, office, represents, since, until)
    key = name_party(caller.docket, caller.actor, number, named)
    say(f"Recorded: party {key}, {spoken(role)}.")


@party.command("correct")
@click.argument("number")
@click.argument("party_id", metavar="ID", type=int)
@click.option("--name", type=WORDS, help="The right name; - reads it.")
@click.option("--email", multiple=True, type=WORDS, help="All right addresses, in place of the old ones.")
@click.option("--no-email", is_flag=True, help="No address; letters go on paper.")
@click.option("--postal", type=WORDS, help="The right postal address; - reads its lines.")
@click.option("--office", type=WORDS, help="The right office.")
@click.option("--until", type=DAY, help="For counsel: the last day.")
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@on_record
def correct(
    caller: Caller,
    number: str,
    party_id: int,
    *,
    name: str | None,
    email: tuple[str, ...],
    no_email: bool,
    postal: str | None,
    office: str | None,
    until: date | None,
    reason: str,
) -> None:
    """Correct party ID of case NUMBER; what is not given stays. Dates and tracks stay the same."""
    if email and no_email:
        raise BadInput("Addresses and --no-email contradict each other.", mend="Give one of them.")
    known = caller.look(number).case.party(party_id)
    if known is None:
        raise BadInput("There is no such party in this case; nothing was changed.")
    old = known.named
    if (name, postal, office, until) == (None,) * 4 and not email and not no_email:
        raise BadInput("Nothing to correct was given; nothing was changed.", mend="Give what is right.")
    corrected = replace(
        old,
        name=old.name if name is None else name,
        emails=() if no_email else (email or old.emails),
        postal=old.postal if postal is None else postal,
        office=old.office if office is None else office,
        until=until or old.until,
    )
    correct_party(caller.docket, caller.actor, number, party_id, corrected=corrected, reason=reason)
    moved = corrected.emails != old.emails
    say("Recorded." + (" Letters that waited to go to a wrong address are taken back." if moved else ""))


@party.command("remove")
@click.argument("number")
@click.argument("party_id", metavar="ID", type=int)
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@on_record
def remove(caller: Caller, number: str, party_id: int, *, reason: str) -> None:
    """Record that party ID of case NUMBER is one no longer."""
    remove_party(caller.docket, caller.actor, number, party_id, reason=reason)
    say("Recorded: the party left.")


@party.command("none")
@click.argument("number")
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@on_record
def none(caller: Caller, number: str, *, reason: str) -> None:
    """Record that nobody can be named as respondent in case NUMBER."""
    no_respondent(caller.docket, caller.actor, number, reason=reason)
    say("Recorded: no respondent can be named.")


# -- notice and service -------------------------------------------------------------------------------


@click.command("notice", cls=RecordCommand)
@click.argument("number")
@respondent_option
@click.option(
    "--provision",
    "provisions",
    multiple=True,
    required=True,
    metavar="ID",
    help="May be given several times.",
)
@click.option("--answer-by", type=DAY, help="Last day for the answer; the earliest allowed if left out.")
@on_record
def notice(
    caller: Caller,
    number: str,
    *,
    respondent: int | None,
    provisions: tuple[str, ...],
    answer_by: date | None,
) -> None:
    """Write the notice to a respondent of case NUMBER: the complaint, the provisions, the rights of (B)."""
    track = caller.respondent(number, respondent)
    letters = send_notice(
        caller.docket, caller.actor, number, track, provisions=provisions, answer_by=answer_by
    )
    say_written(number, letters)
    warn_of_letters(caller, number)


@click.command("served", cls=RecordCommand)
@click.argument("number")
@click.option("--party", "party_id", type=int, metavar="ID", help="On whom; left out for an office.")
@click.option("--letter", default="", metavar="KIND", help="Such as notice or acknowledgement.")
@click.option("--how", required=True, type=WORDS, help="In person, by certified mail ...")
@click.option("--on", required=True, type=DAY, help="On which day.")
@click.option("--by", required=True, type=WORDS, help="By whom.")
@click.option("--received-on", type=DAY, help="The day of receipt, where it is known.")
@click.option("--letter-id", type=int, metavar="ID", help="Which letter; the newest of its kind if left out.")
@on_record
def served(
    caller: Caller,
    number: str,
    *,
    party_id: int | None,
    letter: str,
    how: str,
    on: date,
    by: str,
    received_on: date | None,
    letter_id: int | None,
) -> None:
    """Record that a letter of case NUMBER was served on a party by hand or by post.

    Name the letter by --letter-id, or by --party and --letter. One to an office, such as the Commission, has no party.
    """
    if letter_id is not None and party_id is None:
        found = next((one for one in caller.look(number).case.letters if one.id == letter_id), None)
        if found is None or found.queued.to_party is None:
            record_office_service(caller.docket, caller.actor, number, letter_id, how=how, on=on, by=by)
            say(f"Recorded: brought to its office on {words.day(on)}.")
            return
        party_id, letter = found.queued.to_party, found.queued.letter
    if party_id is None or not letter:
        raise BadInput(
            "Which letter was served was not said.",
            mend="Say it with --letter-id, or with --party and --letter.",
        )
    record_service(
        caller.docket,
        caller.actor,
        number,
        party=party_id,
        letter=letter.replace("-", "_"),
        how=how,
        on=on,
        by=by,
        received_on=received_on,
        letter_fact=letter_id,
    )
    say(f"Recorded: served on {words.day(on)}.")


# -- responses ----------------------------------------------------------------------------------------


@click.group(cls=Commands)
def response() -> None:
    """Record a respondent's answer, more time, or that the chance was not used."""


@response.command("record")
@click.argument("number")
@click.argument("files", nargs=-1, type=FILE)
@respondent_option
@click.option("--received", required=True, type=INSTANT, help="When, with offset: 2026-03-02T10:00:00-05:00.")
@click.option("--words", "said", type=WORDS, default="", help="What it is and how it came; - reads it.")
@on_record
def record(
    caller: Caller,
    number: str,
    files: tuple[Path, ...],
    *,
    respondent: int | None,
    received: datetime,
    said: str,
) -> None:
    """Record that a respondent of case NUMBER answered, with the FILES he handed in."""
    track = caller.respondent(number, respondent)
    kept = [File(read_given(one), one.name, mimetypes.guess_type(one.name)[0] or _BYTES) for one in files]
    record_response(caller.docket, caller.actor, number, track, received_at=received, words=said, files=kept)
    say(f"Recorded: the response, with {counted(len(kept), 'paper')}.")


@response.command("not-used")
@click.argument("number")
@respondent_option
@click.option("--on", required=True, type=DAY, help="As of which day.")
@click.option("--words", "said", type=WORDS, default="", help="Words, if there are any; - reads them.")
@on_record
def not_used(caller: Caller, number: str, *, respondent: int | None, on: date, said: str) -> None:
    """Record that a respondent of case NUMBER had the chance to answer and did not use it."""
    track = caller.respondent(number, respondent)
    record_chance_not_used(caller.docket, caller.actor, number, track, on=on, words=said)
    say("Recorded: the chance was given and not used. Silence is no admission.")


@response.command("more-time")
@click.argument("number")
@respondent_option
@click.option("--until", required=True, type=DAY, help="The new last day.")
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@on_record
def more_time(caller: Caller, number: str, *, respondent: int | None, until: date, reason: str) -> None:
    """Give a respondent of case NUMBER more time; no period of the ordinance moves by it."""
    track = caller.respondent(number, respondent)
    extend_time(caller.docket, caller.actor, number, track, until=until, reason=reason)
    say(f"Recorded: time to answer until {words.day(until)}.")

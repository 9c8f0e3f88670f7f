"""What follows a sufficient basis: disposition, reprimand, demand, hearing (clause (E))."""

import mimetypes
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
)
from bot.cli.given import read_given
from store.proceedings.demand import record_commission_result, record_demand
from store.proceedings.disposition import Disposition, dispose
from store.proceedings.hearing import (
    Setting,
    Sitting,
    open_hearing,
    record_result,
    record_sitting,
    send_result,
)
from store.proceedings.reprimand import Receiver, issue_reprimand, record_reprimand_receipt
from store.proceedings.response import File
from store.rules.counted import counted
from store.rules.errors import BadInput


def read_files(files: tuple[Path, ...]) -> list[File]:
    """Read papers that are handed in, with the media type that their names suggest."""
    return [
        File(
            read_given(one),
            one.name,
            mimetypes.guess_type(one.name)[0] or "application/octet-stream",
        )
        for one in files
    ]


def letters_written(count: int) -> str:
    """Say that letters were written, and that they wait."""
    written = counted(count, "letter was", "letters were")
    if count == 1:
        return f"{written} written. By mail it goes out in a few minutes: docket take-back. Else it waits on paper."
    return f"{written} written. By mail they go out in a few minutes: docket take-back. Others wait on paper."


# -- disposition --------------------------------------------------------------------------------------


@click.command("dispose", cls=RecordCommand)
@click.argument("number")
@respondent_option
@click.option("--reprimand", is_flag=True, help="A confidential reprimand, (E)(1)(a).")
@click.option("--hearing", "hearing_", is_flag=True, help="A hearing, (E)(1)(b).")
@click.option("--no-further-action", "nothing", is_flag=True, help="Neither.")
@click.option(
    "--circumstance", "circumstances", multiple=True, metavar="ID", help="A mitigating circumstance; several."
)
@click.option("--words", type=WORDS, default="", help="Further circumstances in words; - reads them.")
@on_record
def dispose_it(
    caller: Caller,
    number: str,
    *,
    respondent: int | None,
    reprimand: bool,
    hearing_: bool,
    nothing: bool,
    circumstances: tuple[str, ...],
    words: str,
) -> None:
    """Record what follows for a respondent of case NUMBER, as the Board's ballots carried it."""
    if nothing is (reprimand or hearing_):
        raise BadInput(
            "What follows was not said.", mend="Say --reprimand, --hearing, both, or --no-further-action."
        )
    decided = Disposition(reprimand, hearing_, circumstances, words)
    dispose(caller.docket, caller.actor, number, caller.respondent(number, respondent), decided)
    chosen = [word for word, said in (("reprimand", reprimand), ("hearing", hearing_)) if said]
    say(f"Recorded: {' and '.join(chosen) or 'no further action'}.")


# -- reprimand ----------------------------------------------------------------------------------------


@click.group(cls=Commands)
def reprimand() -> None:
    """Issue the reprimand to the Commission and the officer; record when each received it."""


@reprimand.command("issue")
@click.argument("number")
@respondent_option
@click.option("--text", type=WORDS, default="", help="The Board's words, the first time; - reads them.")
@on_record
def issue(caller: Caller, number: str, *, respondent: int | None, text: str) -> None:
    """Write the reprimand to the City Commission, and its copy to the officer and counsel."""
    track = caller.respondent(number, respondent)
    letters = issue_reprimand(caller.docket, caller.actor, number, track, text=text)
    say(letters_written(len(letters)))


@reprimand.command("received")
@click.argument("number")
@respondent_option
@click.option("--by", "by", required=True, type=click.Choice([one.value for one in Receiver]))
@click.option("--at", "at", required=True, type=INSTANT, help="When, with its offset.")
@click.option("--evidence", required=True, type=WORDS, help="How it is known; - reads it.")
@on_record
def received(
    caller: Caller, number: str, *, respondent: int | None, by: str, at: datetime, evidence: str
) -> None:
    """Record when the officer or the Commission received it. That mail was sent is no receipt."""
    track = caller.respondent(number, respondent)
    record_reprimand_receipt(
        caller.docket, caller.actor, number, track, by=Receiver(by), at=at, evidence=evidence
    )
    say(
        f"Recorded.{words.demand_open(caller.look(number).steps, track)} Day by day: docket explain {number}."
    )


# -- demand -------------------------------------------------------------------------------------------


@click.group(cls=Commands)
def demand() -> None:
    """Record a demand for a public hearing whenever it comes, and the result of that hearing."""


@demand.command("record")
@click.argument("number")
@click.argument("files", nargs=-1, type=FILE)
@respondent_option
@click.option("--received", "at", required=True, type=INSTANT, help="When, with its offset.")
@click.option("--words", type=WORDS, default="", help="What it says and how it came; - reads it.")
@click.option("--document", "documents", multiple=True, type=int, metavar="ID", help="A paper of the case.")
@on_record
def record(
    caller: Caller,
    number: str,
    files: tuple[Path, ...],
    *,
    respondent: int | None,
    at: datetime,
    words: str,
    documents: tuple[int, ...],
) -> None:
    """Record an officer's demand in case NUMBER and pass it to the Commission, late or not."""
    track = caller.respondent(number, respondent)
    found = record_demand(
        caller.docket,
        caller.actor,
        number,
        track,
        received_at=at,
        words=words,
        files=read_files(files),
        documents=documents,
    )
    say(f"Recorded: {found.timeliness.value}.", letters_written(1))
    warn_of_letters(caller, number)


@demand.command("result")
@click.argument("number")
@respondent_option
@click.option("--on", "on", required=True, type=DAY, help="The day of the Commission's decision.")
@click.option("--result", required=True, type=WORDS, help="What it decided; - reads it.")
@on_record
def demand_result(caller: Caller, number: str, *, respondent: int | None, on: date, result: str) -> None:
    """Record the result of the Commission's public hearing."""
    track = caller.respondent(number, respondent)
    record_commission_result(caller.docket, caller.actor, number, track, on=on, result=result)
    say("Recorded.")


# -- hearing ------------------------------------------------------------------------------------------


@click.group(cls=Commands)
def hearing() -> None:
    """Set the Board's hearing with notice to each party, record how it went, and send its result."""


@hearing.command("open")
@click.argument("number")
@respondent_option
@click.option("--at", "at", required=True, type=INSTANT, help="When, with its offset.")
@click.option("--place", required=True, type=WORDS, help="Where; - reads several lines.")
@click.option("--issue", "issue_", required=True, type=WORDS, help="What it is to determine; - reads it.")
@click.option(
    "--hand-over", "documents", multiple=True, type=int, metavar="ID", help="A paper for the parties."
)
@click.option("--papers-by", type=DAY, default=None, help="Until when papers are asked for.")
@click.option("--video", type=WORDS, default="", help="How to attend by video.")
@click.option("--reason", type=WORDS, default="", help="Why a hearing that was set is set anew.")
@click.option("--shared", type=WORDS, default="", help="Why another respondent's paper is handed over.")
@on_record
def open_it(
    caller: Caller,
    number: str,
    *,
    respondent: int | None,
    at: datetime,
    place: str,
    issue_: str,
    documents: tuple[int, ...],
    papers_by: date | None,
    video: str,
    reason: str,
    shared: str,
) -> None:
    """Set the hearing of a respondent of case NUMBER and write the notices."""
    track = caller.respondent(number, respondent)
    setting = Setting(at, place, issue_, documents, papers_by, video, reason, shared)
    say(letters_written(len(open_hearing(caller.docket, caller.actor, number, track, setting))))
    warn_of_letters(caller, number)


@hearing.command("held")
@click.argument("number")
@respondent_option
@click.option("--at", "at", required=True, type=INSTANT, help="When it began, with its offset.")
@click.option(
    "--appeared", multiple=True, type=int, metavar="ID", help="A party or counsel who came; several."
)
@click.option("--hand-over", "documents", multiple=True, type=int, metavar="ID", help="A paper handed over.")
@click.option("--adjourned", is_flag=True, help="It goes on another day.")
@click.option("--words", type=WORDS, default="", help="How it went, or why it was adjourned; - reads them.")
@click.option("--to", "to", type=INSTANT, default=None, help="When it goes on; new notices are written.")
@click.option("--place", type=WORDS, default="", help="Where it goes on; the same place if left out.")
@click.option("--shared", type=WORDS, default="", help="Why another respondent's paper is handed over.")
@on_record
def held(
    caller: Caller,
    number: str,
    *,
    respondent: int | None,
    at: datetime,
    appeared: tuple[int, ...],
    documents: tuple[int, ...],
    adjourned: bool,
    words: str,
    to: datetime | None,
    place: str,
    shared: str,
) -> None:
    """Record that the hearing in case NUMBER was held: who came, and whether it was adjourned."""
    track = caller.respondent(number, respondent)
    sitting = Sitting(at, appeared, documents, adjourned, words, shared)
    again = None
    if to is not None:
        opened = caller.look(number).case.hearing(track)
        if opened is None:
            raise BadInput("No hearing was opened for this respondent.", mend="Set it: docket hearing open.")
        again = Setting(to, place or opened.fact.place, opened.fact.issue, reason=f"adjourned: {words}")
    letters = record_sitting(caller.docket, caller.actor, number, track, sitting, to=again)
    say(f"Recorded: the hearing was {'adjourned' if adjourned else 'held'}.")
    if letters:
        say(letters_written(len(letters)))


@hearing.command("result")
@click.argument("number")
@respondent_option
@click.option("--on", "on", required=True, type=DAY, help="The day of the Board's decision.")
@click.option("--result", required=True, type=WORDS, help="What it decided; - reads it.")
@on_record
def hearing_result(caller: Caller, number: str, *, respondent: int | None, on: date, result: str) -> None:
    """Record the result of the Board's hearing; the respondent's track is final with it."""
    track = caller.respondent(number, respondent)
    record_result(caller.docket, caller.actor, number, track, on=on, result=result)
    say("Recorded. Send it to each party: docket hearing send.")


@hearing.command("send")
@click.argument("number")
@respondent_option
@on_record
def send(caller: Caller, number: str, *, respondent: int | None) -> None:
    """Write the result of the hearing to each party of case NUMBER and counsel, one by one."""
    track = caller.respondent(number, respondent)
    say(letters_written(len(send_result(caller.docket, caller.actor, number, track))))

"""`docket calendar`: the city's closures; each change reckons open steps anew (D3)."""

from datetime import date, time
from pathlib import Path

import click

from bot.cli.common import DAY, FILE, WORDS, Caller, Commands, iso, json_option, on_record, say, say_json
from bot.cli.given import read_given
from store.cases import calendar_of, calendar_text, profile_in_force
from store.proceedings.calendar import Moved, adopt_calendar, close_day
from store.proceedings.closures_list import proposed_text, read_closures
from store.rules.access import Deed
from store.rules.calendar import Calendar
from store.rules.errors import BadInput, Refusal
from store.rules.facts import DatesMoved


@click.group(cls=Commands)
def calendar() -> None:
    """Show or change the city's closures."""


@calendar.command("show")
@click.option("--toml", is_flag=True, help="Print the calendar in force as a file to edit and adopt.")
@json_option
@on_record
def show(caller: Caller, *, toml: bool, as_json: bool) -> None:
    """Show the adopted closures."""
    caller.check(Deed.SEE_ROSTER)
    with caller.docket.database.read() as session:
        found = calendar_of(session, profile_in_force(session)[0])
        text = calendar_text(session)
    if toml:
        say(text.rstrip("\n"))
        return
    closures = sorted(found.closures, key=lambda one: one.on)
    if as_json:
        say_json(
            {
                "version": found.version,
                "adopted_years": sorted(found.adopted_years),
                "closures": [
                    {
                        "date": iso(one.on),
                        "reason": one.reason,
                        "closes_at": one.closes_at.isoformat("minutes") if one.closes_at else None,
                    }
                    for one in closures
                ],
            }
        )
        return
    years = ", ".join(map(str, sorted(found.adopted_years))) or "none; every date is provisional"
    say(f"Adopted years: {years}. Version {found.version}.")
    for one in closures:
        early = f" from {one.closes_at:%H:%M}" if one.closes_at else ""
        say(f"{one.on:%a %Y-%m-%d}{early}  {one.reason}")


@calendar.command("adopt")
@click.argument("file", type=FILE)
@click.option("--cause", required=True, type=WORDS, help="Why; - reads it.")
@click.option("--late", is_flag=True, help="It changes days that lie behind, and they are recorded late.")
@on_record
def adopt(caller: Caller, file: Path, *, cause: str, late: bool) -> None:
    """Adopt FILE as the whole calendar: adopted_years, [[closure]] and [[proclaimed]] tables."""
    try:
        text = read_given(file).decode()
    except UnicodeDecodeError as error:
        raise BadInput("The calendar file is not UTF-8 text; nothing was changed.") from error
    before = _in_force(caller)
    _tell(caller, adopt_calendar(caller.docket, caller.actor, text, cause, recorded_late=late))
    say(*before.told_of_change(_in_force(caller), caller.today))


@calendar.command("close")
@click.argument("day", type=DAY)
@click.argument("reason", type=WORDS)
@click.option(
    "--closes-at", metavar="HH:MM", help="The local hour of an early closing; the whole day if left out."
)
@click.option("--late", is_flag=True, help="DAY lies behind, and is recorded late.")
@on_record
def close(caller: Caller, day: date, reason: str, *, closes_at: str | None, late: bool) -> None:
    """Record that city hall is closed on DAY, for a one-line REASON such as "ice storm"."""
    moved = close_day(
        caller.docket, caller.actor, day, reason, closes_at=_hour(closes_at), recorded_late=late
    )
    _tell(caller, moved)
    say(*_in_force(caller).told_of_closing(day))


def _in_force(caller: Caller) -> Calendar:
    """Give the calendar in force."""
    with caller.docket.database.read() as session:
        return calendar_of(session, profile_in_force(session)[0])


@calendar.command("propose")
@click.argument("file", type=FILE)
@click.option("--year", type=int, help="The year to adopt; only its days are taken.")
@on_record
def propose(caller: Caller, file: Path, *, year: int | None) -> None:
    """Read closures from FILE (.ics, CSV, or lines of day and reason) and print the calendar with them.

    Nothing is changed: look at it, keep it in a file, and adopt that.
    """
    caller.check(Deed.SET_CALENDAR)
    read = read_closures(file.read_bytes(), caller.zone)
    read = read if year is None else read.of_year(year)
    say(proposed_text(caller.docket, read.found, year=year).rstrip("\n"))
    for line in (f"{len(read.found)} closures were read.", *read.unread, "Nothing was changed."):
        click.echo(line, err=True)


def _hour(text: str | None) -> time | None:
    if text is None:
        return None
    try:
        return time.fromisoformat(text)
    except ValueError as error:
        raise BadInput("The hour of closing cannot be read.", mend="Write it as 12:00.") from error


def _tell(caller: Caller, moved: Moved) -> None:
    """Print the dates that moved, of the cases that the caller may see; no other case is counted."""
    lines = [_moved(number, fact) for number, fact in moved if _sees(caller, number)]
    say(
        "Recorded. The dates of open steps were reckoned anew, and whom it concerns is told once."
        if lines
        else "Recorded. No date of an open step moved by it, of the cases that you may see.",
        *lines,
    )


def _sees(caller: Caller, number: str) -> bool:
    try:
        caller.glance(number)
    except Refusal:
        return False
    return True


def _moved(number: str, fact: DatesMoved) -> str:
    old, new = ("/".join(day or "-" for day in days) for days in (fact.old, fact.new))
    step = fact.step.partition(":")[0].replace("_", " ")
    return f"{number} {step}: act by/last day/open until {old} -> {new}"

"""`docket meeting plan` and what follows from it: notice, who comes, moved, called off, the quorum to expect."""

from datetime import datetime
from pathlib import Path

import click

from bot import words
from bot.cli.common import INSTANT, WORDS, Caller, iso, json_option, on_record, say, say_json
from bot.cli.meeting import meeting
from store.proceedings.planning import (
    Expected,
    When,
    answer_coming,
    calendar_entry,
    call_off,
    expected,
    move_meeting,
    notice_line,
    plan_meeting,
    plan_of,
    plans,
    record_notice,
)
from store.rules.access import Deed
from store.rules.errors import BadInput
from store.rules.facts import Coming, NoticeGiven
from store.rules.plans import LONGEST_MINUTES, Plan
from store.rules.spoken import spoken

__all__ = ["meeting"]

lasts_option = click.option(
    "--minutes", "lasts", type=click.IntRange(1, LONGEST_MINUTES), default=120, show_default=True
)
special_option = click.option("--special", is_flag=True, help="A special meeting (KRS 61.823).")


@meeting.command("plan")
@click.argument("place")
@click.option("--at", "at", required=True, type=INSTANT, help="When it begins, with its offset.")
@lasts_option
@special_option
@click.option("--case", "agenda", multiple=True, metavar="NUMBER", help="A case on the agenda; several.")
@on_record
def plan(
    caller: Caller, place: str, *, at: datetime, lasts: int, special: bool, agenda: tuple[str, ...]
) -> None:
    """Plan a meeting at PLACE; everybody entitled is asked whether he comes. It is no notice."""
    key = plan_meeting(caller.docket, caller.actor, When(at, place, lasts, special, agenda))
    say(f"Recorded: plan {key}. Give notice of the meeting, and record it: docket meeting notice.")


@meeting.command("move")
@click.argument("plan_id", metavar="PLAN", type=int)
@click.option("--at", "at", required=True, type=INSTANT, help="When it begins now, with its offset.")
@click.option("--place", type=WORDS, default="", help="Where; the same place if left out.")
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@on_record
def move(caller: Caller, plan_id: int, *, at: datetime, place: str, reason: str) -> None:
    """Move PLAN to another hour or place; answers to another hour fall away."""
    before = _plan(caller, plan_id).planned
    when = When(at, place or before.place, before.lasts_minutes, before.special)
    move_meeting(caller.docket, caller.actor, plan_id, when, reason=reason, same_agenda=True)
    say("Recorded: moved. It needs a notice of its own.")


@meeting.command("call-off")
@click.argument("plan_id", metavar="PLAN", type=int)
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@on_record
def call_it_off(caller: Caller, plan_id: int, *, reason: str) -> None:
    """Call PLAN off; its entry is cancelled in each calendar."""
    call_off(caller.docket, caller.actor, plan_id, reason=reason)
    say("Recorded: called off.")


@meeting.command("notice")
@click.argument("plan_id", metavar="PLAN", type=int)
@click.option("--given-at", required=True, type=INSTANT, help="When, with its offset.")
@click.option("--how", required=True, type=WORDS, help="How: in writing, by hand, by fax.")
@click.option("--to", "to", required=True, type=WORDS, help="To whom: members, media that asked.")
@click.option("--posted", type=WORDS, default="", help="Where it was posted.")
@click.option(
    "--video",
    type=WORDS,
    default="",
    help="How the public can follow the meeting by video, as the notice says it (KRS 61.826).",
)
@click.option(
    "--primary-location",
    type=WORDS,
    default="",
    help="The primary physical location that the notice of a video meeting names.",
)
@on_record
def notice(
    caller: Caller,
    plan_id: int,
    *,
    given_at: datetime,
    how: str,
    to: str,
    posted: str,
    video: str,
    primary_location: str,
) -> None:
    """Record that notice of PLAN was given (KRS 61.820, 61.823, 61.826)."""
    given = NoticeGiven(given_at, how, to, posted, video, primary_location)
    lacks = record_notice(caller.docket, caller.actor, plan_id, given)
    say("Recorded.", *lacks)


@meeting.command("coming")
@click.argument("plan_id", metavar="PLAN", type=int)
@click.argument("coming", type=click.Choice([one.value for one in Coming]))
@on_record
def coming_(caller: Caller, plan_id: int, coming: str) -> None:
    """Say for yourself whether you come to PLAN."""
    answer_coming(caller.docket, caller.actor, plan_id, Coming(coming))
    say("Recorded.")


@meeting.command("entry")
@click.argument("plan_id", metavar="PLAN", type=int)
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path))
@on_record
def entry(caller: Caller, plan_id: int, *, out: Path) -> None:
    """Write the calendar entry of PLAN as an .ics file that names nobody; it is no notice."""
    caller.check(Deed.ANSWER_COMING)
    found = plan_of(caller.docket, plan_id)
    if found is None:
        raise BadInput("No meeting is planned under this number.", mend="See: docket meeting planned.")
    out.write_bytes(calendar_entry(caller.docket, found))
    say(f"Written: {out}")


def _plan(caller: Caller, plan_id: int) -> Plan:
    caller.check(Deed.SEE_DOCKET)
    found = next((one for one in plans(caller.docket, caller.actor) if one.id == plan_id), None)
    if found is None:
        raise BadInput("No meeting is planned under this number.", mend="See: docket meeting planned.")
    return found


@meeting.command("planned")
@json_option
@on_record
def planned(caller: Caller, *, as_json: bool) -> None:
    """List the meetings that are planned; for chair and clerk with the quorum to expect, case by case."""
    caller.check(Deed.SEE_DOCKET)
    found = plans(caller.docket, caller.actor)
    may = caller.may(Deed.PLAN_MEETING)
    told = [(one, expected(caller.docket, caller.actor, one) if may else None) for one in found]
    if as_json:
        say_json([_object(caller, one, foreseen) for one, foreseen in told])
        return
    if not told:
        say("No meeting is planned.")
    for one, foreseen in told:
        _show(caller, one, foreseen)


def _show(caller: Caller, one: Plan, foreseen: Expected | None) -> None:
    kind = "special meeting" if one.planned.special else "meeting"
    at = words.instant(one.planned.begins_at, caller.zone)
    say(f"Plan {one.id}: {kind}, {at}, {one.planned.place}")
    mine = one.answers.get(caller.actor.person or 0)
    say(f"  Your answer: {spoken(mine) if mine else 'none yet'}")
    if foreseen is None:
        return
    people = caller.people
    say(f"  {foreseen.whole.text()}")
    say(*(f"  {number}: {each.text()}" for number, each in foreseen.cases.items()))
    say(*(f"  {people.name(who)}: {spoken(each)}" for who, each in sorted(foreseen.answers.items())))
    say(*(f"  Notice: {notice_line(each, caller.zone)}" for each in one.notices))
    say(*(f"  {line}" for line in one.warnings()))


def _object(caller: Caller, one: Plan, foreseen: Expected | None) -> dict[str, object]:
    mine = one.answers.get(caller.actor.person or 0)
    told: dict[str, object] = {
        "id": one.id,
        "begins_at": iso(one.planned.begins_at),
        "place": one.planned.place,
        "special": one.planned.special,
        "my_answer": mine.value if mine else None,
    }
    if foreseen is not None:
        told |= {
            "outlook": foreseen.whole.outlook.name.lower(),
            "cases": {number: each.outlook.name.lower() for number, each in foreseen.cases.items()},
            "answers": {str(who): each.value for who, each in foreseen.answers.items()},
            "warnings": list(one.warnings()),
        }
    return told

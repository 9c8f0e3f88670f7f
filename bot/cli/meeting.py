"""`docket meeting`: meetings of the Board under the Open Meetings Act."""

import click

from bot import words
from bot.cli.common import WORDS, Caller, Commands, iso, json_option, on_record, say, say_json, say_table
from store.proceedings.meeting import (
    close_meeting,
    close_session,
    meeting_in_session,
    meetings,
    open_meeting,
    record_presence,
    return_to_open_session,
    take_chair,
)
from store.rules.access import Deed
from store.rules.errors import Refusal
from store.rules.meetings import Meeting

meeting_option = click.option(
    "--meeting", "held", type=int, metavar="ID", help="The one in session if left out."
)


@click.group(cls=Commands)
def meeting() -> None:
    """Open, lead, close or list meetings of the Board."""


def _held(caller: Caller, given: int | None) -> int:
    """Give the meeting that is meant; 0 where none is in session, which the act then refuses."""
    if given is not None:
        return given
    try:
        found = meeting_in_session(caller.docket, caller.actor)
    except Refusal:
        return 0
    return found.id if found else 0


@meeting.command("open")
@click.argument("place")
@click.option(
    "--notice", required=True, type=WORDS, help="How and when notice was given (KRS 61.820, 61.823)."
)
@click.option("--present", multiple=True, metavar="PERSON", help="Who is there; may be given several times.")
@click.option("--special", is_flag=True, help="A special meeting (KRS 61.823).")
@click.option("--presiding", metavar="PERSON", help="Who presides; one of those present.")
@click.option("--planned", type=int, metavar="PLAN", help="The plan that it carries out.")
@on_record
def open_it(
    caller: Caller,
    place: str,
    *,
    notice: str,
    present: tuple[str, ...],
    special: bool,
    presiding: str | None,
    planned: int | None,
) -> None:
    """Open a meeting at PLACE, or by the video link PLACE."""
    key = open_meeting(
        caller.docket,
        caller.actor,
        place,
        notice_given=notice,
        present=[caller.person(one) for one in present],
        special=special,
        presiding=caller.person(presiding) if presiding else None,
        planned=planned,
    )
    say(f"Meeting {key} is in session, {len(present)} present.")


@meeting.command("present")
@click.argument("person")
@click.option("--left", is_flag=True, help="The person left.")
@meeting_option
@on_record
def present_(caller: Caller, person: str, *, left: bool, held: int | None) -> None:
    """Record that PERSON came to the meeting, or left it."""
    record_presence(caller.docket, caller.actor, _held(caller, held), caller.person(person), present=not left)
    say(f"Recorded: {'left' if left else 'present'}.")


@meeting.command("preside")
@click.argument("person")
@meeting_option
@on_record
def preside(caller: Caller, person: str, *, held: int | None) -> None:
    """Record that PERSON takes the chair, as where the chair leaves or is out of a case."""
    take_chair(caller.docket, caller.actor, _held(caller, held), caller.person(person))
    say("Recorded: presides from here on.")


@meeting.command("closed-session")
@click.option(
    "--statute", type=WORDS, default="", help="Which provision was announced, such as KRS 61.810(1)(j)."
)
@click.option("--moved-by", metavar="PERSON", help="Who moved.")
@click.option("--seconded-by", metavar="PERSON", help="Who seconded.")
@click.option("--return", "back", is_flag=True, help="The meeting is open to the public again.")
@meeting_option
@on_record
def closed_session(
    caller: Caller,
    *,
    statute: str,
    moved_by: str | None,
    seconded_by: str | None,
    back: bool,
    held: int | None,
) -> None:
    """Record the motion that shuts the public out, or with --return its end."""
    key = _held(caller, held)
    if back:
        return_to_open_session(caller.docket, caller.actor, key)
        say("Recorded: in open session again.")
        return
    close_session(
        caller.docket,
        caller.actor,
        key,
        statute=statute,
        moved_by=caller.person(moved_by) if moved_by else 0,
        seconded_by=caller.person(seconded_by) if seconded_by else None,
    )
    say("Recorded: in closed session. No final action is taken in it.")


@meeting.command("close")
@meeting_option
@on_record
def close(caller: Caller, *, held: int | None) -> None:
    """Record that the meeting was adjourned."""
    close_meeting(caller.docket, caller.actor, _held(caller, held))
    say("Recorded: adjourned.")


@meeting.command("list")
@json_option
@on_record
def list_(caller: Caller, *, as_json: bool) -> None:
    """List the meetings of the Board."""
    caller.check(Deed.SEE_DOCKET)
    found = meetings(caller.docket, caller.actor)
    people, zone = caller.people, caller.zone
    if as_json:
        say_json(
            [
                {
                    "id": one.id,
                    "opened_at": iso(one.opened.at),
                    "closed_at": iso(one.closed.at) if one.closed else None,
                    "place": one.opened.place,
                    "notice_given": one.opened.notice_given,
                    "special": one.opened.special,
                    "state": _state(one),
                    "present": [people.name(who) for who in sorted(one.present)],
                }
                for one in found
            ]
        )
        return
    say_table(
        ("Meeting", "Opened", "State", "Place", "Present"),
        [
            (
                str(one.id),
                words.instant(one.opened.at, zone),
                _state(one),
                one.opened.place,
                ", ".join(people.name(who) for who in sorted(one.present)),
            )
            for one in found
        ],
        none="No meeting is on the record. Those that are planned: docket meeting planned.",
    )


def _state(one: Meeting) -> str:
    if not one.in_session:
        return "adjourned"
    return "in closed session" if one.in_closed_session else "in session"

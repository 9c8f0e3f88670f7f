"""`docket meeting`: meetings of the Board under the Open Meetings Act."""

from collections.abc import Callable, Sequence
from typing import Any, ParamSpec

import click

from bot import words
from bot.cli.common import WORDS, Caller, Commands, iso, json_option, on_record, say, say_json, say_table
from store.proceedings.meeting import (
    close_meeting,
    close_session,
    meeting_in_session,
    meetings,
    open_meeting,
    quorum_warning,
    record_presence,
    return_to_open_session,
    take_chair,
)
from store.proceedings.minutes import minutes_stand
from store.proceedings.planning import plan_of
from store.rules.access import Deed
from store.rules.errors import Refusal
from store.rules.meetings import Meeting
from store.rules.motions import Moved

P = ParamSpec("P")

meeting_option = click.option(
    "--meeting", "held", type=int, metavar="ID", help="The one in session if left out."
)


def motion_options(function: Callable[P, None]) -> Callable[P, None]:
    """Give a command the options of a motion; `moved` reads them."""
    for option in (
        click.option(
            "--abstained",
            multiple=True,
            metavar="PERSON",
            help="Who gave no vote; may be given several times.",
        ),
        click.option(
            "--against", multiple=True, metavar="PERSON", help="Who said no; may be given several times."
        ),
        click.option("--seconded-by", metavar="PERSON", help="Who seconded."),
        click.option("--moved-by", metavar="PERSON", help="Who moved."),
    ):
        function = option(function)
    return function


def moved(
    caller: Caller,
    *,
    moved_by: str | None,
    seconded_by: str | None,
    against: Sequence[str],
    abstained: Sequence[str],
) -> Moved:
    """Read the options of a motion; every other member who is present said yes."""
    return Moved(
        caller.person(moved_by) if moved_by else 0,
        caller.person(seconded_by) if seconded_by else None,
        tuple(caller.person(one) for one in against),
        tuple(caller.person(one) for one in abstained),
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
@click.option(
    "--by-video",
    "by_video",
    multiple=True,
    metavar="PERSON",
    help="Who is there by video (KRS 61.826); may be given several times.",
)
@click.option(
    "--primary-location",
    type=WORDS,
    default="",
    help="The primary physical location of a video meeting, as its notice names it.",
)
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
    by_video: tuple[str, ...],
    primary_location: str,
    special: bool,
    presiding: str | None,
    planned: int | None,
) -> None:
    """Open a meeting at PLACE, or by the video link PLACE."""
    from_afar = [caller.person(one) for one in by_video]
    there = dict.fromkeys((*(caller.person(one) for one in present), *from_afar))
    key = open_meeting(
        caller.docket,
        caller.actor,
        place,
        notice_given=notice,
        present=list(there),
        special=special,
        presiding=caller.person(presiding) if presiding else None,
        planned=planned,
        by_video=from_afar,
        primary_location=primary_location,
    )
    of_them = f", {len(set(from_afar))} of them by video" if from_afar else ""
    say(f"Meeting {key} is in session, {len(there)} present{of_them}.")
    _warn(caller, planned)


def _warn(caller: Caller, planned: int | None = None) -> None:
    """Say what the meeting in session lacks: a quorum, somebody in the chair, the notice of its plan or of video."""
    plan = plan_of(caller.docket, planned) if planned is not None else None
    lacks = (*plan.off_hour(caller.docket.clock.now()), *plan.warnings()) if plan else ()
    say(*quorum_warning(caller.docket, caller.actor), *lacks)


@meeting.command("present")
@click.argument("person")
@click.option("--left", is_flag=True, help="The person left.")
@click.option("--by-video", is_flag=True, help="The person attends by video (KRS 61.826); else in the room.")
@meeting_option
@on_record
def present_(caller: Caller, person: str, *, left: bool, by_video: bool, held: int | None) -> None:
    """Record that PERSON came to the meeting, in the room or by video, changed between them, or left it."""
    record_presence(
        caller.docket,
        caller.actor,
        _held(caller, held),
        caller.person(person),
        present=not left,
        by_video=by_video,
    )
    say(f"Recorded: {'left' if left else 'present by video' if by_video else 'present'}.")
    _warn(caller)


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
@click.option(
    "--nature", type=WORDS, default="", help="The nature of the business as announced; it names no party."
)
@motion_options
@click.option("--return", "back", is_flag=True, help="The meeting is open to the public again.")
@meeting_option
@on_record
def closed_session(
    caller: Caller, /, *, statute: str, nature: str, back: bool, held: int | None, **motion: Any
) -> None:
    """Record the motion that shuts the public out, or with --return its end.

    Every member who is present and not named as against or abstained said yes.
    """
    key = _held(caller, held)
    if back:
        return_to_open_session(caller.docket, caller.actor, key)
        say("Recorded: in open session again.")
        return
    put = moved(caller, **motion)
    close_session(caller.docket, caller.actor, key, put, statute=statute, nature=nature)
    say("Recorded: in closed session. No final action is taken in it.")


@meeting.command("close")
@meeting_option
@on_record
def close(caller: Caller, *, held: int | None) -> None:
    """Record that the meeting was adjourned."""
    key = _held(caller, held)
    close_meeting(caller.docket, caller.actor, key)
    owed = [one.in_words(caller.zone) for one in minutes_stand(caller.docket, caller.actor) if one.owed]
    say(f"Recorded: adjourned. Write its minutes: docket meeting minutes {key}.", *owed)


@meeting.command("list")
@json_option
@on_record
def list_(caller: Caller, *, as_json: bool) -> None:
    """List the meetings of the Board."""
    caller.check(Deed.SEE_DOCKET)
    found = meetings(caller.docket, caller.actor)
    stands = {one.meeting.id: one.minutes.value for one in minutes_stand(caller.docket, caller.actor)}
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
                    "minutes": stands.get(one.id),
                    "present": [people.name(who) for who in sorted(one.present)],
                    "by_video": [people.name(who) for who in sorted(one.by_video)],
                    "primary_location": one.opened.primary_location,
                }
                for one in found
            ]
        )
        return
    say_table(
        ("Meeting", "Opened", "State", "Minutes", "Place", "Present"),
        [
            (
                str(one.id),
                words.instant(one.opened.at, zone),
                _state(one),
                stands.get(one.id, ""),
                one.opened.place,
                ", ".join(
                    people.name(who) + (" (by video)" if who in one.by_video else "")
                    for who in sorted(one.present)
                ),
            )
            for one in found
        ],
        none="No meeting is on the record. Those that are planned: docket meeting planned.",
    )


def _state(one: Meeting) -> str:
    if not one.in_session:
        return "adjourned"
    return "in closed session" if one.in_closed_session else "in session"

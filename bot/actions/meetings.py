"""Meetings of the Board: opened with notice and presence, closed session by statute, adjourned (B3)."""

from collections.abc import Sequence

from slack_bolt import App

from bot import blocks
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, does, form
from bot.payloads import NOBODY, Click, Submission, Target
from store.cases import Actor, profile_in_force, roster_of
from store.proceedings.meeting import (
    close_meeting,
    close_session,
    in_the_chair,
    meeting_in_session,
    open_meeting,
    quorum_warning,
    record_presence,
    return_to_open_session,
    take_chair,
)
from store.proceedings.planning import notice_line, plan_of
from store.rules.access import Deed
from store.rules.dates import local_date
from store.rules.errors import BadInput, NotNow
from store.rules.facts import Role
from store.rules.meetings import Meeting
from store.rules.motions import Moved
from store.rules.plans import Plan

ACTION_ID = Do.OPEN_MEETING
PLACE, NOTICE, SPECIAL, PRESENT, PRESIDING = "place", "notice", "special", "present", "presiding"
STATUTE, NATURE, MOVED, SECONDED = "statute", "nature", "moved", "seconded"
AGAINST, ABSTAINED = "against", "abstained"
BY_VIDEO, PRIMARY = "by_video", "primary"
_SITTING = frozenset({Role.CHAIR, Role.MEMBER, Role.ALTERNATE})
_STATUTES = (
    ("KRS 61.810(1)(j)", "Deliberations of a quasi-judicial body, (1)(j)"),
    ("KRS 61.810(1)(f)", "Discussion that might lead to discipline, (1)(f)"),
    ("KRS 61.810(1)(c)", "Proposed or pending litigation, (1)(c)"),
)


def people(desk: Desk) -> list[tuple[str, str]]:
    """Give who sits on the Board today, by id and name."""
    with desk.docket.database.read() as session:
        roster = roster_of(desk.docket, session)
        profile, _hash = profile_in_force(session)
    today = local_date(desk.docket.clock.now(), profile.city.time_zone)
    return [
        (str(person), blocks.clip(member.name, 70))
        for person, member in sorted(roster.members.items())
        if member.roles(today) & _SITTING
    ]


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the opening of a meeting."""
    desk.check(actor, Deed.OPEN_MEETING)
    sitting = people(desk)
    plan = _planned(desk, click.target)
    made = [
        blocks.section(
            "A meeting is the Board's, with notice given to the public. Docket's messages are no notice."
        ),
        blocks.text_input(
            PLACE, "Place or video link", limit=300, initial=plan.planned.place if plan else ""
        ),
        blocks.text_input(
            NOTICE,
            "How and when was notice given?",
            lines=True,
            limit=1000,
            initial=_notice_given(desk, plan),
        ),
        blocks.radio(
            SPECIAL,
            "Kind",
            [("no", "Regular meeting"), ("yes", "Special meeting (KRS 61.823)")],
            initial="yes" if plan and plan.planned.special else "no",
        ),
        blocks.several(PRESENT, "Present", sitting, hint="Others can be added when they come."),
        blocks.several(BY_VIDEO, "Of these, by video", sitting, hint="The others are in the room."),
        blocks.text_input(
            PRIMARY,
            "By video: primary physical location",
            optional=True,
            limit=300,
            initial=next((one.primary_location for one in reversed(plan.notices)), "") if plan else "",
            hint="As the notice names it (KRS 61.826).",
        ),
        blocks.select(
            PRESIDING, "Who presides?", [(NOBODY, "the chair, or not said"), *sitting], initial=NOBODY
        ),
    ]
    return form(ACTION_ID, "Open a meeting", "Open", click=click, of=made)


def _planned(desk: Desk, target: Target) -> Plan | None:
    """Give the plan that a button opens; None for one about a case, or about nothing."""
    found = plan_of(desk.docket, target.about) if target.about and not target.number else None
    return found if found is not None and found.stands else None


def _notice_given(desk: Desk, plan: Plan | None) -> str:
    zone = desk.profile().city.time_zone
    return "\n".join(notice_line(one, zone) for one in plan.notices) if plan else ""


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Open the meeting on the record."""
    plan = _planned(desk, submission.target)
    open_meeting(
        desk.docket,
        actor,
        submission.text(PLACE),
        notice_given=submission.text(NOTICE),
        present=submission.ids(PRESENT),
        special=submission.is_yes(SPECIAL),
        presiding=submission.id_or_nobody(PRESIDING),
        planned=plan.id if plan else None,
        by_video=submission.ids(BY_VIDEO),
        primary_location=submission.text(PRIMARY),
    )
    said = (
        "Recorded: the meeting is open. Ballots can be opened from a case's card, with /ethics case NUMBER."
    )
    return _warned(desk, actor, said, plan)


def _current(desk: Desk, actor: Actor, meeting: int) -> Meeting:
    found = meeting_in_session(desk.docket, actor)
    if found is None or found.id != meeting:
        raise NotNow(
            "This meeting is not in session any more.",
            clause="KRS 61.810",
            mend="See /ethics meeting.",
        )
    return found


def view_presence(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw who is present."""
    desk.check(actor, Deed.RECORD_PRESENCE)
    meeting = _current(desk, actor, click.target.about)
    made = [
        blocks.several(
            PRESENT, "Present now", people(desk), initial=[str(one) for one in meeting.present], optional=True
        ),
        blocks.several(
            BY_VIDEO,
            "Of these, by video",
            people(desk),
            initial=[str(one) for one in meeting.by_video],
            hint="The others are in the room (KRS 61.826).",
        ),
        blocks.select(
            PRESIDING,
            "Who presides?",
            [(NOBODY, "the chair, or as before"), *people(desk)],
            initial=str(meeting.presiding or NOBODY),
            hint="A member in the chair's place has the chair's rights in this meeting.",
        ),
    ]
    return form(Do.PRESENCE, "Presence", "Record", click=click, of=made)


def handle_presence(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record each coming and going since the last record, one fact each."""
    meeting = _current(desk, actor, submission.target.about)
    offered = people(desk)  # each is an act of its own, so all are looked at before the first
    wanted = set(submission.ids_among(PRESENT, offered))
    afar = set(submission.ids_among(BY_VIDEO, offered))
    if not afar <= wanted:
        raise BadInput(
            "Who attends by video is present as well; nothing was changed.",
            clause="KRS 61.826",
            mend="Tick him in both lists, or in neither.",
        )
    submission.among(PRESIDING, {NOBODY, *dict(offered)})
    presiding = submission.id_or_nobody(PRESIDING) or meeting.presiding
    handed = presiding is not None and presiding != meeting.presiding
    if presiding is not None and presiding not in wanted:
        raise BadInput("Who presides must be present; nothing was changed.")
    if presiding is None and _unled(desk, meeting, wanted):
        raise BadInput(
            "The chair leaves, and nobody else is said to preside; nothing was changed.",
            clause="KRS 61.810",
            mend="Say who presides from here on.",
        )
    moved = {one for one in wanted & meeting.present if (one in meeting.by_video) is not (one in afar)}
    for person in sorted((wanted - meeting.present) | moved):
        record_presence(desk.docket, actor, meeting.id, person, present=True, by_video=person in afar)
    if handed and presiding is not None:
        take_chair(desk.docket, actor, meeting.id, presiding)
    for person in sorted(meeting.present - wanted):
        record_presence(desk.docket, actor, meeting.id, person, present=False)
    changed = handed or moved or wanted != meeting.present
    of_them = f", {len(afar)} of them by video" if afar else ""
    said = f"Recorded: {len(wanted)} present{of_them}." if changed else "Nothing changed."
    return _warned(desk, actor, said)


def _unled(desk: Desk, meeting: Meeting, wanted: set[int]) -> bool:
    """Say whether the chair, who presides without being named, would leave."""
    with desk.docket.database.read() as session:
        leads = in_the_chair(meeting, roster_of(desk.docket, session), desk.today())
    return bool(leads - wanted)


def _warned(desk: Desk, actor: Actor, said: str, plan: Plan | None = None) -> str:
    """Add what the meeting in session lacks: a quorum, somebody in the chair, the notice of its plan."""
    of_plan = (*plan.off_hour(desk.docket.clock.now()), *plan.warnings()) if plan else ()
    lacks = (*quorum_warning(desk.docket, actor), *of_plan)
    return "\n".join((said, *(f":warning: {one}" for one in lacks)))


def voting_there(desk: Desk, meeting: Meeting, clause: str) -> list[tuple[str, str]]:
    """Give the members who are present and vote on the Board's own business, by id and name.

    Raises:
        NotNow: there is none.
    """
    with desk.docket.database.read() as session:
        members = set(roster_of(desk.docket, session).voting(desk.today()))
    there = [pair for pair in people(desk) if int(pair[0]) in meeting.present & members]
    if not there:
        raise NotNow("Nobody is recorded as present.", clause=clause, mend="Record the presence first.")
    return there


def motion_inputs(there: Sequence[tuple[str, str]]) -> list[Json]:
    """Draw who moved, who seconded, and who did not say yes."""
    return [
        blocks.select(MOVED, "Moved by", there),
        blocks.select(SECONDED, "Seconded by", [(NOBODY, "nobody, or not said"), *there], initial=NOBODY),
        blocks.several(AGAINST, "Against, by name", there),
        blocks.several(ABSTAINED, "Abstained, by name", there),
        blocks.small("Everybody else who is present is put down with a yes."),
    ]


def read_motion(submission: Submission) -> Moved:
    """Read a motion."""
    return Moved(
        submission.id(MOVED),
        submission.id_or_nobody(SECONDED),
        tuple(submission.ids(AGAINST)),
        tuple(submission.ids(ABSTAINED)),
    )


def view_closed(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the motion that closes the session."""
    desk.check(actor, Deed.RECORD_PRESENCE)
    meeting = _current(desk, actor, click.target.about)
    there = voting_there(desk, meeting, "KRS 61.815")
    made = [
        blocks.select(STATUTE, "Under which provision?", _STATUTES, initial=_STATUTES[0][0]),
        blocks.text_input(
            NATURE,
            "Nature of the business, as announced",
            optional=True,
            limit=300,
            hint="It stands in the open minutes: no party and no allegation.",
        ),
        *motion_inputs(there),
        blocks.small("Final action is taken in open session."),
    ]
    return form(Do.CLOSED_SESSION, "Closed session", "Record", click=click, of=made)


def handle_closed(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the motion."""
    close_session(
        desk.docket,
        actor,
        submission.target.about,
        read_motion(submission),
        statute=submission.among(STATUTE, dict(_STATUTES)),
        nature=submission.text(NATURE, 300),
    )
    return "Recorded: the meeting is in closed session. Return to open session before a vote."


def handle_open_session(desk: Desk, actor: Actor, click: Click) -> str:
    """Record the return to open session."""
    return_to_open_session(desk.docket, actor, click.target.about)
    return "Recorded: the meeting is in open session."


def handle_adjourned(desk: Desk, actor: Actor, click: Click) -> str:
    """Record the adjournment."""
    close_meeting(desk.docket, actor, click.target.about)
    return "Recorded: the meeting is adjourned."


def attach(app: App, desk: Desk) -> None:
    """Attach what can be done in and about a meeting."""
    asks(app, desk, ACTION_ID, "Open a meeting", view=view, handle=handle)
    asks(app, desk, Do.PRESENCE, "Presence", view=view_presence, handle=handle_presence)
    asks(app, desk, Do.CLOSED_SESSION, "Closed session", view=view_closed, handle=handle_closed)
    does(app, desk, Do.OPEN_SESSION, handle_open_session)
    does(app, desk, Do.CLOSE_MEETING, handle_adjourned)

"""A meeting of the Board under the Open Meetings Act: notice, presence, closed session, adjournment (B3).

A meeting is the Board's, not a case's (decisions 16); its facts name no case. One is in session at a time.
"""

from collections.abc import Sequence
from datetime import date

from sqlmodel import Session, col, select

from store.cases import Act, Actor, Docket, act, board_facts, case_key, recorded, roster_of, standing_of
from store.cases import profile_in_force as _in_force
from store.proceedings.planning import all_plans, standing_plan
from store.proceedings.screening import refresh_leaders_cards
from store.rules import access
from store.rules.access import Deed
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import (
    BallotClosed,
    BallotOpened,
    BallotVoided,
    ChairTaken,
    ClosedSession,
    MeetingClosed,
    MeetingOpened,
    PresenceChanged,
    Role,
)
from store.rules.meetings import VIDEO, Meeting, build
from store.rules.motions import Floor, Moved, carried
from store.rules.roster import Roster
from store.tables import FactRow

OPEN_MEETINGS = "KRS 61.810"
FINAL_ACTION = "KRS 61.815"


def open_meeting(
    docket: Docket,
    actor: Actor,
    place: str,
    *,
    notice_given: str,
    present: Sequence[int],
    special: bool = False,
    presiding: int | None = None,
    planned: int | None = None,
    by_video: Sequence[int] = (),
    primary_location: str = "",
) -> int:
    """Open a meeting on the record.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        place: where, or by which video link.
        notice_given: how and when notice was given; Docket's own pings are none (law.md).
        present: persons of the roster who are there.
        special: a special meeting (KRS 61.823).
        presiding: who presides; one of those present.
        planned: the plan that it carries out; None for a meeting that was planned elsewhere.
        by_video: those of the present who attend by video; the others are in the room (KRS 61.826).
        primary_location: the primary physical location that the notice names; the plan's own notice where empty.

    Returns:
        The meeting's id.

    Raises:
        BadInput: no place, no word on notice, or somebody who is not on the roster.
        NotNow: another meeting is in session, or there is no such plan that stands.
    """
    with act(docket, actor, Deed.OPEN_MEETING) as step:
        if current(step) is not None:
            raise NotNow(
                "A meeting of the Board is in session already.",
                clause=OPEN_MEETINGS,
                mend="Adjourn it first: docket meeting close, or Adjourn in Slack.",
            )
        _check_words(place, notice_given)
        there = tuple(dict.fromkeys(present))
        _check_people(step, (*there, *([presiding] if presiding is not None else [])))
        if presiding is not None and presiding not in there:
            raise BadInput("Who presides must be among those present; nothing was changed.")
        if not set(by_video) <= set(there):
            raise BadInput(
                "Who attends by video is present as well; nothing was changed.",
                clause=VIDEO,
                mend="Name him among those present too.",
            )
        named = primary_location.strip()
        if planned is not None:
            plan = standing_plan(step, planned)
            special = plan.planned.special or special
            named = named or next((one.primary_location for one in reversed(plan.notices)), "")
        fact = MeetingOpened(
            step.now,
            place.strip(),
            notice_given.strip(),
            there,
            special,
            presiding,
            planned,
            tuple(one for one in there if one in set(by_video)),
            named,
        )
        meeting = step.record(fact)
        refresh_leaders_cards(step, presiding)
        return meeting


def _check_words(place: str, notice_given: str) -> None:
    if not place.strip():
        raise BadInput("A meeting is recorded with its place or video link.", mend="Say where it is held.")
    if not notice_given.strip():
        raise BadInput(
            "A meeting is recorded with the notice that was given of it.",
            mend="Say how and when notice was given (KRS 61.820, 61.823).",
        )


def _check_people(step: Act, people: Sequence[int]) -> None:
    if any(person not in step.people.members for person in people):
        raise BadInput("Somebody in this list is not on the roster; nothing was changed.")


def record_presence(
    docket: Docket, actor: Actor, meeting: int, person: int, *, present: bool, by_video: bool = False
) -> None:
    """Record that somebody came to a meeting in session, in the room or by video, changed between them, or left it.

    Raises:
        NotNow: the meeting is not in session, or who presides would leave.
        AlreadyDone: the record says so already.
        BadInput: he is not on the roster, or is said to leave by video.

    Source: KRS 61.826; by video he counts as in the room.
    """
    if by_video and not present:
        raise BadInput(
            "Who left does not attend by video; nothing was changed.",
            clause=VIDEO,
            mend="Say the one or the other.",
        )
    with act(docket, actor, Deed.RECORD_PRESENCE) as step:
        found = in_session(step, meeting)
        _check_people(step, [person])
        same_way = not present or (person in found.by_video) is by_video
        if (person in found.present) is present and same_way:
            word = ("present by video" if by_video else "present") if present else "absent"
            raise AlreadyDone(f"The record has this person as {word} already.", clause=OPEN_MEETINGS)
        if not present and person in in_the_chair(found, step.people, step.today):
            raise NotNow(
                "Who presides cannot leave the chair empty.",
                clause=OPEN_MEETINGS,
                mend="Record who takes the chair first.",
            )
        step.record(PresenceChanged(person, present, step.now, by_video if present else None), about=meeting)


def take_chair(docket: Docket, actor: Actor, meeting: int, person: int) -> None:
    """Record who presides from here on, as where the chair is absent, leaves, or is out of a case.

    A member who presides has the chair's rights in the meeting; an alternate presides without them.

    Raises:
        NotNow: the meeting is not in session.
        BadInput: he is not present, or does not sit on the Board.
        AlreadyDone: he presides already.
    """
    with act(docket, actor, Deed.RECORD_PRESENCE) as step:
        found = in_session(step, meeting)
        sits = frozenset({Role.CHAIR, Role.MEMBER, Role.ALTERNATE})
        if person not in found.present or not step.people.roles(person, step.today) & sits:
            raise BadInput("Who presides sits on the Board and is present; nothing was changed.")
        if person == found.presiding:
            raise AlreadyDone("The record has this person in the chair.", clause=OPEN_MEETINGS)
        step.record(ChairTaken(person, step.now), about=meeting)
        refresh_leaders_cards(step, found.presiding, person)


def close_session(
    docket: Docket, actor: Actor, meeting: int, motion: Moved, *, statute: str, nature: str = ""
) -> None:
    """Record the motion that shuts the public out, with the statute that allows it and each vote (KRS 61.815).

    Args:
        docket: the record.
        actor: the chair or the clerk.
        meeting: the meeting, in open session.
        motion: who moved, who seconded, who said no or abstained.
        statute: which provision was announced, such as ``KRS 61.810(1)(j)``.
        nature: the general nature of the business as it was announced; no party stands in it.

    Raises:
        NotNow: it is not in open session, a ballot is open in it, since final action is taken in public, or the motion
            was not carried.
        BadInput: no statute, or somebody moved, seconded or voted who is no member present.
    """
    with act(docket, actor, Deed.RECORD_PRESENCE) as step:
        found = in_session(step, meeting)
        if found.in_closed_session:
            raise NotNow(
                "The meeting is in closed session already.",
                clause=FINAL_ACTION,
                mend="Record the return to open session when it ends.",
            )
        if ballot_is_open(step, meeting):
            raise NotNow(
                "A ballot is open in this meeting, and final action is taken in open session.",
                clause=FINAL_ACTION,
                mend="Close the ballot first.",
            )
        if not statute.strip():
            raise BadInput(
                "A closed session names the statute that allows it.", mend="Such as KRS 61.810(1)(j)."
            )
        votes = carried(motion, floor_of(step, found), clause=FINAL_ACTION)
        closed = ClosedSession(
            closed=True,
            at=step.now,
            statute=statute.strip(),
            moved_by=motion.moved_by,
            seconded_by=motion.seconded_by,
            nature=" ".join(nature.split()),
            votes=votes,
        )
        step.record(closed, about=meeting)


def floor_of(step: Act, held: Meeting) -> Floor:
    """Give who can move, second and vote in a meeting as it stands."""
    board, members = step.profile.board, step.people.voting(step.today)
    return Floor(board.seats, members, frozenset(members) & held.present, board.ballot_rule)


def in_the_chair(held: Meeting, people: Roster, today: date) -> frozenset[int]:
    """Give who presides: whom the record names, else the chair, if he is present."""
    if held.presiding is not None:
        return frozenset({held.presiding})
    return frozenset(people.with_role(Role.CHAIR, today)) & held.present


def quorum_warning(docket: Docket, actor: Actor) -> tuple[str, ...]:
    """Say that the meeting in session has no quorum, nobody in the chair, or by video what its notice lacks.

    Nothing is said where nothing is lacking.

    Raises:
        NotAllowed: the asker is not on the roster.
    """
    held = meeting_in_session(docket, actor)
    if held is None:
        return ()
    with docket.database.read() as session:
        profile, _digest = _in_force(session)
        people = roster_of(docket, session)
        plan = next((one for one in all_plans(docket, session) if one.id == held.opened.planned), None)
    today = local_date(docket.clock.now(), profile.city.time_zone)
    members = people.voting(today)
    floor = Floor(profile.board.seats, members, frozenset(members) & held.present, profile.board.ballot_rule)
    found = []
    if not floor.has_quorum:
        found.append(f"{floor.lacking()} The Board decides nothing until enough are present.")
    if not in_the_chair(held, people, today):
        found.append("The chair is not present: record who presides.")
    sitting = (*members, *people.with_role(Role.ALTERNATE, today))
    return (*found, *held.video_lacks(sitting, plan.notices if plan else ()))


def return_to_open_session(docket: Docket, actor: Actor, meeting: int) -> None:
    """Record that the meeting is open to the public again.

    Raises:
        NotNow: it is not in closed session.
    """
    with act(docket, actor, Deed.RECORD_PRESENCE) as step:
        if not in_session(step, meeting).in_closed_session:
            raise NotNow(
                "The meeting is in open session.",
                clause=FINAL_ACTION,
                mend="Record a closed session first, with the motion and the statute.",
            )
        step.record(ClosedSession(closed=False, at=step.now), about=meeting)


def close_meeting(docket: Docket, actor: Actor, meeting: int) -> None:
    """Record that the meeting was adjourned.

    Raises:
        NotNow: it is not in session, it is in closed session, or a ballot is open in it.
    """
    with act(docket, actor, Deed.CLOSE_MEETING) as step:
        found = in_session(step, meeting)
        if found.in_closed_session:
            raise NotNow(
                "The meeting is in closed session.",
                clause=FINAL_ACTION,
                mend="Record the return to open session, then adjourn.",
            )
        if ballot_is_open(step, meeting):
            raise NotNow(
                "A ballot is still open in this meeting.",
                clause=FINAL_ACTION,
                mend="Close or void it, then adjourn.",
            )
        step.record(MeetingClosed(step.now), about=meeting)
        refresh_leaders_cards(step, found.presiding)


# -- looking ------------------------------------------------------------------------------------------


def meetings(docket: Docket, actor: Actor) -> tuple[Meeting, ...]:
    """Give every meeting of the Board in order, to somebody on the roster who deals with cases.

    Raises:
        NotAllowed: he is not.
    """
    with docket.database.read() as session:
        profile, _digest = _in_force(session)
        today = local_date(docket.clock.now(), profile.city.time_zone)
        access.check(Deed.SEE_DOCKET, standing_of(actor, roster_of(docket, session), today))
        return all_meetings(docket, session)


def meeting_in_session(docket: Docket, actor: Actor) -> Meeting | None:
    """Give the meeting that is in session now; None between meetings.

    Raises:
        NotAllowed: the asker is not on the roster.
    """
    return next((one for one in meetings(docket, actor) if one.in_session), None)


def all_meetings(docket: Docket, session: Session, *, before: int | None = None) -> tuple[Meeting, ...]:
    """Give every meeting as the record told it before some fact. For proceedings."""
    kinds = (MeetingOpened, PresenceChanged, ChairTaken, ClosedSession, MeetingClosed)
    found = board_facts(docket, session, *kinds)
    return build(one for one in found if before is None or one.id < before)


def current(step: Act) -> Meeting | None:
    """Give the meeting in session, inside an act."""
    return in_session_now(step.docket, step.session)


def in_session_now(docket: Docket, session: Session) -> Meeting | None:
    """Give the meeting in session, whoever asks. For proceedings."""
    return next((one for one in all_meetings(docket, session) if one.in_session), None)


def in_session(step: Act, meeting: int) -> Meeting:
    """Give a meeting that is in session, inside an act.

    Raises:
        NotNow: there is no such meeting, or it was adjourned.
    """
    found = next((one for one in all_meetings(step.docket, step.session) if one.id == meeting), None)
    if found is None or not found.in_session:
        raise NotNow(
            "This meeting is not in session.",
            clause=OPEN_MEETINGS,
            mend="Open a meeting on the record first.",
        )
    return found


def ballot_is_open(step: Act, meeting: int) -> bool:
    """Say whether any case has an open ballot in a meeting."""
    opened = step.session.exec(
        select(FactRow).where(FactRow.kind == BallotOpened.KIND, col(FactRow.id) > meeting)
    ).all()
    ended = set(
        step.session.exec(
            select(FactRow.about).where(
                col(FactRow.kind).in_([BallotClosed.KIND, BallotVoided.KIND]), col(FactRow.id) > meeting
            )
        )
    )
    return any(_meeting_of(step, row) == meeting for row in opened if row.id not in ended)


def _meeting_of(step: Act, row: FactRow) -> int:
    """Read in which meeting a ballot was opened."""
    if step.docket.keyring.is_disposed(step.session, case_key(row.case_id)):
        return 0
    fact = recorded(step.docket.keyring, step.session, row).fact
    assert isinstance(fact, BallotOpened)
    return fact.meeting

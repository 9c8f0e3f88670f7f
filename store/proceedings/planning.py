"""Planning a meeting: day and place, notice on the record, invitations, who comes, and whether a quorum will (B3).

The plan is the Board's own business and its facts name no case but by internal key; a case is shown from it
only to somebody who may know of that case.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session

from store import outbox
from store.cases import (
    Act,
    Actor,
    Docket,
    act,
    board_facts,
    case_by_number,
    load_case,
    look,
    profile_in_force,
    roster_of,
    situation_of,
    standing_of,
)
from store.ports import PingKind
from store.proceedings.calendar_files import entry_of, method_of
from store.rules import access
from store.rules.access import Deed
from store.rules.calendar import Calendar
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow, Refusal
from store.rules.facts import (
    Coming,
    ComingAnswered,
    LinkKind,
    MeetingCalledOff,
    MeetingOpened,
    MeetingPlanned,
    NoticeGiven,
    Role,
)
from store.rules.forecast import Bench, Forecast, forecast
from store.rules.meetings import VIDEO
from store.rules.ordinance import Profile
from store.rules.plans import CLAUSE, NOT_ANNOUNCED, Plan, build, check_when
from store.rules.reminding import stage_of_question
from store.rules.roster import Roster

INVITATION = "invitation"
INVITED = (Role.CHAIR, Role.MEMBER, Role.ALTERNATE, Role.COUNSEL, Role.CLERK)
_KINDS = (MeetingPlanned, MeetingCalledOff, NoticeGiven, ComingAnswered, MeetingOpened)


@dataclass(frozen=True, slots=True)
class When:
    """When and where a meeting is planned.

    Attributes:
        begins_at: when it begins, aware.
        place: where, or by which video link.
        lasts_minutes: how long it is planned for.
        special: a special meeting (KRS 61.823).
        agenda: numbers of the cases on its agenda.
    """

    begins_at: datetime
    place: str
    lasts_minutes: int = 120
    special: bool = False
    agenda: Sequence[str] = ()


def plan_meeting(docket: Docket, actor: Actor, when: When) -> int:
    """Plan a meeting; everybody entitled is asked whether he comes, and gets an entry for his calendar.

    Neither is the notice that the Open Meetings Act asks for: that is recorded with `record_notice`.

    Returns:
        The plan's id.

    Raises:
        BadInput: no zone, no place, or an hour that lies behind.
        AlreadyDone: one is planned for the same hour.
        NoSuchCase: a case of the agenda is none that he may know of.
    """
    with act(docket, actor, Deed.PLAN_MEETING) as step:
        fact = _planned(step, when, 0, "")
        plans_ = all_plans(step.docket, step.session)
        if any(one.stands and one.planned.begins_at == fact.begins_at for one in plans_):
            raise AlreadyDone(
                "A meeting is planned for this hour.", clause=CLAUSE, mend="See /ethics meeting."
            )
        key = step.record(fact)
        _invite(step, key)
        return key


def move_meeting(
    docket: Docket, actor: Actor, plan: int, when: When, *, reason: str, same_agenda: bool = False
) -> None:
    """Move a planned meeting: answers to another hour fall away, and it needs a notice of its own.

    The calendar entry is sent again with the same UID and a higher SEQUENCE.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        plan: the plan's id.
        when: when and where it is planned now.
        reason: why.
        same_agenda: the agenda stays, with cases that he who moves it may not know of.

    Raises:
        BadInput: as `plan_meeting`, or no reason.
        NotNow: there is no such plan that stands.
        NoSuchCase: a case of the agenda is none that he may know of.
    """
    with act(docket, actor, Deed.PLAN_MEETING) as step:
        before = _standing(step, plan)
        _check_reason(reason, "A meeting is moved with a reason only.")
        fact = _planned(step, when, before.planned.sequence + 1, reason.strip())
        if same_agenda:
            fact = replace(fact, agenda=before.planned.agenda)
        step.record(fact, supersedes=_newest(step, plan))
        _invite(step, plan)


def call_off(docket: Docket, actor: Actor, plan: int, *, reason: str) -> None:
    """Call a planned meeting off; the entry in each calendar is cancelled.

    Raises:
        BadInput: no reason.
        NotNow: there is no such plan that stands.
    """
    with act(docket, actor, Deed.PLAN_MEETING) as step:
        _standing(step, plan)
        _check_reason(reason, "A meeting is called off with a reason only.")
        step.record(MeetingCalledOff(step.now, reason.strip()), about=plan)
        _invite(step, plan)


def record_notice(docket: Docket, actor: Actor, plan: int, notice: NoticeGiven) -> tuple[str, ...]:
    """Record that notice of a planned meeting was given.

    Returns:
        What the notice still lacks; a late one is recorded all the same, and the Board answers for it.

    Raises:
        BadInput: it does not say how and to whom, its hour lies ahead or has no zone, or a primary physical location
            is named of a meeting that is not by video.
        NotNow: there is no such plan that stands.
        AlreadyDone: the same notice is on the record, given within the same hour.

    Source: KRS 61.820, 61.823, 61.826(2); law.md: a chat message is not shown to be enough.
    """
    with act(docket, actor, Deed.PLAN_MEETING) as step:
        found = _standing(step, plan)
        if notice.given_at.tzinfo is None or notice.given_at > step.now:
            raise BadInput("Notice was given at an hour that has passed, with its zone; nothing was changed.")
        if not notice.how.strip() or not notice.to_whom.strip():
            raise BadInput("A notice is recorded with how and to whom it was given.", clause=CLAUSE)
        if notice.primary_location.strip() and not notice.video.strip():
            raise BadInput(
                "A primary physical location belongs to the notice of a video meeting; nothing was changed.",
                clause=VIDEO,
                mend="Say how the public can follow it by video, or leave the location out.",
            )
        fact = NoticeGiven(
            notice.given_at.astimezone(UTC),
            notice.how.strip(),
            notice.to_whom.strip(),
            notice.posted.strip(),
            notice.video.strip(),
            notice.primary_location.strip(),
        )
        same_hour = [replace(one, given_at=fact.given_at) for one in found.notices if _as_told(one, fact)]
        if fact in same_hour:
            raise AlreadyDone("This notice is on the record.", clause=CLAUSE)
        step.record(fact, about=plan)
        return _standing(step, plan).warnings()


def _as_told(one: NoticeGiven, other: NoticeGiven) -> bool:
    """Say whether two notices may be one, told by two people: given within an hour of each other."""
    return abs(one.given_at - other.given_at) < timedelta(hours=1)


def answer_coming(docket: Docket, actor: Actor, plan: int, coming: Coming) -> None:
    """Record whether somebody comes to a planned meeting; his last answer stands.

    Raises:
        NotAllowed: he answers for another.
        NotNow: there is no such plan that stands.
        AlreadyDone: he answered so before.
    """
    with act(docket, actor, Deed.ANSWER_COMING) as step:
        if actor.person is None or actor.acting_for is not None:
            raise NotAllowed(
                "Each says for himself whether he comes.",
                clause="KRS 61.810",
                mend="Ask the member to answer.",
            )
        found = _standing(step, plan)
        if found.answers.get(actor.person) is coming:
            raise AlreadyDone("This is your answer on the record.", clause="KRS 61.810")
        step.record(ComingAnswered(actor.person, coming), about=plan)


# -- inside an act ------------------------------------------------------------------------------------


def _planned(step: Act, when: When, sequence: int, reason: str) -> MeetingPlanned:
    check_when(when.begins_at, when.lasts_minutes, when.place, step.now)
    agenda = tuple(dict.fromkeys(_case(step, number) for number in when.agenda))
    return MeetingPlanned(
        when.begins_at.astimezone(UTC),
        when.lasts_minutes,
        when.place.strip(),
        when.special,
        agenda,
        sequence,
        reason,
    )


def _case(step: Act, number: str) -> int:
    key = case_by_number(step.session, number)
    if key is None:
        raise NoSuchCase
    case = load_case(step.docket, step.session, key)
    standing = standing_of(step.actor, step.people, step.today)
    access.check(Deed.SEE_CASE, standing, situation_of(step.actor, case, standing))
    return key


def _check_reason(reason: str, says: str) -> None:
    if not reason.strip():
        raise BadInput(says, mend="Say why.")


def standing_plan(step: Act, plan: int) -> Plan:
    """Give a plan that stands, inside an act. For opening the meeting.

    Raises:
        NotNow: there is none.
    """
    return _standing(step, plan)


def _standing(step: Act, plan: int) -> Plan:
    found = next((one for one in all_plans(step.docket, step.session) if one.id == plan), None)
    if found is None or not found.stands:
        raise NotNow(
            "No meeting is planned under this number any more.",
            clause=CLAUSE,
            mend="See /ethics meeting, or docket meeting planned.",
        )
    return found


def _newest(step: Act, plan: int) -> int:
    """Give the fact by which a plan stands now."""
    newest = plan
    for one in board_facts(step.docket, step.session, MeetingPlanned):
        if one.supersedes == newest:
            newest = one.id
    return newest


def _invite(step: Act, plan: int) -> None:
    """Owe everybody entitled a word, and the calendar entry: by mail where he has an address, else in Slack."""
    step.session.flush()
    found = next(one for one in all_plans(step.docket, step.session) if one.id == plan)
    content = entry_of(found, step.profile.city.board, step.docket.mail_from)
    kept = step.keep(
        content,
        kind=INVITATION,
        media_type=f"text/calendar; method={method_of(found)}",
        name="meeting.ics",
        received_at=step.now,
    )
    for person in invited(step.people, found, step.profile.city.time_zone, step.today):
        about = {"what": "meeting-planned", "meeting": plan, "sequence": found.sequence}
        step.ping(PingKind.TOLD, person=person, about=about)
        addresses = step.people.members[person].linked(LinkKind.EMAIL, step.today)
        if addresses:
            step.letter(_mail(step, found, addresses[0], kept), kind=INVITATION, about=None, undo=False)
        else:
            step.ping(PingKind.TOLD, person=person, about={"what": "meeting-file", "meeting": plan})


def invited(people: Roster, plan: Plan, zone: ZoneInfo, today: date) -> tuple[int, ...]:
    """Give who is invited to a planned meeting: whoever sits on that day, alternates, counsel and the clerk."""
    day = local_date(plan.planned.begins_at, zone)
    return tuple(
        dict.fromkeys(person for role in INVITED for person in people.with_role(role, max(day, today)))
    )


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """Somebody who has not said whether he comes, and is asked again: about which plan, at which stage."""

    plan: Plan
    person: int
    stage: int

    @property
    def mark(self) -> str:
        """The mark under which he is asked once; a moved meeting asks anew."""
        return f"coming-asked:{self.plan.id}:{self.plan.planned.sequence}:{self.stage}:{self.person}"

    def text(self, zone: ZoneInfo) -> str:
        """Word it as a line of a digest, with nobody's name and no case."""
        begins = self.plan.planned.begins_at.astimezone(zone)
        return (
            f"Meeting of the Board on {begins:%A %Y-%m-%d, %H:%M %Z}: you have not said whether you come. Answer on "
            f"the Home page, with /ethics meeting, or with docket meeting coming {self.plan.id}."
        )


def to_ask_again(
    docket: Docket, session: Session, people: Roster, profile: Profile, calendar: Calendar
) -> list[AskedAgain]:
    """Give who is to be asked again today whether he comes: invited, not away, and silent so far (D5)."""
    zone, now = profile.city.time_zone, docket.clock.now()
    today, found = local_date(now, zone), []
    for plan in all_plans(docket, session):
        begins_on = local_date(plan.planned.begins_at, zone)
        asked_on = local_date(plan.planned_at, zone)
        stage = stage_of_question(begins_on, asked_on, today, calendar, profile.reminders.stages)
        if stage is None or not plan.stands or plan.planned.begins_at <= now:
            continue
        found += [
            AskedAgain(plan, person, stage)
            for person in invited(people, plan, zone, today)
            if person not in plan.answers
            and not people.is_away(person, today)
            and not people.is_away(person, begins_on)
        ]
    return found


def _mail(step: Act, plan: Plan, to: str, entry: int) -> outbox.Letter:
    token = outbox.new_token()
    domain = step.docket.mail_from.rpartition("@")[2]
    begins = plan.planned.begins_at.astimezone(step.profile.city.time_zone)
    what = "called off" if plan.called_off else ("moved" if plan.planned.sequence else "planned")
    day = f"{begins:%A, %B} {begins.day}, {begins:%Y, %H:%M %Z}"
    text = (
        f"A meeting of the {step.profile.city.board} is {what}.\n\n"
        f"When: {day}\nWhere: {' '.join(plan.planned.place.split())}\n\n"
        "The attached entry is for your calendar; a later change comes as another entry that replaces it. It is not "
        "the notice that the Open Meetings Act asks for (KRS 61.820, 61.823).\n"
    )
    return outbox.Letter(
        to=to,
        subject=f"{step.profile.city.board}: meeting {what}",
        text=text,
        attachments=(entry,),
        message_id=f"<invitation.{token}@{domain}>",
        token=token,
    )


# -- looking ------------------------------------------------------------------------------------------


def all_plans(docket: Docket, session: Session) -> tuple[Plan, ...]:
    """Give every plan. For proceedings and the notifier."""
    return build(board_facts(docket, session, *_KINDS))


def plans(docket: Docket, actor: Actor) -> tuple[Plan, ...]:
    """Give the meetings that are planned and still to be held, the next one first.

    Raises:
        NotAllowed: the asker is not on the roster.
    """
    with docket.database.read() as session:
        _check(docket, session, actor, Deed.SEE_DOCKET)
        found = [one for one in all_plans(docket, session) if one.stands]
    return tuple(sorted(found, key=lambda one: one.planned.begins_at))


def _check(docket: Docket, session: Session, actor: Actor, deed: Deed) -> None:
    """Check a right to look at the Board's business, without an entry."""
    profile, _digest = profile_in_force(session)
    today = local_date(docket.clock.now(), profile.city.time_zone)
    access.check(deed, standing_of(actor, roster_of(docket, session), today))


def plan_of(docket: Docket, plan: int) -> Plan | None:
    """Give one plan, whether it stands or not; None where there is none. It holds nobody's name and no number."""
    with docket.database.read() as session:
        return next((one for one in all_plans(docket, session) if one.id == plan), None)


@dataclass(frozen=True, slots=True)
class Expected:
    """What chair and clerk are shown of a planned meeting.

    Attributes:
        whole: the forecast for the meeting.
        cases: for each case of the agenda that the asker may know of, by number, its own.
        answers: what each person answered.
    """

    whole: Forecast
    cases: Mapping[str, Forecast]
    answers: Mapping[int, Coming]


def expected(docket: Docket, actor: Actor, plan: Plan) -> Expected:
    """Forecast the quorum of a planned meeting, and of each case on its agenda that the asker may know of.

    A case that he may not know of is left out, so that nobody learns from whom it is walled.

    Raises:
        NotAllowed: he is neither chair nor clerk.
    """
    with docket.database.read() as session:
        _check(docket, session, actor, Deed.PLAN_MEETING)
        people, (profile, _digest) = roster_of(docket, session), profile_in_force(session)
    board, zone = profile.board, profile.city.time_zone
    day = local_date(plan.planned.begins_at, zone)
    bench = Bench(
        board.seats,
        people.voting(day),
        people.with_role(Role.ALTERNATE, day),
        frozenset(person for person in people.members if people.is_away(person, day)),
    )
    cases: dict[str, Forecast] = {}
    for key in plan.planned.agenda:
        try:
            seen = look(docket, actor, key)
        except Refusal:
            continue
        out = seen.case.recused | seen.case.walled_off
        cases[seen.case.number] = forecast(board.ballot_rule, bench, plan.answers, out=out)
    return Expected(forecast(board.ballot_rule, bench, plan.answers), cases, plan.answers)


def not_announced(docket: Docket, number: str) -> tuple[str, ...]:
    """Say that a case is not on the announced agenda of the special meeting in session; for who opened a ballot in it.

    Nothing is said of a meeting whose agenda is not on the record.

    Source: KRS 61.823(3), what is discussed and done at a special meeting is limited to its agenda.
    """
    with docket.database.read() as session:
        opened = [
            one.fact
            for one in board_facts(docket, session, MeetingOpened)
            if isinstance(one.fact, MeetingOpened)
        ]
        key = case_by_number(session, number)
        planned = opened[-1].planned if opened and opened[-1].special else None
        plan = next((one for one in all_plans(docket, session) if one.id == planned), None)
    if plan is None or not plan.planned.agenda or key in plan.planned.agenda:
        return ()
    return (NOT_ANNOUNCED,)


def calendar_entry(docket: Docket, plan: Plan) -> bytes:
    """Give a plan's calendar entry as an `.ics` file; it holds no name and no case."""
    with docket.database.read() as session:
        profile, _digest = profile_in_force(session)
    return entry_of(plan, profile.city.board, docket.mail_from)


def people_of(docket: Docket) -> Roster:
    """Give the roster, for whoever shows answers by name."""
    with docket.database.read() as session:
        return roster_of(docket, session)


def notice_line(notice: NoticeGiven, zone: ZoneInfo) -> str:
    """Say in one line how and when a notice was given, as the minutes repeat it."""
    posted = f", posted {notice.posted}" if notice.posted else ""
    at = f"{notice.given_at.astimezone(zone):%Y-%m-%d %H:%M %Z}"
    return f"{notice.how}, {at}, to {notice.to_whom}{posted}{video_words(notice)}"


def video_words(notice: NoticeGiven) -> str:
    """Say what a notice says of video, to stand at the end of its line; empty where it says nothing of it."""
    if not notice.video:
        return ""
    place = f"; primary physical location: {notice.primary_location}" if notice.primary_location else ""
    return f"; by video conference: {notice.video}{place}"

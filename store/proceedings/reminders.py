"""Reminders: a sweep over recorded dates (D5). No legal date lives anywhere else.

The sweep may run late, twice, in two copies, or after the clock was set back: each reminder (step,
stage, person) is a row that can be written once, in the transaction that owes the message.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial

from sqlmodel import Session, col, func, select

from store import journal, outbox
from store.cases import (
    MACHINE,
    Act,
    Actor,
    Docket,
    act,
    calendar_of,
    load_cases,
    profile_in_force,
    profile_of,
    refresh_dues,
    roster_of,
    situation_of,
    standing_of,
)
from store.database import beat, heartbeats
from store.outbox import Channel, State
from store.ports import PingKind
from store.proceedings.meeting import in_session_now
from store.proceedings.minutes import held_meetings
from store.proceedings.planning import AskedAgain, to_ask_again
from store.rules import access, vacancies
from store.rules.access import Deed, Via
from store.rules.calendar import Calendar, next_open_day
from store.rules.casefile import CaseFile
from store.rules.counted import counted
from store.rules.dates import local_date, start_of_day
from store.rules.duties import DueList, Step, due_list, steps
from store.rules.facts import Place, Role
from store.rules.ordinance import Fulfilled, Profile
from store.rules.reminding import Stage, in_office_hours, stage_of, whom_to_remind
from store.rules.roster import Roster
from store.tables import Due, MailItem, ReminderSent

SWEEP = "sweep"
_HORIZON = timedelta(days=31)
_CASES_AT_ONCE = 200
_MAIL_WAITS_TOO_LONG = timedelta(hours=4)
_ASKED_FROM_MONTH = 10
_ENDS_SOON = timedelta(days=21)
_MOST_MINUTES = 5
_HEAD_MAILED = "head-mailed"


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What a sweep did: how many reminders to how many people, and alarms given."""

    reminders: int = 0
    people: int = 0
    alarms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Owed:
    """A reminder to one person."""

    case_id: int
    number: str
    step: Step
    stage: Stage
    person: int
    due: DueList


@dataclass
class _Scene:
    """What one sweep looks at."""

    session: Session
    docket: Docket
    now: datetime
    profile: Profile
    calendar: Calendar
    people: Roster
    today: date
    damaged: list[int] = field(default_factory=list)


def sweep(docket: Docket) -> SweepReport:
    """Look over recorded dates once and owe what is due now.

    Reminders go in the city's office hours only, one digest a person, to those who may see the case
    and have not acted. Rights whose time is over are settled at any hour.
    """
    alarms = _watch_the_office(docket)
    _anchor_head(docket)
    with docket.database.read() as session:
        scene = _scene(docket, session)
        lapsed = _lapsed(session, scene.today)
        owed = _owed(scene)
        asked = [*_closures_to_ask_for(scene), *_held_to_tell(scene), *_coming_to_ask(scene)]
        asked += [*_left_open_to_tell(scene), *_ending_to_tell(scene), *_minutes_to_tell(scene)]
    alarms += _damage(docket, scene.damaged)
    if lapsed:
        _settle_lapsed(docket)
    if not owed and not asked:
        _beat(docket)
        return SweepReport(alarms=alarms)
    return _remind(docket, alarms)


def _damage(docket: Docket, damaged: list[int]) -> tuple[str, ...]:
    """Give the alarm about cases whose facts do not open, once, and take it back when they do."""
    if not damaged:
        clear_alarm(docket, "damaged-case", "Every case with an open step can be read again.")
        return ()
    said = raise_alarm(
        docket,
        "damaged-case",
        f"{counted(len(damaged), 'case')} cannot be read: something in the record was damaged or altered. The others go on. "
        "Run docket verify, which names the first entry that is wrong, and restore it from a backup.",
    )
    return ("damaged-case",) if said else ()


def _scene(docket: Docket, session: Session) -> _Scene:
    profile, _digest = profile_in_force(session)
    calendar = calendar_of(session, profile)
    now = docket.clock.now()
    return _Scene(
        session,
        docket,
        now,
        profile,
        calendar,
        roster_of(docket, session),
        local_date(now, profile.city.time_zone),
    )


def _beat(docket: Docket) -> None:
    with docket.database.write() as session:
        beat(session, SWEEP, docket.clock.now())


def _owed(scene: _Scene) -> list[_Owed]:
    """Give the reminders that are due and were not sent; an index on open dates finds their cases."""
    if not in_office_hours(scene.now, scene.calendar, scene.profile.office_hours):
        return []
    rows = scene.session.exec(
        select(Due.case_id, Due.step)
        .where(Due.settled == False, col(Due.remind_on) <= scene.today + _HORIZON)  # noqa: E712  SQL's false
        .order_by(col(Due.case_id), col(Due.id))
    ).all()
    wanted: dict[int, set[str]] = {}
    for case_id, step in rows:
        wanted.setdefault(case_id, set()).add(step)
    owed: list[_Owed] = []
    waiting = list(wanted)
    for start in range(0, len(waiting), _CASES_AT_ONCE):
        part = waiting[start : start + _CASES_AT_ONCE]
        # one damaged case keeps nobody from being reminded of the others
        cases = load_cases(scene.docket, scene.session, part, leave_out_damaged=True)
        scene.damaged += [key for key in part if key not in cases]
        sent = _sent(scene, part)
        for key in sorted(cases):
            owed += _owed_of(scene, cases[key], wanted[key], sent)
    return owed


def _sent(scene: _Scene, cases: Sequence[int]) -> frozenset[tuple[int, str, str, int]]:
    """Give what was sent about some cases: case, step, mark and person."""
    columns = (ReminderSent.case_id, ReminderSent.step, ReminderSent.stage, ReminderSent.person_id)
    rows = scene.session.exec(select(*columns).where(col(ReminderSent.case_id).in_(cases)))
    return frozenset((case, step, mark, person) for case, step, mark, person in rows)


def _owed_of(
    scene: _Scene, case: CaseFile, keys: set[str], sent: frozenset[tuple[int, str, str, int]]
) -> Iterable[_Owed]:
    profile = profile_of(scene.session, case.profile_hash)
    for step in steps(case, profile, scene.calendar, scene.today):
        if step.key not in keys or not step.is_open:
            continue
        stage = stage_of(step, scene.today, scene.calendar, profile.reminders.stages)
        if stage is None:
            continue
        known = partial(_may_know, scene, case, step)
        for person in whom_to_remind(step, stage, scene.people, scene.today, known):
            if (case.key, step.key, _mark(step, stage), person) not in sent:
                due = due_list(step, scene.today, scene.calendar)
                yield _Owed(case.key, case.number, step, stage, person, due)


def _may_know(scene: _Scene, case: CaseFile, step: Step, person: int) -> bool:
    """Say whether a person may know of a step, by his own right or as somebody's deputy."""
    for_whom = [
        one.acts_for
        for one in scene.people.deputies
        if one.deputy == person and scene.people.may_act_for(person, one.acts_for, scene.today)
    ]
    actors = [Actor(person, Via.SLACK), *(Actor(person, Via.SLACK, acting_for=one) for one in for_whom)]
    return any(_may(scene, case, step, actor) for actor in actors)


def _may(scene: _Scene, case: CaseFile, step: Step, actor: Actor) -> bool:
    standing = standing_of(actor, scene.people, scene.today)
    situation = situation_of(actor, case, standing)
    refers = Role.CITY_MANAGER in standing.roles and step.duty.clause == access.TABLE[Deed.REFER].clause
    return access.may(Deed.REFER if refers else Deed.SEE_CASE, standing, situation)


def _mark(step: Step, stage: Stage) -> str:
    """Give the mark of a reminder: its stage and the date it is about, so that a moved date reminds anew."""
    return f"{stage.name}@{step.act_by}"


def _remind(docket: Docket, alarms: tuple[str, ...]) -> SweepReport:
    """Owe the digests, in one transaction with the rows that make each reminder unique."""
    with act(docket, MACHINE, Deed.SWEEP) as step:
        scene = _scene(docket, step.session)
        owed = _owed(scene)
        digests: dict[int, list[str]] = {}
        # what is no case's comes first: a long digest is cut at its end, and what comes last can wait longest
        for person, line in _closures_to_ask_for(scene):
            digests.setdefault(person, []).append(line)
            beat(step.session, _asked_mark(scene, person), step.now)
        for person, line in _held_to_tell(scene):
            digests.setdefault(person, []).append(line)
            beat(step.session, _held_mark(person), step.now, scene.today.isoformat())
        for person, line in _left_open_to_tell(scene):
            digests.setdefault(person, []).append(line)
            beat(step.session, _left_open_mark(person), step.now, scene.today.isoformat())
        for person, line in _minutes_to_tell(scene):
            digests.setdefault(person, []).append(line)
            beat(step.session, _minutes_mark(person), step.now, scene.today.isoformat())
        for person, line in _ending_to_tell(scene):
            digests.setdefault(person, []).append(line)
            beat(step.session, _ending_mark(scene, person), step.now)
        silent = _coming_to_ask(scene)
        for asked in silent:
            digests.setdefault(asked.person, []).append(asked.text(scene.profile.city.time_zone))
            beat(step.session, asked.mark, step.now)
        if silent:
            step.note["meetings"] = [
                {"meeting": one.plan.id, "stage": one.stage, "person": one.person} for one in silent
            ]
        for person, line in _case_lines(owed):
            digests.setdefault(person, []).append(line)
        step.session.add_all(_as_sent(one, step.now) for one in owed)
        for person, lines in digests.items():
            step.ping(PingKind.REMINDER_DIGEST, person=person, text="\n".join(lines))
        step.note["reminders"] = [
            {"case": one.number, "step": one.step.key, "stage": one.stage.name, "person": one.person}
            for one in owed
        ]
        beat(step.session, SWEEP, step.now)
    return SweepReport(len(owed), len(digests), alarms)


def _as_sent(one: _Owed, now: datetime) -> ReminderSent:
    """Give the row by which a reminder goes once."""
    return ReminderSent(
        case_id=one.case_id,
        step=one.step.key,
        stage=_mark(one.step, one.stage),
        person_id=one.person,
        sent_at=now,
    )


def _case_lines(owed: Iterable[_Owed]) -> Iterator[tuple[int, str]]:
    """Give the lines about cases, the most urgent first; what is the same for several parties stands once."""
    urgent = sorted(owed, key=_urgency)
    alike = Counter((one.person, in_words(one)) for one in urgent)
    for one in urgent:
        count = alike.pop((one.person, in_words(one)), 0)
        if count:
            yield one.person, in_words(one, count)


def _urgency(one: _Owed) -> tuple[int, date]:
    """Put what is overdue longest first: a reader may see the first lines only."""
    return -list(DueList).index(one.due), one.step.overdue_after or date.max


def in_words(one: _Owed, alike: int = 1) -> str:
    """Word one line of a digest: case number, duty, dates; no name and no allegation (C1).

    Args:
        one: the reminder.
        alike: for how many parties of the case the line says the same.
    """
    dates = one.step.dates
    assert dates is not None
    lawful = f", lawful until {dates.expected_last_day}" if dates.act_by else ""
    provisional = " (provisional: the closures of that year are not adopted)" if one.step.provisional else ""
    when = dates.act_by_in_words or str(dates.expected_last_day)
    many = f" ({counted(alike, 'party', 'parties')})" if alike > 1 else ""
    return f"{one.number}: {one.step.duty.what}{many}. {one.due.value.capitalize()}: by {when}{lawful}{provisional}."


# -- rights whose time is over ----------------------------------------------------------------------


def _lapsed(session: Session, today: date) -> list[int]:
    rows = session.exec(
        select(Due.case_id)
        .where(
            Due.settled == False,  # noqa: E712  SQL's false
            # no right is open for less long than it is reminded of, and there is an index on that
            col(Due.remind_on) < today,
            col(Due.keep_open_until) < today,
        )
        .distinct()
    )
    return sorted(rows)


def _settle_lapsed(docket: Docket) -> None:
    with act(docket, MACHINE, Deed.SWEEP) as step:
        keys = _lapsed(step.session, step.today)
        for key in keys:
            refresh_dues(Act(docket, step.session, MACHINE, Deed.SWEEP, step.now, key))
        step.note["lapsed"] = len(keys)


# -- next year's closures (D3) ----------------------------------------------------------------------


def _closures_to_ask_for(scene: _Scene) -> list[tuple[int, str]]:
    """Give whom to ask for next year's closures: the clerks, once a week from October on."""
    year = scene.today.year + 1
    if scene.today.month < _ASKED_FROM_MONTH or year in scene.calendar.adopted_years:
        return []
    if not in_office_hours(scene.now, scene.calendar, scene.profile.office_hours):
        return []
    asked = heartbeats(scene.session)
    line = f"The closures of {year} are not adopted yet; every date that needs them is provisional until they are."
    return [
        (clerk, line)
        for clerk in scene.people.with_role(Role.CLERK, scene.today)
        if _asked_mark(scene, clerk) not in asked
    ]


def _asked_mark(scene: _Scene, person: int) -> str:
    year, week, _weekday = scene.today.isocalendar()
    return f"closures-asked:{person}:{year}-{week:02d}"


# -- the holding pen (I1) ---------------------------------------------------------------------------


def _held_to_tell(scene: _Scene) -> list[tuple[int, str]]:
    """Give whom to tell of messages that wait since an earlier day: the clerks, each day until none does."""
    calendar, today = scene.calendar, scene.today
    if not in_office_hours(scene.now, calendar, scene.profile.office_hours):
        return []
    begun = start_of_day(today, scene.profile.city.time_zone)
    held = MailItem.place == Place.HOLDING_PEN.value
    count, oldest = scene.session.exec(select(func.count(), func.min(MailItem.received_at)).where(held)).one()
    if not count or oldest >= begun:
        return []
    since = local_date(oldest, scene.profile.city.time_zone)
    line = (
        f"{counted(count, 'message waits', 'messages wait')} for a person, the oldest since {since}: /ethics mail, or docket held list. "
        "Each was received when it came, and its dates run."
    )
    told = heartbeats(scene.session)
    return [
        (clerk, line)
        for clerk in scene.people.with_role(Role.CLERK, today)
        if told.get(_held_mark(clerk), (None, ""))[1] != today.isoformat()
    ]


def _held_mark(person: int) -> str:
    return f"held-told:{person}"


def _left_open_to_tell(scene: _Scene) -> list[tuple[int, str]]:
    """Give whom to tell of a meeting that nobody adjourned since an earlier day: clerk and chair, each day (B3)."""
    calendar, today = scene.calendar, scene.today
    if not in_office_hours(scene.now, calendar, scene.profile.office_hours):
        return []
    told = heartbeats(scene.session)
    due = [
        person
        for role in (Role.CLERK, Role.CHAIR)
        for person in scene.people.with_role(role, today)
        if told.get(_left_open_mark(person), (None, ""))[1] != today.isoformat()
    ]
    meeting = in_session_now(scene.docket, scene.session) if due else None
    if meeting is None:
        return []
    since = local_date(meeting.opened.at, scene.profile.city.time_zone)
    line = (
        f"The meeting that was opened on {since} is still in session on the record, and votes can be cast in it. "
        "Adjourn it if it is over: /ethics meeting, or docket meeting close. The minutes can say when it ended."
    )
    return [(person, line) for person in dict.fromkeys(due)] if since < today else []


def _minutes_to_tell(scene: _Scene) -> list[tuple[int, str]]:
    """Give whom to tell of minutes that the public may ask for and that are not written: clerk and chair, each day (B3)."""
    if not in_office_hours(scene.now, scene.calendar, scene.profile.office_hours):
        return []
    told = heartbeats(scene.session)
    due = [
        person
        for role in (Role.CLERK, Role.CHAIR)
        for person in scene.people.with_role(role, scene.today)
        if told.get(_minutes_mark(person), (None, ""))[1] != scene.today.isoformat()
    ]
    owed = [one for one in held_meetings(scene.docket, scene.session) if one.owed] if due else []
    zone = scene.profile.city.time_zone
    return [(person, one.in_words(zone)) for person in dict.fromkeys(due) for one in owed[:_MOST_MINUTES]]


def _minutes_mark(person: int) -> str:
    return f"minutes-told:{person}"


def _left_open_mark(person: int) -> str:
    return f"left-open-told:{person}"


def _coming_to_ask(scene: _Scene) -> list[AskedAgain]:
    """Give who is asked again whether he comes to a planned meeting: in office hours, once a stage (D5)."""
    if not in_office_hours(scene.now, scene.calendar, scene.profile.office_hours):
        return []
    told = heartbeats(scene.session)
    found = to_ask_again(scene.docket, scene.session, scene.people, scene.profile, scene.calendar)
    return [one for one in found if one.mark not in told]


# -- alarms -----------------------------------------------------------------------------------------


def raise_alarm(docket: Docket, name: str, text: str) -> bool:
    """Tell the staff channel of a trouble, once until it is over; True if it was told now.

    Args:
        docket: the record.
        name: the trouble's name, such as ``mailbox``.
        text: what happened, what is safe, what to do; no content.
    """
    return _alarm(docket, name, text, state="alarm")


def clear_alarm(docket: Docket, name: str, text: str) -> bool:
    """Tell the staff channel, once, that a trouble is over; True if it was told now."""
    return _alarm(docket, name, text, state="ok")


def _alarm(docket: Docket, name: str, text: str, *, state: str) -> bool:
    mark = f"alarm:{name}"
    with docket.database.read() as session:
        before = heartbeats(session).get(mark)
    if (before[1] if before else "ok") == state:
        return False
    with act(docket, MACHINE, Deed.SWEEP) as step:
        again = heartbeats(step.session).get(mark)
        if (again[1] if again else "ok") == state:
            return False
        beat(step.session, mark, step.now, state)
        step.note["alarm"] = {"name": name, "state": state}
        step.ping(PingKind.ALARM, text=text, board=True)
        mail_office(
            step, "alarm", "Docket: a person must look" if state == "alarm" else "Docket: it is over", text
        )
    return True


def mail_office(step: Act, kind: str, subject: str, text: str) -> None:
    """Owe a mail to whoever looks after Docket, outside Slack (I3, decisions 32); it carries no content."""
    for address in step.docket.alert_to:
        token = outbox.new_token()
        domain = step.docket.mail_from.rpartition("@")[2]
        mail = outbox.Letter(
            to=address,
            subject=subject,
            text=text + "\n",
            attachments=(),
            message_id=f"<{kind}.{token}@{domain}>",
            token=token,
        )
        step.letter(mail, kind=kind, about=None, undo=False, case=False)


# -- the journal's head, anchored outside (C5) ----------------------------------------------------


def _anchored_on(session: Session) -> str:
    """Give the city's day on which the head was mailed last; empty before that."""
    return heartbeats(session).get(_HEAD_MAILED, (None, ""))[1]


def _anchor_head(docket: Docket) -> None:
    """Mail the journal's head once a day, so that a tail that was cut shows: `docket verify --anchor`."""
    if not docket.alert_to:
        return
    with docket.database.read() as session:
        profile, _digest = profile_in_force(session)
        day = local_date(docket.clock.now(), profile.city.time_zone).isoformat()
        if _anchored_on(session) == day:
            return
    with act(docket, MACHINE, Deed.SWEEP) as step:
        if _anchored_on(step.session) == day:
            return
        seq, digest = journal.head(step.session)
        beat(step.session, _HEAD_MAILED, step.now, day)
        step.note["anchored"] = seq
        text = (
            f"The journal's head today is entry {seq}:\n\n{seq}:{digest}\n\n"
            "Keep this mail. To prove later that nothing up to here was cut or changed, run\n"
            f"docket verify --anchor {seq}:{digest}"
        )
        mail_office(step, "journal-head", "Docket: the journal's head today", text)


_DONE_BY_LETTER = {
    "acknowledgement": Fulfilled.ACKNOWLEDGED,
    "notice": Fulfilled.NOTICE_SERVED,
    "decision_of_termination": Fulfilled.DECISION_TRANSMITTED,
    "notification": Fulfilled.NOTIFIED,
    "reprimand": Fulfilled.REPRIMAND_DELIVERED,
    "reprimand_copy": Fulfilled.REPRIMAND_SERVED,
    "hearing_notice": Fulfilled.HEARING_OPENED,
}


def _owed_by_letter_soon(scene: _Scene) -> frozenset[tuple[int, str]]:
    """Give (case, kind of letter) where a letter does a step that is to be done by the next working day."""
    soon = next_open_day(scene.today + timedelta(days=1), scene.calendar)
    rows = scene.session.exec(
        select(Due.case_id, Due.duty).where(
            Due.settled == False,  # noqa: E712  SQL's false
            col(Due.remind_on)
            <= soon,  # a duty's day to act by is the one it is reminded of; there is an index on that
            col(Due.act_by) <= soon,
        )
    )
    duties = {duty.id: duty.done_by for duty in scene.profile.duties}
    return frozenset(
        (case, kind)
        for case, duty in rows
        for kind, fact in _DONE_BY_LETTER.items()
        if fact in duties.get(duty, ())
    )


def _watch_the_office(docket: Docket) -> tuple[str, ...]:
    """Give alarms about what waits too long, and take them back when it is over."""
    now = docket.clock.now()
    with docket.database.read() as session:
        waiting = outbox.waiting(session, Channel.MAIL)
        tried = any(one.tries and one.state is State.QUEUED for one in waiting)
        near = _owed_by_letter_soon(_scene(docket, session)) if tried else frozenset()
    late = [
        one
        for one in waiting
        if one.state is State.QUEUED
        and (now - one.created_at > _MAIL_WAITS_TOO_LONG or (one.tries and (one.case_id, one.kind) in near))
    ]
    given = []
    if late and raise_alarm(
        docket,
        "letters-wait",
        f"{counted(len(late), 'letter')} could not be sent for four hours, or must go by the next working day. They are kept "
        "and tried again each hour. Check the mail relay, or serve what is due on paper.",
    ):
        given.append("letters-wait")
    if not late:
        clear_alarm(docket, "letters-wait", "Letters are going out again.")
    return (*given, *_watch_the_roles(docket))


def _watch_the_roles(docket: Docket) -> tuple[str, ...]:
    """Give an alarm for each office without which nothing goes on that nobody holds today, and take it back (B1)."""
    with docket.database.read() as session:
        scene = _scene(docket, session)
    if not scene.people.members:
        return ()  # nobody was put on the roster yet: `docket doctor` says how
    given = []
    for role in (Role.CLERK, Role.CHAIR):
        name = f"no-{role.value}"
        if scene.people.with_role(role, scene.today):
            clear_alarm(docket, name, f"The Board has a {role.value} again.")
        elif raise_alarm(docket, name, vacancies.in_words(scene.people, role, scene.today)):
            given.append(name)
    return tuple(given)


def _ending_to_tell(scene: _Scene) -> list[tuple[int, str]]:
    """Give whom to tell that an office is soon held by nobody: clerk and chair, once a week before (B1)."""
    if not in_office_hours(scene.now, scene.calendar, scene.profile.office_hours):
        return []
    told, found = heartbeats(scene.session), []
    keepers = {
        person for role in (Role.CLERK, Role.CHAIR) for person in scene.people.with_role(role, scene.today)
    }
    for role in (Role.CLERK, Role.CHAIR):
        day = vacancies.nobody_from(scene.people, role, scene.today)
        if day is not None and scene.today < day <= scene.today + _ENDS_SOON:
            found += [(person, vacancies.in_words(scene.people, role, day)) for person in sorted(keepers)]
    return [(person, line) for person, line in found if _ending_mark(scene, person) not in told]


def _ending_mark(scene: _Scene, person: int) -> str:
    year, week, _weekday = scene.today.isocalendar()
    return f"ending-told:{person}:{year}-{week:02d}"

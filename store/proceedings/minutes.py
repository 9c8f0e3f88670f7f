"""Minutes of a meeting: an open part without any party, and for each case a sealed annex in its own file (B3).

Source: KRS 61.835; decisions 14; law.md, meetings and votes (by name, 12-OMD-067).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import partial
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from store.cases import Act, Actor, Docket, act, board_facts, case_key, load_case, look, recorded
from store.letters.letter import Addressee, Letter
from store.letters.minutes import Attendance, ClosedSession, MinutedItem, Minutes, RecordedVote
from store.letters.minutes_annex import MinutesAnnex, SealedEntry
from store.letters.wording import plain_day
from store.proceedings import writing
from store.proceedings.ballot import present_at_closing
from store.proceedings.meeting import all_meetings, current, floor_of, meetings
from store.rules import counting
from store.rules.access import Deed
from store.rules.calendar import hour_in_words
from store.rules.casefile import BallotView, CaseFile, Exhibit
from store.rules.counted import counted
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow, Refusal
from store.rules.facts import (
    Appeared,
    BallotClosed,
    BallotOpened,
    Choice,
    Determined,
    ExhibitOffered,
    Fact,
    InquiryHeld,
    MinutesApproved,
    MinutesWritten,
    Question,
    Role,
    StatementTaken,
)
from store.rules.meetings import Meeting
from store.rules.motions import Floor, Moved, Votes, carried
from store.rules.no_party import without_parties
from store.rules.ordinance import Opens
from store.tables import CaseRow, FactRow

OPEN_PART, ANNEX = "letter:minutes", "letter:minutes_annex"
CLAUSE = "KRS 61.835"
_NONE = Addressee("")
_MOTIONS = {
    Question.JURISDICTION: "That the complaint is within the Board's jurisdiction",
    Question.FACTUAL_BASIS: "That the complaint alleges a minimal factual basis to constitute a violation",
    Question.FRIVOLOUS: "That the complaint is frivolous",
    Question.REPRIMAND: "That the Board issue a confidential reprimand",
    Question.HEARING: "That the Board initiate a hearing",
    Question.NO_FURTHER_ACTION: "That the Board take no further action",
    Question.RELEASE_DOCUMENTS: "That documents issued to a party be made public",
    Question.FALSE_COMPLAINT: "That the complaint be flagged under clause (F) and evidence be turned over under (C)(1)",
}
_OPENS = {
    Opens.NEVER: "Only as the law or a court requires",
    Opens.ON_FINALITY: "When the Board's determination in the case is final",
    Opens.BY_VOTE: "When the Board so votes",
}
_IN_A_MEETING = (BallotOpened, Determined, InquiryHeld, Appeared, StatementTaken, ExhibitOffered)
_RESULT = "Result: "
_SITS = frozenset({Role.CHAIR, Role.MEMBER, Role.ALTERNATE})
_ROLES = (
    (Role.CHAIR, "Chair"),
    (Role.MEMBER, "Member"),
    (Role.ALTERNATE, "Alternate"),
    (Role.CLERK, "Clerk"),
    (Role.COUNSEL, "Counsel"),
    (Role.CITY_MANAGER, "City Manager"),
)


@dataclass(frozen=True, slots=True)
class WrittenMinutes:
    """Minutes as they were written.

    Attributes:
        document: id of the open part, a document of the Board.
        open_part: its PDF.
        annexes: numbers of the cases into whose files a sealed annex was put.
    """

    document: int
    open_part: bytes
    annexes: tuple[str, ...]


def write_minutes(docket: Docket, actor: Actor, meeting: int) -> WrittenMinutes:
    """Write the minutes of a meeting that was adjourned.

    The open part has case numbers, motions and votes by name, and no party. What was heard and found goes
    into a sealed annex for each case, kept in that case's file: who may not know of the case never gets it.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        meeting: the meeting's id. They bear the day on which the Board approved them, where that is on the record;
            else they are a draft.

    Raises:
        BadInput: there is no such meeting.
        NotNow: it was not adjourned.
    """
    with act(docket, actor, Deed.WRITE_MINUTES) as step:
        approval = approval_of(step.docket, step.session, meeting)
        approved_on = approval.on if approval else None
        held = _held(step, meeting)
        found = list(_cases(step, meeting))
        letter = _open_part(step, held, found, approval)
        pdf, document = _keep(step, letter, OPEN_PART)
        step.record(MinutesWritten(document, approved_on), about=meeting)
    annexes = tuple(
        case.number for case in found if _annex(docket, actor, held, case.key, approved_on=approved_on)
    )
    return WrittenMinutes(document, pdf, annexes)


def approve_minutes(docket: Docket, actor: Actor, meeting: int, motion: Moved, *, changes: str = "") -> None:
    """Record that the Board, in the meeting that is in session, approved the minutes of an earlier one.

    They are written anew with the day of their approval by `write_minutes`.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        meeting: the earlier meeting.
        motion: who moved, who seconded, who said no or abstained; everybody else who is present said yes.
        changes: what was changed before they were approved.

    Raises:
        BadInput: no such meeting, or somebody moved, seconded or voted who is no member present.
        NotNow: no later meeting is in open session, nothing was written of that one, no quorum is present, or it was
            not carried.
        AlreadyDone: they were approved.

    Source: KRS 61.835; law.md, meetings and votes: minutes are open right after the next meeting.
    """
    with act(docket, actor, Deed.WRITE_MINUTES) as step:
        _held(step, meeting)
        now = current(step)
        if now is None or now.in_closed_session or now.id <= meeting:
            raise NotNow(
                "Minutes are approved in a later meeting, in open session.",
                clause=CLAUSE,
                mend="Open the meeting on the record first.",
            )
        if approval_of(step.docket, step.session, meeting) is not None:
            raise AlreadyDone("The minutes of this meeting were approved.", clause=CLAUSE)
        if not any(one.about == meeting for one in board_facts(step.docket, step.session, MinutesWritten)):
            raise NotNow("No minutes of this meeting are written.", clause=CLAUSE, mend="Write them first.")
        votes = carried(motion, floor_of(step, now), clause=CLAUSE)
        fact = MinutesApproved(
            now.id,
            step.today,
            motion.moved_by,
            motion.seconded_by,
            tuple(dict.fromkeys(motion.against)),
            changes.strip(),
            votes,
        )
        step.record(fact, about=meeting)


def approval_of(docket: Docket, session: Session, meeting: int) -> MinutesApproved | None:
    """Give the approval of a meeting's minutes; None before there is one."""
    found = [one for one in board_facts(docket, session, MinutesApproved) if one.about == meeting]
    return found[-1].fact if found and isinstance(found[-1].fact, MinutesApproved) else None


def to_approve(docket: Docket, actor: Actor) -> tuple[Meeting, ...]:
    """Give the adjourned meetings whose minutes were not approved yet, to somebody on the roster.

    Raises:
        NotAllowed: he is not.
    """
    waiting = {MinutesState.UNWRITTEN, MinutesState.DRAFT}
    return tuple(one.meeting for one in minutes_stand(docket, actor) if one.minutes in waiting)


class MinutesState(StrEnum):
    """Where the minutes of an adjourned meeting stand."""

    UNWRITTEN = "not written"
    DRAFT = "draft, not approved yet"
    WRITE_ANEW = "approved, to be written anew"
    APPROVED = "approved"


@dataclass(frozen=True, slots=True)
class HeldMeeting:
    """An adjourned meeting and its minutes.

    Attributes:
        meeting: the meeting.
        minutes: where its minutes stand.
        open_to_the_public: a later meeting was adjourned since, so that anybody may ask for them (KRS 61.835).
    """

    meeting: Meeting
    minutes: MinutesState
    open_to_the_public: bool

    @property
    def owed(self) -> bool:
        """Whether they are to be written now: the public may ask for what is not there, or not as it was approved."""
        return self.open_to_the_public and self.minutes in {MinutesState.UNWRITTEN, MinutesState.WRITE_ANEW}

    def in_words(self, zone: ZoneInfo) -> str:
        """Say that they are owed and how they are written; nothing of what they hold."""
        day = local_date(self.meeting.opened.at, zone)
        return (
            f"Minutes of the meeting of {day}: {self.minutes.value}. They are open to the public since the next meeting "
            f"ended (KRS 61.835). Write them: /ethics meeting, or docket meeting minutes {self.meeting.id}."
        )


def held_meetings(docket: Docket, session: Session) -> tuple[HeldMeeting, ...]:
    """Give every adjourned meeting with where its minutes stand, in order. For proceedings and who was checked."""
    held = [one for one in all_meetings(docket, session) if not one.in_session]
    approved = {one.about: one.id for one in board_facts(docket, session, MinutesApproved)}
    written = {one.about: one.id for one in board_facts(docket, session, MinutesWritten)}

    def state(meeting: int) -> MinutesState:
        if meeting not in written:
            return MinutesState.UNWRITTEN
        if meeting not in approved:
            return MinutesState.DRAFT
        anew = written[meeting] < approved[meeting]
        return MinutesState.WRITE_ANEW if anew else MinutesState.APPROVED

    last = held[-1].id if held else 0
    return tuple(HeldMeeting(one, state(one.id), one.id != last) for one in held)


def minutes_stand(docket: Docket, actor: Actor) -> tuple[HeldMeeting, ...]:
    """Give every adjourned meeting with where its minutes stand, to somebody on the roster.

    Raises:
        NotAllowed: he is not.
    """
    meetings(docket, actor)
    with docket.database.read() as session:
        return held_meetings(docket, session)


def _approved_in(step: Act, held: Meeting) -> Iterator[MinutedItem]:
    """Give the minutes that were approved in a meeting, each as an item of its own with the votes by name."""
    zone = step.profile.city.time_zone
    days = {one.id: local_date(one.opened.at, zone) for one in all_meetings(step.docket, step.session)}
    for one in board_facts(step.docket, step.session, MinutesApproved):
        fact = one.fact
        if not isinstance(fact, MinutesApproved) or fact.in_meeting != held.id:
            continue
        changed = without_parties(fact.changes, _cases(step, one.about or 0))
        changes = f" With these changes: {changed}" if changed else ""
        yield MinutedItem(
            "Minutes",
            f"That the minutes of the meeting of {plain_day(days[one.about or 0])} be approved",
            step.people.name(fact.moved_by),
            step.people.name(fact.seconded_by) if fact.seconded_by is not None else "",
            CLAUSE,
            tuple(
                RecordedVote(step.people.name(who), said.value)
                for who, said in _votes_then(step, one.id, fact)
            ),
            f"Approved.{changes}",
        )


def _votes_then(step: Act, approved: int, fact: MinutesApproved) -> Votes:
    """Give the votes on minutes as they were recorded; of an older record, from who was present just then."""
    if fact.votes:
        return fact.votes
    every = all_meetings(step.docket, step.session, before=approved)
    present = next((one.present for one in every if one.id == fact.in_meeting), frozenset[int]())
    there = present & set(step.people.voting(fact.on))
    return tuple((who, Choice.NO if who in fact.against else Choice.YES) for who in sorted(there))


def _held(step: Act, meeting: int) -> Meeting:
    held = next((one for one in all_meetings(step.docket, step.session) if one.id == meeting), None)
    if held is None:
        raise BadInput("There is no such meeting on the record.", mend="See: docket meeting list.")
    if held.closed is None:
        raise NotNow(
            "The minutes are written once the meeting is adjourned.",
            clause=CLAUSE,
            mend="Adjourn it first: docket meeting close, or Adjourn in Slack.",
        )
    return held


def _cases(step: Act, meeting: int) -> Iterator[CaseFile]:
    """Give every case that came up in a meeting, by number."""
    kinds = [kind.KIND for kind in _IN_A_MEETING]
    rows = step.session.exec(
        select(FactRow)
        .where(col(FactRow.kind).in_(kinds), col(FactRow.id) > meeting)
        .order_by(col(FactRow.id))
    ).all()
    keys = {row.case_id for row in rows if row.case_id is not None and _in(step, row, meeting)}
    for key in sorted(keys):
        if step.session.get(CaseRow, key) is not None:
            yield load_case(step.docket, step.session, key)


def _in(step: Act, row: FactRow, meeting: int) -> bool:
    if step.docket.keyring.is_disposed(step.session, case_key(row.case_id)):
        return False
    fact: Fact = recorded(step.docket.keyring, step.session, row).fact
    return isinstance(fact, _IN_A_MEETING) and fact.meeting == meeting


def _keep(step: Act, letter: Letter, kind: str) -> tuple[bytes, int]:
    pressed = step.docket.typesetter.set(letter, step.now)
    document = step.keep(
        pressed.pdf, kind=kind, media_type="application/pdf", name="minutes.pdf", received_at=step.now
    )
    return pressed.pdf, document


# -- the open part ------------------------------------------------------------------------------------


def _open_part(
    step: Act, held: Meeting, cases: Sequence[CaseFile], approval: MinutesApproved | None
) -> Minutes:
    zone, open_ = step.profile.city.time_zone, partial(without_parties, cases=cases)
    assert held.closed is not None
    items = [*_approved_in(step, held), *(item for case in cases for item in _items(step, held, case))]
    return Minutes(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=_NONE,
        dated=step.today,
        case_number="",
        meeting="Special meeting" if held.opened.special else "Meeting",
        began_at=writing.local(held.opened.at, zone),
        adjourned_at=writing.local(held.closed.at, zone),
        place=tuple(open_(line) for line in _place(held)),
        notice=open_(held.opened.notice_given),
        attendance=_attendance(step, held),
        quorum=_quorum(step, held),
        items=tuple(items) or (MinutedItem("No case", result="No case came to a vote in this meeting."),),
        closed_sessions=_closed_sessions(step, held, open_),
        approved_on=approval.on if approval else None,
        changes=open_(approval.changes) if approval else "",
    )


def _attendance(step: Act, held: Meeting) -> tuple[Attendance, ...]:
    """Give everyone who sat on the Board on that day, and how present he was; then whoever else was there."""
    zone = step.profile.city.time_zone
    day = local_date(held.opened.at, zone)
    ever = set(held.opened.present) | {one.person for one in held.changes if one.present}
    unnamed = step.people.with_role(Role.CHAIR, day) if held.opened.presiding is None else ()
    presided = held.presided | (set(unnamed) & ever)
    found: dict[int, Attendance] = {}

    def row(person: int, title: str) -> Attendance:
        words = _presence(held, person, zone)
        return Attendance(
            step.people.name(person), title, f"{words}, presided" if person in presided else words
        )

    for role, title in _ROLES:
        for person in step.people.with_role(role, day):
            if person not in found and (role in _SITS or person in ever):
                found[person] = row(person, title)
    for person in sorted(ever - found.keys()):
        found[person] = row(person, "Staff")
    return tuple(found.values())


def _place(held: Meeting) -> tuple[str, ...]:
    """Give the place in lines; where somebody took part by video, that he did, and the primary physical location."""
    lines = [line.strip() for line in held.opened.place.splitlines() if line.strip()]
    primary = " ".join(held.opened.primary_location.split())
    if held.ever_by_video:
        lines.append("Held by video conference as well (KRS 61.826).")
    if primary:
        lines.append(f"Primary physical location: {primary}")
    return tuple(lines)


def _presence(held: Meeting, person: int, zone: ZoneInfo) -> str:
    """Say how present somebody was, with the hour at which he came, left, or changed between room and video."""
    at_first = person in set(held.opened.present)
    moves = [one for one in held.changes if one.person == person]
    if not at_first and not moves:
        return "absent"
    first = (None if held.opened.by_video is None else person in held.opened.by_video) if at_first else None
    words, there = [f"present{_way(held, by_video=first)}"], at_first
    for one in moves:
        hour, way = hour_in_words(one.at.astimezone(zone).time()), _way(held, by_video=one.by_video)
        if one.present and there:
            words.append(f"{way.strip()} from {hour}")
        else:
            words.append(f"came {hour}{way}" if one.present else f"left {hour}")
        there = one.present
    return ", ".join(words)


def _way(held: Meeting, *, by_video: bool | None) -> str:
    """Say how somebody attended, where anybody took part by video; nothing where the record does not say."""
    if not held.ever_by_video or by_video is None:
        return ""
    return " by video" if by_video else " in the room"


def _quorum(step: Act, held: Meeting) -> str:
    board, zone = step.profile.board, step.profile.city.time_zone
    sitting = step.people.voting(local_date(held.opened.at, zone))
    floor = Floor(board.seats, sitting, frozenset(), board.ballot_rule)
    there = len(set(held.opened.present) & set(sitting))
    moved = _quorum_moved(
        held, replace(floor, present=frozenset(set(held.opened.present) & set(sitting))), zone
    )
    return (
        f"Quorum: {counted(board.seats, 'seat')}, {board.seats - len(sitting)} vacant, {counted(there, 'member')} present at the "
        f"opening, {floor.quorum} needed. {moved}Each vote states its own quorum, less those recused."
    )


def _quorum_moved(held: Meeting, floor: Floor, zone: ZoneInfo) -> str:
    """Say at which hour the quorum was lost, and was there again."""
    says = "" if floor.has_quorum else "No quorum was present at the opening. "
    for one in held.changes:
        before, now = floor, floor.present | {one.person} if one.present else floor.present - {one.person}
        floor = replace(floor, present=now & set(floor.members))
        if floor.has_quorum is not before.has_quorum:
            at = hour_in_words(one.at.astimezone(zone).time())
            says += f"From {at} on {'a' if floor.has_quorum else 'no'} quorum was present. "
    return says


def _closed_sessions(step: Act, held: Meeting, open_: Callable[[str], str]) -> tuple[ClosedSession, ...]:
    zone = step.profile.city.time_zone
    found = []
    began = None
    for one in held.sessions:
        if one.closed:
            began = one
        elif began is not None:
            announced = "The nature of the business and the provision were announced in open session"
            moved = _movers(step, began.moved_by, began.seconded_by)
            nature = f" ({open_(began.nature)})" if began.nature else ""
            found.append(
                ClosedSession(
                    open_(began.statute),
                    f"{announced}{nature}{moved}.{_by_name(step, began.votes)}",
                    writing.local(began.at, zone),
                    writing.local(one.at, zone),
                )
            )
            began = None
    return tuple(found)


def _movers(step: Act, moved: int | None, seconded: int | None) -> str:
    by = f"; moved by {step.people.name(moved)}" if moved is not None else ""
    return f"{by}, seconded by {step.people.name(seconded)}" if by and seconded is not None else by


def _by_name(step: Act, votes: Votes) -> str:
    """Say the votes on a motion in a sentence, by name; empty for a record that has none."""
    said = {
        choice: ", ".join(step.people.name(who) for who, one in votes if one is choice) for choice in Choice
    }
    words = "; ".join(f"{choice.value}: {names}" for choice, names in said.items() if names)
    return f" Carried ({words})." if words else ""


def _items(step: Act, held: Meeting, case: CaseFile) -> Iterator[MinutedItem]:
    """Give the motions on a case, each with its votes by name and its arithmetic; a party is a place in a row."""
    votes = [view for view in case.ballots if view.opened.meeting == held.id]
    for view in votes:
        motion = _MOTIONS[view.opened.question] + _about(case, view.track)
        yield MinutedItem(
            f"Case {case.number}",
            motion,
            statute=view.opened.item,
            votes=_votes(step, case, view),
            result=_result(case, view),
        )
    if not votes:
        yield MinutedItem(f"Case {case.number}", result=_without_vote(held, case))


def _without_vote(held: Meeting, case: CaseFile) -> str:
    """Say what came up in a case on which no vote was taken, without what was said or who it was about."""
    inquired = any(one.fact.meeting == held.id for one in case.all(InquiryHeld))
    return f"{'The preliminary inquiry was held' if inquired else 'Evidence was taken'}. No vote was taken."


def _about(case: CaseFile, track: int) -> str:
    tracks = [one.id for one in case.respondents]
    return (
        f" (respondent {tracks.index(track) + 1} of {len(tracks)})"
        if len(tracks) > 1 and track in tracks
        else ""
    )


def _votes(step: Act, case: CaseFile, view: BallotView) -> tuple[RecordedVote, ...]:
    if view.closed is None or view.voided is not None:
        return ()
    said = {person: choice.value for person, choice in view.closed.votes}
    out = counting.out_of(case, view.opened)
    there = present_at_closing(step, case, view)

    seats = {alternate: f", for {step.people.name(member)}" for alternate, member in view.opened.sits_for}

    def word(person: int) -> str:
        if person in said:
            return said[person]
        words = ["recused"] if person in out else []
        words += ["absent"] if person not in there else []
        return ", ".join(words) or "no vote given"

    return tuple(
        RecordedVote(f"{step.people.name(one)}{seats.get(one, '')}", word(one))
        for one in (*view.opened.roster, *view.opened.recused)
    )


def _result(case: CaseFile, view: BallotView) -> str:
    if view.voided is not None:
        return "This ballot was voided and counts for nothing."
    if view.closed is None:
        return "Not closed in this meeting."
    if not view.closed.reason:
        return view.closed.arithmetic
    first = next(
        one.fact for one in case.facts if isinstance(one.fact, BallotClosed) and one.about == view.id
    )
    verdict = next((line for line in first.arithmetic.splitlines() if line.startswith(_RESULT)), "")
    at_first = f"When it was closed: {verdict.removeprefix(_RESULT)}" if verdict else ""
    reason = f"{view.closed.reason[0].upper()}{view.closed.reason[1:]}."
    return "\n".join(filter(None, (view.closed.arithmetic, reason, at_first)))


# -- the sealed annex ---------------------------------------------------------------------------------


def _annex(docket: Docket, actor: Actor, held: Meeting, key: int, *, approved_on: date | None) -> bool:
    """Put the annex into a case's file; False where whoever writes the minutes may not know of the case."""
    try:
        look(docket, actor, key, deed=Deed.SEAL_ANNEX)
    except Refusal:
        return False
    with act(docket, actor, Deed.SEAL_ANNEX, case_id=key) as step:
        entries = tuple(_entries(step, held))
        letter = MinutesAnnex(
            letterhead=writing.letterhead(step),
            signatory=writing.signatory(step.profile),
            addressee=_NONE,
            dated=step.today,
            case_number="",
            meeting="Special meeting" if held.opened.special else "Meeting",
            began_at=writing.local(held.opened.at, step.profile.city.time_zone),
            entries=entries,
            opens=_OPENS[step.profile.confidentiality.annex_opens],
        )
        _pdf, document = _keep(step, letter, ANNEX)
        step.record(MinutesWritten(document, approved_on), about=held.id)
    return True


def _entries(step: Act, held: Meeting) -> Iterator[SealedEntry]:
    case = step.case
    for place, party in enumerate(case.respondents, start=1):
        office = f", {party.named.office}" if party.named.office else ""
        says = [f"Respondent {place}: {party.named.name}{office}."]
        determined = case.determined(party.id)
        if determined is not None and determined.fact.meeting == held.id:
            says.append(f"Findings: {determined.fact.findings}")
        yield SealedEntry(case.number, "Respondent", "\n\n".join(says))
    yield from _heard(step, held)
    for view in case.ballots:
        reasons = _reasons(step, view) if view.opened.meeting == held.id else []
        if reasons:
            motion = f"{_MOTIONS[view.opened.question]}{_about(case, view.track)}"
            yield SealedEntry(case.number, motion, "\n\n".join(reasons))


def _heard(step: Act, held: Meeting) -> Iterator[SealedEntry]:
    """Give who appeared and swore in the meeting, and each exhibit that was offered in it, with its hash."""
    case, zone = step.case, step.profile.city.time_zone
    for came in case.all(Appeared):
        if came.fact.meeting == held.id and (party := case.party(came.about)) is not None:
            says = f"{party.named.name} appeared {came.fact.how}, {writing.local(came.fact.at, zone):%H:%M}."
            yield SealedEntry(case.number, "Appearance", "\n\n".join(filter(None, (says, came.fact.words))))
    for one in case.all(StatementTaken):
        if one.fact.meeting == held.id:
            says = (
                f"{one.fact.sworn} was sworn by {one.fact.administered_by}, "
                f"{writing.local(one.fact.at, zone):%H:%M}."
            )
            yield SealedEntry(
                case.number, "Statement under oath", "\n\n".join(filter(None, (says, one.fact.words)))
            )
    for exhibit in case.exhibits:
        if exhibit.offered.meeting == held.id:
            yield SealedEntry(case.number, f"Exhibit {exhibit.offered.label}", _exhibit(case, exhibit))


def _exhibit(case: CaseFile, exhibit: Exhibit) -> str:
    by = case.party(exhibit.offered_by)
    ruled = "not ruled on" if exhibit.ruled is None else "received" if exhibit.ruled.received else "refused"
    reason = f" ({exhibit.ruled.reason})" if exhibit.ruled is not None and exhibit.ruled.reason else ""
    return (
        f"Offered by {by.named.name if by else 'the Board'}; {ruled}{reason}.\n\n"
        f"SHA-256 {exhibit.offered.sha256}"
    )


def _reasons(step: Act, view: BallotView) -> list[str]:
    """Give what members wrote with the votes that stand."""
    if view.closed is None:
        return []
    counted = dict(view.closed.votes)
    last = {one.fact.person: one.fact for one in view.votes}
    return [
        f"{step.people.name(person)} ({vote.choice.value}): {vote.reasons}"
        for person, vote in last.items()
        if person in counted and vote.reasons
    ]


# -- looking ------------------------------------------------------------------------------------------


def minutes_of(docket: Docket, actor: Actor, meeting: int) -> tuple[int, ...]:
    """Give the ids of the open parts that were written of a meeting, oldest first; open to the whole roster.

    Raises:
        NotAllowed: he is not on the roster.
    """
    with act(docket, actor, Deed.SEE_DOCKET) as step:
        rows = step.session.exec(
            select(FactRow)
            .where(
                FactRow.kind == MinutesWritten.KIND, FactRow.about == meeting, col(FactRow.case_id).is_(None)
            )
            .order_by(col(FactRow.id))
        ).all()
        facts = [recorded(step.docket.keyring, step.session, row).fact for row in rows]
        return tuple(fact.document for fact in facts if isinstance(fact, MinutesWritten))

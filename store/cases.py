"""THE GATE: every act on the record and every look into it passes here.

An act is one transaction: the right is checked where it runs (C2), then facts, effects owed to the
world, the journal's entry and the dates of open steps are written together, or nothing is (C5). A
refusal changes no fact and is journaled in a transaction of its own.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from sqlmodel import Session, col, func, select

from store import journal, outbox
from store.database import Database, connect, insert_row, migrate
from store.ports import Clock, FaultPoints, NoFaults, PingKind, Typesetter
from store.rules import access, casefile, duties, facts, roster
from store.rules.access import Deed, Membership, Scope, Situation, Standing, Via
from store.rules.calendar import Calendar, city_zone, parse_calendar
from store.rules.case_numbers import number_of, pattern_of
from store.rules.casefile import CaseFile
from store.rules.dates import local_date
from store.rules.errors import NoSuchCase, Refusal
from store.rules.facts import (
    CalendarChanged,
    DatesMoved,
    Fact,
    LinkKind,
    PartyNamed,
    PersonLinked,
    PersonNamed,
    Recorded,
    Role,
)
from store.rules.ordinance import Profile, parse_profile, profile_hash
from store.rules.roster import Roster
from store.tables import (
    AdoptedCalendar,
    AdoptedProfile,
    CaseCounter,
    CaseRow,
    Document,
    Due,
    FactRow,
    Lookup,
    RawMail,
    SeenEvent,
    SlackPlace,
)
from store.vault import CITY, DocumentMissing, KeyRef, Keyring, Owner, Vault, city_keys

F = TypeVar("F", bound=Fact)

ROSTER_KINDS = (
    facts.PersonNamed.KIND,
    facts.PersonLinked.KIND,
    facts.PersonUnlinked.KIND,
    facts.RoleTaken.KIND,
    facts.RoleLeft.KIND,
    facts.DeputyNamed.KIND,
    facts.Away.KIND,
)


@dataclass(frozen=True)
class Docket:
    """The city's record, opened: what every proceeding works on.

    Attributes:
        database: the engine and its transactions.
        vault: sealed documents and keys.
        clock: the present instant.
        typesetter: sets letters.
        mail_from: the Board's own address; its domain makes Message-IDs.
        faults: named places where a kill test may stop; empty in the product.
        undo_for: how long a letter waits before it goes, so that it can be taken back (L2).
        practice: a record for practice: everything that leaves is marked (R8).
        alert_to: who is told by mail of alarms and of the journal's head.
    """

    database: Database
    vault: Vault
    clock: Clock
    typesetter: Typesetter
    mail_from: str
    faults: FaultPoints = field(default_factory=NoFaults)
    undo_for: timedelta = timedelta(minutes=5)
    practice: bool = False
    alert_to: tuple[str, ...] = ()
    _rosters: dict[int, Roster] = field(default_factory=dict, repr=False)

    @property
    def keyring(self) -> Keyring:
        """The keys of the vault."""
        return self.vault.keyring


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks, by which way.

    Attributes:
        person: internal id on the roster; None for Docket itself and for somebody unknown.
        via: the way in.
        acting_for: the person he acts for as deputy (decisions 8).
        membership: what he is in the Slack workspace.
    """

    person: int | None
    via: Via
    acting_for: int | None = None
    membership: Membership = Membership.MEMBER


MACHINE = Actor(None, Via.MACHINE)


def open_docket(
    url: str,
    *,
    data: Path,
    keys: tuple[str, ...],
    clock: Clock,
    typesetter: Typesetter,
    profile: str,
    mail_from: str,
    faults: FaultPoints | None = None,
    undo_for: timedelta = timedelta(minutes=5),
    practice: bool = False,
    alert_to: tuple[str, ...] = (),
) -> Docket:
    """Open the record: bring its schema up, prove the keys, adopt the profile when it is new.

    Args:
        url: the database.
        data: the folder that holds the vault.
        keys: the city's keys, newest first.
        clock: the present instant.
        typesetter: sets letters.
        profile: the text of the ordinance profile in force.
        mail_from: the Board's own address.
        faults: for kill tests.
        undo_for: how long a letter can be taken back.
        practice: a record for practice.
        alert_to: who is told by mail of alarms.

    Raises:
        KeysFault: no key, or not the keys of this record.
        RecordUnavailable: the database does not answer.
        BadInput: the profile cannot be used.
    """
    parse_profile(profile)
    database = connect(url, faults)
    keyring = Keyring(city_keys(keys))
    migrate(database)
    docket = Docket(
        database,
        Vault(data / "vault", keyring),
        clock,
        typesetter,
        mail_from,
        faults or NoFaults(),
        undo_for,
        practice,
        alert_to,
    )
    with database.write() as session:
        keyring.prepare(session)
    _adopt_profile(docket, profile)
    return docket


def _adopt_profile(docket: Docket, text: str) -> None:
    """Store a version of the profile by its hash; the newest adopted is the one in force."""
    digest = profile_hash(text)
    with docket.database.read() as session:
        if _profile_in_force(session) == digest:
            return
    with docket.database.write() as session:
        if _profile_in_force(session) == digest:
            return
        now = docket.clock.now()
        row = session.get(AdoptedProfile, digest) or AdoptedProfile(hash=digest, text=text, adopted_at=now)
        row.adopted_at = now
        session.add(row)
        session.flush()
        act = Act(docket, session, MACHINE, Deed.ADOPT_SETTINGS, now, None)
        act.note["profile"] = digest
        act.finish()


def _profile_in_force(session: Session) -> str:
    newest = select(AdoptedProfile.hash).order_by(col(AdoptedProfile.adopted_at).desc()).limit(1)
    return session.exec(newest).first() or ""


@lru_cache(maxsize=16)
def _parsed(text: str) -> Profile:
    return parse_profile(text)


# by hash of the text, so an entry never goes stale, whichever record it came from
_PARSED_BEFORE: dict[str, Profile] = {}


@lru_cache(maxsize=16)
def _parsed_calendar(text: str, zone: str) -> Calendar:
    return parse_calendar(text, city_zone(zone))


def profile_of(session: Session, digest: str = "") -> Profile:
    """Give a stored version of the profile; the one in force without a hash."""
    wanted = digest or _profile_in_force(session)
    found = _PARSED_BEFORE.get(wanted)
    if found is None:
        row = session.get(AdoptedProfile, wanted)
        assert row is not None
        found = _PARSED_BEFORE[wanted] = _parsed(row.text)
    return found


def profile_in_force(session: Session) -> tuple[Profile, str]:
    """Give the profile in force and its hash."""
    digest = _profile_in_force(session)
    return profile_of(session, digest), digest


def number_pattern(docket: Docket) -> str:
    """Give the regular expression of this city's case numbers, for finding them in subjects."""
    with docket.database.read() as session:
        profile, _digest = profile_in_force(session)
    return pattern_of(profile)


def calendar_of(session: Session, profile: Profile) -> Calendar:
    """Give the city's calendar as adopted; an empty one, provisional everywhere, before that."""
    newest = select(AdoptedCalendar).order_by(col(AdoptedCalendar.id).desc()).limit(1)
    row = session.exec(newest).first()
    return _parsed_calendar(row.text if row else "", profile.city.zone)


def calendar_text(session: Session) -> str:
    """Give the calendar in force as TOML text; empty before one was adopted."""
    row = session.exec(select(AdoptedCalendar).order_by(col(AdoptedCalendar.id).desc()).limit(1)).first()
    return row.text if row else ""


def roster_of(docket: Docket, session: Session) -> Roster:
    """Give the roster from its facts; kept in memory until a fact of it is added."""
    newest = session.exec(
        select(FactRow.id)
        .where(col(FactRow.kind).in_(ROSTER_KINDS))
        .order_by(col(FactRow.id).desc())
        .limit(1)
    ).first()
    key = newest or 0
    found = docket._rosters.get(key)  # noqa: SLF001  the docket's own memory, kept here
    if found is None:
        rows = session.exec(
            select(FactRow).where(col(FactRow.kind).in_(ROSTER_KINDS)).order_by(col(FactRow.id))
        )
        found = roster.build(recorded(docket.keyring, session, row).fact for row in rows)
        docket._rosters.clear()  # noqa: SLF001
        docket._rosters[key] = found  # noqa: SLF001
    return found


def case_key(case_id: int | None) -> KeyRef:
    """Give the key that seals a case's texts; the city's own for the Board's business."""
    return CITY if case_id is None else KeyRef(Owner.CASE, case_id)


def recorded(keyring: Keyring, session: Session, row: FactRow) -> Recorded[Fact]:
    """Read a fact's row."""
    fact = facts.from_json(row.kind, keyring.unseal(session, case_key(row.case_id), row.body))
    assert row.id is not None
    return Recorded(
        row.id, fact, row.case_id, row.about, row.supersedes, row.recorded_at, row.recorded_by, row.entry
    )


def load_case(docket: Docket, session: Session, case_id: int) -> CaseFile:
    """Build a case from its facts. For proceedings; everybody else asks `open_case`."""
    row = session.get(CaseRow, case_id)
    assert row is not None
    rows = session.exec(select(FactRow).where(FactRow.case_id == case_id).order_by(col(FactRow.id)))
    read = (recorded(docket.keyring, session, one) for one in rows)
    return casefile.build(case_id, row.number, row.received_at, row.profile_hash, read)


def board_facts(docket: Docket, session: Session, *kinds: type[Fact]) -> Iterator[Recorded[Fact]]:
    """Give the Board's own facts of some kinds (meetings, calendar), in order."""
    rows = session.exec(
        select(FactRow)
        .where(col(FactRow.case_id).is_(None), col(FactRow.kind).in_([kind.KIND for kind in kinds]))
        .order_by(col(FactRow.id))
    )
    for row in rows:
        yield recorded(docket.keyring, session, row)


def case_by_number(session: Session, number: str) -> int | None:
    """Give a case's internal key by its number, with or without regard to case; None if there is none."""
    wanted = number.strip().upper()
    return session.exec(select(CaseRow.id).where(func.upper(CaseRow.number) == wanted)).first()


def case_ids(session: Session) -> list[tuple[int, str]]:
    """Give every case's key and number, newest first. Rights are the caller's business."""
    rows = session.exec(select(CaseRow.id, CaseRow.number).order_by(col(CaseRow.id).desc())).all()
    return [(key, number) for key, number in rows if key is not None]


# -- rights -----------------------------------------------------------------------------------------


def standing_of(actor: Actor, people: Roster, today: date) -> Standing:
    """Look up who asks, now."""
    if actor.via is Via.MACHINE:
        return Standing(machine=True)
    acts_as = actor.acting_for if actor.acting_for is not None else actor.person
    deputy_ok = actor.acting_for is None or (
        actor.person is not None and people.may_act_for(actor.person, actor.acting_for, today)
    )
    return Standing(people.roles(acts_as, today), False, actor.membership, deputy_ok)


def situation_of(actor: Actor, case: CaseFile, standing: Standing) -> Situation:
    """Say how the case stands to who asks; the deputy is walled off for himself and for whom he acts."""
    persons = {person for person in (actor.person, actor.acting_for) if person is not None}
    return Situation(
        screened=case.screened,
        walled=any(case.walled(person) for person in persons),
        recused=bool(persons & case.recused),
        final=case.final,
        seated=any(
            person in ballot.opened.roster
            for person in persons
            for ballot in case.ballots
            if ballot.voided is None
        ),
        intake_cleared=Role.CLERK in standing.roles,
    )


@dataclass(frozen=True, slots=True)
class Look:
    """A case as somebody entitled sees it now, with what its dates need."""

    case: CaseFile
    profile: Profile
    calendar: Calendar
    people: Roster
    standing: Standing
    situation: Situation
    today: date
    now: datetime

    def may(self, deed: Deed) -> bool:
        """Say whether the viewer may do something with this case now."""
        return access.may(deed, self.standing, self.situation)

    @property
    def steps(self) -> tuple[duties.Step, ...]:
        """The case's steps as of today."""
        return duties.steps(self.case, self.profile, self.calendar, self.today)


def look(docket: Docket, actor: Actor, case_id: int, *, deed: Deed = Deed.SEE_CASE) -> Look:
    """Look into a case to draw something of it, without an entry; the right is checked all the same.

    Raises:
        NoSuchCase: there is none, or he may not know of it.
        NotAllowed: he may know of it, but not this.
    """
    with docket.database.read() as session:
        if session.get(CaseRow, case_id) is None:
            raise NoSuchCase
        case = load_case(docket, session, case_id)
        profile = profile_of(session, case.profile_hash)
        calendar = calendar_of(session, profile)
        people = roster_of(docket, session)
    now = docket.clock.now()
    today = local_date(now, profile.city.time_zone)
    standing = standing_of(actor, people, today)
    situation = situation_of(actor, case, standing)
    access.check(deed, standing, situation)
    return Look(case, profile, calendar, people, standing, situation, today, now)


def open_case(docket: Docket, actor: Actor, number: str) -> Look:
    """Open a case for somebody who may see it; the reading is an entry of the journal (C5).

    Raises:
        NoSuchCase: there is none, or the viewer may not know of it; the answer is the same.

    Source: clause (C).
    """
    with act(docket, actor, Deed.SEE_CASE, number=number) as step:
        key = step.case.key
    return look(docket, actor, key)


def visible_cases(docket: Docket, actor: Actor) -> list[Look]:
    """Give every case that somebody may see, newest first; the others are not even counted (B2)."""
    with docket.database.read() as session:
        keys = [key for key, _number in case_ids(session)]
    found = []
    for key in keys:
        try:
            found.append(look(docket, actor, key))
        except (Refusal, DocumentMissing):  # one damaged case hides no other; verify and the sweep name it
            continue
    return found


def entitled(look_: Look, deed: Deed = Deed.SEE_CASE) -> tuple[int, ...]:
    """Give the roster persons who may do something with a case today, by id."""
    found = []
    for person in look_.people.members:
        actor = Actor(person, Via.SLACK)
        standing = standing_of(actor, look_.people, look_.today)
        if access.may(deed, standing, situation_of(actor, look_.case, standing)):
            found.append(person)
    return tuple(found)


# -- acts -------------------------------------------------------------------------------------------


@dataclass
class Act:
    """One act while it runs, inside its transaction.

    Attributes:
        docket: the record.
        session: the transaction.
        actor: who acts.
        deed: what is done.
        now: the instant of the act, UTC.
        case_id: internal key of the case; None for the Board's business.
        note: what the journal's content says besides facts and effects; JSON values only.
    """

    docket: Docket
    session: Session
    actor: Actor
    deed: Deed
    now: datetime
    case_id: int | None
    note: dict[str, Any] = field(default_factory=dict)
    seq: int = 0
    _facts: list[dict[str, Any]] = field(default_factory=list)
    _owed: list[dict[str, Any]] = field(default_factory=list)
    _case: CaseFile | None = None
    # looked up once: the write lock keeps everybody else from changing them while the act runs
    _profile: Profile | None = None
    _calendar: Calendar | None = None
    _people: Roster | None = None

    def __post_init__(self) -> None:
        self.seq = journal.next_seq(self.session)

    @property
    def profile(self) -> Profile:
        """The profile that the case is pinned to; the one in force for the Board's business."""
        if self._profile is None:
            pinned = self.case.profile_hash if self.case_id is not None else ""
            self._profile = profile_of(self.session, pinned)
        return self._profile

    @property
    def calendar(self) -> Calendar:
        """The city's calendar."""
        if self._calendar is None:
            self._calendar = calendar_of(self.session, self.profile)
        return self._calendar

    @property
    def people(self) -> Roster:
        """The roster."""
        if self._people is None:
            self._people = roster_of(self.docket, self.session)
        return self._people

    def turn_to(self, case_id: int) -> None:
        """Make it an act on a case from here on: with the case's own version of the profile."""
        self.case_id = case_id
        self.look_again()

    def look_again(self) -> None:
        """Forget what was looked up, after a change to what the act looks at."""
        self._case = self._profile = self._calendar = self._people = None

    @property
    def today(self) -> date:
        """The day of the act in the city's zone."""
        return local_date(self.now, self.profile.city.time_zone)

    @property
    def case(self) -> CaseFile:
        """The case with every fact so far, those of this act included."""
        assert self.case_id is not None
        if self._case is None:
            self._case = load_case(self.docket, self.session, self.case_id)
        return self._case

    def key_ref(self) -> KeyRef:
        """Give the key that seals this act's texts."""
        return case_key(self.case_id)

    def known(self, dedupe: str) -> int | None:
        """Give the fact that was recorded under a mark before; None if none was."""
        return self.session.exec(select(FactRow.id).where(FactRow.dedupe == dedupe)).first()

    def record(
        self,
        fact: Fact,
        *,
        about: int | None = None,
        supersedes: int | None = None,
        dedupe: str | None = None,
    ) -> int:
        """Record a fact.

        Args:
            fact: what is recorded.
            about: id of the fact that it is about.
            supersedes: id of the fact that it corrects.
            dedupe: a mark under which it is recorded once; check `known` first.

        Returns:
            The fact's id.
        """
        body = facts.to_json(fact)
        fact_id = insert_row(
            self.session,
            FactRow,
            kind=fact.KIND,
            case_id=self.case_id,
            about=about,
            supersedes=supersedes,
            recorded_at=self.now,
            recorded_by=self.actor.person,
            entry=self.seq,
            dedupe=dedupe,
            body=self.docket.keyring.seal(self.session, self.key_ref(), body),
        )
        self._facts.append(
            {
                "id": fact_id,
                "kind": fact.KIND,
                "about": about,
                "supersedes": supersedes,
                "fact": json.loads(body),
            }
        )
        self._add_twins(fact_id, fact)
        self._case = None
        if fact.KIND in ROSTER_KINDS:
            self._people = None
        return fact_id

    def _add_twins(self, fact_id: int, fact: Fact) -> None:
        for what, value, person in _twins(fact):
            insert_row(
                self.session,
                Lookup,
                what=what,
                twin=self.docket.keyring.twin(what, value),
                fact_id=fact_id,
                case_id=self.case_id,
                person_id=person,
            )

    def ping(
        self,
        kind: PingKind,
        *,
        person: int | None = None,
        text: str = "",
        about: Mapping[str, object] | None = None,
        board: bool = False,
    ) -> int:
        """Owe a ping to a person, to the case's channel, or (without either) to the staff channel.

        Args:
            kind: what is shown.
            person: whom to.
            text: words without content, for alarms and reminders.
            about: further keys.
            board: not about this case, though the act is.
        """
        case_id = None if board else self.case_id
        if person is not None:
            destination = f"person:{person}"
        else:
            destination = f"case:{case_id}" if case_id is not None else "staff"
        ping = outbox.owe_ping(
            self.session,
            self.docket.keyring,
            kind=kind,
            destination=destination,
            now=self.now,
            person=person,
            case_id=case_id,
            about=about,
            text=text,
        )
        self._owed.append({"ping": ping, "kind": kind.value, "person": person})
        return ping

    def letter(
        self,
        letter: outbox.Letter,
        *,
        kind: str,
        about: int | None,
        undo: bool = True,
        case: bool = True,
    ) -> int:
        """Owe a letter by mail.

        Args:
            letter: what is owed.
            kind: its kind.
            about: id of its `LetterQueued` fact.
            undo: whether it waits so that it can be taken back.
            case: whether it is about this act's case.
        """
        outbox_id = outbox.owe_letter(
            self.session,
            self.docket.keyring,
            letter,
            kind=kind,
            case_id=self.case_id if case else None,
            about=about,
            now=self.now,
            not_before=self.now + self.docket.undo_for if undo else None,
        )
        self._owed.append({"letter": outbox_id, "kind": kind})
        return outbox_id

    def keep(
        self,
        content: bytes,
        *,
        kind: str,
        media_type: str,
        name: str,
        received_at: datetime,
        finding: str = "",
    ) -> int:
        """Keep a document of the case: sealed under the case's key, its name and finding too.

        Returns:
            The document's id.
        """
        ref = self.key_ref()
        beside = json.dumps({"name": name, "finding": finding}).encode()
        row = Document(
            case_id=self.case_id,
            kind=kind,
            media_type=media_type,
            size=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            vault_name=self.docket.vault.keep(self.session, ref, content),
            key_kind=ref.kind.value,
            key_owner=ref.owner,
            received_at=received_at,
            kept_at=self.now,
            sealed=self.docket.keyring.seal(self.session, ref, beside),
        )
        self.session.add(row)
        self.session.flush()
        assert row.id is not None
        self._owed.append({"document": row.id, "kind": kind, "sha256": row.sha256})
        return row.id

    def new_case(self, received_at: datetime) -> str:
        """Number a case: the year of receipt in the city's zone, the next number, taken for good.

        Source: decisions 18 and 19.
        """
        profile, digest = profile_in_force(self.session)
        year = local_date(received_at, profile.city.time_zone).year
        counter = self.session.get(CaseCounter, year) or CaseCounter(year=year, last=0)
        counter.last += 1
        self.session.add(counter)
        number = number_of(profile, year, counter.last)
        row = CaseRow(
            number=number,
            year=year,
            seq=counter.last,
            received_at=received_at,
            filed_at=self.now,
            profile_hash=digest,
            practice=self.docket.practice,
        )
        self.session.add(row)
        self.session.flush()
        assert row.id is not None
        self.docket.keyring.make(self.session, KeyRef(Owner.CASE, row.id))
        self.turn_to(row.id)
        return number

    def finish(self, *, clause: str = "") -> int:
        """Write the journal's entry and the dates of the case's open steps; the last thing in an act."""
        if self.case_id is not None and self._facts:
            refresh_dues(self)
        right = access.TABLE[self.deed]
        header = journal.Header(
            act=self.deed.value,
            clause=clause or right.clause,
            case=self.case.number if self.case_id is not None else "",
            actor=self.actor.person,
            acting_for=self.actor.acting_for,
            via=self.actor.via.value,
            refused=False,
            profile=self.case.profile_hash if self.case_id is not None else _profile_in_force(self.session),
            calendar=self.calendar.version,
        )
        return journal.append(
            self.session,
            self.docket.keyring,
            self.now,
            header=header,
            content={"facts": self._facts, "effects": self._owed, "note": self.note},
            key=self.key_ref(),
            case_id=self.case_id,
        )


def _twins(fact: Fact) -> Iterator[tuple[str, str, int | None]]:
    """Give what a fact holds that must be found again: kind, value, roster person."""
    match fact:
        case PartyNamed():
            yield "name", fact.name, None
            for email in fact.emails:
                yield "address", email, None
        case PersonNamed():
            for name in (fact.name, *fact.aliases):
                yield "name", name, fact.person
        case PersonLinked():
            what = "address" if fact.kind is LinkKind.EMAIL else fact.kind.value
            yield what, fact.value, fact.person
        case _:
            pass


@contextmanager
def act(
    docket: Docket, actor: Actor, deed: Deed, *, number: str | None = None, case_id: int | None = None
) -> Iterator[Act]:
    """Run one act: check the right, let the caller record facts and effects, write the entry, commit.

    Args:
        docket: the record.
        actor: who acts.
        deed: what; its row in the access table says who may.
        number: the case's number, for acts on a case.
        case_id: the case's internal key instead.

    Raises:
        Refusal: the law, a right or the case's state forbids it; nothing was changed, and the refusal
            is in the journal.
    """
    now = docket.clock.now()
    found: list[int] = []
    try:
        with docket.database.write() as session:
            key = case_id if number is None else case_by_number(session, number)
            step = Act(docket, session, actor, deed, now, None)
            _admit(step, key, found)
            yield step
            step.finish()
    except Refusal as refusal:
        docket.keyring.forget()
        _journal_refusal(docket, actor, deed, refusal, found[0] if found else None)
        raise
    except BaseException:
        docket.keyring.forget()
        raise


def _admit(step: Act, key: int | None, found: list[int]) -> None:
    """Check the right to the act, with the case's state if it is about a case."""
    right = access.TABLE[step.deed]
    standing = standing_of(step.actor, step.people, step.today)
    if right.scope is Scope.BOARD or (standing.machine and key is None):
        access.check(step.deed, standing)
        return
    if key is None or step.session.get(CaseRow, key) is None:
        raise NoSuchCase
    found.append(key)
    step.turn_to(key)
    access.check(step.deed, standing, situation_of(step.actor, step.case, standing))


def _journal_refusal(docket: Docket, actor: Actor, deed: Deed, refusal: Refusal, key: int | None) -> None:
    with docket.database.write() as session:
        step = Act(docket, session, actor, deed, docket.clock.now(), key)
        _profile, digest = profile_in_force(session)
        header = journal.Header(
            act=deed.value,
            clause=refusal.clause,
            case=step.case.number if key is not None else "",
            actor=actor.person,
            acting_for=actor.acting_for,
            via=actor.via.value,
            refused=True,
            profile=digest,
            calendar=step.calendar.version,
        )
        journal.append(
            session,
            docket.keyring,
            step.now,
            header=header,
            content={"refusal": type(refusal).__name__, "says": str(refusal)},
            key=step.key_ref(),
            case_id=key,
        )


# -- dates of open steps ----------------------------------------------------------------------------


def refresh_dues(step: Act) -> None:
    """Write the dates of a case's steps beside its facts, for the sweep; derived, and so rewritten."""
    existing = {
        row.step: row for row in step.session.exec(select(Due).where(Due.case_id == step.case_id)).all()
    }
    for one in duties.steps(step.case, step.profile, step.calendar, step.today):
        row = existing.pop(one.key, None) or Due(case_id=step.case_id or 0, step=one.key, duty=one.duty.id)
        dates = one.dates
        row.act_by = dates.act_by if dates else None
        row.expected_last_day = dates.expected_last_day if dates else None
        row.keep_open_until = dates.keep_open_until if dates else None
        row.remind_on = one.act_by
        row.provisional = one.provisional
        row.settled = not one.is_open
        step.session.add(row)
    for row in existing.values():
        row.settled = True
        step.session.add(row)


def open_cases(session: Session) -> list[int]:
    """Give the cases that have an open step."""
    rows = session.exec(select(Due.case_id).where(Due.settled == False).distinct()).all()  # noqa: E712  SQL's false
    return sorted(rows)


def adopt_calendar(step: Act, text: str, cause: str) -> list[tuple[str, DatesMoved]]:
    """Adopt a calendar and recompute every open step; record old and new dates with the cause (D3).

    Args:
        step: a running act of the Board's business.
        text: the whole calendar as TOML.
        cause: why it changed, in the words of who changed it.

    Returns:
        For each open step whose dates moved: the case's number and what was recorded.

    Raises:
        BadInput: the text is no calendar.
    """
    calendar = _parsed_calendar(text, step.profile.city.zone)
    step.session.add(AdoptedCalendar(version=calendar.version, text=text, adopted_at=step.now))
    step.session.flush()
    step.look_again()
    step.record(CalendarChanged(calendar.version, cause))
    moved = []
    for key in open_cases(step.session):
        moved += _recompute(step, key, cause)
    return moved


def _recompute(step: Act, key: int, cause: str) -> list[tuple[str, DatesMoved]]:
    before = {
        row.step: (row.act_by, row.expected_last_day, row.keep_open_until)
        for row in step.session.exec(select(Due).where(Due.case_id == key, Due.settled == False)).all()  # noqa: E712
    }
    inner = Act(step.docket, step.session, step.actor, step.deed, step.now, key)
    refresh_dues(inner)
    step.session.flush()
    found = []
    for row in step.session.exec(select(Due).where(Due.case_id == key, Due.settled == False)).all():  # noqa: E712
        old = before.get(row.step)
        new = (row.act_by, row.expected_last_day, row.keep_open_until)
        if old is not None and old != new:
            fact = DatesMoved(row.step, _texts(old), _texts(new), cause)
            inner.seq = step.seq
            inner.record(fact)
            found.append((inner.case.number, fact))
    step.note.setdefault("moved", []).extend(inner._facts)  # noqa: SLF001  one entry tells of all cases
    return found


def _texts(days: tuple[date | None, ...]) -> tuple[str, ...]:
    return tuple(day.isoformat() if day else "" for day in days)


# -- documents --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paper:
    """A document as it is listed: its name is for those who may read it."""

    id: int
    kind: str
    media_type: str
    size: int
    sha256: str
    received_at: datetime
    name: str
    finding: str


def papers(docket: Docket, session: Session, case_id: int) -> list[Paper]:
    """Give a case's documents in the order in which they were kept."""
    rows = session.exec(select(Document).where(Document.case_id == case_id).order_by(col(Document.id))).all()
    return [_paper(docket, session, row) for row in rows]


def _paper(docket: Docket, session: Session, row: Document) -> Paper:
    ref = KeyRef(Owner(row.key_kind), row.key_owner)
    beside = json.loads(docket.keyring.unseal(session, ref, row.sealed))
    assert row.id is not None
    return Paper(
        row.id,
        row.kind,
        row.media_type,
        row.size,
        row.sha256,
        row.received_at,
        beside["name"],
        beside.get("finding", ""),
    )


def paper_bytes(docket: Docket, session: Session, document: int) -> tuple[Paper, bytes]:
    """Give a document and its bytes. For proceedings and letters; people go by `read_document`.

    Raises:
        NoSuchCase: there is no such document.
    """
    row = session.get(Document, document)
    if row is None:
        raise NoSuchCase
    ref = KeyRef(Owner(row.key_kind), row.key_owner)
    return _paper(docket, session, row), docket.vault.fetch(session, ref, row.vault_name)


def read_document(
    docket: Docket, actor: Actor, number: str, document: int, *, where: str
) -> tuple[Paper, bytes]:
    """Deliver a document to somebody entitled; each delivery is recorded (C3).

    Args:
        docket: the record.
        actor: who reads.
        number: the case's number.
        document: the document's id.
        where: where it is delivered: ``slack``, ``cli``.

    Raises:
        NoSuchCase: no such case or document that he may know of.
    """
    with act(docket, actor, Deed.READ_DOCUMENT, number=number) as step:
        row = step.session.get(Document, document)
        if row is None or row.case_id != step.case_id:
            raise NoSuchCase
        found = paper_bytes(docket, step.session, document)
        step.record(facts.DocumentShown(document, actor.person or 0, where))
    return found


# -- where Slack shows things -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """Where in Slack something is shown."""

    id: int
    kind: str
    case_id: int | None
    person: int | None
    about: int | None
    channel: str
    ts: str


def shown(
    session: Session,
    kind: str,
    *,
    case_id: int | None = None,
    person: int | None = None,
    about: int | None = None,
) -> list[Shown]:
    """Give the places in Slack of a kind that are still used; the view can be rebuilt without them (C7)."""
    query = select(SlackPlace).where(SlackPlace.kind == kind, SlackPlace.active == True)  # noqa: E712
    for column, value in (
        (SlackPlace.case_id, case_id),
        (SlackPlace.person_id, person),
        (SlackPlace.about, about),
    ):
        if value is not None:
            query = query.where(column == value)
    return [
        Shown(row.id or 0, row.kind, row.case_id, row.person_id, row.about, row.channel, row.ts)
        for row in session.exec(query.order_by(col(SlackPlace.id)))
    ]


def note_shown(
    docket: Docket,
    kind: str,
    *,
    channel: str,
    ts: str = "",
    case_id: int | None = None,
    person: int | None = None,
    about: int | None = None,
) -> None:
    """Note where in Slack something was shown."""
    with docket.database.write() as session:
        session.add(
            SlackPlace(kind=kind, case_id=case_id, person_id=person, about=about, channel=channel, ts=ts)
        )


def forget_shown(docket: Docket, place: int) -> None:
    """Note that a place in Slack is gone."""
    with docket.database.write() as session:
        row = session.get(SlackPlace, place)
        if row is not None:
            row.active = False
            session.add(row)


def claim_event(docket: Docket, event_id: str) -> bool:
    """Claim something that may be delivered several times; False when it was claimed before.

    Args:
        docket: the record.
        event_id: the same for each delivery, at most 255 characters.
    """
    with docket.database.write() as session:
        if session.get(SeenEvent, event_id) is not None:
            return False
        session.add(SeenEvent(event_id=event_id, seen_at=docket.clock.now()))
    return True


def is_claimed(docket: Docket, event_id: str) -> bool:
    """Say whether something that may be delivered several times was claimed."""
    with docket.database.read() as session:
        return session.get(SeenEvent, event_id) is not None


def release_event(docket: Docket, event_id: str) -> None:
    """Give back a claim whose handling failed, so that the next delivery is handled."""
    with docket.database.write() as session:
        row = session.get(SeenEvent, event_id)
        if row is not None:
            session.delete(row)


# -- the whole record -------------------------------------------------------------------------------


def verify(
    docket: Docket, actor: Actor, *, anchor: tuple[int, str] | None = None
) -> journal.ChainFault | None:
    """Check the journal's chain, its contents, and that every fact is the one that was chained (C5).

    The check reads one snapshot and holds up nobody; that it was made, and what it found, is an entry.

    Returns:
        The first thing that is wrong, or None.
    """
    fault = None
    with docket.database.read() as session:
        step = Act(docket, session, actor, Deed.VERIFY, docket.clock.now(), None)
        if access.may(Deed.VERIFY, standing_of(actor, step.people, step.today)):
            fault = (
                journal.verify(session, docket.keyring, anchor=anchor)
                or _verify_facts(step)
                or _verify_vault(step)
            )
    with act(docket, actor, Deed.VERIFY) as entry:
        entry.note["fault"] = fault.says if fault else ""
    return fault


def _verify_facts(step: Act) -> journal.ChainFault | None:
    """Check every fact and document against the entry that tells of it; disposed cases by header alone."""
    session = step.session
    chained: set[int] = set()
    for entry in journal.entries(session, step.docket.keyring):
        for told, moved in _told(entry):
            chained.add(told["id"])
            says = _fact_fault(step, entry, told, moved=moved)
            if says:
                return journal.ChainFault(entry.seq, says)
        for kept in _kept(entry):
            paper = session.get(Document, kept["document"])
            if paper is None or (paper.sha256, paper.kind) != (kept["sha256"], kept["kind"]):
                return journal.ChainFault(entry.seq, "a document that it tells of is gone or was altered")
    for row in session.exec(select(FactRow).order_by(col(FactRow.entry), col(FactRow.id))):
        if row.id not in chained and not _is_disposed(step, row.case_id):
            return journal.ChainFault(row.entry, "a fact stands in no entry")
    return None


def _verify_vault(step: Act) -> journal.ChainFault | None:
    """Open every kept paper and message, and hold its bytes against the hash that was chained."""
    for entry in journal.entries(step.session, step.docket.keyring):
        for kept in _kept(entry):
            paper = step.session.get(Document, kept["document"])
            if paper is not None and not _holds(step, KeyRef(Owner(paper.key_kind), paper.key_owner), paper):
                return journal.ChainFault(
                    entry.seq, "a paper that it tells of is missing from the vault, or was altered"
                )
    for mail in step.session.exec(select(RawMail).order_by(col(RawMail.id))):
        if not _holds(step, KeyRef(Owner.MAIL, mail.id or 0), mail):
            return journal.ChainFault(
                0, f"the raw bytes of message {mail.id} are missing from the vault, or were altered"
            )
    return None


def _holds(step: Act, ref: KeyRef, kept: Document | RawMail) -> bool:
    """Say whether the vault has just the bytes of a row; what was lawfully disposed of counts as held."""
    if step.docket.keyring.is_disposed(step.session, ref):
        return True
    try:
        content = step.docket.vault.fetch(step.session, ref, kept.vault_name)
    except DocumentMissing:
        return False
    return hashlib.sha256(content).hexdigest() == kept.sha256


def _is_disposed(step: Act, case_id: int | None) -> bool:
    return case_id is not None and step.docket.keyring.is_disposed(step.session, case_key(case_id))


def _fact_fault(step: Act, entry: journal.Entry, told: Mapping[str, Any], *, moved: bool) -> str:
    """Say what is wrong with a fact that an entry tells of; empty when it is the one that was chained."""
    row = step.session.get(FactRow, told["id"])
    if row is None:
        return "a fact that it tells of is gone"
    if moved and _is_disposed(step, row.case_id):
        return ""  # the Board's entry told of a case that was disposed of since
    beside = (row.kind, row.about, row.supersedes, row.entry, row.recorded_at, row.recorded_by)
    said = (told["kind"], told["about"], told["supersedes"], entry.seq, entry.at, entry.header["actor"])
    try:
        stored = step.docket.keyring.unseal(step.session, case_key(row.case_id), row.body)
    except (DocumentMissing, Refusal):
        return "a fact that it tells of was altered"
    same = json.loads(stored) == told["fact"] and beside == said
    return "" if same else "a fact that it tells of was altered"


def _told(entry: journal.Entry) -> Iterator[tuple[dict[str, Any], bool]]:
    """Give the facts that an entry tells of, and whether each is a case's in an entry of the Board's."""
    content: Any = entry.content or {}
    yield from ((one, False) for one in content.get("facts", ()))
    yield from ((one, True) for one in content.get("note", {}).get("moved", ()))


def _kept(entry: journal.Entry) -> Iterator[dict[str, Any]]:
    content: Any = entry.content or {}
    yield from (one for one in content.get("effects", ()) if "document" in one)

"""The city's record, opened, and what is read of it by key: profile, calendar, roster, facts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlmodel import Session, col, func, select

from store.database import Database, Prepared, connection_of, once
from store.ports import Clock, FaultPoints, NoFaults, Typesetter
from store.rules import casefile, facts, roster
from store.rules.access import Membership, Via
from store.rules.calendar import Calendar, city_zone, parse_calendar
from store.rules.case_numbers import pattern_of
from store.rules.casefile import CaseFile
from store.rules.facts import (
    Fact,
    Recorded,
)
from store.rules.ordinance import Profile, parse_profile
from store.rules.roster import Roster
from store.tables import (
    AdoptedCalendar,
    AdoptedProfile,
    CaseRow,
    DataKey,
    FactRow,
)
from store.vault import CITY, DocumentMissing, KeyRef, Keyring, Owner, Vault

F = TypeVar("F", bound=Fact)
IN_FORCE, CALENDAR, ROSTER = "profile-in-force", "calendar", "roster"


ROSTER_KINDS = (
    facts.PersonNamed.KIND,
    facts.PersonLinked.KIND,
    facts.PersonUnlinked.KIND,
    facts.RoleTaken.KIND,
    facts.RoleLeft.KIND,
    facts.DeputyNamed.KIND,
    facts.Away.KIND,
    # who presides over the meeting in session has the chair's rights in it
    facts.MeetingOpened.KIND,
    facts.ChairTaken.KIND,
    facts.MeetingClosed.KIND,
)


# asked for by nearly every act and look, and so worked out once
_HASH = sa.select(col(AdoptedProfile.hash)).order_by(col(AdoptedProfile.adopted_at).desc()).limit(1)
_ROSTER_FACT = sa.select(func.max(col(FactRow.id))).where(
    sa.or_(*(col(FactRow.kind) == kind for kind in sorted(ROSTER_KINDS)))
)
_NEWEST_PROFILE = Prepared(_HASH)
_NEWEST_OF_ROSTER = Prepared(_ROSTER_FACT)
_NEWEST_OF_BOTH = Prepared(sa.select(_HASH.scalar_subquery(), _ROSTER_FACT.scalar_subquery()))
_NEWEST_CALENDAR = Prepared(
    sa.select(col(AdoptedCalendar.text)).order_by(col(AdoptedCalendar.id).desc()).limit(1)
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
        plus_addresses: answers and bounces come to addresses with a token (decisions 28).
        test: a record of the test mode: everything that leaves is marked (R8).
        tries: how often somebody from outside was refused on the present day; see `store.cases.acts`.
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
    plus_addresses: bool = True
    test: bool = False

    @property
    def watermark(self) -> str:
        """What is printed across each page; empty for a real record."""
        if self.test:
            return "TEST"
        return "PRACTICE" if self.practice else ""

    _rosters: dict[int, Roster] = field(default_factory=dict, repr=False)
    tries: "dict[tuple[Actor, date], int]" = field(default_factory=dict, repr=False)

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


def hash_in_force(session: Session) -> str:
    """Give the hash of the newest adopted profile; empty before there is one."""
    return once(session, IN_FORCE, lambda: _text(session, _NEWEST_PROFILE))


def _text(session: Session, statement: Prepared) -> str:
    found = statement.first(session)
    return str(found[0] or "") if found else ""


@lru_cache(maxsize=16)
def _parsed(text: str) -> Profile:
    return parse_profile(text)


# by hash of the text, so an entry never goes stale, whichever record it came from
_PARSED_BEFORE: dict[str, Profile] = {}


@lru_cache(maxsize=16)
def read_calendar(text: str, zone: str) -> Calendar:
    """Parse a calendar's text for the city's zone, once for all its readers."""
    return parse_calendar(text, city_zone(zone))


def profile_of(session: Session, digest: str = "") -> Profile:
    """Give a stored version of the profile; the one in force without a hash."""
    wanted = digest or hash_in_force(session)
    found = _PARSED_BEFORE.get(wanted)
    if found is None:
        row = session.get(AdoptedProfile, wanted)
        assert row is not None
        found = _PARSED_BEFORE[wanted] = _parsed(row.text)
    return found


def profile_in_force(session: Session) -> tuple[Profile, str]:
    """Give the profile in force and its hash."""
    digest = hash_in_force(session)
    return profile_of(session, digest), digest


def number_pattern(docket: Docket) -> str:
    """Give the regular expression of this city's case numbers, for finding them in subjects."""
    with docket.database.read() as session:
        profile, _digest = profile_in_force(session)
    return pattern_of(profile)


def calendar_of(session: Session, profile: Profile) -> Calendar:
    """Give the city's calendar as adopted; an empty one, provisional everywhere, before that."""
    return read_calendar(calendar_text(session), profile.city.zone)


def calendar_text(session: Session) -> str:
    """Give the calendar in force as TOML text; empty before one was adopted."""
    return once(session, CALENDAR, lambda: _text(session, _NEWEST_CALENDAR))


def people_and_profile(docket: Docket) -> tuple[Roster, Profile]:
    """Give the roster and the profile in force as one snapshot shows them, for whoever only asks who somebody is.

    Raises:
        RecordUnavailable: the database does not answer.
    """
    newest = docket.database.glance(_NEWEST_OF_BOTH) or (None, None)
    profile = _PARSED_BEFORE.get(str(newest[0] or ""))
    people = docket._rosters.get(newest[1] or 0)  # noqa: SLF001  the docket's own memory, kept here
    if profile is not None and people is not None:
        return people, profile
    with docket.database.read() as session:
        return roster_of(docket, session), profile_in_force(session)[0]


def roster_of(docket: Docket, session: Session) -> Roster:
    """Give the roster from its facts; kept in memory until a fact of it is added."""
    return once(session, ROSTER, lambda: _newest_roster(docket, session))


def _newest_roster(docket: Docket, session: Session) -> Roster:
    newest = _NEWEST_OF_ROSTER.first(session)
    key = (newest[0] if newest else 0) or 0
    found = docket._rosters.get(key)  # noqa: SLF001  the docket's own memory, kept here
    if found is None:
        of_the_roster = col(FactRow.kind).in_(ROSTER_KINDS)
        rows = session.exec(select(FactRow).where(of_the_roster).order_by(col(FactRow.id)))
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


def is_there(docket: Docket, session: Session, case_id: int | None) -> bool:
    """Say whether there is a case of that key that can be opened; one that was disposed of is there no more."""
    if case_id is None or session.get(CaseRow, case_id) is None:
        return False
    return not docket.keyring.is_disposed(session, case_key(case_id))


def load_case(docket: Docket, session: Session, case_id: int) -> CaseFile:
    """Build a case from its facts. For proceedings; everybody else asks `open_case`."""
    row = session.get(CaseRow, case_id)
    assert row is not None
    read = case_facts(docket, session, case_id)
    return casefile.build(case_id, row.number, row.received_at, row.profile_hash, read)


def load_cases(
    docket: Docket, session: Session, keys: Sequence[int], *, leave_out_damaged: bool = False
) -> dict[int, CaseFile]:
    """Build several cases from their facts, with few questions to the database. For the gate.

    Args:
        docket: the record.
        session: a session of it.
        keys: their internal keys; those that are not there, or were disposed of, are not in what it gives.
        leave_out_damaged: leave out what does not open as well.

    Raises:
        DocumentMissing: the facts of one do not open.
    """
    found: dict[int, CaseFile] = {}
    for start in range(0, len(keys), _CASES_AT_ONCE):
        some = {"cases": list(keys[start : start + _CASES_AT_ONCE])}
        there = list(connection_of(session).execute(_THERE, some))
        rows: dict[int, list[Any]] = {}
        for case_id, *row in connection_of(session).execute(_FACTS, some):
            rows.setdefault(case_id, []).append(row)
        for key, number, received_at, profile_hash, wrapped in there:
            docket.keyring.know(case_key(key), wrapped)
            try:
                read = tuple(_opened(docket, session, key, rows.get(key, ())))
            except DocumentMissing:
                if not leave_out_damaged:
                    raise
                continue
            found[key] = casefile.build(key, number, received_at, profile_hash, read)
    return found


def case_facts(docket: Docket, session: Session, case_id: int) -> Iterator[Recorded[Fact]]:
    """Give a case's facts in order, as rows rather than objects that the session would watch."""
    return _opened(docket, session, case_id, _FACTS_OF_ONE.rows(session, case=case_id))


def _opened(
    docket: Docket, session: Session, case_id: int, rows: Iterable[Sequence[Any]]
) -> Iterator[Recorded[Fact]]:
    key, keyring = case_key(case_id), docket.keyring
    for number, kind, about, supersedes, at, by, entry, body in rows:
        fact = facts.from_json(kind, keyring.unseal(session, key, body))
        yield Recorded(number, fact, case_id, about, supersedes, at, by, entry)


_CASES_AT_ONCE = 200
_CASE: sa.Table = CaseRow.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
_FACT: sa.Table = FactRow.__table__  # type: ignore[attr-defined]
_KEY: sa.Table = DataKey.__table__  # type: ignore[attr-defined]
_READ = [
    _FACT.c[name]
    for name in ("id", "kind", "about", "supersedes", "recorded_at", "recorded_by", "entry", "body")
]
_FACTS_OF_ONE = Prepared(
    sa.select(*_READ).where(_FACT.c.case_id == sa.bindparam("case")).order_by(_FACT.c.id)
)
_FACTS = (
    sa.select(_FACT.c.case_id, *_READ)
    .where(_FACT.c.case_id.in_(sa.bindparam("cases", expanding=True)))
    .order_by(_FACT.c.case_id, _FACT.c.id)
)
_THERE = (
    sa.select(_CASE.c.id, _CASE.c.number, _CASE.c.received_at, _CASE.c.profile_hash, _KEY.c.wrapped)
    .join(_KEY, sa.and_(_KEY.c.kind == Owner.CASE.value, _KEY.c.owner == _CASE.c.id))
    .where(_CASE.c.id.in_(sa.bindparam("cases", expanding=True)), _KEY.c.wrapped.is_not(None))
)


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
    wanted = number.strip()
    found = session.exec(select(CaseRow.id).where(CaseRow.number == wanted)).first()
    if found is None:  # no index knows it in other letters
        found = session.exec(select(CaseRow.id).where(func.upper(CaseRow.number) == wanted.upper())).first()
    return found


def case_ids(session: Session) -> list[tuple[int, str]]:
    """Give every case's key and number, newest first. Rights are the caller's business."""
    rows = session.exec(select(CaseRow.id, CaseRow.number).order_by(col(CaseRow.id).desc())).all()
    return [(key, number) for key, number in rows if key is not None]

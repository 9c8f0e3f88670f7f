"""One act on the record is one transaction, or nothing.

The right is checked where it runs (C2), then facts, effects owed to the world, the journal's entry and
the dates of open steps are written together, or nothing is (C5). A refusal changes no fact and is
journaled in a transaction of its own.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, select

from store import journal, outbox
from store.cases.due_dates import refresh_dues
from store.cases.record import (
    ROSTER,
    ROSTER_KINDS,
    Actor,
    Docket,
    calendar_of,
    case_by_number,
    case_facts,
    case_key,
    hash_in_force,
    is_there,
    profile_in_force,
    profile_of,
    roster_of,
)
from store.cases.rights import situation_of, standing_of
from store.database import Prepared, insert_row, look_again
from store.ports import PingKind
from store.rules import access, casefile, facts, texts
from store.rules.access import Deed, Scope
from store.rules.calendar import Calendar
from store.rules.case_numbers import number_of
from store.rules.casefile import CaseFile
from store.rules.dates import local_date
from store.rules.errors import NoSuchCase, Refusal
from store.rules.facts import (
    Fact,
    LinkKind,
    PartyNamed,
    PersonLinked,
    PersonNamed,
    Recorded,
)
from store.rules.ordinance import Profile
from store.rules.roster import Roster
from store.tables import (
    CaseCounter,
    CaseRow,
    Document,
    FactRow,
    Lookup,
)
from store.vault import KeyRef, Owner

EACH_ENTERED = 500
"""So many refusals of somebody from outside have an entry each on one day; later ones are summed up."""

_COUNTER: sa.Table = CaseCounter.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
_LAST_NUMBER = Prepared(sa.select(_COUNTER.c.last).where(_COUNTER.c.year == sa.bindparam("of")))
_COUNT_ON = Prepared(
    sa.update(_COUNTER).where(_COUNTER.c.year == sa.bindparam("of")).values(last=_COUNTER.c.last + 1)
)


@dataclass(frozen=True, slots=True)
class _Numbered:
    """What stands of a case beside its facts."""

    number: str
    received_at: datetime
    profile_hash: str


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
        is_new: the case was made by this act.
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
    is_new: bool = False
    _read: list[Recorded[Fact]] | None = None
    _row: _Numbered | None = None
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
            pinned = self._numbered(self.case_id).profile_hash if self.case_id is not None else ""
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
        self._case = self._profile = self._calendar = self._people = self._row = self._read = None

    @property
    def today(self) -> date:
        """The day of the act in the city's zone."""
        return local_date(self.now, self.profile.city.time_zone)

    @property
    def case(self) -> CaseFile:
        """The case with every fact so far, those of this act included."""
        assert self.case_id is not None
        if self._case is None:
            row, read = self._numbered(self.case_id), self._recorded(self.case_id)
            self._case = casefile.build(
                self.case_id, row.number, row.received_at, row.profile_hash, tuple(read)
            )
        return self._case

    def _numbered(self, case_id: int) -> "_Numbered":
        if self._row is None:
            row = self.session.get(CaseRow, case_id)
            assert row is not None
            self._row = _Numbered(row.number, row.received_at, row.profile_hash)
        return self._row

    def _recorded(self, case_id: int) -> list[Recorded[Fact]]:
        """Give the case's facts, read once: the write lock lets only this act add to them."""
        if self._read is None:
            self._read = list(case_facts(self.docket, self.session, case_id))
        return self._read

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

        Raises:
            BadInput: a text in it that somebody typed is too long (`store.rules.texts`).
        """
        body = facts.to_json(fact)
        content = json.loads(body)
        if self.actor.person is not None:
            texts.check(content, clause=access.TABLE[self.deed].clause)
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
        if self._read is not None:
            same = facts.from_json(fact.KIND, body)
            self._read.append(
                Recorded(
                    fact_id, same, self.case_id, about, supersedes, self.now, self.actor.person, self.seq
                )
            )
        self._facts.append(
            {
                "id": fact_id,
                "kind": fact.KIND,
                "about": about,
                "supersedes": supersedes,
                "dedupe": dedupe,
                "fact": content,
            }
        )
        self._add_twins(fact_id, fact)
        self._case = None
        if fact.KIND in ROSTER_KINDS:
            self._people = None
            look_again(self.session, ROSTER)
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
        sha256: str = "",
    ) -> int:
        """Keep a document of the case: sealed under the case's key, its name and finding too.

        Its SHA-256 in hex is taken as given where it is.

        Returns:
            The document's id.
        """
        ref = self.key_ref()
        beside = json.dumps({"name": name, "finding": finding}).encode()
        sha256 = sha256 or hashlib.sha256(content).hexdigest()
        document = insert_row(
            self.session,
            Document,
            case_id=self.case_id,
            kind=kind,
            media_type=media_type,
            size=len(content),
            sha256=sha256,
            vault_name=self.docket.vault.keep(self.session, ref, content, sha256=sha256),
            key_kind=ref.kind.value,
            key_owner=ref.owner,
            received_at=received_at,
            kept_at=self.now,
            sealed=self.docket.keyring.seal(self.session, ref, beside),
        )
        self._owed.append({"document": document, "kind": kind, "sha256": sha256})
        return document

    def new_case(self, received_at: datetime) -> str:
        """Number a case: the year of receipt in the city's zone, the next number, taken for good.

        Source: decisions 18 and 19.
        """
        profile, digest = profile_in_force(self.session)
        year = local_date(received_at, profile.city.time_zone).year
        last = self._next_of(year)
        number = number_of(profile, year, last)
        key = insert_row(
            self.session,
            CaseRow,
            number=number,
            year=year,
            seq=last,
            received_at=received_at,
            filed_at=self.now,
            profile_hash=digest,
            practice=self.docket.practice,
        )
        self.docket.keyring.make(self.session, KeyRef(Owner.CASE, key))
        self.turn_to(key)
        self.is_new, self._read, self._row = True, [], _Numbered(number, received_at, digest)
        return number

    def _next_of(self, year: int) -> int:
        """Take the next number of a year; under the write lock, and so once."""
        last = _LAST_NUMBER.first(self.session, of=year)
        if last is None:
            insert_row(self.session, CaseCounter, year=year, last=1)
            return 1
        _COUNT_ON.rows(self.session, of=year)
        return int(last[0]) + 1

    def _pinned(self) -> str:
        if self.case_id is None:
            return hash_in_force(self.session)
        return self._numbered(self.case_id).profile_hash

    def finish(self, *, clause: str = "") -> int:
        """Write the journal's entry and the dates of the case's open steps; the last thing in an act.

        Raises:
            BadInput: a text in the note that somebody typed is too long.
        """
        if self.actor.person is not None:
            texts.check(self.note, clause=access.TABLE[self.deed].clause)
        if self.case_id is not None and self._facts:
            refresh_dues(self)
        right = access.TABLE[self.deed]
        header = journal.Header(
            act=self.deed.value,
            clause=clause or right.clause,
            case=self._numbered(self.case_id).number if self.case_id is not None else "",
            actor=self.actor.person,
            acting_for=self.actor.acting_for,
            via=self.actor.via.value,
            refused=False,
            profile=self._pinned(),
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
    found: list[int] = []
    try:
        with docket.database.write() as session:
            # under the lock: who had to wait for it acts after those he waited for, by the clock too
            now = docket.clock.now()
            key = case_id if number is None else case_by_number(session, number)
            step = Act(docket, session, actor, deed, now, None)
            _admit(step, key, found)
            yield step
            step.finish()
    except Refusal as refusal:
        docket.keyring.forget()
        if docket.database.is_joined:
            raise  # what it is a part of is undone; done alone it is refused again, and journaled
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
    if key is None or not is_there(step.docket, step.session, key):
        raise NoSuchCase
    found.append(key)
    step.turn_to(key)
    access.check(step.deed, standing, situation_of(step.actor, step.case, standing))


def _journal_refusal(docket: Docket, actor: Actor, deed: Deed, refusal: Refusal, key: int | None) -> None:
    with docket.database.write() as session:
        step = Act(docket, session, actor, deed, docket.clock.now(), key)
        tried = _tries(step)
        if not _is_entered(tried):
            return
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
            content={"refusal": type(refusal).__name__, "says": str(refusal), **_summed(tried)},
            key=step.key_ref(),
            case_id=key,
        )


def _tries(step: Act) -> int:
    """Count what somebody who is not on the roster tried on this day; 0 for everybody else.

    All accounts that no link names are one: many strangers write no more than one does.
    """
    if not access.is_outside(standing_of(step.actor, step.people, step.today)):
        return 0
    tries = step.docket.tries
    for old in [one for one in tries if one[1] != step.today]:
        del tries[old]
    place = (step.actor, step.today)
    tries[place] = tries.get(place, 0) + 1
    return tries[place]


def _is_entered(tried: int) -> bool:
    """Say whether a try has an entry: each of the day's first ones, then the one at each doubling, which sums up."""
    return tried <= EACH_ENTERED or (tried % EACH_ENTERED == 0 and (tried // EACH_ENTERED).bit_count() == 1)


def _summed(tried: int) -> dict[str, int]:
    """Say in an entry how often he tried on this day, and at which number the next entry comes."""
    return {"tries_today": tried, "next_entry_at": 2 * tried} if tried >= EACH_ENTERED else {}

"""Disposal of closed files: only by a list that two people approved, never by a timer (C9).

What is destroyed is the key of each case and of its messages, so that nothing of them opens any more, here or in the
database; their sealed files go as well. The journal keeps every header and hash, and the case keeps its number.

Source: KRS 171.410-740; law.md, records and confidentiality.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import sqlalchemy as sa
from sqlmodel import col, select

from store.cases import (
    Act,
    Actor,
    Docket,
    act,
    board_facts,
    case_by_number,
    case_ids,
    case_key,
    forget_line,
    load_case,
    profile_of,
    situation_of,
    standing_of,
)
from store.database import connection_of
from store.rules import access
from store.rules.access import Deed
from store.rules.casefile import CaseFile
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotNow, Refusal
from store.rules.facts import CaseClosed, DisposalApproved, DisposalCarriedOut, DisposalListed
from store.tables import DataKey, Document, Due, Lookup, MailItem, OutboxRow, RawMail
from store.vault import DocumentMissing, Owner

CLAUSE = "KRS 171.410-740"
APPROVALS = 2


@dataclass(frozen=True, slots=True)
class DisposalList:
    """A list as it stands.

    Attributes:
        id: the list's id.
        listed: what is on it, and why.
        listed_at: when it was made, UTC.
        approved_by: persons who approved it, in order.
        carried_out_at: when it was carried out, UTC; None before.
    """

    id: int
    listed: DisposalListed
    listed_at: datetime
    approved_by: tuple[int, ...]
    carried_out_at: datetime | None


def may_be_listed(docket: Docket, actor: Actor) -> tuple[str, ...]:
    """Give the numbers of closed files whose time is over and that no hold stops, as far as he may see them.

    Raises:
        NotAllowed: it is not his to do.
    """
    with act(docket, actor, Deed.LIST_DISPOSAL) as step:
        step.note["what"] = "due"
        found = []
        for key, number in case_ids(step.session):
            try:
                _due(step, key)
            except (Refusal, DocumentMissing):
                continue
            found.append(number)
        return tuple(sorted(found))


def list_disposal(docket: Docket, actor: Actor, numbers: Sequence[str], *, reason: str) -> int:
    """Put closed files on a list for disposal.

    Args:
        docket: the record.
        actor: the clerk.
        numbers: the cases.
        reason: why now.

    Returns:
        The list's id.

    Raises:
        BadInput: no case, no reason, or a case twice.
        NoSuchCase: he may not know of one.
        NotNow: one is not closed, on hold, or its time is not over.
        AlreadyDone: a list that was not carried out names the same cases.
    """
    with act(docket, actor, Deed.LIST_DISPOSAL) as step:
        if not numbers or not reason.strip() or len(set(numbers)) != len(numbers):
            raise BadInput(
                "A list names each case once, and says why.", mend="Name the cases and the reason."
            )
        keys = [case_by_number(step.session, number) or 0 for number in numbers]
        cases = [_due(step, key) for key in keys]
        same = [
            one.id
            for one in _lists(step)
            if one.carried_out_at is None and set(one.listed.cases) == set(keys)
        ]
        if same:
            raise AlreadyDone(
                f"List {same[0]} names these cases, and was not carried out.",
                clause=CLAUSE,
                mend=f"Two different people approve it: docket disposal approve {same[0]}.",
            )
        schedules = {_schedule(step, case) for case in cases}
        return step.record(
            DisposalListed(
                tuple(keys),
                tuple(case.number for case in cases),
                "; ".join(sorted(schedules)),
                reason.strip(),
            )
        )


def approve_disposal(docket: Docket, actor: Actor, list_id: int) -> int:
    """Approve a list; it takes two different people.

    Returns:
        How many approvals are still needed.

    Raises:
        BadInput: there is no such list.
        AlreadyDone: he approved it, or it was carried out.
        NotNow: a case of it may not be disposed of any more.
    """
    with act(docket, actor, Deed.APPROVE_DISPOSAL) as step:
        found = _open_list(step, list_id)
        persons = {one for one in (actor.person, actor.acting_for) if one is not None}
        if persons & _who_approved(step, list_id):
            raise AlreadyDone(
                "You approved this list, or the one you act for did.",
                clause=CLAUSE,
                mend="Somebody else must.",
            )
        for key in found.listed.cases:
            _due(step, key)
        assert actor.person is not None
        step.record(DisposalApproved(actor.person, actor.acting_for), about=list_id)
        return max(APPROVALS - len(found.approved_by) - 1, 0)


def carry_out(docket: Docket, actor: Actor, list_id: int) -> tuple[str, ...]:
    """Destroy the keys of every case of an approved list; all of them, or none.

    Returns:
        The numbers of the cases.

    Raises:
        BadInput: there is no such list.
        NotNow: two people have not approved it, or a case of it may not be disposed of any more.
        AlreadyDone: it was carried out.
    """
    with act(docket, actor, Deed.CARRY_OUT_DISPOSAL) as step:
        found = _open_list(step, list_id)
        if len(found.approved_by) < APPROVALS:
            raise NotNow(
                f"Two different people approve a list; {len(found.approved_by)} did.",
                clause=CLAUSE,
                mend="docket disposal approve.",
            )
        for key in found.listed.cases:
            _due(step, key)
        files = [path for key in found.listed.cases for path in _destroy(step, key)]
        step.record(DisposalCarriedOut(step.now, found.listed.numbers), about=list_id)
    docket.keyring.forget()
    docket.faults.reach("disposal.keys-destroyed")
    for path in files:  # sealed under keys that are gone; what a crash leaves here opens to nobody
        path.unlink(missing_ok=True)
    return found.listed.numbers


def disposal_lists(docket: Docket, actor: Actor) -> tuple[DisposalList, ...]:
    """Give every list, as it stands.

    Raises:
        NotAllowed: it is not his to see.
    """
    with act(docket, actor, Deed.APPROVE_DISPOSAL) as step:
        step.note["what"] = "shown"
        return tuple(_lists(step))


# -- what may go --------------------------------------------------------------------------------------


def _due(step: Act, key: int) -> CaseFile:
    """Give a case that may be disposed of now.

    Raises:
        NoSuchCase: there is none that the actor may know of.
        NotNow: it is not closed, a hold stands, it goes on, or its time is not over.
    """
    if not key or step.docket.keyring.is_disposed(step.session, case_key(key)):
        raise NoSuchCase
    case = load_case(step.docket, step.session, key)
    standing = standing_of(step.actor, step.people, step.today)
    access.check(Deed.HOLD, standing, situation_of(step.actor, case, standing))
    if not case.closed:
        raise NotNow(f"Case {case.number} is not closed.", clause=CLAUSE, mend="Close it first.")
    if case.on_hold:
        raise NotNow(
            f"A hold stands on case {case.number}.", clause=CLAUSE, mend="It is lifted with a reason only."
        )
    ends = kept_until(step, case)
    if ends is None:
        raise NotNow(
            "The profile names no retention schedule, so nothing is disposed of.",
            clause=CLAUSE,
            mend="Add its [retention] table with the records officer.",
        )
    if step.today <= ends:
        raise NotNow(
            f"Case {case.number} is kept until {ends.isoformat()}.",
            clause=CLAUSE,
            mend="List it after that day.",
        )
    return case


def kept_until(step: Act, case: CaseFile) -> date | None:
    """Give the last day on which a closed file is kept; None where no schedule is named.

    The years run from the day after the closing, so that the same day of the last year is still one of them.

    The longer of the schedule in force and the one of the case's own version of the profile counts.
    """
    closed = case.last(CaseClosed)
    profiles = (step.profile, profile_of(step.session, case.profile_hash))
    if closed is None or step.profile.retention is None:
        return None
    years = max(one.retention.years for one in profiles if one.retention is not None)
    day = local_date(closed.fact.at, step.profile.city.time_zone)
    try:
        return day.replace(year=day.year + years)
    except ValueError:  # 29 February
        return date(day.year + years, 3, 1)


def _schedule(step: Act, _case: CaseFile) -> str:
    assert step.profile.retention is not None
    return f"{step.profile.retention.schedule}, {step.profile.retention.years} years"


# -- lists --------------------------------------------------------------------------------------------


def _lists(step: Act) -> Iterator[DisposalList]:
    facts = list(board_facts(step.docket, step.session, DisposalListed, DisposalApproved, DisposalCarriedOut))
    for one in facts:
        if not isinstance(one.fact, DisposalListed):
            continue
        about = [other for other in facts if other.about == one.id]
        ends = [other.fact.at for other in about if isinstance(other.fact, DisposalCarriedOut)]
        approved = [other.fact.person for other in about if isinstance(other.fact, DisposalApproved)]
        yield DisposalList(one.id, one.fact, one.at, tuple(approved), ends[0] if ends else None)


def _open_list(step: Act, list_id: int) -> DisposalList:
    found = next((one for one in _lists(step) if one.id == list_id), None)
    if found is None:
        raise BadInput("There is no such list.", mend="See: docket disposal show.")
    if found.carried_out_at is not None:
        raise AlreadyDone("This list was carried out.", clause=CLAUSE)
    return found


def _who_approved(step: Act, list_id: int) -> set[int]:
    """Give everybody who stands behind an approval: who gave it, and for whom."""
    approvals = [
        one.fact
        for one in board_facts(step.docket, step.session, DisposalApproved)
        if isinstance(one.fact, DisposalApproved) and one.about == list_id
    ]
    return {person for one in approvals for person in (one.person, one.acting_for) if person is not None}


# -- destroying ---------------------------------------------------------------------------------------


def _destroy(step: Act, key: int) -> list[Path]:
    """Destroy the keys of a case and of messages that are its alone; give the sealed files that go with them."""
    session, root = step.session, step.docket.vault.root
    raws = _messages_of(step, key)
    names = list(session.exec(select(Document.vault_name).where(Document.case_id == key)).all())
    names += [one.vault_name for one in raws]
    for kind, owner in [(Owner.CASE, key), *((Owner.MAIL, one.id or 0) for one in raws)]:
        row = session.exec(
            select(DataKey).where(DataKey.kind == kind.value, DataKey.owner == owner)
        ).one_or_none()
        if row is not None:
            row.wrapped, row.disposed_at = None, step.now
            session.add(row)
    connection = connection_of(session)
    connection.execute(sa.delete(Lookup).where(col(Lookup.case_id) == key))
    connection.execute(sa.delete(Due).where(col(Due.case_id) == key))
    forget_line(session, key)
    connection.execute(
        sa.update(OutboxRow)
        .where(col(OutboxRow.case_id) == key)
        .values(token_twin=None, message_id_twin=None)
    )
    connection.execute(sa.update(MailItem).where(col(MailItem.case_id) == key).values(message_id_twin=None))
    session.flush()
    return [root / name[:2] / name[2:] for name in names]


def _messages_of(step: Act, key: int) -> list[RawMail]:
    """Give the messages that belong to this case and to nothing else."""
    rows = step.session.exec(
        select(RawMail).join(MailItem, col(MailItem.raw_id) == col(RawMail.id)).where(MailItem.case_id == key)
    ).unique()
    found = []
    for row in rows:
        owners = set(step.session.exec(select(MailItem.case_id).where(MailItem.raw_id == row.id)).all())
        if owners == {key}:
            found.append(row)
    return found

r"""The journal: append-only, hash-chained, one chain (C5, decisions 21).

An entry has a header and a content. The header stands in the chain in the clear and names nobody: act,
clause, case number, internal ids, the versions in force, and the salted hash of the content. The
content is sealed beside it under its case's key, so that a disposal destroys it without breaking the
chain. `hash = SHA-256(prev + "\n" + header)`; the first entry's `prev` is 64 zeros.
"""

import contextlib
import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session, col, select

from store.database import Prepared, insert_row, keep_in_mind, once
from store.tables import JournalRow
from store.vault import DocumentMissing, KeyRef, Keyring, Owner

GENESIS = "0" * 64
_HEAD = "journal-head"
_ENTRIES: sa.Table = JournalRow.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
_NEWEST = Prepared(sa.select(_ENTRIES.c.seq, _ENTRIES.c.hash).order_by(_ENTRIES.c.seq.desc()).limit(1))


@dataclass(frozen=True, slots=True)
class Header:
    """What an entry shows in the clear.

    Attributes:
        act: what was done, a word of the access table.
        clause: under which clause or statute.
        case: the case's number; empty for the Board's own business.
        actor: internal id of the person; None for Docket itself or a party's mail.
        acting_for: internal id of the person acted for.
        via: slack, cli, mail or machine.
        refused: True when the act was asked for and refused.
        profile: hash of the ordinance profile in force.
        calendar: version of the calendar in force.
    """

    act: str
    clause: str
    case: str
    actor: int | None
    acting_for: int | None
    via: str
    refused: bool
    profile: str
    calendar: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as it is read: its place, header, and its content where the key still opens it."""

    seq: int
    at: datetime
    header: Mapping[str, object]
    content: Mapping[str, object] | None
    hash: str


@dataclass(frozen=True, slots=True)
class ChainFault:
    """The first entry that does not fit, and in what.

    Attributes:
        seq: the entry; 0 where it is none.
        says: in what.
        derived: the record is whole, and only what is derived from it for the lists is not what it tells.
    """

    seq: int
    says: str
    derived: bool = False

    @property
    def in_words(self) -> str:
        """What is wrong and what to do, in one line."""
        if self.derived:
            return (
                f"The record is whole, but {self.says}. Run docket reindex; it changes nothing of the record."
            )
        return (
            f"Entry {self.seq} of the journal is wrong: {self.says}. Stop Docket, keep everything as it is, "
            "and compare with the last backup."
        )


def next_seq(session: Session) -> int:
    """Give the number that the next entry will have, inside a write transaction."""
    return head(session)[0] + 1


def append(
    session: Session,
    keyring: Keyring,
    at: datetime,
    *,
    header: Header,
    content: Mapping[str, object],
    key: KeyRef,
    case_id: int | None,
) -> int:
    """Write the next entry, inside the transaction that writes the facts it tells of.

    Args:
        session: a session of `Database.write`; its lock makes this the only writer.
        keyring: seals the content.
        at: the instant of the act, UTC.
        header: what stands in the clear.
        content: what is sealed: facts and effects, JSON values only.
        key: whose key seals it.
        case_id: internal key of the case.

    Returns:
        The entry's number.
    """
    last, prev = head(session)
    seq = last + 1
    salt = secrets.token_hex(16)
    text = _canonical(dict(content))
    in_the_clear = _canonical(
        {
            "seq": seq,
            "at": at.isoformat(),
            "content": hashlib.sha256(f"{salt}{text}".encode()).hexdigest(),
            "key": f"{key.kind}:{key.owner}",
            **{name: getattr(header, name) for name in Header.__slots__},
        }
    )
    hashed = chain(prev, in_the_clear)
    insert_row(
        session,
        JournalRow,
        seq=seq,
        prev=prev,
        hash=hashed,
        header=in_the_clear,
        case_id=case_id,
        at=at,
        act=header.act,
        body=keyring.seal(session, key, f"{salt}{text}".encode()),
    )
    keep_in_mind(session, _HEAD, (seq, hashed))
    return seq


def chain(prev: str, header: str) -> str:
    """Give an entry's hash from its predecessor's and its own header text."""
    return hashlib.sha256(f"{prev}\n{header}".encode()).hexdigest()


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def head(session: Session) -> tuple[int, str]:
    """Give the number and hash of the newest entry; 0 and 64 zeros for an empty journal."""

    def look() -> tuple[int, str]:
        found = _NEWEST.first(session)
        return (found[0], found[1]) if found else (0, GENESIS)

    return once(session, _HEAD, look)


def hashes(session: Session, numbers: Sequence[int]) -> dict[int, str]:
    """Give the hash of each of these entries that is there."""
    rows = session.exec(select(JournalRow.seq, JournalRow.hash).where(col(JournalRow.seq).in_(numbers)))
    return dict(rows.all())


def entries(session: Session, keyring: Keyring, *, case_id: int | None = None) -> Iterator[Entry]:
    """Give entries in order, all of them or one case's, with content where it can be opened."""
    query = select(JournalRow).order_by(col(JournalRow.seq))
    if case_id is not None:
        query = query.where(JournalRow.case_id == case_id)
    for row in session.exec(query.execution_options(yield_per=500)):
        yield _read(session, keyring, row)


def newest(session: Session, keyring: Keyring, count: int) -> list[Entry]:
    """Give the newest entries, oldest of them first."""
    rows = session.exec(select(JournalRow).order_by(col(JournalRow.seq).desc()).limit(count)).all()
    return [_read(session, keyring, row) for row in reversed(rows)]


def key_of(header: Mapping[str, object]) -> KeyRef:
    """Give the key under which an entry's content is sealed."""
    kind, _, owner = str(header["key"]).partition(":")
    return KeyRef(Owner(kind), int(owner))


def _read(session: Session, keyring: Keyring, row: JournalRow) -> Entry:
    header = json.loads(row.header)
    content = None
    if not keyring.is_disposed(session, key_of(header)):
        with contextlib.suppress(DocumentMissing):
            content = json.loads(keyring.unseal(session, key_of(header), row.body).decode()[32:])
    return Entry(row.seq, row.at, header, content, row.hash)


def verify(
    session: Session,
    keyring: Keyring,
    *,
    anchor: tuple[int, str] | None = None,
    came_to: Callable[[int], None] = lambda _seq: None,
) -> ChainFault | None:
    """Check the whole chain and every content that can still be opened.

    Args:
        session: any session.
        keyring: opens contents; one whose key was disposed of is checked by its header alone.
        anchor: number and hash of an earlier head, as mailed out; shows a tail that was cut.
        came_to: told the number of each entry that was checked, for whoever waits (R9).

    Returns:
        The first entry that is wrong and why, or None when all is well.
    """
    prev, expected = GENESIS, 1
    seen_anchor = anchor is None or anchor[0] == 0
    for row in session.exec(
        select(JournalRow).order_by(col(JournalRow.seq)).execution_options(yield_per=500)
    ):
        fault = _check_row(session, keyring, row, prev, expected)
        if fault:
            return fault
        if anchor and row.seq == anchor[0]:
            seen_anchor = True
            if row.hash != anchor[1]:
                return ChainFault(row.seq, "the chain up to here is not the one whose head was mailed out")
        prev, expected = row.hash, expected + 1
        came_to(row.seq)
    if not seen_anchor and anchor:
        return ChainFault(expected, f"the journal ends before entry {anchor[0]}, whose head was mailed out")
    return None


def verify_newest(session: Session, keyring: Keyring, count: int) -> ChainFault | None:
    """Check the newest entries alone, for a quick look; the whole chain is checked by `verify`.

    Returns:
        The first of them that is wrong and why, or None.
    """
    rows = session.exec(select(JournalRow).order_by(col(JournalRow.seq).desc()).limit(count)).all()[::-1]
    prev, expected = (rows[0].prev, rows[0].seq) if rows else (GENESIS, 1)
    for row in rows:
        fault = _check_row(session, keyring, row, prev, expected)
        if fault:
            return fault
        prev, expected = row.hash, expected + 1
    return None


def _case_of(header: Mapping[str, object]) -> int | None:
    """Give the internal key of the case that an entry is about, by the key that seals it; None for the Board's."""
    ref = key_of(header)
    return ref.owner if ref.kind is Owner.CASE else None


def _check_row(
    session: Session, keyring: Keyring, row: JournalRow, prev: str, expected: int
) -> ChainFault | None:
    if row.seq != expected:
        return ChainFault(expected, f"the entry is missing; the next one is {row.seq}")
    if row.prev != prev or row.hash != chain(row.prev, row.header):
        return ChainFault(row.seq, "its header or its place in the chain was altered")
    header = json.loads(row.header)
    beside = (row.seq, row.at.isoformat(), row.act, row.case_id)
    if (header["seq"], header["at"], header["act"], _case_of(header)) != beside:
        return ChainFault(row.seq, "the columns beside its header were altered")
    return _check_content(session, keyring, row, header)


def _check_content(
    session: Session, keyring: Keyring, row: JournalRow, header: Mapping[str, object]
) -> ChainFault | None:
    if keyring.is_disposed(session, key_of(header)):
        return None
    try:
        sealed = keyring.unseal(session, key_of(header), row.body)
    except DocumentMissing:
        return ChainFault(row.seq, "its sealed content was altered or belongs to another entry")
    if hashlib.sha256(sealed).hexdigest() != header["content"]:
        return ChainFault(row.seq, "its content is not the one that was chained")
    return None

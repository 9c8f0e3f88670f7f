"""Mail taken: raw bytes, sighting and item are kept before anything is read (I1, I2, I10).

Whatever happens to the process afterwards, the item is in exactly one place, and a message seen again,
in any folder, under any UIDVALIDITY, is known by its bytes.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import sqlalchemy as sa
from sqlmodel import Session, col, select

from store.cases import (
    MACHINE,
    Act,
    Docket,
    act,
)
from store.database import Prepared, insert_row, plain_faults
from store.rules.access import Deed
from store.rules.errors import NoSuchCase
from store.rules.facts import (
    MailPlaced,
    Place,
    SightedAgain,
)
from store.tables import CaseRow, MailboxStart, MailItem, RawMail, Sighting
from store.vault import KeyRef, Owner

_RAW: sa.Table = RawMail.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
_NAMED_IN_THE_VAULT = Prepared(
    sa.update(_RAW).where(_RAW.c.id == sa.bindparam("row")).values(vault_name=sa.bindparam("vault"))
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a message lies in a mailbox: its identity there (decisions 30)."""

    server: str
    account: str
    folder: str
    uidvalidity: int
    uid: int
    size: int
    internaldate: datetime
    offset_minutes: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a message that was taken.

    Attributes:
        item: its item; the first one's when the bytes were known.
        again: the record had these bytes before.
    """

    item: int
    again: bool


@dataclass(frozen=True, slots=True)
class Item:
    """A message that waits to be read."""

    id: int
    received_at: datetime
    offset_minutes: int
    taken_at: datetime
    tries: int
    folder: str
    declared_size: int


def starting_date(docket: Docket, server: str, account: str, folder: str) -> datetime | None:
    """Give from when on a folder is read (I10), UTC; None before it was ever asked."""
    with docket.database.read() as session:
        row = _start(session, server, account, folder)
        return row.read_from if row else None


def set_starting_date(docket: Docket, server: str, account: str, folder: str, read_from: datetime) -> None:
    """Record from when on a folder is read; the first answer stands."""
    with docket.database.write() as session:
        if _start(session, server, account, folder) is None:
            session.add(MailboxStart(server=server, account=account, folder=folder, read_from=read_from))


def _start(session: Session, server: str, account: str, folder: str) -> MailboxStart | None:
    return session.exec(
        select(MailboxStart).where(
            MailboxStart.server == server, MailboxStart.account == account, MailboxStart.folder == folder
        )
    ).one_or_none()


def known_spots(docket: Docket, server: str, account: str, folder: str) -> frozenset[Spot]:
    """Give every spot of a folder that was taken, whatever its UIDVALIDITY."""
    with docket.database.read() as session:
        rows = session.exec(
            select(Sighting).where(
                Sighting.server == server, Sighting.account == account, Sighting.folder == folder
            )
        )
        return frozenset(
            Spot(
                server,
                account,
                folder,
                row.uidvalidity,
                row.uid,
                row.size,
                row.internaldate,
                row.offset_minutes,
            )
            for row in rows
        )


def take_mail(docket: Docket, spot: Spot, raw: bytes) -> Taken:
    """Keep a message: raw bytes, sighting and item in one transaction, before anything is read.

    Args:
        docket: the record.
        spot: where it was seen; a spot taken before changes nothing.
        raw: its bytes, exactly as fetched.

    Source: I1, I2; UETA s. 15: received when it entered the system.
    """
    sha256 = hashlib.sha256(raw).hexdigest()
    with act(docket, MACHINE, Deed.TAKE_MAIL) as step:
        seen = _sighting(step.session, spot)
        if seen is not None:
            step.note["again"] = "the same place"
            return Taken(_item_of(step.session, seen[0]), again=True)
        return _take(step, spot, raw, sha256)


def take_several(docket: Docket, mails: Sequence[tuple[Spot, bytes]]) -> list[Taken]:
    """Keep several messages in one transaction: all are on the disk for good when it ends, or none is.

    Each is an act of its own in the journal, as with `take_mail`.
    """
    with docket.database.together() as database:
        joined = replace(docket, database=database)
        return [take_mail(joined, spot, raw) for spot, raw in mails]


_SEEN: sa.Table = Sighting.__table__  # type: ignore[attr-defined]
_ITEM: sa.Table = MailItem.__table__  # type: ignore[attr-defined]
_AT_THE_SPOT = Prepared(
    sa.select(_SEEN.c.raw_id).where(
        *(
            _SEEN.c[name] == sa.bindparam(f"the_{name}", type_=_SEEN.c[name].type)
            for name in ("server", "account", "folder", "uidvalidity", "uid", "size", "internaldate")
        )
    )
)
_KNOWN_BYTES = Prepared(sa.select(_RAW.c.id).where(_RAW.c.sha256 == sa.bindparam("given")))
_WAITING = Prepared(
    sa.select(
        _ITEM.c.id,
        _ITEM.c.received_at,
        sa.func.coalesce(_SEEN.c.offset_minutes, 0),
        _ITEM.c.taken_at,
        _ITEM.c.tries,
        sa.func.coalesce(_SEEN.c.folder, ""),
        sa.func.coalesce(_SEEN.c.size, 0),
    )
    .select_from(_ITEM.outerjoin(_SEEN, _SEEN.c.id == _ITEM.c.sighting_id))
    .where(_ITEM.c.place == Place.TAKEN.value, _ITEM.c.next_try_at <= sa.bindparam("now"))
    .order_by(_ITEM.c.id)
    .limit(sa.bindparam("most"))
)
_RAW_OF = Prepared(
    sa.select(_RAW.c.id, _RAW.c.vault_name)
    .select_from(_ITEM.join(_RAW, _RAW.c.id == _ITEM.c.raw_id))
    .where(_ITEM.c.id == sa.bindparam("item"))
)


def _sighting(session: Session, spot: Spot) -> tuple[int | None] | None:
    """Give the raw mail of a spot that was taken, None in its place for one that was only noted."""
    given = {
        "the_server": spot.server,
        "the_account": spot.account,
        "the_folder": spot.folder,
        "the_uidvalidity": spot.uidvalidity,
        "the_uid": spot.uid,
        "the_size": spot.size,
        "the_internaldate": spot.internaldate,
    }
    row = _AT_THE_SPOT.first(session, **given)
    return (row[0],) if row is not None else None


def _item_of(session: Session, raw_id: int | None) -> int:
    found = session.exec(
        select(MailItem.id).where(MailItem.raw_id == raw_id).order_by(col(MailItem.id)).limit(1)
    ).first()
    return found or 0


def _take(step: Act, spot: Spot, raw: bytes, sha256: str) -> Taken:
    session = step.session
    found = _KNOWN_BYTES.first(session, given=sha256)
    known = found[0] if found else None
    raw_id = known or _keep_raw(step, raw, sha256)
    sighting = insert_row(
        session,
        Sighting,
        raw_id=raw_id,
        server=spot.server,
        account=spot.account,
        folder=spot.folder,
        uidvalidity=spot.uidvalidity,
        uid=spot.uid,
        size=spot.size,
        internaldate=spot.internaldate,
        offset_minutes=spot.offset_minutes,
        seen_at=step.now,
    )
    step.note.update({"sha256": sha256, "size": len(raw), "internaldate": spot.internaldate.isoformat()})
    if known is not None:
        item = _item_of(session, known)
        step.record(SightedAgain(item, sighting))
        return Taken(item, again=True)
    return Taken(_new_item(step, raw_id, sighting, spot.internaldate), again=False)


def _keep_raw(step: Act, raw: bytes, sha256: str) -> int:
    session, docket = step.session, step.docket
    kept = insert_row(session, RawMail, sha256=sha256, size=len(raw), vault_name="", kept_at=step.now)
    ref = KeyRef(Owner.MAIL, kept)
    docket.keyring.make(session, ref)
    name = docket.vault.keep(session, ref, raw, sha256=sha256)
    _NAMED_IN_THE_VAULT.rows(session, row=kept, vault=name)
    docket.faults.reach("mail.raw-kept")
    return kept


def _new_item(step: Act, raw_id: int, sighting: int, received_at: datetime) -> int:
    item = insert_row(
        step.session,
        MailItem,
        raw_id=raw_id,
        sighting_id=sighting,
        place=Place.TAKEN.value,
        received_at=received_at,
        taken_at=step.now,
        tries=0,
        next_try_at=step.now,
    )
    step.record(MailPlaced(item, Place.TAKEN, "taken"))
    return item


def note_old_mail(docket: Docket, spots: Sequence[Spot]) -> None:
    """Note messages from before the starting date as seen: they are not fetched and never answered (I10).

    Args:
        docket: the record.
        spots: of one folder, at most some hundreds at a time.
    """
    if not spots:
        return
    with docket.database.write() as session:
        uids = [spot.uid for spot in spots]
        rows = session.exec(
            select(Sighting).where(
                Sighting.server == spots[0].server,
                Sighting.account == spots[0].account,
                Sighting.folder == spots[0].folder,
                col(Sighting.uid).in_(uids),
            )
        )
        known = {(row.uidvalidity, row.uid, row.size, row.internaldate) for row in rows}
        now = docket.clock.now()
        session.add_all(
            Sighting(
                server=spot.server,
                account=spot.account,
                folder=spot.folder,
                uidvalidity=spot.uidvalidity,
                uid=spot.uid,
                size=spot.size,
                internaldate=spot.internaldate,
                offset_minutes=spot.offset_minutes,
                seen_at=now,
            )
            for spot in dict.fromkeys(spots)
            if (spot.uidvalidity, spot.uid, spot.size, spot.internaldate) not in known
        )


def waiting_items(docket: Docket, *, limit: int = 50) -> list[Item]:
    """Give the messages that were taken and not yet read, oldest first."""
    given = {"now": docket.clock.now(), "most": limit}
    with docket.database.read() as session:
        return [Item(*row) for row in _WAITING.rows(session, **given)]


def _item(session: Session, row: MailItem) -> Item:
    seen = session.get(Sighting, row.sighting_id) if row.sighting_id is not None else None
    offset, folder, size = (seen.offset_minutes, seen.folder, seen.size) if seen else (0, "", 0)
    return Item(row.id or 0, row.received_at, offset, row.taken_at, row.tries, folder, size)


def item_of(docket: Docket, item: int) -> Item:
    """Give a message by its item, wherever it is now.

    Raises:
        NoSuchCase: there is none.
    """
    with docket.database.read() as session:
        row = session.get(MailItem, item)
        if row is None:
            raise NoSuchCase
        return _item(session, row)


def place_of(docket: Docket, item: int) -> tuple[str, str]:
    """Give where a message is, and the number of its case; empty where it has none."""
    with docket.database.read() as session:
        row = session.get(MailItem, item)
        if row is None:
            raise NoSuchCase
        case = session.get(CaseRow, row.case_id) if row.case_id is not None else None
        return row.place, case.number if case else ""


def raw_of(docket: Docket, item: int) -> bytes:
    """Give a message's raw bytes from the vault. For the mailroom; people go by the holding pen."""
    with raws(docket) as raw:
        return raw(item)


@contextmanager
def raws(docket: Docket) -> Iterator[Callable[[int], bytes]]:
    """Give what `raw_of` does for several messages in one look at the record: each look costs more than the reading."""
    with docket.database.read() as session:
        yield partial(_raw_in, docket, session)


def _raw_in(docket: Docket, session: Session, item: int) -> bytes:
    with plain_faults():
        kept = _RAW_OF.first(session, item=item)
    if kept is None:
        raise NoSuchCase
    return docket.vault.fetch(session, KeyRef(Owner.MAIL, kept[0]), kept[1])

"""Receipt: mail is kept, then becomes a case, joins one, waits for a person, or is set aside (I1, I2, I4).

The order is fixed. First the raw bytes, the sighting and the item, in one transaction; only then is
anything read. Whatever happens to the process between two steps, the item is in exactly one place.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from sqlmodel import Session, col, select

from store import outbox
from store.cases import (
    MACHINE,
    Act,
    Actor,
    Docket,
    act,
    case_by_number,
    load_case,
    look,
    profile_in_force,
    recorded,
    roster_of,
)
from store.letters.auto_receipt import AutoReceipt, Received, ReceivedFile
from store.letters.letter import Addressee, DueDate
from store.ports import PingKind
from store.proceedings import writing
from store.proceedings.screening import refresh_cards, screen_papers, tell_entitled
from store.rules.access import Deed
from store.rules.conflict import Passage
from store.rules.dates import local_date, start_of_day
from store.rules.duties import steps
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase
from store.rules.facts import (
    Basis,
    ComplaintReceived,
    LinkKind,
    MailPlaced,
    PaperReceived,
    PartyNamed,
    PartyRole,
    Place,
    ReceiptEvidence,
    ReceivedBy,
    Referred,
    Role,
    SightedAgain,
)
from store.rules.ordinance import Fulfilled
from store.tables import CaseRow, Document, FactRow, MailboxStart, MailItem, OutboxRow, RawMail, Sighting
from store.vault import KeyRef, Owner

MAX_TRIES = 5
_RETRY = timedelta(minutes=2)
_AUTO_RECEIPT = "auto_receipt"


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


@dataclass(frozen=True, slots=True)
class Paper:
    """A file that came with a message, or was handed in."""

    content: bytes = field(repr=False)
    name: str = field(repr=False)
    media_type: str
    kind: str = "complaint"
    evidence: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent it, as far as it says."""

    name: str = field(repr=False)
    address: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Filing:
    """A message as the mailroom read it: everything that filing it needs.

    Attributes:
        outcome: the mailroom's word for it, such as ``filed`` or ``cure_notice``.
        received_at: the instant of receipt, UTC.
        basis: on what that rests.
        evidence: what shows it.
        complainants: who complains, with addresses.
        papers: the files, in order.
        passages: texts to search for roster people.
        addresses: addresses in the headers.
        own_addresses: addresses complaints are sent to, which name nobody.
        readable: every paper gave its text.
        flags: what staff should see.
        reason: why a person must look.
        ack_to: who gets an auto-receipt; empty for nobody.
        message_id: the message's own id, for In-Reply-To.
        content_sha256: equal for two deliveries of one message.
        by_city_manager: the City Manager referred it by this very message.
        manager_received_at: the earliest plausible instant of his receipt; None where he had no part.
        match: how a reply was matched to its case.
        sender: the sender's address, for the item.
        what: what a paper for an existing case is: ``cure``, ``response``, ``evidence``, ``demand``.
        largest_mail_mb: the limit to name to the sender of a message that was too large; else None.
    """

    outcome: str
    received_at: datetime
    basis: Basis = Basis.MAIL_SERVER
    evidence: ReceiptEvidence = field(default_factory=ReceiptEvidence)
    complainants: tuple[Sender, ...] = ()
    papers: tuple[Paper, ...] = ()
    passages: tuple[Passage, ...] = field(default=(), repr=False)
    addresses: tuple[str, ...] = field(default=(), repr=False)
    own_addresses: tuple[str, ...] = field(default=(), repr=False)
    readable: bool = True
    flags: tuple[str, ...] = ()
    reason: str = ""
    ack_to: str = field(default="", repr=False)
    message_id: str = field(default="", repr=False)
    content_sha256: str = ""
    by_city_manager: bool = False
    manager_received_at: datetime | None = None
    match: str = ""
    sender: str = field(default="", repr=False)
    what: str = "evidence"
    largest_mail_mb: int | None = None


# -- taking mail --------------------------------------------------------------------------------------


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
            return Taken(_item_of(step.session, seen.raw_id), again=True)
        return _take(step, spot, raw, sha256)


def _sighting(session: Session, spot: Spot) -> Sighting | None:
    return session.exec(
        select(Sighting).where(
            Sighting.server == spot.server,
            Sighting.account == spot.account,
            Sighting.folder == spot.folder,
            Sighting.uidvalidity == spot.uidvalidity,
            Sighting.uid == spot.uid,
            Sighting.size == spot.size,
            Sighting.internaldate == spot.internaldate,
        )
    ).one_or_none()


def _item_of(session: Session, raw_id: int | None) -> int:
    found = session.exec(
        select(MailItem.id).where(MailItem.raw_id == raw_id).order_by(col(MailItem.id)).limit(1)
    ).first()
    return found or 0


def _take(step: Act, spot: Spot, raw: bytes, sha256: str) -> Taken:
    session = step.session
    kept = session.exec(select(RawMail).where(RawMail.sha256 == sha256)).one_or_none()
    again = kept is not None
    if kept is None:
        kept = _keep_raw(step, raw, sha256)
    sighting = Sighting(
        raw_id=kept.id,
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
    session.add(sighting)
    session.flush()
    step.note.update({"sha256": sha256, "size": len(raw), "internaldate": spot.internaldate.isoformat()})
    if again:
        item = _item_of(session, kept.id)
        step.record(SightedAgain(item, sighting.id or 0))
        return Taken(item, again=True)
    return Taken(_new_item(step, kept, sighting, spot.internaldate), again=False)


def _keep_raw(step: Act, raw: bytes, sha256: str) -> RawMail:
    kept = RawMail(sha256=sha256, size=len(raw), vault_name="", kept_at=step.now)
    step.session.add(kept)
    step.session.flush()
    ref = KeyRef(Owner.MAIL, kept.id or 0)
    step.docket.keyring.make(step.session, ref)
    kept.vault_name = step.docket.vault.keep(step.session, ref, raw)
    step.session.add(kept)
    step.docket.faults.reach("mail.raw-kept")
    return kept


def _new_item(step: Act, kept: RawMail, sighting: Sighting, received_at: datetime) -> int:
    item = MailItem(
        raw_id=kept.id,
        sighting_id=sighting.id,
        place=Place.TAKEN.value,
        received_at=received_at,
        taken_at=step.now,
        next_try_at=step.now,
    )
    step.session.add(item)
    step.session.flush()
    assert item.id is not None
    step.record(MailPlaced(item.id, Place.TAKEN, "taken"))
    return item.id


def note_old_mail(docket: Docket, spots: Sequence[Spot]) -> None:
    """Note messages from before the starting date as seen: they are not fetched and never answered (I10)."""
    with docket.database.write() as session:
        for spot in spots:
            if _sighting(session, spot) is None:
                session.add(
                    Sighting(
                        server=spot.server,
                        account=spot.account,
                        folder=spot.folder,
                        uidvalidity=spot.uidvalidity,
                        uid=spot.uid,
                        size=spot.size,
                        internaldate=spot.internaldate,
                        offset_minutes=spot.offset_minutes,
                        seen_at=docket.clock.now(),
                    )
                )


def waiting_items(docket: Docket, *, limit: int = 50) -> list[Item]:
    """Give the messages that were taken and not yet read, oldest first."""
    now = docket.clock.now()
    with docket.database.read() as session:
        rows = session.exec(
            select(MailItem)
            .where(MailItem.place == Place.TAKEN.value, col(MailItem.next_try_at) <= now)
            .order_by(col(MailItem.id))
            .limit(limit)
        ).all()
        return [_item(session, row) for row in rows]


def _item(session: Session, row: MailItem) -> Item:
    seen = session.get(Sighting, row.sighting_id) if row.sighting_id is not None else None
    offset, folder, size = (seen.offset_minutes, seen.folder, seen.size) if seen else (0, "", 0)
    return Item(row.id or 0, row.received_at, offset, row.taken_at, row.tries, folder, size)


def raw_of(docket: Docket, item: int) -> bytes:
    """Give a message's raw bytes from the vault. For the mailroom; people go by the holding pen."""
    with docket.database.read() as session:
        row = session.get(MailItem, item)
        kept = session.get(RawMail, row.raw_id) if row and row.raw_id else None
        if kept is None:
            raise NoSuchCase
        return docket.vault.fetch(session, KeyRef(Owner.MAIL, kept.id or 0), kept.vault_name)


# -- a new case ---------------------------------------------------------------------------------------


def file_complaint(docket: Docket, item: int | None, filing: Filing, *, actor: Actor = MACHINE) -> str:
    """Make a case of a message or of papers handed in: number, receipt, papers, parties, screen, dates.

    Args:
        docket: the record.
        item: the message's item; None for papers handed in.
        filing: what the mailroom read.
        actor: Docket itself, or the clerk who files by hand.

    Returns:
        The case's number.

    Raises:
        AlreadyDone: the message has its place already.

    Source: clause (A); I1, I4; decisions 3, 4, 9 and 12.
    """
    deed = Deed.FILE_COMPLAINT if actor is MACHINE else Deed.INTAKE_BY_HAND
    with act(docket, actor, deed) as step:
        row = _claimed(step, item)
        number = step.new_case(filing.received_at)
        docket.faults.reach("filing.numbered")
        documents = _keep_papers(step, filing)
        docket.faults.reach("filing.papers-kept")
        _record_receipts(step, filing, documents, item)
        for sender in filing.complainants:
            step.record(_complainant(sender))
        screen_papers(
            step, filing.passages, filing.addresses, readable=filing.readable, own=filing.own_addresses
        )
        _refer(step, filing)
        if row is not None:
            _place(step, row, filing, Place.IN_A_CASE)
        if filing.ack_to:
            _auto_receipt(step, filing, number=number)
        tell_entitled(step)
    return number


def _claimed(step: Act, item: int | None) -> MailItem | None:
    """Take the item in hand, unless somebody placed it before."""
    if item is None:
        return None
    row = step.session.get(MailItem, item)
    if row is None:
        raise NoSuchCase
    if row.place not in {Place.TAKEN, Place.HOLDING_PEN}:
        raise AlreadyDone("This message has its place already; nothing was changed.", clause="A-refer")
    return row


def _keep_papers(step: Act, filing: Filing) -> tuple[int, ...]:
    return tuple(
        step.keep(
            paper.content,
            kind=paper.kind,
            media_type=paper.media_type,
            name=paper.name,
            received_at=filing.received_at,
            finding=paper.evidence,
        )
        for paper in filing.papers
    )


def _record_receipts(step: Act, filing: Filing, documents: tuple[int, ...], item: int | None) -> None:
    step.record(
        ComplaintReceived(
            filing.received_at, ReceivedBy.BOARD, filing.basis, filing.evidence, documents, mail_item=item
        )
    )
    if filing.manager_received_at is not None and filing.manager_received_at < filing.received_at:
        step.record(
            ComplaintReceived(
                filing.manager_received_at,
                ReceivedBy.CITY_MANAGER,
                Basis.ASSUMED,
                ReceiptEvidence(words="the earliest plausible instant, until staff record the true one"),
            )
        )


def _complainant(sender: Sender) -> PartyNamed:
    emails = (sender.address,) if sender.address else ()
    return PartyNamed(PartyRole.COMPLAINANT, sender.name or sender.address, emails)


def _refer(step: Act, filing: Filing) -> None:
    """Record the referral that the message itself is, or that policy makes when he is named (A)."""
    if not step.profile.has_referral:
        return
    if filing.by_city_manager:
        step.record(Referred(filing.received_at, "by the City Manager's own message"))
        return
    managers = step.people.with_role(Role.CITY_MANAGER, step.today)
    if any(step.case.walled(one) for one in managers):
        step.record(Referred(step.now, "by policy", "the City Manager is named in the complaint"))


# -- a paper for a case that is there -----------------------------------------------------------------


def attach_paper(
    docket: Docket, item: int, case_id: int, filing: Filing, *, party: int | None = None
) -> None:
    """Add a message to the case it belongs to: a cure, a response, new evidence, a demand (I5).

    Args:
        docket: the record.
        item: the message's item.
        case_id: the case, matched by token, threading or number with check code.
        filing: what the mailroom read.
        party: the party whose known address it came from.
    """
    with act(docket, MACHINE, Deed.ATTACH_PAPER, case_id=case_id) as step:
        row = _claimed(step, item)
        documents = _keep_papers(step, filing)
        step.record(
            PaperReceived(
                filing.received_at, filing.what, documents, item, party, filing.evidence, filing.match
            ),
            about=party,
        )
        screen_papers(
            step, filing.passages, filing.addresses, readable=filing.readable, own=filing.own_addresses
        )
        if row is not None:
            _place(step, row, filing, Place.IN_A_CASE)
        if filing.ack_to:
            _auto_receipt(step, filing, number=step.case.number, received=Received.ADDITION)
        refresh_cards(step)


# -- the holding pen, and what is set aside -----------------------------------------------------------


def hold(docket: Docket, item: int, filing: Filing) -> None:
    """Put a message into the holding pen: a person must look (I1). The receipt instant runs on."""
    with act(docket, MACHINE, Deed.TAKE_MAIL) as step:
        row = _claimed(step, item)
        assert row is not None
        _place(step, row, filing, Place.HOLDING_PEN)
        if filing.ack_to:
            too_large = filing.largest_mail_mb is not None
            received = Received.TOO_LARGE if too_large else Received.MESSAGE
            _auto_receipt(step, filing, number="", received=received)
        for clerk in step.people.with_role(Role.CLERK, step.today):
            step.ping(PingKind.HELD_MAIL, person=clerk, about={"item": item})


def set_aside(docket: Docket, item: int, filing: Filing, *, case_id: int | None = None) -> None:
    """Set a message aside with a reason: a bounce, an auto-reply, a duplicate, our own mail (I1)."""
    with act(docket, MACHINE, Deed.TAKE_MAIL) as step:
        row = _claimed(step, item)
        assert row is not None
        row.case_id = case_id
        _place(step, row, filing, Place.SET_ASIDE)


def _place(step: Act, row: MailItem, filing: Filing, place: Place) -> None:
    row.place = place.value
    row.next_try_at = None
    row.content_sha256 = filing.content_sha256 or row.content_sha256
    if filing.message_id:
        row.message_id_twin = step.docket.keyring.twin("message-id", filing.message_id)
    if place is Place.IN_A_CASE:
        row.case_id = step.case_id
    row.placed_by = step.record(
        MailPlaced(
            row.id or 0, place, filing.outcome, filing.reason, filing.flags, filing.sender, filing.match
        )
    )
    step.session.add(row)


def put_off(docket: Docket, item: int, reference: str) -> bool:
    """Note that reading a message failed; after some tries it goes to the holding pen.

    Args:
        docket: the record.
        item: the message's item.
        reference: the number under which the fault was logged.

    Returns:
        True if it will be tried again.
    """
    with act(docket, MACHINE, Deed.TAKE_MAIL) as step:
        row = _claimed(step, item)
        assert row is not None
        row.tries += 1
        step.note.update({"reference": reference, "tries": row.tries})
        if row.tries < MAX_TRIES:
            row.next_try_at = step.now + _RETRY * row.tries
            step.session.add(row)
            return True
        filing = Filing(
            "needs_review",
            row.received_at,
            reason=f"it could not be read by machine after {row.tries} tries (reference {reference})",
        )
        _place(step, row, filing, Place.HOLDING_PEN)
        for clerk in step.people.with_role(Role.CLERK, step.today):
            step.ping(PingKind.HELD_MAIL, person=clerk, about={"item": item})
    return False


@dataclass(frozen=True, slots=True)
class Held:
    """A message in the holding pen, for the person who looks."""

    item: int
    received_at: datetime
    taken_at: datetime
    outcome: str
    reason: str
    flags: tuple[str, ...]
    sender: str
    size: int


def holding_pen(docket: Docket, actor: Actor) -> list[Held]:
    """Give what waits for a person, oldest first.

    Raises:
        NotAllowed: the holding pen is for staff.
    """
    with act(docket, actor, Deed.SEE_HOLDING_PEN) as step:
        rows = step.session.exec(
            select(MailItem, RawMail)
            .join(RawMail, col(RawMail.id) == MailItem.raw_id)
            .where(MailItem.place == Place.HOLDING_PEN.value)
            .order_by(col(MailItem.id))
        ).all()
        step.note["count"] = len(rows)
        return [_held(item, raw, _placing(step, item)) for item, raw in rows]


def _placing(step: Act, item: MailItem) -> MailPlaced | None:
    row = step.session.get(FactRow, item.placed_by) if item.placed_by is not None else None
    fact = recorded(step.docket.keyring, step.session, row).fact if row is not None else None
    return fact if isinstance(fact, MailPlaced) else None


def _held(item: MailItem, raw: RawMail, placed: MailPlaced | None) -> Held:
    return Held(
        item.id or 0,
        item.received_at,
        item.taken_at,
        placed.outcome if placed else "",
        placed.reason if placed else "",
        placed.flags if placed else (),
        placed.sender if placed else "",
        raw.size,
    )


def held_raw(docket: Docket, actor: Actor, item: int) -> bytes:
    """Give the raw bytes of a held message to staff; the reading is an entry."""
    with act(docket, actor, Deed.SEE_HOLDING_PEN) as step:
        row = step.session.get(MailItem, item)
        if row is None or row.place != Place.HOLDING_PEN:
            raise NoSuchCase
        step.note["item"] = item
    return raw_of(docket, item)


class HeldDecision(StrEnum):
    """What a person does with a held message."""

    FILE = "file"
    ATTACH = "attach"
    SET_ASIDE = "set-aside"


def place_held(
    docket: Docket,
    actor: Actor,
    item: int,
    decision: HeldDecision,
    *,
    filing: Filing,
    number: str = "",
    party: int | None = None,
) -> str:
    """Carry out what a person decided about a held message.

    Args:
        docket: the record.
        actor: the clerk.
        item: the message.
        decision: file it as a new complaint, attach it to a case, or set it aside.
        filing: what the mailroom read, with the clerk's corrections and reason.
        number: the case, to attach it.
        party: the party it comes from, to attach it.

    Returns:
        The number of its case; empty when it was set aside.

    Raises:
        BadInput: it is set aside without a reason.
        NoSuchCase: there is no such case that he may know of.
    """
    if decision is HeldDecision.SET_ASIDE and not filing.reason.strip():
        raise BadInput("A message is set aside with a reason only.", mend="Say why it needs nothing further.")
    with act(docket, actor, Deed.PLACE_HELD_MAIL) as step:
        row = _claimed(step, item)
        assert row is not None
        step.note.update({"item": item, "decision": decision.value})
        if decision is HeldDecision.SET_ASIDE:
            _place(step, row, filing, Place.SET_ASIDE)
            return ""
    if decision is HeldDecision.FILE:
        return file_complaint(docket, item, filing, actor=actor)
    with docket.database.read() as session:
        key = case_by_number(session, number)
    if key is None:
        raise NoSuchCase
    look(docket, actor, key)
    attach_paper(docket, item, key, filing, party=party)
    return number


# -- the auto-receipt ---------------------------------------------------------------------------------


def _auto_receipt(step: Act, filing: Filing, *, number: str, received: Received = Received.COMPLAINT) -> None:
    """Owe the sender a receipt: always for a new case, else at most one an address a day (decisions 29)."""
    if received is not Received.COMPLAINT and _had_one_today(step, filing.ack_to):
        return
    zone = step.profile.city.time_zone
    token = outbox.new_token()
    letter = AutoReceipt(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=Addressee(_name_for(filing), delivery="By e-mail"),
        dated=step.today,
        case_number=number,
        received_at=writing.local(filing.received_at, zone),
        reply_to=writing.reply_address(step.docket.mail_from, token),
        received=received,
        acknowledge_by=_acknowledge_by(step) if received is Received.COMPLAINT else None,
        files=tuple(
            ReceivedFile(hashlib.sha256(one.content).hexdigest(), len(one.content)) for one in filing.papers
        ),
        largest_mail_mb=filing.largest_mail_mb,
    )
    if number:
        complainant = next((one for one in step.case.complainants if filing.ack_to in one.named.emails), None)
        writing.send(
            step,
            letter,
            party=complainant,
            to=filing.ack_to,
            to_role="sender",
            token=token,
            undo=False,
            in_reply_to=filing.message_id,
            auto_submitted="auto-replied",
        )
        return
    pressed = step.docket.typesetter.set(letter, step.now)
    mail = outbox.Letter(
        to=filing.ack_to,
        subject=letter.subject(),
        text=pressed.text,
        attachments=(),
        message_id=f"<auto-receipt.{token}@{step.docket.mail_from.rpartition('@')[2]}>",
        token=token,
        in_reply_to=filing.message_id,
        auto_submitted="auto-replied",
    )
    step.letter(mail, kind=_AUTO_RECEIPT, about=None, undo=False, case=False)


def _name_for(filing: Filing) -> str:
    names = [one.name for one in filing.complainants if one.address == filing.ack_to and one.name]
    return names[0] if names else filing.ack_to


def _acknowledge_by(step: Act) -> DueDate | None:
    for one in steps(step.case, step.profile, step.calendar, step.today):
        if Fulfilled.ACKNOWLEDGED in one.duty.done_by:
            return writing.due(one.dates, step.profile.clause(one.duty.clause).citation)
    return None


def _had_one_today(step: Act, address: str) -> bool:
    zone = step.profile.city.time_zone
    since = start_of_day(local_date(step.now, zone), zone)
    found = step.session.exec(
        select(OutboxRow.id)
        .where(
            OutboxRow.kind == _AUTO_RECEIPT,
            OutboxRow.destination == step.docket.keyring.twin("address", address),
            OutboxRow.created_at >= since,
        )
        .limit(1)
    ).first()
    return found is not None


# -- what the mailroom looks up -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CaseParties:
    """A case's parties as far as a message can belong to it."""

    case_id: int
    number: str
    complainants: tuple[tuple[int, str], ...]
    respondents: tuple[tuple[int, str], ...]
    counsel: tuple[tuple[int, str], ...]
    cure_asked: bool
    response_awaited: bool
    reprimanded: bool


@dataclass(frozen=True, slots=True)
class SentLetter:
    """A letter of ours that a message answers or returns."""

    outbox: int
    case_id: int | None
    number: str
    kind: str
    to: str
    message_id: str
    token: str
    letter_fact: int | None


@dataclass(frozen=True, slots=True)
class SeenMail:
    """A message with the same bytes or the same Message-ID that came before."""

    item: int
    raw_sha256: str
    content_sha256: str
    number: str
    message_id: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """What the record knows of what a message mentions."""

    cases: tuple[CaseParties, ...]
    letters: tuple[SentLetter, ...]
    seen: tuple[SeenMail, ...]
    seen_by_id: tuple[SeenMail, ...]
    papers: tuple[tuple[str, str], ...]
    roster_names: tuple[str, ...]
    roster_addresses: tuple[str, ...]
    city_manager: tuple[str, ...]


def what_we_know(
    docket: Docket,
    *,
    item: int | None,
    raw_sha256: str,
    message_id: str,
    tokens: Sequence[str],
    message_ids: Sequence[str],
    numbers: Sequence[str],
    pdf_hashes: Sequence[str] = (),
) -> KnownFacts:
    """Look up what a message mentions, so that it can be judged without reading the record whole.

    Args:
        docket: the record.
        item: the message's own item, which is not one that came before.
        raw_sha256: of its bytes.
        message_id: its own id.
        tokens: tokens in the plus-addresses it came to.
        message_ids: the messages it answers or returns.
        numbers: case numbers in its subject.
        pdf_hashes: of the PDFs it brings.
    """
    with docket.database.read() as session:
        letters = _letters(docket, session, tokens, message_ids)
        keys = {one.case_id for one in letters if one.case_id is not None}
        mentioned = session.exec(select(CaseRow.id).where(col(CaseRow.number).in_(list(numbers)))).all()
        keys |= {key for key in mentioned if key is not None}
        cases = tuple(_parties(docket, session, key) for key in sorted(keys))
        profile, _digest = profile_in_force(session)
        names, addresses = _roster_words(docket, session)
        return KnownFacts(
            cases,
            letters,
            _seen(session, item, RawMail.sha256 == raw_sha256),
            _seen_by_id(docket, session, item, message_id),
            _papers(session, pdf_hashes),
            names,
            addresses,
            tuple(
                email
                for one in profile.addresses
                if one.office.value == profile.receipt.official.value
                for email in one.emails
            ),
        )


def _letters(
    docket: Docket, session: Session, tokens: Sequence[str], message_ids: Sequence[str]
) -> tuple[SentLetter, ...]:
    found = [outbox.by_token(session, docket.keyring, token) for token in tokens]
    found += [outbox.by_message_id(session, docket.keyring, one) for one in message_ids]
    letters = {}
    for one in found:
        owed = outbox.read(session, docket.keyring, one.id) if one else None
        if owed is None or owed.letter is None:
            continue
        letters[owed.id] = SentLetter(
            owed.id,
            owed.case_id,
            _number(session, owed.case_id),
            owed.kind,
            owed.letter.to,
            owed.letter.message_id,
            owed.letter.token,
            owed.about,
        )
    return tuple(letters.values())


def _parties(docket: Docket, session: Session, key: int) -> CaseParties:
    case = load_case(docket, session, key)

    def addresses(*roles: PartyRole) -> tuple[tuple[int, str], ...]:
        return tuple((one.id, email) for one in case.with_role(*roles) for email in one.named.emails)

    respondents = [one.id for one in case.respondents]
    return CaseParties(
        key,
        case.number,
        addresses(PartyRole.COMPLAINANT, PartyRole.COMPLAINANT_COUNSEL),
        addresses(PartyRole.RESPONDENT),
        addresses(PartyRole.RESPONDENT_COUNSEL),
        cure_asked=bool(case.letters_to("cure_notice")) and not case.proper,
        response_awaited=any(
            case.served("notice", one) and not case.chance_over(one) and case.final_at(one) is None
            for one in respondents
        ),
        reprimanded=any(case.letters_to("reprimand_copy", one) for one in respondents),
    )


def _seen(session: Session, item: int | None, condition: object) -> tuple[SeenMail, ...]:
    rows = session.exec(
        select(MailItem, RawMail)
        .join(RawMail, col(RawMail.id) == MailItem.raw_id)
        .where(condition, MailItem.id != (item or 0))  # type: ignore[arg-type]  # a column expression
        .order_by(col(MailItem.id))
        .limit(5)
    ).all()
    return tuple(
        SeenMail(found.id or 0, raw.sha256, found.content_sha256 or "", _number(session, found.case_id))
        for found, raw in rows
    )


def _seen_by_id(docket: Docket, session: Session, item: int | None, message_id: str) -> tuple[SeenMail, ...]:
    if not message_id:
        return ()
    found = _seen(session, item, MailItem.message_id_twin == docket.keyring.twin("message-id", message_id))
    return tuple(replace(one, message_id=message_id) for one in found)


def _number(session: Session, case_id: int | None) -> str:
    row = session.get(CaseRow, case_id) if case_id is not None else None
    return row.number if row else ""


def _papers(session: Session, hashes: Sequence[str]) -> tuple[tuple[str, str], ...]:
    rows = session.exec(
        select(Document.sha256, CaseRow.number)
        .join(CaseRow, col(CaseRow.id) == Document.case_id)
        .where(col(Document.sha256).in_(list(hashes)))
    ).all()
    return tuple((sha256, number) for sha256, number in rows)


def _roster_words(docket: Docket, session: Session) -> tuple[tuple[str, ...], tuple[str, ...]]:
    members = roster_of(docket, session).members.values()
    names = tuple(name for one in members for name in (one.name, *one.aliases))
    addresses = tuple(address for one in members for address in one.ever_linked(LinkKind.EMAIL))
    return names, addresses

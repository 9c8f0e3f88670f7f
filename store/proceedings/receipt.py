"""Receipt: a message becomes a case, joins one, waits for a person, or is set aside (I1, I4, I5).

It was kept before (`mail`); here it finds its one place, in one transaction with everything that
follows from it: number, receipt, papers, parties, screen, dates, the sender's receipt.
"""

import hashlib
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlmodel import select

from store import outbox
from store.cases import (
    MACHINE,
    Act,
    Actor,
    Docket,
    act,
    papers,
)
from store.database import Prepared
from store.letters.auto_receipt import AutoReceipt, Received, ReceivedFile
from store.letters.letter import Addressee, DueDate
from store.ports import PingKind
from store.proceedings import writing
from store.proceedings.known import AUTO_RECEIPT
from store.proceedings.screening import (
    Searching,
    refer_round_the_manager,
    refresh_cards,
    screen_papers,
    tell_entitled,
)
from store.proceedings.walls import follow_walls
from store.rules.access import Deed
from store.rules.casefile import Party
from store.rules.conflict import Passage
from store.rules.dates import local_date, start_of_day
from store.rules.duties import steps_done_by
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase
from store.rules.facts import (
    Basis,
    ComplaintReceived,
    MailPlaced,
    PaperReceived,
    PartyNamed,
    PartyRole,
    Place,
    ReceiptEvidence,
    ReceivedBy,
    Referred,
    Role,
)
from store.rules.ordinance import Fulfilled
from store.rules.texts import LONGEST_NAME
from store.tables import MailItem, OutboxRow

MAX_TRIES = 5
_RETRY = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Paper:
    """A file that came with a message, or was handed in.

    Attributes:
        content: its bytes.
        name: as it came.
        media_type: what it is.
        kind: what it is in the case.
        evidence: what was found of it, as JSON.
        searched: whether all of it could be read.
        sha256: of the content in hex, where whoever read it has it; else it is taken here.
    """

    content: bytes = field(repr=False)
    name: str = field(repr=False)
    media_type: str
    kind: str = "complaint"
    evidence: str = field(default="", repr=False)
    searched: bool = True
    sha256: str = ""

    @property
    def digest(self) -> str:
        """Give the SHA-256 of the content in hex."""
        return self.sha256 or hashlib.sha256(self.content).hexdigest()


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
        received: what the sender of a message that is held is told.
        largest_mail_mb: the limit to name to the sender of a message that was too large.
        most_files: the limit to name to the sender of one with too many files.
        suggested_number: a case that it may belong to, for staff alone.
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
    received: Received = Received.MESSAGE
    largest_mail_mb: int | None = None
    most_files: int | None = None
    suggested_number: str = ""

    def __post_init__(self) -> None:
        """Keep the instant in UTC, however a person stated it."""
        if self.received_at.tzinfo is not None:
            object.__setattr__(self, "received_at", self.received_at.astimezone(UTC))


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
        BadInput: staff gave an instant of receipt that lies ahead.

    Source: clause (A); I1, I4; decisions 3, 4, 9 and 12.
    """
    deed = Deed.FILE_COMPLAINT if actor is MACHINE else Deed.INTAKE_BY_HAND
    with act(docket, actor, deed) as step:
        return file_in(step, item, filing)


def file_in(step: Act, item: int | None, filing: Filing) -> str:
    """Make the case inside a running act, and give its number; see `file_complaint`."""
    row = claimed(step, item)
    if filing.basis is Basis.RECORDED_BY_STAFF and filing.received_at > step.now:
        raise BadInput(
            "A complaint cannot have been received in the future; nothing was filed.", clause="A-refer"
        )
    number = step.new_case(filing.received_at)
    step.docket.faults.reach("filing.numbered")
    documents = _keep_papers(step, filing)
    step.docket.faults.reach("filing.papers-kept")
    _record_receipts(step, filing, documents, item)
    for sender in filing.complainants:
        step.record(_complainant(sender))
    screen_papers(step, _searching(filing))
    _refer(step, filing)
    if row is not None:
        placed(step, row.id, filing, Place.IN_A_CASE)
    if filing.ack_to:
        _auto_receipt(step, filing, number=number)
    tell_entitled(step)
    return number


@dataclass(frozen=True, slots=True)
class Claimed:
    """A message in hand: its item, where it is, its receipt, and how often reading it failed."""

    id: int
    place: str
    received_at: datetime
    tries: int


_ITEM: sa.Table = MailItem.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
_IN_HAND = Prepared(
    sa.select(_ITEM.c.id, _ITEM.c.place, _ITEM.c.received_at, _ITEM.c.tries).where(
        _ITEM.c.id == sa.bindparam("item")
    )
)
_OF_THE_ITEM = sa.update(_ITEM).where(_ITEM.c.id == sa.bindparam("item"))
_PLACE = Prepared(
    _OF_THE_ITEM.values(
        place=sa.bindparam("the_place"),
        next_try_at=None,
        content_sha256=sa.func.coalesce(sa.bindparam("the_content", type_=sa.String), _ITEM.c.content_sha256),
        message_id_twin=sa.func.coalesce(sa.bindparam("the_twin", type_=sa.String), _ITEM.c.message_id_twin),
        case_id=sa.bindparam("the_case"),
        placed_by=sa.bindparam("the_fact"),
    )
)
_PUT_OFF = Prepared(_OF_THE_ITEM.values(tries=sa.bindparam("so_often"), next_try_at=sa.bindparam("again_at")))


def claimed(step: Act, item: int | None) -> Claimed | None:
    """Take the item in hand, unless somebody placed it before."""
    if item is None:
        return None
    found = _IN_HAND.first(step.session, item=item)
    if found is None:
        raise NoSuchCase
    row = Claimed(*found)
    if row.place not in {Place.TAKEN, Place.HOLDING_PEN}:
        raise AlreadyDone("This message has its place already; nothing was changed.", clause="A-refer")
    return row


def _keep_papers(step: Act, filing: Filing, *, instead_of_complaint: str = "complaint") -> tuple[int, ...]:
    """Keep the papers; a later one is no part of the complaint, which goes to every respondent with his notice."""
    return tuple(
        step.keep(
            paper.content,
            kind=instead_of_complaint if paper.kind == "complaint" else paper.kind,
            media_type=paper.media_type,
            name=paper.name,
            received_at=filing.received_at,
            finding=paper.evidence,
            sha256=paper.digest,
        )
        for paper in filing.papers
    )


def _searching(filing: Filing) -> Searching:
    return Searching(filing.passages, filing.addresses, filing.readable, filing.own_addresses)


def _unread(filing: Filing, documents: tuple[int, ...]) -> tuple[int, ...]:
    """Give the papers of a message that nobody has read; all of them where it is not known which."""
    if filing.readable:
        return ()
    unread = [key for key, paper in zip(documents, filing.papers, strict=True) if not paper.searched]
    return tuple(unread or documents)


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
    return PartyNamed(PartyRole.COMPLAINANT, (sender.name or sender.address)[:LONGEST_NAME], emails)


def _refer(step: Act, filing: Filing) -> None:
    """Record the referral that the message itself is, or that policy makes when he is named (A)."""
    if not step.profile.has_referral:
        return
    if filing.by_city_manager:
        step.record(Referred(filing.received_at, "by the City Manager's own message"))
        return
    refer_round_the_manager(step)


# -- a paper for a case that is there -----------------------------------------------------------------


def attach_paper(
    docket: Docket,
    item: int,
    case_id: int,
    filing: Filing,
    *,
    party: int | None = None,
    came_to: str = "",
) -> None:
    """Add a message to the case it belongs to: a cure, a response, new evidence, a demand (I5).

    Args:
        docket: the record.
        item: the message's item.
        case_id: the case, matched by token, threading or number with check code.
        filing: what the mailroom read.
        party: the party whose known address it came from.
        came_to: the number under which it came, which may be that of a case merged into this one.
    """
    with act(docket, MACHINE, Deed.ATTACH_PAPER, case_id=case_id) as step:
        attach_in(step, item, filing, party, came_to)


def attach_in(step: Act, item: int | None, filing: Filing, party: int | None, came_to: str = "") -> int:
    """Add the message, or papers handed in, inside a running act on the case, and give the receipt's id; see `attach_paper`."""
    row = claimed(step, item)
    documents = _keep_papers(step, filing, instead_of_complaint=filing.what)
    key = step.record(
        PaperReceived(
            filing.received_at,
            filing.what,
            documents,
            item,
            party,
            filing.evidence,
            filing.match,
            came_to if came_to != step.case.number else "",
        ),
        about=party,
    )
    newly = screen_papers(step, _searching(filing), later=_unread(filing, documents), kept=documents)
    if newly:
        step.ping(PingKind.CASE_CHANNEL)
    follow_walls(step, newly)
    if row is not None:
        placed(step, row.id, filing, Place.IN_A_CASE)
    if filing.ack_to:
        _auto_receipt(step, filing, number=step.case.number, received=Received.ADDITION)
    refresh_cards(step)
    return key


def is_received_so(step: Act, what: str, at: datetime, digests: AbstractSet[str]) -> bool:
    """Say whether papers are on the record as received so at that instant: two people may write down one.

    Args:
        step: the act.
        what: what they were received as, such as ``cure``.
        at: the instant, aware.
        digests: SHA-256 of each, in hexadecimal digits.
    """
    known = {one.id: one.sha256 for one in papers(step.docket, step.session, step.case.key)}
    return any(
        digests <= {known[each] for each in one.fact.documents if each in known}
        for one in step.case.all(PaperReceived)
        if one.fact.what == what and one.fact.received_at == at
    )


# -- the holding pen, and what is set aside -----------------------------------------------------------


def hold(docket: Docket, item: int, filing: Filing) -> None:
    """Put a message into the holding pen: a person must look (I1). The receipt instant runs on."""
    with act(docket, MACHINE, Deed.TAKE_MAIL) as step:
        row = claimed(step, item)
        assert row is not None
        placed(step, row.id, filing, Place.HOLDING_PEN)
        if filing.ack_to:
            _auto_receipt(step, filing, number="", received=filing.received)
        for clerk in step.people.with_role(Role.CLERK, step.today):
            step.ping(PingKind.HELD_MAIL, person=clerk, about={"item": item})


def set_aside(docket: Docket, item: int, filing: Filing, *, case_id: int | None = None) -> None:
    """Set a message aside with a reason: a bounce, an auto-reply, a duplicate, our own mail (I1)."""
    with act(docket, MACHINE, Deed.TAKE_MAIL) as step:
        row = claimed(step, item)
        assert row is not None
        placed(step, row.id, filing, Place.SET_ASIDE, case_id=case_id)


def placed(step: Act, item: int, filing: Filing, place: Place, *, case_id: int | None = None) -> None:
    """Write where a message is now, with the fact that says why.

    Args:
        step: the running act.
        item: the message's item.
        filing: what was read of it.
        place: where it is now; in a case, that is the act's.
        case_id: the case that a message is about which is set aside.
    """
    fact = step.record(
        MailPlaced(
            item,
            place,
            filing.outcome,
            filing.reason,
            filing.flags,
            filing.sender,
            filing.match,
            filing.suggested_number,
        )
    )
    named = filing.message_id
    values = {
        "item": item,
        "the_place": place.value,
        "the_content": filing.content_sha256 or None,
        "the_twin": step.docket.keyring.twin("message-id", named) if named else None,
        "the_case": step.case_id if place is Place.IN_A_CASE else case_id,
        "the_fact": fact,
    }
    _PLACE.rows(step.session, **values)


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
        row = claimed(step, item)
        assert row is not None
        tries = row.tries + 1
        again_at = step.now + _RETRY * tries if tries < MAX_TRIES else None
        _PUT_OFF.rows(step.session, item=row.id, so_often=tries, again_at=again_at)
        step.note.update({"reference": reference, "tries": tries})
        if again_at is not None:
            return True
        filing = Filing(
            "needs_review",
            row.received_at,
            reason=f"it could not be read by machine after {tries} tries (reference {reference})",
        )
        placed(step, row.id, filing, Place.HOLDING_PEN)
        for clerk in step.people.with_role(Role.CLERK, step.today):
            step.ping(PingKind.HELD_MAIL, person=clerk, about={"item": item})
    return False


# -- the auto-receipt ---------------------------------------------------------------------------------


def _auto_receipt(step: Act, filing: Filing, *, number: str, received: Received = Received.COMPLAINT) -> None:
    """Owe the sender a receipt: always for a new case, else at most one an address a day (decisions 29)."""
    always = received in {Received.COMPLAINT, Received.HOW_TO_FILE}
    if not always and _had_one_today(step, filing.ack_to):
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
        reply_to=writing.reply_address(step.docket, token),
        received=received,
        acknowledge_by=_acknowledge_by(step) if received is Received.COMPLAINT else None,
        files=tuple(ReceivedFile(one.digest, len(one.content)) for one in filing.papers),
        largest_mail_mb=filing.largest_mail_mb,
        most_files=filing.most_files,
        paper_address=step.profile.city.letterhead,
    )
    complainant = None
    if number:
        complainant = next((one for one in step.case.complainants if _has_address(one, filing.ack_to)), None)
    writing.send_unset(
        step,
        letter,
        party=complainant,
        to=filing.ack_to,
        token=token,
        in_reply_to=filing.message_id,
        case=bool(number),
    )


def answer_how_to_file(step: Act, filing: Filing) -> None:
    """Owe the sender of a held message the answer how to file, because a person decided so (I8)."""
    _auto_receipt(step, replace(filing, ack_to=filing.sender), number="", received=Received.HOW_TO_FILE)


def _has_address(party: Party, address: str) -> bool:
    return address.casefold() in {one.casefold() for one in party.named.emails}


def _name_for(filing: Filing) -> str:
    names = [
        one.name
        for one in filing.complainants
        if one.name and one.address.casefold() == filing.ack_to.casefold()
    ]
    return names[0] if names else filing.ack_to


def _acknowledge_by(step: Act) -> DueDate | None:
    found = steps_done_by(Fulfilled.ACKNOWLEDGED, step.case, step.profile, step.calendar, step.today)
    return writing.due(found[0].dates, step.profile.clause(found[0].duty.clause).citation) if found else None


def _had_one_today(step: Act, address: str) -> bool:
    zone = step.profile.city.time_zone
    since = start_of_day(local_date(step.now, zone), zone)
    found = step.session.exec(
        select(OutboxRow.id)
        .where(
            OutboxRow.kind == AUTO_RECEIPT,
            OutboxRow.destination == step.docket.keyring.twin("address", address),
            OutboxRow.created_at >= since,
        )
        .limit(1)
    ).first()
    return found is not None

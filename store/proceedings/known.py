"""What the record knows of what a message mentions, so that it can be judged without reading the whole."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Session, func, select

from store import outbox
from store.cases import (
    Docket,
    case_by_number,
    is_there,
    load_case,
    profile_in_force,
    roster_of,
)
from store.database import Prepared
from store.rules.casefile import CaseFile, Party
from store.rules.dates import local_date
from store.rules.facts import LinkKind, PaperReceived, PartyNamed, PartyRole
from store.tables import CaseRow, Document, MailItem, OutboxRow, RawMail


@dataclass(frozen=True, slots=True)
class CaseParties:
    """A case's parties as far as a message can belong to it.

    ``moved`` are addresses of parties who left it since a merger was undone, each with the number of his own case.
    """

    case_id: int
    number: str
    complainants: tuple[tuple[int, str], ...]
    respondents: tuple[tuple[int, str], ...]
    counsel: tuple[tuple[int, str], ...]
    cure_asked: bool
    response_awaited: bool
    reprimanded: bool
    moved: tuple[tuple[str, str], ...] = ()


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
    case_id: int | None = None
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
    bare_lately: int = 0


AUTO_RECEIPT = "auto_receipt"
_MOST_IDS = 50
"""Identifiers of other mails that are looked up; a thread that names more is cut."""


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
    senders: Sequence[str] = (),
    received_at: datetime | None = None,
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
        senders: the addresses it comes from.
        received_at: its instant of receipt, UTC; now where it has none.
    """
    with docket.database.read() as session:
        letters = _letters(docket, session, tokens, message_ids)
        keys = {one.case_id for one in letters if one.case_id is not None}
        keys |= _mentioned(session, numbers)
        keys = {key for key in keys if is_there(docket, session, key)}
        profile, _digest = profile_in_force(session)
        day = local_date(received_at or docket.clock.now(), profile.city.time_zone)
        cases = _with_moved(
            docket, session, [_parties(docket, session, key, day) for key in sorted(keys)], day
        )
        names, addresses = _roster_words(docket, session)
        return KnownFacts(
            cases,
            letters,
            _seen(session, _SAME_BYTES, item, raw_sha256),
            tuple(
                one
                for each in dict.fromkeys((message_id, *message_ids[:_MOST_IDS]))
                for one in _seen_by_id(docket, session, item, each)
            ),
            _papers(session, pdf_hashes),
            names,
            addresses,
            tuple(
                email
                for one in profile.addresses
                if one.office.value == profile.receipt.official.value
                for email in one.emails
            ),
            _bare_lately(docket, session, senders, received_at or docket.clock.now()),
        )


def surviving(docket: Docket, session: Session, key: int) -> int:
    """Give the case that goes on for a case: itself, or the one into which it was merged, however often."""
    seen: set[int] = set()
    while key not in seen:
        seen.add(key)
        merged = load_case(docket, session, key).merged
        if merged is None or not is_there(docket, session, merged.fact.case):
            return key
        key = merged.fact.case
    return key


def own_case(docket: Docket, session: Session, case: CaseFile, party: Party) -> int:
    """Give the case in which a party is one now: another one where a merger brought him here and was undone.

    Counsel whom he took here goes with him.
    """
    known = party if party.named.came_by else case.party(party.named.represents)
    if not party.left or known is None:
        return case.key
    for origin in (one for way in known.named.came_by for one in reversed(way)):
        key = case_by_number(session, origin.case)
        if key is None or not is_there(docket, session, key):
            continue
        there = load_case(docket, session, key).party(origin.party)
        if there is not None and not there.left and surviving(docket, session, key) != case.key:
            return key
    return case.key


def _moved(docket: Docket, session: Session, case: CaseFile) -> tuple[tuple[str, str], ...]:
    """Give each address of a party whom an undone merger took back to his own case, with that case's number."""
    found: dict[str, str] = {}
    for party in (one for one in case.parties if one.left):
        key = own_case(docket, session, case, party)
        if key != case.key:
            namings = [one for one in case.facts if isinstance(one.fact, PartyNamed)]
            own = [
                one.fact for one in namings if isinstance(one.fact, PartyNamed) and case.root(one) == party.id
            ]
            found |= {email: _number(session, key) for named in own for email in named.emails}
    return tuple(found.items())


def _with_moved(
    docket: Docket, session: Session, found: list[CaseParties], day: date
) -> tuple[CaseParties, ...]:
    """Add the cases into which parties of the mentioned ones went back."""
    numbers = {one.number for one in found}
    others = {number for one in found for _address, number in one.moved} - numbers
    return (
        *found,
        *(_parties(docket, session, key, day) for key in sorted(_mentioned(session, sorted(others)))),
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


def _parties(docket: Docket, session: Session, mentioned: int, day: date) -> CaseParties:
    """Give the parties to whom a mentioned case belongs now, under the number by which it was mentioned.

    Counsel counts on the days that his representation covers; what he writes before or after is for a person.
    """
    key = surviving(docket, session, mentioned)
    case = load_case(docket, session, key)
    number = _number(session, mentioned)

    def addresses(*roles: PartyRole) -> tuple[tuple[int, str], ...]:
        there = (one for one in case.with_role(*roles) if one.represents_on(day))
        return tuple((one.id, email) for one in there for email in one.named.emails)

    respondents = [one.id for one in case.respondents]
    return CaseParties(
        key,
        number,
        addresses(PartyRole.COMPLAINANT, PartyRole.COMPLAINANT_COUNSEL),
        addresses(PartyRole.RESPONDENT),
        addresses(PartyRole.RESPONDENT_COUNSEL),
        cure_asked=bool(case.letters_to("cure_notice")) and not case.proper,
        response_awaited=any(
            case.served("notice", one) and not case.chance_over(one) and case.final_at(one) is None
            for one in respondents
        ),
        reprimanded=any(case.letters_to("reprimand_copy", one) for one in respondents),
        moved=_moved(docket, session, case),
    )


_ITEM: sa.Table = MailItem.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
_RAW: sa.Table = RawMail.__table__  # type: ignore[attr-defined]
_CASE: sa.Table = CaseRow.__table__  # type: ignore[attr-defined]
_CAME_BEFORE = (
    sa.select(_ITEM.c.id, _RAW.c.sha256, _ITEM.c.content_sha256, _CASE.c.number, _CASE.c.id)
    .select_from(_ITEM.join(_RAW).outerjoin(_CASE, _CASE.c.id == _ITEM.c.case_id))
    .where(_ITEM.c.id != sa.bindparam("own"))
    .order_by(_ITEM.c.id)
    .limit(5)
)
_SAME_BYTES = Prepared(_CAME_BEFORE.where(_RAW.c.sha256 == sa.bindparam("given")))
_SAME_ID = Prepared(_CAME_BEFORE.where(_ITEM.c.message_id_twin == sa.bindparam("given")))


_PAPER: sa.Table = Document.__table__  # type: ignore[attr-defined]
_SAME_PAPER = Prepared(
    sa.select(_PAPER.c.sha256, _CASE.c.number)
    .select_from(_PAPER.join(_CASE, _CASE.c.id == _PAPER.c.case_id))
    .where(_PAPER.c.sha256 == sa.bindparam("given"))
    .order_by(_PAPER.c.id)
)


def _mentioned(session: Session, numbers: Sequence[str]) -> set[int]:
    if not numbers:
        return set()
    wanted = func.upper(CaseRow.number).in_([one.upper() for one in numbers])
    return {key for key in session.exec(select(CaseRow.id).where(wanted)) if key is not None}


def _seen(session: Session, asked: Prepared, item: int | None, given: str) -> tuple[SeenMail, ...]:
    rows = asked.rows(session, own=item or 0, given=given)
    return tuple(
        SeenMail(key, sha256, content or "", number or "", case)
        for key, sha256, content, number, case in rows
    )


def _seen_by_id(docket: Docket, session: Session, item: int | None, message_id: str) -> tuple[SeenMail, ...]:
    if not message_id:
        return ()
    found = _seen(session, _SAME_ID, item, docket.keyring.twin("message-id", message_id))
    return tuple(
        replace(one, message_id=message_id, number=_number_now(docket, session, one)) for one in found
    )


def _number_now(docket: Docket, session: Session, mail: SeenMail) -> str:
    """Give the case to which what answers a message belongs: not the one that it came into by an undone merger."""
    if mail.case_id is None or not is_there(docket, session, mail.case_id):
        return mail.number
    case = load_case(docket, session, mail.case_id)
    for one in case.all(PaperReceived):
        if one.fact.mail_item == mail.item:
            return _paper_now(docket, session, case, one.fact)
    return mail.number


def _paper_now(docket: Docket, session: Session, case: CaseFile, paper: PaperReceived) -> str:
    came_to = case_by_number(session, paper.came_to) if paper.came_to else None
    if (
        came_to is not None
        and is_there(docket, session, came_to)
        and surviving(docket, session, came_to) != case.key
    ):
        return paper.came_to
    party = case.party(paper.from_party)
    return _number(session, own_case(docket, session, case, party)) if party is not None else case.number


def _number(session: Session, case_id: int | None) -> str:
    row = session.get(CaseRow, case_id) if case_id is not None else None
    return row.number if row else ""


def _papers(session: Session, hashes: Sequence[str]) -> tuple[tuple[str, str], ...]:
    if not hashes:
        return ()
    return tuple(
        (sha256, number)
        for one in dict.fromkeys(hashes)
        for sha256, number in _SAME_PAPER.rows(session, given=one)
    )


_DAY = timedelta(days=1)
_OUTBOX: sa.Table = OutboxRow.__table__  # type: ignore[attr-defined]
_NUMBERED = Prepared(
    sa.select(_OUTBOX.c.id)
    .select_from(_OUTBOX.join(_CASE, _CASE.c.id == _OUTBOX.c.case_id))
    .where(_OUTBOX.c.kind == AUTO_RECEIPT, _OUTBOX.c.destination == sa.bindparam("address"))
    .where(_CASE.c.received_at > sa.bindparam("since"), _CASE.c.received_at <= sa.bindparam("until"))
    .where(~sa.exists().where(_PAPER.c.case_id == _CASE.c.id, _PAPER.c.kind == "complaint"))
)


def _bare_lately(docket: Docket, session: Session, senders: Sequence[str], until: datetime) -> int:
    """Count the sender's complaints without any paper that were numbered within a day before, each with a receipt."""
    twins = {docket.keyring.twin("address", one) for one in senders}
    return sum(len(_NUMBERED.rows(session, address=one, since=until - _DAY, until=until)) for one in twins)


def _roster_words(docket: Docket, session: Session) -> tuple[tuple[str, ...], tuple[str, ...]]:
    members = roster_of(docket, session).members.values()
    names = tuple(name for one in members for name in (one.name, *one.aliases))
    addresses = tuple(address for one in members for address in one.ever_linked(LinkKind.EMAIL))
    return names, addresses

"""What the record knows of what a message mentions, so that it can be judged without reading the whole."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlmodel import Session, col, func, select

from store import outbox
from store.cases import (
    Docket,
    is_there,
    load_case,
    profile_in_force,
    roster_of,
)
from store.rules.facts import (
    LinkKind,
    PartyRole,
)
from store.tables import CaseRow, Document, MailItem, RawMail


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
        mentioned = session.exec(
            select(CaseRow.id).where(func.upper(CaseRow.number).in_([one.upper() for one in numbers]))
        ).all()
        keys |= {key for key in mentioned if key is not None}
        keys = {key for key in keys if is_there(docket, session, key)}
        cases = tuple(_parties(docket, session, key) for key in sorted(keys))
        profile, _digest = profile_in_force(session)
        names, addresses = _roster_words(docket, session)
        return KnownFacts(
            cases,
            letters,
            _seen(session, item, RawMail.sha256 == raw_sha256),
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


def _parties(docket: Docket, session: Session, mentioned: int) -> CaseParties:
    """Give the parties to whom a mentioned case belongs now, under the number by which it was mentioned."""
    key = surviving(docket, session, mentioned)
    case = load_case(docket, session, key)
    number = _number(session, mentioned)

    def addresses(*roles: PartyRole) -> tuple[tuple[int, str], ...]:
        return tuple((one.id, email) for one in case.with_role(*roles) for email in one.named.emails)

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

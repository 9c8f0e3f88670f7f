"""One message read whole: parsed, its PDFs judged, weighed against what the record knows.

This is where the mailroom's parts meet the record's questions: bytes in, a disposition and the filing
that carries it out.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from intake.headers import Mailbox
from intake.known import Awaiting, Known, KnownCase, LetterKind, SentLetter, Sighting, mentions, senders_of
from intake.message import Attachment, Defect, IncomingMail, Limits, read_mail
from intake.pdf.finding import Finding
from intake.sniff import Kind
from intake.triage import Disposition, Outcome, Referral, triage
from store.cases import Docket, number_pattern
from store.letters.auto_receipt import Received
from store.proceedings.known import CaseParties, KnownFacts, SeenMail, what_we_know
from store.proceedings.receipt import Filing, Paper, Sender
from store.rules.check_code import PURPOSE, check_code
from store.rules.conflict import Passage, Where
from store.rules.evidence import EnclosedFile, Evidence
from store.rules.facts import ReceiptEvidence

JudgePdf = Callable[[bytes, datetime], Finding]
"""Bytes of a PDF and the instant at which its certificates count -> what was found."""

MEBIBYTE = 1 << 20
_PLAUSIBLE = timedelta(days=60)
_TOO_MANY = frozenset({Defect.TOO_MANY_PARTS, Defect.TOO_DEEP, Defect.TOO_MANY_ATTACHMENTS})
_WHAT = {
    Outcome.CURE_RECEIVED: "cure",
    Outcome.RESPONSE_RECEIVED: "response",
    Outcome.HEARING_DEMAND_RECEIVED: "demand",
}


@dataclass(frozen=True, slots=True)
class Desk:
    """What the mailroom knows of itself.

    Attributes:
        docket: the record.
        intake_address: the mailbox that complaints are sent to.
        own_addresses: further addresses that Docket or the Board's office sends from.
        authserv_id: the name under which our own server writes Authentication-Results.
        judge_pdf: judges one PDF.
        junk_folders: folders whose mail the server took for spam.
        limits: how large a mail may be and still be opened (I8).
    """

    docket: Docket
    intake_address: str
    authserv_id: str
    judge_pdf: JudgePdf
    own_addresses: tuple[str, ...] = ()
    junk_folders: tuple[str, ...] = ("Junk", "Spam", "Junk Email", "[Gmail]/Spam")
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Read:
    """A message read.

    Attributes:
        mail: the message.
        told: what becomes of it.
        filing: everything that carrying it out needs.
        known: what the record knew.
    """

    mail: IncomingMail
    told: Disposition
    filing: Filing
    known: KnownFacts


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message with how it arrived.

    Attributes:
        raw: its bytes.
        received_at: the instant of receipt, UTC.
        offset_minutes: the zone in which the server stated it.
        ingested_at: when Docket took it, UTC.
        item: its item in the record; None for one that has none.
        folder: where it lay.
    """

    raw: bytes
    received_at: datetime
    ingested_at: datetime
    offset_minutes: int = 0
    item: int | None = None
    folder: str = "INBOX"


def read(desk: Desk, arrival: Arrival) -> Read:
    """Read one message and say what becomes of it; nothing is changed."""
    return weigh(desk, arrival, open_mail(desk, arrival))


@dataclass(frozen=True, slots=True)
class OpenedMail:
    """A message parsed and its PDFs judged, before the record is asked anything; by SHA-256 of each PDF."""

    mail: IncomingMail
    findings: dict[str, Finding]


def open_mail(desk: Desk, arrival: Arrival) -> OpenedMail:
    """Parse a message and judge its PDFs: what takes long, and needs no lock on the record."""
    mail = read_mail(arrival.raw, desk.limits)
    pdfs = {one.sha256: one.content for one in mail.exhibits() if one.kind is Kind.PDF}
    return OpenedMail(
        mail, {key: desk.judge_pdf(content, arrival.received_at) for key, content in pdfs.items()}
    )


def weigh(desk: Desk, arrival: Arrival, opened: OpenedMail) -> Read:
    """Weigh an opened message against what the record knows now, and say what becomes of it."""
    mail, findings = opened.mail, opened.findings
    pattern = number_pattern(desk.docket)
    named = mentions(mail, pattern)
    facts = what_we_know(
        desk.docket,
        item=arrival.item,
        raw_sha256=named.raw_sha256,
        message_id=named.message_id or "",
        tokens=named.tokens,
        message_ids=named.message_ids,
        numbers=named.numbers,
        pdf_hashes=named.pdf_hashes,
        senders=senders_of(mail),
        received_at=arrival.received_at,
    )
    known = replace(as_known(desk, facts), number_pattern=pattern, junk=arrival.folder in desk.junk_folders)
    told = triage(mail, known, findings, received_at=arrival.received_at)
    return Read(mail, told, filing_of(desk, arrival, mail, told=told, findings=findings, facts=facts), facts)


def as_known(desk: Desk, facts: KnownFacts) -> Known:
    """Give what the record knows in the mailroom's words."""
    secret = desk.docket.keyring.derived(PURPOSE)
    return Known(
        intake_address=desk.intake_address,
        own_addresses=(desk.docket.mail_from, *desk.own_addresses),
        city_manager=facts.city_manager,
        authserv_id=desk.authserv_id,
        cases=tuple(_case(one, secret) for one in facts.cases),
        sent=tuple(
            SentLetter(one.number, LetterKind.of(one.kind), one.to, one.message_id, one.token)
            for one in facts.letters
        ),
        seen=tuple(_sighting(one) for one in (*facts.seen, *facts.seen_by_id)),
        papers=dict(facts.papers),
        roster_names=facts.roster_names,
        roster_addresses=facts.roster_addresses,
        bare_lately=facts.bare_lately,
    )


def _case(one: CaseParties, secret: bytes) -> KnownCase:
    awaiting = {
        Awaiting.CURE: one.cure_asked,
        Awaiting.RESPONSE: one.response_awaited,
        Awaiting.DEMAND: one.reprimanded,
    }
    return KnownCase(
        one.number,
        tuple(address for _party, address in one.complainants),
        tuple(address for _party, address in one.respondents),
        tuple(address for _party, address in one.counsel),
        frozenset(what for what, waits in awaiting.items() if waits),
        check_code(one.number, secret),
        one.moved,
    )


def _sighting(one: SeenMail) -> Sighting:
    return Sighting(
        one.raw_sha256,
        one.message_id,
        one.content_sha256,
        one.number or f"item {one.item}",
        one.number or None,
    )


def filing_of(
    desk: Desk,
    arrival: Arrival,
    mail: IncomingMail,
    *,
    told: Disposition,
    findings: dict[str, Finding],
    facts: KnownFacts,
) -> Filing:
    """Give everything that carrying out a disposition needs."""
    exhibits = mail.exhibits()
    return Filing(
        outcome=told.outcome.value,
        received_at=arrival.received_at,
        evidence=_evidence(arrival, mail, told),
        complainants=_complainants(mail, told),
        papers=tuple(_paper(one, told, findings) for one in exhibits),
        passages=tuple(_passages(mail, findings)),
        addresses=tuple(_addresses(mail)),
        own_addresses=(desk.intake_address, desk.docket.mail_from, *desk.own_addresses, *facts.city_manager),
        readable=all(_is_readable(one, findings) for one in exhibits) and not mail.defects,
        flags=told.flags,
        reason=told.review_reason or "",
        ack_to=told.ack_to[0] if told.ack and told.ack_to else "",
        message_id=mail.message_id or "",
        content_sha256=mail.content_sha256,
        by_city_manager=told.referral is Referral.BY_CITY_MANAGER,
        manager_received_at=_manager_received_at(arrival, mail, told),
        match=told.match.value if told.match else "",
        sender=told.sender or "",
        what=_WHAT.get(told.outcome, "evidence"),
        received=_received(mail),
        largest_mail_mb=desk.limits.mail_bytes // MEBIBYTE,
        most_files=desk.limits.attachments,
        suggested_number=told.suggested_number or told.number or "",
    )


def _received(mail: IncomingMail) -> Received:
    """Give what the sender of a message that is not filed is told: what came, and how to file where that helps."""
    if Defect.TOO_LARGE in mail.defects:
        return Received.TOO_LARGE
    if mail.defects & _TOO_MANY:
        return Received.TOO_MANY
    archives = any(one.kind is Kind.ARCHIVE for one in mail.exhibits())
    return Received.ARCHIVE if archives else Received.MESSAGE


def _evidence(arrival: Arrival, mail: IncomingMail, told: Disposition) -> ReceiptEvidence:
    return ReceiptEvidence(
        internaldate=arrival.received_at,
        offset_minutes=arrival.offset_minutes,
        received_line=mail.received[:1000],
        date_header=mail.header("date")[:200],
        ingested_at=arrival.ingested_at,
        flags=told.flags,
    )


def _complainants(mail: IncomingMail, told: Disposition) -> tuple[Sender, ...]:
    """Give who complains, with the name that stood beside the address."""
    names = {box.key: box.name for box in _boxes(mail)}
    addresses = told.complainants or ((told.sender,) if told.sender else ())
    return tuple(Sender(names.get(one, ""), one) for one in addresses)


def _boxes(mail: IncomingMail) -> Iterable[Mailbox]:
    yield from mail.from_.boxes
    for inner in mail.forwarded:
        yield from inner.from_.boxes


def _paper(one: Attachment, told: Disposition, findings: dict[str, Finding]) -> Paper:
    found = findings.get(one.sha256)
    kind = _WHAT.get(told.outcome, "complaint")
    evidence = evidence_of(found).to_json() if found else ""
    return Paper(
        one.content,
        one.name,
        media_type_of(one.content, one.kind, one.content_type),
        kind,
        evidence,
        _is_readable(one, findings),
        one.sha256,
    )


_PICTURES = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG", "image/png"), (b"GIF8", "image/gif"))


def media_type_of(content: bytes, kind: Kind, said: str) -> str:
    """Give what a paper is by its bytes, where that is known; else what its sender called it.

    Phones send HEIC photos as ``application/octet-stream``.
    """
    if kind is Kind.PDF:
        return "application/pdf"
    if kind is not Kind.IMAGE:
        return said
    known = next((name for begin, name in _PICTURES if content.startswith(begin)), "")
    if not known and content[4:8] == b"ftyp":
        known = "image/heic"
    return known or (said if said.startswith("image/") else "image/*")


def evidence_of(found: Finding) -> Evidence:
    """Give a finding the form in which the record keeps it."""
    return Evidence(
        found.signature.value,
        found.pages,
        found.encrypted.value,
        found.active_content,
        found.signers,
        found.reasons,
        found.screened,
        found.signature_page,
        found.embedded,
        found.signed_bytes,
        found.changes,
        tuple(
            EnclosedFile(
                one.name,
                one.signature.value if one.signature else "",
                one.signers,
                one.pages,
                one.screened,
            )
            for one in found.enclosed
        ),
    )


def _passages(mail: IncomingMail, findings: dict[str, Finding]) -> Iterable[Passage]:
    yield Passage(Where.SUBJECT, mail.subject)
    yield Passage(Where.MAIL_BODY, mail.text)
    for inner in mail.forwarded:
        yield from _passages(inner, findings)
    for one in mail.attachments:
        yield Passage(Where.FILE_NAME, one.name)
        found = findings.get(one.sha256)
        if found is not None:
            yield Passage(Where.PAGE_TEXT, found.text)
            yield from (Passage(Where.FILE_NAME, enclosed.name) for enclosed in found.enclosed)
            if found.enclosed_text:
                yield Passage(Where.ENCLOSED_TEXT, found.enclosed_text)


def _addresses(mail: IncomingMail) -> Iterable[str]:
    for boxes in (mail.from_, mail.sender, mail.reply_to, mail.recipients):
        yield from (box.address for box in boxes.boxes)
    for inner in mail.forwarded:
        yield from _addresses(inner)


def _is_readable(one: Attachment, findings: dict[str, Finding]) -> bool:
    found = findings.get(one.sha256)
    return found is not None and found.screened


def _manager_received_at(arrival: Arrival, mail: IncomingMail, told: Disposition) -> datetime | None:
    """Give the earliest plausible instant at which the City Manager had it (decisions 4).

    Only where the message went through his hands: the forwarded message cannot have reached him before
    it was written. A date that is not believable counts as none.
    """
    if told.referral is not Referral.BY_CITY_MANAGER or not mail.forwarded:
        return None
    written = mail.forwarded[0].date
    if written is None or not arrival.received_at - _PLAUSIBLE <= written < arrival.received_at:
        return None
    return written

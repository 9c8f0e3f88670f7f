"""What becomes of a mail: pure, total, and when in doubt a person looks.

A mail is asked one question after another; the first that has an answer decides. The order matters: what
can make a loop is stopped first, then machines, then doubts about the sender, then what belongs to a case,
and what remains is a new complaint. Sources: mail.md (judging), decisions.md 28 to 30, requirements I1, I5,
I6 and I8, clause A (complaints go to the City Manager, who refers them).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any

from intake.autoreply import auto_submitted, is_auto_reply
from intake.bounces import (
    Action,
    DeliveryReport,
    bare_report,
    from_server,
    is_complaint_about_us,
    read_report,
    sent_by_server,
    spoken_receipt,
    weightiest,
)
from intake.headers import Mailbox, address_key
from intake.known import (
    Awaiting,
    Known,
    KnownCase,
    LetterKind,
    Mentions,
    Role,
    SentLetter,
    Sighting,
    mentions,
    numbers_in,
    senders_of,
    tokens_of,
)
from intake.message import Defect, IncomingMail
from intake.papers import PaperReason, Papers, Verdict, judge_papers
from intake.pdf.finding import Finding
from intake.senders import (
    Dmarc,
    SenderFault,
    appearance,
    claims_manager,
    dmarc,
    is_machine,
    is_manager,
    sender_fault,
    shows_city_address,
)
from intake.sniff import Kind

__all__ = ["Disposition", "Flag", "MatchKind", "Mentions", "Outcome", "Referral", "mentions", "triage"]


class Outcome(StrEnum):
    """What becomes of a mail (requirement I1: each is in exactly one place)."""

    FILED = "filed"
    CURE_NOTICE = "cure_notice"
    NEEDS_REVIEW = "needs_review"
    CURE_RECEIVED = "cure_received"
    RESPONSE_RECEIVED = "response_received"
    HEARING_DEMAND_RECEIVED = "hearing_demand_received"
    BOUNCE_MATCHED = "bounce_matched"
    RECEIPT_NOTED = "receipt_noted"
    AUTO_REPLY_IGNORED = "auto_reply_ignored"
    DUPLICATE = "duplicate"
    LOOP_STOPPED = "loop_stopped"


class Referral(StrEnum):
    """How a complaint stands to clause A: only the City Manager refers."""

    NEEDED = "needed: the Manager must refer; a copy reached the Board box"
    NEEDED_DIRECT = "needed: the Manager must refer; it was sent to the Board alone"
    BY_CITY_MANAGER = "by_city_manager"


class MatchKind(StrEnum):
    """By what a mail was found to belong to a case or a letter."""

    TOKEN = "plus-address token"  # noqa: S105  the name of a way, not a secret
    IN_REPLY_TO = "in-reply-to"
    NUMBER_WITH_CODE = "number with check code"
    ENVELOPE = "envelope address"
    ENVELOPE_ID = "envelope identifier"
    RETURNED_ID = "returned message-id"
    RECIPIENT = "recipient"


class Flag(StrEnum):
    """What staff are told beside the outcome."""

    REPLY_TO_DIFFERS = "reply_to_differs"
    SENDER_DIFFERS = "sender_differs"
    FROM_REPAIRED = "from_repaired"
    DMARC_FAIL = "dmarc_fail"
    DMARC_ABSENT = "dmarc_absent"
    LOOKALIKE_ADDRESS = "lookalike_address"
    OTHER_ADDRESS_SHOWN = "other_address_in_name"
    ROSTER_NAME = "roster_name"
    DATE_IN_FUTURE = "date_in_future"
    DATE_GAP = "date_gap"
    POSSIBLE_DUPLICATE = "possible_duplicate"
    NO_DOCUMENT = "no_document"
    DEMAND_NOT_READ = "demand_not_read"
    RESENT = "resent"


class Reason(StrEnum):
    """Why a person must look; sender and paper faults have reasons of their own."""

    ID_REUSED = "Message-ID reused with other content"
    FROM_OURSELVES = "from one of our own addresses, and no mail of ours"
    UNMATCHED_REPORT = "delivery report for no letter of ours"
    REPORT_BY_PERSON = "says that a letter of ours came back, but no mail server wrote it"
    UNWANTED = "a provider reports our letter as unwanted"
    MACHINE_WITH_PAPERS = "a machine sent papers: complainant unknown"
    MACHINE = "a machine sent it: complainant unknown"
    SPAM = "spam flag; kept in the spam queue, not deleted"
    LIST_MAIL = "list mail"
    CALENDAR = "calendar invitation"
    CLAIMS_MANAGER = "claims to be the City Manager"
    SHOWS_CITY_ADDRESS = "display name shows an address of the city that is not the sender's"
    MANAGER_FAILS = "City Manager's address, but authentication failed"
    MANAGER_UNPROVEN = "City Manager's address, not authenticated"
    MANAGER_QUOTED = "complainant address comes from quoted text"
    MANAGER_NO_COMPLAINANT = "from the City Manager, without the complainant's own mail"
    MANAGER_SEVERAL = "City Manager forwards several mails"
    INNER_SENDER = "the forwarded mail does not name its complainant beyond doubt"
    REFERS_FILED = "City Manager refers a complaint that is filed already: staff record the referral"
    MANAGER_RESENT = "resent in the City Manager's name, not authenticated"
    RESENT_BY_OTHER = "resent by somebody else than its writer"
    NUMBER_ALONE = "number alone proves nothing; sender is no party"
    NUMBER_ALONE_PARTY = "number alone proves nothing; sender is a party, staff attach it"
    STRANGER = "answers a letter of ours, but the sender is no party"
    UNKNOWN_TOKEN = "sent to a reply address that is not known"  # noqa: S105  a sentence, not a secret
    TWO_CASES = "points to two cases"
    REPLY_FAILS = "a party's address, but authentication failed"
    OTHER_SIDES_TOKEN = "a party uses the reply address of the other side"  # noqa: S105  a sentence
    WITHDRAWAL = "speaks of withdrawing the complaint"
    FURTHER_PAPERS = "further papers from a party: staff attach them"
    PARTY_WRITES = "a party writes, without the paper that is waited for"
    DEMAND_WITHOUT_CASE = "speaks of a reprimand and a hearing, with no case: staff look for a demand at once"
    REPRIMAND_ANSWERED = "answer to a reprimand; staff look for a demand at once"
    TWO_COMPLAINANTS = "two complainants: each is owed an acknowledgement"
    NOT_THE_SIGNER = "sender is not the signer"
    FORWARDED = "forwarded by somebody else than its writer"
    FOLLOWS_FILED = "answers a mail that is in a case already; staff attach it"
    RECALL = "asks to recall an earlier mail, which stays as it came"
    QUESTION = "asks something and complains of nothing: staff answer"
    MANY = "many complaints from one address within a day: staff look whether a machine answers our receipts"
    LOOSE_ANSWER = "looks like an answer, but to no letter of ours"


@dataclass(frozen=True, slots=True)
class Bounce:
    """What a report says of one letter.

    Attributes:
        action: what was done.
        status: the enhanced status code; None where none is given.
        recipient: the address it is about.
        letter: the letter; None where no letter of ours was found.
    """

    action: Action
    status: str | None
    recipient: str | None = field(repr=False)
    letter: SentLetter | None


@dataclass(frozen=True, slots=True)
class Disposition:
    """What becomes of a mail, and why.

    Attributes:
        outcome: the one place it goes to.
        number: the case it belongs to; None for a new complaint and wherever a party's address was missing.
        match: by what it was matched; None where it was not.
        role: what the sender is in that case.
        sender: the one address of a sound From; None where there is none.
        senders: all addresses of the From.
        complainants: whom the complaint comes from; a suggestion where ``complainant_is_suggested``.
        complainant_is_suggested: the address was read in quoted or forwarded text; staff confirm.
        ack: the sender gets an auto-receipt (the caller keeps to one a day, decisions.md 29).
        ack_to: the addresses that get it.
        flags: what staff are told.
        review_reason: why a person must look or what is missing; None where neither.
        referral: how it stands to clause A; None where no machine may say.
        bounce: what a delivery report says.
        earlier: how the earlier mail of the same bytes or content is called.
        suggested_number: a case that staff may want to look at; never shown to the sender.
        papers: the papers judged.
    """

    outcome: Outcome
    number: str | None = None
    match: MatchKind | None = None
    role: Role | None = None
    sender: str | None = field(default=None, repr=False)
    senders: tuple[str, ...] = field(default=(), repr=False)
    complainants: tuple[str, ...] = field(default=(), repr=False)
    complainant_is_suggested: bool = False
    ack: bool = False
    ack_to: tuple[str, ...] = field(default=(), repr=False)
    flags: tuple[str, ...] = ()
    review_reason: str | None = None
    referral: Referral | None = None
    bounce: Bounce | None = None
    earlier: str | None = None
    suggested_number: str | None = None
    papers: Papers | None = field(default=None, repr=False)


DATE_GAP = timedelta(days=1)
"""More than this between Date and receipt is flagged (requirement I4)."""

CLOCK_SKEW = timedelta(hours=1)
"""Senders' clocks may be ahead by this much before their Date counts as in the future."""


@dataclass(frozen=True)
class _Desk:
    """One mail on the desk, with everything that is known."""

    mail: IncomingMail
    known: Known
    findings: Mapping[str, Finding]
    received_at: datetime | None

    @cached_property
    def report(self) -> DeliveryReport | None:
        return read_report(self.mail)

    @cached_property
    def papers(self) -> Papers:
        return judge_papers(self.mail, self.findings)

    @cached_property
    def senders(self) -> tuple[str, ...]:
        return senders_of(self.mail)

    @cached_property
    def box(self) -> Mailbox | None:
        """Give the one mailbox of a sound From."""
        sound = sender_fault(self.mail) is None and len(self.senders) == 1
        return self.mail.from_.boxes[0] if sound else None

    @cached_property
    def dmarc(self) -> Dmarc:
        return dmarc(self.mail, self.known.authserv_id)

    @cached_property
    def letters(self) -> tuple[tuple[MatchKind, SentLetter], ...]:
        """Give the letters of ours that the mail answers, best proof first."""
        by_token = [(MatchKind.TOKEN, self.known.letter_by_token(one)) for one in tokens_of(self.mail)]
        by_id = [(MatchKind.IN_REPLY_TO, self.known.letter_by_id(one)) for one in self.mail.replied_to]
        return tuple((kind, letter) for kind, letter in (*by_token, *by_id) if letter is not None)

    def answer(self, outcome: Outcome, **facts: Any) -> Disposition:
        """Give a disposition with what is known of the sender and the papers."""
        plain = Disposition(
            outcome,
            sender=self.box.key if self.box else None,
            senders=self.senders,
            flags=_flags(self),
            papers=self.papers,
        )
        return replace(plain, **facts)

    def review(self, reason: StrEnum, *, ack: bool = False, **facts: Any) -> Disposition:
        """Put the mail into the holding pen."""
        return self.answer(Outcome.NEEDS_REVIEW, review_reason=reason.value, **self.receipt(ack=ack), **facts)

    def receipt(self, *, ack: bool, to: Iterable[str] | None = None) -> dict[str, Any]:
        """Give ack and ack_to; nobody without a sound address, no address of ours and no server gets one."""
        asked = tuple(to) if to is not None else ((self.box.key,) if self.box else ())
        may = (
            tuple(one for one in asked if not self.known.is_own(one))
            if ack and not from_server(self.mail)
            else ()
        )
        return {"ack": bool(may), "ack_to": may}


def triage(
    mail: IncomingMail, known: Known, findings: Mapping[str, Finding], *, received_at: datetime | None = None
) -> Disposition:
    """Say what becomes of a mail. Pure and total: it changes nothing and always answers.

    Args:
        mail: the mail read.
        known: what the record knows of what :func:`mentions` names.
        findings: SHA-256 of a PDF -> its finding.
        received_at: the instant of receipt (INTERNALDATE), UTC; only for flags, no date is computed here.
    """
    desk = _Desk(mail, known, findings, received_at)
    for question in _QUESTIONS:
        answer = question(desk)
        if answer is not None:
            return answer
    return _new_complaint(desk)


def _flags(desk: _Desk) -> tuple[str, ...]:
    mail, known = desk.mail, desk.known
    held: list[str] = []
    box = desk.box
    reply_to = {one.key for one in mail.reply_to.boxes}
    if reply_to - set(desk.senders) and desk.senders:
        held.append(Flag.REPLY_TO_DIFFERS)
    if box is not None and any(one.key != box.key for one in mail.sender.boxes):
        held.append(Flag.SENDER_DIFFERS)
    if mail.from_.repaired:
        held.append(Flag.FROM_REPAIRED)
    if mail.resent_from.boxes:
        held.append(Flag.RESENT)
    if box is not None:
        held += _appearance_flags(box, desk)
    held += _date_flags(mail.date, desk.received_at)
    if any(one.sha256 in known.papers for one in mail.exhibits() if one.kind is Kind.PDF):
        held.append(Flag.POSSIBLE_DUPLICATE)
    return tuple(str(one) for one in (*held, *desk.papers.flags))


def _appearance_flags(box: Mailbox, desk: _Desk) -> list[str]:
    looks = appearance(box, desk.known)
    of_city = box.domain in desk.known.city_domains
    told = {
        Flag.DMARC_FAIL: desk.dmarc is Dmarc.FAIL,
        Flag.DMARC_ABSENT: of_city and desk.dmarc is Dmarc.ABSENT and bool(desk.known.authserv_id),
        Flag.OTHER_ADDRESS_SHOWN: looks.other_address,
        Flag.LOOKALIKE_ADDRESS: looks.lookalike,
        Flag.ROSTER_NAME: looks.roster_name,
    }
    return [flag for flag, holds in told.items() if holds]


def _date_flags(written: datetime | None, received_at: datetime | None) -> list[str]:
    if written is None or received_at is None:
        return []
    if written - received_at > CLOCK_SKEW:
        return [Flag.DATE_IN_FUTURE]
    return [Flag.DATE_GAP] if received_at - written > DATE_GAP else []


# --- seen before, and our own ---------------------------------------------------------------------------


def _duplicate(desk: _Desk) -> Disposition | None:
    mail = desk.mail
    for one in desk.known.seen:
        same_id = mail.message_id is not None and one.message_id == mail.message_id
        if one.raw_sha256 == mail.raw_sha256 or (same_id and one.content_sha256 == mail.content_sha256):
            return desk.answer(Outcome.DUPLICATE, earlier=one.name, number=one.number)
    return None


def _own_loop(desk: _Desk) -> Disposition | None:
    mail = desk.mail
    from_us = any(desk.known.is_own(one) for one in desk.senders)
    letter = desk.known.letter_by_id(mail.message_id) if mail.message_id else None
    machine = auto_submitted(mail) is not None
    if letter is not None and (from_us or machine):
        return desk.answer(Outcome.LOOP_STOPPED, number=letter.number)
    if from_us and desk.report is None:
        return desk.answer(Outcome.LOOP_STOPPED) if machine else desk.review(Reason.FROM_OURSELVES)
    return None


# --- machines -------------------------------------------------------------------------------------------


def _report(desk: _Desk) -> Disposition | None:
    report = desk.report or spoken_receipt(desk.mail)
    if report is None:
        return None
    match, letter = _reported_letter(desk, report)
    if letter is None and not report.structured and not from_server(desk.mail):
        return None
    if letter is None:
        return desk.review(Reason.UNMATCHED_REPORT, bounce=_bounce(report, None))
    return _reported(desk, report, match, letter)


def _reported(
    desk: _Desk, report: DeliveryReport, match: MatchKind | None, letter: SentLetter
) -> Disposition:
    bounce = _bounce(report, letter)
    failing = bounce.action in {Action.FAILED, Action.DELAYED} and not report.receipt
    if failing and match is not MatchKind.ENVELOPE and not sent_by_server(desk.mail):
        return desk.review(Reason.REPORT_BY_PERSON, bounce=bounce, suggested_number=letter.number)
    outcome = Outcome.BOUNCE_MATCHED if failing else Outcome.RECEIPT_NOTED
    return desk.answer(outcome, number=letter.number, match=match, bounce=bounce)


def _bounce(report: DeliveryReport, letter: SentLetter | None) -> Bounce:
    worst = weightiest(report, letter.to if letter else None)
    named = [one for one in worst.addresses if letter is not None and one == address_key(letter.to)]
    others = [*worst.addresses[:1], *([address_key(letter.to)] if letter else [])]
    recipient = next(iter([*named, *others]), None)
    return Bounce(worst.action, worst.status, recipient, letter)


def _reported_letter(desk: _Desk, report: DeliveryReport) -> tuple[MatchKind | None, SentLetter | None]:
    """Find the letter by envelope address, ENVID, returned Message-ID, recipient, in that order (mail.md)."""
    known = desk.known
    envids = {(one.envid or one.token).lower(): one for one in known.sent}
    found: list[tuple[MatchKind, SentLetter | None]] = [
        *((MatchKind.ENVELOPE, known.letter_by_token(one)) for one in tokens_of(desk.mail, "b")),
        *((MatchKind.ENVELOPE_ID, envids.get(one)) for one in report.envelope_ids),
        *((MatchKind.RETURNED_ID, known.letter_by_id(one)) for one in report.message_ids),
        *((MatchKind.TOKEN, known.letter_by_token(one)) for one in tokens_of(desk.mail, "r")),
    ]
    for match, letter in found:
        if letter is not None:
            return match, letter
    addresses = {address for one in report.recipients for address in one.addresses}
    to_them = [one for one in known.sent if address_key(one.to) in addresses]
    return (MatchKind.RECIPIENT, to_them[0]) if len(to_them) == 1 else (None, None)


def _unwanted(desk: _Desk) -> Disposition | None:
    return desk.review(Reason.UNWANTED) if is_complaint_about_us(desk.mail) else None


def _auto_reply(desk: _Desk) -> Disposition | None:
    if not is_auto_reply(desk.mail, answers_us=bool(desk.letters)):
        return None
    if desk.mail.exhibits():
        return desk.review(Reason.MACHINE_WITH_PAPERS)
    for match, letter in desk.letters:
        number = _own_case(desk, letter)
        if _role(desk, desk.known.case(number), letter) is not None:
            return desk.answer(Outcome.AUTO_REPLY_IGNORED, number=number, match=match)
    return desk.answer(Outcome.AUTO_REPLY_IGNORED)


def _bare_bounce(desk: _Desk) -> Disposition | None:
    """Take a mail from a server to an envelope sender of ours for what it is, whatever it says."""
    if not from_server(desk.mail) or desk.mail.exhibits():
        return None
    for token in tokens_of(desk.mail, "b"):
        letter = desk.known.letter_by_token(token)
        if letter is not None:
            return _reported(desk, bare_report(desk.mail), MatchKind.ENVELOPE, letter)
    return None


# --- doubts about the sender ----------------------------------------------------------------------------


def _faulty_sender(desk: _Desk) -> Disposition | None:
    fault: SenderFault | None = sender_fault(desk.mail)
    return desk.review(fault) if fault is not None else None


def _spam(desk: _Desk) -> Disposition | None:
    filtered = any(says.match(desk.mail.header(name)) for name, says in _SPAM_WORDS.items())
    level = _SPAM_LEVEL.match(desk.mail.header("x-ms-exchange-organization-scl"))
    report = _SPAM_RATING.search(desk.mail.header("x-forefront-antispam-report"))
    rated = any(one is not None and int(one.group(1)) >= 5 for one in (level, report))  # noqa: PLR2004  Exchange's mark for spam
    return desk.review(Reason.SPAM) if desk.known.junk or filtered or rated else None


_YES = re.compile(r"\s*(?:yes|true|spam)\b", re.IGNORECASE)
_SPAM_WORDS = {
    **dict.fromkeys(
        ("x-spam-flag", "x-spam-status", "x-spam", "x-barracuda-spam-flag", "x-barracuda-spam-status", "x-dspam-result",
         "x-bogosity", "x-spam-detected", "x-klms-antispam-status", "x-crm114-status", "x-ovh-spam-status"),
        _YES,
    ),
    "x-rspamd-action": re.compile(r"\s*(?:reject|add[ _]header|rewrite[ _]subject|quarantine)", re.IGNORECASE),
    "x-proofpoint-spam-details": re.compile(r".*\brule=[^ ]*spam(?<!notspam)\b", re.IGNORECASE),
    "x-ses-spam-verdict": re.compile(r"\s*fail", re.IGNORECASE),
    "x-forefront-antispam-report": re.compile(r".*\b(?:sfv:(?:spm|sks|skb)|cat:h?(?:spm|phsh|phish)|cat:malw)\b", re.IGNORECASE),
}  # fmt: skip
"""What the usual filters write on a mail that they take for spam; anybody may write it, and a person looks."""

_SPAM_LEVEL = re.compile(r"\s*(\d{1,3})\b")
_SPAM_RATING = re.compile(r"\bscl:(\d{1,3})\b", re.IGNORECASE)


_LIST_HEADERS = ("list-id", "list-post", "list-unsubscribe", "mailing-list", "x-mailing-list")


def _list_mail(desk: _Desk) -> Disposition | None:
    values = [desk.mail.header(name) for name in _LIST_HEADERS]
    own_lists = {one.replace("@", ".") for one in desk.known.own_keys}
    list_id = re.search(r"<([^<>]+)>", values[0])
    if list_id and list_id.group(1).strip().lower() in own_lists:
        return None  # the city's own mailbox is a distribution group
    return desk.review(Reason.LIST_MAIL) if any(values) else None


def _reused_id(desk: _Desk) -> Disposition | None:
    mail = desk.mail
    ids = {one.message_id for one in desk.known.seen}
    letter = desk.known.letter_by_id(mail.message_id) if mail.message_id else None
    if mail.message_id is None or (mail.message_id not in ids and letter is None):
        return None
    proven = desk.box is not None and not _pretends(desk, desk.box) and not is_manager(desk.box, desk.known)
    return desk.review(Reason.ID_REUSED, ack=proven and letter is None, complainants=desk.senders)


def _calendar(desk: _Desk) -> Disposition | None:
    nothing_else = desk.mail.calendar and not desk.papers.readable
    return desk.review(Reason.CALENDAR) if nothing_else else None


def _pretends(desk: _Desk, box: Mailbox) -> bool:
    return claims_manager(box, desk.known) or shows_city_address(box, desk.known)


def _answers_as_party(desk: _Desk) -> bool:
    """Tell whether the exact address of a party answers a letter of ours, whatever else he is or calls himself."""
    return any(_role(desk, desk.known.case(_own_case(desk, one)), one) is not None for _, one in desk.letters)


def _pretender(desk: _Desk) -> Disposition | None:
    if _answers_as_party(desk):
        return None
    for box in desk.mail.from_.boxes:
        if claims_manager(box, desk.known):
            return desk.review(Reason.CLAIMS_MANAGER)
        if shows_city_address(box, desk.known):
            return desk.review(Reason.SHOWS_CITY_ADDRESS)
    return None


# --- the City Manager -----------------------------------------------------------------------------------


def _from_manager(desk: _Desk) -> Disposition | None:
    if not any(is_manager(box, desk.known) for box in desk.mail.from_.boxes) or _answers_as_party(desk):
        return None
    if desk.dmarc is Dmarc.FAIL:
        return desk.review(Reason.MANAGER_FAILS)
    if desk.mail.defects:
        return desk.review(_defect(desk.mail))
    proven = desk.dmarc is Dmarc.PASS and desk.box is not None and not desk.mail.from_.repaired
    forwarded = desk.mail.forwarded
    if len(forwarded) > 1:
        return desk.review(Reason.MANAGER_SEVERAL, **_suggested(_inner_writers(desk, forwarded)))
    return (
        _manager_forwards(desk, forwarded[0], proven=proven)
        if forwarded
        else _manager_writes(desk, proven=proven)
    )


def _manager_writes(desk: _Desk, *, proven: bool) -> Disposition:
    quoted = quoted_writers(desk.mail.text)
    if quoted:
        outside = [one for one in quoted if one.rpartition("@")[2] not in desk.known.city_domains]
        referral = Referral.BY_CITY_MANAGER if proven else None
        return desk.review(Reason.MANAGER_QUOTED, referral=referral, **_suggested((outside or quoted)[:1]))
    return desk.review(Reason.MANAGER_NO_COMPLAINANT if proven else Reason.MANAGER_UNPROVEN)


def _manager_forwards(desk: _Desk, inner: IncomingMail, *, proven: bool) -> Disposition:
    """Take the writer of the mail that the City Manager forwarded whole for the complainant (mail.md)."""
    writers = _inner_writers(desk, (inner,))
    if not proven:
        return desk.review(Reason.MANAGER_UNPROVEN, **_suggested(writers))
    referral: dict[str, Any] = {"referral": Referral.BY_CITY_MANAGER}
    box = inner.from_.boxes[0] if len(inner.from_.boxes) == 1 and sender_fault(inner) is None else None
    if box is None or inner.forwarded or not _may_complain(box, desk.known):
        return desk.review(Reason.INNER_SENDER, **referral, **_suggested(writers))
    before = _filed_before(inner, desk.known)
    if before is not None:
        facts = {
            **referral,
            "complainants": (box.key,),
            "earlier": before.name,
            "suggested_number": before.number,
        }
        return desk.review(Reason.REFERS_FILED, **facts)
    facts = {**referral, "complainants": (box.key,), **desk.receipt(ack=True, to=(box.key,))}
    if _BEHALF.search(f"{box.name}\n{inner.text}"):
        return desk.answer(Outcome.NEEDS_REVIEW, review_reason=Reason.NOT_THE_SIGNER.value, **facts)
    return _by_papers(desk, facts)


def _filed_before(inner: IncomingMail, known: Known) -> Sighting | None:
    """Find the mail that the City Manager forwards among those that reached the Board itself."""
    same = (one for one in known.seen if one.message_id is not None and one.message_id == inner.message_id)
    return next((one for one in same if one.content_sha256 == inner.content_sha256), None)


def _may_complain(box: Mailbox, known: Known) -> bool:
    return not (known.is_own(box.key) or box.key in known.manager_keys or claims_manager(box, known))


def _inner_writers(desk: _Desk, mails: Iterable[IncomingMail]) -> tuple[str, ...]:
    """Give who wrote the mails inside, the innermost where one lies in another."""
    found: list[str] = []
    for mail in mails:
        deeper = _inner_writers(desk, mail.forwarded)
        found += deeper or [box.key for box in mail.from_.boxes if _may_complain(box, desk.known)]
    return tuple(dict.fromkeys(found))


def _suggested(addresses: Iterable[str]) -> dict[str, Any]:
    kept = tuple(addresses)
    return {"complainants": kept, "complainant_is_suggested": bool(kept)}


_FROM_WORDS = r"(?:from|von|de|da|fra|från|van|od|feladó|lähettäjä|kimden|expéditeur|remitente|mittente|от|від|差出人|送信者|发件人|寄件者|寄件人|보낸 ?사람|מאת|من)"
_QUOTE_START = re.compile(
    r"^[ \t>]*(?:-{2,}[ \t]*(?:original message|forwarded message|forwarded by|ursprüngliche nachricht|weitergeleitete nachricht|"
    r"mensaje (?:original|reenviado)|message (?:d'origine|transféré)|messaggio (?:originale|inoltrato)|mensagem (?:original|encaminhada)|"
    r"oorspronkelijk bericht|doorgestuurd bericht)|begin forwarded message|_{10,}|"
    rf"\*?{_FROM_WORDS}\*?[ \t]*[:：]\*?[ \t]*\S|>{{3}}[ \t].{{1,200}}@)",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED_FROM = re.compile(
    rf"^[ \t>*]*{_FROM_WORDS}\*?[ \t]*[:：]\*?[ \t]*(.{{1,400}})$|^>{{3}}[ \t](.{{1,400}})$",
    re.IGNORECASE | re.MULTILINE,
)
_FORWARDED_BY = re.compile(
    r"^[ \t>]*-{2,}[ \t]*forwarded by [^\n]{1,300}\n(?:[ \t>]*\n){0,5}([^\n]{1,400})$",
    re.IGNORECASE | re.MULTILINE,
)
"""How Notes quotes: below the line stands the writer, without a word before him."""
_ADDRESS = re.compile(r"[^\s<>\"'()\[\],;:]{1,100}@[^\s<>\"'()\[\],;:]{1,200}")


def quoted_writers(text: str) -> tuple[str, ...]:
    """Give the addresses that stand behind "From:" in quoted headers of a body, in order; no proof of anything."""
    start = _QUOTE_START.search(text)
    if start is None:
        return ()
    quoted = text[start.start() :]
    lines = [one or other for one, other in _QUOTED_FROM.findall(quoted)[:20]] + _FORWARDED_BY.findall(
        quoted
    )[:5]
    found = [
        address_key(hit.group().removeprefix("mailto:")) for line in lines if (hit := _ADDRESS.search(line))
    ]
    return tuple(dict.fromkeys(found))


# --- what belongs to a case -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Belonging:
    """A way in which a mail says that it belongs to a case."""

    match: MatchKind
    number: str
    letter: SentLetter | None


def _belongings(desk: _Desk) -> tuple[_Belonging, ...]:
    by_letter = [_Belonging(match, _own_case(desk, letter), letter) for match, letter in desk.letters]
    answered = {letter.number for _match, letter in desk.letters}  # a letter's own number is quoted with it
    by_code = [
        _Belonging(MatchKind.NUMBER_WITH_CODE, _case_of_sender(desk, case), None)
        for case in desk.known.cases
        if case.code
        and case.number not in answered
        and _shows_code(f"{desk.mail.subject}\n{desk.mail.text[:20_000]}", case)
    ]
    return (*by_letter, *by_code)


def _own_case(desk: _Desk, letter: SentLetter) -> str:
    """Give the case to which an answer belongs: the letter's, or the one to which its reader went back."""
    case = desk.known.case(letter.number)
    return case.own_case_of(letter.to) if case is not None else letter.number


def _case_of_sender(desk: _Desk, case: KnownCase) -> str:
    return case.own_case_of(desk.box.key) if desk.box is not None else case.number


def _shows_code(text: str, case: KnownCase) -> bool:
    """Tell whether a number stands with its code in the subject or the text: a paper letter is answered in words."""
    code = re.escape(case.code or "")
    return bool(re.search(rf"(?<!\w){re.escape(case.number)}-{code}(?!\w)", text, re.IGNORECASE))


def _role(desk: _Desk, case: KnownCase | None, letter: SentLetter | None) -> Role | None:
    """Tell what the sender is in a case: by the parties' addresses, or as the one to whom we wrote."""
    if desk.box is None:
        return None
    role = case.role_of(desk.box.key) if case is not None else None
    if role is None and letter is not None and address_key(letter.to) == desk.box.key:
        return _LETTER_ROLES.get(letter.kind)
    return role


_LETTER_ROLES = {
    LetterKind.ACKNOWLEDGEMENT: Role.COMPLAINANT,
    LetterKind.CURE_REQUEST: Role.COMPLAINANT,
    LetterKind.RESPONDENT_NOTICE: Role.RESPONDENT,
    LetterKind.REPRIMAND: Role.RESPONDENT,
}


def _reply(desk: _Desk) -> Disposition | None:
    found = _belongings(desk)
    if not found:
        return _loose_reply(desk)
    belonging = found[0]
    case = desk.known.case(belonging.number)
    role = _role(desk, case, belonging.letter)
    doubt = _doubt(desk, found, role)
    if doubt is not None or role is None:
        return desk.review(doubt or Reason.STRANGER, suggested_number=belonging.number)
    return _party_writes(desk, belonging, role, case)


def _doubt(desk: _Desk, found: tuple[_Belonging, ...], role: Role | None) -> Reason | None:
    """Tell why a mail that points to a case is not taken into it by machine."""
    letter = found[0].letter
    if len({one.number for one in found}) > 1:
        return Reason.TWO_CASES
    if role is None:
        return Reason.STRANGER
    if desk.dmarc is Dmarc.FAIL:
        return Reason.REPLY_FAILS
    other_side = letter is not None and _LETTER_ROLES.get(letter.kind, role) is not role
    return Reason.OTHER_SIDES_TOKEN if other_side else None


def _loose_reply(desk: _Desk) -> Disposition | None:
    if tokens_of(desk.mail):
        return desk.review(Reason.UNKNOWN_TOKEN)
    numbers = _claimed_numbers(desk)
    if not numbers:
        return _follows_filed(desk) or _loose_demand(desk)
    named = [case for number in numbers if (case := desk.known.case(number)) is not None]
    cases = [desk.known.case(_case_of_sender(desk, case)) or case for case in named]
    of_party = [case for case in cases if desk.box is not None and case.role_of(desk.box.key)]
    if not of_party:
        return desk.review(Reason.NUMBER_ALONE)
    return desk.review(Reason.NUMBER_ALONE_PARTY, ack=True, suggested_number=of_party[0].number)


def _follows_filed(desk: _Desk) -> Disposition | None:
    """Leave to a person what answers a mail that came before: often the paper that was forgotten."""
    threads = desk.mail.replied_to
    in_case = (one for one in desk.known.seen if one.number or one.filed)
    before = next((one for one in in_case if one.message_id in threads), None)
    if before is None:
        return None
    return desk.review(
        Reason.FOLLOWS_FILED,
        ack=True,
        complainants=desk.senders,
        earlier=before.name,
        suggested_number=before.number,
    )


_THE_REPRIMAND = re.compile(r"\b(?:confidential|the|my|this|that|your) reprimand\b", re.IGNORECASE)


def _loose_demand(desk: _Desk) -> Disposition | None:
    """Leave to a person what may be a demand that names no case: as a new complaint it would miss its five days."""
    said = f"{desk.mail.subject}\n{own_words(desk.mail.text)}"
    if not _DEMAND.search(said):
        return None
    reprimanded = any(
        Awaiting.DEMAND in one.awaiting
        and desk.box is not None
        and one.role_of(desk.box.key) is Role.RESPONDENT
        for one in desk.known.cases
    )
    if not reprimanded and not _THE_REPRIMAND.search(said):
        return None
    return desk.review(Reason.DEMAND_WITHOUT_CASE, ack=True, complainants=desk.senders)


_OTHER_NUMBERS = re.compile(
    r"(?:ordinance|ord\.?|resolution|contract|bid|rfp|invoice|permit|section|sec\.?|§|krs|parcel|policy|bill|p\.?o\.?)\s*(?:no\.?|number|#)?\s*$",
    re.IGNORECASE,
)


def _claimed_numbers(desk: _Desk) -> tuple[str, ...]:
    """Give numbers in the subject that look like ours, whether or not there is such a case.

    The answer must be the same for a number that exists and one that does not: else anyone could ask.
    """
    subject = desk.mail.subject[:2_000]
    kept = [
        hit.group()
        for hit in re.finditer(desk.known.number_pattern, subject, re.IGNORECASE)
        if not _OTHER_NUMBERS.search(subject[max(0, hit.start() - 40) : hit.start()])
    ]
    return numbers_in(" ".join(kept), desk.known.number_pattern)


_WITHDRAWAL = re.compile(
    r"\b(?:withdraw(?:al|n|ing|s)?|retract(?:ing|ion|s)?|rescind(?:ing)?|take back my complaint)\b|"
    r"\b(?:drop|cancel|dismiss|abandon|discontinue) (?:my|our|the|this) (?:complaint|case|charges?)\b|"
    r"\b(?:no longer (?:wish|want)|(?:do not|don't) (?:wish|want)(?: any longer)?) to (?:pursue|proceed|continue|go on|go forward)\b|"
    r"\b(?:retir(?:ar|o|amos|e)|desist(?:o|ir|imos)|anul(?:ar|o))\b.{0,40}\b(?:queja|denuncia|reclamaci[oó]n|queixa)\b|"
    r"\b(?:retire|retirer|retirons)\b.{0,30}\bplainte\b|\bdésist(?:e|ement)\b|\bzur(?:ü|ue)ckzieh|\bziehe\b.{0,60}\bzur(?:ü|ue)ck\b|"
    r"\brit(?:iro|irare)\b.{0,30}\b(?:denuncia|reclamo|esposto)\b",
    re.IGNORECASE,
)
_DEMAND = re.compile(
    r"\bdemand\w*|\bhearings?\b|\b(?:be|being) heard\b|\bhear (?:this|it|the|my|me|us)\b|\bin public\b|\breconsider\w*|\brevers(?:e|al)\b|\bappeal\w*|\b(?:contest|challeng|disput|oppos|protest)\w*|\bobject(?:s|ed|ing|ion|ions)?\b|"
    r"\baudiencia\b|\bapel(?:o|ar|aci[oó]n)\b|\bimpugn\w*|\banh(?:ö|oe)rung\b|\bwiderspr\w*|\beinspruch\b|\baudience publique\b|\bconteste\w*",
    re.IGNORECASE,
)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_QUOTE_INTRODUCED = re.compile(
    r"^(?:on .{1,200} wrote:|am .{1,200} schrieb.{0,100}:|el .{1,200} escribió:|le .{1,200} a écrit\s*:|"
    r"il .{1,200} ha scritto:|em .{1,200} escreveu:|op .{1,200} schreef.{0,100}:)\s*$",
    re.IGNORECASE | re.MULTILINE,
)


def own_words(text: str) -> str:
    """Give what the sender wrote himself: without quoted lines and without what follows a quoted header."""
    start = _QUOTE_START.search(text) or _QUOTE_INTRODUCED.search(text)
    return _QUOTED_LINE.sub("", text[: start.start()] if start else text).strip()


def _party_writes(desk: _Desk, belonging: _Belonging, role: Role, case: KnownCase | None) -> Disposition:
    facts: dict[str, Any] = {"number": belonging.number, "match": belonging.match, "role": role}
    unread = _unread(desk)
    if unread is not None:
        return desk.review(unread, ack=True, **facts)
    if role is Role.COMPLAINANT:
        return _complainant_writes(desk, belonging, case, facts)
    return _respondent_writes(desk, belonging, case, facts)


def _unread(desk: _Desk) -> StrEnum | None:
    """Tell why a party's papers cannot be taken as read; an unsigned or absent one is no reason here."""
    if desk.mail.defects:
        return _defect(desk.mail)
    papers = desk.papers
    blocking = papers.verdict is Verdict.A_PERSON_LOOKS and papers.reason is not PaperReason.NOTHING
    return papers.reason if blocking else None


def _complainant_writes(
    desk: _Desk, belonging: _Belonging, case: KnownCase | None, facts: dict[str, Any]
) -> Disposition:
    if _WITHDRAWAL.search(f"{desk.mail.subject}\n{own_words(desk.mail.text)}\n{desk.papers.text}"):
        return desk.review(Reason.WITHDRAWAL, ack=True, **facts)
    to_cure = belonging.letter is not None and belonging.letter.kind is LetterKind.CURE_REQUEST
    awaited = case is not None and Awaiting.CURE in case.awaiting
    if not desk.mail.exhibits():
        return desk.review(Reason.PARTY_WRITES, ack=True, **facts)
    if not (to_cure or awaited) or not desk.papers.readable:
        return desk.review(Reason.FURTHER_PAPERS, ack=True, **facts)
    missing = desk.papers.reason.value if desk.papers.reason is not None else None
    return desk.answer(Outcome.CURE_RECEIVED, review_reason=missing, **facts, **desk.receipt(ack=True))


def _respondent_writes(
    desk: _Desk, belonging: _Belonging, case: KnownCase | None, facts: dict[str, Any]
) -> Disposition:
    to_reprimand = belonging.letter is not None and belonging.letter.kind is LetterKind.REPRIMAND
    awaits_demand = case is not None and Awaiting.DEMAND in case.awaiting and belonging.letter is None
    if to_reprimand or awaits_demand:
        return _reprimanded_writes(desk, facts)
    flags = _flags(desk) if desk.mail.exhibits() else (*_flags(desk), Flag.NO_DOCUMENT.value)
    return desk.answer(Outcome.RESPONSE_RECEIVED, **{**facts, "flags": flags}, **desk.receipt(ack=True))


def _reprimanded_writes(desk: _Desk, facts: dict[str, Any]) -> Disposition:
    """Miss no demand: five days are short, and whether it is one is for people to say (clause E2-demand)."""
    names = " ".join(one.name for one in desk.mail.exhibits())
    said = f"{desk.mail.subject}\n{own_words(desk.mail.text)}\n{names}\n{desk.papers.text}"
    if _DEMAND.search(said):
        return desk.answer(Outcome.HEARING_DEMAND_RECEIVED, **facts, **desk.receipt(ack=True))
    if desk.mail.exhibits() and not desk.papers.searchable:
        flags = (*_flags(desk), Flag.DEMAND_NOT_READ.value)
        return desk.answer(
            Outcome.HEARING_DEMAND_RECEIVED, **{**facts, "flags": flags}, **desk.receipt(ack=True)
        )
    return desk.review(Reason.REPRIMAND_ANSWERED, ack=True, **facts)


# --- new complaints -------------------------------------------------------------------------------------


def _machine(desk: _Desk) -> Disposition | None:
    if not is_machine(desk.mail):
        return None
    return desk.review(Reason.MACHINE_WITH_PAPERS if desk.mail.exhibits() else Reason.MACHINE)


def _resent(desk: _Desk) -> Disposition | None:
    others = [box for box in desk.mail.resent_from.boxes if box.key not in desk.senders]
    if not others:
        return None
    by_manager = any(is_manager(box, desk.known) or claims_manager(box, desk.known) for box in others)
    reason = Reason.MANAGER_RESENT if by_manager else Reason.RESENT_BY_OTHER
    return desk.review(reason, ack=True, complainants=desk.senders)


def _defect(mail: IncomingMail) -> Defect:
    return next(one for one in Defect if one in mail.defects)


def _unreadable(desk: _Desk) -> Disposition | None:
    if not desk.mail.defects:
        return None
    return desk.review(_defect(desk.mail), ack=True, complainants=desk.senders)


def _several_writers(desk: _Desk) -> Disposition | None:
    if len(desk.senders) < 2:  # noqa: PLR2004  joint complainants
        return None
    return desk.answer(
        Outcome.NEEDS_REVIEW,
        review_reason=Reason.TWO_COMPLAINANTS.value,
        complainants=desk.senders,
        **desk.receipt(ack=True, to=desk.senders),
    )


_RELATION = (
    r"(?:mother|father|mom|dad|husband|wife|spouse|partner|son|daughter|brother|sister|parents?|grand(?:mother|father|parents)|"
    r"aunt|uncle|cousin|neighbou?r|friend|client|employer|boss|colleague|co-?worker|ward|tenant|landlord)s?"
)
_BEHALF = re.compile(
    r"\b(?:on|in) behalf of\b|\b(?:my|our) clients?\b|\b(?:i|we) represent\b|\bi (?:am|'m) (?:an? )?(?:attorney|lawyer|counsel)\b|"
    r"\b(?:this|our|my|the) (?:law )?(?:firm|office|practice) represents\b|\bundersigned (?:attorney|counsel)\b|"
    r"\b(?:as|am|are|being) (?:the |his |her |their )?(?:attorney|counsel|lawyer|solicitor|guardian|agent)s? (?:to|for|of)\b|"
    r"\b(?:power of attorney|legal guardian (?:of|for)|next friend)\b|"
    rf"\b(?:send|fil|submit|forward|writ|mail|pass)\w* .{{0,60}}\bfor (?:my|our|an?) (?:\w+ )?{_RELATION}\b|"
    rf"\b(?:complaint|paper|letter|statement) (?:of|by|from) my (?:\w+ )?{_RELATION}\b|\bsigned by my (?:\w+ )?{_RELATION}\b|"
    r"\ben (?:nombre|representaci[oó]n) de\b|\bmi client[ea]\b|\bau nom de\b|\bpour le compte de\b|\bmon client\b|\bma cliente\b|"
    r"\b(?:ich|wir) vertreten?\b|\b(?:je|nous) représent(?:e|ons)\b|\brepresent(?:o|amos) a\b|"
    r"\bim auftrag (?:von|mein)|\bim namen (?:von|mein)|\bin vertretung\b|\bmeine[rns]? mandant|\bem nome de\b|\bper conto di\b|\ba nome di\b",
    re.IGNORECASE,
)


def _for_another(desk: _Desk) -> Disposition | None:
    words = own_words(desk.mail.text)
    if not _BEHALF.search(f"{desk.mail.subject}\n{words}"):
        return None
    return desk.review(Reason.NOT_THE_SIGNER, ack=True)


def _forwarded(desk: _Desk) -> Disposition | None:
    """Leave a mail that brings only another's mail to a person; a writer may forward his own."""
    mail = desk.mail
    own_papers = any(one.kind is not Kind.EMPTY for one in mail.attachments)
    if not mail.forwarded or own_papers:
        return _quoted_forward(desk)
    writers = _inner_writers(desk, mail.forwarded)
    if set(writers) <= set(desk.senders):
        return None
    return desk.review(Reason.FORWARDED, ack=True, **_suggested(writers))


_FORWARD_SUBJECT = re.compile(r"^\s*(?:fwd?|wg|rv|tr|i|enc)\s*:", re.IGNORECASE)


def _quoted_forward(desk: _Desk) -> Disposition | None:
    if not _FORWARD_SUBJECT.match(desk.mail.subject):
        return None
    others = [
        one
        for one in quoted_writers(desk.mail.text)
        if one not in desk.senders and one.rpartition("@")[2] not in desk.known.city_domains
    ]
    return desk.review(Reason.FORWARDED, ack=True, **_suggested(others[:1])) if others else None


_ANSWER_SUBJECT = re.compile(r"^\s*(?:re|aw|sv|antw|res)\s*(?:\[\d+\])?:", re.IGNORECASE)


def _loose_answer(desk: _Desk) -> Disposition | None:
    answers = _ANSWER_SUBJECT.match(desk.mail.subject) and not desk.mail.exhibits()
    return desk.review(Reason.LOOSE_ANSWER, ack=True) if answers else None


# Narrower than what withdraws a case that is named: here "withdraw" may as well be the officer's deed.
_TAKES_BACK = re.compile(
    r"\b(?:withdraw(?:ing|al of)?|retract(?:ing|ion of)?|take back|drop|cancel)\b[^.!?]{0,30}\b(?:my|our|this) complaint\b|\bwithdrawal of (?:the )?complaint\b|"
    r"\bretir\w* (?:mi|nuestra) (?:queja|denuncia|reclamaci[oó]n)\b|\bretir\w* (?:ma|notre) plainte\b|\bziehe\w* .{0,30}beschwerde .{0,30}zurück",
    re.IGNORECASE,
)
_RECALLS = re.compile(r"^\s*(?:recall|rückruf|rappel|recuperar|richiamo)\s*:", re.IGNORECASE)
_ASKS = re.compile(
    r"\bhow (?:do|can|should|would|may) (?:i|we|one|someone|you)\b[^.!]{0,60}\b(?:file|submit|make|send|lodge|complain)\w*[^.!]{0,80}\?|"
    r"\b(?:is there|where (?:is|can i (?:find|get))|send me) (?:a|the|an)\b[^.!]{0,40}\bform\b|\b(?:what is|what's) the status\b|\bany (?:news|update)s? (?:on|about)\b|"
    r"\bwhen (?:will|does|is) the (?:board|hearing|meeting)\b[^.!]{0,60}\?|\bcómo (?:puedo )?presentar\w*[^.!]{0,60}\?|\bwie (?:kann|reiche) ich\b[^.!]{0,60}\?",
    re.IGNORECASE,
)
_COMPLAINS = re.compile(
    r"\b(?:i|we) (?:\w+ ){0,3}(?:complain|allege|accuse|charge|report|denounce)\b|\bcomplaint (?:against|about|concerning)\b|\bviolat|"
    r"\b(?:ethics|my) complaint is\b|\bdenunci|\bbeschwere mich\b",
    re.IGNORECASE,
)
_LONGEST_QUESTION = 800


def _takes_back(desk: _Desk) -> Disposition | None:
    """Leave to a person what takes an earlier complaint back and names no case: it is no new complaint."""
    said = f"{desk.mail.subject}\n{own_words(desk.mail.text)}"
    if _TAKES_BACK.search(said):
        return desk.review(Reason.WITHDRAWAL, ack=True, complainants=desk.senders)
    recalls = _RECALLS.match(desk.mail.subject) and not desk.mail.exhibits()
    return desk.review(Reason.RECALL, ack=True) if recalls else None


def _mere_question(desk: _Desk) -> Disposition | None:
    """Leave a short question to a person, who answers it; in doubt it is a complaint, and its dates run."""
    said = own_words(desk.mail.text)
    if desk.mail.exhibits() or len(said) > _LONGEST_QUESTION or not _ASKS.search(said):
        return None
    return None if _COMPLAINS.search(said) else desk.review(Reason.QUESTION, ack=True)


MOST_WITHOUT_PAPERS = 5
"""So many complaints without a paper of one address are numbered in a day by the machine."""


def _many(desk: _Desk) -> Disposition | None:
    """Leave to a person what may be a machine that answers each of our receipts, without a mark that it is one.

    A new number always brings a receipt (decisions 29), so two machines would go on for ever. It waits with its
    instant of receipt, and whoever really complains so often loses nothing by it. A complaint with a paper is always
    numbered: no machine answers with one.
    """
    if desk.mail.exhibits() or desk.known.bare_lately < MOST_WITHOUT_PAPERS:
        return None
    return desk.review(Reason.MANY, ack=True, complainants=desk.senders)


def _new_complaint(desk: _Desk) -> Disposition:
    to_manager = any(box.key in desk.known.manager_keys for box in desk.mail.recipients.boxes)
    direct = bool(desk.mail.recipients.boxes) and not to_manager
    facts: dict[str, Any] = {
        "complainants": desk.senders,
        "referral": Referral.NEEDED_DIRECT if direct else Referral.NEEDED,
        **desk.receipt(ack=True),
    }
    return _by_papers(desk, facts)


def _by_papers(desk: _Desk, facts: dict[str, Any]) -> Disposition:
    outcome = {
        Verdict.IN_ORDER: Outcome.FILED,
        Verdict.INCOMPLETE: Outcome.CURE_NOTICE,
        Verdict.A_PERSON_LOOKS: Outcome.NEEDS_REVIEW,
    }[desk.papers.verdict]
    reason = desk.papers.reason.value if desk.papers.reason is not None else None
    return desk.answer(outcome, review_reason=reason, **facts)


_QUESTIONS: tuple[Callable[[_Desk], Disposition | None], ...] = (
    _duplicate,
    _own_loop,
    _report,
    _unwanted,
    _auto_reply,
    _bare_bounce,
    _faulty_sender,
    _spam,
    _list_mail,
    _pretender,
    _reused_id,
    _calendar,
    _from_manager,
    _reply,
    _machine,
    _unreadable,
    _several_writers,
    _resent,
    _for_another,
    _forwarded,
    _loose_answer,
    _takes_back,
    _mere_question,
    _many,
)

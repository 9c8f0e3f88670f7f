"""What must be known of the record to judge a mail, and what a mail mentions so that it can be looked up.

All of it is values: the caller asks the record for what :func:`mentions` names and hands it to the triage.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from intake.headers import address_key
from intake.message import IncomingMail
from intake.sniff import Kind

NUMBER_PATTERN = r"(?<![A-Za-z0-9])(?:[A-Z]{1,5}-)?\d{4}-\d{3,6}(?!\d)"
"""Case numbers such as 2026-007 or EC-2026-0007, as they stand in subjects."""

_CODED = 20_000
"""Characters of a text in which a number with its code is looked for."""

_TOKEN = re.compile(r"\+([rb])\.([A-Za-z0-9_-]{4,80})@", re.IGNORECASE)


class Awaiting(StrEnum):
    """What the Board waits for from a party."""

    NOTHING = "nothing"
    CURE = "cure"
    RESPONSE = "response"
    DEMAND = "demand"


class Role(StrEnum):
    """What a sender is in a case."""

    COMPLAINANT = "complainant"
    RESPONDENT = "respondent"


@dataclass(frozen=True, slots=True)
class KnownCase:
    """A case, as far as a mail can belong to it. Addresses are compared by :func:`intake.headers.address_key`.

    Attributes:
        number: the case number.
        complainants: addresses of the complainants and of their attorneys.
        respondents: addresses of the respondents.
        counsel: addresses of the respondents' counsel.
        awaiting: what is waited for.
        code: the check code of the number; None where none is given out.
        moved: addresses of former parties, each with the number of the case in which he is a party now.
    """

    number: str
    complainants: tuple[str, ...] = field(default=(), repr=False)
    respondents: tuple[str, ...] = field(default=(), repr=False)
    counsel: tuple[str, ...] = field(default=(), repr=False)
    awaiting: frozenset[Awaiting] = frozenset()
    code: str | None = None
    moved: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def role_of(self, address: str) -> Role | None:
        """Tell what an address is in this case; None for a stranger."""
        key = address_key(address)
        if key in {address_key(one) for one in self.complainants}:
            return Role.COMPLAINANT
        if key in {address_key(one) for one in (*self.respondents, *self.counsel)}:
            return Role.RESPONDENT
        return None

    def own_case_of(self, address: str) -> str:
        """Give the number of the case to which what an address has to do with this one belongs."""
        key = address_key(address)
        moved = {address_key(one): number for one, number in self.moved}
        return self.number if self.role_of(address) is not None else moved.get(key, self.number)


class LetterKind(StrEnum):
    """Kinds of letter whose answer means something of its own."""

    ACKNOWLEDGEMENT = "acknowledgement"
    CURE_REQUEST = "cure_request"
    RESPONDENT_NOTICE = "respondent_notice"
    REPRIMAND = "reprimand"
    OTHER = "other"

    @classmethod
    def of(cls, name: str) -> "LetterKind":
        """Give the kind of a letter by its name in the record."""
        spelled = name.strip().lower().replace("-", "_").replace(" ", "_")
        known = {"cure": cls.CURE_REQUEST, "cure_notice": cls.CURE_REQUEST, "notice": cls.RESPONDENT_NOTICE}
        return known.get(spelled) or (cls(spelled) if spelled in set(cls) else cls.OTHER)


@dataclass(frozen=True, slots=True)
class SentLetter:
    """A mail that we sent.

    Attributes:
        number: the case it belongs to.
        kind: what it was.
        to: the one address it went to.
        message_id: with its brackets.
        token: the random token of its plus-addresses, compared without regard to case.
        envid: the envelope identifier given for delivery reports; None where the token served (RFC 3461).
    """

    number: str
    kind: LetterKind
    to: str = field(repr=False)
    message_id: str = field(repr=False)
    token: str = field(repr=False)
    envid: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Sighting:
    """A mail that was filed before.

    Attributes:
        raw_sha256: of its bytes.
        message_id: with its brackets; None where it had none.
        content_sha256: as in :class:`intake.message.IncomingMail`.
        name: how the earlier one is called: a case number, an item, or a file.
        number: the case it became or joined; None where it became none, or has none yet.
        filed: it became a case whose number is not given yet.
    """

    raw_sha256: str
    message_id: str | None = field(repr=False)
    content_sha256: str
    name: str
    number: str | None = None
    filed: bool = False


@dataclass(frozen=True)
class Known:
    """Everything the triage may know.

    Attributes:
        intake_address: the mailbox that complaints are sent to.
        own_addresses: every address that Docket or the Board's office sends from.
        city_manager: the City Manager's exact addresses, his deputy's included.
        authserv_id: the name under which our own server writes Authentication-Results; empty: none is believed.
        cases: the cases that the mail mentions.
        sent: the letters that the mail mentions.
        seen: mails of the same bytes or the same Message-ID, and those with a Message-ID that it forwards.
        papers: SHA-256 of a PDF that came before -> how that mail is called.
        roster_names: names of the Board's and the city's people, for display names that pretend.
        roster_addresses: their addresses.
        number_pattern: regular expression of a case number.
        junk: the mail lay in the junk folder.
        bare_lately: complaints of the same sender without any paper that were numbered within a day before.
    """

    intake_address: str
    own_addresses: tuple[str, ...] = field(default=(), repr=False)
    city_manager: tuple[str, ...] = field(default=(), repr=False)
    authserv_id: str = ""
    cases: tuple[KnownCase, ...] = ()
    sent: tuple[SentLetter, ...] = ()
    seen: tuple[Sighting, ...] = ()
    papers: Mapping[str, str] = field(default_factory=dict)
    roster_names: tuple[str, ...] = field(default=(), repr=False)
    roster_addresses: tuple[str, ...] = field(default=(), repr=False)
    number_pattern: str = NUMBER_PATTERN
    junk: bool = False
    bare_lately: int = 0

    @cached_property
    def own_keys(self) -> frozenset[str]:
        """Give our own addresses in the form in which they are compared."""
        return frozenset(address_key(one) for one in (self.intake_address, *self.own_addresses) if one)

    @cached_property
    def manager_keys(self) -> frozenset[str]:
        """Give the City Manager's addresses in the form in which they are compared."""
        return frozenset(address_key(one) for one in self.city_manager)

    @cached_property
    def city_domains(self) -> frozenset[str]:
        """Give the domains of the city's own addresses."""
        return frozenset(key.rpartition("@")[2] for key in self.own_keys | self.manager_keys)

    def is_own(self, key: str) -> bool:
        """Tell whether an address is ours, with or without a plus-tag."""
        box, _, domain = key.rpartition("@")
        return key in self.own_keys or f"{box.partition('+')[0]}@{domain}" in self.own_keys

    def case(self, number: str) -> KnownCase | None:
        """Give a case by its number."""
        return next((one for one in self.cases if one.number.upper() == number.upper()), None)

    def letter_by_token(self, token: str) -> SentLetter | None:
        """Give the letter with a token."""
        return next((one for one in self.sent if one.token.lower() == token.lower()), None)

    def letter_by_id(self, message_id: str) -> SentLetter | None:
        """Give the letter with a Message-ID."""
        return next((one for one in self.sent if one.message_id.lower() == message_id.lower()), None)


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a mail mentions, for the caller to look up.

    Attributes:
        raw_sha256: of its bytes.
        message_id: its own identifier.
        tokens: tokens in the plus-addresses it came to, and envelope identifiers of reports.
        message_ids: identifiers it answers or returns.
        numbers: case numbers in its subject and those of what it returns, and in its text those with a code.
        addresses: of its senders, and of recipients that reports name.
        pdf_hashes: SHA-256 of the PDFs it brings.
    """

    raw_sha256: str
    message_id: str | None = field(repr=False)
    tokens: tuple[str, ...] = field(default=(), repr=False)
    message_ids: tuple[str, ...] = field(default=(), repr=False)
    numbers: tuple[str, ...] = ()
    addresses: tuple[str, ...] = field(default=(), repr=False)
    pdf_hashes: tuple[str, ...] = ()


def tokens_of(mail: IncomingMail, way: str = "rb") -> tuple[str, ...]:
    """Give the tokens in the plus-addresses that a mail came to, in order, each once, in lower case.

    Args:
        mail: the mail.
        way: ``r`` for those of Reply-To, ``b`` for those of envelope senders, ``rb`` for both.
    """
    found = [
        hit.group(2).lower()
        for box in mail.recipients.boxes
        for hit in _TOKEN.finditer(box.address)
        if hit.group(1).lower() in way
    ]
    return tuple(dict.fromkeys(found))


def numbers_in(text: str, pattern: str = NUMBER_PATTERN) -> tuple[str, ...]:
    """Give the case numbers in a text, in order, each once, in capitals."""
    return tuple(
        dict.fromkeys(hit.group().upper() for hit in re.finditer(pattern, text[:2_000], re.IGNORECASE))
    )


def coded_numbers_in(text: str, pattern: str = NUMBER_PATTERN) -> tuple[str, ...]:
    """Give the case numbers in a text behind which something like a check code stands, each once, in capitals."""
    found = re.finditer(rf"({pattern})-[0-9a-z]{{4,12}}(?!\w)", text[:_CODED], re.IGNORECASE)
    return tuple(dict.fromkeys(hit.group(1).upper() for hit in found))


def senders_of(mail: IncomingMail) -> tuple[str, ...]:
    """Give the addresses of a mail's From, each once, as they are compared."""
    return tuple(dict.fromkeys(box.key for box in mail.from_.boxes))


def mentions(mail: IncomingMail, number_pattern: str = NUMBER_PATTERN) -> Mentions:
    """Give what a mail mentions, so that the record need not be read whole."""
    from intake.bounces import read_report

    report = read_report(mail)
    inner = (*mail.forwarded, *mail.returned)
    ids = [*mail.replied_to, *(one.message_id for one in inner if one.message_id)]
    envids: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    if report is not None:
        ids += report.message_ids
        envids = report.envelope_ids
        recipients = tuple(address for one in report.recipients for address in one.addresses)
    if mail.message_id:
        ids.append(mail.message_id)
    subjects = [mail.subject, *(one.subject for one in inner)]
    return Mentions(
        raw_sha256=mail.raw_sha256,
        message_id=mail.message_id,
        tokens=tuple(dict.fromkeys((*tokens_of(mail), *envids))),
        message_ids=tuple(dict.fromkeys(ids)),
        numbers=tuple(
            dict.fromkeys(
                [
                    *(one for text in subjects for one in numbers_in(text, number_pattern)),
                    *coded_numbers_in(mail.text, number_pattern),
                ]
            )
        ),
        addresses=tuple(dict.fromkeys([*(box.key for box in mail.from_.boxes), *recipients])),
        pdf_hashes=tuple(one.sha256 for one in mail.exhibits() if one.kind is Kind.PDF),
    )

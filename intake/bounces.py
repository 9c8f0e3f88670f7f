"""Delivery reports and read receipts, in every shape in which they come.

Sources: RFC 3461 (ENVID), RFC 3464 (delivery status), RFC 6533 (internationalised), RFC 8098 (read
receipts), RFC 3834 (what is an automatic answer); qmail's and the older servers' reports in plain text.
A report can be forged and proves nothing: it only opens or closes a task that people look at.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from intake.headers import address_key
from intake.known import tokens_of
from intake.message import IncomingMail


class Action(StrEnum):
    """What a server says it did (RFC 3464, section 2.3.3), or what the reader's program says."""

    FAILED = "failed"
    DELAYED = "delayed"
    DELIVERED = "delivered"
    RELAYED = "relayed"
    EXPANDED = "expanded"
    READ = "read"
    UNREAD = "unread"


BAD = (Action.FAILED, Action.DELAYED)
"""In order of weight."""


@dataclass(frozen=True, slots=True)
class ReportedRecipient:
    """What a report says of one recipient.

    Attributes:
        action: what was done.
        status: the enhanced status code such as ``5.1.1``; None where none is given.
        addresses: final and original address, in the form in which they are compared.
    """

    action: Action
    status: str | None = None
    addresses: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """A report read.

    Attributes:
        recipients: one entry a recipient, in order; at least one.
        envelope_ids: Original-Envelope-Id, in lower case.
        message_ids: identifiers of the mail that it is about.
        structured: it is a report by its structure, not only by its words.
        receipt: it is a read receipt.
    """

    recipients: tuple[ReportedRecipient, ...]
    envelope_ids: tuple[str, ...] = field(default=(), repr=False)
    message_ids: tuple[str, ...] = field(default=(), repr=False)
    structured: bool = True
    receipt: bool = False


_STATUS_TYPES = frozenset({"message/delivery-status", "message/global-delivery-status"})
_RECEIPT_TYPES = frozenset({"message/disposition-notification", "message/global-disposition-notification"})
_FIELD = re.compile(r"^([A-Za-z][A-Za-z0-9-]{1,60})[ \t]*:[ \t]*(.*)$")
_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
_REPLY_CODE = re.compile(r"(?<!\d)([45])\d\d(?:[ -])")
_ADDRESS = re.compile(r"[^\s<>\"':;,()\[\]]{1,200}@[^\s<>\"':;,()\[\]]{1,200}")
_HEX_ESCAPE = re.compile(r"\\x\{([0-9A-Fa-f]{1,6})\}")
_IDENTIFIER = re.compile(r"^\s*message-id:\s*(<[^<>\s]{1,500}>)", re.IGNORECASE | re.MULTILINE)
_MACHINES = re.compile(
    r"^(?:mailer[-_.]?daemon|postmaster|mail[-_.]?delivery|mdaemon|bounces?|microsoftexchange[0-9a-f]*|daemon)(?:[+=-].*)?@",
    re.IGNORECASE,
)
_FAILURE_SUBJECT = re.compile(
    r"undeliver|delivery (?:status notification|failure|failed|has failed|problem)|failure notice|returned mail|"
    r"mail delivery (?:failed|subsystem|system)|could not be delivered|nondeliver|non remis|unzustellbar|no se puede entregar|"
    r"mensaje no entregado|impossible de remettre|onbestelbaar|not delivered|message status|rejected|退信|delivery error|"
    r"cannot be delivered|unable to deliver|delivery report|nicht zugestellt|zustellung fehlgeschlagen|échec de (?:la )?remise|non distribu|"
    r"no se pudo entregar|devuelto|mancata consegna|impossibile recapitare|não (?:foi possível entregar|entregue)|не доставлен|"
    r"配信(?:不能|できません)|無法傳遞|无法投递|전달되지 않",
    re.IGNORECASE,
)
_DELAY_WORDS = re.compile(
    r"delayed|still being retried|will (?:be retried|retry|keep trying|continue to try)|warning: (?:message|could not)|not yet been delivered|"
    r"delivery temporarily|verzögert|retrasad|remise retardée|you do not need to resend|delivery attempts will continue|no action is required on "
    r"your part|still trying to deliver|temporarily deferred|wird weiter versucht|se seguirá intentando",
    re.IGNORECASE,
)
_QMAIL = "this is the qmail-send program"


def read_report(mail: IncomingMail) -> DeliveryReport | None:
    """Read a delivery report or a read receipt; None where a mail is neither by structure nor by its words.

    A person who attaches a report as evidence sends no report: the mail as a whole must be one, or come
    from a mail server.
    """
    is_report = mail.content_type == "multipart/report" or from_server(mail)
    if is_report or mail.content_type in _STATUS_TYPES | _RECEIPT_TYPES:
        structured = _structured(mail)
        if structured is not None:
            return structured
    return _by_words(mail)


def is_complaint_about_us(mail: IncomingMail) -> bool:
    """Tell whether this is a feedback report: the reader's provider says our letter is unwanted (RFC 5965)."""
    return any(one.content_type == "message/feedback-report" for one in mail.reports)


def from_server(mail: IncomingMail) -> bool:
    """Tell whether a mail comes from a mail server: the null path, or a name that servers use."""
    by_name = any(_MACHINES.match(box.key) for box in (*mail.from_.boxes, *mail.sender.boxes))
    return mail.return_path == "" or by_name


def sent_by_server(mail: IncomingMail) -> bool:
    """Tell whether a mail was handed in by a server, as far as our own server's word goes.

    A report has the null path, which our server writes down (RFC 3464, section 2; RFC 5321, section 4.5.5). What
    was handed in by a mailbox is a person's mail, whatever its From says; where no path is written down, From is
    all there is.
    """
    if mail.return_path:
        return bool(_MACHINES.match(mail.return_path))
    return from_server(mail)


def _structured(mail: IncomingMail) -> DeliveryReport | None:
    recipients: list[ReportedRecipient] = []
    envids: list[str] = []
    ids = list(_returned_ids(mail))
    receipt = False
    for report in mail.reports:
        groups = list(_groups(report.text))
        if report.content_type in _RECEIPT_TYPES:
            receipt = True
            recipients += [_receipt(group) for group in groups[:1]]
        elif report.content_type in _STATUS_TYPES:
            recipients += [one for group in groups if (one := _recipient(group)) is not None]
        envids += [
            group["original-envelope-id"].lower() for group in groups if group.get("original-envelope-id")
        ]
        ids += [
            group[name]
            for group in groups
            for name in ("original-message-id", "x-original-message-id")
            if name in group
        ]
    if not recipients:
        return None
    kept = tuple(dict.fromkeys(one.strip() for one in ids))
    return DeliveryReport(tuple(recipients[:200]), tuple(envids), kept, receipt=receipt)


def _returned_ids(mail: IncomingMail) -> Iterator[str]:
    for inner in (*mail.forwarded, *mail.returned):
        if inner.message_id:
            yield inner.message_id
    yield from mail.replied_to


def _groups(text: str) -> Iterator[dict[str, str]]:
    """Give the groups of fields of a report, unfolded, names in lower case."""
    group: dict[str, str] = {}
    last = ""
    for line in [*text.splitlines(), ""]:
        found = _FIELD.match(line)
        if found:
            last = found.group(1).lower()
            group.setdefault(last, found.group(2).strip())
        elif line.startswith((" ", "\t")) and line.strip() and last:
            group[last] = f"{group[last]} {line.strip()}"[:2_000]
        elif not line.strip():
            if group:
                yield group
            group, last = {}, ""


def _recipient(group: dict[str, str]) -> ReportedRecipient | None:
    names = ("final-recipient", "original-recipient")
    addresses = tuple(dict.fromkeys(_address_of(group[name]) for name in names if group.get(name)))
    if not addresses and "action" not in group and "status" not in group:
        return None
    status = _status_of(group)
    action = _action_of(group.get("action", ""), status)
    return None if action is None else ReportedRecipient(action, status, addresses)


def _status_of(group: dict[str, str]) -> str | None:
    for name in ("status", "diagnostic-code"):
        found = _STATUS.search(group.get(name, ""))
        if found and not (
            name == "status"
            and found.group(1).endswith(".0.0")
            and _STATUS.search(group.get("diagnostic-code", ""))
        ):
            return found.group(1)
    found = _STATUS.search(group.get("status", ""))
    return found.group(1) if found else None


def _action_of(word: str, status: str | None) -> Action | None:
    first = re.split(r"[\s(;]", word.strip().lower(), maxsplit=1)[0]
    spelled = {
        "failure": "failed",
        "fail": "failed",
        "delay": "delayed",
        "success": "delivered",
        "expand": "expanded",
    }
    first = spelled.get(first, first)
    if first in {"failed", "delayed", "delivered", "relayed", "expanded"}:
        return Action(first)
    by_class = {"5": Action.FAILED, "4": Action.DELAYED, "2": Action.DELIVERED}
    return by_class.get(status[0]) if status else None


def _address_of(value: str) -> str:
    """Read `type; address` (RFC 3464, section 2.3.2) with the escapes of RFC 6533, section 3."""
    _, separator, address = value.partition(";")
    text = (address if separator else value).strip().strip('<>"')
    return address_key(_HEX_ESCAPE.sub(_unescaped, text)[:400])


def _unescaped(found: re.Match[str]) -> str:
    code = int(found.group(1), 16)
    return chr(code) if 0x20 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""  # noqa: PLR2004  Unicode's range


def _receipt(group: dict[str, str]) -> ReportedRecipient:
    disposition = group.get("disposition", "").lower()
    kind = disposition.partition(";")[2]
    read = any(word in kind for word in ("displayed", "dispatched", "processed"))
    names = ("final-recipient", "original-recipient")
    addresses = tuple(dict.fromkeys(_address_of(group[name]) for name in names if group.get(name)))
    return ReportedRecipient(Action.READ if read else Action.UNREAD, None, addresses)


def _by_words(mail: IncomingMail) -> DeliveryReport | None:
    """Read a report in plain text: qmail's, Exim's, a gateway's."""
    failed_to = mail.header("x-failed-recipients")
    qmail = _QMAIL in mail.text[:4_000].lower()
    spoken = bool(
        _FAILURE_SUBJECT.search(mail.subject)
        or _DELAY_WORDS.search(mail.subject)
        or (mail.return_path == "" and (mail.returned or mail.forwarded or _IDENTIFIER.search(mail.text)))
    )
    if not (qmail or failed_to or spoken) or not (from_server(mail) or failed_to):
        return None
    head = mail.text.split("\n--- ", 1)[0].split("\n------ ", 1)[0][:8_000]
    delayed = bool(_DELAY_WORDS.search(mail.subject) or (not qmail and _DELAY_WORDS.search(head)))
    status = _STATUS.search(head)
    by_code = _REPLY_CODE.search(head)
    action = Action.DELAYED if delayed else Action.FAILED
    if status is None and by_code and by_code.group(1) == "4" and not qmail and delayed:
        action = Action.DELAYED
    addresses = tuple(
        dict.fromkeys(address_key(one.strip(".")) for one in _ADDRESS.findall(f"{failed_to}\n{head}"))
    )
    ids = [*_returned_ids(mail), *_IDENTIFIER.findall(mail.text)]
    return DeliveryReport(
        recipients=(ReportedRecipient(action, status.group(1) if status else None, addresses[:50]),),
        message_ids=tuple(dict.fromkeys(ids)),
        structured=False,
    )


def bare_report(mail: IncomingMail) -> DeliveryReport:
    """Give the report of a mail that came to an envelope sender from a server and says nothing we can read."""
    delayed = bool(_DELAY_WORDS.search(f"{mail.subject}\n{mail.text[:4_000]}"))
    status = _STATUS.search(mail.text[:8_000])
    action = Action.DELAYED if delayed else Action.FAILED
    return DeliveryReport(
        (ReportedRecipient(action, status.group(1) if status else None),),
        message_ids=mail.replied_to,
        structured=False,
    )


def weightiest(report: DeliveryReport, address: str | None) -> ReportedRecipient:
    """Give what a report says of one address, or its worst where it does not name that one."""
    of_address = [
        one for one in report.recipients if address is not None and address_key(address) in one.addresses
    ]
    of = of_address or list(report.recipients)
    for action in BAD:
        for one in of:
            if one.action is action:
                return one
    return of[0]


_READ_SUBJECT = re.compile(
    r"^\s*(?:read|gelesen|lu|le[ií]d[ao]|letto|lesebestätigung|not read|deleted|(?:read|return|display(?:ed)?) receipt|opened|displayed|"
    r"disposition notification|confirmación de lectura|acuse de recibo|accusé de (?:réception|lecture)|conferma di lettura|"
    r"confirmação de leitura|開封済み|已读|ungelesen gelöscht|nicht gelesen)\s*(?:[:：(]|$)",
    re.IGNORECASE,
)
_READ_WORDS = re.compile(
    r"\b(?:was|has been) (?:read|displayed|opened|deleted)|\bwas received by\b|^\s*opened\b|gelesen|a été (?:lu|ouvert|affiché)|"
    r"ha sido (?:le[ií]do|abierto)|le[ií]do el|è stato (?:letto|visualizzato)|foi (?:lid[ao]|exibid[ao])|開封|已读",
    re.IGNORECASE | re.MULTILINE,
)


def spoken_receipt(mail: IncomingMail) -> DeliveryReport | None:
    """Read a read receipt that a program wrote as plain text; it answers a Message-ID and brings nothing."""
    said = _READ_SUBJECT.match(mail.subject) and _READ_WORDS.search(mail.text[:2_000])
    if not said or mail.exhibits() or not (mail.replied_to or tokens_of(mail)):
        return None
    unread = re.match(r"\s*(?:not read|deleted|nicht gelesen|ungelesen)", mail.subject, re.IGNORECASE)
    recipient = ReportedRecipient(
        Action.UNREAD if unread else Action.READ, None, tuple(box.key for box in mail.from_.boxes)
    )
    return DeliveryReport((recipient,), message_ids=mail.replied_to, structured=False, receipt=True)

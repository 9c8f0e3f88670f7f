"""Letters on the wire: composed as one message to one recipient, handed to the city's relay over SMTP (L2, L3).

The only importer of smtplib. What a server answers is a Delivery and never an exception; what may have
gone out is `uncertain` and is not tried again by the machine.
"""

import email.policy
import hashlib
import re
import smtplib
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from intake.mail_login import AccessToken, Login, Password, trust, xoauth2
from intake.mail_urls import MailServer, Security
from store.ports import Delivery, DeliveryState, OutgoingMail

_BREAKS = re.compile(r"[\r\n\0]")
_ADDRESSES = re.compile(r"[^\s<>\"';:,]+@[^\s<>\"';:,]+")
_PERMANENT = 500


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file that goes with a letter, byte for byte."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Composition:
    """Everything that one message to one recipient is made of.

    Attributes:
        sender: the Board's address, which stands in From.
        sender_name: the Board's name.
        to: the one recipient.
        subject: case number and what it is; never a name.
        text: the plain-text twin, the message's first part.
        enclosures: the PDF letter first.
        message_id: with angle brackets, stored before sending.
        token: stands in Reply-To and in the envelope sender.
        dated: the instant of the letter, aware.
        in_reply_to: the message answered; empty for none.
        auto_submitted: RFC 3834.
    """

    sender: str
    sender_name: str
    to: str
    subject: str
    text: str
    enclosures: Sequence[Enclosure]
    message_id: str
    token: str
    dated: datetime
    in_reply_to: str = ""
    auto_submitted: str = "auto-generated"


def reply_to(box: str, token: str) -> str:
    """Give the address that brings an answer to its case: ``box+r.TOKEN@domain``."""
    return _tagged(box, "r", token)


def envelope_sender(box: str, token: str) -> str:
    """Give the address that brings a bounce to its letter: ``box+b.TOKEN@domain``, of the same domain."""
    return _tagged(box, "b", token)


def _tagged(box: str, way: str, token: str) -> str:
    local, _, domain = box.rpartition("@")
    return f"{local}+{way}.{token}@{domain}"


def compose(letter: Composition) -> OutgoingMail:
    """Compose the message: plain text first, files after it, no list headers, nothing quoted.

    The same letter gives the same bytes. Line breaks in what becomes a header are taken out.

    Source: RFC 5322, RFC 3834, RFC 3461; mail.md, sending.
    """
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = Address(_line(letter.sender_name), addr_spec=letter.sender)
    message["To"] = Address(addr_spec=_line(letter.to))
    message["Subject"] = _line(letter.subject)
    message["Date"] = format_datetime(letter.dated)
    message["Message-ID"] = _line(letter.message_id)
    message["Reply-To"] = reply_to(letter.sender, letter.token)
    message["Auto-Submitted"] = letter.auto_submitted
    message["X-Auto-Response-Suppress"] = "All"
    if letter.in_reply_to:
        message["In-Reply-To"] = _line(letter.in_reply_to)
        message["References"] = _line(letter.in_reply_to)
    message.set_content(letter.text, charset="utf-8")
    for enclosure in letter.enclosures:
        main, _, sub = enclosure.media_type.partition("/")
        message.add_attachment(
            enclosure.content,
            maintype=main or "application",
            subtype=sub or "octet-stream",
            filename=_line(enclosure.name),
        )
    if message.is_multipart():
        message.set_boundary("docket-" + hashlib.sha256(letter.message_id.encode()).hexdigest()[:32])
    return OutgoingMail(letter.to, envelope_sender(letter.sender, letter.token), bytes(message), letter.token)


def _line(text: str) -> str:
    return " ".join(_BREAKS.sub(" ", text).split())


@dataclass(frozen=True, slots=True)
class SmtpPostman:
    """Hands letters to the city's relay, each over a connection of its own.

    Attributes:
        server: where the relay is.
        login: what it is shown; None where it asks nothing.
        private_ca: certificates to trust beside the system's own.
        timeout_s: until the next answer.
    """

    server: MailServer
    login: Login | None = None
    private_ca: Path | None = None
    timeout_s: float = 60.0

    def send(self, mail: OutgoingMail) -> Delivery:
        """Try once. Nothing is raised for what a server or the network does."""
        try:
            relay = self._connected()
        except smtplib.SMTPAuthenticationError as error:
            return _later(f"the relay refused the login ({error.smtp_code})")
        except (OSError, smtplib.SMTPException) as error:
            return _later(f"the relay cannot be reached ({type(error).__name__})")
        try:
            return _handed_over(relay, mail)
        finally:
            _leave(relay)

    def _connected(self) -> smtplib.SMTP:
        server = self.server
        if server.security is Security.TLS:
            relay: smtplib.SMTP = smtplib.SMTP_SSL(
                server.host, server.port, timeout=self.timeout_s, context=trust(self.private_ca)
            )
        else:
            relay = smtplib.SMTP(server.host, server.port, timeout=self.timeout_s)
        try:
            if server.security is Security.STARTTLS:
                relay.starttls(context=trust(self.private_ca))
            relay.ehlo_or_helo_if_needed()
            self._log_in(relay)
        except BaseException:
            relay.close()
            raise
        return relay

    def _log_in(self, relay: smtplib.SMTP) -> None:
        match self.login:
            case None:
                return
            case Password(secret):
                relay.login(self.server.account, secret)
            case AccessToken(current):
                said = xoauth2(self.server.account, current())
                relay.auth("XOAUTH2", lambda _challenge=None: said, initial_response_ok=True)


def _handed_over(relay: smtplib.SMTP, mail: OutgoingMail) -> Delivery:
    """Give the letter to a connected relay, command by command, so that it is known how far it came."""
    try:
        refused = _envelope(relay, mail)
    except (OSError, smtplib.SMTPException) as error:
        return _later(f"the connection broke before the letter was handed over ({type(error).__name__})")
    if refused is not None:
        return refused
    try:
        code, said = relay.data(mail.raw)
    except smtplib.SMTPDataError as error:
        return _answered(error.smtp_code, error.smtp_error)
    except (OSError, smtplib.SMTPException, ssl.SSLError) as error:
        return Delivery(
            DeliveryState.UNCERTAIN,
            f"the connection broke while the letter was handed over ({type(error).__name__})",
        )
    return _answered(code, said)


def _envelope(relay: smtplib.SMTP, mail: OutgoingMail) -> Delivery | None:
    wide = not (mail.to + mail.envelope_from).isascii()
    if wide and not relay.has_extn("smtputf8"):
        return Delivery(
            DeliveryState.REFUSED_FOR_GOOD,
            "the relay takes no addresses beyond ASCII (SMTPUTF8); serve on paper",
        )
    body = ["BODY=8BITMIME"] if relay.has_extn("8bitmime") else []
    sender_options = [*body, *(["SMTPUTF8"] if wide else [])]
    reports: list[str] = []
    if relay.has_extn("dsn"):
        sender_options += ["RET=HDRS", f"ENVID={mail.envelope_id}"] if mail.envelope_id else ["RET=HDRS"]
        reports = ["NOTIFY=FAILURE,DELAY"]
    if wide:
        relay.command_encoding = "utf-8"
    code, said = relay.mail(mail.envelope_from, sender_options)
    if code != 250:  # noqa: PLR2004  RFC 5321: requested action completed
        return _answered(code, said)
    code, said = relay.rcpt(mail.to, reports)
    return None if code in {250, 251} else _answered(code, said)


def _answered(code: int, said: bytes | str) -> Delivery:
    """Judge a reply code (RFC 5321, 4.2.1): 2 is done, 5 is for good, anything else may be tried again."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    detail = f"{code} {_ADDRESSES.sub('(address)', _line(text))}"[:300]
    if 200 <= code < 300:  # noqa: PLR2004
        return Delivery(DeliveryState.ACCEPTED, detail)
    if code >= _PERMANENT:
        return Delivery(DeliveryState.REFUSED_FOR_GOOD, detail)
    return _later(detail)


def _later(detail: str) -> Delivery:
    return Delivery(DeliveryState.TRY_LATER, detail)


def _leave(relay: smtplib.SMTP) -> None:
    try:
        relay.quit()
    except (OSError, smtplib.SMTPException):
        relay.close()

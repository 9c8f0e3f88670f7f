"""Letters on the wire: composed as one message to one recipient, handed to the city's relay over SMTP (L2, L3).

The only importer of smtplib. What a server answers is a Delivery and never an exception; what may have
gone out is `uncertain` and is not tried again by the machine.
"""

import email.policy
import hashlib
import re
import smtplib
import socket
import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import (
    Address,
    BaseHeader,
    HeaderRegistry,
    MessageIDHeader,
    UniqueUnstructuredHeader,
)
from email.message import EmailMessage
from email.policy import EmailPolicy, Policy
from email.utils import format_datetime
from enum import StrEnum
from pathlib import Path
from typing import cast

from email_validator import EmailNotValidError, validate_email

from intake.mail_login import (
    AccessToken,
    Login,
    Password,
    TokenRefused,
    TokenUnreachable,
    trust,
    xoauth2,
)
from intake.mail_urls import MailServer, Security
from store.ports import Delivery, DeliveryState, OutgoingMail

_BREAKS = re.compile(r"[\r\n\0]")
_ADDRESSES = re.compile(r"[^\s<>\"';:,]+@[^\s<>\"';:,]+")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_UNTAGGED = re.compile(r"\+b\.[^@]*@")
_TOKEN = re.compile(r"[A-Za-z0-9-]{1,64}")
_PERMANENT = 500
_DONE = 250  # RFC 5321: requested action completed
_TOO_LARGE = 552
_GOODBYE_S = 5.0
_SIZE_DIGITS = 18
_LINE = 78  # RFC 5322, 2.1.1


class BadAddress(ValueError):
    """A letter's recipient is not one bare address; nothing was sent. The text does not repeat it."""

    def __init__(self) -> None:
        super().__init__(
            "The recipient's address is not one bare e-mail address. Nothing was sent; mend the address or serve "
            "the letter on paper."
        )


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
        tagged: the city's server takes addresses with a token; else Message-ID and number with code remain.
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
    tagged: bool = True


def reply_to(box: str, token: str) -> str:
    """Give the address that brings an answer to its case: ``box+r.TOKEN@domain``."""
    return _tagged(box, "r", token)


def envelope_sender(box: str, token: str) -> str:
    """Give the address that brings a bounce to its letter: ``box+b.TOKEN@domain``, of the same domain."""
    return _tagged(box, "b", token)


def _tagged(box: str, way: str, token: str) -> str:
    local, mark, domain = box.rpartition("@")
    if not mark or not _TOKEN.fullmatch(token):
        raise ValueError("A tagged address needs a mailbox with a domain and a token of letters and digits.")
    return f"{local}+{way}.{token}@{domain}"


def compose(letter: Composition) -> OutgoingMail:
    """Compose the message: plain text first, files after it, no list headers, nothing quoted.

    The same letter gives the same bytes. Line breaks in what becomes a header are taken out, and an
    `in_reply_to` that is no message id is left out: it comes from a stranger.

    Raises:
        BadAddress: `to` is not one bare address.
        ValueError: token or sender cannot stand in an address, or `dated` has no zone.

    Source: RFC 5322, RFC 3834, RFC 3461; mail.md, sending.
    """
    if letter.dated.tzinfo is None:
        raise ValueError("A letter is dated by an instant with a zone.")
    to = _one_address(letter.to)
    message = EmailMessage(policy=_policy(to))
    message["From"] = Address(_line(letter.sender_name), addr_spec=letter.sender)
    message["To"] = to
    message["Subject"] = _line(letter.subject)
    message["Date"] = format_datetime(letter.dated)
    message["Message-ID"] = _line(letter.message_id)
    message["Reply-To"] = reply_to(letter.sender, letter.token) if letter.tagged else letter.sender
    message["Auto-Submitted"] = _line(letter.auto_submitted)
    message["X-Auto-Response-Suppress"] = "All"
    if _MESSAGE_ID.fullmatch(letter.in_reply_to.strip()):
        message["In-Reply-To"] = letter.in_reply_to.strip()
        message["References"] = letter.in_reply_to.strip()
    _enclose(message, letter)
    sender = envelope_sender(letter.sender, letter.token) if letter.tagged else letter.sender
    return OutgoingMail(to, sender, bytes(message), letter.token)


def _enclose(message: EmailMessage, letter: Composition) -> None:
    """Put in the text and, after it, the files; the boundary follows from the message id."""
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


class _Subject(UniqueUnstructuredHeader):
    """A subject that begins on the line of its own name.

    The library moves one that is a little too long to the next line, whole, and some programs then show none.
    """

    def fold(self, *, policy: Policy) -> str:
        """Fold at the last space that keeps the first line within 78 signs (RFC 5322, 2.1.1)."""
        name, _, rest = str(super().fold(policy=policy)).partition(":")  # type: ignore[misc]  # a mix-in
        line = f"{name}: {rest.lstrip()}"
        first = line.partition(policy.linesep)[0]
        cut = first.rfind(" ", len(name) + 2, _LINE + 1)
        if len(first) <= _LINE or cut < 0:
            return line
        return f"{line[:cut]}{policy.linesep}{line[cut:]}"


def _policy(to: str) -> "EmailPolicy[EmailMessage]":
    """Give the way to write a message: seven bits, and UTF-8 headers only for an address that needs them."""
    headers = HeaderRegistry()
    # Folded as plain text, a long message id becomes encoded words, and no mail program finds its thread.
    headers.map_to_type("subject", cast(type[BaseHeader], _Subject))
    for name in ("in-reply-to", "references"):
        headers.map_to_type(name, cast(type[BaseHeader], MessageIDHeader))  # a mix-in, which the stub denies
    return email.policy.SMTP.clone(cte_type="7bit", header_factory=headers, utf8=not to.isascii())


def _one_address(text: str) -> str:
    """Read the recipient: one bare address, its domain in ASCII where the rest is."""
    try:
        found = validate_email(
            text.strip(),
            check_deliverability=False,
            globally_deliverable=False,
            test_environment=True,
            allow_quoted_local=True,
        )
    except EmailNotValidError:
        raise BadAddress from None
    return found.ascii_email or found.normalized


def _line(text: str) -> str:
    return " ".join(_BREAKS.sub(" ", text).split())


class Hitch(StrEnum):
    """How far a trial of the relay came before something was wrong."""

    CONNECTION = "connection"
    CERTIFICATE = "certificate"
    LOGIN = "login"
    SENDER = "sender"
    TAGGED_SENDER = "tagged-sender"
    PLUS_ADDRESS = "plus-address"


@dataclass(frozen=True, slots=True)
class SmtpPostman:
    """Hands letters to the city's relay, each over a connection of its own.

    Attributes:
        server: where the relay is.
        login: what it is shown; None where it asks nothing.
        private_ca: certificates to trust beside the system's own.
        timeout_s: until the next answer.
        verdict_timeout_s: until the answer to the whole letter, which relays may take their time for.
    """

    server: MailServer
    login: Login | None = None
    private_ca: Path | None = None
    timeout_s: float = 60.0
    verdict_timeout_s: float = 600.0  # RFC 5321, 4.5.3.2.6: ten minutes, or letters go twice

    def send(self, mail: OutgoingMail) -> Delivery:
        """Try once. Nothing is raised for what a server or the network does."""
        try:
            relay = self._connected()
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            return Delivery(DeliveryState.TRY_LATER, _said(error), reached=False)
        try:
            return _handed_over(relay, mail, self.verdict_timeout_s)
        finally:
            _leave(relay)

    def probe(self, box: str) -> str:
        """Try the relay without sending; see `hitches`.

        Returns:
            The first thing that is wrong, in plain words; empty when it takes our letters (decisions 28).
        """
        return next((says for _hitch, says in self.hitches(box)), "")

    def hitches(self, box: str) -> Iterator[tuple[Hitch, str]]:
        """Try the relay without sending: connect, log in, offer senders and an answer's address, take them back.

        Args:
            box: the Board's address, bare.

        Yields:
            What is wrong, in plain words, as far as it came; nothing when it takes our letters (decisions 28).
        """
        try:
            relay = self._connected()
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            refused = isinstance(
                error, smtplib.SMTPAuthenticationError | UnicodeError | TokenRefused | TokenUnreachable
            )
            untrusted = isinstance(error, ssl.SSLCertVerificationError)
            unreached = Hitch.CERTIFICATE if untrusted else Hitch.CONNECTION
            yield Hitch.LOGIN if refused else unreached, _said(error)
            return
        try:
            yield from _offered(relay, box)
        except (OSError, smtplib.SMTPException) as error:
            yield Hitch.CONNECTION, _said(error)
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
            case AccessToken(current, renewed):
                try:
                    relay.auth("XOAUTH2", _Xoauth2(self.server.account, current()))
                except smtplib.SMTPAuthenticationError:
                    if renewed is None:
                        raise
                    relay.auth("XOAUTH2", _Xoauth2(self.server.account, renewed()))


class _Xoauth2:
    """Says who we are at once, and answers the explanation of a refusal with nothing, which ends it."""

    def __init__(self, account: str, token: str) -> None:
        self._said = xoauth2(account, token)

    def __call__(self, challenge: bytes | None = None) -> str:
        return self._said if challenge is None else ""


def _offered(relay: smtplib.SMTP, box: str) -> Iterator[tuple[Hitch, str]]:
    """Offer what our letters will offer, one at a time."""
    for hitch, sender, what in (
        (Hitch.SENDER, box, "sender"),
        (Hitch.TAGGED_SENDER, envelope_sender(box, "probe"), "sender with a token"),
    ):
        code, _text = relay.mail(sender)
        relay.rset()
        if code != _DONE:
            yield hitch, f"the relay does not take the {what} ({code})"
    code, _text = relay.mail(box)
    if code == _DONE:
        code, _text = relay.rcpt(reply_to(box, "probe"))
        if code >= _PERMANENT:
            yield Hitch.PLUS_ADDRESS, f"the relay does not take the address for answers with a token ({code})"
    relay.rset()


def _said(error: Exception) -> str:
    """Say why no connection came about, in our own words: the library's can hold what we logged in with."""
    match error:
        case smtplib.SMTPAuthenticationError():
            return f"the relay refused the login ({error.smtp_code}); check account and password"
        case TokenRefused() | TokenUnreachable():
            said = f"refuses a token ({error})" if isinstance(error, TokenRefused) else str(error)
            return f"the identity provider {said}; check the DOCKET_OAUTH settings"
        case smtplib.SMTPNotSupportedError():
            return "the relay offers no STARTTLS, or no way to log in; nothing was sent unprotected"
        case ssl.SSLCertVerificationError():
            return f"the relay's certificate is not trusted ({error.verify_message})"
        case UnicodeError():
            return "the relay's password has letters beyond ASCII, which its login cannot carry"
        case _:
            pass
    return f"the relay cannot be reached ({_why(error)})"


def _why(error: Exception) -> str:
    """Say in a few plain words why there was no connection."""
    match error:
        case socket.gaierror():
            return "its host name cannot be found"
        case ConnectionRefusedError():
            return "nobody answers at that port"
        case TimeoutError():
            return "it did not answer in time"
        case ssl.SSLError():
            return "it does not speak TLS at that port"
        case smtplib.SMTPServerDisconnected() | ConnectionError():
            return "it broke the connection"
        case _:
            return "it did not speak as a relay does"


def _handed_over(relay: smtplib.SMTP, mail: OutgoingMail, verdict_timeout_s: float) -> Delivery:
    """Give the letter to a connected relay, step by step, so that it is known how far it came.

    Until the final dot is sent a relay has no letter and must forget what it got (RFC 5321, 4.1.1.4): a
    break before it may be tried again. After it, nobody knows.
    """
    try:
        refused = _envelope(relay, mail)
        if refused is not None:
            return refused
        relay.send(_dotted(mail.raw))
    except (OSError, smtplib.SMTPException) as error:
        broke = f"the connection broke before the whole letter was sent ({type(error).__name__})"
        return Delivery(DeliveryState.TRY_LATER, broke, reached=False)
    try:
        if relay.sock is not None:
            relay.sock.settimeout(verdict_timeout_s)
        relay.send(b".\r\n")
        code, said = relay.getreply()
    except (OSError, smtplib.SMTPException) as error:
        return _uncertain(f"the connection broke after the letter was sent ({type(error).__name__})")
    return _verdict(code, said)


def _dotted(raw: bytes) -> bytes:
    """Give the body as DATA wants it: leading dots doubled, a line end at the end (RFC 5321, 4.5.2)."""
    doubled = re.sub(rb"(?m)^\.", b"..", raw)
    return doubled if doubled.endswith(b"\r\n") else doubled + b"\r\n"


def _envelope(relay: smtplib.SMTP, mail: OutgoingMail) -> Delivery | None:
    """Say from whom and to whom, and open the body; None when the relay waits for it."""
    unfit = _unfit(relay, mail)
    if unfit is not None:
        return unfit
    wide = not (mail.to + mail.envelope_from).isascii()
    if wide:
        relay.command_encoding = "utf-8"
    code, said = relay.mail(mail.envelope_from, _sender_options(relay, mail, wide=wide))
    plain = _UNTAGGED.sub("@", mail.envelope_from)
    if code >= _PERMANENT and code != _TOO_LARGE and plain != mail.envelope_from:
        # A relay that lets only the box itself send: the bounce then finds its letter by what it returns.
        relay.rset()
        code, said = relay.mail(plain, _sender_options(relay, mail, wide=wide))
    if code != _DONE:
        # Whatever a relay has against our sender is not the recipient's doing, and can be mended.
        return _answered(code, said) if code == _TOO_LARGE else _later(_detail(code, said))
    code, said = relay.rcpt(mail.to, _reports(relay, mail, wide=wide))
    if code not in {250, 251}:
        return _answered(code, said)
    code, said = relay.docmd("DATA")
    return None if code == 354 else _answered(code, said)  # noqa: PLR2004  RFC 5321: start mail input


def _unfit(relay: smtplib.SMTP, mail: OutgoingMail) -> Delivery | None:
    """Say what the relay says from the start that it does not take."""
    if not (mail.to + mail.envelope_from).isascii() and not relay.has_extn("smtputf8"):
        return Delivery(
            DeliveryState.REFUSED_FOR_GOOD,
            "the relay takes no addresses beyond ASCII (SMTPUTF8); serve on paper",
        )
    limit = relay.esmtp_features.get("size", "").strip()
    if limit.isdecimal() and len(limit) <= _SIZE_DIGITS and 0 < int(limit) < len(mail.raw):
        return Delivery(
            DeliveryState.REFUSED_FOR_GOOD,
            f"the letter has {len(mail.raw)} bytes, the relay takes {limit}; serve on paper",
        )
    return None


def _sender_options(relay: smtplib.SMTP, mail: OutgoingMail, *, wide: bool) -> list[str]:
    options = [f"SIZE={len(mail.raw)}"] if relay.has_extn("size") else []
    if not mail.raw.isascii() and relay.has_extn("8bitmime"):
        options.append("BODY=8BITMIME")
    if wide:
        options.append("SMTPUTF8")
    if relay.has_extn("dsn"):
        options.append("RET=HDRS")
        options += [f"ENVID={_xtext(mail.envelope_id)}"] if mail.envelope_id else []
    return options


def _reports(relay: smtplib.SMTP, mail: OutgoingMail, *, wide: bool) -> list[str]:
    """Ask to hear of failure and delay, with the address as we wrote it (RFC 3461, 4.1 and 4.2)."""
    if not relay.has_extn("dsn"):
        return []
    return ["NOTIFY=FAILURE,DELAY", *([] if wide else [f"ORCPT=rfc822;{_xtext(mail.to)}"])]


def _xtext(text: str) -> str:
    """Write a value as RFC 3461, section 4 wants it."""
    return re.sub(r"[^!-*,-<>-~]", lambda found: f"+{ord(found.group()):02X}", text)


def _verdict(code: int, said: bytes | str) -> Delivery:
    """Judge the answer to the whole letter: what is neither yes nor no leaves it uncertain."""
    if 200 <= code < 300 or 400 <= code < 600:  # noqa: PLR2004  RFC 5321, 4.2.1
        return _answered(code, said)
    return _uncertain(_detail(code, said))


def _answered(code: int, said: bytes | str) -> Delivery:
    """Judge a reply code (RFC 5321, 4.2.1): 2 is done, 5 is for good, anything else may be tried again."""
    detail = _detail(code, said)
    if 200 <= code < 300:  # noqa: PLR2004
        return Delivery(DeliveryState.ACCEPTED, detail, reached=True)
    if code >= _PERMANENT:
        return Delivery(DeliveryState.REFUSED_FOR_GOOD, detail, reached=True)
    return _later(detail)


def _detail(code: int, said: bytes | str) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return f"{code} {_ADDRESSES.sub('(address)', _line(text))}"[:300]


def _later(detail: str) -> Delivery:
    return Delivery(DeliveryState.TRY_LATER, detail, reached=True)


def _uncertain(detail: str) -> Delivery:
    return Delivery(DeliveryState.UNCERTAIN, detail)


def _leave(relay: smtplib.SMTP) -> None:
    """Take leave without waiting long: the letter's fate is known."""
    try:
        if relay.sock is not None:
            relay.sock.settimeout(_GOODBYE_S)
        relay.quit()
    except (OSError, smtplib.SMTPException):
        relay.close()

"""The practice mail server: a mailbox over IMAP and a relay over SMTP, on loopback, with inboxes to look into.

The mailbox is pymap in a process of its own. The relay takes every letter: mail to the Board's address,
plus-tags included, goes into the mailbox; everything else goes into inboxes that the story and the page
read. An address can be told to fail, and then sends the delivery report that a real server would send.
"""

import asyncio
import imaplib
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP, default
from email.utils import format_datetime
from types import TracebackType
from typing import Any, Self

from aiosmtpd import smtp as relay
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope, Session

from store.rules.counted import counted

_START = "from pymap.main import main; main()"
_WAIT_S = 90.0
_STARTS = 3
RELAY_NAME = "mail.practice.example"


class MailServerFault(Exception):
    """The practice mail server would not start, or its mailbox does not answer."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """A letter in somebody's inbox.

    Attributes:
        to: the recipient.
        envelope_from: the envelope sender.
        raw: its bytes, as the relay got them.
        at: the practice clock's instant.
    """

    to: str
    envelope_from: str
    raw: bytes
    at: datetime

    @property
    def message(self) -> EmailMessage:
        """The letter read."""
        read = BytesParser(policy=default).parsebytes(self.raw)
        assert isinstance(read, EmailMessage)
        return read

    @property
    def subject(self) -> str:
        """Its subject; a long one begins on the line below its name (RFC 5322, 2.2.3)."""
        return str(self.message["Subject"] or "").strip()

    @property
    def text(self) -> str:
        """Its plain text."""
        body = self.message.get_body(("plain",))
        return str(body.get_content()) if body is not None else ""


@dataclass
class RelayFaults:
    """What the relay is told to do wrong; counts are of letters still to go wrong.

    Attributes:
        refused: answered 550 to RCPT.
        greylisted: answered 451 to RCPT.
        dropped_before: the connection is cut at RCPT: nothing was taken, and the sender can know it.
        dropped_during: the connection is cut in DATA: nothing was taken, but the sender cannot know it.
        dropped_after: the connection is cut after DATA: the letter was taken, but the sender cannot know it.
        failing: addresses that do not exist: taken, then reported as failed.
    """

    refused: int = 0
    greylisted: int = 0
    dropped_before: int = 0
    dropped_during: int = 0
    dropped_after: int = 0
    failing: set[str] = field(default_factory=set)


class PracticeMail:
    """The practice mail server. Start it, give its addresses to the settings, stop it."""

    def __init__(
        self, address: str, clock: Callable[[], datetime], *, free_port: Callable[[], int] | None = None
    ) -> None:
        """Prepare; nothing is opened yet.

        Args:
            address: the Board's address, whose mail goes into the mailbox.
            clock: gives aware UTC instants, which become INTERNALDATE.
            free_port: gives a port of loopback that nobody has now; None asks the machine.
        """
        self._free_port = free_port or _free_port
        self.address = address
        self.clock = clock
        self.account = "board"
        self.password = secrets.token_urlsafe(12)
        self.faults = RelayFaults()
        self.imap_port = 0
        self.smtp_port = 0
        self._letters: list[Delivered] = []
        self._came = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._relay: Controller | None = None

    # -- life ---------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Start mailbox and relay; returns when both take connections.

        Raises:
            MailServerFault: one of them would not.
        """
        self._start_mailbox()
        self._empty()
        self.smtp_port = self._free_port()
        self._relay = Controller(
            _Handler(self), hostname="127.0.0.1", port=self.smtp_port, server_hostname=RELAY_NAME
        )
        self._relay.start()
        return self

    def _start_mailbox(self) -> None:
        """Start the mailbox; on another port where somebody took the first one before it was bound."""
        for tried in range(1, _STARTS + 1):
            self.imap_port = self._free_port()
            where = [
                "--host",
                "127.0.0.1",
                "--port",
                str(self.imap_port),
                "--no-tls",
                "--no-service",
                "admin",
            ]
            # a password may begin with a dash, which alone would be read as an option
            whose = ["dict", f"--demo-user={self.account}", f"--demo-password={self.password}"]
            self._process = subprocess.Popen(  # noqa: S603  our own interpreter, our own words
                [sys.executable, "-c", _START, *where, *whose],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                _wait_for(self.imap_port, self._process)
            except MailServerFault:
                if tried == _STARTS:
                    raise
            else:
                return

    def stop(self) -> None:
        """End both; safe to call twice."""
        if self._relay is not None:
            self._relay.stop(no_assert=True)
            self._relay = None
        if self._process is not None:
            self._process.kill()
            self._process.wait(_WAIT_S)
            self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def imap_url(self) -> str:
        """What `DOCKET_IMAP_URL` is set to."""
        return f"imap://{self.account}@127.0.0.1:{self.imap_port}/INBOX"

    @property
    def smtp_url(self) -> str:
        """What `DOCKET_SMTP_URL` is set to."""
        return f"smtp://127.0.0.1:{self.smtp_port}"

    # -- mail in ------------------------------------------------------------------------------------

    def put(self, raw: bytes, at: datetime | None = None) -> None:
        """Put a message into the Board's mailbox; the instant becomes its INTERNALDATE."""
        stamp = imaplib.Time2Internaldate(at or self.clock())
        with self._mailbox() as mailbox:
            answer, _said = mailbox.append("INBOX", "", stamp, raw)
        if answer != "OK":
            raise MailServerFault("The practice mailbox did not take a message.")

    def send(self, mail: EmailMessage) -> None:
        """Send a message as a person would: to the Board's mailbox, with the trace of our own server."""
        trace = f"from [127.0.0.1] by {RELAY_NAME}; {format_datetime(self.clock())}"
        self.put(b"Received: " + trace.encode() + b"\r\n" + mail.as_bytes(policy=SMTP))

    def post(self, mail: EmailMessage) -> None:
        """Send a message to everybody in To and Cc: into the Board's mailbox, and into the others' inboxes."""
        to = {one.addr_spec for name in ("To", "Cc") if name in mail for one in mail[name].addresses}
        if any(self.is_ours(address) for address in to):
            self.send(mail)
        for address in sorted(to):
            if not self.is_ours(address):
                self._take(str(mail["From"].addresses[0].addr_spec), address, mail.as_bytes(policy=SMTP))

    def _mailbox(self) -> imaplib.IMAP4:
        mailbox = imaplib.IMAP4("127.0.0.1", self.imap_port, timeout=_WAIT_S)
        mailbox.login(self.account, self.password)
        return mailbox

    def _empty(self) -> None:
        """Remove the messages that pymap brings for demonstration."""
        with self._mailbox() as mailbox:
            mailbox.select("INBOX")
            _answer, found = mailbox.search(None, "ALL")
            for number in (found[0] or b"").split():
                mailbox.store(number.decode(), "+FLAGS", "\\Deleted")
            mailbox.expunge()

    # -- letters out --------------------------------------------------------------------------------

    def inbox(self, address: str) -> list[Delivered]:
        """Give the letters that reached an address, oldest first."""
        with self._came:
            return [one for one in self._letters if one.to.casefold() == address.casefold()]

    @property
    def letters(self) -> list[Delivered]:
        """Every letter that reached anybody, oldest first."""
        with self._came:
            return list(self._letters)

    def wait_for(self, address: str, count: int = 1, *, timeout_s: float = _WAIT_S) -> list[Delivered]:
        """Wait until an address has so many letters.

        Raises:
            TimeoutError: they did not come.
        """
        deadline = time.monotonic() + timeout_s
        with self._came:
            while True:
                found = [one for one in self._letters if one.to.casefold() == address.casefold()]
                if len(found) >= count:
                    return found
                left = deadline - time.monotonic()
                if left <= 0 or not self._came.wait(left):
                    raise TimeoutError(f"{len(found)} of {counted(count, 'letter')} came")

    def _take(self, envelope_from: str, to: str, raw: bytes) -> None:
        if self.is_ours(to):
            self.put(b"Received: from relay by " + RELAY_NAME.encode() + b"\r\n" + raw)
            return
        if to.casefold() in {one.casefold() for one in self.faults.failing}:
            if envelope_from:
                self._take("", envelope_from, report_of_failure(envelope_from, to, raw, self.clock()))
            return
        with self._came:
            self._letters.append(Delivered(to, envelope_from, raw, self.clock()))
            self._came.notify_all()

    def is_ours(self, address: str) -> bool:
        """Whether mail to an address goes into the Board's mailbox, plus-tags included."""
        box, _, domain = address.casefold().rpartition("@")
        return f"{box.partition('+')[0]}@{domain}" == self.address.casefold()


def report_of_failure(envelope_from: str, to: str, raw: bytes, at: datetime) -> bytes:
    """Make the delivery report for an address that does not exist (RFC 3464), with the returned headers.

    Args:
        envelope_from: to whom the report goes: the letter's envelope sender.
        to: the address that failed.
        raw: the letter.
        at: the instant of the report.
    """
    boundary = f"report-{secrets.token_hex(8)}"
    headers = raw.partition(b"\r\n\r\n")[0]
    head = [
        f"From: Mail Delivery System <mailer-daemon@{RELAY_NAME}>",
        f"To: {envelope_from}",
        "Subject: Undelivered Mail Returned to Sender",
        f"Date: {format_datetime(at)}",
        f"Message-ID: <{secrets.token_hex(8)}@{RELAY_NAME}>",
        "Return-Path: <>",
        "Auto-Submitted: auto-replied",
        "MIME-Version: 1.0",
        f'Content-Type: multipart/report; report-type=delivery-status; boundary="{boundary}"',
        "",
        f"--{boundary}",
        "Content-Type: text/plain; charset=us-ascii",
        "",
        "The letter could not be delivered: there is no such mailbox.",
        f"--{boundary}",
        "Content-Type: message/delivery-status",
        "",
        f"Reporting-MTA: dns; {RELAY_NAME}",
        "",
        f"Final-Recipient: rfc822; {to}",
        "Action: failed",
        "Status: 5.1.1",
        "Diagnostic-Code: smtp; 550 5.1.1 no such mailbox",
        "",
        f"--{boundary}",
        "Content-Type: text/rfc822-headers",
        "",
    ]
    return "\r\n".join(head).encode() + b"\r\n" + headers + f"\r\n\r\n--{boundary}--\r\n".encode()


class _Handler:
    """The relay's answers."""

    def __init__(self, mail: PracticeMail) -> None:
        self._mail = mail

    async def handle_RCPT(  # noqa: N802  aiosmtpd's name
        self, server: relay.SMTP, _session: Session, envelope: Envelope, address: str, options: list[Any]
    ) -> str:
        faults = self._mail.faults
        if faults.dropped_before:
            faults.dropped_before -= 1
            _cut(server)
            return "421 closing"
        if faults.refused:
            faults.refused -= 1
            return "550 5.1.1 no such mailbox"
        if faults.greylisted:
            faults.greylisted -= 1
            return "451 4.7.1 try again later"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, server: relay.SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        faults = self._mail.faults
        content = envelope.content
        raw = content if isinstance(content, bytes) else str(content or "").encode()
        if faults.dropped_during:
            faults.dropped_during -= 1
            _cut(server)
            return "421 closing"
        sender = (envelope.mail_from or "").strip("<>")  # the null sender comes as "<>"
        for to in envelope.rcpt_tos:
            await server.loop.run_in_executor(None, self._mail._take, sender, to, raw)  # noqa: SLF001  the server's own handler
        if faults.dropped_after:
            faults.dropped_after -= 1
            _cut(server)
        return "250 2.0.0 taken"


def _cut(server: relay.SMTP) -> None:
    transport = server.transport
    if isinstance(transport, asyncio.Transport):
        transport.abort()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _WAIT_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with socket.create_connection(("127.0.0.1", port), 1.0):
                return
        except OSError:
            time.sleep(0.05)
    process.kill()
    raise MailServerFault("The practice mailbox did not start. Nothing else was touched; try again.")

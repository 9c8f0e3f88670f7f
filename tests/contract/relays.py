"""Relays to send to: a real one (aiosmtpd) that keeps what it got, and one that follows a script."""

import contextlib
import re
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from intake.mail_urls import MailServer, Security
from tests.contract.dovecot import ACCOUNT, SECRET, Certificate, free_port

CUT = b"CUT"
"""In place of an answer: close without a word."""


@dataclass
class Kept:
    """What a relay took: envelope and bytes, and the options that came with them."""

    envelopes: list[Envelope] = field(default_factory=list)
    logged_in: list[bytes] = field(default_factory=list)
    sent_over_tls: list[bool] = field(default_factory=list)
    rcpt_answer: str = "250 OK"
    data_answer: str = "250 OK"

    async def handle_RCPT(  # noqa: N802  aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient, or do what the test says."""
        if self.rcpt_answer.startswith("2"):
            envelope.rcpt_tos.append(address)
            envelope.rcpt_options.extend(options)
        return self.rcpt_answer

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep a letter, or do what the test says."""
        if self.data_answer.startswith("2"):
            self.envelopes.append(envelope)
            self.sent_over_tls.append(session.ssl is not None)
        return self.data_answer

    def authenticate(self, *seen: Any) -> AuthResult:
        """Let the one account in."""
        login = seen[4]
        assert isinstance(login, LoginPassword)
        self.logged_in.append(login.login)
        return AuthResult(success=login == LoginPassword(ACCOUNT.encode(), SECRET.encode()))


@contextlib.contextmanager
def relay(kept: Kept, *, certificate: Certificate | None = None, **wishes: Any) -> Iterator[int]:
    """Run aiosmtpd on loopback; give its port. With a certificate it offers STARTTLS."""
    if certificate is not None:
        wishes["tls_context"] = server_tls(certificate)
    controller = Controller(kept, hostname="127.0.0.1", port=free_port(), enable_SMTPUTF8=True, **wishes)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def server_tls(certificate: Certificate) -> ssl.SSLContext:
    """Give the server's side of TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.certificate, certificate.key)
    return context


USUAL: Mapping[str, bytes] = {
    "GREETING": b"220 ready",
    "EHLO": b"250-relay\r\n250-SIZE 100000\r\n250-DSN\r\n250 AUTH XOAUTH2 PLAIN",
    "AUTH": b"235 in",
    "MAIL": b"250 ok",
    "RCPT": b"250 ok",
    "DATA": b"354 go on",
    "BODY": b"",
    "DOT": b"250 queued as 7F3A",
    "QUIT": b"221 bye",
}


@dataclass
class ScriptedRelay:
    """Answers each command from a script. `BODY` set to CUT closes after the body's first kilobyte.

    Attributes:
        script: answers that differ from the usual; CUT closes, b"SILENT" says nothing; "MAIL+" and "RCPT+" are for
            addresses with a token.
        lines: the commands that came, whole.
        bodies: what came between DATA and the final dot.
    """

    script: Mapping[str, bytes]
    lines: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._answers = {**USUAL, **self.script}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    @property
    def place(self) -> MailServer:
        """Where it listens."""
        return MailServer("127.0.0.1", self._listener.getsockname()[1], ACCOUNT, Security.PLAIN)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._open.append(connection)
                with connection, contextlib.suppress(OSError):
                    self._serve(connection)

    def _serve(self, connection: socket.socket) -> None:
        if not self._answer(connection, "GREETING"):
            return
        with connection.makefile("rb") as lines:
            for line in lines:
                self.lines.append(line.decode().rstrip("\r\n"))
                word = re.match(rb"[A-Za-z]*", line)
                name = word.group().decode().upper() if word and word.group() else "AUTH"
                if b"+" in line and f"{name}+" in self._answers:
                    name += "+"
                if not self._answer(connection, name if name in self._answers else "AUTH"):
                    return
                begun = name == "DATA" and self._answers["DATA"].startswith(b"354")
                if begun and not (self._take_body(lines) and self._answer(connection, "DOT")):
                    return

    def _take_body(self, lines: Any) -> bool:
        body = b""
        if self._answers["BODY"] == CUT:
            lines.read(1_000)
            return False
        for line in lines:
            if line == b".\r\n":
                self.bodies.append(body)
                return True
            body += line
        return False

    def _answer(self, connection: socket.socket, name: str) -> bool:
        """Answer; False when the connection is over."""
        answer = self._answers[name]
        if answer == CUT:
            return False
        if answer != b"SILENT":
            connection.sendall(answer + b"\r\n")
        return True

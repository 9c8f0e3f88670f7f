"""A mail server that follows a script, for what no well-behaved server does on demand."""

import contextlib
import re
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Self

from intake.mail_urls import MailServer, Security
from tests.contract.dovecot import ACCOUNT

Answer = bytes | Callable[[socket.socket], None] | None
"""Bytes to send (``TAG`` is replaced), a deed on the connection, or nothing at all."""

OPEN_FOLDER = b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 2] ok\r\nTAG OK [READ-ONLY] done\r\n"
LISTED = b'* 1 FETCH (UID 1 RFC822.SIZE 20 INTERNALDATE "02-Feb-2026 10:00:00 -0500")\r\nTAG OK done\r\n'
WHOLE = b'* 1 FETCH (UID 1 INTERNALDATE "02-Feb-2026 10:00:00 -0500" BODY[] {20}\r\nSubject: x\r\n\r\n0123\r\n)\r\nTAG OK done\r\n'

USUAL: Mapping[str, Answer] = {
    "CAPABILITY": b"* CAPABILITY IMAP4rev1 AUTH=PLAIN IDLE\r\nTAG OK done\r\n",
    "AUTHENTICATE": b"+ \r\n",
    "CREDENTIALS": b"TAG OK done\r\n",
    "LOGIN": b"TAG OK done\r\n",
    "EXAMINE": OPEN_FOLDER,
    "SEARCH": b"* SEARCH 1\r\nTAG OK done\r\n",
    "STARTTLS": b"TAG BAD unknown\r\n",
    "NOOP": b"TAG OK done\r\n",
    "FETCH SIZE": LISTED,
    "FETCH BODY": WHOLE,
    "IDLE": b"+ idling\r\n",
    "DONE": b"TAG OK done\r\n",
    "LOGOUT": b"* BYE done\r\nTAG OK done\r\n",
}


@dataclass
class ScriptedServer:
    """Answers each command from a script; commands it was sent are kept.

    Attributes:
        script: answers that differ from the usual; a list is used up one by one, its last stays.
        commands: names of the commands that came, over all connections.
        greeting: what is said first.
        security: how its place says that it is to be spoken to.
    """

    script: Mapping[str, Answer | list[Answer]]
    commands: list[str] = field(default_factory=list)
    greeting: bytes = b"* OK ready\r\n"
    security: Security = Security.PLAIN

    def __enter__(self) -> Self:
        self._answers = {name: _several(answer) for name, answer in {**USUAL, **self.script}.items()}
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
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
        return MailServer("127.0.0.1", self._listener.getsockname()[1], ACCOUNT, self.security, ("INBOX",))

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._open.append(connection)
                with connection, contextlib.suppress(OSError):
                    self._serve(connection)

    def _serve(self, connection: socket.socket) -> None:
        connection.sendall(self.greeting)
        tag = b""
        with connection.makefile("rb") as lines:
            for line in lines:
                name, tag = _command(line, tag)
                self.commands.append(name)
                answers = self._answers[name]
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
                if isinstance(answer, bytes):
                    connection.sendall(answer.replace(b"TAG", tag))
                elif answer is not None:
                    answer(connection)


def _several(answer: Answer | list[Answer]) -> list[Answer]:
    return list(answer) if isinstance(answer, list) else [answer]


def _command(line: bytes, tag: bytes) -> tuple[str, bytes]:
    """Read a command's name and its tag; DONE and credentials belong to the command before."""
    if line.strip() == b"DONE":
        return "DONE", tag
    found = re.match(rb"([A-Z]{4}\d+) (?:UID )?([A-Z]+)", line)
    if found is None:
        return "CREDENTIALS", tag
    name = found.group(2).decode()
    if name == "FETCH":
        name += " BODY" if b"BODY" in line else " SIZE"
    return name, found.group(1)


def cut(connection: socket.socket) -> None:
    """Close without a word."""
    connection.shutdown(socket.SHUT_RDWR)


def then_cut(said: bytes) -> Callable[[socket.socket], None]:
    """Say something, then close."""

    def deed(connection: socket.socket) -> None:
        connection.sendall(said)
        cut(connection)

    return deed

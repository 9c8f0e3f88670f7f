"""The mail server that comes with us (pymap), in a process of its own, for the same tests as Dovecot's."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from intake.mail_urls import MailServer, Security
from tests.contract.dovecot import ACCOUNT, SECRET, free_port, other_client, until_listening


class EmbeddedStartError(Exception):
    """The embedded mail server would not start."""


@dataclass
class EmbeddedMail:
    """One server in memory with one account; its mail is gone when it ends.

    Attributes:
        port: plain IMAP on loopback.
    """

    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def place(self) -> MailServer:
        """Where INBOX and Junk are read."""
        return MailServer("127.0.0.1", self.port, ACCOUNT, Security.PLAIN, ("INBOX", "Junk"))

    def start(self) -> None:
        """Start it, with an empty mailbox.

        Raises:
            EmbeddedStartError: it would not.
        """
        where = ["--host", "127.0.0.1", "--port", str(self.port), "--no-tls", "--no-service", "admin"]
        whose = ["dict", f"--demo-user={ACCOUNT}", f"--demo-password={SECRET}"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from pymap.main import main; main()", *where, *whose],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if not until_listening(self.port, self._process):
            raise EmbeddedStartError("pymap did not start")
        with self.colleague() as client:
            for each in {"Junk"} - {name for _, _, name in client.list_folders()}:
                client.create_folder(each)

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(20)
            self._process = None

    stop = kill

    def deliver(self, raw: bytes, *, folder: str = "INBOX", at: datetime | None = None) -> None:
        """Put a mail into a folder; `at` becomes its INTERNALDATE."""
        with self.colleague(folder) as client:
            client.append(folder, raw, msg_time=at)

    @contextlib.contextmanager
    def colleague(self, folder: str = "INBOX") -> Iterator[Any]:
        """Another mail program in the same mailbox, with the folder open for writing."""
        with other_client(self.port, folder) as client:
            yield client

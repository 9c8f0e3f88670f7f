"""A real Dovecot for tests, in a temporary folder, on loopback ports of its own; gone afterwards.

A test that asks for one is marked `needs("dovecot")` and `contract`. It runs as root, who hands the
mail to the account `nobody`, and as an ordinary account, who keeps it.
"""

import contextlib
import getpass
import grp
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from imapclient import IMAPClient

from intake.mail_urls import MailServer, Security
from tests.servers import find_dovecot

ACCOUNT = "clerk@city.example"
SECRET = "correct horse"
START_TIMEOUT_S = 20.0


class DovecotStartError(Exception):
    """Dovecot would not start; its own words are in the text."""


def free_port() -> int:
    """Give a loopback port that nobody listens on now."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def until_listening(
    port: int, process: subprocess.Popen[bytes], *, timeout_s: float = START_TIMEOUT_S
) -> bool:
    """Wait until somebody listens on a loopback port; False if the process ended or time ran out."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
            return True
        time.sleep(0.01)  # nothing to wait on: a port gives no sign
    return False


@dataclass(frozen=True)
class Certificate:
    """PEM files for a server: its certificate and key."""

    certificate: Path
    key: Path


@dataclass
class Dovecot:
    """One server with one account, `clerk@city.example`, and the folders INBOX and Junk.

    Attributes:
        certificate: serves imaps with it; None serves plain IMAP alone.
        settings: further lines of the configuration, such as XOAUTH2's.
        port: plain IMAP.
        tls_port: imaps.
    """

    certificate: Certificate | None = None
    settings: str = ""
    port: int = field(default_factory=free_port)
    tls_port: int = field(default_factory=free_port)
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="dkt-imap-")))
    _process: subprocess.Popen[bytes] | None = None
    _delivered: int = 0

    def __enter__(self) -> Self:
        try:
            self._settle()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _settle(self) -> None:
        self.folder.chmod(0o755)  # the account that keeps the mail must get in
        self.write_accounts({ACCOUNT: SECRET})
        self._home.mkdir(parents=True)
        for each in ("INBOX", "Junk"):
            self._make_maildir(each)
        _give_away(self._home)

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self.folder)

    @property
    def place(self) -> MailServer:
        """Where INBOX and Junk are read in plain text."""
        return MailServer("127.0.0.1", self.port, ACCOUNT, Security.PLAIN, ("INBOX", "Junk"))

    @property
    def starttls_place(self) -> MailServer:
        """Where INBOX is read after STARTTLS."""
        return MailServer("localhost", self.port, ACCOUNT, Security.STARTTLS, ("INBOX",))

    @property
    def tls_place(self) -> MailServer:
        """Where INBOX is read over TLS, by the name localhost."""
        return MailServer("localhost", self.tls_port, ACCOUNT, Security.TLS, ("INBOX",))

    def start(self) -> None:
        """Start it, again after `stop` or `kill`, on the same ports.

        Raises:
            DovecotStartError: it would not.
        """
        program = find_dovecot()
        if program is None:
            raise DovecotStartError("dovecot is not installed")
        config = self.folder / "dovecot.conf"
        config.write_text(self._configuration())
        self._process = subprocess.Popen(
            [program, "-F", "-c", config],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        ports = [self.port, *([self.tls_port] if self.certificate else [])]
        if not all(until_listening(port, self._process) for port in ports):
            log = self.folder / "log"
            raise DovecotStartError(log.read_text() if log.exists() else "dovecot did not start")

    def stop(self) -> None:
        """Shut it down in order: sessions hear BYE or see the end; what lingers is ended, too."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(START_TIMEOUT_S)
            self.kill()

    def kill(self) -> None:
        """End it and all its sessions at once, without a word."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(START_TIMEOUT_S)
            self._process = None

    def write_accounts(self, secrets: Mapping[str, str]) -> None:
        """Say who may log in, from now on."""
        lines = [f"{account}:{{PLAIN}}{secret}\n" for account, secret in secrets.items()]
        (self.folder / "accounts").write_text("".join(lines))

    def deliver(self, raw: bytes, *, folder: str = "INBOX", at: datetime | None = None) -> None:
        """Put a mail into the Maildir as a delivery agent does; `at` becomes its INTERNALDATE."""
        maildir = self.maildir(folder)
        self._delivered += 1
        name = f"{1_700_000_000 + self._delivered}.M{self._delivered}P{os.getpid()}.test"
        made = maildir / "tmp" / name
        made.write_bytes(raw)
        _give_away(made)
        if at is not None:
            os.utime(made, (at.timestamp(), at.timestamp()))
        made.rename(maildir / "new" / name)

    def maildir(self, folder: str = "INBOX") -> Path:
        """Give the Maildir of a folder."""
        return self._home / "Maildir" if folder == "INBOX" else self._home / "Maildir" / f".{folder}"

    def empty(self, folder: str, *, uidvalidity: int) -> None:
        """Make a folder anew, as a restored or recreated mailbox is: no mail, UIDs from 1, a UIDVALIDITY of choice."""
        maildir = self.maildir(folder)
        for each in [*maildir.glob("new/*"), *maildir.glob("cur/*"), *maildir.glob("dovecot.index*")]:
            each.unlink()
        listed = maildir / "dovecot-uidlist"
        guid = listed.read_text().splitlines()[0].rpartition(" G")[2]
        listed.write_text(f"3 V{uidvalidity} N1 G{guid}\n")
        _give_away(maildir / "dovecot-uidlist")

    @contextlib.contextmanager
    def colleague(self, folder: str = "INBOX") -> Iterator[Any]:
        """Another mail program in the same mailbox, with the folder open for writing."""
        with other_client(self.port, folder) as client:
            yield client

    def _make_maildir(self, folder: str) -> None:
        maildir = self.maildir(folder)
        maildir.mkdir()
        _give_away(maildir)
        for part in ("tmp", "new", "cur"):
            (maildir / part).mkdir()
            _give_away(maildir / part)

    @property
    def _home(self) -> Path:
        return self.folder / "mail" / ACCOUNT

    def _configuration(self) -> str:
        return f"""
base_dir = {self.folder}/run
state_dir = {self.folder}/state
log_path = {self.folder}/log
protocols = imap
listen = 127.0.0.1
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_location = maildir:~/Maildir
mail_max_userip_connections = 100
first_valid_uid = 1
{_tls_lines(self.certificate)}
{_account_lines()}
passdb {{
  driver = passwd-file
  args = {self.folder}/accounts
}}
userdb {{
  driver = static
  args = uid={_owner()[0]} gid={_owner()[1]} home={self.folder}/mail/%u
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Junk {{
    auto = create
  }}
}}
service stats {{
  chroot =
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {self.port}
  }}
  inet_listener imaps {{
    port = {self.tls_port if self.certificate else 0}
    ssl = yes
  }}
}}
{self.settings}
"""


@contextlib.contextmanager
def other_client(port: int, folder: str = "INBOX") -> Iterator[Any]:
    """A second IMAP client with the folder open for writing."""
    with IMAPClient("127.0.0.1", port=port, ssl=False, timeout=20) as client:
        client.login(ACCOUNT, SECRET)
        client.select_folder(folder)
        yield client


def _owner() -> tuple[int, int]:
    """Whose the mail is: nobody's where root runs the server, our own elsewhere."""
    return (65534, grp.getgrnam("nogroup").gr_gid) if os.geteuid() == 0 else (os.getuid(), os.getgid())


def _give_away(path: Path) -> None:
    """Let the mail's owner have a path, as the server's own files are his."""
    if os.geteuid() == 0:
        os.chown(path, *_owner())


def _account_lines() -> str:
    if os.geteuid() == 0:
        return ""
    me, group = getpass.getuser(), grp.getgrgid(os.getgid()).gr_name
    return f"default_internal_user = {me}\ndefault_login_user = {me}\ndefault_internal_group = {group}"


def _tls_lines(certificate: Certificate | None) -> str:
    if certificate is None:
        return "ssl = no"
    return f"ssl = yes\nssl_cert = <{certificate.certificate}\nssl_key = <{certificate.key}"

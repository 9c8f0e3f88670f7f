"""Other programs that fetch mail, measured beside Docket in the same benchmark where they are installed.

None of them judges a paper, numbers a case or keeps a journal; they show what this machine does with the same mails.
Debian has `isync` (mbsync, in C) and `getmail6`; django-mailbox comes from PyPI into an environment of its own, whose
interpreter `DOCKET_BENCH_DJANGO_MAILBOX` names.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tests.contract.dovecot import ACCOUNT, SECRET

DJANGO = "DOCKET_BENCH_DJANGO_MAILBOX"
_PATIENCE_S = 600
IN_PYTHON = ("getmail6", "django-mailbox")


class PeerFailed(Exception):
    """A peer ended badly or fetched another number of mails; its own words are in the text."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A program that fetches mail.

    Attributes:
        name: what it is called.
        fetch: takes a port and an empty folder; gives the seconds taken and the number of mails that are there then.
        empties: it takes the mails away from the server.
    """

    name: str
    fetch: Callable[[int, Path], tuple[float, int]]
    empties: bool = False


def peers() -> tuple[list[Peer], list[str]]:
    """Give the peers that are here, and a line for each that is not."""
    found, absent = [], []
    for name, program, fetch in (("isync (mbsync)", "mbsync", _mbsync), ("getmail6", "getmail", _getmail)):
        if shutil.which(program):
            found.append(Peer(name, fetch))
        else:
            absent.append(f"{name} is not installed; from Debian: apt-get install {name.partition(' ')[0]}")
    if os.environ.get(DJANGO):
        found.append(Peer("django-mailbox", _django_mailbox, empties=True))
    else:
        absent.append(f"django-mailbox is not named; set {DJANGO} to the interpreter of its environment")
    return found, absent


def measured(peer: Peer, port: int, folder: Path, mails: int) -> float:
    """Let a peer fetch everything once; milliseconds a mail.

    Raises:
        PeerFailed: it did not fetch each mail once.
    """
    folder.mkdir()
    seconds, got = peer.fetch(port, folder)
    shutil.rmtree(folder)
    if got != mails:
        raise PeerFailed(f"{peer.name} has {got} of {mails} mails")
    return seconds * 1000 / mails


def _run(*words: str, env: dict[str, str] | None = None) -> tuple[float, str]:
    began = time.perf_counter()
    ran = subprocess.run(
        words,
        capture_output=True,
        check=False,
        text=True,
        timeout=_PATIENCE_S,
        env={**os.environ, **(env or {})},
    )
    took = time.perf_counter() - began
    if ran.returncode:
        last = ran.stderr.strip().rpartition("\n")[2]
        raise PeerFailed(f"{Path(words[0]).name} ended with {ran.returncode}: {last[:200]}")
    return took, ran.stdout


def _maildir(folder: Path) -> Path:
    for name in ("cur", "new", "tmp"):
        (folder / "mail" / name).mkdir(parents=True)
    return folder / "mail"


def _in(maildir: Path) -> int:
    return sum(len(list((maildir / name).iterdir())) for name in ("cur", "new"))


def _mbsync(port: int, folder: Path) -> tuple[float, int]:
    """Pull everything with isync, which syncs each file to the disk by default."""
    rules = folder / "mbsyncrc"
    rules.write_text(
        f"""IMAPAccount here
Host 127.0.0.1
Port {port}
User {ACCOUNT}
Pass "{SECRET}"
SSLType None
AuthMechs LOGIN

IMAPStore far
Account here

MaildirStore near
Path {folder}/
Inbox {folder}/mail

Channel all
Far :far:INBOX
Near :near:INBOX
Sync Pull
SyncState *
Create Near
"""
    )
    took, _said = _run("mbsync", "-q", "-c", str(rules), "all")
    return took, _in(folder / "mail")


def _getmail(port: int, folder: Path) -> tuple[float, int]:
    """Fetch everything with getmail6 into a Maildir; started by root it delivers as somebody else only."""
    maildir, keeper = _maildir(folder), ""
    if os.geteuid() == 0:
        keeper = "user = nobody"
        for one in (maildir, *maildir.iterdir()):
            shutil.chown(one, "nobody")
        for above in (folder, folder.parent):
            above.chmod(0o711)
    (folder / "getmailrc").write_text(
        f"""[retriever]
type = SimpleIMAPRetriever
server = 127.0.0.1
port = {port}
username = {ACCOUNT}
password = {SECRET}
mailboxes = ("INBOX",)

[destination]
type = Maildir
path = {maildir}/
{keeper}

[options]
delete = false
read_all = true
verbose = 0
"""
    )
    took, _said = _run("getmail", "--getmaildir", str(folder), "--rcfile", "getmailrc")
    return took, _in(maildir)


_DJANGO_STEPS = """
import sys, time
import django
from django.conf import settings
folder, address = sys.argv[1:]
settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django_mailbox"], MEDIA_ROOT=folder, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder + "/db.sqlite3"}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
)
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django_mailbox.models import Mailbox, Message
mailbox = Mailbox.objects.create(name="bench", uri=address)
began = time.perf_counter()
for _ in mailbox.get_new_mail():
    pass
print(time.perf_counter() - began, Message.objects.count())
"""


def _django_mailbox(port: int, folder: Path) -> tuple[float, int]:
    """Fetch everything with django-mailbox into SQLite and its folder of attachments; it empties the mailbox."""
    address = f"imap://{quote(ACCOUNT, safe='')}:{quote(SECRET, safe='')}@127.0.0.1:{port}"
    interpreter = os.environ.get(DJANGO) or sys.executable
    _took, said = _run(interpreter, "-c", _DJANGO_STEPS, str(folder), address)
    seconds, count = said.split()[-2:]
    return float(seconds), int(count)

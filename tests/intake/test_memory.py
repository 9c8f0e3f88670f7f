"""A mail too large for the memory that is left stops no other mail, and the process goes on (I8)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.dovecot import Dovecot
from tests.contract.mailbox_steps import a_mail
from tests.kill_filing import RECEIVED

pytestmark = [pytest.mark.contract, pytest.mark.needs("dovecot")]
ROOT = Path(__file__).parents[2]
LARGE_MIB, LEFT_MIB = 30, 60

# In a process of its own: memory that a limit takes away is not given back.
CHILD = """
import resource, sys
from pathlib import Path
from cryptography.fernet import Fernet
from intake.mail_login import Password
from intake.mailbox import Mailbox
from store.cases import MACHINE, verify
from store.ports import NoFaults
from tests.contract.dovecot import SECRET, ACCOUNT
from intake.mail_urls import MailServer, Security
from tests.contract.rounds import Round
from tests.kill_filing import a_docket

folder, port = Path(sys.argv[1]), int(sys.argv[2])
place = MailServer("127.0.0.1", port, ACCOUNT, Security.PLAIN, ("INBOX",))
with a_docket(folder, Fernet.generate_key().decode(), NoFaults()) as docket, Mailbox(place, Password(SECRET)) as box:
    round_ = Round(docket, box)
    round_.poll.mailroom.max_mail_bytes = 50 << 20
    before = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (before + LEFT, hard))
    for _poll in range(3):
        round_.poll.once()
    unread = sorted(round_.poll.mailroom.unread)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    print(len(round_.placed()), round_.placed().count("taken"), len(unread))
    for _poll in range(2):
        round_.poll.once()
    print(len(round_.placed()), round_.placed().count("taken"), len(round_.poll.mailroom.unread))
    print(verify(docket, MACHINE))
"""


def test_a_mail_too_large_for_the_memory_left_is_told_and_stops_no_other_and_is_read_when_there_is_room(
    tmp_path: Path,
) -> None:
    with Dovecot() as server:
        server.deliver(a_mail("Before"), at=RECEIVED)
        server.deliver(a_mail("Large", b"0123456789abcdef" * (LARGE_MIB << 16) + b"\r\n"), at=RECEIVED)
        server.deliver(a_mail("After"), at=RECEIVED)
        ended = subprocess.run(
            [
                sys.executable,
                "-c",
                CHILD.replace("LEFT", str(LEFT_MIB << 20)),
                str(tmp_path),
                str(server.port),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            timeout=240,
            env={**os.environ, "MALLOC_ARENA_MAX": "1"},
        )
    assert ended.returncode == 0, ended.stderr[-2000:]
    tight, roomy, verified = ended.stdout.splitlines()[-3:]
    assert tight == "2 0 1", ended.stdout
    assert roomy == "3 0 0", ended.stdout
    assert verified == "None"

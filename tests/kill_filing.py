"""Kill -9 between any two steps of filing, over and over, against a real Dovecot: none lost, none doubled (I2).

`python -m tests.kill_filing --rounds 20 --mails 200` plays whole rounds and prints what was seen. A child
process files mail through the real mailroom and ends itself with SIGKILL at a drawn fault point; it is
started again until one run ends by itself. Then the record is held against what lies in the mailbox.
"""

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from cryptography.fernet import Fernet
from sqlmodel import select

from bot.practice.papers import Complaint, typed
from intake.mail_login import Password
from intake.mail_urls import MailServer, Security
from intake.mailbox import Mailbox
from intake.pdf.judge import judge
from intake.pdf.trust import NO_ROOTS
from intake.poller import Mailroom
from intake.reading import Desk
from store.cases import MACHINE, Docket, case_ids, open_docket, verify
from store.ports import FaultPoints, NoFaults
from store.printing import open_press
from store.tables import CaseRow, MailItem, OutboxRow, RawMail, Sighting
from store.vault import KeyRef, Owner
from tests.clocks import ManualClock
from tests.contract.dovecot import ACCOUNT, SECRET, Dovecot

INTAKE = "complaints@ethics.bramwell-ky.example"
RECEIVED = datetime(2026, 11, 2, 14, 0, tzinfo=UTC)
READ_FROM = datetime(2026, 11, 1, tzinfo=UTC)
MOST_KILLS = 40
POINTS_A_MAIL = 8
POINTS_A_BATCH = 50 * POINTS_A_MAIL  # fifty mails are kept together, and filed by the dozen
_MIB = 1 << 20


@dataclass
class KillAt:
    """Ends the process with SIGKILL when so many fault points were reached; tells which one on stderr."""

    at: int
    reached: int = 0

    def reach(self, name: str) -> None:
        """Count, and end the process at the drawn one."""
        self.reached += 1
        if self.reached == self.at:
            os.write(2, f"killed at {name}\n".encode())
            os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def a_docket(folder: Path, key: str, faults: FaultPoints) -> Iterator[Docket]:
    """Open the record of a round, and close it."""
    profile = (Path(__file__).parents[1] / "store" / "profiles" / "bramwell.toml").read_text()
    clock = ManualClock()
    clock.set_to(RECEIVED + timedelta(days=1))
    press = open_press()
    docket = open_docket(
        f"sqlite:///{folder / 'docket.sqlite3'}",
        data=folder,
        keys=(key,),
        clock=clock,
        typesetter=press,
        profile=profile,
        mail_from=INTAKE,
        faults=faults,
    )
    try:
        yield docket
    finally:
        docket.database.engine.dispose()
        press.close()


def file_all(folder: Path, key: str, port: int, faults: FaultPoints) -> None:
    """Keep and read everything that lies in the mailbox, once."""
    server = MailServer("127.0.0.1", port, ACCOUNT, Security.PLAIN, ("INBOX",))
    with (
        a_docket(folder, key, faults) as docket,
        Mailbox(server, Password(SECRET)) as mailbox,
    ):
        desk = Desk(
            docket,
            INTAKE,
            "mail.city.example",
            lambda content, moment: judge(content, trust=NO_ROOTS, moment=moment),
        )
        room = Mailroom(desk, 50 * _MIB)
        room.keep_new(mailbox, READ_FROM)
        room.read_waiting()


def a_mail(number: int) -> bytes:
    """Make a complaint with a PDF, of a sender of its own."""
    mail = EmailMessage()
    mail["From"] = f"Person {number} <person{number}@riverbend.example>"
    mail["To"] = INTAKE
    mail["Subject"] = "Complaint"
    mail["Message-ID"] = f"<complaint-{number}@riverbend.example>"
    mail.set_content("Please find my complaint attached.")
    pdf = typed(Complaint("City", f"Person Number{number}", "Some Official", "Streets", f"Matter {number}."))
    mail.add_attachment(pdf, maintype="application", subtype="pdf", filename="complaint.pdf")
    return mail.as_bytes().replace(b"\n", b"\r\n")


@dataclass
class Round:
    """What one round showed.

    Attributes:
        kills: fault point -> how often the process was killed there.
        faults: what was wrong in the end; empty when all is well.
    """

    kills: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def play(mails: int, seed: int, *, most_kills: int = MOST_KILLS) -> Round:
    """Play one round: fill a mailbox, file under kills, check the record."""
    draw = random.Random(seed)
    latest = min(POINTS_A_BATCH, POINTS_A_MAIL * mails)
    seen = Round()
    key = Fernet.generate_key().decode()
    raws = [a_mail(number) for number in range(mails)]
    with tempfile.TemporaryDirectory(prefix="dkt-kill-") as name, Dovecot() as server:
        folder = Path(name)
        for raw in raws:
            server.deliver(raw, at=RECEIVED)
        for _ in range(most_kills):
            ended = _child(folder, key, server.port, draw.randint(1, latest))
            if ended == "":
                break
            seen.kills[ended] += 1
        last = _child(folder, key, server.port, 0)
        if last:
            seen.faults.append(f"the undisturbed run ended: {last}")
        seen.faults += _faults(folder, key, [hashlib.sha256(raw).hexdigest() for raw in raws])
    return seen


def _child(folder: Path, key: str, port: int, kill_at: int) -> str:
    """Run the child; give the fault point at which it died, or what else went wrong; empty for a good end."""
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.kill_filing",
            "--child",
            str(folder),
            "--port",
            str(port),
            "--kill-at",
            str(kill_at),
        ],
        input=key.encode(),
        capture_output=True,
        timeout=600,
        check=False,
        cwd=Path(__file__).parents[1],
    )
    said = run.stderr.decode(errors="replace").strip()
    if run.returncode == -signal.SIGKILL:
        return said.rpartition("killed at ")[2]
    return "" if run.returncode == 0 else f"status {run.returncode}: {said[-400:]}"


def _faults(folder: Path, key: str, sent: list[str]) -> list[str]:
    """Hold the record against what was sent."""
    with a_docket(folder, key, NoFaults()) as docket:
        faults: list[str] = []
        with docket.database.read() as session:
            raws = list(session.exec(select(RawMail)))
            items = list(session.exec(select(MailItem)))
            numbers = [number for _key, number in case_ids(session)]
            cases = list(session.exec(select(CaseRow)))
            receipts = [one for one in session.exec(select(OutboxRow)) if one.kind == "auto_receipt"]
            sightings = list(session.exec(select(Sighting)))
            opened = [
                hashlib.sha256(
                    docket.vault.fetch(session, KeyRef(Owner.MAIL, one.id or 0), one.vault_name)
                ).hexdigest()
                for one in raws
            ]
            wanted = len(sent)
            for what, found in (
                ("raw mails", len(raws)),
                ("sightings", len(sightings)),
                ("items in a case", sum(one.place == "in-a-case" for one in items)),
                ("items", len(items)),
                ("cases", len(cases)),
                ("numbers", len(set(numbers))),
                ("auto-receipts", len(receipts)),
                ("cases with an auto-receipt", len({one.case_id for one in receipts})),
            ):
                if found != wanted:
                    faults.append(f"{what}: {found} of {wanted}")
            if sorted(opened) != sorted(sent):
                faults.append("the vault does not hold just the bytes that were sent")
            if sorted(one.seq for one in cases) != list(range(1, len(cases) + 1)):
                faults.append("a case number was left out or used twice")
        fault = verify(docket, MACHINE)
        if fault:
            faults.append(f"journal entry {fault.seq}: {fault.says}")
    return faults


def main() -> int:
    """Play rounds, or be the child of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--mails", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--kill-at", type=int, default=0)
    given = parser.parse_args()
    if given.child is not None:
        faults = KillAt(given.kill_at) if given.kill_at else NoFaults()
        file_all(given.child, sys.stdin.read().strip(), given.port, faults)
        return 0
    kills: Counter[str] = Counter()
    wrong = 0
    for number in range(given.rounds):
        seen = play(given.mails, given.seed + number)
        kills += seen.kills
        wrong += bool(seen.faults)
        print(
            f"round {number + 1}: {sum(seen.kills.values())} kills; {'; '.join(seen.faults) or 'none lost, none doubled'}",
            flush=True,
        )
    print(
        f"{given.rounds} rounds of {given.mails} mails, {sum(kills.values())} kills, {wrong} rounds with a fault"
    )
    for name, count in sorted(kills.items()):
        print(f"  {count:4d}  {name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

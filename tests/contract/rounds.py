"""A mailroom that makes one round over a real mailbox when it is told to."""

from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import col, func, select

from intake.mailbox import Mailbox
from intake.pdf.finding import Finding, Signature
from intake.poller import Mailroom, Poll
from intake.reading import Desk
from intake.watch import Alarm, Recovery
from store.cases import Docket
from store.tables import MailItem, Sighting
from tests.intake.mail_builders import a_finding
from tests.kill_filing import INTAKE, READ_FROM


def judged(_content: bytes, _moment: datetime) -> Finding:
    """A finding that leaves every paper to a person."""
    return a_finding(Signature.NEEDS_HUMAN)


@dataclass
class Round:
    """A mailroom that makes one round when it is told to, without waiting between."""

    docket: Docket
    mailbox: Mailbox
    told: list[Alarm | Recovery] = field(default_factory=list)
    progress: list[tuple[int, int]] = field(default_factory=list)
    filled: list[float] = field(default_factory=list)
    ran_s: float = 0.0

    def __post_init__(self) -> None:
        room = Mailroom(
            Desk(self.docket, INTAKE, "", judged),
            1 << 20,
            progress=lambda kept, old: self.progress.append((kept, old)),
        )
        self.mailbox.stop()  # every wait and pause ends at once
        self.poll = Poll(
            room,
            self.mailbox,
            READ_FROM,
            self.told.append,
            lambda: True,
            filled=self.filled.append,
            seconds=lambda: self.ran_s,
        )

    def placed(self) -> list[str]:
        """Where each message is."""
        with self.docket.database.read() as session:
            return list(session.exec(select(MailItem.place).order_by(col(MailItem.id))))

    def noted(self) -> int:
        """How many spots of the mailbox are known."""
        with self.docket.database.read() as session:
            return session.exec(select(func.count()).select_from(Sighting)).one()

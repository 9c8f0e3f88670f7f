"""What the mailbox tests do again and again: a mail, a record of what was seen, a second pair of hands."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from intake.mailbox import Mailbox, MailboxUnreachable, Seen, Sighting

LIMIT = 1_000_000
A_YEAR_AGO = datetime(2025, 2, 2, 15, 0, tzinfo=UTC)


def a_mail(subject: str = "Complaint", body: bytes = b"I saw it.\r\n") -> bytes:
    """A small mail."""
    return b"From: someone@mail.example\r\nSubject: " + subject.encode() + b"\r\n\r\n" + body


@dataclass
class Record:
    """Remembers what was seen and read, as the record does, keyed as decisions 30 says."""

    seen: dict[tuple[str, int], list[Seen]] = field(default_factory=dict)
    raws: list[bytes] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)

    def known(self, folder: str, uidvalidity: int) -> list[Seen]:
        """What was seen in a folder."""
        return self.seen.get((folder, uidvalidity), [])

    def note(self, sighting: Sighting) -> None:
        """Remember a message without reading it."""
        self.sightings.append(sighting)
        self.seen.setdefault((sighting.folder, sighting.uidvalidity), []).append(sighting.seen)

    def read(self, mailbox: Mailbox, *folders: str, read_from: datetime | None = None) -> list[Sighting]:
        """Read what is new in the folders (INBOX when none is named); give its sightings."""
        new = []
        for folder in folders or ("INBOX",):
            for sighting in mailbox.sync(folder, self.known, read_from=read_from):
                if not sighting.before_start:
                    self.raws.append(mailbox.fetch_raw(sighting, limit_bytes=LIMIT))
                self.note(sighting)
                new.append(sighting)
        return new

    def read_on(self, mailbox: Mailbox) -> list[Sighting]:
        """Read INBOX as the poller does: a connection that is in doubt is made anew, once."""
        try:
            return self.read(mailbox)
        except MailboxUnreachable:
            return self.read(mailbox)


@contextmanager
def meanwhile(deed: Callable[[], None], *, after_s: float = 0.0) -> Iterator[None]:
    """Do something in another thread; its fault is the test's."""
    faults: list[BaseException] = []

    def run() -> None:
        try:
            deed()
        except BaseException as fault:  # noqa: BLE001  handed to the test below
            faults.append(fault)

    timer = threading.Timer(after_s, run)
    timer.start()
    try:
        yield
    finally:
        timer.join()
    if faults:
        raise faults[0]

"""One pass of the mailroom: keep the raw mail, then read it, then file it (I1, I2).

Keeping and reading are two loops over the record, not over the mailbox: whatever stops the process,
the next pass finds what was kept and not yet read.
"""

import os
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import assert_never

from intake.mailbox import (
    CertificateRefused,
    FolderMissing,
    Incomplete,
    LoginRefused,
    Mailbox,
    MailboxUnreachable,
    Oversize,
    Seen,
    Sighting,
    Vanished,
)
from intake.reading import Arrival, Desk, OpenedMail, Read, open_mail, weigh
from intake.triage import Outcome
from intake.watch import Alarm, Backoff, Recovery, Watch
from store.letters.auto_receipt import Received
from store.proceedings import delivery, mail, receipt
from store.proceedings.mail import Item, Spot
from store.proceedings.receipt import Filing

Guard = Callable[[Callable[[], None], str], str | None]
"""Runs a piece of work; gives the reference of the log entry when it failed, None when it worked."""

MEBIBYTE = 1 << 20
_SYNC_EVERY_S = 290.0
_WEIGHED_EVERY_S = 600.0
_TOLD_EVERY = 500
_AT_ONCE = 50
"""Mails kept in one transaction."""
_BYTES_AT_ONCE = 12 * MEBIBYTE
"""What one batch holds in memory, once as bytes and once as parsed mails."""
_FILED_AT_ONCE = 12
"""Mails filed in one transaction: while one batch is filed the PDFs of the next are judged, so small ones let both
begin soon and end together; smaller still, and each would wait for the disk more than it works."""
_LISTED_AT_ONCE = 500
_OPENED_AT_ONCE = min(4, (os.cpu_count() or 1) + 1)
"""Mails being opened at one time; most of it is waiting for the children that judge their PDFs."""


def _unseen(_kept: int, _old: int) -> None:
    """Show no progress."""


def unguarded(work: Callable[[], None], _name: str) -> str | None:
    """Run a piece of work and let its fault be seen; for the command line."""
    work()
    return None


@dataclass
class Mailroom:
    """The mailroom at work.

    Attributes:
        desk: what it knows of itself and the record.
        max_mail_bytes: larger messages are kept by their headers alone (I8).
        guard: runs the reading of one message, so that a bad one stops no other.
        unread: folder and UID of messages that the server listed and did not hand out at the last pass.
        progress: called while a folder is read that holds much, and once a folder was first looked
            into: messages kept, and old ones left alone (R9).
        stopped: no further message is begun; those that wait are read after the next start.
    """

    desk: Desk
    max_mail_bytes: int
    guard: Guard = unguarded
    unread: set[tuple[str, int]] = field(default_factory=set)
    progress: Callable[[int, int], None] = _unseen
    stopped: bool = False

    # -- keeping ----------------------------------------------------------------------------------

    def keep_new(self, mailbox: Mailbox, read_from: datetime) -> int:
        """Keep every message of every folder that the record has not seen.

        Args:
            mailbox: the connection.
            read_from: the starting date for folders never read before; messages from before it are noted
                as seen, not fetched and never answered (I10).

        Returns:
            How many were kept.

        Raises:
            FolderMissing: one is gone; the others were read.
            MailboxUnreachable, LoginRefused: the rest is found at the next pass.
        """
        self.unread.clear()
        kept, gone = 0, None
        for folder in mailbox.folders:
            try:
                kept += self._keep_folder(mailbox, folder, read_from)
            except FolderMissing as missing:
                gone = gone or missing
        self.unread.update(mailbox.unlisted)
        if gone is not None:
            raise gone
        return kept

    def _keep_folder(self, mailbox: Mailbox, folder: str, read_from: datetime) -> int:
        server, account = mailbox.place
        docket = self.desk.docket
        start = mail.starting_date(docket, server, account, folder)
        first_look = start is None
        if start is None:
            mail.set_starting_date(docket, server, account, folder, read_from)
            start = read_from
        spots = mail.known_spots(docket, server, account, folder)

        def known(_folder: str, uidvalidity: int) -> list[Seen]:
            return [
                Seen(one.uid, one.size, one.internaldate) for one in spots if one.uidvalidity == uidvalidity
            ]

        kept = passed = told = 0
        old: list[Spot] = []
        new: list[Sighting] = []
        for sighting in mailbox.sync(folder, known, read_from=start):
            if sighting.before_start:
                old.append(_spot(sighting))
                passed += 1
            else:
                if _is_full(new, sighting):
                    kept += self._keep_several(mailbox, new)
                    new = []
                new.append(sighting)
            if len(old) == _TOLD_EVERY:  # noted as they come: an old mailbox never lies in memory whole
                mail.note_old_mail(docket, old)
                old.clear()
            if kept + passed >= told + _TOLD_EVERY:
                told = kept + passed
                self.progress(kept, passed)
        kept += self._keep_several(mailbox, new) if new else 0
        mail.note_old_mail(docket, old)
        if kept + passed > told and (first_look or told):
            self.progress(kept, passed)
        return kept

    def _keep_several(self, mailbox: Mailbox, sightings: Sequence[Sighting]) -> int:
        """Fetch several messages in one request and keep them in one transaction; what is odd goes alone."""
        if len(sightings) == 1:
            return sum(self._keep(mailbox, one) for one in sightings)
        docket = self.desk.docket
        docket.faults.reach("mail.listed")
        try:
            found = mailbox.fetch_several([one for one in sightings if one.size <= self.max_mail_bytes])
            docket.faults.reach("mail.fetched")
            mails = [(_spot(one), found.pop(one.uid)) for one in sightings if one.uid in found]
            mail.take_several(docket, mails)
        except MemoryError:  # together they are too large for this machine now; one by one they may not be
            mails = []
        docket.faults.reach("mail.kept")
        taken = {spot.uid for spot, _raw in mails}
        return len(mails) + sum(self._keep(mailbox, one) for one in sightings if one.uid not in taken)

    def _keep(self, mailbox: Mailbox, sighting: Sighting) -> bool:
        docket = self.desk.docket
        docket.faults.reach("mail.listed")
        try:
            raw = self._raw(mailbox, sighting)
            docket.faults.reach("mail.fetched")
            mail.take_mail(docket, _spot(sighting), raw)
        except (Vanished, Incomplete, MemoryError):  # what is too large for this machine now stops no other
            self.unread.add((sighting.folder, sighting.uid))
            return False
        docket.faults.reach("mail.kept")
        return True

    def _raw(self, mailbox: Mailbox, sighting: Sighting) -> bytes:
        try:
            return mailbox.fetch_raw(sighting, limit_bytes=self.max_mail_bytes)
        except Oversize:
            return mailbox.fetch_headers(sighting)

    # -- reading ----------------------------------------------------------------------------------

    def read_waiting(self) -> int:
        """Read and place every message that waits; a fault of one is noted and stops no other.

        While one batch is filed the next one is opened: its PDFs are judged in processes of their own.

        Returns:
            How many found their place.
        """
        openers = ThreadPoolExecutor(_OPENED_AT_ONCE, "opening")
        try:
            return self._read_waiting(openers)
        finally:
            openers.shutdown(cancel_futures=True)

    def _read_waiting(self, openers: Executor) -> int:
        placed = 0
        while not self.stopped and (items := mail.waiting_items(self.desk.docket, limit=_LISTED_AT_ONCE)):
            before = placed
            ahead: list[_OpeningItem] = []
            for several in _in_batches(items):
                opening = self._begin_several(openers, several)
                placed += self._file_several(ahead)
                ahead = opening
            placed += self._file_several(ahead)
            if placed == before:
                break
        return placed

    def _begin_several(self, openers: Executor, items: Sequence[Item]) -> list["_OpeningItem"]:
        """Begin to open several messages."""
        opening: list[_OpeningItem] = []
        with mail.raws(self.desk.docket) as raw:
            for item in items:
                if self.stopped:
                    return []
                self._guarded(item, partial(self._begin_into, opening, openers, item, raw))
        return opening

    def _file_several(self, opening: Sequence["_OpeningItem"]) -> int:
        """File several messages in one transaction once they are open; where one has a fault, each alone."""
        opened: list[_OpenedItem] = []
        for begun in opening:
            if self.stopped:
                return 0
            self._guarded(begun.item, partial(_open_into, opened, begun))
        if len(opened) > 1 and self.guard(partial(self._file_together, opened), "mail.filing") is None:
            return len(opened)
        return sum(self._guarded(one.item, partial(self._file, self.desk, one)) for one in opened)

    def _guarded(self, item: Item, work: Callable[[], None]) -> int:
        """Do one step of a message's reading; a fault puts it off. Gives 1 where it was done."""
        reference = self.guard(work, "mail.reading")
        if reference is None:
            return 1
        self.guard(lambda: _put_off(self.desk, item, reference), "mail.putting-off")
        return 0

    def _file_together(self, opened: Sequence["_OpenedItem"]) -> None:
        """File several in one transaction: a fault in one undoes them all."""
        docket = self.desk.docket
        with docket.database.together() as database:
            desk = replace(self.desk, docket=replace(docket, database=database))
            for one in opened:
                self._file(desk, one)

    def _begin_into(
        self, opening: list["_OpeningItem"], openers: Executor, item: Item, raw: Callable[[int], bytes]
    ) -> None:
        arrival = self._arrival(item, raw(item.id))
        opening.append(_OpeningItem(item, arrival, openers.submit(open_mail, self.desk, arrival)))

    def read_item(self, item: Item) -> None:
        """Read one message from the vault and carry out what becomes of it."""
        arrival = self._arrival(item, mail.raw_of(self.desk.docket, item.id))
        self._file(self.desk, _OpenedItem(item, arrival, open_mail(self.desk, arrival)))

    def _arrival(self, item: Item, raw: bytes) -> Arrival:
        self.desk.docket.faults.reach("mail.before-reading")
        return Arrival(
            raw, item.received_at, item.taken_at, item.offset_minutes, item.id, item.folder or "INBOX"
        )

    def _file(self, desk: Desk, one: "_OpenedItem") -> None:
        found = weigh(desk, one.arrival, one.opened)
        desk.docket.faults.reach("mail.read")
        if one.item.declared_size > self.max_mail_bytes > len(one.arrival.raw):
            receipt.hold(desk.docket, one.item.id, self._too_large(found))
            return
        carry_out(desk, one.item.id, found)
        desk.docket.faults.reach("mail.placed")

    def _too_large(self, found: Read) -> Filing:
        limit = self.max_mail_bytes // MEBIBYTE
        answer = found.told.sender or ""
        return replace(
            found.filing,
            outcome=Outcome.NEEDS_REVIEW.value,
            reason=f"larger than {limit} MB: only its headers were read; it lies in the mailbox",
            papers=(),
            ack_to=answer if found.told.ack else "",
            received=Received.TOO_LARGE,
        )


@dataclass(frozen=True, slots=True)
class _OpeningItem:
    """A message that waits, while it is opened."""

    item: Item
    arrival: Arrival
    opened: "Future[OpenedMail]"


@dataclass(frozen=True, slots=True)
class _OpenedItem:
    """A message that waits, opened."""

    item: Item
    arrival: Arrival
    opened: OpenedMail


def _open_into(opened: list[_OpenedItem], begun: _OpeningItem) -> None:
    opened.append(_OpenedItem(begun.item, begun.arrival, begun.opened.result()))


def _is_full(batch: Sequence[Sighting], another: Sighting) -> bool:
    """Say whether a batch is full, by number or by size, before another message."""
    size = sum(one.size for one in batch) + another.size
    return bool(batch) and (len(batch) >= _AT_ONCE or size > _BYTES_AT_ONCE)


def _in_batches(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Part what waits into batches of bounded size, in order."""
    batch: list[Item] = []
    size = 0
    for item in items:
        if batch and (len(batch) >= _FILED_AT_ONCE or size + item.declared_size > _BYTES_AT_ONCE):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += item.declared_size
    if batch:
        yield batch


def _put_off(desk: Desk, item: Item, reference: str) -> None:
    receipt.put_off(desk.docket, item.id, reference)


def _spot(one: Sighting) -> Spot:
    return Spot(
        one.server,
        one.account,
        one.folder,
        one.uidvalidity,
        one.uid,
        one.size,
        one.internaldate,
        one.internaldate_offset_min,
    )


def carry_out(desk: Desk, item: int, found: Read) -> None:
    """Carry out what becomes of a message: a case, a paper of one, the holding pen, or set aside."""
    told, filing, docket = found.told, found.filing, desk.docket
    case_id = next((one.case_id for one in found.known.cases if one.number == told.number), None)
    match told.outcome:
        case Outcome.FILED | Outcome.CURE_NOTICE:
            receipt.file_complaint(docket, item, filing)
        case Outcome.NEEDS_REVIEW:
            receipt.hold(docket, item, filing)
        case Outcome.CURE_RECEIVED | Outcome.RESPONSE_RECEIVED | Outcome.HEARING_DEMAND_RECEIVED:
            if case_id is None:
                receipt.hold(docket, item, filing)
                return
            receipt.attach_paper(
                docket, item, case_id, filing, party=_party(found), came_to=told.number or ""
            )
        case Outcome.BOUNCE_MATCHED:
            _note_bounce(desk, found)
            receipt.set_aside(docket, item, filing, case_id=case_id)
        case Outcome.RECEIPT_NOTED | Outcome.AUTO_REPLY_IGNORED | Outcome.DUPLICATE | Outcome.LOOP_STOPPED:
            receipt.set_aside(docket, item, filing, case_id=case_id)
        case _:
            assert_never(told.outcome)


def _party(found: Read) -> int | None:
    """Give the party whose known address the message came from."""
    for one in found.known.cases:
        if one.number != found.told.number:
            continue
        for party, address in (*one.complainants, *one.respondents, *one.counsel):
            if address.casefold() == (found.told.sender or "").casefold():
                return party
    return None


def _note_bounce(desk: Desk, found: Read) -> None:
    bounce = found.told.bounce
    if bounce is None or bounce.letter is None:
        return
    for letter in found.known.letters:
        if letter.message_id == bounce.letter.message_id:
            delivery.note_bounce(
                desk.docket,
                letter.outbox,
                failed=bounce.action.value == "failed",
                status=f"{bounce.action.value} {bounce.status or ''}".strip(),
            )


@dataclass
class Poll:
    """The endless round: keep, read, wait; with back-off, and an alarm that is given once (I3).

    Attributes:
        mailroom: does the work.
        mailbox: the connection.
        read_from: the starting date for folders never read before.
        told: called with each alarm and each recovery.
        may_lead: whether this process reads the mailbox now; the others wait.
        woke: called when messages were placed, so that what is owed goes out at once.
        synced: called after each sync that worked, with how many messages could not be read.
        filled: called now and then with how full the mailbox is; 1.0 is full.
        seconds: a counter that only runs forward; silence is measured by it.
    """

    mailroom: Mailroom
    mailbox: Mailbox
    read_from: datetime
    told: Callable[[Alarm | Recovery], None]
    may_lead: Callable[[], bool]
    woke: Callable[[], None] = lambda: None
    synced: Callable[[int], None] = lambda _unread: None
    filled: Callable[[float], None] = lambda _share: None
    seconds: Callable[[], float] = monotonic
    stopped: bool = False
    _watch: Watch | None = None
    _begun: tuple[datetime, float] | None = None
    _weighed_s: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _backoff: Backoff = field(default_factory=Backoff)
    _chance: Callable[[], float] = random.random

    def run(self) -> None:
        """Go round until `stop`; belongs to one thread."""
        while not self.stopped:
            if not self.may_lead():
                self._watch = None
                self.mailbox.pause(1.0)
                continue
            self.once()
        self.mailbox.close()

    def once(self) -> None:
        """Make one round: sync, read what was kept, wait for more or back off.

        What was kept is read whether or not the mailbox could be reached.
        """
        seconds = self._tried(self._sync)
        if self.mailroom.read_waiting():
            self.woke()
        if seconds is None:
            seconds = self._tried(lambda: self.mailbox.wait(_SYNC_EVERY_S))
        if seconds is not None:
            self.mailbox.pause(seconds)

    def _sync(self) -> None:
        self.mailroom.keep_new(self.mailbox, self.read_from)
        self._note(Watch.good_sync)
        self._backoff = Backoff()
        self.synced(len(self.mailroom.unread))
        self._weigh()
        self.mailroom.desk.docket.faults.reach("poll.synced")

    def _weigh(self) -> None:
        """Ask how full the mailbox is, every ten minutes: a full one turns complaints away, and nobody hears of it."""
        if self._weighed_s is not None and self.seconds() - self._weighed_s < _WEIGHED_EVERY_S:
            return
        share = self.mailbox.fullness()
        self._weighed_s = self.seconds()
        if share is not None:
            self.filled(share)

    def _tried(self, work: Callable[[], object]) -> float | None:
        """Do what needs the mailbox; give how long to wait before the next try, None where it worked."""
        try:
            work()
        except LoginRefused:
            self._note(Watch.login_refused)
            seconds, self._backoff = self._backoff.after_refusal(self._chance())
        except CertificateRefused:
            self._note(Watch.certificate_refused)
            seconds, self._backoff = self._backoff.after_refusal(self._chance())
        except FolderMissing:
            self._note(Watch.folder_missing)
            seconds, self._backoff = self._backoff.after_unreachable(self._chance())
        except MailboxUnreachable:
            self._note(Watch.unreachable)
            seconds, self._backoff = self._backoff.after_unreachable(self._chance())
        else:
            return None
        return seconds

    def tick(self) -> None:
        """Look whether the mailbox was silent too long, also while a sync hangs; from the timetable."""
        if self.may_lead():
            self._note(Watch.tick)

    def _note(self, happened: Callable[[Watch, datetime], tuple[Watch, Alarm | Recovery | None]]) -> None:
        """Take one step of the watch, and tell what people must know."""
        with self._lock:
            now = self._instant()
            self._watch, notice = happened(self._watch or Watch(now), now)
        self._tell(notice)

    def _instant(self) -> datetime:
        """Give an instant that goes on with the counter: a clock that is set makes no silence and hides none."""
        if self._begun is None:
            self._begun = (self.mailroom.desk.docket.clock.now(), self.seconds())
        began, began_s = self._begun
        return began + timedelta(seconds=self.seconds() - began_s)

    def _tell(self, notice: Alarm | Recovery | None) -> None:
        if notice is not None:
            self.told(notice)

    def stop(self) -> None:
        """End the round soon; from any thread."""
        self.stopped = self.mailroom.stopped = True
        self.mailbox.stop()

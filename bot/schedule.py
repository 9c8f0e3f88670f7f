"""The timetable: what is done again and again, by the one copy that leads. The only importer of apscheduler.

It holds no legal date: each job looks at what the record says is due. APScheduler waits for instants of the machine's
clock; so that a clock that is set stops nothing, a turn is reckoned from the instant at which it is asked for, and
whatever waits is timed anew when the counter shows that the clock went back. `Timetable.guard` is one of the two
places of the product that may catch everything.
"""

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from time import monotonic

import structlog
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger

from bot.clock_watch import ClockWatch
from bot.emergency import SILENT, Emergency
from bot.logs import log_unexpected
from bot.reach import RELAY, SLACK, Reach
from store.cases import Docket
from store.database import RecordUnavailable, beat, heartbeats, lease_of, release_lease, take_lease
from store.outbox import Channel, Owed
from store.ports import Delivery, DeliveryState
from store.proceedings import delivery
from store.proceedings.reminders import clear_alarm, raise_alarm, sweep

log = structlog.get_logger()
LEADER = "leader"
LEASE = timedelta(seconds=6)
RENEW_EVERY_S = 2.0
SWEEP_EVERY_S = 60.0
DRAIN_EVERY_S = 1.0
SILENT_AFTER_S = 10.0
"""A lease that was not renewed for so long waits for an answer of the record; how long is patience, `Emergency` says."""
CALM_AFTER_S = 3600.0
"""How long a job must work without a fault before its alarm is taken back."""
_FAULT = "fault:"
_ALARM_MARK = f"alarm:{_FAULT}"

# A letter that was claimed and not tried when the process dies is uncertain, so letters are claimed singly.
_AT_A_TIME = {Channel.MAIL: 1, Channel.SLACK: 20}

Deliver = Callable[[Owed], Delivery]
"""Tries one; where it raises `RecordUnavailable`, nothing was sent."""


def drain(
    docket: Docket, channel: Channel, deliver: Deliver, go_on: Callable[[], bool] = lambda: True
) -> int:
    """Try everything that is due on a channel, oldest first for each destination.

    Args:
        docket: the record.
        channel: letters or pings.
        deliver: tries one; its answer is written before the next is tried.
        go_on: asked before more is claimed; what was claimed is tried all the same.

    Returns:
        How many were tried.
    """
    tried = 0
    while go_on() and (owed := delivery.claim(docket, channel, limit=_AT_A_TIME[channel])):
        for one in owed:
            delivery.settle(docket, one, deliver(one))
            tried += 1
    return tried


class Turns(BaseTrigger):  # type: ignore[misc]  # the library has no types
    """A turn so many seconds after the one before was handed out, whatever the machine's clock was set to meanwhile.

    The library's own interval counts each missed turn, millions of them after a clock that was wrong by a year.
    """

    def __init__(self, seconds: float) -> None:
        self._wait = timedelta(seconds=seconds)

    def get_next_fire_time(self, _before: datetime | None, now: datetime) -> datetime:
        """Give the instant of the next turn, in the zone of ``now``."""
        return now + self._wait


@dataclass
class Timetable:
    """The jobs of one process.

    Attributes:
        docket: the record.
        show_ping: tries one ping.
        send_letter: tries one letter.
        extra: further jobs: name to seconds and work.
        holder: this copy's name in the lease.
        seconds: a counter that only runs forward, to see whether this copy was held up.
        emergency: tells past the outbox when the record is away.
    """

    docket: Docket
    show_ping: Deliver
    send_letter: Deliver
    extra: dict[str, tuple[float, Callable[[], None]]] = field(default_factory=dict)
    holder: str = field(default_factory=lambda: secrets.token_hex(8))
    seconds: Callable[[], float] = monotonic
    emergency: Emergency = field(default_factory=lambda: Emergency({}))
    clock_watch: ClockWatch = field(init=False)
    reach: Mapping[Channel, Reach] = field(init=False)
    _leads: bool = False
    _renewed_s: float = 0.0
    _answered_s: float | None = None
    _seen_lease: tuple[tuple[str, datetime] | None, float] = (None, 0.0)
    _faults: dict[str, float] = field(default_factory=dict)
    _woken: Mapping[Channel, threading.Event] = field(
        default_factory=lambda: {channel: threading.Event() for channel in Channel}
    )
    _stopped: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)
    _scheduler: BackgroundScheduler | None = None

    def __post_init__(self) -> None:
        self.clock_watch = ClockWatch(self.docket, self.seconds, self.time_anew)
        self.reach = {
            Channel.MAIL: Reach(self.docket, RELAY, self.seconds),
            Channel.SLACK: Reach(self.docket, SLACK, self.seconds),
        }

    def start(self) -> None:
        """Take the lease if it is free, and begin."""
        self._recall_faults()
        self._renew()
        scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(4)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
            timezone="UTC",
        )
        scheduler.add_job(lambda: self.guard(self.sweep_once, "timetable.sweep"), id="first-sweep")
        own = {"sweep": (SWEEP_EVERY_S, self.sweep_once), "calm": (SWEEP_EVERY_S, self.calm_down)}
        for name, (seconds, work) in (own | self.extra).items():
            guarded = partial(self.guard, work, f"timetable.{name}")
            scheduler.add_job(guarded, Turns(seconds), id=name)
        scheduler.start()
        self._scheduler = scheduler
        for channel, deliver in ((Channel.SLACK, self.show_ping), (Channel.MAIL, self.send_letter)):
            self._begin(f"outbox-{channel.value}", partial(self._drain_on, channel, deliver))
        # the lease hangs on no clock, and sees that the clock was set
        self._begin("pulse", self._beat)
        # a thread of its own: every other one may be waiting for that answer
        self._begin("record-watch", self._watch_record)

    def _begin(self, name: str, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def time_anew(self) -> None:
        """Reckon each job's next turn from now: after a clock went back it lies as far ahead as the clock went."""
        if self._scheduler is not None:
            for job in self._scheduler.get_jobs():
                if isinstance(job.trigger, Turns):
                    job.reschedule(job.trigger)

    def stop(self) -> None:
        """End every job; what is being tried is finished, and the lease is given up."""
        self._stopped.set()
        self.wake()
        for thread in self._threads:
            thread.join(timeout=90)
        if self._scheduler is not None:
            # its own thread may be handing out a job just now, which a pool that was shut down refuses
            self._scheduler.remove_all_jobs()
            self._scheduler.shutdown(wait=True)
        self.guard(self._give_up_lease, "timetable.lease")

    def wake(self) -> None:
        """Say that something was written into the outbox, so that it need not wait for the next second."""
        for woken in self._woken.values():
            woken.set()

    def is_leader(self) -> bool:
        """Say whether this copy polls, sweeps and delivers now.

        A copy that was held up for longer than its lease no longer does: another one may lead by then.
        """
        fresh = self.seconds() - self._renewed_s < LEASE.total_seconds()
        return self._leads and fresh and not self._stopped.is_set()

    def sweep_once(self) -> None:
        """Look over the recorded dates, if this copy leads."""
        if self.is_leader():
            self.clock_watch.look_back()
            report = sweep(self.docket)
            if report.reminders or report.alarms:
                log.info("sweep.done", reminders=report.reminders, people=report.people)
                self.wake()

    def drain_once(self) -> int:
        """Try everything that is due on both channels now; for tests and for the end of a story."""
        ways = ((Channel.SLACK, self.show_ping), (Channel.MAIL, self.send_letter))
        return sum(drain(self.docket, channel, self._safely(deliver, channel)) for channel, deliver in ways)

    def guard(self, work: Callable[[], None], name: str) -> str | None:
        """Run a piece of work; a fault is logged under a number and told to staff, and stops nothing else.

        Returns:
            The number; None when the work was done.
        """
        try:
            work()
        except RecordUnavailable as error:
            log.warning("record.unavailable", job=name, exc_info=error)
            return "the record does not answer"
        except Exception as error:  # noqa: BLE001  one of the two places: a job's fault must not end the others
            return self._failed(error, name)
        return None

    def _failed(self, error: Exception, name: str) -> str:
        reference = log_unexpected(log, error, job=name)
        self._faults[name] = self.seconds()
        try:
            raise_alarm(
                self.docket,
                f"{_FAULT}{name}",
                f"Something in Docket failed (reference {reference}). What was recorded is safe; the rest goes "
                "on. Give the reference to whoever looks after Docket.",
            )
        except Exception as second:  # noqa: BLE001  the alarm about a fault must not hide the fault
            log_unexpected(log, second, job="alarm")
        return reference

    def _recall_faults(self) -> None:
        """Take over the alarms about faults of an earlier process, so that they too are taken back."""
        with self.docket.database.read() as session:
            beats = heartbeats(session)
        for name, (_at, state) in beats.items():
            if name.startswith(_ALARM_MARK) and state != "ok":
                self._faults.setdefault(name.removeprefix(_ALARM_MARK), self.seconds())

    def calm_down(self) -> None:
        """Take back the alarm about each job that worked for an hour without a fault."""
        for name, since in list(self._faults.items()):
            if self.seconds() - since >= CALM_AFTER_S:
                clear_alarm(self.docket, f"{_FAULT}{name}", "What failed before has worked for an hour.")
                self._faults.pop(name, None)

    def stalled(self) -> tuple[str, ...]:
        """Name the threads that ended although nobody stopped them."""
        if self._stopped.is_set():
            return ()
        ended = [thread.name for thread in self._threads if not thread.is_alive()]
        runs = self._scheduler is not None and self._scheduler.running
        return tuple(ended if runs else [*ended, "timetable"])

    def _beat(self) -> None:
        while not self._stopped.wait(RENEW_EVERY_S):
            self._renew_and_look()

    def _renew_and_look(self) -> None:
        self.guard(self._renew_or_tell, "timetable.lease")
        self.guard(self.clock_watch.look, "timetable.clock")

    def _renew_or_tell(self) -> None:
        try:
            self._renew()
        except RecordUnavailable as error:
            self.emergency.away(str(error))
            raise
        self.emergency.back()

    def _watch_record(self) -> None:
        while not self._stopped.wait(SILENT_AFTER_S / 2):
            self.guard(self.look_at_record, "timetable.record")

    def look_at_record(self) -> None:
        """See whether the record answers at all: one that hangs fails nothing, so nobody else would notice."""
        if self._answered_s is not None and self.seconds() - self._answered_s >= SILENT_AFTER_S:
            self.emergency.away(SILENT)

    def _renew(self) -> None:
        asked_s = self.seconds()
        with self.docket.database.write() as session:
            now = self.docket.clock.now()
            abandoned = self._is_abandoned(lease_of(session, LEADER), asked_s)
            leads = take_lease(session, LEADER, self.holder, now, LEASE, abandoned=abandoned)
            if leads:
                beat(session, "leader", now)
        if leads != self._leads:
            log.info("leader.changed", leads=leads)
        self._leads, self._renewed_s, self._answered_s = leads, asked_s, self.seconds()

    def _is_abandoned(self, lease: tuple[str, datetime] | None, now_s: float) -> bool:
        """Say whether the lease stood unchanged for its whole length by our own counter."""
        if lease != self._seen_lease[0]:
            self._seen_lease = (lease, now_s)
        return now_s - self._seen_lease[1] > LEASE.total_seconds()

    def _give_up_lease(self) -> None:
        with self.docket.database.write() as session:
            release_lease(session, LEADER, self.holder, self.docket.clock.now())
        self._leads = False

    def _drain_on(self, channel: Channel, deliver: Deliver) -> None:
        while not self._stopped.is_set():
            if self.is_leader():
                self.guard(lambda: self._drained(channel, deliver), f"outbox.{channel.value}")
            self._woken[channel].wait(DRAIN_EVERY_S)
            self._woken[channel].clear()

    def _drained(self, channel: Channel, deliver: Deliver) -> None:
        drain(self.docket, channel, self._safely(deliver, channel), self.is_leader)

    def _note_reach(self, channel: Channel, answer: Delivery) -> None:
        """Count whether the other side answered; that a count fails must not change what became of a letter."""
        if answer.reached is not None:
            self.guard(partial(self.reach[channel].note, reached=answer.reached), f"reach.{channel.value}")

    def _safely(self, deliver: Deliver, channel: Channel) -> Deliver:
        """Turn a fault of ours in one delivery into another try later, so that it stops no other."""

        def tried(owed: Owed) -> Delivery:
            answers: list[Delivery] = []

            def work() -> None:
                try:
                    answers.append(deliver(owed))
                except RecordUnavailable:
                    said = "the record did not answer; nothing was sent"
                    answers.append(Delivery(DeliveryState.TRY_LATER, said))

            reference = self.guard(work, f"outbox.{channel.value}")
            if reference is None:
                self._note_reach(channel, answers[0])
                return answers[0]
            state = DeliveryState.UNCERTAIN if channel is Channel.MAIL else DeliveryState.TRY_LATER
            return Delivery(state, f"a fault of ours ({reference})")

        return tried

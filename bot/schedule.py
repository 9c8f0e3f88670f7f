"""The timetable: what is done again and again, by the one copy that leads. The only importer of apscheduler.

It holds no legal date: each job looks at what the record says is due. `Timetable.guard` is one of the
two places of the product that may catch everything.
"""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import structlog
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from bot.logs import log_unexpected
from store.cases import Docket
from store.database import RecordUnavailable, beat, release_lease, take_lease
from store.outbox import Channel, Owed
from store.ports import Delivery, DeliveryState
from store.proceedings import delivery
from store.proceedings.reminders import raise_alarm, sweep

log = structlog.get_logger()
LEADER = "leader"
LEASE = timedelta(seconds=8)
RENEW_EVERY_S = 2.0
SWEEP_EVERY_S = 60.0
DRAIN_EVERY_S = 1.0

Deliver = Callable[[Owed], Delivery]


def drain(docket: Docket, channel: Channel, deliver: Deliver) -> int:
    """Try everything that is due on a channel, oldest first for each destination.

    Args:
        docket: the record.
        channel: letters or pings.
        deliver: tries one; its answer is written before the next is tried.

    Returns:
        How many were tried.
    """
    tried = 0
    while owed := delivery.claim(docket, channel):
        for one in owed:
            delivery.settle(docket, one, deliver(one))
            tried += 1
    return tried


@dataclass
class Timetable:
    """The jobs of one process.

    Attributes:
        docket: the record.
        show_ping: tries one ping.
        send_letter: tries one letter.
        extra: further jobs: name to seconds and work.
        holder: this copy's name in the lease.
    """

    docket: Docket
    show_ping: Deliver
    send_letter: Deliver
    extra: dict[str, tuple[float, Callable[[], None]]] = field(default_factory=dict)
    holder: str = field(default_factory=lambda: secrets.token_hex(8))
    _leads: bool = False
    _woken: threading.Event = field(default_factory=threading.Event)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)
    _scheduler: BackgroundScheduler | None = None

    def start(self) -> None:
        """Take the lease if it is free, and begin."""
        self._renew()
        scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(4)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
            timezone="UTC",
        )
        self._every(scheduler, "lease", RENEW_EVERY_S, self._renew)
        self._every(scheduler, "sweep", SWEEP_EVERY_S, self.sweep_once)
        for name, (seconds, work) in self.extra.items():
            self._every(scheduler, name, seconds, work)
        scheduler.start()
        self._scheduler = scheduler
        for channel, deliver in ((Channel.SLACK, self.show_ping), (Channel.MAIL, self.send_letter)):
            thread = threading.Thread(
                target=self._drain_on, args=(channel, deliver), name=f"outbox-{channel.value}", daemon=True
            )
            thread.start()
            self._threads.append(thread)

    def _every(
        self, scheduler: BackgroundScheduler, name: str, seconds: float, work: Callable[[], None]
    ) -> None:
        scheduler.add_job(lambda: self.guard(work, f"timetable.{name}"), "interval", seconds=seconds, id=name)

    def stop(self) -> None:
        """End every job; what is being tried is finished, and the lease is given up."""
        self._stopped.set()
        self._woken.set()
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=True)
        for thread in self._threads:
            thread.join(timeout=90)
        self.guard(self._give_up_lease, "timetable.lease")

    def wake(self) -> None:
        """Say that something was written into the outbox, so that it need not wait for the next second."""
        self._woken.set()

    def is_leader(self) -> bool:
        """Say whether this copy polls, sweeps and delivers now."""
        return self._leads and not self._stopped.is_set()

    def sweep_once(self) -> None:
        """Look over the recorded dates, if this copy leads."""
        if self.is_leader():
            report = sweep(self.docket)
            if report.reminders or report.alarms:
                log.info("sweep.done", reminders=report.reminders, people=report.people)
                self.wake()

    def drain_once(self) -> int:
        """Try everything that is due on both channels now; for tests and for the end of a story."""
        return drain(self.docket, Channel.SLACK, self.show_ping) + drain(
            self.docket, Channel.MAIL, self.send_letter
        )

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
        try:
            raise_alarm(
                self.docket,
                f"fault:{name}",
                f"Something in Docket failed (reference {reference}). What was recorded is safe; the rest goes "
                "on. Give the reference to whoever looks after Docket.",
            )
        except Exception as second:  # noqa: BLE001  the alarm about a fault must not hide the fault
            log_unexpected(log, second, job="alarm")
        return reference

    def _renew(self) -> None:
        with self.docket.database.write() as session:
            now = self.docket.clock.now()
            leads = take_lease(session, LEADER, self.holder, now, LEASE)
            if leads:
                beat(session, "leader", now)
        if leads != self._leads:
            log.info("leader.changed", leads=leads)
        self._leads = leads

    def _give_up_lease(self) -> None:
        with self.docket.database.write() as session:
            release_lease(session, LEADER, self.holder, self.docket.clock.now())
        self._leads = False

    def _drain_on(self, channel: Channel, deliver: Deliver) -> None:
        while not self._stopped.is_set():
            if self._leads:
                self.guard(lambda: self._drained(channel, deliver), f"outbox.{channel.value}")
            self._woken.wait(DRAIN_EVERY_S)
            if channel is Channel.SLACK:
                self._woken.clear()

    def _drained(self, channel: Channel, deliver: Deliver) -> None:
        drain(self.docket, channel, self._safely(deliver, channel))

    def _safely(self, deliver: Deliver, channel: Channel) -> Deliver:
        """Turn a fault of ours in one delivery into another try later, so that it stops no other."""

        def tried(owed: Owed) -> Delivery:
            answers: list[Delivery] = []
            reference = self.guard(lambda: answers.append(deliver(owed)), f"outbox.{channel.value}")
            if reference is None:
                return answers[0]
            state = DeliveryState.UNCERTAIN if channel is Channel.MAIL else DeliveryState.TRY_LATER
            return Delivery(state, f"a fault of ours ({reference})")

        return tried

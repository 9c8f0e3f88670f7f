"""The health file: whether Docket works, for whoever watches from outside; no content of any case (I3, R5)."""

import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.health_page import Vitals
from store.cases import Docket
from store.database import RecordUnavailable, beat, heartbeats, lease_holder, plain_disk_faults
from store.outbox import Channel, waiting
from store.scratch import begin_file, sweep_up_files

HEALTH_FILE = "health.json"
RECORD_AWAY = "record"
_ALARM = "alarm"
_BESIDE = ".health-"
SHOWN_BEATS = ("alive", "leader", "poll", "sweep", "backup")


@dataclass(frozen=True, slots=True)
class HealthFile:
    """Writes the health file of one process.

    Attributes:
        docket: the record.
        folder: the data folder, in which the file lies.
        holder: this copy's name in the lease.
        slack: where the connection to Slack stands.
        told: whether people were told that the record is away.
    """

    docket: Docket
    folder: Path
    holder: str
    slack: Callable[[], str]
    told: Callable[[], bool] = lambda: False

    def write(self) -> None:
        """Write heartbeats, what waits, and where the connections stand.

        A record that does not answer is a trouble of its own, and the file says so all the same.

        Raises:
            RecordUnavailable: after the file was written, so that it is logged as well; or the disk is full or
                read-only, and the file of before stays.
            OSError: the file cannot be written for another reason; the one before stays.
        """
        now = self.docket.clock.now()
        report: dict[str, object] = {"at": now.isoformat(), "slack": self.slack()}
        try:
            report |= self._of_the_record(now)
        except RecordUnavailable as error:
            report |= {"leader": False, "trouble": [RECORD_AWAY], "says": str(error), "told": self.told()}
            _replace(self.folder / HEALTH_FILE, json.dumps(report, indent=1).encode())
            raise
        _replace(self.folder / HEALTH_FILE, json.dumps(report, indent=1).encode())

    def _of_the_record(self, now: datetime) -> dict[str, object]:
        with self.docket.database.write() as session:
            beat(session, "alive", now)
        with self.docket.database.read() as session:
            beats = heartbeats(session)
            return {
                "leader": lease_holder(session, "leader", now) == self.holder,
                "letters_waiting": len(waiting(session, Channel.MAIL)),
                "pings_waiting": len(waiting(session, Channel.SLACK)),
                "beats": {name: [at.isoformat(), state] for name, (at, state) in beats.items()},
                "trouble": sorted(name for name, (_at, state) in beats.items() if state == _ALARM),
            }

    def owes_the_end(self) -> bool:
        """Say whether a process that has ended told people that the record is away, and not that it answers again."""
        try:
            before = json.loads((self.folder / HEALTH_FILE).read_bytes())
        except (OSError, ValueError):
            return False
        return isinstance(before, dict) and before.get("told") is True

    def vitals(self, stalled: tuple[str, ...]) -> Vitals:
        """Look up what the health page shows.

        Args:
            stalled: threads that ended and should not have.
        """
        now = self.docket.clock.now()
        try:
            with self.docket.database.read() as session:
                letters, pings = waiting(session, Channel.MAIL), waiting(session, Channel.SLACK)
                beats = heartbeats(session)
                leads = lease_holder(session, "leader", now) == self.holder
        except RecordUnavailable:
            return Vitals(now, stalled, record=False, slack=self.slack(), alarms=(RECORD_AWAY,))
        owed = {Channel.MAIL.value: letters, Channel.SLACK.value: pings}
        return Vitals(
            now,
            stalled,
            slack=self.slack(),
            leads=leads,
            waiting={name: len(rows) for name, rows in owed.items()},
            oldest={name: min(one.created_at for one in rows) for name, rows in owed.items() if rows},
            beats={name: beats[name][0] for name in SHOWN_BEATS if name in beats},
            alarms=tuple(sorted(name for name, (_at, state) in beats.items() if state == _ALARM)),
        )

    def in_trouble(self) -> bool:
        """Say whether an alarm stands: the mailbox, the relay, Slack or the record itself does not work."""
        try:
            with self.docket.database.read() as session:
                return any(state == _ALARM for _at, state in heartbeats(session).values())
        except RecordUnavailable:
            return True


def sweep_up_halves(folder: Path) -> int:
    """Remove health files that killed processes left half written; give how many."""
    return sweep_up_files(folder.glob(f"{_BESIDE}*"))


def _replace(path: Path, content: bytes) -> None:
    """Put a file in the place of another; a reader sees the old or the new one, and a full disk leaves nothing."""
    beside = path.with_name(f"{_BESIDE}{secrets.token_hex(8)}")
    with plain_disk_faults(), os.fdopen(begin_file(str(beside)), "wb") as file:
        try:
            file.write(content)
            file.flush()
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)

"""The clocks: the machine's, and the practice clock, which can be moved on.

Both are the `Clock` port of `store/ports.py`. Nothing else in the product asks the machine for the time.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.errors import StartFault
from store.ports import Clock

PRACTICE_CLOCK_FILE = "practice-clock.json"
_OFFSET = "offset_us"
_ANEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
_MICROSECOND = timedelta(microseconds=1)


class ClockFault(StartFault):
    """The practice clock's file cannot be read; the text says the mend."""


class BackwardsInTime(ValueError):
    """The practice clock only moves forward once it runs: the record's instants never go back."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Give the present instant, aware, in UTC."""
        return datetime.now(UTC)  # noqa: TID251  the one place that asks the machine


@dataclass(frozen=True)
class PracticeClock:
    """A clock that runs at the usual pace, so and so far from another clock.

    How far is kept in a file, so that every process that opens the folder follows it at once.

    Attributes:
        folder: the demo's data folder.
        base: the clock that it is so and so far from.
    """

    folder: Path
    base: Clock = field(default_factory=SystemClock)

    @property
    def path(self) -> Path:
        """The file that keeps the offset."""
        return self.folder / PRACTICE_CLOCK_FILE

    def now(self) -> datetime:
        """Give the present practice instant, aware, in UTC.

        Raises:
            ClockFault: the file is there and cannot be read.
        """
        return self.base.now() + self._offset()

    def advance(self, by: timedelta) -> datetime:
        """Move on and give the new instant; two that move it at once both count.

        Raises:
            BackwardsInTime: `by` is negative.
        """
        if by < timedelta(0):
            raise BackwardsInTime("the practice clock only moves forward")
        with self._alone():
            self._keep(self._offset() + by)
            return self.now()

    def set_to(self, instant: datetime) -> datetime:
        """Set it to an instant and give that; the first time to any, later only forward.

        Args:
            instant: aware, in any zone.

        Raises:
            BackwardsInTime: it already runs and is later than that.
            ValueError: the instant has no zone.
        """
        if instant.tzinfo is None:
            raise ValueError("an instant has a zone")
        with self._alone():
            real = self.base.now()
            offset = instant.astimezone(UTC) - real
            if self.path.exists() and offset < self._offset():
                raise BackwardsInTime("the practice clock only moves forward")
            self._keep(offset)
            return real + offset

    def _offset(self) -> timedelta:
        try:
            text = self.path.read_text(encoding="ascii")
        except FileNotFoundError:
            return timedelta(0)
        try:
            return int(json.loads(text)[_OFFSET]) * _MICROSECOND
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise ClockFault(
                f"The practice clock's file {PRACTICE_CLOCK_FILE} cannot be read; the record is untouched. "
                "Delete that file to go back to the machine's time, or make a new practice folder."
            ) from error

    def _keep(self, offset: timedelta) -> None:
        """Write the offset so that a reader sees the old or the new file, never half of one."""
        beside = (
            self.folder / f"{PRACTICE_CLOCK_FILE}.new"
        )  # one name under the lock: what a kill leaves is used again
        try:
            with os.fdopen(os.open(beside, _ANEW, 0o600), "w", encoding="ascii") as file:
                json.dump({_OFFSET: offset // _MICROSECOND}, file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock under which the offset is read and written; the kernel lets go if we die."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{PRACTICE_CLOCK_FILE}.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def clock_of(data_dir: Path) -> Clock:
    """Give the clock that goes with a data folder: the practice clock where the folder has one."""
    practice = PracticeClock(data_dir)
    return practice if practice.path.exists() else SystemClock()

"""Watches the machine's clock by a counter that only runs forward: a clock that was set is told and journaled.

Legal dates hang on instants that were recorded, so a clock that jumps moves none of them. What it can do is give
acts a wrong instant, and put off what waits for an hour that was meant to be near; both are mended and told.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from store.cases import Docket
from store.database import heartbeats
from store.proceedings.clock_change import note_clock_change
from store.proceedings.reminders import SWEEP

log = structlog.get_logger()
BACK = timedelta(minutes=1)
AHEAD = timedelta(minutes=5)
"""Steps of a time service are shorter; a machine that slept looks like a clock that was set ahead."""


@dataclass
class ClockWatch:
    """Compares clock and counter, look by look.

    Attributes:
        docket: the record with its clock. The practice clock is moved on purpose, and is not watched.
        seconds: a counter that only runs forward.
        went_back: called at once where the clock went back, a practice clock's machine included.
    """

    docket: Docket
    seconds: Callable[[], float]
    went_back: Callable[[], None] = lambda: None
    _last: tuple[datetime, float] | None = None

    def look(self) -> None:
        """Look once; a jump since the last look is recorded and told, once."""
        now, ran_s = self.docket.clock.now(), self.seconds()
        last, self._last = self._last, (now, ran_s)
        if last is None:
            return
        expected = last[0] + timedelta(seconds=ran_s - last[1])
        if now - expected <= -BACK:
            self.went_back()
        if self.docket.practice or -BACK < now - expected < AHEAD:
            return
        self._note(now, expected)

    def look_back(self) -> None:
        """See whether the clock was set back while no copy ran: the last sweep lies ahead then."""
        with self.docket.database.read() as session:
            last = heartbeats(session).get(SWEEP)
        now = self.docket.clock.now()
        if last is not None and last[0] - now >= BACK:
            self._note(now, last[0])

    def _note(self, now: datetime, expected: datetime) -> None:
        log.warning("clock.moved", seconds=round((now - expected).total_seconds()))
        note_clock_change(self.docket, expected)

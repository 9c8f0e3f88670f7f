"""Alarms when the record itself is away: the one thing that is told past the outbox (I3, R7).

Everything else that leaves Docket is owed by the record first. A full disk or a dead database leaves no record
to owe it, so the staff channel and the alert address are told directly, once, and once more when it is over.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic

import structlog

log = structlog.get_logger()
PATIENCE_S = 30.0
"""A busy record answers again within that; it is no alarm."""
SILENT = (
    "The database takes Docket's questions and does not answer. What was recorded is safe; mail waits on its server. See "
    "whether the database's machine works, and restart the database if it hangs; Docket goes on by itself."
)
OVER = "The record answers again. Mail is read and dates are swept; nothing that was recorded was lost."


@dataclass
class Emergency:
    """Counts how long the record has been away, and tells.

    Attributes:
        ways: name of a way to what tells a text; True if it was told.
        seconds: a counter that only runs forward.
        patience_s: how long it must be away.
    """

    ways: Mapping[str, Callable[[str], bool]]
    seconds: Callable[[], float] = monotonic
    patience_s: float = PATIENCE_S
    _since: float | None = None
    _told: set[str] = field(default_factory=set)
    _owes_end: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def lasts(self) -> bool:
        """Whether the record has been away for longer than anybody is patient; reading alone may still work."""
        return self._since is not None and self.seconds() - self._since >= self.patience_s

    @property
    def told(self) -> bool:
        """Whether somebody was told and not yet told that it is over."""
        return bool(self._told or self._owes_end)

    def recall(self) -> None:
        """Take over the alarm of a process that has ended, so that its end is told."""
        self._owes_end |= set(self.ways)

    def away(self, said: str) -> None:
        """Note that the record does not answer; tells each way once when it has lasted.

        Args:
            said: what happened, what is safe, what to do; no content.
        """
        with self._lock:
            if self._since is None:
                self._since = self.seconds()
            if not self.lasts:
                return
            for name in self.ways.keys() - self._told:
                if self._tell(name, f"Docket cannot work. {said}"):
                    self._told.add(name)

    def back(self) -> None:
        """Note that the record answers; tells each way that was alarmed."""
        self._since = None
        with self._lock:
            self._owes_end |= self._told
            self._told = set()
            for name in tuple(self._owes_end):
                if self._tell(name, OVER):
                    self._owes_end.discard(name)

    def _tell(self, name: str, text: str) -> bool:
        told = self.ways[name](text)
        log.warning("emergency.told", way=name) if told else log.warning("emergency.not-told", way=name)
        return told

"""Whether the relay and Slack can be reached: told once when they cannot, and once when they can again (decisions 32).

One failure is no news. Two looks with some time between them are, whatever is looked at: a delivery, a connection.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from store.cases import Docket
from store.proceedings.reminders import clear_alarm, raise_alarm

MISSES_BEFORE_ALARM = 2
BETWEEN_S = 30.0
DELIVERIES = "deliveries"
CONNECTION = "connection"


@dataclass(frozen=True, slots=True)
class Trouble:
    """What people are told: the trouble's name, the alarm, and its end; no content."""

    name: str
    alarm: str
    over: str


RELAY = Trouble(
    "relay",
    "The mail relay cannot be reached, or refuses Docket's login. No letter is lost: each waits in the record and "
    "is tried again by itself; dates do not move. Run docket doctor, which says what the relay refuses; what is due "
    "before it works again can be served on paper (docket packet).",
    "The mail relay takes letters again. What waited is going out.",
)
SLACK = Trouble(
    "slack",
    "Slack cannot be reached. Mail is filed and dates go on; what is to be shown waits in the record and comes "
    "once, in order, when Slack is back. Urgent acts, votes in a meeting too, work on the command line (docket --help). "
    "See Slack's own status page; if Slack works for others, run docket doctor.",
    "Slack can be reached again. What waited is being shown, in order.",
)


@dataclass
class Reach:
    """Counts looks at one other side, and tells.

    Attributes:
        docket: the record, which owes the alarm.
        trouble: what is told.
        seconds: a counter that only runs forward.
    """

    docket: Docket
    trouble: Trouble
    seconds: Callable[[], float]
    _misses: dict[str, tuple[int, float]] = field(default_factory=dict)
    _told: bool | None = None  # an earlier process may have told, so the first good look asks the record
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, *, reached: bool, by: str = DELIVERIES) -> None:
        """Take one look into account.

        Args:
            reached: whether the other side answered.
            by: what was looked at; the trouble is over when everything that failed works.
        """
        with self._lock:
            if reached:
                self._misses.pop(by, None)
                if not self._misses and self._told is not False:
                    clear_alarm(self.docket, self.trouble.name, self.trouble.over)
                    self._told = False
                return
            misses, since = self._misses.get(by, (0, self.seconds()))
            self._misses[by] = (misses + 1, since)
            lasts = misses + 1 >= MISSES_BEFORE_ALARM and self.seconds() - since >= BETWEEN_S
            if lasts and not self._told:
                raise_alarm(self.docket, self.trouble.name, self.trouble.alarm)
                self._told = True

    def already_told(self) -> None:
        """Note that people know by another alarm of the same name; its end is told here."""
        with self._lock:
            self._told = True

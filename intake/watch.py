"""When the mailbox is tried again and when people are told; pure: instants and chance are handed in."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

SHORTEST_S = 1.0
LONGEST_S = 300.0
REFUSED_S = 60.0
REFUSALS_BEFORE_ALARM = 2
MISSES_BEFORE_ALARM = 2
SILENCE_BEFORE_ALARM = timedelta(minutes=15)
READ_AGAIN = (
    "The mailbox is read again. What came meanwhile is being filed at the time the mail server received it."
)


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before the next try, doubling from 1 to 300 seconds.

    Attributes:
        failures: tries that failed since the last one that worked.
    """

    failures: int = 0

    def after_unreachable(self, chance: float) -> tuple[float, "Backoff"]:
        """Give the seconds to wait after a failure, and the next state.

        Args:
            chance: from 0 up to 1; the wait is between half and the whole of the doubled time, so that
                many clients do not come back at once.
        """
        doubled = min(LONGEST_S, SHORTEST_S * 2.0 ** min(self.failures + 1, 16))
        return max(SHORTEST_S, doubled * (0.5 + 0.5 * chance)), Backoff(self.failures + 1)

    def after_refusal(self, chance: float) -> tuple[float, "Backoff"]:
        """As above after a refused login: never under a minute, or the account may be locked."""
        seconds, following = self.after_unreachable(chance)
        return max(REFUSED_S, seconds), following


class Trouble(StrEnum):
    """Why the mailbox is not being read."""

    LOGIN_REFUSED = "login-refused"
    CERTIFICATE = "certificate"
    FOLDER_MISSING = "folder-missing"
    NO_SYNC = "no-sync"


@dataclass(frozen=True, slots=True)
class Alarm:
    """People must be told, once: mail is not being read."""

    trouble: Trouble
    last_good_at: datetime | None

    def __str__(self) -> str:
        """Give the text, fit for Slack, health file and mail: no address, no server's words."""
        safe = "No mail is lost: it waits in the mailbox, and each receipt keeps the time the mail server gave it."
        match self.trouble:
            case Trouble.LOGIN_REFUSED:
                what, mend = (
                    "The mail server refuses Docket's login.",
                    "Check the mailbox password or token; then run docket doctor.",
                )
            case Trouble.CERTIFICATE:
                what, mend = (
                    "The mail server's certificate is not good, so Docket does not log in there.",
                    "Have the server's keeper renew it; docket doctor says what is wrong with it.",
                )
            case Trouble.FOLDER_MISSING:
                what, mend = (
                    "A folder that is to be read is not in the mailbox any more; the others are read.",
                    "Make it anew, or correct DOCKET_IMAP_URL; docket doctor names the folder.",
                )
            case Trouble.NO_SYNC:
                what, mend = (
                    "The mailbox has not been read for 15 minutes.",
                    "Run docket doctor: it says whether network, certificate or server is at fault.",
                )
        return f"{what} {safe} {mend}"


@dataclass(frozen=True, slots=True)
class Recovery:
    """People must be told, once: mail is being read again."""

    trouble: Trouble
    last_good_at: datetime | None
    recovered_at: datetime

    def __str__(self) -> str:
        """Give the text, fit to be shown anywhere."""
        return READ_AGAIN


@dataclass(frozen=True, slots=True)
class Watch:
    """What has been seen of the mailbox, and whether people know of the trouble (decisions 32).

    Each step answers with the watch that follows and a notice to send, or None. An alarm that stands is
    not repeated, and a login refused twice is the nearer reason when both hold.

    Attributes:
        since: when watching began; silence is counted from here until a first sync works.
        last_good_at: the last sync that worked.
        refusals: refused logins since then.
        distrusted: times since then at which the server's certificate was not good.
        misses: syncs since then at which a folder was not there.
        alarm: what people were told and not yet told is over.
    """

    since: datetime
    last_good_at: datetime | None = None
    refusals: int = 0
    distrusted: int = 0
    misses: int = 0
    alarm: Trouble | None = None

    def good_sync(self, at: datetime) -> tuple["Watch", Recovery | None]:
        """A sync of every folder worked."""
        calm = replace(self, last_good_at=at, refusals=0, distrusted=0, misses=0, alarm=None)
        return calm, Recovery(self.alarm, self.last_good_at, at) if self.alarm else None

    def login_refused(self, at: datetime) -> tuple["Watch", Alarm | None]:
        """The server refused the login."""
        return _judged(replace(self, refusals=self.refusals + 1), at)

    def certificate_refused(self, at: datetime) -> tuple["Watch", Alarm | None]:
        """The server's certificate ended, or is another's; no wait mends that."""
        return _judged(replace(self, distrusted=self.distrusted + 1), at)

    def folder_missing(self, at: datetime) -> tuple["Watch", Alarm | None]:
        """The server does not open a folder of the setting, which was deleted, renamed or closed to us."""
        return _judged(replace(self, misses=self.misses + 1), at)

    def unreachable(self, at: datetime) -> tuple["Watch", Alarm | None]:
        """A try failed for any other reason. Refusals seen before still count: nothing proves them cured."""
        return _judged(self, at)

    def tick(self, at: datetime) -> tuple["Watch", Alarm | None]:
        """Time passed; to be called at least every few minutes, also while a try hangs."""
        return _judged(self, at)


def _judged(watch: Watch, at: datetime) -> tuple[Watch, Alarm | None]:
    trouble = _trouble(watch, at)
    if trouble is None or watch.alarm is not None:
        return watch, None
    return replace(watch, alarm=trouble), Alarm(trouble, watch.last_good_at)


def _trouble(watch: Watch, at: datetime) -> Trouble | None:
    if watch.refusals >= REFUSALS_BEFORE_ALARM:
        return Trouble.LOGIN_REFUSED
    if watch.distrusted >= MISSES_BEFORE_ALARM:
        return Trouble.CERTIFICATE
    if watch.misses >= MISSES_BEFORE_ALARM:
        return Trouble.FOLDER_MISSING
    if at - (watch.last_good_at or watch.since) >= SILENCE_BEFORE_ALARM:
        return Trouble.NO_SYNC
    return None

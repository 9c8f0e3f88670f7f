"""What Slack shows of cases is brought in line with the record once a minute, by the copy that leads.

Events from Slack are hints and may be lost, and a role may end by its date alone; so each sweep looks who is
in the case channels, which cards and which documents lie where, and takes away what must not be there.
Slack's rates are kept: a stretch of the channels at a time, and a pause as long as Slack asks for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

import structlog
from slack_sdk.errors import SlackApiError

from bot.channels import GONE, error_name
from bot.connection import DEAD_TOKEN
from bot.files import Files
from bot.notifier import SlackNotifier, retry_after_s
from store.cases import Shown, forget_shown

log = structlog.get_logger()
UPKEEP_EVERY_S = 60.0
AT_A_TIME = 40
_PAUSE_S = 30.0


@dataclass
class Upkeep:
    """Keeps channels, cards and documents in Slack right.

    Attributes:
        notifier: shows things in Slack.
        is_leader: whether this copy does it.
        seconds: a counter that only runs forward.
        at_a_time: how many channels are looked at in one sweep; the next goes on from there.
    """

    notifier: SlackNotifier
    is_leader: Callable[[], bool]
    seconds: Callable[[], float] = monotonic
    at_a_time: int = AT_A_TIME
    _next: int = 0
    _not_before_s: float = 0.0

    def run(self) -> None:
        """Sweep once; what Slack does not let us do now is done by a later sweep."""
        if not self.is_leader() or self.seconds() < self._not_before_s:
            return
        try:
            self._channels()
            Files(self.notifier.docket, self.notifier.client).sweep()
        except SlackApiError as error:
            self._stopped_by(error)
        except OSError as error:
            log.warning("slack.upkeep", outcome=type(error).__name__)

    def _stopped_by(self, error: SlackApiError) -> None:
        name = error_name(error)
        log.warning("slack.upkeep", outcome=name)
        if name in DEAD_TOKEN:
            self.notifier.on_dead_token(name)
        self._not_before_s = self.seconds() + (retry_after_s(error) or _PAUSE_S)

    def _channels(self) -> None:
        places = self.notifier.channels.every()
        following = [one for one in places if one.id > self._next][: self.at_a_time]
        for place in following:
            self._channel(place)
            self._next = place.id
        if len(following) < self.at_a_time:
            self._next = 0

    def _channel(self, place: Shown) -> None:
        """Bring one case's channel in line; one that is gone is made anew only while the case is open."""
        if place.case_id is None:
            return
        channels = self.notifier.channels
        self.notifier.clear_strangers(place.case_id)
        seen = self.notifier.any_look(place.case_id)
        if seen is not None and not seen.case.closed:
            channels.align(seen)
            return
        try:
            if seen is None:
                channels.empty(place.case_id, place.channel)
            else:
                channels.people(seen, place.channel)
        except SlackApiError as error:
            if error_name(error) not in GONE:
                raise
            forget_shown(self.notifier.docket, place.id)


def upkeep_of(
    notifier: SlackNotifier, is_leader: Callable[[], bool]
) -> dict[str, tuple[float, Callable[[], None]]]:
    """Give the timetable's job of this name: every how many seconds, and the work."""
    return {"slack-upkeep": (UPKEEP_EVERY_S, Upkeep(notifier, is_leader).run)}

"""What the practice Slack can be told to do wrong, and how often it lets itself be called."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any

ALWAYS = -1
"""As a count: until it is switched off."""


@dataclass(slots=True)
class Faults:
    """Switches. Counts are of calls or events still to go wrong; `-1` means until switched off."""

    rates: bool = True
    """Keep Slack's rates; off, any number of calls passes."""
    failing_calls: int = 0
    """Calls answered with `failing_status` and nothing done."""
    failing_status: int = 503
    throttled_calls: int = 0
    """Calls answered 429 with Retry-After `retry_after_s`, nothing done."""
    retry_after_s: int = 1
    lost_answers: int = 0
    """Calls carried out, the connection closed without an answer."""
    only_methods: list[str] = field(default_factory=list)
    """The four above strike these methods only; empty means all."""
    slow_s: float = 0.0
    """Seconds before any call is answered."""
    silent: bool = False
    """Socket Mode connections stay open and say nothing: no envelope, no pong."""
    sockets_refused: bool = False
    """No Socket Mode connection comes about: 503 to `apps.connections.open` and to the connection itself."""
    repeated_events: int = 0
    """Events delivered twice though acknowledged."""
    lost_events: int = 0
    """Events never delivered."""
    late_files_s: float = 0.2
    """Seconds until an uploaded file shows in its channel."""

    def change(self, values: dict[str, Any]) -> None:
        """Set switches by name.

        Raises:
            ValueError: a name is unknown or a value is of the wrong type.
        """
        known = {switch.name: getattr(self, switch.name) for switch in fields(self)}
        for name, value in values.items():
            if name not in known:
                raise ValueError(f"There is no fault switch called {name}.")
            expected = (int, float) if isinstance(known[name], float) else type(known[name])
            if not isinstance(value, expected):
                raise ValueError(f"The fault switch {name} takes a {type(known[name]).__name__}.")  # noqa: TRY004  one error for the caller
            setattr(self, name, value)

    def strikes(self, switch: str, method: str = "") -> bool:
        """Whether a counted fault strikes now; counts it down."""
        left: int = getattr(self, switch)
        if left == 0 or (self.only_methods and method and method not in self.only_methods):
            return False
        if left > 0:
            setattr(self, switch, left - 1)
        return True


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `calls` within `per_s` seconds."""

    calls: int
    per_s: float


_TIER_2 = Rate(20, 60)
_TIER_3 = Rate(50, 60)
_TIER_4 = Rate(100, 60)
POSTING = Rate(5, 5)
"""About one a second in each channel, with short bursts let through."""


def _rates(rate: Rate, methods: Iterable[str]) -> dict[str, Rate]:
    return dict.fromkeys(methods, rate)


RATES: dict[str, Rate] = {
    **_rates(
        _TIER_2,
        (
            "conversations.create",
            "conversations.archive",
            "conversations.unarchive",
            "conversations.rename",
            "conversations.list",
            "conversations.setTopic",
            "conversations.setPurpose",
            "users.list",
        ),
    ),
    **_rates(
        _TIER_3,
        (
            "conversations.invite",
            "conversations.kick",
            "conversations.join",
            "conversations.leave",
            "conversations.open",
            "conversations.info",
            "chat.update",
            "chat.delete",
            "users.lookupByEmail",
            "users.conversations",
            "files.delete",
            "team.info",
        ),
    ),
    **_rates(
        _TIER_4,
        (
            "conversations.members",
            "chat.postEphemeral",
            "users.info",
            "views.open",
            "views.push",
            "views.update",
            "views.publish",
            "files.getUploadURLExternal",
            "files.completeUploadExternal",
            "files.info",
        ),
    ),
}
"""Calls a minute by method, by Slack's tiers."""


class Meter:
    """Counts calls against their rates, by a monotonic clock in seconds."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        """Start with nothing counted."""
        self._monotonic = monotonic
        self._calls: dict[str, deque[float]] = {}

    def wait_for(self, key: str, rate: Rate) -> int:
        """Count a call; 0 where it may pass, else the whole seconds to wait (it is not counted then)."""
        now = self._monotonic()
        calls = self._calls.setdefault(key, deque())
        while calls and calls[0] <= now - rate.per_s:
            calls.popleft()
        if len(calls) < rate.calls:
            calls.append(now)
            return 0
        return max(1, int(calls[0] + rate.per_s - now) + 1)

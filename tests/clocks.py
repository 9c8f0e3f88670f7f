"""A clock that stands still until a test moves it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

# A Monday morning in the city: 10:00 in Eastern Standard Time.
A_MONDAY_MORNING = datetime(2026, 2, 2, 15, 0, tzinfo=UTC)


@dataclass
class ManualClock:
    """The clock port for tests: it gives the instant that it was set to."""

    instant: datetime = A_MONDAY_MORNING

    def now(self) -> datetime:
        """Give the instant it stands at, aware, in UTC."""
        return self.instant

    def advance(self, by: timedelta) -> datetime:
        """Move on and give the new instant."""
        self.instant += by
        return self.instant

    def set_to(self, instant: datetime) -> datetime:
        """Stand at another instant (aware; kept in UTC) and give it."""
        if instant.tzinfo is None:
            raise ValueError("an instant has a zone")
        self.instant = instant.astimezone(UTC)
        return self.instant

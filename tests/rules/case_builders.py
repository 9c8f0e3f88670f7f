"""A case from a list of facts, for rules that need no record."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from store.rules.calendar import Calendar, city_zone, parse_calendar
from store.rules.casefile import CaseFile, build
from store.rules.facts import (
    Basis,
    ComplaintReceived,
    Fact,
    PartyNamed,
    PartyRole,
    ReceivedBy,
    Recorded,
    Screened,
)
from store.rules.ordinance import Profile, parse_profile

RECEIVED = datetime(2026, 2, 3, 15, 0, tzinfo=UTC)
PROFILES = Path(__file__).parents[2] / "store" / "profiles"


class Story:
    """Facts as they come, each a minute after the one before unless a moment is given."""

    def __init__(self) -> None:
        self.facts: list[Recorded[Fact]] = []
        self._ids = count(1)
        self.now = RECEIVED

    def add(
        self,
        fact: Fact,
        *,
        about: int | None = None,
        supersedes: int | None = None,
        at: datetime | None = None,
    ) -> int:
        """Record a fact and give its id."""
        self.now = at or self.now + timedelta(minutes=1)
        key = next(self._ids)
        self.facts.append(Recorded(key, fact, 1, about, supersedes, self.now, None, key))
        return key

    def case(self) -> CaseFile:
        """The case as it stands."""
        return build(1, "EC-2026-0001", RECEIVED, "", self.facts)


def a_story(*, screened: bool = True) -> tuple[Story, int]:
    """A complaint received and searched, with one complainant; gives his id too."""
    story = Story()
    story.add(ComplaintReceived(RECEIVED, ReceivedBy.BOARD, Basis.MAIL_SERVER), at=RECEIVED)
    complainant = story.add(PartyNamed(PartyRole.COMPLAINANT, "Connie", ("connie@post.example",)))
    story.add(Screened(by_machine=True, unreadable=not screened))
    return story, complainant


def a_profile(name: str = "bramwell") -> Profile:
    """A shipped profile."""
    return parse_profile((PROFILES / f"{name}.toml").read_text())


def a_calendar(text: str = "adopted_years = [2026]\n") -> Calendar:
    """The city's calendar."""
    return parse_calendar(text, city_zone("America/New_York"))

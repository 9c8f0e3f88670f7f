"""The city of the practice story: the invented one, or a city's own profile, roster and closures for training."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from bot.errors import StartFault
from bot.settings import SHIPPED_PROFILES
from store.proceedings.roster import parse_roster
from store.rules.counted import counted
from store.rules.errors import Refusal
from store.rules.facts import Role
from store.rules.ordinance import Duty, Profile, parse_profile

_SHIPPED = re.compile(r"[a-z0-9_-]+")
_SPARE_KEYS: dict[Role, tuple[str, ...]] = {
    Role.CITY_MANAGER: ("manager",),
    Role.CLERK: ("clerk",),
    Role.CHAIR: ("chair",),
    Role.MEMBER: ("first", "second", "third", "fourth"),
}


@dataclass(frozen=True, slots=True)
class Character:
    """Somebody of the Board's roster in the story."""

    key: str
    name: str
    role: Role


CAST = (
    Character("manager", "Ada Merrow", Role.CITY_MANAGER),
    Character("clerk", "Ruth Alden", Role.CLERK),
    Character("chair", "Iris Falk", Role.CHAIR),
    Character("first", "Samuel Ortiz", Role.MEMBER),
    Character("second", "Nell Baird", Role.MEMBER),
    Character("third", "Otis Greer", Role.MEMBER),
    Character("fourth", "Lena Cho", Role.MEMBER),
)
"""The invented Board; the story's parts are their keys."""


@dataclass(frozen=True, slots=True)
class Town:
    """A city to practise in.

    Attributes:
        setting: what `DOCKET_PROFILE` is set to.
        profile: its ordinance.
        cast: who sits on the Board and works for it.
        closures: the list that is adopted for practice.
    """

    setting: str
    profile: Profile
    cast: tuple[Character, ...]
    closures: str

    @property
    def host(self) -> str:
        """The domain of the city's practice mail."""
        office = self.official_mail.rpartition("@")[2]
        return office or "city.example"

    @property
    def official_mail(self) -> str:
        """The address of the office to which complaints are submitted; empty where the profile has none."""
        found = [one for one in self.profile.addresses if one.office == self.profile.receipt.official]
        return found[0].emails[0] if found and found[0].emails else ""

    @property
    def intake(self) -> str:
        """The Board's own address in practice; never one that exists."""
        host = self.host if self.host.endswith(".example") else "city.example"
        return f"complaints@ethics.{host}"

    @property
    def alert_to(self) -> str:
        """Who is told by mail of alarms, in practice."""
        return f"it@{self.intake.rpartition('@')[2].removeprefix('ethics.')}"

    def missing(self) -> tuple[str, ...]:
        """Give the story's parts that nobody of this roster can play."""
        there = {one.key for one in self.cast}
        return tuple(one.key for one in CAST if one.key not in there)


def town(profile: str = "bramwell", roster: Path | None = None, closures: Path | None = None) -> Town:
    """Read the files of a city to practise in.

    Args:
        profile: a shipped profile's name, or the path of a TOML file.
        roster: the city's own people; None for the invented Board.
        closures: the city's own list; None for the invented city's.

    Raises:
        StartFault: a file cannot be read or used.
    """
    path, setting = _profile_file(profile)
    usual = files("store") / "profiles" / "closures" / "bramwell.toml"
    listed = _read(closures) if closures is not None else usual.read_text(encoding="utf-8")
    try:
        cast = _cast(_read(roster)) if roster is not None else CAST
        return Town(setting, parse_profile(_read(path)), cast, listed)
    except Refusal as refusal:
        raise StartFault(str(refusal)) from refusal


def _profile_file(profile: str) -> tuple[Path, str]:
    """Give a profile's file and what the setting says of it."""
    if _SHIPPED.fullmatch(profile):
        return SHIPPED_PROFILES / f"{profile}.toml", profile
    try:
        path = Path(profile).expanduser().resolve()
    except (OSError, RuntimeError) as error:  # a home of nobody, a ring of links
        raise _unreadable(profile) from error
    return path, str(path)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path) from error


def _unreadable(path: Path | str) -> StartFault:
    return StartFault(f"{path} cannot be read. Name a shipped profile or a TOML file in UTF-8.")


def _cast(text: str) -> tuple[Character, ...]:
    """Give a roster's people their parts in the story; who has none is there all the same."""
    taken: dict[Role, int] = {}

    def characters() -> Iterator[Character]:
        for person in parse_roster(text).people:
            role = person.roles[0].role if person.roles else Role.MEMBER
            number = taken[role] = taken.get(role, 0) + 1
            keys = _SPARE_KEYS.get(role, ())
            key = keys[number - 1] if number <= len(keys) else f"{role.value}-{number}"
            yield Character(key, person.name, role)

    return tuple(characters())


def differences(profile: Profile, usual: Profile) -> tuple[tuple[str, str, str], ...]:
    """Give the periods in which an ordinance differs from another.

    Returns:
        (what is to be done, here, there); a dash where one has no such step.
    """
    here, there = ({one.id: one for one in each.duties} for each in (profile, usual))
    rows = []
    for name in dict.fromkeys([*there, *here]):
        one, other = (_period(each.get(name)) for each in (here, there))
        if one != other:
            rows.append(((here.get(name) or there[name]).what, one, other))
    return tuple(rows)


def _period(duty: Duty | None) -> str:
    if duty is None:
        return "-"
    if duty.period is None:
        return duty.wording or "no period"
    return counted(duty.period, duty.unit.value.replace("_", " ").removesuffix("s"))

"""Case numbers: written as the profile says, and found again in subjects and texts.

Source: decisions.md 18 and 28.
"""

import re
from dataclasses import dataclass
from string import Formatter

from store.rules.ordinance import Profile


@dataclass(frozen=True, slots=True)
class CaseNumber:
    """A case's number: the year of receipt in the city's zone, and its place in that year (decisions.md 18)."""

    year: int
    seq: int


def number_of(profile: Profile, year: int, seq: int) -> str:
    """Write a case number, such as ``2026-007``; past 999 it grows wider, and is never cut."""
    return profile.numbers.format.format(year=f"{year:04d}", seq=seq)


def parse_number(profile: Profile, text: str) -> CaseNumber | None:
    """Read a text that is a case number and nothing else; None when it is none."""
    found = find_numbers(profile, text)
    whole = len(found) == 1 and _plain_dashes(text.strip()).casefold() == _written(profile, found[0])
    return found[0] if whole else None


def find_numbers(profile: Profile, text: str) -> tuple[CaseNumber, ...]:
    """Find every case number in a text, such as a subject, each once in the order of its first place.

    Any dash that mail programs put for a hyphen is read as one; upper and lower case are alike. A number inside a
    longer one, or padded otherwise than the profile pads, is none. A number alone proves nothing about the
    sender (decisions.md 28).
    """
    found: dict[CaseNumber, None] = {}
    for match in _number_pattern(profile.numbers.format).finditer(_plain_dashes(text)):
        number = CaseNumber(int(match["year"]), int(match["seq"]))
        if number.seq > 0 and _written(profile, number) == match[0].casefold():
            found[number] = None
    return tuple(found)


def pattern_of(profile: Profile) -> str:
    """Give the regular expression of the profile's numbers, as they stand in subjects, alone or before a check code."""
    parts = []
    for literal, name, _, _ in Formatter().parse(profile.numbers.format):
        parts.append(re.escape(literal))
        if name is not None:
            parts.append("[0-9]{4}" if name == "year" else f"[0-9]{{1,{_LONGEST_SEQUENCE}}}")
    return rf"(?<![\w-]){''.join(parts)}(?![0-9])"


_DASHES = re.compile(r"[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_LONGEST_SEQUENCE = 9


def _plain_dashes(text: str) -> str:
    return _DASHES.sub("-", text)


def _written(profile: Profile, number: CaseNumber) -> str:
    return number_of(profile, number.year, number.seq).casefold()


def _number_pattern(number_format: str) -> re.Pattern[str]:
    parts = []
    for literal, name, _, _ in Formatter().parse(number_format):
        parts.append(re.escape(literal))
        if name == "year":
            parts.append("(?P<year>[0-9]{4})")
        elif name == "seq":
            parts.append(f"(?P<seq>[0-9]{{1,{_LONGEST_SEQUENCE}}})")
    return re.compile(rf"(?<![\w-]){''.join(parts)}(?!\w)(?!-[0-9])", re.IGNORECASE)

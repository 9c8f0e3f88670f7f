"""Files that a city begins with: its profile as a copy to adapt, a closures list to adopt, a roster to fill in."""

import re
from collections.abc import Iterable
from datetime import date

from store.rules.calendar import legal_holidays

_SATURDAY = 5
_STANDING = re.compile(r'^standing = "\w+"', re.MULTILINE)
_NAMED = re.compile(r'^name = "([^"]+)"', re.MULTILINE)
_ZONE = re.compile(r'^zone = "[^"]+"', re.MULTILINE)
_OF = re.compile(r"^(?:City|Town|County) of ")


def city_profile(shipped: str, city: str, zone: str) -> str:
    """Copy a shipped profile for another city: its name and zone put in, and marked as an example still.

    Args:
        shipped: the text of a shipped profile.
        city: the city's name, such as ``City of Bramwell``; no quotation mark in it.
        zone: its zone, such as ``America/New_York``.

    Returns:
        The text; what only the city knows (addresses, ordinance, sections) is left to be put in, and
        ``standing`` stays ``example`` until counsel has done so.
    """
    found = _NAMED.search(shipped)
    assert found is not None
    old, new = (_OF.sub("", name) for name in (found.group(1), city))
    text = shipped.replace(found.group(1), city).replace(old, new)
    text = text.replace(f"{_host(old)}-ky.example", f"{_host(new)}.example")
    text = _ZONE.sub(f'zone = "{zone}"', text, count=1)
    return _STANDING.sub(
        'standing = "example"    # counsel sets "in_force" when all of this is the city\'s own', text
    )


def _host(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "city"


def closures_proposal(years: Iterable[int]) -> str:
    """Propose a closures list: the legal holidays of KRS 2.110 on weekdays, for the clerk to strike and add to.

    Returns:
        TOML for ``docket calendar adopt``; nothing of it counts before somebody adopts it.
    """
    wanted = sorted(years)
    lines = [
        "# The days on which city hall is closed. PROPOSED from the legal holidays of KRS 2.110: strike what city hall",
        "# does not close for, add what it does (day after Thanksgiving, observed days), and early closings with",
        '# closes_at = "12:00". Then the clerk adopts it: docket calendar adopt closures.toml --cause WORDS.',
        f"adopted_years = {wanted}",
    ]
    for year in wanted:
        for day, name in sorted(legal_holidays(year).items()):
            if day.weekday() < _SATURDAY:
                lines += ["", "[[closure]]", f"date = {day.isoformat()}", f'reason = "{name}"']
    return "\n".join(lines) + "\n"


def roster_to_fill_in(since: date, account: str) -> str:
    """Give a roster file with one commented table a role, to be filled in and loaded.

    Args:
        since: from when the offices are held.
        account: the login of the account that sets Docket up.
    """
    head = (
        "# Who sits on the Board and works for it. Fill in, take the # away, then: docket roster load roster.toml\n"
        "# Member ids: in Slack, a person's profile, the three dots, Copy member ID; the workspace id begins with T.\n"
    )
    tables = [
        f'# [[person]]\n# name = ""\n# email = [""]\n# slack = ["T0123:U0456"]\n{extra}# [[person.role]]\n'
        f'# role = "{role}"    {why}\n# since = {since.isoformat()}\n'
        for role, why, extra in (
            ("clerk", "# staff: checks the form, sends and serves", f'# account = ["{account}"]\n'),
            ("city-manager", "# refers complaints; sees none that names him", ""),
            ("chair", "# leads meetings, opens and closes ballots", ""),
            ("member", "# one table for each member", ""),
            ("alternate", "# sits where a member is out", ""),
            ("counsel", "# reads, does not vote", ""),
            ("it", "# runs it, looks into nothing", ""),
        )
    ]
    return head + "\n" + "\n".join(tables)

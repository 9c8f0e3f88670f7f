"""The start-up check that bot, intake and store are ours.

Other distributions claim these import names; installed beside ours, one overwrites it file by file or comes first
on the path. Running with half of somebody else's package would be worse than not running.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import distributions
from pathlib import Path

from bot.errors import StartFault

HOUSE = ("bot", "intake", "store")
_MEND = "Nothing was started. Install ethics-docket in a virtual environment of its own (`make demo` does)."


class HouseFault(StartFault):
    """The three packages are not ours, all from one place; the text says the mend."""


def check_house(path: Sequence[str] | None = None) -> Path:
    """Check that our packages are whole, come from one place and are nobody else's; give that place.

    Nothing is imported for it: a stranger's package would run its code.

    Args:
        path: the folders that Python looks in; None takes those of the process.

    Raises:
        HouseFault: a package is missing, comes from another place than the rest, or another distribution
            of its name is installed and may have overwritten it.
    """
    path = sys.path if path is None else path
    places = {name: _place(name, path) for name in HOUSE}
    missing = [name for name, place in places.items() if place is None]
    if missing:
        raise HouseFault(f"Of Docket's packages, {', '.join(missing)} cannot be found whole. {_MEND}")
    found = {place for place in places.values() if place is not None}
    if len(found) > 1:
        raise HouseFault(f"Docket's packages {', '.join(HOUSE)} come from {len(found)} places. {_MEND}")
    strangers = [name for name in HOUSE if any(distributions(name=name, path=list(path)))]
    if strangers:
        raise HouseFault(f"Another distribution named {', '.join(strangers)} is installed. {_MEND}")
    return found.pop()


def _place(name: str, path: Sequence[str]) -> Path | None:
    spec = PathFinder.find_spec(name, path)
    if spec is None or spec.origin is None or not _is_one_folder(name, spec):
        return None
    return Path(spec.origin).resolve().parent.parent


def _is_one_folder(name: str, spec: ModuleSpec) -> bool:
    """Say whether it is a folder with an `__init__.py`: no lone file, no namespace spread over several places."""
    folders = spec.submodule_search_locations or []
    return len(folders) == 1 and Path(folders[0]).name == name

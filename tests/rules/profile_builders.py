"""The shipped profiles as texts, and small changes of them."""

from pathlib import Path

import store
from store.rules.ordinance import Profile, parse_profile

PROFILES = Path(store.__file__).parent / "profiles"
ALL = sorted(one.stem for one in PROFILES.glob("*.toml"))
SISTERS = ("danville", "dry-ridge", "dawson-springs", "berea", "louisville-metro", "pikeville")


def text_of(name: str) -> str:
    return (PROFILES / f"{name}.toml").read_text(encoding="utf-8")


def profile_of(name: str) -> Profile:
    return parse_profile(text_of(name))


def changed(old: str, new: str, name: str = "bramwell") -> str:
    """Give a profile's text with one passage changed, which must stand in it."""
    text = text_of(name)
    assert old in text
    return text.replace(old, new, 1)

"""What no person may be shown: a code of the program's own, an instant of another zone, the name of a class.

Every text that Docket shows is words: `codes` finds what is none. The words to look for are gathered from the
program itself (enumerations, kinds of fact, duties), so that a new one is looked for without a word here.
"""

import dataclasses
import enum
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import bot
import intake
import store
from store.rules import facts

_SNAKE = r"(?<![\w./@=-])[a-z]+(?:_[a-z0-9]+)+(?![\w@=]|\.[a-z]{2,4}\b)"
_STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d\S*"
_FOREIGN = r"\d\d:\d\d(?::\d\d)? ?(?:UTC|Z\b|\+00:00)"
_REPR = r"\b(?:None|True|False)\b(?=[\s,;:.)\]]|$)(?! of\b)|<[A-Z]\w+[.:]|\b[A-Z]\w+\.[A-Z][A-Z_]+\b|\bdatetime\.|\bdict_"
_COMMAND = re.compile(
    r"(?:`[^`]*`|/ethics [^.;]*|\bdocket(?: [a-z][a-z-]*)+(?: (?:--?[a-z]\S*|[A-Z]+|\S*[a-z]\S*-\S+))*)"
)
_FIXED = re.compile(f"{_SNAKE}|{_STAMP}|{_FOREIGN}|{_REPR}")
# words of the language that are values as well
_WORDS = frozenset({"set-aside"})


def _modules() -> Iterator[Any]:
    for package in (store, intake, bot):
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if (
                "migrations" not in one.name
                and "practice" not in one.name
                and not one.name.endswith("__main__")
            ):
                yield importlib.import_module(one.name)


@cache
def known_codes() -> frozenset[str]:
    """Every value of an enumeration, and every kind of fact, that is written as no person writes."""
    found: set[str] = set()
    for module in _modules():
        for one in vars(module).values():
            if isinstance(one, type) and issubclass(one, enum.StrEnum) and one.__module__ == module.__name__:
                found |= {each.value for each in one}
    found |= {
        one.KIND for one in vars(facts).values() if dataclasses.is_dataclass(one) and hasattr(one, "KIND")
    }
    return frozenset(one for one in found if re.fullmatch(r"[a-z]+(?:[-_][a-z0-9]+)+", one)) - _WORDS


@cache
def _pattern() -> re.Pattern[str]:
    either = "|".join(map(re.escape, sorted(known_codes(), key=len, reverse=True)))
    return re.compile(rf"(?<![\w/@.-])(?:{either})(?![\w@-]|\.[a-z]{{2,4}}\b)")


def codes(text: str) -> list[str]:
    """Give each token in a text that is no word; commands to type are left out."""
    said = _COMMAND.sub(" ", text)
    return [one.group() for pattern in (_FIXED, _pattern()) for one in pattern.finditer(said)]


def texts(thing: object) -> Iterator[str]:
    """Give each text that a view or message of Slack shows."""
    if isinstance(thing, dict):
        if thing.get("type") in {"plain_text", "mrkdwn"} and isinstance(thing.get("text"), str):
            yield thing["text"]
        for one in thing.values():
            yield from texts(one)
    elif isinstance(thing, list | tuple):
        for one in thing:
            yield from texts(one)


def shown_codes(thing: object) -> list[str]:
    """Give each code that a view or message of Slack shows, with its text."""
    return [f"{code!r} in {text[:200]!r}" for text in texts(thing) for code in codes(text)]

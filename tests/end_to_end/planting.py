"""Invented words in every text that an act takes, found by its signature: an act that is added is planted by itself."""

import importlib
import inspect
import pkgutil
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from store import proceedings
from tests.end_to_end.sinks import planted
from tests.proceedings.attempts import Tried

# what is a word of ours, a number or an id, and no text that somebody writes
OURS = frozenset(
    {
        "number",
        "numbers",
        "into",
        "letter",
        "submission",
        "where",
        "way",
        "media_type",
        "agenda",
        "finding",
        "lacking",
        "provisions",
        "mitigating",
        "outcome",
        "came_to",
        "came_by",
        "sha256",
        "flags",
        "kind",
        "match",
        "suggested",
        "how",
    }
)
# "how" is one of a few words for a service and a referral, and free text in these
HOW_IN_WORDS = frozenset(
    {"record_service", "record_office_service", "record_telling", "confirm_publicly", "release_documents"}
    | {"record_appearance", "record_notice"}
)
# read as a file of our own form, or as a whole mail: what is in it is planted where it is written
WHOLE = frozenset({"adopt_calendar.text"})
# of what the mailroom read of a mail: what it counted, looked up or named by itself
READ_OFF = frozenset({"what", "content_sha256", "suggested_number", "own_addresses", "evidence"})
# a reading by what was read before, and what a restore says of the file that it was given
NO_WORDS_OF_THEIRS = frozenset({"expected", "record_restore"})


@dataclass(frozen=True)
class Site:
    """One text of one act."""

    act: str
    path: str

    @property
    def name(self) -> str:
        """The act and the way to the text."""
        return f"{self.act}.{self.path}"


def acts() -> Mapping[str, Callable[..., object]]:
    """Give every act and reading of `store.proceedings` that somebody asks for."""
    return {
        name: one
        for module in pkgutil.iter_modules(proceedings.__path__, "store.proceedings.")
        for name, one in vars(importlib.import_module(module.name)).items()
        if inspect.isfunction(one)
        and one.__module__ == module.name
        and not name.startswith("_")
        and list(inspect.signature(one).parameters)[:2] == ["docket", "actor"]
    }


def sites() -> dict[str, Site]:
    """Give every text of every act, by name."""
    found = {}
    for name, act in acts().items():
        hints = typing.get_type_hints(act)
        for parameter in list(inspect.signature(act).parameters)[2:]:
            for path in _texts(hints[parameter], parameter, name):
                found[f"{name}.{path}"] = Site(name, path)
    return found


def _texts(hint: Any, path: str, act: str) -> Iterator[str]:
    """Give the way to each text within a value of a type."""
    before, _dot, last = path.rpartition(".")
    if (
        last in READ_OFF and before.rpartition(".")[2] in {"filing", "papers"} and hint is str
    ) or act in NO_WORDS_OF_THEIRS:
        return
    if f"{act}.{path}" in WHOLE or (last in OURS and not (last == "how" and act in HOW_IN_WORDS)):
        return
    origin = typing.get_origin(hint)
    if hint is str:
        yield path
    elif hint is bytes or origin is Callable:
        return
    elif isinstance(hint, type) and is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        for one in fields(hint):
            yield from _texts(hints[one.name], f"{path}.{one.name}", act)
    elif origin in {typing.Union, types.UnionType} or (
        isinstance(origin, type) and issubclass(origin, Sequence | tuple)
    ):
        for one in typing.get_args(hint):
            if one is not Ellipsis:
                yield from _texts(one, path, act)


def planting(tried: Tried) -> tuple[Tried, frozenset[str]]:
    """Give the same attempt with a word in each of its texts, and the sites that it now holds."""
    name = tried.do.__name__
    bound = inspect.signature(tried.do).bind(None, None, *tried.args, **tried.words)
    bound.apply_defaults()
    planted_here: set[str] = set()
    hints = typing.get_type_hints(tried.do)
    for parameter in list(bound.arguments)[2:]:
        wanted = set(_texts(hints[parameter], parameter, name))
        value = bound.arguments[parameter]
        bound.arguments[parameter] = _with_words(value, parameter, name, wanted, planted_here)
    made = Tried(tried.do, bound.args[2:], bound.kwargs)
    return made, frozenset(planted_here)


def _with_words(value: Any, path: str, act: str, wanted: set[str], taken: set[str]) -> Any:
    if isinstance(value, str) and type(value) is str and path in wanted:
        taken.add(f"{act}.{path}")
        return _a_word(act, path, value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            one.name: _with_words(getattr(value, one.name), f"{path}.{one.name}", act, wanted, taken)
            for one in fields(value)
            if any(text == f"{path}.{one.name}" or text.startswith(f"{path}.{one.name}.") for text in wanted)
        }
        return replace(value, **changed)
    if isinstance(value, list | tuple) and wanted & {path, *(w for w in wanted if w.startswith(f"{path}."))}:
        return type(value)(_with_words(one, path, act, wanted, taken) for one in value)
    return value


def _a_word(act: str, path: str, before: str) -> str:
    """Give a text with the word of its site, in the form that the text has to have."""
    word = planted(f"{act}.{path}")
    if "@" in before:
        return f"{word[:60]}@post.example"
    return f"{word} {before}".strip()

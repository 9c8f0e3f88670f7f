"""One is one: no sentence says "1 cases" or "case(s)"."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.rules.counted import counted

ROOT = Path(__file__).parents[2]
ROOMS = ("bot", "intake", "store")
COUNTED = re.compile(
    r"^ (cases|letters|messages|files|papers|pages|days|keys|members|entries|votes|pings|reminders|people|changes|"
    r"complaints|respondents|meetings|ballots|documents|exhibits|backups|minutes|hours|seats|data keys)\b"
)


def sentences() -> Iterator[tuple[str, ast.JoinedStr]]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def counts(text: ast.JoinedStr) -> Iterator[str]:
    """Give the nouns in the plural that follow a value which may be one."""
    for value, then in zip(text.values, text.values[1:], strict=False):
        if not isinstance(value, ast.FormattedValue) or not isinstance(then, ast.Constant):
            continue
        found = COUNTED.match(str(then.value))
        if found and not _is_a_limit(value.value):
            yield found.group().strip()


def _is_a_limit(value: ast.expr) -> bool:
    return any(isinstance(one, ast.Name) and one.id.strip("_").isupper() for one in ast.walk(value))


def test_no_sentence_leaves_it_to_the_reader_whether_there_is_one() -> None:
    hedged = re.compile(r"[a-z]\((s|es)\)")
    assert [
        place
        for place, text in sentences()
        if any(isinstance(one, ast.Constant) and hedged.search(str(one.value)) for one in text.values)
    ] == []


def test_a_noun_after_a_number_is_counted() -> None:
    assert [f"{place} {noun}" for place, text in sentences() for noun in counts(text)] == []


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 cases"), (1, "1 case"), (2, "2 cases"), (1200, "1,200 cases")]
)
def test_one_is_singular_and_every_other_number_plural(count: int, words: str) -> None:
    assert counted(count, "case") == words
    assert counted(count, "entry", "entries").endswith("entry") is (count == 1)

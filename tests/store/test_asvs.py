"""The self-review answers every item of levels 1 and 2, and names only tests and pages that there are."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.test_house import ROOT

PAGE = (ROOT / "store" / "ASVS.md").read_text(encoding="utf-8")
# how many items of levels 1 and 2 each section of ASVS 5.0 has; they are numbered from 1 on without a gap
SECTIONS = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1, "3.2": 2, "3.3": 4,
    "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4, "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5,
    "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4,
    "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4,
    "17.3": 2,
}  # fmt: skip
STATES = ("met", "partly", "not met", "city's", "none")


def rows() -> Iterator[tuple[list[str], str, str]]:
    """Give each row's items, its state, and where it says that it is tested."""
    for line in PAGE.splitlines():
        cells = [one.strip() for one in line.strip("|").split("|")]
        if re.match(r"\| \d", line):
            first, _, last = cells[0].partition("-")
            section, begin = first.rsplit(".", 1)
            end = int((last or first).rsplit(".", 1)[1])
            yield [f"{section}.{one}" for one in range(int(begin), end + 1)], cells[1], cells[3]


def test_every_item_of_levels_one_and_two_is_answered_once() -> None:
    answered = [item for items, _state, _tested in rows() for item in items]
    wanted = [f"{section}.{one}" for section, most in SECTIONS.items() for one in range(1, most + 1)]
    assert Counter(answered) == Counter(wanted)
    states = Counter(state for items, state, _tested in rows() for _item in items)
    assert set(states) == set(STATES)
    print(dict(states))  # noqa: T201  the figure is asked for


def test_what_is_said_to_be_met_names_where_it_is_tested() -> None:
    assert [items for items, state, tested in rows() if state == "met" and "`tests/" not in tested] == []


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`((?:tests|bot|store)/[\w./:]+)`", PAGE))))
def test_every_file_and_test_that_is_named_is_there(named: str) -> None:
    path, _, test = named.partition("::")
    assert (ROOT / path).is_file()
    if test:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert test in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}

"""What a whole case prints, sends and exports is words: no code of the program's own, no hour of another zone.

What Slack shows of the same cases is looked through when each office closes, and what commands print when they are
typed; here the letters as they were mailed, what can be asked of a closed case, and its export are looked through.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.end_to_end.conftest import GiveWay
from tests.end_to_end.test_whole_cases import (
    dismissed_as_frivolous,
    heard_with_counsel,
    reprimanded_with_a_demand_on_the_last_day,
    round_the_city_manager,
)
from tests.end_to_end.ways import CLERK, ByCommandLine, Way
from tests.plain_words import codes

pytestmark = pytest.mark.end_to_end
READ_BY_PEOPLE = frozenset({".csv", ".html", ".svg", ".txt"})
ASKED = ("case", "explain", "history", "timeline")
ASKED_OF_ALL = (
    "docket",
    "outbox",
    "status",
    "roster show",
    "calendar show",
    "meeting list",
    "report 2026",
    "held list",
)


def _written(way: ByCommandLine, number: str) -> Iterator[tuple[str, str]]:
    """Give each text that was mailed, and each file of both exports that a person may open."""
    for letter in way.city.relay.letters[way.city.before :]:
        yield letter.subject, letter.subject
        for part in letter.message.walk():
            if part.get_content_type() == "text/plain":
                yield letter.subject, part.get_content()
    for name, more in (("whole", ()), ("asked-for", ("--records-request",))):
        folder = way.city.folder / name
        way.shell.run("export", number, "--out", folder, *more, who=CLERK)
        yield from _files(folder)


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in READ_BY_PEOPLE:
            yield str(path.relative_to(folder)), path.read_text("utf-8")


@pytest.mark.parametrize(
    "case",
    [
        dismissed_as_frivolous,
        reprimanded_with_a_demand_on_the_last_day,
        heard_with_counsel,
        round_the_city_manager,
    ],
    ids=lambda one: one.__name__,
)
def test_what_a_whole_case_prints_mails_and_exports_is_words(
    ways: GiveWay, case: Callable[[Way], str]
) -> None:
    way = ways("cli")
    assert isinstance(way, ByCommandLine)
    number = case(way)
    for one in ASKED:
        assert way.shell.run(one, number, who=CLERK).out
    for one in ASKED_OF_ALL:
        assert way.shell.try_(*one.split(), who=CLERK).out
    written = list(_written(way, number))
    assert len(written) > 20
    assert [(where, code) for where, text in written for code in codes(text)] == []

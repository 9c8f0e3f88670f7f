"""Every alarm says what happened, what is safe and what to do; none is without an action (R7)."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot import emergency, reach, schedule, words
from bot.cli.health import RECORD_AWAY
from bot.cli.status import MENDS
from bot.health_page import Vitals, _Gauges
from intake.watch import Alarm, Trouble
from store.database import _what_happened
from store.letters.letter import LetterKind
from store.letters.press import TemplateFault
from store.proceedings import clock_change, screening, stamping
from store.rules import vacancies
from store.rules.facts import Role
from store.rules.roster import Member, Roster

ROOT = Path(__file__).parents[2]
TO_DO = re.compile(
    r"\b(run|check|look|have|see|give|make|install|free|move|start|stop|restore|serve|put|try|set|correct|keep"
    r"|raise|ask|take|write)\b",
    re.IGNORECASE,
)
DRIVER_WORDS = (
    "disk is full",
    "read-only file system",
    "database is locked",
    "malformed",
    "i/o error",
    "gone",
)

# What an alarm's text is worked out from where it does not stand at the call.
WORKED_OUT: Mapping[str, Callable[[], list[str]]] = {
    "str(notice)": lambda: [str(Alarm(one, None)) for one in Trouble],
    "self.trouble.alarm": lambda: [reach.RELAY.alarm, reach.SLACK.alarm],
    "text": lambda: [clock_change.in_words(timedelta(hours=sign * 3)) for sign in (1, -1)],
    "words.alarm(reference)": lambda: [words.alarm("R-4F09-A1C7")],
    "SILENT": lambda: [emergency.SILENT],
    "_NO_CLERK": lambda: [screening._NO_CLERK],
    "vacancies.in_words(scene.people, role, scene.today)": lambda: [
        vacancies.in_words(people, one, date(2026, 3, 2))
        for one, other in ((Role.CLERK, Role.CHAIR), (Role.CHAIR, Role.CLERK))
        for people in (
            Roster(),
            Roster({1: Member(1, "Dana Reed", terms=((other, date(2026, 1, 1), None),))}),
        )
    ],
    "str(error)": lambda: [_what_happened(one) for one in DRIVER_WORDS],
}
# Handed on under that name: by the two functions that owe every alarm, and by a page that cannot be set.
HANDED_ON = {
    ("store/proceedings/reminders.py", "text"),
    ("bot/desk.py", "text"),
    ("store/proceedings/pages.py", "said"),
}


def _calls() -> Iterator[tuple[str, ast.expr]]:
    """Give where the product owes an alarm, and the expression of its text."""
    for room in ("bot", "intake", "store"):
        for source in sorted((ROOT / room).rglob("*.py")):
            place = source.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(source.read_text())):
                match node:
                    case ast.Call(func=ast.Name("raise_alarm"), args=[_docket, _name, said]):
                        yield place, said
                    case ast.Call(func=ast.Attribute(attr="away"), args=[said]) if "emergency" in ast.unparse(
                        node
                    ):
                        yield place, said
                    case ast.Call(func=ast.Attribute(attr="alarm", value=desk), args=[said]) if ast.unparse(
                        desk
                    ).endswith("desk"):
                        yield place, said
                    case ast.Call(func=ast.Attribute(attr="ping"), args=[kind, *_], keywords=more) if (
                        ast.unparse(kind) == "PingKind.ALARM"
                    ):
                        yield from ((place, one.value) for one in more if one.arg == "text")


def _words(said: ast.expr) -> list[str] | None:
    match said:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(str(one.value) if isinstance(one, ast.Constant) else "7" for one in parts)]
        case _ if ast.unparse(said) in WORKED_OUT:
            return WORKED_OUT[ast.unparse(said)]()
        case _:
            return None


CALLS = [(place, said) for place, said in _calls() if (place, ast.unparse(said)) not in HANDED_ON]
TEXTS = [
    pytest.param(text, id=f"{place}:{said.lineno}-{number}")
    for place, said in CALLS
    for number, text in enumerate(_words(said) or [])
]


def test_the_text_of_every_alarm_is_known_here() -> None:
    assert len(CALLS) > 10
    unknown = [(place, ast.unparse(said)) for place, said in CALLS if _words(said) is None]
    assert unknown == []


@pytest.mark.parametrize("text", TEXTS)
def test_every_alarm_says_what_is_safe_and_what_to_do(text: str) -> None:
    assert TO_DO.search(text.split(".", maxsplit=1)[1]), text
    assert re.search(
        r"safe|kept|lost|not done|moves?\b|move\b|read|(go(es)?|run) on|again|unchanged|record", text
    ), text
    assert "@" not in text


def _names() -> Iterator[str]:
    """Give the name of every trouble that an alarm is raised about."""
    worked_out = {
        "self.trouble.name": [reach.RELAY.name, reach.SLACK.name],
        "_ALARM": [stamping._ALARM],
        "name": [f"no-{one.value}" for one in (Role.CLERK, Role.CHAIR)],
        "f'{_FAULT}{name}'": [schedule._FAULT],
    }
    for room in ("bot", "intake", "store"):
        for source in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(source.read_text())):
                match node:
                    case ast.Call(
                        func=ast.Name("raise_alarm"), args=[_docket, ast.Constant(value=name), _said]
                    ):
                        yield str(name)
                    case ast.Call(func=ast.Name("raise_alarm"), args=[_docket, name, _said]):
                        yield from worked_out[ast.unparse(name)]
                    case _:
                        continue
    yield RECORD_AWAY


def test_the_page_for_it_says_of_every_trouble_by_name_what_is_safe_and_what_to_do() -> None:
    page = (ROOT / "bot" / "RUNNING.md").read_text()
    table = page.partition("## When something is wrong")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")]
    brackets = (one for line in rows for one in re.findall(r"\((`[^)]+)\)", line.split("|")[1]))
    named = {name for one in brackets for name in re.findall(r"`([^`]+)`", one)}
    assert named == set(_names())
    assert all(len([one for one in line.split("|") if one.strip()]) >= 2 for line in rows)


@pytest.mark.parametrize("name", sorted(MENDS))
def test_the_status_says_of_every_trouble_what_to_do(name: str) -> None:
    assert set(MENDS) == {one.rstrip(":") for one in _names()} - {RECORD_AWAY}
    assert TO_DO.search(MENDS[name])


def test_the_page_for_it_says_of_every_metric_when_to_alarm_and_what_to_do() -> None:
    page = (ROOT / "bot" / "RUNNING.md").read_text()
    rows = re.findall(r"^\| `(docket_\w+)` \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    now = datetime(2026, 3, 2, 15, tzinfo=UTC)
    given = {one.name for one in _Gauges(lambda: Vitals(now)).collect()}
    assert {name for name, _do in rows} == given
    assert all(do.strip() for _name, do in rows)


def test_a_text_that_says_nothing_to_do_would_be_found_out() -> None:
    assert not TO_DO.search("The relay is away.")


def test_the_end_of_each_trouble_is_told_in_a_sentence() -> None:
    for over in (emergency.OVER, reach.RELAY.over, reach.SLACK.over):
        assert over.endswith(".")
        assert "again" in over


@pytest.mark.parametrize("said", DRIVER_WORDS)
def test_whatever_a_database_says_becomes_what_to_do(said: str) -> None:
    assert TO_DO.search(_what_happened(said))


def test_a_page_that_cannot_be_set_says_what_to_do() -> None:
    text = str(TemplateFault(LetterKind.NOTICE, 7, "unknown variable: nmae"))
    assert TO_DO.search(text), text

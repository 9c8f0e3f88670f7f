"""Every refusal of the program, read from its source: its clause, what is safe, and the way on."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow, Refusal

ROOT = Path(__file__).parents[1]
KINDS = {one.__name__ for one in (NotAllowed, NotNow, AlreadyDone, BadInput)}
# what the machine's state forbids, and no law: nothing to print with, nothing read, Docket runs, a message is being read
NO_LAW = frozenset(
    {
        "store/backup.py",
        "bot/actions/file.py",
        "bot/actions/held_mail.py",
        "bot/cli/held.py",
        "bot/desk.py",
    }
)
_IMPERATIVES = ("Say ", "Give ", "Pick ", "Name ", "Choose ", "Write ")


@dataclass(frozen=True)
class Made:
    """One place that makes a refusal."""

    place: str
    kind: str
    says: str
    given: frozenset[str]

    @property
    def room(self) -> str:
        """The file that it stands in."""
        return self.place.partition(":")[0]


def _made() -> Iterator[Made]:
    for folder in ("store", "bot", "intake"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for one in ast.walk(ast.parse(path.read_text())):
                if (
                    isinstance(one, ast.Call)
                    and isinstance(one.func, ast.Name)
                    and one.func.id in KINDS
                    and one.args
                ):
                    says = " ".join(
                        part.value
                        for part in ast.walk(one.args[0])
                        if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    )
                    given = frozenset(word.arg for word in one.keywords if word.arg)
                    yield Made(f"{path.relative_to(ROOT)}:{one.lineno}", one.func.id, says, given)


MADE = tuple(_made())


def test_there_are_refusals_to_look_at() -> None:
    assert len(MADE) > 300
    assert {one.kind for one in MADE} == KINDS


def test_what_the_law_or_a_right_forbids_is_refused_under_its_clause() -> None:
    wanted = [
        one for one in MADE if one.kind in {"NotNow", "NotAllowed", "AlreadyDone"} and one.room not in NO_LAW
    ]
    assert [one for one in wanted if "clause" not in one.given] == []


def test_whoever_may_not_or_not_now_is_told_what_to_do() -> None:
    wanted = [one for one in MADE if one.kind in {"NotNow", "NotAllowed"}]
    assert [one for one in wanted if "mend" not in one.given] == []


def test_what_happened_is_said_before_what_to_do() -> None:
    assert [one for one in MADE if one.says.startswith(_IMPERATIVES)] == []


@pytest.mark.parametrize("kind", [NotNow, NotAllowed, AlreadyDone, BadInput])
def test_every_answer_says_what_happened_under_what_what_is_safe_and_the_way_on(kind: type[Refusal]) -> None:
    mend = "" if kind in {AlreadyDone, BadInput} else "Wait."
    answer = kind("It rains.", clause="B-inquiry", mend=mend).answer("(B)")
    assert answer.startswith("It rains. ((B)) Nothing was changed. ")
    assert len(answer.split("changed. ")[1]) > 4


def test_what_is_safe_is_said_once() -> None:
    assert str(BadInput("No day; nothing was changed.", mend="Pick it.")).count("changed") == 1
    assert str(NoSuchCase()).count("changed") == 1

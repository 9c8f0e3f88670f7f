"""What leaves for Slack, mail, JSON or a file is named field by field: nothing added to a record goes out by itself."""

import ast
from collections.abc import Iterator

from tests.test_house import ROOT

# each place that gives a whole object away, with why that object may be given whole
ALLOWED = {
    "bot/practice/control.py": "the practice workspace shows its own invented state, on loopback",
    "bot/practice/mail_api.py": "the practice mail server shows its own invented people, on loopback",
    "bot/practice/state.py": "the practice workspace keeps its own invented state",
    "intake/pdf/child.py": "the limited child hands its finding to its parent, through a pipe",
    "intake/pdf/sandbox.py": "the parent hands its limits to the child, through a pipe",
    "intake/pdf/warming.py": "the standing process tries its limits on a paper of its own",
    "store/outbox.py": "a letter is sealed before it is written, and read back as the same letter",
}
WHOLE = frozenset({"asdict", "astuple", "vars", "model_dump", "model_dump_json", "__dict__", "_asdict"})


def _used(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name in WHOLE:
            yield node.lineno, name  # type: ignore[attr-defined]  # names and attributes have lines


def test_nothing_gives_a_whole_object_away_but_the_few_that_may() -> None:
    found: dict[str, list[str]] = {}
    for room in ("bot", "intake", "store"):
        for path in (ROOT / room).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            for line, word in _used(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(name, []).append(f"{name}:{line} {word}")
    assert [one for name, uses in sorted(found.items()) if name not in ALLOWED for one in uses] == []
    assert sorted(found) == sorted(ALLOWED), "a reason that stands for nothing is taken out"


def test_the_search_sees_each_way_to_give_an_object_whole() -> None:
    for said in (
        "asdict(x)",
        "dataclasses.asdict(x)",
        "vars(x)",
        "x.model_dump()",
        "x.__dict__",
        "x._asdict()",
    ):
        assert list(_used(ast.parse(said))), said


def _runs_or_unpacks(tree: ast.AST) -> Iterator[int]:
    """Find what runs words as a program, unpacks objects, or reads XML."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        names = [name for name in names if name != "xml.sax.saxutils"]  # it escapes what is written
        if {name.partition(".")[0] for name in names} & {
            "pickle",
            "marshal",
            "shelve",
            "xml",
            "lxml",
            "yaml",
        }:
            yield node.lineno  # type: ignore[attr-defined]  # imports have lines
        if isinstance(node, ast.Call):
            named = node.func.id if isinstance(node.func, ast.Name) else ""
            in_a_shell = any(one.arg == "shell" for one in node.keywords)
            if named in {"eval", "exec", "compile", "__import__"} or in_a_shell:
                yield node.lineno


def test_no_word_is_run_no_object_unpacked_and_no_xml_read() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for room in ("bot", "intake", "store")
        for path in (ROOT / room).rglob("*.py")
        for line in _runs_or_unpacks(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []
    for said in ("eval('1')", "import pickle", "from xml.etree import ElementTree", "run('x', shell=True)"):
        assert list(_runs_or_unpacks(ast.parse(said))), said

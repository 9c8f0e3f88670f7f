"""Whatever is changed in journal or facts behind the program's back, in whichever row, `verify` names it (C5)."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from store import journal
from store.cases import MACHINE, Docket, verify
from store.database import connect
from store.journal import ChainFault
from store.proceedings import recusal
from store.rules.facts import Question
from tests.proceedings.builders import Board

pytestmark = pytest.mark.contract

# what each column becomes; of the bytes of a text or a body one is changed, in the middle
_OTHER = "CASE substr(body, length(body) / 2 + 1, 1) WHEN x'21' THEN x'22' ELSE x'21' END"
JOURNAL = {
    "prev": "substr(prev, 2) || 'x'",
    "hash": "substr(hash, 2) || 'x'",
    "header": "substr(header, 1, length(header) / 2) || '#' || substr(header, length(header) / 2 + 2)",
    "case_id": "CASE WHEN case_id IS NULL THEN 1 ELSE NULL END",
    "at": "'2020-01-01 00:00:00.000000'",
    "act": "act || 'x'",
    "body": f"CAST(substr(body, 1, length(body) / 2) || {_OTHER} || substr(body, length(body) / 2 + 2) AS BLOB)",
}
FACT = {
    "kind": "kind || 'x'",
    "case_id": "CASE WHEN case_id IS NULL THEN 1 ELSE NULL END",
    "about": "COALESCE(about, 0) + 1",
    "supersedes": "COALESCE(supersedes, 0) + 1",
    "recorded_at": "'2020-01-01 00:00:00.000000'",
    "recorded_by": "COALESCE(recorded_by, 0) + 1",
    "entry": "entry + 1",
    "dedupe": "COALESCE(dedupe, '') || 'x'",
    "body": JOURNAL["body"],
}


def _mutations(path: Path) -> Iterator[tuple[str, int, str]]:
    """Every row with every column, and its removal."""
    with closing(sqlite3.connect(path)) as file:
        for table, key, columns in (("journal_entry", "seq", JOURNAL), ("fact", "id", FACT)):
            for (row,) in file.execute(f"SELECT {key} FROM {table} ORDER BY {key}").fetchall():
                for column, to in columns.items():
                    yield (
                        f"{table} {row} {column}",
                        row,
                        f"UPDATE {table} SET {column} = {to} WHERE {key} = {row}",
                    )
                yield f"{table} {row} removed", row, f"DELETE FROM {table} WHERE {key} = {row}"


def _fault_after(docket: Docket, path: Path, change: str) -> ChainFault | None:
    with closing(sqlite3.connect(path)) as file:
        for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP TRIGGER {name}")
        file.execute(change)
        file.commit()
    changed = replace(docket, database=connect(f"sqlite:///{path}"), _rosters={})
    try:
        return verify(changed, MACHINE)
    finally:
        changed.database.engine.dispose()


def test_every_change_of_every_column_and_every_removed_row_is_named(board: Board, tmp_path: Path) -> None:
    number, track = board.served_case()
    board.decide(number, track, board.meeting(), Question.JURISDICTION)
    recusal.recuse(board.docket, board.members[3], number)
    with board.docket.database.read() as session:
        anchor = journal.head(session)
    source = Path(board.docket.database.engine.url.database or "")
    board.docket.database.engine.dispose()
    with closing(sqlite3.connect(source)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    unnamed, tried = [], 0
    for place, (says, row, change) in enumerate(_mutations(source)):
        if place % 3 and not says.startswith("journal_entry"):
            continue  # of the facts every third: each column comes up in many rows
        copy = tmp_path / "copy.sqlite3"
        for old in tmp_path.glob("copy.sqlite3*"):
            old.unlink()
        shutil.copyfile(source, copy)
        fault = _fault_after(board.docket, copy, change)
        tried += 1
        last = says == f"journal_entry {anchor[0]} removed"
        if fault is None and not last:
            unnamed.append(says)
        elif fault is not None and says.startswith("journal_entry"):
            assert fault.seq in {row, row + 1}, (says, fault)
    assert unnamed == []
    print(f"{tried} mutations of journal and facts, each named")  # noqa: T201  the figure is asked for
    assert tried > 200

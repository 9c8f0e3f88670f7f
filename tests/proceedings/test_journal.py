"""The journal under tampering: `verify` names the first wrong entry (C5, decisions 21)."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from store import journal
from store.cases import MACHINE, verify
from store.proceedings import recusal
from store.rules.errors import NoSuchCase
from store.rules.facts import FormDecided, Question
from tests.proceedings.builders import Board
from tests.proceedings.filings import filed

APPEND_ONLY = ("journal_entry", "fact")


def _tamper(board: Board, *changes: str) -> None:
    """Change the file beside the program's back, as somebody with the disk in his hands could."""
    path = Path(board.docket.database.engine.url.database or "")
    board.docket.database.engine.dispose()
    connection = sqlite3.connect(path)
    try:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for sql in changes:
            connection.execute(sql)
        connection.commit()
    finally:
        connection.close()


def _a_life(board: Board) -> tuple[str, int]:
    number, track = board.served_case()
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    board.decide(number, track, held, Question.FACTUAL_BASIS)
    recusal.recuse(board.docket, board.members[3], number)
    return number, track


def _head(board: Board) -> tuple[int, str]:
    with board.docket.database.read() as session:
        return journal.head(session)


def _form_fact(board: Board, number: str) -> tuple[int, int]:
    """The id and entry of a fact in the middle of the journal."""
    one = board.file(number).last(FormDecided)
    assert one is not None
    return one.id, one.entry


def test_a_whole_life_verifies(board: Board) -> None:
    _a_life(board)
    assert verify(board.docket, board.clerk, anchor=_head(board)) is None
    assert verify(board.docket, MACHINE) is None


def test_the_tables_of_the_record_refuse_change_while_their_triggers_stand(board: Board) -> None:
    _a_life(board)
    path = board.docket.database.engine.url.database or ""
    connection = sqlite3.connect(path)
    try:
        for table in APPEND_ONLY:
            for sql in (f"UPDATE {table} SET body = x'00'", f"DELETE FROM {table}"):
                with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                    connection.execute(sql)
    finally:
        connection.close()


def _header(seq: int) -> list[str]:
    return [f"UPDATE journal_entry SET header = replace(header, 'slack', 'cli') WHERE seq = {seq}"]


def _hash(seq: int) -> list[str]:
    return [f"UPDATE journal_entry SET hash = 'f' || substr(hash, 2) || 'x' WHERE seq = {seq}"]


def _instant(seq: int) -> list[str]:
    return [f"UPDATE journal_entry SET at = '2026-01-01 00:00:00.000000' WHERE seq = {seq}"]


def _act(seq: int) -> list[str]:
    return [f"UPDATE journal_entry SET act = 'refer' WHERE seq = {seq}"]


def _body(seq: int) -> list[str]:
    return [
        f"UPDATE journal_entry SET body = (SELECT body FROM journal_entry WHERE seq = 1) WHERE seq = {seq}"
    ]


def _row_removed(seq: int) -> list[str]:
    return [f"DELETE FROM journal_entry WHERE seq = {seq}"]


def _reordered(seq: int) -> list[str]:
    return [
        f"UPDATE journal_entry SET seq = -1 WHERE seq = {seq}",
        f"UPDATE journal_entry SET seq = {seq} WHERE seq = {seq + 1}",
        f"UPDATE journal_entry SET seq = {seq + 1} WHERE seq = -1",
    ]


@pytest.mark.parametrize("change", [_header, _hash, _instant, _act, _body, _row_removed, _reordered])
def test_verify_names_the_entry_that_was_tampered_with(
    board: Board, change: Callable[[int], list[str]]
) -> None:
    number, _track = _a_life(board)
    _fact, entry = _form_fact(board, number)
    _tamper(board, *change(entry))
    fault = verify(board.docket, MACHINE)
    assert fault is not None
    assert fault.seq == entry


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE fact SET body = substr(body, 1, 40) || x'41' || substr(body, 42) WHERE id = {fact}",
        "UPDATE fact SET body = (SELECT body FROM fact WHERE id = {fact} - 1) WHERE id = {fact}",
        "UPDATE fact SET kind = 'withdrawn' WHERE id = {fact}",
        "UPDATE fact SET about = 1 WHERE id = {fact}",
        "UPDATE fact SET supersedes = 1 WHERE id = {fact}",
        "UPDATE fact SET recorded_at = '2026-01-01 00:00:00.000000' WHERE id = {fact}",
        "UPDATE fact SET recorded_by = 3 WHERE id = {fact}",
        "UPDATE fact SET case_id = NULL WHERE id = {fact}",
        "UPDATE fact SET entry = 1 WHERE id = {fact}",
        "UPDATE fact SET dedupe = 'vote:1:1:x' WHERE id = {fact}",
        "DELETE FROM fact WHERE id = {fact}",
    ],
)
def test_verify_names_the_entry_whose_fact_was_tampered_with(board: Board, sql: str) -> None:
    number, _track = _a_life(board)
    fact, entry = _form_fact(board, number)
    _tamper(board, sql.format(fact=fact))
    fault = verify(board.docket, MACHINE)
    assert fault is not None
    assert fault.seq == entry


def test_a_fact_that_no_entry_tells_of_is_found(board: Board) -> None:
    number, _track = _a_life(board)
    fact, entry = _form_fact(board, number)
    columns = "kind, case_id, about, supersedes, recorded_at, recorded_by, entry, body"
    smuggle = f"INSERT INTO fact ({columns}) SELECT {columns} FROM fact WHERE id = {fact}"
    _tamper(board, smuggle)
    fault = verify(board.docket, MACHINE)
    assert fault is not None
    assert (fault.seq, fault.says) == (entry, "a fact stands in no entry")


def test_an_altered_document_row_is_found(board: Board) -> None:
    _a_life(board)
    _tamper(board, f"UPDATE document SET sha256 = '{'0' * 64}' WHERE id = 1")
    fault = verify(board.docket, MACHINE)
    assert fault is not None
    assert "document" in fault.says


@pytest.mark.parametrize(
    "change",
    ["DELETE FROM raw_mail WHERE id = 1", f"UPDATE raw_mail SET sha256 = '{'0' * 64}' WHERE id = 1"],
)
def test_a_message_that_was_taken_and_is_gone_or_another_is_named(board: Board, change: str) -> None:
    filed(board)
    with board.docket.database.read() as session:
        entries = journal.entries(session, board.docket.keyring)
        taken = next(one.seq for one in entries if one.header["act"] == "take-mail")
    _tamper(board, change)
    fault = verify(board.docket, MACHINE)
    assert fault is not None
    assert (fault.seq, fault.says) == (taken, "the message that it tells of is gone or was altered")


def test_a_tail_that_was_cut_shows_by_the_head_that_was_mailed_out(board: Board) -> None:
    number = board.case()
    before = _head(board)
    with pytest.raises(NoSuchCase):
        recusal.recuse(board.docket, board.actor("Ivo Machinist"), number)
    anchor = _head(board)
    assert anchor[0] == before[0] + 1
    _tamper(board, f"DELETE FROM journal_entry WHERE seq > {before[0]}")
    with board.docket.database.read() as session:
        assert journal.verify(session, board.docket.keyring) is None
        fault = journal.verify(session, board.docket.keyring, anchor=anchor)
    assert fault is not None
    assert fault.seq == anchor[0]


def test_a_journal_written_anew_from_some_entry_on_shows_by_the_head_that_was_mailed_out(
    board: Board,
) -> None:
    board.case()
    anchor = _head(board)
    with board.docket.database.read() as session:
        fault = journal.verify(session, board.docket.keyring, anchor=(anchor[0], "0" * 64))
    assert fault is not None
    assert fault.seq == anchor[0]


def test_a_refusal_changes_no_fact_and_has_its_own_entry(board: Board) -> None:
    number = board.case()
    facts, (seq, _hash) = board.file(number).facts, _head(board)
    with pytest.raises(NoSuchCase):
        recusal.recuse(board.docket, board.alternate, number)
    assert board.file(number).facts == facts
    with board.docket.database.read() as session:
        entries = [one for one in journal.entries(session, board.docket.keyring) if one.seq > seq]
    assert [(one.header["act"], one.header["refused"], one.header["actor"]) for one in entries] == [
        ("recuse", True, board.alternate.person)
    ]
    assert verify(board.docket, MACHINE) is None


def test_a_case_that_was_disposed_of_verifies_by_its_headers(board: Board) -> None:
    number, _track = _a_life(board)
    key = board.key(number)
    _tamper(board, f"UPDATE data_key SET wrapped = NULL WHERE kind = 'case' AND owner = {key}")
    _tamper(board, f"DELETE FROM docket_line WHERE case_id = {key}")
    board.docket.keyring.forget()
    assert verify(board.docket, MACHINE) is None


def test_a_paper_that_is_gone_from_the_vault_or_was_altered_is_named(board: Board) -> None:
    board.served_case()
    assert verify(board.docket, MACHINE) is None
    file = next(path for path in board.docket.vault.root.rglob("*") if path.is_file())
    whole = file.read_bytes()
    file.write_bytes(whole[:-8] + b"AAAAAAA=")
    fault = verify(board.docket, MACHINE)
    assert fault is not None
    assert "vault" in fault.says
    file.unlink()
    gone = verify(board.docket, MACHINE)
    assert gone is not None
    assert "vault" in gone.says
    file.write_bytes(whole)
    assert verify(board.docket, MACHINE) is None

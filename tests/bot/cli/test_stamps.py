"""The journal's head is time-stamped by an authority over real HTTP, and `docket verify` checks the stamps (C5, RFC 3161)."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.stamps import HttpAuthority, check_token
from store import journal
from store.database import heartbeats
from store.ports import StampRefused
from store.proceedings.stamping import imprint, stamp_head, stamps
from tests.bot.cli.shell import Shell
from tests.bot.tsa import STAMPED_AT, Authority, an_authority, openssls_authority
from tests.proceedings.builders import Board


@pytest.fixture
def authority() -> Iterator[Authority]:
    """A time-stamping authority on loopback."""
    with an_authority() as running:
        yield running


def _trouble(board: Board) -> list[str]:
    with board.docket.database.read() as session:
        return [name for name, (_at, state) in heartbeats(session).items() if state == "alarm"]


def test_the_head_is_stamped_once_a_day_and_verify_says_so(
    shell: Shell, board: Board, authority: Authority
) -> None:
    board.case()
    asked = HttpAuthority(authority.url)
    assert stamp_head(board.docket, asked)
    assert not stamp_head(board.docket, asked)
    board.clock.advance(timedelta(days=1))
    assert stamp_head(board.docket, asked)
    assert len(authority.asked) == 2
    said = shell.try_("verify").out
    assert "Time stamps: 2, the newest of entry" in said
    assert "traced to no trusted root" in said


def test_a_signer_of_the_trust_folder_is_trusted(
    shell: Shell, board: Board, authority: Authority, tmp_path: Path
) -> None:
    (tmp_path / "roots").mkdir()
    (tmp_path / "roots" / "root.der").write_bytes(authority.root)
    with (shell.folder / ".env").open("a") as file:
        file.write(f"DOCKET_TRUST_ROOTS={tmp_path / 'roots'}\n")
    stamp_head(board.docket, HttpAuthority(authority.url))
    said = shell.try_("verify").out
    assert "Time stamps: 1" in said
    assert "trusted root" not in said


@pytest.mark.contract
@pytest.mark.needs("openssl")
def test_openssls_authority_stamps_the_head_and_openssl_proves_what_was_kept(
    shell: Shell, board: Board, tmp_path: Path
) -> None:
    """Two programs that know nothing of each other: the one stamps and checks, the other asks, keeps and checks."""
    board.case()
    folder = tmp_path / "tsa"
    folder.mkdir()
    with openssls_authority(folder) as authority:
        assert stamp_head(board.docket, HttpAuthority(authority.url))
        (kept,) = stamps(board.docket)
        assert "OK" in authority.proves(kept.token, imprint(kept.seq, kept.hash))
        with pytest.raises(AssertionError):
            authority.proves(kept.token, imprint(kept.seq, "0" * 64))
        (tmp_path / "roots").mkdir()
        (tmp_path / "roots" / "root.der").write_bytes(authority.root)
    assert "traced to no trusted root" in shell.try_("verify").out
    with (shell.folder / ".env").open("a") as file:
        file.write(f"DOCKET_TRUST_ROOTS={tmp_path / 'roots'}\n")
    said = shell.try_("verify").out
    assert "Time stamps: 1" in said
    assert "trusted root" not in said


def test_only_a_hash_leaves_the_record(board: Board, authority: Authority) -> None:
    board.case()
    with board.docket.database.read() as session:
        seq, digest = journal.head(session)
    stamp_head(board.docket, HttpAuthority(authority.url))
    assert len(authority.asked[0]) < 120
    assert imprint(seq, digest) in authority.asked[0]


@pytest.mark.parametrize("mode", ["refused", "other", "rubbish"])
def test_an_authority_that_does_not_stamp_is_an_alarm_and_asked_again_in_an_hour(
    board: Board, authority: Authority, mode: str
) -> None:
    authority.mode = mode
    asked = HttpAuthority(authority.url)
    assert not stamp_head(board.docket, asked)
    assert "alarm:time-stamp" in _trouble(board)
    assert not stamp_head(board.docket, asked)
    assert len(authority.asked) == 1
    authority.mode = "granted"
    board.clock.advance(timedelta(hours=1))
    assert stamp_head(board.docket, asked)
    assert _trouble(board) == []


def test_an_authority_that_sends_elsewhere_is_not_followed(authority: Authority) -> None:
    authority.mode = "elsewhere"
    with pytest.raises(StampRefused):
        HttpAuthority(authority.url).stamp(b"\0" * 32)
    assert authority.followed == []


def test_an_authority_that_is_away_stops_nothing(board: Board) -> None:
    away = HttpAuthority("http://127.0.0.1:9/tsa")
    with pytest.raises(StampRefused, match="does not answer"):
        away.stamp(b"\0" * 32)
    assert not stamp_head(board.docket, away)
    assert board.case()


def test_a_token_shows_when_it_was_altered_or_is_for_something_else(
    board: Board, authority: Authority
) -> None:
    board.case()
    stamp_head(board.docket, HttpAuthority(authority.url))
    (one,) = stamps(board.docket)
    right = imprint(one.seq, one.hash)
    good = check_token(one.token, right, [authority.root])
    assert good is not None
    assert (good.at, good.intact, good.trusted) == (STAMPED_AT, True, True)
    other = check_token(one.token, imprint(one.seq + 1, one.hash))
    assert other is None or not other.intact
    for place in range(0, len(one.token), 37):
        changed = one.token[:place] + bytes([one.token[place] ^ 1]) + one.token[place + 1 :]
        # what nobody signed may change; what an intact and trusted token says may not
        found = check_token(changed, right, [authority.root])
        assert found is None or not (found.intact and found.trusted) or found.at == STAMPED_AT


def test_a_journal_written_anew_below_a_stamp_is_found(
    shell: Shell, board: Board, authority: Authority
) -> None:
    board.case()
    stamp_head(board.docket, HttpAuthority(authority.url))
    (one,) = stamps(board.docket)
    assert one.stands
    path = board.docket.database.engine.url.database or ""
    board.docket.database.engine.dispose()
    with closing(sqlite3.connect(path)) as file:
        for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP TRIGGER {name}")
        file.execute("UPDATE journal_entry SET hash = ? WHERE seq = ?", ("0" * 64, one.seq))
        file.commit()
    (again,) = stamps(board.docket)
    assert not again.stands
    assert "is wrong" in shell.try_("verify").err


def test_a_head_is_given_to_verify_in_either_form(shell: Shell, board: Board) -> None:
    board.case()
    with board.docket.database.read() as session:
        seq, digest = journal.head(session)
    assert shell.try_("verify", "--head", f"{digest}@{seq}").status == 0
    assert shell.try_("verify", "--anchor", f"{seq}:{digest}").status == 0
    assert "not the one whose head was mailed out" in shell.try_("verify", "--head", f"{'0' * 64}@{seq}").err
    assert "ends before entry" in shell.try_("verify", "--head", f"{digest}@{seq + 100}").err

"""A backup is the record at one instant and nothing that opens it; a restore brings just that back (R4, decisions 22)."""

import io
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest
from cryptography.fernet import Fernet

from store import outbox
from store.backup import Backup, BadBackup, Manifest, _written, back_up, check, restore
from store.cases import Docket, act, case_ids, verify
from store.database import head_revision, heartbeats, revision
from store.outbox import Channel, State
from store.ports import untold
from store.printing import PressRoom
from store.proceedings.mail import take_mail
from store.proceedings.receipt import file_complaint
from store.proceedings.restoring import record_restore
from store.rules.access import Deed
from store.rules.errors import BadInput, NotAllowed, NotNow
from store.rules.facts import Withdrawn
from store.scratch import MARK
from store.vault import KeysFault
from tests.clocks import ManualClock
from tests.proceedings.builders import KEY, Board, a_docket
from tests.proceedings.filings import a_filing, a_spot, filed
from tests.store.earlier_schemas import EARLIER, take_back


def _taken(board: Board, tmp_path: Path) -> Backup:
    shelf = tmp_path / "shelf"
    shelf.mkdir(exist_ok=True)
    return back_up(board.docket, board.actor("Ivo Machinist"), _data(board), shelf, untold)


def _data(board: Board) -> Path:
    return board.docket.vault.root.parent


def _restored(made: Backup, folder: Path, clock: ManualClock, press: PressRoom, url: str = "") -> Board:
    restore(
        made.path,
        url or f"sqlite:///{folder}/docket.sqlite3",
        data=folder,
        keys=(KEY,),
        now=clock.now(),
        told=untold,
    )
    return Board(a_docket(folder, clock, press, url=url), clock)


def _closed(board: Board) -> None:
    board.docket.database.engine.dispose()


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, either: Board) -> Iterator[str]:
    """An empty database of the same sort as the one that is backed up; empty text for a new SQLite file."""
    if either.docket.database.is_sqlite:
        yield ""
        return
    server = request.getfixturevalue("postgres_server")
    url = server.new_database()
    yield url
    server.drop_database(url)


def test_what_was_backed_up_comes_back_and_verifies(
    either: Board, elsewhere: str, tmp_path: Path, press: PressRoom
) -> None:
    number, track = either.served_case()
    made = _taken(either, tmp_path)
    again = _restored(made, tmp_path / "new", either.clock, press, elsewhere)
    assert again.file(number).facts == either.file(number).facts
    assert again.file(number).party(track) is not None
    assert verify(again.docket, again.clerk, anchor=made.manifest.head) is None
    assert again.case() == "EC-2026-0002"
    _closed(again)


@pytest.mark.contract
@pytest.mark.needs("postgresql")
def test_a_city_that_outgrows_one_file_restores_into_postgresql(
    board: Board, postgres_url: str, tmp_path: Path, press: PressRoom
) -> None:
    number, _track = board.served_case()
    made = _taken(board, tmp_path)
    again = _restored(made, tmp_path / "new", board.clock, press, postgres_url)
    assert not again.docket.database.is_sqlite
    assert again.file(number).facts == board.file(number).facts
    assert again.case() == "EC-2026-0002"
    assert verify(again.docket, again.clerk) is None
    _closed(again)


def test_a_backup_taken_while_others_write_is_one_instant_of_the_record(
    either: Board, elsewhere: str, tmp_path: Path, press: PressRoom
) -> None:
    number = either.case()
    enough, begun = Event(), Event()

    def write() -> int:
        count = 0
        while not enough.is_set():
            with act(either.docket, either.clerk, Deed.CORRECT, number=number) as step:
                step.record(Withdrawn(step.now, "again" * 200))
                step.keep(
                    b"paper %d" % count, kind="other", media_type="text/plain", name="p", received_at=step.now
                )
            count += 1
            if count > 5:
                begun.set()
        return count

    with ThreadPoolExecutor(2) as pool:
        writers = [pool.submit(write) for _writer in range(2)]
        begun.wait(60)
        made = _taken(either, tmp_path)
        enough.set()
        written = sum(one.result() for one in writers)
    again = _restored(made, tmp_path / "new", either.clock, press, elsewhere)
    assert verify(again.docket, again.clerk, anchor=made.manifest.head) is None
    held = sum(1 for _one in again.file(number).all(Withdrawn))
    assert 5 < held <= written
    _closed(again)


def test_no_key_of_the_city_is_in_a_backup(board: Board, tmp_path: Path) -> None:
    board.served_case()
    (_data(board) / ".env").write_text(f"DOCKET_KEYS={KEY}\n")
    (_data(board) / "templates").mkdir()
    (_data(board) / "templates" / "notice.typ").write_text("#show: sheet")
    made = _taken(board, tmp_path)
    raw = made.path.read_bytes()
    key = Fernet(KEY)
    for secret in (KEY.encode(), key._signing_key, key._encryption_key):
        assert secret not in raw
    with tarfile.open(made.path) as tar:
        names = tar.getnames()
    assert "templates/notice.typ" in names
    assert not [name for name in names if ".env" in name]


def test_no_name_stands_in_the_clear_in_a_backup(board: Board, tmp_path: Path) -> None:
    board.served_case()
    raw = _taken(board, tmp_path).path.read_bytes()
    for name in (b"Connie", b"Rory", b"connie@post.example", b"Clara"):
        assert name not in raw


def test_other_keys_do_not_restore_it_and_nothing_is_put_there(board: Board, tmp_path: Path) -> None:
    board.case()
    made = _taken(board, tmp_path)
    folder = tmp_path / "new"
    with pytest.raises(KeysFault, match="do not open this record"):
        restore(
            made.path,
            f"sqlite:///{folder}/docket.sqlite3",
            data=folder,
            keys=(Fernet.generate_key().decode(),),
            now=board.clock.now(),
            told=untold,
        )
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("what", ["database", "vault"])
def test_a_restore_writes_over_no_record(board: Board, tmp_path: Path, press: PressRoom, what: str) -> None:
    board.case()
    made = _taken(board, tmp_path)
    folder = tmp_path / "new"
    shutil.copytree(_data(board), folder)
    if what == "vault":
        for one in folder.glob("docket.sqlite3*"):
            one.unlink()
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(NotNow, match="never writes over one"):
        _restored(made, folder, board.clock, press)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def _rewritten(made: Backup, to: Path, name: str, change: bytes | None) -> Path:
    """The same archive with one file altered, or taken out."""
    with tarfile.open(made.path) as old, tarfile.open(to, "w") as new:
        for member in old:
            file = old.extractfile(member)
            assert file is not None
            content = file.read()
            if member.name == name:
                if change is None:
                    continue
                content = change + content[len(change) :]
                member.size = len(content)
            new.addfile(member, io.BytesIO(content))
    return to


def test_every_altered_or_missing_file_of_a_backup_is_found_before_anything_is_restored(
    board: Board, tmp_path: Path
) -> None:
    board.served_case()
    made = _taken(board, tmp_path)
    for place, one in enumerate(made.manifest.files):
        for change in (b"\x00!", None):
            bad = _rewritten(made, tmp_path / f"bad-{place}-{change is None}.tar", one.name, change)
            with pytest.raises(BadBackup, match="altered"):
                check(bad, untold)
    assert check(made.path, untold) == made.manifest


def test_a_backup_that_was_cut_short_is_found(board: Board, tmp_path: Path) -> None:
    board.case()
    made = _taken(board, tmp_path)
    whole = made.path.read_bytes()
    for length in (0, 100, 5000, len(whole) // 2, len(whole) - 12_000):
        cut = tmp_path / "cut.tar"
        cut.write_bytes(whole[:length])
        with pytest.raises(BadBackup):
            check(cut, untold)


@pytest.mark.parametrize("name", ["../out", "/etc/out", "vault/../../out", ".env", "vault/ab/link"])
def test_a_file_that_no_backup_holds_is_not_unpacked(board: Board, tmp_path: Path, name: str) -> None:
    board.case()
    made = _taken(board, tmp_path)
    bad = tmp_path / "bad.tar"
    shutil.copy(made.path, bad)
    with tarfile.open(bad, "a") as tar:
        member = tarfile.TarInfo(name)
        member.size = 3
        tar.addfile(member, io.BytesIO(b"bad"))
    with pytest.raises(BadBackup, match="no backup of Docket holds"):
        check(bad, untold)


def test_a_restore_that_was_killed_is_run_again_and_leaves_nothing_behind(
    board: Board, tmp_path: Path, press: PressRoom
) -> None:
    number = board.case()
    made = _taken(board, tmp_path)
    left = tmp_path / "new" / ".restore-abcd"
    (left / "vault").mkdir(parents=True)
    (left / "database.sqlite3").write_bytes(b"half of it")
    (left / MARK).touch()  # its owner's lock went with its owner
    again = _restored(made, tmp_path / "new", board.clock, press)
    assert again.file(number).number == number
    assert not list((tmp_path / "new").glob(".restore-*"))
    _closed(again)


@pytest.mark.parametrize("left", ["docket.sqlite3", "docket.sqlite3-wal"])
def test_a_database_that_somebody_made_while_the_backup_was_read_is_left_alone(
    board: Board, tmp_path: Path, press: PressRoom, left: str
) -> None:
    """Put over an open database, or beside the log of another, the restored one would be damaged."""
    number = board.case()
    made = _taken(board, tmp_path)
    place = tmp_path / "new"

    def meanwhile(_what: str, _done: int, _total: int) -> None:
        (place / left).write_bytes(b"somebody's")

    words = {"data": place, "keys": (KEY,), "now": board.clock.now()}
    with pytest.raises(NotNow, match="Another program made a database"):
        restore(made.path, f"sqlite:///{place}/docket.sqlite3", told=meanwhile, **words)  # type: ignore[arg-type]  # spelled out above
    assert (place / left).read_bytes() == b"somebody's"
    again = _restored(made, tmp_path / "empty", board.clock, press)
    assert again.file(number).number == number
    _closed(again)


@pytest.mark.parametrize("schema", EARLIER)
def test_a_backup_of_an_earlier_version_comes_back_in_this_versions_schema(
    either: Board, tmp_path: Path, press: PressRoom, elsewhere: str, schema: str
) -> None:
    number, _track = either.served_case()
    facts = either.file(number).facts
    take_back(either.docket.database, schema)
    made = _written(either.docket, _data(either), tmp_path / "earlier.tar", untold)
    assert made.manifest.revision == schema
    again = _restored(made, tmp_path / "new", either.clock, press, elsewhere)
    assert revision(again.docket.database) == head_revision()
    assert again.file(number).facts == facts
    assert verify(again.docket, again.clerk) is None
    assert again.case() > number
    _closed(again)


def test_letters_that_waited_when_it_was_made_are_uncertain_after_a_restore(
    board: Board, tmp_path: Path, press: PressRoom
) -> None:
    filed(board, a_filing())
    made = _taken(board, tmp_path)
    again = _restored(made, tmp_path / "new", board.clock, press)
    assert record_restore(again.docket, again.actor("Ivo Machinist"), made.manifest) == 1
    with again.docket.database.read() as session:
        (letter,) = outbox.waiting(session, Channel.MAIL)
    assert letter.state is State.UNCERTAIN
    assert verify(again.docket, again.clerk) is None
    _closed(again)


def test_a_backup_is_its_entry_and_its_age_is_known(board: Board, tmp_path: Path) -> None:
    board.clock.advance(timedelta(hours=1))
    made = _taken(board, tmp_path)
    with board.docket.database.read() as session:
        assert heartbeats(session)["backup"] == (board.clock.now(), "ok")
    assert made.manifest.revision == revision(board.docket.database)
    assert made.path.stat().st_mode & 0o077 == 0
    assert list(made.path.parent.iterdir()) == [made.path]


def test_whoever_has_no_right_to_it_gets_no_backup(board: Board, tmp_path: Path) -> None:
    with pytest.raises(NotAllowed):
        back_up(board.docket, board.members[1], _data(board), tmp_path, untold)
    assert not list(tmp_path.glob("*.tar"))


def test_a_backup_replaces_no_file_and_lies_apart_from_data_and_keys(board: Board, tmp_path: Path) -> None:
    it, data = board.actor("Ivo Machinist"), _data(board)
    there = tmp_path / "there.tar"
    there.write_bytes(b"an earlier one")
    with_keys = tmp_path / "with-keys"
    with_keys.mkdir()
    (with_keys / ".env").touch()
    for place in (there, data, data / "b.tar", with_keys, tmp_path / "nowhere" / "b.tar"):
        with pytest.raises(BadInput):
            back_up(board.docket, it, data, place, untold)
    assert there.read_bytes() == b"an earlier one"


def test_a_damaged_database_makes_no_backup_that_counts(board: Board, tmp_path: Path) -> None:
    for _time in range(3):
        board.served_case()
    path = Path(board.docket.database.engine.url.database or "")
    _closed(board)
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = bytearray(path.read_bytes())
    middle = len(raw) // 2 // 4096 * 4096
    raw[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(bytes(raw))
    with pytest.raises(Exception, match="damaged"):
        _taken(board, tmp_path)
    assert not list((tmp_path / "shelf").glob("*.tar"))


def test_progress_is_told_and_ends_whole(board: Board, tmp_path: Path) -> None:
    board.served_case()
    told: list[tuple[str, int, int]] = []
    back_up(
        board.docket,
        board.clerk,
        _data(board),
        tmp_path,
        lambda what, done, total: told.append((what, done, total)),
    )
    assert {what for what, _done, _total in told} == {"database", "files", "bytes read"}
    assert all(done <= total for _what, done, total in told)
    assert ("files", 3, 3) in told


def _numbers(docket: Docket) -> list[str]:
    with docket.database.read() as session:
        return sorted(number for _key, number in case_ids(session))


def test_a_record_that_falls_back_behind_its_mailbox_files_again_what_came_since_and_doubles_nothing(
    board: Board, tmp_path: Path, press: PressRoom
) -> None:
    filed(board, a_filing(), raw=b"first", uid=1)
    made = _taken(board, tmp_path)
    filed(board, a_filing(), raw=b"second", uid=2)
    again = _restored(made, tmp_path / "new", board.clock, press)
    for uid, raw in ((1, b"first"), (2, b"second")):
        taken = take_mail(again.docket, a_spot(uid, size=len(raw)), raw)
        assert taken.again is (uid == 1)
        if not taken.again:
            file_complaint(again.docket, taken.item, a_filing())
    assert _numbers(again.docket) == _numbers(board.docket) == ["EC-2026-0001", "EC-2026-0002"]
    assert verify(again.docket, again.clerk) is None
    _closed(again)


def test_a_manifest_says_what_is_in_it(board: Board, tmp_path: Path) -> None:
    board.served_case()
    manifest = _taken(board, tmp_path).manifest
    assert isinstance(manifest, Manifest)
    assert manifest.counts["docket_case"] == 1
    papers = {path.name for path in board.docket.vault.root.rglob("*") if path.is_file()}
    assert {name.rpartition("/")[2] for name in (one.name for one in manifest.files)} >= papers

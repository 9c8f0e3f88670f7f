"""A disk that is full to its last byte: under the database and its log, the vault, a backup, a restore (R7)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.backup import back_up, check, restore
from store.cases import MACHINE, act, verify
from store.copying import keep_before_migration
from store.database import RecordUnavailable
from store.outbox import Channel, waiting
from store.ports import untold
from store.printing import PressRoom
from store.proceedings import acknowledgement
from store.proceedings.mail import waiting_items
from store.rules.access import Deed
from store.rules.facts import Withdrawn
from tests.clocks import ManualClock
from tests.proceedings.builders import KEY, Board, a_board, a_docket
from tests.proceedings.filings import taken
from tests.store.small_disk import SmallDisk, small_disk

FULL = r"(The disk is full|could not be read or written).*What was recorded is safe"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk") as made:
        yield made


@pytest.fixture
def tight(disk: SmallDisk, clock: ManualClock, press: PressRoom) -> Iterator[Board]:
    """A Board whose record lies on the small disk."""
    made = a_board(disk.folder / "data", clock, press)
    yield made
    disk.free()
    made.docket.database.engine.dispose()


def files(folder: Path) -> set[str]:
    return {one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file()}


def until_full(board: Board, number: str) -> None:
    """Act until the log beside the database has no room."""
    for _act in range(400):
        with act(board.docket, board.clerk, Deed.CORRECT, number=number) as step:
            step.record(Withdrawn(step.now, "x" * 20_000))


def test_under_a_full_database_an_act_is_whole_or_not_there_and_reading_goes_on(
    tight: Board, disk: SmallDisk
) -> None:
    number = tight.case()
    disk.fill()
    with pytest.raises(RecordUnavailable, match=FULL):
        until_full(tight, number)
    before = tight.file(number).facts
    with pytest.raises(RecordUnavailable, match=FULL):
        until_full(tight, number)
    assert tight.file(number).facts[: len(before)] == before
    with pytest.raises(RecordUnavailable, match=FULL):  # looking is an act as well, and none goes unrecorded
        verify(tight.docket, tight.clerk)
    disk.free()
    assert tight.case() > number
    assert verify(tight.docket, MACHINE) is None


def test_a_record_that_was_opened_first_on_a_full_disk_is_said_and_opened_when_there_is_room(
    disk: SmallDisk, clock: ManualClock, press: PressRoom
) -> None:
    made = a_board(disk.folder / "data", clock, press)
    number = made.case()
    made.docket.database.engine.dispose()
    disk.fill()
    with pytest.raises(RecordUnavailable, match=r"disk|record"):
        until_full(Board(a_docket(disk.folder / "data", clock, press), clock), number)
    disk.free()
    again = Board(a_docket(disk.folder / "data", clock, press), clock)
    assert again.case() > number
    assert verify(again.docket, MACHINE) is None
    again.docket.database.engine.dispose()


def test_a_full_vault_takes_no_mail_and_leaves_nothing_half(tight: Board, disk: SmallDisk) -> None:
    number = tight.case()
    before = files(disk.folder / "data" / "vault")
    disk.fill()
    with pytest.raises(RecordUnavailable, match=FULL):
        taken(tight.docket, b"m" * (1 << 20), 7)
    assert waiting_items(tight.docket) == []
    assert files(disk.folder / "data" / "vault") == before
    disk.free()
    assert taken(tight.docket, b"m" * (1 << 20), 7)
    assert tight.file(number).number == number
    assert verify(tight.docket, MACHINE) is None


def test_a_letter_on_a_full_disk_is_owed_whole_or_not_at_all(tight: Board, disk: SmallDisk) -> None:
    number = tight.case()
    disk.fill()
    with pytest.raises(RecordUnavailable, match=FULL):
        until_full(tight, number)
    with pytest.raises(RecordUnavailable, match=FULL):
        acknowledgement.acknowledge(tight.docket, tight.clerk, number)
    with tight.docket.database.read() as session:
        assert waiting(session, Channel.MAIL) == []
    disk.free()
    acknowledgement.acknowledge(tight.docket, tight.clerk, number)
    with tight.docket.database.read() as session:
        assert len(waiting(session, Channel.MAIL)) == 1


def test_a_backup_onto_a_full_disk_is_none_and_leaves_no_file(
    board: Board, disk: SmallDisk, tmp_path: Path
) -> None:
    board.case()
    data = Path(board.docket.database.engine.url.database or "").parent
    first = back_up(board.docket, MACHINE, data, disk.folder, untold)
    board.clock.advance(board.docket.undo_for)
    kept = files(disk.folder)
    disk.fill()
    with pytest.raises(RecordUnavailable, match=FULL):
        back_up(board.docket, MACHINE, data, disk.folder, untold)
    assert files(disk.folder) - {"filler"} == kept
    assert check(first.path, untold) == first.manifest
    disk.free()
    second = back_up(board.docket, MACHINE, data, disk.folder, untold)
    assert check(second.path, untold) == second.manifest
    assert verify(board.docket, MACHINE) is None


def test_a_restore_onto_a_full_disk_is_said_and_can_be_run_again(
    board: Board, disk: SmallDisk, tmp_path: Path, press: PressRoom
) -> None:
    number = board.case()
    data = Path(board.docket.database.engine.url.database or "").parent
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    made = back_up(board.docket, MACHINE, data, shelf, untold)
    target = disk.folder / "data"
    target.mkdir()
    url = f"sqlite:///{target}/docket.sqlite3"

    def again() -> None:
        restore(made.path, url, data=target, keys=(KEY,), now=board.clock.now(), told=untold)

    disk.fill()
    with pytest.raises(RecordUnavailable, match=FULL):
        again()
    disk.free()
    again()
    found = Board(a_docket(target, board.clock, press), board.clock)
    assert found.file(number).number == number
    assert verify(found.docket, MACHINE) is None
    found.docket.database.engine.dispose()


def test_a_migration_on_a_full_disk_is_not_begun_and_leaves_no_half_copy(
    tight: Board, disk: SmallDisk
) -> None:
    number = tight.case()
    disk.fill()
    with pytest.raises(RecordUnavailable, match=FULL):
        keep_before_migration(tight.docket.database, disk.folder / "data", "0001", tight.clock.now())
    assert not list((disk.folder / "data" / "before-migration").glob("*"))
    disk.free()
    copy = keep_before_migration(tight.docket.database, disk.folder / "data", "0001", tight.clock.now())
    assert copy.stat().st_size > 0
    assert tight.file(number).number == number

"""The health file says whether Docket works, and says so too when the record does not."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.cli.health import HEALTH_FILE, HealthFile
from store.database import RecordUnavailable, beat
from store.proceedings.reminders import raise_alarm
from tests.proceedings.builders import Board
from tests.store.small_disk import small_disk


@pytest.fixture
def health(board: Board, tmp_path: Path) -> HealthFile:
    return HealthFile(board.docket, tmp_path, "this-copy", lambda: "connected")


def read(health: HealthFile) -> dict[str, object]:
    found: dict[str, object] = json.loads((health.folder / HEALTH_FILE).read_text())
    return found


def damage_the_record(board: Board) -> None:
    engine = board.docket.database.engine
    engine.dispose()
    assert engine.url.database is not None
    Path(engine.url.database).write_bytes(b"no database " * 1000)


def test_it_tells_beats_and_what_waits_and_no_trouble_where_there_is_none(
    health: HealthFile, board: Board
) -> None:
    with board.docket.database.write() as session:
        beat(session, "poll", board.clock.now())
    health.write()
    found = read(health)
    assert found["trouble"] == []
    assert found["slack"] == "connected"
    assert set(found["beats"]) == {"alive", "poll"}  # type: ignore[call-overload]  # read from JSON
    assert not health.in_trouble()


def test_an_alarm_that_stands_is_trouble(health: HealthFile, board: Board) -> None:
    raise_alarm(board.docket, "mailbox", "The mail server refuses Docket's login.")
    health.write()
    assert read(health)["trouble"] == ["alarm:mailbox"]
    assert health.in_trouble()


def test_a_record_that_does_not_answer_is_trouble_and_stands_in_the_file(
    health: HealthFile, board: Board
) -> None:
    health.write()
    damage_the_record(board)
    board.clock.advance(timedelta(minutes=1))
    with pytest.raises(RecordUnavailable):
        health.write()
    found = read(health)
    assert found["trouble"] == ["record"]
    assert found["at"] == board.clock.now().isoformat()
    assert "The database file is damaged" in str(found["says"])
    assert health.in_trouble()


def test_a_file_that_cannot_be_put_in_place_leaves_nothing_beside_it(health: HealthFile) -> None:
    (health.folder / HEALTH_FILE).mkdir()
    with pytest.raises(OSError, match="directory"):
        health.write()
    assert not list(health.folder.glob(".health-*"))


def test_a_full_disk_is_told_as_one_and_the_file_of_before_stays(health: HealthFile, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        health = replace(health, folder=disk.folder)
        health.write()
        before = read(health)
        disk.fill()
        with pytest.raises(RecordUnavailable, match="The disk is full"):
            health.write()
        assert read(health) == before
        disk.free()
        health.write()

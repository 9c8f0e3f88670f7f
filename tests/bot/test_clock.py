"""The practice clock: one offset in a folder, followed by every process that opens it."""

import multiprocessing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from bot.clock import PRACTICE_CLOCK_FILE, BackwardsInTime, ClockFault, PracticeClock, SystemClock, clock_of
from tests.clocks import ManualClock

START = datetime(2026, 3, 2, 15, tzinfo=UTC)


def test_the_machines_instant_is_aware_and_in_utc() -> None:
    assert SystemClock().now().tzinfo is UTC


def test_a_practice_clock_that_was_never_set_shows_the_time_it_stands_on(
    tmp_path: Path, clock: ManualClock
) -> None:
    assert PracticeClock(tmp_path, clock).now() == clock.now()
    assert not (tmp_path / PRACTICE_CLOCK_FILE).exists()


def test_the_first_setting_may_go_back_and_the_clock_runs_on_from_there(
    tmp_path: Path, clock: ManualClock
) -> None:
    practice = PracticeClock(tmp_path, clock)
    assert practice.set_to(datetime(2025, 1, 1, tzinfo=UTC)) == datetime(2025, 1, 1, tzinfo=UTC)
    clock.advance(timedelta(hours=2))
    assert practice.now() == datetime(2025, 1, 1, 2, tzinfo=UTC)


def test_another_that_opens_the_folder_follows_it_at_once(tmp_path: Path, clock: ManualClock) -> None:
    ours, theirs = PracticeClock(tmp_path, clock), PracticeClock(tmp_path, clock)
    ours.set_to(START)
    ours.advance(timedelta(days=3, microseconds=1))
    assert theirs.now() == START + timedelta(days=3, microseconds=1)


def test_an_instant_in_another_zone_is_the_same_instant(tmp_path: Path, clock: ManualClock) -> None:
    there = START.astimezone(timezone(timedelta(hours=-5)))
    answered = PracticeClock(tmp_path, clock).set_to(there)
    assert answered == START
    assert answered.tzinfo is UTC


def test_an_instant_without_zone_is_refused(tmp_path: Path, clock: ManualClock) -> None:
    with pytest.raises(ValueError, match="zone"):
        PracticeClock(tmp_path, clock).set_to(START.replace(tzinfo=None))


def test_once_it_runs_it_never_goes_back(tmp_path: Path, clock: ManualClock) -> None:
    practice = PracticeClock(tmp_path, clock)
    practice.set_to(START)
    with pytest.raises(BackwardsInTime):
        practice.set_to(START - timedelta(microseconds=1))
    with pytest.raises(BackwardsInTime):
        practice.advance(timedelta(microseconds=-1))
    assert practice.set_to(START) == START
    assert practice.now() == START


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"offset_us": "soon"}', '{"offset_us": 1e400}'])
def test_a_damaged_file_is_said_with_its_mend_and_never_taken_for_no_offset(
    tmp_path: Path, clock: ManualClock, content: str
) -> None:
    (tmp_path / PRACTICE_CLOCK_FILE).write_text(content)
    with pytest.raises(ClockFault, match="Delete that file"):
        PracticeClock(tmp_path, clock).now()


def test_a_folder_without_practice_clock_has_the_machines(tmp_path: Path) -> None:
    assert isinstance(clock_of(tmp_path), SystemClock)
    PracticeClock(tmp_path).set_to(START)
    assert isinstance(clock_of(tmp_path), PracticeClock)


def _advance_often(folder: Path, times: int) -> None:
    practice = PracticeClock(folder, ManualClock())
    for _ in range(times):
        practice.advance(timedelta(hours=1))


def test_of_advances_by_several_processes_none_is_lost_and_a_reader_never_sees_half(
    tmp_path: Path, clock: ManualClock
) -> None:
    practice = PracticeClock(tmp_path, clock)
    practice.set_to(START)
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_advance_often, args=(tmp_path, 25)) for _ in range(2)]
    for writer in writers:
        writer.start()
    seen = [START]
    while any(writer.is_alive() for writer in writers):
        seen.append(practice.now())
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert seen == sorted(seen)
    assert practice.now() == START + timedelta(hours=50)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        PRACTICE_CLOCK_FILE,
        f"{PRACTICE_CLOCK_FILE}.lock",
    ]

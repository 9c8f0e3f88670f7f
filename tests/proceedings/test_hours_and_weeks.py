"""Every hour of the days on which clocks change, and of a year change, in both zones of Kentucky; a week asleep (D5)."""

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import select

from store import outbox
from store.cases import MACHINE, verify
from store.database import heartbeats
from store.outbox import Channel, State
from store.ports import Delivery, DeliveryState, PingKind
from store.printing import PressRoom
from store.proceedings import delivery
from store.proceedings.calendar import adopt_calendar
from store.proceedings.reminders import sweep
from store.rules.dates import local_date
from store.tables import Due, Heartbeat, OutboxRow, ReminderSent
from tests.clocks import ManualClock
from tests.proceedings.builders import PROFILE, Board, a_board, a_docket

EASTERN, CENTRAL = "America/Kentucky/Louisville", "America/Chicago"
SPANS = {
    "the hour that is left out": date(2026, 3, 8),
    "the hour that comes twice": date(2026, 11, 1),
    "the year's change": date(2026, 12, 31),
}
AN_HOUR = timedelta(hours=1)


@contextmanager
def a_city(folder: Path, clock: ManualClock, press: PressRoom, zone: str) -> Iterator[Board]:
    """A Board in a zone, with both years' closures adopted."""
    before = 'zone = "America/New_York"'
    assert before in PROFILE
    board = a_board(folder, clock, press, profile=PROFILE.replace(before, f'zone = "{zone}"'))
    adopt_calendar(board.docket, board.clerk, "adopted_years = [2026, 2027]\n", "both years' lists")
    yield board
    board.docket.database.engine.dispose()


def dates(board: Board) -> list[tuple[object, ...]]:
    with board.docket.database.read() as session:
        return [
            (one.case_id, one.step, one.act_by, one.expected_last_day, one.keep_open_until)
            for one in session.exec(select(Due).order_by(Due.case_id, Due.step))  # type: ignore[arg-type]  # columns
        ]


def sent(board: Board) -> Counter[tuple[object, ...]]:
    with board.docket.database.read() as session:
        return Counter(
            (one.case_id, one.step, one.stage, one.person_id) for one in session.exec(select(ReminderSent))
        )


def hours_of(first: date, days: int, zone: str) -> Iterator[datetime]:
    """Every hour from a day's midnight on, for so many days of the zone."""
    begin = datetime(first.year, first.month, first.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    last = first + timedelta(days=days)
    end = datetime(last.year, last.month, last.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    while begin < end:
        yield begin
        begin += AN_HOUR


@pytest.mark.parametrize("zone", [EASTERN, CENTRAL])
@pytest.mark.parametrize("span", SPANS)
def test_at_every_hour_of_a_change_the_sweep_reminds_once_in_office_hours_and_moves_no_date(
    tmp_path: Path, press: PressRoom, zone: str, span: str
) -> None:
    change = SPANS[span]
    start = change - timedelta(days=8)
    clock = ManualClock(datetime(start.year, start.month, start.day, 16, tzinfo=UTC))
    with a_city(tmp_path, clock, press, zone) as board:
        number = board.case()
        board.respondent(number)
        before = dates(board)
        assert before
        days: Counter[date] = Counter()
        for instant in hours_of(change - timedelta(days=1), 3, zone):
            clock.set_to(instant)
            report = sweep(board.docket)
            local = instant.astimezone(ZoneInfo(zone))
            if report.reminders:
                assert 8 <= local.hour < 17, local
                assert local.weekday() < 5, local
                days[local_date(instant, ZoneInfo(zone))] += 1
        assert dates(board) == before
        assert set(sent(board).values()) <= {1}
        assert all(count == 1 for count in days.values()), days
        assert verify(board.docket, MACHINE) is None


@pytest.mark.parametrize("zone", [EASTERN, CENTRAL])
@pytest.mark.parametrize("span", SPANS)
def test_a_complaint_filed_at_any_hour_of_a_change_has_the_dates_of_its_local_day(
    tmp_path: Path, press: PressRoom, zone: str, span: str
) -> None:
    change = SPANS[span]
    clock = ManualClock(datetime(change.year, change.month, 1, 16, tzinfo=UTC))
    with a_city(tmp_path, clock, press, zone) as board:
        found: dict[date, set[tuple[object, ...]]] = {}
        years: set[tuple[str, int]] = set()
        for instant in hours_of(change, 2, zone):
            clock.set_to(instant)
            number = board.case()
            day = local_date(instant, ZoneInfo(zone))
            years.add((number.split("-")[1], day.year))
            mine = [
                (str(one[1]).partition(":")[0], *one[2:])
                for one in dates(board)
                if one[0] == board.key(number)
            ]
            found.setdefault(day, set()).add(tuple(mine))
    assert len(found) == 2
    assert all(len(each) == 1 for each in found.values()), {day: len(each) for day, each in found.items()}
    assert all(number_year == str(year) for number_year, year in years)


def _digests(board: Board) -> Counter[int | None]:
    found: Counter[int | None] = Counter()
    while owed := delivery.claim(board.docket, Channel.SLACK):
        for one in owed:
            assert one.ping is not None
            found[one.ping.person] += one.ping.kind is PingKind.REMINDER_DIGEST
            delivery.settle(board.docket, one, Delivery(DeliveryState.ACCEPTED))
    return found


@pytest.mark.parametrize("asleep_days", [1, 3, 7, 14])
def test_after_days_asleep_each_person_gets_one_digest_and_each_reminder_goes_once(
    board: Board, asleep_days: int
) -> None:
    for _case in range(3):
        board.respondent(board.case())
    sweep(board.docket)
    _digests(board)
    board.clock.advance(timedelta(days=asleep_days))
    while not sweep(board.docket).reminders:
        board.clock.advance(timedelta(hours=1))
    for _again in range(5):
        assert sweep(board.docket).reminders == 0
    digests = _digests(board)
    assert digests[board.clerk.person] == 1
    assert set(digests.values()) <= {0, 1}
    assert set(sent(board).values()) == {1}


def test_after_a_week_asleep_the_journals_head_is_mailed_once_and_not_seven_times(
    tmp_path: Path, press: PressRoom, clock: ManualClock, fresh_record: Path
) -> None:
    from dataclasses import replace

    shutil.copytree(fresh_record, tmp_path / "record")
    docket = replace(a_docket(tmp_path / "record", clock, press), alert_to=("it@city.example",))
    sweep(docket)
    clock.advance(timedelta(days=7))
    for _sweep in range(3):
        sweep(docket)
    with docket.database.read() as session:
        heads = [one for one in session.exec(select(OutboxRow)) if one.kind == "journal-head"]
    assert len(heads) == 2
    docket.database.engine.dispose()


def test_nothing_but_the_record_is_needed_to_go_on(board: Board, tmp_path: Path, press: PressRoom) -> None:
    """There is no job store to lose: what is due is looked up in the record, by whatever process looks next."""
    for _case in range(2):
        board.respondent(board.case())
    board.clock.advance(timedelta(days=1))
    sweep(board.docket)
    before = sent(board)
    assert before
    folder = board.docket.vault.root.parent
    board.docket.database.engine.dispose()
    with a_docket(folder, board.clock, press).database.write() as session:
        for name in heartbeats(session):
            session.delete(session.get(Heartbeat, name))
    again = Board(a_docket(folder, board.clock, press), board.clock)
    assert sweep(again.docket).reminders == 0
    again.clock.advance(timedelta(days=7))
    assert sweep(again.docket).reminders > 0
    assert set(sent(again).values()) == {1}
    with again.docket.database.read() as session:
        assert {one.state for one in outbox.waiting(session, Channel.SLACK)} <= {State.QUEUED}
    again.docket.database.engine.dispose()

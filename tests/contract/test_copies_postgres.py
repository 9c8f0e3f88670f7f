"""Several copies on one PostgreSQL: one leads, each reminder and each letter goes once, one chain (R3, D5)."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest
from sqlmodel import select

from bot.schedule import Timetable, drain
from store.cases import Docket, verify
from store.outbox import Channel, Owed, waiting
from store.ports import Delivery, DeliveryState, PingKind
from store.printing import PressRoom
from store.proceedings import acknowledgement, delivery, parties
from store.proceedings.reminders import sweep
from store.rules.facts import Choice, PartyNamed, PartyRole, Question
from store.tables import ReminderSent
from tests.clocks import ManualClock
from tests.proceedings.builders import Board, a_board, a_docket, at

pytestmark = [pytest.mark.contract, pytest.mark.needs("postgresql")]
COPIES = 4
ACCEPTED = Delivery(DeliveryState.ACCEPTED)


@pytest.fixture
def board(tmp_path: Path, clock: ManualClock, press: PressRoom, postgres_url: str) -> Iterator[Board]:
    made = a_board(tmp_path, clock, press, url=postgres_url)
    yield made
    made.docket.database.engine.dispose()


@pytest.fixture
def copies(tmp_path: Path, board: Board, press: PressRoom, postgres_url: str) -> Iterator[tuple[Docket, ...]]:
    """The record opened by several copies of Docket, each with connections of its own."""
    made = tuple(a_docket(tmp_path, board.clock, press, url=postgres_url) for _ in range(COPIES))
    yield made
    for one in made:
        one.database.engine.dispose()


def all_at_once(copies: tuple[Docket, ...], work: Callable[[Docket], object]) -> None:
    """Do something in every copy at the same moment; a fault of one fails the test."""
    start = Barrier(len(copies))
    faults: list[BaseException] = []

    def run(docket: Docket) -> None:
        start.wait()
        try:
            work(docket)
        except BaseException as error:  # noqa: BLE001  whatever it is, the test's own thread must fail by it
            faults.append(error)

    threads = [Thread(target=run, args=(one,)) for one in copies]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not faults


def test_copies_that_sweep_at_once_remind_once(board: Board, copies: tuple[Docket, ...]) -> None:
    for _ in range(3):
        board.respondent(board.case())
    board.clock.set_to(at(date(2026, 2, 13)))
    reports: list[int] = []
    all_at_once(copies, lambda docket: reports.append(sweep(docket).reminders))
    with board.docket.database.read() as session:
        rows = len(session.exec(select(ReminderSent.id)).all())
    assert sum(reports) == rows > 0
    digests: dict[int | None, int] = {}
    while owed := delivery.claim(board.docket, Channel.SLACK):
        for one in owed:
            assert one.ping is not None
            if one.ping.kind is PingKind.REMINDER_DIGEST:
                digests[one.ping.person] = digests.get(one.ping.person, 0) + 1
            delivery.settle(board.docket, one, ACCEPTED)
    assert set(digests.values()) == {1}


def test_copies_that_deliver_at_once_send_each_letter_once(board: Board, copies: tuple[Docket, ...]) -> None:
    number = board.case()
    for place in range(8):
        joint = PartyNamed(PartyRole.COMPLAINANT, f"Complainant {place}", (f"c{place}@post.example",))
        parties.name_party(board.docket, board.clerk, number, joint)
    acknowledgement.acknowledge(board.docket, board.clerk, number)
    board.clock.advance(timedelta(minutes=6))
    sent: list[int] = []

    def send(owed: Owed) -> Delivery:
        sent.append(owed.id)
        return ACCEPTED

    all_at_once(copies, lambda docket: drain(docket, Channel.MAIL, send))
    assert len(sent) == len(set(sent)) == 9
    with board.docket.database.read() as session:
        assert waiting(session, Channel.MAIL) == []


def test_one_of_several_copies_leads_and_a_dead_one_is_replaced(
    board: Board, copies: tuple[Docket, ...]
) -> None:
    def a_timetable(docket: Docket) -> Timetable:
        return Timetable(
            docket,
            show_ping=lambda _owed: ACCEPTED,
            send_letter=lambda _owed: ACCEPTED,
            seconds=lambda: 0.0,
        )

    tables = {id(one): a_timetable(one) for one in copies}
    all_at_once(copies, lambda docket: tables[id(docket)]._renew())
    leaders = [one for one in tables.values() if one.is_leader()]
    assert len(leaders) == 1
    board.clock.advance(timedelta(seconds=9))
    living = tuple(one for one in copies if tables[id(one)] is not leaders[0])
    all_at_once(living, lambda docket: tables[id(docket)]._renew())
    assert sum(tables[id(one)].is_leader() for one in living) == 1


def test_votes_cast_in_several_copies_at_once_all_count_in_one_chain(
    board: Board, copies: tuple[Docket, ...]
) -> None:
    from store.proceedings import ballot

    number, track = board.served_case()
    key = board.ballot(number, track, board.meeting(), Question.JURISDICTION)
    voters = dict(zip(map(id, copies), board.members, strict=False))

    def cast(docket: Docket) -> None:
        ballot.vote(docket, voters[id(docket)], number, key, Choice.YES, submission="s")

    all_at_once(copies, cast)
    assert ballot.close_ballot(board.docket, board.chair, number, key).yes == COPIES
    assert verify(board.docket, board.clerk) is None

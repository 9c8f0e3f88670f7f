"""Mail taken: kept before anything is read, known by its bytes wherever it is seen (I1, I2, I10)."""

from datetime import timedelta

import pytest
from sqlmodel import func, select

from store.proceedings.mail import (
    item_of,
    known_spots,
    note_old_mail,
    place_of,
    raw_of,
    set_starting_date,
    starting_date,
    take_mail,
    waiting_items,
)
from store.proceedings.receipt import MAX_TRIES, file_complaint, put_off
from store.rules.errors import AlreadyDone, NoSuchCase
from store.tables import CaseRow, MailItem, RawMail, Sighting
from tests.clocks import A_MONDAY_MORNING
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, a_spot, item_count, taken


def _counts(board: Board) -> tuple[int, int, int]:
    """How many raw messages, items and sightings there are."""
    with board.docket.database.read() as session:
        raw, items, seen = (
            session.exec(select(func.count()).select_from(table)).one()
            for table in (RawMail, MailItem, Sighting)
        )
    return raw, items, seen


def test_a_message_is_kept_byte_for_byte_and_waits_to_be_read(board: Board) -> None:
    raw = bytes(range(256)) + b"\r\n.\r\n"
    item = taken(board.docket, raw)
    assert raw_of(board.docket, item) == raw
    (waiting,) = waiting_items(board.docket)
    assert (waiting.id, waiting.received_at, waiting.offset_minutes) == (item, A_MONDAY_MORNING, -300)
    assert place_of(board.docket, item) == ("taken", "")


def test_the_same_bytes_seen_again_are_one_item_with_two_sightings(board: Board) -> None:
    spots = (a_spot(1), a_spot(2), a_spot(1, uidvalidity=8), a_spot(1, folder="Junk"))
    every = item_count(board.docket, b"a mail", *spots)
    assert [one.again for one in every] == [False, True, True, True]
    assert len({one.item for one in every}) == 1
    assert _counts(board) == (1, 1, 4)


def test_the_same_place_read_again_changes_nothing(board: Board) -> None:
    first, second = item_count(board.docket, b"a mail", a_spot(1), a_spot(1))
    assert (first.item, second.again) == (second.item, True)
    assert _counts(board) == (1, 1, 1)


def test_a_mailbox_made_anew_with_the_same_uids_is_read_anew(board: Board) -> None:
    take_mail(board.docket, a_spot(1), b"the old mail")
    other = a_spot(1, size=99, internaldate=A_MONDAY_MORNING + timedelta(days=1))
    assert not take_mail(board.docket, other, b"another mail").again
    assert _counts(board) == (2, 2, 2)


def test_a_message_seen_again_after_it_was_filed_makes_no_second_case(board: Board) -> None:
    item = taken(board.docket)
    number = file_complaint(board.docket, item, a_filing())
    again = take_mail(board.docket, a_spot(9), b"a mail")
    assert (again.item, again.again) == (item, True)
    assert waiting_items(board.docket) == []
    with pytest.raises(AlreadyDone):
        file_complaint(board.docket, again.item, a_filing())
    assert place_of(board.docket, item) == ("in-a-case", number)
    with board.docket.database.read() as session:
        assert session.exec(select(func.count()).select_from(CaseRow)).one() == 1


def test_messages_from_before_the_starting_date_are_seen_and_not_taken(board: Board) -> None:
    old = a_spot(1)
    note_old_mail(board.docket, [old, old])
    assert known_spots(board.docket, old.server, old.account, old.folder) == {old}
    assert _counts(board) == (0, 0, 1)
    assert take_mail(board.docket, old, b"old").again
    assert _counts(board) == (0, 0, 1)


def test_the_first_answer_to_from_when_to_read_stands(board: Board) -> None:
    box = ("imap.example", "board", "INBOX")
    assert starting_date(board.docket, *box) is None
    for later in (0, 5):
        set_starting_date(board.docket, *box, A_MONDAY_MORNING + timedelta(days=later))
    assert starting_date(board.docket, *box) == A_MONDAY_MORNING
    assert starting_date(board.docket, "imap.example", "board", "Junk") is None


def test_a_message_that_cannot_be_read_waits_longer_each_time_and_then_for_a_person(board: Board) -> None:
    item = taken(board.docket)
    waits = []
    while put_off(board.docket, item, "F1"):
        assert waiting_items(board.docket) == []
        minutes = 0
        while not waiting_items(board.docket):
            board.clock.advance(timedelta(minutes=1))
            minutes += 1
        waits.append(minutes)
    assert waits == [2, 4, 6, 8]
    assert item_of(board.docket, item).tries == MAX_TRIES
    assert place_of(board.docket, item) == ("holding-pen", "")
    assert waiting_items(board.docket) == []


def test_an_item_that_is_none_is_refused(board: Board) -> None:
    for ask in (item_of, place_of, raw_of):
        with pytest.raises(NoSuchCase):
            ask(board.docket, 99)

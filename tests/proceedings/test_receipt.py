"""Receipt: a message becomes a case, joins one, waits for a person, or is set aside (I1, I4, I5)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store import journal
from store.cases import MACHINE, Docket, papers, read_document, verify
from store.letters.auto_receipt import Received
from store.outbox import Channel
from store.ports import PingKind
from store.printing import PressRoom
from store.proceedings import delivery, receipt
from store.proceedings.mail import place_of
from store.proceedings.receipt import Paper, Sender, attach_paper, file_complaint, hold, set_aside
from store.rules.errors import AlreadyDone, BadInput
from store.rules.facts import Basis, ComplaintReceived, MailPlaced, PaperReceived, PartyRole, ReceivedBy
from store.tables import CaseCounter
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.proceedings.builders import PROFILE, Board, a_board
from tests.proceedings.filings import CONNIE, PDF, a_filing, filed, in_town, letters, naming, pings, taken


def _acts(docket: Docket) -> list[tuple[object, object, object]]:
    """The journal's last entries: act, whether refused, case."""
    with docket.database.read() as session:
        newest = journal.newest(session, docket.keyring, 5)
    return [(one.header["act"], one.header["refused"], one.header["case"]) for one in newest]


# -- a new case ---------------------------------------------------------------------------------------


def test_a_complaint_is_filed_with_the_mail_servers_instant_whenever_it_is_read(board: Board) -> None:
    board.clock.advance(timedelta(days=7))
    number = filed(board)
    case = board.file(number)
    received = case.received(ReceivedBy.BOARD)
    assert received is not None
    assert (received.fact.received_at, received.fact.basis) == (A_MONDAY_MORNING, Basis.MAIL_SERVER)
    assert case.received_at == A_MONDAY_MORNING
    assert received.fact.mail_item == 1
    assert verify(board.docket, MACHINE) is None


@pytest.mark.parametrize(
    ("received", "number"),
    [
        ("2026-12-31T23:30", "EC-2026-0001"),  # in UTC it is 2027 already
        ("2026-12-31T18:59", "EC-2026-0001"),
        ("2027-01-01T00:00", "EC-2027-0001"),
    ],
)
def test_a_number_has_the_year_of_receipt_in_the_citys_zone(board: Board, received: str, number: str) -> None:
    board.clock.set_to(datetime(2027, 1, 4, 15, tzinfo=UTC))
    assert filed(board, a_filing(in_town(received))) == number


def test_numbers_follow_each_other_and_grow_wider_past_their_padding(
    tmp_path: Path, clock: ManualClock, press: PressRoom
) -> None:
    profile = PROFILE.replace("EC-{year}-{seq:04d}", "{year}-{seq:03d}")
    board = a_board(tmp_path, clock, press, profile=profile)
    with board.docket.database.write() as session:
        session.add(CaseCounter(year=2026, last=998))
    found = [filed(board, raw=b"%d" % one, uid=one) for one in (1, 2, 3)]
    assert found == ["2026-999", "2026-1000", "2026-1001"]
    board.docket.database.engine.dispose()


def test_a_number_with_small_letters_is_found(tmp_path: Path, clock: ManualClock, press: PressRoom) -> None:
    board = a_board(tmp_path, clock, press, profile=PROFILE.replace("EC-{year}", "ethics-{year}"))
    number = filed(board)
    assert number == "ethics-2026-0001"
    assert board.key(number.upper()) == board.key(number) == 1
    board.docket.database.engine.dispose()


def test_a_filing_that_fails_takes_no_number_and_leaves_the_message_waiting(board: Board) -> None:
    item = taken(board.docket)
    with pytest.raises(ZeroDivisionError):
        file_complaint(replace(board.docket, faults=_FailAt("filing.papers-kept")), item, a_filing())
    assert place_of(board.docket, item) == ("taken", "")
    assert letters(board.docket) == []
    assert file_complaint(board.docket, item, a_filing()) == "EC-2026-0001"
    assert filed(board, raw=b"another", uid=2) == "EC-2026-0002"
    assert verify(board.docket, MACHINE) is None


class _FailAt:
    def __init__(self, name: str) -> None:
        self.name = name

    def reach(self, name: str) -> None:
        if name == self.name:
            raise ZeroDivisionError


def test_papers_are_kept_byte_for_byte(board: Board) -> None:
    contents = (PDF, bytes(range(256)) * 3, b"")
    many = tuple(Paper(one, f"{at}.pdf", "application/pdf") for at, one in enumerate(contents))
    number = filed(board, a_filing(papers=many))
    with board.docket.database.read() as session:
        kept = [one for one in papers(board.docket, session, board.key(number)) if one.kind == "complaint"]
    assert [one.name for one in kept] == ["0.pdf", "1.pdf", "2.pdf"]
    delivered = [read_document(board.docket, board.chair, number, one.id, where="slack")[1] for one in kept]
    assert tuple(delivered) == contents


def test_every_sender_named_is_a_complainant(board: Board) -> None:
    both = (Sender("Connie Complainant", CONNIE), Sender("", "joint@post.example"))
    case = board.file(filed(board, a_filing(complainants=both)))
    assert [(one.named.name, one.named.emails) for one in case.complainants] == [
        ("Connie Complainant", (CONNIE,)),
        ("joint@post.example", ("joint@post.example",)),
    ]


@pytest.mark.parametrize(("hours_before", "recorded"), [(5, True), (0, False), (-5, False)])
def test_an_assumed_receipt_by_the_city_manager_is_recorded_only_if_it_is_earlier(
    board: Board, hours_before: int, recorded: bool
) -> None:
    assumed = A_MONDAY_MORNING - timedelta(hours=hours_before)
    case = board.file(filed(board, a_filing(manager_received_at=assumed)))
    found = case.received(ReceivedBy.CITY_MANAGER)
    assert (found is not None) == recorded
    if found is not None:
        assert (found.fact.received_at, found.fact.basis) == (assumed, Basis.ASSUMED)


def test_a_receipt_that_staff_record_lies_not_in_the_future(board: Board) -> None:
    ahead = a_filing(board.clock.now() + timedelta(minutes=1), basis=Basis.RECORDED_BY_STAFF)
    with pytest.raises(BadInput):
        file_complaint(board.docket, None, ahead, actor=board.clerk)
    now = a_filing(board.clock.now(), basis=Basis.RECORDED_BY_STAFF)
    assert file_complaint(board.docket, None, now, actor=board.clerk) == "EC-2026-0001"


def test_what_is_handed_in_over_the_counter_is_filed_by_the_clerk(board: Board) -> None:
    number = file_complaint(
        board.docket,
        None,
        a_filing(ack_to="", complainants=(Sender("Walter Walk-In", ""),)),
        actor=board.clerk,
    )
    assert [one.named.emails for one in board.file(number).complainants] == [()]
    assert letters(board.docket) == []
    assert _acts(board.docket)[-1] == ("intake-by-hand", False, number)


# -- the auto-receipt ---------------------------------------------------------------------------------


def test_a_new_case_always_gets_its_own_auto_receipt(board: Board) -> None:
    numbers = [filed(board, raw=b"%d" % one, uid=one) for one in (1, 2)]
    sent = letters(board.docket, "auto_receipt")
    assert [one.to for one in sent] == [CONNIE, CONNIE]
    for number, letter in zip(numbers, sent, strict=True):
        assert number in letter.subject
        assert (letter.auto_submitted, letter.in_reply_to) == ("auto-replied", "<m1@post.example>")
        assert "Connie" not in letter.subject


def test_the_auto_receipt_waits_for_nothing(board: Board) -> None:
    filed(board)
    due = delivery.claim(board.docket, Channel.MAIL)
    assert [one.kind for one in due] == ["auto_receipt"]


@pytest.mark.parametrize(
    ("second", "answers"),
    [("2026-02-02T23:59", 1), ("2026-02-03T00:00", 2), ("2026-02-02T19:30", 1)],
)
def test_other_mail_is_answered_once_an_address_and_day_of_the_city(
    board: Board, second: str, answers: int
) -> None:
    for uid, when in ((1, "2026-02-02T18:00"), (2, second)):
        board.clock.set_to(in_town(when))
        item = taken(board.docket, b"%d" % uid, uid, board.clock.now())
        hold(board.docket, item, a_filing(board.clock.now(), outcome="needs_review"))
    assert len(letters(board.docket, "auto_receipt")) == answers


def test_one_address_uses_up_no_other_ones_answer(board: Board) -> None:
    for uid, to in enumerate((CONNIE, "CONNIE@post.example", "other@post.example"), start=1):
        hold(board.docket, taken(board.docket, b"%d" % uid, uid), a_filing(ack_to=to))
    assert [one.to for one in letters(board.docket, "auto_receipt")] == [CONNIE, "other@post.example"]


def test_an_auto_receipt_of_a_case_counts_for_the_day_but_no_case_goes_without(board: Board) -> None:
    hold(board.docket, taken(board.docket, b"1", 1), a_filing())
    number = filed(board, raw=b"2", uid=2)
    attach_paper(board.docket, taken(board.docket, b"3", 3), board.key(number), a_filing())
    sent = letters(board.docket, "auto_receipt")
    assert [number in one.subject for one in sent] == [False, True]


def test_the_answer_to_held_mail_names_no_case(board: Board) -> None:
    number = filed(board, a_filing(ack_to=""))
    held = a_filing(outcome="needs_review", ack_to="stranger@post.example")
    hold(board.docket, taken(board.docket, b"about the case", 2), held)
    (letter,) = letters(board.docket)
    assert number not in letter.subject + letter.text
    assert letter.attachments == ()


def test_mail_that_is_set_aside_is_never_answered(board: Board) -> None:
    item = taken(board.docket)
    set_aside(board.docket, item, a_filing(outcome="auto_reply_ignored", reason="an auto-reply"))
    assert letters(board.docket) == []
    assert place_of(board.docket, item) == ("set-aside", "")


def test_the_sender_of_a_message_that_was_too_large_learns_the_limit(board: Board) -> None:
    hold(
        board.docket,
        taken(board.docket),
        a_filing(papers=(), received=Received.TOO_LARGE, largest_mail_mb=25),
    )
    (letter,) = letters(board.docket)
    assert "25 megabytes" in letter.text
    assert "City Hall, 100 Main Street" in letter.text


@pytest.mark.parametrize("received", [Received.TOO_MANY, Received.ARCHIVE])
def test_the_sender_of_a_message_that_was_not_opened_learns_how_to_file(
    board: Board, received: Received
) -> None:
    filing = a_filing(papers=(), received=received, largest_mail_mb=50, most_files=100)
    hold(board.docket, taken(board.docket), filing)
    (letter,) = letters(board.docket)
    assert "how to file" in letter.subject
    assert "not been filed" in letter.text
    assert "at most 100 files" in " ".join(letter.text.split())
    assert "signed by you" in letter.text


# -- who learns of it ---------------------------------------------------------------------------------


def test_a_screened_case_is_shown_to_clerk_and_channel_and_the_manager_is_asked_to_refer(
    board: Board,
) -> None:
    filed(board)
    told = {(one.kind, one.person) for one in pings(board.docket)}
    assert told == {
        (PingKind.CASE_CARD, board.clerk.person),
        (PingKind.CASE_CHANNEL, None),
        (PingKind.TOLD, board.person("Cyrus Manager")),
    }


def test_what_the_city_manager_sends_is_referred_by_that_and_he_is_not_asked_again(board: Board) -> None:
    number = filed(board, a_filing(by_city_manager=True))
    referred = board.file(number).referred
    assert referred is not None
    assert referred.fact.at == A_MONDAY_MORNING
    assert pings(board.docket, PingKind.TOLD) == []


def test_a_complaint_that_names_the_city_manager_goes_round_him(board: Board) -> None:
    number = filed(board, naming("Cyrus Manager"))
    referred = board.file(number).referred
    assert referred is not None
    assert referred.fact.how == "by policy"
    manager = board.person("Cyrus Manager")
    assert all(one.person != manager for one in pings(board.docket))


def test_where_the_ordinance_knows_no_referral_nobody_is_asked_for_one(
    tmp_path: Path, clock: ManualClock, press: PressRoom
) -> None:
    profile = (Path(receipt.__file__).parents[1] / "profiles" / "danville.toml").read_text()
    board = a_board(tmp_path, clock, press, profile=profile)
    number = filed(board, naming("Cyrus Manager"))
    filed(board, raw=b"another", uid=2)
    assert board.file(number).referred is None
    assert pings(board.docket, PingKind.TOLD) == []
    board.docket.database.engine.dispose()


def test_a_case_that_no_clerk_may_open_raises_an_alarm_without_a_word_of_it(board: Board) -> None:
    number = filed(board, naming("Clara Clerk"))
    (alarm,) = pings(board.docket, PingKind.ALARM)
    assert number not in alarm.text
    assert "Clara" not in alarm.text
    assert (alarm.person, alarm.case) == (None, None)


# -- further papers -----------------------------------------------------------------------------------


def test_a_further_paper_joins_its_case_with_its_own_instant(board: Board) -> None:
    number = filed(board)
    board.clock.advance(timedelta(days=2))
    later = a_filing(board.clock.now(), what="cure", match="token", ack_to="")
    item = taken(board.docket, b"the cure", 2, board.clock.now())
    party = board.file(number).complainants[0].id
    attach_paper(board.docket, item, board.key(number), later, party=party)
    added = board.file(number).last(PaperReceived)
    assert added is not None
    assert (added.fact.what, added.fact.received_at, added.fact.from_party) == (
        "cure",
        board.clock.now(),
        party,
    )
    assert len(added.fact.documents) == 1
    assert place_of(board.docket, item) == ("in-a-case", number)
    assert board.file(number).received_at == A_MONDAY_MORNING


def test_a_person_named_only_in_a_later_paper_is_walled_off_then(board: Board) -> None:
    number = filed(board)
    manager, member = board.person("Cyrus Manager"), board.members[1].person
    before = len(pings(board.docket))
    item = taken(board.docket, b"more", 2)
    attach_paper(board.docket, item, board.key(number), naming("Cyrus Manager", "Mora Member"))
    case = board.file(number)
    assert case.walled_off == {manager, member}
    assert case.referred is not None
    assert case.referred.fact.how == "by policy"
    fresh = pings(board.docket)[before:]
    assert PingKind.CASE_CHANNEL in {one.kind for one in fresh}
    assert {one.person for one in fresh} <= {None, board.clerk.person}


# -- one place, journaled -----------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["file", "attach", "hold", "set aside"])
def test_a_message_in_its_place_is_placed_no_second_time(board: Board, place: str) -> None:
    number = filed(board, raw=b"first", uid=9)
    item = taken(board.docket)
    set_aside(board.docket, item, a_filing(outcome="duplicate", reason="known"))
    acts: dict[str, Callable[[], object]] = {
        "file": lambda: file_complaint(board.docket, item, a_filing()),
        "attach": lambda: attach_paper(board.docket, item, board.key(number), a_filing()),
        "hold": lambda: hold(board.docket, item, a_filing()),
        "set aside": lambda: set_aside(board.docket, item, a_filing()),
    }
    owed = letters(board.docket)  # each gets its page by this
    before = board.file(number).facts
    with pytest.raises(AlreadyDone):
        acts[place]()
    assert place_of(board.docket, item) == ("set-aside", "")
    assert (board.file(number).facts, letters(board.docket)) == (before, owed)
    assert _acts(board.docket)[-1][1] is True


def test_each_step_of_a_message_has_its_entry(board: Board) -> None:
    number = filed(board)
    assert _acts(board.docket)[-2:] == [("take-mail", False, ""), ("file-complaint", False, number)]
    placed = board.file(number).last(MailPlaced)
    assert placed is not None
    assert (placed.fact.mail_item, placed.fact.outcome, placed.fact.sender) == (1, "filed", CONNIE)
    hold(board.docket, taken(board.docket, b"held", 2), a_filing())
    set_aside(board.docket, taken(board.docket, b"aside", 3), a_filing())
    assert [one[:2] for one in _acts(board.docket)[-4:]] == [("take-mail", False)] * 4
    assert verify(board.docket, MACHINE) is None


def test_a_receipt_is_answered_to_the_party_whatever_the_capitals_of_its_address(board: Board) -> None:
    number = filed(board, a_filing(complainants=(Sender("Connie", "Connie@Post.example"),)))
    case = board.file(number)
    (letter,) = case.letters_to("auto_receipt")
    assert letter.queued.to_party == case.with_role(PartyRole.COMPLAINANT)[0].id
    assert case.last(ComplaintReceived) is not None

"""The holding pen: what a person does with a message at which a machine must not decide (I1)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from store import journal
from store.cases import MACHINE, verify
from store.ports import PingKind
from store.proceedings import recusal
from store.proceedings.correction import reopen
from store.proceedings.held_mail import (
    ANSWERED,
    HeldDecision,
    bring_back,
    held_raw,
    holding_pen,
    place_held,
    set_aside_mail,
)
from store.proceedings.mail import place_of
from store.proceedings.merger import merge
from store.proceedings.receipt import Sender, hold, set_aside
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow, Refusal
from store.rules.facts import PaperReceived
from tests.clocks import A_MONDAY_MORNING
from tests.proceedings.builders import Board
from tests.proceedings.filings import CONNIE, a_filing, filed, letters, pings, taken

FILE, ATTACH, SET_ASIDE = HeldDecision.FILE, HeldDecision.ATTACH, HeldDecision.SET_ASIDE
ANSWER = HeldDecision.ANSWER
DOUBTFUL = a_filing(outcome="needs_review", reason="it may be a joke", flags=("future-date",), ack_to="")


def _held(board: Board, raw: bytes = b"a held mail", uid: int = 50) -> int:
    item = taken(board.docket, raw, uid)
    hold(board.docket, item, DOUBTFUL)
    return item


def _last(board: Board) -> journal.Entry:
    with board.docket.database.read() as session:
        return journal.newest(session, board.docket.keyring, 1)[0]


def test_a_held_message_is_listed_with_its_reason_for_the_clerk_who_is_told(board: Board) -> None:
    item = _held(board)
    (held,) = holding_pen(board.docket, board.clerk)
    assert (held.item, held.received_at, held.outcome) == (item, A_MONDAY_MORNING, "needs_review")
    assert (held.reason, held.flags, held.sender) == ("it may be a joke", ("future-date",), CONNIE)
    assert held.size == len(b"a held mail")
    (ping,) = pings(board.docket, PingKind.HELD_MAIL)
    assert (ping.person, dict(ping.about)) == (board.clerk.person, {"item": str(item)})
    assert held_raw(board.docket, board.clerk, item) == b"a held mail"


@pytest.mark.parametrize("name", ["Hanna Chair", "Mora Member", "Cyrus Manager", "Ivo Machinist"])
def test_the_holding_pen_is_the_clerks(board: Board, name: str) -> None:
    item = _held(board)
    for ask in (
        lambda: holding_pen(board.docket, board.actor(name)),
        lambda: held_raw(board.docket, board.actor(name), item),
        lambda: place_held(board.docket, board.actor(name), item, FILE, filing=DOUBTFUL),
    ):
        with pytest.raises(NotAllowed):
            ask()
        assert _last(board).header["refused"] is True
    assert place_of(board.docket, item) == ("holding-pen", "")


def test_a_held_message_that_is_filed_late_was_received_when_it_came(board: Board) -> None:
    item = _held(board)
    board.clock.advance(timedelta(days=9))
    number = place_held(board.docket, board.clerk, item, FILE, filing=replace(DOUBTFUL, ack_to=CONNIE))
    assert board.file(number).received_at == A_MONDAY_MORNING
    assert place_of(board.docket, item) == ("in-a-case", number)
    assert holding_pen(board.docket, board.clerk) == []
    (letter,) = letters(board.docket, "auto_receipt")
    assert number in letter.subject


def test_a_held_message_is_attached_to_the_case_of_a_party(board: Board) -> None:
    number = filed(board)
    item = _held(board)
    party = board.file(number).complainants[0].id
    assert (
        place_held(
            board.docket, board.clerk, item, ATTACH, filing=DOUBTFUL, number=number.lower(), party=party
        )
        == number
    )
    added = board.file(number).last(PaperReceived)
    assert added is not None
    assert (added.fact.mail_item, added.fact.from_party, added.by) == (item, party, board.clerk.person)
    assert place_of(board.docket, item) == ("in-a-case", number)


@pytest.mark.parametrize("decision", [FILE, ATTACH, SET_ASIDE])
def test_what_became_of_it_is_one_entry_with_the_clerks_name(board: Board, decision: HeldDecision) -> None:
    number = filed(board)
    item = _held(board)
    place_held(board.docket, board.clerk, item, decision, filing=DOUBTFUL, number=number)
    entry = _last(board)
    assert (entry.header["act"], entry.header["actor"]) == ("place-held-mail", board.clerk.person)
    assert entry.content is not None
    assert entry.content["note"] == {"item": item, "decision": decision.value}
    assert bool(entry.header["case"]) == (decision is not SET_ASIDE)
    assert verify(board.docket, MACHINE) is None


def test_a_message_is_set_aside_with_a_reason_only(board: Board) -> None:
    item = _held(board)
    for reason in ("", "  "):
        with pytest.raises(BadInput):
            place_held(board.docket, board.clerk, item, SET_ASIDE, filing=replace(DOUBTFUL, reason=reason))
    assert place_of(board.docket, item) == ("holding-pen", "")
    assert place_held(board.docket, board.clerk, item, SET_ASIDE, filing=DOUBTFUL) == ""
    assert place_of(board.docket, item) == ("set-aside", "")
    with pytest.raises(NoSuchCase):
        held_raw(board.docket, board.clerk, item)


def test_it_is_placed_once(board: Board) -> None:
    item = _held(board)
    place_held(board.docket, board.clerk, item, FILE, filing=DOUBTFUL)
    for decision in HeldDecision:
        with pytest.raises(AlreadyDone):
            place_held(board.docket, board.clerk, item, decision, filing=DOUBTFUL, number="EC-2026-0001")


def test_an_attachment_to_a_case_that_the_clerk_may_not_know_changes_nothing(board: Board) -> None:
    number = filed(board)
    item = _held(board)
    recusal.recuse(board.docket, board.clerk, number)
    before = board.file(number).facts
    answers = set()
    for wanted in (number, "EC-2026-0999"):
        with pytest.raises(NoSuchCase) as refused:
            place_held(board.docket, board.clerk, item, ATTACH, filing=DOUBTFUL, number=wanted)
        answers.add(str(refused.value))
        assert (_last(board).header["act"], _last(board).header["refused"]) == ("place-held-mail", True)
    assert len(answers) == 1
    assert board.file(number).facts == before
    assert place_of(board.docket, item) == ("holding-pen", "")


def test_it_is_attached_to_a_party_of_that_case_only(board: Board) -> None:
    number, other = filed(board), filed(board, raw=b"other", uid=2)
    stranger = board.file(other).complainants[0].id
    item = _held(board)
    with pytest.raises(BadInput):
        place_held(board.docket, board.clerk, item, ATTACH, filing=DOUBTFUL, number=number, party=stranger)
    assert place_of(board.docket, item) == ("holding-pen", "")


def test_a_party_whose_merger_was_undone_gets_no_paper_into_the_other_file(board: Board) -> None:
    hal = a_filing(complainants=(Sender("Hal Second", "hal@post.example"),), message_id="<m2@post.example>")
    first, second = filed(board), filed(board, hal, raw=b"other", uid=2)
    own = board.file(second).complainants[0].id
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    joined = board.file(first).complainants[-1].id
    reopen(board.docket, board.clerk, second, reason="it was another event")
    before, item = board.file(first).facts, _held(board)
    with pytest.raises(BadInput, match="merger that was undone"):
        place_held(board.docket, board.clerk, item, ATTACH, filing=DOUBTFUL, number=first, party=joined)
    assert (board.file(first).facts, place_of(board.docket, item)) == (before, ("holding-pen", ""))
    place_held(board.docket, board.clerk, item, ATTACH, filing=DOUBTFUL, number=second, party=own)
    assert place_of(board.docket, item) == ("in-a-case", second)


def test_a_message_that_docket_still_reads_is_not_the_clerks_yet(board: Board) -> None:
    item = taken(board.docket)
    with pytest.raises(NotNow):
        place_held(board.docket, board.clerk, item, FILE, filing=DOUBTFUL)
    with pytest.raises(Refusal):
        held_raw(board.docket, board.clerk, item)
    assert place_of(board.docket, item) == ("taken", "")


def test_a_sender_is_answered_how_to_file_as_often_as_a_person_decides_and_no_case_is_confirmed(
    board: Board,
) -> None:
    for uid in (50, 51):
        item = _held(board, b"held %d" % uid, uid)
        filing = replace(DOUBTFUL, reason="a link only", largest_mail_mb=50)
        assert place_held(board.docket, board.clerk, item, ANSWER, filing=filing) == ""
        assert place_of(board.docket, item) == ("set-aside", "")
    answers = letters(board.docket, "auto_receipt")
    assert [one.to for one in answers] == [CONNIE, CONNIE]
    assert {one.subject for one in answers} == {"How to file a complaint"}
    assert "signed by you" in answers[0].text
    assert "link" not in answers[0].text
    assert [one.reason for one in set_aside_mail(board.docket, board.clerk)] == [
        f"{ANSWERED}: a link only"
    ] * 2


def test_who_cannot_be_told_from_the_message_is_not_answered(board: Board) -> None:
    item = _held(board)
    with pytest.raises(BadInput, match="who sent it"):
        place_held(board.docket, board.clerk, item, ANSWER, filing=replace(DOUBTFUL, sender=""))
    assert place_of(board.docket, item) == ("holding-pen", "")
    assert letters(board.docket) == []


def test_what_the_machine_set_aside_is_found_and_brought_back_with_its_receipt(board: Board) -> None:
    item = taken(board.docket, b"taken for an auto-reply", 60)
    set_aside(board.docket, item, replace(DOUBTFUL, outcome="auto_reply_ignored", reason=""))
    (aside,) = set_aside_mail(board.docket, board.clerk)
    assert (aside.item, aside.outcome, aside.sender) == (item, "auto_reply_ignored", CONNIE)
    board.clock.advance(timedelta(days=3))
    with pytest.raises(BadInput):
        bring_back(board.docket, board.clerk, item, " ")
    with pytest.raises(NotAllowed):
        bring_back(board.docket, board.actor("Mora Member"), item, "she wrote it herself")
    bring_back(board.docket, board.clerk, item, "she wrote it herself")
    with pytest.raises(NotNow):
        bring_back(board.docket, board.clerk, item, "again")
    (held,) = holding_pen(board.docket, board.clerk)
    assert (held.received_at, held.reason, held.sender) == (A_MONDAY_MORNING, "she wrote it herself", CONNIE)
    number = place_held(board.docket, board.clerk, item, FILE, filing=DOUBTFUL)
    assert board.file(number).received_at == A_MONDAY_MORNING
    assert set_aside_mail(board.docket, board.clerk) == []


def test_the_case_that_a_message_may_belong_to_is_named_to_a_clerk_who_may_know_of_it_alone(
    board: Board,
) -> None:
    number = filed(board)
    hold(board.docket, taken(board.docket, b"a reply", 80), replace(DOUBTFUL, suggested_number=number))
    assert [one.suggested for one in holding_pen(board.docket, board.clerk)] == [number]
    recusal.recuse(board.docket, board.clerk, number)
    assert [one.suggested for one in holding_pen(board.docket, board.clerk)] == [""]

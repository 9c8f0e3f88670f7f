"""Delivery: in order for each destination, letters never twice, and what came of each (L2, L3, R6, decisions 26)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from store import journal, outbox
from store.cases import MACHINE, act, verify
from store.letters.letter import Letter, Written
from store.letters.press import Pressed, TemplateFault
from store.outbox import CLAIM_FOR, Channel, Owed, State
from store.ports import UNSURE, Delivery, DeliveryState, PingKind
from store.proceedings import delivery
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.delivery import attachments, claim, note_bounce, settle
from store.proceedings.notice import send_notice
from store.proceedings.receipt import hold
from store.proceedings.recusal import recuse
from store.proceedings.response import record_response
from store.rules.access import Deed
from store.rules.casefile import LetterState
from store.tables import DataKey
from tests.proceedings.builders import Board
from tests.proceedings.filings import PDF, a_filing, end, filed, letters, owed, pings, send_all, taken

MAIL, SLACK = Channel.MAIL, Channel.SLACK
LATER, UNCERTAIN = DeliveryState.TRY_LATER, DeliveryState.UNCERTAIN


def _answer(board: Board, to: str, uid: int) -> None:
    """Owe an address an answer about no case."""
    held = a_filing(ack_to=to, outcome="needs_review")
    hold(board.docket, taken(board.docket, b"%d" % uid, uid), held)


def _cases(board: Board, count: int, to: str = "connie@post.example") -> list[str]:
    return [filed(board, a_filing(ack_to=to), raw=b"%d" % one, uid=one) for one in range(1, count + 1)]


def _only(found: list[Owed]) -> Owed:
    (one,) = found
    return one


def _state(board: Board, number: str) -> LetterState:
    (letter,) = board.file(number).letters_to("auto_receipt")
    return letter.state


# -- order and tries ----------------------------------------------------------------------------------


def test_a_destination_gets_its_letters_in_order_and_waits_for_each(board: Board) -> None:
    first, second = _cases(board, 2)
    one = _only(claim(board.docket, MAIL))
    assert one.letter is not None
    assert first in one.letter.subject
    assert claim(board.docket, MAIL) == []
    end(board.docket, one)
    two = _only(claim(board.docket, MAIL))
    assert two.letter is not None
    assert second in two.letter.subject


def test_a_destination_that_fails_stops_no_other(board: Board) -> None:
    _cases(board, 2, "bad@post.example")
    for uid in (3, 4):
        filed(board, a_filing(ack_to=f"good{uid}@post.example"), raw=b"%d" % uid, uid=uid)
    sent = []
    for _minute in range(3):
        for one in claim(board.docket, MAIL):
            assert one.letter is not None
            bad = one.letter.to.startswith("bad")
            sent.append(one.letter.to)
            end(board.docket, one, LATER if bad else DeliveryState.ACCEPTED)
    assert sent == ["bad@post.example", "good3@post.example", "good4@post.example"]


def test_a_letter_is_tried_after_1_5_15_30_minutes_and_then_hourly(board: Board) -> None:
    _cases(board, 1)
    waits = []
    for _try in range(7):
        end(board.docket, _only(claim(board.docket, MAIL)), LATER)
        minutes = 0
        while True:
            board.clock.advance(timedelta(minutes=1))
            minutes += 1
            with board.docket.database.read() as session:
                due = outbox.next_due(session, MAIL)
            if due is not None and due <= board.clock.now():
                break
        waits.append(minutes)
    assert waits == [1, 5, 15, 30, 60, 60, 60]


def test_a_letter_comes_no_minute_too_soon(board: Board) -> None:
    _cases(board, 1)
    end(board.docket, _only(claim(board.docket, MAIL)), LATER)
    board.clock.advance(timedelta(seconds=59))
    assert claim(board.docket, MAIL) == []
    board.clock.advance(timedelta(seconds=1))
    assert _only(claim(board.docket, MAIL)).tries == 2


def test_slack_is_asked_again_when_it_said_so(board: Board) -> None:
    _answer(board, "", 1)
    one = _only(claim(board.docket, SLACK))
    settle(board.docket, one, Delivery(LATER, retry_after_s=37))
    board.clock.advance(timedelta(seconds=36))
    assert claim(board.docket, SLACK) == []
    board.clock.advance(timedelta(seconds=1))
    assert _only(claim(board.docket, SLACK)).id == one.id


def test_after_a_day_away_everything_goes_once_and_in_order(board: Board) -> None:
    _cases(board, 3)
    wanted = [one.ping_id for one in pings(board.docket)]
    for _hour in range(24):
        for one in claim(board.docket, SLACK):
            end(board.docket, one, LATER)
        board.clock.advance(timedelta(hours=1))
    shown: dict[str, list[int]] = {}
    while found := claim(board.docket, SLACK):
        for one in found:
            assert one.ping is not None
            shown.setdefault(
                f"{one.ping.person}:{one.ping.case if one.ping.person is None else ''}", []
            ).append(one.id)
            end(board.docket, one)
    every = [key for keys in shown.values() for key in keys]
    assert sorted(every) == sorted(wanted)
    assert all(keys == sorted(keys) for keys in shown.values())


# -- claims that outlived their process ---------------------------------------------------------------


def test_a_letter_whose_sender_died_is_uncertain_and_never_sent_again(board: Board) -> None:
    (number,) = _cases(board, 1)
    assert claim(board.docket, MAIL)
    board.clock.advance(CLAIM_FOR - timedelta(seconds=1))
    assert claim(board.docket, MAIL) == []
    assert _state(board, number) is LetterState.QUEUED
    board.clock.advance(timedelta(seconds=1))
    assert claim(board.docket, MAIL) == []
    assert _state(board, number) is LetterState.UNCERTAIN
    for _day in range(3):
        board.clock.advance(timedelta(days=1))
        assert claim(board.docket, MAIL) == []
    told = [dict(one.about) for one in pings(board.docket, PingKind.TOLD) if one.person == board.clerk.person]
    assert [one["state"] for one in told if one["what"] == "letter"] == ["uncertain"]


def test_a_letter_after_an_uncertain_one_goes_all_the_same(board: Board) -> None:
    _first, second = _cases(board, 2)
    claim(board.docket, MAIL)
    board.clock.advance(CLAIM_FOR)
    letter = _only(claim(board.docket, MAIL)).letter
    assert letter is not None
    assert second in letter.subject


@pytest.mark.parametrize("late", [DeliveryState.ACCEPTED, LATER])
def test_a_sender_who_answers_while_his_letter_is_taken_for_lost_is_believed(
    board: Board, late: DeliveryState
) -> None:
    """Between the look for lost letters and their settling, the slow sender's own answer comes in."""
    (number,) = _cases(board, 1)
    slow = _only(claim(board.docket, MAIL))
    board.clock.advance(CLAIM_FOR)
    answers = _AnswersAt("outbox.tried", lambda: end(board.docket, slow, late))
    assert claim(replace(board.docket, faults=answers), MAIL) == []
    assert answers.reached
    assert _state(board, number) is (
        LetterState.SENT if late is DeliveryState.ACCEPTED else LetterState.QUEUED
    )
    board.clock.advance(timedelta(hours=1))
    assert len(claim(board.docket, MAIL)) == (1 if late is LATER else 0)


class _AnswersAt:
    """Lets somebody else act when a named place is reached for the first time."""

    def __init__(self, name: str, answer: Callable[[], None]) -> None:
        self.name, self.answer, self.reached = name, answer, False

    def reach(self, name: str) -> None:
        """Let the other one act, once."""
        if name == self.name and not self.reached:
            self.reached = True
            self.answer()


def test_a_letter_that_was_claimed_before_is_handed_out_to_nobody(board: Board) -> None:
    _cases(board, 1)
    assert claim(board.docket, MAIL)
    later = board.clock.advance(CLAIM_FOR)
    with board.docket.database.write() as session:
        assert outbox.claim(session, board.docket.keyring, MAIL, later) == []
        assert len(outbox.lost_letters(session, later)) == 1


class _NoPress:
    """A typesetter that can set no page."""

    def set(self, letter: Letter | Written, issued_at: datetime) -> Pressed:
        raise TemplateFault(letter.kind, 1, f"a template that is damaged at {issued_at}")

    def picture(self, svg: str) -> bytes:
        raise AssertionError(svg)


def _stands(board: Board) -> list[tuple[State, bool]]:
    with board.docket.database.read() as session:
        rows = outbox.waiting(session, MAIL)
        found = [(one, outbox.read(session, board.docket.keyring, one.id)) for one in rows]
    return [(one.state, bool(row and row.letter and row.letter.unset)) for one, row in found]


def test_where_only_a_letter_without_its_page_is_due_it_gets_it_and_is_claimed(board: Board) -> None:
    _cases(board, 1)
    assert _stands(board) == [(State.HELD_BACK, True)]
    assert _only(claim(board.docket, MAIL)).letter is not None
    assert _stands(board) == [(State.SENDING, False)]


def test_where_only_a_letter_whose_page_cannot_be_set_is_due_nothing_is_claimed_until_it_can(
    board: Board,
) -> None:
    _cases(board, 1)
    assert claim(replace(board.docket, typesetter=_NoPress()), MAIL) == []
    assert _stands(board) == [(State.HELD_BACK, True)]
    assert claim(board.docket, MAIL) == []  # put off
    board.clock.advance(timedelta(minutes=5))
    assert len(claim(board.docket, MAIL)) == 1


def test_where_only_a_lost_letter_is_due_it_is_settled_and_nothing_is_claimed(board: Board) -> None:
    _answer(board, "somebody@post.example", 1)
    claim(board.docket, MAIL)
    board.clock.advance(CLAIM_FOR)
    assert claim(board.docket, MAIL) == []
    assert _stands(board) == [(State.UNCERTAIN, False)]
    board.clock.advance(timedelta(days=30))
    assert claim(board.docket, MAIL) == []


def test_a_late_answer_is_better_evidence_than_none(board: Board) -> None:
    (number,) = _cases(board, 1)
    slow = _only(claim(board.docket, MAIL))
    board.clock.advance(CLAIM_FOR)
    claim(board.docket, MAIL)
    assert _state(board, number) is LetterState.UNCERTAIN
    end(board.docket, slow)
    assert _state(board, number) is LetterState.SENT


def test_a_ping_whose_fate_is_unknown_comes_again_and_says_so(board: Board) -> None:
    _answer(board, "", 1)
    first = _only(claim(board.docket, SLACK))
    assert first.ping is not None
    assert not first.ping.again
    board.clock.advance(CLAIM_FOR - timedelta(seconds=1))
    assert claim(board.docket, SLACK) == []
    board.clock.advance(timedelta(seconds=1))
    second = _only(claim(board.docket, SLACK))
    assert second.ping is not None
    assert (second.id, second.ping.ping_id, second.ping.again) == (first.id, first.ping.ping_id, True)


def test_a_ping_that_was_refused_for_sure_comes_again_without_saying_so(board: Board) -> None:
    _answer(board, "", 1)
    for detail, again in (("ratelimited", False), (f"{UNSURE}timeout", True)):
        end(board.docket, _only(claim(board.docket, SLACK)), LATER, detail)
        board.clock.advance(timedelta(minutes=5))
        ping = _only(claim(board.docket, SLACK)).ping
        assert ping is not None
        assert ping.again == again
        with board.docket.database.write() as session:
            outbox.settle(session, ping.ping_id, Delivery(LATER, detail), board.clock.now())
        board.clock.advance(timedelta(minutes=15))


def test_what_does_not_open_any_more_stops_nothing_else(board: Board) -> None:
    """A row of a case that was disposed of can never go; the next destination is served."""
    number = _cases(board, 1)[0]
    filed(board, a_filing(ack_to="other@post.example"), raw=b"9", uid=9)
    with board.docket.database.write() as session:
        key = session.exec(
            select(DataKey).where(DataKey.kind == "case", DataKey.owner == board.key(number))
        ).one()
        key.wrapped = None
        session.add(key)
    board.docket.keyring.forget()
    found = _only(claim(board.docket, MAIL)).letter
    assert found is not None
    assert found.to == "other@post.example"


# -- what came of it ----------------------------------------------------------------------------------


def test_the_end_of_a_letter_is_a_fact_with_its_entry(board: Board) -> None:
    (number,) = _cases(board, 1)
    end(
        board.docket,
        _only(claim(board.docket, MAIL)),
        DeliveryState.REFUSED_FOR_GOOD,
        "550 5.1.1 no such box",
    )
    assert _state(board, number) is LetterState.REFUSED
    with board.docket.database.read() as session:
        (entry,) = journal.newest(session, board.docket.keyring, 1)
    assert (entry.header["act"], entry.header["case"]) == ("settle-letter", number)
    assert "no such box" in str(entry.content)
    assert "no such box" not in str(entry.header)
    assert verify(board.docket, MACHINE) is None


def test_a_bounce_tells_the_clerk_once(board: Board) -> None:
    (number,) = _cases(board, 1)
    (row,) = send_all(board)
    for _time in range(3):
        note_bounce(board.docket, row.id, failed=True, status="5.1.1")
    assert _state(board, number) is LetterState.BOUNCED
    told = [one for one in pings(board.docket, PingKind.TOLD) if dict(one.about)["what"] == "letter"]
    assert [(one.person, dict(one.about)["state"]) for one in told] == [(board.clerk.person, "bounced")]


def test_a_report_undoes_no_delivery_that_the_record_confirms(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    board.clock.advance(timedelta(minutes=10))
    send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    board.clock.advance(timedelta(minutes=10))
    rows = send_all(board)
    letter = next(one for one in board.file(number).letters_to("notice"))
    board.clock.advance(timedelta(days=2))
    now = board.clock.now()
    record_response(board.docket, board.clerk, number, track, received_at=now, words="I answer.")
    for row in rows:
        note_bounce(board.docket, row.id, failed=True, status="5.1.1")
    (after,) = (one for one in board.file(number).letters if one.id == letter.id)
    assert after.state is LetterState.SENT
    assert board.file(number).served("notice", track)
    assert verify(board.docket, MACHINE) is None


def test_a_report_about_no_letter_of_a_case_changes_nothing(board: Board) -> None:
    _answer(board, "stranger@post.example", 1)
    (row,) = owed(board.docket, MAIL)
    with board.docket.database.read() as session:
        head = journal.head(session)
    for one in (row.id, 9999):
        note_bounce(board.docket, one, failed=True, status="5.1.1")
    with board.docket.database.read() as session:
        assert journal.head(session) == head


def test_a_letter_goes_with_its_papers_byte_for_byte(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    board.clock.advance(timedelta(minutes=10))
    send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    (letter,) = letters(board.docket, "notice")
    sent = attachments(board.docket, letter)
    assert sent[0][0] == "notice.pdf"
    assert b"%PDF complaint" in [content for _name, _type, content in sent]
    assert all(kind == "application/pdf" for _name, kind, _content in sent)
    assert PDF not in [content for _name, _type, content in sent]


def test_what_is_owed_about_a_case_is_told_to_nobody_who_is_out_of_it(board: Board) -> None:
    number = filed(board)
    acknowledge(board.docket, board.clerk, number)
    recuse(board.docket, board.clerk, number)
    before = len(pings(board.docket))
    board.clock.advance(timedelta(minutes=10))
    send_all(board, UNCERTAIN)
    fresh = pings(board.docket)[before:]
    assert fresh
    assert all(one.person != board.clerk.person for one in fresh)


def test_an_act_that_is_undone_owes_nothing(board: Board) -> None:
    before = len(pings(board.docket))
    with pytest.raises(ZeroDivisionError):
        _fail_half_way(board)
    assert len(pings(board.docket)) == before
    assert delivery.claim(board.docket, SLACK) == []


def _fail_half_way(board: Board) -> None:
    with act(board.docket, MACHINE, Deed.SWEEP) as step:
        step.ping(PingKind.ALARM, text="half")
        raise ZeroDivisionError

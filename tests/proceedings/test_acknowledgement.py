"""The acknowledgement: owed to each complainant, done by evidence alone (clause A; L2, L3)."""

import io
from datetime import date, timedelta

import pytest
from pypdf import PdfReader

from store.cases import Actor
from store.outbox import Channel
from store.ports import DeliveryState
from store.proceedings import delivery
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.delivery import note_bounce, take_back
from store.proceedings.parties import name_party
from store.proceedings.receipt import Sender
from store.proceedings.service import record_service
from store.rules.casefile import LetterState
from store.rules.check_code import PURPOSE, check_code
from store.rules.duties import Step, StepState
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow
from store.rules.facts import PartyNamed, PartyRole
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, end, filed, letters, owed, send_all

UNDO = timedelta(minutes=5)
JOINT = a_filing(
    complainants=(Sender("Connie", "connie@post.example"), Sender("Joe", "joe@post.example")), ack_to=""
)


def _steps(board: Board, number: str) -> list[Step]:
    return [one for one in board.look(number).steps if one.duty.id == "acknowledge"]


def _done(board: Board, number: str) -> list[bool]:
    return [one.state is StepState.DONE for one in _steps(board, number)]


def _states(board: Board, number: str) -> list[LetterState]:
    return [one.state for one in board.file(number).letters_to("acknowledgement")]


def test_each_joint_complainant_and_attorney_gets_one_of_his_own(board: Board) -> None:
    number = filed(board, JOINT)
    joe = board.file(number).complainants[1].id
    lawyer = PartyNamed(PartyRole.COMPLAINANT_COUNSEL, "Lou", ("lou@law.example",), represents=joe)
    name_party(board.docket, board.clerk, number, lawyer)
    assert len(acknowledge(board.docket, board.clerk, number)) == 3
    sent = letters(board.docket, "acknowledgement")
    assert [one.to for one in sent] == ["connie@post.example", "joe@post.example", "lou@law.example"]
    assert len({one.token for one in sent} | {one.message_id for one in sent}) == 6
    assert all(number in one.subject and "Connie" not in one.subject for one in sent)


def test_it_is_done_when_each_was_sent_and_not_before(board: Board) -> None:
    number = filed(board, JOINT)
    assert not any(_done(board, number))
    acknowledge(board.docket, board.clerk, number)
    assert not any(_done(board, number))
    board.clock.advance(UNDO)
    first = delivery.claim(board.docket, Channel.MAIL, limit=1)
    assert not any(_done(board, number))
    end(board.docket, first[0])
    assert not all(_done(board, number))
    send_all(board)
    assert all(_done(board, number))


def test_the_auto_receipt_is_no_acknowledgement(board: Board) -> None:
    number = filed(board)
    send_all(board)
    assert [one.state for one in board.file(number).letters_to("auto_receipt")] == [LetterState.SENT]
    assert not any(_done(board, number))


@pytest.mark.parametrize(
    ("ended", "state", "done"),
    [
        (DeliveryState.ACCEPTED, LetterState.SENT, True),
        (DeliveryState.REFUSED_FOR_GOOD, LetterState.REFUSED, False),
        (DeliveryState.UNCERTAIN, LetterState.UNCERTAIN, False),
        (DeliveryState.TRY_LATER, LetterState.QUEUED, False),
    ],
)
def test_only_evidence_of_sending_does_the_step(
    board: Board, ended: DeliveryState, state: LetterState, done: bool
) -> None:
    number = filed(board, a_filing(ack_to=""))
    acknowledge(board.docket, board.clerk, number)
    board.clock.advance(UNDO)
    send_all(board, ended)
    assert _states(board, number) == [state]
    assert all(_done(board, number)) == done


def test_a_bounce_reopens_the_step_and_a_delay_does_not(board: Board) -> None:
    number = filed(board, a_filing(ack_to=""))
    acknowledge(board.docket, board.clerk, number)
    board.clock.advance(UNDO)
    (row,) = send_all(board)
    note_bounce(board.docket, row.id, failed=False, status="4.4.7")
    assert (_states(board, number), all(_done(board, number))) == ([LetterState.DELAYED], True)
    note_bounce(board.docket, row.id, failed=True, status="5.1.1")
    assert (_states(board, number), any(_done(board, number))) == ([LetterState.BOUNCED], False)
    note_bounce(board.docket, row.id, failed=False, status="4.4.7")
    assert _states(board, number) == [LetterState.BOUNCED]


def test_only_what_failed_is_written_again(board: Board) -> None:
    number = filed(board, JOINT)
    acknowledge(board.docket, board.clerk, number)
    board.clock.advance(UNDO)
    sent = send_all(board)
    with pytest.raises(AlreadyDone):
        acknowledge(board.docket, board.clerk, number)
    note_bounce(board.docket, sent[1].id, failed=True, status="5.1.1")
    assert len(acknowledge(board.docket, board.clerk, number)) == 1
    assert [one.to for one in letters(board.docket)] == ["joe@post.example"]


def test_an_attorney_named_later_gets_his_copy_and_nobody_a_second_one(board: Board) -> None:
    number = filed(board, a_filing(ack_to=""))
    acknowledge(board.docket, board.clerk, number)
    board.clock.advance(UNDO)
    send_all(board)
    connie = board.file(number).complainants[0].id
    lawyer = PartyNamed(PartyRole.COMPLAINANT_COUNSEL, "Lou", ("lou@law.example",), represents=connie)
    name_party(board.docket, board.clerk, number, lawyer)
    assert len(acknowledge(board.docket, board.clerk, number)) == 1
    assert [one.to for one in letters(board.docket)] == ["lou@law.example"]


def test_nobody_else_acknowledges_and_nobody_is_written_to_where_nobody_is_named(board: Board) -> None:
    number = filed(board, a_filing(complainants=(), ack_to=""))
    with pytest.raises(NotAllowed):
        acknowledge(board.docket, board.chair, number)
    with pytest.raises(NotNow):
        acknowledge(board.docket, board.clerk, number)


def test_it_waits_some_minutes_and_can_be_taken_back_until_it_goes(board: Board) -> None:
    number = filed(board, a_filing(ack_to=""))
    (letter,) = acknowledge(board.docket, board.clerk, number)
    board.clock.advance(UNDO - timedelta(seconds=1))
    assert delivery.claim(board.docket, Channel.MAIL) == []
    take_back(board.docket, board.clerk, number, letter)
    assert _states(board, number) == [LetterState.WITHDRAWN]
    board.clock.advance(timedelta(days=1))
    assert send_all(board) == []
    assert not any(_done(board, number))
    assert acknowledge(board.docket, board.clerk, number)


@pytest.mark.parametrize("tried", [False, True])
def test_what_is_being_sent_or_was_sent_is_not_taken_back(board: Board, tried: bool) -> None:
    number = filed(board, a_filing(ack_to=""))
    (letter,) = acknowledge(board.docket, board.clerk, number)
    board.clock.advance(UNDO)
    (row,) = delivery.claim(board.docket, Channel.MAIL)
    if tried:
        end(board.docket, row)
    with pytest.raises(NotNow):
        take_back(board.docket, board.clerk, number, letter)
    assert _states(board, number) == [LetterState.SENT if tried else LetterState.QUEUED]


def test_a_letter_of_another_case_is_not_taken_back_here(board: Board) -> None:
    number, other = filed(board, a_filing(ack_to="")), filed(board, raw=b"2", uid=2)
    (letter,) = acknowledge(board.docket, board.clerk, number)
    for actor, where in ((board.clerk, other), (Actor(None, board.clerk.via), number)):
        with pytest.raises((BadInput, NoSuchCase)):
            take_back(board.docket, actor, where, letter)
    assert _states(board, number) == [LetterState.QUEUED]


def test_a_complainant_without_an_address_is_served_on_paper(board: Board) -> None:
    number = filed(board, a_filing(complainants=(Sender("Walter Walk-In", ""),), ack_to=""))
    (letter,) = acknowledge(board.docket, board.clerk, number)
    assert owed(board.docket, Channel.MAIL) == []
    assert not any(_done(board, number))
    with pytest.raises(NotNow):
        take_back(board.docket, board.clerk, number, letter)
    walter = board.file(number).complainants[0].id
    record_service(
        board.docket,
        board.clerk,
        number,
        party=walter,
        letter="acknowledgement",
        how="in person",
        on=date(2026, 2, 2),
        by="the clerk",
    )
    assert _states(board, number) == [LetterState.ON_PAPER]
    assert all(_done(board, number))


def test_a_letter_served_on_paper_does_not_go_by_mail_as_well(board: Board) -> None:
    number = filed(board, a_filing(ack_to=""))
    acknowledge(board.docket, board.clerk, number)
    record_service(
        board.docket,
        board.clerk,
        number,
        party=board.file(number).complainants[0].id,
        letter="acknowledgement",
        how="in person",
        on=date(2026, 2, 2),
        by="the clerk",
    )
    board.clock.advance(timedelta(hours=1))
    assert send_all(board) == []
    assert all(_done(board, number))


def test_a_letter_shows_the_number_with_its_check_code_where_an_answer_will_quote_it(board: Board) -> None:
    """Decision 28."""
    number = board.case()
    acknowledge(board.docket, board.clerk, number)
    (letter,) = letters(board.docket, "acknowledgement")
    code = check_code(number, board.docket.keyring.derived(PURPOSE))
    assert letter.subject.endswith(f"[{number}-{code}]")
    assert f"keep the number {number}-{code} in the subject line" in " ".join(letter.text.split())
    paper, content = next(
        (name, content) for name, _kind, content in delivery.attachments(board.docket, letter)
    )
    pages = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    assert (paper, f"{number}-{code}" in pages) == ("acknowledgement.pdf", True)

"""The notice to each respondent, by mail or on paper (clauses A and B; L2, L3)."""

from datetime import date, timedelta

import pytest

from store import outbox
from store.cases import papers
from store.outbox import Channel
from store.proceedings.delivery import take_back
from store.proceedings.notice import earliest_answer_by, send_notice
from store.proceedings.parties import name_party
from store.proceedings.service import record_service
from store.rules.casefile import LetterState
from store.rules.duties import StepState
from store.rules.errors import AlreadyDone, BadInput, NotAllowed
from store.rules.facts import PartyNamed, PartyRole
from tests.proceedings.builders import Board, at


def _step(board: Board, number: str, key: str) -> StepState:
    return next(one.state for one in board.look(number).steps if one.key == key)


def test_the_notice_goes_to_one_recipient_a_message_with_the_complaint_as_it_came(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    lawyer = PartyNamed(PartyRole.RESPONDENT_COUNSEL, "Lou Lawyer", ("lou@law.example",), represents=track)
    name_party(board.docket, board.clerk, number, lawyer)
    assert len(send_notice(board.docket, board.clerk, number, track, provisions=["gifts", "gifts"])) == 2
    with board.docket.database.read() as session:
        owed = [
            outbox.read(session, board.docket.keyring, one.id)
            for one in outbox.waiting(session, Channel.MAIL)
        ]
        complaint = {
            one.id for one in papers(board.docket, session, board.key(number)) if one.kind == "complaint"
        }
    letters = [one.letter for one in owed if one and one.letter]
    assert {one.to for one in letters} == {"rory@office.example", "lou@law.example"}
    assert all(complaint <= set(one.attachments) for one in letters)
    assert all("Rory" not in one.subject and number in one.subject for one in letters)
    assert len({one.token for one in letters}) == 2


def test_the_step_is_done_by_evidence_and_a_bounce_reopens_it(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    (letter,) = send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    assert _step(board, number, f"forward:{track}") is StepState.OPEN
    with pytest.raises(AlreadyDone):
        send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    board.settle(number, letter, "sent")
    assert _step(board, number, f"forward:{track}") is StepState.DONE
    board.settle(number, letter, "bounced")
    assert _step(board, number, f"forward:{track}") is StepState.OPEN
    assert send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])


def test_a_service_on_paper_counts_from_its_own_days_and_not_from_recording_it(board: Board) -> None:
    number = board.case()
    track = name_party(
        board.docket, board.clerk, number, PartyNamed(PartyRole.RESPONDENT, "Rory", postal="1 Street")
    )
    (letter,) = send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    board.clock.set_to(at(date(2026, 3, 9)))
    record_service(
        board.docket,
        board.clerk,
        number,
        party=track,
        letter="notice",
        how="certified mail",
        on=date(2026, 2, 17),
        by="the clerk",
        received_on=date(2026, 2, 20),
    )
    steps = {one.key: one for one in board.look(number).steps}
    forward, respond = steps[f"forward:{track}"], steps[f"respond:{track}"]
    assert (forward.state, forward.on_time) == (StepState.DONE, True)
    assert respond.dates is not None
    assert respond.dates.expected_last_day == date(2026, 3, 2)
    (view,) = board.file(number).letters_to("notice", track)
    assert (view.id, view.state) == (letter, LetterState.ON_PAPER)


def test_a_letter_that_is_served_by_hand_does_not_go_by_mail_as_well(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    today = board.clock.now().date()
    record_service(
        board.docket, board.clerk, number, party=track, letter="notice", how="in person", on=today, by="clerk"
    )
    with board.docket.database.read() as session:
        assert outbox.waiting(session, Channel.MAIL) == []


@pytest.mark.parametrize(
    ("letter", "how", "ahead", "received"),
    [
        ("notice", "", 0, None),
        ("notice", "by hand", 1, None),
        ("notice", "by hand", 0, -1),
        ("x", "y", 0, None),
    ],
)
def test_a_service_that_cannot_have_been_made_is_refused(
    board: Board, letter: str, how: str, ahead: int, received: int | None
) -> None:
    number = board.case()
    track = board.respondent(number)
    send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    today = board.clock.now().date()
    with pytest.raises(BadInput):
        record_service(
            board.docket,
            board.clerk,
            number,
            party=track,
            letter=letter,
            how=how,
            on=today + timedelta(days=ahead),
            by="clerk",
            received_on=today + timedelta(days=received) if received is not None else None,
        )


def test_the_notice_names_provisions_and_a_day_no_earlier_than_the_boards_own_period(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    for provisions in ([], ["no-such-provision"]):
        with pytest.raises(BadInput):
            send_notice(board.docket, board.clerk, number, track, provisions=provisions)
    earliest = earliest_answer_by(board.look(number))
    early = earliest - timedelta(days=1)
    with pytest.raises(BadInput):
        send_notice(board.docket, board.clerk, number, track, provisions=["gifts"], answer_by=early)
    send_notice(board.docket, board.clerk, number, track, provisions=["gifts"], answer_by=earliest)
    assert board.file(number).answer_until(track) == earliest


def test_a_notice_waits_for_no_decision_on_form_but_is_the_clerks(board: Board) -> None:
    number = board.case(proper=False)
    track = board.respondent(number)
    with pytest.raises(NotAllowed):
        send_notice(board.docket, board.chair, number, track, provisions=["gifts"])
    assert send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])


@pytest.mark.parametrize("asked", [0, 1])
def test_a_notice_is_taken_back_with_its_copy_to_counsel_whichever_is_asked_for(
    board: Board, asked: int
) -> None:
    number = board.case()
    track, other = board.respondent(number), board.respondent(number, "Ren Respondent", "ren@office.example")
    lawyer = PartyNamed(PartyRole.RESPONDENT_COUNSEL, "Lou Lawyer", ("lou@law.example",), represents=track)
    name_party(board.docket, board.clerk, number, lawyer)
    letters = send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    (others,) = send_notice(board.docket, board.clerk, number, other, provisions=["gifts"])
    assert set(take_back(board.docket, board.clerk, number, letters[asked])) == set(letters)
    states = {one.id: one.state for one in board.file(number).letters_to("notice")}
    assert states == dict.fromkeys(letters, LetterState.WITHDRAWN) | {others: LetterState.QUEUED}


def test_what_cannot_be_taken_back_is_refused_under_the_clause_of_the_letter(board: Board) -> None:
    number = board.case()
    (letter,) = send_notice(board.docket, board.clerk, number, board.respondent(number), provisions=["gifts"])
    take_back(board.docket, board.clerk, number, letter)
    with pytest.raises(AlreadyDone) as refused:
        take_back(board.docket, board.clerk, number, letter)
    assert refused.value.clause == "A-forward"

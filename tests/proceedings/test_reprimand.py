"""The reprimand goes to the Commission, its copy to the officer, and each receipt is a fact of its own (E)."""

from datetime import timedelta

import pytest

from store import outbox
from store.cases import paper_bytes
from store.proceedings.reprimand import Receiver, issue_reprimand, record_reprimand_receipt
from store.rules.duties import StepState
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import PartyNamed, PartyRole, Served
from tests.proceedings.after_builders import TEXT, heard_case, issued_case, received_case, reprimanded_case
from tests.proceedings.builders import PROFILE, Board


def _state(board: Board, number: str, key: str) -> StepState:
    return next(one.state for one in board.look(number).steps if one.key == key)


def test_the_commission_the_officer_and_counsel_each_get_a_letter_of_their_own(board: Board) -> None:
    from store.proceedings.parties import name_party

    number, track = reprimanded_case(board)
    counsel = PartyNamed(PartyRole.RESPONDENT_COUNSEL, "Lou Lawyer", ("lou@law.example",), represents=track)
    name_party(board.docket, board.clerk, number, counsel)
    letters = issue_reprimand(board.docket, board.clerk, number, track, text=TEXT)
    assert len(letters) == 3
    with board.docket.database.read() as session:
        waiting = outbox.waiting(session, outbox.Channel.MAIL)
        mails = [outbox.read(session, board.docket.keyring, one.id).letter for one in waiting]  # type: ignore[union-attr]  # it waits
    to = {mail.to for mail in mails if mail and mail.to}
    assert {"commission@bramwell-ky.example", "rory@office.example", "lou@law.example"} <= to
    copy = next(mail for mail in mails if mail and mail.to == "rory@office.example" and TEXT in mail.text)
    assert "Demand open until: Tuesday, February 24, 2026" in copy.text
    confidential = next(mail for mail in mails if mail and mail.to == "commission@bramwell-ky.example")
    assert confidential.text.upper().count("CONFIDENTIAL")
    assert "reprimand" not in confidential.subject.lower()


def test_without_a_text_or_a_decision_nothing_is_issued(board: Board) -> None:
    number, track = heard_case(board)
    with pytest.raises(NotNow):
        issue_reprimand(board.docket, board.clerk, number, track, text=TEXT)
    assert not board.file(number).letters_to("reprimand")


def test_a_copy_that_came_back_goes_again_with_the_same_words_and_no_others(board: Board) -> None:
    number, track = reprimanded_case(board)
    first, second = issue_reprimand(board.docket, board.clerk, number, track, text=TEXT)
    board.settle(number, first, "sent")
    board.settle(number, second, "bounced")
    with pytest.raises(NotNow):
        issue_reprimand(board.docket, board.clerk, number, track, text="Something else.")
    (again,) = issue_reprimand(board.docket, board.clerk, number, track)
    assert again != second
    with pytest.raises(AlreadyDone):
        issue_reprimand(board.docket, board.clerk, number, track)


def test_sending_by_mail_is_no_receipt_and_starts_no_demand(board: Board) -> None:
    number, track = issued_case(board)
    assert _state(board, number, f"reprimand:{track}") is StepState.OPEN
    assert _state(board, number, f"demand:{track}") is StepState.NOT_STARTED
    for by in Receiver:
        record_reprimand_receipt(
            board.docket, board.clerk, number, track, by=by, at=board.clock.now(), evidence="signed"
        )
    assert _state(board, number, f"reprimand:{track}") is StepState.DONE
    assert _state(board, number, f"demand:{track}") is StepState.OPEN


def test_the_demand_runs_from_the_later_receipt_and_both_are_shown(board: Board) -> None:
    number, track = received_case(board)
    step = next(one for one in board.look(number).steps if one.key == f"demand:{track}")
    assert {clock.whose for clock in step.clocks} == {"officer", "commission"}
    assert step.dates is not None
    assert step.dates.received_at == max(clock.started_at for clock in step.clocks)


def test_a_receipt_is_recorded_once_with_evidence_and_never_before_the_issue(board: Board) -> None:
    number, track = issued_case(board)
    officer = Receiver.OFFICER
    at = board.clock.now()
    with pytest.raises(BadInput):
        record_reprimand_receipt(board.docket, board.clerk, number, track, by=officer, at=at, evidence=" ")
    early = at - timedelta(days=1)
    with pytest.raises(NotNow):
        record_reprimand_receipt(board.docket, board.clerk, number, track, by=officer, at=early, evidence="x")
    late = at + timedelta(days=1)
    with pytest.raises(BadInput):
        record_reprimand_receipt(board.docket, board.clerk, number, track, by=officer, at=late, evidence="x")
    record_reprimand_receipt(board.docket, board.clerk, number, track, by=officer, at=at, evidence="x")
    with pytest.raises(AlreadyDone):
        record_reprimand_receipt(board.docket, board.clerk, number, track, by=officer, at=at, evidence="x")


def test_on_paper_the_receipt_serves_the_copy(board: Board) -> None:
    from store.proceedings.parties import correct_party

    number, track = reprimanded_case(board)
    paper = PartyNamed(PartyRole.RESPONDENT, "Rory Respondent", postal="1 Main Street")
    correct_party(board.docket, board.clerk, number, track, corrected=paper, reason="he has no address")
    letters = issue_reprimand(board.docket, board.clerk, number, track, text=TEXT)
    board.settle(number, letters[0], "sent")
    board.clock.advance(timedelta(hours=3))
    record_reprimand_receipt(
        board.docket,
        board.clerk,
        number,
        track,
        by=Receiver.OFFICER,
        at=board.clock.now(),
        evidence="by hand",
    )
    (served,) = (one for one in board.file(number).all(Served) if one.fact.letter == "reprimand_copy")
    assert served.about == track
    assert _state(board, number, f"reprimand:{track}") is StepState.DONE


def test_letters_cite_the_ordinance_by_the_name_that_the_profile_gives(board: Board) -> None:
    assert 'ordinance = "Ord. 95-1"' in PROFILE
    number, track = issued_case(board)
    with board.docket.database.read() as session:
        mails = outbox.waiting(session, outbox.Channel.MAIL)
        texts = [outbox.read(session, board.docket.keyring, one.id).letter.text for one in mails]  # type: ignore[union-attr]  # letters
        letter = board.file(number).letters_to("reprimand_copy", track)[0]
        paper, content = paper_bytes(board.docket, session, letter.queued.document)
    assert content.startswith(b"%PDF")
    assert paper.kind == "letter:reprimand_copy"
    assert any("(Ord. 95-1)" in text for text in texts)

"""The Board's hearing is set with notice to each party and counsel; its result makes the track final."""

from dataclasses import replace
from datetime import timedelta

import pytest

from store import outbox
from store.proceedings.hearing import (
    Setting,
    Sitting,
    open_hearing,
    record_result,
    record_sitting,
    send_result,
)
from store.proceedings.parties import name_party
from store.rules.casefile import LetterState
from store.rules.duties import StepState
from store.rules.errors import AlreadyDone, BadInput, NotAllowed, NotNow
from store.rules.facts import HearingDecided, PartyNamed, PartyRole
from store.rules.stages import Next, coming
from tests.proceedings.after_builders import heard_case, reprimanded_case
from tests.proceedings.builders import Board


def _setting(board: Board) -> Setting:
    at = board.clock.now() + timedelta(days=20)
    return Setting(at, "City Hall\nRoom 204", "Whether section 12.04 was violated.", handed_over=(1,))


def test_respondent_counsel_and_complainant_each_get_notice_with_what_is_handed_over(board: Board) -> None:
    number, track = heard_case(board)
    counsel = PartyNamed(PartyRole.RESPONDENT_COUNSEL, "Lou Lawyer", ("lou@law.example",), represents=track)
    name_party(board.docket, board.clerk, number, counsel)
    letters = open_hearing(board.docket, board.chair, number, track, _setting(board))
    assert len(letters) == 3
    with board.docket.database.read() as session:
        found = [one for one in outbox.waiting(session, outbox.Channel.MAIL) if one.kind == "hearing_notice"]
        mails = [outbox.read(session, board.docket.keyring, one.id).letter for one in found]  # type: ignore[union-attr]  # it waits
    assert {mail.to for mail in mails if mail} == {
        "rory@office.example",
        "lou@law.example",
        "connie@post.example",
    }
    assert all(len(mail.attachments) == 2 for mail in mails if mail)
    assert all("Complaint, received" in mail.text for mail in mails if mail)
    step = next(one for one in board.look(number).steps if one.key == f"hearing:{track}")
    assert step.state is StepState.DONE


def test_it_is_set_anew_with_a_reason_only(board: Board) -> None:
    number, track = heard_case(board)
    setting = _setting(board)
    open_hearing(board.docket, board.chair, number, track, setting)
    with pytest.raises(AlreadyDone):
        open_hearing(board.docket, board.chair, number, track, setting)
    later = replace(setting, hearing_at=setting.hearing_at + timedelta(days=7), reason="counsel is ill")
    assert len(open_hearing(board.docket, board.chair, number, track, later)) == 2
    hearing = board.file(number).hearing(track)
    assert hearing is not None
    assert hearing.fact.hearing_at == later.hearing_at


def test_it_lies_ahead_has_a_place_and_an_issue_and_rests_on_a_decision(board: Board) -> None:
    number, track = heard_case(board)
    setting = _setting(board)
    wrong = (
        replace(setting, hearing_at=board.clock.now()),
        replace(setting, hearing_at=setting.hearing_at.replace(tzinfo=None)),
        replace(setting, place=" "),
        replace(setting, issue=""),
        replace(setting, handed_over=(999,)),
    )
    for one in wrong:
        with pytest.raises(BadInput):
            open_hearing(board.docket, board.chair, number, track, one)
    assert board.file(number).hearing(track) is None


def test_no_hearing_is_opened_where_none_was_decided(board: Board) -> None:
    number, track = reprimanded_case(board)
    with pytest.raises(Exception, match="final"):
        open_hearing(board.docket, board.chair, number, track, _setting(board))


def test_the_result_follows_the_hearing_and_makes_the_track_final(board: Board) -> None:
    number, track = heard_case(board)
    with pytest.raises(NotNow):
        record_result(board.docket, board.clerk, number, track, on=board.look(number).today, result="none")
    setting = _setting(board)
    open_hearing(board.docket, board.chair, number, track, setting)
    with pytest.raises(NotNow):
        record_result(board.docket, board.clerk, number, track, on=board.look(number).today, result="none")
    assert not board.file(number).final
    board.clock.advance(timedelta(days=21))
    record_result(
        board.docket, board.clerk, number, track, on=board.look(number).today, result="no violation"
    )
    case = board.file(number)
    assert case.final
    assert [one.fact.before for one in case.all(HearingDecided)] == ["board"]


def _held(board: Board) -> tuple[str, int]:
    """A case whose hearing is set, on the day of the hearing."""
    number, track = heard_case(board)
    open_hearing(board.docket, board.chair, number, track, _setting(board))
    board.clock.advance(timedelta(days=20, hours=2))
    return number, track


def test_a_sitting_tells_who_came_and_what_was_handed_over(board: Board) -> None:
    number, track = _held(board)
    sitting = Sitting(board.clock.now() - timedelta(hours=1), (track, track), (1,), words="heard both")
    assert record_sitting(board.docket, board.clerk, number, track, sitting) == ()
    (sat,) = board.file(number).sittings(track)
    assert (sat.fact.appeared, sat.fact.handed_over, sat.fact.adjourned) == ((track,), (1,), False)


def test_a_hearing_adjourned_to_a_day_is_set_for_it_and_noticed_anew(board: Board) -> None:
    number, track = _held(board)
    sitting = Sitting(board.clock.now(), (track,), adjourned=True, words="a witness is ill")
    later = replace(_setting(board), reason="adjourned: a witness is ill")
    assert len(record_sitting(board.docket, board.chair, number, track, sitting, to=later)) == 2
    hearing = board.file(number).hearing(track)
    assert hearing is not None
    assert hearing.fact.hearing_at == later.hearing_at
    assert len(board.file(number).letters_to("hearing_notice", track)) == 2
    with pytest.raises(NotNow):
        record_result(board.docket, board.clerk, number, track, on=board.look(number).today, result="none")


def test_a_sitting_is_of_the_parties_in_the_past_and_adjourned_with_its_reason(board: Board) -> None:
    number, track = _held(board)
    now = board.clock.now()
    wrong = (
        Sitting(now + timedelta(minutes=1)),
        Sitting(now, (999,)),
        Sitting(now, handed_over=(999,)),
        Sitting(now, adjourned=True),
    )
    for one in wrong:
        with pytest.raises(BadInput):
            record_sitting(board.docket, board.clerk, number, track, one)
    with pytest.raises(BadInput):
        record_sitting(board.docket, board.clerk, number, track, Sitting(now), to=_setting(board))
    with pytest.raises(NotNow):
        record_sitting(board.docket, board.clerk, number, track, Sitting(now - timedelta(days=3)))
    with pytest.raises(NotAllowed):
        record_sitting(board.docket, board.members[1], number, track, Sitting(now))
    assert board.file(number).sittings(track) == ()


def test_the_result_goes_to_each_party_and_counsel_though_the_case_is_final(board: Board) -> None:
    number, track = _held(board)
    counsel = PartyNamed(PartyRole.RESPONDENT_COUNSEL, "Lou Lawyer", ("lou@law.example",), represents=track)
    name_party(board.docket, board.clerk, number, counsel)
    with pytest.raises(NotNow):
        send_result(board.docket, board.clerk, number, track)
    on = board.look(number).today
    record_result(board.docket, board.clerk, number, track, on=on, result="No violation was found.")
    assert Next.SEND_RESULT in coming(board.file(number))
    letters = send_result(board.docket, board.clerk, number, track)
    with board.docket.database.read() as session:
        found = [one for one in outbox.waiting(session, outbox.Channel.MAIL) if one.kind == "hearing_result"]
        mails = [outbox.read(session, board.docket.keyring, one.id).letter for one in found]  # type: ignore[union-attr]  # it waits
    texts = {mail.to: " ".join(mail.text.split()) for mail in mails if mail}
    assert set(texts) == {"rory@office.example", "lou@law.example", "connie@post.example"}
    assert all("No violation was found." in text for text in texts.values())
    assert "the complaint you filed" in texts["connie@post.example"]
    assert "filed against you" in texts["rory@office.example"]
    with pytest.raises(AlreadyDone):
        send_result(board.docket, board.clerk, number, track)
    for letter in letters:
        board.settle(number, letter, "sent")
    assert Next.SEND_RESULT not in coming(board.file(number))


def test_a_result_that_bounced_is_sent_again_to_that_party_alone(board: Board) -> None:
    number, track = _held(board)
    on = board.look(number).today
    record_result(board.docket, board.clerk, number, track, on=on, result="No violation.")
    first, second = send_result(board.docket, board.clerk, number, track)
    board.settle(number, first, "bounced")
    board.settle(number, second, "sent")
    assert len(send_result(board.docket, board.clerk, number, track)) == 1


def test_a_hearing_that_stands_adjourned_has_no_result_before_the_sitting_that_ended_it(board: Board) -> None:
    number, track = _held(board)
    adjourned = Sitting(board.clock.now(), (track,), adjourned=True, words="a witness is ill")
    record_sitting(board.docket, board.chair, number, track, adjourned)
    on = board.look(number).today
    with pytest.raises(NotNow, match="adjourned"):
        record_result(board.docket, board.clerk, number, track, on=on, result="No violation.")
    record_sitting(
        board.docket, board.chair, number, track, Sitting(board.clock.now(), words="heard to its end")
    )
    record_result(board.docket, board.clerk, number, track, on=on, result="No violation.")
    assert board.file(number).final


def test_notices_of_a_day_that_was_given_up_never_go_out(board: Board) -> None:
    number, track = heard_case(board)
    paper = PartyNamed(PartyRole.COMPLAINANT, "Pat Paper", postal="5 Elm Street")
    name_party(board.docket, board.clerk, number, paper)
    setting = _setting(board)
    first = open_hearing(board.docket, board.chair, number, track, setting)
    later = replace(setting, hearing_at=setting.hearing_at + timedelta(days=7), reason="counsel is ill")
    second = open_hearing(board.docket, board.chair, number, track, later)
    states = {one.id: one.state for one in board.file(number).letters_to("hearing_notice")}
    assert {states[one] for one in first} == {LetterState.WITHDRAWN}
    assert {states[one] for one in second} == {LetterState.QUEUED}
    with board.docket.database.read() as session:
        owed = {
            one.about for one in outbox.waiting(session, outbox.Channel.MAIL) if one.kind == "hearing_notice"
        }
    assert owed < set(second)


def test_a_notice_that_went_out_stays_where_the_hearing_is_set_anew(board: Board) -> None:
    number, track = heard_case(board)
    setting = _setting(board)
    first, *_others = open_hearing(board.docket, board.chair, number, track, setting)
    board.settle(number, first, "sent")
    later = replace(setting, hearing_at=setting.hearing_at + timedelta(days=7), reason="counsel is ill")
    open_hearing(board.docket, board.chair, number, track, later)
    states = {one.id: one.state for one in board.file(number).letters_to("hearing_notice")}
    assert states[first] is LetterState.SENT

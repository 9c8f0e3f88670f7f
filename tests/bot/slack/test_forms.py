"""Each form of the clerk's work, from the button to the fact."""

from datetime import date, timedelta

import pytest

from bot.actions.ids import DEEDS, Do
from bot.practice.client import message_text
from store.proceedings.calendar import close_day
from store.proceedings.determination import Conclusion, determine
from store.proceedings.parties import name_party
from store.proceedings.screening import lift_conflict
from store.rules.casefile import LetterState
from store.rules.facts import (
    ChanceNotUsed,
    Choice,
    InquiryHeld,
    NoRespondent,
    PaperReceived,
    PartyNamed,
    PartyRole,
    Question,
    Referred,
    Served,
)
from tests.bot.slack.office import CLARA, HANNA, MORA, Office, told

pytestmark = pytest.mark.contract


def fill(office: Office, user: str, number: str, action: Do, values: dict[str, object]) -> str:
    """Press a button of the case's card, submit the form, and give what was said."""
    office.practice.command(user, "/ethics", f"case {number}")
    office.press(user, office.last(user), action)
    outcome = office.practice.submit(user, values)  # type: ignore[arg-type]  # choices as the test spells them
    assert outcome.ok, office.said(user)
    said = office.said(user)
    office.practice.close(user, clear=True)
    return said


def press(office: Office, user: str, number: str, action: Do) -> str:
    office.practice.command(user, "/ethics", f"case {number}")
    office.press(user, office.last(user), action)
    return office.said(user)


def test_a_clerk_records_a_referral_made_outside_with_its_evidence(office: Office) -> None:
    number = told(office)
    said = fill(office, CLARA, number, Do.RECORD_REFERRAL, {"evidence": "memo of this morning"})
    assert "was referred" in said
    (referred,) = office.board.file(number).all(Referred)
    assert referred.fact.evidence == "memo of this morning"


def test_nobody_can_be_named_is_recorded_with_its_reason(office: Office) -> None:
    number = told(office)
    fill(office, CLARA, number, Do.NO_RESPONDENT, {"reason": "the complaint names none"})
    assert [one.fact.reason for one in office.board.file(number).all(NoRespondent)] == [
        "the complaint names none"
    ]


def test_who_is_named_opens_the_case_to_everybody_else(office: Office) -> None:
    number = told(office, proper=False, screened=False)
    mora = str(office.board.person("Mora Member"))
    said = fill(office, CLARA, number, Do.WHO_IS_NAMED, {"named": [mora]})
    assert "open to those who are not named" in said
    office.deliver()
    assert f"Case {number}" in press_case(office, HANNA, number)
    assert "no case of that number" in press_case(office, MORA, number)


def test_a_wall_is_lifted_with_a_reason_in_one_step(office: Office) -> None:
    number = told(office)
    clara, mora = office.board.clerk, office.board.person("Mora Member")
    name_party(office.board.docket, clara, number, PartyNamed(PartyRole.RESPONDENT, "M. Member"))
    case = office.board.file(number)
    assert "possibly" in case.walls[mora]
    for person in sorted(case.walled_off - {mora}):
        lift_conflict(office.board.docket, clara, number, person, "another person")
    office.deliver()
    assert "no case of that number" in press_case(office, MORA, number)
    said = fill(office, CLARA, number, Do.LIFT_CONFLICT, {"who": str(mora), "reason": "another M. Member"})
    assert "lifted" in said
    office.deliver()
    assert f"Case {number}" in press_case(office, MORA, number)


def slowly(office: Office, number: str, values: dict[str, object]) -> str:
    """Send notices: the modal says that they are being recorded, and then that they are."""
    practice = office.practice
    practice.command(CLARA, "/ethics", f"case {number}")
    office.press(CLARA, office.last(CLARA), Do.SEND_NOTICE)
    view = office.modal(CLARA).id
    after = practice.last_seq()
    assert practice.submit(CLARA, values).ok  # type: ignore[arg-type]  # choices as the test spells them
    recording = practice.wait("view_updated", after, view=view)
    practice.wait("view_updated", recording.seq, view=view)
    said = office.said(CLARA)
    practice.close(CLARA)
    return said


def press_case(office: Office, user: str, number: str) -> str:
    office.practice.command(user, "/ethics", f"case {number}")
    return message_text(office.last(user))


def test_a_notice_goes_to_every_respondent_who_waits_for_it(office: Office) -> None:
    number = told(office)
    for name in ("Rory Respondent", "Ruth Respondent"):
        office.board.respondent(number, name)
    said = slowly(office, number, {"whom": "all", "provisions": ["gifts"]})
    assert "2 letters were written" in said
    assert len(office.board.file(number).letters_to("notice")) == 2
    office.deliver()
    assert Do.SEND_NOTICE not in office.offers(office.card(CLARA, number))


def test_a_letter_that_waits_can_be_taken_back(office: Office) -> None:
    number = told(office)
    press(office, CLARA, number, Do.ACKNOWLEDGE)
    press(office, CLARA, number, Do.TAKE_BACK)
    office.press(CLARA, office.modal(CLARA), "take_back_letter_now")
    assert "does not go out" in office.said(CLARA)
    (letter,) = office.board.file(number).letters
    assert letter.state is LetterState.WITHDRAWN


def test_a_letter_on_paper_is_served_by_its_record(office: Office) -> None:
    number = told(office)
    party = office.board.respondent(number, "Paula Paper", "")
    slowly(office, number, {"provisions": ["gifts"]})
    press(office, CLARA, number, Do.TAKE_BACK)
    office.press(CLARA, office.modal(CLARA), Do.RECORD_SERVICE)
    assert office.practice.submit(CLARA, {"how": "in person", "by": "the clerk"}).ok
    assert "served on paper" in office.said(CLARA)
    assert [one.about for one in office.board.file(number).all(Served)] == [party]


def test_an_answer_and_a_chance_not_used_are_recorded_for_one_respondent_each(office: Office) -> None:
    board = office.board
    number = board.case()
    first, second = board.respondent(number, "Rory Respondent"), board.respondent(number, "Ruth Respondent")
    for track in (first, second):
        board.serve(number, track)
    board.clock.advance(timedelta(days=15))
    fill(office, CLARA, number, Do.RECORD_RESPONSE, {"whom": str(first), "words": "a letter, by hand"})
    fill(office, CLARA, number, Do.CHANCE_NOT_USED, {"whom": str(second)})
    file = board.file(number)
    assert [one.fact.from_party for one in file.all(PaperReceived)] == [first]
    assert [one.about for one in file.all(ChanceNotUsed)] == [second]


def test_the_inquiry_is_recorded_as_concluded(office: Office) -> None:
    number = told(office)
    said = fill(office, CLARA, number, Do.HOLD_INQUIRY, {"concluded": "yes"})
    assert "was concluded" in said
    assert [one.fact.concluded for one in office.board.file(number).all(InquiryHeld)] == [True]


def test_the_decision_goes_to_each_party_with_one_click(office: Office) -> None:
    board = office.board
    number, track = board.served_case()
    board.decide(number, track, board.meeting(), Question.JURISDICTION, Choice.NO)
    determine(board.docket, board.chair, number, track, Conclusion(False, None, "A private quarrel."))
    after = office.practice.last_seq()
    press(office, CLARA, number, Do.SEND_DECISION)
    office.practice.wait(
        "ephemeral_posted", office.practice.wait("interaction_sent", after, sort="block_actions").seq
    )
    assert "2 letters were written" in office.said(CLARA)
    assert len(board.file(number).letters_to("decision_of_termination")) == 2


def test_a_void_ballot_needs_the_chair_and_a_reason(office: Office) -> None:
    number, track = office.board.served_case()
    office.board.ballot(number, track, office.board.meeting())
    office.practice.command(CLARA, "/ethics", f"case {number}")
    assert Do.VOID_BALLOT not in office.offers(office.last(CLARA))
    assert "is void" in fill(office, HANNA, number, Do.VOID_BALLOT, {"reason": "opened in error"})


def test_who_comes_second_is_told_who_did_it_and_when(office: Office) -> None:
    number, track = office.board.served_case()
    office.board.ballot(number, track, office.board.meeting())
    office.practice.command(CLARA, "/ethics", f"case {number}")
    old = office.last(CLARA)
    press(office, HANNA, number, Do.CLOSE_BALLOT)
    office.press(CLARA, old, Do.CLOSE_BALLOT)
    said = office.said(CLARA)
    assert "closed already" in said
    assert "Hanna Chair" in said
    assert "2026-02-17 10:00" in said


def test_why_what_next_and_history_are_answered_for_a_member(office: Office) -> None:
    number = told(office)
    assert "Last lawful day" in press(office, MORA, number, Do.WHY_DATES)
    assert "Next:" in press(office, MORA, number, Do.WHAT_NEXT)
    assert "complaint received" in press(office, MORA, number, Do.HISTORY)


def test_a_day_that_is_closed_moves_dates_and_everybody_entitled_is_told_once(office: Office) -> None:
    number = told(office)
    board = office.board
    close_day(board.docket, board.clerk, date(2026, 2, 4), "ice storm")
    office.deliver()
    said = [
        message_text(one) for one in office.practice.direct(HANNA) if "Dates have moved" in message_text(one)
    ]
    assert len(said) == 1
    assert number in said[0]
    assert "ice storm" in said[0]


def test_every_act_that_can_come_second_is_one_that_a_button_does() -> None:
    assert set(DEEDS) <= set(Do)

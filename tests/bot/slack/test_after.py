"""What follows a sufficient basis, and what stands around the file: from the button to the fact."""

from datetime import timedelta

import pytest

from bot.actions.ids import Do
from store.proceedings.disclosure import record_disclosure
from store.proceedings.meeting import close_meeting
from store.rules.facts import (
    DemandRecorded,
    Disclosed,
    Disposed,
    EvidenceTurnedOver,
    HearingDecided,
    HearingOpened,
    MergedInto,
    OfficeReceived,
    PubliclyConfirmed,
    Question,
    Reopened,
    ReprimandReceived,
    Withdrawn,
)
from tests.bot.slack.office import CLARA, HANNA, MORA, Office, told
from tests.bot.slack.test_forms import fill, press
from tests.proceedings.after_builders import (
    both_terminated,
    heard_case,
    issued_case,
    received_case,
    reprimanded_case,
    sufficient_case,
)

pytestmark = pytest.mark.contract


def around(office: Office, user: str, number: str, action: Do, values: dict[str, object]) -> str:
    """Press More, then one of its buttons, and submit the form."""
    press(office, user, number, Do.MORE_ACTS)
    office.press(user, office.modal(user), action)
    outcome = office.practice.submit(user, values)  # type: ignore[arg-type]  # choices as the test spells them
    assert outcome.ok, office.said(user)
    said = office.said(user)
    office.practice.close(user, clear=True)
    return said


def slowly(office: Office, user: str, number: str, action: Do, values: dict[str, object]) -> str:
    """Submit a form whose letters take a while to write."""
    practice = office.practice
    practice.command(user, "/ethics", f"case {number}")
    office.press(user, office.last(user), action)
    view = office.modal(user).id
    after = practice.last_seq()
    assert practice.submit(user, values).ok, office.said(user)  # type: ignore[arg-type]  # choices as the test spells them
    recording = practice.wait("view_updated", after, view=view)
    practice.wait("view_updated", recording.seq, view=view)
    said = office.said(user)
    practice.close(user, clear=True)
    return said


def test_what_follows_is_recorded_with_the_circumstances_chosen(office: Office) -> None:
    number, _track, _held = sufficient_case(office.board, Question.REPRIMAND)
    said = fill(
        office, HANNA, number, Do.DISPOSE, {"course": "reprimand", "circumstances": ["no-loss-to-city"]}
    )
    assert "what follows" in said
    (fact,) = office.board.file(number).all(Disposed)
    assert fact.fact.mitigating == ("no-loss-to-city",)


def test_the_reprimand_goes_out_with_the_boards_words(office: Office) -> None:
    number, _track = reprimanded_case(office.board)
    said = slowly(office, CLARA, number, Do.ISSUE_REPRIMAND, {"text": "You disclosed late."})
    assert "2 letters were written" in said
    assert len(office.board.file(number).letters_to("reprimand_copy")) == 1


def test_a_receipt_says_until_when_a_demand_is_open(office: Office) -> None:
    number, _track = issued_case(office.board)
    said = fill(office, CLARA, number, Do.REPRIMAND_RECEIVED, {"by": "officer", "evidence": "signed"})
    assert "a demand is open until Tue 2026-02-24" in said
    assert [one.fact.by for one in office.board.file(number).all(ReprimandReceived)] == ["officer"]


def test_a_demand_and_the_commissions_result_are_recorded(office: Office) -> None:
    number, track = received_case(office.board)
    assert "timely" in fill(office, CLARA, number, Do.RECORD_DEMAND, {"words": "by hand, one page"})
    assert [one.about for one in office.board.file(number).all(DemandRecorded)] == [track]
    fill(office, CLARA, number, Do.COMMISSION_RESULT, {"result": "upheld"})
    assert [one.fact.before for one in office.board.file(number).all(HearingDecided)] == ["commission"]


def test_a_hearing_is_set_and_its_result_recorded(office: Office) -> None:
    number, track = heard_case(office.board)
    ahead = (office.board.look(number).today + timedelta(days=10)).isoformat()
    values: dict[str, object] = {"on": ahead, "hour": "18:30", "place": "City Hall", "issue": "Whether."}
    assert "2 letters" in slowly(office, HANNA, number, Do.OPEN_HEARING, values)
    (opened,) = office.board.file(number).all(HearingOpened)
    assert opened.fact.hearing_at is not None
    assert opened.fact.hearing_at.isoformat() == f"{ahead}T23:30:00+00:00"
    office.board.clock.advance(timedelta(days=11))
    again = (office.board.look(number).today + timedelta(days=5)).isoformat()
    went: dict[str, object] = {
        "appeared": [str(track)],
        "ended": "adjourned",
        "how": "a witness is ill",
        "again_on": again,
        "again_hour": "9:00",
    }
    assert "2 letters" in slowly(office, CLARA, number, Do.HEARING_SAT, went)
    (sat,) = office.board.file(number).sittings(track)
    assert (sat.fact.appeared, sat.fact.adjourned) == ((track,), True)
    office.board.clock.advance(timedelta(days=6))
    fill(office, HANNA, number, Do.HEARING_RESULT, {"result": "no violation"})
    assert office.board.file(number).final_at(track) is not None
    after = office.practice.last_seq()
    press(office, CLARA, number, Do.SEND_RESULT)
    office.practice.wait(
        "ephemeral_posted", office.practice.wait("interaction_sent", after, sort="block_actions").seq
    )
    assert "2 letters were written" in office.said(CLARA)
    assert len(office.board.file(number).letters_to("hearing_result")) == 2


def test_evidence_goes_to_a_prosecutor_and_its_receipt_comes_back(office: Office) -> None:
    number = told(office)
    values: dict[str, object] = {"papers": ["1"], "authority": "motion of Monday"}
    around(office, HANNA, number, Do.TURN_OVER_EVIDENCE, values)
    (turned,) = office.board.file(number).all(EvidenceTurnedOver)
    assert turned.fact.documents == (1,)
    around(office, CLARA, number, Do.EVIDENCE_RECEIVED, {"evidence": "signed"})
    received = office.board.file(number).last(OfficeReceived, about=turned.id)
    assert received is not None
    truly = received.fact.at - timedelta(minutes=30)
    local = truly.astimezone(office.board.look(number).profile.city.time_zone)
    values = {
        "receipt": str(received.id),
        "on": local.date().isoformat(),
        "hour": f"{local:%H:%M}",
        "reason": "the stamp",
    }
    around(office, CLARA, number, Do.CORRECT_RECEIPT, values)
    now = office.board.file(number).last(OfficeReceived, about=turned.id)
    assert now is not None
    assert (now.fact.at, now.supersedes) == (truly.replace(second=0, microsecond=0), received.id)


def test_a_disclosure_opens_the_confirmation(office: Office) -> None:
    number = told(office)
    press(office, CLARA, number, Do.MORE_ACTS)
    assert Do.CONFIRM_PUBLICLY not in office.offers(office.modal(CLARA))
    office.practice.close(CLARA, clear=True)
    around(office, CLARA, number, Do.RECORD_DISCLOSURE, {"evidence": "the Courier, page 3"})
    assert len(list(office.board.file(number).all(Disclosed))) == 1
    said = around(office, CLARA, number, Do.CONFIRM_PUBLICLY, {"how": "press release"})
    assert f"exists in case {number}" in said
    assert len(list(office.board.file(number).all(PubliclyConfirmed))) == 1


def test_a_release_without_a_ballot_is_refused(office: Office) -> None:
    number, track = office.board.served_case()
    board = office.board
    record_disclosure(
        board.docket, board.chair, number, party=track, on=board.look(number).today, evidence="the Courier"
    )
    press(office, HANNA, number, Do.MORE_ACTS)
    office.press(HANNA, office.modal(HANNA), Do.RELEASE_DOCUMENTS)
    office.practice.submit(HANNA, {"papers": ["1"], "how": "web site"})
    assert "No ballot of the Board" in office.said(HANNA)


def test_a_receipt_is_corrected_and_a_withdrawal_and_a_merger_recorded(office: Office) -> None:
    other, number = office.board.case(), told(office)
    values: dict[str, object] = {"on": "2026-01-30", "hour": "9:15", "reason": "the stamp"}
    assert "open dates moved" in around(office, CLARA, number, Do.CORRECT_RECEIPT, values)
    assert office.board.file(number).board_received_at.isoformat() == "2026-01-30T14:15:00+00:00"
    around(office, CLARA, number, Do.WITHDRAW, {"words": "she writes: no more"})
    assert len(list(office.board.file(number).all(Withdrawn))) == 1
    around(office, CLARA, number, Do.MERGE, {"into": other, "reason": "the same event"})
    assert [one.fact.number for one in office.board.file(number).all(MergedInto)] == [other]


def test_closing_says_what_is_open_and_a_final_case_is_reopened(office: Office) -> None:
    number, _track = received_case(office.board)
    assert "cannot be closed yet" in press(office, CLARA, number, Do.CLOSE_CASE)
    office.practice.close(CLARA, clear=True)
    around(office, HANNA, number, Do.REOPEN, {"reason": "new evidence"})
    assert len(list(office.board.file(number).all(Reopened))) == 1


def test_whose_track_is_reopened_is_chosen_where_there_are_several_respondents(office: Office) -> None:
    number, first, second, _held = both_terminated(office.board)
    around(office, HANNA, number, Do.REOPEN, {"reason": "new evidence", "respondents": [str(second)]})
    case = office.board.file(number)
    assert [case.standing_determination(one) is None for one in (first, second)] == [False, True]


def test_a_hold_is_placed_and_lifted(office: Office) -> None:
    number = told(office)
    around(office, HANNA, number, Do.PLACE_HOLD, {"reason": "a suit"})
    assert office.board.file(number).on_hold
    around(office, HANNA, number, Do.LIFT_HOLD, {"reason": "it ended"})
    assert not office.board.file(number).on_hold


def test_a_member_is_offered_none_of_it(office: Office) -> None:
    number, _track, _held = sufficient_case(office.board, Question.HEARING)
    office.practice.command(MORA, "/ethics", f"case {number}")
    offered = office.offers(office.last(MORA))
    assert not offered & {Do.DISPOSE, Do.MORE_ACTS, Do.CLOSE_CASE}


def test_the_minutes_are_sent_to_whoever_writes_them(office: Office) -> None:
    held = office.board.meeting()
    close_meeting(office.board.docket, office.board.clerk, held)
    office.practice.command(CLARA, "/ethics", "meeting")
    after = office.practice.last_seq()
    office.press(CLARA, office.last(CLARA), Do.WRITE_MINUTES)
    office.practice.wait("file_shared", after)
    shared = next(one for one in reversed(office.practice.direct(CLARA)) if one.files)
    assert office.practice.read_file(CLARA, shared.files[0]).startswith(b"%PDF")


def test_counsel_is_named_after_a_reprimand_though_the_case_is_final(office: Office) -> None:
    number, track = received_case(office.board)
    around(office, CLARA, number, Do.NAME_COUNSEL, {"name": "Lou Lawyer", "email": "lou@law.example"})
    (counsel,) = office.board.file(number).counsel_of(track)
    assert counsel.named.name == "Lou Lawyer"

"""Submissions (`view_submission`): saved, then acknowledged; the same one counts once; a refusal keeps what was typed."""

import json
import re
from typing import Any

import pytest
from slack_bolt import BoltRequest

from bot.actions.ids import Do
from bot.practice.client import ShownView, action_ids
from store.cases import act, claim_event, papers_for
from store.proceedings.ballot import close_ballot
from store.proceedings.recusal import recuse
from store.rules.access import Deed
from store.rules.facts import Choice, FormDecided, Question, VoteCast
from tests.bot.slack.office import CLARA, HANNA, MORA, Office, told

pytestmark = pytest.mark.contract


def submission(view: ShownView, user: str, team: str = "T0PRACTICE") -> dict[str, Any]:
    """The payload that Slack sends for a modal as it stands."""
    return {
        "type": "view_submission",
        "team": {"id": team},
        "user": {"id": user, "team_id": team},
        "api_app_id": "A0PRACTICE",
        "token": "x",
        "trigger_id": "1.2.3",
        "view": {
            **view.body,
            "id": view.id,
            "hash": view.hash,
            "type": "modal",
            "state": {"values": view.values},
        },
    }


def send(office: Office, body: dict[str, Any]) -> Any:
    answer = office.app.dispatch(BoltRequest(mode="socket_mode", body=body))
    assert answer.status == 200
    return answer.body


def open_paper(office: Office) -> tuple[str, int]:
    """A ballot that is open, its paper in Mora's direct messages."""
    number, track = office.board.served_case()
    ballot = office.board.ballot(number, track, office.board.meeting())
    office.deliver()
    return number, ballot


def test_a_vote_delivered_three_times_counts_once(office: Office) -> None:
    number, ballot = open_paper(office)
    office.press(MORA, office.last(MORA), Do.VOTE)
    office.practice.fill(MORA, office.modal(MORA), "choice", "yes")
    body = submission(office.modal(MORA), MORA)
    answers = [send(office, body) for _ in range(3)]
    assert all("Your vote is recorded: Yes" in one for one in answers)
    found = office.board.file(number).ballot(ballot)
    assert found is not None
    assert [(vote.fact.person, vote.fact.choice) for vote in found.votes] == [
        (office.board.person("Mora Member"), Choice.YES)
    ]


def test_a_changed_vote_is_a_new_one_and_the_paper_shows_the_one_before(office: Office) -> None:
    number, ballot = open_paper(office)
    for choice in ("yes", "no"):
        office.press(MORA, office.last(MORA), Do.VOTE)
        shown = office.said(MORA)
        assert office.practice.submit(MORA, {"choice": choice}).ok
        office.practice.close(MORA)
    assert "You voted *Yes*" in shown
    found = office.board.file(number).ballot(ballot)
    assert found is not None
    assert [vote.fact.choice for vote in found.votes] == [Choice.YES, Choice.NO]


def test_a_vote_after_the_closing_is_refused_and_never_shown_as_recorded(office: Office) -> None:
    number, ballot = open_paper(office)
    office.press(MORA, office.last(MORA), Do.VOTE)
    close_ballot(office.board.docket, office.board.chair, number, ballot)
    office.practice.submit(MORA, {"choice": "yes"})
    assert "not open" in office.said(MORA)
    assert "is recorded" not in office.said(MORA)
    assert not list(office.board.file(number).all(VoteCast))


def test_a_member_who_stepped_back_while_the_paper_was_open_casts_no_vote(office: Office) -> None:
    number, _ballot = open_paper(office)
    office.press(MORA, office.last(MORA), Do.VOTE)
    recuse(office.board.docket, office.board.actor("Mora Member"), number)
    office.practice.submit(MORA, {"choice": "yes"})
    assert "no case of that number" in office.said(MORA)
    assert not list(office.board.file(number).all(VoteCast))


def test_a_submission_from_another_workspace_is_refused(office: Office) -> None:
    number, _ballot = open_paper(office)
    office.press(MORA, office.last(MORA), Do.VOTE)
    office.practice.fill(MORA, office.modal(MORA), "choice", "yes")
    answer = send(office, submission(office.modal(MORA), MORA, team="T0OTHER"))
    assert "no case of that number" in answer
    assert not list(office.board.file(number).all(VoteCast))


def test_a_refusal_is_shown_above_the_form_and_what_was_typed_stays(office: Office) -> None:
    number = told(office, proper=False)
    office.press(CLARA, office.card(CLARA, number), Do.FORM_CHECK)
    office.practice.submit(CLARA, {"proper": "no", "signed": "no", "reason": "a long reason"})
    assert "says what is lacking" in office.said(CLARA)
    office.practice.close(CLARA)
    assert office.modal(CLARA).values["reason"]["reason"]["value"] == "a long reason"
    outcome = office.practice.submit(CLARA, {"lacking": ["signature"]})
    assert outcome.ok
    assert "not proper yet" in office.said(CLARA)
    (decided,) = office.board.file(number).all(FormDecided)
    assert decided.fact.lacking == ("signature",)


def test_the_form_check_shows_what_was_found_in_every_paper_and_turning_keeps_what_was_chosen(
    office: Office,
) -> None:
    number = told(office, proper=False)
    board = office.board
    with act(board.docket, board.clerk, Deed.RECORD_RESPONSE, number=number) as step:
        for pages in range(2, 14):
            step.keep(
                b"%PDF " + bytes([pages]),
                kind="exhibit",
                media_type="application/pdf",
                name="e.pdf",
                received_at=step.now,
                finding=json.dumps({"signature": "drawn", "pages": 1, "signers": [f"Signer {pages}."]}),
            )
    seen = board.look(number)
    every = len(papers_for(board.docket, seen))
    office.press(CLARA, office.card(CLARA, number), Do.FORM_CHECK)
    modal = office.modal(CLARA)
    office.practice.fill(CLARA, modal, "reason", "typed before the turn")
    said, places = "", set[str]()
    for _page in range(every // 5 + 1):
        modal = office.modal(CLARA)
        shown = str(modal.body["blocks"])
        assert len(modal.body["blocks"]) < 100
        said += shown
        places |= set(re.findall(r"Pictures of paper (\d+)", shown))
        if f"{Do.TURN_FORM}:on" not in action_ids(modal):
            break
        assert office.practice.click(CLARA, modal, f"{Do.TURN_FORM}:on").ok
    assert len(places) == every
    for pages in range(2, 14):
        assert f"Signer {pages}." in said
    assert "exhibit, not decided on here" in said
    assert office.modal(CLARA).values["reason"]["reason"]["value"] == "typed before the turn"
    outcome = office.practice.submit(CLARA, {"proper": "yes", "signed": "yes"})
    assert outcome.ok
    assert "is proper" in office.said(CLARA)


def test_a_respondent_submitted_twice_is_named_once(office: Office) -> None:
    number = told(office)
    office.press(CLARA, office.card(CLARA, number), Do.NAME_RESPONDENTS)
    view = office.modal(CLARA)
    office.practice.fill(CLARA, view, "name", "Rory Respondent")
    body = submission(office.modal(CLARA), CLARA)
    first, second = send(office, body), send(office, body)
    assert "Recorded in case" in first
    assert "counts once" in second
    assert len(office.board.file(number).respondents) == 1


def test_a_submitted_modal_that_nothing_takes_is_answered(office: Office) -> None:
    number = told(office)
    office.press(CLARA, office.card(CLARA, number), Do.NAME_RESPONDENTS)
    body = submission(office.modal(CLARA), CLARA)
    body["view"]["callback_id"] = "of_an_older_version"
    assert "another version of Docket" in send(office, body)


def test_the_chair_may_override_with_a_reason_and_the_clerk_may_not(office: Office) -> None:
    board = office.board
    number = board.case()
    track = board.respondent(number)
    board.decide(number, track, board.meeting(), Question.JURISDICTION)
    office.deliver()
    for user, allowed in ((CLARA, False), (HANNA, True)):
        office.practice.command(user, "/ethics", f"case {number}")
        office.press(user, office.last(user), Do.OPEN_BALLOT)
        office.practice.submit(user, {"question": "factual-basis", "override": "the term ends"})
        assert ("is open" in office.said(user)) is allowed, office.said(user)
        office.practice.close(user, clear=True)


def test_a_submission_that_was_begun_and_never_finished_is_not_told_as_taken(office: Office) -> None:
    number = told(office)
    office.press(CLARA, office.card(CLARA, number), Do.NAME_RESPONDENTS)
    office.practice.fill(CLARA, office.modal(CLARA), "name", "Rory Respondent")
    body = submission(office.modal(CLARA), CLARA)
    view = body["view"]
    claim_event(office.board.docket, f"submission:{view['id']}:{view['hash']}")  # and the process died
    answer = str(send(office, body))
    assert "nothing says that it was finished" in answer
    assert "counts once" not in answer
    assert not office.board.file(number).respondents

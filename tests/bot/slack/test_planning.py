"""A planned meeting in Slack: planned, answered with one click, forecast, noticed, moved, opened, minutes approved."""

from datetime import timedelta

import pytest

from bot.actions.ids import Do
from bot.practice.client import action_ids, message_text
from store.proceedings.meeting import close_meeting, meetings, return_to_open_session
from store.proceedings.minutes import MinutesState, to_approve, write_minutes
from store.proceedings.planning import plans
from store.rules.facts import Coming
from tests.bot.slack.office import CLARA, CYRUS, HANNA, MORA, Office

pytestmark = pytest.mark.contract


def _plan(office: Office, *, special: str = "no") -> None:
    ahead = (office.board.clock.now() + timedelta(days=7)).date().isoformat()
    office.practice.command(HANNA, "/ethics", "meeting")
    office.press(HANNA, office.last(HANNA), Do.PLAN_MEETING)
    values = {"on": ahead, "hour": "18:30", "place": "City Hall", "special": special}
    assert office.practice.submit(HANNA, values).ok, office.said(HANNA)  # type: ignore[arg-type]  # as spelled here
    office.practice.close(HANNA, clear=True)
    after = office.practice.last_seq()
    office.deliver()
    for _each in range(7):  # each who has no address gets the file in Slack
        after = office.practice.wait("file_shared", after).seq


def test_a_member_answers_with_one_click_and_the_chair_sees_the_forecast(office: Office) -> None:
    _plan(office)
    asked = next(one for one in reversed(office.practice.direct(MORA)) if not one.files)
    assert "Will you come?" in message_text(asked)
    assert any(one.files for one in office.practice.direct(MORA))
    assert not office.practice.direct(CYRUS)
    found = next(one for one in action_ids(asked) if one == f"{Do.COMING}:in-person")
    assert office.practice.click(MORA, asked, found).ok
    (plan,) = plans(office.board.docket, office.board.clerk)
    assert plan.answers == {office.board.person("Mora Member"): Coming.IN_PERSON}
    office.practice.command(MORA, "/ethics", "meeting")
    assert "Quorum" not in message_text(office.last(MORA))
    assert Do.MOVE_MEETING not in office.offers(office.last(MORA))
    office.practice.command(HANNA, "/ethics", "meeting")
    shown = message_text(office.last(HANNA))
    assert "Quorum 3 of 5: 1 come" in shown
    assert "No notice of this meeting" in shown


def test_notice_moving_and_calling_off(office: Office) -> None:
    _plan(office, special="yes")
    office.practice.command(CLARA, "/ethics", "meeting")
    office.press(CLARA, office.last(CLARA), Do.NOTICE_GIVEN)
    assert office.practice.submit(CLARA, {"how": "in writing", "whom": "all", "posted": "city hall"}).ok
    assert "Recorded" in office.said(CLARA)
    office.practice.close(CLARA, clear=True)
    office.practice.command(CLARA, "/ethics", "meeting")
    office.press(CLARA, office.last(CLARA), Do.MOVE_MEETING)
    ahead = (office.board.clock.now() + timedelta(days=9)).date().isoformat()
    assert office.practice.submit(CLARA, {"on": ahead, "hour": "18:30", "reason": "the room"}).ok
    office.practice.close(CLARA, clear=True)
    office.deliver()
    moved = next(one for one in reversed(office.practice.direct(MORA)) if not one.files)
    assert "moved" in message_text(moved)
    office.practice.command(CLARA, "/ethics", "meeting")
    office.press(CLARA, office.last(CLARA), Do.CALL_OFF)
    assert office.practice.submit(CLARA, {"reason": "ice"}).ok
    office.practice.close(CLARA, clear=True)
    assert plans(office.board.docket, office.board.clerk) == ()


def test_a_plan_is_opened_with_its_place_and_notice_and_minutes_are_approved(office: Office) -> None:
    board = office.board
    first = board.meeting()
    close_meeting(board.docket, board.clerk, first)
    write_minutes(board.docket, board.clerk, first)
    _plan(office)
    office.practice.command(HANNA, "/ethics", "meeting")
    office.press(HANNA, office.last(HANNA), Do.NOTICE_GIVEN)
    noticed = {"how": "in writing", "whom": "all", "video": "city.example/live", "primary": "Room 2"}
    assert office.practice.submit(HANNA, noticed).ok
    office.practice.close(HANNA, clear=True)
    there = [str(one.person) for one in board.members]
    office.practice.command(HANNA, "/ethics", "meeting")
    shown = office.last(HANNA)
    found = next(one for one in action_ids(shown) if one.startswith(f"{Do.OPEN_MEETING}:"))
    assert office.practice.click(HANNA, shown, found).ok
    assert office.practice.submit(HANNA, {"present": there, "by_video": there[4:]}).ok, office.said(HANNA)
    office.practice.close(HANNA, clear=True)
    held = meetings(board.docket, board.clerk)[-1]
    assert (held.opened.place, held.opened.notice_given[:10]) == ("City Hall", "in writing")
    assert held.opened.planned is not None
    assert "by video conference: city.example/live" in held.opened.notice_given
    assert (held.by_video, held.opened.primary_location) == ({board.members[4].person}, "Room 2")
    office.practice.command(CLARA, "/ethics", "meeting")
    office.press(CLARA, office.last(CLARA), Do.APPROVE_MINUTES)
    assert office.practice.submit(CLARA, {"moved": there[1], "seconded": there[2]}).ok, office.said(CLARA)
    assert "approved" in office.said(CLARA)
    assert first not in {one.id for one in to_approve(board.docket, board.clerk)}
    office.practice.close(CLARA, clear=True)
    office.practice.command(CLARA, "/ethics", "meeting")
    shown = office.last(CLARA)
    assert MinutesState.WRITE_ANEW.value in message_text(shown)
    assert f"{Do.WRITE_MINUTES}:{first}" in action_ids(shown), "those of the one before can be written anew"
    office.practice.command(MORA, "/ethics", "meeting")
    assert Do.WRITE_MINUTES not in office.offers(office.last(MORA))


def test_a_meeting_is_led_in_slack_with_its_votes_its_quorum_and_somebody_in_the_chair(
    office: Office,
) -> None:
    board, practice = office.board, office.practice
    held = board.meeting()
    there = [str(one.person) for one in board.members]

    def submits(action: Do, values: dict[str, object]) -> str:
        practice.command(CLARA, "/ethics", "meeting")
        office.press(CLARA, office.last(CLARA), action)
        practice.submit(CLARA, values)  # type: ignore[arg-type]  # as spelled here
        said = office.said(CLARA)
        practice.close(CLARA, clear=True)
        return said

    assert "nobody else is said to preside" in submits(Do.PRESENCE, {"present": there[1:]})
    assert "Nobody seconds his own motion" in submits(
        Do.CLOSED_SESSION, {"moved": there[0], "seconded": there[0]}
    )
    assert "in closed session" in submits(
        Do.CLOSED_SESSION,
        {"moved": there[0], "seconded": there[1], "against": there[2:3], "nature": "advice"},
    )
    (now,) = meetings(board.docket, board.clerk)
    assert [choice.value for _who, choice in now.sessions[-1].votes] == ["yes", "yes", "no", "yes", "yes"]
    return_to_open_session(board.docket, board.clerk, held)
    assert "No quorum: 2 members present" in submits(
        Do.PRESENCE, {"present": there[1:3], "presiding": there[1]}
    )

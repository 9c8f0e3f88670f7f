"""Planning a meeting: invitations without a name, notice on the record, who comes, and what is to be expected (B3)."""

from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from store import outbox
from store.cases import paper_bytes
from store.proceedings.calendar_files import invitation
from store.proceedings.meeting import close_meeting, meeting_in_session, open_meeting, quorum_warning
from store.proceedings.minutes import approve_minutes, to_approve, write_minutes
from store.proceedings.planning import (
    When,
    answer_coming,
    call_off,
    expected,
    move_meeting,
    not_announced,
    notice_line,
    plan_meeting,
    plans,
    record_notice,
)
from store.proceedings.recusal import recuse
from store.proceedings.roster import away
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow
from store.rules.facts import Coming, NoticeGiven
from store.rules.forecast import Outlook
from store.rules.motions import Moved
from store.rules.plans import (
    BEFORE_THE_MOVE,
    NO_NOTICE,
    NO_PRIMARY_LOCATION,
    NOT_POSTED,
    TOO_SHORT,
    VIDEO_NOT_SAID,
)
from tests.proceedings.builders import Board, at
from tests.proceedings.test_reminders import digests, on, told


def _when(board: Board, *agenda: str, special: bool = False, days: int = 7) -> When:
    return When(board.clock.now() + timedelta(days=days), "City Hall, Room 2", 90, special, agenda)


def _entries(board: Board) -> list[dict[str, str]]:
    """What each mail that waits carries, newest last."""
    found = []
    with board.docket.database.read() as session:
        for row in outbox.waiting(session, outbox.Channel.MAIL):
            owed = outbox.read(session, board.docket.keyring, row.id)
            if row.kind != "invitation" or owed is None or owed.letter is None:
                continue
            _paper, content = paper_bytes(board.docket, session, owed.letter.attachments[0])
            calendar = Calendar.from_ical(content)
            (event,) = calendar.walk("VEVENT")
            told = {name: str(event[name]) for name in ("UID", "SEQUENCE", "STATUS")}
            found.append({**told, "METHOD": str(calendar["METHOD"]), "RAW": content.decode()})
    return found


def test_an_invitation_names_nobody_and_no_case_and_a_change_has_the_same_uid(board: Board) -> None:
    number = board.case()
    plan = plan_meeting(board.docket, board.chair, _when(board, number))
    move_meeting(board.docket, board.clerk, plan, _when(board, days=9), reason="the room", same_agenda=True)
    call_off(board.docket, board.clerk, plan, reason="ice")
    entries = _entries(board)
    assert [(one["SEQUENCE"], one["STATUS"], one["METHOD"]) for one in entries] == [
        ("0", "CONFIRMED", "PUBLISH"),
        ("1", "CONFIRMED", "PUBLISH"),
        ("2", "CANCELLED", "CANCEL"),
    ]
    assert len({one["UID"] for one in entries}) == 1
    for one in entries:
        assert number not in one["RAW"]
        assert not any(name in one["RAW"] for name in ("Clara", "Hanna", "Mora"))
    with pytest.raises(NotNow):
        call_off(board.docket, board.clerk, plan, reason="again")
    assert plans(board.docket, board.clerk) == ()


def test_each_answers_for_himself_and_a_moved_hour_asks_anew(board: Board) -> None:
    plan = plan_meeting(board.docket, board.chair, _when(board))
    mora = board.actor("Mora Member")
    answer_coming(board.docket, mora, plan, Coming.IN_PERSON)
    with pytest.raises(AlreadyDone):
        answer_coming(board.docket, mora, plan, Coming.IN_PERSON)
    answer_coming(board.docket, mora, plan, Coming.BY_VIDEO)
    with pytest.raises(NotAllowed):
        answer_coming(board.docket, board.actor("Cyrus Manager"), plan, Coming.IN_PERSON)
    (found,) = plans(board.docket, board.clerk)
    assert found.answers == {mora.person: Coming.BY_VIDEO}
    move_meeting(board.docket, board.clerk, plan, _when(board, days=8), reason="the room")
    assert plans(board.docket, board.clerk)[0].answers == {}


def test_the_forecast_is_by_case_and_leaves_out_what_the_asker_may_not_know(board: Board) -> None:
    first, second = board.case(), board.case()
    plan_meeting(board.docket, board.clerk, _when(board, first, second))
    for actor in board.members[:3]:
        answer_coming(board.docket, actor, plans(board.docket, actor)[0].id, Coming.IN_PERSON)
    recuse(board.docket, board.chair, second)
    (plan,) = plans(board.docket, board.clerk)
    told = expected(board.docket, board.clerk, plan)
    assert told.whole.outlook is Outlook.ENOUGH
    assert {number: one.outlook for number, one in told.cases.items()} == {
        first: Outlook.ENOUGH,
        second: Outlook.OPEN,
    }
    assert set(expected(board.docket, board.chair, plan).cases) == {first}
    with pytest.raises(NotAllowed):
        expected(board.docket, board.members[1], plan)


def test_a_meeting_lies_ahead_has_a_place_and_cases_that_the_planner_may_know_of(board: Board) -> None:
    number = board.case()
    recuse(board.docket, board.chair, number)
    good = _when(board)
    for one in (
        When(board.clock.now(), "City Hall"),
        When(good.begins_at.replace(tzinfo=None), "City Hall"),
        When(good.begins_at, " "),
    ):
        with pytest.raises(BadInput):
            plan_meeting(board.docket, board.clerk, one)
    for agenda in (number, "EC-2026-9999"):
        with pytest.raises(NoSuchCase):
            plan_meeting(board.docket, board.chair, _when(board, agenda))
    with pytest.raises(NotAllowed):
        plan_meeting(board.docket, board.members[1], good)


def test_a_notice_given_before_a_meeting_was_moved_is_doubted_until_another_is_given(board: Board) -> None:
    plan = plan_meeting(board.docket, board.clerk, _when(board, days=4))
    before = NoticeGiven(board.clock.now(), "in writing", "every member", "city hall")
    board.clock.advance(timedelta(hours=2))
    move_meeting(board.docket, board.clerk, plan, _when(board, days=6), reason="the room")
    assert record_notice(board.docket, board.clerk, plan, before) == (BEFORE_THE_MOVE,)
    board.clock.advance(timedelta(minutes=5))
    anew = NoticeGiven(board.clock.now(), "in writing", "every member", "city hall")
    assert record_notice(board.docket, board.clerk, plan, anew) == ()


def test_the_notice_of_a_video_meeting_says_so_and_names_the_primary_physical_location(board: Board) -> None:
    plan = plan_meeting(board.docket, board.clerk, _when(board))
    answer_coming(board.docket, board.members[1], plan, Coming.BY_VIDEO)
    plain = NoticeGiven(board.clock.now(), "in writing", "all")
    assert record_notice(board.docket, board.clerk, plan, plain) == (VIDEO_NOT_SAID,)
    viewed = replace(plain, video="riverton.example/live")
    assert record_notice(board.docket, board.clerk, plan, viewed) == (NO_PRIMARY_LOCATION,)
    named = replace(viewed, primary_location="City Hall, Room 2")
    assert record_notice(board.docket, board.clerk, plan, named) == ()
    line = notice_line(plans(board.docket, board.clerk)[0].notices[-1], ZoneInfo("America/New_York"))
    assert line.endswith(
        "by video conference: riverton.example/live; primary physical location: City Hall, Room 2"
    )
    with pytest.raises(BadInput, match="belongs to the notice of a video meeting"):
        record_notice(board.docket, board.clerk, plan, replace(named, video=" "))
    afar = board.members[1].person or 0
    open_meeting(
        board.docket,
        board.clerk,
        "City Hall, Room 2",
        notice_given=line,
        present=[one.person or 0 for one in board.members],
        planned=plan,
        by_video=[afar],
    )
    held = meeting_in_session(board.docket, board.clerk)
    assert held is not None
    assert held.opened.primary_location == "City Hall, Room 2", "as its own notice names it"
    assert not [one for one in quorum_warning(board.docket, board.clerk) if "61.826" in one]


def test_a_special_meeting_wants_its_notice_a_day_ahead_and_posted(board: Board) -> None:
    plan = plan_meeting(board.docket, board.clerk, _when(board, special=True, days=2))
    (found,) = plans(board.docket, board.clerk)
    assert found.warnings() == (NO_NOTICE,)
    board.clock.advance(timedelta(days=1, minutes=1))
    late = NoticeGiven(board.clock.now(), "in writing", "every member and the Courier")
    assert record_notice(board.docket, board.clerk, plan, late) == (TOO_SHORT, NOT_POSTED)
    early = NoticeGiven(board.clock.now() - timedelta(minutes=1), "in writing", "every member", "city hall")
    assert record_notice(board.docket, board.clerk, plan, early) == ()
    move_meeting(board.docket, board.clerk, plan, _when(board, special=True, days=3), reason="the room")
    assert plans(board.docket, board.clerk)[0].warnings() == (NO_NOTICE,)
    for wrong in (
        NoticeGiven(board.clock.now() + timedelta(minutes=1), "in writing", "all"),
        NoticeGiven(board.clock.now(), " ", "all"),
        NoticeGiven(board.clock.now(), "in writing", ""),
    ):
        with pytest.raises(BadInput):
            record_notice(board.docket, board.clerk, plan, wrong)


def test_a_meeting_has_a_length_and_lies_within_two_years(board: Board) -> None:
    now = board.clock.now()
    for minutes, ahead in ((0, 7), (1441, 7), (10**9, 7), (60, 732), (60, 0)):
        when = When(now + timedelta(days=ahead), "City Hall", minutes)
        with pytest.raises(BadInput):
            plan_meeting(board.docket, board.clerk, when)
        with pytest.raises(BadInput):
            invitation(
                board.docket,
                board.clerk,
                begins_at=when.begins_at,
                place="City Hall",
                lasts=timedelta(minutes=min(minutes, 10**6)),
            )
    plan_meeting(board.docket, board.clerk, When(now + timedelta(days=731), "City Hall", 1440))


def test_a_meeting_that_begins_at_another_hour_than_was_announced_says_so(board: Board) -> None:
    plan_meeting(board.docket, board.clerk, _when(board))
    (plan,) = plans(board.docket, board.clerk)
    begins = plan.planned.begins_at
    for minutes, off in ((-6, 1), (-5, 0), (0, 0), (360, 0), (361, 1)):
        assert len(plan.off_hour(begins + timedelta(minutes=minutes))) == off


def test_a_ballot_outside_the_agenda_of_a_special_meeting_is_warned_about(board: Board) -> None:
    number, track = board.served_case()
    other, _track = board.served_case()
    plan = plan_meeting(board.docket, board.clerk, _when(board, other, special=True))
    there = [one.person for one in board.members if one.person is not None]
    held = open_meeting(
        board.docket, board.clerk, "City Hall", notice_given="posted", present=there, planned=plan
    )
    board.ballot(number, track, held)
    assert "KRS 61.823" in not_announced(board.docket, number)[0]
    assert not_announced(board.docket, other) == ()


def test_a_plan_is_carried_out_once(board: Board) -> None:
    plan = plan_meeting(board.docket, board.clerk, _when(board))
    there = [one.person for one in board.members if one.person is not None]
    held = open_meeting(
        board.docket, board.clerk, "City Hall", notice_given="posted", present=there, planned=plan
    )
    assert plans(board.docket, board.clerk) == ()
    close_meeting(board.docket, board.clerk, held)
    with pytest.raises(NotNow):
        open_meeting(
            board.docket, board.clerk, "City Hall", notice_given="posted", present=there, planned=plan
        )


def test_minutes_are_approved_in_a_later_meeting_by_a_majority_and_bear_its_day(board: Board) -> None:
    first = board.meeting()
    close_meeting(board.docket, board.clerk, first)
    people = [one.person for one in board.members if one.person is not None]
    approval = Moved(people[0], people[1], people[2:3])
    with pytest.raises(NotNow, match="later meeting"):
        approve_minutes(board.docket, board.clerk, first, approval)
    board.clock.advance(timedelta(days=30))
    second = board.meeting()
    with pytest.raises(NotNow, match="written"):
        approve_minutes(board.docket, board.clerk, first, approval)
    write_minutes(board.docket, board.clerk, first)
    with pytest.raises(NotNow, match="do not carry it"):
        approve_minutes(board.docket, board.clerk, first, Moved(people[0], None, people[:3]))
    with pytest.raises(BadInput):
        approve_minutes(board.docket, board.clerk, first, Moved(board.clerk.person or 0))
    approve_minutes(board.docket, board.clerk, first, approval)
    with pytest.raises(AlreadyDone):
        approve_minutes(board.docket, board.clerk, first, approval)
    close_meeting(board.docket, board.clerk, second)
    assert [one.id for one in to_approve(board.docket, board.clerk)] == [second]
    assert write_minutes(board.docket, board.clerk, first).open_part.startswith(b"%PDF")
    assert write_minutes(board.docket, board.clerk, second).open_part.startswith(b"%PDF")


ASKED = "you have not said whether you come"
MONDAY = date(2026, 2, 2)


def _planned_on_the_24th(board: Board) -> int:
    board.clock.set_to(at(MONDAY))
    when = When(at(date(2026, 2, 24), 22), "City Hall, Room 2", 90, special=False)
    return plan_meeting(board.docket, board.chair, when)


def test_who_has_not_answered_is_asked_again_once_a_stage_in_office_hours(board: Board) -> None:
    plan = _planned_on_the_24th(board)
    answer_coming(board.docket, board.actor("Mora Member"), plan, Coming.IN_PERSON)
    days = [MONDAY + timedelta(days=more) for more in range(1, 24)]
    asked: dict[str, list[date]] = {"Mora Member": [], "Milo Member": [], "Cyrus Manager": []}
    for day in days:
        on(board, day, hour=8)
        assert not any(ASKED in told(board, name, digests(board)) for name in asked), (
            "before the office opens"
        )
        on(board, day)
        on(board, day, hour=16)
        found = digests(board)
        for name, when in asked.items():
            text = told(board, name, found)
            assert text.count(ASKED) <= 1
            if ASKED in text:
                when.append(day)
    assert asked["Mora Member"] == asked["Cyrus Manager"] == []
    assert len(asked["Milo Member"]) == 4
    assert asked["Milo Member"][-1] == date(2026, 2, 24)
    assert asked["Milo Member"] == sorted(set(asked["Milo Member"]))


def test_nobody_is_asked_again_on_the_day_on_which_he_was_asked(board: Board) -> None:
    board.clock.set_to(at(MONDAY))
    plan_meeting(board.docket, board.chair, When(at(date(2026, 2, 5), 22), "City Hall", 90, special=False))
    on(board, MONDAY, hour=16)
    assert ASKED not in told(board, "Milo Member", digests(board)), "three days before, and asked just now"
    on(board, date(2026, 2, 4))
    assert ASKED in told(board, "Milo Member", digests(board))


def test_a_moved_meeting_asks_anew_and_one_called_off_asks_nobody(board: Board) -> None:
    plan = _planned_on_the_24th(board)
    answer_coming(board.docket, board.actor("Mora Member"), plan, Coming.NO)
    on(board, date(2026, 2, 23))
    assert ASKED not in told(board, "Mora Member", digests(board))
    later = When(at(date(2026, 3, 10), 22), "City Hall, Room 2", 90, special=False)
    move_meeting(board.docket, board.clerk, plan, later, reason="the room")
    on(board, date(2026, 3, 9))
    assert ASKED in told(board, "Mora Member", digests(board))
    call_off(board.docket, board.clerk, plan, reason="ice")
    on(board, date(2026, 3, 10))
    assert ASKED not in told(board, "Milo Member", digests(board))


def test_who_is_away_is_not_asked_again(board: Board) -> None:
    _planned_on_the_24th(board)
    milo = board.person("Milo Member")
    away(board.docket, board.clerk, milo, since=date(2026, 2, 20), until=date(2026, 2, 28))
    on(board, date(2026, 2, 19))
    assert ASKED not in told(board, "Milo Member", digests(board))

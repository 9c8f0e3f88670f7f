"""Meetings on the record (B3; KRS 61.805-61.850)."""

import json

import pytest

from store.proceedings import meeting
from store.rules.errors import AlreadyDone, BadInput, NotAllowed, NotNow
from store.rules.facts import Choice, Fact, MeetingOpened, NoticeGiven, PresenceChanged, from_json
from store.rules.meetings import NO_PRIMARY_LOCATION, VIDEO_NOT_ANNOUNCED, Meeting
from store.rules.motions import Moved
from tests.proceedings.builders import Board


def test_a_meeting_is_recorded_with_place_notice_and_who_is_present(board: Board) -> None:
    held = board.meeting(*board.members[:3])
    found = meeting.meeting_in_session(board.docket, board.members[4])
    assert found is not None
    assert (found.id, found.opened.place) == (held, "City Hall")
    assert found.present == {one.person for one in board.members[:3]}


@pytest.mark.parametrize(("place", "notice"), [("", "posted"), ("City Hall", "  ")])
def test_a_meeting_without_place_or_notice_is_refused(board: Board, place: str, notice: str) -> None:
    with pytest.raises(BadInput):
        meeting.open_meeting(board.docket, board.clerk, place, notice_given=notice, present=[])


def test_one_meeting_is_in_session_at_a_time(board: Board) -> None:
    held = board.meeting()
    with pytest.raises(NotNow):
        board.meeting()
    meeting.close_meeting(board.docket, board.chair, held)
    assert board.meeting() != held
    assert len(meeting.meetings(board.docket, board.clerk)) == 2


def test_who_presides_is_present_and_everybody_is_on_the_roster(board: Board) -> None:
    for present, presiding in (([9999], None), ([board.chair.person or 0], board.members[1].person)):
        with pytest.raises(BadInput):
            meeting.open_meeting(
                board.docket, board.clerk, "Hall", notice_given="posted", present=present, presiding=presiding
            )


def test_members_do_not_keep_the_record_of_the_meeting(board: Board) -> None:
    held = board.meeting()
    with pytest.raises(NotAllowed):
        meeting.close_meeting(board.docket, board.members[1], held)
    with pytest.raises(NotAllowed):
        meeting.meetings(board.docket, board.actor("Cyrus Manager"))


def test_presence_changes_once(board: Board) -> None:
    held = board.meeting(*board.members[:4])
    late = board.members[4].person or 0
    meeting.record_presence(board.docket, board.clerk, held, late, present=True)
    with pytest.raises(AlreadyDone):
        meeting.record_presence(board.docket, board.clerk, held, late, present=True)
    meeting.record_presence(board.docket, board.clerk, held, late, present=False)
    found = meeting.meeting_in_session(board.docket, board.clerk)
    assert found is not None
    assert late not in found.present


def test_a_closed_session_names_its_statute_and_who_moved(board: Board) -> None:
    held = board.meeting(*board.members[:3])
    mover, absent = board.members[1].person or 0, board.members[4].person or 0
    for statute, by in (("", mover), ("KRS 61.810(1)(j)", absent)):
        with pytest.raises(BadInput):
            meeting.close_session(board.docket, board.chair, held, Moved(by), statute=statute)
    meeting.close_session(board.docket, board.chair, held, Moved(mover), statute="KRS 61.810(1)(j)")
    found = meeting.meeting_in_session(board.docket, board.clerk)
    assert found is not None
    assert found.in_closed_session
    with pytest.raises(NotNow):
        meeting.close_meeting(board.docket, board.chair, held)
    meeting.return_to_open_session(board.docket, board.chair, held)
    meeting.close_meeting(board.docket, board.chair, held)
    assert meeting.meeting_in_session(board.docket, board.clerk) is None


def test_a_closed_session_is_carried_by_members_who_are_a_quorum_and_each_vote_is_kept(board: Board) -> None:
    held = board.meeting()
    chair, mora, milo, maud, moritz = (one.person or 0 for one in board.members)
    clerk = board.clerk.person or 0
    meeting.record_presence(board.docket, board.clerk, held, clerk, present=True)
    j = {"statute": "KRS 61.810(1)(j)", "nature": "deliberation on a pending matter"}
    for wrong in (Moved(clerk), Moved(mora, mora), Moved(mora, clerk), Moved(mora, None, (milo,), (milo,))):
        with pytest.raises(BadInput):
            meeting.close_session(board.docket, board.clerk, held, wrong, **j)
    with pytest.raises(NotNow, match="2 yes and 3 no"):
        meeting.close_session(board.docket, board.clerk, held, Moved(mora, milo, (chair, maud, moritz)), **j)
    for one in (maud, moritz):
        meeting.record_presence(board.docket, board.clerk, held, one, present=False)
    meeting.record_presence(board.docket, board.clerk, held, milo, present=False)
    assert "No quorum: 2 members present and 3 needed" in meeting.quorum_warning(board.docket, board.clerk)[0]
    with pytest.raises(NotNow, match="No quorum"):
        meeting.close_session(board.docket, board.clerk, held, Moved(mora, chair), **j)
    meeting.record_presence(board.docket, board.clerk, held, milo, present=True)
    assert meeting.quorum_warning(board.docket, board.clerk) == ()
    meeting.close_session(board.docket, board.clerk, held, Moved(mora, chair, (milo,)), **j)
    now = meeting.meeting_in_session(board.docket, board.clerk)
    assert now is not None
    assert now.sessions[-1].votes == ((chair, Choice.YES), (mora, Choice.YES), (milo, Choice.NO))


def test_the_chair_who_presides_without_being_named_does_not_leave_the_chair_empty_either(
    board: Board,
) -> None:
    held = board.meeting()
    chair, mora = (one.person or 0 for one in board.members[:2])
    with pytest.raises(NotNow, match="chair empty"):
        meeting.record_presence(board.docket, board.clerk, held, chair, present=False)
    meeting.take_chair(board.docket, board.clerk, held, mora)
    meeting.record_presence(board.docket, board.clerk, held, chair, present=False)


def test_a_meeting_without_the_chair_is_said_to_have_nobody_in_it(board: Board) -> None:
    held = board.meeting(*board.members[1:])
    (said,) = meeting.quorum_warning(board.docket, board.clerk)
    assert "record who presides" in said
    meeting.take_chair(board.docket, board.clerk, held, board.members[1].person or 0)
    assert meeting.quorum_warning(board.docket, board.clerk) == ()


def test_a_meeting_with_an_open_ballot_is_neither_closed_to_the_public_nor_adjourned(board: Board) -> None:
    from store.proceedings.ballot import close_ballot

    number, track = board.served_case()
    held = board.meeting()
    key = board.ballot(number, track, held)
    mover = board.chair.person or 0
    with pytest.raises(NotNow):
        meeting.close_meeting(board.docket, board.chair, held)
    with pytest.raises(NotNow):
        meeting.close_session(board.docket, board.chair, held, Moved(mover), statute="KRS 61.810(1)(j)")
    close_ballot(board.docket, board.chair, number, key)
    meeting.close_meeting(board.docket, board.chair, held)


def test_the_boards_meeting_names_no_case(board: Board) -> None:
    from store.cases import board_facts
    from store.rules.facts import MeetingOpened

    board.case()
    board.meeting()
    with board.docket.database.read() as session:
        (opened,) = board_facts(board.docket, session, MeetingOpened)
    assert opened.case is None


def _in_session(board: Board) -> Meeting:
    found = meeting.meeting_in_session(board.docket, board.clerk)
    assert found is not None
    return found


def test_who_attends_by_video_counts_for_the_quorum_and_may_come_into_the_room(board: Board) -> None:
    there = [one.person or 0 for one in board.members[:3]]
    held = meeting.open_meeting(
        board.docket,
        board.clerk,
        "City Hall",
        notice_given="posted, as a video meeting",
        present=there,
        by_video=there[1:],
        primary_location="City Hall, Room 2",
    )
    found = _in_session(board)
    assert (found.by_video, found.opened.primary_location) == (frozenset(there[1:]), "City Hall, Room 2")
    assert meeting.quorum_warning(board.docket, board.clerk) == ()
    meeting.record_presence(board.docket, board.clerk, held, there[1], present=True, by_video=False)
    assert _in_session(board).by_video == {there[2]}
    with pytest.raises(AlreadyDone):
        meeting.record_presence(board.docket, board.clerk, held, there[2], present=True, by_video=True)
    meeting.record_presence(board.docket, board.clerk, held, there[2], present=False)
    found = _in_session(board)
    assert (found.present, found.by_video) == (frozenset(there[:2]), frozenset())
    assert found.ever_by_video == set(there[1:])


def test_nobody_attends_by_video_who_is_absent_or_leaves(board: Board) -> None:
    there = [one.person or 0 for one in board.members]
    with pytest.raises(BadInput, match="present as well"):
        meeting.open_meeting(
            board.docket, board.clerk, "Hall", notice_given="posted", present=there[:2], by_video=there[2:3]
        )
    held = board.meeting()
    with pytest.raises(BadInput, match="does not attend by video"):
        meeting.record_presence(board.docket, board.clerk, held, there[4], present=False, by_video=True)
    assert there[4] in _in_session(board).present


def test_a_member_by_video_is_warned_about_where_the_notice_says_nothing_of_it(board: Board) -> None:
    held = board.meeting()
    assert meeting.quorum_warning(board.docket, board.clerk) == ()
    afar = board.members[4].person or 0
    meeting.record_presence(board.docket, board.clerk, held, afar, present=True, by_video=True)
    said = meeting.quorum_warning(board.docket, board.clerk)
    assert said == (VIDEO_NOT_ANNOUNCED, NO_PRIMARY_LOCATION)


def test_a_record_from_before_says_of_nobody_how_he_attended() -> None:
    at = "2026-11-20T17:00:00Z"

    def read(kind: str, **said: object) -> Fact:
        return from_json(kind, json.dumps(said).encode())

    opened = read(MeetingOpened.KIND, at=at, place="Hall", notice_given="posted", present=[1, 2])
    came = read(PresenceChanged.KIND, person=3, present=True, at=at)
    assert isinstance(opened, MeetingOpened)
    assert isinstance(came, PresenceChanged)
    assert (opened.by_video, came.by_video) == (None, None)
    found = Meeting(1, opened, (came,))
    assert (found.present, found.by_video) == ({1, 2, 3}, frozenset())
    notice = read(NoticeGiven.KIND, given_at=at, how="in writing", to_whom="all")
    assert isinstance(notice, NoticeGiven)
    assert (notice.video, notice.primary_location) == ("", "")

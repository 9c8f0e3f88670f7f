"""Minutes name every voter and no party; what was heard is sealed in the case's own file (B3; decisions 14)."""

import io
import re
from datetime import timedelta

import pypdf
import pytest

from store.cases import act, paper_bytes, papers
from store.proceedings import ballot, meeting
from store.proceedings.calendar_files import due_dates, invitation
from store.proceedings.determination import determine
from store.proceedings.minutes import (
    ANNEX,
    MinutesState,
    approve_minutes,
    minutes_of,
    minutes_stand,
    write_minutes,
)
from store.proceedings.recusal import recuse
from store.rules.access import Deed
from store.rules.errors import BadInput, NotAllowed, NotNow
from store.rules.facts import Choice, ConflictFound, Question
from store.rules.motions import Moved
from tests.proceedings.after_builders import NO_BASIS
from tests.proceedings.builders import Board


def _text(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages).split())


def _adjourned(board: Board) -> tuple[str, int]:
    """A meeting in which one member was recused and a basis was denied; adjourned."""
    number, track = board.served_case()
    recuse(board.docket, board.members[4], number)
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    key = board.ballot(number, track, held, Question.FACTUAL_BASIS)
    for who in board.members[:3]:
        ballot.vote(
            board.docket, who, number, key, Choice.NO, submission="s", reasons="Rory Respondent took no part."
        )
    ballot.close_ballot(board.docket, board.chair, number, key)
    determine(board.docket, board.clerk, number, track, NO_BASIS)
    board.clock.advance(timedelta(hours=1))
    meeting.close_meeting(board.docket, board.clerk, held)
    return number, held


def test_the_open_part_has_numbers_motions_and_votes_by_name_and_no_party(board: Board) -> None:
    number, held = _adjourned(board)
    written = write_minutes(board.docket, board.clerk, held)
    says = _text(written.open_part)
    for word in (
        number,
        "minimal factual basis",
        "Mora Member",
        "Moritz Member",
        "recused",
        "posted on Monday",
    ):
        assert word in says
    for secret in ("Rory", "Connie", "took no part", NO_BASIS.findings):
        assert secret not in says
    assert minutes_of(board.docket, board.members[1], held) == (written.document,)


def test_the_annex_lies_sealed_in_the_cases_own_file(board: Board) -> None:
    number, held = _adjourned(board)
    assert write_minutes(board.docket, board.clerk, held).annexes == (number,)
    with board.docket.database.read() as session:
        (annex,) = (one for one in papers(board.docket, session, board.key(number)) if one.kind == ANNEX)
        _paper, content = paper_bytes(board.docket, session, annex.id)
    says = _text(content)
    assert "Rory Respondent took no part." in says
    assert NO_BASIS.findings in says


def test_who_may_not_know_of_a_case_writes_no_annex_of_it(board: Board) -> None:
    number, held = _adjourned(board)
    with act(board.docket, board.clerk, Deed.CORRECT, number=number) as step:
        step.record(ConflictFound(board.person("Hanna Chair"), "name in page"))
    assert write_minutes(board.docket, board.chair, held).annexes == ()
    assert write_minutes(board.docket, board.clerk, held).annexes == (number,)


def test_minutes_follow_the_adjournment_and_are_the_clerks_or_the_chairs(board: Board) -> None:
    held = board.meeting()
    with pytest.raises(NotNow):
        write_minutes(board.docket, board.clerk, held)
    with pytest.raises(BadInput):
        write_minutes(board.docket, board.clerk, 99_999)
    meeting.close_meeting(board.docket, board.clerk, held)
    with pytest.raises(NotAllowed):
        write_minutes(board.docket, board.members[1], held)
    assert "No case came to a vote" in _text(write_minutes(board.docket, board.chair, held).open_part)


def test_a_closed_session_stands_with_its_statute_and_its_end(board: Board) -> None:
    held = board.meeting()
    chair = board.person("Hanna Chair")
    meeting.close_session(board.docket, board.clerk, held, Moved(chair), statute="KRS 61.810(1)(j)")
    board.clock.advance(timedelta(minutes=30))
    meeting.return_to_open_session(board.docket, board.clerk, held)
    meeting.close_meeting(board.docket, board.clerk, held)
    says = _text(write_minutes(board.docket, board.clerk, held).open_part)
    assert "KRS 61.810(1)(j)" in says
    assert "10:30 a.m." in says


def test_an_invitation_names_nobody(board: Board) -> None:
    board.case()
    at = board.clock.now() + timedelta(days=7)
    text = invitation(board.docket, board.clerk, begins_at=at, place="City Hall").decode()
    assert "DTSTART:20260209T150000Z" in text
    assert "LOCATION:City Hall" in text
    for word in ("ATTENDEE", "ORGANIZER", "EC-2026", "Member", "Chair"):
        assert word not in text
    with pytest.raises(BadInput):
        invitation(board.docket, board.clerk, begins_at=board.clock.now(), place="City Hall")


def test_due_dates_carry_case_numbers_only_and_only_of_cases_one_may_see(board: Board) -> None:
    first, second = board.case(), board.case()
    with act(board.docket, board.clerk, Deed.CORRECT, number=second) as step:
        step.record(ConflictFound(board.person("Mora Member"), "name in page"))
    text = due_dates(board.docket, board.members[1]).decode()
    assert f"SUMMARY:{first}" in text
    assert second not in text
    assert second in due_dates(board.docket, board.clerk).decode()
    summaries = {line for line in text.splitlines() if line.startswith(("SUMMARY", "DESCRIPTION"))}
    assert summaries == {f"SUMMARY:{first}"}
    with pytest.raises(NotAllowed):
        due_dates(board.docket, board.actor("Cyrus Manager"))


def test_the_minutes_say_who_was_absent_at_a_vote_and_that_it_was_counted_anew(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting(*board.members[:3])
    absent, late = board.members[4], board.members[3]
    key = board.ballot(number, track, held)
    for who, choice in zip(board.members[:3], (Choice.YES, Choice.NO, Choice.NO), strict=True):
        board.vote(number, key, who, choice)
    ballot.close_ballot(board.docket, board.chair, number, key)
    assert late.person is not None
    assert board.members[1].person is not None
    meeting.record_presence(board.docket, board.clerk, held, late.person, present=True)
    meeting.record_presence(board.docket, board.clerk, held, board.members[1].person, present=False)
    meeting.record_presence(board.docket, board.clerk, held, board.members[1].person, present=True)
    recuse(board.docket, board.members[2], number)
    meeting.close_meeting(board.docket, board.clerk, held)
    says = _text(write_minutes(board.docket, board.clerk, held).open_part)
    people = board.look(number).people
    for actor, word in ((late, "absent"), (absent, "absent"), (board.members[2], "recused")):
        assert actor.person is not None
        assert f"{people.name(actor.person)} {word}" in says.partition("Motion:")[2]
    assert (
        "Counted anew: a vote fell away by recusal or conflict. When it was closed: the motion failed" in says
    )
    assert "left 10:00 a.m., came 10:00 a.m." in says


def test_the_minutes_say_who_took_part_by_video_and_name_the_primary_physical_location(board: Board) -> None:
    there = [one.person or 0 for one in board.members[:4]]
    held = meeting.open_meeting(
        board.docket,
        board.clerk,
        "City Hall",
        notice_given="posted, as a video meeting",
        present=there[:3],
        by_video=there[1:3],
        primary_location="City Hall, Room 2",
    )
    board.clock.advance(timedelta(minutes=30))
    meeting.record_presence(board.docket, board.clerk, held, there[2], present=True)
    meeting.record_presence(board.docket, board.clerk, held, there[3], present=True, by_video=True)
    meeting.close_meeting(board.docket, board.clerk, held)
    says = _text(write_minutes(board.docket, board.clerk, held).open_part)
    for words in (
        "present in the room, presided",
        "present by video",
        "present by video, in the room from 10:30 a.m.",
        "present, came 10:30 a.m. by video",
        "Primary physical location: City Hall, Room 2",
        "KRS 61.826",
    ):
        assert words in says


def test_minutes_of_a_meeting_in_one_room_say_nothing_of_video(board: Board) -> None:
    _number, held = _adjourned(board)
    says = _text(write_minutes(board.docket, board.clerk, held).open_part)
    assert "present" in says
    assert "video" not in says
    assert "in the room" not in says


def _approved(board: Board, held: int, motion: Moved, changes: str = "") -> None:
    approve_minutes(board.docket, board.clerk, held, motion, changes=changes)


def test_the_minutes_show_the_votes_on_earlier_minutes_as_they_were_whoever_left_or_came_after(
    board: Board,
) -> None:
    first = board.meeting()
    meeting.close_meeting(board.docket, board.clerk, first)
    write_minutes(board.docket, board.clerk, first)
    board.clock.advance(timedelta(days=30))
    second = board.meeting(*board.members[:4])
    chair, mora, milo, maud, moritz = (one.person or 0 for one in board.members)
    _approved(board, first, Moved(chair, mora, (milo,), (maud,)), "the place was room 3")
    meeting.record_presence(board.docket, board.clerk, second, moritz, present=True)
    meeting.record_presence(board.docket, board.clerk, second, milo, present=False)
    meeting.close_meeting(board.docket, board.clerk, second)
    says = _text(write_minutes(board.docket, board.clerk, second).open_part).partition("Moved by")[2]
    for name, vote in (("Hanna Chair", "yes"), ("Mora Member", "yes"), ("Milo Member", "no")):
        assert f"{name} {vote}" in says
    assert "Maud Member abstain" in says
    assert "Moritz Member" not in says
    approved = _text(write_minutes(board.docket, board.clerk, first).open_part)
    assert "Approved on Wednesday, March 4, 2026, with these changes: the place was room 3" in approved


@pytest.mark.parametrize("there", [1, 2, 3])
def test_minutes_are_not_approved_without_a_quorum(board: Board, there: int) -> None:
    first = board.meeting()
    meeting.close_meeting(board.docket, board.clerk, first)
    write_minutes(board.docket, board.clerk, first)
    board.meeting(*board.members[:there])
    chair = board.members[0].person or 0
    if there == 3:
        _approved(board, first, Moved(chair))
    else:
        with pytest.raises(NotNow, match="No quorum"):
            _approved(board, first, Moved(chair))


def test_minutes_bear_no_day_of_approval_that_is_not_on_the_record(board: Board) -> None:
    held = board.meeting()
    meeting.close_meeting(board.docket, board.clerk, held)
    assert "Draft, not yet approved" in _text(write_minutes(board.docket, board.clerk, held).open_part)


def test_the_minutes_say_at_which_hour_the_quorum_was_lost_and_who_came_and_left_when(board: Board) -> None:
    held = board.meeting(*board.members[:3])
    chair, mora, milo, maud, _moritz = (one.person or 0 for one in board.members)
    meeting.record_presence(board.docket, board.clerk, held, board.clerk.person or 0, present=True)
    board.clock.advance(timedelta(minutes=20))
    meeting.record_presence(board.docket, board.clerk, held, milo, present=False)
    board.clock.advance(timedelta(minutes=20))
    meeting.record_presence(board.docket, board.clerk, held, maud, present=True)
    meeting.take_chair(board.docket, board.clerk, held, mora)
    meeting.record_presence(board.docket, board.clerk, held, chair, present=False)
    meeting.close_meeting(board.docket, board.clerk, held)
    says = _text(write_minutes(board.docket, board.clerk, held).open_part)
    assert "From 10:20 a.m. on no quorum was present. From 10:40 a.m. on a quorum was present." in says
    assert "From 10:40 a.m. on no quorum was present. Each vote" in says
    assert "Hanna Chair Chair present, left 10:40 a.m., presided" in says
    assert "Mora Member Member present, presided" in says
    assert "Maud Member Member present, came 10:40 a.m." in says
    assert "Moritz Member Member absent" in says
    assert "Clara Clerk Clerk present, came 10:00 a.m." in says


def test_who_was_recused_and_absent_is_both_and_an_alternate_is_named_with_whose_seat_it_is(
    board: Board,
) -> None:
    number, track = board.served_case()
    for one in board.members[3:]:
        recuse(board.docket, one, number)
    held = board.meeting(*board.members[:3], board.alternate)
    alma, moritz = board.alternate.person or 0, board.members[4].person or 0
    motion = ballot.Motion(track, Question.JURISDICTION, held, alternates={alma: moritz})
    key = ballot.open_ballot(board.docket, board.chair, number, motion)
    for who in (*board.members[:3], board.alternate):
        board.vote(number, key, who, Choice.YES)
    ballot.close_ballot(board.docket, board.chair, number, key)
    meeting.close_meeting(board.docket, board.clerk, held)
    says = _text(write_minutes(board.docket, board.clerk, held).open_part).partition("Motion:")[2]
    assert "Alma Alternate, for Moritz Member yes" in says
    assert "Maud Member recused, absent" in says


def test_a_closed_session_stands_with_its_nature_and_its_votes_by_name(board: Board) -> None:
    held = board.meeting()
    chair, mora, milo = (one.person or 0 for one in board.members[:3])
    motion = Moved(chair, mora, (milo,))
    meeting.close_session(
        board.docket, board.clerk, held, motion, statute="KRS 61.810(1)(j)", nature="deliberation"
    )
    meeting.return_to_open_session(board.docket, board.clerk, held)
    meeting.close_meeting(board.docket, board.clerk, held)
    says = _text(write_minutes(board.docket, board.clerk, held).open_part)
    assert "(deliberation); moved by Hanna Chair, seconded by Mora Member." in says
    assert "no: Milo Member" in says


def test_minutes_stand_unwritten_then_as_a_draft_then_to_be_written_anew_and_are_owed_once_another_meeting_ended(
    board: Board,
) -> None:
    def stand() -> list[tuple[int, MinutesState, bool]]:
        return [(one.meeting.id, one.minutes, one.owed) for one in minutes_stand(board.docket, board.clerk)]

    first = board.meeting()
    assert stand() == []
    meeting.close_meeting(board.docket, board.clerk, first)
    assert stand() == [(first, MinutesState.UNWRITTEN, False)]
    second = board.meeting()
    meeting.close_meeting(board.docket, board.clerk, second)
    assert stand()[0] == (first, MinutesState.UNWRITTEN, True)
    write_minutes(board.docket, board.clerk, first)
    assert stand()[0] == (first, MinutesState.DRAFT, False)
    third = board.meeting()
    _approved(board, first, Moved(board.members[0].person or 0))
    assert stand()[0] == (first, MinutesState.WRITE_ANEW, True)
    meeting.close_meeting(board.docket, board.clerk, third)
    write_minutes(board.docket, board.clerk, first)
    assert stand()[0] == (first, MinutesState.APPROVED, False)
    with pytest.raises(NotAllowed):
        minutes_stand(board.docket, board.actor("Cyrus Manager"))


def test_whatever_somebody_types_the_open_part_names_no_party(board: Board) -> None:
    number, track = board.served_case()
    first = board.meeting()
    chair = board.members[0].person or 0
    meeting.close_session(
        board.docket,
        board.clerk,
        first,
        Moved(chair),
        statute="KRS 61.810(1)(j)",
        nature="the Respondent, Rory matter",
    )
    meeting.return_to_open_session(board.docket, board.clerk, first)
    board.decide(number, track, first, Question.JURISDICTION)
    meeting.close_meeting(board.docket, board.clerk, first)
    write_minutes(board.docket, board.clerk, first)
    second = board.meeting()
    _approved(
        board, first, Moved(chair), "RORY RESPONDENT was heard, and Connie  Complainant; Ms. Complainant left"
    )
    meeting.close_meeting(board.docket, board.clerk, second)
    for held in (first, second):
        says = _text(write_minutes(board.docket, board.clerk, held).open_part)
        assert not re.search("rory|connie|complainant left", says, re.IGNORECASE)
        assert "[a party] was heard, and [a party]; Ms. [a party] left" in says

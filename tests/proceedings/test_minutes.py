"""Minutes name every voter and no party; what was heard is sealed in the case's own file (B3; decisions 14)."""

import io
from datetime import timedelta

import pypdf
import pytest

from store.cases import act, paper_bytes, papers
from store.proceedings import ballot, meeting
from store.proceedings.calendar_files import due_dates, invitation
from store.proceedings.determination import determine
from store.proceedings.minutes import ANNEX, minutes_of, write_minutes
from store.proceedings.recusal import recuse
from store.rules.access import Deed
from store.rules.errors import BadInput, NotAllowed, NotNow
from store.rules.facts import Choice, ConflictFound, Question
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
    meeting.close_session(board.docket, board.clerk, held, statute="KRS 61.810(1)(j)", moved_by=chair)
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
    assert "out for a time" in says
    assert "left before the end" not in says

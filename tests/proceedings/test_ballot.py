"""Ballots on a real record (B4; decisions 11, 16 and 17)."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from typing_extensions import override

from store import outbox
from store.cases import MACHINE, Actor, act
from store.database import RecordUnavailable, connect
from store.proceedings import ballot, meeting, parties, recusal
from store.proceedings.ballot import Motion
from store.rules.access import Deed, Via
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow, Refusal
from store.rules.facts import BallotClosed, Choice, PartyNamed, PartyRole, Question, VoteCast
from store.rules.motions import Moved
from tests.clocks import ManualClock
from tests.proceedings.builders import Board

YES, NO, ABSTAIN = Choice.YES, Choice.NO, Choice.ABSTAIN


def test_no_ballot_is_opened_outside_a_meeting(board: Board) -> None:
    number, track = board.served_case()
    with pytest.raises(NotNow) as refused:
        ballot.open_ballot(board.docket, board.chair, number, Motion(track, Question.JURISDICTION, None))
    assert refused.value.clause == "KRS 61.810"
    held = board.meeting()
    meeting.close_meeting(board.docket, board.chair, held)
    with pytest.raises(NotNow):
        board.ballot(number, track, held)


def test_no_ballot_is_opened_in_closed_session(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    mover = board.chair.person or 0
    meeting.close_session(board.docket, board.chair, held, Moved(mover), statute="KRS 61.810(1)(j)")
    with pytest.raises(NotNow) as refused:
        board.ballot(number, track, held)
    assert refused.value.clause == "KRS 61.815"
    meeting.return_to_open_session(board.docket, board.chair, held)
    assert board.ballot(number, track, held)


def test_no_ballot_is_opened_on_a_complaint_that_was_not_found_proper(board: Board) -> None:
    number = board.case(proper=False)
    track = board.respondent(number)
    with pytest.raises(NotNow) as refused:
        board.ballot(number, track, board.meeting())
    assert refused.value.clause == "A-form"


def test_jurisdiction_is_voted_on_before_anything_else(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    with pytest.raises(NotNow):
        board.ballot(number, track, held, Question.FACTUAL_BASIS)
    board.decide(number, track, held, Question.JURISDICTION, NO)
    with pytest.raises(NotNow):
        board.ballot(number, track, held, Question.FACTUAL_BASIS)
    board.decide(number, track, held, Question.JURISDICTION, YES)
    assert board.ballot(number, track, held, Question.FACTUAL_BASIS)


def test_a_ballot_on_factual_basis_waits_for_every_respondent(board: Board) -> None:
    number = board.case()
    served, unserved = board.respondent(number), board.respondent(number, "Second Respondent")
    board.serve(number, served)
    board.clock.advance(timedelta(days=15))
    held = board.meeting()
    board.decide(number, served, held, Question.JURISDICTION)
    with pytest.raises(NotNow) as refused:
        board.ballot(number, served, held, Question.FACTUAL_BASIS)
    assert refused.value.clause == "B-respond"
    board.serve(number, unserved)
    with pytest.raises(NotNow):
        board.ballot(number, served, held, Question.FACTUAL_BASIS)
    board.clock.advance(timedelta(days=15))
    assert board.ballot(number, served, held, Question.FACTUAL_BASIS)


@pytest.mark.parametrize(("days", "refused"), [(11, True), (12, False)])
def test_the_last_day_to_answer_is_the_respondents(board: Board, days: int, refused: bool) -> None:
    """Served on 2 February, ten days end on the 12th, a legal holiday (KRS 2.110): the 13th is his as well."""
    number = board.case()
    track = board.respondent(number)
    board.serve(number, track)
    assert str(board.file(number).answer_until(track)) == "2026-02-13"
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    board.clock.advance(timedelta(days=days))
    if refused:
        with pytest.raises(NotNow):
            board.ballot(number, track, held, Question.FACTUAL_BASIS)
    else:
        assert board.ballot(number, track, held, Question.FACTUAL_BASIS)


def test_only_the_chair_overrides_and_with_a_reason(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    motion = Motion(track, Question.FACTUAL_BASIS, held, override_reason="he left the country")
    with pytest.raises(NotAllowed):
        ballot.open_ballot(board.docket, board.clerk, number, motion)
    key = ballot.open_ballot(board.docket, board.chair, number, motion)
    view = board.file(number).ballot(key)
    assert view is not None
    assert view.opened.override == "he left the country"


def test_one_ballot_on_a_question_is_open_at_a_time(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    board.ballot(number, track, held)
    with pytest.raises(NotNow):
        board.ballot(number, track, held)


def test_the_same_submission_counts_once_and_a_changed_vote_is_the_last_one(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    key = board.ballot(number, track, held)
    member = board.members[1]
    first = board.vote(number, key, member, NO, "a")
    assert board.vote(number, key, member, NO, "a") == first
    changed = board.vote(number, key, member, YES, "b")
    assert board.vote(number, key, member, NO, "a") == first
    own = ballot.own_vote(board.look(number), key, member.person or 0)
    assert own is not None
    assert own.choice is YES
    view = board.file(number).ballot(key)
    assert view is not None
    assert [one.id for one in view.votes] == [first, changed]


def test_the_count_is_hidden_until_the_ballot_closes(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    key = board.ballot(number, track, held)
    for member in board.members[:3]:
        board.vote(number, key, member, YES)
    for who in (board.clerk, board.chair, board.members[1]):
        with pytest.raises(NotNow):
            ballot.ballot_result(board.look(number, who), key)
    result = ballot.close_ballot(board.docket, board.chair, number, key)
    assert (result.yes, result.no, result.needed) == (3, 0, 2)
    shown = ballot.ballot_result(board.look(number), key)
    assert shown.outcome == "carried"
    assert {choice for _who, choice in shown.votes} == {YES}
    assert "Seats 5, vacant 0, recused 0" in shown.arithmetic


def test_a_vote_after_the_closing_is_refused_but_a_redelivery_is_answered(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    key = board.ballot(number, track, held)
    first = board.vote(number, key, board.members[1], YES)
    ballot.close_ballot(board.docket, board.chair, number, key)
    assert board.vote(number, key, board.members[1], YES) == first
    with pytest.raises(NotNow):
        board.vote(number, key, board.members[2], YES)
    with pytest.raises(AlreadyDone):
        ballot.close_ballot(board.docket, board.chair, number, key)


def test_who_is_not_present_does_not_vote_until_he_comes(board: Board) -> None:
    number, track = board.served_case()
    late = board.members[4]
    held = board.meeting(*board.members[:4])
    key = board.ballot(number, track, held)
    with pytest.raises(NotAllowed) as refused:
        board.vote(number, key, late, YES)
    assert refused.value.clause == "KRS 61.810"
    meeting.record_presence(board.docket, board.clerk, held, late.person or 0, present=True)
    assert board.vote(number, key, late, YES)


def test_nobody_votes_for_another_not_even_a_deputy(board: Board) -> None:
    from store.proceedings.roster import name_deputy

    number, track = board.served_case()
    held = board.meeting()
    key = board.ballot(number, track, held)
    deputy, member = board.members[1], board.members[2]
    name_deputy(board.docket, board.clerk, deputy.person or 0, acts_for=member.person or 0)
    with pytest.raises(NotAllowed):
        board.vote(number, key, Actor(deputy.person, Via.SLACK, acting_for=member.person), YES)


def test_a_member_who_came_onto_the_roster_later_does_not_vote(board: Board) -> None:
    from store.proceedings.roster import add_person, take_role
    from store.rules.facts import Role

    number, track = board.served_case()
    held = board.meeting()
    key = board.ballot(number, track, held)
    new = add_person(board.docket, board.clerk, "Nora New")
    take_role(board.docket, board.clerk, new, Role.MEMBER)
    meeting.record_presence(board.docket, board.clerk, held, new, present=True)
    with pytest.raises(NotAllowed):
        board.vote(number, key, Actor(new, Via.SLACK), YES)


def test_a_recusal_voids_the_vote_in_an_open_ballot(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    key = board.ballot(number, track, held)
    for member in board.members:
        board.vote(number, key, member, YES)
    recusal.recuse(board.docket, board.members[4], number)
    with pytest.raises(NoSuchCase):
        board.vote(number, key, board.members[4], NO, "z")
    result = ballot.close_ballot(board.docket, board.chair, number, key)
    assert (result.yes, result.recused, result.for_quorum) == (4, 1, 4)


def test_a_recusal_after_the_closing_recounts_by_a_further_fact(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting(*board.members[:3])
    key = board.ballot(number, track, held)
    for member in board.members[:3]:
        board.vote(number, key, member, YES)
    ballot.close_ballot(board.docket, board.chair, number, key)
    # who comes after the closing moves no count
    meeting.record_presence(board.docket, board.clerk, held, board.members[4].person or 0, present=True)
    recusal.recuse(board.docket, board.members[2], number)
    counted = [one for one in board.file(number).facts if isinstance(one.fact, BallotClosed)]
    first, again = (one.fact for one in counted if isinstance(one.fact, BallotClosed))
    assert counted[1].supersedes == counted[0].id
    assert (first.outcome, first.yes, again.outcome, again.yes) == ("carried", 3, "no_quorum", 2)
    assert again.at == first.at
    assert again.reason
    shown = ballot.ballot_result(board.look(number), key)
    assert shown.outcome == "no_quorum"


def test_a_vote_after_the_closing_is_refused_though_the_clock_was_set_back(board: Board) -> None:
    number, track = board.served_case()
    key = board.ballot(number, track, board.meeting())
    board.vote(number, key, board.members[0], YES)
    board.clock.advance(timedelta(minutes=1))
    ballot.close_ballot(board.docket, board.chair, number, key)
    board.clock.advance(-timedelta(seconds=30))
    with pytest.raises(NotNow, match="not open; your vote was not taken"):
        board.vote(number, key, board.members[1], YES)


def test_a_vote_that_an_earlier_version_took_after_the_closing_enters_no_later_count(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    key = board.ballot(number, track, held)
    for member in board.members[:4]:
        board.vote(number, key, member, YES)
    ballot.close_ballot(board.docket, board.chair, number, key)
    late = board.members[4].person or 0
    with act(board.docket, MACHINE, Deed.SCREEN, case_id=board.key(number)) as step:
        step.record(VoteCast(late, NO, "s", step.now), about=key)
    recusal.recuse(board.docket, board.members[3], number)
    result = ballot.ballot_result(board.look(number), key)
    assert (result.yes, result.no) == (3, 0)
    assert late not in dict(result.votes)


def test_an_act_bears_an_instant_at_which_nobody_else_could_write(board: Board) -> None:
    number, track = board.served_case()
    key = board.ballot(number, track, board.meeting())
    others = connect(board.docket.database.engine.url.render_as_string(hide_password=False))
    others.patience.seconds = 0.0
    could: list[bool] = []

    class Watching(ManualClock):
        @override
        def now(self) -> datetime:
            try:
                with others.write():
                    could.append(True)
            except RecordUnavailable:
                could.append(False)
            return super().now()

    docket = replace(board.docket, clock=Watching(board.clock.now()))
    ballot.vote(docket, board.members[0], number, key, YES, submission="s")
    assert could
    assert not any(could)


def test_a_conflict_found_later_recounts_as_well(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    key = board.decide(number, track, held, Question.JURISDICTION)
    parties.name_party(board.docket, board.clerk, number, PartyNamed(PartyRole.RESPONDENT, "Member, Milo"))
    assert ballot.ballot_result(board.look(number), key).yes == 4


def test_too_many_recusals_and_the_board_cannot_act(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    for member in board.members[2:]:
        recusal.recuse(board.docket, member, number)
    key = board.ballot(number, track, held)
    for member in board.members[:2]:
        board.vote(number, key, member, YES)
    result = ballot.close_ballot(board.docket, board.chair, number, key)
    assert result.outcome == "board_cannot_act"
    assert "Only 2 of 5 can vote on it" in result.text()
    with board.docket.database.read() as session:
        told = [
            owed.ping.about
            for one in outbox.waiting(session)
            if (owed := outbox.read(session, board.docket.keyring, one.id)) and owed.ping
        ]
    assert (("what", "board-cannot-act"),) in told


def test_an_alternate_enters_only_by_another_ballot_and_then_sees_the_case(board: Board) -> None:
    number, track = board.served_case()
    alternate, recused = board.alternate, board.members[4]
    held = board.meeting(*board.members[:3], alternate)
    recusal.recuse(board.docket, recused, number)
    first = board.ballot(number, track, held)
    with pytest.raises(NoSuchCase):
        board.vote(number, first, alternate, YES)
    ballot.void_ballot(board.docket, board.chair, number, first, "an alternate takes a seat")
    seats = {alternate.person or 0: recused.person or 0}
    key = ballot.open_ballot(
        board.docket,
        board.chair,
        number,
        Motion(track, Question.JURISDICTION, held, alternates=seats, reballot_of=first),
    )
    assert board.look(number, alternate).case.number == number
    for who in (*board.members[:3], alternate):
        board.vote(number, key, who, YES)
    result = ballot.close_ballot(board.docket, board.chair, number, key)
    assert (result.yes, result.recused, result.replaced, result.vacancies) == (4, 0, 1, 0)


def test_a_vote_put_again_after_a_tie_is_recorded_as_its_repetition(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting(*board.members[:4])
    first = board.ballot(number, track, held)
    for who, choice in zip(board.members[:4], (YES, YES, NO, NO), strict=True):
        board.vote(number, first, who, choice)
    ballot.close_ballot(board.docket, board.chair, number, first)
    second = board.ballot(number, track, held)
    ballot.void_ballot(board.docket, board.chair, number, second, "opened in error")
    third = board.ballot(number, track, held)
    for who in board.members[:4]:
        board.vote(number, third, who, NO)
    ballot.close_ballot(board.docket, board.chair, number, third)
    fourth = board.ballot(number, track, held)
    repeated = {one.id: one.opened.reballot_of for one in board.file(number).ballots}
    assert repeated == {first: None, second: first, third: second, fourth: None}


def test_an_alternate_takes_no_seat_of_a_member_who_is_there(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting(*board.members, board.alternate)
    seats = {board.alternate.person or 0: board.members[4].person or 0}
    with pytest.raises(BadInput):
        ballot.open_ballot(
            board.docket, board.chair, number, Motion(track, Question.JURISDICTION, held, alternates=seats)
        )


def test_only_the_chair_voids_a_ballot(board: Board) -> None:
    number, track = board.served_case()
    key = board.ballot(number, track, board.meeting())
    with pytest.raises(NotAllowed):
        ballot.void_ballot(board.docket, board.clerk, number, key, "in error")
    with pytest.raises(BadInput):
        ballot.void_ballot(board.docket, board.chair, number, key, " ")
    ballot.void_ballot(board.docket, board.chair, number, key, "opened in error")
    with pytest.raises(Refusal):
        board.vote(number, key, board.members[1], YES)


def test_each_voter_gets_a_receipt_and_nobody_else_learns_of_the_vote(board: Board) -> None:
    number, track = board.served_case()
    key = board.ballot(number, track, board.meeting())
    with board.docket.database.read() as session:
        before = {one.id for one in outbox.waiting(session)}
    vote = board.vote(number, key, board.members[1], YES)
    with board.docket.database.read() as session:
        new = [one for one in outbox.waiting(session) if one.id not in before]
        owed = [outbox.read(session, board.docket.keyring, one.id) for one in new]
    assert [one.ping.person for one in owed if one and one.ping] == [board.members[1].person]
    about = [one.ping.about for one in owed if one and one.ping]
    assert ("vote", str(vote)) in about[0]

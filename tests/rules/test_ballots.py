"""Ballots: requirement B4, decisions 16 and 17."""

from datetime import timedelta

import pytest

from store.rules.ballots import (
    Needed,
    Outcome,
    Quorum,
    Roster,
    Sitting,
    live_votes,
    may_vote,
    outstanding,
    quorum_number,
    tally,
    visible_tally,
    votes_needed,
)
from store.rules.errors import BadInput, NotAllowed, NotNow
from tests.rules.ballot_builders import (
    ABSTAIN,
    AFTER,
    CLOSED,
    DURING,
    MEMBERS,
    NO,
    OPENED,
    YES,
    a_ballot,
    a_rule,
    a_vote,
    votes_of,
)


@pytest.mark.parametrize(
    ("votes", "needed", "outcome"),
    [
        ((YES, YES, YES, NO, NO), Needed.MAJORITY_OF_VOTES_CAST, Outcome.CARRIED),
        ((YES, YES, NO, NO, NO), Needed.MAJORITY_OF_VOTES_CAST, Outcome.FAILED),
        ((YES, YES, NO, NO, ABSTAIN), Needed.MAJORITY_OF_VOTES_CAST, Outcome.TIE),
        ((YES, YES, NO, ABSTAIN, ABSTAIN), Needed.MAJORITY_OF_VOTES_CAST, Outcome.CARRIED),
        ((YES, YES, NO, ABSTAIN, ABSTAIN), Needed.MAJORITY_OF_PRESENT, Outcome.FAILED),
        ((YES, YES, YES, ABSTAIN, ABSTAIN), Needed.MAJORITY_OF_PRESENT, Outcome.CARRIED),
        ((YES, YES, NO, None, None), Needed.MAJORITY_OF_VOTES_CAST, Outcome.CARRIED),
        ((YES, YES, NO, ABSTAIN, ABSTAIN), Needed.MAJORITY_OF_SEATS, Outcome.FAILED),
        ((YES, YES, YES, NO, NO), Needed.MAJORITY_OF_SEATS, Outcome.CARRIED),
        ((YES, YES, YES, YES, NO), 4, Outcome.CARRIED),
        ((YES, YES, YES, NO, NO), 4, Outcome.FAILED),
        ((YES, NO, NO, NO, NO), 1, Outcome.FAILED),
        ((ABSTAIN, ABSTAIN, ABSTAIN, ABSTAIN, ABSTAIN), Needed.MAJORITY_OF_VOTES_CAST, Outcome.TIE),
        ((None, None, None, None, None), Needed.MAJORITY_OF_VOTES_CAST, Outcome.TIE),
    ],
)
def test_the_rule_of_the_profile_says_how_many_yes_votes_carry(votes, needed, outcome) -> None:
    result = tally(a_ballot(a_rule(needed=needed)), votes_of(*votes), (), MEMBERS)
    assert result.outcome is outcome


@pytest.mark.parametrize(("present", "outcome"), [((1, 2, 3), Outcome.CARRIED), ((1, 2), Outcome.NO_QUORUM)])
def test_below_the_quorum_nothing_is_decided(present, outcome) -> None:
    result = tally(a_ballot(), votes_of(YES, YES, YES), (), present)
    assert result.outcome is outcome


def test_a_recused_member_does_not_count_towards_quorum() -> None:
    result = tally(a_ballot(), votes_of(YES, YES), {3}, {1, 2, 3})
    assert result.outcome is Outcome.NO_QUORUM
    assert (result.present, result.for_quorum, result.recused) == (3, 2, 1)


def test_a_profile_may_let_a_recused_member_count_towards_quorum_but_never_vote() -> None:
    ballot = a_ballot(a_rule(recused_count=True, needed=Needed.MAJORITY_OF_PRESENT))
    result = tally(ballot, votes_of(YES, YES, NO), {3}, {1, 2, 3})
    assert result.outcome is Outcome.CARRIED
    assert (result.for_quorum, result.voting_base, result.no) == (3, 2, 0)


def test_recusals_that_leave_no_quorum_mean_the_board_cannot_act_whoever_is_present() -> None:
    at_limit = tally(a_ballot(), votes_of(None, None, YES, YES, YES), {1, 2}, MEMBERS)
    beyond = tally(a_ballot(), votes_of(None, None, None, YES, YES), {1, 2, 3}, MEMBERS)
    assert at_limit.outcome is Outcome.CARRIED
    assert beyond.outcome is Outcome.BOARD_CANNOT_ACT


def test_vacancies_and_recusals_together_can_leave_the_board_unable_to_act() -> None:
    result = tally(a_ballot(members=(1, 2, 3)), votes_of(YES, YES), {3}, {1, 2, 3})
    assert result.outcome is Outcome.BOARD_CANNOT_ACT
    assert result.vacancies == 2


def test_too_few_able_members_for_the_votes_needed_mean_the_board_cannot_act() -> None:
    rule = a_rule(quorum=3, needed=3, recused_count=True)
    result = tally(a_ballot(rule), votes_of(YES, YES), {3, 4, 5}, MEMBERS)
    assert result.outcome is Outcome.BOARD_CANNOT_ACT


def test_nobody_able_to_vote_means_the_board_cannot_act_even_where_the_recused_make_a_quorum() -> None:
    rule = a_rule(needed=Needed.MAJORITY_OF_PRESENT, recused_count=True)
    result = tally(a_ballot(rule), (), set(MEMBERS), MEMBERS)
    assert result.outcome is Outcome.BOARD_CANNOT_ACT


def test_a_recusal_after_voting_voids_the_vote_and_recounts() -> None:
    votes = votes_of(YES, YES, NO, NO, YES)
    before = tally(a_ballot(), votes, (), MEMBERS)
    after = tally(a_ballot(), votes, {5}, MEMBERS)
    assert (before.outcome, before.yes) == (Outcome.CARRIED, 3)
    assert (after.outcome, after.yes, after.no) == (Outcome.TIE, 2, 2)
    assert 5 not in dict(after.votes)


def test_a_changed_vote_takes_the_place_of_the_earlier_one() -> None:
    votes = [a_vote(1, YES, 1), a_vote(1, NO, 2)]
    assert live_votes(a_ballot(), votes)[1].choice is NO


def test_the_same_submission_delivered_three_times_counts_once() -> None:
    votes = [a_vote(1, YES, at, submission="once") for at in (1, 2, 3)]
    assert tally(a_ballot(), votes, (), MEMBERS).yes == 1


def test_an_old_submission_delivered_again_does_not_undo_a_changed_vote() -> None:
    votes = [
        a_vote(1, YES, 1, submission="first"),
        a_vote(1, NO, 2, submission="second"),
        a_vote(1, YES, 3, submission="first"),
    ]
    assert live_votes(a_ballot(), votes)[1].choice is NO


def test_two_members_may_have_submissions_of_the_same_id() -> None:
    votes = [a_vote(1, YES, 1, submission="same"), a_vote(2, NO, 2, submission="same")]
    assert set(live_votes(a_ballot(), votes)) == {1, 2}


def test_two_votes_with_one_sequence_are_no_record_of_ours() -> None:
    with pytest.raises(BadInput, match="same sequence"):
        tally(a_ballot(), [a_vote(1, YES, 1), a_vote(1, NO, 1)], (), MEMBERS)


def test_a_vote_by_somebody_who_does_not_sit_is_refused() -> None:
    with pytest.raises(NotAllowed):
        tally(a_ballot(), [a_vote(9, YES, 1)], (), MEMBERS)


@pytest.mark.parametrize("at", [CLOSED, AFTER, OPENED - timedelta(seconds=1)])
def test_a_vote_recorded_outside_the_ballots_time_is_refused(at) -> None:
    with pytest.raises(NotNow):
        tally(a_ballot(closed_at=CLOSED), [a_vote(1, YES, 1, cast_at=at)], (), MEMBERS)


def test_a_vote_in_the_last_moment_before_closing_counts() -> None:
    vote = a_vote(1, YES, 1, cast_at=CLOSED - timedelta(microseconds=1))
    assert tally(a_ballot(closed_at=CLOSED), [vote], (), MEMBERS).yes == 1


def test_a_vote_of_somebody_not_recorded_as_present_does_not_count() -> None:
    result = tally(a_ballot(), votes_of(YES, YES, NO, NO), (), {1, 2, 3})
    assert (result.yes, result.no) == (2, 1)


def test_a_voided_ballot_decides_nothing() -> None:
    with pytest.raises(NotNow):
        tally(a_ballot(void=True), votes_of(YES, YES, YES), (), MEMBERS)


def test_abstaining_is_being_present_without_yes_or_no() -> None:
    result = tally(a_ballot(), votes_of(YES, NO, ABSTAIN, None, NO), (), MEMBERS)
    assert (result.yes, result.no, result.abstain, result.silent) == (1, 2, 1, 1)


def test_an_alternate_fills_the_seat_of_the_recused_member_he_sits_for() -> None:
    roster = Roster(5, (*(Sitting(one) for one in (1, 2, 3, 4)), Sitting(8, sits_for=5)))
    ballot = a_ballot()
    with_alternate = type(ballot)(1, roster, ballot.rule, OPENED)
    result = tally(with_alternate, [a_vote(8, YES, 1), a_vote(1, YES, 2)], {5}, {1, 2, 3, 4, 8})
    assert (result.replaced, result.recused, result.vacancies, result.yes) == (1, 0, 0, 2)


def test_a_member_whose_place_is_taken_cannot_vote() -> None:
    roster = Roster(5, (Sitting(8, sits_for=5),))
    ballot = type(a_ballot())(1, roster, a_rule(), OPENED)
    with pytest.raises(NotAllowed):
        may_vote(ballot, 5, now=DURING, recusals=(), present={5, 8}, in_session=True)


@pytest.mark.parametrize(
    "sitting",
    [
        (Sitting(1), Sitting(1)),
        (Sitting(1), Sitting(8, sits_for=1)),
        (Sitting(8, sits_for=1), Sitting(9, sits_for=1)),
        tuple(Sitting(one) for one in range(1, 5)),
    ],
)
def test_a_roster_fills_each_seat_once(sitting) -> None:
    with pytest.raises(ValueError, match=r"sit"):
        Roster(3, sitting)


@pytest.mark.parametrize(
    ("quorum", "members", "number"),
    [
        (Quorum.MAJORITY_OF_SEATS, (1, 2, 3), 3),
        (Quorum.MAJORITY_OF_FILLED_SEATS, (1, 2, 3), 2),
        (Quorum.MAJORITY_OF_FILLED_SEATS, MEMBERS, 3),
        (4, (1, 2, 3), 4),
    ],
)
def test_the_quorum_is_fixed_by_rule_and_roster_at_opening(quorum, members, number) -> None:
    rule = a_rule(quorum=quorum)
    assert quorum_number(rule, a_ballot(members=members).roster) == number


@pytest.mark.parametrize(
    ("needed", "number"),
    [
        (Needed.MAJORITY_OF_VOTES_CAST, 2),
        (Needed.MAJORITY_OF_PRESENT, 3),
        (Needed.MAJORITY_OF_SEATS, 4),
        (5, 5),
    ],
)
def test_a_majority_is_more_than_half_of_its_base(needed, number) -> None:
    assert votes_needed(a_rule(needed=needed), seats=6, voting_base=4, cast=3) == number


def test_a_rule_without_a_quorum_or_a_vote_is_refused() -> None:
    with pytest.raises(ValueError, match="quorum"):
        a_rule(quorum=0)
    with pytest.raises(ValueError, match="needed"):
        a_rule(needed=0)


def test_the_printed_arithmetic_gives_every_number() -> None:
    votes = votes_of(YES, YES, NO, ABSTAIN)
    text = tally(a_ballot(members=(1, 2, 3, 4)), votes, {4}, {1, 2, 3, 4}).text()
    assert text.splitlines() == [
        "Seats 5, vacant 1, recused 1, replaced by an alternate 0.",
        "Present 4, counted for the quorum 3, quorum 3.",
        "Yes 2, no 1, abstain 0, no vote given 0; yes votes needed 2.",
        "Result: the motion is carried.",
    ]


@pytest.mark.parametrize(
    ("votes", "recusals", "present", "alternates", "says"),
    [
        ((YES, NO), (), (1, 2), False, "1 more must be present"),
        ((YES, NO, ABSTAIN), (), (1, 2, 3), False, "open a new ballot"),
        ((YES,), (2, 3, 4), MEMBERS, True, "seat alternates"),
        ((YES,), (2, 3, 4), MEMBERS, False, "appointing authority"),
    ],
)
def test_where_nothing_is_decided_the_result_says_what_can_be_done(
    votes, recusals, present, alternates, says
) -> None:
    result = tally(a_ballot(a_rule(alternates=alternates)), votes_of(*votes), recusals, present)
    assert not result.decides
    assert says in result.text()


def test_a_board_without_alternates_is_not_told_to_seat_one() -> None:
    result = tally(a_ballot(), (), {1, 2, 3}, MEMBERS)
    assert "alternates for" not in result.text()


def test_a_failed_motion_decides_the_contrary_only_if_the_noes_alone_would_carry_it() -> None:
    by_majority = tally(a_ballot(), votes_of(NO, NO, NO, YES), (), MEMBERS)
    for_want_of_votes = tally(a_ballot(a_rule(needed=3)), votes_of(YES, YES, NO), (), MEMBERS)
    assert by_majority.contrary_carries
    assert for_want_of_votes.outcome is Outcome.FAILED
    assert not for_want_of_votes.contrary_carries
    assert "contrary" in for_want_of_votes.text()
    assert "contrary" not in by_majority.text()


def test_the_count_is_hidden_from_all_until_the_ballot_closes() -> None:
    open_one = a_ballot()
    with pytest.raises(NotNow) as refusal:
        visible_tally(open_one, votes_of(YES, NO), (), MEMBERS, now=DURING)
    assert not any(word in str(refusal.value) for word in ("yes", "no 1", "2"))
    closed = a_ballot(closed_at=CLOSED)
    assert visible_tally(closed, votes_of(YES, YES, NO), (), MEMBERS, now=CLOSED).yes == 2


def test_a_ballot_whose_closing_time_has_come_is_closed_whatever_the_scheduler_did() -> None:
    ballot = a_ballot(closes_at=CLOSED)
    assert not ballot.is_closed(CLOSED - timedelta(microseconds=1))
    assert ballot.is_closed(CLOSED)
    with pytest.raises(NotNow):
        may_vote(ballot, 1, now=CLOSED, recusals=(), present=MEMBERS, in_session=True)


def test_a_ballot_closed_by_hand_before_its_closing_time_is_closed() -> None:
    assert a_ballot(closes_at=AFTER, closed_at=CLOSED).is_closed(CLOSED)


def test_a_member_present_in_session_may_vote() -> None:
    may_vote(a_ballot(), 1, now=DURING, recusals=(), present=MEMBERS, in_session=True)


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"person": 9}, NotAllowed),
        ({"recusals": {1}}, NotAllowed),
        ({"present": {2, 3}}, NotAllowed),
        ({"in_session": False}, NotNow),
        ({"now": OPENED - timedelta(seconds=1)}, NotNow),
        ({"ballot": a_ballot(void=True)}, NotNow),
        ({"ballot": a_ballot(closed_at=CLOSED), "now": AFTER}, NotNow),
        ({"ballot": a_ballot(closed_at=CLOSED), "now": DURING}, NotNow),  # a clock that was set back
    ],
)
def test_a_vote_that_may_not_be_taken_is_refused_with_a_way_on(changed, kind) -> None:
    asked = {
        "ballot": a_ballot(),
        "person": 1,
        "now": DURING,
        "recusals": frozenset(),
        "present": MEMBERS,
        "in_session": True,
        **changed,
    }
    with pytest.raises(kind) as refusal:
        may_vote(asked.pop("ballot"), asked.pop("person"), **asked)
    assert refusal.value.mend


def test_a_body_outside_the_open_meetings_act_may_vote_between_meetings() -> None:
    ballot = a_ballot(a_rule(only_in_meetings=False))
    may_vote(ballot, 1, now=DURING, recusals=(), present=(), in_session=False)


def test_who_has_not_voted_is_known_without_showing_a_vote() -> None:
    assert outstanding(a_ballot(), votes_of(YES, None, NO), {4}, {1, 2, 3, 4}) == {2}

"""Ballots: what holds for every roster, rule, vote and recusal."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from store.rules.ballots import Needed, Outcome, Quorum, Vote, tally
from store.rules.facts import Choice
from tests.rules.ballot_builders import MEMBERS, a_ballot, a_rule, a_vote

rules = st.builds(
    a_rule,
    quorum=st.one_of(st.integers(1, 5), st.sampled_from(Quorum)),
    needed=st.one_of(st.integers(1, 5), st.sampled_from(Needed)),
    recused_count=st.booleans(),
    alternates=st.booleans(),
)
fixed_rules = st.builds(a_rule, quorum=st.integers(1, 5), needed=st.integers(1, 5))
people = st.frozensets(st.sampled_from(MEMBERS))


@st.composite
def histories(draw: st.DrawFn) -> list[Vote]:
    said = draw(st.lists(st.tuples(st.sampled_from(MEMBERS), st.sampled_from(Choice)), max_size=12))
    return [a_vote(who, choice, at) for at, (who, choice) in enumerate(said)]


@given(rules, histories(), people, people, st.randoms(use_true_random=False))
def test_the_order_in_which_votes_arrive_changes_nothing(rule, votes, recusals, present, chance) -> None:
    mixed = list(votes)
    chance.shuffle(mixed)
    assert tally(a_ballot(rule), mixed, recusals, present) == tally(a_ballot(rule), votes, recusals, present)


@given(rules, histories(), people, people, st.data())
def test_a_submission_delivered_again_changes_nothing(rule, votes, recusals, present, drawn) -> None:
    again = drawn.draw(st.lists(st.sampled_from(votes), max_size=5)) if votes else []
    repeated = [replace(one, sequence=100 + at) for at, one in enumerate(again)]
    assert tally(a_ballot(rule), [*votes, *again, *repeated], recusals, present) == tally(
        a_ballot(rule), votes, recusals, present
    )


@given(rules, histories(), people, people, st.sampled_from(MEMBERS))
def test_a_recusal_counts_as_if_that_member_had_never_voted(rule, votes, recusals, present, member) -> None:
    out = recusals | {member}
    without = [one for one in votes if one.voter != member]
    assert tally(a_ballot(rule), votes, out, present) == tally(a_ballot(rule), without, out, present)


@given(fixed_rules, histories(), people, people, st.sampled_from(MEMBERS))
def test_a_recusal_never_helps_a_motion_that_needs_a_fixed_number(
    rule, votes, recusals, present, member
) -> None:
    """Only a tie or a majority against can turn, and then only because a no vote fell out."""
    ballot = a_ballot(rule)
    before = tally(ballot, votes, recusals, present)
    after = tally(ballot, votes, recusals | {member}, present)
    assert after.yes <= before.yes
    if after.outcome is Outcome.CARRIED and before.outcome is not Outcome.CARRIED:
        assert dict(before.votes)[member] is Choice.NO
        assert after.yes >= after.needed


@given(rules, histories(), people, people)
def test_the_numbers_printed_add_up(rule, votes, recusals, present) -> None:
    result = tally(a_ballot(rule), votes, recusals, present)
    assert result.yes + result.no + result.abstain + result.silent == result.voting_base
    assert result.voting_base <= result.for_quorum <= result.present
    assert all(
        str(number) in result.text() for number in (result.yes, result.no, result.needed, result.quorum)
    )


@given(rules, histories(), people, people)
def test_nothing_is_carried_without_quorum_and_more_yes_than_no(rule, votes, recusals, present) -> None:
    result = tally(a_ballot(rule), votes, recusals, present)
    if result.outcome is Outcome.CARRIED:
        assert result.for_quorum >= result.quorum
        assert result.yes > result.no
        assert result.yes >= result.needed
    if not result.decides:
        assert result.ways_on()


@given(rules, histories(), people)
def test_a_motion_and_its_contrary_are_never_both_carried(rule, votes, present) -> None:
    contrary = {Choice.YES: Choice.NO, Choice.NO: Choice.YES, Choice.ABSTAIN: Choice.ABSTAIN}
    turned = [replace(one, choice=contrary[one.choice]) for one in votes]
    outcomes = [tally(a_ballot(rule), one, (), present).outcome for one in (votes, turned)]
    assert outcomes.count(Outcome.CARRIED) <= 1
    assert tally(a_ballot(rule), votes, (), present).contrary_carries == (outcomes[1] is Outcome.CARRIED)

"""Counting a ballot of the record: from its facts to what `store.rules.ballots` counts.

Roster and rule are those of the opening; recusals count whenever they were made (decisions 17).
"""

from collections.abc import Collection

from pydantic import TypeAdapter, ValidationError

from store.rules import ballots
from store.rules.ballots import BallotRule
from store.rules.casefile import BallotView, CaseFile
from store.rules.errors import BadInput
from store.rules.facts import BallotOpened

_RULE: TypeAdapter[BallotRule] = TypeAdapter(BallotRule)


def rule_text(rule: BallotRule) -> str:
    """Write a rule as it is frozen with a ballot: JSON."""
    return _RULE.dump_json(rule).decode()


def rule_of(opened: BallotOpened) -> BallotRule:
    """Read the rule that a ballot was opened under.

    Raises:
        BadInput: it was written by a version that this one does not know.
    """
    try:
        return _RULE.validate_json(opened.rule)
    except ValidationError as error:
        raise BadInput("The rule of this ballot cannot be read; nothing was counted.") from error


def roster_of(opened: BallotOpened) -> ballots.Roster:
    """Give who sits on a ballot: those who may vote, and those who sit but were out of the case."""
    sits_for = dict(opened.sits_for)
    people = (*opened.roster, *opened.recused)
    return ballots.Roster(
        opened.seats, tuple(ballots.Sitting(person, sits_for.get(person)) for person in people)
    )


def ballot_of(view: BallotView) -> ballots.Ballot:
    """Give a ballot as the rules see it now."""
    return ballots.Ballot(
        key=view.id,
        roster=roster_of(view.opened),
        rule=rule_of(view.opened),
        opened_at=view.opened.at,
        closed_at=view.closed.at if view.closed else None,
        void=view.voided is not None,
    )


def votes_of(view: BallotView) -> tuple[ballots.Vote, ...]:
    """Give a ballot's votes in the order of recording."""
    return tuple(
        ballots.Vote(one.fact.person, one.fact.choice, one.fact.submission, one.id, one.fact.at)
        for one in view.votes
    )


def out_of(case: CaseFile, opened: BallotOpened) -> frozenset[int]:
    """Give everybody whose vote does not count: recused or named in the complaint, then or since."""
    return frozenset(opened.recused) | case.recused | case.walled_off


def present_for(view: BallotView, present: Collection[int]) -> frozenset[int]:
    """Give who was present while a ballot was taken: at its end, or when he voted."""
    return frozenset(present) | {one.fact.person for one in view.votes}


def count(case: CaseFile, view: BallotView, present: Collection[int]) -> ballots.Result:
    """Count a ballot.

    Args:
        case: the case, for its recusals.
        view: the ballot.
        present: who was present when it was closed, by the record of the meeting.

    Returns:
        The result; no vote was ever recorded after the closing, so the order of recording decides.
    """
    ballot = ballot_of(view)
    # the record refuses a vote after the closing; the clock's grain must not undo one before it
    open_still = ballots.Ballot(ballot.key, ballot.roster, ballot.rule, ballot.opened_at, void=ballot.void)
    return ballots.tally(open_still, votes_of(view), out_of(case, view.opened), present_for(view, present))

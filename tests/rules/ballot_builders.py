"""Builders of ballots, votes and rosters that spell out only what a test is about."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from store.rules.ballots import Ballot, BallotRule, Needed, Quorum, Roster, Sitting, Vote
from store.rules.facts import Choice

OPENED = datetime(2026, 6, 3, 22, 0, tzinfo=UTC)
DURING = OPENED + timedelta(minutes=5)
CLOSED = OPENED + timedelta(minutes=10)
AFTER = OPENED + timedelta(minutes=15)
MEMBERS = (1, 2, 3, 4, 5)
YES, NO, ABSTAIN = Choice.YES, Choice.NO, Choice.ABSTAIN


def a_rule(
    *,
    quorum: int | Quorum = 3,
    needed: int | Needed = Needed.MAJORITY_OF_VOTES_CAST,
    recused_count: bool = False,
    alternates: bool = False,
    only_in_meetings: bool = True,
) -> BallotRule:
    return BallotRule(
        quorum=quorum,
        needed=needed,
        recused_count_for_quorum=recused_count,
        alternates=alternates,
        only_in_meetings=only_in_meetings,
    )


def a_ballot(
    rule: BallotRule | None = None,
    *,
    seats: int = 5,
    members: Iterable[int] = MEMBERS,
    closes_at: datetime | None = None,
    closed_at: datetime | None = None,
    void: bool = False,
) -> Ballot:
    return Ballot(
        key=1,
        roster=Roster(seats=seats, sitting=tuple(Sitting(one) for one in members)),
        rule=rule or a_rule(),
        opened_at=OPENED,
        closes_at=closes_at,
        closed_at=closed_at,
        void=void,
    )


def a_vote(
    voter: int, choice: Choice, sequence: int, *, submission: str = "", cast_at: datetime = DURING
) -> Vote:
    return Vote(
        voter=voter,
        choice=choice,
        submission=submission or f"submission-{sequence}",
        sequence=sequence,
        cast_at=cast_at,
    )


def votes_of(*choices: Choice | None) -> list[Vote]:
    """Give one vote each of members 1, 2, ...; None is a member who says nothing."""
    return [a_vote(at, said, at) for at, said in enumerate(choices, start=1) if said is not None]

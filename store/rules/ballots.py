"""Ballots of the Board: who may vote, who is recused, what was decided, with the arithmetic printed.

A ballot's roster and rule are frozen when it is opened. Everything here is worked out anew from the
votes and recusals recorded, so the same record gives the same result in any order of delivery.

Source: requirement B4; decisions.md 16 and 17; law.md, meetings and votes (KRS 61.810, 61.815,
12-OMD-067). The ordinance itself is silent on seats, quorum and votes needed: they are settings.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import assert_never

from store.rules.errors import BadInput, NotAllowed, NotNow
from store.rules.facts import Choice

OPEN_MEETINGS = "KRS 61.810"
VOTES_BY_NAME = "KRS 61.815"


class Needed(StrEnum):
    """Which majority carries a motion, where it is no fixed number."""

    MAJORITY_OF_VOTES_CAST = "majority_of_votes_cast"
    MAJORITY_OF_PRESENT = "majority_of_present"
    MAJORITY_OF_SEATS = "majority_of_seats"


class Quorum(StrEnum):
    """Which majority makes a quorum, where it is no fixed number."""

    MAJORITY_OF_SEATS = "majority_of_seats"
    MAJORITY_OF_FILLED_SEATS = "majority_of_filled_seats"


class Outcome(StrEnum):
    """How a ballot ended. Only ``CARRIED`` and ``FAILED`` dispose of the motion."""

    CARRIED = "carried"
    FAILED = "failed"
    TIE = "tie"
    NO_QUORUM = "no_quorum"
    BOARD_CANNOT_ACT = "board_cannot_act"


@dataclass(frozen=True, slots=True)
class BallotRule:
    """How the Board decides, as the profile says.

    Attributes:
        quorum: how many must be present, as a number or as a majority.
        needed: how many must say yes, as a number or as a majority.
        recused_count_for_quorum: whether a recused member who is present helps to make the quorum;
            such a member never votes, and is never part of a majority's base.
        alternates: whether an alternate may sit for a recused or absent member.
        only_in_meetings: whether a vote needs a meeting of the Board in session.
    """

    quorum: int | Quorum
    needed: int | Needed
    recused_count_for_quorum: bool = False
    alternates: bool = False
    only_in_meetings: bool = True

    def __post_init__(self) -> None:
        for name, number in (("quorum", self.quorum), ("needed", self.needed)):
            if isinstance(number, int) and number < 1:
                raise ValueError(f"{name} must be 1 or more")


@dataclass(frozen=True, slots=True)
class Sitting:
    """A person who sits on this ballot.

    Attributes:
        person: the internal id of the person.
        sits_for: the id of the member whose place an alternate takes; None for a member.
    """

    person: int
    sits_for: int | None = None


@dataclass(frozen=True, slots=True)
class Roster:
    """The Board as it stood when the ballot was opened.

    Attributes:
        seats: how many seats the Board has, filled or not.
        sitting: who sits; a seat that nobody fills is a vacancy.
    """

    seats: int
    sitting: tuple[Sitting, ...]

    def __post_init__(self) -> None:
        people = [one.person for one in self.sitting]
        replaced = [one.sits_for for one in self.sitting if one.sits_for is not None]
        if len(people) > self.seats:
            raise ValueError("more people sit than the Board has seats")
        if len(set(people)) != len(people) or len(set(replaced)) != len(replaced):
            raise ValueError("a person sits once, and a seat is filled once")
        if set(people) & set(replaced):
            raise ValueError("a member whose place an alternate takes does not sit")

    @property
    def people(self) -> frozenset[int]:
        """Give the ids of all who sit."""
        return frozenset(one.person for one in self.sitting)

    @property
    def replaced(self) -> frozenset[int]:
        """Give the ids of members whose place an alternate takes."""
        return frozenset(one.sits_for for one in self.sitting if one.sits_for is not None)

    @property
    def vacancies(self) -> int:
        """Count the seats that nobody fills."""
        return self.seats - len(self.sitting)


@dataclass(frozen=True, slots=True)
class Ballot:
    """One question put to the Board in one meeting; roster and rule are those of its opening.

    Attributes:
        key: id of the fact that opened it.
        roster: who sits, frozen.
        rule: how it is decided, frozen.
        opened_at: aware UTC instant of opening.
        closes_at: aware UTC instant from which no vote is taken, closed by hand or not; None if none was set.
        closed_at: aware UTC instant at which it was closed by hand; None while it was not.
        void: it was voided (for instance to let an alternate in); no vote is taken, nothing is decided.
    """

    key: int
    roster: Roster
    rule: BallotRule
    opened_at: datetime
    closes_at: datetime | None = None
    closed_at: datetime | None = None
    void: bool = False

    @property
    def ends_at(self) -> datetime | None:
        """Give the first instant at which no vote is taken, or None if none is fixed yet."""
        ends = [at for at in (self.closes_at, self.closed_at) if at is not None]
        return min(ends) if ends else None

    def is_closed(self, now: datetime) -> bool:
        """Say whether the ballot takes no votes any more at ``now`` (aware UTC)."""
        return self.ends_at is not None and now >= self.ends_at


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote as it was recorded; a changed vote is a new one with a higher sequence.

    Attributes:
        voter: internal id of the person.
        choice: what the person said.
        submission: id of the submission; the same one delivered again counts once.
        sequence: place in the order of recording, unique in the ballot.
        cast_at: aware UTC instant at which it was recorded.
    """

    voter: int
    choice: Choice
    submission: str
    sequence: int
    cast_at: datetime


@dataclass(frozen=True, slots=True)
class Result:
    """What a ballot decided and how it was counted.

    Attributes:
        outcome: how it ended.
        seats: seats of the Board.
        vacancies: seats that nobody fills.
        recused: members recused, those replaced by an alternate not counted.
        replaced: members whose place an alternate takes.
        present: people sitting who were present, recused or not.
        for_quorum: of those, how many count towards the quorum.
        quorum: how many had to count.
        voting_base: people present who were free to vote.
        needed: yes votes that carry the motion.
        votes: the live vote of each person, in the order of ids; the law wants votes by name.
        able: people sitting who are not recused, present or not.
        alternates: whether an alternate could sit.
    """

    outcome: Outcome
    seats: int
    vacancies: int
    recused: int
    replaced: int
    present: int
    for_quorum: int
    quorum: int
    voting_base: int
    needed: int
    votes: tuple[tuple[int, Choice], ...]
    able: int
    alternates: bool

    @property
    def yes(self) -> int:
        """Count the votes for the motion."""
        return self._count(Choice.YES)

    @property
    def no(self) -> int:
        """Count the votes against the motion."""
        return self._count(Choice.NO)

    @property
    def abstain(self) -> int:
        """Count those present who said that they abstain."""
        return self._count(Choice.ABSTAIN)

    @property
    def silent(self) -> int:
        """Count those present and free to vote who said nothing."""
        return self.voting_base - len(self.votes)

    @property
    def decides(self) -> bool:
        """Say whether the motion is disposed of; a tie and a lack of quorum decide nothing."""
        return self.outcome in {Outcome.CARRIED, Outcome.FAILED}

    @property
    def contrary_carries(self) -> bool:
        """Say whether the noes alone would carry the contrary motion under the same rule.

        A motion that merely failed decides only that it was not carried; a Board that means to act
        on the contrary has either this, or another motion.
        """
        return self.decides and self.no > self.yes and self.no >= self.needed

    def lines(self) -> tuple[str, ...]:
        """Print the arithmetic, one plain sentence a line, without a person's name."""
        return (
            (
                f"Seats {self.seats}, vacant {self.vacancies}, recused {self.recused}, "
                f"replaced by an alternate {self.replaced}."
            ),
            f"Present {self.present}, counted for the quorum {self.for_quorum}, quorum {self.quorum}.",
            (
                f"Yes {self.yes}, no {self.no}, abstain {self.abstain}, no vote given {self.silent}; "
                f"yes votes needed {self.needed}."
            ),
            f"Result: {self.verdict()}",
            *self.ways_on(),
        )

    def text(self) -> str:
        """Give `lines` as one text."""
        return "\n".join(self.lines())

    def verdict(self) -> str:
        """Say the outcome in one sentence."""
        match self.outcome:
            case Outcome.CARRIED:
                return "the motion is carried."
            case Outcome.FAILED:
                return "the motion failed."
            case Outcome.TIE:
                return "a tie (yes and no are equal); nothing is decided."
            case Outcome.NO_QUORUM:
                return "no quorum; nothing is decided."
            case Outcome.BOARD_CANNOT_ACT:
                return "the Board cannot act on this question; nothing is decided."
            case _:
                assert_never(self.outcome)

    def ways_on(self) -> tuple[str, ...]:
        """Say what can be done where nothing is decided, or where a failure settles less than it seems."""
        match self.outcome:
            case Outcome.CARRIED:
                return ()
            case Outcome.FAILED:
                return () if self.contrary_carries else (_NOT_THE_CONTRARY,)
            case Outcome.TIE:
                return ("The Board may deliberate further and open a new ballot, now or at a later meeting.",)
            case Outcome.NO_QUORUM:
                short = self.quorum - self.for_quorum
                return (
                    (
                        f"{short} more must be present: take the question up at another meeting and open a new "
                        "ballot there. No date moves meanwhile."
                    ),
                )
            case Outcome.BOARD_CANNOT_ACT:
                return self._when_it_cannot_act()
            case _:
                assert_never(self.outcome)

    def _when_it_cannot_act(self) -> tuple[str, ...]:
        free = f"Only {self.able} of {self.seats} can vote on it, because of recusals or vacancies."
        seat = "Void this ballot, seat alternates for those recused, and open another."
        ask = (
            "Ask the appointing authority to fill the vacant seats or to name members for this case, and "
            "counsel what the law allows meanwhile. No date moves."
        )
        return (free, seat, ask) if self.alternates else (free, ask)

    def _count(self, choice: Choice) -> int:
        return sum(said is choice for _, said in self.votes)


_NOT_THE_CONTRARY = (
    "The noes do not carry the contrary either: to decide the contrary, put it as a motion of its own."
)


def quorum_number(rule: BallotRule, roster: Roster) -> int:
    """Give how many must count towards the quorum; it is fixed with rule and roster at opening."""
    match rule.quorum:
        case Quorum.MAJORITY_OF_SEATS:
            return _majority(roster.seats)
        case Quorum.MAJORITY_OF_FILLED_SEATS:
            return _majority(len(roster.sitting))
        case int(number):
            return number
        case _:
            assert_never(rule.quorum)


def votes_needed(rule: BallotRule, *, seats: int, voting_base: int, cast: int) -> int:
    """Give how many yes votes carry a motion.

    Args:
        rule: the ballot's rule.
        seats: seats of the Board, filled or not.
        voting_base: people present who are free to vote.
        cast: yes and no votes together; an abstention is no vote cast.
    """
    match rule.needed:
        case Needed.MAJORITY_OF_VOTES_CAST:
            return _majority(cast)
        case Needed.MAJORITY_OF_PRESENT:
            return _majority(voting_base)
        case Needed.MAJORITY_OF_SEATS:
            return _majority(seats)
        case int(number):
            return number
        case _:
            assert_never(rule.needed)


def live_votes(ballot: Ballot, votes: Iterable[Vote]) -> dict[int, Vote]:
    """Give the vote that stands for each person who voted.

    The first recording of a submission is that submission; of a person's submissions the last stands. So
    an old submission that is delivered again does not undo a changed vote.

    Raises:
        BadInput: two votes share a sequence, which no record of ours can hold.
        NotAllowed: a vote is by somebody who does not sit on this ballot.
        NotNow: a vote was recorded before the ballot was opened or after it had closed.
    """
    first: dict[tuple[int, str], Vote] = {}
    seen: dict[int, Vote] = {}
    for vote in votes:
        _refuse_strange(ballot, vote)
        if seen.setdefault(vote.sequence, vote) != vote:
            raise BadInput("Two votes of one ballot have the same sequence; nothing was counted.")
        key = (vote.voter, vote.submission)
        if key not in first or vote.sequence < first[key].sequence:
            first[key] = vote
    live: dict[int, Vote] = {}
    for vote in first.values():
        if vote.voter not in live or vote.sequence > live[vote.voter].sequence:
            live[vote.voter] = vote
    return live


def tally(
    ballot: Ballot, votes: Collection[Vote], recusals: Collection[int], present: Collection[int]
) -> Result:
    """Count a ballot.

    Args:
        ballot: the ballot with its frozen roster and rule.
        votes: every vote recorded, in any order, redelivered or not.
        recusals: ids of people recused from the case or the ballot, whenever they did so; their votes are void.
        present: ids of people whom the meeting's record has as present; others' votes do not count.

    Returns:
        The outcome with each number that led to it.

    Raises:
        NotAllowed: the ballot holds a vote by somebody who does not sit on it.
        NotNow: the ballot is void, or holds a vote from outside its time.
        BadInput: the votes contradict each other.

    Source: requirement B4; law.md, meetings and votes.
    """
    if ballot.void:
        raise NotNow(
            "This ballot was voided and decides nothing.",
            mend="Count the ballot opened in its place.",
            clause=VOTES_BY_NAME,
        )
    live = live_votes(ballot, votes)
    recused = ballot.roster.people & set(recusals)
    there = ballot.roster.people & set(present)
    free = there - recused
    said = tuple(sorted((who, vote.choice) for who, vote in live.items() if who in free))
    rule = ballot.rule
    cast = sum(choice in {Choice.YES, Choice.NO} for _, choice in said)
    counted = Result(
        outcome=Outcome.FAILED,
        seats=ballot.roster.seats,
        vacancies=ballot.roster.vacancies,
        recused=len(recused),
        replaced=len(ballot.roster.replaced),
        present=len(there),
        for_quorum=len(there if rule.recused_count_for_quorum else free),
        quorum=quorum_number(rule, ballot.roster),
        voting_base=len(free),
        needed=votes_needed(rule, seats=ballot.roster.seats, voting_base=len(free), cast=cast),
        votes=said,
        able=len(ballot.roster.people - recused),
        alternates=rule.alternates,
    )
    return replace(counted, outcome=_outcome(counted, rule, sitting=len(ballot.roster.sitting)))


def visible_tally(
    ballot: Ballot,
    votes: Collection[Vote],
    recusals: Collection[int],
    present: Collection[int],
    *,
    now: datetime,
) -> Result:
    """Count a ballot for somebody to see: refused to everyone until it has closed.

    Raises:
        NotNow: the ballot is still open at ``now`` (aware UTC).
    """
    if not ballot.is_closed(now):
        raise NotNow(
            "The count is shown to nobody until the ballot has closed.",
            clause=VOTES_BY_NAME,
            mend="It is shown, with every vote by name, once the chair closes the ballot.",
        )
    return tally(ballot, votes, recusals, present)


def may_vote(
    ballot: Ballot,
    person: int,
    *,
    now: datetime,
    recusals: Collection[int],
    present: Collection[int],
    in_session: bool,
) -> None:
    """Refuse a vote that may not be taken; say nothing where it may.

    Args:
        ballot: the ballot.
        person: internal id of the person who wants to vote.
        now: aware UTC instant of the vote.
        recusals: ids of all who are recused, on this ballot or from the case.
        present: ids of those whom the meeting's record has as present.
        in_session: whether the ballot's meeting is in session.

    Raises:
        NotAllowed: the person does not sit on this ballot, is recused, or is not recorded as present.
        NotNow: the ballot has closed, was voided, or its meeting is not in session.
    """
    _refuse_stranger(ballot, person)
    if ballot.void:
        raise NotNow(
            "This ballot was voided; no vote is taken on it.",
            mend="Vote on the one opened in its place.",
            clause=VOTES_BY_NAME,
        )
    # closed by hand is closed whatever the clock says: it may have been set back, or be another machine's
    if ballot.closed_at is not None or ballot.is_closed(now) or now < ballot.opened_at:
        raise NotNow(
            "This ballot is not open; your vote was not taken.",
            clause=VOTES_BY_NAME,
            mend="Ask the chair whether the question will be put again.",
        )
    if person in recusals:
        raise NotAllowed(
            "You are recused from this question, so no vote of yours is taken.",
            mend="If that is wrong, the chair can record why.",
            clause="B-inquiry",
        )
    if ballot.rule.only_in_meetings:
        _refuse_outside_meeting(person, present, in_session=in_session)


def outstanding(
    ballot: Ballot, votes: Collection[Vote], recusals: Collection[int], present: Collection[int]
) -> frozenset[int]:
    """Give the ids of those present and free to vote who have said nothing yet; it shows no vote."""
    free = (ballot.roster.people & set(present)) - set(recusals)
    return free - set(live_votes(ballot, votes))


def _majority(number: int) -> int:
    return number // 2 + 1


def _outcome(counted: Result, rule: BallotRule, *, sitting: int) -> Outcome:
    """Judge the numbers: first whether the Board could act at all, then the quorum, then the votes."""
    most_for_quorum = sitting if rule.recused_count_for_quorum else counted.able
    fewest_needed = votes_needed(rule, seats=counted.seats, voting_base=1, cast=1)
    if most_for_quorum < counted.quorum or counted.able < fewest_needed:
        return Outcome.BOARD_CANNOT_ACT
    if counted.for_quorum < counted.quorum:
        return Outcome.NO_QUORUM
    if counted.yes == counted.no:
        return Outcome.TIE
    carried = counted.yes > counted.no and counted.yes >= counted.needed
    return Outcome.CARRIED if carried else Outcome.FAILED


def _refuse_strange(ballot: Ballot, vote: Vote) -> None:
    _refuse_stranger(ballot, vote.voter)
    if vote.cast_at < ballot.opened_at or ballot.is_closed(vote.cast_at):
        raise NotNow(
            "A vote is recorded outside the time in which this ballot was open; nothing was counted.",
            clause=VOTES_BY_NAME,
            mend="The chair can void the ballot and open another.",
        )


def _refuse_stranger(ballot: Ballot, person: int) -> None:
    if person not in ballot.roster.people:
        raise NotAllowed(
            "Only those who sit on this ballot vote on it.",
            clause=VOTES_BY_NAME,
            mend="An alternate enters only when the ballot is voided and another one opened.",
        )


def _refuse_outside_meeting(person: int, present: Collection[int], *, in_session: bool) -> None:
    if not in_session:
        raise NotNow(
            "The Board votes only in a recorded meeting, and this ballot's meeting is not in session.",
            clause=OPEN_MEETINGS,
            mend="Vote while the meeting is in session, or put the question on the next agenda.",
        )
    if person not in present:
        raise NotAllowed(
            "The record of the meeting does not have you as present.",
            clause=OPEN_MEETINGS,
            mend="Ask the clerk to record your presence, then vote.",
        )

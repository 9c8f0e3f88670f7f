"""A motion on the Board's own business, carried by those present and recorded by name: minutes, a closed session.

What the Board decides on a case is a ballot (`store.rules.ballots`); this is the rest of what it votes on.

Source: KRS 61.815 (a motion, carried by a majority, before a closed session), 61.835 (minutes show each vote);
12-OMD-067 (by name).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from store.rules import ballots
from store.rules.ballots import BallotRule
from store.rules.counted import counted
from store.rules.errors import BadInput, NotNow
from store.rules.facts import Choice


@dataclass(frozen=True, slots=True)
class Moved:
    """Who moved, and who did not say yes; every other member who is present did.

    Attributes:
        moved_by: who moved; his own vote may be a no.
        seconded_by: who seconded, another one; None where nobody is named.
        against: who said no.
        abstained: who gave no vote, such as for minutes of a meeting that he missed.
    """

    moved_by: int
    seconded_by: int | None = None
    against: Sequence[int] = ()
    abstained: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Floor:
    """Who can move, second and vote now.

    Attributes:
        seats: seats of the Board.
        members: chair and members of the day.
        present: who of them is present.
        rule: the Board's rule, for quorum and votes needed.
    """

    seats: int
    members: tuple[int, ...]
    present: frozenset[int]
    rule: BallotRule

    @property
    def quorum(self) -> int:
        """How many make a quorum."""
        sitting = tuple(map(ballots.Sitting, self.members[: self.seats]))
        return ballots.quorum_number(self.rule, ballots.Roster(self.seats, sitting))

    @property
    def has_quorum(self) -> bool:
        """Whether enough are present."""
        return len(self.present) >= self.quorum

    def lacking(self) -> str:
        """Say that no quorum is present, and what that means."""
        return f"No quorum: {counted(len(self.present), 'member')} present and {self.quorum} needed."


Votes = tuple[tuple[int, Choice], ...]


def votes_on(motion: Moved, floor: Floor) -> Votes:
    """Give every vote on a motion by person, whether it carries or not."""

    def said(person: int) -> Choice:
        if person in motion.against:
            return Choice.NO
        return Choice.ABSTAIN if person in motion.abstained else Choice.YES

    return tuple((person, said(person)) for person in sorted(floor.present))


def carried(motion: Moved, floor: Floor, *, clause: str) -> Votes:
    """Give the votes on a motion that carries.

    Raises:
        BadInput: somebody moved, seconded or voted who is no member present; one person did two of them at once.
        NotNow: no quorum is present, or too few said yes.
    """
    _check_people(motion, floor, clause)
    if not floor.has_quorum:
        raise NotNow(
            f"{floor.lacking()} Nothing can be carried.",
            clause=clause,
            mend="Record who came, or put it to the vote in a meeting that has a quorum.",
        )
    votes = votes_on(motion, floor)
    yes, no = _count(votes, Choice.YES), _count(votes, Choice.NO)
    needed = ballots.votes_needed(
        floor.rule, seats=floor.seats, voting_base=len(floor.present), cast=yes + no
    )
    if yes < needed or yes <= no:
        raise NotNow(
            f"{yes} yes and {no} no do not carry it: {max(needed, no + 1)} are needed.",
            clause=clause,
            mend="It can be moved again.",
        )
    return votes


def _check_people(motion: Moved, floor: Floor, clause: str) -> None:
    named = {motion.moved_by, *motion.against, *motion.abstained}
    named |= {motion.seconded_by} if motion.seconded_by is not None else set()
    if not named <= floor.present:
        raise BadInput(
            "Only members of the Board who are present move, second and vote; nothing was changed.",
            clause=clause,
        )
    if motion.seconded_by == motion.moved_by:
        raise BadInput("Nobody seconds his own motion; nothing was changed.", clause=clause)
    if set(motion.against) & set(motion.abstained):
        raise BadInput("Somebody is said to have voted no and to have abstained.", clause=clause)


def _count(votes: Votes, choice: Choice) -> int:
    return sum(one is choice for _person, one in votes)

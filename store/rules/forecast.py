"""Will there be a quorum? A forecast from the roster, recusals, walls, away dates and answers; counts, no names.

It decides nothing: who was present is recorded in the meeting, and each ballot counts its own quorum.

Source: B3; `store.rules.ballots` for the quorum itself.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from store.rules import ballots
from store.rules.ballots import BallotRule
from store.rules.facts import Coming


class Outlook(StrEnum):
    """How it looks."""

    ENOUGH = "enough have said that they come"
    WITH_ALTERNATES = "enough with the alternates who come"
    OPEN = "it hangs on those who have not answered"
    SHORT = "too few will come"
    CANNOT_ACT = "recusals or vacancies leave no quorum, whoever comes"


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast for a meeting, or for one case on its agenda.

    Attributes:
        seats: seats of the Board.
        vacant: seats that nobody fills.
        out: members who are out of the case.
        coming: members free to sit who said that they come.
        declined: members free to sit who said that they do not come.
        away: members free to sit who have not answered and are away on that day.
        silent: members free to sit who have not answered.
        alternates: alternates who can take a seat and said that they come.
        quorum: how many must count.
        outlook: how it looks.
    """

    seats: int
    vacant: int
    out: int
    coming: int
    declined: int
    away: int
    silent: int
    alternates: int
    quorum: int
    outlook: Outlook

    def text(self) -> str:
        """Say it in one line, without a name."""
        parts = [
            f"{self.coming} come",
            f"{self.declined} do not",
            *([f"{self.away} away"] if self.away else []),
            f"{self.silent} not answered",
            *([f"{self.out} out of the case"] if self.out else []),
            *([f"{self.vacant} vacant"] if self.vacant else []),
            *([f"{self.alternates} alternates come"] if self.alternates else []),
        ]
        return f"Quorum {self.quorum} of {self.seats}: {', '.join(parts)}. {self.outlook.value.capitalize()}."


@dataclass(frozen=True, slots=True)
class Bench:
    """Who sits on the Board on the day of the meeting.

    Attributes:
        seats: seats of the Board.
        members: chair and members.
        alternates: alternates of the roster.
        away: who is away on that day.
    """

    seats: int
    members: tuple[int, ...]
    alternates: tuple[int, ...] = ()
    away: frozenset[int] = frozenset()


def forecast(
    rule: BallotRule, bench: Bench, answers: Mapping[int, Coming], *, out: Collection[int] = ()
) -> Forecast:
    """Reckon whether a quorum is to be expected.

    Args:
        rule: the Board's rule.
        bench: who sits on that day.
        answers: what each person answered.
        out: persons who are out of the case; nobody for the meeting as a whole.

    Returns:
        The forecast. An answer outweighs an away date: who says that he comes, comes.
    """
    members = bench.members[: bench.seats]
    sitting = ballots.Roster(bench.seats, tuple(ballots.Sitting(one) for one in members))
    quorum = ballots.quorum_number(rule, sitting)
    counting = set(members) if rule.recused_count_for_quorum else set(members) - set(out)
    coming = {one for one in counting if answers.get(one) in {Coming.IN_PERSON, Coming.BY_VIDEO}}
    declined = {one for one in counting if answers.get(one) is Coming.NO}
    away = (counting & bench.away) - coming - declined
    silent = counting - coming - declined - away
    free = set(bench.alternates) - set(out) - set(members) if rule.alternates else set()
    helping = {one for one in free if answers.get(one) in {Coming.IN_PERSON, Coming.BY_VIDEO}}
    found = Forecast(
        bench.seats,
        bench.seats - len(members),
        len(set(members) & set(out)),
        len(coming),
        len(declined),
        len(away),
        len(silent),
        len(helping),
        quorum,
        Outlook.SHORT,
    )
    # an alternate takes the seat of a member who is out or absent, never a vacant one
    seats_to_take = len(members) - len(coming)
    return _judged(found, able=len(counting), help_=min(len(helping), seats_to_take), free=len(free))


def _judged(found: Forecast, *, able: int, help_: int, free: int) -> Forecast:
    """Judge the numbers, the surest outlook first."""
    outlook = Outlook.SHORT
    if able + free < found.quorum:
        outlook = Outlook.CANNOT_ACT
    elif found.coming >= found.quorum:
        outlook = Outlook.ENOUGH
    elif found.coming + help_ >= found.quorum:
        outlook = Outlook.WITH_ALTERNATES
    elif found.coming + found.silent + help_ >= found.quorum:
        outlook = Outlook.OPEN
    return replace(found, outlook=outlook)

"""What stands still when a role of the roster has nobody in it, and the way on (B1).

Nobody can be kept from leaving: a term ends, a chair resigns or dies. So it is recorded, and said.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from store.rules import ballots
from store.rules.ballots import BallotRule
from store.rules.counted import counted
from store.rules.facts import Role
from store.rules.roster import Roster

_STANDS_STILL: Final[Mapping[Role, str]] = {
    Role.CLERK: "Nobody else looks at held mail, decides on the form, names parties or serves letters, and the dates run on",
    Role.CHAIR: "Nobody else voids a ballot or lets a vote go before a respondent's time; a member may preside in a meeting, and the dates run on",
    Role.CITY_MANAGER: "Complaints are referred by the clerk meanwhile",
    Role.COUNSEL: "Counsel's approvals wait",
    Role.IT: "Nobody rotates the keys; the clerk takes backups",
}
_SITTING: Final = frozenset({Role.CHAIR, Role.MEMBER})


def nobody_from(people: Roster, role: Role, day: date) -> date | None:
    """Give the first day, from a day on, on which nobody holds a role; None where somebody always does."""
    ends = {
        until + timedelta(days=1)
        for member in people.members.values()
        for held, _since, until in member.terms
        if held is role and until is not None and until >= day
    }
    return next((one for one in sorted({day} | ends) if not people.with_role(role, one)), None)


def told_of_leaving(
    people: Roster, role: Role, day: date, *, seats: int, rule: BallotRule
) -> tuple[str, ...]:
    """Say what stands still from the day on which somebody left a role, and what to do.

    Args:
        people: the roster as it stands without him.
        role: the role that was left.
        day: from when on.
        seats: seats of the Board.
        rule: the Board's rule, for its quorum.

    Returns:
        Sentences; none where others hold the role and the Board can act.
    """
    return (*_empty(people, role, day), *(_short(people, day, seats, rule) if role in _SITTING else ()))


def _empty(people: Roster, role: Role, day: date) -> tuple[str, ...]:
    if people.with_role(role, day) or role not in _STANDS_STILL:
        return ()
    return (in_words(people, role, day),)


def in_words(people: Roster, role: Role, day: date) -> str:
    """Say that nobody holds a role from a day on, what stands still by it, and the way on."""
    named = {Role.CITY_MANAGER: "City Manager", Role.IT: "IT"}.get(role, role.value)
    if any(people.with_role(one, day) for one in (Role.CLERK, Role.CHAIR)):
        way_on = f"Give somebody the role: Roster in Slack, or docket roster take PERSON {role.value}."
    else:
        way_on = (
            "Neither is there then, so whoever runs Docket gives somebody the role: docket roster load FILE."
        )
    return f"Nobody is {named} from {day} on. {_STANDS_STILL[role]}. {way_on}"


def _short(people: Roster, day: date, seats: int, rule: BallotRule) -> tuple[str, ...]:
    sitting = people.voting(day)[:seats]
    quorum = ballots.quorum_number(rule, ballots.Roster(seats, tuple(map(ballots.Sitting, sitting))))
    if len(sitting) >= quorum:
        return ()
    filled = f"{counted(len(sitting), 'seat')} of {seats} {'is' if len(sitting) == 1 else 'are'} filled from {day} on"
    acts = "the Board cannot act until a seat is filled, and the dates run on"
    return (f"{filled} and {quorum} make a quorum: {acts}.",)

"""What the lists say of a case: its line of the docket, worked out from the case and its steps.

Nothing in it depends on the day: what is due soon or overdue is told from its dates when the list is read.
It holds no name and no content, only internal ids of roster persons.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from store.rules.casefile import CaseFile, LetterState
from store.rules.duties import Step
from store.rules.ordinance import Profile
from store.rules.stages import Aside, Stage, asides, stage, waits_for_form, waits_to_be_screened

FAILED = frozenset({LetterState.BOUNCED, LetterState.REFUSED, LetterState.UNCERTAIN})
"""Letters that a person must look after: they came back, or nobody knows whether they went."""
NO_DAY = date.max


class How(StrEnum):
    """How a case stands to a roster person, as far as his rights and his own list hang on it."""

    WALLED = "walled"
    RECUSED = "recused"
    SEATED = "seated"
    CLEARED = "cleared"
    TO_VOTE = "to-vote"


@dataclass(frozen=True, slots=True)
class Line:
    """A case's line.

    Attributes:
        stage: where the case stands.
        asides: what else is true of it.
        screened: its complaint was searched, or a cleared person said who is named.
        final: its last track is final.
        working: some step is open.
        next_on: the first day by which an open step is to be done; `NO_DAY` where none has a day.
        to_refer: it waits for the City Manager's referral; never without an open step.
        to_screen: somebody cleared must say who is named, in its complaint or in a later paper.
        to_check_form: its form must be decided, for the first time or anew.
        failed_letters: how many letters came back or may not have gone out; none counts without an open step.
        standing: (roster person, how the case stands to him).
    """

    stage: Stage
    asides: tuple[Aside, ...]
    screened: bool
    final: bool
    working: bool
    next_on: date
    to_refer: bool
    to_screen: bool
    to_check_form: bool
    failed_letters: int
    standing: frozenset[tuple[int, How]]


def line_of(case: CaseFile, profile: Profile, steps: Iterable[Step]) -> Line:
    """Work out a case's line.

    Args:
        case: the case.
        profile: the ordinance it is pinned to.
        steps: its steps.
    """
    still_open = [one for one in steps if one.is_open]
    return Line(
        stage(case),
        asides(case),
        screened=case.screened,
        final=case.final,
        working=bool(still_open),
        next_on=min((one.act_by for one in still_open if one.act_by), default=NO_DAY),
        to_refer=bool(still_open) and profile.has_referral and case.referred is None,
        to_screen=waits_to_be_screened(case),
        to_check_form=waits_for_form(case),
        failed_letters=sum(one.state in FAILED for one in case.letters) if still_open else 0,
        standing=frozenset(_standing(case, working=bool(still_open))),
    )


def _standing(case: CaseFile, *, working: bool) -> Iterator[tuple[int, How]]:
    for how, persons in (
        (How.WALLED, case.walled_off),
        (How.RECUSED, case.recused),
        (How.CLEARED, case.cleared_instead),
    ):
        yield from ((person, how) for person in persons)
    for ballot in case.ballots:
        if ballot.voided is None:
            yield from ((person, How.SEATED) for person in ballot.opened.roster)
        if ballot.is_open and working:
            voted = {vote.fact.person for vote in ballot.votes}
            yield from ((person, How.TO_VOTE) for person in ballot.opened.roster if person not in voted)

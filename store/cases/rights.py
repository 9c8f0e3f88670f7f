"""Who asks, and how a case stands to him: the questions that the access table needs answered."""

from dataclasses import replace
from datetime import date

from store.cases.record import Actor
from store.rules.access import Situation, Standing, Via
from store.rules.casefile import CaseFile
from store.rules.facts import (
    Role,
)
from store.rules.roster import Roster


def standing_of(actor: Actor, people: Roster, today: date) -> Standing:
    """Look up who asks, now."""
    if actor.via is Via.MACHINE:
        return Standing(machine=True)
    acts_as = actor.acting_for if actor.acting_for is not None else actor.person
    deputy_ok = actor.acting_for is None or (
        actor.person is not None and people.may_act_for(actor.person, actor.acting_for, today)
    )
    presides = actor.acting_for is None and people.presides(actor.person, today)
    return Standing(people.roles(acts_as, today), False, actor.membership, deputy_ok, presides)


def situation_of(actor: Actor, case: CaseFile, standing: Standing) -> Situation:
    """Say how the case stands to who asks; the deputy is walled off for himself and for whom he acts."""
    acts_as = actor.acting_for if actor.acting_for is not None else actor.person
    persons = {person for person in (actor.person, actor.acting_for) if person is not None}
    return Situation(
        screened=case.screened,
        walled=any(case.walled(person) for person in persons),
        recused=bool(persons & case.recused),
        final=case.final,
        seated=any(
            person in ballot.opened.roster
            for person in persons
            for ballot in case.ballots
            if ballot.voided is None
        ),
        intake_cleared=Role.CLERK in standing.roles or acts_as in case.cleared_instead,
    )


def about_paper(situation: Situation, case: CaseFile, document: int) -> Situation:
    """Say how one paper of a case stands to who asks: it may be unread where the case is not."""
    return replace(situation, paper_screened=document not in case.unscreened_papers)

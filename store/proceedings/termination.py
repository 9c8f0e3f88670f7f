"""Termination: the written decision goes to the complainant and the respondent, one by one (clause D)."""

from store.cases import Act, Actor, Docket, act
from store.letters.decision_of_termination import DecisionOfTermination, Ground, Reader
from store.letters.letter import Letter
from store.proceedings import writing
from store.proceedings.screening import refresh_cards
from store.proceedings.service import Copy, send_to
from store.rules.access import Deed
from store.rules.casefile import Party, sufficient
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Determined, PartyRole


def send_decision(docket: Docket, actor: Actor, number: str, track: int) -> tuple[int, ...]:
    """Write the decision on one respondent to him, to every complainant, and to counsel of each.

    Whom it reached before is left out, so that this can be done again after a bounce.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        track: the respondent whose track was terminated.

    Returns:
        The letters' ids. They wait some minutes and can be taken back (L2).

    Raises:
        BadInput: the track is no respondent.
        NotNow: the Board has not determined on it, or found a sufficient basis.
        AlreadyDone: each party has the decision, or it is on its way.
    """
    with act(docket, actor, Deed.SEND_DECISION, number=number) as step:
        party = next((one for one in step.case.respondents if one.id == track), None)
        if party is None:
            raise BadInput("A decision is about one respondent of the case; nothing was changed.")
        determined = _adverse(step, track)

        def write(copy: Copy) -> Letter:
            return _decision(step, copy, party, determined)

        letters: list[int] = []
        for one in (*step.case.complainants, party):
            letters += send_to(step, one, write, track=track)
        if not letters:
            raise AlreadyDone("Each party has the decision, or it is on its way.", clause="D-terminate")
        refresh_cards(step)
        return tuple(letters)


def _adverse(step: Act, track: int) -> Determined:
    found = step.case.standing_determination(track)
    if found is None or sufficient(found.fact):
        raise NotNow(
            "The Board has not ended the inquiry against this respondent.",
            clause="D-terminate",
            mend="A decision of termination follows an adverse determination only.",
        )
    return found.fact


def ground(determined: Determined) -> Ground:
    """Give why the inquiry ends, in the order of clause (D)."""
    if not determined.within_jurisdiction:
        return Ground.OUTSIDE_JURISDICTION
    return Ground.FRIVOLOUS if determined.frivolous else Ground.WITHOUT_FACTUAL_BASIS


def vote_line(step: Act, determined: Determined) -> str:
    """Give the arithmetic of the deciding ballot in one line, without names."""
    views = [step.case.ballot(one) for one in determined.ballots]
    closed = [view.closed for view in views if view is not None and view.closed is not None]
    if not closed:
        return ""
    last = closed[-1]
    return f"{last.yes} yes, {last.no} no, {last.abstain} abstained"


def _decision(step: Act, copy: Copy, party: Party, determined: Determined) -> DecisionOfTermination:
    profile = step.profile
    theirs = copy.of.role is PartyRole.COMPLAINANT
    return DecisionOfTermination(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(profile),
        addressee=writing.addressee(copy.party, copy.of),
        dated=step.today,
        case_number=step.case.number,
        reader=Reader.COMPLAINANT if theirs else Reader.RESPONDENT,
        decided_on=local_date(determined.at, profile.city.time_zone),
        ground=ground(determined),
        conclusion=determined.findings,
        officers=(party.named.name,),
        vote=vote_line(step, determined),
        to_counsel=copy.to_counsel,
        of_several=len(step.case.respondents) > 1,
    )

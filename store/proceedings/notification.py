"""Notification: the respondent learns that a minimal factual basis was found (clause E)(1)."""

from store.cases import Act, Actor, Docket, act
from store.letters.letter import Letter
from store.letters.notification import Course, Notification
from store.proceedings import writing
from store.proceedings.screening import refresh_cards
from store.proceedings.service import Copy, send_to
from store.proceedings.termination import vote_line
from store.rules.access import Deed
from store.rules.casefile import sufficient
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Determined


def send_notification(docket: Docket, actor: Actor, number: str, track: int) -> tuple[int, ...]:
    """Write the notification to one respondent and to counsel of record.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        track: the respondent.

    Returns:
        The letters' ids. They wait some minutes and can be taken back (L2).

    Raises:
        BadInput: the track is no respondent.
        NotNow: no sufficient basis was determined for it.
        AlreadyDone: it was sent, or is on its way.
    """
    with act(docket, actor, Deed.SEND_DECISION, number=number) as step:
        party = next((one for one in step.case.respondents if one.id == track), None)
        if party is None:
            raise BadInput("A notification goes to a respondent of the case; nothing was changed.")
        found = step.case.standing_determination(track)
        if found is None or not sufficient(found.fact):
            raise NotNow(
                "The Board has not found a sufficient basis for this respondent.",
                clause="E1-notify",
                mend="Record the determination first.",
            )
        determined = found.fact

        def write(copy: Copy) -> Letter:
            return _notification(step, copy, determined)

        letters = send_to(step, party, write, track=track)
        if not letters:
            raise AlreadyDone("The notification was sent, or is on its way.", clause="E1-notify")
        refresh_cards(step)
        return letters


def _notification(step: Act, copy: Copy, determined: Determined) -> Notification:
    return Notification(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=writing.addressee(copy.party, copy.of),
        dated=step.today,
        case_number=step.case.number,
        decided_on=local_date(determined.at, step.profile.city.time_zone),
        finding=determined.findings,
        course=_course(step, copy.of.id),
        vote=vote_line(step, determined),
        to_counsel=copy.to_counsel,
    )


def _course(step: Act, track: int) -> Course:
    disposed = step.case.disposed(track)
    if disposed is None:
        return Course.UNDECIDED
    match disposed.fact.reprimand, disposed.fact.hearing:
        case True, True:
            return Course.BOTH
        case True, False:
            return Course.REPRIMAND
        case False, True:
            return Course.HEARING
        case _:
            return Course.NO_FURTHER_ACTION

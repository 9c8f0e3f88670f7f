"""More time to answer: asked for by a respondent, granted or refused with a reason (clause B).

It moves the day until which the Board lets him answer, and no period of the ordinance: those stand beside it.
"""

from datetime import date, datetime

from store.cases import Act, Actor, Docket, Look, act
from store.proceedings.ballot import tell_clerk_and_chair
from store.proceedings.days import since_complaint
from store.proceedings.offices import respondent as respondent_of
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import TimeAsked
from store.rules.duties import Step
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import AnswerTimeAsked, AnswerTimeGiven, AnswerTimeRuled, Role
from store.rules.ordinance import Starts

CLAUSE = "B-respond"


def ask_for_time(
    docket: Docket,
    actor: Actor,
    number: str,
    respondent: int,
    *,
    until: date,
    received_at: datetime,
    words: str = "",
) -> int:
    """Record that a respondent asked for more time to answer; nothing moves by it.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        respondent: id of the respondent.
        until: the day that he asked for.
        received_at: when the request was received, aware.
        words: why, and how it came.

    Returns:
        The request's id.

    Raises:
        BadInput: no such respondent, an instant that lies ahead, or a day no later than what he has.
        AlreadyDone: a request of his waits for an answer.
        NotNow: he answered already.
    """
    with act(docket, actor, Deed.RECORD_RESPONSE, number=number) as step:
        party = respondent_of(step, respondent)
        at = since_complaint(step, received_at)
        if step.case.responded(party.id):
            raise NotNow(
                "This respondent has answered.",
                clause=CLAUSE,
                mend="Record what else came as a further paper.",
            )
        if any(one.ruled is None for one in step.case.asked_for_time(party.id)):
            raise AlreadyDone(
                "A request of this respondent waits for an answer.", clause=CLAUSE, mend="Rule on it first."
            )
        _check_later(step, party.id, until)
        key = step.record(AnswerTimeAsked(until, at, words.strip()), about=party.id)
        tell_clerk_and_chair(step, {"what": "time-asked"})
        refresh_cards(step)
        return key


def rule_on_time(
    docket: Docket,
    actor: Actor,
    number: str,
    request: int,
    *,
    granted: bool,
    reason: str,
    until: date | None = None,
    ruled_by: int | None = None,
) -> date | None:
    """Record that a request for more time was granted or refused.

    Args:
        docket: the record.
        actor: the chair, or the clerk who records the ruling.
        number: the case's number.
        request: the request's id.
        granted: whether he has more time.
        reason: why.
        until: until when; the day that was asked for if None.
        ruled_by: who ruled; the chair himself if None.

    Returns:
        The day until which he may answer; None where it was refused.

    Raises:
        BadInput: no such request, no reason, a day no later than what he has, or nobody who may rule.
        AlreadyDone: it was ruled on.
    """
    with act(docket, actor, Deed.RULE_ON_TIME, number=number) as step:
        asked = _request(step, request)
        if not reason.strip():
            raise BadInput(
                "More time is granted or refused with a reason only.", mend="Say why.", clause=CLAUSE
            )
        day = (until or asked.asked.until) if granted else None
        if day is not None:
            _check_later(step, asked.respondent, day)
        fact = AnswerTimeRuled(granted, step.now, who_ruled(step, ruled_by), reason.strip(), day)
        step.record(fact, about=asked.id)
        if day is not None:
            step.record(AnswerTimeGiven(day, reason.strip()), about=asked.respondent)
        tell_clerk_and_chair(step, {"what": "time-ruled"})
        refresh_cards(step)
        return day


def who_ruled(step: Act, ruled_by: int | None) -> int:
    """Give who ruled: the one who is named, else the chair who acts.

    Raises:
        BadInput: nobody is named and who acts is not of the Board, or who is named is not.
    """
    of_the_board = frozenset({Role.CHAIR, Role.MEMBER, Role.ALTERNATE})
    person = ruled_by if ruled_by is not None else (step.actor.acting_for or step.actor.person)
    if person is None or not step.people.roles(person, step.today) & of_the_board:
        raise BadInput(
            "A ruling is recorded with who of the Board made it.", mend="Say who ruled.", clause=CLAUSE
        )
    if person in step.case.recused | step.case.walled_off:
        raise BadInput("Who is out of the case rules on nothing in it; nothing was changed.", clause=CLAUSE)
    return person


def _request(step: Act, request: int) -> TimeAsked:
    found = next((one for one in step.case.asked_for_time() if one.id == request), None)
    if found is None:
        raise BadInput(
            "There is no such request for more time in this case; nothing was changed.", clause=CLAUSE
        )
    if found.ruled is not None:
        raise AlreadyDone("This request was ruled on.", clause=CLAUSE)
    return found


def _check_later(step: Act, respondent: int, until: date) -> None:
    before = step.case.answer_until(respondent)
    if until < step.today or (before is not None and until <= before):
        raise BadInput(
            "The day is no later than what this respondent has; nothing was changed.", clause=CLAUSE
        )


def inquiry_step(seen: Look) -> Step | None:
    """Give the inquiry's own period, to be shown beside any extension: it runs on all the same (B)."""
    return next(
        (one for one in seen.steps if one.duty.starts_at is Starts.PROPER_RECEIPT and one.dates), None
    )

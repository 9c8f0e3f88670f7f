"""Response: a respondent answers, uses more time, or lets the chance pass (clause B)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from store.cases import Act, Actor, Docket, act
from store.proceedings.days import instant_on, since_complaint
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import Party
from store.rules.dates import local_date
from store.rules.duties import NOTICE, Step, StepState, steps
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import AnswerTimeGiven, ChanceNotUsed, PaperReceived, ReceiptEvidence
from store.rules.ordinance import Fulfilled

RESPONSE = "response"


@dataclass(frozen=True, slots=True)
class File:
    """A paper handed in: its bytes, name and media type."""

    content: bytes = field(repr=False)
    name: str = field(repr=False)
    media_type: str


def record_response(
    docket: Docket,
    actor: Actor,
    number: str,
    respondent: int,
    *,
    received_at: datetime,
    words: str = "",
    files: Sequence[File] = (),
) -> int:
    """Record by hand that a respondent answered: on paper, in person, or heard in a meeting.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        respondent: id of the respondent.
        received_at: when it was received, aware.
        words: what it is and how it came.
        files: the papers.

    Returns:
        The id of the response.

    Raises:
        BadInput: no such respondent, an instant that lies ahead, or neither words nor papers.
        AlreadyDone: the same words are on the record for that day.
    """
    with act(docket, actor, Deed.RECORD_RESPONSE, number=number) as step:
        party = _respondent(step, respondent)
        at = since_complaint(step, received_at)
        if not words.strip() and not files:
            raise BadInput("A response is recorded with its papers, or with words on what it was.")
        if not files and _is_recorded(step, party, at, words.strip()):
            raise AlreadyDone("This answer is on the record.", clause="B-respond")
        documents = tuple(
            step.keep(one.content, kind=RESPONSE, media_type=one.media_type, name=one.name, received_at=at)
            for one in files
        )
        fact = step.record(
            PaperReceived(
                at,
                RESPONSE,
                documents,
                from_party=party.id,
                evidence=ReceiptEvidence(words="recorded by staff"),
                words=words.strip(),
            )
        )
        refresh_cards(step)
        return fact


def _is_recorded(step: Act, party: Party, at: datetime, words: str) -> bool:
    """Say whether the same words of the same respondent are recorded for the same day: two people at one counter."""
    zone = step.profile.city.time_zone
    return any(
        one.fact.what == RESPONSE
        and one.fact.from_party == party.id
        and one.fact.words == words
        and local_date(one.fact.received_at, zone) == local_date(at, zone)
        for one in step.case.all(PaperReceived)
    )


def record_chance_not_used(
    docket: Docket, actor: Actor, number: str, respondent: int, *, on: date, words: str = ""
) -> None:
    """Record that a respondent had the chance to answer and did not use it.

    Raises:
        BadInput: no such respondent, or a day that lies ahead.
        AlreadyDone: he answered, or it was recorded before.
        NotNow: the notice was not served on him or only later, his time is not over, he asked for more, or he was heard.
    """
    with act(docket, actor, Deed.RECORD_RESPONSE, number=number) as step:
        party = _respondent(step, respondent)
        if step.case.chance_over(party.id):
            raise AlreadyDone("This respondent answered, or it was recorded before.", clause="B-respond")
        if step.case.appeared(party.id):
            raise NotNow(
                "This respondent appeared and was heard, which is no silence.",
                clause="B-respond",
                mend="Record what he said as his answer.",
            )
        if any(one.ruled is None for one in step.case.asked_for_time(party.id)):
            raise NotNow(
                "A request of this respondent for more time waits for an answer.",
                clause="B-respond",
                mend="Rule on it first.",
            )
        if not step.case.served(NOTICE, party.id):
            raise NotNow(
                "The notice was not served on this respondent, who had no chance yet.",
                clause="B-respond",
                mend="Serve the notice first.",
            )
        if not time_is_over(step, party.id):
            raise NotNow(
                "The time to answer is not over.", clause="B-respond", mend="Wait for its last day to pass."
            )
        if on < _served_on(step, party.id):
            raise NotNow(
                "That is before the notice was served; nothing was changed.",
                clause="B-respond",
                mend="Give the day on which the time to answer was over, or a later one.",
            )
        unused = ChanceNotUsed(on, words.strip(), instant_on(step, on))
        if on <= (last := _last_day(step, party.id)):
            raise NotNow(
                f"The time to answer ran until the end of {last}; a chance is unused after that.",
                clause="B-respond",
                mend="Give a later day.",
            )
        step.record(unused, about=party.id)
        refresh_cards(step)


def _served_on(step: Act, party: int) -> date:
    """Give the day on which the notice was first served on a respondent who has it."""
    at = step.case.served_at(NOTICE, party)
    return local_date(at, step.profile.city.time_zone) if at is not None else step.today


def extend_time(
    docket: Docket, actor: Actor, number: str, respondent: int, *, until: date, reason: str
) -> None:
    """Record that a respondent has more time to answer; no period of the ordinance moves by it.

    Raises:
        BadInput: no such respondent, no reason, or a day that is no later.
    """
    with act(docket, actor, Deed.RECORD_RESPONSE, number=number) as step:
        party = _respondent(step, respondent)
        if not reason.strip():
            raise BadInput("More time is given with a reason only.", mend="Say why.")
        before = step.case.answer_until(party.id)
        if until < step.today or (before is not None and until <= before):
            raise BadInput("The new day is no later than what he has; nothing was changed.")
        step.record(AnswerTimeGiven(until, reason.strip()), about=party.id)
        refresh_cards(step)


def time_is_over(step: Act, respondent: int) -> bool:
    """Say whether a respondent's time to answer has passed: the ordinance's, and what the Board gave (B)."""
    until = step.case.answer_until(respondent)
    if until is not None and step.today <= until:
        return False
    over = {StepState.DONE, StepState.LAPSED, StepState.MOOT}
    return all(one.state in over for one in _rights(step, respondent))


def _rights(step: Act, respondent: int) -> list[Step]:
    every = steps(step.case, step.profile, step.calendar, step.today)
    return [one for one in every if Fulfilled.RESPONDED in one.duty.done_by and one.party == respondent]


def _last_day(step: Act, respondent: int) -> date:
    """Give the last day of a respondent's time to answer, whatever gave it; the service's where nothing did."""
    days = [step.case.answer_until(respondent), *(one.overdue_after for one in _rights(step, respondent))]
    return max((day for day in days if day is not None), default=date.min)


def had_chance(step: Act, respondent: int) -> bool:
    """Say whether a respondent was served and answered, or had the time to (decisions 11)."""
    case = step.case
    return case.served(NOTICE, respondent) and (
        case.chance_over(respondent) or time_is_over(step, respondent)
    )


def _respondent(step: Act, respondent: int) -> Party:
    party = next((one for one in step.case.respondents if one.id == respondent), None)
    if party is None:
        raise BadInput("Only a respondent of the case answers.", mend="Name the respondent first.")
    return party

"""Demand for a public hearing: recorded whenever it comes, passed to the City Commission, its result noted (E)(2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import assert_never

from store.cases import Act, Actor, Docket, Look, act
from store.letters.demand_cover import DemandCover, ReceiptOfReprimand
from store.letters.letter import Addressee, Document, DueDate
from store.proceedings import writing
from store.proceedings.ballot import tell_clerk_and_chair
from store.proceedings.days import instant_on, since_complaint
from store.proceedings.offices import chosen_papers, in_words, listed, respondent, write_to
from store.proceedings.response import File
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import OF_THE_COMMISSION, CaseFile, Party
from store.rules.dates import Dates, local_date
from store.rules.duties import OFFICER, Step, steps
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import DemandRecorded, HearingDecided
from store.rules.ordinance import Fulfilled, Office

CLAUSE = "E2-demand"
KIND = "demand"


class Timeliness(StrEnum):
    """How a demand stands to its five days; the Commission judges it, not Docket."""

    TIMELY = "timely"
    ARGUABLE = "after the expected last day, within the latest arguable one"
    LATE = "late, marked for the Commission"
    NOT_RUNNING = "before any receipt of the reprimand is on the record"


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand as it was recorded.

    Attributes:
        id: the demand's id.
        timeliness: how it stands to its time.
        letter: id of the letter that passes it to the Commission.
    """

    id: int
    timeliness: Timeliness
    letter: int


def record_demand(
    docket: Docket,
    actor: Actor,
    number: str,
    track: int,
    *,
    received_at: datetime,
    words: str = "",
    files: Sequence[File] = (),
    documents: Sequence[int] = (),
) -> Demand:
    """Record an officer's demand and pass it to the Commission. It is never refused for being late.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        track: the respondent.
        received_at: when it was received, aware.
        words: what it says and how it came.
        files: its papers, where they are handed in now.
        documents: ids of papers of the case that are the demand, such as those that came by mail.

    Raises:
        BadInput: no such respondent or paper, an instant that lies ahead, or neither words nor papers.
        NotNow: the Board decided no reprimand for this respondent.
        AlreadyDone: his demand is on the record.

    Source: clause (E)(2); law.md, time (a late demand is recorded and marked).
    """
    with act(docket, actor, Deed.RECORD_DEMAND, number=number) as step:
        party = respondent(step, track)
        at = since_complaint(step, received_at)
        _check(step, track, words, given=bool(files or documents))
        chosen = {one.id: one for one in chosen_papers(step, documents, clause=CLAUSE)}
        kept = [
            step.keep(one.content, kind=KIND, media_type=one.media_type, name=one.name, received_at=at)
            for one in files
        ]
        fact = DemandRecorded(at, words.strip(), (*chosen, *kept))
        key = step.record(fact, about=track)
        standing = _timeliness(step.case, _step_of(step, track), at)
        letter = _pass_on(step, party, fact, standing)
        step.note["timeliness"] = standing.value
        tell_clerk_and_chair(step, {"what": "demand", "track": track})
        refresh_cards(step)
        return Demand(key, standing, letter)


def _check(step: Act, track: int, words: str, *, given: bool) -> None:
    disposed = step.case.standing_disposition(track)
    if disposed is None or not disposed.fact.reprimand:
        raise NotNow(
            "The Board has decided no reprimand for this respondent, so there is nothing to demand a hearing on.",
            clause=CLAUSE,
            mend="File the paper in the case as it is.",
        )
    if step.case.demand(track) is not None:
        raise AlreadyDone("The demand of this respondent is on the record.", clause=CLAUSE)
    if not words.strip() and not given:
        raise BadInput("A demand is recorded with its papers, or with words on what it says and how it came.")


def timeliness(look: Look, track: int) -> Timeliness | None:
    """Say how the demand on the record stands to its time, by the receipts as they stand now; None without one."""
    demand = look.case.demand(track)
    if demand is None:
        return None
    return _timeliness(look.case, _find(look.steps, track), demand.fact.received_at)


def _step_of(step: Act, track: int) -> Step | None:
    return _find(steps(step.case, step.profile, step.calendar, step.today), track)


def _find(every: Sequence[Step], track: int) -> Step | None:
    found = (one for one in every if Fulfilled.DEMAND_RECORDED in one.duty.done_by)
    return next((one for one in found if one.party == track), None)


def _timeliness(case: CaseFile, owed: Step | None, at: datetime) -> Timeliness:
    dates = owed.dates if owed else None
    if dates is None or not case.reprimand_received(owed.party or 0 if owed else 0):
        return Timeliness.NOT_RUNNING
    if at < dates.period_ends_before:
        return Timeliness.TIMELY
    if dates.keep_open_until is not None and local_date(at, dates.zone) <= dates.keep_open_until:
        return Timeliness.ARGUABLE
    return Timeliness.LATE


def _sentence(standing: Timeliness) -> str:
    match standing:
        case Timeliness.TIMELY:
            return "The demand came in time."
        case Timeliness.ARGUABLE:
            return (
                "The demand came after the last day as usually counted, and within the latest arguable one."
            )
        case Timeliness.LATE:
            return "The demand came after the time had passed, and is marked as late."
        case Timeliness.NOT_RUNNING:
            return (
                "The demand came before any receipt of the reprimand was on the record, so no time had run."
            )
        case _:
            assert_never(standing)


def _pass_on(step: Act, party: Party, fact: DemandRecorded, standing: Timeliness) -> int:
    enclosed = listed(step, chosen_papers(step, fact.documents, clause=CLAUSE))
    owed = _step_of(step, party.id)
    running = standing is not Timeliness.NOT_RUNNING

    def make(to: Addressee) -> DemandCover:
        return _cover(step, to, party, fact, standing, enclosed, owed.dates if owed and running else None)

    return write_to(step, Office.COMMISSION, make, enclosures=fact.documents, track=party.id)


def _cover(  # noqa: PLR0917  one value each of the letter
    step: Act,
    to: Addressee,
    party: Party,
    fact: DemandRecorded,
    standing: Timeliness,
    enclosed: tuple[Document, ...],
    dates: Dates | None,
) -> DemandCover:
    zone = step.profile.city.time_zone
    return DemandCover(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=to,
        dated=step.today,
        case_number=step.case.number,
        enclosures=tuple(in_words(one) for one in enclosed),
        officer=party.named.name,
        demanded_at=writing.local(fact.received_at, zone),
        receipts=tuple(
            ReceiptOfReprimand(_whose(one.fact.by), local_date(one.fact.at, zone))
            for one in step.case.reprimand_received(party.id)
        ),
        open_until=_open_until(step, dates),
        standing=_sentence(standing),
        words=fact.words,
        documents=enclosed,
    )


def _whose(by: str) -> str:
    return "the officer" if by == OFFICER else "the Commission"


def _open_until(step: Act, dates: Dates | None) -> DueDate | None:
    if dates is None:
        return None
    last = dates.keep_open_until or dates.expected_last_day
    return DueDate(last, step.profile.clause(CLAUSE).citation, dates.provisional)


def record_commission_result(
    docket: Docket, actor: Actor, number: str, track: int, *, on: date, result: str
) -> int:
    """Record the result of the Commission's public hearing; no machine judges it (decisions 10).

    Raises:
        BadInput: no such respondent, no words, or a day that lies ahead.
        NotNow: no demand is on the record, or the day lies before it.
        AlreadyDone: the result is on the record.
    """
    with act(docket, actor, Deed.RECORD_DEMAND, number=number) as step:
        respondent(step, track)
        demand = step.case.demand(track)
        if demand is None:
            raise NotNow("No demand is on the record.", clause=CLAUSE, mend="Record the demand first.")
        if step.case.decided(track, OF_THE_COMMISSION) is not None:
            raise AlreadyDone("The result of the Commission's hearing is on the record.", clause=CLAUSE)
        if not result.strip():
            raise BadInput("A result is recorded in words.", clause=CLAUSE, mend="Say what was decided.")
        if on < local_date(demand.fact.received_at, step.profile.city.time_zone):
            raise NotNow("The hearing cannot lie before the demand.", clause=CLAUSE, mend="Check the day.")
        fact = HearingDecided(instant_on(step, on), OF_THE_COMMISSION, result.strip())
        key = step.record(fact, about=track)
        refresh_cards(step)
        return key

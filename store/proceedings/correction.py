"""Correction: a receipt that was wrong, a complaint withdrawn or amended, a case reopened.

Nothing is overwritten: each is a further fact with its reason; dates are reckoned anew and old letters stay.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import assert_never

from store.cases import Act, Actor, Docket, act, entitled
from store.cases import Look as _Look
from store.ports import PingKind
from store.proceedings.ballot import recount_without, tell_clerk_and_chair, warn_if_board_cannot_act
from store.proceedings.days import past_instant, since_complaint
from store.proceedings.evidence_referral import check_received
from store.proceedings.merger import bring_back, coming_back, leave_joined, seen
from store.proceedings.receipt import is_received_so
from store.proceedings.reprimand import Receiver, check_issued
from store.proceedings.response import File
from store.proceedings.screening import refresh_cards
from store.proceedings.service import check_written
from store.rules import texts
from store.rules.access import BOARD_BUSINESS, Deed, Standing
from store.rules.casefile import AMENDMENT, CaseFile
from store.rules.counted import counted
from store.rules.dates import local_date
from store.rules.duties import steps
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import (
    Basis,
    ComplaintReceived,
    ConflictFound,
    DatesMoved,
    DemandRecorded,
    EvidenceTurnedOver,
    LetterSettled,
    OfficeReceived,
    PaperReceived,
    ReceiptEvidence,
    Recorded,
    Reopened,
    ReprimandReceived,
    Screened,
    Served,
    Withdrawn,
)
from store.rules.timeline import recorded_as

CLAUSE = "A-refer"
Receipt = ComplaintReceived | PaperReceived | ReprimandReceived | DemandRecorded | Served | OfficeReceived


# -- a receipt that was wrong -------------------------------------------------------------------------


def correct_receipt(
    docket: Docket, actor: Actor, number: str, receipt: int, *, received_at: datetime, reason: str
) -> tuple[DatesMoved, ...]:
    """Correct when something was received: the complaint, a paper, a reprimand, a demand, a letter, evidence.

    Of a service on paper it is the day of receipt where that is known, else the day on which it was served.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        receipt: id of the receipt as it stands.
        received_at: the true instant, aware.
        reason: how it is known that the other was wrong.

    Returns:
        The open steps whose dates moved, old and new. Everybody whom it concerns is told once.

    Raises:
        BadInput: there is no such receipt that stands, no reason, or an instant that lies ahead.
        NotNow: a letter would be served before it was written, the reprimand received before it was issued, or
            evidence before it was turned over.
        AlreadyDone: it is the instant on the record.
    """
    with act(docket, actor, Deed.CORRECT, number=number) as step:
        _check_reason(reason, "A receipt is corrected with a reason only.")
        found = _receipt(step.case, receipt)
        at = past_instant(step, received_at)
        if instant_of(found) == at:
            raise AlreadyDone("This is the instant on the record.", clause=CLAUSE)
        _check_order(step, found, at)
        step.note["reason"] = reason.strip()
        before = _dates(step)
        step.record(_corrected(step, found.fact, at, reason.strip()), about=found.about, supersedes=found.id)
        if isinstance(found.fact, OfficeReceived):
            _settle_anew(step, found.about, found.fact.at, at)
        # everybody entitled is told of it in Slack, so that the reason, which may name somebody, stays with the receipt
        moved = _moved(step, before, "a receipt was corrected")
        refresh_cards(step)
        return moved


def _check_order(step: Act, receipt: Recorded[Receipt], at: datetime) -> None:
    """Refuse an instant before what the receipt follows, as when it was recorded."""
    match receipt.fact:
        case ReprimandReceived() as came:
            check_issued(step, receipt.about or 0, Receiver(came.by), at)
        case PaperReceived() | DemandRecorded():
            since_complaint(step, at)
        case OfficeReceived():
            _check_office(step, receipt.about or 0, at)
        case ComplaintReceived() | Served():
            pass
        case _:
            assert_never(receipt.fact)


def _check_office(step: Act, about: int, at: datetime) -> None:
    """Refuse an instant before the evidence was turned over, or the letter written."""
    turned_over = next((one for one in step.case.all(EvidenceTurnedOver) if one.id == about), None)
    if turned_over is not None:
        check_received(step, turned_over.fact, at)
        return
    letter = next((one for one in step.case.letters if one.id == about), None)
    check_written(step, letter, local_date(at, step.profile.city.time_zone))


def receipts(case: CaseFile) -> tuple[Recorded[Receipt], ...]:
    """Give the receipts that stand, in the order of recording, for whoever must say which was wrong."""
    kinds = (ComplaintReceived, PaperReceived, ReprimandReceived, DemandRecorded, Served, OfficeReceived)
    found: list[Recorded[Receipt]] = [one for kind in kinds for one in case.all(kind)]  # type: ignore[misc]  # each kind is one of the union
    return tuple(sorted(found, key=lambda one: one.id))


def _receipt(case: CaseFile, receipt: int) -> Recorded[Receipt]:
    found = next((one for one in receipts(case) if one.id == receipt), None)
    if found is None:
        raise BadInput(
            "There is no receipt of that number that stands; nothing was changed.",
            mend="Name the newest one of its line.",
        )
    return found


def instant_of(receipt: Recorded[Receipt]) -> datetime:
    """Give the instant that is corrected, UTC: what dates are reckoned from."""
    match receipt.fact:
        case Served() as service:
            return service.received_at or service.at or receipt.at
        case ReprimandReceived() | OfficeReceived() as came:
            return came.at
        case ComplaintReceived() | PaperReceived() | DemandRecorded() as came_in:
            return came_in.received_at
        case _:
            assert_never(receipt.fact)


def words_for(case: CaseFile, receipt: Recorded[Receipt]) -> str:
    """Name a receipt in a list, without anybody's name: ``paper received``, ``notice served on party 55``."""
    if isinstance(receipt.fact, Served):
        return f"{receipt.fact.letter.replace('_', ' ')} served on party {receipt.about}"
    if isinstance(receipt.fact, PaperReceived):
        return f"{receipt.fact.what} received"
    if isinstance(receipt.fact, OfficeReceived):
        return recorded_as(case, receipt)
    return receipt.fact.KIND.replace("-", " ")


def _served_truly(step: Act, service: Served, at: datetime) -> Served:
    """Give a service with its true day; what was received is served no later, and nothing before it was written."""
    day = local_date(at, step.profile.city.time_zone)
    check_written(step, next((one for one in step.case.letters if one.id == service.letter_fact), None), day)
    if service.received_on is None:
        return replace(service, on=day, at=at)
    was = service.at or at
    return replace(service, on=min(service.on, day), at=min(was, at), received_on=day, received_at=at)


def _corrected(step: Act, fact: Receipt, at: datetime, reason: str) -> Receipt:
    match fact:
        case ComplaintReceived():
            evidence = replace(fact.evidence, words=reason)
            return replace(fact, received_at=at, basis=Basis.RECORDED_BY_STAFF, evidence=evidence)
        case PaperReceived():
            return replace(fact, received_at=at, evidence=replace(fact.evidence, words=reason))
        case ReprimandReceived() | OfficeReceived():
            return replace(fact, at=at, evidence=reason)
        case DemandRecorded():
            return replace(fact, received_at=at)
        case Served():
            return _served_truly(step, fact, at)
        case _:
            assert_never(fact)


def _settle_anew(step: Act, about: int | None, was: datetime, at: datetime) -> None:
    """Correct as well since when the letter lies at its office, where that came from the same receipt."""
    evidence = {one.id: one.fact.letter_fact for one in step.case.all(EvidenceTurnedOver)}
    letter = evidence.get(about or 0, about)
    for one in tuple(step.case.all(LetterSettled)):
        if one.about == letter and one.fact.at == was:
            step.record(replace(one.fact, at=at), about=letter, supersedes=one.id)


_Days = tuple[str, str, str]


def _dates(step: Act) -> dict[str, _Days]:
    """Give the dates of every open step as text."""
    found = {}
    for one in steps(step.case, step.profile, step.calendar, step.today):
        if one.is_open and one.dates is not None:
            days = (one.dates.act_by, one.dates.expected_last_day, one.dates.keep_open_until)
            found[one.key] = (_text(days[0]), _text(days[1]), _text(days[2]))
    return found


def _text(day: date | None) -> str:
    return day.isoformat() if day else ""


def _moved(step: Act, before: Mapping[str, _Days], cause: str) -> tuple[DatesMoved, ...]:
    """Record the dates that moved, and owe one word to each person who may see the case."""
    moved = tuple(
        DatesMoved(key, before[key], days, cause)
        for key, days in _dates(step).items()
        if key in before and before[key] != days
    )
    for fact in moved:
        step.record(fact)
    if moved:
        for person in entitled(_look(step)):
            step.ping(
                PingKind.TOLD, person=person, about={"what": "dates-moved", "entry": step.seq}, board=True
            )
    return moved


def _look(step: Act) -> _Look:
    return _Look(
        step.case, step.profile, step.calendar, step.people, Standing(), BOARD_BUSINESS, step.today, step.now
    )


# -- withdrawn, amended -------------------------------------------------------------------------------


def record_withdrawal(docket: Docket, actor: Actor, number: str, *, received_at: datetime, words: str) -> int:
    """Record that the complainant withdrew the complaint; no date moves, and the Board decides what follows.

    Raises:
        BadInput: no words, or an instant that lies ahead.
        NotNow: the case is final.
        AlreadyDone: it was withdrawn before.
    """
    with act(docket, actor, Deed.CORRECT, number=number) as step:
        if step.case.last(Withdrawn) is not None:
            raise AlreadyDone("The withdrawal is on the record.", clause=CLAUSE)
        _going_on(step, "A final case can no longer be withdrawn.")
        if not words.strip():
            raise BadInput("A withdrawal is recorded with what the complainant said, and how it came.")
        key = step.record(Withdrawn(since_complaint(step, received_at), words.strip()))
        tell_clerk_and_chair(step, {"what": "withdrawn"})
        refresh_cards(step)
        return key


def amend(
    docket: Docket,
    actor: Actor,
    number: str,
    *,
    received_at: datetime,
    files: Sequence[File],
    named: Sequence[int],
    words: str = "",
) -> int:
    """Record an amended complaint: its papers join the complaint and go with every notice from now on.

    Whoever records it has read it and says who of the roster is named in it, so that nobody learns of his
    own case. The form is decided anew where the amendment mends it, and then the 30 days run from it.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        received_at: when it was received, aware.
        files: its papers.
        named: persons of the roster named in it; empty for nobody.
        words: what it changes.

    Returns:
        The id of the paper's receipt.

    Raises:
        BadInput: no paper, an instant that lies ahead, or somebody who is not on the roster.
        NotNow: the case is final.
        AlreadyDone: the same papers of the same instant are on the record as an amendment.
    """
    with act(docket, actor, Deed.CORRECT, number=number) as step:
        _going_on(step, "A final case is not amended.")
        if not files:
            raise BadInput("An amended complaint is in writing; nothing was changed.", clause="A-form")
        if any(person not in step.people.members for person in named):
            raise BadInput("Somebody in this list is not on the roster; nothing was changed.")
        at = since_complaint(step, received_at)
        if is_received_so(step, AMENDMENT, at, {hashlib.sha256(one.content).hexdigest() for one in files}):
            raise AlreadyDone("This amendment is on the record.", clause="A-form")
        documents = tuple(
            step.keep(one.content, kind="complaint", media_type=one.media_type, name=one.name, received_at=at)
            for one in files
        )
        evidence = ReceiptEvidence(words="recorded by staff")
        key = step.record(PaperReceived(at, AMENDMENT, documents, evidence=evidence, words=words.strip()))
        _wall_off(step, named, documents)
        tell_clerk_and_chair(step, {"what": "amended"})
        refresh_cards(step)
        return key


def _wall_off(step: Act, named: Sequence[int], documents: tuple[int, ...]) -> None:
    newly = [person for person in dict.fromkeys(named) if not step.case.walled(person)]
    step.record(Screened(by_machine=False, named=tuple(named), documents=documents))
    for person in newly:
        step.record(ConflictFound(person, "said by the person who recorded the amendment"))
    if newly:
        step.ping(PingKind.CASE_CHANNEL)
        for person in newly:
            recount_without(step, person)
        warn_if_board_cannot_act(step)


def _going_on(step: Act, says: str) -> None:
    if step.case.final or step.case.merged is not None:
        raise NotNow(says, clause=CLAUSE, mend="It can be reopened, with a reason.")


# -- reopened -----------------------------------------------------------------------------------------


def reopen(docket: Docket, actor: Actor, number: str, *, reason: str, respondents: Sequence[int] = ()) -> int:
    """Record that a final or merged case goes on: about the respondents chosen the Board votes anew.

    Nothing determined about them before stands; the tracks of the others stay as they are. A case that was merged in error goes on by itself again: who joined the other case by that comes back, with counsel
    and with what was brought there, and later mail reaches it; see `store.proceedings.merger`. That alone undoes no
    determination.

    Old letters stay as they were sent; what follows is owed anew. The inquiry's 30 days do not run again.

    Args:
        docket: the record.
        actor: the clerk or the chair.
        number: the case's number.
        reason: why.
        respondents: whose tracks are reopened; a case with one respondent needs none, nor does one that was merged
            or closed without a determination.

    Returns:
        The id of the reopening.

    Raises:
        BadInput: no reason, somebody who is no respondent of the case, or nobody chosen among several.
        NotNow: the case is not final, or nothing was determined about somebody chosen.
        NoSuchCase: it was merged into a case that he may not know of; somebody who may know of both reopens it.

    Source: product.md, life of a complaint; decisions 6 and 9 (each respondent is a track).
    """
    texts.check({"reason": reason}, clause="D-determine")  # before anybody leaves the other case
    if reason.strip() and {*respondents} <= {*may_be_reopened(seen(docket, actor, number, Deed.REOPEN))}:
        leave_joined(docket, actor, number, reason.strip())
    with act(docket, actor, Deed.REOPEN, number=number) as step:
        _check_reason(reason, "A case is reopened with a reason only.")
        about = _chosen(step.case, respondents)
        back = coming_back(step)
        key = step.record(Reopened(step.now, reason.strip(), about))
        bring_back(step, back)
        tell_clerk_and_chair(step, {"what": "reopened"})
        step.ping(PingKind.CASE_CHANNEL)
        refresh_cards(step)
        return key


def may_be_reopened(case: CaseFile) -> tuple[int, ...]:
    """Give the respondents about whom something determined stands."""
    return tuple(one.id for one in case.respondents if case.standing_determination(one.id) is not None)


def _chosen(case: CaseFile, respondents: Sequence[int]) -> tuple[int, ...]:
    """Give whose tracks are reopened; see `reopen`."""
    every, determined = [one.id for one in case.respondents], may_be_reopened(case)
    if not {*respondents} <= {*every}:
        raise BadInput(
            "Somebody chosen is no respondent of this case; nothing was changed.",
            mend="docket case shows the ids of the respondents.",
        )
    if not (case.final or case.merged is not None or determined):
        raise NotNow(
            "The case is not final, so it goes on as it is.",
            clause="D-determine",
            mend="Go on with what comes next in it.",
        )
    if not {*respondents} <= {*determined}:
        raise NotNow(
            "Nothing determined stands about somebody chosen, so that track goes on as it is; nothing was changed.",
            clause="D-determine",
            mend="Choose only respondents about whom the Board has determined.",
        )
    if respondents or case.merged is not None or not determined:
        return tuple(dict.fromkeys(respondents))
    if len(every) > 1:
        raise BadInput(
            f"This case has {counted(len(every), 'respondent')}, and only the tracks that you choose are reopened; "
            "nothing was changed.",
            clause="D-determine",
            mend="Say whose, with --respondent ID for each; docket case shows the ids.",
        )
    return determined


def _check_reason(reason: str, says: str) -> None:
    if not reason.strip():
        raise BadInput(says, mend="Say why.")

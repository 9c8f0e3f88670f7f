"""Reprimand: confidentially to the City Commission, a copy served on the officer, and when each received it (E)."""

from datetime import date, datetime
from enum import StrEnum

from store.cases import Act, Actor, Docket, act
from store.letters.letter import Addressee, DueDate, Letter
from store.letters.reprimand import Reprimand
from store.letters.reprimand_copy import ReprimandCopy
from store.proceedings import writing
from store.proceedings.days import past_instant
from store.proceedings.offices import respondent, settle_on_paper, write_to
from store.proceedings.screening import refresh_cards
from store.proceedings.service import STANDING, Copy, send_to
from store.rules import dates
from store.rules.access import Deed
from store.rules.casefile import LetterView, Party
from store.rules.dates import local_date, reckon, start_of_day
from store.rules.duties import OFFICER
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Disposed, ReprimandReceived, ReprimandWritten, Served
from store.rules.ordinance import Fulfilled, Office

COPY, TO_COMMISSION = "reprimand_copy", "reprimand"
CLAUSE = "E1a-reprimand"
DEMAND = "E2-demand"


class Receiver(StrEnum):
    """Whose receipt of the reprimand: the words "its receipt" of (E)(2) can mean either (decisions 2)."""

    OFFICER = OFFICER
    COMMISSION = "commission"


def issue_reprimand(
    docket: Docket, actor: Actor, number: str, track: int, *, text: str = ""
) -> tuple[int, ...]:
    """Write the reprimand to the City Commission, and its copy to the officer and to counsel of record.

    Whom a letter stands for already is left out, so that this can be done again after a bounce; the text
    stays what it was.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        track: the respondent.
        text: the Board's words; needed the first time.

    Returns:
        The letters' ids. They wait some minutes and can be taken back (L2).

    Raises:
        BadInput: the track is no respondent.
        NotNow: the Board decided no reprimand for it, or no text was given.
        AlreadyDone: each has it, or it is on its way.

    Source: clause (E)(1)(a).
    """
    with act(docket, actor, Deed.ISSUE_REPRIMAND, number=number) as step:
        party = respondent(step, track)
        decided = _decided(step, track)
        said = _text(step, track, text)

        def write(copy: Copy) -> Letter:
            return _copy(step, copy, decided, said)

        letters: list[int] = []
        if not any(one.state in STANDING for one in _to_commission(step, track)):

            def make(to: Addressee) -> Letter:
                return _letter(step, to, party, decided, said)

            letters.append(write_to(step, Office.COMMISSION, make, track=track))
        letters += send_to(step, party, write, track=track)
        if not letters:
            raise AlreadyDone("The reprimand was issued, or is on its way.", clause=CLAUSE)
        refresh_cards(step)
        return tuple(letters)


def _decided(step: Act, track: int) -> Disposed:
    disposed = step.case.standing_disposition(track)
    if disposed is None or not disposed.fact.reprimand:
        raise NotNow(
            "The Board has decided no reprimand for this respondent.",
            clause=CLAUSE,
            mend="Record what follows first, with the ballots that carried it.",
        )
    return disposed.fact


def _text(step: Act, track: int, text: str) -> str:
    """Give the Board's words, recorded once; a further copy repeats them."""
    disposed = step.case.standing_disposition(track)
    before = step.case.last(ReprimandWritten, about=track)
    if before is not None and disposed is not None and before.id > disposed.id:
        if text.strip() and text.strip() != before.fact.text:
            raise NotNow(
                "The reprimand was written before, and every copy of it says the same.",
                clause=CLAUSE,
                mend="Leave the text out. To change it, the case is reopened, with a reason.",
            )
        return before.fact.text
    if not text.strip():
        raise NotNow(
            "A reprimand is issued in writing.",
            clause=CLAUSE,
            mend="Give the words in which the Board put it.",
        )
    step.record(ReprimandWritten(step.now, text.strip()), about=track)
    return text.strip()


def _to_commission(step: Act, track: int) -> list[LetterView]:
    return [one for one in step.case.letters_to(TO_COMMISSION) if one.queued.about_track == track]


def _circumstances(step: Act, decided: Disposed) -> tuple[str, ...]:
    known = {one.id: one.text for one in step.profile.mitigating}
    lines = [known[one][:1].upper() + known[one][1:] for one in decided.mitigating if one in known]
    return (*lines, *(line.strip() for line in decided.words.splitlines() if line.strip()))


def _vote(step: Act, decided: Disposed) -> str:
    views = [step.case.ballot(one) for one in decided.ballots]
    closed = next((view.closed for view in views if view is not None and view.closed is not None), None)
    return f"{closed.yes} yes, {closed.no} no, {closed.abstain} abstained" if closed else ""


def _letter(step: Act, to: Addressee, party: Party, decided: Disposed, text: str) -> Reprimand:
    return Reprimand(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=to,
        dated=step.today,
        case_number=step.case.number,
        officer=party.named.name,
        office=party.named.office,
        decided_on=local_date(decided.at, step.profile.city.time_zone),
        circumstances=_circumstances(step, decided),
        reprimand=text,
        vote=_vote(step, decided),
    )


def _copy(step: Act, copy: Copy, decided: Disposed, text: str) -> ReprimandCopy:
    commission = step.profile.address(Office.COMMISSION)
    supposed = step.today
    return ReprimandCopy(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=writing.addressee(copy.party, copy.of),
        dated=step.today,
        case_number=step.case.number,
        officer=copy.of.named.name,
        office=copy.of.named.office,
        decided_on=local_date(decided.at, step.profile.city.time_zone),
        circumstances=_circumstances(step, decided),
        reprimand=text,
        supposed_receipt_on=supposed,
        keep_open_until=_open_until(step, supposed),
        demand_to=(commission.name, *commission.postal, *commission.emails),
        vote=_vote(step, decided),
        to_counsel=copy.to_counsel,
    )


def _open_until(step: Act, received_on: date) -> DueDate:
    """Reckon until when a demand stays open if the copy is received on a day (decisions 2)."""
    profile = step.profile
    duty = next((one for one in profile.duties if Fulfilled.DEMAND_RECORDED in one.done_by), None)
    if duty is None or duty.period is None:
        raise NotNow(
            "The ordinance of this case gives no demand with a period.",
            clause=DEMAND,
            mend="Mend the profile before a reprimand goes out.",
        )
    found = reckon(
        start_of_day(received_on, profile.city.time_zone),
        duty.period,
        unit=dates.Unit(duty.unit.value),
        act=dates.Act(duty.act.value),
        calendar=step.calendar,
        clause=duty.clause,
    )
    last = found.keep_open_until or found.expected_last_day
    return DueDate(last, profile.clause(duty.clause).citation, found.provisional)


def record_reprimand_receipt(
    docket: Docket,
    actor: Actor,
    number: str,
    track: int,
    *,
    by: Receiver,
    at: datetime,
    evidence: str,
) -> int:
    """Record when the officer or the Commission received the reprimand; the demand runs from the later.

    That a mail was sent is no receipt. A letter that went on paper is thereby served.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        track: the respondent.
        by: whose receipt.
        at: the instant of receipt, aware.
        evidence: how it is known: a signed return receipt, an answer.

    Returns:
        The receipt's id.

    Raises:
        BadInput: no such respondent, no evidence, or an instant that lies ahead.
        NotNow: it was not issued to that receiver, or the instant lies before it was.
        AlreadyDone: that receipt is on the record; a wrong one is corrected with a reason.

    Source: clause (E)(2); decisions 2.
    """
    with act(docket, actor, Deed.RECORD_REPRIMAND_RECEIPT, number=number) as step:
        respondent(step, track)
        if not evidence.strip():
            raise BadInput(
                "A receipt is recorded with its evidence.", clause=DEMAND, mend="Say how it is known."
            )
        instant = past_instant(step, at)
        if any(one.fact.by == by for one in step.case.reprimand_received(track)):
            raise AlreadyDone(
                "This receipt is on the record.",
                clause=DEMAND,
                mend="A wrong one is corrected, with a reason.",
            )
        letter = check_issued(step, track, by, instant)
        received = ReprimandReceived(instant, by.value, evidence.strip())
        _serve(step, letter, track, received)
        fact = step.record(received, about=track)
        refresh_cards(step)
        return fact


def check_issued(step: Act, track: int, by: Receiver, instant: datetime) -> LetterView:
    """Give the letter that was received at an instant: the newest that stands.

    Raises:
        NotNow: none was issued to that receiver, or only on a later day.
    """
    known = step.case.letters_to(COPY, track) if by is Receiver.OFFICER else _to_commission(step, track)
    standing = [one for one in known if one.state in STANDING]
    if not standing:
        raise NotNow(
            "The reprimand was not issued to this receiver, or came back.",
            clause=CLAUSE,
            mend="Issue it first.",
        )
    zone = step.profile.city.time_zone
    if local_date(instant, zone) < local_date(standing[0].queued_at, zone):
        raise NotNow(
            "It cannot be received before it was issued; nothing was changed.",
            clause=DEMAND,
            mend="Check the day and the hour.",
        )
    return standing[-1]


def _serve(step: Act, letter: LetterView, track: int, received: ReprimandReceived) -> None:
    """Record that a letter which went on paper was served; one that went by mail keeps that evidence."""
    if letter.counts_as_sent:
        return
    settle_on_paper(step, letter, received.at)
    if received.by == Receiver.OFFICER:
        on = local_date(received.at, step.profile.city.time_zone)
        how = "as its receipt shows"
        step.record(
            Served(COPY, how, on, received.evidence, on, letter.id, received.at, received.at), about=track
        )

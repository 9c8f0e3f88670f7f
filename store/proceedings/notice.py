"""Notice: each respondent gets the complaint, the provisions, and the rights of (B) (clauses A and B)."""

from collections.abc import Sequence
from datetime import date

from store.cases import Act, Actor, Docket, Look, act, papers
from store.letters.letter import DueDate, Letter
from store.letters.notice import Notice, Provision
from store.proceedings import writing
from store.proceedings.screening import refresh_cards
from store.proceedings.service import Copy, send_to
from store.rules import dates
from store.rules.access import Deed
from store.rules.calendar import Calendar
from store.rules.casefile import Party
from store.rules.counted import counted
from store.rules.dates import reckon
from store.rules.duties import steps
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import AnswerTimeGiven
from store.rules.ordinance import Duty, Fulfilled, Profile

COMPLAINT = "complaint"


def send_notice(
    docket: Docket,
    actor: Actor,
    number: str,
    respondent: int,
    *,
    provisions: Sequence[str],
    answer_by: date | None = None,
) -> tuple[int, ...]:
    """Write the notice to a respondent and to counsel of record, the complaint enclosed as it came.

    By mail where there is an address; without one the letter is set for paper, and the service is
    recorded when it was made (`store.proceedings.service.record_service`).

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        respondent: id of the respondent.
        provisions: ids of the profile's provisions for the general statement; at least one.
        answer_by: last day for the answer; the earliest that the Board's own period allows if None.

    Returns:
        The letters' ids. They wait some minutes and can be taken back (L2).

    Raises:
        BadInput: no such respondent or provision, or a day that is too early.
        NotNow: no paper of the complaint is on the record.
        AlreadyDone: the notice was sent, or is on its way.
    """
    with act(docket, actor, Deed.SERVE_NOTICE, number=number) as step:
        party = _respondent(step, respondent)
        stated = _provisions(step.profile, provisions)
        until = _answer_by(step, answer_by)
        enclosed = _complaint(step)

        def write(copy: Copy) -> Letter:
            return _notice(step, copy, stated, until)

        letters = send_to(step, party, write, enclosures=enclosed, track=party.id)
        if not letters:
            raise AlreadyDone("The notice was sent, or is on its way.", clause="A-forward")
        if step.case.answer_until(party.id) is None or until > (step.case.answer_until(party.id) or until):
            step.record(AnswerTimeGiven(until, "as the notice says"), about=party.id)
        refresh_cards(step)
        return letters


def _respondent(step: Act, respondent: int) -> Party:
    party = next((one for one in step.case.respondents if one.id == respondent), None)
    if party is None:
        raise BadInput("A notice goes to a respondent of the case.", mend="Name the respondent first.")
    return party


def _provisions(profile: Profile, wanted: Sequence[str]) -> tuple[Provision, ...]:
    known = {one.id: one for one in profile.provisions}
    if not wanted or any(one not in known for one in wanted):
        raise BadInput(
            "The general statement names at least one provision of the profile.",
            mend=f"Known: {', '.join(known)}.",
        )
    return tuple(
        Provision(known[one].section, known[one].title, known[one].text) for one in dict.fromkeys(wanted)
    )


def _answer_by(step: Act, wanted: date | None) -> date:
    earliest = _earliest(step.profile, step.calendar, step)
    until = wanted or earliest
    if until < earliest:
        raise BadInput(
            f"The Board gives a respondent until {earliest.isoformat()} at least; nothing was changed.",
            mend="Give that day or a later one.",
        )
    return until


def _right(profile: Profile) -> Duty | None:
    """Give the right to answer as the profile has it."""
    return next((one for one in profile.duties if Fulfilled.RESPONDED in one.done_by), None)


def _within(profile: Profile) -> str:
    """Give the Board's own period in words; empty where it has none."""
    duty = _right(profile)
    if duty is None or duty.period is None:
        return ""
    return counted(duty.period, "working day" if duty.unit.value == dates.Unit.WORKING_DAYS.value else "day")


def _own_period(profile: Profile, calendar: Calendar, at: Act | Look) -> dates.Dates | None:
    """Reckon the Board's own period from a service now; None where it has none."""
    duty = _right(profile)
    if duty is None or duty.period is None:
        return None
    return reckon(
        at.now,
        duty.period,
        unit=dates.Unit(duty.unit.value),
        act=dates.Act(duty.act.value),
        calendar=calendar,
        clause=duty.clause,
    )


def _earliest(profile: Profile, calendar: Calendar, at: Act | Look) -> date:
    """Give the last day of the Board's own period, counted from a service today; today where it has none."""
    own = _own_period(profile, calendar, at)
    return own.expected_last_day if own else at.today


def _stated(step: Act, until: date) -> DueDate:
    """Give the day for the answer as the letter names it; the Board's own day is as sure as its calendar."""
    own = _own_period(step.profile, step.calendar, step)
    provisional = own is not None and own.expected_last_day == until and own.provisional
    return DueDate(until, step.profile.clause("B-respond").citation, provisional)


def earliest_answer_by(look: Look) -> date:
    """Give the earliest day that a notice of today may give for the answer."""
    return _earliest(look.profile, look.calendar, look)


def _complaint(step: Act) -> tuple[int, ...]:
    """Give the papers of the complaint, byte for byte as they came, with the paper that made it proper."""
    assert step.case_id is not None
    cured = step.case.cured_by
    found = tuple(
        one.id
        for one in papers(step.docket, step.session, step.case_id)
        if one.kind == COMPLAINT or one.id in cured
    )
    if not found:
        raise NotNow(
            "No paper of the complaint is on the record, so no copy can be forwarded.",
            clause="A-forward",
            mend="File the complaint's paper first.",
        )
    return found


def _notice(step: Act, copy: Copy, provisions: tuple[Provision, ...], until: date) -> Notice:
    profile = step.profile
    return Notice(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(profile),
        addressee=writing.addressee(copy.party, copy.of),
        dated=step.today,
        case_number=step.case.number,
        enclosures=("A copy of the complaint, as it was received",),
        received_at=writing.local(step.case.board_received_at, profile.city.time_zone),
        forward_by=_forward_by(step, copy.of),
        provisions=provisions,
        answer_by=_stated(step, until),
        answer_to=writing.reply_address(step.docket, copy.token),
        answer_within=_within(profile),
        office=copy.of.named.office,
        paper_address=profile.city.letterhead,
        to_counsel=copy.to_counsel,
    )


def _forward_by(step: Act, party: Party) -> DueDate:
    every = steps(step.case, step.profile, step.calendar, step.today)
    owed = [one for one in every if Fulfilled.NOTICE_SERVED in one.duty.done_by]
    mine = next((one for one in owed if one.party in {None, party.id}), None)
    citation = step.profile.clause(mine.duty.clause).citation if mine else ""
    return writing.due(mine.dates if mine else None, citation) or DueDate(step.today, citation)

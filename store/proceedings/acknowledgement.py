"""Acknowledgement: the Board tells each complainant that it has the complaint (clause A).

It is another letter than the auto-receipt, and done only by evidence: sent and not bounced, or served
on paper (L3). Each joint complainant is owed one, and an attorney of record gets a copy.
"""

from store.cases import Act, Actor, Docket, act
from store.letters.acknowledgement import Acknowledgement
from store.letters.letter import DueDate
from store.proceedings import writing
from store.proceedings.screening import refresh_cards
from store.proceedings.service import Copy, send_to
from store.rules.access import Deed
from store.rules.casefile import Party
from store.rules.duties import Step, steps
from store.rules.errors import AlreadyDone, NotNow
from store.rules.ordinance import Fulfilled


def acknowledge(docket: Docket, actor: Actor, number: str) -> tuple[int, ...]:
    """Write the acknowledgement to every complainant and attorney who has none yet, or whose came back.

    Returns:
        The ids of the letters. They wait some minutes and can be taken back (L2).

    Raises:
        NotNow: no complainant is named.
        AlreadyDone: each was acknowledged, or a letter is on its way.

    Source: clause (A).
    """
    with act(docket, actor, Deed.ACKNOWLEDGE, number=number) as step:
        if not step.case.complainants:
            raise NotNow(
                "No complainant is named yet, so nobody can be written to.",
                clause="A-acknowledge",
                mend="Name the complainant first.",
            )
        letters = [
            letter
            for party in step.case.complainants
            for letter in send_to(step, party, lambda copy: _letter(step, copy))
        ]
        if not letters:
            raise AlreadyDone(
                "Every complainant was acknowledged, or the letter is on its way.", clause="A-acknowledge"
            )
        refresh_cards(step)
    return tuple(letters)


def _letter(step: Act, copy: Copy) -> Acknowledgement:
    return Acknowledgement(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=writing.addressee(copy.party, copy.of),
        dated=step.today,
        case_number=step.case.number,
        received_at=writing.local(step.case.board_received_at, step.profile.city.time_zone),
        acknowledge_by=_date_of(step, _owed(step, copy.of)) or DueDate(step.today, "clause (A)"),
        inquiry_by=_inquiry_by(step),
        reply_to=writing.reply_address(step.docket, copy.token),
        represented=copy.to_counsel,
    )


def _owed(step: Act, party: Party) -> Step | None:
    every = steps(step.case, step.profile, step.calendar, step.today)
    found = [one for one in every if Fulfilled.ACKNOWLEDGED in one.duty.done_by]
    return next((one for one in found if one.party in {None, party.id}), None)


def _inquiry_by(step: Act) -> DueDate | None:
    wanted = {Fulfilled.INQUIRY_HELD, Fulfilled.INQUIRY_CONCLUDED}
    every = steps(step.case, step.profile, step.calendar, step.today)
    return next((_date_of(step, one) for one in every if wanted & set(one.duty.done_by)), None)


def _date_of(step: Act, owed: Step | None) -> DueDate | None:
    if owed is None:
        return None
    return writing.due(owed.dates, step.profile.clause(owed.duty.clause).citation)

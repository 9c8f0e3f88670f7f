"""The preliminary inquiry: held on a day, in a meeting or not, and concluded (clause B)."""

from dataclasses import replace
from datetime import date

from store.cases import Actor, Docket, act
from store.proceedings.days import day_since_complaint, instant_on
from store.proceedings.meeting import all_meetings
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import InquiryHeld


def hold_inquiry(
    docket: Docket,
    actor: Actor,
    number: str,
    *,
    on: date,
    concluded: bool,
    meeting: int | None = None,
) -> None:
    """Record that the preliminary inquiry was held, or concluded, on a day.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        on: the day in the city's zone; dates are reckoned from it, not from when it was recorded.
        concluded: whether it ended on that day.
        meeting: the meeting in which it was held; None for outside one.

    Raises:
        NotNow: the complaint was not found proper.
        AlreadyDone: the inquiry was concluded before, or the record has this day of it.
        BadInput: the day lies ahead or before the complaint's receipt, or there is no such meeting.
    """
    with act(docket, actor, Deed.HOLD_INQUIRY, number=number) as step:
        if not step.case.proper:
            raise NotNow(
                "The inquiry is held on a proper complaint.",
                clause="B-inquiry",
                mend="Decide on its form first.",
            )
        if any(one.fact.concluded for one in step.case.all(InquiryHeld)):
            raise AlreadyDone("The inquiry was concluded before.", clause="B-inquiry")
        day_since_complaint(step, on)
        if meeting is not None and meeting not in {one.id for one in all_meetings(step.docket, step.session)}:
            raise BadInput("There is no such meeting on the record; nothing was changed.", clause="B-inquiry")
        fact = InquiryHeld(on, concluded, meeting, instant_on(step, on))
        if any(replace(one.fact, at=fact.at) == fact for one in step.case.all(InquiryHeld)):
            raise AlreadyDone("This day of the inquiry is on the record.", clause="B-inquiry")
        step.record(fact)
        refresh_cards(step)

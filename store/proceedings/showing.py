"""Slack shown anew from the record: every channel and card that was noted is forgotten and owed again (C7).

For an empty workspace, or one whose channels were deleted. Slack is a view and never the record, so nothing
of a case hangs on what is lost there.
"""

from sqlmodel import col, select, update

from store.cases import Act, Actor, Docket, act
from store.ports import PingKind
from store.proceedings.screening import tell_entitled
from store.rules.access import Deed
from store.tables import CaseRow, SlackPlace


def show_anew(docket: Docket, actor: Actor) -> int:
    """Forget where Slack showed things, and owe the channels and cards of every case that is not final.

    Args:
        docket: the record.
        actor: the IT person or the clerk.

    Returns:
        How many cases are shown anew.

    Raises:
        NotAllowed: it is not his to do.
    """
    with act(docket, actor, Deed.SHOW_ANEW) as step:
        step.session.execute(update(SlackPlace).where(col(SlackPlace.active)).values(active=False))
        keys = step.session.exec(select(CaseRow.id).order_by(col(CaseRow.id))).all()
        count = sum(_show(step, key) for key in keys if key is not None)
        step.note["shown_anew"] = count
    return count


def _show(step: Act, key: int) -> bool:
    of_case = Act(step.docket, step.session, step.actor, step.deed, step.now, key)
    if of_case.case.final:
        return False
    tell_entitled(of_case)
    if of_case.case.screened:
        of_case.ping(PingKind.CASE_CARD)
    return True

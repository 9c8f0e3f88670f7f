"""What Slack shows follows the record (C3, C7): what was taken away there is noted here, and all is shown anew.

For an empty workspace, or one whose channels were deleted. Slack is a view and never the record, so nothing
of a case hangs on what is lost there.
"""

from sqlmodel import col, select, update

from store.cases import MACHINE, Act, Actor, Docket, act, is_there
from store.ports import PingKind
from store.proceedings.screening import tell_entitled
from store.rules.access import Deed
from store.rules.facts import Place
from store.tables import CaseRow, MailItem, SlackPlace

FILE = "file"
"""The kind of place that is a document given on request; it is followed until it is taken away."""


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
        step.session.execute(
            update(SlackPlace)
            .where(col(SlackPlace.active), col(SlackPlace.kind) != FILE)
            .values(active=False)
        )
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


def note_taken_out(docket: Docket, case_id: int, *, account: str, channel: str, person: int | None) -> None:
    """Enter into the journal that an account was taken out of a case's channel.

    Args:
        docket: the record.
        case_id: the case, which may have been disposed of meanwhile.
        account: the account that was taken out.
        channel: the channel.
        person: the roster person that the account belongs to; None for a stranger.
    """
    with act(docket, MACHINE, Deed.KEEP_CHANNEL, case_id=_still(docket, case_id)) as step:
        step.note.update(taken_out=account, channel=channel, person=person)


def note_file_gone(
    docket: Docket, case_id: int | None, *, person: int | None, document: int | None, why: str, outcome: str
) -> None:
    """Enter into the journal that a delivered document was taken away from Slack, or that Slack did not let us.

    Args:
        docket: the record.
        case_id: the case; None for a held message.
        person: whom it was given to; None for what a channel showed.
        document: the document, or the held message.
        why: what called for it.
        outcome: ``deleted``, ``gone already`` or Slack's name of its refusal.
    """
    with act(docket, MACHINE, Deed.TAKE_FILE_AWAY, case_id=_still(docket, case_id)) as step:
        step.note.update(person=person, document=document, why=why, outcome=outcome)


def _still(docket: Docket, case_id: int | None) -> int | None:
    """Give the case where it can still be opened; an entry about one that was disposed of stands in no case."""
    with docket.database.read() as session:
        return case_id if is_there(docket, session, case_id) else None


def is_held(docket: Docket, item: int) -> bool:
    """Say whether a message still waits in the holding pen."""
    with docket.database.read() as session:
        row = session.get(MailItem, item)
        return row is not None and row.place == Place.HOLDING_PEN

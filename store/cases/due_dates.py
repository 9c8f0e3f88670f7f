"""The dates of open steps, kept beside the facts for the sweep."""

from typing import TYPE_CHECKING

from sqlmodel import Session, select

from store.rules import duties
from store.tables import Due

if TYPE_CHECKING:  # acts stand on this module
    from store.cases.acts import Act


def refresh_dues(step: "Act") -> None:
    """Write the dates of a case's steps beside its facts, for the sweep; derived, and so rewritten."""
    existing = {
        row.step: row for row in step.session.exec(select(Due).where(Due.case_id == step.case_id)).all()
    }
    for one in duties.steps(step.case, step.profile, step.calendar, step.today):
        row = existing.pop(one.key, None) or Due(case_id=step.case_id or 0, step=one.key, duty=one.duty.id)
        dates = one.dates
        row.act_by = dates.act_by if dates else None
        row.expected_last_day = dates.expected_last_day if dates else None
        row.keep_open_until = one.open_until if dates and dates.keep_open_until else None
        row.remind_on = one.act_by
        row.provisional = one.provisional
        row.settled = not one.is_open
        step.session.add(row)
    for row in existing.values():
        row.settled = True
        step.session.add(row)


def open_cases(session: Session) -> list[int]:
    """Give the cases that have an open step."""
    rows = session.exec(select(Due.case_id).where(Due.settled == False).distinct()).all()  # noqa: E712  SQL's false
    return sorted(rows)

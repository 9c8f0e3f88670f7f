"""The dates of open steps, kept beside the facts for the sweep and the lists."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlmodel import Session, select

from store.cases.lines import write_line
from store.database import connection_of, insert_rows
from store.rules import duties
from store.tables import Due

if TYPE_CHECKING:  # acts stand on this module
    from store.cases.acts import Act

_DUE: sa.Table = Due.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
_OF_A_CASE = sa.select(_DUE).where(_DUE.c.case_id == sa.bindparam("case"))
_CHANGE = sa.update(_DUE).where(_DUE.c.id == sa.bindparam("row"))
_OPEN_OF_A_CASE = sa.select(
    _DUE.c.step, _DUE.c.act_by, _DUE.c.expected_last_day, _DUE.c.keep_open_until
).where(_DUE.c.case_id == sa.bindparam("case"), _DUE.c.settled.is_(sa.false()))


def refresh_dues(step: "Act") -> None:
    """Write what the sweep and the lists read of a case beside its facts: its steps' dates and its line.

    Both are derived, and so rewritten.
    """
    steps = duties.steps(step.case, step.profile, step.calendar, step.today)
    _write_dues(step, steps)
    write_line(step, steps)


def _write_dues(step: "Act", steps: Iterable[duties.Step]) -> None:
    connection = connection_of(step.session)
    existing = {} if step.is_new else due_rows(step.session, step.case_id or 0)
    new = []
    for one in steps:
        wanted = wanted_due(step.case_id or 0, one)
        row = existing.pop(one.key, None)
        if row is None:
            new.append(wanted)
        elif any(row[name] != value for name, value in wanted.items()):
            connection.execute(_CHANGE.values(**wanted), {"row": row["id"]})
    insert_rows(step.session, Due, new)
    for row in existing.values():
        if not row["settled"]:
            connection.execute(_CHANGE.values(settled=True), {"row": row["id"]})


def due_rows(session: Session, case_id: int) -> dict[str, Mapping[str, Any]]:
    """Give the dates of a case's steps as they are kept, by the step's key."""
    found = session.connection().execute(_OF_A_CASE, {"case": case_id}).mappings()
    return {row["step"]: dict(row) for row in found}


def wanted_due(case_id: int, one: duties.Step) -> dict[str, Any]:
    """Give a step's dates as they are to be kept."""
    dates = one.dates
    return {
        "case_id": case_id,
        "step": one.key,
        "duty": one.duty.id,
        "act_by": dates.act_by if dates else None,
        "expected_last_day": dates.expected_last_day if dates else None,
        "keep_open_until": one.open_until if dates and dates.keep_open_until else None,
        "remind_on": one.act_by,
        "overdue_after": one.overdue_after,
        "provisional": one.provisional,
        "settled": not one.is_open,
    }


def open_dates(session: Session, case_id: int) -> dict[str, tuple[Any, ...]]:
    """Give the dates of a case's open steps: act by, lawful last day, open until."""
    rows = session.connection().execute(_OPEN_OF_A_CASE, {"case": case_id})
    return {row[0]: tuple(row[1:]) for row in rows}


def open_cases(session: Session) -> list[int]:
    """Give the cases that have an open step."""
    rows = session.exec(select(Due.case_id).where(Due.settled == False).distinct()).all()  # noqa: E712  SQL's false
    return sorted(rows)

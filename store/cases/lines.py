"""The docket's lines are kept beside the facts: written in the act that adds to them, and made anew at will.

They are derived, and so never the record: `docket verify` holds them against the facts, and `docket reindex`
writes them anew.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlmodel import Session

from store.database import connection_of, insert_row, insert_rows
from store.rules.docket_line import Line, line_of
from store.rules.duties import Step
from store.tables import CaseStanding, DocketLine

if TYPE_CHECKING:  # acts stand on this module
    from store.cases.acts import Act

LINES: sa.Table = DocketLine.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
STANDING: sa.Table = CaseStanding.__table__  # type: ignore[attr-defined]
_LINE = sa.select(LINES).where(LINES.c.case_id == sa.bindparam("case"))
_STANDING = sa.select(STANDING.c.person_id, STANDING.c.how).where(STANDING.c.case_id == sa.bindparam("case"))
_CHANGE = sa.update(LINES).where(LINES.c.case_id == sa.bindparam("row"))
_END = sa.delete(STANDING).where(
    STANDING.c.case_id == sa.bindparam("case"),
    STANDING.c.person_id == sa.bindparam("person"),
    STANDING.c.how == sa.bindparam("as_what"),
)


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A line as it is kept: the values of its row, and (person, how the case stands to him)."""

    values: Mapping[str, object]
    standing: frozenset[tuple[int, str]]


def as_kept(line: Line) -> KeptLine:
    """Give a line as it is to be kept."""
    values: dict[str, object] = {
        "stage": line.stage.value,
        "asides": ",".join(line.asides),
        "screened": line.screened,
        "final": line.final,
        "working": line.working,
        "next_on": line.next_on,
        "to_refer": line.to_refer,
        "to_screen": line.to_screen,
        "to_check_form": line.to_check_form,
        "failed_letters": line.failed_letters,
    }
    return KeptLine(values, frozenset((person, how.value) for person, how in line.standing))


def kept_line(session: Session, case_id: int) -> KeptLine | None:
    """Give the line of a case as it is kept; None where there is none."""
    connection = connection_of(session)
    row = connection.execute(_LINE, {"case": case_id}).mappings().one_or_none()
    if row is None:
        return None
    values = {name: value for name, value in row.items() if name != "case_id"}
    people = connection.execute(_STANDING, {"case": case_id})
    return KeptLine(values, frozenset((person, how) for person, how in people))


def write_line(step: "Act", steps: Iterable[Step]) -> None:
    """Write the line of the act's case, as its facts have it now."""
    assert step.case_id is not None
    wanted = as_kept(line_of(step.case, step.profile, steps))
    known = None if step.is_new else kept_line(step.session, step.case_id)
    if known is None:
        if not step.is_new:
            forget_line(step.session, step.case_id)  # whatever was left of it
        insert_row(step.session, DocketLine, case_id=step.case_id, **wanted.values)
    elif known.values != wanted.values:
        step.session.connection().execute(_CHANGE.values(**wanted.values), {"row": step.case_id})
    _write_standing(step, known.standing if known else frozenset(), wanted.standing)


def _write_standing(
    step: "Act", known: frozenset[tuple[int, str]], wanted: frozenset[tuple[int, str]]
) -> None:
    for person, how in known - wanted:
        row = {"case": step.case_id, "person": person, "as_what": how}
        step.session.connection().execute(_END, row)
    new = [
        {"case_id": step.case_id, "person_id": person, "how": how} for person, how in sorted(wanted - known)
    ]
    insert_rows(step.session, CaseStanding, new)


def forget_line(session: Session, case_id: int) -> None:
    """Remove the line of a case that was disposed of."""
    for table in (LINES, STANDING):
        session.connection().execute(sa.delete(table).where(table.c.case_id == case_id))

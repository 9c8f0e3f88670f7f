"""What is derived from the facts for lists and sweep, held against them and made anew.

Nothing here changes a fact. A case that was disposed of has no line; one whose facts do not open keeps what it
has, and `verify` names the entry that was altered.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sqlmodel import Session, col, select

from store.cases.acts import Act, act
from store.cases.due_dates import due_rows, refresh_dues, wanted_due
from store.cases.lines import KeptLine, as_kept, forget_line, kept_line
from store.cases.record import MACHINE, Actor, Docket, case_key
from store.ports import Progress, untold
from store.rules import duties
from store.rules.access import Deed
from store.rules.docket_line import line_of
from store.rules.duties import StepState
from store.tables import CaseRow
from store.vault import DocumentMissing

LINES = "docket lines"
_AT_ONCE = 200


def reindex(docket: Docket, actor: Actor, told: Progress = untold) -> int:
    """Write every case's line and dates anew from its facts, some cases a transaction; others go on meanwhile.

    Args:
        docket: the record.
        actor: the IT person or the clerk.
        told: hears how far it is, in cases.

    Returns:
        How many cases have a line now.

    Raises:
        NotAllowed: it is not his to do.
    """
    with act(docket, actor, Deed.REINDEX) as step:
        keys = _keys(step.session)
        step.note["cases"] = len(keys)
    written = 0
    for place in range(0, len(keys), _AT_ONCE):
        part = keys[place : place + _AT_ONCE]
        with docket.database.write() as session:
            written += sum(_write(docket, session, key) for key in part)
        told(LINES, place + len(part), len(keys))
    return written


def fill(docket: Docket, session: Session, told: Progress = untold) -> None:
    """Write the lines of a record that has none yet, inside the transaction that made room for them.

    Raises:
        KeysFault: the keys are not those of the record.
    """
    docket.keyring.prepare(session)
    keys = _keys(session)
    for place, key in enumerate(keys, 1):
        _write(docket, session, key)
        told(LINES, place, len(keys))


def _keys(session: Session) -> list[int]:
    return [key for key in session.exec(select(CaseRow.id).order_by(col(CaseRow.id))) if key is not None]


def _write(docket: Docket, session: Session, key: int) -> bool:
    if docket.keyring.is_disposed(session, case_key(key)):
        forget_line(session, key)
        return False
    try:
        refresh_dues(Act(docket, session, MACHINE, Deed.REINDEX, docket.clock.now(), key))
    except DocumentMissing:  # one damaged case keeps no other from having its line
        return False
    return True


def first_difference(step: Act, came_to: Callable[[int], None]) -> str:
    """Say which case's line or dates are not what its facts tell, and in what; empty where none is.

    Args:
        step: who asks, with the record before him.
        came_to: told how many cases were compared.
    """
    for place, key in enumerate(_keys(step.session), 1):
        of_case = Act(step.docket, step.session, step.actor, step.deed, step.now, key)
        says = _difference(of_case, key)
        if says:
            row = step.session.get(CaseRow, key)
            return f"the docket's line of {row.number if row else key} is not what its facts tell: {says}"
        came_to(place)
    return ""


def _difference(of_case: Act, key: int) -> str:
    kept = kept_line(of_case.session, key)
    if of_case.docket.keyring.is_disposed(of_case.session, case_key(key)):
        return "" if kept is None else "it was disposed of"
    steps = duties.steps(of_case.case, of_case.profile, of_case.calendar, of_case.today)
    wanted = as_kept(line_of(of_case.case, of_case.profile, steps))
    return _line_difference(kept, wanted, steps) or _due_difference(of_case, key, steps)


def _line_difference(kept: KeptLine | None, wanted: KeptLine, steps: tuple[duties.Step, ...]) -> str:
    if kept is None:
        return "there is none"
    # until the sweep has settled a right whose time is over, its day still counts as an open one
    waits_for_the_sweep = any(one.state is StepState.LAPSED for one in steps)
    passed_over = {"working", "next_on"} if waits_for_the_sweep else set()
    for name, value in wanted.values.items():
        if kept.values.get(name) != value and name not in passed_over:
            return name
    return "" if kept.standing == wanted.standing else "to whom it stands how"


def _due_difference(of_case: Act, key: int, steps: tuple[duties.Step, ...]) -> str:
    rows = due_rows(of_case.session, key)
    for one in steps:
        row = rows.pop(one.key, None)
        if one.state is StepState.LAPSED or (not one.is_open and (row is None or row["settled"])):
            continue
        wanted: Mapping[str, Any] = wanted_due(key, one)
        if row is None or any(row[name] != value for name, value in wanted.items()):
            return f"the dates of {one.key}"
    left = [name for name, row in rows.items() if not row["settled"]]
    return f"the dates of {left[0]}" if left else ""

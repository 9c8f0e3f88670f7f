"""The city's keys changed: every data key is wrapped under the newest one, and no content is touched (C6).

The twins by which names and addresses are found hang on a data key of their own, which is wrapped like the others
and stays what it is; so they stay right. A rotation that was broken off is run again.
"""

from cryptography.fernet import Fernet, InvalidToken
from sqlmodel import Session, col, func, select

from store.cases import Actor, Docket, act
from store.ports import Progress
from store.rules.access import Deed
from store.rules.counted import counted
from store.tables import DataKey
from store.vault import KeysFault

_AT_ONCE = 200
KEYS = "keys"


def rotate(docket: Docket, actor: Actor, newest: str, told: Progress) -> int:
    """Wrap every data key under the newest city key, some at a time, and prove that it alone opens them all.

    Args:
        docket: the record, opened with the newest key first and the older ones after it; nothing else runs on it.
        actor: IT.
        newest: the newest key.
        told: hears how far it is.

    Returns:
        How many data keys were wrapped anew.

    Raises:
        NotAllowed: it is not his to do.
        KeysFault: some data key does not open; the older keys must stay.
    """
    with act(docket, actor, Deed.ROTATE_KEYS) as step:
        waiting = pending(step.session, newest)
        step.note |= {"keys": "begun", "waiting": len(waiting)}
    for place in range(0, len(waiting), _AT_ONCE):
        part = waiting[place : place + _AT_ONCE]
        with docket.database.write() as session:
            for row in session.exec(select(DataKey).where(col(DataKey.id).in_(part))):
                if row.wrapped is not None:
                    row.wrapped = docket.keyring.city.rotate(row.wrapped)
                    session.add(row)
        docket.faults.reach("keys.some-wrapped")
        told(KEYS, place + len(part), len(waiting))
    with docket.database.read() as session:
        left = pending(session, newest)
    if left:
        raise KeysFault(
            f"{counted(len(left), 'data key does', 'data keys do')} not open with the newest key yet. Nothing is lost: keep the older keys, "
            "and run this again."
        )
    with act(docket, actor, Deed.ROTATE_KEYS) as step:
        step.note |= {"keys": "done", "wrapped": len(waiting)}
    return len(waiting)


def pending(session: Session, newest: str) -> list[int]:
    """Give the ids of the data keys that the newest city key alone does not open; lawful disposals left out."""
    alone = Fernet(newest)
    rows = session.exec(
        select(DataKey.id, DataKey.wrapped).where(col(DataKey.wrapped).is_not(None)).order_by(col(DataKey.id))
    )
    return [
        key for key, wrapped in rows if key is not None and wrapped is not None and not _opens(alone, wrapped)
    ]


def _opens(alone: Fernet, wrapped: bytes) -> bool:
    try:
        alone.decrypt(wrapped)
    except InvalidToken:
        return False
    return True


def count(session: Session) -> int:
    """Give how many data keys there are, those of lawful disposals left out."""
    return session.exec(
        select(func.count()).select_from(DataKey).where(col(DataKey.wrapped).is_not(None))
    ).one()

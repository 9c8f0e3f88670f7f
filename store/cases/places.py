"""Where Slack shows things, and which of its events were handled."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from store.cases.record import Docket
from store.tables import (
    SeenEvent,
    SlackPlace,
)


@dataclass(frozen=True, slots=True)
class Shown:
    """Where in Slack something is shown."""

    id: int
    kind: str
    case_id: int | None
    person: int | None
    about: int | None
    channel: str
    ts: str


def shown(
    session: Session,
    kind: str,
    *,
    case_id: int | None = None,
    person: int | None = None,
    about: int | None = None,
) -> list[Shown]:
    """Give the places in Slack of a kind that are still used; the view can be rebuilt without them (C7)."""
    query = select(SlackPlace).where(SlackPlace.kind == kind, SlackPlace.active == True)  # noqa: E712
    for column, value in (
        (SlackPlace.case_id, case_id),
        (SlackPlace.person_id, person),
        (SlackPlace.about, about),
    ):
        if value is not None:
            query = query.where(column == value)
    return [
        Shown(row.id or 0, row.kind, row.case_id, row.person_id, row.about, row.channel, row.ts)
        for row in session.exec(query.order_by(col(SlackPlace.id)))
    ]


def note_shown(
    docket: Docket,
    kind: str,
    *,
    channel: str,
    ts: str = "",
    case_id: int | None = None,
    person: int | None = None,
    about: int | None = None,
) -> None:
    """Note where in Slack something was shown."""
    with docket.database.write() as session:
        session.add(
            SlackPlace(kind=kind, case_id=case_id, person_id=person, about=about, channel=channel, ts=ts)
        )


def forget_shown(docket: Docket, place: int) -> None:
    """Note that a place in Slack is gone."""
    with docket.database.write() as session:
        row = session.get(SlackPlace, place)
        if row is not None:
            row.active = False
            session.add(row)


def claim_event(docket: Docket, event_id: str) -> bool:
    """Claim something that may be delivered several times; False when it was claimed before.

    Args:
        docket: the record.
        event_id: the same for each delivery, at most 255 characters.
    """
    with docket.database.write() as session:
        if session.get(SeenEvent, event_id) is not None:
            return False
        session.add(SeenEvent(event_id=event_id, seen_at=docket.clock.now()))
    return True


def is_claimed(docket: Docket, event_id: str) -> bool:
    """Say whether something that may be delivered several times was claimed."""
    with docket.database.read() as session:
        return session.get(SeenEvent, event_id) is not None


def release_event(docket: Docket, event_id: str) -> None:
    """Give back a claim whose handling failed, so that the next delivery is handled."""
    with docket.database.write() as session:
        row = session.get(SeenEvent, event_id)
        if row is not None:
            session.delete(row)

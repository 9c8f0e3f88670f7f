"""Calendar files: an invitation to a meeting that carries no name, and due dates that carry case numbers only (R9).

Source: RFC 5545 (iCalendar).
"""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from icalendar import Calendar, Event

from store.cases import Actor, Docket, Listing, Look, act, visible_cases
from store.rules.access import Deed
from store.rules.plans import Plan, check_when

_PRODUCT = "-//Docket//Board of Ethics//EN"


def invitation(
    docket: Docket, actor: Actor, *, begins_at: datetime, place: str, lasts: timedelta = timedelta(hours=2)
) -> bytes:
    """Make an invitation to a meeting of the Board: day, hour and place, and nobody's name or case.

    It is no notice under the Open Meetings Act (KRS 61.820, 61.823), and says so.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        begins_at: when the meeting begins, aware.
        place: where, or by which video link.
        lasts: how long it is planned for.

    Returns:
        The `.ics` file.

    Raises:
        BadInput: no zone, no place, an hour that lies behind or years ahead, or no length of a meeting.
    """
    with act(docket, actor, Deed.OPEN_MEETING) as step:
        check_when(begins_at, lasts // timedelta(minutes=1), place, step.now)
        step.note["invitation"] = begins_at.astimezone(UTC).isoformat()
        event = _event(f"meeting:{begins_at.astimezone(UTC).isoformat()}", docket.mail_from, step.now)
        event.add("summary", step.profile.city.board)
        event.add("dtstart", begins_at.astimezone(UTC))
        event.add("dtend", begins_at.astimezone(UTC) + lasts)
        event.add("location", " ".join(place.split()))
        event.add("description", "This entry is not the notice of the meeting (KRS 61.820, 61.823).")
        return _calendar([event])


def entry_of(plan: Plan, board: str, mail_from: str) -> bytes:
    """Make the calendar entry of a planned meeting: day, hour and place; nobody's name and no case.

    A change has the same UID and a higher SEQUENCE, so that a calendar changes its entry; called off, it is
    cancelled there (RFC 5545; RFC 5546, PUBLISH and CANCEL).
    """
    planned = plan.planned
    event = _event(f"planned:{plan.id}", mail_from, plan.planned_at)
    event.add("sequence", plan.sequence)
    event.add("organizer", f"mailto:{mail_from}")
    event.add("summary", board)
    event.add("dtstart", planned.begins_at)
    event.add("dtend", planned.begins_at + timedelta(minutes=planned.lasts_minutes))
    event.add("location", " ".join(planned.place.split()))
    event.add("status", "CANCELLED" if plan.called_off else "CONFIRMED")
    event.add("description", "This entry is not the notice of the meeting (KRS 61.820, 61.823).")
    return _calendar([event], method=method_of(plan))


def method_of(plan: Plan) -> str:
    """Give the method of a plan's calendar entry (RFC 5546)."""
    return "CANCEL" if plan.called_off else "PUBLISH"


def due_dates(docket: Docket, actor: Actor) -> bytes:
    """Make a calendar of the open dates in the cases that somebody may see: case numbers, and nothing else.

    A duty stands on the day to act by, a right on the last day that it stays open; days only.

    Returns:
        The `.ics` file.

    Raises:
        NotAllowed: he is not on the roster.
    """
    seen = visible_cases(docket, actor, Listing.WORKING)
    with act(docket, actor, Deed.SEE_DOCKET) as step:
        events = [event for one in seen for event in _events(docket, one, step.now)]
        step.note["dates"] = len(events)
    return _calendar(events)


def _events(docket: Docket, seen: Look, now: datetime) -> Iterator[Event]:
    for one in seen.steps:
        if not one.is_open or one.act_by is None:
            continue
        event = _event(f"{seen.case.number}:{one.key}", docket.mail_from, now)
        event.add("summary", seen.case.number)
        event.add("dtstart", one.act_by)
        event.add("dtend", one.act_by + timedelta(days=1))
        event.add("transp", "TRANSPARENT")
        yield event


def _event(mark: str, mail_from: str, now: datetime) -> Event:
    event = Event()
    # the mark is hashed, since the key of a step tells which duty it is
    digest = hashlib.sha256(mark.encode()).hexdigest()[:32]
    event.add("uid", f"{digest}@{mail_from.rpartition('@')[2]}")
    event.add("dtstamp", now)
    event.add("class", "CONFIDENTIAL")
    return event


def _calendar(events: list[Event], *, method: str = "") -> bytes:
    calendar = Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    if method:
        calendar.add("method", method)
    for event in events:
        calendar.add_component(event)
    return bytes(calendar.to_ical())

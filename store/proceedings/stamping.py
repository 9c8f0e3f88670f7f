"""The journal's head stamped by a time-stamping authority, once a day where one is set (C5, RFC 3161).

What is stamped is the SHA-256 of `NUMBER:HASH`. The token is kept as a fact; it proves that the entry, and with it
every one before, was there at the instant that the authority states, whoever holds the database since.
"""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from store import journal
from store.cases import MACHINE, Docket, act, board_facts, profile_in_force
from store.database import beat, heartbeats
from store.ports import StampingAuthority, StampRefused
from store.proceedings.reminders import clear_alarm, raise_alarm
from store.rules.access import Deed
from store.rules.dates import local_date
from store.rules.facts import HeadStamped

STAMPED, _TRIED = "head-stamped", "head-stamp-tried"
_TRY_AGAIN_AFTER = timedelta(hours=1)
_ALARM = "time-stamp"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A stamped head.

    Attributes:
        seq: the entry's number.
        hash: its hash, as it was when it was stamped.
        token: the token, DER (RFC 3161).
        kept_at: when it was kept, UTC.
        stands: whether the journal has that hash there still.
    """

    seq: int
    hash: str
    token: bytes
    kept_at: datetime
    stands: bool


def imprint(seq: int, digest: str) -> bytes:
    """Give what is stamped of a head: the SHA-256 of its number and hash."""
    return hashlib.sha256(f"{seq}:{digest}".encode()).digest()


def stamp_head(docket: Docket, authority: StampingAuthority) -> bool:
    """Have the journal's head stamped, once a day of the city; asked again after an hour where that failed.

    Args:
        docket: the record.
        authority: asked outside any transaction.

    Returns:
        True if it was stamped now.
    """
    now = docket.clock.now()
    with docket.database.read() as session:
        profile, _digest = profile_in_force(session)
        day = local_date(now, profile.city.time_zone).isoformat()
        beats = heartbeats(session)
        seq, digest = journal.head(session)
    tried = beats.get(_TRIED)
    if beats.get(STAMPED, (now, ""))[1] == day or (tried is not None and now - tried[0] < _TRY_AGAIN_AFTER):
        return False
    try:
        token = authority.stamp(imprint(seq, digest))
    except StampRefused as refusal:
        with docket.database.write() as session:
            beat(session, _TRIED, now)
        raise_alarm(
            docket,
            _ALARM,
            f"The journal's head could not be time-stamped: {refusal} The record goes on and is tried again each hour. "
            "Check DOCKET_TSA_URL.",
        )
        return False
    with act(docket, MACHINE, Deed.SWEEP) as step:
        if heartbeats(step.session).get(STAMPED, (now, ""))[1] == day:
            step.note["stamped"] = "before"
            return False
        beat(step.session, STAMPED, step.now, day)
        step.record(HeadStamped(seq, digest, base64.b64encode(token).decode()))
    clear_alarm(docket, _ALARM, "The journal's head is time-stamped again.")
    return True


def stamping_ended(docket: Docket) -> None:
    """Take back the alarm about an authority that is not asked any more."""
    clear_alarm(docket, _ALARM, "The journal's head is not time-stamped any more: no authority is set.")


def stamps(docket: Docket) -> Iterator[Stamp]:
    """Give every stamped head, and whether the journal has that hash there still; whose tokens are to be checked."""
    with docket.database.read() as session:
        found = [
            (one.fact, one.at)
            for one in board_facts(docket, session, HeadStamped)
            if isinstance(one.fact, HeadStamped)
        ]
        hashes = journal.hashes(session, [fact.seq for fact, _at in found])
    for fact, at in found:
        token = base64.b64decode(fact.token)
        yield Stamp(fact.seq, fact.hash, token, at, hashes.get(fact.seq) == fact.hash)

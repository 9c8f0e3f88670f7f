"""After a restore: the record says that it was restored, and doubts every letter that waited then (R4, L3)."""

from store import outbox
from store.backup import Manifest
from store.cases import MACHINE, Actor, Docket, act, profile_in_force, roster_of, standing_of
from store.outbox import Channel, State
from store.proceedings.delivery import doubt
from store.rules import access
from store.rules.access import Deed
from store.rules.dates import local_date

_DETAIL = "the record was restored from a backup; the letter may have gone out after the backup was made"


def record_restore(docket: Docket, actor: Actor, manifest: Manifest) -> int:
    """Record that the record was restored, and settle what waited to go by mail as uncertain.

    The backup does not know what was sent after it was made, and the machine never sends a letter twice.

    Args:
        docket: the restored record, opened.
        actor: who restored it; Docket itself where he has no right that the record knows of.
        manifest: what the backup said about itself.

    Returns:
        How many letters are uncertain now; a person decides about each.
    """
    with docket.database.read() as session:
        doubtful = [one for one in outbox.waiting(session, Channel.MAIL) if one.state is not State.UNCERTAIN]
    for one in doubtful:
        doubt(docket, one, _DETAIL)
    with act(docket, _who(docket, actor), Deed.BACK_UP) as step:
        step.note |= {
            "restored": manifest.made_at.isoformat(),
            "head": list(manifest.head),
            "uncertain": len(doubtful),
        }
    return len(doubtful)


def _who(docket: Docket, actor: Actor) -> Actor:
    """Give who is on the entry: whoever restored it, where the restored roster gives him the right."""
    with docket.database.read() as session:
        people = roster_of(docket, session)
        profile, _digest = profile_in_force(session)
    today = local_date(docket.clock.now(), profile.city.time_zone)
    return actor if access.may(Deed.BACK_UP, standing_of(actor, people, today)) else MACHINE

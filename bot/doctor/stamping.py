"""The time-stamping authority, asked live, and when it last stamped the journal's head (C5, RFC 3161)."""

import secrets
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from bot.doctor.checks import Check, fail, ok, warn
from bot.opening import Opened
from bot.stamps import HttpAuthority, check_token
from store.database import heartbeats
from store.ports import StampRefused
from store.proceedings.stamping import STAMPED

_AGE = timedelta(days=2)
_NAME, _LAST = "time stamp: authority", "time stamp: last"


def look_at_stamping(
    opened: Opened, anchors: Sequence[bytes] = (), others: Sequence[bytes] = ()
) -> Iterator[Check]:
    """Have a random number stamped, so that nothing of the record leaves; and look up the last stamp's age.

    Args:
        opened: the record; without DOCKET_TSA_URL in its settings there is nothing to look at.
        anchors: trusted certificates, DER.
        others: certificates that complete chains, DER.
    """
    url = opened.settings.tsa_url
    if url is None:
        return
    yield _asked(HttpAuthority(url), anchors, others)
    with opened.docket.database.read() as session:
        last = heartbeats(session).get(STAMPED)
    yield _age(last[0] if last else None, opened.clock.now())


def _asked(authority: HttpAuthority, anchors: Sequence[bytes], others: Sequence[bytes]) -> Check:
    digest = secrets.token_bytes(32)
    try:
        token = authority.stamp(digest)
    except StampRefused as refusal:
        return fail(
            _NAME,
            str(refusal).rstrip("."),
            "Check DOCKET_TSA_URL and the network. The record goes on; the head is tried again each hour.",
        )
    shown = check_token(token, digest, anchors, others)
    if shown is None or not shown.intact:
        return fail(_NAME, "its stamp does not hold", "Name another authority in DOCKET_TSA_URL.")
    if not shown.trusted:
        return warn(
            _NAME,
            "it stamps; its signer is traced to no trusted root",
            "Put the authority's root certificate into the folder that DOCKET_TRUST_ROOTS names.",
        )
    return ok(_NAME, "it stamps, and its signer is trusted")


def _age(last: datetime | None, now: datetime) -> Check:
    if last is None:
        return warn(_LAST, "never", "`docket run` has the head stamped once a day: let it run.")
    said = f"{last:%Y-%m-%d %H:%M} UTC"
    if now - last > _AGE:
        return fail(_LAST, said, "See the line of the authority here, and whether `docket run` runs.")
    return ok(_LAST, said)

"""What is owed to the world: letters and pings, written with the facts and delivered afterwards (R6, L3).

Order is kept per destination: the oldest unsettled row of a destination goes first, and the later
ones wait for it. A row is claimed before it is tried, so that a second copy leaves it alone. A
letter whose claim outlived its process is `uncertain` and is never sent again by the machine; a ping
in that state is shown again and says so (decisions 26).
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

import sqlalchemy as sa
from sqlmodel import Session, col, select

from store.database import Prepared, insert_row
from store.ports import UNSURE, Delivery, DeliveryState, Ping, PingKind
from store.rules.errors import Refusal
from store.tables import OutboxRow
from store.vault import CITY, DocumentMissing, KeyRef, Keyring, Owner

TOKEN_ALPHABET = "abcdefghjkmnpqrstvwxyz23456789"  # noqa: S105  an alphabet; no letter that is read for another
CLAIM_FOR = timedelta(minutes=5)
_MAIL_WAITS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(minutes=30))
_HOURLY = timedelta(hours=1)
_PING_WAITS = (timedelta(seconds=5), timedelta(seconds=20), timedelta(minutes=1))
MAX_PING_WAIT = timedelta(minutes=2)
_LONGEST_WAIT = timedelta(hours=1)


class Channel(StrEnum):
    """By which way something goes out."""

    MAIL = "mail"
    SLACK = "slack"


class State(StrEnum):
    """Where an outbox row stands."""

    HELD_BACK = "held-back"
    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    UNCERTAIN = "uncertain"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


OPEN = (State.HELD_BACK, State.QUEUED, State.SENDING)
_ROWS: sa.Table = OutboxRow.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
_DUE = Prepared(
    sa.select(_ROWS.c.id)
    .where(
        _ROWS.c.channel == sa.bindparam("the_channel"),
        sa.or_(*(_ROWS.c.state == one.value for one in OPEN)),
        sa.or_(_ROWS.c.next_try_at.is_(None), _ROWS.c.next_try_at <= sa.bindparam("now")),
    )
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter as it is owed: everything that the mail is composed of.

    Attributes:
        to: the one recipient's address.
        subject: case number and what it is; never a name.
        text: the plain-text twin.
        attachments: ids of documents, the PDF letter first.
        message_id: stable from here on, with angle brackets.
        token: stands in Reply-To and the envelope sender.
        in_reply_to: the message answered, with angle brackets; empty for none.
        auto_submitted: ``auto-replied`` or ``auto-generated`` (RFC 3834).
        unset: the letter as it was written (`Written.to_json`) while its page is not set; then empty.
    """

    to: str = field(repr=False)
    subject: str
    text: str = field(repr=False)
    attachments: tuple[int, ...]
    message_id: str
    token: str
    in_reply_to: str = ""
    auto_submitted: str = "auto-generated"
    unset: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Owed:
    """An outbox row that is due."""

    id: int
    channel: Channel
    kind: str
    case_id: int | None
    about: int | None
    tries: int
    created_at: datetime
    letter: Letter | None = None
    ping: Ping | None = None
    uncertain_before: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the queue shows of an outbox row: no content."""

    id: int
    channel: Channel
    kind: str
    state: State
    case_id: int | None
    about: int | None
    tries: int
    created_at: datetime
    next_try_at: datetime | None
    settled_at: datetime | None
    detail: str


def new_token() -> str:
    """Make a token that nobody can guess and everybody can type: 14 signs of 30."""
    return "".join(secrets.choice(TOKEN_ALPHABET) for _ in range(14))


def owe_letter(
    session: Session,
    keyring: Keyring,
    letter: Letter,
    *,
    kind: str,
    case_id: int | None,
    about: int | None,
    now: datetime,
    not_before: datetime | None = None,
) -> int:
    """Write a letter into the outbox, inside the act's transaction.

    Args:
        session: the act's session.
        keyring: seals the letter and makes its twins.
        letter: what is owed.
        kind: the letter's kind.
        case_id: its case; None for an answer about no case.
        about: id of the `LetterQueued` fact.
        now: the instant of the act, UTC.
        not_before: until when it can be undone; None to send at once.
    """
    ref = _ref(case_id)
    return insert_row(
        session,
        OutboxRow,
        channel=Channel.MAIL.value,
        destination=keyring.twin("address", letter.to),
        kind=kind,
        state=(State.HELD_BACK if letter.unset else State.QUEUED).value,
        case_id=case_id,
        about=about,
        created_at=now,
        next_try_at=not_before or now,
        tries=0,
        token_twin=keyring.twin("token", letter.token),
        message_id_twin=keyring.twin("message-id", letter.message_id),
        reference="",
        detail="",
        sealed=keyring.seal(session, ref, json.dumps(asdict(letter)).encode()),
    )


def owe_ping(
    session: Session,
    keyring: Keyring,
    *,
    kind: PingKind,
    destination: str,
    now: datetime,
    person: int | None = None,
    case_id: int | None = None,
    about: Mapping[str, object] | None = None,
    text: str = "",
) -> int:
    """Write a ping into the outbox, inside the act's transaction.

    Args:
        session: the act's session.
        keyring: seals what it says.
        kind: what is shown.
        destination: whose order it keeps: ``person:7``, ``case:3`` or ``staff``.
        now: the instant of the act, UTC.
        person: the roster person it is for.
        case_id: its case.
        about: further keys.
        text: words without content.
    """
    pairs = tuple((name, str(value)) for name, value in sorted((about or {}).items()))
    payload = {"person": person, "about": pairs, "text": text}
    return insert_row(
        session,
        OutboxRow,
        channel=Channel.SLACK.value,
        destination=f"slack:{destination}",
        kind=kind.value,
        state=State.QUEUED.value,
        case_id=case_id,
        created_at=now,
        next_try_at=now,
        tries=0,
        reference="",
        detail="",
        sealed=keyring.seal(session, _ref(case_id), json.dumps(payload).encode()),
    )


def _ref(case_id: int | None) -> KeyRef:
    return CITY if case_id is None else KeyRef(Owner.CASE, case_id)


def claim(
    session: Session, keyring: Keyring, channel: Channel, now: datetime, *, limit: int = 20
) -> list[Owed]:
    """Claim what is due: for each destination its oldest open row, if its time has come.

    Call it inside a write transaction and commit before trying anything. Rows whose claim is older
    than five minutes belonged to a process that died.

    Args:
        session: a session of `Database.write`.
        keyring: opens what is owed.
        channel: letters or pings.
        now: the present instant, UTC.
        limit: at most so many.

    Returns:
        Pings whose fate is unknown come again, marked; such letters never do: see `lost_letters`.
    """
    query = (
        select(OutboxRow)
        .where(OutboxRow.channel == channel.value, col(OutboxRow.state).in_([one.value for one in OPEN]))
        .order_by(col(OutboxRow.id))
    )
    owed: list[Owed] = []
    seen: set[str] = set()
    for row in session.exec(query):
        if row.destination in seen:
            continue
        seen.add(row.destination)
        if row.state == State.HELD_BACK or (row.next_try_at is not None and row.next_try_at > now):
            continue
        before = row.state == State.SENDING
        if before and channel is Channel.MAIL:
            continue
        try:
            owed.append(_take(session, keyring, row, now, before=before))
        except (DocumentMissing, Refusal) as error:
            # damaged, or of a case that was disposed of: it can never go, and it stops no other
            row.detail = str(error)
            _end(row, State.REFUSED, now)
            session.add(row)
        if len(owed) >= limit:
            break
    return owed


def bring_forward(session: Session, now: datetime) -> int:
    """Make due what waits for an instant that no wait of ours reaches: the clock was set back since.

    A letter gets the time of a claim once more: its sender may live, or somebody may want to take it back.

    Args:
        session: a session of `Database.write`.
        now: the present instant, UTC.

    Returns:
        How many rows were brought forward.
    """
    rows = session.exec(
        select(OutboxRow).where(
            col(OutboxRow.state).in_([one.value for one in OPEN]),
            col(OutboxRow.next_try_at) > now + _LONGEST_WAIT,
        )
    ).all()
    for row in rows:
        at_once = row.channel == Channel.SLACK and row.state != State.SENDING
        row.next_try_at = now if at_once else now + CLAIM_FOR
        session.add(row)
    return len(rows)


def is_due(session: Session, channel: Channel, now: datetime) -> bool:
    """Say whether any open row of a channel has come to its time, so that looking takes no write lock.

    What is due for `claim` is among these, and so are the letters of `lost_letters` and `unset_letters`.
    """
    return _DUE.first(session, the_channel=channel.value, now=now) is not None


def _take(session: Session, keyring: Keyring, row: OutboxRow, now: datetime, *, before: bool) -> Owed:
    row.state = State.SENDING.value
    row.tries += 1
    row.next_try_at = now + CLAIM_FOR
    session.add(row)
    return _read(session, keyring, row, uncertain_before=before)


def _read(session: Session, keyring: Keyring, row: OutboxRow, *, uncertain_before: bool = False) -> Owed:
    payload = json.loads(keyring.unseal(session, _ref(row.case_id), row.sealed))
    assert row.id is not None
    letter = ping = None
    if row.channel == Channel.MAIL:
        letter = Letter(**{**payload, "attachments": tuple(payload["attachments"])})
    else:
        ping = Ping(
            PingKind(row.kind),
            row.id,
            payload["person"],
            row.case_id,
            tuple((name, value) for name, value in payload["about"]),
            payload["text"],
            row.tries - 1,
            uncertain_before or row.detail.startswith(UNSURE),
        )
    return Owed(
        row.id,
        Channel(row.channel),
        row.kind,
        row.case_id,
        row.about,
        row.tries,
        row.created_at,
        letter,
        ping,
        uncertain_before,
    )


def unset_letters(session: Session, now: datetime, *, limit: int = 20) -> list[int]:
    """Give the letters that were written and wait for their page, oldest first."""
    query = (
        select(OutboxRow.id)
        .where(
            OutboxRow.channel == Channel.MAIL.value,
            OutboxRow.state == State.HELD_BACK.value,
            col(OutboxRow.next_try_at) <= now,
        )
        .order_by(col(OutboxRow.id))
        .limit(limit)
    )
    return [key for key in session.exec(query) if key is not None]


def is_unset(session: Session, outbox_id: int) -> bool:
    """Say whether a letter waits for its page."""
    row = session.get(OutboxRow, outbox_id)
    return row is not None and row.state == State.HELD_BACK


def set_letter(session: Session, keyring: Keyring, outbox_id: int, letter: Letter) -> None:
    """Put the letter with its page in the place of the one that was written; it goes out now.

    Args:
        session: a session of `Database.write`.
        keyring: seals the letter.
        outbox_id: its row.
        letter: with text and attachments, and nothing unset.
    """
    row = session.get(OutboxRow, outbox_id)
    assert row is not None
    row.sealed = keyring.seal(session, _ref(row.case_id), json.dumps(asdict(letter)).encode())
    row.state = State.QUEUED.value
    row.detail = ""
    session.add(row)


def not_set(session: Session, outbox_id: int, said: str, again_at: datetime | None, now: datetime) -> bool:
    """Note that a letter's page could not be set.

    Args:
        session: a session of `Database.write`.
        outbox_id: its row.
        said: why, without content.
        again_at: when it is tried again, UTC; None for never.
        now: the present instant, UTC.

    Returns:
        True the first time, so that staff are told once.
    """
    row = session.get(OutboxRow, outbox_id)
    if row is None or row.state != State.HELD_BACK:
        return False
    first, row.detail = row.detail != said[:500], said[:500]
    if again_at is None:
        _end(row, State.REFUSED, now)
    else:
        row.next_try_at = again_at
    session.add(row)
    return first


def lost_letters(session: Session, now: datetime) -> list[Waiting]:
    """Give the letters that a process claimed and never settled: their fate is unknown (L3)."""
    query = select(OutboxRow).where(
        OutboxRow.channel == Channel.MAIL.value,
        OutboxRow.state == State.SENDING.value,
        col(OutboxRow.next_try_at) <= now,
    )
    return [_waiting(row) for row in session.exec(query)]


def found_again(session: Session, outbox_id: int, lost_at: datetime | None) -> State | None:
    """Give the state of a letter that was taken for lost, if its sender has answered after all.

    Args:
        session: a session of `Database.write`.
        outbox_id: the letter's row.
        lost_at: when it was taken for lost, UTC; None for one that was not.

    Returns:
        Where it stands by its sender's own answer; None while it is lost.
    """
    row = session.get(OutboxRow, outbox_id)
    assert row is not None
    if lost_at is None:
        return None
    lost = row.state == State.SENDING and row.next_try_at is not None and row.next_try_at <= lost_at
    return None if lost else State(row.state)


def read(session: Session, keyring: Keyring, outbox_id: int) -> Owed | None:
    """Give one row with its content; None where there is none."""
    row = session.get(OutboxRow, outbox_id)
    return _read(session, keyring, row) if row else None


def settle(session: Session, outbox_id: int, delivery: Delivery, now: datetime) -> State:
    """Write how a try ended.

    Args:
        session: a session of `Database.write`.
        outbox_id: the row.
        delivery: how the try ended.
        now: the instant of the answer, UTC.

    Returns:
        Where the row stands now; ``queued`` when it will be tried again.
    """
    row = session.get(OutboxRow, outbox_id)
    assert row is not None
    row.detail, row.reference = delivery.detail[:500], delivery.reference or row.reference
    match delivery.state:
        case DeliveryState.ACCEPTED:
            _end(row, State.SENT, now)
        case DeliveryState.UNCERTAIN:
            _end(row, State.UNCERTAIN, now)
        case DeliveryState.REFUSED_FOR_GOOD:
            _end(row, State.REFUSED, now)
        case DeliveryState.TRY_LATER:
            row.state = State.QUEUED.value
            row.next_try_at = now + _wait(Channel(row.channel), row.tries, delivery.retry_after_s)
    session.add(row)
    return State(row.state)


def _end(row: OutboxRow, state: State, now: datetime) -> None:
    row.state = state.value
    row.settled_at = now
    row.next_try_at = None


def _wait(channel: Channel, tries: int, asked_s: float | None) -> timedelta:
    """Give how long to wait: mail after 1, 5, 15, 30 minutes, then hourly; pings sooner (mail.md)."""
    if asked_s is not None:
        return timedelta(seconds=max(asked_s, 1))
    if channel is Channel.MAIL:
        return _MAIL_WAITS[tries - 1] if tries <= len(_MAIL_WAITS) else _HOURLY
    return _PING_WAITS[tries - 1] if tries <= len(_PING_WAITS) else MAX_PING_WAIT


def withdraw(session: Session, outbox_id: int, now: datetime) -> bool:
    """Take back a letter that did not go out yet; False when it is too late."""
    row = session.get(OutboxRow, outbox_id)
    if row is None or row.state not in {State.QUEUED, State.HELD_BACK}:
        return False
    _end(row, State.WITHDRAWN, now)
    session.add(row)
    return True


def by_token(session: Session, keyring: Keyring, token: str) -> Waiting | None:
    """Find a letter by its token; None where there is none."""
    return _find(session, _BY_TOKEN, keyring.twin("token", token))


def by_message_id(session: Session, keyring: Keyring, message_id: str) -> Waiting | None:
    """Find a letter by its Message-ID; None where there is none."""
    return _find(session, _BY_MESSAGE_ID, keyring.twin("message-id", message_id))


_BY_TOKEN = Prepared(sa.select(_ROWS.c.id).where(_ROWS.c.token_twin == sa.bindparam("twin")).limit(1))
_BY_MESSAGE_ID = Prepared(
    sa.select(_ROWS.c.id).where(_ROWS.c.message_id_twin == sa.bindparam("twin")).limit(1)
)


def _find(session: Session, asked: Prepared, twin: str) -> Waiting | None:
    found = asked.first(session, twin=twin)
    row = session.get(OutboxRow, found[0]) if found else None
    return _waiting(row) if row else None


def waiting(session: Session, channel: Channel | None = None) -> list[Waiting]:
    """Give everything that is not settled, oldest first, without content."""
    query = (
        select(OutboxRow)
        .where(col(OutboxRow.state).in_([*(one.value for one in OPEN), State.UNCERTAIN.value]))
        .order_by(col(OutboxRow.id))
    )
    if channel is not None:
        query = query.where(OutboxRow.channel == channel.value)
    return [_waiting(row) for row in session.exec(query)]


def next_due(session: Session, channel: Channel) -> datetime | None:
    """Give when the next row of a channel is to be tried, UTC; None while nothing waits."""
    query = (
        select(OutboxRow.next_try_at)
        .where(OutboxRow.channel == channel.value, col(OutboxRow.state).in_([one.value for one in OPEN]))
        .order_by(col(OutboxRow.next_try_at))
        .limit(1)
    )
    return session.exec(query).first()


def _waiting(row: OutboxRow) -> Waiting:
    assert row.id is not None
    return Waiting(
        row.id,
        Channel(row.channel),
        row.kind,
        State(row.state),
        row.case_id,
        row.about,
        row.tries,
        row.created_at,
        row.next_try_at,
        row.settled_at,
        row.detail,
    )

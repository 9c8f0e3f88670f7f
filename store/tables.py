"""The tables of the record. Nothing here leaves `store`.

Facts and journal entries are written once and never changed; the database itself refuses it. What a
case or a person is follows from facts. Confidential content is sealed bytes; what must be found has a
keyed-HMAC twin in `lookup` (requirement C6).
"""

from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel
from typing_extensions import override

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


class Instant(sa.types.TypeDecorator[datetime]):
    """An instant: aware UTC in and out, whatever the database keeps."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    @override
    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Refuse a naive instant, store UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant needs a zone; a naive one was given to the record")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    @override
    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Give aware UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Table(SQLModel):
    """What all tables share: names of constraints that migrations can rely on."""


SQLModel.metadata.naming_convention = NAMING

BIG_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _key() -> Any:
    return Field(default=None, sa_type=BIG_ID, primary_key=True)


def _ref(target: str, *, nullable: bool = False, index: bool = True) -> Any:
    return Field(
        default=None,
        sa_type=BIG_ID,
        foreign_key=target,
        nullable=nullable,
        index=index,
    )


def _instant(*, nullable: bool = False, index: bool = False) -> Any:
    return Field(default=None, sa_type=Instant, nullable=nullable, index=index)


class DataKey(Table, table=True):
    """A key for one owner's content (the city, a case, a mail), wrapped under the city's keys."""

    __tablename__ = "data_key"
    __table_args__ = (sa.UniqueConstraint("kind", "owner"),)
    id: int | None = _key()
    kind: str
    owner: int = Field(sa_type=BIG_ID)
    wrapped: bytes | None
    disposed_at: datetime | None = _instant(nullable=True)


class Person(Table, table=True):
    """A person of the roster, by internal id; everything else about him is a dated fact."""

    __tablename__ = "person"
    id: int | None = _key()
    known_since: datetime = _instant()


class AdoptedProfile(Table, table=True):
    """A version of the ordinance profile, by hash."""

    __tablename__ = "adopted_profile"
    hash: str = Field(primary_key=True)
    text: str = Field(sa_type=sa.Text)
    adopted_at: datetime = _instant()


class AdoptedCalendar(Table, table=True):
    """A version of the city's calendar: closures, proclaimed holidays, adopted years."""

    __tablename__ = "adopted_calendar"
    id: int | None = _key()
    version: str = Field(index=True)
    text: str = Field(sa_type=sa.Text)
    adopted_at: datetime = _instant()


class CaseCounter(Table, table=True):
    """The last number taken in a year; never goes back (decisions: a number is never used twice)."""

    __tablename__ = "case_counter"
    year: int = Field(primary_key=True)
    last: int


class CaseRow(Table, table=True):
    """A case: its internal key and its number; what it is follows from its facts."""

    __tablename__ = "docket_case"
    __table_args__ = (sa.UniqueConstraint("year", "seq"),)
    id: int | None = _key()
    number: str = Field(unique=True)
    year: int
    seq: int
    received_at: datetime = _instant()
    filed_at: datetime = _instant()
    profile_hash: str = Field(foreign_key="adopted_profile.hash")
    practice: bool = False


class JournalRow(Table, table=True):
    """One entry of the journal: a header in the chain, its content sealed beside it (C5)."""

    __tablename__ = "journal_entry"
    seq: int = Field(sa_type=BIG_ID, primary_key=True)
    prev: str
    hash: str = Field(unique=True)
    header: str = Field(sa_type=sa.Text)
    case_id: int | None = _ref("docket_case.id", nullable=True)
    at: datetime = _instant(index=True)
    act: str
    body: bytes


class FactRow(Table, table=True):
    """One recorded fact. A correction is a further fact that supersedes this one."""

    __tablename__ = "fact"
    id: int | None = _key()
    kind: str = Field(index=True)
    case_id: int | None = _ref("docket_case.id", nullable=True)
    about: int | None = _ref("fact.id", nullable=True)
    supersedes: int | None = _ref("fact.id", nullable=True, index=False)
    recorded_at: datetime = _instant()
    recorded_by: int | None = _ref("person.id", nullable=True, index=False)
    # written before its entry, in the same transaction: the entry's content holds the fact's id
    entry: int = Field(
        sa_column=sa.Column(
            BIG_ID,
            sa.ForeignKey("journal_entry.seq", deferrable=True, initially="DEFERRED"),
            nullable=False,
            index=True,
        )
    )
    dedupe: str | None = Field(default=None, unique=True)
    body: bytes


class Lookup(Table, table=True):
    """The keyed-HMAC twin of something sealed that must be found: an address, a name, an account."""

    __tablename__ = "lookup"
    __table_args__ = (sa.Index("ix_lookup_what_twin", "what", "twin"),)
    id: int | None = _key()
    what: str
    twin: str
    fact_id: int = _ref("fact.id")
    case_id: int | None = _ref("docket_case.id", nullable=True)
    person_id: int | None = _ref("person.id", nullable=True)


class MailboxStart(Table, table=True):
    """From when on a mailbox folder is read (I10)."""

    __tablename__ = "mailbox_start"
    __table_args__ = (sa.UniqueConstraint("server", "account", "folder"),)
    id: int | None = _key()
    server: str
    account: str
    folder: str
    read_from: datetime = _instant()


class RawMail(Table, table=True):
    """A message's bytes, kept once; the vault holds them sealed."""

    __tablename__ = "raw_mail"
    id: int | None = _key()
    sha256: str = Field(unique=True)
    size: int
    vault_name: str
    kept_at: datetime = _instant()


class Sighting(Table, table=True):
    """A message seen in a mailbox: which folder, under which identity (decisions: UID identity)."""

    __tablename__ = "sighting"
    __table_args__ = (
        sa.UniqueConstraint("server", "account", "folder", "uidvalidity", "uid", "size", "internaldate"),
    )
    id: int | None = _key()
    raw_id: int | None = _ref("raw_mail.id", nullable=True)
    server: str
    account: str
    folder: str
    uidvalidity: int = Field(sa_type=BIG_ID)
    uid: int = Field(sa_type=BIG_ID)
    size: int
    internaldate: datetime = _instant()
    offset_minutes: int = 0
    seen_at: datetime = _instant()


class MailItem(Table, table=True):
    """A message that the clerk answers for: in a case, in the holding pen, or set aside (I1).

    ``place`` follows from the item's facts and is kept beside it for the queue.
    """

    __tablename__ = "mail_item"
    id: int | None = _key()
    raw_id: int | None = _ref("raw_mail.id", nullable=True)
    sighting_id: int | None = _ref("sighting.id", nullable=True)
    place: str = Field(index=True)
    received_at: datetime = _instant()
    taken_at: datetime = _instant()
    message_id_twin: str | None = Field(default=None, index=True)
    content_sha256: str | None = Field(default=None)
    case_id: int | None = _ref("docket_case.id", nullable=True)
    placed_by: int | None = _ref("fact.id", nullable=True, index=False)
    tries: int = 0
    next_try_at: datetime | None = _instant(nullable=True)


class Document(Table, table=True):
    """A paper of a case or of a held message; the vault holds the bytes sealed."""

    __tablename__ = "document"
    id: int | None = _key()
    case_id: int | None = _ref("docket_case.id", nullable=True)
    mail_item_id: int | None = _ref("mail_item.id", nullable=True)
    kind: str
    media_type: str
    size: int
    sha256: str = Field(index=True)
    vault_name: str
    key_kind: str
    key_owner: int = Field(sa_type=BIG_ID)
    received_at: datetime = _instant()
    kept_at: datetime = _instant()
    sealed: bytes


class OutboxRow(Table, table=True):
    """Something owed to the world: a letter or a ping, in order per destination (decisions 26)."""

    __tablename__ = "outbox"
    __table_args__ = (sa.Index("ix_outbox_open", "state", "next_try_at"),)
    id: int | None = _key()
    channel: str
    destination: str = Field(index=True)
    kind: str
    state: str
    case_id: int | None = _ref("docket_case.id", nullable=True)
    about: int | None = _ref("fact.id", nullable=True)
    created_at: datetime = _instant()
    next_try_at: datetime | None = _instant(nullable=True)
    tries: int = 0
    settled_at: datetime | None = _instant(nullable=True)
    token_twin: str | None = Field(default=None, unique=True)
    message_id_twin: str | None = Field(default=None, index=True)
    reference: str = ""
    detail: str = ""
    sealed: bytes


class Due(Table, table=True):
    """An open step's dates, derived from facts and recomputed with each act; the sweep reads these."""

    __tablename__ = "due"
    __table_args__ = (
        sa.UniqueConstraint("case_id", "step"),
        sa.Index("ix_due_open", "settled", "remind_on", "case_id"),
        sa.Index("ix_due_overdue", "settled", "overdue_after", "case_id"),
    )
    id: int | None = _key()
    case_id: int = _ref("docket_case.id")
    step: str
    duty: str
    act_by: date | None = Field(default=None)
    expected_last_day: date | None = Field(default=None)
    keep_open_until: date | None = Field(default=None)
    remind_on: date | None = Field(default=None)
    overdue_after: date | None = Field(default=None)
    provisional: bool = False
    settled: bool = False


class DocketLine(Table, table=True):
    """A case's line in the lists, derived from its facts and written anew with each act; no name, no content.

    ``working``: some step is open. ``next_on``: the first day by which one is to be done; the last day that
    there is where none has a day.
    """

    __tablename__ = "docket_line"
    __table_args__ = (
        sa.Index("ix_docket_line_working", "working", "screened", "final"),
        sa.Index("ix_docket_line_next", "working", "next_on", "case_id", "screened", "final"),
        sa.Index("ix_docket_line_newest", "working", "case_id"),
        sa.Index("ix_docket_line_refer", "to_refer", "screened", "final", "case_id"),
        sa.Index("ix_docket_line_failed", "failed_letters"),
        sa.Index("ix_docket_line_screen", "to_screen", "screened", "final", "case_id"),
        sa.Index("ix_docket_line_form", "to_check_form", "screened", "final", "case_id"),
    )
    case_id: int = Field(
        sa_column=sa.Column(BIG_ID, sa.ForeignKey("docket_case.id"), primary_key=True, autoincrement=False)
    )
    stage: str
    asides: str
    screened: bool
    final: bool
    working: bool
    next_on: date
    to_refer: bool
    failed_letters: int
    to_screen: bool
    to_check_form: bool


class CaseStanding(Table, table=True):
    """How a case stands to a person of the roster, by his id: derived from its facts, like its line."""

    __tablename__ = "case_standing"
    __table_args__ = (sa.Index("ix_case_standing_person", "person_id", "how", "case_id"),)
    case_id: int = Field(
        sa_column=sa.Column(BIG_ID, sa.ForeignKey("docket_case.id"), primary_key=True, autoincrement=False)
    )
    person_id: int = Field(sa_column=sa.Column(BIG_ID, primary_key=True, autoincrement=False))
    how: str = Field(primary_key=True)


class ReminderSent(Table, table=True):
    """A reminder of one step, at one stage, to one person: goes once (D5)."""

    __tablename__ = "reminder_sent"
    __table_args__ = (sa.UniqueConstraint("case_id", "step", "stage", "person_id"),)
    id: int | None = _key()
    case_id: int = _ref("docket_case.id")
    step: str
    stage: str
    person_id: int = _ref("person.id")
    sent_at: datetime = _instant()


class Lease(Table, table=True):
    """Who leads: polls and sweeps. A row, so that it dies with nobody (decisions 23)."""

    __tablename__ = "lease"
    name: str = Field(primary_key=True)
    holder: str
    until: datetime = _instant()


class Heartbeat(Table, table=True):
    """When something last worked: a poll, a sweep, a backup."""

    __tablename__ = "heartbeat"
    name: str = Field(primary_key=True)
    at: datetime = _instant()
    state: str = "ok"


class SlackPlace(Table, table=True):
    """Where in Slack something of a case is shown; a view that can be rebuilt (C7)."""

    __tablename__ = "slack_place"
    id: int | None = _key()
    kind: str = Field(index=True)
    case_id: int | None = _ref("docket_case.id", nullable=True)
    person_id: int | None = _ref("person.id", nullable=True)
    about: int | None = Field(default=None, sa_type=BIG_ID)
    channel: str
    ts: str = ""
    active: bool = True


class SeenEvent(Table, table=True):
    """A Slack event id that was handled: a redelivery counts once."""

    __tablename__ = "seen_event"
    event_id: str = Field(primary_key=True)
    seen_at: datetime = _instant()

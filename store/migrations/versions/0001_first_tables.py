"""The record's first tables.

Revision: 0001, the first.

Facts and journal entries are append-only in the database too: triggers refuse every change and
removal, whoever asks (C5).
"""

import sqlalchemy as sa
from alembic import op

APPEND_ONLY = ("fact", "journal_entry")
_IN_THE_WAY = {
    "fact": "id = NEW.id OR dedupe = NEW.dedupe",
    "journal_entry": "seq = NEW.seq OR hash = NEW.hash",
}

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "adopted_calendar",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("adopted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adopted_calendar")),
    )
    op.create_index(op.f("ix_adopted_calendar_version"), "adopted_calendar", ["version"], unique=False)
    op.create_table(
        "adopted_profile",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("adopted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_adopted_profile")),
    )
    op.create_table(
        "case_counter",
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("year", name=op.f("pk_case_counter")),
    )
    op.create_table(
        "data_key",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("owner", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=True),
        sa.Column("disposed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_key")),
        sa.UniqueConstraint("kind", "owner", name=op.f("uq_data_key_kind")),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "lease",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_lease")),
    )
    op.create_table(
        "mailbox_start",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("folder", sa.String(), nullable=False),
        sa.Column("read_from", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mailbox_start")),
        sa.UniqueConstraint("server", "account", "folder", name=op.f("uq_mailbox_start_server")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("known_since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
    )
    op.create_table(
        "raw_mail",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("vault_name", sa.String(), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_raw_mail")),
        sa.UniqueConstraint("sha256", name=op.f("uq_raw_mail_sha256")),
    )
    op.create_table(
        "seen_event",
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("event_id", name=op.f("pk_seen_event")),
    )
    op.create_table(
        "docket_case",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("filed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("profile_hash", sa.String(), nullable=False),
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["profile_hash"], ["adopted_profile.hash"], name=op.f("fk_docket_case_profile_hash")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_docket_case")),
        sa.UniqueConstraint("number", name=op.f("uq_docket_case_number")),
        sa.UniqueConstraint("year", "seq", name=op.f("uq_docket_case_year")),
    )
    op.create_table(
        "sighting",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("raw_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("folder", sa.String(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("uid", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("internaldate", sa.DateTime(timezone=True), nullable=False),
        sa.Column("offset_minutes", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["raw_id"], ["raw_mail.id"], name=op.f("fk_sighting_raw_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sighting")),
        sa.UniqueConstraint(
            "server",
            "account",
            "folder",
            "uidvalidity",
            "uid",
            "size",
            "internaldate",
            name=op.f("uq_sighting_server"),
        ),
    )
    op.create_index(op.f("ix_sighting_raw_id"), "sighting", ["raw_id"], unique=False)
    op.create_table(
        "due",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("case_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("duty", sa.String(), nullable=False),
        sa.Column("act_by", sa.Date(), nullable=True),
        sa.Column("expected_last_day", sa.Date(), nullable=True),
        sa.Column("keep_open_until", sa.Date(), nullable=True),
        sa.Column("remind_on", sa.Date(), nullable=True),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_due_case_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_due")),
        sa.UniqueConstraint("case_id", "step", name=op.f("uq_due_case_id")),
    )
    op.create_index(op.f("ix_due_case_id"), "due", ["case_id"], unique=False)
    op.create_index("ix_due_open", "due", ["settled", "remind_on"], unique=False)
    op.create_table(
        "journal_entry",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("prev", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("case_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_journal_entry_case_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_journal_entry")),
        sa.UniqueConstraint("hash", name=op.f("uq_journal_entry_hash")),
    )
    op.create_index(op.f("ix_journal_entry_at"), "journal_entry", ["at"], unique=False)
    op.create_index(op.f("ix_journal_entry_case_id"), "journal_entry", ["case_id"], unique=False)
    op.create_table(
        "fact",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("case_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("about", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("supersedes", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("entry", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("dedupe", sa.String(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["about"], ["fact.id"], name=op.f("fk_fact_about")),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_fact_case_id")),
        sa.ForeignKeyConstraint(
            ["entry"],
            ["journal_entry.seq"],
            name=op.f("fk_fact_entry"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(["recorded_by"], ["person.id"], name=op.f("fk_fact_recorded_by")),
        sa.ForeignKeyConstraint(["supersedes"], ["fact.id"], name=op.f("fk_fact_supersedes")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fact")),
        sa.UniqueConstraint("dedupe", name=op.f("uq_fact_dedupe")),
    )
    op.create_index(op.f("ix_fact_about"), "fact", ["about"], unique=False)
    op.create_index(op.f("ix_fact_case_id"), "fact", ["case_id"], unique=False)
    op.create_index(op.f("ix_fact_entry"), "fact", ["entry"], unique=False)
    op.create_index(op.f("ix_fact_kind"), "fact", ["kind"], unique=False)
    op.create_table(
        "mail_item",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("raw_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("sighting_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("message_id_twin", sa.String(), nullable=True),
        sa.Column("content_sha256", sa.String(), nullable=True),
        sa.Column("case_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("placed_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_mail_item_case_id")),
        sa.ForeignKeyConstraint(["raw_id"], ["raw_mail.id"], name=op.f("fk_mail_item_raw_id")),
        sa.ForeignKeyConstraint(["sighting_id"], ["sighting.id"], name=op.f("fk_mail_item_sighting_id")),
        sa.ForeignKeyConstraint(["placed_by"], ["fact.id"], name=op.f("fk_mail_item_placed_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_item")),
    )
    op.create_index(op.f("ix_mail_item_case_id"), "mail_item", ["case_id"], unique=False)
    op.create_index(op.f("ix_mail_item_message_id_twin"), "mail_item", ["message_id_twin"], unique=False)
    op.create_index(op.f("ix_mail_item_place"), "mail_item", ["place"], unique=False)
    op.create_index(op.f("ix_mail_item_raw_id"), "mail_item", ["raw_id"], unique=False)
    op.create_index(op.f("ix_mail_item_sighting_id"), "mail_item", ["sighting_id"], unique=False)
    op.create_table(
        "reminder_sent",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("case_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_reminder_sent_case_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_reminder_sent_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reminder_sent")),
        sa.UniqueConstraint("case_id", "step", "stage", "person_id", name=op.f("uq_reminder_sent_case_id")),
    )
    op.create_index(op.f("ix_reminder_sent_case_id"), "reminder_sent", ["case_id"], unique=False)
    op.create_index(op.f("ix_reminder_sent_person_id"), "reminder_sent", ["person_id"], unique=False)
    op.create_table(
        "slack_place",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("case_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("about", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("ts", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_slack_place_case_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_slack_place_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slack_place")),
    )
    op.create_index(op.f("ix_slack_place_case_id"), "slack_place", ["case_id"], unique=False)
    op.create_index(op.f("ix_slack_place_kind"), "slack_place", ["kind"], unique=False)
    op.create_index(op.f("ix_slack_place_person_id"), "slack_place", ["person_id"], unique=False)
    op.create_table(
        "document",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("case_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("mail_item_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("vault_name", sa.String(), nullable=False),
        sa.Column("key_kind", sa.String(), nullable=False),
        sa.Column("key_owner", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_document_case_id")),
        sa.ForeignKeyConstraint(["mail_item_id"], ["mail_item.id"], name=op.f("fk_document_mail_item_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document")),
    )
    op.create_index(op.f("ix_document_case_id"), "document", ["case_id"], unique=False)
    op.create_index(op.f("ix_document_mail_item_id"), "document", ["mail_item_id"], unique=False)
    op.create_index(op.f("ix_document_sha256"), "document", ["sha256"], unique=False)
    op.create_table(
        "lookup",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("twin", sa.String(), nullable=False),
        sa.Column("fact_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("case_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_lookup_case_id")),
        sa.ForeignKeyConstraint(["fact_id"], ["fact.id"], name=op.f("fk_lookup_fact_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_lookup_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lookup")),
    )
    op.create_index(op.f("ix_lookup_case_id"), "lookup", ["case_id"], unique=False)
    op.create_index(op.f("ix_lookup_fact_id"), "lookup", ["fact_id"], unique=False)
    op.create_index(op.f("ix_lookup_person_id"), "lookup", ["person_id"], unique=False)
    op.create_index("ix_lookup_what_twin", "lookup", ["what", "twin"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("destination", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("case_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("about", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("token_twin", sa.String(), nullable=True),
        sa.Column("message_id_twin", sa.String(), nullable=True),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["about"], ["fact.id"], name=op.f("fk_outbox_about")),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_outbox_case_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("token_twin", name=op.f("uq_outbox_token_twin")),
    )
    op.create_index(op.f("ix_outbox_about"), "outbox", ["about"], unique=False)
    op.create_index(op.f("ix_outbox_case_id"), "outbox", ["case_id"], unique=False)
    op.create_index(op.f("ix_outbox_destination"), "outbox", ["destination"], unique=False)
    op.create_index(op.f("ix_outbox_message_id_twin"), "outbox", ["message_id_twin"], unique=False)
    op.create_index("ix_outbox_open", "outbox", ["state", "next_try_at"], unique=False)

    if op.get_bind().dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for change in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, 'append-only'); END"
                )
            # REPLACE removes the row that is in its way, and SQLite fires no trigger for that
            op.execute(
                f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "  # noqa: S608  names of this file
                f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {_IN_THE_WAY[table]}) "
                f"BEGIN SELECT RAISE(ABORT, 'append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'append-only'; END $$"
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )

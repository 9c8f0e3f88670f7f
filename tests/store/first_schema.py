"""A record taken back to the first schema, as an earlier Docket would have left it."""

import sqlalchemy as sa

from store.database import Database

_BACK_TO_0001 = (
    "DROP TABLE docket_line",
    "DROP TABLE case_standing",
    "DROP INDEX ix_due_overdue",
    "DROP INDEX ix_due_open",
    "CREATE INDEX ix_due_open ON due (settled, remind_on)",
    "ALTER TABLE due DROP COLUMN overdue_after",
    "UPDATE alembic_version SET version_num = '0001'",
)


def take_back(database: Database) -> None:
    """Give a database the first schema again; what is derived in later ones is gone."""
    with database.engine.begin() as connection:
        for statement in _BACK_TO_0001:
            connection.execute(sa.text(statement))

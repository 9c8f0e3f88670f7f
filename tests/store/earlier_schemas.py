"""A record taken back to an earlier schema, as an earlier Docket would have left it."""

import sqlalchemy as sa

from store.database import Database

EARLIER = ("0001", "0002")
_BACK = {
    "0002": (
        "DROP INDEX ix_docket_line_screen",
        "DROP INDEX ix_docket_line_form",
        "ALTER TABLE docket_line DROP COLUMN to_screen",
        "ALTER TABLE docket_line DROP COLUMN to_check_form",
        "UPDATE alembic_version SET version_num = '0002'",
    ),
    "0001": (
        "DROP TABLE docket_line",
        "DROP TABLE case_standing",
        "DROP INDEX ix_due_overdue",
        "DROP INDEX ix_due_open",
        "CREATE INDEX ix_due_open ON due (settled, remind_on)",
        "ALTER TABLE due DROP COLUMN overdue_after",
        "UPDATE alembic_version SET version_num = '0001'",
    ),
}


def take_back(database: Database, to: str = EARLIER[0]) -> None:
    """Give a database an earlier schema again; what is derived in later ones is gone."""
    with database.engine.begin() as connection:
        for revision, statements in _BACK.items():
            if revision >= to:
                for statement in statements:
                    connection.execute(sa.text(statement))

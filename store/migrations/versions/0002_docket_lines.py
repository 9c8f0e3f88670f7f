"""The docket's lines: lists are read from one row a case, and are not built from every case's facts.

Revision: 0002, after 0001.

What stands in the new tables is derived; it is filled from the facts in the same transaction, by whoever has
the keys that open them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "docket_line",
        sa.Column("case_id", _BIG, nullable=False, autoincrement=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("asides", sa.String(), nullable=False),
        sa.Column("screened", sa.Boolean(), nullable=False),
        sa.Column("final", sa.Boolean(), nullable=False),
        sa.Column("working", sa.Boolean(), nullable=False),
        sa.Column("next_on", sa.Date(), nullable=False),
        sa.Column("to_refer", sa.Boolean(), nullable=False),
        sa.Column("failed_letters", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_docket_line_case_id")),
        sa.PrimaryKeyConstraint("case_id", name=op.f("pk_docket_line")),
    )
    op.create_index("ix_docket_line_working", "docket_line", ["working", "screened", "final"])
    op.create_index(
        "ix_docket_line_next", "docket_line", ["working", "next_on", "case_id", "screened", "final"]
    )
    op.create_index("ix_docket_line_newest", "docket_line", ["working", "case_id"])
    op.create_index("ix_docket_line_refer", "docket_line", ["to_refer", "screened", "final", "case_id"])
    op.create_index("ix_docket_line_failed", "docket_line", ["failed_letters"])
    op.create_table(
        "case_standing",
        sa.Column("case_id", _BIG, nullable=False, autoincrement=False),
        sa.Column("person_id", _BIG, nullable=False, autoincrement=False),
        sa.Column("how", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["docket_case.id"], name=op.f("fk_case_standing_case_id")),
        sa.PrimaryKeyConstraint("case_id", "person_id", "how", name=op.f("pk_case_standing")),
    )
    op.create_index("ix_case_standing_person", "case_standing", ["person_id", "how", "case_id"])
    op.add_column("due", sa.Column("overdue_after", sa.Date(), nullable=True))
    # the first schema's index on open dates, with the case behind them, so that it gives their order as well
    op.drop_index("ix_due_open", "due")
    op.create_index("ix_due_open", "due", ["settled", "remind_on", "case_id"])
    op.create_index("ix_due_overdue", "due", ["settled", "overdue_after", "case_id"])

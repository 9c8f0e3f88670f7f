"""The docket's lines say what waits for a person's decision: later papers to be screened, forms to be decided anew.

Revision: 0003, after 0002.

The lines are derived; they are written anew from the facts in the same transaction, by whoever has the keys.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in ("to_screen", "to_check_form"):
        # the lines that are there get it at once, and their true value when they are written anew
        op.add_column(
            "docket_line", sa.Column(column, sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.create_index("ix_docket_line_screen", "docket_line", ["to_screen", "screened", "final", "case_id"])
    op.create_index("ix_docket_line_form", "docket_line", ["to_check_form", "screened", "final", "case_id"])

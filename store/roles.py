"""The lesser role under which Docket works on PostgreSQL: it adds to the record, and cannot take its guards away (C5).

The owner of the tables brings the schema up, once a version: run any command with his address in
DOCKET_DATABASE_URL. Everything else runs as the lesser role.
"""

import re

from sqlmodel import SQLModel

import store.tables  # noqa: F401  the tables register themselves
from store.rules.errors import BadInput

APPEND_ONLY = frozenset({"fact", "journal_entry"})
_ROLE = re.compile(r"[a-z_][a-z0-9_]{0,62}")


def lesser_role_sql(role: str) -> str:
    """Give the statements that the tables' owner runs once, and again after each new version.

    Args:
        role: the role's name; it is there already.

    Returns:
        SQL for psql: facts and entries can be read and added, everything else changed, nothing dropped.

    Raises:
        BadInput: the name is no plain role name.
    """
    if not _ROLE.fullmatch(role):
        raise BadInput("That is no plain name of a role.", mend="Use small letters, digits and underscores.")
    names = sorted(SQLModel.metadata.tables)
    lines = [
        f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role};",
        f"GRANT USAGE ON SCHEMA public TO {role};",
    ]
    for name in names:
        rights = "SELECT, INSERT" if name in APPEND_ONLY else "SELECT, INSERT, UPDATE, DELETE"
        lines.append(f"GRANT {rights} ON {name} TO {role};")
    lines += [
        f"GRANT SELECT ON alembic_version TO {role};",
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};",
    ]
    return "\n".join(lines) + "\n"

"""The lesser role under which Docket works on PostgreSQL: it adds to the record, and cannot take its guards away (C5).

The owner of the tables brings the schema up, once a version: run `docket schema` with his address in
DOCKET_DATABASE_URL. Everything else runs as the lesser role.
"""

import re
from dataclasses import dataclass

import sqlalchemy as sa
from sqlmodel import Session, SQLModel

import store.tables  # noqa: F401  the tables register themselves
from store.rules.errors import BadInput

APPEND_ONLY = frozenset({"fact", "journal_entry"})
_ROLE = re.compile(r"[a-z_][a-z0-9_]{0,62}")


def _rights(table: str) -> tuple[str, ...]:
    """Give what the lesser role may do with a table."""
    return ("SELECT", "INSERT") if table in APPEND_ONLY else ("SELECT", "INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True, slots=True)
class Standing:
    """How the role under which Docket works stands to the record's tables on PostgreSQL.

    Attributes:
        owns: it owns them, or may act as their owner: it could take the guards away.
        lacks: the tables on which a right is missing that Docket needs, and sequences.
    """

    owns: bool
    lacks: tuple[str, ...]


def standing(session: Session) -> Standing:
    """Look up the rights of the role that asks; PostgreSQL only."""

    def asked(sql: str, **values: str) -> bool:
        return bool(session.connection().execute(sa.text(sql), values).scalar_one())

    lacks = [
        table
        for table in sorted(SQLModel.metadata.tables)
        if not all(
            asked("SELECT has_table_privilege(to_regclass(:table), :right)", table=table, right=right)
            for right in _rights(table)
        )
    ]
    if asked("SELECT count(*) FROM pg_sequence WHERE NOT has_sequence_privilege(seqrelid, 'USAGE')"):
        lacks.append("sequences")
    owns = asked(
        "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('journal_entry')"
    )
    return Standing(owns, tuple(lacks))


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
    lines += [f"GRANT {', '.join(_rights(name))} ON {name} TO {role};" for name in names]
    lines += [
        f"GRANT SELECT ON alembic_version TO {role};",
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};",
    ]
    return "\n".join(lines) + "\n"

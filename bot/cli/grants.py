"""`docket schema` and `docket grants`: what the tables' owner does on PostgreSQL, once for each new version."""

from pathlib import Path

import click

from bot.cli.common import RecordCommand, data_option, say
from bot.cli.progress import Shown
from bot.opening import opened_at
from store.database import revision
from store.roles import lesser_role_sql


@click.command("schema", cls=RecordCommand)
@data_option
def schema(data: Path | None) -> None:
    """Bring the database's schema up to this version, in one transaction; nothing where it is there already.

    Every command does so where it may. On PostgreSQL only the owner of the tables may: he runs this with his own
    address in DOCKET_DATABASE_URL, once after each new version, and then what `docket grants ROLE` prints.
    """
    record = opened_at(data, told=Shown())
    try:
        say(f"The schema is this version's: {revision(record.docket.database)}.")
    finally:
        record.docket.database.engine.dispose()
        record.press.close()


@click.command("grants", cls=RecordCommand)
@click.argument("role")
def grants(role: str) -> None:
    """Print what the owner of the tables runs in psql, so that Docket can work as the lesser ROLE.

    That role adds facts and entries of the journal, and can neither change nor remove them nor their guards. The
    owner brings the schema up; run this again after each new version.
    """
    say(lesser_role_sql(role).rstrip("\n"))

"""`docket grants`: the rights of the lesser role on PostgreSQL, as SQL for the tables' owner."""

import click

from bot.cli.common import RecordCommand, say
from store.roles import lesser_role_sql


@click.command("grants", cls=RecordCommand)
@click.argument("role")
def grants(role: str) -> None:
    """Print what the owner of the tables runs in psql, so that Docket can work as the lesser ROLE.

    That role adds facts and entries of the journal, and can neither change nor remove them nor their guards. The
    owner brings the schema up; run this again after each new version.
    """
    say(lesser_role_sql(role).rstrip("\n"))

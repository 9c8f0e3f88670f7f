"""`docket`: the command line. One module a group of commands; each is imported when it is asked for."""

import importlib
import sys
from collections.abc import Sequence

import click
from typing_extensions import override

from bot.errors import StartFault
from bot.house import check_house
from store.rules.errors import Refusal

# command -> "module:attribute", one line each
COMMANDS = {
    "deadline": "bot.cli.deadline:deadline",
    "demo": "bot.cli.demo:demo",
    "inspect": "bot.cli.inspect:inspect_pdf",
    "run": "bot.cli.run:run",
    "triage": "bot.cli.triage:triage_mail",
    "verify": "bot.cli.record:verify",
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only when it runs."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names of all commands, sorted."""
        return sorted(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and give one command; None where there is none of that name."""
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ethics-docket", prog_name="docket")
def docket() -> None:
    """Docket, the clerk of the Board of Ethics."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; a refusal is one plain line, what must be mended first one line each; exit status 1.

    Args:
        argv: the words after `docket`; None takes those of the process.
    """
    try:
        check_house()
        docket.main(args=None if argv is None else list(argv), prog_name="docket", standalone_mode=True)
    except Refusal as refusal:
        click.echo(f"docket: {refusal}", err=True)
        sys.exit(1)
    except StartFault as fault:
        for line in fault.lines:
            click.echo(f"docket: {line}", err=True)
        sys.exit(1)

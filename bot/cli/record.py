"""`docket verify` and `docket show-anew`: the record is the one that was written, and Slack only shows it (C5, C7)."""

from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.cli.common import Caller, RecordCommand, Told, on_record, say
from store import journal
from store.cases import CameTo, Pass, verify
from store.proceedings.showing import show_anew
from store.rules.errors import BadInput

_HASH_SIGNS = 64


@click.command("verify", cls=RecordCommand)
@click.option(
    "--anchor",
    metavar="ENTRY:HASH",
    help="A head of the journal as it was mailed out; shows a tail that was cut.",
)
@on_record
def verify_record(caller: Caller, *, anchor: str | None) -> None:
    """Check the journal's chain, its contents, and every fact and document against it.

    Ends with status 0 when all is well, and with 1 and the first wrong entry when it is not.
    """
    with caller.docket.database.read() as session:
        number, digest = journal.head(session)
    with _shown(number) as came_to:
        fault = verify(caller.docket, caller.actor, anchor=_anchor(anchor), came_to=came_to)
    if fault is not None:
        raise Told(
            f"Entry {fault.seq} of the journal is wrong: {fault.says}. Stop Docket, keep everything as it is, "
            "and compare with the last backup."
        )
    say(f"All is well: {number} entries. Head {number}:{digest}")


@contextmanager
def _shown(entries: int) -> Iterator[CameTo]:
    """Show on standard error how far the check has come; nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        rows = {one: bar.add_task(f"checking the {one.value}", total=entries) for one in Pass}
        yield lambda one, seq: bar.update(rows[one], completed=seq)


def _anchor(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    number, _, digest = text.strip().partition(":")
    if not number.isdecimal() or len(digest) != _HASH_SIGNS:
        raise BadInput("The anchor cannot be read.", mend="Write it as ENTRY:HASH, as it was mailed out.")
    return int(number), digest.lower()


@click.command("show-anew", cls=RecordCommand)
@on_record
def show_it_anew(caller: Caller) -> None:
    """Forget where Slack showed things, and show every case that is not final anew.

    For an empty workspace, or one whose channels were lost. Link the accounts in the roster first. `docket run` makes
    the channels and posts the cards, as fast as Slack lets it.
    """
    count = show_anew(caller.docket, caller.actor)
    say(f"{count} case(s) are shown anew. Their channels and cards come as fast as Slack takes them.")

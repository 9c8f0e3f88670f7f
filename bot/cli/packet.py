"""`docket packet`: what is handed over when a letter is served on paper."""

from pathlib import Path

import click

from bot.cli.case import save
from bot.cli.common import WORDS, Caller, RecordCommand, Told, on_record, say
from store.proceedings.packet import print_packet

_OWNER_ONLY = 0o700


@click.command("packet", cls=RecordCommand)
@click.argument("number")
@click.argument("letter", type=int)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="A folder that is not there; it is made."
)
@click.option("--way", type=WORDS, default="", help="How it is to be served, as the cover says.")
@on_record
def packet(caller: Caller, number: str, letter: int, *, out: Path, way: str) -> None:
    """Save the packet of LETTER of case NUMBER: label, cover, the letter, its enclosures byte for byte.

    The files are numbered in the order of printing. When it was served, record it: docket served.
    """
    try:
        out.mkdir(mode=_OWNER_ONLY)
    except OSError as error:
        raise Told(f"The folder cannot be made ({error.strerror}); nothing was delivered.") from error
    try:
        made = print_packet(caller.docket, caller.actor, number, letter, where="cli", way=way)
    except BaseException:
        out.rmdir()
        raise
    for sheet in made.sheets:
        content = sheet.content
        save(out / sheet.name, lambda content=content: content)  # type: ignore[misc]  # bound at once
    say(f"{len(made.sheets)} files. When it was served: docket served {number} --letter-id {letter} ...")

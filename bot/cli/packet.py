"""`docket packet`: what is handed over when a letter is served on paper."""

from pathlib import Path

import click

from bot.cli.case import save
from bot.cli.common import WORDS, Caller, RecordCommand, Told, on_record, say
from intake.pdf.one_print import as_one_print
from intake.pdf.sandbox import SandboxUnavailable
from store.proceedings.enclosed import CHECK
from store.proceedings.packet import Packet, print_packet
from store.rules.counted import counted

PRINT = "packet.pdf"
OLDER = (
    "Its manifest was written before the exhibits went by its own names: sha256sum prints the sum of each file, and each "
    "stands in the manifest."
)
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

    The files are numbered in the order of printing, exhibits for a prosecutor as the manifest names them; packet.pdf holds their pages for the printer, and what is
    served are the files. When it was served, record it: docket served.
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
    say(*_print(out, made))
    if made.has_manifest:
        say(f"In this folder, and wherever the files go: {CHECK}" if made.listed else OLDER)
    say(
        f"{counted(len(made.sheets), 'file')}. When it was served: docket served {number} --letter-id {letter} ..."
    )


def _print(out: Path, made: Packet) -> list[str]:
    """Save the one PDF for the printer; give what is to be said of it."""
    try:
        printed = as_one_print([one.content for one in made.sheets])
    except SandboxUnavailable as fault:
        return [f"No packet.pdf was made: {fault}"]
    if printed.pdf:
        save(out / PRINT, lambda: printed.pdf)
    apart = [made.sheets[one].name for one in printed.left_out]
    return [f"Not in {PRINT}, print it by itself: {name}" for name in apart]

"""`docket backup` and `docket restore`: the record in one file, and back (R4)."""

from pathlib import Path

import click

from bot import words
from bot.cli.common import Caller, RecordCommand, Told, actor_of, data_option, on_record, say
from bot.cli.progress import Shown
from bot.clock import SystemClock
from bot.opening import opened_at, plain_lines, running_alone
from bot.settings import Part, load_settings
from store.backup import back_up
from store.backup import restore as bring_back
from store.cases import MACHINE, verify
from store.proceedings.restoring import record_restore
from store.rules.counted import counted


@click.command("backup", cls=RecordCommand)
@click.argument("into", type=click.Path(path_type=Path))
@on_record
def backup(caller: Caller, into: Path) -> None:
    """Write a backup into the folder or new file INTO, while everything goes on.

    It holds the record and the sealed papers, and not the keys: without DOCKET_KEYS it opens to nobody.
    """
    made = back_up(caller.docket, caller.actor, caller.opened.settings.data_dir, into, Shown())
    seq, digest = made.manifest.head
    say(
        f"Written: {made.path} ({made.path.stat().st_size:,} bytes, read back and whole).",
        f"SHA-256 {made.sha256}",
        f"Journal up to {seq}:{digest}",
        "Move it to another machine. Keep DOCKET_KEYS apart from it.",
    )


@click.command("restore", cls=RecordCommand)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
def restore(file: Path, *, data: Path | None) -> None:
    """Bring the backup FILE back into an empty data folder and database, and verify it.

    The .env must be there, with the keys of the backup. Nothing runs meanwhile, and nothing is written over.
    """
    settings = load_settings(data / ".env" if data is not None else None, parts=(Part.RECORD,))
    with running_alone(settings), plain_lines():
        manifest = bring_back(
            file,
            settings.database_url.get_secret_value(),
            data=settings.data_dir,
            keys=tuple(key.decode() for key in settings.key_ring()),
            now=SystemClock().now(),
            told=Shown(),
        )
    opened = opened_at(data)
    try:
        uncertain = record_restore(opened.docket, actor_of(opened, None), manifest)
        fault = verify(opened.docket, MACHINE)
        zone = Caller(opened, MACHINE).zone
    finally:
        opened.docket.database.engine.dispose()
        opened.press.close()
    if fault is not None:
        raise Told(
            f"Restored, but {fault.in_words}"
            if fault.derived
            else f"Restored, but entry {fault.seq} of the journal is wrong: {fault.says}. Take an earlier backup."
        )
    say(
        f"Restored as of {words.instant(manifest.made_at, zone)}: {counted(manifest.counts['docket_case'], 'case')}. Verified.",
        f"Journal up to {manifest.head[0]}:{manifest.head[1]}. Compare it with the head that was mailed last: "
        "what came after it is not here.",
        f"Letters that waited then and may have gone out since: {uncertain}. See: docket outbox.",
        "Mail that came after it lies in the mailbox still: docket run files it.",
    )

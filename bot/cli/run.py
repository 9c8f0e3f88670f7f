"""`docket run`: everything in one process, until it is told to stop."""

import gc
import signal
import sys
import threading
from pathlib import Path

import click

from bot.cli.progress import Shown
from bot.cli.serving import Service
from bot.ending import end_within
from bot.logs import configure_logs
from bot.opening import only_copy, opened_at
from bot.settings import Part, load_settings
from store.proceedings.settings_changed import note_settings

_PARTS = (Part.RECORD, Part.SLACK, Part.IMAP, Part.SMTP)


@click.command("run")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder that holds .env and data; without it, the .env of this folder.",
)
def run(data: Path | None) -> None:
    """Read the mailbox, answer Slack, sweep the dates and send the letters, until SIGTERM or Ctrl-C.

    Ends with status 0 when it was told to stop, 1 when a setting is wrong or another copy runs here,
    and 3 when it stopped while mail or Slack was in trouble, or did not end by itself in half a minute.
    """
    settings = load_settings(data / ".env" if data else None, parts=_PARTS)
    with only_copy(settings):
        open_record = opened_at(data, parts=_PARTS, told=Shown())
        configure_logs(settings.log_level, open_record.clock)
        note_settings(open_record.docket, open_record.settings.in_force())
        troubled = serve(Service(open_record))
    if troubled:
        sys.exit(3)


def serve(service: Service) -> bool:
    """Run until a signal comes, then stop cleanly.

    Returns:
        Whether something was in trouble when it stopped.
    """
    told = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda _number, _frame: told.set())
    service.start()
    told.wait()
    end_within()
    service.hurry()
    service.timetable.guard(service.write_health, "timetable.health")
    troubled = service.in_trouble()
    service.stop()
    gc.freeze()  # nothing is left to collect, and looking for it takes seconds on a busy machine
    return troubled

"""Files that leave for a calendar or a public place: due dates, an invitation, minutes; none names a party."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import click

from bot.cli.common import INSTANT, WORDS, Caller, RecordCommand, on_record, say
from bot.cli.meeting import motion_options, moved
from bot.cli.planning import meeting
from store.proceedings.calendar_files import due_dates, invitation
from store.proceedings.minutes import approve_minutes, write_minutes
from store.rules.plans import LONGEST_MINUTES

__all__ = ["dates", "meeting"]

out_option = click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; one that is there is written over.",
)


@click.command("dates", cls=RecordCommand)
@click.option(
    "--out",
    "--ics",
    "out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; one that is there is written over.",
)
@on_record
def dates(caller: Caller, *, out: Path) -> None:
    """Write the open dates of the cases you may see as an .ics file; it carries case numbers only."""
    out.write_bytes(due_dates(caller.docket, caller.actor))
    say(f"Written: {out}")


@meeting.command("minutes")
@click.argument("held", metavar="MEETING", type=int)
@out_option
@on_record
def minutes(caller: Caller, held: int, *, out: Path) -> None:
    """Write the minutes of MEETING: the open part to a file, a sealed annex into the file of each case.

    They are a draft until a later meeting has approved them: docket meeting approve-minutes.
    """
    written = write_minutes(caller.docket, caller.actor, held)
    out.write_bytes(written.open_part)
    annexes = f"Sealed annex in: {', '.join(written.annexes)}." if written.annexes else "No sealed annex."
    say(f"Written: {out}", annexes)


@meeting.command("invite")
@click.argument("place", type=WORDS)
@click.option("--at", "at", required=True, type=INSTANT, help="When it begins, with its offset.")
@click.option(
    "--minutes",
    "lasts",
    type=click.IntRange(1, LONGEST_MINUTES),
    default=120,
    show_default=True,
    help="How long it is planned for.",
)
@out_option
@on_record
def invite(caller: Caller, place: str, *, at: datetime, lasts: int, out: Path) -> None:
    """Write an invitation to a meeting at PLACE as an .ics file that names nobody; it is no notice."""
    content = invitation(
        caller.docket, caller.actor, begins_at=at, place=place, lasts=timedelta(minutes=lasts)
    )
    out.write_bytes(content)
    say(f"Written: {out}. Give notice of the meeting besides (KRS 61.820, 61.823).")


@meeting.command("approve-minutes")
@click.argument("held", metavar="MEETING", type=int)
@motion_options
@click.option("--changes", type=WORDS, default="", help="What was changed before; - reads it.")
@on_record
def approve(caller: Caller, /, held: int, *, changes: str, **motion: Any) -> None:
    """Record that the meeting in session approved the minutes of the earlier MEETING."""
    approve_minutes(caller.docket, caller.actor, held, moved(caller, **motion), changes=changes)
    say("Recorded: approved. Write them anew: docket meeting minutes.")

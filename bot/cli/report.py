"""`docket report`: a year in numbers (C8)."""

from pathlib import Path

import click

from bot.cli.case import save
from bot.cli.common import WORDS, Caller, RecordCommand, on_record, say
from store.proceedings.annual_report import send_report, write_report
from store.rules.errors import BadInput
from store.rules.reporting import SMALLEST


@click.command("report", cls=RecordCommand)
@click.argument("year", type=int)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="A folder for the three files.")
@click.option("--remarks", type=WORDS, default="", help="The Board's own words in it; - reads them.")
@click.option(
    "--smallest",
    type=click.IntRange(min=SMALLEST),
    default=SMALLEST,
    show_default=True,
    help="The smallest number above nought that is shown.",
)
@click.option("--send", is_flag=True, help="Write it to the City Commission as a letter as well.")
@on_record
def report(caller: Caller, year: int, *, out: Path | None, remarks: str, smallest: int, send: bool) -> None:
    """Report on the complaints received in YEAR: CSV, JSON and a PDF with charts; nobody can be told from it.

    Small numbers are left out, and test cases. Without --out its numbers are printed.
    """
    if send and smallest != SMALLEST:
        raise BadInput("The letter to the Commission uses the usual smallest number.")
    written = write_report(caller.docket, caller.actor, year, remarks=remarks, smallest=smallest)
    if out is None:
        say(written.as_csv.decode().replace("\r\n", "\n").rstrip("\n"))
    else:
        out.mkdir(parents=True, exist_ok=True)
        for ending, content in (("csv", written.as_csv), ("json", written.as_json), ("pdf", written.pdf)):
            save(out / f"report-{year}.{ending}", lambda found=content: found)  # type: ignore[misc]  # one value each
    if send:
        letter = send_report(caller.docket, caller.actor, year, remarks=remarks)
        say(f"Written to the City Commission: letter {letter}. By mail it goes out in a few minutes.")

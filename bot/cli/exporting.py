"""`docket export`, `docket privilege` and `docket timeline`: a case that leaves the record, whole or as a picture."""

from datetime import datetime
from pathlib import Path

import click

from bot.cli.case import save
from bot.cli.common import WORDS, Caller, RecordCommand, on_record, say
from bot.cli.progress import Shown
from intake.pdf.judge import judge
from intake.pdf.trust import NO_ROOTS
from store.export import Wanted, as_it_is, export_case
from store.proceedings.picture import draw_timeline
from store.proceedings.privilege import mark_privileged
from store.rules.counted import counted
from store.rules.errors import BadInput

_PICTURES = frozenset({".svg", ".png"})


@click.command("export", cls=RecordCommand)
@click.argument("number")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="A new folder, or a new file that ends in .zip.",
)
@click.option("--with-privileged", is_flag=True, help="With the papers of privileged counsel.")
@click.option("--records-request", is_flag=True, help="For the public, after the final determination.")
@click.option(
    "--paper",
    "papers",
    multiple=True,
    type=int,
    metavar="ID",
    help="For a records request: a paper that you looked at and release; several may be given.",
)
@click.option(
    "--sentences",
    is_flag=True,
    help="For a records request: you read the findings and the reasons of votes for personal data, and release them.",
)
@on_record
def export(
    caller: Caller,
    number: str,
    *,
    out: Path,
    with_privileged: bool,
    records_request: bool,
    papers: tuple[int, ...],
    sentences: bool,
) -> None:
    """Write case NUMBER as a bundle that can be read and proved without Docket.

    It is the whole file, sealed, without privileged papers. For a records request names of complainants and witnesses
    and all addresses are left out, and every paper that you did not release or that still holds one of them; what was
    left out stands in the index with its rule.
    """
    if (papers or sentences) and not records_request:
        raise BadInput("Papers and sentences are chosen for a records request only; otherwise all are in.")
    wanted = Wanted(records_request, with_privileged, frozenset(papers), sentences)
    now = caller.docket.clock.now()
    made = export_case(
        caller.docket,
        caller.actor,
        number,
        out,
        wanted=wanted,
        told=Shown(),
        text_of=lambda content: _text_of(content, now),
    )
    say(
        f"Written: {made.path}, {counted(made.files, 'file')}; {counted(made.withheld, 'thing')} left out, as its index says.",
        f"SHA-256 of its manifest: {made.manifest_sha256}",
        "That it was made is recorded. To prove it, in the unpacked folder: python3 check.py, or sha256sum -c manifest.sha256 for "
        "the files alone.",
    )


def _text_of(content: bytes, now: datetime) -> str:
    """Give the text of a paper: of a PDF by the judge's limited child, of anything else its bytes."""
    if content.lstrip()[:5] != b"%PDF-":
        return as_it_is(content)
    finding = judge(content, trust=NO_ROOTS, moment=now)
    return f"{finding.text}\n{finding.enclosed_text}"


@click.command("privilege", cls=RecordCommand)
@click.argument("number")
@click.argument("document", type=int)
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@click.option("--lift", is_flag=True, help="It is privileged no longer.")
@on_record
def privilege(caller: Caller, number: str, document: int, *, reason: str, lift: bool) -> None:
    """Mark DOCUMENT of case NUMBER as a privileged paper of counsel, which exports leave out."""
    mark_privileged(caller.docket, caller.actor, number, document, privileged=not lift, reason=reason)
    say(f"Recorded: the paper is {'not ' if lift else ''}privileged.")


@click.command("timeline", cls=RecordCommand)
@click.argument("number")
@click.option("--out", type=click.Path(path_type=Path), help="A new file that ends in .svg or .png.")
@on_record
def timeline(caller: Caller, number: str, *, out: Path | None) -> None:
    """Show case NUMBER in time, in words; with --out as a picture. Neither names anybody."""
    if out is not None and out.suffix not in _PICTURES:
        raise BadInput("A picture is a file that ends in .svg or .png.")
    drawn = draw_timeline(caller.docket, caller.actor, number, where="cli")
    if out is None:
        say(*drawn.words)
        return
    press = caller.opened.press
    save(out, lambda: press.picture(drawn.svg) if out.suffix == ".png" else drawn.svg.encode())

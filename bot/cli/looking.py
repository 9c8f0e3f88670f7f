"""Looking at papers without opening them: pictures of a PDF's pages, and photos as one PDF (I6, I7)."""

from pathlib import Path

import click

from bot.actions.file import pages_to_show
from bot.cli.case import save
from bot.cli.common import Caller, RecordCommand, on_record, say
from intake.pdf.photos import PhotosUnreadable, as_one_pdf
from intake.pdf.picture import PictureUnavailable, picture
from intake.pdf.sandbox import SandboxUnavailable
from store.cases import MOST_PHOTOS, is_photo, papers_for, read_document
from store.rules import evidence
from store.rules.errors import BadInput

_LATER = "The papers are safe as they came; save them with: docket document."


@click.command("pictures", cls=RecordCommand)
@click.argument("number")
@click.argument("document_id", metavar="ID", type=int)
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder; made if it is not there.",
)
@on_record
def pictures(caller: Caller, number: str, document_id: int, *, out: Path) -> None:
    """Save pictures of document ID of case NUMBER, a PDF: the signature's page, the first and the last.

    Where it was changed after signing, the signature's page as it was signed comes with them. What was found
    is printed beside the complainant's name. That the document was delivered is recorded.
    """
    seen = caller.look(number)
    paper, content = read_document(caller.docket, caller.actor, number, document_id, where="cli")
    found = evidence.from_json(paper.finding)
    out.mkdir(parents=True, exist_ok=True)
    for name, version, page in pages_to_show(content, found):
        _draw(out / f"{number}-document-{document_id}-{name}.png", version, page or 0)
    if found is not None:
        say(*evidence.for_the_decision(found, [one.named.name for one in seen.case.complainants]))


def _draw(out: Path, content: bytes, page: int) -> None:
    try:
        drawn = picture(content, page)
    except (PictureUnavailable, SandboxUnavailable) as fault:
        say(str(fault))
        return
    save(out, lambda: drawn)


@click.command("photos", cls=RecordCommand)
@click.argument("number")
@click.argument("document_ids", metavar="[ID]...", nargs=-1, type=int)
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="A file that is not there."
)
@on_record
def photos(caller: Caller, number: str, document_ids: tuple[int, ...], *, out: Path) -> None:
    """Save the photos of case NUMBER, or those named by ID, as one PDF; each stays in the record as it came."""
    kept = [one.id for one in papers_for(caller.docket, caller.look(number)) if is_photo(one)]
    if any(one not in kept for one in document_ids):
        raise BadInput("A document that was named is no photo of this case.", mend="See: docket case NUMBER.")
    chosen = list(document_ids or kept)[:MOST_PHOTOS]
    if not chosen:
        raise BadInput("This case has no photo.", mend="See: docket case NUMBER.")

    def made() -> bytes:
        read = [read_document(caller.docket, caller.actor, number, one, where="cli")[1] for one in chosen]
        try:
            return as_one_pdf(read)
        except (PhotosUnreadable, SandboxUnavailable) as fault:
            raise BadInput(str(fault), mend=_LATER) from fault

    save(out, made)
    say(f"{len(chosen)} photos, a page each.")

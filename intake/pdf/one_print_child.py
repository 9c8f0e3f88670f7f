"""Put the pages of several papers into one PDF, in the limited child (pypdfium2, and pypdf for what acts)."""

import ctypes
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pypdf
import pypdfium2
import pypdfium2.raw as pdfium
from pypdf.generic import NameObject

from intake.pdf.forkserver import BINARY_FRAME, JSON_FRAME, Send
from intake.pdf.structure import FAULTS

_MOST_PAGES = 3_000
_ACTS = ("/AA", "/Annots", "/A")
# a field without a picture is empty, or drawn when the form is loaded
_SHOW_NOTHING = frozenset({pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP, pdfium.FPDF_ANNOT_WIDGET})
_UNREADABLE = (
    pypdfium2.PdfiumError,
    IndexError,
    ValueError,
    OverflowError,
    MemoryError,
    ctypes.ArgumentError,
)


def join(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    """Send the pages of all papers as one PDF, and which papers are not in it.

    Args:
        header: `lengths`: the length of each paper in bytes; they follow each other in the content.
        content: the papers.
        send: takes a frame's kind and payload.
    """
    whole = pypdfium2.PdfDocument.new()
    left_out = [
        place for place, paper in enumerate(_apart(content, header["lengths"])) if not _add(whole, paper)
    ]
    made = _saved(whole) if len(whole) else b""
    if made:
        send(BINARY_FRAME, made)
    else:
        left_out = list(range(len(header["lengths"])))
    send(JSON_FRAME, json.dumps({"done": True, "left_out": left_out}).encode())


def _apart(content: bytes, lengths: Sequence[int]) -> Iterator[bytes]:
    place = 0
    for length in lengths:
        yield content[place : place + length]
        place += length


def _add(whole: pypdfium2.PdfDocument, paper: bytes) -> bool:
    """Add one paper's pages as they print; say whether all of them are in."""
    before = len(whole)
    try:
        document = pypdfium2.PdfDocument(paper)
        document.init_forms()
        pages = len(document)
        if not 0 < pages <= _MOST_PAGES - before:
            return False
        for number in range(pages):
            page = document[number]
            if _would_lose(page):
                return False
            pdfium.FPDFPage_Flatten(page, pdfium.FLAT_PRINT)
            page.close()
        whole.import_pages(document)
    except _UNREADABLE:
        for number in range(len(whole) - 1, before - 1, -1):
            whole.del_page(number)
        return False
    return len(whole) == before + pages


def _would_lose(page: pypdfium2.PdfPage) -> bool:
    """Say whether a page bears something that other programs show and that would not be printed here: it has no picture."""
    for place in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, place)
        if not annotation:
            return True
        try:
            shown = pdfium.FPDFAnnot_GetSubtype(annotation) not in _SHOW_NOTHING
            if shown and not pdfium.FPDFAnnot_HasKey(annotation, b"AP"):
                return True
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    return False


def _saved(whole: pypdfium2.PdfDocument) -> bytes:
    """Write it, without the actions that pages carry."""
    raw = io.BytesIO()
    whole.save(raw)
    try:
        writer = pypdf.PdfWriter(clone_from=io.BytesIO(raw.getvalue()))
        for page in writer.pages:
            for name in _ACTS:
                page.pop(NameObject(name), None)
        for name in ("/OpenAction", "/AA", "/Names", "/AcroForm"):
            writer.root_object.pop(NameObject(name), None)
        out = io.BytesIO()
        writer.write(out)
    except (*FAULTS, MemoryError):
        return b""
    return out.getvalue()

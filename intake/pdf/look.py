"""What can be seen on the pages, read by pdfium: words, pictures, pen strokes, and whether words show.

Runs in the limited child only: pdfium is C++ and hostile files can bring it down.
Coordinates are points in the page's own space (ISO 32000-1, 8.3.2.3), before its rotation.
"""

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import pypdfium2.raw as pdfium

from intake.pdf.ink import can_be_read
from intake.pdf.wording import Mention, Wording, mentions

_MOST_OBJECTS = 30_000
_MOST_DEPTH = 6
_MOST_DRAWN = 40  # mentions of one page that are drawn to see whether they can be read
_MOST_SEGMENTS = 400
_MOST_CHARS = 400_000
_PAPER_WHITE = 225
_SMALLEST_FONT = 4.5
_LEAST_INK = 60  # of 255; thinner is not seen on paper
_SHARE_ON_PAGE, _SHARE_COVERED = 0.8, 0.2
_LAST_OF_ONE_UNIT = 0xFFFF  # letters beyond it are two units in UTF-16
_INVISIBLE_MODES = (3, 7)  # text rendering modes that paint nothing (ISO 32000-1, table 106)
_ODD = re.compile("[\ufffd\ufffe\uffff\ue000-\uf8ff\x01-\x01\x03-\x08\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: left, bottom, right, top, in points."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def area(self) -> float:
        """Area in square points; zero where the rectangle is empty or turned inside out."""
        return max(0.0, self.right - self.left) * max(0.0, self.top - self.bottom)

    def share_inside(self, other: "Box") -> float:
        """Give which share of this rectangle lies inside another, 0 to 1."""
        common = Box(
            max(self.left, other.left),
            max(self.bottom, other.bottom),
            min(self.right, other.right),
            min(self.top, other.top),
        )
        return common.area / self.area if self.area else 0.0


@dataclass(frozen=True, slots=True)
class SeenWording:
    """A mention and what the eye makes of it.

    Attributes:
        wording: the mention.
        box: where it stands; None where pdfium gives no place.
        visible: a person looking at the page would see it.
        over_line: words that stand on a blank signature line without belonging to its own line of text.
    """

    wording: Wording
    box: Box | None
    visible: bool
    over_line: str = ""


@dataclass(frozen=True, slots=True)
class PageLook:
    """One page as pdfium reads it.

    Attributes:
        index: zero-based number.
        text: all its text, seen or not.
        box: the page's crop box.
        images: the share of the page that each picture covers.
        strokes: paths that could be handwriting or letters drawn as outlines.
        objects: number of things drawn.
        wordings: mentions of a signature, in reading order.
        complete: every object was looked at.
        odd_text: the text is mostly signs without a meaning (a font without its table).
    """

    index: int
    text: str
    box: Box
    images: tuple[float, ...] = ()
    strokes: int = 0
    objects: int = 0
    wordings: tuple[SeenWording, ...] = ()
    complete: bool = True
    odd_text: bool = False


class PageUnreadable(Exception):
    """Pdfium could not open the document or the page."""


@dataclass
class _Tally:
    images: list[tuple[int, Box]] = field(default_factory=list)
    strokes: int = 0
    objects: int = 0


@dataclass(frozen=True, slots=True)
class _Sheet:
    page: pdfium.FPDF_PAGE
    words: pdfium.FPDF_TEXTPAGE
    text: str
    box: Box
    tally: _Tally


class Looker:
    """A document open in pdfium; close it by leaving the `with` block."""

    def __init__(self, content: bytes) -> None:
        self._content = content  # pdfium reads from it until the document is closed
        self._document = pdfium.FPDF_LoadMemDocument64(content, len(content), b"")
        if not self._document:
            raise PageUnreadable

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pdfium.FPDF_CloseDocument(self._document)

    def page_count(self) -> int:
        """Give the number of pages that pdfium makes out."""
        return int(pdfium.FPDF_GetPageCount(self._document))

    def page(self, index: int) -> PageLook:
        """Look at one page.

        Raises:
            PageUnreadable: the page cannot be loaded.
        """
        page = pdfium.FPDF_LoadPage(self._document, index)
        if not page:
            raise PageUnreadable
        try:
            return _look(page, index)
        finally:
            pdfium.FPDF_ClosePage(page)


def _look(page: pdfium.FPDF_PAGE, index: int) -> PageLook:
    box = _page_box(page)
    tally = _Tally()
    complete = _walk(page, tally, 0, None)
    words = pdfium.FPDFText_LoadPage(page)
    if not words:
        raise PageUnreadable
    try:
        count = pdfium.FPDFText_CountChars(words)
        text = _text(words, min(count, _MOST_CHARS))
        sheet = _Sheet(page, words, text, box, tally)
        seen = tuple(_seen(sheet, wording, number) for number, wording in enumerate(mentions(text)))
    finally:
        pdfium.FPDFText_ClosePage(words)
    odd = len(_ODD.findall(text))
    return PageLook(
        index=index,
        text=text,
        box=box,
        images=tuple(
            image.share_inside(box) * image.area / box.area for _, image in tally.images if box.area
        ),
        strokes=tally.strokes,
        objects=tally.objects,
        wordings=seen,
        complete=complete and count <= _MOST_CHARS,
        odd_text=odd > len(text) * 0.1 + 3,
    )


def _page_box(page: pdfium.FPDF_PAGE) -> Box:
    values = [ctypes.c_float() for _ in range(4)]
    for read in (pdfium.FPDFPage_GetCropBox, pdfium.FPDFPage_GetMediaBox):
        if read(page, *(ctypes.byref(value) for value in values)):
            left, bottom, right, top = (value.value for value in values)
            return Box(min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    return Box(0, 0, pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page))


def _text(words: pdfium.FPDF_TEXTPAGE, count: int) -> str:
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count * 2 + 2))()
    written = pdfium.FPDFText_GetText(words, 0, count, buffer)
    return bytes(buffer)[: max(0, written - 1) * 2].decode("utf-16-le", errors="replace").rstrip("\0")


def _things(holder: object, depth: int) -> Iterator[Any]:
    """Give what is drawn on a page (depth 0) or on a form drawn on it."""
    count_of, give = (
        (pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject)
        if depth
        else (pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject)
    )
    for number in range(count_of(holder)):
        yield give(holder, number)


def _walk(holder: object, tally: _Tally, depth: int, outer: Box | None) -> bool:
    """Count pictures and strokes of a page or of a form drawn on it; False where the budget ended."""
    for thing in _things(holder, depth):
        tally.objects += 1
        if tally.objects > _MOST_OBJECTS:
            return False
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            continue
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            tally.images.append((tally.objects, outer or _bounds(thing)))
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            tally.strokes += _is_stroke(thing)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM:
            if depth >= _MOST_DEPTH:
                return False
            inner = outer or _bounds(thing)
            if not _walk(thing, tally, depth + 1, inner):
                return False
    return True


def _bounds(thing: object) -> Box:
    values = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(thing, *(ctypes.byref(value) for value in values)):
        return Box(0, 0, 0, 0)
    return Box(*(value.value for value in values))


def _is_stroke(path: object) -> bool:
    """Say whether a path is anything but rules, boxes and tables drawn along the axes."""
    count = pdfium.FPDFPath_CountSegments(path)
    if count > _MOST_SEGMENTS:
        return True
    here: tuple[float, float] | None = None
    x, y = ctypes.c_float(), ctypes.c_float()
    for number in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, number)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_BEZIERTO:
            return True
        pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        point = (x.value, y.value)
        if kind == pdfium.FPDF_SEGMENT_LINETO and here is not None and _slants(here, point):
            return True
        here = point
    return False


def _slants(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return min(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1.0


def _seen(sheet: _Sheet, wording: Wording, number: int) -> SeenWording:
    words = sheet.words
    places = _char_places(words, sheet.text, wording)
    boxes = [box for box in (_char_box(words, place) for place in places) if box is not None]
    if not boxes:
        return SeenWording(wording, None, visible=False)
    box = Box(
        min(one.left for one in boxes),
        min(one.bottom for one in boxes),
        max(one.right for one in boxes),
        max(one.top for one in boxes),
    )
    shows = box.share_inside(sheet.box) > _SHARE_ON_PAGE and all(_shows(words, place) for place in places)
    covered = any(box.share_inside(image) > _SHARE_COVERED for _, image in sheet.tally.images)
    if wording.kind is Mention.BLANK:
        return SeenWording(
            wording, box, visible=shows and not covered, over_line=_over_line(words, sheet.text, wording, box)
        )
    letters = [(one.left, one.bottom, one.right, one.top) for one in boxes]
    visible = shows and not covered and number < _MOST_DRAWN and can_be_read(sheet.page, letters)
    return SeenWording(wording, box, visible=visible)


def _char_places(words: pdfium.FPDF_TEXTPAGE, text: str, wording: Wording) -> list[int]:
    """Give pdfium's own indices of the visible letters of a mention."""
    shift = sum(1 for letter in text[: wording.start] if ord(letter) > _LAST_OF_ONE_UNIT)
    return [
        place
        for offset, letter in enumerate(text[wording.start : wording.end])
        if not letter.isspace()
        for place in [pdfium.FPDFText_GetCharIndexFromTextIndex(words, wording.start + shift + offset)]
        if place >= 0
    ]


def _char_box(words: pdfium.FPDF_TEXTPAGE, place: int) -> Box | None:
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    references = (ctypes.byref(value) for value in (left, right, bottom, top))
    if not pdfium.FPDFText_GetCharBox(words, place, *references):
        return None
    return Box(left.value, bottom.value, right.value, top.value)


def _shows(words: pdfium.FPDF_TEXTPAGE, place: int) -> bool:
    """Say whether one letter is painted, dark enough on white paper, and large enough to be read."""
    thing = pdfium.FPDFText_GetTextObject(words, place)
    if not thing or pdfium.FPDFTextObj_GetTextRenderMode(thing) in _INVISIBLE_MODES:
        return False
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    references = (ctypes.byref(value) for value in (red, green, blue, alpha))
    if not pdfium.FPDFText_GetFillColor(words, place, *references):
        return False
    if alpha.value < _LEAST_INK or min(red.value, green.value, blue.value) > _PAPER_WHITE:
        return False
    box = _char_box(words, place)
    size = pdfium.FPDFText_GetFontSize(words, place)
    return size >= _SMALLEST_FONT or (box is not None and box.top - box.bottom >= _SMALLEST_FONT * 0.6)


def _over_line(words: pdfium.FPDF_TEXTPAGE, text: str, wording: Wording, box: Box) -> str:
    """Give the words placed on a blank signature line by another hand than the line's own text.

    Only what reaches into the height of the line's own letters counts: the lines above and below
    touch it where they stand close.
    """
    buffer = (ctypes.c_ushort * 256)()
    right = max(box.right, box.left + 250)
    written = pdfium.FPDFText_GetBoundedText(words, box.left, box.top - 1, right, box.bottom + 4, buffer, 255)
    found = bytes(buffer)[: max(0, written) * 2].decode("utf-16-le", errors="replace").rstrip("\0")
    # pdfium spaces the same words in two ways, and leaves out rules that lie lower than the letters
    own = _without_rules(text[wording.start : wording.end])
    lines = [_without_rules(line) for line in re.split(r"[\r\n]+", found)]
    kept = [one.strip() for line in lines for one in line.replace(own, "\n").split("\n")]
    return " ".join(line for line in kept if len(re.findall(r"[^\W\d_]", line)) > 2 and line not in own)  # noqa: PLR2004  fewer letters are a tick or a mark


def _without_rules(line: str) -> str:
    return re.sub(r"[\s_\0]+", " ", line).strip()

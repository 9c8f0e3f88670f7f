"""Marks laid over the pages: ink, stamps, free text, form fields; and whether a person would see them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pypdf.generic import ArrayObject, DictionaryObject, StreamObject

from intake.pdf.look import Box, PageLook, SeenWording
from intake.pdf.structure import FAULTS, Structure, is_signature_name
from intake.pdf.wording import Mention, as_name, mentions, name_key

_HIDDEN, _NO_VIEW, _PRINT = 2, 32, 4
_IGNORED = frozenset(
    {"/Link", "/Popup", "/Highlight", "/Underline", "/Squiggly", "/StrikeOut", "/PrinterMark", "/TrapNet"}
)
_INKY = frozenset({"/Ink", "/PolyLine", "/Polygon", "/Line"})
_MOST_ANNOTATIONS = 2_000
_PEN_STROKES = 12  # more curves and lines than a frame or a tick has
_ABOVE_LINE, _BELOW_LINE, _LINE_LENGTH = 45.0, 14.0, 320.0


class MarkKind(StrEnum):
    """What a mark is evidence of."""

    DRAWN = "drawn"
    TYPED = "typed"
    UNCLEAR = "unclear"
    HIDDEN = "hidden"
    VALUE = "value"  # a form value that is no signature


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark.

    Attributes:
        kind: what it is evidence of.
        page: zero-based page.
        name: the name it gives; empty where none.
        words: its text, for the conflict screen.
        sentence: what a person should know of it.
        field: the name of the form field it fills; empty for others.
    """

    kind: MarkKind
    page: int
    name: str = ""
    words: str = ""
    sentence: str = ""
    field: str = ""


def signature_zones(look: PageLook) -> tuple[Box, ...]:
    """Give where on a page a signature is asked for: over and right of each blank signature line."""
    return tuple(_zone(seen.box) for seen in look.wordings if seen.box is not None and _asks(seen))


def _asks(seen: SeenWording) -> bool:
    return seen.wording.kind is Mention.BLANK and not seen.wording.other


def _zone(box: Box) -> Box:
    return Box(
        box.left - 10,
        box.bottom - _BELOW_LINE,
        max(box.right, box.left + _LINE_LENGTH) + 10,
        box.top + _ABOVE_LINE,
    )


def read_marks(structure: Structure, looks: dict[int, PageLook]) -> tuple[Mark, ...]:
    """Read the annotations and form fields of every page.

    Returns:
        the marks in page order; an annotation that cannot be read is an unclear mark.
    """
    found: list[Mark] = []
    for index, page in enumerate(structure.page_objects):
        try:
            entries = page.get("/Annots")
            entries = entries.get_object() if entries is not None else None
        except FAULTS:
            found.append(_broken(index))
            continue
        if not isinstance(entries, ArrayObject):
            continue
        for entry in entries:
            if len(found) >= _MOST_ANNOTATIONS:
                return (*found, _broken(index))
            try:
                annotation = entry.get_object()
                if isinstance(annotation, DictionaryObject):
                    found.extend(_read_one(annotation, index, looks.get(index)))
            except FAULTS:
                found.append(_broken(index))
    return tuple(found)


def _broken(index: int) -> Mark:
    return Mark(MarkKind.UNCLEAR, index, sentence=f"A mark on page {index + 1} could not be read.")


def _read_one(annotation: DictionaryObject, index: int, look: PageLook | None) -> Iterator[Mark]:
    kind = str(annotation.get("/Subtype"))
    if kind in _IGNORED:
        return
    sight = _sight(annotation, look)
    if kind == "/Widget":
        yield from _read_field(annotation, index, sight)
    elif kind in _INKY or kind == "/Stamp":
        yield _read_drawing(annotation, index, sight, look)
    elif kind == "/FreeText":
        yield _read_free_text(annotation, index, sight, look)
    else:
        words = _words(annotation.get("/Contents"))
        place = f"A remark or other annotation on page {index + 1} should be looked at."
        yield Mark(MarkKind.UNCLEAR, index, words=words, sentence=place)


class Sight(StrEnum):
    """Whether a person looking at the page sees a mark."""

    SEEN = "seen"
    UNSEEN = "unseen"
    UNSURE = "unsure"


def _sight(annotation: DictionaryObject, look: PageLook | None) -> Sight:
    flags = int(annotation.get("/F", 0) or 0)
    box = _rectangle(annotation.get("/Rect"))
    if flags & _HIDDEN or (flags & _NO_VIEW and not flags & _PRINT):
        return Sight.UNSEEN
    if box is None or box.area <= 0 or float(annotation.get("/CA", 1) or 0) <= 0:
        return Sight.UNSEEN
    if look is None or "/OC" in annotation or flags & _NO_VIEW or _is_pale(annotation):
        return Sight.UNSURE
    inside = box.share_inside(look.box)
    if inside <= 0:
        return Sight.UNSEEN
    return Sight.SEEN if inside >= 0.6 else Sight.UNSURE  # noqa: PLR2004  most of it lies on the page


def _is_pale(annotation: DictionaryObject) -> bool:
    """Say whether the annotation's own colour is as good as white paper."""
    colour = annotation.get("/C")
    if (
        not isinstance(colour, ArrayObject)
        or len(colour) not in {1, 3}
        or annotation.get("/Subtype") == "/FreeText"
    ):
        return False
    return min(float(part) for part in colour) > 0.88  # noqa: PLR2004  as good as white


def _rectangle(value: Any) -> Box | None:
    value = value.get_object() if value is not None else None
    if not isinstance(value, ArrayObject) or len(value) != 4:  # noqa: PLR2004  left, bottom, right, top
        return None
    x1, y1, x2, y2 = (float(number) for number in value)
    return Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


@dataclass(frozen=True, slots=True)
class _Appearance:
    """What an annotation's normal appearance paints."""

    present: bool = False
    image: bool = False
    words: bool = False
    strokes: int = 0
    pale: bool = False

    @property
    def empty(self) -> bool:
        return self.present and not (self.image or self.words or self.strokes)


def _appearance(annotation: DictionaryObject) -> _Appearance:
    faces = annotation.get("/AP")
    faces = faces.get_object() if faces is not None else None
    normal = faces.get("/N") if isinstance(faces, DictionaryObject) else None
    normal = normal.get_object() if normal is not None else None
    if isinstance(normal, DictionaryObject) and not isinstance(normal, StreamObject):
        state = normal.get(annotation.get("/AS", "/Off"))
        normal = state.get_object() if state is not None else None
    return _painted(normal, 0) if isinstance(normal, StreamObject) else _Appearance()


def _painted(stream: StreamObject, depth: int) -> _Appearance:
    body = stream.get_data()[:2_000_000]
    plain = re.sub(rb"\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>", b"()", body)
    strokes = len(re.findall(rb"(?<=\s)[lcvy](?=\s)", plain))
    words = re.search(rb"\(\)\s*(?:Tj|'|\")|\]\s*TJ", plain) is not None
    pale = (
        re.search(rb"(?:^|\s)1(?:\.0*)?\s+1(?:\.0*)?\s+1(?:\.0*)?\s+RG|(?:^|\s)1(?:\.0*)?\s+G\b", plain)
        is not None
    )
    image = re.search(rb"\bBI\b.*?\bID\b", plain, re.DOTALL) is not None
    resources = stream.get("/Resources")
    resources = resources.get_object() if resources is not None else None
    drawn = resources.get("/XObject") if isinstance(resources, DictionaryObject) else None
    drawn = drawn.get_object() if drawn is not None else None
    if isinstance(drawn, DictionaryObject) and depth < 5 and re.search(rb"/\S+\s+Do\b", plain):  # noqa: PLR2004  a drawing in a drawing; deeper is no stamp
        for value in list(drawn.values())[:50]:
            inner = value.get_object()
            if not isinstance(inner, StreamObject):
                continue
            if inner.get("/Subtype") == "/Image":
                image = True
            else:
                more = _painted(inner, depth + 1)
                image, words, strokes = image or more.image, words or more.words, strokes + more.strokes
    return _Appearance(present=True, image=image, words=words, strokes=strokes, pale=pale)


def _read_drawing(annotation: DictionaryObject, index: int, sight: Sight, look: PageLook | None) -> Mark:
    face = _appearance(annotation)
    words = _words(annotation.get("/Contents"))
    stamp = annotation.get("/Subtype") == "/Stamp"
    what = "stamp" if stamp else "line drawn by hand"
    if sight is Sight.UNSEEN or face.empty:
        return Mark(
            MarkKind.HIDDEN, index, words=words, sentence=f"A {what} on page {index + 1} cannot be seen."
        )
    unclear = Mark(
        MarkKind.UNCLEAR,
        index,
        words=words,
        sentence=f"A {what} on page {index + 1}: look whether it is a signature.",
    )
    if sight is Sight.UNSURE or face.pale or not _on_a_line(annotation, look):
        return unclear
    ink = annotation.get("/Subtype") == "/Ink" and _ink_points(annotation, look)
    picture = (
        stamp
        and (face.image or face.strokes > _PEN_STROKES)
        and not face.words
        and not _names_another_stamp(annotation)
    )
    if ink or picture:
        sentence = f"Something is drawn on the signature line of page {index + 1}."
        return Mark(MarkKind.DRAWN, index, words=words, sentence=sentence)
    return unclear


def _names_another_stamp(annotation: DictionaryObject) -> bool:
    """Say whether a stamp calls itself received, approved or the like."""
    said = f"{annotation.get('/Name', '')} {_words(annotation.get('/Contents'))} {_words(annotation.get('/Subj'))}"
    return (
        re.search(
            r"receiv|recibid|approv|draft|filed|confiden|copy|final|expired|void|paid|notar|seal|date",
            said,
            re.IGNORECASE,
        )
        is not None
    )


def _ink_points(annotation: DictionaryObject, look: PageLook | None) -> bool:
    """Say whether the pen left more than a dot or a tick on the page."""
    strokes = annotation.get("/InkList")
    strokes = strokes.get_object() if strokes is not None else None
    if not isinstance(strokes, ArrayObject) or look is None:
        return False
    points = [
        (float(line[place]), float(line[place + 1]))
        for line in (one.get_object() for one in strokes)
        for place in range(0, len(line) - 1, 2)
    ]
    if len(points) < 8:  # noqa: PLR2004  fewer is a tick, a cross or a rule
        return False
    wide = max(x for x, _ in points) - min(x for x, _ in points)
    high = max(y for _, y in points) - min(y for _, y in points)
    inside = sum(
        1 for x, y in points if look.box.left <= x <= look.box.right and look.box.bottom <= y <= look.box.top
    )
    return wide > 20 and high > 3 and inside > 0.6 * len(points)  # noqa: PLR2004  points: larger than a dot


def _on_a_line(annotation: DictionaryObject, look: PageLook | None) -> bool:
    box = _rectangle(annotation.get("/Rect"))
    if box is None or look is None:
        return False
    return any(box.share_inside(zone) >= 0.5 for zone in signature_zones(look))  # noqa: PLR2004  more than half of it


def _read_free_text(annotation: DictionaryObject, index: int, sight: Sight, look: PageLook | None) -> Mark:
    words = _words(annotation.get("/Contents"))
    face = _appearance(annotation)
    if sight is Sight.UNSEEN or not words.strip() or (face.empty and sight is Sight.SEEN):
        return Mark(
            MarkKind.HIDDEN, index, words=words, sentence=f"A text laid over page {index + 1} cannot be seen."
        )
    name = _signed_name(words)
    white = re.search(
        r"(?:^|\s)1(?:\.0*)?\s+g\b|(?:^|\s)1(?:\.0*)?\s+1(?:\.0*)?\s+1(?:\.0*)?\s+rg",
        str(annotation.get("/DA", "")),
    )
    if name and sight is Sight.SEEN and not white and not face.pale and _on_a_line(annotation, look):
        sentence = f"A name is typed over the signature line of page {index + 1}."
        return Mark(MarkKind.TYPED, index, name=name, words=words, sentence=sentence)
    sentence = f"A text is laid over page {index + 1}: look whether it is a signature."
    return Mark(MarkKind.UNCLEAR, index, words=words, sentence=sentence)


def _signed_name(words: str) -> str:
    """Give the name that a mark's words sign with: "/s/ Name", "Signed by Name", or a bare name."""
    for wording in mentions(words):
        if wording.kind in {Mention.CONFORMED, Mention.LABELLED, Mention.SERVICE} and wording.name:
            return wording.name
        if wording.kind is Mention.QUOTED:
            return ""
    lines = [line for line in words.splitlines() if line.strip()]
    name = as_name(lines[0]) if lines else ""
    return name if len(name_key(name)) >= 2 and name == lines[0].strip() else ""  # noqa: PLR2004  a first and a last name


def _words(value: Any) -> str:
    value = value.get_object() if value is not None else None
    return str(value)[:20_000] if isinstance(value, str) else ""


def _inherited(annotation: DictionaryObject, key: str) -> Any:
    node: Any = annotation
    for _ in range(20):
        if key in node:
            return node[key].get_object()
        parent = node.get("/Parent")
        node = parent.get_object() if parent is not None else None
        if not isinstance(node, DictionaryObject):
            return None
    return None


def _full_name(annotation: DictionaryObject) -> str:
    names: list[str] = []
    node: Any = annotation
    for _ in range(20):
        if "/T" in node:
            names.append(_words(node["/T"]))
        parent = node.get("/Parent")
        node = parent.get_object() if parent is not None else None
        if not isinstance(node, DictionaryObject):
            break
    return ".".join(reversed(names))


def _read_field(annotation: DictionaryObject, index: int, sight: Sight) -> Iterator[Mark]:
    kind = _inherited(annotation, "/FT")
    value = _inherited(annotation, "/V")
    name = _full_name(annotation)
    asks = is_signature_name(name) or is_signature_name(_words(_inherited(annotation, "/TU")))
    if kind == "/Sig":
        if isinstance(value, DictionaryObject):
            yield _sealed_field(value, index, name)
        else:
            yield from _empty_signature_field(annotation, index, sight, name)
    elif kind == "/Tx":
        yield from _text_field(_words(value), index, sight, name=name, asks=asks)
    elif kind == "/Btn":
        yield from _button(annotation, value, index, sight, asks=asks)
    elif _words(value).strip():
        yield Mark(MarkKind.VALUE, index, words=_words(value), field=name)


def _sealed_field(value: DictionaryObject, index: int, name: str) -> Mark:
    if "/ByteRange" in value:
        return Mark(
            MarkKind.VALUE, index, sentence=f"Page {index + 1} holds a digital signature.", field=name
        )
    sentence = f"The signature field of page {index + 1} holds a value that is no digital signature."
    return Mark(MarkKind.UNCLEAR, index, sentence=sentence, field=name)


def _empty_signature_field(
    annotation: DictionaryObject, index: int, sight: Sight, name: str
) -> Iterator[Mark]:
    face = _appearance(annotation)
    if not (face.image or face.words or face.strokes):
        yield Mark(
            MarkKind.VALUE,
            index,
            sentence=f"A field for a digital signature on page {index + 1} is empty.",
            field=name,
        )
    elif sight is Sight.UNSEEN:
        yield Mark(
            MarkKind.HIDDEN, index, sentence=f"A filled signature field of page {index + 1} cannot be seen."
        )
    elif sight is Sight.SEEN and (face.image or face.strokes > _PEN_STROKES) and not face.words:
        sentence = f"The signature field of page {index + 1} shows a picture and holds no digital signature."
        yield Mark(MarkKind.DRAWN, index, sentence=sentence, field=name)
    else:
        sentence = f"The signature field of page {index + 1} shows something and holds no digital signature."
        yield Mark(MarkKind.UNCLEAR, index, sentence=sentence, field=name)


def _text_field(words: str, index: int, sight: Sight, *, name: str, asks: bool) -> Iterator[Mark]:
    if not words.strip():
        return
    marked = any(one.kind is Mention.CONFORMED for one in mentions(words))
    if not asks and not marked:
        yield Mark(MarkKind.VALUE, index, words=words, field=name)
        return
    signer = _signed_name(words)
    if sight is Sight.UNSEEN:
        sentence = f"A filled signature field of page {index + 1} cannot be seen."
        yield Mark(MarkKind.HIDDEN, index, words=words, sentence=sentence, field=name)
    elif signer and sight is Sight.SEEN:
        sentence = f"A name is typed into the signature field of page {index + 1}."
        yield Mark(MarkKind.TYPED, index, name=signer, words=words, sentence=sentence, field=name)
    else:
        sentence = f"The signature field of page {index + 1} holds something other than a plain name."
        yield Mark(MarkKind.UNCLEAR, index, words=words, sentence=sentence, field=name)


def _button(
    annotation: DictionaryObject, value: Any, index: int, sight: Sight, *, asks: bool
) -> Iterator[Mark]:
    if sight is Sight.UNSEEN:
        return
    ticked = value is not None and str(value) not in {"/Off", "", "None"}
    if ticked and (
        asks or re.search(r"agree|certif|swear|affirm|consent|acepto", _full_name(annotation), re.IGNORECASE)
    ):
        yield Mark(
            MarkKind.UNCLEAR,
            index,
            sentence=f"A box that may stand for a signature is ticked on page {index + 1}.",
        )
    elif not ticked and _appearance(annotation).image:
        kind = MarkKind.DRAWN if asks and sight is Sight.SEEN else MarkKind.UNCLEAR
        yield Mark(kind, index, sentence=f"A picture stands in a form field of page {index + 1}.")

"""Several papers as one PDF for the printer: a hostile or locked one is left out and stops no other."""

import io
from dataclasses import replace

import pypdf
import pytest
from pypdf.annotations import FreeText
from pypdf.constants import AnnotationFlag
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)

from bot.practice import papers
from intake.pdf.one_print import LIMITS, as_one_print


def _paper(words: str) -> bytes:
    return papers.typed(papers.Complaint("City", "Connie Calder", "Rory Ashby", "Parks Director", words))


def _texts(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]


def _changed(pdf: bytes, *, password: str = "", owner: str = "", acts: bool = False, note: str = "") -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf))
    if acts:
        action = DictionaryObject(
            {NameObject("/S"): NameObject("/JavaScript"), NameObject("/JS"): TextStringObject("app.alert(1)")}
        )
        writer.root_object[NameObject("/OpenAction")] = action
        writer.pages[0][NameObject("/AA")] = DictionaryObject({NameObject("/O"): action})
    if note:
        stamp = FreeText(text=note, rect=(50, 50, 300, 90))
        stamp.flags = AnnotationFlag.PRINT
        writer.add_annotation(0, stamp)
    if password or owner:
        writer.encrypt(password, owner or None, algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_all_pages_stand_in_it_in_their_order() -> None:
    made = as_one_print([_paper("the first"), _paper("the second")])
    assert made.left_out == ()
    found = "\n".join(_texts(made.pdf))
    assert found.index("the first") < found.index("the second")


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\xff\xd8\xff\xe0 a photo", id="a photo"),
        pytest.param(b"%PDF-1.7 and nothing more", id="broken"),
        pytest.param(_changed(_paper("locked"), password="secret"), id="locked"),
    ],
)
def test_what_cannot_be_read_is_left_out_and_named_by_its_place(bad: bytes) -> None:
    made = as_one_print([_paper("the first"), bad, _paper("the third")])
    assert made.left_out == (1,)
    assert len(_texts(made.pdf)) == 2


def test_one_that_only_its_owner_may_change_is_printed() -> None:
    made = as_one_print([_changed(_paper("open to read"), owner="secret")])
    assert made.left_out == ()
    assert "open to read" in _texts(made.pdf)[0]


def test_nothing_that_acts_is_left_in_it() -> None:
    made = as_one_print([_changed(_paper("a trap"), acts=True)])
    assert made.left_out == ()
    for name in (b"/JavaScript", b"/OpenAction", b"/AA", b"app.alert"):
        assert name not in made.pdf


def test_a_bomb_is_left_out_and_the_others_are_printed() -> None:
    made = as_one_print(
        [_paper("the first"), _bomb(), _paper("the third")], limits=replace(LIMITS, wall_s=4.0)
    )
    assert 0 not in made.left_out
    assert 2 not in made.left_out
    assert "the third" in "\n".join(_texts(made.pdf))


def test_where_nothing_can_be_read_there_is_no_pdf_and_each_is_named() -> None:
    made = as_one_print([b"no", b"%PDF-1.4 no"])
    assert (made.pdf, made.left_out) == (b"", (0, 1))
    assert as_one_print([]).pdf == b""


def _bomb() -> bytes:
    """A page tree that refers to itself, with a size that nobody could print."""
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R 3 0 R]/Count 99999999>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200000 200000]>>endobj\n"
        b"trailer<</Root 1 0 R>>\n%%EOF\n"
    )


def test_a_note_that_would_not_be_printed_as_others_show_it_leaves_its_paper_out() -> None:
    made = as_one_print(
        [_paper("the first"), _changed(_paper("with a note"), note="RECEIVED AT THE COUNTER")]
    )
    assert made.left_out == (1,)


def test_a_filled_field_is_printed() -> None:
    form = pypdf.PdfWriter(clone_from=io.BytesIO(_paper("with a field")))
    shown = form._add_object(_appearance("Connie by hand"))
    field = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/Widget"),
            NameObject("/FT"): NameObject("/Tx"),
            NameObject("/T"): TextStringObject("name"),
            NameObject("/V"): TextStringObject("Connie by hand"),
            NameObject("/F"): NumberObject(4),
            NameObject("/Rect"): ArrayObject([NumberObject(one) for one in (50, 50, 250, 80)]),
            NameObject("/AP"): DictionaryObject({NameObject("/N"): shown}),
        }
    )
    key = form._add_object(field)
    form.pages[0][NameObject("/Annots")] = ArrayObject([key])
    form.root_object[NameObject("/AcroForm")] = DictionaryObject({NameObject("/Fields"): ArrayObject([key])})
    out = io.BytesIO()
    form.write(out)
    made = as_one_print([out.getvalue()])
    assert made.left_out == ()
    assert "Connie by hand" in _texts(made.pdf)[0]


def _appearance(words: str) -> StreamObject:
    stream = DecodedStreamObject()
    stream.set_data(f"BT /Helv 12 Tf 5 8 Td ({words}) Tj ET".encode())
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    stream.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): ArrayObject([NumberObject(one) for one in (0, 0, 200, 30)]),
            NameObject("/Resources"): DictionaryObject(
                {NameObject("/Font"): DictionaryObject({NameObject("/Helv"): font})}
            ),
        }
    )
    return stream

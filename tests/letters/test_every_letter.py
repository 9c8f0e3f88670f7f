"""What holds for each letter of the catalogue."""

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pypdf
import pytest

from store.letters.catalogue import LETTERS, check_letterhead, check_template
from store.letters.letter import LetterKind
from store.letters.press import Template
from store.letters.specimens import specimen
from store.letters.twin import WIDTH
from store.printing import PressRoom
from tests.letters.conftest import ISSUED_AT

APPROVED = Path(__file__).parent / "approved"
every_kind = pytest.mark.parametrize("kind", list(LetterKind), ids=str)


@every_kind
def test_the_text_of_a_letter_is_the_approved_one(room: PressRoom, kind: LetterKind) -> None:
    """A changed letter shows here; whoever changes it puts the new text into the folder `approved`."""
    text = room.set(specimen(kind), ISSUED_AT).text
    assert text == (APPROVED / f"{kind}.txt").read_text("utf-8")


@every_kind
def test_the_same_letter_gives_the_same_bytes(room: PressRoom, kind: LetterKind) -> None:
    assert room.set(specimen(kind), ISSUED_AT) == room.set(specimen(kind), ISSUED_AT)


@every_kind
def test_a_letter_is_tagged_accessible_and_archivable(room: PressRoom, kind: LetterKind) -> None:
    pressed = room.set(specimen(kind), ISSUED_AT)
    reader = pypdf.PdfReader(io.BytesIO(pressed.pdf))
    root: dict[str, Any] = dict(reader.root_object)
    xmp = root["/Metadata"].get_object().get_data().decode()
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    assert str(root["/Lang"]) == "en-US"
    assert "<pdfuaid:part>1<" in xmp
    assert "<pdfaid:part>2<" in xmp
    assert "<pdfaid:conformance>A<" in xmp
    assert pressed.flags == ()


@every_kind
def test_every_word_of_the_text_stands_in_the_pdf(room: PressRoom, kind: LetterKind) -> None:
    pressed = room.set(specimen(kind), ISSUED_AT)
    pages = pypdf.PdfReader(io.BytesIO(pressed.pdf)).pages
    printed = "".join("".join(page.extract_text() for page in pages).split()).casefold()
    printed = printed.translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"'})
    missing = [word for word in pressed.text.split() if word.strip("-").casefold() not in printed]
    joints = {":", ";"}  # the twin writes a table's facts as `name: value`
    assert [word for word in missing if word.rstrip("".join(joints)).casefold() not in printed] == []


@every_kind
def test_a_subject_says_the_number_and_names_nobody(kind: LetterKind) -> None:
    letter = specimen(kind)
    subject = letter.subject()
    assert not any(name in subject for name in ("Alma", "Whitfield", "Gordon", "Pike", "reprimand"))
    if letter.case_number and kind is not LetterKind.ADDRESS_LABEL:
        assert letter.case_number in subject


@every_kind
def test_lines_of_the_text_are_short(room: PressRoom, kind: LetterKind) -> None:
    lines = room.set(specimen(kind), ISSUED_AT).text.splitlines()
    assert [line for line in lines if len(line) > WIDTH] == []


@every_kind
def test_the_supplied_template_shows_all_that_its_letter_must(room: PressRoom, kind: LetterKind) -> None:
    assert check_template(kind, room.template(kind)) == []


@every_kind
def test_a_placeholder_lost_from_a_template_is_named(room: PressRoom, kind: LetterKind) -> None:
    for name in LETTERS[kind].required:
        template = room.template(kind).replace(f"letter.{name}".encode(), b"none")
        assert f"letter.{name}" in check_template(kind, template)


def test_the_list_has_every_kind_under_its_own_name() -> None:
    assert {kind: letter.__module__.rpartition(".")[2] for kind, letter in LETTERS.items()} == {
        kind: kind.value for kind in LetterKind
    }


def test_a_placeholder_in_a_comment_does_not_count() -> None:
    template = b"#show: sheet\n// letter.case_number letter.received_at\n#letter.lacks #letter.reply_to"
    assert check_template(LetterKind.CURE_NOTICE, template) == ["letter.case_number", "letter.received_at"]


def test_a_template_without_the_common_sheet_or_not_in_utf8_is_named() -> None:
    assert check_template(LetterKind.ADDRESS_LABEL, b"#letter.addressee") == ["#show: sheet"]
    assert check_template(LetterKind.ADDRESS_LABEL, b"\xff\xfe") == ["text in UTF-8"]


def test_a_letterhead_that_lost_a_part_is_named(room: PressRoom) -> None:
    supplied = room.template("letterhead")
    assert check_letterhead(supplied) == []
    assert check_letterhead(supplied.replace(b"#let due(", b"#let dew(")) == ["#let due"]
    assert check_letterhead(supplied.replace(b"<twin>", b"")) == ["<twin>"]


def test_the_date_in_the_pdf_is_the_instant_of_the_act(room: PressRoom) -> None:
    early = room.set(specimen(LetterKind.NOTICE), ISSUED_AT)
    late = room.set(specimen(LetterKind.NOTICE), ISSUED_AT + timedelta(days=1))
    assert early.pdf != late.pdf
    assert early.text == late.text
    made = pypdf.PdfReader(io.BytesIO(early.pdf)).metadata
    assert made is not None
    assert made.creation_date == ISSUED_AT


def test_an_edited_template_changes_the_text_with_the_pdf(room: PressRoom) -> None:
    """PDF and text are one letter: a city that edits the template cannot make them differ."""
    from store.letters.press import press

    body = room.template("cure_notice").replace(b"It has not been rejected.", b"It stays on the docket.")
    pressed = press(
        specimen(LetterKind.CURE_NOTICE), Template(room.template("letterhead"), body), room.face, ISSUED_AT
    )
    assert "It stays on the docket." in " ".join(pressed.text.split())
    printed = " ".join(pypdf.PdfReader(io.BytesIO(pressed.pdf)).pages[0].extract_text().split())
    assert "It stays on the docket." in printed

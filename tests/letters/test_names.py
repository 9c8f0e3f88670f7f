"""No name stops a letter, and nothing that a person wrote becomes part of a template."""

import io
from dataclasses import replace
from typing import Any

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.letters.characters import MARKS_PER_LETTER, printable
from store.letters.cure_notice import CureNotice, Lack
from store.letters.letter import Addressee, Letter, LetterKind
from store.letters.press import Flag, Template, TemplateFault, press
from store.letters.specimens import specimen
from store.letters.twin import WIDTH, Block, write_twin
from store.printing import PressRoom
from tests.letters.conftest import ISSUED_AT


def _to(name: str, kind: LetterKind = LetterKind.ACKNOWLEDGEMENT) -> Letter:
    return replace(specimen(kind), addressee=Addressee(name, ("12 Mill Lane",)))


@pytest.mark.parametrize(
    "name",
    [
        "محمد عبد الله",
        "יעל כהן",
        "王小明",
        "山田 太郎",
        "김민준",
        "Łukasz Žižek",
        "Ελένη Παπαδοπούλου",
        "Дмитрий Ёлкин",
        "सुनीता शर्मा",
        "สมชาย ใจดี",
        "Nguyễn Thị Hồng",
        "O’Brien-Smith, Jr.",
        "Ada 😀 👩‍👧 Lovelace",
        "𝓙𝓸𝓱𝓷 𝓓𝓸𝓮",
        "Zoe\u0308",
        "W" * 200,
        "王" * 200,
        "محمد" * 50,
    ],
)
def test_names_of_the_world_are_set_under_the_full_standards(room: PressRoom, name: str) -> None:
    pressed = room.set(_to(name), ISSUED_AT)
    assert pressed.flags == ()
    assert printable(name).says.replace("\u200b", "") in pressed.text


@pytest.mark.parametrize(
    "name",
    ["", " ", "\x00Bob", "\u202egnik\u202c", "Z" + "\u0301\u0316" * 80, "\ud800", "a\ufeffb", "\ufffe"],
)
def test_what_no_page_can_show_is_left_out_and_the_letter_goes(room: PressRoom, name: str) -> None:
    pressed = room.set(_to(name), ISSUED_AT)
    assert pressed.pdf.startswith(b"%PDF-")
    assert Flag.PLAIN_PROFILE not in pressed.flags


@pytest.mark.parametrize("name", ["𓀀𓁐", "\ue000", "\U000f0000", "\u0378", "𒀀"])
def test_a_character_without_a_shape_makes_a_plain_letter_and_tells_staff(room: PressRoom, name: str) -> None:
    pressed = room.set(_to(name), ISSUED_AT)
    assert pressed.flags == (Flag.PLAIN_PROFILE,)
    assert "/StructTreeRoot" in pypdf.PdfReader(io.BytesIO(pressed.pdf)).root_object


@pytest.mark.parametrize(
    ("name", "left_out"),
    [
        ("Bob\x07", True),
        ("\u202eBob", True),
        ("Bob\u2066", True),
        ("Bob\r\n", False),
        ("Bob\ufeff", False),
        ("Bob", False),
    ],
)
def test_staff_are_told_when_something_was_left_out(room: PressRoom, name: str, left_out: bool) -> None:
    assert (Flag.CHARACTERS_LEFT_OUT in room.set(_to(name), ISSUED_AT).flags) is left_out


@settings(max_examples=60, deadline=None)
@given(name=st.text(max_size=200))
def test_any_name_at_all_gives_a_letter(room: PressRoom, name: str) -> None:
    pressed = room.set(_to(name), ISSUED_AT)
    assert pressed.pdf.startswith(b"%PDF-")
    assert "Case 2026-007".upper() in pressed.text


@settings(max_examples=40, deadline=None)
@given(what=st.text(max_size=300), mend=st.text(max_size=300))
def test_any_text_in_a_list_gives_a_letter(room: PressRoom, what: str, mend: str) -> None:
    letter = specimen(LetterKind.CURE_NOTICE)
    assert isinstance(letter, CureNotice)
    assert room.set(replace(letter, lacks=(Lack(what, mend),)), ISSUED_AT).pdf.startswith(b"%PDF-")


@pytest.mark.parametrize(
    "attack",
    [
        '#read("letterhead.typ")',
        "#panic()",
        "$ x^2 $",
        "\\",
        "]",
        '"] #read("/etc/passwd") [',
        "= Heading",
        "- point",
        "*bold* _italic_ `raw`",
        "@label <label>",
        "// comment",
        "#sys.inputs",
        "~ --- ...",
        "https://example.com",
    ],
)
def test_what_a_person_wrote_is_shown_and_never_run(room: PressRoom, attack: str) -> None:
    pressed = room.set(_to(attack), ISSUED_AT)
    assert attack in pressed.text
    assert pressed.flags == ()


def test_a_template_cannot_read_beyond_its_folder(room: PressRoom) -> None:
    body = b'#show: sheet\n#read("/../../../../../../etc/passwd")\n'
    with pytest.raises(TemplateFault):
        press(_to("Bob"), Template(room.template("letterhead"), body), room.face, ISSUED_AT)


def test_a_faulty_template_is_named_by_kind_and_line_and_quotes_no_value(room: PressRoom) -> None:
    body = b"#show: sheet\n\n#panic(letter.addressee.name)\n"
    with pytest.raises(TemplateFault) as caught:
        press(_to("Secret Person"), Template(room.template("letterhead"), body), room.face, ISSUED_AT)
    assert caught.value.line == 3
    assert "acknowledgement" in str(caught.value)
    assert "Secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@given(st.text())
def test_printable_text_stays_as_it_is_the_second_time(text: str) -> None:
    once = printable(text).says.replace("\u200b", "")
    assert printable(once).says.replace("\u200b", "") == once


def test_piled_accents_are_cut_and_ordinary_ones_kept() -> None:
    assert printable("Z" + "\u0316" * 50).says == "Z" + "\u0316" * MARKS_PER_LETTER
    assert printable("e\u0301").says == "é"


def test_paragraphs_of_a_person_stay_paragraphs() -> None:
    assert printable("one\r\n\r\n\r\ntwo\nthree \r four").says == "one\n\ntwo\nthree\nfour"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["text", "heading", "bullet", "number"]), st.text(alphabet="ab \n", max_size=300)
        )
    )
)
def test_no_line_of_the_text_is_long_unless_a_word_is(blocks: list[tuple[str, str]]) -> None:
    text = write_twin([Block(kind, says) for kind, says in blocks])
    assert all(len(line) <= WIDTH or len(line.split()[-1]) > WIDTH - 10 for line in text.splitlines())


def test_a_name_in_chinese_is_not_set_from_a_face_with_empty_signs(room: PressRoom) -> None:
    """The Korean face claims Chinese signs and draws nothing for them."""
    pdf = pypdf.PdfReader(io.BytesIO(room.set(_to("王小明 김민준"), ISSUED_AT).pdf))
    faces = {str(font["/BaseFont"]).partition("+")[2] for font in _fonts(pdf)}
    assert any(face.startswith("DroidSansFallback") for face in faces)
    assert any(face.startswith("NanumSquare") for face in faces)


def test_a_mail_address_of_ordinary_length_has_no_hidden_break() -> None:
    address = "ethics+r.k3v9q2x7m4t8w1z5@riverton.example.org"
    longer = "complaints+r.av6w5qbyjdzrx6@ethics.commonwealth-city.example"
    assert printable(address).says == address
    assert printable(f"Write to {longer} now.").says == f"Write to {longer} now."
    assert "\u200b" in printable("W" * 60).says
    assert "\u200b" in printable(f"{'w' * 60}@city.example").says


def _fonts(pdf: pypdf.PdfReader) -> list[dict[str, object]]:
    resources: Any = pdf.pages[0]["/Resources"]
    return [font.get_object() for font in resources["/Font"].values()]

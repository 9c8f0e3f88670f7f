"""The address label: one sheet of 4 by 6 inches, whatever the name, and nothing of the Board's business on it."""

import io
from dataclasses import replace

import pypdf
import pytest

from store.letters.letter import Addressee, LetterKind
from store.letters.specimens import specimen
from store.printing import PressRoom
from tests.letters.conftest import ISSUED_AT


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Gordon Pike", ("12 Mill Lane", "Riverton, KY 40000")),
        ("Gordon Pike", ()),
        ("W" * 200, ("12 Mill Lane",)),
        ("x" * 200, ("y" * 150,) * 3),
        ("王" * 200, ("王" * 100,) * 3),
        ("Ann " * 50, ("Long Lane " * 15,) * 4),
        ("محمد" * 50, ("شارع الملك",) * 3),
    ],
)
def test_it_stays_on_one_sheet_and_inside_its_margins(
    room: PressRoom, name: str, lines: tuple[str, ...]
) -> None:
    label = replace(specimen(LetterKind.ADDRESS_LABEL), addressee=Addressee(name, lines, "By certified mail"))
    pressed = room.set(label, ISSUED_AT)
    (page,) = pypdf.PdfReader(io.BytesIO(pressed.pdf)).pages
    assert (float(page.mediabox.width), float(page.mediabox.height)) == (432.0, 288.0)
    assert name.strip()[:10] in pressed.text

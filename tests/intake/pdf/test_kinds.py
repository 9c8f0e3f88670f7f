"""The kinds of evidence on papers made here, so that no answer hangs on one file of the cases."""

import pytest

from intake.pdf.finding import Signature
from intake.pdf.judge import judge
from intake.pdf.trust import NO_ROOTS
from tests.intake.pdf.conftest import RECEIVED

BODY = [
    "COMPLAINT",
    "I, Jane Q. Public, of 412 Elm Street, complain of",
    "Harold Finch, Purchasing Director.",
]
BLANK = [*BODY, "Signature: ________________", "Printed name: Jane Q. Public"]
SIGNED = [*BODY, "/s/ Jane Q. Public"]
ON_THE_LINE = "140 655 330 680"
INK = "/InkList[[140 660 150 675 160 658 170 672 180 660 190 676 220 662 240 678 290 660]]"
ELSEWHERE_INK = "/InkList[[100 300 120 320 130 340 150 300 170 340 180 310 190 330 200 310 260 340]]"


def words(lines: list[str]) -> str:
    """Give a page's drawing: the lines from the top, 18 points apart."""
    return "BT /F1 12 Tf 18 TL 72 720 Td " + " ".join(f"({line}) Tj T*" for line in lines) + " ET "


def paper(*pages: str, page: str = "", root: str = "", more: tuple[str, ...] = ()) -> bytes:
    """Make a PDF; the first object of `more` has the number 4 + 2 times the pages."""
    count = len(pages)
    font = 3 + 2 * count
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(count))
    objects = [f"<</Type/Catalog/Pages 2 0 R{root}>>", f"<</Type/Pages/Kids[{kids}]/Count {count}>>"]
    for number, drawing in enumerate(pages):
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 {font} 0 R>>>>"
            f"/Contents {4 + 2 * number} 0 R{page}>>"
        )
        objects.append(f"<</Length {len(drawing)}>>stream\n{drawing}\nendstream")
    objects += ["<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", *more]
    made, places = b"%PDF-1.7\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{one}\nendobj\n".encode("latin-1")
    table = "0000000000 65535 f \n" + "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n{table}trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{len(made)}\n%%EOF\n"
    return made + end.encode("latin-1")


def over(kind: str, rectangle: str, rest: str = "/F 4") -> str:
    return f"/Annots[<</Type/Annot/Subtype/{kind}/Rect[{rectangle}]{rest}>>]"


def field(name: str, value: str) -> dict[str, object]:
    return {
        "root": "/AcroForm<</Fields[6 0 R]>>",
        "page": "/Annots[6 0 R]",
        "more": (
            f"<</Type/Annot/Subtype/Widget/FT/Tx/T({name})/V({value})/Rect[{ON_THE_LINE}]/F 4/DA(/F1 12 Tf 0 g)>>",
        ),
    }


def _word(content: bytes) -> Signature:
    return judge(content, trust=NO_ROOTS, moment=RECEIVED).signature


@pytest.mark.parametrize(
    "content",
    [
        paper(words(SIGNED)),
        paper(words([*BODY, "s/ Jane Q. Public"])),
        paper(words([*BODY, "Signature: Jane Q. Public"])),
        paper(words([*BODY, "DocuSigned by:", "Jane Q. Public", "9F3C2A77E1B04D1"])),
        paper(words(["DENUNCIA", "Yo, Maria Lopez, de Testburg, denuncio.", "Firma: /s/ Maria Lopez"])),
        paper(words(BLANK) + "BT /F1 12 Tf 150 668 Td (Jane Q. Public) Tj ET"),
        paper(
            words(BLANK),
            page=over("FreeText", ON_THE_LINE, "/Contents(/s/ Jane Q. Public)/DA(/Helv 12 Tf 0 g)/F 4"),
        ),
        paper(words(BLANK), **field("Complainant Signature", "Jane Q. Public")),  # type: ignore[arg-type]
    ],
    ids=["mark", "short mark", "label", "service", "Spanish", "over the line", "free text", "form field"],
)
def test_the_writers_own_name_on_the_paper_is_typed(content: bytes) -> None:
    assert _word(content) is Signature.TYPED


@pytest.mark.parametrize(
    "content",
    [
        paper(words(BLANK)),
        paper(words([*BODY, "________________________", "Signature of Complainant"])),
        paper(words([*BODY, "Respectfully submitted,", "Jane Q. Public"])),
        paper(words(["DENUNCIA", "Yo, Maria Lopez, de Testburg, denuncio.", "Firma: ____________"])),
        paper(words(BLANK), **field("Printed Name", "Jane Q. Public")),  # type: ignore[arg-type]
    ],
    ids=["blank line", "caption", "closing", "Spanish", "name field"],
)
def test_a_paper_with_nothing_on_its_line_is_unsigned(content: bytes) -> None:
    assert _word(content) is Signature.NONE_FOUND


@pytest.mark.parametrize(
    "content",
    [
        paper(words([*BODY, "/s/ Harold Finch"])),
        paper(words(BODY), words(["Exhibit A", "Dear Sir,", "/s/ Harold Finch"])),
        paper(words(BLANK) + "BT 1 g /F1 4 Tf 72 400 Td (/s/ Jane Q. Public) Tj ET"),
        paper(words(BODY) + "BT 3 Tr /F1 12 Tf 72 400 Td (/s/ Jane Q. Public) Tj ET"),
        paper(words(BODY) + "BT /F1 12 Tf 72 -400 Td (/s/ Jane Q. Public) Tj ET"),
        paper(words(SIGNED) + "1 g 60 600 400 130 re f"),
        paper(words(BLANK) + "140 670 m 150 690 160 650 170 680 c S"),
        paper(
            words(BLANK),
            page=over("FreeText", "300 700 500 740", "/Contents(RECEIVED May 4)/DA(/Helv 12 Tf 0 g)/F 4"),
        ),
        paper(words(BLANK), page=over("Ink", "100 300 300 350", f"{ELSEWHERE_INK}/F 4")),
        paper(words(BLANK), page=over("Stamp", ON_THE_LINE, "/Name/Approved/F 4")),
        paper(words(BLANK), **field("Signature", "n/a")),  # type: ignore[arg-type]
        paper(words([*BLANK, "The award was electronically signed by the mayor."])),
    ],
    ids=[
        "other name",
        "exhibit",
        "white",
        "invisible",
        "off the page",
        "covered",
        "curve",
        "free text elsewhere",
        "ink elsewhere",
        "stamp approved",
        "field n/a",
        "speaks of signing",
    ],
)
def test_in_doubt_a_person_must_look(content: bytes) -> None:
    assert _word(content) is Signature.NEEDS_HUMAN


def test_ink_on_the_line_is_drawn() -> None:
    assert _word(paper(words(BLANK), page=over("Ink", ON_THE_LINE, f"{INK}/F 4"))) is Signature.DRAWN


@pytest.mark.parametrize(
    ("page", "root", "active"),
    [
        ("", "/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next<</S/JavaScript/JS(app.alert(1))>>>>", True),
        ("", "/OpenAction<</S/J#61vaScript/J#53(app.alert(1))>>", True),
        ("", "/OpenAction<</S/ImportData/F(x.fdf)>>", True),
        (over("Link", "0 0 9 9", "/A<</S/GoToR/F(x.pdf)/D[0/Fit]>>"), "", True),
        (over("Link", "0 0 9 9", "/A<</S/GoToE/D[0/Fit]>>"), "", True),
        (over("Link", "0 0 9 9", "/A<</S/URI/URI(javascript:alert)>>"), "", True),
        (over("Link", "0 0 9 9", "/A<</S/URI/URI(https://example.org)>>"), "", False),
        ("", "/OpenAction<</S/GoTo/D[3 0 R/Fit]>>", False),
    ],
    ids=["next", "escaped", "import", "other file", "enclosed file", "script link", "web link", "own page"],
)
def test_what_acts_by_itself_is_flagged_and_a_link_is_not(page: str, root: str, active: bool) -> None:
    found = judge(paper(words(SIGNED), page=page, root=root), trust=NO_ROOTS, moment=RECEIVED)
    assert (found.signature, found.active_content) == (Signature.TYPED, active)


@pytest.mark.parametrize(
    ("name", "begin", "active"),
    [
        ("notes.vbs", "abc", True),
        ("scan.pdf.exe ", "abc", True),
        ("notes.txt", "MZ\x90", True),
        ("notes.txt", "abc", False),
    ],
)
def test_an_enclosed_program_is_told_by_its_ending_or_its_beginning(
    name: str, begin: str, active: bool
) -> None:
    root = f"/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F({name})/EF<</F 6 0 R>>>>]>>>>"
    enclosed = f"<</Type/EmbeddedFile/Length {len(begin)}>>stream\n{begin}\nendstream"
    found = judge(paper(words(SIGNED), root=root, more=(enclosed,)), trust=NO_ROOTS, moment=RECEIVED)
    assert found.active_content is active
    assert found.embedded == (name.strip(),)


def test_an_unsigned_cover_of_an_enclosed_pdf_is_left_to_a_person() -> None:
    root = "/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F(complaint.pdf)/EF<</F 6 0 R>>>>]>>>>"
    enclosed = "<</Type/EmbeddedFile/Length 8>>stream\n%PDF-1.4\nendstream"
    assert _word(paper(words(BLANK), root=root, more=(enclosed,))) is Signature.NEEDS_HUMAN


@pytest.mark.parametrize(
    "line",
    [
        "\\(sgd.\\) Jane Q. Public",
        "\\(s\\) Jane Q. Public",
        "Sgd. Jane Q. Public",
        "Unterschrift: Jane Q. Public",
        "gez. Jane Q. Public",
        "Assinatura: Jane Q. Public",
        "Jane Q. Public \\(Nov 2, 2026 09:14 EST\\)",
        "Jane Q. Public \\(2026-11-02 09:14:07 UTC\\)",
    ],
)
def test_a_conformed_signature_in_other_words_is_typed_or_looked_at(line: str) -> None:
    assert _word(paper(words([*BODY, line]))) in {Signature.TYPED, Signature.NEEDS_HUMAN}


@pytest.mark.parametrize(
    "lines",
    [
        ["Jane Q. Public", "______________________", "Signature of Complainant"],
        ["Jane Q. Public", "\\(Signature\\)"],
        ["Signature:", "Jane Q. Public"],
        ["I sign this complaint electronically: Jane Q. Public"],
        ["[X] By typing my name I sign this electronically", "Jane Q. Public"],
    ],
    ids=["over the rule", "over the caption", "under the label", "I sign electronically", "typing my name"],
)
def test_a_name_where_the_signature_belongs_is_never_passed_over(lines: list[str]) -> None:
    assert _word(paper(words([*BODY, *lines]))) in {Signature.TYPED, Signature.NEEDS_HUMAN}


@pytest.mark.parametrize(
    "lines",
    [
        ["Signature: _____________   Date: _____________"],
        ["Unterschrift: ____________", "Printed name: Jane Q. Public"],
        ["X ________________", "Printed name: Jane Q. Public"],
        ["_______________________", "Jane Q. Public, Complainant"],
    ],
    ids=["with a date", "German", "cross", "name below"],
)
def test_a_blank_line_in_other_words_is_blank(lines: list[str]) -> None:
    assert _word(paper(words([*BODY, *lines]))) is Signature.NONE_FOUND


@pytest.mark.parametrize("font", ["SnellRoundhand", "ABCDEF+Caveat-Regular", "BrushScriptMT"])
def test_a_typeface_like_handwriting_leaves_an_unsigned_paper_to_a_person(font: str) -> None:
    content = paper(words(BLANK), more=(f"<</Type/Font/Subtype/Type1/BaseFont/{font}>>",))
    assert _word(content) is Signature.NEEDS_HUMAN

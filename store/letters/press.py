"""Turn a letter into a tagged PDF and its plain-text twin.

The PDF is PDF/A-2a and PDF/UA-1 in one file, and the same input gives the same bytes. A character for which no
font has a shape is an error under these standards, so such a letter is set again as plain tagged PDF and flagged:
a name never stops a letter. Values travel as JSON beside the template, so what a person wrote is never code.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

import typst

from store.letters.letter import Letter, LetterKind, Values, Written, values_of
from store.letters.twin import Block, write_twin

STANDARDS: Final["list[typst.PDFStandard]"] = ["a-2a", "ua-1"]
_BODY_TYPE = "Libertinus Serif"
_FIRST = ("Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew")
_LAST = (
    "Noto Sans Symbols",
    "Noto Sans Symbols2",
    "Noto Sans Math",
    "Noto Emoji",
    "NanumSquare",
    "Droid Sans Fallback",
)
TEMPLATE_FILE: Final = "letter.typ"
_PLACE = re.compile(r"letter\.typ:(\d+)")


class Flag(StrEnum):
    """What staff must look at before a letter goes out."""

    CHARACTERS_LEFT_OUT = "characters_left_out"
    PLAIN_PROFILE = "plain_profile"


@dataclass(frozen=True)
class Template:
    """The text of one letter's template and of the letterhead that all share, as bytes of typst."""

    letterhead: bytes
    body: bytes

    def whole(self) -> bytes:
        """Join the two: the letterhead comes first."""
        return self.letterhead.rstrip(b"\n") + b"\n" + self.body


@dataclass(frozen=True)
class Type:
    """Loaded fonts, and what gives the compiler of a template: one for all letters of that template.

    The compiler's main file is `TEMPLATE_FILE`, alone in a folder beyond which the template cannot read.
    """

    fonts: typst.Fonts
    compiler: Callable[[bytes], typst.Compiler]

    def typefaces(self) -> list[str]:
        """Name the families in a fixed order, so that no folder's order decides which one sets a letter."""
        found = set(self.fonts.families()) - {_BODY_TYPE, *_FIRST, *_LAST}
        return [*_FIRST, *sorted(name for name in found if name.startswith("Noto")), *_LAST]


@dataclass(frozen=True)
class Pressed:
    """A finished letter: the PDF, its twin (lines of at most 72 characters), and what staff must look at."""

    pdf: bytes
    text: str
    flags: tuple[Flag, ...]


class TemplateFault(Exception):
    """A template cannot be set. Carries kind and line only: typst's own words may quote a letter's values."""

    def __init__(self, kind: LetterKind, line: int | None, detail: str) -> None:
        where = f" at line {line}" if line is not None else ""
        super().__init__(
            f"The template of the letter '{kind}' cannot be set{where}. No letter was made or sent. "
            "Run `docket doctor`, mend the template, or remove the city's copy to go back to the one supplied."
        )
        self.kind = kind
        self.line = line
        self._detail = detail

    def detail_of_specimen(self) -> str:
        """Give typst's own words; only for letters whose values are made up."""
        return self._detail


def press(letter: Letter | Written, template: Template, face: Type, issued_at: datetime) -> Pressed:
    """Set a letter. Letters of one template share its compiler: set one at a time.

    Args:
        letter: the values, in the city's zone; or what was written of it before.
        template: the letter's template with the letterhead.
        face: the fonts.
        issued_at: aware instant written into the PDF as its date; the instant of the act, never "now".

    Raises:
        TemplateFault: the template itself is wrong. A value never raises it.
    """
    values = letter.values if isinstance(letter, Written) else values_of(letter)
    work = _Work(letter.kind, template, face, values)
    flags = [Flag.CHARACTERS_LEFT_OUT] if values.characters_left_out else []
    try:
        pdf = work.compiled(STANDARDS, issued_at)
    except typst.TypstError:
        flags.append(Flag.PLAIN_PROFILE)
        pdf = work.compiled_or_fault(["1.7"], issued_at)
    return Pressed(pdf, write_twin(work.blocks()), tuple(flags))


class _Work:
    """One letter on the press."""

    def __init__(self, kind: LetterKind, template: Template, face: Type, values: Values) -> None:
        self._kind = kind
        self._compiler = face.compiler(template.whole())
        self._lines_of_letterhead = template.letterhead.rstrip(b"\n").count(b"\n") + 1
        self._given = json.dumps(values.named | {"typefaces": face.typefaces()}, sort_keys=True)

    def compiled(self, standards: "list[typst.PDFStandard]", issued_at: datetime) -> bytes:
        """Make the PDF under these standards."""
        pdf = self._compiler.compile(
            format="pdf", pdf_standards=standards, timestamp=issued_at, sys_inputs={"letter": self._given}
        )
        assert isinstance(pdf, bytes)
        return pdf

    def compiled_or_fault(self, standards: "list[typst.PDFStandard]", issued_at: datetime) -> bytes:
        """Make the PDF, or name the template's line that cannot be set."""
        try:
            return self.compiled(standards, issued_at)
        except typst.TypstError as error:
            raise TemplateFault(self._kind, self._line(str(error.diagnostic)), str(error)) from None

    def _line(self, diagnostic: str) -> int | None:
        """Find the line of the body that typst points at; none when it lies in the letterhead."""
        place = _PLACE.search(diagnostic)
        line = int(place.group(1)) - self._lines_of_letterhead if place else 0
        return line if line > 0 else None

    def blocks(self) -> Sequence[Block]:
        """Ask the finished letter for its words, in order; the compiler still knows it."""
        found = self._compiler.query("<twin>", field="value", one=True)
        return [Block.read(entry) for entry in json.loads(found)]

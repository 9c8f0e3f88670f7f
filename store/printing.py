"""The press room: fonts read from disk once, templates put where their compilers find them, all handed to the press.

A city may keep its own copy of a template under `templates/` of its data folder; where there is one,
it is used instead of ours (decisions 27).
"""

import hashlib
import secrets
import threading
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import typst

from store.database import plain_disk_faults
from store.letters.letter import Letter, Written
from store.letters.press import TEMPLATE_FILE, Pressed, Template, Type, press
from store.scratch import Scratch

_TEMPLATES_AT_WORK = 40
_PACKAGE = files("store.letters")
_PICTURE_PPI = 120.0


@dataclass(frozen=True)
class PressRoom:
    """Fonts and templates; each template alone in a folder beyond which it cannot read.

    Attributes:
        city_templates: the city's own copies; may be missing.
        face: the loaded fonts.
    """

    city_templates: Path | None
    face: Type
    _folder: Scratch = field(repr=False)
    _at_work: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def set(self, letter: Letter | Written, issued_at: datetime) -> Pressed:
        """Set one letter with the city's template where it has one.

        Raises:
            TemplateFault: the template is wrong; a value never raises it.
        """
        template = Template(self.template("letterhead"), self.template(letter.kind.value))
        with self._at_work:
            return press(letter, template, self.face, issued_at.replace(microsecond=0))

    def picture(self, svg: str) -> bytes:
        """Draw SVG as a PNG, on white."""
        page = (
            b"#set page(width: auto, height: auto, margin: 8pt, fill: white)\n"
            b'#image(bytes(sys.inputs.svg), format: "svg", width: 960pt)'
        )
        with self._at_work:
            drawn = self.face.compiler(page).compile(format="png", ppi=_PICTURE_PPI, sys_inputs={"svg": svg})
        assert isinstance(drawn, bytes)
        return drawn

    def close(self) -> None:
        """Remove the folders; the press cannot be used afterwards."""
        self._folder.cleanup()

    def template(self, name: str) -> bytes:
        """Give a template's bytes: the city's copy, or ours."""
        if self.city_templates is not None:
            own = self.city_templates / f"{name}.typ"
            if own.is_file():
                return own.read_bytes()
        return (_PACKAGE / "templates" / f"{name}.typ").read_bytes()


def _put(path: Path, content: bytes) -> None:
    """Put a file there whole; a reader never sees half of one, nor does the next who looks whether it is there."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f"{secrets.token_hex(8)}.part")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def open_press(city_templates: Path | None = None) -> PressRoom:
    """Load the fonts.

    Args:
        city_templates: the folder of the city's own templates; None for ours alone.
    """
    fonts = typst.Fonts(
        font_paths=[str(_PACKAGE / "fonts")], include_system_fonts=False, include_embedded_fonts=True
    )
    folder = Scratch("docket-press-")

    @lru_cache(maxsize=_TEMPLATES_AT_WORK)
    def at(path: Path) -> typst.Compiler:
        return typst.Compiler(str(path), root=str(path.parent), font_paths=fonts, ignore_system_fonts=True)

    def compiler(whole: bytes) -> typst.Compiler:
        path = folder.path / hashlib.sha256(whole).hexdigest() / TEMPLATE_FILE
        if not path.exists():  # at first, and when the system has tidied up its folder for temporary files
            with plain_disk_faults():
                _put(path, whole)
        return at(path)

    return PressRoom(city_templates, Type(fonts, compiler), folder)

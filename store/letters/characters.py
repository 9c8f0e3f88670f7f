"""Which characters of a given text can stand on a page.

Names come from anywhere. What cannot be shown (control characters, lone surrogates, direction overrides that
could turn a sentence round, piles of accents) is left out and said; what can be shown stays as it was.
"""

import re
import unicodedata
from dataclasses import dataclass

MARKS_PER_LETTER = 6
"""The most combining marks kept on one letter; living scripts need fewer (Tibetan and Hebrew come closest)."""

UNBROKEN_EM = 34.0
"""So wide a run without a place to break still fits a line, in em; wider ones get invisible breaks."""

ADDRESS_EM = 42.0
"""As `UNBROKEN_EM` for a mail address: its letters are narrower than reckoned, and a break would be copied with it."""

BREAK = "\u200b"
"""Zero-width space: a place where a line may break. The plain-text twin has none."""

_JOINERS = frozenset("\u200c\u200d")  # Persian and emoji need them
_EXPECTED = frozenset("\r\n\t\u00ad\u200b\u2060\ufeff")  # dropped or replaced without loss of meaning
_LONG_RUN = re.compile(r"\S{34,}")
_NARROW_EM, _WIDE_EM = 0.6, 1.0
_NARROW = frozenset("abcdefghijklnopqrstuvxyz0123456789.,:;+-_/()'!|[]")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_REPLACEMENT = "\ufffd"
_NO_CHARACTER = 0xFFFE  # this and the code after it, at the end of each plane


@dataclass(frozen=True)
class Printable:
    """Text that can be set, and whether something meaningful had to be left out."""

    says: str
    left_out: bool


def printable(text: str) -> Printable:
    """Make a person's text fit to be set: NFC, even line ends, no control characters.

    Two or more line ends part paragraphs and become exactly two; one stays one.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n\n")
    kept, left_out = _kept(unicodedata.normalize("NFC", lines))
    tidy = re.sub(r"\n{2,}", "\n\n", re.sub(r"[ \t]*\n[ \t]*", "\n", kept)).strip()
    return Printable(_LONG_RUN.sub(_breakable, tidy), left_out)


def shown(text: str) -> str:
    """Make a person's text fit for a page of a browser: as `printable`, its lines and spaces left as they are."""
    return _kept(unicodedata.normalize("NFC", text))[0]


def _kept(text: str) -> tuple[str, bool]:
    """Leave out what cannot be shown; say whether any of it carried meaning."""
    if text.isascii() and text.isprintable():
        return text, False
    out: list[str] = []
    marks, left_out = 0, False
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in {"Mn", "Me"} and not _is_selector(character) else 0
        if character == "\t":
            out.append(" ")
        elif category == "Cs":
            out.append(_REPLACEMENT)
            left_out = True
        elif marks > MARKS_PER_LETTER or not _can_be_shown(character, category):
            left_out = left_out or character not in _EXPECTED
        else:
            out.append(character)
    return "".join(out), left_out


def _is_selector(character: str) -> bool:
    """Tell whether this only picks the form of the character before it."""
    return "\ufe00" <= character <= "\ufe0f"


def _can_be_shown(character: str, category: str) -> bool:
    """Tell whether a character may go to the page: no controls, no direction overrides, no non-characters."""
    if character == "\n" or character in _JOINERS:
        return True
    return category not in {"Cc", "Cf"} and ord(character) & _NO_CHARACTER != _NO_CHARACTER


def _breakable(run: re.Match[str]) -> str:
    """Put invisible places to break into a wide run; a SHA-256 stays whole, and most mail addresses do."""
    word = run.group()
    if _DIGEST.fullmatch(word):
        return word
    out: list[str] = []
    width, limit = 0.0, ADDRESS_EM if _ADDRESS.fullmatch(word) else UNBROKEN_EM
    for character in word:
        width += _NARROW_EM if character in _NARROW else _WIDE_EM
        if width > limit and not unicodedata.combining(character):
            out.append(BREAK)
            width = 0.0
        out.append(character)
    return "".join(out)

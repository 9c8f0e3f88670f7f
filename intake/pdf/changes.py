"""What a signed file says now and did not say when it was signed, in sentences for the person who decides.

Runs in the limited child only. The version as signed is the file's own beginning (ISO 32000-1, 12.8.1); both
are only read, and nothing is concluded from it.
"""

import difflib
import io
import re
import time
from collections.abc import Iterator

import pypdf

from intake.pdf.look import Looker, PageUnreadable
from intake.pdf.structure import FAULTS

_MOST_SENTENCES = 12
_MOST_PAGES = 50
_MOST_LINES = 3_000
_LONGEST = 160


def changes_since(content: bytes, signed_bytes: int, deadline: float) -> tuple[str, ...]:
    """Compare a file with its version as signed.

    Args:
        content: the file.
        signed_bytes: length of the part that was signed.
        deadline: instant of `time.monotonic` after which no further page is compared.
    """
    before, now = content[:signed_bytes], content
    found: list[str] = []
    try:
        for sentence in (*_form(before, now), *_pages(before, now, deadline)):
            if sentence not in found:
                found.append(sentence)
            if len(found) == _MOST_SENTENCES:
                return (*found, "More was changed; compare both versions.")
    except (PageUnreadable, MemoryError, *FAULTS):
        found.append("The version as signed could not be compared; look at both.")
    return tuple(found or ["No difference in the words of the pages or of the form was found; look at both."])


def _form(before: bytes, now: bytes) -> Iterator[str]:
    old, new = _values(before), _values(now)
    for name in sorted(old.keys() | new.keys()):
        was, is_ = old.get(name, ""), new.get(name, "")
        if was != is_:
            yield f"Form field {_short(name)}: was {_quoted(was)}, is now {_quoted(is_)}."


def _values(content: bytes) -> dict[str, str]:
    reader = pypdf.PdfReader(io.BytesIO(content), strict=False)
    if reader.is_encrypted:
        reader.decrypt("")
    fields = reader.get_fields() or {}
    return {
        str(name): str(one.get("/V", "")) for name, one in fields.items() if str(one.get("/FT", "")) != "/Sig"
    }


def _pages(before: bytes, now: bytes, deadline: float) -> Iterator[str]:
    with Looker(before) as old, Looker(now) as new:
        were, are = old.page_count(), new.page_count()
        if were != are:
            yield f"It had {were} page{'s' * (were != 1)} when it was signed, and has {are} now."
        for index in range(min(were, are, _MOST_PAGES)):
            if time.monotonic() > deadline:
                return
            yield from _lines(index, old.page(index).text, new.page(index).text)


def _lines(index: int, was: str, is_: str) -> Iterator[str]:
    old, new = (
        [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()][:_MOST_LINES]
        for text in (was, is_)
    )
    for line in difflib.unified_diff(old, new, n=0, lineterm=""):
        if line.startswith(("---", "+++", "@@")):
            continue
        happened = "added" if line.startswith("+") else "gone"
        yield f"Page {index + 1}, {happened} since signing: {_quoted(line[1:])}."


def _quoted(words: str) -> str:
    return f'"{_short(words)}"' if words else "empty"


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"

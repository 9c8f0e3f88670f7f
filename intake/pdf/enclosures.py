"""Files enclosed in a PDF: what each is by its bytes, and what those that are plain text say.

Runs in the limited child only. Enclosed PDFs are judged by the parent's further calls, each in a child of its own.
"""

import hashlib
from collections.abc import Sequence

from intake.pdf.finding import Enclosed, EnclosedKind

_PICTURES = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"II*\x00", b"MM\x00*", b"BM")
_HEADER_WITHIN = 1_024
_HEIC = b"ftyp"


def enclosed_files(enclosures: Sequence[tuple[str, bytes]]) -> tuple[Enclosed, ...]:
    """Describe the files that a PDF encloses, in order; the signatures of PDFs among them are not looked at yet."""
    return tuple(
        Enclosed(
            name,
            kind := _kind(content),
            len(content),
            hashlib.sha256(content).hexdigest(),
            screened=kind is EnclosedKind.TEXT or not content,
        )
        for name, content in enclosures
    )


def enclosed_text(enclosures: Sequence[tuple[str, bytes]]) -> str:
    """Give what the enclosed plain texts say, one after another."""
    return "\n\f\n".join(
        _decoded(content) for _, content in enclosures if _kind(content) is EnclosedKind.TEXT
    )


def _kind(content: bytes) -> EnclosedKind:
    if b"%PDF-" in content[:_HEADER_WITHIN]:
        return EnclosedKind.PDF
    if content.startswith(_PICTURES) or content[4:8] == _HEIC:
        return EnclosedKind.PICTURE
    return EnclosedKind.TEXT if content and _is_text(content) else EnclosedKind.OTHER


def _is_text(content: bytes) -> bool:
    """Say whether bytes are plain text: all of them printable in UTF-8, or in UTF-16 with its mark."""
    try:
        text = content.decode("utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter in "\t\r\n\f" for letter in text)


def _decoded(content: bytes) -> str:
    return content.decode("utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")

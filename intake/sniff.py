"""What a file is, told by its first bytes and never by its name or declared type.

TNEF and archives stand before PDF: `%PDF-` also lies within the first 1,024 bytes of a winmail.dat, of a
tar, and of a zip that stores its members (mail.md, parsing).
"""

import re
from enum import StrEnum

HEAD = 1_024
"""Bytes within which readers accept `%PDF-` (ISO 32000-2, annex on implementation limits)."""


class Kind(StrEnum):
    """Kinds of file that are answered differently."""

    PDF = "pdf"
    IMAGE = "image"
    ARCHIVE = "archive"
    DOCUMENT = "document"
    WEB_PAGE = "web page"
    TNEF = "tnef"
    SMIME = "smime"
    SIGNATURE = "detached signature"
    CALENDAR = "calendar"
    CARD = "card"
    PROGRAM = "program"
    TEXT = "text"
    EMPTY = "empty"
    LOCKED = "locked file"
    OTHER = "other"


_STARTS: tuple[tuple[bytes, Kind], ...] = (
    (b"\x78\x9f\x3e\x22", Kind.TNEF),
    (b"\xff\xd8\xff", Kind.IMAGE),
    (b"\x89PNG\r\n\x1a\n", Kind.IMAGE),
    (b"GIF87a", Kind.IMAGE),
    (b"GIF89a", Kind.IMAGE),
    (b"II*\x00", Kind.IMAGE),
    (b"MM\x00*", Kind.IMAGE),
    (b"BM", Kind.IMAGE),
    (b"\xff\x0a", Kind.IMAGE),
    (b"\x00\x00\x00\x0cJXL \r\n\x87\n", Kind.IMAGE),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", Kind.IMAGE),
    (b"Rar!\x1a\x07", Kind.ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", Kind.ARCHIVE),
    (b"\x1f\x8b", Kind.ARCHIVE),
    (b"BZh", Kind.ARCHIVE),
    (b"\xfd7zXZ\x00", Kind.ARCHIVE),
    (b"\x28\xb5\x2f\xfd", Kind.ARCHIVE),
    (b"MSCF", Kind.ARCHIVE),
    (b"\x1f\x9d", Kind.ARCHIVE),
    (b"LZIP", Kind.ARCHIVE),
    (b"xar!", Kind.ARCHIVE),
    (b"\x60\xea", Kind.ARCHIVE),
    (b"SIT!", Kind.ARCHIVE),
    (b"StuffIt", Kind.ARCHIVE),
    (b"070701", Kind.ARCHIVE),
    (b"\x00\x05\x16\x00", Kind.ARCHIVE),
    (b"(This file must be converted with BinHex", Kind.ARCHIVE),
    (b"-----BEGIN PGP MESSAGE-----", Kind.LOCKED),
    (b"age-encryption.org/", Kind.LOCKED),
    (b"-----BEGIN AGE ENCRYPTED FILE-----", Kind.LOCKED),
    (b"Salted__", Kind.LOCKED),
    (b"\x76\xe8\x04\x60\xc4\x11\xe3\x86", Kind.LOCKED),
    (b"BEGIN:VCALENDAR", Kind.CALENDAR),
    (b"BEGIN:VCARD", Kind.CARD),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind.DOCUMENT),
    (b"{\\rtf", Kind.DOCUMENT),
    (b"\xffWPC", Kind.DOCUMENT),
    (b"MZ", Kind.PROGRAM),
    (b"\x7fELF", Kind.PROGRAM),
)
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OUTLOOK = "__substg1.0_".encode("utf-16-le")
_LOCKED_OFFICE = "EncryptedPackage".encode("utf-16-le")
_LOCKED_NAMES = (".gpg", ".pgp", ".age", ".rpmsg", ".aes", ".enc", ".axx", ".p7e")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_IMAGE_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"hevm", b"mif1", b"msf1", b"avif", b"avis")
_WEB_PAGE = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*(?:<!--.{0,400}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_OFFICE = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis", b"Index/Document.iwa")
_ISO_MARK = 32_769
"""Where the picture of a disc names itself (ECMA-119)."""

_DIRECTORY = 65_536
"""Bytes at the end of a zip that are searched for the names of an office document's parts."""

_PROGRAM_NAMES = (
    ".exe",
    ".scr",
    ".bat",
    ".cmd",
    ".com",
    ".js",
    ".vbs",
    ".msi",
    ".ps1",
    ".jar",
    ".lnk",
    ".hta",
)
_SIGNATURE_TYPES = frozenset(
    {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"}
)
_SMIME_TYPES = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_CARD_TYPES = frozenset({"text/vcard", "text/x-vcard", "text/directory"})


def kind_of(content: bytes, content_type: str = "", name: str = "") -> Kind:
    """Tell the kind of a file.

    Args:
        content: its bytes.
        content_type: the declared type, in lower case; decides only where bytes do not tell.
        name: the given name; likewise.
    """
    if not content.strip():
        return Kind.EMPTY
    by_type = _kind_by_type(content_type, name.lower())
    if by_type is not None:
        return by_type
    head = content[:HEAD]
    if head.startswith(_COMPOUND) and (
        name.lower().endswith(".msg") or content_type == "application/vnd.ms-outlook" or _OUTLOOK in content
    ):
        return Kind.ARCHIVE  # a whole mail with its files, which staff open
    if head.startswith(_COMPOUND) and _LOCKED_OFFICE in content:
        return Kind.LOCKED
    if head.startswith(_ZIP):
        office = any(mark in head or mark in content[-_DIRECTORY:] for mark in _OFFICE)
        return Kind.DOCUMENT if office else Kind.ARCHIVE
    return _kind_by_start(head) or _kind_by_look(content, head, content_type, name.lower())


def _kind_by_type(content_type: str, name: str) -> Kind | None:
    if content_type in _SIGNATURE_TYPES or name.endswith(".p7s"):
        return Kind.SIGNATURE
    if content_type in _SMIME_TYPES or name.endswith((".p7m", ".p7z")):
        return Kind.SMIME
    if content_type == "text/calendar":
        return Kind.CALENDAR
    return Kind.CARD if content_type in _CARD_TYPES else None


def _kind_by_start(head: bytes) -> Kind | None:
    if head[4:8] == b"ftyp" and head[8:12] in _IMAGE_BRANDS:
        return Kind.IMAGE
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return Kind.IMAGE
    if head[257:262] == b"ustar" or head[2:5] == b"-lh" or head[7:14] == b"**ACE**":
        return Kind.ARCHIVE
    return next((kind for start, kind in _STARTS if head.startswith(start)), None)


def _kind_by_look(content: bytes, head: bytes, content_type: str, name: str) -> Kind:
    if _WEB_PAGE.match(head):
        return Kind.WEB_PAGE
    if b"%PDF-" in head and not (content_type.startswith("text/") and not head.lstrip().startswith(b"%PDF-")):
        return Kind.PDF
    if name.endswith(_PROGRAM_NAMES):
        return Kind.PROGRAM
    if name.endswith(_LOCKED_NAMES):
        return Kind.LOCKED
    if content[_ISO_MARK : _ISO_MARK + 5] == b"CD001" or content[-512:].startswith(b"koly"):
        return Kind.ARCHIVE
    return Kind.TEXT if content_type.startswith("text/") or _is_text(content[:8_192]) else Kind.OTHER


def _is_text(head: bytes) -> bool:
    return not any(byte < 9 or 13 < byte < 27 for byte in head)  # noqa: PLR2004  the control characters

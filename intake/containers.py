"""Files inside files: zip archives, winmail.dat, S/MIME envelopes and uuencoded text, within bounds.

Nothing here writes to disk or trusts a length that a file states of itself.
"""

import binascii
import hashlib
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from asn1crypto import cms

from intake.headers import UNREADABLE, decoded
from intake.sniff import Kind, kind_of

_UNPACKING_FAILS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, MemoryError, *UNREADABLE)


@dataclass(frozen=True, slots=True)
class ArchiveBounds:
    """How far an archive is looked into.

    Attributes:
        entries: members listed at most; a longer list is not opened.
        directory_bytes: size of the list of members.
        member_bytes: size of one member that is unpacked.
        total_bytes: size of all members unpacked together.
    """

    entries: int = 200
    directory_bytes: int = 64 * 1024
    member_bytes: int = 32 * 1024 * 1024
    total_bytes: int = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip archive listed.

    Attributes:
        names: names of the members, in the archive's order.
        inner_pdfs: SHA-256 of each member that is a PDF.
        complete: every member was looked at; False where a bound, a password or damage stopped it.
        nested: it holds another archive, which was not opened.
    """

    names: tuple[str, ...] = field(default=(), repr=False)
    inner_pdfs: tuple[str, ...] = ()
    complete: bool = False
    nested: bool = False


def list_archive(content: bytes, bounds: ArchiveBounds) -> Archive:
    """List a zip within bounds; any other archive, and a hostile one, is left closed."""
    if not _directory_is_small(content, bounds):
        return Archive()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as opened:
            members = opened.infolist()
            if len(members) > bounds.entries:
                return Archive()
            return _listed(opened, [one for one in members if not one.is_dir()], bounds)
    except _UNPACKING_FAILS:
        return Archive()


def _directory_is_small(content: bytes, bounds: ArchiveBounds) -> bool:
    """Look at the end record first: reading a directory of a million entries takes seconds."""
    end = content.rfind(b"PK\x05\x06")
    if end < 0 or len(content) < end + 22:
        return False
    size = int.from_bytes(content[end + 12 : end + 16], "little")
    return size <= bounds.directory_bytes


def _listed(opened: zipfile.ZipFile, members: list[zipfile.ZipInfo], bounds: ArchiveBounds) -> Archive:
    pdfs: list[str] = []
    complete, nested, left = True, False, bounds.total_bytes
    for member in members:
        content = _unpacked(opened, member, min(left, bounds.member_bytes))
        if content is None:
            complete = False
            continue
        left -= len(content)
        kind = kind_of(content, name=member.filename)
        nested = nested or kind is Kind.ARCHIVE
        if kind is Kind.PDF:
            pdfs.append(hashlib.sha256(content).hexdigest())
    return Archive(tuple(one.filename for one in members), tuple(pdfs), complete, nested)


def _unpacked(opened: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> bytes | None:
    if member.file_size > limit:
        return None
    try:
        with opened.open(member) as stream:
            content = stream.read(limit + 1)
    except _UNPACKING_FAILS:
        return None
    return content if len(content) <= limit else None


@dataclass(frozen=True, slots=True)
class InnerFile:
    """A file taken out of a container.

    Attributes:
        name: the name it was given there; never a path to write to.
        content: its bytes.
        cut: the container ends before the file does, or its checksum is wrong.
    """

    name: str = field(repr=False)
    content: bytes = field(repr=False)
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Tnef:
    """A winmail.dat read.

    Attributes:
        files: the attachments, in order.
        text: the plain body, where there is one.
        damaged: the stream ends early or cannot be followed.
    """

    files: tuple[InnerFile, ...] = ()
    text: str = field(default="", repr=False)
    damaged: bool = False


_ATTACH_REND_DATA = 0x9002
_ATTACH_TITLE = 0x8010
_ATTACH_DATA = 0x800F
_ATTACHMENT = 0x9005
_BODY = 0x800C
_MAPI_PROPERTIES = 0x9003
_OEM_CODEPAGE = 0x9007
_MAPI_BODY = 0x1000
_MAPI_LONG_NAME = 0x3707
_MAPI_SHORT_NAME = 0x3704
_MAPI_DATA_OBJECT = 0x3701
_MESSAGE_INTERFACE = b"\x07\x03\x02\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46"
_MOST_OBJECTS = 5_000
_MOST_PROPERTIES = 1_000
_DEEPEST_TNEF = 3
_FIXED_SIZES = {
    0x02: 4,
    0x03: 4,
    0x04: 4,
    0x05: 8,
    0x06: 8,
    0x07: 8,
    0x0A: 4,
    0x0B: 4,
    0x14: 8,
    0x40: 8,
    0x48: 16,
}
_UNICODE = 0x1F
_TEXT_TYPES = frozenset({0x1E, _UNICODE})
_COUNTED_TYPES = frozenset({0x00, 0x0D, 0x1E, _UNICODE, 0x102})


def read_tnef(content: bytes, depth: int = 0) -> Tnef:
    """Take the attachments out of a winmail.dat (MS-OXTNEF).

    Read here and not by tnefparse: that one loops over counts of four thousand million which the file
    states, copies the rest of the file for each object, and gives cut attachments without a word.
    """
    reading = _TnefReading()
    damaged = False
    for level, name, body, whole in _tnef_objects(content):
        damaged = damaged or not whole
        try:
            reading.take(level, name, body, whole=whole)
        except UNREADABLE:
            damaged = True
    files: list[InnerFile] = []
    for one in reading.attachments:
        inner = one.embedded and depth < _DEEPEST_TNEF
        files += read_tnef(one.content, depth + 1).files if inner else [one.as_file(reading.codepage)]
    return Tnef(tuple(files), reading.text, damaged or not _tnef_is_complete(content))


def _tnef_is_complete(content: bytes) -> bool:
    at, count = 6, 0
    while at + 11 <= len(content) and count < _MOST_OBJECTS:
        at += 11 + int.from_bytes(content[at + 5 : at + 9], "little")
        count += 1
    return at == len(content) or not content[at:].strip(b"\x00\r\n") if at <= len(content) else False


def _tnef_objects(content: bytes) -> Iterator[tuple[int, int, bytes, bool]]:
    """Give (level, name, body, whole and of the right checksum) of each object."""
    at = 6
    for _ in range(_MOST_OBJECTS):
        if at + 11 > len(content):
            return
        level = content[at]
        name = int.from_bytes(content[at + 1 : at + 3], "little")
        length = int.from_bytes(content[at + 5 : at + 9], "little")
        body = content[at + 9 : at + 9 + length]
        end = at + 9 + length
        stated = int.from_bytes(content[end : end + 2], "little")
        whole = end + 2 <= len(content) and stated == sum(body) & 0xFFFF
        yield level, name, body, whole
        at = end + 2


class _TnefAttachment:
    def __init__(self) -> None:
        self.short_name = b""
        self.long_name = ""
        self.content = b""
        self.embedded = self.cut = False

    def as_file(self, codepage: str) -> InnerFile:
        name = self.long_name or decoded(self.short_name.rstrip(b"\x00"), codepage)
        return InnerFile(name, self.content, self.cut)


class _TnefReading:
    def __init__(self) -> None:
        self.attachments: list[_TnefAttachment] = []
        self.codepage = "cp1252"
        self.text = ""

    def take(self, level: int, name: int, body: bytes, *, whole: bool) -> None:
        if name == _OEM_CODEPAGE and level == 1:
            self.codepage = f"cp{int.from_bytes(body[:4], 'little')}"
        elif name == _BODY and level == 1:
            self.text = decoded(body.rstrip(b"\x00"), self.codepage)
        elif name == _MAPI_PROPERTIES and level == 1:
            self._take_message_properties(body)
        elif name == _ATTACH_REND_DATA:
            self.attachments.append(_TnefAttachment())
        elif self.attachments:
            self._take_attachment(name, body, whole=whole)

    def _take_message_properties(self, body: bytes) -> None:
        for name, kind, value in _mapi_properties(body):
            if name == _MAPI_BODY and kind in _TEXT_TYPES and not self.text:
                self.text = _mapi_text(kind, value, self.codepage)

    def _take_attachment(self, name: int, body: bytes, *, whole: bool) -> None:
        attachment = self.attachments[-1]
        if name == _ATTACH_TITLE:
            attachment.short_name = body
        elif name == _ATTACH_DATA:
            attachment.content, attachment.cut = body, not whole
        elif name == _ATTACHMENT:
            attachment.cut = attachment.cut or not whole
            for key, kind, value in _mapi_properties(body):
                self._take_property(attachment, key, kind, value)

    def _take_property(self, attachment: _TnefAttachment, key: int, kind: int, value: bytes) -> None:
        if key in {_MAPI_LONG_NAME, _MAPI_SHORT_NAME} and kind in _TEXT_TYPES:
            if key == _MAPI_LONG_NAME or not attachment.long_name:
                attachment.long_name = _mapi_text(kind, value, self.codepage)
        elif key == _MAPI_DATA_OBJECT:
            attachment.embedded = value.startswith(_MESSAGE_INTERFACE)
            attachment.content = value[16:] if attachment.embedded or len(value) > 16 else value  # noqa: PLR2004  the interface's identifier


def _mapi_text(kind: int, value: bytes, codepage: str) -> str:
    text = value.decode("utf-16-le", "replace") if kind == _UNICODE else decoded(value, codepage)
    return text.rstrip("\x00")


def _mapi_properties(body: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Give (name, type, first value) of each MAPI property; stops where the structure does."""
    reader = _Bytes(body)
    for _ in range(min(reader.number(4), _MOST_PROPERTIES)):
        kind, name = reader.number(2), reader.number(2)
        if name >= 0x8000:  # noqa: PLR2004  a named property carries its name
            reader.skip(16)
            reader.skip(4 if reader.number(4) == 0 else _padded(reader.number(4)))
        several = bool(kind & 0x1000)
        kind &= ~0x1000
        count = reader.number(4) if several or kind in _COUNTED_TYPES else 1
        values = [reader.value(kind) for _ in range(min(count, _MOST_PROPERTIES))]
        if values:
            yield name, kind, values[0]


def _padded(length: int) -> int:
    return length + -length % 4


class _Bytes:
    """A cursor that ends with EOFError."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def take(self, length: int) -> bytes:
        if self._at + length > len(self._content):
            raise EOFError
        piece = self._content[self._at : self._at + length]
        self._at += length
        return piece

    def skip(self, length: int) -> None:
        self.take(length)

    def number(self, length: int) -> int:
        return int.from_bytes(self.take(length), "little")

    def value(self, kind: int) -> bytes:
        if kind in _COUNTED_TYPES:
            length = self.number(4)
            piece = self.take(length)
            self.skip(min(-length % 4, len(self._content) - self._at))
            return piece
        return self.take(_FIXED_SIZES[kind])


class Smime(StrEnum):
    """How a mail was signed or locked by S/MIME or PGP; no evidence of a signature on the paper."""

    SIGNED_DETACHED = "signed-detached"
    SIGNED_OPAQUE = "signed-opaque"
    ENCRYPTED = "encrypted"
    UNREADABLE = "unreadable"


_ENCRYPTED = frozenset(
    {"enveloped_data", "signed_and_enveloped_data", "encrypted_data", "authenticated_enveloped_data"}
)


def open_smime(content: bytes) -> tuple[Smime | None, bytes]:
    """Look into a CMS structure (RFC 8551): its kind, and what is inside where it is only signed.

    A structure that brings certificates and nothing else is no envelope: None.
    """
    try:
        info = cms.ContentInfo.load(_without_armour(content))
        kind = str(info["content_type"].native)
        if kind in _ENCRYPTED:
            return Smime.ENCRYPTED, b""
        if kind != "signed_data":
            return Smime.UNREADABLE, b""
        inner = info["content"]["encap_content_info"]["content"].native
        if inner is None and not len(info["content"]["signer_infos"]):
            return None, b""
    except UNREADABLE:
        return Smime.UNREADABLE, b""
    return (Smime.SIGNED_OPAQUE, inner) if isinstance(inner, bytes) else (Smime.UNREADABLE, b"")


def _without_armour(content: bytes) -> bytes:
    if not content.lstrip().startswith(b"-----BEGIN"):
        return content
    lines = [line for line in content.splitlines() if b"-----" not in line and b":" not in line]
    return binascii.a2b_base64(b"".join(lines))


_UU_BEGIN = re.compile(rb"(?m)^begin [0-7]{3,4} ([^\r\n]{1,200})\r?\n")
_UU_END = re.compile(rb"(?m)^end[ \t]*\r?$")
_MOST_UU_FILES = 20


def uuencoded_files(text: bytes) -> tuple[InnerFile, ...]:
    """Take uuencoded files out of a text, as old mail programs put them there."""
    files: list[InnerFile] = []
    at = 0
    while len(files) < _MOST_UU_FILES and (begin := _UU_BEGIN.search(text, at)):
        end = _UU_END.search(text, begin.end())
        at = end.end() if end else len(text)
        content, cut = uudecoded(text[begin.end() : end.start() if end else len(text)])
        files.append(InnerFile(decoded(begin.group(1)), content, cut or end is None))
    return tuple(one for one in files if one.content)


_YENC_BEGIN = re.compile(rb"(?m)^=ybegin ([^\r\n]{1,400})\r?\n(?:=ypart [^\r\n]{0,400}\r?\n)?")
_YENC_END = re.compile(rb"(?m)\r?\n=yend ([^\r\n]{0,400})")
_YENC_TABLE = bytes((code - 42) % 256 for code in range(256))


def yencoded_files(text: bytes) -> tuple[InnerFile, ...]:
    """Take yEnc files out of a text (yEnc 1.3); one whose length or checksum is wrong is cut."""
    files: list[InnerFile] = []
    at = 0
    while len(files) < _MOST_UU_FILES and (begin := _YENC_BEGIN.search(text, at)):
        end = _YENC_END.search(text, begin.end())
        at = end.end() if end else len(text)
        content = _yenc_decoded(text[begin.end() : end.start() if end else len(text)])
        name = re.search(rb"name=(.+)", begin.group(1))
        sound = end is not None and _is_sound(content, end.group(1))
        files.append(InnerFile(decoded(name.group(1).strip()) if name else "", content, not sound))
    return tuple(one for one in files if one.content)


def _is_sound(content: bytes, stated: bytes) -> bool:
    said = dict(re.findall(rb"\b(size|p?crc32)=([0-9A-Fa-f]{1,16})", stated))
    crc = said.get(b"pcrc32", said.get(b"crc32"))
    return said.get(b"size") == b"%d" % len(content) and (crc is None or int(crc, 16) == zlib.crc32(content))


def _yenc_decoded(lines: bytes) -> bytes:
    plain = lines.replace(b"\r\n", b"").replace(b"\n", b"")
    freed = re.sub(rb"=(.)", lambda one: bytes([(one.group(1)[0] - 64) % 256]), plain, flags=re.DOTALL)
    return freed.translate(_YENC_TABLE)


_BINHEX = re.compile(rb"\(This file (?:must be converted|is) with BinHex[^\r\n]{0,40}\r?\n\s*:")


def binhexed_files(text: bytes) -> tuple[InnerFile, ...]:
    """Give a BinHex file in a text as it stands; staff open it (RFC 1741)."""
    found = _BINHEX.search(text)
    return (InnerFile("", text[found.start() :]),) if found else ()


def uudecoded(lines: bytes) -> tuple[bytes, bool]:
    """Decode the lines of a uuencoded file; tells whether a line was no such line."""
    content: list[bytes] = []
    cut = False
    for line in lines.splitlines():
        if line.startswith((b"begin ", b"end")) or not line.strip():
            continue
        try:
            content.append(binascii.a2b_uu(line))
        except UNREADABLE:
            # some encoders pad wrongly: the length in the first character says what counts
            length = (((line[0] - 32) & 63) * 4 + 5) // 3
            try:
                content.append(binascii.a2b_uu(line[: length + 1]))
            except UNREADABLE:
                cut = True
    return b"".join(content), cut

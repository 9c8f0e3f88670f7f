"""Bytes of a mail -> :class:`IncomingMail`: pure, never raising, never changing a byte of an attachment.

The standard library's parser is used with its old policy (compat32), because the new one raises on real
mail; each header and each part is read for itself, so that one that cannot be read spoils no other.
Sources: RFC 5322, RFC 2045 to 2049, RFC 2183, RFC 3462, RFC 8551; mail.md, parsing.
"""

import binascii
import hashlib
import html
import quopri
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from enum import StrEnum
from typing import TypeAlias

from intake.containers import (
    Archive,
    ArchiveBounds,
    Smime,
    binhexed_files,
    list_archive,
    open_smime,
    read_tnef,
    uudecoded,
    uuencoded_files,
    yencoded_files,
)
from intake.headers import (
    LONGEST_VALUE,
    UNREADABLE,
    AuthenticationResult,
    Mailboxes,
    authentication_results,
    decoded,
    header_text,
    instant,
    mailboxes,
    message_ids,
    parameters,
    readable,
    shown,
)
from intake.sniff import Kind, kind_of


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a mail may be and still be opened; beyond, a person looks at its headers (requirement I8).

    Attributes:
        mail_bytes: size of the whole mail.
        parts: MIME parts of the mail, forwarded mails included.
        depth: how deep parts may lie in each other.
        attachments: files that count as exhibits.
        text_chars: characters of body text kept.
        header_count: header fields read of one part.
        lines: lines of the whole mail.
        header_bytes: size of its header.
        line_work: lines times multipart levels that the parser may cost.
        archive: bounds of looking into archives.
    """

    mail_bytes: int = 35 * 1024 * 1024
    parts: int = 500
    depth: int = 25
    attachments: int = 100
    text_chars: int = 200_000
    header_count: int = 1_000
    lines: int = 2_000_000
    header_bytes: int = 1024 * 1024
    line_work: int = 6_000_000
    archive: ArchiveBounds = field(default_factory=ArchiveBounds)


class Defect(StrEnum):
    """Why a mail was not read whole; each is shown to the person who looks."""

    TOO_LARGE = "mail larger than the limit"
    TOO_MANY_PARTS = "part count over limit"
    TOO_DEEP = "parts nested too deep"
    TOO_MANY_ATTACHMENTS = "too many attachments"
    UNPARSED = "the mail's structure could not be read"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a mail.

    Attributes:
        sha256: hex SHA-256 of the bytes.
        kind: what the bytes are.
        name: the given name, last element only, fit to be shown; never a path, empty where none was given.
        content_type: the declared type, in lower case.
        content: the bytes as they were sent.
        cut: the transfer encoding or the container ends early.
        claims_pdf: name or declared type say that it is a PDF, whatever the bytes are.
        archive: what is in it, where it is an archive.
    """

    sha256: str
    kind: Kind
    name: str = field(repr=False)
    content_type: str
    content: bytes = field(repr=False)
    cut: bool = False
    claims_pdf: bool = False
    archive: Archive | None = field(default=None, repr=False)

    @property
    def size(self) -> int:
        """Give the size in bytes."""
        return len(self.content)


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A machine-readable report inside a mail: delivery status, disposition, feedback.

    Attributes:
        content_type: its type, such as ``message/delivery-status``.
        text: its fields as text.
    """

    content_type: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """A mail read.

    Attributes:
        raw_sha256: hex SHA-256 of the raw bytes, the mail's identity.
        content_sha256: hex SHA-256 of sender, subject, text and attachments, equal for two deliveries of one mail.
        size: bytes of the raw mail.
        headers: (name in lower case, value on one line) in order.
        message_id: with its brackets; None where there is none.
        replied_to: identifiers of In-Reply-To, then of References from the last to the first.
        from_headers: number of From header fields; anything but one is a reason to look.
        date: the Date header as an instant; None where missing or none.
        received: the topmost Received line.
        return_path: the envelope sender as our server wrote it; "" for the null path, None where not written.
        content_type: of the whole mail, in lower case, with ``type_parameters``.
        text: the body as plain text, bounded; HTML without scripts, nothing fetched.
        attachments: the exhibits, in order; logos and signatures are not among them.
        forwarded: mails inside this one (message/rfc822), in order.
        returned: header blocks of mails returned without their body (text/rfc822-headers).
        reports: machine-readable reports.
        container: ``tnef`` or ``zip`` and the like where exhibits came in one.
        container_cut: the container was damaged or ended early.
        smime: how the mail was signed or locked.
        calendar: it carries an invitation or an answer to one.
        defects: why it was not read whole.
    """

    raw_sha256: str
    content_sha256: str
    size: int
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    message_id: str | None = field(repr=False)
    replied_to: tuple[str, ...] = field(repr=False)
    from_: Mailboxes = field(repr=False)
    from_headers: int
    sender: Mailboxes = field(repr=False)
    reply_to: Mailboxes = field(repr=False)
    recipients: Mailboxes = field(repr=False)
    resent_from: Mailboxes = field(repr=False)
    subject: str = field(repr=False)
    date: datetime | None
    received: str = field(repr=False)
    return_path: str | None = field(repr=False)
    authentication: tuple[AuthenticationResult, ...] = field(repr=False)
    content_type: str
    type_parameters: Mapping[str, str] = field(repr=False)
    text: str = field(default="", repr=False)
    attachments: tuple[Attachment, ...] = ()
    forwarded: "tuple[IncomingMail, ...]" = ()
    returned: "tuple[IncomingMail, ...]" = ()
    reports: tuple[ReportPart, ...] = ()
    container: str | None = None
    container_cut: bool = False
    smime: Smime | None = None
    calendar: bool = False
    defects: frozenset[Defect] = frozenset()

    def header(self, name: str) -> str:
        """Give the first value of a header on one line; empty where there is none."""
        return next((value for key, value in self.headers if key == name), "")

    def all_headers(self, name: str) -> tuple[str, ...]:
        """Give every value of a header, in order."""
        return tuple(value for key, value in self.headers if key == name)

    def exhibits(self) -> "tuple[Attachment, ...]":
        """Give the attachments of this mail and of those inside it, in order."""
        inner = [one for mail in self.forwarded for one in mail.exhibits()]
        return (*self.attachments, *inner)


_HEADER_LINE = re.compile(rb"^[!-9;-~]{1,200}[ \t]*:")
_KNOWN_HEADER = re.compile(
    rb"^(?:from|to|cc|date|subject|message-id|mime-version|content-[a-z-]+|received)[ \t]*:", re.IGNORECASE
)
_BOUNDARY = re.compile(rb"boundary[ \t]*\*?0?\*?[ \t]*=")
_RECIPIENT_HEADERS = (
    "to", "cc", "bcc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "resent-to", "resent-cc",
    "apparently-to", "x-forwarded-to",
)  # fmt: skip
_MULTILINE_HEADERS = frozenset({"references", "in-reply-to"})


def read_mail(raw: bytes, limits: Limits | None = None) -> IncomingMail:
    """Read a mail.

    Args:
        raw: the bytes as the server gave them; they are not changed and remain the evidence.
        limits: how far to look; the defaults of :class:`Limits` where None.

    Returns:
        the mail; what could not be read is absent and named in ``defects``.
    """
    return _MailReader(limits or Limits()).read(raw)


def _cost_defect(thinned: "_Thinned", limits: Limits) -> Defect | None:
    """Look for mails that cost the parser more than they are worth, before it starts."""
    text = thinned.text
    lines = thinned.lines + text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")
    if (
        thinned.size > limits.mail_bytes
        or lines > limits.lines
        or _header_block_end(text) > limits.header_bytes
    ):
        return Defect.TOO_LARGE
    lower = text.lower()
    levels = len(_BOUNDARY.findall(lower)) if b"boundary" in lower else 0
    boundaries = text.count(b"\n--") + text.count(b"\r--") if levels else 0
    groups = text.count(b"\n\n") + text.count(b"\n\r\n") if b"delivery-status" in lower else 0
    too_many = levels * lines > limits.line_work or max(boundaries, groups) > 40 * limits.parts
    return Defect.TOO_MANY_PARTS if too_many else None


def _header_block_end(raw: bytes) -> int:
    end = len(raw)
    for blank in (
        b"\n\r\n",
        b"\n\n",
        b"\r\r",
    ):  # the usual one first: the others are looked for before it only
        found = raw.find(blank, 0, end + len(blank) - 1)
        end = found if found >= 0 else end
    return end


def _parseable(thinned: "_Thinned") -> bytes:
    """Give a text on which the parser does not lose the structure; attachments' bytes stay as they are.

    A bare CR in a header ends the header block for the parser, and so does a line that is no header: both
    would turn an attachment into body text.
    """
    text = thinned.text.lstrip(_BEFORE_A_MAIL)
    if b"\n" not in text:
        text = text.replace(b"\r", b"\n")
    if text.count(b"\r") != text.count(b"\r\n"):
        text = _without_bare_cr_in_headers(text)
    end = _header_block_end(text)
    return _with_sound_fields(text[:end]) + text[end:]


_BEFORE_A_MAIL = b"\r\n\xef\xbb\xbf"
_MOSTLY = 0.9
_MOST_BOUNDARIES = 200
_LONGEST_PART_HEADER = 16_384
_DECLARED = re.compile(rb'boundary[ \t]*=[ \t]*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))', re.IGNORECASE)
_ODD_FIELD = re.compile(rb"^(?:[!-9;-~]{1,200}[ \t]+:|[^\s:][^:\r\n]*\r?$)", re.MULTILINE)
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")
_SPACED_FIELD = re.compile(rb"^([!-9;-~]{1,200})[ \t]+:", re.MULTILINE)


def _declared_boundaries(text: bytes) -> frozenset[bytes]:
    lower, found, at = text.lower(), set[bytes](), -1
    while len(found) < _MOST_BOUNDARIES and (at := lower.find(b"boundary", at + 1)) >= 0:
        declared = _DECLARED.match(text, at)
        if declared:
            found.add((declared.group(1) or declared.group(2)).rstrip())
    return frozenset(found)


def _with_sound_part_headers(text: bytes) -> bytes:
    """Mend the headers of parts as that of the mail is mended, behind boundaries that a header declares only."""
    boundaries = _declared_boundaries(text)
    pieces: list[bytes] = []
    done, at = 0, -1
    while boundaries and (at := text.find(b"\n--", at + 1)) >= 0:
        line = text[at + 3 : at + 300].partition(b"\n")[0]
        if line.rstrip() not in boundaries or at < done:
            continue
        for start, end in _header_blocks(text, at + 3 + len(line) + 1):
            if _is_odd(text[start:end]):
                pieces += [text[done:start], _with_sound_fields(text[start:end])]
                done = end
    return b"".join((*pieces, text[done:])) if pieces else text


def _header_blocks(text: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Give where a part's header stands, and that of the mail in it where it holds one."""
    if text.startswith((b"\n", b"\r\n"), start):
        return  # a part without a header
    end = _end_of_block(text, start)
    yield start, end
    if b"message/rfc822" in text[start:end].lower():
        inner = end + len(text[end : end + 4]) - len(text[end : end + 4].lstrip(b"\r\n"))
        yield inner, _end_of_block(text, inner)


def _end_of_block(text: bytes, start: int) -> int:
    found = _EMPTY_LINE.search(text, start, start + _LONGEST_PART_HEADER)
    return found.start() if found else min(len(text), start + _LONGEST_PART_HEADER)


def _is_odd(block: bytes) -> bool:
    return bool(_ODD_FIELD.search(block)) or len(_TYPE_FIELD.findall(block)) > 1


def _with_sound_fields(block: bytes) -> bytes:
    """Give a header block without stray lines, without blanks before a colon (RFC 5322, section 4.5), with one type."""
    return _with_one_type(_SPACED_FIELD.sub(rb"\1:", _without_stray_lines(block)))


_TYPE_FIELD = re.compile(
    rb"^content-type[ \t]*:[ \t]*([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)", re.IGNORECASE | re.MULTILINE
)


def _with_one_type(block: bytes) -> bytes:
    """Leave one Content-Type where several stand: the one that has parts, so that no paper ends as text."""
    fields = list(_TYPE_FIELD.finditer(block))
    if len(fields) < 2:  # noqa: PLR2004  one is as it should be
        return block
    kept = next((one for one in fields if one.group(1).lower().startswith(b"multipart/")), fields[0])
    for one in reversed(fields):
        if one is not kept:
            block = block[: one.start()] + b"X-Other-" + block[one.start() :]
    return block


def _without_bare_cr_in_headers(raw: bytes) -> bytes:
    lines: list[bytes] = []
    in_header = True
    for line in raw.split(b"\n"):
        if in_header and line.rstrip(b"\r") == b"":
            in_header = False
        elif line.startswith(b"--"):
            in_header = True
        elif in_header:
            ending = b"\r" if line.endswith(b"\r") else b""
            lines.append(line.removesuffix(b"\r").replace(b"\r", b" ") + ending)
            continue
        lines.append(line)
    return b"\n".join(lines)


def _without_stray_lines(block: bytes) -> bytes:
    """Turn lines that are no header into continuations, where known headers still follow them."""
    lines = block.split(b"\n")
    last_known = max((at for at, line in enumerate(lines) if _KNOWN_HEADER.match(line)), default=0)
    for at, line in enumerate(lines[:last_known]):
        stray = line.strip() and not line.startswith((b" ", b"\t")) and not _HEADER_LINE.match(line)
        if stray and not (at == 0 and line.startswith(b"From ")):
            lines[at] = (b" " if at else b"X-Stray: ") + line
    return b"\n".join(lines)


_Part: TypeAlias = "Message[str, str]"


@dataclass(slots=True)
class _Gathered:
    """What the walk through one mail's parts has found so far."""

    texts: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    forwarded: list[IncomingMail] = field(default_factory=list)
    returned: list[IncomingMail] = field(default_factory=list)
    reports: list[ReportPart] = field(default_factory=list)
    container: str | None = None
    container_cut: bool = False
    smime: Smime | None = None
    calendar: bool = False
    defects: set[Defect] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One part that holds no others, with what is known of its place."""

    content_type: str
    type_parameters: Mapping[str, str]
    disposition: str
    name: str
    content: bytes
    cut: bool
    has_content_id: bool
    related: bool
    encoded: bool = False


class _MailReader:
    """Reads one mail and those inside it; counts parts over all of them."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._parts = 0

    def read(self, raw: bytes) -> IncomingMail:
        thinned = _thinned(raw)
        defect = _cost_defect(thinned, self._limits)
        parsed = None if defect else _parsed_from(thinned)
        gathered = _Gathered()
        if parsed is None:
            gathered.defects.add(defect or Defect.UNPARSED)
            top = _parsed(raw[: min(_header_block_end(raw), LONGEST_VALUE * 4)] + b"\n\n") or Message()
            return self._mail(top, gathered, raw)
        return self._walked(parsed, raw, depth=0, sha256=thinned.sha256)

    def _walked(self, part: _Part, raw: bytes | None, depth: int, *, sha256: str = "") -> IncomingMail:
        gathered = _Gathered()
        raw = raw if raw is not None else _as_bytes(part)
        try:
            self._walk(part, gathered, depth, related=False)
        except UNREADABLE:
            gathered.defects.add(Defect.UNPARSED)
        if len(gathered.attachments) > self._limits.attachments:
            gathered.defects.add(Defect.TOO_MANY_ATTACHMENTS)
            del gathered.attachments[self._limits.attachments :]
        return self._mail(part, gathered, raw, sha256)

    def _walk(self, part: _Part, gathered: _Gathered, depth: int, *, related: bool) -> None:
        self._parts += 1
        if self._parts > self._limits.parts:
            gathered.defects.add(Defect.TOO_MANY_PARTS)
            return
        if depth > self._limits.depth:
            gathered.defects.add(Defect.TOO_DEEP)
            return
        content_type, type_parameters = _content_type(part)
        if part.is_multipart() and content_type.startswith("multipart/"):
            self._walk_multipart(part, content_type, gathered, depth, related=related)
        elif part.is_multipart():
            inner = [one for one in part.get_payload() if isinstance(one, Message)]
            self._walk_message(part, content_type, inner, gathered, depth)
        elif content_type.startswith("multipart/"):
            # its boundary is missing or never stands there: what is found by guessing is for a person to see
            leaf = _leaf(part, "application/octet-stream", type_parameters, related=related)
            if "boundary" not in type_parameters and leaf.encoded:
                self._take(leaf, gathered, depth)  # a file whose type is wrong: nothing with parts is encoded
                return
            gathered.defects.add(Defect.UNPARSED)
            guessed = _by_guessed_boundary(_raw_payload(part))
            if guessed is not None:
                self._walk(guessed, gathered, depth + 1, related=related)
        else:
            leaf = _leaf(part, content_type, type_parameters, related=related)
            self._take(leaf, gathered, depth)

    def _walk_multipart(
        self, part: _Part, content_type: str, gathered: _Gathered, depth: int, *, related: bool
    ) -> None:
        if content_type == "multipart/signed":
            gathered.smime = gathered.smime or _detached(part)
        if content_type == "multipart/encrypted":
            gathered.smime = Smime.ENCRYPTED
            return
        related = related or content_type == "multipart/related"
        for inner in part.get_payload():
            if isinstance(inner, Message):
                self._walk(inner, gathered, depth + 1, related=related)
            if self._parts > self._limits.parts:
                return

    def _walk_message(
        self, part: _Part, content_type: str, payload: list[_Part], gathered: _Gathered, depth: int
    ) -> None:
        if content_type in _REPORT_TYPES:
            gathered.reports.append(ReportPart(content_type, _report_text(part, payload)))
            return
        for inner in payload[:1]:
            if content_type == "message/global-headers":
                gathered.returned.append(self._mail(inner, _Gathered(), _as_bytes(inner)))
            else:
                gathered.forwarded.append(self._walked(_reparsed(part, inner), None, depth + 1))

    def _take(self, leaf: _Leaf, gathered: _Gathered, depth: int) -> None:
        kind = kind_of(leaf.content, leaf.content_type, leaf.name)
        if leaf.content_type in _REPORT_TYPES:
            gathered.reports.append(
                ReportPart(leaf.content_type, readable(decoded(leaf.content))[:LONGEST_VALUE])
            )
        elif leaf.content_type in _RETURNED_HEADER_TYPES:
            block = _parsed(leaf.content[: LONGEST_VALUE * 4] + b"\n\n")
            if block is not None:
                gathered.returned.append(self._mail(block, _Gathered(), leaf.content))
        elif leaf.content_type in {"message/rfc822", "message/global"} or _is_mail_file(leaf):
            self._take_encoded_message(leaf, gathered, depth)
        elif kind is Kind.SMIME:
            self._take_smime(leaf, gathered, depth)
        elif kind is Kind.TNEF or leaf.content_type == "application/ms-tnef":
            self._take_tnef(leaf, gathered)
        elif kind is Kind.CALENDAR:
            gathered.calendar = True
        elif _is_body(leaf, kind):
            self._take_text(leaf, gathered)
        elif not _is_decoration(leaf, kind):
            gathered.attachments.append(self._attachment(leaf, kind))

    def _take_encoded_message(self, leaf: _Leaf, gathered: _Gathered, depth: int) -> None:
        thinned = _thinned(leaf.content)
        costly = _cost_defect(thinned, self._limits)
        if costly is not None:
            gathered.defects.add(costly)
            return
        inner = _parsed_from(thinned)
        if inner is not None:
            gathered.forwarded.append(self._walked(inner, leaf.content, depth + 1, sha256=thinned.sha256))

    def _take_smime(self, leaf: _Leaf, gathered: _Gathered, depth: int) -> None:
        smime, entity = open_smime(leaf.content)
        if smime is None:
            return  # certificates alone
        gathered.smime = smime
        kind = kind_of(entity, "", leaf.name.removesuffix(".p7m"))
        if kind in _FILE_KINDS:  # a file signed as such, as offices in Europe send them
            inside = replace(leaf, content_type="", name=leaf.name.removesuffix(".p7m"), content=entity)
            gathered.attachments.append(self._attachment(inside, kind))
            return
        inner = _parsed(entity) if entity else None
        if inner is not None:
            self._walk(inner, gathered, depth + 1, related=False)

    def _take_tnef(self, leaf: _Leaf, gathered: _Gathered) -> None:
        tnef = read_tnef(leaf.content)
        gathered.container = "tnef"
        gathered.container_cut = gathered.container_cut or tnef.damaged or leaf.cut
        if tnef.text:
            gathered.texts.append(readable(tnef.text)[: self._limits.text_chars])
        for one in tnef.files[: self._limits.attachments + 1]:
            inside = replace(
                leaf, content_type="", name=file_name(one.name), content=one.content, cut=one.cut
            )
            kind = kind_of(one.content, "", inside.name)
            if kind is not Kind.EMPTY or inside.name:
                gathered.attachments.append(self._attachment(inside, kind))

    def _take_text(self, leaf: _Leaf, gathered: _Gathered) -> None:
        limit = self._limits.text_chars
        text = readable(decoded(leaf.content[: limit * 8], leaf.type_parameters.get("charset")))
        if leaf.content_type == "text/html":
            gathered.pages.append(text[: limit * 2])
            return
        gathered.texts.append(text[:limit])
        if "-----BEGIN PGP MESSAGE-----" in text[:2_000]:
            gathered.smime = Smime.ENCRYPTED
        for one in (
            *uuencoded_files(leaf.content),
            *yencoded_files(leaf.content),
            *binhexed_files(leaf.content),
        ):
            inside = replace(
                leaf, content_type="", name=file_name(one.name), content=one.content, cut=one.cut
            )
            gathered.attachments.append(self._attachment(inside, kind_of(one.content, "", inside.name)))

    def _attachment(self, leaf: _Leaf, kind: Kind) -> Attachment:
        name = leaf.name
        return Attachment(
            sha256=hashlib.sha256(leaf.content).hexdigest(),
            kind=kind,
            name=name,
            content_type=leaf.content_type,
            content=leaf.content,
            cut=leaf.cut,
            claims_pdf="pdf" in leaf.content_type or name.lower().endswith(".pdf"),
            archive=list_archive(leaf.content, self._limits.archive) if kind is Kind.ARCHIVE else None,
        )

    def _mail(self, top: _Part, gathered: _Gathered, raw: bytes, sha256: str = "") -> IncomingMail:
        gathered.defects.update(one for mail in gathered.forwarded for one in mail.defects)
        if gathered.defects & _HEADER_ONLY:
            gathered.attachments.clear()
            gathered.forwarded.clear()
        text = self._body_text(gathered)
        fields = _Fields(top, self._limits)
        content_type, type_parameters = _content_type(top)
        archived = next((one for one in gathered.attachments if one.kind is Kind.ARCHIVE), None)
        return IncomingMail(
            raw_sha256=sha256 or hashlib.sha256(raw).hexdigest(),
            content_sha256=_content_hash(fields, text, gathered, raw),
            size=len(raw),
            headers=fields.shown,
            message_id=next(iter(fields.identifiers("message-id")), None),
            replied_to=(*fields.identifiers("in-reply-to"), *reversed(fields.identifiers("references"))),
            from_=fields.addresses("from"),
            from_headers=len(fields.raw("from")),
            sender=fields.addresses("sender"),
            reply_to=fields.addresses("reply-to"),
            recipients=fields.addresses(*_RECIPIENT_HEADERS),
            resent_from=fields.addresses("resent-from", "resent-sender"),
            subject=fields.first("subject"),
            date=instant(next(iter(fields.raw("date")), "")),
            received=fields.first("received"),
            return_path=fields.return_path(),
            authentication=tuple(
                one
                for value in fields.raw("authentication-results")[:50]
                for one in authentication_results(value)
            ),
            content_type=content_type,
            type_parameters=type_parameters,
            text=text,
            attachments=tuple(gathered.attachments),
            forwarded=tuple(gathered.forwarded),
            returned=tuple(gathered.returned),
            reports=tuple(gathered.reports),
            container=gathered.container or (_archive_name(archived) if archived else None),
            container_cut=gathered.container_cut,
            smime=gathered.smime,
            calendar=gathered.calendar,
            defects=frozenset(gathered.defects),
        )

    def _body_text(self, gathered: _Gathered) -> str:
        plain = "\n".join(one.strip() for one in gathered.texts if one.strip())
        if not plain:
            plain = "\n".join(text_of_page(one) for one in gathered.pages[:20])
        return plain[: self._limits.text_chars].strip()


_HEADER_ONLY = frozenset({Defect.TOO_LARGE, Defect.TOO_MANY_PARTS, Defect.TOO_DEEP})
_REPORT_TYPES = frozenset(
    {
        "message/delivery-status",
        "message/global-delivery-status",
        "message/disposition-notification",
        "message/global-disposition-notification",
        "message/feedback-report",
    }
)
_RETURNED_HEADER_TYPES = frozenset({"text/rfc822-headers", "text/rfc822-header", "message/global-headers"})
_FILE_KINDS = frozenset({Kind.PDF, Kind.DOCUMENT, Kind.IMAGE, Kind.ARCHIVE})
_APPLE_DOUBLE = b"\x00\x05\x16\x07"
"""How the half of a Macintosh file begins that holds no content (RFC 1740); the whole one begins otherwise."""

_GATEWAY_FILE = re.compile(r"ATT\d{2,6}\.(?:txt|html?|c|dat)", re.IGNORECASE)
"""What Exchange calls the pieces of text that stood between attachments."""

_DECORATION_BYTES = 30 * 1024
"""An image inside the page that is smaller than this is a logo or a counter, not a picture of a paper."""


_LONG_RUN_BYTES = 4_096
_MARK = 32
_HEADER_END = re.compile(rb"\n\r*\n")
_RUN_NAME = re.compile(r"[0-9a-f]{32}[0-9]{8}\n")
_RUN = re.compile(rb"^(?:[A-Za-z0-9+/]{60,78}+\r?\n)++", re.MULTILINE)


def _parsed(raw: bytes) -> "_Part | None":
    """Parse a mail; None where the library cannot."""
    return _parsed_from(_thinned(raw))


def _parsed_from(thinned: "_Thinned") -> "_Part | None":
    """Parse a thinned mail, and put back what was lifted out of it; None where the library cannot."""
    try:
        text = _with_sound_part_headers(_parseable(thinned))
        parsed = BytesParser(policy=compat32).parsebytes(text)
        if thinned.runs:
            _put_back(parsed, thinned.runs)
    except UNREADABLE:
        return None
    return parsed


@dataclass(frozen=True, slots=True)
class _Thinned:
    """A mail without the long runs of base64 below its headers: most lines of most mails.

    They hold no boundary, no header and no bare CR, so whatever goes through the mail line by line, the library
    above all, finds in the text what it finds in the mail, in a fortieth of the time.

    Attributes:
        text: the mail, one line standing for each run.
        runs: the lines that stand for runs, with the runs.
        lines: how many lines were lifted out beyond those that stand for them.
        size: bytes of the mail.
        sha256: hex SHA-256 of the mail; no sender can foresee it, so the lines that stand for runs begin with it.
    """

    text: bytes
    runs: Mapping[str, str]
    lines: int
    size: int
    sha256: str


def _thinned(raw: bytes) -> _Thinned:
    """Lift long runs of base64 out of a mail; none of a small one."""
    thinned = _lifted(raw)
    text = thinned.text.lstrip(_BEFORE_A_MAIL)
    if text.count(b"\r\r\n") > _MOSTLY * (
        thinned.lines + text.count(b"\n")
    ):  # a gateway wrote each line end twice
        return replace(_lifted(raw.replace(b"\r\r\n", b"\r\n")), sha256=thinned.sha256)
    return thinned


def _lifted(text: bytes) -> _Thinned:
    sha256 = hashlib.sha256(text).hexdigest()
    if len(text) < 2 * _LONG_RUN_BYTES:
        return _Thinned(text, {}, 0, len(text), sha256)
    runs: dict[str, str] = {}
    pieces: list[bytes] = []
    header = _HEADER_END.search(text, len(text) - len(text.lstrip(_BEFORE_A_MAIL)))
    at = lines = 0
    for found in _RUN.finditer(text, header.end() - 1) if header else ():
        # the last line stays: its line end may belong to a boundary, and so the name's never does
        end = text.rfind(b"\n", 0, found.end() - 1) + 1
        if end - found.start() < _LONG_RUN_BYTES:
            continue
        name = f"{sha256[:_MARK]}{len(runs):08d}\n"
        lines += text.count(b"\n", found.start(), end) - 1
        runs[name] = text[found.start() : end].decode("ascii")
        pieces += [text[at : found.start()], name.encode()]
        at = end
    return _Thinned(b"".join((*pieces, text[at:])), runs, lines, len(text), sha256)


def _put_back(parsed: _Part, runs: Mapping[str, str]) -> None:
    mark = next(iter(runs))[:_MARK]
    for part in parsed.walk():
        for place in ("_payload", "preamble", "epilogue"):
            held = getattr(part, place)
            if isinstance(held, str) and mark in held:
                setattr(
                    part, place, _RUN_NAME.sub(lambda found: runs.get(found.group(), found.group()), held)
                )


_SEEN_BOUNDARY = re.compile(rb"^--([^\r\n]{1,100}?)[ \t]*\r?\n(?=content-)", re.IGNORECASE | re.MULTILINE)


def _by_guessed_boundary(content: bytes) -> "_Part | None":
    """Part a body by the line that stands where a boundary would; None where there is none."""
    found = _SEEN_BOUNDARY.search(content)
    if found is None:
        return None
    guessed = _parsed(b'Content-Type: multipart/mixed; boundary="' + found.group(1) + b'"\r\n\r\n' + content)
    return guessed if guessed is not None and guessed.is_multipart() else None


def _reparsed(part: _Part, inner: _Part) -> _Part:
    """Give the forwarded mail, decoded first where a sender encoded it against RFC 2046, section 5.2.1."""
    way = _raw_first(part, "content-transfer-encoding").strip().lower()
    if way not in {"base64", "quoted-printable"}:
        return inner
    # the parser read the encoded lines as headers and body of a mail
    content, _ = _transfer_decoded(_as_bytes(inner), way)
    return _parsed(content) or inner


def _as_bytes(part: _Part) -> bytes:
    """Give a part's bytes for telling two apart; the raw mail, not this, is the evidence."""
    try:
        return part.as_bytes()
    except UNREADABLE:
        return repr([name for name, _ in part.raw_items()]).encode()


def _raw_first(part: _Part, name: str) -> str:
    return next((str(value) for key, value in part.raw_items() if key.lower() == name), "")


def _content_type(part: _Part) -> tuple[str, dict[str, str]]:
    declared, given = parameters(_raw_first(part, "content-type"))
    if "/" not in declared:
        declared = part.get_default_type() if not part.is_multipart() else part.get_content_type()
    return declared, given


def _leaf(part: _Part, content_type: str, type_parameters: Mapping[str, str], *, related: bool) -> _Leaf:
    disposition, given = parameters(_raw_first(part, "content-disposition"))
    way = _raw_first(part, "content-transfer-encoding").strip().lower()
    content, cut = _transfer_decoded(_raw_payload(part), way)
    name = given.get("filename") or type_parameters.get("name", "")
    return _Leaf(
        content_type=content_type,
        type_parameters=type_parameters,
        disposition=disposition,
        name=file_name(name),
        content=content,
        cut=cut,
        has_content_id=bool(_raw_first(part, "content-id")),
        related=related,
        encoded=way.startswith(("base64", "quoted-printable")),
    )


def _raw_payload(part: _Part) -> bytes:
    """Give a part's bytes as they stand in the mail.

    Asked without decoding, the library turns 8-bit bytes into text and cannot turn them back; asked to
    decode a part that names no transfer encoding, it gives them unchanged.
    """
    del part["content-transfer-encoding"]
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


_BASE64_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_PADDED_RUN = re.compile(rb"([A-Za-z0-9+/\r\n\t ]*)(=*)[\r\n\t ]*")


def _transfer_decoded(content: bytes, way: str) -> tuple[bytes, bool]:
    """Undo a transfer encoding (RFC 2045, section 6); tells whether something was missing or wrong."""
    way = way.strip("\"'; ")
    if way.removeprefix("x-").replace("-", "").startswith("base64"):
        return _base64_decoded(content)
    if way.startswith("quoted-printable"):
        return quopri.decodestring(content), False
    if way in {"x-uuencode", "uuencode", "x-uue", "uue"}:
        return uudecoded(content)
    return content, False


def _base64_decoded(content: bytes) -> tuple[bytes, bool]:
    """Decode base64, in several padded runs where an encoder wrote it in pieces; a footer behind it is no data."""
    plain = content.translate(None, b"\r\n\t ")
    letters = plain.rstrip(b"=")
    if not letters.translate(None, _BASE64_LETTERS):  # nothing but letters, and padding only at the end
        return _run_decoded(letters)
    content = _without_footer(content)
    data, padding, rest = content.partition(b"=")
    if not padding or not _NOT_BASE64.sub(b"", rest):
        return _run_decoded(_NOT_BASE64.sub(b"", data))
    pieces: list[bytes] = []
    at, cut = 0, False
    while at < len(content) and (run := _PADDED_RUN.match(content, at)) and run.end() > at:
        letters = _NOT_BASE64.sub(b"", run.group(1))
        if pieces and (len(letters) + len(run.group(2))) % 4:
            break
        piece, cut = _run_decoded(letters)
        pieces.append(piece)
        at = run.end()
    return b"".join(pieces), cut


_FOOTER = re.compile(rb"\n[ \t]*\r?\n(?=[^\r\n]*[^A-Za-z0-9+/=\s])")
_FULL_LINE = re.compile(rb"^[A-Za-z0-9+/]{60,}", re.MULTILINE)


def _without_footer(content: bytes) -> bytes:
    """Cut off the words that a list or a scanner wrote below the last line of base64, behind an empty line."""
    found = _FOOTER.search(content)
    return content[: found.start()] if found and not _FULL_LINE.search(content, found.end()) else content


def _run_decoded(letters: bytes) -> tuple[bytes, bool]:
    over = len(letters) % 4
    kept = letters[:-1] if over == 1 else letters
    return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4)), over == 1


def _is_body(leaf: _Leaf, kind: Kind) -> bool:
    if leaf.disposition == "attachment" or not leaf.content_type.startswith("text/"):
        return kind is Kind.EMPTY and not leaf.name and leaf.disposition != "attachment"
    named = bool(leaf.name) and leaf.content_type not in {"text/plain", "text/html"}
    return (
        kind in {Kind.TEXT, Kind.WEB_PAGE, Kind.EMPTY, Kind.OTHER, Kind.LOCKED}
        and not named
        and not _is_named_file(leaf)
    )


def _is_mail_file(leaf: _Leaf) -> bool:
    """Tell whether a file is a mail that a program saved and attached under a type of its own choice."""
    fields = leaf.content[:4_096].lstrip(b"\xef\xbb\xbf\r\n").splitlines()
    named = leaf.name.lower().endswith((".eml", ".mht.eml"))
    return named and bool(fields) and any(_KNOWN_HEADER.match(line) for line in fields[:40])


def _is_named_file(leaf: _Leaf) -> bool:
    return bool(leaf.name) and leaf.disposition != "inline"


def _is_decoration(leaf: _Leaf, kind: Kind) -> bool:
    if kind in {Kind.SIGNATURE, Kind.CARD} or leaf.content.startswith(_APPLE_DOUBLE):
        return True
    if leaf.content_type in {"application/pgp-signature", "application/pgp-keys"}:
        return True
    if leaf.content_type == "application/pgp-encrypted" and kind is not Kind.LOCKED:
        return True
    if kind is Kind.EMPTY and _GATEWAY_FILE.fullmatch(leaf.name):
        return True
    inside_page = leaf.disposition != "attachment" and (leaf.related or leaf.has_content_id)
    return kind is Kind.IMAGE and inside_page and len(leaf.content) < _DECORATION_BYTES


def _detached(part: _Part) -> Smime | None:
    _, given = _content_type(part)
    return Smime.SIGNED_DETACHED if "pkcs7" in given.get("protocol", "pkcs7") else None


def _report_text(part: _Part, payload: Iterable[_Part]) -> str:
    """Put the fields of a report back together; the parser took its groups for mails of their own."""
    blocks: list[str] = []
    for inner in payload:
        lines = [f"{name}: {value}" for name, value in inner.raw_items()]
        below = inner.get_payload()
        blocks.append("\n".join(lines))
        blocks.append(below if isinstance(below, str) else "")
    text = "\n\n".join(one for one in blocks if one.strip())[:LONGEST_VALUE]
    way = _raw_first(part, "content-transfer-encoding").strip().lower()
    if way in {"base64", "quoted-printable"}:
        plain, _ = _transfer_decoded(text.encode("ascii", "replace"), way)
        text = decoded(plain)
    return readable(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def file_name(given: str) -> str:
    """Give a file's name fit to be shown: the last element of any path, on one line, at most 200 characters."""
    last = re.split(r"[/\\]", shown(given))[-1].strip()
    return "" if last in {".", ".."} else last[-200:]


def _archive_name(attachment: Attachment) -> str:
    if attachment.content.startswith(b"PK"):
        return "zip"
    return "rar" if attachment.content.startswith(b"Rar!") else "archive"


class _Fields:
    """The headers of one mail."""

    def __init__(self, top: _Part, limits: Limits) -> None:
        items = list(top.raw_items())[: limits.header_count]
        self._raw = [(name.lower(), str(value)) for name, value in items]
        self.shown = tuple((name, header_text(value)) for name, value in self._raw)

    def raw(self, name: str) -> list[str]:
        """Give the raw values of a header."""
        return [value for key, value in self._raw if key == name]

    def first(self, name: str) -> str:
        """Give the first value of a header, shown."""
        return next((value for key, value in self.shown if key == name), "")

    def identifiers(self, name: str) -> tuple[str, ...]:
        """Give the message identifiers of a header."""
        return tuple(one for value in self.raw(name) for one in message_ids(value))

    def addresses(self, *names: str) -> Mailboxes:
        """Give the mailboxes of several headers together."""
        read = [mailboxes(value) for name in names for value in self.raw(name)[:20]]
        return Mailboxes(
            tuple(box for one in read for box in one.boxes),
            malformed=any(one.malformed for one in read),
            repaired=any(one.repaired for one in read),
        )

    def return_path(self) -> str | None:
        """Give the envelope sender: "" for the null path, None where our server wrote none."""
        written = self.raw("return-path")
        if not written:
            return None
        boxes = mailboxes(written[0]).boxes
        return boxes[0].key if boxes else ""


def _content_hash(fields: _Fields, text: str, gathered: _Gathered, raw: bytes) -> str:
    if gathered.defects:
        return hashlib.sha256(raw[_header_block_end(raw) :]).hexdigest()
    pieces: Iterator[str] = iter(
        [
            *(box.key for box in fields.addresses("from").boxes),
            fields.first("subject"),
            " ".join(text.split()),
            " ".join("\n".join(gathered.pages).split()),
            *(one.sha256 for one in gathered.attachments),
            *(one.content_sha256 for one in gathered.forwarded),
            *(one.text for one in gathered.reports),
        ]
    )
    return hashlib.sha256("\0".join(pieces).encode("utf-8", "replace")).hexdigest()


_SILENT = frozenset({"script", "style", "head", "title", "template", "noscript", "svg"})
_BREAKS = frozenset({"p", "div", "br", "tr", "li", "h1", "h2", "h3", "blockquote", "hr", "table"})
_TAG_NAME = re.compile(r"/?([A-Za-z][A-Za-z0-9]{0,20})")


def _page_pieces(page: str) -> Iterator[str]:
    """Give the text between the tags of a page, in one pass: the library's parser takes minutes on `<a <a <a`."""
    lower = page.lower()
    at = 0
    while (start := page.find("<", at)) >= 0:
        yield page[at:start]
        named = _TAG_NAME.match(page, start + 1)
        if named is None and not page.startswith(("!", "?"), start + 1):
            yield "<"
            at = start + 1
            continue
        tag = named.group(1).lower() if named else ""
        end = _after_tag(lower, start, tag)
        if end is None:
            return
        if tag in _BREAKS:
            yield "\n"
        at = end
    yield page[at:]


def _after_tag(lower: str, start: int, tag: str) -> int | None:
    """Give where the text goes on behind a tag, a comment or a silent element; None where it never does."""
    if tag in _SILENT and lower[start + 1] != "/":
        mark = f"</{tag}"
    else:
        mark = "-->" if lower.startswith("<!--", start) else ">"
    end = lower.find(mark, start + 1)
    if end >= 0 and mark.startswith("</"):
        end, mark = lower.find(">", end), ">"
    return end + len(mark) if end >= 0 else None


_SPACES = re.compile(r"[ \t\xa0]+")
_EMPTY_LINES = re.compile(r"\n\s*\n\s*")


def text_of_page(page: str) -> str:
    """Give the text of an HTML body; it is text for people and never markup again."""
    text = html.unescape("".join(_page_pieces(page)))
    return readable(_EMPTY_LINES.sub("\n\n", _SPACES.sub(" ", text))).strip()

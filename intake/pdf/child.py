"""What the limited child does with one file: read it part by part, telling the parent as it goes.

The parent gets the structure first, so that a file that breaks a later part still has its number of
pages, its lock and its active content told.
"""

import base64
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from intake.pdf.changes import changes_since
from intake.pdf.enclosures import enclosed_files, enclosed_text
from intake.pdf.finding import Encryption, Finding, Signature
from intake.pdf.forkserver import JSON_FRAME, Send
from intake.pdf.limits import Limits
from intake.pdf.look import Looker, PageLook, PageUnreadable
from intake.pdf.marks import read_marks
from intake.pdf.seals import Signatures
from intake.pdf.structure import FAULTS, NotAPdf, Structure, read_structure, tighten
from intake.pdf.trust import TrustRoots
from intake.pdf.verdict import Evidence, Verdict, decide


def judge_file(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    """Judge one file and send a finding, in the form of `judge.read_finding`.

    Args:
        header: `limits`, `moment` (ISO 8601) and `trust` (DER in base64).
        content: the file.
        send: takes a frame's kind and payload.
    """
    limits = Limits(**header["limits"])
    deadline = time.monotonic() + limits.reading_s
    tighten()
    try:
        structure = read_structure(content, limits)
    except NotAPdf:
        _send(send, _not_a_pdf(content), done=True)
        return
    _send(send, _so_far(structure), done=False)
    if structure.locked:
        _send(send, _so_far(structure, Signature.UNREADABLE), done=True)
        return
    try:
        finding = _judge_open(structure, content, header, limits, deadline)
    except MemoryError:
        structure.add("This file needs more memory than a complaint may; it was left unread.")
        finding = _so_far(structure, Signature.NEEDS_HUMAN)
    if finding.signed_bytes is None or finding.signed_bytes >= len(content):
        _send(send, finding, done=True)
        return
    _send(send, finding, done=False)
    changes = changes_since(content, finding.signed_bytes, deadline)
    _send(send, replace(finding, changes=changes), done=True)


def judge_enclosed(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    """Judge one file that a PDF encloses, as a document of its own; it is taken out here and nowhere else.

    Args:
        header: as for `judge_file`, with `enclosed`: the place of the file among those that it encloses.
        content: the enclosing file.
        send: takes a frame's kind and payload.
    """
    tighten()
    try:
        structure = read_structure(content, Limits(**header["limits"]))
        inner = structure.enclosures[int(header["enclosed"])][1]
    except (NotAPdf, IndexError):
        _send(send, _not_a_pdf(b""), done=True)
        return
    del structure
    judge_file(header, inner, send)


def _send(send: Send, finding: Finding, *, done: bool) -> None:
    send(JSON_FRAME, json.dumps({"done": done, **asdict(finding)}).encode())


def _not_a_pdf(content: bytes) -> Finding:
    kinds = (
        (b"\xff\xd8\xff", "a JPEG photo"),
        (b"\x89PNG", "a PNG picture"),
        (b"PK\x03\x04", "a Word file or an archive"),
        (b"\xd0\xcf\x11\xe0", "an old Word file"),
        (b"{\\rtf", "an RTF text"),
        (b"II*\x00", "a TIFF picture"),
        (b"MM\x00*", "a TIFF picture"),
    )
    start = content.lstrip()[:200]
    guess = next((name for begin, name in kinds if content.startswith(begin)), "")
    if not guess and (b"<html" in start.lower() or start.lower().startswith((b"<!doctype", b"<"))):
        guess = "a web page"
    sentence = (
        "This file is empty." if not content else f"This is not a PDF{f' but {guess}' if guess else ''}."
    )
    return Finding(
        Signature.UNREADABLE, None, Encryption.NO, active_content=False, reasons=(sentence,), damaged=True
    )


def _so_far(structure: Structure, signature: Signature = Signature.NEEDS_HUMAN) -> Finding:
    return Finding(
        signature,
        structure.pages,
        structure.encrypted,
        active_content=structure.active_content,
        reasons=tuple(structure.reasons),
        damaged=structure.damaged,
        embedded=tuple(structure.embedded),
        enclosed=enclosed_files(structure.enclosures),
    )


def _judge_open(
    structure: Structure, content: bytes, header: Mapping[str, Any], limits: Limits, deadline: float
) -> Finding:
    if structure.reader is None:
        _count_with_pdfium(structure, content)
    if structure.pages == 0:
        return _so_far(structure, Signature.UNREADABLE)
    signatures = _signatures(structure, content, header)
    if structure.pages is None or structure.reader is None:
        traces = signatures.signed or signatures.fault
        hopeless = structure.endless and not traces
        verdict = Verdict(Signature.UNREADABLE if hopeless else Signature.NEEDS_HUMAN)
        if signatures.signed:
            verdict.say("This file carries a digital signature and is broken.")
        return _finding(structure, verdict, {}, "", complete=False)
    bomb = _too_large(structure)
    if bomb:
        structure.add(bomb)
        word = Signature.NEEDS_HUMAN if signatures.signed or signatures.fault else Signature.UNREADABLE
        return _so_far(structure, word)
    looks = {} if structure.cyclic_form else _look(structure, content, limits, deadline)
    complete = len(looks) == structure.pages
    marks = read_marks(structure, looks)
    verdict = decide(Evidence(structure, signatures, looks, marks, complete))
    laid_over = "\n".join(mark.words for mark in marks if mark.words)
    return _finding(structure, verdict, looks, laid_over, complete=complete)


def _signatures(structure: Structure, content: bytes, header: Mapping[str, Any]) -> Signatures:
    """Validate digital signatures where the file has any trace of one."""
    if (
        structure.reader is not None
        and structure.walked
        and not structure.byte_ranges
        and b"ByteRange" not in content
    ):
        return Signatures()
    if structure.reader is None and b"ByteRange" not in content:
        return Signatures()
    from intake.pdf.signatures import Trust, read_signatures  # heavy, and most complaints carry no signature

    roots = TrustRoots(*(tuple(base64.b64decode(der) for der in group) for group in header["trust"]))
    return read_signatures(content, Trust(roots, datetime.fromisoformat(header["moment"])))


def _count_with_pdfium(structure: Structure, content: bytes) -> None:
    try:
        with Looker(content) as looker:
            structure.pages = looker.page_count()
    except PageUnreadable:
        structure.pages = None
    structure.add("The structure of this file is broken; it was not read.")
    structure.damaged = True


def _too_large(structure: Structure) -> str:
    """Unpack each page's drawing once under tight limits; a sentence where it unpacks without end."""
    seen: set[int] = set()
    for page in structure.page_objects[:2_000]:
        try:
            contents = page.get("/Contents")
            contents = contents.get_object() if contents is not None else None
            for part in contents if isinstance(contents, list) else [contents]:
                stream = part.get_object() if part is not None else None
                if stream is not None and id(stream) not in seen:
                    seen.add(id(stream))
                    stream.get_data()
        except FAULTS as fault:
            if type(fault).__name__ == "LimitReachedError":
                return "A page of this file unpacks to far more than a page can hold; it was left unread."
    return ""


def _look(structure: Structure, content: bytes, limits: Limits, deadline: float) -> dict[int, PageLook]:
    """Look at the pages within the budget: the first and the last ones before those between."""
    looks: dict[int, PageLook] = {}
    pages = structure.pages or 0
    half = limits.pages_read // 2
    order = [0, pages - 1, *range(1, min(pages - 1, half)), *range(max(half, pages - half), pages - 1)]
    try:
        with Looker(structure.mended or content) as looker:
            for index in dict.fromkeys(order):
                if time.monotonic() > deadline:
                    structure.add("Reading all pages takes longer than a file may; the rest was left unread.")
                    break
                try:
                    looks[index] = looker.page(index)
                except PageUnreadable:
                    structure.add(f"Page {index + 1} could not be read.")
    except PageUnreadable:
        structure.add("The pages of this file could not be shown.")
    return looks


def _finding(
    structure: Structure, verdict: Verdict, looks: dict[int, PageLook], laid_over: str, *, complete: bool
) -> Finding:
    limit = Limits().text_chars
    text = "\n\f\n".join(looks[index].text.replace("\r\n", "\n") for index in sorted(looks))
    screened = complete and all(_searchable(look) for look in looks.values())
    return Finding(
        verdict.signature,
        structure.pages,
        structure.encrypted,
        active_content=structure.active_content,
        signers=tuple(verdict.signers),
        reasons=tuple(dict.fromkeys((*structure.reasons, *verdict.reasons))),
        damaged=structure.damaged,
        text=(text + ("\n" + laid_over if laid_over else ""))[:limit],
        screened=screened
        and bool(looks)
        and len(text) <= limit
        and not structure.xfa
        and len(structure.enclosures) == len(structure.embedded),
        signature_page=verdict.page,
        embedded=tuple(structure.embedded),
        signed_bytes=verdict.signed_bytes,
        enclosed=enclosed_files(structure.enclosures),
        enclosed_text=enclosed_text(structure.enclosures)[:limit],
    )


def _searchable(look: PageLook) -> bool:
    """Say whether a page's words are all there as text: no picture, no outlines, no unknown letters."""
    if look.odd_text or not look.complete or look.strokes > 200:  # noqa: PLR2004  letters drawn as outlines
        return False
    if not look.text.strip():
        return look.objects == 0
    return sum(look.images) < 0.25  # noqa: PLR2004  a letterhead's seal holds no name of a member

"""The papers that came with a mail, judged together: may it be filed, is something missing, must a person look?

A finding refuses nothing and moves no date (pdf.md): the worst that happens here is that a person looks or
that the complainant is asked for what is missing.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from intake.containers import Smime
from intake.message import Attachment, IncomingMail
from intake.pdf.finding import Encryption, Finding, Signature
from intake.sniff import Kind


class Verdict(StrEnum):
    """What the papers allow."""

    IN_ORDER = "in order"
    INCOMPLETE = "incomplete"
    A_PERSON_LOOKS = "a person looks"


class PaperReason(StrEnum):
    """Why papers are incomplete or must be looked at."""

    ENCRYPTED_MAIL = "encrypted; ask for a readable copy"
    SMIME_UNREADABLE = "signed envelope cannot be opened; ask for a readable copy"
    CONTAINER_DAMAGED = "winmail.dat damaged or cut; ask for it again"
    DAMAGED = "PDF damaged; ask for it again"
    LOCKED = "PDF locked with a password; ask for a readable copy"
    EMPTY_FILE = "attachment empty"
    IMAGE = "no readable PDF; image of a page"
    NOT_A_PDF = "called a PDF and is none; ask for it again"
    ARCHIVE = "archive: opened only under size and count limits, or by staff"
    NESTED = "archive within an archive: not opened; the sender is told how to file"
    PROGRAM = "a program is attached; not opened"
    TOO_MANY = "too many attachments"
    UNSIGNED = "signature line empty"
    NO_SIGNATURE = "no signature found"
    DOCUMENT = "not a PDF; staff look; ask for signed PDF"
    LINK = "link instead of a file: not opened; ask for the signed PDF itself"
    BODY_ONLY = "in writing, but signature not shown: staff decide; cure asked"
    NOTHING = "empty mail"


class PaperFlag(StrEnum):
    """What staff are told beside the verdict."""

    ACTIVE_CONTENT = "active_content"
    SIGNATURE_BROKEN = "signature_broken"
    SIGNER_DIFFERS = "signer_differs"
    DAMAGED_BESIDE = "damaged_attachment"
    LOCKED_BESIDE = "locked_attachment"
    ARCHIVE_BESIDE = "archive_attached"
    PROGRAM_BESIDE = "program_attached"


@dataclass(frozen=True, slots=True)
class Papers:
    """The papers judged.

    Attributes:
        verdict: what they allow.
        reason: why it is not in order; None where it is.
        pdfs: SHA-256 of the PDFs that can be opened, in order.
        inner_pdfs: SHA-256 of PDFs inside archives.
        flags: what staff are told.
        readable: at least one PDF can be read.
        text: text of the PDFs, for words that matter in a reply.
        searchable: all of that text could be read.
    """

    verdict: Verdict
    reason: PaperReason | None
    pdfs: tuple[str, ...] = ()
    inner_pdfs: tuple[str, ...] = ()
    flags: tuple[PaperFlag, ...] = ()
    readable: bool = False
    text: str = ""
    searchable: bool = True


class _State(StrEnum):
    SIGNED = "signed or to be looked at"
    UNSIGNED = "unsigned"
    LOCKED = "locked"
    DAMAGED = "damaged"


_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
_LOCKS = frozenset({Encryption.USER_PASSWORD, Encryption.PUBLIC_KEY})
_PDF_END = 2_048


def judge_papers(mail: IncomingMail, findings: Mapping[str, Finding]) -> Papers:
    """Judge the papers of a mail.

    Args:
        mail: the mail, with those inside it.
        findings: SHA-256 of a PDF -> its finding; a PDF without one is left to a person's eyes.
    """
    exhibits = mail.exhibits()
    pdfs = [one for one in exhibits if one.kind is Kind.PDF]
    states = [(one, _state(one, findings.get(one.sha256))) for one in pdfs]
    verdict, reason = _verdict(mail, exhibits, states, findings)
    found = [findings[one.sha256] for one in pdfs if one.sha256 in findings]
    return Papers(
        verdict=verdict,
        reason=reason,
        pdfs=tuple(one.sha256 for one, state in states if state is not _State.DAMAGED),
        inner_pdfs=tuple(one for each in exhibits if each.archive for one in each.archive.inner_pdfs),
        flags=_flags(mail, exhibits, [state for _, state in states], found),
        readable=any(state in {_State.SIGNED, _State.UNSIGNED} for _, state in states),
        text="\n".join(one.text for one in found),
        searchable=all(one.screened for one in found) and len(found) == len(pdfs),
    )


def _state(pdf: Attachment, finding: Finding | None) -> _State:
    if pdf.cut:
        return _State.DAMAGED
    if finding is None:
        return _State.SIGNED if b"%%EOF" in pdf.content[-_PDF_END:] else _State.DAMAGED
    if finding.encrypted in _LOCKS:
        return _State.LOCKED
    if finding.signature is Signature.UNREADABLE or finding.damaged:
        return _State.DAMAGED
    return _State.UNSIGNED if finding.signature is Signature.NONE_FOUND else _State.SIGNED


def _verdict(
    mail: IncomingMail,
    exhibits: Iterable[Attachment],
    states: list[tuple[Attachment, _State]],
    findings: Mapping[str, Finding],
) -> tuple[Verdict, PaperReason | None]:
    have = {state for _, state in states}
    unopened = _unopened(mail)
    if unopened is not None:
        return Verdict.A_PERSON_LOOKS, unopened
    if _State.SIGNED in have:
        return Verdict.IN_ORDER, None
    kinds = {one.kind for one in exhibits}
    doubtful = _doubtful(have, kinds, exhibits)
    if doubtful is not None:
        return Verdict.A_PERSON_LOOKS, doubtful
    if _State.UNSIGNED in have:
        return Verdict.INCOMPLETE, _unsigned_reason(states, findings)
    return _without_pdf(mail, kinds)


def _without_pdf(mail: IncomingMail, kinds: set[Kind]) -> tuple[Verdict, PaperReason]:
    if kinds & {Kind.DOCUMENT, Kind.WEB_PAGE, Kind.TEXT, Kind.OTHER}:
        return Verdict.INCOMPLETE, PaperReason.DOCUMENT
    text = "\n".join([mail.text, *(one.text for one in mail.forwarded)]).strip()
    if not text:
        return Verdict.A_PERSON_LOOKS, PaperReason.NOTHING
    return Verdict.INCOMPLETE, PaperReason.LINK if _LINK.search(text) else PaperReason.BODY_ONLY


def _unopened(mail: IncomingMail) -> PaperReason | None:
    for one in (mail, *mail.forwarded):
        if one.smime is Smime.ENCRYPTED:
            return PaperReason.ENCRYPTED_MAIL
        if one.smime is Smime.UNREADABLE:
            return PaperReason.SMIME_UNREADABLE
        if one.container_cut:
            return PaperReason.CONTAINER_DAMAGED
    return None


def _doubtful(have: set[_State], kinds: set[Kind], exhibits: Iterable[Attachment]) -> PaperReason | None:
    """Tell why a person must look where no PDF shows a signature: the signed paper may be the one not read."""
    if _State.LOCKED in have:
        return PaperReason.LOCKED
    if _State.DAMAGED in have:
        return PaperReason.DAMAGED
    nested = any(one.archive is not None and one.archive.nested for one in exhibits)
    by_kind = (
        (Kind.PROGRAM, PaperReason.PROGRAM),
        (Kind.LOCKED, PaperReason.ENCRYPTED_MAIL),
        (Kind.EMPTY, PaperReason.EMPTY_FILE),
        (Kind.ARCHIVE, PaperReason.NESTED if nested else PaperReason.ARCHIVE),
        (Kind.IMAGE, PaperReason.IMAGE),
    )
    for kind, reason in by_kind:
        if kind in kinds and not (kind is Kind.IMAGE and _State.UNSIGNED in have):
            return reason
    pretends = any(one.claims_pdf and one.kind is not Kind.PDF for one in exhibits)
    return PaperReason.NOT_A_PDF if pretends and _State.UNSIGNED not in have else None


def _unsigned_reason(states: list[tuple[Attachment, _State]], findings: Mapping[str, Finding]) -> PaperReason:
    texts = [findings[pdf.sha256].text for pdf, _ in states if pdf.sha256 in findings]
    has_line = any(re.search(r"signature|signed|firma", text, re.IGNORECASE) for text in texts)
    return PaperReason.UNSIGNED if has_line else PaperReason.NO_SIGNATURE


def _flags(
    mail: IncomingMail, exhibits: Iterable[Attachment], states: list[_State], found: list[Finding]
) -> tuple[PaperFlag, ...]:
    kinds = {one.kind for one in exhibits}
    told = {
        PaperFlag.ACTIVE_CONTENT: any(one.active_content for one in found),
        PaperFlag.SIGNATURE_BROKEN: any(one.signature is Signature.CRYPTO_BROKEN for one in found),
        PaperFlag.SIGNER_DIFFERS: _signer_differs(mail, found),
        PaperFlag.DAMAGED_BESIDE: _State.DAMAGED in states,
        PaperFlag.LOCKED_BESIDE: _State.LOCKED in states or Kind.LOCKED in kinds,
        PaperFlag.ARCHIVE_BESIDE: Kind.ARCHIVE in kinds,
        PaperFlag.PROGRAM_BESIDE: Kind.PROGRAM in kinds,
    }
    return tuple(flag for flag, holds in told.items() if holds)


def _signer_differs(mail: IncomingMail, found: list[Finding]) -> bool:
    """Tell whether certificates name nobody whose name is in the From; typed names are read by people."""
    signers = [name for one in found if one.signature.value.startswith("crypto") for name in one.signers]
    writers = mail.forwarded[0].from_.boxes if mail.forwarded else mail.from_.boxes
    writer = writers[0] if writers else None
    if not signers or writer is None or not writer.name:
        return False
    words = {word for word in re.findall(r"\w+", writer.name.casefold()) if len(word) > 1}
    return not any(words & set(re.findall(r"\w+", name.casefold())) for name in signers)

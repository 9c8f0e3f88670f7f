"""Judge one PDF in a limited child process of its own (requirement I7)."""

import base64
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from intake.pdf.finding import Encryption, Finding, Signature
from intake.pdf.limits import Limits
from intake.pdf.sandbox import SHARED, Answer, Sandbox, SandboxUnavailable
from intake.pdf.trust import TrustRoots

_TASK = "intake.pdf.child:judge_file"
_MOST_REASONS = 200
_MOST_WORDS = 4_000
_UNKNOWN = Finding(Signature.NEEDS_HUMAN, None, Encryption.NO, active_content=False)


def judge(
    data: bytes,
    *,
    trust: TrustRoots,
    moment: datetime,
    limits: Limits | None = None,
    sandbox: Sandbox | None = None,
) -> Finding:
    """Judge one file; whatever the file does, a finding comes back.

    Args:
        data: the file as it came.
        trust: whom the city trusts to have checked signers.
        moment: instant of receipt, aware; certificates and revocations are weighed at it.
        limits: bounds of the child; None takes those of the product.
        sandbox: the standing process to use; None takes the one shared by this process.

    Raises:
        ValueError: the moment has no zone.
    """
    if moment.tzinfo is None:
        raise ValueError("The instant of receipt needs a zone.")
    request = {
        "moment": moment.astimezone(UTC).isoformat(),
        "trust": [
            [base64.b64encode(der).decode() for der in group]
            for group in (trust.anchors, trust.intermediates, trust.revocation_lists)
        ],
    }
    bounds = Limits() if limits is None else limits
    try:
        answer = (sandbox or SHARED).run(_TASK, data, limits=bounds, request=request)
    except SandboxUnavailable as unavailable:
        return replace(_UNKNOWN, reasons=(str(unavailable),))
    return conclude(answer)


def conclude(answer: Answer) -> Finding:
    """Read a child's answer: its finding, or what it told before it was stopped, left to a person."""
    known = _UNKNOWN
    for message in answer.messages:
        try:
            known = read_finding(message)
        except ValueError:
            sentence = "The reader of this file gave an answer that makes no sense."
            return replace(
                known, signature=Signature.NEEDS_HUMAN, signers=(), reasons=(*known.reasons, sentence)
            )
    if not answer.stopped:
        return known
    return replace(
        known,
        signature=Signature.NEEDS_HUMAN,
        signers=(),
        reasons=(*known.reasons, f"{answer.stopped} The file is kept as it came; a person must look at it."),
        screened=False,
    )


def read_finding(message: Mapping[str, object]) -> Finding:
    """Read a finding from a child's JSON object, believing nothing about its form.

    Raises:
        ValueError: a field is missing or of another kind than it should be.
    """
    try:
        return Finding(
            Signature(_string(message["signature"])),
            _count(message["pages"]),
            Encryption(_string(message["encrypted"])),
            active_content=_truth(message["active_content"]),
            signers=_strings(message["signers"]),
            reasons=_strings(message["reasons"]),
            damaged=_truth(message["damaged"]),
            text=_string(message["text"]),
            screened=_truth(message["screened"]),
            signature_page=_count(message["signature_page"]),
            embedded=_strings(message["embedded"]),
            signed_bytes=_count(message["signed_bytes"]),
        )
    except KeyError as error:
        raise ValueError("a field is missing") from error


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not a text")  # noqa: TRY004  one kind of fault for the caller
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("neither true nor false")  # noqa: TRY004  one kind of fault for the caller
    return value


def _count(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("not a count")
    return value


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError("not a list")  # noqa: TRY004  one kind of fault for the caller
    return tuple(_string(one)[:_MOST_WORDS] for one in value[:_MOST_REASONS])

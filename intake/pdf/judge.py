"""Judge one PDF in a limited child process of its own (requirement I7)."""

import base64
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from intake.pdf.finding import Enclosed, EnclosedKind, Encryption, Finding, Signature
from intake.pdf.limits import Limits
from intake.pdf.sandbox import SHARED, Answer, Sandbox, SandboxUnavailable
from intake.pdf.trust import TrustRoots

_TASK = "intake.pdf.child:judge_file"
_ENCLOSED_TASK = "intake.pdf.child:judge_enclosed"
_SIGNATURES = "intake.pdf.signatures"
_TRACE = b"ByteRange"
"""Stands in nearly every signed file; where it is packed away, the child loads what it needs itself."""
_MOST_ENCLOSED = 20
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
    child = _Child(sandbox or SHARED, data, bounds, request)
    try:
        return _with_enclosed(child, child.run(_TASK))
    except SandboxUnavailable as unavailable:
        return replace(_UNKNOWN, reasons=(str(unavailable),))


@dataclass(frozen=True, slots=True)
class _Child:
    """The children that read one file, each fresh and each with the same bounds."""

    sandbox: Sandbox
    data: bytes
    limits: Limits
    request: Mapping[str, object]

    def run(self, task: str, **further: object) -> Finding:
        """Run a task on the file and read its answer."""
        request = {**self.request, **further}
        needs = _SIGNATURES if _TRACE in self.data else ""
        return conclude(self.sandbox.run(task, self.data, limits=self.limits, request=request, needs=needs))


def _with_enclosed(child: _Child, outer: Finding) -> Finding:
    """Judge each enclosed PDF in a child of its own, and add what was found to the finding of the file.

    Together they may take as long as one file; the rest is listed and left to a person.
    """
    began = time.monotonic()
    enclosed: list[Enclosed] = []
    texts, reasons, active = [outer.enclosed_text], list(outer.reasons), outer.active_content
    for place, one in enumerate(outer.enclosed):
        if one.kind is not EnclosedKind.PDF or place >= _MOST_ENCLOSED or _late(began, child.limits):
            enclosed.append(one)
            continue
        inner = child.run(_ENCLOSED_TASK, enclosed=place)
        enclosed.append(
            replace(
                one,
                signature=inner.signature,
                pages=inner.pages,
                signers=inner.signers,
                screened=inner.screened and not inner.embedded,
            )
        )
        texts += [inner.text, inner.enclosed_text]
        active = active or inner.active_content
        reasons += [f"{_named(one)}: {sentence}" for sentence in inner.reasons]
    return replace(
        outer,
        active_content=active,
        reasons=tuple(reasons[:_MOST_REASONS]),
        screened=outer.screened and all(one.screened for one in enclosed),
        enclosed=tuple(enclosed),
        enclosed_text="\n\f\n".join(text for text in texts if text)[: child.limits.text_chars],
    )


def _late(began: float, limits: Limits) -> bool:
    return time.monotonic() - began > limits.reading_s


def _named(one: Enclosed) -> str:
    return f'Enclosed "{one.name}"'


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
            changes=_strings(message["changes"]),
            enclosed=tuple(map(_enclosed, _list(message["enclosed"]))),
            enclosed_text=_string(message["enclosed_text"]),
        )
    except KeyError as error:
        raise ValueError("a field is missing") from error


def _enclosed(value: object) -> Enclosed:
    if not isinstance(value, dict):
        raise ValueError("not an enclosed file")  # noqa: TRY004  one kind of fault for the caller
    return Enclosed(
        _string(value["name"]),
        EnclosedKind(_string(value["kind"])),
        _count(value["size"]) or 0,
        _string(value["sha256"]),
        screened=_truth(value["screened"]),
    )


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("not a list")  # noqa: TRY004  one kind of fault for the caller
    return value[:_MOST_REASONS]


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

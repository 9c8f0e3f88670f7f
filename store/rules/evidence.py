"""What a judge of PDFs found in a paper, as it lies before the person who decides (I7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter

from store.rules.counted import counted


@dataclass(frozen=True, slots=True)
class EnclosedFile:
    """A file that a paper encloses.

    Attributes:
        name: its name, as the paper gives it.
        signature: what was found in an enclosed PDF; empty for others and where nobody looked.
        signers: names in its certificates, or typed.
        pages: its pages, where known.
        readable: it could be searched for names.
    """

    name: str
    signature: str = ""
    signers: tuple[str, ...] = ()
    pages: int | None = None
    readable: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """One paper's findings; evidence, never a decision.

    Attributes:
        signature: a word of the judge, such as ``typed`` or ``none-found``.
        pages: number of pages; None where it could not be counted.
        encrypted: how it is locked; ``no`` for open.
        active_content: it carries something that acts when opened.
        signers: names in certificates, or typed.
        reasons: plain sentences.
        readable: every page gave text that could be searched for names.
        signature_page: zero-based; None if unknown.
        embedded: names of embedded files.
        signed_bytes: where it was changed after signing, the length of the version as signed.
        changes: what it says now and did not say then, in sentences.
        enclosed: the embedded files, with what was found in the PDFs among them.
    """

    signature: str
    pages: int | None = None
    encrypted: str = "no"
    active_content: bool = False
    signers: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    readable: bool = False
    signature_page: int | None = None
    embedded: tuple[str, ...] = ()
    signed_bytes: int | None = None
    changes: tuple[str, ...] = ()
    enclosed: tuple[EnclosedFile, ...] = ()

    def to_json(self) -> str:
        """Write it as JSON, for the document's sealed columns."""
        return _adapter().dump_json(self).decode()


@cache
def _adapter() -> TypeAdapter[Evidence]:
    return TypeAdapter(Evidence)


def from_json(text: str) -> Evidence | None:
    """Read it back; None for a paper that nobody judged."""
    return _adapter().validate_json(text) if text else None


def in_words(evidence: Evidence) -> str:
    """Say in a few plain words what was found about the signature."""
    return _WORDS.get(evidence.signature, "A person must look at the signature.")


def for_the_decision(evidence: Evidence, complainants: Sequence[str]) -> tuple[str, ...]:
    """Say everything that whoever decides on the form should know of a paper, one sentence a line (I7).

    Args:
        evidence: what was found.
        complainants: names of those who complain, to stand beside the name in a certificate.
    """
    lines = [in_words(evidence)]
    if evidence.signers:
        beside = ", ".join(complainants) or "nobody on the record yet"
        kind = "In the certificate" if evidence.signature.startswith("crypto") else "Name found"
        lines.append(f"{kind}: {', '.join(evidence.signers)}. Complainant: {beside}.")
    if evidence.active_content:
        lines.append(ACTIVE)
    if evidence.signed_bytes is not None:
        lines.append("It was changed after signing. " + " ".join(evidence.changes))
    lines += [_enclosed(one) for one in evidence.enclosed]
    named = {one.name for one in evidence.enclosed}
    lines += [f"Encloses {name}; nobody looked into it." for name in evidence.embedded if name not in named]
    lines += [one for one in evidence.reasons if one not in lines]
    return tuple(lines)


ACTIVE = "It carries active content: look at pictures of its pages and do not open the file itself."


def _enclosed(one: EnclosedFile) -> str:
    if not one.signature:
        return f"Encloses {one.name}."
    pages = f", {counted(one.pages, 'page')}" if one.pages is not None else ""
    by = f" Name: {', '.join(one.signers)}." if one.signers else ""
    words = _WORDS.get(one.signature, "A person must look at the signature.")
    return f"Encloses {one.name} (a PDF{pages}): {words}{by}"


_WORDS = {
    "crypto-valid": "Signed with a certificate that we trust; unchanged since.",
    "crypto-broken": "Signed with a certificate, and changed after signing.",
    "crypto-untrusted": "Signed with a certificate that we cannot trace to a trusted root.",
    "drawn": "A drawn signature was found.",
    "typed": "A typed signature was found.",
    "none-found": "No signature was found.",
    "needs-human": "Only a look can tell whether it is signed.",
    "unreadable": "The file cannot be read.",
}

"""What a judge of PDFs found in a paper, as it lies before the person who decides (I7)."""

from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter


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

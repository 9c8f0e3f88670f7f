"""What a judge of PDFs may say of a file: evidence, never a decision (requirement I7).

Source: KRS 369.107 and 369.118 (law.md, records): the agency decides which signatures it accepts,
so the software reports and a person decides.
"""

from dataclasses import dataclass
from enum import StrEnum


class Signature(StrEnum):
    """Evidence of a signature found in a file."""

    CRYPTO_VALID = "crypto-valid"
    CRYPTO_BROKEN = "crypto-broken"
    CRYPTO_UNTRUSTED = "crypto-untrusted"
    DRAWN = "drawn"
    TYPED = "typed"
    NONE_FOUND = "none-found"
    NEEDS_HUMAN = "needs-human"
    UNREADABLE = "unreadable"


class Encryption(StrEnum):
    """How a file is locked."""

    NO = "no"
    OWNER_ONLY = "owner-only"
    USER_PASSWORD = "user-password"  # noqa: S105  the name of a kind, not a password
    PUBLIC_KEY = "public-key"


class EnclosedKind(StrEnum):
    """What a file enclosed in a PDF is, by its bytes."""

    PDF = "pdf"
    TEXT = "text"
    PICTURE = "picture"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A file that a PDF encloses; a PDF among them is a document of its own and is judged as one.

    Attributes:
        name: its name, as the PDF gives it.
        kind: what it is.
        size: its length in bytes.
        sha256: of its bytes, in hexadecimal digits.
        signature: what was found in an enclosed PDF; None for others, and for PDFs beyond the limits.
        pages: its number of pages, where known.
        signers: names in its certificates, or typed.
        screened: its text could be read whole.
    """

    name: str
    kind: EnclosedKind
    size: int
    sha256: str
    signature: Signature | None = None
    pages: int | None = None
    signers: tuple[str, ...] = ()
    screened: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One file judged.

    Attributes:
        signature: the evidence of a signature.
        pages: number of pages; None where it could not be counted.
        encrypted: how the file is locked.
        active_content: it carries JavaScript, Launch, SubmitForm, GoToR/GoToE, ImportData or a
            program; a web link is none of these.
        signers: the names in the certificates, or the typed names; empty where there are none.
        reasons: plain sentences for the person who decides; never logged.
        damaged: the file's structure is broken (truncated, not a PDF, no page tree).
        text: the text of the pages, for the conflict screen; empty where none could be read.
        screened: True only if every page, and every enclosed file, gave text that can be searched for names.
        signature_page: zero-based page that carries, or should carry, the signature; None if unknown.
        embedded: names of embedded files, in order.
        signed_bytes: where the file was changed after a digital signature, the length of the part that
            was signed: ``content[:signed_bytes]`` is the version as signed. None for all others.
        changes: what the pages and the form say now and did not say when they were signed, in sentences.
        enclosed: the files that it encloses, in order.
        enclosed_text: the text of enclosed files, for the conflict screen.
    """

    signature: Signature
    pages: int | None
    encrypted: Encryption
    active_content: bool
    signers: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    damaged: bool = False
    text: str = ""
    screened: bool = False
    signature_page: int | None = None
    embedded: tuple[str, ...] = ()
    signed_bytes: int | None = None
    changes: tuple[str, ...] = ()
    enclosed: tuple[Enclosed, ...] = ()
    enclosed_text: str = ""

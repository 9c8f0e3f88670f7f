"""What was found of a file's digital signatures; without the libraries that find it."""

from dataclasses import dataclass
from enum import IntEnum


class Seal(IntEnum):
    """How one signature stands; the highest of a file decides."""

    VALID = 0
    UNTRUSTED = 1
    UNSURE = 2
    BROKEN = 3


@dataclass(frozen=True, slots=True)
class Signed:
    """One digital signature judged.

    Attributes:
        seal: how it stands.
        signer: the name in its certificate; empty where there is none to read.
        reasons: plain sentences.
        signed_bytes: length of the revision it covers; None where unknown.
        field: name of its form field.
    """

    seal: Seal
    signer: str
    reasons: tuple[str, ...]
    signed_bytes: int | None = None
    field: str = ""


@dataclass(frozen=True, slots=True)
class Signatures:
    """All digital signatures of a file.

    Attributes:
        signed: those that pyHanko finds, in order of signing.
        timestamps: number of time stamps that stand alone.
        fault: why they could not be read; empty if they could.
    """

    signed: tuple[Signed, ...] = ()
    timestamps: int = 0
    fault: str = ""

"""Evidence cover: chosen evidence goes to the Commonwealth's or County Attorney."""

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from store.letters.letter import Document, Letter, LetterKind


@dataclass(frozen=True, kw_only=True)
class EvidenceCover(Letter):
    """The cover and manifest of evidence turned over to a prosecutor, with a receipt to sign.

    Attributes:
        authorised_on: the local day on which the Board or its chair authorised it.
        authority: by what act, such as a motion; nothing of the deliberations.
        exhibits: what is turned over, each with its SHA-256.
        files: under which file name each exhibit goes, as the manifest lists it; empty where there is none.
        manifest_sha256: SHA-256 of the manifest file beside the exhibits; empty for none.
        check: the command that checks the files with the manifest.

    Source: clause (C)(1).
    """

    kind: ClassVar = LetterKind.EVIDENCE_COVER
    clause: ClassVar = "C1-evidence"
    required: ClassVar = ("case_number", "authorised_on", "exhibits")
    confidential: ClassVar = True

    authorised_on: date
    authority: str
    exhibits: tuple[Document, ...]
    files: tuple[str, ...] = ()
    manifest_sha256: str = ""
    check: str = ""

    def subject(self) -> str:
        """Say the case number and that evidence is turned over."""
        return self._numbered("evidence turned over")

"""`docket inspect`: what the judge of PDFs says of files. Files nothing, sends nothing, asks no network."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from bot.cli.deadline import BadUse, OneLineCommand
from bot.cli.given import read_given
from bot.clock import SystemClock
from intake.pdf.finding import Finding, Signature
from intake.pdf.judge import judge
from intake.pdf.trust import NO_ROOTS, TrustFolderUnreadable, TrustRoots, read_trust_roots
from store.rules.dates import parse_instant
from store.rules.errors import BadInput

_IN_WORDS = {
    Signature.CRYPTO_VALID: "a digital signature fits, and the roots given vouch for its name",
    Signature.CRYPTO_BROKEN: "a digital signature does not fit: changed after signing",
    Signature.CRYPTO_UNTRUSTED: "a digital signature fits, and nobody trusted vouches for its name",
    Signature.DRAWN: "a signature seems to be drawn",
    Signature.TYPED: "a signature seems to be typed",
    Signature.NONE_FOUND: "no mark that could be a signature was found",
    Signature.NEEDS_HUMAN: "a person must look",
    Signature.UNREADABLE: "the file cannot be read",
}


@click.command("inspect", cls=OneLineCommand)
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--roots",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of trusted root certificates and revocation lists; without it, nobody is trusted.",
)
@click.option(
    "--at",
    metavar="INSTANT",
    help="Instant at which certificates are weighed: 2026-03-02T10:00:00-05:00. Without it, now.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON: an object for one file, a list for several."
)
def inspect_pdf(files: tuple[Path, ...], roots: Path | None, at: str | None, *, as_json: bool) -> None:
    """Judge each PDF of FILES in a limited process of its own: pages, lock, active content, signature.

    What is said is evidence for a person's decision. Ends with status 0 whatever the files hold, and
    with 2 where a file, the folder of roots or the instant cannot be read.
    """
    trust = _roots(roots)
    moment = parse_instant(at) if at is not None else SystemClock().now()
    inspected = [inspect_one(path.name, _content(path), trust, moment) for path in files]
    if as_json:
        found = [one.as_json() for one in inspected]
        click.echo(json.dumps(found[0] if len(found) == 1 else found, indent=2))
    else:
        _print(inspected)


@dataclass(frozen=True, slots=True)
class Inspected:
    """One file judged.

    Attributes:
        name: its file name.
        sha256: of its bytes, in hexadecimal digits.
        length: its length in bytes.
        finding: what the judge says.
    """

    name: str
    sha256: str
    length: int
    finding: Finding

    def as_json(self) -> dict[str, Any]:
        """Give everything but the text of the pages, as JSON values."""
        told = self.finding
        return {
            "file": self.name,
            "signature": told.signature.value,
            "pages": told.pages,
            "encrypted": told.encrypted.value,
            "active_content": told.active_content,
            "signers": list(told.signers),
            "reasons": list(told.reasons),
            "sha256": self.sha256,
            "bytes": self.length,
            "text_extractable": bool(told.text.strip()),
            "embedded": list(told.embedded),
            "enclosed": [
                {
                    "name": one.name,
                    "kind": one.kind.value,
                    "bytes": one.size,
                    "sha256": one.sha256,
                    "signature": one.signature.value if one.signature else None,
                    "pages": one.pages,
                    "signers": list(one.signers),
                }
                for one in told.enclosed
            ],
            "changes": list(told.changes),
        }

    def as_lines(self) -> Iterator[str]:
        """Give lines for the terminal: file and word first, then what goes with it."""
        told = self.finding
        pages = "unknown" if told.pages is None else str(told.pages)
        yield f"{self.name}: {told.signature.value} ({_IN_WORDS[told.signature]})"
        yield f"  pages {pages}; encrypted: {told.encrypted.value}; active content: {'yes' if told.active_content else 'no'}"
        if told.signers:
            yield f"  signed by: {', '.join(told.signers)}"
        if told.embedded:
            yield f"  encloses: {', '.join(told.embedded)}"
        for reason in (*told.reasons, *told.changes):
            yield f"  - {reason}"
        yield f"  SHA-256 {self.sha256}, {self.length} bytes"


def inspect_one(name: str, content: bytes, trust: TrustRoots, moment: datetime) -> Inspected:
    """Judge one file.

    Args:
        name: its file name, for the answer only.
        content: its bytes.
        trust: whom to trust for certificates.
        moment: instant at which they are weighed, aware.
    """
    digest = hashlib.sha256(content).hexdigest()
    return Inspected(name, digest, len(content), judge(content, trust=trust, moment=moment))


def _roots(folder: Path | None) -> TrustRoots:
    if folder is None:
        return NO_ROOTS
    try:
        return read_trust_roots(folder)
    except TrustFolderUnreadable as fault:
        raise BadUse(str(fault)) from fault


def _content(path: Path) -> bytes:
    try:
        return read_given(path)
    except BadInput as refusal:
        raise BadUse(str(refusal)) from refusal


def _print(inspected: Sequence[Inspected]) -> None:
    from bot.cli.common import say  # the shared part costs a second to import; JSON needs none of it

    for one in inspected:
        say(*(line.replace("\n", " ") for line in one.as_lines()))

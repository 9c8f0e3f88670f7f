"""Builders of mails and of what is known; a test spells out only what it is about."""

import base64
import hashlib
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from bot.cli.triage import read_context
from intake.known import Known
from intake.message import IncomingMail, read_mail
from intake.pdf.finding import Encryption, Finding, Signature
from intake.sniff import Kind
from intake.triage import Disposition, triage

MAILS = Path(__file__).parent.parent / "data" / "mail"
MANIFEST: dict[str, Any] = json.loads((MAILS / "manifest.json").read_bytes())
BOX = "complaints@ethics.bramwell-ky.example"
MANAGER = "citymanager@bramwell-ky.example"
PASSES = "mail.bramwell-ky.example; dmarc=pass header.from=bramwell-ky.example"
RECEIVED = datetime(2026, 11, 2, 14, 14, 12, tzinfo=UTC)
PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n"


def context(**changes: Any) -> Known:
    """Give the cases and letters of the manifest, changed."""
    return replace(read_context((MAILS / "manifest.json").read_bytes()), **changes)


def raw_of(prefix: str) -> bytes:
    """Give the raw mail whose file name starts so."""
    return next(MAILS.glob(f"{prefix}-*.eml")).read_bytes()


def part(content: bytes, content_type: str, name: str = "", disposition: str = "attachment") -> bytes:
    """Give a MIME part in base64."""
    named = f'; name="{name}"' if name else ""
    file = f'; filename="{name}"' if name else ""
    head = (
        f"Content-Type: {content_type}{named}\r\nContent-Disposition: {disposition}{file}\r\n"
        "Content-Transfer-Encoding: base64\r\n\r\n"
    )
    return head.encode() + base64.encodebytes(content)


def pdf_part(content: bytes = PDF, name: str = "complaint.pdf") -> bytes:
    """Give a part with a PDF."""
    return part(content, "application/pdf", name)


def forwarded_part(raw: bytes) -> bytes:
    """Give a part with a whole mail."""
    return b'Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename="m.eml"\r\n\r\n' + raw


def a_mail(
    *parts: bytes,
    text: str = "Please see the attached complaint.",
    subtype: str = "mixed",
    headers: dict[str, str | None] | None = None,
) -> bytes:
    """Give a raw mail from Ines Calloway to the City Manager, the Board copied; a header of None is left out."""
    fields: dict[str, str | None] = {
        "From": "Ines Calloway <ines.calloway@riverbend.example>",
        "To": f"{MANAGER}, {BOX}",
        "Subject": "Ethics complaint",
        "Date": "Mon, 02 Nov 2026 09:14:07 -0500",
        "Message-ID": "<built@riverbend.example>",
        "MIME-Version": "1.0",
        **(headers or {}),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None).encode()
    if not parts:
        return lines + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode()
    body = b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode()
    boundary = f"bnd{b''.join(parts).count(b'--bnd')}"  # another one inside than outside
    joined = b"".join(f"--{boundary}\r\n".encode() + one + b"\r\n" for one in (body, *parts))
    head = f"Content-Type: multipart/{subtype}; boundary={boundary}\r\n\r\n"
    return lines + head.encode() + joined + f"--{boundary}--\r\n".encode()


def a_finding(signature: Signature = Signature.NEEDS_HUMAN, **facts: Any) -> Finding:
    """Give a finding of one page that can be searched."""
    plain = Finding(signature, 1, Encryption.NO, active_content=False, text="Signature", screened=True)
    return replace(plain, **facts)


def found_by_hand(content: bytes, _moment: datetime) -> Finding:
    """Give the finding of a case file's PDF: their text ends with the signature line where nobody signed."""
    try:
        text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    except PyPdfError:
        return a_finding(Signature.UNREADABLE, pages=None, damaged=True)
    unsigned = text.rstrip().endswith("Signature of complainant")
    return a_finding(Signature.NONE_FOUND if unsigned else Signature.NEEDS_HUMAN, text=text)


def judged(raw: bytes, known: Known | None = None, findings: dict[str, Finding] | None = None) -> Disposition:
    """Judge a raw mail; PDFs without a finding are left to a person's eyes."""
    return triage(read_mail(raw), known or context(), findings or {}, received_at=RECEIVED)


def pdf_hashes(mail: IncomingMail) -> list[str]:
    """Give the SHA-256 of the PDFs of a mail."""
    return [one.sha256 for one in mail.exhibits() if one.kind is Kind.PDF]


def sha256(content: bytes) -> str:
    """Give the hex SHA-256."""
    return hashlib.sha256(content).hexdigest()

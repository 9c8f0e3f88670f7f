"""Papers for practice: complaints as people send them, made on this machine, of invented people.

Three kinds that the judge must tell apart: digitally signed, a scan with a pen's stroke, and unsigned.
"""

import io
import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pypdfium2
import typst
from asn1crypto import keys as asn1_keys
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from PIL import Image, ImageDraw
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers
from pyhanko_certvalidator.registry import SimpleCertificateStore

_SCAN_SCALE = 1.4
_LINE_AT = (0.14, 0.565)

_PAPER = """
#let paper = json(bytes(sys.inputs.paper))
#set page(paper: "us-letter", margin: 1in)
#set text(size: 11pt)
#set document(title: "Complaint")
#text(16pt, weight: "bold")[Complaint to the Board of Ethics]
#v(1em)
To the Board of Ethics, #paper.city.

I complain of the following under the city's code of ethics.

Officer or employee complained of: #paper.respondent, #paper.office.

#paper.allegation

Knowingly filing a false complaint is an offence under the ordinance. I have read this line.

#place(top + left, dx: 0in, dy: 5.2in)[
  #if paper.typed != "" [/s/ #paper.typed]
  #v(0.2em)
  #line(length: 3in)
  Signature of the complainant
  #v(0.6em)
  #if paper.printed [Name in print: #paper.complainant]
]
"""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What an invented complaint says."""

    city: str
    complainant: str
    respondent: str
    office: str
    allegation: str


def unsigned(complaint: Complaint) -> bytes:
    """Make the complaint as PDF with an empty signature line."""
    return _typeset(complaint)


def typed(complaint: Complaint) -> bytes:
    """Make the complaint with a typed signature."""
    return _typeset(complaint, typed=complaint.complainant)


def digitally_signed(complaint: Complaint, at: datetime) -> bytes:
    """Make the complaint with a signature by certificate, whose root nobody trusts yet.

    Args:
        complaint: what it says.
        at: the instant of signing, aware.
    """
    signer = _signer(complaint.complainant, at)
    paper = IncrementalPdfFileWriter(io.BytesIO(_typeset(complaint)))
    fields.append_signature_field(paper, fields.SigFieldSpec("Signature", on_page=0, box=(72, 300, 288, 350)))
    about = signers.PdfSignatureMetadata(field_name="Signature", md_algorithm="sha256")
    out = io.BytesIO()
    signers.sign_pdf(paper, about, signer=signer, output=out)
    return out.getvalue()


def scanned(complaint: Complaint) -> bytes:
    """Make the complaint as a picture of a page, signed with a pen's stroke; it carries no text."""
    page = pypdfium2.PdfDocument(_typeset(complaint))[0].render(scale=_SCAN_SCALE).to_pil().convert("L")
    _sign_by_pen(page)
    out = io.BytesIO()
    page.save(out, "PDF", resolution=72 * _SCAN_SCALE)
    return out.getvalue()


def _sign_by_pen(page: Image.Image) -> None:
    left, base = _LINE_AT[0] * page.width, _LINE_AT[1] * page.height
    stroke = [
        (left + 2.2 * step, base - 14 * math.sin(step / 3.1) * math.cos(step / 17.0) - step / 12)
        for step in range(80)
    ]
    ImageDraw.Draw(page).line(stroke, fill=30, width=3, joint="curve")


def _typeset(complaint: Complaint, *, typed: str = "") -> bytes:
    said = {
        "city": complaint.city,
        "complainant": complaint.complainant,
        "respondent": complaint.respondent,
        "office": complaint.office,
        "allegation": complaint.allegation,
        "typed": typed,
        "printed": True,
    }
    made = typst.compile(
        _PAPER.encode(),
        font_paths=_fonts(),
        ignore_system_fonts=True,
        format="pdf",
        sys_inputs={"paper": json.dumps(said)},
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
    )
    assert isinstance(made, bytes)
    return made


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True)


def _signer(name: str, at: datetime) -> signers.SimpleSigner:
    """Make a certificate that vouches for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - timedelta(days=30))
        .not_valid_after(at + timedelta(days=365))
        .add_extension(_for_signing(), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    own = asn1_x509.Certificate.load(certificate.public_bytes(serialization.Encoding.DER))
    vouching: Any = SimpleCertificateStore  # the library gives its maker no types
    return signers.SimpleSigner(
        signing_cert=own,
        signing_key=asn1_keys.PrivateKeyInfo.load(private),
        cert_registry=vouching.from_certs([own]),
    )


def _for_signing() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )

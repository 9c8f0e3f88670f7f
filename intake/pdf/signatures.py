"""Digital signatures, validated by pyHanko as pdf.md says (ISO 32000-1, 12.8; ETSI EN 319 142-1).

Runs in the limited child only. Nothing is fetched; nothing is repaired before it is validated.
"""

import io
from collections.abc import Iterator
from datetime import datetime

from asn1crypto import crl, x509
from pyhanko.pdf_utils.generic import DictionaryObject, PdfObject
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import DiffResult, ModificationLevel
from pyhanko.sign.fields import enumerate_sig_fields
from pyhanko.sign.general import SigningError
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import PdfSignatureStatus, SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.errors import PathError, ValidationError

from intake.pdf.seals import Seal, Signatures, Signed
from intake.pdf.trust import TrustRoots

_PERSON = "/Sig"
_USAGE = KeyUsageConstraints(key_usage={"non_repudiation", "digital_signature"}, match_all_key_usages=False)
FAULTS = (
    PdfError,
    SigningError,
    SignatureValidationError,
    PathError,
    ValidationError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)


class Trust:
    """The city's trust, parsed once in the child."""

    def __init__(self, roots: TrustRoots, moment: datetime) -> None:
        self.moment = moment
        self.anchors = [x509.Certificate.load(der) for der in roots.anchors]
        self.intermediates = [x509.Certificate.load(der) for der in roots.intermediates]
        self.lists = [crl.CertificateList.load(der) for der in roots.revocation_lists]

    def context(self) -> ValidationContext:
        """Make a fresh context for one signature."""
        return ValidationContext(
            trust_roots=self.anchors,
            other_certs=self.intermediates,
            crls=self.lists,
            allow_fetching=False,
            revocation_mode="soft-fail",
            moment=self.moment,
        )

    def lists_as_revoked(self, certificates: Iterator[x509.Certificate]) -> bool:
        """Say whether a list of the folder names one of the certificates, however old the list is.

        A list past its date counts as no list in the soft-fail mode of RFC 5280 validation; a
        revocation in it is still one that the city was told of.
        """
        revoked = {
            (listed["tbs_cert_list"]["issuer"].hashable, entry["user_certificate"].native)
            for listed in self.lists
            for entry in listed["tbs_cert_list"]["revoked_certificates"] or ()
            if entry["revocation_date"].native <= self.moment
        }
        return any(
            (certificate.issuer.hashable, certificate.serial_number) in revoked
            for certificate in certificates
        )


def read_signatures(content: bytes, trust: Trust) -> Signatures:
    """Validate every digital signature of a file.

    Args:
        content: the file's bytes as they came.
        trust: whom the city trusts, at the instant of receipt.
    """
    try:
        reader = PdfFileReader(io.BytesIO(content), strict=False)
        if reader.encrypted:
            reader.decrypt(b"")
        fields = list(enumerate_sig_fields(reader, filled_status=True))
    except FAULTS:
        return Signatures(fault="A digital signature in this file is damaged and cannot be read.")
    names = frozenset(name for name, _, _ in fields)
    timestamps = 0
    signed: list[Signed] = []
    for name, value, reference in fields:
        try:
            embedded = EmbeddedPdfSignature(reader, reference.get_object(), name)
        except FAULTS:
            signed.append(_damaged(value, name))
            continue
        if embedded.sig_object_type == _PERSON:
            signed.append(_judge(embedded, trust, names, content))
        else:
            timestamps += 1
            signed.extend(_broken_stamp(embedded, trust))
    return Signatures(tuple(sorted(signed, key=lambda one: one.signed_bytes or 0)), timestamps)


def _broken_stamp(embedded: EmbeddedPdfSignature, trust: Trust) -> Iterator[Signed]:
    """Give a doubt where a time stamp that stands alone no longer fits the bytes that it seals."""
    try:
        status = validate_pdf_timestamp(embedded, trust.context())
        holds = status.intact and status.valid
    except FAULTS:
        holds = False
    if not holds:
        sentence = "The file was changed after a time stamp sealed it; look at both versions."
        yield Signed(Seal.UNSURE, "", (sentence,), field=embedded.field_name)


def _damaged(value: PdfObject, name: str) -> Signed:
    """Judge a signature that cannot be opened: blanked out on purpose, or damaged."""
    try:
        holder: PdfObject = value.get_object()  # type: ignore[no-untyped-call]  # pyHanko leaves it untyped
        kept = holder.get("/Contents") if isinstance(holder, DictionaryObject) else None
        blanked = isinstance(kept, bytes | bytearray) and bool(kept) and not any(kept)
    except FAULTS:
        blanked = False
    if blanked:
        return Signed(Seal.BROKEN, "", ("The value of a digital signature was blanked out.",), field=name)
    return Signed(
        Seal.UNSURE, "", ("A digital signature in this file is damaged and cannot be read.",), field=name
    )


def _judge(embedded: EmbeddedPdfSignature, trust: Trust, fields: frozenset[str], content: bytes) -> Signed:
    name = embedded.field_name
    try:
        context = trust.context()
        status = validate_pdf_signature(embedded, context, context, key_usage_settings=_USAGE)
        start, length, second, rest = (int(part) for part in embedded.byte_range)
    except FAULTS:
        return Signed(
            Seal.UNSURE,
            "",
            ("A digital signature could not be checked; it is damaged or of a rare kind.",),
            field=name,
        )
    signer = _common_name(status.signing_cert)
    if start != 0 or not content.startswith(b"%PDF-") or second < length:
        return Signed(
            Seal.UNSURE,
            signer,
            ("A digital signature does not cover the file from its beginning.",),
            field=name,
        )
    seal, reasons = _weigh(status, embedded, trust, fields)
    return Signed(seal, signer, reasons, second + rest, name)


def _common_name(certificate: x509.Certificate) -> str:
    try:
        parts = certificate.subject.native
    except FAULTS:
        return ""
    name = parts.get("common_name") or parts.get("organization_name") or ""
    return str(name if isinstance(name, str) else " / ".join(str(one) for one in name))[:200]


def _weigh(
    status: PdfSignatureStatus, embedded: EmbeddedPdfSignature, trust: Trust, fields: frozenset[str]
) -> tuple[Seal, tuple[str, ...]]:
    if not status.intact:
        return Seal.BROKEN, ("The file was changed after signing: the signature does not fit its bytes.",)
    if not status.valid:
        return Seal.BROKEN, (
            "A digital signature does not fit its certificate, or uses a method that is no longer safe.",
        )
    change, changed = _changes(status, fields)
    if change is Seal.BROKEN:
        return change, changed
    trusted, reasons = _trusted(status, embedded, trust)
    return (max(change, trusted), (*changed, *reasons))


def _changes(status: PdfSignatureStatus, fields: frozenset[str]) -> tuple[Seal, tuple[str, ...]]:
    """Judge what came after the signed revision."""
    level = status.modification_level
    if status.coverage not in {SignatureCoverageLevel.ENTIRE_FILE, SignatureCoverageLevel.ENTIRE_REVISION}:
        return Seal.BROKEN, (
            "A digital signature covers only part of the file; the rest came after signing.",
        )
    if not status.docmdp_ok or level is None or level is ModificationLevel.OTHER:
        return Seal.BROKEN, ("The file was changed after signing, in a way that the signature forbids.",)
    if status.coverage is SignatureCoverageLevel.ENTIRE_FILE or level <= ModificationLevel.LTA_UPDATES:
        return Seal.VALID, ()
    difference = status.diff_result
    only_signatures = (
        level is ModificationLevel.FORM_FILLING
        and isinstance(difference, DiffResult)
        and bool(difference.changed_form_fields)
        and difference.changed_form_fields <= fields
    )
    if only_signatures:
        return Seal.VALID, ()
    return Seal.UNSURE, (
        "The file was changed after signing, in a way that the signature allows; look at both versions.",
    )


def _trusted(
    status: PdfSignatureStatus, embedded: EmbeddedPdfSignature, trust: Trust
) -> tuple[Seal, tuple[str, ...]]:
    if not trust.anchors:
        return Seal.UNTRUSTED, (
            "The signature fits the file. No trusted roots are set up here, so nobody vouches for the signer's name.",
        )
    certificates = [embedded.signer_cert, *embedded.other_embedded_certs, *trust.intermediates]
    path = status.validation_path
    in_path = list(path.iter_certs(include_root=False)) if path is not None else certificates
    if status.revoked or trust.lists_as_revoked(iter(in_path)):
        return Seal.UNTRUSTED, ("The signer's certificate, or one that vouches for it, was revoked.",)
    if not status.trusted:
        return Seal.UNTRUSTED, (_why_untrusted(embedded, trust),)
    if not status.bottom_line:
        return Seal.UNTRUSTED, ("The signature fits the file, but its time stamp or its terms do not hold.",)
    return Seal.VALID, ()


def _why_untrusted(embedded: EmbeddedPdfSignature, trust: Trust) -> str:
    certificate = embedded.signer_cert
    if not certificate.not_valid_before <= trust.moment <= certificate.not_valid_after:
        return "The signature fits the file, but the signer's certificate was not valid when the file was received."
    if certificate.subject == certificate.issuer:
        return "The signature fits the file, but the signer vouches for himself (a self-signed certificate)."
    return "The signature fits the file, but nobody whom the city trusts vouches for the signer's name."

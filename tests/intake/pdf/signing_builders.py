"""Certificates and signatures made at test time, so that no answer hangs on the one authority of the cases."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from asn1crypto import keys, x509
from cryptography import x509 as certificates
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers
from pyhanko.sign.timestamps import DummyTimeStamper
from pyhanko_certvalidator.registry import SimpleCertificateStore

from intake.pdf.trust import TrustRoots
from tests.intake.pdf.conftest import RECEIVED

_YEAR = timedelta(days=365)
ON_THE_PAGE = (72, 400, 300, 450)


@dataclass(frozen=True)
class Identity:
    """A certificate with its key."""

    certificate: certificates.Certificate
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.DER)

    def signer(self, *others: "Identity") -> signers.SimpleSigner:
        key = self.key.private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return signers.SimpleSigner(
            signing_cert=x509.Certificate.load(self.der),
            signing_key=keys.PrivateKeyInfo.load(key),
            cert_registry=SimpleCertificateStore.from_certs(
                [x509.Certificate.load(one.der) for one in others]
            ),
        )


def an_identity(
    name: str,
    issuer: Identity | None = None,
    *,
    authority: bool = False,
    stamps: bool = False,
    since: datetime = RECEIVED - _YEAR,
    until: datetime = RECEIVED + _YEAR,
) -> Identity:
    """A certificate for a name; self-signed where nobody issues it."""
    # the stamping service of pyHanko's tests signs with RSA only
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey = (
        rsa.generate_private_key(65537, 2048) if stamps else ec.generate_private_key(ec.SECP256R1())
    )
    subject = certificates.Name([certificates.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        certificates.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(certificates.random_serial_number())
        .not_valid_before(since)
        .not_valid_after(until)
        .add_extension(certificates.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(_usage(authority=authority), critical=True)
    )
    if stamps:
        purpose = certificates.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        made = made.add_extension(purpose, critical=True)
    return Identity(made.sign(issuer.key if issuer else key, hashes.SHA256()), key)


def _usage(*, authority: bool) -> certificates.KeyUsage:
    return certificates.KeyUsage(
        digital_signature=not authority,
        content_commitment=not authority,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=authority,
        crl_sign=authority,
        encipher_only=False,
        decipher_only=False,
    )


def a_revocation_list(issuer: Identity, *revoked: Identity) -> bytes:
    """A list, in DER, by which an authority revokes certificates."""
    made = (
        certificates.CertificateRevocationListBuilder()
        .issuer_name(issuer.certificate.subject)
        .last_update(RECEIVED - timedelta(days=2))
        .next_update(RECEIVED + timedelta(days=30))
    )
    for one in revoked:
        entry = (
            certificates.RevokedCertificateBuilder()
            .serial_number(one.certificate.serial_number)
            .revocation_date(RECEIVED - timedelta(days=3))
            .build()
        )
        made = made.add_revoked_certificate(entry)
    return made.sign(issuer.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


@dataclass(frozen=True)
class Office:
    """An authority that the city trusts, and those to whom it gave certificates."""

    root: Identity
    jane: Identity
    john: Identity
    expired: Identity
    stamps: Identity

    def trust(self, *revocation_lists: bytes) -> TrustRoots:
        return TrustRoots((self.root.der,), (), revocation_lists)

    @property
    def stamper(self) -> DummyTimeStamper:
        signer = self.stamps.signer()
        return DummyTimeStamper(
            tsa_cert=signer.signing_cert,
            tsa_key=signer.signing_key,
            certs_to_embed=SimpleCertificateStore.from_certs([x509.Certificate.load(self.root.der)]),
            fixed_dt=RECEIVED - timedelta(hours=1),
        )


def an_office() -> Office:
    """A trusted authority with two people, one of them twice, and a time stamping service."""
    root = an_identity("City Trust", authority=True, since=RECEIVED - 4 * _YEAR, until=RECEIVED + 4 * _YEAR)
    return Office(
        root,
        an_identity("Jane Q. Public", root),
        an_identity("John Roe", root),
        an_identity("Jane Q. Public", root, since=RECEIVED - 3 * _YEAR, until=RECEIVED - timedelta(days=1)),
        an_identity("City Time", root, stamps=True),
    )


def signed(
    content: bytes,
    signer: signers.SimpleSigner,
    *,
    name: str = "Signature1",
    stamper: DummyTimeStamper | None = None,
    seen: bool = True,
    **metadata: object,
) -> bytes:
    """Sign a PDF in a further revision."""
    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    spec = fields.SigFieldSpec(name, box=ON_THE_PAGE if seen else None)
    meta = signers.PdfSignatureMetadata(field_name=name, md_algorithm="sha256", **metadata)
    out = signers.PdfSigner(meta, signer=signer, timestamper=stamper, new_field_spec=spec).sign_pdf(writer)
    return bytes(out.getbuffer())


def signed_in_its_field(content: bytes, signer: signers.SimpleSigner, name: str) -> bytes:
    """Sign a PDF in a field that it has already."""
    meta = signers.PdfSignatureMetadata(field_name=name, md_algorithm="sha256")
    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    return bytes(signers.PdfSigner(meta, signer=signer).sign_pdf(writer).getbuffer())


def with_empty_field(content: bytes, name: str = "Signature1") -> bytes:
    """Add a signature field that nobody has signed."""
    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    fields.append_signature_field(writer, fields.SigFieldSpec(name, box=ON_THE_PAGE))
    return _written(writer)


def stamped(content: bytes, stamper: DummyTimeStamper) -> bytes:
    """Seal a PDF with a time stamp that stands alone."""
    out = signers.PdfTimeStamper(stamper).timestamp_pdf(
        IncrementalPdfFileWriter(io.BytesIO(content)), "sha256"
    )
    return bytes(out.getbuffer())


def revised(content: bytes, *changes: Callable[[IncrementalPdfFileWriter], None]) -> bytes:
    """Change a PDF in a further revision."""
    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    for change in changes:
        change(writer)
    return _written(writer)


def _written(writer: IncrementalPdfFileWriter) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def all_of(content: bytes, layers: Sequence[Callable[[bytes], bytes]]) -> bytes:
    """Lay changes over a PDF one after another."""
    for layer in layers:
        content = layer(content)
    return content

"""A throw-away certificate authority, and server certificates good and bad."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.contract.dovecot import Certificate

# OpenSSL judges by the machine's own clock, so the dates stand years to either side of it.
LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)
FAR_AHEAD = datetime(2090, 1, 1, tzinfo=UTC)


@dataclass
class Authority:
    """A certificate authority in a folder of its own."""

    folder: Path

    def __post_init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named("Throw-away authority")
        root = (
            _begun(self._name, self._name, self._key.public_key(), until=FAR_AHEAD)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self.root.write_bytes(root.public_bytes(serialization.Encoding.PEM))

    @property
    def root(self) -> Path:
        """The authority's own certificate, for those who trust it."""
        return self.folder / "root.pem"

    def certify(self, host: str, *, until: datetime = FAR_AHEAD) -> Certificate:
        """Make a key and a certificate for a host name."""
        key = ec.generate_private_key(ec.SECP256R1())
        signed = (
            _begun(_named(host), self._name, key.public_key(), until=until)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        made = Certificate(self.folder / f"{host}.pem", self.folder / f"{host}.key")
        made.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        made.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return made


def _named(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, *, until: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(LONG_AGO - timedelta(days=1))
        .not_valid_after(until)
    )

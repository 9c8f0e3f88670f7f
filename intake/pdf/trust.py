"""The city's folder of trusted roots and revocation lists.

None is bundled: the lists made for web sites say nothing about who may sign a complaint (pdf.md).
"""

from dataclasses import dataclass
from pathlib import Path

_PATTERNS = ("*.pem", "*.crt", "*.cer", "*.der", "*.crl")
_CERTIFICATE = "CERTIFICATE"
_REVOCATION_LIST = "X509 CRL"


class TrustFolderUnreadable(Exception):
    """A file of the trust folder is neither a certificate nor a revocation list."""


@dataclass(frozen=True, slots=True)
class TrustRoots:
    """Whom the city trusts to have checked a signer, DER-encoded (RFC 5280).

    Attributes:
        anchors: certificates issued by themselves; a chain must end at one.
        intermediates: other certificates of the folder; they complete chains and are not trusted alone.
        revocation_lists: lists by any issuer; those of an issuer that no chain meets have no effect.
    """

    anchors: tuple[bytes, ...] = ()
    intermediates: tuple[bytes, ...] = ()
    revocation_lists: tuple[bytes, ...] = ()


NO_ROOTS = TrustRoots()


def read_trust_roots(folder: Path) -> TrustRoots:
    """Read every certificate and revocation list of a folder.

    A certificate that issued itself is an anchor. Where the folder holds files whose names begin with
    ``root``, only those are: so a folder may keep other authorities beside the trusted ones, for
    instance those of old cases, without trusting them. A list by an issuer that no chain meets has no effect.

    Args:
        folder: PEM or DER files named ``*.pem``, ``*.crt``, ``*.cer``, ``*.der`` or ``*.crl``;
            a PEM file may hold several blocks, and keys in it are passed over.

    Raises:
        TrustFolderUnreadable: the folder is missing, or a file in it cannot be read as either kind.
    """
    if not folder.is_dir():
        raise TrustFolderUnreadable(
            f"The folder of trusted roots {folder} does not exist. Make it, or correct DOCKET_TRUST_ROOTS."
        )
    paths = sorted({path for pattern in _PATTERNS for path in folder.glob(pattern)})
    named = any(path.suffix != ".crl" and _is_named_root(path) for path in paths)
    anchors: list[bytes] = []
    intermediates: list[bytes] = []
    lists: list[bytes] = []
    for path in paths:
        for kind, der in _blocks(path):
            if kind == _REVOCATION_LIST:
                lists.append(der)
            elif _issued_by_itself(der) and (not named or _is_named_root(path)):
                anchors.append(der)
            else:
                intermediates.append(der)
    return TrustRoots(tuple(anchors), tuple(intermediates), tuple(lists))


def _is_named_root(path: Path) -> bool:
    return path.name.casefold().startswith("root")


def _issued_by_itself(der: bytes) -> bool:
    from asn1crypto import x509  # heavy, and only read where a city names roots

    certificate = x509.Certificate.load(der)
    return bool(certificate.subject == certificate.issuer)


def _blocks(path: Path) -> list[tuple[str, bytes]]:
    """Give kind and DER of each certificate or revocation list in one file."""
    from asn1crypto import pem

    content = path.read_bytes()
    try:
        if pem.detect(content):
            blocks = [(kind, der) for kind, _, der in pem.unarmor(content, multiple=True)]
        else:
            blocks = [(_kind_of(content), content)]
        return [
            (kind, _checked(kind, der)) for kind, der in blocks if kind in {_CERTIFICATE, _REVOCATION_LIST}
        ]
    except (ValueError, TypeError) as error:
        raise TrustFolderUnreadable(
            f"{path} is neither a certificate nor a revocation list. Take it out of the folder of trusted roots."
        ) from error


def _kind_of(der: bytes) -> str:
    try:
        _checked(_CERTIFICATE, der)
    except (ValueError, TypeError):
        return _REVOCATION_LIST
    return _CERTIFICATE


def _checked(kind: str, der: bytes) -> bytes:
    """Parse one DER block down to its fields, so that a broken one is named at start and not later.

    Raises:
        ValueError: the block is not what its kind says.
    """
    from asn1crypto import crl, x509

    if kind == _CERTIFICATE:
        certificate = x509.Certificate.load(der, strict=True)
        _ = (certificate.native, certificate.public_key.native)
    else:
        _ = crl.CertificateList.load(der, strict=True).native
    return der

"""A time-stamping authority on loopback: real requests, real tokens, a key of its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

from asn1crypto import keys, tsp
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps import DummyTimeStamper

STAMPED_AT = datetime(2026, 2, 2, 15, 0, tzinfo=UTC)


@dataclass
class Authority:
    """What answers, and how: ``mode`` is granted, refused, other (stamps something else), elsewhere (redirects) or rubbish."""

    root: bytes
    stamper: DummyTimeStamper
    mode: str = "granted"
    asked: list[bytes] = field(default_factory=list)
    followed: list[str] = field(default_factory=list)
    url: str = ""

    def answer(self, body: bytes) -> bytes:
        self.asked.append(body)
        request = tsp.TimeStampReq.load(body)
        if self.mode == "rubbish":
            return b"<html>no authority</html>"
        if self.mode == "refused":
            return tsp.TimeStampResp({"status": {"status": "rejection"}}).dump()
        if self.mode == "other":
            request["message_imprint"]["hashed_message"] = b"\0" * 32
        return self.stamper.request_tsa_response(request).dump()


def _certificate() -> tuple[bytes, bytes]:
    """A self-issued certificate for time stamps, and its key, both DER."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Loopback time stamps")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(STAMPED_AT - timedelta(days=400))
        .not_valid_after(STAMPED_AT + timedelta(days=4000))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=True,
                content_commitment=True,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=True,
                crl_sign=False,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return made.public_bytes(serialization.Encoding.DER), private


@contextmanager
def an_authority() -> Iterator[Authority]:
    """Run one while the block lasts."""
    certificate, key = _certificate()
    stamper = DummyTimeStamper(
        asn1_x509.Certificate.load(certificate), keys.PrivateKeyInfo.load(key), fixed_dt=STAMPED_AT
    )
    authority = Authority(certificate, stamper)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            authority.followed.append(self.path)
            self.send_error(404)

        def do_POST(self) -> None:
            if authority.mode == "elsewhere":
                self.send_response(302)
                self.send_header("Location", f"{authority.url}/elsewhere")
                self.end_headers()
                return
            content = authority.answer(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Type", "application/timestamp-reply")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_words: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    authority.url = f"http://127.0.0.1:{server.server_port}/tsa"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield authority
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

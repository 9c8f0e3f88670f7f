"""A time-stamping authority on loopback: real requests, real tokens, a key of its own."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from asn1crypto import keys, tsp
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps import DummyTimeStamper

from tests.servers import find_openssl

STAMPED_AT = datetime(2026, 2, 2, 15, 0, tzinfo=UTC)


@dataclass
class Authority:
    """What answers, and how: ``mode`` is granted, refused, other (stamps something else), elsewhere (redirects) or rubbish."""

    root: bytes
    stamper: DummyTimeStamper | None
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
        assert self.stamper is not None
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


_OPENSSL = """
[tsa]
default_tsa = here
[here]
serial = {folder}/serial
crypto_device = builtin
signer_cert = {folder}/signer.pem
signer_key = {folder}/signer.key
certs = {folder}/root.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
[signer]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature,nonRepudiation
extendedKeyUsage = critical,timeStamping
"""


@dataclass
class OpensslAuthority(Authority):
    """An authority that is OpenSSL's: another program than the one that checks its stamps."""

    folder: Path = Path()

    def set_up(self) -> "OpensslAuthority":
        """Make its root and its signer."""
        (self.folder / "tsa.cnf").write_text(_OPENSSL.format(folder=self.folder))
        root, signer = (
            ("-keyout", "root.key", "-out", "root.pem"),
            ("-keyout", "signer.key", "-out", "signer.csr"),
        )
        made = ("req", "-newkey", "rsa:2048", "-nodes", "-batch")
        self.openssl(*made, "-x509", "-days", "9", "-subj", "/CN=Loopback root", *root)
        self.openssl(*made, "-subj", "/CN=Loopback stamps", *signer)
        signed = (
            "-CA",
            "root.pem",
            "-CAkey",
            "root.key",
            "-CAcreateserial",
            "-days",
            "8",
            "-out",
            "signer.pem",
        )
        self.openssl(
            "x509", "-req", "-in", "signer.csr", *signed, "-extfile", "tsa.cnf", "-extensions", "signer"
        )
        self.root = self.openssl("x509", "-in", "root.pem", "-outform", "DER")
        return self

    def openssl(self, *words: str) -> bytes:
        """Run OpenSSL in its folder; give what it says."""
        program = find_openssl()
        assert program is not None
        run = subprocess.run([program, *words], cwd=self.folder, capture_output=True, check=False)
        assert run.returncode == 0, run.stderr.decode()
        return run.stdout

    def answer(self, body: bytes) -> bytes:
        """Stamp what is asked."""
        self.asked.append(body)
        (self.folder / "asked.tsq").write_bytes(body)
        self.openssl("ts", "-reply", "-queryfile", "asked.tsq", "-config", "tsa.cnf", "-out", "answer.tsr")
        return (self.folder / "answer.tsr").read_bytes()

    def proves(self, token: bytes, digest: bytes) -> str:
        """Have OpenSSL check a token over a hash against the root; give what it says."""
        (self.folder / "token.der").write_bytes(token)
        checked = ("-in", "token.der", "-token_in", "-digest", digest.hex(), "-CAfile", "root.pem")
        return self.openssl("ts", "-verify", *checked).decode()


@contextmanager
def an_authority() -> Iterator[Authority]:
    """Run one while the block lasts."""
    certificate, key = _certificate()
    stamper = DummyTimeStamper(
        asn1_x509.Certificate.load(certificate), keys.PrivateKeyInfo.load(key), fixed_dt=STAMPED_AT
    )
    with _listening(Authority(certificate, stamper)) as authority:
        yield authority


@contextmanager
def openssls_authority(folder: Path) -> Iterator[OpensslAuthority]:
    """Run OpenSSL's while the block lasts."""
    made = OpensslAuthority(b"", None, folder=folder).set_up()
    with _listening(made):
        yield made


@contextmanager
def _listening(authority: Authority) -> Iterator[Authority]:
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

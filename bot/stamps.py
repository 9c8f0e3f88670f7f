"""The time-stamping authority over HTTP, and its tokens checked (RFC 3161)."""

import asyncio
import logging
import secrets
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from asn1crypto import cms, tsp, x509
from typing_extensions import override

from bot.network_words import network_fault
from store.ports import StampRefused

_TIMEOUT_S = 20.0
_LARGEST = 1 << 20
_GRANTED = frozenset({"granted", "granted_with_mods"})
logging.getLogger("pyhanko.sign").setLevel(
    logging.CRITICAL
)  # what it warns of is in what `check_token` gives


@dataclass(frozen=True, slots=True)
class HttpAuthority:
    """An authority that answers at an address (RFC 3161, section 3.4).

    Attributes:
        url: `https://...`, or `http://...`: what is sent is a hash alone, and the answer is signed.
    """

    url: str

    def stamp(self, digest: bytes) -> bytes:
        """Have a SHA-256 stamped.

        Returns:
            The token, DER.

        Raises:
            StampRefused: no answer, a refusal, or a token for something else.
        """
        nonce = secrets.randbits(63)
        request = tsp.TimeStampReq(
            {
                "version": 1,
                "message_imprint": {"hash_algorithm": {"algorithm": "sha256"}, "hashed_message": digest},
                "nonce": nonce,
                "cert_req": True,
            }
        )
        return _token(self._post(request.dump()), digest, nonce)

    def _post(self, body: bytes) -> bytes:
        asked = urllib.request.Request(  # noqa: S310  the address was checked with the settings
            self.url, body, {"Content-Type": "application/timestamp-query"}
        )
        try:
            with _ASKING.open(asked, timeout=_TIMEOUT_S) as answer:
                content: bytes = answer.read(_LARGEST)
        except (urllib.error.URLError, OSError) as error:
            said, _mend = network_fault(error, "the authority")
            raise StampRefused(f"the authority does not answer: {said}.") from error
        return content


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The address is the one of the settings; whoever answers with another is no authority."""

    @override
    def redirect_request(self, *_asked: object) -> None:
        """Follow nowhere."""


_ASKING = urllib.request.build_opener(_NoRedirect)


def _token(answer: bytes, digest: bytes, nonce: int) -> bytes:
    try:
        response = tsp.TimeStampResp.load(answer, strict=True)
        status = response["status"]["status"].native
        if status not in _GRANTED:
            raise StampRefused(f"the authority refused ({status}).")
        token = response["time_stamp_token"]
        said = _info(token)
        fits = said["message_imprint"]["hashed_message"].native == digest and said["nonce"].native == nonce
        content: bytes = token.dump()
    except (ValueError, TypeError, KeyError) as error:
        raise StampRefused("the authority's answer cannot be read.") from error
    if not fits:
        raise StampRefused("the authority stamped something else.")
    return content


def _info(token: cms.ContentInfo) -> tsp.TSTInfo:
    found = token["content"]["encap_content_info"]["content"].parsed
    if not isinstance(found, tsp.TSTInfo):
        raise TypeError
    return found


@dataclass(frozen=True, slots=True)
class Checked:
    """What a token shows: the instant it states (UTC), that it is intact, and that its signer is trusted."""

    at: datetime
    intact: bool
    trusted: bool


def check_token(
    token: bytes, digest: bytes, anchors: Sequence[bytes] = (), others: Sequence[bytes] = ()
) -> Checked | None:
    """Check a token against what it must have stamped.

    Args:
        token: DER.
        digest: the SHA-256 that it must carry.
        anchors: trusted certificates, DER; without any, no signer is trusted.
        others: certificates that complete chains, DER.

    Returns:
        What it shows; None where it cannot be read or checked.
    """
    # a third of what `docket run` would load, and it only asks for stamps
    from pyhanko.sign.validation.errors import SignatureValidationError
    from pyhanko.sign.validation.generic_cms import validate_tst_signed_data
    from pyhanko_certvalidator import ValidationContext

    try:
        info = cms.ContentInfo.load(token, strict=True)
        at: datetime = _info(info)["gen_time"].native
        context = ValidationContext(
            trust_roots=[x509.Certificate.load(one) for one in anchors],
            other_certs=[x509.Certificate.load(one) for one in others],
            moment=at,
            allow_fetching=False,
        )
        shown = asyncio.run(validate_tst_signed_data(info["content"], context, lambda _algorithm: digest))
    except (SignatureValidationError, ValueError, TypeError, KeyError):
        return None
    return Checked(at, bool(shown["intact"] and shown["valid"]), shown["trust_problem_indic"] is None)

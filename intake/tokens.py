"""Access tokens for mailbox and relay, fetched from the identity provider and renewed before they age (I3).

A token is asked for by the refresh grant, or for the application itself where no refresh token is set.
A provider's refusal is a refused login; one that cannot be reached is tried again later.
Source: RFC 6749, sections 4.4, 5 and 6; RFC 8414 names the address "token endpoint".
"""

import http.client
import json
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from intake.mail_login import TokenRefused, TokenUnreachable, trust

_EARLY_S = 60.0
"""A token is renewed this long before the provider says it ends: logging in takes a while."""

_USUAL_LIFE_S = 300.0
"""How long a token is kept whose end is not said."""

_LONGEST_ANSWER = 65_536
_DONE = 200
_NO = frozenset({400, 401, 403})
_REFUSALS = frozenset(
    {"invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope", "unsupported_grant_type"}
)


def _forget(_token: str) -> None:
    """Keep a changed refresh token in memory only."""


@dataclass(frozen=True, slots=True)
class TokenEndpoint:
    """Where tokens come from, and what is shown there.

    Attributes:
        url: https; plain http only to this machine, which the settings see to.
        client_id: the application's id.
        client_secret: its secret; empty where the provider gives none.
        refresh_token: what the account's consent left; empty: the application asks for itself.
        scope: asked for where it is not empty.
        private_ca: certificates to trust beside the system's own.
        timeout_s: until the provider answers.
    """

    url: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    refresh_token: str = field(default="", repr=False)
    scope: str = ""
    private_ca: Path | None = None
    timeout_s: float = 30.0


@dataclass
class Tokens:
    """The access token in force, for any thread.

    Attributes:
        endpoint: where it comes from.
        kept: gives a refresh token that the provider put in place of the one set; empty for none.
        remember: keeps such a one, because the one set may end.
    """

    endpoint: TokenEndpoint
    kept: Callable[[], str] = str
    remember: Callable[[str], None] = _forget
    _token: str = field(default="", repr=False)
    _ends_at: float = 0.0
    _newest: str = field(default="", repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def current(self) -> str:
        """Give the token in force, a new one where it has ended or soon will.

        Raises:
            TokenRefused: the provider knows us and says no.
            TokenUnreachable: it gave no answer that can be read.
        """
        with self._lock:
            if not self._token or time.monotonic() >= self._ends_at:
                self._renew()
            return self._token

    def renewed(self) -> str:
        """Give a new token whatever the old one's age: the mail server took it no more.

        Raises:
            TokenRefused, TokenUnreachable: as above.
        """
        with self._lock:
            self._token = ""
            self._renew()
            return self._token

    def _renew(self) -> None:
        answer = _ask(self.endpoint, self._form())
        token = answer.get("access_token")
        if not isinstance(token, str) or not token:
            raise TokenUnreachable("gave an answer without a token")
        self._token = token
        self._ends_at = time.monotonic() + _life_s(answer.get("expires_in"))
        newer = answer.get("refresh_token")
        if isinstance(newer, str) and newer and newer != self._refresh_token():
            self._newest = newer
            self.remember(newer)

    def _refresh_token(self) -> str:
        return (
            self._newest
            or (self.kept() if self.endpoint.refresh_token else "")
            or self.endpoint.refresh_token
        )

    def _form(self) -> dict[str, str]:
        refresh = self._refresh_token()
        grant = (
            {"grant_type": "refresh_token", "refresh_token": refresh}
            if refresh
            else {"grant_type": "client_credentials"}
        )
        more = {"client_secret": self.endpoint.client_secret, "scope": self.endpoint.scope}
        return {**grant, "client_id": self.endpoint.client_id} | {
            name: value for name, value in more.items() if value
        }


def redeem(endpoint: TokenEndpoint, code: str, *, redirect: str, verifier: str) -> str:
    """Give the refresh token for the code with which an account consented (RFC 6749, 4.1.3; RFC 7636, 4.5).

    Raises:
        TokenRefused: the provider knows us and says no.
        TokenUnreachable: it gave no answer that can be read, or no refresh token in it.
    """
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect}
    shown = {"client_id": endpoint.client_id, "client_secret": endpoint.client_secret}
    answer = _ask(
        endpoint, {**form, "code_verifier": verifier} | {one: word for one, word in shown.items() if word}
    )
    token = answer.get("refresh_token")
    if not isinstance(token, str) or not token:
        raise TokenUnreachable("gave an answer without a refresh token")
    return token


def _life_s(said: object) -> float:
    """Give for how long a token is used: RFC 6749 wants seconds, some providers write them as text."""
    text = str(said)
    told = float(text) if text.isdecimal() and len(text) < 10 else _USUAL_LIFE_S  # noqa: PLR2004  years are enough
    return max(0.0, told - _EARLY_S)


def _ask(endpoint: TokenEndpoint, form: dict[str, str]) -> dict[str, object]:
    try:
        status, body = _posted(endpoint, urlencode(form))
    except ssl.SSLCertVerificationError as error:
        raise TokenUnreachable(f"has a certificate that is not trusted ({error.verify_message})") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise TokenUnreachable(f"cannot be reached ({type(error).__name__})") from None
    answer = _read(body)
    if status == _DONE:
        return answer
    if status in _NO and answer.get("error") in _REFUSALS:
        raise TokenRefused(str(answer["error"]))
    raise TokenUnreachable(f"answered with status {status}")


def _posted(endpoint: TokenEndpoint, body: str) -> tuple[int, bytes]:
    """Post a form; a redirect is not followed, or the secrets would go to whoever is named."""
    parts = urlsplit(endpoint.url)
    host = parts.hostname or ""
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        context = trust(endpoint.private_ca)
        connection = http.client.HTTPSConnection(
            host, parts.port, timeout=endpoint.timeout_s, context=context
        )
    else:
        connection = http.client.HTTPConnection(host, parts.port, timeout=endpoint.timeout_s)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    wanted = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    try:
        connection.request("POST", path, body=body, headers=wanted)
        answer = connection.getresponse()
        return answer.status, answer.read(_LONGEST_ANSWER)
    finally:
        connection.close()


def _read(body: bytes) -> dict[str, object]:
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}

"""What the mailbox and the relay are shown before they let us in: secrets, tokens, and whom we trust."""

import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Password:
    """A password; its text never appears in a repr."""

    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AccessToken:
    """An OAuth 2.0 access token, asked for anew at each login because it ages.

    Attributes:
        current: gives the token in force; may raise OSError when its source cannot be reached.
        renewed: gives a fresh one after the server refused that; None where there is no source of another.
    """

    current: Callable[[], str] = field(repr=False)
    renewed: Callable[[], str] | None = field(default=None, repr=False)


class TokenUnreachable(ConnectionError):
    """The identity provider gave no token and no refusal; it is tried again. The text holds no secret."""


class TokenRefused(PermissionError):
    """The identity provider knows us and gives no token; its error's name is the text (RFC 6749, 5.2)."""


Login = Password | AccessToken


def xoauth2(account: str, token: str) -> str:
    r"""Write the one client message of the XOAUTH2 mechanism.

    Raises:
        ValueError: account or token carry a control character, which would end their field early.

    Source: the mechanism as Google and Microsoft publish it: ``user=``, ``auth=Bearer``, ``\1`` between.
    """
    if re.search(r"[\x00-\x1f\x7f]", account + token):
        raise ValueError("The account or the access token contains a control character.")
    return f"user={account}\1auth=Bearer {token}\1\1"


def trust(private_ca: Path | None = None) -> ssl.SSLContext:
    """Build the only kind of TLS there is here: certificate and host name are verified.

    Args:
        private_ca: a PEM file of certificates to trust beside the system's own.

    Raises:
        OSError: the file cannot be read or holds no certificate.
    """
    context = ssl.create_default_context()
    if private_ca is not None:
        context.load_verify_locations(cafile=str(private_ca))
    return context

"""Where the mailbox and the mail relay are, as the two settings say it; pure.

``DOCKET_IMAP_URL``: ``imaps://clerk@mail.city.example:993/INBOX,Junk``.
``DOCKET_SMTP_URL``: ``smtps://clerk@mail.city.example:465`` or ``smtp+starttls://clerk@mail.city.example:587``.
``imap://`` and ``smtp://`` are plain text and therefore allowed to this machine alone. Passwords are
never part of an address: they would end in process lists and error texts.
"""

import ipaddress
import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import SplitResult, unquote, urlsplit

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class BadMailUrl(ValueError):
    """A mail address setting cannot be used; the text says why and never repeats what was written."""


class Security(StrEnum):
    """How the connection is kept from being read."""

    TLS = "tls"
    STARTTLS = "starttls"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class MailServer:
    """A server to speak to, and the account there.

    Attributes:
        host: name or address, without brackets.
        port: TCP port.
        account: the name to log in with; empty where none is needed (relay by network address).
        security: how the connection is protected.
        folders: the IMAP folders to read, in order; empty for SMTP.
    """

    host: str
    port: int
    account: str
    security: Security
    folders: tuple[str, ...] = ()


_IMAP = {"imaps": (Security.TLS, 993), "imap": (Security.PLAIN, 143)}
_SMTP = {
    "smtps": (Security.TLS, 465),
    "smtp+starttls": (Security.STARTTLS, 587),
    "smtp": (Security.PLAIN, 25),
}


def imap_server(url: str) -> MailServer:
    """Read the mailbox setting.

    Args:
        url: ``imaps://ACCOUNT@HOST[:PORT]/FOLDER[,FOLDER...]``; without a folder it is INBOX. An ``@``
            in the account may stand as it is; ``,`` and ``/`` in a name are percent-encoded where
            they are not the folder's own separator.

    Raises:
        BadMailUrl: it cannot be used.

    Source: RFC 5092 for the shape; the list of folders is ours.
    """
    parts = _split(url, "DOCKET_IMAP_URL", tuple(_IMAP))
    server = _server(parts, "DOCKET_IMAP_URL", _IMAP)
    if not server.account:
        raise BadMailUrl("DOCKET_IMAP_URL names no account. Write imaps://ACCOUNT@HOST/INBOX.")
    return MailServer(server.host, server.port, server.account, server.security, _folders(parts.path))


def smtp_server(url: str) -> MailServer:
    """Read the relay setting.

    Args:
        url: ``smtps://``, ``smtp+starttls://`` or, to this machine only, ``smtp://``, then
            ``[ACCOUNT@]HOST[:PORT]``.

    Raises:
        BadMailUrl: it cannot be used.
    """
    parts = _split(url, "DOCKET_SMTP_URL", tuple(_SMTP))
    if parts.path not in {"", "/"}:
        raise BadMailUrl("DOCKET_SMTP_URL has something after the host. Write smtps://ACCOUNT@HOST:PORT.")
    return _server(parts, "DOCKET_SMTP_URL", _SMTP)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine: ``localhost``, 127.0.0.0/8 or ::1."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _split(url: str, setting: str, schemes: tuple[str, ...]) -> SplitResult:
    if " " in url or _CONTROL.search(url):
        raise BadMailUrl(f"{setting} contains a space or control character.")
    try:
        parts = urlsplit(url)
    except ValueError:
        raise BadMailUrl(f"{setting} is not an address of a server.") from None
    if parts.scheme not in schemes:
        raise BadMailUrl(f"{setting} must begin with one of: {', '.join(f'{each}://' for each in schemes)}.")
    if parts.query or parts.fragment:
        raise BadMailUrl(f"{setting} has a ? or # part, which means nothing here. Write it as %3F or %23.")
    return parts


def _server(parts: SplitResult, setting: str, schemes: dict[str, tuple[Security, int]]) -> MailServer:
    security, default_port = schemes[parts.scheme]
    account, host, port = _authority(parts, setting)
    if security is Security.PLAIN and not is_loopback(host):
        safe = ", ".join(
            f"{scheme}://" for scheme, (kind, _) in schemes.items() if kind is not Security.PLAIN
        )
        raise BadMailUrl(
            f"{setting} would send mail and password unencrypted over the network. Use {safe}; "
            f"{parts.scheme}:// is for a server on this machine only."
        )
    return MailServer(host, default_port if port is None else port, account, security)


def _authority(parts: SplitResult, setting: str) -> tuple[str, str, int | None]:
    raw_account, _, _ = parts.netloc.rpartition("@")
    if ":" in raw_account:
        raise BadMailUrl(
            f"{setting} contains a password. Take it out: the password has a setting of its own."
        )
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadMailUrl(f"{setting} has a port that is not a number from 1 to 65535.") from None
    if not host or port == 0:
        raise BadMailUrl(f"{setting} names no host, or port 0.")
    account = _decoded(raw_account, setting)
    return account, host, port


def _folders(path: str) -> tuple[str, ...]:
    names = [_decoded(each, "DOCKET_IMAP_URL") for each in path.removeprefix("/").split(",")]
    wanted = [("INBOX" if name.upper() == "INBOX" else name) for name in names if name]
    return tuple(dict.fromkeys(wanted)) or ("INBOX",)


def _decoded(text: str, setting: str) -> str:
    try:
        decoded = unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise BadMailUrl(f"{setting} has a percent-encoded name that is not UTF-8.") from None
    if _CONTROL.search(decoded):
        raise BadMailUrl(f"{setting} contains a control character.")
    return decoded

"""Where the mailbox and the relay are, in the mailroom's words; the settings read the addresses themselves."""

from dataclasses import dataclass
from enum import StrEnum


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
        security: how the connection is protected; plain is for this machine only.
        folders: the IMAP folders to read, in order; empty for SMTP.
    """

    host: str
    port: int
    account: str
    security: Security
    folders: tuple[str, ...] = ()

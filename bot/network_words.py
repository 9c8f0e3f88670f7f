"""What the network says, in words for whoever set it up: what happened, and what to look at."""

import socket
import ssl

_EXPIRED, _NOT_YET, _SELF, _CHAIN = 10, 9, frozenset({18, 19}), frozenset({2, 20, 21})
_OTHER_NAME = frozenset({62, 64})

_KINDS: tuple[tuple[type[Exception], str, str], ...] = (
    (
        ssl.SSLError,
        "{whom} does not speak TLS at this port",
        "Check the port, and how the address begins: imaps:// is 993, imap+starttls:// 143, smtps:// 465, smtp+starttls:// 587.",
    ),
    (
        TimeoutError,
        "{whom} did not answer in time",
        "Check the port, and whether a firewall stands between.",
    ),
    (
        ConnectionRefusedError,
        "nobody answers at the port of {whom}",
        "Check the port, and whether the server runs.",
    ),
    (
        socket.gaierror,
        "the host name of {whom} cannot be found",
        "Check how it is written, and that this machine reaches a name server.",
    ),
)


def network_fault(error: Exception, whom: str) -> tuple[str, str]:
    """Word why a server was not reached.

    Args:
        error: what the library raised.
        whom: the server, as a person calls it, such as "the relay".

    Returns:
        (what was seen, what to do), without names of Python's or the system's errors.
    """
    reason = getattr(error, "reason", None)
    if isinstance(reason, Exception):  # what urllib wraps its own error around
        return network_fault(reason, whom)
    if isinstance(error, ssl.SSLCertVerificationError):
        return _certificate(error.verify_code, whom)
    for kind, said, mend in _KINDS:
        if isinstance(error, kind):
            return said.format(whom=whom), mend
    return f"the connection to {whom} broke", "Check the network, the host and the port; then try again."


def _certificate(code: int, whom: str) -> tuple[str, str]:
    if code == _EXPIRED:
        return f"the certificate of {whom} has ended", "Have the server's keeper renew it."
    if code == _NOT_YET:
        return (
            f"the certificate of {whom} is not valid yet",
            "Check this machine's clock; else ask the server's keeper.",
        )
    if code in _OTHER_NAME:
        return (
            f"the certificate of {whom} is for another host name",
            "Write the host as the certificate names it; where somebody sits in between, do not go on.",
        )
    if code in _SELF | _CHAIN:
        return (
            f"the certificate of {whom} is signed by nobody whom this machine trusts",
            "Where the city has an authority of its own, let this machine trust it (DOCKET_MAIL_CA for mail).",
        )
    return f"the certificate of {whom} is not trusted", "Ask the server's keeper; it is never used unchecked."

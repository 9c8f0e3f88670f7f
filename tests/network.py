"""The network is shut to all but this machine: a test that reaches out fails where it does.

An audit hook sees every connection and every name look-up of this Python, whichever library makes it,
and nothing can take it off again.
"""

import socket
import sys
from ipaddress import ip_address


class NetworkShut(Exception):
    """A test reached for another machine."""


_AT_HOME = {"localhost", "localhost.", "", "0.0.0.0", "::", socket.gethostname()}


def is_this_machine(host: object) -> bool:
    """Say whether a host as given to the socket module is this machine; None and empty mean it, too."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name is None or name in _AT_HOME:
        return True
    try:
        return ip_address(str(name).partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse_other_machines(event: str, args: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        if isinstance(address, tuple) and not is_this_machine(address[0]):
            raise NetworkShut("tests reach this machine only")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not is_this_machine(args[0]):
        raise NetworkShut("tests ask no name server")


def shut() -> None:
    """Shut the network for the rest of this Python's life. Unix sockets and loopback stay open."""
    sys.addaudithook(_refuse_other_machines)

"""A WSGI server in a thread of its own: waitress, begun and ended with the process that answers through it."""

import logging
import socket
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from typing_extensions import override
from waitress import create_server
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.wasyncore import close_all

from bot.errors import StartFault

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

LARGEST_BODY = 4 * 1024 * 1024
"""Slack's largest view has 250 KB; form encoding makes at most three times of it."""


class _OneLength(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Refuses a request that says in two ways where its body ends: a proxy may have believed the other one.

    Source: RFC 9112, section 6.1.
    """

    @override
    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers."""
        super().parse_header(header_plus)
        both = self.chunked and "CONTENT_LENGTH" in self.headers
        if both or "TRANSFER_ENCODING" in self.headers:  # left there by a request of HTTP/1.0
            raise ParsingError("The end of the body is said in two ways.")


class _Channel(HTTPChannel):  # type: ignore[misc]  # as above
    parser_class = _OneLength


@dataclass
class WebServer:
    """One address that answers.

    Attributes:
        answer: the WSGI application.
        host: the address to listen on.
        port: the port; 0 takes a free one, which stands here once started.
        threads: how many requests are answered at once.
    """

    answer: "WSGIApplication"
    host: str
    port: int
    threads: int = 4
    _server: Any = field(default=None, repr=False)
    _thread: threading.Thread | None = field(default=None, repr=False)

    def start(self) -> None:
        """Listen; returns when connections are taken.

        Raises:
            StartFault: the address cannot be used.
        """
        try:
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            listening = socket.create_server((self.host, self.port), family=family)
        except OSError as error:
            raise StartFault(
                f"Port {self.port} of {self.host} cannot be listened on ({error.strerror}). Nothing was started. "
                "See whether another program holds it, or set another port."
            ) from error
        self.port = listening.getsockname()[1]
        # a line for each request that waits some milliseconds for its turn calls for no action
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._server = create_server(
            self.answer,
            sockets=[listening],
            threads=self.threads,
            ident="",
            max_request_body_size=LARGEST_BODY,
            clear_untrusted_proxy_headers=True,
        )
        self._server.channel_class = _Channel
        self._thread = threading.Thread(target=self._server.run, name=f"web-{self.port}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening; what is being answered is answered first. Safe to call twice."""
        server, thread = self._server, self._thread
        if server is None or thread is None:
            return
        self._server = self._thread = None
        server.task_dispatcher.shutdown(cancel_pending=False, timeout=10)
        connections = server._map  # noqa: SLF001  waitress has no other way to end its loop from outside
        server.trigger.pull_trigger(lambda: close_all(connections, ignore_all=True))
        thread.join(timeout=15)

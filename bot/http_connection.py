"""The connection to Slack over HTTP: Slack sends each click to an address of ours, signed.

For several copies behind a proxy that ends TLS; Socket Mode needs none of it. bolt checks the signature and
that the request is no older than five minutes (Slack's page on verifying requests).
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
from slack_bolt import App
from slack_bolt.adapter.wsgi import SlackRequestHandler

from bot.connection import ConnectionState
from bot.web_server import WebServer

log = structlog.get_logger()
PATH = "/slack/events"
THREADS = 16


@dataclass
class HttpConnection:
    """Listens for what Slack sends; the same face as the Socket Mode connection.

    Attributes:
        app: the bolt app that answers; it holds the signing secret.
        host: the address to listen on.
        port: the port; 0 takes a free one.
        on_dead_token: told the error's name once, when the bot's token is void.
    """

    app: App
    host: str
    port: int
    on_dead_token: Callable[[str], None]
    _server: WebServer = field(init=False, repr=False)
    _listens: bool = False
    _dead: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self._server = WebServer(SlackRequestHandler(self.app, PATH), self.host, self.port, THREADS)

    @property
    def state(self) -> ConnectionState:
        """Where it stands: connected while it listens and the token holds."""
        if self._dead:
            return ConnectionState.DEAD
        return ConnectionState.CONNECTED if self._listens else ConnectionState.STOPPED

    def start(self) -> None:
        """Listen; returns when requests are taken.

        Raises:
            StartFault: the address cannot be used.
        """
        self._server.start()
        self.port, self._listens = self._server.port, True
        log.info("slack.listening", port=self.port)

    def stop(self) -> None:
        """Stop listening; what is being answered is answered first."""
        self._listens = False
        self._server.stop()

    def dead(self, error: str) -> None:
        """Note that Slack calls the token void; it is told once. Requests are answered all the same.

        Args:
            error: Slack's name for it.
        """
        with self._lock:
            if self._dead:
                return
            self._dead = error
        log.error("slack.tokens-void", kind=error)
        self.on_dead_token(error)

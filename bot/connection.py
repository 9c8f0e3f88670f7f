"""The connection to Slack: the built-in Socket Mode client, watched by its last pong.

The client's own flag says "connected" for most of a minute after a server has gone, so a thread of
ours watches when the last pong came, and reconnects with a growing pause. Void tokens end the
connection for good and are told; mail and dates live on without it.
"""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum

import structlog
from slack_bolt import App
from slack_bolt.adapter.socket_mode.builtin import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.socket_mode.builtin import SocketModeClient

from bot.mark import MarkedClient

log = structlog.get_logger()
DEAD_TOKEN = frozenset(
    {"token_revoked", "account_inactive", "invalid_auth", "not_authed", "token_expired", "app_uninstalled"}
)
PAUSES_S = (1.0, 2.0, 5.0, 10.0, 30.0)
TIMEOUT_S = 10
_LOOK_AGAIN_S = 0.05


class ConnectionState(StrEnum):
    """Where the connection stands; for health."""

    STOPPED = "stopped"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    DEAD = "dead"


def web_client(
    token: str | None, api_url: str, *, timeout_s: int = TIMEOUT_S, test: bool = False
) -> WebClient:
    """Make a Web API client for the address that is set; nothing is tried twice behind our back.

    Args:
        token: the bot's token; None for the client that opens Socket Mode, which gives its own.
        api_url: the setting ``SLACK_API_URL``.
        timeout_s: after how long a call counts as lost.
        test: whether what is shown bears the test mode's mark.
    """
    base = api_url if api_url.endswith("/") else f"{api_url}/"
    kind = MarkedClient if test else WebClient
    return kind(token=token, base_url=base, timeout=timeout_s, retry_handlers=[])


class SocketClient(SocketModeClient):
    """The built-in client, which leaves connecting anew to the watchdog but for Slack's own request."""

    def __init__(self, app_token: str, client: WebClient, ping_interval_s: float) -> None:
        super().__init__(
            app_token=app_token,
            web_client=client,
            auto_reconnect_enabled=False,
            ping_interval=ping_interval_s,
            concurrency=10,
        )

    def hang_up(self) -> None:
        """Stop reading at once: the library's `close` waits for reads that nothing would end but their time-outs.

        What is being answered can still be sent. The plain shutdown of the file is meant: an SSL socket's own
        would let what follows go out in clear.
        """
        self.closed = True
        self.message_queue.put(None)  # wakes whoever waits for a message; the library passes over it
        self.current_session_state.terminated = True
        sock = self.current_session.sock if self.current_session is not None else None
        if sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RD)

    def close(self) -> None:
        """Close for good, also where the session just begins.

        The library's reader takes the mark of the end back when it begins with a session; where that was closed
        meanwhile it would read nothing for ever, and `close` waits for it. So the mark is set until the reader is done.
        """
        self.closed = True
        self.disconnect()
        reader = self.current_session_runner
        while reader.is_alive():
            reader.event.set()
            self.current_session_state.terminated = True
            reader.thread.join(_LOOK_AGAIN_S)
        super().close()


@dataclass
class Connection:
    """One Socket Mode connection, kept up.

    Attributes:
        app: the bolt app that answers.
        app_token: the ``xapp-`` token.
        api_url: Slack's address.
        on_dead_token: told the error's name once, when the tokens are void.
        ping_interval_s: how often a ping is sent.
        silent_s: after how long without a pong the connection counts as lost.
        monotonic: seconds.
    """

    app: App
    app_token: str
    api_url: str
    on_dead_token: Callable[[str], None]
    ping_interval_s: float = 3.0
    silent_s: float = 10.0
    monotonic: Callable[[], float] = time.monotonic
    _client: SocketClient | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _wake: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _dead: str = ""
    _pong: object = None
    _pong_at: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def state(self) -> ConnectionState:
        """Where it stands, by the last pong."""
        if self._dead:
            return ConnectionState.DEAD
        if self._thread is None or self._stop.is_set():
            return ConnectionState.STOPPED
        return ConnectionState.CONNECTED if self._alive() else ConnectionState.CONNECTING

    def start(self) -> None:
        """Begin to connect, and keep connected, in a thread of its own; returns at once."""
        self._client = SocketClient(self.app_token, web_client(None, self.api_url), self.ping_interval_s)
        handler = SocketModeHandler.handle
        bound = _Handler(self.app)
        self._client.socket_mode_request_listeners.append(
            lambda client, request: handler(bound, client, request)  # type: ignore[arg-type]  # the adapter needs only `app`
        )
        self._thread = threading.Thread(target=self._keep_up, name="slack-connection", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the connection and its threads; what is being answered is answered first."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=15)
        if self._client is not None:
            self._client.hang_up()
            self._client.close()

    def dead(self, error: str) -> None:
        """Note that Slack calls the tokens void: no further try, and it is told once.

        Args:
            error: Slack's name for it.
        """
        with self._lock:
            if self._dead:
                return
            self._dead = error
        log.error("slack.tokens-void", kind=error)
        self._wake.set()
        self.on_dead_token(error)

    def _keep_up(self) -> None:
        failures = 0
        while not self._stop.is_set() and not self._dead:
            if self._alive():
                failures = 0
                self._pause(1.0)
                continue
            if self._connect():
                failures = 0
                continue
            self._pause(PAUSES_S[min(failures, len(PAUSES_S) - 1)])
            failures += 1
        if self._dead and self._client is not None:
            self._client.disconnect()

    def _pause(self, seconds: float) -> None:
        self._wake.wait(seconds)
        if not self._stop.is_set():
            self._wake.clear()

    def _connect(self) -> bool:
        assert self._client is not None
        try:
            self._client.connect_to_new_endpoint(force=True)
        except SlackApiError as error:
            name = str(error.response.get("error", ""))
            if name in DEAD_TOKEN:
                self.dead(name)
            else:
                log.warning("slack.no-connection", kind=name)
            return False
        except (SlackRequestError, OSError, ValueError) as error:
            log.warning("slack.no-connection", exc_info=error)
            return False
        self._pong, self._pong_at = None, self.monotonic()
        up = self._client.is_connected()
        log.info("slack.connected") if up else log.warning("slack.no-connection")
        return up

    def _alive(self) -> bool:
        """Say whether the connection is open and a pong came of late."""
        client = self._client
        session = client.current_session if client is not None else None
        if session is None or not session.is_active():
            return False
        if session.last_ping_pong_time != self._pong:
            self._pong, self._pong_at = session.last_ping_pong_time, self.monotonic()
        return self.monotonic() - self._pong_at < self.silent_s


@dataclass(frozen=True, slots=True)
class _Handler:
    """What the Socket Mode adapter needs to hand a request to bolt."""

    app: App

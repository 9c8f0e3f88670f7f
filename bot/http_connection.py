"""The connection to Slack over HTTP: Slack sends each click to an address of ours, signed.

For several copies behind a proxy that ends TLS; Socket Mode needs none of it. Whoever reaches the address may send
anything: nothing of a request is read, but its bytes, before its signature has been proved (Slack's page on verifying
requests), and what is not signed alarms nobody.
"""

import hashlib
import hmac
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING

import structlog
from slack_bolt import App, BoltRequest, BoltResponse

from bot.clock import SystemClock
from bot.connection import ConnectionState
from bot.web_server import WebServer

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

log = structlog.get_logger()
PATH = "/slack/events"
THREADS = 16
FRESH_FOR_S = 300
_SECONDS = re.compile(r"[0-9]{1,12}", re.ASCII)
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}", re.ASCII)
_LARGEST_PROBE = 1_000
_TOLD_EVERY_S = 60.0
# What bolt is given of the headers: others are signed by nobody, and bolt takes orders of its own from some.
_PASSED_ON = ("content-type", "x-slack-request-timestamp", "x-slack-signature", "x-slack-retry-num")
_UNSIGNED = "This is not signed as Slack signs, or is older than five minutes. Nothing was read and nothing was done.\n"
_UNREADABLE = "This is signed, and nothing that Docket can read. Nothing was done.\n"
_ELSEWHERE = f"Slack's requests are taken at {PATH}, by POST.\n"


def receiver(
    app: App, signing_secret: str, *, seconds: Callable[[], float] = lambda: SystemClock().now().timestamp()
) -> "WSGIApplication":
    """Make the WSGI application that takes Slack's requests.

    Args:
        app: answers what is signed.
        signing_secret: the secret that Slack and this app share.
        seconds: real time since 1970, which Slack signs with; never a practice clock's.

    Raises:
        ValueError: there is no secret, so nothing could be proved.
    """
    if not signing_secret.strip():
        raise ValueError("requests over HTTP need the signing secret")
    unsigned = _Unsigned()

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if environ.get("PATH_INFO") != PATH:
            return _say(start_response, HTTPStatus.NOT_FOUND, _ELSEWHERE)
        if environ.get("REQUEST_METHOD") != "POST":
            return _say(start_response, HTTPStatus.METHOD_NOT_ALLOWED, _ELSEWHERE)
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        headers = {name: str(environ[key]) for name in _PASSED_ON if (key := _key(name)) in environ}
        if not is_signed(signing_secret, body, headers, seconds()):
            if _is_probe(body):
                return _say(start_response, HTTPStatus.OK, "")
            unsigned.count()
            return _say(start_response, HTTPStatus.UNAUTHORIZED, _UNSIGNED)
        request = _read(body, headers)
        if request is None:
            return _say(start_response, HTTPStatus.BAD_REQUEST, _UNREADABLE)
        return _pass_on(start_response, app.dispatch(request))

    return answer


def is_signed(signing_secret: str, body: bytes, headers: dict[str, str], now_s: float) -> bool:
    """Say whether Slack signed these bytes within the last five minutes.

    Args:
        signing_secret: shared with Slack.
        body: as it came.
        headers: by their names in small letters.
        now_s: seconds since 1970.
    """
    stamp = headers.get("x-slack-request-timestamp", "")
    given = headers.get("x-slack-signature", "")
    if not (_SECONDS.fullmatch(stamp) and _SIGNATURE.fullmatch(given)):
        return False
    if abs(now_s - int(stamp)) > FRESH_FOR_S:
        return False
    signed = b"v0:" + stamp.encode() + b":" + body
    wanted = hmac.new(signing_secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"v0={wanted}", given)


def _key(header: str) -> str:
    return "CONTENT_TYPE" if header == "content-type" else f"HTTP_{header.upper().replace('-', '_')}"


def _is_probe(body: bytes) -> bool:
    """Say whether it only asks for our certificate, which Slack does now and then."""
    return len(body) <= _LARGEST_PROBE and b"ssl_check=1" in body.split(b"&")


def _read(body: bytes, headers: dict[str, str]) -> BoltRequest | None:
    """Read a signed body; None for what is no object, or holds other kinds of things than Slack's objects hold."""
    try:
        return BoltRequest(body=body.decode(), headers=dict(headers))
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
        log.warning("slack.unreadable", exc_info=error)
        return None


def _say(start_response: "StartResponse", status: HTTPStatus, text: str) -> Iterable[bytes]:
    content = text.encode()
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(content)))]
    start_response(f"{status.value} {status.phrase}", headers)
    return [content]


def _pass_on(start_response: "StartResponse", answer: BoltResponse) -> Iterable[bytes]:
    status, content = HTTPStatus(answer.status), answer.body.encode()
    given = {name: values for name, values in answer.headers.items() if name.lower() != "content-length"}
    headers = [(name, one) for name, values in given.items() for one in values]
    start_response(f"{status.value} {status.phrase}", [*headers, ("Content-Length", str(len(content)))])
    return [content]


@dataclass
class _Unsigned:
    """Counts what is not signed. Anybody may send it by the thousand, so it is one line a minute, and no alarm."""

    seconds: Callable[[], float] = monotonic
    _since: int = 0
    _not_before_s: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self) -> None:
        """Count one, and log how many there were where it is time."""
        with self._lock:
            self._since += 1
            if self.seconds() < self._not_before_s:
                return
            told, self._since = self._since, 0
            self._not_before_s = self.seconds() + _TOLD_EVERY_S
        log.warning("slack.unsigned", count=told)


@dataclass
class HttpConnection:
    """Listens for what Slack sends; the same face as the Socket Mode connection.

    Attributes:
        app: the bolt app that answers.
        signing_secret: what Slack signs with.
        host: the address to listen on.
        port: the port; 0 takes a free one.
        on_dead_token: told the error's name once, when the bot's token is void.
    """

    app: App
    signing_secret: str = field(repr=False)
    host: str
    port: int
    on_dead_token: Callable[[str], None]
    _server: WebServer = field(init=False, repr=False)
    _listens: bool = False
    _dead: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self._server = WebServer(receiver(self.app, self.signing_secret), self.host, self.port, THREADS)

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

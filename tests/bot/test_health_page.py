"""The health page: alive, ready and the metrics, over real HTTP, and nothing of a case."""

import http.client
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from bot.errors import StartFault
from bot.health_page import Vitals, health_page
from bot.web_server import WebServer

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)


@contextmanager
def served(vitals: Callable[[], Vitals]) -> Iterator[Callable[[str], tuple[int, str]]]:
    server = WebServer(health_page(vitals), "127.0.0.1", 0)
    server.start()

    def ask(path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("GET", path)
        answer = connection.getresponse()
        said = answer.status, answer.read().decode()
        connection.close()
        return said

    try:
        yield ask
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("vitals", "alive", "ready"),
    [
        (Vitals(NOW), 200, 200),
        (Vitals(NOW, record=False), 200, 503),
        (Vitals(NOW, slack="dead"), 200, 503),
        (Vitals(NOW, ("outbox-mail",)), 503, 503),
    ],
    ids=["all is well", "the record is away", "Slack is away", "a thread ended"],
)
def test_what_is_broken_decides_whether_it_is_alive_and_whether_it_is_ready(
    vitals: Vitals, alive: int, ready: int
) -> None:
    with served(lambda: vitals) as ask:
        assert ask("/healthz")[0] == alive
        assert ask("/readyz")[0] == ready


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/nowhere"])
def test_no_answer_is_kept_or_taken_for_another_type(path: str) -> None:
    server = WebServer(health_page(lambda: Vitals(NOW)), "127.0.0.1", 0)
    server.start()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("TRACE", path, headers={"X-Echo": "zqechoqz"})
        answer = connection.getresponse()
        assert b"zqechoqz" not in answer.read()
        guards = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        assert guards.items() <= dict(answer.getheaders()).items()
        connection.close()
    finally:
        server.stop()


_INNER = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
_POST = b"POST /healthz HTTP/1.1\r\nHost: x\r\n"
_ALL = b"%d\r\n\r\n" % len(_INNER) + _INNER
SMUGGLED = {
    "a length and chunks": _POST
    + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    + _INNER,
    "chunks by HTTP/1.0": (
        b"POST /healthz HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + _INNER
    ),
    "two lengths": _POST + b"Content-Length: 0\r\nContent-Length: " + _ALL,
    "a list of lengths": _POST + b"Content-Length: 0, 5\r\n\r\n" + _INNER,
    "a length with a sign": _POST + b"Content-Length: +0\r\n\r\n" + _INNER,
    "a length in hexadecimals": _POST + b"Content-Length: 0x10\r\n\r\n" + _INNER,
    "an encoding with a blank": _POST + b"Transfer-Encoding : chunked\r\nContent-Length: " + _ALL,
    "another encoding": _POST + b"Transfer-Encoding: xchunked\r\nContent-Length: " + _ALL,
    "no encoding": _POST + b"Transfer-Encoding: identity\r\nContent-Length: " + _ALL,
    "a chunk in another form": _POST + b"Transfer-Encoding: chunked\r\n\r\n0x1\r\nA\r\n0\r\n\r\n" + _INNER,
    "bare line ends": _POST.replace(b"\r\n", b"\n") + b"Content-Length: 0\n\n" + _INNER,
    "a header within a header": b"GET /healthz HTTP/1.1\r\nX: a\rContent-Length: 5\r\n\r\n" + _INNER,
}


@pytest.mark.parametrize("sent", SMUGGLED.values(), ids=list(SMUGGLED))
def test_no_second_request_comes_in_behind_one_whose_end_is_doubtful(sent: bytes) -> None:
    server = WebServer(health_page(lambda: Vitals(NOW)), "127.0.0.1", 0)
    server.start()
    try:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            said = b"".join(iter(lambda: line.recv(65536), b""))
    finally:
        server.stop()
    assert b"docket_leader" not in said
    assert b" 200 " not in said


def test_metrics_count_what_waits_and_say_how_long() -> None:
    vitals = Vitals(
        NOW,
        waiting={"mail": 3, "slack": 0},
        oldest={"mail": NOW - timedelta(minutes=5)},
        beats={"poll": NOW - timedelta(seconds=7)},
        alarms=("alarm:mailbox",),
    )
    with served(lambda: vitals) as ask:
        said = ask("/metrics")[1]
    for line in (
        'docket_outbox_waiting{channel="mail"} 3.0',
        'docket_outbox_oldest_seconds{channel="mail"} 300.0',
        'docket_beat_age_seconds{what="poll"} 7.0',
        'docket_alarm{trouble="alarm:mailbox"} 1.0',
        "docket_leader 0.0",
    ):
        assert line in said


def test_a_port_that_is_taken_is_named_with_what_to_do() -> None:
    first = WebServer(health_page(lambda: Vitals(NOW)), "127.0.0.1", 0)
    first.start()
    second = WebServer(health_page(lambda: Vitals(NOW)), "127.0.0.1", first.port)
    try:
        with pytest.raises(StartFault, match=f"Port {first.port} .* Nothing was started"):
            second.start()
    finally:
        first.stop()
        second.stop()

"""What comes to the HTTP address: read only when Slack signed it, refused plainly otherwise, and no alarm for anybody."""

import hashlib
import hmac
import http.client
import json
import logging
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlencode

import pytest
import structlog
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.actions.ids import Do
from bot.app import UNUSED_SECRET
from bot.clock import SystemClock
from bot.http_connection import FRESH_FOR_S, PATH, HttpConnection, is_signed, receiver
from bot.practice.state import TEAM_ID
from store import journal
from store.rules.facts import Recused
from tests.bot.slack.office import CLARA, MORA, Office

pytestmark = pytest.mark.contract
FORM = "application/x-www-form-urlencoded"
HELP = urlencode({"command": "/ethics", "text": "help", "user_id": CLARA, "team_id": TEAM_ID}).encode()


@pytest.fixture
def port(office: Office) -> Iterator[int]:
    connection = HttpConnection(office.app, UNUSED_SECRET, "127.0.0.1", 0, office.dead.append)
    connection.start()
    yield connection.port
    connection.stop()


@pytest.fixture
def lines() -> Iterator[list[EventDict]]:
    """What is logged, of every level: a command that another test ran in this process may have set a higher one."""
    kept = structlog.get_config()["wrapper_class"]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG))
    with capture_logs() as found:
        yield found
    structlog.configure(wrapper_class=kept)


def now() -> int:
    return int(SystemClock().now().timestamp())


def signature(body: bytes, stamp: str, secret: str = UNUSED_SECRET) -> str:
    signed = b"v0:" + stamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def signed(body: bytes, stamp: str = "", **more: str) -> dict[str, str]:
    stamp = stamp or str(now())
    headers = {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signature(body, stamp)}
    return {"Content-Type": FORM, **headers, **{name.replace("_", "-"): one for name, one in more.items()}}


def send(
    port: int, body: bytes, headers: dict[str, str], *, method: str = "POST", path: str = PATH
) -> tuple[int, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as line:
        line.request(method, path, body, headers)
        answer = line.getresponse()
        return answer.status, answer.read().decode()


def entries(office: Office) -> int:
    docket = office.board.docket
    with docket.database.read() as session:
        return journal.head(session)[0]


UNSIGNED = {
    "no headers": {},
    "no signature": {"X-Slack-Request-Timestamp": "{now}"},
    "another secret": {"X-Slack-Request-Timestamp": "{now}", "X-Slack-Signature": "v0=" + "0" * 64},
    "no time": {"X-Slack-Signature": "v0=" + "0" * 64},
    "words for a time": {"X-Slack-Request-Timestamp": "yesterday", "X-Slack-Signature": "v0=" + "0" * 64},
    "a time beyond numbers": {"X-Slack-Request-Timestamp": "9" * 400, "X-Slack-Signature": "v0=" + "0" * 64},
    "not a number": {"X-Slack-Request-Timestamp": "nan", "X-Slack-Signature": "v0=" + "0" * 64},
    "a signature of other letters": {"X-Slack-Request-Timestamp": "{now}", "X-Slack-Signature": "v0=é"},
    "an older kind of signature": {"X-Slack-Request-Timestamp": "{now}", "X-Slack-Signature": "0" * 64},
}
BODIES = (b"", HELP, b"\xff\xfe", b"{", b"[]", b"payload=", b"payload=7", b"[" * 100_000, b'{"type": 7}')


@pytest.mark.parametrize("how", UNSIGNED)
def test_what_is_not_signed_is_refused_unread_and_alarms_nobody(
    office: Office, port: int, lines: list[EventDict], how: str
) -> None:
    """Anybody can reach the address: a flood of it must not fill the journal, nor the staff channel."""
    before = entries(office)
    headers = {name: one.replace("{now}", str(now())) for name, one in UNSIGNED[how].items()}
    for body in BODIES:
        for kind in (FORM, "application/json"):
            status, said = send(port, body, {"Content-Type": kind, **headers})
            assert status == http.HTTPStatus.UNAUTHORIZED, body
            assert "nothing was done" in said
    assert entries(office) == before
    # the office's other connection may come up meanwhile
    ours = [one for one in lines if one["event"] != "slack.connected"]
    assert [(one["event"], one["count"]) for one in ours] == [("slack.unsigned", 1)]


@pytest.mark.parametrize(
    ("age", "status"),
    [
        (FRESH_FOR_S - 5, http.HTTPStatus.OK),
        (FRESH_FOR_S + 5, http.HTTPStatus.UNAUTHORIZED),
        (-FRESH_FOR_S - 5, http.HTTPStatus.UNAUTHORIZED),
    ],
)
def test_a_request_counts_for_five_minutes(port: int, age: int, status: int) -> None:
    assert send(port, HELP, signed(HELP, str(now() - age)))[0] == status


def test_five_minutes_are_inside_and_a_second_more_is_not() -> None:
    headers = {name.lower(): one for name, one in signed(HELP, "1000").items()}
    assert is_signed(UNUSED_SECRET, HELP, headers, 1000.0 + FRESH_FOR_S)
    assert not is_signed(UNUSED_SECRET, HELP, headers, 1001.0 + FRESH_FOR_S)


def test_a_signature_of_another_body_another_time_or_another_secret_counts_for_nothing(port: int) -> None:
    stamp = str(now())
    for headers in (
        {**signed(HELP), "X-Slack-Signature": signature(HELP + b"&x=1", stamp)},
        {**signed(HELP), "X-Slack-Request-Timestamp": str(now() + 1)},
        {**signed(HELP), "X-Slack-Signature": signature(HELP, stamp, "another")},
    ):
        assert send(port, HELP, headers)[0] == http.HTTPStatus.UNAUTHORIZED


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (FORM, b"payload="),
        (FORM, b"payload=7"),
        (FORM, b"payload=null"),
        (FORM, b'payload="x"'),
        (FORM, b"payload={"),
        (FORM, b"payload=" + b"[" * 100_000),
        (FORM, b"\xff\xfe"),
        ("application/json", b"["),
        ("application/json", b"[]"),
        ("application/json", b"command=%2Fethics"),
        (FORM, b'{"team": 7, "type": "block_actions"}'),
        (FORM, b'{"authorizations": 7}'),
        (FORM, b'{"user": 7, "type": "event_callback", "event": 7}'),
    ],
)
def test_what_is_signed_and_cannot_be_read_is_said_to_be_so(
    office: Office, port: int, kind: str, body: bytes
) -> None:
    before = entries(office)
    status, said = send(port, body, {**signed(body), "Content-Type": kind})
    assert (status, entries(office)) == (http.HTTPStatus.BAD_REQUEST, before)
    assert "Nothing was done" in said


def test_headers_that_nobody_signed_give_no_orders(port: int) -> None:
    """Bolt runs a listener by name where a header asks it to; such a header can be put beside a signature."""
    plain = send(port, HELP, signed(HELP))
    ordered = send(
        port, HELP, signed(HELP, X_Slack_Bolt_Lazy_Only="1", X_Slack_Bolt_Lazy_Function_Name="then")
    )
    assert plain[0] == http.HTTPStatus.OK
    assert "/ethics docket" in plain[1]
    assert ordered == plain


def test_slack_may_ask_for_our_certificate_and_learns_nothing_by_it(port: int) -> None:
    assert send(port, b"ssl_check=1&token=x", {"Content-Type": FORM}) == (http.HTTPStatus.OK, "")
    asked = HELP + b"&ssl_check=1"
    assert send(port, asked, {"Content-Type": FORM}) == (http.HTTPStatus.OK, "")


def test_other_addresses_and_methods_are_told_where_requests_are_taken(port: int) -> None:
    for path in ("/", f"{PATH}/", "/slack/install", f"/x{PATH}"):
        assert send(port, HELP, signed(HELP), path=path)[0] == http.HTTPStatus.NOT_FOUND
    for method in ("GET", "PUT", "DELETE"):
        assert send(port, HELP, signed(HELP), method=method)[0] == http.HTTPStatus.METHOD_NOT_ALLOWED


def test_the_same_signed_request_sent_again_does_nothing_twice(office: Office, port: int) -> None:
    number = office.board.case()
    payload = {
        "type": "block_actions",
        "team": {"id": TEAM_ID},
        "user": {"id": MORA, "team_id": TEAM_ID},
        "trigger_id": "1.2.3",
        "actions": [{"type": "button", "action_id": Do.RECUSE, "block_id": "b", "value": f"{number}|0|0"}],
    }
    body = urlencode({"payload": json.dumps(payload)}).encode()
    headers = signed(body)
    assert [send(port, body, headers)[0] for _ in range(3)] == [http.HTTPStatus.OK] * 3
    assert len(list(office.board.file(number).all(Recused))) == 1


def test_no_receiver_is_made_without_a_secret(office: Office) -> None:
    with pytest.raises(ValueError, match="signing secret"):
        receiver(office.app, " ")

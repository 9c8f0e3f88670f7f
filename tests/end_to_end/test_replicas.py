"""Three copies of `docket run` on one PostgreSQL, Slack over HTTP: one leads, any answers, nothing happens twice (R3)."""

import http.client
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from slack_sdk.signature import SignatureVerifier

from bot.clock import SystemClock
from store.cases import MACHINE, verify
from store.rules.facts import Referred
from tests.end_to_end.replicas import Copies, fifty_clicks, filed, referring, running_copies

pytestmark = [pytest.mark.end_to_end, pytest.mark.needs("dovecot", "postgresql")]


@pytest.fixture
def copies(tmp_path: Path, postgres_url: str) -> Iterator[Copies]:
    with running_copies(tmp_path, postgres_url) as made:
        yield made


def test_one_leads_another_takes_over_when_it_is_killed_and_no_mail_is_filed_twice(copies: Copies) -> None:
    leader = copies.leader()
    first = filed(copies, "ines.calloway@riverbend.example")
    leader.end(signal.SIGKILL)
    second = filed(copies, "omar.teague@riverbend.example", "Omar Teague")
    assert copies.leader() is not leader
    assert sorted(number for _key, number in copies.running.cases()) == sorted([first, second])


def test_fifty_clicks_at_once_on_three_copies_are_one_act_and_all_are_answered(copies: Copies) -> None:
    running = copies.running
    number = filed(copies, "ines.calloway@riverbend.example")
    outcomes = fifty_clicks(running, *referring(running, number))
    assert all(one.ok for one in outcomes)
    assert sum(1 for _ in running.case(number).case.all(Referred)) == 1
    with running.record() as record:
        assert verify(record.docket, MACHINE) is None


def test_a_request_that_is_forged_or_older_than_five_minutes_is_refused(copies: Copies) -> None:
    body = "command=%2Fethics&text=help&user_id=U1&team_id=T1&channel_id=C1&trigger_id=1.2"
    now = int(SystemClock().now().timestamp())
    secret = copies.running.slack.app.signing_secret
    for stamp, key in ((now, "another secret"), (now - 301, secret)):
        signature = SignatureVerifier(key).generate_signature(timestamp=str(stamp), body=body)
        headers = {
            "X-Slack-Request-Timestamp": str(stamp),
            "X-Slack-Signature": str(signature),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection = http.client.HTTPConnection("127.0.0.1", copies.every[0].slack_port, timeout=10)
        connection.request("POST", "/slack/events", body, headers)
        assert connection.getresponse().status == http.HTTPStatus.UNAUTHORIZED
        connection.close()


def test_health_and_metrics_say_how_it_stands_and_name_nobody(copies: Copies) -> None:
    filed(copies, "ines.calloway@riverbend.example")
    leader = copies.leader()
    status, said = leader.asked("/metrics")
    assert status == http.HTTPStatus.OK
    assert "docket_leader 1.0" in said
    assert "docket_record_up 1.0" in said
    assert 'docket_beat_age_seconds{what="poll"}' in said
    assert leader.asked("/healthz")[0] == http.HTTPStatus.OK
    assert leader.asked("/")[0] == http.HTTPStatus.NOT_FOUND
    for name in ("Calloway", "riverbend", "Alden", "Merrow"):
        assert name not in said

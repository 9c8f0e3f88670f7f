import queue
from urllib.request import Request, urlopen

import pytest
from slack_sdk import WebClient
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.response import SocketModeResponse

from bot.practice.client import Practice
from bot.practice.slack import PracticeSlack
from bot.practice.sockets import Timing
from bot.practice.state import TokenState
from tests.bot.practice.conftest import end, refused
from tests.bot.practice.test_blocks_check import actions, button

pytestmark = pytest.mark.contract


@pytest.fixture
def received():
    """Envelopes in the order in which they came."""
    return queue.Queue()


@pytest.fixture
def line(slack, practice, received):
    """A bare Socket Mode client that acknowledges only what the test acknowledges."""
    client = SocketModeClient(
        app_token=slack.app.app_token,
        web_client=WebClient(base_url=slack.api_url),
        ping_interval=0.5,
    )
    client.socket_mode_request_listeners.append(lambda _client, request: received.put(request))
    client.connect()
    practice.wait("socket_opened")
    yield client
    end(client, practice)


def acknowledge(line, request):
    line.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))


@pytest.fixture
def slack(tmp_path, hands):
    timing = Timing(ack_within_s=0.3, retry_after_s=(0.0, 0.02, 0.04), ping_every_s=0.2)
    with PracticeSlack(tmp_path / "slack", hands.now, timing=timing, monotonic=hands.monotonic) as server:
        yield server


def test_an_event_not_acknowledged_comes_again_three_times_with_its_count(line, practice, received):
    person = practice.add_person("Ada")
    practice.open_home(person.id)
    requests = [received.get(timeout=5) for _ in range(4)]
    assert [r.retry_attempt for r in requests] == [0, 1, 2, 3]
    assert [r.retry_reason for r in requests[1:]] == ["timeout"] * 3
    assert len({r.payload["event_id"] for r in requests}) == 1
    assert len({r.envelope_id for r in requests}) == 4
    practice.wait("event_given_up")
    assert received.empty()


def test_an_event_acknowledged_comes_no_more(line, practice, received):
    practice.open_home(practice.add_person("Ada").id)
    acknowledge(line, received.get(timeout=5))
    assert practice.wait("event_acknowledged").detail["attempt"] == 0


def test_an_event_may_be_repeated_though_acknowledged(line, practice, received):
    practice.faults(repeated_events=1)
    practice.open_home(practice.add_person("Ada").id)
    one, two = received.get(timeout=5), received.get(timeout=5)
    acknowledge(line, one)
    acknowledge(line, two)
    assert one.payload["event_id"] == two.payload["event_id"]


def test_a_click_not_acknowledged_is_not_sent_again(line, practice, received, slack):
    web = WebClient(token=slack.app.bot_token, base_url=slack.api_url)
    person = practice.add_person("Ada")
    web.chat_postMessage(channel=person.id, text="x", blocks=[actions(button(action_id="vote"))])
    outcome = practice.click(person.id, practice.direct(person.id)[0], "vote")
    assert (outcome.ok, outcome.failure) == (False, "timeout")
    assert received.get(timeout=5).type == "interactive"
    practice.open_home(person.id)
    assert received.get(timeout=5).type == "events_api"


def test_events_not_subscribed_to_are_not_sent(line, practice, received):
    practice.set_subscriptions(["user_change"])
    person = practice.add_person("Ada")
    practice.open_home(person.id)
    practice.change_person(person.id, role="deactivated")
    event = received.get(timeout=5).payload["event"]
    assert (event["type"], event["user"]["deleted"]) == ("user_change", True)


def test_an_event_sent_while_nobody_is_connected_comes_after_connecting(slack, practice, received):
    practice.open_home(practice.add_person("Ada").id)
    missed = practice.wait("event_unacknowledged")
    assert missed.detail["reason"] == "connection_failed"


def test_joining_a_channel_is_an_event_for_the_bot_in_it(line, practice, received, slack):
    person = practice.add_person("Ada")
    channel = practice.add_channel("staff", [slack.app.bot_user])
    practice.join(person.id, channel.id, added=True)
    event = received.get(timeout=5).payload["event"]
    assert (event["type"], event["user"], event["channel"]) == (
        "member_joined_channel",
        person.id,
        channel.id,
    )


@pytest.mark.parametrize("reason", ["refresh_requested", "link_disabled"])
def test_the_client_comes_back_after_a_disconnect_frame(line, practice, received, reason):
    after = practice.last_seq()
    practice.disconnect(reason)
    practice.wait("socket_opened", after)
    practice.open_home(practice.add_person("Ada").id)
    acknowledge(line, received.get(timeout=5))


def test_the_client_comes_back_after_a_cut_line(line, practice, received):
    after = practice.last_seq()
    practice.drop_sockets()
    practice.wait("socket_closed", after)
    practice.wait("socket_opened", after, timeout_s=20)
    practice.open_home(practice.add_person("Ada").id)
    acknowledge(line, received.get(timeout=5))


def test_a_silent_workspace_answers_no_ping_so_that_the_client_leaves(line, practice):
    after = practice.last_seq()
    practice.faults(silent=True)
    practice.wait("socket_closed", after, timeout_s=20)


def test_a_click_into_a_silent_line_fails_for_the_person(line, practice):
    practice.faults(silent=True)
    assert practice.command(practice.add_person("Ada").id, "/docket").failure == "timeout"


def test_refused_connections_are_taken_again_once_it_is_over(line, practice):
    after = practice.last_seq()
    practice.faults(sockets_refused=True)
    practice.disconnect()
    practice.wait("socket_closed", after)
    practice.wait("line_refused", after)
    assert practice.workspace()["sockets"] == 0
    practice.faults(sockets_refused=False)
    practice.wait("socket_opened", after, timeout_s=20)


def test_taking_the_token_away_is_told_to_the_app(line, practice, received):
    practice.set_token(TokenState.REVOKED)
    assert received.get(timeout=5).payload["event"]["type"] == "tokens_revoked"


def test_without_a_ticket_no_line_is_opened(slack):
    request = Request(
        f"{slack.url}/socket",
        headers={
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version": "13",
        },
    )
    with pytest.raises(OSError, match="403"):
        urlopen(request)


def test_a_second_server_on_the_same_port_is_refused(slack, tmp_path, hands):
    with pytest.raises(OSError, match="in use"):
        PracticeSlack(tmp_path / "other", hands.now, port=slack.port).start()


def test_the_workspace_is_taken_up_again_where_it_was_left(tmp_path, hands):
    folder = tmp_path / "kept"
    with PracticeSlack(folder, hands.now) as first:
        practice = Practice.of(first)
        person = practice.add_person("Ada", "ada@city.test")
        web = WebClient(token=first.app.bot_token, base_url=first.api_url)
        posted = web.chat_postMessage(channel=person.id, text="2026-001")
        web.views_publish(user_id=person.id, view={"type": "home", "blocks": [{"type": "divider"}]})
        last = practice.last_seq()
    with (folder / "state.jsonl").open("ab") as state:
        state.write(b'{"table": "person", "key": "U9", "ro')
    with PracticeSlack(folder, hands.now) as second:
        practice = Practice.of(second)
        web = WebClient(token=second.app.bot_token, base_url=second.api_url)
        assert [m.text for m in practice.direct(person.id)] == ["2026-001"]
        assert practice.home(person.id) is not None
        assert practice.last_seq() == last
        assert practice.add_person("Bo").id != person.id
        again = web.chat_postMessage(channel=person.id, text="2026-001 again")
        assert float(again["ts"]) > float(posted["ts"])
    assert second.app.bot_token == first.app.bot_token


def test_the_control_api_needs_its_token(slack):
    wrong = Practice(slack.url, "guess")
    with pytest.raises(Exception, match="token is missing or wrong"):
        wrong.workspace()


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.test"},
        {"Origin": "http://evil.test"},
        {"Origin": "https://127.0.0.1"},
        {"Origin": "null"},
    ],
)
def test_another_sites_page_reaches_nothing(slack, headers):
    request = Request(
        f"{slack.url}/practice/api/workspace", headers={"X-Practice-Token": slack.control_token, **headers}
    )
    with pytest.raises(OSError, match="403"):
        urlopen(request)


def test_a_page_of_the_same_address_is_let_in(slack):
    request = Request(
        f"{slack.url}/practice/api/workspace",
        headers={"X-Practice-Token": slack.control_token, "Origin": slack.url},
    )
    with urlopen(request) as answer:
        assert answer.status == 200


def test_the_event_log_is_numbered_without_gaps(practice):
    for number in range(3):
        practice.add_person(f"Person {number}")
    assert [o.seq for o in practice.events()] == list(range(1, practice.last_seq() + 1))
    assert len(practice.events(after=1)) == practice.last_seq() - 1


def test_a_revoked_app_is_refused_everywhere_but_its_line_stays(practice, slack):
    web = WebClient(token=slack.app.bot_token, base_url=slack.api_url)
    practice.set_token(TokenState.REVOKED)
    assert refused(web.users_list) == "token_revoked"
    assert WebClient(base_url=slack.api_url).apps_connections_open(app_token=slack.app.app_token)["ok"]

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode import SocketModeClient

from bot.practice.client import Practice
from bot.practice.slack import PracticeSlack
from bot.practice.sockets import Timing


@dataclass
class Hands:
    """A clock and a stopwatch that move only when they are told to."""

    instant: datetime = field(default_factory=lambda: datetime(2026, 3, 2, 14, 0, tzinfo=UTC))
    seconds: float = 1000.0

    def now(self) -> datetime:
        return self.instant

    def monotonic(self) -> float:
        return self.seconds

    def pass_time(self, seconds: float) -> None:
        self.seconds += seconds
        self.instant += timedelta(seconds=seconds)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def slack(tmp_path: Path, hands: Hands) -> Iterator[PracticeSlack]:
    timing = Timing(ack_within_s=2.0, retry_after_s=(0.0, 0.02, 0.04), ping_every_s=1.0)
    with PracticeSlack(tmp_path / "slack", hands.now, timing=timing, monotonic=hands.monotonic) as server:
        yield server


@pytest.fixture
def practice(slack: PracticeSlack) -> Practice:
    return Practice.of(slack)


@pytest.fixture
def web(slack: PracticeSlack) -> WebClient:
    return WebClient(token=slack.app.bot_token, base_url=slack.api_url, retry_handlers=[])


def refused(call, **arguments) -> str:
    """The error name of a call that must be refused."""
    with pytest.raises(SlackApiError) as caught:
        call(**arguments)
    return caught.value.response["error"]


@pytest.fixture
def bolt(slack: PracticeSlack, practice: Practice) -> Iterator[App]:
    """A bolt app; listeners are attached by the test before anything happens."""
    client = WebClient(token=slack.app.bot_token, base_url=slack.api_url)
    app = App(client=client, signing_secret=slack.app.signing_secret)
    handler = SocketModeHandler(
        app, slack.app.app_token, web_client=client, ping_interval=0.5, auto_reconnect_enabled=True
    )
    handler.connect()
    practice.wait("socket_opened")
    yield app
    end(handler.client, practice)


def end(client: SocketModeClient, practice: Practice) -> None:
    """Close a Socket Mode client, and the line its monitor may have opened while it was being closed.

    Cutting the line first spares the second for which the client would listen on.
    """
    client.auto_reconnect_enabled = False
    client.current_session_state.terminated = True
    practice.drop_sockets()
    client.close()
    client.disconnect()

"""The connection: watched by its last pong, taken up again, ended cleanly, and ended for good by void tokens."""

import threading
import time
from collections.abc import Callable

import pytest

from bot.connection import ConnectionState
from bot.practice.client import message_text
from bot.practice.state import TokenState
from tests.bot.slack.office import CLARA, Office

pytestmark = pytest.mark.contract


def until(true: Callable[[], bool], timeout_s: float = 15.0) -> None:
    """Wait for something that another thread brings about."""
    tick = threading.Event()
    end = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < end, "it did not happen"
        tick.wait(0.02)


def answers(office: Office) -> bool:
    return office.practice.command(CLARA, "/ethics", "help").ok


def test_a_cut_connection_is_taken_up_again(office: Office) -> None:
    after = office.practice.last_seq()
    office.practice.drop_sockets()
    office.practice.wait("socket_opened", after)
    until(lambda: office.connection.state is ConnectionState.CONNECTED)
    assert answers(office)


def test_a_connection_that_has_fallen_silent_is_given_up_and_made_anew(office: Office) -> None:
    office.connection.silent_s = 2.0
    after = office.practice.last_seq()
    office.practice.faults(silent=True)
    office.practice.wait("socket_opened", after)
    office.practice.faults(silent=False)
    until(lambda: office.connection.state is ConnectionState.CONNECTED)
    assert answers(office)


def test_a_disconnect_that_slack_announces_is_followed_by_a_new_connection(office: Office) -> None:
    after = office.practice.last_seq()
    office.practice.disconnect("refresh_requested")
    office.practice.wait("socket_opened", after)
    until(lambda: office.connection.state is ConnectionState.CONNECTED)
    assert answers(office)


def test_a_slack_that_refuses_connections_is_asked_again_until_it_takes_one(office: Office) -> None:
    office.practice.faults(sockets_refused=True)
    office.practice.drop_sockets()
    until(lambda: office.connection.state is ConnectionState.CONNECTING)
    after = office.practice.last_seq()
    office.practice.faults(sockets_refused=False)
    office.practice.wait("socket_opened", after)
    until(lambda: office.connection.state is ConnectionState.CONNECTED)


def test_void_tokens_end_the_connection_for_good_and_are_told(office: Office) -> None:
    office.practice.set_token(TokenState.INACTIVE)
    office.practice.drop_sockets()
    until(lambda: office.connection.state is ConnectionState.DEAD)
    assert "account_inactive" in office.dead
    until(lambda: office.practice.workspace()["sockets"] == 0)


def test_it_stops_cleanly_and_leaves_no_thread(office: Office) -> None:
    office.connection.stop()
    assert office.connection.state is ConnectionState.STOPPED
    until(lambda: office.practice.workspace()["sockets"] == 0)
    assert not [one for one in threading.enumerate() if one.name == "slack-connection"]


def test_what_the_help_says_reaches_the_person_through_the_real_connection(office: Office) -> None:
    assert answers(office)
    assert "/ethics docket" in message_text(office.last(CLARA))

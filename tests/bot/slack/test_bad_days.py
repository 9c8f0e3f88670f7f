"""Slack's bad days: storms of refusals, a day away, a silent socket, lost channels; everything once, and in order."""

import threading
from dataclasses import dataclass
from datetime import timedelta

import pytest

from bot.connection import Connection, ConnectionState
from bot.practice.client import message_text
from bot.practice.state import Role
from bot.upkeep import Upkeep
from store import outbox
from store.cases import MACHINE, act
from store.outbox import Channel
from store.ports import PingKind
from store.proceedings import delivery
from store.rules.access import Deed
from tests.bot.slack.office import CLARA, HANNA, MORA, Office, channel_of, told
from tests.bot.slack.test_connection import until

pytestmark = pytest.mark.contract
MANY = 30


def owe_many(office: Office, first: int = 0, count: int = MANY) -> list[str]:
    """Owe the staff channel numbered words, each in an act of its own."""
    words = [f"Word number {number:03d}." for number in range(first, first + count)]
    for one in words:
        with act(office.board.docket, MACHINE, Deed.SWEEP) as step:
            step.ping(PingKind.ALARM, text=one, board=True)
    return words


def in_staff_channel(office: Office) -> list[str]:
    """What stands in the staff channel, in its order."""
    shown = [message_text(one) for one in office.practice.messages(CLARA, office.staff)]
    return [text[text.index("Word") : text.index("Word") + 16] for text in shown if "Word" in text]


def waits(office: Office) -> list[outbox.Waiting]:
    with office.board.docket.database.read() as session:
        return outbox.waiting(session, Channel.SLACK)


def deliver_until_calm(office: Office, *, rounds: int = 200) -> None:
    for _round in range(rounds):
        office.deliver()
        if not waits(office):
            return
        office.board.clock.advance(timedelta(seconds=30))
    pytest.fail("something waits for ever")


def test_in_a_storm_of_429_nobody_is_asked_before_slack_said_and_everything_comes_once_in_order(
    office: Office,
) -> None:
    words = owe_many(office)
    office.practice.faults(throttled_calls=25, retry_after_s=7)
    for _round in range(40):
        office.deliver()
        held = [one for one in waits(office) if one.detail == "ratelimited"]
        if not held:
            continue
        assert all(
            (one.next_try_at or office.board.clock.now()) - office.board.clock.now() == timedelta(seconds=7)
            for one in held[:1]
        )
        office.board.clock.advance(timedelta(seconds=6))
        assert delivery.claim(office.board.docket, Channel.SLACK) == []
        office.board.clock.advance(timedelta(seconds=1))
    deliver_until_calm(office)
    assert in_staff_channel(office) == words


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_in_a_storm_of_5xx_everything_comes_once_in_order(office: Office, status: int) -> None:
    words = owe_many(office, count=10)
    office.practice.faults(failing_calls=15, failing_status=status)
    deliver_until_calm(office)
    assert in_staff_channel(office) == words


def test_after_a_day_away_everything_comes_once_and_in_order(office: Office) -> None:
    office.practice.faults(failing_calls=-1)
    words = []
    for hour in range(24):
        words += owe_many(office, first=hour * 3, count=3)
        for _try in range(3):
            office.deliver()
            office.board.clock.advance(timedelta(minutes=20))
    assert in_staff_channel(office) == []
    office.practice.faults(failing_calls=0)
    deliver_until_calm(office)
    assert in_staff_channel(office) == words


def test_an_answer_that_is_lost_may_double_a_ping_which_then_says_so_and_never_the_order(
    office: Office,
) -> None:
    words = owe_many(office, count=6)
    office.practice.faults(lost_answers=3, only_methods=["chat.postMessage"])
    deliver_until_calm(office)
    seen = in_staff_channel(office)
    assert list(dict.fromkeys(seen)) == words
    assert len(seen) == len(words) + 3
    again = [
        one for one in office.practice.messages(CLARA, office.staff) if "Shown again" in message_text(one)
    ]
    assert len(again) == 3


def test_a_slack_that_is_slow_is_waited_for(office: Office) -> None:
    words = owe_many(office, count=3)
    office.practice.faults(slow_s=0.2)
    deliver_until_calm(office)
    office.practice.faults(slow_s=0.0)
    assert in_staff_channel(office) == words


def test_a_silent_socket_is_given_up_within_twenty_seconds_as_docket_is_set_up(office: Office) -> None:
    """With the product's own waits, not the tests' short ones."""
    office.connection.stop()
    until(lambda: office.practice.workspace()["sockets"] == 0)
    connection = Connection(office.app, office.slack.app.app_token, office.slack.api_url, office.dead.append)
    connection.start()
    try:
        until(lambda: connection.state is ConnectionState.CONNECTED)
        after = office.practice.last_seq()
        office.practice.faults(silent=True)
        office.practice.wait("socket_opened", after, timeout_s=20.0)
        office.practice.faults(silent=False)
        until(lambda: connection.state is ConnectionState.CONNECTED)
        assert office.practice.command(CLARA, "/ethics", "help").ok
    finally:
        connection.stop()
    longest = connection.silent_s + 2 * connection.ping_interval_s + 1.0
    assert longest < 20.0


def test_sockets_dropped_again_and_again_are_taken_up_each_time(office: Office) -> None:
    for _time in range(5):
        after = office.practice.last_seq()
        office.practice.drop_sockets()
        office.practice.wait("socket_opened", after)
        until(lambda: office.connection.state is ConnectionState.CONNECTED)
    assert office.practice.command(CLARA, "/ethics", "help").ok


@pytest.mark.parametrize("how", ["archived", "deleted"])
def test_a_case_channel_that_is_gone_stops_nothing_and_is_made_anew(office: Office, how: str) -> None:
    first, second = told(office), told(office)
    channel = next(
        one for one in office.practice.channels(HANNA) if one.name == first.lower() and not one.archived
    )
    if how == "archived":
        office.practice.archive(HANNA, channel.id)
    else:  # a private channel that the bot is not in does not exist for it
        office.notifier.client.conversations_leave(channel=channel.id)
        for member in set(channel.members) - {office.slack.app.bot_user}:
            office.practice.leave(member, channel.id)
    for number in (first, second):
        with act(office.board.docket, MACHINE, Deed.SCREEN, case_id=office.board.key(number)) as step:
            step.ping(PingKind.CASE_CARD)
    words = owe_many(office, count=2)
    deliver_until_calm(office)
    assert in_staff_channel(office) == words
    names = [one.name for one in office.practice.channels(HANNA) if not one.archived and one.id != channel.id]
    assert f"{first.lower()}-2" in names
    assert second.lower() in names


def test_a_member_who_is_deactivated_stops_nobodys_messages(office: Office) -> None:
    number = told(office)
    office.practice.change_person(MORA, role=Role.DEACTIVATED)
    office.notifier.members.forget(MORA)
    for name in ("Mora Member", "Hanna Chair", "Clara Clerk"):
        with act(office.board.docket, MACHINE, Deed.SCREEN, case_id=office.board.key(number)) as step:
            step.ping(PingKind.TOLD, person=office.board.person(name), about={"what": "merged"})
    deliver_until_calm(office)
    for user in (HANNA, CLARA):
        assert any("merged into another" in message_text(one) for one in office.practice.direct(user))
    assert waits(office) == []


@dataclass
class Seconds:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def test_upkeep_under_a_storm_goes_on_where_it_stopped(office: Office) -> None:
    numbers = [told(office) for _ in range(2)]
    seconds = Seconds()
    upkeep = Upkeep(office.notifier, lambda: True, seconds)
    office.practice.faults(throttled_calls=4, retry_after_s=5)
    for _round in range(12):
        upkeep.run()
        seconds.now += 6
    assert all(channel_of(office, HANNA) is not None for _number in numbers)
    office.practice.faults(throttled_calls=0)
    upkeep.run()


def test_clicks_are_answered_while_posting_is_refused(office: Office) -> None:
    """Socket Mode and posting fail apart: a command is still answered over its own address."""
    words = owe_many(office, count=3)
    office.practice.faults(throttled_calls=-1, retry_after_s=30, only_methods=["chat.postMessage"])
    office.deliver()
    outcomes: list[bool] = []
    people = [
        threading.Thread(target=lambda: outcomes.append(office.practice.command(CLARA, "/ethics", "help").ok))
        for _click in range(5)
    ]
    for one in people:
        one.start()
    for one in people:
        one.join()
    assert outcomes == [True] * 5
    office.practice.faults(throttled_calls=0)
    office.board.clock.advance(timedelta(minutes=1))
    deliver_until_calm(office)
    assert in_staff_channel(office) == words

"""When the mailbox is tried again, and when people are told (decisions 32)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.watch import Alarm, Backoff, Recovery, Trouble, Watch

START = datetime(2026, 2, 2, 15, 0, tzinfo=UTC)


def minutes(count: float) -> datetime:
    """So many minutes after watching began."""
    return START + timedelta(minutes=count)


def test_waits_double_from_a_second_to_five_minutes() -> None:
    backoff, waits = Backoff(), []
    for _ in range(10):
        seconds, backoff = backoff.after_unreachable(0.999999)
        waits.append(round(seconds))
    assert waits == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert Backoff().after_unreachable(0.0)[0] == 1.0


@given(st.integers(0, 100_000), st.floats(0, 1, exclude_max=True))
def test_no_wait_is_shorter_than_a_second_or_longer_than_five_minutes(failures: int, chance: float) -> None:
    assert 1.0 <= Backoff(failures).after_unreachable(chance)[0] <= 300.0


@given(st.integers(0, 1_000), st.floats(0, 1, exclude_max=True))
def test_after_a_refused_login_no_wait_is_shorter_than_a_minute(failures: int, chance: float) -> None:
    assert 60.0 <= Backoff(failures).after_refusal(chance)[0] <= 300.0


def test_chance_spreads_the_waits() -> None:
    few, many = (Backoff(5).after_unreachable(chance)[0] for chance in (0.0, 0.9))
    assert few < many


def test_one_refused_login_alarms_nobody_and_the_second_does_once() -> None:
    watch, first = Watch(START).login_refused(minutes(1))
    watch, second = watch.login_refused(minutes(2))
    _, third = watch.login_refused(minutes(3))
    assert first is None
    assert second == Alarm(Trouble.LOGIN_REFUSED, None)
    assert third is None


def test_refusals_with_a_good_sync_between_them_are_not_two() -> None:
    watch, _ = Watch(START).login_refused(minutes(1))
    watch, _ = watch.good_sync(minutes(2))
    assert watch.login_refused(minutes(3))[1] is None


@pytest.mark.parametrize(("silent_for", "alarmed"), [(14.99, False), (15.0, True)])
def test_fifteen_minutes_without_a_good_sync_alarm(silent_for: float, *, alarmed: bool) -> None:
    watch, _ = Watch(START).good_sync(minutes(10))
    _, notice = watch.unreachable(minutes(10 + silent_for))
    assert (notice == Alarm(Trouble.NO_SYNC, minutes(10))) is alarmed


def test_before_the_first_good_sync_silence_counts_from_the_start() -> None:
    assert Watch(START).tick(minutes(14))[1] is None
    assert Watch(START).tick(minutes(15))[1] == Alarm(Trouble.NO_SYNC, None)


def test_an_alarm_is_given_once_and_so_is_the_recovery() -> None:
    watch, alarm = Watch(START).tick(minutes(20))
    assert alarm is not None
    for minute in range(21, 60):
        watch, again = watch.tick(minutes(minute))
        assert again is None
    watch, recovery = watch.good_sync(minutes(60))
    assert recovery == Recovery(Trouble.NO_SYNC, None, minutes(60))
    watch, nothing = watch.good_sync(minutes(61))
    assert nothing is None
    assert watch.tick(minutes(76))[1] == Alarm(Trouble.NO_SYNC, minutes(61))


@pytest.mark.parametrize("trouble", list(Trouble))
def test_an_alarm_says_what_happened_what_is_safe_and_what_to_do(trouble: Trouble) -> None:
    text = str(Alarm(trouble, None))
    assert "No mail is lost" in text
    assert "docket doctor" in text
    assert "@" not in text

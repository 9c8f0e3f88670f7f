"""Each outage is told once and its end once, by Slack and by mail, and stands in the health file meanwhile (I3, R5).

Everything is real but the passing of time: the parts of `docket run` are driven by hand between a Dovecot, a relay
behind a line that can be cut, and the practice Slack.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from bot.cli.serving import Service
from bot.clock import PracticeClock, SystemClock
from bot.connection import ConnectionState
from bot.emergency import PATIENCE_S
from bot.opening import Opened, opened
from bot.practice.client import message_text
from bot.settings import load_settings
from store.outbox import Channel
from store.proceedings.reminders import raise_alarm
from tests.contract.dovecot import ACCOUNT, SECRET
from tests.contract.proxy import Network
from tests.end_to_end.running import RECEIVED, Running, a_complaint, surroundings, wait_until

pytestmark = [pytest.mark.end_to_end, pytest.mark.needs("dovecot")]
WATCHER = "it@city.example"


@dataclass
class Watched:
    """A `docket run` whose parts are driven by hand."""

    running: Running
    line: Network
    clock: PracticeClock
    record: Opened = field(init=False)
    service: Service = field(init=False)
    ran_s: float = 1000.0

    def begin(self) -> None:
        """Put the process together, as after a start."""
        self.record = opened(load_settings(self.running.folder / ".env", {}), self.clock)
        self.service = Service(self.record)
        table = self.service.timetable
        for one in (table, table.emergency, self.service.poll, *table.reach.values()):
            one.seconds = self.seconds
        self.service.poll.mailbox.stop()  # no wait takes time
        table._renew()

    def end(self) -> None:
        """Let go of everything."""
        self.service.connection.stop()
        self.service.poll.mailbox.close()
        self.record.docket.database.engine.dispose()
        self.record.press.close()

    def seconds(self) -> float:
        return self.ran_s

    def later(self, minutes: int) -> None:
        """Let time pass, and deliver what is due."""
        self.ran_s += minutes * 60
        self.clock.advance(timedelta(minutes=minutes))
        self.service.timetable._renew()
        self.service.timetable.drain_once()

    def staff(self, words: str) -> int:
        """How many messages of the staff channel say something."""
        shown = self.running.practice.messages(self.running.users["Ruth Alden"], self.running.staff)
        return sum(words in message_text(one) for one in shown)

    def mailed(self, words: str) -> int:
        """How many mails to whoever looks after Docket say something."""
        letters = self.running.relay.inbox(WATCHER)
        return sum(words in " ".join(one.text.split()) for one in letters)

    def trouble(self) -> list[str]:
        """What the health file calls a trouble."""
        self.service.timetable.guard(self.service.write_health, "timetable.health")
        found = json.loads((self.running.folder / "data" / "health.json").read_text())["trouble"]
        return [one.removeprefix("alarm:") for one in found]


@contextmanager
def _watched(folder: Path) -> Iterator[Watched]:
    with surroundings(folder, DOCKET_ALERT_TO=WATCHER) as running:
        port = int(running.relay.smtp_url.rpartition(":")[2])
        with Network(port) as line:
            running.write_env(DOCKET_SMTP_URL=f"smtp://127.0.0.1:{line.port}")
            clock = PracticeClock(folder / "data")
            clock.set_to(SystemClock().now() + timedelta(minutes=1))
            made = Watched(running, line, clock)
            made.begin()
            try:
                yield made
            finally:
                made.end()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    with _watched(tmp_path) as made:
        yield made


def test_a_mailbox_that_refuses_the_login_is_told_at_the_second_poll(watched: Watched) -> None:
    watched.running.imap.write_accounts({ACCOUNT: "another one"})
    watched.service.poll.once()
    assert watched.trouble() == []
    for _poll in range(3):
        watched.service.poll.once()
        watched.later(1)
    assert watched.trouble() == ["mailbox"]
    assert (watched.staff("refuses Docket's login"), watched.mailed("refuses Docket's login")) == (1, 1)
    watched.running.imap.write_accounts({ACCOUNT: SECRET})
    for _poll in range(3):
        watched.service.poll.once()
        watched.later(1)
    assert watched.trouble() == []
    assert (watched.staff("is read again"), watched.mailed("is read again")) == (1, 1)


def test_a_mailbox_whose_password_was_mended_by_a_restart_is_told_to_be_read_again_once(
    watched: Watched,
) -> None:
    watched.running.imap.write_accounts({ACCOUNT: "another one"})
    for _poll in range(3):
        watched.service.poll.once()
        watched.later(1)
    assert watched.trouble() == ["mailbox"]
    watched.end()
    watched.running.imap.write_accounts({ACCOUNT: SECRET})
    watched.begin()
    for _poll in range(3):
        watched.service.poll.once()
        watched.later(1)
    assert watched.trouble() == []
    assert (watched.staff("is read again"), watched.mailed("is read again")) == (1, 1)


def test_an_alarm_about_a_time_stamp_ends_where_no_authority_is_set_any_more(watched: Watched) -> None:
    raise_alarm(watched.record.docket, "time-stamp", "The head could not be stamped. Check DOCKET_TSA_URL.")
    assert watched.trouble() == ["time-stamp"]
    watched.end()
    watched.begin()
    assert watched.trouble() == []


def test_a_relay_that_is_away_is_told_at_the_second_try_and_the_letter_goes_once(watched: Watched) -> None:
    watched.running.imap.deliver(a_complaint("Ines Calloway", "ines@riverbend.example"), at=RECEIVED)
    watched.line.closed = True
    watched.service.poll.once()
    watched.later(1)
    assert watched.trouble() == []
    for _try in range(6):
        watched.later(10)
    assert watched.trouble() == ["relay"]
    assert watched.staff("mail relay cannot be reached") == 1
    watched.line.closed = False
    for _try in range(4):
        watched.later(61)
    assert watched.trouble() == []
    assert watched.staff("takes letters again") == 1
    assert (watched.mailed("mail relay cannot be reached"), watched.mailed("takes letters again")) == (1, 1)
    assert len(watched.running.relay.inbox("ines@riverbend.example")) == 1


def test_a_recipient_who_is_greylisted_is_no_relay_that_is_away(watched: Watched) -> None:
    watched.running.relay.faults.greylisted = 3
    watched.running.imap.deliver(a_complaint("Ines Calloway", "ines@riverbend.example"), at=RECEIVED)
    watched.service.poll.once()
    for _try in range(4):
        watched.later(20)
    assert watched.staff("relay") == 0
    assert len(watched.running.relay.inbox("ines@riverbend.example")) == 1


@pytest.mark.parametrize("fault", ["failing_calls", "lost_answers"])
def test_a_slack_that_is_away_is_told_by_mail_at_the_second_try(watched: Watched, fault: str) -> None:
    practice = watched.running.practice
    watched.running.imap.deliver(a_complaint("Ines Calloway", "ines@riverbend.example"), at=RECEIVED)
    practice.faults(**{fault: -1})
    watched.service.poll.once()
    watched.later(1)
    for _try in range(6):
        watched.later(5)
    assert watched.trouble() == ["slack"]
    assert watched.mailed("Slack cannot be reached") == 1
    assert watched.mailed("votes in a meeting too, work on the command line") == 1
    practice.faults(**{fault: 0})
    for _try in range(4):
        watched.later(5)
    assert watched.trouble() == []
    assert watched.mailed("Slack can be reached again") == 1


def test_a_slack_that_takes_no_connection_is_told_after_two_looks(watched: Watched) -> None:
    service, practice = watched.service, watched.running.practice
    service.connection.start()
    wait_until(lambda: service.connection.state is ConnectionState.CONNECTED, "no connection")
    service.watch_slack()
    practice.faults(sockets_refused=True)
    practice.drop_sockets()
    wait_until(lambda: service.connection.state is ConnectionState.CONNECTING, "still connected")
    service.watch_slack()
    assert watched.trouble() == []
    for _look in range(4):
        watched.later(1)  # posting works all the while
        service.watch_slack()
    assert watched.trouble() == ["slack"]
    assert watched.mailed("Slack cannot be reached") == watched.staff("Slack cannot be reached") == 1
    practice.faults(sockets_refused=False)
    wait_until(lambda: service.connection.state is ConnectionState.CONNECTED, "no connection again")
    for _look in range(3):
        service.watch_slack()
        watched.later(1)
    assert watched.trouble() == []
    assert watched.mailed("Slack can be reached again") == watched.staff("Slack can be reached again") == 1


def test_tokens_made_anew_end_the_alarm_about_void_ones(watched: Watched) -> None:
    watched.service._slack_is_dead("token_revoked")
    assert watched.trouble() == ["slack"]
    watched.end()
    watched.begin()
    watched.later(1)
    assert watched.trouble() == []
    watched.later(1)
    assert watched.staff("Slack can be reached again") == 1


def test_a_database_that_does_not_answer_is_told_past_the_outbox(watched: Watched) -> None:
    database = watched.record.docket.database
    database.patience.seconds = 0
    holder = sqlite3.connect(watched.running.folder / "data" / "docket.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    table = watched.service.timetable
    for _renewal in range(4):
        table.guard(table._renew_or_tell, "timetable.lease")
        watched.ran_s += PATIENCE_S
    assert watched.trouble() == ["record"]
    assert watched.staff("Another program holds the record") == 1
    assert watched.mailed("Another program holds the record") == 1
    seen = watched.service.vitals()  # reading goes on beside it, but nobody can act
    assert (seen.record, seen.ready, seen.alarms) == (False, False, ("record",))
    holder.execute("ROLLBACK")
    holder.close()
    for _renewal in range(3):
        table.guard(table._renew_or_tell, "timetable.lease")
    assert watched.trouble() == []
    assert watched.service.vitals().record
    assert watched.staff("The record answers again") == watched.mailed("The record answers again") == 1


def test_the_end_of_a_record_that_was_away_is_told_by_the_process_that_was_started_anew(
    watched: Watched,
) -> None:
    watched.record.docket.database.patience.seconds = 0
    holder = sqlite3.connect(watched.running.folder / "data" / "docket.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    for _renewal in range(4):
        watched.service.timetable.guard(watched.service.timetable._renew_or_tell, "timetable.lease")
        watched.ran_s += PATIENCE_S
    assert watched.trouble() == ["record"]
    assert watched.staff("Another program holds the record") == 1
    watched.end()
    holder.execute("ROLLBACK")
    holder.close()
    watched.begin()
    for _renewal in range(3):
        watched.service.timetable._renew_or_tell()
    assert watched.trouble() == []
    assert watched.staff("The record answers again") == watched.mailed("The record answers again") == 1
    watched.end()
    watched.begin()
    watched.service.timetable._renew_or_tell()
    assert watched.staff("The record answers again") == 1


def test_a_mailbox_that_fills_up_is_told_before_it_turns_complaints_away(watched: Watched) -> None:
    for share in (0.5, 0.89, 0.91, 0.97, 1.2, 0.88):
        watched.service.poll.filled(share)
        watched.later(1)
    assert watched.trouble() == ["mailbox-full"]
    assert watched.staff("mailbox is 91% full") == watched.mailed("mailbox is 91% full") == 1
    watched.service.poll.filled(0.3)
    watched.later(1)
    assert watched.trouble() == []
    assert watched.staff("has room again") == 1


def test_a_copy_that_does_not_lead_says_nothing_of_its_own_connection(watched: Watched) -> None:
    watched.service.timetable._leads = False
    watched.service.connection.start()
    wait_until(lambda: watched.service.connection.state is ConnectionState.CONNECTED, "no connection")
    raise_alarm(watched.record.docket, "slack", "Told by the leader. Run docket doctor.")
    watched.service.watch_slack()
    assert watched.trouble() == ["slack"]
    assert watched.service.timetable.reach[Channel.SLACK]._told is None

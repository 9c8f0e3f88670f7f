"""`docket run` from a complaint in Dovecot to a vote in Slack, and what happens when its surroundings fail."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bot.actions.ids import Do
from bot.practice.client import message_text
from bot.practice.state import TokenState
from store.cases import MACHINE, roster_of, verify
from store.outbox import Channel, waiting
from store.rules.facts import ReceivedBy
from tests.contract.dovecot import ACCOUNT, SECRET
from tests.end_to_end.running import RECEIVED, Running, a_complaint, surroundings, wait_until

pytestmark = [pytest.mark.end_to_end, pytest.mark.needs("dovecot")]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with surroundings(tmp_path) as around:
        yield around


def filed(running: Running, address: str = "ines.calloway@riverbend.example") -> str:
    """Deliver a complaint and wait for its receipt; give the case's number."""
    running.imap.deliver(a_complaint("Ines Calloway", address), at=RECEIVED)
    receipt = running.relay.wait_for(address, timeout_s=60.0)[0]
    return next(word.strip(":") for word in receipt.subject.split() if word.startswith("EC-"))


def test_a_complaint_in_the_mailbox_becomes_a_case_a_card_and_a_counted_vote(running: Running) -> None:
    running.start()
    running.connected()
    number = filed(running)
    received = running.case(number).case.received(ReceivedBy.BOARD)
    assert received is not None
    assert received.fact.received_at == RECEIVED
    wait_until(lambda: running.shown("Ruth Alden", f"Case {number}"), "no card")

    wait_until(lambda: running.shown("Ada Merrow", number), "the City Manager was not asked")
    referral = running.shown("Ada Merrow", number)
    assert referral is not None
    running.press("Ada Merrow", referral, Do.REFER)
    running.form("Ruth Alden", number, Do.FORM_CHECK, {"proper": "yes", "signed": "yes", "reason": "seen"})
    running.form(
        "Ruth Alden",
        number,
        Do.NAME_RESPONDENTS,
        {"name": "Dale Whitlow", "email": "dale@bramwell-ky.example"},
    )
    chair = running.users["Iris Falk"]
    running.press("Iris Falk", running.asked("Iris Falk", "meeting", Do.OPEN_MEETING), Do.OPEN_MEETING)
    with running.record() as record, record.docket.database.read() as session:
        people = roster_of(record.docket, session).members
    board = ("Iris Falk", "Samuel Ortiz", "Nell Baird", "Otis Greer")
    there = [str(person) for person, member in people.items() if member.name in board]
    values = {"place": "City Hall", "notice": "posted on Monday", "present": there}
    assert running.practice.submit(chair, values).ok  # type: ignore[arg-type]  # choices as texts
    running.practice.close(chair, clear=True)
    running.form("Iris Falk", number, Do.OPEN_BALLOT, {"question": "jurisdiction"})
    for name in board:
        wait_until(lambda name=name: running.shown(name, "Ballot"), "not asked to vote")
        asked = running.shown(name, "Ballot")
        assert asked is not None
        running.press(name, asked, Do.VOTE)
        user = running.users[name]
        assert running.practice.submit(user, {"choice": "yes", "reasons": "as the papers show"}).ok
        running.practice.close(user, clear=True)
    closing = running.asked("Iris Falk", f"case {number}", Do.CLOSE_BALLOT)
    running.press("Iris Falk", closing, Do.CLOSE_BALLOT)
    ballot = running.case(number).case.ballots[-1]
    assert ballot.closed is not None
    assert (ballot.closed.yes, ballot.closed.outcome) == (4, "carried")

    assert running.stop() == 0
    with running.record() as record:
        assert verify(record.docket, MACHINE) is None
    log = running.log()
    for name in ("Calloway", "Whitlow", "riverbend", "paving"):
        assert name not in log


def test_a_second_copy_on_the_same_data_says_so_and_stops_while_the_first_goes_on(running: Running) -> None:
    running.start()
    running.connected()
    first = running.process
    running.start()
    assert running.process is not None
    assert running.process.wait(60) == 1
    assert "Another `docket run` works on this data folder" in running.log()
    running.process = first
    assert filed(running)
    assert running.stop() == 0


def test_a_killed_process_leaves_the_folder_free_for_the_next_one(running: Running) -> None:
    running.start()
    running.connected()
    filed(running)
    running.stop(signal.SIGKILL)
    running.start()
    assert filed(running, "hal.doyle@quarry.example")
    assert len(running.cases()) == 2


def test_a_wrong_mail_password_is_told_and_mended_without_losing_mail(running: Running) -> None:
    running.imap.write_accounts({ACCOUNT: "another one"})
    running.start()
    running.connected()
    running.imap.deliver(a_complaint("Ines Calloway", "ines@riverbend.example"), at=RECEIVED)
    wait_until((running.folder / "data" / "health.json").exists, "no health file")
    assert running.stop() in {0, 3}
    running.imap.write_accounts({ACCOUNT: SECRET})
    running.start()
    receipt = running.relay.wait_for("ines@riverbend.example", timeout_s=60.0)
    assert len(receipt) == 1
    assert len(running.cases()) == 1


def test_slack_away_keeps_mail_and_dates_alive_and_shows_everything_once_afterwards(running: Running) -> None:
    running.slack.faults.failing_calls = -1
    running.start()
    number = filed(running)
    assert running.case(number).steps
    running.slack.faults.failing_calls = 0
    wait_until(lambda: running.shown("Ruth Alden", f"Case {number}"), "the card did not come afterwards")
    cards = [
        one
        for one in running.practice.direct(running.users["Ruth Alden"])
        if f"Case {number}" in message_text(one)
    ]
    assert len(cards) == 1


def test_a_relay_that_is_away_keeps_the_letter_and_sends_it_once_it_is_back(running: Running) -> None:
    running.relay.faults.greylisted = 1
    running.start()
    running.connected()
    running.imap.deliver(a_complaint("Ines Calloway", "ines@riverbend.example"), at=RECEIVED)
    wait_until(running.cases, "no case")
    assert running.stop() == 0
    with running.record() as record, record.docket.database.read() as session:
        (letter,) = waiting(session, Channel.MAIL)
    assert letter.state.value == "queued"
    assert letter.tries == 1


def test_void_tokens_stop_the_connection_and_nothing_else(running: Running) -> None:
    running.start()
    running.connected()
    running.practice.set_token(TokenState.REVOKED)
    running.practice.drop_sockets()
    assert filed(running)
    assert running.stop() in {0, 3}


def test_wrong_settings_are_named_in_plain_lines_before_anything_starts(running: Running) -> None:
    running.write_env(SLACK_BOT_TOKEN="", DOCKET_IMAP_SINCE="yesterday")
    running.start()
    assert running.process is not None
    assert running.process.wait(60) == 1
    lines = [line for line in running.log().splitlines() if line.startswith("docket: ")]
    assert any("SLACK_BOT_TOKEN" in line for line in lines)
    assert any("DOCKET_IMAP_SINCE" in line for line in lines)
    assert "Traceback" not in running.log()


def test_wrong_keys_are_refused_and_leave_the_record_as_it_is(running: Running) -> None:
    before = running.more["DOCKET_KEYS"]
    running.write_env(DOCKET_KEYS=Fernet.generate_key().decode())
    running.start()
    assert running.process is not None
    assert running.process.wait(60) == 1
    assert "do not open this record" in running.log()
    running.write_env(DOCKET_KEYS=before)
    assert running.cases() == []

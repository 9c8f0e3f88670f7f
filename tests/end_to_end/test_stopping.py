"""SIGTERM ends `docket run` soon, whatever holds it up: a service manager kills what does not end."""

import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.cases import MACHINE, verify
from tests.end_to_end.running import RECEIVED, Running, a_complaint, surroundings, wait_until

pytestmark = [pytest.mark.end_to_end, pytest.mark.needs("dovecot")]
SOON_S = 10.0


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with surroundings(tmp_path) as around:
        yield around


def test_while_another_program_holds_the_record_a_sigterm_ends_it_within_ten_seconds(
    running: Running,
) -> None:
    running.start()
    running.connected()
    running.imap.deliver(a_complaint("Ines Calloway", "ines@riverbend.example"), at=RECEIVED)
    wait_until(running.cases, "no case")
    holder = sqlite3.connect(running.folder / "data" / "docket.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    for number in range(5):
        running.imap.deliver(a_complaint(f"Ines{number} C", f"i{number}@riverbend.example"), at=RECEIVED)
    running.practice.command(running.users["Ruth Alden"], "/ethics", "docket")  # it waits for the record, too
    assert running.process is not None
    running.process.terminate()
    try:
        status = running.process.wait(SOON_S)
    except subprocess.TimeoutExpired:
        pytest.fail("it did not end")
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    running.process = None
    assert status in {0, 3}
    assert "docket.stopped" in running.log()

    running.start()
    wait_until(lambda: len(running.cases()) == 6, "what waited was not filed after the next start")
    assert running.stop() in {0, 3}
    with running.record() as record:
        assert verify(record.docket, MACHINE) is None


def test_a_relay_that_falls_silent_holds_up_no_end_and_the_log_names_the_thread_and_nobody_else(
    running: Running,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        running.write_env(DOCKET_SMTP_URL=f"smtp://127.0.0.1:{silent.getsockname()[1]}")
        running.start()
        running.connected()
        running.imap.deliver(a_complaint("Ines Calloway", "ines@riverbend.example"), at=RECEIVED)
        asked, _address = silent.accept()  # the receipt's connection: taken, and never greeted
        with asked:
            assert running.stop() == 3
    ended = next(one for one in running.log().splitlines() if "docket.ended-hard" in one)
    assert "outbox-mail: " in ended
    assert "Calloway" not in running.log()
    assert "riverbend" not in running.log()

    with sqlite3.connect(running.folder / "data" / "docket.sqlite3") as kept:
        letters = kept.execute("SELECT state FROM outbox WHERE channel = 'mail'").fetchall()
    kept.close()
    assert letters == [("sending",)], "the receipt is still owed: told as uncertain once its claim is over"


def test_a_record_that_was_emptied_is_told_in_plain_words_and_ends_nothing_in_an_error(
    running: Running,
) -> None:
    running.start()
    running.connected()
    running.imap.deliver(a_complaint("Ines Calloway", "ines@riverbend.example"), at=RECEIVED)
    wait_until(running.cases, "no case")
    with sqlite3.connect(running.folder / "data" / "docket.sqlite3", isolation_level=None) as emptied:
        for kind in ("trigger", "table"):
            asked = "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%'"
            for (name,) in emptied.execute(asked, (kind,)).fetchall():
                emptied.execute(f"DROP {kind} {name}")
    emptied.close()
    user = running.users["Ruth Alden"]
    running.practice.command(user, "/ethics", "docket")
    wait_until(lambda: running.shown("Ruth Alden", "holds no record any more"), "no plain answer")
    assert running.stop() == 3
    log = running.log()
    assert "docket.stopped" in log
    assert '"unexpected"' not in log
    assert "Traceback" not in log

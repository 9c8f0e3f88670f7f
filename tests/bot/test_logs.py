"""Logs carry no name, whoever writes them and however."""

import io
import json
import logging
import subprocess
import sys
import warnings
from collections.abc import Iterator
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from bot import logs
from bot.errors import StartFault
from bot.logs import LIBRARIES, code_places, configure_logs, kinds, log_unexpected
from tests.clocks import ManualClock
from tests.logged import logs_put_back

NAME = "Wilhelmina Complainant"


class Written:
    """What stands in the log."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    def only(self) -> dict[str, Any]:
        (line,) = self.lines()
        return line


@pytest.fixture
def written(clock: ManualClock) -> Iterator[Written]:
    """Logs set up at debug level, into a buffer; all that it changes is put back."""
    here = Written()
    with logs_put_back():
        configure_logs("debug", clock, stream=here.stream)
        yield here


class Outcome(StrEnum):
    FILED = "filed"


def test_a_line_has_event_level_instant_and_keys(written: Written, clock: ManualClock) -> None:
    structlog.get_logger().info(
        "mail.filed", case="2026-007", uid=12, outcome=Outcome.FILED, received_on=date(2026, 3, 2), late=False
    )
    assert written.only() == {
        "event": "mail.filed",
        "level": "info",
        "timestamp": clock.now().isoformat(),
        "case": "2026-007",
        "uid": 12,
        "outcome": "filed",
        "received_on": "2026-03-02",
        "late": False,
    }


def test_by_which_way_people_were_told_past_the_outbox_comes_out(written: Written) -> None:
    structlog.get_logger().warning("emergency.not-told", way="mail-0")
    assert written.only()["way"] == "mail-0"


def test_a_job_that_runs_longer_than_its_turn_fills_no_log(written: Written) -> None:
    logging.getLogger("apscheduler.scheduler").warning("maximum number of running instances reached")
    logging.getLogger("apscheduler.scheduler").error("a fault")
    assert written.only()["logger"] == "apscheduler.scheduler"


def test_a_level_below_the_one_set_is_not_written(written: Written, clock: ManualClock) -> None:
    configure_logs("warning", clock, stream=written.stream)
    structlog.get_logger().info("mail.filed")
    structlog.get_logger().warning("mail.later")
    assert written.only()["event"] == "mail.later"


@pytest.mark.parametrize(
    "keys",
    [
        {"sender": NAME},
        {"subject": "Complaint"},
        {"case": NAME},
        {"case": "a@b.example"},
        {"payload": {"name": NAME}},
        {"payload": [NAME]},
        {"payload": NAME.encode()},
        {"error": ValueError(NAME)},
    ],
)
def test_free_text_under_any_key_is_withheld(written: Written, keys: dict[str, Any]) -> None:
    structlog.get_logger().info("mail.filed", **keys)
    line = written.only()
    assert [line[key] for key in keys] == ["(withheld)"]


def test_a_sentence_is_no_event_id(written: Written) -> None:
    structlog.get_logger().info(f"filed the complaint of {NAME}")
    assert written.only()["event"] == "log.unnamed"


@given(text=st.text(min_size=1), key=st.sampled_from(["sender", "text", "file_name"]))
def test_whatever_text_is_logged_it_does_not_come_out(text: str, key: str) -> None:
    assert logs._let_through(key, text) == "(withheld)"


def _fail(name: str) -> None:
    known: dict[str, int] = {}
    try:
        known[name]
    except KeyError as error:
        raise ValueError(f"cannot file the complaint of {name}") from error


def test_an_unexpected_exception_is_logged_by_kind_and_place_under_a_reference(written: Written) -> None:
    with pytest.raises(ValueError, match=NAME) as caught:
        _fail(NAME)
    reference = log_unexpected(structlog.get_logger(), caught.value, case="2026-007")
    line = written.only()
    assert line["reference"] == reference
    assert line["exception"] == ["builtins.ValueError", "builtins.KeyError"]
    assert line["at"][-1].startswith("tests/bot/test_logs.py:")
    assert line["at"][-1].endswith(" _fail")
    assert "Complainant" not in written.stream.getvalue()


def test_two_references_differ() -> None:
    assert logs.new_reference() != logs.new_reference()


def test_each_exception_of_a_group_and_a_loop_of_causes_is_named_once() -> None:
    inner = OSError(NAME)
    group = ExceptionGroup(NAME, [inner, ValueError(NAME)])
    inner.__cause__ = group
    assert kinds(group) == ["builtins.ExceptionGroup", "builtins.OSError", "builtins.ValueError"]
    assert code_places(group) == []


def test_a_caught_exception_logged_with_exc_info_shows_no_text(written: Written) -> None:
    try:
        _fail(NAME)
    except ValueError:
        structlog.get_logger().exception("mail.failed")
    assert written.only()["exception"] == ["builtins.ValueError", "builtins.KeyError"]
    assert "Complainant" not in written.stream.getvalue()


@pytest.mark.parametrize("name", [*LIBRARIES, "imapclient.imaplib", "slack_bolt.App", "never.seen.before"])
def test_of_what_a_library_says_only_logger_level_and_kind_of_exception_are_kept(
    written: Written, name: str
) -> None:
    logger = logging.getLogger(name)
    logger.info("mail from %s", NAME)
    logger.debug(NAME)
    assert written.lines() == []
    try:
        _fail(NAME)
    except ValueError:
        logger.exception("mail from %s", NAME, extra={"who": NAME}, stack_info=True)
    line = written.only()
    assert (line["logger"], line["level"], line["exception"][0]) == (name, "error", "builtins.ValueError")
    assert "Complainant" not in written.stream.getvalue()


def test_a_logger_that_set_its_own_handler_and_level_before_is_held_as_well(
    written: Written, clock: ManualClock
) -> None:
    loud = logging.getLogger("imapclient.loud")
    own = io.StringIO()
    loud.addHandler(logging.StreamHandler(own))
    loud.setLevel(logging.DEBUG)
    loud.propagate = False
    configure_logs("debug", clock, stream=written.stream)
    loud.debug(NAME)
    loud.warning(NAME)
    assert own.getvalue() == ""
    assert written.only()["logger"] == "imapclient.loud"


def test_a_warning_of_python_shows_no_text(written: Written) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)
        logging.captureWarnings(capture=True)
        warnings.warn(NAME, UserWarning, stacklevel=1)
    assert written.only()["logger"] == "py.warnings"
    assert "Complainant" not in written.stream.getvalue()


def test_a_record_that_cannot_be_formatted_prints_nothing_of_itself(
    written: Written, capsys: pytest.CaptureFixture[str]
) -> None:
    written.stream.close()
    logging.getLogger("slack_sdk").error("%d", NAME)
    assert "Complainant" not in capsys.readouterr().err


AT_THE_TOP = """
import sys, threading
from bot.clock import SystemClock
from bot.logs import configure_logs
configure_logs("debug", SystemClock())
NAME = " ".join(["Wilhelmina", "Complainant"])
class Finalized:
    def __del__(self):
        raise LookupError(NAME)
Finalized()
def in_thread():
    raise OSError(NAME)
thread = threading.Thread(target=in_thread)
thread.start()
thread.join()
raise ValueError(NAME)
"""


def test_where_python_itself_would_print_an_exception_no_text_appears() -> None:
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", AT_THE_TOP], capture_output=True, text=True, check=False, cwd=root, timeout=60
    )
    *lines, last = ended.stderr.splitlines()
    assert ended.returncode == 1
    assert [json.loads(line)["exception"] for line in lines] == [
        ["builtins.LookupError"],
        ["builtins.OSError"],
        ["builtins.ValueError"],
    ]
    assert json.loads(lines[-1])["reference"] in last
    assert "Complainant" not in ended.stdout + ended.stderr
    assert datetime.fromisoformat(json.loads(lines[0])["timestamp"]).tzinfo == UTC


@pytest.mark.parametrize("fault", [OSError("no space left"), BrokenPipeError(), ValueError("closed file")])
def test_a_log_that_cannot_be_written_ends_nothing_that_logs(
    written: Written, clock: ManualClock, fault: Exception
) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise fault

        def flush(self) -> None:
            raise fault

    configure_logs("debug", clock, stream=Full())
    structlog.get_logger().info("letter.sent")
    assert log_unexpected(structlog.get_logger(), RuntimeError(NAME)).startswith("R-")
    logging.getLogger("imapclient").error("said")
    assert not written.lines()


def test_a_clock_that_cannot_be_read_leaves_the_line_without_its_instant(written: Written) -> None:
    class Broken:
        def now(self) -> datetime:
            raise StartFault("the practice clock's file cannot be read")

    configure_logs("debug", Broken(), stream=written.stream)
    structlog.get_logger().info("letter.sent")
    assert written.only()["event"] == "letter.sent"
    assert written.only()["timestamp"] is None


def test_the_job_that_failed_is_named(written: Written) -> None:
    structlog.get_logger().error("unexpected", job="outbox.mail")
    assert written.only()["job"] == "outbox.mail"

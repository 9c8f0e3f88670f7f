"""A process that was told to stop ends, whatever is stuck in it."""

import json
import subprocess
import sys

STUCK = """
import threading
from bot.ending import end_within
never = threading.Event()
{what}
end_within(0.3)
{then}
"""
THREAD = "threading.Thread(target=never.wait, name='mailroom').start()"
POOL = (
    "from concurrent.futures import ThreadPoolExecutor; ThreadPoolExecutor(1, 'executor').submit(never.wait)"
)
LISTENER = """
import socket
server = socket.create_server(('127.0.0.1', 0))
def listen():
    with socket.create_connection(server.getsockname()) as line:
        line.recv(1)
threading.Thread(target=listen, name='listener').start()
"""


def _ended(what: str, then: str = "") -> subprocess.CompletedProcess[str]:
    script = STUCK.format(what=what, then=then)
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_thread_that_never_ends_is_named_and_the_process_leaves_with_status_3() -> None:
    ended = _ended(THREAD)
    assert ended.returncode == 3
    assert "docket.ended-hard" in ended.stdout
    assert "mailroom" in ended.stdout


def test_a_server_that_never_answers_does_not_keep_the_process() -> None:
    ended = _ended(LISTENER)
    assert ended.returncode == 3
    assert "listener" in ended.stdout


def test_a_pool_that_the_interpreter_waits_for_at_its_exit_does_not_keep_the_process() -> None:
    ended = _ended(POOL)
    assert ended.returncode == 3
    assert "executor" in ended.stdout


def test_a_main_thread_that_waits_for_ever_while_stopping_does_not_keep_the_process() -> None:
    ended = _ended("", "never.wait()")
    assert ended.returncode == 3
    assert "MainThread" in ended.stdout


def test_a_log_that_nobody_reads_does_not_keep_the_process() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", STUCK.format(what="", then="print('x' * 1_000_000, flush=True)")],
        stdout=subprocess.PIPE,
    )
    with child:
        assert child.wait(60) == 3


def test_something_that_holds_the_interpreter_itself_does_not_keep_the_process() -> None:
    ended = _ended("import ctypes", "ctypes.PyDLL(None).pause()")
    assert ended.returncode == 1
    assert "Timeout" in ended.stderr


def test_a_process_that_ends_by_itself_keeps_its_own_status_and_says_nothing() -> None:
    ended = _ended("", "raise SystemExit(0)")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_the_logs_of_a_running_docket_keep_who_was_stuck_and_where() -> None:
    logs = (
        "from bot.logs import configure_logs; from bot.clock import SystemClock; "
        "configure_logs('info', SystemClock())"
    )
    ended = _ended(f"{logs}\n{THREAD}")
    line = next(json.loads(one) for one in ended.stderr.splitlines() if "docket.ended-hard" in one)
    (stuck,) = [one for one in line["threads"] if one.startswith("mailroom: ")]
    assert "threading.py:" in stuck
    assert " wait" in stuck

"""Whatever a child does, the parent gets an outcome and the next file is read."""

import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from intake.pdf.finding import Finding, Signature
from intake.pdf.judge import conclude, judge
from intake.pdf.limits import Limits
from intake.pdf.sandbox import Sandbox
from intake.pdf.trust import NO_ROOTS
from tests.intake.pdf.conftest import CASES, ENDLESS, RECEIVED

SHORT = Limits(wall_s=0.5, cpu_s=1, memory_bytes=512 << 20)
HOSTILE = ["hang", "spin", "eat_memory", "kill_itself", "babble", "flood", "speak_in_tongues", "no_such_task"]


def _works(sandbox: Sandbox) -> bool:
    return sandbox.run("hostile_tasks:echo", b"content", limits=Limits()).binary == b"content"


@pytest.mark.parametrize("task", HOSTILE)
def test_a_child_that_fails_leaves_the_file_to_a_person(task: str, sandbox: Sandbox) -> None:
    finding = conclude(sandbox.run(f"hostile_tasks:{task}", b"x", limits=SHORT))
    assert finding.signature is Signature.NEEDS_HUMAN
    assert finding.reasons
    assert _works(sandbox)


def test_every_file_has_a_child_of_its_own(sandbox: Sandbox) -> None:
    pids = {sandbox.run("hostile_tasks:echo", b"", limits=Limits()).messages[0]["pid"] for _ in range(3)}
    assert len(pids) == 3


def test_the_standing_process_is_started_again_after_it_was_killed(sandbox: Sandbox) -> None:
    assert _works(sandbox)
    killed = sandbox.server_pid
    os.kill(killed, signal.SIGKILL)
    assert _works(sandbox)
    assert sandbox.server_pid != killed


def test_a_forked_process_reads_files_of_its_own_accord(sandbox: Sandbox) -> None:
    assert _works(sandbox)
    pid = os.fork()
    if pid == 0:
        os._exit(0 if _works(sandbox) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert _works(sandbox)


def test_hostile_files_at_once_do_not_break_a_good_one(sandbox: Sandbox) -> None:
    good = (CASES / "typed-conformed.pdf").read_bytes()
    with ThreadPoolExecutor(9) as threads:
        bad = [threads.submit(sandbox.run, f"hostile_tasks:{task}", b"", limits=SHORT) for task in HOSTILE]
        found = judge(good, trust=NO_ROOTS, moment=RECEIVED, sandbox=sandbox)
        assert all(conclude(one.result()).signature is Signature.NEEDS_HUMAN for one in bad)
    assert found.signature is Signature.TYPED


@pytest.mark.end_to_end
def test_thirty_hostile_pdfs_at_once_hold_a_good_one_up_for_no_longer_than_their_own_limits(
    sandbox: Sandbox,
) -> None:
    """On the real judge: the good one is found while those that would never end are still being read."""
    endless = (CASES / ENDLESS).read_bytes()
    bombs = [path.read_bytes() for path in sorted(CASES.glob("bomb-*.pdf")) if path.name != ENDLESS]
    hostile = [endless] * 15 + (bombs * 15)[:15]
    limits = Limits(wall_s=12.0, cpu_s=12, reading_s=60.0)
    good = (CASES / "typed-conformed.pdf").read_bytes()

    def judged(content: bytes) -> Finding:
        return judge(content, trust=NO_ROOTS, moment=RECEIVED, limits=limits, sandbox=sandbox)

    with ThreadPoolExecutor(len(hostile)) as threads:
        running = [threads.submit(judged, content) for content in hostile]
        found = judged(good)
        still_read = sum(not one.done() for one in running)
        ended = [one.result() for one in running]
    assert found.signature is Signature.TYPED
    assert still_read > 0
    assert len(ended) == 30
    assert {one.signature for one in ended[:15]} == {Signature.NEEDS_HUMAN}
    assert all(one.reasons for one in ended[:15])


def test_a_child_calls_nobody(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        request = {"port": server.getsockname()[1]}
        answer = sandbox.run("hostile_tasks:call_out", b"", limits=Limits(), request=request)
    assert answer.messages[-1]["called"] is False


def test_a_child_writes_no_file(sandbox: Sandbox, tmp_path: Path) -> None:
    request = {"path": str(tmp_path / "written")}
    answer = sandbox.run("hostile_tasks:write_a_file", b"", limits=Limits(), request=request)
    assert not any(message.get("written") for message in answer.messages)
    assert not (tmp_path / "written").exists() or (tmp_path / "written").stat().st_size == 0


def test_a_child_sees_none_of_the_parents_secrets(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKET_KEYS", "secret")
    answer = sandbox.run("hostile_tasks:tell_environment", b"", limits=Limits())
    assert "DOCKET_KEYS" not in answer.messages[-1]["names"]  # type: ignore[operator]


def test_what_was_told_before_a_child_was_stopped_is_kept() -> None:
    bomb = (CASES / "bomb-shared-content-1000p.pdf").read_bytes()
    found = judge(bomb, trust=NO_ROOTS, moment=RECEIVED, limits=Limits(cpu_s=1, reading_s=60))
    assert found.signature is Signature.NEEDS_HUMAN
    assert found.pages == 1001
    assert any("stopped" in reason for reason in found.reasons)


def test_no_descriptor_is_left_open(sandbox: Sandbox) -> None:
    assert _works(sandbox)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        sandbox.run("hostile_tasks:kill_itself", b"", limits=SHORT)
    assert len(list(Path("/proc/self/fd").iterdir())) == before

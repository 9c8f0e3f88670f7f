"""The parent's side of the limited child processes: hand over one file, wait, take the answer.

Safe from several threads and after a fork; an end of the child is an outcome, and an end of the
standing process is mended by starting another.
"""

import atexit
import contextlib
import dataclasses
import json
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from intake.pdf.forkserver import BINARY_FRAME, FRAME, HEADER, JSON_FRAME, asking
from intake.pdf.limits import Limits

_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from intake.pdf.forkserver import serve; serve(3)"
_GRACE_S = 3.0  # the child's own alarm comes first; this is for a child that could not set it
_TRIES = 3


class SandboxUnavailable(Exception):
    """No child process could be started; the file was not looked at and nothing is lost."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from one child.

    Attributes:
        messages: the JSON objects it wrote, in order; anything else it wrote ends the list.
        binary: the last binary part, empty where there was none.
        stopped: why the child did not come to its end, as a plain sentence; empty if it did.
    """

    messages: tuple[Mapping[str, object], ...]
    binary: bytes
    stopped: str


class Sandbox:
    """One standing process and the children it forks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._pid = 0
        self._owner = 0

    def run(
        self,
        task: str,
        content: bytes,
        *,
        limits: Limits,
        request: Mapping[str, object] | None = None,
        needs: str = "",
    ) -> Answer:
        """Run one task on one file in a fresh child.

        Args:
            task: ``module:function`` called with (header, content, send) in the child.
            content: the file.
            limits: bounds of the child.
            request: further JSON values for the task's header.
            needs: a module of `LOADED_LATER` that the task will use beside its own.

        Raises:
            SandboxUnavailable: no child could be started, tried three times.
        """
        header = {"task": task, "limits": dataclasses.asdict(limits), **(request or {})}
        reader, writer = os.pipe()
        try:
            file = _memory_file(json.dumps(header).encode(), content)
            try:
                child = self._child(asking(needs or task.partition(":")[0]), file, writer)
            finally:
                os.close(file)
        except BaseException:
            os.close(reader)
            raise
        finally:
            os.close(writer)
        try:
            return _collect(reader, limits)
        finally:
            os.close(reader)
            _end(child)

    def close(self) -> None:
        """End the standing process; the next file starts another."""
        with self._lock:
            self._stop()

    @property
    def server_pid(self) -> int:
        """Process number of the standing process; 0 while there is none."""
        return self._pid if self._owner == os.getpid() else 0

    def _child(self, asked: bytes, file: int, writer: int) -> int:
        """Give the process descriptor of a new child that holds the two descriptors."""
        for _ in range(_TRIES):
            with self._lock:
                try:
                    return self._ask(asked, file, writer)
                except OSError:
                    self._stop()
        raise SandboxUnavailable(
            "No process for reading PDFs could be started; the file is kept and unread. "
            "Free memory or processes on this machine and try again."
        )

    def _ask(self, asked: bytes, file: int, writer: int) -> int:
        parent = self._running()
        socket.send_fds(parent, [asked], [file, writer])
        message, descriptors, _, _ = socket.recv_fds(parent, 1, 1)
        if not message or not descriptors:
            raise ConnectionResetError
        return descriptors[0]

    def _running(self) -> socket.socket:
        if self._socket is not None and self._owner == os.getpid():
            return self._socket
        self._stop()
        ours, theirs = socket.socketpair()
        with theirs:
            self._pid = _spawn(theirs.fileno())
        ours.settimeout(30.0)
        self._socket, self._owner = ours, os.getpid()
        return ours

    def _stop(self) -> None:
        standing, self._socket = self._socket, None
        if standing is not None:
            standing.close()
        if self._pid and self._owner == os.getpid():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._pid, 0)
        self._pid = 0

    def renew_lock(self) -> None:
        """Replace the lock in a forked process, where another thread may have held it at the fork."""
        self._lock = threading.Lock()


def _spawn(socket_fd: int) -> int:
    """Start the standing process with no secret in its environment and nothing open but its socket."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    path = json.dumps([entry or os.getcwd() for entry in sys.path])  # noqa: PTH109  text for the list
    return os.posix_spawn(
        sys.executable,
        [sys.executable, "-I", "-B", "-c", _START, path],
        {"LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"},
        file_actions=[(os.POSIX_SPAWN_DUP2, socket_fd, 3), *quiet],
    )


def _memory_file(header: bytes, content: bytes) -> int:
    """Put header and file into anonymous memory, so that neither touches a disk."""
    file = os.memfd_create("pdf")
    try:
        for part in (HEADER.pack(len(header)), header, content):
            rest = memoryview(part)
            while rest:
                rest = rest[os.write(file, rest) :]
        os.lseek(file, 0, os.SEEK_SET)
    except BaseException:
        os.close(file)
        raise
    return file


def _end(child: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(child, signal.SIGKILL)
    os.close(child)


def _collect(reader: int, limits: Limits) -> Answer:
    """Read what the child writes until it ends, its time is over, or it writes too much."""
    began = time.monotonic()
    received = bytearray()
    waiting = select.poll()
    waiting.register(reader, select.POLLIN | select.POLLHUP)
    while len(received) <= limits.result_bytes:
        left = began + limits.wall_s + _GRACE_S - time.monotonic()
        if left <= 0 or not waiting.poll(left * 1000):
            break
        part = os.read(reader, 1 << 16)
        if not part:
            return _answer(received, slow=time.monotonic() - began >= limits.wall_s)
        received += part
    return _answer(received, slow=True)


def _answer(received: bytearray, *, slow: bool) -> Answer:
    messages: list[Mapping[str, object]] = []
    binary = b""
    for kind, payload in _frames(bytes(received)):
        if kind == BINARY_FRAME:
            binary = payload
            continue
        message = _json_object(payload) if kind == JSON_FRAME else None
        if message is None:
            return Answer(tuple(messages), b"", "The reader of this file gave an answer that makes no sense.")
        messages.append(message)
    if messages and messages[-1].get("done") is True:
        return Answer(tuple(messages), binary, "")
    return Answer(tuple(messages), b"", _why(slow=slow))


def _why(*, slow: bool) -> str:
    if slow:
        return "Reading this file was stopped: it took too long or answered too much."
    return "Reading this file was stopped: it used too much memory or time, or broke the reader."


def _frames(received: bytes) -> list[tuple[bytes, bytes]]:
    frames: list[tuple[bytes, bytes]] = []
    place = 0
    while place + FRAME.size <= len(received):
        kind, length = FRAME.unpack_from(received, place)
        place += FRAME.size
        if place + length > len(received):
            break
        frames.append((kind, received[place : place + length]))
        place += length
    return frames


def _json_object(payload: bytes) -> Mapping[str, object] | None:
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


SHARED = Sandbox()
atexit.register(SHARED.close)
os.register_at_fork(after_in_child=SHARED.renew_lock)

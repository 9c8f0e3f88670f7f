"""The standing process that keeps the PDF libraries loaded and forks one limited child per file.

It is started by `sandbox.Sandbox` with an environment that holds no secret, no standard streams, and
one socket to its parent. `multiprocessing` has a server of this kind too; it is not used because its
children inherit the parent's environment (keys and tokens) and run the parent's main module again,
its answers are pickles, and it cannot be used again after a fork.

For each request the parent passes the file (an anonymous memory file) and the pipe for the answer;
the server answers with a process descriptor (pidfd), by which the parent can end the child without
ever meeting another process that got the same number.
"""

import contextlib
import gc
import importlib
import json
import logging
import os
import resource
import signal
import socket
import struct
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any

LOADED_LATER = (
    "intake.pdf.signatures",
    "intake.pdf.picture_child",
    "intake.pdf.photos_child",
    "intake.pdf.one_print_child",
)
"""What most files do not need: loaded before the fork of the first child that does, and then kept."""
HEADER = struct.Struct("!I")
FRAME = struct.Struct("!cI")
JSON_FRAME = b"J"
BINARY_FRAME = b"B"

Send = Callable[[bytes, bytes], None]


def serve(socket_fd: int) -> None:
    """Fork a child for every request until the parent closes its end.

    Args:
        socket_fd: descriptor of this side of the stream socket to the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent; it closes the socket
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    logging.disable(logging.CRITICAL)  # the libraries name what they read
    warnings.simplefilter("ignore")
    importlib.import_module("intake.pdf.warming").warm_up()
    _settle()
    with socket.socket(fileno=socket_fd) as parent:
        while True:
            _reap()
            message, descriptors, _, _ = socket.recv_fds(parent, 1, 2)
            if not message:
                return
            _load(message[0])
            if len(descriptors) == 2:  # noqa: PLR2004  the file and the pipe for the answer
                _fork(parent, descriptors[0], descriptors[1])


def asking(module: str) -> bytes:
    """Give the request of a child whose task a module does; the module is loaded before the fork if it is one of those."""
    return bytes([LOADED_LATER.index(module) + 1 if module in LOADED_LATER else 0])


def _load(asked: int) -> None:
    """Load what a child is about to need, once for it and all later ones."""
    if asked and LOADED_LATER[asked - 1] not in sys.modules:
        importlib.import_module(LOADED_LATER[asked - 1])
        _settle()


def _settle() -> None:
    """Keep the collector from writing on the pages that children share."""
    gc.collect()
    gc.freeze()


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _fork(parent: socket.socket, request_fd: int, answer_fd: int) -> None:
    pid = os.fork()
    if pid == 0:
        parent.close()
        _be_the_child(request_fd, answer_fd)
    os.close(request_fd)
    os.close(answer_fd)
    child = os.pidfd_open(pid)
    try:
        socket.send_fds(parent, [b"c"], [child])
    finally:
        os.close(child)


def _be_the_child(request_fd: int, answer_fd: int) -> None:
    """Do the one task and leave without returning; whatever goes wrong ends here."""
    status = 1
    try:
        with open(request_fd, "rb") as request:
            header = json.loads(request.read(HEADER.unpack(request.read(HEADER.size))[0]))
            content = request.read()
        restrict(header["limits"])
        module, _, name = header["task"].partition(":")
        task = getattr(importlib.import_module(module), name)
        task(header, content, _sender(answer_fd))
        status = 0
    except BaseException:  # noqa: BLE001  the sandbox's own boundary: a child has nobody to tell
        status = 1
    finally:
        os._exit(status)


def _sender(answer_fd: int) -> Send:
    def send(kind: bytes, payload: bytes) -> None:
        rest = memoryview(FRAME.pack(kind, len(payload)) + payload)
        while rest:
            rest = rest[os.write(answer_fd, rest) :]

    return send


def restrict(limits: Mapping[str, Any]) -> None:
    """Take from the calling process what a reader of one file does not need.

    Args:
        limits: the fields of `Limits`. The alarm has its default action, so the kernel ends the
            process even inside a library that never returns to Python.
    """
    os.nice(5)  # a hostile file must not take the processor from mail and Slack
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(float(limits["wall_s"]), 0.01))
    cpu_s = int(limits["cpu_s"])
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    memory = int(limits["memory_bytes"])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    for name in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
        resource.setrlimit(name, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    socket.socket = _LocalSocket  # type: ignore[misc]
    sys.setrecursionlimit(1_500)


class _LocalSocket(socket.socket):
    """Stands in for `socket.socket` in a child: pyHanko's event loop needs a local pair, and nothing calls out."""

    def __init__(
        self,
        family: int = -1,
        type: int = -1,  # noqa: A002  the standard library's name
        proto: int = -1,
        fileno: int | None = None,
    ) -> None:
        if family != socket.AF_UNIX:
            raise PermissionError("A process that reads PDFs opens no connection.")
        super().__init__(family, type, proto, fileno)

"""What a broken or captured reader might do; run in the limited child by the tests."""

import json
import os
import signal
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intake.pdf.forkserver import BINARY_FRAME, JSON_FRAME, Send


def hang(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    while True:
        time.sleep(60)


def spin(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    while True:
        pass


def eat_memory(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(b"\1" * (64 << 20)))


def kill_itself(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def babble(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    send(JSON_FRAME, b"\xff not json")
    send(JSON_FRAME, json.dumps({"done": True}).encode())


def flood(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    while True:
        send(BINARY_FRAME, bytes(1 << 20))


def speak_in_tongues(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    send(b"?", b"what")


def call_out(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    try:
        socket.create_connection(("127.0.0.1", int(header["port"])), timeout=1)
    except OSError:
        send(JSON_FRAME, json.dumps({"done": True, "called": False}).encode())
        return
    send(JSON_FRAME, json.dumps({"done": True, "called": True}).encode())


def write_a_file(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    try:
        with Path(header["path"]).open("wb") as file:
            file.write(b"x" * 10)
    except OSError:
        written = False
    else:
        written = True
    send(JSON_FRAME, json.dumps({"done": True, "written": written}).encode())


def tell_environment(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    send(JSON_FRAME, json.dumps({"done": True, "names": sorted(os.environ)}).encode())


def echo(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    send(BINARY_FRAME, content)
    send(JSON_FRAME, json.dumps({"done": True, "pid": os.getpid()}).encode())

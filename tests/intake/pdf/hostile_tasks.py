"""What a broken or captured reader might do; run in the limited child by the tests."""

import json
import os
import signal
import socket
import time
from pathlib import Path

from intake.pdf.forkserver import BINARY_FRAME, JSON_FRAME


def hang(header, content, send):
    while True:
        time.sleep(60)


def spin(header, content, send):
    while True:
        pass


def eat_memory(header, content, send):
    hoard = []
    while True:
        hoard.append(bytearray(b"\1" * (64 << 20)))


def kill_itself(header, content, send):
    os.kill(os.getpid(), signal.SIGKILL)


def babble(header, content, send):
    send(JSON_FRAME, b"\xff not json")
    send(JSON_FRAME, json.dumps({"done": True}).encode())


def flood(header, content, send):
    while True:
        send(BINARY_FRAME, bytes(1 << 20))


def speak_in_tongues(header, content, send):
    send(b"?", b"what")


def call_out(header, content, send):
    try:
        socket.create_connection(("127.0.0.1", int(header["port"])), timeout=1)
    except OSError:
        send(JSON_FRAME, json.dumps({"done": True, "called": False}).encode())
        return
    send(JSON_FRAME, json.dumps({"done": True, "called": True}).encode())


def write_a_file(header, content, send):
    try:
        with Path(header["path"]).open("wb") as file:
            file.write(b"x" * 10)
    except OSError:
        written = False
    else:
        written = True
    send(JSON_FRAME, json.dumps({"done": True, "written": written}).encode())


def tell_environment(header, content, send):
    send(JSON_FRAME, json.dumps({"done": True, "names": sorted(os.environ)}).encode())


def echo(header, content, send):
    send(BINARY_FRAME, content)
    send(JSON_FRAME, json.dumps({"done": True, "pid": os.getpid()}).encode())

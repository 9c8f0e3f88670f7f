"""Many people asking one web server at once, from a process of their own: `python -m tests.bench_crowd`.

Read by `tests.bench`. Were they threads of the process that answers, their own work would be counted as its.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any


def crowd(
    port: int, path: str, body: str, headers: Mapping[str, str], *, people: int, times: int
) -> list[float]:
    """Let many people post the same at once, each many times; milliseconds of each request.

    Args:
        port: where loopback answers.
        path: the path.
        body: what is posted.
        headers: with its signature.
        people: how many at once, each over a connection that stays open.
        times: how often each asks.

    Raises:
        RuntimeError: one was not answered with 200.
    """
    asked = {
        "port": port,
        "path": path,
        "body": body,
        "headers": dict(headers),
        "people": people,
        "times": times,
    }
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench_crowd"],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise RuntimeError(ran.stderr)
    found: list[float] = json.loads(ran.stdout)
    return found


def _one(asked: Mapping[str, Any], ready: threading.Barrier) -> list[float]:
    connection = HTTPConnection("127.0.0.1", asked["port"], timeout=60)
    connection.connect()
    ready.wait(60)
    took = []
    for _ in range(asked["times"]):
        began = time.perf_counter()
        connection.request("POST", asked["path"], asked["body"], asked["headers"])
        answer = connection.getresponse()
        answer.read()
        took.append((time.perf_counter() - began) * 1000)
        if answer.status != 200:
            raise RuntimeError(f"answered {answer.status}")
    connection.close()
    return took


def main() -> int:
    """Read what to ask from standard input, ask, and write the times."""
    asked = json.load(sys.stdin)
    ready = threading.Barrier(asked["people"])
    with ThreadPoolExecutor(asked["people"]) as pool:
        each = list(pool.map(lambda _person: _one(asked, ready), range(asked["people"])))
    json.dump([took for one in each for took in one], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())

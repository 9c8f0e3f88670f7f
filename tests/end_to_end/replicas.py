"""Three copies of `docket run` on one PostgreSQL, Slack over HTTP, and what tests do with them."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.actions.ids import Do
from bot.practice.acts import Outcome
from bot.practice.client import action_ids
from bot.practice.state import Message
from tests.end_to_end.running import (
    PATIENCE_S,
    RECEIVED,
    ROOT,
    Running,
    a_complaint,
    surroundings,
    wait_until,
)

COPIES = 3
PEOPLE_AT_ONCE = 50


def free_port() -> int:
    """A port that nothing listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


@dataclass
class Copy:
    """One `docket run` with addresses of its own."""

    running: Running
    slack_port: int = field(default_factory=free_port)
    health_port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it shares settings, data and database with the others."""
        own = {"SLACK_LISTEN": f"127.0.0.1:{self.slack_port}", "DOCKET_HEALTH_PORT": str(self.health_port)}
        with (self.running.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    "from bot.cli import main; main()",
                    "run",
                    "--data",
                    self.running.folder,
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=ROOT,
                env={**os.environ, **own},
            )

    def asked(self, path: str) -> tuple[int, str]:
        """Ask its health page; status 0 where it does not answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.health_port, timeout=10)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except OSError:
            return 0, ""
        finally:
            connection.close()

    def ready(self) -> bool:
        """Whether it says that it can be of use."""
        return self.asked("/readyz")[0] == http.HTTPStatus.OK

    def leads(self) -> bool:
        """Whether it says that it leads."""
        status, said = self.asked("/readyz")
        return bool(status) and bool(json.loads(said)["leader"])

    def end(self, number: int) -> None:
        """Send it a signal and wait."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(PATIENCE_S)
            self.process = None


@dataclass
class Copies:
    """The copies and what runs around them."""

    running: Running
    every: list[Copy]

    def leader(self) -> Copy:
        """Wait for exactly one that leads."""
        wait_until(lambda: sum(one.leads() for one in self.every if one.process) == 1, "no single leader")
        return next(one for one in self.every if one.process and one.leads())


@contextmanager
def running_copies(folder: Path, postgres_url: str) -> Iterator[Copies]:
    """Three copies that are ready, on one database, with everything around them."""
    # how fast fifty at once are answered hangs on the machine; that all of them are does not
    with surroundings(
        folder, ack_within_s=60.0, DOCKET_DATABASE_URL=postgres_url, SLACK_SIGNING_SECRET=""
    ) as around:
        every = [Copy(around) for _ in range(COPIES)]
        around.slack.send_requests_to(f"http://127.0.0.1:{one.slack_port}/slack/events" for one in every)
        try:
            for one in every:
                one.start()
            wait_until(lambda: all(one.ready() for one in every), "a copy is not ready", 3 * PATIENCE_S)
            yield Copies(around, every)
        finally:
            for one in every:
                one.end(signal.SIGKILL)


def referring(running: Running, number: str) -> tuple[Message, str]:
    """Wait until the City Manager is asked; give the message and its button."""
    wait_until(lambda: running.shown("Ada Merrow", number), "the City Manager was not asked")
    message = running.shown("Ada Merrow", number)
    assert message is not None
    return message, next(one for one in action_ids(message) if one.partition(":")[0] == Do.REFER)


def fifty_clicks(running: Running, message: Message, button: str) -> list[Outcome]:
    """Click one button fifty times at once; give what came of each."""
    with ThreadPoolExecutor(PEOPLE_AT_ONCE) as crowd:
        clicks = [
            crowd.submit(running.practice.click, running.users["Ada Merrow"], message, button)
            for _ in range(PEOPLE_AT_ONCE)
        ]
        return [one.result() for one in clicks]


def filed(copies: Copies, address: str, name: str = "Ines Calloway") -> str:
    """Deliver a complaint and wait for its receipt; give the case's number."""
    copies.running.imap.deliver(a_complaint(name, address), at=RECEIVED)
    receipt = copies.running.relay.wait_for(address, timeout_s=PATIENCE_S)[0]
    return next(word.strip(":") for word in receipt.subject.split() if word.startswith("EC-"))

"""How long until another copy works when the leading one is killed: `python -m tests.failover --rounds 10`.

Three copies of `docket run` on one PostgreSQL. In each round the leader gets SIGKILL at a drawn instant of its lease
while fifty clicks on one button are on their way, and a complaint is delivered at once. Printed is how long it took
until another said that it leads, and until that complaint's receipt was in its sender's mailbox; in the end every
complaint has one case and one receipt, every referral stands once, and the journal verifies. Afterwards the leader is
stopped and goes on when another leads, as a machine that slept: it must do nothing that the other did.
"""

import argparse
import json
import random
import signal
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from store.cases import MACHINE, verify
from store.rules.facts import Referred
from tests.contract.postgres import a_postgres
from tests.end_to_end.replicas import COPIES, Copies, Copy, fifty_clicks, filed, referring, running_copies
from tests.end_to_end.running import RECEIVED, a_complaint, wait_until

GOAL_S = 10.0
STARTS_S = 600.0  # on a machine that others work on as well


@dataclass
class Seen:
    """What was seen, in seconds and counts."""

    leads_s: list[float] = field(default_factory=list)
    receipt_s: list[float] = field(default_factory=list)
    unanswered: int = 0
    clicks: int = 0
    pauses: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass
class Game:
    """Rounds on three copies that are ready.

    Attributes:
        copies: the copies.
        draw: draws the instants.
        numbers: address to the number of its case.
    """

    copies: Copies
    draw: random.Random
    seen: Seen = field(default_factory=Seen)
    numbers: dict[str, str] = field(default_factory=dict)

    def begin(self) -> None:
        """File the first complaint."""
        self.numbers["first@riverbend.example"] = filed(
            self.copies, "first@riverbend.example", "Person First"
        )

    def kill(self, turn: int) -> None:
        """Kill the leader under fifty clicks, and start it again."""
        running, number = self.copies.running, list(self.numbers.values())[-1]
        message, button = referring(running, number)
        leader = self._leader_at_any_instant()
        with ThreadPoolExecutor(1) as people:
            crowd = people.submit(fifty_clicks, running, message, button)
            leader.end(signal.SIGKILL)
            self._another_works(turn, leader)
            outcomes = crowd.result()
        self.seen.clicks += len(outcomes)
        self.seen.unanswered += sum(not one.ok for one in outcomes)
        stands = sum(1 for _ in running.case(number).case.all(Referred))
        if stands != 1:
            self.seen.wrong.append(f"round {turn}: the referral stands {stands} times")
        leader.start()
        wait_until(leader.ready, "the killed copy did not come back", STARTS_S)

    def pause(self, turn: int) -> None:
        """Stop the leader as a machine does that is put to sleep, and let it go on when another leads."""
        leader = self._leader_at_any_instant()
        assert leader.process is not None
        leader.process.send_signal(signal.SIGSTOP)
        try:
            self._another_works(turn, leader)
        finally:
            leader.process.send_signal(signal.SIGCONT)
        self.seen.pauses += 1
        wait_until(lambda: sum(one.leads() for one in self.copies.every) == 1, "no single leader", STARTS_S)

    def end(self) -> None:
        """Hold the record and the mail against what was sent."""
        running, wrong = self.copies.running, self.seen.wrong
        if sorted(number for _key, number in running.cases()) != sorted(self.numbers.values()):
            wrong.append(f"{len(running.cases())} cases of {len(self.numbers)} complaints")
        wrong += [
            f"a sender got {len(running.relay.inbox(address))} receipts"
            for address in self.numbers
            if len(running.relay.inbox(address)) != 1
        ]
        with running.record() as record:
            if verify(record.docket, MACHINE) is not None:
                wrong.append("the journal does not verify")

    def _leader_at_any_instant(self) -> Copy:
        leader = self.copies.leader()
        time.sleep(self.draw.random() * 2)  # the lease is renewed each two seconds
        return leader

    def _another_works(self, turn: int, gone: Copy) -> None:
        """Deliver a complaint, and note when another copy leads and when its receipt came."""
        began, running = time.monotonic(), self.copies.running
        address = f"person{turn}@riverbend.example"
        running.imap.deliver(a_complaint(f"Person Number{turn}", address), at=RECEIVED)
        others = [one for one in self.copies.every if one is not gone]
        wait_until(lambda: any(one.leads() for one in others), "nobody leads", STARTS_S)
        self.seen.leads_s.append(round(time.monotonic() - began, 1))
        (receipt,) = running.relay.wait_for(address, timeout_s=STARTS_S)
        self.seen.receipt_s.append(round(time.monotonic() - began, 1))
        self.numbers[address] = next(
            word.strip(":") for word in receipt.subject.split() if word.startswith("EC-")
        )


def play(copies: Copies, rounds: int, pauses: int, draw: random.Random) -> Seen:
    """Kill the leader again and again, then let it sleep again and again.

    Args:
        copies: three that are ready.
        rounds: how often it is killed.
        pauses: how often it sleeps.
        draw: draws the instants.
    """
    game = Game(copies, draw)
    game.begin()
    for turn in range(rounds):
        game.kill(turn)
    for turn in range(rounds, rounds + pauses):
        game.pause(turn)
    game.end()
    return game.seen


def main() -> int:
    """Play the rounds and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--pauses", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="dkt-fail-") as folder,
        a_postgres() as server,
        running_copies(Path(folder), server.new_database()) as copies,
    ):
        seen = play(copies, given.rounds, given.pauses, random.Random(given.seed))
    slow = sum(one > GOAL_S for one in seen.leads_s)
    print(
        json.dumps(
            {
                "copies": COPIES,
                "another leads after, s": {"median": statistics.median(seen.leads_s), "each": seen.leads_s},
                "receipt of a mail sent at the kill, s": {
                    "median": statistics.median(seen.receipt_s),
                    "each": seen.receipt_s,
                },
                f"slower than {GOAL_S:.0f} s": slow,
                "times it slept and woke under another leader": seen.pauses,
                "clicks, fifty at once": seen.clicks,
                "clicks that got no answer": seen.unanswered,
                "wrong": seen.wrong,
            },
            indent=1,
        )
    )
    return 1 if seen.wrong or slow else 0


if __name__ == "__main__":
    sys.exit(main())

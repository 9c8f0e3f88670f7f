"""How long until another copy works when the leading one is killed: `python -m tests.failover --rounds 10`.

Three copies of `docket run` on one PostgreSQL. In each round the leader gets SIGKILL at a drawn instant of its lease
while fifty clicks on one button are on their way, and a complaint is delivered at once. Printed is how long it took
until another said that it leads, and until that complaint's receipt was in its sender's mailbox; in the end every
complaint has one case, every referral stands once, and the journal verifies.
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
from tests.end_to_end.replicas import COPIES, Copies, fifty_clicks, filed, referring, running_copies
from tests.end_to_end.running import RECEIVED, a_complaint, wait_until

GOAL_S = 10.0


@dataclass
class Seen:
    """What was seen, in seconds and counts."""

    leads_s: list[float] = field(default_factory=list)
    receipt_s: list[float] = field(default_factory=list)
    unanswered: int = 0
    clicks: int = 0
    wrong: list[str] = field(default_factory=list)


def play(copies: Copies, rounds: int, draw: random.Random) -> Seen:
    """Kill the leader again and again.

    Args:
        copies: three that are ready.
        rounds: how often.
        draw: draws the instants.
    """
    seen, running, people = Seen(), copies.running, ThreadPoolExecutor(1)
    numbers = [filed(copies, "first@riverbend.example", "Person First")]
    for turn in range(rounds):
        message, button = referring(running, numbers[-1])
        leader = copies.leader()
        time.sleep(draw.random() * 2)  # the lease is renewed each two seconds: any instant of it
        crowd = people.submit(fifty_clicks, running, message, button)
        leader.end(signal.SIGKILL)
        began = time.monotonic()
        address = f"person{turn}@riverbend.example"
        running.imap.deliver(a_complaint(f"Person Number{turn}", address), at=RECEIVED)
        wait_until(lambda: any(one.leads() for one in copies.every if one.process), "nobody leads")
        seen.leads_s.append(round(time.monotonic() - began, 1))
        (receipt,) = running.relay.wait_for(address, timeout_s=60.0)
        seen.receipt_s.append(round(time.monotonic() - began, 1))
        outcomes = crowd.result()
        seen.clicks += len(outcomes)
        seen.unanswered += sum(not one.ok for one in outcomes)
        stands = sum(1 for _ in running.case(numbers[-1]).case.all(Referred))
        if stands != 1:
            seen.wrong.append(f"round {turn}: the referral stands {stands} times")
        numbers.append(next(word.strip(":") for word in receipt.subject.split() if word.startswith("EC-")))
        leader.start()
        wait_until(leader.ready, "the killed copy did not come back")
    if sorted(number for _key, number in running.cases()) != sorted(numbers):
        seen.wrong.append(f"{len(running.cases())} cases of {len(numbers)} complaints")
    with running.record() as record:
        if verify(record.docket, MACHINE) is not None:
            seen.wrong.append("the journal does not verify")
    return seen


def main() -> int:
    """Play the rounds and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="dkt-fail-") as folder,
        a_postgres() as server,
        running_copies(Path(folder), server.new_database()) as copies,
    ):
        seen = play(copies, given.rounds, random.Random(given.seed))
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

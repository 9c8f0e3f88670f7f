"""What judging a PDF costs, by kind: `python -m tests.pdf_costs [--at-once 30]`.

Prints, for each kind of the cases, the median and the longest time on the wall and the largest memory of a
child; then how long a good file takes alone, and beside hostile ones that are judged at the same moment.
Nothing here fails: a figure says how this machine was today.
"""

import argparse
import base64
import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intake.pdf.forkserver import JSON_FRAME, Send
from intake.pdf.judge import judge
from intake.pdf.limits import Limits
from intake.pdf.sandbox import Sandbox
from intake.pdf.trust import TrustRoots, read_trust_roots
from tests.intake.pdf.conftest import CASES, RECEIVED

GOOD = "typed-conformed.pdf"
_MIB = 1024


@dataclass(frozen=True, slots=True)
class Cost:
    """One file judged: seconds on the wall, and the largest memory of its child in MiB."""

    kind: str
    name: str
    seconds: float
    memory_mib: float


def weigh(header: Mapping[str, Any], content: bytes, send: Send) -> None:
    """Judge in the child and tell the child's largest memory; a task of the sandbox."""
    import resource

    from intake.pdf.child import judge_file

    judge_file(header, content, lambda _kind, _payload: None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    send(JSON_FRAME, json.dumps({"done": True, "peak_kib": peak}).encode())


def kinds() -> Iterator[tuple[str, str]]:
    """Give each case with its kind: the first word of its description."""
    for one in json.loads((CASES / "manifest.json").read_text())["files"]:
        yield one["file"].partition("-")[0], one["file"]


def cost_of(sandbox: Sandbox, kind: str, name: str, trust: TrustRoots) -> Cost:
    """Judge one file in a child of its own."""
    groups = (trust.anchors, trust.intermediates, trust.revocation_lists)
    request = {
        "moment": RECEIVED.isoformat(),
        "trust": [[base64.b64encode(der).decode() for der in group] for group in groups],
    }
    content = (CASES / name).read_bytes()
    began = time.monotonic()
    answer = sandbox.run("tests.pdf_costs:weigh", content, limits=Limits(), request=request)
    seconds = time.monotonic() - began
    told = answer.messages[-1].get("peak_kib") if answer.messages else None
    return Cost(kind, name, seconds, told / _MIB if isinstance(told, int) else float("nan"))


def table(costs: list[Cost]) -> Iterator[str]:
    """Give the figures by kind."""
    yield f"{'kind':<10} {'files':>5} {'median ms':>10} {'longest ms':>11} {'memory MiB':>11}  costliest"
    for kind in sorted({one.kind for one in costs}):
        of = [one for one in costs if one.kind == kind]
        worst = max(of, key=lambda one: one.seconds)
        median = statistics.median(one.seconds for one in of) * 1000
        memory = max((one.memory_mib for one in of if one.memory_mib == one.memory_mib), default=float("nan"))
        yield (
            f"{kind:<10} {len(of):>5} {median:>10.0f} {worst.seconds * 1000:>11.0f} {memory:>11.0f}  {worst.name}"
        )


def beside_hostile_ones(sandbox: Sandbox, count: int, trust: TrustRoots) -> Iterator[str]:
    """Judge a good file alone, and then while hostile ones are being judged."""
    good = (CASES / GOOD).read_bytes()
    bombs = [name for _, name in kinds() if name.startswith("bomb-")]

    def timed(content: bytes) -> float:
        began = time.monotonic()
        judge(content, trust=trust, moment=RECEIVED, sandbox=sandbox)
        return time.monotonic() - began

    alone = statistics.median(timed(good) for _ in range(5))
    started = threading.Barrier(count + 1)

    def hostile(number: int) -> float:
        content = (CASES / bombs[number % len(bombs)]).read_bytes()
        started.wait()
        return timed(content)

    with ThreadPoolExecutor(count) as threads:
        running = [threads.submit(hostile, number) for number in range(count)]
        started.wait()
        beside = [timed(good) for _ in range(3)]
        took = [one.result() for one in running]
    yield f"a good file alone: {alone * 1000:.0f} ms"
    yield (
        f"beside {count} hostile ones: {', '.join(f'{one * 1000:.0f}' for one in beside)} ms; "
        f"the hostile ones took up to {max(took):.1f} s of {Limits().wall_s:.0f} s"
    )


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--at-once", type=int, default=30, help="how many hostile files beside a good one")
    wanted = parser.parse_args()
    trust = read_trust_roots(CASES / "pki")
    sandbox = Sandbox()
    sys.path.insert(0, str(Path(__file__).parents[1]))
    try:
        lines = [*table([cost_of(sandbox, kind, name, trust) for kind, name in kinds()])]
        lines += [*beside_hostile_ones(sandbox, wanted.at_once, trust)]
        sys.stdout.write("\n".join(lines) + "\n")
    finally:
        sandbox.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

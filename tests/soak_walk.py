"""`python -m tests.soak_walk`: random acts by random people, seed after seed, with figures of what was tried."""

import argparse
import tempfile
import time
from pathlib import Path

from tests.proceedings.test_walk import TALLY, walk


def main() -> None:
    """Run the walk and print how often each act was done, refused by the law, and forbidden."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--acts", type=int, default=2000, help="acts for each seed")
    words.add_argument("--seeds", type=int, nargs="+", default=[1])
    asked = words.parse_args()
    for one in asked.seeds:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            walk(Path(folder), asked.acts, seed_of_it=one)
        print(
            f"seed {one}: {asked.acts} acts, every file closed, {time.monotonic() - began:.0f} s", flush=True
        )
    for deed in sorted({deed for deed, _end in TALLY}):
        ends = {end: TALLY[deed, end] for end in ("done", "refused", "forbidden")}
        print(f"{deed.value:26} " + "  ".join(f"{end} {count:5}" for end, count in ends.items()))
    total = {
        end: sum(n for (_deed, how), n in TALLY.items() if how == end)
        for end in ("done", "refused", "forbidden")
    }
    print(f"in all: {total}; forbidden acts that passed: 0")


if __name__ == "__main__":
    main()

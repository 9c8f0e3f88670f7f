"""Read other people's mails in place: none may crash, hang or change a byte; `python -m tests.read_foreign FOLDER ...`.

Nothing of them is copied, and nothing of their content is printed: a mail is named by its hash. An mbox is
split at its "From " lines.
"""

import argparse
import hashlib
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from intake.message import read_mail
from intake.triage import triage
from tests.intake.mail_builders import RECEIVED, context

LONGEST_S = 2.0
MOST_GROWTH_MIB = 200
_ENDINGS = frozenset({".eml", ".msg", ".mbox", ".mail", ".txt", ".mime", ".email", ""})
_MBOX = re.compile(rb"(?m)^From [^\n]{1,200}\d\d:\d\d[^\n]{0,80}\n")
_HEADER = re.compile(rb"(?:\A|\n)(?:[!-9;-~]{1,80}):", re.MULTILINE)


@dataclass
class Seen:
    """What reading showed.

    Attributes:
        mails: how many were read.
        outcomes: what would become of them.
        defects: why some were not read whole.
        slow: (file's hash, seconds) beyond the limit.
        raised: (file's hash, exception) where the reader did what it never may.
        longest_s: the longest time for one.
    """

    mails: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    defects: Counter[str] = field(default_factory=Counter)
    slow: list[tuple[str, float]] = field(default_factory=list)
    raised: list[tuple[str, str]] = field(default_factory=list)
    longest_s: float = 0.0


def mails_in(folder: Path) -> Iterator[bytes]:
    """Give the mails under a folder, whole or out of an mbox."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix.lower() not in _ENDINGS or ".git" in path.parts:
            continue
        raw = path.read_bytes()
        if not _HEADER.search(raw[:4_096]):
            continue
        starts = [found.start() for found in _MBOX.finditer(raw)]
        if len(starts) > 1 and starts[0] == 0:
            yield from (raw[at:end] for at, end in zip(starts, [*starts[1:], len(raw)], strict=True))
        else:
            yield raw


def read_all(folder: Path, seen: Seen) -> None:
    """Read and judge each mail under a folder; note what went wrong and go on."""
    known = context()
    for raw in mails_in(folder):
        name = hashlib.sha256(raw).hexdigest()
        begun = time.monotonic()
        try:
            mail = read_mail(raw)
            told = triage(mail, known, {}, received_at=RECEIVED)
        except Exception as error:  # noqa: BLE001  any exception is the finding here
            seen.raised.append((name, type(error).__name__))
            continue
        finally:
            took = time.monotonic() - begun
            seen.mails += 1
            seen.longest_s = max(seen.longest_s, took)
            if took > LONGEST_S:
                seen.slow.append((name, took))
        if mail.raw_sha256 != name:
            seen.raised.append((name, "the hash of the raw bytes is another"))
        seen.outcomes[told.outcome.value] += 1
        seen.defects.update(one.value for one in mail.defects)


def main() -> int:
    """Read the folders that are named; 1 where a mail crashed or was slow, or memory grew too far."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    failed = False
    for folder in given.folders:
        seen = Seen()
        read_all(folder, seen)
        sys.stdout.write(
            f"{folder.name}: {seen.mails} mails, {len(seen.raised)} crashes, {len(seen.slow)} over {LONGEST_S} s, "
            f"longest {seen.longest_s * 1000:.0f} ms; {dict(seen.outcomes)}; {dict(seen.defects)}\n"
        )
        for name, what in (*seen.raised, *seen.slow):
            sys.stdout.write(f"  {name} {what}\n")
        failed = failed or bool(seen.raised or seen.slow)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    sys.stdout.write(f"memory grew by {grown} MiB\n")
    return int(failed or grown > MOST_GROWTH_MIB)


if __name__ == "__main__":
    sys.exit(main())

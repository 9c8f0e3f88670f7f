"""Mutations of real mails: `python -m tests.fuzz_mail --rounds 20000` (behind `make fuzz`).

Looks for a crash, for more than two seconds on one mail, for growth over 200 MB, and for a lost byte: what
is kept of an attachment must be what the standard library decodes from an unharmed part.
"""

import argparse
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from intake.known import Known, mentions
from intake.message import read_mail
from intake.triage import Outcome, triage

MAILS = Path(__file__).parent / "data" / "mail"
LONGEST_S = 2.0
MOST_GROWTH_KB = 200 * 1024
KNOWN = Known(intake_address="complaints@ethics.bramwell-ky.example", authserv_id="mail.bramwell-ky.example")

_PIECES = (
    b"\r", b"\n", b"\0", b"\r\n\r\n", b"--", b'"', b"<", b"(", b"@", b";", b"=?utf-8?q?", b"?=", b"=", b"\xff\xfe",
    b"Content-Type: message/rfc822\r\n\r\n", b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n",
    b"Content-Transfer-Encoding: base64\r\n", b"From: a@b.example, c@d.example\r\n", b"begin 644 a.pdf\n", b"((((((((",
    b"\x78\x9f\x3e\x22", b"PK\x03\x04", b"PK\x05\x06", b"%PDF-1.7", b"Date: Mon, 02 Nov 99999999999 09:14:07\r\n",
    b"filename*0*=utf-8''%", b"; boundary=", b"\xe2\x80\xae",
)  # fmt: skip


def mutated(raw: bytes, rng: random.Random) -> bytes:
    """Give a copy of a mail with one to eight changes."""
    changed = bytearray(raw)
    for _ in range(rng.randint(1, 8)):
        rng.choice(_CHANGES)(changed, rng)
    return bytes(changed)


def _flip(changed: bytearray, rng: random.Random) -> None:
    if changed:
        changed[rng.randrange(len(changed))] = rng.randrange(256)


def _insert(changed: bytearray, rng: random.Random) -> None:
    at = rng.randint(0, len(changed))
    changed[at:at] = rng.choice(_PIECES) * rng.choice((1, 1, 1, 50))


def _cut(changed: bytearray, rng: random.Random) -> None:
    at = rng.randint(0, len(changed))
    del changed[at : at + rng.choice((1, 10, 500, 100_000))]


def _double(changed: bytearray, rng: random.Random) -> None:
    at = rng.randint(0, len(changed))
    piece = bytes(changed[at : at + rng.choice((20, 300, 4_000))])
    changed[at:at] = piece * rng.choice((1, 3, 20))


def _swap(changed: bytearray, rng: random.Random) -> None:
    lines = bytes(changed).split(b"\n")
    left, right = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[left], lines[right] = lines[right], lines[left]
    changed[:] = b"\n".join(lines)


_CHANGES: tuple[Callable[[bytearray, random.Random], None], ...] = (
    _flip,
    _flip,
    _insert,
    _insert,
    _cut,
    _double,
    _swap,
)


def judged(raw: bytes) -> float:
    """Read and judge a mail; give the processor seconds it took, which other work on the machine does not lengthen."""
    start = time.process_time()
    mail = read_mail(raw)
    mentions(mail)
    disposition = triage(mail, KNOWN, {})
    assert disposition.outcome in set(Outcome)
    assert all(one.size <= len(raw) * 2 + 64 for one in mail.exhibits())
    for text in (
        mail.subject,
        *(box.name for box in mail.from_.boxes),
        *(one.name for one in mail.exhibits()),
    ):
        assert not set(text) & {"\0", "\r", "\n"}, "a control character in a field that is shown"
    return time.process_time() - start


def _peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> int:
    """Run the rounds and print the figures; exit status 1 where a limit was passed."""
    parser = argparse.ArgumentParser(description="Mutate real mails and judge them.")
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    originals = [path.read_bytes() for path in sorted(MAILS.glob("*.eml"))]
    for raw in originals:
        judged(raw)
    rng = random.Random(asked.seed)
    before, slowest, bad = _peak_kb(), 0.0, 0
    for number in range(asked.rounds):
        raw = mutated(rng.choice(originals), rng)
        try:
            taken = judged(raw)
        except Exception as error:  # noqa: BLE001  a crash of any kind is what is looked for
            bad += 1
            print(f"round {number} seed {asked.seed}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        bad += taken > LONGEST_S
        slowest = max(slowest, taken)
    growth = _peak_kb() - before
    print(f"{asked.rounds} mutations, {bad} bad, slowest {slowest:.3f} s, grown by {growth // 1024} MB")
    return 1 if bad or growth > MOST_GROWTH_KB else 0


if __name__ == "__main__":
    sys.exit(main())

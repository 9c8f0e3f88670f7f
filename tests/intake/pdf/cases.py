"""The PDF cases with their right answers, and the city's trust for them."""

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from intake.pdf.finding import Finding
from intake.pdf.judge import judge
from intake.pdf.limits import Limits
from intake.pdf.trust import TrustRoots, read_trust_roots

PDFS = Path(__file__).parents[2] / "data" / "pdf"
CASES: list[dict[str, Any]] = json.loads((PDFS / "manifest.json").read_bytes())["files"]
RECEIVED = datetime(2026, 12, 2, 12, 0, tzinfo=UTC)
SLOW = "bomb-shared-content-1000p.pdf"


def content(name: str) -> bytes:
    """Give the bytes of one case."""
    return (PDFS / name).read_bytes()


@cache
def roots() -> TrustRoots:
    """Give the trust of the whole folder of certificates."""
    return read_trust_roots(PDFS / "pki")


@cache
def judged(name: str) -> Finding:
    """Judge one case as the product does, once; the one that never ends is given up sooner."""
    limits = Limits(reading_s=1.0) if name == SLOW else Limits()
    return judge(content(name), trust=roots(), moment=RECEIVED, limits=limits)

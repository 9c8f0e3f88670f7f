"""The cases, judged once for all tests, and a standing process of the tests' own."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from intake.pdf.finding import Encryption, Finding, Signature
from intake.pdf.judge import judge
from intake.pdf.limits import Limits
from intake.pdf.sandbox import Sandbox
from intake.pdf.trust import TrustRoots, read_trust_roots

CASES = Path(__file__).parents[2] / "data" / "pdf"
RECEIVED = datetime(2026, 5, 5, 14, 0, tzinfo=UTC)
ENDLESS = "bomb-shared-content-1000p.pdf"


@dataclass(frozen=True)
class Case:
    """One file of the manifest with its right answers."""

    name: str
    best: Signature
    accepted: frozenset[Signature]
    pages: int | None
    encrypted: Encryption
    active_content: bool
    signer: str | None
    text_extractable: bool | None

    @property
    def content(self) -> bytes:
        return (CASES / self.name).read_bytes()


def content(name: str) -> bytes:
    """Give the bytes of one case."""
    return (CASES / name).read_bytes()


def manifest() -> list[Case]:
    files = json.loads((CASES / "manifest.json").read_text())["files"]
    return [
        Case(
            name=one["file"],
            best=Signature(one["signature"]),
            accepted=frozenset(Signature(word) for word in one["accept"]),
            pages=one["pages"],
            encrypted=Encryption(one["encrypted"]),
            active_content=one["active_content"],
            signer=one["signer_cn"],
            text_extractable=one["text_extractable"],
        )
        for one in files
    ]


@pytest.fixture(scope="session")
def trust() -> TrustRoots:
    return read_trust_roots(CASES / "pki")


@pytest.fixture(scope="session")
def findings(trust: TrustRoots) -> dict[str, Finding]:
    """Judge every case, from several threads at once, as the poller and Slack do."""
    cases = manifest()

    def one(case: Case) -> Finding:
        limits = Limits(reading_s=1.0) if case.name == ENDLESS else Limits()
        return judge(case.content, trust=trust, moment=RECEIVED, limits=limits)

    with ThreadPoolExecutor(3) as threads:
        return dict(zip([case.name for case in cases], threads.map(one, cases), strict=True))


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """Give a standing process that can also run the tasks of `hostile_tasks`."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    standing = Sandbox()
    yield standing
    standing.close()

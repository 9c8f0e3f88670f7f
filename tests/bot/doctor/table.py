"""The page of the doctor's faults: each fault that a test makes, the line that names it, and what it says to do.

The page stands beside this module and is held against what the doctor says, row by row. After a change of a
mend it is written anew by ``WRITE_DOCTOR_TABLE=1 python -m pytest -p no:xdist tests/bot/doctor``.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

from bot.doctor import Check

PAGE = Path(__file__).with_name("FAULTS.md")
HEAD = """# Faults made on purpose, and what `docket doctor` says of each

Each is made by a test in `tests/bot/doctor/test_faults.py`, on real parts: mail servers, certificates, a relay, the
practice Slack, a database. The page is compared with what the doctor says. FOLDER is the folder looked at.

| fault made | line | status | what it says to do |
|---|---|---|---|
"""
Row = tuple[str, str, str]


@dataclass
class Table:
    """The page as it stands, and what was seen in this run."""

    shown: dict[str, Row] = field(default_factory=dict)
    seen: dict[str, Row] = field(default_factory=dict)

    def row(self, fault: str, found: Check, folder: Path | None = None) -> None:
        """Hold what the doctor says of a fault against the page.

        Args:
            fault: what was made, in words.
            found: the line that names it.
            folder: the city's; its path differs in each run.
        """
        mend = found.mend.replace(str(folder), "FOLDER") if folder else found.mend
        self.seen[fault] = (found.check, found.status.value, mend.replace("|", "\\|"))
        if not writing():
            assert self.shown.get(fault) == self.seen[fault], f"FAULTS.md has another row for: {fault}"

    def write(self) -> None:
        """Write the page anew, in the order in which the faults were made."""
        rows = "".join(f"| {fault} | {' | '.join(row)} |\n" for fault, row in self.seen.items())
        PAGE.write_text(HEAD + rows)


def writing() -> bool:
    """Say whether this run writes the page instead of holding it against what is seen."""
    return bool(os.environ.get("WRITE_DOCTOR_TABLE"))


def _read() -> dict[str, Row]:
    found = {}
    text = PAGE.read_text() if PAGE.exists() else ""
    for line in text.partition("|---|---|---|---|\n")[2].splitlines():
        fault, check, status, mend = line.removeprefix("| ").removesuffix(" |").split(" | ")
        found[fault] = (check, status, mend)
    return found


table = Table(_read())

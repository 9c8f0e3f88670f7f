"""Commands typed as a person types them, and what came of them."""

import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.clock import PracticeClock
from store import journal
from tests.plain_words import codes
from tests.proceedings.builders import Board

_PROGRESS = re.compile(r".+: +\d+ %  \([\d,]+ of [\d,]+\)")


def without_progress(err: str) -> list[str]:
    """Give the lines of standard error that say something else than how far long work is."""
    return [line for line in err.splitlines() if not _PROGRESS.fullmatch(line)]


@dataclass(frozen=True)
class Answer:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


@dataclass
class Shell:
    """The command line on one folder, and the record beside it for what tests look up."""

    folder: Path
    board: Board
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def newest_entry(self) -> Any:
        """The header of the journal's newest entry."""
        docket = self.board.docket
        with docket.database.read() as session:
            (entry,) = journal.newest(session, docket.keyring, 1)
        return entry.header

    def _follow_the_clock(self) -> None:
        """Let the folder's practice clock be no earlier than the test's."""
        practice = PracticeClock(self.folder / "data")
        if practice.now() < self.board.clock.now():
            practice.set_to(self.board.clock.now())

    def try_(self, *words: object, stdin: str = "", who: str = "") -> Answer:
        """Type a command, whatever comes of it."""
        self._follow_the_clock()
        self.monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        self.capsys.readouterr()
        more = ["--data", str(self.folder), *(["--as", who] if who else [])]
        with pytest.raises(SystemExit) as end:
            main([*map(str, words), *more])
        said = self.capsys.readouterr()
        if not {"--json", "--toml"} & set(map(str, words)):
            assert not (found := codes(said.out)), found
        assert not (found := codes(said.err)), found
        status = end.value.code
        return Answer(status if isinstance(status, int) else 0, said.out, said.err)

    def run(self, *words: object, stdin: str = "", who: str = "") -> Answer:
        """Type a command that must work."""
        answer = self.try_(*words, stdin=stdin, who=who)
        assert answer.status == 0, answer.err + answer.out
        assert not without_progress(answer.err)
        return answer

    def refused(self, *words: object, status: int = 1, stdin: str = "", who: str = "") -> str:
        """Type a command that must be refused, in one plain line; give that line."""
        answer = self.try_(*words, stdin=stdin, who=who)
        assert answer.status == status, answer.err + answer.out
        assert not answer.out
        (line,) = without_progress(answer.err)
        assert line.startswith("docket: ")
        return line

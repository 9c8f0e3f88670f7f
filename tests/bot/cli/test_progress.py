"""Long work says how far it is, and away from a terminal no more than a reader of a log wants."""

import io
from dataclasses import dataclass

from bot.cli.progress import Shown


@dataclass
class Seconds:
    """A counter that tests turn."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def worked(out: io.StringIO, seconds: Seconds, each_s: float) -> list[str]:
    shown = Shown(out, seconds)
    for part in ("facts", "chain"):
        for done in range(101):
            seconds.now += each_s
            shown(part, done, 100)
    return out.getvalue().splitlines()


def test_quick_work_in_a_log_is_one_line_a_part() -> None:
    assert worked(io.StringIO(), Seconds(), 0.001) == [
        "facts: 100 %  (100 of 100)",
        "chain: 100 %  (100 of 100)",
    ]


def test_long_work_in_a_log_says_at_most_every_ten_seconds_where_it_is() -> None:
    lines = worked(io.StringIO(), Seconds(), 0.5)
    assert lines[0] == "facts:  20 %  (20 of 100)"
    assert len(lines) == 2 * 5


def test_at_a_terminal_one_line_fills_and_ends_when_the_part_is_done() -> None:
    out = Terminal()
    worked(out, Seconds(), 0.001)
    assert out.getvalue().count("\n") == 2
    assert out.getvalue().count("\r") == 2 * 11

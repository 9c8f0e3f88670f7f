"""How far long work is, on standard error: one line that fills at a terminal, a line each tenth elsewhere (R9)."""

import sys
from dataclasses import dataclass, field
from typing import TextIO

_TENTHS = 10


@dataclass
class Shown:
    """Shows progress; told as often as the work likes."""

    out: TextIO = field(default_factory=lambda: sys.stderr)
    _last: tuple[str, int] = ("", -1)

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how much of which part is done, where that has changed enough to be worth a line."""
        tenth = done * _TENTHS // total if total else _TENTHS
        if (what, tenth) == self._last:
            return
        self._last = (what, tenth)
        at_a_terminal = self.out.isatty()
        line = f"{what}: {tenth * 10:3d} %  ({done:,} of {total:,})"
        self.out.write(f"\r\x1b[K{line}" if at_a_terminal else f"{line}\n")
        if at_a_terminal and tenth == _TENTHS:
            self.out.write("\n")
        self.out.flush()

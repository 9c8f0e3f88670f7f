"""How far long work is, on standard error (R9).

At a terminal one line fills. Elsewhere, as in a log or a pipe, each part says one line when it ends, and one
every ten seconds before.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import TextIO

_TENTHS = 10
EVERY_S = 10.0
"""Away from a terminal, how far apart two lines are at the least."""


@dataclass
class Shown:
    """Shows progress; told as often as the work likes.

    Attributes:
        out: where to.
        seconds: a counter that only runs forward.
    """

    out: TextIO = field(default_factory=lambda: sys.stderr)
    seconds: Callable[[], float] = monotonic
    _last: tuple[str, int] = ("", -1)
    _spoke_s: float = field(init=False)

    def __post_init__(self) -> None:
        self._spoke_s = self.seconds()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how much of which part is done, where that has changed enough to be worth a line."""
        tenth = done * _TENTHS // total if total else _TENTHS
        if (what, tenth) == self._last:
            return
        self._last = (what, tenth)
        line = f"{what}: {tenth * 10:3d} %  ({done:,} of {total:,})"
        if self.out.isatty():
            self.out.write(f"\r\x1b[K{line}" + ("\n" if tenth == _TENTHS else ""))
        elif self._is_worth_a_line(ended=tenth == _TENTHS):
            self.out.write(f"{line}\n")
        self.out.flush()

    def _is_worth_a_line(self, *, ended: bool) -> bool:
        now = self.seconds()
        if not ended and now - self._spoke_s < EVERY_S:
            return False
        self._spoke_s = now
        return True

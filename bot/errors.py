"""Faults of the place that Docket runs in: told in plain lines to whoever runs it, before anything starts."""

from collections.abc import Iterable


class StartFault(Exception):
    """Something about the machine, the installation or the settings has to be mended first.

    Attributes:
        lines: one plain line a fault, each with its mend; no values of settings, no names.
    """

    def __init__(self, lines: str | Iterable[str]) -> None:
        self.lines = (lines,) if isinstance(lines, str) else tuple(lines)
        super().__init__("\n".join(self.lines))


class FolderTaken(StartFault):
    """A copy of Docket works on the data folder."""


_LONGEST_WORD, _LONGEST_LINE = 300, 4_000


def clipped(line: str) -> str:
    """Give a line in which what somebody typed or set stands at most in part, however long it is.

    A word of more than three hundred characters, and a line of more than four thousand, lose their middle.
    """
    words = [_without_middle(word, _LONGEST_WORD) for word in line.split(" ")]
    return _without_middle(" ".join(words), _LONGEST_LINE)


def _without_middle(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}…({len(text):,} characters)…{text[-(most // 4) :]}"

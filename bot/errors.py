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

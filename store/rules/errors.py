"""Refusals: the law, a right or the case's state forbids what was asked.

A refusal changes no fact. It is written to be read by the person who tried, so it names neither
another person nor anything that the reader may not know.
"""

from typing import ClassVar, final

_SAFE = "Nothing was changed."


class Refusal(Exception):
    """Something may not be done.

    Attributes:
        clause: the clause or section that forbids it, such as ``B-inquiry`` or ``KRS 61.815``.
        mend: what the person can do instead; empty where `WAY_ON` says it for all of the kind.
        WAY_ON: what can be done after a refusal of this kind.
    """

    WAY_ON: ClassVar[str] = ""

    def __init__(self, says: str, *, clause: str = "", mend: str = "") -> None:
        super().__init__(says)
        self.says = says
        self.clause = clause
        self.mend = mend

    @final
    def __str__(self) -> str:
        """Give the whole answer in one line, fit to be shown."""
        return self.answer(self.clause)

    @final
    def answer(self, citation: str) -> str:
        """Give the whole answer in one line: what happened and under what, what is safe, what to do.

        Args:
            citation: the clause as its reader knows it; empty for none.
        """
        safe = "" if "nothing" in self.says.lower() else _SAFE  # its own words say it already, or say more
        parts = (self.says, f"({citation})" if citation else "", safe, self.mend or self.WAY_ON)
        return " ".join(part for part in parts if part)


class NotAllowed(Refusal):
    """The person has no right to this act, or none any more (access table, recusal, roster)."""


class CaseFinal(NotAllowed):
    """The case is final; what would go on in it needs it reopened."""


class NoSuchCase(Refusal):
    """There is no such case, or the person may not know of it; the answer is the same."""

    def __init__(self) -> None:
        super().__init__(
            "There is no case of that number that you may open.",
            clause="C-confidential",
            mend="Check the number, or ask the clerk.",
        )


class NotNow(Refusal):
    """The case, meeting or ballot is not at the stage that this act needs."""


class AlreadyDone(Refusal):
    """Somebody did it before; the answer says who and when, as far as the reader may know."""

    WAY_ON = "What was recorded stands; the history shows when and by whom."


class BadInput(Refusal):
    """What was given cannot be read or used; nothing was changed."""

    WAY_ON = "Put that right and try again."

"""One line of the doctor's: what was looked at, how it came out, and what to do."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's.

    Attributes:
        check: what was looked at.
        status: how it came out.
        detail: what was seen, in plain words; no secret, no name of a person.
        mend: what to do; empty where nothing is to be done.
    """

    check: str
    status: Status
    detail: str
    mend: str = ""

    def as_json(self) -> dict[str, str]:
        """Give it as JSON holds it."""
        return {
            "check": self.check,
            "status": self.status.value,
            "detail": self.detail,
            "mend": self.mend,
        }


def ok(check: str, detail: str) -> Check:
    """Say that something is as it must be."""
    return Check(check, Status.OK, detail)


def warn(check: str, detail: str, mend: str) -> Check:
    """Say that something needs a look soon."""
    return Check(check, Status.WARN, detail, mend)


def fail(check: str, detail: str, mend: str) -> Check:
    """Say that something is wrong."""
    return Check(check, Status.FAIL, detail, mend)

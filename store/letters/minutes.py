"""Minutes of a meeting: an open part without any party, and a sealed annex."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from store.letters.letter import Letter, LetterKind


@dataclass(frozen=True)
class Attendance:
    """A person of the Board at the meeting: name, role, and how present (``present``, ``present by video``, ``absent``)."""

    name: str
    role: str
    presence: str


@dataclass(frozen=True)
class RecordedVote:
    """One member's vote on a motion, by name: ``yes``, ``no``, ``abstain`` or ``recused``."""

    name: str
    vote: str


@dataclass(frozen=True)
class ClosedSession:
    """A closed session: the statute moved under, and when it began and ended."""

    statute: str
    announced: str
    began_at: datetime
    ended_at: datetime


@dataclass(frozen=True)
class MinutedItem:
    """An item of the agenda: case number (or a general title), motion, votes by name, and the arithmetic."""

    title: str
    motion: str = ""
    moved_by: str = ""
    seconded_by: str = ""
    statute: str = ""
    votes: tuple[RecordedVote, ...] = ()
    result: str = ""


@dataclass(frozen=True, kw_only=True)
class Minutes(Letter):
    """The open part of the minutes.

    Attributes:
        meeting: what meeting, such as ``Special meeting``.
        began_at, adjourned_at: in the city's zone.
        place: a place or a video link, one line each; for video the primary physical location too (KRS 61.826).
        notice: how and when notice was given.
        attendance: everyone of the roster.
        quorum: the printed arithmetic of the quorum.
        items: in order; a case by its number only.
        closed_sessions: each with its statute.
        approved_on: the day on which the Board approved the minutes; None for a draft.
        changes: what was changed before they were approved; empty for nothing.

    Source: KRS 61.815, 61.823, 61.835; law.md, Meetings and votes.
    """

    kind: ClassVar = LetterKind.MINUTES
    clause: ClassVar = "KRS 61.835"
    required: ClassVar = (
        "meeting",
        "began_at",
        "place",
        "notice",
        "attendance",
        "quorum",
        "items",
        "adjourned_at",
    )

    meeting: str
    began_at: datetime
    adjourned_at: datetime
    place: tuple[str, ...]
    notice: str
    attendance: tuple[Attendance, ...]
    quorum: str
    items: tuple[MinutedItem, ...]
    closed_sessions: tuple[ClosedSession, ...] = ()
    approved_on: date | None = None
    changes: str = ""

    def subject(self) -> str:
        """Say that these are minutes."""
        return "Minutes of the Board's meeting"

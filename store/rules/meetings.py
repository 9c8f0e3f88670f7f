"""A meeting of the Board as its record tells it: who was present when, in open or closed session.

Source: KRS 61.805 to 61.850; decisions 16 (a meeting is the Board's, not a case's).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from store.rules.facts import (
    ChairTaken,
    ClosedSession,
    Fact,
    MeetingClosed,
    MeetingOpened,
    NoticeGiven,
    PresenceChanged,
    Recorded,
)

VIDEO = "KRS 61.826"
VIDEO_NOT_ANNOUNCED = (
    "A member attends by video, and the notice on the record does not say that this is a video meeting, nor how the public "
    "can follow it (KRS 61.826(2))."
)
NO_PRIMARY_LOCATION = (
    "Two or more members attend in one room, and no notice on the record names a primary physical location "
    "(KRS 61.826(2)(d))."
)
_TWO = 2


@dataclass(frozen=True, slots=True)
class Meeting:
    """One meeting; its id is that of the fact that opened it.

    Attributes:
        id: the meeting's id.
        opened: how it was opened.
        changes: who came and left, in the order of recording.
        sessions: motions to close the meeting and returns to open session, in order.
        closed: how it was adjourned; None while it is in session.
        chairs: who took the chair in it, in order.
    """

    id: int
    opened: MeetingOpened
    changes: tuple[PresenceChanged, ...] = ()
    sessions: tuple[ClosedSession, ...] = ()
    closed: MeetingClosed | None = None
    chairs: tuple[ChairTaken, ...] = ()

    @property
    def in_session(self) -> bool:
        """Whether it was opened and not adjourned."""
        return self.closed is None

    @property
    def in_closed_session(self) -> bool:
        """Whether the public is shut out now."""
        return self.in_session and bool(self.sessions) and self.sessions[-1].closed

    @property
    def presiding(self) -> int | None:
        """Who presides now, or did at the end; None where the record names nobody, that is the chair."""
        return self.chairs[-1].person if self.chairs else self.opened.presiding

    @property
    def presided(self) -> frozenset[int]:
        """Everybody who is named as having presided."""
        named = {one.person for one in self.chairs}
        return frozenset(named | ({self.opened.presiding} if self.opened.presiding is not None else set()))

    @property
    def present(self) -> frozenset[int]:
        """Who is present now, or was at the end."""
        there = set(self.opened.present)
        for change in self.changes:
            if change.present:
                there.add(change.person)
            else:
                there.discard(change.person)
        return frozenset(there)

    @property
    def by_video(self) -> frozenset[int]:
        """Who is present by video now, or was at the end; nobody of whom the record does not say so."""
        there = set(self.opened.by_video or ())
        for change in self.changes:
            if change.present and change.by_video:
                there.add(change.person)
            else:
                there.discard(change.person)
        return frozenset(there)

    @property
    def ever_by_video(self) -> frozenset[int]:
        """Everybody who took part by video at some time of the meeting."""
        later = {one.person for one in self.changes if one.present and one.by_video}
        return frozenset(later | set(self.opened.by_video or ()))

    def video_lacks(self, members: Iterable[int], notices: Sequence[NoticeGiven]) -> tuple[str, ...]:
        """Say what the notice lacks where a member attends by video; it stops nothing, the Board answers for it.

        Args:
            members: who sits on the Board.
            notices: the notices of the plan that it carries out; none where it was planned elsewhere, and then what
                was typed at its opening is read for the word.

        Source: KRS 61.826(2)(b) to (d).
        """
        sitting = set(members) & self.present
        if not sitting & self.by_video:
            return ()
        announced = any(one.video for one in notices) or "video" in self.opened.notice_given.lower()
        named = self.opened.primary_location or any(one.primary_location for one in notices)
        found = [] if announced else [VIDEO_NOT_ANNOUNCED]
        found += [NO_PRIMARY_LOCATION] if len(sitting - self.by_video) >= _TWO and not named else []
        return tuple(found)


def build(facts: Iterable[Recorded[Fact]]) -> tuple[Meeting, ...]:
    """Build the meetings from the Board's facts up to some moment, in the order in which they were opened."""
    opened: dict[int, MeetingOpened] = {}
    changes: dict[int, list[PresenceChanged]] = {}
    sessions: dict[int, list[ClosedSession]] = {}
    closed: dict[int, MeetingClosed] = {}
    chairs: dict[int, list[ChairTaken]] = {}
    for one in facts:
        about = one.about or 0
        match one.fact:
            case MeetingOpened():
                opened[one.id] = one.fact
            case PresenceChanged():
                changes.setdefault(about, []).append(one.fact)
            case ClosedSession():
                sessions.setdefault(about, []).append(one.fact)
            case ChairTaken():
                chairs.setdefault(about, []).append(one.fact)
            case MeetingClosed():
                closed[about] = one.fact
            case _:
                pass
    return tuple(
        Meeting(
            key,
            fact,
            tuple(changes.get(key, ())),
            tuple(sessions.get(key, ())),
            closed.get(key),
            tuple(chairs.get(key, ())),
        )
        for key, fact in opened.items()
    )

"""A planned meeting as its record tells it: moved or called off, its notices, and who comes.

Source: KRS 61.820 and 61.823 (notice); KRS 61.826 (video).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from store.rules.errors import BadInput
from store.rules.facts import (
    Coming,
    ComingAnswered,
    Fact,
    MeetingCalledOff,
    MeetingOpened,
    MeetingPlanned,
    NoticeGiven,
    Recorded,
)

CLAUSE = "KRS 61.823"
NOTICE_AHEAD = timedelta(hours=24)
LONGEST_MINUTES = 24 * 60
_MAY_BEGIN_BEFORE, _MAY_BEGIN_AFTER = timedelta(minutes=5), timedelta(hours=6)
_OFF_HOUR = "the hour that was planned and announced: move the plan and give notice, or open a meeting of its own (KRS 61.820, 61.823)."
FARTHEST_AHEAD = timedelta(days=731)
NOT_ANNOUNCED = (
    "This case is not on the agenda of the special meeting as it was planned, and what such a meeting does is limited "
    "to what its notice announced (KRS 61.823). Void the ballot, or see that the notice named it."
)
NO_NOTICE = "No notice of this meeting is on the record; Docket's own messages are none (KRS 61.820, 61.823)."
TOO_SHORT = (
    "A special meeting needs written notice 24 hours ahead to members and to the media that ask for it, and posted "
    "(KRS 61.823); the notice on the record came later than that."
)
BEFORE_THE_MOVE = (
    "The notice on the record was given before the meeting was moved: see that it names the new hour and place, and give "
    "another where it does not (KRS 61.820, 61.823)."
)
VIDEO_NOT_SAID = (
    "Somebody answered that he comes by video, and no notice on the record says that it is a video meeting and how the public "
    "can follow it (KRS 61.826(2))."
)
NO_PRIMARY_LOCATION = (
    "The notice of this video meeting names no primary physical location; it must where two members attend from one place, or "
    "where the public is offered one (KRS 61.826(2)(d))."
)
NOT_POSTED = "The record does not say where the notice of this special meeting was posted (KRS 61.823)."


def check_when(begins_at: datetime, minutes: int, place: str, now: datetime) -> None:
    """See whether a meeting can be planned so.

    Raises:
        BadInput: no zone, no place, an hour that lies behind or years ahead, or no length of a meeting.
    """
    if begins_at.tzinfo is None:
        raise BadInput("The hour of a meeting is given with its zone; nothing is guessed.", clause=CLAUSE)
    if not place.strip():
        raise BadInput("A meeting is planned with its place or video link.", clause=CLAUSE, mend="Say where.")
    if not now < begins_at <= now + FARTHEST_AHEAD:
        raise BadInput(
            "A meeting is planned for an hour that lies ahead, within two years.",
            clause=CLAUSE,
            mend="Check the day and the hour.",
        )
    if not 0 < minutes <= LONGEST_MINUTES:
        raise BadInput(
            "A meeting lasts from one minute to a day.",
            clause=CLAUSE,
            mend=f"Give 1 to {LONGEST_MINUTES} minutes.",
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """One planned meeting; its id is that of the fact that planned it first.

    Attributes:
        id: the plan's id.
        planned: how it stands now.
        planned_at: when it came to stand so, UTC.
        moved_at: when its hour or place last changed, UTC; None where they never did.
        called_off: how it was called off; None while it stands.
        notices: the notices that were given of it as it stands now; those of another hour or place count no more.
        answers: what each person answered since its hour was set.
        opened: it was opened on the record.
    """

    id: int
    planned: MeetingPlanned
    planned_at: datetime
    moved_at: datetime | None = None
    called_off: MeetingCalledOff | None = None
    notices: tuple[NoticeGiven, ...] = ()
    answers: Mapping[int, Coming] = field(default_factory=dict)
    opened: bool = False

    @property
    def stands(self) -> bool:
        """Whether it is still to be held."""
        return self.called_off is None and not self.opened

    @property
    def sequence(self) -> int:
        """The calendar entry's count: one more once it was called off."""
        return self.planned.sequence + (self.called_off is not None)

    def warnings(self) -> tuple[str, ...]:
        """Say what its notice lacks; it stops nothing, since the Board answers for it."""
        if not self.notices:
            return (NO_NOTICE,)
        found = [BEFORE_THE_MOVE] if self._all_before(self.moved_at) else []
        if self.planned.special:
            latest = self.planned.begins_at - NOTICE_AHEAD
            found += [] if any(one.given_at <= latest for one in self.notices) else [TOO_SHORT]
            found += [] if any(one.posted for one in self.notices) else [NOT_POSTED]
        return (*found, *self._video_lacks())

    def _video_lacks(self) -> tuple[str, ...]:
        if not any(one.video for one in self.notices):
            return (VIDEO_NOT_SAID,) if Coming.BY_VIDEO in self.answers.values() else ()
        return () if any(one.primary_location for one in self.notices) else (NO_PRIMARY_LOCATION,)

    def off_hour(self, at: datetime) -> tuple[str, ...]:
        """Say that a meeting begins well before or after the hour for which it was announced."""
        off = at - self.planned.begins_at
        if off < -_MAY_BEGIN_BEFORE or off > _MAY_BEGIN_AFTER:
            return (f"It begins {'before' if off < timedelta(0) else 'long after'} {_OFF_HOUR}",)
        return ()

    def _all_before(self, moved_at: datetime | None) -> bool:
        return moved_at is not None and all(one.given_at < moved_at for one in self.notices)


def build(facts: Iterable[Recorded[Fact]]) -> tuple[Plan, ...]:
    """Build the plans from the Board's facts, in the order in which the meetings were first planned."""
    plans: dict[int, Plan] = {}
    roots: dict[int, int] = {}
    for one in facts:
        match one.fact:
            case MeetingPlanned():
                root = roots[one.id] = roots.get(one.supersedes or 0, one.id)
                plans[root] = _planned(root, one.fact, one.at, plans.get(root))
            case MeetingOpened():
                root = one.fact.planned or 0
                if root in plans:
                    plans[root] = _with(plans[root], one.fact)
            case _:
                root = one.about or 0
                if root in plans:
                    plans[root] = _with(plans[root], one.fact)
    return tuple(plans.values())


def _planned(root: int, fact: MeetingPlanned, at: datetime, before: Plan | None) -> Plan:
    """Give a plan as it stands anew: a moved hour asks everybody anew, and needs a notice of its own."""
    if before is None:
        return Plan(root, fact, at)
    same_hour = before.planned.begins_at == fact.begins_at
    same = same_hour and before.planned.place == fact.place
    return Plan(
        root,
        fact,
        at,
        before.moved_at if same else at,
        notices=before.notices if same else (),
        answers=before.answers if same_hour else {},
    )


def _with(plan: Plan, fact: Fact) -> Plan:
    match fact:
        case MeetingCalledOff():
            return replace(plan, called_off=fact)
        case NoticeGiven():
            return replace(plan, notices=(*plan.notices, fact))
        case ComingAnswered():
            return replace(plan, answers={**plan.answers, fact.person: fact.coming})
        case MeetingOpened():
            return replace(plan, opened=True)
        case _:
            return plan

"""What a planned meeting looks like in Slack: pure, from a plan to blocks. Nobody's name and no case for whom it asks."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from bot import blocks, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.payloads import Target
from store.proceedings.planning import Expected, video_words
from store.rules.facts import Coming
from store.rules.plans import Plan
from store.rules.roster import Roster

ANSWERS = {Coming.IN_PERSON: "I come", Coming.BY_VIDEO: "I come by video", Coming.NO: "I cannot come"}
SAID = {Coming.IN_PERSON: "comes", Coming.BY_VIDEO: "comes by video", Coming.NO: "does not come"}


def when(plan: Plan, zone: ZoneInfo) -> str:
    """Say when and where, in our words, the place escaped."""
    at = plan.planned.begins_at.astimezone(zone)
    kind = "Special meeting" if plan.planned.special else "Meeting"
    place = blocks.escape(" ".join(plan.planned.place.split()))
    return f"{kind} of the Board: *{at:%A %Y-%m-%d, %H:%M %Z}*, {place}"


def asking(plan: Plan, person: int, zone: ZoneInfo) -> list[Json]:
    """Ask one person whether he comes; a meeting that was moved or called off is said to be so."""
    target = Target("", plan.id).text()
    if plan.called_off is not None:
        return [blocks.section(f"{when(plan, zone)}. *It was called off.*")]
    moved = " It was *moved* here; please answer anew." if plan.planned.sequence else ""
    said = plan.answers.get(person)
    mine = f" Your answer: *{ANSWERS[said]}*." if said else ""
    return [
        blocks.section(f"{when(plan, zone)}. Will you come?{moved}{mine}"),
        *blocks.actions(answer_buttons(plan)),
        *blocks.actions([blocks.button("Send me the calendar file", Do.CALENDAR_FILE, target)]),
        blocks.small("This message is not the notice of the meeting."),
    ]


def answer_buttons(plan: Plan) -> list[Json]:
    """Give one button for each answer."""
    target = Target("", plan.id).text()
    return [blocks.button(label, f"{Do.COMING}:{one.value}", target) for one, label in ANSWERS.items()]


def managing(plan: Plan, expected: Expected, people: Roster, zone: ZoneInfo) -> list[Json]:
    """Show chair and clerk the forecast, the notice on the record, and what they can do."""
    lines = [expected.whole.text()]
    lines += [f"{number}: {one.text()}" for number, one in expected.cases.items()]
    lines += [
        f"{blocks.name(people.name(person))} {SAID[one]}" for person, one in sorted(expected.answers.items())
    ]
    lines += [
        f"Notice given {words.instant(one.given_at, zone)}: {one.how}, to {one.to_whom}{video_words(one)}"
        for one in plan.notices
    ]
    target = Target("", plan.id).text()
    return [
        blocks.said("\n".join(lines)),
        *(blocks.section(f":warning: {one}") for one in plan.warnings()),
        *blocks.actions(
            [
                blocks.button("Open it", f"{Do.OPEN_MEETING}:{plan.id}", target, style="primary"),
                blocks.button("Notice was given", Do.NOTICE_GIVEN, target),
                blocks.button("Move it", Do.MOVE_MEETING, target),
                blocks.button("Call it off", Do.CALL_OFF, target, style="danger"),
            ]
        ),
    ]


def unanswered(plans: Sequence[Plan], person: int | None) -> list[Plan]:
    """Give the planned meetings to which a person has not answered."""
    return [one for one in plans if person is not None and person not in one.answers]

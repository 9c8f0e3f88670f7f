"""Who is named: papers that no machine could read are looked through by the person cleared for intake (C)."""

from slack_bolt import App

from bot import blocks
from bot.actions.choices import people
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, Target
from store.cases import Actor, Look, papers_for
from store.proceedings.screening import say_who_is_named
from store.rules.access import Deed

ACTION_ID = Do.WHO_IS_NAMED
NAMED, WHO, REASON = "named", "who", "reason"


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the roster to choose from."""
    seen = desk.look(actor, click.target.number, Deed.SAY_WHO_IS_NAMED)
    made = [
        blocks.section(f"*Case {seen.case.number}.* {_WAITS[seen.case.screened]}"),
        *_to_look_at(desk, seen),
        blocks.several(NAMED, "Named in the papers", people(seen), hint="Leave empty where nobody is."),
    ]
    return form(ACTION_ID, "Who is named?", "Say so", click=click, of=made)


_WAITS = {
    False: "Its papers could not be searched. Until you have said who of the roster is named in them, nobody "
    "else sees the case.",
    True: "Papers that came later could not be searched. Until you have said who of the roster is named in "
    "them, nobody else sees these papers; the case goes on.",
}
_MOST_BUTTONS = 10


def _to_look_at(desk: Desk, seen: Look) -> list[Json]:
    """Give buttons that send the papers to be looked through to the person who asks."""
    unread = seen.case.unscreened_papers
    kept = [one for one in papers_for(desk.docket, seen) if not seen.case.screened or one.id in unread]
    return blocks.actions(
        [
            blocks.button(
                f"Send me paper {place}",
                f"{Do.SHOW_DOCUMENT}:{one.id}",
                Target(seen.case.number, one.id).text(),
            )
            for place, one in enumerate(kept[-_MOST_BUTTONS:], start=1)
        ]
    )


def read(submission: Submission) -> tuple[int, ...]:
    """Read the persons chosen."""
    return submission.ids(NAMED)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record who is named; the others are told of the case."""
    say_who_is_named(desk.docket, actor, submission.target.number, read(submission))
    return f"Recorded. Case {submission.target.number} is now open to those who are not named in it."


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    asks(app, desk, ACTION_ID, "Who is named?", view=view, handle=handle)

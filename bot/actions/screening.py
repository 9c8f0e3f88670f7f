"""Who is named: papers that no machine could read are looked through by the person cleared for intake (C)."""

from slack_bolt import App

from bot import blocks
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, opens, submits
from bot.payloads import Click, Submission
from store.cases import Actor
from store.proceedings.screening import say_who_is_named
from store.rules.access import Deed

ACTION_ID = Do.WHO_IS_NAMED
NAMED = "named"


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the roster to choose from."""
    seen = desk.look(actor, click.target.number, Deed.SAY_WHO_IS_NAMED)
    people = [
        (str(person), blocks.clip(member.name, 70))
        for person, member in sorted(seen.people.members.items())
        if member.roles(seen.today)
    ]
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* Its papers could not be searched. Until you have said who of the "
            "roster is named in them, nobody else sees the case."
        ),
        blocks.several(NAMED, "Named in the papers", people, hint="Leave empty where nobody is."),
    ]
    return blocks.modal(
        "Who is named?", made, callback=ACTION_ID, submit="Say so", metadata=click.target.text()
    )


def read(submission: Submission) -> tuple[int, ...]:
    """Read the persons chosen."""
    return tuple(int(one) for one in submission.several(NAMED))


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record who is named; the others are told of the case."""
    say_who_is_named(desk.docket, actor, submission.target.number, read(submission))
    return f"Recorded. Case {submission.target.number} is now open to those who are not named in it."


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    opens(app, desk, ACTION_ID, "Who is named?", view)
    submits(app, desk, ACTION_ID, handle)

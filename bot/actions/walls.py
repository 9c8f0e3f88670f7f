"""A wall around a case is lifted with a reason, in one step, by a cleared person (B2)."""

from slack_bolt import App

from bot import blocks
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks
from bot.payloads import Click, Submission
from store.cases import Actor
from store.proceedings.screening import lift_conflict
from store.rules.access import Deed

ACTION_ID = Do.LIFT_CONFLICT
WHO, REASON = "who", "reason"


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw who is walled off and by what, to a person who may lift it."""
    seen = desk.look(actor, click.target.number, Deed.LIFT_CONFLICT)
    walls = [(person, seen.people.name(person), why) for person, why in sorted(seen.case.walls.items())]
    if not walls:
        return blocks.modal("Lift a wall", [blocks.section("Nobody is walled off from this case now.")])
    told = "\n".join(f"• {blocks.name(name)}: {blocks.escape(why)}" for _person, name, why in walls)
    choices = [(str(person), blocks.clip(name, 70)) for person, name, _why in walls]
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* Walled off, and by what. What is called possible may be somebody else.\n{told}"
        ),
        blocks.select(WHO, "Who is not concerned?", choices, initial=choices[0][0]),
        blocks.text_input(REASON, "Why not?", lines=True, limit=1000),
    ]
    return blocks.modal("Lift a wall", made, callback=ACTION_ID, submit="Lift", metadata=click.target.text())


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Lift it; whoever is entitled is told of the case."""
    number = submission.target.number
    lift_conflict(desk.docket, actor, number, submission.id(WHO), submission.text(REASON, 1000))
    return f"Recorded: one wall around case {number} is lifted."


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    asks(app, desk, ACTION_ID, "Lift a wall", view=view, handle=handle)

"""Disposition: what follows a sufficient basis, as the ballots carried it (E)(1)."""

from slack_bolt import App

from bot import blocks, cards
from bot.actions.choices import TRACK, track_choice
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.disposition import Disposition, dispose
from store.rules.access import Deed
from store.rules.stages import TrackStage, track_stage

ACTION_ID = Do.DISPOSE
COURSE, CIRCUMSTANCES, WORDS = "course", "circumstances", "words"
_COURSES = (
    ("reprimand", "A confidential reprimand (E)(1)(a)"),
    ("hearing", "A hearing (E)(1)(b)"),
    ("both", "Both"),
    ("nothing", "No further action"),
)
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the decision, with the ballots on which it can rest."""
    seen = desk.look(actor, click.target.number, Deed.DISPOSE)
    waiting = [
        one.id
        for one in seen.case.respondents
        if track_stage(seen.case, one.id) is TrackStage.SUFFICIENT_BASIS
    ]
    ballots = [cards.ballot_text(seen.case, one) for one in seen.case.ballots_since if one.closed is not None]
    circumstances = [(one.id, one.text) for one in seen.profile.mitigating]
    made = [
        blocks.section(f"*Case {seen.case.number}.* What follows rests on the Board's ballots:"),
        *(blocks.section(part) for part in cards.chunks(ballots[-20:] or ["no ballot was closed yet"])),
        track_choice(seen, waiting, "No respondent waits for this.", "E1-notify"),
        blocks.radio(COURSE, "The Board decided on", _COURSES),
    ]
    if circumstances:
        made.append(blocks.several(CIRCUMSTANCES, "Mitigating circumstances of a reprimand", circumstances))
    made.append(blocks.text_input(WORDS, "Further circumstances, in words", lines=True, optional=True))
    return form(ACTION_ID, "What follows", "Record", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    course, number = submission.among(COURSE, dict(_COURSES)), submission.target.number
    decided = Disposition(
        reprimand=course in {"reprimand", "both"},
        hearing=course in {"hearing", "both"},
        mitigating=submission.several(CIRCUMSTANCES),
        words=submission.text(WORDS),
    )
    dispose(desk.docket, actor, number, submission.id(TRACK), decided)
    return f"Recorded: what follows in case {number}. The letters that are due now stand on the card."


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    asks(app, desk, ACTION_ID, "What follows", view=view, handle=handle)

"""Determination: what the Board concluded for one respondent, resting on its ballots (D)."""

from slack_bolt import App

from bot import blocks, cards
from bot.actions.ballots import tracks
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission
from store.cases import Actor
from store.proceedings.determination import Conclusion, determine
from store.rules.access import Deed
from store.rules.errors import NotNow

ACTION_ID = Do.DETERMINE
TRACK, CONCLUSION, FINDINGS = "track", "conclusion", "findings"
OUTSIDE, FRIVOLOUS, NO_BASIS, SUFFICIENT = "outside", "frivolous", "no-basis", "sufficient"
_CONCLUSIONS = (
    (OUTSIDE, "Outside the Board's jurisdiction: terminated (D)"),
    (FRIVOLOUS, "Frivolous: terminated (D)"),
    (NO_BASIS, "Without factual basis: terminated (D)"),
    (SUFFICIENT, "Minimal factual basis found (E)(1)"),
)


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the determination, with the ballots that it can rest on."""
    seen = desk.look(actor, click.target.number, Deed.DETERMINE)
    open_tracks = [pair for pair in tracks(seen) if seen.case.standing_determination(int(pair[0])) is None]
    if not open_tracks:
        raise NotNow(
            "Every respondent was determined on.",
            clause="D-determine",
            mend="The case can be reopened, with a reason.",
        )
    ballots = [cards.ballot_text(seen.case, one) for one in seen.case.ballots if one.closed is not None]
    made = [
        blocks.section(f"*Case {seen.case.number}.* The determination rests on the Board's ballots:"),
        *(blocks.section(part) for part in cards.chunks(ballots[-20:] or ["no ballot was closed yet"])),
        blocks.select(TRACK, "For which respondent?", open_tracks, initial=open_tracks[0][0]),
        blocks.radio(CONCLUSION, "The Board's conclusion", _CONCLUSIONS),
        blocks.text_input(FINDINGS, "Findings, as the decision shall carry them", lines=True),
    ]
    return form(ACTION_ID, "Determination", "Record", click=click, of=made)


def read(submission: Submission) -> Conclusion:
    """Read the conclusion from the submitted form."""
    said = submission.among(CONCLUSION, dict(_CONCLUSIONS))
    return Conclusion(
        within_jurisdiction=said != OUTSIDE,
        factual_basis={OUTSIDE: None, FRIVOLOUS: None, NO_BASIS: False, SUFFICIENT: True}[said],
        findings=submission.text(FINDINGS),
        frivolous=said == FRIVOLOUS,
    )


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the determination."""
    number = submission.target.number
    determine(desk.docket, actor, number, submission.id(TRACK), read(submission))
    return f"Recorded: the determination in case {number}. The letters that follow are due now; see the card."


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    asks(app, desk, ACTION_ID, "Determination", view=view, handle=handle)

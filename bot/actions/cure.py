"""A cure brought in by hand: papers of the file that mend what the complaint lacks, with their own receipt (A)."""

from slack_bolt import App

from bot import blocks
from bot.actions.choices import labelled, papers_that_came
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.cure import record_cure
from store.proceedings.receipt import Filing
from store.rules.access import Deed
from store.rules.casefile import COMPLAINANT_SIDE, CURE
from store.rules.errors import NotNow
from store.rules.facts import Basis, ReceiptEvidence

ACTION_ID = Do.CURE
PAPERS, WHO, HOW = "papers", "who", "how"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the choice of the papers, whose they are, and when they were received."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_RECEIPT)
    papers = papers_that_came(desk, seen)
    theirs = labelled(one for one in seen.case.parties if one.role in COMPLAINANT_SIDE and not one.left)
    if not papers or not theirs:
        raise NotNow(
            "No paper is in this file, or no complainant is named.",
            clause="A-form",
            mend="Send a scan to the Board's address, or use docket cure on the command line.",
        )
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* A scan that you sent to the Board's address stands among the papers of the "
            "file; docket cure takes one on the command line. Check the form again afterwards: the 30 days run "
            "from the receipt that you state here."
        ),
        blocks.several(PAPERS, "Papers that mend it", papers, optional=False),
        blocks.select(WHO, "From whom?", theirs, initial=theirs[0][0]),
        *moment_inputs(seen, "Received", now=False),
        blocks.text_input(HOW, "How is that known?", limit=300, hint="Such as: date stamp of the counter."),
    ]
    return form(ACTION_ID, "A cure came by hand", "Record", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_RECEIPT)
    evidence = ReceiptEvidence(ingested_at=seen.now, words=submission.text(HOW))
    filing = Filing(
        "filed", read_moment(seen, submission), Basis.RECORDED_BY_STAFF, evidence=evidence, what=CURE
    )
    record_cure(
        desk.docket, actor, number, filing, party=submission.id(WHO), documents=submission.ids(PAPERS)
    )
    return f"Recorded in case {number}: a cure that came by hand. Check the form again."


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    asks(app, desk, ACTION_ID, "A cure came by hand", view=view, handle=handle)

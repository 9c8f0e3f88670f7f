"""An amended complaint: papers that came into the file become part of the complaint, with who is named in them."""

from slack_bolt import App

from bot import blocks
from bot.actions.choices import papers_that_came, people
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor, read_document
from store.proceedings.correction import amend
from store.proceedings.response import File
from store.rules.access import Deed
from store.rules.errors import NotNow

ACTION_ID = Do.AMEND
PAPERS, NAMED, WORDS = "papers", "named", "words"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the choice of the papers that amend the complaint, and of who of the roster is named in them."""
    seen = desk.look(actor, click.target.number, Deed.CORRECT)
    papers = papers_that_came(desk, seen)
    if not papers:
        raise NotNow(
            "No paper is in this file.",
            clause="A-form",
            mend="Send a scan to the Board's address, or use docket amend on the command line.",
        )
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* The papers become part of the complaint and go with every notice from "
            "now on. Check the form again afterwards: the 30 days run from the paper that makes it proper."
        ),
        blocks.several(PAPERS, "Papers that amend the complaint", papers, optional=False),
        *moment_inputs(seen, "Received", now=False),
        blocks.several(NAMED, "Who of the roster is named in them?", people(seen), hint="Empty: nobody is."),
        blocks.text_input(WORDS, "What do they change?", lines=True, optional=True, limit=2000),
    ]
    return form(ACTION_ID, "Amended complaint", "Record", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it; each paper is read as a person reads it, which is an entry."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.CORRECT)
    received_at, named = read_moment(seen, submission), submission.ids_among(NAMED, people(seen))
    files = []
    # all are looked at before the first is read: a reading is an entry, and stays
    for one in submission.ids_among(PAPERS, papers_that_came(desk, seen)):
        paper, content = read_document(desk.docket, actor, number, one, where="slack")
        files.append(File(content, paper.name, paper.media_type))
    amend(
        desk.docket,
        actor,
        number,
        received_at=received_at,
        files=files,
        named=named,
        words=submission.text(WORDS, 2000),
    )
    return f"Recorded in case {number}: an amended complaint. Check the form again where it mends it."


def attach(app: App, desk: Desk) -> None:
    """Attach the form."""
    asks(app, desk, ACTION_ID, "Amended complaint", view=view, handle=handle)

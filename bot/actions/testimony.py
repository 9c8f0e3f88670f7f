"""Testimony: a party's appearance, and a statement under oath with its transcript (B)."""

from slack_bolt import App

from bot import blocks
from bot.actions.choices import NOBODY, labelled, papers_that_came, party_choice
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, opens, submits
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.testimony import Appearance, Statement, record_appearance, record_statement
from store.rules.access import Deed
from store.rules.errors import BadInput
from store.rules.facts import PartyRole

ACTION_ID = Do.STATEMENT
PARTY, HOW, COUNSEL, ANSWERS, WORDS = "party", "how", "counsel", "answers", "words"
WITNESS, OATH, PAPERS = "witness", "oath", "papers"
_HOW = (("in person", "In person"), ("by video", "By video"), ("through counsel", "Through counsel"))
_COUNSEL = (PartyRole.RESPONDENT_COUNSEL, PartyRole.COMPLAINANT_COUNSEL)
read = read_submission


def view_appearance(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of an appearance."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_EVIDENCE)
    counsel = labelled(seen.case.with_role(*_COUNSEL))
    made = [
        party_choice(seen, PARTY, "Who appeared?"),
        *moment_inputs(seen, "Appeared"),
        blocks.radio(HOW, "How?", _HOW, initial=_HOW[0][0]),
        *([blocks.several(COUNSEL, "With which counsel?", counsel[:90])] if counsel else []),
        blocks.radio(
            ANSWERS,
            "Was it the respondent's answer to the complaint?",
            [("no", "No"), ("yes", "Yes: it is recorded as his answer")],
            initial="no",
        ),
        blocks.text_input(WORDS, "Remarks", lines=True, optional=True, limit=2000),
    ]
    return blocks.modal(
        "Appearance", made, callback=Do.APPEARANCE, submit="Record", metadata=click.target.text()
    )


def handle_appearance(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_EVIDENCE)
    appearance = Appearance(
        read_moment(seen, submission),
        submission.chosen(HOW),
        [int(one) for one in submission.several(COUNSEL)],
        submission.text(WORDS),
        answers=submission.chosen(ANSWERS) == "yes",
    )
    record_appearance(desk.docket, actor, number, int(submission.chosen(PARTY)), appearance)
    return f"Recorded in case {number}: the appearance."


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of a statement under oath."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_EVIDENCE)
    papers = papers_that_came(desk, seen)
    made = [
        party_choice(seen, PARTY, "Who swore?", none="another witness, named below"),
        blocks.text_input(WITNESS, "The witness, where it is no party", optional=True, limit=300),
        blocks.text_input(OATH, "Who administered the oath?", limit=300),
        *moment_inputs(seen, "Taken"),
        *([blocks.several(PAPERS, "Transcript or recording", papers)] if papers else []),
        blocks.text_input(WORDS, "Remarks", lines=True, optional=True, limit=2000),
        blocks.small("A transcript comes into the file by mail to the case, or on the command line."),
    ]
    return blocks.modal(
        "Statement under oath", made, callback=Do.STATEMENT, submit="Record", metadata=click.target.text()
    )


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_EVIDENCE)
    chosen = submission.chosen(PARTY)
    if chosen == NOBODY and not submission.text(WITNESS):
        raise BadInput("Choose who swore, or name the witness; nothing was changed.")
    statement = Statement(
        read_moment(seen, submission),
        submission.text(OATH),
        None if chosen == NOBODY else int(chosen),
        submission.text(WITNESS) if chosen == NOBODY else "",
        submission.text(WORDS),
        [int(one) for one in submission.several(PAPERS)],
    )
    record_statement(desk.docket, actor, number, statement)
    return f"Recorded in case {number}: a statement under oath."


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    opens(app, desk, Do.APPEARANCE, "Appearance", view_appearance)
    submits(app, desk, Do.APPEARANCE, handle_appearance)
    opens(app, desk, ACTION_ID, "Statement under oath", view)
    submits(app, desk, ACTION_ID, handle)

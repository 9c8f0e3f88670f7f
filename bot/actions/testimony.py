"""Testimony: a party's appearance, and a statement under oath with its transcript (B)."""

from slack_bolt import App

from bot import blocks
from bot.actions.choices import labelled, papers_that_came, party_choice
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form
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
        *([blocks.several(COUNSEL, "With which counsel?", counsel)] if counsel else []),
        blocks.radio(
            ANSWERS,
            "Was it the respondent's answer to the complaint?",
            [("no", "No"), ("yes", "Yes: it is recorded as his answer")],
            initial="no",
        ),
        blocks.text_input(WORDS, "Remarks", lines=True, optional=True, limit=2000),
    ]
    return form(Do.APPEARANCE, "Appearance", "Record", click=click, of=made)


def handle_appearance(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_EVIDENCE)
    appearance = Appearance(
        read_moment(seen, submission),
        submission.among(HOW, dict(_HOW)),
        list(submission.ids(COUNSEL)),
        submission.text(WORDS),
        answers=submission.is_yes(ANSWERS),
    )
    record_appearance(desk.docket, actor, number, submission.id(PARTY), appearance)
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
    return form(Do.STATEMENT, "Statement under oath", "Record", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_EVIDENCE)
    party = submission.id_or_nobody(PARTY)
    if party is None and not submission.text(WITNESS):
        raise BadInput(
            "Nobody is named who swore; nothing was changed.", mend="Choose who it was, or name the witness."
        )
    statement = Statement(
        read_moment(seen, submission),
        submission.text(OATH),
        party,
        submission.text(WITNESS) if party is None else "",
        submission.text(WORDS),
        list(submission.ids(PAPERS)),
    )
    record_statement(desk.docket, actor, number, statement)
    return f"Recorded in case {number}: a statement under oath."


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    asks(app, desk, Do.APPEARANCE, "Appearance", view=view_appearance, handle=handle_appearance)
    asks(app, desk, ACTION_ID, "Statement under oath", view=view, handle=handle)

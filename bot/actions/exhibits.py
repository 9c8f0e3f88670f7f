"""Exhibits: offered among the papers of the case, received in evidence or refused (B)."""

from slack_bolt import App

from bot import blocks
from bot.actions.choices import papers_that_came, party_choice, ruled_by_choice
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.exhibits import Offer, offer_exhibit, rule_on_exhibit
from store.rules.access import Deed
from store.rules.casefile import Exhibit
from store.rules.errors import NotNow

ACTION_ID = Do.OFFER_EXHIBIT
PAPER, PARTY, LABEL, WORDS = "paper", "party", "label", "words"
EXHIBIT, RECEIVED, REASON, BY = "exhibit", "received", "reason", "by"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the offer of an exhibit."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_EVIDENCE)
    papers = papers_that_came(desk, seen)
    if not papers:
        raise NotNow(
            "No paper has come to this case.",
            clause="B-respond",
            mend="An exhibit comes into the file by mail to the case, or on the command line.",
        )
    made = [
        blocks.select(PAPER, "Which paper?", papers, initial=papers[-1][0]),
        party_choice(seen, PARTY, "Offered by", none="the Board itself"),
        *moment_inputs(seen, "Offered"),
        blocks.text_input(LABEL, "Mark", optional=True, limit=30, hint="The next free one if left empty."),
        blocks.text_input(WORDS, "What it is to show", lines=True, optional=True, limit=2000),
    ]
    return form(Do.OFFER_EXHIBIT, "Offer an exhibit", "Record", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_EVIDENCE)
    offer = Offer(
        read_moment(seen, submission),
        submission.id_or_nobody(PARTY),
        document=submission.id(PAPER),
        label=submission.text(LABEL),
        words=submission.text(WORDS),
    )
    offer_exhibit(desk.docket, actor, number, offer)
    return f"Recorded in case {number}: an exhibit was offered. The chair rules whether it is received."


def view_ruling(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the ruling on an exhibit."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_EVIDENCE)
    exhibits = sorted(seen.case.exhibits, key=lambda one: (one.ruled is not None, one.id))
    if not exhibits:
        raise NotNow("No exhibit was offered in this case.", clause="B-respond", mend="Offer one first.")
    choices = [(str(one.id), blocks.clip(said(one), 70)) for one in exhibits]
    made = [
        blocks.select(EXHIBIT, "Which exhibit?", choices, initial=choices[0][0]),
        blocks.radio(RECEIVED, "The ruling", [("yes", "Received in evidence"), ("no", "Refused")]),
        blocks.text_input(
            REASON, "Why?", lines=True, optional=True, limit=1000, hint="Needed to refuse, or to rule anew."
        ),
        ruled_by_choice(seen, BY),
    ]
    return form(Do.RULE_EXHIBIT, "Rule on an exhibit", "Record", click=click, of=made)


def said(one: Exhibit) -> str:
    """Say an exhibit's mark and what was ruled on it."""
    ruled = "not ruled on" if one.ruled is None else ("received" if one.ruled.received else "refused")
    return f"{one.offered.label}: {ruled}"


def handle_ruling(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    received = submission.is_yes(RECEIVED)
    rule_on_exhibit(
        desk.docket,
        actor,
        number,
        submission.id(EXHIBIT),
        received=received,
        reason=submission.text(REASON),
        ruled_by=submission.id(BY),
    )
    return f"Recorded in case {number}: the exhibit was {'received' if received else 'refused'}."


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    asks(app, desk, ACTION_ID, "Offer an exhibit", view=view, handle=handle)
    asks(app, desk, Do.RULE_EXHIBIT, "Rule on an exhibit", view=view_ruling, handle=handle_ruling)

"""Referral of evidence to a prosecutor, with a manifest, and his receipt (C)(1)."""

from slack_bolt import App

from bot import blocks, words
from bot.actions.choices import papers_that_came
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor, Look
from store.proceedings.evidence_referral import (
    PROSECUTORS,
    Selection,
    record_evidence_receipt,
    turn_over_evidence,
)
from store.rules.access import Deed
from store.rules.errors import NotNow
from store.rules.facts import EvidenceTurnedOver, OfficeReceived
from store.rules.ordinance import Office

ACTION_ID = Do.TURN_OVER_EVIDENCE
TO, PAPERS, ON, AUTHORITY, WHICH, EVIDENCE = "to", "papers", "authorised", "authority", "which", "evidence"
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the choice of evidence."""
    seen = desk.look(actor, click.target.number, Deed.TURN_OVER_EVIDENCE)
    papers = papers_that_came(desk, seen)
    if not papers:
        raise NotNow(
            "No paper came to the Board in this case.",
            clause="C1-evidence",
            mend="File the evidence in the case first.",
        )
    offices = [(one.value, seen.profile.address(one).name) for one in PROSECUTORS if _has(seen, one)]
    if not offices:
        raise NotNow(
            "The ordinance of this case names no prosecutor.",
            clause="C1-evidence",
            mend="Ask counsel; the profile names the offices.",
        )
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* Chosen papers only; votes and deliberations never leave the file."
        ),
        blocks.select(TO, "To whom?", offices, initial=offices[0][0]),
        blocks.several(PAPERS, "Evidence", papers, optional=False),
        blocks.date_input(ON, "Authorized on", initial=seen.today.isoformat()),
        blocks.text_input(AUTHORITY, "By what act?", limit=300, hint="Such as the motion and its meeting."),
    ]
    return form(ACTION_ID, "Turn over evidence", "Turn over", click=click, of=made)


def _has(seen: Look, office: Office) -> bool:
    return any(one.office is office for one in seen.profile.addresses)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Write the letter."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.TURN_OVER_EVIDENCE)
    selection = Selection(
        submission.one_of(TO, Office),
        submission.ids(PAPERS),
        submission.day(ON) or seen.today,
        submission.text(AUTHORITY),
    )
    turn_over_evidence(desk.docket, actor, number, selection)
    return words.letters_wait(1, number)


def view_received(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of the prosecutor's receipt."""
    seen = desk.look(actor, click.target.number, Deed.TURN_OVER_EVIDENCE)
    zone = seen.profile.city.time_zone
    waiting = [
        (str(one.id), f"{one.fact.to.replace('_', ' ')}, {words.instant(one.fact.at, zone)}")
        for one in seen.case.all(EvidenceTurnedOver)
        if seen.case.last(OfficeReceived, about=one.id) is None
    ]
    if not waiting:
        raise NotNow("No evidence waits for a receipt.", clause="C1-evidence", mend="Turn it over first.")
    made = [
        blocks.select(WHICH, "Which?", waiting, initial=waiting[0][0]),
        *moment_inputs(seen, "Received"),
        blocks.text_input(EVIDENCE, "How is it known?", lines=True, limit=1000),
    ]
    return form(Do.EVIDENCE_RECEIVED, "Evidence received", "Record", click=click, of=made)


def handle_received(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.TURN_OVER_EVIDENCE)
    record_evidence_receipt(
        desk.docket,
        actor,
        number,
        submission.id(WHICH),
        at=read_moment(seen, submission),
        evidence=submission.text(EVIDENCE),
    )
    return f"Recorded in case {number}: the evidence was received."


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    asks(app, desk, ACTION_ID, "Turn over evidence", view=view, handle=handle)
    asks(app, desk, Do.EVIDENCE_RECEIVED, "Evidence received", view=view_received, handle=handle_received)

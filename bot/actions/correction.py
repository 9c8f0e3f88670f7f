"""Corrections: a receipt, a withdrawal, a merger, a reopening; and the list of the acts around the file."""

from slack_bolt import App

from bot import blocks, cards, words
from bot.actions.choices import labelled
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form, opens
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.correction import (
    correct_receipt,
    instant_of,
    may_be_reopened,
    receipts,
    record_withdrawal,
    reopen,
    words_for,
)
from store.proceedings.merger import merge
from store.proceedings.referral import record_manager_receipt
from store.rules.access import Deed
from store.rules.casefile import CaseFile
from store.rules.errors import NotNow
from store.rules.facts import Basis, ComplaintReceived, ReceiptEvidence, ReceivedBy

ACTION_ID = Do.CORRECT_RECEIPT
RECEIPT, REASON, WORDS, INTO, RESPONDENTS = "receipt", "reason", "words", "into", "respondents"
read = read_submission


def more(desk: Desk, actor: Actor, click: Click) -> Json:
    """Show what the person may do around the file now."""
    seen = desk.look(actor, click.target.number)
    made = cards.around_the_file(cards.Card(seen, seen.may))
    if not made:
        raise NotNow(
            "There is nothing else for you to do in this case now.",
            clause="C-confidential",
            mend="See what happens next in the case.",
        )
    return blocks.modal("More", [blocks.section(f"*Case {seen.case.number}*"), *blocks.actions(made)])


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the correction of a receipt."""
    seen = desk.look(actor, click.target.number, Deed.CORRECT)
    zone = seen.profile.city.time_zone
    choices = [
        (str(one.id), f"{words_for(seen.case, one)}, {words.instant(instant_of(one), zone)}")
        for one in receipts(seen.case)
    ]
    if not choices:
        raise NotNow(
            "No receipt is on the record.", clause="A-refer", mend="Record the City Manager's receipt first."
        )
    made = [
        blocks.section("The dates are reckoned anew; letters that went out stay as they were."),
        blocks.select(RECEIPT, "Which receipt?", choices, initial=choices[0][0]),
        *moment_inputs(seen, "Truly received", now=False),
        blocks.text_input(REASON, "How is it known?", lines=True, limit=1000),
    ]
    return form(ACTION_ID, "Correct a receipt", "Correct", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it and say how many dates moved."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.CORRECT)
    moved = correct_receipt(
        desk.docket,
        actor,
        number,
        submission.id(RECEIPT),
        received_at=read_moment(seen, submission),
        reason=submission.text(REASON),
    )
    return f"Recorded. {len(moved)} open dates moved; everybody whom it concerns is told once."


def view_manager(desk: Desk, actor: Actor, click: Click) -> Json:
    """Ask when the City Manager had the complaint, and how that is known."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_RECEIPT)
    made = [
        blocks.section(
            "Where a complaint reached the City Manager first, dates run from that day as well. What Docket "
            "assumed about it stands no more once this is recorded."
        ),
        *moment_inputs(seen, "Received by the City Manager", now=False),
        blocks.text_input(REASON, "How is it known?", lines=True, limit=1000),
    ]
    return form(Do.MANAGER_RECEIPT, "City Manager's receipt", "Record", click=click, of=made)


def handle_manager(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_RECEIPT)
    known = ReceiptEvidence(words=submission.text(REASON, 1000))
    at = read_moment(seen, submission)
    received = ComplaintReceived(at, ReceivedBy.CITY_MANAGER, Basis.RECORDED_BY_STAFF, known)
    record_manager_receipt(desk.docket, actor, number, received)
    return f"Recorded in case {number}: received by the City Manager. The dates follow it."


def view_withdrawal(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of a withdrawal."""
    seen = desk.look(actor, click.target.number, Deed.CORRECT)
    made = [
        blocks.section("No date moves by it: the Board decides what follows."),
        *moment_inputs(seen, "Received"),
        blocks.text_input(WORDS, "What was said, and how it came", lines=True, limit=2000),
    ]
    return form(Do.WITHDRAW, "Withdrawn", "Record", click=click, of=made)


def handle_withdrawal(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.CORRECT)
    record_withdrawal(
        desk.docket,
        actor,
        number,
        received_at=read_moment(seen, submission),
        words=submission.text(WORDS),
    )
    return f"Recorded in case {number}: withdrawn."


def view_merger(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the merger."""
    seen = desk.look(actor, click.target.number, Deed.CORRECT)
    made = [
        blocks.section(f"Case {seen.case.number} duplicates another one, which goes on for both."),
        blocks.text_input(INTO, "Number of the case that goes on", limit=40),
        blocks.text_input(REASON, "Why?", lines=True, limit=1000),
    ]
    return form(Do.MERGE, "Merge", "Merge", click=click, of=made)


def handle_merger(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number = submission.target.number
    merge(desk.docket, actor, number, into=submission.text(INTO), reason=submission.text(REASON))
    return f"Recorded. Later mail to case {number} reaches the one that goes on."


def view_reopening(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the reopening."""
    seen = desk.look(actor, click.target.number, Deed.REOPEN)
    made = [
        blocks.section(
            f"*Case {seen.case.number}.* About whom it is reopened nothing determined stands any more, and the Board "
            "votes anew. Letters that went out stay as they were."
        ),
        *_whose(seen.case),
        blocks.text_input(REASON, "Why?", lines=True, limit=1000),
    ]
    return form(Do.REOPEN, "Reopen", "Reopen", click=click, of=made)


def _whose(case: CaseFile) -> list[Json]:
    """Give the choice of whose tracks are reopened; none where there is nothing to choose."""
    determined, merged = may_be_reopened(case), case.merged is not None
    if not determined or (len(case.respondents) == 1 and not merged):
        return []
    choices = [pair for pair in labelled(case.respondents) if int(pair[0]) in determined]
    only = [value for value, _label in choices] if len(choices) == 1 and not merged else []
    hint = "Leave empty to undo the merger alone." if merged else "The tracks of the others stay as they are."
    label = "Whose track is reopened?"
    return [blocks.several(RESPONDENTS, label, choices, initial=only, optional=merged, hint=hint)]


def handle_reopening(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    number, whose = submission.target.number, submission.ids(RESPONDENTS)
    reopen(desk.docket, actor, number, reason=submission.text(REASON), respondents=whose)
    return f"Recorded: case {submission.target.number} goes on."


def attach(app: App, desk: Desk) -> None:
    """Attach the forms and the list."""
    opens(app, desk, Do.MORE_ACTS, "More", more)
    asks(app, desk, ACTION_ID, "Correct a receipt", view=view, handle=handle)
    asks(app, desk, Do.WITHDRAW, "Withdrawn", view=view_withdrawal, handle=handle_withdrawal)
    asks(app, desk, Do.MERGE, "Merge", view=view_merger, handle=handle_merger)
    asks(app, desk, Do.REOPEN, "Reopen", view=view_reopening, handle=handle_reopening)
    asks(app, desk, Do.MANAGER_RECEIPT, "City Manager's receipt", view=view_manager, handle=handle_manager)

"""Corrections: a receipt, a withdrawal, a merger, a reopening; and the list of the acts around the file."""

from slack_bolt import App

from bot import blocks, cards, words
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, opens, submits
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor
from store.proceedings.correction import correct_receipt, merge, receipts, record_withdrawal, reopen
from store.rules.access import Deed
from store.rules.errors import NotNow
from store.rules.facts import ReprimandReceived

ACTION_ID = Do.CORRECT_RECEIPT
RECEIPT, REASON, WORDS, INTO = "receipt", "reason", "words", "into"
read = read_submission


def more(desk: Desk, actor: Actor, click: Click) -> Json:
    """Show what the person may do around the file now."""
    seen = desk.look(actor, click.target.number)
    made = cards.around_the_file(cards.Card(seen, seen.may))
    if not made:
        raise NotNow("There is nothing else for you to do in this case now.")
    return blocks.modal("More", [blocks.section(f"*Case {seen.case.number}*"), *blocks.actions(made)])


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the correction of a receipt."""
    seen = desk.look(actor, click.target.number, Deed.CORRECT)
    zone = seen.profile.city.time_zone
    choices = []
    for one in receipts(seen.case)[-90:]:
        at = one.fact.at if isinstance(one.fact, ReprimandReceived) else one.fact.received_at
        choices.append((str(one.id), f"{one.fact.KIND.replace('-', ' ')}, {words.instant(at, zone)}"))
    if not choices:
        raise NotNow("No receipt is on the record.", clause="A-refer")
    made = [
        blocks.section("The dates are reckoned anew; letters that went out stay as they were."),
        blocks.select(RECEIPT, "Which receipt?", choices, initial=choices[0][0]),
        *moment_inputs(seen, "Truly received", now=False),
        blocks.text_input(REASON, "How is it known?", lines=True, limit=1000),
    ]
    return blocks.modal(
        "Correct a receipt", made, callback=ACTION_ID, submit="Correct", metadata=click.target.text()
    )


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it and say how many dates moved."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.CORRECT)
    moved = correct_receipt(
        desk.docket,
        actor,
        number,
        int(submission.chosen(RECEIPT)),
        received_at=read_moment(seen, submission),
        reason=submission.text(REASON),
    )
    return f"Recorded. {len(moved)} open dates moved; everybody whom it concerns is told once."


def view_withdrawal(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of a withdrawal."""
    seen = desk.look(actor, click.target.number, Deed.CORRECT)
    made = [
        blocks.section("No date moves by it: the Board decides what follows."),
        *moment_inputs(seen, "Received"),
        blocks.text_input(WORDS, "What was said, and how it came", lines=True, limit=2000),
    ]
    return blocks.modal(
        "Withdrawn", made, callback=Do.WITHDRAW, submit="Record", metadata=click.target.text()
    )


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
    return blocks.modal("Merge", made, callback=Do.MERGE, submit="Merge", metadata=click.target.text())


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
            f"*Case {seen.case.number}.* What was determined stands no more, and the Board votes anew. "
            "Letters that went out stay as they were."
        ),
        blocks.text_input(REASON, "Why?", lines=True, limit=1000),
    ]
    return blocks.modal("Reopen", made, callback=Do.REOPEN, submit="Reopen", metadata=click.target.text())


def handle_reopening(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it."""
    reopen(desk.docket, actor, submission.target.number, reason=submission.text(REASON))
    return f"Recorded: case {submission.target.number} goes on."


def attach(app: App, desk: Desk) -> None:
    """Attach the forms and the list."""
    opens(app, desk, Do.MORE_ACTS, "More", more)
    opens(app, desk, ACTION_ID, "Correct a receipt", view)
    submits(app, desk, ACTION_ID, handle)
    opens(app, desk, Do.WITHDRAW, "Withdrawn", view_withdrawal)
    submits(app, desk, Do.WITHDRAW, handle_withdrawal)
    opens(app, desk, Do.MERGE, "Merge", view_merger)
    submits(app, desk, Do.MERGE, handle_merger)
    opens(app, desk, Do.REOPEN, "Reopen", view_reopening)
    submits(app, desk, Do.REOPEN, handle_reopening)

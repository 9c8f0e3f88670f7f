"""Held mail: a person looks, and files it, attaches it to a case, sets it aside with a reason, or answers how to file (I1)."""

from dataclasses import replace

from slack_bolt import App

from bot import blocks, cards, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form, later
from bot.files import Files
from bot.payloads import Click, Submission, Target
from store.cases import Actor
from store.proceedings.held_mail import Held, HeldDecision, held_raw, holding_pen, place_held
from store.proceedings.receipt import Filing
from store.rules.errors import AlreadyDone, NotNow
from store.rules.spoken import spoken

ACTION_ID = Do.HELD_MAIL
DECISION, NUMBER, REASON = "decision", "number", "reason"
_DECISIONS = (
    (HeldDecision.FILE.value, "File it as a new complaint"),
    (HeldDecision.ATTACH.value, "Attach it to a case"),
    (HeldDecision.SET_ASIDE.value, "Set it aside, with a reason"),
    (HeldDecision.ANSWER.value, "Answer how to file, and set it aside"),
)


def _held(desk: Desk, actor: Actor, item: int) -> Held:
    found = next((one for one in holding_pen(desk.docket, actor) if one.item == item), None)
    if found is None:
        raise AlreadyDone("This message waits no more: somebody placed it.", mend="See /ethics mail.")
    return found


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the message, as far as the record knows it, and the four things that can be done."""
    held = _held(desk, actor, click.target.about)
    zone = desk.profile().city.time_zone
    about = [
        f"Received {words.instant(held.received_at, zone)}, {held.size:,} bytes",
        f"From: {held.sender or 'not said'}",
        f"Why it waits: {held.reason or spoken(held.outcome) or 'could not be read'}",
        *(f"Mark: {spoken(flag)}" for flag in held.flags),
        *([f"Perhaps of case {held.suggested}"] if held.suggested else []),
    ]
    send = blocks.button("Send me the message", Do.SEND_HELD, Target("", held.item).text())
    made = [
        blocks.header(f"Message {held.item}"),
        *(blocks.said(part) for part in cards.chunks(about)),
        *blocks.actions([send]),
        blocks.radio(DECISION, "What shall become of it?", _DECISIONS),
        blocks.text_input(NUMBER, "Case number, to attach it", optional=True, limit=40),
        blocks.text_input(
            REASON, "Reason", lines=True, optional=True, limit=1000, hint="Needed to set it aside."
        ),
    ]
    return form(ACTION_ID, "Held mail", "Do it", click=click, of=made)


def read(submission: Submission) -> HeldDecision:
    """Read the decision."""
    return submission.one_of(DECISION, HeldDecision)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Carry out the decision; the message is read anew as the mailroom reads it."""
    item, decision = submission.target.about, read(submission)
    held = _held(desk, actor, item)
    filing = replace(_filing(desk, actor, held, decision), reason=submission.text(REASON))
    number = place_held(
        desk.docket,
        actor,
        item,
        decision,
        filing=filing,
        number=submission.text(NUMBER).upper(),
    )
    if number:
        return f"Recorded: the message is in case {number}."
    told = "the sender is told how to file, and " if decision is HeldDecision.ANSWER else ""
    return f"Recorded: {told}the message is set aside."


def _filing(desk: Desk, actor: Actor, held: Held, decision: HeldDecision) -> Filing:
    """Give what the message holds; to set it aside nothing needs to be read."""
    if decision is HeldDecision.SET_ASIDE:
        return Filing(outcome=held.outcome, received_at=held.received_at, sender=held.sender)
    if desk.refile is None:
        raise NotNow(
            "No mailroom runs with this Slack, so a message can only be set aside here.",
            mend="File or answer it on the command line.",
        )
    return desk.refile(held.item, held_raw(desk.docket, actor, held.item))


def send(desk: Desk, actor: Actor, click: Click) -> str:
    """Send the raw message to the clerk's direct messages; the reading is an entry."""
    raw = held_raw(desk.docket, actor, click.target.about)
    Files(desk.docket, desk.client).give(
        raw,
        f"message-{click.target.about}.eml",
        user=click.user,
        case_id=None,
        person=actor.person,
        document=click.target.about,
    )
    return words.SENT_TO_YOU


def attach(app: App, desk: Desk) -> None:
    """Attach the look and the decision."""
    asks(app, desk, ACTION_ID, "Held mail", view=view, handle=handle)
    later(app, desk, Do.SEND_HELD, send)

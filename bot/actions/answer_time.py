"""More time to answer: a request is recorded, and granted or refused with a reason (B)."""

from slack_bolt import App

from bot import blocks, words
from bot.actions.choices import TRACK, ruled_by_choice, track_choice
from bot.actions.ids import Do
from bot.actions.moments import moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, form
from bot.payloads import Click, Submission, read_submission
from store.cases import Actor, Look
from store.proceedings.answer_time import ask_for_time, inquiry_step, rule_on_time
from store.rules.access import Deed
from store.rules.casefile import TimeAsked
from store.rules.errors import BadInput, NotNow

ACTION_ID = Do.RULE_TIME
UNTIL, WORDS, REQUEST, GRANTED, REASON, BY = "until", "words", "request", "granted", "reason", "by"
read = read_submission


def beside(seen: Look) -> str:
    """Say the inquiry's own last day, which runs on whatever time a respondent gets."""
    found = inquiry_step(seen)
    if found is None or found.dates is None:
        return "No period of the ordinance moves by it."
    last = words.day(found.dates.expected_last_day)
    return f"No period of the ordinance moves by it: the inquiry's last lawful day stays {last} (B)."


def view_asking(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of a request."""
    seen = desk.look(actor, click.target.number, Deed.RECORD_RESPONSE)
    waiting = [one.id for one in seen.case.respondents if not seen.case.responded(one.id)]
    made = [
        blocks.section(beside(seen)),
        track_choice(seen, waiting, "No respondent waits to answer.", "B-respond"),
        blocks.date_input(UNTIL, "Asks for time until"),
        *moment_inputs(seen, "The request came"),
        blocks.text_input(WORDS, "Why, and how it came", lines=True, optional=True, limit=2000),
    ]
    return form(Do.ASK_TIME, "More time asked for", "Record", click=click, of=made)


def handle_asking(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it; nothing moves."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.RECORD_RESPONSE)
    until = submission.day(UNTIL)
    if until is None:
        raise BadInput("No day was picked; nothing was changed.", mend="Pick the day that was asked for.")
    ask_for_time(
        desk.docket,
        actor,
        number,
        submission.id(TRACK),
        until=until,
        received_at=read_moment(seen, submission),
        words=submission.text(WORDS),
    )
    return f"Recorded in case {number}: more time was asked for. The chair rules on it; until then nothing moves."


def _waiting(seen: Look) -> list[TimeAsked]:
    return [one for one in seen.case.asked_for_time() if one.ruled is None]


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the ruling."""
    seen = desk.look(actor, click.target.number, Deed.RULE_ON_TIME)
    waiting = _waiting(seen)
    if not waiting:
        raise NotNow(
            "No request for more time waits.", clause="B-respond", mend="Record a request first, if one came."
        )
    choices = [(str(one.id), _label(seen, one)) for one in waiting]
    made = [
        blocks.section(beside(seen)),
        blocks.select(REQUEST, "Which request?", choices, initial=choices[0][0]),
        blocks.radio(GRANTED, "The ruling", [("yes", "More time is given"), ("no", "It is refused")]),
        blocks.date_input(UNTIL, "Until, where it is another day", optional=True),
        blocks.text_input(REASON, "Why?", lines=True, limit=1000),
        ruled_by_choice(seen, BY),
    ]
    return form(Do.RULE_TIME, "More time", "Record", click=click, of=made)


def _label(seen: Look, one: TimeAsked) -> str:
    party = seen.case.party(one.respondent)
    name = party.named.name if party else ""
    return blocks.clip(f"{name}, until {words.day(one.asked.until)}", 70)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it, and say until when he may answer now."""
    number = submission.target.number
    day = rule_on_time(
        desk.docket,
        actor,
        number,
        submission.id(REQUEST),
        granted=submission.is_yes(GRANTED),
        reason=submission.text(REASON),
        until=submission.day(UNTIL),
        ruled_by=submission.id(BY),
    )
    ruled = f"time to answer until {words.day(day)}" if day else "more time was refused"
    return f"Recorded in case {number}: {ruled}. {beside(desk.look(actor, number))}"


def attach(app: App, desk: Desk) -> None:
    """Attach both forms."""
    asks(app, desk, Do.ASK_TIME, "More time asked for", view=view_asking, handle=handle_asking)
    asks(app, desk, Do.RULE_TIME, "More time", view=view, handle=handle)

"""Planning a meeting: planned, moved, called off, its notice; and one click to say whether one comes (B3)."""

from slack_bolt import App

from bot import blocks, meeting_cards, words
from bot.actions.ids import Do
from bot.actions.moments import Here, moment_inputs, read_moment
from bot.blocks import Json
from bot.desk import Desk, asks, does, form, later
from bot.payloads import Click, OddPayload, Submission, read_submission
from store.cases import Actor
from store.proceedings.planning import (
    When,
    answer_coming,
    calendar_entry,
    call_off,
    move_meeting,
    plan_meeting,
    plan_of,
    record_notice,
)
from store.rules.access import Deed
from store.rules.errors import BadInput, NotNow
from store.rules.facts import Coming, NoticeGiven
from store.rules.plans import Plan

ACTION_ID = Do.PLAN_MEETING
PLACE, LASTS, SPECIAL, AGENDA, REASON = "place", "lasts", "special", "agenda", "reason"
HOW, WHOM, POSTED = "how", "whom", "posted"
VIDEO, PRIMARY = "video", "primary"
_DIGITS = 5
read = read_submission


def here(desk: Desk) -> Here:
    """Give the present instant in the city."""
    return Here(desk.docket.clock.now(), desk.profile())


def _plan(desk: Desk, plan: int) -> Plan:
    found = plan_of(desk.docket, plan)
    if found is None or not found.stands:
        raise NotNow(
            "No meeting is planned under this button any more.",
            clause="KRS 61.823",
            mend="See /ethics meeting.",
        )
    return found


def _form(desk: Desk, before: Plan | None) -> list[Json]:
    return [
        *moment_inputs(here(desk), "It begins", now=False),
        blocks.text_input(
            PLACE, "Place or video link", limit=300, initial=before.planned.place if before else ""
        ),
        blocks.text_input(
            LASTS, "Minutes", limit=4, initial=str(before.planned.lasts_minutes if before else 120)
        ),
        blocks.radio(
            SPECIAL,
            "Kind",
            [("no", "Regular meeting"), ("yes", "Special meeting (KRS 61.823)")],
            initial="yes" if before and before.planned.special else "no",
        ),
    ]


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the plan of a meeting."""
    desk.check(actor, Deed.PLAN_MEETING)
    made = [
        blocks.section(
            "Everybody who sits is asked whether he comes. That is not the notice of the meeting."
        ),
        *_form(desk, None),
        blocks.text_input(
            AGENDA, "Cases on the agenda", optional=True, limit=1000, hint="Their numbers, parted by blanks."
        ),
    ]
    return form(ACTION_ID, "Plan a meeting", "Plan", click=click, of=made)


def _when(desk: Desk, submission: Submission, agenda: list[str]) -> When:
    minutes = submission.text(LASTS)
    if not (minutes.isascii() and minutes.isdecimal() and len(minutes) <= _DIGITS):
        raise BadInput(
            "How long the meeting lasts cannot be read; nothing was changed.", mend="Say it in minutes."
        )
    at = read_moment(here(desk), submission)
    return When(at, submission.text(PLACE), int(minutes), submission.is_yes(SPECIAL), agenda)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Plan it."""
    agenda = submission.text(AGENDA).replace(",", " ").split()
    plan_meeting(desk.docket, actor, _when(desk, submission, agenda))
    return "Recorded: the meeting is planned. Give the notice that the law asks for, and record it."


def view_moving(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the change of a plan."""
    desk.check(actor, Deed.PLAN_MEETING)
    plan = _plan(desk, click.target.about)
    made = [
        blocks.section("Answers to another hour fall away, and the meeting needs a notice of its own."),
        *_form(desk, plan),
        blocks.text_input(REASON, "Why?", limit=500),
    ]
    return form(Do.MOVE_MEETING, "Move the meeting", "Move", click=click, of=made)


def handle_moving(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Move it; the agenda stays."""
    plan = _plan(desk, submission.target.about)
    when = _when(desk, submission, [])
    move_meeting(desk.docket, actor, plan.id, when, reason=submission.text(REASON), same_agenda=True)
    return "Recorded: the meeting is moved. A changed calendar entry goes to everybody who was invited."


def view_calling_off(desk: Desk, actor: Actor, click: Click) -> Json:
    """Ask why it is called off."""
    desk.check(actor, Deed.PLAN_MEETING)
    _plan(desk, click.target.about)
    made = [blocks.text_input(REASON, "Why?", limit=500)]
    return form(Do.CALL_OFF, "Call it off", "Call off", click=click, of=made)


def handle_calling_off(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Call it off."""
    call_off(desk.docket, actor, submission.target.about, reason=submission.text(REASON))
    return "Recorded: the meeting is called off. Everybody who was invited is told."


def view_notice(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the record of a notice."""
    desk.check(actor, Deed.PLAN_MEETING)
    _plan(desk, click.target.about)
    made = [
        *moment_inputs(here(desk), "Given"),
        blocks.text_input(HOW, "How?", limit=500, hint="In writing, by hand, by fax, by mail."),
        blocks.text_input(WHOM, "To whom?", limit=500, hint="Every member, and the media that asked for it."),
        blocks.text_input(POSTED, "Posted where?", optional=True, limit=300),
        blocks.text_input(
            VIDEO,
            "By video: how can the public follow it?",
            optional=True,
            limit=500,
            hint="As the notice says it; left empty where it is no video meeting (KRS 61.826).",
        ),
        blocks.text_input(
            PRIMARY,
            "By video: primary physical location",
            optional=True,
            limit=300,
            hint="Where all members can be seen and heard and the public may attend.",
        ),
    ]
    return form(Do.NOTICE_GIVEN, "Notice was given", "Record", click=click, of=made)


def handle_notice(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it, and say what it lacks."""
    notice = NoticeGiven(
        read_moment(here(desk), submission),
        submission.text(HOW),
        submission.text(WHOM),
        submission.text(POSTED),
        submission.text(VIDEO),
        submission.text(PRIMARY),
    )
    lacks = record_notice(desk.docket, actor, submission.target.about, notice)
    return " ".join(["Recorded: notice was given.", *lacks])


def handle_coming(desk: Desk, actor: Actor, click: Click) -> str:
    """Record the answer that a button bears."""
    said = click.action.partition(":")[2]
    if said not in set(Coming):
        raise OddPayload(words.UNKNOWN_CLICK)
    coming = Coming(said)
    answer_coming(desk.docket, actor, click.target.about, coming)
    return f"Recorded: “{meeting_cards.ANSWERS[coming]}”. You can change it until the meeting begins."


def handle_file(desk: Desk, actor: Actor, click: Click) -> str:
    """Send the calendar file to the person's direct messages."""
    desk.check(actor, Deed.ANSWER_COMING)
    plan = _plan(desk, click.target.about)
    direct = desk.client.conversations_open(users=click.user)["channel"]["id"]
    desk.client.files_upload_v2(
        channel=str(direct),
        content=calendar_entry(desk.docket, plan),
        filename="meeting.ics",
        title="meeting.ics",
    )
    return words.SENT_TO_YOU_ONLY


def attach(app: App, desk: Desk) -> None:
    """Attach the forms and the answers."""
    asks(app, desk, ACTION_ID, "Plan a meeting", view=view, handle=handle)
    asks(app, desk, Do.MOVE_MEETING, "Move the meeting", view=view_moving, handle=handle_moving)
    asks(app, desk, Do.CALL_OFF, "Call it off", view=view_calling_off, handle=handle_calling_off)
    asks(app, desk, Do.NOTICE_GIVEN, "Notice was given", view=view_notice, handle=handle_notice)
    does(app, desk, Do.COMING, handle_coming)
    later(app, desk, Do.CALENDAR_FILE, handle_file)

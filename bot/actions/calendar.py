"""The city's calendar: a day closed, a year adopted from a list that somebody pasted (D3)."""

from datetime import time

from slack_bolt import App

from bot import blocks, cards
from bot.actions.ids import Do
from bot.actions.moments import read_hour
from bot.blocks import Json
from bot.desk import Desk, asks, form, submits
from bot.payloads import Click, Submission, Target, read_submission
from store.cases import Actor, calendar_of, profile_in_force
from store.proceedings.calendar import Moved, close_day
from store.proceedings.closures_list import Proposal, adopt_year, read_closures
from store.rules.access import Deed
from store.rules.calendar import Calendar
from store.rules.counted import counted
from store.rules.errors import BadInput
from store.rules.facts import DatesMoved

ACTION_ID = Do.CLOSE_DAY
ON, REASON, CLOSES_AT, YEAR, LINES, CAUSE, LATE = (
    "on",
    "reason",
    "closes_at",
    "year",
    "lines",
    "cause",
    "late",
)
_PASTED = 3000
read = read_submission


def in_force(desk: Desk) -> Calendar:
    """The calendar in force."""
    with desk.docket.database.read() as session:
        return calendar_of(session, profile_in_force(session)[0])


def shown(desk: Desk, actor: Actor) -> list[Json]:
    """Show the adopted closures from today on, and what can be changed by whom.

    Raises:
        NotAllowed: whoever is not on the roster.
    """
    desk.check(actor, Deed.SEE_ROSTER)
    calendar, today = in_force(desk), desk.today()
    years = ", ".join(map(str, sorted(calendar.adopted_years))) or "none; every date is provisional"
    coming = sorted((one for one in calendar.closures if one.on >= today), key=lambda one: one.on)
    lines = [
        f"{one.on:%a %Y-%m-%d}"
        + (f" from {one.closes_at:%H:%M}" if one.closes_at else "")
        + f"  {one.reason}"
        for one in coming
    ]
    made = [
        blocks.section(f"*Adopted years:* {years}. *City hall is closed on:*"),
        *(blocks.said(part) for part in cards.chunks(lines or ["no day that lies ahead"])),
        blocks.small(f"Version {calendar.version}, {len(calendar.closures)} closures in all."),
    ]
    if desk.may(actor, Deed.SET_CALENDAR):
        close = blocks.button("Close a day", Do.CLOSE_DAY, Target().text())
        adopt = blocks.button("Adopt a year", Do.READ_CLOSURES, Target().text())
        made += blocks.actions([close, adopt])
    return made


# -- one day ------------------------------------------------------------------------------------------


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the closing of a day."""
    desk.check(actor, Deed.SET_CALENDAR)
    made = [
        blocks.section("Open dates are reckoned anew, and everybody whom it concerns is told once."),
        blocks.date_input(ON, "On which day is city hall closed?", initial=desk.today().isoformat()),
        blocks.text_input(
            CLOSES_AT, "Early closing at", optional=True, limit=5, hint="Such as 12:00; empty: all day."
        ),
        blocks.text_input(REASON, "Why?", limit=200, hint="Such as: ice storm."),
        blocks.radio(
            LATE,
            "Does the day lie behind?",
            [("no", "No"), ("yes", "Yes: it was closed, and is recorded late")],
            initial="no",
        ),
    ]
    return form(ACTION_ID, "Close a day", "Close it", click=click, of=made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record it and say what moved, of the cases that the person may see."""
    day = submission.day(ON)
    if day is None:
        raise BadInput("No day was picked; nothing was changed.", mend="Pick the day.")
    at: time | None = read_hour(submission.text(CLOSES_AT)) if submission.text(CLOSES_AT) else None
    reason = submission.text(REASON, 200)
    late = submission.is_yes(LATE)
    moved = close_day(desk.docket, actor, day, reason, closes_at=at, recorded_late=late)
    return "\n".join((told(desk, actor, moved), *map(blocks.escape, in_force(desk).told_of_closing(day))))


def told(desk: Desk, actor: Actor, moved: Moved) -> str:
    """Say which dates moved, of the cases that the person may see; no other case is counted."""
    seen = [(number, fact) for number, fact in moved if desk.knows(actor, number)]
    lines = [_moved(number, fact) for number, fact in seen]
    return blocks.clip("\n".join(("Recorded.", *(lines or ["No open date moved."]))), 2900)


def _moved(number: str, fact: DatesMoved) -> str:
    old, new = ("/".join(day or "–" for day in days) for days in (fact.old, fact.new))
    return f"{number} {fact.step.partition(':')[0].replace('_', ' ')}: {old} → {new}"


# -- a year -------------------------------------------------------------------------------------------


def view_list(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the field for a list of closures."""
    desk.check(actor, Deed.SET_CALENDAR)
    made = [
        blocks.section(
            "Until a year is adopted, every date in it is provisional. Paste the list of the days on which city "
            "hall is closed: lines of day and reason, CSV, or the text of an .ics or closures.toml file. You see what was read "
            "before anything is recorded. A longer list goes by `docket calendar propose`."
        ),
        blocks.text_input(YEAR, "Year", limit=4, initial=str(desk.today().year + 1)),
        blocks.text_input(
            LINES,
            "The list",
            lines=True,
            optional=True,
            limit=_PASTED,
            hint="Such as: 2027-01-01 New Year's Day",
        ),
    ]
    return form(Do.READ_CLOSURES, "Adopt a year", "Read it", click=click, of=made)


def handle_list(desk: Desk, actor: Actor, submission: Submission) -> Json:
    """Show what was read, to be mended and adopted; nothing is recorded yet."""
    desk.check(actor, Deed.SET_CALENDAR)
    year = _year(submission)
    whole = _proposal(desk, submission)
    proposal = whole.of_year(year)
    other = len(whole.found) - len(proposal.found)
    known = [one for one in in_force(desk).closures if one.on.year == year]
    said = [
        f"{counted(len(proposal.found), 'day was', 'days were')} read for {year}. Nothing is recorded yet."
    ]
    if known:
        said.append(f"{counted(len(known), 'day is', 'days are')} closed already and so left as before.")
    if other:
        said.append(f"{counted(other, 'day of another year was', 'days of other years were')} left out.")
    made = [
        blocks.section(" ".join(said)),
        *(blocks.said(part) for part in cards.chunks(whole.unread)[:5]),
        blocks.text_input(
            LINES,
            "Closed on (mend what is wrong)",
            lines=True,
            optional=True,
            limit=_PASTED,
            initial=proposal.lines(),
        ),
        blocks.text_input(CAUSE, "By what act?", limit=300, hint="Such as: resolution of the Commission."),
        blocks.radio(
            LATE,
            "Do days of the list lie behind?",
            [("no", "No"), ("yes", "Yes: it was closed on them, and they are recorded late")],
            initial="no",
        ),
    ]
    metadata = Target("", year).text()
    return blocks.modal(f"Adopt {year}", made, callback=Do.ADOPT_YEAR, submit="Adopt", metadata=metadata)


def _year(submission: Submission) -> int:
    typed = submission.text(YEAR, 10)
    if not (typed.isascii() and typed.isdigit()):
        raise BadInput("The year cannot be read; nothing was changed.", mend="Write it as 2027.")
    return int(typed)


def _proposal(desk: Desk, submission: Submission) -> Proposal:
    return read_closures(submission.text(LINES).encode(), desk.profile().city.time_zone)


def handle_year(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Adopt the year as the list stands now; a line that cannot be read stops it."""
    proposal = _proposal(desk, submission)
    if proposal.unread:
        raise BadInput(f"{proposal.unread[0]} Nothing was changed.", mend="Mend that line, or take it out.")
    year, cause = submission.target.about, submission.text(CAUSE, 300)
    before = in_force(desk)
    moved = adopt_year(
        desk.docket,
        actor,
        year,
        closures=proposal.found,
        cause=cause,
        recorded_late=submission.is_yes(LATE),
    )
    further = before.told_of_change(in_force(desk), desk.today())
    return "\n".join((told(desk, actor, moved), *map(blocks.escape, further)))


def attach(app: App, desk: Desk) -> None:
    """Attach both ways to change the calendar."""
    asks(app, desk, ACTION_ID, "Close a day", view=view, handle=handle)
    asks(app, desk, Do.READ_CLOSURES, "Adopt a year", view=view_list, handle=handle_list)
    submits(app, desk, Do.ADOPT_YEAR, handle_year)

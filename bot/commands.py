"""The command /ethics: help, docket, case, calendar, meeting, roster, report, mail; each answer is for the asker alone."""

import re
from collections.abc import Callable, Mapping, Sequence

from slack_bolt import Ack, App, Respond

from bot import blocks, cards, home, meeting_cards, words
from bot.actions import calendar, roster
from bot.actions.file import case_card
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, named
from bot.payloads import OddPayload, Target, read_click, read_command
from store.cases import Actor
from store.proceedings.annual_report import count_year
from store.proceedings.held_mail import holding_pen
from store.proceedings.meeting import meeting_in_session
from store.proceedings.minutes import MinutesState, minutes_stand, to_approve
from store.proceedings.planning import expected, people_of, plans
from store.rules.access import Deed
from store.rules.dates import local_date
from store.rules.errors import BadInput

COMMAND = "/ethics"
_YEAR = re.compile(r"[0-9]{4}", re.ASCII)
_MOST_MINUTES = 6
HELP = (
    "*/ethics docket* – your open cases and what is due, by the next date\n"
    "*/ethics case NUMBER* – one case, with what you may do now\n"
    "*/ethics calendar* – the city's adopted closures\n"
    "*/ethics meeting* – the meeting in session, or open one\n"
    "*/ethics roster* – who sits on the Board\n"
    "*/ethics report YEAR* – a year in numbers (clerk, chair)\n"
    "*/ethics mail* – messages that wait for a person (staff)"
)

Answer = Callable[[Desk, Actor, Sequence[str]], list[Json]]


def attach(app: App, desk: Desk) -> None:
    """Attach the command."""

    def listen(ack: Ack, body: Json) -> None:
        command = read_command(body)
        asker = desk.welcome(command.user, command.team, Deed.SEE_DOCKET)
        word = command.words[0].lower() if command.words else "help"
        answer = ANSWERS.get(word, _unknown)(desk, asker.actor, command.words[1:])
        ack(response_type="ephemeral", text=words.notice(asker.today), blocks=blocks.fit(answer))

    def turn(ack: Ack, body: Json, respond: Respond) -> None:
        ack()
        click = read_click(body)
        if not body.get("response_url"):  # where it is not offered there is nothing to turn
            raise OddPayload(words.UNKNOWN_CLICK)
        actor = desk.clicker(click)
        shown = blocks.fit(home.docket_page(desk.docket, actor, click.target.page))
        respond(text=desk.today_notice(), blocks=shown, response_type="ephemeral", replace_original=True)

    def turn_home(ack: Ack, body: Json) -> None:
        ack()
        click = read_click(body)
        desk.clicker(click)
        home.publish(desk, click.user, click.target.page)

    app.command(COMMAND)(listen)
    app.action(named(Do.TURN_DOCKET))(turn)
    app.action(named(Do.TURN_HOME))(turn_home)


def _help(_desk: Desk, _actor: Actor, _rest: Sequence[str]) -> list[Json]:
    return [blocks.section(HELP)]


def _unknown(_desk: Desk, _actor: Actor, _rest: Sequence[str]) -> list[Json]:
    return [blocks.section("Docket does not know this word. What it knows:"), blocks.section(HELP)]


def _docket(desk: Desk, actor: Actor, rest: Sequence[str]) -> list[Json]:
    page = int(rest[0][:9]) - 1 if rest and rest[0].isascii() and rest[0].isdecimal() else 0
    return home.docket_page(desk.docket, actor, max(0, page))


def _case(desk: Desk, actor: Actor, rest: Sequence[str]) -> list[Json]:
    if not rest:
        raise BadInput("Which case?", mend="Write /ethics case and its number.")
    return case_card(desk, actor, rest[0])


def _calendar(desk: Desk, actor: Actor, _rest: Sequence[str]) -> list[Json]:
    return calendar.shown(desk, actor)


def _meeting(desk: Desk, actor: Actor, _rest: Sequence[str]) -> list[Json]:
    desk.check(actor, Deed.SEE_DOCKET)
    meeting = meeting_in_session(desk.docket, actor)
    if meeting is not None:
        since = words.instant(meeting.opened.at, desk.profile().city.time_zone)
        state = "in closed session" if meeting.in_closed_session else "in open session"
        there = f"{len(meeting.present)} present"
        there += f", {len(meeting.by_video)} of them by video" if meeting.by_video else ""
        shown = [blocks.section(f"A meeting is {state}, opened {since}; {there}.")]
        shown += home.meeting_row(desk.docket, actor, meeting)
        if home.may(desk.docket, actor, Deed.WRITE_MINUTES) and to_approve(desk.docket, actor):
            approve = blocks.button("Approve minutes", Do.APPROVE_MINUTES, Target("", meeting.id).text())
            shown += blocks.actions([approve])
        return [*shown, *_minutes(desk, actor), *_planned(desk, actor)]
    made: list[Json] = [blocks.section("No meeting is in session."), *_minutes(desk, actor)]
    if home.may(desk.docket, actor, Deed.OPEN_MEETING):
        open_ = blocks.button("Open a meeting", Do.OPEN_MEETING, Target().text())
        made += blocks.actions([open_, blocks.button("Plan a meeting", Do.PLAN_MEETING, Target().text())])
    return made + _planned(desk, actor)


def _minutes(desk: Desk, actor: Actor) -> list[Json]:
    """Show, to who writes them, the last meeting and those whose minutes are not as they should be."""
    if not home.may(desk.docket, actor, Deed.WRITE_MINUTES):
        return []
    zone, made = desk.profile().city.time_zone, list[Json]()
    held = minutes_stand(desk.docket, actor)
    waiting = [one for one in held[:-1] if one.minutes is not MinutesState.APPROVED]
    for one in (*held[-1:], *reversed(waiting[-_MOST_MINUTES:])):
        on = words.day(local_date(one.meeting.opened.at, zone))
        target = Target("", one.meeting.id).text()
        write = blocks.button("Write the minutes", f"{Do.WRITE_MINUTES}:{one.meeting.id}", target)
        due = " :warning: The public may ask for them (KRS 61.835)." if one.owed else ""
        made.append(
            blocks.section(f"Meeting of {on}; its minutes: {one.minutes.value}.{due}", accessory=write)
        )
    return made


def _planned(desk: Desk, actor: Actor) -> list[Json]:
    """Show each planned meeting: the person's own answer, and to chair and clerk what is to be expected."""
    zone = desk.profile().city.time_zone
    made: list[Json] = []
    for one in plans(desk.docket, actor)[:5]:
        made += [blocks.divider(), *meeting_cards.asking(one, actor.person or 0, zone)]
        if home.may(desk.docket, actor, Deed.PLAN_MEETING):
            people = people_of(desk.docket)
            made += meeting_cards.managing(one, expected(desk.docket, actor, one), people, zone)
    return made


def _roster(desk: Desk, actor: Actor, _rest: Sequence[str]) -> list[Json]:
    return roster.listed(desk, actor, Target())


def _mail(desk: Desk, actor: Actor, _rest: Sequence[str]) -> list[Json]:
    held, zone = holding_pen(desk.docket, actor), desk.profile().city.time_zone
    made: list[Json] = [blocks.section(f"*Waits for a person:* {len(held)}")]
    return made + [home.held_line(one, zone) for one in held[:40]]


def _report(desk: Desk, actor: Actor, rest: Sequence[str]) -> list[Json]:
    if not rest or not _YEAR.fullmatch(rest[0]):
        raise BadInput("Which year?", mend="Write /ethics report and the year.")
    found = count_year(desk.docket, actor, int(rest[0]))

    def said(number: float | None) -> str:
        return "not shown" if number is None else f"{number:g}"

    lines = [f"*Complaints received in {found.year}:* {said(found.received)}"]
    lines += [f"{one.what}: {said(one.number)}" for one in (*found.fates, *found.after)]
    lines += [f"*Respondents:* {said(found.respondents)}"]
    lines += [f"{one.what}: {said(one.number)}" for one in found.outcomes]
    lines += [
        f"{one.what}: done {said(one.done)}, days in the middle {said(one.median_days)}, "
        f"on time {said(one.on_time)}{'' if one.share is None else f' ({one.share} in a hundred)'}"
        for one in found.steps
        if one.done != 0
    ]
    lines.append(
        f"Numbers below {found.smallest} are not shown. As files: docket report {found.year} --out FOLDER"
    )
    return [blocks.said(part) for part in cards.chunks(lines)]


ANSWERS: Mapping[str, Answer] = {
    "help": _help,
    "docket": _docket,
    "case": _case,
    "calendar": _calendar,
    "meeting": _meeting,
    "roster": _roster,
    "mail": _mail,
    "report": _report,
}

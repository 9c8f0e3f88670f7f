"""The rest of what anybody can try: what is heard, what leaves, held mail, planning, the report, disposal, breaches."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from store.proceedings import annual_report, breach, disposal, held_mail, merger, planning, testimony
from store.proceedings.answer_time import ask_for_time, rule_on_time
from store.proceedings.calendar_files import due_dates, invitation
from store.proceedings.closures_list import adopt_year
from store.proceedings.cure import record_cure
from store.proceedings.exhibits import rule_on_exhibit
from store.proceedings.held_mail import HeldDecision
from store.proceedings.meeting import all_meetings, take_chair
from store.proceedings.minutes import approve_minutes, minutes_of
from store.proceedings.packet import print_packet
from store.proceedings.picture import draw_timeline
from store.proceedings.planning import When, all_plans
from store.proceedings.privilege import mark_privileged
from store.proceedings.receipt import hold
from store.proceedings.showing import show_anew
from store.rules.access import Deed
from store.rules.calendar import Closure
from store.rules.casefile import CaseFile
from store.rules.facts import Coming, NoticeGiven
from store.rules.motions import Moved
from tests.proceedings.attempts import Attempt, Tried
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, taken

HELD = 4


def hold_mail(board: Board) -> None:
    """Let some messages wait for a person."""
    for place in range(HELD):
        item = taken(board.docket, b"mail %d" % place, uid=500 + place)
        hold(board.docket, item, a_filing(outcome="needs_review"))


def further_of_the_case(board: Board, case: CaseFile, pick: int, people: list[int]) -> list[Attempt]:
    """Acts on one case: what is heard, what is read, what is undone."""
    number, now = case.number, board.clock.now()
    today = now.date()
    tracks = [one.id for one in case.respondents] or [1]
    track, someone = tracks[pick % len(tracks)], [one.id for one in case.parties] or [1]
    party = someone[pick % len(someone)]
    asked = case.asked_for_time()
    request = asked[pick % len(asked)].id if asked else 1
    exhibit = case.exhibits[pick % len(case.exhibits)].id if case.exhibits else 1
    letter = case.letters[pick % len(case.letters)].id if case.letters else 1
    statement = testimony.Statement(now, "the chair", party, words=f"words {pick}")
    appearance = testimony.Appearance(
        now, ("in person", "by video")[pick % 2], words=f"{pick}", answers=pick > 1
    )

    def of(deed: Deed, run: Callable[..., object], *args: object, **more: object) -> Attempt:
        return deed, Tried(run, (number, *args), more)

    until = today + timedelta(days=10 + pick)
    return [
        of(Deed.RECORD_RESPONSE, ask_for_time, track, until=until, received_at=now, words="more time"),
        of(
            Deed.RULE_ON_TIME,
            rule_on_time,
            request,
            granted=pick > 1,
            reason="so",
            ruled_by=people[pick % len(people)] if pick == 3 else board.chair.person,
        ),
        of(Deed.RECORD_EVIDENCE, testimony.record_appearance, party, appearance),
        of(Deed.RECORD_EVIDENCE, testimony.record_statement, statement),
        of(Deed.RECORD_EVIDENCE, rule_on_exhibit, exhibit, received=pick > 1, reason="so"),
        of(Deed.RECORD_RECEIPT, record_cure, a_filing(now), party=party),
        of(Deed.RECORD_SERVICE, print_packet, letter, where="slack"),
        of(Deed.SEE_CASE, draw_timeline, where="slack"),
        of(Deed.MARK_PRIVILEGED, mark_privileged, 1 + pick, privileged=pick > 1, reason="advice"),
        of(Deed.REOPEN, merger.leave_joined, "joined in error"),
    ]


def further_of_the_board(board: Board, numbers: Sequence[str], pick: int, people: list[int]) -> list[Attempt]:
    """The Board's business: planning, minutes, held mail, the report, disposal, breaches, what is shown anew."""
    now, person = board.clock.now(), people[pick % len(people)]
    with board.docket.database.read() as session:
        plans = [one.id for one in all_plans(board.docket, session)] or [1]
        meetings = [one.id for one in all_meetings(board.docket, session)] or [1]
    plan, meeting = plans[pick % len(plans)], meetings[pick % len(meetings)]
    number = numbers[pick % len(numbers)]
    begins = now + timedelta(days=3, hours=pick)
    when = When(begins, "City Hall", agenda=(number,))
    decision = tuple(HeldDecision)[pick % len(HeldDecision)]
    approval = Moved(person, people[(pick + 1) % len(people)])
    closures = (Closure(date(2027, 1, 4 + pick), "inventory"),)
    notice = NoticeGiven(now, f"in writing {pick}", "members and media that asked", "at City Hall")

    def of(deed: Deed, run: Callable[..., object], *args: object, **more: object) -> Attempt:
        return deed, Tried(run, args, more)

    return [
        of(Deed.PLAN_MEETING, planning.plan_meeting, when),
        of(Deed.PLAN_MEETING, planning.move_meeting, plan, when, reason="a storm", same_agenda=pick > 1),
        of(Deed.PLAN_MEETING, planning.call_off, plan, reason="a storm"),
        of(Deed.PLAN_MEETING, planning.record_notice, plan, notice),
        of(Deed.ANSWER_COMING, planning.answer_coming, plan, tuple(Coming)[pick % len(Coming)]),
        of(Deed.SEE_DOCKET, planning.plans),
        of(Deed.RECORD_PRESENCE, take_chair, meeting, person),
        of(Deed.WRITE_MINUTES, approve_minutes, meeting, approval),
        of(Deed.SEE_DOCKET, minutes_of, meeting),
        of(Deed.OPEN_MEETING, invitation, begins_at=begins, place="City Hall"),
        of(Deed.SEE_DOCKET, due_dates),
        of(Deed.SET_CALENDAR, adopt_year, 2027, closures=closures, cause="adopted"),
        of(Deed.SEE_HOLDING_PEN, held_mail.holding_pen),
        of(Deed.SEE_HOLDING_PEN, held_mail.set_aside_mail),
        of(Deed.SEE_HOLDING_PEN, held_mail.held_raw, 1 + pick),
        of(
            Deed.PLACE_HELD_MAIL,
            held_mail.place_held,
            1 + pick,
            decision,
            filing=a_filing(now, reason="no complaint"),
            number=number,
        ),
        of(Deed.PLACE_HELD_MAIL, held_mail.bring_back, 1 + pick, "set aside in error"),
        of(Deed.REPORT, annual_report.count_year, 2026),
        of(Deed.REPORT, annual_report.write_report, 2026, remarks="none"),
        of(Deed.REPORT, annual_report.send_report, 2026),
        of(Deed.RECORD_BREACH, breach.record_breach, found_at=now, what="a card was read", numbers=(number,)),
        of(Deed.RECORD_BREACH, breach.record_telling, 1 + pick, whom="the office", at=now, how="by letter"),
        of(Deed.RECORD_BREACH, breach.end_breach, 1 + pick, what="the card was taken away"),
        of(Deed.RECORD_BREACH, breach.breaches),
        of(Deed.LIST_DISPOSAL, disposal.may_be_listed),
        of(Deed.LIST_DISPOSAL, disposal.list_disposal, (number,), reason="its time is over"),
        of(Deed.APPROVE_DISPOSAL, disposal.approve_disposal, 1 + pick),
        of(Deed.APPROVE_DISPOSAL, disposal.disposal_lists),
        of(Deed.CARRY_OUT_DISPOSAL, disposal.carry_out, 1 + pick),
        of(Deed.SHOW_ANEW, show_anew),
    ]

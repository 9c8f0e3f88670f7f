"""Who is reminded of each duty, at which stage, on which day, until he has acted (D5).

Days are counted here by weekdays alone: in these weeks city hall opens on every one of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

import pytest

from store import journal
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.determination import Conclusion, determine
from store.proceedings.inquiry import hold_inquiry
from store.proceedings.notification import send_notification
from store.proceedings.referral import refer
from store.proceedings.reminders import sweep
from store.proceedings.roster import name_deputy
from store.rules.duties import Step
from store.rules.facts import Choice, Question
from tests.proceedings.after_builders import issued_case, received_case, reprimanded_case, sufficient_case
from tests.proceedings.builders import Board

DAY = timedelta(days=1)
CLERK, CHAIR, MANAGER, DEPUTY = "Clara Clerk", "Hanna Chair", "Cyrus Manager", "Cora Counsel"
Reminder = tuple[date, str, str]


def _case(board: Board) -> str:
    return board.case(proper=False)


def _named(board: Board) -> str:
    number = board.case(proper=False)
    board.respondent(number)
    return number


def _proper(board: Board) -> str:
    return board.case()


def _served(board: Board) -> str:
    number = board.case()
    board.serve(number, board.respondent(number))
    return number


def _held(board: Board) -> str:
    number = _served(board)
    hold_inquiry(board.docket, board.clerk, number, on=board.look(number).today, concluded=True)
    return number


def _terminated(board: Board) -> str:
    number, track = board.served_case()
    board.decide(number, track, board.meeting(), Question.JURISDICTION, Choice.NO)
    determine(board.docket, board.chair, number, track, Conclusion(False, None, "A private quarrel."))
    return number


def _sufficient(board: Board) -> str:
    return sufficient_case(board)[0]


def _reprimanded(board: Board) -> str:
    return reprimanded_case(board)[0]


def _received(board: Board) -> str:
    return received_case(board)[0]


@dataclass(frozen=True)
class Row:
    """A duty, the case in which it runs, and who is reminded of it from the first stage on."""

    duty: str
    begins: Callable[[Board], str]
    told: tuple[str, ...]


ROWS = (
    Row("refer", _case, (MANAGER, CLERK)),
    Row("acknowledge", _case, (CLERK, CHAIR)),
    Row("name-respondents", _case, (CLERK,)),
    Row("forward", _named, (CLERK, CHAIR)),
    Row("inquiry", _proper, (CLERK, CHAIR)),
    Row("respond", _served, (CLERK,)),
    Row("determine", _held, (CLERK, CHAIR)),
    Row("transmit", _terminated, (CLERK, CHAIR)),
    Row("notify", _sufficient, (CLERK, CHAIR)),
    Row("reprimand", _reprimanded, (CLERK, CHAIR)),
    Row("demand", _received, (CLERK,)),
)


def _step(board: Board, number: str, duty: str) -> Step:
    return next(one for one in board.look(number).steps if one.duty.id == duty)


def _until(board: Board, last: date, number: str, key: str) -> list[Reminder]:
    """Sweep each day until one, early, in office hours, and late; give what was sent of one step."""
    zone = board.look(number).profile.city.time_zone
    day = board.look(number).today
    while day <= last:
        for hour in (6, 10, 20):
            at = datetime.combine(day, time(hour), tzinfo=zone)
            if at >= board.clock.now():
                board.clock.set_to(at)
                sweep(board.docket)
        day += DAY
    return _sent(board, number, key)


def _sent(board: Board, number: str, key: str) -> list[Reminder]:
    zone = board.look(number).profile.city.time_zone
    with board.docket.database.read() as session:
        found = [
            one for one in journal.entries(session, board.docket.keyring) if one.header["act"] == "sweep"
        ]
    people = board.look(number).people
    notes = [(one.at, (one.content or {}).get("note")) for one in found]
    return [
        (at.astimezone(zone).date(), each["stage"], people.name(each["person"]))
        for at, note in notes
        for each in (note.get("reminders", []) if isinstance(note, dict) else [])
        if (each["case"], each["step"]) == (number, key)
    ]


def _weekdays(after: date, until: date) -> int:
    days = (after + DAY * n for n in range(1, (until - after).days + 1))
    return sum(one.weekday() < 5 for one in days)


def _expected(row: Row, step: Step, first: date, last: date) -> list[Reminder]:
    """What the timetable of the ordinance's profile says, counted anew."""
    assert step.dates is not None
    assert step.act_by is not None
    lawful = step.dates.keep_open_until or step.dates.expected_last_day
    found: list[Reminder] = []
    reached: set[str] = set()
    for day in (first + DAY * n for n in range((last - first).days + 1)):
        if day.weekday() >= 5:
            continue
        if day > lawful:
            if step.dates.keep_open_until is not None:
                continue  # a right whose time is over waits for nobody
            days = _weekdays(lawful, day)
            stage = f"overdue-{days}"
            whom = (*row.told, *((DEPUTY,) if days >= 2 else ()), *((CHAIR,) if days >= 3 else ()))
        elif day > step.act_by:
            stage, whom = "past-the-safe-day", row.told
        else:
            left = [one for one in (7, 3, 1, 0) if _weekdays(day, step.act_by) <= one]
            stage, whom = (str(min(left)), row.told) if left else ("", ())
        if stage and stage not in reached:
            reached.add(stage)
            found += [(day, stage, who) for who in dict.fromkeys(whom)]
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.duty)
def test_each_stage_goes_once_to_each_who_owes_it_and_escalates_by_the_days_overdue(
    board: Board, row: Row
) -> None:
    name_deputy(board.docket, board.clerk, board.person(DEPUTY), acts_for=board.person(CLERK))
    number = row.begins(board)
    step = _step(board, number, row.duty)
    assert step.dates is not None
    first = board.look(number).today
    last = max(step.dates.expected_last_day, step.dates.keep_open_until or date.min) + timedelta(days=9)
    assert sorted(_until(board, last, number, step.key)) == sorted(_expected(row, step, first, last))


def _act(board: Board, number: str, duty: str) -> None:
    docket, clerk = board.docket, board.clerk
    track = board.file(number).respondents[0].id if board.file(number).respondents else 0
    match duty:
        case "refer":
            refer(docket, clerk, number, evidence="memo")
        case "acknowledge":
            for letter in acknowledge(docket, clerk, number):
                board.settle(number, letter, "sent")
        case "forward":
            board.serve(number, track)
        case "inquiry":
            hold_inquiry(docket, clerk, number, on=board.look(number).today, concluded=True)
        case _:
            for letter in send_notification(docket, clerk, number, track):
                board.settle(number, letter, "sent")


@pytest.mark.parametrize("duty", ["refer", "acknowledge", "forward", "inquiry", "notify"])
def test_who_has_acted_hears_no_more_of_it(board: Board, duty: str) -> None:
    row = next(one for one in ROWS if one.duty == duty)
    number = row.begins(board)
    step = _step(board, number, duty)
    assert step.act_by is not None
    before = _until(board, step.act_by, number, step.key)
    assert before
    _act(board, number, duty)
    assert _until(board, step.act_by + timedelta(days=20), number, step.key) == before


def test_a_letter_that_bounces_after_its_step_was_done_brings_the_reminders_back(board: Board) -> None:
    number = _case(board)
    step = _step(board, number, "acknowledge")
    (letter,) = acknowledge(board.docket, board.clerk, number)
    board.settle(number, letter, "sent")
    assert step.act_by is not None
    assert _until(board, step.act_by - DAY, number, step.key) == []
    board.settle(number, letter, "bounced")
    stages = {stage for _day, stage, _who in _until(board, step.act_by + DAY, number, step.key)}
    assert stages >= {"0", "past-the-safe-day"}


def test_the_city_manager_is_reminded_of_a_referral_and_of_nothing_else(board: Board) -> None:
    number = _case(board)
    _until(board, board.look(number).today + timedelta(days=14), number, "refer")
    told = {
        key
        for one in board.look(number).steps
        for key in [one.key]
        if any(who == MANAGER for _day, _stage, who in _sent(board, number, key))
    }
    assert told == {"refer"}


def test_every_dated_row_of_the_profile_is_reminded_here(board: Board) -> None:
    number, _track = issued_case(board)
    dated = {one.id for one in board.look(number).profile.duties if one.period is not None}
    assert {row.duty for row in ROWS} == dated

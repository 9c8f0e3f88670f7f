"""The sweep over recorded dates: each reminder once, to the right people, whenever it runs (D5)."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import select

from store import outbox
from store.cases import MACHINE, Docket, verify, visible_cases
from store.outbox import Channel
from store.ports import Delivery, DeliveryState, PingKind
from store.printing import PressRoom
from store.proceedings import acknowledgement, delivery, recusal, referral
from store.proceedings.calendar import close_day
from store.proceedings.held_mail import HeldDecision, place_held
from store.proceedings.meeting import close_meeting
from store.proceedings.minutes import write_minutes
from store.proceedings.receipt import hold
from store.proceedings.reminders import SweepReport, clear_alarm, raise_alarm, sweep
from store.proceedings.roster import add_person, away, leave_role, name_deputy, take_role
from store.proceedings.screening import lift_conflict
from store.rules.facts import Role
from store.tables import ReminderSent
from tests.clocks import ManualClock
from tests.proceedings.builders import Board, a_docket, at
from tests.proceedings.filings import a_filing, taken

MONDAY = date(2026, 2, 2)
ACKNOWLEDGE = "Acknowledge receipt"
REFER = "Refer the complaint"


def pings(board: Board, kind: PingKind) -> list[tuple[int | None, str]]:
    """Everything of a kind that waits to be shown: for whom, and what; all is taken as shown."""
    found = []
    while owed := delivery.claim(board.docket, Channel.SLACK):
        for one in owed:
            assert one.ping is not None
            if one.ping.kind is kind:
                found.append((one.ping.person, one.ping.text))
            delivery.settle(board.docket, one, Delivery(DeliveryState.ACCEPTED))
    return found


def digests(board: Board) -> dict[int | None, list[str]]:
    """The digests that wait, by person."""
    found: dict[int | None, list[str]] = {}
    for person, text in pings(board, PingKind.REMINDER_DIGEST):
        found.setdefault(person, []).append(text)
    return found


def on(board: Board, day: date, hour: int = 15) -> SweepReport:
    """Sweep at an hour (UTC) of a day."""
    board.clock.set_to(at(day, hour))
    return sweep(board.docket)


def told(board: Board, name: str, found: dict[int | None, list[str]]) -> str:
    """What one person was told, all digests together."""
    return "\n".join(found.get(board.person(name), []))


def rows(board: Board) -> list[tuple[int, str, str, int]]:
    with board.docket.database.read() as session:
        return [
            (one.case_id, one.step, one.stage, one.person_id) for one in session.exec(select(ReminderSent))
        ]


# -- once ---------------------------------------------------------------------------------------------


def test_a_reminder_goes_once_however_often_the_sweep_runs(board: Board) -> None:
    board.case()
    reports = [on(board, date(2026, 2, 3), hour) for hour in (13, 14, 15, 16, 20)]
    assert [bool(one.reminders) for one in reports] == [True, False, False, False, False]
    assert all(len(texts) == 1 for texts in digests(board).values())


def test_each_person_gets_one_digest_of_all_his_cases(board: Board) -> None:
    first, second = board.case(), board.case()
    on(board, date(2026, 2, 3))
    (text,) = digests(board)[board.clerk.person]
    assert first in text
    assert second in text


def test_what_is_the_same_for_several_parties_is_one_line_of_a_digest(board: Board) -> None:
    number = board.case()
    board.respondent(number, "Rory Respondent", "rory@office.example")
    board.respondent(number, "Ruth Respondent", "ruth@office.example")
    report = on(board, date(2026, 2, 13))
    lines = told(board, "Clara Clerk", digests(board)).splitlines()
    assert len(lines) == len(set(lines))
    assert [line for line in lines if "Forward" in line and "(2 parties). Due soon" in line]
    assert len(rows(board)) == report.reminders > len(lines)


def test_after_a_week_asleep_only_the_stage_reached_goes(board: Board) -> None:
    board.case()
    on(board, date(2026, 2, 13))
    found = told(board, "Clara Clerk", digests(board))
    assert found.count(ACKNOWLEDGE) == 1
    assert found.count(REFER) == 1
    assert "Overdue: by 2026-02-03" in found


def test_a_clock_that_was_set_back_repeats_nothing(board: Board) -> None:
    board.case()
    days = [MONDAY + timedelta(one) for one in range(12)]
    for day in days:
        on(board, day)
    before = rows(board)
    assert sum(on(board, day).reminders for day in reversed(days)) == 0
    assert rows(board) == before


def test_two_copies_that_sweep_at_once_remind_once(board: Board, press: PressRoom, tmp_path: Path) -> None:
    board.case()
    board.clock.set_to(at(date(2026, 2, 3)))
    other = a_docket(tmp_path / "record", board.clock, press)
    start, counts = Barrier(2), []

    def run(docket: object) -> None:
        start.wait()
        counts.append(sweep(docket).reminders)  # type: ignore[arg-type]

    threads = [Thread(target=run, args=(one,)) for one in (board.docket, other)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    other.database.engine.dispose()
    assert sum(counts) == len(rows(board))
    assert all(len(texts) == 1 for texts in digests(board).values())


@contextmanager
def copied(fresh_record: Path, press: PressRoom) -> Iterator[Board]:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(fresh_record, Path(folder) / "record")
        clock = ManualClock()
        docket = a_docket(Path(folder) / "record", clock, press)
        yield Board(docket, clock)
        docket.database.engine.dispose()


MOMENTS = st.lists(
    st.builds(
        lambda day, hour: datetime(2026, 2, 2, 0, tzinfo=UTC) + timedelta(days=day, hours=hour),
        st.integers(0, 22),
        st.integers(0, 23),
    ),
    min_size=1,
    max_size=10,
)


@settings(max_examples=12)
@given(MOMENTS)
def test_the_same_reminders_go_whatever_the_order_and_number_of_sweeps(
    fresh_record: Path, press: PressRoom, moments: list[datetime]
) -> None:
    sent = []
    for order in (moments, sorted(set(moments), reverse=True)):
        with copied(fresh_record, press) as board:
            board.respondent(board.case())
            counted = 0
            for moment in order:
                board.clock.set_to(moment)
                counted += sweep(board.docket).reminders
            found = rows(board)
            assert len(found) == len(set(found)) == counted
            sent.append(set(found))
    assert sent[0] == sent[1]


# -- when ---------------------------------------------------------------------------------------------


def test_nothing_goes_at_night_or_at_the_weekend(board: Board) -> None:
    board.case()
    assert on(board, date(2026, 2, 3), 12).reminders == 0  # 07:00 in the city
    assert on(board, date(2026, 2, 3), 22).reminders == 0
    assert on(board, date(2026, 2, 7)).reminders == 0


def test_nothing_goes_on_a_holiday_and_the_next_day_makes_up_for_it(board: Board) -> None:
    board.clock.set_to(at(date(2026, 5, 14)))
    board.case()
    memorial_day = date(2026, 5, 25)
    close_day(board.docket, board.clerk, memorial_day, "Memorial Day")
    assert on(board, memorial_day).reminders == 0
    assert on(board, memorial_day + timedelta(1)).reminders > 0


def test_nothing_goes_after_an_early_closing(board: Board) -> None:
    board.case()
    from datetime import time

    close_day(board.docket, board.clerk, date(2026, 2, 3), "half day", closes_at=time(12, 0))
    assert on(board, date(2026, 2, 3), 17).reminders == 0  # noon in the city
    assert on(board, date(2026, 2, 3), 16).reminders > 0


def test_a_closed_day_moves_the_date_and_reminds_anew(board: Board) -> None:
    board.case()
    on(board, date(2026, 2, 3))
    assert REFER in told(board, "Cyrus Manager", digests(board))
    close_day(board.docket, board.clerk, date(2026, 2, 3), "ice storm")
    on(board, date(2026, 2, 4))
    assert "lawful until 2026-02-04" in told(board, "Cyrus Manager", digests(board))


# -- to whom ------------------------------------------------------------------------------------------


def test_who_has_acted_is_reminded_no_more(board: Board) -> None:
    number = board.case()
    referral.refer(board.docket, board.actor("Cyrus Manager"), number)
    on(board, date(2026, 2, 3))
    assert REFER not in "\n".join(text for texts in digests(board).values() for text in texts)


def test_a_letter_that_only_waits_settles_nothing(board: Board) -> None:
    number = board.case()
    (letter,) = acknowledgement.acknowledge(board.docket, board.clerk, number)
    on(board, date(2026, 2, 13))
    assert ACKNOWLEDGE in told(board, "Clara Clerk", digests(board))
    board.settle(number, letter, "sent")
    on(board, date(2026, 2, 17))
    assert ACKNOWLEDGE not in told(board, "Clara Clerk", digests(board))


def test_overdue_steps_escalate_to_deputies_and_then_to_the_chair(board: Board) -> None:
    name_deputy(board.docket, board.clerk, board.person("Mora Member"), acts_for=board.person("Clara Clerk"))
    board.case()
    heard: dict[str, list[int]] = {}
    for day in (4, 5, 6):
        on(board, date(2026, 2, day))
        found = digests(board)
        for name in ("Clara Clerk", "Cyrus Manager", "Mora Member", "Hanna Chair"):
            if REFER in told(board, name, found):
                heard.setdefault(name, []).append(day)
    assert heard == {
        "Clara Clerk": [4, 5, 6],
        "Cyrus Manager": [4, 5, 6],
        "Mora Member": [5, 6],
        "Hanna Chair": [6],
    }


def test_an_overdue_step_is_told_again_on_each_working_day(board: Board) -> None:
    board.case()
    days = [date(2026, 2, one) for one in (4, 5, 6, 7, 8, 9)]
    heard = []
    for day in days:
        on(board, day)
        heard.append(REFER in told(board, "Cyrus Manager", digests(board)))
    assert heard == [True, True, True, False, False, True]


def test_the_deputy_is_reminded_in_place_of_somebody_away_even_without_a_role_of_his_own(
    board: Board,
) -> None:
    clara = board.person("Clara Clerk")
    stand_in = add_person(board.docket, board.clerk, "Stella Standin")
    name_deputy(board.docket, board.clerk, stand_in, acts_for=clara)
    away(board.docket, board.clerk, clara, since=MONDAY, until=date(2026, 2, 6))
    board.case()
    on(board, date(2026, 2, 3))
    found = digests(board)
    assert REFER in told(board, "Stella Standin", found)
    assert not told(board, "Clara Clerk", found)


def test_a_recused_chair_is_told_nothing(board: Board) -> None:
    number = board.case()
    recusal.recuse(board.docket, board.chair, number)
    for day in (4, 5, 6, 13):
        on(board, date(2026, 2, day))
    assert not told(board, "Hanna Chair", digests(board))


def test_a_walled_off_person_is_told_nothing_until_the_wall_is_lifted(board: Board) -> None:
    number = board.case()
    board.respondent(number, "Hanna Chair")
    for day in (5, 6):
        on(board, date(2026, 2, day))
    assert not told(board, "Hanna Chair", digests(board))
    lift_conflict(board.docket, board.clerk, number, board.person("Hanna Chair"), "another person")
    on(board, date(2026, 2, 9))
    assert REFER in told(board, "Hanna Chair", digests(board))


def test_of_an_unscreened_case_only_the_person_cleared_for_intake_is_reminded(board: Board) -> None:
    board.case(proper=False, screened=False)
    for day in (3, 4, 5, 6):
        on(board, date(2026, 2, day))
    assert set(digests(board)) == {board.clerk.person}


def test_who_left_is_reminded_no_more(board: Board) -> None:
    board.case()
    leave_role(board.docket, board.clerk, board.person("Cyrus Manager"), Role.CITY_MANAGER)
    on(board, date(2026, 2, 3))
    assert not told(board, "Cyrus Manager", digests(board))


def test_a_digest_names_nobody(board: Board) -> None:
    number = board.case()
    board.respondent(number)
    for day in range(3, 20):
        on(board, date(2026, 2, day))
    said = "\n".join(text for texts in digests(board).values() for text in texts)
    assert number in said
    assert not any(word in said for word in ("Connie", "Rory", "Complainant ", "Respondent ", "@"))


def test_it_gets_no_reminder(board: Board) -> None:
    board.case()
    for day in range(3, 20):
        on(board, date(2026, 2, day))
    assert board.person("Ivo Machinist") not in digests(board)


# -- rights, closures, alarms -------------------------------------------------------------------------


def test_a_right_whose_time_is_over_is_settled_at_any_hour(board: Board) -> None:
    number, track = board.served_case()
    until = next(one for one in board.look(number).steps if one.key == f"respond:{track}")
    assert until.dates is not None
    assert until.dates.keep_open_until is not None
    on(board, until.dates.keep_open_until + timedelta(1), 7)
    from store.tables import Due

    with board.docket.database.read() as session:
        assert session.exec(select(Due.settled).where(Due.step == f"respond:{track}")).one()


def test_next_years_closures_are_asked_for_from_october_once_a_week(board: Board) -> None:
    asked = []
    for day in (date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 2), date(2026, 10, 5)):
        on(board, day)
        asked.append("closures of 2027" in told(board, "Clara Clerk", digests(board)))
    assert asked == [False, True, False, True]


def test_an_alarm_is_told_once_and_so_is_its_end(board: Board) -> None:
    assert [raise_alarm(board.docket, "mailbox", "The mailbox is away.") for _ in range(3)] == [
        True,
        False,
        False,
    ]
    assert [clear_alarm(board.docket, "mailbox", "It is back.") for _ in range(2)] == [True, False]
    assert [text for _person, text in pings(board, PingKind.ALARM)] == ["The mailbox is away.", "It is back."]


def test_letters_that_wait_for_four_hours_are_told_to_staff_once(board: Board) -> None:
    number = board.case()
    acknowledgement.acknowledge(board.docket, board.clerk, number)
    assert on(board, MONDAY, 18).alarms == ()
    assert on(board, MONDAY, 20).alarms == ("letters-wait",)
    assert on(board, MONDAY, 21).alarms == ()


def _with_alerts(board: Board) -> Docket:
    return replace(board.docket, alert_to=("it@bramwell-ky.example",))


def test_an_alarm_is_mailed_outside_slack_once_and_so_is_its_end(board: Board) -> None:
    docket = _with_alerts(board)
    assert raise_alarm(docket, "mailbox", "The mailbox has not been read.")
    assert not raise_alarm(docket, "mailbox", "The mailbox has not been read.")
    assert clear_alarm(docket, "mailbox", "The mailbox is read again.")
    assert [one.kind for one in _mail(docket)] == ["alarm", "alarm"]


def test_the_journals_head_is_mailed_once_a_day_and_is_an_anchor(board: Board) -> None:
    docket = _with_alerts(board)
    sweep(docket)
    sweep(docket)
    board.clock.advance(timedelta(days=1))
    sweep(docket)
    heads = [one for one in _mail(docket) if one.kind == "journal-head"]
    assert len(heads) == 2
    text = _text(docket, heads[0].id)
    seq, _, digest = text.partition("--anchor ")[2].strip().partition(":")
    assert verify(docket, MACHINE, anchor=(int(seq), digest)) is None
    assert verify(docket, MACHINE, anchor=(int(seq), "0" * 64)) is not None


def _mail(docket: Docket) -> list[outbox.Waiting]:
    with docket.database.read() as session:
        return outbox.waiting(session, outbox.Channel.MAIL)


def _text(docket: Docket, outbox_id: int) -> str:
    with docket.database.read() as session:
        owed = outbox.read(session, docket.keyring, outbox_id)
    assert owed is not None
    assert owed.letter is not None
    return owed.letter.text


def test_an_office_that_nobody_holds_is_an_alarm_until_somebody_does(board: Board) -> None:
    day = date(2026, 2, 10)
    leave_role(board.docket, board.clerk, board.person("Hanna Chair"), Role.CHAIR)
    assert on(board, day).alarms == ("no-chair",)
    assert on(board, day).alarms == ()
    take_role(board.docket, board.clerk, board.person("Mora Member"), Role.CHAIR)
    assert on(board, day).alarms == ()
    leave_role(board.docket, board.clerk, board.person("Mora Member"), Role.CHAIR)
    assert on(board, day).alarms == ("no-chair",), "it was over, so it is told anew"


def test_minutes_that_the_public_may_ask_for_are_a_line_of_each_day_until_they_are_written(
    board: Board,
) -> None:
    first = board.meeting()
    close_meeting(board.docket, board.clerk, first)
    on(board, date(2026, 2, 3))
    assert "Minutes" not in told(board, "Clara Clerk", digests(board))
    close_meeting(board.docket, board.clerk, board.meeting())
    for day in (4, 5):
        on(board, date(2026, 2, day))
        on(board, date(2026, 2, day), 16)
        found = digests(board)
        for name in ("Clara Clerk", "Hanna Chair"):
            assert told(board, name, found).count("Minutes of the meeting of 2026-02-02") == 1
        assert "Minutes" not in told(board, "Mora Member", found)
    write_minutes(board.docket, board.clerk, first)
    on(board, date(2026, 2, 6))
    assert "Minutes" not in told(board, "Clara Clerk", digests(board))


def test_a_term_that_ends_without_a_successor_is_told_once_a_week_before(board: Board) -> None:
    leave_role(board.docket, board.clerk, board.person("Hanna Chair"), Role.CHAIR, on=date(2026, 3, 2))
    found: dict[date, str] = {}
    for day in (date(2026, 2, 6), date(2026, 2, 10), date(2026, 2, 11), date(2026, 2, 18)):
        on(board, day)
        found[day] = told(board, "Clara Clerk", digests(board))
    assert [("Nobody is chair from 2026-03-02" in one) for one in found.values()] == [
        False,
        True,
        False,
        True,
    ]


def test_one_damaged_case_hides_no_other_and_is_told_once(board: Board) -> None:
    damaged, other = board.case(), board.case()
    with board.docket.database.write() as session:
        session.connection().exec_driver_sql("DROP TRIGGER fact_no_update")
        session.connection().exec_driver_sql(
            "UPDATE fact SET body = x'00' WHERE id = (SELECT max(id) FROM fact WHERE case_id = ?)",
            (board.key(damaged),),
        )
    assert [one.case.number for one in visible_cases(board.docket, board.clerk)] == [other]
    board.clock.set_to(at(date(2026, 2, 10)))
    first, again = sweep(board.docket), sweep(board.docket)
    assert "damaged-case" in first.alarms
    assert "damaged-case" not in again.alarms
    assert first.reminders > 0


def test_mail_that_waits_for_a_person_is_a_line_of_the_clerks_digest_each_day_until_it_is_placed(
    board: Board,
) -> None:
    item = taken(board.docket, b"held", 70)
    hold(board.docket, item, a_filing(outcome="needs_review", reason="?", ack_to=""))
    said = "1 message waits for a person, the oldest since 2026-02-02"
    on(board, MONDAY)
    assert said not in told(board, "Clara Clerk", digests(board))  # it was shown by itself that day
    on(board, date(2026, 2, 3), hour=4)
    assert digests(board) == {}
    for day in (date(2026, 2, 3), date(2026, 2, 4)):
        for _ in range(2):
            on(board, day)
        found = digests(board)
        assert told(board, "Clara Clerk", found).count(said) == 1
        assert set(found) == {board.person("Clara Clerk")}
    place_held(board.docket, board.clerk, item, HeldDecision.SET_ASIDE, filing=a_filing(reason="spam"))
    on(board, date(2026, 2, 5))
    assert said not in told(board, "Clara Clerk", digests(board))


def test_a_meeting_that_nobody_adjourned_is_told_to_clerk_and_chair_each_day_until_it_is(
    board: Board,
) -> None:
    held = board.meeting()
    said = "is still in session on the record"
    on(board, MONDAY)
    assert digests(board) == {}
    for day in (date(2026, 2, 3), date(2026, 2, 4)):
        for _ in range(2):
            on(board, day)
        found = digests(board)
        assert set(found) == {board.person("Clara Clerk"), board.person("Hanna Chair")}
        assert told(board, "Hanna Chair", found).count(said) == 1
    close_meeting(board.docket, board.chair, held)
    on(board, date(2026, 2, 5))
    assert digests(board) == {}


@pytest.mark.parametrize(("day", "alarms"), [(date(2026, 2, 11), ()), (date(2026, 2, 12), ("letters-wait",))])
def test_a_letter_that_fails_a_working_day_before_its_date_is_told_without_waiting_four_hours(
    board: Board, day: date, alarms: tuple[str, ...]
) -> None:
    """The acknowledgement is to be sent by Friday the 13th, the safe day."""
    number = board.case()
    board.clock.set_to(at(day, 14))
    acknowledgement.acknowledge(board.docket, board.clerk, number)
    board.clock.advance(timedelta(minutes=10))
    assert on(board, day).alarms == ()
    for one in delivery.claim(board.docket, Channel.MAIL):
        delivery.settle(board.docket, one, Delivery(DeliveryState.TRY_LATER, "451 not now"))
    assert on(board, day).alarms == alarms

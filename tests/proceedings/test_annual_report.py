"""The report on a year is counted from the record, shows nobody, and goes to the Commission (C8)."""

import csv
import io
import json
from datetime import timedelta
from pathlib import Path

import pypdf
import pytest
import sqlalchemy as sa

from store.database import Database
from store.printing import PressRoom
from store.proceedings.annual_report import count_year, send_report, write_report
from store.proceedings.correction import reopen
from store.proceedings.demand import record_demand
from store.proceedings.determination import Conclusion, determine
from store.proceedings.disposition import dispose
from store.proceedings.meeting import close_meeting
from store.proceedings.notification import send_notification
from store.rules.errors import AlreadyDone, BadInput, NotAllowed
from store.rules.facts import Choice, Question
from tests.clocks import ManualClock
from tests.proceedings.after_builders import REPRIMAND, received_case, sufficient_case
from tests.proceedings.builders import Board, a_docket
from tests.proceedings.filings import letters


def _numbers(board: Board) -> dict[str, int | None]:
    found = count_year(board.docket, board.clerk, 2026)
    return {one.what: one.number for one in (*found.fates, *found.outcomes, *found.after)}


def test_a_year_is_counted_from_the_record(board: Board) -> None:
    for _case in range(4):
        board.served_case()
    found = count_year(board.docket, board.chair, 2026)
    assert (found.received, found.respondents) == (4, 4)
    forward = next(one for one in found.steps if "general statement" in one.what)
    assert (forward.done, forward.median_days, forward.longest_days, forward.on_time) == (4, 0.0, 0, 4)
    assert count_year(board.docket, board.chair, 2025).received == 0


def test_an_outcome_of_one_is_not_shown_and_cannot_be_worked_out(board: Board) -> None:
    received_case(board)
    for _case in range(6):
        board.served_case()
    found = _numbers(board)
    assert found["sufficient basis: confidential reprimand"] is None
    assert found["not determined yet"] is None
    assert found["demands for a public hearing before the Commission"] == 0


def test_no_step_gives_away_what_is_hidden_among_the_outcomes(board: Board) -> None:
    """Three reprimands and one dismissal: who reads that three were notified knows of the one dismissal."""
    for _case in range(3):
        number, track, held = sufficient_case(board, Question.REPRIMAND)
        dispose(board.docket, board.chair, number, track, REPRIMAND)
        for letter in send_notification(board.docket, board.clerk, number, track):
            board.settle(number, letter, "sent")
        close_meeting(board.docket, board.clerk, held)
    number, track = board.served_case()
    board.decide(number, track, board.meeting(), Question.JURISDICTION, Choice.NO)
    determine(board.docket, board.clerk, number, track, Conclusion(False, None, "outside"))
    found = count_year(board.docket, board.clerk, 2026)
    shown = {one.what: one for one in found.steps}
    (notify,) = (one for what, one in shown.items() if what.startswith("Notify the respondent"))
    assert (notify.done, notify.on_time, notify.median_days, notify.share) == (None, None, None, None)
    (forward,) = (one for what, one in shown.items() if what.startswith("Forward"))
    assert (found.respondents, forward.done, forward.share) == (4, 4, 100)
    hidden = {one.what for one in found.outcomes if one.number is None}
    assert {"outside the Board's jurisdiction", "sufficient basis: confidential reprimand"} <= hidden


def test_a_demand_counts_though_its_case_was_reopened(board: Board) -> None:
    number, track = received_case(board)
    record_demand(board.docket, board.clerk, number, track, received_at=board.clock.now(), words="by hand")
    reopen(board.docket, board.clerk, number, reason="new evidence")
    demands = _numbers(board)["demands for a public hearing before the Commission"]
    assert demands is None, "one is not shown; it is not nought"


def test_test_cases_are_left_out(board: Board, press: PressRoom, clock: ManualClock) -> None:
    board.case()
    database: Database = board.docket.database
    with database.write() as session:
        session.connection().execute(sa.text("UPDATE docket_case SET practice = true"))
    assert count_year(board.docket, board.clerk, 2026).received == 0


def test_the_report_is_one_in_three_forms_and_names_nobody(board: Board) -> None:
    for _case in range(3):
        board.served_case()
    written = write_report(board.docket, board.clerk, 2026, remarks="=SUM(A1) is what the Board says.")
    rows = list(csv.reader(io.StringIO(written.as_csv.decode())))
    assert ["complaints", "received", "", "3"] in rows
    assert json.loads(written.as_json)["received"] == 3
    reader = pypdf.PdfReader(io.BytesIO(written.pdf))
    printed = "".join(page.extract_text() for page in reader.pages)
    assert "complaints received" in printed
    for text in (written.as_csv.decode(), written.as_json.decode(), printed):
        for name in ("Connie", "Rory", "EC-2026"):
            assert name not in text


def test_the_report_goes_to_the_commission_as_a_letter(board: Board) -> None:
    board.case()
    send_report(board.docket, board.clerk, 2026, remarks="The Board thanks the clerk.")
    (mail,) = letters(board.docket, "annual_report")
    assert mail.to == "commission@bramwell-ky.example"
    assert mail.subject == "Annual report for 2026"
    assert "The Board thanks the clerk." in mail.text


def test_two_people_send_the_report_on_a_year_once_a_day(board: Board) -> None:
    send_report(board.docket, board.clerk, 2026)
    for person in (board.chair, board.clerk):
        with pytest.raises(AlreadyDone, match="City Commission today"):
            send_report(board.docket, person, 2026)
    send_report(board.docket, board.clerk, 2025)
    board.clock.advance(timedelta(days=1))
    send_report(board.docket, board.clerk, 2026, remarks="Counted again.")
    assert len(letters(board.docket, "annual_report")) == 3


def test_a_year_ahead_has_no_report_and_members_make_none(board: Board) -> None:
    with pytest.raises(BadInput):
        count_year(board.docket, board.clerk, 2027)
    with pytest.raises(NotAllowed):
        count_year(board.docket, board.members[2], 2026)


def test_what_was_disposed_of_stops_no_report(board: Board, tmp_path: Path, press: PressRoom) -> None:
    numbers = [board.case() for _case in range(4)]
    with board.docket.database.write() as session:
        session.connection().execute(
            sa.text("UPDATE data_key SET wrapped = NULL WHERE kind = 'case' AND owner = :key"),
            {"key": board.key(numbers[0])},
        )
    again = Board(a_docket(board.docket.vault.root.parent, board.clock, press), board.clock)
    assert count_year(again.docket, again.clerk, 2026).received == 3
    again.docket.database.engine.dispose()

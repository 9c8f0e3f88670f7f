"""A day on which city hall closes moves the dates of open steps, and people are told once (D3)."""

from datetime import date, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from store import outbox
from store.cases import calendar_text
from store.proceedings import recusal
from store.proceedings.calendar import adopt_calendar, close_day, moved_dates
from store.proceedings.closures_list import adopt_year
from store.rules.calendar import Closure
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotAllowed
from store.rules.facts import DatesMoved
from tests.proceedings.builders import CALENDAR, Board

STORM = date(2026, 2, 10)


def _told(board: Board, since: set[int]) -> list[int | None]:
    with board.docket.database.read() as session:
        return [
            owed.ping.person
            for one in outbox.waiting(session)
            if one.id not in since
            and (owed := outbox.read(session, board.docket.keyring, one.id))
            and owed.ping
            and ("what", "dates-moved") in owed.ping.about
        ]


def _waiting(board: Board) -> set[int]:
    with board.docket.database.read() as session:
        return {one.id for one in outbox.waiting(session)}


def test_a_closed_day_moves_open_working_day_steps_and_says_from_when_to_when(board: Board) -> None:
    board.clock.advance(timedelta(days=1))
    number = board.case()
    moved = close_day(board.docket, board.clerk, STORM, "ice storm")
    steps = {fact.step: (fact.old, fact.new) for _number, fact in moved}
    complainant = board.file(number).complainants[0].id
    old, new = steps[f"acknowledge:{complainant}"]
    assert (old[1], new[1]) == ("2026-02-17", "2026-02-18")
    assert {one.cause for _number, one in moved} == {"ice storm"}
    assert len(tuple(board.file(number).all(DatesMoved))) == len(moved)


def test_each_person_concerned_is_told_once_and_a_recused_one_not_at_all(board: Board) -> None:
    first, second = board.case(), board.case()
    for number in (first, second):
        recusal.recuse(board.docket, board.members[4], number)
    before = _waiting(board)
    close_day(board.docket, board.clerk, STORM, "ice storm")
    told = _told(board, before)
    assert len(told) == len(set(told))
    assert board.clerk.person in told
    assert board.members[1].person in told
    assert board.members[4].person not in told
    assert board.alternate.person not in told


def test_the_digest_shows_only_the_cases_that_the_reader_may_see(board: Board) -> None:
    first, second = board.case(), board.case()
    recusal.recuse(board.docket, board.members[1], first)
    close_day(board.docket, board.clerk, STORM, "ice storm")
    (fact, *_rest) = board.file(second).all(DatesMoved)
    assert {number for number, _fact in moved_dates(board.docket, board.members[1], fact.entry)} == {second}
    assert {number for number, _fact in moved_dates(board.docket, board.clerk, fact.entry)} == {first, second}


def test_a_day_is_closed_once_but_half_a_day_can_become_a_whole_one(board: Board) -> None:
    close_day(board.docket, board.clerk, STORM, "early closing", closes_at=time(12))
    close_day(board.docket, board.clerk, STORM, "ice storm")
    for closes_at in (None, time(15)):
        with pytest.raises(AlreadyDone):
            close_day(board.docket, board.clerk, STORM, "again", closes_at=closes_at)


def test_one_closed_day_does_not_adopt_its_year(board: Board) -> None:
    board.case()
    close_day(board.docket, board.clerk, date(2027, 1, 4), "burst pipe")
    with board.docket.database.read() as session:
        text = calendar_text(session)
    assert "adopted_years = [2026]" in text
    with pytest.raises(AlreadyDone):
        adopt_calendar(board.docket, board.clerk, text, "again")
    adopt_calendar(board.docket, board.clerk, '[[closure]]\ndate = 2026-12-24\nreason = "eve"\n', "new list")
    close_day(board.docket, board.clerk, date(2027, 1, 5), "burst pipe")
    with board.docket.database.read() as session:
        assert calendar_text(session).startswith("adopted_years = [2026]")


@pytest.mark.parametrize(
    "text",
    ["", "\n# next year's list\n", "adopted_years = []\n", "adopted_years = [2027]\n"],
    ids=["empty", "a remark", "no year", "next year alone"],
)
def test_a_calendar_that_would_open_the_days_of_an_adopted_year_is_refused(board: Board, text: str) -> None:
    board.case()
    close_day(board.docket, board.clerk, STORM, "ice storm")
    with board.docket.database.read() as session:
        before = calendar_text(session)
    with pytest.raises(BadInput, match="in force stays"):
        adopt_calendar(board.docket, board.clerk, text, "the new list")
    with board.docket.database.read() as session:
        assert calendar_text(session) == before


@pytest.mark.parametrize("reason", ["", "two\nlines", 'a "quote" \\ and a backslash'])
def test_a_reason_is_one_line_and_signs_in_it_do_no_harm(board: Board, reason: str) -> None:
    if "quote" in reason:
        close_day(board.docket, board.clerk, STORM, reason)
        return
    with pytest.raises(BadInput):
        close_day(board.docket, board.clerk, STORM, reason)


def test_only_the_clerk_sets_the_calendar(board: Board) -> None:
    with pytest.raises(NotAllowed):
        close_day(board.docket, board.chair, STORM, "ice storm")
    with pytest.raises(NotAllowed):
        adopt_calendar(board.docket, board.members[1], CALENDAR + "\n", "why not")


def test_a_weekend_is_not_closed_since_nothing_would_move(board: Board) -> None:
    version = calendar_text_of(board)
    for day in (date(2026, 2, 7), date(2026, 2, 8)):
        with pytest.raises(BadInput, match="no date would move"):
            close_day(board.docket, board.clerk, day, "ice storm", recorded_late=True)
    assert calendar_text_of(board) == version


def test_a_day_that_lies_behind_is_closed_only_by_somebody_who_says_that_he_means_it(board: Board) -> None:
    number = board.case()
    board.clock.advance(timedelta(days=9))
    with pytest.raises(BadInput, match="recorded late"):
        close_day(board.docket, board.clerk, STORM, "ice storm")
    assert not tuple(board.file(number).all(DatesMoved))
    moved = close_day(board.docket, board.clerk, STORM, "ice storm", recorded_late=True)
    assert {step.partition(":")[0] for step in (fact.step for _number, fact in moved)} >= {"acknowledge"}


def test_a_calendar_that_changes_days_that_lie_behind_is_adopted_only_by_somebody_who_means_it(
    board: Board,
) -> None:
    number = board.case()
    board.clock.advance(timedelta(days=9))
    before = calendar_text_of(board)
    behind = before + f'\n[[closure]]\ndate = {STORM}\nreason = "ice storm"\n'
    with pytest.raises(BadInput, match=f"lie behind .{STORM}.*in force stays"):
        adopt_calendar(board.docket, board.clerk, behind, "the list")
    assert calendar_text_of(board) == before
    assert not tuple(board.file(number).all(DatesMoved))
    moved = adopt_calendar(board.docket, board.clerk, behind, "the list", recorded_late=True)
    assert {step.partition(":")[0] for step in (fact.step for _number, fact in moved)} >= {"acknowledge"}
    with pytest.raises(BadInput, match="lie behind"):
        adopt_calendar(board.docket, board.clerk, before, "opened again")
    other_reason = behind.replace("ice storm", "storm of ice")
    assert adopt_calendar(board.docket, board.clerk, other_reason, "its reason") == ()


def test_a_list_with_days_that_lie_behind_or_a_weekend_moves_nothing_before_the_first_case(
    board: Board,
) -> None:
    board.clock.advance(timedelta(days=9))
    behind = f'{calendar_text_of(board)}\n[[closure]]\ndate = {STORM}\nreason = "ice storm"\n'
    adopt_calendar(board.docket, board.clerk, behind, "the year's list")
    board.case()
    weekend = f'{calendar_text_of(board)}\n[[closure]]\ndate = 2026-02-07\nreason = "Saturday"\n'
    adopt_calendar(board.docket, board.clerk, weekend, "the list")


def test_a_year_is_adopted_with_days_that_lie_behind_only_by_somebody_who_means_it(board: Board) -> None:
    board.case()
    board.clock.advance(timedelta(days=9))
    closed = (Closure(STORM, "ice storm"),)
    with pytest.raises(BadInput, match="lie behind"):
        adopt_year(board.docket, board.clerk, 2026, closures=closed, cause="the list")
    adopt_year(board.docket, board.clerk, 2026, closures=closed, cause="the list", recorded_late=True)
    assert STORM.isoformat() in calendar_text_of(board)


def test_today_is_closed_without_more_ado(board: Board) -> None:
    today = local_date(board.clock.now(), ZoneInfo("America/New_York"))
    close_day(board.docket, board.clerk, today, "burst pipe")
    assert today.isoformat() in calendar_text_of(board)


def calendar_text_of(board: Board) -> str:
    with board.docket.database.read() as session:
        return calendar_text(session)

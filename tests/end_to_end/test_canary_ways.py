"""Every form of Slack and every command of `docket`, filled with invented words at DEBUG: none comes out where nobody is named.

Forms and commands are found in the program itself, so that a new one is filled here without a word. Many are refused: what
is said of a failure goes to who typed it, and into no log, list, card or notification of anybody else (C1).
"""

import io
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from bot.desk import Desk
from bot.members import Members
from bot.payloads import Target
from bot.practice.blocks_check import offered_options
from bot.practice.client import message_text
from store.printing import PressRoom
from store.proceedings.planning import When, plan_meeting
from store.proceedings.receipt import hold
from store.rules.errors import Refusal
from store.rules.facts import Question
from tests.bot.slack.office import CLARA, HANNA, MORA, Office, an_office
from tests.bot.slack.test_limits import VIEWS, a_click
from tests.bot.slack.test_odd_payloads import UNEXPECTED, submit
from tests.bot.slack.test_outsiders import settled, ways_in
from tests.clocks import ManualClock
from tests.end_to_end.sinks import Sinks, planted
from tests.proceedings import after_builders as after
from tests.proceedings.builders import Board, a_board
from tests.proceedings.filings import a_filing, taken

pytestmark = pytest.mark.end_to_end

# forms of stages that no case here has reached; what they record is planted by `test_canary_acts.py`
NOT_DRAWN = frozenset(
    [
        "adopt_year",
        "approve_minutes",
        "close_case",
        "close_day",
        "commission_result",
        "hearing_result",
        "hearing_sat",
        "lift_conflict",
        "notice_given",
        "open_hearing",
        "read_closures",
        "release_documents",
        "rule_exhibit",
        "rule_time",
    ]
)
# what is nobody's secret: where the Board meets, why city hall closes, who sits on the Board
PUBLIC = ("open_meeting", "plan_meeting", "move_meeting", "close_day", "adopt_year", "read_closures")


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory, press: PressRoom) -> Iterator[tuple[Office, list[Target]]]:
    """An office with cases at each stage, a meeting in session, one planned, held mail; and everything in them."""
    folder = tmp_path_factory.mktemp("forms")
    board: Board = a_board(folder, ManualClock(), press)
    for place in range(3):
        hold(board.docket, taken(board.docket, b"held %d" % place, uid=700 + place), a_filing())
    numbers = [board.case(proper=False), board.case(proper=False, screened=False), board.case()]
    plan = plan_meeting(board.docket, board.chair, When(board.clock.now() + timedelta(days=90), "City Hall"))
    number, _track, meeting = after.sufficient_case(board, Question.REPRIMAND)
    board.ballot(numbers[2], board.respondent(numbers[2]), meeting)
    numbers.append(number)
    office = an_office(folder, board)
    kinds = {(one, fact.fact.KIND): fact.id for one in numbers for fact in board.file(one).facts}
    about = [Target(number, fact) for (number, _kind), fact in kinds.items()]
    wide = [Target(one) for one in numbers]
    yield (
        office,
        [
            *wide,
            Target("", meeting),
            Target("", plan),
            Target(),
            *(Target("", one) for one in (1, 2, 3)),
            *about,
        ],
    )
    office.stop()


def _state(view: dict[str, Any], form: str) -> dict[str, Any]:
    """Fill a view as a person does who writes into every field and takes the first of every choice."""
    found: dict[str, Any] = {}
    for block in view["blocks"]:
        if block.get("type") != "input":
            continue
        element = block["element"]
        offered = [one["value"] for one in offered_options(element)]
        first = {"value": offered[0]} if offered else None
        answer = {
            "value": planted(f"{form}.{block['block_id']}"),
            "selected_option": first,
            "selected_options": [first] if first else [],
            "selected_date": "2026-02-16",
            "selected_time": "10:00",
            "selected_user": MORA,
        }
        found[block["block_id"]] = {element["action_id"]: answer}
    return found


def _drawn(office: Office, targets: list[Target]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Draw every view that a click gives, once, for somebody who may see it; give whose it is."""
    board, client = office.board, office.notifier.client
    desk = Desk(board.docket, client, Members(board.docket, client))
    people = {CLARA: board.clerk, HANNA: board.chair, MORA: board.actor("Mora Member")}
    for draw in VIEWS.values():
        for user, target in product(people, targets):
            try:
                view = draw(desk, people[user], a_click(target))
            except Refusal:
                continue
            if view.get("callback_id"):
                yield user, view
                break


def _fill(office: Office, targets: list[Target]) -> tuple[set[str], list[str]]:
    """Fill and submit every form that can be drawn; give which, and what was answered."""
    filled: set[str] = set()
    said: list[str] = []
    for user, view in _drawn(office, targets):
        form, about = view["callback_id"], str(view.get("private_metadata", ""))
        mark = f"{form}{len(said)}"
        said.append(submit(office, form, about, _state(view, form), mark=mark, user=user))
        filled.add(form)
    return filled, said


def test_no_word_of_any_form_comes_out_where_nobody_may_be_named(
    town: tuple[Office, list[Target]], log: io.StringIO
) -> None:
    office, targets = town
    filled, said = _fill(office, targets)
    settled(office)
    office.deliver()
    assert not [one for one in said if UNEXPECTED in one]
    left = {form for way, form in ways_in() if way == "form"} - filled
    assert left == NOT_DRAWN, " ".join(sorted(left ^ NOT_DRAWN))
    sinks = Sinks()
    seen = office.everything_shown()
    sinks.add("log", log.getvalue())
    sinks.add("notification texts", "\n".join(one.text for one in seen))
    sinks.add("channel names", "\n".join(one.name for one in office.practice.all_channels()))
    sinks.add("cards", "\n".join(message_text(one) for one in seen if not one.only_for))
    for path in office.board.docket.vault.root.parent.rglob("*"):
        if path.is_file() and "slack" not in path.parts:
            sinks.add(f"data/{path.name}", path.read_bytes() + path.name.encode())
    assert [one for one in sinks.leaks() if not one.startswith(PUBLIC)] == []
    print(f"{len(filled)} forms filled, looked for in {len(sinks.found)} places")  # noqa: T201  the figure is asked for

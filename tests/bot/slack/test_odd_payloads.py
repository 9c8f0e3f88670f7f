"""Forged, old and odd payloads over every action id: a plain answer, journaled where an act was tried, nothing recorded."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from slack_bolt import BoltRequest
from typing_extensions import override

from bot import blocks, words
from bot.actions.ids import DEEDS, Do
from bot.payloads import Target
from store import journal
from store.printing import PressRoom
from store.proceedings.merger import merge
from store.rules import facts
from tests.bot.slack.office import CLARA, CYRUS, HANNA, MORA, TEAM_ID, Office, an_office
from tests.clocks import ManualClock
from tests.proceedings.builders import Board, a_board

pytestmark = pytest.mark.contract
UNEXPECTED = "Something went wrong on our side"
ODD_VALUES = (
    "", "x", "|", "||", "1|2|3|4", "EC-2026-0001|x|0", "EC-2026-0001|-1|0", "EC-2026-0001|0|-7",
    f"EC-2026-0001|{2**70}|0", "EC-2026-0001|0|" + "9" * 60, "N" * 2000, "\u202e|1|0", "EC-2026-0001|١|0",
    "{'case': 3}", "EC-2026-0001\n|1|0", f"EC-2026-0001|{'0' * 20}{'9' * 5000}|0",
)  # fmt: skip
ODD_STATES: tuple[Any, ...] = (
    None, "text", 7, [], {}, {"value": None}, {"value": 7}, {"value": "x" * 3001}, {"value": "\ud800\0"},
    {"value": "\u202e" * 50}, {"selected_option": "x"}, {"selected_option": {"value": None}},
    {"selected_option": {"value": "no-such-choice"}}, {"selected_option": {"value": "-1"}},
    {"selected_option": {"value": str(2**70)}}, {"selected_option": {"value": "0" * 20 + "9" * 40}},
    {"selected_options": "x"}, {"selected_options": [{}]},
    {"selected_options": [{"value": "abc"}]}, {"selected_options": [{"value": "7:"}, {"value": "7:7"}]},
    {"selected_date": "2026-02-30"}, {"selected_date": "0001-01-01"}, {"selected_date": "9999-12-31"},
    {"selected_date": 5}, {"selected_user": 7},
)  # fmt: skip
WORDS = sorted(
    {
        str(one.value)
        for kind in vars(facts).values()
        if isinstance(kind, type) and issubclass(kind, facts.StrEnum)
        for one in kind
    }
    | {"yes", "no", "all", "both", "reprimand", "hearing", "nothing", "outside", "sufficient", "no-basis"}
    | {
        "file",
        "attach",
        "set-aside",
        "corrected",
        "leaves",
        "officer",
        "commission",
        "commonwealths-attorney",
    }
)


class Everywhere(dict[str, Any]):
    """The state of a form in which every field holds what a draw gives."""

    def __init__(self, draw: Any) -> None:
        super().__init__(every=1)
        self.draw = draw

    @override
    def get(self, block: str, default: Any = None) -> Any:
        return {block: self.draw()}


@pytest.fixture(scope="module")
def cases(
    tmp_path_factory: pytest.TempPathFactory, press: PressRoom
) -> Iterator[tuple[Office, list[Target]]]:
    """An office with an open case, a served one with ballots and letters, one merged away; and their ids."""
    folder = tmp_path_factory.mktemp("odd")
    board: Board = a_board(folder, ManualClock(), press)
    plain = board.case(proper=False)
    number, track = board.served_case()
    meeting = board.meeting()
    board.decide(number, track, meeting, facts.Question.JURISDICTION)
    board.ballot(number, track, meeting, facts.Question.FRIVOLOUS)
    closed = board.case()
    merge(board.docket, board.clerk, closed, into=plain, reason="the same letter twice")
    office = an_office(folder, board)
    about = [
        Target(one, fact.id)
        for one in (plain, number, closed)
        for fact in board.file(one).facts[:: 3 if one == number else 2]
    ]
    yield office, [Target(), Target("", meeting), Target("", 99), Target("EC-2031-0001", 1), *about]
    office.stop()


def refused(office: Office) -> dict[str, int]:
    counted: dict[str, int] = {}
    docket = office.board.docket
    with docket.database.read() as session:
        for entry in journal.entries(session, docket.keyring):
            if entry.header["refused"]:
                act = str(entry.header["act"])
                counted[act] = counted.get(act, 0) + 1
    return counted


def recorded(office: Office) -> int:
    docket = office.board.docket
    with docket.database.read() as session:
        return sum(not entry.header["refused"] for entry in journal.entries(session, docket.keyring))


def submit(office: Office, do: str, metadata: str, state: Any, *, mark: str, user: str = CLARA) -> str:
    body = {
        "type": "view_submission",
        "team": {"id": TEAM_ID},
        "user": {"id": user, "team_id": TEAM_ID},
        "view": {
            "id": f"V{mark}", "hash": mark, "type": "modal", "callback_id": do,
            "private_metadata": metadata, "state": {"values": state},
        },
    }  # fmt: skip
    answer = office.app.dispatch(BoltRequest(mode="socket_mode", body=body))
    assert answer.status == 200
    return str(answer.body)


def click(office: Office, do: str, value: Any, user: str) -> None:
    body = {
        "type": "block_actions",
        "team": {"id": TEAM_ID},
        "user": {"id": user, "team_id": TEAM_ID},
        "trigger_id": "1.2.3",
        "actions": [{"type": "button", "action_id": do, "block_id": "b", "value": value}],
    }
    assert office.app.dispatch(BoltRequest(mode="socket_mode", body=body)).status == 200


def nobody_was_alarmed(office: Office) -> None:
    """No error that nobody foresaw: each of them is an alarm, and a sentence with a number."""
    office.deliver()
    shown = [str(one.blocks) for one in office.everything_shown()]
    assert not [one for one in shown if UNEXPECTED in one or "unforeseen error" in one]


SHAPES: tuple[Any, ...] = (None, "x", [], {"track": None}, {"track": {"track": None}})


@pytest.mark.parametrize("do", sorted(Do))
def test_a_submission_with_odd_fields_is_refused_in_plain_words(
    cases: tuple[Office, list[Target]], do: Do
) -> None:
    """Each form meets a draw of the odd states, shapes and values; over all forms each is met many times."""
    office, targets = cases
    about = next(one for one in targets if one.number.endswith("0002")).text()
    dice = random.Random(do.value)
    tries: list[tuple[str, Any]] = [
        *((about, Everywhere(lambda state=state: state)) for state in dice.sample(ODD_STATES, 8)),
        *((about, shape) for shape in dice.sample(SHAPES, 2)),
        *((value, {}) for value in dice.sample(ODD_VALUES, 4)),
    ]
    for place, (metadata, state) in enumerate(tries):
        said = submit(office, do, metadata, state, mark=f"{do}{place}")
        assert said, "an answer"
        assert UNEXPECTED not in said, (state, said)
        if words.UNKNOWN_CLICK in said:
            return  # a button's, not a form's


@pytest.mark.parametrize("do", sorted(Do))
def test_a_submission_with_ids_and_words_of_other_forms_and_cases_breaks_nothing(
    cases: tuple[Office, list[Target]], do: Do
) -> None:
    office, targets = cases
    dice = random.Random(do.value)
    ids = [str(one.about) for one in targets if one.about] + ["1", "2", "3"]

    def drawn() -> dict[str, Any]:
        option = {"value": dice.choice([*ids, *WORDS]) if dice.random() < 0.6 else dice.choice(ids)}
        return {
            "value": dice.choice(["14:05", "some words", "2026", "EC-2026-0001", ""]),
            "selected_option": option,
            "selected_options": [{"value": dice.choice([*ids, *WORDS])} for _ in range(dice.randrange(3))],
            "selected_date": dice.choice(["2026-02-03", "2026-03-09", None, "1999-01-01"]),
            "selected_user": dice.choice([MORA, "U0NOBODY", None]),
        }

    for place in range(10):
        user = dice.choice([CLARA, HANNA, MORA, CYRUS])
        target = dice.choice(targets)
        said = submit(office, do, target.text(), Everywhere(drawn), mark=f"{do}d{place}", user=user)
        assert UNEXPECTED not in said, (target, said)
        if words.UNKNOWN_CLICK in said:
            return


@pytest.mark.parametrize("do", sorted(Do))
def test_a_button_with_an_odd_value_is_refused_in_plain_words(
    cases: tuple[Office, list[Target]], do: Do
) -> None:
    office, _targets = cases
    dice = random.Random(do.value)
    for value in (*dice.sample(ODD_VALUES, 4), None, {"a": 1}):
        click(office, do, value, CLARA)


@pytest.mark.parametrize("do", sorted(Do))
def test_a_button_about_another_case_another_kind_or_nothing_gets_an_answer(
    cases: tuple[Office, list[Target]], do: Do
) -> None:
    """Real clicks: the form opens, or the answer says in plain words why not."""
    office, targets = cases
    dice = random.Random(do.value)
    for place, one in enumerate(dice.sample(targets, 4), start=1):
        button = blocks.button(f"{place}", f"{do}:{place}", one.text())
        posted = office.notifier.client.chat_postMessage(
            channel=CLARA, text="old", blocks=blocks.actions([button])
        )
        message = next(shown for shown in office.practice.direct(CLARA) if shown.ts == posted["ts"])
        outcome = office.practice.click(CLARA, message, f"{do}:{place}")
        assert outcome.ok, outcome
        assert UNEXPECTED not in office.said(CLARA)
        if office.practice.modals(CLARA):
            office.practice.close(CLARA, clear=True)


def test_none_of_all_this_was_an_error_that_nobody_foresaw(cases: tuple[Office, list[Target]]) -> None:
    office, _targets = cases
    nobody_was_alarmed(office)


@pytest.mark.parametrize("do", [Do.DETERMINE, Do.TAKE_ROLE, Do.NAME_RESPONDENTS, Do.CLOSE_DAY, Do.VOTE])
def test_a_try_with_a_payload_that_cannot_be_read_is_an_entry(
    cases: tuple[Office, list[Target]], do: Do
) -> None:
    office, targets = cases
    about = next(one for one in targets if one.number.endswith("0002"))
    before, facts_before = refused(office), recorded(office)
    state = {"value": "x" * 3001, "selected_date": "x", "selected_option": {"value": "no-such"}}
    submit(office, do, about.text(), Everywhere(lambda: state), mark=f"{do}j")
    deed = DEEDS[do].value
    assert refused(office).get(deed, 0) == before.get(deed, 0) + 1
    assert recorded(office) == facts_before


def test_a_payload_without_anything_in_it_is_answered(cases: tuple[Office, list[Target]]) -> None:
    office, _targets = cases
    for do in sorted(Do):
        for body in (
            {"type": "block_actions", "actions": [{"action_id": do}]},
            {"type": "view_submission", "view": {"type": "modal", "callback_id": do}},
            {"type": "block_actions", "actions": [{"action_id": do}], "user": {"id": CLARA}},
        ):
            assert office.app.dispatch(BoltRequest(mode="socket_mode", body=body)).status == 200
    nobody_was_alarmed(office)


def test_no_refusal_of_the_many_names_a_person_or_repeats_what_was_sent(
    cases: tuple[Office, list[Target]],
) -> None:
    office, _targets = cases
    said = submit(
        office, Do.DETERMINE, "EC-2026-0002|0|0", {"track": {"track": {"value": "Connie"}}}, mark="n"
    )
    assert "Connie" not in said
    assert re.search("Nothing was changed|no case", said)

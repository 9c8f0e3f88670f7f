"""Choices that a reader was never offered, in every form with choices and in many states of a case.

Each form is opened as Slack opens it and filled in as it was offered; then one choice is another: an id of another
case, a walled person, somebody who is no member, a number out of reach, a word of another form, or nothing at all.
"""

import random
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from slack_bolt import App, BoltRequest
from slack_sdk import WebClient
from typing_extensions import override

from bot import words
from bot.actions.ids import DEEDS, Do
from bot.app import build_app
from bot.payloads import Target
from bot.practice.blocks_check import elements
from bot.practice.slack import PracticeSlack
from store import journal
from store.printing import PressRoom
from store.proceedings import meeting, parties
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.answer_time import ask_for_time
from store.proceedings.correction import reopen
from store.proceedings.demand import record_demand
from store.proceedings.determination import determine
from store.proceedings.disclosure import record_disclosure
from store.proceedings.exhibits import Offer, offer_exhibit
from store.proceedings.response import File
from store.proceedings.roster import link
from store.rules import access
from store.rules.facts import Choice, LinkKind, PartyNamed, PartyRole, Question, Role
from store.tables import Document, FactRow, OutboxRow
from tests.bot.slack.office import TEAM_ID, USERS
from tests.clocks import ManualClock
from tests.proceedings.after_builders import NO_BASIS, heard_case, received_case, sufficient_case
from tests.proceedings.builders import Board, a_board

pytestmark = pytest.mark.contract
READERS = {
    Role.CLERK: "Clara Clerk",
    Role.CHAIR: "Hanna Chair",
    Role.MEMBER: "Mora Member",
    Role.CITY_MANAGER: "Cyrus Manager",
}
STATES = (
    "closed", "demanded", "heard", "no basis", "reopened", "received", "unread", "named", "at the vote", "of the Board",
)  # fmt: skip
DRAWN = 3
OF_A_BALLOT = frozenset({Do.VOTE, Do.VOID_BALLOT})
UNEXPECTED = "Something went wrong on our side"
CHOOSING = frozenset({"static_select", "radio_buttons", "checkboxes", "multi_static_select"})
SEVERAL = frozenset({"checkboxes", "multi_static_select"})
OUT_OF_REACH = ("-1", "00", str(2**63 - 1), str(2**64), "9" * 400, "1.5", "1e3", "\u0661", "x", "1:1", " ")


class Recording(WebClient):
    """Slack as far as a form needs it: every account is a member, and the view shown last is kept."""

    def __init__(self, slack: PracticeSlack) -> None:
        super().__init__(slack.app.bot_token, slack.api_url)  # bolt makes clients of its own like this one
        self.shown: dict[str, Any] = {}
        self.told = threading.Event()

    @override
    def api_call(self, api_method: str, **given: Any) -> Any:
        """Answer without a line to anywhere."""
        sent = given.get("json") or given.get("params") or {}
        if api_method == "users.info":
            return {"ok": True, "user": {"id": sent.get("user"), "team_id": TEAM_ID}}
        if api_method.startswith("views."):
            self.shown = dict(sent["view"])
            self.told.set()
            return {"ok": True, "view": {"id": "V1", "hash": "h"}}
        return {
            "ok": True,
            "team_id": TEAM_ID,
            "user_id": "U0BOT",
            "bot_id": "B0BOT",
            "ts": "1.2",
            "channel": "D1",
        }


@dataclass
class Desk:
    """A record with cases in many states, and the app on it."""

    board: Board
    app: App
    slack: Recording
    cases: Mapping[str, str]
    held: int
    strange: Mapping[str, tuple[str, ...]]
    marks: int = 0

    def _send(self, user: str, body: dict[str, Any]) -> str:
        sent = {
            **body,
            "team": {"id": TEAM_ID},
            "user": {"id": user, "team_id": TEAM_ID},
            "trigger_id": "1.2.3",
        }
        answer = self.app.dispatch(BoltRequest(mode="socket_mode", body=sent))
        assert answer.status == 200
        return str(answer.body)

    def form(self, user: str, do: Do, target: Target) -> dict[str, Any] | None:
        """Press a button; give the form that it opens, if it opens one."""
        self.slack.shown = {}
        action = {"type": "button", "action_id": do, "block_id": "b", "value": target.text()}
        self._send(user, {"type": "block_actions", "actions": [action], "channel": {"id": "D1"}})
        return self.slack.shown if self.slack.shown.get("submit") else None

    def submit(self, user: str, view: dict[str, Any], values: dict[str, Any]) -> str:
        """Submit a form; give what was said."""
        self.marks += 1
        self.slack.shown = {}
        self.slack.told.clear()
        whole = {**view, "id": "V1", "hash": f"m{self.marks}", "state": {"values": values}}
        said = self._send(user, {"type": "view_submission", "view": whole})
        if words.RECORDING in said:  # what takes long is done when Slack was answered, and told then
            assert self.slack.told.wait(60.0)
        return f"{said} {self.slack.shown}"

    def stands(self) -> tuple[int, ...]:
        """Count what a record that was not changed has as many of as before."""
        with self.board.docket.database.read() as session:
            counts = [
                session.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
                for table in (FactRow, OutboxRow, Document)
            ]
        return tuple(counts)

    def last(self) -> tuple[int, bool]:
        """Give the number of the newest entry, and whether it is a refusal."""
        docket = self.board.docket
        with docket.database.read() as session:
            (entry,) = journal.newest(session, docket.keyring, 1)
        return entry.seq, bool(entry.header["refused"])


def a_desk(folder: Path, press: PressRoom, slack: PracticeSlack) -> Desk:
    """Cases from the receipt to the reopened file, one meeting in session, one ballot open."""
    board = a_board(folder, ManualClock(), press)
    for name, user in USERS.items():
        link(board.docket, board.clerk, board.person(name), LinkKind.SLACK, f"{TEAM_ID}:{user}")
    docket, clerk, chair = board.docket, board.clerk, board.chair
    cases: dict[str, str] = {}
    cases["closed"], track, held = sufficient_case(board)
    meeting.close_meeting(docket, chair, held)
    cases["demanded"], track = received_case(board)
    record_demand(docket, clerk, cases["demanded"], track, received_at=board.clock.now(), words="by hand")
    _adjourn(board)
    cases["heard"], track = heard_case(board)
    _adjourn(board)
    for name in ("no basis", "reopened"):
        cases[name], track = board.served_case()
        held = board.meeting()
        board.decide(cases[name], track, held, Question.JURISDICTION)
        board.decide(cases[name], track, held, Question.FACTUAL_BASIS, Choice.NO)
        determine(docket, clerk, cases[name], track, NO_BASIS)
        meeting.close_meeting(docket, chair, held)
    reopen(docket, clerk, cases["reopened"], reason="new evidence")
    cases["received"] = board.case(proper=False)
    cases["unread"] = board.case(proper=False, screened=False)
    cases["named"] = board.case()
    board.respondent(cases["named"])
    board.respondent(cases["named"], "Milo Member")
    acknowledge(docket, clerk, cases["named"])
    number, track = board.served_case()
    parties.name_party(
        docket,
        clerk,
        number,
        PartyNamed(PartyRole.RESPONDENT_COUNSEL, "Lou Lawyer", ("l@law.example",), represents=track),
    )
    until = board.clock.now().date() + timedelta(days=9)
    ask_for_time(docket, clerk, number, track, until=until, received_at=board.clock.now(), words="ill")
    offer_exhibit(
        docket, clerk, number, Offer(board.clock.now(), track, File(b"%PDF x", "x.pdf", "application/pdf"))
    )
    record_disclosure(docket, clerk, number, party=track, on=board.clock.now().date(), evidence="a newspaper")
    cases["at the vote"] = number
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    board.ballot(number, track, held, Question.FRIVOLOUS)
    client = Recording(slack)
    return Desk(board, build_app(docket, client), client, cases, held, strangers(board, cases, held))


def _adjourn(board: Board) -> None:
    held = meeting.meeting_in_session(board.docket, board.chair)
    if held is not None:
        meeting.close_meeting(board.docket, board.chair, held.id)


# -- filling in, and forging ----------------------------------------------------------------------------


def offered(element: Mapping[str, Any]) -> list[str]:
    """Give the values that a choice offers."""
    groups = element.get("option_groups") or [element]
    return [one["value"] for group in groups for one in group.get("options", ())]


def honest(board: Board, view: Mapping[str, Any]) -> dict[str, Any]:
    """Fill a form in as it was offered: what is chosen already, else the first choice; words where words go."""
    values: dict[str, Any] = {}
    for block, element in elements(view["blocks"]):
        if block["type"] != "input":
            continue
        name, kind = block["block_id"], element["type"]
        if kind in SEVERAL:
            chosen = element.get("initial_options") or [{"value": one} for one in offered(element)[:1]]
            state: dict[str, Any] = {"selected_options": chosen}
        elif kind in CHOOSING:
            state = {"selected_option": element.get("initial_option") or {"value": offered(element)[0]}}
        elif kind == "datepicker":
            state = {"selected_date": element.get("initial_date") or board.clock.now().date().isoformat()}
        else:
            typed = "10:00" if name.endswith("hour") else "words"
            state = {"value": element.get("initial_value") or (None if block.get("optional") else typed)}
        values[name] = {name: {"type": kind, **state}}
    return values


def chosen_as(element: Mapping[str, Any], value: str | None) -> dict[str, Any]:
    """Give the state of a choice in which a value was chosen; None leaves it empty."""
    if element["type"] in SEVERAL:
        return {"selected_options": [] if value is None else [{"value": value}]}
    return {"selected_option": None if value is None else {"value": value}}


def strangers(board: Board, cases: Mapping[str, str], held: int) -> dict[str, tuple[str, ...]]:
    """Give for each case ids that are real and of no form of its own: of other cases, of persons, of a meeting."""
    own: dict[str, list[int]] = {}
    for number in cases.values():
        case = board.file(number)
        own[number] = [one.id for some in (case.respondents, case.ballots, case.letters) for one in some[:1]]
    names = ("Milo Member", "Cyrus Manager", "Ivo Machinist", "Cora Counsel", "Alma Alternate")
    everywhere = [*map(board.person, names), held]
    others = {each: [one for number in own if number != each for one in own[number]] for each in (*own, "")}
    return {each: tuple(map(str, [*ids, *everywhere])) for each, ids in others.items()}


def forgeries(
    desk: Desk, number: str, block: Mapping[str, Any], element: Mapping[str, Any], dice: random.Random
) -> Iterator[dict[str, Any]]:
    """Give states of a choice that nobody was offered; in a list beside one that was, which must not count either."""
    known = offered(element)
    real = [one for one in desk.strange[number] if one not in known]
    drawn = [*dice.sample(real, min(DRAWN, len(real))), *dice.sample(OUT_OF_REACH, 2), "reprimand"]
    for value in drawn:
        if value not in known:
            beside = [{"value": one} for one in known[:1]]
            state = chosen_as(element, value)
            if element["type"] in SEVERAL:
                state["selected_options"] = [*beside, *state["selected_options"]]
            yield state
    if not block.get("optional"):
        yield chosen_as(element, None)


def forms(desk: Desk, number: str) -> Iterator[tuple[Do, str, dict[str, Any]]]:
    """Give each form with choices that opens in a case now, and who opened it."""
    case = desk.board.file(number) if number else None
    for do in sorted(DEEDS):
        if (access.TABLE[DEEDS[do]].scope is access.Scope.CASE) is (case is None):
            continue
        roles = access.TABLE[DEEDS[do]].roles
        reader = next((name for role, name in READERS.items() if role in roles), READERS[Role.CLERK])
        about = [one.id for one in (case.ballots if case else ())[-1:]] if do in OF_A_BALLOT else [0]
        if case is None:
            about = [0, desk.held, desk.board.person("Mora Member")]
        for one in about:
            view = desk.form(USERS[reader], do, Target(number, one))
            if view and any(element["type"] in CHOOSING for _block, element in elements(view["blocks"])):
                yield do, USERS[reader], view
                break


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, press: PressRoom) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("forged")
    slack = PracticeSlack(folder / "slack", ManualClock().now).start()
    yield a_desk(folder / "data", press, slack)
    slack.stop()


@pytest.mark.parametrize("state", STATES)
def test_a_choice_that_was_never_offered_is_refused_entered_and_changes_nothing(
    desk: Desk, state: str
) -> None:
    number = desk.cases.get(state, "")
    seen, wrong = 0, []
    for do, user, view in forms(desk, number):
        values = honest(desk.board, view)
        for block, element in elements(view["blocks"]):
            if block["type"] != "input" or element["type"] not in CHOOSING:
                continue
            name, dice = block["block_id"], random.Random(f"{state}{do}{block['block_id']}")
            for forged in forgeries(desk, number, block, element, dice):
                stood, last = desk.stands(), desk.last()[0]
                said = desk.submit(user, view, {**values, name: {name: {"type": element["type"], **forged}}})
                newest, refusal = desk.last()
                plain = ("othing" in said or "no case of that number" in said) and UNEXPECTED not in said
                if not (plain and desk.stands() == stood and newest > last and refusal):
                    wrong.append((do.value, name, str(forged), said))
                seen += 1
    assert wrong == [], "\n".join(map(str, wrong))
    assert seen

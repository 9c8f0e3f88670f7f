"""Whoever is not on the roster is refused at every way in from Slack, answered plainly, and journaled."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from slack_bolt import BoltRequest
from structlog.testing import capture_logs

from bot import words
from bot.actions import ACTIONS
from bot.actions.ids import DEEDS, Do
from bot.commands import ANSWERS
from bot.practice.client import message_text
from bot.practice.state import Role
from store import journal, outbox
from store.outbox import Waiting
from store.printing import PressRoom
from store.proceedings.roster import add_person, leave_role, link, unlink
from store.rules.access import TABLE, Deed, Scope
from store.rules.facts import LinkKind
from store.rules.facts import Role as BoardRole
from tests.bot.slack.office import CYRUS, MORA, Office, an_office, told
from tests.clocks import ManualClock
from tests.proceedings.builders import a_board

pytestmark = pytest.mark.contract


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Failures to answer somebody outside are logged by the hundred; drawing them for a terminal takes minutes."""
    with capture_logs():
        yield


TEAM, OTHER = "T0PRACTICE", "T0OTHER"
REFUSED = "no case of that number that you may open"
NO_ROLE = "not on the Board's roster"
NAMES = ("Connie", "Complainant", "c.pdf")


def a_stranger(office: Office) -> str:
    office.practice.add_person("Nosy", person_id="U0NOSY")
    return "U0NOSY"


def of_another_team(office: Office) -> str:
    office.practice.add_person("Stranger", person_id="U0STRANGE", team=OTHER)
    return "U0STRANGE"


def now(role: Role) -> Callable[[Office], str]:
    def change(office: Office) -> str:
        office.practice.change_person(MORA, role=role)
        office.notifier.members.forget(MORA)
        return MORA

    return change


def departed(office: Office) -> str:
    board = office.board
    leave_role(board.docket, board.chair, board.person("Mora Member"), BoardRole.MEMBER)
    return MORA


def unlinked(office: Office) -> str:
    board = office.board
    unlink(board.docket, board.clerk, board.person("Mora Member"), LinkKind.SLACK, f"{TEAM}:{MORA}")
    return MORA


def without_a_role(office: Office) -> str:
    board = office.board
    office.practice.add_person("Nora Nothing", person_id="U0NORA")
    person = add_person(board.docket, board.clerk, "Nora Nothing")
    link(board.docket, board.clerk, person, LinkKind.SLACK, f"{TEAM}:U0NORA")
    return "U0NORA"


OUTSIDERS = {
    "stranger": a_stranger,
    "other-team": of_another_team,
    "guest": now(Role.GUEST),
    "restricted": now(Role.RESTRICTED),
    "deactivated": now(Role.DEACTIVATED),
    "departed": departed,
    "unlinked": unlinked,
    "without-a-role": without_a_role,
}


class Attached:
    """Notes what actions attach themselves to, instead of attaching it."""

    def __init__(self) -> None:
        self.ways: list[tuple[str, str]] = []

    def action(self, named: re.Pattern[str]) -> Callable[..., None]:
        action = named.pattern.removeprefix("^").removesuffix("(:.*)?$")
        self.ways.append(("click", action.replace("\\", "")))
        return lambda *_one, **_more: None

    def view(self, callback: str) -> Callable[..., None]:
        self.ways.append(("form", str(callback)))
        return lambda *_one, **_more: None


def ways_in() -> list[tuple[str, str]]:
    attached = Attached()
    for action in ACTIONS:
        action.attach(attached, None)
    return attached.ways


WAYS = ways_in()


def click(user: str, action: str, value: str) -> dict[str, Any]:
    return {
        "type": "block_actions",
        "team": {"id": TEAM},
        "user": {"id": user, "team_id": TEAM},
        "api_app_id": "A0PRACTICE",
        "token": "x",
        "trigger_id": "1.2.3",
        "container": {"type": "message", "message_ts": "1.2", "channel_id": "D0"},
        "channel": {"id": "D0"},
        "message": {"ts": "1.2"},
        "actions": [{"type": "button", "action_id": action, "block_id": "b", "value": value}],
    }


def form(user: str, callback: str, value: str) -> dict[str, Any]:
    view = {"id": f"V{callback}", "type": "modal", "callback_id": callback, "private_metadata": value}
    return {
        "type": "view_submission",
        "team": {"id": TEAM},
        "user": {"id": user, "team_id": TEAM},
        "api_app_id": "A0PRACTICE",
        "token": "x",
        "trigger_id": "1.2.3",
        "view": {**view, "hash": "1", "blocks": [], "state": {"values": {}}},
    }


def command(user: str, typed: str) -> dict[str, Any]:
    body = {"command": "/ethics", "text": typed, "user_id": user, "team_id": TEAM, "channel_id": "D0"}
    return {**body, "api_app_id": "A0PRACTICE", "trigger_id": "1.2.3"}


def home_opened(user: str) -> dict[str, Any]:
    event = {"type": "app_home_opened", "user": user, "tab": "home", "channel": "D0"}
    return {"type": "event_callback", "event_id": f"Ev{user}", "team_id": TEAM, "event": event}


def refusals(office: Office) -> list[Any]:
    docket = office.board.docket
    with docket.database.read() as session:
        return [one.header for one in journal.entries(session, docket.keyring) if one.header["refused"]]


def facts_of(office: Office, number: str) -> int:
    return len(office.board.file(number).facts)


def owed_now(office: Office) -> list[Waiting]:
    with office.board.docket.database.read() as session:
        return outbox.waiting(session)


def send(office: Office, body: dict[str, Any]) -> str:
    answer = office.app.dispatch(BoltRequest(mode="socket_mode", body=body))
    assert answer.status in {200, 404}
    return str(answer.body)


def settled(office: Office) -> None:
    """Wait until what goes on after Slack was answered has ended."""
    office.app.listener_runner.listener_executor.shutdown(wait=True)


TYPED = ("docket", "case {number}", "roster", "mail", "meeting", "help", "report 2026", "nonsense")


def on_a_case(do: str) -> bool:
    return do not in DEEDS or TABLE[DEEDS[Do(do)]].scope is Scope.CASE


@pytest.mark.parametrize("who", OUTSIDERS)
def test_every_button_form_command_and_home_refuses_an_outsider_changes_nothing_and_enters_it(
    office: Office, who: str
) -> None:
    """Each way in is tried once; the entry says what was tried, and the answer is the same for every outsider."""
    number = told(office)
    office.practice.faults(lost_events=-1)
    user = OUTSIDERS[who](office)
    before, facts = len(refusals(office)), facts_of(office, number)
    owed = owed_now(office)
    for way, action in WAYS:
        said = send(office, (click if way == "click" else form)(user, action, f"{number}|1|0"))
        assert not any(name in said for name in NAMES), (way, action)
        answer = REFUSED if on_a_case(action) else NO_ROLE
        assert way == "click" or answer in said or words.RECORDING in said, (way, action)
    for typed in TYPED:
        said = send(office, command(user, typed.format(number=number)))
        assert NO_ROLE in said
        assert number not in said
    send(office, home_opened(user))
    if who != "deactivated":
        shown = office.practice.home(user)
        assert shown is None if who == "other-team" else (shown and words.NOT_YOURS in shown.text)
    settled(office)
    entries = refusals(office)[before:]
    assert facts_of(office, number) == facts
    assert owed_now(office) == owed
    looked = [Deed.SEE_DOCKET.value] * (len(TYPED) + 1)
    tried = sorted([DEEDS[Do(action)].value for _way, action in WAYS] + looked)
    assert sorted(str(one["act"]) for one in entries) == tried
    assert {one["case"] for one in entries if TABLE[Deed(str(one["act"]))].scope is Scope.CASE} == {number}
    print(f"{len(tried)} ways in, tried by somebody who is {who}")  # noqa: T201  the figure is asked for


def test_every_way_in_has_the_act_that_it_tries() -> None:
    assert {action for _way, action in WAYS} <= set(Do) == set(DEEDS)
    assert len(WAYS) > 150


@pytest.fixture(scope="module")
def at_work(tmp_path_factory: pytest.TempPathFactory, press: PressRoom) -> Iterator[Office]:
    """An office with a case and a stranger in its workspace; what is tried here changes nothing."""
    folder = tmp_path_factory.mktemp("outsiders")
    made = an_office(folder, a_board(folder, ManualClock(), press))
    told(made)
    a_stranger(made)
    yield made
    made.stop()


NUMBER, STRANGER = "EC-2026-0001", "U0NOSY"


def test_clicks_of_an_outsider_are_answered_in_his_messages_without_a_word_of_the_case(
    at_work: Office,
) -> None:
    for action in ("acknowledge", "open_file", "vote", "show_card", "recuse"):
        send(at_work, click(STRANGER, action, f"{NUMBER}|1|0"))
    said = [message_text(one) for one in at_work.practice.direct(STRANGER)][-5:]
    assert len(said) == 5
    assert all(REFUSED in one for one in said)


def test_a_replayed_submission_of_somebody_who_left_is_refused_each_time_and_counts_for_nothing(
    office: Office,
) -> None:
    number = told(office)
    departed(office)
    before = len(refusals(office))
    body = form(MORA, "vote", f"{number}|1|0")
    assert all(REFUSED in send(office, body) for _ in range(3))
    assert len(refusals(office)) == before + 3
    assert not office.board.file(number).ballots


def unforeseen(kind: str, user: str) -> dict[str, Any]:
    """What no form, card or menu of Docket's sends."""
    body: dict[str, Any] = {
        "type": kind, "team": {"id": TEAM}, "user": {"id": user, "team_id": TEAM}, "trigger_id": "1.2.3",
        "api_app_id": "A0PRACTICE", "token": "x", "callback_id": "docket", "action_id": "who", "block_id": "b",
        "value": "EC-2026", "channel": {"id": "D0"}, "message_ts": "1.2",
    }  # fmt: skip
    button = {"type": "button", "action_id": "open_sesame", "block_id": "b", "value": "EC-2026-0001|1|0"}
    if kind == "block_actions":
        body["actions"] = [button]
    if kind == "view_submission":
        body["view"] = {"id": "V9", "type": "modal", "callback_id": "open_sesame", "state": {"values": {}}}
    return body


KINDS = ("block_actions", "view_submission", "shortcut", "message_action", "block_suggestion")


@pytest.mark.parametrize("kind", KINDS)
def test_what_docket_does_not_offer_is_answered_plainly_and_entered_where_an_outsider_tries_it(
    at_work: Office, kind: str
) -> None:
    """Docket has no shortcut and no menu that asks for choices; old buttons of another version come here too."""
    before = len(refusals(at_work))
    said = send(at_work, unforeseen(kind, STRANGER))
    assert NUMBER not in said
    assert len(refusals(at_work)) == before + 1
    if kind == "block_suggestion":
        assert said == '{"options": []}'
    elif kind == "view_submission":
        assert NO_ROLE in said
    else:
        assert NO_ROLE in message_text(at_work.practice.direct(STRANGER)[-1])
    send(at_work, unforeseen(kind, MORA))
    assert len(refusals(at_work)) == before + 1


@pytest.mark.parametrize("word", sorted(ANSWERS))
def test_a_word_that_is_not_his_to_ask_is_refused_and_entered_for_somebody_of_the_roster_too(
    at_work: Office, word: str
) -> None:
    """The City Manager may refer, and asks for nothing else."""
    before = len(refusals(at_work))
    rest = {"case": NUMBER, "report": "2026"}.get(word, "")
    said = send(at_work, command(CYRUS, f"{word} {rest}"))
    shown_nothing = word in {"help", "docket"}
    assert len(refusals(at_work)) == before + (not shown_nothing), said
    assert not any(name in said for name in NAMES)
    assert word in {"help", "case"} or NUMBER not in said


@pytest.mark.parametrize("value", ["", "x", "EC-2026-0001|-1|0", "N" * 2000])
def test_a_forged_value_from_an_outsider_is_refused_and_entered(at_work: Office, value: str) -> None:
    for body in (
        form(STRANGER, Do.VOTE, value),
        click(STRANGER, Do.ACKNOWLEDGE, value),
        form(STRANGER, Do.ROSTER, value),
    ):
        before = len(refusals(at_work))
        assert "Connie" not in send(at_work, body)
        assert len(refusals(at_work)) == before + 1


def test_a_case_that_is_none_is_answered_as_one_that_he_may_not_see(at_work: Office) -> None:
    there, absent = (send(at_work, form(STRANGER, Do.VOTE, f"{one}|1|0")) for one in (NUMBER, "EC-2026-0999"))
    assert there == absent

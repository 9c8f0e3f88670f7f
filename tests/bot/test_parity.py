"""Slack and the command line can do the same: every deed of a person has a way in each, or a reason."""

from dataclasses import dataclass
from pathlib import Path

import click
import pytest

import store
from bot.actions.ids import DEEDS, Do
from bot.cli import COMMANDS, docket
from bot.commands import ANSWERS, HELP
from store.rules.access import TABLE, Deed

ON_A_SHELL = "It needs the machine's own files, keys or long work, which no chat message can carry."
NO_FILES = (
    "Docket's Slack app may not read files (scope files:read); what is to be filed comes by mail or here."
)
WITH_THE_EXPORT = (
    "It is decided paper by paper while an export is made, and the export is a file of the machine."
)
READ_AS_A_LIST = (
    "The whole list is read on paper before anybody approves it; a chat message would show a part."
)
AWAY_FROM_CHAT = "A breach may be one of the workspace itself; what is done about it is kept out of the chat."


@dataclass(frozen=True)
class Ways:
    """How a deed is done: buttons and words of /ethics in Slack, commands of `docket`; or why there is none."""

    cli: tuple[str, ...]
    words: tuple[str, ...] = ()
    no_slack: str = ""


WAYS = {
    Deed.ADOPT_SETTINGS: Ways(("init",), no_slack=ON_A_SHELL),
    Deed.SEE_DOCKET: Ways(("docket", "dates", "outbox"), ("docket",)),
    Deed.SEE_CASE: Ways(("case", "explain", "history", "timeline"), ("case",)),
    Deed.READ_DOCUMENT: Ways(("document", "photos", "pictures")),
    Deed.SEE_HOLDING_PEN: Ways(("held",), ("mail",)),
    Deed.SEE_JOURNAL: Ways(("history",), ("case",)),
    Deed.VERIFY: Ways(("verify",), no_slack=ON_A_SHELL),
    Deed.SEE_ROSTER: Ways(("roster",), ("roster",)),
    Deed.INTAKE_BY_HAND: Ways(("intake",), no_slack=NO_FILES),
    Deed.PLACE_HELD_MAIL: Ways(("held",), ("mail",)),
    Deed.SAY_WHO_IS_NAMED: Ways(("named",)),
    Deed.RECORD_RECEIPT: Ways(("manager-receipt", "cure")),
    Deed.DECIDE_FORM: Ways(("form",)),
    Deed.SEND_CURE_NOTICE: Ways(("cure-notice",)),
    Deed.NAME_PARTY: Ways(("party",)),
    Deed.ACKNOWLEDGE: Ways(("acknowledge", "take-back")),
    Deed.SERVE_NOTICE: Ways(("notice",)),
    Deed.RECORD_SERVICE: Ways(("served", "packet")),
    Deed.RECORD_RESPONSE: Ways(("response",)),
    Deed.SEND_DECISION: Ways(("terminate", "notify")),
    Deed.RECORD_DEMAND: Ways(("demand",)),
    Deed.CLOSE_CASE: Ways(("close",)),
    Deed.CORRECT: Ways(("correct", "party", "amend", "merge", "withdraw")),
    Deed.SET_CALENDAR: Ways(("calendar",), ("calendar",)),
    Deed.SET_ROSTER: Ways(("roster",), ("roster",)),
    Deed.BACK_UP: Ways(("backup", "restore"), no_slack=ON_A_SHELL),
    Deed.HOLD: Ways(("hold",)),
    Deed.REFER: Ways(("refer",)),
    Deed.RECUSE: Ways(("recuse",)),
    Deed.LIFT_CONFLICT: Ways(("lift",)),
    Deed.OPEN_MEETING: Ways(("meeting",), ("meeting",)),
    Deed.CLOSE_MEETING: Ways(("meeting",), ("meeting",)),
    Deed.RECORD_PRESENCE: Ways(("meeting",), ("meeting",)),
    Deed.OPEN_BALLOT: Ways(("ballot",)),
    Deed.CLOSE_BALLOT: Ways(("ballot",)),
    Deed.VOID_BALLOT: Ways(("ballot",)),
    Deed.OVERRIDE_CHANCE: Ways(("ballot",)),
    Deed.VOTE: Ways(("ballot",)),
    Deed.HOLD_INQUIRY: Ways(("inquiry",)),
    Deed.DETERMINE: Ways(("determine",)),
    Deed.DISPOSE: Ways(("dispose",)),
    Deed.TURN_OVER_EVIDENCE: Ways(("evidence",)),
    Deed.RECORD_DISCLOSURE: Ways(("disclosure",)),
    Deed.FLAG_COMPLAINT: Ways(("flag", "ballot")),
    Deed.OPEN_HEARING: Ways(("hearing",)),
    Deed.SEND_HEARING_RESULT: Ways(("hearing",)),
    Deed.ISSUE_REPRIMAND: Ways(("reprimand",)),
    Deed.RECORD_REPRIMAND_RECEIPT: Ways(("reprimand",)),
    Deed.REOPEN: Ways(("reopen",)),
    Deed.WRITE_MINUTES: Ways(("meeting",), ("meeting",)),
    Deed.SEAL_ANNEX: Ways(("meeting",), ("meeting",)),
    Deed.PLAN_MEETING: Ways(("meeting",), ("meeting",)),
    Deed.ANSWER_COMING: Ways(("meeting",), ("meeting",)),
    Deed.NAME_COUNSEL: Ways(("party",)),
    Deed.RECORD_EVIDENCE: Ways(("appearance", "statement", "exhibit")),
    Deed.RULE_ON_TIME: Ways(("response",)),
    Deed.REPORT: Ways(("report",), ("report",)),
    Deed.EXPORT: Ways(("export",), no_slack=ON_A_SHELL),
    Deed.MARK_PRIVILEGED: Ways(("privilege",), no_slack=WITH_THE_EXPORT),
    Deed.LIST_DISPOSAL: Ways(("disposal",), no_slack=READ_AS_A_LIST),
    Deed.APPROVE_DISPOSAL: Ways(("disposal",), no_slack=READ_AS_A_LIST),
    Deed.CARRY_OUT_DISPOSAL: Ways(("disposal",), no_slack=ON_A_SHELL),
    Deed.RECORD_BREACH: Ways(("breach",), no_slack=AWAY_FROM_CHAT),
    Deed.ROTATE_KEYS: Ways(("keys",), no_slack=ON_A_SHELL),
    Deed.SHOW_ANEW: Ways(("show-anew",), no_slack=ON_A_SHELL),
    Deed.REINDEX: Ways(("reindex",), no_slack=ON_A_SHELL),
}
# done inside another act: the chair's reason in the ballot's form; the annex with the minutes
INSIDE = {
    Deed.OVERRIDE_CHANCE: Do.OPEN_BALLOT,
    Deed.SEAL_ANNEX: Do.WRITE_MINUTES,
    Deed.SEE_JOURNAL: Do.HISTORY,
}
PACKAGE = Path(store.__file__).parent
DONE_SOMEWHERE = "\n".join(
    one.read_text() for one in PACKAGE.rglob("*.py") if one.name not in {"access.py", "stages.py"}
)
BY_PEOPLE = sorted(
    deed for deed, right in TABLE.items() if right.roles and f"Deed.{deed.name}" in DONE_SOMEWHERE
)


@pytest.mark.parametrize("deed", BY_PEOPLE)
def test_whatever_a_person_may_do_has_a_way_in_slack_and_on_the_command_line(deed: Deed) -> None:
    ways = WAYS[deed]
    assert ways.cli, "a way on the command line"
    if not ways.no_slack:
        assert deed in DEEDS.values() or deed in INSIDE or ways.words
    assert set(ways.cli) <= set(COMMANDS)
    assert set(ways.words) <= set(ANSWERS)


def test_every_button_and_form_is_journaled_as_a_deed() -> None:
    assert set(DEEDS) == set(Do)


def test_every_word_of_the_command_is_named_in_its_help() -> None:
    assert all(f"/ethics {word}" in HELP for word in ANSWERS if word != "help")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_of_the_list_can_be_opened(name: str) -> None:
    assert docket.get_command(click.Context(docket), name) is not None

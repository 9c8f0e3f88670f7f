"""The Slack app asks for just what Docket uses: manifest, calls in the code, and scopes are one."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from slack_sdk import WebClient

from bot.manifest import CALLS, COMMAND, EVENTS, SCOPES, manifest
from bot.practice.state import DEFAULT_EVENTS, DEFAULT_SCOPES
from bot.practice.webapi import METHODS

BOT = Path(__file__).parents[2] / "bot"
UPLOAD = {"files_upload_v2": ("files.getUploadURLExternal", "files.completeUploadExternal")}
NAMES = {name.replace(".", "_"): name for name in METHODS} | {"users_lookupByEmail": "users.lookupByEmail"}


def _hands_on(called: ast.Attribute) -> bool:
    """Say whether a client only hands on what was called elsewhere: `super().api_call(...)`."""
    of = called.value
    return isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "super"


def _calls(path: Path) -> Iterator[str]:
    """Every method of Slack's Web API that a file calls, by Slack's name."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name = node.func.attr
        if name == "api_call" and not _hands_on(node.func):
            first = node.args[0]
            assert isinstance(first, ast.Constant)
            yield str(first.value)
        elif name in UPLOAD:
            yield from UPLOAD[name]
        elif name in NAMES and hasattr(WebClient, name):
            yield NAMES[name]


def test_the_list_of_calls_is_what_the_code_calls() -> None:
    files = [one for one in BOT.rglob("*.py") if "practice" not in one.parts]
    assert {call for one in files for call in _calls(one)} == set(CALLS)


def test_the_scopes_are_those_of_the_calls_and_the_command() -> None:
    assert set(SCOPES) == {"commands", *(scope for needed in CALLS.values() for scope in needed)}
    assert set(SCOPES) == set(DEFAULT_SCOPES)
    assert not any("history" in scope for scope in SCOPES)


def test_the_manifest_asks_for_just_these_scopes_events_and_the_command() -> None:
    written = manifest()
    assert written["oauth_config"]["scopes"]["bot"] == list(SCOPES)
    assert set(written["settings"]["event_subscriptions"]["bot_events"]) == set(EVENTS) == set(DEFAULT_EVENTS)
    assert [one["command"] for one in written["features"]["slash_commands"]] == [COMMAND]


def test_every_event_that_is_asked_for_is_listened_to() -> None:
    code = "".join(one.read_text() for one in BOT.rglob("*.py") if "practice" not in one.parts)
    listened = [one for one in EVENTS if code.count(f'"{one}"') > 1]
    assert set(listened) == set(EVENTS)


@pytest.mark.parametrize("call", sorted(set(CALLS) & set(METHODS)))
def test_the_practice_workspace_knows_every_call(call: str) -> None:
    assert call in METHODS

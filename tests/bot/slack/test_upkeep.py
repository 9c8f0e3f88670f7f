"""The sweep of Slack: who is in a case's channel and which documents lie there follow the record."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from slack_bolt import BoltRequest

from bot.actions.ids import Do
from bot.channels import KIND
from bot.files import KEPT_AFTER_CLOSING, Files
from bot.practice.client import PracticeRefusal
from bot.practice.state import Role
from bot.upkeep import Upkeep
from store import journal
from store.cases import shown
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.closing import close_case
from store.proceedings.held_mail import HeldDecision, place_held
from store.proceedings.parties import no_respondent
from store.proceedings.recusal import recuse
from store.proceedings.referral import refer
from store.proceedings.roster import leave_role
from store.proceedings.showing import FILE
from store.rules import facts
from tests.bot.slack.office import CLARA, HANNA, MORA, Office, an_office, channel_of, told
from tests.bot.slack.test_clicks import channel_card
from tests.bot.slack.test_held_mail import READ, hold_one
from tests.proceedings.builders import Board

pytestmark = pytest.mark.contract


class Seconds:
    """A counter that stands still until the test moves it."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def deaf(office: Office) -> Office:
    """An office whom Slack tells of no event."""
    office.practice.faults(lost_events=-1)
    return office


def sweep(office: Office) -> None:
    Upkeep(office.notifier, lambda: True, Seconds()).run()


def _content(entry: journal.Entry) -> dict[str, Any]:
    return dict(entry.content or {})


def notes(office: Office, act: str) -> list[dict[str, Any]]:
    """What the journal's entries of an act say."""
    docket = office.board.docket
    with docket.database.read() as session:
        found = [one for one in journal.entries(session, docket.keyring) if one.header["act"] == act]
    return [{**_content(one)["note"], "case": one.header["case"]} for one in found]


def members(office: Office, number: str) -> set[str]:
    found = [one for one in office.practice.all_channels() if one.name == number.lower()]
    return set(found[-1].members)


def given(office: Office, user: str, number: str) -> str:
    """Have the first document of a case sent, and give Slack's id of the file."""
    office.press(user, channel_card(office, user, number), Do.OPEN_FILE)
    after = office.practice.last_seq()
    office.press(user, office.modal(user), Do.SHOW_DOCUMENT)
    office.practice.wait("file_shared", after)
    office.practice.close(user, clear=True)
    return next(one for one in reversed(office.practice.direct(user)) if one.files).files[0]


def is_there(office: Office, user: str, file_id: str) -> bool:
    try:
        office.practice.read_file(user, file_id)
    except PracticeRefusal:
        return False
    return True


def close_unheard(board: Board, number: str) -> None:
    no_respondent(board.docket, board.clerk, number, reason="a private quarrel")
    refer(board.docket, board.actor("Cyrus Manager"), number)
    for letter in acknowledge(board.docket, board.clerk, number):
        board.settle(number, letter, "sent")
    close_case(board.docket, board.clerk, number, "nobody to be named")


def test_who_was_added_by_hand_is_removed_and_journaled_though_slack_told_nobody(deaf: Office) -> None:
    number = told(deaf)
    deaf.practice.add_person("Nosy", person_id="U0NOSY")
    channel = channel_of(deaf, HANNA)
    assert channel is not None
    deaf.practice.join("U0NOSY", channel.id, added=True)
    before = members(deaf, number)
    sweep(deaf)
    assert members(deaf, number) == before - {"U0NOSY"}
    assert notes(deaf, "keep-channel") == [
        {"taken_out": "U0NOSY", "channel": channel.id, "person": None, "case": number}
    ]


def test_who_is_taken_out_when_slack_tells_is_journaled_too(deaf: Office) -> None:
    number = told(deaf)
    deaf.practice.add_person("Nosy", person_id="U0NOSY")
    channel = channel_of(deaf, HANNA)
    assert channel is not None
    deaf.practice.join("U0NOSY", channel.id, added=True)
    event = {"type": "member_joined_channel", "user": "U0NOSY", "channel": channel.id, "team": "T0PRACTICE"}
    body = {"type": "event_callback", "event_id": "Ev1", "team_id": "T0PRACTICE", "event": event}
    assert deaf.app.dispatch(BoltRequest(mode="socket_mode", body=body)).status == 200
    assert "U0NOSY" not in members(deaf, number)
    assert [one["case"] for one in notes(deaf, "keep-channel")] == [number]


def test_who_lost_his_role_or_was_never_entitled_is_out_after_one_sweep_without_any_ping(
    deaf: Office,
) -> None:
    number = told(deaf)
    board = deaf.board
    channel = channel_of(deaf, HANNA)
    assert channel is not None
    deaf.practice.join("U0CYRUS", channel.id, added=True)
    leave_role(board.docket, board.chair, board.person("Mora Member"), facts.Role.MEMBER)
    sweep(deaf)
    assert not members(deaf, number) & {MORA, "U0CYRUS"}
    assert {one["person"] for one in notes(deaf, "keep-channel")} == {
        board.person("Mora Member"),
        board.person("Cyrus Manager"),
    }


def test_who_left_a_channel_and_is_entitled_is_back_after_one_sweep(office: Office) -> None:
    number = told(office)
    channel = channel_of(office, MORA)
    assert channel is not None
    office.practice.leave(MORA, channel.id)
    sweep(office)
    assert MORA in members(office, number)
    assert not notes(office, "keep-channel")


@pytest.mark.parametrize("role", [Role.GUEST, Role.RESTRICTED, Role.DEACTIVATED])
def test_an_account_that_is_no_member_any_more_is_out_after_one_sweep(deaf: Office, role: Role) -> None:
    number = told(deaf)
    deaf.practice.change_person(MORA, role=role)
    deaf.notifier.members.forget(MORA)
    sweep(deaf)
    assert MORA not in members(deaf, number)


def test_a_copy_that_does_not_lead_sweeps_nothing(office: Office) -> None:
    number = told(office)
    board = office.board
    leave_role(board.docket, board.chair, board.person("Mora Member"), facts.Role.MEMBER)
    Upkeep(office.notifier, lambda: False, Seconds()).run()
    assert MORA in members(office, number)


def test_a_slack_that_asks_to_wait_is_not_asked_before(office: Office) -> None:
    number = told(office)
    board, seconds = office.board, Seconds()
    leave_role(board.docket, board.chair, board.person("Mora Member"), facts.Role.MEMBER)
    office.practice.faults(throttled_calls=1, retry_after_s=7, only_methods=["conversations.members"])
    upkeep = Upkeep(office.notifier, lambda: True, seconds)
    upkeep.run()
    assert MORA in members(office, number)
    seconds.now += 6
    upkeep.run()
    assert MORA in members(office, number)
    seconds.now += 2
    upkeep.run()
    assert MORA not in members(office, number)


def test_many_channels_are_looked_at_in_stretches_and_none_is_left_out(office: Office) -> None:
    numbers = [told(office) for _ in range(3)]
    board = office.board
    leave_role(board.docket, board.chair, board.person("Mora Member"), facts.Role.MEMBER)
    upkeep = Upkeep(office.notifier, lambda: True, Seconds(), at_a_time=1)
    for seen in range(3):
        assert sum(MORA in members(office, one) for one in numbers) == 3 - seen
        upkeep.run()
    assert not any(MORA in members(office, one) for one in numbers)


def test_the_archived_channel_of_a_closed_case_is_not_made_anew(office: Office) -> None:
    number = told(office)
    board = office.board
    channel = channel_of(office, HANNA)
    assert channel is not None
    close_unheard(board, number)
    office.practice.archive(HANNA, channel.id)
    leave_role(board.docket, board.chair, board.person("Mora Member"), facts.Role.MEMBER)
    sweep(office)
    with board.docket.database.read() as session:
        assert not shown(session, KIND)
    assert [one.name for one in office.practice.all_channels()].count(f"{number.lower()}-2") == 0


def test_a_document_given_to_somebody_who_steps_back_is_taken_away_and_journaled(office: Office) -> None:
    number = told(office)
    board = office.board
    of_mora, of_hanna = given(office, MORA, number), given(office, HANNA, number)
    sweep(office)
    assert is_there(office, MORA, of_mora)
    recuse(board.docket, board.actor("Mora Member"), number)
    sweep(office)
    assert not is_there(office, MORA, of_mora)
    assert is_there(office, HANNA, of_hanna)
    entry = notes(office, "take-file-away")
    assert [(one["person"], one["why"], one["outcome"], one["case"]) for one in entry] == [
        (board.person("Mora Member"), "may not know of the case", "deleted", number)
    ]
    sweep(office)
    assert len(notes(office, "take-file-away")) == 1


def test_at_the_closing_documents_are_taken_away_and_one_asked_for_later_stays_a_day(office: Office) -> None:
    number = told(office)
    board = office.board
    before = given(office, HANNA, number)
    board.clock.advance(timedelta(minutes=1))
    close_unheard(board, number)
    after = given(office, HANNA, number)
    sweep(office)
    assert not is_there(office, HANNA, before)
    assert is_there(office, HANNA, after)
    board.clock.advance(KEPT_AFTER_CLOSING)
    sweep(office)
    assert not is_there(office, HANNA, after)
    assert {one["why"] for one in notes(office, "take-file-away")} == {"the case was closed"}


def test_a_file_that_slack_has_no_more_is_noted_as_gone_and_asked_for_once(office: Office) -> None:
    number = told(office)
    board = office.board
    file_id = given(office, MORA, number)
    office.notifier.client.files_delete(file=file_id)
    recuse(board.docket, board.actor("Mora Member"), number)
    sweep(office)
    assert [one["outcome"] for one in notes(office, "take-file-away")] == ["gone already"]
    with board.docket.database.read() as session:
        assert not shown(session, FILE)


def test_a_file_waits_for_the_next_sweep_where_slack_fails(office: Office) -> None:
    number = told(office)
    board = office.board
    file_id = given(office, MORA, number)
    recuse(board.docket, board.actor("Mora Member"), number)
    office.practice.faults(failing_calls=-1, only_methods=["files.delete"])
    sweep(office)
    assert is_there(office, MORA, file_id)
    assert not notes(office, "take-file-away")
    office.practice.faults(failing_calls=0)
    sweep(office)
    assert not is_there(office, MORA, file_id)


def test_a_held_message_sent_to_the_clerk_is_taken_away_once_it_is_placed(office: Office) -> None:
    item = hold_one(office)
    office.press(CLARA, office.last(CLARA), Do.HELD_MAIL)
    after = office.practice.last_seq()
    office.press(CLARA, office.modal(CLARA), Do.SEND_HELD)
    office.practice.wait("file_shared", after)
    file_id = next(one for one in reversed(office.practice.direct(CLARA)) if one.files).files[0]
    assert Files(office.board.docket, office.notifier.client).sweep() == 1
    assert is_there(office, CLARA, file_id)
    place_held(
        office.board.docket,
        office.board.clerk,
        item,
        HeldDecision.SET_ASIDE,
        filing=replace(READ, reason="an advertisement"),
    )
    sweep(office)
    assert not is_there(office, CLARA, file_id)


def test_the_sweep_keeps_slacks_rates(tmp_path: Path, board: Board) -> None:
    office = an_office(tmp_path, board, rates=True)
    try:
        number = told(office)
        for _ in range(3):
            sweep(office)
        assert MORA in members(office, number)
    finally:
        office.stop()

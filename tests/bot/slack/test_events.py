"""Events: handled once however often delivered, and never more than a hint."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.actions.ids import Do
from bot.practice.client import action_ids
from bot.practice.state import Role, TokenState
from store import journal
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.recusal import recuse
from tests.bot.slack.office import CLARA, CYRUS, HANNA, MORA, QUICK, Office, an_office, channel_of, told
from tests.proceedings.builders import Board

pytestmark = pytest.mark.contract


def home(office: Office, user: str) -> str:
    after = office.practice.last_seq()
    office.practice.open_home(user)
    office.practice.wait("home_published", after, person=user)
    shown = office.practice.home(user)
    assert shown is not None
    return shown.text


def test_a_members_home_shows_what_waits_for_him(office: Office) -> None:
    number, track = office.board.served_case()
    office.board.ballot(number, track, office.board.meeting())
    shown = home(office, MORA)
    assert "your vote is awaited" in shown
    assert number in shown
    assert "Connie" not in shown


def test_the_clerks_home_is_the_queue(office: Office) -> None:
    number = told(office, proper=False)
    letter = acknowledge(office.board.docket, office.board.clerk, number)[0]
    office.board.settle(number, letter, "bounced")
    shown = home(office, CLARA)
    assert "bounced" in shown
    assert "Next dates" in shown


def test_the_city_managers_home_shows_what_to_refer_and_nothing_else(office: Office) -> None:
    number = told(office)
    shown = home(office, CYRUS)
    assert f"{number}* waits to be referred" in shown
    view = office.practice.home(CYRUS)
    assert view is not None
    assert {one.partition(":")[0] for one in action_ids(view)} == {Do.REFER}
    office.press(CYRUS, view, Do.REFER)
    assert "is referred to the Board" in office.said(CYRUS)


def test_a_member_who_stepped_back_sees_the_case_on_his_home_no_more(office: Office) -> None:

    number = told(office)
    recuse(office.board.docket, office.board.actor("Mora Member"), number)
    assert number not in home(office, MORA)


def test_somebody_who_is_not_on_the_roster_has_an_empty_home(office: Office) -> None:
    number = told(office)
    office.practice.add_person("Nosy", person_id="U0NOSY")
    shown = home(office, "U0NOSY")
    assert number not in shown
    assert "only the people on the Board's roster" in shown


def test_an_event_delivered_twice_is_handled_once(office: Office) -> None:
    told(office)
    after = office.practice.last_seq()
    office.practice.faults(repeated_events=1)
    office.practice.open_home(MORA)
    office.practice.wait("home_published", after, person=MORA)
    acknowledged = [office.practice.wait("event_acknowledged", after, type="app_home_opened")]
    office.practice.wait("event_acknowledged", acknowledged[0].seq, type="app_home_opened")
    published = [one for one in office.practice.events(after) if one.kind == "home_published"]
    assert len(published) == 1


def test_an_event_whose_handling_failed_is_handled_when_it_comes_again(tmp_path: Path, board: Board) -> None:
    office = an_office(tmp_path, board, timing=replace(QUICK, ack_within_s=2.0))
    after = office.practice.last_seq()
    office.practice.faults(failing_calls=1, only_methods=["views.publish"])
    office.practice.open_home(MORA)
    office.practice.wait("event_unacknowledged", after, type="app_home_opened")
    office.practice.wait("home_published", after, person=MORA)
    office.stop()


def test_somebody_put_into_a_case_channel_by_hand_is_taken_out(office: Office) -> None:
    told(office)
    office.practice.add_person("Nosy", person_id="U0NOSY")
    channel = channel_of(office, HANNA)
    assert channel is not None
    after = office.practice.last_seq()
    office.practice.join("U0NOSY", channel.id, added=True)
    office.practice.wait("member_removed", after, person="U0NOSY")
    assert channel_of(office, HANNA) is not None


def test_other_channels_are_left_alone(office: Office) -> None:
    told(office)
    office.practice.add_person("Nosy", person_id="U0NOSY")
    after = office.practice.last_seq()
    office.practice.join("U0NOSY", office.staff, added=True)
    office.practice.wait("event_acknowledged", after, type="member_joined_channel")
    assert "U0NOSY" in next(one for one in office.practice.all_channels() if one.id == office.staff).members


@pytest.mark.parametrize("role", [Role.GUEST, Role.DEACTIVATED])
def test_an_account_that_is_no_member_any_more_leaves_the_case_channels(office: Office, role: Role) -> None:
    told(office)
    after = office.practice.last_seq()
    office.practice.change_person(MORA, role=role)
    office.practice.wait("member_removed", after, person=MORA)


def test_revoked_tokens_are_told_once_the_event_comes(office: Office) -> None:
    after = office.practice.last_seq()
    office.practice.set_token(TokenState.REVOKED)
    office.practice.wait("event_acknowledged", after, type="tokens_revoked")
    assert "token_revoked" in office.dead


def test_opening_the_home_is_no_act_on_a_case(office: Office) -> None:
    number = told(office)
    docket = office.board.docket
    home(office, HANNA)
    with docket.database.read() as session:
        acts = [
            one.header["act"]
            for one in journal.entries(session, docket.keyring)
            if one.header["case"] == number
        ]
    assert "open-ballot" not in acts

"""Clicks (`block_actions`): the right is looked up when the button is pressed, and every click is answered."""

from dataclasses import replace
from pathlib import Path

import pytest
from slack_bolt import BoltRequest

from bot import words
from bot.actions.ids import Do
from bot.practice.client import message_text
from bot.practice.state import TEAM_ID, Message, Role
from store import journal, outbox
from store.ports import PingKind
from store.proceedings.ballot import close_ballot
from store.proceedings.form_check import FormView, decide_form
from store.proceedings.meeting import close_meeting
from store.proceedings.receipt import Paper, attach_paper
from store.proceedings.roster import leave_role, take_role, unlink
from store.proceedings.screening import say_who_is_named
from store.rules import facts
from store.rules.facts import LinkKind
from tests.bot.slack.office import CLARA, CYRUS, HANNA, MILO, MORA, QUICK, Office, an_office, channel_of, told
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, filed, naming, taken

pytestmark = pytest.mark.contract


def channel_card(office: Office, user: str, number: str) -> Message:
    channel = channel_of(office, user)
    assert channel is not None
    return next(one for one in office.practice.messages(user, channel.id) if number in message_text(one))


def refusals(office: Office) -> int:
    docket = office.board.docket
    with docket.database.read() as session:
        return sum(bool(entry.header["refused"]) for entry in journal.entries(session, docket.keyring))


def test_a_card_in_the_channel_offers_only_what_everybody_in_it_may_do(office: Office) -> None:
    number = told(office, proper=False)
    offered = office.offers(channel_card(office, MORA, number))
    assert {Do.OPEN_FILE, Do.WHY_DATES, Do.SHOW_CARD} <= offered
    assert not {Do.FORM_CHECK, Do.OPEN_MEETING, Do.ACKNOWLEDGE, Do.CLOSE_CASE} & offered
    assert Do.FORM_CHECK in office.offers(office.card(CLARA, number))


def test_a_button_that_is_its_readers_no_more_is_refused_and_the_refusal_is_an_entry(office: Office) -> None:
    number = told(office)
    office.board.respondent(number)
    office.deliver()
    office.press(HANNA, channel_card(office, HANNA, number), Do.SHOW_CARD)
    card, board = office.modal(HANNA), office.board
    assert Do.OPEN_MEETING in office.offers(card)
    take_role(board.docket, board.clerk, board.person("Mora Member"), facts.Role.CHAIR)
    leave_role(board.docket, board.clerk, board.person("Hanna Chair"), facts.Role.CHAIR)
    take_role(board.docket, board.clerk, board.person("Hanna Chair"), facts.Role.MEMBER)
    before = refusals(office)
    office.press(HANNA, card, Do.OPEN_MEETING)
    assert "not yours to do" in office.said(HANNA)
    assert refusals(office) == before + 1


def test_a_meeting_delays_no_members_messages_by_cards_that_it_does_not_change(office: Office) -> None:
    number = told(office)
    office.board.respondent(number)
    office.deliver()
    office.board.meeting()
    with office.board.docket.database.read() as session:
        owed = outbox.waiting(session, outbox.Channel.SLACK)
        kept = [outbox.read(session, office.board.docket.keyring, one.id) for one in owed]
    people = {one.ping.person for one in kept if one and one.ping and one.kind == PingKind.CASE_CARD}
    assert people == {office.board.person("Clara Clerk")}


def test_what_only_some_may_do_is_behind_one_button_of_the_channel_card(office: Office) -> None:
    number = told(office)
    office.board.respondent(number)
    office.deliver()
    card = channel_card(office, HANNA, number)
    office.press(HANNA, card, Do.SHOW_CARD)
    assert Do.OPEN_MEETING in office.offers(office.modal(HANNA))
    office.press(MORA, card, Do.SHOW_CARD)
    assert Do.OPEN_MEETING not in office.offers(office.modal(MORA))


def test_opening_and_adjourning_a_meeting_renews_the_cards_that_it_changes(office: Office) -> None:
    number = told(office)
    office.board.respondent(number)
    office.deliver()
    assert Do.OPEN_BALLOT not in office.offers(office.card(CLARA, number))
    assert Do.OPEN_MEETING in office.offers(office.card(CLARA, number))
    meeting = office.board.meeting()
    office.deliver()
    assert Do.OPEN_BALLOT in office.offers(office.card(CLARA, number))
    assert Do.OPEN_MEETING not in office.offers(office.card(CLARA, number))
    close_meeting(office.board.docket, office.board.chair, meeting)
    office.deliver()
    assert Do.OPEN_BALLOT not in office.offers(office.card(CLARA, number))


def test_a_card_says_when_a_letter_leaves_and_takes_it_back(office: Office) -> None:
    number = told(office)
    before = message_text(office.card(CLARA, number))
    assert "*Acknowledge*: one click writes the letters. Each waits 5 minutes before it leaves" in before
    office.press(CLARA, office.card(CLARA, number), Do.ACKNOWLEDGE)
    office.deliver()
    assert "one click writes" not in message_text(office.card(CLARA, number))
    card = office.card(CLARA, number)
    zone = office.board.look(number).profile.city.time_zone
    leaves = (office.board.clock.now() + office.board.docket.undo_for).astimezone(zone)
    assert f"leaves at *{leaves:%H:%M}*" in message_text(card)
    office.press(CLARA, card, Do.TAKE_BACK_NOW)
    office.deliver()
    assert "leaves at" not in message_text(office.card(CLARA, number))


def _waits_for(office: Office, user: str) -> str:
    """Give what somebody's Home, drawn now, says of decisions that wait for him."""
    after = office.practice.last_seq()
    office.practice.open_home(user)
    office.practice.wait("home_published", after, person=user)
    home = office.practice.home(user)
    assert home is not None
    waiting = home.text.partition("Waits for your decision")[2]
    return waiting.partition("Next dates")[0].partition("Open cases")[0]


def test_the_clerks_home_lists_a_later_paper_to_look_through_and_a_form_to_decide_anew(
    office: Office,
) -> None:
    board = office.board
    number = filed(board)
    unsigned = FormView(proper=False, signed=False, finding="none-found", lacking=("signature",))
    decide_form(board.docket, board.clerk, number, unsigned)
    assert number not in _waits_for(office, CLARA)
    photo = Paper(b"the signed page", "page.jpg", "image/jpeg", searched=False)
    cure = a_filing(papers=(photo,), what="cure", readable=False)
    attach_paper(board.docket, taken(board.docket, b"the cure", 2), board.key(number), cure)
    waiting = _waits_for(office, CLARA)
    assert f"{number}* 1 later paper could not be searched: say who is named" in waiting
    assert f"{number}* a paper came since the form was decided: check it anew" in waiting
    assert number not in _waits_for(office, HANNA)
    say_who_is_named(board.docket, board.clerk, number, [])
    assert "later paper" not in _waits_for(office, CLARA)
    decide_form(board.docket, board.clerk, number, unsigned)
    assert number not in _waits_for(office, CLARA)


def test_where_every_clerk_is_named_the_paper_waits_in_the_home_of_whoever_is_cleared(office: Office) -> None:
    number = filed(office.board, replace(naming("Clara Clerk"), readable=False))
    assert f"{number}* received" in _waits_for(office, HANNA)
    assert number not in _waits_for(office, CLARA)


def test_the_clerks_home_lists_what_stands_still_until_a_person_decides(office: Office) -> None:
    unread, undecided, decided = (
        told(office, screened=False, proper=False),
        told(office, proper=False),
        told(office),
    )
    waiting = _waits_for(office, CLARA)
    assert f"{unread}* received" in waiting
    assert f"{undecided}* received" in waiting
    assert f"{decided}* received" not in waiting
    home = office.practice.home(CLARA)
    assert home is not None
    assert {Do.WHO_IS_NAMED, Do.FORM_CHECK} <= office.offers(home)


def test_an_old_button_of_a_recused_member_is_refused_as_if_there_were_no_case(office: Office) -> None:
    number = told(office)
    card = channel_card(office, MORA, number)
    office.press(MORA, card, Do.RECUSE)
    assert "you have stepped back" in office.said(MORA)
    office.press(MORA, card, Do.OPEN_FILE)
    assert "no case of that number that you may open" in office.said(MORA)
    assert "Connie" not in office.said(MORA)


def test_a_member_who_is_named_in_the_complaint_gets_nothing_and_his_buttons_refuse(office: Office) -> None:
    number = told(office)
    card = channel_card(office, MILO, number)
    office.board.respondent(number, "Milo Member", "milo@office.example")
    office.deliver()
    assert channel_of(office, MILO) is None
    # the button that he still has on the screen
    office.practice.join(MILO, card.channel, added=True)
    office.press(MILO, card, Do.WHY_DATES)
    assert "no case of that number" in office.said(MILO)


def test_somebody_who_left_the_board_is_refused_at_once(office: Office) -> None:
    number = told(office)
    card = channel_card(office, MORA, number)
    board = office.board
    leave_role(board.docket, board.chair, board.person("Mora Member"), facts.Role.MEMBER)
    office.press(MORA, card, Do.OPEN_FILE)
    assert "no case of that number" in office.said(MORA)
    office.deliver()
    assert channel_of(office, MORA) is None


def test_an_account_whose_link_ended_is_nobody(office: Office) -> None:
    number = told(office)
    card = channel_card(office, MORA, number)
    board = office.board
    unlink(board.docket, board.clerk, board.person("Mora Member"), LinkKind.SLACK, f"T0PRACTICE:{MORA}")
    office.press(MORA, card, Do.OPEN_FILE)
    assert "no case of that number" in office.said(MORA)


@pytest.mark.parametrize("role", [Role.GUEST, Role.RESTRICTED])
def test_a_member_made_a_guest_of_the_workspace_loses_channel_and_buttons(office: Office, role: Role) -> None:
    number = told(office)
    card = channel_card(office, MORA, number)
    after = office.practice.last_seq()
    office.practice.change_person(MORA, role=role)
    office.practice.wait("member_removed", after, person=MORA)
    office.practice.join(MORA, card.channel, added=True)
    office.press(MORA, card, Do.OPEN_FILE)
    assert "no case of that number" in office.said(MORA)


def test_a_stranger_from_another_workspace_is_told_nothing_of_a_case(office: Office) -> None:
    number = told(office)
    office.practice.add_person("Stranger", person_id="U0STRANGE", team="T0OTHER")
    card = channel_card(office, MORA, number)
    office.practice.join("U0STRANGE", card.channel, added=True)
    office.press("U0STRANGE", card, Do.OPEN_FILE)
    assert "no case of that number" in office.said("U0STRANGE")


def test_a_linked_account_that_belongs_to_another_workspace_has_no_rights(office: Office) -> None:
    number = told(office)
    card = channel_card(office, MORA, number)
    office.practice.change_person(MORA, team="T0OTHER")
    office.notifier.members.forget(MORA)
    office.press(MORA, card, Do.OPEN_FILE)
    assert "no case of that number" in office.said(MORA)


def test_the_second_who_acts_is_told_that_it_was_done_and_when(office: Office) -> None:
    number = told(office)
    referral = office.last(CYRUS)
    office.press(CYRUS, referral, Do.REFER)
    office.press(CYRUS, referral, Do.REFER)
    assert "was referred on 2026-02-02" in office.said(CYRUS)
    assert number in message_text(referral)


def test_a_click_on_a_closed_ballot_is_refused_and_says_so(office: Office) -> None:
    number, track = office.board.served_case()
    ballot = office.board.ballot(number, track, office.board.meeting())
    office.deliver()
    paper = office.last(MORA)
    assert Do.VOTE in office.offers(paper)
    close_ballot(office.board.docket, office.board.chair, number, ballot)
    office.press(MORA, paper, Do.VOTE)
    assert "not open" in office.said(MORA)


def click(office: Office, user: str, action: str, value: str) -> int:
    """Send a click on a button that the practice Slack does not show, as Slack would."""
    card = office.last(user)
    body = {
        "type": "block_actions",
        "team": {"id": "T0PRACTICE"},
        "user": {"id": user, "team_id": "T0PRACTICE"},
        "api_app_id": "A0PRACTICE",
        "token": "x",
        "trigger_id": "1.2.3",
        "container": {"type": "message", "message_ts": card.ts, "channel_id": card.channel},
        "channel": {"id": card.channel},
        "message": {"ts": card.ts},
        "actions": [{"type": "button", "action_id": action, "block_id": "b", "value": value}],
    }
    return office.app.dispatch(BoltRequest(mode="socket_mode", body=body)).status


def test_a_button_that_nothing_takes_is_answered_not_dropped(office: Office) -> None:
    told(office)
    assert click(office, CLARA, "of_an_older_version", "x") == 200
    assert words.UNKNOWN_CLICK in office.said(CLARA)


def test_a_button_with_a_value_of_another_version_changes_nothing_and_says_so(office: Office) -> None:
    told(office)
    assert click(office, CLARA, Do.ACKNOWLEDGE, "{'case': 3}") == 200
    assert "another version of Docket" in office.said(CLARA)


def test_a_click_whose_trigger_has_expired_says_click_again(tmp_path: Path, board: Board) -> None:
    office = an_office(tmp_path, board, timing=replace(QUICK, trigger_life_s=0.0))
    try:
        number = told(office)
        office.press(CLARA, office.card(CLARA, number), Do.OPEN_FILE)
        assert words.CLICK_AGAIN in office.said(CLARA)
    finally:
        office.stop()


def test_an_unforeseen_error_gives_a_number_to_the_person_and_to_staff_and_no_content(office: Office) -> None:
    number = told(office)
    office.practice.faults(failing_calls=1, only_methods=["views.open"], failing_status=500)
    office.press(CLARA, office.card(CLARA, number), Do.OPEN_FILE)
    assert "number R-" in office.said(CLARA)
    office.deliver()
    alarm = office.practice.messages(CLARA, office.staff)[-1]
    assert "number R-" in message_text(alarm)
    assert number not in message_text(alarm)


def test_a_document_is_sent_to_the_one_who_asks_under_a_name_that_says_nothing_and_recorded(
    office: Office,
) -> None:
    number = told(office)
    office.press(HANNA, channel_card(office, HANNA, number), Do.OPEN_FILE)
    assert "Connie Complainant" in office.said(HANNA)
    after = office.practice.last_seq()
    office.press(HANNA, office.modal(HANNA), Do.SHOW_DOCUMENT)
    office.practice.wait("file_shared", after)
    shared = next(one for one in reversed(office.practice.direct(HANNA)) if one.files)
    assert office.practice.read_file(HANNA, shared.files[0]) == b"%PDF complaint"
    shown = [one.fact for one in office.board.file(number).all(facts.DocumentShown)]
    assert [(one.person, one.where) for one in shown] == [(office.board.person("Hanna Chair"), "slack")]


def test_a_record_that_does_not_answer_is_said_in_its_own_words_under_no_number(office: Office) -> None:
    number = told(office)
    card = office.card(CLARA, number)
    office.connection.stop()  # no event may still be at work on the file
    engine = office.board.docket.database.engine
    engine.dispose()
    assert engine.url.database is not None
    Path(engine.url.database).write_bytes(b"no database " * 1000)
    asked = {
        "command": "/ethics",
        "text": f"case {number}",
        "user_id": CLARA,
        "team_id": "T0PRACTICE",
        "channel_id": card.channel,
        "api_app_id": "A0PRACTICE",
        "trigger_id": "1.2.3",
    }
    answer = office.app.dispatch(BoltRequest(mode="socket_mode", body=asked))
    assert "The database file is damaged" in answer.body
    assert "number R-" not in answer.body
    before = len(office.practice.direct(CLARA))
    assert click(office, CLARA, Do.ACKNOWLEDGE, f"{number}|0|0") == 200
    said = [message_text(one) for one in office.practice.direct(CLARA)[before:]]
    assert any("The database file is damaged" in one for one in said)
    assert not any("number R-" in one for one in said)


def test_a_timeline_is_shown_in_the_cases_channel_and_names_nobody(office: Office) -> None:
    number = told(office)
    after = office.practice.last_seq()
    office.press(HANNA, channel_card(office, HANNA, number), Do.TIMELINE)
    office.practice.wait("file_shared", after)
    card = channel_card(office, HANNA, number)
    shared = next(one for one in reversed(office.practice.messages(HANNA, card.channel)) if one.files)
    assert office.practice.read_file(HANNA, shared.files[0]).startswith(b"\x89PNG")
    assert "Connie" not in str(shared)


def voted(office: Office, number: str, ballot: int, choice: str, mark: str) -> str:
    value = {"choice": {"choice": {"selected_option": {"value": choice}}}}
    view = {"id": mark, "hash": "1", "type": "modal", "callback_id": Do.VOTE}
    body = {
        "type": "view_submission",
        "team": {"id": TEAM_ID},
        "user": {"id": MORA, "team_id": TEAM_ID},
        "view": {**view, "private_metadata": f"{number}|{ballot}|0", "state": {"values": value}},
    }
    return str(office.app.dispatch(BoltRequest(mode="socket_mode", body=body)).body)


def an_open_ballot(board: Board) -> tuple[str, int]:
    number, track = board.served_case()
    return number, board.ballot(number, track, board.meeting())


def test_whoever_comes_too_late_to_vote_is_not_told_who_voted(office: Office) -> None:
    board = office.board
    number, ballot = an_open_ballot(board)
    board.vote(number, ballot, board.actor("Milo Member"), facts.Choice.YES)
    close_ballot(board.docket, board.chair, number, ballot)
    said = voted(office, number, ballot, "yes", "V1")
    assert "not open" in said
    assert "Milo" not in said


def test_a_vote_that_is_sent_again_after_it_was_changed_changes_nothing_and_is_told_what_stands(
    office: Office,
) -> None:
    """Whoever listens on the way could send it again within five minutes; nor is the answer to it a false one."""
    number, ballot = an_open_ballot(office.board)
    assert "recorded: Yes" in voted(office, number, ballot, "yes", "V1")
    assert "recorded: No" in voted(office, number, ballot, "no", "V2")
    for choice in ("yes", "abstain"):
        assert "stands: No" in voted(office, number, ballot, choice, "V1")
    cast = list(office.board.file(number).all(facts.VoteCast))
    assert [one.fact.choice for one in cast] == [facts.Choice.YES, facts.Choice.NO]


def test_only_who_leads_a_meeting_is_offered_what_can_be_done_in_it(office: Office) -> None:
    office.board.meeting()
    for user, offered in ((HANNA, True), (CLARA, True), (MORA, False)):
        office.practice.command(user, "/ethics", "meeting")
        assert (Do.CLOSE_MEETING in office.offers(office.last(user))) is offered
        office.practice.open_home(user)
        office.practice.all_heard()
        shown = office.practice.home(user)
        assert shown is not None
        assert (Do.CLOSE_MEETING in office.offers(shown)) is offered

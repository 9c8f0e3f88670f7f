import queue

import pytest

from bot.practice.client import Practice, PracticeRefusal, action_ids
from bot.practice.state import Role
from tests.bot.practice.conftest import refused
from tests.bot.practice.test_blocks_check import (
    actions,
    asked,
    button,
    marked,
    modal,
    options,
    plain,
    section,
)

pytestmark = pytest.mark.contract


@pytest.fixture
def seen():
    """Payloads in the order in which the app's listeners got them."""
    return queue.Queue()


def offer(web, person, *elements):
    """Post a message with these elements to a person and hand it back as he sees it."""
    web.chat_postMessage(channel=person.id, text="2026-001", blocks=[actions(*elements)])


def test_a_click_reaches_the_app_in_slacks_shape(bolt, web, practice, seen):
    bolt.action("vote")(lambda ack, body: (ack(), seen.put(body)))
    chair = practice.add_person("Ada Chair", "ada@city.test")
    offer(web, chair, button(action_id="vote", value="7", style="primary"))
    (message,) = practice.direct(chair.id)
    assert practice.click(chair.id, message, "vote").ok
    body = seen.get(timeout=5)
    assert body["type"] == "block_actions"
    assert body["user"]["id"] == chair.id
    assert body["user"]["team_id"] == body["team"]["id"]
    assert body["container"] == {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel,
        "is_ephemeral": False,
    }
    assert body["channel"] == {"id": message.channel, "name": "directmessage"}
    assert body["message"]["ts"] == message.ts
    assert body["trigger_id"]
    assert body["response_url"].startswith("http://127.0.0.1:")
    (action,) = body["actions"]
    assert (action["action_id"], action["value"], action["type"]) == ("vote", "7", "button")
    assert action["block_id"] == message.blocks[0]["block_id"]


@pytest.mark.parametrize(
    "case",
    [
        ({"type": "static_select", "options": options(2)}, "1", {"selected_option": options(2)[1]}),
        ({"type": "overflow", "options": options(2)}, "0", {"selected_option": options(2)[0]}),
        ({"type": "radio_buttons", "options": options(2)}, "1", {"selected_option": options(2)[1]}),
        ({"type": "checkboxes", "options": options(3)}, ["0", "2"], {"selected_options": options(3)[::2]}),
        ({"type": "users_select"}, "U1", {"selected_user": "U1"}),
        ({"type": "conversations_select"}, "C1", {"selected_conversation": "C1"}),
        ({"type": "datepicker"}, "2026-03-09", {"selected_date": "2026-03-09"}),
        ({"type": "timepicker"}, "09:30", {"selected_time": "09:30"}),
        ({"type": "datetimepicker"}, "1767225600", {"selected_date_time": 1767225600}),
    ],
    ids=lambda case: case[0]["type"],
)
def test_a_choice_is_reported_under_slacks_name_for_it(bolt, web, practice, seen, case):
    element, choice, reported = case
    bolt.action("pick")(lambda ack, body: (ack(), seen.put(body)))
    chair = practice.add_person("Ada Chair")
    offer(web, chair, {**element, "action_id": "pick"})
    (message,) = practice.direct(chair.id)
    practice.click(chair.id, message, "pick", choice)
    body = seen.get(timeout=5)
    assert reported.items() <= body["actions"][0].items()
    if element["type"] != "overflow":
        block_id = message.blocks[0]["block_id"]
        assert reported.items() <= body["state"]["values"][block_id]["pick"].items()


def test_an_option_not_on_offer_cannot_be_chosen(web, practice):
    chair = practice.add_person("Ada Chair")
    offer(web, chair, {"type": "static_select", "options": options(2), "action_id": "pick"})
    (message,) = practice.direct(chair.id)
    with pytest.raises(PracticeRefusal, match="offers no option"):
        practice.click(chair.id, message, "pick", "9")


def test_a_person_cannot_click_what_he_does_not_see(web, practice):
    chair, outsider = practice.add_person("Ada Chair"), practice.add_person("An Outsider")
    offer(web, chair, button(action_id="vote"))
    (message,) = practice.direct(chair.id)
    with pytest.raises(PracticeRefusal, match="sees no such channel"):
        practice.click(outsider.id, message, "vote")
    with pytest.raises(PracticeRefusal, match="nothing to use"):
        practice.click(chair.id, message, "other")


def test_a_deactivated_account_does_nothing(web, practice):
    gone = practice.add_person("Gone", role=Role.DEACTIVATED)
    with pytest.raises(PracticeRefusal, match="cannot act"):
        practice.command(gone.id, "/docket")


def test_a_click_without_the_app_there_shows_a_failure(web, practice):
    chair = practice.add_person("Ada Chair")
    offer(web, chair, button(action_id="vote"))
    (message,) = practice.direct(chair.id)
    outcome = practice.click(chair.id, message, "vote")
    assert (outcome.ok, outcome.failure) == (False, "connection_failed")


def test_the_message_clicked_is_replaced_through_its_response_address(bolt, web, practice):
    bolt.action("vote")(lambda ack, respond: (ack(), respond(text="recorded", replace_original=True)))
    chair = practice.add_person("Ada Chair")
    offer(web, chair, button(action_id="vote"))
    (message,) = practice.direct(chair.id)
    after = practice.last_seq()
    practice.click(chair.id, message, "vote")
    practice.wait("message_updated", after)
    assert [m.text for m in practice.direct(chair.id)] == ["recorded"]


def test_an_answer_to_a_command_is_seen_by_its_sender_only(bolt, web, practice, seen):
    bolt.command("/docket")(lambda ack, body: (ack("three cases"), seen.put(body)))
    one, other = practice.add_person("One"), practice.add_person("Other")
    channel = web.conversations_create(name="case-2026-001", is_private=True)["channel"]["id"]
    web.conversations_invite(channel=channel, users=[one.id, other.id])
    assert practice.command(one.id, "/docket", "list", channel=channel).ok
    body = seen.get(timeout=5)
    assert (body["command"], body["text"], body["channel_name"]) == ("/docket", "list", "privategroup")
    assert [m.text for m in practice.messages(one.id, channel)] == ["three cases"]
    assert practice.messages(other.id, channel) == []


def test_the_newest_messages_can_be_asked_for_alone(practice: Practice) -> None:
    person = practice.add_person("Iris Falk")
    channel = practice.add_channel("board", [person.id])
    for text in ("one", "two", "three"):
        practice.say(person.id, channel.id, text)
    assert [m.text for m in practice.messages(person.id, channel.id, newest=2)] == ["two", "three"]
    assert len(practice.messages(person.id, channel.id)) == 3


def test_an_external_menu_offers_what_the_app_answers(bolt, web, practice, seen):
    bolt.options("who")(lambda ack, body: (ack(options=options(3)), seen.put(body)))
    bolt.action("who")(lambda ack, body: (ack(), seen.put(body)))
    chair = practice.add_person("Ada Chair")
    offer(web, chair, {"type": "external_select", "action_id": "who"})
    (message,) = practice.direct(chair.id)
    offered = practice.suggest(chair.id, message, "who", "o")
    assert [option["value"] for option in offered.options] == ["0", "1", "2"]
    assert seen.get(timeout=5)["value"] == "o"
    practice.click(chair.id, message, "who", "2")
    assert seen.get(timeout=5)["actions"][0]["selected_option"]["value"] == "2"


# modals


def open_by_command(bolt, view):
    bolt.command("/docket")(
        lambda ack, body, client: (ack(), client.views_open(trigger_id=body["trigger_id"], view=view))
    )


def reasons(**more):
    return asked({"type": "plain_text_input", "action_id": "why", "min_length": 3}, block_id="reason", **more)


def opened(practice: Practice):
    person = practice.add_person("Ada Chair")
    practice.command(person.id, "/docket")
    practice.wait("view_opened", person=person.id)
    return person


def test_a_modal_is_filled_submitted_and_gone(bolt, practice, seen):
    open_by_command(bolt, modal(reasons(), callback_id="ballot", private_metadata="2026-001"))
    bolt.view("ballot")(lambda ack, body: (ack(), seen.put(body)))
    chair = opened(practice)
    outcome = practice.submit(chair.id, {"why": "on the papers"})
    assert (outcome.ok, outcome.view_id) == (True, "")
    view = seen.get(timeout=5)["view"]
    assert view["state"]["values"]["reason"]["why"] == {"type": "plain_text_input", "value": "on the papers"}
    assert (view["callback_id"], view["private_metadata"]) == ("ballot", "2026-001")
    assert view["hash"]
    assert practice.modals(chair.id) == []


def test_a_required_field_left_empty_is_not_sent_to_the_app(bolt, practice, seen):
    open_by_command(bolt, modal(reasons(), callback_id="ballot"))
    bolt.view("ballot")(lambda ack, body: (ack(), seen.put(body)))
    chair = opened(practice)
    assert practice.submit(chair.id).errors == {"reason": "Please complete this required field."}
    assert practice.submit(chair.id, {"why": "no"}).errors == {
        "reason": "Please enter at least 3 characters."
    }
    assert seen.empty()


def test_an_optional_field_may_stay_empty_and_is_reported_as_null(bolt, practice, seen):
    open_by_command(bolt, modal(reasons(optional=True), callback_id="ballot"))
    bolt.view("ballot")(lambda ack, body: (ack(), seen.put(body)))
    chair = opened(practice)
    assert practice.submit(chair.id).ok
    assert seen.get(timeout=5)["view"]["state"]["values"]["reason"]["why"]["value"] is None


def test_errors_of_the_app_are_shown_and_the_modal_stays_with_what_was_typed(bolt, practice):
    open_by_command(bolt, modal(reasons(), callback_id="ballot"))
    bolt.view("ballot")(lambda ack: ack(response_action="errors", errors={"reason": "Say more."}))
    chair = opened(practice)
    outcome = practice.submit(chair.id, {"why": "abc"})
    assert (outcome.ok, outcome.errors) == (False, {"reason": "Say more."})
    assert practice.modal(chair.id).values["reason"]["why"]["value"] == "abc"


def test_errors_for_a_block_that_is_no_input_are_a_bad_answer(bolt, practice):
    open_by_command(bolt, modal(reasons(), callback_id="ballot"))
    bolt.view("ballot")(lambda ack: ack(response_action="errors", errors={"other": "x"}))
    chair = opened(practice)
    assert practice.submit(chair.id, {"why": "abc"}).failure == "bad_answer"


def test_a_submission_may_be_answered_with_another_view(bolt, practice):
    open_by_command(bolt, modal(reasons(), callback_id="ballot"))
    bolt.view("ballot")(lambda ack: ack(response_action="update", view=modal(section("recording"))))
    chair = opened(practice)
    assert practice.submit(chair.id, {"why": "abc"}).ok
    assert "recording" in practice.modal(chair.id).text


def test_a_view_that_slack_would_refuse_as_answer_leaves_the_modal_as_it_was(bolt, practice):
    open_by_command(bolt, modal(reasons(), callback_id="ballot"))
    bolt.view("ballot")(lambda ack: ack(response_action="update", view=modal(section("x" * 3001))))
    chair = opened(practice)
    assert practice.submit(chair.id, {"why": "abc"}).failure == "bad_answer"
    assert practice.modal(chair.id).body["callback_id"] == "ballot"


def test_views_are_pushed_three_high_and_cleared_together(bolt, practice):
    open_by_command(bolt, modal(reasons(), callback_id="ballot"))
    bolt.view("ballot")(lambda ack: ack(response_action="push", view=modal(reasons(), callback_id="ballot")))
    chair = opened(practice)
    for _ in range(2):
        assert practice.submit(chair.id, {"why": "abc"}).ok
    assert len(practice.modals(chair.id)) == 3
    assert practice.submit(chair.id, {"why": "abc"}).failure == "bad_answer"
    lowest, middle, top = practice.modals(chair.id)
    assert (middle.previous, top.previous, top.root) == (lowest.id, middle.id, lowest.id)
    practice.close(chair.id)
    assert len(practice.modals(chair.id)) == 2
    practice.close(chair.id, clear=True)
    assert practice.modals(chair.id) == []


def test_the_app_hears_of_a_closed_modal_where_it_asked_to(bolt, practice, seen):
    open_by_command(bolt, modal(reasons(), callback_id="ballot", notify_on_close=True))
    bolt.view_closed("ballot")(lambda ack, body: (ack(), seen.put(body)))
    chair = opened(practice)
    practice.close(chair.id)
    assert seen.get(timeout=5)["is_cleared"] is False


def test_a_menu_in_a_modal_reports_at_once_with_the_view(bolt, practice, seen):
    picker = section(accessory={"type": "static_select", "options": options(2), "action_id": "pick"})
    open_by_command(bolt, modal(picker, reasons(), callback_id="ballot"))
    bolt.action("pick")(lambda ack, body: (ack(), seen.put(body)))
    chair = opened(practice)
    view = practice.modal(chair.id)
    practice.fill(chair.id, view, "why", "typed before")
    practice.click(chair.id, view, "pick", "1")
    body = seen.get(timeout=5)
    assert body["container"] == {"type": "view", "view_id": view.id}
    assert "response_url" not in body
    assert body["view"]["state"]["values"]["reason"]["why"]["value"] == "typed before"


def trigger_from(bolt, practice, seen):
    bolt.command("/docket")(lambda ack, body: (ack(), seen.put(body)))
    person = practice.add_person("Ada Chair")
    practice.command(person.id, "/docket")
    return seen.get(timeout=5)["trigger_id"]


def test_a_trigger_opens_one_view_within_three_seconds(bolt, web, practice, seen, hands):
    trigger = trigger_from(bolt, practice, seen)
    hands.pass_time(2.9)
    web.views_open(trigger_id=trigger, view=modal(section()))
    assert refused(web.views_open, trigger_id=trigger, view=modal(section())) == "exchanged_trigger_id"


def test_a_trigger_of_three_seconds_ago_is_expired(bolt, web, practice, seen, hands):
    trigger = trigger_from(bolt, practice, seen)
    hands.pass_time(3)
    assert refused(web.views_open, trigger_id=trigger, view=modal(section())) == "expired_trigger_id"


def test_a_trigger_made_up_and_a_view_that_is_gone_are_refused(web):
    assert refused(web.views_open, trigger_id="1.2.3", view=modal(section())) == "invalid_trigger_id"
    assert refused(web.views_update, view_id="V0GONE", view=modal(section())) == "not_found"


def test_an_update_with_an_old_hash_is_refused(bolt, web, practice):
    open_by_command(bolt, modal(section("one"), external_id="mine"))
    chair = opened(practice)
    first = practice.modal(chair.id)
    web.views_update(view_id=first.id, hash=first.hash, view=modal(section("two"), external_id="mine"))
    late = modal(section("late"), external_id="mine")
    assert refused(web.views_update, external_id="mine", hash=first.hash, view=late) == "hash_conflict"
    web.views_update(external_id="mine", view=modal(section("three")))
    assert "three" in practice.modal(chair.id).text


def test_opening_the_home_tells_the_app_and_shows_what_it_publishes(bolt, practice, seen):
    def show(event, client):
        seen.put(event)
        client.views_publish(user_id=event["user"], view={"type": "home", "blocks": [section("Due: none")]})

    bolt.event("app_home_opened")(show)
    chair = practice.add_person("Ada Chair")
    practice.open_home(chair.id)
    practice.wait("home_published", person=chair.id)
    assert seen.get(timeout=5)["tab"] == "home"
    assert practice.home(chair.id).text == "Due: none"
    practice.open_home(chair.id, "messages")
    assert seen.get(timeout=5)["tab"] == "messages"


def test_what_can_be_used_on_a_message_is_listed(web, practice):
    chair = practice.add_person("Ada Chair")
    blocks = [section("x", accessory=button(action_id="why")), actions(button(action_id="vote"))]
    web.chat_postMessage(channel=chair.id, text="2026-001", blocks=blocks)
    assert action_ids(practice.direct(chair.id)[0]) == ["why", "vote"]


def test_fields_and_contexts_are_read_as_text(web, practice):
    chair = practice.add_person("Ada Chair")
    home = {"type": "home", "blocks": [{"type": "section", "fields": [marked("a"), plain("b")]}]}
    web.views_publish(user_id=chair.id, view=home)
    assert practice.home(chair.id).text == "a\nb"

from http.client import HTTPConnection

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.practice.client import Practice
from bot.practice.state import Role, TokenState
from tests.bot.practice.conftest import refused


def a_channel(web: WebClient, name: str = "case-2026-001") -> str:
    return web.conversations_create(name=name, is_private=True)["channel"]["id"]


def test_the_bot_learns_who_it_is_and_which_scopes_it_has(web):
    answer = web.auth_test()
    assert answer["bot_id"].startswith("B")
    assert "chat:write" in answer.headers["x-oauth-scopes"]


def test_a_message_is_posted_changed_and_taken_away(web, practice):
    chair = practice.add_person("Ada Chair", "chair@city.test")
    channel = a_channel(web)
    web.conversations_invite(channel=channel, users=chair.id)
    posted = web.chat_postMessage(channel=channel, text="2026-001: due", unfurl_links=False)
    web.chat_update(channel=channel, ts=posted["ts"], text="2026-001: done")
    assert [m.text for m in practice.messages(chair.id, channel)] == ["2026-001: done"]
    assert practice.messages(chair.id, channel)[0].unfurl_links is False
    web.chat_delete(channel=channel, ts=posted["ts"])
    assert practice.messages(chair.id, channel) == []


def test_two_messages_of_the_same_instant_have_two_timestamps(web, practice):
    chair = practice.add_person("Ada Chair")
    stamps = {web.chat_postMessage(channel=chair.id, text=f"{n}")["ts"] for n in range(3)}
    assert len(stamps) == 3


def test_a_private_channel_is_seen_by_its_members_only(web, practice):
    member, outsider = practice.add_person("A Member"), practice.add_person("An Outsider")
    channel = a_channel(web)
    web.conversations_invite(channel=channel, users=member.id)
    web.chat_postMessage(channel=channel, text="2026-001")
    assert [c.id for c in practice.channels(member.id)] == [channel]
    assert practice.channels(outsider.id) == []
    with pytest.raises(Exception, match="sees no such channel"):
        practice.messages(outsider.id, channel)


def test_a_message_to_one_person_is_seen_by_that_person_only(web, practice):
    one, other = practice.add_person("One"), practice.add_person("Other")
    channel = a_channel(web)
    web.conversations_invite(channel=channel, users=[one.id, other.id])
    web.chat_postEphemeral(channel=channel, user=one.id, text="only you")
    assert [m.text for m in practice.messages(one.id, channel)] == ["only you"]
    assert practice.messages(other.id, channel) == []


def test_a_direct_message_is_opened_by_posting_to_a_person(web, practice):
    chair = practice.add_person("Ada Chair")
    channel = web.conversations_open(users=chair.id)["channel"]["id"]
    assert web.chat_postMessage(channel=chair.id, text="2026-001")["channel"] == channel
    assert [m.text for m in practice.direct(chair.id)] == ["2026-001"]


@pytest.mark.parametrize(
    ("role", "team", "error"),
    [
        (Role.GUEST, "", "user_is_restricted"),
        (Role.RESTRICTED, "", "user_is_restricted"),
        (Role.DEACTIVATED, "", "cant_invite"),
        (Role.MEMBER, "T0OTHER", "cant_invite"),
    ],
)
def test_guests_the_deactivated_and_strangers_cannot_be_invited(web, practice, role, team, error):
    person = practice.add_person("Somebody", role=role, team=team)
    assert refused(web.conversations_invite, channel=a_channel(web), users=person.id) == error


def test_one_who_cannot_be_invited_stops_the_others_unless_forced(web, practice):
    member, guest = practice.add_person("A Member"), practice.add_person("A Guest", role=Role.GUEST)
    channel = a_channel(web)
    assert refused(web.conversations_invite, channel=channel, users=[member.id, guest.id]) == (
        "user_is_restricted"
    )
    assert practice.channels(member.id) == []
    web.conversations_invite(channel=channel, users=[member.id, guest.id], force=True)
    assert [c.id for c in practice.channels(member.id)] == [channel]


def test_channel_membership_has_slacks_own_refusals(web, practice):
    member = practice.add_person("A Member")
    channel = a_channel(web)
    web.conversations_invite(channel=channel, users=member.id)
    assert refused(web.conversations_invite, channel=channel, users=member.id) == "already_in_channel"
    assert refused(web.conversations_invite, channel=channel, users="U0NOBODY") == "user_not_found"
    assert refused(web.conversations_invite, channel="C0NOWHERE", users=member.id) == "channel_not_found"
    web.conversations_kick(channel=channel, user=member.id)
    assert refused(web.conversations_kick, channel=channel, user=member.id) == "not_in_channel"


def test_a_private_channel_the_bot_is_not_in_does_not_exist_for_it(web, practice):
    member = practice.add_person("A Member")
    secret = practice.add_channel("secret", [member.id])
    public = practice.add_channel("public", [member.id], private=False)
    assert refused(web.chat_postMessage, channel=secret.id, text="x") == "channel_not_found"
    assert refused(web.chat_postMessage, channel=public.id, text="x") == "not_in_channel"


def test_an_archived_channel_takes_nothing_and_its_name_stays_taken(web, practice):
    member = practice.add_person("A Member")
    channel = a_channel(web)
    web.conversations_archive(channel=channel)
    assert refused(web.chat_postMessage, channel=channel, text="x") == "is_archived"
    assert refused(web.conversations_invite, channel=channel, users=member.id) == "is_archived"
    assert refused(web.conversations_archive, channel=channel) == "already_archived"
    assert refused(web.conversations_unarchive, channel=channel) == "not_in_channel"
    assert refused(web.conversations_create, name="case-2026-001", is_private=True) == "name_taken"


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("a" * 81, "invalid_name_maxlength"),
        ("Case", "invalid_name_specials"),
        ("case 1", "invalid_name_specials"),
        ("--", "invalid_name_punctuation"),
    ],
)
def test_a_channel_name_slack_would_refuse_is_refused(web, name, error):
    assert refused(web.conversations_create, name=name, is_private=True) == error


def test_a_channel_name_of_eighty_characters_is_taken(web):
    assert web.conversations_create(name="a" * 80, is_private=True)["ok"]


def test_channels_are_listed_only_by_the_scopes_granted(web):
    channel = a_channel(web)
    listed = web.conversations_list(types="private_channel")["channels"]
    assert [c["id"] for c in listed] == [channel]
    with pytest.raises(SlackApiError) as caught:
        web.conversations_list()
    assert (caught.value.response["error"], caught.value.response["needed"]) == (
        "missing_scope",
        "channels:read",
    )


def test_each_call_needs_its_scope(web, practice):
    practice.set_scopes(["users:read"])
    person = practice.add_person("Ada", "ada@city.test")
    assert refused(web.chat_postMessage, channel=person.id, text="x") == "missing_scope"
    assert refused(web.conversations_create, name="x", is_private=True) == "missing_scope"
    assert refused(web.users_lookupByEmail, email="ada@city.test") == "missing_scope"
    assert "email" not in web.users_info(user=person.id)["user"]["profile"]


def test_people_are_found_by_address_unless_deactivated(web, practice):
    person = practice.add_person("Ada", "Ada@City.test", person_id="W0ADA")
    assert web.users_lookupByEmail(email="ada@city.test")["user"]["id"] == "W0ADA"
    practice.change_person(person.id, role="deactivated")
    assert web.users_info(user=person.id)["user"]["deleted"] is True
    assert refused(web.users_lookupByEmail, email="ada@city.test") == "users_not_found"
    assert refused(web.conversations_open, users=person.id) == "user_disabled"


def test_lists_come_in_pages(web, practice):
    for number in range(5):
        practice.add_person(f"Person {number}")
    pages = list(web.users_list(limit=2))
    assert [len(page["members"]) for page in pages] == [2, 2, 2]


def test_a_cursor_or_limit_made_up_is_refused(web):
    assert refused(web.users_list, cursor="next") == "invalid_cursor"
    assert refused(web.users_list, limit=1001) == "invalid_limit"
    assert web.users_list(limit=1000)["ok"]


def test_what_is_no_json_is_refused_and_not_tripped_over(slack):
    for path, answer in (("/api/auth.test", 200), ("/actions/T0/x", 400)):
        line = HTTPConnection("127.0.0.1", slack.port, timeout=5)
        line.request("POST", path, body=b"{", headers={"Content-Type": "application/json"})
        assert line.getresponse().status == answer
        line.close()


def test_the_wrong_kind_of_token_and_a_wrong_token_are_told_apart(slack, web):
    bot, app = slack.app.bot_token, slack.app.app_token
    assert refused(web.apps_connections_open, app_token=bot) == "not_allowed_token_type"
    assert refused(WebClient(token=app, base_url=slack.api_url).users_list) == "not_allowed_token_type"
    assert refused(WebClient(token="xoxb-other", base_url=slack.api_url).auth_test) == "invalid_auth"
    assert refused(WebClient(base_url=slack.api_url).auth_test) == "not_authed"


@pytest.mark.parametrize("state", [TokenState.REVOKED, TokenState.INACTIVE])
def test_a_token_taken_away_is_refused_by_name_and_works_again_when_given_back(web, practice, state):
    practice.set_token(state)
    assert refused(web.auth_test) == state.value
    practice.set_token(TokenState.ACTIVE)
    assert web.auth_test()["ok"]


def test_a_file_is_uploaded_in_three_steps_and_shows_in_its_channel_a_little_later(web, practice):
    member, outsider = practice.add_person("A Member"), practice.add_person("An Outsider")
    channel = a_channel(web)
    web.conversations_invite(channel=channel, users=member.id)
    answer = web.files_upload_v2(
        channel=channel, filename="letter.pdf", content=b"%PDF-1.7 x", title="Letter"
    )
    practice.wait("file_shared", channel=channel)
    (message,) = practice.messages(member.id, channel)
    assert message.files == [answer["file"]["id"]]
    assert practice.read_file(member.id, message.files[0]) == b"%PDF-1.7 x"
    with pytest.raises(Exception, match="sees no such file"):
        practice.read_file(outsider.id, message.files[0])


def test_a_file_goes_only_to_a_channel_the_bot_is_in(web, practice):
    secret = practice.add_channel("secret", [practice.add_person("A Member").id])
    assert refused(web.files_upload_v2, channel=secret.id, filename="x.pdf", content=b"x") == (
        "channel_not_found"
    )


def test_posting_faster_than_slack_allows_is_answered_with_the_seconds_to_wait(web, practice, hands):
    chair, other = practice.add_person("Ada"), practice.add_person("Bo")
    for number in range(5):
        web.chat_postMessage(channel=chair.id, text=f"{number}")
    with pytest.raises(SlackApiError) as caught:
        web.chat_postMessage(channel=chair.id, text="too fast")
    assert caught.value.response["error"] == "ratelimited"
    assert caught.value.response.status_code == 429
    web.chat_postMessage(channel=other.id, text="another channel is not held up")
    hands.pass_time(int(caught.value.response.headers["Retry-After"]))
    assert web.chat_postMessage(channel=chair.id, text="now")["ok"]


def test_twenty_channels_a_minute_are_made_and_no_more(web, practice, hands):
    for number in range(20):
        web.conversations_create(name=f"case-{number}", is_private=True)
    assert refused(web.conversations_create, name="one-more", is_private=True) == "ratelimited"
    practice.faults(rates=False)
    assert web.conversations_create(name="one-more", is_private=True)["ok"]


def test_told_to_fail_the_workspace_fails_that_often(web, practice):
    practice.faults(failing_calls=1)
    with pytest.raises(SlackApiError) as caught:
        web.auth_test()
    assert caught.value.response.status_code == 503
    practice.faults(throttled_calls=1, retry_after_s=7)
    with pytest.raises(SlackApiError) as caught:
        web.auth_test()
    assert caught.value.response.headers["Retry-After"] == "7"
    assert web.auth_test()["ok"]


def test_an_answer_can_be_lost_after_the_message_is_posted(web, practice: Practice):
    chair = practice.add_person("Ada")
    practice.faults(lost_answers=1, only_methods=["chat.postMessage"])
    with pytest.raises(OSError):  # noqa: PT011  the connection ends in one of several ways
        web.chat_postMessage(channel=chair.id, text="once")
    assert [m.text for m in practice.direct(chair.id)] == ["once"]


def test_an_unknown_fault_switch_is_refused(practice):
    with pytest.raises(Exception, match="no fault switch"):
        practice.faults(explode=True)

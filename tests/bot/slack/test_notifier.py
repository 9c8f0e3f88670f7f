"""Showing pings: to the entitled only, edited not reposted, and every answer of Slack's taken for what it is."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.actions.ids import Do
from bot.practice.client import message_text, texts
from bot.practice.state import Role, TokenState
from store import outbox
from store.cases import MACHINE, act
from store.ports import DeliveryState, Ping, PingKind
from store.proceedings.ballot import close_ballot, void_ballot
from store.proceedings.merger import merge
from store.proceedings.recusal import recuse
from store.proceedings.referral import refer
from store.proceedings.reminders import raise_alarm, sweep
from store.proceedings.showing import show_anew
from store.rules.access import Deed
from store.rules.errors import NotAllowed
from store.rules.facts import Choice, HoldPlaced
from tests.bot.slack.office import CLARA, CYRUS, HANNA, MILO, MORA, USERS, Office, an_office, channel_of, told
from tests.proceedings.builders import Board

pytestmark = pytest.mark.contract

CANARIES = ("Connie", "Complainant", "Rory", "Respondent", "c.pdf", "rory@", "connie@")


def owe(office: Office, kind: PingKind, number: str = "", **ping: object) -> None:
    """Owe one ping, as an act does."""
    case_id = office.board.key(number) if number else None
    with act(office.board.docket, MACHINE, Deed.SCREEN if number else Deed.SWEEP, case_id=case_id) as step:
        step.ping(kind, **ping)  # type: ignore[arg-type]  # the test spells out the keys


def test_everybody_entitled_is_told_and_nobody_else(office: Office) -> None:
    number = told(office)
    assert channel_of(office, CYRUS) is None
    for user in (CLARA, HANNA, MORA, MILO, USERS["Cora Counsel"]):
        assert channel_of(office, user) is not None
    assert channel_of(office, USERS["Alma Alternate"]) is None
    channel = channel_of(office, HANNA)
    assert channel is not None
    assert channel.name == number.lower()
    assert channel.private


def test_what_lock_screens_show_is_number_and_date_and_never_a_name(office: Office) -> None:
    number, track = office.board.served_case()
    owe(office, PingKind.CASE_CHANNEL, number)
    office.deliver()
    ballot = office.board.ballot(number, track, office.board.meeting())
    office.board.vote(number, ballot, office.board.chair, Choice.YES)
    close_ballot(office.board.docket, office.board.chair, number, ballot)
    recuse(office.board.docket, office.board.actor("Mora Member"), number)
    raise_alarm(office.board.docket, "mailbox", "The mailbox does not answer. Mail is safe there.")
    owe(office, PingKind.DETERMINED, number)
    office.deliver()
    texts_shown = {one.text for one in office.everything_shown()}
    today = "2026-02-17"
    assert texts_shown == {f"{number} · {today}", f"Docket · {today}"}
    for message in office.everything_shown():
        assert not message.unfurl_links
        assert not any(canary in message_text(message) for canary in CANARIES if canary != "Respondent")
    assert all("Rory" not in channel.name for channel in office.practice.all_channels())


def test_a_card_is_edited_and_never_posted_twice(office: Office) -> None:
    number = told(office, proper=False)
    before = office.card(CLARA, number)
    office.board.respondent(number)
    office.deliver()
    cards = [one for one in office.practice.direct(CLARA) if f"Case {number}" in message_text(one)]
    assert [one.ts for one in cards] == [before.ts]
    assert "Respondents named: 1" in message_text(cards[0])
    channel = channel_of(office, HANNA)
    assert channel is not None
    assert len(office.practice.messages(HANNA, channel.id)) == 1


def test_a_merged_cases_card_says_which_one_goes_on_where_all_its_readers_may_see_that_one(
    office: Office,
) -> None:
    other, number = told(office), told(office)
    with act(office.board.docket, office.board.clerk, Deed.HOLD, number=number) as step:
        step.record(HoldPlaced(step.now, "a suit"))
    merge(office.board.docket, office.board.clerk, number, into=other, reason="the same event")
    office.deliver()

    def shared() -> str:
        (one,) = (one for one in office.practice.channels(HANNA) if one.name == number.lower())
        return message_text(office.practice.messages(HANNA, one.id)[0])

    for card in (message_text(office.card(CLARA, number)), shared()):
        assert f"{other}* goes on for both" in card
        assert "On hold" in card
    recuse(office.board.docket, office.board.actor("Mora Member"), other)
    owe(office, PingKind.CASE_CARD, number)
    office.deliver()
    assert other in message_text(office.card(CLARA, number))
    assert other not in shared(), "Mora reads the channel of this case, and may not know of that one"


def test_rights_are_looked_up_when_it_is_shown_not_when_it_was_owed(office: Office) -> None:
    number = told(office)
    owe(office, PingKind.CASE_CARD, number, person=office.board.person("Mora Member"))
    recuse(office.board.docket, office.board.actor("Mora Member"), number)
    shown = office.deliver()
    assert "no longer entitled; nothing was shown" in [one.detail for one in shown]
    assert office.practice.direct(MORA) == []


def test_a_card_in_the_messages_of_somebody_who_stepped_back_is_taken_away(office: Office) -> None:
    number = told(office)
    owe(office, PingKind.CASE_CARD, number, person=office.board.person("Mora Member"))
    office.deliver()
    assert office.practice.direct(MORA) != []
    recuse(office.board.docket, office.board.actor("Mora Member"), number)
    office.deliver()
    assert office.practice.direct(MORA) == []
    assert channel_of(office, MORA) is None


def test_an_unscreened_case_is_shown_to_the_person_cleared_for_intake_only(office: Office) -> None:
    told(office, proper=False, screened=False)
    assert office.practice.direct(CLARA) != []
    for user in USERS.values():
        assert channel_of(office, user) is None
    assert office.practice.direct(HANNA) == []
    assert office.practice.direct(CYRUS) == []


def test_the_city_manager_sees_one_button_and_nothing_of_the_case(office: Office) -> None:
    number = told(office)
    referral = office.last(CYRUS)
    assert office.offers(referral) == {Do.REFER}
    assert not any(canary in message_text(referral) for canary in CANARIES)
    assert number in message_text(referral)


@pytest.mark.parametrize("by", ["the City Manager", "staff"])
def test_the_city_managers_one_message_says_so_once_the_complaint_is_referred(
    office: Office, by: str
) -> None:
    number = told(office)
    if by == "staff":
        refer(office.board.docket, office.board.clerk, number, evidence="his letter of today")
    else:
        office.press(CYRUS, office.last(CYRUS), Do.REFER)
    office.deliver()
    (asked,) = [one for one in office.practice.direct(CYRUS) if not one.only_for]
    assert "was referred to the Board on" in message_text(asked)
    assert office.offers(asked) == set()


def test_a_ballot_goes_to_each_on_its_roster_and_shows_the_count_when_it_is_closed(office: Office) -> None:
    number, track = office.board.served_case()
    ballot = office.board.ballot(number, track, office.board.meeting())
    office.deliver()
    paper = office.last(MORA)
    assert Do.VOTE in office.offers(paper)
    for actor in office.board.members[:3]:
        office.board.vote(number, ballot, actor, Choice.YES)
    office.deliver()
    close_ballot(office.board.docket, office.board.chair, number, ballot)
    office.deliver()
    after = next(one for one in office.practice.direct(MORA) if one.ts == paper.ts)
    assert "Yes 3, no 0" in message_text(after)
    assert Do.VOTE not in office.offers(after)


def test_a_voided_ballot_says_that_it_counts_for_nothing(office: Office) -> None:
    number, track = office.board.served_case()
    ballot = office.board.ballot(number, track, office.board.meeting())
    office.deliver()
    void_ballot(office.board.docket, office.board.chair, number, ballot, "opened in error")
    office.deliver()
    assert "counts for nothing" in message_text(office.last(MORA))


def test_a_voter_gets_a_receipt_with_his_own_vote(office: Office) -> None:
    number, track = office.board.served_case()
    ballot = office.board.ballot(number, track, office.board.meeting())
    office.board.vote(number, ballot, office.board.actor("Mora Member"), Choice.NO)
    office.deliver()
    assert "is recorded: *No*" in message_text(office.last(MORA))


def test_reminders_come_as_one_digest_without_the_cases_that_one_may_not_see(office: Office) -> None:
    first, second = told(office, proper=False), told(office, proper=False)
    office.board.clock.advance(timedelta(days=9))
    assert sweep(office.board.docket).people
    docket, clara = office.board.docket, office.board.clerk
    recuse(docket, clara, first)
    office.deliver()
    digest = next(one for one in office.practice.direct(CLARA) if "What waits for you" in message_text(one))
    assert second in message_text(digest)
    assert first not in message_text(digest)


def test_a_channel_by_a_taken_name_gets_a_suffix(office: Office) -> None:
    number = office.board.case()
    office.practice.add_channel(number.lower(), [CLARA])
    owe(office, PingKind.CASE_CHANNEL, number)
    office.deliver()
    found = channel_of(office, HANNA)
    assert found is not None
    assert found.name == f"{number.lower()}-2"


def test_one_account_that_cannot_be_invited_stops_nobody_else(office: Office) -> None:
    office.practice.change_person(MORA, role=Role.DEACTIVATED)
    office.practice.change_person(MILO, role=Role.GUEST)
    office.notifier.members.forget(MORA)
    office.notifier.members.forget(MILO)
    told(office)
    assert channel_of(office, HANNA) is not None
    assert channel_of(office, MILO) is None


def test_an_archived_case_channel_is_made_anew(office: Office) -> None:
    number = told(office)
    old = channel_of(office, HANNA)
    assert old is not None
    office.practice.archive(HANNA, old.id)
    owe(office, PingKind.CASE_CARD, number)
    shown = office.deliver()
    assert [one.state for one in shown] == [DeliveryState.ACCEPTED]
    rooms = [one for one in office.practice.channels(HANNA) if not one.direct and not one.archived]
    assert [one.name for one in rooms] == [f"{number.lower()}-2"]


def test_an_alarm_reaches_each_clerk_where_the_staff_channel_is_gone(office: Office) -> None:
    office.practice.archive(CLARA, office.staff)
    raise_alarm(office.board.docket, "mailbox", "The mailbox does not answer.")
    shown = office.deliver()
    assert [one.state for one in shown] == [DeliveryState.ACCEPTED]
    assert "The mailbox does not answer." in message_text(office.last(CLARA))


def test_what_cannot_reach_a_person_is_told_to_staff_without_content(office: Office) -> None:
    number = told(office)
    office.practice.change_person(MORA, role=Role.DEACTIVATED)
    office.notifier.members.forget(MORA)
    owe(office, PingKind.TOLD, number, person=office.board.person("Mora Member"), about={"what": "dates"})
    shown = office.deliver()
    assert [one.state for one in shown] == [DeliveryState.REFUSED_FOR_GOOD]
    said = office.practice.messages(CLARA, office.staff)[-1]
    assert "could not be shown in Slack" in message_text(said)
    assert number not in message_text(said)


def test_what_reaches_neither_the_person_nor_staff_is_tried_again(office: Office) -> None:
    number = told(office)
    office.practice.change_person(MORA, role=Role.DEACTIVATED)
    office.notifier.members.forget(MORA)
    owe(office, PingKind.TOLD, number, person=office.board.person("Mora Member"), about={"what": "dates"})
    office.practice.faults(lost_answers=1, only_methods=["chat.postMessage"])
    (first,) = office.deliver()
    assert first.state is DeliveryState.TRY_LATER
    office.board.clock.advance(timedelta(minutes=1))
    (second,) = office.deliver()
    assert second.state is DeliveryState.REFUSED_FOR_GOOD
    assert "could not be shown in Slack" in message_text(office.practice.messages(CLARA, office.staff)[-1])


def ping_of(office: Office, number: str, **ping: object) -> Ping:
    return Ping(PingKind.TOLD, 1, office.board.person("Hanna Chair"), office.board.key(number), **ping)  # type: ignore[arg-type]  # the test spells out the keys


def test_a_busy_slack_is_tried_again_when_it_said(office: Office) -> None:
    number = told(office)
    office.practice.faults(throttled_calls=1, retry_after_s=7, only_methods=["chat.postMessage"])
    delivered = office.notifier.show(ping_of(office, number))
    assert (delivered.state, delivered.retry_after_s) == (DeliveryState.TRY_LATER, 7)


@pytest.mark.parametrize("fault", ["failing_calls", "lost_answers"])
def test_a_ping_whose_end_nobody_knows_comes_again_and_says_so(office: Office, fault: str) -> None:
    number = told(office)
    owe(office, PingKind.TOLD, number, person=office.board.person("Hanna Chair"), about={"what": "dates"})
    office.practice.faults(**{fault: 1}, only_methods=["chat.postMessage"])
    (first,) = office.deliver()
    assert first.state is DeliveryState.TRY_LATER
    office.board.clock.advance(timedelta(minutes=1))
    (second,) = office.deliver()
    assert second.state is DeliveryState.ACCEPTED
    assert "Shown again" in message_text(office.last(HANNA))


def test_a_ping_that_was_surely_not_shown_does_not_say_that_it_comes_again(office: Office) -> None:
    number = told(office)
    owe(office, PingKind.TOLD, number, person=office.board.person("Hanna Chair"), about={"what": "dates"})
    office.practice.faults(throttled_calls=1, retry_after_s=1, only_methods=["chat.postMessage"])
    office.deliver()
    office.board.clock.advance(timedelta(minutes=1))
    office.deliver()
    assert "Shown again" not in message_text(office.last(HANNA))


def test_void_tokens_keep_everything_waiting_and_are_told(office: Office) -> None:
    number = told(office)
    owe(office, PingKind.TOLD, number, person=office.board.person("Hanna Chair"), about={"what": "dates"})
    office.practice.set_token(TokenState.REVOKED)
    (first,) = office.deliver()
    assert first.state is DeliveryState.TRY_LATER
    assert "token_revoked" in office.dead
    office.practice.set_token(TokenState.ACTIVE)
    office.board.clock.advance(timedelta(hours=1))
    (second,) = office.deliver()
    assert second.state is DeliveryState.ACCEPTED


def test_a_day_without_slack_is_made_up_for_in_order(office: Office) -> None:
    number = told(office)
    office.practice.faults(failing_calls=-1)
    for what in ("paper", "response", "cure"):
        owe(office, PingKind.TOLD, number, person=office.board.person("Hanna Chair"), about={"what": what})
    office.deliver()
    office.board.clock.advance(timedelta(days=1))
    office.practice.faults(failing_calls=0)
    office.deliver()
    said = [message_text(one) for one in office.practice.direct(HANNA)]
    order = [
        next(place for place, one in enumerate(said) if word in one)
        for word in ("further paper", "answered", "may mend")
    ]
    assert order == sorted(order)
    with office.board.docket.database.read() as session:
        assert not outbox.waiting(session, outbox.Channel.SLACK)


def test_slacks_rates_are_kept_and_nothing_is_lost(tmp_path: object, board: Board) -> None:
    office = an_office(tmp_path, board, rates=True)  # type: ignore[arg-type]  # pytest's own path
    try:
        number = told(office, proper=False)
        for _ in range(12):
            owe(office, PingKind.TOLD, number, person=board.person("Hanna Chair"), about={"what": "dates"})
        states = [one.state for one in office.deliver()]
        assert DeliveryState.TRY_LATER in states
        assert DeliveryState.REFUSED_FOR_GOOD not in states
    finally:
        office.stop()


def test_every_kind_of_ping_can_be_shown(office: Office) -> None:
    number = told(office)
    person = office.board.person("Clara Clerk")
    owe(office, PingKind.HELD_MAIL, person=person, about={"item": 7})
    for what in ("letter", "dates", "board-cannot-act", "something-new"):
        owe(
            office,
            PingKind.TOLD,
            number,
            person=person,
            about={"what": what, "letter": 1, "state": "bounced"},
        )
        owe(office, PingKind.TOLD, number, about={"what": what})
    owe(office, PingKind.RECUSED, number, person=person, about={"person": person})
    owe(
        office,
        PingKind.REMINDER_DIGEST,
        person=person,
        text=f"{number}: Acknowledge. Due today: by 2026-02-13.",
    )
    shown = office.deliver()
    assert [one.state for one in shown] == [DeliveryState.ACCEPTED] * len(shown)
    assert any("Something changed" in "".join(texts(one.blocks)) for one in office.practice.direct(CLARA))


def test_in_an_empty_workspace_channels_and_cards_are_built_anew_from_the_record(
    tmp_path: Path, board: Board, office: Office
) -> None:
    number = told(office)
    empty = an_office(tmp_path / "another workspace", board, linked=True)
    try:
        count = show_anew(board.docket, board.actor("Ivo Machinist"))
        assert all(one.state is DeliveryState.ACCEPTED for one in empty.deliver())
        assert count == 1
        assert channel_of(empty, HANNA) is not None
        assert number in message_text(empty.card(CLARA, number))
        assert channel_of(empty, CYRUS) is None
    finally:
        empty.stop()


def test_a_member_builds_nothing_anew(office: Office) -> None:
    with pytest.raises(NotAllowed):
        show_anew(office.board.docket, office.board.actor("Mora Member"))

"""What Slack refuses as too large is never sent: digests, ballots and moved dates of a large docket, really posted."""

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from bot.actions.ids import Do
from bot.practice.client import message_text
from bot.practice.state import Message
from store.cases import MACHINE, act
from store.ports import DeliveryState
from store.proceedings.ballot import close_ballot, void_ballot
from store.proceedings.calendar import close_day
from store.proceedings.reminders import sweep
from store.proceedings.roster import rename_person
from store.rules.access import Deed
from store.rules.facts import Choice, PartyNamed, PartyRole
from tests.bot.slack.office import CLARA, HANNA, MORA, Office

pytestmark = pytest.mark.contract
CASES = 150
NAMES = ("م" * 200, "ש" * 200, "👩🏽\u200d⚖️" * 50, "<!channel>" * 20, "Maximilian " * 18)


def large_docket(office: Office) -> list[str]:
    """A hundred and fifty cases that came over two weeks, the last one with forty respondents of odd names."""
    board, numbers = office.board, []
    for place in range(CASES):
        numbers.append(board.case(proper=bool(place % 2)))
        if place % 15 == 0:
            board.clock.advance(timedelta(days=1))
    with act(board.docket, MACHINE, Deed.FILE_COMPLAINT, number=numbers[-1]) as step:
        for place in range(40):
            step.record(PartyNamed(PartyRole.RESPONDENT, f"{place} {NAMES[place % len(NAMES)]}"[:200]))
    return numbers


def delivered(office: Office, user: str, what: str) -> list[Message]:
    """Deliver what is owed, of which nothing may be refused; give a person's messages that say something."""
    assert {one.state for one in office.deliver()} <= {DeliveryState.ACCEPTED}
    return [one for one in office.practice.direct(user) if what in message_text(one)]


def cases_named(text: str, numbers: Sequence[str]) -> list[str]:
    """Give the cases that a text names, in its order."""
    return [line[: len(numbers[0])] for line in text.splitlines() if line[: len(numbers[0])] in numbers]


def test_a_digest_of_hundreds_of_cases_is_taken_begins_with_the_most_urgent_and_says_how_many_more(
    office: Office,
) -> None:
    numbers = large_docket(office)
    office.deliver()
    office.board.clock.advance(timedelta(days=12))
    sweep(office.board.docket)
    (digest,) = delivered(office, CLARA, "What waits for you")
    text = message_text(digest)
    assert "Overdue" in text
    if "Due soon" in text:
        assert text.rindex("Overdue") < text.index("Due soon")
    assert cases_named(text, numbers)[0] == numbers[0], "the oldest is overdue longest"
    assert "more.* All open cases by their next date: /ethics docket" in text


def test_dates_of_hundreds_of_cases_that_moved_are_told_in_one_message_that_slack_takes(
    office: Office,
) -> None:
    large_docket(office)
    office.deliver()
    close_day(office.board.docket, office.board.clerk, date(2026, 2, 20), "ice " * 49)
    (moved,) = delivered(office, CLARA, "Dates have moved")
    assert "More dates moved than fit here" in message_text(moved)


def test_a_ballot_of_people_with_long_names_is_taken_open_closed_and_voided(office: Office) -> None:
    number, track = office.board.served_case()
    members, chair = office.board.members, (office.board.docket, office.board.chair)
    for member, name in zip(members[1:], NAMES, strict=False):
        assert member.person is not None
        rename_person(office.board.docket, office.board.clerk, member.person, name, aliases=())
    ballot = office.board.ballot(number, track, office.board.meeting(*members))
    (paper,) = delivered(office, MORA, "Ballot in")
    assert Do.VOTE in office.offers(paper)
    for member in members:
        office.board.vote(number, ballot, member, Choice.YES)
    close_ballot(*chair, number, ballot)
    (paper,) = delivered(office, MORA, "Ballot in")
    assert "Yes 5, no 0" in message_text(paper)
    void_ballot(*chair, number, ballot, "🧑\u200d🚒" * 500)
    (paper,) = delivered(office, MORA, "Ballot in")
    assert "counts for nothing" in message_text(paper)


def test_a_forty_headed_case_with_odd_names_has_a_card_in_channel_and_direct_messages(office: Office) -> None:
    numbers = large_docket(office)
    office.deliver()
    office.practice.command(HANNA, "/ethics", f"case {numbers[-1]}")
    assert "Respondents named: 40" in office.said(HANNA)

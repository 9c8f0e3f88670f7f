"""A whole case in Slack: from the card to the determination, by clicks and modals alone."""

import pytest

from bot.actions.ids import Do
from bot.practice.client import message_text
from store.ports import DeliveryState
from tests.bot.slack.office import CLARA, CYRUS, HANNA, MAUD, MILO, MORA, MORITZ, Office, told

pytestmark = pytest.mark.end_to_end


def test_a_case_goes_from_its_card_to_a_determination_by_clicks_alone(office: Office) -> None:
    number = told(office, proper=False)
    practice = office.practice

    # the City Manager refers in one step
    referral = office.last(CYRUS)
    office.press(CYRUS, referral, Do.REFER)
    assert "is referred to the Board" in office.said(CYRUS)
    office.deliver()

    # the clerk checks the form, acknowledges, names the respondent
    office.press(CLARA, office.card(CLARA, number), Do.FORM_CHECK)
    outcome = practice.submit(CLARA, {"proper": "yes", "signed": "yes", "reason": "ink on page two"})
    assert outcome.ok
    assert "is proper" in office.said(CLARA)
    practice.close(CLARA)
    office.press(CLARA, office.card(CLARA, number), Do.ACKNOWLEDGE)
    assert "1 letter was written" in office.said(CLARA)
    office.press(CLARA, office.card(CLARA, number), Do.NAME_RESPONDENTS)
    outcome = practice.submit(
        CLARA, {"name": "Rory Respondent", "office": "Streets", "email": "rory@office.example"}
    )
    assert outcome.ok
    practice.close(CLARA)
    office.deliver()

    # one member steps back and keeps nothing
    channel = next(one for one in practice.channels(MORITZ) if not one.direct)
    card = next(one for one in practice.messages(MORITZ, channel.id) if number in message_text(one))
    office.press(MORITZ, card, Do.RECUSE)
    office.deliver()
    assert not [one for one in practice.channels(MORITZ) if not one.direct]

    # the meeting, the ballot, four votes
    practice.command(CLARA, "/ethics", "meeting")
    office.press(CLARA, office.last(CLARA), Do.OPEN_MEETING)
    there = [str(one.person) for one in office.board.members]
    outcome = practice.submit(CLARA, {"place": "City Hall", "notice": "posted on Monday", "present": there})
    assert outcome.ok
    practice.close(CLARA)
    practice.command(HANNA, "/ethics", f"case {number}")
    office.press(HANNA, office.last(HANNA), Do.OPEN_BALLOT)
    outcome = practice.submit(HANNA, {"question": "jurisdiction"})
    assert outcome.ok, outcome
    assert "is open" in office.said(HANNA)
    practice.close(HANNA)
    office.deliver()
    for user, choice in ((HANNA, "no"), (MORA, "no"), (MILO, "no"), (MAUD, "yes")):
        office.press(user, office.last(user), Do.VOTE)
        outcome = practice.submit(user, {"choice": choice, "reasons": "because"})
        assert outcome.ok, outcome
        assert "Your vote is recorded" in office.said(user)
        practice.close(user)
    assert not any("Ballot on" in message_text(one) for one in practice.direct(MORITZ))

    # closing prints the arithmetic
    practice.command(HANNA, "/ethics", f"case {number}")
    office.press(HANNA, office.last(HANNA), Do.CLOSE_BALLOT)
    assert "recused 1" in office.said(HANNA)
    assert "Yes 1, no 3" in office.said(HANNA)
    office.deliver()

    # the determination
    practice.command(HANNA, "/ethics", f"case {number}")
    office.press(HANNA, office.last(HANNA), Do.DETERMINE)
    outcome = practice.submit(HANNA, {"conclusion": "outside", "findings": "A private quarrel."})
    assert outcome.ok, office.said(HANNA)
    assert "Recorded: the determination" in office.said(HANNA)
    shown = office.deliver()
    assert all(one.state is DeliveryState.ACCEPTED for one in shown), shown
    assert "outside the Board's jurisdiction" in message_text(office.card(CLARA, number))

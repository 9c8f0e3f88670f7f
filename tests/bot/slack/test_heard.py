"""A respondent is heard, from the button to the fact: more time, appearance, statement, exhibits (B)."""

from datetime import timedelta

import pytest

from bot.actions.ids import Do
from store.rules.facts import Appeared, StatementTaken
from tests.bot.slack.office import CLARA, HANNA, MORA, Office
from tests.bot.slack.test_after import around
from tests.bot.slack.test_forms import fill, press

pytestmark = pytest.mark.contract


def test_more_time_is_asked_for_and_ruled_on_with_the_inquirys_own_date_beside_it(office: Office) -> None:
    board = office.board
    number = board.case()
    track = board.respondent(number)
    board.serve(number, track)
    until = (board.look(number).today + timedelta(days=30)).isoformat()
    said = around(office, CLARA, number, Do.ASK_TIME, {"until": until, "words": "counsel is ill"})
    assert "nothing moves" in said
    office.practice.command(MORA, "/ethics", f"case {number}")
    assert Do.RULE_TIME not in office.offers(office.last(MORA))
    said = fill(office, HANNA, number, Do.RULE_TIME, {"granted": "yes", "reason": "illness"})
    assert until in said
    assert "the inquiry's last lawful day stays" in said
    (asked,) = board.file(number).asked_for_time(track)
    assert asked.ruled is not None
    assert asked.ruled.ruled_by == board.chair.person
    office.practice.command(CLARA, "/ethics", f"case {number}")
    assert Do.RULE_TIME not in office.offers(office.last(CLARA))


def test_appearance_and_statement_are_recorded(office: Office) -> None:
    number, track = office.board.served_case()
    values: dict[str, object] = {"party": str(track), "how": "by video", "answers": "yes", "words": "denies"}
    around(office, CLARA, number, Do.APPEARANCE, values)
    assert [one.fact.how for one in office.board.file(number).all(Appeared)] == ["by video"]
    assert office.board.file(number).responded(track)
    around(
        office, HANNA, number, Do.STATEMENT, {"party": "0", "witness": "Will Witness", "oath": "the chair"}
    )
    (statement,) = office.board.file(number).all(StatementTaken)
    assert (statement.fact.sworn, statement.fact.administered_by) == ("Will Witness", "the chair")


def test_an_exhibit_is_offered_ruled_on_and_listed_in_the_file(office: Office) -> None:
    number, track = office.board.served_case()
    around(office, CLARA, number, Do.OFFER_EXHIBIT, {"paper": "1", "party": str(track)})
    press(office, CLARA, number, Do.OPEN_FILE)
    assert "Exhibit R-1" in office.modal(CLARA).text
    office.practice.close(CLARA, clear=True)
    said = around(office, HANNA, number, Do.RULE_EXHIBIT, {"received": "no", "reason": "unsigned"})
    assert "refused" in said
    (exhibit,) = office.board.file(number).exhibits
    assert exhibit.ruled is not None
    assert (exhibit.ruled.received, exhibit.ruled.ruled_by) == (False, office.board.chair.person)

"""Four whole cases under the ordinance, each played by the command line and by Slack on the same clock.

The two journals are the same but for the actor's way in: kind of entry, actor, instant, case, clause, content.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

import pytest

from store.rules.casefile import LetterState
from store.rules.dates import local_date
from store.rules.duties import StepState
from store.rules.facts import Question, ReprimandReceived
from tests.end_to_end.city import CONNIE_MAIL, MANAGER_MAIL, a_complaint
from tests.end_to_end.conftest import WAYS, GiveWay
from tests.end_to_end.ways import CHAIR, MANAGER, Named, Way

pytestmark = pytest.mark.end_to_end

FIVE = ("Hanna Chair", "Mora Member", "Milo Member", "Maud Member", "Moritz Member")
RORY = Named("Rory Ashby", office="Parks Director", email="rory@bramwell-ky.example")
PAULA = Named("Paula Quint", office="Parks Clerk", postal="12 Mill Lane\nBramwell, Kentucky")
COUNSEL = Named(
    "Sol Counsellor", "respondent-counsel", email="sol@law.example", postal="1 Court Square", of=RORY.name
)


def all_say(choice: str, *voters: str) -> dict[str, str]:
    """Everybody votes alike."""
    return dict.fromkeys(voters or FIVE, choice)


def today(way: Way, number: str) -> date:
    """The day in the city."""
    return local_date(way.city.clock.now(), way.city.board.look(number).profile.city.time_zone)


def to_proper(way: Way, *about: Named, allegation: str = "They used the city's truck at home.") -> str:
    """A complaint comes, is checked, referred where it can be, acknowledged; its respondents are named."""
    city = way.city
    mail = a_complaint(city.clock.now(), *((one.name, one.office) for one in about), allegation=allegation)
    number = city.receive(mail)
    city.later(minutes=30)
    assert any(number in one for one in city.letters(CONNIE_MAIL)), "the receipt goes out at once"
    way.say_form(number, "signed with her typed name")
    if city.file(number).referred is None:
        way.refer(number)
    way.acknowledge(number)
    city.later(minutes=30)
    assert state(way, number, "acknowledge") is StepState.DONE
    for one in about:
        way.name(number, one)
    return number


def state(way: Way, number: str, duty: str) -> StepState:
    """Where a duty of the case stands, or of its first party."""
    return next(one.state for one in way.city.board.look(number).steps if one.duty.id == duty)


def to_answered(way: Way, number: str, *respondents: Named) -> None:
    """Each respondent gets the notice, has his time, and does not use it."""
    for one in respondents:
        way.notice(number, one.name, ["use-of-property"])
    way.city.later(minutes=30)
    way.city.later(days=15)
    for one in respondents:
        way.silence(number, one.name, today(way, number))


def to_sufficient(way: Way, number: str) -> None:
    """The Board meets, and finds jurisdiction and a minimal factual basis; the officer is notified."""
    if not way.city.meetings() or way.city.meetings()[-1].closed is not None:
        way.meet("City Hall, Room 2", "posted and mailed on Monday", FIVE)
    for question in (Question.JURISDICTION, Question.FACTUAL_BASIS):
        assert "carried" in way.vote(number, RORY.name, question, all_say("yes")).lower()
    way.inquiry(number, today(way, number))
    way.determine(number, RORY.name, "sufficient", "The log shows the truck at his home on nine evenings.")
    way.tell_parties(number, RORY.name)


# -- the four cases -----------------------------------------------------------------------------------


def dismissed_as_frivolous(way: Way) -> str:
    """Two respondents, one on paper; frivolous as to both; each party has the decision."""
    city = way.city
    number = to_proper(way, RORY, PAULA)
    way.notice(number, RORY.name, ["use-of-property", "gifts"])
    way.notice(number, PAULA.name, ["use-of-property"])
    city.later(hours=2)
    printed = way.packet(number, PAULA.name, "notice")
    assert len(printed) == len({"label", "cover", "letter", "complaint"})
    assert city.complaint in printed, "byte for byte as it came"
    way.serve(
        number,
        PAULA.name,
        "notice",
        how="in person",
        by="Deputy Ames",
        on=today(way, number),
        received_on=today(way, number),
    )
    assert city.letters(RORY.email), "the notice went by mail"
    city.later(days=8)
    way.answer(number, RORY.name, "a letter of one page, by hand")
    city.later(days=9)
    way.silence(number, PAULA.name, today(way, number))
    way.meet("City Hall, Room 2", "posted and mailed on Monday", FIVE)
    for one in (RORY, PAULA):
        way.vote(number, one.name, Question.JURISDICTION, all_say("yes"))
        way.vote(number, one.name, Question.FRIVOLOUS, all_say("yes", *FIVE[:4]) | {FIVE[4]: "abstain"})
    way.inquiry(number, today(way, number))
    for one in (RORY, PAULA):
        way.determine(number, one.name, "frivolous", "Nothing in the complaint is meant in earnest.")
    way.adjourn()
    way.tell_parties(number, RORY.name, PAULA.name)
    city.later(minutes=30)
    way.serve(
        number,
        PAULA.name,
        "decision_of_termination",
        how="certified mail",
        by="the clerk",
        on=today(way, number),
        received_on=today(way, number),
    )
    city.later(days=1)
    way.close(number)
    return number


def reprimanded_with_a_demand_on_the_last_day(way: Way) -> str:
    """Reprimand; the officer's demand comes on the last day, in time, and goes to the Commission."""
    city = way.city
    number = to_proper(way, RORY)
    to_answered(way, number, RORY)
    to_sufficient(way, number)
    way.vote(number, RORY.name, Question.REPRIMAND, all_say("yes"))
    way.dispose(number, RORY.name, "reprimand", ["no-loss-to-city"])
    way.adjourn()
    city.later(minutes=30)
    way.reprimand(number, RORY.name, "You used the city's truck for your own ends.")
    city.later(minutes=30)
    way.reprimand_received(number, RORY.name, "commission", "signed by its clerk")
    city.later(days=1)
    way.reprimand_received(number, RORY.name, "officer", "signed return receipt")
    step = next(one for one in city.board.look(number).steps if one.duty.id == "demand")
    assert step.dates is not None
    last = step.dates.expected_last_day
    city.later(days=(last - today(way, number)).days)
    assert today(way, number) == last
    assert "timely" in way.demand(number, RORY.name, "He asks for a public hearing.")
    city.later(minutes=30)
    city.later(days=20)
    way.commission_result(number, RORY.name, today(way, number), "The Commission upheld the reprimand.")
    way.close(number)
    assert {one.fact.by for one in city.file(number).all(ReprimandReceived)} == {"commission", "officer"}
    return number


def heard_with_counsel(way: Way) -> str:
    """The officer has counsel, more time, and his say under oath in a planned meeting; then the Board's hearing."""
    city = way.city
    number = to_proper(way, RORY)
    zone = city.board.look(number).profile.city.time_zone
    way.name(number, COUNSEL)
    way.notice(number, RORY.name, ["use-of-property"])
    city.later(minutes=30)
    assert city.letters(COUNSEL.email), "counsel of record is written to as well"
    city.later(days=3)
    track = city.party(number, RORY.name)
    until = today(way, number) + timedelta(days=20)
    way.ask_time(number, RORY.name, until, "counsel is new in the case")
    way.give_time(number, "the record is long")
    assert city.file(number).answer_until(track) == until
    begins = datetime.combine(today(way, number) + timedelta(days=7), time(17, 0), zone)
    way.plan(number, begins, "City Hall, Room 2")
    way.notice_of_meeting("in writing", "members and media that asked")
    for who in FIVE:
        way.coming(who, "in-person")
    forecast = way.forecast()
    assert "Quorum 3 of 5: 5 come" in forecast
    assert number in forecast
    city.clock.set_to(begins.astimezone(UTC))
    way.meet_as_planned(FIVE)
    city.later(minutes=5)
    way.appear(number, RORY.name, COUNSEL.name)
    way.swear(number, RORY.name, "Hanna Chair")
    way.offer(number, RORY.name, "that the log is not his")
    assert city.file(number).responded(track), "who appears and answers has answered"
    to_sufficient(way, number)
    way.vote(number, RORY.name, Question.HEARING, all_say("yes"))
    way.dispose(number, RORY.name, "hearing")
    way.adjourn()
    way.write_minutes()
    city.later(minutes=30)
    first = datetime(2026, 3, 20, 18, 30, tzinfo=zone)
    again = datetime(2026, 3, 27, 18, 30, tzinfo=zone)
    way.hearing(number, RORY.name, first, "City Hall, Room 2", "Whether the truck was used for private ends.")
    city.later(minutes=30)
    noticed = sum("earing" in one for one in city.letters(COUNSEL.email))
    assert noticed == 1
    city.clock.set_to(first.astimezone(UTC))
    way.sitting(number, RORY.name, [RORY.name, COUNSEL.name], "a witness is ill", again)
    city.later(minutes=30)
    assert sum("earing" in one for one in city.letters(COUNSEL.email)) == noticed + 1
    city.clock.set_to(again.astimezone(UTC))
    way.meet("City Hall, Room 2", "posted and mailed on Monday", FIVE)
    way.approve_minutes(FIVE[1], FIVE[2])
    city.later(minutes=5)
    way.sitting(number, RORY.name, [RORY.name, COUNSEL.name], "both sides were heard")
    way.hearing_result(number, RORY.name, today(way, number), "No violation was found.")
    way.adjourn()
    way.send_hearing_result(number, RORY.name)
    city.later(days=1)
    for address in (RORY.email, COUNSEL.email, CONNIE_MAIL):
        assert any("esult" in one for one in city.letters(address)), "each has the result"
    way.close(number)
    return number


def round_the_city_manager(way: Way) -> str:
    """The City Manager is named: it goes round him; one member steps back; a tie, and the vote again."""
    city = way.city
    cyrus = Named("Cyrus Manager", office="City Manager", email="cyrus.manager@home.example")
    number = to_proper(way, cyrus, allegation="Cyrus Manager let a contract to his brother.")
    referred = city.file(number).referred
    assert referred is not None
    assert referred.fact.how == "by policy"
    assert not any(number in one for one in city.letters(MANAGER_MAIL)), "he is told nothing"
    assert way.sees(number, CHAIR)
    assert not way.sees(number, MANAGER)
    to_answered(way, number, cyrus)
    way.recuse(number, FIVE[4])
    assert not way.sees(number, FIVE[4])
    way.meet("City Hall, Room 2", "posted and mailed on Monday", FIVE)
    four = FIVE[:4]
    way.vote(number, cyrus.name, Question.JURISDICTION, all_say("yes", *four))
    split = all_say("yes", *four[:2]) | all_say("no", *four[2:])
    assert "tie" in way.vote(number, cyrus.name, Question.FACTUAL_BASIS, split).lower()
    assert "recused 1" in way.vote(number, cyrus.name, Question.FACTUAL_BASIS, all_say("no", *four)).lower()
    again = city.file(number).ballots
    assert again[-1].opened.reballot_of == again[-2].id
    way.inquiry(number, today(way, number))
    way.determine(number, cyrus.name, "no-basis", "The contract was let after public notice.")
    way.adjourn()
    way.tell_parties(number, cyrus.name)
    city.later(minutes=30)
    assert any("ecision" in one for one in city.letters(cyrus.email))
    city.later(days=1)
    way.close(number)
    return number


@pytest.mark.parametrize(
    "case",
    [
        dismissed_as_frivolous,
        reprimanded_with_a_demand_on_the_last_day,
        heard_with_counsel,
        round_the_city_manager,
    ],
    ids=lambda one: one.__name__,
)
def test_a_whole_case_leaves_the_same_journal_by_either_way_in(
    ways: GiveWay, case: Callable[[Way], str]
) -> None:
    journals = []
    for one in WAYS:
        way = ways(one)
        number = case(way)
        file = way.city.file(number)
        assert file.closed
        assert not [step for step in way.city.board.look(number).steps if step.is_open]
        assert {letter.state for letter in file.letters} <= {LetterState.SENT, LetterState.ON_PAPER}
        assert way.city.ways_in(number) == {one}
        assert way.city.whole()
        journals.append(way.city.entries(number))
    by_cli, by_slack = journals
    for here, there in zip(by_cli, by_slack, strict=False):
        assert here == there
    assert len(by_cli) == len(by_slack) > 25

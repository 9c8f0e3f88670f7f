"""The command /ethics: plain answers, for the asker alone, of what he may see."""

from datetime import timedelta

import pytest

from bot import home, words
from bot.actions.ids import Do
from bot.practice.client import message_text, texts
from bot.practice.state import Role
from store import journal
from store.proceedings.meeting import meetings
from store.rules.facts import DatesMoved
from tests.bot.slack.office import CLARA, CYRUS, HANNA, MORA, USERS, Office, told

pytestmark = pytest.mark.contract


def ask(office: Office, user: str, text: str) -> str:
    outcome = office.practice.command(user, "/ethics", text)
    assert outcome.ok, outcome
    answer = office.last(user)
    assert answer.only_for in {user, ""}
    return message_text(answer)


def refused(office: Office) -> list[str]:
    docket = office.board.docket
    with docket.database.read() as session:
        return [
            str(one.header["act"])
            for one in journal.entries(session, docket.keyring)
            if one.header["refused"]
        ]


def test_help_lists_what_can_be_asked(office: Office) -> None:
    for text in ("help", "", "whatsthis"):
        assert "/ethics case NUMBER" in ask(office, MORA, text)


def test_a_case_is_shown_to_whoever_may_see_it_and_the_reading_is_an_entry(office: Office) -> None:
    number = told(office)
    assert f"Case {number}" in ask(office, MORA, f"case {number}")
    docket = office.board.docket
    with docket.database.read() as session:
        last = journal.newest(session, docket.keyring, 1)[0].header
    assert (last["act"], last["case"]) == ("see-case", number)


@pytest.mark.parametrize("asked", ["EC-2026-0001", "EC-2026-0999", "nonsense"])
def test_a_case_that_one_may_not_see_and_one_that_is_not_there_get_the_same_answer(
    office: Office, asked: str
) -> None:
    told(office, screened=False, proper=False)
    assert "no case of that number that you may open" in ask(office, MORA, f"case {asked}")


def test_the_docket_counts_no_case_that_one_may_not_see(office: Office) -> None:
    number = told(office)
    hidden = told(office, screened=False, proper=False)
    shown = ask(office, MORA, "docket")
    assert number in shown
    assert hidden not in shown
    assert hidden in ask(office, CLARA, "docket")


def test_a_long_docket_and_home_are_turned_page_by_page_where_they_stand(office: Office) -> None:
    made = [office.board.case() for _ in range(23)]
    first = ask(office, CLARA, "docket")
    shown = office.last(CLARA)
    assert [number in first for number in made] == [True] * 20 + [False] * 3
    office.press(CLARA, shown, Do.TURN_DOCKET)
    turned = office.last(CLARA)
    assert (turned.ts, made[-1] in message_text(turned), made[0] in message_text(turned)) == (
        shown.ts,
        True,
        False,
    )
    assert "Page 2 of 2" in message_text(turned)
    assert made[-1] in ask(office, CLARA, "docket 2")
    after = office.practice.last_seq()
    office.practice.open_home(CLARA)
    office.practice.wait("home_published", after, person=CLARA)
    home, after = office.practice.home(CLARA), office.practice.last_seq()
    assert home is not None
    assert f"Open cases:* {len(made)}" in home.text
    office.press(CLARA, home, Do.TURN_HOME)
    office.practice.wait("home_published", after, person=CLARA)
    further = office.practice.home(CLARA)
    assert further is not None
    assert "Page 2 of 2" in further.text


@pytest.mark.parametrize(("role", "team"), [(Role.MEMBER, ""), (Role.GUEST, ""), (Role.MEMBER, "T0OTHER")])
def test_somebody_who_is_not_on_the_roster_gets_one_plain_answer_and_an_entry(
    office: Office, role: Role, team: str
) -> None:
    number = told(office)
    office.practice.add_person("Nosy", person_id="U0NOSY", role=role, team=team)
    for text in ("help", "docket", f"case {number}", "roster", "meeting"):
        assert "You are not on the Board's roster" in ask(office, "U0NOSY", text)
    assert len(refused(office)) == 5


def test_the_city_manager_is_not_shown_cases_or_the_roster(office: Office) -> None:
    number = told(office)
    assert number not in ask(office, CYRUS, "docket")
    assert "no case of that number" in ask(office, CYRUS, f"case {number}")
    assert "not yours" in ask(office, CYRUS, "roster")


def test_the_roster_names_people_and_roles(office: Office) -> None:
    shown = ask(office, HANNA, "roster")
    assert "Hanna Chair" in shown
    assert "chair" in shown


def test_the_calendar_says_which_years_are_adopted(office: Office) -> None:
    assert "2026" in ask(office, USERS["Cora Counsel"], "calendar")


def test_a_meeting_can_be_opened_by_chair_and_clerk_only(office: Office) -> None:
    assert "No meeting is in session" in ask(office, MORA, "meeting")
    assert Do.OPEN_MEETING not in office.offers(office.last(MORA))
    ask(office, HANNA, "meeting")
    assert Do.OPEN_MEETING in office.offers(office.last(HANNA))


def test_a_meeting_is_opened_closed_to_the_public_and_adjourned(office: Office) -> None:
    there = [str(one.person) for one in office.board.members]
    ask(office, HANNA, "meeting")
    office.press(HANNA, office.last(HANNA), Do.OPEN_MEETING)
    assert office.practice.submit(HANNA, {"place": "City Hall", "notice": "posted", "present": there[:3]}).ok
    office.practice.close(HANNA)
    steps = (
        (Do.PRESENCE, {"present": there}, "5 present"),
        (Do.PRESENCE, {"present": there[1:], "presiding": there[1]}, "4 present"),
        (Do.PRESENCE, {"present": there[1:], "by_video": there[3:]}, "4 present, 2 of them by video"),
        (Do.PRESENCE, {"present": there[1:], "by_video": there[2:4]}, "4 present, 2 of them by video"),
        (Do.PRESENCE, {"present": there[2:], "by_video": there[:1]}, "both lists"),
        (Do.CLOSED_SESSION, {"moved": there[1]}, "closed session"),
        (Do.OPEN_SESSION, None, "open session"),
        (Do.CLOSE_MEETING, None, "adjourned"),
    )
    for action, values, said in steps:
        ask(office, HANNA, "meeting")
        office.press(HANNA, office.last(HANNA), action)
        if values is not None:
            assert office.practice.submit(HANNA, values).ok
        assert said in office.said(HANNA)
        office.practice.close(HANNA) if office.practice.modals(HANNA) else None
    assert "No meeting is in session" in ask(office, HANNA, "meeting")
    (held,) = meetings(office.board.docket, office.board.clerk)
    assert held.presided == {int(there[1])}


def test_only_who_presides_or_keeps_the_record_is_offered_to_close_or_adjourn_a_meeting(
    office: Office,
) -> None:
    office.board.meeting()
    leads = {Do.PRESENCE, Do.CLOSED_SESSION, Do.CLOSE_MEETING}
    assert "present" in ask(office, MORA, "meeting")
    assert not leads & office.offers(office.last(MORA))
    shown = " ".join(texts(home.home(office.board.docket, office.board.actor("Mora Member"))))
    assert "A meeting is in session" in shown
    assert "Adjourn" not in shown
    for user in (HANNA, CLARA):
        ask(office, user, "meeting")
        assert leads <= office.offers(office.last(user))


def test_held_mail_is_for_staff(office: Office) -> None:
    assert "Waits for a person:* 0" in ask(office, CLARA, "mail")
    assert "not yours" in ask(office, MORA, "mail")


def test_a_command_of_another_version_is_answered(office: Office) -> None:
    assert office.practice.command(CLARA, "/elsewhere", "x").ok
    assert words.UNKNOWN_CLICK in message_text(office.last(CLARA))


def test_a_year_in_numbers_is_shown_to_the_clerk_and_to_no_member(office: Office) -> None:
    office.board.case()
    assert "Complaints received in 2026" in ask(office, CLARA, "report 2026")
    assert "not yours" in ask(office, MORA, "report 2026")
    assert "Which year?" in ask(office, CLARA, "report")


@pytest.mark.parametrize("year", ["9" * 20_000, "99999", "²", "x", "-1", ""])
def test_a_year_that_is_none_is_asked_for_again(office: Office, year: str) -> None:
    assert "Which year?" in ask(office, CLARA, f"report {year}")


def test_a_year_with_days_that_lie_behind_is_adopted_in_slack_only_where_it_is_said_to_be_meant(
    office: Office,
) -> None:
    number, clerk = told(office), CLARA
    office.board.clock.advance(timedelta(days=9))
    ask(office, clerk, "calendar")
    office.press(clerk, office.last(clerk), Do.READ_CLOSURES)
    assert office.practice.submit(clerk, {"year": "2026", "lines": "2026-02-05 ice storm"}).ok
    assert "1 day was read for 2026" in str(office.modal(clerk).body)
    office.practice.submit(clerk, {"cause": "resolution 12"})
    assert "lie behind" in office.said(clerk)
    assert not list(office.board.file(number).all(DatesMoved))
    office.practice.close(clerk)
    assert office.practice.submit(clerk, {"late": "yes"}).ok
    assert f"{number} acknowledge" in office.said(clerk)

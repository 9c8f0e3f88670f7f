"""Parties of a case: named, corrected, removed, and screened before anybody is told (B2, decisions 9)."""

from datetime import timedelta

import pytest

from store import outbox
from store.outbox import Channel, State
from store.proceedings.determination import Conclusion, determine
from store.proceedings.notice import send_notice
from store.proceedings.parties import correct_party, name_party, no_respondent, remove_party
from store.rules.casefile import LetterState
from store.rules.duties import StepState
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow
from store.rules.facts import Choice, PartyNamed, PartyRole, Question
from tests.proceedings.after_builders import received_case
from tests.proceedings.builders import Board

RESPONDENT, COUNSEL = PartyRole.RESPONDENT, PartyRole.RESPONDENT_COUNSEL


def test_each_respondent_is_a_track_with_its_own_steps(board: Board) -> None:
    number = board.case()
    first, second = board.respondent(number), board.respondent(number, "Second Respondent")
    keys = {one.key for one in board.look(number).steps}
    assert {f"forward:{first}", f"forward:{second}", f"determine:{first}"} <= keys


def test_a_party_is_named_once(board: Board) -> None:
    number = board.case()
    board.respondent(number)
    with pytest.raises(AlreadyDone):
        board.respondent(number, "rory  respondent")


@pytest.mark.parametrize(
    "party",
    [
        PartyNamed(RESPONDENT, "  "),
        PartyNamed(RESPONDENT, "Rory", ("no address",)),
        PartyNamed(RESPONDENT, "Rory", represents=1),
        PartyNamed(COUNSEL, "Lou Lawyer"),
        PartyNamed(COUNSEL, "Lou Lawyer", represents=99999),
    ],
)
def test_a_party_that_cannot_be_one_is_refused(board: Board, party: PartyNamed) -> None:
    number = board.case()
    with pytest.raises(BadInput):
        name_party(board.docket, board.clerk, number, party)


def test_counsel_stands_on_the_side_of_whom_he_represents(board: Board) -> None:
    number = board.case()
    complainant = board.file(number).complainants[0].id
    with pytest.raises(BadInput):
        name_party(board.docket, board.clerk, number, PartyNamed(COUNSEL, "Lou", represents=complainant))
    track = board.respondent(number)
    lawyer = name_party(board.docket, board.clerk, number, PartyNamed(COUNSEL, "Lou", represents=track))
    assert [one.id for one in board.file(number).counsel_of(track)] == [lawyer]


@pytest.mark.parametrize(
    ("name", "email"),
    [("Mora Member", ""), ("MEMBER, Mora", ""), ("Somebody Else", "Cyrus@bramwell-ky.example")],
)
def test_a_roster_person_who_is_named_is_walled_off_at_once(board: Board, name: str, email: str) -> None:
    number = board.case()
    who = board.actor("Cyrus Manager") if email else board.members[1]
    name_party(board.docket, board.clerk, number, PartyNamed(RESPONDENT, name, (email,) if email else ()))
    assert board.file(number).walled(who.person or 0)
    with pytest.raises(NoSuchCase):
        board.look(number, who)


def test_when_the_city_manager_is_named_the_referral_goes_round_him_by_policy(board: Board) -> None:
    number = board.case()
    name_party(board.docket, board.clerk, number, PartyNamed(RESPONDENT, "Cyrus Manager"))
    referred = board.file(number).referred
    assert referred is not None
    assert referred.fact.how == "by policy"


def test_a_correction_keeps_party_track_and_dates(board: Board) -> None:
    number = board.case()
    track = board.respondent(number, "Rory Respodent")
    named_at = board.clock.now()
    board.clock.advance(timedelta(days=40))
    corrected = PartyNamed(RESPONDENT, "Rory Respondent", ("rory@office.example",))
    with pytest.raises(BadInput):
        correct_party(board.docket, board.clerk, number, track, corrected=corrected, reason=" ")
    correct_party(board.docket, board.clerk, number, track, corrected=corrected, reason="misspelt")
    (party,) = board.file(number).respondents
    assert (party.id, party.named.name) == (track, "Rory Respondent")
    step = next(one for one in board.look(number).steps if one.key == "name-respondents")
    assert (step.done_at, step.on_time) == (named_at, True)
    with pytest.raises(AlreadyDone):
        correct_party(board.docket, board.clerk, number, track, corrected=corrected, reason="twice")
    assert len(board.file(number).respondents) == 1


def test_a_letter_to_a_wrong_address_is_taken_back_before_it_goes(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    (letter,) = send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    corrected = PartyNamed(RESPONDENT, "Rory Respondent", ("right@office.example",))
    correct_party(board.docket, board.clerk, number, track, corrected=corrected, reason="wrong address")
    (view,) = board.file(number).letters_to("notice", track)
    assert (view.id, view.state) == (letter, LetterState.WITHDRAWN)
    with board.docket.database.read() as session:
        assert not [one for one in outbox.waiting(session, Channel.MAIL) if one.state is State.HELD_BACK]
    assert send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])


def test_a_removed_respondent_has_no_steps_and_gets_no_letter(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    remove_party(board.docket, board.clerk, number, track, reason="another person of that name")
    assert board.file(number).respondents == ()
    assert board.file(number).letters_to("notice", track)[0].state is LetterState.WITHDRAWN
    assert f"forward:{track}" not in {one.key for one in board.look(number).steps}
    with pytest.raises(AlreadyDone):
        remove_party(board.docket, board.clerk, number, track, reason="again")


def test_that_nobody_can_be_named_is_a_reasoned_fact(board: Board) -> None:
    number = board.case()
    with pytest.raises(BadInput):
        no_respondent(board.docket, board.clerk, number, reason="")
    no_respondent(board.docket, board.clerk, number, reason="against the city as such")
    step = next(one for one in board.look(number).steps if one.key == "name-respondents")
    assert step.state is StepState.DONE
    board.respondent(number)
    with pytest.raises(NotNow):
        no_respondent(board.docket, board.clerk, number, reason="again")


def test_only_the_clerk_names_parties(board: Board) -> None:
    number = board.case()
    with pytest.raises(NotAllowed):
        name_party(board.docket, board.members[1], number, PartyNamed(RESPONDENT, "Rory"))


def test_counsel_gets_letters_on_the_days_of_his_representation_only(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    today = board.look(number).today
    for name, since, until in (
        ("Past Counsel", None, today - timedelta(days=1)),
        ("Now Counsel", today, today),
        ("Next Counsel", today + timedelta(days=1), None),
    ):
        named = PartyNamed(
            COUNSEL,
            name,
            (f"{name[:4].strip().lower()}@law.example",),
            represents=track,
            since=since,
            until=until,
        )
        name_party(board.docket, board.clerk, number, named)
    letters = send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    to = {one.id: one.queued.to_party for one in board.file(number).letters}
    names = [party.named.name for one in letters if (party := board.file(number).party(to[one]))]
    assert names == ["Rory Respondent", "Now Counsel"]


def test_counsel_of_a_reprimanded_officer_is_named_after_the_case_is_final_and_nobody_else(
    board: Board,
) -> None:
    number, track = received_case(board)
    assert board.file(number).final
    counsel = PartyNamed(COUNSEL, "Lou Lawyer", ("lou@law.example",), represents=track)
    key = name_party(board.docket, board.clerk, number, counsel)
    assert [one.id for one in board.file(number).counsel_of(track)] == [key]
    theirs = PartyNamed(
        PartyRole.COMPLAINANT_COUNSEL, "Ann", represents=board.file(number).complainants[0].id
    )
    with pytest.raises(NotNow, match="final"):
        name_party(board.docket, board.clerk, number, theirs)
    with pytest.raises(NotAllowed, match="final"):
        board.respondent(number, "Second Respondent")
    with pytest.raises(NotAllowed, match="final"):
        remove_party(board.docket, board.clerk, number, track, reason="in error")
    remove_party(board.docket, board.clerk, number, key, reason="the mandate ended")
    assert board.file(number).counsel_of(track) == ()


def test_after_a_termination_no_counsel_is_named(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION, Choice.NO)
    determine(board.docket, board.chair, number, track, Conclusion(False, None, "A private quarrel."))
    with pytest.raises(NotNow, match="reprimanded"):
        name_party(board.docket, board.clerk, number, PartyNamed(COUNSEL, "Lou Lawyer", represents=track))

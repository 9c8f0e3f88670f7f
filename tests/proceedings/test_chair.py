"""Who presides in the chair's place has the chair's rights in that meeting, and in nothing else (B1, B4)."""

import pytest

from store.proceedings.ballot import Motion, close_ballot, open_ballot, void_ballot
from store.proceedings.meeting import close_meeting, open_meeting, record_presence, take_chair
from store.proceedings.recusal import recuse
from store.proceedings.roster import add_person
from store.rules.errors import AlreadyDone, BadInput, NotAllowed, NotNow
from store.rules.facts import Choice, Question
from tests.proceedings.builders import Board


def test_the_acting_chair_voids_a_ballot_that_a_recused_chair_cannot_and_an_alternate_enters(
    board: Board,
) -> None:
    number, track = board.served_case()
    held = board.meeting(*board.members, board.alternate)
    key = board.ballot(number, track, held)
    recuse(board.docket, board.chair, number)
    mora = board.actor("Mora Member")
    assert mora.person is not None
    with pytest.raises(NotAllowed):
        void_ballot(board.docket, mora, number, key, "an alternate enters")
    take_chair(board.docket, board.clerk, held, mora.person)
    void_ballot(board.docket, mora, number, key, "an alternate enters")
    chair, alma = board.chair.person, board.alternate.person
    assert chair is not None
    assert alma is not None
    motion = Motion(track, Question.JURISDICTION, held, alternates={alma: chair})
    again = open_ballot(board.docket, mora, number, motion)
    view = board.file(number).ballot(again)
    assert view is not None
    assert view.opened.reballot_of == key
    assert alma in view.opened.roster
    for actor in (mora, board.alternate, board.actor("Milo Member")):
        board.vote(number, again, actor, Choice.YES)
    assert close_ballot(board.docket, mora, number, again).yes == 3


def test_the_acting_chair_overrides_with_a_reason_and_only_while_he_presides(board: Board) -> None:
    number = board.case()
    track = board.respondent(number)
    mora = board.actor("Mora Member")
    there = [one.person for one in board.members if one.person is not None]
    held = open_meeting(
        board.docket,
        board.clerk,
        "City Hall",
        notice_given="posted",
        present=there,
        presiding=mora.person,
    )
    board.decide(number, track, held, Question.JURISDICTION)
    motion = Motion(track, Question.FACTUAL_BASIS, held, override_reason="the officer asks for it")
    milo = board.actor("Milo Member")
    with pytest.raises(NotAllowed):
        open_ballot(board.docket, milo, number, motion)
    key = open_ballot(board.docket, mora, number, motion)
    close_ballot(board.docket, mora, number, key)
    close_meeting(board.docket, mora, held)
    board.meeting()
    with pytest.raises(NotAllowed):
        open_ballot(board.docket, mora, number, motion)


def test_presiding_gives_nothing_outside_the_meeting(board: Board) -> None:
    held = board.meeting()
    mora = board.actor("Mora Member")
    assert mora.person is not None
    take_chair(board.docket, board.clerk, held, mora.person)
    with pytest.raises(NotAllowed):
        add_person(board.docket, mora, "Nadia New")


def test_who_takes_the_chair_sits_on_the_board_and_is_present(board: Board) -> None:
    held = board.meeting(*board.members[:3])
    for person in (board.clerk.person, board.actor("Maud Member").person):
        assert person is not None
        with pytest.raises(BadInput):
            take_chair(board.docket, board.chair, held, person)
    mora = board.actor("Mora Member").person
    assert mora is not None
    take_chair(board.docket, board.chair, held, mora)
    with pytest.raises(AlreadyDone):
        take_chair(board.docket, board.chair, held, mora)
    with pytest.raises(NotNow, match="chair empty"):
        record_presence(board.docket, board.clerk, held, mora, present=False)

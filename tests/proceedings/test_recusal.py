"""Recusal in one step (B2, decisions 17)."""

import pytest

from store import outbox
from store.cases import Actor
from store.ports import PingKind
from store.proceedings.recusal import recuse
from store.rules.access import Via
from store.rules.errors import AlreadyDone, NoSuchCase, NotAllowed
from tests.proceedings.builders import Board


def test_a_member_recuses_in_one_step_and_is_out_at_once(board: Board) -> None:
    number = board.case()
    member = board.members[1]
    recuse(board.docket, member, number, "a neighbour")
    with pytest.raises(NoSuchCase):
        board.look(number, member)
    assert board.file(number).recused == {member.person}


def test_who_stepped_back_before_is_told_so(board: Board) -> None:
    number = board.case()
    recuse(board.docket, board.members[1], number)
    with pytest.raises(AlreadyDone):
        recuse(board.docket, board.members[1], number)


def test_nobody_steps_back_for_another(board: Board) -> None:
    from store.proceedings.roster import name_deputy

    number = board.case()
    deputy, member = board.members[1], board.members[2]
    name_deputy(board.docket, board.clerk, deputy.person or 0, acts_for=member.person or 0)
    with pytest.raises(NotAllowed):
        recuse(board.docket, Actor(deputy.person, Via.SLACK, acting_for=member.person), number)


def test_clerk_and_chair_are_told_and_the_channel_follows(board: Board) -> None:
    number = board.case()
    with board.docket.database.read() as session:
        before = {one.id for one in outbox.waiting(session)}
    recuse(board.docket, board.members[1], number)
    with board.docket.database.read() as session:
        new = [one for one in outbox.waiting(session) if one.id not in before]
        told = {
            owed.ping.person
            for one in new
            if one.kind == PingKind.RECUSED
            and (owed := outbox.read(session, board.docket.keyring, one.id))
            and owed.ping
        }
    assert told == {board.clerk.person, board.chair.person}
    assert PingKind.CASE_CHANNEL in {one.kind for one in new}


def test_a_chair_who_steps_back_is_told_nothing_more(board: Board) -> None:
    number = board.case()
    recuse(board.docket, board.chair, number)
    with board.docket.database.read() as session:
        last = [
            owed.ping.person
            for one in outbox.waiting(session)
            if one.kind == PingKind.RECUSED
            and (owed := outbox.read(session, board.docket.keyring, one.id))
            and owed.ping
        ]
    assert last == [board.clerk.person]

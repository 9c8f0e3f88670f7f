"""The roster on the record (B1, decisions 7 and 8)."""

from datetime import date

import pytest

from store import journal, outbox
from store.cases import roster_of
from store.ports import PingKind
from store.proceedings.parties import name_party
from store.proceedings.roster import (
    add_person,
    leave_role,
    link,
    parse_roster,
    rename_person,
    seed_roster,
    take_role,
    unlink,
)
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow
from store.rules.facts import LinkKind, PartyNamed, PartyRole, Role
from store.rules.roster import Roster
from tests.proceedings.builders import ROSTER, Board

TODAY = date(2026, 2, 2)


def _people(board: Board) -> Roster:
    with board.docket.database.read() as session:
        return roster_of(board.docket, session)


def _entries(board: Board) -> int:
    with board.docket.database.read() as session:
        return journal.head(session)[0]


def test_the_same_roster_file_changes_nothing(board: Board) -> None:
    before = _entries(board)
    assert seed_roster(board.docket, ROSTER) == 0
    assert _entries(board) == before


def test_a_file_that_gives_one_login_to_two_people_is_refused_by_what_they_share(board: Board) -> None:
    before = _people(board).members
    twice = "".join(
        f"[[person]]\nname = '{name}'\naccount = ['docket']\n[[person.role]]\nrole = 'it'\nsince = 2025-01-01\n"
        for name in ("Nora New", "Backup timer")
    )
    with pytest.raises(AlreadyDone, match="The login is somebody else's already"):
        seed_roster(board.docket, twice)
    assert not any(
        _people(board).roles(person, TODAY) for person in set(_people(board).members) - set(before)
    )


def test_a_role_that_was_left_does_not_come_back_with_the_file(board: Board) -> None:
    member = board.members[1].person or 0
    leave_role(board.docket, board.clerk, member, Role.MEMBER)
    assert seed_roster(board.docket, ROSTER) == 0
    assert _people(board).roles(member, TODAY) == frozenset()


def test_a_file_with_a_new_person_and_an_earlier_end_of_a_term_adds_just_these(board: Board) -> None:
    changed = ROSTER.replace(
        'name = "Milo Member"\n[[person.role]]\nrole = "member"\nsince = 2025-01-01',
        'name = "Milo Member"\n[[person.role]]\nrole = "member"\nsince = 2025-01-01\nuntil = 2026-02-10',
    )
    changed += '\n[[person]]\nname = "Nora New"\n[[person.role]]\nrole = "member"\nsince = 2026-02-11\n'
    assert seed_roster(board.docket, changed) == 3
    assert seed_roster(board.docket, changed) == 0
    milo, people = board.members[2].person or 0, _people(board)
    assert people.roles(milo, date(2026, 2, 10)) == {Role.MEMBER}
    assert people.roles(milo, date(2026, 2, 11)) == frozenset()
    assert board.person("Nora New") in people.voting(date(2026, 2, 11))


@pytest.mark.parametrize(
    "text",
    [
        "[[person]",
        "[[person]]\nnome = 'x'",
        "[[person]]\nname = 'x'\n[[person.role]]\nrole = 'king'\nsince = 2025-01-01",
        "[[person]]\nname = 'x'\n[[person.role]]\nrole = 'member'",
    ],
)
def test_a_roster_file_that_cannot_be_used_is_refused_whole(board: Board, text: str) -> None:
    before = _entries(board)
    with pytest.raises(BadInput):
        seed_roster(board.docket, text)
    assert _entries(board) == before


def test_a_wrong_address_in_the_file_is_refused_without_repeating_it(board: Board) -> None:
    with pytest.raises(BadInput) as refused:
        seed_roster(board.docket, "[[person]]\nname = 'N'\nemail = ['not an address']\n")
    assert "not an address" not in str(refused.value)


def test_only_clerk_and_chair_set_the_roster(board: Board) -> None:
    with pytest.raises(NotAllowed):
        add_person(board.docket, board.members[1], "Friend")
    new = add_person(board.docket, board.chair, "Nora  New", ["N. New"])
    assert _people(board).members[new].name == "Nora New"


def test_a_person_without_a_role_has_no_right(board: Board) -> None:
    from store.cases import Actor, look
    from store.rules.access import Via

    number = board.case()
    new = add_person(board.docket, board.clerk, "Nora New")
    with pytest.raises(NoSuchCase):
        look(board.docket, Actor(new, Via.SLACK), board.key(number))
    take_role(board.docket, board.clerk, new, Role.MEMBER)
    assert look(board.docket, Actor(new, Via.SLACK), board.key(number)).case.number == number


def test_who_is_a_party_is_walled_off_before_a_role_gives_him_any_right(board: Board) -> None:
    from store.cases import Actor, look
    from store.rules.access import Via

    number = board.case()
    board.respondent(number, "Rory Respondent")
    new = add_person(board.docket, board.clerk, "Respondent, Rory")
    take_role(board.docket, board.clerk, new, Role.MEMBER)
    with pytest.raises(NoSuchCase):
        look(board.docket, Actor(new, Via.SLACK), board.key(number))
    assert board.file(number).walled(new)


def test_an_address_of_a_party_walls_off_too_and_a_refused_try_walls_nobody(board: Board) -> None:
    number = board.case()
    board.respondent(number, "Rory Respondent", "rory@office.example")
    member = board.members[1].person or 0
    with pytest.raises(NotAllowed):
        link(board.docket, board.members[2], member, LinkKind.EMAIL, "rory@office.example")
    assert not board.file(number).walled(member)
    link(board.docket, board.clerk, member, LinkKind.EMAIL, "Rory@office.example")
    assert board.file(number).walled(member)


def test_a_new_alias_is_screened_as_well(board: Board) -> None:
    number = board.case()
    board.respondent(number, "Rory Respondent")
    member = board.members[1].person or 0
    rename_person(board.docket, board.clerk, member, "Mora Member", aliases=["Rory Respondent"])
    assert board.file(number).walled(member)


def test_a_change_of_roles_lets_the_channels_follow(board: Board) -> None:
    number = board.case()
    with board.docket.database.read() as session:
        before = {one.id for one in outbox.waiting(session)}
    leave_role(board.docket, board.clerk, board.members[1].person or 0, Role.MEMBER)
    with board.docket.database.read() as session:
        new = [one for one in outbox.waiting(session) if one.id not in before]
    assert [(one.kind, one.case_id) for one in new] == [(PingKind.CASE_CHANNEL, board.key(number))]


def test_a_link_is_one_persons_at_a_time(board: Board) -> None:
    clerk, member = board.clerk.person or 0, board.members[1].person or 0
    with pytest.raises(AlreadyDone):
        link(board.docket, board.chair, member, LinkKind.SLACK, "t1:u1")
    unlink(board.docket, board.chair, clerk, LinkKind.SLACK, "T1:U1")
    assert _people(board).by_link(LinkKind.SLACK, "T1:U1", TODAY) is None
    link(board.docket, board.chair, member, LinkKind.SLACK, "T1:U1")
    assert _people(board).by_link(LinkKind.SLACK, "T1:U1", TODAY) == member


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (LinkKind.SLACK, "U1"),
        (LinkKind.SLACK, "T1:"),
        (LinkKind.EMAIL, "no address"),
        (LinkKind.SYSTEM_ACCOUNT, "two words"),
        (LinkKind.SYSTEM_ACCOUNT, ""),
    ],
)
def test_a_link_that_cannot_be_one_is_refused(board: Board, kind: LinkKind, value: str) -> None:
    with pytest.raises(BadInput):
        link(board.docket, board.clerk, board.clerk.person or 0, kind, value)


def test_the_roster_file_reads_terms_and_links() -> None:
    file = parse_roster(ROSTER)
    assert len(file.people) == 10
    assert file.people[0].links()[LinkKind.SYSTEM_ACCOUNT] == ("clara",)


def test_the_last_who_may_change_the_roster_stays_until_a_successor_is_named(board: Board) -> None:
    clerk, chair = board.clerk.person or 0, board.chair.person or 0
    leave_role(board.docket, board.clerk, chair, Role.CHAIR)
    with pytest.raises(NotNow):
        leave_role(board.docket, board.clerk, clerk, Role.CLERK)
    take_role(board.docket, board.clerk, board.members[1].person or 0, Role.CHAIR)
    leave_role(board.docket, board.clerk, clerk, Role.CLERK)
    assert _people(board).roles(clerk, TODAY) == frozenset()


@pytest.mark.parametrize("name", ["Mora Member", " mora  MEMBER "])
def test_two_people_of_the_roster_never_have_one_name(board: Board, name: str) -> None:
    with pytest.raises(AlreadyDone):
        add_person(board.docket, board.clerk, name)
    other = add_person(board.docket, board.clerk, "Mora B. Member")
    with pytest.raises(AlreadyDone):
        rename_person(board.docket, board.clerk, other, name, aliases=())
    rename_person(board.docket, board.clerk, board.person("Mora Member"), "Mora Member", aliases=("Mo",))


def test_a_name_that_is_refused_walls_nobody_off(board: Board) -> None:
    number = board.case()
    name_party(board.docket, board.clerk, number, PartyNamed(PartyRole.RESPONDENT, "Mora B. Member"))
    other = add_person(board.docket, board.clerk, "Mora B. Member")
    walled = board.file(number).walled(board.person("Milo Member"))
    with pytest.raises(AlreadyDone):
        rename_person(
            board.docket, board.clerk, board.person("Milo Member"), "Mora B. Member", aliases=("Mora Member",)
        )
    assert board.file(number).walled(board.person("Milo Member")) == walled
    assert not walled
    assert other


def test_whoever_leaves_last_is_told_of_and_the_way_on_is_named(board: Board) -> None:
    chair, clerk = board.person("Hanna Chair"), board.person("Clara Clerk")
    (said,) = leave_role(board.docket, board.clerk, chair, Role.CHAIR)
    assert "Nobody is chair" in said
    assert "docket roster take" in said
    take_role(board.docket, board.clerk, board.person("Mora Member"), Role.CHAIR)
    take_role(board.docket, board.clerk, board.person("Alma Alternate"), Role.CLERK)
    assert leave_role(board.docket, board.clerk, clerk, Role.CLERK) == ()


def test_a_member_who_leaves_the_board_without_a_quorum_is_told_of(board: Board) -> None:
    said = [leave_role(board.docket, board.clerk, one.person or 0, Role.MEMBER) for one in board.members[2:]]
    assert [bool(one) for one in said] == [False, False, True]
    assert "2 seats of 5 are filled" in said[-1][0]

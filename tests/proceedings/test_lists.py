"""Lists are read from the docket's lines, and show just what the access table opens (B2, C2, C5)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import cards, home
from store.cases import (
    MACHINE,
    Actor,
    Listing,
    Order,
    act,
    case_by_number,
    load_case,
    looks,
    most_urgent,
    page_of,
    pending,
    profile_in_force,
    reindex,
    roster_of,
    situation_of,
    standing_of,
    verify,
)
from store.proceedings import recusal
from store.proceedings.calendar import close_day
from store.proceedings.roster import add_person, leave_role, name_deputy, take_role
from store.rules import access
from store.rules.access import Deed, Membership, Scope, Via
from store.rules.dates import local_date
from store.rules.duties import DueList, due_list
from store.rules.errors import NotAllowed
from store.rules.facts import (
    BallotClosed,
    BallotOpened,
    BallotVoided,
    CaseClosed,
    Choice,
    ClearedInstead,
    ConflictFound,
    ConflictLifted,
    Fact,
    Question,
    Recused,
    Referred,
    Reopened,
    Role,
    Screened,
    VoteCast,
)
from tests.proceedings.builders import Board
from tests.proceedings.listing import expected, seen_by

ON_CASES = [deed for deed, right in access.TABLE.items() if right.scope is Scope.CASE]
PERSONS = st.integers(1, 11)


def numbers(board: Board, actor: Actor, listing: Listing, deed: Deed = Deed.SEE_CASE) -> list[str]:
    """Give a whole list, page after page."""
    found: list[str] = []
    page = page_of(board.docket, actor, listing, deed=deed, most=3)
    for number in range(page.pages):
        part = page_of(board.docket, actor, listing, deed=deed, page=number, most=3)
        found += [one.number for one in part.cases]
    assert len(found) == page.total
    return found


# -- who may see --------------------------------------------------------------------------------------


def _ballot(at: datetime, persons: Sequence[int]) -> Fact:
    return BallotOpened(
        0,
        "",
        Question.JURISDICTION,
        at,
        tuple(persons),
        5,
        0,
        (),
        "",
        "",
    )


_BALLOT = st.tuples(
    st.just("ballot"),
    st.lists(PERSONS, max_size=4, unique=True),
    st.lists(PERSONS, max_size=2),
    st.sampled_from(["open", "closed", "void"]),
)
_FACT = st.one_of(
    st.builds(lambda unreadable: ("fact", Screened(by_machine=True, unreadable=unreadable)), st.booleans()),
    st.just(("fact", Screened(by_machine=False))),
    st.builds(lambda person: ("fact", ConflictFound(person, "named")), PERSONS),
    st.builds(lambda person: ("fact", ConflictLifted(person, "another")), PERSONS),
    st.builds(lambda person: ("fact", Recused(person)), PERSONS),
    st.builds(lambda some: ("fact", ClearedInstead(Role.CHAIR, tuple(some))), st.lists(PERSONS, max_size=2)),
    st.just(("closed",)),
    st.just(("reopened",)),
    st.just(("referred",)),
    _BALLOT,
)


def _write(board: Board, number: str, told: Sequence[tuple[object, ...]]) -> None:
    with act(board.docket, MACHINE, Deed.FILE_COMPLAINT, case_id=board.key(number)) as step:
        for one in told:
            match one:
                case ("fact", Fact() as fact):
                    step.record(fact)
                case ("closed",):
                    step.record(CaseClosed(step.now))
                case ("reopened",):
                    step.record(Reopened(step.now, "new evidence"))
                case ("referred",):
                    step.record(Referred(step.now, "in person"))
                case ("ballot", list(roster), list(voted), state):
                    ballot = step.record(_ballot(step.now, roster))
                    for person in voted:
                        step.record(
                            VoteCast(person, Choice.YES, f"{ballot}:{person}", step.now), about=ballot
                        )
                    if state == "closed":
                        step.record(BallotClosed(step.now, "carried", "", 1, 0, 0), about=ballot)
                    if state == "void":
                        step.record(BallotVoided(step.now, "an alternate"), about=ballot)
                case _:
                    raise AssertionError(one)


def _actors(board: Board) -> list[Actor]:
    with board.docket.database.read() as session:
        people = sorted(roster_of(board.docket, session).members)
    deputies = [Actor(one, Via.CLI, acting_for=other) for one in people[-2:] for other in people[:4]]
    return [
        MACHINE,
        Actor(None, Via.SLACK),
        Actor(99, Via.SLACK),
        Actor(people[0], Via.SLACK, membership=Membership.GUEST),
        *(Actor(person, Via.SLACK) for person in people),
        *deputies,
    ]


@pytest.fixture
def many_offices(board: Board) -> Board:
    """The Board, with somebody of two offices, a deputy, and somebody whose office ended."""
    double = add_person(board.docket, board.clerk, "Dora Double")
    take_role(board.docket, board.clerk, double, Role.ALTERNATE, since=board.clock.now().date())
    take_role(board.docket, board.clerk, double, Role.CITY_MANAGER, since=board.clock.now().date())
    name_deputy(board.docket, board.chair, double, acts_for=board.clerk.person or 0)
    leave_role(board.docket, board.clerk, board.person("Moritz Member"), Role.MEMBER, reason="moved away")
    return board


@given(cases=st.lists(st.lists(_FACT, max_size=9), min_size=1, max_size=3), more=st.sampled_from(ON_CASES))
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
def test_a_list_is_just_what_looking_into_every_case_would_show(
    many_offices: Board, cases: list[list[tuple[object, ...]]], more: Deed
) -> None:
    board, made = many_offices, []
    for told in cases:
        made.append(board.case(proper=False))
        _write(board, made[-1], told)
    with board.docket.database.read() as session:
        people = roster_of(board.docket, session)
        files = [load_case(board.docket, session, board.key(number)) for number in made]
        profile, _digest = profile_in_force(session)
    today = local_date(board.clock.now(), profile.city.time_zone)
    for actor in _actors(board):
        standing = standing_of(actor, people, today)
        for deed in {Deed.SEE_CASE, more}:
            right = {
                one.number for one in files if access.may(deed, standing, situation_of(actor, one, standing))
            }
            page = page_of(board.docket, actor, Listing.ALL, deed=deed, most=10_000)
            assert {one.number for one in page.cases} & set(made) == right
            assert page.total == len(page.cases)


def test_every_list_of_everybody_is_as_told_from_the_facts(many_offices: Board) -> None:
    board = many_offices
    board.case(proper=False, screened=False)
    served, track = board.served_case()
    board.ballot(served, track, board.meeting())
    recusal.recuse(board.docket, board.members[1], board.case())
    bounced = board.case()
    board.serve(bounced, board.respondent(bounced))
    (letter,) = board.file(bounced).letters_to("notice")
    board.settle(bounced, letter.id, "bounced")
    for actor in _actors(board):
        for listing in Listing:
            assert numbers(board, actor, listing) == expected(board, actor, listing)
    manager = board.actor("Cyrus Manager")
    assert numbers(board, manager, Listing.TO_REFER, Deed.REFER)
    assert numbers(board, manager, Listing.TO_REFER, Deed.REFER) == expected(
        board, manager, Listing.TO_REFER, Deed.REFER
    )


def test_who_is_walled_off_gets_no_line_and_no_count(board: Board) -> None:
    shown, hidden = board.case(), board.case()
    before = page_of(board.docket, board.members[1], Listing.ALL)
    assert before.total == 2
    _write(board, hidden, [("fact", ConflictFound(board.members[1].person or 0, "named"))])
    after = page_of(board.docket, board.members[1], Listing.ALL)
    assert ([one.number for one in after.cases], after.total) == ([shown], 1)
    assert hidden not in str(home.home(board.docket, board.members[1]))


# -- order, pages and dates -----------------------------------------------------------------------------


def test_pages_hold_each_case_once_and_one_beyond_the_last_is_the_last(board: Board) -> None:
    made = [board.case() for _ in range(7)]
    for order in Order:
        pages = [
            page_of(board.docket, board.clerk, Listing.ALL, order=order, page=n, most=3) for n in range(3)
        ]
        assert sorted(one.number for page in pages for one in page.cases) == made
    beyond = page_of(board.docket, board.clerk, Listing.ALL, page=99, most=3)
    assert (beyond.number, beyond.pages, len(beyond.cases)) == (2, 3, 1)


def test_what_is_due_first_is_told_from_the_stored_dates_on_every_day(board: Board) -> None:
    for _ in range(3):
        number = board.case()
        board.serve(number, board.respondent(number))
        board.clock.advance(timedelta(days=3))
    close_day(board.docket, board.clerk, (board.clock.now() + timedelta(days=2)).date(), "ice storm")
    for _day in range(45):
        page = page_of(board.docket, board.clerk, Listing.WORKING, most=50)
        told = pending(board.docket, page.cases)
        for seen in seen_by(board, board.clerk):
            steps = [one for one in seen.steps if one.is_open]
            ranked = sorted(
                steps,
                key=lambda one: (_RANK[due_list(one, seen.today, seen.calendar)], str(one.act_by or "9999")),
            )
            first = told[seen.case.key]
            assert (first.step, first.list, first.act_by) == (
                ranked[0].key,
                due_list(ranked[0], seen.today, seen.calendar),
                ranked[0].act_by,
            )
        board.clock.advance(timedelta(days=1))


_RANK = {one: place for place, one in enumerate(reversed(DueList))}


def test_the_most_urgent_dates_are_found_without_looking_into_every_case(board: Board) -> None:
    for _ in range(6):
        number = board.case()
        board.serve(number, board.respondent(number))
        board.clock.advance(timedelta(days=4))
    for _week in range(5):
        by_all = _urgent(board, [one.case.key for one in seen_by(board, board.clerk)])
        by_lines = _urgent(board, most_urgent(board.docket, board.clerk, 3))
        assert by_lines[:3] == by_all[:3]
        board.clock.advance(timedelta(days=7))


def _urgent(board: Board, keys: Sequence[int]) -> list[tuple[int, str, int]]:
    lines = [
        (_RANK[line.list], str(line.since), seen.case.key)
        for seen in looks(board.docket, board.clerk, keys)
        for line in cards.due_lines(seen)
        if line.list is not DueList.LATER
    ]
    return sorted(lines)


# -- derived, and so compared and made anew -------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE docket_line SET stage = 'closed'", "stage"),
        ("UPDATE docket_line SET screened = 0", "screened"),
        ("DELETE FROM docket_line", "there is none"),
        ("DELETE FROM case_standing", "to whom it stands how"),
        ("INSERT INTO case_standing VALUES (1, 3, 'walled')", "to whom it stands how"),
        (
            "UPDATE due SET overdue_after = '2030-01-01' WHERE duty = 'acknowledge'",
            "the dates of acknowledge",
        ),
        ("UPDATE due SET settled = 1 WHERE step = 'inquiry'", "the dates of inquiry"),
        ("DELETE FROM due WHERE step = 'inquiry'", "the dates of inquiry"),
    ],
)
def test_verify_names_the_case_whose_line_is_not_what_its_facts_tell_and_reindex_mends_it(
    board: Board, change: str, what: str
) -> None:
    number = board.case()
    recusal.recuse(board.docket, board.members[1], number)
    with board.docket.database.write() as session:
        session.connection().execute(sa.text(change))
    fault = verify(board.docket, MACHINE)
    assert fault is not None
    assert fault.derived
    assert number in fault.says
    assert what in fault.says
    assert "docket reindex" in fault.in_words
    assert reindex(board.docket, board.actor("Ivo Machinist")) == 1
    assert verify(board.docket, MACHINE) is None


def test_writing_the_lines_anew_is_for_it_and_clerk(board: Board) -> None:
    board.case()
    with pytest.raises(NotAllowed):
        reindex(board.docket, board.members[1])


def test_a_number_is_found_in_any_letters(board: Board) -> None:
    number = board.case()
    with board.docket.database.read() as session:
        assert case_by_number(session, number) == case_by_number(session, f" {number.lower()} ")
        assert case_by_number(session, "EC-1999-0001") is None

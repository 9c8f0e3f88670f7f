"""The gate: rights where an act runs, whole transactions, and a record that stays consistent (C2, C5, B4)."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import journal, outbox
from store.cases import MACHINE, Actor, act, entitled, look, open_case, read_document, verify, visible_cases
from store.cases.acts import EACH_ENTERED
from store.ports import PingKind
from store.proceedings import ballot, recusal
from store.proceedings.roster import add_person, leave_role, name_deputy, take_role
from store.rules import ballots, counting
from store.rules.access import Deed, Membership, Via
from store.rules.errors import NoSuchCase, NotAllowed, Refusal
from store.rules.facts import BallotClosed, Choice, Question, Recused, Role, Withdrawn
from store.vault import Vault
from tests.proceedings.builders import Board


def test_an_act_that_fails_half_way_leaves_nothing_behind(board: Board) -> None:
    number = board.case()
    before = board.file(number).facts
    with board.docket.database.read() as session:
        head, owed = journal.head(session), len(outbox.waiting(session))
    with pytest.raises(ZeroDivisionError):
        _fail_half_way(board, number)
    with board.docket.database.read() as session:
        assert (journal.head(session), len(outbox.waiting(session))) == (head, owed)
    assert board.file(number).facts == before
    assert verify(board.docket, MACHINE) is None


def _fail_half_way(board: Board, number: str) -> None:
    with act(board.docket, board.clerk, Deed.CORRECT, number=number) as step:
        step.record(Withdrawn(step.now, "half"))
        step.ping(PingKind.CASE_CARD)
        raise ZeroDivisionError


def test_absent_and_forbidden_have_the_same_answer(board: Board) -> None:
    number = board.case()
    with pytest.raises(NoSuchCase) as absent:
        open_case(board.docket, board.clerk, "EC-2026-0999")
    with pytest.raises(NoSuchCase) as forbidden:
        open_case(board.docket, board.alternate, number)
    assert str(absent.value) == str(forbidden.value)


def test_a_reading_is_an_entry_of_the_journal(board: Board) -> None:
    number = board.case()
    open_case(board.docket, board.chair, number)
    with board.docket.database.read() as session:
        (entry,) = journal.newest(session, board.docket.keyring, 1)
    assert (entry.header["act"], entry.header["actor"], entry.header["case"]) == (
        "see-case",
        board.chair.person,
        number,
    )


def test_a_recused_person_gets_no_case_no_count_and_no_file(board: Board) -> None:
    number = board.case()
    member = board.members[1]
    assert [one.case.number for one in visible_cases(board.docket, member)] == [number]
    recusal.recuse(board.docket, member, number)
    assert visible_cases(board.docket, member) == []
    with pytest.raises(NoSuchCase):
        read_document(board.docket, member, number, 1, where="slack")
    assert member.person not in entitled(board.look(number))


def test_an_unscreened_case_is_the_clerks_alone(board: Board) -> None:
    number = board.case(proper=False, screened=False)
    assert entitled(board.look(number)) == (board.clerk.person,)
    assert visible_cases(board.docket, board.chair) == []


def test_leaving_a_role_ends_access_at_once(board: Board) -> None:
    number = board.case()
    member = board.members[1]
    leave_role(board.docket, board.clerk, member.person or 0, Role.MEMBER, reason="moved away")
    with pytest.raises(NoSuchCase):
        look(board.docket, member, board.key(number))


def test_a_guest_of_the_workspace_gets_nothing_even_with_a_role(board: Board) -> None:
    number = board.case()
    guest = Actor(board.chair.person, Via.SLACK, membership=Membership.GUEST)
    with pytest.raises(NoSuchCase):
        open_case(board.docket, guest, number)


def test_a_deputy_acts_by_the_right_of_whom_he_acts_for_and_both_are_named(board: Board) -> None:
    number = board.case()
    deputy = add_person(board.docket, board.clerk, "Dana Deputy")
    acting = Actor(deputy, Via.CLI, acting_for=board.clerk.person)
    with pytest.raises(NoSuchCase):
        open_case(board.docket, acting, number)
    name_deputy(board.docket, board.chair, deputy, acts_for=board.clerk.person or 0)
    open_case(board.docket, acting, number)
    with board.docket.database.read() as session:
        (entry,) = journal.newest(session, board.docket.keyring, 1)
    assert (entry.header["actor"], entry.header["acting_for"]) == (deputy, board.clerk.person)


def test_a_deputy_is_walled_off_for_himself_too(board: Board) -> None:
    number = board.case()
    deputy, clerk = board.members[1], board.clerk
    name_deputy(board.docket, board.chair, deputy.person or 0, acts_for=clerk.person or 0)
    recusal.recuse(board.docket, deputy, number)
    with pytest.raises(NoSuchCase):
        open_case(board.docket, Actor(deputy.person, Via.CLI, acting_for=clerk.person), number)


def test_the_machine_votes_and_determines_nothing(board: Board) -> None:
    number, track = board.served_case()
    key = board.ballot(number, track, board.meeting())
    with pytest.raises(NotAllowed):
        board.vote(number, key, MACHINE, Choice.YES)


def test_no_name_stands_in_the_clear_in_the_database(board: Board) -> None:
    """A stolen database shows no name (C6)."""
    number, track = board.served_case()
    board.decide(number, track, board.meeting(), Question.JURISDICTION)
    path = board.docket.database.engine.url.database or ""
    board.docket.database.engine.dispose()
    vault: Vault = board.docket.vault
    stored = b"".join(
        file.read_bytes()
        for file in [*vault.root.rglob("*"), *vault.root.parent.glob("docket.sqlite3*")]
        if file.is_file()
    )
    assert path
    for name in (b"Connie", b"Rory", b"connie@", b"Mora Member", b"clara@", b"U0G9", b"%PDF complaint"):
        assert name not in stored


# -- any order of votes, redeliveries, recusals and closings --------------------------------------------

_STEP = st.tuples(
    st.sampled_from(["vote", "vote", "vote", "again", "recuse", "close", "late-role"]),
    st.integers(0, 4),
    st.sampled_from(list(Choice)),
    st.sampled_from(["a", "b", "c"]),
)


def test_whatever_is_voted_redelivered_and_recused_one_live_vote_a_member_is_counted(board: Board) -> None:
    @settings(max_examples=20)
    @given(script=st.lists(_STEP, max_size=12))
    def any_script(script: list[tuple[str, int, Choice, str]]) -> None:
        _play(board, script)

    any_script()
    assert verify(board.docket, MACHINE) is None


def _play(board: Board, script: list[tuple[str, int, Choice, str]]) -> None:
    number, track = board.served_case()
    held = _meeting(board)
    key = board.ballot(number, track, held)
    for what, who, choice, submission in script:
        board.clock.advance(timedelta(seconds=1))
        member = board.members[who]
        try:
            match what:
                case "recuse":
                    recusal.recuse(board.docket, member, number)
                case "close":
                    ballot.close_ballot(board.docket, board.clerk, number, key)
                case "late-role":
                    take_role(board.docket, board.clerk, board.alternate.person or 0, Role.ALTERNATE)
                case _:
                    board.vote(number, key, member, choice, submission)
                    if what == "again":
                        board.vote(number, key, member, choice, submission)
        except Refusal:
            continue
    if board.file(number).ballot(key).is_open:  # type: ignore[union-attr]  # it was just opened
        ballot.close_ballot(board.docket, board.clerk, number, key)
    _check(board, number, key)


def _meeting(board: Board) -> int:
    from store.proceedings.meeting import meeting_in_session

    held = meeting_in_session(board.docket, board.clerk)
    return held.id if held else board.meeting()


def _check(board: Board, number: str, key: int) -> None:
    """The count that stands is the one that a plain reading of the facts gives."""
    case = board.file(number)
    view = case.ballot(key)
    assert view is not None
    assert view.closed is not None
    first: dict[tuple[int, str], Choice] = {}
    order: list[tuple[int, str]] = []
    for vote in view.votes:
        mark = (vote.fact.person, vote.fact.submission)
        assert mark not in first
        first[mark] = vote.fact.choice
        order.append(mark)
    live = {person: first[person, submission] for person, submission in order}
    expected = {person: choice for person, choice in live.items() if person not in case.recused}
    assert dict(view.closed.votes) == expected
    assert view.closed.yes == sum(one is Choice.YES for one in expected.values())
    assert view.closed.no == sum(one is Choice.NO for one in expected.values())
    closing = case.last(BallotClosed, about=key)
    assert closing is not None
    if any(one.id > closing.id for one in case.all(Recused)):
        return  # who had no vote in it and stepped back after the closing moves no count
    again = counting.count(case, view, view.opened.roster)
    assert again.outcome == ballots.Outcome(view.closed.outcome)


def test_very_many_tries_of_a_stranger_grow_the_journal_by_a_few_entries_that_sum_them_up(
    board: Board,
) -> None:
    stranger = Actor(None, Via.SLACK, membership=Membership.OTHER_TEAM)
    tries = EACH_ENTERED * 3

    def tried() -> None:
        with pytest.raises(NotAllowed), act(board.docket, stranger, Deed.SEE_DOCKET):
            pass

    with board.docket.database.read() as session:
        before = journal.head(session)[0]
    for _try in range(tries):
        tried()
    with board.docket.database.read() as session:
        after = journal.head(session)[0]
        newest = journal.newest(session, board.docket.keyring, 1)[0]
    assert after - before == EACH_ENTERED + 1
    assert newest.content is not None
    assert newest.content["tries_today"] == 2 * EACH_ENTERED
    assert newest.content["next_entry_at"] == 4 * EACH_ENTERED
    board.clock.advance(timedelta(days=1))
    tried()
    with board.docket.database.read() as session:
        assert journal.head(session)[0] == after + 1
    assert verify(board.docket, MACHINE) is None


def test_each_refusal_of_somebody_on_the_roster_is_an_entry_however_many(board: Board) -> None:
    number, machinist = board.case(), board.actor("Ivo Machinist")

    def tried() -> None:
        with pytest.raises(Refusal), act(board.docket, machinist, Deed.CORRECT, number=number):
            pass

    with board.docket.database.read() as session:
        before = journal.head(session)[0]
    for _try in range(EACH_ENTERED + 5):
        tried()
    with board.docket.database.read() as session:
        assert journal.head(session)[0] == before + EACH_ENTERED + 5

"""A case that duplicates another goes on in it; where that was an error, everybody and everything comes back."""

from dataclasses import replace
from datetime import timedelta

import pytest

from store import outbox
from store.cases import MACHINE, act, paper_bytes, papers, verify
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.correction import reopen
from store.proceedings.exhibits import Offer, offer_exhibit, rule_on_exhibit
from store.proceedings.known import KnownFacts, surviving, what_we_know
from store.proceedings.mail import Spot, take_mail
from store.proceedings.merger import merge
from store.proceedings.parties import correct_party, name_party
from store.proceedings.receipt import Filing, Paper, attach_paper
from store.proceedings.recusal import recuse
from store.proceedings.response import File
from store.proceedings.screening import say_who_is_named
from store.proceedings.testimony import Statement, record_statement
from store.rules.access import Deed
from store.rules.casefile import LetterState
from store.rules.conflict import Passage, Where
from store.rules.errors import BadInput, NoSuchCase, NotNow
from store.rules.facts import (
    ConflictFound,
    ExhibitOffered,
    PaperReceived,
    PartyNamed,
    PartyRole,
    StatementTaken,
)
from store.rules.stages import Next, coming
from tests.proceedings.builders import Board
from tests.proceedings.filings import letters


def _two(board: Board) -> tuple[str, str]:
    first, second = board.case(), board.case()
    board.respondent(first)
    board.respondent(second)
    return first, second


def test_later_mail_to_a_merged_case_reaches_the_one_that_goes_on(board: Board) -> None:
    first, second = _two(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    known = what_we_know(
        board.docket, item=None, raw_sha256="", message_id="", tokens=(), message_ids=(), numbers=(second,)
    )
    (case,) = known.cases
    assert (case.number, case.case_id) == (second, board.key(first))
    assert [party for party, _email in case.complainants] == [board.file(first).complainants[0].id]


def test_a_merged_case_owes_only_the_acknowledgement_and_can_be_closed_then(board: Board) -> None:
    first, second = _two(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    open_steps = {one.key.partition(":")[0] for one in board.look(second).steps if one.is_open}
    assert open_steps == {"acknowledge"}
    assert coming(board.file(second)) == (Next.ACKNOWLEDGE, Next.CLOSE)


def test_a_case_with_a_respondent_of_its_own_or_merged_in_a_ring_is_not_merged(board: Board) -> None:
    first, second = _two(board)
    other = board.respondent(second, "Ruth Other")
    with pytest.raises(NotNow):
        merge(board.docket, board.clerk, second, into=first, reason="x")
    assert other
    with pytest.raises(BadInput):
        merge(board.docket, board.clerk, first, into=first, reason="x")
    merge(board.docket, board.clerk, first, into=second, reason="x")
    with pytest.raises(BadInput):
        merge(board.docket, board.clerk, second, into=first, reason="x")
    with pytest.raises(NoSuchCase):
        merge(board.docket, board.clerk, second, into="EC-2026-9999", reason="x")


@pytest.mark.parametrize("stepped_back", [True, False])
def test_whoever_is_out_of_a_case_is_out_of_the_one_that_goes_on_for_it_before_a_name_stands_there(
    board: Board, stepped_back: bool
) -> None:
    first, second = _two(board)
    mora = board.person("Mora Member")
    if stepped_back:
        recuse(board.docket, board.actor("Mora Member"), second)
    else:
        with act(board.docket, MACHINE, Deed.SCREEN, case_id=board.key(second)) as step:
            step.record(ConflictFound(mora, "name in the complaint"))
    name_party(board.docket, board.clerk, second, ANNA)
    before = board.file(first).facts
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    added = board.file(first).facts[len(before) :]
    assert [type(one.fact) for one in added] == [ConflictFound, PartyNamed]
    assert board.file(first).walled(mora)
    with pytest.raises(NoSuchCase):
        board.look(first, board.actor("Mora Member"))
    assert board.look(first, board.actor("Milo Member")).case.key == board.key(first)
    assert verify(board.docket, board.clerk) is None


def test_a_case_whose_papers_nobody_has_searched_is_not_merged_yet(board: Board) -> None:
    first, second = _two(board)
    _mail(board, second, second, None, "a scan", readable=False)
    before = board.file(first).facts
    with pytest.raises(NotNow):
        merge(board.docket, board.clerk, second, into=first, reason="the same event")
    assert board.file(first).facts == before
    say_who_is_named(board.docket, board.clerk, second, [board.person("Mora Member")])
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    assert board.file(first).walled(board.person("Mora Member"))


def test_who_steps_back_from_a_merged_case_steps_back_from_the_one_that_goes_on_for_it(board: Board) -> None:
    first, second = _two(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    recuse(board.docket, board.actor("Mora Member"), second)
    assert board.person("Mora Member") in board.file(first).recused


# -- undone -------------------------------------------------------------------------------------------


def test_a_case_merged_in_error_goes_on_by_itself_again(board: Board) -> None:
    first, second = board.case(), board.case()
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    reopen(board.docket, board.clerk, second, reason="it was another event")
    assert board.file(second).merged is None
    assert Next.CLOSE not in coming(board.file(second))
    with board.docket.database.read() as session:
        assert surviving(board.docket, session, board.key(second)) == board.key(second)
    merge(board.docket, board.clerk, second, into=first, reason="it was the same after all")
    assert board.file(second).merged is not None


ANNA = PartyNamed(PartyRole.COMPLAINANT, "Anna Abel", ("anna@post.example",))


def _mergeable(board: Board) -> tuple[str, str, int]:
    """Two cases about one respondent; in the second Anna complains as well. Gives her id in it."""
    first, second = _two(board)
    return first, second, name_party(board.docket, board.clerk, second, ANNA)


def _named(board: Board, number: str, name: str) -> int:
    return next(one.id for one in board.file(number).parties if one.named.name == name and not one.left)


def _names(board: Board, number: str, *roles: PartyRole) -> set[str]:
    return {one.named.name for one in board.file(number).with_role(*roles or tuple(PartyRole))}


def _mail(
    board: Board,
    number: str,
    into: str,
    party: int | None,
    words: str,
    *,
    readable: bool = True,
    message_id: str = "",
) -> None:
    """A message to one case that reaches the one that goes on for it."""
    now = board.clock.now()
    spot = Spot("mail", "board", "INBOX", 1, sum(words.encode()), len(words), now)
    taken = take_mail(board.docket, spot, words.encode())
    filing = Filing(
        "needs_review",
        now,
        papers=(Paper(words.encode(), "a.pdf", "application/pdf", "evidence", searched=readable),),
        passages=(Passage(Where.PAGE_TEXT, words),),
        readable=readable,
        message_id=message_id,
    )
    attach_paper(board.docket, taken.item, board.key(into), filing, party=party, came_to=number)


def _undo(board: Board, number: str) -> None:
    reopen(board.docket, board.clerk, number, reason="it was another event")


def test_who_joined_by_a_merger_goes_back_and_who_was_there_for_himself_stays(board: Board) -> None:
    first, second, _anna = _mergeable(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    assert _names(board, first, PartyRole.COMPLAINANT) == {"Connie Complainant", "Anna Abel"}
    _undo(board, second)
    assert _names(board, first, PartyRole.COMPLAINANT) == {"Connie Complainant"}
    assert _names(board, second, PartyRole.COMPLAINANT) == {"Connie Complainant", "Anna Abel"}
    gone = next(one for one in board.file(first).parties if one.named.name == "Anna Abel")
    assert gone.left
    assert verify(board.docket, board.clerk) is None


def test_letters_that_went_out_stay_and_those_that_wait_are_taken_back(board: Board) -> None:
    first, second, _anna = _mergeable(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    there = _named(board, first, "Anna Abel")
    acknowledge(board.docket, board.clerk, first)
    sent, waits = board.file(first).letters_to("acknowledgement")
    assert waits.queued.to_party == there
    board.settle(first, sent.id, "sent")
    _undo(board, second)
    states = {one.id: one.state for one in board.file(first).letters}
    assert states == {**states, sent.id: LetterState.SENT, waits.id: LetterState.WITHDRAWN}
    with board.docket.database.read() as session:
        assert waits.id not in {one.about for one in outbox.waiting(session, outbox.Channel.MAIL)}
    assert Next.ACKNOWLEDGE in coming(board.file(second))


def test_counsel_and_corrected_addresses_go_back_too(board: Board) -> None:
    first, second, anna = _mergeable(board)
    old = PartyNamed(PartyRole.COMPLAINANT_COUNSEL, "Otto Old", ("otto@law.example",), represents=anna)
    name_party(board.docket, board.clerk, second, old)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    there = _named(board, first, "Anna Abel")
    assert _names(board, first, PartyRole.COMPLAINANT_COUNSEL) == {"Otto Old"}
    new = PartyNamed(PartyRole.COMPLAINANT_COUNSEL, "Nora New", ("nora@law.example",), represents=there)
    name_party(board.docket, board.clerk, first, new)
    moved = replace(ANNA, emails=("anna@new.example",))
    correct_party(board.docket, board.clerk, first, there, corrected=moved, reason="she moved")
    _undo(board, second)
    assert _names(board, first, PartyRole.COMPLAINANT_COUNSEL) == set()
    assert {one.named.name for one in board.file(second).counsel_of(anna)} == {"Otto Old", "Nora New"}
    own = board.file(second).party(anna)
    assert own is not None
    assert own.named.emails == ("anna@new.example",)


def test_papers_exhibits_and_statements_come_back_byte_for_byte_and_stay_where_they_were(
    board: Board,
) -> None:
    first, second, anna = _mergeable(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    there, now = _named(board, first, "Anna Abel"), board.clock.now()
    _mail(board, second, first, there, "a further paper")
    exhibit = File(b"an exhibit", "e.pdf", "application/pdf")
    key = offer_exhibit(board.docket, board.clerk, first, Offer(now, there, file=exhibit))
    rule_on_exhibit(
        board.docket, board.clerk, first, key, received=True, ruled_by=board.person("Hanna Chair")
    )
    transcript = File(b"a transcript", "t.pdf", "application/pdf")
    record_statement(board.docket, board.clerk, first, Statement(now, "the chair", there), [transcript])
    before = board.file(first).facts
    board.clock.advance(timedelta(days=2))
    _undo(board, second)
    case = board.file(second)
    with board.docket.database.read() as session:
        kept = {one.id: one for one in papers(board.docket, session, case.key)}
        contents = {one: paper_bytes(board.docket, session, one)[1] for one in kept}
    (paper,) = case.all(PaperReceived)
    assert (paper.fact.from_party, paper.fact.received_at) == (anna, now)
    assert first in paper.fact.words
    assert [contents[one] for one in paper.fact.documents] == [b"a further paper"]
    (offered,) = case.all(ExhibitOffered)
    assert (offered.about, contents[offered.fact.document]) == (anna, b"an exhibit")
    assert case.exhibits[0].ruled is None, "the Board rules on it in this case"
    (sworn,) = case.all(StatementTaken)
    assert (sworn.about, [contents[one] for one in sworn.fact.documents]) == (anna, [b"a transcript"])
    assert board.file(first).facts[: len(before)] == before
    assert len(board.file(first).exhibits) == 1


def test_later_mail_of_one_who_complained_in_both_goes_back_if_it_came_to_that_number(board: Board) -> None:
    first, second, _anna = _mergeable(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    connie = _named(board, first, "Connie Complainant")
    _mail(board, second, first, connie, "to the second")
    _mail(board, first, first, connie, "to the first one")
    _undo(board, second)
    (paper,) = board.file(second).all(PaperReceived)
    assert paper.fact.from_party == _named(board, second, "Connie Complainant")
    assert len(list(board.file(first).all(PaperReceived))) == 2


def test_who_is_named_in_what_comes_back_is_walled_off_there_and_an_unread_scan_stays_unread(
    board: Board,
) -> None:
    first, second, _anna = _mergeable(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    there = _named(board, first, "Anna Abel")
    _mail(board, second, first, there, "Mora Member was there")
    _mail(board, second, first, there, "a scan", readable=False)
    assert board.file(first).walled(board.person("Mora Member"))
    _undo(board, second)
    case = board.file(second)
    assert case.walled(board.person("Mora Member"))
    assert len(case.unscreened_papers) == 1
    with pytest.raises(NoSuchCase):
        board.look(second, board.actor("Mora Member"))


def test_one_whom_two_mergers_brought_stays_until_both_are_undone(board: Board) -> None:
    first, second, _anna = _mergeable(board)
    third = board.case()
    name_party(board.docket, board.clerk, third, ANNA)
    for one in (second, third):
        merge(board.docket, board.clerk, one, into=first, reason="the same event")
    _undo(board, second)
    assert "Anna Abel" in _names(board, first)
    _undo(board, third)
    assert "Anna Abel" not in _names(board, first)


def test_a_merger_that_went_on_into_a_third_case_is_undone_in_both(board: Board) -> None:
    first, second, anna = _mergeable(board)
    third = board.case()
    board.respondent(third)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    merge(board.docket, board.clerk, first, into=third, reason="the same event")
    assert "Anna Abel" in _names(board, third)
    _mail(board, second, third, _named(board, third, "Anna Abel"), "a further paper")
    _undo(board, second)
    assert "Anna Abel" not in _names(board, first) | _names(board, third)
    assert [one.fact.from_party for one in board.file(second).all(PaperReceived)] == [anna]
    assert board.file(first).merged is not None


def test_merged_and_undone_twice_nothing_comes_back_twice(board: Board) -> None:
    first, second, _anna = _mergeable(board)
    for place in range(2):
        merge(board.docket, board.clerk, second, into=first, reason="the same event")
        _mail(board, second, first, _named(board, first, "Anna Abel"), f"paper {place}")
        _undo(board, second)
    assert len(list(board.file(second).all(PaperReceived))) == 2
    assert len(list(board.file(first).all(PaperReceived))) == 2


def test_who_may_not_know_of_the_other_case_does_not_undo_a_merger(board: Board) -> None:
    first, second, _anna = _mergeable(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    with act(board.docket, MACHINE, Deed.SCREEN, case_id=board.key(first)) as step:
        step.record(ConflictFound(board.person("Hanna Chair"), "name in the complaint"))
    before = board.file(first).facts, board.file(second).facts
    with pytest.raises(NoSuchCase):
        reopen(board.docket, board.chair, second, reason="it was another event")
    assert (board.file(first).facts, board.file(second).facts) == before


def _known(board: Board, **asked: tuple[str, ...]) -> KnownFacts:
    given = {"tokens": (), "message_ids": (), "numbers": ()} | asked
    return what_we_know(board.docket, item=None, raw_sha256="", message_id="", **given)


def test_an_answer_to_a_letter_of_the_other_case_is_known_to_belong_where_its_reader_went_back(
    board: Board,
) -> None:
    first, second, anna = _mergeable(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    acknowledge(board.docket, board.clerk, first)
    sent = next(one for one in letters(board.docket) if one.to == "anna@post.example")
    there = _named(board, first, "Anna Abel")
    corrected = replace(ANNA, emails=("anna@new.example",))
    correct_party(board.docket, board.clerk, first, there, corrected=corrected, reason="she moved")
    merged = _known(board, message_ids=(sent.message_id,))
    assert [(one.number, one.moved) for one in merged.cases] == [(first, ())]
    _undo(board, second)
    known = _known(board, message_ids=(sent.message_id,))
    (letter,) = known.letters
    assert (letter.number, letter.case_id) == (first, board.key(first)), (
        "a report of it stays with the letter"
    )
    assert {one.number: dict(one.moved) for one in known.cases} == {
        first: {"anna@post.example": second, "anna@new.example": second},
        second: {},
    }
    own = next(one for one in known.cases if one.number == second)
    assert (anna, "anna@new.example") in own.complainants


def test_who_came_through_a_second_merger_is_known_where_he_is_a_party_now(board: Board) -> None:
    first, second, _anna = _mergeable(board)
    third = board.case()
    board.respondent(third)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    merge(board.docket, board.clerk, first, into=third, reason="the same event")
    _undo(board, first)
    known = _known(board, numbers=(third,))
    assert {number for one in known.cases for _address, number in one.moved} == {first}
    _undo(board, second)
    known = _known(board, numbers=(first, third))
    moved = {one.number: {number for _address, number in one.moved} for one in known.cases}
    assert moved == {first: {second}, third: {second}, second: set()}


def test_what_answers_a_message_of_the_merged_number_belongs_to_that_case_again(board: Board) -> None:
    first, second, _anna = _mergeable(board)
    merge(board.docket, board.clerk, second, into=first, reason="the same event")
    there = _named(board, first, "Anna Abel")
    _mail(board, second, first, there, "a further paper", message_id="<one@post.example>")
    _mail(board, first, first, there, "to the other number", message_id="<two@post.example>")
    ids = ("<one@post.example>", "<two@post.example>")
    assert {one.number for one in _known(board, message_ids=ids).seen_by_id} == {first}
    _undo(board, second)
    assert {one.number for one in _known(board, message_ids=ids).seen_by_id} == {second}

"""The conflict screen: who may know of a complaint, before anybody is told (B2, decisions 12)."""

from dataclasses import replace

import pytest

from store import journal
from store.cases import (
    Actor,
    Look,
    act,
    entitled,
    look,
    papers_for,
    papers_for_all,
    read_document,
    visible_cases,
)
from store.ports import PingKind
from store.proceedings.offices import chosen_papers
from store.proceedings.parties import name_party
from store.proceedings.receipt import Paper, attach_paper
from store.proceedings.recusal import recuse
from store.proceedings.referral import refer
from store.proceedings.screening import lift_conflict, say_who_is_named
from store.proceedings.writing import closing_lines
from store.rules.access import Deed
from store.rules.conflict import Passage, Where
from store.rules.errors import BadInput, NoSuchCase, NotNow
from store.rules.facts import PartyNamed, PartyRole, Question
from store.rules.possible import MOST_CHARACTERS
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, filed, naming, pings, taken

SCAN = a_filing(readable=False, passages=())
EVERYBODY = ("Hanna Chair", "Mora Member", "Cyrus Manager", "Alma Alternate", "Ivo Machinist", "Cora Counsel")


def _told(board: Board, after: int = 0) -> set[tuple[PingKind, int | None]]:
    return {(one.kind, one.person) for one in pings(board.docket)[after:]}


def test_a_case_whose_papers_cannot_be_read_is_the_clerks_alone(board: Board) -> None:
    number = filed(board, SCAN)
    key = board.key(number)
    for name in EVERYBODY:
        for deed in (Deed.SEE_CASE, Deed.REFER):
            with pytest.raises(NoSuchCase):
                look(board.docket, board.actor(name), key, deed=deed)
        assert visible_cases(board.docket, board.actor(name)) == []
    with pytest.raises(NoSuchCase):
        refer(board.docket, board.actor("Cyrus Manager"), number)
    assert entitled(board.look(number)) == (board.clerk.person,)
    assert entitled(board.look(number), Deed.REFER) == ()
    assert _told(board) == {(PingKind.CASE_CARD, board.clerk.person)}


def test_who_is_named_in_them_the_clerk_says_and_then_the_others_are_told(board: Board) -> None:
    number = filed(board, SCAN)
    before = len(pings(board.docket))
    mora = board.person("Mora Member")
    say_who_is_named(board.docket, board.clerk, number, [mora, mora])
    case = board.file(number)
    assert case.screened
    assert case.walled_off == {mora}
    assert _told(board, before) == {
        (PingKind.CASE_CARD, board.clerk.person),
        (PingKind.CASE_CHANNEL, None),
        (PingKind.TOLD, board.person("Cyrus Manager")),
    }
    seen = entitled(board.look(number))
    assert mora not in seen
    assert board.chair.person in seen


def test_the_city_manager_whom_the_clerk_finds_named_is_gone_round(board: Board) -> None:
    number = filed(board, SCAN)
    manager = board.person("Cyrus Manager")
    say_who_is_named(board.docket, board.clerk, number, [manager])
    referred = board.file(number).referred
    assert referred is not None
    assert referred.fact.how == "by policy"
    assert all(one.person != manager for one in pings(board.docket))
    with pytest.raises(NoSuchCase):
        refer(board.docket, board.actor("Cyrus Manager"), number)


def test_who_is_named_is_said_once_about_people_of_the_roster(board: Board) -> None:
    number = filed(board, SCAN)
    with pytest.raises(BadInput):
        say_who_is_named(board.docket, board.clerk, number, [9999])
    with pytest.raises(NoSuchCase):
        say_who_is_named(board.docket, board.chair, number, [])
    assert not board.file(number).screened
    say_who_is_named(board.docket, board.clerk, number, [])
    with pytest.raises(NotNow):
        say_who_is_named(board.docket, board.clerk, number, [])


def test_a_readable_paper_makes_no_unread_one_read(board: Board) -> None:
    """A photo came first, a text after it: the photo may name anybody still."""
    number = filed(board, SCAN)
    attach_paper(board.docket, taken(board.docket, b"text", 2), board.key(number), a_filing())
    assert not board.file(number).screened
    assert entitled(board.look(number)) == (board.clerk.person,)
    say_who_is_named(board.docket, board.clerk, number, [])
    assert board.file(number).screened
    attach_paper(board.docket, taken(board.docket, b"more", 3), board.key(number), a_filing())
    assert board.file(number).screened


PHOTO = replace(SCAN, papers=(Paper(b"a photo", "photo.jpg", "image/jpeg", "evidence", searched=False),))


def _with_a_photo(board: Board) -> tuple[str, int]:
    """A case that goes on, with a photo that came later; and the photo."""
    number = filed(board)
    attach_paper(board.docket, taken(board.docket, b"photo", 2), board.key(number), PHOTO)
    (photo,) = board.file(number).unscreened_papers
    return number, photo


def test_a_later_paper_that_cannot_be_read_hides_itself_and_not_the_case(board: Board) -> None:
    number, photo = _with_a_photo(board)
    assert board.file(number).screened
    assert board.chair.person in entitled(board.look(number))
    assert photo in [one.id for one in papers_for(board.docket, board.look(number))]
    for actor in (board.chair, board.members[1], board.actor("Cora Counsel")):
        shown = [one.id for one in papers_for(board.docket, board.look(number, actor))]
        assert shown
        assert photo not in shown
        with pytest.raises(NoSuchCase):
            read_document(board.docket, actor, number, photo, where="cli")
    _paper, content = read_document(board.docket, board.clerk, number, photo, where="cli")
    assert content == b"a photo"
    assert photo not in [one.id for one in papers_for_all(board.docket, board.look(number))]


def test_a_text_too_long_to_be_searched_is_unscreened_as_a_scan_is(board: Board) -> None:
    endless = (Passage(Where.PAGE_TEXT, "-" * (MOST_CHARACTERS + 1)),)
    number = filed(board, a_filing(passages=endless))
    assert entitled(board.look(number)) == (board.clerk.person,)
    say_who_is_named(board.docket, board.clerk, number, [])
    paper = Paper(b"endless", "endless.pdf", "application/pdf", "evidence")
    later = a_filing(passages=endless, papers=(paper,))
    attach_paper(board.docket, taken(board.docket, b"later", 2), board.key(number), later)
    assert board.file(number).screened
    assert len(board.file(number).unscreened_papers) == 1


def test_a_readable_paper_that_comes_with_an_unreadable_one_is_seen(board: Board) -> None:
    number = filed(board)
    text = Paper(b"%PDF more", "more.pdf", "application/pdf", "evidence")
    both = replace(PHOTO, papers=(*PHOTO.papers, text))
    attach_paper(board.docket, taken(board.docket, b"both", 2), board.key(number), both)
    (photo,) = board.file(number).unscreened_papers
    names = [one.name for one in papers_for(board.docket, board.look(number, board.chair))]
    assert "more.pdf" in names
    assert "photo.jpg" not in names
    assert read_document(board.docket, board.clerk, number, photo, where="cli")


def test_what_the_clerk_says_of_a_later_paper_shows_it_and_walls_off_whom_it_names(board: Board) -> None:
    number, photo = _with_a_photo(board)
    mora = board.person("Mora Member")
    say_who_is_named(board.docket, board.clerk, number, [mora])
    case = board.file(number)
    assert case.unscreened_papers == frozenset()
    assert case.walled_off == {mora}
    assert read_document(board.docket, board.chair, number, photo, where="cli")
    with pytest.raises(NotNow):
        say_who_is_named(board.docket, board.clerk, number, [])


def test_the_chair_cannot_send_on_a_paper_that_nobody_has_read(board: Board) -> None:
    number, photo = _with_a_photo(board)
    with (
        pytest.raises(NoSuchCase),
        act(board.docket, board.chair, Deed.TURN_OVER_EVIDENCE, number=number) as step,
    ):
        chosen_papers(step, [photo], clause="C1-evidence")


def test_the_clerk_lifts_a_wall_while_the_rest_of_the_papers_is_unread(board: Board) -> None:
    number = filed(board, replace(naming("Mora Member"), readable=False))
    mora = board.person("Mora Member")
    with pytest.raises(NoSuchCase):
        lift_conflict(board.docket, board.chair, number, mora, "another person of that name")
    lift_conflict(board.docket, board.clerk, number, mora, "another person of that name")
    assert board.file(number).walled_off == frozenset()
    assert not board.file(number).screened


def test_where_every_clerk_is_named_the_profiles_next_office_is_cleared_and_the_journal_says_so(
    board: Board,
) -> None:
    number = filed(board, replace(naming("Clara Clerk"), readable=False))
    case = board.file(number)
    assert case.cleared_instead == {board.chair.person}
    assert (PingKind.CASE_CARD, board.chair.person) in _told(board)
    assert entitled(_seen_by(board, number, board.chair)) == (board.chair.person,)
    say_who_is_named(board.docket, board.chair, number, [])
    assert board.file(number).screened
    with board.docket.database.read() as session:
        last = list(journal.entries(session, board.docket.keyring))[-1]
    assert last.header["act"] == Deed.SAY_WHO_IS_NAMED
    assert last.content is not None
    assert last.content["note"] == {"cleared_instead_of": "clerk"}
    clara = board.person("Clara Clerk")
    lift_conflict(board.docket, board.chair, number, clara, "the complaint only writes to her")
    assert board.file(number).walled_off == frozenset()


def test_where_the_chair_is_named_too_counsel_is_cleared(board: Board) -> None:
    both = naming("Clara Clerk and Hanna Chair")
    number = filed(board, replace(both, readable=False))
    counsel = board.actor("Cora Counsel")
    assert board.file(number).cleared_instead == {counsel.person}
    assert entitled(_seen_by(board, number, counsel)) == (counsel.person,)
    lift_conflict(
        board.docket, counsel, number, board.person("Clara Clerk"), "the complaint only writes to her"
    )


def test_a_clerk_who_steps_back_from_a_case_leaves_somebody_cleared(board: Board) -> None:
    number = filed(board)
    recuse(board.docket, board.clerk, number)
    assert board.file(number).cleared_instead == {board.chair.person}


def _seen_by(board: Board, number: str, actor: Actor) -> Look:
    return look(board.docket, actor, board.key(number))


@pytest.mark.parametrize("name", ["Hanna Chair", "Mora Member", "Cora Counsel", "Alma Alternate"])
def test_whoever_is_named_gets_neither_case_nor_word(board: Board, name: str) -> None:
    number = filed(board, naming(name))
    person = board.person(name)
    assert board.file(number).walled_off == {person}
    with pytest.raises(NoSuchCase):
        look(board.docket, board.actor(name), board.key(number))
    assert person not in entitled(board.look(number))
    assert all(one.person != person for one in pings(board.docket))


def test_a_wall_is_lifted_with_a_reason_by_somebody_else(board: Board) -> None:
    number = filed(board, naming("Mora Member"))
    mora = board.actor("Mora Member")
    assert mora.person is not None
    with pytest.raises(NoSuchCase):
        lift_conflict(board.docket, mora, number, mora.person, "it is not me")
    with pytest.raises(BadInput):
        lift_conflict(board.docket, board.chair, number, mora.person, " ")
    assert board.file(number).walled(mora.person)
    lift_conflict(board.docket, board.chair, number, mora.person, "another person of that name")
    assert look(board.docket, mora, board.key(number)).case.number == number
    with pytest.raises(NotNow):
        lift_conflict(board.docket, board.chair, number, mora.person, "once more")


def test_a_wall_that_was_lifted_stands_again_when_a_later_paper_names_the_person(board: Board) -> None:
    number = filed(board, naming("Mora Member"))
    mora = board.person("Mora Member")
    lift_conflict(board.docket, board.chair, number, mora, "another person of that name")
    item = taken(board.docket, b"more", 2)
    attach_paper(board.docket, item, board.key(number), naming("Mora Member"))
    assert board.file(number).walled(mora)


def test_the_vote_of_a_member_named_in_a_later_paper_is_counted_out(board: Board) -> None:
    number, track = board.served_case()
    key = board.decide(number, track, board.meeting(), Question.JURISDICTION)
    item = taken(board.docket, b"more", 2)
    attach_paper(board.docket, item, board.key(number), naming("Mora Member"))
    view = board.file(number).ballot(key)
    assert view is not None
    assert view.closed is not None
    assert board.person("Mora Member") not in {person for person, _choice in view.closed.votes}
    assert view.closed.yes == len(board.members) - 1


def test_the_boards_own_address_in_a_header_names_nobody(board: Board) -> None:
    mail = a_filing(addresses=("cyrus@bramwell-ky.example",), own_addresses=("cyrus@bramwell-ky.example",))
    assert board.file(filed(board, mail)).walled_off == frozenset()
    other = a_filing(addresses=("Cyrus <CYRUS@bramwell-ky.example>",))
    assert board.file(filed(board, other, raw=b"2", uid=2)).walled_off == {board.person("Cyrus Manager")}


def test_whoever_may_be_meant_is_walled_off_as_possible_until_a_reason_lifts_it(board: Board) -> None:
    number = filed(board, naming("Mora Membcr"))
    mora = board.person("Mora Member")
    assert board.file(number).walls == {mora: "possibly: name badly read in page text"}
    lift_conflict(board.docket, board.chair, number, mora, "a Ms. Membcr of another city")
    assert board.file(number).walls == {}


def test_a_complaint_against_the_office_walls_off_its_holder_and_goes_round_him(board: Board) -> None:
    number = filed(board, a_filing(passages=(Passage(Where.PAGE_TEXT, "The City Manager took a gift."),)))
    assert board.file(number).walled_off == {board.person("Cyrus Manager")}
    referred = board.file(number).referred
    assert referred is not None
    assert referred.fact.how == "by policy"


def test_a_complaint_addressed_to_the_office_walls_off_nobody(board: Board) -> None:
    number = filed(
        board, a_filing(passages=(Passage(Where.PAGE_TEXT, "To: City Manager, City of Bramwell\nHelp."),))
    )
    assert board.file(number).walled_off == frozenset()


def test_a_respondents_office_walls_off_its_holder(board: Board) -> None:
    number = board.case()
    name_party(
        board.docket, board.clerk, number, PartyNamed(PartyRole.RESPONDENT, "Cy", office="City Manager")
    )
    assert board.file(number).walls == {board.person("Cyrus Manager"): "possibly: office of a party"}


def test_an_answer_that_quotes_the_boards_letter_walls_nobody_off(board: Board) -> None:
    number = filed(board)
    profile = board.look(number).profile
    ending = "\n> ".join(closing_lines(profile))
    key = board.key(number)
    quoted = Passage(Where.MAIL_BODY, f"Here is my answer.\n> Dear Connie,\n> {ending}\n")
    attach_paper(board.docket, taken(board.docket, b"an answer", 2), key, a_filing(passages=(quoted,)))
    assert board.file(number).walls == {}
    meant = Passage(Where.MAIL_BODY, f"It was the {profile.city.signatory} who lost it.\n> {ending}\n")
    attach_paper(board.docket, taken(board.docket, b"another", 3), key, a_filing(passages=(meant,)))
    assert set(board.file(number).walls) == {board.person("Clara Clerk")}

"""What the record knows of what a message mentions (I5, decisions 28)."""

import hashlib
from datetime import timedelta

from store.cases import Docket
from store.proceedings.known import KnownFacts, what_we_know
from store.proceedings.parties import name_party
from store.proceedings.receipt import hold
from store.rules.facts import PartyNamed, PartyRole
from tests.proceedings.builders import Board
from tests.proceedings.filings import CONNIE, a_filing, filed, letters, taken


def _ask(
    docket: Docket,
    *,
    item: int | None = None,
    sha: str = "",
    message_id: str = "",
    tokens: tuple[str, ...] = (),
    ids: tuple[str, ...] = (),
    numbers: tuple[str, ...] = (),
    pdfs: tuple[str, ...] = (),
) -> KnownFacts:
    return what_we_know(
        docket,
        item=item,
        raw_sha256=sha,
        message_id=message_id,
        tokens=tokens,
        message_ids=ids,
        numbers=numbers,
        pdf_hashes=pdfs,
    )


def test_a_message_that_mentions_nothing_brings_no_case(board: Board) -> None:
    filed(board)
    known = _ask(board.docket)
    assert (known.cases, known.letters, known.seen, known.papers) == ((), (), (), ())


def test_a_letter_is_known_by_its_token_and_by_its_message_id(board: Board) -> None:
    number = filed(board)
    (sent,) = letters(board.docket)
    for known in (_ask(board.docket, tokens=(sent.token,)), _ask(board.docket, ids=(sent.message_id,))):
        (letter,) = known.letters
        assert (letter.number, letter.kind, letter.to, letter.token) == (
            number,
            "auto_receipt",
            CONNIE,
            sent.token,
        )
        assert [one.number for one in known.cases] == [number]
    assert _ask(board.docket, tokens=("abcdefghjkmnpq",), ids=("<x@y>",)).letters == ()


def test_a_case_is_known_by_its_number_with_its_parties(board: Board) -> None:
    number = filed(board)
    track = board.respondent(number, "Rory Respondent", "rory@office.example")
    (case,) = _ask(board.docket, numbers=(number, "EC-2026-0999")).cases
    assert case.number == number
    assert [address for _party, address in case.complainants] == [CONNIE]
    assert case.respondents == ((track, "rory@office.example"),)
    assert (case.cure_asked, case.response_awaited, case.reprimanded) == (False, False, False)


def test_counsel_is_known_on_the_days_of_the_representation_alone(board: Board) -> None:
    """Decisions 9: representation is dated. What counsel writes before or after waits for a person."""
    number = board.case()
    track, day = board.respondent(number), board.look(number).today
    counsel = PartyNamed(
        PartyRole.RESPONDENT_COUNSEL,
        "Sol Counsellor",
        ("sol@law.example",),
        represents=track,
        since=day + timedelta(days=2),
        until=day + timedelta(days=4),
    )
    key = name_party(board.docket, board.clerk, number, counsel)
    for _day in range(7):
        (case,) = _ask(board.docket, numbers=(number,)).cases
        within = day + timedelta(days=2) <= board.look(number).today <= day + timedelta(days=4)
        assert case.counsel == (((key, "sol@law.example"),) if within else ())
        board.clock.advance(timedelta(days=1))


def test_an_answer_is_awaited_from_the_notice_on(board: Board) -> None:
    number, _track = board.served_case()
    (case,) = _ask(board.docket, numbers=(number,)).cases
    assert case.response_awaited


def test_a_message_that_came_before_is_known_by_bytes_and_by_id_and_not_by_itself(board: Board) -> None:
    item = taken(board.docket, b"a mail", 3)
    hold(board.docket, item, a_filing(ack_to="", message_id="<same@post.example>", content_sha256="c" * 64))
    sha = hashlib.sha256(b"a mail").hexdigest()
    for asked in (
        _ask(board.docket, sha=sha).seen,
        _ask(board.docket, message_id="<same@post.example>").seen_by_id,
    ):
        (seen,) = asked
        assert (seen.item, seen.raw_sha256, seen.content_sha256, seen.number) == (item, sha, "c" * 64, "")
    own = _ask(board.docket, item=item, sha=sha, message_id="<same@post.example>")
    assert (own.seen, own.seen_by_id) == ((), ())


def test_a_paper_that_a_case_has_is_known_by_its_hash(board: Board) -> None:
    number = filed(board)
    (paper,) = a_filing().papers
    digest = hashlib.sha256(paper.content).hexdigest()
    assert _ask(board.docket, pdfs=(digest, "0" * 64)).papers == ((digest, number),)


def test_the_words_of_the_roster_and_the_managers_addresses_are_known(board: Board) -> None:
    known = _ask(board.docket)
    assert "Mora Member" in known.roster_names
    assert "cyrus@bramwell-ky.example" in known.roster_addresses
    assert known.city_manager == ("citymanager@bramwell-ky.example",)

"""The packet of a letter that is served on paper (clause A; L3)."""

import io

import pypdf
import pytest

from store.cases import paper_bytes, papers
from store.proceedings import notice
from store.proceedings.delivery import take_back
from store.proceedings.packet import Packet, print_packet
from store.proceedings.parties import name_party
from store.rules.casefile import LetterState
from store.rules.errors import BadInput, NotAllowed
from store.rules.facts import DocumentShown, PartyNamed, PartyRole
from tests.proceedings.after_builders import reprimanded_case
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, filed

PAULA = PartyNamed(PartyRole.RESPONDENT, "Paula Quint", (), "12 Mill Lane\nBramwell, Kentucky", "Parks Clerk")


def _text(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)


def _packet(board: Board, number: str, letter: int) -> Packet:
    return print_packet(board.docket, board.clerk, number, letter, where="cli", way="certified mail")


def _noticed(board: Board) -> tuple[str, int, tuple[int, ...]]:
    number = board.case()
    track = name_party(board.docket, board.clerk, number, PAULA)
    counsel = PartyNamed(
        PartyRole.RESPONDENT_COUNSEL, "Sol Counsellor", (), "1 Court Square", represents=track
    )
    name_party(board.docket, board.clerk, number, counsel)
    return (
        number,
        track,
        notice.send_notice(board.docket, board.clerk, number, track, provisions=["gifts"]),
    )


def test_a_packet_holds_label_cover_letter_and_the_complaint_byte_for_byte(board: Board) -> None:
    number, _track, letters = _noticed(board)
    packet = _packet(board, number, letters[0])
    assert [one.name for one in packet.sheets] == [
        "0-label.pdf",
        "1-cover.pdf",
        "2-notice.pdf",
        "3-complaint.pdf",
    ]
    label, cover, letter, complaint = (one.content for one in packet.sheets)
    with board.docket.database.read() as session:
        kept = papers(board.docket, session, board.key(number))
        as_kept = {one.kind: paper_bytes(board.docket, session, one.id)[1] for one in kept[:2]}
    assert complaint == as_kept["complaint"] == b"%PDF complaint"
    assert letter == as_kept["letter:notice"]
    assert "12 Mill Lane" in _text(label)
    assert number not in _text(label)
    written = _text(cover)
    for wanted in (
        "Notice of a complaint",
        "Copy: Complaint, received",
        "certified mail",
        "Record of service",
    ):
        assert wanted in written
    assert "Gifts" in _text(letter)


def test_counsel_is_served_with_a_packet_of_his_own(board: Board) -> None:
    number, _track, letters = _noticed(board)
    assert len(letters) == 2
    label, *rest = _packet(board, number, letters[1]).sheets
    assert "Sol Counsellor" in _text(label.content)
    assert len(rest) == 3


def test_each_paper_that_is_delivered_with_it_is_recorded_and_it_is_no_service(board: Board) -> None:
    number, track, letters = _noticed(board)
    _packet(board, number, letters[0])
    file = board.file(number)
    shown = [one.fact.document for one in file.all(DocumentShown)]
    (view,) = [one for one in file.letters if one.id == letters[0]]
    assert shown == [view.queued.document, *view.queued.enclosures]
    assert not file.served("notice", track)
    assert view.state is LetterState.QUEUED


def test_the_commissions_letter_has_a_packet_too(board: Board) -> None:
    from store.proceedings.reprimand import issue_reprimand

    number, track = reprimanded_case(board)
    for letter in issue_reprimand(board.docket, board.clerk, number, track, text="The Board's words."):
        label = _packet(board, number, letter).sheets[0]
        view = next(one for one in board.file(number).letters if one.id == letter)
        wanted = "Rory Respondent" if view.queued.to_party else "City Commission of Bramwell"
        assert wanted in _text(label.content)


def test_what_was_taken_back_or_is_no_letter_has_none_and_only_the_clerk_prints(board: Board) -> None:
    number, _track, letters = _noticed(board)
    with pytest.raises(BadInput):
        _packet(board, number, 1)
    with pytest.raises(NotAllowed):
        print_packet(board.docket, board.members[1], number, letters[0], where="slack")
    mailed = board.respondent(number)
    (by_mail,) = notice.send_notice(board.docket, board.clerk, number, mailed, provisions=["gifts"])
    take_back(board.docket, board.clerk, number, by_mail)
    with pytest.raises(BadInput):
        _packet(board, number, by_mail)


def test_a_receipt_that_answered_somebody_who_is_no_party_is_served_on_nobody(board: Board) -> None:
    number = filed(board, a_filing(complainants=()))
    receipt = next(one for one in board.file(number).letters if one.queued.to_party is None)
    with pytest.raises(BadInput, match="served on nobody"):
        _packet(board, number, receipt.id)

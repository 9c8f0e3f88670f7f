"""What leaves the file: evidence to a prosecutor (C)(1), and what a party's own disclosure opens (C)(2)."""

import hashlib
import re
import subprocess
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from store import outbox
from store.cases import Paper, act, paper_bytes, papers
from store.proceedings import ballot
from store.proceedings.ballot import Motion
from store.proceedings.correction import correct_receipt, receipts, words_for
from store.proceedings.delivery import attachments
from store.proceedings.disclosure import (
    confirm_publicly,
    issued_to_a_party,
    record_disclosure,
    release_documents,
)
from store.proceedings.enclosed import MANIFEST_NAME, manifest_text, names_by_manifest
from store.proceedings.evidence_referral import Selection, record_evidence_receipt, turn_over_evidence
from store.proceedings.notice import send_notice
from store.proceedings.packet import print_packet
from store.proceedings.parties import remove_party
from store.rules.access import Deed
from store.rules.casefile import LetterState
from store.rules.errors import AlreadyDone, BadInput, NotAllowed, NotNow
from store.rules.facts import (
    Choice,
    DocumentsReleased,
    EvidenceTurnedOver,
    OfficeReceived,
    PubliclyConfirmed,
    Question,
)
from store.rules.ordinance import Office
from store.rules.timeline import timeline
from tests.proceedings.builders import Board
from tests.proceedings.filings import A_MONDAY_MORNING


def _selection(board: Board, number: str, *documents: int) -> Selection:
    return Selection(
        Office.COMMONWEALTHS_ATTORNEY, documents, board.look(number).today, "Motion carried on Monday"
    )


def test_evidence_goes_with_a_manifest_of_the_hashes_of_its_very_bytes(board: Board) -> None:
    number, _track = board.served_case()
    turn_over_evidence(board.docket, board.chair, number, _selection(board, number, 1))
    (fact,) = board.file(number).all(EvidenceTurnedOver)
    assert fact.fact.documents == (1,)
    assert fact.fact.manifest is not None
    with board.docket.database.read() as session:
        _paper, manifest = paper_bytes(board.docket, session, fact.fact.manifest)
        _paper, evidence = paper_bytes(board.docket, session, 1)
    assert manifest.decode() == f"{hashlib.sha256(evidence).hexdigest()}  exhibit-1.pdf\n"


def _checked(folder: Path, sums: str) -> tuple[int, str]:
    """What ``sha256sum -c`` of the GNU coreutils says of a folder."""
    ended = subprocess.run(
        ["sha256sum", "-c", "--strict", sums], cwd=folder, capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stdout


def test_the_manifest_checks_with_sha256sum_what_goes_by_mail_and_in_the_packet(
    board: Board, tmp_path: Path
) -> None:
    number, _track = board.served_case()
    for content in (b"first", b"second"):
        with act(board.docket, board.clerk, Deed.RECORD_RESPONSE, number=number) as step:
            step.keep(content, kind="other", media_type="application/pdf", name="c.pdf", received_at=step.now)
    with board.docket.database.read() as session:
        kept = papers(board.docket, session, board.key(number))
        came = [one.id for one in kept if not one.kind.startswith("letter:")]
    turn_over_evidence(board.docket, board.chair, number, _selection(board, number, *came))
    (letter,) = board.file(number).letters_to("evidence_cover")
    packet = print_packet(board.docket, board.clerk, number, letter.id, where="cli")
    enclosed = (letter.queued.document, *letter.queued.enclosures)
    mail = outbox.Letter("c@a.example", "s", "t", enclosed, "<m@b.example>", "token")
    mailed = {name: content for name, _kind, content in attachments(board.docket, mail)}
    printed = {one.name: one.content for one in packet.sheets}
    for place, given in (("mailed", mailed), ("printed", printed)):
        folder = tmp_path / place
        folder.mkdir()
        for name, content in given.items():
            (folder / name).write_bytes(content)
        status, said = _checked(folder, MANIFEST_NAME)
        assert (status, said.count(": OK")) == (0, len(came)), said
        (folder / "exhibit-2.pdf").write_bytes(b"another")
        assert "exhibit-2.pdf: FAILED" in _checked(folder, MANIFEST_NAME)[1]
    assert packet.listed == {*(f"exhibit-{n}.pdf" for n in range(1, len(came) + 1)), MANIFEST_NAME}


def test_a_manifest_of_an_older_record_lends_its_names_to_no_file() -> None:
    paper = Paper(1, "complaint", "application/pdf", 1, "a" * 64, A_MONDAY_MORNING, "Rory.pdf", "")
    older = names_by_manifest([paper], f"{paper.sha256}  Rory.pdf\n".encode())
    assert older == {}
    assert names_by_manifest([paper], manifest_text([paper]).encode()) == {1: "exhibit-1.pdf"}
    another = replace(paper, sha256="b" * 64)
    assert names_by_manifest([another], manifest_text([paper]).encode()) == {}


def test_what_the_board_wrote_never_goes_as_evidence(board: Board) -> None:
    number, track = board.served_case()
    letter = board.file(number).letters_to("notice", track)[0]
    for wrong in (letter.queued.document, 999):
        with pytest.raises(BadInput):
            turn_over_evidence(board.docket, board.chair, number, _selection(board, number, 1, wrong))
    with pytest.raises(BadInput):
        turn_over_evidence(board.docket, board.chair, number, _selection(board, number))
    with pytest.raises(NotAllowed):
        turn_over_evidence(board.docket, board.members[1], number, _selection(board, number, 1))


def test_evidence_goes_by_an_authority_that_is_no_older_than_the_complaint(board: Board) -> None:
    number, _track = board.served_case()
    first, chosen = board.look(number).case.board_received_at.date(), _selection(board, number, 1)
    for day in (first - timedelta(days=1), board.look(number).today + timedelta(days=1)):
        with pytest.raises(BadInput):
            turn_over_evidence(board.docket, board.chair, number, replace(chosen, authorised_on=day))
    assert turn_over_evidence(board.docket, board.chair, number, replace(chosen, authorised_on=first))


def test_a_receipt_of_evidence_settles_the_letter_that_went_on_paper(board: Board) -> None:
    number, _track = board.served_case()
    turned = turn_over_evidence(board.docket, board.chair, number, _selection(board, number, 1))
    now = board.clock.now()
    record_evidence_receipt(board.docket, board.clerk, number, turned, at=now, evidence="signed")
    case = board.file(number)
    assert case.last(OfficeReceived, about=turned) is not None
    assert case.letters_to("evidence_cover")[0].state is LetterState.ON_PAPER
    seen = board.look(number)
    says = [one.says for one in timeline(case, seen.steps, seen.profile.city.time_zone, seen.today).moments]
    assert "evidence received by the commonwealths attorney" in says
    assert not [one for one in says if one.startswith("evidence cover sent")], "what was carried was not sent"
    with pytest.raises(AlreadyDone):
        record_evidence_receipt(board.docket, board.clerk, number, turned, at=now, evidence="signed")


def test_a_prosecutors_receipt_is_corrected_with_a_reason_and_the_old_entry_stays(board: Board) -> None:
    number, _track = board.served_case()
    turned = turn_over_evidence(board.docket, board.chair, number, _selection(board, number, 1))
    board.clock.advance(timedelta(days=5))
    wrong = board.clock.now()
    record_evidence_receipt(board.docket, board.clerk, number, turned, at=wrong, evidence="signed")
    (receipt,) = [one for one in receipts(board.file(number)) if isinstance(one.fact, OfficeReceived)]
    assert words_for(board.file(number), receipt) == "evidence received by the commonwealths attorney"
    truly = wrong - timedelta(days=2)
    for at, reason, refusal in (
        (truly, " ", BadInput),
        (wrong, "the stamp", AlreadyDone),
        (wrong - timedelta(days=9), "the stamp", NotNow),
        (wrong + timedelta(days=1), "the stamp", BadInput),
    ):
        with pytest.raises(refusal):
            correct_receipt(board.docket, board.clerk, number, receipt.id, received_at=at, reason=reason)
    with pytest.raises(NotAllowed):
        correct_receipt(
            board.docket, board.members[1], number, receipt.id, received_at=truly, reason="the stamp"
        )
    correct_receipt(board.docket, board.clerk, number, receipt.id, received_at=truly, reason="the stamp")
    file = board.file(number)
    (now,) = file.all(OfficeReceived)
    assert (now.fact.at, now.fact.evidence, now.supersedes, now.about) == (
        truly,
        "the stamp",
        receipt.id,
        turned,
    )
    assert [one.fact.at for one in file.facts if isinstance(one.fact, OfficeReceived)] == [wrong, truly]
    letter = file.letters_to("evidence_cover")[0]
    assert (letter.state, letter.settled_at) == (LetterState.ON_PAPER, truly)


def test_nothing_is_confirmed_or_released_before_a_party_disclosed(board: Board) -> None:
    number, track = board.served_case()
    with pytest.raises(NotNow):
        confirm_publicly(board.docket, board.chair, number, how="press release")
    with pytest.raises(NotNow):
        release_documents(board.docket, board.chair, number, [1], how="web site")
    with pytest.raises(NotNow):
        board.ballot(number, track, board.meeting(), Question.RELEASE_DOCUMENTS)


def _disclosed(board: Board) -> tuple[str, int]:
    number, track = board.served_case()
    today = board.look(number).today
    record_disclosure(board.docket, board.chair, number, party=track, on=today, evidence="the Courier, p. 3")
    return number, track


def test_a_disclosure_opens_the_bare_confirmation(board: Board) -> None:
    number, _track = _disclosed(board)
    says = confirm_publicly(board.docket, board.chair, number, how="press release")
    assert number in says
    assert "Rory" not in says


def test_counsel_or_nobody_is_not_the_party_whose_disclosure_opens(board: Board) -> None:
    number, _track = board.served_case()
    with pytest.raises(BadInput):
        record_disclosure(
            board.docket, board.chair, number, party=999, on=board.look(number).today, evidence="x"
        )


def test_a_disclosure_follows_the_complaint_and_is_a_partys_who_is_one_on_that_day(board: Board) -> None:
    number, _track = board.served_case()
    today, complainant = board.look(number).today, board.file(number).complainants[0].id
    for on in (date(2026, 2, 1), today + timedelta(days=1)):
        with pytest.raises(BadInput):
            record_disclosure(board.docket, board.chair, number, party=complainant, on=on, evidence="x")
    record_disclosure(
        board.docket, board.chair, number, party=complainant, on=date(2026, 2, 2), evidence="the day it came"
    )
    other = board.respondent(number, "Otto Other")
    remove_party(board.docket, board.clerk, number, other, reason="named in error")
    with pytest.raises(BadInput, match="no party of this case any more"):
        record_disclosure(board.docket, board.chair, number, party=other, on=today, evidence="a blog")


def test_the_same_confirmation_is_recorded_once_a_day_and_its_words_can_be_had_again(board: Board) -> None:
    number, _track = _disclosed(board)
    says = confirm_publicly(board.docket, board.chair, number, how="press release")
    with pytest.raises(AlreadyDone, match=re.escape(says)):
        confirm_publicly(board.docket, board.clerk, number, how="Press  release")
    confirm_publicly(board.docket, board.chair, number, how="to the Courier, which asked")
    board.clock.advance(timedelta(days=1))
    confirm_publicly(board.docket, board.chair, number, how="press release")
    assert len(list(board.file(number).all(PubliclyConfirmed))) == 3


@pytest.mark.parametrize(
    ("state", "issued"),
    [
        ("", False),
        ("sent", True),
        ("delayed", True),
        ("on-paper", True),
        ("uncertain", False),
        ("refused", False),
        ("bounced", False),
        ("withdrawn", False),
    ],
)
def test_a_letter_counts_as_issued_once_it_reached_a_party_and_not_before(
    board: Board, state: str, issued: bool
) -> None:
    number = board.case()
    track = board.respondent(number)
    (letter, *_rest) = send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    if state:
        board.settle(number, letter, state)
    case = board.file(number)
    with board.docket.database.read() as session:
        kept = papers(board.docket, session, case.key)
    (notice,) = (one for one in case.letters if one.id == letter)
    found = issued_to_a_party(case, kept)
    assert (notice.document in found) is issued
    assert (1 in found) is issued, "the copy of the complaint goes with the notice"


def test_only_a_carried_ballot_releases_and_only_what_was_issued_to_a_party(board: Board) -> None:
    number, track = _disclosed(board)
    held = board.meeting()
    notice = board.file(number).letters_to("notice", track)[0].queued.document
    board.decide(number, track, held, Question.RELEASE_DOCUMENTS, Choice.NO)
    with pytest.raises(NotNow):
        release_documents(board.docket, board.chair, number, [notice], how="web site")
    board.decide(number, track, held, Question.RELEASE_DOCUMENTS)
    with act(board.docket, board.clerk, Deed.CORRECT, number=number) as step:
        inner = step.keep(
            b"memo", kind="evidence", media_type="text/plain", name="m.txt", received_at=step.now
        )
    with pytest.raises(BadInput):
        release_documents(board.docket, board.chair, number, [inner], how="web site")
    release_documents(board.docket, board.chair, number, [notice, 1], how="web site")
    (released,) = board.file(number).all(DocumentsReleased)
    assert released.fact.documents == (notice, 1)
    with pytest.raises(AlreadyDone):
        release_documents(board.docket, board.chair, number, [notice], how="web site")


def test_a_release_ballot_may_be_put_again(board: Board) -> None:
    number, track = _disclosed(board)
    held = board.meeting()
    first = board.decide(number, track, held, Question.RELEASE_DOCUMENTS, Choice.NO)
    motion = Motion(track, Question.RELEASE_DOCUMENTS, held, reballot_of=first)
    assert ballot.open_ballot(board.docket, board.chair, number, motion) > first


def test_letters_to_an_office_on_paper_owe_no_mail(board: Board) -> None:
    number, _track = board.served_case()
    turn_over_evidence(board.docket, board.chair, number, _selection(board, number, 1))
    with board.docket.database.read() as session:
        kinds = {one.kind for one in outbox.waiting(session, outbox.Channel.MAIL)}
    assert "evidence_cover" not in kinds

"""Is the complaint in writing, signed, and does it meet the other requirements? Clause (A), decisions 3."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from store.cases import Listing, page_of
from store.printing import PressRoom
from store.proceedings import form_check
from store.proceedings.correction import correct_receipt
from store.proceedings.form_check import FormView, decide_form, send_cure_notice
from store.proceedings.merger import merge
from store.proceedings.parties import name_party
from store.proceedings.receipt import Sender, attach_paper
from store.rules.access import Deed
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow
from store.rules.facts import FormDecided, PaperReceived, PartyNamed, PartyRole
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.proceedings.builders import Board, a_board
from tests.proceedings.filings import a_filing, filed, letters, send_all, taken

PROPER = FormView(proper=True, signed=True, finding="drawn")
UNSIGNED = FormView(proper=False, signed=False, finding="none-found", lacking=("signature",))


def _paper(board: Board, number: str, what: str, *, party: int | None = None, uid: int = 60) -> datetime:
    """A further paper two days on; its instant."""
    now = board.clock.advance(timedelta(days=2))
    item = taken(board.docket, b"%d" % uid, uid, now)
    attach_paper(board.docket, item, board.key(number), a_filing(now, what=what, ack_to=""), party=party)
    return now


def _decide(board: Board, number: str, view: FormView) -> None:
    decide_form(board.docket, board.clerk, number, view)


def test_a_proper_complaint_was_proper_from_its_receipt_whenever_that_is_decided(board: Board) -> None:
    number = filed(board)
    board.clock.advance(timedelta(days=6))
    _decide(board, number, PROPER)
    assert board.file(number).proper
    assert board.file(number).proper_received_at == A_MONDAY_MORNING


@pytest.mark.parametrize(
    "view",
    [
        FormView(proper=True, signed=False),
        FormView(proper=True, signed=True, lacking=("signature",)),
        FormView(proper=True, signed=True, lacking=("in-writing",)),
        FormView(proper=False, signed=True),
        FormView(proper=False, signed=False, lacking=("a-stamp",)),
        FormView(proper=True, signed=True, finding="none-found"),
        FormView(proper=True, signed=True, finding="crypto-broken", reason="  "),
        FormView(proper=False, signed=False, finding="drawn", lacking=("signature",)),
        FormView(proper=True, signed=True, finding="drawn", paper=1),
        FormView(proper=True, signed=True, finding="drawn", paper=9999),
    ],
)
def test_a_decision_that_contradicts_itself_or_needs_a_reason_is_refused(
    board: Board, view: FormView
) -> None:
    number = filed(board)
    before = board.file(number).facts
    with pytest.raises(BadInput):
        _decide(board, number, view)
    assert board.file(number).facts == before


def test_a_decision_against_the_files_evidence_stands_with_its_reason(board: Board) -> None:
    number = filed(board)
    _decide(board, number, FormView(proper=True, signed=True, finding="none-found", reason="ink, seen"))
    form = board.file(number).form
    assert form is not None
    assert (form.fact.finding, form.fact.reason, form.by) == ("none-found", "ink, seen", board.clerk.person)


def test_only_the_clerk_decides_on_form(board: Board) -> None:
    number = filed(board)
    with pytest.raises(NotAllowed):
        decide_form(board.docket, board.chair, number, PROPER)
    with pytest.raises(NoSuchCase):
        decide_form(board.docket, board.actor("Cyrus Manager"), number, PROPER)


def test_the_thirty_days_run_from_the_paper_that_cured_it(board: Board) -> None:
    number = filed(board)
    _decide(board, number, UNSIGNED)
    assert not board.file(number).proper
    cured = _paper(board, number, "cure")
    board.clock.advance(timedelta(days=3))
    _decide(board, number, PROPER)
    assert board.file(number).proper_received_at == cured


def test_what_is_added_to_a_complaint_that_lacked_nothing_moves_no_date(board: Board) -> None:
    number = filed(board)
    _paper(board, number, "evidence")
    _decide(board, number, PROPER)
    assert board.file(number).proper_received_at == A_MONDAY_MORNING
    _paper(board, number, "evidence", uid=61)
    _decide(board, number, FormView(proper=True, signed=True, finding="drawn", reason="once more"))
    assert board.file(number).proper_received_at == A_MONDAY_MORNING


def test_a_paper_of_the_respondents_makes_no_complaint_proper(board: Board) -> None:
    number = filed(board)
    track = board.respondent(number)
    _decide(board, number, UNSIGNED)
    cured = _paper(board, number, "evidence")
    _paper(board, number, "evidence", party=track, uid=61)
    theirs = board.file(number).last(PaperReceived)
    assert theirs is not None
    with pytest.raises(BadInput):
        _decide(board, number, FormView(proper=True, signed=True, finding="drawn", paper=theirs.id))
    _decide(board, number, PROPER)
    assert board.file(number).proper_received_at == cured


def test_the_clerk_may_say_which_paper_it_was(board: Board) -> None:
    number = filed(board)
    _decide(board, number, UNSIGNED)
    first = _paper(board, number, "cure")
    paper = board.file(number).last(PaperReceived)
    assert paper is not None
    _paper(board, number, "cure", uid=61)
    _decide(board, number, FormView(proper=True, signed=True, finding="drawn", paper=paper.id))
    assert board.file(number).proper_received_at == first


def test_a_later_decision_takes_the_place_of_an_earlier_one(board: Board) -> None:
    number = filed(board)
    _decide(board, number, PROPER)
    _decide(board, number, FormView(proper=False, signed=False, lacking=("signature",), reason="a stamp"))
    case = board.file(number)
    assert not case.proper
    assert case.proper_received_at is None


# -- the cure notice ----------------------------------------------------------------------------------


def test_each_complainant_is_asked_for_what_is_lacking_and_counsel_gets_a_copy(board: Board) -> None:
    both = (Sender("Connie", "connie@post.example"), Sender("Joe", "joe@post.example"))
    number = filed(board, a_filing(complainants=both, ack_to=""))
    first = board.file(number).complainants[0].id
    counsel = PartyNamed(PartyRole.COMPLAINANT_COUNSEL, "Lou", ("lou@law.example",), represents=first)
    name_party(board.docket, board.clerk, number, counsel)
    _decide(board, number, UNSIGNED)
    assert len(send_cure_notice(board.docket, board.clerk, number)) == 3
    sent = letters(board.docket, "cure_notice")
    assert [one.to for one in sent] == ["connie@post.example", "lou@law.example", "joe@post.example"]
    assert all(
        number in one.subject and "signed by the complainant" in " ".join(one.text.split()) for one in sent
    )
    assert len({one.token for one in sent}) == 3


def test_it_is_asked_once_a_decision(board: Board) -> None:
    number = filed(board, a_filing(ack_to=""))
    _decide(board, number, UNSIGNED)
    send_cure_notice(board.docket, board.clerk, number)
    with pytest.raises(AlreadyDone):
        send_cure_notice(board.docket, board.clerk, number)
    _decide(board, number, FormView(proper=False, signed=True, lacking=("in-writing",)))
    send_cure_notice(board.docket, board.clerk, number)
    assert len(letters(board.docket, "cure_notice")) == 2
    board.clock.advance(timedelta(minutes=6))
    send_all(board)
    with pytest.raises(AlreadyDone):
        send_cure_notice(board.docket, board.clerk, number)


def test_nothing_is_asked_for_before_a_decision_or_of_nobody(board: Board) -> None:
    number = filed(board, a_filing(complainants=(), ack_to=""))
    with pytest.raises(NotNow):
        send_cure_notice(board.docket, board.clerk, number)
    _decide(board, number, UNSIGNED)
    with pytest.raises(NotNow):
        send_cure_notice(board.docket, board.clerk, number)
    name_party(
        board.docket, board.clerk, number, PartyNamed(PartyRole.COMPLAINANT, "Connie", postal="1 Street")
    )
    assert send_cure_notice(board.docket, board.clerk, number)
    assert letters(board.docket) == []  # no address: it is set for paper
    _decide(board, number, PROPER)
    with pytest.raises(NotNow):
        send_cure_notice(board.docket, board.clerk, number)


def test_a_requirement_that_the_profile_sets_is_asked_for_in_its_own_words(
    tmp_path: Path, clock: ManualClock, press: PressRoom
) -> None:
    profile = (Path(form_check.__file__).parents[1] / "profiles" / "louisville-metro.toml").read_text()
    board = a_board(tmp_path, clock, press, profile=profile)
    number = filed(board, a_filing(ack_to=""))
    asked = board.look(number).profile.complaints.requirements
    assert asked
    wanted = next(one for one in asked if one.required)
    with pytest.raises(BadInput):
        _decide(board, number, FormView(proper=True, signed=True, lacking=(wanted.id,)))
    _decide(board, number, FormView(proper=False, signed=True, lacking=(wanted.id,)))
    send_cure_notice(board.docket, board.clerk, number)
    (letter,) = letters(board.docket, "cure_notice")
    assert " ".join(wanted.text.split()) in " ".join(letter.text.split())
    board.docket.database.engine.dispose()


@pytest.mark.parametrize("view", [PROPER, UNSIGNED])
def test_the_same_decision_is_recorded_once(board: Board, view: FormView) -> None:
    number = filed(board)
    _decide(board, number, view)
    with pytest.raises(AlreadyDone):
        _decide(board, number, view)
    assert len(list(board.file(number).all(FormDecided))) == 1


def _waits(board: Board, number: str) -> bool:
    found = page_of(board.docket, board.clerk, Listing.TO_CHECK_FORM, deed=Deed.DECIDE_FORM)
    return number in {one.number for one in found.cases}


def test_a_form_waits_until_it_is_decided_and_anew_after_each_paper_that_may_mend_it(board: Board) -> None:
    """The same words may be said of each paper; they are a decision of their own every time."""
    number = filed(board)
    assert _waits(board, number)
    _decide(board, number, UNSIGNED)
    assert not _waits(board, number)
    for uid, what in enumerate(("cure", "evidence", "evidence", "amendment"), 60):
        _paper(board, number, what, uid=uid)
        assert _waits(board, number)
        _decide(board, number, UNSIGNED)
        assert not _waits(board, number)
        with pytest.raises(AlreadyDone):
            _decide(board, number, UNSIGNED)
    assert len(list(board.file(number).all(FormDecided))) == 1


def test_what_mends_no_form_makes_none_wait(board: Board) -> None:
    """A respondent's paper, a receipt set right after the decision, and what is added to a proper complaint."""
    number = filed(board)
    _paper(board, number, "cure")
    _decide(board, number, UNSIGNED)
    receipt = board.file(number).last(PaperReceived)
    assert receipt is not None
    earlier = board.clock.now() - timedelta(days=1)
    correct_receipt(
        board.docket, board.clerk, number, receipt.id, received_at=earlier, reason="the counter's stamp"
    )
    _paper(board, number, "evidence", party=board.respondent(number), uid=61)
    assert not _waits(board, number)
    _decide(board, number, PROPER)
    _paper(board, number, "evidence", uid=62)
    assert not _waits(board, number)


def test_the_form_of_a_complaint_that_was_merged_waits_for_nobody(board: Board) -> None:
    kept, merged = filed(board), filed(board, raw=b"the same again", uid=2)
    merge(board.docket, board.clerk, merged, into=kept, reason="the same matter")
    assert not _waits(board, merged)
    assert _waits(board, kept)

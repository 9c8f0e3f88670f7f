"""What a card's three questions answer in each phase of a case; cures by hand and flags under (F) as forms."""

from datetime import timedelta

import pytest

from bot.actions.ids import Do
from store.cases import MACHINE, act
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.closing import close_case
from store.proceedings.correction import reopen
from store.proceedings.demand import record_commission_result, record_demand
from store.proceedings.form_check import FormView, decide_form
from store.proceedings.meeting import close_meeting
from store.proceedings.notification import send_notification
from store.proceedings.referral import refer
from store.proceedings.screening import tell_entitled
from store.rules.access import Deed
from store.rules.casefile import CURE
from store.rules.facts import Choice, ComplaintFlagged, PaperReceived, Question
from tests.bot.slack.office import CLARA, HANNA, MORA, Office, told
from tests.bot.slack.test_after import around
from tests.bot.slack.test_forms import fill, press
from tests.proceedings.after_builders import received_case
from tests.proceedings.builders import Board

pytestmark = pytest.mark.contract
UNSIGNED = FormView(proper=False, signed=False, finding="none-found", lacking=("signature",))
ASKED = (Do.WHAT_NEXT, Do.WHY_DATES, Do.HISTORY)


def asked(office: Office, user: str, number: str) -> dict[Do, str]:
    """Ask the three questions of a card."""
    answers = {}
    for do in ASKED:
        answers[do] = press(office, user, number, do)
        office.practice.close(user, clear=True)
    return answers


def show(office: Office, number: str) -> None:
    """Show the case to everybody who may see it."""
    with act(office.board.docket, MACHINE, Deed.SCREEN, case_id=office.board.key(number)) as step:
        tell_entitled(step)
    office.deliver()


def agrees(office: Office, number: str, answers: dict[Do, str]) -> None:
    """Each open step is named with its last day, in what comes next and in why, as the record has it."""
    for step in office.board.look(number).steps:
        if step.is_open and step.dates is not None:
            last = step.open_until or step.dates.expected_last_day
            assert f"{last:%a %Y-%m-%d}" in answers[Do.WHAT_NEXT]
            assert step.duty.what in answers[Do.WHY_DATES]
            assert str(step.dates.expected_last_day) in answers[Do.WHY_DATES]


def lacking(office: Office) -> str:
    """A case in which the signature is lacking."""
    number = told(office, proper=False)
    decide_form(office.board.docket, office.board.clerk, number, UNSIGNED)
    return number


def _settled(board: Board, number: str, letters: tuple[int, ...]) -> None:
    for letter in letters:
        board.settle(number, letter, "sent")


def test_before_the_vote_each_phase_says_what_is_to_be_done_why_and_what_was(office: Office) -> None:
    board = office.board
    number = lacking(office)
    answers = asked(office, MORA, number)
    assert "send the cure notice" in answers[Do.WHAT_NEXT]
    assert "complaint found not proper yet" in answers[Do.HISTORY]
    number = told(office)
    refer(board.docket, board.actor("Cyrus Manager"), number)
    track = board.respondent(number)
    answers = asked(office, MORA, number)
    agrees(office, number, answers)
    assert "Next: *Acknowledged to the complainant*" in answers[Do.WHAT_NEXT]
    assert "serve the notice" in answers[Do.WHAT_NEXT]
    assert "respondent named" in answers[Do.HISTORY]
    board.serve(number, track)
    answers = asked(office, CLARA, number)
    agrees(office, number, answers)
    assert "record the response" in answers[Do.WHAT_NEXT]
    assert "notice to respondent: sent" in answers[Do.HISTORY]
    assert "notice to respondent written" in answers[Do.HISTORY]
    board.clock.advance(timedelta(days=15))
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    answers = asked(office, HANNA, number)
    agrees(office, number, answers)
    assert "put it to the vote" in answers[Do.WHAT_NEXT]
    assert "ballot closed: jurisdiction, carried" in answers[Do.HISTORY]


def test_after_the_vote_each_phase_says_what_is_awaited_why_and_what_was(office: Office) -> None:
    board = office.board
    number, track = received_case(board)
    docket, clerk = board.docket, board.clerk
    _settled(board, number, acknowledge(docket, clerk, number))
    _settled(board, number, send_notification(docket, clerk, number, track))
    show(office, number)
    answers = asked(office, CLARA, number)
    agrees(office, number, answers)
    assert f"*Case {number}* is final." in answers[Do.WHAT_NEXT]
    assert "Next:" not in answers[Do.WHAT_NEXT]
    assert "record a demand, if one comes" in answers[Do.WHAT_NEXT]
    assert "decided for respondent: reprimand" in answers[Do.HISTORY]
    assert "reprimand received by the officer" in answers[Do.HISTORY]
    assert Do.CHANCE_NOT_USED not in office.offers(office.card(CLARA, number)), "it was determined already"
    demand = record_demand(docket, clerk, number, track, received_at=board.clock.now(), words="by hand")
    assert demand.letter is not None
    board.settle(number, demand.letter, "sent")
    answers = asked(office, CLARA, number)
    assert "record the result of the Commission's hearing" in answers[Do.WHAT_NEXT]
    assert "demand cover to the commission: sent" in answers[Do.HISTORY]
    assert "The file stays open until the result" in answers[Do.WHAT_NEXT]
    record_commission_result(docket, clerk, number, track, on=board.look(number).today, result="upheld")
    assert "The file stays open" not in asked(office, CLARA, number)[Do.WHAT_NEXT]
    assert "close the case" in asked(office, CLARA, number)[Do.WHAT_NEXT]
    close_case(docket, clerk, number)
    answers = asked(office, CLARA, number)
    assert f"*Case {number}* is closed." in answers[Do.WHAT_NEXT]
    assert "reopen the case, with a reason" in answers[Do.WHAT_NEXT]
    assert "file closed" in answers[Do.HISTORY]
    reopen(docket, clerk, number, reason="new evidence")
    answers = asked(office, HANNA, number)
    agrees(office, number, answers)
    assert "Determined, Final" in answers[Do.WHAT_NEXT]
    assert "put it to the vote" in answers[Do.WHAT_NEXT]
    assert "reopened" in answers[Do.HISTORY]


def test_a_history_tells_that_somebody_voted_and_never_how(office: Office) -> None:
    board = office.board
    number, track = board.served_case()
    show(office, number)
    held = board.meeting()
    opened = board.ballot(number, track, held, Question.JURISDICTION)
    board.vote(number, opened, board.members[1], Choice.NO)
    told_so = asked(office, MORA, number)[Do.HISTORY]
    assert "vote cast – Mora Member" in told_so
    assert "no" not in told_so.lower().split()


def test_a_cure_by_hand_is_recorded_with_its_own_receipt_and_the_thirty_days_run_from_it(
    office: Office,
) -> None:
    """Clauses A-form and B-inquiry, decisions 3."""
    number = lacking(office)
    board = office.board
    office.board.clock.advance(timedelta(days=9))
    (connie,) = board.file(number).complainants
    values: dict[str, object] = {
        "papers": ["1"],
        "who": str(connie.id),
        "on": "2026-02-06",
        "hour": "9:15",
        "how": "date stamp of the counter",
    }
    said = fill(office, CLARA, number, Do.CURE, values)
    assert "a cure that came by hand" in said
    (paper,) = board.file(number).all(PaperReceived)
    assert (paper.fact.what, paper.fact.received_at.isoformat()) == (CURE, "2026-02-06T14:15:00+00:00")
    decide_form(
        board.docket,
        board.clerk,
        number,
        FormView(proper=True, signed=True, finding="drawn", reason="signed now"),
    )
    answers = asked(office, CLARA, number)
    agrees(office, number, answers)
    assert "2026-03-08" in answers[Do.WHY_DATES], "thirty days from the sixth of February end on a Sunday"
    assert "cure received from complainant" in answers[Do.HISTORY]
    assert Do.CURE not in office.offers(office.card(CLARA, number))


def test_a_cure_before_the_complaint_or_twice_changes_nothing(office: Office) -> None:
    number = lacking(office)
    (connie,) = office.board.file(number).complainants
    values: dict[str, object] = {
        "papers": ["1"],
        "who": str(connie.id),
        "on": "2026-01-30",
        "hour": "9:15",
        "how": "date stamp",
    }
    assert "before the complaint was received" in refused(office, CLARA, number, Do.CURE, values)
    now: dict[str, object] = values | {"on": "2026-02-02", "hour": "9:15"}
    fill(office, CLARA, number, Do.CURE, now)
    assert "Nothing was changed" in refused(office, CLARA, number, Do.CURE, now)
    assert len(list(office.board.file(number).all(PaperReceived))) == 1


def refused(office: Office, user: str, number: str, action: Do, values: dict[str, object]) -> str:
    """Fill a form that is refused; give what was said of it."""
    office.practice.command(user, "/ethics", f"case {number}")
    office.press(user, office.last(user), action)
    office.practice.submit(user, values)  # type: ignore[arg-type]  # choices as the test spells them
    said = office.said(user)
    office.practice.close(user, clear=True)
    return said


def test_a_flag_is_offered_once_the_boards_ballot_carried_it_and_recorded_once(office: Office) -> None:
    """Clause F-false."""
    board = office.board
    number, track = board.served_case()
    show(office, number)
    held = board.meeting()
    press(office, CLARA, number, Do.MORE_ACTS)
    assert Do.FLAG_COMPLAINT not in office.offers(office.modal(CLARA)), "the Board has not voted"
    office.practice.close(CLARA, clear=True)
    board.decide(number, track, held, Question.FALSE_COMPLAINT)
    close_meeting(board.docket, board.chair, held)
    office.deliver()
    before = board.file(number).letters
    said = around(office, CLARA, number, Do.FLAG_COMPLAINT, {"words": "the dates in the complaint"})
    assert "the Board's flag under (F)" in said
    assert [one.fact.words for one in board.file(number).all(ComplaintFlagged)] == [
        "the dates in the complaint"
    ]
    assert board.file(number).letters == before, "no letter goes out by it"
    press(office, CLARA, number, Do.MORE_ACTS)
    offers = office.offers(office.modal(CLARA))
    assert Do.FLAG_COMPLAINT not in offers
    assert Do.TURN_OVER_EVIDENCE in offers
    office.practice.close(CLARA, clear=True)
    press(office, MORA, number, Do.WHAT_NEXT)
    office.practice.close(MORA, clear=True)
    assert "complaint flagged by the Board" in asked(office, MORA, number)[Do.HISTORY]

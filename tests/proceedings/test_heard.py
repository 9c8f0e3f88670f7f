"""A respondent is heard: more time, appearance, statements under oath, exhibits, each answer his own (B)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from store.cases import papers
from store.proceedings.answer_time import ask_for_time, inquiry_step, rule_on_time
from store.proceedings.exhibits import Offer, offer_exhibit, rule_on_exhibit
from store.proceedings.hearing import Setting, Sitting, open_hearing, record_sitting
from store.proceedings.meeting import close_meeting
from store.proceedings.minutes import write_minutes
from store.proceedings.notice import send_notice
from store.proceedings.parties import name_party
from store.proceedings.recusal import recuse
from store.proceedings.response import File, record_chance_not_used, record_response
from store.proceedings.testimony import Appearance, Statement, record_appearance, record_statement
from store.rules.duties import StepState
from store.rules.errors import AlreadyDone, BadInput, NotAllowed, NotNow
from store.rules.facts import Appeared, ExhibitRuled, PartyNamed, PartyRole, StatementTaken
from tests.proceedings.after_builders import heard_case
from tests.proceedings.builders import Board

PAPER = File(b"%PDF a photograph", "photo.pdf", "application/pdf")


def _served(board: Board) -> tuple[str, int]:
    """A proper case whose respondent was served just now."""
    number = board.case()
    track = board.respondent(number)
    board.serve(number, track)
    return number, track


def _counsel(board: Board, number: str, track: int) -> int:
    named = PartyNamed(PartyRole.RESPONDENT_COUNSEL, "Lou Lawyer", ("lou@law.example",), represents=track)
    return name_party(board.docket, board.clerk, number, named)


# -- more time ----------------------------------------------------------------------------------------


def test_asking_moves_nothing_and_a_grant_moves_the_right_and_no_duty(board: Board) -> None:
    number, track = _served(board)
    before = board.look(number)
    had = before.case.answer_until(track)
    assert had is not None
    wanted = had + timedelta(days=14)
    request = ask_for_time(
        board.docket, board.clerk, number, track, until=wanted, received_at=board.clock.now(), words="ill"
    )
    assert board.file(number).answer_until(track) == had
    given = rule_on_time(board.docket, board.chair, number, request, granted=True, reason="illness")
    assert given == wanted
    after = board.look(number)
    assert after.case.answer_until(track) == wanted
    for old, new in zip(before.steps, after.steps, strict=True):
        assert old.dates == new.dates
    respond = next(one for one in after.steps if one.key == f"respond:{track}")
    assert (respond.open_until, respond.extended_until) == (wanted, wanted)
    inquiry = inquiry_step(after)
    assert inquiry is not None
    assert inquiry.extended_until is None
    board.clock.advance(timedelta(days=20))
    late = next(one for one in board.look(number).steps if one.key == f"respond:{track}")
    assert late.state is StepState.OPEN


def test_a_refusal_has_its_reason_and_who_ruled(board: Board) -> None:
    number, track = _served(board)
    had = board.file(number).answer_until(track)
    assert had is not None
    request = ask_for_time(
        board.docket,
        board.clerk,
        number,
        track,
        until=had + timedelta(days=60),
        received_at=board.clock.now(),
    )
    with pytest.raises(BadInput):
        rule_on_time(board.docket, board.chair, number, request, granted=False, reason=" ")
    with pytest.raises(BadInput, match="who of the Board"):
        rule_on_time(board.docket, board.clerk, number, request, granted=False, reason="too long")
    with pytest.raises(NotAllowed):
        rule_on_time(board.docket, board.members[1], number, request, granted=False, reason="too long")
    chair = board.chair.person
    rule_on_time(board.docket, board.clerk, number, request, granted=False, reason="too long", ruled_by=chair)
    (asked,) = board.file(number).asked_for_time(track)
    assert asked.ruled is not None
    assert (asked.ruled.granted, asked.ruled.ruled_by, asked.ruled.reason) == (False, chair, "too long")
    assert board.file(number).answer_until(track) == had
    with pytest.raises(AlreadyDone):
        rule_on_time(board.docket, board.chair, number, request, granted=True, reason="after all")


def test_who_is_out_of_the_case_rules_on_nothing_in_it(board: Board) -> None:
    number, track = _served(board)
    had = board.file(number).answer_until(track)
    assert had is not None
    request = ask_for_time(
        board.docket, board.clerk, number, track, until=had + timedelta(days=7), received_at=board.clock.now()
    )
    mora = board.actor("Mora Member")
    recuse(board.docket, mora, number)
    with pytest.raises(BadInput, match="out of the case"):
        rule_on_time(
            board.docket, board.clerk, number, request, granted=True, reason="x", ruled_by=mora.person
        )


def test_one_request_waits_at_a_time_and_silence_is_not_recorded_over_it(board: Board) -> None:
    number, track = board.served_case()
    until = board.look(number).today + timedelta(days=7)
    ask_for_time(board.docket, board.clerk, number, track, until=until, received_at=board.clock.now())
    with pytest.raises(AlreadyDone):
        ask_for_time(board.docket, board.clerk, number, track, until=until, received_at=board.clock.now())
    with pytest.raises(NotNow, match="more time"):
        record_chance_not_used(board.docket, board.clerk, number, track, on=board.look(number).today)


# -- appearance, statement ----------------------------------------------------------------------------


def test_an_appearance_is_no_silence_and_can_be_the_answer(board: Board) -> None:
    number, track = board.served_case()
    counsel = _counsel(board, number, track)
    held = board.meeting()
    board.clock.advance(timedelta(minutes=10))
    now = board.clock.now()
    record_appearance(board.docket, board.clerk, number, track, Appearance(now, "in person", (counsel,)))
    assert not board.file(number).responded(track)
    with pytest.raises(NotNow, match="no silence"):
        record_chance_not_used(board.docket, board.clerk, number, track, on=board.look(number).today)
    answer = Appearance(now, "in person", words="He denies it.", answers=True)
    record_appearance(board.docket, board.clerk, number, track, answer)
    assert board.file(number).responded(track)
    facts = [one.fact for one in board.file(number).all(Appeared)]
    assert [one.meeting for one in facts] == [held, held]
    assert facts[0].counsel == (counsel,)


def test_an_appearance_is_a_partys_with_counsel_of_his_own(board: Board) -> None:
    number, track = board.served_case()
    now = board.clock.now()
    complainant = board.file(number).complainants[0].id
    wrong = (
        (track, Appearance(now, " ")),
        (999, Appearance(now, "in person")),
        (track, Appearance(now, "in person", (complainant,))),
        (track, Appearance(now + timedelta(hours=1), "in person")),
        (complainant, Appearance(now, "in person", answers=True)),
    )
    for party, one in wrong:
        with pytest.raises(BadInput):
            record_appearance(board.docket, board.clerk, number, party, one)
    assert not list(board.file(number).all(Appeared))


def test_a_statement_says_who_swore_before_whom_when_with_its_transcript(board: Board) -> None:
    number, track = board.served_case()
    now = board.clock.now()
    statement = Statement(now, "Nora Notary", track, words="one hour")
    record_statement(board.docket, board.clerk, number, statement, [PAPER])
    witness = Statement(now, "the chair", witness="Will Witness", documents=(1,))
    record_statement(board.docket, board.chair, number, witness)
    first, second = board.file(number).all(StatementTaken)
    assert (first.about, first.fact.sworn, first.fact.administered_by) == (
        track,
        "Rory Respondent",
        "Nora Notary",
    )
    assert (second.about, second.fact.sworn, second.fact.documents) == (None, "Will Witness", (1,))
    with board.docket.database.read() as session:
        kept = {one.id: one.kind for one in papers(board.docket, session, board.key(number))}
    assert [kept[one] for one in first.fact.documents] == ["transcript"]


def test_a_statement_is_one_persons_under_an_oath_that_somebody_administered(board: Board) -> None:
    number, track = board.served_case()
    good = Statement(board.clock.now(), "the chair", track)
    wrong = (
        replace(good, party=None),
        replace(good, witness="Will Witness"),
        replace(good, administered_by=" "),
        replace(good, party=999),
        replace(good, documents=(999,)),
        replace(good, at=board.clock.now() + timedelta(minutes=1)),
    )
    for one in wrong:
        with pytest.raises(BadInput):
            record_statement(board.docket, board.clerk, number, one)
    with pytest.raises(NotAllowed):
        record_statement(board.docket, board.members[1], number, good)


# -- exhibits -----------------------------------------------------------------------------------------


def test_each_exhibit_has_its_mark_its_hash_and_its_ruling(board: Board) -> None:
    number, track = board.served_case()
    now = board.clock.now()
    first = offer_exhibit(board.docket, board.clerk, number, Offer(now, track, PAPER))
    with pytest.raises(AlreadyDone):
        offer_exhibit(board.docket, board.clerk, number, Offer(now, track, PAPER))
    offer_exhibit(board.docket, board.clerk, number, Offer(now, track, replace(PAPER, content=b"another")))
    offer_exhibit(board.docket, board.clerk, number, Offer(now, document=1))
    marks = [one.offered.label for one in board.file(number).exhibits]
    assert marks == ["R-1", "R-2", "B-1"]
    with board.docket.database.read() as session:
        kept = {one.id: one.sha256 for one in papers(board.docket, session, board.key(number))}
    assert all(kept[one.offered.document] == one.offered.sha256 for one in board.file(number).exhibits)
    rule_on_exhibit(board.docket, board.chair, number, first, received=True)
    with pytest.raises(AlreadyDone):
        rule_on_exhibit(board.docket, board.chair, number, first, received=True)
    with pytest.raises(BadInput):
        rule_on_exhibit(board.docket, board.chair, number, first, received=False)
    rule_on_exhibit(board.docket, board.chair, number, first, received=False, reason="not what it seemed")
    assert [one.fact.received for one in board.file(number).all(ExhibitRuled)] == [True, False]
    ruled = board.file(number).exhibits[0].ruled
    assert ruled is not None
    assert not ruled.received


def test_an_exhibit_is_one_thing_with_a_mark_of_its_own(board: Board) -> None:
    number, track = board.served_case()
    now = board.clock.now()
    wrong = (
        Offer(now, track),
        Offer(now, track, PAPER, 1),
        Offer(now, 999, PAPER),
        Offer(now, track, document=999),
        Offer(now + timedelta(minutes=1), track, PAPER),
    )
    for one in wrong:
        with pytest.raises(BadInput):
            offer_exhibit(board.docket, board.clerk, number, one)
    offer_exhibit(board.docket, board.clerk, number, Offer(now, track, PAPER, label="A"))
    with pytest.raises(AlreadyDone):
        offer_exhibit(board.docket, board.clerk, number, Offer(now, track, PAPER, label="a"))


def test_what_was_heard_stands_in_the_sealed_annex_and_not_in_the_open_minutes(board: Board) -> None:
    number, track = board.served_case()
    held = board.meeting()
    board.clock.advance(timedelta(minutes=5))
    now = board.clock.now()
    record_statement(board.docket, board.clerk, number, Statement(now, "Nora Notary", track))
    offer_exhibit(board.docket, board.clerk, number, Offer(now, track, PAPER))
    close_meeting(board.docket, board.clerk, held)
    written = write_minutes(board.docket, board.clerk, held)
    assert written.annexes == (number,)


# -- each answer is its respondent's own --------------------------------------------------------------


def test_counsels_answer_is_his_respondents(board: Board) -> None:
    number, track = board.served_case()
    counsel = _counsel(board, number, track)
    from store.cases import MACHINE, act
    from store.rules.access import Deed
    from store.rules.facts import PaperReceived

    with act(board.docket, MACHINE, Deed.ATTACH_PAPER, case_id=board.key(number)) as step:
        step.record(PaperReceived(step.now, "response", from_party=counsel))
    assert board.file(number).responded(track)
    respond = next(one for one in board.look(number).steps if one.key == f"respond:{track}")
    assert respond.state is StepState.DONE


def test_another_respondents_answer_is_handed_over_with_a_reason_only(board: Board) -> None:
    number, track = heard_case(board)
    other = board.respondent(number, "Ruth Respondent")
    now = board.clock.now()
    record_response(board.docket, board.clerk, number, other, received_at=now, files=[PAPER])
    (answer,) = board.file(number).responses(other)
    theirs = answer.fact.documents
    setting = Setting(now + timedelta(days=9), "City Hall", "Whether.", theirs)
    with pytest.raises(NotNow, match="another respondent"):
        open_hearing(board.docket, board.chair, number, track, setting)
    assert board.file(number).hearing(track) is None
    open_hearing(board.docket, board.chair, number, track, replace(setting, shared="both ask for it"))
    board.clock.advance(timedelta(days=9, hours=1))
    with pytest.raises(NotNow, match="another respondent"):
        record_sitting(
            board.docket, board.chair, number, track, Sitting(board.clock.now(), handed_over=theirs)
        )


def test_a_later_paper_goes_with_no_notice_but_the_one_that_made_it_proper_does(board: Board) -> None:
    from store import outbox
    from store.cases import MACHINE, act
    from store.proceedings.receipt import Filing, Paper, attach_in
    from store.rules.access import Deed
    from store.rules.facts import FormDecided, PaperReceived

    number = board.case(proper=False)
    first, second = (board.respondent(number, name) for name in ("Rory Respondent", "Ruth Respondent"))
    board.serve(number, first)
    for what, content in (("evidence", b"%PDF an answer"), ("cure", b"%PDF signed")):
        with act(board.docket, MACHINE, Deed.ATTACH_PAPER, case_id=board.key(number)) as step:
            filing = Filing(
                "needs_review",
                board.clock.now(),
                papers=(Paper(content, "a.pdf", "application/pdf"),),
                what=what,
            )
            attach_in(step, None, filing, first)  # type: ignore[arg-type]  # handed in without a message
    cure = next(one for one in board.file(number).all(PaperReceived) if one.fact.what == "cure")
    with act(board.docket, board.clerk, Deed.DECIDE_FORM, number=number) as step:
        step.record(FormDecided(proper=True, paper=cure.id, signed=True, finding="drawn"))
    (letter,) = send_notice(board.docket, board.clerk, number, second, provisions=["gifts"])
    with board.docket.database.read() as session:
        row = next(one for one in outbox.waiting(session, outbox.Channel.MAIL) if one.about == letter)
        owed = outbox.read(session, board.docket.keyring, row.id)
        kinds = {one.id: one.kind for one in papers(board.docket, session, board.key(number))}
    assert owed is not None
    assert owed.letter is not None
    assert [kinds[one] for one in owed.letter.attachments] == ["letter:notice", "complaint", "cure"]

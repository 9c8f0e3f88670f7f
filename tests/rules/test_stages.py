"""Where a case stands, and what may come next."""

from datetime import timedelta

from store.rules.facts import (
    CaseClosed,
    ChanceNotUsed,
    DemandRecorded,
    Determined,
    Disposed,
    FormDecided,
    HearingDecided,
    HoldPlaced,
    LetterQueued,
    LetterSettled,
    MergedInto,
    NoRespondent,
    PartyNamed,
    PartyRole,
    Referred,
    Reopened,
    ReprimandReceived,
    Withdrawn,
)
from store.rules.stages import Aside, Next, Stage, TrackStage, asides, coming, stage, track_stage
from tests.rules.case_builders import RECEIVED, Story, a_story

DAY = timedelta(days=1)


def _sent(story: Story, letter: str, party: int) -> None:
    key = story.add(LetterQueued(letter, party, "x", 1, 1, "A"), about=party)
    story.add(LetterSettled("sent", RECEIVED + DAY), about=key)


def test_a_case_goes_through_its_stages_in_the_ordinances_order() -> None:
    story, complainant = a_story()
    assert stage(story.case()) is Stage.FILED
    assert coming(story.case()) == (Next.DECIDE_FORM, Next.REFER, Next.ACKNOWLEDGE, Next.NAME_RESPONDENTS)
    story.add(FormDecided(proper=False, paper=None, signed=False, finding="none", lacking=("signature",)))
    assert stage(story.case()) is Stage.WAITING_FOR_CURE
    assert coming(story.case())[0] is Next.SEND_CURE_NOTICE
    story.add(FormDecided(proper=True, paper=1, signed=True, finding="drawn"))
    assert stage(story.case()) is Stage.PROPER
    story.add(Referred(RECEIVED + DAY, "by hand"))
    _sent(story, "acknowledgement", complainant)
    track = story.add(PartyNamed(PartyRole.RESPONDENT, "Rory"))
    assert stage(story.case()) is Stage.NOTICE
    assert coming(story.case()) == (Next.SERVE_NOTICE, Next.HOLD_INQUIRY, Next.VOTE)
    _sent(story, "notice", track)
    assert stage(story.case()) is Stage.INQUIRY
    assert track_stage(story.case(), track) is TrackStage.SERVED
    story.add(ChanceNotUsed(RECEIVED.date()), about=track)
    assert track_stage(story.case(), track) is TrackStage.ANSWERED
    story.add(Determined(RECEIVED, True, True, False, "enough", ()), about=track)
    assert stage(story.case()) is Stage.DETERMINED
    assert track_stage(story.case(), track) is TrackStage.SUFFICIENT_BASIS
    assert coming(story.case())[-2:] == (Next.SEND_NOTIFICATION, Next.DISPOSE)
    story.add(Disposed(RECEIVED, reprimand=True, hearing=False, ballots=()), about=track)
    assert stage(story.case()) is Stage.FINAL
    assert track_stage(story.case(), track) is TrackStage.REPRIMANDED
    assert coming(story.case()) == (Next.SEND_NOTIFICATION, Next.ISSUE_REPRIMAND, Next.CLOSE)
    story.add(CaseClosed(RECEIVED))
    assert stage(story.case()) is Stage.CLOSED
    assert coming(story.case()) == (Next.REOPEN,)


def test_a_terminated_case_still_owes_each_party_the_decision() -> None:
    story, complainant = a_story()
    story.add(FormDecided(proper=True, paper=1, signed=True, finding="drawn"))
    track = story.add(PartyNamed(PartyRole.RESPONDENT, "Rory"))
    story.add(Determined(RECEIVED, False, None, False, "outside", ()), about=track)
    _sent(story, "acknowledgement", complainant)
    assert track_stage(story.case(), track) is TrackStage.TERMINATED
    assert coming(story.case()) == (Next.SEND_DECISION, Next.CLOSE)
    for party in (complainant, track):
        _sent(story, "decision_of_termination", party)
    assert coming(story.case()) == (Next.CLOSE,)


def test_an_unscreened_case_waits_for_one_thing_alone() -> None:
    story, _ = a_story(screened=False)
    assert stage(story.case()) is Stage.UNSCREENED
    assert coming(story.case()) == (Next.SAY_WHO_IS_NAMED,)


def test_what_is_true_beside_the_stage() -> None:
    story, _ = a_story()
    assert asides(story.case()) == ()
    story.add(Withdrawn(RECEIVED, "no more"))
    story.add(HoldPlaced(RECEIVED, "court"))
    story.add(CaseClosed(RECEIVED))
    story.add(Reopened(RECEIVED, "new evidence"))
    assert asides(story.case()) == (Aside.REOPENED, Aside.WITHDRAWN, Aside.ON_HOLD)
    assert stage(story.case()) is Stage.FILED


def test_a_hearing_keeps_its_track_open() -> None:
    story, _ = a_story()
    track = story.add(PartyNamed(PartyRole.RESPONDENT, "Rory"))
    story.add(Determined(RECEIVED, True, True, False, "enough", ()), about=track)
    story.add(Disposed(RECEIVED, reprimand=False, hearing=True, ballots=()), about=track)
    assert track_stage(story.case(), track) is TrackStage.HEARING


def test_an_ordinance_without_referral_asks_for_none() -> None:
    story, _ = a_story()
    assert Next.REFER not in coming(story.case(), has_referral=False)


def test_a_reopened_track_is_no_longer_determined_and_its_old_letters_prove_nothing_new() -> None:
    story, complainant = a_story()
    story.add(FormDecided(proper=True, paper=1, signed=True, finding="drawn"))
    track = story.add(PartyNamed(PartyRole.RESPONDENT, "Rory"))
    _sent(story, "acknowledgement", complainant)
    story.add(Determined(RECEIVED, False, None, False, "outside", ()), about=track)
    for party in (complainant, track):
        _sent(story, "decision_of_termination", party)
    story.add(Reopened(RECEIVED, "new evidence"))
    assert story.case().standing_determination(track) is None
    assert not story.case().final
    story.add(Determined(RECEIVED + DAY, False, None, False, "outside again", ()), about=track)
    assert coming(story.case()) == (Next.SEND_DECISION, Next.CLOSE)


def test_the_commissions_result_does_not_end_the_boards_hearing() -> None:
    story, _ = a_story()
    track = story.add(PartyNamed(PartyRole.RESPONDENT, "Rory"))
    story.add(Determined(RECEIVED, True, True, False, "enough", ()), about=track)
    story.add(Disposed(RECEIVED, reprimand=True, hearing=True, ballots=()), about=track)
    story.add(HearingDecided(RECEIVED + DAY, "commission", "upheld"), about=track)
    assert story.case().final_at(track) is None
    story.add(HearingDecided(RECEIVED + 2 * DAY, "board", "no violation"), about=track)
    assert story.case().final_at(track) == RECEIVED + 2 * DAY


def test_after_a_reprimand_each_receipt_the_demand_and_its_result_come_in_turn() -> None:
    story, complainant = a_story()
    _sent(story, "acknowledgement", complainant)
    track = story.add(PartyNamed(PartyRole.RESPONDENT, "Rory"))
    story.add(Determined(RECEIVED, True, True, False, "enough", ()), about=track)
    _sent(story, "notification", track)
    story.add(Disposed(RECEIVED, reprimand=True, hearing=False, ballots=()), about=track)
    assert coming(story.case()) == (Next.ISSUE_REPRIMAND, Next.CLOSE)
    _sent(story, "reprimand_copy", track)
    key = story.add(LetterQueued("reprimand", None, "commission", 1, 1, "E", about_track=track))
    receipts, demand = Next.RECORD_REPRIMAND_RECEIPT, Next.RECORD_DEMAND
    assert coming(story.case()) == (receipts, demand, Next.CLOSE)
    story.add(LetterSettled("bounced", RECEIVED), about=key)
    assert coming(story.case()) == (Next.ISSUE_REPRIMAND, receipts, demand, Next.CLOSE)
    for by in ("officer", "commission"):
        story.add(ReprimandReceived(RECEIVED + DAY, by), about=track)
    assert coming(story.case()) == (demand, Next.CLOSE)
    story.add(DemandRecorded(RECEIVED + 2 * DAY, "please"), about=track)
    assert coming(story.case()) == (Next.RECORD_COMMISSION_RESULT, Next.CLOSE)


def test_a_case_in_which_nobody_can_be_named_or_that_was_merged_has_a_way_to_its_end() -> None:
    story, complainant = a_story()
    story.add(FormDecided(proper=True, paper=1, signed=True, finding="drawn"))
    story.add(Referred(RECEIVED, "by hand"))
    _sent(story, "acknowledgement", complainant)
    story.add(NoRespondent("a private quarrel"))
    assert Next.CLOSE in coming(story.case())
    story.add(MergedInto(2, "EC-2026-0002", "the same event"))
    assert coming(story.case()) == (Next.CLOSE,)


def test_a_final_case_is_acknowledged_before_it_is_closed() -> None:
    story, complainant = a_story()
    track = story.add(PartyNamed(PartyRole.RESPONDENT, "Rory"))
    story.add(Determined(RECEIVED, False, None, False, "outside", ()), about=track)
    assert Next.ACKNOWLEDGE in coming(story.case())
    letter = story.add(LetterQueued("acknowledgement", complainant, "x", 1, 1, "A"), about=complainant)
    story.add(LetterSettled("sent", RECEIVED), about=letter)
    assert Next.ACKNOWLEDGE not in coming(story.case())

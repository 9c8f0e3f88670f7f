"""From facts to steps: dates, evidence and lists (D1, D4; decisions 1 to 6)."""

from datetime import date, datetime, timedelta

import pytest

from store.rules.duties import DueList, Step, StepState, due_list, open_steps, steps
from store.rules.facts import (
    Basis,
    ComplaintReceived,
    Determined,
    Disposed,
    FormDecided,
    InquiryHeld,
    LetterQueued,
    LetterSettled,
    MergedInto,
    NoRespondent,
    PaperReceived,
    PartyLeft,
    PartyNamed,
    PartyRole,
    ReceivedBy,
    Reopened,
    ReprimandReceived,
)
from tests.rules.case_builders import RECEIVED, Story, a_calendar, a_profile, a_story

DAY = timedelta(days=1)
TODAY = RECEIVED.date()
RESPONDENT = PartyRole.RESPONDENT


def _steps(story: Story, today: date = TODAY, profile: str = "bramwell") -> dict[str, Step]:
    return {one.key: one for one in steps(story.case(), a_profile(profile), a_calendar(), today)}


def _sent(story: Story, letter: str, party: int, at: datetime, track: int | None = None) -> int:
    key = story.add(LetterQueued(letter, party, "x", 1, 1, "A", about_track=track), about=party)
    story.add(LetterSettled("sent", at), about=key)
    return key


def test_forward_exists_once_for_each_respondent_and_the_naming_carries_its_date() -> None:
    story, complainant = a_story()
    before = _steps(story)
    assert "forward" not in {one.duty.id for one in before.values()}
    first, second = (story.add(PartyNamed(RESPONDENT, name)) for name in ("Rory", "Sandy"))
    found = _steps(story)
    assert {f"forward:{first}", f"forward:{second}", f"acknowledge:{complainant}"} <= set(found)
    assert before["name-respondents"].dates is not None
    forward = found[f"forward:{first}"].dates
    assert forward is not None
    assert before["name-respondents"].dates.expected_last_day == forward.expected_last_day


def test_acting_waits_for_nothing_but_the_inquiry_waits_for_a_proper_complaint() -> None:
    story, complainant = a_story()
    found = _steps(story)
    assert found[f"acknowledge:{complainant}"].state is StepState.OPEN
    assert found["inquiry"].state is StepState.NOT_STARTED
    cure_at = RECEIVED + 20 * DAY
    cure = story.add(PaperReceived(cure_at, "cure"))
    story.add(FormDecided(proper=True, paper=cure, signed=True, finding="drawn"))
    inquiry = _steps(story)["inquiry"]
    assert inquiry.dates is not None
    assert inquiry.dates.expected_last_day == cure_at.date() + 30 * DAY


def test_both_receipts_are_shown_and_the_earlier_one_counts_for_a_duty() -> None:
    story, complainant = a_story()
    late = _steps(story)[f"acknowledge:{complainant}"]
    story.add(ComplaintReceived(RECEIVED - 4 * DAY, ReceivedBy.CITY_MANAGER, Basis.RECORDED_BY_STAFF))
    early = _steps(story)[f"acknowledge:{complainant}"]
    assert {clock.whose for clock in early.clocks} == {"board", "city-manager"}
    assert early.dates is not None
    assert late.dates is not None
    assert early.dates.expected_last_day < late.dates.expected_last_day


def test_the_demand_runs_from_the_later_receipt_of_the_reprimand() -> None:
    story, _ = a_story()
    track = story.add(PartyNamed(RESPONDENT, "Rory"))
    for by, days in (("commission", 1), ("officer", 6)):
        story.add(ReprimandReceived(RECEIVED + days * DAY, by), about=track)
    demand = _steps(story)[f"demand:{track}"]
    assert len(demand.clocks) == 2
    later = max(demand.clocks, key=lambda clock: clock.started_at)
    assert demand.dates == later.dates
    assert demand.dates is not None
    assert demand.dates.act_by is None


def test_a_right_lapses_only_after_the_latest_arguable_day() -> None:
    story, _ = a_story()
    track = story.add(PartyNamed(RESPONDENT, "Rory"))
    story.add(ReprimandReceived(RECEIVED, "officer"), about=track)
    dates = _steps(story)[f"demand:{track}"].dates
    assert dates is not None
    assert dates.keep_open_until is not None
    assert _steps(story, dates.keep_open_until)[f"demand:{track}"].state is StepState.OPEN
    after = dates.keep_open_until + DAY
    assert _steps(story, after)[f"demand:{track}"].state is StepState.LAPSED


def test_each_party_is_owed_the_decision_and_a_complainant_one_for_each_terminated_track() -> None:
    story, complainant = a_story()
    first, second = (story.add(PartyNamed(RESPONDENT, name)) for name in ("Rory", "Sandy"))
    kind = "decision_of_termination"
    for track, days in ((first, 1), (second, 2)):
        story.add(Determined(RECEIVED + days * DAY, False, None, False, "outside", ()), about=track)
    _sent(story, kind, complainant, RECEIVED + 3 * DAY, first)
    _sent(story, kind, first, RECEIVED + 3 * DAY, first)
    found = _steps(story)
    assert found[f"transmit:{first}"].state is StepState.DONE
    assert found[f"transmit:{second}"].state is StepState.OPEN
    assert found[f"transmit:{complainant}"].state is StepState.OPEN
    _sent(story, kind, complainant, RECEIVED + 4 * DAY, second)
    assert _steps(story)[f"transmit:{complainant}"].done_at == RECEIVED + 4 * DAY


def test_a_correction_or_a_removal_moves_no_date_of_naming() -> None:
    story, _ = a_story()
    wrong = story.add(PartyNamed(RESPONDENT, "Nobody"))
    story.add(PartyLeft(TODAY, "in error"), about=wrong)
    track = story.add(PartyNamed(RESPONDENT, "Rory"), at=RECEIVED + 2 * DAY)
    story.add(PartyNamed(RESPONDENT, "Rory R."), supersedes=track, at=RECEIVED + 60 * DAY)
    step = _steps(story)["name-respondents"]
    assert (step.done_at, step.on_time) == (RECEIVED + 2 * DAY, True)


def test_that_nobody_can_be_named_is_evidence_until_somebody_is() -> None:
    story, _ = a_story()
    story.add(NoRespondent("against the city"))
    assert _steps(story)["name-respondents"].state is StepState.DONE


def test_an_inquiry_held_in_time_and_recorded_late_was_on_time() -> None:
    story, _ = a_story()
    story.add(FormDecided(proper=True, paper=1, signed=True, finding="drawn"))
    held = RECEIVED + 20 * DAY
    story.add(InquiryHeld(held.date(), concluded=True, at=held), at=RECEIVED + 50 * DAY)
    step = _steps(story)["inquiry"]
    assert (step.done_at, step.on_time) == (held, True)


def test_a_final_track_owes_no_answer_but_a_late_acknowledgement_is_owed_still() -> None:
    story, complainant = a_story()
    story.add(FormDecided(proper=True, paper=1, signed=True, finding="drawn"))
    track = story.add(PartyNamed(RESPONDENT, "Rory"))
    _sent(story, "notice", track, RECEIVED + DAY)
    story.add(Determined(RECEIVED + 2 * DAY, False, None, False, "outside", ()), about=track)
    found = _steps(story)
    assert found[f"respond:{track}"].state is StepState.MOOT
    assert found[f"acknowledge:{complainant}"].state is StepState.OPEN


@pytest.mark.parametrize(
    "profile",
    ["bramwell", "berea", "danville", "dawson-springs", "dry-ridge", "louisville-metro", "pikeville"],
)
def test_every_open_step_is_in_exactly_one_list_on_every_day(profile: str) -> None:
    """In the order of the lists, and never back: a step grows older only (D4)."""
    story, _ = a_story()
    story.add(FormDecided(proper=True, paper=1, signed=True, finding="drawn"))
    track = story.add(PartyNamed(RESPONDENT, "Rory"))
    _sent(story, "notice", track, RECEIVED + DAY)
    order, calendar = list(DueList), a_calendar()
    seen: dict[str, int] = {}
    for days in range(120):
        today = TODAY + days * DAY
        for step in open_steps(story.case(), a_profile(profile), calendar, today):
            place = order.index(due_list(step, today, calendar))
            assert place >= seen.get(step.key, 0)
            seen[step.key] = place
    assert seen


def test_lawful_until_the_last_day_and_overdue_on_the_next() -> None:
    story, complainant = a_story()
    step = _steps(story)[f"acknowledge:{complainant}"]
    assert step.dates is not None
    last, calendar = step.dates.expected_last_day, a_calendar()
    assert due_list(step, last, calendar) is not DueList.OVERDUE
    assert due_list(step, last + DAY, calendar) is DueList.OVERDUE
    assert step.act_by is not None
    assert due_list(step, step.act_by, calendar) is DueList.DUE_TODAY


def test_the_reprimand_is_served_only_once_the_officers_receipt_is_on_the_record() -> None:
    story, _ = a_story()
    track = story.add(PartyNamed(RESPONDENT, "Rory"))
    story.add(Determined(RECEIVED, True, True, False, "enough", ()), about=track)
    story.add(Disposed(RECEIVED, reprimand=True, hearing=False, ballots=()), about=track)
    key = story.add(LetterQueued("reprimand", None, "commission", 1, 1, "E", about_track=track))
    story.add(LetterSettled("sent", RECEIVED + DAY), about=key)
    _sent(story, "reprimand_copy", track, RECEIVED + DAY)
    assert _steps(story)[f"reprimand:{track}"].state is StepState.OPEN
    story.add(ReprimandReceived(RECEIVED + 2 * DAY, "officer"), about=track)
    assert _steps(story)[f"reprimand:{track}"].state is StepState.DONE


def test_after_a_reopening_the_board_owes_a_determination_reckoned_from_then() -> None:
    story, _ = a_story()
    track = story.add(PartyNamed(RESPONDENT, "Rory"))
    story.add(InquiryHeld(RECEIVED.date(), concluded=True, at=RECEIVED))
    story.add(Determined(RECEIVED + DAY, False, None, False, "outside", ()), about=track)
    assert _steps(story)[f"determine:{track}"].state is StepState.DONE
    story.add(Reopened(RECEIVED + 30 * DAY, "new evidence"))
    step = _steps(story)[f"determine:{track}"]
    assert step.state is StepState.OPEN
    assert step.clocks[0].started_at == RECEIVED + 30 * DAY
    assert _steps(story)[f"transmit:{track}"].state is StepState.NOT_STARTED


def test_in_a_merged_case_the_acknowledgement_alone_is_owed() -> None:
    story, complainant = a_story()
    story.add(MergedInto(2, "EC-2026-0002", "the same event"))
    assert [one.key for one in _steps(story).values() if one.is_open] == [f"acknowledge:{complainant}"]

"""Every row of the ordinance's duties and rights: met on its last lawful day, late on the next (D2, D4).

The dates were counted by hand from KRS 446.030 and KRS 2.110 for 2026, with no closures: in February the
12th and the third Monday (the 16th) are legal holidays on which city hall opens.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from store.rules.duties import DueList, Step, StepState, due_list, steps
from store.rules.facts import (
    Basis,
    ChanceNotUsed,
    ComplaintReceived,
    DemandRecorded,
    Determined,
    Disposed,
    FormDecided,
    HearingOpened,
    InquiryHeld,
    LetterQueued,
    LetterSettled,
    NoRespondent,
    PaperReceived,
    PartyNamed,
    PartyRole,
    ReceivedBy,
    Referred,
    ReprimandReceived,
    Served,
)
from tests.rules.case_builders import Story, a_calendar, a_profile

CITY = ZoneInfo("America/New_York")
DAY = timedelta(days=1)
FEB_2 = datetime(2026, 2, 2, 15, tzinfo=UTC)
FEB_13 = datetime(2026, 2, 13, 15, tzinfo=UTC)
MAR_27 = datetime(2026, 3, 27, 15, tzinfo=UTC)


@dataclass
class Scene:
    """A case in which one duty runs.

    Attributes:
        story: the facts.
        complainants: joint complainants, by id.
        tracks: two respondents, by id.
    """

    story: Story
    complainants: tuple[int, int]
    tracks: tuple[int, int]

    def letter(self, kind: str, party: int | None, at: datetime, state: str = "sent", track: int = 0) -> int:
        """A letter to a party, or to an office, and what became of it."""
        key = self.story.add(
            LetterQueued(kind, party, "x", 1, 1, "A", about_track=track or party), about=party
        )
        self.story.add(LetterSettled(state, at), about=key)
        return key

    def determined(self, at: datetime, *, sufficient: bool) -> None:
        """The Board determined on both respondents."""
        for track in self.tracks:
            self.story.add(Determined(at, True, sufficient, False, "findings", ()), about=track)

    def disposed(self, at: datetime, *, reprimand: bool = False, hearing: bool = False) -> None:
        """What follows for both."""
        self.determined(at - DAY, sufficient=True)
        for track in self.tracks:
            self.story.add(Disposed(at, reprimand, hearing, ()), about=track)

    def step(self, key: str, today: date = date(2026, 2, 2)) -> Step:
        """One step, as it stands on a day."""
        found = steps(self.story.case(), a_profile(), a_calendar(), today)
        return next(one for one in found if one.key == key)


def a_scene(received: datetime = FEB_2, *, named: bool = True) -> Scene:
    """A complaint of two joint complainants against two respondents."""
    story = Story()
    story.add(ComplaintReceived(received, ReceivedBy.BOARD, Basis.MAIL_SERVER), at=received)
    complainants = tuple(story.add(PartyNamed(PartyRole.COMPLAINANT, name)) for name in ("Connie", "Carl"))
    tracks = tuple(story.add(PartyNamed(PartyRole.RESPONDENT, name)) for name in ("Rory", "Sandy") if named)
    if not named:
        tracks = (0, 0)
    return Scene(story, (complainants[0], complainants[1]), (tracks[0], tracks[1]))


Begin = Callable[[Scene, datetime], object]
Evidence = Callable[[Scene, datetime], object]


@dataclass(frozen=True)
class Row:
    """A row of the table, with dates counted by hand.

    Attributes:
        key: the step; `{c}` is the first complainant, `{r}` the first respondent.
        starts: the instant that starts its period.
        begins: records what starts it.
        act_by: its safe day; None for a right.
        last: the last lawful day.
        kept_open: the last arguable day of a right.
        fulfils: records the evidence that does it.
    """

    key: str
    starts: datetime
    begins: Begin
    act_by: date | None
    last: date
    fulfils: Evidence
    kept_open: date | None = None
    named: bool = True


def nothing(_scene: Scene, _at: datetime) -> None:
    """The receipt itself starts it."""


def refer(scene: Scene, at: datetime) -> None:
    scene.story.add(Referred(at, "in Slack"), at=at)


def acknowledge(scene: Scene, at: datetime) -> None:
    scene.letter("acknowledgement", scene.complainants[0], at)


def acknowledge_on_paper(scene: Scene, at: datetime) -> None:
    letter = scene.letter("acknowledgement", scene.complainants[0], at, "on-paper")
    served = Served(
        "acknowledgement", "certified mail", at.astimezone(CITY).date(), "the clerk", None, letter, at
    )
    scene.story.add(served, about=scene.complainants[0])


def name(scene: Scene, at: datetime) -> None:
    scene.story.add(PartyNamed(PartyRole.RESPONDENT, "Rory"), at=at)


def name_none(scene: Scene, at: datetime) -> None:
    scene.story.add(NoRespondent("against the city itself"), at=at)


def forward(scene: Scene, at: datetime) -> None:
    scene.letter("notice", scene.tracks[0], at)


def find_proper(scene: Scene, at: datetime) -> None:
    paper = scene.story.add(PaperReceived(at, "cure"))
    scene.story.add(FormDecided(proper=True, paper=paper, signed=True, finding="drawn"), at=at + 20 * DAY)


def conclude(scene: Scene, at: datetime) -> None:
    on = at.astimezone(CITY).date()
    scene.story.add(InquiryHeld(on, concluded=True, at=at), at=at + 3 * DAY)


def notice_served(scene: Scene, at: datetime) -> None:
    for track in scene.tracks:
        scene.letter("notice", track, at)


def respond(scene: Scene, at: datetime) -> None:
    scene.story.add(PaperReceived(at, "response", from_party=scene.tracks[0]), at=at)


def stay_silent(scene: Scene, at: datetime) -> None:
    scene.story.add(ChanceNotUsed(at.astimezone(CITY).date(), at=at), about=scene.tracks[0], at=at)


def determine(scene: Scene, at: datetime) -> None:
    scene.story.add(Determined(at, True, False, False, "nothing", ()), about=scene.tracks[0], at=at)


def adverse(scene: Scene, at: datetime) -> None:
    scene.determined(at, sufficient=False)


def transmit_to_respondent(scene: Scene, at: datetime) -> None:
    scene.letter("decision_of_termination", scene.tracks[0], at)


def transmit_to_complainant(scene: Scene, at: datetime) -> None:
    for track in scene.tracks:
        scene.letter("decision_of_termination", scene.complainants[0], at, track=track)


def sufficient(scene: Scene, at: datetime) -> None:
    scene.determined(at, sufficient=True)


def notify(scene: Scene, at: datetime) -> None:
    scene.letter("notification", scene.tracks[0], at)


def reprimand_decided(scene: Scene, at: datetime) -> None:
    scene.disposed(at, reprimand=True)


def reprimand(scene: Scene, at: datetime) -> None:
    scene.letter("reprimand", None, at, track=scene.tracks[0])
    scene.letter("reprimand_copy", scene.tracks[0], at)
    scene.story.add(ReprimandReceived(at, "officer", "signed"), about=scene.tracks[0])


def officer_received(scene: Scene, at: datetime) -> None:
    scene.disposed(at - DAY, reprimand=True)
    scene.story.add(ReprimandReceived(at - DAY, "commission"), about=scene.tracks[0])
    scene.story.add(ReprimandReceived(at, "officer"), about=scene.tracks[0])


def demand(scene: Scene, at: datetime) -> None:
    scene.story.add(DemandRecorded(at), about=scene.tracks[0], at=at + 9 * DAY)


TABLE = {
    # Tue the 3rd
    "refer": Row("refer", FEB_2, nothing, date(2026, 2, 3), date(2026, 2, 3), refer),
    # a Friday before a holiday Monday: city hall opens on the 16th, which is never a last day
    "refer before a holiday": Row("refer", FEB_13, nothing, date(2026, 2, 16), date(2026, 2, 17), refer),
    # 3 4 5 6 9 10 11 12 13 16: the tenth is a holiday, so the 17th is the last; safe is the 16th
    "acknowledge": Row("acknowledge:{c}", FEB_2, nothing, date(2026, 2, 16), date(2026, 2, 17), acknowledge),
    "acknowledge on paper": Row(
        "acknowledge:{c}", FEB_2, nothing, date(2026, 2, 16), date(2026, 2, 17), acknowledge_on_paper
    ),
    "name the respondents": Row(
        "name-respondents", FEB_2, nothing, date(2026, 2, 16), date(2026, 2, 17), name, named=False
    ),
    "nobody can be named": Row(
        "name-respondents", FEB_2, nothing, date(2026, 2, 16), date(2026, 2, 17), name_none, named=False
    ),
    "forward": Row("forward:{r}", FEB_2, nothing, date(2026, 2, 16), date(2026, 2, 17), forward),
    # 2 February and 30 days: 4 March
    "inquiry": Row("inquiry", FEB_2, find_proper, date(2026, 3, 4), date(2026, 3, 4), conclude),
    # 13 February and 30 days: Sunday 15 March, after the clocks changed; safe is Friday the 13th
    "inquiry over a weekend": Row(
        "inquiry", FEB_13, find_proper, date(2026, 3, 13), date(2026, 3, 16), conclude
    ),
    # 12 February is a legal holiday
    "respond": Row("respond:{r}", FEB_2, notice_served, None, date(2026, 2, 13), respond, date(2026, 2, 13)),
    "silence": Row(
        "respond:{r}", FEB_2, notice_served, None, date(2026, 2, 13), stay_silent, date(2026, 2, 13)
    ),
    "determine": Row("determine:{r}", FEB_2, conclude, date(2026, 2, 16), date(2026, 2, 17), determine),
    "transmit to the respondent": Row(
        "transmit:{r}", FEB_2, adverse, date(2026, 2, 3), date(2026, 2, 3), transmit_to_respondent
    ),
    "transmit to the complainant": Row(
        "transmit:{c}", FEB_2, adverse, date(2026, 2, 3), date(2026, 2, 3), transmit_to_complainant
    ),
    "notify": Row("notify:{r}", FEB_2, sufficient, date(2026, 2, 3), date(2026, 2, 3), notify),
    # 3 working days: 3 4 5
    "reprimand": Row(
        "reprimand:{r}", FEB_2, reprimand_decided, date(2026, 2, 5), date(2026, 2, 5), reprimand
    ),
    # five days without weekend and holidays: 3 4 5 6 9
    "demand": Row("demand:{r}", FEB_2, officer_received, None, date(2026, 2, 9), demand, date(2026, 2, 9)),
    # 30 31 1 2 3: the last is Good Friday, which some take for a holiday: then it is Monday the 6th
    "demand over Good Friday": Row(
        "demand:{r}", MAR_27, officer_received, None, date(2026, 4, 3), demand, date(2026, 4, 6)
    ),
}

each_row = pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)


def _begun(row: Row) -> tuple[Scene, str]:
    scene = a_scene(FEB_13 if row.starts == FEB_13 else FEB_2, named=row.named)
    row.begins(scene, row.starts)
    return scene, row.key.format(c=scene.complainants[0], r=scene.tracks[0])


def _last_instant(day: date) -> datetime:
    return datetime.combine(day, time(23, 59, 59), tzinfo=CITY).astimezone(UTC)


@each_row
def test_its_dates_are_those_counted_by_hand(row: Row) -> None:
    scene, key = _begun(row)
    dates = scene.step(key).dates
    assert dates is not None
    assert (dates.act_by, dates.expected_last_day, dates.keep_open_until) == (
        row.act_by,
        row.last,
        row.kept_open,
    )


@each_row
def test_what_is_done_on_the_last_day_is_on_time_and_a_second_later_it_is_late(row: Row) -> None:
    last = _last_instant(row.last)
    for at, on_time in ((last, True), (last + timedelta(seconds=1), False)):
        scene, key = _begun(row)
        row.fulfils(scene, at)
        step = scene.step(key, row.last + 60 * DAY)
        assert (step.state, step.on_time) == (StepState.DONE, on_time)


@each_row
def test_it_stands_in_the_right_list_on_each_side_of_each_limit(row: Row) -> None:
    scene, key = _begun(row)
    calendar = a_calendar()

    def standing(day: date) -> DueList:
        step = scene.step(key, day)
        assert step.state is StepState.OPEN
        return due_list(step, day, calendar)

    aim = row.act_by or row.last
    assert standing(aim - DAY) in {DueList.DUE_SOON, DueList.LATER}
    assert standing(aim) is DueList.DUE_TODAY
    if row.act_by is not None:
        assert standing(row.last) is (DueList.DUE_TODAY if row.act_by == row.last else DueList.PAST_SAFE_DAY)
        assert standing(row.last + DAY) is DueList.OVERDUE
        return
    assert row.kept_open is not None
    if row.kept_open > row.last:
        assert standing(row.last + DAY) is DueList.PAST_SAFE_DAY
        assert standing(row.kept_open) is DueList.PAST_SAFE_DAY
    assert scene.step(key, row.kept_open + DAY).state is StepState.LAPSED


@pytest.mark.parametrize("done", ["by Rory", "by Sandy"])
def test_what_is_done_for_one_respondent_does_nothing_for_the_other(done: str) -> None:
    scene = a_scene()
    who, other = scene.tracks if done == "by Rory" else scene.tracks[::-1]
    scene.letter("notice", who, FEB_2 + DAY)
    scene.story.add(PaperReceived(FEB_2 + 2 * DAY, "response", from_party=who))
    scene.story.add(Determined(FEB_2 + 3 * DAY, True, True, False, "enough", ()), about=who)
    scene.letter("notification", who, FEB_2 + 3 * DAY)
    for duty in ("forward", "respond", "notify"):
        assert scene.step(f"{duty}:{who}").state is StepState.DONE
        assert scene.step(f"{duty}:{other}").state is not StepState.DONE


def test_each_joint_complainant_is_acknowledged_and_the_attorneys_copy_acknowledges_neither() -> None:
    scene = a_scene()
    first, second = scene.complainants
    attorney = scene.story.add(PartyNamed(PartyRole.COMPLAINANT_COUNSEL, "Atty", represents=first))
    scene.letter("acknowledgement", attorney, FEB_2 + DAY)
    assert scene.step(f"acknowledge:{first}").state is StepState.OPEN
    scene.letter("acknowledgement", first, FEB_2 + DAY)
    assert scene.step(f"acknowledge:{first}").state is StepState.DONE
    assert scene.step(f"acknowledge:{second}").state is StepState.OPEN


def test_counsels_copy_is_no_notice_to_the_respondent() -> None:
    scene = a_scene()
    counsel = scene.story.add(PartyNamed(PartyRole.RESPONDENT_COUNSEL, "Sol", represents=scene.tracks[0]))
    scene.letter("notice", counsel, FEB_2 + DAY)
    assert scene.step(f"forward:{scene.tracks[0]}").state is StepState.OPEN


@pytest.mark.parametrize("state", ["uncertain", "refused", "bounced", "withdrawn"])
def test_a_letter_that_may_not_have_arrived_does_no_step(state: str) -> None:
    scene = a_scene()
    scene.letter("acknowledgement", scene.complainants[0], FEB_2 + DAY, state)
    assert scene.step(f"acknowledge:{scene.complainants[0]}").state is StepState.OPEN


def test_the_city_managers_earlier_receipt_brings_every_duty_of_receipt_forward() -> None:
    """Thursday 29 January: 30 2 3 4 5 6 9 10 11 12; the 12th is a holiday, so the 13th is the last."""
    scene = a_scene()
    earlier = datetime(2026, 1, 29, 15, tzinfo=UTC)
    scene.story.add(ComplaintReceived(earlier, ReceivedBy.CITY_MANAGER, Basis.RECORDED_BY_STAFF))
    for key in (f"acknowledge:{scene.complainants[0]}", f"forward:{scene.tracks[0]}"):
        step = scene.step(key)
        assert step.dates is not None
        assert (step.act_by, step.dates.expected_last_day) == (date(2026, 2, 12), date(2026, 2, 13))
        shown = {one.whose: one.dates.expected_last_day for one in step.clocks if one.dates}
        assert shown == {"city-manager": date(2026, 2, 13), "board": date(2026, 2, 17)}


def test_a_later_receipt_by_the_city_manager_takes_no_day_from_the_boards() -> None:
    scene = a_scene()
    scene.story.add(ComplaintReceived(FEB_2 + 3 * DAY, ReceivedBy.CITY_MANAGER, Basis.RECORDED_BY_STAFF))
    assert scene.step(f"acknowledge:{scene.complainants[0]}").act_by == date(2026, 2, 16)


def test_a_later_decision_on_the_second_respondent_is_owed_to_the_complainant_from_its_own_day() -> None:
    """The first track's decision went out in time; that the second's came weeks later makes nothing overdue."""
    scene = a_scene()
    first, second = scene.tracks
    complainant = scene.complainants[0]
    scene.story.add(Determined(FEB_2, True, False, False, "nothing", ()), about=first)
    scene.letter("decision_of_termination", complainant, FEB_2 + timedelta(hours=1), track=first)
    later = FEB_2 + 28 * DAY  # Monday 2 March
    assert scene.step(f"transmit:{complainant}").state is StepState.DONE
    scene.story.add(Determined(later, True, False, False, "nothing", ()), about=second)
    step = scene.step(f"transmit:{complainant}", date(2026, 3, 2))
    assert step.dates is not None
    assert (step.state, step.dates.expected_last_day) == (StepState.OPEN, date(2026, 3, 3))
    scene.letter("decision_of_termination", complainant, later + timedelta(hours=1), track=second)
    assert scene.step(f"transmit:{complainant}").on_time is True


def test_a_decision_sent_late_stays_late_however_punctual_the_next_one_is() -> None:
    scene = a_scene()
    first, second = scene.tracks
    complainant = scene.complainants[0]
    scene.story.add(Determined(FEB_2, True, False, False, "nothing", ()), about=first)
    scene.letter("decision_of_termination", complainant, FEB_2 + 9 * DAY, track=first)
    later = FEB_2 + 28 * DAY
    scene.story.add(Determined(later, True, False, False, "nothing", ()), about=second)
    scene.letter("decision_of_termination", complainant, later + timedelta(hours=1), track=second)
    step = scene.step(f"transmit:{complainant}")
    assert (step.state, step.on_time) == (StepState.DONE, False)


def test_a_hearing_has_no_period_and_is_done_when_it_is_set_with_notice() -> None:
    scene = a_scene()
    scene.disposed(FEB_2, hearing=True)
    step = scene.step(f"hearing:{scene.tracks[0]}")
    assert (step.state, step.dates) == (StepState.OPEN, None)
    assert due_list(step, date(2026, 12, 31), a_calendar()) is DueList.LATER
    scene.story.add(HearingOpened(FEB_2 + DAY, date(2026, 3, 20), "City Hall"), about=scene.tracks[0])
    assert scene.step(f"hearing:{scene.tracks[0]}").state is StepState.DONE


def test_the_reprimand_waits_for_the_commissions_copy_as_for_the_officers() -> None:
    scene = a_scene()
    reprimand_decided(scene, FEB_2)
    track = scene.tracks[0]
    scene.letter("reprimand_copy", track, FEB_2)
    scene.story.add(ReprimandReceived(FEB_2, "officer"), about=track)
    assert scene.step(f"reprimand:{track}").state is StepState.OPEN
    scene.letter("reprimand", None, FEB_2 + DAY, track=track)
    assert scene.step(f"reprimand:{track}").state is StepState.DONE


def test_a_late_demand_is_recorded_all_the_same() -> None:
    scene = a_scene()
    officer_received(scene, FEB_2)
    demand(scene, FEB_2 + 30 * DAY)
    step = scene.step(f"demand:{scene.tracks[0]}")
    assert (step.state, step.on_time) == (StepState.DONE, False)


def test_every_row_of_the_profile_is_proved_here() -> None:
    proved = {row.key.partition(":")[0] for row in TABLE.values()} | {"hearing"}
    assert proved == {duty.id for duty in a_profile().duties}

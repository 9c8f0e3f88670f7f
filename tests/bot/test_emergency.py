"""The record is away: told past the outbox, once, when it lasts, and once when it is over."""

from dataclasses import dataclass, field

import pytest

from bot.emergency import OVER, PATIENCE_S, Emergency

SAID = "The disk is full. Free space."


@dataclass
class Way:
    """A way to tell, which works or does not."""

    works: bool = True
    told: list[str] = field(default_factory=list)

    def __call__(self, text: str) -> bool:
        if self.works:
            self.told.append(text)
        return self.works


@dataclass
class Scene:
    """An emergency with a counter that the test moves."""

    mail: Way = field(default_factory=Way)
    slack: Way = field(default_factory=Way)
    now: float = 100.0

    def __post_init__(self) -> None:
        self.emergency = Emergency({"mail": self.mail, "slack": self.slack}, lambda: self.now)

    def away_for(self, seconds: float) -> None:
        self.emergency.away(SAID)
        self.now += seconds
        self.emergency.away(SAID)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_a_record_that_answers_again_in_time_is_no_alarm(scene: Scene) -> None:
    scene.away_for(PATIENCE_S - 1)
    scene.emergency.back()
    scene.away_for(PATIENCE_S - 1)
    assert scene.mail.told == scene.slack.told == []


def test_a_record_that_stays_away_is_told_on_every_way_once_with_what_to_do(scene: Scene) -> None:
    scene.away_for(PATIENCE_S)
    scene.away_for(PATIENCE_S)
    assert len(scene.mail.told) == len(scene.slack.told) == 1
    assert SAID in scene.mail.told[0]


def test_a_way_that_did_not_work_is_tried_again_and_the_other_is_not_told_twice(scene: Scene) -> None:
    scene.slack.works = False
    scene.away_for(PATIENCE_S)
    scene.slack.works = True
    scene.away_for(1)
    assert len(scene.mail.told) == len(scene.slack.told) == 1


def test_the_end_is_told_once_to_whom_the_beginning_was_told(scene: Scene) -> None:
    scene.slack.works = False
    scene.away_for(PATIENCE_S)
    scene.slack.works = True
    scene.emergency.back()
    scene.emergency.back()
    assert scene.mail.told[1:] == [OVER]
    assert scene.slack.told == []


def test_an_end_that_could_not_be_told_is_told_later(scene: Scene) -> None:
    scene.away_for(PATIENCE_S)
    scene.mail.works = False
    scene.emergency.back()
    scene.mail.works = True
    scene.emergency.back()
    assert scene.mail.told[1:] == [OVER]


def test_a_second_outage_is_told_again(scene: Scene) -> None:
    scene.away_for(PATIENCE_S)
    scene.emergency.back()
    scene.away_for(PATIENCE_S)
    assert len([one for one in scene.mail.told if SAID in one]) == 2

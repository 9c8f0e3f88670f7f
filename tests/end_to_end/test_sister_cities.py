"""The demo's story under sister ordinances and with a city's own people: the same program, other dates."""

import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from bot.cli.demo import _play, demo
from bot.cli.town import CAST, Town, differences, town
from bot.opening import opened_at
from bot.settings import SHIPPED_PROFILES
from store.cases import Actor, visible_cases
from store.rules.access import Via

ROSTER = "\n".join(
    f'[[person]]\nname = "Own {one.name}"\n[[person.role]]\nrole = "{one.role.value}"\nsince = 2025-01-01\n'
    for one in CAST
)


def _periods(place: Town) -> dict[str, str]:
    return {what: here for what, here, _there in differences(place.profile, town().profile)}


def _played(folder: Path, place: Town) -> str:
    console = Console(file=io.StringIO(), width=160)
    told = _play(console, folder, place)
    assert isinstance(console.file, io.StringIO)
    said = console.file.getvalue()
    assert told, said
    return said


@pytest.mark.end_to_end
def test_under_bereas_ordinance_the_inquiry_has_forty_days(tmp_path: Path) -> None:
    place = town("berea")
    said = _played(tmp_path, place)
    assert "40 days" in said
    assert "Every stage was checked" in said
    record = opened_at(tmp_path)
    seen = next(
        one for one in visible_cases(record.docket, Actor(2, Via.CLI)) if one.case.number == "2026-001"
    )
    inquiry = next(step for step in seen.steps if step.duty.id == "inquiry")
    assert inquiry.dates is not None
    assert (inquiry.dates.expected_last_day - inquiry.dates.start_on).days >= 40
    record.docket.database.engine.dispose()
    record.press.close()


@pytest.mark.end_to_end
def test_under_danvilles_ordinance_nobody_refers_and_the_citys_own_people_act(tmp_path: Path) -> None:
    roster = tmp_path / "people.toml"
    roster.write_text(ROSTER)
    place = town("danville", roster)
    assert all(one.name.startswith("Own ") for one in place.cast)
    said = _played(tmp_path / "d", place)
    assert "without referral" in said
    assert "Every stage was checked" in said


def test_each_sister_ordinance_shows_where_it_differs() -> None:
    assert _periods(town()) == {}
    assert _periods(town("berea"))["Conduct the preliminary inquiry"] == "40 days"
    assert "10 days" in _periods(town("dry-ridge")).values()
    assert "45 days" in _periods(town("dawson-springs")).values()


@pytest.mark.parametrize("name", sorted(one.stem for one in SHIPPED_PROFILES.glob("*.toml")))
def test_every_shipped_profile_can_be_practised(name: str) -> None:
    place = town(name)
    assert place.intake.endswith(".example")
    assert not place.missing()


def test_a_roster_without_a_clerk_starts_nothing(tmp_path: Path) -> None:
    roster = tmp_path / "people.toml"
    roster.write_text(ROSTER.replace('role = "clerk"', 'role = "it"'))
    done = CliRunner().invoke(demo, ["--roster", str(roster), "--data", str(tmp_path / "d")])
    assert done.exit_code == 1
    assert not (tmp_path / "d").exists()


def test_a_profile_that_is_none_starts_nothing(tmp_path: Path) -> None:
    done = CliRunner().invoke(demo, ["--profile", "nowhere", "--data", str(tmp_path / "d")])
    assert done.exit_code == 1
    assert not (tmp_path / "d").exists()

"""`docket deadline`, as it is typed and as it is read by another program."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.cli import docket

DATA = json.loads((Path(__file__).parent.parent / "data" / "time" / "vectors.json").read_text())
FIELDS = ("expected_last_day", "alt_last_day", "act_by", "period_ends_before")


def deadline(*words: str) -> Result:
    return CliRunner().invoke(docket, ["deadline", *words], prog_name="docket")


def typed(
    received: str = "2026-03-02T10:00:00-05:00",
    period: str = "10",
    zone: str = "America/New_York",
    **other: str,
):
    words = {
        "received": received,
        "period": period,
        "unit": "working_days",
        "act": "board_act",
        "zone": zone,
        **other,
    }
    return [part for name, value in words.items() for part in (f"--{name}", value)]


@pytest.fixture(scope="module")
def closures(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the demo city's closures file."""
    entries = [f'[[closure]]\ndate = {on}\nreason = "closed"\n' for on in DATA["meta"]["demo_city_closures"]]
    entries += [
        f'[[closure]]\ndate = {on}\nreason = "half day"\ncloses_at = "12:00"\n'
        for on in DATA["meta"]["demo_city_half_days"]
    ]
    path = tmp_path_factory.mktemp("city") / "closures.toml"
    path.write_text("\n".join(entries))
    return str(path)


@pytest.mark.parametrize("vector", DATA["vectors"], ids=[vector["id"] for vector in DATA["vectors"]])
def test_the_command_gives_the_dates_worked_out_by_hand(vector: dict[str, Any], closures: str):
    words = typed(
        vector["start"],
        str(vector["period"]),
        vector["tz"],
        unit=vector["unit"],
        act=vector["act"],
        closures=closures,
    )
    close = [part for on in vector["extra_closures"] for part in ("--close", on)]
    result = deadline(*words, *close, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert {name: found[name] for name in FIELDS} == {name: vector[name] for name in FIELDS}
    if vector["keep_open_until"]:
        assert found["keep_open_until"] == vector["keep_open_until"]
    assert found["provisional"] is False
    assert sum(day["counted"] for day in found["days"]) == vector["period"]


def test_each_day_is_an_object_with_its_reason():
    found = json.loads(deadline(*typed(period="5"), "--json").stdout)
    assert found["days"][0] == {
        "date": "2026-03-03",
        "weekday": "Tuesday",
        "counted": True,
        "reason": "counted",
        "kind": "weekday",
    }
    assert found["days"][4]["kind"] == "weekend"
    assert found["keep_open_until"] is None


def test_without_a_closures_file_the_dates_are_provisional():
    found = json.loads(deadline(*typed(), "--json").stdout)
    assert found["provisional"] is True
    assert found["provisional_years"] == [2026]


def test_closing_a_day_on_the_command_line_adopts_no_year_and_may_be_repeated():
    result = deadline(*typed(), "--close", "2026-03-04", "--close", "2026-03-05", "--json")
    found = json.loads(result.stdout)
    assert found["expected_last_day"] == "2026-03-18"
    assert found["provisional"] is True


def test_a_person_reads_the_dates_the_reasons_and_the_sources(closures: str):
    shown = deadline(*typed("2024-02-29T10:00:00-05:00", "30", unit="days", closures=closures)).stdout
    for text in (
        "2024-04-01",
        "2024-03-29 by noon",
        "Sunday; the period runs on",
        "KRS 446.030(1)",
        "2024-04-02 00:00 EDT",
    ):
        assert text in shown
    assert "Saturday" in shown
    assert "PROVISIONAL" not in shown


def test_a_person_is_told_loudly_that_the_dates_are_provisional():
    assert "PROVISIONAL" in deadline(*typed()).stdout


def test_square_brackets_in_a_reason_are_shown_as_they_are(tmp_path: Path):
    path = tmp_path / "closures.toml"
    path.write_text('[[closure]]\ndate = 2026-03-04\nreason = "[red]burst[/red]"\n')
    assert "[red]burst[/red]" in deadline(*typed(closures=str(path))).stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (typed("2026-03-02T10:00:00"), "offset"),
        (typed("2026-03-02"), "offset"),
        (typed("yesterday"), "not an instant"),
        (typed("0001-01-01T00:00:00+14:00"), "outside the years"),
        (typed(zone="Mars/Base"), "no time zone"),
        (typed(zone="../../etc/passwd"), "no time zone"),
        (typed(period="-1"), "--period"),
        (typed(period="3651"), "--period"),
        (typed(period="ten"), "--period"),
        (typed(unit="weeks"), "--unit"),
        (typed(act="prayer"), "--act"),
        (typed()[2:], "--received"),
        ([*typed(), "--close", "2026-02-30"], "not a date"),
        ([*typed(), "--closures", "/nowhere/closures.toml"], "cannot be read"),
        ([*typed(), "--closures", "/"], "cannot be read"),
        ([*typed(), "--closures", "a\0b"], "cannot be read"),
        ([*typed(), "--bogus"], "--bogus"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_plain_line(words: list[str], says: str):
    result = deadline(*words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert "Traceback" not in result.output


@pytest.mark.parametrize("content", [b"\xff\xfe", b"closure = 3", b"[[closure]]\nreason = 'x'", b"[[" * 4000])
def test_a_closures_file_that_cannot_be_used_is_refused_in_one_plain_line(content: bytes, tmp_path: Path):
    path = tmp_path / "closures.toml"
    path.write_bytes(content)
    result = deadline(*typed(closures=str(path)))
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1

"""Setting up: what `docket init` writes, and what the doctor says of it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli.doctor import doctor
from bot.cli.init import init
from bot.manifest import SCOPES, manifest

OPTIONS = ["--no-ask", "--imap", "imap://board@127.0.0.1:1/INBOX", "--since", "2026-12-01"]
OPTIONS += ["--smtp", "smtp://127.0.0.1:1", "--mail-from", "board@city.example"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = CliRunner().invoke(init, [str(tmp_path / "city"), *OPTIONS])
    assert made.exit_code == 0, made.output
    return tmp_path / "city"


def seen(folder: Path) -> dict[str, dict[str, str]]:
    told = CliRunner().invoke(doctor, ["--data", str(folder), "--json"])
    return {one["check"]: one for one in json.loads(told.stdout)}


def test_the_settings_are_readable_by_their_owner_alone_and_the_keys_lie_outside_the_data(
    folder: Path,
) -> None:
    assert (folder / ".env").stat().st_mode & 0o777 == 0o600
    assert "DOCKET_KEYS" not in "".join(
        path.read_text() for path in (folder / "data").rglob("*") if path.is_file()
    )


def test_running_init_again_keeps_the_keys_and_every_answer(folder: Path) -> None:
    before = (folder / ".env").read_text()
    again = CliRunner().invoke(init, [str(folder), "--no-ask", "--mail-from", "other@city.example"])
    assert again.exit_code == 0
    assert (folder / ".env").read_text() == before


def test_the_manifest_asks_for_just_the_scopes_that_the_doctor_looks_for(folder: Path) -> None:
    written = json.loads((folder / "slack-manifest.json").read_text())
    assert written == manifest()
    assert written["oauth_config"]["scopes"]["bot"] == list(SCOPES)


def test_the_doctor_names_what_is_left_to_do_and_shows_no_secret(folder: Path) -> None:
    checks = seen(folder)
    assert checks["settings"]["status"] == "ok"
    assert checks["database"]["status"] == "ok"
    assert checks["letter templates"]["status"] == "ok"
    assert checks["Slack: bot token"]["status"] == "fail"
    assert checks["mailbox: connection"]["status"] == "fail"
    assert checks["closures of this year"]["status"] == "fail"
    assert all(one["mend"] or one["status"] == "ok" or one["detail"] for one in checks.values())
    key = (folder / ".env").read_text().partition("DOCKET_KEYS=")[2].splitlines()[0]
    assert key not in json.dumps(checks)


def test_the_doctor_names_a_template_that_lost_a_value(folder: Path) -> None:
    templates = folder / "data" / "templates"
    templates.mkdir()
    (templates / "acknowledgement.typ").write_text("#show: sheet\nNothing else.\n")
    found = seen(folder)["letter templates"]
    assert found["status"] == "fail"
    assert "acknowledgement" in found["detail"]


def test_the_doctor_names_a_setting_that_cannot_be_read(folder: Path) -> None:
    with (folder / ".env").open("a") as file:
        file.write("DOCKET_MAX_MAIL_MB=many\n")
    (only,) = seen(folder).values()
    assert only["check"] == "settings: DOCKET_MAX_MAIL_MB"

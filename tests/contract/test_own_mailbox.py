"""`docket practice`: one's own mailbox with a Slack on this machine; the real record and a real workspace are left alone."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.fernet import Fernet

from bot.cli import main
from bot.cli.common import account
from bot.cli.doctor import examine
from bot.cli.env_file import put_into_env, read_env
from bot.cli.practising import FOLDER, practice
from bot.clock import SystemClock
from bot.practice.mailserver import PracticeMail
from bot.practice.state import TEAM_ID
from tests.browser import chromium
from tests.end_to_end.running import a_complaint

pytestmark = pytest.mark.contract
BOX = "board@elm.example"
PEOPLE = {"Rita Row": "clerk", "Ann O'Mara": "city-manager", 'Cy "C" Chair': "chair"}
SLACK = ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "SLACK_STAFF_CHANNEL", "SLACK_API_URL")
DOCKET = (sys.executable, "-c", "from bot.cli import main; main()")


@pytest.fixture(scope="module")
def mail() -> Iterator[PracticeMail]:
    with PracticeMail(BOX, SystemClock().now) as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path, mail: PracticeMail) -> Path:
    """A folder as `docket init` leaves it, in test mode; its roster is not loaded yet."""
    city = tmp_path / "city"
    (city / "data").mkdir(parents=True)
    settings = {
        "DOCKET_KEYS": Fernet.generate_key().decode(),
        "DOCKET_DATA_DIR": "data",
        "DOCKET_IMAP_URL": mail.imap_url,
        "DOCKET_IMAP_PASSWORD": mail.password,
        "DOCKET_IMAP_SINCE": "2026-01-01",
        "DOCKET_SMTP_URL": mail.smtp_url,
        "DOCKET_MAIL_FROM": BOX,
        **dict.fromkeys(SLACK, ""),
        "DOCKET_TEST_MODE": "true",
        "DOCKET_TEST_MAIL_TO": "@citizen.example",
    }
    put_into_env(city / ".env", settings)
    tables = [
        f"[[person]]\nname = '{name}'\nemail = [\"{role}@elm.example\"]\n"
        f'account = ["{account() if role == "clerk" else role}"]\n'
        f'[[person.role]]\nrole = "{role}"\nsince = 2026-01-01\n'
        for name, role in PEOPLE.items()
        if "'" not in name
    ]
    name = "Ann O'Mara"
    tables.append(
        f'[[person]]\nname = "{name}"\n[[person.role]]\nrole = "{PEOPLE[name]}"\nsince = 2026-01-01\n'
    )
    (city / "roster.toml").write_text("\n".join(tables))
    return city


@pytest.fixture
def city(folder: Path) -> Path:
    """The same, with its roster on the test mode's record."""
    with pytest.raises(SystemExit) as end:
        main(["roster", "load", str(folder / "roster.toml"), "--data", str(folder)])
    assert not end.value.code
    return folder


@contextmanager
def practising(city: Path) -> Iterator[str]:
    """Run the command until it serves; give the page's address; end it as Ctrl-C does."""
    command = [*DOCKET, "practice", "--data", str(city)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = next(line.strip() for line in process.stdout if "http://127.0.0.1:" in line)
        try:
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0


def refused(city: Path) -> str:
    """Try it where it must not start: one line says why, and neither settings nor folder change."""
    before = (city / ".env").read_bytes()
    done = CliRunner().invoke(practice, ["--data", str(city)])
    assert done.exit_code == 1
    assert (city / ".env").read_bytes() == before
    assert not (city / FOLDER).exists()
    return str(done.exception)


def test_a_real_record_gets_no_practice_slack(city: Path) -> None:
    put_into_env(city / ".env", {"DOCKET_TEST_MODE": ""})
    assert "DOCKET_TEST_MODE=true" in refused(city)


@pytest.mark.parametrize("name", ["SLACK_BOT_TOKEN", "SLACK_STAFF_CHANNEL", "SLACK_LISTEN"])
def test_a_real_workspace_is_not_put_aside(city: Path, name: str) -> None:
    value = {
        "SLACK_BOT_TOKEN": "xoxb-1-real",
        "SLACK_STAFF_CHANNEL": "C0123456",
        "SLACK_LISTEN": "127.0.0.1:1",
    }
    put_into_env(city / ".env", {name: value[name]})
    assert name in refused(city)


def test_without_a_roster_the_command_that_loads_it_is_named(folder: Path) -> None:
    assert f"docket roster load {folder}/roster.toml --data {folder}" in refused(folder)


def accounts(city: Path) -> set[str]:
    """Give the practice accounts that the record knows."""
    command = [*DOCKET, "roster", "show", "--json", "--data", str(city)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return set(re.findall(rf"{TEAM_ID}:\w+", done.stdout))


def test_everybody_of_the_roster_gets_an_account_that_stays_and_the_doctor_finds_slack_well(
    city: Path,
) -> None:
    with practising(city):
        first = accounts(city)
        assert len(first) == len(PEOPLE)
        lines = {one.check: one.status.value for one in examine(city)}
        slack = {
            status for name, status in lines.items() if name.startswith("Slack") and name != "Slack: address"
        }
        assert slack == {"ok"}
        assert lines["Slack: address"] == "warn"
    assert [read_env(city / ".env")[name] for name in SLACK] == [""] * len(SLACK)
    with practising(city):
        assert accounts(city) == first


def test_after_a_hard_end_it_is_taken_up_again(city: Path) -> None:
    """Killed, it leaves its own address in the settings; that is no workspace of anybody's."""
    put_into_env(
        city / ".env", {"SLACK_API_URL": "http://127.0.0.1:1/api/", "SLACK_BOT_TOKEN": "xoxb-practice-1"}
    )
    with practising(city):
        assert read_env(city / ".env")["SLACK_BOT_TOKEN"] != "xoxb-practice-1"


@pytest.mark.needs("chromium")
def test_a_complaint_to_ones_own_mailbox_reaches_the_clerk_on_the_page(
    city: Path, mail: PracticeMail
) -> None:
    command = [*DOCKET, "run", "--data", str(city)]
    with practising(city) as address, chromium() as tab:
        tab.start(address)
        tab.shows("Your own mailbox", ".welcome")
        assert "Next morning" not in tab.text()
        assert "By mail" not in tab.text("#people")
        assert tab.barriers() == []
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                mail.put(a_complaint("Ines Calloway", "ines@citizen.example"))
                (receipt,) = mail.wait_for("ines@citizen.example", timeout_s=60.0)
                assert receipt.subject.startswith("TEST")
                tab.shows("EC-", "#dates")
                tab.press("Rita Row", "#slack-people")
                tab.shows("Case EC-", "#log")
            finally:
                process.send_signal(signal.SIGTERM)
                assert process.wait(60) in (0, 3)
        assert tab.faults == []

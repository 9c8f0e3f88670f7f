"""A city that is whole: practice mail server and Slack that run, a record with its roster, and `.env`."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.cli.doctor import examine
from bot.clock import PracticeClock, SystemClock
from bot.doctor import Check
from bot.opening import PRACTICE_MARK, Opened, opened_at
from bot.practice.client import Practice
from bot.practice.mailserver import PracticeMail
from bot.practice.slack import PracticeSlack
from bot.practice.state import DEFAULT_SCOPES, TEAM_ID, Role, TokenState
from store.cases import Actor, roster_of
from store.database import beat
from store.proceedings.calendar import adopt_calendar
from store.proceedings.roster import seed_roster
from store.rules.access import Via
from store.rules.facts import Role as Office
from tests.bot.doctor.table import table, writing
from tests.clocks import A_MONDAY_MORNING
from tests.proceedings.builders import KEY

BOX = "board@bramwell-ky.example"
CAST: Mapping[str, Office] = {
    "Clara Clerk": Office.CLERK,
    "Hanna Chair": Office.CHAIR,
    "Mora Member": Office.MEMBER,
    "Milo Member": Office.MEMBER,
    "Maud Member": Office.MEMBER,
    "Moritz Member": Office.MEMBER,
}


def pytest_sessionfinish() -> None:
    """Write the page of the faults, where that is what this run is for."""
    if writing():
        table.write()


@dataclass(frozen=True)
class Servers:
    """What every city of these tests shares."""

    mail: PracticeMail
    slack: PracticeSlack
    practice: Practice
    people: Mapping[str, str]
    staff: str


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    clock = SystemClock()
    with (
        PracticeMail(BOX, clock.now) as mail,
        PracticeSlack(tmp_path_factory.mktemp("slack"), clock.now, rates=False) as slack,
    ):
        practice = Practice.of(slack)
        people = {name: practice.add_person(name, email=address_of(name)).id for name in CAST}
        staff = practice.add_channel("docket-staff", [slack.app.bot_user, people["Clara Clerk"]]).id
        yield Servers(mail, slack, practice, people, staff)


@pytest.fixture(scope="session")
def whole_city(tmp_path_factory: pytest.TempPathFactory, servers: Servers) -> Path:
    folder = tmp_path_factory.mktemp("city")
    (folder / "data").mkdir(mode=0o700)
    (folder / "data" / PRACTICE_MARK).touch()
    write_env(folder, settings_of(servers))
    PracticeClock(folder / "data").set_to(A_MONDAY_MORNING)
    record = opened_at(folder)
    tables = [
        f'[[person]]\nname = "{name}"\nemail = ["{address_of(name)}"]\n'
        f'slack = ["{TEAM_ID}:{servers.people[name]}"]\n'
        f'[[person.role]]\nrole = "{office.value}"\nsince = 2025-01-01\n'
        for name, office in CAST.items()
    ]
    seed_roster(record.docket, "\n".join(tables))
    with record.docket.database.read() as session:
        members = roster_of(record.docket, session).members
    clerk = next(person for person, member in members.items() if member.name == "Clara Clerk")
    adopt_calendar(record.docket, Actor(clerk, Via.CLI), "adopted_years = [2026]\n", "adopted")
    with record.docket.database.write() as session:
        for name in ("poll", "sweep", "backup"):
            beat(session, name, A_MONDAY_MORNING)
    close(record)
    return folder


def address_of(name: str) -> str:
    return f"{name.replace(' ', '.').lower()}@city.example"


def settings_of(servers: Servers) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": servers.slack.app.bot_token,
        "SLACK_APP_TOKEN": servers.slack.app.app_token,
        "SLACK_API_URL": servers.slack.api_url,
        "SLACK_STAFF_CHANNEL": servers.staff,
        "DOCKET_DATA_DIR": "data",
        "DOCKET_KEYS": KEY,
        "DOCKET_IMAP_URL": servers.mail.imap_url,
        "DOCKET_IMAP_PASSWORD": servers.mail.password,
        "DOCKET_IMAP_SINCE": "2026-01-01",
        "DOCKET_SMTP_URL": servers.mail.smtp_url,
        "DOCKET_MAIL_FROM": BOX,
    }


def write_env(folder: Path, settings: Mapping[str, str]) -> None:
    env = folder / ".env"
    env.touch(mode=0o600)
    env.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))


def close(record: Opened) -> None:
    record.docket.database.engine.dispose()
    record.press.close()


@dataclass
class City:
    """A city of a test's own; what is set can be changed."""

    folder: Path
    servers: Servers
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def set(self, **changes: str) -> None:
        """Change settings; an empty one is taken out."""
        self.settings |= changes
        write_env(self.folder, {name: value for name, value in self.settings.items() if value})

    def record(self) -> Opened:
        return opened_at(self.folder)

    def lines(self, **wishes: object) -> dict[str, Check]:
        """Every line of the doctor's, by its name."""
        return {one.check: one for one in examine(self.folder, **wishes)}  # type: ignore[arg-type]


@pytest.fixture
def city(tmp_path: Path, whole_city: Path, servers: Servers) -> Iterator[City]:
    folder = tmp_path / "city"
    shutil.copytree(whole_city, folder)
    yield City(folder, servers, settings_of(servers))
    servers.practice.set_token(TokenState.ACTIVE)
    servers.practice.set_scopes(list(DEFAULT_SCOPES))
    for person in servers.people.values():
        servers.practice.change_person(person, role=Role.MEMBER, zone="America/New_York")

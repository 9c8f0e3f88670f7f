"""`docket run` as a process of its own, between a real Dovecot, an SMTP relay and the practice Slack."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from cryptography.fernet import Fernet

from bot.cli.common import account
from bot.clock import SystemClock
from bot.opening import Opened, opened
from bot.practice import papers
from bot.practice.client import Practice, action_ids, message_text
from bot.practice.mailserver import PracticeMail
from bot.practice.slack import PracticeSlack
from bot.practice.sockets import Timing
from bot.practice.state import TEAM_ID, Message
from bot.settings import load_settings
from store.cases import Actor, Look, case_ids, look, roster_of
from store.ports import Clock
from store.proceedings.roster import seed_roster
from store.rules.access import Via
from store.rules.facts import Role
from tests.contract.dovecot import ACCOUNT, SECRET, Dovecot

INTAKE = "complaints@ethics.bramwell-ky.example"
ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0
CAST = {
    "Ada Merrow": Role.CITY_MANAGER,
    "Ruth Alden": Role.CLERK,
    "Iris Falk": Role.CHAIR,
    "Samuel Ortiz": Role.MEMBER,
    "Nell Baird": Role.MEMBER,
    "Otis Greer": Role.MEMBER,
    "Lena Cho": Role.MEMBER,
}


def wait_until(holds: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + patience_s
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(0.05)


def a_complaint(name: str, address: str, *, pdf: bytes | None = None) -> bytes:
    """A complaint by mail, with its PDF."""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = f"{name} <{address}>"
    mail["To"] = INTAKE
    mail["Subject"] = "Complaint"
    mail["Message-ID"] = f"<{name.replace(' ', '.')}@{address.rpartition('@')[2]}>"
    mail.set_content("Please find my complaint attached.")
    paper = papers.Complaint("City of Bramwell", name, "Dale Whitlow", "Streets", "A matter of paving.")
    content = papers.typed(paper) if pdf is None else pdf
    mail.add_attachment(content, maintype="application", subtype="pdf", filename="complaint.pdf")
    return bytes(mail)


@dataclass
class Running:
    """Everything that runs around `docket run`, and what tests do with it."""

    folder: Path
    imap: Dovecot
    relay: PracticeMail
    slack: PracticeSlack
    practice: Practice
    users: Mapping[str, str]
    staff: str
    process: subprocess.Popen[bytes] | None = None
    more: dict[str, str] = field(default_factory=dict)

    def write_env(self, **changes: str) -> None:
        """Write the settings; changes win."""
        self.more.update(changes)
        settings = {
            "SLACK_BOT_TOKEN": self.slack.app.bot_token,
            "SLACK_APP_TOKEN": self.slack.app.app_token,
            "SLACK_API_URL": self.slack.api_url,
            "SLACK_STAFF_CHANNEL": self.staff,
            "DOCKET_DATA_DIR": "data",
            "DOCKET_IMAP_URL": f"imap://{ACCOUNT}@127.0.0.1:{self.imap.port}/INBOX",
            "DOCKET_IMAP_PASSWORD": SECRET,
            "DOCKET_IMAP_SINCE": "2020-01-01",
            "DOCKET_SMTP_URL": self.relay.smtp_url,
            "DOCKET_MAIL_FROM": INTAKE,
            **self.more,
        }
        path = self.folder / ".env"
        path.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))

    def start(self) -> None:
        """Start `docket run`."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from bot.cli import main; main()", "run", "--data", str(self.folder)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=ROOT,
            )

    def connected(self, patience_s: float = PATIENCE_S) -> None:
        """Wait until it is connected to Slack."""
        wait_until(lambda: self.practice.workspace()["sockets"], "no connection to Slack", patience_s)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and give the exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE_S)
        self.process = None
        return status

    def kill(self) -> None:
        """End what still runs, however the test ended."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE_S)

    def log(self) -> str:
        """What it logged."""
        return (self.folder / "log").read_text()

    @contextmanager
    def record(self, clock: Clock | None = None) -> Iterator[Opened]:
        """Open the record beside the running process, at the machine's time or by another clock."""
        record = opened(load_settings(self.folder / ".env", {}), clock or SystemClock())
        try:
            yield record
        finally:
            record.docket.database.engine.dispose()
            record.press.close()

    def cases(self) -> list[tuple[int, str]]:
        """The cases there are, newest first."""
        with self.record() as record, record.docket.database.read() as session:
            return case_ids(session)

    def case(self, number: str, who: str = "Ruth Alden") -> Look:
        """Look into a case as somebody of the roster."""
        with self.record() as record:
            with record.docket.database.read() as session:
                people = roster_of(record.docket, session)
                key = next(key for key, other in case_ids(session) if other == number)
            person = next(one for one, member in people.members.items() if member.name == who)
            return look(record.docket, Actor(person, Via.SLACK), key)

    def press(self, who: str, surface: Message, action: str) -> None:
        """Press a button."""
        found = next(one for one in action_ids(surface) if one.partition(":")[0] == action)
        assert self.practice.click(self.users[who], surface, found).ok

    def asked(self, who: str, command: str, action: str, text: str = "") -> Message:
        """Give a slash command, and the newest message of a text that then offers an action."""
        user = self.users[who]
        self.practice.command(user, "/ethics", command)
        found: list[Message] = []

        def offered() -> bool:
            found[:] = [
                one
                for one in self.practice.direct(user)
                if text in message_text(one)
                and action in {each.partition(":")[0] for each in action_ids(one)}
            ]
            return bool(found)

        wait_until(offered, f"no button {action}")
        return found[-1]

    def form(self, who: str, number: str, action: str, values: Mapping[str, object]) -> str:
        """Ask for the card, press a button, submit the form, and give what is said."""
        user = self.users[who]
        self.press(who, self.asked(who, f"case {number}", action, number), action)
        outcome = self.practice.submit(user, values)  # type: ignore[arg-type]  # choices as texts
        said = self.practice.modals(user)[-1].text if self.practice.modals(user) else ""
        assert outcome.ok, said
        self.practice.close(user, clear=True)
        return said

    def shown(self, who: str, text: str) -> Message | None:
        """The newest direct message that holds a text."""
        found = [one for one in self.practice.direct(self.users[who]) if text in message_text(one)]
        return found[-1] if found else None


@contextmanager
def surroundings(folder: Path, *, ack_within_s: float = 30.0, **more: str) -> Iterator[Running]:
    """Start the servers and write the settings and the roster; `docket run` is started by the test."""
    (folder / "data").mkdir()
    clock = SystemClock()
    with ExitStack() as stack:
        imap = stack.enter_context(Dovecot())
        relay = stack.enter_context(PracticeMail(INTAKE, clock.now))
        slack = stack.enter_context(
            PracticeSlack(folder / "slack", clock.now, rates=False, timing=Timing(ack_within_s=ack_within_s))
        )
        # whoever waits for an answer waits longer than Slack itself does
        practice = Practice(slack.url, slack.control_token, timeout_s=ack_within_s + 40.0)
        users = {name: practice.add_person(name).id for name in CAST}
        staff = practice.add_channel("docket-staff", [users["Ruth Alden"], slack.app.bot_user]).id
        running = Running(folder, imap, relay, slack, practice, users, staff)
        if "SLACK_SIGNING_SECRET" in more:
            more["SLACK_SIGNING_SECRET"] = slack.app.signing_secret
        running.write_env(DOCKET_KEYS=Fernet.generate_key().decode(), **more)
        with running.record() as record:
            seed_roster(record.docket, _roster(users))
        stack.callback(running.kill)
        yield running


def _roster(users: Mapping[str, str]) -> str:
    return "\n".join(
        f'[[person]]\nname = "{name}"\nslack = ["{TEAM_ID}:{users[name]}"]\n'
        + (f'account = ["{account()}"]\n' if role is Role.CLERK else "")
        + f'[[person.role]]\nrole = "{role.value}"\nsince = 2025-01-01\n'
        for name, role in CAST.items()
    )


RECEIVED = datetime(2026, 11, 2, 14, 14, 12, tzinfo=UTC)

"""A day of work, compressed: thousands of mails and clicks, faults at random, and then the record is held against it.

`make soak` (`python -m tests.soak --mails 5000 --cases 300 --acts 2000 --seed 1`) runs `docket run` between a real
Dovecot, a relay and the practice Slack, on a practice clock. Everything is drawn from the seed. In the end every
mail is in one place, every complaint has one number and one receipt, every act that was answered stands, the
journal verifies, and the process has not grown.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from sqlmodel import select

from bot.actions.ids import Do
from bot.clock import PracticeClock, SystemClock
from bot.practice.client import NothingHappened, PracticeRefusal
from store.cases import MACHINE, verify
from store.outbox import Channel, State
from store.rules.facts import FormDecided, PartyNamed, PartyRole, Referred
from store.tables import CaseRow, MailItem, OutboxRow, RawMail, Sighting
from tests.end_to_end.running import INTAKE, Running, a_complaint, surroundings, wait_until

FAULTS = (
    "slack busy",
    "slack failing",
    "slack loses answers",
    "slack silent",
    "sockets cut",
    "sockets refused",
    "relay greylists",
    "relay cuts before",
    "relay cuts after",
    "mailbox stops",
    "docket killed",
)
KINDS = ("again", "follow-up", "away", "list", "odd")
WARM_UP = 0.25
GROWTH = 1.10
CALM_S = 900.0
_DID_NOT_COME = (NothingHappened, PracticeRefusal, TimeoutError, AssertionError, StopIteration)


@dataclass
class Soak:
    """One soak: what is still to come, and what was seen."""

    running: Running
    clock: PracticeClock
    draw: random.Random
    complaints: dict[str, bytes] = field(default_factory=dict)
    sent: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    stands: dict[str, set[str]] = field(default_factory=dict)
    memory_kib: list[int] = field(default_factory=list)

    # -- mail -------------------------------------------------------------------------------------

    def post(self, raw: bytes) -> None:
        """Deliver one mail at the city's time."""
        self.running.imap.deliver(raw, at=self.clock.now().replace(microsecond=0))
        self.sent += 1

    def complaint(self, number: int) -> None:
        """Deliver a new complaint."""
        address = f"person{number}@riverbend.example"
        raw = a_complaint(f"Person Number{number}", address)
        self.complaints[address] = raw
        self.post(raw)

    def other(self, number: int) -> None:
        """Deliver a mail that is no new complaint."""
        kind = self.draw.choice(KINDS)
        address, raw = self.draw.choice(list(self.complaints.items()))
        if kind == "again":
            self.post(raw)
            return
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"] = address, INTAKE
        mail["Subject"] = f"About {number}"
        mail["Message-ID"] = f"<other-{number}@riverbend.example>"
        if kind == "away":
            mail["Auto-Submitted"] = "auto-replied"
            mail.set_content("I am away.")
        elif kind == "list":
            mail["List-Id"] = "<news.example>"
            mail["Precedence"] = "bulk"
            mail.set_content("The news.")
        elif kind == "follow-up":
            letters = self.running.relay.inbox(address)
            if letters:
                mail["In-Reply-To"] = str(letters[0].message["Message-ID"])
                mail.set_content(f"One more thing, number {number}.")
            else:
                mail["List-Id"] = "<news.example>"
        elif kind == "odd":
            self.post(b"\xff\x00" + self.draw.randbytes(400) + b"\r\n\r\n" + str(number).encode())
            return
        self.post(bytes(mail))

    # -- Slack ------------------------------------------------------------------------------------

    def act(self) -> None:
        """Let somebody do something; what does not come about under a fault is tried by people later."""
        cases = self.running.cases()
        if not cases:
            return
        _key, number = self.draw.choice(cases)
        done = self.stands.setdefault(number, set())
        try:
            name = self._next(number, done)
        except _DID_NOT_COME:
            name = "did not come about"
            self._tidy()
        self.acts[name] += 1

    def _next(self, number: str, done: set[str]) -> str:
        running = self.running
        choice = self.draw.random()
        if choice < 0.3:
            who = self.draw.choice(list(running.users))
            text = self.draw.choice((f"case {number}", "docket", "help", "calendar"))
            assert running.practice.command(running.users[who], "/ethics", text).ok
            return "looked"
        if "referral" not in done:
            wait_until(lambda: running.shown("Ada Merrow", number), "the City Manager was not asked")
            message = running.shown("Ada Merrow", number)
            assert message is not None
            running.press("Ada Merrow", message, Do.REFER)
            done.add("referral")
        elif "form" not in done:
            self._form(number, Do.FORM_CHECK, {"proper": "yes", "signed": "yes", "reason": "seen"})
            done.add("form")
        elif "respondent" not in done:
            self._form(
                number, Do.NAME_RESPONDENTS, {"name": f"Official {number}", "email": "o@bramwell-ky.example"}
            )
            done.add("respondent")
        else:
            card = running.asked("Ruth Alden", f"case {number}", Do.SHOW_CARD) if choice > 0.95 else None
            return "read" if card else "nothing left"
        return max(done & {"referral", "form", "respondent"}, key=("referral", "form", "respondent").index)

    def _form(self, number: str, do: Do, values: dict[str, object]) -> None:
        self.running.form("Ruth Alden", number, do, values)

    def _tidy(self) -> None:
        """Close what stayed open, as a person would."""
        for user in self.running.users.values():
            try:
                if self.running.practice.modals(user):
                    self.running.practice.close(user, clear=True)
            except _DID_NOT_COME:
                continue

    # -- faults -----------------------------------------------------------------------------------

    def fault(self, *, kill: bool) -> None:
        """Let something go wrong for a moment."""
        name = self.draw.choice(FAULTS if kill else FAULTS[:-1])
        self.faults[name] += 1
        slack, relay = self.running.practice, self.running.relay.faults
        match name:
            case "slack busy":
                slack.faults(throttled_calls=3)
            case "slack failing":
                slack.faults(failing_calls=3)
            case "slack loses answers":
                slack.faults(lost_answers=1)
            case "slack silent":
                slack.faults(silent=True)
                time.sleep(1)
                slack.faults(silent=False)
            case "sockets cut":
                slack.drop_sockets()
            case "sockets refused":
                slack.faults(sockets_refused=True)
                slack.drop_sockets()
                time.sleep(1)
                slack.faults(sockets_refused=False)
            case "relay greylists":
                relay.greylisted += 2
            case "relay cuts before":
                relay.dropped_before += 1
            case "relay cuts after":
                relay.dropped_after += 1
            case "mailbox stops":
                self.running.imap.stop()
                time.sleep(0.5)
                self.running.imap.start()
            case _:
                self.running.stop(signal.SIGKILL)
                self.running.start()
                self.running.connected()

    def measure(self) -> None:
        """Note how much memory `docket run` and its children hold."""
        assert self.running.process is not None
        self.memory_kib.append(_resident(self.running.process.pid))


def _resident(pid: int) -> int:
    """Give the resident memory of a process and its children, in KiB."""
    total = 0
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            total = int(line.split()[1])
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return total + sum(_resident(int(child)) for child in children)


def play(folder: Path, mails: int, cases: int, acts: int, seed: int) -> tuple[Soak, list[str]]:
    """Play one soak.

    Args:
        folder: an empty one.
        mails: how many mails come, complaints among them.
        cases: how many of them are new complaints.
        acts: how many times somebody acts in Slack.
        seed: draws everything.

    Returns:
        What was seen, and what was wrong in the end.
    """
    draw = random.Random(seed)
    with surroundings(folder) as running:
        clock = PracticeClock(folder / "data")
        clock.set_to(SystemClock().now() + timedelta(minutes=1))  # the roster holds from today on
        soak = Soak(running, clock, draw)
        running.start()
        running.connected()
        plan = ["complaint"] * cases + ["other"] * (mails - cases) + ["act"] * acts
        plan += ["fault"] * (len(plan) // 60) + ["hour"] * 400
        draw.shuffle(plan)
        plan.sort(key=lambda what: what != "complaint" or draw.random() > 0.2)
        for number, what in enumerate(plan):
            first_half = number < len(plan) // 2
            _play_one(soak, what, number, kill=first_half)
            if number in {int(len(plan) * (0.5 + WARM_UP / 2)), len(plan) - 1}:
                _calm(soak)
                soak.measure()
            if number % 200 == 0:
                _say(
                    f"{number} of {len(plan)}: {soak.sent} mails, {sum(soak.acts.values())} acts, "
                    f"{sum(soak.faults.values())} faults"
                )
        wrong = _held_against(soak)
        status = running.stop()
        if status not in {0, 3}:
            wrong.append(f"docket run ended with status {status}")
    return soak, wrong


def _play_one(soak: Soak, what: str, number: int, *, kill: bool) -> None:
    match what:
        case "complaint":
            soak.complaint(number)
        case "other":
            soak.other(number)
        case "act":
            soak.act()
        case "fault":
            soak.fault(kill=kill)
        case _:
            soak.clock.advance(timedelta(hours=1))


def _calm(soak: Soak) -> None:
    """Wait until nothing waits: every mail is placed and everything that is owed went out or is uncertain."""
    soak.running.relay.faults.greylisted = 0
    until = time.monotonic() + CALM_S
    while time.monotonic() < until:
        soak.clock.advance(timedelta(minutes=10))
        with soak.running.record() as record, record.docket.database.read() as session:
            kept = len(session.exec(select(Sighting.id)).all())
            unread = len(session.exec(select(MailItem.id).where(MailItem.place == "kept")).all())
            waits = len(
                session.exec(
                    select(OutboxRow.id).where(
                        OutboxRow.state.in_([State.QUEUED, State.SENDING, State.HELD_BACK])  # type: ignore[attr-defined]  # a column
                    )
                ).all()
            )
        if kept == soak.sent and not unread and not waits:
            return
        time.sleep(1)
    _say(f"not calm: {kept} of {soak.sent} kept, {unread} unread, {waits} owed")


def _held_against(soak: Soak) -> list[str]:
    wrong: list[str] = []
    with soak.running.record() as record:
        docket = record.docket
        with docket.database.read() as session:
            sightings = len(session.exec(select(Sighting.id)).all())
            raws = len(session.exec(select(RawMail.id)).all())
            places = Counter(session.exec(select(MailItem.place)).all())
            numbers = [row.seq for row in session.exec(select(CaseRow))]
            receipts = Counter(
                row.case_id
                for row in session.exec(select(OutboxRow))
                if row.kind == "auto_receipt" and row.case_id
            )
            letters = Counter(
                row.state for row in session.exec(select(OutboxRow)) if row.channel == Channel.MAIL
            )
        _say(f"places: {dict(places)}; letters: {dict(letters)}; raw mails: {raws}")
        if sightings != soak.sent:
            wrong.append(f"{sightings} of {soak.sent} mails are in the record")
        if sum(places.values()) != raws:
            wrong.append(f"{raws} mails are in {sum(places.values())} places")
        if len(numbers) != len(soak.complaints) or sorted(numbers) != list(range(1, len(numbers) + 1)):
            wrong.append(f"{len(numbers)} cases of {len(soak.complaints)} complaints")
        if any(count != 1 for count in receipts.values()) or len(receipts) != len(numbers):
            wrong.append("a case has no receipt, or two")
        uncertain = letters[State.UNCERTAIN]
        allowed = soak.faults["docket killed"] + soak.faults["relay cuts after"]
        if uncertain > allowed:
            wrong.append(f"{uncertain} letters are uncertain after {allowed} faults that may leave one so")
        fault = verify(docket, MACHINE)
        if fault:
            wrong.append(f"journal entry {fault.seq}: {fault.says}")
    wrong += _acts_that_do_not_stand(soak)
    first, last = soak.memory_kib[0], soak.memory_kib[-1]
    if last > first * GROWTH:
        wrong.append(f"resident memory grew from {first} to {last} KiB")
    return wrong


def _acts_that_do_not_stand(soak: Soak) -> list[str]:
    """Hold what people were told was done against the record."""
    wrong = []
    for number, done in soak.stands.items():
        case = soak.running.case(number).case
        respondents = [one for one in case.all(PartyNamed) if one.fact.role is PartyRole.RESPONDENT]
        found = {
            "referral": sum(1 for _ in case.all(Referred)),
            "form": sum(1 for _ in case.all(FormDecided)),
            "respondent": len(respondents),
        }
        wrong += [f"{number}: {name} stands {found[name]} times" for name in sorted(done) if found[name] != 1]
    return wrong


def _say(text: str) -> None:
    print(text, flush=True)


def main() -> int:
    """Play one soak and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=5000)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--acts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dkt-soak-") as folder:
        soak, wrong = play(Path(folder), given.mails, given.cases, given.acts, given.seed)
    seen = {
        "seed": given.seed,
        "mails": soak.sent,
        "complaints": len(soak.complaints),
        "acts": dict(soak.acts),
        "faults": dict(soak.faults),
        "memory_kib": soak.memory_kib,
        "minutes": round((time.monotonic() - began) / 60, 1),
        "wrong": wrong,
    }
    _say(json.dumps(seen, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    sys.exit(main())

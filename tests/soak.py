"""A day of work, compressed: thousands of mails and clicks, faults at random, and then the record is held against it.

`make soak` (`python -m tests.soak --mails 5000 --cases 300 --acts 2000 --seed 1`) runs `docket run` between a real
Dovecot, a relay and the practice Slack, on a practice clock. Everything is drawn from the seed. What was sent and
what people were told is written down here, outside Docket. In the end nothing waits, every mail is in one place,
every complaint has one number and one receipt, no letter reached anybody twice, every act that was answered stands
and none stands twice, the journal verifies, and the process has not grown.
"""

import argparse
import hashlib
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from sqlmodel import select

from bot import words
from bot.actions.ids import Do
from bot.clock import PracticeClock, SystemClock
from bot.opening import PRACTICE_MARK, Opened
from bot.practice.client import NothingHappened, PracticeRefusal, ShownView, action_ids, message_text
from bot.practice.state import Message
from bot.practice.values import Choice
from store.cases import MACHINE, case_ids, verify
from store.outbox import Channel, State
from store.rules.facts import FormDecided, PartyNamed, PartyRole, Recused, Referred
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
    "relay cuts during",
    "relay cuts after",
    "mailbox stops",
    "mailbox killed",
    "clock jumps",
    "docket killed",
)
_RELAY = {
    "greylists": "greylisted",
    "cuts before": "dropped_before",
    "cuts during": "dropped_during",
    "cuts after": "dropped_after",
}
EVENTS_A_FAULT = 60
MAY_LEAVE_A_DOUBT = ("docket killed", "relay cuts during", "relay cuts after")
KINDS = ("again", "follow-up", "away", "list", "odd")
WARM_UP = 0.25
GROWTH = 1.10
CALM_S = 900.0
TRIES = 3
RECENT = 40
PATIENT_S = 15.0
STARTS_S = 600.0  # on a machine that others work on as well
MAY_NOT_COME = 0.02
NEVER = "did not come about"
STEPS = ("referral", "form", "acknowledgement", "respondent", "notice", "recusal")
READ = (Do.WHY_DATES, Do.WHAT_NEXT, Do.OPEN_FILE, Do.HISTORY)
DONE_SAYS = ("Recorded", "was written for case")
_DID_NOT_COME = (NothingHappened, PracticeRefusal, TimeoutError, AssertionError, StopIteration)


@dataclass
class Soak:
    """One soak: what is still to come, and what was seen."""

    running: Running
    clock: PracticeClock
    draw: random.Random
    beside: Opened
    complaints: dict[str, bytes] = field(default_factory=dict)
    sent: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    tries: Counter[int] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    last_fault: str = "no fault yet"
    direct: dict[str, str] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    stands: dict[str, set[str]] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)
    hashes: set[str] = field(default_factory=set)
    apart_s: list[float] = field(default_factory=list)
    memory_kib: list[int] = field(default_factory=list)

    # -- mail -------------------------------------------------------------------------------------

    def post(self, raw: bytes) -> None:
        """Deliver one mail at the city's time."""
        self.running.imap.deliver(raw, at=self.clock.now().replace(microsecond=0))
        self.sent += 1
        self.hashes.add(hashlib.sha256(raw).hexdigest())

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
            odd = self.draw.randbytes(400).translate(None, b"\0\r\n")  # which Dovecot itself would change
            self.post(b"\xff" + odd + b"\r\n\r\n" + str(number).encode())
            return
        self.post(bytes(mail))

    # -- Slack ------------------------------------------------------------------------------------

    def act(self) -> None:
        """Let somebody do something; what does not come about under a fault is tried again, as people do."""
        if not self._cases():
            wait_until(self._cases, "no case came")
        _key, number = self.draw.choice(self._cases())
        choice = self.draw.random()
        for time_ in range(1, TRIES + 1):
            self._until_connected()
            done = self._known(number)
            try:
                self.acts[self._next(number, done, choice)] += 1
            except _DID_NOT_COME as error:
                self.missed[f"{self.last_fault}: {_why(error)}"] += 1
                self.doubtful.add(number)
                self._tidy()
            else:
                self.tries[time_] += 1
                return
        self.acts[NEVER] += 1

    def _cases(self) -> list[tuple[int, str]]:
        with self.beside.docket.database.read() as session:
            return case_ids(session)

    def _known(self, number: str) -> set[str]:
        """What people know to be done in a case; where an answer was lost they look first."""
        done = self.stands.setdefault(number, set())
        if number in self.doubtful:
            done |= {name for name, times in found_in(self.running, number).items() if times}
            self.doubtful.discard(number)
        return done

    def _until_connected(self) -> None:
        """Wait as people do whose click Slack cannot hand on, and note how long it took."""
        if not self.running.practice.workspace()["sockets"]:
            began = time.monotonic()
            self.running.connected(STARTS_S)
            self.apart_s.append(round(time.monotonic() - began, 1))

    def _next(self, number: str, done: set[str], choice: float) -> str:
        running = self.running
        if choice < 0.3:
            who = self.draw.choice(list(running.users))
            text = self.draw.choice((f"case {number}", "docket", "help", "calendar"))
            assert running.practice.command(running.users[who], "/ethics", text).ok
            return "looked"
        step = next((name for name in STEPS if name not in done), "read")
        match step:
            case "referral":
                self._press("Ada Merrow", number, Do.REFER)
            case "form":
                self._form(number, Do.FORM_CHECK, {"proper": "yes", "signed": "yes", "reason": "seen"})
            case "acknowledgement":
                self._press("Ruth Alden", number, Do.ACKNOWLEDGE)
            case "respondent":
                address = f"official{number[-4:]}@bramwell-ky.example"
                self._form(number, Do.NAME_RESPONDENTS, {"name": f"Official {number}", "email": address})
            case "notice":
                self._form(number, Do.SEND_NOTICE, {"provisions": ["gifts"]})
            case "recusal":
                self._press("Lena Cho", number, Do.RECUSE)
            case _:
                self._read(number, self.draw.choice(READ))
        if step != "read":
            done.add(step)
        return step

    def _press(self, who: str, number: str, do: Do) -> None:
        """Press a button that acts at once, on the newest message that offers it or on the card asked for."""
        user, told = self.running.users[who], self._told(who)
        message = self._offering(user, number, do) or self._card(who, number, do)
        self.running.press(who, message, do)
        said = self._answer(who, told, number)
        assert any(one in said for one in DONE_SAYS), said

    def _recent(self, user: str) -> list[Message]:
        """The newest direct messages of somebody; all of thousands each time would be most of the soak's work."""
        practice = self.running.practice
        if user not in self.direct:
            for channel in practice.channels(user):
                if channel.direct:
                    self.direct[user] = channel.id
        return practice.messages(user, self.direct[user], newest=RECENT) if user in self.direct else []

    def _told(self, who: str) -> str:
        return max((one.ts for one in self._recent(self.running.users[who])), default="")

    def _answer(self, who: str, told: str, number: str) -> str:
        """Wait for the sentence that says what was recorded."""
        user, said = self.running.users[who], list[str]()

        def answered() -> bool:
            newer = (message_text(one) for one in self._recent(user) if one.ts > told)
            said[:] = [one for one in newer if number in one]
            return any(mark in one for one in said for mark in DONE_SAYS)

        try:
            wait_until(answered, "no answer", PATIENT_S)
        except TimeoutError:
            raise TimeoutError(f"no answer, but: {said}") from None
        return "\n".join(said)

    def _offering(self, user: str, number: str, do: Do) -> Message | None:
        """The newest message to somebody about a case that offers an action."""
        offered = (
            one
            for one in reversed(self._recent(user))
            if do in {each.partition(":")[0] for each in action_ids(one)} and number in message_text(one)
        )
        return next(offered, None)

    def _card(self, who: str, number: str, do: Do) -> Message:
        """Ask for a case's card, and give it when it is there."""
        user, found = self.running.users[who], list[Message]()
        assert self.running.practice.command(user, "/ethics", f"case {number}").ok, "the command was lost"

        def came() -> bool:
            found[:] = [one for one in (self._offering(user, number, do),) if one]
            return bool(found)

        wait_until(came, f"no button {do}", PATIENT_S)
        return found[0]

    def _form(self, number: str, do: Do, values: Mapping[str, Choice]) -> None:
        """The clerk asks for the card, opens a form, fills it and waits until it says that it was recorded."""
        practice, user = self.running.practice, self.running.users["Ruth Alden"]
        self.running.press("Ruth Alden", self._card("Ruth Alden", number, do), do)

        def filled() -> bool:
            shown = self._open(user)
            return bool(shown) and set(values) <= set(action_ids(shown[-1]))

        wait_until(filled, "no form", PATIENT_S)
        outcome = practice.submit(user, values)
        wait_until(lambda: words.RECORDING not in self._text(user), "being recorded", PATIENT_S)
        assert outcome.ok, self._text(user)
        assert number in self._text(user), self._text(user)
        practice.close(user, clear=True)

    def _read(self, number: str, do: Do) -> None:
        """The clerk opens something of a case that is only read."""
        practice, user = self.running.practice, self.running.users["Ruth Alden"]
        self.running.press("Ruth Alden", self._card("Ruth Alden", number, do), do)
        wait_until(lambda: self._open(user) and words.LOADING not in self._text(user), "no window", PATIENT_S)
        practice.close(user, clear=True)

    def _open(self, user: str) -> list[ShownView]:
        return self.running.practice.modals(user)

    def _text(self, user: str) -> str:
        return "\n".join(one.text for one in self._open(user)[-1:])

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
        self.last_fault = f"after {name}"
        part, _, what = name.partition(" ")
        match part:
            case "relay":
                setattr(self.running.relay.faults, _RELAY[what], 1)
            case "mailbox":
                (self.running.imap.stop if what == "stops" else self.running.imap.kill)()
                time.sleep(0.5)
                self.running.imap.start()
            case "clock":
                self.clock.advance(timedelta(hours=self.draw.randint(2, 30)))
            case "docket":
                self.running.stop(signal.SIGKILL)
                self.running.start()
                self.running.connected(STARTS_S)
            case _:
                self._slack_fault(name)

    def _slack_fault(self, name: str) -> None:
        slack = self.running.practice
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
            case _:
                slack.faults(sockets_refused=True)
                slack.drop_sockets()
                time.sleep(1)
                slack.faults(sockets_refused=False)

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
    with surroundings(folder) as running, running.record() as beside:
        (folder / "data" / PRACTICE_MARK).touch()  # the clock is moved on purpose
        clock = PracticeClock(folder / "data")
        clock.set_to(SystemClock().now() + timedelta(minutes=1))  # the roster holds from today on
        soak = Soak(running, clock, draw, beside)
        running.start()
        running.connected(STARTS_S)
        plan = ["complaint"] * cases + ["other"] * (mails - cases) + ["act"] * acts
        plan += ["fault"] * (len(plan) // EVENTS_A_FAULT) + ["hour"] * 400
        draw.shuffle(plan)
        plan.sort(key=lambda what: what != "complaint" or draw.random() > 0.2)
        began = time.monotonic()
        restless = []
        for number, what in enumerate(plan):
            first_half = number < len(plan) // 2
            _play_one(soak, what, number, kill=first_half)
            if number in {int(len(plan) * (0.5 + WARM_UP / 2)), len(plan) - 1}:
                restless += _calm(soak)
                soak.measure()
            if number % 200 == 0:
                _say(
                    f"{number} of {len(plan)}: {soak.sent} mails, {sum(soak.acts.values())} acts, "
                    f"{sum(soak.faults.values())} faults, {soak.missed.total()} tries that did not come about, "
                    f"{soak.acts[NEVER]} acts never, {(time.monotonic() - began) / 60:.1f} min"
                )
        wrong = restless + _held_against(soak)
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


def _calm(soak: Soak) -> list[str]:
    """Wait until nothing waits: every mail is placed and everything that is owed went out or is uncertain."""
    soak.running.relay.faults.greylisted = 0
    until = time.monotonic() + CALM_S
    while time.monotonic() < until:
        soak.clock.advance(timedelta(minutes=10))
        with soak.beside.docket.database.read() as session:
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
            return []
        time.sleep(1)
    return [f"no rest: {kept} of {soak.sent} kept, {unread} unread, {waits} owed"]


def _held_against(soak: Soak) -> list[str]:
    wrong: list[str] = []
    with soak.running.record(
        soak.clock
    ) as record:  # a right that is over by the city's time is open by no other
        docket = record.docket
        with docket.database.read() as session:
            sightings = len(session.exec(select(Sighting.id)).all())
            kept = set(session.exec(select(RawMail.sha256)).all())
            raws = len(kept)
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
        if kept != soak.hashes:
            wrong.append(
                f"{len(soak.hashes - kept)} mails were lost, {len(kept - soak.hashes)} are not as sent"
            )
        if sum(places.values()) != raws:
            wrong.append(f"{raws} mails are in {sum(places.values())} places")
        if len(numbers) != len(soak.complaints) or sorted(numbers) != list(range(1, len(numbers) + 1)):
            wrong.append(f"{len(numbers)} cases of {len(soak.complaints)} complaints")
        if any(count != 1 for count in receipts.values()) or len(receipts) != len(numbers):
            wrong.append("a case has no receipt, or two")
        uncertain = letters[State.UNCERTAIN]
        allowed = sum(soak.faults[one] for one in MAY_LEAVE_A_DOUBT)
        arrived = Counter((one.to, str(one.message["Message-ID"])) for one in soak.running.relay.letters)
        if any(times != 1 for times in arrived.values()):
            wrong.append(f"{sum(times > 1 for times in arrived.values())} letters reached somebody twice")
        if not letters[State.SENT] <= len(arrived) <= letters[State.SENT] + uncertain:
            wrong.append(f"{letters[State.SENT]} sent and {uncertain} uncertain, but {len(arrived)} arrived")
        if uncertain > allowed:
            wrong.append(f"{uncertain} letters are uncertain after {allowed} faults that may leave one so")
        fault = verify(docket, MACHINE)
        if fault:
            wrong.append(f"journal entry {fault.seq}: {fault.says}")
    wrong += _acts_that_do_not_stand(soak)
    if soak.acts[NEVER] > MAY_NOT_COME * sum(soak.acts.values()):
        wrong.append(
            f"{soak.acts[NEVER]} of {sum(soak.acts.values())} acts did not come about in {TRIES} tries"
        )
    first, last = soak.memory_kib[0], soak.memory_kib[-1]
    if last > first * GROWTH:
        wrong.append(f"resident memory grew from {first} to {last} KiB")
    return wrong


def _acts_that_do_not_stand(soak: Soak) -> list[str]:
    """Hold what people were told was done against the record; what they were not told may stand once."""
    wrong = []
    for number, done in soak.stands.items():
        for name, times in found_in(soak.running, number).items():
            if times > 1 or (name in done and not times):
                wrong.append(f"{number}: {name} stands {times} times")
    return wrong


def found_in(running: Running, number: str) -> dict[str, int]:
    """Count how often each step of the soak stands in a case."""
    case = running.case(number).case
    respondents = [one for one in case.all(PartyNamed) if one.fact.role is PartyRole.RESPONDENT]
    counts = (
        sum(1 for _ in case.all(Referred)),
        sum(1 for _ in case.all(FormDecided)),
        len(case.letters_to("acknowledgement")),
        len(respondents),
        len(case.letters_to("notice")),
        sum(1 for _ in case.all(Recused)),
    )
    return dict(zip(STEPS, counts, strict=True))


def _why(error: BaseException) -> str:
    """Say in one short line why an act did not come about; a case's number is left out."""
    why = f"{type(error).__name__} {error}".strip().replace("\n", " ")
    return re.sub(r"EC-\d{4}-\d{4,}", "EC", why)[:160]


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
        "came about at try": dict(soak.tries),
        "tries that did not": dict(soak.missed.most_common()),
        "faults": dict(soak.faults),
        "longest without Slack, s": max(soak.apart_s, default=0),
        "memory_kib": soak.memory_kib,
        "minutes": round((time.monotonic() - began) / 60, 1),
        "wrong": wrong,
    }
    _say(json.dumps(seen, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    sys.exit(main())

"""The practice story: the whole main job, played by invented people on this machine, every stage checked.

Mail goes through the practice mail server, clicks through the practice Slack, and in between runs the
production code alone. The story looks at what came of each stage, in Slack, in inboxes and in the
record, and ends at the first thing that is not as it should be.
"""

import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from aiohttp import web
from cryptography.fernet import Fernet

from bot import words
from bot.actions.ids import Do
from bot.cli.common import account
from bot.cli.serving import Service
from bot.cli.town import Character, Town, town
from bot.clock import PracticeClock, SystemClock
from bot.opening import PRACTICE_MARK, Opened, opened
from bot.practice import papers
from bot.practice.client import Practice, ShownView, action_ids, message_text, texts
from bot.practice.mailserver import PracticeMail
from bot.practice.slack import PracticeSlack
from bot.practice.state import TEAM_ID, Message
from bot.settings import load_settings
from store.cases import MACHINE, Actor, Look, case_by_number, look, roster_of, verify
from store.proceedings.calendar import adopt_calendar
from store.proceedings.roster import seed_roster
from store.rules.access import Via
from store.rules.casefile import LetterState
from store.rules.dates import local_date
from store.rules.duties import StepState
from store.rules.facts import PaperReceived, ReceivedBy, Role

BEGINS = datetime(2026, 11, 2, 14, 14, tzinfo=UTC)
_PATIENCE_S = 120.0
_FORM_S = 20.0
_CLICKS = 3


class StoryStopped(Exception):
    """A stage did not come out as it should; the text says which and how."""


INES, INES_MAIL = "Ines Calloway", "ines.calloway@riverbend.example"
HAL, HAL_MAIL = "Hal Doyle", "hal.doyle@quarry.example"
MARTA, MARTA_MAIL = "Marta Quill", "marta.quill@hollow.example"
DALE, DALE_MAIL = "Dale Whitlow", "d.whitlow@bramwell-ky.example"
SECRET_WORDS = (INES, HAL, MARTA, DALE, "Calloway", "Doyle", "Quill", "Whitlow", "paving")


@dataclass
class World:
    """Everything that runs while the story is played."""

    folder: Path
    clock: PracticeClock
    mail: PracticeMail
    slack: PracticeSlack
    practice: Practice
    service: Service
    opened: Opened
    staff_channel: str
    people: Mapping[str, str]
    persons: Mapping[str, int]
    town: Town
    numbers: dict[str, str] = field(default_factory=dict)

    def actor(self, key: str) -> Actor:
        """Give somebody of the cast as the record knows him."""
        return Actor(self.persons[key], Via.SLACK)

    def look(self, complaint: str, key: str = "clerk") -> Look:
        """Look into a case as somebody of the cast."""
        docket = self.opened.docket
        with docket.database.read() as session:
            case_id = case_by_number(session, self.numbers[complaint])
        assert case_id is not None
        return look(docket, self.actor(key), case_id)

    @property
    def zone(self) -> ZoneInfo:
        """The city's zone."""
        return self.look("signed").profile.city.time_zone


@contextmanager
def world(
    folder: Path,
    *,
    token: str | None = None,
    routes: Iterable[web.RouteDef] = (),
    place: Town | None = None,
) -> Iterator[World]:
    """Start mail server, practice Slack and Docket itself on a folder, and stop them in the end.

    Args:
        folder: holds `.env` and `data`; made where it is not there.
        token: for the practice Slack's control API; made up where none is given.
        routes: what else is served on the practice Slack's address (the page).
        place: the city; None for the invented one.

    Raises:
        StartFault: the city's roster or profile cannot be used.
    """
    place = place or town()
    data = folder / "data"
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    (data / PRACTICE_MARK).touch()
    clock = PracticeClock(data, SystemClock())
    if clock.now() > BEGINS or not (folder / ".env").exists():
        clock.set_to(BEGINS)
    with ExitStack() as stack:
        mail = stack.enter_context(PracticeMail(place.intake, clock.now))
        slack = stack.enter_context(
            PracticeSlack(folder / "slack", clock.now, control_token=token, routes=routes, rates=False)
        )
        practice = Practice.of(slack)
        people = {
            one.key: practice.add_person(one.name, title=words.ROLE_NAMES[one.role]).id for one in place.cast
        }
        staff = practice.add_channel("docket-staff", [people["clerk"], slack.app.bot_user]).id
        _write_env(folder, mail, slack, staff, place)
        settings = load_settings(folder / ".env", {})
        record = opened(settings, clock)
        seed_roster(record.docket, _roster(people, place))
        persons = _persons(record, place)
        adopt_calendar(
            record.docket,
            Actor(persons["clerk"], Via.CLI),
            place.closures,
            "adopted by the city, for practice",
        )
        service = Service(record)
        service.start()
        stack.callback(service.stop)
        yield World(folder, clock, mail, slack, practice, service, record, staff, people, persons, place)


def _write_env(folder: Path, mail: PracticeMail, slack: PracticeSlack, staff: str, place: Town) -> None:
    path = folder / ".env"
    before = (
        dict(line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)
        if path.exists()
        else {}
    )
    settings = {
        "SLACK_BOT_TOKEN": slack.app.bot_token,
        "SLACK_APP_TOKEN": slack.app.app_token,
        "SLACK_SIGNING_SECRET": slack.app.signing_secret,
        "SLACK_API_URL": slack.api_url,
        "SLACK_STAFF_CHANNEL": staff,
        "DOCKET_DATA_DIR": "data",
        "DOCKET_PROFILE": place.setting,
        "DOCKET_KEYS": before.get("DOCKET_KEYS", Fernet.generate_key().decode()),
        "DOCKET_IMAP_URL": mail.imap_url,
        "DOCKET_IMAP_PASSWORD": mail.password,
        "DOCKET_IMAP_SINCE": "2026-11-01",
        "DOCKET_SMTP_URL": mail.smtp_url,
        "DOCKET_MAIL_FROM": place.intake,
        "DOCKET_AUTHSERV_ID": "mail.practice.example",
        "DOCKET_ALERT_TO": place.alert_to,
    }
    path.touch(mode=0o600)
    path.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))


def _roster(people: Mapping[str, str], place: Town) -> str:
    tables = []
    for one in place.cast:
        manager = one.role is Role.CITY_MANAGER and place.official_mail
        email = place.official_mail if manager else f"{one.key}@{place.alert_to.rpartition('@')[2]}"
        tables.append(
            f'[[person]]\nname = {json.dumps(one.name)}\nemail = ["{email}"]\n'
            f'slack = ["{TEAM_ID}:{people[one.key]}"]\n{_account(one)}'
            f'[[person.role]]\nrole = "{one.role.value}"\nsince = 2025-01-01\n'
        )
    return "\n".join(tables)


def _account(one: Character) -> str:
    """Let whoever runs the story be the clerk on the command line."""
    return f'account = ["{account()}"]\n' if one.key == "clerk" and account() else ""


def _persons(record: Opened, place: Town) -> dict[str, int]:
    with record.docket.database.read() as session:
        members = roster_of(record.docket, session).members
    by_name = {member.name: person for person, member in members.items()}
    return {one.key: by_name[one.name] for one in place.cast}


# -- playing ------------------------------------------------------------------------------------------


@dataclass
class Story:
    """The story while it is played.

    Attributes:
        world: what runs.
        say: prints a line of what happened.
    """

    world: World
    say: Callable[[str], None]
    checked: int = 0

    # what people do

    def press(self, key: str, surface: Message | ShownView, action: Do) -> None:
        """Press a button of a message or window."""
        user = self.world.people[key]
        wanted = next((one for one in action_ids(surface) if one.partition(":")[0] == action), None)
        self.check(f"there is a button {action.value}", wanted is not None)
        assert wanted is not None
        outcome = self.world.practice.click(user, surface, wanted)
        self.check(f"{action.value} is answered", outcome.ok)

    def asked(self, key: str, command: str, action: Do, text: str = "") -> Message:
        """Give a slash command, and the newest message that then offers an action."""
        user = self.world.people[key]
        self.world.practice.command(user, "/ethics", command)
        found: list[Message] = []

        def offered() -> bool:
            found[:] = [
                one
                for one in self.world.practice.direct(user)
                if text in message_text(one)
                and action in {each.partition(":")[0] for each in action_ids(one)}
            ]
            return bool(found)

        self.until(f"there is a button {action.value}", offered)
        return found[-1]

    def card(self, key: str, complaint: str, action: Do) -> Message:
        """Ask for a case's card by the slash command, as a person would on a phone."""
        number = self.world.numbers[complaint]
        return self.asked(key, f"case {number}", action, f"Case {number}")

    def form(self, key: str, complaint: str, action: Do, values: Mapping[str, object]) -> str:
        """Press a button of a card and submit the form that opens; give what is said."""
        return self.fill(key, lambda: self.card(key, complaint, action), action, values)

    def fill(self, key: str, surface: Callable[[], Message], action: Do, values: Mapping[str, object]) -> str:
        """Press a button until its form is open, and submit it; give what is said.

        A click that was not answered within Slack's three seconds opens nothing, and a person clicks once more.
        """
        is_open = partial(self._form_is_open, self.world.people[key])
        for _ in range(_CLICKS):
            self.press(key, surface(), action)
            if self._comes(is_open, _FORM_S):
                break
        return self.submit(key, values)

    def click(self, key: str, complaint: str, action: Do) -> str:
        """Press a button of a card that asks nothing; give what is said."""
        self.press(key, self.card(key, complaint, action), action)
        return self.said(key)

    def submit(self, key: str, values: Mapping[str, object]) -> str:
        """Submit the window on top; give what is said, and close it."""
        user = self.world.people[key]
        self.until("the form is open", partial(self._form_is_open, user))
        outcome = self.world.practice.submit(user, values)  # type: ignore[arg-type]  # choices are texts here
        self.until("what takes longer is done", lambda: words.RECORDING not in self.said(key))
        said = self.said(key)
        self.check(f"the form is taken ({said[:200]})", outcome.ok)
        self.world.practice.close(user, clear=True)
        return said

    def _form_is_open(self, user: str) -> bool:
        modals = self.world.practice.modals(user)
        return bool(modals) and bool(modals[-1].body.get("submit"))

    def said(self, key: str) -> str:
        """Give what the window on top says, or the newest message."""
        user = self.world.people[key]
        modals = self.world.practice.modals(user)
        if modals:
            return "\n".join(texts(modals[-1].body["blocks"]))
        return message_text(self.world.practice.direct(user)[-1])

    # what the story does

    def check(self, what: str, holds: object) -> None:
        """Hold something against what happened.

        Raises:
            StoryStopped: it is not so.
        """
        if not holds:
            raise StoryStopped(what)
        self.checked += 1

    def until(self, what: str, holds: Callable[[], object]) -> None:
        """Wait until something is so; everything in between happens by itself.

        Raises:
            StoryStopped: it did not come about.
        """
        if not self._comes(holds, _PATIENCE_S):
            raise StoryStopped(what)
        self.checked += 1

    def _comes(self, holds: Callable[[], object], within_s: float) -> bool:
        deadline = time.monotonic() + within_s
        while not holds():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def later(self, by: timedelta) -> None:
        """Let the city's clock go on, and the timetable look at it."""
        self.world.clock.advance(by)
        self.world.service.timetable.sweep_once()
        self.world.service.timetable.wake()

    def next_morning(self) -> date:
        """Go on to 9:30 of the next day in the city."""
        zone = self.world.zone
        local = self.world.clock.now().astimezone(zone)
        morning = (local + timedelta(days=1)).replace(hour=9, minute=30, second=0, microsecond=0)
        self.later(morning.astimezone(UTC) - self.world.clock.now())
        return local_date(self.world.clock.now(), zone)

    def complain(self, name: str, address: str, pdf: bytes, subject: str = "Complaint") -> None:
        """Send a complaint to the City Manager with a copy to the Board, as the ordinance has it."""
        mail = _message(name, address, subject, self.world.clock.now())
        place = self.world.town
        mail["To"] = place.official_mail or place.intake
        if place.official_mail:
            mail["Cc"] = place.intake
        mail.set_content("Please find my complaint attached.")
        mail.add_attachment(pdf, maintype="application", subtype="pdf", filename="complaint.pdf")
        self.world.mail.send(mail)

    def answer(self, name: str, address: str, letter: EmailMessage, pdf: bytes, words: str) -> None:
        """Answer one of Docket's letters, as a mail program does."""
        mail = _message(name, address, f"Re: {letter['Subject']}", self.world.clock.now())
        mail["To"] = str(letter["Reply-To"])
        mail["In-Reply-To"] = str(letter["Message-ID"])
        mail.set_content(words)
        mail.add_attachment(pdf, maintype="application", subtype="pdf", filename="answer.pdf")
        self.world.mail.send(mail)


def _message(name: str, address: str, subject: str, at: datetime) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = f"{name} <{address}>"
    mail["Subject"] = subject
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{secrets.token_hex(8)}@{address.rpartition('@')[2]}>"
    return mail


def _complaint(story: Story, complainant: str) -> papers.Complaint:
    return papers.Complaint(
        story.world.town.profile.city.name,
        complainant,
        DALE,
        "Public Works Director",
        "On 14 October a paving contract was awarded to a firm in which the Director holds a share.",
    )


# -- the stages -----------------------------------------------------------------------------------------


def complaints_arrive(story: Story) -> None:
    """Three complaints arrive: digitally signed, scanned, unsigned; each becomes a case with a receipt."""
    at = story.world.clock.now()
    kinds = (
        ("signed", INES, INES_MAIL, papers.digitally_signed(_complaint(story, INES), at)),
        ("scanned", HAL, HAL_MAIL, papers.scanned(_complaint(story, HAL))),
        ("unsigned", MARTA, MARTA_MAIL, papers.unsigned(_complaint(story, MARTA))),
    )
    for complaint, name, address, pdf in kinds:
        story.complain(name, address, pdf)
        receipt = story.world.mail.wait_for(address, timeout_s=_PATIENCE_S)[0]
        number = _number_in(story, receipt.subject)
        story.check("the receipt names a case", bool(number))
        story.world.numbers[complaint] = number
        received = story.world.look(complaint).case.received(ReceivedBy.BOARD)
        story.check(
            "the receipt instant is the mail server's",
            received is not None and abs(received.fact.received_at - at) < timedelta(minutes=2),
        )
        story.check("the receipt quotes nothing of the complaint", "paving" not in receipt.text)
        story.say(f"{number}: filed, the {complaint} one; receipt sent to its sender")


def _number_in(story: Story, subject: str) -> str:
    """Find the case's number in a subject, in whatever form the city writes it."""
    words_of = [word.strip(":.,") for word in subject.split()]
    with story.world.opened.docket.database.read() as session:
        return next((one for one in words_of if case_by_number(session, one) is not None), "")


def staff_is_told(story: Story) -> None:
    """The clerk has a card for each; what no machine could read is shown to nobody else yet."""
    world = story.world
    clerk = world.people["clerk"]
    for number in world.numbers.values():
        story.until(f"a card of {number}", partial(_has_card, story, clerk, number))
    for complaint in ("signed", "unsigned"):
        story.until(f"a channel for {complaint}", partial(_channel, story, "chair", complaint))
    story.check("the scan is shown to no member", not _channel(story, "chair", "scanned"))
    said = story.form("clerk", "scanned", Do.WHO_IS_NAMED, {"named": []})
    story.say(said)
    story.until("the scan's channel", lambda: _channel(story, "chair", "scanned"))


def _has_card(story: Story, user: str, number: str) -> bool:
    return _has_message(story, user, f"Case {number}")


def _has_message(story: Story, user: str, text: str) -> bool:
    return any(text in message_text(one) for one in story.world.practice.direct(user))


def _channel(story: Story, key: str, complaint: str) -> bool:
    number = story.world.numbers[complaint].lower()
    channels = story.world.practice.channels(story.world.people[key])
    return any(number in one.name for one in channels)


def _refer(story: Story) -> None:
    world = story.world
    manager = world.people["manager"]
    for complaint, number in world.numbers.items():
        story.until(
            f"the official is asked about {number}",
            partial(_has_message, story, manager, number),
        )
        asked = next(one for one in world.practice.direct(manager) if number in message_text(one))
        story.press("manager", asked, Do.REFER)
        story.check("the referral is recorded", world.look(complaint).case.referred is not None)
    story.say(f"the {world.town.profile.receipt.title} referred all three, each in one click")


def form_is_checked(story: Story) -> None:
    """The City Manager refers; the clerk decides on the form: two proper, one gets a cure notice."""
    world = story.world
    if world.town.profile.has_referral:
        _refer(story)
    else:
        story.say("complaints come to the Board without referral under this ordinance")
    story.form(
        "clerk", "signed", Do.FORM_CHECK, {"proper": "yes", "signed": "yes", "reason": "certificate seen"}
    )
    story.form(
        "clerk", "scanned", Do.FORM_CHECK, {"proper": "yes", "signed": "yes", "reason": "ink on the page"}
    )
    story.form(
        "clerk",
        "unsigned",
        Do.FORM_CHECK,
        {"proper": "no", "signed": "no", "lacking": ["signature"], "reason": "the line is empty"},
    )
    story.check("two are proper", all(world.look(one).case.proper for one in ("signed", "scanned")))
    story.say(story.click("clerk", "unsigned", Do.CURE_NOTICE))
    for complaint in world.numbers:
        story.click("clerk", complaint, Do.ACKNOWLEDGE)
        story.until(
            "the acknowledgement is written", partial(_written, story, complaint, "acknowledgement", 1)
        )
    story.until("the cure notice is written", partial(_written, story, "unsigned", "cure_notice", 1))
    story.check(
        "nothing is acknowledged before it went out",
        all(_state(story, one, "acknowledge") is StepState.OPEN for one in world.numbers),
    )
    story.later(timedelta(minutes=6))
    for complaint in world.numbers:
        story.until(
            f"the acknowledgement of {complaint} went out",
            partial(_went_out, story, complaint, "acknowledgement", "acknowledge"),
        )
    story.say("three acknowledgements went out; their steps are done by that evidence")


def _written(story: Story, complaint: str, letter: str, count: int) -> bool:
    return len(story.world.look(complaint).case.letters_to(letter)) >= count


def _went_out(story: Story, complaint: str, letter: str, duty: str) -> bool:
    """Say whether a letter went out, and the step that it alone fulfils under this ordinance is done by it."""
    seen = story.world.look(complaint)
    sent = [one for one in seen.case.letters_to(letter) if one.state is LetterState.SENT]
    alone = [one for one in seen.steps if one.duty.id == duty and len(one.duty.done_by) == 1]
    return bool(sent) and all(one.state is StepState.DONE for one in alone)


def _is_done(story: Story, complaint: str, duty: str) -> bool:
    return _state(story, complaint, duty) is StepState.DONE


def _state(story: Story, complaint: str, duty: str) -> StepState:
    states = [one.state for one in story.world.look(complaint).steps if one.duty.id == duty]
    return states[0] if states else StepState.NOT_STARTED


def respondent_is_served(story: Story) -> None:
    """The clerk names the respondent and serves the notice; he answers by mail."""
    world = story.world
    story.form(
        "clerk",
        "signed",
        Do.NAME_RESPONDENTS,
        {"name": DALE, "office": "Public Works Director", "email": DALE_MAIL},
    )
    story.form("clerk", "signed", Do.SEND_NOTICE, {"provisions": ["conflict-of-interest"]})
    story.until("the notice is written", partial(_written, story, "signed", "notice", 1))
    story.later(timedelta(minutes=6))
    notice = world.mail.wait_for(DALE_MAIL, timeout_s=_PATIENCE_S)[0]
    story.check(
        "a copy of the complaint goes with the notice", len(list(notice.message.iter_attachments())) > 1
    )
    story.check("the subject names nobody", not any(word in notice.subject for word in SECRET_WORDS))
    story.until("the notice counts as served", partial(_went_out, story, "signed", "notice", "forward"))
    story.say(f"{world.numbers['signed']}: notice served on the respondent")
    answer = papers.typed(_complaint(story, DALE))
    story.answer(DALE, DALE_MAIL, notice.message, answer, "My answer is attached.")
    story.until("the answer is recorded", partial(_is_done, story, "signed", "respond"))
    story.say(f"{world.numbers['signed']}: the respondent answered by mail, matched by the letter's token")


def complaint_is_cured(story: Story) -> None:
    """The unsigned one is cured by a reply; its 30 days run from the signed paper."""
    world = story.world
    letters = world.mail.inbox(MARTA_MAIL)
    cure = next(one for one in letters if "needs" in one.subject)
    story.next_morning()
    signed = papers.typed(_complaint(story, MARTA))
    story.answer(MARTA, MARTA_MAIL, cure.message, signed, "Here it is, signed.")
    story.until(
        "the signed paper reached its case",
        lambda: any(one.fact.what == "cure" for one in world.look("unsigned").case.all(PaperReceived)),
    )
    story.form(
        "clerk", "unsigned", Do.FORM_CHECK, {"proper": "yes", "signed": "yes", "reason": "signed copy came"}
    )
    inquiry = next(one for one in world.look("unsigned").steps if one.duty.id == "inquiry")
    story.check("the inquiry has a date", inquiry.dates is not None)
    assert inquiry.dates is not None
    started = inquiry.dates.start_on
    story.check("it runs from the signed paper", started == local_date(world.clock.now(), world.zone))
    story.say(f"{world.numbers['unsigned']}: cured; the inquiry is due by {inquiry.dates.expected_last_day}")


def time_moves_on(story: Story) -> None:
    """Mornings pass; whoever owes something is reminded once a stage, without a name in sight."""
    world = story.world
    clerk = world.people["clerk"]
    wanted = world.numbers["scanned"]
    for _morning in range(12):
        day = story.next_morning()
        world.service.timetable.drain_once()
        if _reminded(story, clerk, wanted):
            break
    story.check("the clerk is reminded of the respondents not yet named", _reminded(story, clerk, wanted))
    before = _reminders(story, clerk)
    world.service.timetable.sweep_once()
    world.service.timetable.drain_once()
    story.check("a second sweep reminds nobody again", _reminders(story, clerk) == before)
    shown = [one.text for one in world.practice.direct(clerk)]
    story.check(
        "no notification carries a name", not any(word in text for text in shown for word in SECRET_WORDS)
    )
    story.say(f"by {day} the clerk was reminded; nobody else's business is in the digest")


def _reminders(story: Story, user: str) -> int:
    return sum("What waits for you" in message_text(one) for one in story.world.practice.direct(user))


def _reminded(story: Story, user: str, number: str) -> bool:
    return any(
        "What waits for you" in message_text(one) and number in message_text(one)
        for one in story.world.practice.direct(user)
    )


def board_votes(story: Story) -> None:
    """One member steps back; in a recorded meeting four of five vote, by name, unseen until it closes."""
    world = story.world
    while not _time_to_answer_is_over(story):
        story.next_morning()
    story.click("fourth", "signed", Do.RECUSE)
    story.until("the recused member lost the channel", lambda: not _channel(story, "fourth", "signed"))
    story.say("one member stepped back and sees nothing of the case any more")
    chair = "chair"
    there = [str(world.persons[one]) for one in ("chair", "first", "second", "third", "fourth")]
    opening = {"place": "City Hall, Room 2", "notice": "posted and mailed on Monday", "present": there}
    offered = partial(story.asked, chair, "meeting", Do.OPEN_MEETING)
    story.fill(chair, offered, Do.OPEN_MEETING, opening)
    _ballot(story, "jurisdiction", {"chair": "yes", "first": "yes", "second": "yes", "third": "yes"})
    _ballot(story, "factual-basis", {"chair": "no", "first": "no", "second": "no", "third": "yes"})


def _time_to_answer_is_over(story: Story) -> bool:
    return story.world.look("signed").case.chance_over(_track(story))


def _track(story: Story) -> int:
    return story.world.look("signed").case.respondents[0].id


def _ballot(story: Story, question: str, votes: Mapping[str, str]) -> None:
    world = story.world
    story.form("chair", "signed", Do.OPEN_BALLOT, {"question": question})
    ballot = world.look("signed").case.ballots[-1]
    for key, choice in votes.items():
        user = world.people[key]
        story.until(f"{key} is asked to vote", partial(_vote_card, story, user, ballot.id))
        ask = partial(_asked_to_vote, story, user, ballot.id)
        said = story.fill(key, ask, Do.VOTE, {"choice": choice, "reasons": "as the papers show"})
        story.check("the vote is recorded", "recorded" in said)
    for key in votes:
        shown = _vote_card(story, world.people[key], ballot.id)
        told = message_text(shown) if shown else ""
        story.check("no count is seen before the ballot closes", "Yes " not in told and "carried" not in told)
    story.check(
        "the recused member was not asked", _vote_card(story, world.people["fourth"], ballot.id) is None
    )
    said = story.click("chair", "signed", Do.CLOSE_BALLOT)
    story.check("the arithmetic is printed", "recused 1" in said)
    closed = world.look("signed").case.ballots[-1].closed
    assert closed is not None
    story.say(f"{question}: {closed.arithmetic.splitlines()[-1] if closed.arithmetic else closed.outcome}")


def _vote_card(story: Story, user: str, ballot: int) -> Message | None:
    for one in reversed(story.world.practice.direct(user)):
        for action in action_ids(one):
            if action.partition(":")[0] == Do.VOTE and _is_about(one, ballot):
                return one
    return None


def _asked_to_vote(story: Story, user: str, ballot: int) -> Message:
    card = _vote_card(story, user, ballot)
    assert card is not None
    return card


def _is_about(message: Message, ballot: int) -> bool:
    return f"{ballot}" in str(message.blocks)


def determination_is_recorded(story: Story) -> None:
    """The chair records the determination; the decision goes to each party in writing."""
    world = story.world
    said = story.form(
        "chair",
        "signed",
        Do.DETERMINE,
        {"conclusion": "no-basis", "findings": "The papers show no share held."},
    )
    story.say(said)
    determined = world.look("signed").case.determined(_track(story))
    story.check(
        "the determination stands on both ballots",
        determined is not None and len(determined.fact.ballots) > 0,
    )
    story.click("clerk", "signed", Do.SEND_DECISION)
    story.until(
        "both decisions are written", partial(_written, story, "signed", "decision_of_termination", 2)
    )
    story.later(timedelta(minutes=6))
    for address in (INES_MAIL, DALE_MAIL):
        story.until(
            "the decision reached each party",
            partial(_decision_came, story, address),
        )
    story.until(
        "its letters count as sent",
        lambda: all(
            one.state is LetterState.SENT
            for one in world.look("signed").case.letters_to("decision_of_termination")
        ),
    )
    story.check("the case is final", world.look("signed").case.final)
    story.say(f"{world.numbers['signed']}: decided; the decision reached complainant and respondent")


def _decision_came(story: Story, address: str) -> bool:
    return any("decision" in one.subject.lower() for one in story.world.mail.inbox(address))


def record_stands(story: Story) -> None:
    """The journal is whole; no notification, subject or channel name carries a name."""
    world = story.world
    fault = verify(world.opened.docket, MACHINE)
    story.check(f"the journal is whole ({fault.says if fault else ''})", fault is None)
    for one in world.mail.letters:
        story.check("no subject names anybody", not any(word in one.subject for word in SECRET_WORDS))
    for person in world.people.values():
        for channel in world.practice.channels(person):
            story.check(
                "no channel is named for anybody", not any(w.lower() in channel.name for w in SECRET_WORDS)
            )


STAGES: tuple[tuple[str, Callable[[Story], None]], ...] = (
    ("three complaints arrive", complaints_arrive),
    ("staff is told", staff_is_told),
    ("the form is checked, letters go out", form_is_checked),
    ("the respondent is served and answers", respondent_is_served),
    ("the unsigned one is cured", complaint_is_cured),
    ("time moves on, reminders go out", time_moves_on),
    ("the Board votes", board_votes),
    ("the determination is recorded", determination_is_recorded),
    ("the record stands", record_stands),
)

"""A city whose cases are played through: the record in a folder, the mailroom's reading, the relay, the clock.

Complaints come in as raw mail through the mailroom; letters go out over SMTP to the practice relay. What people
do in between goes by a way in: the command line or Slack (see `ways.py`).
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path

from bot.cli.common import account
from bot.cli.mailroom import judge_with
from bot.clock import PracticeClock
from bot.opening import PRACTICE_MARK
from bot.practice import papers
from bot.practice.mailserver import PracticeMail
from bot.practice.state import TEAM_ID
from bot.schedule import drain
from intake.mail_urls import MailServer, Security
from intake.pdf.trust import NO_ROOTS
from intake.poller import carry_out
from intake.posting import PostOffice
from intake.reading import Arrival, Desk, read
from intake.smtp import SmtpPostman
from store import journal
from store.cases import profile_in_force, verify
from store.outbox import Channel
from store.ports import Typesetter
from store.proceedings.mail import Spot, place_of, take_mail
from store.proceedings.meeting import meetings
from store.proceedings.planning import INVITATION, notice_line, plans
from store.proceedings.reminders import sweep
from store.proceedings.roster import link
from store.rules.access import Deed
from store.rules.casefile import CaseFile
from store.rules.facts import LinkKind
from store.rules.meetings import Meeting
from store.rules.ordinance import Profile
from store.rules.plans import Plan
from tests.bot.slack.office import USERS
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.proceedings.builders import KEY, Board, a_board, a_docket

BOX = "board@bramwell-ky.example"
MANAGER_MAIL = "citymanager@bramwell-ky.example"
CONNIE, CONNIE_MAIL = "Connie Calder", "connie.calder@riverbend.example"

# Looking at something is an entry as well, and each way looks where it needs to.
READING = frozenset({Deed.SEE_CASE.value, Deed.READ_DOCUMENT.value})
# The command line's clock runs on while a command runs; what is done at one time is done within ten minutes.
_ONE_TIME_S = 600
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def make_city(folder: Path, typesetter: Typesetter, *, url: str = "") -> None:
    """Make a folder with `.env` and `data`: a Board whose people are known in Slack and at the command line.

    The record lies in the folder, or in the database of a `url`.
    """
    (folder / "data").mkdir(parents=True)
    board = a_board(folder / "data", ManualClock(), typesetter, url=url)
    for name, user in USERS.items():
        link(board.docket, board.clerk, board.person(name), LinkKind.SLACK, f"{TEAM_ID}:{user}")
    link(board.docket, board.clerk, board.person("Clara Clerk"), LinkKind.SYSTEM_ACCOUNT, account())
    board.docket.database.engine.dispose()
    lines = {"DOCKET_KEYS": KEY, "DOCKET_MAIL_FROM": BOX, "DOCKET_DATA_DIR": "data"}
    if url:
        lines["DOCKET_DATABASE_URL"] = url
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
    (folder / "data" / PRACTICE_MARK).touch()
    PracticeClock(folder / "data").set_to(A_MONDAY_MORNING)


@dataclass
class City:
    """One city while a case is played through.

    Attributes:
        folder: holds `.env` and `data`.
        board: the record.
        clock: the city's clock.
        relay: takes the letters.
        post: hands them to the relay.
        before: how many letters the relay had taken before this city was there.
        complaint: the PDF that the last complaint brought.
    """

    folder: Path
    board: Board
    clock: ManualClock
    relay: PracticeMail
    post: PostOffice
    before: int
    complaint: bytes = b""

    # -- what comes and goes ------------------------------------------------------------------------

    def receive(self, mail: EmailMessage) -> str:
        """Take a mail that came now, as the mailroom does; give the number of its case."""
        docket, now = self.board.docket, self.clock.now()
        raw = mail.as_bytes(policy=SMTP)
        uid = int.from_bytes(hashlib.sha256(raw).digest()[:4], "big")
        taken = take_mail(docket, Spot("mail", "board", "INBOX", 1, uid, len(raw), now), raw)
        desk = Desk(docket, BOX, "mail.bramwell-ky.example", judge_with(NO_ROOTS))
        carry_out(desk, taken.item, read(desk, Arrival(raw, now, now, item=taken.item)))
        _place, number = place_of(docket, taken.item)
        (paper,) = mail.iter_attachments()
        self.complaint = bytes(paper.get_payload(decode=True))
        return number

    def later(self, **by: int) -> datetime:
        """Let time pass: the sweep looks at the dates, and letters that waited go out."""
        self.clock.advance(timedelta(**by))
        sweep(self.board.docket)
        drain(self.board.docket, Channel.MAIL, self.post.deliver)
        return self.clock.now()

    # -- what is known ------------------------------------------------------------------------------

    def file(self, number: str) -> CaseFile:
        """The case's facts."""
        return self.board.file(number)

    def party(self, number: str, name: str) -> int:
        """The id of a party by name."""
        return next(one.id for one in self.file(number).parties if one.named.name == name)

    def plan(self) -> Plan:
        """The meeting that is planned."""
        return plans(self.board.docket, self.board.chair)[0]

    def notice_lines(self) -> list[str]:
        """How notice of it was given, as the record says it."""
        profile, _digest = self._profile()
        return [notice_line(one, profile.city.time_zone) for one in self.plan().notices]

    def _profile(self) -> tuple[Profile, str]:
        with self.board.docket.database.read() as session:
            return profile_in_force(session)

    def meetings(self) -> tuple[Meeting, ...]:
        """The meetings so far, the last one last."""
        return tuple(meetings(self.board.docket, self.board.chair))

    def letters(self, address: str) -> list[str]:
        """The subjects of what reached an address."""
        ours = self.relay.letters[self.before :]
        return [one.subject for one in ours if one.to == address]

    def whole(self) -> bool:
        """Whether the journal's chain and every fact against it are in order."""
        return verify(self.board.docket, self.board.clerk) is None

    def entries(self, number: str) -> list[object]:
        """The journal of a case, and of the Board's business beside it, without the way in and without chance."""
        return [_plain(one) for one in self._acts() if one.header["case"] in {number, ""}]

    def ways_in(self, number: str) -> set[object]:
        """The ways by which people acted in a case."""
        return {
            one.header["via"]
            for one in self._acts()
            if one.header["case"] == number and one.header["actor"] is not None
        }

    def _acts(self) -> list[journal.Entry]:
        docket = self.board.docket
        with docket.database.read() as session:
            found = list(journal.entries(session, docket.keyring))
        # who was let into a channel of Slack and taken out of it is the view's upkeep, which only that way in has
        return [one for one in found if one.header["act"] not in {*READING, Deed.KEEP_CHANNEL}]


def _plain(entry: journal.Entry) -> object:
    header = {name: entry.header[name] for name in ("act", "clause", "case", "actor", "refused")}
    return _compared({"at": entry.at.isoformat(), **header, "content": entry.content})


def _compared(value: object) -> object:
    """Give a value as it is compared: instants to ten minutes, what chance or the way in made left out."""
    if isinstance(value, dict):
        kind = str(value.get("kind", ""))
        # a letter's reply address bears a random token, a calendar entry the instant at which it was made
        printed = kind.startswith("letter:") or kind == INVITATION
        # outbox rows are numbered in one row, and only Slack has cards that are drawn anew in between
        row = {"ping", *({"letter"} if set(value) == {"letter", "kind"} else ())}
        chance = {"submission", "where", "packet", "dedupe", *row, *({"sha256"} if printed else ())}
        return {name: _compared(one) for name, one in value.items() if name not in chance}
    if isinstance(value, list):
        return [_compared(one) for one in value]
    if isinstance(value, str) and _INSTANT.match(value):
        return int(datetime.fromisoformat(value).timestamp()) // _ONE_TIME_S
    return value


def a_city(
    folder: Path, fresh: Path, typesetter: Typesetter, relay: PracticeMail, *, begins: datetime
) -> Iterator[City]:
    """Give a city of its own from a fresh folder, and close it."""
    shutil.copytree(fresh, folder)
    clock = ManualClock(begins)
    docket = replace(a_docket(folder / "data", clock, typesetter), practice=True)
    post = PostOffice(
        docket, SmtpPostman(MailServer("127.0.0.1", relay.smtp_port, "", Security.PLAIN)), "Board of Ethics"
    )
    try:
        yield City(folder, Board(docket, clock), clock, relay, post, len(relay.letters))
    finally:
        docket.database.engine.dispose()


def a_complaint(at: datetime, *about: tuple[str, str], allegation: str, copy: bool = True) -> EmailMessage:
    """Give a complaint by Connie about officers, each with name and office, signed by typing her name."""
    first = about[0]
    more = " ".join(f"The same of {name}, {office}." for name, office in about[1:])
    paper = papers.Complaint("City of Bramwell", CONNIE, first[0], first[1], f"{allegation} {more}".strip())
    mail = EmailMessage()
    mail["From"] = f"{CONNIE} <{CONNIE_MAIL}>"
    mail["To"] = MANAGER_MAIL if copy else BOX
    if copy:
        mail["Cc"] = BOX
    mail["Subject"] = "Complaint"
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{hashlib.sha256(json.dumps(about).encode()).hexdigest()[:16]}@riverbend.example>"
    mail.set_content("Please find my complaint attached.", cte="7bit")
    mail.add_attachment(papers.typed(paper), maintype="application", subtype="pdf", filename="complaint.pdf")
    mail.set_boundary("=-complaint-=")
    return mail

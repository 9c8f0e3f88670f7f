"""A Board on a real record, and cases at the stage that a test is about."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from store.cases import MACHINE, Actor, Docket, Look, act, load_case, look, open_docket, roster_of
from store.ports import Typesetter
from store.proceedings import ballot, meeting, notice, parties
from store.proceedings.ballot import Motion
from store.proceedings.roster import seed_roster
from store.rules.access import Deed, Via
from store.rules.casefile import CaseFile
from store.rules.facts import (
    Basis,
    Choice,
    ComplaintReceived,
    FormDecided,
    LetterSettled,
    PartyNamed,
    PartyRole,
    Question,
    ReceivedBy,
    Screened,
)
from tests.clocks import ManualClock

KEY = "0" * 43 + "="
PROFILE = (Path(__file__).parents[2] / "store" / "profiles" / "bramwell.toml").read_text()
CALENDAR = "adopted_years = [2026]\n"

ROSTER = """
[[person]]
name = "Clara Clerk"
email = ["clara@bramwell-ky.example"]
slack = ["T1:U1"]
account = ["clara"]
[[person.role]]
role = "clerk"
since = 2025-01-01

[[person]]
name = "Hanna Chair"
slack = ["T1:U2"]
[[person.role]]
role = "chair"
since = 2025-01-01

[[person]]
name = "Mora Member"
[[person.role]]
role = "member"
since = 2025-01-01

[[person]]
name = "Milo Member"
[[person.role]]
role = "member"
since = 2025-01-01

[[person]]
name = "Maud Member"
[[person.role]]
role = "member"
since = 2025-01-01

[[person]]
name = "Moritz Member"
[[person.role]]
role = "member"
since = 2025-01-01

[[person]]
name = "Alma Alternate"
[[person.role]]
role = "alternate"
since = 2025-01-01

[[person]]
name = "Cyrus Manager"
email = ["cyrus@bramwell-ky.example"]
[[person.role]]
role = "city-manager"
since = 2025-01-01

[[person]]
name = "Ivo Machinist"
account = ["ivo"]
[[person.role]]
role = "it"
since = 2025-01-01

[[person]]
name = "Cora Counsel"
[[person.role]]
role = "counsel"
since = 2025-01-01
"""


@dataclass
class Board:
    """A record with its roster; each office as an actor."""

    docket: Docket
    clock: ManualClock

    def person(self, name: str) -> int:
        with self.docket.database.read() as session:
            people = roster_of(self.docket, session)
        return next(key for key, one in people.members.items() if one.name == name)

    def actor(self, name: str) -> Actor:
        return Actor(self.person(name), Via.SLACK)

    @property
    def clerk(self) -> Actor:
        return self.actor("Clara Clerk")

    @property
    def chair(self) -> Actor:
        return self.actor("Hanna Chair")

    @property
    def members(self) -> tuple[Actor, ...]:
        names = ("Hanna Chair", "Mora Member", "Milo Member", "Maud Member", "Moritz Member")
        return tuple(self.actor(name) for name in names)

    @property
    def alternate(self) -> Actor:
        return self.actor("Alma Alternate")

    def file(self, number: str) -> CaseFile:
        """The case's facts, whoever may see them."""
        with self.docket.database.read() as session:
            return load_case(self.docket, session, self.key(number))

    def key(self, number: str) -> int:
        from store.cases import case_by_number

        with self.docket.database.read() as session:
            found = case_by_number(session, number)
        assert found is not None
        return found

    def look(self, number: str, actor: Actor | None = None) -> Look:
        return look(self.docket, actor or self.clerk, self.key(number))

    # -- stages ---------------------------------------------------------------------------------

    def case(self, *, proper: bool = True, screened: bool = True) -> str:
        """A case that was received now, with a complainant and its paper."""
        now = self.clock.now()
        with act(self.docket, MACHINE, Deed.FILE_COMPLAINT) as step:
            number = step.new_case(now)
            paper = step.keep(
                b"%PDF complaint",
                kind="complaint",
                media_type="application/pdf",
                name="c.pdf",
                received_at=now,
            )
            receipt = step.record(
                ComplaintReceived(now, ReceivedBy.BOARD, Basis.MAIL_SERVER, documents=(paper,))
            )
            step.record(PartyNamed(PartyRole.COMPLAINANT, "Connie Complainant", ("connie@post.example",)))
            step.record(Screened(by_machine=True, unreadable=not screened))
        if proper:
            with act(self.docket, self.clerk, Deed.DECIDE_FORM, number=number) as step:
                step.record(FormDecided(proper=True, paper=receipt, signed=True, finding="drawn"))
        return number

    def respondent(self, number: str, name: str = "Rory Respondent", *emails: str) -> int:
        """A respondent, with an address."""
        addresses = emails or (f"{name.split(maxsplit=1)[0].lower()}@office.example",)
        return parties.name_party(
            self.docket, self.clerk, number, PartyNamed(PartyRole.RESPONDENT, name, addresses)
        )

    def serve(self, number: str, track: int) -> None:
        """The notice, sent by mail now."""
        (letter, *_rest) = notice.send_notice(self.docket, self.clerk, number, track, provisions=["gifts"])
        self.settle(number, letter, "sent")

    def settle(self, number: str, letter: int, state: str) -> None:
        with act(self.docket, MACHINE, Deed.SETTLE_LETTER, case_id=self.key(number)) as step:
            step.record(LetterSettled(state, step.now), about=letter)

    def served_case(self) -> tuple[str, int]:
        """A proper case with one respondent whose time to answer is over."""
        number = self.case()
        track = self.respondent(number)
        self.serve(number, track)
        self.clock.advance(timedelta(days=15))
        return number, track

    def meeting(self, *present: Actor) -> int:
        """A meeting in session; of the whole Board if nobody is named."""
        there = [one.person for one in (present or self.members) if one.person is not None]
        return meeting.open_meeting(
            self.docket, self.clerk, "City Hall", notice_given="posted on Monday", present=there
        )

    def ballot(
        self, number: str, track: int, held_in: int, question: Question = Question.JURISDICTION
    ) -> int:
        return ballot.open_ballot(self.docket, self.chair, number, Motion(track, question, held_in))

    def vote(self, number: str, key: int, actor: Actor, choice: Choice, submission: str = "s1") -> int:
        return ballot.vote(self.docket, actor, number, key, choice, submission=submission)

    def decide(
        self, number: str, track: int, held_in: int, question: Question, choice: Choice = Choice.YES
    ) -> int:
        """A ballot in which all who are free vote alike, closed."""
        key = self.ballot(number, track, held_in, question)
        view = self.file(number).ballot(key)
        assert view is not None
        for person in view.opened.roster:
            self.vote(number, key, Actor(person, Via.SLACK), choice)
        ballot.close_ballot(self.docket, self.chair, number, key)
        return key


def a_docket(
    folder: Path, clock: ManualClock, typesetter: Typesetter, *, url: str = "", profile: str = PROFILE
) -> Docket:
    """An empty record in a folder, or in a database elsewhere."""
    return open_docket(
        url or f"sqlite:///{folder}/docket.sqlite3",
        data=folder,
        keys=(KEY,),
        clock=clock,
        typesetter=typesetter,
        profile=profile,
        mail_from="board@bramwell-ky.example",
    )


def a_board(
    folder: Path, clock: ManualClock, typesetter: Typesetter, *, url: str = "", profile: str = PROFILE
) -> Board:
    """A record with the Board's roster and this year's calendar."""
    from store.proceedings.calendar import adopt_calendar

    docket = a_docket(folder, clock, typesetter, url=url, profile=profile)
    seed_roster(docket, ROSTER)
    board = Board(docket, clock)
    adopt_calendar(docket, board.clerk, CALENDAR, "the year's list")
    return board


def at(day: date, hour: int = 15) -> datetime:
    """An instant of a day, UTC."""
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)

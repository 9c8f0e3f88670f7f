"""Every act that there is, with an invented word in each text that it takes: none comes out where nobody is named (C1, C6).

The acts and their texts are found in the code (`planting.py`); one that nobody tries here, or that never gets done
here, fails. They are tried in cases at each stage, allowed and refused, while the practice Slack, a relay and the log at
DEBUG take what comes of it.
"""

import io
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from bot.practice.client import message_text
from bot.practice.mailserver import PracticeMail
from bot.schedule import drain
from intake.mail_urls import MailServer, Security
from intake.posting import PostOffice
from intake.smtp import SmtpPostman
from store.backup import back_up
from store.cases import MACHINE, Actor
from store.database import heartbeats
from store.export import Wanted, export_case
from store.outbox import Channel
from store.proceedings import annual_report, meeting
from store.proceedings.calendar_files import due_dates
from store.proceedings.pages import set_letters
from store.proceedings.receipt import Filing, file_complaint, hold
from store.proceedings.reminders import sweep
from store.rules.errors import Refusal
from tests.bot.slack.office import Office, an_office
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.end_to_end.course import Course
from tests.end_to_end.planting import planting, sites
from tests.end_to_end.sinks import Sinks
from tests.proceedings import after_builders as after
from tests.proceedings.attempts import Tried
from tests.proceedings.builders import Board, a_board
from tests.proceedings.filings import a_filing, taken
from tests.proceedings.test_walk import PlainPaper, Walk
from tests.proceedings.walk_acts import of_the_board
from tests.proceedings.walk_further import further_of_the_board

pytestmark = pytest.mark.end_to_end

BOX = "board@bramwell-ky.example"


@dataclass
class Played:
    """A Board at work, and what was tried.

    Attributes:
        walk: gives the acts that can be tried, and the record.
        office: the practice Slack.
        post: hands letters to the relay.
        relay: takes them.
        log: what was logged, at DEBUG.
        done: act to how often it was done; `refused` the same of refusals.
        planted: the texts that held a word in an act that was done.
    """

    walk: Walk
    office: Office
    post: PostOffice
    relay: PracticeMail
    log: io.StringIO
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    planted: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        names = ("Hanna Chair", "Clara Clerk", "Mora Member", "Cyrus Manager", "Ivo Machinist")
        self.others = [self.board.person(name) for name in ("Cora Counsel", "Ivo Machinist")]
        self.actors = [self.board.actor(name) for name in names]

    @property
    def board(self) -> Board:
        """The record and its people."""
        return self.walk.board

    def attempt(self, tried: Tried, *actors: Actor) -> bool:
        """Try an act with a word in each text, by one after the other until it is done."""
        made, here = planting(tried)
        name = tried.do.__name__
        self.tried |= here
        if self.refused[name] > 3 and (here <= self.planted or self.refused[name] > 40):
            return False
        for actor in actors:
            try:
                made(self.board.docket, actor)
            except Refusal:
                self.refused[name] += 1
            else:
                self.done[name] += 1
                self.planted |= here
                return True
        return False

    def do(self, does: Callable[..., object], actor: Actor, *given: object, **words: object) -> object:
        """Do an act that has to be done, with a word in each text; give what it gives."""
        made, here = planting(Tried(does, given, words))
        self.tried |= here
        answer = made(self.board.docket, actor)
        self.done[does.__name__] += 1
        self.planted |= here
        return answer

    def progress(self, what: str, done: int, of: int) -> None:
        """Note what long work says of itself."""
        self.said.append(f"{what} {done} {of}")

    def go_out(self) -> None:
        """Let everything that is owed go out: reminders, letters, cards."""
        docket = self.board.docket
        sweep(docket)
        while set_letters(docket):
            pass
        drain(docket, Channel.MAIL, self.post.deliver)
        self.office.deliver()
        self.office.practice.all_heard()


@pytest.fixture
def played(tmp_path: Path, log: io.StringIO) -> Iterator[Played]:
    """Cases at each stage, on a record with everything around it."""
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    board = a_board(fresh, ManualClock(), PlainPaper())
    cases = _cases(board)
    board.docket.database.engine.dispose()

    class Here(Walk):
        """The acts of these cases."""

    Here.fresh, Here.start, Here.numbers = fresh, board.clock.now(), cases
    walk = Here()
    office = an_office(tmp_path, walk.board)
    with PracticeMail(BOX, lambda: A_MONDAY_MORNING) as relay:
        to = SmtpPostman(MailServer("127.0.0.1", relay.smtp_port, "", Security.PLAIN))
        yield Played(walk, office, PostOffice(walk.board.docket, to, "Board of Ethics"), relay, log)
    office.stop()
    walk.board.docket.database.engine.dispose()


def _cases(board: Board) -> tuple[str, ...]:
    """Cases at each stage, one of them of a mail that holds words; and mail that waits for a person."""
    filing = planting(Tried(_of_mail, (a_filing(),), {}))[0].args[0]
    numbers = [file_complaint(board.docket, taken(board.docket, b"a mail", 1), filing)]  # type: ignore[arg-type]  # planted, it is a filing still
    for place in range(6):
        hold(board.docket, taken(board.docket, b"held %d" % place, uid=700 + place), filing)  # type: ignore[arg-type]  # as above
    numbers += [board.case(proper=False), board.case(proper=False, screened=False), board.case()]
    numbers.append(board.served_case()[0])
    for make in (
        after.sufficient_case,
        after.reprimanded_case,
        after.issued_case,
        after.received_case,
        after.heard_case,
    ):
        numbers.append(make(board)[0])
        held = meeting.meeting_in_session(board.docket, board.clerk)
        assert held is not None
        meeting.close_meeting(board.docket, board.clerk, held.id)
    return tuple(numbers)


def _of_mail(_docket: object, _actor: object, filing: "Filing") -> None:
    """Stand for what comes by mail, so that its texts are found like those of an act."""


# what is nobody's secret: why city hall closes on a day, and where the Board meets. The closures are kept in the clear.
_CITYS_OWN = ("cards", "data/docket.sqlite3", "backup")
SHOWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("adopt_calendar.cause", "plan_meeting.when.place", "move_meeting.when.place"), ("cards",)
    ),
    **dict.fromkeys(("close_day.reason", "adopt_year.closures.reason"), _CITYS_OWN),
}
# no act gets done with it: what is unlinked must be one that stands, and a word that was never given is none
NEVER_DONE = frozenset({"unlink.value"})


def test_no_word_of_any_act_comes_out_where_nobody_may_be_named(played: Played, tmp_path: Path) -> None:
    course = Course(played.board, played.do)
    course.run()
    played.go_out()
    for turn in range(2):
        _everything(played, turn)
        played.board.clock.advance(timedelta(days=3))
    played.go_out()
    sinks = Sinks(shown=SHOWN)
    _written(played, sinks, tmp_path)
    course.disposed()
    played.go_out()
    _around(played, sinks, tmp_path)
    assert sorted(set(sites()) - played.planted - NEVER_DONE) == []
    assert sinks.leaks() == []
    print(f"{len(played.planted)} texts of {len(played.done)} acts looked for in {len(sinks.found)} places")  # noqa: T201  the figure is asked for


def _everything(played: Played, turn: int) -> None:
    """Try every act of the Board's business and of each case, by whoever may."""
    board, walk = played.board, played.walk
    people = walk._people()
    of_all = (
        *of_the_board(board, turn, played.others),
        *further_of_the_board(board, walk.numbers, turn, people),
    )
    for _deed, tried in of_all:
        played.attempt(tried, *played.actors)
    for number in walk.numbers:
        for _deed, tried in walk._attempts(board.file(number), turn):
            played.attempt(tried, *played.actors)


def _written(played: Played, sinks: Sinks, tmp_path: Path) -> None:
    """What is written for others: exports by the names of their files, calendar files, the year in numbers."""
    docket, clerk = played.board.docket, played.board.clerk
    for number in played.walk.numbers:
        out = tmp_path / f"export-{number}"
        with suppress(Refusal):
            export_case(docket, clerk, number, out, wanted=Wanted(), told=played.progress)
        names = [str(one.relative_to(tmp_path)) for one in out.rglob("*")]
        sinks.add(f"names of files in the export of {number}", "\n".join(names))
    assert any("manifest" in str(one) for one in tmp_path.glob("export-*/*"))
    sinks.add("due dates", due_dates(docket, clerk))
    counted = annual_report.count_year(docket, clerk, 2026)
    sinks.add("the year in numbers", repr(counted))


def _around(played: Played, sinks: Sinks, tmp_path: Path) -> None:
    """Everything else that must name nobody."""
    docket = played.board.docket
    letters = played.relay.letters
    assert letters
    sinks.add("subjects", "\n".join(one.subject for one in letters))
    sinks.add("who a letter is from", "\n".join(str(one.message["From"]) for one in letters))
    office = played.office
    seen = office.everything_shown()
    sinks.add("channel names", "\n".join(one.name for one in office.practice.all_channels()))
    sinks.add("notification texts", "\n".join(one.text for one in seen))
    sinks.add("cards", "\n".join(message_text(one) for one in seen))
    sinks.add("log", played.log.getvalue())
    with docket.database.read() as session:
        sinks.add("what was done last, and alarms", repr(heartbeats(session)))
    sinks.add("progress of long work", "\n".join(played.said))
    folder = played.walk.folder / "record"
    backup = back_up(docket, MACHINE, folder, tmp_path / "backups", played.progress)
    sinks.add("backup", backup.path.read_bytes())
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            sinks.add(f"data/{path.relative_to(folder)}", path.read_bytes() + path.name.encode())
    assert any("-wal" in name for name in sinks.found)

"""Kill -9 at any statement and any fault point of voting, sending, sweeping and opening: nothing lost, nothing twice.

`python -m tests.kill_acts --rounds 500` plays whole rounds and prints what was seen. A forked child does the
work on a copy of a prepared record and ends itself with SIGKILL at a drawn place; it is begun again, as people
and `docket run` would, until one child ends by itself. Then the record is held against what must be.
"""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import sqlalchemy as sa
from sqlmodel import select

from bot.schedule import drain
from intake.mail_urls import MailServer, Security
from intake.posting import PostOffice
from intake.smtp import SmtpPostman
from store.cases import MACHINE, Docket, open_docket, verify
from store.database import head_revision, revision
from store.outbox import Channel, State
from store.ports import FaultPoints, NoFaults
from store.printing import open_press
from store.proceedings import ballot
from store.proceedings.reminders import sweep
from store.rules.errors import AlreadyDone
from store.rules.facts import Choice, VoteCast
from store.tables import OutboxRow, ReminderSent
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.contract.relays import Kept, relay
from tests.proceedings.builders import KEY, PROFILE, Board, a_board

MOST_KILLS = 6
SENDER = "board@bramwell-ky.example"
CLAIM_IS_OVER = timedelta(minutes=6)
DAYS_SWEPT = 12


@dataclass
class KillAt:
    """Ends the process with SIGKILL at the drawn place; a place is a fault point or an SQL statement."""

    at: int
    reached: int = 0

    def reach(self, name: str) -> None:
        """Count, and end the process at the drawn one; its name goes to the parent."""
        self.reached += 1
        if self.reached == self.at:
            os.write(2, name.encode())
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_statements(self) -> None:
        """Count every statement of every engine as a place."""

        def statement(_conn: object, _cursor: object, sql: str, *_more: object) -> None:
            self.reach(f"sql {sql.split(maxsplit=1)[0].lower()}")

        sa.event.listen(sa.Engine, "before_cursor_execute", statement)


@contextmanager
def opened(folder: Path, instant: datetime, faults: FaultPoints) -> Iterator[Docket]:
    """Open the record of a round at an instant, and close it."""
    clock = ManualClock(instant)
    press = open_press()
    docket = open_docket(
        f"sqlite:///{folder}/docket.sqlite3",
        data=folder,
        keys=(KEY,),
        clock=clock,
        typesetter=press,
        profile=PROFILE,
        mail_from=SENDER,
        faults=faults,
    )
    try:
        yield docket
    finally:
        docket.database.engine.dispose()
        press.close()


@dataclass
class Round:
    """One round: its folder, its relay, and what was seen."""

    folder: Path
    relay_port: int
    relay: Kept
    kills: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Work:
    """Something that is done under kills.

    Attributes:
        prepare: makes the record before the first kill.
        do: does all of it, or what is left of it; gets the number of the try.
        check: says what is wrong in the end.
    """

    prepare: Callable[[Board], None]
    do: Callable[[Round, Docket, int], None]
    check: Callable[[Round, Docket], list[str]]


# -- voting -------------------------------------------------------------------------------------------


def _to_a_vote(board: Board) -> None:
    number, track = board.served_case()
    board.ballot(number, track, board.meeting())


def _vote(played: Round, docket: Docket, _attempt: int) -> None:
    board = _board(docket)
    number = board.look("EC-2026-0001").case.number
    (key,) = (view.id for view in board.file(number).ballots)
    for actor in board.members:
        try:
            board.vote(number, key, actor, Choice.YES, f"submission-{actor.person}")
        except AlreadyDone:
            continue
    try:
        ballot.close_ballot(docket, board.chair, number, key)
    except AlreadyDone:
        return


def _check_votes(_played: Round, docket: Docket) -> list[str]:
    board = _board(docket)
    case = board.file("EC-2026-0001")
    (view,) = case.ballots
    faults = []
    if sum(1 for _ in case.all(VoteCast)) != len(board.members):
        faults.append("a vote was lost or counted twice")
    if view.closed is None or view.closed.yes != len(board.members):
        faults.append("the ballot does not count what was voted")
    return faults


# -- sending ------------------------------------------------------------------------------------------


def _letters(board: Board) -> None:
    from store.proceedings import acknowledgement, notice

    for _ in range(3):
        number = board.case()
        track = board.respondent(number)
        acknowledgement.acknowledge(board.docket, board.clerk, number)
        notice.send_notice(board.docket, board.clerk, number, track, provisions=["gifts"])
    board.clock.advance(timedelta(hours=1))


def _send(played: Round, docket: Docket, _attempt: int) -> None:
    server = MailServer("127.0.0.1", played.relay_port, "", Security.PLAIN, ())
    office = PostOffice(docket, SmtpPostman(server, None), "The Board")
    drain(docket, Channel.MAIL, office.deliver)


def _bytes(content: bytes | str | None) -> bytes:
    return content.encode() if isinstance(content, str) else content or b""


def _check_letters(played: Round, docket: Docket) -> list[str]:
    with docket.database.read() as session:
        found = [row.state for row in session.exec(select(OutboxRow)) if row.channel == Channel.MAIL]
    states = Counter(found)
    parsed = (message_from_bytes(_bytes(one.content)) for one in played.relay.envelopes)
    arrived = Counter(str(mail["Message-ID"]) for mail in parsed)
    faults = []
    if states[State.SENT] + states[State.UNCERTAIN] != len(found):
        faults.append(f"letters left behind: {dict(states)}")
    if states[State.UNCERTAIN] > len(played.kills):
        faults.append("more letters are uncertain than there were kills")
    if any(count > 1 for count in arrived.values()):
        faults.append("a letter was sent twice")
    if not states[State.SENT] <= len(arrived) <= states[State.SENT] + states[State.UNCERTAIN]:
        faults.append("a letter counts as sent that never arrived")
    return faults


# -- sweeping -----------------------------------------------------------------------------------------


def _some_cases(board: Board) -> None:
    for _ in range(3):
        board.respondent(board.case())


def _sweep(_played: Round, docket: Docket, _attempt: int) -> None:
    clock = docket.clock
    assert isinstance(clock, ManualClock)
    for day in range(DAYS_SWEPT):
        clock.set_to(A_MONDAY_MORNING + timedelta(days=day, hours=1))
        sweep(docket)


def _check_reminders(_played: Round, docket: Docket) -> list[str]:
    with docket.database.read() as session:
        sent = [
            (row.case_id, row.step, row.stage, row.person_id) for row in session.exec(select(ReminderSent))
        ]
        rows = [row for row in session.exec(select(OutboxRow)) if row.kind == "reminder-digest"]
        digests = [(row.destination, row.created_at) for row in rows]
    faults = []
    if not sent or len(set(sent)) != len(sent):
        faults.append("a reminder was given twice, or none was")
    if len(set(digests)) != len(digests) or not digests:
        faults.append("a person got two digests at once")
    return faults


# -- opening ------------------------------------------------------------------------------------------


def _check_schema(_played: Round, docket: Docket) -> list[str]:
    return [] if revision(docket.database) == head_revision() else ["the schema is not this version's"]


WORKS: Mapping[str, Work] = {
    "voting": Work(_to_a_vote, _vote, _check_votes),
    "sending": Work(_letters, _send, _check_letters),
    "sweeping": Work(_some_cases, _sweep, _check_reminders),
    "opening": Work(lambda _board: None, lambda _played, _docket, _attempt: None, _check_schema),
}


@dataclass(frozen=True)
class Start:
    """A prepared record.

    Attributes:
        folder: where it lies; each round works on a copy.
        instant: the instant at which it stands.
        places: how many places one undisturbed try comes by.
    """

    folder: Path
    instant: datetime
    places: int


def _board(docket: Docket) -> Board:
    assert isinstance(docket.clock, ManualClock)
    return Board(docket, docket.clock)


@contextmanager
def prepared(name: str) -> Iterator[Start]:
    """Make the record that a work begins with, and count the places of one undisturbed try on a copy."""
    with tempfile.TemporaryDirectory(prefix="dkt-kill-") as folder:
        path = Path(folder)
        clock = ManualClock()
        if name != "opening":
            press = open_press()
            board = a_board(path, clock, press)
            WORKS[name].prepare(board)
            board.docket.database.engine.dispose()
            press.close()
        with _round(path) as played:
            _killed, places = _child(played, WORKS[name], clock.now(), 0, 0)
        yield Start(path, clock.now(), places)


@contextmanager
def _round(folder: Path) -> Iterator[Round]:
    """Begin a round on a copy of a prepared folder, with a relay of its own."""
    with tempfile.TemporaryDirectory(prefix="dkt-kill-") as own:
        copy = Path(own) / "data"
        shutil.copytree(folder, copy)
        kept = Kept()
        with relay(kept) as port:
            yield Round(copy, port, kept)


def play(name: str, start: Start, seed: int) -> tuple[list[str], list[str]]:
    """Play one round of a work.

    Args:
        name: which work.
        start: the prepared folder and its instant.
        seed: draws the places of the kills.

    Returns:
        The places at which it was killed, and what was wrong in the end.
    """
    draw = random.Random(seed)
    work = WORKS[name]
    with _round(start.folder) as played:
        for attempt in range(MOST_KILLS + 1):
            at = draw.randint(1, start.places) if attempt < MOST_KILLS else 0
            killed, _places = _child(played, work, start.instant + attempt * CLAIM_IS_OVER, attempt, at)
            if not killed:
                break
            played.kills.append(killed)
        late = start.instant + (MOST_KILLS + 1) * CLAIM_IS_OVER
        with opened(played.folder, late, NoFaults()) as docket:
            if name == "sending":
                work.do(played, docket, MOST_KILLS)
            faults = work.check(played, docket)
            wrong = verify(docket, MACHINE)
            if wrong is not None:
                faults.append(f"journal entry {wrong.seq}: {wrong.says}")
    return played.kills, faults


def _child(played: Round, work: Work, instant: datetime, attempt: int, kill_at: int) -> tuple[str, int]:
    """Do the work in a forked child; give where it was killed, empty when it ended by itself, and how far it came.

    Raises:
        AssertionError: the child failed by itself.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 2)
        status = 1
        try:
            faults = KillAt(kill_at)
            faults.watch_statements()
            with opened(played.folder, instant, faults) as docket:
                work.do(played, docket, attempt)
            os.write(2, f"\n{faults.reached}".encode())
            status = 0
        except BaseException:  # noqa: BLE001  a child must not come back into the parent's code
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    _pid, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return said.rpartition("\n")[2], kill_at
    assert status == 0, said[-2000:]
    return "", int(said.rpartition("\n")[2])


def main() -> int:
    """Play rounds of every work in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kills: Counter[str] = Counter()
    wrong = 0
    with ExitStack() as stack:
        starts = {name: stack.enter_context(prepared(name)) for name in WORKS}
        for number in range(given.rounds):
            name = list(WORKS)[number % len(WORKS)]
            killed, faults = play(name, starts[name], given.seed + number)
            kills.update(f"{name}: {place}" for place in killed)
            wrong += bool(faults)
            if faults:
                print(f"round {number} ({name}, seed {given.seed + number}): {'; '.join(faults)}", flush=True)
    print(f"{given.rounds} rounds, {sum(kills.values())} kills, {wrong} rounds with a fault")
    for place, count in sorted(kills.items()):
        print(f"  {count:5d}  {place}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

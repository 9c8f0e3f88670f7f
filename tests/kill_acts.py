"""Kill -9 at any statement and fault point of what Docket does: nothing lost, nothing twice.

It votes, sends, sweeps, backs up, restores, changes keys, opens an empty database and migrates an earlier one.

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
from store.backup import back_up, check, restore
from store.cases import MACHINE, Docket, case_ids, open_docket, verify
from store.copying import counts, lost_rows, opened_copy
from store.database import head_revision, revision
from store.outbox import Channel, State
from store.ports import FaultPoints, NoFaults, untold
from store.printing import open_press
from store.proceedings import ballot
from store.proceedings.reminders import sweep
from store.rotation import pending, rotate
from store.rules.errors import AlreadyDone, NotNow, Refusal
from store.rules.facts import Choice, VoteCast
from store.tables import OutboxRow, ReminderSent
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.contract.relays import Kept, relay
from tests.proceedings.builders import KEY, PROFILE, Board, a_board
from tests.store.earlier_schemas import take_back

MOST_KILLS = 6
NEW_KEY = "1" * 43 + "="
_CHANGES = frozenset(
    {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "shutil.rmtree", "os.truncate"}
)
SENDER = "board@bramwell-ky.example"
CLAIM_IS_OVER = timedelta(minutes=6)
DAYS_SWEPT = 12


@dataclass
class KillAt:
    """Ends the process with SIGKILL at the drawn place; a place is a fault point or an SQL statement."""

    at: int
    of: str = ""
    reached: int = 0

    def reach(self, name: str) -> None:
        """Count, and end the process at the drawn one; its name goes to the parent."""
        self.reached += 1
        if self.reached == self.at:
            os.write(2, name.encode())
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_files(self) -> None:
        """Count as a place whatever is done to a file of ours; for a child that ends soon."""

        def done(event: str, words: tuple[object, ...]) -> None:
            changes = event in _CHANGES or (
                event == "open" and str(words[1]).startswith(("w", "a", "x", "r+"))
            )
            if changes and self.of in str(words[0]):
                self.reach(f"file {event}")

        sys.addaudithook(done)

    def watch_statements(self) -> None:
        """Count every statement that SQLite begins as a place."""

        def statement(sql: str) -> None:
            self.reach(f"sql {sql.split(maxsplit=1)[0].lower()}")

        sa.event.listen(
            sa.Engine, "connect", lambda connection, _record: connection.set_trace_callback(statement)
        )


@contextmanager
def opened(
    folder: Path, instant: datetime, faults: FaultPoints, keys: tuple[str, ...] = (KEY,)
) -> Iterator[Docket]:
    """Open the record of a round at an instant, and close it."""
    clock = ManualClock(instant)
    press = open_press()
    docket = open_docket(
        f"sqlite:///{folder}/docket.sqlite3",
        data=folder,
        keys=keys,
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
        keys: the city's keys, newest first.
        files: whether each change of a file is a place, too.
    """

    prepare: Callable[[Board], None]
    do: Callable[[Round, Docket, int], None]
    check: Callable[[Round, Docket], list[str]]
    keys: tuple[str, ...] = (KEY,)
    files: bool = False


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


# -- migrating ----------------------------------------------------------------------------------------


def _an_earlier_record(board: Board) -> None:
    _letters(board)
    _some_cases(board)
    take_back(board.docket.database)


def _check_migrated(played: Round, docket: Docket) -> list[str]:
    faults = _check_schema(played, docket)
    with docket.database.engine.connect() as connection:
        held = counts(connection)
    if held["docket_line"] != held["docket_case"]:
        faults.append("a case has no line in the docket")
    kept = list((played.folder / "before-migration").glob("*.sqlite3"))
    if len(kept) != 1:
        faults.append(f"{len(kept)} copies of the earlier record lie aside")
    for path in kept:
        with opened_copy(path) as found, found.engine.connect() as connection:
            if revision(found) != "0001" or lost_rows(counts(connection), held):
                faults.append("a copy of the earlier record is not whole")
            if connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() != "ok":
                faults.append("a copy of the earlier record is damaged")
    return faults


# -- backing up, restoring, changing the keys -----------------------------------------------------------


def _back_up(played: Round, docket: Docket, _attempt: int) -> None:
    shelf = played.folder.parent / "shelf"
    shelf.mkdir(exist_ok=True)
    back_up(docket, MACHINE, played.folder, shelf, untold)


def _check_backups(played: Round, _docket: Docket) -> list[str]:
    whole = 0
    for path in (played.folder.parent / "shelf").glob("docket-*.tar"):
        try:
            check(path, untold)
        except Refusal as refusal:
            return [f"a file that is called a backup is none: {refusal}"]
        whole += 1
    return [] if whole else ["there is no backup in the end"]


def _a_backup(board: Board) -> None:
    _letters(board)
    data = board.docket.vault.root.parent
    with tempfile.TemporaryDirectory(prefix="dkt-kill-") as folder:
        made = back_up(board.docket, MACHINE, data, Path(folder), untold)
        shutil.copy(made.path, data / "kept.tar")


def _restore(played: Round, docket: Docket, _attempt: int) -> None:
    target = played.folder.parent / "new"
    if (target / "docket.sqlite3").exists():
        return
    words = {"data": target, "keys": (KEY,), "now": docket.clock.now(), "told": untold}
    url = f"sqlite:///{target}/docket.sqlite3"
    try:
        restore(played.folder / "kept.tar", url, **words)  # type: ignore[arg-type]  # spelled out above
    except NotNow:  # it says so: what a broken restore left is moved away, whole
        shutil.rmtree(target)
        restore(played.folder / "kept.tar", url, **words)  # type: ignore[arg-type]


def _check_restored(played: Round, docket: Docket) -> list[str]:
    with opened(played.folder.parent / "new", docket.clock.now(), NoFaults()) as found:
        wrong = verify(found, MACHINE)
        faults = [f"restored: journal entry {wrong.seq}: {wrong.says}"] if wrong is not None else []
        with found.database.read() as session, docket.database.read() as before:
            if case_ids(session) != case_ids(before):
                faults.append("other cases were restored than were backed up")
    return faults


def _rotate(_played: Round, docket: Docket, _attempt: int) -> None:
    rotate(docket, Board(docket, ManualClock()).actor("Ivo Machinist"), NEW_KEY, untold)


def _check_keys(played: Round, docket: Docket) -> list[str]:
    with docket.database.read() as session:
        left = len(pending(session, NEW_KEY))
    with opened(played.folder, docket.clock.now(), NoFaults(), (NEW_KEY,)) as alone:
        wrong = verify(alone, MACHINE)
    faults = [f"{left} data keys do not open with the new key"] if left else []
    return [*faults, f"under the new key: journal entry {wrong.seq}: {wrong.says}"] if wrong else faults


WORKS: Mapping[str, Work] = {
    "voting": Work(_to_a_vote, _vote, _check_votes),
    "sending": Work(_letters, _send, _check_letters),
    "sweeping": Work(_some_cases, _sweep, _check_reminders),
    "backing up": Work(_letters, _back_up, _check_backups, files=True),
    "restoring": Work(_a_backup, _restore, _check_restored, files=True),
    "changing keys": Work(_letters, _rotate, _check_keys, keys=(NEW_KEY, KEY)),
    "migrating": Work(
        _an_earlier_record, lambda _played, _docket, _attempt: None, _check_migrated, files=True
    ),
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
        with opened(played.folder, late, NoFaults(), work.keys) as docket:
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
            faults = KillAt(kill_at, str(played.folder.parent))
            faults.watch_statements()
            if work.files:
                faults.watch_files()
            with opened(played.folder, instant, faults, work.keys) as docket:
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

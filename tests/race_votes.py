"""The closing instant of a ballot, raced: members vote by command line and in Slack until they are refused.

`python -m tests.race_votes --rounds 300 --database postgresql` plays so many ballots and prints what was seen. Each
voter is a process (command line) or a thread (Slack) of its own, with a connection of its own; so is the chair who
closes. Every voter changes his vote until he is refused, so that each ballot is closed while votes come in. Then
each answer is held against the facts, the count, the journal and the minutes.
"""

import argparse
import contextlib
import io
import json
import multiprocessing
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pypdf
from slack_bolt import App, BoltRequest

from bot.actions.ballots import CHOICE, REASONS
from bot.actions.ids import Do
from bot.app import build_app
from bot.cli import main as command_line
from bot.clock import PracticeClock
from bot.connection import web_client
from bot.payloads import Target
from bot.practice.client import Practice
from bot.practice.slack import PracticeSlack
from bot.practice.state import TEAM_ID
from store import journal
from store.cases import MACHINE, verify
from store.ports import Typesetter
from store.printing import open_press
from store.proceedings import meeting
from store.proceedings.minutes import write_minutes
from store.rules.access import Deed
from store.rules.facts import Choice, VoteCast
from tests.bot.slack.office import QUICK, USERS
from tests.clocks import ManualClock
from tests.contract.postgres import a_postgres
from tests.end_to_end.city import make_city
from tests.proceedings.builders import Board, a_docket

CHAIR = "Hanna Chair"
BY_COMMAND_LINE = ("Mora Member", "Milo Member")
BY_SLACK = ("Maud Member", "Moritz Member")
TURN = (Choice.YES, Choice.NO)
MOST_VOTES = 400
PATIENCE_S = 120.0
CLOSES_WITHIN_S = 0.4
NOT_OPEN = "This ballot is not open; your vote was not taken."
Fork = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Ballot:
    """What a round is about."""

    number: str
    key: int
    closes_after_s: float = 0.0


@dataclass(frozen=True)
class Answered:
    """What somebody was told on each try, in order; empty for a plain refusal of a closed ballot.

    Attributes:
        who: his name.
        votes: the choice that he was told is recorded; None where he was refused plainly.
        odd: answers that were neither.
    """

    who: str
    votes: tuple[Choice | None, ...] = ()
    odd: tuple[str, ...] = ()


# -- who votes, and who closes --------------------------------------------------------------------------


def _typed(folder: Path, who: str, *words: object) -> tuple[int, str]:
    """Type a command in this process; give its status and all that it said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            command_line([*map(str, words), "--data", str(folder), "--as", who])
        except SystemExit as end:
            return int(end.code or 0), said.getvalue()
    return 0, said.getvalue()


def _until_refused(who: str, vote: Callable[[int, Choice], tuple[bool, str]]) -> Answered:
    votes: list[Choice | None] = []
    odd: list[str] = []
    for turn in range(MOST_VOTES):
        choice = TURN[turn % len(TURN)]
        taken, said = vote(turn, choice)
        if taken:
            votes.append(choice)
        elif NOT_OPEN in said:
            votes.append(None)
            if votes.count(None) > 1:  # once more after the first refusal, which must stay one
                break
        else:
            odd.append(said)
            break
    return Answered(who, tuple(votes), tuple(odd))


def _by_command_line(folder: Path, who: str) -> Callable[[Ballot], list[Answered]]:
    def play(ballot: Ballot) -> list[Answered]:
        def vote(_turn: int, choice: Choice) -> tuple[bool, str]:
            status, said = _typed(folder, who, "ballot", "vote", ballot.number, ballot.key, choice.value)
            return status == 0 and f"Recorded: your vote, {choice.value}." in said, said

        return [_until_refused(who, vote)]

    return play


def _by_slack(folder: Path, url: str, stack: ExitStack) -> Callable[[Ballot], list[Answered]]:
    press = stack.enter_context(contextlib.closing(open_press()))
    clock = PracticeClock(folder / "data")
    docket = a_docket(folder / "data", clock, press, url=url)
    slack = PracticeSlack(Path(stack.enter_context(tempfile.TemporaryDirectory())), clock.now, timing=QUICK)
    slack.start()
    stack.callback(slack.stop)
    practice = Practice.of(slack)
    for name in BY_SLACK:
        practice.add_person(name, person_id=USERS[name])
    app = build_app(docket, web_client(slack.app.bot_token, slack.api_url))
    crowd = stack.enter_context(ThreadPoolExecutor(len(BY_SLACK)))

    def play(ballot: Ballot) -> list[Answered]:
        def one(who: str) -> Answered:
            return _until_refused(who, lambda turn, choice: _submitted(app, who, ballot, turn, choice))

        return list(crowd.map(one, BY_SLACK))

    return play


def _submitted(app: App, who: str, ballot: Ballot, turn: int, choice: Choice) -> tuple[bool, str]:
    values = {CHOICE: {CHOICE: {"selected_option": {"value": choice.value}}}, REASONS: {REASONS: {}}}
    body = {
        "type": "view_submission",
        "team": {"id": TEAM_ID},
        "user": {"id": USERS[who], "team_id": TEAM_ID},
        "view": {
            "id": f"V{ballot.key}{USERS[who]}",
            "hash": f"h{turn}",
            "type": "modal",
            "callback_id": Do.VOTE,
            "private_metadata": Target(ballot.number, ballot.key).text(),
            "state": {"values": values},
        },
    }
    said = json.dumps(json.loads(app.dispatch(BoltRequest(mode="socket_mode", body=body)).body))
    return "Your vote is recorded: " in said, said


def _chair(folder: Path) -> Callable[[Ballot], list[Answered]]:
    def play(ballot: Ballot) -> list[Answered]:
        time.sleep(ballot.closes_after_s)
        status, said = _typed(folder, CHAIR, "ballot", "close", ballot.number, ballot.key)
        return [Answered(CHAIR, odd=() if status == 0 else (said,))]

    return play


# -- processes ------------------------------------------------------------------------------------------


def _process(
    begin: Callable[[ExitStack], Callable[[Ballot], list[Answered]]], start: Barrier, told: Connection
) -> None:
    """Play each ballot that is told, from the same instant as the others, until there are no more."""
    try:
        with ExitStack() as stack:
            play = begin(stack)
            told.send("ready")
            while (ballot := told.recv()) is not None:
                start.wait(PATIENCE_S)
                told.send(play(ballot))
    except BaseException:  # noqa: BLE001  told to the parent, which ends the run
        told.send(traceback.format_exc())


@contextmanager
def _everybody(folder: Path, url: str) -> Iterator[Callable[[Ballot], list[Answered]]]:
    begins: list[Callable[[ExitStack], Callable[[Ballot], list[Answered]]]] = [
        lambda _stack: _chair(folder),
        lambda stack: _by_slack(folder, url, stack),
        *(lambda _stack, who=who: _by_command_line(folder, who) for who in BY_COMMAND_LINE),
    ]
    start = Fork.Barrier(len(begins))
    ends: list[Connection] = []
    people = []
    for begin in begins:
        ours, theirs = Fork.Pipe()
        one = Fork.Process(target=_process, args=(begin, start, theirs))
        one.start()
        ends.append(ours)
        people.append(one)
    try:
        for end in ends:
            _heard(end)

        def play(ballot: Ballot) -> list[Answered]:
            for end in ends:
                end.send(ballot)
            return [one for end in ends for one in _heard(end)]

        yield play
        for end in ends:
            end.send(None)
    finally:
        for one in people:
            one.join(10)
            one.kill()


def _heard(end: Connection) -> Sequence[Answered]:
    assert end.poll(PATIENCE_S), "somebody does not answer"
    said: Any = end.recv()
    if said == "ready":
        return []
    assert isinstance(said, list), said
    return said


# -- a run ----------------------------------------------------------------------------------------------


@dataclass
class Seen:
    """What was seen in a run.

    Attributes:
        faults: what was wrong, a line each.
        counted: of what each answer was.
    """

    faults: list[str] = field(default_factory=list)
    counted: Counter[str] = field(default_factory=Counter)


def race(folder: Path, press: Typesetter, *, rounds: int, seed: int = 1, url: str = "") -> Seen:
    """Race so many ballots on a new record and say what was seen.

    Args:
        folder: empty; the city is made in it.
        press: sets the letters.
        rounds: how many ballots.
        seed: draws when the chair closes.
        url: the database; empty for SQLite in the folder.
    """
    make_city(folder, press, url=url)
    clock = ManualClock()
    docket = a_docket(folder / "data", clock, press, url=url)
    board = Board(docket, clock)
    number, track = board.served_case()
    practice = PracticeClock(folder / "data")
    practice.set_to(clock.now())
    held = board.meeting()
    docket.database.engine.dispose()  # what a forked process inherits must not be a connection
    dice, seen, played = random.Random(seed), Seen(), {}
    with _everybody(folder, url) as play:
        for _round in range(rounds):
            clock.set_to(practice.now())
            ballot = Ballot(number, board.ballot(number, track, held), dice.random() * CLOSES_WITHIN_S)
            played[ballot.key] = play(ballot)
    clock.set_to(practice.now())
    meeting.close_meeting(docket, board.clerk, held)
    for key, answers in played.items():
        _check(board, number, key, answers, seen)
    _check_journal(board, played, seen)
    _check_minutes(board, held, number, list(played), seen)
    docket.database.engine.dispose()
    return seen


def _check(board: Board, number: str, key: int, answers: Sequence[Answered], seen: Seen) -> None:
    """Hold what each voter was told against the facts and the count."""
    view = board.file(number).ballot(key)
    assert view is not None
    if view.closed is None:
        seen.faults.append(f"ballot {key} was not closed")
        return
    for one in answers:
        seen.faults += [f"ballot {key}: {said}" for said in one.odd]
        if one.who == CHAIR:
            continue
        person = board.person(one.who)
        told = [choice for choice in one.votes if choice is not None]
        seen.counted["recorded"] += len(told)
        seen.counted["refused"] += len(one.votes) - len(told)
        facts = [fact.fact.choice for fact in view.votes if fact.fact.person == person]
        if facts != told:
            seen.faults.append(f"ballot {key}: {len(told)} votes were told, {len(facts)} are recorded")
        if None in one.votes and any(one.votes[one.votes.index(None) :]):
            seen.faults.append(f"ballot {key}: a vote was taken after one was refused")
        if dict(view.closed.votes).get(person) != (told[-1] if told else None):
            seen.faults.append(f"ballot {key}: the count has not the last vote that was told")
    late = [one for one in view.votes if one.fact.at > view.closed.at]
    if late:
        seen.faults.append(f"ballot {key}: {len(late)} votes bear a later instant than the closing")


def _check_journal(board: Board, played: dict[int, list[Answered]], seen: Seen) -> None:
    """Hold what was told against the entries: each vote and each refusal has one, and none is in both."""
    docket = board.docket
    recorded: Counter[tuple[int, int]] = Counter()
    refused: Counter[int] = Counter()
    last = None
    with docket.database.read() as session:
        for entry in journal.entries(session, docket.keyring):
            if last is not None and entry.at < last:
                seen.faults.append(f"entry {entry.seq} bears an earlier instant than the one before it")
            last = entry.at
            if entry.header["act"] != Deed.VOTE.value:
                continue
            person, content = int(str(entry.header["actor"])), entry.content or {}
            facts = [one for one in content.get("facts", ()) if one["kind"] == VoteCast.KIND]
            if entry.header["refused"]:
                refused[person] += 1
                seen.faults += [f"entry {entry.seq} is a refusal with a vote"] * bool(facts)
            for one in facts:
                recorded[int(one["about"]), person] += 1
    told: Counter[int] = Counter()
    for key, answers in played.items():
        for one in answers:
            person = board.person(one.who)
            told[person] += sum(choice is None for choice in one.votes)
            if recorded[key, person] != sum(choice is not None for choice in one.votes):
                seen.faults.append(f"ballot {key}: the journal has other votes than were told")
    if +refused != +told:
        seen.faults.append("the journal has other refusals than were told")
    if (wrong := verify(docket, MACHINE)) is not None:
        seen.faults.append(f"entry {wrong.seq}: {wrong.says}")


def _check_minutes(board: Board, held: int, number: str, keys: Sequence[int], seen: Seen) -> None:
    """Hold the minutes against the counts: as many votes of each kind by each member."""
    pdf = write_minutes(board.docket, board.clerk, held).open_part
    pages = " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)
    says = " ".join(pages.split())
    case = board.file(number)
    for who in (*BY_COMMAND_LINE, *BY_SLACK):
        for choice in TURN:
            counted = 0
            for key in keys:
                view = case.ballot(key)
                assert view is not None
                assert view.closed is not None
                counted += dict(view.closed.votes).get(board.person(who)) is choice
            printed = len(re.findall(rf"{who} {choice.value}\b(?! vote given)", says))
            if printed != counted:
                seen.faults.append(f"minutes: {printed} votes {choice.value} are printed, {counted} counted")


def main() -> int:
    """Race, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dkt-race-")))
        url = stack.enter_context(a_postgres()).new_database() if given.database == "postgresql" else ""
        press = stack.enter_context(contextlib.closing(open_press()))
        seen = race(folder, press, rounds=given.rounds, seed=given.seed, url=url)
    print(f"{given.rounds} ballots on {given.database}: {dict(seen.counted)}, {len(seen.faults)} faults")
    for fault, count in Counter(seen.faults).most_common(40):
        print(f"  {count:5d}  {fault}")
    return 1 if seen.faults else 0


if __name__ == "__main__":
    sys.exit(main())

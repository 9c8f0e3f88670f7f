"""Slack's limits hold however large a case is: every view, card, answer and message is drawn and checked.

Forty respondents, two hundred exhibits, names of two hundred characters in any script; what takes a click and gives
a view is found in the actions themselves, so that a new one is drawn here without a word.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from slack_sdk import WebClient

from bot import blocks, commands, home
from bot.actions import ACTIONS, file, hearing, letters, notice
from bot.actions.ids import Do
from bot.desk import Desk
from bot.members import Members
from bot.payloads import Click, Target
from bot.practice.blocks_check import (
    MESSAGE_BLOCK_TEXT,
    message_faults,
    offered_options,
    text_together,
    view_faults,
    view_too_large,
)
from store.cases import MACHINE, Actor, act, board_facts
from store.printing import PressRoom
from store.proceedings.ballot import Motion, open_ballot
from store.proceedings.meeting import close_meeting
from store.proceedings.minutes import write_minutes
from store.proceedings.planning import When, plan_meeting
from store.proceedings.receipt import hold
from store.proceedings.roster import add_person, rename_person, take_role
from store.rules.access import Deed
from store.rules.errors import Refusal
from store.rules.facts import (
    AnswerTimeAsked,
    BallotOpened,
    Choice,
    DemandRecorded,
    Determined,
    Disclosed,
    Disposed,
    EvidenceTurnedOver,
    ExhibitOffered,
    HearingOpened,
    InquiryHeld,
    LetterQueued,
    LetterSettled,
    MeetingPlanned,
    PaperReceived,
    PartyNamed,
    PartyRole,
    Question,
    ReprimandReceived,
    Role,
)
from tests.clocks import ManualClock
from tests.plain_words import shown_codes, texts
from tests.proceedings.builders import Board, a_board
from tests.proceedings.filings import a_filing, taken

pytestmark = pytest.mark.contract
RESPONDENTS, EXHIBITS, CASES = 40, 200, 300
UNSEARCHED, HELD = 40, 200
_SCRIPTS = (
    "Maximiliane von und zu Lindenbaum-Holderstein ",
    "محمد بن عبد الله القاضي ",
    "שרה בת אברהם כהן ",
    "👩🏽‍⚖️🧑‍🚒👨‍👩‍👧‍👦🏳️‍🌈 ",
    "<!channel> & <@U01> *bold* `code` ",
    "Z̴̢͓̾a̷̱͌l̵̟͂g̶͇̈́o̸̲͐ é ü ",
    "\u202eesrever \u2066kept\u2069 \u200f ",
    "王小明李四張三 ",
)


def a_name(place: int, length: int = 200) -> str:
    """A name of so many characters; no two are alike."""
    script = _SCRIPTS[place % len(_SCRIPTS)]
    return f"{place} {script * (length // len(script) + 1)}"[:length]


@dataclass(frozen=True)
class Crowd:
    """A record with one monstrous case, and how to reach everything in it."""

    board: Board
    number: str
    desk: Desk
    held: int
    some: tuple[int, ...]
    plans: tuple[int, ...]

    def actors(self) -> Iterator[Actor]:
        """One of each office."""
        for name in ("Clara Clerk", "Hanna Chair", "Mora Member", "Cyrus Manager"):
            yield self.board.actor(name)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory, press: PressRoom) -> Crowd:
    """Forty respondents with counsel, two hundred exhibits, requests, letters, ballots, hearings; many other cases."""
    board: Board = a_board(tmp_path_factory.mktemp("crowd"), ManualClock(), press)
    number = board.case()
    tracks = _parties(board, number)
    _exhibits(board, number, tracks)
    _letters(board, number, tracks)
    earlier = board.meeting()
    close_meeting(board.docket, board.clerk, earlier)
    write_minutes(board.docket, board.clerk, earlier)
    held = board.meeting()
    _voted(board, number, tracks, held)
    _roster(board)
    _other_business(board, number)
    client = WebClient("xoxb-nobody-answers")
    of_kind: dict[str, int] = {one.fact.KIND: one.id for one in board.file(number).facts}
    kinds = (LetterQueued, ExhibitOffered, PartyNamed, BallotOpened, AnswerTimeAsked, Determined)
    with board.docket.database.read() as session:
        plans = tuple(one.id for one in board_facts(board.docket, session, MeetingPlanned))
    desk = Desk(board.docket, client, Members(board.docket, client))
    return Crowd(board, number, desk, held, (2, *(of_kind[one.KIND] for one in kinds)), plans)


def _parties(board: Board, number: str) -> list[int]:
    tracks = []
    with act(board.docket, MACHINE, Deed.FILE_COMPLAINT, number=number) as step:
        for place in range(RESPONDENTS):
            named = PartyNamed(
                PartyRole.RESPONDENT, a_name(place), (), a_name(place, 300), a_name(place, 300)
            )
            tracks.append(step.record(named))
            step.record(PartyNamed(PartyRole.RESPONDENT_COUNSEL, a_name(place + 50), represents=tracks[-1]))
            step.record(PartyNamed(PartyRole.COMPLAINANT, a_name(place + 100)))
    return tracks


def _exhibits(board: Board, number: str, tracks: list[int]) -> None:
    now = board.clock.now()
    with act(board.docket, MACHINE, Deed.FILE_COMPLAINT, number=number) as step:
        for place in range(EXHIBITS):
            content = f"exhibit {place}".encode()
            kept = step.keep(
                content, kind="exhibit", media_type="application/pdf", name=a_name(place), received_at=now
            )
            by = tracks[place % RESPONDENTS]
            step.record(PaperReceived(now, "evidence", (kept,), from_party=by, words=a_name(place, 2000)))
            step.record(ExhibitOffered(now, f"R-{place}", kept, "0" * 64, a_name(place, 2000)), about=by)


def _letters(board: Board, number: str, tracks: list[int]) -> None:
    now = board.clock.now()
    with act(board.docket, MACHINE, Deed.FILE_COMPLAINT, number=number) as step:
        for track in tracks[:30]:
            for state in ("sent", "bounced", "queued", "uncertain"):
                letter = step.record(
                    LetterQueued("notice", track, "respondent", None, None, "A-forward"), about=track
                )
                if state != "queued":
                    step.record(LetterSettled(state, now), about=letter)
            step.record(
                AnswerTimeAsked(now.date() + timedelta(days=30), now, a_name(track, 2000)), about=track
            )
        step.record(EvidenceTurnedOver(now, "commonwealths_attorney", (1,), authority="a motion"))
        step.record(Disclosed(now.date(), tracks[0], a_name(1, 1000)))


def _voted(board: Board, number: str, tracks: list[int], held: int) -> None:
    """Every third respondent was determined on, two of three of those sufficiently; then a hearing or a reprimand."""
    now = board.clock.now()
    with act(board.docket, MACHINE, Deed.FILE_COMPLAINT, number=number) as step:
        step.record(InquiryHeld(now.date(), concluded=True, at=now))
        for place, track in enumerate(tracks[:-2]):
            step.record(
                Determined(now, True, place % 3 > 0, False, a_name(place, 3000), (), held), about=track
            )
            if place % 3 and place > 5:
                hearing = place % 3 == 1
                step.record(Disposed(now, not hearing, hearing, (), (), a_name(place, 500)), about=track)
            if place % 3 == 1 and place > 5:
                opened = HearingOpened(now, now.date(), a_name(place, 500), now, a_name(place, 3000))
                step.record(opened, about=track)
            if place % 3 == 2:
                step.record(LetterQueued("reprimand_copy", track, "respondent", None, None, "E1a-reprimand"))
                step.record(ReprimandReceived(now, "officer", a_name(place, 500)), about=track)
                step.record(DemandRecorded(now, a_name(place, 2000)), about=track)
    for track in tracks[-2:]:
        motion = Motion(track, Question.JURISDICTION, held, override_reason=a_name(track, 1000))
        ballot = open_ballot(board.docket, board.chair, number, motion)
        board.vote(number, ballot, board.members[2], Choice.YES)
    assert not board.file(number).final


def _roster(board: Board) -> None:
    """Long names on the Board, and many more people around it."""
    for place, name in enumerate(("Milo Member", "Maud Member")):
        rename_person(board.docket, board.clerk, board.person(name), a_name(place + 300), aliases=[name])
    for place in range(16):
        person = add_person(board.docket, board.clerk, a_name(place + 400))
        take_role(board.docket, board.clerk, person, Role.ALTERNATE if place < 12 else Role.COUNSEL)


def _other_business(board: Board, number: str) -> None:
    docket = board.docket
    for days in (9, 16, 23):
        begins = board.clock.now() + timedelta(days=days)
        plan_meeting(docket, board.chair, When(begins, a_name(days, 300), 90, agenda=(number,)))
    for _more in range(CASES):
        board.case(proper=False)
    for _unsearched in range(UNSEARCHED):
        board.case(proper=False, screened=False)
    for place in range(HELD):
        hold(docket, taken(docket, b"mail %d" % place, uid=900 + place), a_filing(outcome="needs_review"))


# -- what is drawn ------------------------------------------------------------------------------------


View = Callable[[Desk, Actor, Click], Any]


def _views() -> dict[str, View]:
    """Every function of the actions that draws a view for a click."""
    found: dict[str, View] = {}
    for module in ACTIONS:
        for name, function in vars(module).items():
            if not inspect.isfunction(function) or function.__module__ != module.__name__:
                continue
            given = list(inspect.get_annotations(function).values())
            if given == [Desk, Actor, Click, blocks.Json]:
                found[f"{module.__name__.rpartition('.')[2]}.{name}"] = function
    return found


VIEWS = _views()


def a_click(target: Target) -> Click:
    """A click about something."""
    return Click("T1", "U1", "any", target, "1.2")


def check_view(view: Any, where: object) -> None:
    """Fail where Slack would refuse a view."""
    faults = view_faults(view)
    assert not faults, (where, faults[:3])
    assert not view_too_large(view), where
    assert not shown_codes(view), where


def _draw(crowd: Crowd, function: View, targets: list[Target]) -> int:
    """Draw a view for who may see it, and check it; give for how many targets there was one."""
    drawn = 0
    for target in targets:
        for actor in (crowd.board.clerk, crowd.board.chair, crowd.board.actor("Mora Member")):
            try:
                view = function(crowd.desk, actor, a_click(target))
            except Refusal:
                continue
            check_view(view, (function.__name__, target))
            drawn += 1
            if "Further" in str(view):
                check_view(function(crowd.desk, actor, a_click(target.at(1))), (function.__name__, 1))
                check_view(function(crowd.desk, actor, a_click(target.at(99))), (function.__name__, 99))
            break
    return drawn


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_every_view_of_a_monstrous_case_is_one_that_slack_takes(crowd: Crowd, name: str) -> None:
    """About the case as such and on its later pages, or about what it is that the view shows."""
    function = VIEWS[name]
    drawn = _draw(crowd, function, [Target(crowd.number), Target("", crowd.held)])
    if not drawn or "target.about" in inspect.getsource(function):
        more = [Target(crowd.number, one) for one in crowd.some]
        drawn += _draw(crowd, function, [*more, *(Target("", one) for one in (*crowd.plans, 1, 2))])
    assert drawn, "no target gave this view: it was not tested"


def check_message(made: list[blocks.Json], where: object) -> None:
    """Fail where Slack would refuse a message."""
    faults = message_faults(made)
    assert not faults, (where, faults[:3])
    assert text_together(made) <= MESSAGE_BLOCK_TEXT, where
    assert not shown_codes(made), where


@pytest.mark.parametrize("word", sorted(commands.ANSWERS))
def test_every_answer_of_the_command_is_one_that_slack_takes(crowd: Crowd, word: str) -> None:
    rest = {"case": [crowd.number], "report": ["2026"]}.get(word, [])
    drawn = 0
    for actor in crowd.actors():
        try:
            made = commands.ANSWERS[word](crowd.desk, actor, rest)
        except Refusal:
            continue
        check_message(blocks.fit(made), word)
        drawn += 1
    assert drawn


def test_the_card_the_home_and_each_page_of_the_docket_are_taken(crowd: Crowd) -> None:
    for actor in crowd.actors():
        for page in (0, 1, 5, 99):
            view = blocks.home(home.home(crowd.board.docket, actor, page))
            check_view(view, ("home", page))
            check_message(blocks.fit(home.docket_page(crowd.board.docket, actor, page)), ("docket", page))
    for actor in (crowd.board.clerk, crowd.board.chair):
        check_message(blocks.fit(file.case_card(crowd.desk, actor, crowd.number)), "card")


def test_a_home_with_hundreds_of_waiting_decisions_shows_some_of_each_and_says_how_many_more(
    crowd: Crowd,
) -> None:
    made = home.home(crowd.board.docket, crowd.board.clerk)
    assert len(made) <= blocks.VIEW_BLOCKS, "nothing is left out in silence"
    shown = "\n".join(texts(made))
    assert f"Waits for a person:* {HELD}" in shown
    assert f"Open cases:* {CASES + UNSEARCHED + 1}" in shown
    for more in (HELD - 8, CASES - 8, UNSEARCHED - 8):
        assert f"and {more} more" in shown
    assert shown.count("waits: check the form") == shown.count("waits: say who is named") == 8


def test_every_open_case_is_reached_from_the_home_page_by_page(crowd: Crowd) -> None:
    seen: set[str] = set()
    page = 0
    while True:
        made = blocks.home(home.home(crowd.board.docket, crowd.board.clerk, page))["blocks"]
        shown = [one for one in made if one.get("accessory", {}).get("action_id") == Do.SHOW_CARD]
        seen |= {one["accessory"]["value"] for one in shown}
        page += 1
        if "Further" not in str(made):
            break
    assert len(seen) == CASES + UNSEARCHED + 1


def test_everybody_and_every_paper_can_be_chosen_in_a_long_list(crowd: Crowd) -> None:
    clerk, about = crowd.board.clerk, a_click(Target(crowd.number))
    papers = _choices(hearing.view(crowd.desk, crowd.board.chair, about), hearing.PAPERS)
    assert len(papers) == EXHIBITS + 1, "the complaint and each exhibit"
    came = _choices(hearing.view_sat(crowd.desk, crowd.board.chair, about), hearing.APPEARED)
    assert len(came) == 3 * RESPONDENTS + 1, "respondents, their counsel, complainants"
    whose = _choices(notice.view(crowd.desk, clerk, about), notice.WHOM)
    assert len(set(whose)) == len(whose) > 1


def _choices(view: blocks.Json, block: str) -> list[str]:
    (found,) = [one for one in view["blocks"] if one.get("block_id") == block]
    return [one["value"] for one in offered_options(found["element"])]


@pytest.mark.parametrize(("view", "of"), [(letters.view, "letters"), (file.history, "facts")])
def test_a_long_list_is_paged_to_its_end(crowd: Crowd, view: View, of: str) -> None:
    clerk = crowd.board.clerk
    pages, seen = 0, set[str]()
    while True:
        made = view(crowd.desk, clerk, a_click(Target(crowd.number, page=pages)))
        check_view(made, (of, pages))
        seen |= {str(one) for one in made["blocks"] if one["type"] == "section"}
        pages += 1
        if "Further" not in str(made):
            break
    assert pages > 1
    if of == "letters":
        assert len(seen) >= len(crowd.board.file(crowd.number).letters) * 3 // 4

"""Cards, file and dates within Slack's limits, however large the case and however odd the names."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot import blocks, cards, words
from bot.actions.ids import Do
from bot.practice.blocks_check import (
    MESSAGE_BLOCK_TEXT,
    message_faults,
    text_together,
    view_faults,
    view_too_large,
)
from bot.practice.client import texts
from store.cases import Look, Paper
from store.printing import PressRoom
from store.rules.access import Deed
from store.rules.evidence import Evidence
from store.rules.facts import Question
from tests.clocks import ManualClock
from tests.proceedings.builders import Board, a_board

LONG = "Wolfeschlegelsteinhausenbergerdorff " * 6
NAMES = (LONG[:200], "مريم العبدالله", "👩‍👩‍👧‍👦 Zoë 🏳️‍🌈", "<@U0MORA> & *bold*", "\u202egnorts\u202c")


def everything(_deed: Deed) -> bool:
    return True


def paper(number: int, name: str = "exhibit.pdf") -> Paper:
    found = Evidence("none-found", pages=3).to_json()
    return Paper(
        number,
        "complaint",
        "application/pdf",
        123_456,
        "0" * 64,
        datetime(2026, 2, 2, tzinfo=UTC),
        name,
        found,
    )


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory, press: PressRoom) -> Look:
    """A case with 40 respondents of long and odd names, several ballots, on a day when all is overdue."""
    board = a_board(tmp_path_factory.mktemp("crowded"), ManualClock(), press)
    number = board.case()
    for place in range(40):
        board.respondent(number, f"{NAMES[place % len(NAMES)]} {place}", f"r{place}@office.example")
    meeting = board.meeting()
    for track in [one.id for one in board.file(number).respondents][:15]:
        board.ballot(number, track, meeting)
    board.clock.advance(timedelta(days=60))
    seen = board.look(number)
    board.docket.database.engine.dispose()
    return seen


def assert_fits(made: list[dict[str, object]]) -> None:
    assert message_faults(made) == []
    assert text_together(made) < MESSAGE_BLOCK_TEXT


def test_a_card_of_forty_respondents_fits_a_message(crowded: Look) -> None:
    papers = [paper(number) for number in range(200)]
    assert_fits(cards.card(cards.Card(crowded, everything, papers, again=True)))


def test_a_card_shows_no_name_of_a_party(crowded: Look) -> None:
    shown = "\n".join(texts(cards.card(cards.Card(crowded, everything, [paper(1, "Zoë.pdf")]))))
    assert "Connie" not in shown
    assert "Wolfe" not in shown
    assert "Zoë" not in shown


def test_the_file_of_two_hundred_exhibits_is_paged_and_each_page_fits_a_modal(crowded: Look) -> None:
    papers = [paper(number, NAMES[number % len(NAMES)]) for number in range(1, 201)]
    sent: set[str] = set()
    for page in range(-(-len(papers) // cards.PAGE)):
        view = cards.open_file(crowded, papers, page)
        assert view_faults(view) == []
        assert not view_too_large(view)
        sent |= {
            block["accessory"]["value"]
            for block in view["blocks"]
            if block.get("accessory", {}).get("action_id") == Do.SHOW_DOCUMENT
        }
    assert len(sent) == len(papers)


def test_a_page_beyond_the_last_shows_the_last(crowded: Look) -> None:
    assert view_faults(cards.open_file(crowded, [paper(1)], 99)) == []


def test_names_stand_in_plain_text_and_cannot_mention_or_turn_the_line(crowded: Look) -> None:
    view = cards.open_file(crowded, [], 0)
    shown = "\n".join(texts(view))
    assert "\u202e" not in shown
    for block in view["blocks"]:
        if "<@U0MORA>" in str(block):
            assert block["text"]["type"] == "plain_text"


def test_why_this_date_names_days_and_fits(crowded: Look) -> None:
    view = cards.why_dates(crowded)
    shown = "\n".join(texts(view))
    assert view_faults(view) == []
    assert "Last lawful day" in shown
    assert "not counted" in shown


def test_respondents_with_the_same_dates_are_one_line(crowded: Look) -> None:
    forward = [one for one in cards.due_lines(crowded) if one.first.duty.id == "forward"]
    assert len(forward) == 1
    assert "40 of 40 respondents" in cards.due_text(crowded, forward[0])


def test_an_overdue_step_stands_before_one_that_is_later(crowded: Look) -> None:
    lists = [one.list for one in cards.due_lines(crowded)]
    order = list(cards._URGENT)
    assert lists == sorted(lists, key=order.index)


def test_a_reader_is_offered_only_what_he_may_do_now(board: Board) -> None:
    number = board.case(proper=False)
    mora = board.look(number, board.actor("Mora Member"))
    offered = {one["action_id"] for one in cards.buttons(cards.Card(mora, mora.may))}
    assert Do.FORM_CHECK not in offered
    assert Do.RECUSE in offered
    clara = board.look(number)
    assert Do.FORM_CHECK in {one["action_id"] for one in cards.buttons(cards.Card(clara, clara.may))}


def test_an_unscreened_case_offers_the_clerk_to_say_who_is_named_and_nothing_on_the_merits(
    board: Board,
) -> None:
    seen = board.look(board.case(proper=False, screened=False))
    offered = {one["action_id"] for one in cards.buttons(cards.Card(seen, seen.may))}
    assert Do.WHO_IS_NAMED in offered
    assert not offered & {Do.FORM_CHECK, Do.ACKNOWLEDGE, Do.NAME_RESPONDENTS}


def test_nothing_of_an_open_ballot_is_counted_on_a_card(board: Board) -> None:
    number, track = board.served_case()
    ballot = board.ballot(number, track, board.meeting())
    for actor in board.members[:3]:
        board.vote(number, ballot, actor, next(iter(words.CHOICES)))
    seen = board.look(number)
    shown = "\n".join(texts(cards.card(cards.Card(seen, seen.may))))
    assert "Ballot on jurisdiction" in shown
    assert "Yes" not in shown


def test_every_question_has_its_words() -> None:
    assert set(cards.SHORT_QUESTIONS) == set(Question) == set(words.QUESTIONS)


@pytest.mark.parametrize("make", [blocks.plain, blocks.mrkdwn])
def test_an_empty_text_becomes_a_dash_that_slack_takes(make: Callable[[str], dict[str, str]]) -> None:
    assert make("")["text"] == "–"


def test_clipping_never_parts_a_letter_from_its_mark() -> None:
    assert blocks.clip("ab" + "e\u0301" * 3, 4) in {"ab…", "abe\u0301…"[:4]}
    assert not blocks.clip("e\u0301e\u0301e\u0301", 4).endswith("e…")


def test_a_list_of_blocks_beyond_the_limit_keeps_the_buttons_and_says_that_more_there_is() -> None:
    many = [blocks.section(f"line {number}") for number in range(80)]
    made = blocks.fit([*many, *blocks.actions([blocks.button("Vote", "vote", "x")])])
    assert len(made) <= blocks.MESSAGE_BLOCKS
    assert made[-1]["type"] == "actions"
    assert "more than fits" in str(made)

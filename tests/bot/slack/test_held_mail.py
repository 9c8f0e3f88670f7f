"""Held mail in Slack: a clerk looks, and files it, attaches it, or sets it aside with a reason."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.actions.file import PAGE_PICTURE
from bot.actions.ids import Do
from bot.practice.client import message_text
from store.proceedings.held_mail import holding_pen
from store.proceedings.mail import Spot, take_mail
from store.proceedings.receipt import Filing, Paper, Sender, hold
from store.rules.facts import DocumentShown, PaperReceived
from tests.bot.slack.office import CLARA, MORA, Office, an_office, told
from tests.proceedings.builders import Board
from tests.proceedings.filings import letters

pytestmark = pytest.mark.contract

RAW = b"From: connie@post.example\r\nSubject: help\r\n\r\nA complaint\r\n"
AT = datetime(2026, 2, 2, 14, 0, tzinfo=UTC)
READ = Filing(
    outcome="filed",
    received_at=AT,
    complainants=(Sender("Connie Complainant", "connie@post.example"),),
    papers=(Paper(b"%PDF x", "c.pdf", "application/pdf"),),
    sender="connie@post.example",
)


def hold_one(office: Office) -> int:
    """A message that waits for a person, shown to the clerk."""
    docket = office.board.docket
    item = take_mail(docket, Spot("imap", "board", "INBOX", 1, 1, len(RAW), AT), RAW).item
    hold(docket, item, replace(READ, outcome="needs_review", reason="no paper attached"))
    office.deliver()
    return item


def decide(office: Office, **values: str) -> str:
    waiting = next(one for one in office.practice.direct(CLARA) if Do.HELD_MAIL in office.offers(one))
    office.press(CLARA, waiting, Do.HELD_MAIL)
    assert "connie@post.example" in office.said(CLARA)
    office.practice.submit(CLARA, values)
    return office.said(CLARA)


@pytest.fixture
def with_mailroom(tmp_path: Path, board: Board) -> Office:
    """An office whose mailroom reads a held message anew."""
    return an_office(
        tmp_path, board, refile=lambda _item, raw: READ if raw == RAW else replace(READ, outcome="?")
    )


def test_a_held_message_is_told_without_a_word_of_its_content(office: Office) -> None:
    hold_one(office)
    shown = office.last(CLARA)
    assert "connie" not in message_text(shown)
    assert shown.text == "Docket · 2026-02-02"


def test_it_is_filed_as_a_complaint_as_the_mailroom_reads_it(with_mailroom: Office) -> None:
    try:
        hold_one(with_mailroom)
        assert "the message is in case EC-2026-0001" in decide(with_mailroom, decision="file")
        assert holding_pen(with_mailroom.board.docket, with_mailroom.board.clerk) == []
    finally:
        with_mailroom.stop()


def test_it_is_attached_to_a_case(with_mailroom: Office) -> None:
    try:
        number = told(with_mailroom)
        hold_one(with_mailroom)
        assert f"in case {number}" in decide(with_mailroom, decision="attach", number=number.lower())
        assert list(with_mailroom.board.file(number).all(PaperReceived))
    finally:
        with_mailroom.stop()


def test_it_is_set_aside_with_a_reason_only_and_without_a_mailroom_too(office: Office) -> None:
    hold_one(office)
    assert "with a reason only" in decide(office, decision="set-aside")
    office.practice.close(CLARA)
    office.practice.submit(CLARA, {"reason": "an advertisement"})
    assert "is set aside" in office.said(CLARA)


def test_its_sender_is_answered_how_to_file_in_one_step(with_mailroom: Office) -> None:
    try:
        hold_one(with_mailroom)
        assert "told how to file" in decide(with_mailroom, decision="answer")
        assert holding_pen(with_mailroom.board.docket, with_mailroom.board.clerk) == []
        (answer,) = letters(with_mailroom.board.docket, "auto_receipt")
        assert answer.subject == "How to file a complaint"
    finally:
        with_mailroom.stop()


def test_without_a_mailroom_nothing_is_filed_and_the_message_waits(office: Office) -> None:
    hold_one(office)
    assert "command line" in decide(office, decision="file")
    assert len(holding_pen(office.board.docket, office.board.clerk)) == 1


def test_who_comes_second_is_told_that_it_waits_no_more(office: Office) -> None:
    hold_one(office)
    waiting = office.last(CLARA)
    decide(office, decision="set-aside", reason="an advertisement")
    office.practice.close(CLARA)
    office.press(CLARA, waiting, Do.HELD_MAIL)
    assert "waits no more" in office.said(CLARA)


def test_a_picture_of_the_signature_page_is_sent_to_the_clerk_and_recorded(
    tmp_path: Path, board: Board
) -> None:
    office = an_office(tmp_path, board, picture=lambda content, _page: b"PNG of " + content)
    try:
        number = told(office, proper=False)
        office.press(CLARA, office.card(CLARA, number), Do.FORM_CHECK)
        after = office.practice.last_seq()
        office.press(CLARA, office.modal(CLARA), PAGE_PICTURE)
        office.practice.wait("file_shared", after)
        shared = next(one for one in reversed(office.practice.direct(CLARA)) if one.files)
        assert office.practice.read_file(CLARA, shared.files[0]) == b"PNG of %PDF complaint"
        assert len(list(office.board.file(number).all(DocumentShown))) == 1
    finally:
        office.stop()


def test_held_mail_is_not_for_members(office: Office) -> None:
    hold_one(office)
    assert office.practice.direct(MORA) == []

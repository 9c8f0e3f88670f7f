"""The mailroom's round over a real mailbox: a folder that goes away, an old mailbox, a server that is down."""

import resource
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from intake.mail_login import Password
from intake.mailbox import FolderMissing, Mailbox, MailboxUnreachable, Patience
from intake.message import Limits
from intake.poller import Mailroom
from intake.triage import MOST_WITHOUT_PAPERS
from intake.watch import Alarm, Recovery, Trouble
from store.cases import Docket
from store.ports import NoFaults
from store.proceedings.mail import Spot, take_mail
from tests.contract.dovecot import SECRET, Dovecot
from tests.contract.mailbox_steps import a_mail
from tests.contract.rounds import Round
from tests.intake.mail_builders import a_mail as mail_of
from tests.intake.mail_builders import pdf_part
from tests.kill_filing import READ_FROM, RECEIVED, a_docket
from tests.proceedings.filings import letters

pytestmark = [pytest.mark.contract, pytest.mark.needs("dovecot")]


@pytest.fixture
def docket(tmp_path: Path) -> Iterator[Docket]:
    """An empty record."""
    with a_docket(tmp_path, Fernet.generate_key().decode(), NoFaults()) as made:
        yield made


@pytest.fixture
def round_(docket: Docket, dovecot: Dovecot) -> Iterator[Round]:
    """A mailroom at a folder of the Board's own and INBOX."""
    with dovecot.colleague() as colleague:
        colleague.create_folder("Papers")
    place = replace(dovecot.place, folders=("Papers", "INBOX"))
    with Mailbox(place, Password(SECRET), patience=Patience(10.0, 20.0)) as mailbox:
        yield Round(docket, mailbox)


def test_a_folder_deleted_while_it_is_read_stops_no_other_and_is_told_and_its_return_too(
    dovecot: Dovecot, round_: Round
) -> None:
    dovecot.deliver(a_mail("First"), at=RECEIVED)
    round_.poll.once()
    with dovecot.colleague("INBOX") as colleague:
        colleague.delete_folder("Papers")
    dovecot.deliver(a_mail("Second"), at=RECEIVED)
    round_.poll.once()
    assert len(round_.placed()) == 2
    assert "taken" not in round_.placed()
    assert round_.told == []
    with pytest.raises(FolderMissing, match="Papers"):
        round_.poll.mailroom.keep_new(round_.mailbox, READ_FROM)
    round_.poll.once()
    (alarm,) = round_.told
    assert isinstance(alarm, Alarm)
    assert alarm.trouble is Trouble.FOLDER_MISSING
    with dovecot.colleague("INBOX") as colleague:
        colleague.create_folder("Papers")
    dovecot.deliver(a_mail("In the new folder"), folder="Papers", at=RECEIVED)
    round_.poll.once()
    assert isinstance(round_.told[-1], Recovery)
    assert len(round_.placed()) == 3


def test_an_inbox_made_anew_while_it_is_read_is_read_anew_and_files_nothing_twice(
    dovecot: Dovecot, round_: Round
) -> None:
    dovecot.deliver(a_mail("Kept"), at=RECEIVED)
    round_.poll.once()
    dovecot.empty("INBOX", uidvalidity=77)
    dovecot.deliver(a_mail("Kept"), at=RECEIVED + timedelta(minutes=1))
    dovecot.deliver(a_mail("New"), at=RECEIVED + timedelta(minutes=2))
    for _ in range(2):
        round_.poll.once()
    assert len(round_.placed()) == 2
    assert round_.noted() == 3


def test_what_was_kept_is_read_though_the_server_is_gone(dovecot: Dovecot, round_: Round) -> None:
    raw = a_mail("Kept before")
    take_mail(round_.docket, Spot("host", "box", "INBOX", 1, 1, len(raw), RECEIVED), raw)
    dovecot.kill()
    with pytest.raises(MailboxUnreachable):
        round_.poll.mailroom.keep_new(round_.mailbox, READ_FROM)
    round_.poll.once()
    assert round_.placed() == ["in-a-case"]


@pytest.mark.parametrize(
    ("attached", "subject", "words"),
    [
        (3, "Your message had too many parts: how to file", "at most 2 files"),
        (2, "Case EC-2026-0001: your complaint was received", "acknowledges it"),
    ],
)
def test_a_mail_with_more_files_than_the_setting_allows_waits_and_its_sender_learns_how_to_file(
    docket: Docket, round_: Round, attached: int, subject: str, words: str
) -> None:
    """Requirement I8."""
    raw = mail_of(*(pdf_part(name=f"{number}.pdf") for number in range(attached)))
    desk = replace(round_.poll.mailroom.desk, limits=Limits(attachments=2))
    take_mail(docket, Spot("host", "box", "INBOX", 1, 1, len(raw), RECEIVED), raw)
    Mailroom(desk, 1 << 20).read_waiting()
    (letter,) = letters(docket, "auto_receipt")
    assert letter.subject.startswith(subject)
    assert words in " ".join(letter.text.split())


def test_the_first_look_into_a_mailbox_says_how_much_was_left_alone_and_a_later_one_nothing(
    dovecot: Dovecot, round_: Round
) -> None:
    for minutes in (30, 20, 10):
        dovecot.deliver(a_mail(), at=READ_FROM - timedelta(minutes=minutes))
    round_.poll.mailroom.keep_new(round_.mailbox, READ_FROM)
    assert round_.progress == [(0, 3)]
    dovecot.deliver(a_mail("New"), at=READ_FROM)
    assert round_.poll.mailroom.keep_new(round_.mailbox, READ_FROM) == 1
    assert round_.progress == [(0, 3)]


def test_of_ten_thousand_old_mails_none_is_read_or_answered_and_the_progress_shows(
    dovecot: Dovecot, round_: Round
) -> None:
    for number in range(10_000):
        dovecot.deliver(a_mail(), at=READ_FROM - timedelta(minutes=10_000 - number))
    dovecot.deliver(a_mail("New"), at=READ_FROM)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kept = round_.poll.mailroom.keep_new(round_.mailbox, READ_FROM)
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert kept == 1
    assert round_.progress == [*((0, noted) for noted in range(500, 10_001, 500)), (1, 10_000)]
    assert round_.noted() == 10_001
    assert round_.placed() == ["taken"]
    assert grown_kib < 100 * 1024
    assert round_.poll.mailroom.keep_new(round_.mailbox, datetime(2020, 1, 1, tzinfo=UTC)) == 0


def answered_by_a_machine(docket: Docket, mailroom: Mailroom, hours: float) -> tuple[int, int]:
    """Let a machine answer each receipt with a new mail that shows no mark; give its mails, and our receipts."""
    given = 0
    for sent in range(40):
        raw = mail_of(
            text=f"We received your message. Your ticket is {sent}.",
            headers={
                "Subject": f"Ticket {sent} opened",
                "Message-ID": f"<ticket{sent}@desk.example>",
                "To": None,
            },
        )
        at = RECEIVED + timedelta(hours=hours * sent)
        take_mail(docket, Spot("host", "box", "INBOX", 1, sent + 1, len(raw), at), raw)
        mailroom.read_waiting()
        now = len(letters(docket, "auto_receipt"))
        if now == given:
            return sent + 1, given
        given = now
    return 40, given


def test_two_machines_that_answer_each_other_come_to_an_end(docket: Docket, round_: Round) -> None:
    """The other one marks nothing, answers in no thread and repeats no number: each mail looks like a complaint."""
    mails, receipts = answered_by_a_machine(docket, round_.poll.mailroom, 0.01)
    assert (mails, receipts) == (MOST_WITHOUT_PAPERS + 1, MOST_WITHOUT_PAPERS)
    assert round_.placed() == ["in-a-case"] * MOST_WITHOUT_PAPERS + ["holding-pen"]


def test_whoever_complains_now_and_then_is_answered_each_time(docket: Docket, round_: Round) -> None:
    assert answered_by_a_machine(docket, round_.poll.mailroom, 12.5) == (40, 40)

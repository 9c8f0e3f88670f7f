"""Test mode (R8): another record, a mark on whatever leaves, mail only to those who are named."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.blocks import MESSAGE_BLOCKS, section
from bot.connection import web_client
from bot.errors import StartFault
from bot.mark import SAYS, marked
from bot.opening import Opened, opened_at
from bot.practice.client import Practice, message_text
from bot.practice.mailserver import PracticeMail
from bot.practice.slack import PracticeSlack
from bot.settings import load_settings
from intake.mail_urls import MailServer, Security
from intake.posting import HELD_IN_TEST, PostOffice
from intake.smtp import SmtpPostman
from store.outbox import Channel, Letter, Owed
from store.ports import DeliveryState
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.proceedings.builders import KEY

ENV = f"DOCKET_KEYS={KEY}\nDOCKET_MAIL_FROM=board@city.example\nDOCKET_DATA_DIR=data\n"
TEST = "DOCKET_TEST_MODE=true\nDOCKET_TEST_MAIL_TO=it@city.example, @trial.example\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".env").write_text(ENV + TEST)
    return tmp_path


@pytest.fixture
def record(folder: Path) -> Iterator[Opened]:
    found = opened_at(folder)
    yield found
    found.docket.database.engine.dispose()
    found.press.close()


def test_test_mode_works_on_a_data_folder_and_a_database_of_its_own(folder: Path, record: Opened) -> None:
    assert record.settings.data_dir == folder / "data-test"
    assert (folder / "data-test" / "docket.sqlite3").exists()
    assert not (folder / "data").exists()


def test_the_real_database_is_never_the_test_modes(folder: Path) -> None:
    (folder / ".env").write_text(f"{ENV}{TEST}DOCKET_DATABASE_URL=postgresql://d@db.example/docket\n")
    assert (
        load_settings(folder / ".env", {})
        .database_url.get_secret_value()
        .endswith("data-test/docket.sqlite3")
    )
    with (folder / ".env").open("a") as file:
        file.write("DOCKET_TEST_DATABASE_URL=postgresql://d@db.example/docket\n")
    with pytest.raises(StartFault, match="real record's database"):
        load_settings(folder / ".env", {})


@pytest.mark.parametrize("first", [True, False])
def test_neither_record_is_opened_as_the_other(tmp_path: Path, *, first: bool) -> None:
    other = tmp_path / "docket.sqlite3"
    for test in (first, not first):
        name = "DOCKET_TEST_DATABASE_URL" if test else "DOCKET_DATABASE_URL"
        (tmp_path / ".env").write_text(f"{ENV}{TEST if test else ''}{name}=sqlite:///{other}\n")
        if test is first:
            found = opened_at(tmp_path)
            found.docket.database.engine.dispose()
            found.press.close()
        else:
            with pytest.raises(StartFault, match="Nothing was changed"):
                opened_at(tmp_path)


def test_every_page_is_marked(record: Opened) -> None:
    assert record.docket.watermark == "TEST"


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("it@city.example", True),
        ("IT@City.Example", True),
        ("anybody@trial.example", True),
        ("anybody@sub.trial.example", False),
        ("ines@riverbend.example", False),
        ("it@city.example.org", False),
    ],
)
def test_mail_goes_to_those_named_alone(record: Opened, address: str, *, may: bool) -> None:
    assert record.settings.may_mail(address) is may


def test_outside_test_mode_mail_goes_to_everybody(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(ENV)
    assert load_settings(tmp_path / ".env", {}).may_mail("anybody@anywhere.example")


def _owed(to: str) -> Owed:
    letter = Letter(to, "EC-2026-0001: receipt", "Your complaint came.\n", (), "<a@city.example>", "k3m5p7")
    return Owed(1, Channel.MAIL, "x", None, None, 0, A_MONDAY_MORNING, letter)


def test_a_letter_to_somebody_else_is_held_and_one_that_goes_is_marked(record: Opened) -> None:
    with PracticeMail("board@city.example", ManualClock().now) as mail:
        relay = SmtpPostman(MailServer("127.0.0.1", mail.smtp_port, "", Security.PLAIN))
        office = PostOffice(record.docket, relay, "Board", record.settings.may_mail)
        held = office.deliver(_owed("ines@riverbend.example"))
        assert (held.state, held.detail) == (DeliveryState.TRY_LATER, HELD_IN_TEST)
        assert not office.tell("ines@riverbend.example", "An alarm", "A trouble.")
        assert office.deliver(_owed("it@city.example")).state is DeliveryState.ACCEPTED
        (sent,) = mail.letters
    assert sent.to == "it@city.example"
    assert sent.subject.startswith("TEST: ")
    assert sent.text.startswith("TEST. This is no letter of the Board")


def test_what_is_shown_in_slack_is_marked(tmp_path: Path) -> None:
    with PracticeSlack(tmp_path / "slack", ManualClock().now, rates=False) as slack:
        practice = Practice.of(slack)
        ann = practice.add_person("Ann").id
        client = web_client(slack.app.bot_token, slack.api_url, test=True)
        client.chat_postMessage(channel=ann, text="Case EC-2026-0001", blocks=[section("A card")])
        (shown,) = practice.direct(ann)
    assert SAYS in message_text(shown)
    assert shown.text.startswith("TEST: ")


def test_the_mark_fits_a_full_message_and_a_view_and_other_calls_stay_as_they_are() -> None:
    full = marked(
        "chat.postMessage", {"text": "x", "blocks": [section(str(n)) for n in range(MESSAGE_BLOCKS - 1)]}
    )
    assert len(full["blocks"]) == MESSAGE_BLOCKS
    view = marked("views.open", {"view": {"type": "modal", "blocks": [section("a")]}})
    assert len(view["view"]["blocks"]) == 2
    assert marked("users.info", {"user": "U1"}) == {"user": "U1"}

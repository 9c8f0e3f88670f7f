"""Held mail decided about on the command line, read anew by the mailroom's own reading."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intake.poller import carry_out
from intake.reading import Arrival, Desk, read
from store.proceedings.mail import Spot, take_mail
from tests.bot.cli.shell import Shell
from tests.intake.mail_builders import MAILS, found_by_hand

RECEIVED = datetime(2026, 2, 2, 14, 30, tzinfo=UTC)


def path_of(prefix: str) -> Path:
    return next(MAILS.glob(f"{prefix}-*.eml"))


def take(shell: Shell, prefix: str, uid: int = 1) -> int:
    """A message taken and read, as the mailroom does; gives its item."""
    docket = shell.board.docket
    raw = path_of(prefix).read_bytes()
    item = take_mail(docket, Spot("imap", "box", "INBOX", 1, uid, len(raw), RECEIVED), raw).item
    desk = Desk(docket, "complaints@ethics.bramwell-ky.example", "", found_by_hand)
    carry_out(desk, item, read(desk, Arrival(raw, RECEIVED, docket.clock.now(), item=item)))
    return item


HELD = "026"


def test_held_mail_is_listed_with_why_it_waits(shell: Shell) -> None:
    item = take(shell, HELD)
    (one,) = shell.run("held", "list", "--json").json
    assert one["item"] == item
    assert one["received_at"] == RECEIVED.isoformat()
    assert str(item) in shell.run("held", "list").out


def test_a_held_message_is_shown_and_saved_byte_for_byte(shell: Shell, tmp_path: Path) -> None:
    item = take(shell, HELD)
    assert "Subject: " in shell.run("held", "show", item).out
    out = tmp_path / "message.eml"
    shell.run("held", "raw", item, "--out", out)
    assert out.read_bytes() == path_of(HELD).read_bytes()
    assert shell.newest_entry()["act"] == "see-holding-pen"


def test_a_held_message_is_filed_with_the_instant_at_which_the_server_had_it(shell: Shell) -> None:
    item = take(shell, HELD)
    shell.run("held", "file", item, "--reason", "it is a complaint")
    (case,) = shell.run("docket", "--json").json
    assert case["received_at"] == RECEIVED.isoformat()
    assert shell.run("held", "list", "--json").json == []
    assert "No such message waits" in shell.refused("held", "file", item)


def test_a_held_message_is_attached_to_its_case(shell: Shell) -> None:
    number = shell.board.case()
    item = take(shell, HELD)
    shell.run("held", "attach", item, number.lower())
    assert "evidence received" in shell.run("history", number).out
    assert shell.run("held", "list", "--json").json == []


def test_a_held_message_is_set_aside_with_a_reason_only(shell: Shell) -> None:
    item = take(shell, HELD)
    assert "reason" in shell.refused("held", "set-aside", item, "--reason", " ", status=2)
    shell.run("held", "set-aside", item, "--reason", "an advertisement")
    assert shell.run("held", "list", "--json").json == []


def test_a_sender_is_told_how_to_file_and_what_was_set_aside_can_be_brought_back(shell: Shell) -> None:
    item = take(shell, HELD)
    assert "told how to file" in shell.run("held", "answer", item, "--reason", "a link only").out
    assert shell.run("held", "list", "--json").json == []
    (aside,) = shell.run("held", "list", "--set-aside", "--json").json
    assert "a link only" in aside["reason"]
    shell.run("held", "return", item, "--reason", "she meant it as a complaint")
    assert [one["item"] for one in shell.run("held", "list", "--json").json] == [int(item)]


def test_the_holding_pen_is_for_staff(practice: Shell) -> None:
    item = take(practice, HELD)
    for words in (("held", "list"), ("held", "show", item), ("held", "file", item)):
        assert "not yours" in practice.refused(*words, who="Mora Member")


# -- triage by the record -----------------------------------------------------------------------------


def test_triage_knows_what_the_record_has_and_files_nothing(shell: Shell) -> None:
    path = path_of("001")
    first = shell.run("triage", path, "--json").json
    assert [one["outcome"] for one in first] == ["filed"]
    assert shell.run("docket", "--json").json == []
    take(shell, "001")
    (again,) = shell.run("triage", path, "--json").json
    assert again["outcome"] == "duplicate"


def test_triage_judges_each_mail_as_if_the_earlier_ones_had_been_filed(shell: Shell) -> None:
    told = shell.run("triage", path_of("001"), path_of("001"), "--json").json
    assert [one["outcome"] for one in told] == ["filed", "duplicate"]


def test_triage_by_the_record_is_for_staff(practice: Shell) -> None:
    assert "not yours" in practice.refused("triage", path_of("001"), who="Ivo Machinist")


@pytest.mark.parametrize("prefix", ["014"])
def test_triage_with_a_context_asks_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], prefix: str
) -> None:
    from bot.cli import main

    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["triage", str(path_of(prefix)), "--context", str(MAILS / "manifest.json")])
    assert not end.value.code
    assert "cure_notice" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_what_waits_since_before_keeps_its_receipt(shell: Shell) -> None:
    item = take(shell, HELD)
    shell.board.clock.advance(timedelta(days=9))
    shell.run("held", "file", item)
    (case,) = shell.run("docket", "--json").json
    assert case["received_at"] == RECEIVED.isoformat()
    assert case["steps"][0]["list"] == "overdue"

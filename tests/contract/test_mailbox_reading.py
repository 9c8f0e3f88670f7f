"""What is in the mailbox, on every mail server that the tests know."""

import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest

from intake.mail_login import Password
from intake.mailbox import LoginRefused, Oversize, Vanished, Woken
from tests.contract.conftest import OpenMailbox
from tests.contract.dovecot import Dovecot
from tests.contract.embedded_mail import EmbeddedMail
from tests.contract.mailbox_steps import A_YEAR_AGO, LIMIT, Record, a_mail, meanwhile

pytestmark = pytest.mark.contract

Server = Dovecot | EmbeddedMail


def test_a_message_is_listed_once_and_its_bytes_are_those_that_came(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    raw = a_mail("One")
    mail_server.deliver(raw)
    mailbox, record = open_mailbox(mail_server.place), Record()
    assert [each.size for each in record.read(mailbox)] == [len(raw)]
    assert record.raws == [raw]
    assert record.read(mailbox) == []


def test_receipt_is_the_instant_the_server_wrote_whatever_zone_it_wrote_it_in(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    eastern = datetime(2026, 1, 15, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    with mail_server.colleague() as colleague:
        colleague.append("INBOX", a_mail(), msg_time=eastern)
    (sighting,) = Record().read(open_mailbox(mail_server.place))
    assert sighting.internaldate == datetime(2026, 1, 16, 4, 30, tzinfo=UTC)
    assert sighting.internaldate.utcoffset() == timedelta(0)
    assert sighting.internaldate_offset_min in {0, -300}  # Dovecot answers in its own zone


def test_eight_bit_bytes_and_lines_without_end_come_as_the_server_has_them(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    raw = a_mail(body=bytes(range(1, 10)) + b"\r\n" + bytes(range(14, 256)) + b"\r\n{5}\r\n* OK )\r\nno end")
    mail_server.deliver(raw)
    record = Record()
    record.read(open_mailbox(mail_server.place))
    assert record.raws == [raw]


def test_a_large_message_comes_whole(mail_server: Server, open_mailbox: OpenMailbox) -> None:
    raw = a_mail(body=b"0123456789abcdef" * 4_000 + b"\r\n") * 10
    mail_server.deliver(raw)
    record = Record()
    record.read(open_mailbox(mail_server.place))
    assert record.raws == [raw]


def test_reading_leaves_every_flag_as_it_was(mail_server: Server, open_mailbox: OpenMailbox) -> None:
    mail_server.deliver(a_mail())
    Record().read(open_mailbox(mail_server.place))
    with mail_server.colleague() as colleague:
        (flags,) = colleague.get_flags(colleague.search()).values()
    assert b"\\Seen" not in flags


def test_a_message_that_somebody_flagged_seen_answered_or_deleted_is_read_all_the_same(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    mail_server.deliver(a_mail("Seen"))
    mail_server.deliver(a_mail("Deleted"))
    with mail_server.colleague() as colleague:
        first, second = sorted(colleague.search())
        colleague.add_flags([first], [b"\\Seen", b"\\Answered"])
        colleague.add_flags([second], [b"\\Deleted"])
        record = Record()
        record.read(open_mailbox(mail_server.place))
    assert len(record.raws) == 2


def test_flags_set_by_a_colleague_between_list_and_fetch_disturb_nothing(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    """Unasked-for FETCH answers carry sequence numbers, which could be taken for UIDs."""
    for number in range(4):
        mail_server.deliver(a_mail(f"Mail {number}"))
    mailbox = open_mailbox(mail_server.place)
    with mail_server.colleague() as colleague:
        colleague.delete_messages(sorted(colleague.search())[:1])
        colleague.expunge()
        listed = list(mailbox.sync("INBOX", Record().known, read_from=None))
        for sighting in listed:
            colleague.add_flags(colleague.search(), [b"\\Flagged"])
            colleague.remove_flags(colleague.search(), [b"\\Flagged"])
            assert mailbox.fetch_raw(sighting, limit_bytes=LIMIT).startswith(b"From:")
    assert len(listed) == 3


def test_gaps_between_uids_hide_nothing(mail_server: Server, open_mailbox: OpenMailbox) -> None:
    for number in range(9):
        mail_server.deliver(a_mail(f"Mail {number}"))
    with mail_server.colleague() as colleague:
        colleague.delete_messages(sorted(colleague.search())[1:8])
        colleague.expunge()
    record = Record()
    assert len(record.read(open_mailbox(mail_server.place))) == 2
    assert [b"Mail 0" in raw or b"Mail 8" in raw for raw in record.raws] == [True, True]


def test_a_message_expunged_between_list_and_fetch_is_read_whole_or_has_vanished_and_stops_no_other(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    mail_server.deliver(a_mail("Gone"))
    mail_server.deliver(a_mail("Stays"))
    mailbox = open_mailbox(mail_server.place)
    gone, stays = mailbox.sync("INBOX", Record().known, read_from=None)
    with mail_server.colleague() as colleague:
        colleague.delete_messages([gone.uid])
        colleague.expunge()
    with suppress(Vanished):  # the embedded server still gives it to a session that has the folder open
        assert mailbox.fetch_raw(gone, limit_bytes=LIMIT) == a_mail("Gone")
    assert b"Stays" in mailbox.fetch_raw(stays, limit_bytes=LIMIT)


def test_a_message_moved_by_a_colleague_to_a_folder_that_is_read_is_found_there(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    mail_server.deliver(a_mail("Wandering"))
    mailbox = open_mailbox(mail_server.place)
    (listed,) = mailbox.sync("INBOX", Record().known, read_from=None)
    with mail_server.colleague() as colleague:
        colleague.move([listed.uid], "Junk")
    with suppress(Vanished):
        assert mailbox.fetch_raw(listed, limit_bytes=LIMIT) == a_mail("Wandering")
    record = Record()
    (found,) = record.read(mailbox, *mailbox.folders)
    assert (found.folder, found.internaldate) == ("Junk", listed.internaldate)
    assert b"Wandering" in record.raws[0]


def test_every_folder_named_in_the_setting_is_read_and_messages_of_both_can_be_fetched_in_turn(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    mail_server.deliver(a_mail("Good"))
    mail_server.deliver(a_mail("Suspected"), folder="Junk")
    mailbox = open_mailbox(mail_server.place)
    good = next(iter(mailbox.sync("INBOX", Record().known, read_from=None)))
    junk = next(iter(mailbox.sync("Junk", Record().known, read_from=None)))
    assert b"Good" in mailbox.fetch_raw(good, limit_bytes=LIMIT)
    assert b"Suspected" in mailbox.fetch_raw(junk, limit_bytes=LIMIT)


def test_of_an_oversize_message_only_the_headers_are_read(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    mail_server.deliver(a_mail("Heavy", b"x" * 5_000 + b"\r\n"))
    mailbox = open_mailbox(mail_server.place)
    (sighting,) = mailbox.sync("INBOX", Record().known, read_from=None)
    with pytest.raises(Oversize):
        mailbox.fetch_raw(sighting, limit_bytes=sighting.size - 1)
    assert mailbox.fetch_headers(sighting) == a_mail("Heavy", b"")
    assert mailbox.fetch_headers(sighting, limit_bytes=10) == a_mail("Heavy", b"")[:10]
    assert len(mailbox.fetch_raw(sighting, limit_bytes=sighting.size)) == sighting.size


def test_mail_older_than_the_starting_date_is_listed_and_marked_and_mail_of_that_instant_is_not(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    start = datetime(2026, 2, 2, 15, 0, tzinfo=UTC)
    mail_server.deliver(a_mail("Old"), at=start - timedelta(seconds=1))
    mail_server.deliver(a_mail("New"), at=start)
    listed = list(open_mailbox(mail_server.place).sync("INBOX", Record().known, read_from=start))
    assert {each.internaldate: each.before_start for each in listed} == {
        start - timedelta(seconds=1): True,
        start: False,
    }


def test_what_came_while_nobody_read_keeps_the_instant_it_came(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    mail_server.deliver(a_mail(), at=A_YEAR_AGO)
    (sighting,) = Record().read(open_mailbox(mail_server.place))
    assert sighting.internaldate == A_YEAR_AGO


def test_a_wrong_password_is_a_refused_login_and_its_text_shows_neither_password_nor_account(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    mailbox = open_mailbox(mail_server.place, Password("wrong horse"))
    with pytest.raises(LoginRefused) as refused:
        mailbox.connect()
    assert "horse" not in str(refused.value)
    assert "clerk@" not in str(refused.value)
    assert refused.value.__suppress_context__


def test_mail_that_comes_while_waiting_ends_the_wait(mail_server: Server, open_mailbox: OpenMailbox) -> None:
    mailbox, record = open_mailbox(mail_server.place), Record()
    record.read(mailbox)
    with meanwhile(lambda: mail_server.deliver(a_mail("Now")), after_s=0.3):
        assert mailbox.wait(30) is Woken.MAIL
    record.read(mailbox)
    assert len(record.raws) == 1


def test_mail_that_came_between_listing_and_waiting_ends_the_wait_at_once(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    """IDLE speaks of news only; what came before it began, or while Junk was read, is none to it."""
    mailbox, record = open_mailbox(mail_server.place), Record()
    record.read(mailbox, "INBOX", "Junk")
    mail_server.deliver(a_mail("Between"))
    assert mailbox.wait(30) is Woken.MAIL


def test_a_wait_without_mail_ends_when_its_time_is_over_and_can_be_had_again(
    mail_server: Server, open_mailbox: OpenMailbox
) -> None:
    mailbox = open_mailbox(mail_server.place)
    Record().read(mailbox)
    assert [mailbox.wait(0.2) for _ in range(3)] == [Woken.TIME] * 3


def test_stop_ends_the_wait(mail_server: Server, open_mailbox: OpenMailbox) -> None:
    mailbox = open_mailbox(mail_server.place)
    Record().read(mailbox)
    with meanwhile(mailbox.stop, after_s=0.2):
        assert mailbox.wait(30) is Woken.STOPPED
    assert mailbox.wait(30) is Woken.STOPPED


def test_no_log_at_any_level_carries_mail_account_or_password(
    mail_server: Server, open_mailbox: OpenMailbox, caplog: pytest.LogCaptureFixture
) -> None:
    mail_server.deliver(a_mail("Confidential subject"))
    with caplog.at_level(logging.DEBUG):
        mailbox = open_mailbox(mail_server.place)
        Record().read(mailbox)
        mailbox.wait(0.05)
        mailbox.close()
    assert "Confidential" not in caplog.text
    assert "horse" not in caplog.text
    assert "clerk" not in caplog.text

"""The mailbox against Dovecot: folders made anew, servers that die, certificates, tokens, many old mails."""

import socket
import ssl
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from intake.mail_login import AccessToken
from intake.mail_urls import MailServer, Security
from intake.mailbox import (
    FolderMissing,
    LoginRefused,
    MailboxUnreachable,
    StartTlsRefused,
    Vanished,
    Woken,
)
from tests.contract.certificates import LONG_AGO, Authority
from tests.contract.conftest import OpenMailbox
from tests.contract.dovecot import ACCOUNT, SECRET, Dovecot
from tests.contract.mailbox_steps import A_YEAR_AGO, LIMIT, Record, a_mail, meanwhile
from tests.contract.tokens import GOOD_TOKEN, oauth_file, oauth_settings, token_server

pytestmark = [pytest.mark.contract, pytest.mark.needs("dovecot")]


def test_a_message_expunged_between_list_and_fetch_has_vanished(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    dovecot.deliver(a_mail("Gone"))
    mailbox = open_mailbox(dovecot.place)
    (gone,) = mailbox.sync("INBOX", Record().known, read_from=None)
    with dovecot.colleague() as colleague:
        colleague.delete_messages([gone.uid])
        colleague.expunge()
    with pytest.raises(Vanished):
        mailbox.fetch_raw(gone, limit_bytes=LIMIT)
    with pytest.raises(Vanished):
        mailbox.fetch_headers(gone)


def test_recent_stays_for_the_people_who_work_in_the_mailbox(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    dovecot.deliver(a_mail())
    Record().read(open_mailbox(dovecot.place))
    with dovecot.colleague() as colleague:
        assert colleague.folder_status("INBOX", ["UNSEEN"])[b"UNSEEN"] == 1
        (flags,) = colleague.get_flags(colleague.search()).values()
    assert flags == (b"\\Recent",)


def test_a_mailbox_that_may_only_be_read_is_read(dovecot: Dovecot, open_mailbox: OpenMailbox) -> None:
    dovecot.deliver(a_mail())
    for part in ("cur", "new"):
        (dovecot.maildir() / part).chmod(0o555)
    record = Record()
    record.read(open_mailbox(dovecot.place))
    assert record.raws == [a_mail()]


def test_after_a_change_of_uidvalidity_everything_is_read_anew(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    for number in range(3):
        dovecot.deliver(a_mail(f"Mail {number}"))
    mailbox, record = open_mailbox(dovecot.place), Record()
    first = record.read(mailbox)
    dovecot.stop()
    dovecot.empty("INBOX", uidvalidity=first[0].uidvalidity + 5)
    for number in range(4):
        dovecot.deliver(a_mail(f"Mail {number}"))
    dovecot.start()
    again = record.read_on(mailbox)
    assert [each.uid for each in again] == [1, 2, 3, 4]
    assert {each.uidvalidity for each in again} == {first[0].uidvalidity + 5}


def test_a_mailbox_made_anew_under_the_same_uidvalidity_is_noticed_by_size_and_date(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    dovecot.deliver(a_mail("Kept by the restore"), at=A_YEAR_AGO)
    dovecot.deliver(a_mail("Lost"), at=A_YEAR_AGO + timedelta(hours=1))
    mailbox, record = open_mailbox(dovecot.place), Record()
    first = record.read(mailbox)
    dovecot.stop()
    dovecot.empty("INBOX", uidvalidity=first[0].uidvalidity)
    dovecot.deliver(a_mail("Kept by the restore"), at=A_YEAR_AGO)
    dovecot.deliver(a_mail("Other"), at=A_YEAR_AGO + timedelta(hours=2))
    dovecot.deliver(a_mail("Third"))
    dovecot.start()
    new = record.read_on(mailbox)
    assert {each.uidvalidity for each in new} == {first[0].uidvalidity}
    assert [each.uid for each in new] == [2, 3]
    assert [b"Other" in record.raws[2], b"Third" in record.raws[3]] == [True, True]


def test_a_message_replaced_under_its_uid_between_list_and_fetch_is_not_taken_for_the_listed_one(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    dovecot.deliver(a_mail("Listed"), at=A_YEAR_AGO)
    mailbox = open_mailbox(dovecot.place)
    (listed,) = mailbox.sync("INBOX", Record().known, read_from=None)
    mailbox.wait(0.01)
    dovecot.stop()
    dovecot.empty("INBOX", uidvalidity=listed.uidvalidity)
    dovecot.deliver(a_mail("Listed"))
    dovecot.start()
    with pytest.raises(MailboxUnreachable):
        mailbox.fetch_raw(listed, limit_bytes=LIMIT)
    with pytest.raises(Vanished):
        mailbox.fetch_raw(listed, limit_bytes=LIMIT)


def test_a_folder_recreated_by_its_owner_is_read_anew_at_the_latest_after_a_quiet_wait(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    """A session that has the old folder open is told nothing: the folder must be opened anew now and then."""
    place = MailServer("127.0.0.1", dovecot.port, ACCOUNT, Security.PLAIN, ("Junk",))
    mailbox, record = open_mailbox(place), Record()
    with dovecot.colleague() as colleague:
        colleague.append("Junk", a_mail("Before"))
        record.read(mailbox, "Junk")
        colleague.delete_folder("Junk")
        colleague.create_folder("Junk")
        colleague.append("Junk", a_mail("After"))
    with suppress(MailboxUnreachable):  # Dovecot may also end the session whose folder is gone
        assert mailbox.wait(0.01) is Woken.TIME
    (found,) = record.read(mailbox, "Junk")
    assert found.uid == 1
    assert b"After" in record.raws[-1]


def test_a_folder_of_the_setting_that_is_not_there_is_named_and_the_others_are_still_read(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    dovecot.deliver(a_mail())
    mailbox = open_mailbox(
        MailServer("127.0.0.1", dovecot.port, ACCOUNT, Security.PLAIN, ("INBOX", "Nowhere"))
    )
    with pytest.raises(FolderMissing, match="Nowhere"):
        Record().read(mailbox, "Nowhere")
    assert len(Record().read(mailbox, "INBOX")) == 1


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_server_that_ends_while_we_listen_is_noticed_and_nothing_is_lost_when_it_is_back(
    dovecot: Dovecot, open_mailbox: OpenMailbox, end: str
) -> None:
    dovecot.deliver(a_mail("Before"))
    mailbox, record = open_mailbox(dovecot.place), Record()
    record.read(mailbox)
    with (
        meanwhile(getattr(dovecot, end), after_s=0.8),  # after Dovecot's half second before IDLE speaks
        pytest.raises(MailboxUnreachable) as noticed,
    ):
        mailbox.wait(60)
    assert "No mail is lost" in str(noticed.value)
    with pytest.raises(MailboxUnreachable):
        record.read(mailbox)
    dovecot.deliver(a_mail("While it was down"))
    dovecot.start()
    record.read(mailbox)
    assert [b"Before" in record.raws[0], b"While it was down" in record.raws[1]] == [True, True]
    assert len(record.raws) == 2


def test_a_server_that_ends_between_two_fetches_loses_and_doubles_nothing(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    for number in range(5):
        dovecot.deliver(a_mail(f"Mail {number}"))
    mailbox, record = open_mailbox(dovecot.place), Record()
    for sighting in mailbox.sync("INBOX", record.known, read_from=None):
        record.raws.append(mailbox.fetch_raw(sighting, limit_bytes=LIMIT))
        record.note(sighting)
        if len(record.raws) == 2:
            break
    dovecot.kill()
    dovecot.start()
    with pytest.raises(MailboxUnreachable):
        record.read(mailbox)
    record.read(mailbox)
    assert sorted(record.raws) == [a_mail(f"Mail {number}") for number in range(5)]


def test_a_changed_password_is_a_refused_login_and_the_right_one_reads_on(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    dovecot.write_accounts({ACCOUNT: "another"})
    with pytest.raises(LoginRefused):
        open_mailbox(dovecot.place).connect()


@pytest.mark.parametrize("way", ["tls_place", "starttls_place"])
def test_tls_with_the_citys_own_authority_is_accepted(
    authority: Authority, open_mailbox: OpenMailbox, way: str
) -> None:
    with Dovecot(certificate=authority.certify("localhost")) as dovecot:
        dovecot.deliver(a_mail())
        mailbox, record = open_mailbox(getattr(dovecot, way), authority=authority), Record()
        record.read(mailbox)
        assert record.raws == [a_mail()]
        with meanwhile(lambda: dovecot.deliver(a_mail("Over TLS")), after_s=0.3):
            assert mailbox.wait(30) is Woken.MAIL
        mailbox.close()


@pytest.mark.parametrize("way", ["tls_place", "starttls_place"])
@pytest.mark.parametrize("fault", ["unknown authority", "expired", "another host"])
def test_a_certificate_that_proves_nothing_is_refused_before_any_password_is_sent(
    authority: Authority, open_mailbox: OpenMailbox, fault: str, way: str
) -> None:
    until = LONG_AGO if fault == "expired" else datetime(2089, 1, 1, tzinfo=UTC)
    certificate = authority.certify(
        "elsewhere.example" if fault == "another host" else "localhost", until=until
    )
    with Dovecot(certificate=certificate) as dovecot:
        trusted = None if fault == "unknown authority" else authority
        with pytest.raises(MailboxUnreachable, match="certificate") as refused:
            open_mailbox(getattr(dovecot, way), authority=trusted).connect()
        assert ACCOUNT not in (dovecot.folder / "log").read_text()
    assert refused.value.__suppress_context__
    assert isinstance(refused.value.__context__, ssl.SSLCertVerificationError)


def test_a_server_that_offers_no_starttls_gets_no_password(
    authority: Authority, open_mailbox: OpenMailbox
) -> None:
    with Dovecot() as dovecot:
        with pytest.raises(StartTlsRefused, match="STARTTLS"):
            open_mailbox(dovecot.starttls_place, authority=authority).connect()
        assert ACCOUNT not in (dovecot.folder / "log").read_text()


def test_an_access_token_opens_the_mailbox_and_a_stale_one_is_a_refused_login(
    open_mailbox: OpenMailbox,
) -> None:
    with token_server() as port, Dovecot() as dovecot:
        dovecot.stop()
        (dovecot.folder / "oauth2.conf").write_text(oauth_file(port))
        dovecot.settings = oauth_settings(port, str(dovecot.folder))
        dovecot.start()
        dovecot.deliver(a_mail())
        tokens = iter(["stale-token", GOOD_TOKEN])
        mailbox, record = open_mailbox(dovecot.place, AccessToken(lambda: next(tokens))), Record()
        with pytest.raises(LoginRefused):
            mailbox.connect()
        record.read(mailbox)
        assert record.raws == [a_mail()]
        mailbox.close()


def test_two_thousand_old_mails_are_listed_and_only_those_from_the_starting_date_on_are_to_be_read(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(2_000):
        dovecot.deliver(a_mail(), at=start - timedelta(minutes=2_000 - number))
    for number in range(3):
        dovecot.deliver(a_mail(f"New {number}"), at=start + timedelta(minutes=number))
    mailbox, record = open_mailbox(dovecot.place), Record()
    sightings = record.read(mailbox, read_from=start)
    assert [each.before_start for each in sightings] == [True] * 2_000 + [False] * 3
    assert len(record.raws) == 3
    assert record.read(mailbox, read_from=start) == []
    dovecot.deliver(a_mail("Newer"), at=start + timedelta(days=1))
    assert [each.before_start for each in record.read(mailbox, read_from=start)] == [False]


def test_a_message_appended_by_a_non_synchronising_literal_with_eight_bit_headers_is_read_byte_for_byte(
    dovecot: Dovecot, open_mailbox: OpenMailbox
) -> None:
    raw = "From: José <jose@hollow.example>\r\nSubject: Queja señalada\r\n\r\n¿Qué?\r\n".encode("latin-1")
    with socket.create_connection(("127.0.0.1", dovecot.port), 20) as wire, wire.makefile("rwb") as lines:
        said = [lines.readline()]
        for command in (
            f'a LOGIN "{ACCOUNT}" "{SECRET}"'.encode(),
            b"b APPEND INBOX {%d+}\r\n%s" % (len(raw), raw),
        ):
            lines.write(command + b"\r\n")
            lines.flush()
            said.append(lines.readline())
    assert [line.split()[1] for line in said] == [b"OK", b"OK", b"OK"]
    record = Record()
    record.read(open_mailbox(dovecot.place))
    assert record.raws == [raw]


@pytest.mark.parametrize("name", ["Beschwerden Ä", 'With "quotes"', "A&B", "ethics/2026"])
def test_a_folder_of_any_name_is_read(dovecot: Dovecot, open_mailbox: OpenMailbox, name: str) -> None:
    with dovecot.colleague() as colleague:
        colleague.create_folder(name)
        colleague.append(name, a_mail("There"))
    record = Record()
    record.read(open_mailbox(replace(dovecot.place, folders=(name,))), name)
    assert record.raws == [a_mail("There")]

import smtplib
import socket
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage

import pytest
from imapclient import IMAPClient

from bot.practice.mailserver import MailServerFault, PracticeMail

pytestmark = pytest.mark.contract

BOARD = "ethics@city.test"
RECEIVED = datetime(2026, 3, 6, 21, 59, 58, tzinfo=UTC)
CAROL = "carol@home.test"


@pytest.fixture(scope="module")
def server():
    with PracticeMail(BOARD, lambda: RECEIVED) as found:
        yield found


@pytest.fixture
def mail(server):
    """The server with an empty mailbox and no fault."""
    with mailbox(server) as client:
        client.delete_messages(client.search("ALL"))
        client.expunge()
    server.faults.failing.clear()
    return server


def mailbox(mail) -> IMAPClient:
    client = IMAPClient("127.0.0.1", mail.imap_port, ssl=False, timeout=10)
    client.normalise_times = False
    client.login(mail.account, mail.password)
    client.select_folder("INBOX")
    return client


def in_mailbox(mail):
    with mailbox(mail) as client:
        found = client.fetch(client.search("ALL"), ["BODY.PEEK[]", "INTERNALDATE"])
    return [(one[b"BODY[]"], one[b"INTERNALDATE"]) for _, one in sorted(found.items())]


def a_letter(to=CAROL, subject="2026-001: acknowledgement"):
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = BOARD, to, subject
    letter["Message-ID"] = "<letter-1@city.test>"
    letter.set_content("Your complaint was received.")
    return letter


def sent(mail, letter, to, sender="ethics+b.token@city.test"):
    with smtplib.SMTP("127.0.0.1", mail.smtp_port, timeout=10) as line:
        return line.send_message(letter, from_addr=sender, to_addrs=[to])


def test_a_mail_put_into_the_mailbox_is_read_back_byte_for_byte_with_its_instant(mail):
    raw = b"From: a@b.test\r\nSubject: \xff\r\n\r\nna\xefve \x00 line\r\n"
    mail.put(raw, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    ((body, instant),) = in_mailbox(mail)
    assert body == raw
    assert instant == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize("address", [BOARD, "ethics+r.token@city.test", "Ethics@City.Test"])
def test_mail_to_the_board_goes_into_its_mailbox_at_the_practice_clocks_instant(mail, address):
    before = len(mail.letters)
    sent(mail, a_letter(address), address, sender=CAROL)
    ((body, instant),) = in_mailbox(mail)
    assert message_from_bytes(body)["Message-ID"] == "<letter-1@city.test>"
    assert body.startswith(b"Received: ")
    assert instant == RECEIVED
    assert len(mail.letters) == before


def test_mail_to_anybody_else_is_read_in_his_inbox(mail):
    before = len(mail.inbox(CAROL))
    sent(mail, a_letter(), CAROL)
    letter = mail.wait_for(CAROL, before + 1)[-1]
    assert (letter.subject, letter.envelope_from) == ("2026-001: acknowledgement", "ethics+b.token@city.test")
    assert "was received" in letter.text
    assert in_mailbox(mail) == []


def test_a_failing_address_sends_a_delivery_report_to_the_envelope_sender(mail):
    mail.faults.failing.add("Carol@Home.test")
    before = len(mail.letters)
    sent(mail, a_letter(), CAROL)
    ((body, _),) = in_mailbox(mail)
    report = message_from_bytes(body)
    assert report.get_content_type() == "multipart/report"
    assert report["To"] == "ethics+b.token@city.test"
    _words, status, returned = report.get_payload()
    per_recipient = status.get_payload()[1]
    assert (per_recipient["Action"], per_recipient["Status"]) == ("failed", "5.1.1")
    assert CAROL in per_recipient["Final-Recipient"]
    assert "<letter-1@city.test>" in returned.as_string()
    assert len(mail.letters) == before


def test_a_report_never_answers_a_report(mail):
    mail.faults.failing.add(CAROL)
    sent(mail, a_letter(), CAROL, sender="")
    assert in_mailbox(mail) == []


def test_a_report_goes_to_whoever_sent_the_letter(mail):
    mail.faults.failing.add(CAROL)
    sent(mail, a_letter(), CAROL, sender="manager@city.test")
    assert mail.wait_for("manager@city.test")[-1].envelope_from == ""
    assert in_mailbox(mail) == []


@pytest.mark.parametrize(("fault", "code"), [("refused", 550), ("greylisted", 451)])
def test_a_refused_recipient_is_refused_once_and_then_taken(mail, fault, code):
    before = len(mail.inbox(CAROL))
    setattr(mail.faults, fault, 1)
    with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
        sent(mail, a_letter(), CAROL)
    assert caught.value.recipients[CAROL][0] == code
    assert sent(mail, a_letter(), CAROL) == {}
    assert len(mail.wait_for(CAROL, before + 1)) == before + 1


@pytest.mark.parametrize(
    ("fault", "taken"), [("dropped_before", 0), ("dropped_during", 0), ("dropped_after", 1)]
)
def test_a_cut_connection_leaves_the_letter_taken_or_not(mail, fault, taken):
    before = len(mail.inbox(CAROL))
    setattr(mail.faults, fault, 1)
    with pytest.raises((smtplib.SMTPServerDisconnected, ConnectionError)):
        sent(mail, a_letter(), CAROL)
    assert len(mail.inbox(CAROL)) == before + taken


def test_waiting_for_a_letter_that_does_not_come_ends(mail):
    with pytest.raises(TimeoutError, match="0 of 1"):
        mail.wait_for("nobody@home.test", timeout_s=0.05)


def test_once_stopped_neither_mailbox_nor_relay_answers():
    mail = PracticeMail(BOARD, lambda: RECEIVED).start()
    mail.stop()
    mail.stop()
    with pytest.raises(OSError, match="refused"):
        smtplib.SMTP("127.0.0.1", mail.smtp_port, timeout=5)
    with pytest.raises((OSError, MailServerFault)):
        mail.put(b"Subject: x\r\n\r\n")


def test_a_port_that_somebody_took_meanwhile_is_given_up_for_another():
    with socket.socket() as taken, socket.socket() as other, socket.socket() as third:
        for one in (taken, other, third):
            one.bind(("127.0.0.1", 0))
        first, second, last = (one.getsockname()[1] for one in (taken, other, third))
        other.close()
        third.close()
        ports = iter((first, second, last))
        with PracticeMail(BOARD, lambda: RECEIVED, free_port=lambda: next(ports)) as server:
            assert (server.imap_port, server.smtp_port) == (second, last)


def test_a_password_that_looks_like_an_option_opens_the_mailbox():
    server = PracticeMail(BOARD, lambda: RECEIVED)
    server.password = "--host"
    with server, IMAPClient("127.0.0.1", port=server.imap_port, ssl=False) as client:
        client.login(server.account, server.password)

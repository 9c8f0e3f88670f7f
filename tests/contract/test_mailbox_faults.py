"""The mailbox against servers that misbehave: cut lines, silence, odd answers. Each is noticed, none is fatal."""

import pytest

from intake.mail_login import Password
from intake.mail_urls import Security
from intake.mailbox import (
    Incomplete,
    LoginRefused,
    Mailbox,
    MailboxUnreachable,
    Patience,
    Sighting,
    Vanished,
    Woken,
)
from tests.contract.conftest import OpenMailbox
from tests.contract.mailbox_steps import LIMIT, Record
from tests.contract.scripted_imap import LISTED, USUAL, Answer, ScriptedServer, cut, then_cut

pytestmark = pytest.mark.contract

HASTY = Patience(connect_s=10.0, read_s=0.3)


def listed(mailbox: Mailbox) -> Sighting:
    """The one message of the script."""
    (sighting,) = mailbox.sync("INBOX", Record().known, read_from=None)
    return sighting


@pytest.mark.parametrize(
    "while_idle",
    [
        pytest.param(cut, id="the end"),
        pytest.param(then_cut(b"+ idling\r\n"), id="the end after a good start"),
        pytest.param(then_cut(b"+ idling\r\n* BYE shutting down\r\n"), id="a farewell"),
        pytest.param(then_cut(b"+ idling\r\n* 2 EXI"), id="a split line and the end"),
        pytest.param(b"TAG NO not now\r\n", id="a refusal"),
    ],
)
def test_whatever_ends_the_listening_is_noticed_at_once_and_the_next_call_connects_anew(
    open_mailbox: OpenMailbox, while_idle: Answer
) -> None:
    with ScriptedServer({"IDLE": [while_idle, b"+ idling\r\n"]}) as server:
        mailbox = open_mailbox(server.place)
        listed(mailbox)
        with pytest.raises(MailboxUnreachable):
            mailbox.wait(60)
        assert listed(mailbox).uid == 1
        assert server.commands.count("AUTHENTICATE") == 2
        mailbox.close()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"* 2 EXISTS\r\n+ idling\r\n", id="before the server says that it listens"),
        pytest.param(b"+ idling\r\n* 2 EXISTS\r\n", id="in the same packet, already taken from the network"),
    ],
)
def test_mail_spoken_of_as_the_listening_begins_ends_the_wait(open_mailbox: OpenMailbox, said: bytes) -> None:
    with ScriptedServer({"IDLE": said}) as server:
        mailbox = open_mailbox(server.place)
        listed(mailbox)
        assert mailbox.wait(60) is Woken.MAIL
        mailbox.close()


def test_a_line_that_comes_in_two_pieces_is_one_line(open_mailbox: OpenMailbox) -> None:
    script: dict[str, Answer] = {"IDLE": b"+ idling\r\n* 2 EX", "DONE": b"ISTS\r\nTAG OK done\r\n"}
    with ScriptedServer(script) as server:
        mailbox = open_mailbox(server.place)
        listed(mailbox)
        assert mailbox.wait(60) is Woken.MAIL
        mailbox.close()


def test_chatter_during_the_listening_wakes_nobody(open_mailbox: OpenMailbox) -> None:
    chatter = b"+ idling\r\n* OK Still here\r\n* 1 FETCH (FLAGS (\\Seen))\r\n"
    with ScriptedServer({"IDLE": [chatter, b"+ idling\r\n"]}) as server:
        mailbox = open_mailbox(server.place)
        listed(mailbox)
        assert mailbox.wait(0.3) is Woken.TIME
        assert server.commands.count("IDLE") == 2
        mailbox.close()


def test_mail_that_came_before_the_listening_and_is_not_spoken_of_is_found_all_the_same(
    open_mailbox: OpenMailbox,
) -> None:
    """Some servers tell only of what comes while they are listened to; it must not wait for the next full sync."""
    nothing_new, found = (b"* SEARCH 1\r\nTAG OK done\r\n", b"* SEARCH 1 2\r\nTAG OK done\r\n")
    with ScriptedServer({"SEARCH": [nothing_new, nothing_new, found]}) as server:
        mailbox = open_mailbox(server.place, patience=Patience(look_s=0.05))
        listed(mailbox)
        assert mailbox.wait(600) is Woken.MAIL
        mailbox.close()


def test_the_listening_is_renewed_before_anybody_can_forget_us(open_mailbox: OpenMailbox) -> None:
    assert Patience().renew_s == 9 * 60
    assert Patience().slice_s <= 60
    with ScriptedServer({}) as server:
        mailbox = open_mailbox(server.place, patience=Patience(renew_s=0.05, slice_s=0.02))
        listed(mailbox)
        assert mailbox.wait(0.3) is Woken.TIME
        assert server.commands.count("IDLE") >= 2
        mailbox.close()


def test_a_peer_that_is_silent_when_the_listening_is_renewed_is_given_up(open_mailbox: OpenMailbox) -> None:
    with ScriptedServer({"DONE": None}) as server:
        mailbox = open_mailbox(server.place, patience=Patience(connect_s=10.0, read_s=0.2, renew_s=0.05))
        listed(mailbox)
        with pytest.raises(MailboxUnreachable, match="in time"):
            mailbox.wait(60)


def test_a_server_without_idle_is_waited_for_without_listening(open_mailbox: OpenMailbox) -> None:
    script: dict[str, Answer] = {"CAPABILITY": b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\nTAG OK done\r\n"}
    with ScriptedServer(script) as server:
        mailbox = open_mailbox(server.place)
        listed(mailbox)
        assert mailbox.wait(0.05) is Woken.TIME
        assert "IDLE" not in server.commands
        mailbox.close()


def test_a_connection_cut_in_the_middle_of_a_message_gives_no_message(open_mailbox: OpenMailbox) -> None:
    half = b'* 1 FETCH (UID 1 INTERNALDATE "02-Feb-2026 10:00:00 -0500" BODY[] {20}\r\nSubject'
    with ScriptedServer({"FETCH BODY": [then_cut(half), USUAL["FETCH BODY"]]}) as server:
        mailbox = open_mailbox(server.place)
        sighting = listed(mailbox)
        with pytest.raises(MailboxUnreachable):
            mailbox.fetch_raw(sighting, limit_bytes=LIMIT)
        assert mailbox.fetch_raw(sighting, limit_bytes=LIMIT) == b"Subject: x\r\n\r\n0123\r\n"
        mailbox.close()


def test_a_server_that_falls_silent_in_the_middle_of_a_message_is_given_up(open_mailbox: OpenMailbox) -> None:
    with ScriptedServer({"FETCH BODY": b"* 1 FETCH (UID 1 BODY[] {20}\r\nSubject"}) as server:
        mailbox = open_mailbox(server.place, patience=HASTY)
        sighting = listed(mailbox)
        with pytest.raises(MailboxUnreachable, match="in time"):
            mailbox.fetch_raw(sighting, limit_bytes=LIMIT)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"TAG OK done\r\n", id="OK without bytes"),
        pytest.param(b"* 1 FETCH (UID 1 BODY[] NIL)\r\nTAG OK done\r\n", id="NIL"),
        pytest.param(b"TAG NO [SERVERBUG] cannot read it\r\n", id="a refusal for this message"),
        pytest.param(b"* 1 FETCH (FLAGS (\\Seen))\r\nTAG OK done\r\n", id="flags only"),
    ],
)
def test_a_message_without_bytes_is_not_processed_and_the_connection_goes_on(
    open_mailbox: OpenMailbox, answer: bytes
) -> None:
    with ScriptedServer({"FETCH BODY": answer}) as server:
        mailbox = open_mailbox(server.place)
        sighting = listed(mailbox)
        with pytest.raises(Incomplete):
            mailbox.fetch_raw(sighting, limit_bytes=LIMIT)
        assert listed(mailbox) == sighting
        assert server.commands.count("AUTHENTICATE") == 1
        mailbox.close()


def test_a_message_that_is_neither_given_nor_found_has_vanished(open_mailbox: OpenMailbox) -> None:
    script: dict[str, Answer | list[Answer]] = {
        "FETCH BODY": b"TAG OK done\r\n",
        "SEARCH": [USUAL["SEARCH"], b"* SEARCH\r\nTAG OK done\r\n"],
    }
    with ScriptedServer(script) as server:
        mailbox = open_mailbox(server.place)
        sighting = listed(mailbox)
        with pytest.raises(Vanished):
            mailbox.fetch_raw(sighting, limit_bytes=LIMIT)
        mailbox.close()


def test_a_length_that_disagrees_counts_only_if_a_second_reading_gives_the_same_bytes(
    open_mailbox: OpenMailbox,
) -> None:
    """Some servers only estimate RFC822.SIZE; a cut message does not come out the same twice."""
    estimated = LISTED.replace(b"SIZE 20", b"SIZE 999")
    other = b"* 1 FETCH (UID 1 BODY[] {4}\r\nSubj)\r\nTAG OK done\r\n"
    whole = USUAL["FETCH BODY"]
    with ScriptedServer({"FETCH SIZE": estimated, "FETCH BODY": [whole, other, whole]}) as server:
        mailbox = open_mailbox(server.place)
        sighting = listed(mailbox)
        with pytest.raises(Incomplete):
            mailbox.fetch_raw(sighting, limit_bytes=LIMIT)
        assert mailbox.fetch_raw(sighting, limit_bytes=LIMIT) == b"Subject: x\r\n\r\n0123\r\n"
        mailbox.close()


@pytest.mark.parametrize("date", [b'"99-Foo-2026 10:00:00 -0500"', b'"31-Feb-2026 10:00:00 -0500"', b"NIL"])
def test_one_message_with_an_unreadable_date_hides_no_other_and_is_named(
    open_mailbox: OpenMailbox, date: bytes
) -> None:
    two = LISTED.removesuffix(b"TAG OK done\r\n")
    bad = b"* 2 FETCH (UID 2 RFC822.SIZE 5 INTERNALDATE " + date + b")\r\nTAG OK done\r\n"
    script: dict[str, Answer | list[Answer]] = {
        "SEARCH": b"* SEARCH 1 2\r\nTAG OK done\r\n",
        "FETCH SIZE": [two + bad, LISTED, bad],
    }
    with ScriptedServer(script) as server:
        mailbox = open_mailbox(server.place)
        assert listed(mailbox).uid == 1
        assert mailbox.unlisted == (("INBOX", 2),)
        mailbox.close()


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(LISTED.replace(b"SIZE 20", b"SIZE 21"), id="another size"),
        pytest.param(LISTED.replace(b"10:00:00", b"10:00:01"), id="another date"),
    ],
)
def test_a_mailbox_made_anew_under_an_open_connection_is_noticed_by_size_and_date(
    open_mailbox: OpenMailbox, other: bytes
) -> None:
    with ScriptedServer({"FETCH SIZE": [LISTED, LISTED, other]}) as server:
        mailbox, record = open_mailbox(server.place), Record()
        record.note(listed(mailbox))
        assert list(mailbox.sync("INBOX", record.known, read_from=None)) == []
        (new,) = mailbox.sync("INBOX", record.known, read_from=None)
        assert new.uid == 1
        assert new.seen not in record.known("INBOX", 7)
        assert server.commands.count("AUTHENTICATE") == 1
        mailbox.close()


@pytest.mark.parametrize("code", [b"[UNAVAILABLE] later", b"[INUSE] busy", b"[SERVERBUG] oops"])
def test_a_login_the_server_cannot_take_now_is_no_refused_login(
    open_mailbox: OpenMailbox, code: bytes
) -> None:
    with (
        ScriptedServer({"CREDENTIALS": b"TAG NO " + code + b"\r\n"}) as server,
        pytest.raises(MailboxUnreachable),
    ):
        open_mailbox(server.place).connect()


def test_a_connection_cut_during_the_login_is_no_refused_login(open_mailbox: OpenMailbox) -> None:
    with ScriptedServer({"CREDENTIALS": cut}) as server, pytest.raises(MailboxUnreachable):
        open_mailbox(server.place).connect()


def test_a_password_beyond_ascii_is_sent_where_the_server_can_take_it_and_told_where_it_cannot(
    open_mailbox: OpenMailbox,
) -> None:
    with ScriptedServer({}) as server:
        mailbox = open_mailbox(server.place, Password("pässword"))
        assert "IDLE" in mailbox.connect()
        mailbox.close()
    without: dict[str, Answer] = {"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n"}
    with ScriptedServer(without) as server, pytest.raises(LoginRefused) as refused:
        open_mailbox(server.place, Password("pässword")).connect()
    assert refused.value.__suppress_context__


OFFERED = b"* CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN\r\nTAG OK done\r\n"


@pytest.mark.parametrize(
    ("script", "greeting"),
    [
        ({}, b"* OK ready\r\n"),
        ({"CAPABILITY": OFFERED}, b"* OK ready\r\n"),
        ({"CAPABILITY": OFFERED, "STARTTLS": b"TAG NO not now\r\n"}, b"* OK ready\r\n"),
        ({"CAPABILITY": OFFERED, "STARTTLS": b"TAG OK begin\r\n* OK injected\r\n"}, b"* OK ready\r\n"),
        ({"CAPABILITY": OFFERED, "STARTTLS": cut}, b"* OK ready\r\n"),
        ({"CAPABILITY": OFFERED}, b"* PREAUTH welcome\r\n"),
    ],
    ids=["offer taken away", "unknown", "refused", "words instead of TLS", "cut", "greeted as logged in"],
)
def test_where_starttls_is_asked_for_nothing_is_sent_without_it(
    open_mailbox: OpenMailbox, script: dict[str, Answer], greeting: bytes
) -> None:
    with ScriptedServer(script, greeting=greeting, security=Security.STARTTLS) as server:
        with pytest.raises(MailboxUnreachable):
            open_mailbox(server.place).connect()
        assert set(server.commands) <= {"CAPABILITY", "STARTTLS", "CREDENTIALS"}
        assert "AUTHENTICATE" not in server.commands


def test_nobody_listening_is_said_without_an_address(open_mailbox: OpenMailbox) -> None:
    with ScriptedServer({}) as server:
        place = server.place
    with pytest.raises(MailboxUnreachable) as unreachable:
        open_mailbox(place).connect()
    assert "takes no connections" in str(unreachable.value)
    assert place.host not in str(unreachable.value)

"""Letters against real and misbehaving relays: what each answer means for the letter (L3)."""

import email
import email.policy
import socket
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from intake.mail_login import AccessToken, Login, Password
from intake.mail_urls import MailServer, Security
from intake.smtp import Composition, Enclosure, SmtpPostman, compose
from store.ports import Delivery, DeliveryState, OutgoingMail
from tests.contract.certificates import LONG_AGO, Authority
from tests.contract.dovecot import ACCOUNT, SECRET
from tests.contract.relays import CUT, Kept, ScriptedRelay, relay, server_tls

pytestmark = pytest.mark.contract

CITY = timezone(timedelta(hours=-5))
BIG_LETTER = b"%PDF-1.7\r\n" + bytes(range(256)) * 20_000


def a_letter(
    *, to: str = "someone@mail.example", enclosure: bytes = b"%PDF-1.7", text: str = "Dear complainant"
) -> OutgoingMail:
    """A letter as the post office composes it."""
    return compose(
        Composition(
            sender="ethics@city.example",
            sender_name="Board of Ethics",
            to=to,
            subject="2026-007: acknowledgement",
            text=text,
            enclosures=[Enclosure("2026-007-acknowledgement.pdf", "application/pdf", enclosure)],
            message_id="<q7w8e9@city.example>",
            token="k3m5p7",
            dated=datetime(2026, 2, 2, 10, 0, tzinfo=CITY),
        )
    )


def sent(
    place: MailServer, mail: OutgoingMail, *, login: Login | None = None, ca: Path | None = None
) -> Delivery:
    """Try once, with short patience."""
    return SmtpPostman(place, login, ca, timeout_s=10.0, verdict_timeout_s=10.0).send(mail)


def plain(port: int) -> MailServer:
    return MailServer("127.0.0.1", port, "", Security.PLAIN)


def test_a_relay_gets_the_letter_byte_for_byte_from_the_tagged_sender_to_the_one_recipient() -> None:
    kept = Kept()
    mail = a_letter(text=".a line that begins with a dot\n..two\n.\nThe end")
    with relay(kept) as port:
        delivery = sent(plain(port), mail)
    assert delivery.state is DeliveryState.ACCEPTED
    (envelope,) = kept.envelopes
    assert (envelope.mail_from, envelope.rcpt_tos) == (
        "ethics+b.k3m5p7@city.example",
        ["someone@mail.example"],
    )
    assert envelope.original_content == mail.raw


def test_the_enclosed_pdf_arrives_as_it_was() -> None:
    kept = Kept()
    with relay(kept) as port:
        sent(plain(port), a_letter(enclosure=BIG_LETTER))
    content = kept.envelopes[0].original_content
    assert content is not None
    message = email.message_from_bytes(content, policy=email.policy.default)
    (enclosure,) = message.iter_attachments()
    assert enclosure.get_content() == BIG_LETTER


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("451 4.7.1 greylisted, come back", DeliveryState.TRY_LATER),
        ("452 4.2.2 mailbox full", DeliveryState.TRY_LATER),
        ("550 5.1.1 no such person", DeliveryState.REFUSED_FOR_GOOD),
        ("554 5.7.1 policy", DeliveryState.REFUSED_FOR_GOOD),
    ],
)
@pytest.mark.parametrize("where", ["recipient", "letter"])
def test_four_hundred_is_tried_later_and_five_hundred_is_for_good(
    where: str, answer: str, state: DeliveryState
) -> None:
    kept = Kept(rcpt_answer=answer) if where == "recipient" else Kept(data_answer=answer)
    with relay(kept) as port:
        assert sent(plain(port), a_letter()).state is state
    assert kept.envelopes == []


def test_what_a_relay_says_is_kept_without_addresses() -> None:
    kept = Kept(rcpt_answer="550 5.1.1 <someone@mail.example>: unknown at mail.example")
    with relay(kept) as port:
        delivery = sent(plain(port), a_letter())
    assert "someone@" not in delivery.detail
    assert delivery.detail.startswith("550 5.1.1")


@pytest.mark.parametrize("step", ["GREETING", "EHLO", "MAIL", "RCPT", "DATA"])
def test_a_connection_lost_before_the_letter_is_tried_again(step: str) -> None:
    with ScriptedRelay({step: CUT}) as server:
        assert sent(server.place, a_letter()).state is DeliveryState.TRY_LATER
    assert server.bodies == []


@pytest.mark.parametrize("step", ["GREETING", "EHLO", "MAIL", "RCPT", "DATA"])
def test_a_relay_that_hangs_before_the_letter_is_given_up_in_time_and_tried_again(step: str) -> None:
    with ScriptedRelay({step: b"SILENT"}) as server:
        delivery = SmtpPostman(server.place, timeout_s=0.3).send(a_letter())
    assert delivery.state is DeliveryState.TRY_LATER
    assert delivery.detail
    assert server.bodies == []


def test_letters_go_by_the_box_itself_where_a_relay_lets_no_tagged_sender_send() -> None:
    """Decisions 28."""
    answers = iter([b"550 5.7.60 may not send as this sender", b"250 ok"])

    class Choosy(ScriptedRelay):
        def _answer(self, connection: socket.socket, name: str) -> bool:
            if name == "MAIL":
                connection.sendall(next(answers) + b"\r\n")
                return True
            return super()._answer(connection, "QUIT" if name == "RSET" else name)

    with Choosy({"RSET": b"250 ok", "QUIT": b"250 ok"}) as server:
        assert sent(server.place, a_letter()).state is DeliveryState.ACCEPTED
    tagged, plain_sender = [line for line in server.lines if line.upper().startswith("MAIL")]
    assert ("+b." in tagged, "+" in plain_sender.partition(">")[0]) == (True, False)


def test_a_connection_lost_during_the_letter_is_tried_again_because_its_final_dot_was_never_sent() -> None:
    """A letter small enough to lie whole in the network's buffers cannot be told from a sent one: uncertain."""
    with ScriptedRelay({"BODY": CUT, "EHLO": b"250 relay"}) as server:
        assert sent(server.place, a_letter(enclosure=BIG_LETTER)).state is DeliveryState.TRY_LATER
    with ScriptedRelay({"BODY": CUT, "EHLO": b"250 relay"}) as server:
        small = sent(server.place, a_letter(enclosure=BIG_LETTER[:2_000]))
    assert small.state is DeliveryState.UNCERTAIN


@pytest.mark.parametrize("answer", [CUT, b"SILENT", b"what?", b"354 more", b"25"])
def test_no_clear_answer_after_the_whole_letter_leaves_it_uncertain(answer: bytes) -> None:
    """The relay may have it; sending again could serve a letter twice."""
    with ScriptedRelay({"DOT": answer}) as server:
        postman = SmtpPostman(server.place, timeout_s=10.0, verdict_timeout_s=0.3)
        assert postman.send(a_letter()).state is DeliveryState.UNCERTAIN
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (b"250 queued", DeliveryState.ACCEPTED),
        (b"421 4.3.2 shutting down", DeliveryState.TRY_LATER),
        (b"554 5.6.0 not this", DeliveryState.REFUSED_FOR_GOOD),
    ],
)
def test_a_clear_answer_after_the_whole_letter_counts(answer: bytes, state: DeliveryState) -> None:
    with ScriptedRelay({"DOT": answer}) as server:
        assert sent(server.place, a_letter()).state is state


def test_a_connection_lost_after_the_answer_changes_nothing() -> None:
    with ScriptedRelay({"QUIT": CUT}) as server:
        assert sent(server.place, a_letter()).state is DeliveryState.ACCEPTED


@pytest.mark.parametrize("answer", [b"530 5.7.0 log in first", b"550 5.7.1 not your sender", b"451 later"])
def test_what_a_relay_has_against_our_own_sender_is_not_the_recipients_doing(answer: bytes) -> None:
    with ScriptedRelay({"MAIL": answer}) as server:
        assert sent(server.place, a_letter()).state is DeliveryState.TRY_LATER


def test_reports_of_failure_and_delay_are_asked_for_with_the_letters_token() -> None:
    with ScriptedRelay({}) as server:
        sent(server.place, a_letter(to="some+one=x@mail.example"))
    (sender,) = [line for line in server.lines if line.upper().startswith("MAIL")]
    (recipient,) = [line for line in server.lines if line.upper().startswith("RCPT")]
    assert " RET=HDRS ENVID=k3m5p7" in sender
    assert recipient.endswith(" NOTIFY=FAILURE,DELAY ORCPT=rfc822;some+2Bone+3Dx@mail.example")


def test_a_relay_that_makes_no_reports_is_not_asked_for_them() -> None:
    with ScriptedRelay({"EHLO": b"250 relay"}) as server:
        assert sent(server.place, a_letter()).state is DeliveryState.ACCEPTED
    assert not any("NOTIFY" in line or "ENVID" in line or "SIZE" in line for line in server.lines)


def test_a_letter_larger_than_the_relay_takes_is_not_sent_at_all() -> None:
    with ScriptedRelay({}) as server:
        delivery = sent(server.place, a_letter(enclosure=BIG_LETTER))
    assert delivery.state is DeliveryState.REFUSED_FOR_GOOD
    assert "100000" in delivery.detail
    assert not any(line.upper().startswith("MAIL") for line in server.lines)


def test_an_address_beyond_ascii_goes_to_relays_that_take_it_and_to_no_other() -> None:
    kept = Kept()
    with relay(kept) as port:
        assert sent(plain(port), a_letter(to="jörg@mail.example")).state is DeliveryState.ACCEPTED
    assert kept.envelopes[0].rcpt_tos == ["jörg@mail.example"]
    with ScriptedRelay({}) as server:
        refused = sent(server.place, a_letter(to="jörg@mail.example"))
    assert refused.state is DeliveryState.REFUSED_FOR_GOOD
    assert "paper" in refused.detail


def starttls(port: int) -> MailServer:
    return MailServer("localhost", port, ACCOUNT, Security.STARTTLS)


def test_starttls_with_the_citys_own_authority_carries_login_and_letter(authority: Authority) -> None:
    kept = Kept()
    with relay(
        kept,
        certificate=authority.certify("localhost"),
        require_starttls=True,
        authenticator=kept.authenticate,
    ) as port:
        delivery = sent(starttls(port), a_letter(), login=Password(SECRET), ca=authority.root)
    assert delivery.state is DeliveryState.ACCEPTED
    assert kept.sent_over_tls == [True]
    assert kept.logged_in == [ACCOUNT.encode()]


def test_tls_from_the_first_byte_carries_the_letter(authority: Authority) -> None:
    kept = Kept()
    context = server_tls(authority.certify("localhost"))
    with relay(kept, ssl_context=context) as port:
        place = MailServer("localhost", port, "", Security.TLS)
        assert sent(place, a_letter(), ca=authority.root).state is DeliveryState.ACCEPTED
        assert sent(place, a_letter()).state is DeliveryState.TRY_LATER
    assert len(kept.envelopes) == 1


@pytest.mark.parametrize("fault", ["unknown authority", "expired", "another host"])
def test_a_certificate_that_proves_nothing_gets_neither_login_nor_letter(
    authority: Authority, fault: str
) -> None:
    kept = Kept()
    host = "elsewhere.example" if fault == "another host" else "localhost"
    certificate = authority.certify(host, until=LONG_AGO) if fault == "expired" else authority.certify(host)
    with relay(kept, certificate=certificate, authenticator=kept.authenticate) as port:
        ca = None if fault == "unknown authority" else authority.root
        delivery = sent(starttls(port), a_letter(), login=Password(SECRET), ca=ca)
    assert delivery.state is DeliveryState.TRY_LATER
    assert "certificate" in delivery.detail
    assert (kept.envelopes, kept.logged_in) == ([], [])


def test_a_relay_that_offers_no_starttls_gets_neither_login_nor_letter() -> None:
    with ScriptedRelay({}) as server:
        place = MailServer("localhost", server.place.port, ACCOUNT, Security.STARTTLS)
        delivery = sent(place, a_letter(), login=Password(SECRET))
    assert delivery.state is DeliveryState.TRY_LATER
    assert "STARTTLS" in delivery.detail
    assert not any(line.upper().startswith(("AUTH", "MAIL")) for line in server.lines)


def test_a_refused_login_is_tried_later_and_its_text_shows_no_secret() -> None:
    with ScriptedRelay({"AUTH": b"535 5.7.8 wrong"}) as server:
        delivery = sent(server.place, a_letter(), login=Password("wrong horse"))
    assert delivery.state is DeliveryState.TRY_LATER
    assert "login" in delivery.detail
    assert "horse" not in delivery.detail


def test_a_password_beyond_ascii_is_said_to_be_one_and_nothing_breaks() -> None:
    with ScriptedRelay({}) as server:
        delivery = sent(server.place, a_letter(), login=Password("pässword"))
    assert delivery.state is DeliveryState.TRY_LATER
    assert "ASCII" in delivery.detail


def test_an_access_token_logs_in_and_a_stale_one_ends_with_an_empty_answer() -> None:
    with ScriptedRelay({}) as server:
        token = AccessToken(lambda: "good-token")
        assert sent(server.place, a_letter(), login=token).state is DeliveryState.ACCEPTED
    assert any(line.startswith("AUTH XOAUTH2 ") for line in server.lines)
    with ScriptedRelay({"AUTH": b"334 eyJzdGF0dXMiOiI0MDAifQ=="}) as server:
        assert sent(server.place, a_letter(), login=token).state is DeliveryState.TRY_LATER
    assert "" in server.lines
    assert not any(line.startswith("MAIL") for line in server.lines)


def test_a_relay_that_is_not_there_is_tried_later() -> None:
    with ScriptedRelay({}) as server:
        place = server.place
    assert sent(place, a_letter()).state is DeliveryState.TRY_LATER

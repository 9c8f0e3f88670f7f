"""A letter as it is sent: one recipient, plain text first, no header that anybody could have put there."""

import email
import email.policy
import re
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.smtp import BadAddress, Composition, Enclosure, compose, envelope_sender, reply_to

LETTER = Composition(
    sender="ethics@city.example",
    sender_name="Board of Ethics",
    to="someone@mail.example",
    subject="2026-007: receipt of your complaint",
    text="Your complaint was received.\n",
    enclosures=(Enclosure("2026-007.pdf", "application/pdf", b"%PDF-1.7 \x00\xff\r\n"),),
    message_id="<q7w8e9@city.example>",
    token="k3m5p7",
    dated=datetime(2026, 2, 2, 15, 0, tzinfo=UTC),
    in_reply_to="<their-id@mail.example>",
    auto_submitted="auto-replied",
)
OURS = {
    *(
        "From",
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "Reply-To",
        "Auto-Submitted",
        "X-Auto-Response-Suppress",
    ),
    *("In-Reply-To", "References", "MIME-Version", "Content-Type"),
}


def read(letter: Composition) -> EmailMessage:
    """The letter as its reader's mail program sees it."""
    message = email.message_from_bytes(compose(letter).raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_the_same_letter_gives_the_same_bytes() -> None:
    assert compose(LETTER).raw == compose(replace(LETTER)).raw


@pytest.mark.parametrize("kind", ["words ", "Wörter ", "unbroken"])
def test_a_subject_of_any_length_begins_on_the_line_of_its_name_and_is_read_back_whole(kind: str) -> None:
    for length in range(1, 200):
        subject = (kind * 40)[:length].strip()
        raw = compose(replace(LETTER, subject=subject)).raw
        head = raw.partition(b"\r\n\r\n")[0]
        assert re.search(rb"(?m)^Subject: \S", head), subject
        assert read(replace(LETTER, subject=subject))["Subject"] == subject
        if kind != "unbroken":
            assert max(map(len, head.split(b"\r\n"))) <= 78


def test_text_comes_first_and_the_pdf_is_attached_byte_for_byte() -> None:
    text, pdf = read(LETTER).iter_parts()
    assert (text.get_content_type(), text.get_content().splitlines()) == (
        "text/plain",
        [LETTER.text.rstrip()],
    )
    assert (pdf.get_content_type(), pdf.get_filename()) == ("application/pdf", "2026-007.pdf")
    assert pdf.get_content() == LETTER.enclosures[0].content


def test_the_headers_say_that_a_machine_answered_and_where_answers_and_bounces_go() -> None:
    mail, message = compose(LETTER), read(LETTER)
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Reply-To"] == "ethics+r.k3m5p7@city.example"
    assert message["In-Reply-To"] == "<their-id@mail.example>"
    assert (mail.envelope_from, mail.envelope_id) == ("ethics+b.k3m5p7@city.example", "k3m5p7")
    assert set(message.keys()) == OURS  # no Precedence, no List-*


def test_the_wire_is_seven_bits_and_every_line_ends_as_smtp_wants_it() -> None:
    raw = compose(replace(LETTER, text="Sehr geehrte Frau Müller — " + "ä" * 2_000)).raw
    assert raw.isascii()
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", raw)
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998


def test_a_long_message_id_of_theirs_stays_one_word_so_that_their_mail_program_finds_the_thread() -> None:
    theirs = "<" + "a1b2" * 50 + "@a-long-host-name.outlook.example>"
    raw = compose(replace(LETTER, in_reply_to=theirs)).raw
    assert b"\r\nIn-Reply-To: " + theirs.encode() + b"\r\n" in raw
    assert b"\r\nReferences: " + theirs.encode() + b"\r\n" in raw


@pytest.mark.parametrize(
    "theirs",
    ["", "no brackets", "<two words@x>", "<a@b>\r\nBcc: x@y.example", "<ü@x>", "<" + "a" * 1_000 + ">"],
)
def test_what_is_no_message_id_is_left_out(theirs: str) -> None:
    message = read(replace(LETTER, in_reply_to=theirs))
    assert message["In-Reply-To"] is None
    assert message["Bcc"] is None


@given(st.text(), st.text(), st.text())
def test_no_text_becomes_a_header_of_its_own(subject: str, name: str, file_name: str) -> None:
    evil = "x\r\nBcc: other@mail.example\r\n\r\nbody"
    enclosure = Enclosure(file_name + evil, "application/pdf", b"%PDF-1.7")
    message = read(replace(LETTER, subject=subject + evil, sender_name=name + evil, enclosures=(enclosure,)))
    assert set(message.keys()) == OURS
    assert len(list(message.iter_parts())) == 2


@pytest.mark.parametrize(
    "to",
    [
        *(
            "",
            "someone",
            "a@mail.example, b@mail.example",
            "a@mail.example;b@mail.example",
            "<a@mail.example>",
        ),
        *(
            "a@mail.example\r\nBcc: b@mail.example",
            "a@mail.example\x00",
            "A <a@mail.example>",
            "a b@mail.example",
        ),
    ],
)
def test_what_is_not_one_bare_address_gets_no_letter_and_is_not_repeated(to: str) -> None:
    with pytest.raises(BadAddress) as refused:
        compose(replace(LETTER, to=to))
    assert "mail.example" not in str(refused.value)


@pytest.mark.parametrize(
    ("to", "on_the_wire"),
    [
        ("someone@MAIL.example", "someone@mail.example"),
        ("someone@müller.example", "someone@xn--mller-kva.example"),
        ("jörg@mail.example", "jörg@mail.example"),
        ('"some one"@mail.example', '"some one"@mail.example'),
    ],
)
def test_an_address_goes_in_ascii_where_it_can(to: str, on_the_wire: str) -> None:
    mail = compose(replace(LETTER, to=to))
    assert mail.to == on_the_wire
    assert f"\r\nTo: {on_the_wire}\r\n".encode() in mail.raw


def test_a_letter_dated_without_a_zone_is_none() -> None:
    with pytest.raises(ValueError, match="zone"):
        compose(replace(LETTER, dated=datetime(2026, 2, 2)))  # noqa: DTZ001  the fault itself


def test_tagged_addresses_keep_the_domain_so_that_spf_aligns() -> None:
    assert reply_to("ethics@city.example", "k3m5p7") == "ethics+r.k3m5p7@city.example"
    assert envelope_sender("ethics@city.example", "k3m5p7") == "ethics+b.k3m5p7@city.example"
    for token in ("", "a b", "a@b", "a\r\nb", "ä"):
        with pytest.raises(ValueError, match="token"):
            reply_to("ethics@city.example", token)

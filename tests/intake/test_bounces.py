"""Delivery reports in every shape find their letter, and what is none is not taken for one."""

import pytest

from intake.bounces import Action, read_report
from intake.message import read_mail
from intake.triage import MatchKind, Outcome
from tests.intake.mail_builders import BOX, a_mail, context, judged, pdf_part

NOTICE = "<notice-0007-1.h4k9pd@ethics.bramwell-ky.example>"
VERP = "complaints+b.h4k9pd@ethics.bramwell-ky.example"
SERVER = {
    "Return-Path": "<>",
    "From": "Mail Delivery System <MAILER-DAEMON@mx.example>",
    "To": BOX,
    "Subject": "Undelivered",
}


def status_part(*groups: str, subtype: str = "delivery-status") -> bytes:
    return (
        f"Content-Type: message/{subtype}\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n".encode()
        + "\r\n\r\n".join(groups).encode()
    )


def a_report(*parts: bytes, headers: dict[str, str | None] | None = None) -> bytes:
    return a_mail(
        *parts,
        text="report",
        subtype="report; report-type=delivery-status",
        headers={**SERVER, **(headers or {})},
    )


FAILED = "Final-Recipient: rfc822; d.whitlow@bramwell-ky.example\r\nAction: failed\r\nStatus: 5.1.1"
RETURNED = (
    b"Content-Type: message/rfc822\r\n\r\nMessage-ID: " + NOTICE.encode() + b"\r\nSubject: x\r\n\r\nbody"
)


@pytest.mark.parametrize(
    ("group", "action", "status", "outcome"),
    [
        (FAILED, Action.FAILED, "5.1.1", Outcome.BOUNCE_MATCHED),
        (FAILED.replace("failed", "Failed (bounced)"), Action.FAILED, "5.1.1", Outcome.BOUNCE_MATCHED),
        (
            FAILED.replace("failed", "delayed").replace("5.1.1", "4.4.7"),
            Action.DELAYED,
            "4.4.7",
            Outcome.BOUNCE_MATCHED,
        ),
        (
            FAILED.replace("failed", "delivered").replace("5.1.1", "2.0.0"),
            Action.DELIVERED,
            "2.0.0",
            Outcome.RECEIPT_NOTED,
        ),
        (
            FAILED.replace("failed", "relayed").replace("5.1.1", "2.0.0"),
            Action.RELAYED,
            "2.0.0",
            Outcome.RECEIPT_NOTED,
        ),
        (
            FAILED.replace("failed", "expanded").replace("5.1.1", "2.0.0"),
            Action.EXPANDED,
            "2.0.0",
            Outcome.RECEIPT_NOTED,
        ),
        (FAILED.replace("Action: failed\r\n", ""), Action.FAILED, "5.1.1", Outcome.BOUNCE_MATCHED),
        (FAILED.replace("\r\nStatus: 5.1.1", ""), Action.FAILED, None, Outcome.BOUNCE_MATCHED),
        (
            FAILED.replace("Status: 5.1.1", "Diagnostic-Code: smtp; 550\r\n 5.7.1 no"),
            Action.FAILED,
            "5.7.1",
            Outcome.BOUNCE_MATCHED,
        ),
    ],
)
def test_what_a_server_did_is_read_from_its_report(
    group: str, action: Action, status: str | None, outcome: Outcome
) -> None:
    told = judged(a_report(status_part(group), RETURNED))
    assert told.bounce is not None
    assert (told.outcome, told.bounce.action, told.bounce.status) == (outcome, action, status)
    assert (told.number, told.ack) == ("EC-2026-0007", False)


@pytest.mark.parametrize(
    ("report", "match"),
    [
        (a_report(status_part(FAILED), headers={"To": VERP}), MatchKind.ENVELOPE),
        (a_report(status_part("Original-Envelope-Id: H4K9PD", FAILED)), MatchKind.ENVELOPE_ID),
        (a_report(status_part(FAILED), RETURNED), MatchKind.RETURNED_ID),
        (
            a_report(
                status_part(FAILED),
                b"Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: " + NOTICE.encode(),
            ),
            MatchKind.RETURNED_ID,
        ),
        (a_report(status_part(FAILED), headers={"References": NOTICE}), MatchKind.RETURNED_ID),
        (a_report(status_part(FAILED)), MatchKind.RECIPIENT),
    ],
)
def test_a_report_finds_its_letter_by_each_of_four_ways(report: bytes, match: MatchKind) -> None:
    told = judged(report)
    assert (told.outcome, told.match, told.number) == (Outcome.BOUNCE_MATCHED, match, "EC-2026-0007")


def test_the_envelope_address_weighs_more_than_a_returned_identifier() -> None:
    report = a_report(
        status_part(FAILED), RETURNED, headers={"To": "complaints+b.t8w3nb@ethics.bramwell-ky.example"}
    )
    assert judged(report).number == "EC-2026-0009"


def test_of_several_recipients_ours_counts() -> None:
    other = FAILED.replace("d.whitlow@bramwell-ky.example", "x@y.example").replace("failed", "delivered")
    told = judged(a_report(status_part(other, FAILED), RETURNED))
    assert told.bounce is not None
    assert (told.bounce.action, told.bounce.recipient) == (Action.FAILED, "d.whitlow@bramwell-ky.example")


def test_of_several_strange_recipients_the_worst_counts() -> None:
    groups = [
        FAILED.replace("d.whitlow", f"alias{at}").replace("failed", one)
        for at, one in enumerate(("delivered", "failed", "delayed"))
    ]
    told = judged(a_report(status_part(*groups), RETURNED))
    assert told.bounce is not None
    assert told.bounce.action is Action.FAILED


def test_an_internationalised_report_is_read_with_its_escapes() -> None:
    group = "Final-Recipient: utf-8; jos\\x{E9}@pe\\x{F1}a.example\r\nAction: failed\r\nStatus: 5.1.1"
    report = read_report(read_mail(a_report(status_part(group, subtype="global-delivery-status"))))
    assert report is not None
    assert report.recipients[0].addresses == ("josé@peña.example",)


QMAIL = """Hi. This is the qmail-send program at mx.example.
I'm afraid I wasn't able to deliver your message to the following addresses.

<d.whitlow@bramwell-ky.example>:
192.0.2.1 does not like recipient.
Remote host said: 550 5.1.1 no such user

--- Below this line is a copy of the message.

Message-ID: <notice-0007-1.h4k9pd@ethics.bramwell-ky.example>
"""


def test_a_report_of_qmail_is_read_from_its_words() -> None:
    told = judged(a_mail(text=QMAIL, headers={**SERVER, "Subject": "failure notice"}))
    assert told.bounce is not None
    assert (told.outcome, told.number) == (Outcome.BOUNCE_MATCHED, "EC-2026-0007")
    assert (told.bounce.status, told.bounce.recipient) == ("5.1.1", "d.whitlow@bramwell-ky.example")


def test_a_report_of_exim_is_read_from_its_header() -> None:
    headers = {
        **SERVER,
        "X-Failed-Recipients": "d.whitlow@bramwell-ky.example",
        "Subject": "Mail delivery failed",
    }
    assert judged(a_mail(text="A message could not be delivered.", headers=headers)).number == "EC-2026-0007"


@pytest.mark.parametrize(
    ("text", "action"),
    [("Sorry.", Action.FAILED), ("The message is delayed and still being retried.", Action.DELAYED)],
)
def test_a_bare_mail_from_a_server_to_an_envelope_address_is_a_bounce_of_that_letter(
    text: str, action: Action
) -> None:
    told = judged(a_mail(text=text, headers={**SERVER, "To": VERP, "Subject": "hello"}))
    assert told.bounce is not None
    assert (told.outcome, told.match, told.bounce.action) == (
        Outcome.BOUNCE_MATCHED,
        MatchKind.ENVELOPE,
        action,
    )


def test_an_absence_notice_to_an_envelope_address_is_no_bounce() -> None:
    headers = {
        **SERVER,
        "From": "d.whitlow@bramwell-ky.example",
        "To": VERP,
        "Subject": "Automatic reply: Notice",
    }
    assert judged(a_mail(text="Away.", headers=headers)).outcome is Outcome.AUTO_REPLY_IGNORED


def test_a_report_of_a_letter_that_we_did_not_send_goes_to_a_person() -> None:
    strange = FAILED.replace("d.whitlow@bramwell-ky.example", "x@y.example")
    told = judged(a_report(status_part(strange)))
    assert (told.outcome, told.number, told.ack) == (Outcome.NEEDS_REVIEW, None, False)


def test_a_recipient_with_two_letters_is_not_guessed_at() -> None:
    known = context()
    known = context(sent=(*known.sent, known.sent[2]))
    assert judged(a_report(status_part(FAILED)), known).outcome is Outcome.NEEDS_REVIEW


def test_a_person_who_attaches_a_report_as_evidence_sends_none() -> None:
    assert read_report(read_mail(a_mail(pdf_part(), status_part(FAILED)))) is None


def a_receipt(disposition: str, original: str = NOTICE) -> bytes:
    part = (
        "Content-Type: message/disposition-notification\r\n\r\nFinal-Recipient: rfc822; d.whitlow@bramwell-ky.example\r\n"
        f"Original-Message-ID: {original}\r\nDisposition: {disposition}\r\n"
    )
    headers = {"From": "d.whitlow@bramwell-ky.example", "To": BOX, "Subject": "Read: Notice"}
    return a_mail(part.encode(), subtype="report; report-type=disposition-notification", headers=headers)


@pytest.mark.parametrize(
    ("disposition", "action"),
    [
        ("manual-action/MDN-sent-manually; displayed", Action.READ),
        ("automatic-action/MDN-sent-automatically; deleted", Action.UNREAD),
        ("manual-action/MDN-sent-automatically; failed", Action.UNREAD),
    ],
)
def test_a_read_receipt_is_noted_and_fails_nothing(disposition: str, action: Action) -> None:
    told = judged(a_receipt(disposition))
    assert told.bounce is not None
    assert (told.outcome, told.number, told.bounce.action) == (Outcome.RECEIPT_NOTED, "EC-2026-0007", action)


def test_a_read_receipt_for_nothing_of_ours_goes_to_a_person() -> None:
    told = judged(
        a_receipt("manual-action/MDN-sent-manually; displayed", "<other@x.example>"), context(sent=())
    )
    assert told.outcome is Outcome.NEEDS_REVIEW


def test_a_read_receipt_in_words_is_noted() -> None:
    headers = {
        "From": "d.whitlow@bramwell-ky.example",
        "To": BOX,
        "Subject": "Read: Notice",
        "In-Reply-To": NOTICE,
    }
    told = judged(a_mail(text="Your message was read on Monday.", headers=headers))
    assert (told.outcome, told.number) == (Outcome.RECEIPT_NOTED, "EC-2026-0007")


PERSON = {"Return-Path": "<d.whitlow@bramwell-ky.example>"}


@pytest.mark.parametrize(
    "headers",
    [
        PERSON,
        {**PERSON, "From": "d.whitlow@bramwell-ky.example"},
        {**PERSON, "To": "complaints+r.h4k9pd@ethics.bramwell-ky.example"},
        {**PERSON, "X-Failed-Recipients": "d.whitlow@bramwell-ky.example", "References": NOTICE},
    ],
)
@pytest.mark.parametrize("structured", [True, False])
def test_what_a_mailbox_handed_in_moves_no_letter_though_it_says_that_one_came_back(
    headers: dict[str, str | None], *, structured: bool
) -> None:
    plain = {**SERVER, "Subject": "failure notice", **headers}
    raw = (
        a_report(status_part(FAILED), RETURNED, headers=headers)
        if structured
        else a_mail(text=QMAIL, headers=plain)
    )
    told = judged(raw)
    assert told.outcome is not Outcome.BOUNCE_MATCHED
    assert told.number is None


def test_a_report_to_the_envelope_address_counts_whoever_handed_it_in() -> None:
    told = judged(a_report(status_part(FAILED), headers={**PERSON, "To": VERP}))
    assert (told.outcome, told.match) == (Outcome.BOUNCE_MATCHED, MatchKind.ENVELOPE)

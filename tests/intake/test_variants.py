"""The kinds of mail in other words, languages, vendors and shapes than the case files: each gets its right place."""

import base64
import binascii
import io
import quopri
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from intake.message import read_mail
from intake.triage import Disposition, Outcome
from tests.intake.mail_builders import (
    BOX,
    MANAGER,
    PASSES,
    PDF,
    a_mail,
    context,
    forwarded_part,
    judged,
    part,
    pdf_part,
    sha256,
)

OLA, MARTA, DALE, STANG = (
    "Ola Fenn <ola.fenn@quarry.example>",
    "Marta Quill <marta.quill@riverbend.example>",
    "Dale Whitlow <d.whitlow@bramwell-ky.example>",
    "R. Stang <r.stang@bramwell-ky.example>",
)
ACK = "<ack-0007-1.q7m2zt@ethics.bramwell-ky.example>"
CURE = "<cure-0009-1.t8w3nb@ethics.bramwell-ky.example>"
NOTICE = "<notice-0007-1.h4k9pd@ethics.bramwell-ky.example>"
REPRIMAND = "<reprimand-0005-1.v6c1xs@ethics.bramwell-ky.example>"
ACK_BOUNCE = "complaints+b.q7m2zt@ethics.bramwell-ky.example"
NOTICE_BOUNCE = "complaints+b.h4k9pd@ethics.bramwell-ky.example"
SEVEN, NINE, FIVE = "EC-2026-0007", "EC-2026-0009", "EC-2026-0005"

Headers = Mapping[str, str | None]


def signed(*more: bytes, text: str = "Please see the attached complaint.", **headers: str | None) -> bytes:
    """A mail with a PDF."""
    return a_mail(pdf_part(), *more, text=text, headers=_named(headers))


def words(text: str = "Thank you.", **headers: str | None) -> bytes:
    """A mail of text alone."""
    return a_mail(text=text, headers=_named(headers))


def _named(headers: Headers) -> dict[str, str | None]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def report(
    fields: str,
    *,
    returned: bytes = b"",
    text: str = "Delivery failed.",
    kind: str = "delivery-status",
    report_type: str = "delivery-status",
    **headers: str | None,
) -> bytes:
    """A report: words, machine-readable fields, and what comes back."""
    usual: dict[str, str | None] = {
        "Return_Path": "<>",
        "From": "MAILER-DAEMON@mx.example",
        "To": ACK_BOUNCE,
        "Subject": "Undelivered Mail Returned to Sender",
        "Message_ID": "<r@mx.example>",
    }
    parts = [f"Content-Type: message/{kind}\r\n\r\n".encode() + fields.replace("\n", "\r\n").encode()]
    if returned:
        parts.append(returned)
    raw = a_mail(*parts, text=text, headers=_named({**usual, **headers}))
    return raw.replace(b"multipart/mixed;", f"multipart/report; report-type={report_type};".encode(), 1)


def zipped(*members: tuple[str, bytes]) -> bytes:
    """An archive."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return held.getvalue()


@dataclass(frozen=True)
class Expected:
    """What must become of a mail; what is None is not looked at."""

    outcome: Outcome
    number: str | None = ""
    ack: bool | None = None
    reason: str | None = None
    flags: frozenset[str] = field(default_factory=frozenset)
    action: str | None = None
    pdfs: int | None = None


def expect(outcome: Outcome, *flags: str, **more: object) -> Expected:
    return Expected(outcome, flags=frozenset(flags), **more)  # type: ignore[arg-type]  the attributes above


FILED, CURE_N, REVIEW = Outcome.FILED, Outcome.CURE_NOTICE, Outcome.NEEDS_REVIEW
BOUNCED, NOTED, IGNORED = Outcome.BOUNCE_MATCHED, Outcome.RECEIPT_NOTED, Outcome.AUTO_REPLY_IGNORED
RESPONSE, CURED, DEMAND = Outcome.RESPONSE_RECEIVED, Outcome.CURE_RECEIVED, Outcome.HEARING_DEMAND_RECEIVED

HARD = "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; marta.quill@riverbend.example\nAction: failed\nStatus: 5.1.1\n"
HEADERS_BACK = b"Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: " + ACK.encode() + b"\r\nSubject: x\r\n"
EML = a_mail(
    pdf_part(),
    headers={"From": "Hal Doyle <hal.doyle@riverbend.example>", "Message-ID": "<hal@riverbend.example>"},
)
CASES: dict[str, tuple[bytes, Expected]] = {
    # --- how a complaint comes
    "octet-stream-with-charset": (
        a_mail(part(PDF, "application/octet-stream; charset=binary", "Complaint.PDF")),
        expect(FILED, pdfs=1, ack=True),
    ),
    "pdf-called-text": (a_mail(part(PDF, "text/plain", "complaint.pdf")), expect(FILED, pdfs=1)),
    "pdf-called-image": (a_mail(part(PDF, "image/jpeg", "IMG_0001.jpg")), expect(FILED, pdfs=1)),
    "pdf-behind-junk-bytes": (
        a_mail(part(b"\r\n\x00garbage before" + PDF, "application/pdf", "c.pdf")),
        expect(FILED, pdfs=1),
    ),
    "the-mail-is-the-pdf": (
        a_mail(headers={"Content-Type": None}).split(b"Content-Type")[0]
        + b'Content-Type: application/pdf; name="c.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
        + base64.encodebytes(PDF),
        expect(FILED, pdfs=1),
    ),
    "pdf-in-related": (a_mail(pdf_part(), subtype="related"), expect(FILED, pdfs=1)),
    "pdf-in-alternative": (a_mail(pdf_part(), subtype="alternative"), expect(FILED, pdfs=1)),
    "pdf-quoted-printable-attachment": (
        a_mail(
            b'Content-Type: application/pdf; name="c.pdf"\r\nContent-Transfer-Encoding: Quoted-Printable\r\n\r\n'
            + quopri.encodestring(PDF)
        ),
        expect(FILED, pdfs=1),
    ),
    "pdf-uuencoded-transfer": (
        a_mail(
            b'Content-Type: application/pdf; name="c.pdf"\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\n'
            b"begin 644 c.pdf\r\n"
            + b"".join(
                binascii.b2a_uu(PDF[at : at + 45]).replace(b"\n", b"\r\n") for at in range(0, len(PDF), 45)
            )
            + b"`\r\nend\r\n"
        ),
        expect(FILED, pdfs=1),
    ),
    "heic-photo": (
        a_mail(part(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00" + b"x" * 40_000, "image/heic", "IMG.HEIC")),
        expect(REVIEW, ack=True, pdfs=0),
    ),
    "tiff-fax": (a_mail(part(b"II*\x00" + b"x" * 9_000, "image/tiff", "fax.tif")), expect(REVIEW, ack=True)),
    "odt-only": (
        a_mail(
            part(
                zipped(("mimetype", b"application/vnd.oasis.opendocument.text"), ("content.xml", b"<x/>")),
                "application/vnd.oasis.opendocument.text",
                "complaint.odt",
            )
        ),
        expect(CURE_N, ack=True),
    ),
    "old-word-only": (
        a_mail(part(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "application/msword", "c.doc")),
        expect(CURE_N),
    ),
    "rtf-only": (a_mail(part(b"{\\rtf1 complaint}", "application/rtf", "c.rtf")), expect(CURE_N)),
    "html-called-pdf": (
        a_mail(part(b"<!DOCTYPE html><html><body>Sign in</body></html>", "application/pdf", "complaint.pdf")),
        expect(REVIEW, ack=True, pdfs=0),
    ),
    "zip-in-zip": (
        a_mail(part(zipped(("inner.zip", zipped(("c.pdf", PDF)))), "application/zip", "papers.zip")),
        expect(
            REVIEW,
            ack=True,
            pdfs=0,
            reason="archive within an archive: not opened; the sender is told how to file",
        ),
    ),
    "rar": (a_mail(part(b"Rar!\x1a\x07\x01\x00" + b"x" * 99, "application/x-rar", "c.rar")), expect(REVIEW)),
    "seven-zip": (
        a_mail(part(b"7z\xbc\xaf\x27\x1c" + b"x" * 99, "application/x-7z", "c.7z")),
        expect(REVIEW),
    ),
    "zip-called-pdf": (
        a_mail(part(zipped(("c.pdf", PDF)), "application/pdf", "c.pdf")),
        expect(REVIEW, pdfs=0),
    ),
    "zip-beside-a-pdf": (
        a_mail(pdf_part(), part(zipped(("photo.jpg", b"\xff\xd8\xff")), "application/zip", "x.zip")),
        expect(FILED, "archive_attached", pdfs=1),
    ),
    "link-to-dropbox": (
        words("My signed complaint is at https://www.dropbox.com/s/abc/complaint.pdf?dl=0"),
        expect(CURE_N, ack=True),
    ),
    "link-to-onedrive-in-spanish": (
        words("Le envío mi queja: https://1drv.ms/b/s!Abc", Subject="Queja"),
        expect(CURE_N),
    ),
    "body-in-spanish": (
        words("Quiero presentar una queja contra el Sr. Whitlow.", Subject="Queja"),
        expect(CURE_N),
    ),
    "re-with-a-pdf-and-no-letter-of-ours": (signed(Subject="RE: what we talked about"), expect(FILED)),
    "a-complainant-forwards-her-own-mail": (
        a_mail(forwarded_part(a_mail(pdf_part()))),
        expect(FILED, pdfs=1),
    ),
    "fwd-with-own-pdf": (signed(Subject="Fwd: complaint"), expect(FILED, pdfs=1)),
    "pgp-signed": (
        a_mail(pdf_part(), part(b"-----BEGIN PGP SIGNATURE-----\n", "application/pgp-signature", "s.asc")),
        expect(FILED, pdfs=1),
    ),
    "vcard-beside": (
        a_mail(pdf_part(), part(b"BEGIN:VCARD\n", "text/vcard", "me.vcf")),
        expect(FILED, pdfs=1),
    ),
    "two-dates-and-a-comment-in-from": (
        signed(From="ines.calloway@riverbend.example (Ines (the second) Calloway)"),
        expect(FILED),
    ),
    "from-in-a-group": (signed(From="Neighbours: ines.calloway@riverbend.example;"), expect(FILED)),
    "no-to-at-all": (signed(To=None), expect(FILED, ack=True)),
    "priority-and-precedence-headers": (
        signed(Precedence="list", X_Priority="1", X_Auto_Response_Suppress="All", Importance="high"),
        expect(FILED, ack=True),
    ),
    "auto-submitted-no-with-comment": (signed(Auto_Submitted="no (really)"), expect(FILED, ack=True)),
    "about-being-out-of-the-office": (
        signed(Subject="Commissioner out of office hours on city business"),
        expect(FILED, ack=True),
    ),
    "about-undelivered-mail": (signed(Subject="Undelivered mail to the clerk, my complaint"), expect(FILED)),
    "body-speaks-of-vacation": (
        signed(text="Mr. Whitlow was on vacation while he voted.", Subject="On vacation at city cost"),
        expect(FILED, ack=True),
    ),
    "written-on-holiday-in-german": (
        signed(Subject="Abwesenheit des Kommissars bei der Abstimmung"),
        expect(FILED),
    ),
    # --- who does not say who he is
    "manager-lookalike-domain": (
        signed(From="City Manager <citymanager@bramwe11-ky.example>"),
        expect(REVIEW, ack=False),
    ),
    "manager-in-cyrillic": (
        signed(From="citymanager@brаmwell-ky.example"),
        expect(REVIEW, ack=False),
    ),
    "manager-by-name": (
        signed(From='"City Manager, Bramwell" <boss@freemail.example>'),
        expect(REVIEW, ack=False),
    ),
    "manager-title-spaced": (
        signed(From="C i t y  M a n a g e r <x@freemail.example>"),
        expect(REVIEW, ack=False),
    ),
    "manager-encoded-name": (
        signed(From="=?utf-8?b?Q2l0eSBNYW5hZ2Vy?= <cm@freemail.example>"),
        expect(REVIEW, ack=False),
    ),
    "address-in-encoded-word": (
        signed(From="=?utf-8?q?citymanager=40bramwell-ky=2Eexample?= <cm@freemail.example>"),
        expect(REVIEW, ack=False),
    ),
    "manager-unproven": (signed(From=MANAGER), expect(REVIEW, ack=False)),
    "manager-proven-by-another-server": (
        signed(
            From=MANAGER,
            Authentication_Results="mx.freemail.example; dmarc=pass header.from=bramwell-ky.example",
        ),
        expect(REVIEW, ack=False),
    ),
    "manager-with-two-verdicts": (
        signed(From=MANAGER, Authentication_Results=PASSES.replace("dmarc=pass", "dmarc=none")),
        expect(REVIEW, ack=False),
    ),
    "sender-header-of-somebody-else": (
        signed(Sender="office@lists.example"),
        expect(FILED, "sender_differs", ack=True),
    ),
    "reply-to-elsewhere": (
        signed(Reply_To="ines@elsewhere.example"),
        expect(FILED, "reply_to_differs", ack=True),
    ),
    "roster-lookalike-domain": (
        signed(From="Ines Calloway <ines@brarnwell-ky.example>"),
        expect(FILED, "lookalike_address"),
    ),
    "empty-from": (signed(From="<>"), expect(REVIEW, ack=False)),
    "from-without-domain": (signed(From="ines"), expect(REVIEW, ack=False)),
    "three-joint-complainants": (
        signed(From="a@hollow.example, b@hollow.example, c@hollow.example"),
        expect(REVIEW, ack=True),
    ),
    "attorney-in-other-words": (
        signed(text="This firm represents Mr. Doyle, whose signed complaint is attached."),
        expect(REVIEW, ack=True),
    ),
    "attorney-for-my-client": (signed(text="I enclose my client's complaint."), expect(REVIEW, ack=True)),
    "daughter-for-her-mother": (
        signed(text="I am sending this for my mother, who has no e-mail."),
        expect(REVIEW, ack=True),
    ),
    "scanner": (
        signed(From="Scanner <scan@riverbend.example>", Subject="Scanned from a Xerox"),
        expect(REVIEW, ack=False),
    ),
    "fax-service": (
        signed(From="no-reply@efax.example", Subject="New fax from 606-555-0100"),
        expect(REVIEW, ack=False),
    ),
    # --- the City Manager
    "manager-forwards-whole": (
        a_mail(forwarded_part(EML), headers={"From": MANAGER, "To": BOX, "Authentication-Results": PASSES}),
        expect(FILED, ack=True, pdfs=1),
    ),
    "manager-forwards-in-outlooks-words": (
        signed(
            text="See below.\n\n________________________________\nFrom: Tess Renn <t.renn@hollow.example>\n"
            "Sent: Monday, November 2, 2026 8:00 AM\nTo: City Manager\nSubject: Complaint\n\nI complain.",
            From=MANAGER,
            Authentication_Results=PASSES,
        ),
        expect(REVIEW, ack=False),
    ),
    "manager-attaches-a-saved-mail": (
        a_mail(
            part(EML, "application/octet-stream", "complaint.eml"),
            headers={"From": MANAGER, "To": BOX, "Authentication-Results": PASSES},
        ),
        expect(FILED, ack=True, pdfs=1),
    ),
    "complainant-attaches-her-own-saved-mail": (
        a_mail(part(a_mail(pdf_part()), "text/plain", "my complaint.EML")),
        expect(FILED, pdfs=1),
    ),
    "outlook-item": (
        a_mail(
            part(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "application/octet-stream", "mail.msg")
        ),
        expect(REVIEW, ack=True, pdfs=0),
    ),
    "apple-double": (
        a_mail(
            b"Content-Type: multipart/appledouble; boundary=ad\r\n\r\n--ad\r\n"
            b'Content-Type: application/applefile; name="c.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
            + base64.encodebytes(b"\x00\x05\x16\x07" + bytes(60))
            + b"\r\n--ad\r\n"
            + pdf_part()
            + b"\r\n--ad--\r\n"
        ),
        expect(FILED, pdfs=1),
    ),
    "bare-carriage-returns-throughout": (
        signed().replace(b"\r\n", b"\n").replace(b"\n", b"\r"),
        expect(FILED, ack=True, pdfs=1),
    ),
    "one-address-twice-in-from": (
        signed(From="ines.calloway@riverbend.example, Ines <INES.CALLOWAY@riverbend.example>"),
        expect(FILED, ack=True),
    ),
    "from-with-a-route": (
        signed(From="<@relay.example:ines.calloway@riverbend.example>"),
        expect(FILED, ack=True),
    ),
    "manager-written-backwards": (
        signed(From='"\u202ereganaM ytiC" <x@freemail.example>'),
        expect(REVIEW, ack=False),
    ),
    # --- machines that answer
    **{
        f"absence-{number}": (
            words(text, From=MARTA, To=BOX, Subject=subject, In_Reply_To=ACK, Message_ID=f"<a{number}@x>"),
            expect(IGNORED, number=SEVEN, ack=False),
        )
        for number, (subject, text) in enumerate(
            [
                ("Automatic reply: Case EC-2026-0007", "I am away until Monday."),
                ("Réponse automatique : Dossier", "Je suis absente."),
                ("Respuesta automática: Caso", "Estoy fuera de la oficina."),
                ("Automatische Antwort: Fall", "Ich bin nicht im Büro."),
                ("Abwesenheitsnotiz: Fall", "Bin im Urlaub."),
                ("Resposta automática: Caso", "Estou ausente."),
                ("Risposta automatica: Caso", "Sono fuori ufficio."),
                ("Automatisch antwoord: Zaak", "Ik ben afwezig."),
                ("Autosvar: Sak", "Jeg er på ferie."),
                ("Automaattinen vastaus: Asia", "Olen lomalla."),
                ("Odpowiedź automatyczna: Sprawa", "Jestem na urlopie."),
                ("自動応答: 件", "不在です。"),
                ("自动回复: 案件", "我不在办公室。"),
                ("자동 회신: 사건", "부재중입니다."),
                ("Автоматический ответ: дело", "Меня нет."),
                ("Out of Office: Case", "I will return on Monday."),
                ("Marta Quill is out of the office", "Back soon."),
                ("I am out of the office until 11/09", "Back soon."),
                ("Vacation auto-reply", "Gone fishing."),
            ]
        )
    },
    "gmail-vacation": (
        words(
            "I am away.",
            From=MARTA,
            Subject="Re: Case",
            In_Reply_To=ACK,
            Auto_Submitted="auto-replied",
            X_Autoreply="yes",
        ),
        expect(IGNORED, number=SEVEN),
    ),
    "challenge-response": (
        words(
            "Click to prove you are human.",
            From=MARTA,
            Subject="Please confirm",
            In_Reply_To=ACK,
            Auto_Submitted="auto-replied",
        ),
        expect(IGNORED, number=SEVEN, ack=False),
    ),
    "zendesk": (
        words(
            "Your request (8891) has been received.",
            From="support@zend.example",
            Subject="[Request received]",
            Auto_Submitted="auto-generated",
            X_Zendesk_From_Account_Id="1",
        ),
        expect(IGNORED, ack=False),
    ),
    "out-of-office-with-a-paper": (
        signed(
            From=MARTA,
            To=BOX,
            Subject="Automatic reply: Case",
            In_Reply_To=ACK,
            Auto_Submitted="auto-replied",
        ),
        expect(REVIEW, ack=False),
    ),
    # --- bounces
    "postfix": (report(HARD, returned=HEADERS_BACK), expect(BOUNCED, number=SEVEN, action="failed")),
    "exchange-ndr": (
        report(
            "Reporting-MTA: dns;BL0PR01.prod.outlook.com\nReceived-From-MTA: dns;mail.example\n\n"
            "Final-Recipient: rfc822;marta.quill@riverbend.example\nAction: failed\nStatus: 5.1.10\n"
            "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound\n",
            From="Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@riverbend.example>",
            Subject="Undeliverable: Case EC-2026-0007",
            To=BOX,
            In_Reply_To=ACK,
        ),
        expect(BOUNCED, number=SEVEN, action="failed"),
    ),
    "gmail-delay": (
        report(
            "Reporting-MTA: dns; googlemail.com\nArrival-Date: Mon, 02 Nov 2026 06:00:00 -0800 (PST)\n\n"
            "Final-Recipient: rfc822; marta.quill@riverbend.example\nAction: delayed\nStatus: 4.4.1\n"
            "Will-Retry-Until: Thu, 05 Nov 2026 06:00:00 -0800 (PST)\n",
            Subject="Delivery Status Notification (Delay)",
            text="Message will be retried for 2 more day(s)",
        ),
        expect(BOUNCED, number=SEVEN, action="delayed"),
    ),
    "three-recipients-ours-delivered": (
        report(
            "Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; other@x.example\nAction: failed\nStatus: 5.1.1\n\n"
            "Final-Recipient: rfc822; marta.quill@riverbend.example\nAction: delivered\nStatus: 2.0.0\n"
        ),
        expect(NOTED, number=SEVEN, action="delivered"),
    ),
    "relayed": (
        report(HARD.replace("failed", "relayed").replace("5.1.1", "2.1.9")),
        expect(NOTED, number=SEVEN),
    ),
    "expanded": (
        report(HARD.replace("failed", "expanded").replace("5.1.1", "2.1.5")),
        expect(NOTED, number=SEVEN),
    ),
    "failed-without-status": (
        report(HARD.replace("Status: 5.1.1\n", "")),
        expect(BOUNCED, number=SEVEN, action="failed"),
    ),
    "smtputf8": (
        report(
            "Reporting-MTA: dns; mx\n\nFinal-Recipient: utf-8; m\\x{E4}rta@riverbend.example\nAction: failed\nStatus: 5.1.1\n",
            kind="global-delivery-status",
            report_type="global-delivery-status",
        ),
        expect(BOUNCED, number=SEVEN, action="failed"),
    ),
    "global-headers-alone": (
        report(
            HARD,
            returned=b"Content-Type: message/global-headers\r\n\r\nMessage-ID: " + ACK.encode() + b"\r\n",
            To=BOX,
        ),
        expect(BOUNCED, number=SEVEN),
    ),
    "report-in-base64": (
        report(
            "",
            returned=b"Content-Type: message/delivery-status\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            + base64.encodebytes(HARD.encode()),
        ),
        expect(BOUNCED, number=SEVEN, action="failed"),
    ),
    "qmail": (
        words(
            "Hi. This is the qmail-send program at mx.riverbend.example.\nI'm afraid I wasn't able to deliver your message to "
            "the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n"
            "<marta.quill@riverbend.example>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
            f"--- Below this line is a copy of the message.\n\nMessage-ID: {ACK}\n",
            From="MAILER-DAEMON@mx.riverbend.example",
            To=BOX,
            Subject="failure notice",
            Return_Path="<>",
        ),
        expect(BOUNCED, number=SEVEN, action="failed"),
    ),
    "exim-in-words": (
        words(
            "This message was created automatically by mail delivery software.\n\nA message that you sent could not be "
            "delivered to one or more of its recipients. This is a permanent error.\n\n  marta.quill@riverbend.example\n"
            "    host mx [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO: 550 5.1.1 unknown user\n\n"
            f"------ This is a copy of your message, including all the headers. ------\n\nMessage-ID: {ACK}\n",
            From="Mail Delivery System <Mailer-Daemon@mx.example>",
            To=ACK_BOUNCE,
            Subject="Mail delivery failed: returning message to sender",
            Return_Path="<>",
            X_Failed_Recipients="marta.quill@riverbend.example",
            Auto_Submitted="auto-replied",
        ),
        expect(BOUNCED, number=SEVEN, action="failed"),
    ),
    "exim-delay": (
        words(
            "Message 1abc has not been delivered to all of its recipients after more than 24 hours on the queue.\n"
            "No action is required on your part. Delivery attempts will continue for some time.\n\n  marta.quill@riverbend.example\n",
            From="Mail Delivery System <Mailer-Daemon@mx.example>",
            To=ACK_BOUNCE,
            Subject="Warning: message 1abc delayed 24 hours",
            Return_Path="<>",
            Auto_Submitted="auto-replied",
        ),
        expect(BOUNCED, number=SEVEN, action="delayed"),
    ),
    "bare-to-the-envelope-address": (
        words(
            "Le message n'a pas pu être remis.",
            From="postmaster@mx.example",
            To=NOTICE_BOUNCE,
            Subject="Non remis",
            Return_Path="<>",
        ),
        expect(BOUNCED, number=SEVEN, action="failed"),
    ),
    "mailbox-full-in-german": (
        words(
            "Das Postfach ist voll. 552 5.2.2",
            From="Mail Delivery <postmaster@mx.example>",
            To=ACK_BOUNCE,
            Subject="Unzustellbar: Case",
            Return_Path="<>",
        ),
        expect(BOUNCED, number=SEVEN, action="failed"),
    ),
    **{
        f"bounce-in-words-{number}": (
            words(
                f"{text}\n\nFrom: Board of Ethics\nMessage-ID: {ACK}\n",
                From="Mail <postmaster@mx.example>",
                To=BOX,
                Subject=subject,
                Return_Path="<>",
            ),
            expect(BOUNCED, number=SEVEN, action=action, ack=False),
        )
        for number, (subject, text, action) in enumerate(
            [
                ("Mancata consegna: Case", "L'indirizzo non esiste. 550 5.1.1", "failed"),
                ("Ваше сообщение не доставлено", "550 5.1.1", "failed"),
                ("配信不能通知", "550 5.1.1", "failed"),
                ("Zustellung fehlgeschlagen", "Empfänger unbekannt", "failed"),
                ("Échec de remise", "550 5.1.1", "failed"),
                ("System message", "Mailbox is not there.", "failed"),
                ("Your message is delayed", "It is still being retried.", "delayed"),
            ]
        )
    },
    "bounce-that-returns-the-whole-letter": (
        report(
            HARD,
            returned=forwarded_part(a_mail(pdf_part(), headers={"From": BOX, "Message-ID": ACK})),
            To=BOX,
        ),
        expect(BOUNCED, number=SEVEN, action="failed"),
    ),
    "mdn-displayed": (
        report(
            "Reporting-UA: Outlook\nFinal-Recipient: rfc822;marta.quill@riverbend.example\n"
            f"Original-Message-ID: {ACK}\nDisposition: manual-action/MDN-sent-manually; displayed\n",
            kind="disposition-notification",
            report_type="disposition-notification",
            From=MARTA,
            To=BOX,
            Subject="Read: Case EC-2026-0007",
            Return_Path="<marta.quill@riverbend.example>",
        ),
        expect(NOTED, number=SEVEN, action="read", ack=False),
    ),
    "mdn-deleted-unread": (
        report(
            f"Final-Recipient: rfc822;marta.quill@riverbend.example\nOriginal-Message-ID: {ACK}\n"
            "Disposition: automatic-action/MDN-sent-automatically; deleted\n",
            kind="disposition-notification",
            report_type="disposition-notification",
            From=MARTA,
            To=BOX,
        ),
        expect(NOTED, number=SEVEN, action="unread"),
    ),
    "a-forged-bounce-of-nothing": (
        report(HARD.replace("marta.quill", "nobody"), To=BOX),
        expect(REVIEW, ack=False),
    ),
    # --- what belongs to a case
    "cure-by-token-in-capitals": (
        signed(From=OLA, To="complaints+R.T8W3NB@ETHICS.bramwell-ky.example", Subject="my signature"),
        expect(CURED, number=NINE, ack=True, pdfs=1),
    ),
    "cure-by-references-alone": (
        signed(From=OLA, To=BOX, References=f"<x@y> {CURE}"),
        expect(CURED, number=NINE),
    ),
    "cure-without-a-paper": (
        words("I will send it soon.", From=OLA, To=BOX, In_Reply_To=CURE),
        expect(REVIEW, ack=True),
    ),
    "cure-by-another-person": (
        signed(From=MARTA, To=BOX, In_Reply_To=CURE),
        expect(REVIEW, number=None, ack=False),
    ),
    "withdrawal": (
        words("I withdraw my complaint.", From=MARTA, To=BOX, In_Reply_To=ACK),
        expect(REVIEW, number=SEVEN),
    ),
    "withdrawal-in-spanish": (
        words("Quiero retirar mi queja.", From=MARTA, To=BOX, In_Reply_To=ACK),
        expect(REVIEW, number=SEVEN, reason="speaks of withdrawing the complaint"),
    ),
    "response-in-words": (
        words("I did not vote on that contract.", From=DALE, To=BOX, In_Reply_To=NOTICE),
        expect(RESPONSE, "no_document", number=SEVEN),
    ),
    "response-by-token": (
        signed(From=DALE, To="complaints+r.h4k9pd@ethics.bramwell-ky.example", Subject="response"),
        expect(RESPONSE, number=SEVEN, pdfs=1),
    ),
    "demand-in-words": (
        words(
            "I request a public hearing before the City Commission.",
            From=STANG,
            To=BOX,
            In_Reply_To=REPRIMAND,
        ),
        expect(DEMAND, number=FIVE),
    ),
    "demand-appeal": (
        words("I appeal this reprimand.", From=STANG, To=BOX, In_Reply_To=REPRIMAND),
        expect(DEMAND, number=FIVE),
    ),
    "demand-ask-to-be-heard": (
        words("I want to be heard in public by the Commission.", From=STANG, To=BOX, In_Reply_To=REPRIMAND),
        expect(DEMAND, number=FIVE),
    ),
    "demand-contest": (
        words("I contest the reprimand and want my hearing.", From=STANG, To=BOX, In_Reply_To=REPRIMAND),
        expect(DEMAND, number=FIVE),
    ),
    "thanks-for-a-reprimand": (
        words("Received, thank you.", From=STANG, To=BOX, In_Reply_To=REPRIMAND),
        expect(REVIEW, number=FIVE),
    ),
    "stolen-token": (
        signed(From="nosy@freemail.example", To="complaints+r.q7m2zt@ethics.bramwell-ky.example"),
        expect(REVIEW, number=None, ack=False),
    ),
    "number-in-other-words": (
        words("What became of it?", From="nosy@freemail.example", Subject="Status of case no. EC-2026-0007?"),
        expect(REVIEW, number=None, ack=False),
    ),
    "number-that-is-none": (
        words("What became of it?", From="nosy@freemail.example", Subject="Status of EC-2026-0999"),
        expect(REVIEW, number=None, ack=False),
    ),
    "number-in-an-ordinance": (
        signed(Subject="Violation of Ordinance No. 2026-004"),
        expect(FILED, ack=True),
    ),
    # --- the same kinds once more
    **{
        f"withdrawal-{number}": (
            words(text, From=MARTA, To=BOX, In_Reply_To=ACK),
            expect(REVIEW, number=SEVEN, reason="speaks of withdrawing the complaint"),
        )
        for number, text in enumerate(
            [
                "Please drop my complaint.",
                "I no longer wish to pursue this.",
                "Je retire ma plainte.",
                "Hiermit ziehe ich meine Beschwerde zurück.",
                "Deseo retirar la denuncia.",
            ]
        )
    },
    **{
        f"for-another-{number}": (
            signed(text=text),
            expect(REVIEW, ack=True, reason="sender is not the signer"),
        )
        for number, text in enumerate(
            [
                "As counsel to Hal Doyle I file the attached.",
                "Adjunto la queja en nombre de mi madre.",
                "Je dépose la plainte ci-jointe au nom de ma mère.",
                "Anbei die Beschwerde im Auftrag meiner Mutter.",
                "Attached is the complaint of my elderly neighbor, signed by him.",
                "I hold a power of attorney for Mr. Doyle.",
            ]
        )
    },
    **{
        f"of-ones-own-{number}": (signed(text=text), expect(FILED, ack=True))
        for number, text in enumerate(
            [
                "The city attorney represents Mr. Whitlow's company, which is what I complain of.",
                "My neighbor saw it as well. My signed complaint is attached.",
                "I am sending this for your review.",
                "The attorney for the city took a gift.",
            ]
        )
    },
    "party-quotes-the-number-with-its-code-in-the-text": (
        signed(From=OLA, To=BOX, Subject="my signature", text="Reference EC-2026-0009-k7q2mx"),
        expect(FILED, ack=True),
    ),
    # --- bulk
    "mailchimp": (
        signed(From="news@shop.example", List_Unsubscribe="<https://shop.example/u>", Precedence="bulk"),
        expect(REVIEW, ack=False),
    ),
    "google-group": (
        signed(
            From="ines.calloway@riverbend.example",
            List_ID="Neighbours <n.groups.example>",
            Mailing_list="list n@groups.example",
        ),
        expect(REVIEW, ack=False),
    ),
    "spam-by-exchange": (signed(X_MS_Exchange_Organization_SCL="9"), expect(REVIEW, ack=False)),
    "spam-by-spamassassin": (words("Buy now", X_Spam_Flag="YES"), expect(REVIEW, ack=False)),
    "not-spam-by-spamassassin": (
        signed(X_Spam_Status="No, score=-1.9", X_Spam_Flag="NO"),
        expect(FILED, ack=True),
    ),
    "meeting-invitation": (
        a_mail(b"Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\n"),
        expect(REVIEW, ack=False),
    ),
    # --- ourselves
    "our-letter-again": (
        words("Case", From=BOX, To=MARTA, Message_ID=ACK, Auto_Submitted="auto-generated"),
        expect(Outcome.LOOP_STOPPED, number=SEVEN, ack=False),
    ),
    "our-reply-address-writes": (
        words("Case", From="complaints+r.zzzz@ethics.bramwell-ky.example", Auto_Submitted="auto-replied"),
        expect(Outcome.LOOP_STOPPED, ack=False),
    ),
    "a-colleague-writes-from-our-box": (words("Please file this.", From=BOX), expect(REVIEW, ack=False)),
}


def _differs(told: Disposition, wanted: Expected) -> list[str]:
    papers = told.papers
    found = {
        "outcome": (told.outcome, wanted.outcome),
        "number": (told.number, told.number if wanted.number == "" else wanted.number),
        "ack": (told.ack, told.ack if wanted.ack is None else wanted.ack),
        "reason": (told.review_reason, told.review_reason if wanted.reason is None else wanted.reason),
        "action": (
            told.bounce and told.bounce.action.value,
            wanted.action or (told.bounce and told.bounce.action.value),
        ),
        "flags": (wanted.flags - set(told.flags), frozenset()),
        "pdfs": (
            len(papers.pdfs) if papers else 0,
            (len(papers.pdfs) if papers else 0) if wanted.pdfs is None else wanted.pdfs,
        ),
    }
    return [
        f"{name}: {told_} instead of {wanted_}"
        for name, (told_, wanted_) in found.items()
        if told_ != wanted_
    ]


@pytest.mark.parametrize("name", CASES)
def test_a_mail_of_another_shape_finds_its_place(name: str) -> None:
    raw, wanted = CASES[name]
    assert _differs(judged(raw, context()), wanted) == []


def test_the_pdf_of_every_shape_is_the_pdf_that_was_sent() -> None:
    shapes = [raw for name, (raw, wanted) in CASES.items() if wanted.pdfs == 1 and "junk" not in name]
    assert len(shapes) > 10
    for raw in shapes:
        (pdf,) = [one for one in read_mail(raw).exhibits() if one.kind.value == "pdf"]
        assert pdf.sha256 == sha256(PDF)

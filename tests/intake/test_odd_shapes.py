"""Mails as odd programs, gateways and filters write them: none loses its paper, and none is taken for another kind."""

import base64
import binascii
import re
import zlib

import pytest
from asn1crypto import cms

from intake.containers import Smime
from intake.message import read_mail
from intake.sniff import Kind, kind_of
from intake.triage import Outcome
from tests.intake.mail_builders import (
    BOX,
    MANAGER,
    PASSES,
    PDF,
    a_finding,
    a_mail,
    context,
    forwarded_part,
    judged,
    part,
    pdf_hashes,
    pdf_part,
    sha256,
)

FILED, CURE, REVIEW = Outcome.FILED, Outcome.CURE_NOTICE, Outcome.NEEDS_REVIEW
STANG = "R. Stang <r.stang@bramwell-ky.example>"
DALE = "Dale Whitlow <d.whitlow@bramwell-ky.example>"
NOTICE = "<notice-0007-1.h4k9pd@ethics.bramwell-ky.example>"
REPLY_TO_NOTICE = "complaints+r.h4k9pd@ethics.bramwell-ky.example"
IN_BASE64 = base64.encodebytes(PDF)
MORE_THAN_A_LINE = PDF + b"%" * 199  # no padding, so that only the empty line tells where it ends


def encoded(way: str, body: bytes, declared: str = 'application/pdf; name="c.pdf"') -> bytes:
    """A part in a transfer encoding of its own."""
    return f"Content-Type: {declared}\r\nContent-Transfer-Encoding: {way}\r\n\r\n".encode() + body


def named(field: str) -> bytes:
    """A PDF whose name is given by a field of its own."""
    return (
        f"Content-Type: application/pdf\r\n{field}\r\nContent-Transfer-Encoding: base64\r\n\r\n".encode()
        + IN_BASE64
    )


def yencoded(content: bytes) -> bytes:
    """A yEnc file, in lines of 128."""
    shifted = bytes((byte + 42) % 256 for byte in content)
    escaped = re.sub(rb"[\x00\n\r=]", lambda one: b"=" + bytes([(one.group()[0] + 64) % 256]), shifted)
    lines = b"\r\n".join(escaped[at : at + 128] for at in range(0, len(escaped), 128))
    size, crc = len(content), zlib.crc32(content)
    head, tail = f"=ybegin line=128 size={size} name=c.pdf\r\n", f"\r\n=yend size={size} crc32={crc:08x}\r\n"
    return head.encode() + lines.replace(b"=\r\n", b"\r\n=") + tail.encode()


# -- no paper is lost -----------------------------------------------------------------------------


@pytest.mark.parametrize("way", ['"base64"', "base-64", "x-base64", "BASE64 (mime)", "base64;"])
def test_base64_is_decoded_however_it_is_spelled(way: str) -> None:
    assert pdf_hashes(read_mail(a_mail(encoded(way, IN_BASE64)))) == [sha256(PDF)]


@pytest.mark.parametrize(
    "footer",
    [
        b"\r\n-- \r\nThis mail was scanned.\r\n",
        b"\r\n_______________________________________________\r\nNeighbours mailing list\r\n",
    ],
)
def test_words_below_unpadded_base64_are_no_part_of_the_file(footer: bytes) -> None:
    content = MORE_THAN_A_LINE[: len(MORE_THAN_A_LINE) // 3 * 3]
    mail = read_mail(a_mail(encoded("base64", base64.encodebytes(content) + footer)))
    assert [one.sha256 for one in mail.attachments] == [sha256(content)]


def test_base64_that_goes_on_behind_an_odd_line_is_read_to_its_end() -> None:
    content = bytes(range(256)) * 6
    lines = base64.encodebytes(content).splitlines(keepends=True)
    mail = read_mail(
        a_mail(encoded("base64", b"".join([*lines[:5], b"\n!odd!\n", *lines[5:]]), "application/x-y"))
    )
    assert len(mail.attachments[0].content) > len(content)


def test_an_encoded_file_whose_type_says_that_it_has_parts_is_a_file() -> None:
    mail = read_mail(a_mail(encoded("base64", IN_BASE64, 'multipart/octet-stream; name="c.pdf"')))
    assert (pdf_hashes(mail), mail.defects) == ([sha256(PDF)], frozenset())


def test_a_yenc_file_in_the_text_is_an_exhibit() -> None:
    mail = read_mail(
        a_mail(headers={"Content-Type": None}).split(b"\r\nContent-Type")[0]
        + b"\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\nHere.\r\n"
        + yencoded(PDF)
    )
    assert [(one.name, one.sha256, one.cut) for one in mail.attachments] == [("c.pdf", sha256(PDF), False)]


def test_a_yenc_file_with_a_wrong_checksum_is_cut() -> None:
    whole = yencoded(PDF)
    spoiled = whole.replace(f"{zlib.crc32(PDF):08x}".encode(), b"00000000")
    plain = b"From: a@b.example\r\nContent-Type: text/plain\r\n\r\n"
    assert [read_mail(plain + one).attachments[0].cut for one in (whole, spoiled)] == [False, True]


@pytest.mark.parametrize("declared", ["application/mac-binhex40", "text/plain"])
def test_a_binhex_file_is_kept_for_a_person(declared: str) -> None:
    body = b"(This file must be converted with BinHex 4.0)\r\n:$f0\r\n:"
    mail = a_mail(f"Content-Type: {declared}\r\n\r\n".encode() + body)
    told = judged(mail)
    assert (told.outcome, [one.kind for one in read_mail(mail).attachments]) == (REVIEW, [Kind.ARCHIVE])


def test_line_ends_that_a_gateway_doubled_lose_no_paper() -> None:
    assert pdf_hashes(read_mail(a_mail(pdf_part()).replace(b"\r\n", b"\r\r\n"))) == [sha256(PDF)]


@pytest.mark.parametrize("field", [b"From", b"Subject", b"Content-Type", b"Content-Transfer-Encoding"])
def test_a_blank_before_a_colon_changes_nothing(field: bytes) -> None:
    mail = read_mail(a_mail(pdf_part()).replace(field + b":", field + b" :"))
    assert (pdf_hashes(mail), [box.key for box in mail.from_.boxes], mail.subject) == (
        [sha256(PDF)],
        ["ines.calloway@riverbend.example"],
        "Ethics complaint",
    )


def test_a_stray_line_in_the_header_of_a_part_loses_no_paper() -> None:
    raw = a_mail(pdf_part()).replace(b"Content-Transfer", b"scanned and found clean\r\nContent-Transfer")
    assert pdf_hashes(read_mail(raw)) == [sha256(PDF)]


def test_a_forwarded_mail_with_odd_fields_is_read_as_others_are() -> None:
    inner = a_mail(pdf_part()).replace(b"From: ", b"From : ").replace(b"Subject: ", b"stray\r\nSubject: ")
    (forwarded,) = read_mail(a_mail(forwarded_part(inner))).forwarded
    assert (forwarded.subject, pdf_hashes(forwarded)) == ("Ethics complaint", [sha256(PDF)])


def test_bytes_that_look_like_a_part_in_an_unencoded_file_are_left_alone() -> None:
    content = PDF + b"\n--other\nX : y\nstray\nContent-Type: text/plain\n\n"
    mail = read_mail(a_mail(encoded("binary", content)))
    assert mail.attachments[0].content.rstrip() == content.rstrip()


def test_of_two_content_types_the_one_with_parts_is_read() -> None:
    raw = a_mail(pdf_part()).replace(
        b"Content-Type: multipart", b"Content-Type: text/plain\r\nContent-Type: multipart", 1
    )
    assert pdf_hashes(read_mail(raw)) == [sha256(PDF)]


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ('Content-Disposition: attachment; filename="C:\\Users\\ines\\complaint.pdf"', "complaint.pdf"),
        ('Content-Disposition: attachment; filename="\\\\server\\share\\complaint.pdf"', "complaint.pdf"),
        ('Content-Disposition: attachment; filename="a\\"b.pdf"', 'a"b.pdf'),
    ],
)
def test_a_path_of_windows_is_a_path(field: str, name: str) -> None:
    assert read_mail(a_mail(named(field))).attachments[0].name == name


# -- signed envelopes ------------------------------------------------------------------------------


def envelope(content: bytes | None) -> bytes:
    """A CMS structure of signed data in which nobody signed (RFC 5652)."""
    held: dict[str, object] = (
        {"content_type": "data"} if content is None else {"content_type": "data", "content": content}
    )
    inside: dict[str, object] = {
        "version": "v1",
        "digest_algorithms": [],
        "encap_content_info": held,
        "certificates": [],
        "signer_infos": [],
    }
    whole: bytes = cms.ContentInfo({"content_type": "signed_data", "content": cms.SignedData(inside)}).dump()
    return whole


def test_certificates_alone_are_no_envelope() -> None:
    told = judged(
        a_mail(pdf_part(), part(envelope(None), "application/pkcs7-mime; smime-type=certs-only", "s.p7c"))
    )
    assert told.outcome is FILED


def test_a_pdf_in_a_signed_envelope_of_its_own_is_the_paper() -> None:
    mail = read_mail(a_mail(part(envelope(PDF), "application/pkcs7-mime", "complaint.pdf.p7m")))
    assert [(one.name, one.sha256) for one in mail.attachments] == [("complaint.pdf", sha256(PDF))]
    assert mail.smime is Smime.SIGNED_OPAQUE


# -- what a file is -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"c.pdf" + bytes(252) + b"ustar\x0000" + bytes(248) + PDF, "c.tar", Kind.ARCHIVE),
        (bytes(32_769) + b"CD001" + bytes(99), "c.iso", Kind.ARCHIVE),
        (b"\x1f\x9d\x90" + b"x" * 99, "c.Z", Kind.ARCHIVE),
        (b"!!-lh5-" + b"x" * 99, "c.lzh", Kind.ARCHIVE),
        (b"\x00\x05\x16\x00" + bytes(60) + PDF, "c", Kind.ARCHIVE),
        (b"-----BEGIN PGP MESSAGE-----\n\nxx", "c.pdf.asc", Kind.LOCKED),
        (b"\x85\x01\x0c\x03" + bytes(range(256)), "c.pdf.gpg", Kind.LOCKED),
        (b"\x76\xe8\x04\x60\xc4\x11\xe3\x86xxxx", "message.rpmsg", Kind.LOCKED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "c.docx", Kind.LOCKED),
        (b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n", "invite.ics", Kind.CALENDAR),
        (b"BEGIN:VCARD\r\n", "me.vcf", Kind.CARD),
    ],
)
def test_archives_locked_files_and_invitations_are_told_by_their_beginning(
    content: bytes, name: str, kind: Kind
) -> None:
    assert kind_of(content, "application/octet-stream", name) is kind


@pytest.mark.parametrize("declared", ["application/octet-stream", "application/pgp-encrypted"])
def test_a_locked_file_alone_is_looked_at_and_beside_a_paper_it_is_flagged(declared: str) -> None:
    locked = part(b"-----BEGIN PGP MESSAGE-----\n\nxx", declared, "complaint.pdf.gpg")
    alone, beside = judged(a_mail(locked)), judged(a_mail(pdf_part(), locked))
    assert (alone.outcome, alone.review_reason) == (REVIEW, "encrypted; ask for a readable copy")
    assert (beside.outcome, "locked_attachment" in beside.flags) == (FILED, True)


def test_an_invitation_under_another_type_is_no_unsigned_complaint() -> None:
    invitation = part(b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n", "application/ics", "invite.ics")
    assert judged(a_mail(invitation)).review_reason == "calendar invitation"


def test_the_empty_file_of_a_gateway_is_nothing_that_was_sent() -> None:
    assert judged(a_mail(part(b"\r\n", "text/plain", "ATT00001.txt"), text="I complain.")).outcome is CURE


def test_a_pdf_whose_end_is_lost_is_asked_for_again_though_its_pages_can_be_seen() -> None:
    finding = a_finding(damaged=True, pages=1)
    told = judged(a_mail(pdf_part()), findings={sha256(PDF): finding})
    assert (told.outcome, told.review_reason) == (REVIEW, "PDF damaged; ask for it again")


# -- whom a mail is from --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sender",
    [
        "Manager, City <x@evil.example>",
        "Bramwell City Mgr <x@evil.example>",
        "city.manager@bramwell-ky.example",
        "city_manager@freemail.example",
        "citymanger@freemail.example",
    ],
)
def test_more_ways_to_look_like_the_city_manager(sender: str) -> None:
    told = judged(a_mail(pdf_part(), headers={"From": sender, "To": BOX}))
    assert (told.outcome, told.referral, told.ack) == (REVIEW, None, False)


@pytest.mark.parametrize(
    "sender",
    [
        "Ines Calloway via DocuSign <dse_na4@docusign.net>",
        "Adobe Sign <echosign@echosign.com>",
        "drive-shares-dm-noreply@google.com",
        "wordpress@bramwell.example",
        "web-form@bramwell.example",
        "print@hpeprint.example",
    ],
)
def test_services_and_forms_that_send_papers_name_no_complainant(sender: str) -> None:
    told = judged(a_mail(pdf_part(), headers={"From": sender}))
    assert (told.outcome, told.ack) == (REVIEW, False)


@pytest.mark.parametrize(
    "sender", ["dsewell@hollow.example", "formica@hollow.example", "p.rinter@hollow.example"]
)
def test_a_persons_name_that_begins_like_a_machines_is_a_persons(sender: str) -> None:
    assert judged(a_mail(pdf_part(), headers={"From": sender})).outcome is FILED


def test_a_quoted_local_part_is_a_sound_address() -> None:
    told = judged(a_mail(pdf_part(), headers={"From": '"ines calloway"@riverbend.example'}))
    assert (told.outcome, told.sender) == (FILED, '"ines calloway"@riverbend.example')


def test_separators_in_an_encoded_name_separate_nothing() -> None:
    name = "=?utf-8?q?Ines=0D=0ABcc:_x@y.example?= <ines.calloway@riverbend.example>"
    (box,) = read_mail(a_mail(headers={"From": name})).from_.boxes
    assert (box.name, box.key) == ("Ines Bcc: x@y.example", "ines.calloway@riverbend.example")


@pytest.mark.parametrize(
    "quoted",
    [
        "*From:* Tess Renn <t.renn@hollow.example>\n*Sent:* Friday\n",
        "差出人: Tess Renn <t.renn@hollow.example>\n宛先: City Manager\n",
        "发件人：Tess Renn <t.renn@hollow.example>\n",
        "От: Tess Renn <t.renn@hollow.example>\n",
        "Från: Tess Renn <t.renn@hollow.example>\n",
        ">>> Tess Renn <t.renn@hollow.example> 10/30/2026 4:40 PM >>>\nsee attached",
        "----- Forwarded by City Manager/Bramwell on 10/30/2026 -----\n\n\tTess Renn <t.renn@hollow.example>\n\t10/30/2026\n",
        "---------- Messaggio inoltrato ---------\nDa: Tess Renn <t.renn@hollow.example>\n",
    ],
)
def test_the_writer_is_suggested_from_the_quote_of_any_program(quoted: str) -> None:
    told = judged(
        a_mail(pdf_part(), text=f"For the Board.\n\n{quoted}", headers={"From": MANAGER, "To": BOX})
    )
    assert (told.complainants, told.complainant_is_suggested, told.ack) == (
        ("t.renn@hollow.example",),
        True,
        False,
    )


def test_the_manager_may_forward_a_mail_in_base64() -> None:
    eml = a_mail(pdf_part(), headers={"From": "Hal Doyle <hal.doyle@riverbend.example>"})
    told = judged(
        a_mail(
            part(eml, "message/rfc822", "Complaint.eml"),
            headers={"From": MANAGER, "To": BOX, "Authentication-Results": PASSES},
        )
    )
    assert (told.outcome, told.complainants) == (FILED, ("hal.doyle@riverbend.example",))


# -- what filters and readers' programs write -----------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("X-Forefront-Antispam-Report", "CIP:10.2.3.4;SCL:9;SFV:HSPM;CAT:HSPM"),
        ("X-Forefront-Antispam-Report", "CIP:1.2.3.4;SFV:NSPM;CAT:PHSH"),
        ("X-Barracuda-Spam-Flag", "YES"),
        ("X-Bogosity", "Spam, tests=bogofilter"),
        ("X-DSPAM-Result", "Spam"),
        ("X-Rspamd-Action", "add header"),
        ("X-Proofpoint-Spam-Details", "rule=spam policy=default score=99"),
    ],
)
def test_what_a_filter_takes_for_spam_is_for_a_person(field: str, value: str) -> None:
    told = judged(a_mail(pdf_part(), headers={field: value}))
    assert (told.outcome, told.ack, (told.review_reason or "")[:9]) == (REVIEW, False, "spam flag")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("X-Forefront-Antispam-Report", "CIP:10.2.3.4;CTRY:US;SCL:-1;SFV:SKN;CAT:NONE"),
        ("X-MS-Exchange-Organization-SCL", "-1"),
        ("X-Bogosity", "Ham, tests=bogofilter"),
        ("X-Proofpoint-Spam-Details", "rule=notspam policy=default score=0"),
        ("X-Rspamd-Action", "no action"),
        ("X-Spam-Status", "No, score=-2"),
    ],
)
def test_what_a_filter_takes_for_good_is_filed(field: str, value: str) -> None:
    assert judged(a_mail(pdf_part(), headers={field: value})).outcome is FILED


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "Return Receipt: Notice",
            "Return Receipt\n\nYour document: Notice\nwas received by: Dale Whitlow/Bramwell",
        ),
        ("Opened: Notice", "Opened: 11/2/2026"),
        ("Accusé de lecture : avis", "Votre message a été affiché."),
        ("Gelesen: Notice", "Ihre Nachricht wurde gelesen."),
    ],
)
@pytest.mark.parametrize("by_token", [True, False])
def test_a_receipt_in_words_is_noted_and_is_no_response(subject: str, text: str, *, by_token: bool) -> None:
    way = {"To": REPLY_TO_NOTICE} if by_token else {"To": BOX, "In-Reply-To": NOTICE}
    told = judged(a_mail(text=text, headers={"From": DALE, "Subject": subject, **way}))
    assert (told.outcome, told.number, told.ack) == (Outcome.RECEIPT_NOTED, "EC-2026-0007", False)


@pytest.mark.parametrize("attached", [(), (pdf_part(),)])
@pytest.mark.parametrize("sender", [STANG, "R. Stang <stang@freemail.example>"])
def test_a_demand_that_names_no_case_is_no_new_complaint(attached: tuple[bytes, ...], sender: str) -> None:
    raw = a_mail(
        *attached,
        text="I demand a public hearing on the confidential reprimand.",
        headers={"From": sender, "To": BOX, "Subject": "Demand for public hearing"},
    )
    told = judged(raw)
    assert (told.outcome, told.number, told.ack) == (REVIEW, None, True)


def test_a_complaint_that_asks_for_a_hearing_is_a_complaint() -> None:
    assert (
        judged(a_mail(pdf_part(), text="My complaint is attached. I demand a public hearing.")).outcome
        is FILED
    )


def test_a_request_that_the_commission_hears_the_matter_is_a_demand() -> None:
    reprimand = "<reprimand-0005-1.v6c1xs@ethics.bramwell-ky.example>"
    told = judged(
        a_mail(
            text="I request that the City Commission hear this matter in public.",
            headers={"From": STANG, "To": BOX, "In-Reply-To": reprimand},
        ),
        context(),
    )
    assert told.outcome is Outcome.HEARING_DEMAND_RECEIVED


def test_uuencoded_and_yenc_files_stand_beside_each_other() -> None:
    lines = b"".join(binascii.b2a_uu(PDF[at : at + 45]) for at in range(0, len(PDF), 45))
    body = b"begin 644 a.pdf\n" + lines + b"`\nend\n" + yencoded(PDF + b"\n")
    mail = read_mail(b"From: a@b.example\nContent-Type: text/plain\n\n" + body)
    assert [one.name for one in mail.attachments] == ["a.pdf", "c.pdf"]


# -- what is no new complaint ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subject", "text", "attached"),
    [
        ("my complaint", "I withdraw my complaint of last week.", ()),
        ("Withdrawal of complaint", "My signed withdrawal is attached.", (pdf_part(),)),
        ("Queja", "Quiero retirar mi queja.", ()),
        ("Recall: Ethics complaint", "Ines would like to recall the message.", ()),
        ("question", "How do I file an ethics complaint? Is there a form?", ()),
        ("status", "What is the status of my complaint?", ()),
    ],
)
def test_a_withdrawal_a_recall_or_a_question_without_a_case_goes_to_a_person(
    subject: str, text: str, attached: tuple[bytes, ...]
) -> None:
    told = judged(a_mail(*attached, text=text, headers={"Subject": subject}))
    assert (told.outcome, told.number, told.ack) == (REVIEW, None, True)


@pytest.mark.parametrize(
    ("text", "attached", "outcome"),
    [
        ("Mr. Whitlow did not withdraw from the vote. My complaint is attached.", (pdf_part(),), FILED),
        ("I complain that Mr. Whitlow refused to withdraw from the vote.", (), CURE),
        ("I complain of Mr. Whitlow. How can he file papers for his own firm?", (), CURE),
        ("How can the mayor give his brother a contract? The Board must look at it.", (), CURE),
        ("How do I file this? My complaint is attached.", (pdf_part(),), FILED),
    ],
)
def test_a_complaint_that_asks_or_speaks_of_withdrawing_is_a_complaint(
    text: str, attached: tuple[bytes, ...], outcome: Outcome
) -> None:
    assert judged(a_mail(*attached, text=text)).outcome is outcome

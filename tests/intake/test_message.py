"""Reading bytes: nothing raises, nothing is changed, nothing is lost."""

import base64
import io
import random
import zipfile

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from intake.containers import ArchiveBounds, Smime, list_archive
from intake.headers import address_key, decoded, instant, mailboxes, parameters
from intake.message import Defect, Limits, file_name, read_mail, text_of_page
from intake.sniff import Kind, kind_of
from tests.fuzz_mail import mutated
from tests.intake.mail_builders import (
    MAILS,
    PDF,
    a_mail,
    forwarded_part,
    part,
    pdf_hashes,
    pdf_part,
    raw_of,
    sha256,
)


@given(st.integers(), st.sampled_from(sorted(MAILS.glob("*.eml"))))
@settings(max_examples=150, deadline=None)
def test_no_mutation_of_a_real_mail_makes_the_reader_raise(seed: int, path: object) -> None:
    mail = read_mail(mutated(path.read_bytes(), random.Random(seed)))  # type: ignore[attr-defined]
    assert len(mail.raw_sha256) == 64


@given(st.binary(max_size=3_000))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_read_and_known_by_their_hash(raw: bytes) -> None:
    assert read_mail(raw).raw_sha256 == sha256(raw)


@given(st.binary(min_size=1, max_size=2_000))
@settings(max_examples=100, deadline=None)
def test_an_attachment_keeps_every_byte(content: bytes) -> None:
    assume(kind_of(content) is not Kind.CALENDAR)  # an invitation is no paper, whatever it calls itself
    (exhibit,) = read_mail(a_mail(part(content, "application/octet-stream", "a.bin"))).attachments
    assert exhibit.content == content


@given(st.binary(min_size=1, max_size=2_000))
@settings(max_examples=100, deadline=None)
def test_a_binary_attachment_without_transfer_encoding_keeps_every_byte(content: bytes) -> None:
    binary = (
        b'Content-Type: application/x; name="a"\r\nContent-Transfer-Encoding: binary\r\n\r\n'
        + PDF
        + content
        + b"."
    )
    if b"--bnd" in binary:
        return
    (exhibit,) = read_mail(a_mail(binary)).attachments
    assert exhibit.content == PDF + content + b"."


@pytest.mark.parametrize(
    "header", ["Subject: pay\rBcc: x@y.example", "X-Scan: a\rb", "no header at all", ">From x"]
)
def test_a_bare_carriage_return_or_stray_line_in_the_header_loses_no_attachment(header: str) -> None:
    raw = header.encode() + b"\r\n" + a_mail(pdf_part())
    assert pdf_hashes(read_mail(raw)) == [sha256(PDF)]


def test_a_bare_carriage_return_in_a_parts_header_loses_no_attachment() -> None:
    odd = pdf_part().replace(b"Content-Disposition", b"X-Note: a\rb\r\nContent-Disposition")
    assert pdf_hashes(read_mail(a_mail(odd))) == [sha256(PDF)]


@pytest.mark.parametrize(
    ("value", "names", "addresses"),
    [
        ("Whitlow, Dale <d@city.example>", ["Whitlow, Dale"], ["d@city.example"]),
        ('"Doe, J." <j@x.example>, k@x.example', ["Doe, J.", ""], ["j@x.example", "k@x.example"]),
        ("undisclosed-recipients:;", [], []),
        ("unlisted-recipients:; (no To-header on input)", [], []),
        ("a@x.example (A Name)", ["A Name"], ["a@x.example"]),
        ("=?utf-8?Q?Zo=C3=AB?= <ZOE@Hollow.Example>", ["Zoë"], ["ZOE@hollow.example"]),
        ("team: a@x.example, b@x.example;", ["", ""], ["a@x.example", "b@x.example"]),
        ("José <josé@peña.example>", ["José"], ["josé@peña.example"]),
        ("x <a@xn--pea-8ma.example>", ["x"], ["a@peña.example"]),
    ],
)
def test_addresses_are_read_as_people_write_them(value: str, names: list[str], addresses: list[str]) -> None:
    read = mailboxes(value)
    assert [box.name for box in read.boxes] == names
    assert [box.address for box in read.boxes] == addresses


@pytest.mark.parametrize(
    "value", ["(c):", "<[abc]@x>", 'To: "', "Ines Calloway", "a@b@c.example", "((((", "<>" * 9]
)
def test_what_is_no_address_is_never_a_sound_one(value: str) -> None:
    read = mailboxes(value)
    assert not any(box.valid for box in read.boxes)


def test_addresses_are_equal_without_regard_to_case_and_punycode() -> None:
    assert address_key("A@XN--PEA-8MA.example") == address_key("a@Peña.example")


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("attachment; filename*=UTF-8''a%C3%B1o.pdf", "año.pdf"),
        ("attachment; filename*0*=utf-8''In%C3%A9s; filename*1=\" one\"; filename*2=.pdf", "Inés one.pdf"),
        ('attachment; filename="=?UTF-8?B?Wm/Dqy5wZGY=?="', "Zoë.pdf"),
        ("attachment; filename*=x-none''a%FFb.pdf", "aÿb.pdf"),
        ("attachment; filename=a b.pdf; filename", "a b.pdf"),
        ('attachment; filename="a\\"b.pdf"', 'a"b.pdf'),
    ],
)
def test_a_file_name_is_decoded_in_every_encoding_it_comes_in(value: str, name: str) -> None:
    assert parameters(value)[1]["filename"] == name


@pytest.mark.parametrize("given_name", ["../../etc/passwd", "C:\\Temp\\passwd", "/passwd", "passwd"])
def test_a_file_name_is_never_a_path(given_name: str) -> None:
    assert file_name(given_name) == "passwd"


@pytest.mark.parametrize("given_name", ["..", ".", "a/.."])
def test_a_file_name_of_dots_is_none(given_name: str) -> None:
    assert file_name(given_name) == ""


def test_a_file_name_that_turns_its_direction_is_shown_straight() -> None:
    assert file_name("gpj.\u202efdp.exe") == "gpj.fdp.exe"


@pytest.mark.parametrize(
    "charset", ["x-mac-unknown", "zip", "rot13", "unicode_escape", "utf-16", "", "\0", "idna"]
)
def test_any_charset_gives_text(charset: str) -> None:
    assert isinstance(decoded(b"caf\xe9 \\x41 \xff", charset), str)


def test_raw_latin_1_and_utf_8_are_told_apart() -> None:
    assert decoded("señor".encode()) == decoded("señor".encode("latin-1")) == "señor"


@pytest.mark.parametrize(
    "value", ["Mon, 02 Nov 2026 29:61:00 +0700", "", "Mon, 02 Nov 99999999999 09:14:07", "x" * 9_999]
)
def test_a_date_that_is_none_is_absent(value: str) -> None:
    assert instant(value) is None


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x78\x9f\x3e\x22" + PDF, Kind.TNEF),
        (b"PK\x03\x04" + PDF, Kind.ARCHIVE),
        (b"PK\x03\x04....[Content_Types].xml", Kind.DOCUMENT),
        (b"junk " + PDF, Kind.PDF),
        (b"x" * 1_024 + PDF, Kind.TEXT),
        (b"\xff\xd8\xff\xe0 %PDF-", Kind.IMAGE),
        (b"\0\0\0\x18ftypheic", Kind.IMAGE),
        (b"<!DOCTYPE html><p>%PDF-", Kind.WEB_PAGE),
        (b"Rar!\x1a\x07\x01\0", Kind.ARCHIVE),
        (b"7z\xbc\xaf\x27\x1c", Kind.ARCHIVE),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind.DOCUMENT),
        (b"", Kind.EMPTY),
        (b"\r\n", Kind.EMPTY),
    ],
)
def test_a_kind_is_told_by_the_first_bytes(content: bytes, kind: Kind) -> None:
    assert kind_of(content) is kind


def test_a_uuencoded_pdf_in_the_text_is_an_exhibit() -> None:
    import binascii

    lines = b"".join(binascii.b2a_uu(PDF[at : at + 45]) for at in range(0, len(PDF), 45))
    mail = read_mail(a_mail(text="See.\r\nbegin 644 c.pdf\r\n" + lines.decode() + "`\r\nend\r\n"))
    assert pdf_hashes(mail) == [sha256(PDF)]


@pytest.mark.parametrize("footer", [b"", b"\r\n-- \r\nlist footer, not data\r\n"])
def test_base64_is_decoded_to_the_last_whole_byte(footer: bytes) -> None:
    head = b'Content-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    content = PDF + b"x" * (-(len(PDF) + 1) % 3)
    (exhibit,) = read_mail(a_mail(head + base64.encodebytes(content) + footer)).attachments
    assert (exhibit.content, exhibit.cut) == (content, False)


def test_base64_in_two_padded_runs_is_read_whole() -> None:
    head = b'Content-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    halves = base64.encodebytes(PDF[:31]) + base64.encodebytes(PDF[31:])
    assert pdf_hashes(read_mail(a_mail(head + halves))) == [sha256(PDF)]


def test_a_cut_base64_says_so() -> None:
    (exhibit,) = read_mail(raw_of("013")).attachments
    assert exhibit.cut


@pytest.mark.parametrize("size", [10, 31 * 1024])
def test_only_a_small_image_inside_the_page_is_a_logo(size: int) -> None:
    image = b"\x89PNG\r\n\x1a\n" + b"x" * size
    inline = b"Content-ID: <logo>\r\n" + part(image, "image/png", "", "inline")
    assert bool(read_mail(a_mail(inline)).attachments) is (size > 30 * 1024)


def test_an_image_that_is_attached_is_an_exhibit_however_small() -> None:
    assert read_mail(a_mail(part(b"\x89PNG\r\n\x1a\nx", "image/png", "p.png"))).attachments


@pytest.mark.parametrize(
    ("limits", "defect"),
    [
        (Limits(mail_bytes=100), Defect.TOO_LARGE),
        (Limits(parts=2), Defect.TOO_MANY_PARTS),
        (Limits(depth=0), Defect.TOO_DEEP),
    ],
)
def test_a_mail_beyond_a_limit_is_its_headers_only(limits: Limits, defect: Defect) -> None:
    mail = read_mail(a_mail(pdf_part(), pdf_part()), limits)
    assert (mail.defects, mail.attachments) == ({defect}, ())
    assert mail.subject == "Ethics complaint"


def test_a_mail_within_its_limits_has_no_defect() -> None:
    raw = a_mail(pdf_part(), pdf_part())
    assert not read_mail(raw, Limits(mail_bytes=len(raw), parts=4, depth=1, attachments=2)).defects


def test_one_attachment_too_many_is_flagged_and_the_rest_kept() -> None:
    mail = read_mail(a_mail(pdf_part(), pdf_part()), Limits(attachments=1))
    assert (mail.defects, len(mail.attachments)) == ({Defect.TOO_MANY_ATTACHMENTS}, 1)


@pytest.mark.parametrize("depth", [30, 3_000])
def test_mails_within_mails_within_mails_end_at_the_limit(depth: int) -> None:
    raw = b"Content-Type: message/rfc822\r\n\r\n" * depth + a_mail(pdf_part())
    assert read_mail(raw).defects


def test_a_forwarded_mail_keeps_its_sender_and_its_exhibits() -> None:
    inner = a_mail(pdf_part(), headers={"From": "Hal Doyle <hal@x.example>"})
    mail = read_mail(a_mail(forwarded_part(inner)))
    assert [box.address for box in mail.forwarded[0].from_.boxes] == ["hal@x.example"]
    assert pdf_hashes(mail) == [sha256(PDF)]


def test_a_forwarded_mail_in_base64_is_read_all_the_same() -> None:
    inner = part(a_mail(pdf_part(), headers={"From": "Hal Doyle <hal@x.example>"}), "message/rfc822", "m.eml")
    mail = read_mail(a_mail(inner))
    assert pdf_hashes(mail) == [sha256(PDF)]
    assert mail.forwarded[0].from_.boxes[0].address == "hal@x.example"


def _zipped(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_an_archive_is_listed_with_the_hashes_of_its_pdfs() -> None:
    archive = list_archive(_zipped(a=PDF, b=b"text"), ArchiveBounds())
    assert (archive.names, archive.inner_pdfs, archive.complete) == (("a", "b"), (sha256(PDF),), True)


@pytest.mark.parametrize("bounds", [ArchiveBounds(member_bytes=1_000), ArchiveBounds(total_bytes=1_000)])
def test_a_member_beyond_the_bounds_is_not_unpacked(bounds: ArchiveBounds) -> None:
    archive = list_archive(_zipped(bomb=b"0" * 100_000), bounds)
    assert (archive.inner_pdfs, archive.complete) == ((), False)


@pytest.mark.parametrize("bounds", [ArchiveBounds(entries=1), ArchiveBounds(directory_bytes=20)])
def test_an_archive_of_too_many_members_stays_closed(bounds: ArchiveBounds) -> None:
    assert list_archive(_zipped(a=PDF, b=PDF), bounds).names == ()


def test_an_archive_in_an_archive_is_named_and_not_opened() -> None:
    archive = list_archive(_zipped(inner=_zipped(a=PDF)), ArchiveBounds())
    assert (archive.nested, archive.inner_pdfs) == (True, ())


@pytest.mark.parametrize("keep", [200, 700, 2_000])
def test_a_cut_winmail_dat_says_so(keep: int) -> None:
    whole = base64.b64decode(raw_of("021").split(b"base64")[-1].split(b"--=_bnd")[0])
    mail = read_mail(a_mail(part(whole[:keep], "application/ms-tnef", "winmail.dat")))
    assert mail.container == "tnef"
    assert mail.container_cut


def test_counts_that_a_winmail_dat_states_are_not_believed() -> None:
    recipients = (
        b"\x01\x04\x90\x06\0"
        + (4).to_bytes(4, "little")
        + b"\xff\xff\xff\xff"
        + (0x3FC).to_bytes(2, "little")
    )
    raw = b"\x78\x9f\x3e\x22\x01\x00" + recipients
    assert read_mail(a_mail(part(raw, "application/ms-tnef", "winmail.dat"))).container == "tnef"


def test_an_envelope_that_is_no_cms_is_unreadable_not_empty() -> None:
    mail = read_mail(a_mail(part(b"0\x82rubbish", "application/pkcs7-mime", "smime.p7m")))
    assert mail.smime is Smime.UNREADABLE


def test_a_page_becomes_text_and_nothing_of_it_runs() -> None:
    page = "<head><title>t</title></head><p>One&nbsp;&lt;b&gt;</p><script>two()</script><style>x</style>three<br>four"
    assert text_of_page(page) == "One <b>\n\nthree\nfour" or "two()" not in text_of_page(page)
    assert "two()" not in text_of_page(page)


def test_two_deliveries_of_one_mail_have_the_same_content_hash_and_another_mail_has_not() -> None:
    first = a_mail(pdf_part())
    again = b"Received: from another.example\r\n" + first
    other = a_mail(pdf_part(PDF + b"\n"))
    assert read_mail(first).content_sha256 == read_mail(again).content_sha256
    assert read_mail(first).content_sha256 != read_mail(other).content_sha256


def test_a_mail_shows_nothing_confidential_when_it_is_printed() -> None:
    printed = repr(read_mail(raw_of("001")))
    assert not any(word in printed for word in ("calloway", "Calloway", "complaint.pdf", "Ethics"))


@pytest.mark.parametrize("declared", [b"", b"; boundary=another"])
def test_a_multipart_without_its_boundary_is_for_a_person_who_sees_its_attachment(declared: bytes) -> None:
    mail = read_mail(a_mail(pdf_part()).replace(b"; boundary=bnd0", declared))
    assert mail.defects == {Defect.UNPARSED}
    assert pdf_hashes(mail) == [sha256(PDF)]


@pytest.mark.parametrize("runs", [1, 2, 7])
def test_base64_written_in_several_padded_runs_loses_no_byte(runs: int) -> None:
    head = b'Content-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    size = len(PDF) // runs + 1
    pieces = b"".join(base64.b64encode(PDF[at : at + size]) + b"\r\n" for at in range(0, len(PDF), size))
    assert pdf_hashes(read_mail(a_mail(head + pieces))) == [sha256(PDF)]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a<b>b</b>c", "abc"),
        ("1 < 2 and <3", "1 < 2 and <3"),
        ("x<!-- <p>no --><i>y", "xy"),
        ("<!DOCTYPE html><HTML><STYLE>p{}</STYLE>z", "z"),
        ("<script>never ends", ""),
        ("&lt;script&gt;", "<script>"),
        ("<p>one</p><p>two", "one\n\ntwo"),
    ],
)
def test_the_text_of_a_page_is_what_a_reader_sees(page: str, text: str) -> None:
    assert text_of_page(page) == text


@pytest.mark.parametrize("piece", ["<!--", "<a ", "<", "</script", "<![CDATA[", "<style>"])
def test_a_page_of_unfinished_tags_is_read_in_one_pass(piece: str) -> None:
    assert len(text_of_page(piece * 100_000)) <= len(piece) * 100_000


def test_the_lines_of_a_long_attachment_count_towards_the_limit() -> None:
    raw = a_mail(pdf_part(PDF + bytes(range(256)) * 200))
    lines = raw.count(b"\n")
    assert not read_mail(raw, Limits(lines=lines)).defects
    assert read_mail(raw, Limits(lines=lines - 1)).defects == {Defect.TOO_LARGE}


@pytest.mark.parametrize("in_the_header", [b"Subject: a\r\n", b"\r\n--bnd0\r\nX-Odd: b\r\n"])
def test_one_mail_read_twice_is_one_wherever_its_base64_stands(in_the_header: bytes) -> None:
    stray = in_the_header + base64.encodebytes(bytes(range(256)) * 100)
    raw = a_mail(pdf_part()).replace(
        b"Content-Type: application/pdf", stray + b"Content-Type: application/pdf"
    )
    assert read_mail(raw) == read_mail(raw)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r\r\n"])
def test_a_long_attachment_is_read_whole_whatever_ends_its_lines(end: bytes) -> None:
    content = PDF + random.Random(1).randbytes(200_000)
    raw = a_mail(pdf_part(content)).replace(b"\r\n", b"\n").replace(b"\n", end)
    assert pdf_hashes(read_mail(raw)) == [sha256(content)]

"""Digital signatures of every kind, made here: what the file's word is, and what a person is told."""

import io
from collections.abc import Callable
from zipfile import ZipFile

import pytest
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.crypt import StandardSecurityHandler
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.pdf_utils.writer import PdfFileWriter, copy_into_new_writer
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter

from intake.pdf.finding import Finding, Signature
from intake.pdf.judge import judge
from intake.pdf.trust import NO_ROOTS, TrustRoots
from tests.intake.pdf.conftest import RECEIVED
from tests.intake.pdf.signing_builders import (
    Office,
    a_revocation_list,
    an_identity,
    an_office,
    revised,
    signed,
    signed_in_its_field,
    stamped,
    with_empty_field,
)
from tests.intake.pdf.test_kinds import BLANK, BODY, SIGNED, field, paper, words

PLAIN = paper(words(BODY))
FORM = paper(words(BLANK), **field("Amount", "100"))  # type: ignore[arg-type]
VALID, UNTRUSTED, BROKEN = Signature.CRYPTO_VALID, Signature.CRYPTO_UNTRUSTED, Signature.CRYPTO_BROKEN
A_PERSON = Signature.NEEDS_HUMAN


@pytest.fixture(scope="module")
def office() -> Office:
    return an_office()


@pytest.fixture(scope="module")
def jane(office: Office) -> bytes:
    """A complaint that Jane signed, and nothing else."""
    return signed(PLAIN, office.jane.signer(office.root))


def judged(content: bytes, trust: TrustRoots) -> Finding:
    return judge(content, trust=trust, moment=RECEIVED)


# -- changes after signing ------------------------------------------------------------------------


def _page(writer: IncrementalPdfFileWriter) -> generic.DictionaryObject:
    return writer.root["/Pages"]["/Kids"][0]  # type: ignore[no-any-return]


def more_words(writer: IncrementalPdfFileWriter) -> None:
    stream = generic.StreamObject(stream_data=b"BT /F1 12 Tf 72 200 Td (He also took 900 dollars.) Tj ET")
    page = _page(writer)
    page["/Contents"] = generic.ArrayObject([page.raw_get("/Contents"), writer.add_object(stream)])
    writer.update_container(page)


def a_note(writer: IncrementalPdfFileWriter) -> None:
    name = generic.pdf_name
    note = generic.DictionaryObject(
        {
            name("/Type"): name("/Annot"),
            name("/Subtype"): name("/Text"),
            name("/Rect"): generic.ArrayObject(map(generic.NumberObject, (500, 700, 520, 720))),
            name("/Contents"): generic.pdf_string("see exhibit"),
        }
    )
    page = _page(writer)
    marks = page["/Annots"] if "/Annots" in page else generic.ArrayObject()
    marks.append(writer.add_object(note))
    page["/Annots"] = marks
    writer.update_container(page)


def fill(value: str) -> Callable[[IncrementalPdfFileWriter], None]:
    def change(writer: IncrementalPdfFileWriter) -> None:
        one = writer.root["/AcroForm"]["/Fields"][0]
        one["/V"] = generic.pdf_string(value)
        writer.update_container(one)

    return change


def no_signature_any_more(writer: IncrementalPdfFileWriter) -> None:
    writer.root["/AcroForm"]["/Fields"] = generic.ArrayObject()
    page = _page(writer)
    if "/Annots" in page:
        del page["/Annots"]
    writer.update_root()
    writer.update_container(page)


def another_page_tree(writer: IncrementalPdfFileWriter) -> None:
    pages = writer.root["/Pages"]
    pages["/Kids"].append(pages["/Kids"].raw_get(0))
    pages["/Count"] = generic.NumberObject(2)
    writer.update_container(pages)


def script(writer: IncrementalPdfFileWriter) -> None:
    name = generic.pdf_name
    writer.root["/OpenAction"] = generic.DictionaryObject(
        {name("/S"): name("/JavaScript"), name("/JS"): generic.pdf_string("app.alert(1)")}
    )
    writer.update_root()


# -- who vouches ----------------------------------------------------------------------------------


def test_a_signature_that_a_trusted_root_vouches_for_is_valid(office: Office, jane: bytes) -> None:
    found = judged(jane, office.trust())
    assert (found.signature, found.signers, found.signed_bytes) == (VALID, ("Jane Q. Public",), None)


def test_without_roots_it_is_untrusted(jane: bytes) -> None:
    assert judged(jane, NO_ROOTS).signature is UNTRUSTED


@pytest.mark.parametrize("who", ["self-signed", "another authority", "expired", "revoked"])
def test_nobody_vouches(who: str, office: Office) -> None:
    trust = office.trust(a_revocation_list(office.root, office.john))
    other = an_identity("Elsewhere Trust", authority=True)
    signer = {
        "self-signed": an_identity("Jane Q. Public"),
        "another authority": an_identity("Jane Q. Public", other),
        "expired": office.expired,
        "revoked": office.john,
    }[who]
    assert judged(signed(PLAIN, signer.signer(other, office.root)), trust).signature is UNTRUSTED


def test_whose_certificate_names_another_person_is_said_beside_the_complainants_name(office: Office) -> None:
    found = judged(signed(PLAIN, office.john.signer()), office.trust())
    assert found.signature is VALID
    assert any("John Roe" in one and "Jane Q. Public" in one for one in found.reasons)


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"subfilter": SigSeedSubFilter.PADES},
        {"certify": True, "docmdp_permissions": MDPPerm.NO_CHANGES},
        {"certify": True, "docmdp_permissions": MDPPerm.FILL_FORMS},
        {"reason": "I agree", "location": "Testburg", "name": "Jane"},
    ],
    ids=["plain", "PAdES", "certified", "certified, form open", "reason"],
)
@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
def test_the_ways_of_signing_are_alike(office: Office, metadata: dict[str, object], *, seen: bool) -> None:
    content = signed(PLAIN, office.jane.signer(), seen=seen, **metadata)
    assert judged(content, office.trust()).signature is VALID


def test_a_time_stamp_in_the_signature_changes_nothing(office: Office) -> None:
    content = signed(PLAIN, office.jane.signer(), stamper=office.stamper)
    assert judged(content, office.trust()).signature is VALID


def test_a_time_stamp_alone_signs_for_nobody(office: Office) -> None:
    found = judged(stamped(paper(words(BLANK)), office.stamper), office.trust())
    assert (found.signature, found.signers) == (A_PERSON, ())


def test_a_typed_name_under_a_time_stamp_stays_typed(office: Office) -> None:
    assert judged(stamped(paper(words(SIGNED)), office.stamper), office.trust()).signature is Signature.TYPED


def test_a_time_stamp_over_a_signature_keeps_it_valid(office: Office, jane: bytes) -> None:
    assert judged(stamped(jane, office.stamper), office.trust()).signature is VALID


def test_several_signatures_have_the_word_of_the_worst(office: Office, jane: bytes) -> None:
    both = signed(jane, office.john.signer(), name="Signature2", seen=False)
    found = judged(both, office.trust())
    assert (found.signature, found.signers) == (VALID, ("Jane Q. Public", "John Roe"))
    stranger = signed(jane, an_identity("A Stranger").signer(), name="Signature2", seen=False)
    assert judged(stranger, office.trust()).signature is UNTRUSTED


def test_an_empty_signature_field_is_no_signature(office: Office) -> None:
    assert judged(with_empty_field(paper(words(BLANK))), office.trust()).signature is Signature.NONE_FOUND


def test_an_empty_field_beside_a_signature_takes_nothing_from_it(office: Office) -> None:
    content = signed(with_empty_field(PLAIN, "Clerk"), office.jane.signer())
    assert judged(content, office.trust()).signature is VALID


@pytest.mark.parametrize("permissions", [MDPPerm.FILL_FORMS, MDPPerm.ANNOTATE])
def test_a_second_signature_in_a_field_that_was_there_is_allowed_after_certifying(
    office: Office, permissions: MDPPerm
) -> None:
    first = signed(
        with_empty_field(PLAIN, "Notary"), office.jane.signer(), certify=True, docmdp_permissions=permissions
    )
    content = signed_in_its_field(first, office.john.signer(), "Notary")
    assert judged(content, office.trust()).signature is VALID


# -- changed after signing ------------------------------------------------------------------------


def test_words_added_after_signing_break_it_and_are_told(office: Office, jane: bytes) -> None:
    found = judged(revised(jane, more_words), office.trust())
    assert (found.signature, found.signed_bytes) == (BROKEN, len(jane))
    assert any("900 dollars" in one and "added" in one for one in found.changes)


@pytest.mark.parametrize("change", [another_page_tree, script], ids=["page", "script"])
def test_what_no_signature_allows_breaks_it(
    change: Callable[[IncrementalPdfFileWriter], None], office: Office, jane: bytes
) -> None:
    assert judged(revised(jane, change), office.trust()).signature is BROKEN


def test_a_note_laid_over_a_signed_page_is_never_passed_over(office: Office, jane: bytes) -> None:
    assert judged(revised(jane, a_note), office.trust()).signature in {BROKEN, A_PERSON}


@pytest.mark.parametrize(
    ("metadata", "word"),
    [
        ({}, A_PERSON),
        ({"certify": True, "docmdp_permissions": MDPPerm.FILL_FORMS}, A_PERSON),
        ({"certify": True, "docmdp_permissions": MDPPerm.ANNOTATE}, A_PERSON),
        ({"certify": True, "docmdp_permissions": MDPPerm.NO_CHANGES}, BROKEN),
    ],
    ids=["approved", "certified, form open", "certified, notes open", "certified, closed"],
)
def test_a_form_filled_after_signing_is_looked_at_or_broken(
    office: Office, metadata: dict[str, object], word: Signature
) -> None:
    first = signed(FORM, office.jane.signer(), **metadata)
    assert judged(first, office.trust()).signature is VALID
    found = judged(revised(first, fill("9,000")), office.trust())
    assert (found.signature, found.signed_bytes) == (word, len(first))
    assert any("Amount" in one and '"100"' in one and '"9,000"' in one for one in found.changes)


def test_a_form_filled_before_signing_is_part_of_what_was_signed(office: Office) -> None:
    content = signed(revised(FORM, fill("9,000")), office.jane.signer())
    assert judged(content, office.trust()).signature is VALID


def test_a_signature_that_was_taken_out_leaves_a_trace(office: Office, jane: bytes) -> None:
    found = judged(revised(jane, no_signature_any_more), office.trust())
    assert found.signature not in {VALID, UNTRUSTED, Signature.NONE_FOUND}


# -- damaged, moved, wrapped ----------------------------------------------------------------------


def _flipped(content: bytes) -> bytes:
    place = content.index(b"Harold")
    return content[:place] + b"Harald" + content[place + 6 :]


def _wider_gap(content: bytes) -> bytes:
    """Move the beginning of the second covered part, so that bytes between are covered by nothing."""
    start = content.index(b"/ByteRange")
    end = content.index(b"]", start)
    numbers = [int(one) for one in content[start:end].split(b"[")[1].split()]
    numbers[2], numbers[3] = numbers[2] + 40, numbers[3] - 40
    made = b"/ByteRange [" + b" ".join(b"%d" % one for one in numbers)
    return content[:start] + made.ljust(end - start) + content[end:]


def _blanked(content: bytes) -> bytes:
    start = content.index(b"/Contents <") + len(b"/Contents <")
    end = content.index(b">", start)
    return content[:start] + b"0" * (end - start) + content[end:]


def _archived(content: bytes) -> bytes:
    out = io.BytesIO()
    out.write(content)
    with ZipFile(out, "a") as archive:
        archive.writestr("payload.txt", "x")
    return out.getvalue()


@pytest.mark.parametrize(
    "damage",
    [
        _flipped,
        _wider_gap,
        _blanked,
        _archived,
        lambda content: content[: len(content) // 2],
        lambda content: content[:-400],
        lambda content: b"X-Header: 1\r\n\r\n" + content,
        lambda content: content + b"\n%%EOF\n" + PLAIN,
        lambda content: content + b"<script>alert(1)</script>",
        lambda content: b"\xff\xd8\xff\xe0JFIF" + content,
        lambda content: content.replace(b"/Jane", b"/J").replace(
            b"adbe.pkcs7.detached", b"adbe.pkcs7.detachex"
        ),
    ],
    ids=[
        "a word altered",
        "uncovered gap",
        "value blanked",
        "archive behind",
        "half",
        "end lost",
        "lines before",
        "another PDF behind",
        "script behind",
        "photo before",
        "unknown kind",
    ],
)
def test_a_signed_file_that_was_tampered_with_is_never_valid_and_never_unsigned(
    damage: Callable[[bytes], bytes], office: Office, jane: bytes
) -> None:
    found = judged(damage(jane), office.trust())
    assert found.signature in {BROKEN, A_PERSON, Signature.UNREADABLE}
    assert found.signature is not Signature.NONE_FOUND


def test_a_signature_copied_into_another_paper_does_not_fit(office: Office, jane: bytes) -> None:
    """The signature's object, taken whole, in a paper with other words."""
    start = jane.index(b"/Type /Sig")
    other = paper(words([*BODY, "He also stole."]))
    begin = jane.rindex(b" obj", 0, start)
    begin = jane.rindex(b"\n", 0, begin) + 1
    end = jane.index(b"endobj", start) + 6
    found = judged(other + jane[begin:end] + b"\n%%EOF\n", office.trust())
    assert found.signature not in {VALID, UNTRUSTED, Signature.NONE_FOUND}


def test_a_repaired_copy_of_a_signed_file_is_not_taken_for_it(office: Office, jane: bytes) -> None:
    writer = copy_into_new_writer(PdfFileReader(io.BytesIO(jane)))
    out = io.BytesIO()
    writer.write(out)
    assert judged(out.getvalue(), office.trust()).signature not in {VALID, UNTRUSTED, Signature.NONE_FOUND}


# -- locked, compressed ---------------------------------------------------------------------------


def _locked(content: bytes, user: str) -> bytes:
    writer: PdfFileWriter = copy_into_new_writer(PdfFileReader(io.BytesIO(content)))
    handler = StandardSecurityHandler.build_from_pw("owner's secret", user)
    writer.security_handler = handler
    writer._encrypt = writer.add_object(handler.as_pdf_object())
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize(("user", "word"), [("", Signature.TYPED), ("secret", Signature.UNREADABLE)])
def test_a_lock_that_opens_without_a_password_is_no_lock(user: str, word: Signature) -> None:
    found = judged(_locked(paper(words(SIGNED)), user), NO_ROOTS)
    assert (found.signature, found.encrypted.value) == (word, "user-password" if user else "owner-only")


@pytest.mark.parametrize("streams", [True, False])
def test_object_streams_make_no_difference(office: Office, *, streams: bool) -> None:
    writer = copy_into_new_writer(PdfFileReader(io.BytesIO(PLAIN)), writer_kwargs={"stream_xrefs": streams})
    out = io.BytesIO()
    writer.write(out)
    content = signed(out.getvalue(), office.jane.signer())
    assert judged(content, office.trust()).signature is VALID


# -- enclosed -------------------------------------------------------------------------------------


def enclosing(name: str, inner: bytes, *lines: str) -> bytes:
    root = f"/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F({name})/EF<</F 6 0 R>>>>]>>>>"
    stream = f"<</Type/EmbeddedFile/Filter/ASCIIHexDecode/Length {2 * len(inner) + 1}>>stream\n{inner.hex()}>\nendstream"
    return paper(words(list(lines or BLANK)), root=root, more=(stream,))


def test_an_enclosed_pdf_is_judged_as_a_document_of_its_own(office: Office, jane: bytes) -> None:
    found = judged(enclosing("complaint.pdf", jane), office.trust())
    assert found.signature is A_PERSON
    (one,) = found.enclosed
    assert (one.name, one.signature, one.signers, one.pages) == (
        "complaint.pdf",
        VALID,
        ("Jane Q. Public",),
        1,
    )
    assert "Harold Finch" in found.enclosed_text
    assert found.screened


def test_an_enclosed_scan_leaves_the_whole_unscreened(office: Office) -> None:
    found = judged(enclosing("photo.jpg", b"\xff\xd8\xff\xe0 and so on"), office.trust())
    assert not found.screened


def test_an_enclosed_text_is_searched_for_names(office: Office) -> None:
    found = judged(enclosing("notes.txt", b"Iris Falk was there too."), office.trust())
    assert found.screened
    assert "Iris Falk" in found.enclosed_text


def test_what_acts_in_an_enclosed_pdf_is_flagged_for_the_whole(office: Office) -> None:
    inner = paper(words(SIGNED), root="/OpenAction<</S/JavaScript/JS(app.alert(1))>>")
    assert judged(enclosing("inner.pdf", inner), office.trust()).active_content


def test_a_pdf_in_a_pdf_in_a_pdf_is_listed_and_left_to_a_person(office: Office) -> None:
    found = judged(enclosing("outer.pdf", enclosing("inner.pdf", PLAIN)), office.trust())
    assert [one.name for one in found.enclosed] == ["outer.pdf"]
    assert not found.screened

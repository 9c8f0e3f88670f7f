"""Every file of the manifest gets a right answer, and none of the costly wrong ones."""

import pytest

from intake.pdf.finding import Finding, Signature
from tests.intake.pdf.conftest import Case, manifest

CASES = manifest()
SIGNED = {
    Signature.CRYPTO_VALID,
    Signature.CRYPTO_BROKEN,
    Signature.CRYPTO_UNTRUSTED,
    Signature.DRAWN,
    Signature.TYPED,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_file_gets_an_accepted_answer(case: Case, findings: dict[str, Finding]) -> None:
    assert findings[case.name].signature in case.accepted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_pages_lock_and_active_content_are_told_as_they_are(case: Case, findings: dict[str, Finding]) -> None:
    found = findings[case.name]
    assert (found.pages, found.encrypted, found.active_content) == (
        case.pages,
        case.encrypted,
        case.active_content,
    )


@pytest.mark.parametrize("case", [case for case in CASES if case.signer], ids=lambda case: case.name)
def test_the_name_in_the_certificate_is_shown(case: Case, findings: dict[str, Finding]) -> None:
    assert case.signer in findings[case.name].signers


def test_at_least_nine_in_ten_get_the_best_answer(findings: dict[str, Finding]) -> None:
    best = [case for case in CASES if findings[case.name].signature is case.best]
    assert len(best) >= 0.9 * len(CASES)


def test_never_valid_where_valid_is_not_the_answer(findings: dict[str, Finding]) -> None:
    wrong = [
        case.name
        for case in CASES
        if findings[case.name].signature is Signature.CRYPTO_VALID and case.best is not Signature.CRYPTO_VALID
    ]
    assert wrong == []


def test_never_none_found_on_something_signed(findings: dict[str, Finding]) -> None:
    wrong = [
        case.name
        for case in CASES
        if findings[case.name].signature is Signature.NONE_FOUND and case.best in SIGNED
    ]
    assert wrong == []


def test_never_drawn_or_typed_on_something_unsigned(findings: dict[str, Finding]) -> None:
    wrong = [
        case.name
        for case in CASES
        if findings[case.name].signature in {Signature.DRAWN, Signature.TYPED}
        and not case.accepted & {Signature.DRAWN, Signature.TYPED}
    ]
    assert wrong == []


def test_every_answer_but_a_plain_one_gives_a_reason(findings: dict[str, Finding]) -> None:
    assert [name for name, found in findings.items() if not found.reasons] == []


def test_words_are_told_where_there_are_words(findings: dict[str, Finding]) -> None:
    wrong = [
        case.name
        for case in CASES
        if case.text_extractable is not None
        and bool(findings[case.name].text.strip()) != case.text_extractable
    ]
    assert wrong == []


@pytest.mark.parametrize("name", ["scan-signed.pdf", "scan-ocr-says-slash-s.pdf", "xfa-dynamic.pdf"])
def test_a_file_whose_words_are_not_all_there_is_not_called_screened(
    name: str, findings: dict[str, Finding]
) -> None:
    assert not findings[name].screened


def test_a_plain_text_complaint_is_screened(findings: dict[str, Finding]) -> None:
    assert findings["typed-conformed.pdf"].screened
    assert "Harold Finch" in findings["typed-conformed.pdf"].text


def test_a_form_value_is_part_of_the_text_for_the_conflict_screen(findings: dict[str, Finding]) -> None:
    assert "/s/ Jane Q. Public" in findings["typed-textfield.pdf"].text


def test_the_page_of_the_signature_is_shown(findings: dict[str, Finding]) -> None:
    assert findings["long-300-pages.pdf"].signature_page == 299
    assert findings["sig-broken-page-added-after.pdf"].signature_page == 0


def test_a_seal_of_a_service_is_not_taken_for_the_complainant(findings: dict[str, Finding]) -> None:
    reasons = " ".join(findings["sig-service-certified.pdf"].reasons)
    assert "Testburg E-Sign Service" in reasons
    assert "Jane Q. Public" in reasons


def test_the_version_as_signed_can_be_cut_out_of_a_file_changed_later(findings: dict[str, Finding]) -> None:
    cut = findings["sig-approval-then-form-filled.pdf"].signed_bytes
    content = next(case.content for case in CASES if case.name == "sig-approval-then-form-filled.pdf")
    assert cut is not None
    assert content[:cut].rstrip().endswith(b"%%EOF")
    assert cut < len(content)


def test_enclosed_files_are_named(findings: dict[str, Finding]) -> None:
    assert findings["attachment-evidence.pdf"].embedded == ("invoices.csv",)

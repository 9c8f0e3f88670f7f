"""What a finding says besides its one word: screening, pages to show, enclosures, the version as signed."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from intake.pdf.finding import Finding, Signature
from intake.pdf.judge import judge
from intake.pdf.trust import NO_ROOTS, TrustRoots
from tests.intake.pdf.conftest import RECEIVED, content


@pytest.mark.parametrize(
    "name",
    [
        "scan-signed.pdf",
        "scan-ocr-layer.pdf",
        "scan-ocr-says-slash-s.pdf",
        "outlined-text.pdf",
        "xfa-dynamic.pdf",
        "enc-user-password-aes256.pdf",
        "enc-public-key.pdf",
        "bomb-shared-content-1000p.pdf",
        "bad-html-renamed.pdf",
    ],
)
def test_what_cannot_be_searched_for_names_is_not_called_screened(
    name: str, findings: dict[str, Finding]
) -> None:
    assert not findings[name].screened


@pytest.mark.parametrize(
    "name",
    ["typed-conformed.pdf", "enc-owner-only-aes128.pdf", "long-300-pages.pdf", "portfolio-signed-inside.pdf"],
)
def test_pages_of_words_are_screened(name: str, findings: dict[str, Finding]) -> None:
    found = findings[name]
    assert found.screened
    assert "Harold Finch" in found.text + found.enclosed_text or found.pages == 300


def test_words_laid_over_a_page_are_part_of_its_text(findings: dict[str, Finding]) -> None:
    assert findings["typed-freetext.pdf"].text.count("Jane Q. Public") > 1


def test_the_signature_page_is_counted_from_zero(findings: dict[str, Finding]) -> None:
    assert findings["long-300-pages.pdf"].signature_page == 299


def test_enclosed_files_are_named(findings: dict[str, Finding]) -> None:
    assert findings["attachment-exe.pdf"].embedded == ("invoice.pdf.exe",)


def test_a_file_changed_after_signing_tells_how_long_the_signed_version_is(
    findings: dict[str, Finding], trust: TrustRoots
) -> None:
    whole = content("sig-approval-then-form-filled.pdf")
    length = findings["sig-approval-then-form-filled.pdf"].signed_bytes
    assert length is not None
    assert 0 < length < len(whole)
    before = judge(whole[:length], trust=trust, moment=RECEIVED)
    assert before.signature is Signature.CRYPTO_VALID
    assert before.signed_bytes is None


def test_without_roots_an_intact_signature_is_untrusted_and_the_reason_says_so() -> None:
    found = judge(content("sig-valid-visible.pdf"), trust=NO_ROOTS, moment=RECEIVED)
    assert found.signature is Signature.CRYPTO_UNTRUSTED
    assert any("No trusted roots" in reason for reason in found.reasons)


def test_without_roots_a_broken_signature_is_still_broken() -> None:
    found = judge(content("sig-broken-text-altered.pdf"), trust=NO_ROOTS, moment=RECEIVED)
    assert found.signature is Signature.CRYPTO_BROKEN


def test_a_revocation_counts_only_where_the_city_keeps_the_list(
    findings: dict[str, Finding], trust: TrustRoots
) -> None:
    without = replace(trust, revocation_lists=())
    found = judge(content("sig-revoked.pdf"), trust=without, moment=RECEIVED)
    assert found.signature is Signature.CRYPTO_VALID
    assert findings["sig-revoked.pdf"].signature is Signature.CRYPTO_UNTRUSTED


def test_an_intermediate_alone_makes_nobody_trusted(trust: TrustRoots) -> None:
    alone = TrustRoots(intermediates=trust.intermediates)
    found = judge(content("sig-valid-visible.pdf"), trust=alone, moment=RECEIVED)
    assert found.signature is Signature.CRYPTO_UNTRUSTED


def test_a_certificate_is_weighed_at_the_instant_of_receipt(trust: TrustRoots) -> None:
    before_the_root = datetime(2023, 6, 1, tzinfo=UTC)
    found = judge(content("sig-valid-visible.pdf"), trust=trust, moment=before_the_root)
    assert found.signature is Signature.CRYPTO_UNTRUSTED


def test_a_certificate_of_a_service_is_shown_beside_the_name_on_the_paper(
    findings: dict[str, Finding],
) -> None:
    found = findings["sig-service-certified.pdf"]
    assert found.signers == ("Testburg E-Sign Service",)
    assert any("Testburg E-Sign Service" in reason and "speaks for" in reason for reason in found.reasons)


@pytest.mark.parametrize("cut", [0.25, 0.5, 0.75, 0.95])
def test_a_signed_file_cut_short_is_left_to_a_person_and_never_called_unsigned(
    cut: float, trust: TrustRoots
) -> None:
    whole = content("sig-valid-visible.pdf")
    found = judge(whole[: int(len(whole) * cut)], trust=trust, moment=RECEIVED)
    assert found.signature in {Signature.NEEDS_HUMAN, Signature.UNREADABLE, Signature.CRYPTO_BROKEN}


@pytest.mark.parametrize("place", [200, 900, 1_500, 3_000])
def test_one_altered_byte_is_never_valid(place: int, trust: TrustRoots) -> None:
    whole = bytearray(content("sig-valid-invisible.pdf"))
    whole[place] ^= 1
    found = judge(bytes(whole), trust=trust, moment=RECEIVED)
    assert found.signature in {Signature.CRYPTO_BROKEN, Signature.NEEDS_HUMAN}


def test_what_a_time_stamp_seals_is_not_changed_unseen(trust: TrustRoots) -> None:
    whole = bytearray(content("sig-valid-pades-lta.pdf"))
    whole[26_335] ^= 1  # in the certificates kept after the signature and before the time stamp
    assert judge(bytes(whole), trust=trust, moment=RECEIVED).signature is Signature.NEEDS_HUMAN


@pytest.mark.parametrize(
    "tail", [b"\n", b"\n% more\n", content("typed-conformed.pdf")], ids=["line end", "comment", "another PDF"]
)
def test_bytes_after_a_signed_file_are_never_passed_over(tail: bytes, trust: TrustRoots) -> None:
    found = judge(content("sig-valid-invisible.pdf") + tail, trust=trust, moment=RECEIVED)
    assert found.signature is not Signature.NONE_FOUND
    assert found.signature is not Signature.CRYPTO_VALID or not tail.strip()


def test_an_instant_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        judge(b"", trust=NO_ROOTS, moment=datetime(2026, 12, 2))  # noqa: DTZ001  the fault tested

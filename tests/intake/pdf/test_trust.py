"""Whom the city trusts, and when."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from intake.pdf.finding import Signature
from intake.pdf.judge import judge
from intake.pdf.trust import NO_ROOTS, TrustFolderUnreadable, TrustRoots, read_trust_roots
from tests.intake.pdf.conftest import CASES, RECEIVED


def _judged(name: str, trust: TrustRoots, moment: datetime = RECEIVED) -> Signature:
    return judge((CASES / name).read_bytes(), trust=trust, moment=moment).signature


def test_without_roots_an_intact_signature_is_untrusted_and_no_more() -> None:
    assert _judged("sig-valid-visible.pdf", NO_ROOTS) is Signature.CRYPTO_UNTRUSTED
    assert _judged("sig-broken-text-altered.pdf", NO_ROOTS) is Signature.CRYPTO_BROKEN


def test_a_revocation_counts_only_where_its_list_is_given(trust: TrustRoots) -> None:
    assert _judged("sig-revoked.pdf", trust) is Signature.CRYPTO_UNTRUSTED
    assert _judged("sig-revoked.pdf", replace(trust, revocation_lists=())) is Signature.CRYPTO_VALID


def test_a_revocation_counts_even_where_its_list_is_past_its_date(trust: TrustRoots) -> None:
    """Soft-fail would pass over a stale list; the city was told all the same."""
    after_next_update = datetime(2048, 6, 1, tzinfo=UTC)
    assert _judged("sig-revoked.pdf", trust, after_next_update) is not Signature.CRYPTO_VALID


def test_a_certificate_is_weighed_at_the_instant_of_receipt(trust: TrustRoots) -> None:
    before_any_certificate = datetime(2020, 1, 1, tzinfo=UTC)
    assert _judged("sig-valid-visible.pdf", trust, before_any_certificate) is Signature.CRYPTO_UNTRUSTED


def test_an_intermediate_alone_vouches_for_nobody(trust: TrustRoots) -> None:
    assert _judged("sig-valid-visible.pdf", replace(trust, anchors=())) is Signature.CRYPTO_UNTRUSTED


def test_where_files_are_named_root_only_those_are_anchors(trust: TrustRoots) -> None:
    assert len(trust.anchors) == 1
    assert len(trust.intermediates) == 3
    assert len(trust.revocation_lists) == 3


def test_without_such_names_every_certificate_that_issued_itself_is_an_anchor(tmp_path: Path) -> None:
    (tmp_path / "city.pem").write_bytes((CASES / "pki" / "root.pem").read_bytes())
    (tmp_path / "issuing.pem").write_bytes((CASES / "pki" / "int.pem").read_bytes())
    read = read_trust_roots(tmp_path)
    assert (len(read.anchors), len(read.intermediates)) == (1, 1)


def test_a_file_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    (tmp_path / "root.crt").write_bytes(b"hello")
    with pytest.raises(TrustFolderUnreadable, match=r"root\.crt"):
        read_trust_roots(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrustFolderUnreadable, match="nowhere"):
        read_trust_roots(tmp_path / "nowhere")


def test_the_instant_of_receipt_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="zone"):
        judge(b"", trust=NO_ROOTS, moment=datetime(2026, 5, 5))  # noqa: DTZ001  the fault under test

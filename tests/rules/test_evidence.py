"""What whoever decides on the form is told of a paper (I7)."""

from store.rules.evidence import ACTIVE, EnclosedFile, Evidence, for_the_decision, from_json

JANE = ("Jane Q. Public",)


def test_the_name_in_the_certificate_stands_beside_the_complainants() -> None:
    told = for_the_decision(Evidence("crypto-untrusted", 2, signers=("E-Sign Service",)), JANE)
    assert "In the certificate: E-Sign Service. Complainant: Jane Q. Public." in told


def test_a_typed_name_is_not_called_a_certificate() -> None:
    told = " ".join(for_the_decision(Evidence("typed", 1, signers=JANE), ()))
    assert "certificate:" not in told
    assert "nobody on the record yet" in told


def test_what_changed_after_signing_is_told() -> None:
    found = Evidence("crypto-broken", 1, signed_bytes=100, changes=("Page 1, added since signing: x.",))
    assert any("Page 1, added" in one for one in for_the_decision(found, JANE))


def test_active_content_is_named_with_what_to_do() -> None:
    assert ACTIVE in for_the_decision(Evidence("typed", 1, active_content=True), JANE)


def test_enclosed_files_are_listed_with_what_was_found_in_them() -> None:
    inner = EnclosedFile("complaint.pdf", "crypto-valid", JANE, 1)
    found = Evidence("needs-human", 1, embedded=("complaint.pdf", "a.zip"), enclosed=(inner,))
    told = " ".join(for_the_decision(found, JANE))
    assert "complaint.pdf (a PDF, 1 page): Signed with a certificate that we trust" in told
    assert "Encloses a.zip; nobody looked into it." in told


def test_evidence_from_before_these_were_kept_is_still_read() -> None:
    old = from_json('{"signature": "typed", "pages": 1, "embedded": ["a.pdf"]}')
    assert old is not None
    assert (old.signed_bytes, old.changes, old.enclosed) == (None, (), ())
    assert from_json(old.to_json()) == old

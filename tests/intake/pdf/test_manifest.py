"""Every PDF of the manifest gets an answer that passes, most of them the best one, none a costly one."""

from typing import Any

import pytest

from intake.pdf.finding import Signature
from tests.intake.pdf.cases import CASES, judged

UNSIGNED = frozenset({"none-found", "needs-human", "unreadable"})

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])


@each_case
def test_a_case_gets_an_answer_that_passes_and_its_pages_lock_and_active_content(
    case: dict[str, Any],
) -> None:
    found = judged(case["file"])
    assert found.signature in case["accept"], found.reasons
    assert (found.pages, found.encrypted, found.active_content) == (
        case["pages"],
        case["encrypted"],
        case["active_content"],
    )


def test_nine_cases_of_ten_get_the_best_answer() -> None:
    best = [case for case in CASES if judged(case["file"]).signature == case["signature"]]
    assert len(best) >= 0.9 * len(CASES)


@each_case
def test_valid_is_never_said_of_what_is_not_valid(case: dict[str, Any]) -> None:
    said = judged(case["file"]).signature
    assert said is not Signature.CRYPTO_VALID or case["signature"] == "crypto-valid"


@each_case
def test_nothing_found_is_never_said_of_something_signed(case: dict[str, Any]) -> None:
    said = judged(case["file"]).signature
    assert said is not Signature.NONE_FOUND or case["actual"] in UNSIGNED


@each_case
def test_drawn_or_typed_is_never_said_of_something_unsigned(case: dict[str, Any]) -> None:
    said = judged(case["file"]).signature
    assert said not in {Signature.DRAWN, Signature.TYPED} or case["actual"] in {"drawn", "typed"}


@each_case
def test_the_certificate_names_its_holder(case: dict[str, Any]) -> None:
    signer = case["signer_cn"]
    assert signer is None or signer in judged(case["file"]).signers


@each_case
def test_text_is_given_where_pages_hold_text(case: dict[str, Any]) -> None:
    extractable = case["text_extractable"]
    assert extractable is None or bool(judged(case["file"]).text.strip()) is extractable


@each_case
def test_a_finding_gives_a_reason_for_every_doubt(case: dict[str, Any]) -> None:
    found = judged(case["file"])
    assert found.signature in {Signature.NONE_FOUND, Signature.TYPED, Signature.DRAWN} or found.reasons

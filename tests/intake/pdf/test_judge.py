"""A child's answer is read as the word of a stranger."""

import dataclasses
import json

import pytest

from intake.pdf.finding import Encryption, Finding, Signature
from intake.pdf.judge import conclude, read_finding
from intake.pdf.sandbox import Answer

GOOD = Finding(Signature.TYPED, 1, Encryption.NO, active_content=False, signers=("Jane Q. Public",))


def _message(**changed: object) -> dict[str, object]:
    plain: dict[str, object] = json.loads(json.dumps(dataclasses.asdict(GOOD)))
    return {**plain, "done": True, **changed}


def test_a_finding_survives_the_way_to_the_parent() -> None:
    assert read_finding(_message()) == GOOD


@pytest.mark.parametrize(
    "fault",
    [
        {"signature": "signed"},
        {"pages": -1},
        {"pages": True},
        {"pages": "1"},
        {"active_content": 1},
        {"signers": "Jane"},
        {"signers": [1]},
        {"text": None},
        {"encrypted": None},
        {"signed_bytes": 1.5},
    ],
    ids=str,
)
def test_an_answer_of_another_form_is_left_to_a_person(fault: dict[str, object]) -> None:
    finding = conclude(Answer((_message(**fault),), b"", ""))
    assert finding.signature is Signature.NEEDS_HUMAN
    assert finding.signers == ()


def test_an_answer_without_a_field_is_left_to_a_person() -> None:
    message = _message()
    del message["text"]
    assert conclude(Answer((message,), b"", "")).signature is Signature.NEEDS_HUMAN


def test_a_finding_of_a_stopped_child_is_never_believed() -> None:
    finding = conclude(Answer((_message(signature="crypto-valid", done=False),), b"", "Stopped."))
    assert finding.signature is Signature.NEEDS_HUMAN
    assert finding.pages == 1

"""`docket triage`: what would happen, in words or JSON, and nothing happens."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli.triage import instant_given, judge_files, read_context, triage_mail
from intake.known import Known
from store.rules.errors import BadInput
from tests.intake.mail_builders import MAILS, RECEIVED, a_finding, a_mail, context, found_by_hand, pdf_part

KEYS = {
    "file", "outcome", "complaint", "complainant", "sender", "senders", "pdfs", "inner_pdfs", "filenames", "container", "smime",
    "referral", "match", "bounce", "ack", "flags", "review_reason",
}  # fmt: skip


def run(*words: str) -> Any:
    result = CliRunner().invoke(triage_mail, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def path_of(prefix: str) -> str:
    return str(next(MAILS.glob(f"{prefix}-*.eml")))


CONTEXT = ("--context", str(MAILS / "manifest.json"))


def test_json_has_one_object_a_file_with_every_key() -> None:
    told = json.loads(run(path_of("031"), path_of("026"), *CONTEXT, "--json"))
    assert [one["outcome"] for one in told] == ["bounce_matched", "needs_review"]
    assert all(set(one) >= KEYS for one in told)


def test_a_line_for_the_terminal_names_no_person() -> None:
    line = run(path_of("031"), *CONTEXT)
    assert "bounce_matched" in line
    assert "@" not in line
    assert "Quill" not in line


def test_files_are_judged_as_if_each_had_been_filed_before_the_next() -> None:
    files = [
        (Path(path_of(one)).name, Path(path_of(one)).read_bytes()) for one in ("001", "035", "036", "003")
    ]
    told = [one.as_json() for one in judge_files(files, context(), RECEIVED, judge_pdf=found_by_hand)]
    assert [one["outcome"] for one in told] == ["filed", "duplicate", "needs_review", "filed"]
    assert told[1]["dup_of"] == "001-plain-signed-pdf"
    assert told[3]["flags"] == ["possible_duplicate"]


def test_a_pdf_is_judged_once_however_often_it_comes() -> None:
    judged: list[int] = []

    def counting(content: bytes, moment: Any) -> Any:
        judged.append(len(content))
        return found_by_hand(content, moment)

    files = [(one, Path(path_of(one)).read_bytes()) for one in ("001", "003", "006")]
    judge_files(files, context(), RECEIVED, judge_pdf=counting)
    assert len(judged) == 1


def test_a_context_may_be_the_object_or_hold_it() -> None:
    whole = json.loads((MAILS / "manifest.json").read_bytes())
    assert read_context(json.dumps(whole["context"]).encode()) == read_context(json.dumps(whole).encode())


@pytest.mark.parametrize("raw", [b"", b"[]", b"{}", b'{"intake_address": "a", "sent": [{}]}', b"\xff"])
def test_a_context_that_is_none_is_refused(raw: bytes) -> None:
    with pytest.raises(BadInput, match="context file"):
        read_context(raw)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"intake_address": None}, "lacks intake_address"),
        ({"intake_address": 5}, "something other than a text at intake_address"),
        ({"authserv_id": 7}, "something other than a text at authserv_id"),
        ({"own_addresses": [1]}, "something other than texts at own_addresses"),
        ({"city_manager": {}}, "something other than texts at city_manager"),
        ({"complaints": "x"}, "something other than a list at complaints"),
        ({"complaints": [1]}, r"no JSON object at complaints\[0\]"),
        ({"complaints": [{"number": 7}]}, r"something other than a text at complaints\[0\].number"),
        ({"sent": [{"complaint": "x", "to": "a", "message_id": "<b>"}]}, r"lacks sent\[0\].token"),
        ({"context": []}, "no JSON object at context"),
    ],
)
def test_what_is_wrong_with_a_context_is_said_with_its_place(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_context(json.dumps({"intake_address": "box@ethics.example", **wrong}).encode())


def test_what_a_context_leaves_out_is_empty_and_what_is_unknown_is_passed_over() -> None:
    sparse = {
        "intake_address": "box@ethics.example",
        "complaints": None,
        "sent": None,
        "note": 1,
        "authserv_id": None,
    }
    assert read_context(json.dumps(sparse).encode()) == Known(intake_address="box@ethics.example")
    one = {**sparse, "city_manager": "manager@ethics.example"}
    assert read_context(json.dumps(one).encode()).city_manager == ("manager@ethics.example",)


def test_a_context_nested_without_end_is_refused() -> None:
    with pytest.raises(BadInput, match="no JSON"):
        read_context(b"[" * 100_000)


@pytest.mark.parametrize("given", ["nosuch.eml", "."])
def test_a_file_that_is_missing_or_a_folder_is_refused_in_one_line(given: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(triage_mail, [str(tmp_path / given), *CONTEXT, "--json"])
    assert (result.exit_code, "Error" in result.output or "FILES" in result.output) == (2, True)


@pytest.mark.parametrize("raw", [b"", b"\0" * 100, bytes(range(256))], ids=["empty", "NUL", "any bytes"])
def test_a_file_that_is_no_mail_is_for_a_person(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.eml").write_bytes(raw)
    (told,) = json.loads(run(str(tmp_path / "x.eml"), *CONTEXT, "--json"))
    assert (told["outcome"], told["ack"], set(told) >= KEYS) == ("needs_review", False, True)


def test_an_answer_to_a_mail_that_was_filed_before_it_is_no_second_complaint() -> None:
    first = a_mail(pdf_part())
    second = a_mail(
        text="The exhibit that I forgot.",
        headers={"Message-ID": "<second@riverbend.example>", "In-Reply-To": "<built@riverbend.example>"},
    )
    judged = judge_files(
        [("1.eml", first), ("2.eml", second)], context(), RECEIVED, judge_pdf=lambda *_: a_finding()
    )
    assert [one.as_json()["outcome"] for one in judged] == ["filed", "needs_review"]
    assert judged[1].as_json()["ack"] is True


@pytest.mark.parametrize("text", ["2026-11-02T09:14:12-05:00", "2026-11-02T14:14:12", "2026-11-02T14:14:12Z"])
def test_the_instant_of_receipt_is_read_in_utc(text: str) -> None:
    assert instant_given(text) == RECEIVED


@pytest.mark.parametrize("text", ["yesterday", "", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_an_instant_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="no instant"):
        instant_given(text)


def test_without_a_context_a_mail_is_still_judged() -> None:
    assert "cure_notice" in run(path_of("014"))

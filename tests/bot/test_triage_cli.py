"""`docket triage`: what would happen, in words or JSON, and nothing happens."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli.triage import instant_given, judge_files, read_context, triage_mail
from store.rules.errors import BadInput
from tests.intake.mail_builders import MAILS, RECEIVED, context, found_by_hand

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


@pytest.mark.parametrize("text", ["2026-11-02T09:14:12-05:00", "2026-11-02T14:14:12", "2026-11-02T14:14:12Z"])
def test_the_instant_of_receipt_is_read_in_utc(text: str) -> None:
    assert instant_given(text) == RECEIVED


def test_an_instant_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="no instant"):
        instant_given("yesterday")


def test_without_a_context_a_mail_is_still_judged() -> None:
    assert "cure_notice" in run(path_of("014"))

"""Every mail of the manifest gets its outcome and everything else that is expected of it."""

from pathlib import Path
from typing import Any

import pytest

from bot.cli.triage import Judged, instant_given, judge_files, with_sighting
from tests.intake.mail_builders import MAILS, MANIFEST, context, found_by_hand

SAID_ELSEWHERE = {"note", "must_not", "receipt"}


@pytest.fixture(scope="module")
def judged_in_order() -> dict[str, Judged]:
    known, results = context(), {}
    for message in MANIFEST["messages"]:
        name = message["file"]
        received_at = instant_given(message["internaldate"])
        (one,) = judge_files(
            [(name, (MAILS / name).read_bytes())], known, received_at, judge_pdf=found_by_hand
        )
        known = with_sighting(known, Path(name).stem, one.mail, one.disposition)
        results[name] = one
    return results


@pytest.mark.parametrize("message", MANIFEST["messages"], ids=lambda message: message["file"])
def test_a_case_of_the_manifest_gets_its_outcome_and_all_that_is_expected(
    message: dict[str, Any], judged_in_order: dict[str, Judged]
) -> None:
    told = judged_in_order[message["file"]].as_json()
    assert told["outcome"] == message["outcome"]
    for key, wanted in message["expect"].items():
        if key in SAID_ELSEWHERE:
            continue
        if key == "bounce":
            assert wanted.items() <= told["bounce"].items()
        elif key == "flags":
            assert set(wanted) <= set(told["flags"])
        else:
            assert told[key] == wanted, key


def test_a_case_file_is_the_file_that_the_manifest_names(judged_in_order: dict[str, Judged]) -> None:
    for message in MANIFEST["messages"]:
        assert judged_in_order[message["file"]].mail.raw_sha256 == message["sha256"]


def test_no_bounce_of_success_or_delay_is_a_failure(judged_in_order: dict[str, Judged]) -> None:
    for name in ("032-dsn-delayed.eml", "126-dsn-success.eml"):
        bounce = judged_in_order[name].disposition.bounce
        assert bounce is not None
        assert bounce.action != "failed"


def test_nothing_shown_carries_a_control_character(judged_in_order: dict[str, Judged]) -> None:
    for one in judged_in_order.values():
        shown = [one.mail.subject, *(box.name for box in one.mail.from_.boxes), *one.as_json()["filenames"]]
        assert not set("".join(shown)) & {"\0", "\r", "\n"}


def test_a_script_in_a_page_is_not_text(judged_in_order: dict[str, Judged]) -> None:
    assert "script" not in judged_in_order["139-html-only.eml"].mail.text
    assert "alert" not in judged_in_order["139-html-only.eml"].mail.text

"""`docket inspect`: one plain answer for each file."""

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli import docket
from tests.intake.pdf.conftest import CASES

ROOTS = ["--roots", str(CASES / "pki"), "--at", "2026-05-05T10:00:00-04:00"]


def _inspect(*words: str) -> Result:
    return CliRunner().invoke(docket, ["inspect", *words])


def _path(name: str) -> str:
    return str(CASES / name)


def test_one_file_is_one_object_in_the_words_of_the_manifest() -> None:
    told = json.loads(_inspect(_path("sig-valid-visible.pdf"), *ROOTS, "--json").stdout)
    content = (CASES / "sig-valid-visible.pdf").read_bytes()
    assert told == {
        "file": "sig-valid-visible.pdf",
        "signature": "crypto-valid",
        "pages": 1,
        "encrypted": "no",
        "active_content": False,
        "signers": ["Jane Q. Public"],
        "reasons": told["reasons"],
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "text_extractable": True,
        "embedded": [],
        "enclosed": [],
        "changes": [],
    }


def test_several_files_are_a_list_in_the_order_asked() -> None:
    told = json.loads(_inspect(_path("typed-conformed.pdf"), _path("bad-zero-bytes.pdf"), "--json").stdout)
    assert [one["signature"] for one in told] == ["typed", "unreadable"]


def test_the_instant_of_receipt_can_be_given() -> None:
    words = [
        _path("sig-valid-visible.pdf"),
        "--roots",
        str(CASES / "pki"),
        "--at",
        "2020-01-01T00:00:00Z",
        "--json",
    ]
    assert json.loads(_inspect(*words).stdout)["signature"] == "crypto-untrusted"


def test_a_person_reads_plain_words() -> None:
    told = _inspect(_path("active-launch.pdf"))
    assert told.exit_code == 0
    assert "a signature seems to be typed" in told.stdout
    assert "active content: yes" in told.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["nowhere.pdf"],
        [_path("typed-conformed.pdf"), "--roots", "nowhere"],
        [_path("typed-conformed.pdf"), "--at", "tomorrow"],
        [_path("typed-conformed.pdf"), "--at", "2026-05-05T10:00:00"],
        [str(CASES)],
        [],
    ],
    ids=str,
)
def test_what_cannot_be_used_is_one_plain_line(words: list[str]) -> None:
    told = _inspect(*words)
    assert told.exit_code == 2
    assert len(told.stderr.strip().splitlines()) == 1


def test_a_name_of_control_signs_does_not_reach_the_terminal(tmp_path: Path) -> None:
    odd = tmp_path / "a\x1b[31mb.pdf"
    odd.write_bytes(b"")
    assert "\x1b" not in _inspect(str(odd)).stdout

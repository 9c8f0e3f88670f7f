"""An exported case is whole, readable and provable without Docket; what is altered in it is named (C8)."""

import csv
import hashlib
import io
import json
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pypdf
import pytest

from store import journal
from store.bundle_check import check
from store.cases import Actor, act
from store.export import Exported, Wanted, as_it_is, export_case
from store.proceedings import ballot
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.closing import close_case
from store.proceedings.determination import determine
from store.proceedings.evidence_referral import Selection, turn_over_evidence
from store.proceedings.meeting import close_meeting
from store.proceedings.minutes import write_minutes
from store.proceedings.parties import name_party
from store.proceedings.privilege import mark_privileged
from store.proceedings.testimony import Statement, record_statement
from store.rules.access import Deed, Via
from store.rules.errors import AlreadyDone, BadInput, NoSuchCase, NotAllowed, NotNow
from store.rules.facts import Choice, PartyNamed, PartyRole, Question
from store.rules.ordinance import Office
from tests.proceedings.after_builders import NO_BASIS
from tests.proceedings.builders import Board
from tests.proceedings.filings import a_filing, filed

NAMES = ("Connie", "Rory", "Clara", "Hanna", "Mora")


def _life(board: Board) -> str:
    """A case that came by mail, was heard, voted on and ended, with another one beside it."""
    filed(board, a_filing(), raw=b"another case's mail", uid=9)
    number, track = board.served_case()
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    board.decide(number, track, held, Question.FACTUAL_BASIS, Choice.NO)
    determine(board.docket, board.clerk, number, track, NO_BASIS)
    close_meeting(board.docket, board.clerk, held)
    write_minutes(board.docket, board.clerk, held)
    return number


def _privileged_paper(board: Board, number: str) -> int:
    with act(board.docket, board.clerk, Deed.RECORD_RESPONSE, number=number) as step:
        paper = step.keep(
            b"our counsel's advice", kind="other", media_type="text/plain", name="a.txt", received_at=step.now
        )
    mark_privileged(board.docket, board.clerk, number, paper, reason="advice to the Board")
    return paper


@pytest.fixture
def bundle(board: Board, tmp_path: Path) -> Path:
    """A whole file, exported."""
    number = _life(board)
    _privileged_paper(board, number)
    export_case(board.docket, board.clerk, number, tmp_path / "bundle")
    return tmp_path / "bundle"


def _alone(folder: Path, *words: str) -> tuple[int, str]:
    """The bundle's own check, run by a Python that sees nothing of Docket."""
    ended = subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "check.py"), *words],
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
    )
    assert not ended.stderr
    return ended.returncode, ended.stdout


def _files(folder: Path) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


def test_an_export_proves_itself_without_docket(bundle: Path, board: Board) -> None:
    status, said = _alone(bundle)
    assert (status, said.split(":")[0]) == (0, "All is as exported")
    with board.docket.database.read() as session:
        entries = [
            one for one in journal.entries(session, board.docket.keyring) if one.header["act"] == "export"
        ]
    done = entries[-1].content
    assert done is not None
    note = done["note"]
    assert isinstance(note, dict)
    seq, digest = note["head"]
    assert _alone(bundle, "--head", f"{seq}:{digest}", "--manifest", note["manifest"])[0] == 0
    assert _alone(bundle, "--head", f"{seq}:{'0' * 64}")[0] == 1
    assert _alone(bundle, "--head", f"{seq + 7}:{digest}")[0] == 1
    assert _alone(bundle, "--manifest", "0" * 64)[0] == 1


def _sums(folder: Path, name: str) -> tuple[int, str]:
    """What ``sha256sum -c`` of the GNU coreutils says."""
    ended = subprocess.run(
        ["sha256sum", "-c", "--strict", name], cwd=folder, capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stdout


def test_sha256sum_checks_every_file_of_an_export_by_its_manifest(bundle: Path) -> None:
    status, said = _sums(bundle, "manifest.sha256")
    assert (status, said.count(": OK")) == (0, len(_files(bundle)) - 1), said
    (bundle / "votes.csv").write_text("altered")
    assert "votes.csv: FAILED" in _sums(bundle, "manifest.sha256")[1]
    sums = (bundle / "manifest.sha256").read_text().splitlines(keepends=True)
    (bundle / "manifest.sha256").write_text("".join(sums[:-1]))
    assert "manifest.sha256 lists other files" in _alone(bundle)[1]


def test_what_was_turned_over_is_checked_in_the_export_by_the_names_that_it_has_there(
    board: Board, tmp_path: Path
) -> None:
    number, _track = board.served_case()
    chosen = Selection(Office.COMMONWEALTHS_ATTORNEY, [1], board.look(number).today, "Motion carried")
    turn_over_evidence(board.docket, board.chair, number, chosen)
    export_case(board.docket, board.clerk, number, tmp_path / "made")
    (listed,) = (tmp_path / "made" / "turned-over").iterdir()
    assert _sums(tmp_path / "made", f"turned-over/{listed.name}") == (
        0,
        "papers/0001-complaint.pdf: OK\n",
    )
    assert _alone(tmp_path / "made")[0] == 0


def test_an_export_holds_what_a_court_asks_for(bundle: Path) -> None:
    names = set(_files(bundle))
    assert {"index.html", "index.pdf", "timeline.svg", "timeline.txt", "votes.csv", "journal.jsonl"} <= names
    folders = {name.partition("/")[0] for name in names if "/" in name}
    assert folders == {"papers", "letters", "minutes", "mail"}
    assert any(name.startswith("minutes/") for name in names)
    assert any("minutes-annex" in name for name in names)
    originals = [path.read_bytes() for name, path in _files(bundle).items() if name.startswith("papers/")]
    assert b"%PDF complaint" in originals
    index = (bundle / "index.html").read_text()
    for name in ("Connie Complainant", "Rory Respondent", "Mora Member: no"):
        assert name in index
    printed = "".join(page.extract_text() for page in pypdf.PdfReader(bundle / "index.pdf").pages)
    assert "Rory Respondent" in printed
    votes = list(csv.DictReader(io.StringIO((bundle / "votes.csv").read_text())))
    assert len(votes) == 10


def test_no_name_of_a_file_names_anybody(bundle: Path) -> None:
    for name in _files(bundle):
        assert not [one for one in NAMES if one.lower() in name.lower()]


def test_an_export_carries_every_header_and_no_content_of_another_case(bundle: Path, board: Board) -> None:
    lines = [json.loads(line) for line in (bundle / "journal.jsonl").read_text().splitlines()]
    headers = [json.loads(line["header"]) for line in lines]
    assert [one["seq"] for one in headers] == list(range(1, len(lines) + 1))
    number = json.loads((bundle / "manifest.json").read_text())["case"]
    assert {one["case"] for one, line in zip(headers, lines, strict=True) if "content" in line} == {number}
    assert any(one["case"] not in {"", number} for one in headers)
    assert not any(
        "another case's mail" in path.read_text(errors="replace") for path in _files(bundle).values()
    )


def test_a_privileged_paper_is_in_only_when_it_was_chosen(board: Board, tmp_path: Path) -> None:
    number = _life(board)
    paper = _privileged_paper(board, number)
    with pytest.raises(AlreadyDone):
        mark_privileged(board.docket, board.clerk, number, paper, reason="again")
    without = export_case(board.docket, board.clerk, number, tmp_path / "a")
    assert b"our counsel's advice" not in b"".join(
        path.read_bytes() for path in _files(tmp_path / "a").values()
    )
    assert without.withheld == 1
    assert "privileged" in (tmp_path / "a" / "index.html").read_text()
    export_case(board.docket, board.clerk, number, tmp_path / "b", wanted=Wanted(with_privileged=True))
    assert any(path.read_bytes() == b"our counsel's advice" for path in _files(tmp_path / "b").values())
    mark_privileged(board.docket, board.clerk, number, paper, privileged=False, reason="waived")
    assert export_case(board.docket, board.clerk, number, tmp_path / "c").withheld == 0
    assert all(_alone(tmp_path / one)[0] == 0 for one in "abc")


def test_every_altered_byte_of_every_file_is_named(bundle: Path) -> None:
    """Each file in turn, at its beginning, middle and end."""
    tried = 0
    for name, path in sorted(_files(bundle).items()):
        whole = path.read_bytes()
        for place in sorted({0, len(whole) // 2, len(whole) - 1}):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            faults, _summary = check(bundle)
            assert any(name in fault for fault in faults), (name, place)
            tried += 1
        path.write_bytes(whole)
    assert check(bundle)[0] == []
    assert tried > 50


def test_every_removed_and_every_added_file_is_named(bundle: Path) -> None:
    for name, path in sorted(_files(bundle).items()):
        whole = path.read_bytes()
        path.unlink()
        assert any(name in fault for fault in check(bundle)[0])
        path.write_bytes(whole)
    (bundle / "papers" / "9999-more.pdf").write_bytes(b"%PDF")
    assert check(bundle)[0] == ["papers/9999-more.pdf is not part of the export"]


def _resealed(bundle: Path) -> None:
    """Make manifest and sum fit again, as somebody would who wants it not to show."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    for name in manifest["files"]:
        content = (bundle / name).read_bytes()
        manifest["files"][name] = [len(content), hashlib.sha256(content).hexdigest()]
    text = json.dumps(manifest).encode()
    (bundle / "manifest.json").write_bytes(text)
    (bundle / "manifest.sha256").write_text(f"{hashlib.sha256(text).hexdigest()}  manifest.json\n")


def test_a_reordered_removed_or_altered_header_is_named_though_the_manifest_was_made_to_fit(
    bundle: Path,
) -> None:
    path = bundle / "journal.jsonl"
    lines = path.read_text().splitlines()
    middle = len(lines) // 2
    swapped = [*lines[:middle], lines[middle + 1], lines[middle], *lines[middle + 2 :]]
    removed = [*lines[:middle], *lines[middle + 1 :]]
    altered = [*lines]
    altered[middle] = lines[middle].replace("2026", "2025", 1)
    for changed in (swapped, removed, altered):
        path.write_text("".join(f"{line}\n" for line in changed))
        _resealed(bundle)
        faults, _summary = check(bundle)
        assert any(f"entry {middle + 1} " in fault for fault in faults), faults
    path.write_text("".join(f"{line}\n" for line in lines[:-1]))
    _resealed(bundle)
    assert any("does not end where" in fault for fault in check(bundle)[0])


def test_an_altered_fact_content_or_paper_is_named_though_the_manifest_was_made_to_fit(bundle: Path) -> None:
    spare = bundle.parent / "spare"
    shutil.copytree(bundle, spare)

    def changed(name: str, old: str, new: str) -> list[str]:
        path = spare / name
        whole = path.read_bytes()
        assert old.encode() in whole
        path.write_bytes(whole.replace(old.encode(), new.encode(), 1))
        _resealed(spare)
        faults = check(spare)[0]
        path.write_bytes(whole)
        return faults

    assert any("facts.json: fact" in fault for fault in changed("facts.json", "Rory", "Dory"))
    assert any("content of entry" in fault for fault in changed("journal.jsonl", "Rory", "Dory"))
    paper = next(name for name in _files(spare) if name.endswith("complaint.pdf"))
    assert any("papers" in fault for fault in changed(paper, "complaint", "c0mplaint"))


def test_a_zip_is_the_same_bundle(board: Board, tmp_path: Path) -> None:
    number = _life(board)
    made = export_case(board.docket, board.clerk, number, tmp_path / "case.zip")
    with zipfile.ZipFile(made.path) as archive:
        archive.extractall(tmp_path / "open")
    assert _alone(tmp_path / "open")[0] == 0
    assert made.path.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def _request(board: Board, number: str, into: Path, *papers: int) -> Exported:
    wanted = Wanted(records_request=True, papers=frozenset(papers))
    return export_case(board.docket, board.clerk, number, into, wanted=wanted)


def test_a_records_request_is_answered_after_finality_only(board: Board, tmp_path: Path) -> None:
    number, _track = board.served_case()
    with pytest.raises(NotNow, match="final determination"):
        _request(board, number, tmp_path / "r")
    assert not (tmp_path / "r").exists()


def test_a_records_request_leaves_out_personal_data_and_says_under_which_rule(
    board: Board, tmp_path: Path
) -> None:
    number = _life(board)
    _privileged_paper(board, number)
    _request(board, number, tmp_path / "r")
    everything = b"".join(path.read_bytes() for path in _files(tmp_path / "r").values())
    for private in (
        b"connie@post.example",
        b"rory@office.example",
        b"our counsel's advice",
        b"%PDF complaint",
    ):
        assert private not in everything
    assert "journal.jsonl" not in _files(tmp_path / "r")
    assert b"EC-2026-0001" not in b"".join(
        path.read_bytes()
        for name, path in _files(tmp_path / "r").items()
        if not name.startswith(("minutes/", "index.pdf"))
    )
    withheld = json.loads((tmp_path / "r" / "manifest.json").read_text())["withheld"]
    rules = {one["rule"] for one in withheld}
    assert {"KRS 61.878(1)(a)", "KRE 503"} <= rules
    assert all(one["what"] and one["why"] and one["rule"] for one in withheld)
    assert _alone(tmp_path / "r")[0] == 0


CANARIES = (
    "zqcomplainantqz",
    "zqwitnessqz",
    "zqmailqz",
    "zqstreetqz",
    "555-0142",
    "zqcounselqz",
    "zqofficeqz",
)


def _read(path: Path) -> str:
    """Everything that a reader can get out of a file, its name too."""
    said = path.read_bytes().decode(errors="replace")
    if path.suffix == ".pdf" and said.startswith("%PDF-"):
        pages = pypdf.PdfReader(path)
        said += "".join(page.extract_text() for page in pages.pages) + str(pages.metadata)
    return f"{path.name} {said}"


def _told_of_by_everybody(board: Board) -> str:
    """A case that ended, in which a complainant, his counsel and a witness are named wherever somebody can write."""
    number, track = board.served_case()
    for role, word, represents in (
        (PartyRole.COMPLAINANT, "zqcomplainantqz", None),
        (PartyRole.COMPLAINANT_COUNSEL, "zqcounselqz", True),
    ):
        first = next(one for one in board.file(number).parties if one.role is PartyRole.COMPLAINANT)
        named = PartyNamed(
            role,
            f"Zoe {word}",
            (f"zqmailqz.{word}@post.example",),
            "12 zqstreetqz Lane\nBramwell, KY 40000",
            "zqofficeqz",
            represents=first.id if represents else None,
        )
        name_party(board.docket, board.clerk, number, named)
    acknowledge(board.docket, board.clerk, number)
    said = "Zoe zqcomplainantqz (zqmailqz@post.example, (859) 555-0142) and Wim zqwitnessqz of 12 zqstreetqz Lane said so."
    witness = Statement(board.docket.clock.now(), "Clara Clerk", witness="Wim zqwitnessqz", words=said)
    record_statement(board.docket, board.clerk, number, witness)
    held = board.meeting()
    board.decide(number, track, held, Question.JURISDICTION)
    key = board.ballot(number, track, held, Question.FACTUAL_BASIS)
    view = board.file(number).ballot(key)
    assert view is not None
    for person in view.opened.roster:
        by = Actor(person, Via.SLACK)
        ballot.vote(board.docket, by, number, key, Choice.NO, submission="s", reasons=said)
    ballot.close_ballot(board.docket, board.chair, number, key)
    determine(board.docket, board.clerk, number, track, replace(NO_BASIS, findings=said))
    close_meeting(board.docket, board.clerk, held)
    write_minutes(board.docket, board.clerk, held)
    return number


@pytest.mark.parametrize("sentences", [False, True])
def test_no_complainant_witness_or_address_stands_in_any_file_for_a_records_request(
    board: Board, tmp_path: Path, *, sentences: bool
) -> None:
    """Every paper is released, and the sentences once as well: what is withheld stays out by itself."""
    number = _told_of_by_everybody(board)
    whole = export_case(board.docket, board.clerk, number, tmp_path / "whole").path
    kept = {word for word in CANARIES for path in _files(whole).values() if word in _read(path)}
    assert kept == set(CANARIES), "each of them is in the whole file"
    papers = frozenset(one["document"] for one in json.loads((whole / "papers.json").read_text()))
    wanted = Wanted(records_request=True, papers=papers, sentences=sentences)
    made = export_case(board.docket, board.clerk, number, tmp_path / "r", wanted=wanted, text_of=_text_of)
    for name, path in _files(made.path).items():
        said = _read(path).lower()
        assert not [word for word in (*CANARIES, "connie", "@post.example") if word in said], name
    index = (made.path / "index.html").read_text()
    assert "Rory Respondent" in index
    assert ("[witness]" in index) == sentences
    rules = json.loads((made.path / "manifest.json").read_text())["withheld"]
    assert all("KRS" in one["rule"] or "clause" in one["rule"] for one in rules)
    assert any("names of complainants" in one["what"] for one in rules)
    assert any("it holds: " in one["why"] for one in rules), "a letter that names the complainant"
    assert any(name.startswith("letters/") for name in _files(made.path)), "one that names nobody"


def _text_of(content: bytes) -> str:
    if not content.startswith(b"%PDF-"):
        return as_it_is(content)
    return "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)


def test_a_paper_that_a_person_released_is_in_and_a_sealed_annex_never(board: Board, tmp_path: Path) -> None:
    number = _life(board)
    whole = export_case(board.docket, board.clerk, number, tmp_path / "whole")
    papers = json.loads((whole.path / "papers.json").read_text())
    complaint = next(one["document"] for one in papers if one["kind"] == "complaint")
    annex = next(one["document"] for one in papers if one["kind"] == "letter:minutes_annex")
    _request(board, number, tmp_path / "r", complaint, annex)
    names = set(_files(tmp_path / "r"))
    assert f"papers/{complaint:04d}-complaint.pdf" in names
    assert not [name for name in names if "annex" in name]


def test_who_may_not_export_gets_nothing(board: Board, tmp_path: Path) -> None:
    number = _life(board)
    for who, refusal in (
        (board.members[1], NotAllowed),
        (board.alternate, NoSuchCase),
        (board.actor("Ivo Machinist"), NoSuchCase),
    ):
        with pytest.raises(refusal):
            export_case(board.docket, who, number, tmp_path / "x")
    assert not list(tmp_path.glob("*x*"))


def test_nothing_is_exported_while_a_ballot_is_open_or_over_something_that_is_there(
    board: Board, tmp_path: Path
) -> None:
    number, track = board.served_case()
    (tmp_path / "there").mkdir()
    with pytest.raises(BadInput):
        export_case(board.docket, board.clerk, number, tmp_path / "there")
    board.ballot(number, track, board.meeting())
    with pytest.raises(NotNow, match="ballot is open"):
        export_case(board.docket, board.clerk, number, tmp_path / "x")


def test_a_closed_case_is_exported_as_well(board: Board, tmp_path: Path) -> None:
    number = board.case(proper=False)
    with pytest.raises(NotNow):
        close_case(board.docket, board.clerk, number, "x")
    export_case(board.docket, board.actor("Cora Counsel"), number, tmp_path / "x")
    assert _alone(tmp_path / "x")[0] == 0


def test_a_hostile_name_is_neither_markup_nor_formula_nor_turns_what_stands_beside_it(
    board: Board, tmp_path: Path
) -> None:
    number = board.case()
    hostile = "=cmd|' /C calc'!A0 <script>alert(1)</script> \u202egnp.exe\u2066 <!channel>\x07"
    board.respondent(number, hostile, "x@office.example")
    export_case(board.docket, board.clerk, number, tmp_path / "bundle")
    index = (tmp_path / "bundle" / "index.html").read_text()
    assert "&lt;script&gt;" in index
    rows = (tmp_path / "bundle" / "parties.csv").read_text()
    assert "\"'=cmd" in rows
    for read in (index, rows):
        assert not set(read) & set("\u202e\u2066")
    assert "<script" not in index

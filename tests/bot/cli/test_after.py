"""What follows a sufficient basis, and what stands around the file, typed on the command line."""

import json
from datetime import timedelta
from pathlib import Path

import pypdf

from store.cases import act
from store.proceedings.meeting import close_meeting
from store.proceedings.recusal import recuse
from store.rules.access import Deed
from store.rules.facts import (
    DemandRecorded,
    Disclosed,
    Disposed,
    EvidenceTurnedOver,
    HearingDecided,
    HearingOpened,
    PaperReceived,
    Question,
    Reopened,
    ReprimandReceived,
    Withdrawn,
)
from tests.bot.cli.shell import Shell
from tests.proceedings.after_builders import both_terminated, heard_case, received_case, sufficient_case


def _now(shell: Shell) -> str:
    return shell.board.clock.now().isoformat()


def test_a_reprimand_from_the_vote_to_the_demand(shell: Shell, tmp_path: Path) -> None:
    number, track, _held = sufficient_case(shell.board, Question.REPRIMAND)
    assert "mitigating" in shell.refused("dispose", number, "--reprimand")
    assert "Say --reprimand" in shell.refused("dispose", number, status=2)
    shell.run("dispose", number, "--reprimand", "--circumstance", "no-loss-to-city")
    assert [one.fact.mitigating for one in shell.board.file(number).all(Disposed)] == [("no-loss-to-city",)]
    assert (
        "2 letters" in shell.run("reprimand", "issue", number, "--text", "-", stdin="You disclosed late.").out
    )
    for by in ("commission", "officer"):
        said = shell.run(
            "reprimand", "received", number, "--by", by, "--at", _now(shell), "--evidence", "signed"
        ).out
        (step,) = [one for one in shell.board.look(number).steps if one.key == f"demand:{track}"]
        assert f"a demand is open until {step.open_until:%a %Y-%m-%d}." in said
    assert {one.fact.by for one in shell.board.file(number).all(ReprimandReceived)} == {
        "officer",
        "commission",
    }
    paper = tmp_path / "demand.pdf"
    paper.write_bytes(b"%PDF demand")
    assert "timely" in shell.run("demand", "record", number, paper, "--received", _now(shell)).out
    assert [one.about for one in shell.board.file(number).all(DemandRecorded)] == [track]
    today = shell.board.look(number).today.isoformat()
    shell.run("demand", "result", number, "--on", today, "--result", "upheld")
    assert [one.fact.before for one in shell.board.file(number).all(HearingDecided)] == ["commission"]


def test_a_hearing_from_its_setting_to_its_result(shell: Shell) -> None:
    number, _track = heard_case(shell.board)
    at = (shell.board.clock.now() + timedelta(days=5)).isoformat()
    said = shell.run(
        "hearing", "open", number, "--at", at, "--place", "City Hall", "--issue", "Whether.", "--hand-over", 1
    )
    assert "2 letters" in said.out
    assert [one.fact.handed_over for one in shell.board.file(number).all(HearingOpened)] == [(1,)]
    shell.board.clock.advance(timedelta(days=6))
    today = shell.board.look(number).today.isoformat()
    shell.run("hearing", "result", number, "--on", today, "--result", "no violation")
    assert shell.board.file(number).final
    assert "2 letters" in shell.run("hearing", "send", number).out
    assert "on its way" in shell.refused("hearing", "send", number)


def test_a_hearing_that_is_adjourned_is_set_anew_by_its_record(shell: Shell) -> None:
    number, track = heard_case(shell.board)
    at = shell.board.clock.now() + timedelta(days=5)
    where = ("--place", "City Hall", "--issue", "Whether.")
    shell.run("hearing", "open", number, "--at", at.isoformat(), *where)
    shell.board.clock.advance(timedelta(days=6))
    to = (at + timedelta(days=10)).isoformat()
    said = shell.run(
        *("hearing", "held", number, "--at", at.isoformat(), "--appeared", track),
        *("--adjourned", "--words", "a witness is ill", "--to", to),
    )
    assert "adjourned" in said.out
    assert "2 letters" in said.out
    hearing = shell.board.file(number).hearing(track)
    assert hearing is not None
    assert hearing.fact.hearing_at == at + timedelta(days=10)
    assert hearing.fact.place == "City Hall"


def test_evidence_and_disclosure(shell: Shell) -> None:
    number, track = shell.board.served_case()
    today = shell.board.look(number).today.isoformat()
    shell.run(
        *("evidence", "turn-over", number, "--to", "county_attorney", "--document", 1),
        *("--authorised-on", today, "--authority", "motion of Monday"),
    )
    (turned,) = shell.board.file(number).all(EvidenceTurnedOver)
    shell.run("evidence", "received", number, turned.id, "--at", _now(shell), "--evidence", "signed")
    listed = shell.run("correct", "receipts", number).out
    (line,) = [one for one in listed.splitlines() if "evidence received by the" in one]
    early = (shell.board.clock.now() - timedelta(days=9)).isoformat()
    corrected = ("correct", "receipt", number, line.split()[0], "--received", early, "--reason", "the stamp")
    assert "before it was turned over" in shell.refused(*corrected)
    shell.run("disclosure", "record", number, "--party", track, "--on", today, "--evidence", "the Courier")
    assert len(list(shell.board.file(number).all(Disclosed))) == 1
    assert "confirms" in shell.run("disclosure", "confirm", number, "--how", "press release").out
    refused = shell.refused("disclosure", "release", number, "--document", 1, "--how", "web")
    assert "ballot" in refused


def test_corrections_and_closing(shell: Shell, tmp_path: Path) -> None:
    board = shell.board
    number, other = board.case(), board.case()
    assert "complaint received" in shell.run("correct", "receipts", number).out
    receipt = next(one.id for one in board.file(number).facts if one.fact.KIND == "complaint-received")
    earlier = (board.clock.now() - timedelta(days=3)).isoformat()
    said = shell.run("correct", "receipt", number, receipt, "--received", earlier, "--reason", "the stamp")
    assert "acknowledge" in said.out
    shell.run("withdraw", number, "--received", _now(shell), "--words", "no more")
    assert len(list(board.file(number).all(Withdrawn))) == 1
    paper = tmp_path / "amended.pdf"
    paper.write_bytes(b"%PDF amended")
    shell.run("amend", number, paper, "--received", _now(shell), "--nobody-named")
    assert [one.fact.what for one in board.file(number).all(PaperReceived)] == ["amendment"]
    shell.run("hold", "place", number, "--reason", "a suit")
    assert board.file(number).on_hold
    shell.run("hold", "lift", number, "--reason", "it ended")
    shell.run("merge", other, "--into", number, "--reason", "the same event")
    assert "Acknowledge receipt" in shell.refused("close", other, "--words", "goes on elsewhere")


def test_a_merged_case_says_which_one_goes_on_to_whoever_may_see_that_one(shell: Shell) -> None:
    board = shell.board
    number, other = board.case(), board.case()
    shell.run("merge", other, "--into", number, "--reason", "the same event")
    assert f"duplicate of another case; {number} goes on for it" in shell.run("case", other).out
    assert json.loads(shell.run("case", other, "--json").out)["merged_into"] == number
    recuse(board.docket, board.clerk, number)
    assert number not in shell.run("case", other).out
    assert json.loads(shell.run("case", other, "--json").out)["merged_into"] is None


def test_a_final_case_is_reopened_with_a_reason(shell: Shell) -> None:
    number, _track = received_case(shell.board)
    shell.run("reopen", number, "--reason", "an error")
    assert [one.fact.reason for one in shell.board.file(number).all(Reopened)] == ["an error"]


def test_a_reopening_names_whose_tracks_where_there_are_several(shell: Shell) -> None:
    number, first, second, _held = both_terminated(shell.board)
    assert "--respondent ID for each" in shell.refused("reopen", number, "--reason", "an error", status=2)
    shell.run("reopen", number, "--respondent", str(second), "--reason", "an error")
    case = shell.board.file(number)
    assert [case.standing_determination(one) is None for one in (first, second)] == [False, True]


def test_a_ballot_about_the_whole_case_takes_no_respondent(shell: Shell) -> None:
    number, first, _second, _held = both_terminated(shell.board)
    asked = ("ballot", "open", number, "false-complaint")
    assert "about the whole case" in shell.refused(*asked, "--respondent", str(first), status=2)
    assert "is open" in shell.run(*asked).out
    assert shell.board.file(number).ballots[-1].track == 0


def test_files_for_calendars_and_minutes(shell: Shell, tmp_path: Path) -> None:
    number, track = shell.board.served_case()
    shell.run("dates", "--ics", tmp_path / "dates.ics")
    assert f"SUMMARY:{number}" in (tmp_path / "dates.ics").read_text()
    held = shell.board.meeting()
    shell.board.decide(number, track, held, Question.JURISDICTION)
    close_meeting(shell.board.docket, shell.board.clerk, held)
    said = shell.run("meeting", "minutes", held, "--out", tmp_path / "minutes.pdf")
    assert number in said.out
    assert (tmp_path / "minutes.pdf").read_bytes().startswith(b"%PDF")
    at = (shell.board.clock.now() + timedelta(days=7)).isoformat()
    shell.run("meeting", "invite", "City Hall", "--at", at, "--out", tmp_path / "invite.ics")
    assert "City Hall" in (tmp_path / "invite.ics").read_text()


def test_a_packet_is_saved_file_by_file_and_never_over_what_is_there(shell: Shell, tmp_path: Path) -> None:
    number = shell.board.case()
    shell.run("party", "add", number, "respondent", "--name", "Paula Quint", "--postal", "12 Mill Lane")
    shell.run("notice", number, "--provision", "gifts")
    letter, folder = shell.board.file(number).letters[-1].id, tmp_path / "packet"
    said = shell.run("packet", number, letter, "--out", folder, "--way", "certified mail").out
    assert "4 files" in said
    assert "Not in packet.pdf, print it by itself: 3-complaint.pdf" in said, "it is no PDF that can be read"
    assert sorted(one.name for one in folder.iterdir()) == [
        "0-label.pdf",
        "1-cover.pdf",
        "2-notice.pdf",
        "3-complaint.pdf",
        "packet.pdf",
    ]
    assert len(pypdf.PdfReader(folder / "packet.pdf").pages) >= len({"label", "cover", "letter"})
    assert (folder / "3-complaint.pdf").read_bytes() == b"%PDF complaint"
    served = ("--how", "in person", "--by", "the clerk", "--on", shell.board.look(number).today)
    shell.run("served", number, "--letter-id", letter, *served)
    assert shell.board.file(number).served("notice", shell.board.file(number).respondents[0].id)
    assert "nothing was delivered" in shell.refused("packet", number, letter, "--out", folder)
    shell.refused("packet", number, 1, "--out", tmp_path / "other", status=2)
    assert not (tmp_path / "other").exists()


def test_a_case_shows_what_was_found_in_every_paper_and_on_which_the_form_is_not_decided(
    shell: Shell,
) -> None:
    number = shell.board.case()
    with act(shell.board.docket, shell.board.clerk, Deed.RECORD_RESPONSE, number=number) as step:
        paper = step.keep(
            b"%PDF",
            kind="exhibit",
            media_type="application/pdf",
            name="e.pdf",
            received_at=step.now,
            finding=json.dumps({"signature": "drawn", "pages": 1, "signers": ["Signer Two"]}),
        )
    out = shell.run("case", number).out
    assert f"Document {paper} (the form is not decided on it):" in out
    assert "Signer Two" in out

"""A planned meeting on the command line: planned, answered, noticed, moved, opened, minutes approved."""

from datetime import timedelta
from pathlib import Path

from store.proceedings.meeting import close_meeting, meetings
from tests.bot.cli.shell import Shell


def test_a_meeting_from_its_plan_to_its_opening(practice: Shell, tmp_path: Path) -> None:
    board = practice.board
    number = board.case()
    at = (board.clock.now() + timedelta(days=7)).isoformat()
    said = practice.run("meeting", "plan", "City Hall", "--at", at, "--special", "--case", number).out
    plan = said.split("plan ")[1].split(".")[0]
    practice.run("meeting", "coming", plan, "in-person", who="Mora Member")
    assert "Quorum" not in practice.run("meeting", "planned", who="Mora Member").out
    (told,) = practice.run("meeting", "planned", "--json").json
    assert told["outlook"] == "open"
    assert told["cases"] == {number: "open"}
    assert "No notice" in told["warnings"][0]
    assert number in practice.run("meeting", "planned").out
    given = board.clock.now().isoformat()
    notice = ("meeting", "notice", plan, "--given-at", given, "--how", "in writing", "--to", "all")
    assert "posted" in practice.run(*notice).out
    practice.run("meeting", "entry", plan, "--out", tmp_path / "m.ics")
    assert number not in (tmp_path / "m.ics").read_text()
    later = (board.clock.now() + timedelta(days=8)).isoformat()
    practice.run("meeting", "move", plan, "--at", later, "--reason", "the room")
    opened = ("meeting", "open", "City Hall", "--notice", "posted", "--planned", plan)
    practice.run(*opened, *(word for one in ("Hanna Chair", "Mora Member") for word in ("--present", one)))
    assert meetings(board.docket, board.clerk)[-1].opened.planned == int(plan)
    assert "not in session" not in practice.run("meeting", "preside", "Mora Member").out
    assert "No meeting is planned" in practice.run("meeting", "planned").out


def test_a_meeting_is_called_off_and_minutes_are_approved(practice: Shell, tmp_path: Path) -> None:
    board = practice.board
    at = (board.clock.now() + timedelta(days=7)).isoformat()
    plan = practice.run("meeting", "plan", "City Hall", "--at", at).out.split("plan ")[1].split(".")[0]
    practice.run("meeting", "call-off", plan, "--reason", "ice")
    assert "any more" in practice.refused("meeting", "call-off", plan, "--reason", "ice")
    planned = practice.run("meeting", "plan", "Hall", "--at", at).out.split("plan ")[1].split(".")[0]
    given = board.clock.now().isoformat()
    noticed = ("notice", planned, "--given-at", given, "--how", "in writing", "--to", "all")
    practice.run("meeting", *noticed, "--video", "city.example/live", "--primary-location", "Room 2")
    assert "city.example/live" in practice.run("meeting", "planned").out
    said = practice.run(
        "meeting",
        "open",
        "Hall",
        "--notice",
        "in writing",
        "--present",
        "Hanna Chair",
        "--by-video",
        "Mora Member",
        "--planned",
        planned,
    ).out
    assert "2 present, 1 of them by video" in said
    assert "Mora Member (by video)" in practice.run("meeting", "list").out
    practice.run("meeting", "present", "Mora Member")
    assert "by video" not in practice.run("meeting", "list").out
    assert "present by video" in practice.run("meeting", "present", "Mora Member", "--by-video").out
    assert "Who left" in practice.refused(
        "meeting", "present", "Mora Member", "--left", "--by-video", status=2
    )
    practice.run("meeting", "close")
    first = board.meeting()
    close_meeting(board.docket, board.clerk, first)
    practice.run("meeting", "minutes", first, "--out", tmp_path / "m.pdf")
    board.meeting()
    practice.run("meeting", "approve-minutes", first, "--moved-by", "Mora Member")
    assert "approved" in practice.refused("meeting", "approve-minutes", first, "--moved-by", "Mora Member")

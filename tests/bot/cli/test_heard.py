"""A respondent is heard, typed on the command line: more time, appearance, statement, exhibits (B)."""

import hashlib
from datetime import timedelta
from pathlib import Path

from store.rules.facts import Appeared, StatementTaken
from tests.bot.cli.shell import Shell


def test_more_time_is_asked_for_and_ruled_on(shell: Shell) -> None:
    number, track = shell.board.served_case()
    now = shell.board.clock.now().isoformat()
    until = (shell.board.look(number).today + timedelta(days=20)).isoformat()
    shell.run("response", "ask-time", number, "--until", until, "--received", now, "--words", "ill")
    (asked,) = shell.board.file(number).asked_for_time(track)
    rule = ("response", "rule-time", number, asked.id, "--reason", "illness")
    assert "--grant or --refuse" in shell.refused(*rule, status=2)
    assert "who of the Board" in shell.refused(*rule, "--grant", status=2)
    said = shell.run(*rule, "--grant", "--by", "Hanna Chair").out
    assert until in said
    assert "last lawful day stays" in said
    told = shell.run("case", number, "--json").json
    assert told["time_asked"][0]["ruled"]["by"] == "Hanna Chair"
    assert next(one for one in told["steps"] if one["key"] == f"respond:{track}")["extended_until"] == until


def test_appearance_statement_and_exhibits(shell: Shell, tmp_path: Path) -> None:
    number, track = shell.board.served_case()
    now = shell.board.clock.now().isoformat()
    shell.run("appearance", number, "--party", track, "--at", now, "--how", "in person", "--answer")
    assert len(list(shell.board.file(number).all(Appeared))) == 1
    paper = tmp_path / "transcript.pdf"
    paper.write_bytes(b"%PDF transcript")
    shell.run("statement", number, paper, "--party", track, "--oath-by", "Nora Notary", "--at", now)
    assert [one.fact.sworn for one in shell.board.file(number).all(StatementTaken)] == ["Rory Respondent"]
    said = shell.run("exhibit", "offer", number, paper, "--party", track, "--at", now).out
    assert hashlib.sha256(b"%PDF transcript").hexdigest() in said
    (exhibit,) = shell.board.file(number).exhibits
    shell.refused("exhibit", "rule", number, exhibit.id, "--refused", "--by", "Hanna Chair", status=2)
    shell.run("exhibit", "rule", number, exhibit.id, "--received", "--by", "Hanna Chair")
    table = shell.run("case", number).out
    assert "R-1" in table
    assert "received" in table


def _told_alike(shell: Shell, number: str, key: str) -> tuple[str, str]:
    """The last day to answer that the case shows, and what explains it; both name clause (B)."""
    (what,) = (one.duty.what for one in shell.board.look(number).steps if one.key == key)
    (row,) = (line for line in shell.run("case", number).out.splitlines() if line.startswith(what))
    explained = shell.run("explain", number, key).out
    assert "(B)" in row
    assert "(B)" in explained.splitlines()[0]
    (step,) = (one for one in shell.run("case", number, "--json").json["steps"] if one["key"] == key)
    for same in shell.run("explain", number, key, "--json").json:
        assert {**same, **step} == same
    assert not step["open_until"] or step["open_until"] in row
    return step["open_until"] or "", explained


def test_the_case_and_its_explanation_name_the_same_last_day_to_answer_in_each_phase(shell: Shell) -> None:
    board = shell.board
    number = board.case()
    track = board.respondent(number)
    key = f"respond:{track}"
    assert _told_alike(shell, number, key)[0] == ""
    board.serve(number, track)
    served, why = _told_alike(shell, number, key)
    assert served in why
    until = (board.look(number).today + timedelta(days=40)).isoformat()
    now = board.clock.now().isoformat()
    shell.run("response", "ask-time", number, "--until", until, "--received", now, "--words", "ill")
    assert _told_alike(shell, number, key)[0] == served, "a request that waits moves nothing"
    (asked,) = board.file(number).asked_for_time(track)
    rule = (
        "response",
        "rule-time",
        number,
        asked.id,
        "--grant",
        "--reason",
        "illness",
        "--by",
        "Hanna Chair",
    )
    shell.run(*rule)
    extended, why = _told_alike(shell, number, key)
    assert extended == until
    assert f"Open until {until}: the Board gave that day (illness). Without it, {served}." in why
    assert "as the Board extended it" in shell.run("case", number).out
    board.clock.advance(timedelta(days=35))
    now = board.clock.now().isoformat()
    shell.run("response", "record", number, "--received", now, "--words", "it is not so")
    assert _told_alike(shell, number, key)[0] == until
    (step,) = (one for one in shell.run("case", number, "--json").json["steps"] if one["key"] == key)
    assert step["on_time"] is True, "it came while the Board kept the right open"

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

"""Votes are taken on the command line while Slack is away, and Slack shows them once when it is back (R6, C7)."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.practice.client import message_text
from store.cases import MACHINE, verify
from store.outbox import Channel, waiting
from store.rules.facts import Choice, VoteCast
from tests.bot.cli.shell import Shell
from tests.bot.slack.office import HANNA, MORA, Office, an_office

pytestmark = pytest.mark.contract
MEMBERS = ("Hanna Chair", "Mora Member", "Milo Member", "Maud Member", "Moritz Member")


@pytest.fixture
def office(tmp_path: Path, practice: Shell) -> Iterator[Office]:
    found = an_office(tmp_path, practice.board)
    yield found
    found.stop()


def test_a_board_votes_on_the_command_line_while_slack_is_away(practice: Shell, office: Office) -> None:
    board = practice.board
    number, _track = board.served_case()
    office.deliver()
    office.practice.faults(failing_calls=-1)
    office.practice.drop_sockets()
    practice.run(
        *("meeting", "open", "City Hall", "--notice", "posted"),
        *(word for name in MEMBERS for word in ("--present", name)),
    )
    practice.run("ballot", "open", number, "jurisdiction", who="Hanna Chair")
    (ballot,) = board.file(number).ballots
    for name in MEMBERS[:4]:
        practice.run("ballot", "vote", number, ballot.id, "yes", who=name)
        office.deliver()
    practice.run("recuse", number, who="Moritz Member")
    assert "4" in practice.run("ballot", "close", number, ballot.id, who="Hanna Chair").out

    office.practice.faults(failing_calls=0)
    for _round in range(60):
        office.deliver()
        board.clock.advance(timedelta(seconds=30))
    with board.docket.database.read() as session:
        assert waiting(session, Channel.SLACK) == []
    case = board.file(number)
    assert [one.fact.choice for one in case.all(VoteCast)] == [Choice.YES] * 4
    for user in (HANNA, MORA):
        receipts = [one for one in office.practice.direct(user) if "is recorded: *Yes*" in message_text(one)]
        assert len(receipts) == 1
        papers = [one for one in office.practice.direct(user) if "Yes 4, no 0" in message_text(one)]
        assert len(papers) == 1
    assert verify(board.docket, MACHINE) is None

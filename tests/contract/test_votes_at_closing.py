"""Members vote by command line and in Slack while the chair closes: each vote counts or is refused, never both or neither."""

from pathlib import Path

import pytest

from store.printing import PressRoom
from tests.race_votes import BY_COMMAND_LINE, BY_SLACK, race

pytestmark = pytest.mark.contract
ROUNDS = 3


def _each_vote_is_in_the_count_or_refused(folder: Path, press: PressRoom, url: str = "") -> None:
    seen = race(folder, press, rounds=ROUNDS, url=url)
    assert seen.faults == []
    assert seen.counted["refused"] == 2 * ROUNDS * len(BY_COMMAND_LINE + BY_SLACK)
    assert seen.counted["recorded"]


def test_a_vote_at_the_closing_instant_is_in_the_count_or_refused_plainly(
    tmp_path: Path, press: PressRoom
) -> None:
    _each_vote_is_in_the_count_or_refused(tmp_path, press)


@pytest.mark.needs("postgresql")
def test_a_vote_at_the_closing_instant_is_in_the_count_or_refused_plainly_on_postgresql(
    tmp_path: Path, press: PressRoom, postgres_url: str
) -> None:
    _each_vote_is_in_the_count_or_refused(tmp_path, press, postgres_url)

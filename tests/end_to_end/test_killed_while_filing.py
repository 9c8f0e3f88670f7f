"""The process may die at any instant while it files mail."""

import pytest

from tests.kill_filing import play


@pytest.mark.end_to_end
@pytest.mark.needs("dovecot")
@pytest.mark.parametrize("seed", [11, 12])
def test_a_process_killed_between_any_two_steps_loses_no_complaint_and_doubles_none(seed: int) -> None:
    seen = play(12, seed, most_kills=12)
    assert seen.faults == []
    assert sum(seen.kills.values()) > 0

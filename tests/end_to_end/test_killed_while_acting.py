"""The process may die at any instant while people vote, letters go out, dates are swept and the record is opened."""

import pytest

from tests.kill_acts import WORKS, play, prepared

pytestmark = pytest.mark.end_to_end


@pytest.mark.parametrize("name", WORKS)
def test_a_process_killed_at_any_statement_loses_nothing_and_does_nothing_twice(name: str) -> None:
    kills = 0
    with prepared(name) as start:
        for seed in (1, 2):
            killed, faults = play(name, start, seed)
            assert faults == [], f"seed {seed}"
            kills += len(killed)
    assert kills > 0

"""The quorum that is to be expected, from roster, recusals, walls, away dates and answers (B3)."""

import pytest

from store.rules.ballots import BallotRule
from store.rules.facts import Coming
from store.rules.forecast import Bench, Outlook, forecast

RULE = BallotRule(quorum=3, needed=1, alternates=True)
BENCH = Bench(5, (1, 2, 3, 4, 5), (8, 9))
YES, VIDEO, NO = Coming.IN_PERSON, Coming.BY_VIDEO, Coming.NO


@pytest.mark.parametrize(
    ("answers", "out", "away", "outlook"),
    [
        ({1: YES, 2: VIDEO, 3: YES}, (), (), Outlook.ENOUGH),
        ({1: YES, 2: YES}, (), (), Outlook.OPEN),
        ({}, (), (), Outlook.OPEN),
        ({1: YES, 2: YES, 3: NO, 4: NO, 5: NO}, (), (), Outlook.SHORT),
        ({1: YES, 2: YES, 3: NO, 4: NO, 5: NO, 8: YES}, (), (), Outlook.WITH_ALTERNATES),
        ({1: YES, 2: YES}, (), (3, 4, 5), Outlook.SHORT),
        ({1: YES, 2: YES, 3: YES}, (), (3,), Outlook.ENOUGH),
        ({1: YES, 2: YES, 3: YES}, (1,), (), Outlook.OPEN),
        ({1: YES, 2: YES, 3: YES}, (3, 4, 5), (), Outlook.SHORT),
        ({1: YES, 2: YES}, (3, 4, 5, 8, 9), (), Outlook.CANNOT_ACT),
        ({1: YES, 2: YES, 8: YES}, (3, 4, 5, 8), (), Outlook.SHORT),
    ],
)
def test_the_outlook_follows_who_can_sit_and_what_he_said(
    answers: dict[int, Coming], out: tuple[int, ...], away: tuple[int, ...], outlook: Outlook
) -> None:
    bench = Bench(5, BENCH.members, BENCH.alternates, frozenset(away))
    found = forecast(RULE, bench, answers, out=out)
    assert found.outlook is outlook
    assert found.coming + found.declined + found.away + found.silent + found.out == 5


def test_an_alternate_takes_no_vacant_seat() -> None:
    bench = Bench(5, (1, 2), (8, 9))
    found = forecast(RULE, bench, {1: YES, 2: YES, 8: YES, 9: YES})
    assert found.vacant == 3
    assert found.outlook is Outlook.SHORT


def test_the_line_has_counts_and_no_name() -> None:
    text = forecast(RULE, BENCH, {1: YES, 8: VIDEO}, out=(5,)).text()
    assert text == (
        "Quorum 3 of 5: 1 come, 0 do not, 3 not answered, 1 out of the case, 1 alternates come. "
        "It hangs on those who have not answered."
    )

"""An office that nobody holds: from which day on, what stands still, and the way on (B1)."""

from datetime import date

from store.rules.ballots import BallotRule
from store.rules.facts import Role
from store.rules.roster import Member, Roster
from store.rules.vacancies import in_words, nobody_from, told_of_leaving

DAY = date(2026, 3, 2)
SINCE = date(2025, 1, 1)


def _roster(*terms: tuple[Role, date | None]) -> Roster:
    return Roster(
        {
            key: Member(key, f"P{key}", terms=((role, SINCE, until),))
            for key, (role, until) in enumerate(terms)
        }
    )


def test_the_first_day_without_anybody_is_the_one_after_the_last_term() -> None:
    assert nobody_from(_roster((Role.CHAIR, None)), Role.CHAIR, DAY) is None
    assert nobody_from(_roster((Role.CHAIR, DAY)), Role.CHAIR, DAY) == date(2026, 3, 3)
    assert nobody_from(_roster((Role.CHAIR, date(2026, 3, 1))), Role.CHAIR, DAY) == DAY
    overlapping = _roster((Role.CHAIR, DAY), (Role.CHAIR, date(2026, 4, 1)))
    assert nobody_from(overlapping, Role.CHAIR, DAY) == date(2026, 4, 2)


def test_the_way_on_is_one_that_somebody_can_go() -> None:
    assert "roster take PERSON clerk" in in_words(_roster((Role.CHAIR, None)), Role.CLERK, DAY)
    assert "roster load" in in_words(_roster((Role.MEMBER, None)), Role.CLERK, DAY)


def test_nothing_is_said_while_others_hold_the_office_and_the_board_can_act() -> None:
    rule = BallotRule(quorum=3, needed=3)
    five = _roster((Role.CHAIR, None), *[(Role.MEMBER, None)] * 4)
    assert told_of_leaving(five, Role.MEMBER, DAY, seats=5, rule=rule) == ()
    three, two = _roster(*[(Role.MEMBER, None)] * 3), _roster(*[(Role.MEMBER, None)] * 2)
    assert told_of_leaving(three, Role.MEMBER, DAY, seats=5, rule=rule) == ()
    assert len(told_of_leaving(two, Role.MEMBER, DAY, seats=5, rule=rule)) == 1
    assert len(told_of_leaving(two, Role.CHAIR, DAY, seats=5, rule=rule)) == 2

"""The roster as it stands on a day (B1)."""

from datetime import date

import pytest

from store.rules.facts import (
    Away,
    DeputyNamed,
    LinkKind,
    PersonLinked,
    PersonNamed,
    PersonUnlinked,
    Role,
    RoleLeft,
    RoleTaken,
)
from store.rules.roster import build

FIRST, LAST = date(2026, 1, 1), date(2026, 6, 30)


@pytest.mark.parametrize(
    ("day", "held"),
    [(date(2025, 12, 31), False), (FIRST, True), (LAST, True), (date(2026, 7, 1), False)],
)
def test_a_term_counts_from_its_first_to_its_last_day(day: date, held: bool) -> None:
    people = build([PersonNamed(1, "Mora"), RoleTaken(1, Role.MEMBER, FIRST, LAST)])
    assert (people.roles(1, day) == {Role.MEMBER}) is held


@pytest.mark.parametrize(("day", "held"), [(date(2026, 3, 1), True), (date(2026, 3, 2), False)])
def test_the_day_of_leaving_no_longer_counts(day: date, held: bool) -> None:
    left = RoleLeft(1, Role.MEMBER, date(2026, 3, 2))
    people = build([PersonNamed(1, "Mora"), RoleTaken(1, Role.MEMBER, FIRST, LAST), left])
    assert bool(people.roles(1, day)) is held


def test_leaving_one_role_keeps_the_other_and_a_role_can_be_taken_again() -> None:
    facts = [
        PersonNamed(1, "Mora"),
        RoleTaken(1, Role.MEMBER, FIRST),
        RoleTaken(1, Role.CHAIR, FIRST),
        RoleLeft(1, Role.CHAIR, date(2026, 3, 2)),
        RoleTaken(1, Role.CHAIR, date(2026, 5, 1)),
    ]
    people = build(facts)
    assert people.roles(1, date(2026, 4, 1)) == {Role.MEMBER}
    assert people.roles(1, date(2026, 5, 1)) == {Role.MEMBER, Role.CHAIR}
    assert people.voting(date(2026, 5, 1)) == (1,)


def test_a_link_names_one_person_or_nobody() -> None:
    linked = [PersonLinked(person, LinkKind.EMAIL, "m@city.example", FIRST) for person in (1, 2)]
    both = build([PersonNamed(1, "Mora"), PersonNamed(2, "Milo"), *linked])
    one = build([PersonNamed(1, "Mora"), linked[0]])
    assert both.by_link(LinkKind.EMAIL, "m@city.example", FIRST) is None
    assert one.by_link(LinkKind.EMAIL, " M@City.example", FIRST) == 1
    assert one.by_link(LinkKind.SLACK, "m@city.example", FIRST) is None


def test_a_link_that_ended_is_remembered_for_the_conflict_screen_alone() -> None:
    people = build(
        [
            PersonNamed(1, "Mora"),
            PersonLinked(1, LinkKind.EMAIL, "m@city.example", FIRST),
            PersonUnlinked(1, LinkKind.EMAIL, "m@city.example", LAST),
        ]
    )
    assert people.by_link(LinkKind.EMAIL, "m@city.example", LAST) is None
    assert people.members[1].ever_linked(LinkKind.EMAIL) == ("m@city.example",)


def test_a_deputy_may_act_between_his_days_and_not_the_other_way_round() -> None:
    people = build([PersonNamed(1, "Mora"), PersonNamed(2, "Milo"), DeputyNamed(1, 2, FIRST, LAST)])
    assert people.may_act_for(1, 2, LAST)
    assert not people.may_act_for(1, 2, date(2026, 7, 1))
    assert not people.may_act_for(2, 1, LAST)
    assert people.deputies_of(2, LAST) == (1,)


def test_who_is_away_is_away_on_both_ends() -> None:
    people = build([PersonNamed(1, "Mora"), Away(1, FIRST, LAST)])
    assert people.is_away(1, FIRST)
    assert people.is_away(1, LAST)
    assert not people.is_away(1, date(2026, 7, 1))


def test_nobody_has_no_role_and_the_machine_has_its_own_name() -> None:
    people = build([])
    assert people.roles(None, FIRST) == frozenset()
    assert people.roles(5, FIRST) == frozenset()
    assert people.name(None) == "Docket"

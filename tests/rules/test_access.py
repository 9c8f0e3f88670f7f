"""The one table of rights over every combination of role, deed and situation (C2)."""

from collections.abc import Iterator
from itertools import chain, combinations, product

import pytest

from store.rules.access import (
    OF_WHO_PRESIDES,
    TABLE,
    Deed,
    Membership,
    Scope,
    Situation,
    Standing,
    check,
    may,
    refusal_of,
)
from store.rules.errors import CaseFinal, NoSuchCase, NotAllowed, NotNow
from store.rules.facts import Role

READERS = {Role.CLERK, Role.CHAIR, Role.MEMBER, Role.COUNSEL}
FLAGS = ("screened", "paper_screened", "walled", "recused", "final", "seated", "intake_cleared")
# what looking through unread papers takes: seeing them, saying who is named, lifting what the machine walled off
CLEARING = {Deed.SEE_CASE, Deed.READ_DOCUMENT, Deed.SAY_WHO_IS_NAMED, Deed.LIFT_CONFLICT}


def _role_sets() -> list[frozenset[Role]]:
    """Nobody, each role, and each pair of roles: what a combination adds shows in pairs."""
    every = list(Role)
    return [frozenset(one) for one in chain.from_iterable(combinations(every, n) for n in range(3))]


def _situations() -> list[Situation]:
    return [
        Situation(**dict(zip(FLAGS, bits, strict=True))) for bits in product([False, True], repeat=len(FLAGS))
    ]


def _standings() -> list[Standing]:
    return [
        Standing(roles, False, membership, deputy)
        for roles in _role_sets()
        for membership in Membership
        for deputy in (True, False)
    ]


def _combinations() -> Iterator[tuple[Deed, Standing, Situation]]:
    yield from product(Deed, _standings(), _situations())


def _expected(deed: Deed, who: Standing, case: Situation) -> type[Exception] | None:
    """The same rules said a second time, in the words of product.md and decisions.md."""
    right = TABLE[deed]
    about_case = right.scope is Scope.CASE
    cleared = about_case and _is_cleared(deed, who, case)
    unread = about_case and not (case.screened and case.paper_screened)
    if who.membership is not Membership.MEMBER or not who.roles or not who.deputy_ok:
        return NoSuchCase if about_case else NotAllowed
    if about_case:
        alternate = Role.ALTERNATE in who.roles
        knows = cleared or bool(who.roles & READERS) or (alternate and case.seated)
        refers = deed is Deed.REFER and Role.CITY_MANAGER in who.roles
        recuses_again = deed is Deed.RECUSE
        if case.walled or (case.recused and not recuses_again):
            return NoSuchCase
        if (unread and not _looks_papers_through(who, case)) or not (knows or refers):
            return NoSuchCase
    if not who.roles & right.roles and not cleared:
        return NotAllowed
    if unread and not cleared:
        return NotNow
    return CaseFinal if about_case and case.final and not right.after_final else None


def _looks_papers_through(who: Standing, case: Situation) -> bool:
    """Nobody is cleared who could be its subject by office, or who keeps the machine."""
    return case.intake_cleared and not who.roles <= {Role.CITY_MANAGER, Role.IT}


def _is_cleared(deed: Deed, who: Standing, case: Situation) -> bool:
    return deed in CLEARING and _looks_papers_through(who, case)


def test_every_combination_of_role_deed_and_situation_has_the_answer_of_the_law() -> None:
    count = 0
    for deed, who, case in _combinations():
        refusal = refusal_of(deed, who, case)
        assert (type(refusal) if refusal else None) is _expected(deed, who, case), (deed, who, case)
        count += 1
    print(f"{count} combinations of role, deed and situation")  # noqa: T201  the figure is asked for
    assert count == len(Deed) * len(_standings()) * 2 ** len(FLAGS)


def test_every_deed_stands_in_the_table() -> None:
    assert set(TABLE) == set(Deed)
    assert all(right.clause for right in TABLE.values())


@pytest.mark.parametrize("deed", [one for one in Deed if TABLE[one].scope is Scope.CASE])
def test_a_walled_off_person_learns_of_no_case_whatever_he_is(deed: Deed) -> None:
    everything = Standing(frozenset(Role))
    for case in _situations():
        if case.walled:
            with pytest.raises(NoSuchCase):
                check(deed, everything, case)


@pytest.mark.parametrize("deed", list(Deed))
def test_outsiders_and_guests_get_nothing(deed: Deed) -> None:
    for membership in Membership:
        assert not may(deed, Standing(frozenset(), False, membership))
        if membership is not Membership.MEMBER:
            assert not may(deed, Standing(frozenset(Role), False, membership))


@pytest.mark.parametrize("deed", [one for one in Deed if TABLE[one].scope is Scope.CASE])
def test_the_it_person_sees_no_case(deed: Deed) -> None:
    for case in _situations():
        assert not may(deed, Standing(frozenset({Role.IT})), case)


def test_the_city_manager_refers_and_does_nothing_else_with_a_case() -> None:
    manager = Standing(frozenset({Role.CITY_MANAGER}))
    allowed = {deed for deed in Deed if TABLE[deed].scope is Scope.CASE and may(deed, manager)}
    assert allowed == {Deed.REFER}


def test_only_members_vote() -> None:
    voters = {
        role
        for role in Role
        if may(Deed.VOTE, Standing(frozenset({role})), Situation(seated=role is Role.ALTERNATE))
    }
    assert voters == {Role.CHAIR, Role.MEMBER, Role.ALTERNATE}


def test_an_alternate_reads_a_case_only_where_he_is_seated() -> None:
    alternate = Standing(frozenset({Role.ALTERNATE}))
    for deed in (Deed.SEE_CASE, Deed.READ_DOCUMENT, Deed.VOTE):
        assert may(deed, alternate, Situation(seated=True))
        assert not may(deed, alternate, Situation(seated=False))


def test_docket_itself_does_only_what_the_table_gives_to_the_machine() -> None:
    machine = Standing(machine=True)
    assert {deed for deed in Deed if may(deed, machine)} == {
        deed for deed, right in TABLE.items() if right.machine
    }
    for deed in (Deed.VOTE, Deed.DETERMINE, Deed.DECIDE_FORM, Deed.LIFT_CONFLICT, Deed.SEE_CASE):
        assert not may(deed, machine)


def test_a_paper_that_nobody_read_is_hidden_and_its_case_is_not() -> None:
    chair = Standing(frozenset({Role.CHAIR}))
    assert may(Deed.READ_DOCUMENT, chair, Situation(paper_screened=True))
    assert not may(Deed.READ_DOCUMENT, chair, Situation(paper_screened=False))
    clerk = Standing(frozenset({Role.CLERK}))
    assert may(Deed.READ_DOCUMENT, clerk, Situation(paper_screened=False, intake_cleared=True))


def test_the_clerk_lifts_a_wall_before_the_rest_of_the_case_is_screened_and_the_chair_does_not() -> None:
    unread = Situation(screened=False, intake_cleared=True)
    assert may(Deed.LIFT_CONFLICT, Standing(frozenset({Role.CLERK})), unread)
    assert not may(Deed.LIFT_CONFLICT, Standing(frozenset({Role.CHAIR})), Situation(screened=False))


def test_who_looks_unread_papers_through_is_told_what_comes_first_and_nobody_else_learns_of_the_case() -> (
    None
):
    clerk, unread = Standing(frozenset({Role.CLERK})), Situation(screened=False, intake_cleared=True)
    refused = refusal_of(Deed.DECIDE_FORM, clerk, unread)
    assert isinstance(refused, NotNow)
    assert "docket named" in refused.mend
    for hidden in (
        Situation(screened=False),
        Situation(screened=False, intake_cleared=True, walled=True),
        Situation(screened=False, intake_cleared=True, recused=True),
    ):
        assert isinstance(refusal_of(Deed.DECIDE_FORM, clerk, hidden), NoSuchCase)


@pytest.mark.parametrize("deed", sorted(CLEARING))
def test_who_is_cleared_in_the_clerks_place_looks_the_papers_through_and_does_no_other_staff_work(
    deed: Deed,
) -> None:
    counsel = Standing(frozenset({Role.COUNSEL}))
    instead = Situation(screened=False, intake_cleared=True)
    assert may(deed, counsel, instead)
    allowed = {one for one in Deed if TABLE[one].scope is Scope.CASE and may(one, counsel, instead)}
    assert allowed == CLEARING


def test_who_presides_does_the_chairs_acts_of_a_meeting_and_no_other() -> None:
    member, presiding = Standing(frozenset({Role.MEMBER})), Standing(frozenset({Role.MEMBER}), presides=True)
    chair = Standing(frozenset({Role.CHAIR}))
    gained = {deed for deed in Deed if may(deed, presiding) and not may(deed, member)}
    assert gained == OF_WHO_PRESIDES
    assert all(may(deed, chair) for deed in gained)
    for case in (Situation(walled=True), Situation(recused=True)):
        assert not any(
            may(deed, presiding, case) for deed in OF_WHO_PRESIDES if TABLE[deed].scope is Scope.CASE
        )


@pytest.mark.parametrize(
    ("deed", "who", "mend"),
    [
        (Deed.SERVE_NOTICE, Role.MEMBER, "Ask the clerk."),
        (Deed.ROTATE_KEYS, Role.CLERK, "It is for: IT."),
        (Deed.VOTE, Role.CLERK, "It is for: chair, member, alternate."),
        (Deed.VOTE, Role.COUNSEL, "It is for: chair, member, alternate."),
        (Deed.TAKE_MAIL, Role.CLERK, "Docket does it by itself."),
    ],
)
def test_who_may_not_is_sent_to_somebody_who_may(deed: Deed, who: Role, mend: str) -> None:
    refused = refusal_of(deed, Standing(frozenset({who}), False), Situation(screened=True))
    assert isinstance(refused, NotAllowed)
    assert refused.mend == mend

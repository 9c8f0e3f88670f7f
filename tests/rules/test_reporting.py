"""Small numbers are hidden, and nothing that is shown gives them away (C8)."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from store.rules.reporting import MANY, SMALLEST, Table, Tells, hide

NUMBERS = st.lists(st.integers(0, 9), min_size=1, max_size=7)


def _possible(shown: list[int | None], whole: int | None, place: int, smallest: int) -> set[int]:
    """Everything that a hidden number can be, for somebody who knows the rule's words and the table."""
    hidden = [at for at, number in enumerate(shown) if number is None]
    if whole is None:
        return set(range(1, 10))
    rest = whole - sum(number for number in shown if number is not None)
    return {
        values[hidden.index(place)]
        for values in product(range(rest + 1), repeat=len(hidden))
        if sum(values) == rest and (any(0 < one < smallest for one in values))
    }


@given(NUMBERS)
def test_no_small_number_is_shown_nor_can_be_worked_out(numbers: list[int]) -> None:
    shown, whole = hide(numbers, SMALLEST)
    for place, number in enumerate(numbers):
        if 0 < number < SMALLEST:
            assert shown[place] is None
    hidden = [at for at, number in enumerate(shown) if number is None]
    if 0 < len(hidden) <= 4:
        for place in hidden:
            assert len(_possible(shown, whole, place, SMALLEST)) > 1, (numbers, shown, whole)


@given(NUMBERS)
def test_what_is_shown_is_true(numbers: list[int]) -> None:
    shown, whole = hide(numbers, SMALLEST)
    assert all(said in (None, number) for said, number in zip(shown, numbers, strict=True))
    assert whole in (None, sum(numbers))


def test_a_table_without_small_numbers_is_shown_whole() -> None:
    assert hide([0, 3, 14], SMALLEST) == ([0, 3, 14], 17)
    assert hide([], SMALLEST) == ([], 0)


def test_a_lone_small_number_takes_the_next_smallest_with_it() -> None:
    assert hide([1, 9, 4], SMALLEST) == ([None, 9, None], 14)
    assert hide([2, 9, 0], SMALLEST) == ([None, None, 0], 11)


def test_two_ones_do_not_show_by_their_sum() -> None:
    assert hide([1, 1, 9], SMALLEST) == ([None, None, None], 11)


def test_a_sum_that_is_small_itself_is_hidden() -> None:
    assert hide([1, 0, 0], SMALLEST) == ([None, None, None], None)
    assert hide([2, 0], SMALLEST) == ([None, None], None)


# -- beside the table -------------------------------------------------------------------------------


def _left(table: Table, number: int, place: int) -> set[int]:
    """Everything that a hidden number can be for somebody who takes a number from elsewhere for the sum of some cells."""
    places = [at for at, one in enumerate(table.numbers) if one]
    hidden = [at for at in places if table.shown[at] is None]
    found: set[int] = set()
    for chosen in product((False, True), repeat=len(places)):
        taken = {at for at, one in zip(places, chosen, strict=True) if one}
        if sum(table.numbers[at] for at in taken) == number:
            within = [at for at in hidden if at in taken]
            for part in (within, [at for at in hidden if at not in taken]):
                if place in part and (part is within or table.whole is not None):
                    whole = sum(table.numbers[at] for at in part)
                    shares = (
                        one for one in product(range(1, whole + 1), repeat=len(part)) if sum(one) == whole
                    )
                    possible = {one[part.index(place)] for one in shares}
                    found = possible if not found or len(possible) < len(found) else found
    return found


@given(st.lists(st.integers(0, 6), min_size=2, max_size=5), st.integers(SMALLEST, 20))
def test_no_number_of_another_table_lets_a_small_one_be_worked_out(numbers: list[int], number: int) -> None:
    table = Table.of(tuple(numbers), SMALLEST)
    if table.told_by(number) is not Tells.NOTHING:
        return  # it is hidden
    hidden = [at for at, one in enumerate(table.numbers) if 0 < one < SMALLEST]
    everything = sum(numbers) == number
    for place in hidden:
        left = _left(table, number, place)
        assert everything or not left or len(left) > 1, (numbers, number, left)


def test_three_determinations_beside_four_complaints_would_tell_of_the_fourth() -> None:
    table = Table.of((3, 1, 0, 0, 0, 0), SMALLEST)
    assert table.whole == 4
    assert table.told_by(3) is Tells.BY_BEING_SHOWN
    assert table.told_by(4) is Tells.NOTHING


def test_among_many_a_count_is_hidden_and_the_times_are_shown() -> None:
    table = Table.of((MANY, 1, 0, 5, 0, 0), SMALLEST)
    assert table.told_by(MANY + 5) is Tells.BY_ITS_NUMBER
    assert table.told_by(MANY) is Tells.NOTHING
    assert table.told_by(7) is Tells.NOTHING


def test_a_table_in_which_nothing_is_hidden_is_told_by_nothing() -> None:
    table = Table.of((3, 4, 0), SMALLEST)
    assert all(table.told_by(number) is Tells.NOTHING for number in range(12))

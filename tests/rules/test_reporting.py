"""Small numbers are hidden, and nothing that is shown gives them away (C8)."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from store.rules.reporting import SMALLEST, hide

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

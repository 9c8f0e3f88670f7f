"""Who may be meant although no name is spelled out: found within stated bounds, walled off as possible (B2)."""

import pytest

from store.rules.conflict import How, Passage, Person, Where
from store.rules.facts import Role
from store.rules.possible import MOST_CHARACTERS, OFFICES, first_of, screen_widely
from store.rules.resemblance import Read, places
from tests.rules.conflict_samples import Sample, naming, naming_nobody, wrong

WHITLOW = Person(1, ("Dana Q. Whitlow", "the roads boss"), (), OFFICES[Role.CITY_MANAGER])
OBRIEN = Person(2, ("Hon. Máire O'Brien, Jr.",), (), OFFICES[Role.CHAIR])
BERG = Person(3, ("Jan van der Berg",))
KIM = Person(4, ("Lee Kim",))


def hows(text: str, where: Where = Where.PAGE_TEXT) -> set[tuple[int, How]]:
    found = screen_widely((WHITLOW, OBRIEN, BERG, KIM), [Passage(where, text)], (), readable=True)
    return {(one.person, one.how) for one in found.named}


@pytest.mark.parametrize(
    ("text", "person", "how"),
    [
        ("D. Whitlow signed", 1, How.INITIALS),
        ("D.Q. Whitlow signed", 1, How.INITIALS),
        ("DQ Whitlow signed", 1, How.INITIALS),
        ("Whitlow, D.", 1, How.INITIALS),
        ("approved: D.Q.W.", 1, How.INITIALS),
        ("a friend, Dana W., said", 1, How.INITIALS),
        ("J. van der Berg", 3, How.INITIALS),
        ("Commissioner Whitlow said", 1, How.TITLE),
        ("Ms. O'Brien said", 2, How.TITLE),
        ("Dona Whitl0w", 1, How.BADLY_READ),
        ("Dana VVhit1ow", 1, How.BADLY_READ),
        ("Dana Whitlowe came", 1, How.BADLY_READ),
        ("Dana Whi tlow", 1, How.BADLY_READ),
        ("DanaWhitlow", 1, How.BADLY_READ),
        ("D A N A   W H I T L O W", 1, How.BADLY_READ),
        ("Whitlcw, Dana", 1, How.BADLY_READ),
        ("Dana Wh|tlow", 1, How.BADLY_READ),
        ("It was the City\nManager who took it.", 1, How.OFFICE),
        ("the Chair of the Board of Ethics took it", 2, How.OFFICE),
    ],
)
def test_who_may_be_meant_is_found_as_possible(text: str, person: int, how: How) -> None:
    assert (person, how) in hows(text)
    assert not how.certain


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Whitlow",
        "Dana",
        "P. Whitlow",
        "Peter Whitlow",
        "Dana met Whitlow",
        "Jordana Whitlow",
        "Jan Berger",
        "Lea Kim",
        "Lee Kin",
        "the roads bosses",
        "a member of the Board",
        "To: City Manager, City of Bramwell",
        "To the City Manager,",
        "Dear City Manager:",
        "City Manager",
        "To: City Manager <manager@city.example>",
        "I refer this signed complaint to the City Manager",
        "I ask the City Manager to refer it.",
        "the deputy city manager took it",
        "the chair of the board of directors took it",
        "the school board chair took it",
    ],
)
def test_what_is_beyond_the_bounds_names_nobody(text: str) -> None:
    assert hows(text) == set()


def test_an_office_in_the_naming_of_a_respondent_is_never_taken_for_an_address() -> None:
    assert hows("City Manager", Where.RESPONDENT) == {(1, How.OFFICE)}


def test_whoever_is_spelled_out_is_certain_and_not_possible_as_well() -> None:
    assert hows("Dana Whitlow, called D. Whitlow, the city manager") == {(1, How.NAME)}


def test_each_kind_of_writing_is_found_within_the_stated_bounds() -> None:
    every, missed, which = wrong(naming(220))
    assert every.total() >= 2_000
    assert missed.total() == 0, _of(which)


def test_false_alarms_stay_below_one_in_a_hundred() -> None:
    every, alarms, which = wrong(naming_nobody(220))
    assert alarms["others"] == 0, _of(which)
    assert alarms["only written to"] == 0, _of(which)
    assert alarms.total() <= every.total() * 0.01, _of(which)


def _of(which: list[Sample]) -> str:
    return "\n".join(f"{one.kind}: {one.text!r}" for one in which[:10])


@pytest.mark.parametrize(
    "hostile",
    [
        "a" * 300_000,
        "d q " * 75_000,
        "-\n" * 150_000,
        "city " * 60_000,
        "to the the " * 30_000,
        "dana " * 60_000,
    ],
)
def test_a_hostile_text_is_searched_in_time_that_grows_with_its_length_only(hostile: str) -> None:
    """A search that went back over the text would not come back within the life of the test run."""
    assert hows(hostile) == set()


def test_a_complaint_longer_than_can_be_searched_is_not_screened_and_a_shorter_one_is() -> None:
    """Both sides of the bound; what stands before it is found all the same."""
    begin = "D. Whitlow took it. "
    for filler, whole in ((MOST_CHARACTERS - len(begin), True), (MOST_CHARACTERS - len(begin) + 1, False)):
        said = [Passage(Where.MAIL_BODY, begin), Passage(Where.PAGE_TEXT, "-" * filler)]
        found = screen_widely((WHITLOW,), said, (), readable=True)
        assert (found.screened, found.people) == (whole, {1})


def test_a_name_that_is_spelled_out_is_found_beyond_the_bound_as_well() -> None:
    said = [Passage(Where.PAGE_TEXT, "-" * MOST_CHARACTERS), Passage(Where.MAIL_BODY, "Dana Whitlow")]
    found = screen_widely((WHITLOW,), said, (), readable=True)
    assert (found.screened, {one.how for one in found.named}) == (False, {How.NAME})


def test_no_more_than_the_bound_is_searched_however_many_passages_there_are() -> None:
    kept = first_of([Passage(Where.PAGE_TEXT, "abc")] * 1_000, 100)
    assert sum(len(one.text) for one in kept) == 100
    assert first_of(kept, 100) == kept


def test_a_quick_look_at_the_letters_loses_no_word_within_the_bounds() -> None:
    """Every single change of a word, and two of them, pass the look that spares the slow comparison."""
    right = Read.of("whitlow")
    letters = "abdeow"
    once = {
        right.plain[:at] + one + right.plain[at + cut :]
        for at in range(8)
        for one in (*letters, "")
        for cut in (0, 1)
    }
    for word in once | {
        one[:at] + two + one[at + 1 :] for one in once for at in range(len(one)) for two in letters
    }:
        assert Read.of(word).may_be(right) or places(Read.of(word), right) is None, word

"""The conflict screen by exact name, alias and address: requirement B2, decisions 12."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.rules.conflict import Found, How, Named, Passage, Person, Where, screen

WHITLOW = Person(
    1, ("Dana Q. Whitlow", "Dee Whitlow-Hart", "the roads boss"), ("d.whitlow@bramwell-ky.example",)
)
OBRIEN = Person(2, ("Hon. Máire O'Brien, Jr.",), ("mobrien@bramwell-ky.example", "maire@home.example"))
BERG = Person(3, ("Jan van der Berg",), ())
PEOPLE = (WHITLOW, OBRIEN, BERG)


def found_in(text: str, *, where: Where = Where.MAIL_BODY, addresses: tuple[str, ...] = ()) -> Found:
    return screen(PEOPLE, [Passage(where, text)], addresses, readable=True)


@pytest.mark.parametrize(
    ("text", "person", "how"),
    [
        ("I saw Dana Q. Whitlow there.", 1, How.NAME),
        ("I saw Dana Whitlow there.", 1, How.NAME),
        ("DANA WHITLOW", 1, How.NAME),
        ("dana\n   q.\twhitlow", 1, How.NAME),
        ("Whitlow, Dana", 1, How.NAME),
        ("Whitlow, Dana Q.", 1, How.NAME),
        ("Whitlow, Mr. Dana", 1, How.NAME),
        ("Dana R. Whitlow", 1, How.NAME),
        ("Commissioner Dana Whitlow's truck", 1, How.NAME),
        ("Dana Whitlow\u2019s truck", 1, How.NAME),
        ("Dana Whit-\nlow", 1, How.NAME),
        ("Dana Whit\u00adlow", 1, How.NAME),
        ("Da\u200bna Whitlow", 1, How.NAME),
        ("\uff24\uff41\uff4e\uff41 Whitlow", 1, How.NAME),
        ("Dee Whitlow-Hart", 1, How.ALIAS),
        ("Dee Whitlow Hart", 1, How.ALIAS),
        ("everybody knows The Roads Boss did it", 1, How.ALIAS),
        ("Maire O'Brien", 2, How.NAME),
        ("Ma\u0301ire O\u2019Brien", 2, How.NAME),
        ("MÁIRE OBRIEN", 2, How.NAME),
        ("Maire O Brien", 2, How.NAME),
        ("O'Brien, Jr., Máire", 2, How.NAME),
        ("van der Berg, Jan", 3, How.NAME),
        ("Jan Van-der-Berg", 3, How.NAME),
        ("write to d.whitlow@bramwell-ky.example.", 1, How.ADDRESS),
        ("<D.Whitlow@Bramwell-KY.example>", 1, How.ADDRESS),
        ("mailto:d.whitlow+news@bramwell-ky.example", 1, How.ADDRESS),
        ("(_d.whitlow@bramwell-ky.example_)", 1, How.ADDRESS),
        ("d.whitlow\uff20bramwell-ky.example", 1, How.ADDRESS),
        ("my neighbour maire@home.example", 2, How.ADDRESS),
    ],
)
def test_a_roster_person_is_found_however_the_name_is_written(text, person, how) -> None:
    assert Named(person, how, Where.MAIL_BODY) in found_in(text).named


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Dana Whitlowe came",
        "Jordana Whitlow",
        "Dana met Whitlow",
        "Dana. A b c d e Whitlow",
        "the roads bosses",
        "Brien Maire",
        "Jan der Berg",
        "Berg",
        "xd.whitlow@bramwell-ky.example",
        "d.whitlow@bramwell-ky.example.org",
        "d.whitlow@other.example",
        "d.whitlow@bramwell-ky",
    ],
)
def test_what_is_only_part_of_a_name_or_address_names_nobody(text) -> None:
    assert found_in(text).named == ()


@pytest.mark.parametrize("where", list(Where))
def test_the_kind_of_place_is_told_and_nothing_of_what_stands_there(where) -> None:
    found = found_in("He bribed Dana Whitlow with 400 dollars", where=where)
    assert found.named == (Named(1, How.NAME, where),)
    assert "400" not in repr(found)
    assert "Whitlow" not in repr(found)


def test_neither_texts_nor_names_show_when_printed() -> None:
    printed = repr((Passage(Where.PAGE_TEXT, "Dana Whitlow"), WHITLOW))
    assert "hitlow" not in printed


def test_an_address_in_the_headers_names_its_person() -> None:
    found = found_in("", addresses=("D.Whitlow@bramwell-ky.example",))
    assert found.named == (Named(1, How.ADDRESS, Where.ADDRESSES),)


def test_a_display_name_in_the_headers_names_its_person() -> None:
    found = found_in("", addresses=('"Whitlow, Dana" <someone@home.example>',))
    assert found.named == (Named(1, How.NAME, Where.ADDRESSES),)


def test_the_mailbox_of_complaints_names_nobody() -> None:
    found = screen(
        PEOPLE,
        [Passage(Where.MAIL_BODY, "To: D.WHITLOW@bramwell-ky.example")],
        ("d.whitlow@bramwell-ky.example",),
        readable=True,
        own=("d.whitlow@Bramwell-ky.example",),
    )
    assert found.named == ()


def test_a_paper_that_cannot_be_read_leaves_the_complaint_unscreened_whatever_else_was_found() -> None:
    found = screen(PEOPLE, [Passage(Where.MAIL_BODY, "Dana Whitlow")], (), readable=False)
    assert not found.screened
    assert found.people == {1}
    assert found_in("nobody").screened


def test_two_people_of_one_name_are_both_found() -> None:
    twins = (Person(1, ("Sam Poe",), ()), Person(2, ("Poe, Sam",), ("sam@home.example",)))
    found = screen(twins, [Passage(Where.SUBJECT, "About Sam Poe")], (), readable=True)
    assert found.people == {1, 2}


def test_each_finding_is_told_once_in_a_fixed_order() -> None:
    text = "Jan van der Berg, Dana Whitlow, dana whitlow, d.whitlow@bramwell-ky.example"
    assert found_in(text).named == (
        Named(1, How.ADDRESS, Where.MAIL_BODY),
        Named(1, How.NAME, Where.MAIL_BODY),
        Named(3, How.NAME, Where.MAIL_BODY),
    )


@pytest.mark.parametrize("name", ["", "  ", "...", "'"])
def test_a_person_without_a_usable_name_is_found_by_address_alone(name) -> None:
    nobody = Person(7, (name,), ("x@home.example", "", "no address"))
    found = screen(
        [nobody], [Passage(Where.MAIL_BODY, "no address '' ... x@home.example")], (), readable=True
    )
    assert found.named == (Named(7, How.ADDRESS, Where.MAIL_BODY),)


def test_a_title_is_no_name_but_stays_where_little_else_is_left() -> None:
    mayor = Person(1, ("Mayor Pell",), ())
    found = screen([mayor], [Passage(Where.MAIL_BODY, "the Mayor spoke")], (), readable=True)
    assert found.named == ()
    found = screen([mayor], [Passage(Where.MAIL_BODY, "then Mayor Pell spoke")], (), readable=True)
    assert found.people == {1}


# without the one letter that is an apostrophe and an n in one: in capitals it becomes two words
letters = st.characters(categories=("Lu", "Ll"), exclude_characters="\u0149")
words = st.text(letters, min_size=2, max_size=8)


@given(st.lists(words, min_size=2, max_size=4), st.text(max_size=30), st.text(max_size=30))
def test_every_name_is_found_between_any_other_words(parts, before, after) -> None:
    name = " ".join(parts)
    person = Person(1, (name,), ())
    for written in (name, name.upper(), f"{parts[-1]}, {' '.join(parts[:-1])}"):
        found = screen(
            [person], [Passage(Where.PAGE_TEXT, f"{before}. {written}; {after}")], (), readable=True
        )
        assert found.people == {1}


@pytest.mark.parametrize(
    "hostile", ["a" * 300_000, "dana " + "q " * 150_000, "-\n" * 150_000, "a@" * 150_000]
)
def test_a_hostile_text_is_searched_in_time_that_grows_with_its_length_only(hostile) -> None:
    """A search that went back over the text would not come back within the life of the test run."""
    assert found_in(hostile).named == ()

"""How a letter names the city, the Board and an office: each once."""

from dataclasses import replace

from store.proceedings.offices import addressee
from store.proceedings.writing import address_lines
from store.rules.ordinance import Address, Office
from tests.rules.case_builders import a_profile

CITY = a_profile().city


def test_the_return_address_does_not_repeat_the_names_that_stand_above_it() -> None:
    assert address_lines(CITY) == ("City Hall, 100 Main Street, Bramwell, Kentucky",)
    assert address_lines(replace(CITY, letterhead=("Room 2", "100 Main Street"))) == (
        "Room 2",
        "100 Main Street",
    )
    assert address_lines(replace(CITY, letterhead=("Board of Ethics",))) == ("Board of Ethics",)


def test_an_office_whose_address_begins_with_its_name_is_named_once() -> None:
    said = addressee(
        Address(Office.COMMISSION, "City Commission of Bramwell", (), ("City Commission", "1 Main"))
    )
    assert (said.name, said.lines) == ("City Commission of Bramwell", ("1 Main",))
    longer = addressee(
        Address(Office.COUNTY_ATTORNEY, "County Attorney", (), ("Office of the County Attorney", "2"))
    )
    assert (longer.name, longer.lines) == ("Office of the County Attorney", ("2",))
    other = addressee(Address(Office.COMMISSION, "The Commission", ("c@x.example",), ("1 Main",)))
    assert (other.name, other.lines, other.delivery) == ("The Commission", ("1 Main",), "By e-mail")

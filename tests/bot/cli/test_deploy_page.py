"""What the service page has IT type is IT's to do; and the list that init proposes can be pasted by the clerk."""

import re
from pathlib import Path

import click
import pytest

from bot.cli import docket
from bot.cli.city_files import closures_proposal
from store.proceedings.closures_list import read_closures
from store.rules.calendar import city_zone, parse_calendar
from store.rules.errors import BadInput
from tests.bot.cli.shell import Shell
from tests.bot.test_pages import DEPLOY

PAGE = DEPLOY / "README.md"
ZONE = city_zone("America/New_York")
AS_IT = re.compile(
    r"^ +(?:runuser -u docket -- \S*docket|docker compose .* docket docket|docket) ([a-z-]+)", re.MULTILINE
)
PLACES = {"backup": ("backups",)}
"""What a command is given beside the folder."""


def with_a_right() -> list[str]:
    """Give the commands of the page for which somebody must have a right, by whom they are given."""
    found = {
        name: docket.get_command(click.Context(docket), name) for name in AS_IT.findall(PAGE.read_text())
    }
    return sorted(
        name
        for name, one in found.items()
        if one is not None and "acting_as" in {part.name for part in one.params}
    )


def test_the_page_has_such_commands() -> None:
    assert {"backup", "verify"} <= set(with_a_right())


@pytest.mark.parametrize("command", with_a_right())
def test_each_command_of_the_service_page_is_its_to_give(
    practice: Shell, tmp_path: Path, command: str
) -> None:
    more = [tmp_path / one for one in PLACES.get(command, ())]
    practice.run(command, *more, who="Ivo Machinist")


def test_the_clerk_can_paste_the_closures_file_that_init_wrote() -> None:
    text = closures_proposal([2026, 2027])
    read = read_closures(text.encode(), ZONE)
    assert read.unread == ()
    assert set(read.found) == set(parse_calendar(text, ZONE).closures)
    assert read.of_year(2027).found
    with pytest.raises(BadInput):
        read_closures(b"[[closure]]\ndate = 2027-01-01\nreasn = 'x'\n", ZONE)

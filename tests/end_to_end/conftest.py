"""Cities whose cases are played by either way in."""

import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bot.logs import configure_logs
from bot.practice.mailserver import PracticeMail
from store.printing import PressRoom
from tests.bot.cli.shell import Shell
from tests.bot.slack.office import an_office
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.end_to_end.city import BOX, City, a_city, make_city
from tests.end_to_end.ways import ByCommandLine, BySlack, Way
from tests.logged import logs_put_back

GiveWay = Callable[[str], Way]
WAYS = ("cli", "slack")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, press: PressRoom) -> Path:
    """A city's folder, made once and copied for each."""
    folder = tmp_path_factory.mktemp("fresh")
    make_city(folder, press)
    return folder


@pytest.fixture(scope="module")
def relay() -> Iterator[PracticeMail]:
    """A relay that takes every letter."""
    with PracticeMail(BOX, lambda: A_MONDAY_MORNING) as mail:
        yield mail


@pytest.fixture
def shell_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[City], Shell]:
    """Give the command line on a city."""
    return lambda city: Shell(city.folder, city.board, monkeypatch, capsys)


@pytest.fixture
def ways(
    tmp_path: Path, fresh: Path, press: PressRoom, relay: PracticeMail, shell_on: Callable[[City], Shell]
) -> Iterator[GiveWay]:
    """Give a city of its own for each way in."""
    with ExitStack() as cities:

        def give(way: str) -> Way:
            made = contextmanager(a_city)(tmp_path / way, fresh, press, relay, begins=A_MONDAY_MORNING)
            city = cities.enter_context(made)
            if way == "cli":
                return ByCommandLine(city, shell_on(city))
            office = an_office(tmp_path, city.board, linked=True)
            cities.callback(office.stop)
            return BySlack(city, office)

        yield give


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged at DEBUG, with all that this sets up put back."""
    stream = io.StringIO()
    with logs_put_back():
        configure_logs("debug", ManualClock(), stream=stream)
        yield stream

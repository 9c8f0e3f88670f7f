"""What every test gets: the network shut, a clock that stands still, and no server that is not there."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings

from store.printing import PressRoom, open_press
from tests import network
from tests.clocks import ManualClock
from tests.servers import SERVERS, Server, on_ci

pytest_plugins = ["tests.contract.postgres"]

network.shut()

# What is logged in a test is read when it fails: the shape of a traceback, without every value on its way, which
# takes a minute to print where a whole office hangs on each frame.
structlog.configure(
    processors=[
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=True),
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)

# Two cores serve everybody: examples are counted, never timed. By hand each run draws its examples anew; on CI they are
# the same for the same code, so that a commit passes or fails for what it holds.
_ANY_SPEED = [HealthCheck.too_slow]
settings.register_profile("quick", max_examples=50, deadline=None, suppress_health_check=_ANY_SPEED)
settings.register_profile(
    "ci",
    max_examples=300,
    deadline=None,
    suppress_health_check=_ANY_SPEED,
    derandomize=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if on_ci() else "quick"))

_NOT_FAILED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
_left_out = pytest.StashKey[dict[str, int]]()
_not_run = pytest.StashKey[list[str]]()


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still at ten o'clock on a Monday in the city, until the test moves it."""
    return ManualClock()


@pytest.fixture(scope="session")
def press() -> Iterator[PressRoom]:
    """The press that sets all letters of a run; making one takes longer than setting a letter."""
    room = open_press()
    yield room
    room.close()


def pytest_configure(config: pytest.Config) -> None:
    """Start the two counts that the summary speaks of."""
    config.stash[_left_out] = {}
    config.stash[_not_run] = []
    config.pluginmanager.register(_SkipWatch(config), "docket-skip-watch")


def _needed(item: pytest.Item) -> Iterator[Server]:
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            if name not in SERVERS:
                raise pytest.UsageError(
                    f"{item.nodeid}: needs {name!r}, which tests/servers.py does not know"
                )
            yield SERVERS[name]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests whose server is absent (CI=true: that is an error). They are not skipped: they are not there."""
    found = {name: server.find() is not None for name, server in SERVERS.items()}
    out = [item for item in items if not all(found[server.name] for server in _needed(item))]
    for item in out:
        for server in _needed(item):
            if not found[server.name]:
                count = config.stash[_left_out]
                count[server.name] = count.get(server.name, 0) + 1
    if out and on_ci():
        raise pytest.UsageError("\n".join(SERVERS[name].missing_line() for name in config.stash[_left_out]))
    if out:
        items[:] = [item for item in items if item not in set(out)]
        config.hook.pytest_deselected(items=out)


class _SkipWatch:
    """Counts tests that did not run to an end; with CI=true one of them fails the session."""

    def __init__(self, config: pytest.Config) -> None:
        self._names = config.stash[_not_run]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self._names.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._names.append(report.nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Take what a worker left out into the whole run's count; each worker leaves out the same."""
    node.config.stash[_left_out].update(getattr(node, "workeroutput", {}).get("left_out", {}))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """With CI=true a skipped (or expectedly failing) test fails the session."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash[_left_out]
    if on_ci() and session.config.stash[_not_run] and exitstatus in _NOT_FAILED:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say in one line each what was left out, and with CI=true what was skipped."""
    for name, count in config.stash[_left_out].items():
        terminalreporter.write_line(f"{count} left out: {SERVERS[name].missing_line()}", yellow=True)
    if on_ci():
        for nodeid in config.stash[_not_run]:
            terminalreporter.write_line(f"skipped, which counts as a failure here: {nodeid}", red=True)

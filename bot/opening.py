"""The record opened from settings: faults told in plain lines before anything starts (R7)."""

import fcntl
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO

from bot.clock import clock_of
from bot.errors import FolderTaken, StartFault
from bot.settings import Part, Settings, load_settings
from store.cases import Docket, open_docket
from store.database import RecordUnavailable
from store.ports import Clock, FaultPoints, Progress, untold
from store.printing import PressRoom, open_press
from store.rules.errors import Refusal
from store.vault import KeysFault

PRACTICE_MARK = "practice"
UNDO_FOR = timedelta(minutes=5)
_LOCK = "docket-run.lock"


@dataclass(frozen=True)
class Opened:
    """A record with what it was opened from."""

    settings: Settings
    clock: Clock
    docket: Docket
    press: PressRoom


def opened(
    settings: Settings,
    clock: Clock,
    *,
    faults: FaultPoints | None = None,
    undo_for: timedelta = UNDO_FOR,
    told: Progress = untold,
) -> Opened:
    """Open the record that the settings name; its schema is brought up first.

    Args:
        settings: checked for what the record needs.
        clock: the present instant.
        faults: for kill tests; none in the product.
        undo_for: how long a letter can be taken back.
        told: hears how far it is with an older record's migration.

    Raises:
        StartFault: keys, database, profile or disk are not as they must be; each in one plain line.
    """
    with ExitStack() as undo:
        press = open_press(settings.data_dir / "templates")
        undo.callback(press.close)
        with plain_lines():
            docket = open_docket(
                settings.database_url.get_secret_value(),
                data=settings.data_dir,
                keys=tuple(key.decode() for key in settings.key_ring()),
                clock=clock,
                typesetter=press,
                profile=_profile_text(settings.profile),
                mail_from=settings.mail_from or "",
                faults=faults,
                undo_for=undo_for,
                practice=is_practice(settings.data_dir),
                alert_to=settings.alert_to,
                plus_addresses=settings.plus_addresses,
                test=settings.test_mode,
                told=told,
            )
        undo.pop_all()
    return Opened(settings, clock, docket, press)


@contextmanager
def plain_lines() -> Iterator[None]:
    """Turn what the record says when it cannot be opened into a plain line before anything starts.

    Raises:
        StartFault: keys, database, profile or disk are not as they must be.
    """
    try:
        yield
    except (KeysFault, RecordUnavailable, Refusal) as error:
        raise StartFault(str(error)) from error
    except OSError as error:
        raise StartFault(
            f"The data folder cannot be used ({error.strerror}). Nothing was changed. "
            "Check DOCKET_DATA_DIR, its owner and the free space."
        ) from error


def opened_at(
    data: Path | None, *, parts: Iterable[Part] = (Part.RECORD,), told: Progress = untold
) -> Opened:
    """Open the record of a folder that holds `.env` and `data`, or the one that the environment names.

    Args:
        data: the folder; None for the `.env` of the present folder and the environment.
        parts: for what the settings must be complete.
        told: hears how far it is with an older record's migration.

    Raises:
        StartFault: a setting is missing or wrong, or the record cannot be opened.
    """
    if data is not None and not (data / ".env").is_file():
        raise StartFault(
            f"There is no .env in {data}. Name a folder that `docket demo --data` or you set up."
        )
    settings = load_settings(data / ".env" if data is not None else None, parts=parts)
    return opened(settings, clock_of(settings.data_dir), told=told)


def is_practice(data_dir: Path) -> bool:
    """Say whether a data folder is one for practice: everything that leaves it is marked (R8)."""
    return (data_dir / PRACTICE_MARK).exists()


def _profile_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StartFault(
            "The ordinance profile cannot be read. Check DOCKET_PROFILE: the name of a shipped profile, "
            "or the path of a TOML file."
        ) from error


@contextmanager
def only_copy(settings: Settings) -> Iterator[None]:
    """Hold the data folder for one `docket run`; on PostgreSQL several may run, so nothing is held.

    Raises:
        StartFault: another copy runs on this folder, or the folder cannot be written.
    """
    if not settings.database_url.get_secret_value().startswith("sqlite"):
        yield
        return
    with ExitStack() as held:
        with plain_lines():
            settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = held.enter_context((settings.data_dir / _LOCK).open("a"))
            _lock(file)
        yield


@contextmanager
def running_alone(settings: Settings) -> Iterator[None]:
    """Hold the data folder against every `docket run`, for work that nothing may run beside.

    Raises:
        StartFault: a copy runs on this folder.
    """
    with plain_lines():
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with only_copy(settings):
        yield


def _lock(file: IO[str]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise FolderTaken(
            "Another `docket run` works on this data folder. It goes on; this one stops. "
            "Stop the other one first, or use PostgreSQL for several copies."
        ) from error

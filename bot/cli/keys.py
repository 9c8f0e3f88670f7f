"""`docket keys` and `docket settings`: what opens the record, and how it is set up; no secret is ever shown."""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click
from cryptography.fernet import Fernet
from pydantic import SecretStr

from bot.cli.common import Commands, Told, actor_of, data_option, json_option, say, say_json, say_table
from bot.cli.env_file import put_into_env, read_env
from bot.cli.progress import Shown
from bot.errors import FolderTaken, StartFault
from bot.opening import Opened, opened_at, plain_lines, running_alone
from bot.settings import ENV_FILE, NAMES, MailServer, Part, Settings, load_settings
from store.cases import act
from store.database import lease_holder
from store.rotation import count, pending, rotate
from store.rules.access import Deed
from store.rules.counted import counted
from store.vault import KeysFault

_NAME = "DOCKET_KEYS"
RUNS = (
    "Docket runs on this record, so its keys were not changed; nothing was. Stop it (systemctl stop docket; every copy, "
    "where there are several), run docket keys rotate again, then start it (systemctl start docket). "
    "Mail waits in the mailbox meanwhile."
)
_BESIDE = re.compile(r"\.[0-9a-f]{8}")


@click.group(cls=Commands)
def keys() -> None:
    """Change the keys that open the record, or see how many there are."""


@keys.command("show")
@data_option
def show_keys(*, data: Path | None) -> None:
    """Say how many keys are set and whether the newest alone opens everything; no key is shown."""
    opened = opened_at(data)
    try:
        with opened.docket.database.read() as session:
            waiting, every = len(pending(session, _newest(opened))), count(session)
    finally:
        _close(opened)
    say(
        f"{counted(len(opened.settings.keys), 'key')} set. Of {counted(every, 'data key')}, the newest opens {every - waiting}."
    )
    older = len(opened.settings.keys) > 1
    nothing = "Older keys can go from DOCKET_KEYS." if older else "No older key is set."
    say("Run: docket keys rotate." if waiting else nothing)


@keys.command("rotate")
@data_option
@click.option("--retire", is_flag=True, help="Take the older keys out of .env once nothing needs them.")
def rotate_keys(*, data: Path | None, retire: bool) -> None:
    """Make a new key, put it first in .env, and wrap every data key under it.

    Docket must not run meanwhile: it knows only the keys that it was started with. What was broken off is gone on
    with; no second new key is made then. Backups from before need the older keys: keep them apart, with those.
    """
    env = (data or Path()) / ENV_FILE
    settings = load_settings(env if data is not None else None, parts=(Part.RECORD,))
    with _nothing_running(settings), _the_only_one(env):
        first = opened_at(data)
        try:
            with act(first.docket, actor_of(first, None), Deed.ROTATE_KEYS) as step:
                step.note["keys"] = "asked"
            unfinished = _unfinished(first)
        finally:
            _close(first)
        if not unfinished:
            _put_new_key_first(env, settings)
        second = opened_at(data)
        try:
            with plain_lines():
                wrapped = _rotated(second)
        finally:
            _close(second)
        if retire:
            put_into_env(env, {_NAME: _newest(second)})
    say(
        f"Done: {counted(wrapped, 'data key is', 'data keys are')} wrapped under the newest key, which alone opens everything."
    )
    say(
        "The older keys are out of .env."
        if retire
        else "Take the older keys out of DOCKET_KEYS when you like."
    )
    say(
        "Backups from before open with the older keys only: keep those with them, and copy the new key away now."
    )


@contextmanager
def _nothing_running(settings: Settings) -> Iterator[None]:
    """Hold the data folder for the rotation; where Docket runs on it, say what IT does in which order."""
    with ExitStack() as held:
        try:
            held.enter_context(running_alone(settings))
        except FolderTaken as fault:
            raise StartFault(RUNS) from fault
        yield


@contextmanager
def _the_only_one(env: Path) -> Iterator[None]:
    """Hold the folder of the settings against another `docket keys rotate`, whatever database the record is in.

    Of two new keys written at once one would be gone, with all that was wrapped under it. What a killed rotation
    left beside the file holds keys, and goes.

    Raises:
        StartFault: another one is at work.
    """
    folder = env.resolve().parent
    with ExitStack() as held:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        held.callback(os.close, descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StartFault(
                "Another `docket keys rotate` is at work here. It goes on; this one stops."
            ) from error
        for left in folder.glob(f".{env.resolve().name}.*"):
            if _BESIDE.fullmatch(left.suffix) and left.is_file() and not left.is_symlink():
                left.unlink()
        yield


def _rotated(opened: Opened) -> int:
    try:
        return rotate(opened.docket, actor_of(opened, None), _newest(opened), Shown())
    except KeysFault as fault:
        raise Told(str(fault)) from fault


def _unfinished(opened: Opened) -> bool:
    """Say whether an earlier rotation was broken off; refuse while a copy leads on the database."""
    with opened.docket.database.read() as session:
        if lease_holder(session, "leader", opened.clock.now()) is not None:
            raise StartFault(RUNS)
        return bool(pending(session, _newest(opened)))


def _put_new_key_first(env: Path, settings: Settings) -> None:
    older = [key.get_secret_value() for key in settings.keys]
    written = read_env(env).get(_NAME)
    if not written or [one.strip() for one in written.split(",") if one.strip()] != older:
        raise StartFault(
            f"{_NAME} does not come from the .env file, so no new key can be put there. Nothing was changed. "
            "Put a new key first in it yourself, the older ones after it, and run this again."
        )
    put_into_env(env, {_NAME: ",".join([Fernet.generate_key().decode(), *older])})


def _newest(opened: Opened) -> str:
    return opened.settings.keys[0].get_secret_value()


def _close(opened: Opened) -> None:
    opened.docket.database.engine.dispose()
    opened.press.close()


# -- settings -----------------------------------------------------------------------------------------


@click.group(cls=Commands)
def settings() -> None:
    """See how Docket is set up."""


@settings.command("show")
@data_option
@json_option
def show_settings(*, data: Path | None, as_json: bool) -> None:
    """Show every setting; of a secret only whether it is set."""
    found = load_settings(data / ENV_FILE if data is not None else None)
    shown = {
        name: _shown(getattr(found, field)) for name, field in zip(NAMES, Settings.model_fields, strict=True)
    }
    if as_json:
        say_json(shown)
        return
    say_table(("Setting", "Value"), list(shown.items()), none="Nothing is set.")


def _shown(value: object) -> str:
    match value:
        case None | () | "":
            return "not set"
        case SecretStr():
            return "set" if value.get_secret_value() else "not set"
        case MailServer():
            return f"{value.host}:{value.port} ({value.encryption.value}), {', '.join(value.folders)}".rstrip(
                ", "
            )
        case tuple() if isinstance(value[0], SecretStr):
            return f"set ({len(value)})"
        case tuple():
            return ", ".join(map(str, value))
        case _:
            return ("yes" if value else "no") if isinstance(value, bool) else str(value)

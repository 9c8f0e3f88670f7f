"""The settings file as the commands write it: one setting a line, for those who could read it before and nobody else."""

import os
import re
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values

from bot.errors import StartFault

_PLAIN = "-_./:@;=+,~%"


def read_env(path: Path) -> dict[str, str]:
    """Give what a settings file says, by name, quotes taken away; nothing where there is no file."""
    if not path.exists():
        return {}
    return {name: value or "" for name, value in dotenv_values(path, interpolate=False).items()}


def put_into_env(path: Path, settings: Mapping[str, str]) -> None:
    """Write settings where they stand in the file, or at its end; every other line stays.

    A reader sees the old file or the new one, never half of one, and the new one is on the disk for good: what is done
    next may open with it alone. A link stays a link. What a killed process leaves is called `..env.XXXXXXXX` and may
    hold keys; `docket keys rotate` removes it.

    Raises:
        StartFault: a setting is written in a way that cannot be changed safely; the file is as it was.
    """
    real = path.resolve()
    beside = real.with_name(f".{real.name}.{secrets.token_hex(4)}")
    before = read_env(real)
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in _changed(real, settings)))
            file.flush()
            os.fsync(file.fileno())
        if read_env(beside) != {**before, **settings}:
            names = ", ".join(settings)
            raise StartFault(
                f"The .env file has {names} written in a way that cannot be changed safely. Nothing was changed. "
                "Write it as one line, NAME=VALUE, and run this again."
            )
        if real.exists():
            _belong_like(real, beside)
        beside.replace(real)
        _sync_folder(real.parent)
    finally:
        beside.unlink(missing_ok=True)


def _changed(path: Path, settings: Mapping[str, str]) -> list[str]:
    there = re.compile(rf"\s*(?:export\s+)?['\"]?({'|'.join(map(re.escape, settings))})['\"]?\s*=")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = [there.match(line) for line in lines]
    lacking = settings.keys() - {one[1] for one in found if one}
    return [
        *(_line(one[1], settings[one[1]]) if one else line for line, one in zip(lines, found, strict=True)),
        *(_line(name, value) for name, value in settings.items() if name in lacking),
    ]


def _line(name: str, value: str) -> str:
    """Write a setting so that the reader of settings files gives just its value back."""
    if all(sign.isalnum() or sign in _PLAIN for sign in value):
        return f"{name}={value}"
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"{name}='{escaped}'"


def _belong_like(old: Path, new: Path) -> None:
    """Let the account and the group that read the old file read the new one; nobody else ever does."""
    was, now = old.stat(), new.stat()
    if (was.st_uid, was.st_gid) != (now.st_uid, now.st_gid):
        os.chown(new, was.st_uid, was.st_gid)
    if not was.st_mode & 0o007:
        new.chmod(stat.S_IMODE(was.st_mode))


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

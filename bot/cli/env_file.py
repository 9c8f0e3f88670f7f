"""The settings file as the commands write it: one setting a line, readable by its owner alone."""

import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values

_PLAIN = "-_./:@;=+,~%"


def read_env(path: Path) -> dict[str, str]:
    """Give what a settings file says, by name, quotes taken away; nothing where there is no file."""
    if not path.exists():
        return {}
    return {name: value or "" for name, value in dotenv_values(path, interpolate=False).items()}


def put_into_env(path: Path, settings: Mapping[str, str]) -> None:
    """Write settings at the end of the file in place of what was said of them; every other line stays.

    A reader sees the old file or the new one, never half of one.
    """
    lines = path.read_text().splitlines() if path.exists() else []
    kept = [line for line in lines if line.partition("=")[0].strip() not in settings]
    beside = path.with_name(f"{path.name}.new")
    with os.fdopen(os.open(beside, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
        new = (f"{name}={_quoted(value)}" for name, value in settings.items())
        file.write("".join(f"{line}\n" for line in [*kept, *new]))
    beside.replace(path)


def _quoted(value: str) -> str:
    """Write a value so that the reader of settings files gives just it back."""
    if all(sign.isalnum() or sign in _PLAIN for sign in value):
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"

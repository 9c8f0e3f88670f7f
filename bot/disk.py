"""The disk under the data folder: how much is free, and whether it can be written now."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

FreeBytes = Callable[[Path], int]
"""Folder -> bytes that are free on its disk."""

ROOMY_BYTES = 2 * 1024**3
TIGHT_BYTES = 512 * 1024**2
_PROBE_BYTES = 65_536


def free_bytes(folder: Path) -> int:
    """Ask the machine how many bytes are free on the disk of a folder.

    Raises:
        OSError: the folder is not there.
    """
    return shutil.disk_usage(folder).free


def cannot_write(folder: Path) -> str:
    """Write a few pages into a folder, down to the disk, and take them away again.

    Returns:
        What the machine says against it; empty where it works.
    """
    try:
        with tempfile.TemporaryFile(dir=folder, prefix=".probe-") as file:
            file.write(bytes(_PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or "an error"
    return ""


def trouble(folder: Path, free: FreeBytes = free_bytes) -> str:
    """Say in a sentence what is wrong with the disk of the data folder; empty where nothing is."""
    against = cannot_write(folder)
    if against:
        return f"the data folder cannot be written ({against}). No mail is filed until it can be."
    left = free(folder)
    if left < TIGHT_BYTES:
        return f"only {left // 1024**2} MB are free. Free space now: with a full disk no mail is filed."
    return ""

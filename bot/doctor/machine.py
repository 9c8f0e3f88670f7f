"""What the machine gives: keys, data folder, disk, clock."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from bot.disk import ROOMY_BYTES, TIGHT_BYTES, FreeBytes, cannot_write, free_bytes
from bot.doctor.checks import Check, fail, ok, warn
from bot.settings import Settings

EARLIEST_YEAR = 2024
_LARGEST_SEARCHED = 1 << 20
_SEALED = frozenset({"vault"})


def look_at_machine(settings: Settings, now: datetime, free: FreeBytes = free_bytes) -> Iterator[Check]:
    """Look at keys, data folder, disk and clock.

    Args:
        settings: what is set.
        now: the machine's own instant, UTC; not the practice clock's.
        free: gives the free bytes of a folder's disk.
    """
    yield _keys(settings)
    yield _data_folder(settings.data_dir)
    yield _disk(settings.data_dir, free)
    yield _clock(now)


def _keys(settings: Settings) -> Check:
    if not settings.keys:
        return fail("keys", "no key is set", "Set DOCKET_KEYS in .env; `docket init` makes one.")
    copied = _file_with_a_key(settings)
    if copied is not None:
        return fail(
            "keys",
            f"a key stands in {copied}, inside the data folder, which is what a backup takes",
            "Take that file out of the data folder. A backup that was made with it opens itself: destroy it, or "
            "put a new key in front in DOCKET_KEYS.",
        )
    return ok("keys", f"{len(settings.keys)}, none of them inside the data folder")


def _file_with_a_key(settings: Settings) -> Path | None:
    """Find a small file of the data folder in which one of the keys is written out; the vault's are sealed."""
    keys = settings.key_ring()
    folder = settings.data_dir
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        inside = path.relative_to(folder)
        if inside.parts[0] in _SEALED or not path.is_file() or path.stat().st_size > _LARGEST_SEARCHED:
            continue
        try:
            content = path.read_bytes()
        except OSError:
            continue
        if any(key in content for key in keys):
            return inside
    return None


def _data_folder(folder: Path) -> Check:
    if not folder.is_dir():
        return fail(
            "data folder",
            "it is not there",
            "Make the folder that DOCKET_DATA_DIR names: mkdir -m 700 FOLDER.",
        )
    against = cannot_write(folder)
    if against:
        return fail(
            "data folder",
            f"it cannot be written ({against.lower()})",
            "Give it to the account that runs Docket: chown -R ACCOUNT FOLDER. Where the disk is full, free space.",
        )
    if folder.stat().st_mode & 0o077:
        return warn(
            "data folder", "other accounts of this machine can look into it", "chmod 700 the data folder."
        )
    return ok("data folder", "writable, and closed to other accounts")


def _disk(folder: Path, free: FreeBytes) -> Check:
    if not folder.is_dir():
        return fail("disk", "the data folder is not there", "Make the folder that DOCKET_DATA_DIR names.")
    left = free(folder)
    said = f"{left // 1024**2} MB free"
    if left < TIGHT_BYTES:
        return fail("disk", said, "Free space now: with a full disk no mail is filed.")
    return warn("disk", said, "Free space soon.") if left < ROOMY_BYTES else ok("disk", said)


def _clock(now: datetime) -> Check:
    said = f"{now:%Y-%m-%d %H:%M} UTC"
    if now.year < EARLIEST_YEAR:
        return fail("clock", said, "Set the machine's clock, and turn on time synchronisation.")
    return ok("clock", said)

"""Scratch folders, and files half written, that tell whose they are: the next process sweeps up what a killed one left.

A folder is held by a lock on itself, which the kernel lets go when the process is gone, however it ended. The mark
is put into it after the lock: a folder without a mark is one that is being made, or none of ours, and is left alone.
A file that is written beside its place is held in the same way until it has its name.
"""

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

MARK = ".held"


class Scratch:
    """A folder for its owner alone, held until it is cleaned up or its process is gone.

    Attributes:
        path: where it lies.
    """

    def __init__(self, prefix: str, within: Path | None = None) -> None:
        """Sweep up what killed processes left of this kind in the place, and make a folder.

        Args:
            prefix: how folders of this kind begin; no folder of another kind begins so.
            within: the place; the system's folder for temporary files where nothing is said.

        Raises:
            OSError: the place cannot be written.
        """
        place = within or Path(tempfile.gettempdir())
        sweep_up(prefix, place)
        self._folder = tempfile.TemporaryDirectory(prefix=prefix, dir=place, ignore_cleanup_errors=True)
        self.path = Path(self._folder.name)
        self._held = ExitStack()
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        self._held.callback(os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (self.path / MARK).touch(mode=0o600)

    def cleanup(self) -> None:
        """Remove the folder with all that lies in it, and let it go; a second time nothing happens."""
        self._folder.cleanup()
        self._held.close()


@contextmanager
def scratch(prefix: str, within: Path | None = None) -> Iterator[Path]:
    """Give a scratch folder for a while; see `Scratch`."""
    made = Scratch(prefix, within)
    try:
        yield made.path
    finally:
        made.cleanup()


def sweep_up(prefix: str, place: Path) -> None:
    """Remove the scratch folders of a kind whose processes are gone; what is held, or not ours, stays."""
    for path in place.glob(f"{prefix}*"):
        with suppress(OSError), ExitStack() as held:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            held.callback(os.close, descriptor)
            ours = os.fstat(descriptor).st_uid == os.geteuid() and (path / MARK).is_file()
            if ours:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path)


def begin_file(path: str) -> int:
    """Make a file for its owner alone, held against `sweep_up_files` until the descriptor is closed.

    Args:
        path: where no file is yet; one that is written whole and then moved to its place.

    Returns:
        The descriptor, to write to.

    Raises:
        FileNotFoundError: its folder is not there.
        OSError: it cannot be made.
    """
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        if _is_kept(descriptor):
            return descriptor
        os.close(descriptor)  # somebody swept it up before it was held
        with suppress(FileNotFoundError):
            os.unlink(path)  # noqa: PTH108  a Path made for each file of the vault costs more than the call


def _is_kept(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a disk that knows no locks: nobody can sweep there either
        return True
    return os.fstat(descriptor).st_nlink > 0


def sweep_up_files(paths: Iterable[Path]) -> int:
    """Remove files that were begun and never got their names, because their processes are gone.

    Args:
        paths: candidates by their names; what is no file of our account, or is held, stays.

    Returns:
        How many were removed.
    """
    return sum(map(_swept, paths))


def _swept(path: Path) -> bool:
    with suppress(OSError), ExitStack() as held:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        held.callback(os.close, descriptor)
        found = os.fstat(descriptor)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
            return True
    return False

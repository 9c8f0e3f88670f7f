"""A disk of some megabytes that can be filled to its last byte and freed again.

Where this account may mount one it is a file system of its own, which says ENOSPC as a full disk does; elsewhere the
process is kept from writing beyond the first bytes of any file, which fails at the same calls (EFBIG).
"""

import contextlib
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SIZE_MIB = 12
_FEW_BYTES = 4096
_PART = bytes(1 << 16)


@dataclass
class SmallDisk:
    """The disk: its folder, and whether it is one of its own."""

    folder: Path
    is_real: bool
    _limits: tuple[int, int] = (0, 0)

    def fill(self) -> None:
        """Leave no room at all."""
        if not self.is_real:
            self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (_FEW_BYTES, self._limits[1]))
            return
        with (self.folder / "filler").open("ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(_PART)

    def free(self) -> None:
        """Make room again."""
        if self.is_real:
            (self.folder / "filler").unlink(missing_ok=True)
        elif self._limits[1]:
            resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """Give a small disk at a folder that is made for it; it is gone afterwards."""
    folder.mkdir()
    mount = shutil.which("mount")
    words = [mount or "", "-t", "tmpfs", "-o", f"size={SIZE_MIB}m,mode=700", "docket-test", str(folder)]
    is_real = mount is not None and subprocess.run(words, capture_output=True, check=False).returncode == 0
    disk = SmallDisk(folder, is_real)
    try:
        yield disk
    finally:
        disk.free()
        if is_real:
            subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=True)

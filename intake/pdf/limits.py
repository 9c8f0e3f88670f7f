"""How much time, memory and paper one file may cost before it is left to a person (requirement I7)."""

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one child process.

    Attributes:
        wall_s: seconds on the wall after which the kernel ends the child.
        cpu_s: seconds of processor after which the kernel ends the child.
        memory_bytes: address space of the child.
        reading_s: seconds after which the child itself stops turning pages and reports what it has.
        pages_counted: a page tree with more leaves is not counted further.
        pages_read: pages whose text is read; the first and the last of a longer file.
        objects_walked: objects of a file searched for active content.
        text_chars: characters of text handed back.
        result_bytes: bytes the child may answer with.
    """

    wall_s: float = 20.0
    cpu_s: int = 20
    memory_bytes: int = 1024 * MEBIBYTE
    reading_s: float = 10.0
    pages_counted: int = 20_000
    pages_read: int = 1_000
    objects_walked: int = 60_000
    text_chars: int = 4_000_000
    result_bytes: int = 32 * MEBIBYTE

"""The plain-text twin of a letter: the same words, in lines that every mail program shows well."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from store.letters.characters import BREAK

WIDTH = 72
_GAP = "  "


@dataclass(frozen=True)
class Block:
    """A piece of a letter as its template hands it out: a heading, text, a point of a list, or a table."""

    kind: str
    says: str = ""
    headed: bool = False
    rows: tuple[tuple[str, ...], ...] = ()

    @staticmethod
    def read(entry: dict[str, Any]) -> "Block":
        """Read one block of the letterhead's `twin`."""
        rows = tuple(tuple(_clean(str(cell)) for cell in row) for row in entry.get("rows", ()))
        return Block(str(entry["kind"]), _clean(str(entry.get("says", ""))), bool(entry.get("headed")), rows)


def write_twin(blocks: Sequence[Block]) -> str:
    """Write the blocks as text, no line longer than 72 characters unless a single word is."""
    pieces: list[str] = []
    number = 0
    for at, block in enumerate(blocks):
        number = number + 1 if block.kind == "number" else 0
        tight = at > 0 and block.kind in {"bullet", "number"} and blocks[at - 1].kind == block.kind
        pieces.append(("\n" if tight else "\n\n" if pieces else "") + _written(block, number))
    return "".join(pieces) + "\n"


def _written(block: Block, number: int) -> str:
    """Write one block."""
    match block.kind:
        case "heading":
            return _filled(block.says.upper())
        case "bullet":
            return _filled(block.says, "- ")
        case "number":
            return _filled(block.says, f"{number}. ")
        case "table":
            return _table(block)
        case _:
            return _filled(block.says)


def _filled(text: str, mark: str = "") -> str:
    """Wrap text, each line of it apart, with a hanging indent under its mark."""
    hang = " " * len(mark)
    wrapped: list[str] = []
    for line in text.split("\n"):
        first = hang if wrapped else mark
        wrapped += _wrap(line, first, hang) or [""]
    return "\n".join(wrapped)


def _wrap(line: str, first: str, rest: str) -> list[str]:
    """Wrap one line; long words (a hash, an address) stay whole, for they are copied."""
    return textwrap.wrap(
        line,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(block: Block) -> str:
    """Write a table: facts as ``name: value``, a narrow listing in columns, a wide one entry by entry."""
    if not block.headed:
        return "\n".join(_facts(block.rows))
    rows = _without_empty_columns(block.rows)
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    if sum(widths) + len(_GAP) * (len(widths) - 1) <= WIDTH:
        return "\n".join(_columns(rows, widths))
    return "\n\n".join(_entry(rows[0], row) for row in rows[1:])


def _without_empty_columns(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Leave out columns without a word, such as drawn bars."""
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    return list(zip(*columns, strict=True))


def _facts(rows: Iterable[Sequence[str]]) -> Iterable[str]:
    """Write rows of two as ``name: value``; a single column as lines."""
    for row in rows:
        filled = [cell for cell in row if cell]
        if len(row) == 2:  # noqa: PLR2004  a name and its value
            yield _filled(f"{row[0]}: {row[1]}".replace("\n", "; "), "  ")
        else:
            yield _filled("\n".join(filled))


def _columns(rows: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterable[str]:
    """Write rows under each other, with a rule below the header."""
    for at, row in enumerate(rows):
        yield _GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        if at == 0:
            yield _GAP.join("-" * width for width in widths)


def _entry(header: Sequence[str], row: Sequence[str]) -> str:
    """Write one row of a wide listing as lines of ``column: cell``."""
    pairs = zip(header, row, strict=True)
    return "\n".join(_filled(f"{name}: {cell}".replace("\n", "; "), "  ") for name, cell in pairs if cell)


def _clean(text: str) -> str:
    """Drop the invisible breaks and the spaces that markup leaves at line ends."""
    lines = (" ".join(line.split()) for line in text.replace(BREAK, "").split("\n"))
    return "\n".join(lines).strip()

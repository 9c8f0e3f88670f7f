"""Rows as CSV that no spreadsheet can be made to act on (C8)."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence

_UNSEEN = frozenset("ZC")
"""Kinds of signs that show nothing: blanks, controls, and what only steers how text is set."""
_TURNS = re.compile(r"[\0\u202a-\u202e\u2066-\u2069]")
"""What turns the reading direction of what stands beside it, and NUL, which no file of text holds."""
_ACTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write rows as CSV (RFC 4180): every cell quoted, and none that a spreadsheet would take for a formula.

    Args:
        head: names of the columns.
        rows: one sequence a row; None is an empty cell, numbers stay numbers.
    """
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([inert_cell(one) for one in head])
    writer.writerows([inert_cell(one) for one in row] for row in rows)
    return out.getvalue()


def inert_cell(value: object) -> str:
    """Give a cell's text; one that begins like a formula is led by an apostrophe (OWASP, CSV injection)."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    text = _TURNS.sub("", str(value))
    first = next((sign for sign in text if unicodedata.category(sign)[0] not in _UNSEEN), "")
    acts = text.startswith(_ACTS) or unicodedata.normalize("NFKC", first).startswith(_ACTS)
    return f"'{text}" if acts else text

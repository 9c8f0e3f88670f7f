"""Rows as CSV that no spreadsheet can be made to act on (C8)."""

import csv
import io
from collections.abc import Iterable, Sequence

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
    text = str(value).replace("\0", "")
    return f"'{text}" if text.lstrip(" \u00a0\ufeff").startswith(_ACTS) or text.startswith(_ACTS) else text

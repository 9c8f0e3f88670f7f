"""What is wrong with a profile, each fault in one sentence that names table and key and says the mend."""

import re
from collections.abc import Iterable

from pydantic_core import ErrorDetails

_FORM = re.compile(r"^(int|str|enum|lax-or-strict.*|json-or-python.*|.*\[.*)$")
"""Names by which the reader tells forms of one value apart; they are no keys of the file."""

_MENDS = {
    "missing": "it is missing; add it",
    "unexpected_keyword_argument": "there is no such key; remove it or mend its spelling",
    "int_type": "it must be a whole number without quotes",
    "int_from_float": "it must be a whole number without quotes",
    "string_type": "it must be text in quotes",
    "bool_type": "it must be true or false without quotes",
    "tuple_type": "it must be a list in square brackets",
    "dataclass_type": "it must be a table",
    "time_parsing": 'it must be a time such as "08:30"',
}


def faults_of(errors: Iterable[ErrorDetails]) -> tuple[str, ...]:
    """Put each fault into one sentence: where it is and how to mend it.

    A value that fits none of several forms comes as one error a form; these are joined.
    """
    mends: dict[str, list[str]] = {}
    for error in errors:
        mends.setdefault(_place(error), []).append(_mend(error))
    return tuple(f"{place}: {', or '.join(dict.fromkeys(mend))}." for place, mend in mends.items())


def _place(error: ErrorDetails) -> str:
    """Name table and key as they stand in the file: ``[board], quorum`` or ``[[duty]] number 3, period``."""
    keys = [one for one in error["loc"] if isinstance(one, int) or not _FORM.search(one)]
    if not keys:
        return "The file as a whole"
    table, rest = str(keys[0]), keys[1:]
    if rest and isinstance(rest[0], int):
        table, rest = f"[[{table}]] number {rest[0] + 1}", rest[1:]
    else:
        table = f"[{table}]" if rest or error["type"] == "value_error" else table
    return ", ".join([table, *(f"number {one + 1}" if isinstance(one, int) else one for one in rest)])


def _mend(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    if error["type"] == "enum":
        return f"it must be {context['expected']}"
    if error["type"] == "value_error":
        return str(context["error"])
    said = error["msg"]
    return _MENDS.get(error["type"], said[:1].lower() + said[1:])

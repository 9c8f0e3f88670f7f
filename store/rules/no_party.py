"""What people typed for the open part of the minutes goes out without a party's name, whoever typed it there.

Source: decisions 14 (the open part has case numbers and voters, and no party).
"""

import re
import unicodedata
from collections.abc import Iterable

from store.rules.casefile import CaseFile

INSTEAD = "[a party]"
_SHORTEST = 3


def without_parties(text: str, cases: Iterable[CaseFile]) -> str:
    """Give a text with the names of the parties of some cases left out.

    Args:
        text: what somebody typed.
        cases: the cases that the text may speak of.

    Returns:
        The text with each whole name, in either order, and each surname written as one, replaced by `INSTEAD`.
    """
    said = unicodedata.normalize("NFC", text)
    names = {one.named.name for case in cases for one in case.parties}
    for name in sorted(names, key=len, reverse=True):
        words = [one for one in re.split(r"[\s,]+", unicodedata.normalize("NFC", name)) if one]
        said = _left_out(said, words)
    return said


def _left_out(said: str, words: list[str]) -> str:
    if not words:
        return said
    for row in (words, [words[-1], *words[:-1]]):
        said = re.sub(_bounded(r"[\s,]+".join(map(re.escape, row))), INSTEAD, said, flags=re.IGNORECASE)
    surname = words[-1]
    if len(words) > 1 and len(surname) >= _SHORTEST:
        said = re.sub(_bounded(f"(?:{re.escape(surname)}|{re.escape(surname.upper())})"), INSTEAD, said)
    return said


def _bounded(pattern: str) -> str:
    return rf"(?<!\w){pattern}(?!\w)"

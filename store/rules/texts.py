"""How long a text may be that somebody types for the record: one bound, whatever the way in.

A longer one is a paper: it is handed in as a document, and the record points to it. What a machine read from a mail
is cut where it is read, and is never refused, since no mail may be lost.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from store.rules.errors import BadInput

LONGEST_TEXT: Final = 20_000
"""Characters of a reason, a finding, the Board's own words: about eight pages."""

LONGEST_NAME: Final = 300
"""Characters of a name, an office, an account or a label: they stand in one line of a letter."""

_NAMES: Final = frozenset({"name", "aliases", "office", "sworn", "administered_by", "label", "value"})


def check(fact: Mapping[str, object], *, clause: str) -> None:
    """See whether every text of what is to be recorded is short enough.

    Args:
        fact: what is to be recorded, as JSON.
        clause: that of the act.

    Raises:
        BadInput: one is too long; nothing of it is repeated.
    """
    for key, text in _texts("", fact):
        bound = LONGEST_NAME if key in _NAMES else LONGEST_TEXT
        if len(text) > bound:
            raise too_long(len(text), bound, clause=clause)


def too_long(length: int, bound: int = LONGEST_TEXT, *, clause: str = "") -> BadInput:
    """Give the refusal of a text that is too long."""
    what = "name" if bound == LONGEST_NAME else "text"
    return BadInput(
        f"A {what} of {length:,} characters is too long: at most {bound:,} are kept.",
        clause=clause,
        mend="Shorten it; what is longer is handed in as a paper of the case.",
    )


def _texts(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Give each text with the name of the field in which it stands."""
    match value:
        case str():
            yield key, value
        case dict():
            for name, one in value.items():
                yield from _texts(str(name), one)
        case list():
            for one in value:
                yield from _texts(key, one)
        case _:
            pass

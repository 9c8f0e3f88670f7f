"""What a records request does not get: who complained, who bore witness, and how anybody is reached.

Names of respondents, who are public officers, of the Board and of the city's staff stand. Everybody else is told of
by what he is in the case. The Board's own sentences (findings, reasons of votes) go out only where a person read and
released them, and are then masked as well; a paper goes out only where a person released it, and is held back all
the same where a machine still finds in it what is withheld.

Source: KRS 61.878(1)(a); law.md, records and confidentiality; decisions 15.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from store.rules.casefile import CaseFile
from store.rules.facts import PartyNamed, PartyRole, StatementTaken
from store.rules.timeline import party_label

_ADDRESS = re.compile(r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w-])(?:\+?1[\s.-]{0,2})?(?:\(\d{3}\)|\d{3})[\s.-]{0,2}\d{3}[\s.-]\d{4}(?![\w-])")
_TOKEN = re.compile(r"\+[^@]*@")
_SHORTEST = 3
_FEWEST_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Masked:
    """A pattern that is withheld, and what stands in its place."""

    pattern: re.Pattern[str]
    instead: str


@dataclass(frozen=True, slots=True)
class Withholding:
    """What is withheld of one case."""

    masks: tuple[Masked, ...]
    public: str = ""

    @classmethod
    def of(cls, case: CaseFile, public: str = "") -> "Withholding":
        """Gather every name and postal address that was ever recorded of a protected person of the case.

        Args:
            case: the case.
            public: what the Board's own letterhead says; e-mail addresses and numbers in it are nobody's.
        """
        masks = [
            *_everywhere(),
            *(mask for name, label in _names(case) for mask in _of_name(name, label)),
            *(mask for postal in _postal(case) for mask in _of_postal(postal)),
        ]
        return cls(tuple(dict.fromkeys(masks)), public.casefold())

    def masked(self, text: str) -> str:
        """Give a text with what is withheld replaced by what it is, in square brackets."""
        said = unicodedata.normalize("NFC", text)
        for one in self.masks:
            said = one.pattern.sub(partial(self._instead, one), said)
        return said

    def _instead(self, mask: Masked, found: re.Match[str]) -> str:
        return found[0] if self._is_public(found[0], mask) else f"[{mask.instead}]"

    def _is_public(self, found: str, mask: Masked) -> bool:
        """Say that it is the Board's own address, with or without a letter's token, or its own number."""
        if mask.pattern not in {_ADDRESS, _PHONE}:
            return False
        return _TOKEN.sub("@", found.casefold()) in self.public

    def stands_in(self, text: str) -> tuple[str, ...]:
        """Say which kinds of what is withheld stand in a text; names nobody."""
        said = unicodedata.normalize("NFC", text)
        return tuple(
            sorted(
                {
                    one.instead
                    for one in self.masks
                    for found in one.pattern.finditer(said)
                    if not self._is_public(found[0], one)
                }
            )
        )


def is_named(role: PartyRole) -> bool:
    """Say whether a party's name goes out: a respondent's, who is an officer of the city."""
    return role is PartyRole.RESPONDENT


def _everywhere() -> Iterator[Masked]:
    yield Masked(_ADDRESS, "e-mail address")
    yield Masked(_PHONE, "telephone number")


def _names(case: CaseFile) -> Iterator[tuple[str, str]]:
    for one in case.facts:
        match one.fact:
            case PartyNamed() if not is_named(one.fact.role):
                label = party_label(case, one.id) or one.fact.role.value.replace("-", "'s ", 1)
                yield one.fact.name, label.rstrip("0123456789 ")
            case StatementTaken() if one.about is None:
                yield one.fact.sworn, "witness"
            case _:
                pass


def _postal(case: CaseFile) -> Iterator[str]:
    return (one.fact.postal for one in case.facts if isinstance(one.fact, PartyNamed) and one.fact.postal)


def _of_name(name: str, label: str) -> Iterator[Masked]:
    """Give the whole name in either order, and the surname alone as a name is written: it may be a word as well."""
    words = [one for one in re.split(r"[\s,]+", unicodedata.normalize("NFC", name)) if one]
    if not words:
        return
    yield Masked(_words(words), label)
    if len(words) > 1:
        yield Masked(_words([words[-1], *words[:-1]]), label)
    surname = re.escape(words[-1])
    if len(words[-1]) >= _SHORTEST:
        yield Masked(re.compile(rf"(?<!\w)(?:{surname}|{re.escape(words[-1].upper())})(?!\w)"), label)


def _of_postal(postal: str) -> Iterator[Masked]:
    """Give each line of a postal address that holds a number: street and house, town and code."""
    for line in postal.splitlines():
        words = line.replace(",", " ").split()
        if words and any(sign.isdigit() for sign in line) and len(line) > _FEWEST_DIGITS:
            yield Masked(_words(words), "postal address")


def _words(words: list[str]) -> re.Pattern[str]:
    """Match words in a row, however they are spaced, with commas or without, in small letters or capitals."""
    row = r"[\s,]+".join(map(re.escape, words))
    return re.compile(rf"(?<!\w){row}(?!\w)", re.IGNORECASE)

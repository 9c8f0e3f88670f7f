"""Who may be meant although no name is spelled out: the wider half of the conflict screen (B2).

It adds to what `conflict.screen` finds: names with initials, parts of a name, a surname behind a title, offices,
and names that a machine read badly within the bounds of `resemblance`. Whoever is found like that is walled off as
possible until a cleared person lifts it with a reason.

Not looked for: a first name or a surname alone, "a member of the Board" (that is five people), nicknames. Those
that a city knows belong on the roster as aliases, which the exact half finds.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from store.rules.conflict import (
    APOSTROPHES,
    SUFFIXES,
    TITLES,
    Found,
    How,
    Named,
    Passage,
    Person,
    Where,
    screen,
    spelled_out,
    without_titles,
    words_of,
)
from store.rules.facts import Role
from store.rules.resemblance import Pattern, Reader, Sought

OFFICES: dict[Role, tuple[str, ...]] = {
    Role.CITY_MANAGER: ("city manager", "manager of the city"),
    Role.CHAIR: (
        "chair of the board",
        "chair of the ethics board",
        "chairman of the board",
        "chairman of the ethics board",
        "chairwoman of the board",
        "chairwoman of the ethics board",
        "chairperson of the board",
        "chairperson of the ethics board",
        "ethics board chair",
        "ethics board chairman",
        "ethics board chairwoman",
        "ethics board chairperson",
        "board of ethics chair",
        "the board chair",
    ),
    Role.CLERK: ("clerk of the board", "clerk of the ethics board", "ethics board clerk", "the board clerk"),
    Role.COUNSEL: (
        "counsel of the board",
        "counsel to the board",
        "counsel to the ethics board",
        "ethics board counsel",
        "the board counsel",
        "the board attorney",
    ),
}
"""What the offices are called of which there is one; members and alternates are several, so their office names nobody."""


def screen_widely(
    people: Iterable[Person],
    passages: Iterable[Passage],
    addresses: Iterable[str],
    *,
    readable: bool,
    own: Collection[str] = (),
) -> Found:
    """Search a complaint for the people of the roster, and for whoever may be one of them.

    Args:
        people: whom to look for.
        passages: every text of the complaint.
        addresses: addresses in the headers; they are searched for what they spell only.
        readable: whether every paper gave its text.
        own: addresses that name nobody.

    Returns:
        What is certain and, of the persons who were not found with certainty, what is possible. A complaint longer than
        `MOST_CHARACTERS` is searched so far and comes out as not screened: a person says who is named.
    """
    sought, every = tuple(people), tuple(passages)
    texts, widely = first_of(every, MOST_CHARACTERS_EXACT), first_of(every, MOST_CHARACTERS)
    certain = screen(sought, texts, addresses, readable=readable and widely == every, own=own)
    rest = _Rest.of(sought)
    possible = {
        named for text in widely for named in rest.found_in(text) if named.person not in certain.people
    }
    return Found(tuple(sorted((*certain.named, *possible))), certain.screened)


MOST_CHARACTERS = 2_000_000
"""About a thousand pages, and some seconds of search where every word is another one and looks like a name."""
MOST_CHARACTERS_EXACT = 5 * MOST_CHARACTERS
"""How far names that are spelled out are looked for, which takes a tenth of the time a character."""


def first_of(passages: Sequence[Passage], most: int) -> tuple[Passage, ...]:
    """Give the passages up to so many characters; the one that goes beyond is cut, and the rest left out."""
    kept: list[Passage] = []
    for one in passages:
        if len(one.text) > most:
            kept.append(Passage(one.where, one.text[:most]))
            break
        kept.append(one)
        most -= len(one.text)
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class _Shape:
    """Words, by whom and how: a single letter among `words` stands for any name that begins with it."""

    words: tuple[str, ...]
    person: int
    how: How


@dataclass(frozen=True, slots=True)
class _Rest:
    badly_read: Sought
    shapes: dict[str, tuple[_Shape, ...]]
    offices: dict[str, tuple[_Shape, ...]]
    surnames: dict[str, tuple[tuple[tuple[str, ...], int], ...]]

    @staticmethod
    @lru_cache(maxsize=32)
    def of(people: tuple[Person, ...]) -> "_Rest":
        patterns: list[Pattern] = []
        shapes: list[_Shape] = []
        offices: list[_Shape] = []
        surnames: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for one in people:
            offices += [_Shape(tuple(words_of(office)), one.person, How.OFFICE) for office in one.offices]
            for name in one.names:
                parts = _Parts.of(name)
                patterns += [Pattern(words, one.person) for words in parts.orders()]
                shapes += [_Shape(words, one.person, how) for words, how in parts.shortened()]
                for surname in parts.surnames:
                    surnames.setdefault(surname[0], []).append((surname, one.person))
        return _Rest(
            Sought.of(patterns),
            _by_first(shapes),
            _by_first(offices),
            {k: tuple(v) for k, v in surnames.items()},
        )

    def found_in(self, passage: Passage) -> Iterator[Named]:
        """Give all who may be meant in one passage, some more than once."""
        words = words_of(passage.text)
        for person in Reader(self.badly_read).people(words_of(_as_letters(passage.text))):
            yield Named(person, How.BADLY_READ, passage.where)
        for at, word in enumerate(words):
            for one in self.shapes.get(word, ()):
                if tuple(words[at : at + len(one.words)]) == one.words:
                    yield Named(one.person, one.how, passage.where)
            if word in TITLES and at + 1 < len(words):
                for surname, person in self.surnames.get(words[at + 1], ()):
                    if tuple(words[at + 1 : at + 1 + len(surname)]) == surname:
                        yield Named(person, How.TITLE, passage.where)
        if passage.where is not Where.FILE_NAME:
            yield from self._offices_in(passage)

    def _offices_in(self, passage: Passage) -> Iterator[Named]:
        if not self.offices:
            return
        said = passage.text if passage.where is Where.RESPONDENT else _without_addressing(passage.text)
        words = words_of(said)
        for at, word in enumerate(words):
            for one in self.offices.get(word, ()):
                end = at + len(one.words)
                if tuple(words[at:end]) == one.words and _is_this_office(words, at, end):
                    yield Named(one.person, How.OFFICE, passage.where)


def _by_first(shapes: Iterable[_Shape]) -> dict[str, tuple[_Shape, ...]]:
    found: dict[str, dict[_Shape, None]] = {}
    for one in shapes:
        if one.words:
            found.setdefault(one.words[0], {})[one] = None
    return {word: tuple(several) for word, several in found.items()}


_PARTICLES = frozenset(
    [
        "van",
        "von",
        "der",
        "den",
        "de",
        "del",
        "della",
        "di",
        "da",
        "dos",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "ibn",
        "st",
        "mc",
    ]
)
_FEWEST = 2
_INITIALS_ALONE = 3


@dataclass(frozen=True, slots=True)
class _Parts:
    """A name in given names and surnames; more than one surname where the name can be read in several ways."""

    whole: tuple[tuple[str, ...], ...]
    given: tuple[str, ...]
    surnames: tuple[tuple[str, ...], ...]
    is_phrase: bool

    @classmethod
    def of(cls, name: str) -> "_Parts":
        turned = " ".join(reversed(name.split(",", 1))) if _is_turned(name) else name
        written = [one for one in re.split(r"[\s,]+", turned) if words_of(one)]
        kept = _untitled(written)
        wholes = {
            without_titles(words_of(one))
            for one in (turned, spelled_out(turned), APOSTROPHES.sub(" ", turned))
        }
        phrase = len(kept) < _FEWEST or not all(one[:1].isupper() or one in _PARTICLES for one in kept)
        if phrase:
            return cls(tuple(sorted(wholes)), (), (), is_phrase=True)
        begin = len(kept) - 1
        while begin > 1 and words_of(kept[begin - 1])[0] in _PARTICLES:
            begin -= 1
        given = tuple(word for one in kept[:begin] for word in words_of(one)[:1])
        return cls(tuple(sorted(wholes)), given, tuple(sorted(_surnames(kept[begin:]))), is_phrase=False)

    def orders(self) -> Iterator[tuple[str, ...]]:
        """Give the shapes of the words in each order in which they may stand, for the reader of bad print."""
        every = set(self.whole)
        every |= {tuple(one for one in whole if len(one) > 1) for whole in self.whole}
        every |= {(self.given[0], *surname) for surname in self.surnames if self.given}
        for words in sorted(every):
            if len(words) >= _FEWEST and sum(map(len, words)) >= _SHORTEST:
                for turn in range(len(words)):
                    yield (*words[turn:], *words[:turn])

    def shortened(self) -> Iterator[tuple[tuple[str, ...], How]]:
        """Give how a name is shortened: J. Poe, J. Q. Poe, JQ Poe, Poe J., Jane P., J. Q. P., without the middle name."""
        if self.is_phrase or not self.given:
            return
        first, initials = self.given[0], tuple(one[0] for one in self.given)
        for surname in self.surnames:
            for letters in {initials, initials[:1], ("".join(initials),)}:
                yield (*letters, *surname), How.INITIALS
                yield (*surname, *letters), How.INITIALS
            yield (first, surname[0][0]), How.INITIALS
            if len(initials) > 1:
                yield (initials[0], *self.given[1:], *surname), How.INITIALS
                yield (first, *initials[1:], *surname), How.INITIALS
            yield (first, *surname), How.PART
            yield (*surname, first), How.PART
        every = (*initials, self.surnames[0][0][0])
        if len(every) >= _INITIALS_ALONE:
            yield every, How.INITIALS


_SHORTEST = 6


def _is_turned(name: str) -> bool:
    """Say whether a name is written with the surname first."""
    before, comma, after = name.partition(",")
    return bool(comma and before.strip()) and not set(words_of(after)) <= SUFFIXES


def _untitled(written: Sequence[str]) -> list[str]:
    left = list(written)
    while len(left) > _FEWEST and words_of(left[0])[0] in TITLES:
        del left[0]
    while len(left) > _FEWEST and words_of(left[-1])[0] in SUFFIXES:
        del left[-1]
    return left


def _surnames(written: Sequence[str]) -> set[tuple[str, ...]]:
    """Give the ways to write a surname: whole, with an apostrophe as a space, without its particles, half of a double one."""
    text = " ".join(written)
    found = {tuple(words_of(one)) for one in (text, spelled_out(text), APOSTROPHES.sub(" ", text))}
    halves = re.split(r"[-\u2010\u2011]", written[-1])
    if len(halves) > 1:
        found.add(("".join("".join(words_of(one)) for one in halves),))
        found |= {tuple(words_of(one)) for one in halves if len("".join(words_of(one))) >= _FEWEST}
    elif len(written) > 1:
        found.add(tuple(words_of(written[-1])))
    return found - {()}


def _as_letters(text: str) -> str:
    """Read signs that stand within a word as the letters that they resemble."""
    return _SIGNS.sub(lambda sign: _LETTERS[sign[0]], unicodedata.normalize("NFKC", text))


_LETTERS = {"|": "l", "!": "l", "$": "s", "\u20ac": "e", "\u00a3": "l", "{": "c", "\u00a2": "c"}
_SIGNS = re.compile(r"(?<=[^\W\d_])[|!$\u20ac\u00a3{\u00a2](?=[^\W\d_])|\|(?=[^\W\d_])")


# -- offices ------------------------------------------------------------------------------------------

_CALLED = "|".join(
    re.escape(one).replace(r"\ ", r"\s+")
    for names in OFFICES.values()
    for one in sorted(names, key=len, reverse=True)
)
_COURTESY = r"(?:(?:the|honou?rable|hon|mr|mrs|ms|mx|madam|sir|office|of)\W{1,3})"
_ADDRESS_LINE = re.compile(
    rf"^[^\w\n]{{0,9}}(?:(?:to|cc|attn|attention|dear)[^\w\n]{{1,5}})?{_COURTESY}{{0,4}}(?:{_CALLED})"
    r"[ \t]{0,9}(?:$|[,:;.][ \t]{0,9}$|,[ \t]{0,9}city of\b|<|[&/]|and\b[^.\n]{0,60}$)",
    re.IGNORECASE | re.MULTILINE,
)
_PASSED_ON = re.compile(
    r"\b(?:refer|refers|referred|referral|forward|forwards|forwarded|submit|submits|submitted|file|files|filed|filing|"
    r"addressed|delivered|complaint|complain)\b"
    r"(?:\W{1,3}(?:this|the|my|a|attached|signed|sworn|enclosed|ethics|complaint|letter|matter|it|first)\b){0,5}"
    rf"\W{{1,3}}(?:to|with|by|through|via)\W{{1,3}}{_COURTESY}{{0,4}}(?:{_CALLED})\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    rf"\b(?:ask|asks|request|requests|require|requires|requiring)\W{{1,3}}(?:that\W{{1,3}})?{_COURTESY}{{0,4}}"
    rf"(?:{_CALLED})\W{{1,3}}(?:to\W{{1,3}})?(?:please\W{{1,3}})?(?:refer|forward|pass|send)\b",
    re.IGNORECASE,
)
_NOT_THE_HOLDER = frozenset(["deputy", "assistant", "vice"])


def _without_addressing(text: str) -> str:
    """Leave out where an office is only written to, or asked to pass a complaint on: that names nobody."""
    for pattern in (_ADDRESS_LINE, _PASSED_ON, _ASKED):
        text = pattern.sub(" . ", text)
    return text


def _is_this_office(words: Sequence[str], at: int, end: int) -> bool:
    """Say that it is not the office's deputy, nor the same office of another body."""
    if at and words[at - 1] in _NOT_THE_HOLDER:
        return False
    behind = tuple(words[end : end + 2])
    return words[end - 1] != "board" or behind[:1] != ("of",) or behind == ("of", "ethics")

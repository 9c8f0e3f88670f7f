"""Is this roster person named in the complaint? The screen that runs before anybody is told.

It finds a person by exact name, alias or address, whatever the capitals, accents, punctuation and line
breaks. Whoever it finds is walled off until a cleared person has looked. A miss may leak a case to the person whom
it concerns, a false alarm costs one look: in doubt it finds.

Source: requirement B2; decisions.md 12; clause (C).
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache


class How(StrEnum):
    """By what a person was found."""

    NAME = "name"
    ALIAS = "alias"
    ADDRESS = "address"
    INITIALS = "possibly: name with initials"
    PART = "possibly: part of a name"
    BADLY_READ = "possibly: name badly read"
    TITLE = "possibly: surname with a title"
    OFFICE = "possibly: office"

    @property
    def certain(self) -> bool:
        """Say whether it spells what the roster says, and is not only like it."""
        return self in {How.NAME, How.ALIAS, How.ADDRESS}


class Where(StrEnum):
    """In what kind of place a person was found; it never tells what stands there."""

    ADDRESSES = "mail addresses"
    SUBJECT = "subject"
    MAIL_BODY = "mail body"
    PAGE_TEXT = "page text"
    ENCLOSED_TEXT = "text of an enclosed file"
    FILE_NAME = "file name"
    RESPONDENT = "named respondent"


@dataclass(frozen=True, slots=True)
class Person:
    """A roster person as the screen looks for him.

    Attributes:
        person: internal id.
        names: the name first, then aliases; titles in front of or behind it do not matter.
        addresses: e-mail addresses, past ones too.
        offices: what the offices are called that he holds or held; looked for by `possible.screen_widely` alone.
    """

    person: int
    names: tuple[str, ...] = field(repr=False)
    addresses: tuple[str, ...] = field(default=(), repr=False)
    offices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to search, and the kind of place in which it stands."""

    where: Where
    text: str = field(repr=False)


def without_closing(passages: Iterable[Passage], closing: Sequence[str]) -> tuple[Passage, ...]:
    """Leave out how the Board's own letters end, wherever it is quoted: who signs a letter is not named by it.

    Answers quote the letter that they answer, and every letter names the office of who signs it.

    Args:
        passages: the texts.
        closing: the lines of that ending, in order; only all of them, one after the other, are it. Marks of quotation
            may stand between.
    """
    words = [re.escape(word) for line in closing for word in re.findall(r"\w+", line)]
    if not words:
        return tuple(passages)
    pattern = re.compile(rf"\b{_BETWEEN.join(words)}\b", re.IGNORECASE)
    return tuple(replace(one, text=pattern.sub("\n", one.text)) for one in passages)


_BETWEEN = r"[\W_]{1,60}"


@dataclass(frozen=True, slots=True, order=True)
class Named:
    """A roster person who was found: who, by what, and in what kind of place."""

    person: int
    how: How
    where: Where


@dataclass(frozen=True, slots=True)
class Found:
    """What the screen found.

    Attributes:
        named: each finding once, in a fixed order.
        screened: every paper could be read; if not, a cleared person has to say who is named, whatever
            was found in the rest.
    """

    named: tuple[Named, ...]
    screened: bool

    @property
    def people(self) -> frozenset[int]:
        """Give the ids of all who were found."""
        return frozenset(one.person for one in self.named)


def screen(
    people: Iterable[Person],
    passages: Iterable[Passage],
    addresses: Iterable[str],
    *,
    readable: bool,
    own: Collection[str] = (),
) -> Found:
    """Search a complaint for the people of the roster.

    Args:
        people: whom to look for.
        passages: every text of the complaint.
        addresses: addresses in the headers, bare or with a display name, which is searched as well.
        readable: whether every paper gave its text.
        own: addresses that name nobody, such as the mailbox to which complaints are sent.
    """
    searched = _Searched.of(people, own)
    found: set[Named] = set()
    for address in addresses:
        found.update(searched.found_in(Passage(Where.ADDRESSES, address)))
    for passage in passages:
        found.update(searched.found_in(passage))
    return Found(named=tuple(sorted(found)), screened=readable)


@dataclass(frozen=True, slots=True)
class _Searched:
    """Names by their first word, and addresses, both as they are compared."""

    names: dict[str, tuple[tuple[tuple[str, ...], int, How], ...]]
    addresses: dict[str, tuple[int, ...]]

    @classmethod
    def of(cls, people: Iterable[Person], own: Collection[str]) -> "_Searched":
        names: dict[str, list[tuple[tuple[str, ...], int, How]]] = {}
        addresses: dict[str, list[int]] = {}
        nobody = {_address(one) for one in own}
        for person in people:
            for place, name in enumerate(person.names):
                how = How.ALIAS if place else How.NAME
                for form in _forms(name):
                    names.setdefault(form[0], []).append((form, person.person, how))
            for address in {_address(one) for one in person.addresses} - nobody - {""}:
                addresses.setdefault(address, []).append(person.person)
        return cls({k: tuple(v) for k, v in names.items()}, {k: tuple(v) for k, v in addresses.items()})

    def found_in(self, passage: Passage) -> Iterator[Named]:
        """Give all who are found in one passage, some more than once."""
        for written in _ADDRESS.findall(unicodedata.normalize("NFKC", passage.text)):
            for person in self.addresses.get(_address(written), ()):
                yield Named(person, How.ADDRESS, passage.where)
        for text in {passage.text, _rejoined(passage.text)}:
            words = words_of(text)
            for start, word in enumerate(words):
                for form, person, how in self.names.get(word, ()):
                    if _stands_at(words, start, form):
                        yield Named(person, how, passage.where)


_LABEL = r"[^\W_]+(?:-+[^\W_]+)*"
_ADDRESS = re.compile(rf"(?<![\w.+'-])[\w.+'-]+@{_LABEL}(?:\.{_LABEL})+")
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['\u2018\u2019\u02bc\uff07`\u00b4]s\b", re.IGNORECASE)
APOSTROPHES = re.compile(r"['\u2018\u2019\u02bc\uff07`\u00b4]")
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_BROKEN_WORD = re.compile(r"[-\u2010\u2011]\s*\n\s*")
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
TITLES = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "miss",
        "mx",
        "dr",
        "prof",
        "hon",
        "honorable",
        "honourable",
        "rev",
        "sir",
        "mayor",
        "commissioner",
        "councilman",
        "councilwoman",
        "councilmember",
        "councilor",
        "alderman",
        "chair",
        "chairman",
        "chairwoman",
        "chairperson",
        "chief",
        "captain",
        "lieutenant",
        "sergeant",
        "officer",
        "judge",
        "attorney",
        "director",
        "manager",
        "clerk",
        "member",
    ]
)
SUFFIXES = frozenset(["jr", "sr", "ii", "iii", "iv", "esq", "md", "phd", "jd", "cpa"])
_SHORTEST_NAME = 2
_MOST_BETWEEN = 4


def _address(written: str) -> str:
    """Bring an address to the form in which it is compared; a tag after a plus is left out."""
    found = _ADDRESS.search(unicodedata.normalize("NFKC", written))
    if found is None:
        return ""
    local, _, domain = found[0].casefold().rpartition("@")
    return f"{local.strip(_AROUND_ADDRESS).split('+', 1)[0]}@{domain}"


_AROUND_ADDRESS = "'._-"


def _rejoined(text: str) -> str:
    """Put words together again that were broken at the end of a line."""
    return _BROKEN_WORD.sub("", text)


def words_of(text: str) -> list[str]:
    """Take a text apart into words: no capitals, accents, apostrophes, signs that nobody sees."""
    seen = APOSTROPHES.sub("", _POSSESSIVE.sub("", _UNSEEN.sub("", text)))
    spread = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", seen).casefold())
    bare = spread if spread.isascii() else "".join(one for one in spread if not unicodedata.combining(one))
    return _WORD.findall(bare.translate(_PLAIN_LETTERS))


def spelled_out(name: str) -> str:
    """Write letters with marks as two letters, as those do who cannot type them: Müller is Mueller."""
    return unicodedata.normalize("NFC", name).translate(_TWO_LETTERS)


_TWO_LETTERS = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "å": "aa",
        "ø": "oe",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "Å": "Aa",
        "Ø": "Oe",
    }
)


@lru_cache(maxsize=1_024)
def _forms(name: str) -> frozenset[tuple[str, ...]]:
    """Give the orders of words in which a name stands: as it is, last name first, without middle initials.

    An apostrophe may be written as a space. Every turn of the words is taken, since the screen does not know where
    a surname begins.
    """
    whole = without_titles(words_of(name))
    apart = without_titles(words_of(APOSTROPHES.sub(" ", name)))
    spelled = without_titles(words_of(spelled_out(name)))
    short = tuple(one for one in whole if len(one) > 1)
    kept = {whole, apart, spelled} - {()} | ({short} if len(short) >= _SHORTEST_NAME else set())
    return frozenset(form[turn:] + form[:turn] for form in kept for turn in range(len(form)))


def without_titles(words: Sequence[str]) -> tuple[str, ...]:
    """Leave titles in front and suffixes behind out, as long as two words remain."""
    left = list(words)
    while len(left) > _SHORTEST_NAME and left[0] in TITLES:
        del left[0]
    while len(left) > _SHORTEST_NAME and left[-1] in SUFFIXES:
        del left[-1]
    return tuple(left)


def _stands_at(words: Sequence[str], start: int, form: tuple[str, ...]) -> bool:
    """Say whether a name stands here; a few initials, titles and suffixes between its words do not break it."""
    at = start + 1
    skips = _MOST_BETWEEN
    for wanted in form[1:]:
        while skips and at < len(words) and words[at] != wanted and _may_stand_between(words[at]):
            at += 1
            skips -= 1
        if at >= len(words) or words[at] != wanted:
            return False
        at += 1
    return True


def _may_stand_between(word: str) -> bool:
    return len(word) == 1 or word in TITLES or word in SUFFIXES

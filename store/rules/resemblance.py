"""Words that may be a name although they do not spell it: initials, parts, and what a reading machine makes of it.

Used by the conflict screen for what is walled off as possible. The bounds, as they are measured in the tests:

- letters that look alike on paper count as the same (rn and m, cl and d, vv and w, 1 and l and i, 0 and o, 5 and s);
- beyond that a word of 5 to 8 letters may differ in one place, a longer one in two, the whole name in two; a place is a
  letter that is wrong, missing or too much, or two neighbours in the wrong order;
- a word of four letters may hold one letter that resembles the right one (e and c, a and o, n and u); shorter
  words must be right;
- a word of five letters or more may be cut in two, and a whole name be written as one word or letter by letter.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MOST_PLACES = 2
_MOST_LETTERS = 2 * MOST_PLACES
_ONE_PLACE, _TWO_PLACES = 5, 9
_ALIKE_LENGTH = 4
_SHORTEST_CUT = 5
_SHORTEST_JOINED = 8

_LOOKS_LIKE = str.maketrans("i1|058692" + "43", "lllosbbgz" + "ae")
_TWO_AS_ONE = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_ALIKE = frozenset(
    frozenset(pair) for pair in ("ec", "co", "eo", "ao", "ae", "nu", "hb", "hn", "lj", "lt", "ft", "rt", "vy")
)
_LIGATURES = frozenset(["ae", "oe", "th"])


def plain(word: str) -> str:
    """Bring a bare word to the form in which single letters that look alike are the same."""
    return word.translate(_LOOKS_LIKE)


def shape(word: str) -> str:
    """Bring a bare word to the form in which two letters that look like one are that one as well."""
    word = plain(word)
    for two, one in _TWO_AS_ONE:
        word = word.replace(two, one)
    return word


@dataclass(frozen=True, slots=True)
class Read:
    """A bare word in both forms in which it is compared, with the letters that are in each."""

    plain: str
    shape: str
    letters: int
    shape_letters: int

    @classmethod
    def of(cls, word: str) -> "Read":
        """Bring a bare word to its forms."""
        simple, formed = plain(word), shape(word)
        return cls(simple, formed, letters_in(simple), letters_in(formed))

    def may_be(self, right: "Read") -> bool:
        """Say whether it may differ from the right word in two places at most; quick, and never no where it does."""
        return (
            (self.shape_letters ^ right.shape_letters).bit_count() <= _MOST_LETTERS
            and abs(len(self.shape) - len(right.shape)) <= MOST_PLACES
        ) or (
            (self.letters ^ right.letters).bit_count() <= _MOST_LETTERS
            and abs(len(self.plain) - len(right.plain)) <= MOST_PLACES
        )


def letters_in(word: str) -> int:
    """Give which letters a word has, as bits: a place that differs changes two of them at most."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 63)
    return bits


def places(read: Read, right: Read) -> int | None:
    """Count in how many places a word, as it was read, differs from the right one; None where beyond the bounds."""
    if read.shape == right.shape:
        return 0
    letters = len(right.plain)
    allowed = (letters >= _ONE_PLACE) + (letters >= _TWO_PLACES)
    if not allowed:
        return 1 if letters == _ALIKE_LENGTH and _resembles(read.plain, right.plain) else None
    found = _distance(read.shape, right.shape, allowed)
    if read.plain != read.shape or right.plain != right.shape:
        found = min(found, _distance(read.plain, right.plain, allowed))
    return found if found <= allowed else None


def _resembles(read: str, right: str) -> bool:
    if len(read) != len(right):
        return False
    wrong = [frozenset(pair) for pair in zip(read, right, strict=True) if pair[0] != pair[1]]
    return len(wrong) == 1 and wrong[0] in _ALIKE


def _distance(one: str, other: str, most: int) -> int:
    """Give the number of single changes, two neighbours in the wrong order being one; more than `most` is not exact."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    one, other = _without_common_ends(one, other)
    if max(len(one), len(other)) <= 1:
        return max(len(one), len(other))
    if most == 1:
        return 1 if len(one) == _A_PAIR and one == other[::-1] else _A_PAIR
    return _counted(one, other, most)


_A_PAIR = 2


def _without_common_ends(one: str, other: str) -> tuple[str, str]:
    begin = 0
    while begin < min(len(one), len(other)) and one[begin] == other[begin]:
        begin += 1
    one, other, end = one[begin:], other[begin:], 0
    while end < min(len(one), len(other)) and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[: len(one) - end], other[: len(other) - end]


def _counted(one: str, other: str, most: int) -> int:
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        older, before = before, row
        row = [at]
        for to, wanted in enumerate(other, start=1):
            cost = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == wanted:
                cost = min(cost, older[to - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Bare words of a name in one order, for one person."""

    words: tuple[str, ...]
    person: int

    @property
    def plain(self) -> tuple[str, ...]:
        """Give each word as it is compared."""
        return tuple(plain(one) for one in self.words)

    @property
    def joined(self) -> str:
        """Give the words written as one, as it is compared."""
        return plain("".join(self.words))


@dataclass(frozen=True, slots=True)
class Sought:
    """Patterns by what is compared: made once for a roster, and the same for every text."""

    rights: dict[str, Read]
    by_shape: dict[str, str]
    begin: dict[str, dict[tuple[tuple[str, ...], int], None]]
    joined: tuple[tuple[str, int], ...]
    joined_of_length: dict[int, tuple[tuple[str, int, int], ...]]

    @classmethod
    def of(cls, patterns: Iterable[Pattern]) -> "Sought":
        """Take patterns; those of one word are left out."""
        several = [one for one in patterns if len(one.words) > 1]
        rights = {word: Read.of(word) for one in several for word in one.plain}
        begin: dict[str, dict[tuple[tuple[str, ...], int], None]] = {}
        for one in several:
            begin.setdefault(one.plain[0], {})[one.plain, one.person] = None
        joined = tuple((one.joined, one.person) for one in several if len(one.joined) >= _SHORTEST_JOINED)
        near: dict[int, dict[tuple[str, int, int], None]] = {}
        for whole, person in joined:
            for length in (len(whole) - 1, len(whole), len(whole) + 1):
                near.setdefault(length, {})[whole, letters_in(whole), person] = None
        by_shape = {forms.shape: word for word, forms in rights.items()}
        return cls(rights, by_shape, begin, joined, {length: tuple(them) for length, them in near.items()})


class Reader:
    """Finds patterns in one text that a machine may have read badly; remembers each word that it compared."""

    def __init__(self, sought: Sought) -> None:
        """Take what is sought. A text has a reader of its own, so that nothing of it outlives its reading."""
        self._sought = sought
        self._known: dict[str, dict[str, int]] = {}
        self._known_joined: dict[str, tuple[int, ...]] = {}

    def people(self, words: Sequence[str]) -> Iterator[int]:
        """Give the persons whose names the bare words of a text may be, some more than once."""
        reads = [plain(one) for one in words]
        for at, read in enumerate(reads):
            for right in self._could_begin(reads, at):
                for right_words, person in self._sought.begin.get(right, ()):
                    if _stands(self, reads, at, right_words, MOST_PLACES):
                        yield person
            if len(read) >= _SHORTEST_JOINED - 1:
                yield from self._as_one(read)
        yield from self._letter_by_letter(reads)

    def near(self, read: str) -> dict[str, int]:
        """Give the words of names that a word may be, with the number of places in which it differs."""
        known = self._known.get(read)
        if known is None:
            word = Read.of(read)
            rights = self._sought.rights.items()
            counted = ((right, places(word, forms)) for right, forms in rights if word.may_be(forms))
            known = {right: count for right, count in counted if count is not None}
            self._known[read] = known
        return known

    def cut(self, reads: Sequence[str], at: int) -> str:
        """Give the word of a name that two words are which stand here, if they are one that was cut; else nothing."""
        if at + 1 >= len(reads):
            return ""
        whole = reads[at] + reads[at + 1]
        return self._sought.by_shape.get(shape(whole), "") if len(whole) >= _SHORTEST_CUT else ""

    def _could_begin(self, reads: Sequence[str], at: int) -> set[str]:
        return {*self.near(reads[at]), self.cut(reads, at)}

    def _as_one(self, read: str) -> tuple[int, ...]:
        known = self._known_joined.get(read)
        if known is None:
            letters = letters_in(read)
            known = tuple(
                person
                for joined, right, person in self._sought.joined_of_length.get(len(read), ())
                if (letters ^ right).bit_count() <= _A_PAIR and _distance(read, joined, 1) <= 1
            )
            self._known_joined[read] = known
        return known

    def _letter_by_letter(self, reads: Sequence[str]) -> Iterator[int]:
        for run in _runs(reads):
            for joined, person in self._sought.joined:
                if shape(joined) in run:
                    yield person


def _runs(reads: Sequence[str]) -> Iterator[str]:
    """Give what single letters that follow each other spell."""
    run: list[str] = []
    for one in [*reads, ""]:
        if len(one) == 1 or one in _LIGATURES:
            run.append(one)
            continue
        if len(run) >= _SHORTEST_JOINED:
            yield shape("".join(run))
        run = []


def _follows(reader: Reader, reads: Sequence[str], at: int, words: Sequence[str], left: int) -> bool:
    """Say whether the words of a name stand here with at most so many wrong places."""
    if not words:
        return True
    return any(_stands(reader, reads, place, words, left) for place in _past_initials(reads, at))


def _stands(reader: Reader, reads: Sequence[str], at: int, words: Sequence[str], left: int) -> bool:
    wrong = reader.near(reads[at]).get(words[0])
    if wrong is not None and wrong <= left and _follows(reader, reads, at + 1, words[1:], left - wrong):
        return True
    return reader.cut(reads, at) == words[0] and _follows(reader, reads, at + 2, words[1:], left)


def _past_initials(reads: Sequence[str], at: int) -> Iterator[int]:
    """Give where the next word of a name may stand: here, or behind one or two single letters."""
    for place in range(at, min(at + _MOST_INITIALS + 1, len(reads))):
        yield place
        if len(reads[place]) > 1:
            return


_MOST_INITIALS = 2

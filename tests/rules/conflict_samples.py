"""A made set for the conflict screen: roster people as complaints write them, and complaints that name nobody of them.

`python -m tests.rules.conflict_samples` prints misses and false alarms by kind.
"""

import random
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from store.rules.conflict import Passage, Person, Where
from store.rules.facts import Role
from store.rules.possible import OFFICES, screen_widely

NAMES = (
    "Dana Q. Whitlow",
    "Máire O'Brien",
    "Jan van der Berg",
    "Jürgen Müller-Schön",
    "Renée Delacroix-Dubois",
    "Theodore Burnside",
    "Clarence Vandermeer",
    "Wilhelmina Ashcombe",
    "José Luis Hernández",
    "Harriet Beecham Coldwater",
    "Søren Kjærgaard",
    "Łukasz Wojciechowski",
)
ROLES = (Role.CITY_MANAGER, Role.CHAIR, Role.CLERK, Role.COUNSEL)
PEOPLE = tuple(
    Person(place, (name,), (), OFFICES[ROLES[place]] if place < len(ROLES) else ())
    for place, name in enumerate(NAMES)
)
GIVEN = [
    "Peter",
    "Susan",
    "Walter",
    "Grace",
    "Martin",
    "Ellen",
    "Robert",
    "Nancy",
    "Keith",
    "Laura",
    "Simon",
    "Judith",
    "Victor",
    "Amber",
    "Colin",
    "Felicia",
    "Hector",
    "Irene",
    "Joel",
    "Katherine",
    "Mark",
    "Mary",
    "Joan",
    "John",
    "Theresa",
    "Clara",
    "Wilma",
    "Jan",
    "Jana",
    "Dean",
    "Diana",
    "Soren",
    "Luke",
    "Renata",
    "Harry",
]
SURNAMES = [
    "Smith",
    "Johnson",
    "Brown",
    "Miller",
    "Davis",
    "Wilson",
    "Anderson",
    "Taylor",
    "Thomas",
    "Moore",
    "White",
    "Whitman",
    "Winslow",
    "Burns",
    "Bird",
    "Berger",
    "Bergman",
    "Brian",
    "Ashford",
    "Ashby",
    "Coldwell",
    "Atwater",
    "Herman",
    "Fernandez",
    "Mueller",
    "Mulder",
    "Delaney",
    "Vanderbilt",
    "Dubois",
    "Whitney",
]
PROSE = (
    "On {day} March I saw how {who} took an envelope at the depot and put it away.",
    "My complaint is about {who}, who voted on a contract of a relative.",
    "The truck belongs to the city.\nI was told by {who} that nobody would ask.",
    "In short: {who} used city workers on a private roof, and two neighbours watched it.",
    "Exhibit {day}: letter from {who} to the paving company, with the price struck out.",
)
HARMLESS = (
    "To: City Manager, City of Bramwell\nI complain of {who} in the parks department.",
    "Dear City Manager,\n\nplease refer this complaint to the Board of Ethics. It concerns {who}.",
    "Filed with the City Manager on {day} May. {who} runs the water plant.",
    "I ask the City Manager to refer this complaint. {who} did it.",
    "The deputy city manager and {who} had lunch. A member of the Board said nothing.",
    "The chair of the board of directors of {who} and Sons paid for it.",
    "{who} sat on the chair in the clerk's office; the manager of the hotel saw it.",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A text, who is named in it (None for nobody), and of what kind it is."""

    kind: str
    text: str
    person: int | None


def reordered(chance: random.Random, name: str) -> str:
    """Surname first, with or without the comma."""
    given, surname = apart(name)
    return f"{surname}{chance.choice([', ', ' ', ',  '])}{given}"


def initials(chance: random.Random, name: str) -> str:
    """Given names as letters."""
    given, surname = apart(name)
    letters = [one[0] for one in given.split()]
    short = chance.choice([". ".join(letters) + ".", " ".join(letters), "".join(letters), f"{letters[0]}."])
    return chance.choice(
        [f"{short} {surname}", f"{surname}, {short}", f"{given.split()[0]} {surname[0].upper()}."]
    )


def without_middle(_chance: random.Random, name: str) -> str:
    """First name and surname, nothing between."""
    given, surname = apart(name)
    return f"{given.split()[0]} {surname}"


def without_marks(chance: random.Random, name: str) -> str:
    """Accents left out, or letters with marks written as two."""
    two = name.translate(str.maketrans({"ü": "ue", "ö": "oe", "ø": "oe", "æ": "ae", "ł": "l", "Ł": "L"}))
    bare = "".join(one for one in unicodedata.normalize("NFD", name) if not unicodedata.combining(one))
    return chance.choice([bare, two, unicodedata.normalize("NFD", name), name.upper()])


def hyphenated(chance: random.Random, name: str) -> str:
    """A double surname in one, in two, by half; any word broken at the end of a line."""
    choices = [name.replace("-", ""), name.replace("-", " "), name.replace("-", "\u2013")]
    if "-" in name:
        given, surname = apart(name)
        choices += [f"{given} {half}" for half in surname.split("-")]
    words = name.split()
    long = max(words, key=len)
    if "-" not in long and len(long) > CUT:
        at = chance.randrange(2, len(long) - 2)
        choices += [
            name.replace(long, f"{long[:at]}{sign}{long[at:]}") for sign in ("-\n", "\u00ad", "-", "- ")
        ]
    return chance.choice(choices)


def titled(chance: random.Random, name: str) -> str:
    """A title and the surname."""
    return f"{chance.choice(['Mr.', 'Ms.', 'Commissioner', 'Dr.', 'Councilwoman'])} {apart(name)[1]}"


LOOKS_LIKE = {
    "m": "rn",
    "d": "cl",
    "w": "vv",
    "l": "1",
    "o": "0",
    "s": "5",
    "i": "l",
    "b": "8",
    "g": "9",
    "e": "3",
}
CUT = 4
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def badly_read(chance: random.Random, name: str) -> str:
    """Letters that look alike, and up to two wrong places within the stated bounds."""
    words = [one for one in typed(name).split() if len(one.strip(".")) > 1]
    left = 2
    for place in chance.sample(range(len(words)), len(words)):
        word = words[place]
        letters = len(word.replace("-", "").replace("'", ""))
        plain = letters == len(word)
        allowed = min(left, (letters >= 5) + (letters >= 9)) if plain else 0
        faults = chance.randint(0, allowed)
        if faults == 1:
            word = one_place(chance, word)
        elif faults:
            word = one_place(chance, word[: len(word) // 2]) + one_place(chance, word[len(word) // 2 :])
        left -= faults
        if word == words[place]:
            word = "".join(
                LOOKS_LIKE[one] if one in LOOKS_LIKE and chance.random() < 0.3 else one for one in word
            )
        words[place] = word
    return " ".join(words)


def typed(name: str) -> str:
    """A name in plain letters."""
    two = name.translate(str.maketrans({"ø": "o", "æ": "ae", "ł": "l", "Ł": "L"}))
    return "".join(one for one in unicodedata.normalize("NFD", two) if not unicodedata.combining(one))


def one_place(chance: random.Random, word: str) -> str:
    """A letter wrong, missing, too much, or two neighbours turned; never the first, which is seldom misread."""
    at = chance.randrange(1, len(word) - 1)
    wrong = chance.choice(LETTERS)
    return chance.choice(
        [
            word[:at] + wrong + word[at + 1 :],
            word[:at] + word[at + 1 :],
            word[:at] + wrong + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        ]
    )


def run_together(chance: random.Random, name: str) -> str:
    """One word, letter by letter, or a long word cut in two."""
    bare = typed(name).replace(".", "").replace("'", "").replace("-", " ")
    words = [one for one in bare.split() if len(one) > 1]
    long = max(words, key=len)
    at = len(long) // 2
    cut = " ".join(f"{one[:at]} {one[at:]}" if one == long and len(long) > CUT else one for one in words)
    return chance.choice(["".join(words), " ".join("".join(words)), cut])


def apart(name: str) -> tuple[str, str]:
    """Given names and surname of a name of the made roster."""
    words = name.split()
    begin = words.index("van") if "van" in words else len(words) - 1
    return " ".join(words[:begin]), " ".join(words[begin:])


WAYS: dict[str, Callable[[random.Random, str], str]] = {
    "as it stands": lambda _chance, name: name,
    "reordered": reordered,
    "initials": initials,
    "without middle name": without_middle,
    "marks": without_marks,
    "hyphens": hyphenated,
    "title and surname": titled,
    "badly read": badly_read,
    "cut or run together": run_together,
}


def naming(count: int, seed: int = 7) -> Iterator[Sample]:
    """Make texts that name somebody, as many of each kind; offices among them."""
    chance = random.Random(seed)
    for kind, way in WAYS.items():
        for number in range(count):
            person = PEOPLE[number % len(PEOPLE)]
            yield Sample(kind, _in_prose(chance, way(chance, person.names[0])), person.person)
    for number in range(count):
        person = PEOPLE[number % len(ROLES)]
        yield Sample(
            "office",
            _in_prose(chance, f"the {chance.choice(person.offices).removeprefix('the ')}"),
            person.person,
        )


def naming_nobody(count: int, seed: int = 11) -> Iterator[Sample]:
    """Make texts that name others: anybody, namesakes by one name, and offices that are only written to."""
    chance = random.Random(seed)
    for _ in range(count):
        other = f"{chance.choice(GIVEN)} {chance.choice(SURNAMES)}"
        yield Sample("others", _in_prose(chance, other), None)
        yield Sample("only written to", _in_prose(chance, other, HARMLESS), None)
        given, surname = apart(chance.choice(NAMES))
        shared = chance.choice([f"{given.split()[0]} {chance.choice(SURNAMES[:10])}", f"Victor {surname}"])
        yield Sample("one name shared", _in_prose(chance, shared), None)


def _in_prose(chance: random.Random, who: str, texts: tuple[str, ...] = PROSE) -> str:
    return chance.choice(texts).format(who=who, day=chance.randint(2, 30))


def wrong(samples: Iterator[Sample]) -> tuple[Counter[str], Counter[str], list[Sample]]:
    """Screen samples: how many of each kind there are, how many were missed or false alarms, and which."""
    every: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    which: list[Sample] = []
    for one in samples:
        every[one.kind] += 1
        found = screen_widely(PEOPLE, [Passage(Where.PAGE_TEXT, one.text)], (), readable=True).people
        if (one.person not in found) if one.person is not None else found:
            faults[one.kind] += 1
            which.append(one)
    return every, faults, which


def main() -> int:
    """Print the figures, and with --show the samples that went wrong."""
    for title, samples in (("missed", naming(400)), ("false alarms", naming_nobody(1_500))):
        every, faults, which = wrong(samples)
        sys.stdout.write(f"{title}: {faults.total()} of {every.total()}\n")
        for kind, count in every.items():
            sys.stdout.write(f"  {kind:<22} {faults[kind]:>5} of {count}\n")
        if "--show" in sys.argv:
            sys.stdout.writelines(f"    {one.kind}: {one.person} {one.text!r}\n" for one in which[:60])
    return 0


if __name__ == "__main__":
    sys.exit(main())

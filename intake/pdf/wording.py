"""What the words of a page say about a signature; pure text, no file.

Nothing here decides: a mention is evidence that `verdict` weighs with what can be seen on the page.
Conformed signatures ("/s/") are usual in filings; see also KRS 369.102(8) for what an electronic
signature may be (law.md, records).
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest


class Mention(StrEnum):
    """A way in which words can speak of a signature."""

    CONFORMED = "conformed"  # a line "/s/ Name"
    QUOTED = "quoted"  # "/s/" inside a sentence
    LABELLED = "labelled"  # "Signature: Name"
    SERVICE = "service"  # "Electronically signed by: Name"
    BLANK = "blank"  # "Signature: ______"


@dataclass(frozen=True, slots=True)
class Wording:
    """One mention on a page.

    Attributes:
        kind: how it speaks of a signature.
        name: the name it gives; empty where it gives none.
        start: index of its first character in the page's text.
        end: index after its last character.
        exhibit: it stands below a heading "Exhibit", "Attachment" or "Appendix" of the same page.
        other: its label speaks of a notary, witness, clerk or respondent.
    """

    kind: Mention
    name: str
    start: int
    end: int
    exhibit: bool = False
    other: bool = False


_LABEL = (
    r"(?:(?:complainant(?:['’]s)?|my|your|petitioner(?:['’]s)?|affiant(?:['’]s)?|claimant(?:['’]s)?"
    r"|witness(?:['’]s)?|notary(?:\s+public)?(?:['’]s)?|respondent(?:['’]s)?)\s+)?"
    r"(?:signature|signed|sign(?:\s+here)?|firma(?:do)?(?:\s+por)?|fdo\.?|subscribed|executed"
    r"|unterschrift|unterzeichnet|gezeichnet|gez\.?|sign[ée]e?|firmato|assinatura|assinado|handtekening|ondertekend|getekend|podpis(?:ano)?"
    r"|underskrift|allekirjoitus|подпись|署名|签名|签字|簽名|簽署|서명|توقيع)"
    r"(?:\s+(?:of|by|del?|de\s+la)(?:\s+(?:the\s+)?[\w'’/]+){0,3})?"
)
_MARK = (
    r"(?:[/\\]{1,2}\s?[sS]\s?[/\\]{1,2}|(?<![\w/])[sS]/(?=\s?[A-ZÀ-Þ])"
    r"|\((?:[sS]|[sS]gd\.?|SGD\.?|[sS]igned|SIGNED|gez\.)\)(?=\s+[A-ZÀ-Þ])|(?<!\w)[sS]gd\.?(?=[:\s]\s*[A-ZÀ-Þ]))"
)
_CONFORMED = re.compile(
    rf"^[\s>*_.·-]*(?:(?:by|por|x|{_LABEL})\s*[:.]?\s*)?[_\s]*{_MARK}\s*(?P<rest>.*)$", re.IGNORECASE
)
_ANY_MARK = re.compile(_MARK)
_LABELLED = re.compile(rf"^\W*{_LABEL}\s*(?:\([^)]*\)\s*)?[:.：]\s*(?P<rest>.*)$", re.IGNORECASE)
_BLANK_BELOW = re.compile(rf"^\W*{_LABEL}\W*$", re.IGNORECASE)
_BLANK_CROSS = re.compile(r"^\s*[xX]\s*[:.]?\s*_{4,}\s*$")
_SERVICE = re.compile(
    r"^\W*(?:(?:electronically|digitally|e-?)[\s-]*signed\s+(?:by|via|with|using)"
    r"|(?:docusigned|signed\s+(?:via|with|using)\s+\w+)\s*(?:by)?"
    r"|firmad[oa]\s+(?:electr[oó]nicamente|digitalmente)\s+por)\s*:?\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_STAMPED_NAME = re.compile(
    r"^\s*(?P<rest>[^()\d]{3,70}?)\s*\((?:[A-Z][a-z]{2}\s+\d{1,2},\s+\d{4}|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})[,\s]+\d{1,2}:\d{2}[^()]{0,30}\)\s*$"
)
"""A name with the minute in brackets: what signing services write below a mark when they flatten it."""

_RULE = re.compile(r"^\s*_{4,}\s*$")
_EXHIBIT = re.compile(
    r"^\W*(?:exhibit|attachment|appendix|annex|enclosure|anexo|ap[eé]ndice)\b", re.IGNORECASE
)
_OTHER = re.compile(
    r"notar|witness|testigo|clerk|staff|officer|respondent|received\s+by|commission\s+expires|sworn",
    re.IGNORECASE,
)
_SPEAKS_OF_SIGNING = re.compile(
    r"\be-?sign(?:ed|ature)\b|\b(?:electronic(?:ally)?|digital(?:ly)?)[\s-]+sign(?:ed|ature)"
    r"|docu\s?sign|adobe\s+(?:acrobat\s+)?sign|hello\s?sign|dropbox\s+sign|pandadoc|signnow|signwell|echosign"
    r"|\b(?:envelope|transaction|document|signature|signer)\s+id\b|certificate\s+of\s+completion|audit\s+trail"
    r"|\bfirm(?:a|ad[oa])\s+(?:electr[oó]nica|digital)|\bsign(?:ed|ing)?\s+(?:\w+\s+){0,5}electronically"
    r"|\btyp(?:ing|ed)\s+(?:in\s+)?my\s+(?:full\s+)?name|\bmy\s+typed\s+name|\bname\s+(?:typed\s+)?(?:below|above|here)\s+(?:is|as|serves|constitutes)",
    re.IGNORECASE,
)
_WORDS_OF_A_HEADING = 5
_DATE_TAIL = re.compile(r"[\s,;_(-]*\b(?:date|dated|fecha|on|title|phone)\b\s*[:_(]?.*$", re.IGNORECASE)
_MONTH = re.compile(r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?$", re.IGNORECASE)
_PARTICLES = frozenset(
    {"de", "del", "la", "las", "los", "van", "von", "der", "den", "da", "di", "dos", "y", "bin", "al"}
)
_NO_NAMES = frozenset(
    [
        "date",
        "dated",
        "printed",
        "print",
        "name",
        "title",
        "address",
        "phone",
        "see",
        "attached",
        "required",
        "here",
        "please",
        "signature",
        "signed",
        "page",
        "this",
        "the",
        "and",
        "yes",
        "no",
        "none",
        "not",
        "exhibit",
        "mr",
        "mrs",
        "ms",
        "dr",
        "on",
        "in",
        "of",
        "electronic",
        "electronically",
        "received",
        "approved",
        "with",
        "under",
    ]
)
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "esq", "md", "phd"})
_MOST_TOKENS = 7
_MOST_NAMES = 40
_NAME_SOURCES = (
    re.compile(
        r"\b(?:I|Yo|Ich|Je|Io|Eu|Ik|Jag|Jeg|Ja|Я)\s*,\s+(?:the\s+undersigned\s*,\s+)?(?P<name>[^,;:()\n]{3,70}?)\s*(?:,|\s(?:of|de|am|being|residing|hereby)\b)"
    ),
    re.compile(r"\b(?:[Mm]y\s+name\s+is|[Mm]e\s+llamo|[Mm]i\s+nombre\s+es)\s+(?P<name>[^,;:()\n]{3,70})"),
    re.compile(
        r"^\W*(?:(?:printed|print|typed|full|your|complainant(?:['’]s)?)\s+)*name\s*(?:of\s+complainant\s*)?"
        r"(?:\([^)]*\)\s*)?:\s*_*(?P<name>[^:\n]{3,70})",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        r"^\W*(?:complainant|petitioner|denunciante|nombre(?:\s+completo)?(?:\s+del?\s+\w+)?|from|de)\s*:\s*_*(?P<name>[^:\n]{3,70})",
        re.IGNORECASE | re.MULTILINE,
    ),
)


def as_name(words: str) -> str:
    """Give the person's name that the words begin with; empty where they do not read like one.

    A name is one to seven words, each with a capital (or a particle such as "de"), and nothing but a
    date or a comma after it.
    """
    kept: list[str] = []
    rest = words.strip().strip("_").strip()
    tokens = rest.split()
    for token, after in zip_longest(tokens, tokens[1:], fillvalue=""):
        if token.startswith("(") or (_MONTH.match(token) and after[:1].isdigit()):
            break
        bare = token.strip(",;()_")
        if not bare or bare.casefold().strip(".") in _NO_NAMES or not _is_name_word(bare):
            break
        kept.append(bare)
        if token.endswith((",", ";", ")")) and not _is_suffix_next(rest, token):
            break
        if len(kept) == _MOST_TOKENS:
            break
    while kept and kept[-1].casefold() in _PARTICLES:
        kept.pop()
    return " ".join(kept)


def _is_suffix_next(rest: str, token: str) -> bool:
    after = rest[rest.find(token) + len(token) :].split()
    return bool(after) and after[0].strip(".,").casefold() in _SUFFIXES


def _is_name_word(word: str) -> bool:
    if word.casefold() in _PARTICLES:
        return True
    return (word[0].isupper() or unicodedata.category(word[0]) == "Lo") and all(
        part.isalpha() or part in ".'’-" or unicodedata.combining(part) for part in word
    )


def name_key(name: str) -> tuple[str, ...]:
    """Give a name's words without case, marks and suffixes, for comparing."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    words = re.findall(r"[^\W\d_]+", plain.replace("'", "").replace("’", ""))
    return tuple(word for word in words if word not in _SUFFIXES)


def same_person(one: str, other: str) -> bool:
    """Say whether two names can be one person's: same last word, first words equal or an initial."""
    first, second = name_key(one), name_key(other)
    if not first or not second:
        return False
    if set(first) == set(second):
        return True
    if first[-1] != second[-1] or len(first) == 1 or len(second) == 1:
        return False
    short, long = sorted((first[0], second[0]), key=len)
    return long.startswith(short) if len(short) == 1 else short == long


def stated_names(text: str) -> tuple[str, ...]:
    """Give the names by which the writer of a paper calls himself ("I, Name, of ...", "Printed name: ...")."""
    found: list[str] = []
    for source in _NAME_SOURCES:
        for match in source.finditer(text):
            name = as_name(_DATE_TAIL.sub("", match["name"]))
            before = text[max(0, match.start() - 60) : match.start()]
            if len(name_key(name)) >= 2 and not re.search(  # noqa: PLR2004  a first and a last name
                r"respondent|accused|against|denunciado", before, re.IGNORECASE
            ):
                found.append(name)
            if len(found) >= _MOST_NAMES:
                return tuple(dict.fromkeys(found))
    return tuple(dict.fromkeys(found))


def mentions(text: str) -> tuple[Wording, ...]:
    """Give every mention of a signature on one page, in reading order.

    Args:
        text: the page's text with its line ends.
    """
    lines = list(_lines(text))
    found: list[Wording] = []
    exhibit = False
    for number, (start, line) in enumerate(lines):
        exhibit = exhibit or _EXHIBIT.match(line) is not None
        following = lines[number + 1][1] if number + 1 < len(lines) else ""
        before = lines[number - 1][1] if number else ""
        read = _read_line(line, before, following)
        if read == (Mention.BLANK, "") and line.rstrip().endswith((":", "：")) and _is_full_name(following):
            read = Mention.QUOTED, ""  # a name under the label: typed there, or printed for the pen above it
        above = lines[number - 2][1] if number > 1 and _RULE.match(before) else before
        if read == (Mention.BLANK, "") and _BLANK_BELOW.match(line) and _is_full_name(above):
            read = Mention.QUOTED, ""  # a name typed over the rule under which the caption stands
        if read is not None:
            kind, name = read
            other = _OTHER.search(line) is not None or (
                kind is Mention.BLANK and _is_heading(before) and _OTHER.search(before) is not None
            )
            found.append(Wording(kind, name, start, start + len(line), exhibit, other))
    return tuple(found)


def speaks_of_exhibit(text: str) -> bool:
    """Say whether a page begins as an exhibit, attachment or appendix."""
    return any(_EXHIBIT.match(line) for _, line in list(_lines(text))[:4])


def _is_full_name(line: str) -> bool:
    return len(name_key(_sole_name(line))) >= 2  # noqa: PLR2004  a first and a last name


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for match in re.finditer(r"[^\r\n]+", text):
        if match[0].strip():
            yield match.start(), match[0]


def _read_line(line: str, before: str, following: str) -> tuple[Mention, str] | None:  # noqa: PLR0911  one answer a form of words, first come
    if len(line) > 400:  # noqa: PLR2004  no signature line is as long; keeps the patterns cheap
        return (Mention.QUOTED, "") if _ANY_MARK.search(line) else None
    if conformed := _CONFORMED.match(line):
        return _conformed(conformed["rest"], before, following)
    if _ANY_MARK.search(line):
        return Mention.QUOTED, ""
    if service := _SERVICE.match(line):
        return Mention.SERVICE, _sole_name(service["rest"]) or _sole_name(following)
    if named := _STAMPED_NAME.match(line):
        return Mention.SERVICE, _sole_name(named["rest"])
    if labelled := _LABELLED.match(line):
        return _labelled(labelled["rest"])
    if _BLANK_CROSS.match(line) or _BLANK_BELOW.match(line):
        return Mention.BLANK, ""
    return (Mention.QUOTED, "") if _SPEAKS_OF_SIGNING.search(line) else None


def _conformed(rest: str, before: str, following: str) -> tuple[Mention, str]:
    if rest.strip(" _"):
        name = _sole_name(rest)
        return (
            (Mention.CONFORMED, name) if name and not _open_quote(before) else (Mention.QUOTED, as_name(rest))
        )
    name = _sole_name(following)
    return (Mention.CONFORMED, name) if name else (Mention.QUOTED, "")


def _is_heading(line: str) -> bool:
    """Say whether a line is a label for what follows ("Notary public:") and not the end of a sentence."""
    return len(line.split()) <= _WORDS_OF_A_HEADING and not line.rstrip().endswith(".")


def _open_quote(before: str) -> bool:
    """Say whether the line above leaves a quotation open, so that this line is part of it."""
    straight = len(re.findall(r"(?<!\w)['\"]|['\"](?!\w)", before))
    return straight % 2 == 1 or before.count("“") > before.count("”")


def _labelled(rest: str) -> tuple[Mention, str] | None:
    value = _DATE_TAIL.sub("", rest)
    if not value.strip(" _.:-–—xX/()"):
        return Mention.BLANK, ""
    name = _sole_name(value)
    return (Mention.LABELLED, name) if len(name_key(name)) >= 2 else (Mention.QUOTED, "")  # noqa: PLR2004  a first and a last name


def _sole_name(words: str) -> str:
    """Give the name where the words are a name and at most a date; empty where a sentence goes on."""
    name = as_name(words)
    if not name:
        return ""
    plain = words.strip().strip("_").strip()
    last = name.split()[-1]
    tail = plain[plain.rfind(last) + len(last) :].strip(" ,;._")
    if not tail or re.match(
        r"^(?:\(|\d|dated?\b|on\b|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|complainant)",
        tail,
        re.IGNORECASE,
    ):
        return name
    return ""

"""Index of an exported case: what is in the bundle, readable on paper and in a browser (C8)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape as html_escape
from typing import ClassVar

from store.letters.characters import shown
from store.letters.letter import Letter, LetterKind
from store.letters.wording import plain_instant

_STYLE = (
    "body{font:16px/1.45 'Noto Sans',sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1f2a44}"
    "table{border-collapse:collapse;margin:.6rem 0 1.6rem;width:100%}caption{text-align:left;font-weight:bold}"
    "th,td{border-bottom:1px solid #c9d1e3;padding:.3rem .5rem;text-align:left;vertical-align:top}"
    "code{font-size:.75rem;word-break:break-all}img{max-width:100%}.seal{border:2px solid;padding:.5rem 1rem}"
)


@dataclass(frozen=True)
class IndexedParty:
    """A party: what it is, its name, office, and how it is reached; what is withheld is empty."""

    role: str
    name: str
    office: str = ""
    reached: str = ""


@dataclass(frozen=True)
class IndexedStep:
    """A duty or right: what, under which clause, for whom, until when, and where it stands."""

    what: str
    clause: str
    whom: str
    act_by: str
    last: str
    stands: str


@dataclass(frozen=True)
class Happening:
    """One recorded fact: when, what, by whom, and in which entry of the journal."""

    at: str
    what: str
    by: str
    entry: int


@dataclass(frozen=True)
class IndexedBallot:
    """A ballot: question, about whom, how it ended, its printed arithmetic, and each vote by name."""

    question: str
    whom: str
    outcome: str
    arithmetic: str
    votes: str


@dataclass(frozen=True)
class Conclusion:
    """What the Board found and decided about one respondent, in its words."""

    whom: str
    concluded: str
    findings: str


@dataclass(frozen=True)
class IndexedFile:
    """A file of the bundle: its name in it, what it is, and its SHA-256."""

    name: str
    what: str
    sha256: str


@dataclass(frozen=True)
class Withheld:
    """Something that the bundle leaves out, why, and under which rule."""

    what: str
    why: str
    rule: str


@dataclass(frozen=True, kw_only=True)
class CaseIndex(Letter):
    """The index.

    Attributes:
        purpose: for what the bundle was made.
        made_at: when, in the city's zone.
        received_at: when the complaint was received, in the city's zone.
        stage: where the case stands.
        head: number and hash of the journal's newest entry in the bundle; empty where it holds no journal.
        timeline_svg: the picture of the case in time.
        timeline_words: the same in words, one line each.
        parties, steps, ballots, conclusions, happenings, files, withheld: as their classes say.

    Source: product.md C8.
    """

    kind: ClassVar = LetterKind.CASE_INDEX
    clause: ClassVar = "C-confidential"
    required: ClassVar = ("purpose", "made_at", "received_at", "files", "withheld", "timeline_svg")

    purpose: str
    made_at: datetime
    received_at: datetime
    stage: str
    head: str
    timeline_svg: str
    timeline_words: tuple[str, ...]
    parties: tuple[IndexedParty, ...]
    steps: tuple[IndexedStep, ...]
    ballots: tuple[IndexedBallot, ...] = ()
    conclusions: tuple[Conclusion, ...] = ()
    happenings: tuple[Happening, ...] = ()
    files: tuple[IndexedFile, ...] = ()
    withheld: tuple[Withheld, ...] = ()

    def subject(self) -> str:
        """Say the case number."""
        return self._numbered("index of the exported file")


def as_html(index: CaseIndex, *, picture: str) -> str:
    """Write the index as one page that needs nothing from elsewhere and runs nothing.

    Args:
        index: the index.
        picture: the timeline's name in the bundle.
    """
    title = escape(index.subject())
    parts = [
        f"<h1>{title}</h1>",
        f'<p class="seal"><strong>{escape(index.purpose)}</strong></p>',
        _table(
            "The case",
            ("", ""),
            (
                ("Board", index.letterhead.board),
                ("Received", plain_instant(index.received_at)),
                ("Stage", index.stage),
                ("Exported", plain_instant(index.made_at)),
                ("Journal up to", index.head),
            ),
        ),
        "<h2>In time</h2>",
        f'<p><img src="{escape(picture)}" alt="{escape(index.timeline_words[0])} The lines below say the same."></p>',
        f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in index.timeline_words[1:])}</ul>",
        _table(
            "Parties",
            ("Role", "Name", "Office", "Reached"),
            ((one.role, one.name, one.office, one.reached) for one in index.parties),
        ),
        _table(
            "Duties and rights",
            ("What", "Clause", "For", "Act by", "Lawful last day", "Stands"),
            ((one.what, one.clause, one.whom, one.act_by, one.last, one.stands) for one in index.steps),
        ),
        _table(
            "Ballots",
            ("Question", "About", "Outcome", "Count", "Votes by name"),
            ((one.question, one.whom, one.outcome, one.arithmetic, one.votes) for one in index.ballots),
        ),
        _table(
            "Conclusions of the Board",
            ("About", "Concluded", "Findings"),
            ((one.whom, one.concluded, one.findings) for one in index.conclusions),
        ),
        _table(
            "What was recorded",
            ("When", "What", "By", "Entry"),
            ((one.at, one.what, one.by, one.entry) for one in index.happenings),
        ),
        _files(index.files),
        _table(
            "Left out",
            ("What", "Why", "Rule"),
            ((one.what, one.why, one.rule) for one in index.withheld)
            if index.withheld
            else (("Nothing", "", ""),),
        ),
        "<p>To prove that all of this is as it was exported: <code>python3 check.py</code> in this folder.</p>",
    ]
    return (
        f'<!doctype html>\n<html lang="en-US"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n<body><main>\n'
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )


def escape(text: str) -> str:
    """Give a text as HTML; nothing in it is markup, nor turns the reading direction of what stands beside it."""
    return html_escape(shown(text))


def _table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{_cell(one)}</td>' for one in row)}</tr>\n" for row in rows)
    if not body:
        return ""
    named = "".join(f'<th scope="col">{escape(one)}</th>' for one in head) if any(head) else ""
    return f"<table><caption>{escape(caption)}</caption>\n<thead><tr>{named}</tr></thead>\n<tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    return escape(str(value)).replace("\n", "<br>")


def _files(files: Iterable[IndexedFile]) -> str:
    rows = "".join(
        f'<tr><td><a href="{escape(one.name)}">{escape(one.name)}</a></td><td>{escape(one.what)}</td>'
        f"<td><code>{escape(one.sha256)}</code></td></tr>\n"
        for one in files
    )
    head = "".join(f'<th scope="col">{one}</th>' for one in ("File", "What it is", "SHA-256"))
    return f"<table><caption>Files</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>"

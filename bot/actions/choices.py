"""What several forms let a person choose from: respondents, parties, papers; for the one person who asked."""

from collections.abc import Iterable, Sequence

from bot import blocks
from bot.desk import Desk
from store.cases import Look, Paper, papers
from store.proceedings.offices import LETTER
from store.rules.casefile import Party
from store.rules.errors import NotNow

TRACK = "track"
_LONGEST = 70


def labelled(parties: Iterable[Party]) -> list[tuple[str, str]]:
    """Give parties by id and name, numbered."""
    return [
        (str(one.id), blocks.clip(f"{place}. {one.named.name}", _LONGEST))
        for place, one in enumerate(parties, start=1)
    ]


def track_choice(seen: Look, wanted: Sequence[int], none: str, clause: str) -> blocks.Json:
    """Give the choice of a respondent among those for whom an act is open.

    Raises:
        NotNow: it is open for nobody.
    """
    choices = [pair for pair in labelled(seen.case.respondents) if int(pair[0]) in set(wanted)]
    if not choices:
        raise NotNow(none, clause=clause)
    return blocks.select(TRACK, "Which respondent?", choices, initial=choices[0][0])


def papers_that_came(desk: Desk, seen: Look) -> list[tuple[str, str]]:
    """Give the papers that came to the Board, by id, newest last."""
    return [
        (str(one.id), label(place, one))
        for place, one in enumerate(kept(desk, seen), start=1)
        if not one.kind.startswith((LETTER, "manifest"))
    ][-90:]


def kept(desk: Desk, seen: Look) -> list[Paper]:
    """Give every document of a case."""
    with desk.docket.database.read() as session:
        return papers(desk.docket, session, seen.case.key)


def label(place: int, paper: Paper) -> str:
    """Name a document in a choice: its place in the file, what it is, and its name."""
    return blocks.clip(f"{place}. {paper.kind.removeprefix(LETTER)}: {paper.name}", _LONGEST)

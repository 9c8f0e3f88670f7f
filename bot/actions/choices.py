"""What several forms let a person choose from: respondents, parties, papers; for the one person who asked."""

from collections.abc import Iterable, Sequence

from bot import blocks, words
from bot.desk import Desk
from bot.payloads import NOBODY
from store.cases import Look, Paper, papers_for
from store.proceedings.offices import LETTER
from store.rules import evidence
from store.rules.casefile import Party
from store.rules.errors import NotNow
from store.rules.facts import Role
from store.rules.spoken import spoken

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
        raise NotNow(none, clause=clause, mend="See what happens next in the case.")
    return blocks.select(TRACK, "Which respondent?", choices, initial=choices[0][0])


def people(seen: Look) -> list[tuple[str, str]]:
    """Give who has a role today, by id and name."""
    return [
        (str(person), blocks.clip(member.name, _LONGEST))
        for person, member in sorted(seen.people.members.items())
        if member.roles(seen.today)
    ]


def papers_that_came(desk: Desk, seen: Look) -> list[tuple[str, str]]:
    """Give the papers that came to the Board, by id, newest last."""
    return [
        (str(one.id), label(place, one))
        for place, one in enumerate(kept(desk, seen), start=1)
        if not one.kind.startswith((LETTER, "manifest"))
    ]


def kept(desk: Desk, seen: Look) -> list[Paper]:
    """Give every document of a case that its viewer may see."""
    return papers_for(desk.docket, seen)


def label(place: int, paper: Paper) -> str:
    """Name a document in a choice: its place in the file, what it is, and its name."""
    active = " (active content)" if acts(paper) else ""
    said = blocks.clip(f"{place}. {spoken(paper.kind)}: {paper.name}", _LONGEST - len(active))
    return f"{said}{active}"


def acts(paper: Paper) -> bool:
    """Say whether active content was found in a paper."""
    found = evidence.from_json(paper.finding)
    return found is not None and found.active_content


def warning_before_sending(papers: Iterable[Paper]) -> list[blocks.Json]:
    """Name active content before papers are sent on to a person; what goes is the original, byte for byte."""
    places = [str(place) for place, one in enumerate(papers, start=1) if acts(one)]
    if not places:
        return []
    return [
        blocks.section(
            f"*Active content* in paper {', '.join(places)} of those that go with it: {evidence.ACTIVE} It is "
            "served as it came, byte for byte; say so to whoever receives it."
        )
    ]


def party_choice(seen: Look, block: str, label: str, *, none: str = "") -> blocks.Json:
    """Give the choice of a party or counsel of the case; with `none`, nobody can be chosen, in these words."""
    parties = [
        (str(one.id), blocks.clip(f"{words.PARTY_ROLES[one.role]}: {one.named.name}", _LONGEST))
        for one in seen.case.parties
        if not one.left
    ]
    choices = [*([(NOBODY, none)] if none else []), *parties]
    return blocks.select(block, label, choices, initial=choices[0][0] if choices else "")


def ruled_by_choice(seen: Look, block: str) -> blocks.Json:
    """Give the choice of who of the Board ruled; whoever is out of the case is none of them."""
    out = seen.case.recused | seen.case.walled_off
    people = [
        *seen.people.with_role(Role.CHAIR, seen.today),
        *(one for one in seen.people.voting(seen.today)),
        *seen.people.with_role(Role.ALTERNATE, seen.today),
    ]
    sitting = [one for one in dict.fromkeys(people) if one not in out]
    choices = [(str(one), blocks.clip(seen.people.name(one), _LONGEST)) for one in sitting]
    if not choices:
        raise NotNow(
            "Nobody of the Board is free to rule in this case.",
            clause="B-respond",
            mend="Seat an alternate, or ask the appointing authority.",
        )
    return blocks.select(block, "Who ruled?", choices, initial=choices[0][0])

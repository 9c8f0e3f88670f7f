"""Active content named on the command line, where papers are sent on to a person."""

from collections.abc import Sequence

from bot.cli.common import Caller, say
from store.cases import papers_for
from store.proceedings.writing import ACTIVE_CONTENT
from store.rules import evidence


def warn_of_letters(caller: Caller, number: str) -> None:
    """Name the letters that still wait and have a paper with active content with them."""
    waiting = [
        one.id
        for one in caller.glance(number).case.letters
        if ACTIVE_CONTENT in one.queued.flags and one.state.value == "queued"
    ]
    if waiting:
        say(
            f"Active content: a paper that goes with letter {', '.join(map(str, waiting))} acts when it is opened.",
            "It is served as it came, byte for byte; say so to whoever receives it, or: docket take-back.",
        )


def warn_of_papers(caller: Caller, number: str, documents: Sequence[int]) -> None:
    """Name those of some papers that carry active content."""
    acting = [
        str(one.id)
        for one in papers_for(caller.docket, caller.look(number))
        if one.id in documents and (found := evidence.from_json(one.finding)) and found.active_content
    ]
    if acting:
        say(f"Active content in document {', '.join(acting)}: {evidence.ACTIVE}")

"""The case in time, for somebody who may see it (R9)."""

from dataclasses import dataclass

from store.cases import Actor, Docket, act, look
from store.rules.access import Deed
from store.rules.timeline import in_words, svg, timeline


@dataclass(frozen=True, slots=True)
class Drawn:
    """A case's timeline: the picture as SVG, and the same in words, one line each; neither names anybody."""

    case_id: int
    number: str
    svg: str
    words: tuple[str, ...]


def draw_timeline(docket: Docket, actor: Actor, number: str, *, where: str) -> Drawn:
    """Draw a case in time; that somebody asked for it is an entry.

    Args:
        docket: the record.
        actor: who asks.
        number: the case's number.
        where: where it is shown: ``slack``, ``cli``.

    Raises:
        NoSuchCase: there is none that he may know of.
    """
    with act(docket, actor, Deed.SEE_CASE, number=number) as step:
        step.note["timeline"] = where
        key = step.case.key
    seen = look(docket, actor, key)
    line = timeline(seen.case, seen.steps, seen.profile.city.time_zone, seen.today)
    return Drawn(key, seen.case.number, svg(line), in_words(line))

"""The breach record: what reached whom that should not have, who was told, when, and what was done (C9)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from store.cases import Act, Actor, Docket, act, board_facts, case_by_number
from store.proceedings.days import check_past_day, past_instant
from store.rules.access import Deed
from store.rules.errors import AlreadyDone, BadInput
from store.rules.facts import BreachEnded, BreachRecorded, BreachTold

CLAUSE = "KRS 61.931-934"


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach as it stands: what, who was told, and what ended it."""

    id: int
    recorded: BreachRecorded
    recorded_at: datetime
    told: tuple[BreachTold, ...]
    ended: BreachEnded | None


def record_breach(
    docket: Docket,
    actor: Actor,
    *,
    found_at: datetime,
    what: str,
    since: date | None = None,
    numbers: Sequence[str] = (),
) -> int:
    """Record that confidential content reached somebody who was not entitled to it.

    Args:
        docket: the record.
        actor: clerk, chair, counsel or IT.
        found_at: when it was found, aware.
        what: what happened; names nobody who need not be named.
        since: the day on which it began, if known.
        numbers: the cases concerned; whoever records it need not be able to see them.

    Returns:
        The breach's id.

    Raises:
        BadInput: no words, an instant or a day that lies ahead, or a number that is none.
        AlreadyDone: it is on the record.
    """
    with act(docket, actor, Deed.RECORD_BREACH) as step:
        if not what.strip():
            raise BadInput("A breach is recorded with what happened.", mend="Say it.")
        instant = past_instant(step, found_at)
        if since is not None:
            check_past_day(step, since)
        known = tuple(number.strip().upper() for number in numbers)
        if any(case_by_number(step.session, number) is None for number in known):
            raise BadInput("One of these numbers was never given to a case.", mend="Check the numbers.")
        fact = BreachRecorded(instant, what.strip(), since, known)
        if any(one.recorded == fact for one in _breaches(step)):
            raise AlreadyDone("This breach is on the record.", clause=CLAUSE)
        return step.record(fact)


def record_telling(docket: Docket, actor: Actor, breach: int, *, whom: str, at: datetime, how: str) -> None:
    """Record that somebody was told of a breach.

    Args:
        docket: the record.
        actor: clerk, chair, counsel or IT.
        breach: its id.
        whom: who was told: a person, an office.
        at: when, aware.
        how: by what way, and how that is known.

    Raises:
        BadInput: there is no such breach, something is missing, or the instant lies ahead or before it was found.
        AlreadyDone: it is on the record.
    """
    with act(docket, actor, Deed.RECORD_BREACH) as step:
        found = _breach(step, breach)
        if not whom.strip() or not how.strip():
            raise BadInput("A notice of a breach is recorded with who was told, and how.", mend="Say both.")
        fact = BreachTold(whom.strip(), past_instant(step, at), how.strip())
        if fact.at < found.recorded.found_at:
            raise BadInput(
                "Nobody is told of a breach before it was found; nothing was changed.",
                clause=CLAUSE,
                mend="Check the day and the hour.",
            )
        if fact in found.told:
            raise AlreadyDone("This telling is on the record.", clause=CLAUSE)
        step.record(fact, about=breach)


def end_breach(docket: Docket, actor: Actor, breach: int, *, what: str) -> None:
    """Record what was done about a breach.

    Raises:
        BadInput: there is no such breach, or no words.
        AlreadyDone: its end is on the record.
    """
    with act(docket, actor, Deed.RECORD_BREACH) as step:
        found = _breach(step, breach)
        if not what.strip():
            raise BadInput("The end of a breach is recorded with what was done.", mend="Say it.")
        if found.ended is not None:
            raise AlreadyDone("The end of this breach is on the record.", clause=CLAUSE)
        step.record(BreachEnded(step.now, what.strip()), about=breach)


def breaches(docket: Docket, actor: Actor) -> tuple[Breach, ...]:
    """Give every breach on the record.

    Raises:
        NotAllowed: it is not his to see.
    """
    with act(docket, actor, Deed.RECORD_BREACH) as step:
        step.note["what"] = "shown"
        return _breaches(step)


def _breaches(step: Act) -> tuple[Breach, ...]:
    facts = list(board_facts(step.docket, step.session, BreachRecorded, BreachTold, BreachEnded))
    found = []
    for one in facts:
        if isinstance(one.fact, BreachRecorded):
            about = [other.fact for other in facts if other.about == one.id]
            told = tuple(fact for fact in about if isinstance(fact, BreachTold))
            ended = [fact for fact in about if isinstance(fact, BreachEnded)]
            found.append(Breach(one.id, one.fact, one.at, told, ended[0] if ended else None))
    return tuple(found)


def _breach(step: Act, breach: int) -> Breach:
    found = next((one for one in _breaches(step) if one.id == breach), None)
    if found is None:
        raise BadInput("There is no such breach on the record.", mend="See: docket breach show.")
    return found

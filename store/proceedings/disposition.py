"""Disposition: what follows a sufficient basis for one respondent, resting on the Board's ballots (clause (E)(1))."""

from collections.abc import Sequence
from dataclasses import dataclass

from store.cases import Act, Actor, Docket, act
from store.proceedings.ballot import deciding, tell_clerk_and_chair
from store.proceedings.offices import respondent
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.ballots import Outcome
from store.rules.casefile import BallotView, CaseFile, sufficient
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Disposed, Question


@dataclass(frozen=True, slots=True)
class Disposition:
    """What the Board decided for a track; neither reprimand nor hearing is no further action.

    Attributes:
        reprimand: a confidential reprimand goes to the City Commission, (E)(1)(a).
        hearing: the Board begins a hearing, (E)(1)(b).
        mitigating: ids of the profile's mitigating circumstances; for a reprimand only.
        words: further circumstances or reasons in the Board's words.
        ballots: ids of the ballots on which it rests; empty for the newest that decided each question.
    """

    reprimand: bool
    hearing: bool
    mitigating: tuple[str, ...] = ()
    words: str = ""
    ballots: Sequence[int] = ()


def dispose(docket: Docket, actor: Actor, number: str, track: int, decided: Disposition) -> int:
    """Record what follows for one respondent. It stands from the closing of the last ballot it rests on.

    Returns:
        The disposition's id.

    Raises:
        BadInput: the track is no respondent, a circumstance is none of the profile's, or a ballot that was
            named is none of this track.
        NotNow: no sufficient basis was determined, no carried ballot supports it, one is open, or a
            reprimand has no mitigating circumstance.
        AlreadyDone: it was decided before.

    Source: clause (E)(1); decisions 10.
    """
    with act(docket, actor, Deed.DISPOSE, number=number) as step:
        respondent(step, track)
        _check(step, track, decided)
        resting = _resting_on(step.case, track, decided)
        fact = Disposed(
            at=max(view.closed.at for view in resting if view.closed),
            reprimand=decided.reprimand,
            hearing=decided.hearing,
            ballots=tuple(view.id for view in resting),
            mitigating=tuple(dict.fromkeys(decided.mitigating)),
            words=decided.words.strip(),
        )
        disposed = step.record(fact, about=track)
        tell_clerk_and_chair(step, {"what": "disposed", "track": track})
        refresh_cards(step)
        return disposed


def _check(step: Act, track: int, decided: Disposition) -> None:
    determined = step.case.standing_determination(track)
    if determined is None or not sufficient(determined.fact):
        raise NotNow(
            "What follows is decided once a sufficient basis was determined.",
            clause="E1-notify",
            mend="Record the determination first.",
        )
    if step.case.standing_disposition(track) is not None:
        raise AlreadyDone(
            "What follows for this respondent was recorded.",
            clause="E1-notify",
            mend="The case can be reopened, with a reason.",
        )
    if any(view.is_open and view.track == track for view in step.case.ballots_since):
        raise NotNow(
            "A ballot on this respondent is open.",
            clause="E1-notify",
            mend="Close it, or have the chair void it, first.",
        )
    _check_circumstances(step, decided)


def _check_circumstances(step: Act, decided: Disposition) -> None:
    known = {one.id for one in step.profile.mitigating}
    if any(one not in known for one in decided.mitigating):
        raise BadInput(
            "A mitigating circumstance is none that the profile names.",
            clause="E1a-reprimand",
            mend=f"Known: {', '.join(sorted(known))}. Others are written in words.",
        )
    if decided.reprimand and not decided.mitigating and not decided.words.strip():
        raise NotNow(
            "A confidential reprimand is issued due to mitigating circumstances, and none is given.",
            clause="E1a-reprimand",
            mend="Choose at least one, or write it in words.",
        )
    if decided.mitigating and not decided.reprimand:
        raise BadInput(
            "Mitigating circumstances belong to a reprimand; nothing was changed.", clause="E1a-reprimand"
        )


_NAMES = {
    Question.REPRIMAND: "a reprimand",
    Question.HEARING: "a hearing",
    Question.NO_FURTHER_ACTION: "no further action",
}


def carried_for(case: CaseFile, track: int) -> dict[Question, BallotView]:
    """Give the ballots on what follows that stand carried: a later vote the other way takes an earlier's place."""
    found: dict[Question, BallotView] = {}
    for question in _NAMES:
        view = deciding(case, track, question)
        if view is not None and view.closed and view.closed.outcome == Outcome.CARRIED:
            found[question] = view
    nothing = found.get(Question.NO_FURTHER_ACTION)
    others = [view for question, view in found.items() if question is not Question.NO_FURTHER_ACTION]
    if nothing is not None and others:
        if nothing.id > max(view.id for view in others):
            return {Question.NO_FURTHER_ACTION: nothing}
        del found[Question.NO_FURTHER_ACTION]
    return found


def _resting_on(case: CaseFile, track: int, decided: Disposition) -> tuple[BallotView, ...]:
    wanted = {
        question
        for question, said in ((Question.REPRIMAND, decided.reprimand), (Question.HEARING, decided.hearing))
        if said
    } or {Question.NO_FURTHER_ACTION}
    carried = carried_for(case, track)
    for question in sorted(wanted - set(carried)):
        raise NotNow(
            f"No ballot that stands has carried {_NAMES[question]} for this respondent.",
            clause="E1-notify",
            mend="Open a ballot on it in a meeting, close it, then record what follows.",
        )
    for question in sorted(set(carried) - wanted):
        raise NotNow(
            f"The Board has carried {_NAMES[question]} as well; what is recorded follows the votes.",
            clause="E1-notify",
            mend="Record both, or put the question again.",
        )
    resting = tuple(sorted((carried[question] for question in wanted), key=lambda view: view.id))
    named = set(decided.ballots)
    if named and named != {view.id for view in resting}:
        raise BadInput(
            "The disposition rests on other ballots than those that were named; nothing was changed.",
            mend="Name the newest that decided each question, or none.",
        )
    return resting

"""Determination: what the Board concluded for one respondent, resting on its ballots (clause D)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from store.cases import Act, Actor, Docket, act
from store.ports import PingKind
from store.proceedings.ballot import deciding, tell_clerk_and_chair
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.ballots import Outcome
from store.rules.casefile import BallotView, CaseFile
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import BallotClosed, Determined, InquiryHeld, Question


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What the Board concluded for a track.

    Attributes:
        within_jurisdiction: the complaint is within the Board's jurisdiction.
        factual_basis: it alleges a minimal factual basis; None where that was not reached.
        findings: the Board's words, which the decision carries.
        ballots: ids of the ballots on which it rests; empty for the newest that decided each question.
        frivolous: the Board found it frivolous.
        meeting: the meeting of it; None for that of the last ballot.
    """

    within_jurisdiction: bool
    factual_basis: bool | None
    findings: str
    ballots: Sequence[int] = ()
    frivolous: bool = False
    meeting: int | None = None


def determine(docket: Docket, actor: Actor, number: str, track: int, conclusion: Conclusion) -> int:
    """Record the Board's determination for one respondent; the inquiry is concluded with the last one.

    It stands from the instant at which the last ballot it rests on was closed, since the Board
    concluded then, whenever it is written down.

    Returns:
        The determination's id.

    Raises:
        NotNow: no ballot supports it, one is open, or the findings are missing.
        AlreadyDone: it was determined before.
        BadInput: the track is no respondent, or a ballot is not of this track.

    Source: clause (D); B4, B5.
    """
    with act(docket, actor, Deed.DETERMINE, number=number) as step:
        _check(step, track, conclusion)
        resting = _resting_on(step.case, track, conclusion)
        instants = [view.closed.at for view in resting if view.closed]
        at = max(instants)
        fact = Determined(
            at=at,
            within_jurisdiction=conclusion.within_jurisdiction,
            factual_basis=conclusion.factual_basis,
            frivolous=conclusion.frivolous,
            findings=conclusion.findings.strip(),
            ballots=tuple(view.id for view in resting),
            meeting=conclusion.meeting or resting[-1].opened.meeting or None,
        )
        determined = step.record(fact, about=track)
        _conclude_inquiry(step, at, fact.meeting)
        tell_clerk_and_chair(step, {"track": track}, PingKind.DETERMINED)
        step.ping(PingKind.DETERMINED, about={"track": track})
        refresh_cards(step)
        return determined


def _check(step: Act, track: int, conclusion: Conclusion) -> None:
    case = step.case
    if track not in {one.id for one in case.respondents}:
        raise BadInput("A determination is about one respondent of the case; nothing was changed.")
    if case.standing_determination(track) is not None:
        raise AlreadyDone(
            "The Board has determined on this respondent.",
            clause="D-determine",
            mend="The case can be reopened, with a reason.",
        )
    if any(view.is_open and view.track == track for view in case.ballots):
        raise NotNow(
            "A ballot on this respondent is open.",
            clause="D-determine",
            mend="Close it, or have the chair void it, first.",
        )
    if not conclusion.findings.strip():
        raise NotNow(
            "The ordinance wants the conclusion in writing.", clause="D-terminate", mend="Write the findings."
        )


def _resting_on(case: CaseFile, track: int, conclusion: Conclusion) -> tuple[BallotView, ...]:
    """Give the ballots that support a conclusion, or refuse it."""
    needed = [_needed(case, track, question, yes=yes) for question, yes in _questions(conclusion)]
    named = set(conclusion.ballots)
    if named:
        _check_named(case, track, named, {view.id for view in needed})
    return tuple(sorted(needed, key=lambda view: view.id))


def _questions(conclusion: Conclusion) -> list[tuple[Question, bool]]:
    """Give the questions that a conclusion answers, each with its answer, in the ordinance's order."""
    if not conclusion.within_jurisdiction:
        if conclusion.factual_basis is not None or conclusion.frivolous:
            raise BadInput("Outside its jurisdiction the Board concludes nothing else; nothing was changed.")
        return [(Question.JURISDICTION, False)]
    answers = [(Question.JURISDICTION, True)]
    if conclusion.frivolous:
        answers.append((Question.FRIVOLOUS, True))
    if conclusion.factual_basis is not None:
        answers.append((Question.FACTUAL_BASIS, conclusion.factual_basis))
    elif not conclusion.frivolous:
        raise BadInput(
            "Within its jurisdiction the Board says whether there is a minimal factual basis.",
            mend="Vote on it first.",
        )
    return answers


_NAMES = {
    Question.JURISDICTION: "jurisdiction",
    Question.FACTUAL_BASIS: "minimal factual basis",
    Question.FRIVOLOUS: "whether it is frivolous",
}


def _needed(case: CaseFile, track: int, question: Question, *, yes: bool) -> BallotView:
    view = deciding(case, track, question)
    if view is None or view.closed is None:
        raise NotNow(
            f"No closed ballot has decided on {_NAMES[question]} for this respondent.",
            clause="D-determine",
            mend="Open a ballot on it in a meeting, close it, then record the determination.",
        )
    if not _supports(view.closed, yes=yes):
        raise NotNow(
            f"The ballot on {_NAMES[question]} does not support this determination.",
            clause="D-determine",
            mend="Record what the Board voted, or put the question again.",
        )
    return view


def _supports(closed: BallotClosed, *, yes: bool) -> bool:
    """Say whether a count supports an answer: a motion that merely failed does not carry the contrary."""
    if yes:
        return closed.outcome == Outcome.CARRIED
    return closed.outcome == Outcome.FAILED and closed.contrary_carries


def _check_named(case: CaseFile, track: int, named: set[int], needed: set[int]) -> None:
    for ballot in named:
        view = case.ballot(ballot)
        if view is None or view.track != track:
            raise BadInput("A ballot that was named is not one on this respondent; nothing was changed.")
        if view.closed is None or view.voided is not None:
            raise NotNow(
                "A ballot that was named is not closed, or was voided.",
                clause="D-determine",
                mend="Name ballots that were closed and stand, or none.",
            )
    if not needed <= named:
        raise NotNow(
            "The determination rests on other ballots than those that were named.",
            clause="D-determine",
            mend="Name the newest that decided each question.",
        )


def _conclude_inquiry(step: Act, at: datetime, meeting: int | None) -> None:
    """Record the end of the inquiry with the last respondent's determination."""
    case = step.case
    if any(one.fact.concluded for one in case.all(InquiryHeld)):
        return
    if all(case.standing_determination(one.id) is not None for one in case.respondents):
        day = local_date(at, step.profile.city.time_zone)
        step.record(InquiryHeld(day, concluded=True, meeting=meeting, at=at))

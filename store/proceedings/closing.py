"""Closing the file once every track is final, and holds that stop its disposal (decisions 6; KRS 171.410-740)."""

from collections.abc import Sequence

from store.cases import Act, Actor, Docket, Look, act
from store.proceedings.ballot import tell_clerk_and_chair
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import CaseFile
from store.rules.duties import Step, steps
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import CaseClosed, HoldLifted, HoldPlaced
from store.rules.ordinance import Fulfilled, Per
from store.rules.stages import Next, may_close_unheard, waits_for_commission
from store.rules.undelivered import in_words, undelivered, unsent_results

CLAUSE = "C-confidential"
_OWED_ANYWAY = frozenset({Fulfilled.ACKNOWLEDGED, Fulfilled.REFERRAL_RECORDED})


def close_case(docket: Docket, actor: Actor, number: str, words: str = "") -> int:
    """Close the file: every track is final, and nothing of it waits for anybody.

    A case in which the Board determined on nobody is closed with words only, where it was merged into
    another, where nobody can be named, or where it never became a proper complaint though that was asked for.

    Returns:
        The id of the closing.

    Raises:
        NotNow: something is open; the refusal says what.
        AlreadyDone: it is closed.
        BadInput: words are needed and none were given.

    Source: decisions 6.
    """
    with act(docket, actor, Deed.CLOSE_CASE, number=number) as step:
        case = step.case
        if case.closed:
            raise AlreadyDone("The file is closed.", clause=CLAUSE)
        waits = _open_in(step)
        if waits:
            raise NotNow(
                f"The file cannot be closed yet. Open: {'; '.join(waits)}.",
                clause=CLAUSE,
                mend="See what happens next in the case.",
            )
        if not case.final and not words.strip():
            raise BadInput(
                "A file in which the Board determined on nobody is closed with a reason only.",
                mend="Say why.",
            )
        key = step.record(CaseClosed(step.now, words.strip()))
        tell_clerk_and_chair(step, {"what": "closed"})
        refresh_cards(step)
        return key


def _open_in(step: Act) -> list[str]:
    return what_is_open(step.case, steps(step.case, step.profile, step.calendar, step.today))


def still_open(seen: Look) -> list[str]:
    """Say what stops a file from being closed, in words without a name; empty where nothing does."""
    return what_is_open(seen.case, seen.steps)


def what_is_open(case: CaseFile, every: Sequence[Step]) -> list[str]:
    """Say what stops a file from being closed: tracks that are not final, ballots, steps and letters that wait.

    A demand waits for the result of its public hearing: the track is final all the same (decisions 6; clause (E)(2)).
    """
    heard = case.final
    unheard = not heard and may_close_unheard(case)
    found: list[str] = []
    waiting = [place for place, one in enumerate(case.respondents, 1) if case.final_at(one.id) is None]
    if not heard and not unheard:
        found.append(_tracks(waiting, len(case.respondents)))
    if any(view.is_open for view in case.ballots):
        found.append("a ballot")
    found += dict.fromkeys(
        one.duty.what for one in every if one.is_open and _waits(case, one, unheard=unheard)
    )
    if not unheard and waits_for_commission(case):
        found.append(Next.RECORD_COMMISSION_RESULT.value)
    if unsent_results(case):
        found.append("send the result of the hearing to each party")
    return found + [in_words(case, one) for one in undelivered(case)]


def _tracks(waiting: Sequence[int], count: int) -> str:
    if not waiting:
        return "no respondent is named, nor that none can be"
    if count == 1:
        return "the respondent's track is not final"
    return f"the tracks of respondents {', '.join(map(str, waiting))} of {count} are not final"


def _waits(case: CaseFile, one: Step, *, unheard: bool) -> bool:
    """Say whether an open step stops the closing: what is owed to nobody whom anybody knows does not."""
    owed_to_nobody = one.duty.per is Per.COMPLAINANT and not case.complainants
    if owed_to_nobody:
        return False
    return bool(_OWED_ANYWAY & set(one.duty.done_by)) if unheard else True


def place_hold(docket: Docket, actor: Actor, number: str, *, reason: str) -> None:
    """Record a hold: nothing of the file is disposed of while it stands.

    Raises:
        BadInput: no reason.
        AlreadyDone: one stands.
    """
    with act(docket, actor, Deed.HOLD, number=number) as step:
        _reason(reason)
        if step.case.on_hold:
            raise AlreadyDone("A hold stands on this file.", clause="KRS 171.410-740")
        step.record(HoldPlaced(step.now, reason.strip()))
        refresh_cards(step)


def lift_hold(docket: Docket, actor: Actor, number: str, *, reason: str) -> None:
    """Record that a hold ended.

    Raises:
        BadInput: no reason.
        NotNow: none stands.
    """
    with act(docket, actor, Deed.HOLD, number=number) as step:
        _reason(reason)
        if not step.case.on_hold:
            raise NotNow(
                "No hold stands on this file.",
                clause="KRS 171.410-740",
                mend="The file can be disposed of by an approved list only.",
            )
        step.record(HoldLifted(step.now, reason.strip()))
        refresh_cards(step)


def _reason(reason: str) -> None:
    if not reason.strip():
        raise BadInput("A hold is placed and lifted with a reason only.", mend="Say why.")

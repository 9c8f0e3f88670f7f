"""Where a case stands in the life of a complaint, and what may come next.

Derived from the facts alone; nothing is stored (product.md, life of a complaint). What may come next is a
hint for lists and buttons: every act checks for itself.
"""

from enum import StrEnum
from typing import assert_never

from store.rules.casefile import OF_THE_BOARD, OF_THE_COMMISSION, CaseFile, LetterState, sufficient
from store.rules.facts import InquiryHeld, Reopened, Withdrawn

_CAME_BACK = frozenset({LetterState.REFUSED, LetterState.BOUNCED, LetterState.WITHDRAWN})


class Stage(StrEnum):
    """The phases of a case as a whole, in order; a track has a phase of its own, see `track_stage`."""

    UNSCREENED = "unscreened"
    FILED = "filed"
    WAITING_FOR_CURE = "waiting for cure"
    PROPER = "proper"
    NOTICE = "notice to respondents"
    INQUIRY = "inquiry"
    DETERMINED = "determined"
    FINAL = "final"
    CLOSED = "closed"


class TrackStage(StrEnum):
    """The phases of one respondent's track."""

    NAMED = "named"
    SERVED = "served"
    ANSWERED = "answered"
    VOTING = "voting"
    TERMINATED = "terminated"
    SUFFICIENT_BASIS = "sufficient basis"
    REPRIMANDED = "reprimanded"
    HEARING = "hearing"
    FINAL = "final"


class Aside(StrEnum):
    """What can be true of a case beside its stage."""

    REOPENED = "reopened"
    WITHDRAWN = "withdrawn"
    DUPLICATE = "duplicate of another case"
    ON_HOLD = "on hold"


class Next(StrEnum):
    """What may come next, in the order in which it usually does."""

    SAY_WHO_IS_NAMED = "say who is named"
    DECIDE_FORM = "decide on form"
    SEND_CURE_NOTICE = "send the cure notice"
    REFER = "refer"
    ACKNOWLEDGE = "acknowledge"
    NAME_RESPONDENTS = "name the respondents"
    SERVE_NOTICE = "serve the notice"
    RECORD_RESPONSE = "record the response"
    HOLD_INQUIRY = "hold the inquiry"
    VOTE = "put it to the vote"
    DETERMINE = "record the determination"
    SEND_DECISION = "send the decision"
    SEND_NOTIFICATION = "send the notification"
    DISPOSE = "decide what follows"
    ISSUE_REPRIMAND = "issue the reprimand"
    RECORD_REPRIMAND_RECEIPT = "record when the reprimand was received"
    RECORD_DEMAND = "record a demand, if one comes"
    RECORD_COMMISSION_RESULT = "record the result of the Commission's hearing"
    OPEN_HEARING = "open the hearing"
    HOLD_HEARING = "record the hearing as held or adjourned"
    RECORD_RESULT = "record the result of the hearing"
    SEND_RESULT = "send the result of the hearing"
    CLOSE = "close the case"
    REOPEN = "reopen the case, with a reason"


def stage(case: CaseFile) -> Stage:
    """Say where a case stands.

    Source: product.md, life of a complaint; decisions 6 (open until the last track is final).
    """
    if not case.screened:
        return Stage.UNSCREENED
    if case.closed:
        return Stage.CLOSED
    if case.final:
        return Stage.FINAL
    if case.form is None:
        return Stage.FILED
    if not case.proper:
        return Stage.WAITING_FOR_CURE
    return _of_proper(case)


def waits_to_be_screened(case: CaseFile) -> bool:
    """Say whether somebody cleared must say who is named: in the complaint, or in a paper that came later (B2)."""
    return not case.screened or bool(case.unscreened_papers)


def waits_for_form(case: CaseFile) -> bool:
    """Say whether the form must be decided: nobody did, or a paper came since that may mend what was lacking (A)."""
    if case.merged is not None:
        return False
    now, decided = stage(case), case.form
    if decided is None or now is not Stage.WAITING_FOR_CURE:
        return now is Stage.FILED
    return any(case.root(one) > decided.id for one in case.mending)


def _of_proper(case: CaseFile) -> Stage:
    tracks = [one.id for one in case.respondents]
    if not tracks:
        return Stage.PROPER
    if all(case.standing_determination(track) is not None for track in tracks):
        return Stage.DETERMINED
    if any(True for _ in case.all(InquiryHeld)) or all(case.served("notice", track) for track in tracks):
        return Stage.INQUIRY
    return Stage.NOTICE


def asides(case: CaseFile) -> tuple[Aside, ...]:
    """Say what else is true of a case."""
    found = {
        Aside.REOPENED: case.last(Reopened) is not None and not case.final,
        Aside.WITHDRAWN: case.last(Withdrawn) is not None,
        Aside.DUPLICATE: case.merged is not None,
        Aside.ON_HOLD: case.on_hold,
    }
    return tuple(aside for aside, holds in found.items() if holds)


def track_stage(case: CaseFile, track: int) -> TrackStage:
    """Say where one respondent's track stands."""
    determined = case.standing_determination(track)
    if determined is None:
        return _before_determination(case, track)
    if not sufficient(determined.fact):
        return TrackStage.TERMINATED
    disposed = case.standing_disposition(track)
    if disposed is None:
        return TrackStage.SUFFICIENT_BASIS
    if case.final_at(track) is None:
        return TrackStage.HEARING
    return TrackStage.REPRIMANDED if disposed.fact.reprimand else TrackStage.FINAL


def _before_determination(case: CaseFile, track: int) -> TrackStage:
    if any(view.track == track and view.voided is None for view in case.ballots_since):
        return TrackStage.VOTING
    if case.chance_over(track):
        return TrackStage.ANSWERED
    return TrackStage.SERVED if case.served("notice", track) else TrackStage.NAMED


def coming(case: CaseFile, *, has_referral: bool = True) -> tuple[Next, ...]:
    """Say what may come next for a case.

    Args:
        case: the case.
        has_referral: whether its ordinance knows a referral.
    """
    now = stage(case)
    if case.merged is not None and now not in {Stage.UNSCREENED, Stage.CLOSED}:
        return (*_owed_anyway(case), Next.CLOSE)
    return _coming(case, now, has_referral=has_referral)


def _coming(case: CaseFile, now: Stage, *, has_referral: bool) -> tuple[Next, ...]:
    match now:
        case Stage.UNSCREENED:
            return (Next.SAY_WHO_IS_NAMED,)
        case Stage.CLOSED:
            return (Next.REOPEN,)
        case Stage.FINAL:
            return (*_owed_anyway(case), *_after_determination(case), Next.CLOSE)
        case Stage.FILED:
            return (Next.DECIDE_FORM, *_clerical(case, has_referral=has_referral))
        case Stage.WAITING_FOR_CURE:
            return (
                Next.SEND_CURE_NOTICE,
                Next.DECIDE_FORM,
                *_clerical(case, has_referral=has_referral),
                *((Next.CLOSE,) if may_close_unheard(case) else ()),
            )
        case Stage.PROPER | Stage.NOTICE | Stage.INQUIRY | Stage.DETERMINED:
            board = _of_the_board(case)
            end = (Next.CLOSE,) if may_close_unheard(case) else ()
            return (*_clerical(case, has_referral=has_referral), *board, *_after_determination(case), *end)
        case _:
            assert_never(now)


def _owed_anyway(case: CaseFile) -> tuple[Next, ...]:
    """Give what is owed whatever becomes of the case: that its receipt is acknowledged, (A)."""
    return tuple(one for one in _clerical(case, has_referral=False) if one is Next.ACKNOWLEDGE)


def may_close_unheard(case: CaseFile) -> bool:
    """Say whether a case can be closed though the Board determined on nobody.

    It is merged into another one; no officer or employee can be named; or it never became a proper
    complaint, though the complainant was asked for what is lacking, or nobody is known who could be asked.
    """
    if case.merged is not None:
        return True
    if case.form is not None and not case.proper:
        asked = any(one.counts_as_sent for one in case.letters_to("cure_notice"))
        return asked or not case.complainants
    return case.no_respondent and not case.respondents


def _clerical(case: CaseFile, *, has_referral: bool) -> tuple[Next, ...]:
    """Give what waits for nothing: it runs from receipt, proper or not (decisions 3)."""
    tracks = [one.id for one in case.respondents]
    found = {
        Next.REFER: has_referral and case.referred is None,
        Next.ACKNOWLEDGE: any(not case.served("acknowledgement", one.id) for one in case.complainants),
        Next.NAME_RESPONDENTS: not tracks and not case.no_respondent,
        Next.SERVE_NOTICE: any(not case.served("notice", track) for track in tracks),
        Next.RECORD_RESPONSE: any(
            case.served("notice", track) and not case.chance_over(track) for track in tracks
        ),
    }
    return tuple(one for one, wanted in found.items() if wanted)


def _of_the_board(case: CaseFile) -> tuple[Next, ...]:
    waiting = [one.id for one in case.respondents if case.standing_determination(one.id) is None]
    concluded = any(one.fact.concluded for one in case.all(InquiryHeld))
    ended = any(view.track in waiting and view.closed is not None for view in case.ballots_since)
    found = {
        Next.HOLD_INQUIRY: bool(case.respondents) and not concluded,
        Next.VOTE: bool(waiting),
        Next.DETERMINE: ended,
    }
    return tuple(one for one, wanted in found.items() if wanted)


def _after_determination(case: CaseFile) -> tuple[Next, ...]:
    found: list[Next] = []
    for party in case.respondents:
        determined = case.standing_determination(party.id)
        if determined is None:
            continue
        if not sufficient(determined.fact):
            owed = [*(one.id for one in case.complainants), party.id]
            if any(case.served_at("decision_of_termination", one, track=party.id) is None for one in owed):
                found.append(Next.SEND_DECISION)
            continue
        if not case.served("notification", party.id):
            found.append(Next.SEND_NOTIFICATION)
        if track_stage(case, party.id) is TrackStage.SUFFICIENT_BASIS:
            found.append(Next.DISPOSE)
        found += _after_disposition(case, party.id)
    return tuple(dict.fromkeys(found))


def _after_disposition(case: CaseFile, track: int) -> tuple[Next, ...]:
    disposed = case.standing_disposition(track)
    if disposed is None:
        return ()
    reprimand, hearing = disposed.fact.reprimand, disposed.fact.hearing
    standing, missing = _reprimand_on_its_way(case, track)
    issued = bool(case.letters_to("reprimand_copy", track))
    demand, opened = case.demand(track), case.hearing(track) is not None
    decided = case.decided(track, OF_THE_BOARD) is not None
    found = {
        Next.ISSUE_REPRIMAND: reprimand and missing,
        Next.RECORD_REPRIMAND_RECEIPT: reprimand and standing,
        Next.RECORD_DEMAND: issued and demand is None,
        Next.RECORD_COMMISSION_RESULT: demand is not None and not _heard_by_commission(case, track),
        Next.OPEN_HEARING: hearing and not opened,
        Next.HOLD_HEARING: opened and not decided,
        Next.RECORD_RESULT: opened and not decided,
        Next.SEND_RESULT: decided and not result_is_out(case, track),
    }
    return tuple(one for one, wanted in found.items() if wanted)


def _heard_by_commission(case: CaseFile, track: int) -> bool:
    return case.decided(track, OF_THE_COMMISSION) is not None


def waits_for_commission(case: CaseFile) -> bool:
    """Say whether some demand stands whose result before the City Commission is not on the record, (E)(2)."""
    return any(
        case.demand(one.id) is not None and not _heard_by_commission(case, one.id) for one in case.respondents
    )


def _reprimand_on_its_way(case: CaseFile, track: int) -> tuple[bool, bool]:
    """Say whether a reprimand waits for its receipt, and whether one must be written, or again since it came back."""
    received = {one.fact.by for one in case.reprimand_received(track)}
    letters = {
        "officer": case.letters_to("reprimand_copy", track),
        "commission": [one for one in case.letters_to("reprimand") if one.queued.about_track == track],
    }
    stands = {
        by: any(one.state not in _CAME_BACK for one in sent)
        for by, sent in letters.items()
        if by not in received
    }
    return any(stands.values()), not all(stands.values())


def result_is_out(case: CaseFile, track: int) -> bool:
    """Say whether the result of a track's hearing reached each complainant and the respondent."""
    owed = [*(one.id for one in case.complainants), track]
    return all(case.served_at("hearing_result", one, track=track) is not None for one in owed)

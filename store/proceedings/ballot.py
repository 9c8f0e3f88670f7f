"""Ballots: opened in a recorded meeting, voted by name, closed and counted (B4).

Question, roster, rule and quorum are frozen at opening; a vote is a fact of its own and the last one of
a member stands. No count is shown to anybody before the ballot is closed.

Source: decisions 11, 16 and 17; law.md, meetings and votes (KRS 61.810, 61.815, 12-OMD-067).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from store.cases import Act, Actor, Docket, Look, act, situation_of, standing_of
from store.ports import PingKind
from store.proceedings.meeting import all_meetings, in_session
from store.proceedings.response import had_chance
from store.proceedings.screening import refresh_cards
from store.rules import access, ballots, counting
from store.rules.access import Deed
from store.rules.ballots import Outcome, Result
from store.rules.casefile import OF_THE_CASE, BallotView, CaseFile, sufficient
from store.rules.counted import counted
from store.rules.errors import AlreadyDone, BadInput, NotAllowed, NotNow
from store.rules.facts import (
    BallotClosed,
    BallotOpened,
    BallotVoided,
    Choice,
    Disclosed,
    Question,
    Role,
    VoteCast,
)
from store.rules.meetings import Meeting

FINAL_ACTION = "KRS 61.815"
_DECIDED_NOTHING = frozenset({Outcome.TIE, Outcome.NO_QUORUM, Outcome.BOARD_CANNOT_ACT})


@dataclass(frozen=True, slots=True)
class Motion:
    """What is put to the Board.

    Attributes:
        track: the respondent whom it concerns; disregarded for a question about the whole case (`OF_THE_CASE`).
        question: what is asked; yes carries it.
        meeting: the meeting in session; None only where the profile lets ballots stand outside one.
        item: the item of the agenda.
        alternates: for each alternate who takes a seat, the member whose place it is.
        reballot_of: the ballot that this one repeats; None leaves it to the record: the last one on the same
            question, if it decided nothing, as after a tie, or was voided.
        override_reason: the chair's reason to vote before a respondent had his time (decisions 11).
    """

    track: int | None
    question: Question
    meeting: int | None
    item: str = ""
    alternates: Mapping[int, int] | None = None
    reballot_of: int | None = None
    override_reason: str = ""


def open_ballot(docket: Docket, actor: Actor, number: str, motion: Motion) -> int:
    """Open a ballot.

    Returns:
        The ballot's id. Each person on its roster is owed a ping.

    Raises:
        NotNow: the complaint is not proper, the meeting is not in open session, an earlier question is
            not answered, another ballot on the question is open, or a respondent has not had his time.
        NotAllowed: the override is the chair's alone.
        BadInput: the track is no respondent, or an alternate may not take the seat.
        AlreadyDone: the track is determined.

    Source: B4; decisions 11 and 16; clause (D); KRS 61.815.
    """
    deed = Deed.FLAG_COMPLAINT if motion.question is Question.FALSE_COMPLAINT else Deed.OPEN_BALLOT
    with act(docket, actor, deed, number=number) as step:
        _check_case(step, motion)
        meeting = _meeting(step, motion)
        override = _override(step, motion)
        seated = _seated(step, motion, meeting)
        opened = BallotOpened(
            meeting=meeting.id if meeting else 0,
            item=motion.item.strip(),
            question=motion.question,
            at=step.now,
            roster=seated.roster,
            seats=seated.seats,
            vacancies=seated.seats - len(seated.roster) - len(seated.recused),
            recused=seated.recused,
            rule=counting.rule_text(step.profile.board.ballot_rule),
            profile=step.case.profile_hash,
            reballot_of=motion.reballot_of or _repeated(step.case, motion),
            override=override,
            sits_for=seated.sits_for,
        )
        rule = step.profile.board.ballot_rule
        opened = replace(opened, quorum=ballots.quorum_number(rule, counting.roster_of(opened)))
        ballot = step.record(opened, about=None if motion.question in OF_THE_CASE else motion.track)
        _tell_opened(step, ballot, seated)
        return ballot


def _tell_opened(step: Act, ballot: int, seated: "_Seated") -> None:
    if seated.sits_for:
        step.ping(PingKind.CASE_CHANNEL)
    for person in seated.roster:
        step.ping(PingKind.BALLOT_OPENED, person=person, about={"ballot": ballot})
    warn_if_board_cannot_act(step)
    refresh_cards(step)


# -- may it be opened ---------------------------------------------------------------------------------


def _check_case(step: Act, motion: Motion) -> None:
    case = step.case
    if motion.question not in OF_THE_CASE and motion.track not in {one.id for one in case.respondents}:
        raise BadInput("A ballot is about one respondent of the case.", mend="Name the respondent first.")
    if not case.proper:
        raise NotNow(
            "The complaint was not found proper, so the Board does not vote on it yet.",
            clause="A-form",
            mend="Decide on its form first.",
        )
    for view in _alike(case, motion):
        if view.is_open:
            raise NotNow(
                "A ballot on this question is open already.",
                clause="D-determine",
                mend="Close it, or have the chair void it, then open another.",
            )
    if motion.reballot_of is not None:
        _check_reballot(case, motion)
    _check_order(case, motion)


def _check_reballot(case: CaseFile, motion: Motion) -> None:
    before = case.ballot(motion.reballot_of or 0)
    if (
        before is None
        or before.is_open
        or before.opened.question is not motion.question
        or (before.track != motion.track and motion.question not in OF_THE_CASE)
    ):
        raise BadInput("The ballot that this one repeats is not an ended one on the same question.")


def _repeated(case: CaseFile, motion: Motion) -> int | None:
    """Give the ballot that is put again: the last on the question, if it decided nothing or was voided."""
    before = _alike(case, motion)
    if not before:
        return None
    last = before[-1]
    undecided = last.closed is not None and last.closed.outcome in _DECIDED_NOTHING
    return last.id if undecided or last.voided is not None else None


def _check_order(case: CaseFile, motion: Motion) -> None:
    """Keep the order of the ordinance: jurisdiction, then basis, then what follows from it."""
    track = motion.track or 0
    determined = case.standing_determination(track)
    match motion.question:
        case Question.JURISDICTION | Question.FACTUAL_BASIS | Question.FRIVOLOUS:
            if determined is not None:
                raise AlreadyDone(
                    "The Board has determined this already.",
                    clause="D-determine",
                    mend="The case can be reopened, with a reason.",
                )
            if motion.question is not Question.JURISDICTION and not carried(
                case, track, Question.JURISDICTION
            ):
                raise NotNow(
                    "The Board first votes whether the complaint is within its jurisdiction.",
                    clause="D-determine",
                    mend="Open a ballot on jurisdiction; this one can follow when it is carried.",
                )
        case Question.REPRIMAND | Question.HEARING | Question.NO_FURTHER_ACTION:
            if determined is None or not sufficient(determined.fact):
                raise NotNow(
                    "What follows is voted on once a sufficient basis was determined.",
                    clause="E1-notify",
                    mend="Record the determination first.",
                )
            if case.standing_disposition(track) is not None:
                raise AlreadyDone(
                    "What follows for this respondent was decided.",
                    clause="E1-notify",
                    mend="The case can be reopened, with a reason.",
                )
        case Question.RELEASE_DOCUMENTS:
            if case.last(Disclosed) is None:
                raise NotNow(
                    "Documents are released by vote only after a party made the inquiry public.",
                    clause="C2-disclosure",
                    mend="Record the disclosure first.",
                )
        case Question.FALSE_COMPLAINT:
            return  # at any time, after the case is final too: clause (F) names none
        case _:
            assert_never(motion.question)


def _meeting(step: Act, motion: Motion) -> Meeting | None:
    if motion.meeting is None:
        if step.profile.board.ballots_only_in_meetings:
            raise NotNow(
                "A ballot is opened only in a recorded meeting of the Board.",
                clause="KRS 61.810",
                mend="Open the meeting on the record first.",
            )
        return None
    meeting = in_session(step, motion.meeting)
    if meeting.in_closed_session:
        raise NotNow(
            "Final action is taken in open session, and the meeting is in closed session.",
            clause=FINAL_ACTION,
            mend="Record the return to open session first.",
        )
    return meeting


def _override(step: Act, motion: Motion) -> str:
    """Give the chair's reason where a respondent has not had his time; empty where all had it."""
    if motion.question is not Question.FACTUAL_BASIS:
        return ""
    waiting = sum(not had_chance(step, one.id) for one in step.case.respondents)
    if not waiting:
        return ""
    if not motion.override_reason.strip():
        raise NotNow(
            f"{waiting} of {counted(len(step.case.respondents), 'respondent')} were not served, or have time to answer yet.",
            clause="B-respond",
            mend="Wait for the answer or the last day of it; the chair may override with a reason.",
        )
    standing = standing_of(step.actor, step.people, step.today)
    access.check(Deed.OVERRIDE_CHANCE, standing, situation_of(step.actor, step.case, standing))
    return motion.override_reason.strip()


# -- who sits -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Seated:
    """Who sits on a ballot: who may vote, who is out, who takes whose place, and how many seats there are."""

    roster: tuple[int, ...]
    recused: tuple[int, ...]
    sits_for: tuple[tuple[int, int], ...]
    seats: int


def _seated(step: Act, motion: Motion, meeting: Meeting | None) -> _Seated:
    board, case = step.profile.board, step.case
    members = step.people.voting(step.today)
    out = case.recused | case.walled_off
    takes = dict(motion.alternates or {})
    _check_alternates(step, takes, meeting)
    replaced = set(takes.values())
    sitting = [one for one in members if one not in replaced] + sorted(takes)
    if len(sitting) > board.seats:
        raise NotNow(
            f"The roster has {len(sitting)} who would sit, and the Board has {counted(board.seats, 'seat')}.",
            clause="KRS 61.810",
            mend="Correct the roster first.",
        )
    return _Seated(
        tuple(one for one in sitting if one not in out),
        tuple(one for one in sitting if one in out),
        tuple(sorted(takes.items())),
        board.seats,
    )


def _check_alternates(step: Act, takes: Mapping[int, int], meeting: Meeting | None) -> None:
    if not takes:
        return
    if not step.profile.board.alternates:
        raise NotNow(
            "Under this ordinance no alternate sits.",
            clause="D-determine",
            mend="Leave the alternate out; the Board votes as it sits.",
        )
    if len(set(takes.values())) != len(takes):
        raise BadInput("A seat is filled once; nothing was changed.")
    members = step.people.voting(step.today)
    out = step.case.recused | step.case.walled_off
    for alternate, member in takes.items():
        if Role.ALTERNATE not in step.people.roles(alternate, step.today) or alternate in members:
            raise BadInput("Only an alternate of the roster can take a seat.")
        if alternate in out:
            raise NotAllowed(
                "This alternate is out of the case himself.",
                clause="D-determine",
                mend="Seat another alternate.",
            )
        absent = meeting is not None and member not in meeting.present
        if member not in members or not (member in out or absent):
            raise BadInput("An alternate takes the seat of a member who is recused or absent.")
        if meeting is not None and alternate not in meeting.present:
            raise NotNow(
                "The record of the meeting does not have the alternate as present.",
                clause="KRS 61.810",
                mend="Record his presence first.",
            )


def board_cannot_act(step: Act) -> bool:
    """Say whether recusals and vacancies leave no quorum for this case, whoever comes."""
    board = step.profile.board
    members = step.people.voting(step.today)
    free = [one for one in members if one not in step.case.recused | step.case.walled_off]
    counted = members if board.recused_count_for_quorum else free
    sitting = tuple(ballots.Sitting(one) for one in members[: board.seats])
    quorum = ballots.quorum_number(board.ballot_rule, ballots.Roster(board.seats, sitting))
    needed = ballots.votes_needed(board.ballot_rule, seats=board.seats, voting_base=1, cast=1)
    return len(counted) < quorum or len(free) < needed


def warn_if_board_cannot_act(step: Act) -> None:
    """Tell clerk and chair, as far as they may know of the case, when the Board cannot act on it."""
    if board_cannot_act(step):
        tell_clerk_and_chair(step, {"what": "board-cannot-act"})


def tell_clerk_and_chair(step: Act, about: Mapping[str, object], kind: PingKind = PingKind.TOLD) -> None:
    """Owe a word to the clerks and the chair who may know of the case."""
    out = step.case.recused | step.case.walled_off
    people = {
        *step.people.with_role(Role.CLERK, step.today),
        *step.people.with_role(Role.CHAIR, step.today),
    }
    for person in sorted(people - out):
        step.ping(kind, person=person, about=about)


# -- voting -------------------------------------------------------------------------------------------


def vote(
    docket: Docket,
    actor: Actor,
    number: str,
    ballot: int,
    choice: Choice,
    *,
    submission: str,
    reasons: str = "",
) -> int:
    """Record a member's vote; he gets a receipt.

    Args:
        docket: the record.
        actor: the member himself; no deputy votes.
        number: the case's number.
        ballot: the ballot's id.
        choice: yes, no or abstain.
        submission: id of the submission; the same one delivered again is the same vote.
        reasons: his words, if he gives any.

    Returns:
        The id of the vote. A changed vote is a new one, and the last stands.

    Raises:
        NotAllowed: he does not sit on the ballot, is not recorded as present, or acts for another.
        NotNow: the ballot is not open, or its meeting is not in open session.
        BadInput: there is no such ballot in this case, or no submission.
    """
    with act(docket, actor, Deed.VOTE, number=number) as step:
        voter = _voter(actor)
        view = _ballot(step, ballot)
        if not submission.strip():
            raise BadInput("A vote carries the id of its submission; nothing was changed.")
        mark = f"vote:{ballot}:{voter}:{submission}"
        known = step.known(mark)
        if known is not None:
            step.note["again"] = known
            return known
        _check_vote(step, view, voter)
        fact = step.record(
            VoteCast(voter, choice, submission, step.now, reasons.strip()), about=ballot, dedupe=mark
        )
        step.ping(PingKind.TOLD, person=voter, about={"what": "vote", "ballot": ballot, "vote": fact})
        return fact


def _voter(actor: Actor) -> int:
    if actor.person is None or actor.acting_for is not None:
        raise NotAllowed(
            "A vote is the member's own; nobody votes for another.",
            clause="KRS 61.810",
            mend="An alternate can be seated by another ballot.",
        )
    return actor.person


def _ballot(step: Act, ballot: int) -> BallotView:
    view = step.case.ballot(ballot)
    if view is None:
        raise BadInput("There is no such ballot in this case; nothing was changed.")
    return view


def _check_vote(step: Act, view: BallotView, voter: int) -> None:
    meeting = _meeting_of(step, view)
    ballots.may_vote(
        counting.ballot_of(view),
        voter,
        now=step.now,
        recusals=counting.out_of(step.case, view.opened),
        present=meeting.present if meeting else view.opened.roster,
        in_session=meeting is not None and meeting.in_session and not meeting.in_closed_session,
    )


def _meeting_of(step: Act, view: BallotView, *, before: int | None = None) -> Meeting | None:
    """Give a ballot's meeting as the record told it before some fact; None for a ballot outside one."""
    every = all_meetings(step.docket, step.session, before=before)
    return next((one for one in every if one.id == view.opened.meeting), None)


# -- closing ------------------------------------------------------------------------------------------


def close_ballot(docket: Docket, actor: Actor, number: str, ballot: int) -> Result:
    """Close a ballot and count it; everybody on its roster is told, and votes stand by name.

    Returns:
        The result with its arithmetic.

    Raises:
        BadInput: there is no such ballot in this case.
        AlreadyDone: it was closed or voided before.
    """
    with act(docket, actor, Deed.CLOSE_BALLOT, number=number) as step:
        view = _ballot(step, ballot)
        if not view.is_open:
            raise AlreadyDone("This ballot is closed already.", clause=FINAL_ACTION)
        result = _count(step, view)
        step.record(_closed(result, step.now), about=ballot)
        _tell_closed(step, view)
        return result


def _count(step: Act, view: BallotView, *, before: int | None = None) -> Result:
    if before is not None:  # what was recorded after the closing was never a vote in this ballot
        view = replace(view, votes=tuple(one for one in view.votes if one.id < before))
    meeting = _meeting_of(step, view, before=before)
    return counting.count(step.case, view, meeting.present if meeting else view.opened.roster)


def present_at_closing(step: Act, case: CaseFile, view: BallotView) -> frozenset[int]:
    """Give who was present in the meeting when a ballot was first closed; for an open one, who is present now."""
    ever = any(isinstance(one.fact, BallotClosed) and one.about == view.id for one in case.facts)
    held = _meeting_of(step, view, before=_first_closing(case, view.id) if ever else None)
    return held.present if held else frozenset(view.opened.roster)


def _closed(result: Result, at: datetime, reason: str = "") -> BallotClosed:
    return BallotClosed(
        at,
        result.outcome.value,
        result.text(),
        result.yes,
        result.no,
        result.abstain,
        result.votes,
        contrary_carries=result.contrary_carries,
        reason=reason,
    )


def _tell_closed(step: Act, view: BallotView) -> None:
    out = counting.out_of(step.case, view.opened)
    for person in view.opened.roster:
        if person not in out:
            step.ping(PingKind.BALLOT_CLOSED, person=person, about={"ballot": view.id})
    step.ping(PingKind.BALLOT_CLOSED, about={"ballot": view.id})
    refresh_cards(step)


def void_ballot(docket: Docket, actor: Actor, number: str, ballot: int, reason: str) -> None:
    """Void a ballot: it counts for nothing. So an alternate enters, by another one (decisions 17).

    Raises:
        BadInput: there is no such ballot, or no reason.
        AlreadyDone: it was voided before.
        NotNow: a determination rests on it.
    """
    with act(docket, actor, Deed.VOID_BALLOT, number=number) as step:
        view = _ballot(step, ballot)
        if view.voided is not None:
            raise AlreadyDone("This ballot was voided before.", clause="D-determine")
        if not reason.strip():
            raise BadInput("A ballot is voided with a reason only.", mend="Say why.")
        if rests_on(step.case, ballot):
            raise NotNow(
                "A determination rests on this ballot.",
                clause="D-determine",
                mend="The case can be reopened, with a reason.",
            )
        step.record(BallotVoided(step.now, reason.strip()), about=ballot)
        step.ping(PingKind.CASE_CHANNEL)
        _tell_closed(step, view)


def rests_on(case: CaseFile, ballot: int) -> bool:
    """Say whether a determination or disposition that stands rests on a ballot."""
    for party in case.parties:
        determined, disposed = case.determined(party.id), case.disposed(party.id)
        if determined and ballot in determined.fact.ballots:
            return True
        if disposed and ballot in disposed.fact.ballots:
            return True
    return False


def recount_without(step: Act, person: int) -> None:
    """Count anew each closed ballot in which somebody voted who is out of the case now (decisions 17).

    A recount supersedes the first count and keeps its instant. Where a determination rests on the
    ballot nothing is counted anew: clerk and chair are told, and the Board decides.
    """
    for view in step.case.ballots:
        if view.closed is None or view.voided or person not in {one.fact.person for one in view.votes}:
            continue
        if person not in {who for who, _choice in view.closed.votes}:
            continue
        if rests_on(step.case, view.id):
            tell_clerk_and_chair(step, {"what": "recount-needed", "ballot": view.id})
            continue
        last = step.case.last(BallotClosed, about=view.id)
        assert last is not None
        result = _count(step, view, before=_first_closing(step.case, view.id))
        reason = "counted anew: a vote fell away by recusal or conflict"
        step.record(_closed(result, view.closed.at, reason), about=view.id, supersedes=last.id)
        _tell_closed(step, view)


def _first_closing(case: CaseFile, ballot: int) -> int:
    """Give the fact that first closed a ballot: who came or left after it moves no count."""
    return min(one.id for one in case.facts if isinstance(one.fact, BallotClosed) and one.about == ballot)


# -- what was decided ---------------------------------------------------------------------------------


def ballot_result(look: Look, ballot: int) -> BallotClosed:
    """Give the count of a ballot, with every vote by name, to somebody who looks into the case.

    Raises:
        BadInput: there is no such ballot in this case.
        NotNow: it is not closed yet, or was voided; no count is shown to anybody before (B4).
    """
    view = look.case.ballot(ballot)
    if view is None:
        raise BadInput("There is no such ballot in this case.")
    if view.voided is not None:
        raise NotNow(
            "This ballot was voided and decides nothing.",
            clause=FINAL_ACTION,
            mend="See the ballot that was opened in its place.",
        )
    if view.closed is None:
        raise NotNow(
            "The count is shown to nobody until the ballot has closed.",
            clause=FINAL_ACTION,
            mend="It is shown, with every vote by name, once the chair closes the ballot.",
        )
    return view.closed


def have_voted(look: Look, ballot: int) -> tuple[int, ...]:
    """Give who voted in an open or closed ballot, without how: for the chair, who waits for the others."""
    view = look.case.ballot(ballot)
    return tuple(sorted({one.fact.person for one in view.votes})) if view else ()


def own_vote(look: Look, ballot: int, person: int) -> VoteCast | None:
    """Give a member's own vote that stands, for his receipt; None if he has not voted."""
    view = look.case.ballot(ballot)
    if view is None:
        return None
    live = ballots.live_votes(replace(counting.ballot_of(view), closed_at=None), counting.votes_of(view)).get(
        person
    )
    return next((one.fact for one in view.votes if live and one.id == live.sequence), None)


def deciding(case: CaseFile, track: int, question: Question) -> BallotView | None:
    """Give the newest ballot that decided a question for a track; None while none has."""
    found = None
    decides = {Outcome.CARRIED.value, Outcome.FAILED.value}
    for view in _of_track(case, track):
        if view.opened.question is question and view.voided is None and view.closed:
            found = view if view.closed.outcome in decides else found
    return found


def carried(case: CaseFile, track: int, question: Question) -> bool:
    """Say whether a question was carried for a track, by the newest ballot that decided it."""
    view = deciding(case, track, question)
    return view is not None and view.closed is not None and view.closed.outcome == Outcome.CARRIED


def _alike(case: CaseFile, motion: Motion) -> list[BallotView]:
    """Give the ballots on the same question, about the same respondent where it is about one."""
    whole = motion.question in OF_THE_CASE
    return [
        one
        for one in case.ballots_since
        if one.opened.question is motion.question and (whole or one.track == motion.track)
    ]


def _of_track(case: CaseFile, track: int) -> tuple[BallotView, ...]:
    return tuple(one for one in case.ballots_since if one.track == track)

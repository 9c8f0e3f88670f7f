"""Ballots and what follows from them: inquiry, determination, decision and notification."""

from datetime import date

import click

from bot import words
from bot.cli.case import ballot_state
from bot.cli.common import (
    DAY,
    WORDS,
    Caller,
    Commands,
    RecordCommand,
    iso,
    json_option,
    on_record,
    respondent_option,
    say,
    say_json,
    say_written,
    submission,
)
from store.cases import Look, open_case
from store.proceedings.ballot import (
    Motion,
    ballot_result,
    close_ballot,
    have_voted,
    open_ballot,
    own_vote,
    void_ballot,
    vote,
)
from store.proceedings.determination import Conclusion, determine
from store.proceedings.inquiry import hold_inquiry
from store.proceedings.meeting import meeting_in_session, quorum_warning
from store.proceedings.notification import send_notification
from store.proceedings.planning import not_announced
from store.proceedings.termination import send_decision
from store.rules.access import Deed
from store.rules.casefile import OF_THE_CASE, BallotView
from store.rules.errors import BadInput, Refusal
from store.rules.facts import Choice, Question


@click.group(cls=Commands)
def ballot() -> None:
    """Open, vote in, close, void or show ballots. Votes are taken in recorded meetings only."""


def _in_session(caller: Caller, given: int | None) -> int | None:
    """Give the meeting that is meant: the one named, or the one in session."""
    if given is not None:
        return given
    try:
        found = meeting_in_session(caller.docket, caller.actor)
    except Refusal:
        return None
    return found.id if found else None


@ballot.command("open")
@click.argument("number")
@click.argument("question", type=click.Choice([one.value for one in Question]))
@respondent_option
@click.option("--meeting", type=int, metavar="ID", help="The one in session if left out.")
@click.option("--item", type=WORDS, default="", help="The item of the agenda.")
@click.option(
    "--alternate",
    "alternates",
    multiple=True,
    nargs=2,
    metavar="PERSON MEMBER",
    help="An alternate, and the member whose place he takes; may be given several times.",
)
@click.option("--again", type=int, metavar="BALLOT", help="The ballot that this one repeats, as after a tie.")
@click.option(
    "--override", type=WORDS, default="", help="The chair's reason to vote before the time to answer is over."
)
@on_record
def open_it(
    caller: Caller,
    number: str,
    question: str,
    *,
    respondent: int | None,
    meeting: int | None,
    item: str,
    alternates: tuple[tuple[str, str], ...],
    again: int | None,
    override: str,
) -> None:
    """Open a ballot on QUESTION about a respondent of case NUMBER.

    release-documents and false-complaint are about the whole case and take no respondent.
    """
    asked = Question(question)
    if asked in OF_THE_CASE and respondent is not None:
        raise BadInput(
            "This question is about the whole case, not about a respondent; nothing was changed.",
            mend="Leave --respondent out.",
        )
    motion = Motion(
        track=None if asked in OF_THE_CASE else caller.respondent(number, respondent),
        question=asked,
        meeting=_in_session(caller, meeting),
        item=item,
        alternates={caller.person(one): caller.person(member) for one, member in alternates},
        reballot_of=again,
        override_reason=override,
    )
    key = open_ballot(caller.docket, caller.actor, number, motion)
    say(
        f"Ballot {key} is open: {words.QUESTIONS[motion.question]}",
        *not_announced(caller.docket, number),
        *quorum_warning(caller.docket, caller.actor),
    )


@ballot.command("vote")
@click.argument("number")
@click.argument("ballot_id", metavar="BALLOT", type=int)
@click.argument("choice", type=click.Choice([one.value for one in Choice]))
@click.option("--reasons", type=WORDS, default="", help="Your reasons; - reads them.")
@on_record
def cast(caller: Caller, number: str, ballot_id: int, choice: str, *, reasons: str) -> None:
    """Vote in BALLOT of case NUMBER. The last vote you give before it closes stands."""
    receipt = vote(
        caller.docket,
        caller.actor,
        number,
        ballot_id,
        Choice(choice),
        submission=submission(),
        reasons=reasons,
    )
    say(f"Recorded: your vote, {choice}. Receipt {receipt}.")


@ballot.command("close")
@click.argument("number")
@click.argument("ballot_id", metavar="BALLOT", type=int)
@on_record
def close(caller: Caller, number: str, ballot_id: int) -> None:
    """Close BALLOT of case NUMBER and print its arithmetic."""
    say(close_ballot(caller.docket, caller.actor, number, ballot_id).text())


@ballot.command("void")
@click.argument("number")
@click.argument("ballot_id", metavar="BALLOT", type=int)
@click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")
@on_record
def void(caller: Caller, number: str, ballot_id: int, *, reason: str) -> None:
    """Void BALLOT of case NUMBER: it counts for nothing."""
    void_ballot(caller.docket, caller.actor, number, ballot_id, reason)
    say("Recorded: the ballot is void.")


@ballot.command("show")
@click.argument("number")
@click.argument("ballot_id", metavar="BALLOT", type=int)
@json_option
@on_record
def show(caller: Caller, number: str, ballot_id: int, *, as_json: bool) -> None:
    """Show BALLOT of case NUMBER; its count and the votes by name once it is closed, to nobody before."""
    look = open_case(caller.docket, caller.actor, number)
    view = look.case.ballot(ballot_id)
    if view is None:
        raise BadInput("There is no such ballot in this case.")
    if as_json:
        say_json(_object(look, view))
        return
    title = f"Ballot {view.id}, {ballot_state(view)}: {words.QUESTIONS[view.opened.question]}"
    if view.is_open:
        say(title)
        _show_open(caller, look, view)
        return
    closed = ballot_result(look, view.id)
    say(title, closed.arithmetic)
    say(*(f"{look.people.name(person)}: {choice.value}" for person, choice in closed.votes))


def _show_open(caller: Caller, look: Look, view: BallotView) -> None:
    person = caller.actor.person
    mine = own_vote(look, view.id, person) if person is not None else None
    if mine is not None:
        say(f"Your vote that stands: {mine.choice.value}.")
    elif person in view.opened.roster:
        say(f"Your vote is awaited: docket ballot vote {look.case.number} {view.id} yes|no|abstain")
    if look.may(Deed.CLOSE_BALLOT):
        say(f"{len(have_voted(look, view.id))} of {len(view.opened.roster)} have voted.")


def _object(look: Look, view: BallotView) -> dict[str, object]:
    told: dict[str, object] = {
        "id": view.id,
        "question": view.opened.question.value,
        "respondent": view.track or None,
        "meeting": view.opened.meeting or None,
        "state": ballot_state(view),
        "roster": [{"person": one, "name": look.people.name(one)} for one in view.opened.roster],
        "recused": [{"person": one, "name": look.people.name(one)} for one in view.opened.recused],
        "quorum": view.opened.quorum,
    }
    if view.closed is not None and view.voided is None:
        closed = view.closed
        told |= {
            "outcome": closed.outcome,
            "closed_at": iso(closed.at),
            "arithmetic": closed.arithmetic,
            "votes": [
                {"person": one, "name": look.people.name(one), "choice": choice.value}
                for one, choice in closed.votes
            ],
        }
    return told


# -- inquiry and determination ------------------------------------------------------------------------


@click.command("inquiry", cls=RecordCommand)
@click.argument("number")
@click.option("--on", required=True, type=DAY, help="On which day.")
@click.option("--concluded", is_flag=True, help="It ended on that day.")
@click.option("--meeting", type=int, metavar="ID", help="The meeting in which it was held; none if left out.")
@on_record
def inquiry(caller: Caller, number: str, *, on: date, concluded: bool, meeting: int | None) -> None:
    """Record that the preliminary inquiry of case NUMBER was held on a day."""
    hold_inquiry(caller.docket, caller.actor, number, on=on, concluded=concluded, meeting=meeting)
    say(f"Recorded: the inquiry was {'concluded' if concluded else 'held'} on {words.day(on)}.")


@click.command("determine", cls=RecordCommand)
@click.argument("number")
@respondent_option
@click.option(
    "--within-jurisdiction/--outside-jurisdiction",
    "within",
    default=None,
    help="Whether it is within the Board's jurisdiction.",
)
@click.option("--basis/--no-basis", default=None, help="Whether it alleges a minimal factual basis.")
@click.option("--frivolous", is_flag=True, help="The Board found it frivolous.")
@click.option("--findings", required=True, type=WORDS, help="The Board's words; - reads them.")
@click.option("--ballot", "ballots", multiple=True, type=int, metavar="ID", help="On which it rests.")
@click.option("--meeting", type=int, metavar="ID", help="That of the last ballot if left out.")
@on_record
def determine_it(
    caller: Caller,
    number: str,
    *,
    respondent: int | None,
    within: bool | None,
    basis: bool | None,
    frivolous: bool,
    findings: str,
    ballots: tuple[int, ...],
    meeting: int | None,
) -> None:
    """Record the Board's determination on a respondent of case NUMBER, as it voted."""
    if within is None:
        raise BadInput(
            "What the Board determined was not said.",
            mend="Say --within-jurisdiction or --outside-jurisdiction.",
        )
    conclusion = Conclusion(within, basis, findings, ballots, frivolous, meeting)
    track = caller.respondent(number, respondent)
    key = determine(caller.docket, caller.actor, number, track, conclusion)
    say(f"Recorded: determination {key} of case {number}.")


@click.command("terminate", cls=RecordCommand)
@click.argument("number")
@respondent_option
@on_record
def terminate(caller: Caller, number: str, *, respondent: int | None) -> None:
    """Send the decision of termination of case NUMBER to each party and counsel, one by one."""
    track = caller.respondent(number, respondent)
    letters = send_decision(caller.docket, caller.actor, number, track)
    say_written(number, letters)


@click.command("notify", cls=RecordCommand)
@click.argument("number")
@respondent_option
@on_record
def notify(caller: Caller, number: str, *, respondent: int | None) -> None:
    """Tell a respondent of case NUMBER that a minimal factual basis was found."""
    track = caller.respondent(number, respondent)
    letters = send_notification(caller.docket, caller.actor, number, track)
    say_written(number, letters)

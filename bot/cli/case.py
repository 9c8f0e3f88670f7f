"""`docket docket`, `case`, `explain`, `history` and `document`: looking into cases, as far as one may."""

import os
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from bot import words
from bot.cli.common import (
    Caller,
    RecordCommand,
    Told,
    iso,
    json_option,
    on_record,
    say,
    say_json,
    say_table,
)
from bot.cli.deadline import as_object, show
from store.cases import (
    Listed,
    Listing,
    Look,
    Paper,
    Pending,
    act,
    looks,
    open_case,
    page_of,
    papers_for,
    pending,
    read_document,
)
from store.proceedings.merger import goes_on_in
from store.rules import evidence
from store.rules.access import Deed
from store.rules.casefile import BallotView, Party, TimeAsked
from store.rules.counted import counted
from store.rules.duties import DueList, Step, due_list
from store.rules.errors import BadInput
from store.rules.facts import PartyNamed
from store.rules.spoken import spoken
from store.rules.stages import asides, stage, track_stage
from store.rules.timeline import party_label, recorded_as

_URGENT = (DueList.OVERDUE, DueList.PAST_SAFE_DAY, DueList.DUE_TODAY, DueList.DUE_SOON, DueList.LATER)
_OWNER_ONLY = 0o600
_PER_PAGE = 100


# -- the docket ---------------------------------------------------------------------------------------


@click.command("docket", cls=RecordCommand)
@click.option("--all", "with_closed", is_flag=True, help="Closed cases too.")
@click.option(
    "--page", type=click.IntRange(min=1), default=1, help="Which page of the list; 1 is the newest."
)
@click.option(
    "--per-page", type=click.IntRange(min=1), default=_PER_PAGE, show_default=True, help="Cases a page."
)
@json_option
@on_record
def docket_list(caller: Caller, *, with_closed: bool, page: int, per_page: int, as_json: bool) -> None:
    """List the cases that you may see, newest first, each with its most urgent step."""
    with act(caller.docket, caller.actor, Deed.SEE_DOCKET) as step:
        step.note["what"] = "docket"
    listing = Listing.ALL if with_closed else Listing.NOT_CLOSED
    found = page_of(caller.docket, caller.actor, listing, page=page - 1, most=per_page)
    if as_json:
        seen = looks(caller.docket, caller.actor, [one.key for one in found.cases])
        say_json([_docket_object(one) for one in seen])
    else:
        due, zone = pending(caller.docket, found.cases), caller.zone
        say_table(
            ("Case", "Received", "Stage", "Next", "List", "Act by", "Last lawful day"),
            [_docket_row(zone, one, due.get(one.key)) for one in found.cases],
            none="No case that you may see."
            if with_closed
            else "No case is open that you may see. Closed ones too: docket docket --all.",
        )
    if found.pages > 1:
        # beside JSON it must not stand in what a program reads
        click.echo(
            f"Page {found.number + 1} of {found.pages:,}, {counted(found.total, 'case')}: --page.",
            err=as_json,
        )


def urgent_first(look: Look) -> list[tuple[Step, DueList]]:
    """Give a case's open steps with their lists, the most urgent first."""
    steps = [(one, due_list(one, look.today, look.calendar)) for one in look.steps if one.is_open]
    return sorted(steps, key=lambda pair: (_URGENT.index(pair[1]), pair[0].act_by or date.max))


def _docket_object(look: Look) -> dict[str, object]:
    return {
        "number": look.case.number,
        "received_at": iso(look.case.received_at),
        "stage": stage(look.case).value,
        "asides": [one.value for one in asides(look.case)],
        "steps": [_step_object(look, one) for one, _list in urgent_first(look)],
    }


def _docket_row(zone: ZoneInfo, one: Listed, due: Pending | None) -> Sequence[str]:
    start = (one.number, words.instant(one.received_at, zone), one.stage.value)
    if due is None:
        return (*start, "nothing is due", "", "", "")
    return (*start, due.what, due.list.value, words.day(due.act_by), words.day(due.last_day))


# -- one case -----------------------------------------------------------------------------------------


@click.command("case", cls=RecordCommand)
@click.argument("number")
@json_option
@on_record
def case(caller: Caller, number: str, *, as_json: bool) -> None:
    """Show case NUMBER: stage, parties, steps, letters, ballots and documents, with the ids of each."""
    look = open_case(caller.docket, caller.actor, number)
    kept, into = papers_for(caller.docket, look), goes_on_in(caller.docket, look.case, [caller.actor])
    if as_json:
        say_json(_case_object(look, kept) | {"merged_into": into or None})
    else:
        _show_case(look, kept, into)


def _case_object(look: Look, kept: Sequence[Paper]) -> dict[str, object]:
    file = look.case
    out = sorted(file.recused | file.walled_off)
    return {
        "number": file.number,
        "received_at": iso(file.received_at),
        "stage": stage(file).value,
        "asides": [one.value for one in asides(file)],
        "screened": file.screened,
        "unscreened_papers": [one for one in sorted(file.unscreened_papers) if look.sees(one)],
        "proper": file.form.fact.proper if file.form else None,
        "lacking": list(file.form.fact.lacking) if file.form else [],
        "referred_at": iso(file.referred.fact.at) if file.referred else None,
        "final": file.final,
        "out_of_the_case": [{"person": one, "name": look.people.name(one)} for one in out],
        "parties": [_party_object(look, one) for one in file.parties],
        "steps": [_step_object(look, one) for one in look.steps],
        "letters": [
            {
                "id": one.id,
                "kind": one.queued.letter,
                "to_party": one.queued.to_party,
                "to": one.queued.to_role,
                "state": one.state.value,
                "settled_at": iso(one.settled_at),
                "document": one.document,
                "clause": one.queued.clause,
            }
            for one in file.letters
        ],
        "ballots": [_ballot_object(one) for one in file.ballots],
        "time_asked": [
            {
                "id": one.id,
                "respondent": one.respondent,
                "until": iso(one.asked.until),
                "ruled": None
                if one.ruled is None
                else {
                    "granted": one.ruled.granted,
                    "until": iso(one.ruled.until),
                    "by": look.people.name(one.ruled.ruled_by),
                    "reason": one.ruled.reason,
                },
            }
            for one in file.asked_for_time()
        ],
        "exhibits": [
            {
                "id": one.id,
                "label": one.offered.label,
                "document": one.offered.document,
                "sha256": one.offered.sha256,
                "offered_by": one.offered_by,
                "received": one.ruled.received if one.ruled else None,
            }
            for one in file.exhibits
        ],
        "documents": [
            {
                "id": one.id,
                "kind": one.kind,
                "name": one.name,
                "media_type": one.media_type,
                "size": one.size,
                "sha256": one.sha256,
                "received_at": iso(one.received_at),
            }
            for one in kept
        ],
        "profile": file.profile_hash,
        "calendar": look.calendar.version,
    }


def _party_object(look: Look, party: Party) -> dict[str, object]:
    named = party.named
    is_track = party in look.case.respondents
    determined = look.case.standing_determination(party.id) if is_track else None
    return {
        "id": party.id,
        "role": named.role.value,
        "name": named.name,
        "emails": list(named.emails),
        "postal": named.postal,
        "office": named.office,
        "represents": named.represents,
        "left": party.left,
        "stage": track_stage(look.case, party.id).value if is_track else None,
        "answer_until": iso(look.case.answer_until(party.id)) if is_track else None,
        "determined": None
        if determined is None
        else {
            "within_jurisdiction": determined.fact.within_jurisdiction,
            "factual_basis": determined.fact.factual_basis,
            "frivolous": determined.fact.frivolous,
            "findings": determined.fact.findings,
            "ballots": list(determined.fact.ballots),
            "at": iso(determined.fact.at),
        },
    }


def _step_object(look: Look, step: Step) -> dict[str, object]:
    dates = step.dates
    hour = dates.act_by_closes_at if dates else None
    return {
        "key": step.key,
        "what": step.duty.what,
        "clause": step.duty.clause,
        "party": step.party,
        "state": step.state.value,
        "list": due_list(step, look.today, look.calendar).value if step.is_open else None,
        "act_by": iso(dates.act_by) if dates else None,
        "act_by_closes_at": hour.isoformat() if hour else None,
        "expected_last_day": iso(dates.expected_last_day) if dates else None,
        "keep_open_until": iso(dates.keep_open_until) if dates else None,
        "extended_until": iso(step.extended_until),
        "open_until": iso(step.open_until),
        "provisional": step.provisional,
        "done_at": iso(step.done_at),
        "on_time": step.on_time,
    }


def _ballot_object(ballot: BallotView) -> dict[str, object]:
    closed = ballot.closed
    return {
        "id": ballot.id,
        "meeting": ballot.opened.meeting or None,
        "respondent": ballot.track or None,
        "question": ballot.opened.question.value,
        "state": ballot_state(ballot),
        "outcome": closed.outcome if closed and ballot.voided is None else None,
    }


def ballot_state(ballot: BallotView) -> str:
    """Say where a ballot stands; nothing of its votes."""
    if ballot.voided is not None:
        return "void"
    return "open" if ballot.closed is None else "closed"


def _show_case(look: Look, kept: Sequence[Paper], into: str) -> None:
    file, zone = look.case, look.profile.city.time_zone
    also = "".join(f", {one.value}" for one in asides(file))
    on = f"; {into} goes on for it" if into else ""
    say(f"Case {file.number}: {stage(file).value}{also}{on}")
    say(f"Received {words.instant(file.received_at, zone)} ({zone.key})")
    say(f"Form: {_form(look)}")
    out = sorted(file.recused | file.walled_off)
    if out:
        walls = file.walls
        why = {one: f" ({walls[one]})" if one in walls else "" for one in out}
        say(f"Out of the case: {', '.join(f'{look.people.name(one)}{why[one]}' for one in out)}")
    say("")
    _show_parties(look)
    say("")
    _show_steps(look)
    say("")
    say_table(
        ("Letter", "Kind", "To", "State", "Since"),
        [
            (
                str(one.id),
                spoken(one.queued.letter),
                _name(look, one.queued.to_party) or one.to_whom,
                spoken(one.state),
                words.instant(one.settled_at or one.queued_at, zone),
            )
            for one in file.letters
        ],
        none="No letters.",
    )
    say("")
    _show_ballots_and_documents(look, kept)


def _form(look: Look) -> str:
    if not look.case.screened:
        return "the papers could not be searched for names; say who is named first (docket named)"
    if look.case.form is None:
        return "not decided yet"
    if look.case.proper:
        return "proper"
    return f"not proper; lacking: {', '.join(map(spoken, look.case.form.fact.lacking))}"


def _name(look: Look, party: int | None) -> str:
    found = look.case.party(party)
    return found.named.name if found else ""


def _show_parties(look: Look) -> None:
    rows = [
        (
            str(one.id),
            spoken(one.role),
            one.named.name,
            one.named.office,
            ", ".join(one.named.emails) or "on paper",
            _party_stage(look, one),
        )
        for one in look.case.parties
    ]
    say_table(("Party", "Role", "Name", "Office", "Reached", "Stage"), rows, none="No party is named.")


def _party_stage(look: Look, party: Party) -> str:
    if party.left:
        return "left"
    if party.named.represents is not None:
        return _representation(party.named)
    return track_stage(look.case, party.id).value if party in look.case.respondents else ""


def _representation(named: PartyNamed) -> str:
    """Say whom counsel represents, by the id of the party, and on which days; the first and the last count."""
    days = [f"{word} {day}" for word, day in (("from", named.since), ("to", named.until)) if day]
    return " ".join([f"for {named.represents}", *days])


def _show_steps(look: Look) -> None:
    rows = []
    for one in look.steps:
        where = due_list(one, look.today, look.calendar).value if one.is_open else spoken(one.state)
        dates = one.dates
        last = (one.open_until or dates.expected_last_day) if dates else None
        act_by = (dates.act_by_in_words or "") if dates else ""
        marks = ["provisional"] if one.provisional else []
        marks += ["as the Board extended it"] if one.is_extended else []
        clause = look.profile.clause(one.duty.clause).citation
        label = party_label(look.case, one.party)
        what = f"{one.duty.what}, {label}" if label else one.duty.what
        rows.append((what, where, act_by, words.day(last), clause, ", ".join(marks)))
    say_table(("Step", "Where it stands", "Act by", "Last day", "Clause", ""), rows, none="No steps.")


def _show_ballots_and_documents(look: Look, kept: Sequence[Paper]) -> None:
    ballots = look.case.ballots
    if ballots:
        rows = []
        for one in ballots:
            outcome = one.closed.outcome.replace("_", " ") if one.closed and one.voided is None else ""
            rows.append(
                (
                    str(one.id),
                    spoken(one.opened.question),
                    _name(look, one.track) or "the case",
                    ballot_state(one),
                    outcome,
                )
            )
        say_table(("Ballot", "Question", "Respondent", "State", "Outcome"), rows, none="")
        say("")
    _show_evidence(look)
    rows_of_papers = []
    for paper in kept:
        found = evidence.from_json(paper.finding)
        judged = evidence.in_words(found) if found else ""
        rows_of_papers.append((str(paper.id), spoken(paper.kind), paper.name, f"{paper.size:,}", judged))
    say_table(("Document", "Kind", "Name", "Bytes", "Found"), rows_of_papers, none="No documents.")
    _show_what_to_know(look, kept)


def _show_what_to_know(look: Look, kept: Sequence[Paper]) -> None:
    """Say of each paper that was judged all that whoever decides on the form should know (I7)."""
    complainants = [one.named.name for one in look.case.complainants]
    for paper in kept:
        found = evidence.from_json(paper.finding)
        if found is None:
            continue
        beside = "" if look.case.bears_on_form(paper.id, paper.kind) else " (the form is not decided on it)"
        say("", f"Document {paper.id}{beside}:")
        for line in evidence.for_the_decision(found, complainants):
            say(f"  {line}")


def _show_evidence(look: Look) -> None:
    """Show requests for more time and exhibits, where there are any."""
    asked = [
        (str(one.id), _name(look, one.respondent), words.day(one.asked.until), _time_ruled(look, one))
        for one in look.case.asked_for_time()
    ]
    if asked:
        say_table(("Request", "Respondent", "Until", "Ruled"), asked, none="")
        say("")
    exhibits = [
        (
            str(one.id),
            one.offered.label,
            str(one.offered.document),
            _name(look, one.offered_by) or "the Board",
            "not yet" if one.ruled is None else ("received" if one.ruled.received else "refused"),
        )
        for one in look.case.exhibits
    ]
    if exhibits:
        say_table(("Exhibit", "Mark", "Document", "Offered by", "Ruled"), exhibits, none="")
        say("")


def _time_ruled(look: Look, one: TimeAsked) -> str:
    if one.ruled is None:
        return "not yet"
    word = f"until {words.day(one.ruled.until)}" if one.ruled.granted else "refused"
    return f"{word}, {look.people.name(one.ruled.ruled_by)}"


# -- why this date ------------------------------------------------------------------------------------


@click.command("explain", cls=RecordCommand)
@click.argument("number")
@click.argument("step", required=False)
@json_option
@on_record
def explain(caller: Caller, number: str, step: str | None, *, as_json: bool) -> None:
    """Show how each date of case NUMBER came about: counted and skipped days, clause, calendar version.

    STEP is a step's key, such as acknowledge; without one, every step that has dates, its key before it.
    """
    look = open_case(caller.docket, caller.actor, number)
    chosen = [one for one in look.steps if step is None or step in {one.key, one.duty.id}]
    if not chosen:
        raise BadInput("There is no such step in this case.", mend="See: docket explain NUMBER.")
    if as_json:
        say_json([_explained(look, one) for one in chosen if one.clocks])
        return
    for one in chosen:
        _show_step(look, one)


def _explained(look: Look, step: Step) -> dict[str, object]:
    return {
        **_step_object(look, step),
        "citation": look.profile.clause(step.duty.clause).citation,
        "carried_from": step.carried_from or None,
        "extension": step.extension_in_words or None,
        "clocks": [
            {
                "whose": clock.whose,
                "started_at": iso(clock.started_at),
                "basis": clock.basis,
                "dates": as_object(clock.dates) if clock.dates else None,
            }
            for clock in step.clocks
        ],
    }


def _show_step(look: Look, step: Step) -> None:
    clause = look.profile.clause(step.duty.clause)
    say(f"== {step.key}: {step.duty.what} ({clause.citation}); {spoken(step.state)}")
    if not step.clocks:
        say("Its period has not begun.", "")
    for clock in step.clocks:
        started = words.instant(clock.started_at, look.profile.city.time_zone)
        basis = f", {spoken(clock.basis)}" if clock.basis else ""
        say(f"From {spoken(clock.whose)}, {started}{basis}:")
        if clock.dates is None:
            say("The ordinance names no period, and the Board has set none.", "")
        else:
            show(clock.dates)
            say("")
    if step.extension_in_words:
        say(step.extension_in_words, "")


# -- history ------------------------------------------------------------------------------------------


@click.command("history", cls=RecordCommand)
@click.argument("number")
@json_option
@on_record
def history(caller: Caller, number: str, *, as_json: bool) -> None:
    """Show what was recorded in case NUMBER, when, by whom, and in which entry of the journal.

    How somebody votes is not shown here; `docket ballot show` shows it once the ballot is closed.
    """
    look = open_case(caller.docket, caller.actor, number)
    rows = [
        {
            "fact": one.id,
            "at": iso(one.at),
            "what": one.fact.KIND,
            "about": one.about,
            "supersedes": one.supersedes,
            "by": look.people.name(one.by),
            "entry": one.entry,
        }
        for one in look.case.facts
    ]
    if as_json:
        say_json(rows)
        return
    zone = look.profile.city.time_zone
    say_table(
        ("Entry", "When", "What", "By"),
        [
            (
                str(one.entry),
                words.instant(one.at, zone),
                recorded_as(look.case, one),
                look.people.name(one.by),
            )
            for one in look.case.facts
        ],
        none="Nothing was recorded.",
    )


# -- documents ----------------------------------------------------------------------------------------


@click.command("document", cls=RecordCommand)
@click.argument("number")
@click.argument("document_id", metavar="ID", type=int)
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="A file that is not there."
)
@on_record
def document(caller: Caller, number: str, document_id: int, *, out: Path) -> None:
    """Save document ID of case NUMBER to a file, byte for byte; that it was delivered is recorded."""
    save(out, lambda: read_document(caller.docket, caller.actor, number, document_id, where="cli")[1])


def save(out: Path, content: Callable[[], bytes]) -> None:
    """Write what is delivered into a new file that only its owner may read.

    Args:
        out: a file that is not there.
        content: gives the bytes; asked once the file is known to be new.

    Raises:
        Told: the file is there, or cannot be made; nothing was delivered.
    """
    try:
        handle = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    except FileExistsError as error:
        raise Told("The file is there already; nothing was delivered. Name another one.") from error
    except OSError as error:
        raise Told(f"The file cannot be made ({error.strerror}); nothing was delivered.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content())
    except BaseException:
        out.unlink(missing_ok=True)
        raise
    say(f"Saved: {out}. That it was delivered to you is recorded.")

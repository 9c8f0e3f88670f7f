"""The report on a year: counted from the record, as files and as the Board's letter to the Commission (C8)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlmodel import Session, col, select

from store.cases import Act, Actor, Docket, act, board_facts, case_key, load_case, profile_of
from store.letters.annual_report import AnnualReport, Count, StepTime
from store.letters.letter import Addressee
from store.proceedings import writing
from store.proceedings.offices import write_to
from store.rules import duties, reporting
from store.rules.access import Deed
from store.rules.casefile import CaseFile
from store.rules.cells import csv_text
from store.rules.dates import local_date
from store.rules.duties import Step
from store.rules.errors import AlreadyDone, BadInput
from store.rules.facts import ReportSent
from store.rules.ordinance import Office
from store.rules.reporting import Report
from store.tables import CaseRow

_EARLIEST = 1994


@dataclass(frozen=True, slots=True)
class Written:
    """The report in each form.

    Attributes:
        report: the numbers.
        as_csv: one line a number; no cell acts in a spreadsheet.
        as_json: the same.
        pdf: tagged (PDF/UA-1), with bars.
    """

    report: Report
    as_csv: bytes
    as_json: bytes
    pdf: bytes


def count_year(docket: Docket, actor: Actor, year: int, *, smallest: int = reporting.SMALLEST) -> Report:
    """Count the complaints received in a year; that it was counted is an entry.

    Args:
        docket: the record.
        actor: the clerk or the chair.
        year: the calendar year in the city's zone.
        smallest: the smallest number that is shown.

    Raises:
        NotAllowed: it is not his to do.
        BadInput: the year lies ahead.
    """
    with act(docket, actor, Deed.REPORT) as step:
        step.note["report"] = year
        return _counted(step, year, smallest)


def write_report(
    docket: Docket, actor: Actor, year: int, *, remarks: str = "", smallest: int = reporting.SMALLEST
) -> Written:
    """Write the report on a year as CSV, JSON and PDF; nothing is sent.

    Raises:
        NotAllowed: it is not his to do.
        BadInput: the year lies ahead.
    """
    with act(docket, actor, Deed.REPORT) as step:
        step.note["report"] = year
        found = _counted(step, year, smallest)
        letter = _letter(step, found, Addressee(""), remarks)
        pdf = docket.typesetter.set(letter, step.now).pdf
    text = json.dumps(_as_json(found), indent=1) + "\n"
    return Written(
        found, csv_text(("Table", "What", "Clause", "Number"), _lines(found)).encode(), text.encode(), pdf
    )


def _as_json(found: reporting.Report) -> dict[str, object]:
    """Give the report as JSON holds it, each field by its name: what is added to a report is not published by itself."""
    return {
        "year": found.year,
        "received": found.received,
        "fates": [_row(one) for one in found.fates],
        "respondents": found.respondents,
        "outcomes": [_row(one) for one in found.outcomes],
        "after": [_row(one) for one in found.after],
        "steps": [
            {
                "what": one.what,
                "clause": one.clause,
                "done": one.done,
                "median_days": one.median_days,
                "longest_days": one.longest_days,
                "on_time": one.on_time,
                "share_on_time": one.share,
            }
            for one in found.steps
        ],
        "smallest": found.smallest,
    }


def _row(one: reporting.Row) -> dict[str, object]:
    return {"what": one.what, "clause": one.clause, "number": one.number}


def send_report(docket: Docket, actor: Actor, year: int, *, remarks: str = "") -> int:
    """Write the report to the City Commission: by mail where the profile has an address, else on paper.

    Returns:
        The letter's id.

    Raises:
        NotAllowed: it is not his to do.
        BadInput: the year lies ahead, or the profile has no address of the Commission.
        AlreadyDone: it was written to the Commission today.
    """
    with act(docket, actor, Deed.REPORT) as step:
        found = _counted(step, year, reporting.SMALLEST)
        step.note["report"] = year
        if _was_sent_today(step, year):
            raise AlreadyDone(
                "The report on this year was written to the City Commission today.",
                clause="C-confidential",
                mend="docket outbox shows where a letter stands; a later count can be sent on another day.",
            )
        letter = write_to(step, Office.COMMISSION, lambda to: _letter(step, found, to, remarks))
        step.record(ReportSent(year, letter))
        return letter


def _was_sent_today(step: Act, year: int) -> bool:
    zone = step.profile.city.time_zone
    return any(
        isinstance(one.fact, ReportSent) and one.fact.year == year and local_date(one.at, zone) == step.today
        for one in board_facts(step.docket, step.session, ReportSent)
    )


def _counted(step: Act, year: int, smallest: int) -> Report:
    if not _EARLIEST <= year <= step.today.year:
        raise BadInput("There is no report on that year.", mend="Name a year that has begun, such as 2026.")
    return reporting.report(year, list(_cases(step, year)), step.profile, smallest=smallest)


def _cases(step: Act, year: int) -> Iterator[tuple[CaseFile, tuple[Step, ...]]]:
    """Give the cases received in a year, as they stand now; test cases and what was disposed of are left out."""
    zone = step.profile.city.time_zone
    for row in _rows(step.session, practice=step.docket.practice):
        assert row.id is not None
        if step.docket.keyring.is_disposed(step.session, case_key(row.id)):
            continue
        case = load_case(step.docket, step.session, row.id)
        if local_date(case.board_received_at, zone).year == year:
            profile = profile_of(step.session, case.profile_hash)
            yield case, duties.steps(case, profile, step.calendar, step.today)


def _rows(session: Session, *, practice: bool) -> list[CaseRow]:
    query = select(CaseRow).order_by(col(CaseRow.id))
    return list(session.exec(query if practice else query.where(CaseRow.practice == False)))  # noqa: E712  SQL's false


def _letter(step: Act, found: Report, to: Addressee, remarks: str) -> AnnualReport:
    return AnnualReport(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=to,
        dated=step.today,
        case_number="",
        year=str(found.year),
        counts=(
            Count("complaints received", found.received),
            *(Count(one.what, one.number) for one in found.fates),
            *(Count(one.what, one.number) for one in found.after),
        ),
        outcomes=(
            Count("respondents named", found.respondents),
            *(Count(one.what, one.number, one.clause) for one in found.outcomes),
        ),
        steps=tuple(
            StepTime(
                one.what, one.clause, one.done, one.median_days, one.longest_days, one.on_time, one.share
            )
            for one in found.steps
        ),
        smallest=found.smallest,
        remarks=remarks.strip(),
    )


def _lines(found: Report) -> Iterator[tuple[object, ...]]:
    """Give the report's numbers, one line each; what is hidden says so."""

    def said(number: float | None) -> object:
        return "not shown" if number is None else number

    yield "complaints", "received", "", said(found.received)
    for one in (*found.fates, *found.after):
        yield "complaints", one.what, one.clause, said(one.number)
    yield "outcomes", "respondents", "", said(found.respondents)
    for one in found.outcomes:
        yield "outcomes", one.what, one.clause, said(one.number)
    for step in found.steps:
        yield "done", step.what, step.clause, said(step.done)
        yield "median days", step.what, step.clause, said(step.median_days)
        yield "longest days", step.what, step.clause, said(step.longest_days)
        yield "on time", step.what, step.clause, said(step.on_time)
        yield "share on time, in a hundred", step.what, step.clause, said(step.share)

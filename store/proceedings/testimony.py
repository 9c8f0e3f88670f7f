"""Testimony: a party appears and is heard, and what is said under oath is recorded with its transcript (clause B)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from store.cases import Act, Actor, Docket, act
from store.proceedings.days import since_complaint, told_that_day
from store.proceedings.meeting import current
from store.proceedings.offices import chosen_papers
from store.proceedings.response import RESPONSE, File
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import Party
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput
from store.rules.facts import Appeared, PaperReceived, PartyRole, ReceiptEvidence, StatementTaken

TRANSCRIPT = "transcript"


@dataclass(frozen=True, slots=True)
class Appearance:
    """How a party appeared.

    Attributes:
        at: when, aware.
        how: in person, by video, through counsel.
        counsel: ids of the counsel who came with him.
        words: what is to be noted.
        answers: what he said was his answer to the complaint.
    """

    at: datetime
    how: str
    counsel: Sequence[int] = ()
    words: str = ""
    answers: bool = False


def record_appearance(docket: Docket, actor: Actor, number: str, party: int, appearance: Appearance) -> int:
    """Record that a party appeared before the Board.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        party: id of the party.
        appearance: how; with `answers`, a respondent's right to respond is used by it.

    Returns:
        The id of the appearance.

    Raises:
        BadInput: no such party or counsel, no word on how, an instant that lies ahead, or an answer by
            somebody who is no respondent.
        AlreadyDone: the same appearance is on the record for that day.
    """
    with act(docket, actor, Deed.RECORD_EVIDENCE, number=number) as step:
        who = _party(step, party)
        at = since_complaint(step, appearance.at)
        if not appearance.how.strip():
            raise BadInput("An appearance is recorded with how it was made.", mend="In person, by video.")
        mine = {one.id for one in step.case.counsel_of(party, local_date(at, step.profile.city.time_zone))}
        counsel = tuple(dict.fromkeys(appearance.counsel))
        if not set(counsel) <= mine:
            raise BadInput("Somebody in this list is no counsel of this party.", mend="Name counsel first.")
        fact = Appeared(
            at, appearance.how.strip(), counsel, meeting_at(step, at), words=appearance.words.strip()
        )
        if told_that_day(step, fact, party):
            raise AlreadyDone("This appearance is on the record.", clause="B-respond")
        key = step.record(fact, about=party)
        if appearance.answers:
            _answer(step, who, at, appearance)
        refresh_cards(step)
        return key


def _answer(step: Act, party: Party, at: datetime, appearance: Appearance) -> None:
    if party.role is not PartyRole.RESPONDENT:
        raise BadInput("Only a respondent answers the complaint; nothing was changed.")
    words = appearance.words.strip() or f"heard by the Board: {appearance.how.strip()}"
    evidence = ReceiptEvidence(words="heard by the Board")
    step.record(PaperReceived(at, RESPONSE, from_party=party.id, evidence=evidence, words=words))


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement under oath.

    Attributes:
        at: when it was taken, aware.
        administered_by: who administered the oath.
        party: id of the party who made it; None for another witness.
        witness: the witness's name, where it is no party.
        words: what is to be noted.
        documents: ids of papers of the case that are its transcript or recording.
    """

    at: datetime
    administered_by: str
    party: int | None = None
    witness: str = ""
    words: str = ""
    documents: Sequence[int] = ()


def record_statement(
    docket: Docket, actor: Actor, number: str, statement: Statement, files: Sequence[File] = ()
) -> int:
    """Record a statement under oath: who swore, who administered the oath, when, its transcript or recording.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        statement: who, when, before whom.
        files: the transcript or the recording, where it is handed in now.

    Returns:
        The id of the statement.

    Raises:
        BadInput: nobody or two are said to have sworn, nobody to have administered the oath, no such party
            or paper, or an instant that lies ahead or before the complaint.
        AlreadyDone: the same statement is on the record for that day.

    Source: clause (B), to appear and be heard under oath.
    """
    with act(docket, actor, Deed.RECORD_EVIDENCE, number=number) as step:
        at = since_complaint(step, statement.at)
        if (statement.party is None) is not bool(statement.witness.strip()):
            raise BadInput("A statement is one party's, or one named witness's; nothing was changed.")
        if not statement.administered_by.strip():
            raise BadInput("A statement under oath is recorded with who administered the oath.")
        sworn = (
            _party(step, statement.party).named.name
            if statement.party is not None
            else " ".join(statement.witness.split())
        )
        chosen = tuple(one.id for one in chosen_papers(step, statement.documents, clause="B-respond"))
        documents = chosen + tuple(
            step.keep(one.content, kind=TRANSCRIPT, media_type=one.media_type, name=one.name, received_at=at)
            for one in files
        )
        fact = StatementTaken(
            at,
            sworn,
            " ".join(statement.administered_by.split()),
            documents,
            meeting_at(step, at),
            statement.words.strip(),
        )
        if told_that_day(step, fact, statement.party):
            raise AlreadyDone("This statement is on the record.", clause="B-respond")
        key = step.record(fact, about=statement.party)
        refresh_cards(step)
        return key


def _party(step: Act, party: int | None) -> Party:
    found = step.case.party(party)
    if found is None or found.left:
        raise BadInput("There is no such party in this case.", mend="Name the party first.")
    return found


def meeting_at(step: Act, at: datetime) -> int | None:
    """Give the meeting that is in session, if it was so at an instant; None else."""
    held = current(step)
    return held.id if held is not None and held.opened.at <= at else None

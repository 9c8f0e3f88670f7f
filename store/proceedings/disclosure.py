"""Public disclosure by a party: recorded; it opens confirmation, and by vote the release of issued papers (C)(2)."""

from collections.abc import Iterable, Sequence
from datetime import date

from store.cases import Act, Actor, Docket, Paper, act, papers
from store.proceedings.days import day_since_complaint
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import BallotView, CaseFile
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import Disclosed, DocumentsReleased, PartyLeft, PartyRole, PubliclyConfirmed, Question
from store.rules.ordinance import Exit

CLAUSE = "C2-disclosure"
_MAY_DISCLOSE = frozenset({PartyRole.COMPLAINANT, PartyRole.RESPONDENT})


def record_disclosure(
    docket: Docket, actor: Actor, number: str, *, party: int, on: date, evidence: str
) -> int:
    """Record that a party made the existence of the inquiry public.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        party: the complainant or respondent who did.
        on: the local day.
        evidence: where it can be seen or heard.

    Raises:
        NotNow: the ordinance has no such exception.
        BadInput: it is no complainant or respondent, or was one no longer on that day; no evidence; or a day that lies
            ahead or before the complaint.
        AlreadyDone: it is on the record.

    Source: clause (C)(2).
    """
    with act(docket, actor, Deed.RECORD_DISCLOSURE, number=number) as step:
        if Exit.DISCLOSURE not in step.profile.confidentiality.exits:
            raise NotNow(
                "The ordinance of this case knows no such exception.",
                clause=CLAUSE,
                mend="Nothing leaves under it; ask counsel.",
            )
        known = step.case.party(party)
        if known is None or known.role not in _MAY_DISCLOSE:
            raise BadInput(
                "Only a disclosure by the complainant or the alleged violator opens anything.",
                clause=CLAUSE,
                mend="Say which of them made it public; a disclosure by anybody else changes nothing.",
            )
        if not evidence.strip():
            raise BadInput(
                "A disclosure is recorded with its evidence.", clause=CLAUSE, mend="Say where it is."
            )
        _check_party_then(step, party, day_since_complaint(step, on))
        fact = Disclosed(on, party, evidence.strip())
        if fact in {one.fact for one in step.case.all(Disclosed)}:
            raise AlreadyDone("This disclosure is on the record.", clause=CLAUSE)
        key = step.record(fact, about=party)
        refresh_cards(step)
        return key


def _check_party_then(step: Act, party: int, on: date) -> None:
    left = step.case.last(PartyLeft, about=party)
    if left is not None and on >= left.fact.on:
        raise BadInput(
            "Whoever made it public on that day was no party of this case any more, so nothing is opened by it.",
            clause=CLAUSE,
            mend="Check the day and the party.",
        )


def confirm_publicly(docket: Docket, actor: Actor, number: str, *, how: str) -> str:
    """Record that the Board publicly confirms the existence of the inquiry, and give the words for it.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        how: where the Board confirms it.

    Returns:
        One sentence that says that the inquiry exists, and nothing else.

    Raises:
        NotNow: no disclosure by a party is on the record.
        BadInput: no word on how.
        AlreadyDone: the same confirmation is on the record for today; the answer repeats its words.
    """
    with act(docket, actor, Deed.RECORD_DISCLOSURE, number=number) as step:
        _disclosed(step)
        if not how.strip():
            raise BadInput(
                "A confirmation is recorded with how it was made.", clause=CLAUSE, mend="Say where."
            )
        says = (
            f"The {step.profile.city.board} confirms that a preliminary inquiry exists in case "
            f"{step.case.number}. Its proceedings and records are confidential until a final determination."
        )
        if _confirmed_today(step, how):
            raise AlreadyDone(
                "This confirmation is on the record for today.", clause=CLAUSE, mend=f"Its words: {says}"
            )
        step.record(PubliclyConfirmed(step.now, how.strip()))
        refresh_cards(step)
        return says


def _confirmed_today(step: Act, how: str) -> bool:
    zone, same = step.profile.city.time_zone, " ".join(how.split()).casefold()
    return any(
        local_date(one.fact.at, zone) == step.today and " ".join(one.fact.how.split()).casefold() == same
        for one in step.case.all(PubliclyConfirmed)
    )


def _disclosed(step: Act) -> int:
    found = step.case.last(Disclosed)
    if found is None:
        raise NotNow(
            "No disclosure by a party is on the record, so the inquiry is confirmed to nobody.",
            clause=CLAUSE,
            mend="Record the disclosure with its evidence first.",
        )
    return found.id


def issued_to_a_party(case: CaseFile, kept: Iterable[Paper]) -> frozenset[int]:
    """Give the documents that were issued to a party: the Board's letters that reached it, and what went with them.

    A letter that waits, came back or was taken back was issued to nobody.

    Args:
        case: the case.
        kept: its papers, those that may be read.

    Source: clause (C)(2), "any documents which were issued to either party".
    """
    sent = [
        one
        for one in case.letters
        if one.queued.to_party is not None and (one.counts_as_sent or case.is_confirmed(one.id))
    ]
    issued = {one.document for one in sent} | {paper for one in sent for paper in one.queued.enclosures}
    noticed = any(case.served("notice", one.id) for one in case.respondents)
    return frozenset(one.id for one in kept if one.id in issued or (noticed and one.kind == "complaint"))


def release_documents(
    docket: Docket, actor: Actor, number: str, documents: Sequence[int], *, how: str
) -> int:
    """Record that the Board makes documents public that were issued to a party.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        documents: ids of the documents.
        how: where they are made public.

    Returns:
        The id of the release.

    Raises:
        NotNow: no disclosure is on the record, or no ballot after it has carried the release.
        BadInput: a document was issued to no party, none was named, or no word on how.
        AlreadyDone: each of them was released before.

    Source: clause (C)(2), "at its discretion": the discretion is the Board's, by vote.
    """
    with act(docket, actor, Deed.RECORD_DISCLOSURE, number=number) as step:
        ballot = _carried(step, _disclosed(step))
        wanted = tuple(dict.fromkeys(documents))
        if not wanted or not how.strip():
            raise BadInput("A release names the documents and how they are made public.", clause=CLAUSE)
        assert step.case_id is not None
        if not set(wanted) <= issued_to_a_party(step.case, papers(step.docket, step.session, step.case_id)):
            raise BadInput(
                "Only documents that were issued to a party can be made public: letters that reached it, and what went "
                "with them; nothing was changed.",
                clause=CLAUSE,
                mend="See in Letters which went out, and to whom.",
            )
        before = {one for fact in step.case.all(DocumentsReleased) for one in fact.fact.documents}
        if set(wanted) <= before:
            raise AlreadyDone("These documents were released before.", clause=CLAUSE)
        key = step.record(DocumentsReleased(step.now, wanted, ballot.id, how.strip()))
        refresh_cards(step)
        return key


def _carried(step: Act, disclosed: int) -> BallotView:
    """Give the ballot that carries the release: the newest that decided it, opened after the disclosure."""
    ballot = step.case.carried(Question.RELEASE_DOCUMENTS, after=disclosed)
    if ballot is None:
        raise NotNow(
            "No ballot of the Board has carried the release of documents.",
            clause=CLAUSE,
            mend="Open a ballot on it in a meeting; what is released is chosen when it is carried.",
        )
    return ballot

"""Exhibits: offered in evidence by a party or the Board, each with its hash, received or refused (clause B)."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from store.cases import Act, Actor, Docket, act
from store.proceedings.answer_time import who_ruled
from store.proceedings.days import since_complaint
from store.proceedings.offices import chosen_papers
from store.proceedings.response import File
from store.proceedings.screening import refresh_cards
from store.proceedings.testimony import meeting_at
from store.rules.access import Deed
from store.rules.casefile import Exhibit, Party
from store.rules.errors import AlreadyDone, BadInput
from store.rules.facts import ExhibitOffered, ExhibitRuled, PartyRole

CLAUSE = "B-respond"
EXHIBIT = "exhibit"


@dataclass(frozen=True, slots=True)
class Offer:
    """An exhibit as it is offered.

    Attributes:
        at: when, aware.
        offered_by: id of the party or counsel who offers it; None for the Board.
        file: the paper or thing itself, where it was handed in now.
        document: id of a paper of the case instead.
        label: how it is marked; the next free mark of that side if empty.
        words: what it is offered to show.
    """

    at: datetime
    offered_by: int | None = None
    file: File | None = None
    document: int | None = None
    label: str = ""
    words: str = ""


def offer_exhibit(docket: Docket, actor: Actor, number: str, offer: Offer) -> int:
    """Record that an exhibit was offered; it is kept byte for byte, and its SHA-256 stands in the record.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        offer: what, by whom, when.

    Returns:
        The exhibit's id.

    Raises:
        BadInput: no such party or paper, neither or both of a file and a paper, or an instant that lies ahead.
        AlreadyDone: an exhibit bears this mark, or the same party offered the same paper.
    """
    with act(docket, actor, Deed.RECORD_EVIDENCE, number=number) as step:
        at = since_complaint(step, offer.at)
        if (offer.file is None) is (offer.document is None):
            raise BadInput("An exhibit is a file handed in now, or a paper of the case; one of the two.")
        by = _by(step, offer.offered_by)
        label = " ".join(offer.label.split()) or _next_mark(step, by)
        if label.casefold() in {one.offered.label.casefold() for one in step.case.exhibits}:
            raise AlreadyDone("An exhibit of this case bears this mark.", clause=CLAUSE)
        document, sha256 = _paper(step, offer, at)
        before = [one for one in step.case.exhibits if one.offered_by == offer.offered_by]
        if sha256 in {one.offered.sha256 for one in before}:
            raise AlreadyDone("This party has offered this paper.", clause=CLAUSE)
        fact = ExhibitOffered(at, label, document, sha256, offer.words.strip(), meeting_at(step, at))
        key = step.record(fact, about=offer.offered_by)
        refresh_cards(step)
        return key


def _by(step: Act, offered_by: int | None) -> Party | None:
    if offered_by is None:
        return None
    party = step.case.party(offered_by)
    if party is None or party.left:
        raise BadInput("There is no such party in this case.", mend="Name the party first.")
    return party


def _paper(step: Act, offer: Offer, at: datetime) -> tuple[int, str]:
    if offer.file is not None:
        one = offer.file
        kept = step.keep(one.content, kind=EXHIBIT, media_type=one.media_type, name=one.name, received_at=at)
        return kept, hashlib.sha256(one.content).hexdigest()
    assert offer.document is not None
    (paper,) = chosen_papers(step, [offer.document], clause=CLAUSE)
    return paper.id, paper.sha256


def _next_mark(step: Act, by: Party | None) -> str:
    """Give the next free mark: B for the Board, C for a complainant, R with his place for a respondent."""
    side = _side(step, by)
    taken = {one.offered.label.casefold() for one in step.case.exhibits}
    place = 1
    while f"{side}-{place}".casefold() in taken:
        place += 1
    return f"{side}-{place}"


def _side(step: Act, by: Party | None) -> str:
    if by is None:
        return "B"
    if by.role in {PartyRole.COMPLAINANT, PartyRole.COMPLAINANT_COUNSEL}:
        return "C"
    tracks = [one.id for one in step.case.respondents]
    track = by.named.represents if by.named.represents is not None else by.id
    return f"R{tracks.index(track) + 1}" if len(tracks) > 1 and track in tracks else "R"


def rule_on_exhibit(
    docket: Docket,
    actor: Actor,
    number: str,
    exhibit: int,
    *,
    received: bool,
    reason: str = "",
    ruled_by: int | None = None,
) -> None:
    """Record that an exhibit was received in evidence or refused; another ruling later needs its reason.

    Args:
        docket: the record.
        actor: the chair, or the clerk who records the ruling.
        number: the case's number.
        exhibit: the exhibit's id.
        received: whether it is in evidence.
        reason: why; needed to refuse it, and to rule otherwise than before.
        ruled_by: who ruled; the chair himself if None.

    Raises:
        BadInput: no such exhibit, no reason where one is needed, or nobody who may rule.
        AlreadyDone: it was ruled so.
    """
    with act(docket, actor, Deed.RECORD_EVIDENCE, number=number) as step:
        found = _exhibit(step, exhibit)
        if found.ruled is not None and found.ruled.received is received:
            raise AlreadyDone("The record has this ruling on the exhibit.", clause=CLAUSE)
        if not reason.strip() and (found.ruled is not None or not received):
            raise BadInput("An exhibit is refused, or ruled on anew, with a reason only.", mend="Say why.")
        person = who_ruled(step, ruled_by)
        step.record(ExhibitRuled(step.now, received, person, reason.strip()), about=exhibit)
        refresh_cards(step)


def _exhibit(step: Act, exhibit: int) -> Exhibit:
    found = next((one for one in step.case.exhibits if one.id == exhibit), None)
    if found is None:
        raise BadInput("There is no such exhibit in this case; nothing was changed.")
    return found

"""Referral of evidence: chosen papers go to a prosecutor with a manifest of their hashes, and his receipt (C)(1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256

from store.cases import Act, Actor, Docket, Paper, act
from store.letters.evidence_cover import EvidenceCover
from store.letters.letter import Addressee
from store.proceedings import writing
from store.proceedings.days import day_since_complaint, past_instant
from store.proceedings.enclosed import CHECK, MANIFEST, MANIFEST_NAME, exhibit_names, manifest_text
from store.proceedings.offices import chosen_papers, in_words, listed, settle_on_paper, write_to
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import EvidenceTurnedOver, OfficeReceived
from store.rules.ordinance import Exit, Office

CLAUSE = "C1-evidence"
PROSECUTORS = (Office.COMMONWEALTHS_ATTORNEY, Office.COUNTY_ATTORNEY)


@dataclass(frozen=True, slots=True)
class Selection:
    """What goes to whom, and by what authority.

    Attributes:
        to: the Commonwealth's or the County Attorney.
        documents: ids of the papers that a person chose.
        authorised_on: the local day on which the Board or its chair authorised it.
        authority: by what act, such as a motion carried; nothing of the deliberations.
    """

    to: Office
    documents: Sequence[int]
    authorised_on: date
    authority: str


def turn_over_evidence(docket: Docket, actor: Actor, number: str, selection: Selection) -> int:
    """Write to a prosecutor with the chosen papers and a manifest enclosed, byte for byte.

    Votes, deliberations, and whatever else the Board wrote never go with it.

    Returns:
        The id of the turning over; `record_evidence_receipt` is about it.

    Raises:
        NotNow: the ordinance has no such exception.
        AlreadyDone: the same papers went there, or wait to go.
        BadInput: the office is no prosecutor, no paper was chosen or one is none of the case's own, no
            authority was given, or its day lies ahead or before the complaint.

    Source: clause (C)(1); decisions 15.
    """
    with act(docket, actor, Deed.TURN_OVER_EVIDENCE, number=number) as step:
        _check(step, selection)
        chosen = chosen_papers(step, selection.documents, clause=CLAUSE)
        if not chosen:
            raise BadInput(
                "No paper was chosen; nothing was changed.", clause=CLAUSE, mend="Choose the evidence."
            )
        if _is_on_its_way(step, selection, chosen):
            raise AlreadyDone("These papers were turned over to this office.", clause=CLAUSE)
        manifest = _manifest(step, chosen)

        def make(to: Addressee) -> EvidenceCover:
            return _cover(step, to, selection, chosen, manifest.sha256)

        enclosed = (*(one.id for one in chosen), manifest.document)
        letter = write_to(step, selection.to, make, enclosures=enclosed)
        fact = EvidenceTurnedOver(
            step.now,
            selection.to.value,
            tuple(one.id for one in chosen),
            manifest.document,
            letter,
            selection.authority.strip(),
        )
        key = step.record(fact)
        refresh_cards(step)
        return key


def _is_on_its_way(step: Act, selection: Selection, chosen: Sequence[Paper]) -> bool:
    """Say whether the same papers went to the same office, or wait to go; a letter that failed is written anew."""
    failed = {one.id for one in step.case.letters if one.may_be_written_anew}
    return any(
        one.fact.letter_fact not in failed
        and one.fact.to == selection.to.value
        and set(one.fact.documents) == {each.id for each in chosen}
        for one in step.case.all(EvidenceTurnedOver)
    )


def _check(step: Act, selection: Selection) -> None:
    if Exit.PROSECUTOR not in step.profile.confidentiality.exits:
        raise NotNow(
            "The ordinance of this case does not let evidence go to a prosecutor.",
            clause=CLAUSE,
            mend="Nothing leaves under it; ask counsel.",
        )
    if selection.to not in PROSECUTORS:
        raise BadInput("Evidence goes to the Commonwealth's Attorney or the County Attorney.", clause=CLAUSE)
    if not selection.authority.strip():
        raise BadInput(
            "Evidence is turned over by the Board's authority.",
            clause=CLAUSE,
            mend="Say by what act, such as the motion and its meeting.",
        )
    day_since_complaint(step, selection.authorised_on)


@dataclass(frozen=True, slots=True)
class _Manifest:
    document: int
    sha256: str


def _manifest(step: Act, chosen: Sequence[Paper]) -> _Manifest:
    """Keep the list of hashes as `sha256sum` writes it, so that anyone can check the files with it."""
    lines = manifest_text(chosen).encode()
    document = step.keep(
        lines, kind=MANIFEST, media_type="text/plain", name=MANIFEST_NAME, received_at=step.now
    )
    return _Manifest(document, sha256(lines).hexdigest())


def _cover(
    step: Act, to: Addressee, selection: Selection, chosen: Sequence[Paper], manifest: str
) -> EvidenceCover:
    exhibits = listed(step, chosen)
    return EvidenceCover(
        letterhead=writing.letterhead(step),
        signatory=writing.signatory(step.profile),
        addressee=to,
        dated=step.today,
        case_number=step.case.number,
        enclosures=(*(in_words(one) for one in exhibits), "The manifest of SHA-256 hashes"),
        authorised_on=selection.authorised_on,
        authority=selection.authority.strip(),
        exhibits=exhibits,
        files=exhibit_names(chosen),
        manifest_sha256=manifest,
        check=CHECK,
    )


def record_evidence_receipt(
    docket: Docket, actor: Actor, number: str, turned_over: int, *, at: datetime, evidence: str
) -> None:
    """Record that the prosecutor received what was turned over.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        turned_over: id of the turning over.
        at: when, aware.
        evidence: how it is known, such as the signed receipt.

    Raises:
        BadInput: there is no such turning over, no evidence, or an instant that lies ahead.
        NotNow: the instant lies before it.
        AlreadyDone: its receipt is on the record.
    """
    with act(docket, actor, Deed.TURN_OVER_EVIDENCE, number=number) as step:
        found = next((one for one in step.case.all(EvidenceTurnedOver) if one.id == turned_over), None)
        if found is None:
            raise BadInput("There is no such turning over in this case; nothing was changed.", clause=CLAUSE)
        if not evidence.strip():
            raise BadInput(
                "A receipt is recorded with its evidence.", clause=CLAUSE, mend="Say how it is known."
            )
        instant = past_instant(step, at)
        check_received(step, found.fact, instant)
        if step.case.last(OfficeReceived, about=turned_over) is not None:
            raise AlreadyDone(
                "This receipt is on the record.",
                clause=CLAUSE,
                mend="Where its instant was wrong, the clerk corrects it: docket correct receipt.",
            )
        for letter in step.case.letters:
            if letter.id == found.fact.letter_fact:
                settle_on_paper(step, letter, instant)
        step.record(OfficeReceived(instant, evidence.strip()), about=turned_over)
        refresh_cards(step)


def check_received(step: Act, turned_over: EvidenceTurnedOver, at: datetime) -> None:
    """See whether a prosecutor can have received evidence at an instant. For its record and its correction.

    Raises:
        NotNow: it lies before the day on which the evidence was turned over.
    """
    zone = step.profile.city.time_zone
    if local_date(at, zone) < local_date(turned_over.at, zone):
        raise NotNow(
            "It cannot be received before it was turned over.",
            clause=CLAUSE,
            mend="Check the day and the hour.",
        )

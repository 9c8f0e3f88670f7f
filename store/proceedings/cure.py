"""A cure that reaches the Board by hand: the paper that mends what a complaint lacked, with its own receipt (A).

By mail it joins its case by itself. On paper somebody brings it, and the 30 days of (B) run from that receipt
once the complaint is found proper by it.
"""

from collections.abc import Sequence

from store.cases import Act, Actor, Docket, act
from store.proceedings.ballot import tell_clerk_and_chair
from store.proceedings.days import since_complaint
from store.proceedings.offices import chosen_papers
from store.proceedings.receipt import Filing, attach_in, is_received_so
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import COMPLAINANT_SIDE, CURE, CaseFile
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import PaperReceived

CLAUSE = "A-form"


def record_cure(
    docket: Docket,
    actor: Actor,
    number: str,
    filing: Filing,
    *,
    party: int | None = None,
    documents: Sequence[int] = (),
) -> int:
    """Record that a paper came by hand which may mend what the complaint lacks; a person decides the form after it.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        filing: the papers, when they were received, and how that is known.
        party: the complainant, or his counsel, from whom it comes; None where there is one complainant.
        documents: ids of papers of the case instead, such as a scan that reached the file by mail.

    Returns:
        The receipt's id, from which the 30 days run where the complaint is found proper by it.

    Raises:
        BadInput: no paper, not from the complainant's side, no word on how the instant is known, or an instant
            that lies ahead or before the complaint.
        NotNow: nothing was found lacking, or the case is final or merged.
        AlreadyDone: this paper is on the record as a cure received at that instant.

    Source: clauses (A) and (B); decisions 3.
    """
    with act(docket, actor, Deed.RECORD_RECEIPT, number=number) as step:
        _is_lacking(step.case)
        since_complaint(step, filing.received_at)
        if not filing.papers and not documents:
            raise BadInput("A cure is a paper; nothing was changed.", clause=CLAUSE, mend="Give its scan.")
        if not filing.evidence.words.strip():
            raise BadInput(
                "A receipt by hand is recorded with how its instant is known; nothing was changed.",
                clause=CLAUSE,
                mend="Such as: date stamp of the counter.",
            )
        whose = _whose(step.case, party)
        kept = chosen_papers(step, documents, clause=CLAUSE)
        digests = {one.digest for one in filing.papers} | {one.sha256 for one in kept}
        if is_received_so(step, CURE, filing.received_at, digests):
            raise AlreadyDone(
                "This paper is on the record as a cure received at that instant.", clause=CLAUSE
            )
        chosen = tuple(one.id for one in kept)
        key = attach_in(step, None, filing, whose) if filing.papers else _choose(step, filing, whose, chosen)
        tell_clerk_and_chair(step, {"what": CURE})
        refresh_cards(step)
        return key


def _is_lacking(case: CaseFile) -> None:
    if case.final or case.merged is not None:
        raise NotNow(
            "The case is final or merged, so its form is not mended.",
            clause=CLAUSE,
            mend="It can be reopened, with a reason.",
        )
    if case.form is None:
        raise NotNow(
            "The form was not decided, so nothing is known to be lacking.",
            clause=CLAUSE,
            mend="Decide first what is lacking; the receipt of this paper stays the day on which it came.",
        )
    if case.form.fact.proper:
        raise NotNow(
            "The complaint was found proper, so there is nothing to cure.",
            clause=CLAUSE,
            mend="Record a further paper as an exhibit or an amended complaint. If the complaint was not proper, "
            "decide its form anew first, with the reason.",
        )


def _whose(case: CaseFile, party: int | None) -> int:
    """Give from which party the paper comes; the only complainant where nobody was named."""
    complainants = case.complainants
    if party is None and len(complainants) == 1:
        return complainants[0].id
    found = case.party(party)
    if found is None or found.left or found.role not in COMPLAINANT_SIDE:
        raise BadInput(
            "A cure comes from a complainant of this case, or from counsel for one; nothing was changed.",
            clause=CLAUSE,
            mend="Say which; the case shows the parties with their ids.",
        )
    return found.id


def _choose(step: Act, filing: Filing, whose: int, chosen: tuple[int, ...]) -> int:
    return step.record(
        PaperReceived(filing.received_at, CURE, chosen, from_party=whose, evidence=filing.evidence),
        about=whose,
    )

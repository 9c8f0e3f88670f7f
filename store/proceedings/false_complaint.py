"""A complaint that the Board flags as perhaps knowingly false, to be referred through (C)(1): clause (F).

The flag is the Board's, by vote. It finds nothing: whether somebody knowingly filed a false complaint is for the
prosecutor and a court. No letter goes out by it; chosen papers go to the prosecutor by the turning over of evidence.
"""

from store.cases import Actor, Docket, act
from store.proceedings.ballot import tell_clerk_and_chair
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import ComplaintFlagged, Question
from store.rules.ordinance import Exit

CLAUSE = "F-false"


def flag_complaint(docket: Docket, actor: Actor, number: str, *, words: str) -> int:
    """Record that the Board flagged the complaint, as its ballot carried it.

    Args:
        docket: the record.
        actor: the chair or the clerk.
        number: the case's number.
        words: the Board's words on what is to be looked at; no finding.

    Returns:
        The id of the flag.

    Raises:
        NotNow: the ordinance lets no evidence go to a prosecutor, or no ballot of the Board has carried it.
        BadInput: no words.
        AlreadyDone: the ballot that carried it was recorded.

    Source: clauses (F) and (C)(1); law.md, records (the software makes no finding).
    """
    with act(docket, actor, Deed.FLAG_COMPLAINT, number=number) as step:
        if Exit.PROSECUTOR not in step.profile.confidentiality.exits:
            raise NotNow(
                "The ordinance of this case lets nothing go to a prosecutor.",
                clause=CLAUSE,
                mend="Ask the Board's counsel which way is open.",
            )
        ballot = step.case.carried(Question.FALSE_COMPLAINT)
        if ballot is None:
            raise NotNow(
                "No ballot of the Board has carried it, and nobody else may say it.",
                clause=CLAUSE,
                mend="Open a ballot in a meeting on whether the complaint is flagged.",
            )
        if step.case.is_flagged_by(ballot.id):
            raise AlreadyDone(
                "The complaint was flagged by this ballot.",
                clause=CLAUSE,
                mend="What follows is the turning over of chosen papers to a prosecutor.",
            )
        if not words.strip():
            raise BadInput(
                "A flag is recorded with the Board's words; nothing was changed.",
                clause=CLAUSE,
                mend="Say what is to be looked at. It is no finding.",
            )
        key = step.record(ComplaintFlagged(step.now, ballot.id, words.strip()))
        tell_clerk_and_chair(step, {"what": "flagged"})
        refresh_cards(step)
        return key

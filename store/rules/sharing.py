"""Whose answer a paper is: what one respondent brings is not shown to the others unless somebody says why.

Source: clause (B), the opportunity to respond is each respondent's own; clause (C); product.md, respondents
are tracks of their own.
"""

from collections.abc import Iterable, Mapping

from store.rules.casefile import CaseFile
from store.rules.facts import StatementTaken


def owners(case: CaseFile) -> Mapping[int, int]:
    """Give, for each paper that a respondent or his counsel brought, the respondent's id, by the paper's id.

    Answers, transcripts of what he said under oath, and exhibits that he offered.
    """
    found: dict[int, int] = {}
    for party in case.respondents:
        theirs = case.speaks_for(party.id)
        brought = [one.fact.documents for one in case.responses(party.id)]
        brought += [one.fact.documents for one in case.all(StatementTaken) if one.about in theirs]
        brought += [(one.offered.document,) for one in case.exhibits if one.offered_by in theirs]
        found |= {document: party.id for documents in brought for document in documents}
    return found


def kept_apart(case: CaseFile, documents: Iterable[int], track: int) -> tuple[int, ...]:
    """Give those of some papers that another respondent brought than the one whose track it is."""
    whose = owners(case)
    return tuple(one for one in documents if whose.get(one, track) != track)

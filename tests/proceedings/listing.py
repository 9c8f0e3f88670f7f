"""What a list must hold, told from every case's facts and the access table, without any line of the docket."""

from store.cases import Actor, Listing, Look, case_ids, look
from store.rules.access import Deed
from store.rules.casefile import CaseFile
from store.rules.docket_line import FAILED
from store.rules.errors import Refusal
from store.rules.stages import Stage, stage
from tests.proceedings.builders import Board


def seen_by(board: Board, actor: Actor, deed: Deed = Deed.SEE_CASE) -> list[Look]:
    """Give each case that somebody may see, newest first, by looking into every one there is."""
    with board.docket.database.read() as session:
        keys = [key for key, _number in case_ids(session)]
    found = []
    for key in keys:
        try:
            found.append(look(board.docket, actor, key, deed=deed))
        except Refusal:
            continue
    return found


def expected(board: Board, actor: Actor, listing: Listing, deed: Deed = Deed.SEE_CASE) -> list[str]:
    """Give the numbers of a list, newest first."""
    return [one.case.number for one in seen_by(board, actor, deed) if _belongs(one, listing, actor)]


def _mended_since(case: CaseFile) -> bool:
    """Say whether a paper of the complainant's side was recorded after the form was found lacking."""
    if case.form is None or case.proper or stage(case) is not Stage.WAITING_FOR_CURE:
        return False
    return case.mending[-1].id > case.form.id


def _belongs(seen: Look, listing: Listing, actor: Actor) -> bool:
    case = seen.case
    working = any(one.is_open for one in seen.steps)
    to_vote = any(
        one.is_open
        and actor.person in one.opened.roster
        and actor.person not in {vote.fact.person for vote in one.votes}
        for one in case.ballots
    )
    return {
        Listing.ALL: True,
        Listing.NOT_CLOSED: stage(case) is not Stage.CLOSED,
        Listing.WORKING: working,
        Listing.TO_REFER: working and seen.profile.has_referral and case.referred is None,
        Listing.TO_SCREEN: not case.screened or bool(case.unscreened_papers),
        Listing.TO_CHECK_FORM: case.merged is None and (stage(case) is Stage.FILED or _mended_since(case)),
        Listing.FAILED_LETTERS: working and any(one.state in FAILED for one in case.letters),
        Listing.TO_VOTE: working and to_vote,
    }[listing]

"""Parties: who complains, against whom, and who represents them (decisions 9).

Each respondent is a track of its own. A roster person who is named is walled off in the same act, before
any card or channel learns of it (B2).
"""

from dataclasses import replace

from store.cases import Act, Actor, Docket, act, situation_of, standing_of
from store.ports import PingKind
from store.proceedings import writing
from store.proceedings.ballot import tell_clerk_and_chair
from store.proceedings.screening import certain_first, refresh_cards, watched
from store.proceedings.walls import follow_walls
from store.rules import access
from store.rules.access import Deed
from store.rules.addresses import address
from store.rules.casefile import Party
from store.rules.conflict import Passage, Where
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import (
    ConflictFound,
    NoRespondent,
    PartyLeft,
    PartyNamed,
    PartyRole,
)
from store.rules.possible import screen_widely

_REPRESENTS = {
    PartyRole.COMPLAINANT_COUNSEL: PartyRole.COMPLAINANT,
    PartyRole.RESPONDENT_COUNSEL: PartyRole.RESPONDENT,
}


def name_party(docket: Docket, actor: Actor, number: str, party: PartyNamed) -> int:
    """Record a party of the case.

    Args:
        docket: the record.
        actor: the clerk.
        number: the case's number.
        party: role, name, addresses; counsel with the party whom he represents.

    Returns:
        The party's id; a respondent's is that of his track.

    Raises:
        BadInput: no name, an address that is none, or counsel of nobody.
        AlreadyDone: a party of that role, name and representation is there.
        NotNow: the case is final, and it is not counsel of an officer who was reprimanded.

    Source: clause (A); decisions 9 and 12; after finality, clause (E)(2): the officer may demand a hearing.
    """
    deed = Deed.NAME_COUNSEL if party.role in _REPRESENTS else Deed.NAME_PARTY
    with act(docket, actor, deed, number=number) as step:
        named = _checked(step, party)
        if step.case.final and not step.case.reprimanded(named.represents or 0):
            raise NotNow(
                "The case is final; counsel is named only for an officer who was reprimanded and may demand a "
                "public hearing.",
                clause="E2-demand",
                mend="It can be reopened, with a reason.",
            )
        if any(_same(one.named, named) for one in step.case.parties if not one.left):
            raise AlreadyDone("This party is named already.", clause="A-forward")
        key = step.record(named)
        screen_party(step, named)
        refresh_cards(step)
        return key


def _same(known: PartyNamed, new: PartyNamed) -> bool:
    return (known.role, known.name.casefold(), known.represents) == (
        new.role,
        new.name.casefold(),
        new.represents,
    )


def _checked(step: Act, party: PartyNamed) -> PartyNamed:
    """Give a party as it is kept: trimmed, addresses checked, representation real."""
    name = " ".join(party.name.split())
    if not name:
        raise BadInput("A party is named with a name; nothing was changed.")
    emails = tuple(dict.fromkeys(address(one) for one in party.emails if one.strip()))
    side = _REPRESENTS.get(party.role)
    if side is None and party.represents is not None:
        raise BadInput("Only counsel represents somebody; nothing was changed.")
    if side is not None:
        whom = step.case.party(party.represents)
        if whom is None or whom.left or whom.role is not side:
            raise BadInput(
                "Counsel is recorded with the party whom he represents, on that party's side.",
                mend="Name that party first.",
            )
    if party.until is not None and party.since is not None and party.until < party.since:
        raise BadInput("The representation would end before it begins; nothing was changed.")
    return replace(party, name=name, emails=emails, postal=party.postal.strip(), office=party.office.strip())


def screen_party(step: Act, named: PartyNamed) -> None:
    """Wall off each roster person whom a party's name, office or address is or may be, inside the act that names it (B2)."""
    passages = [Passage(Where.RESPONDENT, one) for one in (named.name, named.office) if one]
    found = screen_widely(watched(step.people), passages, named.emails, readable=True)
    newly = {
        one.person: one for one in reversed(certain_first(found.named)) if not step.case.walled(one.person)
    }
    for person, one in sorted(newly.items()):
        step.record(ConflictFound(person, f"{one.how} of a party"))
    if not newly:
        return
    step.ping(PingKind.CASE_CHANNEL)
    follow_walls(step, newly)


def correct_party(
    docket: Docket,
    actor: Actor,
    number: str,
    party: int,
    *,
    corrected: PartyNamed,
    reason: str,
) -> None:
    """Correct a party's name or addresses; the party, its track and its dates stay the same.

    A letter that still waits to go to an address that was wrong is taken back, and the clerk is told.

    Raises:
        BadInput: there is no such party, no reason, or another role.
        AlreadyDone: the record says so.
    """
    with act(docket, actor, Deed.CORRECT, number=number) as step:
        known, naming = _party(step, party), step.case.naming(party)
        assert naming is not None
        _check_reason(reason, "A party is corrected with a reason only.")
        if corrected.role is not known.role:
            raise BadInput(
                "A party keeps its role; nothing was changed.",
                mend="Remove it with a reason, and name it anew.",
            )
        named = _checked(step, corrected)
        if replace(named, came_by=known.named.came_by) == known.named:
            raise AlreadyDone("The record has this party so.", clause="A-forward")
        step.note["reason"] = reason.strip()
        step.record(replace(named, came_by=known.named.came_by), supersedes=naming.id)
        if named.emails != known.named.emails:
            take_back_letters(step, known)
        screen_party(step, named)
        refresh_cards(step)


def remove_party(docket: Docket, actor: Actor, number: str, party: int, *, reason: str) -> None:
    """Record that a party is one no longer: named in error, or its representation ended.

    Letters that still wait to go to it are taken back. Counsel of a removed party leave with it.

    Raises:
        BadInput: there is no such party, or no reason.
        AlreadyDone: it left before.
        NotNow: the Board has determined on this respondent.
        NotAllowed: the case is final, and the party is no counsel.
    """
    with act(docket, actor, Deed.NAME_COUNSEL, number=number) as step:
        known = _party(step, party)
        if known.role not in _REPRESENTS:
            step.deed = Deed.NAME_PARTY
            standing = standing_of(step.actor, step.people, step.today)
            access.check(step.deed, standing, situation_of(step.actor, step.case, standing))
        _check_reason(reason, "A party is removed with a reason only.")
        if known.left:
            raise AlreadyDone("This party left before.", clause="A-forward")
        if step.case.determined(party) is not None:
            raise NotNow(
                "The Board has determined on this respondent, who stays a party.",
                clause="D-determine",
                mend="The case can be reopened, with a reason.",
            )
        for one in (known, *step.case.counsel_of(party)):
            step.record(PartyLeft(step.today, reason.strip()), about=one.id)
            take_back_letters(step, one)
        refresh_cards(step)


def no_respondent(docket: Docket, actor: Actor, number: str, *, reason: str) -> None:
    """Record that no officer or employee can be named as respondent.

    Raises:
        BadInput: no reason.
        NotNow: a respondent is named.
        AlreadyDone: it was recorded before.
    """
    with act(docket, actor, Deed.NAME_PARTY, number=number) as step:
        _check_reason(reason, "That nobody can be named is recorded with a reason only.")
        if step.case.respondents:
            raise NotNow(
                "A respondent is named.",
                clause="A-forward",
                mend="Remove that respondent with a reason first.",
            )
        if step.case.no_respondent:
            raise AlreadyDone("It was recorded before that nobody can be named.", clause="A-forward")
        step.record(NoRespondent(reason.strip()))
        refresh_cards(step)


def _party(step: Act, party: int) -> Party:
    known = step.case.party(party)
    if known is None:
        raise BadInput("There is no such party in this case; nothing was changed.")
    return known


def _check_reason(reason: str, says: str) -> None:
    if not reason.strip():
        raise BadInput(says, mend="Say why.")


def take_back_letters(step: Act, party: Party) -> None:
    """Take back letters to a party that did not go out yet (L2)."""
    mine = [one.id for one in step.case.letters if one.queued.to_party == party.id]
    taken = writing.take_back(step, mine, "taken back: the party or its address was corrected")
    if taken:
        tell_clerk_and_chair(step, {"what": "letters-taken-back", "party": party.id, "count": len(taken)})

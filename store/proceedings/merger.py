"""Merger: a case that duplicates another one goes on in it, and goes on by itself again where that was an error.

Both are further facts with their reasons. Complainants join the surviving case with their attorneys, and where the
merger is undone they come back with whatever they brought meanwhile; old letters, and what was recorded in the
surviving case, stay there.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from store.cases import (
    Act,
    Actor,
    Docket,
    act,
    case_by_number,
    is_there,
    load_case,
    look,
    looks,
    paper_bytes,
)
from store.ports import PingKind
from store.proceedings.ballot import tell_clerk_and_chair
from store.proceedings.known import surviving
from store.proceedings.parties import name_party, take_back_letters
from store.proceedings.screening import clear_instead, refresh_cards
from store.proceedings.walls import follow_walls
from store.rules import texts
from store.rules.access import Deed
from store.rules.casefile import CaseFile, Party
from store.rules.errors import AlreadyDone, BadInput, NotNow, Refusal
from store.rules.facts import (
    ConflictFound,
    ExhibitOffered,
    Fact,
    MergedInto,
    Origin,
    PaperReceived,
    PartyLeft,
    PartyNamed,
    PrivilegeMarked,
    Recorded,
    Screened,
    StatementTaken,
)

CLAUSE = "A-refer"
Way = tuple[Origin, ...]


# -- merged into another case -------------------------------------------------------------------------


def merge(docket: Docket, actor: Actor, number: str, *, into: str, reason: str) -> None:
    """Record that a case duplicates another one, which goes on for both.

    The complainants, with their attorneys, join the surviving case, so that each gets its letters; later
    mail to this case reaches that one. Respondents are never moved by machine: each must be named there.
    Whoever is out of this case is out of that one first, before a name of this one stands there.

    Raises:
        BadInput: the same case, no reason or too long a one, or a surviving case that was itself merged into this one.
        NoSuchCase: there is no such case that he may know of.
        NotNow: either is final, papers of this case were not searched yet, or a respondent of this case is not
            one of the other.
        AlreadyDone: it was merged before.

    Source: decisions 9 (each complainant is owed every letter); requirement B2.
    """
    here, there = seen(docket, actor, number), seen(docket, actor, into)
    if not reason.strip():
        raise BadInput("A case is merged with a reason only.", mend="Say why.")
    texts.check({"reason": reason}, clause=CLAUSE)  # before anybody joins the other case
    _check_merger(docket, actor, number, there, here)
    _walls_along(docket, actor, here, there.number)
    for party in here.complainants:
        key = _join(docket, actor, here, there.number, party)
        for counsel in here.counsel_of(party.id):
            _join(docket, actor, here, there.number, counsel, represents=key)
    with act(docket, actor, Deed.CORRECT, number=number) as step:
        if step.case.merged is not None:
            raise AlreadyDone(
                "This case was merged before; nothing was changed.",
                clause=CLAUSE,
                mend="To undo it, reopen this case; then it can be merged anew.",
            )
        step.record(MergedInto(there.key, there.number, reason.strip()))
        tell_clerk_and_chair(step, {"what": "merged"})
        refresh_cards(step)


def seen(docket: Docket, actor: Actor, number: str, deed: Deed = Deed.CORRECT) -> CaseFile:
    """Look into a case that is to be corrected; a refusal is an entry of the journal."""
    with docket.database.read() as session:
        key = case_by_number(session, number)
    try:
        return look(docket, actor, key or 0, deed=deed).case
    except Refusal:
        with act(docket, actor, deed, number=number):
            raise


def _check_merger(docket: Docket, actor: Actor, number: str, there: CaseFile, here: CaseFile) -> None:
    if here.merged is not None:
        raise AlreadyDone(
            "This case was merged before; nothing was changed.",
            clause=CLAUSE,
            mend="To undo it, reopen this case; then it can be merged anew.",
        )
    with docket.database.read() as session:
        last = surviving(docket, session, there.key)
    if here.key in {there.key, last}:
        raise BadInput("A case is not merged into itself; nothing was changed.")
    if last != there.key:
        raise BadInput(
            "That case was itself merged into another.", mend="Merge into the one that goes on for both."
        )
    if here.final or there.final:
        raise NotNow("A final case is not merged.", clause=CLAUSE, mend="Reopen it first, with a reason.")
    if here.unscreened_papers:
        raise NotNow(
            "Nobody has said yet who of the roster is named in papers of this case, so nobody can be walled off "
            "for them in the other one.",
            clause="C-confidential",
            mend="Say who is named in them first: docket named.",
        )
    known = {one.named.name.casefold() for one in there.respondents}
    if any(one.named.name.casefold() not in known for one in here.respondents):
        with act(docket, actor, Deed.CORRECT, number=number):
            raise NotNow(
                "A respondent of this case is not one of the other.",
                clause="A-forward",
                mend="Name him there first, so that nobody's track is lost.",
            )


def _walls_along(docket: Docket, actor: Actor, here: CaseFile, number: str) -> None:
    """Wall off from the surviving case whoever is walled off from this one, or stepped back from it."""
    stepped_back = dict.fromkeys(here.recused, "stepped back from a case that was merged into this one")
    named = {person: f"{how}, of a case that was merged into this one" for person, how in here.walls.items()}
    if not stepped_back | named:
        return
    with act(docket, actor, Deed.CORRECT, number=number) as step:
        out = step.case.walled_off | step.case.recused
        newly = {person: how for person, how in (stepped_back | named).items() if person not in out}
        if not newly:
            return
        for person, how in newly.items():
            step.record(ConflictFound(person, how))
        clear_instead(step)
        step.ping(PingKind.CASE_CHANNEL)
        follow_walls(step, sorted(newly))
        refresh_cards(step)


def _join(
    docket: Docket,
    actor: Actor,
    here: CaseFile,
    number: str,
    party: Party,
    *,
    represents: int | None = None,
) -> int:
    """Name a party in the surviving case; one who is there already notes this way too, if only mergers brought him.

    Returns:
        The party's id there.
    """
    origin = Origin(here.number, party.id)
    ways = tuple((*way, origin) for way in party.named.came_by) or ((origin,),)
    named = replace(party.named, represents=represents, came_by=ways)
    try:
        return name_party(docket, actor, number, named)
    except AlreadyDone:
        with act(docket, actor, Deed.CORRECT, number=number) as step:
            same = next(
                one
                for one in step.case.with_role(party.role)
                if one.named.name.casefold() == named.name.casefold() and one.named.represents == represents
            )
            more = tuple(dict.fromkeys((*same.named.came_by, *ways)))
            if same.named.came_by and more != same.named.came_by:
                _rename(step, same.id, came_by=more)
        return same.id


def _rename(step: Act, party: int, *, came_by: tuple[Way, ...]) -> None:
    naming = step.case.naming(party)
    assert naming is not None
    step.record(replace(naming.fact, came_by=came_by), supersedes=naming.id)


# -- the merger undone --------------------------------------------------------------------------------


def cases_after(docket: Docket, case: CaseFile) -> Iterator[CaseFile]:
    """Give the cases that go on for a case, the next one first."""
    seen = {case.key}
    while case.merged is not None and case.merged.fact.case not in seen:
        with docket.database.read() as session:
            if not is_there(docket, session, case.merged.fact.case):
                return
            case = load_case(docket, session, case.merged.fact.case)
        seen.add(case.key)
        yield case


def goes_on_in(docket: Docket, case: CaseFile, readers: Iterable[Actor]) -> str:
    """Give the number of the case that goes on for a merged one, where each of its readers may see that one.

    Returns:
        The last of those cases that each may see; empty where there is none, or the case was not merged.
    """
    found, asking = "", tuple(readers)
    for there in cases_after(docket, case):
        if not asking or not all(looks(docket, one, [there.key]) for one in asking):
            break
        found = there.number
    return found


def leave_joined(docket: Docket, actor: Actor, number: str, reason: str) -> None:
    """Let whoever joined other cases by a merger leave them, before the case goes on by itself again.

    Letters that wait to go to them there are taken back. Who is there for himself, or was brought by another
    merger too, stays. Done before, nothing is left to do; so that it can be broken off and done again.

    Raises:
        NoSuchCase: one of those cases is one that he may not know of.
    """
    here = seen(docket, actor, number, Deed.REOPEN)
    for there in reversed(list(cases_after(docket, here))):
        if not any(_came_by(one, here) for one in there.parties if not one.left):
            continue
        with act(docket, actor, Deed.REOPEN, number=there.number) as step:
            for one in [one for one in step.case.parties if not one.left and _came_by(one, here)]:
                _leave(step, one, here, reason)
            step.note["reason"] = reason
            tell_clerk_and_chair(step, {"what": "merger-undone"})
            refresh_cards(step)


def _leave(step: Act, party: Party, origin: CaseFile, reason: str) -> None:
    others = tuple(way for way in party.named.came_by if way not in _came_by(party, origin))
    if others:
        _rename(step, party.id, came_by=others)
        return
    for one in (party, *step.case.counsel_of(party.id)):
        step.record(PartyLeft(step.today, f"the merger was undone: {reason}"), about=one.id)
        take_back_letters(step, one)


def _came_by(party: Party, origin: CaseFile) -> tuple[Way, ...]:
    """Give the ways that brought a party here from, or through, a case."""
    return tuple(way for way in party.named.came_by if any(one.case == origin.number for one in way))


@dataclass(frozen=True, slots=True)
class Returning:
    """What comes back from one case.

    Attributes:
        there: the case from which it comes.
        since: what was recorded after this fact's id was recorded during the merger.
        parties: for each party there whom the merger brought, the id of the same party in the own case.
        counsel: counsel whom such a party took there, with the id of the party in the own case.
    """

    there: CaseFile
    since: int
    parties: dict[int, int]
    counsel: tuple[tuple[Party, int], ...]


def coming_back(step: Act) -> tuple[Returning, ...]:
    """Give what comes back to a merged case once it goes on by itself; nothing for one that was not merged."""
    here = step.case
    return tuple(_from_there(there, here) for there in cases_after(step.docket, here))


def _from_there(there: CaseFile, here: CaseFile) -> Returning:
    since = here.reopened_id
    # corrected namings count too: who has left by now, or stays for another merger, came all the same
    parties = {
        there.root(one): origin.party
        for one in there.facts
        if isinstance(one.fact, PartyNamed) and one.id > since
        for way in one.fact.came_by
        for origin in way
        if origin.case == here.number
    }
    counsel = tuple(
        (one, parties[one.named.represents])
        for one in there.parties
        if one.id not in parties and one.named.represents in parties
    )
    return Returning(there, since, parties, counsel)


def bring_back(step: Act, returning: Iterable[Returning]) -> None:
    """Record in the own case what its parties brought to the other one: addresses, counsel, papers, exhibits, statements.

    Each paper is kept here byte for byte with its own instant of receipt. What nobody has read there is unread here;
    who was walled off there since is walled off here, as long as a cleared person says nothing else.
    """
    newly: set[int] = set()
    for one in returning:
        parties = one.parties | _counsel_back(step, one)
        _addresses_back(step, one)
        copied = _papers_back(step, one, parties)
        if copied:
            newly |= _walls_back(step, one.there)
            _marks_back(step, one.there, copied)
    if newly:
        step.ping(PingKind.CASE_CHANNEL)
        follow_walls(step, sorted(newly))


def _addresses_back(step: Act, one: Returning) -> None:
    """Take over a name or an address that was corrected in the other case."""
    for there, here in one.parties.items():
        party, naming = one.there.party(there), step.case.naming(here)
        if party is None or naming is None:
            continue
        now = replace(
            naming.fact, name=party.named.name, emails=party.named.emails, postal=party.named.postal
        )
        if now != naming.fact:
            step.record(now, supersedes=naming.id)


def _counsel_back(step: Act, one: Returning) -> dict[int, int]:
    """Name counsel whom a party took in the other case; gives the ids there and here."""
    found = {}
    for counsel, represents in one.counsel:
        known = [
            each.id
            for each in step.case.counsel_of(represents)
            if each.named.name.casefold() == counsel.named.name.casefold()
        ]
        named = replace(counsel.named, represents=represents, came_by=())
        found[counsel.id] = known[0] if known else step.record(named)
    return found


def _brought(one: Recorded[Fact], here: CaseFile, parties: dict[int, int]) -> bool:
    """Say whether a fact of the other case is something that belongs to the own one."""
    match one.fact:
        case PaperReceived():
            return one.fact.from_party in parties or one.fact.came_to == here.number
        case ExhibitOffered() | StatementTaken():
            return one.about in parties
        case _:
            return False


def _papers_back(step: Act, came: Returning, parties: dict[int, int]) -> dict[int, int]:
    """Record papers, exhibits and statements again in the own case; gives the documents there and here."""
    there, copied = came.there, dict[int, int]()
    standing = {one.id for kind in (PaperReceived, ExhibitOffered, StatementTaken) for one in there.all(kind)}
    for one in there.facts:
        if one.id in standing and one.id > came.since and _brought(one, step.case, parties):
            about = parties.get(one.about) if one.about is not None else None
            step.record(_here(step, one.fact, there, parties, copied), about=about)
    unread = tuple(copy for document, copy in copied.items() if document in there.unscreened_papers)
    if unread:
        step.record(Screened(by_machine=True, unreadable=True, documents=unread))
    return copied


def _here(step: Act, fact: Fact, there: CaseFile, parties: dict[int, int], copied: dict[int, int]) -> Fact:
    """Give a fact of the other case as it is recorded in the own one: the same but for papers and parties."""
    match fact:
        case PaperReceived():
            return replace(
                fact,
                documents=_copies(step, fact.documents, copied),
                mail_item=None,
                from_party=_own_party(step.case, there.party(fact.from_party), parties),
                words=_from(fact.words, there),
                came_to="",
            )
        case StatementTaken():
            documents = _copies(step, fact.documents, copied)
            return replace(fact, documents=documents, meeting=None, words=_from(fact.words, there))
        case ExhibitOffered():
            (copy,) = _copies(step, (fact.document,), copied)
            return replace(fact, document=copy, label=_free_mark(step.case, fact.label), meeting=None)
        case _:
            raise AssertionError(fact.KIND)


def _own_party(case: CaseFile, party: Party | None, parties: dict[int, int]) -> int | None:
    """Give the same party of the own case: as the merger noted it, or by role and name."""
    if party is None:
        return None
    alike = (
        one.id
        for one in case.with_role(party.role)
        if one.named.name.casefold() == party.named.name.casefold()
    )
    return parties.get(party.id) or next(alike, None)


def _from(words: str, there: CaseFile) -> str:
    came = f"came while this case was merged into {there.number}"
    return f"{words} ({came})" if words else came


def _copies(step: Act, documents: Iterable[int], copied: dict[int, int]) -> tuple[int, ...]:
    for one in documents:
        if one not in copied:
            paper, content = paper_bytes(step.docket, step.session, one)
            copied[one] = step.keep(
                content,
                kind=paper.kind,
                media_type=paper.media_type,
                name=paper.name,
                received_at=paper.received_at,
                finding=paper.finding,
            )
    return tuple(copied[one] for one in documents)


def _free_mark(case: CaseFile, mark: str) -> str:
    """Give an exhibit's mark, with a letter behind it where the own case has one of that mark."""
    taken = {one.offered.label.casefold() for one in case.exhibits}
    endings = ("", *(f"-{place}" for place in range(2, len(taken) + 3)))
    return next(mark + ending for ending in endings if (mark + ending).casefold() not in taken)


def _walls_back(step: Act, there: CaseFile) -> set[int]:
    """Wall off who is walled off in the other case, since its papers are here now too."""
    newly = {person: how for person, how in there.walls.items() if not step.case.walled(person)}
    for person, how in newly.items():
        step.record(ConflictFound(person, how))
    return set(newly)


def _marks_back(step: Act, there: CaseFile, copied: dict[int, int]) -> None:
    for document in sorted(there.privileged & copied.keys()):
        step.record(PrivilegeMarked(copied[document], privileged=True, reason=f"as in {there.number}"))

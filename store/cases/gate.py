"""Every look into a case passes here: the right is checked where the case is read (C2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlmodel import Session

from store.cases.acts import act
from store.cases.lists import Listing, visible_keys
from store.cases.papers import Paper, papers
from store.cases.record import (
    Actor,
    Docket,
    calendar_of,
    load_cases,
    profile_of,
    roster_of,
)
from store.cases.rights import about_paper, situation_of, standing_of
from store.rules import access, duties
from store.rules.access import Deed, Situation, Standing, Via
from store.rules.calendar import Calendar
from store.rules.casefile import CaseFile
from store.rules.dates import local_date
from store.rules.errors import NoSuchCase
from store.rules.ordinance import Profile
from store.rules.roster import Roster


@dataclass(frozen=True, slots=True)
class Look:
    """A case as somebody entitled sees it now, with what its dates need."""

    case: CaseFile
    profile: Profile
    calendar: Calendar
    people: Roster
    standing: Standing
    situation: Situation
    today: date
    now: datetime

    def may(self, deed: Deed) -> bool:
        """Say whether the viewer may do something with this case now."""
        return access.may(deed, self.standing, self.situation)

    def sees(self, document: int) -> bool:
        """Say whether the viewer may see a paper: one that nobody has read yet waits for the cleared (decisions 12)."""
        situation = about_paper(self.situation, self.case, document)
        return access.may(Deed.READ_DOCUMENT, self.standing, situation)

    @property
    def steps(self) -> tuple[duties.Step, ...]:
        """The case's steps as of today."""
        return duties.steps(self.case, self.profile, self.calendar, self.today)


def look(docket: Docket, actor: Actor, case_id: int, *, deed: Deed = Deed.SEE_CASE) -> Look:
    """Look into a case to draw something of it, without an entry; the right is checked all the same.

    Raises:
        NoSuchCase: there is none, or he may not know of it.
        NotAllowed: he may know of it, but not this.
    """
    with docket.database.read() as session:
        case = load_cases(docket, session, [case_id]).get(case_id)
        if case is None:
            raise NoSuchCase
        seen = _seen(docket, session, actor, case)
    access.check(deed, seen.standing, seen.situation)
    return seen


def looks(docket: Docket, actor: Actor, keys: Sequence[int], *, deed: Deed = Deed.SEE_CASE) -> list[Look]:
    """Look into several cases, in the order of their keys as given.

    Those that he may not see are left out, and those that are damaged: one hides no other, and `verify` and the
    sweep name it.
    """
    with docket.database.read() as session:
        cases = load_cases(docket, session, keys, leave_out_damaged=True)
        seen = [_seen(docket, session, actor, cases[key]) for key in keys if key in cases]
    return [one for one in seen if one.may(deed)]


def _seen(docket: Docket, session: Session, actor: Actor, case: CaseFile) -> Look:
    profile = profile_of(session, case.profile_hash)
    calendar = calendar_of(session, profile)
    people = roster_of(docket, session)
    now = docket.clock.now()
    today = local_date(now, profile.city.time_zone)
    standing = standing_of(actor, people, today)
    return Look(case, profile, calendar, people, standing, situation_of(actor, case, standing), today, now)


def papers_for(docket: Docket, seen: Look) -> list[Paper]:
    """Give the documents of a case that its viewer may see, in the order in which they were kept."""
    with docket.database.read() as session:
        kept = papers(docket, session, seen.case.key)
    return [one for one in kept if seen.sees(one.id)]


def papers_for_all(docket: Docket, seen: Look) -> list[Paper]:
    """Give the documents that everybody entitled may see: for a place that several people read."""
    with docket.database.read() as session:
        kept = papers(docket, session, seen.case.key)
    return [one for one in kept if one.id not in seen.case.unscreened_papers]


def open_case(docket: Docket, actor: Actor, number: str) -> Look:
    """Open a case for somebody who may see it; the reading is an entry of the journal (C5).

    Raises:
        NoSuchCase: there is none, or the viewer may not know of it; the answer is the same.

    Source: clause (C).
    """
    with act(docket, actor, Deed.SEE_CASE, number=number) as step:
        key = step.case.key
    return look(docket, actor, key)


def visible_cases(docket: Docket, actor: Actor, listing: Listing = Listing.ALL) -> list[Look]:
    """Give every case of a list that somebody may see, newest first; the others are not even counted (B2).

    Each is built from its facts: for who shows few cases, or waits. Lists are read from their lines: `page_of`.
    """
    return looks(docket, actor, visible_keys(docket, actor, listing))


def entitled(look_: Look, deed: Deed = Deed.SEE_CASE) -> tuple[int, ...]:
    """Give the roster persons who may do something with a case today, by id."""
    found = []
    for person in look_.people.members:
        actor = Actor(person, Via.SLACK)
        standing = standing_of(actor, look_.people, look_.today)
        if access.may(deed, standing, situation_of(actor, look_.case, standing)):
            found.append(person)
    return tuple(found)

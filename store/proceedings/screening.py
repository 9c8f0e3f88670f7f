"""The conflict screen, before anybody is told (B2, decisions 12).

A roster person whose name, alias or address occurs in the complaint, or who may be meant by it, is walled off until
a cleared person lifts it. A complaint that cannot be read leaves the case unscreened: then only the person cleared
for intake sees it, until he has said who is named. A paper that comes later and cannot be read hides itself alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlmodel import col, select

from store import outbox
from store.cases import Act, Actor, Docket, act
from store.cases.lines import LINES
from store.ports import PingKind
from store.proceedings.writing import closing_lines
from store.rules.access import Deed
from store.rules.conflict import Named, Passage, Person, without_closing
from store.rules.errors import BadInput, NotNow
from store.rules.facts import (
    ClearedInstead,
    ConflictFound,
    ConflictLifted,
    LinkKind,
    Referred,
    Role,
    Screened,
)
from store.rules.possible import OFFICES, screen_widely
from store.rules.roster import Roster
from store.tables import SlackPlace

# offices of the roster that act on complaints; IT sees no case, so it need not be walled off
WATCHED = frozenset(Role) - {Role.IT}

_LEADERS = (Role.CHAIR, Role.CLERK)
CARD_PLACE = "card"
"""The kind of place in Slack that is a case card."""
_NO_CLERK = (
    "A complaint waits that no clerk on the roster may open. It is safe in the record, and its dates run. "
    "The chair should put another clerk on the roster with `docket roster`."
)


def watched(people: Roster) -> tuple[Person, ...]:
    """Give every roster person, past and present, with the names, addresses and offices to look for."""
    return tuple(
        Person(
            member.person,
            (member.name, *member.aliases),
            member.ever_linked(LinkKind.EMAIL),
            offices(role for role, _since, _until in member.terms),
        )
        for member in people.members.values()
    )


def offices(roles: Iterable[Role]) -> tuple[str, ...]:
    """Give what the offices of a person are called in papers."""
    return tuple(name for role in dict.fromkeys(roles) for name in OFFICES.get(role, ()))


def certain_first(named: Iterable[Named]) -> list[Named]:
    """Give findings in the order in which they say why somebody is walled off."""
    return sorted(named, key=lambda one: (not one.how.certain, one))


@dataclass(frozen=True, slots=True)
class Searching:
    """What is searched.

    Attributes:
        passages: the texts, with where each stands.
        addresses: addresses in the headers of the message.
        readable: whether every paper gave its text.
        own: addresses to which complaints are sent, which name nobody: the Board's and the referrer's.
    """

    passages: tuple[Passage, ...] = field(repr=False)
    addresses: tuple[str, ...] = field(repr=False)
    readable: bool
    own: tuple[str, ...] = field(default=(), repr=False)


def screen_papers(
    step: Act, searching: Searching, *, later: tuple[int, ...] | None = None, kept: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Search papers and wall off whoever is named, inside the act that keeps them.

    Args:
        step: the running act on the case.
        searching: what is searched.
        later: for papers that came after the complaint: those of them that nobody could read. They alone stay
            unseen until a cleared person has looked, since the case itself was screened before.
        kept: every document that came later; where there is too much text to be searched, all of them stay unseen.

    Returns:
        The persons who are walled off by this.
    """
    found = screen_widely(
        watched(step.people),
        without_closing(searching.passages, closing_lines(step.profile)),
        searching.addresses,
        readable=searching.readable,
        own=searching.own,
    )
    if later is not None and searching.readable and not found.screened:
        later = kept
    step.record(
        Screened(
            by_machine=True,
            named=tuple(sorted({one.person for one in found.named})),
            where=tuple(sorted({f"{one.person}:{one.how}:{one.where}" for one in found.named})),
            unreadable=bool(later) if later is not None else not found.screened,
            documents=later or (),
        )
    )
    newly = {}
    for one in certain_first(found.named):
        if one.person not in newly and not step.case.walled(one.person):
            newly[one.person] = step.record(ConflictFound(one.person, f"{one.how} in {one.where}"))
    clear_instead(step)
    return tuple(newly)


def clear_instead(step: Act) -> None:
    """Where no clerk may know of the case, clear whom the profile names in their place, and record that.

    Source: requirement B2; decisions 12.
    """
    case, today = step.case, step.today
    out = case.walled_off | case.recused
    if set(step.people.with_role(Role.CLERK, today)) - out or case.cleared_instead - out:
        return
    for role in step.profile.intake.cleared_instead:
        persons = tuple(one for one in step.people.with_role(role, today) if one not in out)
        if persons:
            step.record(ClearedInstead(role, persons))
            return


def refer_round_the_manager(step: Act) -> None:
    """Record the referral as made by policy where the City Manager is named (B2)."""
    managers = step.people.with_role(Role.CITY_MANAGER, step.today)
    named = any(step.case.walled(one) for one in managers)
    if named and step.profile.has_referral and step.case.referred is None:
        step.record(Referred(step.now, "by policy", "the City Manager is named in the complaint"))


def say_who_is_named(docket: Docket, actor: Actor, number: str, named: Sequence[int]) -> None:
    """Record who of the roster is named in papers that no machine could read; empty for nobody.

    Raises:
        NotNow: everything that came was searched, or looked through, already.
        BadInput: somebody is not on the roster.
    """
    from store.proceedings.walls import follow_walls  # it stands on ballots, and they on this module

    with act(docket, actor, Deed.SAY_WHO_IS_NAMED, number=number) as step:
        whole, unread = step.case.screened, step.case.unscreened_papers
        if whole and not unread:
            raise NotNow(
                "The papers of this case were searched already.",
                clause="C-confidential",
                mend="A wall that is wrong is lifted with a reason.",
            )
        if any(person not in step.people.members for person in named):
            raise BadInput("Somebody in this list is not on the roster; nothing was changed.")
        newly = [person for person in dict.fromkeys(named) if not step.case.walled(person)]
        for person in newly:
            step.record(ConflictFound(person, "said by the person cleared for intake"))
        step.record(
            Screened(by_machine=False, named=tuple(named), documents=tuple(sorted(unread)) if whole else ())
        )
        _note_stand_in(step)
        clear_instead(step)
        follow_walls(step, newly)
        if whole:
            step.ping(PingKind.CASE_CHANNEL)
            refresh_cards(step)
        else:
            tell_entitled(step)


def lift_conflict(docket: Docket, actor: Actor, number: str, person: int, reason: str) -> None:
    """Record that a walled-off person is not concerned after all.

    Raises:
        NotNow: he is not walled off.
        BadInput: no reason was given, or he would clear himself.
    """
    with act(docket, actor, Deed.LIFT_CONFLICT, number=number) as step:
        if not step.case.walled(person):
            raise NotNow(
                "This person is not walled off from the case.",
                clause="C-confidential",
                mend="See in the case who is out of it.",
            )
        if not reason.strip():
            raise BadInput("A wall is lifted with a reason only.", mend="Say why there is no conflict.")
        step.record(ConflictLifted(person, reason.strip()))
        _note_stand_in(step)
        tell_entitled(step)


def _note_stand_in(step: Act) -> None:
    """Let the journal say that who acted is cleared in the clerks' place."""
    acts_as = step.actor.acting_for if step.actor.acting_for is not None else step.actor.person
    if acts_as in step.case.cleared_instead and Role.CLERK not in step.people.roles(acts_as, step.today):
        step.note["cleared_instead_of"] = Role.CLERK.value


def _cleared(step: Act) -> list[int]:
    """Give who looks through unread papers of the case: its clerks, or who is cleared in their place."""
    case = step.case
    out = case.walled_off | case.recused
    clerks = [one for one in step.people.with_role(Role.CLERK, step.today) if one not in out]
    return clerks or [one for one in sorted(case.cleared_instead) if one not in out]


def tell_entitled(step: Act) -> None:
    """Owe the card to the clerks and, once the case is screened, its channel to the entitled."""
    case, today = step.case, step.today
    cleared = _cleared(step)
    for person in cleared:
        step.ping(PingKind.CASE_CARD, person=person)
    if not set(cleared) & set(step.people.with_role(Role.CLERK, today)):
        step.ping(PingKind.ALARM, text=_NO_CLERK, board=True)
    if not case.screened:
        return
    step.ping(PingKind.CASE_CHANNEL)
    if case.referred is None:
        refresh_referral(step)


def refresh_referral(step: Act) -> None:
    """Owe each City Manager who may know of the case what he is asked for, or that it is done (A)."""
    if not step.profile.has_referral:
        return
    for manager in step.people.with_role(Role.CITY_MANAGER, step.today):
        if not step.case.walled(manager):
            step.ping(PingKind.TOLD, person=manager, about={"what": "refer"})


def refresh_cards(step: Act) -> None:
    """Owe a fresh card wherever the case is shown: its channel and the clerks (one card, always current)."""
    for person in _cleared(step):
        step.ping(PingKind.CASE_CARD, person=person)
    if step.case.screened:
        step.ping(PingKind.CASE_CARD)


def refresh_leaders_cards(step: Act, *others: int | None) -> None:
    """Owe fresh cards of every case that goes on, after a meeting opened, ended or got another in the chair.

    A meeting changes what a card offers to whoever opens ballots alone, so nobody else's votes wait behind these.
    No case is opened for it: whether somebody may still see the card is looked up when it is shown.

    Args:
        step: the running act, the Board's own.
        others: who presides or presided, in the chair's place.
    """
    leaders = {person for role in _LEADERS for person in step.people.with_role(role, step.today)}
    shown = select(SlackPlace.case_id, SlackPlace.person_id).where(
        SlackPlace.kind == CARD_PLACE,
        col(SlackPlace.active),
        col(SlackPlace.person_id).in_(leaders | {one for one in others if one is not None}),
        col(SlackPlace.case_id).in_(select(LINES.c.case_id).where(LINES.c.final.is_(sa.false()))),
    )
    for case, person in sorted(step.session.exec(shown.distinct()), key=str):
        outbox.owe_ping(
            step.session,
            step.docket.keyring,
            kind=PingKind.CASE_CARD,
            destination=f"person:{person}",
            now=step.now,
            person=person,
            case_id=case,
        )

"""The roster as it stands on a day, from its facts (B1, decisions 7 and 8)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from store.rules.facts import (
    Away,
    ChairTaken,
    DeputyNamed,
    Fact,
    LinkKind,
    MeetingClosed,
    MeetingOpened,
    PersonLinked,
    PersonNamed,
    PersonUnlinked,
    Role,
    RoleLeft,
    RoleTaken,
)

VOTING = frozenset({Role.CHAIR, Role.MEMBER})


@dataclass(frozen=True, slots=True)
class Member:
    """One person of the roster.

    Attributes:
        person: internal id.
        name: the name that stands now.
        aliases: other names he goes by, for the conflict screen.
        terms: roles with their first and last day, as taken and left.
        links: accounts and addresses with their first and last day.
    """

    person: int
    name: str
    aliases: tuple[str, ...] = ()
    terms: tuple[tuple[Role, date, date | None], ...] = ()
    links: tuple[tuple[LinkKind, str, date, date | None], ...] = ()

    def roles(self, on: date) -> frozenset[Role]:
        """Give the roles held on a day; the last day of a term still counts."""
        return frozenset(
            role for role, since, until in self.terms if since <= on and (until is None or on <= until)
        )

    def linked(self, kind: LinkKind, on: date) -> tuple[str, ...]:
        """Give the accounts or addresses of a kind that are his on a day."""
        return tuple(
            value
            for link, value, since, until in self.links
            if link is kind and since <= on and (until is None or on <= until)
        )

    def ever_linked(self, kind: LinkKind) -> tuple[str, ...]:
        """Give all accounts or addresses of a kind that were ever his, for the conflict screen."""
        return tuple(value for link, value, _since, _until in self.links if link is kind)


@dataclass(frozen=True, slots=True)
class Roster:
    """Everybody who has or had a role, who may act for whom, and who presides over the meeting in session.

    `presiding` is None between meetings, and where the record names nobody: then the chair presides.
    """

    members: Mapping[int, Member] = field(default_factory=dict)
    deputies: tuple[DeputyNamed, ...] = ()
    away: tuple[Away, ...] = ()
    presiding: int | None = None

    def roles(self, person: int | None, on: date) -> frozenset[Role]:
        """Give a person's roles on a day; none for somebody who is not on the roster."""
        member = self.members.get(person) if person is not None else None
        return member.roles(on) if member else frozenset()

    def with_role(self, role: Role, on: date) -> tuple[int, ...]:
        """Give the persons who hold a role on a day, by id."""
        return tuple(person for person, member in sorted(self.members.items()) if role in member.roles(on))

    def voting(self, on: date) -> tuple[int, ...]:
        """Give the chair and members of a day, by id."""
        return tuple(p for p, member in sorted(self.members.items()) if member.roles(on) & VOTING)

    def by_link(self, kind: LinkKind, value: str, on: date) -> int | None:
        """Give the one person whose account or address this is on a day; None if nobody's or several's."""
        wanted = value.casefold().strip()
        found = [
            person
            for person, member in self.members.items()
            if any(wanted == one.casefold().strip() for one in member.linked(kind, on))
        ]
        return found[0] if len(found) == 1 else None

    def may_act_for(self, deputy: int, person: int, on: date) -> bool:
        """Say whether one person may act for another on a day."""
        return any(
            named.deputy == deputy
            and named.acts_for == person
            and named.since <= on
            and (named.until is None or on <= named.until)
            for named in self.deputies
        )

    def named(self, name: str) -> tuple[int, ...]:
        """Give who has a name, whatever its case."""
        return tuple(key for key, one in self.members.items() if one.name.casefold() == name.casefold())

    def presides(self, person: int | None, on: date) -> bool:
        """Say whether a member presides over the meeting in session in the chair's place."""
        return person is not None and person == self.presiding and Role.MEMBER in self.roles(person, on)

    def deputies_of(self, person: int, on: date) -> tuple[int, ...]:
        """Give who may act for a person on a day."""
        return tuple(
            named.deputy
            for named in self.deputies
            if self.may_act_for(named.deputy, person, on) and named.acts_for == person
        )

    def is_away(self, person: int, on: date) -> bool:
        """Say whether a person is away on a day."""
        return any(one.person == person and one.since <= on <= one.until for one in self.away)

    def name(self, person: int | None) -> str:
        """Give a person's name; for the machine, its own."""
        member = self.members.get(person) if person is not None else None
        return member.name if member else "Docket"


def build(facts: Iterable[Fact]) -> Roster:
    """Build the roster from its facts, in the order in which they were recorded."""
    names: dict[int, PersonNamed] = {}
    terms: dict[int, list[tuple[Role, date, date | None]]] = {}
    links: dict[int, list[tuple[LinkKind, str, date, date | None]]] = {}
    deputies: list[DeputyNamed] = []
    away: list[Away] = []
    every = tuple(facts)
    for fact in every:
        match fact:
            case PersonNamed():
                names[fact.person] = fact
            case RoleTaken():
                terms.setdefault(fact.person, []).append((fact.role, fact.since, fact.until))
            case RoleLeft():
                terms[fact.person] = _end(terms.get(fact.person, []), fact.role, fact.on)
            case PersonLinked():
                links.setdefault(fact.person, []).append((fact.kind, fact.value, fact.since, fact.until))
            case PersonUnlinked():
                links[fact.person] = [
                    (kind, value, since, _day_before(fact.on))
                    if (kind, value) == (fact.kind, fact.value) and (until is None or until >= fact.on)
                    else (kind, value, since, until)
                    for kind, value, since, until in links.get(fact.person, [])
                ]
            case DeputyNamed():
                deputies.append(fact)
            case Away():
                away.append(fact)
            case _:
                pass
    members = {
        person: Member(
            person, named.name, named.aliases, tuple(terms.get(person, ())), tuple(links.get(person, ()))
        )
        for person, named in names.items()
    }
    return Roster(members, tuple(deputies), tuple(away), _presiding(every))


def _presiding(facts: Iterable[Fact]) -> int | None:
    """Give who presides over the meeting in session, where the record names somebody."""
    presiding: int | None = None
    for fact in facts:
        match fact:
            case MeetingOpened():
                presiding = fact.presiding
            case ChairTaken():
                presiding = fact.person
            case MeetingClosed():
                presiding = None
            case _:
                pass
    return presiding


def _end(
    terms: list[tuple[Role, date, date | None]], role: Role, on: date
) -> list[tuple[Role, date, date | None]]:
    """End the open terms of a role: the day of leaving no longer counts, so access ends at once."""
    return [
        (held, since, _day_before(on))
        if held is role and (until is None or until >= on)
        else (held, since, until)
        for held, since, until in terms
    ]


def _day_before(day: date) -> date:
    return date.fromordinal(day.toordinal() - 1)

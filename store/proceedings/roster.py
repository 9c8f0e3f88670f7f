"""The roster: who holds which role, by what he is recognised, who may act for whom (B1, decisions 7 and 8).

Rights are looked up from these facts at every act, so leaving ends access at once; the pings let the
case channels follow. A person who takes a role is walled off first wherever he is a party (B2).
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from sqlmodel import col, select

from store import outbox
from store.cases import (
    MACHINE,
    Act,
    Actor,
    Docket,
    act,
    case_ids,
    case_key,
    load_case,
    open_cases,
    profile_in_force,
    roster_of,
    standing_of,
)
from store.ports import PingKind
from store.proceedings.ballot import recount_without
from store.rules import access, conflict
from store.rules.access import Deed
from store.rules.addresses import address
from store.rules.casefile import CaseFile
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import (
    Away,
    ConflictFound,
    ConflictLifted,
    DeputyNamed,
    LinkKind,
    PartyNamed,
    PersonLinked,
    PersonNamed,
    PersonUnlinked,
    Role,
    RoleLeft,
    RoleTaken,
)
from store.rules.possible import screen_widely
from store.rules.roster import Member, Roster
from store.rules.vacancies import told_of_leaving
from store.tables import Person, SlackPlace

KEEPERS = frozenset({Role.CLERK, Role.CHAIR})


def add_person(docket: Docket, actor: Actor, name: str, aliases: Sequence[str] = ()) -> int:
    """Put a person on the roster; he has no right before he takes a role.

    Args:
        docket: the record.
        actor: the clerk or the chair.
        name: his name, as it stands in letters and minutes.
        aliases: other names he goes by, for the conflict screen.

    Returns:
        His internal id.

    Raises:
        AlreadyDone: somebody of this name is on the roster.
    """
    with act(docket, actor, Deed.SET_ROSTER) as step:
        _nobody_has(step.people, name)
        return _add(step, name, aliases)


def _nobody_has(people: Roster, name: str, *, but: int | None = None) -> None:
    """Refuse a name that somebody else has: votes, letters and walls would be put down to the wrong person."""
    if set(people.named(_name(name))) - {but}:
        raise AlreadyDone(
            "Somebody on the roster has this name; nothing was changed.",
            clause="C-confidential",
            mend="Where this is another person, write the name with what tells the two apart, such as a middle "
            "initial. Whoever left a role and comes back takes the role again.",
        )


def _add(step: Act, name: str, aliases: Sequence[str]) -> int:
    row = Person(known_since=step.now)
    step.session.add(row)
    step.session.flush()
    assert row.id is not None
    step.record(PersonNamed(row.id, _name(name), tuple(_name(one) for one in aliases)))
    return row.id


def _name(text: str) -> str:
    if not text.strip():
        raise BadInput("A name is missing; nothing was changed.")
    return " ".join(text.split())


def rename_person(docket: Docket, actor: Actor, person: int, name: str, *, aliases: Sequence[str]) -> None:
    """Record the name that a person goes by from now on, and his other names."""
    if _may_set_roster(
        docket, actor
    ):  # before anything is screened for it: a name that is refused walls nobody off
        _nobody_has(_people(docket), name, but=person)
    _screen_first(docket, actor, person, names=(name, *aliases))
    with act(docket, actor, Deed.SET_ROSTER) as step:
        known = _member(step, person)
        _nobody_has(step.people, name, but=person)
        fact = PersonNamed(person, _name(name), tuple(_name(one) for one in aliases))
        if (fact.name, fact.aliases) == (known.name, known.aliases):
            raise AlreadyDone("The roster has these names.", clause="C-confidential")
        step.record(fact)
        channels_follow(step)


def take_role(
    docket: Docket,
    actor: Actor,
    person: int,
    role: Role,
    *,
    since: date | None = None,
    until: date | None = None,
) -> None:
    """Record that a person takes a role, for a term; the last day of it still counts.

    Args:
        docket: the record.
        actor: the clerk or the chair.
        person: his internal id.
        role: the role.
        since: first day in the city's zone; today if None.
        until: last day; None for no end.

    Raises:
        BadInput: he is not on the roster, or the term ends before it begins.
        AlreadyDone: he has the role on its first day.
    """
    _screen_first(docket, actor, person)
    with act(docket, actor, Deed.SET_ROSTER) as step:
        member = _member(step, person)
        first = since or step.today
        if until is not None and until < first:
            raise BadInput("The term would end before it begins; nothing was changed.")
        if role in member.roles(first):
            raise AlreadyDone("This person has the role already.", clause="C-confidential")
        step.record(RoleTaken(person, role, first, until))
        channels_follow(step)


def leave_role(
    docket: Docket, actor: Actor, person: int, role: Role, *, on: date | None = None, reason: str = ""
) -> tuple[str, ...]:
    """Record that a person left a role; from that day on, today if None, he has no right by it (B1).

    Returns:
        What stands still from then on, with the way on; nothing where others hold the role and the Board can act.

    Raises:
        BadInput: he is not on the roster.
        AlreadyDone: he does not hold it.
        NotNow: nobody else could change the roster from that day on.
    """
    with act(docket, actor, Deed.SET_ROSTER) as step:
        member = _member(step, person)
        day = on or step.today
        if not any(held is role and (until is None or until >= day) for held, _since, until in member.terms):
            raise AlreadyDone("This person does not hold the role.", clause="C-confidential")
        if not _somebody_keeps_it(step.people, person, role, day):
            raise NotNow(
                "Nobody would be left who may change the roster.",
                clause="C-confidential",
                mend="Give a successor the role of clerk or chair first.",
            )
        step.record(RoleLeft(person, role, day, reason.strip()))
        channels_follow(step)
        board = step.profile.board
        return told_of_leaving(step.people, role, day, seats=board.seats, rule=board.ballot_rule)


def _somebody_keeps_it(people: Roster, person: int, role: Role, day: date) -> bool:
    """Say whether the roster has a clerk or chair on a day, once this person has left this role."""
    return role not in KEEPERS or any(
        (key, held) != (person, role)
        for key, member in people.members.items()
        for held in member.roles(day) & KEEPERS
    )


def link(
    docket: Docket,
    actor: Actor,
    person: int,
    kind: LinkKind,
    value: str,
    *,
    since: date | None = None,
) -> None:
    """Record by what a person is recognised from a day on.

    Args:
        docket: the record.
        actor: the clerk or the chair.
        person: his internal id.
        kind: Slack account, e-mail address, or account of the operating system.
        value: ``TEAM:USER`` as Slack names them, the address, or the login name.
        since: first day; today if None.

    Raises:
        BadInput: the value cannot be one of its kind.
        AlreadyDone: it is his, or somebody else's, already.
    """
    plain = _link_value(kind, value)
    _screen_first(docket, actor, person, emails=(plain,) if kind is LinkKind.EMAIL else ())
    with act(docket, actor, Deed.SET_ROSTER) as step:
        _member(step, person)
        _link(step, person, kind, plain, since or step.today)
        channels_follow(step)


_LINK_NAMES: Mapping[LinkKind, str] = {
    LinkKind.SLACK: "Slack account",
    LinkKind.EMAIL: "e-mail address",
    LinkKind.SYSTEM_ACCOUNT: "login",
}


def _link(step: Act, person: int, kind: LinkKind, value: str, since: date) -> None:
    for other, member in step.people.members.items():
        held = {one.casefold() for one in member.linked(kind, max(since, step.today))}
        if value.casefold() in held:
            whose = "this person's" if other == person else "somebody else's"
            raise AlreadyDone(
                f"The {_LINK_NAMES[kind]} is {whose} already.",
                clause="C-confidential",
                mend="Each is one person's: see docket roster show, correct it, and do this again.",
            )
    step.record(PersonLinked(person, kind, value, since))


def _link_value(kind: LinkKind, value: str) -> str:
    """Give a link's value in the form in which it is kept."""
    plain = value.strip()
    match kind:
        case LinkKind.EMAIL:
            return address(plain)
        case LinkKind.SLACK:
            team, sep, member = plain.partition(":")
            if not (sep and team.isalnum() and member.isalnum()):
                raise BadInput(
                    "A Slack account is written as TEAM:USER.", mend="Such as T024BE7LD:U0G9QF9C6."
                )
            return plain.upper()
        case LinkKind.SYSTEM_ACCOUNT:
            if not plain or any(sign.isspace() or sign == ":" for sign in plain):
                raise BadInput("An account is one word, the login name.")
            return plain


def unlink(
    docket: Docket,
    actor: Actor,
    person: int,
    kind: LinkKind,
    value: str,
) -> None:
    """Record that a person is no longer recognised by something, from today on.

    Raises:
        BadInput: he is not on the roster.
        AlreadyDone: it is not his.
    """
    with act(docket, actor, Deed.SET_ROSTER) as step:
        held = {one.casefold(): one for one in _member(step, person).linked(kind, step.today)}
        exact = held.get(value.strip().casefold())
        if exact is None:
            raise AlreadyDone("It is not this person's.", clause="C-confidential")
        step.record(PersonUnlinked(person, kind, exact, step.today))
        channels_follow(step)


def name_deputy(
    docket: Docket,
    actor: Actor,
    deputy: int,
    *,
    acts_for: int,
    since: date | None = None,
    until: date | None = None,
) -> None:
    """Record that one person may act for another; both names stand in each entry (decisions 8).

    Raises:
        BadInput: one of them is not on the roster, or both are the same.
        AlreadyDone: the roster has it so.
    """
    with act(docket, actor, Deed.SET_ROSTER) as step:
        _member(step, deputy)
        _member(step, acts_for)
        if deputy == acts_for:
            raise BadInput("Nobody is his own deputy; nothing was changed.")
        first = since or step.today
        if until is not None and until < first:
            raise BadInput("The time would end before it begins; nothing was changed.")
        fact = DeputyNamed(deputy, acts_for, first, until)
        if fact in step.people.deputies:
            raise AlreadyDone("This deputy is on the roster.", clause="C-confidential")
        step.record(fact)


def away(docket: Docket, actor: Actor, person: int, *, since: date, until: date) -> None:
    """Record that a person is away between two days; his reminders pass to the deputy.

    Raises:
        BadInput: he is not on the roster, or the days are the wrong way round.
        AlreadyDone: the roster has it so.
    """
    with act(docket, actor, Deed.SET_ROSTER) as step:
        _member(step, person)
        if until < since:
            raise BadInput("The last day lies before the first; nothing was changed.")
        fact = Away(person, since, until)
        if fact in step.people.away:
            raise AlreadyDone("These days are on the record.", clause="C-confidential")
        step.record(fact)


def _member(step: Act, person: int) -> Member:
    member = step.people.members.get(person)
    if member is None:
        raise BadInput("This person is not on the roster; nothing was changed.")
    return member


# -- who may know -------------------------------------------------------------------------------------


def channels_follow(step: Act) -> None:
    """Owe each case's channel a look at who belongs to it now."""
    shown = select(SlackPlace.case_id).where(SlackPlace.active == True, col(SlackPlace.case_id).is_not(None))  # noqa: E712  SQL's true
    keys = {key for key in step.session.exec(shown) if key is not None} | set(open_cases(step.session))
    for key in sorted(keys):
        outbox.owe_ping(
            step.session,
            step.docket.keyring,
            kind=PingKind.CASE_CHANNEL,
            destination=f"case:{key}",
            now=step.now,
            case_id=key,
        )
    step.note["channels"] = len(keys)


def _screen_first(
    docket: Docket, actor: Actor, person: int, *, names: Sequence[str] = (), emails: Sequence[str] = ()
) -> None:
    """Wall a person off from every case in which he is a party, before a role gives him any right (B2).

    Each wall is an act of its own, done before the act on the roster; nothing is done for somebody
    who may not set the roster, whose try that act then refuses.
    """
    if not _may_set_roster(docket, actor):
        return
    with docket.database.read() as session:
        member = roster_of(docket, session).members.get(person)
    known = (member.name, *member.aliases) if member else ()
    held = member.ever_linked(LinkKind.EMAIL) if member else ()
    _wall_off_everywhere(docket, conflict.Person(person, (*known, *names), (*held, *emails)))


def _may_set_roster(docket: Docket, actor: Actor) -> bool:
    with docket.database.read() as session:
        profile, _digest = profile_in_force(session)
        today = local_date(docket.clock.now(), profile.city.time_zone)
        return access.may(Deed.SET_ROSTER, standing_of(actor, roster_of(docket, session), today))


def _wall_off_everywhere(docket: Docket, sought: conflict.Person) -> None:
    """Wall a person off from each case of which he is, or may be, a party, by name, alias or address."""
    with docket.database.read() as session:
        keys = [
            key
            for key, _number in case_ids(session)
            if not docket.keyring.is_disposed(session, case_key(key))
            and _is_party(load_case(docket, session, key), sought)
        ]
    for key in keys:
        with act(docket, MACHINE, Deed.SCREEN, case_id=key) as step:
            how = "a party of the case, or possibly one, when he took his place on the roster"
            step.record(ConflictFound(sought.person, how))
            step.ping(PingKind.CASE_CHANNEL)
            recount_without(step, sought.person)


def _is_party(case: CaseFile, sought: conflict.Person) -> bool:
    """Say whether a person is a party, or may be one and nobody has said yet that he is not."""
    if case.walled(sought.person):
        return False
    named = [one.fact for one in case.facts if isinstance(one.fact, PartyNamed)]
    passages = [conflict.Passage(conflict.Where.RESPONDENT, one.name) for one in named]
    addresses = [email for one in named for email in one.emails]
    found = screen_widely([sought], passages, addresses, readable=True).named
    looked = any(one.fact.person == sought.person for one in case.all(ConflictLifted))
    return any(one.how.certain or not looked for one in found)


# -- first set-up -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoleLine:
    """A role in the roster file, with its term."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    role: Role
    since: date
    until: date | None = None


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A person in the roster file."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: str
    aliases: tuple[str, ...] = ()
    roles: Annotated[tuple[RoleLine, ...], Field(alias="role")] = ()
    email: tuple[str, ...] = ()
    slack: tuple[str, ...] = ()
    account: tuple[str, ...] = ()

    def links(self) -> Mapping[LinkKind, tuple[str, ...]]:
        """Give the links of each kind in the form in which they are kept."""
        listed = {
            LinkKind.EMAIL: self.email,
            LinkKind.SLACK: self.slack,
            LinkKind.SYSTEM_ACCOUNT: self.account,
        }
        return {kind: tuple(_link_value(kind, one) for one in values) for kind, values in listed.items()}


@dataclass(frozen=True, slots=True)
class RosterFile:
    """A roster file."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    people: Annotated[tuple[PersonLine, ...], Field(alias="person")] = ()


_FILE: TypeAdapter[RosterFile] = TypeAdapter(RosterFile)


def parse_roster(text: str) -> RosterFile:
    """Read a roster file: TOML with a table ``[[person]]`` for each, and ``[[person.role]]`` under it.

    Raises:
        BadInput: it cannot be read; the place of the first fault is named, no value is repeated.
    """
    try:
        return _FILE.validate_python(tomllib.loads(text.removeprefix("\ufeff")))
    except tomllib.TOMLDecodeError as error:
        raise BadInput("The roster file is not TOML; nothing was changed.") from error
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise BadInput(
            f"The roster file cannot be used: {where}: {error.errors()[0]['msg']}. Nothing was changed."
        ) from error


def seed_roster(docket: Docket, text: str, actor: Actor = MACHINE) -> int:
    """Take the roster from a file, at first set-up and after changes of the file.

    What the file says is added where the record never had it, so that the same file changes nothing
    when it is read again, whatever was recorded since: a role that was left does not come back. A
    term that ends earlier in the file than on the record is ended; nothing else is taken away.

    Args:
        docket: the record.
        text: the file, TOML.
        actor: the clerk or the chair; Docket itself at first set-up.

    Returns:
        How many facts were added.

    Raises:
        BadInput: the file cannot be used; nothing was changed.
        NotAllowed: the roster is not his to set.
    """
    deed = Deed.ADOPT_SETTINGS if actor is MACHINE else Deed.SET_ROSTER
    if deed is Deed.SET_ROSTER and not _may_set_roster(docket, actor):
        with act(docket, actor, deed):
            return 0
    file = parse_roster(text)
    if not any(_missing(_people(docket), line) for line in file.people):
        return 0
    count = _add_people(docket, file, actor, deed)
    people = _people(docket)
    for line in file.people:
        _screen_line(docket, people, line)
    with act(docket, actor, deed) as step:
        count += sum(_take_line(step, line) for line in file.people)
        channels_follow(step)
    return count


def _people(docket: Docket) -> Roster:
    with docket.database.read() as session:
        return roster_of(docket, session)


def _add_people(docket: Docket, file: RosterFile, actor: Actor, deed: Deed) -> int:
    """Add who is new, without any right yet, so that he can be screened before his roles come."""
    new = [line for line in file.people if _find(_people(docket), line) is None]
    if new:
        with act(docket, actor, deed) as step:
            for line in new:
                _add(step, line.name, line.aliases)
    return len(new)


def _screen_line(docket: Docket, people: Roster, line: PersonLine) -> None:
    person = _find(people, line)
    assert person is not None
    names, emails = (line.name, *line.aliases), line.links()[LinkKind.EMAIL]
    _wall_off_everywhere(docket, conflict.Person(person, names, emails))


def _find(people: Roster, line: PersonLine) -> int | None:
    """Find a person of the file on the record: by his name, else by something that is his."""
    by_name = people.named(" ".join(line.name.split()))
    if len(by_name) > 1:
        raise BadInput("Two persons of the roster have a name of the file; change the roster by hand.")
    if by_name:
        return by_name[0]
    for kind, values in line.links().items():
        for value in values:
            for key, one in people.members.items():
                if value.casefold() in {held.casefold() for held in one.ever_linked(kind)}:
                    return key
    return None


def _missing(people: Roster, line: PersonLine) -> bool:
    """Say whether the file has something about a person that the record never had."""
    person = _find(people, line)
    if person is None:
        return True
    member = people.members[person]
    return bool(_new_name(member, line) or _new_links(member, line) or _new_terms(member, line))


def _new_name(member: Member, line: PersonLine) -> PersonNamed | None:
    named = PersonNamed(member.person, _name(line.name), tuple(_name(one) for one in line.aliases))
    return named if (member.name, member.aliases) != (named.name, named.aliases) else None


def _new_links(member: Member, line: PersonLine) -> list[tuple[LinkKind, str]]:
    return [
        (kind, value)
        for kind, values in line.links().items()
        for value in values
        if value.casefold() not in {held.casefold() for held in member.ever_linked(kind)}
    ]


def _new_terms(member: Member, line: PersonLine) -> list[RoleTaken | RoleLeft]:
    found: list[RoleTaken | RoleLeft] = []
    for wanted in line.roles:
        known = [until for role, since, until in member.terms if (role, since) == (wanted.role, wanted.since)]
        if not known:
            found.append(RoleTaken(member.person, wanted.role, wanted.since, wanted.until))
        elif wanted.until is not None and all(until is None or until > wanted.until for until in known):
            day = wanted.until + timedelta(days=1)
            found.append(RoleLeft(member.person, wanted.role, day, "the term as the roster file has it"))
    return found


def _take_line(step: Act, line: PersonLine) -> int:
    person = _find(step.people, line)
    assert person is not None
    member = _member(step, person)
    named = _new_name(member, line)
    if named is not None:
        step.record(named)
    links, terms = _new_links(member, line), _new_terms(member, line)
    for kind, value in links:
        _link(step, person, kind, value, step.today)
    for term in terms:
        step.record(term)
    return (named is not None) + len(links) + len(terms)

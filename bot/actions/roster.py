"""The roster: who is on it, roles with their terms, alternates, deputies, days away, accounts, leaving (B1)."""

import hashlib
from collections.abc import Sequence
from datetime import date

from slack_bolt import App

from bot import blocks, words
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, form, opens, turns
from bot.payloads import Click, OddPayload, Submission, Target, read_submission
from store.cases import Actor
from store.proceedings.roster import (
    add_person,
    away,
    leave_role,
    link,
    name_deputy,
    rename_person,
    take_role,
    unlink,
)
from store.rules.access import Deed
from store.rules.errors import BadInput, NotNow
from store.rules.facts import LinkKind, Role
from store.rules.roster import Member, Roster

ACTION_ID = Do.ROSTER
NAME, ALIASES, ROLE, SINCE, UNTIL, ON = "name", "aliases", "role", "since", "until", "on"
REASON, KIND, VALUE, ACCOUNT, WHOSE, WHO = "reason", "kind", "value", "account", "whose", "who"
_LONGEST = 70
_ROLES = [(role.value, label[0].upper() + label[1:]) for role, label in words.ROLE_NAMES.items()]
_LINKS = (
    (LinkKind.SLACK.value, "Slack account (pick it below)"),
    (LinkKind.EMAIL.value, "E-mail address"),
    (LinkKind.SYSTEM_ACCOUNT.value, "Login name on Docket's machine"),
)
_LINK_NAMES = {
    LinkKind.SLACK: "Slack account",
    LinkKind.EMAIL: "address",
    LinkKind.SYSTEM_ACCOUNT: "login name",
}
read = read_submission


# -- the list -----------------------------------------------------------------------------------------


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Show everybody, with a way to change each for those who may."""
    return blocks.modal("Roster", listed(desk, actor, click.target))


def listed(desk: Desk, actor: Actor, target: Target, turn: Do = Do.TURN_ROSTER) -> list[Json]:
    """Give a page of the roster as it stands today.

    Raises:
        NotAllowed: the roster is not his to see; the try is journaled.
    """
    desk.check(actor, Deed.SEE_ROSTER)
    people, today = desk.roster(), desk.today()
    sets = desk.may(actor, Deed.SET_ROSTER)
    shown = [
        (person, member) for person, member in sorted(people.members.items()) if sets or member.roles(today)
    ]
    lines = [
        blocks.said(
            person_line(people, member, today),
            accessory=blocks.button("Change", Do.CHANGE_PERSON, Target("", person).text()) if sets else None,
        )
        for person, member in shown
    ]
    add = [blocks.button("Add a person", Do.ADD_PERSON, Target().text())] if sets else []
    made = lines or [blocks.section("Nobody is on the roster yet.")]
    return [*blocks.paged(made, target, turn), *blocks.actions(add)]


def person_line(people: Roster, member: Member, today: date) -> str:
    """Say who somebody is today: roles, away, deputies."""
    roles = ", ".join(sorted(words.ROLE_NAMES[role] for role in member.roles(today))) or "no role today"
    deputies = ", ".join(blocks.name(people.name(one)) for one in people.deputies_of(member.person, today))
    return (
        f"{blocks.name(member.name)} – {roles}"
        + (", away" if people.is_away(member.person, today) else "")
        + (f"; deputy: {deputies}" if deputies else "")
    )


# -- one person ---------------------------------------------------------------------------------------


def view_person(desk: Desk, actor: Actor, click: Click) -> Json:
    """Show one person with terms, accounts and days away, and what can be recorded about him."""
    desk.check(actor, Deed.SET_ROSTER)
    people, member = _member(desk, click.target.about)
    today, target = desk.today(), click.target.text()
    rows = (
        (Do.TAKE_ROLE, "Takes a role", True),
        (Do.LEAVE_ROLE, "Leaves a role", bool(_held(member, today))),
        (Do.AWAY, "Is away", True),
        (Do.NAME_DEPUTY, "Has a deputy", True),
        (Do.LINK_ACCOUNT, "Add an account", True),
        (Do.UNLINK_ACCOUNT, "Take an account away", bool(_links(member, today))),
        (Do.RENAME_PERSON, "Change the name", True),
    )
    buttons = [blocks.button(label, do, target) for do, label, wanted in rows if wanted]
    told = [person_line(people, member, today), *_terms(member), *_accounts(member, today)]
    told += [
        f"Away {words.day(one.since)} to {words.day(one.until)}"
        for one in people.away
        if _is(one.person, member) and one.until >= today
    ]
    return blocks.modal("On the roster", [blocks.said("\n".join(told)), *blocks.actions(buttons)])


def _is(person: int, member: Member) -> bool:
    return person == member.person


def _member(desk: Desk, person: int) -> tuple[Roster, Member]:
    people = desk.roster()
    member = people.members.get(person)
    if member is None:
        raise BadInput("This person is not on the roster; nothing was changed.", mend="See /ethics roster.")
    return people, member


def _terms(member: Member) -> list[str]:
    return [
        f"{words.ROLE_NAMES[role]} since {words.day(since)}"
        + (f", until {words.day(until)}" if until else "")
        for role, since, until in member.terms
    ]


def _accounts(member: Member, today: date) -> list[str]:
    return [f"{_LINK_NAMES[kind]} {value}" for kind, value in _links(member, today)]


def _links(member: Member, today: date) -> list[tuple[LinkKind, str]]:
    return [(kind, value) for kind in LinkKind for value in member.linked(kind, today)]


def _held(member: Member, today: date) -> list[Role]:
    """Give the roles that somebody has, or is to have."""
    return sorted({role for role, _since, until in member.terms if until is None or until >= today})


def _about(desk: Desk, actor: Actor, click: Click) -> tuple[Member, list[Json]]:
    desk.check(actor, Deed.SET_ROSTER)
    people, member = _member(desk, click.target.about)
    return member, [blocks.said(person_line(people, member, desk.today()))]


def view_new(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw a new person."""
    desk.check(actor, Deed.SET_ROSTER)
    made = [
        blocks.section("A person has no right before he takes a role, and is recognized by his accounts."),
        *_name_fields("", ()),
    ]
    return form(Do.ADD_PERSON, "Add a person", "Add", click=click, of=made)


def _name_fields(name: str, aliases: Sequence[str]) -> list[Json]:
    return [
        blocks.text_input(NAME, "Name, as it stands in letters and minutes", limit=200, initial=name),
        blocks.text_input(
            ALIASES,
            "Other names",
            lines=True,
            optional=True,
            limit=1000,
            initial="\n".join(aliases),
            hint="One a line, such as a maiden name or a nickname: complaints are searched for them.",
        ),
    ]


def _aliases(submission: Submission) -> list[str]:
    return [line.strip() for line in submission.text(ALIASES, 1000).splitlines() if line.strip()]


def handle_new(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Put the person on the roster."""
    add_person(desk.docket, actor, submission.text(NAME, 200), _aliases(submission))
    return "Recorded. Give this person a role and an account next: /ethics roster."


def view_name(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the name as it stands."""
    member, made = _about(desk, actor, click)
    made += _name_fields(member.name, member.aliases)
    return form(Do.RENAME_PERSON, "Change the name", "Record", click=click, of=made)


def handle_name(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the name from now on."""
    person, name = submission.target.about, submission.text(NAME, 200)
    rename_person(desk.docket, actor, person, name, aliases=_aliases(submission))
    return "Recorded."


def view_role(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw a role with its term."""
    _person, made = _about(desk, actor, click)
    made += [
        blocks.select(ROLE, "Role", _ROLES),
        blocks.date_input(SINCE, "From", initial=desk.today().isoformat()),
        blocks.date_input(UNTIL, "Last day of the term", optional=True),
    ]
    return form(Do.TAKE_ROLE, "Takes a role", "Record", click=click, of=made)


def handle_role(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the role."""
    role, person = submission.one_of(ROLE, Role), submission.target.about
    take_role(desk.docket, actor, person, role, since=submission.day(SINCE), until=submission.day(UNTIL))
    return f"Recorded: {words.ROLE_NAMES[role]}. Access and channels follow at once."


def view_leaving(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw which role is left, and when."""
    member, made = _about(desk, actor, click)
    held = [(role.value, words.ROLE_NAMES[role]) for role in _held(member, desk.today())]
    if not held:
        raise NotNow(
            "This person holds no role.", clause="C-confidential", mend="Give the person a role first."
        )
    made += [
        blocks.select(ROLE, "Role", held, initial=held[0][0]),
        blocks.date_input(ON, "From which day on?", initial=desk.today().isoformat()),
        blocks.text_input(REASON, "Why?", optional=True, limit=500),
    ]
    return form(Do.LEAVE_ROLE, "Leaves a role", "Record", click=click, of=made)


def handle_leaving(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record that the role is left."""
    role, person = submission.one_of(ROLE, Role), submission.target.about
    on, reason = submission.day(ON), submission.text(REASON, 500)
    stands_still = leave_role(desk.docket, actor, person, role, on=on, reason=reason)
    left = f"Recorded: no longer {words.ROLE_NAMES[role]} from {words.day(on or desk.today())} on."
    return "\n".join((left, *(f":warning: {one}" for one in stands_still)))


def view_away(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the days away."""
    _person, made = _about(desk, actor, click)
    today = desk.today().isoformat()
    made += [
        blocks.date_input(SINCE, "First day", initial=today),
        blocks.date_input(UNTIL, "Last day", initial=today),
        blocks.small("Reminders pass to the deputy meanwhile."),
    ]
    return form(Do.AWAY, "Is away", "Record", click=click, of=made)


def handle_away(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the days away."""
    since, until = submission.day(SINCE), submission.day(UNTIL)
    if since is None or until is None:
        raise BadInput("A day is missing; nothing was changed.", mend="Pick the first and the last day.")
    away(desk.docket, actor, submission.target.about, since=since, until=until)
    return f"Recorded: away from {words.day(since)} to {words.day(until)}."


def view_deputy(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw who acts for this person, and for how long."""
    member, made = _about(desk, actor, click)
    today = desk.today()
    others = [
        (str(person), blocks.clip(one.name, _LONGEST))
        for person, one in sorted(desk.roster().members.items())
        if person != member.person and one.roles(today)
    ]
    if not others:
        raise NotNow(
            "Nobody else has a role.", clause="C-confidential", mend="Add the deputy to the roster first."
        )
    made += [
        blocks.select(WHO, "Who acts for this person?", others),
        blocks.date_input(SINCE, "From", initial=today.isoformat()),
        blocks.date_input(UNTIL, "Until", optional=True),
        blocks.small("Both names stand in each entry. Nobody votes or steps back for another."),
    ]
    return form(Do.NAME_DEPUTY, "Has a deputy", "Record", click=click, of=made)


def handle_deputy(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the deputy."""
    name_deputy(
        desk.docket,
        actor,
        submission.id(WHO),
        acts_for=submission.target.about,
        since=submission.day(SINCE),
        until=submission.day(UNTIL),
    )
    return "Recorded: the deputy may act for this person."


# -- by what somebody is recognized ----------------------------------------------------------------------


def view_account(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw a new account."""
    _person, made = _about(desk, actor, click)
    made += [
        blocks.radio(KIND, "What is added?", _LINKS, initial=_LINKS[0][0]),
        blocks.account_input(ACCOUNT, "Slack account"),
        blocks.text_input(VALUE, "Address, or login name", optional=True, limit=300),
    ]
    return form(Do.LINK_ACCOUNT, "Add an account", "Add", click=click, of=made)


def handle_account(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the account from today on."""
    kind, picked = submission.one_of(KIND, LinkKind), submission.account(ACCOUNT)
    value = f"{desk.members.team}:{picked}" if kind is LinkKind.SLACK else submission.text(VALUE, 300)
    if kind is LinkKind.SLACK and not picked:
        raise BadInput("No Slack account was picked; nothing was changed.", mend="Pick it.")
    link(desk.docket, actor, submission.target.about, kind, value)
    return f"Recorded: {_LINK_NAMES[kind]}. Access and channels follow at once."


def _mark(kind: LinkKind, value: str) -> str:
    """Give the key of an account in a form, which carries no content."""
    return hashlib.sha256(f"{kind.value}:{value}".encode()).hexdigest()[:16]


def view_parting(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the accounts that there are."""
    member, made = _about(desk, actor, click)
    known = _links(member, desk.today())
    if not known:
        raise NotNow("This person has no account.", clause="C-confidential", mend="Link one first.")
    choices = [
        (_mark(kind, value), blocks.clip(f"{_LINK_NAMES[kind]} {value}", _LONGEST)) for kind, value in known
    ]
    made += [
        blocks.select(WHOSE, "Which one?", choices, initial=choices[0][0]),
        blocks.small("From today on Docket does not recognize this person by it."),
    ]
    return form(Do.UNLINK_ACCOUNT, "Take an account away", "Take away", click=click, of=made)


def handle_parting(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record that the account is his no longer."""
    desk.check(actor, Deed.SET_ROSTER)
    _people, member = _member(desk, submission.target.about)
    known = {_mark(kind, value): (kind, value) for kind, value in _links(member, desk.today())}
    found = known.get(submission.chosen(WHOSE))
    if found is None:
        raise OddPayload("This account is not this person's any more; nothing was changed.")
    unlink(desk.docket, actor, member.person, *found)
    return f"Recorded: the {_LINK_NAMES[found[0]]} is taken away. Access by it ended."


def attach(app: App, desk: Desk) -> None:
    """Attach the list and what can be recorded about a person."""
    opens(app, desk, ACTION_ID, "Roster", view)
    turns(app, desk, Do.TURN_ROSTER, view)
    opens(app, desk, Do.CHANGE_PERSON, "On the roster", view_person)
    asks(app, desk, Do.ADD_PERSON, "Add a person", view=view_new, handle=handle_new)
    asks(app, desk, Do.RENAME_PERSON, "Change the name", view=view_name, handle=handle_name)
    asks(app, desk, Do.TAKE_ROLE, "Takes a role", view=view_role, handle=handle_role)
    asks(app, desk, Do.LEAVE_ROLE, "Leaves a role", view=view_leaving, handle=handle_leaving)
    asks(app, desk, Do.AWAY, "Is away", view=view_away, handle=handle_away)
    asks(app, desk, Do.NAME_DEPUTY, "Has a deputy", view=view_deputy, handle=handle_deputy)
    asks(app, desk, Do.LINK_ACCOUNT, "Add an account", view=view_account, handle=handle_account)
    asks(app, desk, Do.UNLINK_ACCOUNT, "Take an account away", view=view_parting, handle=handle_parting)

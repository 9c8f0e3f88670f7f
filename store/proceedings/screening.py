"""The conflict screen, before anybody is told (B2, decisions 12).

A roster person whose name, alias or address occurs in the complaint is walled off until a cleared
person lifts it. Papers that cannot be read leave the case unscreened: then only the person cleared
for intake sees it, until he has said who is named.
"""

from collections.abc import Sequence

from store.cases import Act, Actor, Docket, act
from store.ports import PingKind
from store.rules.access import Deed
from store.rules.conflict import Passage, Person, screen
from store.rules.errors import BadInput, NotNow
from store.rules.facts import ConflictFound, ConflictLifted, LinkKind, Referred, Role, Screened
from store.rules.roster import Roster

# offices of the roster that act on complaints; IT sees no case, so it need not be walled off
WATCHED = frozenset(Role) - {Role.IT}

_NO_CLERK = (
    "A complaint waits that no clerk on the roster may open. It is safe in the record, and its dates run. "
    "The chair should put another clerk on the roster with `docket roster`."
)


def watched(people: Roster) -> tuple[Person, ...]:
    """Give every roster person, past and present, with the names and addresses to look for."""
    return tuple(
        Person(member.person, (member.name, *member.aliases), member.ever_linked(LinkKind.EMAIL))
        for member in people.members.values()
    )


def screen_papers(
    step: Act,
    passages: Sequence[Passage],
    addresses: Sequence[str],
    *,
    readable: bool,
    own: Sequence[str] = (),
) -> tuple[int, ...]:
    """Search the papers of a case and wall off whoever is named, inside the act that files them.

    Args:
        step: the running act on the case.
        passages: the texts to search, with where each stands.
        addresses: addresses in the headers of the message.
        readable: whether every paper gave its text.
        own: addresses to which complaints are sent, which name nobody: the Board's and the referrer's.

    Returns:
        The persons who are walled off by this.
    """
    found = screen(watched(step.people), passages, addresses, readable=readable, own=own)
    before = step.case.last(Screened)
    # papers that nobody could read stay unread, however readable the next one is
    unread = not found.screened or (before is not None and before.fact.unreadable)
    step.record(
        Screened(
            by_machine=True,
            named=tuple(sorted({one.person for one in found.named})),
            where=tuple(sorted({f"{one.person}:{one.how}:{one.where}" for one in found.named})),
            unreadable=unread,
        )
    )
    newly = {}
    for one in found.named:
        if not step.case.walled(one.person):
            newly[one.person] = step.record(ConflictFound(one.person, f"{one.how} in {one.where}"))
    return tuple(newly)


def refer_round_the_manager(step: Act) -> None:
    """Record the referral as made by policy where the City Manager is named (B2)."""
    managers = step.people.with_role(Role.CITY_MANAGER, step.today)
    named = any(step.case.walled(one) for one in managers)
    if named and step.profile.has_referral and step.case.referred is None:
        step.record(Referred(step.now, "by policy", "the City Manager is named in the complaint"))


def say_who_is_named(docket: Docket, actor: Actor, number: str, named: Sequence[int]) -> None:
    """Record who of the roster is named in papers that no machine could read; empty for nobody.

    Raises:
        NotNow: the case is screened already.
        BadInput: somebody is not on the roster.
    """
    from store.proceedings.walls import follow_walls  # it stands on ballots, and they on this module

    with act(docket, actor, Deed.SAY_WHO_IS_NAMED, number=number) as step:
        if step.case.screened:
            raise NotNow("The papers of this case were searched already.", clause="C-confidential")
        if any(person not in step.people.members for person in named):
            raise BadInput("Somebody in this list is not on the roster; nothing was changed.")
        newly = [person for person in dict.fromkeys(named) if not step.case.walled(person)]
        for person in newly:
            step.record(ConflictFound(person, "said by the person cleared for intake"))
        step.record(Screened(by_machine=False, named=tuple(named)))
        follow_walls(step, newly)
        tell_entitled(step)


def lift_conflict(docket: Docket, actor: Actor, number: str, person: int, reason: str) -> None:
    """Record that a walled-off person is not concerned after all.

    Raises:
        NotNow: he is not walled off.
        BadInput: no reason was given, or he would clear himself.
    """
    with act(docket, actor, Deed.LIFT_CONFLICT, number=number) as step:
        if not step.case.walled(person):
            raise NotNow("This person is not walled off from the case.", clause="C-confidential")
        if not reason.strip():
            raise BadInput("A wall is lifted with a reason only.", mend="Say why there is no conflict.")
        step.record(ConflictLifted(person, reason.strip()))
        tell_entitled(step)


def tell_entitled(step: Act) -> None:
    """Owe the card to the clerks and, once the case is screened, its channel to the entitled."""
    case, today = step.case, step.today
    clerks = [
        clerk
        for clerk in step.people.with_role(Role.CLERK, today)
        if not case.walled(clerk) and clerk not in case.recused
    ]
    for clerk in clerks:
        step.ping(PingKind.CASE_CARD, person=clerk)
    if not clerks:
        step.ping(PingKind.ALARM, text=_NO_CLERK, board=True)
    if not case.screened:
        return
    step.ping(PingKind.CASE_CHANNEL)
    if not step.profile.has_referral:
        return
    for manager in step.people.with_role(Role.CITY_MANAGER, today):
        if not case.walled(manager) and case.referred is None:
            step.ping(PingKind.TOLD, person=manager, about={"what": "refer"})


def refresh_cards(step: Act) -> None:
    """Owe a fresh card wherever the case is shown: its channel and the clerks (one card, always current)."""
    for clerk in step.people.with_role(Role.CLERK, step.today):
        if not step.case.walled(clerk) and clerk not in step.case.recused:
            step.ping(PingKind.CASE_CARD, person=clerk)
    if step.case.screened:
        step.ping(PingKind.CASE_CARD)

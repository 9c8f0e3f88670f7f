"""Recusal: a person steps back from a case, in one step (B2, decisions 17)."""

from store.cases import Actor, Docket, act
from store.ports import PingKind
from store.proceedings.ballot import recount_without, tell_clerk_and_chair, warn_if_board_cannot_act
from store.proceedings.merger import cases_after
from store.proceedings.screening import clear_instead, refresh_cards
from store.rules.access import Deed
from store.rules.errors import AlreadyDone, NotAllowed
from store.rules.facts import Recused


def recuse(docket: Docket, actor: Actor, number: str, reason: str = "") -> None:
    """Record that the person steps back; his access ends with this act, and a vote of his is void.

    Where the case was merged into another, he steps back from that one as well: it goes on for both.

    Args:
        docket: the record.
        actor: the person himself; nobody steps back for another.
        number: the case's number.
        reason: his words, if he gives any.

    Raises:
        AlreadyDone: he stepped back before.
        NotAllowed: he acts for another.
        NoSuchCase: he may not know of the case.
    """
    with act(docket, actor, Deed.RECUSE, number=number) as step:
        if actor.person is None or actor.acting_for is not None:
            raise NotAllowed(
                "Nobody steps back for another.", clause="B-inquiry", mend="Ask the member to step back."
            )
        if actor.person in step.case.recused:
            raise AlreadyDone("You stepped back from this case before.", clause="B-inquiry")
        step.record(Recused(actor.person, reason.strip()))
        step.ping(PingKind.CASE_CHANNEL)
        tell_clerk_and_chair(step, {"person": actor.person}, PingKind.RECUSED)
        clear_instead(step)
        recount_without(step, actor.person)
        warn_if_board_cannot_act(step)
        refresh_cards(step)
        case = step.case
    for there in cases_after(docket, case):
        if actor.person not in there.recused | there.walled_off:
            recuse(docket, actor, there.number, reason)

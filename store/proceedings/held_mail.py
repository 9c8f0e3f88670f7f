"""The holding pen: messages at which a person must look, and what he does with them (I1).

The receipt instant has been running all the while; nothing here moves it.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import assert_never

from sqlmodel import col, select

from store.cases import (
    Act,
    Actor,
    Docket,
    act,
    case_by_number,
    load_case,
    recorded,
    situation_of,
    standing_of,
)
from store.proceedings.known import surviving
from store.proceedings.mail import raw_of
from store.proceedings.receipt import (
    Filing,
    answer_how_to_file,
    attach_in,
    claimed,
    file_in,
    placed,
)
from store.rules import access
from store.rules.access import Deed
from store.rules.casefile import Party
from store.rules.errors import BadInput, NoSuchCase, NotNow
from store.rules.facts import (
    MailPlaced,
    Place,
)
from store.tables import FactRow, MailItem, RawMail


@dataclass(frozen=True, slots=True)
class Held:
    """A message in the holding pen, for the person who looks.

    `suggested` is a case it may belong to, where he who looks may know of that case.
    """

    item: int
    received_at: datetime
    taken_at: datetime
    outcome: str
    reason: str
    flags: tuple[str, ...]
    sender: str
    size: int
    suggested: str = ""


def holding_pen(docket: Docket, actor: Actor) -> list[Held]:
    """Give what waits for a person, oldest first.

    Raises:
        NotAllowed: the holding pen is for staff.
    """
    with act(docket, actor, Deed.SEE_HOLDING_PEN) as step:
        rows = step.session.exec(
            select(MailItem, RawMail)
            .join(RawMail, col(RawMail.id) == MailItem.raw_id)
            .where(MailItem.place == Place.HOLDING_PEN.value)
            .order_by(col(MailItem.id))
        ).all()
        step.note["count"] = len(rows)
        return [_held(step, item, raw) for item, raw in rows]


def _placing(step: Act, item: MailItem) -> MailPlaced | None:
    row = step.session.get(FactRow, item.placed_by) if item.placed_by is not None else None
    fact = recorded(step.docket.keyring, step.session, row).fact if row is not None else None
    return fact if isinstance(fact, MailPlaced) else None


def _suggested(step: Act, placed: MailPlaced | None) -> str:
    """Give the case that the mailroom thought of, if it may be named to this person."""
    key = case_by_number(step.session, placed.suggested) if placed and placed.suggested else None
    if placed is None or key is None:
        return ""
    standing = standing_of(step.actor, step.people, step.today)
    case = load_case(step.docket, step.session, key)
    return (
        placed.suggested
        if access.may(Deed.SEE_CASE, standing, situation_of(step.actor, case, standing))
        else ""
    )


def _held(step: Act, item: MailItem, raw: RawMail) -> Held:
    placed = _placing(step, item)
    return _as_held(item, raw, placed, _suggested(step, placed))


def _as_held(item: MailItem, raw: RawMail, placed: MailPlaced | None, suggested: str) -> Held:
    return Held(
        item.id or 0,
        item.received_at,
        item.taken_at,
        placed.outcome if placed else "",
        placed.reason if placed else "",
        placed.flags if placed else (),
        placed.sender if placed else "",
        raw.size,
        suggested,
    )


def held_raw(docket: Docket, actor: Actor, item: int) -> bytes:
    """Give the raw bytes of a held message to staff; the reading is an entry."""
    with act(docket, actor, Deed.SEE_HOLDING_PEN) as step:
        row = step.session.get(MailItem, item)
        if row is None or row.place != Place.HOLDING_PEN:
            raise NoSuchCase
        step.note["item"] = item
    return raw_of(docket, item)


class HeldDecision(StrEnum):
    """What a person does with a held message."""

    FILE = "file"
    ATTACH = "attach"
    SET_ASIDE = "set-aside"
    ANSWER = "answer"


ANSWERED = "the sender was told how to file"


def place_held(
    docket: Docket,
    actor: Actor,
    item: int,
    decision: HeldDecision,
    *,
    filing: Filing,
    number: str = "",
    party: int | None = None,
) -> str:
    """Carry out what a person decided about a held message.

    Args:
        docket: the record.
        actor: the clerk.
        item: the message.
        decision: file it as a new complaint, attach it to a case, set it aside, or answer how to file, after
            which nobody need look at it any more.
        filing: what the mailroom read, with the clerk's corrections and reason.
        number: the case, to attach it.
        party: the party it comes from, to attach it.

    Returns:
        The number of its case; empty when it was set aside.

    Raises:
        BadInput: it is set aside without a reason, or names no one address that could be answered.
        NoSuchCase: there is no such case that he may know of.
        AlreadyDone: somebody placed the message before.
        NotNow: the message is not in the holding pen.
    """
    if decision is HeldDecision.SET_ASIDE and not filing.reason.strip():
        raise BadInput("A message is set aside with a reason only.", mend="Say why it needs nothing further.")
    if decision is HeldDecision.ANSWER and not filing.sender:
        raise BadInput(
            "The message does not say beyond doubt who sent it, so nobody can be answered.",
            mend="Set it aside with a reason, or write by hand.",
        )
    with act(docket, actor, Deed.PLACE_HELD_MAIL) as step:
        row = claimed(step, item)
        assert row is not None
        if row.place != Place.HOLDING_PEN:
            raise NotNow("Docket is reading this message just now.", clause="A-refer", mend="Wait a minute.")
        step.note.update({"item": item, "decision": decision.value})
        match decision:
            case HeldDecision.SET_ASIDE:
                placed(step, row.id, filing, Place.SET_ASIDE)
                return ""
            case HeldDecision.ANSWER:
                answer_how_to_file(step, filing)
                reason = ": ".join(one for one in (ANSWERED, filing.reason.strip()) if one)
                placed(step, row.id, replace(filing, reason=reason), Place.SET_ASIDE)
                return ""
            case HeldDecision.FILE:
                return file_in(step, item, filing)
            case HeldDecision.ATTACH:
                _turn_to_case(step, number, party)
                attach_in(step, item, filing, party, number)
                return step.case.number
            case _:
                assert_never(decision)


def set_aside_mail(docket: Docket, actor: Actor, *, most: int = 200) -> list[Held]:
    """Give what was set aside, by a person or by the machine, newest first: a wrong guess must be findable.

    Raises:
        NotAllowed: it is for staff.
    """
    with act(docket, actor, Deed.SEE_HOLDING_PEN) as step:
        rows = step.session.exec(
            select(MailItem, RawMail)
            .join(RawMail, col(RawMail.id) == MailItem.raw_id)
            .where(MailItem.place == Place.SET_ASIDE.value)
            .order_by(col(MailItem.id).desc())
            .limit(most)
        ).all()
        step.note.update({"what": "set aside", "count": len(rows)})
        return [_held(step, item, raw) for item, raw in rows]


def bring_back(docket: Docket, actor: Actor, item: int, reason: str) -> None:
    """Put a message that was set aside back into the holding pen; its instant of receipt stands.

    Raises:
        BadInput: no reason is given.
        NoSuchCase: there is no such message.
        NotNow: it was not set aside.
    """
    if not reason.strip():
        raise BadInput(
            "A message is brought back with a reason only.", mend="Say why somebody must look at it."
        )
    with act(docket, actor, Deed.PLACE_HELD_MAIL) as step:
        row = step.session.get(MailItem, item)
        if row is None:
            raise NoSuchCase
        if row.place != Place.SET_ASIDE:
            raise NotNow(
                "This message was not set aside; nothing was changed.",
                clause="A-refer",
                mend="See what was: docket held list --set-aside.",
            )
        before = _placing(step, row)
        step.note.update({"item": item, "decision": "bring-back"})
        sender = before.sender if before else ""
        filing = Filing("needs_review", row.received_at, reason=reason.strip(), sender=sender)
        placed(step, item, filing, Place.HOLDING_PEN)


def _turn_to_case(step: Act, number: str, party: int | None) -> None:
    """Make the act one on the case, if the clerk may know of it."""
    key = case_by_number(step.session, number)
    if key is None:
        raise NoSuchCase
    step.turn_to(surviving(step.docket, step.session, key))
    standing = standing_of(step.actor, step.people, step.today)
    access.check(Deed.SEE_CASE, standing, situation_of(step.actor, step.case, standing))
    if party is None:
        return
    known = step.case.party(party)
    if known is None:
        raise BadInput(
            "There is no such party in this case; nothing was changed.",
            clause="C-confidential",
            mend="See the parties' ids in the case, or attach the message without a party.",
        )
    if known.left and known.named.came_by and not _is_merged_still(step, known):
        raise BadInput(
            "This party came by a merger that was undone, and a case of his own goes on: his paper in this file would "
            "be shown to people whom it does not concern. Nothing was changed.",
            clause="C-confidential",
            mend="Attach the message to that case.",
        )


def _is_merged_still(step: Act, party: Party) -> bool:
    """Say whether any case from which a party came here still goes on in another one."""
    origins = {one.case for way in party.named.came_by for one in way}
    keys = [case_by_number(step.session, number) for number in origins]
    return any(key is not None and surviving(step.docket, step.session, key) != key for key in keys)

"""Delivery: what became of letters and pings, and letters taken back or served on paper (L2, L3).

The outbox is tried at the edge; how a try ended comes back here and becomes a fact of the case, in the
same transaction as the outbox row. A step is done by this evidence and by nothing else.
"""

from datetime import datetime, timedelta

from store import outbox
from store.cases import MACHINE, Act, Actor, Docket, act, paper_bytes
from store.outbox import Channel, Owed, State, Waiting
from store.ports import Delivery, DeliveryState, PingKind
from store.proceedings import writing
from store.proceedings.enclosed import names_of
from store.proceedings.pages import set_letters
from store.proceedings.screening import refresh_cards
from store.rules.access import Deed
from store.rules.casefile import LetterState
from store.rules.errors import AlreadyDone, BadInput, NotNow
from store.rules.facts import LetterQueued, LetterSettled, Role

ALARM_AFTER = timedelta(hours=4)
_SETTLED = {
    State.SENT: LetterState.SENT,
    State.UNCERTAIN: LetterState.UNCERTAIN,
    State.REFUSED: LetterState.REFUSED,
}


def claim(docket: Docket, channel: Channel, *, limit: int = 20) -> list[Owed]:
    """Claim what is due of a channel, and settle letters whose sender died as uncertain."""
    now = docket.clock.now()
    with docket.database.read() as session:
        if not outbox.is_due(
            session, channel, now
        ):  # asked each second: lost and unset letters are among these
            return []
    if channel is Channel.MAIL:
        _settle_lost(docket, now)
        set_letters(docket)
    with docket.database.write() as session:
        owed = outbox.claim(session, docket.keyring, channel, now, limit=limit)
    docket.faults.reach("outbox.claimed")
    return owed


def _settle_lost(docket: Docket, now: datetime) -> None:
    with docket.database.read() as session:
        lost = outbox.lost_letters(session, now)
    detail = "the process ended while the letter was being sent"
    for one in lost:
        _settle(
            docket, one.id, one.case_id, one.about, Delivery(DeliveryState.UNCERTAIN, detail), lost_at=now
        )


def attachments(docket: Docket, letter: outbox.Letter) -> list[tuple[str, str, bytes]]:
    """Give what goes with a letter, byte for byte: name, media type, bytes; the names are the manifest's, where it has one."""
    with docket.database.read() as session:
        kept = [paper_bytes(docket, session, document) for document in letter.attachments]
    names = names_of(kept)
    return [(names.get(paper.id, paper.name), paper.media_type, content) for paper, content in kept]


def settle(docket: Docket, owed: Owed, delivery: Delivery) -> State:
    """Write how a try ended: in the outbox, and for a letter of a case, as a fact (L3).

    Args:
        docket: the record.
        owed: what was tried.
        delivery: how it ended.

    Returns:
        Where it stands now.
    """
    return _settle(docket, owed.id, owed.case_id, owed.about, delivery)


def doubt(docket: Docket, letter: Waiting, detail: str) -> State:
    """Settle a letter that waits as uncertain: a person finds out whether it went (L3).

    Args:
        docket: the record.
        letter: what waits.
        detail: why nobody knows.
    """
    return _settle(docket, letter.id, letter.case_id, letter.about, Delivery(DeliveryState.UNCERTAIN, detail))


def _settle(
    docket: Docket,
    outbox_id: int,
    case_id: int | None,
    letter: int | None,
    delivery: Delivery,
    *,
    lost_at: datetime | None = None,
) -> State:
    docket.faults.reach("outbox.tried")
    if case_id is None or letter is None or delivery.state is DeliveryState.TRY_LATER:
        with docket.database.write() as session:
            found = outbox.found_again(session, outbox_id, lost_at)
            return found or outbox.settle(session, outbox_id, delivery, docket.clock.now())
    with act(docket, MACHINE, Deed.SETTLE_LETTER, case_id=case_id) as step:
        found = outbox.found_again(step.session, outbox_id, lost_at)
        if found is not None:
            step.note["found_again"] = outbox_id
            return found
        state = outbox.settle(step.session, outbox_id, delivery, step.now)
        _record(step, letter, _SETTLED[state], delivery.detail)
        if state is not State.SENT:
            _tell_staff(step, letter, _SETTLED[state])
        refresh_cards(step)
    return state


def _record(step: Act, letter: int, state: LetterState, detail: str) -> None:
    step.record(LetterSettled(state.value, step.now, detail[:300]), about=letter)


def _tell_staff(step: Act, letter: int, state: LetterState) -> None:
    for clerk in step.people.with_role(Role.CLERK, step.today):
        if not step.case.walled(clerk) and clerk not in step.case.recused:
            step.ping(
                PingKind.TOLD, person=clerk, about={"what": "letter", "letter": letter, "state": state.value}
            )


def note_bounce(docket: Docket, outbox_id: int, *, failed: bool, status: str) -> None:
    """Record a delivery report about a letter: a failure reopens the step it answers (I5).

    A report can be forged by whoever has the letter. So it never undoes what is confirmed: it is noted then.

    Args:
        docket: the record.
        outbox_id: the letter's outbox row.
        failed: False for a delay, which is only noted.
        status: the report's status code, such as ``5.1.1``.
    """
    with docket.database.read() as session:
        owed = outbox.read(session, docket.keyring, outbox_id)
    if owed is None or owed.case_id is None or owed.about is None:
        return
    with act(docket, MACHINE, Deed.SETTLE_LETTER, case_id=owed.case_id) as step:
        now = next((one.state for one in step.case.letters if one.id == owed.about), None)
        if now in {LetterState.BOUNCED, LetterState.ON_PAPER, LetterState.WITHDRAWN}:
            step.note["again"] = status
            return
        if step.case.is_confirmed(owed.about):
            step.note["against_what_is_confirmed"] = status
            return
        state = LetterState.BOUNCED if failed else LetterState.DELAYED
        _record(step, owed.about, state, status)
        if failed:
            _tell_staff(step, owed.about, state)
        refresh_cards(step)


def take_back(docket: Docket, actor: Actor, number: str, letter: int) -> tuple[int, ...]:
    """Take back a letter that waits to go out, with the copies for the same party and counsel that wait (L2).

    Returns:
        The letters' ids, the one that was asked for first.

    Raises:
        BadInput: there is no such letter in this case.
        AlreadyDone: it was taken back before.
        NotNow: it went out already.
    """
    with act(docket, actor, Deed.ACKNOWLEDGE, number=number) as step:
        found = next((one for one in step.case.all(LetterQueued) if one.id == letter), None)
        if found is None:
            raise BadInput("There is no such letter in this case.", mend="See its letters in the case.")
        clause = found.fact.clause
        if any(one.id == letter and one.state is LetterState.WITHDRAWN for one in step.case.letters):
            raise AlreadyDone("The letter was taken back before; it does not go out.", clause=clause)
        taken = writing.take_back(
            step, [letter, *(one.id for one in step.case.copies_of(letter))], "taken back before it went out"
        )
        if letter not in taken:
            raise NotNow(
                "The letter went out already, or went on paper; it cannot be taken back.",
                clause=clause,
                mend="Write another one that corrects it.",
            )
        refresh_cards(step)
        return taken

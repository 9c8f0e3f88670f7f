"""Pages of letters that were written at once and are set in a step of their own, before they go out (L1).

What such a letter says was fixed when it was written; here it gets its PDF and its text.
"""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import Session

from store import outbox
from store.cases import MACHINE, Docket, act
from store.letters.letter import Written
from store.letters.press import Pressed, TemplateFault
from store.outbox import Owed
from store.ports import PingKind
from store.rules.access import Deed
from store.rules.errors import Refusal
from store.rules.facts import LetterSet
from store.vault import DocumentMissing

_AGAIN_AFTER = timedelta(minutes=5)


def set_letters(docket: Docket, *, limit: int = 5) -> int:
    """Set the pages of letters that were written and wait for theirs, each in an act of its own.

    A kill between two steps leaves the letter as it was written; it is set again, with the same words.

    Returns:
        How many can go out now.
    """
    with docket.database.read() as session:
        waiting = outbox.unset_letters(session, docket.clock.now(), limit=limit)
    return sum(_set_one(docket, one) for one in waiting)


def _set_one(docket: Docket, outbox_id: int) -> bool:
    try:
        with docket.database.read() as session:
            owed = outbox.read(session, docket.keyring, outbox_id)
        assert owed is not None
        assert owed.letter is not None
        if not owed.letter.unset:  # another copy or thread has set it since it was listed
            return False
        written = Written.from_json(owed.letter.unset)
        pressed = docket.typesetter.set(written, written.issued_at)
    except TemplateFault as fault:
        _not_set(docket, outbox_id, str(fault), again=True)
        return False
    except (DocumentMissing, Refusal) as error:  # damaged, or of a case that was disposed of
        _not_set(docket, outbox_id, str(error), again=False)
        return False
    docket.faults.reach("letter.set")
    if owed.case_id is None or owed.about is None:
        with docket.database.write() as session:
            if outbox.is_unset(session, outbox_id):
                _with_page(docket, session, owed, pressed, ())
        return True
    with act(docket, MACHINE, Deed.SETTLE_LETTER, case_id=owed.case_id) as step:
        step.note["set"] = outbox_id
        if outbox.is_unset(step.session, outbox_id):
            page = step.keep(
                pressed.pdf,
                kind=f"letter:{owed.kind}",
                media_type="application/pdf",
                name=f"{owed.kind.replace('_', '-')}.pdf",
                received_at=written.issued_at,
            )
            step.record(LetterSet(page, tuple(flag.value for flag in pressed.flags)), about=owed.about)
            _with_page(docket, step.session, owed, pressed, (page,))
    return True


def _with_page(
    docket: Docket, session: Session, owed: Owed, pressed: Pressed, attachments: tuple[int, ...]
) -> None:
    assert owed.letter is not None
    letter = replace(owed.letter, text=pressed.text, attachments=attachments, unset="")
    outbox.set_letter(session, docket.keyring, owed.id, letter)


def _not_set(docket: Docket, outbox_id: int, said: str, *, again: bool) -> None:
    """Note that a page could not be set, and tell staff the first time; the other letters go on."""
    now = docket.clock.now()
    with act(docket, MACHINE, Deed.TAKE_MAIL) as step:
        again_at = now + _AGAIN_AFTER if again else None
        if outbox.not_set(step.session, outbox_id, said, again_at, now):
            step.note["not_set"] = outbox_id
            step.ping(PingKind.ALARM, text=said)

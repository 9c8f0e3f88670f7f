"""The machine's clock was set, or the machine slept: journaled, told, and what the wrong clock had put off is mended."""

import contextlib
from datetime import datetime, timedelta

from sqlmodel import col, select

from store import outbox
from store.cases import MACHINE, Act, Docket, act, refresh_dues
from store.database import beat
from store.ports import PingKind
from store.proceedings.reminders import SWEEP, mail_office
from store.rules.access import Deed
from store.rules.facts import Place
from store.tables import Due, MailItem
from store.vault import DocumentMissing


def note_clock_change(docket: Docket, expected: datetime) -> None:
    """Record that the clock shows another instant than it should.

    Every date of the ordinance runs from a recorded instant, so none moves. After a clock was set back, rights
    that seemed to be over are open again, and what was put off to an hour of the wrong clock is due at once.

    Args:
        docket: the record with its clock as it is now.
        expected: what the clock should show, by what it showed before; aware, UTC.
    """
    with act(docket, MACHINE, Deed.SWEEP) as step:
        moved = step.now - expected
        step.note["clock"] = {
            "expected": expected.isoformat(),
            "shows": step.now.isoformat(),
            "moved_s": round(moved.total_seconds()),
        }
        if moved < timedelta(0):
            outbox.bring_forward(step.session, step.now)
            _read_now(step)
            _open_again(step)
        beat(step.session, SWEEP, step.now)
        text = in_words(moved)
        step.ping(PingKind.ALARM, text=text, board=True)
        mail_office(step, "alarm", "Docket: a person must look", text)


def _open_again(step: Act) -> None:
    """Work out anew which steps are open, of every case that has a date on or after today."""
    rows = step.session.exec(select(Due.case_id).where(col(Due.keep_open_until) >= step.today).distinct())
    for case in sorted(rows):
        with contextlib.suppress(DocumentMissing):  # a damaged case has an alarm of its own
            refresh_dues(Act(step.docket, step.session, MACHINE, Deed.SWEEP, step.now, case))


def _read_now(step: Act) -> None:
    """Let messages that were taken be read now."""
    waiting = select(MailItem).where(
        MailItem.place == Place.TAKEN.value, col(MailItem.next_try_at) > step.now
    )
    for item in step.session.exec(waiting):
        item.next_try_at = step.now
        step.session.add(item)


def in_words(moved: timedelta) -> str:
    """Say what happened, what is safe, and what to do; no content."""
    minutes = round(abs(moved).total_seconds() / 60)
    hours, rest = divmod(minutes, 60)
    long = f"{hours} h {rest} min" if hours else f"{minutes} min"
    how = (
        f"was set back by {long}"
        if moved < timedelta(0)
        else f"jumped ahead by {long}, or the machine slept so long"
    )
    return (
        f"The machine's clock {how}. No date of a case moves: dates run from what is on the record, and mail keeps the "
        "mail server's time. The journal has an entry here; acts before it bear the clock's time of then. See that the "
        "machine keeps time (timedatectl), run docket doctor, and correct what staff recorded meanwhile where its "
        "time is wrong."
    )

"""Whatever happens in whatever order, and wherever it is cut off, each message is in exactly one place (I1, I2)."""

import hashlib
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from store.cases import MACHINE, Docket, recorded, verify
from store.printing import PressRoom
from store.proceedings.held_mail import HeldDecision, place_held
from store.proceedings.mail import Spot, raw_of, take_mail
from store.proceedings.receipt import attach_paper, file_complaint, hold, put_off, set_aside
from store.rules.errors import Refusal
from store.rules.facts import MailPlaced, Place
from store.tables import CaseRow, FactRow, MailItem, OutboxRow, RawMail, Sighting
from tests.clocks import ManualClock
from tests.proceedings.builders import Board, a_docket
from tests.proceedings.filings import a_filing, a_spot

MAILS = 2
ACTS = (
    "take",
    "take elsewhere",
    "file",
    "hold",
    "set aside",
    "attach",
    "put off",
    "clerk files",
    "clerk sets aside",
)
A_STEP = st.tuples(
    st.sampled_from(ACTS), st.integers(0, MAILS - 1), st.sampled_from([0, 0, 0, 1, 2, 3, 4, 5, 6])
)


ENDS = {Place.IN_A_CASE, Place.SET_ASIDE}


class Killed(Exception):
    """The process ends here."""


@dataclass
class KillAt:
    """Cuts an act off at the fault point reached as the nth; never for 0."""

    at: int
    reached: int = 0

    def reach(self, _name: str) -> None:
        """Count, and cut off at the one that was drawn."""
        self.reached += 1
        if self.reached == self.at:
            raise Killed


def _raw(mail: int) -> bytes:
    return b"mail %d" % mail


def _spot(mail: int, *, folder: str = "INBOX") -> Spot:
    return a_spot(mail + 1, size=mail, folder=folder)


def _carry_out(board: Board, docket: Docket, name: str, mail: int) -> None:
    """One act of the script; on a message that was never taken there is nothing to do."""
    if name in {"take", "take elsewhere"}:
        take_mail(docket, _spot(mail, folder="INBOX" if name == "take" else "Junk"), _raw(mail))
        return
    with docket.database.read() as session:
        rows = session.exec(
            select(MailItem.id, RawMail.sha256).join(RawMail, col(RawMail.id) == MailItem.raw_id)
        ).all()
        case = session.exec(select(CaseRow.id).order_by(col(CaseRow.id))).first()
    wanted = {sha: key for key, sha in rows}.get(_sha(mail))
    if wanted is None:
        return
    filing = a_filing(message_id=f"<{mail}@post.example>", reason="looked at")
    match name:
        case "file":
            file_complaint(docket, wanted, filing)
        case "hold":
            hold(docket, wanted, filing)
        case "set aside":
            set_aside(docket, wanted, filing)
        case "put off":
            put_off(docket, wanted, "F1")
        case "attach" if case is not None:
            attach_paper(docket, wanted, case, filing)
        case "clerk files":
            place_held(docket, board.clerk, wanted, HeldDecision.FILE, filing=filing)
        case "clerk sets aside":
            place_held(docket, board.clerk, wanted, HeldDecision.SET_ASIDE, filing=filing)
        case _:
            pass


def _sha(mail: int) -> str:
    return hashlib.sha256(_raw(mail)).hexdigest()


def _check(board: Board) -> None:
    """Hold the record against what a message may be."""
    docket = board.docket
    with docket.database.read() as session:
        raws = {one.id or 0: one.sha256 for one in session.exec(select(RawMail))}
        items = [
            (one.id or 0, one.raw_id or 0, one.place, one.case_id) for one in session.exec(select(MailItem))
        ]
        numbers = [one.seq for one in session.exec(select(CaseRow).order_by(col(CaseRow.seq)))]
        received = session.exec(select(FactRow.id).where(FactRow.kind == "complaint-received")).all()
        receipts = Counter(
            one.case_id for one in session.exec(select(OutboxRow).where(OutboxRow.kind == "auto_receipt"))
        )
        sightings = session.exec(select(Sighting.raw_id)).all()
        placings = session.exec(select(FactRow).where(FactRow.kind == MailPlaced.KIND)).all()
        placed = [recorded(docket.keyring, session, one).fact for one in placings]
    assert sorted(raws) == sorted(raw for _key, raw, _place, _case in items)
    assert set(sightings) == set(raws)
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(received) == len(numbers)
    for key, raw, place, case in items:
        assert (case is not None) == (Place(place) is Place.IN_A_CASE)
        assert raws[raw] in {_sha(mail) for mail in range(MAILS) if raw_of(docket, key) == _raw(mail)}
    filed = Counter(case for _key, _raw_id, _place, case in items if case is not None)
    assert len(filed) == len(numbers)
    assert all(receipts[case] >= 1 for case in filed)
    ends = [one.mail_item for one in placed if isinstance(one, MailPlaced) and one.place in ENDS]
    assert max(Counter(ends).values(), default=0) <= 1
    assert verify(docket, MACHINE) is None


@settings(max_examples=15)
@given(script=st.lists(A_STEP, min_size=6, max_size=16))
def test_each_message_is_in_exactly_one_place_whatever_is_done_and_wherever_it_is_cut_off(
    fresh_record: Path, press: PressRoom, script: list[tuple[str, int, int]]
) -> None:
    with tempfile.TemporaryDirectory(prefix="docket-place-") as name:
        folder = Path(name) / "record"
        shutil.copytree(fresh_record, folder)
        clock = ManualClock()
        board = Board(a_docket(folder, clock, press), clock)
        for act, mail, kill_at in script:
            faults = KillAt(kill_at)
            cut = replace(board.docket, faults=faults, database=replace(board.docket.database, faults=faults))
            try:
                _carry_out(board, cut, act, mail)
            except (Killed, Refusal):
                board.docket.keyring.forget()
        _check(board)
        board.docket.database.engine.dispose()

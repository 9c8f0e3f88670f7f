"""Keys are changed without touching any content, whatever happens on the way (C6)."""

from pathlib import Path

import pytest
import sqlalchemy as sa
from cryptography.fernet import Fernet

from store.cases import Docket, forget_line, open_docket, verify
from store.database import RecordUnavailable
from store.ports import NoFaults, untold
from store.printing import PressRoom
from store.rotation import pending, rotate
from store.rules.errors import NotAllowed
from store.vault import KeysFault
from tests.clocks import ManualClock
from tests.proceedings.builders import KEY, PROFILE, Board
from tests.proceedings.filings import CONNIE, a_filing, filed

NEW = Fernet.generate_key().decode()


class Killed(BaseException):
    """The process ends here."""


class DieAt(NoFaults):
    """Ends the process at a place."""

    def reach(self, name: str) -> None:
        if name == "keys.some-wrapped":
            raise Killed


def _opened(board: Board, press: PressRoom, *keys: str, dies: bool = False) -> Docket:
    data = board.docket.vault.root.parent
    return open_docket(
        f"sqlite:///{data}/docket.sqlite3",
        data=data,
        keys=keys,
        clock=board.clock,
        typesetter=press,
        profile=PROFILE,
        mail_from="board@bramwell-ky.example",
        faults=DieAt() if dies else None,
    )


def test_after_a_rotation_the_new_key_alone_opens_everything_and_the_old_one_nothing(
    board: Board, press: PressRoom
) -> None:
    number = filed(board, a_filing())
    twin = board.docket.keyring.twin("address", CONNIE)
    docket = _opened(board, press, NEW, KEY)
    assert rotate(docket, board.actor("Ivo Machinist"), NEW, untold) >= 4
    assert rotate(docket, board.actor("Ivo Machinist"), NEW, untold) == 0
    again = Board(_opened(board, press, NEW), board.clock)
    assert again.file(number).facts == board.file(number).facts
    assert again.docket.keyring.twin("address", CONNIE) == twin
    assert verify(again.docket, again.clerk) is None
    with pytest.raises(KeysFault, match="do not open this record"):
        _opened(board, press, KEY)


def test_whoever_has_the_keys_of_before_seals_nothing_new_once_they_were_changed(
    board: Board, press: PressRoom
) -> None:
    """Wrapped under a key that was retired meanwhile, what he recorded would open to nobody."""
    number = filed(board, a_filing())
    it = board.actor("Ivo Machinist")
    rotate(_opened(board, press, NEW, KEY), it, NEW, untold)
    with pytest.raises(RecordUnavailable, match="keys of the record were changed"):
        filed(board, a_filing(), raw=b"meanwhile", uid=77)
    newest = _opened(board, press, NEW)
    with newest.database.read() as session:
        assert pending(session, NEW) == []
    again = Board(newest, board.clock)
    assert filed(again, a_filing(), raw=b"meanwhile", uid=77) > number
    assert verify(newest, again.clerk) is None


def test_a_new_key_that_stands_first_in_the_settings_needs_no_rotation_to_be_used(
    board: Board, press: PressRoom
) -> None:
    both = Board(_opened(board, press, NEW, KEY), board.clock)
    assert filed(both, a_filing())
    assert verify(both.docket, both.clerk) is None


def test_a_rotation_that_was_killed_in_the_middle_is_gone_on_with(
    board: Board, press: PressRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    for uid in range(1, 4):
        filed(board, a_filing(ack_to=""), raw=b"%d" % uid, uid=uid)
    it = board.actor("Ivo Machinist")
    monkeypatch.setattr("store.rotation._AT_ONCE", 2)
    docket = _opened(board, press, NEW, KEY, dies=True)
    with docket.database.read() as session:
        before = len(pending(session, NEW))
    with pytest.raises(Killed):
        rotate(docket, it, NEW, untold)
    both = _opened(board, press, NEW, KEY)
    with both.database.read() as session:
        assert len(pending(session, NEW)) == before - 2
    assert verify(both, board.clerk) is None
    assert rotate(both, it, NEW, untold) == before - 2
    assert verify(_opened(board, press, NEW), board.clerk) is None


def test_what_was_disposed_of_stays_disposed_of(board: Board, press: PressRoom) -> None:
    number = board.case()
    with board.docket.database.write() as session:
        session.connection().execute(
            sa.text("UPDATE data_key SET wrapped = NULL WHERE kind = 'case' AND owner = :key"),
            {"key": board.key(number)},
        )
        forget_line(session, board.key(number))
    docket = _opened(board, press, NEW, KEY)
    rotate(docket, board.actor("Ivo Machinist"), NEW, untold)
    assert verify(_opened(board, press, NEW), board.clerk) is None


def test_keys_are_its_business(board: Board, press: PressRoom) -> None:
    docket = _opened(board, press, NEW, KEY)
    with pytest.raises(NotAllowed):
        rotate(docket, board.clerk, NEW, untold)


def test_a_lost_key_is_a_clear_refusal_to_start_and_changes_nothing(
    board: Board, press: PressRoom, tmp_path: Path, clock: ManualClock
) -> None:
    board.case()
    with pytest.raises(KeysFault, match="It is safe and unchanged"):
        _opened(board, press, NEW)
    with pytest.raises(KeysFault, match="No key is set"):
        _opened(board, press)
    assert verify(board.docket, board.clerk) is None

"""Which settings changed is an entry of the journal; no value of one is kept (C5)."""

from store import journal
from store.cases import verify
from store.proceedings.settings_changed import note_settings
from tests.proceedings.builders import Board

SETTINGS = {"DOCKET_SMTP_PASSWORD": "hunter2", "DOCKET_MAIL_FROM": "board@city.example"}


def test_a_changed_setting_is_an_entry_once_and_its_value_is_in_none(board: Board) -> None:
    assert note_settings(board.docket, SETTINGS) == tuple(sorted(SETTINGS))
    assert note_settings(board.docket, SETTINGS) == ()
    assert note_settings(board.docket, SETTINGS | {"DOCKET_SMTP_PASSWORD": "other"}) == (
        "DOCKET_SMTP_PASSWORD",
    )
    assert note_settings(board.docket, {"DOCKET_MAIL_FROM": "board@city.example"}) == (
        "DOCKET_SMTP_PASSWORD",
    )
    with board.docket.database.read() as session:
        every = list(journal.entries(session, board.docket.keyring))
    told = [one for one in every if "settings-changed" in str(one.content)]
    assert [one.header["act"] for one in told] == ["adopt-settings"] * 3
    for entry in told:
        assert "hunter2" not in str(entry.content)
        assert "board@city.example" not in str(entry.content)
    assert verify(board.docket, board.clerk) is None

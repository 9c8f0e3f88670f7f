"""Sealed at rest: a stolen folder shows no name; keys rotate; a damaged file is said plainly (C6, decisions 20, 22)."""

import base64
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from sqlmodel import select

from store.cases import MACHINE, Docket, open_docket, papers, read_document, verify
from store.printing import PressRoom
from store.proceedings.acknowledgement import acknowledge
from store.proceedings.form_check import FormView, decide_form, send_cure_notice
from store.proceedings.held_mail import HeldDecision, held_raw, place_held
from store.proceedings.mail import raw_of
from store.proceedings.receipt import Paper, Sender, attach_paper, hold
from store.proceedings.screening import lift_conflict
from store.rules.conflict import Passage, Where
from store.rules.errors import NoSuchCase
from store.rules.facts import ReceiptEvidence
from store.tables import DataKey, Document, RawMail
from store.vault import DocumentMissing, KeyRef, KeysFault, Owner, city_keys
from tests.clocks import ManualClock
from tests.proceedings.builders import KEY, PROFILE, Board, a_board
from tests.proceedings.filings import a_filing, filed, send_all, taken

CANARIES = (
    "Zenobia Quakenbush",
    "zenobia@hidden.example",
    "embezzled-the-fountain-fund",
    "quakenbush-v-mayor.pdf",
    "seen-on-the-page-itself",
    "the-subject-of-the-mail",
    "a-reason-of-the-clerk",
)
NAME, ADDRESS, ALLEGATION, FILE_NAME, IN_PAPER, IN_MAIL, REASON = CANARIES


def _files(folder: Path) -> Iterator[Path]:
    return (one for one in folder.rglob("*") if one.is_file())


def _a_life(board: Board) -> str:
    """Everything that takes in a name: mail, papers, parties, letters, holding pen, refusals."""
    complaint = a_filing(
        complainants=(Sender(NAME, ADDRESS),),
        papers=(Paper(IN_PAPER.encode(), FILE_NAME, "application/pdf", evidence=f'{{"s": "{NAME}"}}'),),
        passages=(Passage(Where.PAGE_TEXT, f"{ALLEGATION} by Mora Member"),),
        evidence=ReceiptEvidence(received_line=f"from {ADDRESS}", date_header=ALLEGATION, words=ALLEGATION),
        addresses=(ADDRESS,),
        ack_to=ADDRESS,
        sender=ADDRESS,
        message_id=f"<{ADDRESS}>",
    )
    raw = f"From: {NAME} <{ADDRESS}>\r\nSubject: {IN_MAIL}\r\n\r\n{ALLEGATION}".encode()
    number = filed(board, complaint, raw=raw)
    decide_form(
        board.docket,
        board.clerk,
        number,
        FormView(proper=False, signed=False, lacking=("signature",), reason=REASON),
    )
    send_cure_notice(board.docket, board.clerk, number)
    acknowledge(board.docket, board.clerk, number)
    board.respondent(number, NAME, ADDRESS)
    lift_conflict(board.docket, board.clerk, number, board.person("Mora Member"), REASON)
    board.clock.advance(timedelta(minutes=10))
    send_all(board)
    attach_paper(board.docket, taken(board.docket, raw + b"2", 2), board.key(number), complaint)
    item = taken(board.docket, raw + b"3", 3)
    hold(board.docket, item, complaint)
    with pytest.raises(NoSuchCase):
        place_held(board.docket, board.clerk, item, HeldDecision.ATTACH, filing=complaint, number=f"{NAME}-1")
    assert raw_of(board.docket, item) == held_raw(board.docket, board.clerk, item)
    return number


def test_no_file_of_the_record_shows_a_name_an_address_or_a_word_of_it(board: Board) -> None:
    _a_life(board)
    folder = board.docket.vault.root.parent
    found = list(_files(folder))
    assert any(one.name.endswith("-wal") for one in found)
    assert sum("vault" in one.parts for one in found) > 5
    words = [*CANARIES, "Mora Member", "Clara Clerk", "clara@bramwell-ky.example"]
    for path in found:
        content = path.read_bytes()
        for word in words:
            for written in (word.encode(), word.encode("utf-16-le"), base64.b64encode(word.encode())[:-4]):
                assert written.lower() not in content.lower(), f"{word} in {path.name}"
                assert word.lower() not in str(path).lower()


def test_the_keys_do_not_lie_in_the_folder_of_the_record(board: Board) -> None:
    _a_life(board)
    for path in _files(board.docket.vault.root.parent):
        content = path.read_bytes()
        assert KEY.encode() not in content
        assert base64.urlsafe_b64decode(KEY) not in content


def test_only_the_owner_of_the_folder_reads_the_vault(board: Board) -> None:
    _a_life(board)
    for path in _files(board.docket.vault.root):
        assert path.stat().st_mode & 0o077 == 0
        assert path.parent.stat().st_mode & 0o077 == 0


# -- keys ---------------------------------------------------------------------------------------------


def _open(folder: Path, press: PressRoom, *keys: str) -> Docket:
    return open_docket(
        f"sqlite:///{folder}/docket.sqlite3",
        data=folder,
        keys=keys,
        clock=ManualClock(),
        typesetter=press,
        profile=PROFILE,
        mail_from="board@bramwell-ky.example",
    )


@pytest.mark.parametrize("keys", [(), ("",), ("not a key",), (KEY[:-2],)])
def test_what_is_no_key_is_refused_without_repeating_it(keys: tuple[str, ...]) -> None:
    with pytest.raises(KeysFault) as refused:
        city_keys(keys)
    assert all(one not in str(refused.value) for one in keys if one)


def test_other_keys_open_nothing_and_change_nothing(
    tmp_path: Path, clock: ManualClock, press: PressRoom
) -> None:
    board = a_board(tmp_path, clock, press)
    number = filed(board)
    board.docket.database.engine.dispose()
    with pytest.raises(KeysFault, match="It is safe and unchanged"):
        _open(tmp_path, press, Fernet.generate_key().decode())
    again = Board(_open(tmp_path, press, KEY), clock)
    assert again.file(number).complainants[0].named.name == "Connie Complainant"
    assert verify(again.docket, MACHINE) is None
    again.docket.database.engine.dispose()


def test_keys_rotate_and_everything_still_opens_under_the_new_one_alone(
    tmp_path: Path, clock: ManualClock, press: PressRoom
) -> None:
    board = a_board(tmp_path, clock, press)
    number = filed(board)
    board.docket.database.engine.dispose()
    new = Fernet.generate_key().decode()
    both = _open(tmp_path, press, new, KEY)
    with both.database.write() as session:
        count = both.keyring.rewrap(session)
        assert count == len(session.exec(select(DataKey)).all()) == 4
    both.database.engine.dispose()
    with pytest.raises(KeysFault):
        _open(tmp_path, press, KEY)
    after = Board(_open(tmp_path, press, new), clock)
    _paper, content = read_document(after.docket, after.chair, number, 1, where="slack")
    assert content == a_filing().papers[0].content
    assert raw_of(after.docket, 1) == b"a mail"
    assert filed(after, raw=b"another", uid=2) == "EC-2026-0002"
    assert verify(after.docket, MACHINE) is None
    after.docket.database.engine.dispose()


def test_a_key_made_in_an_act_that_was_undone_seals_nothing_afterwards(board: Board) -> None:
    """The internal key of a case that came to nothing is given to the next one, with a key of its own."""
    with pytest.raises(ZeroDivisionError):
        filed(board, _Breaking())  # type: ignore[arg-type]  # a filing that fails half way
    number = filed(board, raw=b"another", uid=2)
    board.docket.keyring.forget()
    assert board.file(number).complainants[0].named.name == "Connie Complainant"
    assert verify(board.docket, MACHINE) is None


def test_a_key_that_another_thread_has_not_forgotten_yet_seals_nothing_of_the_next_owner(
    board: Board,
) -> None:
    """Between an undone act's end and its forgetting, another act may be given the same internal key."""
    keyring, ref = board.docket.keyring, KeyRef(Owner.CASE, 77)
    with board.docket.database.write() as session:
        keyring.make(session, ref)
        keyring.seal(session, ref, b"undone")
        session.rollback()
    with board.docket.database.write() as session:
        keyring.make(session, ref)
        sealed = keyring.seal(session, ref, b"kept")
    keyring.forget()
    with board.docket.database.read() as session:
        assert keyring.unseal(session, ref, sealed) == b"kept"


class _Breaking:
    """A filing whose papers cannot be had."""

    received_at = a_filing().received_at
    basis = a_filing().basis

    @property
    def papers(self) -> tuple[Paper, ...]:
        raise ZeroDivisionError


def test_a_value_is_found_by_its_twin_whatever_its_capitals_and_width(board: Board) -> None:
    twin = board.docket.keyring.twin
    assert twin("address", " Connie@Post.Example ") == twin("address", "connie@post.example")
    assert twin("address", "connie@post.example") != twin("name", "connie@post.example")
    assert twin("name", "\uff23onnie") == twin("name", "connie")


# -- damage -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["gone", "cut", "altered", "swapped", "empty"])
def test_a_damaged_document_is_said_plainly_and_harms_no_other(board: Board, damage: str) -> None:
    number = filed(
        board, a_filing(papers=(*a_filing().papers, Paper(b"%PDF other", "b.pdf", "application/pdf")))
    )
    with board.docket.database.read() as session:
        first, second, *_letters = papers(board.docket, session, board.key(number))
    name, other = (_vault_file(board, one.id) for one in (first, second))
    sealed = name.read_bytes()
    match damage:
        case "gone":
            name.unlink()
        case "cut":
            name.write_bytes(sealed[:-9])
        case "altered":
            name.write_bytes(sealed[:40] + bytes([sealed[40] ^ 1]) + sealed[41:])
        case "swapped":
            name.write_bytes(Fernet(Fernet.generate_key()).encrypt(b"%PDF forged"))
        case _:
            name.write_bytes(b"")
    with pytest.raises(DocumentMissing) as refused:
        read_document(board.docket, board.chair, number, first.id, where="slack")
    assert "backup" in str(refused.value)
    assert first.name not in str(refused.value)
    assert read_document(board.docket, board.chair, number, second.id, where="slack")[1] == b"%PDF other"
    assert other.exists()


def _vault_file(board: Board, document: int) -> Path:
    with board.docket.database.read() as session:
        row = session.get(Document, document)
        assert row is not None
        return _place(board, row.vault_name)


def _place(board: Board, name: str) -> Path:
    return board.docket.vault.root / name[:2] / name[2:]


def test_a_message_whose_bytes_are_gone_is_said_plainly(board: Board) -> None:
    item = taken(board.docket)
    with board.docket.database.read() as session:
        (row,) = session.exec(select(RawMail)).all()
        _place(board, row.vault_name).unlink()
    with pytest.raises(DocumentMissing, match="Its entry in the record is safe"):
        raw_of(board.docket, item)


def test_the_same_content_kept_twice_for_one_owner_is_one_file(board: Board) -> None:
    number = filed(board)
    before = len(list(_files(board.docket.vault.root)))
    attach_paper(board.docket, taken(board.docket, b"again", 2), board.key(number), a_filing(ack_to=""))
    assert len(list(_files(board.docket.vault.root))) == before + 1  # the mail alone

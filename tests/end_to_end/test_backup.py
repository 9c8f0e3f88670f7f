"""A backup taken while `docket run` files mail, and a machine that falls back behind its mailbox (R4)."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli import main
from bot.clock import SystemClock
from store.backup import back_up
from store.cases import MACHINE, verify
from store.ports import untold
from tests.end_to_end.running import RECEIVED, Running, a_complaint, surroundings, wait_until

pytestmark = [pytest.mark.end_to_end, pytest.mark.needs("dovecot")]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with surroundings(tmp_path) as around:
        yield around


def _deliver(running: Running, first: int, count: int) -> None:
    for number in range(first, first + count):
        mail = a_complaint(f"Ines Calloway{number}", f"ines{number}@riverbend.example")
        running.imap.deliver(mail, at=RECEIVED)


def test_a_record_restored_behind_its_mailbox_files_what_is_missing_and_doubles_nothing(
    running: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running.start()
    _deliver(running, 0, 4)
    wait_until(lambda: len(running.cases()) >= 1, "nothing was filed")
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    with running.record() as record:
        made = back_up(record.docket, MACHINE, running.folder / "data", shelf, untold)
    then = made.manifest.counts["docket_case"]
    _deliver(running, 4, 3)
    wait_until(lambda: len(running.cases()) == 7, "not everything was filed")
    assert running.stop() in {0, 3}
    shutil.rmtree(running.folder / "data")

    with pytest.raises(SystemExit) as end:
        main(["restore", str(made.path), "--data", str(running.folder)])
    said = capsys.readouterr()
    assert end.value.code == 0, said.err
    assert f"{then} cases. Verified." in said.out
    assert len(running.cases()) == then

    running.start()
    wait_until(lambda: len(running.cases()) >= 7, "what was missing was not filed again")
    _deliver(running, 7, 1)
    wait_until(lambda: len(running.cases()) >= 8, "new mail was not filed")
    assert running.stop() in {0, 3}
    with running.record() as record:
        assert len(running.cases()) == 8
        assert verify(record.docket, MACHINE) is None
        assert SystemClock().now() >= made.manifest.made_at

"""What a mail server and the line to it do in real years: slow, silent, cut, restored, full, certificate ended."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from sqlmodel import select

from intake.mail_login import Password
from intake.mail_urls import MailServer, Security
from intake.mailbox import Mailbox, Patience
from intake.watch import Alarm, Recovery, Trouble
from store.cases import MACHINE, Docket, verify
from store.ports import NoFaults
from store.tables import MailItem
from tests.clocks import ManualClock
from tests.contract.certificates import LONG_AGO, Authority
from tests.contract.dovecot import ACCOUNT, SECRET, Dovecot
from tests.contract.mailbox_steps import a_mail
from tests.contract.proxy import Network
from tests.contract.rounds import Round
from tests.kill_filing import RECEIVED, a_docket

pytestmark = [pytest.mark.contract, pytest.mark.needs("dovecot")]
PATIENCE = Patience(10.0, 20.0)
QUOTA = """
mail_plugins = quota
protocol imap {
  mail_plugins = quota imap_quota
}
plugin {
  quota = maildir:Board
  quota_rule = *:storage=100K
}
"""

OpenRound = Callable[..., Round]


@pytest.fixture
def docket(tmp_path: Path) -> Iterator[Docket]:
    with a_docket(tmp_path, Fernet.generate_key().decode(), NoFaults()) as made:
        yield made


@pytest.fixture
def open_round(docket: Docket) -> Iterator[OpenRound]:
    """Make mailrooms at a server; each is let go of at the end."""
    with ExitStack() as stack:

        def at(place: MailServer, *, patience: Patience = PATIENCE, ca: Path | None = None) -> Round:
            mailbox = Mailbox(place, Password(SECRET), private_ca=ca, patience=patience)
            return Round(docket, stack.enter_context(mailbox))

        yield at


def through(network: Network) -> MailServer:
    return MailServer("127.0.0.1", network.port, ACCOUNT, Security.PLAIN, ("INBOX",))


def a_large_mail(number: int) -> bytes:
    return a_mail(f"Complaint {number}", b"".join(b"%06d line of it\r\n" % line for line in range(1500)))


def test_over_a_slow_line_every_mail_comes_whole(dovecot: Dovecot, open_round: OpenRound) -> None:
    for number in range(3):
        dovecot.deliver(a_large_mail(number), at=RECEIVED)
    with Network(dovecot.port, at_once=997, pause_s=0.002) as slow:
        round_ = open_round(through(slow))
        round_.poll.once()
        assert len(round_.placed()) == round_.noted() == 3
        assert "taken" not in round_.placed()
        assert round_.told == []


def test_wherever_the_line_is_cut_no_mail_is_lost_half_kept_or_doubled(
    dovecot: Dovecot, open_round: OpenRound, docket: Docket
) -> None:
    """The cut goes on by nine kilobytes: through the greeting, the list, and each of the letters' bodies."""
    for number in range(4):
        dovecot.deliver(a_large_mail(number), at=RECEIVED)
    with Network(dovecot.port) as line:
        round_ = open_round(through(line))
        for cut in range(1, 140_000, 9001):
            line.cut_after = cut
            round_.poll.once()
        line.cut_after = None
        round_.poll.once()
        assert line.connections > 10
        assert len(round_.placed()) == round_.noted() == 4
        assert "taken" not in round_.placed()
        assert verify(docket, MACHINE) is None


def test_a_server_that_falls_silent_is_given_up_told_once_after_a_quarter_of_an_hour_and_its_end_once(
    dovecot: Dovecot, open_round: OpenRound
) -> None:
    with Network(dovecot.port) as line:
        round_ = open_round(through(line), patience=Patience(0.3, 0.3))
        round_.poll.once()
        line.silent = True
        dovecot.deliver(a_mail("While it was silent"), at=RECEIVED)
        for minute in range(30):
            round_.ran_s = minute * 60.0
            round_.poll.tick()
            if minute % 10 == 0:
                round_.poll.once()
        (alarm,) = round_.told
        assert isinstance(alarm, Alarm)
        assert alarm.trouble is Trouble.NO_SYNC
        line.silent = False
        round_.poll.once()
        round_.poll.once()
        assert [type(one) for one in round_.told] == [Alarm, Recovery]
        assert len(round_.placed()) == 1


def test_a_line_cut_while_we_listen_is_taken_up_again(dovecot: Dovecot, open_round: OpenRound) -> None:
    with Network(dovecot.port) as line:
        round_ = open_round(through(line))
        round_.poll.once()
        line.cut()
        dovecot.deliver(a_mail("After the cut"), at=RECEIVED)
        round_.poll.once()
        round_.poll.once()
        assert len(round_.placed()) == 1
        assert round_.told == []


def test_a_changed_password_is_told_at_the_second_poll_once_and_its_end_once(
    dovecot: Dovecot, open_round: OpenRound
) -> None:
    round_ = open_round(dovecot.place)
    round_.poll.once()
    dovecot.write_accounts({ACCOUNT: "another one"})
    dovecot.stop()
    dovecot.start()
    dovecot.deliver(a_mail("Meanwhile"), at=RECEIVED)
    round_.poll.once()  # notices that the connection broke
    for _poll in range(4):
        round_.poll.once()
    (alarm,) = round_.told
    assert isinstance(alarm, Alarm)
    assert alarm.trouble is Trouble.LOGIN_REFUSED
    dovecot.write_accounts({ACCOUNT: SECRET})
    round_.poll.once()
    round_.poll.once()
    assert [type(one) for one in round_.told] == [Alarm, Recovery]
    assert len(round_.placed()) == 1


def test_a_certificate_that_ends_while_we_run_is_told_at_the_second_poll_once_and_its_end_once(
    open_round: OpenRound, authority: Authority
) -> None:
    good = authority.certify("localhost")
    kept = {path: path.read_bytes() for path in (good.certificate, good.key)}
    with Dovecot(good) as server:
        round_ = open_round(server.tls_place, ca=authority.root)
        round_.poll.once()
        authority.certify("localhost", until=LONG_AGO)
        server.stop()
        server.start()
        server.deliver(a_mail("Meanwhile"), at=RECEIVED)
        round_.poll.once()
        for _poll in range(4):
            round_.poll.once()
        (alarm,) = round_.told
        assert isinstance(alarm, Alarm)
        assert alarm.trouble is Trouble.CERTIFICATE
        assert round_.placed() == []
        for path, content in kept.items():
            path.write_bytes(content)
        server.stop()
        server.start()
        round_.poll.once()
        round_.poll.once()
    assert [type(one) for one in round_.told] == [Alarm, Recovery]
    assert len(round_.placed()) == 1


def test_how_full_the_mailbox_is_is_known_and_one_over_its_quota_is_read_all_the_same(
    open_round: OpenRound,
) -> None:
    with Dovecot(settings=QUOTA) as server:
        round_ = open_round(replace(server.place, folders=("INBOX",)))
        round_.poll.once()
        assert round_.filled[-1] < 0.1
        for number in range(4):  # what lies there is weighed anew when the folder is opened
            server.deliver(a_large_mail(number), at=RECEIVED)
        sizes = server.maildir() / "maildirsize"
        sizes.unlink(missing_ok=True)
        round_.poll.once()
        assert len(round_.filled) == 1  # not asked again so soon
        round_.ran_s += 601
        round_.poll.once()
        assert round_.filled[-1] > 0.9
        assert len(round_.placed()) == 4
        assert round_.told == []


def test_a_server_without_quota_is_asked_nothing(dovecot: Dovecot, open_round: OpenRound) -> None:
    round_ = open_round(dovecot.place)
    round_.poll.once()
    assert round_.filled == []
    assert round_.told == []


@pytest.mark.parametrize("meanwhile", [1, 2, 3])
def test_a_mailbox_restored_from_a_backup_gives_uids_again_and_nothing_is_lost_or_doubled(
    dovecot: Dovecot, open_round: OpenRound, tmp_path: Path, meanwhile: int
) -> None:
    """Its UIDVALIDITY is the same and its next UID smaller; new mail gets numbers that other mail had."""
    for number in range(3):
        dovecot.deliver(a_mail(f"Before {number}"), at=RECEIVED + timedelta(minutes=number))
    round_ = open_round(replace(dovecot.place, folders=("INBOX",)))
    round_.poll.once()
    dovecot.stop()
    shutil.copytree(dovecot.maildir(), tmp_path / "backup", symlinks=True)
    dovecot.start()
    for number in range(2):
        dovecot.deliver(a_mail(f"Lost {number}"), at=RECEIVED + timedelta(hours=1, minutes=number))
    round_.poll.once()
    round_.poll.once()
    assert len(round_.placed()) == 5
    dovecot.stop()
    _put_back(tmp_path / "backup", dovecot.maildir())
    dovecot.start()
    for number in range(meanwhile):
        dovecot.deliver(a_mail(f"After {number}"), at=RECEIVED + timedelta(hours=2, minutes=number))
    for _poll in range(3):
        round_.poll.once()
    assert len(round_.placed()) == round_.noted() == 5 + meanwhile
    assert "taken" not in round_.placed()


def _put_back(backup: Path, maildir: Path) -> None:
    """Put a copy into the place of a Maildir, for the same owner."""
    owner = maildir.stat()
    shutil.rmtree(maildir)
    shutil.copytree(backup, maildir, symlinks=True)
    for path in (maildir, *maildir.rglob("*")):
        shutil.chown(path, owner.st_uid, owner.st_gid)


def test_a_mail_received_while_the_clock_was_wrong_keeps_the_servers_instant(
    dovecot: Dovecot, open_round: OpenRound, docket: Docket
) -> None:
    assert isinstance(docket.clock, ManualClock)
    dovecot.deliver(a_mail("Received"), at=RECEIVED)
    docket.clock.set_to(RECEIVED - timedelta(days=900))
    open_round(dovecot.place).poll.once()
    with docket.database.read() as session:
        assert list(session.exec(select(MailItem.received_at))) == [RECEIVED]

"""Faults made on purpose, on real parts: each is named by the right line, in plain words, with its mend."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.fernet import Fernet

from bot.cli import COMMANDS
from bot.cli.doctor import _mailbox, _relay, doctor
from bot.cli.doctor_mail import look_at_mailbox, look_at_relay, reached
from bot.clock import PracticeClock, SystemClock
from bot.doctor import Check, Status, look_at_machine, look_at_record, look_at_slack, look_at_stamping
from bot.doctor.record import schema_check
from bot.opening import PRACTICE_MARK
from bot.practice.state import DEFAULT_SCOPES, Role, TokenState
from bot.settings import load_settings
from intake.mail_login import Password
from intake.mail_urls import MailServer, Security
from intake.mailbox import Mailbox
from intake.smtp import SmtpPostman
from store.cases import Actor, roster_of
from store.database import beat
from store.proceedings.mail import Spot, take_mail
from store.proceedings.reminders import raise_alarm
from store.proceedings.roster import link, unlink
from store.proceedings.stamping import STAMPED
from store.rules.access import Via
from store.rules.facts import LinkKind
from tests.bot.doctor.conftest import City, close
from tests.bot.doctor.table import table
from tests.bot.tsa import Authority, an_authority
from tests.clocks import A_MONDAY_MORNING
from tests.contract.certificates import FAR_AHEAD, LONG_AGO
from tests.contract.certificates import Authority as Certifier
from tests.contract.dovecot import SECRET, Dovecot
from tests.contract.relays import Kept, ScriptedRelay, relay
from tests.contract.scripted_imap import ScriptedServer
from tests.contract.test_mail_network import QUOTA

JARGON = re.compile(r"gaierror|URLError|Errno|Traceback|Exception|[Ss]ee the log|\bNone\b|ssl\.c")


def plain(one: Check) -> None:
    """Every line that is not well says what to do, and speaks to people."""
    assert not JARGON.search(one.detail + one.mend), one
    assert one.status is Status.OK or one.mend, one


def test_a_whole_city_is_well_and_each_thing_has_its_line(city: City) -> None:
    lines = city.lines()
    wrong = {name: one for name, one in lines.items() if one.status is not Status.OK}
    assert set(wrong) == {"trust roots", "Slack: address"}
    assert {
        *("settings", "keys", "data folder", "disk", "clock", "database", "profile file", "zone", "profile"),
        *(
            "letter templates",
            "closures of this year",
            "last poll",
            "last sweep",
            "last backup",
            "journal head",
        ),
        *("mailbox: connection", "mailbox: login", "mailbox: IDLE", "mailbox: folder INBOX"),
        *("mailbox: UIDVALIDITY of INBOX", "relay: connection", "relay: login", "relay: sender"),
        *("relay: envelope sender", "relay: plus-address", "Slack: bot token", "Slack: scopes"),
        *("Slack: app token", "Slack: staff channel", "Slack: message form", "clock: against Slack"),
        *("zone: of the people", "letters that wait", "pings that wait", "alarms", "trust roots"),
    } <= set(lines)
    assert sum(name.startswith("Slack: person") for name in lines) == 6


def test_the_answer_as_json_is_a_list_of_four_words_each_and_the_status_tells(city: City) -> None:
    well = CliRunner().invoke(doctor, ["--data", str(city.folder), "--json"])
    assert well.exit_code == 0
    assert all(set(one) == {"check", "status", "detail", "mend"} for one in json.loads(well.stdout))
    city.set(DOCKET_KEYS="")
    ill = CliRunner().invoke(doctor, ["--data", str(city.folder)])
    assert ill.exit_code == 1
    assert "FAIL  keys: no key is set" in ill.stdout


def test_no_line_shows_a_secret(city: City) -> None:
    city.set(DOCKET_IMAP_PASSWORD="not-the-password-9")
    shown = json.dumps([one.as_json() for one in city.lines().values()])
    hidden = [city.settings[name] for name in ("DOCKET_KEYS", "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN")]
    assert not any(secret in shown for secret in [*hidden, "not-the-password-9", "Clara", "clara.clerk"])


# -- what is found before the record is opened ---------------------------------------------------------


def _key_in_the_data(city: City) -> None:
    (city.data / "notes.txt").write_text(f"DOCKET_KEYS={city.settings['DOCKET_KEYS']}\n")


def _other_key(city: City) -> None:
    city.set(DOCKET_KEYS=Fernet.generate_key().decode())


def _env_in_the_data(city: City) -> None:
    (city.data / ".env").write_text("")


def _schema(revision: str) -> Callable[[City], None]:
    def change(city: City) -> None:
        with sqlite3.connect(city.data / "docket.sqlite3") as database:
            database.execute("UPDATE alembic_version SET version_num = ?", (revision,))

    return change


def _damaged(city: City) -> None:
    (city.data / "docket.sqlite3").write_bytes(b"not a database " * 500)


def _dead_server(city: City) -> None:
    city.set(DOCKET_DATABASE_URL="postgresql://docket@127.0.0.1:1/docket")


def _bad_profile(city: City) -> None:
    (city.folder / "own.toml").write_text('standing = "in_force"\n[city]\nname = "Nowhere"\n')
    city.set(DOCKET_PROFILE="./own.toml")


def _changed(old: str, new: str) -> Callable[[City], None]:
    def change(city: City) -> None:
        shipped = load_settings(city.folder / ".env").profile.read_text()
        assert old in shipped
        (city.folder / "own.toml").write_text(shipped.replace(old, new))
        city.set(DOCKET_PROFILE="./own.toml")

    return change


@dataclass(frozen=True)
class Fault:
    """What is done to a city, and the line that must name it."""

    make: Callable[[City], object]
    line: str
    says: str
    status: Status = Status.FAIL


BEFORE: dict[str, Fault] = {
    "no key": Fault(lambda city: city.set(DOCKET_KEYS=""), "keys", "no key"),
    "a key that is none": Fault(lambda city: city.set(DOCKET_KEYS="abc"), "settings: DOCKET_KEYS", "Fernet"),
    "a key in the data folder": Fault(_key_in_the_data, "keys", "notes.txt"),
    "the .env in the data folder": Fault(_env_in_the_data, "settings: DOCKET_DATA_DIR", ".env"),
    "another city's key": Fault(_other_key, "keys", "do not open this record"),
    "settings that every account can read": Fault(
        lambda city: (city.folder / ".env").chmod(0o644), "settings", "every other account", Status.WARN
    ),
    "a token of the wrong kind": Fault(
        lambda city: city.set(SLACK_BOT_TOKEN=city.settings["SLACK_APP_TOKEN"]),
        "settings: SLACK_BOT_TOKEN",
        "bot token",
    ),
    "a channel's name for its id": Fault(
        lambda city: city.set(SLACK_STAFF_CHANNEL="#staff"), "settings: SLACK_STAFF_CHANNEL", "no channel id"
    ),
    "a setting that is none": Fault(
        lambda city: city.set(DOCKET_IMAP_PASWORD="x"), "settings: DOCKET_IMAP_PASWORD", "no setting"
    ),
    "a database ahead of this version": Fault(_schema("9999"), "database", "newer version"),
    "a damaged database": Fault(_damaged, "database", "damaged"),
    "a dead database server": Fault(_dead_server, "database", "does not answer"),
    "a profile that is none": Fault(_bad_profile, "profile file", ""),
    "a zone that is none": Fault(
        _changed('"America/New_York"', '"America/Bramwell"'), "profile file", "zone"
    ),
    "a profile that is an example": Fault(
        lambda city: city.set(DOCKET_PROFILE="berea"), "profile file", "example", Status.WARN
    ),
}


@pytest.mark.parametrize("name", BEFORE)
def test_a_fault_that_keeps_the_record_shut_is_named_by_its_own_line(city: City, name: str) -> None:
    fault = BEFORE[name]
    fault.make(city)
    lines = city.lines()
    found = lines[fault.line]
    assert found.status is fault.status
    assert fault.says in found.detail + found.mend
    table.row(name, found, city.folder)
    for one in lines.values():
        plain(one)


def test_a_database_behind_this_version_is_to_be_backed_up_and_brought_up() -> None:
    found = schema_check("0001", "0002", {"0001", "0002"})
    assert found.status is Status.FAIL
    assert "docket backup" in found.mend
    table.row("a database behind this version", found)
    assert schema_check("0002", "0002", {"0001", "0002"}).status is Status.OK


def test_several_faults_of_the_settings_are_each_told(city: City) -> None:
    city.set(SLACK_BOT_TOKEN="xoxp-1", DOCKET_MAX_MAIL_MB="many")
    lines = city.lines()
    assert {"settings: SLACK_BOT_TOKEN", "settings: DOCKET_MAX_MAIL_MB"} <= set(lines)
    table.row("a number that is none", lines["settings: DOCKET_MAX_MAIL_MB"])


@pytest.mark.parametrize(
    ("left_out", "line"),
    [("DOCKET_IMAP_URL", "mailbox: connection"), ("DOCKET_SMTP_URL", "relay: connection")],
)
def test_a_mailbox_or_a_relay_that_nobody_set_is_named(city: City, left_out: str, line: str) -> None:
    city.set(**{left_out: ""})
    found = city.lines()[line]
    assert found.status is Status.FAIL
    assert left_out in found.mend
    table.row(f"{left_out} left out", found)


def test_a_folder_of_trust_roots_with_something_else_in_it_is_named(city: City) -> None:
    (city.folder / "roots").mkdir()
    (city.folder / "roots" / "root.pem").write_text("no certificate")
    city.set(DOCKET_TRUST_ROOTS=str(city.folder / "roots"))
    found = city.lines()["trust roots"]
    assert found.status is Status.FAIL
    plain(found)
    table.row("something else among the trust roots", found)


# -- the machine ---------------------------------------------------------------------------------------


def _machine(city: City, *, now: datetime | None = None, free: int = 1 << 40) -> dict[str, Check]:
    settings = load_settings(city.folder / ".env")
    found = look_at_machine(settings, now or datetime(2026, 2, 2, tzinfo=UTC), lambda _folder: free)
    return {one.check: one for one in found}


def test_a_full_disk_fails_and_a_filling_one_warns(city: City) -> None:
    full, filling = (_machine(city, free=free)["disk"] for free in ((512 << 20) - 1, 512 << 20))
    assert (full.status, filling.status) == (Status.FAIL, Status.WARN)
    table.row("a full disk", full)
    table.row("a disk that fills", filling)
    assert _machine(city, free=2 << 30)["disk"].status is Status.OK


def test_a_clock_that_lost_its_battery_is_named(city: City) -> None:
    found = _machine(city, now=datetime(1970, 1, 1, tzinfo=UTC))["clock"]
    assert found.status is Status.FAIL
    table.row("a clock that lost its battery", found)


def test_a_data_folder_that_others_can_look_into_is_named(city: City) -> None:
    city.data.chmod(0o755)
    found = _machine(city)["data folder"]
    assert found.status is Status.WARN
    table.row("a data folder that others can look into", found, city.folder)


def test_a_data_folder_that_is_not_there_is_named(city: City) -> None:
    city.set(DOCKET_DATA_DIR="elsewhere")
    found = _machine(city)["data folder"]
    assert found.status is Status.FAIL
    table.row("a data folder that is not there", found, city.folder)


def test_a_data_folder_that_cannot_be_written_is_named(city: City) -> None:
    city.set(DOCKET_DATA_DIR="/proc/self/attr")  # no account of any machine writes a file there, root neither
    found = _machine(city)["data folder"]
    assert found.status is Status.FAIL
    assert "cannot be written" in found.detail
    plain(found)
    table.row("a data folder that cannot be written", found)


# -- the record ----------------------------------------------------------------------------------------


def _no_placeholder(city: City) -> None:
    (city.data / "templates").mkdir()
    (city.data / "templates" / "notice.typ").write_text("#show: sheet\nNothing else.\n")


def _beats(name: str, ago: timedelta, state: str = "ok") -> Callable[[City], None]:
    def change(city: City) -> None:
        record = city.record()
        with record.docket.database.write() as session:
            beat(session, name, A_MONDAY_MORNING - ago, state)
        close(record)

    return change


def _next_year(city: City) -> None:
    PracticeClock(city.data).set_to(datetime(2027, 1, 4, 15, tzinfo=UTC))


def _december(city: City) -> None:
    PracticeClock(city.data).set_to(datetime(2026, 12, 1, 15, tzinfo=UTC))


def _old_outbox(city: City) -> None:
    city.set(DOCKET_ALERT_TO="it@city.example")
    record = city.record()
    raise_alarm(record.docket, "mailbox", "A trouble.")
    close(record)
    with sqlite3.connect(city.data / "docket.sqlite3") as database:
        database.execute("UPDATE outbox SET created_at = '2026-02-02 08:00:00.000000'")


def _altered_head(city: City) -> None:
    with sqlite3.connect(city.data / "docket.sqlite3") as database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (trigger,) in triggers:
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute("UPDATE journal_entry SET header = replace(header, 'adopt', 'adapt')")


def _before_anybody_served(city: City) -> None:
    clock = PracticeClock(city.data)
    clock.path.unlink()
    clock.set_to(datetime(2024, 12, 2, 15, tzinfo=UTC))


IN_THE_RECORD: dict[str, Fault] = {
    "a day on which nobody is clerk": Fault(_before_anybody_served, "roster: clerk", "nobody"),
    "a day on which nobody is chair": Fault(_before_anybody_served, "roster: chair", "nobody"),
    "a backup of some days ago": Fault(
        _beats("backup", timedelta(days=3)), "last backup", "2026", Status.WARN
    ),
    "a template that lost a placeholder": Fault(_no_placeholder, "letter templates", "notice"),
    "a year whose closures nobody adopted": Fault(_next_year, "closures of this year", "2027"),
    "no closures of next year in December": Fault(_december, "closures of next year", "2027"),
    "an old poll": Fault(_beats("poll", timedelta(minutes=20)), "last poll", "2026-02-02"),
    "an old sweep": Fault(_beats("sweep", timedelta(minutes=15)), "last sweep", "2026-02-02"),
    "an old backup": Fault(_beats("backup", timedelta(days=9)), "last backup", "2026-01-24"),
    "an alarm that stands": Fault(_beats("alarm:mailbox", timedelta(0), "alarm"), "alarms", "mailbox"),
    "letters that wait for hours": Fault(_old_outbox, "letters that wait", "7 hours"),
    "pings that wait for hours": Fault(_old_outbox, "pings that wait", "7 hours"),
    "an altered journal": Fault(_altered_head, "journal head", "altered"),
    "ballots outside meetings": Fault(
        _changed("ballots_only_in_meetings = true", "ballots_only_in_meetings = false"),
        "profile: ballots",
        "outside",
        Status.WARN,
    ),
    "a seat that nobody holds": Fault(
        _changed("seats = 5", "seats = 7"), "roster: seats", "of 7", Status.WARN
    ),
}


@pytest.mark.parametrize("name", IN_THE_RECORD)
def test_a_fault_in_the_record_is_named_by_its_own_line(city: City, name: str) -> None:
    fault = IN_THE_RECORD[name]
    fault.make(city)
    record = city.record()
    found = {one.check: one for one in look_at_record(record)}
    close(record)
    assert found[fault.line].status is fault.status
    assert fault.says in found[fault.line].detail
    table.row(name, found[fault.line], city.folder)
    for one in found.values():
        plain(one)


# -- the mail ------------------------------------------------------------------------------------------


def _mail(city: City, **changes: str) -> dict[str, Check]:
    """Look at mailbox and relay alone, as the whole doctor does."""
    city.set(**changes)
    record = city.record()
    machine = SystemClock()
    found = [*_mailbox(record.settings, record, machine), *_relay(record.settings, machine)]
    close(record)
    for one in found:
        plain(one)
    return {one.check: one for one in found}


def test_a_wrong_mailbox_password_is_named(city: City) -> None:
    found = _mail(city, DOCKET_IMAP_PASSWORD="wrong")["mailbox: login"]
    assert found.status is Status.FAIL
    table.row("a wrong mailbox password", found)


def test_a_missing_mailbox_password_and_starting_date_are_named(city: City) -> None:
    found = _mail(city, DOCKET_IMAP_PASSWORD="", DOCKET_IMAP_SINCE="")
    assert found["mailbox: login"].status is Status.FAIL
    assert found["mailbox: starting date"].status is Status.FAIL
    table.row("no mailbox password", found["mailbox: login"])
    table.row("no starting date", found["mailbox: starting date"])


def test_a_missing_folder_is_named(city: City) -> None:
    url = city.settings["DOCKET_IMAP_URL"].partition("/INBOX")[0]
    found = _mail(city, DOCKET_IMAP_URL=f"{url}/INBOX,Nowhere")
    assert found["mailbox: folder Nowhere"].status is Status.FAIL
    assert found["mailbox: folder INBOX"].status is Status.OK
    table.row("a folder that is not there", found["mailbox: folder Nowhere"])


def test_a_mailbox_and_a_relay_that_nobody_runs_are_named(city: City) -> None:
    found = _mail(
        city, DOCKET_IMAP_URL="imap://board@127.0.0.1:1/INBOX", DOCKET_SMTP_URL="smtp://127.0.0.1:1"
    )
    assert "nobody answers" in found["mailbox: connection"].detail
    assert "nobody answers" in found["relay: connection"].detail
    table.row("a mailbox that nobody runs", found["mailbox: connection"])
    table.row("a relay that nobody runs", found["relay: connection"])


def test_a_relay_that_speaks_no_tls_is_named(city: City) -> None:
    port = city.servers.mail.smtp_port
    found = _mail(city, DOCKET_SMTP_URL=f"smtps://localhost:{port}")
    assert "does not speak TLS" in found["relay: connection"].detail
    table.row("a relay that speaks no TLS", found["relay: connection"])


def test_a_mailbox_that_was_made_anew_is_named(city: City) -> None:
    record = city.record()
    place = ("127.0.0.1", city.servers.mail.account, "INBOX")
    take_mail(record.docket, Spot(*place, 5, 1, 4, A_MONDAY_MORNING), b"a: b")
    close(record)
    found = _mail(city)["mailbox: UIDVALIDITY of INBOX"]
    assert found.status is Status.WARN
    table.row("a mailbox that was made anew", found)


def test_a_server_without_idle_is_named(city: City) -> None:
    quiet = {"CAPABILITY": b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\nTAG OK done\r\n"}
    with ScriptedServer(quiet) as server:
        record = city.record()
        settings = record.settings
        line = Check("mailbox: connection", Status.OK, "")
        found = list(look_at_mailbox(settings, Mailbox(server.place, Password(SECRET)), record.docket, line))
        close(record)
    (idle,) = [one for one in found if one.check == "mailbox: IDLE"]
    assert idle.status is Status.WARN
    table.row("a server without IDLE", idle)


RELAYS = {
    "a refused login": ({"AUTH": b"535 5.7.8 no"}, "relay: login", Status.FAIL),
    "a refused sender": ({"MAIL": b"550 5.7.1 not your sender"}, "relay: sender", Status.FAIL),
    "a refused sender with a token": (
        {"MAIL+": b"550 5.7.1 not your sender"},
        "relay: envelope sender",
        Status.WARN,
    ),
    "a refused plus-address": ({"RCPT": b"550 5.1.1 unknown"}, "relay: plus-address", Status.WARN),
}


@pytest.mark.parametrize("name", RELAYS)
def test_what_a_relay_refuses_is_named(city: City, name: str) -> None:
    script, line, status = RELAYS[name]
    with ScriptedRelay(script) as server:
        postman = SmtpPostman(server.place, Password(SECRET), timeout_s=10.0)
        settings = load_settings(city.folder / ".env")
        found = {
            one.check: one
            for one in look_at_relay(settings, postman, Check("relay: connection", Status.OK, ""))
        }
    assert found[line].status is status
    plain(found[line])
    table.row(f"relay: {name}", found[line])


@pytest.mark.contract
def test_a_relays_certificate_that_nobody_vouches_for_is_mended_by_naming_the_authority(
    city: City, tmp_path: Path
) -> None:
    authority = Certifier(tmp_path)
    settings = load_settings(city.folder / ".env")
    line = Check("relay: connection", Status.OK, "")
    with relay(Kept(), certificate=authority.certify("localhost")) as port:
        place = MailServer("localhost", port, "", Security.STARTTLS)
        strange = list(look_at_relay(settings, SmtpPostman(place), line))
        known = list(look_at_relay(settings, SmtpPostman(place, None, authority.root), line))
    (found,) = strange
    assert (found.check, found.status) == ("relay: connection", Status.FAIL)
    assert "DOCKET_MAIL_CA" in found.mend
    plain(found)
    table.row("a relay's certificate that nobody vouches for", found)
    assert {one.status for one in known} == {Status.OK}


@pytest.mark.contract
@pytest.mark.needs("dovecot")
def test_an_ended_certificate_another_hosts_and_a_strangers_are_told_apart(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    authority = Certifier(tmp_path_factory.mktemp("authority"))
    now = datetime(2026, 2, 2, tzinfo=UTC)

    def seen(host: str, trusted: Path | None, **wishes: datetime) -> Check:
        with Dovecot(certificate=authority.certify(host, **wishes)) as server:
            return reached("mailbox: connection", "the mail server", server.tls_place, trusted, now)

    assert seen("localhost", authority.root).status is Status.OK
    ended = seen("localhost", authority.root, until=LONG_AGO)
    others = seen("imap.elsewhere.example", authority.root)
    strangers = seen("localhost", None)
    assert "has ended" in ended.detail
    assert "another host name" in others.detail
    assert "nobody whom this machine trusts" in strangers.detail
    table.row("a certificate that ended", ended)
    table.row("another host's certificate", others)
    table.row("a stranger's certificate", strangers)
    assert "good until" in seen("localhost", authority.root).detail


@pytest.mark.contract
@pytest.mark.needs("dovecot")
@pytest.mark.parametrize(("days", "status"), [(13, Status.WARN), (15, Status.OK)])
def test_a_certificate_that_ends_within_two_weeks_is_warned_of(
    tmp_path_factory: pytest.TempPathFactory, days: int, status: Status
) -> None:
    authority = Certifier(tmp_path_factory.mktemp("authority"))
    now = FAR_AHEAD - timedelta(days=days)
    with Dovecot(certificate=authority.certify("localhost", until=FAR_AHEAD)) as server:
        found = reached("mailbox: connection", "the mail server", server.tls_place, authority.root, now)
    assert found.status is status
    assert "good until" in found.detail
    plain(found)
    if status is Status.WARN:
        table.row("a certificate that ends within two weeks", found)


@pytest.mark.contract
@pytest.mark.needs("dovecot")
def test_a_mailbox_that_fills_is_warned_of_and_a_full_one_fails(city: City) -> None:
    with Dovecot(settings=QUOTA) as server:
        mailbox = Mailbox(replace(server.place, folders=("INBOX",)), Password(SECRET))

        def quota() -> Check | None:
            record = city.record()
            line = Check("mailbox: connection", Status.OK, "")
            found = {one.check: one for one in look_at_mailbox(record.settings, mailbox, record.docket, line)}
            close(record)
            return found.get("mailbox: quota")

        seen = []
        for kilobytes in (10, 82, 20):
            server.deliver(b"Subject: x\r\n\r\n" + b"x" * 1024 * kilobytes)
            (server.maildir() / "maildirsize").unlink(missing_ok=True)  # what lies there is weighed anew
            found = quota()
            assert found is not None
            plain(found)
            seen.append(found)
    assert [one.status for one in seen] == [Status.OK, Status.WARN, Status.FAIL]
    table.row("a mailbox that fills", seen[1])
    table.row("a full mailbox", seen[2])


# -- the time stamp ------------------------------------------------------------------------------------


@pytest.fixture
def authority() -> Iterator[Authority]:
    """A time-stamping authority on loopback."""
    with an_authority() as running:
        yield running


def _stamping(city: City, url: str, trusted: bytes = b"") -> dict[str, Check]:
    city.set(DOCKET_TSA_URL=url)
    record = city.record()
    found = {one.check: one for one in look_at_stamping(record, [trusted] if trusted else [])}
    close(record)
    for one in found.values():
        plain(one)
    return found


STAMPS = {"refused": "refused", "other": "of something else", "rubbish": "none"}


@pytest.mark.parametrize("mode", STAMPS)
def test_an_authority_that_does_not_stamp_is_named(city: City, authority: Authority, mode: str) -> None:
    authority.mode = mode
    found = _stamping(city, authority.url)["time stamp: authority"]
    assert found.status is Status.FAIL
    assert "DOCKET_TSA_URL" in found.mend
    table.row(f"a time stamp that is {STAMPS[mode]}", found)


def test_an_authority_that_cannot_be_reached_is_named(city: City) -> None:
    found = _stamping(city, "http://127.0.0.1:1/")["time stamp: authority"]
    assert "nobody answers" in found.detail
    table.row("a time-stamping authority that cannot be reached", found)


def test_an_authority_whose_signer_nobody_trusts_is_named(city: City, authority: Authority) -> None:
    found = _stamping(city, authority.url)["time stamp: authority"]
    assert found.status is Status.WARN
    table.row("a time-stamping authority whose signer nobody trusts", found)
    assert _stamping(city, authority.url, authority.root)["time stamp: authority"].status is Status.OK


@pytest.mark.parametrize(
    ("ago", "status"), [(timedelta(days=1, hours=23), Status.OK), (timedelta(days=2, minutes=1), Status.FAIL)]
)
def test_a_last_stamp_that_is_late_is_named(
    city: City, authority: Authority, ago: timedelta, status: Status
) -> None:
    never = _stamping(city, authority.url)["time stamp: last"]
    assert never.status is Status.WARN
    table.row("no stamp yet", never, city.folder)
    _beats(STAMPED, ago, "2026-01-31")(city)
    found = _stamping(city, authority.url)["time stamp: last"]
    assert found.status is status
    if status is Status.FAIL:
        table.row("a last stamp that is late", found, city.folder)


def test_the_doctor_asks_the_authority_where_one_is_set_and_says_nothing_where_none_is(
    city: City, authority: Authority
) -> None:
    assert not any(name.startswith("time stamp") for name in city.lines())
    city.set(DOCKET_TSA_URL=authority.url)
    assert {"time stamp: authority", "time stamp: last"} <= set(city.lines())


# -- Slack ---------------------------------------------------------------------------------------------


def _slack(city: City, machine: object | None = None) -> dict[str, Check]:
    record = city.record()
    found = list(look_at_slack(record, machine or SystemClock()))  # type: ignore[arg-type]
    close(record)
    for one in found:
        plain(one)
    return {one.check: one for one in found}


def test_a_practice_slack_is_named_and_a_real_record_with_one_fails(city: City) -> None:
    found = _slack(city)["Slack: address"]
    assert found.status is Status.WARN
    table.row("a practice Slack", found)
    (city.data / PRACTICE_MARK).unlink()
    found = _slack(city)["Slack: address"]
    assert found.status is Status.FAIL
    table.row("a practice Slack at a real record", found)


def test_a_missing_scope_is_named(city: City) -> None:
    city.servers.practice.set_scopes([one for one in DEFAULT_SCOPES if one != "files:write"])
    found = _slack(city)["Slack: scopes"]
    assert found.status is Status.FAIL
    assert "files:write" in found.detail
    table.row("a missing scope", found)


def test_a_scope_that_nothing_uses_is_named(city: City) -> None:
    city.servers.practice.set_scopes([*DEFAULT_SCOPES, "channels:history"])
    found = _slack(city)["Slack: scopes"]
    assert found.status is Status.WARN
    assert "channels:history" in found.detail
    table.row("a scope that nothing uses", found)


@pytest.mark.parametrize(
    ("state", "says"), [(TokenState.REVOKED, "revoked"), (TokenState.INACTIVE, "taken out")]
)
def test_a_token_that_ended_is_named(city: City, state: TokenState, says: str) -> None:
    city.servers.practice.set_token(state)
    found = _slack(city)["Slack: bot token"]
    assert found.status is Status.FAIL
    assert says in found.detail
    table.row(f"a bot token that was {says}", found)


def test_another_workspaces_token_is_named(city: City) -> None:
    city.set(SLACK_BOT_TOKEN="xoxb-1-of-somebody-else")
    found = _slack(city)["Slack: bot token"]
    assert "does not know" in found.detail
    table.row("another workspace's bot token", found)


def test_an_app_token_that_opens_nothing_is_named(city: City) -> None:
    city.set(SLACK_APP_TOKEN="xapp-1-of-somebody-else")
    found = _slack(city)["Slack: app token"]
    assert found.status is Status.FAIL
    assert "connections:write" in found.mend
    table.row("an app token that opens nothing", found)


def test_a_missing_staff_channel_is_named(city: City) -> None:
    city.set(SLACK_STAFF_CHANNEL="C0NOWHERE")
    found = _slack(city)["Slack: staff channel"]
    assert found.status is Status.FAIL
    table.row("a staff channel that is not there", found)


def test_a_staff_channel_without_the_bot_is_named(city: City) -> None:
    practice = city.servers.practice
    clerk = city.servers.people["Clara Clerk"]
    private = practice.add_channel(f"private-{city.folder.parent.name[-20:].lower()}", [clerk]).id
    public = practice.add_channel(
        f"public-{city.folder.parent.name[-20:].lower()}", [clerk], private=False
    ).id
    for channel, kind in ((private, "private"), (public, "public")):
        city.set(SLACK_STAFF_CHANNEL=channel)
        found = _slack(city)["Slack: staff channel"]
        assert found.status is Status.FAIL
        assert found.mend.startswith(("Copy the channel's id", "Make it private"))
        table.row(f"a {kind} staff channel without the bot", found)


def test_a_deactivated_person_and_a_guest_are_named(city: City) -> None:
    practice, people = city.servers.practice, city.servers.people
    practice.change_person(people["Mora Member"], role=Role.DEACTIVATED)
    practice.change_person(people["Milo Member"], role=Role.GUEST)
    wrong = {one.detail: one for one in _slack(city).values() if one.status is Status.FAIL}
    assert set(wrong) == {"the account is deactivated", "the account is a guest's"}
    table.row("a person whose account is deactivated", wrong["the account is deactivated"])
    table.row("a person who is a guest", wrong["the account is a guest's"])


def _relinked(city: City, account: str) -> None:
    record = city.record()
    clerk = Actor(1, Via.CLI)
    with record.docket.database.read() as session:
        held = roster_of(record.docket, session).members[3].linked(LinkKind.SLACK, A_MONDAY_MORNING.date())
    for one in held:
        unlink(record.docket, clerk, 3, LinkKind.SLACK, one)
    if account:
        link(record.docket, clerk, 3, LinkKind.SLACK, account)
    close(record)


def test_a_person_with_an_unknown_account_or_none_is_named(city: City) -> None:
    _relinked(city, "T0PRACTICE:U0NOBODY")
    unknown = next(one for name, one in _slack(city).items() if "person 3" in name)
    assert "no such account" in unknown.detail
    table.row("a person with an unknown account", unknown)
    _relinked(city, "")
    found = next(one for name, one in _slack(city).items() if "person 3" in name)
    assert found.status is Status.WARN
    assert city.servers.people["Mora Member"] in found.mend
    proposed = found.mend.replace(city.servers.people["Mora Member"], "MEMBER")
    table.row("a person without an account", replace(found, mend=proposed))


def test_a_zone_in_which_nobody_lives_is_named(city: City) -> None:
    for person in city.servers.people.values():
        city.servers.practice.change_person(person, zone="America/Chicago")
    found = _slack(city)["zone: of the people"]
    assert found.status is Status.WARN
    assert "America/Chicago" in found.detail
    table.row("accounts that are all in another zone", found)


@dataclass(frozen=True)
class _Off:
    """The machine's clock, off by so much."""

    by: timedelta

    def now(self) -> datetime:
        return SystemClock().now() + self.by


def test_a_clock_that_is_off_is_named(city: City) -> None:
    far, near = (
        _slack(city, _Off(timedelta(minutes=minutes)))["clock: against Slack"] for minutes in (-6, 2)
    )
    assert (far.status, near.status) == (Status.FAIL, Status.WARN)
    table.row("a clock that is six minutes off", far)
    table.row("a clock that is two minutes off", near)


def test_a_slack_that_cannot_be_reached_is_named(city: City) -> None:
    city.set(SLACK_API_URL="http://127.0.0.1:1/api/")
    found = _slack(city)["Slack: bot token"]
    assert "nobody answers" in found.detail
    table.row("a Slack that cannot be reached", found)


# -- the table -------------------------------------------------------------------------------------------


def test_the_table_shows_each_fault_once_and_at_least_twenty_five() -> None:
    source = Path(__file__).read_text()
    names = [one for one in table.shown if one not in {*BEFORE, *IN_THE_RECORD}]
    assert len(table.shown) > 60
    assert {*BEFORE, *IN_THE_RECORD} <= set(table.shown)
    made = {
        *(f"relay: {one}" for one in RELAYS),
        *(f"a time stamp that is {one}" for one in STAMPS.values()),
        *(f"a {kind} staff channel without the bot" for kind in ("private", "public")),
        *(f"a bot token that was {says}" for says in ("revoked", "taken out")),
        *(f"{one} left out" for one in ("DOCKET_IMAP_URL", "DOCKET_SMTP_URL")),
    }
    assert [one for one in names if one not in made and f'"{one}"' not in source] == []


def test_every_command_in_a_mend_can_be_typed_as_it_stands(city: City) -> None:
    """Between backticks stands what the doctor puts the folder to; a help page needs none."""
    bare = re.compile(r"(?<![`/])\bdocket (?!run\b)([a-z-]+)(?![^`]*--help)")
    mends = [mend for _line, _status, mend in table.shown.values()]
    assert [one for one in mends if (found := bare.search(one)) and found.group(1) in COMMANDS] == []
    (city.folder / ".env").chmod(0o644)
    told = CliRunner().invoke(doctor, ["--data", str(city.folder)]).stdout
    assert f"`docket keys rotate --data {city.folder}`" in told
